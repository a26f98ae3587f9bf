/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The JSON writer. What it writes is valid UTF-8 whatever it is given: a byte
 * that is part of no character becomes U+FFFD.
 */
#include "base/json.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/internal.h"

#define NUMBER_MAX 40 /* bytes of the longest number, more than needed */

static void
put(struct sepx_json_writer *w, const char *bytes, size_t len)
{
    if (!w->err)
        w->err = sepx_text_add(w->out, bytes, len);
}

/* Before each item: its comma. A second root is a caller's mistake. */
static void
begin_item(struct sepx_json_writer *w)
{
    if (w->comma && !w->depth && !w->err)
        w->err = SEPX_EINVAL;
    if (w->comma)
        put(w, ",", 1);
    w->comma = true;
}

void
sepx_json_begin(struct sepx_json_writer *w, struct sepx_text *out)
{
    *w = (struct sepx_json_writer){.out = out};
}

void
sepx_json_open(struct sepx_json_writer *w, char bracket)
{
    begin_item(w);
    put(w, &bracket, 1);
    w->depth++;
    w->comma = false;
}

void
sepx_json_close(struct sepx_json_writer *w, char bracket)
{
    if (!w->depth) {
        if (!w->err)
            w->err = SEPX_EINVAL;
        return;
    }
    put(w, &bracket, 1);
    w->depth--;
    w->comma = true;
}

static void
put_escape(struct sepx_json_writer *w, uint32_t c)
{
    static const char plain[] = "\"\\\n\t\r\b\f", letter[] = "\"\\ntrbf";
    const char *known = c < 0x80 ? strchr(plain, (int)c) : NULL;
    char text[8];

    if (known)
        (void)snprintf(text, sizeof(text), "\\%c", letter[known - plain]);
    else
        (void)snprintf(text, sizeof(text), "\\u%04x", (unsigned)c);
    put(w, text, strlen(text));
}

/* Characters that a terminal would obey are escaped as well. */
static void
put_quoted(struct sepx_json_writer *w, const char *text)
{
    size_t left = strlen(text);

    put(w, "\"", 1);
    while (left && !w->err) {
        const char *from = text;
        uint32_t code = 0;
        size_t len = 0;

        for (; left; text += len, left -= len) {
            len = sepx__utf8_next(text, left, &code);
            if (!len || code == '"' || code == '\\' ||
                sepx__utf8_commands(code))
                break;
        }
        put(w, from, (size_t)(text - from));
        if (!left)
            break;
        if (len)
            put_escape(w, code);
        else
            put(w, "\xef\xbf\xbd", 3);
        text += len ? len : 1;
        left -= len ? len : 1;
    }
    put(w, "\"", 1);
}

void
sepx_json_key(struct sepx_json_writer *w, const char *key)
{
    begin_item(w);
    put_quoted(w, key);
    put(w, ":", 1);
    w->comma = false;
}

void
sepx_json_put_string(struct sepx_json_writer *w, const char *text)
{
    if (!text) {
        sepx_json_put_null(w);
        return;
    }
    begin_item(w);
    put_quoted(w, text);
}

void
sepx_json_put_integer(struct sepx_json_writer *w, int64_t value)
{
    char text[NUMBER_MAX];

    begin_item(w);
    (void)snprintf(text, sizeof(text), "%lld", (long long)value);
    put(w, text, strlen(text));
}

/* A locale may print its own decimal mark, even one of several bytes. */
static void
force_point(char *text)
{
    char *to = text;

    for (char *at = text; *at; at++) {
        if (strchr("0123456789+-e", *at))
            *to++ = *at;
        else if (to == text || to[-1] != '.')
            *to++ = '.';
    }
    *to = '\0';
}

/*
 * Up to 15 digits always read back from a normal double, so no fewer need to
 * be tried; a subnormal may have as few as one.
 */
static void
print_number(char text[NUMBER_MAX], double value)
{
    int digits = fabs(value) < DBL_MIN ? 1 : 15;

    do {
        (void)snprintf(text, NUMBER_MAX, "%.*g", digits, value);
    } while (++digits <= 17 && strtod(text, NULL) != value);
    if (value == 0 && signbit(value))
        (void)snprintf(text, NUMBER_MAX, "-0.0");
    force_point(text);
}

void
sepx_json_put_number(struct sepx_json_writer *w, double value)
{
    char text[NUMBER_MAX];

    if (!isfinite(value)) {
        sepx_json_put_null(w);
        return;
    }
    begin_item(w);
    print_number(text, value);
    put(w, text, strlen(text));
}

void
sepx_json_put_bool(struct sepx_json_writer *w, bool value)
{
    sepx_json_put_raw(w, value ? "true" : "false");
}

void
sepx_json_put_null(struct sepx_json_writer *w)
{
    sepx_json_put_raw(w, "null");
}

void
sepx_json_put_raw(struct sepx_json_writer *w, const char *json)
{
    begin_item(w);
    put(w, json, strlen(json));
}

void
sepx_json_add_string(struct sepx_json_writer *w, const char *key,
                     const char *text)
{
    sepx_json_key(w, key);
    sepx_json_put_string(w, text);
}

void
sepx_json_add_integer(struct sepx_json_writer *w, const char *key,
                      int64_t value)
{
    sepx_json_key(w, key);
    sepx_json_put_integer(w, value);
}

void
sepx_json_add_count(struct sepx_json_writer *w, const char *key, uint64_t value)
{
    char text[24];

    sepx_json_key(w, key);
    (void)snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    if (value > INT64_MAX)
        sepx_json_put_string(w, text);
    else
        sepx_json_put_integer(w, (int64_t)value);
}

void
sepx_json_add_number(struct sepx_json_writer *w, const char *key, double value)
{
    sepx_json_key(w, key);
    sepx_json_put_number(w, value);
}

void
sepx_json_add_bool(struct sepx_json_writer *w, const char *key, bool value)
{
    sepx_json_key(w, key);
    sepx_json_put_bool(w, value);
}

enum sepx_err
sepx_json_done(struct sepx_json_writer *w)
{
    if (!w->err && (w->depth || !w->comma))
        w->err = SEPX_EINVAL;
    return w->err;
}

static void put_members(struct sepx_json_writer *w,
                        const struct sepx_json *object);

/* A real stays a real: "1.0" is not turned into the integer "1". */
static void
put_real(struct sepx_json_writer *w, double value)
{
    char text[NUMBER_MAX];

    print_number(text, value);
    if (!strpbrk(text, ".e"))
        (void)strcat(text, ".0");
    sepx_json_put_raw(w, text);
}

/* Recursion is bounded: the parser refuses deep text. */
static void
put_tree(struct sepx_json_writer *w, const struct sepx_json *value)
{
    switch (sepx_json_type(value)) {
    case SEPX_JSON_NULL:
        sepx_json_put_null(w);
        break;
    case SEPX_JSON_BOOL:
        sepx_json_put_bool(w, sepx_json_bool(value, false));
        break;
    case SEPX_JSON_INTEGER:
        sepx_json_put_integer(w, sepx_json_integer(value, 0));
        break;
    case SEPX_JSON_REAL:
        put_real(w, sepx_json_number(value, 0));
        break;
    case SEPX_JSON_STRING:
        sepx_json_put_string(w, sepx_json_string(value));
        break;
    case SEPX_JSON_ARRAY:
        sepx_json_open(w, '[');
        for (size_t i = 0; i < sepx_json_size(value); i++)
            put_tree(w, sepx_json_at(value, i));
        sepx_json_close(w, ']');
        break;
    case SEPX_JSON_OBJECT:
        put_members(w, value);
        break;
    }
}

static void
put_members(struct sepx_json_writer *w, const struct sepx_json *object)
{
    const struct sepx_json *value;
    void *position = NULL;
    const char *key;

    sepx_json_open(w, '{');
    while (sepx_json_next(object, &position, &key, &value)) {
        sepx_json_key(w, key);
        put_tree(w, value);
    }
    sepx_json_close(w, '}');
}

enum sepx_err
sepx_json_dump(struct sepx_text *text, const struct sepx_json *value)
{
    struct sepx_json_writer w;

    sepx_json_begin(&w, text);
    put_tree(&w, value);
    return sepx_json_done(&w);
}
