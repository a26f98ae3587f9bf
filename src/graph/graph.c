/* SPDX-License-Identifier: Apache-2.0 */
/* Build, change, copy and compare graphs: two flat arrays, edges sorted. */
#include "sepx/graph.h"

#include <stdlib.h>
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

/* Where the edge is, or belongs. */
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
    uint32_t place = edge_place(graph, from, to);
    struct sepx_edge *edge;

    if (place == graph->n_edges)
        return NULL;
    edge = &graph->edge[place];
    return edge->from == from && edge->to == to ? edge : NULL;
}

enum sepx_err
sepx_graph_add_edge(struct sepx_graph *graph, unsigned from, unsigned to,
                    uint16_t label)
{
    uint32_t place;
    enum sepx_err err;

    if (from >= graph->n_nodes || to >= graph->n_nodes || from == to ||
        sepx_graph_find_edge(graph, from, to))
        return SEPX_EINVAL;
    err = room_for_edges(graph, (size_t)graph->n_edges + 1);
    if (err)
        return err;
    place = edge_place(graph, from, to);
    memmove(graph->edge + place + 1, graph->edge + place,
            (graph->n_edges - place) * sizeof(*graph->edge));
    graph->edge[place] =
        (struct sepx_edge){(uint16_t)from, (uint16_t)to, label};
    graph->n_edges++;
    return SEPX_OK;
}

void
sepx_graph_remove_edge(struct sepx_graph *graph, unsigned from, unsigned to)
{
    struct sepx_edge *edge = sepx_graph_find_edge(graph, from, to);

    if (!edge)
        return;
    graph->n_edges--;
    memmove(edge, edge + 1,
            (size_t)(graph->edge + graph->n_edges - edge) * sizeof(*edge));
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

static int
compare_edges(const void *left, const void *right)
{
    const struct sepx_edge *a = left, *b = right;

    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return (a->to > b->to) - (a->to < b->to);
}

void
sepx__edges_sort(struct sepx_edge *edge, size_t count)
{
    if (count > 64) {
        qsort(edge, count, sizeof(*edge), compare_edges);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        struct sepx_edge moved = edge[i];
        size_t j = i;

        for (; j && compare_edges(&edge[j - 1], &moved) > 0; j--)
            edge[j] = edge[j - 1];
        edge[j] = moved;
    }
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
    sepx__edges_sort(to->edge, to->n_edges);
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
    if (a->n_nodes != b->n_nodes || a->n_edges != b->n_edges)
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
