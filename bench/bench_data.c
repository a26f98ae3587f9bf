/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sepx bench data: listing all cells of NAS-Bench-101, and opening and asking
 * a table of them. The table has made-up accuracies, and the size of a real
 * one; the graphs that are asked for are random, with dead nodes.
 */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { QUERIES = 100000, QUICK_QUERIES = 10000, OPENS = 21 };

struct bench {
    const struct bench_settings *settings;
    char path[32]; /* of the table */
    struct sepx_nb101_cells *cells;
    struct sepx_space *space;
    struct sepx_table *table;
    struct sepx_graph *graph;
    size_t queries;
    double *time;
    double list_s, open_us, row_us, query_us, query_p99_us;
    uint64_t bytes;
};

/* ---- what is asked ---- */

/* Sums as they might be: the best cells are few. */
static enum sepx_err
write_sums(const char *path, uint64_t seed, struct sepx_msg *msg)
{
    struct sepx_text text = {0};
    struct sepx_rng rng;
    enum sepx_err err = SEPX_OK;

    sepx_rng_init(&rng, seed, 0, 0, 1);
    for (uint32_t i = 0; i < SEPX_NB101_CELLS && !err; i++) {
        double error = 1750 * (1 - log1p(-sepx_rng_unit(&rng)));
        unsigned sum = (unsigned)fmax(29952 - error, 3000);
        char two[2] = {(char)(sum & 0xff), (char)(sum >> 8)};

        err = sepx_text_add(&text, two, 2);
    }
    if (!err)
        err = sepx_file_write(path, text.at, text.len, msg);
    sepx_text_release(&text);
    return err;
}

static enum sepx_err
make_table(struct bench *b, struct sepx_msg *msg)
{
    struct sepx_table_builder *builder = NULL;
    struct sepx_text bytes = {0};
    uint64_t seed = (uint64_t)b->settings->seed;
    int fd;
    enum sepx_err err;

    snprintf(b->path, sizeof b->path, "/tmp/sepx-bench-XXXXXX");
    fd = mkstemp(b->path);
    if (fd < 0)
        return sepx_fail(msg, SEPX_EIO, "%s: cannot create", b->path);
    (void)close(fd);
    err = write_sums(b->path, seed, msg);
    if (!err)
        err = sepx_table_builder_new(&builder, b->cells);
    if (!err)
        err = sepx_table_builder_test_sums(builder, b->path, seed, msg);
    if (!err)
        err = sepx_table_builder_write(builder, &bytes, msg);
    if (!err)
        err = sepx_file_write(b->path, bytes.at, bytes.len, msg);
    b->bytes = bytes.len;
    sepx_text_release(&bytes);
    sepx_table_builder_free(builder);
    return err;
}

static enum sepx_err
draw_graphs(struct bench *b, struct sepx_msg *msg)
{
    enum sepx_err err = SEPX_OK;

    (void)msg;
    b->queries = b->settings->quick ? QUICK_QUERIES : QUERIES;
    b->graph = calloc(b->queries, sizeof *b->graph);
    b->time = calloc(b->queries + OPENS, sizeof *b->time);
    if (!b->graph || !b->time)
        return SEPX_ENOMEM;
    for (size_t i = 0; i < b->queries && !err; i++) {
        struct sepx_rng rng;

        sepx_rng_init(&rng, (uint64_t)b->settings->seed, 0, (uint32_t)i, 2);
        err = sepx_space_sample(b->space, &b->graph[i], &rng);
    }
    return err;
}

/* ---- measuring ---- */

static int
compare(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* Of the first `count` times, which are sorted, in microseconds. */
static double
quantile(struct bench *b, size_t count, double p)
{
    qsort(b->time, count, sizeof *b->time, compare);
    return 1e6 * sepx_quantile(b->time, count, p);
}

static enum sepx_err
measure_opening(struct bench *b, struct sepx_msg *msg)
{
    for (unsigned i = 0; i < OPENS; i++) {
        double start;
        enum sepx_err err;

        sepx_table_close(b->table);
        start = sepx_clock();
        err = sepx_table_open(&b->table, b->path, msg);
        b->time[i] = sepx_clock() - start;
        if (err)
            return err;
    }
    b->open_us = quantile(b, OPENS, 0.5);
    return SEPX_OK;
}

static enum sepx_err
measure_rows(struct bench *b, struct sepx_msg *msg)
{
    (void)msg;
    for (size_t i = 0; i < b->queries; i++) {
        double start = sepx_clock();
        uint32_t row;
        enum sepx_err err =
            sepx_nb101_cells_row(b->cells, &row, b->space, &b->graph[i], NULL);

        b->time[i] = sepx_clock() - start;
        if (err)
            return err;
    }
    b->row_us = quantile(b, b->queries, 0.5);
    return SEPX_OK;
}

/* From a graph to an accuracy. */
static enum sepx_err
measure_queries(struct bench *b, struct sepx_msg *msg)
{
    double sum = 0;

    (void)msg;
    for (size_t i = 0; i < b->queries; i++) {
        double start = sepx_clock();
        struct sepx_nb101_cell cell;
        uint32_t entry;
        enum sepx_err err =
            sepx_nb101_cell_of(&cell, b->space, &b->graph[i], NULL);

        if (err || !sepx_table_find(b->table, &entry, &cell))
            return err ? err : SEPX_ENOTFOUND;
        sum += sepx_table_get(b->table, entry, SEPX_TABLE_VALIDATION, 3, 0) +
               sepx_table_test_mean(b->table, entry);
        b->time[i] = sepx_clock() - start;
    }
    if (isnan(sum))
        return SEPX_EDATA;
    b->query_us = quantile(b, b->queries, 0.5);
    b->query_p99_us = quantile(b, b->queries, 0.99);
    return SEPX_OK;
}

static enum sepx_err
measure_list(struct bench *b, struct sepx_msg *msg)
{
    double start = sepx_clock();
    enum sepx_err err = sepx_nb101_cells_new(&b->cells, 0, NULL, NULL);

    b->list_s = sepx_clock() - start;
    return err ? err : sepx_space_open(&b->space, "nb101", msg);
}

static const struct {
    const char *what;
    enum sepx_err (*run)(struct bench *b, struct sepx_msg *msg);
} steps[] = {
    {"all cells", measure_list},      {"a table", make_table},
    {"graphs", draw_graphs},          {"opening", measure_opening},
    {"graphs to rows", measure_rows}, {"graphs to accuracies", measure_queries},
};
enum { STEPS = sizeof steps / sizeof steps[0] };

static enum sepx_err
measure(struct bench *b, struct sepx_msg *msg)
{
    enum sepx_err err = SEPX_OK;

    for (size_t i = 0; i < STEPS && !err; i++) {
        progress_step("step", i, STEPS, steps[i].what);
        err = steps[i].run(b, msg);
    }
    return err;
}

/* ---- writing ---- */

static void
write_text(struct out *out, const struct bench *b)
{
    out_print(out, "all %d cells, %u processors   %8.2f s\n", SEPX_NB101_CELLS,
              sepx_processors(), b->list_s);
    out_print(out, "open a table of %.1f MB          %8.1f us\n",
              (double)b->bytes / 1e6, b->open_us);
    out_print(out, "graph to row                    %8.3f us, median\n",
              b->row_us);
    out_print(out,
              "graph to accuracies             %8.3f us, median of %zu; "
              "99 %%: %.3f us\n",
              b->query_us, b->queries, b->query_p99_us);
}

static void
write_json(struct out *out, const struct bench *b)
{
    out_print(out,
              "{\"cells_s\":%.4f,\"table_bytes\":%llu,\"open_us\":%.2f,"
              "\"row_us\":%.4f,\"query_us\":%.4f,\"query_p99_us\":%.4f,"
              "\"queries\":%zu}\n",
              b->list_s, (unsigned long long)b->bytes, b->open_us, b->row_us,
              b->query_us, b->query_p99_us, b->queries);
}

int
bench_data_run(const struct bench_settings *settings)
{
    struct bench b = {.settings = settings};
    struct sepx_msg msg = {0};
    struct out out = {0};
    enum sepx_err err = measure(&b, &msg);
    int status;

    if (!err)
        (settings->json ? write_json : write_text)(&out, &b);
    status = err ? cli_fail("bench", err, &msg) : out_flush(&out);
    out_release(&out);
    for (size_t i = 0; b.graph && i < b.queries; i++)
        sepx_graph_release(&b.graph[i]);
    free(b.graph);
    free(b.time);
    sepx_table_close(b.table);
    if (b.path[0])
        (void)unlink(b.path);
    sepx_space_close(b.space);
    sepx_nb101_cells_free(b.cells);
    return status;
}
