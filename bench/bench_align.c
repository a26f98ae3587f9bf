/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The map that a few lines find: an alignment of two sequences of nodes that
 * keeps their order. A pair saves what its labels say and one edit for each
 * edge that it kept with the map before; what was found before counts half in
 * each of twelve passes. Independent of the library's alignment, to judge it.
 */
#include <stdlib.h>
#include <string.h>

#include "bench_shared.h"

enum { PASSES = 12 };

struct plain {
    const struct sepx_graph *a, *b;
    float *worth; /* n by m: edges */
    float *sum;   /* n + 1 by m + 1 */
    int16_t *map;
};

static float
worth_of(const struct plain *x, uint32_t i, uint32_t k)
{
    return (x->a->label[i] == x->b->label[k] ? 2.0f : 1.0f) +
           x->worth[(size_t)i * x->b->n_nodes + k];
}

static void
align(struct plain *x)
{
    const uint32_t n = x->a->n_nodes, m = x->b->n_nodes;
    const size_t wide = (size_t)m + 1;
    uint32_t i = n, k = m;

    memset(x->sum, 0, wide * sizeof *x->sum);
    for (i = 1; i <= n; i++) {
        float *row = x->sum + i * wide;
        const float *up = row - wide;

        row[0] = 0;
        for (k = 1; k <= m; k++) {
            const float match = up[k - 1] + worth_of(x, i - 1, k - 1);
            const float skip = up[k] > row[k - 1] ? up[k] : row[k - 1];

            row[k] = match > skip ? match : skip;
        }
    }
    for (i = 0; i < n; i++)
        x->map[i] = SEPX_NONE;
    for (i = n, k = m; i && k;) {
        const float *row = x->sum + i * wide, *up = row - wide;

        if (row[k] == up[k]) {
            i--;
        } else if (row[k] == row[k - 1]) {
            k--;
        } else {
            x->map[--i] = (int16_t)--k;
        }
    }
}

/* Each edge of the one graph, where an end is mapped, on each of the other. */
static void
weigh(struct plain *x)
{
    const uint32_t m = x->b->n_nodes;

    for (size_t y = 0; y < (size_t)x->a->n_nodes * m; y++)
        x->worth[y] /= 2;
    for (uint32_t e = 0; e < x->a->n_edges; e++)
        for (uint32_t f = 0; f < x->b->n_edges; f++) {
            const struct sepx_edge *p = &x->a->edge[e], *q = &x->b->edge[f];

            if (x->map[p->from] == (int)q->from)
                x->worth[(size_t)p->to * m + q->to] += 1;
            if (x->map[p->to] == (int)q->to)
                x->worth[(size_t)p->from * m + q->from] += 1;
        }
}

enum sepx_err
bench_align(struct sepx_ged *ged, double *cost, const struct sepx_graph *a,
            const struct sepx_graph *b, const struct sepx_ged_graph *ready_a,
            const struct sepx_ged_graph *ready_b)
{
    const size_t n = a->n_nodes, m = b->n_nodes;
    struct plain x = {.a = a, .b = b};
    enum sepx_err err = SEPX_OK;

    x.worth = calloc(n * m + 1, sizeof *x.worth);
    x.sum = calloc((n + 1) * (m + 1), sizeof *x.sum);
    x.map = calloc(n + 1, sizeof *x.map);
    if (!x.worth || !x.sum || !x.map)
        err = SEPX_ENOMEM;
    for (int pass = 0; pass < PASSES && !err; pass++) {
        double now = 0;

        align(&x);
        err = sepx_ged_map_cost(ged, &now, ready_a, ready_b, x.map);
        if (!pass || now < *cost)
            *cost = now;
        weigh(&x);
    }
    free(x.worth);
    free(x.sum);
    free(x.map);
    return err;
}
