/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any costs, any size. Depth-first branch and bound as in search.c, but in
 * 64-bit costs, with deletion and insertion always open to every node (they
 * may be cheaper than a relabelling), and with the bound by assign.c. Graphs
 * of more than GED_EXACT_MAX nodes get the bounds of the root and a map from
 * local search; a limit that stops the search gets the same.
 *
 * Entries are doubled, because an open edge is counted at both of its ends.
 */
#include <string.h>

#include "ged/pair.h"

#define GED_EXACT_MAX 128   /* nodes of either graph */
#define GED_MATRIX_MAX 2048 /* above, rows and columns are bounded alone */

struct search {
    struct ged_pair pair;
    struct ged_task *task;
    unsigned n, m; /* nodes of a and b */
    int64_t *cost; /* n by m, open rows and columns first */
    int64_t *row_alone, *column_alone;
    int32_t *column_of;
    uint16_t *row, *column; /* open nodes of a, open nodes of b */
    unsigned n_row, n_column;
    int16_t *map;    /* fixed so far; GED_OPEN if open */
    bool *used;      /* columns in use */
    uint16_t *order; /* of branching */
    enum sepx_err err;
};

#define GED_OPEN (-2)

/* ---- the bound ---- */

/* Edges of one direction: certain ones, twice; open ones by their number. */
static int64_t
link_cost(const struct search *s, const struct ged_links *a,
          const struct ged_links *b, unsigned i, unsigned j)
{
    const struct ged_costs *costs = s->pair.costs;
    uint32_t y = b->first[j];
    int64_t cost = 0, open_a = 0, open_b = 0;

    for (uint32_t x = a->first[i]; x < a->first[i + 1]; x++) {
        int at = s->map[a->end[x].node];
        unsigned code = 0;

        if (at == GED_OPEN) {
            open_a++;
            continue;
        }
        for (y = b->first[j]; at >= 0 && y < b->first[j + 1] && !code; y++)
            if (b->end[y].node == at)
                code = b->end[y].code;
        cost += 2 * sepx__pair_edge(&s->pair, a->end[x].code, code);
        if (code) /* counted as an insertion below */
            cost -= 2 * costs->edge_insert;
    }
    for (y = b->first[j]; y < b->first[j + 1]; y++)
        if (s->used[b->end[y].node])
            cost += 2 * costs->edge_insert;
        else
            open_b++;
    return cost + (open_a > open_b ? (open_a - open_b) * costs->edge_delete
                                   : (open_b - open_a) * costs->edge_insert);
}

/* A node alone: each edge certain, or open and half its own. */
static int64_t
alone(const struct ged_links *links, unsigned node, int64_t edge_cost,
      const int16_t *map, const bool *used)
{
    int64_t cost = 0;

    for (uint32_t x = links->first[node]; x < links->first[node + 1]; x++) {
        unsigned end = links->end[x].node;
        bool open = map ? map[end] == GED_OPEN : !used[end];

        cost += open ? edge_cost : 2 * edge_cost;
    }
    return cost;
}

static int64_t
row_alone(const struct search *s, unsigned i)
{
    const struct ged_costs *costs = s->pair.costs;

    return 2 * costs->node_delete +
           alone(&s->pair.a.out, i, costs->edge_delete, s->map, NULL) +
           alone(&s->pair.a.in, i, costs->edge_delete, s->map, NULL);
}

static int64_t
column_alone(const struct search *s, unsigned j)
{
    const struct ged_costs *costs = s->pair.costs;

    return 2 * costs->node_insert +
           alone(&s->pair.b.out, j, costs->edge_insert, NULL, s->used) +
           alone(&s->pair.b.in, j, costs->edge_insert, NULL, s->used);
}

static int64_t
entry(const struct search *s, unsigned i, unsigned j)
{
    int64_t node = sepx__pair_node(&s->pair, i, j);

    if (node >= GED_FORBIDDEN)
        return GED_FORBIDDEN;
    return 2 * node + link_cost(s, &s->pair.a.out, &s->pair.b.out, i, j) +
           link_cost(s, &s->pair.a.in, &s->pair.b.in, i, j);
}

static void
list_open(struct search *s)
{
    s->n_row = s->n_column = 0;
    for (unsigned k = 0; k < s->n; k++)
        if (s->map[s->order[k]] == GED_OPEN)
            s->row[s->n_row++] = s->order[k];
    for (unsigned j = 0; j < s->m; j++)
        if (!s->used[j])
            s->column[s->n_column++] = (uint16_t)j;
}

/*
 * Twice a lower bound of what the open part costs. Deleting a node and its
 * open edges is charged in full at the ends that are deleted, so an entry
 * never exceeds its share.
 */
static SEPX_CHECKED enum sepx_err
bound(struct search *s, int64_t *twice)
{
    struct ged_assignment p = {.cost = s->cost,
                               .row_alone = s->row_alone,
                               .column_alone = s->column_alone,
                               .column_of = s->column_of,
                               .deadline = s->task->deadline};
    enum sepx_err err;

    list_open(s);
    p.rows = s->n_row;
    p.columns = s->n_column;
    for (unsigned x = 0; x < s->n_row; x++) {
        s->row_alone[x] = row_alone(s, s->row[x]);
        for (unsigned y = 0; y < s->n_column; y++)
            s->cost[x * s->n_column + y] = entry(s, s->row[x], s->column[y]);
    }
    for (unsigned y = 0; y < s->n_column; y++)
        s->column_alone[y] = column_alone(s, s->column[y]);
    err = sepx__assign(&p);
    *twice = p.total;
    return err;
}

/* ---- solutions ---- */

static void
keep(struct search *s, const int16_t *map, int64_t cost)
{
    struct ged_task *task = s->task;

    if (cost >= task->upper)
        return;
    task->upper = cost;
    memcpy(task->map, map, s->n * sizeof *map);
}

/* The fixed part, completed by the last assignment. */
static void
complete(const struct search *s, int16_t *map)
{
    memcpy(map, s->map, s->n * sizeof *map);
    for (unsigned x = 0; x < s->n_row; x++)
        map[s->row[x]] = s->column_of[x] < 0
                             ? SEPX_NONE
                             : (int16_t)s->column[s->column_of[x]];
}

static void
offer(struct search *s)
{
    int16_t map[GED_EXACT_MAX];

    complete(s, map);
    keep(s, map, sepx__pair_map_cost(&s->pair, map));
}

/* ---- the tree ---- */

/* What fixing node i to j (or alone) adds that is certain, twice. */
static int64_t
certain(const struct search *s, unsigned i, int j)
{
    const struct ged_pair *pair = &s->pair;
    int64_t cost = j < 0 ? pair->costs->node_delete
                         : sepx__pair_node(pair, i, (unsigned)j);

    for (unsigned k = 0; k < s->n; k++) {
        unsigned x, y = 0, x_back, y_back = 0;

        if (s->map[k] == GED_OPEN || k == i)
            continue;
        x = sepx__pair_code(&pair->a, i, k);
        x_back = sepx__pair_code(&pair->a, k, i);
        if (j >= 0 && s->map[k] >= 0) {
            y = sepx__pair_code(&pair->b, (unsigned)j, (unsigned)s->map[k]);
            y_back =
                sepx__pair_code(&pair->b, (unsigned)s->map[k], (unsigned)j);
        }
        cost +=
            sepx__pair_edge(pair, x, y) + sepx__pair_edge(pair, x_back, y_back);
    }
    return cost;
}

static bool
is_late(const struct ged_task *task)
{
    return task->deadline > 0 && sepx_clock() > task->deadline;
}

static bool
out_of_budget(struct ged_task *task)
{
    if ((task->node_limit && task->nodes >= task->node_limit) || is_late(task))
        task->stopped = true;
    return task->stopped;
}

static int64_t
limit_of(const struct ged_task *task)
{
    return task->upper - 1 < task->cap ? task->upper - 1 : task->cap;
}

struct choice {
    int64_t price;
    int column;
};

/* Columns of the next row, and being alone, cheapest first. */
static unsigned
list_choices(const struct search *s, struct choice *choice)
{
    unsigned count = 0;

    for (unsigned y = 0; y <= s->n_column; y++) {
        struct choice c = {.column = SEPX_NONE};
        unsigned at = count;

        if (y < s->n_column) {
            if (s->cost[y] >= GED_FORBIDDEN)
                continue;
            c.column = s->column[y];
            c.price = s->cost[y] - s->column_alone[y];
        } else {
            c.price = s->row_alone[0];
        }
        for (; at && choice[at - 1].price > c.price; at--)
            choice[at] = choice[at - 1];
        choice[at] = c;
        count++;
    }
    return count;
}

static void
report(struct search *s)
{
    struct ged_task *task = s->task;
    int64_t cost = sepx__pair_map_cost(&s->pair, s->map);

    if (!task->visit) {
        keep(s, s->map, cost);
    } else if (cost == task->cap) {
        memcpy(task->map, s->map, s->n * sizeof *s->map);
        if (!task->visit(task->context, task->map))
            task->stopped = true;
    }
}

/* All maps that extend the fixed part, whose certain cost is `cost`. */
static void
explore(struct search *s, unsigned depth, int64_t cost)
{
    struct choice choice[GED_EXACT_MAX + 1];
    struct ged_task *task = s->task;
    unsigned count, i;
    int64_t twice;

    task->nodes++;
    if (depth == s->n) {
        report(s);
        return;
    }
    if (out_of_budget(task))
        return;
    s->err = bound(s, &twice);
    if (s->err) {
        task->stopped = true;
        return;
    }
    if (!task->visit)
        offer(s);
    if (2 * cost + twice > 2 * limit_of(task))
        return;
    i = s->row[0];
    count = list_choices(s, choice);
    for (unsigned k = 0; k < count && !task->stopped; k++) {
        int64_t sum = cost + certain(s, i, choice[k].column);

        if (sum > limit_of(task))
            continue;
        s->map[i] = (int16_t)choice[k].column;
        if (choice[k].column >= 0)
            s->used[choice[k].column] = true;
        explore(s, depth + 1, sum);
        s->map[i] = GED_OPEN;
        if (choice[k].column >= 0)
            s->used[choice[k].column] = false;
    }
}

/* ---- large graphs ---- */

/* Surplus nodes and edges have to go, or to come. */
static int64_t
count_bound(const struct search *s)
{
    const struct ged_costs *costs = s->pair.costs;
    const int64_t nodes = (int64_t)s->n - s->m;
    const int64_t edges = (int64_t)s->pair.a.graph->m - s->pair.b.graph->m;

    return 2 * (nodes > 0 ? nodes * costs->node_delete
                          : -nodes * costs->node_insert) +
           2 * (edges > 0 ? edges * costs->edge_delete
                          : -edges * costs->edge_insert);
}

/* Each row at its own best: weaker than an assignment, but O(n m). */
static int64_t
weak_bound(const struct search *s)
{
    const int64_t least = count_bound(s);
    int64_t rows = 0, columns = 0;

    for (unsigned j = 0; j < s->m; j++)
        columns += s->column_alone[j];
    for (unsigned i = 0; i < s->n; i++) {
        int64_t best = s->row_alone[i];

        if (is_late(s->task))
            return least;

        for (unsigned j = 0; j < s->m; j++) {
            int64_t cost = entry(s, i, j);

            if (cost < GED_FORBIDDEN && cost - s->column_alone[j] < best)
                best = cost - s->column_alone[j];
        }
        rows += best;
    }
    return rows + columns > least ? rows + columns : least;
}

/* Rows by falling degree take the best column left, while there is time. */
static void
greedy_map(const struct search *s, int16_t *map, bool *taken)
{
    memset(taken, 0, s->m * sizeof *taken);
    for (unsigned k = 0; k < s->n; k++) {
        unsigned i = s->order[k];
        int64_t best = s->row_alone[i];

        map[i] = SEPX_NONE;
        for (unsigned j = 0; j < s->m && !is_late(s->task); j++) {
            int64_t cost = taken[j] ? GED_FORBIDDEN : entry(s, i, j);

            if (cost < GED_FORBIDDEN && cost - s->column_alone[j] < best) {
                best = cost - s->column_alone[j];
                map[i] = (int16_t)j;
            }
        }
        if (map[i] >= 0)
            taken[map[i]] = true;
    }
}

/* Bounds and a map without a tree: for what is too large, or stopped. */
static SEPX_CHECKED enum sepx_err
estimate(struct search *s, bool matrix)
{
    struct ged_task *task = s->task;
    int16_t *map = sepx__calloc(s->n + 1, sizeof *map);
    bool *taken = sepx__calloc(s->m + 1, sizeof *taken);
    enum sepx_err err = SEPX_ENOMEM;
    int64_t twice = 0, cost;

    if (!map || !taken)
        goto done;
    err = matrix ? bound(s, &twice) : SEPX_ELIMIT;
    if (!err) {
        complete(s, map);
    } else if (err == SEPX_ELIMIT) {
        for (unsigned i = 0; i < s->n; i++)
            s->row_alone[i] = row_alone(s, i);
        for (unsigned j = 0; j < s->m; j++)
            s->column_alone[j] = column_alone(s, j);
        twice = weak_bound(s);
        greedy_map(s, map, taken);
        err = SEPX_OK;
    }
    if (err)
        goto done;
    if (task->lower < (twice + 1) / 2)
        task->lower = (twice + 1) / 2;
    cost = sepx__pair_map_cost(&s->pair, map);
    err = sepx__pair_improve(&s->pair, map, &cost, task->deadline);
    keep(s, map, cost);
done:
    sepx__free(taken);
    sepx__free(map);
    return err;
}

/* ---- set-up ---- */

static unsigned
degree(const struct ged_side *side, unsigned i)
{
    return side->out.first[i + 1] - side->out.first[i] + side->in.first[i + 1] -
           side->in.first[i];
}

/* Nodes by falling degree, so that edges become certain early. */
static void
set_order(struct search *s)
{
    for (unsigned i = 0; i < s->n; i++) {
        unsigned at = i, mine = degree(&s->pair.a, i);

        for (; at && degree(&s->pair.a, s->order[at - 1]) < mine; at--)
            s->order[at] = s->order[at - 1];
        s->order[at] = (uint16_t)i;
    }
}

static SEPX_CHECKED enum sepx_err
get_memory(struct search *s, bool matrix)
{
    const size_t n = s->n + 1, m = s->m + 1;

    if (matrix) {
        s->cost = sepx__calloc(n * m, sizeof *s->cost);
        if (!s->cost)
            return SEPX_ENOMEM;
    }
    s->row_alone = sepx__calloc(n + m, sizeof *s->row_alone);
    s->column_of = sepx__calloc(n, sizeof *s->column_of);
    s->row = sepx__calloc(2 * n + m, sizeof *s->row);
    s->map = sepx__calloc(n, sizeof *s->map);
    s->used = sepx__calloc(m, sizeof *s->used);
    if (!s->row_alone || !s->column_of || !s->row || !s->map || !s->used)
        return SEPX_ENOMEM;
    s->column_alone = s->row_alone + n;
    s->order = s->row + n;
    s->column = s->order + n;
    for (unsigned i = 0; i < s->n; i++)
        s->map[i] = GED_OPEN;
    return SEPX_OK;
}

static void
release(struct search *s)
{
    sepx__free(s->cost);
    sepx__free(s->row_alone);
    sepx__free(s->column_of);
    sepx__free(s->row);
    sepx__free(s->map);
    sepx__free(s->used);
    sepx__pair_release(&s->pair);
}

/* The tree, and what it proves when it is finished. */
static SEPX_CHECKED enum sepx_err
explore_all(struct search *s)
{
    struct ged_task *task = s->task;
    const int64_t limit = limit_of(task);

    explore(s, 0, 0);
    if (s->err && s->err != SEPX_ELIMIT)
        return s->err;
    if (!task->stopped && !task->visit) {
        int64_t proven = limit == INT64_MAX ? limit : limit + 1;

        if (proven > task->upper)
            proven = task->upper;
        if (task->lower < proven)
            task->lower = proven;
    }
    return SEPX_OK;
}

enum sepx_err
sepx__ged_general(struct sepx_ged *ged, struct ged_task *task)
{
    struct search s = {.task = task, .n = task->a->n, .m = task->b->n};
    const bool matrix = s.n <= GED_MATRIX_MAX && s.m <= GED_MATRIX_MAX;
    const bool small = s.n <= GED_EXACT_MAX && s.m <= GED_EXACT_MAX;
    enum sepx_err err = sepx__pair_init(&s.pair, &ged->costs, task->a, task->b);

    if (!err)
        err = get_memory(&s, matrix);
    if (err)
        goto done;
    set_order(&s);
    if (!task->visit)
        err = estimate(&s, matrix);
    if (!err && task->lower < task->upper && task->lower <= task->cap) {
        if (small)
            err = explore_all(&s);
        else
            task->stopped = true;
    }
done:
    release(&s);
    return err;
}
