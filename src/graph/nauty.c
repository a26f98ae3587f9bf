/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Canonical orders by nauty (B. D. McKay and A. Piperno, Practical graph
 * isomorphism II, J. Symbolic Computation 60, 2014).
 *
 * Edge labels become layers as the nauty manual (section 14) has it: label
 * number c, counted from 1 in text order, puts the edge into each layer that
 * is a one bit of c, and each node's copies are joined from layer to layer.
 * Parallel edges are one edge whose label is the bag of theirs. An undirected
 * edge is two arcs, and a self-loop one arc, which nauty allows in digraphs.
 *
 * nauty keeps its working memory in thread-local variables. It is given back
 * after each call, for a thread that ends would leak it. nauty ends the
 * process if it cannot have that memory (some n integers); everything that
 * grows faster is allocated here, where failure is an error code.
 */
#include "graph/canon.h"

#include <stdlib.h>
#include <string.h>

#include <nauty.h>
#include <nausparse.h>
#include <nautinv.h>

#define DENSE_MAX 64 /* vertices that fit one word */
_Static_assert(WORDSIZE == DENSE_MAX, "nauty must have words of 64 bits");
#define DENSE_WORK 128

/* Parallel edges, or a single one, and their number. */
struct bundle {
    const struct sepx_edge *edge;
    const struct sepx_names *names;
    uint32_t count;
    unsigned code;
};

/* The graph's edges as nauty sees them. */
struct layers {
    struct bundle *bundle; /* NULL: all alike, one for each edge, code 1 */
    uint32_t n_bundles;
    int count; /* layers */
};

/* By size, then by the texts of the labels. */
static int
compare_bundles(const void *left, const void *right)
{
    const struct bundle *a = left, *b = right;

    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (uint32_t i = 0; i < a->count; i++) {
        uint64_t x = sepx__names_key(a->names, a->edge[i].label);
        uint64_t y = sepx__names_key(b->names, b->edge[i].label);

        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

/* No two edges are parallel, and all have one label. */
static bool
all_alike(const struct sepx_graph *graph)
{
    for (uint32_t i = 1; i < graph->n_edges; i++)
        if (graph->edge[i].label != graph->edge[0].label ||
            sepx__edges_parallel(&graph->edge[i - 1], &graph->edge[i]))
            return false;
    return true;
}

static void
tie_bundles(struct layers *layers, const struct sepx_graph *graph)
{
    struct bundle *last = NULL;

    for (uint32_t i = 0; i < graph->n_edges; i++) {
        const struct sepx_edge *edge = &graph->edge[i];

        if (last && sepx__edges_parallel(last->edge, edge)) {
            last->count++;
            continue;
        }
        last = &layers->bundle[layers->n_bundles++];
        *last = (struct bundle){edge, graph->names, 1, 0};
    }
}

static enum sepx_err
layers_init(struct layers *layers, const struct sepx_graph *graph)
{
    unsigned code = 1;

    *layers = (struct layers){.n_bundles = graph->n_edges, .count = 1};
    if (all_alike(graph))
        return SEPX_OK;
    layers->bundle = sepx__alloc(graph->n_edges * sizeof(*layers->bundle));
    if (!layers->bundle)
        return SEPX_ENOMEM;
    layers->n_bundles = 0;
    tie_bundles(layers, graph);
    qsort(layers->bundle, layers->n_bundles, sizeof(*layers->bundle),
          compare_bundles);
    for (uint32_t i = 0; i < layers->n_bundles; i++) {
        struct bundle *bundle = &layers->bundle[i];

        code += i && compare_bundles(bundle - 1, bundle) != 0;
        bundle->code = code;
    }
    while (code >> layers->count)
        layers->count++;
    return SEPX_OK;
}

/* Bundle i: the ends it joins, and its code. */
static const struct sepx_edge *
bundle_at(const struct layers *layers, const struct sepx_graph *graph,
          uint32_t i, unsigned *code)
{
    *code = layers->bundle ? layers->bundle[i].code : 1;
    return layers->bundle ? layers->bundle[i].edge : &graph->edge[i];
}

/* Layer by layer: the order so far, a cell's last entry marked by 0. */
static void
set_partition(int *lab, int *ptn, const struct sepx__cell *cell, int n,
              int n_layers)
{
    for (int k = 0; k < n_layers; k++)
        for (int i = 0; i < n; i++) {
            bool last = i + 1 == n || cell[i + 1].colour != cell[i].colour;

            lab[k * n + i] = k * n + (int)cell[i].node;
            ptn[k * n + i] = !last;
        }
}

/* The first layer's cells come first, so its nodes head the new order. */
static void
take_order(struct sepx__cell *cell, const int *lab, int n)
{
    for (int i = 0; i < n; i++)
        cell[i].node = (uint32_t)lab[i];
}

static enum sepx_err
order_dense(const struct sepx_graph *from, struct sepx__cell *cell,
            const struct layers *layers)
{
    DEFAULTOPTIONS_DIGRAPH(options);
    int n = (int)from->n_nodes, total = n * layers->count;
    graph g[DENSE_MAX], canonical[DENSE_MAX];
    int lab[DENSE_MAX], ptn[DENSE_MAX], orbits[DENSE_MAX];
    setword work[DENSE_WORK];
    statsblk stats;

    memset(g, 0, sizeof(g));
    for (uint32_t i = 0; i < layers->n_bundles; i++) {
        unsigned code;
        const struct sepx_edge *edge = bundle_at(layers, from, i, &code);

        for (int k = 0; code >> k; k++) {
            if (!(code >> k & 1))
                continue;
            g[k * n + edge->from] |= bit[k * n + edge->to];
            if (from->undirected)
                g[k * n + edge->to] |= bit[k * n + edge->from];
        }
    }
    for (int v = 0; v + n < total; v++) {
        g[v] |= bit[v + n];
        g[v + n] |= bit[v];
    }
    set_partition(lab, ptn, cell, n, layers->count);
    options.getcanon = TRUE;
    options.defaultptn = FALSE;
    nauty(g, lab, ptn, NULL, orbits, &options, &stats, work, DENSE_WORK, 1,
          total, canonical);
    take_order(cell, lab, n);
    return stats.errstatus ? SEPX_ELIMIT : SEPX_OK;
}

static void
sparse_release(sparsegraph *g)
{
    sepx__free(g->v);
    sepx__free(g->d);
    sepx__free(g->e);
}

static enum sepx_err
sparse_alloc(sparsegraph *g, int nv, size_t nde)
{
    *g = (sparsegraph){.nv = nv, .nde = nde};
    g->vlen = g->dlen = (size_t)nv;
    g->elen = nde + 1;
    g->v = sepx__calloc(g->vlen, sizeof(*g->v));
    g->d = sepx__calloc(g->dlen, sizeof(*g->d));
    g->e = sepx__calloc(g->elen, sizeof(*g->e));
    return g->v && g->d && g->e ? SEPX_OK : SEPX_ENOMEM;
}

/* Fills in the arc, or counts it in the degree while `e` is NULL. */
static void
add_arc(const sparsegraph *g, int *e, int from, int to)
{
    if (e)
        e[g->v[from] + (size_t)g->d[from]] = to;
    g->d[from]++;
}

static bool
is_two_arcs(const struct sepx_graph *graph, const struct sepx_edge *edge)
{
    return graph->undirected && edge->from != edge->to;
}

static void
add_arcs(const sparsegraph *g, int *e, const struct sepx_graph *from,
         const struct layers *layers)
{
    int n = (int)from->n_nodes;

    memset(g->d, 0, g->dlen * sizeof(*g->d));
    for (uint32_t i = 0; i < layers->n_bundles; i++) {
        unsigned code;
        const struct sepx_edge *edge = bundle_at(layers, from, i, &code);

        for (int k = 0; code >> k; k++) {
            if (!(code >> k & 1))
                continue;
            add_arc(g, e, k * n + edge->from, k * n + edge->to);
            if (is_two_arcs(from, edge))
                add_arc(g, e, k * n + edge->to, k * n + edge->from);
        }
    }
    for (int v = 0; v + n < g->nv; v++) {
        add_arc(g, e, v, v + n);
        add_arc(g, e, v + n, v);
    }
}

static size_t
count_arcs(const struct sepx_graph *from, const struct layers *layers,
           int total)
{
    size_t arcs = 2 * ((size_t)total - from->n_nodes);

    for (uint32_t i = 0; i < layers->n_bundles; i++) {
        unsigned code;
        const struct sepx_edge *edge = bundle_at(layers, from, i, &code);

        arcs += (size_t)__builtin_popcount(code) << is_two_arcs(from, edge);
    }
    return arcs;
}

static enum sepx_err
order_sparse(const struct sepx_graph *from, struct sepx__cell *cell,
             const struct layers *layers)
{
    DEFAULTOPTIONS_SPARSEDIGRAPH(options);
    int n = (int)from->n_nodes, total = n * layers->count;
    size_t arcs = count_arcs(from, layers, total);
    int *lab = sepx__alloc(3 * (size_t)total * sizeof(*lab));
    sparsegraph g = {0}, canonical = {0};
    statsblk stats;
    enum sepx_err err = lab ? SEPX_OK : SEPX_ENOMEM;

    if (!err)
        err = sparse_alloc(&g, total, arcs);
    if (!err)
        err = sparse_alloc(&canonical, total, arcs);
    if (err)
        goto done;
    add_arcs(&g, NULL, from, layers);
    for (int v = 1; v < total; v++)
        g.v[v] = g.v[v - 1] + (size_t)g.d[v - 1];
    add_arcs(&g, g.e, from, layers);
    set_partition(lab, lab + total, cell, n, layers->count);
    options.getcanon = TRUE;
    options.defaultptn = FALSE;
    sparsenauty(&g, lab, lab + total, lab + 2 * total, &options, &stats,
                &canonical);
    take_order(cell, lab, n);
    err = stats.errstatus ? SEPX_ELIMIT : SEPX_OK;
done:
    sparse_release(&canonical);
    sparse_release(&g);
    sepx__free(lab);
    return err;
}

static void
give_back(bool dense)
{
    nauty_freedyn();
    nautil_freedyn();
    nautinv_freedyn();
    if (dense)
        naugraph_freedyn();
    else
        nausparse_freedyn();
}

enum sepx_err
sepx__nauty_order(const struct sepx_graph *graph, struct sepx__cell *cell)
{
    struct layers layers;
    enum sepx_err err = layers_init(&layers, graph);
    bool dense;

    if (err)
        return err;
    dense = (size_t)graph->n_nodes * (size_t)layers.count <= DENSE_MAX;
    err = dense ? order_dense(graph, cell, &layers)
                : order_sparse(graph, cell, &layers);
    give_back(dense);
    sepx__free(layers.bundle);
    return err;
}
