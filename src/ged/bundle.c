/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Graphs with parallel edges as graphs without: the edges between two nodes
 * become one edge, whose label stands for the bag of their labels. A map
 * treats the edges of each pair of nodes apart from all others, so nothing is
 * lost if deleting a bundle costs the sum of its edges, and turning one into
 * another the cheapest matching of the two bags. A self-loop is an edge
 * between a node and itself, so several of them are a bundle, too.
 *
 * The matching is a transport problem between the different labels of the
 * bags, solved by successive longest paths (Ahuja, Magnanti and Orlin,
 * Network Flows, 1993, section 9.7).
 */
#include <stdlib.h>
#include <string.h>

#include "ged/internal.h"

#define NO_PATH (INT64_MIN / 4)
#define MULTI_MAX 4096 /* different bundles of several edges, of two graphs */

/* ---- single labels ---- */

static int64_t
label_saved(const struct ged_costs *costs, uint16_t x, uint16_t y)
{
    const int64_t saved = sepx__ged_price(&costs->edge, x, false) +
                          sepx__ged_price(&costs->edge, y, true);
    const int64_t cost = sepx__ged_become(&costs->edge, x, y);

    return cost < saved ? saved - cost : 0;
}

/* ---- matching two bags ---- */

/* Edges of one label, none of them matched yet. */
struct heap {
    uint16_t label;
    uint32_t left;
    int64_t gain;  /* of the best path that ends here; NO_PATH: none */
    uint32_t from; /* the heap before it on that path */
};

struct matching {
    struct heap *x, *y;
    uint32_t n_x, n_y;
    int64_t *weight; /* n_x rows: what a pair of edges saves */
    uint32_t *flow;  /* pairs of edges matched */
};

static uint32_t
heap_up(struct heap *heap, const struct ged_bundle *bundle)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < bundle->size; i++) {
        if (!n || heap[n - 1].label != bundle->edge[i].label)
            heap[n++] = (struct heap){.label = bundle->edge[i].label};
        heap[n - 1].left++;
    }
    return n;
}

static SEPX_CHECKED enum sepx_err
matching_init(struct matching *m, const struct ged_costs *costs,
              const struct ged_bundle *x, const struct ged_bundle *y)
{
    *m = (struct matching){.x = sepx__calloc(x->size, sizeof *m->x),
                           .y = sepx__calloc(y->size, sizeof *m->y)};
    if (!m->x || !m->y)
        return SEPX_ENOMEM;
    m->n_x = heap_up(m->x, x);
    m->n_y = heap_up(m->y, y);
    m->weight = sepx__calloc((size_t)m->n_x * m->n_y, sizeof *m->weight);
    m->flow = sepx__calloc((size_t)m->n_x * m->n_y, sizeof *m->flow);
    if (!m->weight || !m->flow)
        return SEPX_ENOMEM;
    for (uint32_t i = 0; i < m->n_x; i++)
        for (uint32_t j = 0; j < m->n_y; j++)
            m->weight[(size_t)i * m->n_y + j] =
                label_saved(costs, m->x[i].label, m->y[j].label);
    return SEPX_OK;
}

static void
matching_release(struct matching *m)
{
    sepx__free(m->x);
    sepx__free(m->y);
    sepx__free(m->weight);
    sepx__free(m->flow);
}

static bool
reach(struct heap *heap, int64_t gain, uint32_t from)
{
    if (gain <= heap->gain)
        return false;
    heap->gain = gain;
    heap->from = from;
    return true;
}

/* The gain of the best path to each heap, over edges matched so far. */
static void
find_paths(struct matching *m)
{
    bool better = true;

    for (uint32_t i = 0; i < m->n_x; i++) {
        m->x[i].gain = m->x[i].left ? 0 : NO_PATH;
        m->x[i].from = UINT32_MAX;
    }
    for (uint32_t j = 0; j < m->n_y; j++)
        m->y[j].gain = NO_PATH;
    while (better) {
        better = false;
        for (uint32_t i = 0; i < m->n_x; i++)
            for (uint32_t j = 0; j < m->n_y; j++) {
                const size_t at = (size_t)i * m->n_y + j;

                if (m->x[i].gain != NO_PATH)
                    better |= reach(&m->y[j], m->x[i].gain + m->weight[at], i);
                if (m->flow[at] && m->y[j].gain != NO_PATH)
                    better |= reach(&m->x[i], m->y[j].gain - m->weight[at], j);
            }
    }
}

/* Match as many more edges as the path to heap `end` of y allows. */
static int64_t
augment(struct matching *m, uint32_t end)
{
    uint32_t amount = m->y[end].left, i, j = end;

    for (;;) {
        i = m->y[j].from;
        j = m->x[i].from;
        if (j == UINT32_MAX)
            break;
        if (m->flow[(size_t)i * m->n_y + j] < amount)
            amount = m->flow[(size_t)i * m->n_y + j];
    }
    if (m->x[i].left < amount)
        amount = m->x[i].left;
    m->x[i].left -= amount;
    m->y[end].left -= amount;
    for (j = end; j != UINT32_MAX; j = m->x[i].from) {
        i = m->y[j].from;
        m->flow[(size_t)i * m->n_y + j] += amount;
        if (m->x[i].from != UINT32_MAX)
            m->flow[(size_t)i * m->n_y + m->x[i].from] -= amount;
    }
    return amount * m->y[end].gain;
}

static SEPX_CHECKED enum sepx_err
match(int64_t *saved, const struct ged_costs *costs, const struct ged_bundle *x,
      const struct ged_bundle *y)
{
    struct matching m;
    enum sepx_err err = matching_init(&m, costs, x, y);

    *saved = 0;
    while (!err) {
        uint32_t best = UINT32_MAX;

        find_paths(&m);
        for (uint32_t j = 0; j < m.n_y; j++)
            if (m.y[j].left && m.y[j].gain > 0 &&
                (best == UINT32_MAX || m.y[j].gain > m.y[best].gain))
                best = j;
        if (best == UINT32_MAX)
            break;
        *saved += augment(&m, best);
    }
    matching_release(&m);
    return err;
}

/* ---- the bundles of a pair ---- */

int64_t
sepx__ged_saved(const struct ged_costs *costs, uint16_t x, uint16_t y)
{
    const struct ged_bundles *b = costs->bundles;
    int64_t most = 0;

    if (!b)
        return label_saved(costs, x, y);
    if (x < b->n_multi && y < b->n_multi)
        return b->saved[(size_t)x * b->n_multi + y];
    for (uint32_t i = 0; i < b->bundle[x].size; i++)
        for (uint32_t j = 0; j < b->bundle[y].size; j++) {
            int64_t saved = label_saved(costs, b->bundle[x].edge[i].label,
                                        b->bundle[y].edge[j].label);

            most = saved > most ? saved : most;
        }
    return most;
}

int64_t
sepx__ged_edge_price(const struct ged_costs *costs, uint16_t label, bool insert)
{
    const struct ged_bundle *bundle;
    int64_t sum = 0;

    if (!costs->bundles)
        return sepx__ged_price(&costs->edge, label, insert);
    bundle = &costs->bundles->bundle[label];
    for (uint32_t i = 0; i < bundle->size; i++)
        sum += sepx__ged_price(&costs->edge, bundle->edge[i].label, insert);
    return sum;
}

void
sepx__ged_bundles_release(struct ged_bundles *bundles)
{
    sepx__free(bundles->bundle);
    sepx__free(bundles->saved);
    *bundles = (struct ged_bundles){0};
}

/* Large bundles first. Parallel edges are sorted, so equal bags look equal. */
static int
compare_bundles(const void *left, const void *right)
{
    const struct ged_bundle *a = left, *b = right;

    if (a->size != b->size)
        return a->size > b->size ? -1 : 1;
    for (uint32_t i = 0; i < a->size; i++)
        if (a->edge[i].label != b->edge[i].label)
            return a->edge[i].label < b->edge[i].label ? -1 : 1;
    return 0;
}

/* Behind those in `to`; returns how many. */
static uint32_t
tie(struct ged_bundle *to, const struct sepx_ged_graph *graph)
{
    uint32_t n = 0;

    for (uint32_t e = 0; e < graph->m; e++) {
        const struct sepx_edge *edge = &graph->edge[e];

        if (!n || !sepx__edges_parallel(to[n - 1].edge, edge))
            to[n++] = (struct ged_bundle){.edge = edge};
        to[n - 1].size++;
    }
    return n;
}

/* The different bundles of both graphs. */
static SEPX_CHECKED enum sepx_err
list_bundles(struct ged_bundles *b, const struct sepx_ged_graph *x,
             const struct sepx_ged_graph *y)
{
    uint32_t n, kept = 0;

    b->bundle = sepx__calloc((size_t)x->m + y->m + 1, sizeof *b->bundle);
    if (!b->bundle)
        return SEPX_ENOMEM;
    n = tie(b->bundle, x);
    n += tie(b->bundle + n, y);
    qsort(b->bundle, n, sizeof *b->bundle, compare_bundles);
    for (uint32_t i = 0; i < n; i++)
        if (!i || compare_bundles(&b->bundle[kept - 1], &b->bundle[i]))
            b->bundle[kept++] = b->bundle[i];
    b->count = kept;
    while (b->n_multi < kept && b->bundle[b->n_multi].size > 1)
        b->n_multi++;
    return kept > UINT16_MAX || b->n_multi > MULTI_MAX ? SEPX_ELIMIT : SEPX_OK;
}

static SEPX_CHECKED enum sepx_err
set_saved(struct ged_bundles *b, const struct ged_costs *costs)
{
    enum sepx_err err = SEPX_OK;

    b->saved =
        sepx__calloc((size_t)b->n_multi * b->n_multi + 1, sizeof *b->saved);
    if (!b->saved)
        return SEPX_ENOMEM;
    for (uint32_t x = 0; x < b->n_multi && !err; x++)
        for (uint32_t y = 0; y < b->n_multi && !err; y++)
            err = match(&b->saved[(size_t)x * b->n_multi + y], costs,
                        &b->bundle[x], &b->bundle[y]);
    return err;
}

/* A graph whose edge labels are bundle numbers, below b->count. */
static SEPX_CHECKED enum sepx_err
make_simple(const struct sepx_ged *ged, const struct ged_bundles *b,
            struct sepx_ged_graph **simple, const struct sepx_ged_graph *graph)
{
    struct ged_bundle *tied = sepx__calloc(graph->m + 1u, sizeof *tied);
    struct sepx_edge *edge = sepx__calloc(graph->m + 1u, sizeof *edge);
    uint16_t *codes = sepx__calloc(b->count + 1u, sizeof *codes);
    enum sepx_err err = SEPX_ENOMEM;
    uint32_t n;

    if (!tied || !edge || !codes)
        goto done;
    n = tie(tied, graph);
    for (uint32_t i = 0; i < n; i++) {
        const struct ged_bundle *found = bsearch(
            &tied[i], b->bundle, b->count, sizeof *found, compare_bundles);

        edge[i] = *tied[i].edge;
        edge[i].label = (uint16_t)(found - b->bundle);
    }
    for (uint32_t k = 0; k < b->count; k++)
        codes[k] = (uint16_t)k;
    err = sepx__ged_prepare(ged, simple, graph->n, graph->label, n, edge, codes,
                            b->count, graph->undirected);
    if (!err)
        (*simple)->n_edges = graph->m;
done:
    sepx__free(tied);
    sepx__free(edge);
    sepx__free(codes);
    return err;
}

enum sepx_err
sepx__ged_bundle(const struct sepx_ged *ged, const struct ged_costs *costs,
                 struct ged_bundles *bundles, struct sepx_ged_graph **a,
                 struct sepx_ged_graph **b, const struct sepx_ged_graph *old_a,
                 const struct sepx_ged_graph *old_b)
{
    enum sepx_err err = list_bundles(bundles, old_a, old_b);

    if (!err)
        err = set_saved(bundles, costs);
    if (!err)
        err = make_simple(ged, bundles, a, old_a);
    if (!err)
        err = make_simple(ged, bundles, b, old_b);
    return err;
}
