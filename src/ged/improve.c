/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Local search on maps of any size: give node i the column j that would let
 * one more edge match; j's old owner takes i's old column. Only columns next
 * to the image of a neighbour are tried, so a sweep costs about
 * edges * degree^2.
 */
#include <string.h>

#include "ged/pair.h"

struct state {
    const struct ged_pair *pair;
    int16_t *map;  /* column of each node of a, or SEPX_NONE */
    int16_t *back; /* node of a for each column, or SEPX_NONE */
};

/* Edges of one direction at node i and column j, either of them missing. */
static int64_t
side_cost(const struct state *s, const struct ged_links *a,
          const struct ged_links *b, int i, int j)
{
    const struct ged_pair *pair = s->pair;
    uint32_t x = 0, x_end = 0, y = 0, y_end = 0;
    int64_t cost = 0;

    if (i >= 0) {
        x = a->first[i];
        x_end = a->first[i + 1];
    }
    if (j >= 0) {
        y = b->first[j];
        y_end = b->first[j + 1];
    }
    for (; x < x_end; x++) {
        int at = s->map[a->end[x].node];
        unsigned code = 0;

        for (uint32_t k = y; at >= 0 && k < y_end && !code; k++)
            if (b->end[k].node == at)
                code = b->end[k].code;
        cost += sepx__pair_edge(pair, a->end[x].code, code);
    }
    for (; y < y_end; y++) {
        int node = s->back[b->end[y].node];
        bool met = false;

        for (uint32_t k = i >= 0 ? a->first[i] : 0;
             node >= 0 && i >= 0 && k < a->first[i + 1] && !met; k++)
            met = a->end[k].node == node;
        if (!met)
            cost += pair->costs->edge_insert;
    }
    return cost;
}

/* All that node i on column j pays: itself and its edges. */
static int64_t
star(const struct state *s, int i, int j)
{
    const struct ged_pair *pair = s->pair;
    int64_t cost = 0;

    if (i >= 0 && j >= 0)
        cost = sepx__pair_node(pair, (unsigned)i, (unsigned)j);
    else if (i >= 0)
        cost = pair->costs->node_delete;
    else if (j >= 0)
        cost = pair->costs->node_insert;
    if (cost >= GED_FORBIDDEN)
        return GED_FORBIDDEN;
    return cost + side_cost(s, &pair->a.out, &pair->b.out, i, j) +
           side_cost(s, &pair->a.in, &pair->b.in, i, j);
}

/* The edges between two places, which both stars count. */
static int64_t
between(const struct state *s, int i, int j, int k, int l)
{
    const struct ged_pair *pair = s->pair;
    unsigned x = 0, y = 0, x_back = 0, y_back = 0;

    if (i >= 0 && k >= 0) {
        x = sepx__pair_code(&pair->a, (unsigned)i, (unsigned)k);
        x_back = sepx__pair_code(&pair->a, (unsigned)k, (unsigned)i);
    }
    if (j >= 0 && l >= 0) {
        y = sepx__pair_code(&pair->b, (unsigned)j, (unsigned)l);
        y_back = sepx__pair_code(&pair->b, (unsigned)l, (unsigned)j);
    }
    return sepx__pair_edge(pair, x, y) + sepx__pair_edge(pair, x_back, y_back);
}

static void
put(struct state *s, int i, int j)
{
    if (i >= 0)
        s->map[i] = (int16_t)j;
    if (j >= 0)
        s->back[j] = (int16_t)i;
}

/* Exchange if that is cheaper; returns the gain, else 0. */
static int64_t
try_exchange(struct state *s, int i, int j)
{
    const int old = s->map[i], k = s->back[j];
    int64_t before, after, first;

    if (old == j)
        return 0;
    before = star(s, i, old) + star(s, k, j) - between(s, i, old, k, j);
    put(s, i, j);
    put(s, k, old);
    if (old >= 0 && k < 0)
        s->back[old] = SEPX_NONE;
    first = star(s, i, j);
    after = star(s, k, old);
    if (first < GED_FORBIDDEN && after < GED_FORBIDDEN) {
        after += first - between(s, i, j, k, old);
        if (after < before)
            return before - after;
    }
    put(s, i, old);
    put(s, k, j);
    if (k < 0)
        s->back[j] = SEPX_NONE;
    return 0;
}

/* Columns that would match an edge between i and its neighbour. */
static int64_t
try_links(struct state *s, unsigned i, const struct ged_links *a,
          const struct ged_links *b)
{
    int64_t gain = 0;

    for (uint32_t x = a->first[i]; x < a->first[i + 1]; x++) {
        int at = s->map[a->end[x].node];

        for (uint32_t y = at >= 0 ? b->first[at] : 0;
             at >= 0 && y < b->first[at + 1]; y++)
            gain += try_exchange(s, (int)i, b->end[y].node);
    }
    return gain;
}

enum sepx_err
sepx__pair_improve(const struct ged_pair *pair, int16_t *map, int64_t *cost,
                   double deadline)
{
    const uint32_t n = pair->a.graph->n, m = pair->b.graph->n;
    struct state s = {.pair = pair, .map = map};
    int64_t gain = 1;

    s.back = sepx__alloc((m + 1) * sizeof *s.back);
    if (!s.back)
        return SEPX_ENOMEM;
    for (uint32_t j = 0; j < m; j++)
        s.back[j] = SEPX_NONE;
    for (uint32_t i = 0; i < n; i++)
        if (map[i] >= 0)
            s.back[map[i]] = (int16_t)i;
    while (gain > 0) {
        gain = 0;
        for (uint32_t i = 0; i < n; i++) {
            if (deadline > 0 && sepx_clock() > deadline)
                break;
            gain += try_links(&s, i, &pair->a.out, &pair->b.in);
            gain += try_links(&s, i, &pair->a.in, &pair->b.out);
        }
        *cost -= gain;
        if (deadline > 0 && sepx_clock() > deadline)
            break;
    }
    sepx__free(s.back);
    return SEPX_OK;
}
