/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of real graphs of `sepx bench ged`: molecules, films, programs,
 * where they are there. Beside ours stand figures that others' solvers had
 * for pairs of the same sets on another machine (two busy cores, AVX2),
 * quoted, not measured here.
 */
#include "bench_ged_tables.h"

#include <math.h>
#include <string.h>

#include "bench_shared.h"

#define REAL_PAIRS 200

static const struct sepx_costs chem = {.node_insert = 2.75,
                                       .node_delete = 2.75,
                                       .node_relabel = 5.5,
                                       .edge_insert = 0.825,
                                       .edge_delete = 0.825,
                                       .edge_relabel = 0.825};

/* Medians in ms and shares solved in 2 s; NAN: no figure. */
static const struct {
    const char *name;
    double bbb, bbb_solved, astar, astar_solved;
} sets[] = {
    {"aids700", 0.027, NAN, 0.066, NAN},
    {"linux", 0.006, NAN, 0.018, NAN},
    {"imdb", 0.0037, NAN, 0.0115, NAN},
    {"aids_16_20", 3.9, 100, 95, 98},
    {"aids_21_25", 41, 98, 1798, 52},
    {"aids_26_30", 910, 67, NAN, 3},
    {"aids_31_40", NAN, 25, NAN, 5},
    {"aids_similar", 25, 82, NAN, 62},
    {"pubchem_26_30", 45, 100, NAN, 50},
    {"pubchem_31_40", 7052, 30, NAN, 0},
    {"pubchem_similar", 878, 58, NAN, 21},
    {"fori_aids_21_30", NAN, NAN, NAN, NAN},
    {"fori_aids_31_40", NAN, NAN, NAN, NAN},
    {"fori_muta_21_30", NAN, NAN, NAN, NAN},
    {"fori_muta_31_40", NAN, NAN, NAN, NAN},
};

enum { SETS = sizeof sets / sizeof sets[0] };

static enum sepx_err
measure_pair(struct real_row *row, const struct bench_shared_pair *pair,
             const struct sepx_ged_options *options, double limit,
             double *seconds)
{
    struct sepx_ged_graph *a = NULL, *b = NULL;
    struct sepx_ged_result result;
    struct sepx_ged *ged = NULL;
    enum sepx_err err = sepx_ged_new(&ged, options);

    if (!err)
        err = sepx_ged_prepare(ged, &a, &pair->a);
    if (!err)
        err = sepx_ged_prepare(ged, &b, &pair->b);
    if (!err)
        err = bench_limited(ged, &result, a, b, limit, seconds);
    if (!err) {
        row->solved += result.exact;
        row->wrong += pair->ged >= 0 && (result.lower > pair->ged + 1e-6 ||
                                         result.upper < pair->ged - 1e-6);
    }
    /* once more, many times, where the clock's step would count */
    if (!err && *seconds < 1e-4) {
        const double start = bench_processor();

        for (int i = 0; i < 100 && !err; i++)
            err = sepx_ged_run(ged, &result, a, b, NULL);
        *seconds = (bench_processor() - start) / 100;
    }
    sepx_ged_graph_free(a);
    sepx_ged_graph_free(b);
    sepx_ged_free(ged);
    return err;
}

static enum sepx_err
measure_set(struct real_row *row, bool quick)
{
    const bool costs = !strncmp(row->name, "fori", 4);
    const struct sepx_ged_options options = {.costs = costs ? &chem : NULL};
    struct bench_shared_pair pair = {0};
    double seconds[REAL_PAIRS];
    char path[64];
    bool more = true;
    FILE *file;
    enum sepx_err err = SEPX_OK;

    (void)snprintf(path, sizeof path, "data/ged/real/%s.jsonl", row->name);
    file = bench_shared_open(path);
    row->limit = quick ? 0.05 : 2;
    while (file && !err && row->pairs < (quick ? 3 : REAL_PAIRS)) {
        err = bench_shared_pair(file, &pair, &more);
        if (err || !more)
            break;
        err = measure_pair(row, &pair, &options, row->limit,
                           &seconds[row->pairs]);
        if (!err && seconds[row->pairs] > row->slowest)
            row->slowest = seconds[row->pairs];
        row->pairs++;
    }
    if (file)
        (void)fclose(file);
    bench_shared_release(&pair);
    if (!err && row->pairs)
        err = bench_median(&row->median, seconds, row->pairs);
    return err;
}

enum sepx_err
ged_real_measure(struct bench *bench)
{
    enum sepx_err err = SEPX_OK;

    for (int i = 0; i < SETS && !err; i++) {
        struct real_row *row = &bench->real[bench->n_real];

        *row = (struct real_row){.name = sets[i].name};
        progress_step("real graphs", (size_t)i, SETS, sets[i].name);
        err = measure_set(row, bench->settings->quick);
        row->bbb = sets[i].bbb;
        row->bbb_solved = sets[i].bbb_solved;
        row->astar = sets[i].astar;
        row->astar_solved = sets[i].astar_solved;
        bench->n_real += row->pairs > 0;
    }
    return err;
}

static void
print_figure(struct out *out, int width, double value)
{
    if (isnan(value))
        out_print(out, "  %*s", width, "-");
    else
        out_print(out, "  %*.3g", width, value);
}

void
ged_real_print(const struct bench *bench, struct out *out)
{
    if (!bench->n_real) {
        out_print(out, "\nReal graphs: left out, there is no folder "
                       "data/ged/real below $SEPX_SHARED or ../shared\n");
        return;
    }
    out_print(out,
              "\nReal graphs: milliseconds of processor time, %% solved in "
              "%g s; BBB's and AStar+-BMao's as quoted (**)\n%-16s %5s  %8s"
              "  %8s  %7s  %8s  %8s  %8s  %8s\n",
              bench->real[0].limit, "set", "pairs", "median", "slowest",
              "solved", "BBB", "solved", "AStar+", "solved");
    for (size_t i = 0; i < bench->n_real; i++) {
        const struct real_row *row = &bench->real[i];

        out_print(out, "%-16s %5u", row->name, row->pairs);
        print_figure(out, 8, row->median * 1e3);
        print_figure(out, 8, row->slowest * 1e3);
        print_figure(out, 7, 100.0 * row->solved / row->pairs);
        print_figure(out, 8, row->bbb);
        print_figure(out, 8, row->bbb_solved);
        print_figure(out, 8, row->astar);
        print_figure(out, 8, row->astar_solved);
        out_print(out, "%s\n", row->wrong ? "  WRONG" : "");
    }
    out_print(out, "(**) pairs of the same sets on another machine, two busy "
                   "cores; not measured here\n");
}

void
ged_real_json(const struct bench *bench, struct sepx_json_writer *w)
{
    sepx_json_key(w, "real");
    sepx_json_open(w, '[');
    for (size_t i = 0; i < bench->n_real; i++) {
        const struct real_row *row = &bench->real[i];

        sepx_json_open(w, '{');
        sepx_json_key(w, "set");
        sepx_json_put_string(w, row->name);
        sepx_json_key(w, "pairs");
        sepx_json_put_integer(w, row->pairs);
        sepx_json_key(w, "solved");
        sepx_json_put_integer(w, row->solved);
        sepx_json_key(w, "wrong");
        sepx_json_put_integer(w, row->wrong);
        sepx_json_key(w, "limit_s");
        sepx_json_put_number(w, row->limit);
        sepx_json_key(w, "median_ms");
        sepx_json_put_number(w, row->median * 1e3);
        sepx_json_key(w, "slowest_ms");
        sepx_json_put_number(w, row->slowest * 1e3);
        sepx_json_key(w, "bbb_quoted_ms");
        sepx_json_put_number(w, row->bbb);
        sepx_json_key(w, "astar_quoted_ms");
        sepx_json_put_number(w, row->astar);
        sepx_json_close(w, '}');
    }
    sepx_json_close(w, ']');
}
