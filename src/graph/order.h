/* SPDX-License-Identifier: Apache-2.0 */
/* What the files about topological orders share. */
#ifndef SEPX_GRAPH_ORDER_H
#define SEPX_GRAPH_ORDER_H

#include "graph/internal.h"

#define SEPX__ARCS_SMALL 65

/* Where each node's edges start, and how many predecessors it waits for. */
struct sepx__arcs {
    uint32_t *start, *waits; /* n + 1 and n items */
    uint32_t small[2 * SEPX__ARCS_SMALL];
};

SEPX_CHECKED enum sepx_err sepx__arcs_init(struct sepx__arcs *arcs,
                                           const struct sepx_graph *graph);
void sepx__arcs_release(struct sepx__arcs *arcs);

/* A random order of an acyclic graph, nearly uniform. */
SEPX_CHECKED enum sepx_err sepx__order_chain(const struct sepx_graph *graph,
                                             uint32_t *order,
                                             struct sepx_rng *rng);

/* `set` is not 0. */
static inline uint32_t
sepx__lowest_bit(uint64_t set)
{
    return (uint32_t)__builtin_ctzll(set);
}

#endif
