/* SPDX-License-Identifier: Apache-2.0 */
/* What runs found, in numbers: for tables, JSON and CSV. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "experiment.h"

/* clang-format off */
static const struct measure measures[] = {
    [SEPX_MEASURE_DISTANCE] =
        {"distance", "best score", NULL, 0, 1, 2, 14},
    [SEPX_MEASURE_ERROR] =
        {"error", "validation accuracy in %", "test accuracy in %",
         100, -100, 3, 20},
    [SEPX_MEASURE_LOSS] =
        {"loss", "best loss", "test loss", 0, 1, 4, 20},
    [SEPX_MEASURE_SCORE] =
        {"score", "best score", NULL, 0, 1, 2, 14},
};
static const struct measure maximized =
        {"score", "best score", NULL, 0, -1, 2, 14};
/* clang-format on */

const struct measure *
experiment_measure(const struct sepx_eval *eval)
{
    if (sepx_eval_maximized(eval))
        return &maximized;
    return &measures[sepx_eval_measure(eval)];
}

/* ---- numbers ---- */

/* 1, 2, 5, 10, ... over two orders of magnitude, up to all that was spent. */
void
experiment_time_marks(struct experiment *x)
{
    static const double steps[] = {1, 2, 5};
    double mark = 0, unit = pow(10, floor(log10(x->longest)) - 2);

    if (x->axis != SEPX_AXIS_SPENT || x->n_marks || !(x->longest > 0))
        return;
    for (unsigned i = 0; mark < x->longest && x->n_marks < MARKS_MAX; i++) {
        mark = steps[i % 3] * unit;
        unit *= i % 3 == 2 ? 10 : 1;
        if (mark > x->longest / 100)
            x->mark[x->n_marks++] = mark;
    }
}

/* The share of runs that were there by the mark. */
static double
share(const struct experiment *x, const struct sepx_runs *runs, double mark,
      bool visited)
{
    double best =
        visited ? sepx_eval_optimum_test(x->eval) : sepx_eval_optimum(x->eval);
    size_t there = 0;

    if (isnan(best) || !runs->count)
        return NAN;
    for (size_t i = 0; i < runs->count; i++) {
        const struct sepx_run *run = &runs->at[i];

        there += (visited ? run->visited : run->reached) <
                 sepx_run_until(run, x->axis, mark);
    }
    return (double)there / (double)runs->count;
}

enum sepx_err
experiment_summarize(struct experiment_summary *out, const struct experiment *x,
                     const struct sepx_runs *runs, double mark)
{
    double *value = calloc(runs->count + 1, sizeof *value);
    enum sepx_err err;

    if (!value)
        return SEPX_ENOMEM;
    out->measure = experiment_measure(x->eval);
    out->at_optimum = share(x, runs, mark, false);
    out->visited = share(x, runs, mark, true);
    sepx_runs_read(runs, SEPX_CURVE_SCORE, x->axis, mark, value);
    err = sepx_summarize(&out->score, value, runs->count);
    sepx_runs_read(runs, SEPX_CURVE_TEST, x->axis, mark, value);
    if (!err)
        err = sepx_summarize(&out->test, value, runs->count);
    free(value);
    return err;
}

/* ---- tables ---- */

void
experiment_mean(char *room, size_t size, const struct measure *measure,
                const struct sepx_summary *s)
{
    snprintf(room, size, "%.*f (%.*f)", measure->digits,
             measure->plus + measure->times * s->mean, measure->digits,
             fabs(measure->times) * s->se);
}

void
experiment_quartiles(char *room, size_t size, const struct measure *measure,
                     const struct sepx_summary *s)
{
    double low = measure->times < 0 ? s->q75 : s->q25;
    double high = measure->times < 0 ? s->q25 : s->q75;

    snprintf(room, size, "%.4g %.4g %.4g", measure->plus + measure->times * low,
             measure->plus + measure->times * s->median,
             measure->plus + measure->times * high);
}

void
experiment_print_notes(struct out *out, const struct experiment *x)
{
    const char *source = sepx_eval_source(x->eval);

    if (source)
        out_print(out, "scores from: %s\n", source);
    if (x->axis == SEPX_AXIS_SPENT)
        out_print(out, "columns: training time spent, in seconds where they "
                       "are known, else a full evaluation is 1\n");
}

void
experiment_print_operators(struct out *out, const struct sepx_runs *runs)
{
    struct sepx_run_operator sum[SEPX_RUN_OPERATORS_MAX];
    uint32_t count = sepx_runs_operators(runs, sum);

    out_print(out, "%-10s %10s %10s %10s %10s %10s %10s %9s %9s\n", "operator",
              "attempts", "trials", "duplicate", "invalid", "cyclic",
              "accepted", "improved", "gain");
    for (uint32_t i = 0; i < count; i++) {
        const struct sepx_cross_counts *c = &sum[i].counts;

        out_print(
            out, "%-10s %10llu %10llu %10llu %10llu %10llu %10llu", sum[i].name,
            (unsigned long long)c->attempts, (unsigned long long)c->trials,
            (unsigned long long)c->duplicates, (unsigned long long)c->invalid,
            (unsigned long long)c->cyclic, (unsigned long long)c->accepted);
        out_print(out, " %9llu %9.6g\n", (unsigned long long)sum[i].improved,
                  sum[i].gain);
    }
}

/* ---- JSON ---- */

static void
put_number(struct sepx_json_writer *w, const char *key, double value)
{
    sepx_json_key(w, key);
    sepx_json_put_number(w, value);
}

static void
put_summary(struct sepx_json_writer *w, const struct sepx_summary *s)
{
    put_number(w, "mean", s->mean);
    put_number(w, "se", s->se);
    put_number(w, "sd", s->sd);
    put_number(w, "min", s->min);
    put_number(w, "q25", s->q25);
    put_number(w, "median", s->median);
    put_number(w, "q75", s->q75);
    put_number(w, "max", s->max);
}

void
experiment_summary_put_json(struct sepx_json_writer *w,
                            const struct experiment_summary *summary)
{
    put_summary(w, &summary->score);
    put_number(w, "at_optimum", summary->at_optimum);
    if (summary->measure == &measures[SEPX_MEASURE_DISTANCE])
        return;
    sepx_json_key(w, "test");
    sepx_json_open(w, '{');
    put_summary(w, &summary->test);
    sepx_json_close(w, '}');
    put_number(w, "visited", summary->visited);
}

void
experiment_mark_put_json(struct sepx_json_writer *w, const struct experiment *x,
                         size_t mark)
{
    bool spent = x->axis == SEPX_AXIS_SPENT;

    sepx_json_key(w, spent ? "spent" : "evaluations");
    if (spent)
        sepx_json_put_number(w, x->mark[mark]);
    else
        sepx_json_put_integer(w, (int64_t)x->mark[mark]);
}

void
experiment_put_json(struct sepx_json_writer *w, const struct experiment *x)
{
    const struct measure *measure = experiment_measure(x->eval);
    const char *source = sepx_eval_source(x->eval);

    sepx_json_key(w, "space");
    sepx_json_put_string(w, sepx_space_info(x->space)->name);
    sepx_json_key(w, "eval");
    sepx_json_put_string(w, sepx_eval_text(x->eval));
    if (measure != &measures[SEPX_MEASURE_DISTANCE]) {
        sepx_json_key(w, "measure");
        sepx_json_put_string(w, measure->name);
    }
    if (source) {
        sepx_json_key(w, "source");
        sepx_json_put_string(w, source);
    }
    sepx_json_key(w, "evals");
    sepx_json_put_integer(w, x->settings->evals);
    sepx_json_key(w, "runs");
    sepx_json_put_integer(w, x->settings->runs);
    sepx_json_key(w, "seed");
    sepx_json_put_integer(w, x->settings->seed);
}
