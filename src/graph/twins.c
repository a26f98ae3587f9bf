/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Twins: nodes of one colour with the same edges to and from the same nodes.
 * Exchanging twins changes nothing, so they may be told apart in any order
 * without losing the canonical form. nauty needs cubic time to find that out
 * where a layer is wide or many nodes are isolated.
 */
#include "graph/canon.h"

#include <stdlib.h>
#include <string.h>

/* One node's edges, each as far end, direction and label. */
struct around {
    const uint64_t *arc;
    uint32_t n_arcs, colour, place;
};

static int
compare_around(const void *left, const void *right)
{
    const struct around *a = left, *b = right;

    if (a->colour != b->colour)
        return a->colour < b->colour ? -1 : 1;
    if (a->n_arcs != b->n_arcs)
        return a->n_arcs < b->n_arcs ? -1 : 1;
    return memcmp(a->arc, b->arc, a->n_arcs * sizeof(*a->arc));
}

static bool
same_around(const struct around *a, const struct around *b)
{
    return compare_around(a, b) == 0;
}

static void
list_side(const struct sepx_graph *graph, size_t *start, uint64_t *arc,
          bool out)
{
    const uint64_t in = !graph->undirected && !out;

    for (uint32_t i = graph->n_edges; i--;) {
        struct sepx_edge e = graph->edge[i];

        arc[--start[out ? e.from : e.to]] =
            (uint64_t)(out ? e.to : e.from) << 17 | in << 16 | e.label;
    }
}

/*
 * Node v's arcs begin at start[v]; first those out, then those in. Those of
 * an undirected graph come by their far ends, smaller ones first.
 */
static void
list_arcs(const struct sepx_graph *graph, size_t *start, uint64_t *arc)
{
    uint32_t n = graph->n_nodes;

    memset(start, 0, ((size_t)n + 1) * sizeof(*start));
    for (uint32_t i = 0; i < graph->n_edges; i++) {
        start[graph->edge[i].from]++;
        start[graph->edge[i].to]++;
    }
    for (uint32_t v = 0; v < n; v++) /* now where they end */
        start[v + 1] += start[v];
    list_side(graph, start, arc, graph->undirected);
    list_side(graph, start, arc, !graph->undirected);
}

static void
number_twins(struct around *around, uint32_t n, struct sepx__cell *cell)
{
    uint64_t number = 0;

    qsort(around, n, sizeof(*around), compare_around);
    for (uint32_t i = 0; i < n; i++) {
        number = i && same_around(&around[i - 1], &around[i]) ? number + 1 : 0;
        cell[around[i].place].mark = number;
    }
}

enum sepx_err
sepx__twins_mark(const struct sepx_graph *graph, struct sepx__cell *cell)
{
    size_t n = graph->n_nodes;
    size_t *start = sepx__alloc((n + 1) * sizeof(*start));
    uint64_t *arc =
        sepx__alloc((2 * (size_t)graph->n_edges + 1) * sizeof(*arc));
    struct around *around = sepx__alloc(n * sizeof(*around));
    enum sepx_err err = SEPX_ENOMEM;

    if (!start || !arc || !around)
        goto done;
    list_arcs(graph, start, arc);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t v = cell[i].node;

        around[i] =
            (struct around){arc + start[v], (uint32_t)(start[v + 1] - start[v]),
                            cell[i].colour, i};
    }
    number_twins(around, (uint32_t)n, cell);
    err = SEPX_OK;
done:
    sepx__free(around);
    sepx__free(arc);
    sepx__free(start);
    return err;
}
