/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long an exact distance takes, ours beside networkx's on the same pairs
 * and the paper's table. pairs.csv is the same for each call with one seed;
 * times are in times.csv, which is not.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "search/experiment.h"
#include "graph/ged_command.h"
#include "paper.h"

enum { ROWS = 7, PAIRS_MAX = 20 };
#define OURS 0.05 /* of the time; the rest is networkx's */

static const struct times {
    const char *key, *title;
    const struct bench_kind *kind;
    unsigned nodes;
    unsigned distance[ROWS];
    double paper[ROWS];          /* seconds, means */
    unsigned pairs, quick_pairs; /* for networkx too */
} tables[] = {
    {"nb101",
     "Cells of NAS-Bench-101, 7 nodes",
     &bench_kind_cell,
     7,
     {1, 2, 3, 4, 5, 6, 7},
     {0.009, 0.012, 0.019, 0.029, 0.041, 0.060, 0.084},
     20,
     3},
    {"nbnlp",
     "Cells like those of NAS-Bench-NLP, 12 nodes",
     &bench_kind_recurrent,
     12,
     {1, 3, 5, 7, 9, 11, 13},
     {0.015, 0.046, 0.281, 1.156, 3.190, 10.374, 21.957},
     3,
     1},
};

enum { TABLES = sizeof tables / sizeof tables[0] };

struct cell {
    double ours[PAIRS_MAX], theirs[PAIRS_MAX], ged[PAIRS_MAX];
    bool late; /* networkx ran out of time at least once */
    unsigned count;
};

struct clockwork {
    struct work *work;
    struct cell cell[TABLES][ROWS];
    struct bench_networkx networkx;
    struct out pairs, times;
    double limit; /* of networkx, for one pair */
};

/* ---- ours ---- */

static enum sepx_err
measure_row(struct clockwork *c, int t, int row)
{
    const struct times *table = &tables[t];
    const struct paper_settings *s = c->work->paper->settings;
    struct cell *cell = &c->cell[t][row];
    struct bench_pairs pairs = {0};
    struct sepx_ged_options options = {0};
    struct sepx_ged *ged = NULL;
    enum sepx_err err;

    cell->count = s->quick ? table->quick_pairs : table->pairs;
    err =
        bench_pairs_by_distance(&pairs, table->kind, table->nodes, cell->count,
                                table->distance[row], (uint64_t)s->seed);
    options.pinned = pairs.pinned;
    options.n_pinned = pairs.n_pinned;
    if (!err)
        err = sepx_ged_new(&ged, &options);
    for (unsigned i = 0; i < cell->count && !err; i++) {
        struct ged_answer answer = {.a = &pairs.a[i], .b = &pairs.b[i]};

        err = answer_compute(&answer, ged, NULL);
        cell->ours[i] = (answer.prepare_us + answer.time_us) / 1e6;
        cell->ged[i] = answer.result.upper;
        answer_release(&answer);
        if (!err)
            err = bench_networkx_add(&c->networkx, &pairs, i, c->limit);
        out_print(&c->pairs, "%s,%u,%u,%u,%u,%g\n", table->key,
                  table->distance[row], i, pairs.a[i].n_edges,
                  pairs.b[i].n_edges, cell->ged[i]);
    }
    sepx_ged_free(ged);
    bench_pairs_release(&pairs);
    return err;
}

static enum sepx_err
measure(struct clockwork *c)
{
    enum sepx_err err = SEPX_OK;

    for (int t = 0; t < TABLES; t++)
        for (int row = 0; row < ROWS && !err; row++)
            err = measure_row(c, t, row);
    return err;
}

/* ---- theirs ---- */

static bool
watch_networkx(void *context, size_t done, size_t total)
{
    struct work *work = context;

    return work_progress(work,
                         OURS + (1 - OURS) * (double)done / (double)total);
}

static void
take_answers(struct clockwork *c)
{
    size_t next = 0;

    for (int t = 0; t < TABLES; t++)
        for (int row = 0; row < ROWS; row++)
            for (unsigned i = 0; i < c->cell[t][row].count; i++, next++) {
                const struct bench_peer *peer =
                    c->networkx.answer ? &c->networkx.answer[next] : NULL;

                c->cell[t][row].theirs[i] = peer ? peer->seconds : NAN;
                c->cell[t][row].late |= peer && isnan(peer->ged);
            }
}

static void
print_times(struct clockwork *c)
{
    out_print(&c->times, "space,ged,pair,sepx_seconds,networkx_seconds\n");
    for (int t = 0; t < TABLES; t++)
        for (int row = 0; row < ROWS; row++)
            for (unsigned i = 0; i < c->cell[t][row].count; i++)
                out_print(&c->times, "%s,%u,%u,%.3g,%.3g\n", tables[t].key,
                          tables[t].distance[row], i, c->cell[t][row].ours[i],
                          c->cell[t][row].theirs[i]);
}

/* ---- the table ---- */

static double
median(const double *value, unsigned count)
{
    struct sepx_summary s;

    return sepx_summarize(&s, value, count) ? NAN : s.median;
}

static void
put_time(struct work *work, double seconds, const char *before)
{
    if (isnan(seconds))
        work_cell(work, "–");
    else if (seconds < 1e-3)
        work_cell(work, "%s%.3g µs", before, seconds * 1e6);
    else if (seconds < 1)
        work_cell(work, "%s%.3g ms", before, seconds * 1e3);
    else
        work_cell(work, "%s%.3g s", before, seconds);
}

/* Two digits, with commas: 12,000. */
static void
put_ratio(struct work *work, double ratio, bool least)
{
    double step = pow(10, floor(log10(fmax(ratio, 1))) - 1);
    long long whole = (long long)(round(ratio / step) * step);
    const char *before = least ? "> " : "";

    if (whole >= 1000000)
        work_cell(work, "%s%lld,%03lld,%03lld", before, whole / 1000000,
                  whole / 1000 % 1000, whole % 1000);
    else if (whole >= 1000)
        work_cell(work, "%s%lld,%03lld", before, whole / 1000, whole % 1000);
    else
        work_cell(work, "%s%lld", before, whole);
}

static void
put_table(struct clockwork *c, int t)
{
    static const char *const head[] = {"GED", "sepx, median", "networkx here",
                                       "paper (networkx)", "networkx / sepx"};
    struct work *work = c->work;

    work_table(work, tables[t].title, head, 5);
    for (int row = 0; row < ROWS; row++) {
        const struct cell *cell = &c->cell[t][row];
        double ours = median(cell->ours, cell->count);
        double theirs = median(cell->theirs, cell->count);

        if (row)
            work_row(work);
        work_cell(work, "%u", tables[t].distance[row]);
        put_time(work, ours, "");
        put_time(work, theirs, cell->late ? "> " : "");
        put_time(work, tables[t].paper[row], "");
        if (isnan(theirs))
            work_cell(work, "–");
        else
            put_ratio(work, theirs / ours, cell->late);
    }
    work_table_end(work);
}

/* ---- claims ---- */

static double
slowest(const struct clockwork *c, int t)
{
    double most = 0;

    for (int row = 0; row < ROWS; row++)
        for (unsigned i = 0; i < c->cell[t][row].count; i++)
            most = fmax(most, c->cell[t][row].ours[i]);
    return most;
}

static void
test_claims(struct clockwork *c)
{
    static const char *const ids[] = {"time-nb101", "time-nbnlp"};
    static const double most[] = {0.084, 21.957};

    for (int t = 0; t < TABLES; t++) {
        double worst = slowest(c, t);
        struct outcome o = {.id = ids[t],
                            .verdict = worst < most[t] ? HOLDS : MISSED,
                            .test = "slowest pair",
                            .p = NAN,
                            .effect = NAN,
                            .n = ROWS * c->cell[t][0].count};

        snprintf(o.detail, sizeof o.detail,
                 "%s pair took more than the mean of %g s that the paper has "
                 "for its largest distance (times vary; see the table)",
                 o.verdict ? "at least one" : "no", most[t]);
        work_claim(c->work, &o);
    }
}

int
make_ged_time(struct work *work)
{
    const struct paper_settings *s = work->paper->settings;
    struct clockwork *c = calloc(1, sizeof *c);
    enum sepx_err err;
    int status;

    if (!c)
        return cli_fail("reproduce", SEPX_ENOMEM, NULL);
    c->work = work;
    c->limit = s->quick ? 0.5 : 10;
    out_print(&c->pairs, "space,wanted,pair,edges_a,edges_b,ged\n");
    err = measure(c);
    if (!err && work->pictures) {
        c->networkx.watch = watch_networkx;
        c->networkx.context = work;
        err = bench_networkx_run(&c->networkx, "reproduce", s->python);
    }
    if (interrupt_seen())
        err = SEPX_ESTOPPED;
    take_answers(c);
    print_times(c);
    status = err == SEPX_ESTOPPED ? CLI_STOPPED
             : err                ? cli_fail("reproduce", err, NULL)
                   : work_write(work, "pairs.csv", &c->pairs.text, true);
    if (!status)
        status = work_write(work, "times.csv", &c->times.text, false);
    for (int t = 0; t < TABLES && !status; t++)
        put_table(c, t);
    if (!status)
        test_claims(c);
    out_release(&c->pairs);
    out_release(&c->times);
    bench_networkx_release(&c->networkx);
    free(c);
    return status;
}
