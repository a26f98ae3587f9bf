/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/oracle_iso.h"

#include <string.h>

#define NODES_MAX 512

static bool
same_text(const struct sepx_graph *a, uint16_t x, const struct sepx_graph *b,
          uint16_t y)
{
    return !strcmp(sepx_names_text(a->names, x), sepx_names_text(b->names, y));
}

/* How many: by walking over all edges that start where `from` does. */
static uint32_t
count_edges(const struct sepx_graph *graph, const uint32_t *start,
            uint32_t from, uint32_t to, const struct sepx_graph *other,
            uint16_t label)
{
    uint32_t count = 0;

    if (graph->undirected && from > to)
        return count_edges(graph, start, to, from, other, label);
    for (uint32_t i = start[from]; i < graph->n_edges; i++) {
        if (graph->edge[i].from != from)
            break;
        count += graph->edge[i].to == to &&
                 same_text(graph, graph->edge[i].label, other, label);
    }
    return count;
}

static void
find_starts(const struct sepx_graph *graph, uint32_t *start)
{
    for (uint32_t i = graph->n_edges; i--;)
        start[graph->edge[i].from] = i;
}

/* Edge counts are equal and no edge is met twice, so one way is enough. */
bool
oracle_is_isomorphism(const struct sepx_graph *a, const struct sepx_graph *b,
                      const uint32_t *map)
{
    bool hit[NODES_MAX] = {false};
    uint32_t start_a[NODES_MAX] = {0}, start_b[NODES_MAX] = {0};

    if (a->n_nodes != b->n_nodes || a->n_edges != b->n_edges ||
        a->undirected != b->undirected || a->n_nodes > NODES_MAX)
        return false;
    for (uint32_t i = 0; i < a->n_nodes; i++) {
        if (map[i] >= b->n_nodes || hit[map[i]] ||
            !same_text(a, a->label[i], b, b->label[map[i]]))
            return false;
        hit[map[i]] = true;
    }
    find_starts(a, start_a);
    find_starts(b, start_b);
    for (uint32_t i = 0; i < a->n_edges; i++) {
        struct sepx_edge edge = a->edge[i];

        if (count_edges(b, start_b, map[edge.from], map[edge.to], a,
                        edge.label) !=
            count_edges(a, start_a, edge.from, edge.to, a, edge.label))
            return false;
    }
    return true;
}

/* Heap's algorithm, by recursion over the first `k` places. */
static bool
try_all(const struct sepx_graph *a, const struct sepx_graph *b, uint32_t *map,
        uint32_t k)
{
    if (k <= 1)
        return oracle_is_isomorphism(a, b, map);
    for (uint32_t i = 0; i < k; i++) {
        uint32_t other = k % 2 ? 0 : i, kept;

        if (try_all(a, b, map, k - 1))
            return true;
        kept = map[other];
        map[other] = map[k - 1];
        map[k - 1] = kept;
    }
    return false;
}

bool
oracle_isomorphic(const struct sepx_graph *a, const struct sepx_graph *b)
{
    uint32_t map[16];

    if (a->n_nodes != b->n_nodes || a->n_nodes > 16)
        return false;
    for (uint32_t i = 0; i < a->n_nodes; i++)
        map[i] = i;
    return try_all(a, b, map, a->n_nodes);
}
