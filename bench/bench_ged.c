/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Times of the exact distance. Two tables by distance (7 and 12 nodes) with
 * networkx on the same pairs, two by size (related and unrelated graphs).
 */
#include "bench_ged_tables.h"

#include <math.h>
#include <stdlib.h>

enum {
    PAIRS = 30,
    MIXED = 1000,
    MIXED_QUICK = 50,
    REPETITIONS = 15,
    NETWORKX_PAIRS = 5
};
#define LOOP 5e-5  /* seconds of a loop over one pair */
#define BATCH 5e-4 /* over a whole row: shorter than a time slice */

static const struct reported reported_7[] = {
    {1, 11e-6}, {4, 13e-6}, {7, 16e-6}, {0, 0}};
static const struct reported reported_12[] = {
    {1, 14e-6}, {5, 30e-6}, {9, 59e-6}, {13, 206e-6}, {0, 0}};
static const unsigned related_sizes[] = {10, 20, 30, 50, 70, 100, 0};
static const unsigned unrelated_sizes[] = {10, 15, 20, 25, 30, 0};

/* ---- measuring ---- */

/* Pairs made ready for one kind of solver. {0} is empty. */
struct ready {
    struct sepx_ged *ged;
    struct sepx_ged_graph **a, **b;
    struct sepx_ged_bounds *bounds;
    double *time;
    size_t count;
};

static void
ready_release(struct ready *ready)
{
    for (size_t i = 0; ready->a && ready->b && i < ready->count; i++) {
        sepx_ged_graph_free(ready->a[i]);
        sepx_ged_graph_free(ready->b[i]);
    }
    free(ready->a);
    free(ready->b);
    free(ready->bounds);
    free(ready->time);
    sepx_ged_free(ready->ged);
    *ready = (struct ready){0};
}

static enum sepx_err
ready_init(struct ready *ready, const struct bench_pairs *pairs, bool pinned,
           bool plain)
{
    struct sepx_ged_options options = {.pinned = pairs->pinned,
                                       .n_pinned = pinned ? pairs->n_pinned : 0,
                                       .plain = plain};
    enum sepx_err err;

    *ready = (struct ready){.count = pairs->count};
    ready->a = calloc(pairs->count + 1, sizeof *ready->a);
    ready->b = calloc(pairs->count + 1, sizeof *ready->b);
    ready->bounds = calloc(pairs->count + 1, sizeof *ready->bounds);
    ready->time = calloc(pairs->count + REPETITIONS, sizeof *ready->time);
    if (!ready->a || !ready->b || !ready->bounds || !ready->time)
        return SEPX_ENOMEM;
    err = sepx_ged_new(&ready->ged, &options);
    for (size_t i = 0; i < pairs->count && !err; i++) {
        err = sepx_ged_prepare(ready->ged, &ready->a[i], &pairs->a[i]);
        if (!err)
            err = sepx_ged_prepare(ready->ged, &ready->b[i], &pairs->b[i]);
    }
    return err;
}

enum sepx_err
bench_median(double *out, const double *value, size_t count)
{
    struct sepx_summary summary;
    enum sepx_err err = sepx_summarize(&summary, value, count);

    *out = err ? NAN : summary.median;
    return err;
}

static enum sepx_err
run_batch(struct ready *ready, int loops, double *seconds)
{
    const struct sepx_ged_graph *const *a =
        (const struct sepx_ged_graph *const *)ready->a;
    const struct sepx_ged_graph *const *b =
        (const struct sepx_ged_graph *const *)ready->b;
    double start = sepx_clock();
    enum sepx_err err = SEPX_OK;

    for (int i = 0; i < loops && !err; i++)
        err =
            sepx_ged_batch(ready->ged, ready->bounds, a, b, ready->count, NULL);
    *seconds = (sepx_clock() - start) / loops;
    return err;
}

/* Seconds a pair through the batch call: median of repetitions. */
static enum sepx_err
time_batch(struct ready *ready, double *seconds)
{
    double once;
    enum sepx_err err = run_batch(ready, 1, &once);
    int loops = once > BATCH ? 1 : (int)(BATCH / once) + 1;

    for (int i = 0; i < REPETITIONS && !err; i++)
        err = run_batch(ready, loops, &ready->time[i]);
    if (!err)
        err = bench_median(seconds, ready->time, REPETITIONS);
    *seconds /= (double)ready->count;
    return err;
}

/* Seconds of one pair: the best of several loops of about LOOP seconds. */
static enum sepx_err
time_pair(struct ready *ready, size_t i, double *seconds)
{
    struct sepx_ged_result result;
    int loops = 1;
    enum sepx_err err = SEPX_OK;

    *seconds = INFINITY;
    for (int j = 0; j < REPETITIONS && !err; j++) {
        double start = sepx_clock(), each;

        for (int k = 0; k < loops && !err; k++)
            err = sepx_ged_run(ready->ged, &result, ready->a[i], ready->b[i],
                               NULL);
        each = (sepx_clock() - start) / loops;
        *seconds = each < *seconds ? each : *seconds;
        loops = each > LOOP ? 1 : (int)(LOOP / each) + 1;
    }
    return err;
}

/* Seconds a pair, each pair alone: median over pairs. */
static enum sepx_err
time_run(struct ready *ready, double *seconds)
{
    enum sepx_err err = SEPX_OK;

    for (size_t i = 0; i < ready->count && !err; i++)
        err = time_pair(ready, i, &ready->time[i]);
    return err ? err : bench_median(seconds, ready->time, ready->count);
}

/* ---- tables by distance ---- */

static enum sepx_err
measure_row(struct distance_row *row, const struct bench_pairs *pairs)
{
    struct ready ready = {0};
    enum sepx_err err = ready_init(&ready, pairs, true, false);

    if (!err)
        err = time_batch(&ready, &row->batch);
    if (!err)
        err = time_run(&ready, &row->run);
    ready_release(&ready);
    if (!err)
        err = ready_init(&ready, pairs, true, true);
    if (!err)
        err = time_run(&ready, &row->plain);
    ready_release(&ready);
    return err;
}

static double
reported_for(const struct reported *rows, unsigned distance)
{
    for (; rows->distance; rows++) {
        if (rows->distance == distance)
            return rows->us;
    }
    return NAN;
}

static enum sepx_err
ask_networkx(struct bench *bench, const struct bench_pairs *pairs)
{
    double timeout = bench->settings->timeout;

    if (bench->settings->quick)
        timeout = timeout < 1 ? timeout : 1;
    if (bench->settings->no_networkx)
        return SEPX_OK;
    for (size_t i = 0; i < NETWORKX_PAIRS; i++) {
        enum sepx_err err =
            bench_networkx_add(&bench->networkx, pairs, i, timeout);

        if (err)
            return err;
    }
    return SEPX_OK;
}

/*
 * Every pair once, from graphs to distance, as a program meets new ones; the
 * median of repetitions.
 */
static enum sepx_err
time_single(struct ready *ready, const struct bench_pairs *pairs,
            double *seconds)
{
    enum sepx_err err = SEPX_OK;

    for (int j = 0; j < REPETITIONS && !err; j++) {
        double start = sepx_clock();

        for (size_t i = 0; i < pairs->count && !err; i++) {
            struct sepx_ged_result result;

            err = sepx_ged_between(ready->ged, &result, &pairs->a[i],
                                   &pairs->b[i], NULL);
        }
        ready->time[j] = (sepx_clock() - start) / (double)pairs->count;
    }
    return err ? err : bench_median(seconds, ready->time, REPETITIONS);
}

static enum sepx_err
measure_mixed(struct distance_table *table, size_t count, uint64_t seed)
{
    struct bench_pairs pairs = {0};
    struct ready ready = {0};
    enum sepx_err err =
        bench_pairs_unrelated(&pairs, table->kind, table->nodes, count, seed);

    if (!err)
        err = ready_init(&ready, &pairs, true, false);
    if (!err)
        err = time_batch(&ready, &table->mixed);
    if (!err)
        err = time_single(&ready, &pairs, &table->single);
    ready_release(&ready);
    if (!err)
        err = ready_init(&ready, &pairs, false, false);
    if (!err)
        err = time_batch(&ready, &table->free);
    ready_release(&ready);
    bench_pairs_release(&pairs);
    return err;
}

/* A row is measured on its own pairs; networkx gets the first of them. */
static enum sepx_err
measure_distances(struct bench *bench, struct distance_table *table)
{
    size_t count = bench->settings->quick ? NETWORKX_PAIRS : PAIRS;
    enum sepx_err err = SEPX_OK;

    for (unsigned d = 1; d <= table->most && !err; d++) {
        struct distance_row *row = &table->row[d - 1];
        struct bench_pairs pairs = {0};

        progress_step(table->title, d - 1, table->most, "pairs");
        row->distance = d;
        row->networkx = NAN;
        row->reported = reported_for(table->reported, d);
        err = bench_pairs_by_distance(&pairs, table->kind, table->nodes, count,
                                      d, (uint64_t)bench->settings->seed);
        if (!err)
            err = measure_row(row, &pairs);
        if (!err)
            err = ask_networkx(bench, &pairs);
        bench_pairs_release(&pairs);
    }
    if (!err)
        err = measure_mixed(table, bench->settings->quick ? MIXED_QUICK : MIXED,
                            (uint64_t)bench->settings->seed);
    return err;
}

/* Answers come in the order in which rows asked. */
static enum sepx_err
take_networkx(struct bench *bench, struct distance_table *table, size_t *next)
{
    for (unsigned d = 1; d <= table->most; d++) {
        struct distance_row *row = &table->row[d - 1];
        size_t timeouts = 0;
        double time[NETWORKX_PAIRS];
        enum sepx_err err;

        for (size_t i = 0; i < NETWORKX_PAIRS; i++, (*next)++) {
            const struct bench_peer *peer = &bench->networkx.answer[*next];

            time[i] = peer->seconds;
            timeouts += isnan(peer->ged) ? 1 : 0;
            if (!isnan(peer->ged) && peer->ged != d)
                bench->disagree++;
        }
        row->timed_out = 2 * timeouts > NETWORKX_PAIRS;
        err = bench_median(&row->networkx, time, NETWORKX_PAIRS);
        if (err)
            return err;
    }
    return SEPX_OK;
}

static enum sepx_err
measure_networkx(struct bench *bench)
{
    size_t next = 0;
    enum sepx_err err;

    if (bench->settings->no_networkx)
        return SEPX_OK;
    err =
        bench_networkx_run(&bench->networkx, "bench", bench->settings->python);
    for (int i = 0; i < 2 && !err && bench->networkx.answer; i++)
        err = take_networkx(bench, &bench->distance[i], &next);
    return err;
}

/* ---- tables by size ---- */

static enum sepx_err
measure_sizes_row(struct size_row *row, const struct bench_pairs *pairs,
                  double limit)
{
    struct sepx_ged_limits limits = {.seconds = limit};
    struct ready ready = {0};
    double lower[PAIRS], upper[PAIRS];
    enum sepx_err err = ready_init(&ready, pairs, true, false);

    row->pairs = (unsigned)pairs->count;
    for (size_t i = 0; i < pairs->count && !err; i++) {
        struct sepx_ged_result result;
        double start = sepx_clock();

        err = sepx_ged_run(ready.ged, &result, ready.a[i], ready.b[i], &limits);
        if (err)
            break;
        ready.time[i] = sepx_clock() - start;
        if (ready.time[i] > row->slowest)
            row->slowest = ready.time[i];
        row->solved += result.exact;
        lower[i] = result.lower;
        upper[i] = result.upper;
    }
    if (!err)
        err = bench_median(&row->seconds, ready.time, pairs->count);
    if (!err)
        err = bench_median(&row->lower, lower, pairs->count);
    if (!err)
        err = bench_median(&row->upper, upper, pairs->count);
    ready_release(&ready);
    return err;
}

static enum sepx_err
measure_sizes(const struct bench *bench, struct size_table *table)
{
    uint64_t seed = (uint64_t)bench->settings->seed;
    bool quick = bench->settings->quick;
    size_t rows = 0;
    enum sepx_err err = SEPX_OK;

    while (table->sizes[rows])
        rows++;
    for (size_t i = 0; i < rows && !err; i++) {
        struct size_row *row = &table->row[i];
        struct bench_pairs pairs = {0};
        unsigned nodes = table->sizes[i];
        size_t count = quick || (!table->edits && nodes > 20) ? 3 : 9;

        progress_step(table->title, i, rows, "pairs");
        row->nodes = nodes;
        if (table->edits)
            err = bench_pairs_related(&pairs, &bench_kind_dag, nodes, count,
                                      table->edits, seed);
        else
            err = bench_pairs_unrelated(&pairs, &bench_kind_dag, nodes, count,
                                        seed);
        if (!err)
            err = measure_sizes_row(row, &pairs, quick ? 0.2 : 10);
        bench_pairs_release(&pairs);
    }
    return err;
}

/* ---- all of it ---- */

int
bench_ged_run(const struct bench_settings *settings)
{
    struct bench bench = {
        .settings = settings,
        .distance = {{.key = "seven",
                      .title = "Cells of 7 nodes, by distance",
                      .kind = &bench_kind_cell,
                      .nodes = 7,
                      .most = 7,
                      .reported = reported_7},
                     {.key = "twelve",
                      .title = "Recurrent cells of 12 nodes, by distance",
                      .kind = &bench_kind_recurrent,
                      .nodes = 12,
                      .most = 13,
                      .reported = reported_12}},
        .size = {{.key = "related",
                  .title = "Related acyclic graphs, at most 20 edits apart",
                  .edits = 20,
                  .sizes = related_sizes},
                 {.key = "unrelated",
                  .title = "Unrelated acyclic graphs",
                  .sizes = unrelated_sizes}},
    };
    enum sepx_err err = SEPX_OK;
    int status;

    for (int i = 0; i < 2 && !err; i++)
        err = measure_distances(&bench, &bench.distance[i]);
    for (int i = 0; i < 2 && !err; i++)
        err = measure_sizes(&bench, &bench.size[i]);
    if (!err)
        err = ged_real_measure(&bench);
    if (!err)
        err = measure_networkx(&bench);
    if (!err && settings->json)
        ged_report_json(&bench);
    else if (!err)
        ged_report_text(&bench);
    status = err ? cli_fail("bench", err, NULL) : out_flush(&bench.out);
    out_release(&bench.out);
    bench_networkx_release(&bench.networkx);
    return status;
}
