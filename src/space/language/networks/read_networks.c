/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of a space's file that are for whole networks: fields and shapes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "space/language/reader.h"

#define FIELDS_MAX 32 /* of one family, and names in a whole space */
#define LABEL_BYTES 256
#define CHANNELS_MAX 100000000

/* ---- families of labels ---- */

typedef enum sepx_err (*add_label)(struct reader *r, const char *name,
                                   const struct sepx_json *value);

struct family {
    const struct sepx_json *rule;
    const char *key[FIELDS_MAX];
    const struct sepx_json *value[FIELDS_MAX];
    size_t count;
    add_label add;
};

/* Append " key=value"; null leaves the field out. */
static enum sepx_err
add_field(struct reader *r, char *text, const char *key,
          const struct sepx_json *value)
{
    const char *word = sepx_json_string(value);
    const size_t len = strlen(text);
    int n;

    if (sepx_json_type(value) == SEPX_JSON_NULL)
        return SEPX_OK;
    if (word && *word && !strpbrk(word, " ="))
        n = snprintf(text + len, LABEL_BYTES - len, " %s=%s", key, word);
    else if (sepx_json_type(value) == SEPX_JSON_INTEGER ||
             sepx_json_type(value) == SEPX_JSON_REAL)
        n = snprintf(text + len, LABEL_BYTES - len, " %s=%.9g", key,
                     sepx_json_number(value, 0));
    else
        return sepx__refuse_value(r, value,
                                  "a number, a word without spaces, or null");
    if (n < 0 || len + (size_t)n >= LABEL_BYTES)
        return sepx__refuse(r,
                            "makes a label of more than %d bytes; shorten "
                            "it",
                            LABEL_BYTES - 1);
    return SEPX_OK;
}

static enum sepx_err
add_members(struct reader *r, const struct family *family, const char *text,
            size_t from)
{
    const struct sepx_json *value = family->value[from];
    const bool many = sepx_json_type(value) == SEPX_JSON_ARRAY;
    const size_t count = many ? sepx_json_size(value) : 1;
    enum sepx_err err = SEPX_OK;

    for (size_t i = 0; i < count && !err; i++) {
        char room[LABEL_BYTES];

        (void)snprintf(room, sizeof room, "%s", text);
        sepx__reader_enter(r, "fields");
        sepx__reader_enter(r, family->key[from]);
        err = add_field(r, room, family->key[from],
                        many ? sepx_json_at(value, i) : value);
        if (err)
            return err;
        sepx__reader_leave(r);
        sepx__reader_leave(r);
        err = from + 1 < family->count ? add_members(r, family, room, from + 1)
                                       : family->add(r, room, family->rule);
    }
    return err;
}

enum sepx_err
sepx__read_family(struct reader *r, const char *name,
                  const struct sepx_json *value, add_label add)
{
    const struct sepx_json *fields = sepx_json_get(value, "fields");
    struct family family = {.rule = value, .add = add};
    const struct sepx_json *member;
    const char *key;
    void *position = NULL;

    if (!fields)
        return add(r, name, value);
    sepx__reader_enter(r, "fields");
    if (sepx_json_type(fields) != SEPX_JSON_OBJECT || !sepx_json_size(fields) ||
        sepx_json_size(fields) > FIELDS_MAX)
        return sepx__refuse_value(r, fields,
                                  "the values of each field, such as {\"k\": "
                                  "[1, 3]}");
    while (sepx_json_next(fields, &position, &key, &member)) {
        sepx__reader_enter(r, key);
        if (!*key || strpbrk(key, " ="))
            return sepx__refuse(r, "is no name of a field; leave out spaces "
                                   "and '='");
        if (sepx_json_type(member) == SEPX_JSON_ARRAY &&
            !sepx_json_size(member))
            return sepx__refuse_value(r, member, "at least one value");
        sepx__reader_leave(r);
        family.key[family.count] = key;
        family.value[family.count++] = member;
    }
    sepx__reader_leave(r);
    if (strlen(name) >= LABEL_BYTES)
        return sepx__refuse(r, "has %zu bytes; shorten it", strlen(name));
    return add_members(r, &family, name, 0);
}

/* ---- shapes ---- */

static enum sepx_err
read_name(struct reader *r, const struct sepx_json *object, const char *key,
          const char **name)
{
    const struct sepx_json *value = sepx_json_get(object, key);
    const char *word = sepx_json_string(value);

    if (!value)
        return SEPX_OK;
    sepx__reader_enter(r, key);
    if (!word || !*word || strpbrk(word, " ="))
        return sepx__refuse_value(r, value, "the name of a field");
    *name = sepx__custom_keep(r->c, word);
    if (!*name)
        return sepx__reader_fail(r, SEPX_ENOMEM);
    sepx__reader_leave(r);
    return SEPX_OK;
}

enum sepx_err
sepx__read_shapes(struct reader *r, const struct sepx_json *value)
{
    static const char *const keys[] = {"check", "stride", "channels",
                                       "total_stride", NULL};
    struct custom *c = r->c;
    enum sepx_err err = sepx__read_keys(r, value, keys);

    c->shapes.given = c->shapes.check = true;
    c->shapes.total = (struct range){0, UNLIMITED};
    c->shapes.stride = "s";
    c->shapes.channels = "c";
    if (!err)
        err = sepx__read_bool(r, value, "check", &c->shapes.check);
    if (!err)
        err = read_name(r, value, "stride", &c->shapes.stride);
    if (!err)
        err = read_name(r, value, "channels", &c->shapes.channels);
    if (!err)
        err = sepx__read_range(r, value, "total_stride", &c->shapes.total, 1,
                               1u << 30);
    if (!err && c->ops.cyclic)
        err = sepx__refuse(r, "needs graphs without cycles; write "
                              "\"acyclic\": true or leave it out");
    return err;
}

/* A field's number; `value` stays if the label has no such field. */
static enum sepx_err
read_field(struct reader *r, const char *label, const char *field, double most,
           double *value)
{
    const char *rest = label;
    struct sepx__word word = sepx__label_word(&rest, field);
    char *end;

    if (!word.len)
        return SEPX_OK;
    *value = strtod(word.at + 1, &end);
    if (end == word.at + word.len && *value > 0 && *value <= most)
        return SEPX_OK;
    sepx__reader_enter(r, "nodes");
    return sepx__refuse(r,
                        "label '%s': '%s%.*s' is no number from above 0 "
                        "to %.0f, which \"shapes\" needs; change it",
                        label, field, (int)word.len, word.at, most);
}

static bool
has_field(const struct custom *c, const char *field)
{
    for (uint16_t i = 0; i < c->ops.n_labels; i++) {
        const char *rest = c->label[i].text;

        if (sepx__label_word(&rest, field).len)
            return true;
    }
    return false;
}

/* A field that the file names, and not its default, is in some label. */
static enum sepx_err
check_name(struct reader *r, const char *key, const char *field,
           const char *usual)
{
    if (!r->c->shapes.given || !strcmp(field, usual) || has_field(r->c, field))
        return SEPX_OK;
    sepx__reader_enter(r, "shapes");
    sepx__reader_enter(r, key);
    return sepx__refuse(r, "no label has the field '%s'; change it", field);
}

enum sepx_err
sepx__read_label_shapes(struct reader *r)
{
    struct custom *c = r->c;
    enum sepx_err err = check_name(r, "stride", c->shapes.stride, "s");

    if (!err)
        err = check_name(r, "channels", c->shapes.channels, "c");
    for (uint16_t i = 0; i < c->ops.n_labels && c->shapes.given && !err; i++) {
        double channels = 0;

        err = read_field(r, c->label[i].text, c->shapes.stride, 1024,
                         &c->rule[i].stride);
        if (!err)
            err = read_field(r, c->label[i].text, c->shapes.channels,
                             CHANNELS_MAX, &channels);
        c->rule[i].channels = (uint32_t)channels;
    }
    return err;
}

/* ---- required edges ---- */

/* The words without a name: "conv" of "conv k=3". */
static bool
is_kind(const char *label, const char *kind)
{
    struct sepx__word a, b;

    do {
        a = sepx__label_word(&label, "");
        b = sepx__label_word(&kind, "");
        if (a.len != b.len || (a.len && memcmp(a.at, b.at, a.len)))
            return false;
    } while (a.len);
    return true;
}

/* A label, or all labels whose words without a name are these. */
static enum sepx_err
find_labels(struct reader *r, const struct sepx_json *value, const char **text,
            bool *found)
{
    const char *word = sepx_json_string(value);
    const char *names[SEPX__LABELS_MAX + 1] = {NULL};
    struct sepx_msg why = {0};
    bool exact = false, any = false;

    if (!word)
        return sepx__refuse_value(r, value, "a label");
    for (uint16_t i = 0; i < r->c->ops.n_labels; i++) {
        names[i] = r->c->label[i].text;
        exact = exact || !strcmp(names[i], word);
    }
    for (uint16_t i = 0; i < r->c->ops.n_labels; i++) {
        found[i] = exact ? !strcmp(names[i], word)
                         : !strchr(word, '=') && is_kind(names[i], word);
        any = any || found[i];
    }
    if (!any) {
        (void)sepx__unknown(&why, "label", word, names);
        return sepx__refuse(r, "%.300s", why.text);
    }
    *text = sepx__custom_keep(r->c, word);
    return *text ? SEPX_OK : sepx__reader_fail(r, SEPX_ENOMEM);
}

enum sepx_err
sepx__read_required(struct reader *r, const struct sepx_json *value)
{
    const size_t count = sepx_json_size(value);
    enum sepx_err err = SEPX_OK;

    if (sepx_json_type(value) != SEPX_JSON_ARRAY || !count ||
        count > REQUIRED_MAX)
        return sepx__refuse(r,
                            "write an array of 1 to %d pairs of labels, "
                            "[[from, to]]",
                            REQUIRED_MAX);
    for (size_t i = 0; i < count && !err; i++) {
        const struct sepx_json *pair = sepx_json_at(value, i);
        struct edge_rule *rule = &r->c->required[i];

        sepx__reader_item(r, i);
        if (sepx_json_type(pair) != SEPX_JSON_ARRAY ||
            sepx_json_size(pair) != 2)
            return sepx__refuse_value(r, pair, "two labels, [from, to]");
        err = find_labels(r, sepx_json_at(pair, 0), &rule->from, rule->is_from);
        if (!err)
            err = find_labels(r, sepx_json_at(pair, 1), &rule->to, rule->is_to);
        if (!err)
            sepx__reader_leave(r);
    }
    r->c->n_required = (uint8_t)count;
    return err;
}

/* ---- what relabelling costs ---- */

static enum sepx_err
add_weight(struct reader *r, const char *field, size_t len, double weight)
{
    struct custom *c = r->c;
    char name[LABEL_BYTES];

    for (size_t i = 0; i < c->n_fields; i++)
        if (strlen(c->field[i].field) == len &&
            !memcmp(c->field[i].field, field, len))
            return SEPX_OK;
    if (c->n_fields == FIELDS_MAX || len >= sizeof name)
        return sepx__refuse(r,
                            "labels have more than %d fields; write their "
                            "weights, {\"k\": 1}",
                            FIELDS_MAX);
    if (!c->field)
        c->field = sepx__calloc(FIELDS_MAX, sizeof(*c->field));
    if (!c->field)
        return sepx__reader_fail(r, SEPX_ENOMEM);
    memcpy(name, field, len);
    name[len] = '\0';
    c->field[c->n_fields].field = sepx__custom_keep(c, name);
    if (!c->field[c->n_fields].field)
        return sepx__reader_fail(r, SEPX_ENOMEM);
    c->field[c->n_fields++].weight = weight;
    return SEPX_OK;
}

/* All fields that labels of the space have, each with weight 1. */
static enum sepx_err
weigh_all(struct reader *r)
{
    enum sepx_err err = add_weight(r, "", 0, 1);

    for (uint16_t i = 0; i < r->c->ops.n_labels && !err; i++) {
        const char *at = r->c->label[i].text;

        while (*at && !err) {
            const size_t len = strcspn(at, " ");
            const char *equals = memchr(at, '=', len);

            if (equals && equals > at)
                err = add_weight(r, at, (size_t)(equals - at), 1);
            at += len + (at[len] == ' ');
        }
    }
    return err;
}

static enum sepx_err
weigh_some(struct reader *r, const struct sepx_json *value)
{
    const struct sepx_json *member;
    const char *key;
    void *position = NULL;
    enum sepx_err err = SEPX_OK;

    while (!err && sepx_json_next(value, &position, &key, &member)) {
        const double weight = sepx_json_number(member, -1);

        sepx__reader_enter(r, key);
        if (!(weight > 0) || weight > 1e6)
            return sepx__refuse_value(r, member,
                                      "a weight above 0, up to 1000000");
        if (*key && !has_field(r->c, key))
            return sepx__refuse(r, "no label has the field '%s'; remove it",
                                key);
        err = add_weight(r, key, strlen(key), weight);
        if (!err)
            sepx__reader_leave(r);
    }
    return err;
}

enum sepx_err
sepx__read_relabel(struct reader *r, const struct sepx_json *value)
{
    const char *word = sepx_json_string(value);

    if (word && !strcmp(word, "fields"))
        return weigh_all(r);
    if (sepx_json_type(value) == SEPX_JSON_OBJECT && sepx_json_size(value))
        return weigh_some(r, value);
    return sepx__refuse_value(r, value,
                              "\"fields\", or the weights of fields, such as "
                              "{\"\": 2, \"k\": 1}");
}
