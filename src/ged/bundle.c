/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Graphs with parallel edges as graphs without: the edges between two nodes
 * become one edge, whose label stands for the bag of their labels. A map
 * treats the edges of each pair of nodes apart from all others, so nothing is
 * lost if deleting a bundle costs the sum of its edges, and turning one into
 * another the cheapest matching of the two bags. A self-loop is an edge
 * between a node and itself, so several of them are a bundle, too. Bundles
 * are matched (bags.c) when a map or a search first asks for the two.
 */
#include <stdlib.h>
#include <string.h>

#include "ged/internal.h"

#define MULTI_MAX 4096 /* different bundles of several edges, of two graphs */
#define ABSENT UINT16_MAX

/* ---- the bundles of a pair ---- */

/* Of two bundles of several edges: known from before, or matched. */
static int64_t
multi_saved(const struct ged_costs *costs, const struct ged_bundle *x,
            const struct ged_bundle *y)
{
    const struct ged_bundles *b = costs->bundles;
    int64_t *known = &b->saved[(size_t)x->place[0] * b->columns + y->place[1]];
    int64_t saved;

    if (*known)
        return *known - 1;
    saved = sepx__ged_bags_match(b->bags, costs, x, y);
    if (!b->bags->cut)
        *known = saved + 1;
    return saved;
}

int64_t
sepx__ged_saved(const struct ged_costs *costs, uint16_t x, uint16_t y)
{
    const struct ged_bundles *b = costs->bundles;
    int64_t most = 0;

    if (!b)
        return sepx__ged_label_saved(costs, x, y);
    if (x < b->n_multi && y < b->n_multi)
        return multi_saved(costs, &b->bundle[x], &b->bundle[y]);
    for (uint32_t i = 0; i < b->bundle[x].size; i++)
        for (uint32_t j = 0; j < b->bundle[y].size; j++) {
            int64_t saved = sepx__ged_label_saved(
                costs, b->bundle[x].edge[i].label, b->bundle[y].edge[j].label);

            most = saved > most ? saved : most;
        }
    return most;
}

bool
sepx__ged_match_bundles(const struct ged_task *task)
{
    const struct ged_bundles *b = task->costs->bundles;
    uint64_t work = 0;

    if (!b)
        return true;
    for (uint32_t x = 0; x < b->n_multi; x++)
        for (uint32_t y = 0; y < b->n_multi; y++) {
            const struct ged_bundle *from = &b->bundle[x], *to = &b->bundle[y];

            if (from->place[0] == ABSENT)
                break;
            if (to->place[1] == ABSENT)
                continue;
            (void)multi_saved(task->costs, from, to);
            if (b->bags->cut ||
                sepx__ged_is_over_by(task, &work,
                                     (uint64_t)from->size + to->size))
                return false;
        }
    return true;
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
    sepx__ged_bags_free(bundles->bags);
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

/*
 * A graph whose edge labels are numbers of bundles. Each bundle learns its
 * place among those of the graph, the first (0) or the second (1) of a pair.
 */
static SEPX_CHECKED enum sepx_err
make_simple(const struct sepx_ged *ged, const struct ged_bundles *b,
            struct sepx_ged_graph **simple, const struct sepx_ged_graph *graph,
            unsigned side)
{
    struct ged_bundle *tied = sepx__calloc(graph->m + 1u, sizeof *tied);
    struct sepx_edge *edge = sepx__calloc(graph->m + 1u, sizeof *edge);
    uint16_t *codes = sepx__calloc(b->count + 1u, sizeof *codes);
    enum sepx_err err = SEPX_ENOMEM;
    uint32_t n, n_codes = 0;

    if (!tied || !edge || !codes)
        goto done;
    n = tie(tied, graph);
    for (uint32_t k = 0; k < b->count; k++)
        b->bundle[k].place[side] = ABSENT;
    for (uint32_t i = 0; i < n; i++) {
        struct ged_bundle *found = bsearch(&tied[i], b->bundle, b->count,
                                           sizeof *found, compare_bundles);

        edge[i] = *tied[i].edge;
        edge[i].label = (uint16_t)(found - b->bundle);
        found->place[side] = 0;
    }
    for (uint32_t k = 0; k < b->count; k++)
        if (b->bundle[k].place[side] != ABSENT) {
            b->bundle[k].place[side] = (uint16_t)n_codes;
            codes[n_codes++] = (uint16_t)k;
        }
    err = sepx__ged_prepare(ged, simple, graph->n, graph->label, n, edge, codes,
                            n_codes ? n_codes : 1, graph->undirected);
    if (!err)
        (*simple)->n_edges = graph->m;
done:
    sepx__free(tied);
    sepx__free(edge);
    sepx__free(codes);
    return err;
}

/* Bundles of several edges that a graph has, and the most labels in one. */
static uint32_t
count_multi(const struct ged_bundles *b, unsigned side, uint32_t *labels)
{
    uint32_t count = 0;

    *labels = 1;
    for (uint32_t k = 0; k < b->n_multi; k++) {
        const struct ged_bundle *bundle = &b->bundle[k];
        uint32_t n = 1;

        if (bundle->place[side] == ABSENT)
            continue;
        count++;
        for (uint32_t i = 1; i < bundle->size; i++)
            n += bundle->edge[i].label != bundle->edge[i - 1].label;
        *labels = n > *labels ? n : *labels;
    }
    return count;
}

static SEPX_CHECKED enum sepx_err
set_saved(struct ged_bundles *b, const struct ged_costs *costs)
{
    uint32_t rows, x, y;

    rows = count_multi(b, 0, &x);
    b->columns = count_multi(b, 1, &y);
    b->saved = sepx__calloc((size_t)rows * b->columns + 1, sizeof *b->saved);
    return b->saved ? sepx__ged_bags_new(&b->bags, costs, x, y) : SEPX_ENOMEM;
}

enum sepx_err
sepx__ged_bundle(const struct sepx_ged *ged, const struct ged_costs *costs,
                 struct ged_bundles *bundles, struct sepx_ged_graph **a,
                 struct sepx_ged_graph **b, const struct sepx_ged_graph *old_a,
                 const struct sepx_ged_graph *old_b)
{
    enum sepx_err err = list_bundles(bundles, old_a, old_b);

    if (!err)
        err = make_simple(ged, bundles, a, old_a, 0);
    if (!err)
        err = make_simple(ged, bundles, b, old_b, 1);
    if (!err)
        err = set_saved(bundles, costs);
    return err;
}
