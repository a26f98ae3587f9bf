/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two searches take turns and share their bounds and the best map: byte rows
 * (row_search.c), fast where the distance or the graphs are small, and the
 * split bound (split.c). Turns are counted in work, not in time, so that the
 * same pair takes the same course everywhere. All optimal maps are listed by
 * one of the two.
 */
#include "ged/split/split.h"

#define TURN UINT64_C(60000)         /* of the byte rows; about nanoseconds */
#define TURN_SMALL UINT64_C(5000000) /* up to 16 nodes they nearly always win */
#define SPLIT_TURNS 64 /* of the split bound, for each of theirs */
#define GROWTH 4
#define ALIGNED 40   /* nodes from which a limited search also aligns orders */
#define LAST_ROUND 3 /* with turns of the byte rows, above 16 nodes */
#define LAST_SHORT 4 /* times as long as their turn would be */
#define LAST_LONG 64

static bool
same_codes(const struct sepx_ged_graph *a, const struct sepx_ged_graph *b)
{
    if (a->n_codes != b->n_codes)
        return false;
    for (uint32_t x = 0; x < a->n_codes; x++)
        if (a->code[x] != b->code[x])
            return false;
    return true;
}

static bool
fits_rows(const struct sepx_ged *ged, const struct ged_task *task)
{
    return ged->costs.unit && task->a->width && task->b->width &&
           task->a->n_edges == task->a->m && task->b->n_edges == task->b->m &&
           same_codes(task->a, task->b) && task->padded <= GED_ROWS_MAX &&
           (!task->visit || task->cap <= GED_CAP_MAX * (int64_t)GED_UNIT);
}

/* Not proven to be farther apart than byte rows can count. */
static bool
in_byte_range(const struct ged_task *task)
{
    return task->lower <= GED_CAP_MAX * (int64_t)GED_UNIT;
}

static SEPX_CHECKED enum sepx_err
search_rows(struct sepx_ged *ged, struct ged_task *task)
{
#if defined(__x86_64__)
    if (ged->simd && task->padded > 16)
        return sepx__ged_search_avx2(ged, task);
#endif
    return sepx__ged_search_base(ged, task);
}

/* A task in steps, given to row_search.c in whole edits and back. */
static SEPX_CHECKED enum sepx_err
solve_in_edits(struct sepx_ged *ged, struct ged_task *task, uint64_t nodes)
{
    struct ged_task edits = *task;
    enum sepx_err err;

    edits.step = ged->costs.one;
    edits.cap = task->cap < 0 ? -1 : task->cap / GED_UNIT;
    edits.lower = task->lower / GED_UNIT;
    if (task->upper != GED_UNKNOWN && !task->visit)
        edits.upper = task->upper / GED_UNIT;
    if (nodes && (!edits.node_limit || task->nodes + nodes < edits.node_limit))
        edits.node_limit = task->nodes + nodes;
    err = search_rows(ged, &edits);
    task->nodes = edits.nodes;
    task->stopped = edits.stopped;
    if (edits.lower * GED_UNIT > task->lower)
        task->lower = edits.lower * GED_UNIT;
    if (edits.upper != GED_UNKNOWN && edits.upper * GED_UNIT < task->upper)
        task->upper = edits.upper * GED_UNIT;
    return err;
}

static bool
is_decided(const struct ged_task *task)
{
    return task->upper != GED_UNKNOWN &&
           (task->lower >= task->upper || task->lower > task->cap);
}

static bool
is_over(const struct ged_task *task)
{
    return (task->node_limit && task->nodes >= task->node_limit) ||
           sepx__ged_is_over(task);
}

/* Nodes of the byte rows that take about so much work. */
static uint64_t
nodes_in(const struct ged_task *task, uint64_t work)
{
    const uint64_t n = task->padded;

    return 1 + work / (250 + n * sepx__ged_width((uint32_t)n) * 5 / 8);
}

/*
 * The beginning of the other search alone, whatever the limit: of networks,
 * maps that keep their order are far better than what byte rows find.
 */
static SEPX_CHECKED enum sepx_err
begin_split(struct sepx_ged *ged, struct ged_task *task)
{
    const uint64_t limit = task->node_limit;
    struct ged_split *split = NULL;
    enum sepx_err err;

    task->node_limit = 0;
    task->stopped = false;
    task->brief = true;
    err = sepx__split_new(&split, ged, task);
    if (!err)
        err = sepx__split_run(split, 1);
    sepx__split_free(split);
    task->brief = false;
    task->node_limit = limit;
    return err;
}

/*
 * A limit of nodes is one of work, and nodes of the split bound cost far
 * more. So the byte rows have it all, where they can; a better map is worth
 * more then than the rest.
 */
static SEPX_CHECKED enum sepx_err
spend_nodes(struct sepx_ged *ged, struct ged_task *task)
{
    enum sepx_err err = solve_in_edits(ged, task, 0);

    if (!err && !ged->rough && !is_decided(task) && !sepx__ged_is_over(task) &&
        task->padded >= ALIGNED)
        err = begin_split(ged, task);
    if (err || is_decided(task))
        return err;
    task->stopped = true;
    return sepx__ged_polish(ged, task);
}

/* Nodes of one label in both graphs: there the byte rows last longest. */
static bool
has_one_label(const struct ged_task *task)
{
    const struct sepx_ged_graph *const side[] = {task->a, task->b};

    for (unsigned x = 0; x < 2; x++)
        for (uint32_t i = 0; i < side[x]->n; i++)
            if (side[x]->label[i] != side[0]->label[0])
                return false;
    return true;
}

/*
 * Turns of both, longer ones each time, until it is decided. Above 16 nodes
 * the byte rows have a few turns; the split bound continues alone.
 */
static SEPX_CHECKED enum sepx_err
take_turns(struct sepx_ged *ged, struct ged_task *task)
{
    bool rows = fits_rows(ged, task);
    const bool small = rows && task->padded <= 16;
    uint64_t turn = small ? TURN_SMALL : TURN;
    struct ged_split *split = NULL;
    enum sepx_err err = SEPX_OK;

    for (unsigned round = 0;; round++, turn *= GROWTH) {
        const bool last = !small && (!rows || round == LAST_ROUND);
        uint64_t own = turn;

        if (last)
            own *= has_one_label(task) ? LAST_LONG : LAST_SHORT;
        /* Distances that leave the byte range are the other's alone. */
        if (rows && in_byte_range(task) && !(task->begun && !round)) {
            err = solve_in_edits(ged, task, nodes_in(task, own));
            if (err || is_decided(task))
                break;
        }
        task->stopped = is_over(task);
        if (task->stopped && split)
            break;
        if (!split)
            err = sepx__split_new(&split, ged, task);
        if (!err) {
            split->alone = last && !task->node_limit;
            err = sepx__split_run(split, last    ? UINT64_MAX / 2
                                         : small ? turn
                                                 : SPLIT_TURNS * turn);
        }
        if (err || is_decided(task) || task->stopped)
            break;
        rows &= !last;
    }
    sepx__split_free(split);
    return err;
}

static SEPX_CHECKED enum sepx_err
list_maps(struct sepx_ged *ged, struct ged_task *task)
{
    struct ged_split *split = NULL;
    enum sepx_err err;

    if (fits_rows(ged, task))
        return solve_in_edits(ged, task, 0);
    err = sepx__split_new(&split, ged, task);
    if (!err)
        err = sepx__split_run(split, UINT64_MAX / 2);
    sepx__split_free(split);
    return err;
}

static SEPX_CHECKED enum sepx_err
solve(struct sepx_ged *ged, struct ged_task *task)
{
    if (task->node_limit && !task->a->undirected && fits_rows(ged, task) &&
        in_byte_range(task))
        return spend_nodes(ged, task);
    return take_turns(ged, task);
}

/*
 * The k-th node on the k-th, where a search that was cut short missed it. It
 * may leave nodes over that have to be mapped, if there are such.
 */
static SEPX_CHECKED enum sepx_err
try_position(const struct sepx_ged *ged, struct ged_task *task)
{
    const struct ged_bundles *bundles = task->costs->bundles;
    struct ged_problem p = {0};
    int32_t *rows;
    enum sepx_err err;
    int64_t cost;

    if (ged->first_root || is_decided(task))
        return SEPX_OK;
    rows = sepx__calloc(task->a->n + task->b->n, sizeof *rows);
    err = rows ? SEPX_OK : SEPX_ENOMEM;
    if (!err)
        err = sepx__problem_init(&p, task, false);
    if (!err) {
        sepx__problem_identity(&p, rows);
        cost = sepx__problem_price(&p, rows);
        if (cost < task->upper && !(bundles && bundles->bags->cut)) {
            task->upper = cost;
            sepx__problem_export(&p, rows, task->map);
        }
    }
    sepx__problem_release(&p);
    sepx__free(rows);
    return err;
}

/* With other numbers for the nodes, and back. */
static SEPX_CHECKED enum sepx_err
solve_numbered(struct sepx_ged *ged, struct ged_task *task,
               const struct ged_numbers *numbers)
{
    struct ged_task inner = *task;
    enum sepx_err err;

    inner.a = numbers->graph[0];
    inner.b = numbers->graph[1];
    inner.numbers = numbers;
    inner.map = sepx__calloc(task->a->n, sizeof *inner.map);
    if (!inner.map)
        return SEPX_ENOMEM;
    if (task->upper != GED_UNKNOWN)
        sepx__ged_numbers_map(numbers, inner.map, task->map, false);
    err = solve(ged, &inner);
    if (!err)
        err = try_position(ged, &inner);
    if (!err)
        sepx__ged_numbers_map(numbers, task->map, inner.map, true);
    sepx__free(inner.map);
    inner.a = task->a;
    inner.b = task->b;
    inner.numbers = NULL;
    inner.map = task->map;
    *task = inner;
    return err ? err : try_position(ged, task);
}

/* Graphs that are small are mostly done sooner than put into an order. */
static SEPX_CHECKED enum sepx_err
begin_rows(struct sepx_ged *ged, struct ged_task *task)
{
    if (task->padded > GED_SMALL || !fits_rows(ged, task) ||
        !in_byte_range(task))
        return SEPX_OK;
    task->begun = true;
    return solve_in_edits(ged, task, nodes_in(task, TURN));
}

enum sepx_err
sepx__ged_solve(struct sepx_ged *ged, struct ged_task *task)
{
    struct ged_numbers numbers;
    enum sepx_err err;

    if (task->visit)
        return list_maps(ged, task);
    if (task->padded < GED_NUMBERED ||
        (task->node_limit && task->padded <= GED_SMALL))
        return solve(ged, task);
    err = begin_rows(ged, task);
    if (err || is_decided(task))
        return err;
    err = sepx__ged_renumber(&numbers, task);
    if (err)
        return err;
    err =
        numbers.memory ? solve_numbered(ged, task, &numbers) : solve(ged, task);
    sepx__ged_numbers_release(&numbers);
    return err;
}
