/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order in which a child's nodes are stored. Three rules are those of
 * sorting routines that published experiments happened to use; they matter
 * there, for mutation and standard crossover work by position.
 */
#include <assert.h>
#include <string.h>

#include "graph/internal.h"
#include "space/internal.h"

#define NODES SEPX__SPACE_NODES

/* ---- one node after the other ---- */

struct row {
    uint32_t at[NODES]; /* nodes that are ready: first..end-1 */
    uint32_t first, end;
    uint32_t waits[NODES]; /* for so many predecessors */
};

static void
row_init(struct row *row, const struct sepx__rows *rows)
{
    row->first = row->end = 0;
    for (uint32_t v = 0; v < rows->n; v++) {
        row->waits[v] = sepx__count(rows->in[v]);
        if (!row->waits[v])
            row->at[row->end++] = v;
    }
}

static void
release_some(struct row *row, uint64_t set)
{
    while (set) {
        uint32_t to = sepx__take_lowest(&set);

        if (!--row->waits[to])
            row->at[row->end++] = to;
    }
}

/* New edges follow the old ones. */
static void
release_next(struct row *row, const struct sepx__rows *rows,
             const uint64_t *fresh, uint32_t v)
{
    uint64_t late = fresh ? fresh[v] : 0;

    release_some(row, rows->out[v] & ~late);
    release_some(row, rows->out[v] & late);
}

/* Kahn's algorithm with a stack. */
static void
order_lifo(uint32_t *order, const struct sepx__rows *rows,
           const uint64_t *fresh)
{
    struct row row;

    row_init(&row, rows);
    for (uint32_t i = 0; i < rows->n; i++) {
        order[i] = row.at[--row.end];
        release_next(&row, rows, fresh, order[i]);
    }
}

/* Kahn's algorithm with a queue. */
static void
order_fifo(uint32_t *order, const struct sepx__rows *rows,
           const uint64_t *fresh)
{
    struct row row;

    row_init(&row, rows);
    for (uint32_t i = 0; i < rows->n; i++) {
        order[i] = row.at[row.first++];
        release_next(&row, rows, fresh, order[i]);
    }
}

static void
order_smallest(uint32_t *order, const struct sepx__rows *rows,
               const uint64_t *fresh)
{
    uint64_t done = 0;

    (void)fresh;
    for (uint32_t i = 0; i < rows->n; i++) {
        uint32_t v = 0;

        while (done >> v & 1 || rows->in[v] & ~done) {
            v++;
            assert(v < rows->n);
        }
        order[i] = v;
        done |= sepx__bit(v);
    }
}

static void
order_keep(uint32_t *order, const struct sepx__rows *rows,
           const uint64_t *fresh)
{
    (void)fresh;
    for (uint32_t v = 0; v < rows->n; v++)
        order[v] = v;
}

/* ---- groups ---- */

static uint8_t
group_of(const struct sepx_space *space, const struct sepx_graph *graph,
         uint32_t node)
{
    return sepx__label_row(space, graph->label[node])->group;
}

/* Ascending by group; nodes of one group stay in their order. */
static void
sort_groups(const struct sepx_space *space, uint32_t *order,
            const struct sepx_graph *graph)
{
    uint32_t old[NODES], found = 0;

    memcpy(old, order, graph->n_nodes * sizeof(*old));
    for (uint32_t group = 0; found < graph->n_nodes; group++)
        for (uint32_t i = 0; i < graph->n_nodes; i++)
            if (group_of(space, graph, old[i]) == group)
                order[found++] = old[i];
}

/* order[0..n-1] are the nodes of a group: put them in random order. */
static enum sepx_err
shuffle_group(uint32_t *order, uint32_t n, const struct sepx_graph *graph,
              struct sepx_rng *rng)
{
    struct sepx_edge edge[NODES * (NODES - 1) / 2];
    uint32_t old[NODES], draw[NODES], place[NODES];
    struct sepx_graph part = {.n_nodes = n, .edge = edge};
    bool acyclic;
    enum sepx_err err;

    if (n < 2)
        return SEPX_OK;
    memset(place, 0xff, sizeof(place));
    memcpy(old, order, n * sizeof(*old));
    for (uint32_t i = 0; i < n; i++)
        place[old[i]] = i;
    for (uint32_t i = 0; i < graph->n_edges; i++) {
        uint32_t from = place[graph->edge[i].from];
        uint32_t to = place[graph->edge[i].to];

        if (from < n && to < n)
            edge[part.n_edges++] =
                (struct sepx_edge){(uint16_t)from, (uint16_t)to, 0};
    }
    err = sepx_graph_topological_random(&part, draw, &acyclic, NULL, rng);
    for (uint32_t i = 0; i < n && !err; i++)
        order[i] = old[draw[i]];
    return err;
}

/* Nodes of a group keep their numbers' order before, so edges stay sorted. */
static enum sepx_err
order_random(const struct sepx_space *space, uint32_t *order,
             const struct sepx_graph *graph, struct sepx_rng *rng)
{
    uint32_t first = 0, end;
    enum sepx_err err = SEPX_OK;

    for (uint32_t v = 0; v < graph->n_nodes; v++)
        order[v] = v;
    sort_groups(space, order, graph);
    for (; first < graph->n_nodes && !err; first = end) {
        uint8_t group = group_of(space, graph, order[first]);

        for (end = first + 1; end < graph->n_nodes; end++)
            if (group_of(space, graph, order[end]) != group)
                break;
        err = shuffle_group(order + first, end - first, graph, rng);
    }
    return err;
}

/* Where edges may lead back, no order is topological. */
static void
order_any(uint32_t *order, uint32_t n, enum sepx_order rule,
          struct sepx_rng *rng)
{
    if (rule == SEPX_ORDER_RANDOM)
        sepx_rng_sample(rng, order, n, n);
    for (uint32_t v = 0; v < n && rule != SEPX_ORDER_RANDOM; v++)
        order[v] = v;
}

enum sepx_err
sepx__arrange(const struct sepx_space *space, uint32_t *order,
              const struct sepx_graph *graph, const struct sepx__rows *rows,
              const uint64_t *fresh, enum sepx_order rule, bool grouped,
              struct sepx_rng *rng)
{
    static void (*const by_rule[])(uint32_t *, const struct sepx__rows *,
                                   const uint64_t *) = {
        [SEPX_ORDER_LIFO] = order_lifo,
        [SEPX_ORDER_FIFO] = order_fifo,
        [SEPX_ORDER_SMALLEST] = order_smallest,
        [SEPX_ORDER_KEEP] = order_keep,
    };

    assert(rows->n == graph->n_nodes && rows->n <= NODES);
    if (space->ops->cyclic) {
        order_any(order, rows->n, rule, rng);
        sort_groups(space, order, graph);
        return SEPX_OK;
    }
    if (rule == SEPX_ORDER_RANDOM)
        return order_random(space, order, graph, rng);
    by_rule[rule](order, rows, fresh);
    if (grouped)
        sort_groups(space, order, graph);
    return SEPX_OK;
}

void
sepx__reorder(struct sepx_graph *graph, const uint32_t *order)
{
    uint16_t label[NODES], place[NODES];

    assert(graph->n_nodes <= NODES);
    memcpy(label, graph->label, graph->n_nodes * sizeof(*label));
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        place[order[i]] = (uint16_t)i;
        graph->label[i] = label[order[i]];
    }
    for (uint32_t i = 0; i < graph->n_edges; i++) {
        graph->edge[i].from = place[graph->edge[i].from];
        graph->edge[i].to = place[graph->edge[i].to];
    }
    sepx__edges_order(graph);
}

bool
sepx__is_stored(const struct sepx_space *space, const struct sepx_graph *graph)
{
    for (uint32_t i = 0; i < graph->n_edges && !space->ops->cyclic; i++)
        if (graph->edge[i].from > graph->edge[i].to)
            return false;
    for (uint32_t i = 1; i < graph->n_nodes; i++)
        if (group_of(space, graph, i - 1) > group_of(space, graph, i))
            return false;
    return true;
}
