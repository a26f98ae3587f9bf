/* SPDX-License-Identifier: Apache-2.0 */
/* Build, change, copy and compare graphs: two flat arrays, edges sorted. */
#include "graph/private.h"

#include <string.h>

#include "graph/internal.h"

void
sepx_graph_release(struct sepx_graph *graph)
{
    sepx__free(graph->label);
    sepx__free(graph->edge);
    sepx__free(graph->extra);
    *graph = (struct sepx_graph){.names = graph->names};
}

void
sepx_graph_clear(struct sepx_graph *graph)
{
    graph->n_nodes = 0;
    graph->n_edges = 0;
    graph->undirected = false;
    sepx__free(graph->extra);
    graph->extra = NULL;
}

/* Room for `need` items in one of the arrays. */
static enum sepx_err
make_room(void **block, uint32_t *room, size_t need, size_t size)
{
    size_t new_room = *room;
    enum sepx_err err;

    if (need <= *room)
        return SEPX_OK;
    err = sepx__grow(block, &new_room, need, size);
    if (!err)
        *room = (uint32_t)new_room;
    return err;
}

static enum sepx_err
room_for_nodes(struct sepx_graph *graph, size_t need)
{
    return make_room((void **)&graph->label, &graph->node_room, need,
                     sizeof(*graph->label));
}

static enum sepx_err
room_for_edges(struct sepx_graph *graph, size_t need)
{
    return make_room((void **)&graph->edge, &graph->edge_room, need,
                     sizeof(*graph->edge));
}

/* memcpy() that takes NULL for no items. */
static void
copy_items(void *to, const void *from, size_t count, size_t size)
{
    if (count)
        memcpy(to, from, count * size);
}

enum sepx_err
sepx_graph_copy(struct sepx_graph *to, const struct sepx_graph *from)
{
    char *extra = NULL;
    enum sepx_err err;

    if (to == from)
        return SEPX_OK;
    err = room_for_nodes(to, from->n_nodes);
    if (!err)
        err = room_for_edges(to, from->n_edges);
    if (!err && from->extra) {
        extra = sepx__strdup(from->extra);
        err = extra ? SEPX_OK : SEPX_ENOMEM;
    }
    if (err)
        return err;
    sepx_graph_clear(to);
    to->names = from->names;
    to->n_nodes = from->n_nodes;
    to->n_edges = from->n_edges;
    to->undirected = from->undirected;
    to->extra = extra;
    copy_items(to->label, from->label, from->n_nodes, sizeof(*to->label));
    copy_items(to->edge, from->edge, from->n_edges, sizeof(*to->edge));
    return SEPX_OK;
}

enum sepx_err
sepx_graph_add_node(struct sepx_graph *graph, uint16_t label)
{
    enum sepx_err err;

    if (graph->n_nodes >= SEPX_NODES_MAX)
        return SEPX_ELIMIT;
    err = room_for_nodes(graph, (size_t)graph->n_nodes + 1);
    if (!err)
        graph->label[graph->n_nodes++] = label;
    return err;
}

static struct sepx_edge
make_edge(const struct sepx_graph *graph, unsigned from, unsigned to,
          uint16_t label)
{
    bool swap = graph->undirected && from > to;

    return (struct sepx_edge){(uint16_t)(swap ? to : from),
                              (uint16_t)(swap ? from : to), label};
}

/* Where the first such edge is, or belongs. */
static uint32_t
edge_place(const struct sepx_graph *graph, unsigned from, unsigned to)
{
    uint32_t low = 0, high = graph->n_edges;

    while (low < high) {
        uint32_t middle = (low + high) / 2;
        const struct sepx_edge *edge = &graph->edge[middle];

        if (edge->from < from || (edge->from == from && edge->to < to))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct sepx_edge *
sepx_graph_find_edge(const struct sepx_graph *graph, unsigned from, unsigned to)
{
    uint32_t place;
    struct sepx_edge *edge;

    if (graph->undirected && from > to)
        return sepx_graph_find_edge(graph, to, from);
    place = edge_place(graph, from, to);
    if (place == graph->n_edges)
        return NULL;
    edge = &graph->edge[place];
    return edge->from == from && edge->to == to ? edge : NULL;
}

enum sepx_err
sepx_graph_add_edge(struct sepx_graph *graph, unsigned from, unsigned to,
                    uint16_t label)
{
    if (from == to || sepx_graph_find_edge(graph, from, to))
        return SEPX_EINVAL;
    return sepx_graph_add_parallel(graph, from, to, label);
}

bool
sepx__edges_parallel(const struct sepx_edge *a, const struct sepx_edge *b)
{
    return a->from == b->from && a->to == b->to;
}

static bool
is_before(const struct sepx_names *names, const struct sepx_edge *a,
          const struct sepx_edge *b)
{
    if (a->from != b->from)
        return a->from < b->from;
    if (a->to != b->to)
        return a->to < b->to;
    return a->label != b->label &&
           sepx__names_key(names, a->label) < sepx__names_key(names, b->label);
}

enum sepx_err
sepx_graph_add_parallel(struct sepx_graph *graph, unsigned from, unsigned to,
                        uint16_t label)
{
    struct sepx_edge edge = make_edge(graph, from, to, label);
    uint32_t place;
    enum sepx_err err;

    if (from >= graph->n_nodes || to >= graph->n_nodes)
        return SEPX_EINVAL;
    err = room_for_edges(graph, (size_t)graph->n_edges + 1);
    if (err)
        return err;
    place = edge_place(graph, edge.from, edge.to);
    while (place < graph->n_edges &&
           is_before(graph->names, &graph->edge[place], &edge))
        place++;
    memmove(graph->edge + place + 1, graph->edge + place,
            (graph->n_edges - place) * sizeof(*graph->edge));
    graph->edge[place] = edge;
    graph->n_edges++;
    return SEPX_OK;
}

static void
remove_at(struct sepx_graph *graph, struct sepx_edge *edge)
{
    graph->n_edges--;
    memmove(edge, edge + 1,
            (size_t)(graph->edge + graph->n_edges - edge) * sizeof(*edge));
}

void
sepx_graph_remove_edge(struct sepx_graph *graph, unsigned from, unsigned to)
{
    struct sepx_edge *edge = sepx_graph_find_edge(graph, from, to);

    if (edge)
        remove_at(graph, edge);
}

bool
sepx_graph_remove_parallel(struct sepx_graph *graph, unsigned from, unsigned to,
                           uint16_t label)
{
    struct sepx_edge *edge = sepx_graph_find_edge(graph, from, to);
    const struct sepx_edge *first = edge;
    const struct sepx_edge *end = edge ? graph->edge + graph->n_edges : NULL;

    while (edge < end && sepx__edges_parallel(edge, first)) {
        if (edge->label == label) {
            remove_at(graph, edge);
            return true;
        }
        edge++;
    }
    return false;
}

bool
sepx_graph_is_simple(const struct sepx_graph *graph)
{
    for (uint32_t i = 0; i < graph->n_edges; i++) {
        const struct sepx_edge *edge = &graph->edge[i];

        if (edge->from == edge->to ||
            (i && sepx__edges_parallel(edge - 1, edge)))
            return false;
    }
    return true;
}

void
sepx_graph_remove_node(struct sepx_graph *graph, unsigned node)
{
    uint32_t kept = 0;

    if (node >= graph->n_nodes)
        return;
    for (uint32_t i = 0; i < graph->n_edges; i++) {
        struct sepx_edge edge = graph->edge[i];

        if (edge.from == node || edge.to == node)
            continue;
        edge.from = (uint16_t)(edge.from - (edge.from > node));
        edge.to = (uint16_t)(edge.to - (edge.to > node));
        graph->edge[kept++] = edge;
    }
    graph->n_edges = kept;
    graph->n_nodes--;
    memmove(graph->label + node, graph->label + node + 1,
            (graph->n_nodes - node) * sizeof(*graph->label));
}

void
sepx_graph_keep(struct sepx_graph *graph, const bool *keep)
{
    uint16_t place[SEPX_NODES_MAX];
    uint32_t n_nodes = 0, n_edges = 0;

    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        place[i] = (uint16_t)n_nodes;
        if (keep[i])
            graph->label[n_nodes++] = graph->label[i];
    }
    for (uint32_t i = 0; i < graph->n_edges; i++) {
        struct sepx_edge edge = graph->edge[i];

        if (keep[edge.from] && keep[edge.to])
            graph->edge[n_edges++] = (struct sepx_edge){
                place[edge.from], place[edge.to], edge.label};
    }
    graph->n_nodes = n_nodes;
    graph->n_edges = n_edges;
}

/* The largest of `root` and what is below it in the heap gets its place. */
static void
sift_down(struct sepx_edge *heap, size_t root, size_t count,
          const struct sepx_names *names)
{
    struct sepx_edge moved = heap[root];
    size_t below;

    while ((below = 2 * root + 1) < count) {
        below += below + 1 < count &&
                 is_before(names, &heap[below], &heap[below + 1]);
        if (!is_before(names, &moved, &heap[below]))
            break;
        heap[root] = heap[below];
        root = below;
    }
    heap[root] = moved;
}

/* A heapsort: qsort() could not see the names. */
static void
sort_many(struct sepx_edge *edge, size_t count, const struct sepx_names *names)
{
    for (size_t i = count / 2; i--;)
        sift_down(edge, i, count, names);
    while (count > 1) {
        struct sepx_edge last = edge[--count];

        edge[count] = edge[0];
        edge[0] = last;
        sift_down(edge, 0, count, names);
    }
}

void
sepx__edges_sort(struct sepx_edge *edge, size_t count,
                 const struct sepx_names *names)
{
    size_t sorted = count ? 1 : 0;

    while (sorted < count &&
           !is_before(names, &edge[sorted], &edge[sorted - 1]))
        sorted++;
    if (count - sorted > 64) {
        sort_many(edge, count, names);
        return;
    }
    for (size_t i = sorted; i < count; i++) {
        struct sepx_edge moved = edge[i];
        size_t j = i;

        for (; j && is_before(names, &moved, &edge[j - 1]); j--)
            edge[j] = edge[j - 1];
        edge[j] = moved;
    }
}

void
sepx__edges_order(struct sepx_graph *graph)
{
    for (uint32_t i = 0; graph->undirected && i < graph->n_edges; i++) {
        struct sepx_edge *edge = &graph->edge[i];

        *edge = make_edge(graph, edge->from, edge->to, edge->label);
    }
    sepx__edges_sort(graph->edge, graph->n_edges, graph->names);
}

enum sepx_err
sepx_graph_permute(struct sepx_graph *to, const struct sepx_graph *from,
                   const uint32_t *order)
{
    uint16_t place[SEPX_NODES_MAX];
    enum sepx_err err;

    if (to == from)
        return SEPX_EINVAL;
    err = sepx_graph_copy(to, from);
    if (err)
        return err;
    for (uint32_t i = 0; i < to->n_nodes; i++) {
        place[order[i]] = (uint16_t)i;
        to->label[i] = from->label[order[i]];
    }
    for (uint32_t i = 0; i < to->n_edges; i++) {
        to->edge[i].from = place[to->edge[i].from];
        to->edge[i].to = place[to->edge[i].to];
    }
    sepx__edges_order(to);
    return SEPX_OK;
}

bool
sepx__label_same(const struct sepx_graph *a, uint16_t x,
                 const struct sepx_graph *b, uint16_t y)
{
    if (a->names == b->names)
        return x == y;
    return !strcmp(sepx_names_text(a->names, x), sepx_names_text(b->names, y));
}

bool
sepx_graph_equal(const struct sepx_graph *a, const struct sepx_graph *b)
{
    if (a->n_nodes != b->n_nodes || a->n_edges != b->n_edges ||
        a->undirected != b->undirected)
        return false;
    for (uint32_t i = 0; i < a->n_nodes; i++)
        if (!sepx__label_same(a, a->label[i], b, b->label[i]))
            return false;
    for (uint32_t i = 0; i < a->n_edges; i++) {
        const struct sepx_edge *x = &a->edge[i], *y = &b->edge[i];

        if (x->from != y->from || x->to != y->to ||
            !sepx__label_same(a, x->label, b, y->label))
            return false;
    }
    return true;
}
