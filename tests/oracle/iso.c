/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/iso.h"

#include <string.h>

#define NODES_MAX 512

static bool
same_text(const struct sepx_graph *a, uint16_t x, const struct sepx_graph *b,
          uint16_t y)
{
    return !strcmp(sepx_names_text(a->names, x), sepx_names_text(b->names, y));
}

/* By walking over all edges that start where `from` does. */
static bool
has_edge(const struct sepx_graph *graph, const uint32_t *start, uint32_t from,
         uint32_t to, const struct sepx_graph *other, uint16_t label)
{
    for (uint32_t i = start[from]; i < graph->n_edges; i++) {
        if (graph->edge[i].from != from)
            break;
        if (graph->edge[i].to == to)
            return same_text(graph, graph->edge[i].label, other, label);
    }
    return false;
}

/* Edge counts are equal and no edge is met twice, so one way is enough. */
bool
oracle_is_isomorphism(const struct sepx_graph *a, const struct sepx_graph *b,
                      const uint32_t *map)
{
    bool hit[NODES_MAX] = {false};
    uint32_t start[NODES_MAX] = {0};

    if (a->n_nodes != b->n_nodes || a->n_edges != b->n_edges ||
        a->n_nodes > NODES_MAX)
        return false;
    for (uint32_t i = 0; i < a->n_nodes; i++) {
        if (map[i] >= b->n_nodes || hit[map[i]] ||
            !same_text(a, a->label[i], b, b->label[map[i]]))
            return false;
        hit[map[i]] = true;
    }
    for (uint32_t i = b->n_edges; i--;)
        start[b->edge[i].from] = i;
    for (uint32_t i = 0; i < a->n_edges; i++) {
        struct sepx_edge edge = a->edge[i];

        if (!has_edge(b, start, map[edge.from], map[edge.to], a, edge.label))
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
