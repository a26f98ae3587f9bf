/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The door: options, and the choice of the way to a distance. Few free
 * nodes: tiny.c. Unit costs up to 256 nodes: search.c. Any costs: general.c.
 * Whatever is left open after that: large.c, which always has an answer.
 */
#include "sepx/ged.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ged/internal.h"
#include "ged/pair.h"

/* ---- options ---- */

static int
by_labels(const void *x, const void *y)
{
    const struct ged_relabel *a = x, *b = y;

    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return (a->to > b->to) - (a->to < b->to);
}

static bool
to_steps(int64_t *steps, double cost)
{
    if (!(cost >= 0 && cost <= GED_COST_MAX))
        return false;
    *steps = llround(cost * GED_UNIT);
    return true;
}

static SEPX_CHECKED enum sepx_err
copy_table(struct ged_table *to, const struct sepx_relabel_cost *from,
           size_t count)
{
    if (!count)
        return SEPX_OK;
    to->row = sepx__calloc(count, sizeof *to->row);
    if (!to->row)
        return SEPX_ENOMEM;
    for (size_t i = 0; i < count; i++) {
        to->row[i].from = from[i].from;
        to->row[i].to = from[i].to;
        if (!to_steps(&to->row[i].cost, from[i].cost))
            return SEPX_EINVAL;
    }
    to->count = count;
    qsort(to->row, count, sizeof *to->row, by_labels);
    return SEPX_OK;
}

static SEPX_CHECKED enum sepx_err
copy_costs(struct ged_costs *to, const struct sepx_costs *from)
{
    enum sepx_err err;

    if (!to_steps(&to->node_insert, from->node_insert) ||
        !to_steps(&to->node_delete, from->node_delete) ||
        !to_steps(&to->node_relabel, from->node_relabel) ||
        !to_steps(&to->edge_insert, from->edge_insert) ||
        !to_steps(&to->edge_delete, from->edge_delete) ||
        !to_steps(&to->edge_relabel, from->edge_relabel))
        return SEPX_EINVAL;
    err = copy_table(&to->node, from->node_table, from->n_node_table);
    if (!err)
        err = copy_table(&to->edge, from->edge_table, from->n_edge_table);
    to->unit = !to->node.count && !to->edge.count &&
               to->node_insert == GED_UNIT && to->node_delete == GED_UNIT &&
               to->node_relabel == GED_UNIT && to->edge_insert == GED_UNIT &&
               to->edge_delete == GED_UNIT && to->edge_relabel == GED_UNIT;
    return err;
}

static SEPX_CHECKED enum sepx_err
set_options(struct sepx_ged *ged, const struct sepx_ged_options *options)
{
    const struct sepx_costs unit = {.node_insert = 1,
                                    .node_delete = 1,
                                    .node_relabel = 1,
                                    .edge_insert = 1,
                                    .edge_delete = 1,
                                    .edge_relabel = 1};
    enum sepx_err err;

    ged->ignore_labels = options->ignore_labels;
    ged->plain = options->plain;
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
    err = copy_costs(&ged->costs, options->costs ? options->costs : &unit);
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
    sepx__free(ged->costs.node.row);
    sepx__free(ged->costs.edge.row);
    sepx__aligned_free(ged->tables);
    sepx__aligned_free(ged->memory);
    sepx__free(ged->map);
    sepx__free(ged->draw);
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
                            old_a->edge, codes, n);
    if (!err)
        err = sepx__ged_prepare(ged, b, old_b->n, old_b->label, old_b->m,
                                old_b->edge, codes, n);
    sepx__free(codes);
    return err;
}

/* Whether search.c can take the pair. */
static bool
fits_rows(const struct sepx_ged *ged, const struct sepx_ged_graph *a,
          const struct sepx_ged_graph *b)
{
    return ged->costs.unit && a->width && b->width && same_codes(a, b) &&
           sepx__ged_padded(ged, a, b) <= GED_ROWS_MAX;
}

static SEPX_CHECKED enum sepx_err
search_rows(struct sepx_ged *ged, struct ged_task *task)
{
#if defined(__x86_64__)
    if (ged->simd && sepx__ged_padded(ged, task->a, task->b) > 16)
        return sepx__ged_search_avx2(ged, task);
#endif
    return sepx__ged_search_base(ged, task);
}

/* A task in steps, given to search.c in whole edits and back. */
static SEPX_CHECKED enum sepx_err
solve_in_edits(struct sepx_ged *ged, struct ged_task *task)
{
    struct ged_task edits = *task;
    enum sepx_err err;

    edits.cap = task->cap < 0 ? -1 : task->cap / GED_UNIT;
    edits.lower = task->lower / GED_UNIT;
    err = search_rows(ged, &edits);
    task->nodes = edits.nodes;
    task->stopped = edits.stopped;
    task->lower = edits.lower * GED_UNIT;
    if (edits.upper != GED_UNKNOWN)
        task->upper = edits.upper * GED_UNIT;
    return err;
}

static SEPX_CHECKED enum sepx_err
solve(struct sepx_ged *ged, struct ged_task *task)
{
    if (fits_rows(ged, task->a, task->b) &&
        (!task->visit || task->cap <= GED_CAP_MAX * (int64_t)GED_UNIT)) {
        enum sepx_err err = solve_in_edits(ged, task);

        if (err || task->visit ||
            (task->upper != GED_UNKNOWN &&
             (task->lower >= task->upper || task->stopped ||
              task->lower > task->cap)))
            return err;
    }
    return sepx__ged_general(ged, task);
}

/* Run a task on graphs whose edge codes agree. */
static SEPX_CHECKED enum sepx_err
run_task(struct sepx_ged *ged, struct ged_task *task,
         const struct sepx_ged_limits *limits)
{
    const struct sepx_ged_graph *a = task->a, *b = task->b;
    struct sepx_ged_graph *new_a = NULL, *new_b = NULL;
    enum sepx_err err = SEPX_OK;

    if (limits) {
        task->node_limit = limits->nodes;
        if (limits->seconds > 0)
            task->deadline = sepx_clock() + limits->seconds;
    }
    if (!same_codes(a, b)) {
        err = agree_on_codes(ged, &new_a, &new_b, a, b);
        task->a = new_a;
        task->b = new_b;
    }
    if (!err)
        err = solve(ged, task);
    sepx_ged_graph_free(new_a);
    sepx_ged_graph_free(new_b);
    return err;
}

static int64_t
threshold(const struct sepx_ged_limits *limits)
{
    const double most = (double)(GED_UNKNOWN / 2);

    if (!limits || !limits->threshold)
        return GED_UNKNOWN - 1;
    if (!(limits->at_most >= 0))
        return -1;
    return limits->at_most * GED_UNIT >= most
               ? GED_UNKNOWN - 1
               : llround(floor(limits->at_most * GED_UNIT + 1e-3));
}

static void
set_exact(struct sepx_ged *ged, struct sepx_ged_result *result,
          unsigned distance)
{
    result->lower = result->upper = distance;
    result->exact = true;
    result->map = ged->map;
    result->nodes = 1;
}

enum sepx_err
sepx_ged_run(struct sepx_ged *ged, struct sepx_ged_result *result,
             const struct sepx_ged_graph *a, const struct sepx_ged_graph *b,
             const struct sepx_ged_limits *limits)
{
    struct ged_task task = {.a = a, .b = b, .upper = GED_UNKNOWN};
    enum sepx_err err = want_map(ged, a->n + 1);

    if (err)
        return err;
    if (is_tiny(ged, a, b)) {
        set_exact(ged, result,
                  sepx__ged_tiny_distance(ged, a, b, ged->map, NULL));
        return SEPX_OK;
    }
    task.cap = threshold(limits);
    task.map = ged->map;
    err = run_task(ged, &task, limits);
    if (err)
        return err;
    result->lower = (double)task.lower / GED_UNIT;
    result->upper = (double)task.upper / GED_UNIT;
    result->exact = task.lower == task.upper;
    result->nodes = task.nodes;
    result->map = ged->map;
    return SEPX_OK;
}

enum sepx_err
sepx__ged_visit(struct sepx_ged *ged, const struct sepx_ged_result *result,
                const struct sepx_ged_graph *a, const struct sepx_ged_graph *b,
                const struct sepx_ged_limits *limits,
                bool (*visit)(void *context, const int16_t *map), void *context)
{
    const int64_t distance = llround(result->upper * GED_UNIT);
    struct ged_task task = {.a = a,
                            .b = b,
                            .map = ged->map,
                            .lower = distance,
                            .upper = distance + 1,
                            .cap = distance,
                            .visit = visit,
                            .context = context};
    enum sepx_err err = run_task(ged, &task, limits);

    return !err && task.stopped ? SEPX_ELIMIT : err;
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
                sepx__ged_tiny_distance(ged, a[i], b[i], NULL, NULL);
            continue;
        }
        err = sepx_ged_run(ged, &result, a[i], b[i], limits);
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
    struct sepx_ged_graph *new_a = NULL, *new_b = NULL;
    struct ged_pair pair = {0};
    enum sepx_err err = agree_on_codes(ged, &new_a, &new_b, a, b);

    if (!err)
        err = sepx__pair_init(&pair, &ged->costs, new_a, new_b);
    if (!err)
        err = sepx__pair_check_map(&pair, map);
    if (!err)
        *cost = (double)sepx__pair_map_cost(&pair, map) / GED_UNIT;
    sepx__pair_release(&pair);
    sepx_ged_graph_free(new_a);
    sepx_ged_graph_free(new_b);
    return err;
}
