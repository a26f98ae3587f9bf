/* SPDX-License-Identifier: Apache-2.0 */
/* A builder's rows as the file of a table. */
#include <math.h>
#include <stdlib.h>

#include "results/internal.h"

/* A row in the order of keys, then of lines. */
struct ranked {
    struct sepx_key key;
    uint32_t row;
};

struct writing {
    const struct sepx_results_builder *b;
    struct ranked *rank;
    uint32_t *first; /* where each graph's rows begin in `rank`, and the end */
    uint32_t graphs, repeated, differing;
    struct sepx_text space;
    struct sepx_text body;
};

static int
compare(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (x->key.high != y->key.high)
        return x->key.high < y->key.high ? -1 : 1;
    if (x->key.low != y->key.low)
        return x->key.low < y->key.low ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static enum sepx_err
rank_rows(struct writing *w)
{
    const struct sepx_results_builder *b = w->b;

    w->rank = sepx__calloc(b->n_rows, sizeof(*w->rank));
    w->first = sepx__calloc(b->n_rows + 1, sizeof(*w->first));
    if (!w->rank || !w->first)
        return SEPX_ENOMEM;
    for (uint32_t i = 0; i < b->n_rows; i++)
        w->rank[i] = (struct ranked){b->key[i], i};
    qsort(w->rank, b->n_rows, sizeof(*w->rank), compare);
    for (uint32_t i = 0; i < b->n_rows; i++)
        if (!i || w->rank[i].key.high != w->rank[i - 1].key.high ||
            w->rank[i].key.low != w->rank[i - 1].key.low)
            w->first[w->graphs++] = i;
    w->first[w->graphs] = (uint32_t)b->n_rows;
    return SEPX_OK;
}

/*
 * The mean of what is known, as the first value and the mean difference to
 * it: exactly the value if all rows say the same.
 */
static double
mean_of(const struct writing *w, uint32_t graph, size_t column, bool *differ)
{
    const double *value = w->b->column[column].value;
    double first = NAN, sum = 0;
    unsigned known = 0;

    for (uint32_t i = w->first[graph]; i < w->first[graph + 1]; i++) {
        double x = value[w->rank[i].row];

        if (isnan(x))
            continue;
        if (!known++)
            first = x;
        sum += x - first;
        *differ |= x != first;
    }
    return known ? first + sum / known : NAN;
}

static enum sepx_err
refuse(const struct writing *w, uint32_t graph, struct sepx_msg *msg)
{
    const struct ranked *row = &w->rank[w->first[graph]];

    return sepx_fail(msg, SEPX_EDATA,
                     "the graph of line %u is also that of line %u, with other "
                     "values; remove one, or leave out --once to take the "
                     "mean",
                     w->b->line[row[0].row], w->b->line[row[1].row]);
}

/* ---- parts of the file ---- */

static enum sepx_err
put(struct sepx_text *text, uint64_t value, unsigned bytes)
{
    unsigned char room[8];

    sepx__put_bytes(room, value, bytes);
    return sepx_text_add(text, (const char *)room, bytes);
}

static enum sepx_err
put_keys(struct writing *w)
{
    enum sepx_err err = SEPX_OK;

    for (uint32_t i = 0; i < w->graphs && !err; i++) {
        struct sepx_key key = w->rank[w->first[i]].key;

        err = put(&w->body, key.high, 8);
        if (!err)
            err = put(&w->body, key.low, 8);
    }
    return err;
}

static enum sepx_err
put_columns(struct writing *w, struct sepx_msg *msg)
{
    bool *differ = sepx__calloc(w->graphs, sizeof(*differ));
    enum sepx_err err = differ ? SEPX_OK : SEPX_ENOMEM;

    for (size_t c = 0; c < w->b->n_columns; c++)
        for (uint32_t i = 0; i < w->graphs && !err; i++) {
            double value = mean_of(w, i, c, &differ[i]);
            uint64_t bits;

            memcpy(&bits, &value, sizeof(bits));
            if (isnan(value))
                bits = 0x7ff8000000000000u; /* the same on every machine */
            err = put(&w->body, bits, 8);
            if (!err && differ[i] && w->b->once)
                err = refuse(w, i, msg);
        }
    for (uint32_t i = 0; i < w->graphs && !err; i++) {
        w->repeated += w->first[i + 1] - w->first[i] > 1;
        w->differing += differ[i];
    }
    sepx__free(differ);
    return err;
}

static uint64_t
place_end(const struct sepx_results_builder *b, uint32_t row)
{
    return row + 1 < b->n_rows ? b->place[row + 1] : b->texts.len;
}

/* Of several rows, the graph of the first. */
static enum sepx_err
put_graphs(struct writing *w)
{
    const struct sepx_results_builder *b = w->b;
    uint64_t place = 0;
    enum sepx_err err = put(&w->body, 0, 8);

    for (uint32_t i = 0; i < w->graphs && !err; i++) {
        uint32_t row = w->rank[w->first[i]].row;

        place += place_end(b, row) - b->place[row];
        err = put(&w->body, place, 8);
    }
    for (uint32_t i = 0; i < w->graphs && !err; i++) {
        uint32_t row = w->rank[w->first[i]].row;

        err = sepx_text_add(&w->body, b->texts.at + b->place[row],
                            (size_t)(place_end(b, row) - b->place[row]));
    }
    return err;
}

/* By its name if all know it, else as the text of a file. */
static enum sepx_err
put_space(struct writing *w)
{
    const struct sepx_space_info *const *row = sepx_space_list();
    const char *name = sepx_space_info(w->b->space)->name;

    while (*row && strcmp((*row)->name, name) != 0)
        row++;
    if (*row)
        return sepx_text_add(&w->space, name, strlen(name));
    return sepx_space_write(&w->space, w->b->space);
}

static enum sepx_err
put_head(const struct writing *w, struct sepx_text *text)
{
    const struct sepx_results_builder *b = w->b;
    unsigned char head[HEAD_END] = SEPX__RESULTS_MAGIC;
    struct sepx__crc32c crc;
    uint64_t names = 0, len;
    size_t start = text->len;
    enum sepx_err err;

    for (size_t i = 0; i < b->n_columns; i++)
        names += strlen(b->column[i].name) + 1;
    len = (HEAD_END + names + w->space.len + 4 + 7) / 8 * 8;
    sepx__crc32c_init(&crc);
    sepx__put_bytes(head + HEAD_VERSION, SEPX__RESULTS_VERSION, 4);
    sepx__put_bytes(head + HEAD_BYTES, len, 4);
    sepx__put_bytes(head + HEAD_FILE, len + w->body.len, 8);
    sepx__put_bytes(head + HEAD_GRAPHS, w->graphs, 4);
    sepx__put_bytes(head + HEAD_METRICS, b->n_columns, 4);
    sepx__put_bytes(head + HEAD_ROWS, b->n_rows, 8);
    sepx__put_bytes(head + HEAD_SKIPPED, b->skipped, 8);
    sepx__put_bytes(head + HEAD_REPEATED, w->repeated, 4);
    sepx__put_bytes(head + HEAD_DIFFERING, w->differing, 4);
    sepx__put_bytes(head + HEAD_BODY,
                    sepx__crc32c_add(&crc, 0, w->body.at, w->body.len), 4);
    sepx__put_bytes(head + HEAD_SUM, b->source_crc, 4);
    sepx__put_bytes(head + HEAD_SOURCE, b->source_bytes, 8);
    sepx__put_bytes(head + HEAD_NAMES, names, 4);
    sepx__put_bytes(head + HEAD_SPACE, w->space.len, 4);
    err = sepx_text_add(text, (const char *)head, HEAD_END);
    for (size_t i = 0; i < b->n_columns && !err; i++)
        err = sepx_text_add(text, b->column[i].name,
                            strlen(b->column[i].name) + 1);
    if (!err)
        err = sepx_text_add(text, w->space.at, w->space.len);
    while (!err && text->len - start < len - 4)
        err = sepx_text_add(text, "", 1);
    return err ? err
               : put(text,
                     sepx__crc32c_add(&crc, 0, text->at + start,
                                      text->len - start),
                     4);
}

enum sepx_err
sepx_results_builder_write(const struct sepx_results_builder *b,
                           struct sepx_text *text, struct sepx_msg *msg)
{
    struct writing w = {.b = b};
    enum sepx_err err;

    if (!b->n_rows)
        return sepx_fail(msg, SEPX_EDATA,
                         "no row has a graph of the space; choose another "
                         "space or other rows");
    err = rank_rows(&w);
    if (!err)
        err = put_keys(&w);
    if (!err)
        err = put_columns(&w, msg);
    if (!err)
        err = put_graphs(&w);
    if (!err)
        err = put_space(&w);
    if (!err)
        err = put_head(&w, text);
    if (!err)
        err = sepx_text_add(text, w.body.at, w.body.len);
    if (err == SEPX_ENOMEM)
        sepx_fail(msg, err, "%s", sepx_strerror(err));
    sepx_text_release(&w.space);
    sepx_text_release(&w.body);
    sepx__free(w.first);
    sepx__free(w.rank);
    return err;
}
