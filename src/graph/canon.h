/* SPDX-License-Identifier: Apache-2.0 */
/* The canonical order's second half, for graphs that colours leave open. */
#ifndef SEPX_GRAPH_CANON_H
#define SEPX_GRAPH_CANON_H

#include "graph/internal.h"

/* A node in the order being built. */
struct sepx__cell {
    uint64_t mark;   /* splits nodes of one colour */
    uint32_t colour; /* position of the first node of this colour */
    uint32_t node;
};

/*
 * Order the nodes within their colours canonically. `cell` is ascending by
 * colour; the colours depend on nothing but the graph's isomorphism class,
 * and nodes of one colour have one label.
 */
SEPX_CHECKED enum sepx_err sepx__nauty_order(const struct sepx_graph *graph,
                                             struct sepx__cell *cell);

/* Set the marks so that no two nodes that are twins share one. */
SEPX_CHECKED enum sepx_err sepx__twins_mark(const struct sepx_graph *graph,
                                            struct sepx__cell *cell);

#endif
