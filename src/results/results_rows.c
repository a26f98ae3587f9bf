/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of results from JSON Lines. */
#include <math.h>

#include "results/internal.h"

/* Keys of a graph itself, which are no metrics. */
static bool
is_graph_key(const struct sepx_results_builder *b, const char *key)
{
    static const char *const keys[] = {"nodes",      "edges",   "links",
                                       "directed",   "graph",   "arch",
                                       "multigraph", "genotype"};

    if (b->graph && !strcmp(key, b->graph))
        return true;
    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
        if (!strcmp(key, keys[i]))
            return true;
    return false;
}

/* The value that holds the graph: one of a row's keys, or the row. */
static const struct sepx_json *
graph_value(const struct sepx_results_builder *b, const struct sepx_json *row)
{
    static const char *const keys[] = {"graph", "arch", "genotype"};
    const struct sepx_json *value = NULL;

    if (b->graph)
        return sepx_json_get(row, b->graph);
    if (sepx_json_get(row, "nodes"))
        return row;
    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys) && !value; i++)
        value = sepx_json_get(row, keys[i]);
    return value;
}

static enum sepx_err
read_graph(struct sepx_results_builder *b, const struct sepx_json *row,
           struct sepx_msg *msg)
{
    const struct sepx_json *value = graph_value(b, row);
    const char *text = sepx_json_string(value);

    if (!value)
        return sepx_fail(msg, SEPX_EDATA,
                         "the row has no graph; give it \"nodes\" and "
                         "\"edges\", or \"graph\", or name its key with "
                         "--graph");
    if (text)
        return sepx_graph_read(&b->row, sepx_space_names(b->space), text,
                               strlen(text), SEPX_FORMAT_AUTO, msg);
    return sepx_graph_from_json(&b->row, sepx_space_names(b->space), value,
                                msg);
}

/* A key is a number in all rows that have it, or in none. */
static enum sepx_err
fail_mixed(const char *key, const struct sepx_json *value, const char *other,
           struct sepx_msg *msg)
{
    return sepx_fail(msg, SEPX_EDATA,
                     "the metric '%.60s' is %s, and %s in a row before; "
                     "correct it, write null, or name the metrics that you "
                     "want with --metrics",
                     key, sepx_json_type_name(value), other);
}

static bool
is_word(const struct sepx_results_builder *b, const char *key)
{
    size_t at = 0;

    while (at < b->words.len && strcmp(b->words.at + at, key) != 0)
        at += strlen(b->words.at + at) + 1;
    return at < b->words.len;
}

static enum sepx_err
add_number(struct sepx_results_builder *b, const char *key,
           const struct sepx_json *value, struct sepx_msg *msg)
{
    size_t column;
    enum sepx_err err;

    if (is_word(b, key))
        return fail_mixed(key, value, "no number", msg);
    err = sepx__results_column(b, &column, key, msg);
    if (!err)
        b->column[column].value[b->n_rows - 1] = sepx_json_number(value, NAN);
    return err;
}

static enum sepx_err
add_word(struct sepx_results_builder *b, const char *key,
         const struct sepx_json *value, struct sepx_msg *msg)
{
    if (b->metrics)
        return sepx_fail(msg, SEPX_EDATA,
                         "the metric '%.60s' is %s, not a number", key,
                         sepx_json_type_name(value));
    for (size_t i = 0; i < b->n_columns; i++) {
        if (!strcmp(b->column[i].name, key))
            return fail_mixed(key, value, "a number", msg);
    }
    return is_word(b, key) ? SEPX_OK
                           : sepx_text_add(&b->words, key, strlen(key) + 1);
}

static enum sepx_err
add_values(struct sepx_results_builder *b, const struct sepx_json *row,
           struct sepx_msg *msg)
{
    const struct sepx_json *value;
    const char *key;
    void *position = NULL;
    enum sepx_err err = SEPX_OK;

    while (!err && sepx_json_next(row, &position, &key, &value)) {
        enum sepx_json_type type = sepx_json_type(value);
        bool number = type == SEPX_JSON_INTEGER || type == SEPX_JSON_REAL;

        if (is_graph_key(b, key) || !sepx__results_wants(b, key))
            continue;
        if (number)
            err = add_number(b, key, value, msg);
        else if (type != SEPX_JSON_NULL)
            err = add_word(b, key, value, msg);
    }
    return err;
}

static enum sepx_err
read_row(struct sepx_results_builder *b, const char *at, size_t len,
         uint32_t line, struct sepx_msg *msg)
{
    struct sepx_json *row;
    bool added = false;
    enum sepx_err err = sepx_json_parse(&row, at, len, msg);

    if (!err && sepx_json_type(row) != SEPX_JSON_OBJECT)
        err = sepx_fail(msg, SEPX_EDATA, "the row is %s, not an object",
                        sepx_json_type_name(row));
    if (!err)
        err = read_graph(b, row, msg);
    if (!err)
        err = sepx__results_row(b, &added, line, msg);
    if (!err && added)
        err = add_values(b, row, msg);
    sepx_json_free(row);
    return err;
}

static enum sepx_err
read_lines(struct sepx_results_builder *b, const char *at, size_t len,
           const char *name, struct sepx_msg *msg)
{
    const char *end = at + len;
    enum sepx_err err = SEPX_OK;

    for (uint32_t line = 1; at < end && !err; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        const char *first = at;

        stop = stop ? stop : end;
        while (first < stop && strchr(" \t\r", *first))
            first++;
        if (first < stop)
            err = read_row(b, first, (size_t)(stop - first), line, msg);
        if (!err && sepx_space_stopped(b->space))
            err = SEPX_ESTOPPED;
        if (err)
            sepx_msg_place(msg, name, line);
        at = stop + 1;
    }
    return err;
}

static enum sepx_err
check_wanted(const struct sepx_results_builder *b, struct sepx_msg *msg)
{
    const char *at = b->metrics;

    while (at) {
        size_t word = strcspn(at, ","), i = 0;

        while (i < b->n_columns && (strlen(b->column[i].name) != word ||
                                    memcmp(b->column[i].name, at, word) != 0))
            i++;
        if (i == b->n_columns)
            return sepx_fail(msg, SEPX_EDATA, "no row has the metric '%.*s'",
                             (int)(word < 60 ? word : 60), at);
        at = at[word] ? at + word + 1 : NULL;
    }
    if (b->n_columns)
        return SEPX_OK;
    return sepx_fail(msg, SEPX_EDATA,
                     "no row has a number beside its graph; add metrics");
}

enum sepx_err
sepx_results_builder_read(struct sepx_results_builder *b, const char *bytes,
                          size_t len, const char *name, struct sepx_msg *msg)
{
    struct sepx__crc32c crc;
    size_t skip = 0;
    enum sepx_err err;

    sepx__crc32c_init(&crc);
    b->source_crc = sepx__crc32c_add(&crc, b->source_crc, bytes, len);
    b->source_bytes += len;
    if (len >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3))
        skip = 3;
    while (skip < len && strchr(" \t\r\n", bytes[skip]))
        skip++;
    if (skip == len)
        return sepx_fail(msg, SEPX_EDATA, "%s: there are no rows", name);
    if (bytes[skip] == '{')
        err = read_lines(b, bytes, len, name, msg);
    else
        err = sepx__results_read_csv(b, bytes + skip, len - skip, name, msg);
    if (err)
        return err;
    err = check_wanted(b, msg);
    if (err)
        sepx_msg_prefix(msg, "%s", name);
    return err;
}
