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

enum { PIECES = 256, PIECE = (1u << 31) / PIECES };

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

/* What a step looks up. */
struct chain {
    uint32_t *upto;         /* by position: the chance of it or a lower one */
    uint32_t first[PIECES]; /* where to begin to look, by the upper bits */
    uint64_t *edge;         /* a bit for each pair of nodes */
};

/* Chances are parts of 2^31; p(n - p) over all p is (n^3 - n) / 6. */
static void
set_chances(struct chain *chain, uint32_t n)
{
    const double all = ((double)n * n * n - n) / 6;
    double sum = 0;
    uint32_t p = 1;

    for (uint32_t i = 1; i < n; i++) {
        sum += (double)i * (n - i);
        chain->upto[i] = (uint32_t)(sum / all * 0x1p31);
    }
    chain->upto[n - 1] = UINT32_C(1) << 31;
    for (uint32_t i = 0; i < PIECES; i++) {
        while (chain->upto[p] <= i * PIECE)
            p++;
        chain->first[i] = p;
    }
}

static SEPX_CHECKED enum sepx_err
chain_init(struct chain *chain, const struct sepx_graph *graph)
{
    const size_t n = graph->n_nodes;

    chain->upto = sepx__calloc(n, sizeof *chain->upto);
    chain->edge = sepx__calloc(n * n / 64 + 1, sizeof *chain->edge);
    if (!chain->upto || !chain->edge)
        return SEPX_ENOMEM;
    set_chances(chain, graph->n_nodes);
    for (uint32_t i = 0; i < graph->n_edges; i++) {
        const size_t at = graph->edge[i].from * n + graph->edge[i].to;

        chain->edge[at / 64] |= UINT64_C(1) << at % 64;
    }
    return SEPX_OK;
}

/* Of so many steps half, by chance: the others would leave all as it is. */
static uint32_t
steps_that_move(uint32_t steps, struct sepx_rng *rng)
{
    uint32_t count = 0;

    for (; steps >= 32; steps -= 32)
        count += (uint32_t)__builtin_popcount(sepx_rng_u32(rng));
    if (steps)
        count +=
            (uint32_t)__builtin_popcount(sepx_rng_u32(rng) >> (32 - steps));
    return count;
}

static void
walk(const struct chain *chain, uint32_t n, uint32_t *order, uint32_t steps,
     struct sepx_rng *rng)
{
    for (; steps; steps--) {
        const uint32_t x = sepx_rng_u32(rng) >> 1;
        uint32_t p = chain->first[x / PIECE];
        uint32_t before, after;
        size_t at;

        while (chain->upto[p] <= x)
            p++;
        before = order[p - 1];
        after = order[p];
        at = (size_t)before * n + after;
        if (chain->edge[at / 64] >> at % 64 & 1)
            continue;
        order[p - 1] = after;
        order[p] = before;
    }
}

enum sepx_err
sepx__order_chain(const struct sepx_graph *graph, uint32_t *order,
                  struct sepx_rng *rng)
{
    uint32_t n = graph->n_nodes;
    double cube = ((double)n * n * n - n) / 6;
    double steps = ceil(cube * log((double)n * n / (4 * EPSILON)));
    struct chain chain = {0};
    enum sepx_err err = random_start(graph, order, rng);

    if (err || n < 2)
        return err;
    err = chain_init(&chain, graph);
    if (!err) {
        steps = fmin(steps, STEPS_MAX);
        walk(&chain, n, order, steps_that_move((uint32_t)steps, rng), rng);
    }
    sepx__free(chain.upto);
    sepx__free(chain.edge);
    return err;
}
