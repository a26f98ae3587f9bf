/* SPDX-License-Identifier: Apache-2.0 */
/* What runs found, in numbers: for tables, JSON and CSV. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "search/experiment.h"

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
static const struct measure volume =
        {"hypervolume", "hypervolume", NULL, 0, -1, 5, 20};
/* clang-format on */

const struct measure *
experiment_measure(const struct experiment *x)
{
    if (x->goals.objectives)
        return &volume;
    if (sepx_eval_maximized(x->eval))
        return &maximized;
    return &measures[sepx_eval_measure(x->eval)];
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

    if (isnan(best) || !runs->count || x->goals.objectives)
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
    out->measure = experiment_measure(x);
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
    if (!isfinite(s->mean)) { /* a run without any score so far */
        snprintf(room, size, "none");
        return;
    }
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

    if (!isfinite(low) || !isfinite(high)) {
        snprintf(room, size, "none");
        return;
    }
    snprintf(room, size, "%.4g %.4g %.4g", measure->plus + measure->times * low,
             measure->plus + measure->times * s->median,
             measure->plus + measure->times * high);
}

/* What the volumes are shares of. */
static void
print_box(struct out *out, const struct experiment *x)
{
    out_print(out, "share of the volume between");
    for (uint32_t i = 0; i < x->box.count; i++)
        out_print(out, "%s %s %.6g and %.6g", i ? "," : "",
                  x->goals.name[x->goals.objective[i].number],
                  sepx_goals_turn(&x->goals, i, x->box.ideal[i]),
                  sepx_goals_turn(&x->goals, i, x->box.reference[i]));
    out_print(out, "\n");
}

void
experiment_print_notes(struct out *out, const struct experiment *x)
{
    const char *source = sepx_eval_source(x->eval);

    if (source)
        out_print(out, "scores from: %s\n", source);
    if (x->goals.objectives)
        print_box(out, x);
    if (x->axis == SEPX_AXIS_SPENT)
        out_print(out, "columns: training time spent, in seconds where they "
                       "are known, else a full evaluation is 1\n");
}

/* Alignments that ran out of their budget. */
static void
print_unproven(struct out *out, const struct sepx_run_operator *op)
{
    const struct sepx_cross_counts *c = &op->counts;

    if (c->unproven)
        out_print(out,
                  "%s: %llu of %llu alignments are not proven to be the best; "
                  "their paths are %.3g edits too long at most, on average "
                  "(rule align)\n",
                  op->name, (unsigned long long)c->unproven,
                  (unsigned long long)c->attempts,
                  (double)c->gap / (double)c->unproven);
}

/* Evaluations of graphs that had been evaluated before in the same run. */
static void
print_repeats(struct out *out, const struct sepx_runs *runs)
{
    uint64_t made = 0, distinct = 0;

    for (size_t i = 0; i < runs->count; i++) {
        made += runs->at[i].evaluations;
        distinct += runs->at[i].distinct;
    }
    if (made)
        out_print(out,
                  "evaluations: %llu of different graphs, %llu repeats "
                  "(%.1f %%)\n",
                  (unsigned long long)distinct,
                  (unsigned long long)(made - distinct),
                  100 * (double)(made - distinct) / (double)made);
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
    for (uint32_t i = 0; i < count; i++)
        print_unproven(out, &sum[i]);
    print_repeats(out, runs);
}

/* ---- JSON ---- */

struct sepx_summary
experiment_reported(const struct measure *measure, const struct sepx_summary *s)
{
    struct sepx_summary out = *s;

    if (measure->times != -1)
        return out;
    out.mean = 0 - s->mean;
    out.min = 0 - s->max;
    out.q25 = 0 - s->q75;
    out.median = 0 - s->median;
    out.q75 = 0 - s->q25;
    out.max = 0 - s->min;
    return out;
}

static void
put_summary(struct sepx_json_writer *w, const struct sepx_summary *s)
{
    sepx_json_add_number(w, "mean", s->mean);
    sepx_json_add_number(w, "se", s->se);
    sepx_json_add_number(w, "sd", s->sd);
    sepx_json_add_number(w, "min", s->min);
    sepx_json_add_number(w, "q25", s->q25);
    sepx_json_add_number(w, "median", s->median);
    sepx_json_add_number(w, "q75", s->q75);
    sepx_json_add_number(w, "max", s->max);
}

void
experiment_summary_put_json(struct sepx_json_writer *w,
                            const struct experiment_summary *summary)
{
    const struct measure *measure = summary->measure;
    struct sepx_summary score = experiment_reported(measure, &summary->score);
    struct sepx_summary test = experiment_reported(measure, &summary->test);

    put_summary(w, &score);
    sepx_json_add_number(w, "at_optimum", summary->at_optimum);
    if (measure == &measures[SEPX_MEASURE_DISTANCE] || measure == &volume)
        return;
    sepx_json_key(w, "test");
    sepx_json_open(w, '{');
    put_summary(w, &test);
    sepx_json_close(w, '}');
    sepx_json_add_number(w, "visited", summary->visited);
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

/* "objectives": {NAME: {maximize, ideal, reference}, ...} */
static void
put_box(struct sepx_json_writer *w, const struct experiment *x)
{
    sepx_json_key(w, "objectives");
    sepx_json_open(w, '{');
    for (uint32_t i = 0; i < x->box.count; i++) {
        sepx_json_key(w, x->goals.name[x->goals.objective[i].number]);
        sepx_json_open(w, '{');
        sepx_json_add_bool(w, "maximize", x->goals.objective[i].maximize);
        sepx_json_add_number(w, "ideal",
                             sepx_goals_turn(&x->goals, i, x->box.ideal[i]));
        sepx_json_add_number(
            w, "reference", sepx_goals_turn(&x->goals, i, x->box.reference[i]));
        sepx_json_close(w, '}');
    }
    sepx_json_close(w, '}');
    sepx_json_key(w, "where");
    sepx_json_open(w, '[');
    for (size_t i = 0; i < x->settings->where.count; i++)
        sepx_json_put_string(w, x->settings->where.at[i]);
    sepx_json_close(w, ']');
}

void
experiment_put_json(struct sepx_json_writer *w, const struct experiment *x)
{
    const struct measure *measure = experiment_measure(x);
    const char *source = sepx_eval_source(x->eval);

    sepx_json_add_string(w, "space", sepx_space_info(x->space)->name);
    sepx_json_add_string(w, "eval", sepx_eval_text(x->eval));
    if (measure != &measures[SEPX_MEASURE_DISTANCE]) {
        sepx_json_add_string(w, "measure", measure->name);
    }
    if (source) {
        sepx_json_add_string(w, "source", source);
    }
    if (x->goals.objectives)
        put_box(w, x);
    sepx_json_add_integer(w, "evals", x->settings->evals);
    sepx_json_add_integer(w, "runs", x->settings->runs);
    sepx_json_add_count(w, "seed", x->settings->seed);
}
