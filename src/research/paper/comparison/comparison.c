/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the methods of a comparison and keeps what figures and tests need. */
#include "comparison/comparison.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a graph without a score is taken for, in %: guessing ten classes. */
#define CHANCE 10

/* ---- opening ---- */

/* "table:FILE" where a table is given and the scores are those of nb101. */
static void
name_eval(struct match *match, const struct paper_settings *settings)
{
    const char *eval = match->panel->eval;

    if (!strcmp(eval, "nb101") && settings->table)
        snprintf(match->eval, sizeof match->eval, "table:%s", settings->table);
    else if (!strcmp(eval, "nb101"))
        snprintf(match->eval, sizeof match->eval, "surrogate:");
    else if (!strcmp(eval, "nb301"))
        snprintf(match->eval, sizeof match->eval, "mlp:%s", settings->nb301);
    else
        snprintf(match->eval, sizeof match->eval, "%s", eval);
}

static int
match_open(struct match *match, const struct work *work,
           const struct panel *panel)
{
    const struct paper_settings *s = work->paper->settings;
    int status;

    match->panel = panel;
    name_eval(match, s);
    match->settings = (struct experiment_settings){
        .space = panel->space,
        .eval = match->eval,
        .rules = panel->rules,
        .x = experiment_axes[SEPX_AXIS_EVALS],
        .evals = work->evals,
        .runs = work->runs,
        .seed = (uint64_t)s->seed,
        .threads = s->threads,
    };
    status = experiment_open(&match->x, "reproduce", &match->settings);
    if (status)
        return status;
    match->smaller = sepx_eval_measure(match->x.eval) == SEPX_MEASURE_DISTANCE;
    match->source = sepx_eval_source(match->x.eval);
    match->shown[SERIES_SCORE] = true;
    match->shown[SERIES_TEST] = !match->smaller;
    match->shown[SERIES_REACHED] = !isnan(sepx_eval_optimum(match->x.eval));
    match->shown[SERIES_VISITED] =
        !match->smaller && !isnan(sepx_eval_optimum_test(match->x.eval));
    return CLI_DONE;
}

static void
trace_release(struct trace *trace)
{
    free(trace->seed);
    for (int s = 0; s < SERIES_END; s++) {
        free(trace->value[s]);
        free(trace->mean[s]);
        free(trace->last[s]);
    }
}

static void
comparison_close(struct comparison_run *run)
{
    for (size_t i = 0; i < PANELS_MAX; i++) {
        for (size_t k = 0; k < CONTENDERS_MAX; k++)
            trace_release(&run->match[i].trace[k]);
        experiment_close(&run->match[i].x);
    }
}

static bool
trace_room(struct trace *trace, size_t runs, size_t points)
{
    bool room = true;

    trace->runs = runs;
    trace->seed = calloc(runs, sizeof *trace->seed);
    for (int s = 0; s < SERIES_END; s++) {
        trace->value[s] = calloc(runs * points, sizeof(double));
        trace->mean[s] = calloc(runs, sizeof(double));
        trace->last[s] = calloc(runs, sizeof(double));
        room = room && trace->value[s] && trace->mean[s] && trace->last[s];
    }
    return room && trace->seed;
}

/* ---- from runs to traces ---- */

/* As rows will have it, so that tests of rows and of memory agree. */
static double
rounded(double value)
{
    char text[40];

    snprintf(text, sizeof text, "%.9g", value);
    return strtod(text, NULL);
}

static double
shown_value(const struct match *match, double score)
{
    if (match->smaller)
        return score;
    return isfinite(score) ? 100 - 100 * score : CHANCE;
}

static void
read_point(struct trace *trace, const struct match *match,
           const struct sepx_run *run, enum sepx_axis axis, double at,
           size_t index)
{
    uint32_t until = sepx_run_until(run, axis, at);

    trace->value[SERIES_SCORE][index] =
        shown_value(match, run->curve[until - 1]);
    trace->value[SERIES_TEST][index] = shown_value(match, run->test[until - 1]);
    trace->value[SERIES_REACHED][index] = run->reached < until ? 100 : 0;
    trace->value[SERIES_VISITED][index] = run->visited < until ? 100 : 0;
}

static void
trace_run(struct trace *trace, const struct comparison_run *run,
          const struct match *match, const struct sepx_run *one, size_t r)
{
    for (size_t i = 0; i < run->points; i++)
        read_point(trace, match, one, run->comparison->axis, run->at[i],
                   r * run->points + i);
    trace->seed[r] = one->seed;
    for (int s = 0; s < SERIES_END; s++) {
        const double *value = trace->value[s] + r * run->points;
        double sum = 0;

        for (size_t i = 0; i < run->points; i++)
            sum += value[i];
        trace->mean[s][r] = rounded(sum / (double)run->points);
        trace->last[s][r] = rounded(value[run->points - 1]);
    }
}

/* ---- running ---- */

/* Where the item stands while a method runs. */
struct stage {
    struct work *work;
    double before, each;
};

static bool
progress(void *context, uint64_t done, uint64_t total)
{
    struct stage *stage = context;

    return work_progress(stage->work,
                         stage->before + stage->each * (double)done /
                                             (double)(total ? total : 1));
}

static int
stopped(enum sepx_err err)
{
    return err == SEPX_ESTOPPED ? CLI_STOPPED
           : err                ? cli_fail("reproduce", err, NULL)
                                : CLI_DONE;
}

/* Runs `first` to `first` + `runs` - 1 of one method, behind those there. */
static int
make_runs(struct trace *trace, size_t from, const struct comparison_run *run,
          const struct match *match, struct sepx_run_plan *plan)
{
    struct sepx_runs made = {0};
    enum sepx_err err = sepx_runs_make(&made, plan);

    for (size_t r = 0; r < made.count && !err; r++)
        trace_run(trace, run, match, &made.at[r], from + r);
    sepx_runs_release(&made);
    return stopped(err);
}

static int
run_plan(struct work *work, struct trace *trace,
         const struct comparison_run *run, const struct match *match,
         struct sepx_run_plan *plan)
{
    int status = CLI_DONE;

    if (!work->only)
        return make_runs(trace, 0, run, match, plan);
    for (uint32_t i = 0; i < work->n_only && !status; i++) {
        plan->seed = (uint64_t)work->paper->settings->seed + work->only[i];
        plan->runs = 1;
        status = make_runs(trace, i, run, match, plan);
    }
    return status;
}

static int
run_contender(struct work *work, struct comparison_run *run,
              struct match *match, const struct contender *who,
              struct stage *stage)
{
    struct trace *trace = &match->trace[match->count];
    struct sepx_method *method = NULL;
    struct sepx_eval *own = NULL;
    struct sepx_msg msg = {0};
    struct sepx_run_plan plan = {
        .eval = match->x.eval,
        .seed = (uint64_t)work->paper->settings->seed,
        .runs = work->runs,
        .evals = work->evals,
        .threads = (unsigned)work->paper->settings->threads,
        .progress = progress,
        .context = stage,
    };
    int status = experiment_method(&match->x, &method, who->method);

    trace->who = who;
    work->doing = who->label;
    if (!status && who->eval &&
        sepx_eval_open(&own, match->x.space, who->eval, &msg))
        status = cli_fail("reproduce", SEPX_EINVAL, &msg);
    if (!status &&
        !trace_room(trace, work->only ? work->n_only : work->runs, run->points))
        status = cli_fail("reproduce", SEPX_ENOMEM, NULL);
    plan.method = method;
    plan.eval = own ? own : plan.eval;
    if (!status)
        status = run_plan(work, trace, run, match, &plan);
    match->count++;
    sepx_eval_close(own);
    sepx_method_free(method);
    return status;
}

static size_t
count_rows(const struct contender *row)
{
    size_t count = 0;

    while (row[count].label)
        count++;
    return count;
}

static int
run_all(struct work *work, struct comparison_run *run)
{
    size_t all = 0, done = 0;
    int status = CLI_DONE;

    for (size_t i = 0; i < run->count; i++)
        all += count_rows(run->comparison->panel[i]->row);
    for (size_t i = 0; i < run->count && !status; i++) {
        struct match *match = &run->match[i];

        status = match_open(match, work, run->comparison->panel[i]);
        for (size_t k = 0; match->panel->row[k].label && !status; k++, done++) {
            struct stage stage = {work, 0.95 * (double)done / (double)all,
                                  0.95 / (double)all};

            status =
                run_contender(work, run, match, &match->panel->row[k], &stage);
        }
    }
    work->doing = NULL;
    return status;
}

/* Evenly along the axis, the end included. */
static void
place_points(struct comparison_run *run, uint32_t evals)
{
    run->points = evals < COMPARISON_POINTS ? evals : COMPARISON_POINTS;
    for (size_t i = 0; i < run->points; i++)
        run->at[i] =
            round((double)evals * (double)(i + 1) / (double)run->points);
}

int
make_comparison(struct work *work)
{
    struct comparison_run *run = calloc(1, sizeof *run);
    int status;

    if (!run)
        return cli_fail("reproduce", SEPX_ENOMEM, NULL);
    run->comparison = work->item->data;
    while (run->count < PANELS_MAX && run->comparison->panel[run->count])
        run->count++;
    place_points(run, work->evals);
    status = run_all(work, run);
    if (!status)
        status = comparison_write(work, run);
    if (!status && !work->only)
        status = comparison_draw(work, run);
    if (!status && !work->only) {
        comparison_tables(work, run);
        status = comparison_test(work, run);
    }
    comparison_close(run);
    free(run);
    return status;
}
