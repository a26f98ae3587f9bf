/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values of a space's file. The parsed tree has no positions, so a message
 * follows its keys back into the text, which is well-formed by then.
 */
#include "space/language/reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "graph/graph_json.h"
#include "graph/read.h"

void
sepx__reader_enter(struct reader *r, const char *key)
{
    r->step[r->depth].key = key;
    r->step[r->depth++].index = 0;
}

void
sepx__reader_item(struct reader *r, size_t index)
{
    r->step[r->depth].key = NULL;
    r->step[r->depth++].index = index;
}

void
sepx__reader_leave(struct reader *r)
{
    r->depth--;
}

/* ---- the line ---- */

static const char *
skip_string(const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++)
        at += *at == '\\' && at + 1 < end;
    return at < end ? at + 1 : end;
}

/* The byte behind a value. */
static const char *
skip_value(const char *at, const char *end)
{
    unsigned depth = 0;

    while (at < end) {
        char ch = *at;

        if (ch == '"') {
            at = skip_string(at, end);
            continue;
        }
        if (!depth && (ch == ',' || ch == '}' || ch == ']'))
            return at;
        depth += ch == '{' || ch == '[';
        depth -= ch == '}' || ch == ']';
        at++;
    }
    return end;
}

static bool
is_key(const char *at, const char *end, const char *key)
{
    size_t len = strlen(key);

    return (size_t)(end - at) > len + 1 && !memcmp(at + 1, key, len) &&
           at[len + 1] == '"';
}

/* From an object or array to the member; *value is where it begins. */
static const char *
find_member(const char *at, const char *end, const char *key, size_t index,
            const char **value)
{
    bool object = at < end && *at == '{';

    for (size_t i = 0; at < end && *at != '}' && *at != ']'; i++) {
        const char *name;

        name = at = sepx__skip_space(at + 1, end);
        if (object && at < end && *at == '"')
            at = sepx__skip_space(skip_string(at, end), end) + 1;
        *value = at = at < end ? sepx__skip_space(at, end) : end;
        if (key ? object && is_key(name, end, key) : i == index)
            return name;
        at = skip_value(at, end);
    }
    return NULL;
}

static size_t
find_line(const struct reader *r)
{
    const char *value = sepx__skip_space(r->bytes, r->end), *place = value;
    size_t line = 1;

    for (unsigned i = 0; i < r->depth; i++) {
        const char *found = find_member(value, r->end, r->step[i].key,
                                        r->step[i].index, &value);

        if (!found)
            break;
        place = found;
    }
    for (const char *at = r->bytes; at < place; at++)
        line += *at == '\n';
    return line;
}

/* "nodes.conv.count[1]" */
static void
print_path(const struct reader *r, char *room, size_t size)
{
    size_t len = 0;

    room[0] = '\0';
    for (unsigned i = 0; i < r->depth && len < size; i++) {
        int n = r->step[i].key ? snprintf(room + len, size - len, "%s%.40s",
                                          i ? "." : "", r->step[i].key)
                               : snprintf(room + len, size - len, "[%zu]",
                                          r->step[i].index);

        len += n > 0 ? (size_t)n : 0;
    }
}

enum sepx_err
sepx__refuse(const struct reader *r, const char *format, ...)
{
    char path[160];
    va_list args;

    if (!r->msg)
        return SEPX_EDATA;
    va_start(args, format);
    (void)sepx__vfail(r->msg, SEPX_EDATA, format, args);
    va_end(args);
    print_path(r, path, sizeof(path));
    if (path[0])
        sepx_msg_prefix(r->msg, "%s", path);
    sepx_msg_line(r->msg, find_line(r), 0);
    sepx_msg_place(r->msg, r->name, 0);
    return SEPX_EDATA;
}

enum sepx_err
sepx__refuse_value(const struct reader *r, const struct sepx_json *value,
                   const char *remedy)
{
    return sepx__refuse(r, "is %s%s; write %s", sepx__json_show(value).text,
                        sepx__json_kind(value), remedy);
}

enum sepx_err
sepx__reader_fail(const struct reader *r, enum sepx_err err)
{
    (void)sepx_fail(r->msg, err, "%s", sepx_strerror(err));
    sepx_msg_file(r->msg, r->name);
    return err;
}

/* ---- values ---- */

static bool
is_one_of(const char *word, const char *const *names)
{
    for (; *names; names++)
        if (!strcmp(word, *names))
            return true;
    return false;
}

enum sepx_err
sepx__read_keys(struct reader *r, const struct sepx_json *value,
                const char *const *keys)
{
    const struct sepx_json *member;
    const char *key;
    void *position = NULL;

    if (sepx_json_type(value) != SEPX_JSON_OBJECT)
        return sepx__refuse_value(r, value, "an object, {...}");
    while (sepx_json_next(value, &position, &key, &member)) {
        struct sepx_msg why = {0};

        if (is_one_of(key, keys))
            continue;
        (void)sepx__unknown(&why, "key", key, keys);
        sepx__reader_enter(r, key);
        return sepx__refuse(r, "%s", why.text);
    }
    return SEPX_OK;
}

static enum sepx_err
read_limit(struct reader *r, const struct sepx_json *value, uint32_t *limit,
           uint32_t low, uint32_t high)
{
    int64_t number = sepx_json_integer(value, -1);

    if (sepx_json_type(value) == SEPX_JSON_INTEGER && number >= low &&
        number <= high) {
        *limit = (uint32_t)number;
        return SEPX_OK;
    }
    return sepx__refuse(r, "is %s%s; write a whole number from %u to %u",
                        sepx__json_show(value).text, sepx__json_kind(value),
                        low, high);
}

/* [least, most]; null is no limit. */
static enum sepx_err
read_pair(struct reader *r, const struct sepx_json *value, struct range *range,
          uint32_t low, uint32_t high)
{
    const struct sepx_json *most = sepx_json_at(value, 1);
    enum sepx_err err;

    if (sepx_json_size(value) != 2)
        return sepx__refuse_value(r, value, "a number or [least, most]");
    err = read_limit(r, sepx_json_at(value, 0), &range->min, low, high);
    range->max = UNLIMITED;
    if (!err && sepx_json_type(most) != SEPX_JSON_NULL)
        err = read_limit(r, most, &range->max, low, high);
    if (!err && range->min > range->max)
        err = sepx__refuse(r, "is %s, whose least is above its most; swap them",
                           sepx__json_show(value).text);
    return err;
}

enum sepx_err
sepx__read_range(struct reader *r, const struct sepx_json *object,
                 const char *key, struct range *range, uint32_t low,
                 uint32_t high)
{
    const struct sepx_json *value = sepx_json_get(object, key);
    enum sepx_err err;

    if (!value)
        return SEPX_OK;
    sepx__reader_enter(r, key);
    if (sepx_json_type(value) == SEPX_JSON_ARRAY) {
        err = read_pair(r, value, range, low, high);
    } else {
        err = read_limit(r, value, &range->min, low, high);
        range->max = range->min;
    }
    if (!err)
        sepx__reader_leave(r);
    return err;
}

enum sepx_err
sepx__read_bool(struct reader *r, const struct sepx_json *object,
                const char *key, bool *value)
{
    const struct sepx_json *member = sepx_json_get(object, key);

    if (!member)
        return SEPX_OK;
    *value = sepx_json_bool(member, false);
    if (sepx_json_type(member) == SEPX_JSON_BOOL)
        return SEPX_OK;
    sepx__reader_enter(r, key);
    return sepx__refuse_value(r, member, "true or false");
}

enum sepx_err
sepx__read_number(struct reader *r, const struct sepx_json *object,
                  const char *key, double *value, double low, double high)
{
    const struct sepx_json *member = sepx_json_get(object, key);
    double number = sepx_json_number(member, low - 1);

    if (!member)
        return SEPX_OK;
    if (number >= low && number <= high) {
        *value = number;
        return SEPX_OK;
    }
    sepx__reader_enter(r, key);
    return sepx__refuse(r, "is %s%s; write a number from %g to %g",
                        sepx__json_show(member).text, sepx__json_kind(member),
                        low, high);
}

enum sepx_err
sepx__read_choice(struct reader *r, const struct sepx_json *object,
                  const char *key, unsigned *value, const char *const *names)
{
    const struct sepx_json *member = sepx_json_get(object, key);
    const char *word = sepx_json_string(member);
    struct sepx_msg why = {0};

    if (!member)
        return SEPX_OK;
    for (unsigned i = 0; word && names[i]; i++)
        if (!strcmp(names[i], word)) {
            *value = i;
            return SEPX_OK;
        }
    sepx__reader_enter(r, key);
    if (!word)
        return sepx__refuse_value(r, member, "a word, as a string");
    (void)sepx__unknown(&why, "word", word, names);
    return sepx__refuse(r, "%s", why.text);
}
