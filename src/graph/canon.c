/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Canonical order, key and isomorphism.
 *
 * Nodes are coloured by label text, then by the colours around them until
 * no colour splits further. Neighbourhoods are compared by hash, which is
 * safe: a collision leaves two colours one, in all isomorphic graphs alike,
 * and costs time only. Most neural cells end with one node for each colour;
 * nauty decides about the rest. Nothing depends on label numbers.
 */
#include "graph/canon.h"

#include <stdlib.h>
#include <string.h>

#define SMALL_NODES 64
#define SMALL_EDGES 128
#define ROUNDS_MAX 32 /* long paths split slowly; nauty is better at them */

/* Working memory for one graph, on the stack if the graph is small. */
struct canon {
    const struct sepx_graph *graph;
    struct sepx__cell *cell; /* the order so far */
    uint32_t *colour;        /* of each node */
    uint64_t *mark;          /* of each node; later its place */
    struct sepx_edge *edge;  /* in canonical order, ascending */
    struct sepx__cell small_cell[SMALL_NODES];
    uint32_t small_colour[SMALL_NODES];
    uint64_t small_mark[SMALL_NODES];
    struct sepx_edge small_edge[SMALL_EDGES];
};

static void
canon_release(struct canon *c)
{
    if (c->cell != c->small_cell) {
        sepx__free(c->cell);
        sepx__free(c->colour);
        sepx__free(c->mark);
    }
    if (c->edge != c->small_edge)
        sepx__free(c->edge);
}

static enum sepx_err
canon_init(struct canon *c, const struct sepx_graph *graph)
{
    size_t n = graph->n_nodes;

    c->graph = graph;
    c->cell = c->small_cell;
    c->colour = c->small_colour;
    c->mark = c->small_mark;
    c->edge = c->small_edge;
    if (n > SMALL_NODES) {
        c->cell = sepx__alloc(n * sizeof(*c->cell));
        c->colour = sepx__alloc(n * sizeof(*c->colour));
        c->mark = sepx__alloc(n * sizeof(*c->mark));
    }
    if (graph->n_edges > SMALL_EDGES)
        c->edge = sepx__alloc(graph->n_edges * sizeof(*c->edge));
    if (c->cell && c->colour && c->mark && c->edge)
        return SEPX_OK;
    canon_release(c);
    return SEPX_ENOMEM;
}

/* ---- colours ---- */

static int
compare_cells(const void *left, const void *right)
{
    const struct sepx__cell *a = left, *b = right;

    if (a->colour != b->colour)
        return a->colour < b->colour ? -1 : 1;
    return (a->mark > b->mark) - (a->mark < b->mark);
}

static void
sort_cells(struct sepx__cell *cell, size_t n)
{
    if (n > SMALL_NODES) {
        qsort(cell, n, sizeof(*cell), compare_cells);
        return;
    }
    for (size_t i = 1; i < n; i++) {
        struct sepx__cell moved = cell[i];
        size_t j = i;

        for (; j && compare_cells(&cell[j - 1], &moved) > 0; j--)
            cell[j] = cell[j - 1];
        cell[j] = moved;
    }
}

/* Split each colour by the marks; the number of colours. */
static uint32_t
split(struct canon *c)
{
    uint32_t n = c->graph->n_nodes, n_colours = 0, first = 0;
    struct sepx__cell *cell = c->cell;

    sort_cells(cell, n);
    for (uint32_t i = 0; i < n; i++) {
        if (!i || cell[i].colour != cell[i - 1].colour ||
            cell[i].mark != cell[i - 1].mark) {
            first = i;
            n_colours++;
        }
        c->colour[cell[i].node] = first;
    }
    for (uint32_t i = 0; i < n; i++)
        cell[i].colour = c->colour[cell[i].node];
    return n_colours;
}

static uint32_t
colour_by_label(struct canon *c)
{
    const struct sepx_graph *graph = c->graph;

    for (uint32_t i = 0; i < graph->n_nodes; i++)
        c->cell[i] = (struct sepx__cell){
            sepx__names_key(graph->names, graph->label[i]), 0, i};
    return split(c);
}

/* A node's mark sums up the labels and far ends of its edges. */
static uint32_t
colour_by_edges(struct canon *c)
{
    const struct sepx_graph *graph = c->graph;
    const uint64_t backward = !graph->undirected;

    memset(c->mark, 0, graph->n_nodes * sizeof(*c->mark));
    for (uint32_t i = 0; i < graph->n_edges; i++) {
        struct sepx_edge edge = graph->edge[i];
        uint64_t label = sepx__names_hash(graph->names, edge.label).low;
        uint64_t out = (uint64_t)c->colour[edge.to] * 2;
        uint64_t in = (uint64_t)c->colour[edge.from] * 2 + backward;

        c->mark[edge.from] += sepx__mix(label + out);
        c->mark[edge.to] += sepx__mix(label + in);
    }
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        c->cell[i].mark = c->mark[c->cell[i].node];
    return split(c);
}

/* Split colours until none splits further; how many there are. */
static uint32_t
refine(struct canon *c, uint32_t n_colours)
{
    uint32_t old = 0;

    for (int i = 0; i < ROUNDS_MAX && n_colours != old; i++) {
        if (n_colours == c->graph->n_nodes)
            break;
        old = n_colours;
        n_colours = colour_by_edges(c);
    }
    return n_colours;
}

static enum sepx_err
find_order(struct canon *c)
{
    uint32_t n = c->graph->n_nodes;
    uint32_t n_colours = refine(c, colour_by_label(c));

    if (n_colours < n && n > SMALL_NODES) {
        enum sepx_err err = sepx__twins_mark(c->graph, c->cell);

        if (err)
            return err;
        n_colours = refine(c, split(c));
    }
    return n_colours == n ? SEPX_OK : sepx__nauty_order(c->graph, c->cell);
}

/* ---- the canonical form ---- */

/* The edges as they are after permuting by the order. */
static void
find_form(struct canon *c)
{
    uint64_t *place = c->mark;

    for (uint32_t i = 0; i < c->graph->n_nodes; i++)
        place[c->cell[i].node] = i;
    for (uint32_t i = 0; i < c->graph->n_edges; i++) {
        struct sepx_edge edge = c->graph->edge[i];

        uint16_t from = (uint16_t)place[edge.from];
        uint16_t to = (uint16_t)place[edge.to];
        bool swap = c->graph->undirected && from > to;

        c->edge[i] =
            (struct sepx_edge){swap ? to : from, swap ? from : to, edge.label};
    }
    sepx__edges_sort(c->edge, c->graph->n_edges, c->graph->names);
}

static uint16_t
label_at(const struct canon *c, uint32_t place)
{
    return c->graph->label[c->cell[place].node];
}

static unsigned char *
put(unsigned char *at, uint64_t value, int bytes)
{
    for (; bytes; bytes--, value >>= 8)
        *at++ = (unsigned char)value;
    return at;
}

static unsigned char *
put_label(unsigned char *at, const struct canon *c, uint16_t label)
{
    struct sepx__hash hash = sepx__names_hash(c->graph->names, label);

    return put(put(at, hash.high, 8), hash.low, 8);
}

static bool
any_edge_label(const struct sepx_graph *graph)
{
    for (uint32_t i = 0; i < graph->n_edges; i++)
        if (graph->edge[i].label)
            return true;
    return false;
}

/*
 * Node count, whether edges have labels and whether they are undirected, node
 * labels by the hash of their text, edges; all little-endian.
 */
static enum sepx_err
hash_form(const struct canon *c, struct sepx_key *key)
{
    unsigned char small[4 + 16 * SMALL_NODES + 20 * SMALL_EDGES];
    size_t n = c->graph->n_nodes, n_edges = c->graph->n_edges;
    bool labelled = any_edge_label(c->graph);
    unsigned char *form = small, *at;
    struct sepx__hash hash;

    if (n > SMALL_NODES || n_edges > SMALL_EDGES)
        form = sepx__alloc(4 + 16 * n + 20 * n_edges);
    if (!form)
        return SEPX_ENOMEM;
    at = put(put(form, n, 2), labelled + 2u * c->graph->undirected, 2);
    for (uint32_t i = 0; i < n; i++)
        at = put_label(at, c, label_at(c, i));
    for (uint32_t i = 0; i < n_edges; i++) {
        at = put(put(at, c->edge[i].from, 2), c->edge[i].to, 2);
        if (labelled)
            at = put_label(at, c, c->edge[i].label);
    }
    hash = sepx__hash(form, (size_t)(at - form));
    *key = (struct sepx_key){hash.high, hash.low};
    if (form != small)
        sepx__free(form);
    return SEPX_OK;
}

enum sepx_err
sepx_graph_canon(const struct sepx_graph *graph, uint32_t *order,
                 struct sepx_key *key)
{
    struct canon c;
    enum sepx_err err = canon_init(&c, graph);

    if (err)
        return err;
    err = find_order(&c);
    if (!err && key) {
        find_form(&c);
        err = hash_form(&c, key);
    }
    for (uint32_t i = 0; !err && order && i < graph->n_nodes; i++)
        order[i] = c.cell[i].node;
    canon_release(&c);
    return err;
}

/* ---- isomorphism ---- */

/* Each node's label and degrees, summed up; O(nodes + edges). */
static uint64_t
invariant(const struct sepx_graph *graph, uint64_t *degree)
{
    const uint64_t in = (uint64_t)1 << (graph->undirected ? 0 : 32);
    uint64_t sum = 0;

    memset(degree, 0, graph->n_nodes * sizeof(*degree));
    for (uint32_t i = 0; i < graph->n_edges; i++) {
        degree[graph->edge[i].from]++;
        degree[graph->edge[i].to] += in;
    }
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        sum += sepx__mix(sepx__names_hash(graph->names, graph->label[i]).low +
                         sepx__mix(degree[i]));
    return sum;
}

static bool
same_form(const struct canon *a, const struct canon *b)
{
    for (uint32_t i = 0; i < a->graph->n_nodes; i++)
        if (!sepx__label_same(a->graph, label_at(a, i), b->graph,
                              label_at(b, i)))
            return false;
    for (uint32_t i = 0; i < a->graph->n_edges; i++) {
        const struct sepx_edge *x = &a->edge[i], *y = &b->edge[i];

        if (x->from != y->from || x->to != y->to ||
            !sepx__label_same(a->graph, x->label, b->graph, y->label))
            return false;
    }
    return true;
}

static enum sepx_err
compare(struct canon *a, struct canon *b, bool *isomorphic, uint32_t *map)
{
    enum sepx_err err = find_order(a);

    if (!err)
        err = find_order(b);
    if (err)
        return err;
    find_form(a);
    find_form(b);
    *isomorphic = same_form(a, b);
    for (uint32_t i = 0; *isomorphic && map && i < a->graph->n_nodes; i++)
        map[a->cell[i].node] = b->cell[i].node;
    return SEPX_OK;
}

enum sepx_err
sepx_graph_isomorphic(const struct sepx_graph *a, const struct sepx_graph *b,
                      bool *isomorphic, uint32_t *map)
{
    struct canon x, y;
    enum sepx_err err;

    *isomorphic = false;
    if (a->n_nodes != b->n_nodes || a->n_edges != b->n_edges ||
        a->undirected != b->undirected)
        return SEPX_OK;
    err = canon_init(&x, a);
    if (err)
        return err;
    err = canon_init(&y, b);
    if (!err) {
        if (invariant(a, x.mark) == invariant(b, y.mark))
            err = compare(&x, &y, isomorphic, map);
        canon_release(&y);
    }
    canon_release(&x);
    return err;
}
