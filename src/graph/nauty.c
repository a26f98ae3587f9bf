/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Canonical orders by nauty (B. D. McKay and A. Piperno, Practical graph
 * isomorphism II, J. Symbolic Computation 60, 2014).
 *
 * Edge labels become layers as the nauty manual (section 14) has it: label
 * number c, counted from 1 in text order, puts the edge into each layer that
 * is a one bit of c, and each node's copies are joined from layer to layer.
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
#define DENSE_WORK 128

/* Which layers an edge is in. */
struct layers {
    const struct sepx_names *names;
    uint64_t *used; /* ascending keys of the edge labels that occur */
    size_t n_used;  /* 0: one label, one layer */
    int count;
};

static int
compare_keys(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;

    return (*a > *b) - (*a < *b);
}

static bool
one_label(const struct sepx_graph *graph)
{
    for (uint32_t i = 1; i < graph->n_edges; i++)
        if (graph->edge[i].label != graph->edge[0].label)
            return false;
    return true;
}

static enum sepx_err
layers_init(struct layers *layers, const struct sepx_graph *graph)
{
    uint64_t *used;
    size_t n_used = 1;

    *layers = (struct layers){.names = graph->names, .count = 1};
    if (one_label(graph))
        return SEPX_OK;
    used = sepx__alloc(graph->n_edges * sizeof(*used));
    if (!used)
        return SEPX_ENOMEM;
    for (uint32_t i = 0; i < graph->n_edges; i++)
        used[i] = sepx__names_key(graph->names, graph->edge[i].label);
    qsort(used, graph->n_edges, sizeof(*used), compare_keys);
    for (uint32_t i = 1; i < graph->n_edges; i++)
        if (used[i] != used[n_used - 1])
            used[n_used++] = used[i];
    while (n_used >> layers->count)
        layers->count++;
    layers->used = used;
    layers->n_used = n_used;
    return SEPX_OK;
}

static unsigned
edge_code(const struct layers *layers, uint16_t label)
{
    uint64_t key = sepx__names_key(layers->names, label);
    const uint64_t *found;

    if (!layers->n_used)
        return 1;
    found = bsearch(&key, layers->used, layers->n_used, sizeof(*found),
                    compare_keys);
    return (unsigned)(found - layers->used) + 1;
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
    for (uint32_t i = 0; i < from->n_edges; i++) {
        const struct sepx_edge *edge = &from->edge[i];
        unsigned code = edge_code(layers, edge->label);

        for (int k = 0; code >> k; k++)
            if (code >> k & 1)
                g[k * n + edge->from] |= bit[k * n + edge->to];
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

static void
add_arcs(const sparsegraph *g, int *e, const struct sepx_graph *from,
         const struct layers *layers)
{
    int n = (int)from->n_nodes;

    memset(g->d, 0, g->dlen * sizeof(*g->d));
    for (uint32_t i = 0; i < from->n_edges; i++) {
        const struct sepx_edge *edge = &from->edge[i];
        unsigned code = edge_code(layers, edge->label);

        for (int k = 0; code >> k; k++)
            if (code >> k & 1)
                add_arc(g, e, k * n + edge->from, k * n + edge->to);
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

    for (uint32_t i = 0; i < from->n_edges; i++) {
        unsigned code = edge_code(layers, from->edge[i].label);

        arcs += (size_t)__builtin_popcount(code);
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
    sepx__free(layers.used);
    return err;
}
