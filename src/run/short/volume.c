/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs with several objectives: the points that entered the front of a run,
 * and the volume behind the front after each evaluation.
 */
#include "run/short/volume.h"

#include <math.h>
#include <string.h>

/* ---- while a run is made ---- */

void
sepx__points_release(struct sepx_run *run)
{
    for (size_t i = 0; i < run->n_points; i++)
        sepx_graph_release(&run->point[i].graph);
    sepx__free(run->point);
}

/* Whether `a` is nowhere worse than `b`. */
static bool
covers(const double *a, const double *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (a[i] > b[i])
            return false;
    }
    return true;
}

static void
widen(struct sepx_run *run, const double *objective)
{
    bool first = !run->objectives;

    for (uint32_t i = 0; i < SEPX_GOALS_MAX; i++) {
        run->low[i] = first ? objective[i] : fmin(run->low[i], objective[i]);
        run->high[i] = first ? objective[i] : fmax(run->high[i], objective[i]);
    }
}

/* *entered: nothing before it is as good. */
enum sepx_err
sepx__points_note(struct sepx_run *run, const struct sepx_ask *ask,
                  const struct sepx_merit *merit, bool *entered)
{
    struct sepx_run_point *made;
    enum sepx_err err;

    *entered = false;
    if (merit->violation > 0)
        return SEPX_OK;
    widen(run, merit->objective);
    run->objectives = merit->count;
    for (size_t i = run->n_points; i-- > 0;) {
        if (covers(run->point[i].objective, merit->objective, merit->count))
            return SEPX_OK;
    }
    err = sepx__grow((void **)&run->point, &run->point_room, run->n_points + 1,
                     sizeof *run->point);
    if (err)
        return err;
    made = &run->point[run->n_points++];
    *made = (struct sepx_run_point){.trial = ask->trial,
                                    .graph.names = ask->graph.names};
    memcpy(made->objective, merit->objective, sizeof made->objective);
    *entered = true;
    return sepx_graph_copy(&made->graph, &ask->graph);
}

/* ---- afterwards ---- */

bool
sepx_run_on_front(const struct sepx_run *run, size_t at, size_t points)
{
    for (size_t i = at + 1; i < points; i++) {
        if (covers(run->point[i].objective, run->point[at].objective,
                   run->objectives))
            return false;
    }
    return true;
}

void
sepx_runs_box(struct sepx_box *box, const struct sepx_goals *goals,
              const struct sepx_runs *const *runs, size_t count)
{
    bool any = false;

    *box = (struct sepx_box){.count = goals->objectives};
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < runs[i]->count; j++) {
            const struct sepx_run *run = &runs[i]->at[j];

            for (uint32_t k = 0; run->objectives && k < box->count; k++) {
                double low = run->low[k], high = run->high[k];

                box->ideal[k] = any ? fmin(box->ideal[k], low) : low;
                box->reference[k] = any ? fmax(box->reference[k], high) : high;
            }
            any = any || run->objectives;
        }
    }
    for (uint32_t k = 0; k < box->count; k++) {
        double given = goals->objective[k].reference;

        if (!isnan(given))
            box->reference[k] = sepx_goals_turn(goals, k, given);
    }
}

/* The share of the box behind the front of the first `points` points. */
static enum sepx_err
share_of(const struct sepx_run *run, size_t points, const struct sepx_box *box,
         double *room, double *share)
{
    double one[SEPX_GOALS_MAX];
    size_t held = 0;

    for (size_t i = 0; i < points; i++) {
        if (!sepx_run_on_front(run, i, points))
            continue;
        for (uint32_t k = 0; k < box->count; k++) {
            double range = box->reference[k] - box->ideal[k];

            room[held * box->count + k] =
                (run->point[i].objective[k] - box->ideal[k]) /
                (range > 0 ? range : 1);
        }
        held++;
    }
    for (uint32_t k = 0; k < box->count; k++)
        one[k] = 1;
    return sepx_hypervolume(share, room, held, box->count, one);
}

static enum sepx_err
measure(struct sepx_run *run, const struct sepx_box *box)
{
    size_t points = 0;
    double share = 0;
    double *room = sepx__calloc((run->n_points + 1) * box->count, sizeof *room);
    enum sepx_err err = room ? SEPX_OK : SEPX_ENOMEM;

    for (uint32_t i = 0; i < run->evaluations && !err; i++) {
        if (points < run->n_points && run->point[points].trial == i)
            err = share_of(run, ++points, box, room, &share);
        run->curve[i] = run->test[i] = -share;
    }
    run->best = -share;
    sepx__free(room);
    return err;
}

enum sepx_err
sepx_runs_measure(struct sepx_runs *runs, const struct sepx_box *box)
{
    enum sepx_err err = SEPX_OK;

    for (size_t i = 0; i < runs->count && !err; i++)
        err = measure(&runs->at[i], box);
    return err;
}
