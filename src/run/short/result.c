/* SPDX-License-Identifier: Apache-2.0 */
/* What runs found, for statistics and for the record. */
#include "run/private.h"

#include <math.h>

/* How many of the ascending costs are at most `limit`. */
static uint32_t
count_within(const double *spent, uint32_t count, double limit)
{
    uint32_t low = 0, high = count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (spent[middle] <= limit)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t
sepx_run_until(const struct sepx_run *run, enum sepx_axis axis, double at)
{
    uint32_t count = run->evaluations;

    if (axis == SEPX_AXIS_SPENT)
        count = count_within(run->spent, count, at);
    else if (at < count)
        count = at > 1 ? (uint32_t)at : 1;
    return count ? count : 1;
}

void
sepx_runs_read(const struct sepx_runs *runs, enum sepx_curve curve,
               enum sepx_axis axis, double at, double *out)
{
    for (size_t i = 0; i < runs->count; i++) {
        const struct sepx_run *run = &runs->at[i];
        const double *row = curve == SEPX_CURVE_TEST ? run->test : run->curve;

        out[i] = row[sepx_run_until(run, axis, at) - 1];
    }
}

void
sepx_runs_at(const struct sepx_runs *runs, uint32_t evals, double *out)
{
    sepx_runs_read(runs, SEPX_CURVE_SCORE, SEPX_AXIS_EVALS, evals, out);
}

uint32_t
sepx_runs_operators(const struct sepx_runs *runs,
                    struct sepx_run_operator sum[SEPX_RUN_OPERATORS_MAX])
{
    uint32_t count = 0;

    for (uint32_t j = 0; j < SEPX_RUN_OPERATORS_MAX; j++)
        sum[j] = (struct sepx_run_operator){0};
    for (size_t i = 0; i < runs->count; i++) {
        const struct sepx_run *run = &runs->at[i];

        count = run->n_operators;
        for (uint32_t j = 0; j < count; j++) {
            sum[j].name = run->op[j].name;
            sepx_cross_counts_add(&sum[j].counts, &run->op[j].counts);
            sum[j].evaluated += run->op[j].evaluated;
            sum[j].improved += run->op[j].improved;
            sum[j].gain += run->op[j].gain;
        }
    }
    return count;
}

void
sepx_run_operators_put_json(struct sepx_json_writer *w,
                            const struct sepx_run_operator *op, uint32_t count)
{
    sepx_json_open(w, '[');
    for (uint32_t i = 0; i < count; i++) {
        const struct sepx_cross_counts *counts = &op[i].counts;

        sepx_json_open(w, '{');
        sepx_json_add_string(w, "name", op[i].name);
        sepx_json_add_count(w, "attempts", counts->attempts);
        sepx_json_add_count(w, "trials", counts->trials);
        sepx_json_add_count(w, "duplicates", counts->duplicates);
        sepx_json_add_count(w, "invalid", counts->invalid);
        sepx_json_add_count(w, "cyclic", counts->cyclic);
        sepx_json_add_count(w, "skipped", counts->skipped);
        sepx_json_add_count(w, "accepted", counts->accepted);
        sepx_json_add_count(w, "unproven", counts->unproven);
        sepx_json_add_count(w, "gap", counts->gap);
        sepx_json_add_count(w, "evaluated", op[i].evaluated);
        sepx_json_add_count(w, "improved", op[i].improved);
        sepx_json_add_number(w, "gain", op[i].gain);
        sepx_json_close(w, '}');
    }
    sepx_json_close(w, ']');
}

/* `negate`: the values are the reported ones with the sign changed. */
static void
put_curve(struct sepx_json_writer *w, const char *key, const double *value,
          uint32_t count, bool negate)
{
    sepx_json_key(w, key);
    sepx_json_open(w, '[');
    for (uint32_t i = 0; i < count; i++)
        sepx_json_put_number(w, negate ? 0 - value[i] : value[i]);
    sepx_json_close(w, ']');
}

/* null: no trial was it. */
static void
put_trial(struct sepx_json_writer *w, const char *key, uint32_t trial)
{
    sepx_json_key(w, key);
    if (trial == UINT32_MAX)
        sepx_json_put_null(w);
    else
        sepx_json_put_integer(w, trial);
}

/* All that entered the front, and whether it is there at the end. */
static void
put_points(struct sepx_json_writer *w, const struct sepx_run *run)
{
    const struct sepx_goals *goals = run->goals;

    sepx_json_key(w, "points");
    sepx_json_open(w, '[');
    for (size_t i = 0; i < run->n_points; i++) {
        const struct sepx_run_point *point = &run->point[i];

        sepx_json_open(w, '{');
        sepx_json_add_count(w, "trial", point->trial);
        sepx_json_add_bool(w, "front",
                           sepx_run_on_front(run, i, run->n_points));
        for (uint32_t k = 0; k < goals->objectives; k++) {
            sepx_json_key(w, goals->name[goals->objective[k].number]);
            sepx_json_put_number(
                w, sepx_goals_turn(goals, k, point->objective[k]));
        }
        sepx_json_key(w, "graph");
        sepx_graph_put_json(w, &point->graph);
        sepx_json_close(w, '}');
    }
    sepx_json_close(w, ']');
}

static void
put_goals_run(struct sepx_json_writer *w, const struct sepx_run *run)
{
    sepx_json_open(w, '{');
    sepx_json_add_count(w, "seed", run->seed);
    sepx_json_add_count(w, "evaluations", run->evaluations);
    put_curve(w, "hypervolume", run->curve, run->evaluations, true);
    put_curve(w, "spent", run->spent, run->evaluations, false);
    sepx_json_key(w, "operators");
    sepx_run_operators_put_json(w, run->op, run->n_operators);
    put_points(w, run);
    sepx_json_close(w, '}');
}

void
sepx_run_put_json(struct sepx_json_writer *w, const struct sepx_run *run)
{
    bool found = run->best < INFINITY;

    if (run->goals) {
        put_goals_run(w, run);
        return;
    }
    sepx_json_open(w, '{');
    sepx_json_add_count(w, "seed", run->seed);
    sepx_json_add_number(w, "best", run->maximized ? 0 - run->best : run->best);
    put_trial(w, "best_trial", found ? run->best_trial : UINT32_MAX);
    sepx_json_add_count(w, "evaluations", run->evaluations);
    sepx_json_add_count(w, "distinct", run->distinct);
    put_curve(w, "curve", run->curve, run->evaluations, run->maximized);
    if (run->measure != SEPX_MEASURE_DISTANCE) {
        put_curve(w, "test", run->test, run->evaluations, run->maximized);
        put_curve(w, "spent", run->spent, run->evaluations, false);
        put_trial(w, "reached", run->reached);
        put_trial(w, "visited", run->visited);
    }
    sepx_json_key(w, "operators");
    sepx_run_operators_put_json(w, run->op, run->n_operators);
    sepx_json_key(w, "graph");
    if (found)
        sepx_graph_put_json(w, &run->graph);
    else
        sepx_json_put_null(w);
    sepx_json_close(w, '}');
}
