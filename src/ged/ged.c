/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The door: options, and the choice of the way to a distance. Few free
 * nodes: tiny.c. Everything else: portfolio.c.
 */
#include "sepx/ged.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ged/internal.h"
#include "ged/problem.h"

/* ---- options ---- */

static SEPX_CHECKED enum sepx_err
set_options(struct sepx_ged *ged, const struct sepx_ged_options *options)
{
    const struct sepx_costs unit = {SEPX_UNIT_COSTS};
    enum sepx_err err;

    ged->ignore_labels = options->ignore_labels;
    ged->plain = options->plain;
    ged->rough = options->rough;
    if (options->n_pinned && !options->ignore_labels) {
        size_t size = options->n_pinned * sizeof *ged->pinned;

        if (options->n_pinned > SEPX_LABELS_MAX)
            return SEPX_EINVAL;
        ged->pinned = sepx__alloc(size);
        if (!ged->pinned)
            return SEPX_ENOMEM;
        memcpy(ged->pinned, options->pinned, size);
        ged->n_pinned = (uint32_t)options->n_pinned;
    }
    err = sepx__ged_costs_init(&ged->costs,
                               options->costs ? options->costs : &unit);
    if (!err)
        err = sepx__ged_tiny_new(ged);
    return err;
}

enum sepx_err
sepx_ged_new(struct sepx_ged **ged, const struct sepx_ged_options *options)
{
    const struct sepx_ged_options none = {0};
    struct sepx_ged *made = sepx__calloc(1, sizeof *made);
    enum sepx_err err;

    *ged = NULL;
    if (!made)
        return SEPX_ENOMEM;
    err = set_options(made, options ? options : &none);
    if (err) {
        sepx_ged_free(made);
        return err;
    }
    *ged = made;
    return SEPX_OK;
}

void
sepx_ged_free(struct sepx_ged *ged)
{
    if (!ged)
        return;
    sepx__free(ged->pinned);
    sepx__ged_costs_release(&ged->costs);
    sepx__aligned_free(ged->tables);
    sepx__aligned_free(ged->memory);
    sepx__free(ged->map);
    sepx__free(ged->draw);
    sepx__free(ged->start);
    sepx__free(ged);
}

/* ---- one distance ---- */

static bool
is_tiny(const struct sepx_ged *ged, const struct sepx_ged_graph *a,
        const struct sepx_ged_graph *b)
{
    return ged->tables && (a->tiny.fits & b->tiny.fits) &&
           a->tiny.edge_label == b->tiny.edge_label;
}

static SEPX_CHECKED enum sepx_err
want_map(struct sepx_ged *ged, uint32_t n)
{
    return n <= ged->map_room ? SEPX_OK
                              : sepx__grow((void **)&ged->map, &ged->map_room,
                                           n, sizeof *ged->map);
}

static bool
same_codes(const struct sepx_ged_graph *a, const struct sepx_ged_graph *b)
{
    return a->n_codes == b->n_codes &&
           !memcmp(a->code, b->code, a->n_codes * sizeof *a->code);
}

/* The distinct labels of two ascending lists; `to` has room for both. */
static uint32_t
merge(uint16_t *to, const struct sepx_ged_graph *a,
      const struct sepx_ged_graph *b)
{
    uint32_t i = 0, j = 0, n = 0;

    while (i < a->n_codes || j < b->n_codes) {
        uint32_t x = i < a->n_codes ? a->code[i] : UINT32_MAX;
        uint32_t y = j < b->n_codes ? b->code[j] : UINT32_MAX;

        to[n++] = (uint16_t)(x < y ? x : y);
        i += x <= y;
        j += y <= x;
    }
    return n;
}

/* Copies of both graphs whose edge codes agree. */
static SEPX_CHECKED enum sepx_err
agree_on_codes(struct sepx_ged *ged, struct sepx_ged_graph **a,
               struct sepx_ged_graph **b, const struct sepx_ged_graph *old_a,
               const struct sepx_ged_graph *old_b)
{
    uint16_t *codes =
        sepx__calloc(old_a->n_codes + old_b->n_codes, sizeof *codes);
    uint32_t n;
    enum sepx_err err;

    if (!codes)
        return SEPX_ENOMEM;
    n = merge(codes, old_a, old_b);
    err = sepx__ged_prepare(ged, a, old_a->n, old_a->label, old_a->m,
                            old_a->edge, codes, n, old_a->undirected);
    if (!err)
        err = sepx__ged_prepare(ged, b, old_b->n, old_b->label, old_b->m,
                                old_b->edge, codes, n, old_b->undirected);
    sepx__free(codes);
    return err;
}

/* Two graphs as a search wants them: with the same codes, no bundles. */
struct meeting {
    const struct sepx_ged_graph *a, *b;
    bool changed; /* by anything below `costs`, which is set only then */
    struct sepx_ged_graph *new_a, *new_b; /* copies, where needed */
    const struct ged_costs *costs;        /* the solver's, or `own` */
    struct ged_bundles bundles;
    struct ged_table node_rows, edge_rows;
    struct ged_costs own; /* set where bundles or fields are */
};

static void
meeting_release(struct meeting *m)
{
    if (!m->changed)
        return;
    sepx__free(m->node_rows.row);
    sepx__free(m->edge_rows.row);
    sepx_ged_graph_free(m->new_a);
    sepx_ged_graph_free(m->new_b);
    sepx__ged_bundles_release(&m->bundles);
}

/* Costs of their own, by tables of fields. */
static SEPX_CHECKED enum sepx_err
meet_costs(struct meeting *m)
{
    enum sepx_err err =
        sepx__ged_compile(m->costs, m->a, m->b, &m->node_rows, &m->edge_rows);

    m->own = *m->costs;
    m->costs = &m->own;
    if (m->node_rows.row)
        m->own.node.relabels = m->node_rows;
    if (m->edge_rows.row)
        m->own.edge.relabels = m->edge_rows;
    return err;
}

static SEPX_CHECKED enum sepx_err
meet(struct sepx_ged *ged, struct meeting *m, const struct sepx_ged_graph *a,
     const struct sepx_ged_graph *b)
{
    enum sepx_err err;

    m->a = a;
    m->b = b;
    m->costs = &ged->costs;
    m->changed = false;
    if (a->undirected != b->undirected)
        return SEPX_EINVAL;
    if (ged->costs.unit && !a->parallel && !b->parallel && same_codes(a, b))
        return SEPX_OK;
    *m =
        (struct meeting){.a = a, .b = b, .costs = &ged->costs, .changed = true};
    err = meet_costs(m);
    if (err)
        return err;
    if (a->parallel || b->parallel) {
        err = sepx__ged_bundle(ged, m->costs, &m->bundles, &m->new_a, &m->new_b,
                               a, b);
        m->own.bundles = &m->bundles;
    } else if (!ged->costs.unit) {
        return SEPX_OK;
    } else {
        err = agree_on_codes(ged, &m->new_a, &m->new_b, a, b);
    }
    m->a = m->new_a;
    m->b = m->new_b;
    return err;
}

/* Run a task; at unit costs, on graphs whose edge codes agree. */
static SEPX_CHECKED enum sepx_err
run_task(struct sepx_ged *ged, struct ged_task *task,
         const struct sepx_ged_limits *limits)
{
    struct ged_task met = *task;
    struct meeting m;
    enum sepx_err err;

    sepx__ged_watch_init(task->watch, limits);
    task->watch->extra = ged->extra;
    err = meet(ged, &m, task->a, task->b);
    met.step = ged->costs.num / ged->costs.den;
    met.a = m.a;
    met.b = m.b;
    met.costs = m.costs;
    if (!err && m.costs->bundles)
        m.bundles.bags->task = &met;
    met.padded = sepx__ged_padded(ged, task->a, task->b);
    if (limits) {
        met.node_limit = limits->nodes;
        met.threads = limits->threads;
    }
    if (!err)
        err = sepx__ged_solve(ged, &met);
    if (!err && task->watch->call && !met.visit)
        (void)sepx__ged_is_over(&met); /* the last bounds, if not told yet */
    met.a = task->a;
    met.b = task->b;
    met.costs = NULL;
    *task = met;
    meeting_release(&m);
    return err;
}

/* A hair above the limit counts as on it: costs are sums of doubles to some. */
static int64_t
threshold(const struct sepx_ged *ged, const struct sepx_ged_limits *limits)
{
    const double most = (double)(GED_UNKNOWN / 2);
    double at_most, steps;

    if (!limits || !limits->threshold)
        return GED_UNKNOWN - 1;
    at_most = limits->at_most - ged->extra;
    if (!(at_most >= 0))
        return -1;
    steps = (at_most + 1e-9) * ged->costs.den / ged->costs.num;
    return steps >= most ? GED_UNKNOWN - 1 : llround(floor(steps));
}

static double
cost_of(const struct sepx_ged *ged, int64_t steps)
{
    return (double)steps * ged->costs.num / ged->costs.den + ged->extra;
}

static enum sepx_ged_end
why_ended(const struct ged_task *task, const struct sepx_ged_limits *limits)
{
    if (task->lower == task->upper)
        return SEPX_GED_PROVEN;
    if (limits && limits->threshold &&
        (task->lower > task->cap || task->upper <= task->cap))
        return SEPX_GED_THRESHOLD;
    if (task->watch->ended)
        return SEPX_GED_STOPPED;
    if (task->too_large)
        return SEPX_GED_SIZE;
    return !task->node_limit || (task->watch->deadline > 0 &&
                                 sepx_clock() > task->watch->deadline)
               ? SEPX_GED_SECONDS
               : SEPX_GED_NODES;
}

static void
set_exact(struct sepx_ged *ged, struct sepx_ged_result *result,
          unsigned distance)
{
    result->lower = result->upper = distance * ged->costs.one + ged->extra;
    ged->steps = (int64_t)distance * GED_UNIT;
    result->exact = true;
    result->end = SEPX_GED_PROVEN;
    result->stopped = false;
    result->map = ged->map;
    result->nodes = 1;
}

/* SEPX_EINVAL unless `map` is one-to-one and keeps to the classes. */
static SEPX_CHECKED enum sepx_err
check_map(const struct sepx_ged_graph *a, const struct sepx_ged_graph *b,
          const int16_t *map)
{
    bool *used = sepx__calloc(b->n + 1, sizeof *used);
    enum sepx_err err = SEPX_OK;

    if (!used)
        return SEPX_ENOMEM;
    for (unsigned i = 0; i < a->n && !err; i++) {
        if (map[i] == SEPX_NONE)
            continue;
        if (map[i] < 0 || map[i] >= (int)b->n || used[map[i]] ||
            a->class[i] != b->class[map[i]])
            err = SEPX_EINVAL;
        else
            used[map[i]] = true;
    }
    sepx__free(used);
    return err;
}

enum sepx_err
sepx__ged_map_steps(struct sepx_ged *ged, int64_t *steps,
                    const struct sepx_ged_graph *a,
                    const struct sepx_ged_graph *b, const int16_t *map)
{
    struct ged_problem p = {0};
    struct meeting m;
    int32_t *rows = sepx__calloc(a->n + b->n + 1, sizeof *rows);
    enum sepx_err err = rows ? check_map(a, b, map) : SEPX_ENOMEM;

    if (err) {
        sepx__free(rows);
        return err;
    }
    err = meet(ged, &m, a, b);
    if (!err)
        err = sepx__problem_init(
            &p, &(struct ged_task){.a = m.a, .b = m.b, .costs = m.costs},
            false);
    if (!err) {
        sepx__problem_import(&p, map, rows);
        *steps = sepx__problem_price(&p, rows);
    }
    sepx__problem_release(&p);
    sepx__free(rows);
    meeting_release(&m);
    return err;
}

static bool
keeps_roots(const struct sepx_ged *ged, const struct sepx_ged_graph *a,
            const int16_t *map)
{
    for (uint32_t i = 0; ged->first_root && i < a->n; i++)
        if (map[i] == SEPX_NONE && a->class[i] >= ged->first_root)
            return false;
    return true;
}

/* The map that sepx_ged_start() was given. */
static SEPX_CHECKED enum sepx_err
begin_with(struct sepx_ged *ged, struct ged_task *task)
{
    if (ged->n_start != task->a->n || !keeps_roots(ged, task->a, ged->start))
        return SEPX_EINVAL;
    memcpy(task->map, ged->start, task->a->n * sizeof *task->map);
    return sepx__ged_map_steps(ged, &task->upper, task->a, task->b, task->map);
}

static SEPX_CHECKED enum sepx_err
run_large(struct sepx_ged *ged, struct sepx_ged_result *result,
          const struct sepx_ged_graph *a, const struct sepx_ged_graph *b,
          const struct sepx_ged_limits *limits)
{
    struct ged_watch watch = {0};
    struct ged_task task = {
        .a = a, .b = b, .watch = &watch, .upper = GED_UNKNOWN};
    enum sepx_err err = SEPX_OK;

    task.cap = threshold(ged, limits);
    task.map = ged->map;
    if (ged->start)
        err = begin_with(ged, &task);
    if (!err)
        err = run_task(ged, &task, limits);
    if (err)
        return err;
    ged->steps = task.upper;
    result->lower = cost_of(ged, task.lower);
    result->upper = cost_of(ged, task.upper);
    result->end = why_ended(&task, limits);
    result->exact = result->end == SEPX_GED_PROVEN;
    result->stopped = result->end == SEPX_GED_STOPPED;
    result->nodes = task.nodes;
    result->map = ged->map;
    assert(result->lower <= result->upper);
    assert(!result->exact || result->lower == result->upper);
    return SEPX_OK;
}

enum sepx_err
sepx_ged_run(struct sepx_ged *ged, struct sepx_ged_result *result,
             const struct sepx_ged_graph *a, const struct sepx_ged_graph *b,
             const struct sepx_ged_limits *limits)
{
    enum sepx_err err = want_map(ged, a->n + 1);

    if (err)
        return err;
    if (!is_tiny(ged, a, b))
        return run_large(ged, result, a, b, limits);
    set_exact(ged, result, sepx__ged_tiny_distance(ged, a, b, ged->map, NULL));
    return SEPX_OK;
}

/* Sums that are equal but for the rounding of costs to steps. */
static int64_t
slack(const struct sepx_ged *ged, const struct sepx_ged_graph *a,
      const struct sepx_ged_graph *b)
{
    return ged->costs.rounded
               ? 2 * ((int64_t)a->n + b->n + a->n_edges + b->n_edges)
               : 0;
}

enum sepx_err
sepx__ged_visit(struct sepx_ged *ged, const struct sepx_ged_graph *a,
                const struct sepx_ged_graph *b,
                const struct sepx_ged_limits *limits,
                bool (*visit)(void *context, const int16_t *map), void *context)
{
    const int64_t distance = ged->steps + slack(ged, a, b);
    struct ged_watch watch = {0};
    struct ged_task task = {.a = a,
                            .b = b,
                            .watch = &watch,
                            .map = ged->map,
                            .lower = distance,
                            .upper = distance + 1,
                            .cap = distance,
                            .visit = visit,
                            .context = context};
    enum sepx_err err = run_task(ged, &task, limits);

    if (err || !task.stopped)
        return err;
    return watch.ended ? SEPX_ESTOPPED : SEPX_ELIMIT;
}

bool
sepx__ged_draw_tiny(struct sepx_ged *ged, struct sepx_ged_result *result,
                    const struct sepx_ged_graph *a,
                    const struct sepx_ged_graph *b, struct sepx_rng *rng,
                    enum sepx_err *err)
{
    if (!is_tiny(ged, a, b))
        return false;
    *err = want_map(ged, a->n + 1);
    if (!*err)
        set_exact(ged, result,
                  sepx__ged_tiny_distance(ged, a, b, ged->map, rng));
    return true;
}

enum sepx_err
sepx_ged_between(struct sepx_ged *ged, struct sepx_ged_result *result,
                 const struct sepx_graph *a, const struct sepx_graph *b,
                 const struct sepx_ged_limits *limits)
{
    struct sepx_ged_graph *ready_a = NULL, *ready_b = NULL;
    enum sepx_err err = sepx_ged_prepare(ged, &ready_a, a);

    if (!err)
        err = sepx_ged_prepare(ged, &ready_b, b);
    if (!err)
        err = sepx_ged_run(ged, result, ready_a, ready_b, limits);
    sepx_ged_graph_free(ready_a);
    sepx_ged_graph_free(ready_b);
    return err;
}

enum sepx_err
sepx_ged_batch(struct sepx_ged *ged, struct sepx_ged_bounds *out,
               const struct sepx_ged_graph *const *a,
               const struct sepx_ged_graph *const *b, size_t count,
               const struct sepx_ged_limits *limits)
{
    for (size_t i = 0; i < count; i++) {
        struct sepx_ged_result result;
        enum sepx_err err;

        if (is_tiny(ged, a[i], b[i])) {
            out[i].lower = out[i].upper =
                sepx__ged_tiny_distance(ged, a[i], b[i], NULL, NULL) *
                    ged->costs.one +
                ged->extra;
            continue;
        }
        err = sepx_ged_run(ged, &result, a[i], b[i], limits);
        if (!err && result.stopped)
            err = SEPX_ESTOPPED;
        if (err)
            return err;
        out[i].lower = result.lower;
        out[i].upper = result.upper;
    }
    return SEPX_OK;
}

enum sepx_err
sepx_ged_map_cost(struct sepx_ged *ged, double *cost,
                  const struct sepx_ged_graph *a,
                  const struct sepx_ged_graph *b, const int16_t *map)
{
    int64_t steps;
    enum sepx_err err = keeps_roots(ged, a, map)
                            ? sepx__ged_map_steps(ged, &steps, a, b, map)
                            : SEPX_EINVAL;

    if (!err)
        *cost = cost_of(ged, steps);
    return err;
}

enum sepx_err
sepx_ged_whole(struct sepx_ged *ged, double *cost,
               const struct sepx_ged_graph *a, const struct sepx_ged_graph *b)
{
    int16_t *nothing = sepx__calloc(a->n + 1, sizeof *nothing);
    int64_t steps;
    enum sepx_err err;

    if (!nothing)
        return SEPX_ENOMEM;
    for (uint32_t i = 0; i < a->n; i++)
        nothing[i] = SEPX_NONE;
    err = sepx__ged_map_steps(ged, &steps, a, b, nothing);
    if (!err)
        *cost = cost_of(ged, steps) - ged->extra;
    sepx__free(nothing);
    return err;
}
