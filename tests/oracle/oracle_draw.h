/* SPDX-License-Identifier: Apache-2.0 */
/* Random graphs and orders for tests; all fail the test for want of memory. */
#ifndef SEPX_TESTS_DRAW_H
#define SEPX_TESTS_DRAW_H

#include "library.h"

struct draw_options {
    uint32_t n_nodes;
    uint32_t node_labels; /* different ones; at least 1 */
    uint32_t edge_labels; /* 0: edges have none */
    double density;       /* chance of each edge */
    bool acyclic;
};

/* {0}: directed, no self-loops, no parallel edges. */
struct draw_kind {
    bool undirected;
    double loops;    /* chance of a self-loop at each node */
    double parallel; /* chance of one more edge beside each, at most 4 */
};

/* Labels are "n0", "n1", ... and "e0", "e1", ... `graph` is {0} or in use. */
void draw_graph(struct sepx_graph *graph, struct sepx_names *names,
                const struct draw_options *options, struct sepx_rng *rng);
void draw_any_graph(struct sepx_graph *graph, struct sepx_names *names,
                    const struct draw_options *options,
                    const struct draw_kind *kind, struct sepx_rng *rng);
/* A random order of 0..n-1. */
void draw_order(uint32_t *order, uint32_t n, struct sepx_rng *rng);
/* `graph` is rebuilt: each entry of `edge` is {from, to}. */
void build_graph(struct sepx_graph *graph, struct sepx_names *names,
                 const char *const *label, uint32_t n_nodes,
                 const unsigned (*edge)[2], uint32_t n_edges);

#endif
