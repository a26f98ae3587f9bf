/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random topological orders of graphs too large to count: the Markov chain
 * of R. Bubley and M. Dyer, Faster random generation of linear extensions,
 * Discrete Mathematics 201 (1999). A step picks the position p with
 * probability proportional to p(n - p) and, half of the time, exchanges the
 * nodes at p and p + 1 if no edge joins them (a longer path cannot, for its
 * inner nodes would lie between). The distance to uniform is below `eps`
 * after (n^3 - n) / 6 * ln(n^2 / (4 eps)) steps; past STEPS_MAX, from about
 * 120 nodes on, the chain is cut short and the order only roughly uniform.
 */
#include <math.h>

#include "graph/order.h"

#define EPSILON 1e-3
#define STEPS_MAX 4e6

/* Any ready node next, each as likely: a fair start. */
static enum sepx_err
random_start(const struct sepx_graph *graph, uint32_t *order,
             struct sepx_rng *rng)
{
    struct sepx__arcs arcs;
    uint32_t end = 0;
    enum sepx_err err = sepx__arcs_init(&arcs, graph);

    if (err)
        return err;
    for (uint32_t v = 0; v < graph->n_nodes; v++)
        if (!arcs.waits[v])
            order[end++] = v;
    for (uint32_t i = 0; i < end; i++) { /* order[i..end-1] are ready */
        uint32_t pick = i + sepx_rng_below(rng, end - i);
        uint32_t v = order[pick];

        order[pick] = order[i];
        order[i] = v;
        for (uint32_t k = arcs.start[v]; k < arcs.start[v + 1]; k++)
            if (!--arcs.waits[graph->edge[k].to])
                order[end++] = graph->edge[k].to;
    }
    sepx__arcs_release(&arcs);
    return SEPX_OK;
}

/* Of three distinct points of 0..n, p is the middle one in p(n - p) cases. */
static uint32_t
draw_position(uint32_t n, struct sepx_rng *rng)
{
    uint32_t a, b, c;

    do {
        a = sepx_rng_below(rng, n + 1);
        b = sepx_rng_below(rng, n + 1);
        c = sepx_rng_below(rng, n + 1);
    } while (a == b || b == c || a == c);
    if ((a < b) == (b < c))
        return b;
    return (b < a) == (a < c) ? a : c;
}

enum sepx_err
sepx__order_chain(const struct sepx_graph *graph, uint32_t *order,
                  struct sepx_rng *rng)
{
    uint32_t n = graph->n_nodes;
    double cube = ((double)n * n * n - n) / 6;
    double steps = ceil(cube * log((double)n * n / (4 * EPSILON)));
    enum sepx_err err = random_start(graph, order, rng);

    if (err || n < 2)
        return err;
    steps = steps < STEPS_MAX ? steps : STEPS_MAX;
    for (uint32_t left = (uint32_t)steps; left; left--) {
        uint32_t p = draw_position(n, rng); /* counted from 1 */
        uint32_t first = order[p - 1], second = order[p];

        if (sepx_rng_u32(rng) & 1 || sepx_graph_find_edge(graph, first, second))
            continue;
        order[p - 1] = second;
        order[p] = first;
    }
    return SEPX_OK;
}
