/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of results, column by column, until a table is written. */
#include <math.h>

#include "results/internal.h"

static enum sepx_err
keep(char **copy, const char *text)
{
    *copy = text ? sepx__strdup(text) : NULL;
    return text && !*copy ? SEPX_ENOMEM : SEPX_OK;
}

enum sepx_err
sepx_results_builder_new(struct sepx_results_builder **builder,
                         const struct sepx_space *space,
                         const struct sepx_results_options *options)
{
    struct sepx_results_builder *b = sepx__calloc(1, sizeof(*b));
    enum sepx_err err = b ? SEPX_OK : SEPX_ENOMEM;

    *builder = NULL;
    if (err)
        return err;
    b->space = space;
    b->row.names = b->pruned.names = sepx_space_names(space);
    b->skip = options && options->skip;
    b->once = options && options->once;
    if (options)
        err = keep(&b->graph, options->graph);
    if (!err && options)
        err = keep(&b->metrics, options->metrics);
    if (err)
        sepx_results_builder_free(b);
    else
        *builder = b;
    return err;
}

void
sepx_results_builder_free(struct sepx_results_builder *b)
{
    if (!b)
        return;
    for (size_t i = 0; i < b->n_columns; i++) {
        sepx__free(b->column[i].name);
        sepx__free(b->column[i].value);
    }
    sepx__free(b->column);
    sepx__free(b->key);
    sepx__free(b->place);
    sepx__free(b->line);
    sepx_text_release(&b->texts);
    sepx_text_release(&b->words);
    sepx_graph_release(&b->row);
    sepx_graph_release(&b->pruned);
    sepx__free(b->graph);
    sepx__free(b->metrics);
    sepx__free(b);
}

bool
sepx__results_wants(const struct sepx_results_builder *b, const char *name)
{
    size_t len = strlen(name);
    const char *at = b->metrics;

    while (at) {
        size_t word = strcspn(at, ",");

        if (word == len && !memcmp(at, name, len))
            return true;
        at = at[word] ? at + word + 1 : NULL;
    }
    return !b->metrics;
}

enum sepx_err
sepx__results_column(struct sepx_results_builder *b, size_t *column,
                     const char *name, struct sepx_msg *msg)
{
    struct sepx__results_column new = {0};
    size_t len = strlen(name);
    enum sepx_err err;

    for (*column = 0; *column < b->n_columns; ++*column)
        if (!strcmp(b->column[*column].name, name))
            return SEPX_OK;
    if (!len || len > SEPX__METRIC_BYTES)
        return sepx_fail(msg, SEPX_EDATA,
                         "a metric has a name of %zu bytes; give it 1 to %d",
                         len, SEPX__METRIC_BYTES);
    if (b->n_columns == SEPX_METRICS_MAX)
        return sepx_fail(msg, SEPX_ELIMIT,
                         "the metric '%.60s' is one more than the %d allowed; "
                         "choose some with --metrics",
                         name, SEPX_METRICS_MAX);
    err = sepx__grow((void **)&b->column, &b->column_room, b->n_columns + 1,
                     sizeof(*b->column));
    if (!err)
        err = sepx__grow((void **)&new.value, &new.room, b->n_rows + 1,
                         sizeof(*new.value));
    if (!err)
        err = keep(&new.name, name);
    if (err) {
        sepx__free(new.value);
        return sepx_fail(msg, err, "%s", sepx_strerror(err));
    }
    for (size_t i = 0; i < b->n_rows; i++)
        new.value[i] = NAN;
    b->column[b->n_columns++] = new;
    return SEPX_OK;
}

static enum sepx_err
grow_rows(struct sepx_results_builder *b)
{
    size_t need = b->n_rows + 1;
    enum sepx_err err =
        sepx__grow((void **)&b->key, &b->key_room, need, sizeof(*b->key));

    if (!err)
        err = sepx__grow((void **)&b->place, &b->place_room, need,
                         sizeof(*b->place));
    if (!err)
        err = sepx__grow((void **)&b->line, &b->line_room, need,
                         sizeof(*b->line));
    for (size_t i = 0; i < b->n_columns && !err; i++)
        err = sepx__grow((void **)&b->column[i].value, &b->column[i].room, need,
                         sizeof(*b->column[i].value));
    return err;
}

enum sepx_err
sepx__results_row(struct sepx_results_builder *b, bool *added, uint32_t line,
                  struct sepx_msg *msg)
{
    struct sepx_key key;
    uint64_t place = b->texts.len;
    enum sepx_err err;

    sepx__free(b->row.extra); /* the row's metrics */
    b->row.extra = NULL;
    err = sepx_space_check(b->space, added, &b->row, msg);
    if (err)
        return err;
    if (!*added && b->skip) {
        b->skipped++;
        return SEPX_OK;
    }
    if (!*added) {
        sepx_msg_prefix(msg, "not a graph of the space");
        return SEPX_EDATA;
    }
    if (b->n_rows == SEPX__RESULTS_ROWS)
        return sepx_fail(msg, SEPX_ELIMIT, "more than %u rows",
                         SEPX__RESULTS_ROWS);
    err = sepx__results_key(&key, &b->pruned, b->space, &b->row);
    if (!err)
        err = grow_rows(b);
    if (!err)
        err = sepx_graph_write_json(&b->texts, &b->row);
    if (err)
        return sepx_fail(msg, err, "%s", sepx_strerror(err));
    b->key[b->n_rows] = key;
    b->place[b->n_rows] = place;
    b->line[b->n_rows] = line;
    for (size_t i = 0; i < b->n_columns; i++)
        b->column[i].value[b->n_rows] = NAN;
    b->n_rows++;
    return SEPX_OK;
}
