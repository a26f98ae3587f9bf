/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moves of local search in a space of a file: each edge in each label or
 * gone, each node in each other label, and, if mutation does so too, each
 * node bypassed and each edge with a node put into it.
 */
#include "space/language/language.h"

/* How many moves of each kind a graph has. */
struct sorts {
    uint32_t edges, labels, deletions, insertions;
};

static struct sorts
count_sorts(const struct custom *c, const struct sepx_graph *graph)
{
    uint32_t n = graph->n_nodes, labels = c->ops.n_labels;

    return (struct sorts){
        n * (n - 1) * c->n_edge_labels,
        n * (labels - 1),
        c->mutation.weight[DELETE_NODE] > 0 ? n : 0,
        c->mutation.weight[INSERT_NODE] > 0 && n < NODES
            ? graph->n_edges * labels
            : 0,
    };
}

uint32_t
sepx__custom_moves(const struct sepx_space *space,
                   const struct sepx_graph *graph)
{
    struct sorts sorts = count_sorts(custom_of(space), graph);

    return sorts.edges + sorts.labels + sorts.deletions + sorts.insertions;
}

/* An edge that has this label goes, any other gets it. */
static enum sepx_err
set_edge(const struct custom *c, struct sepx_graph *graph, uint32_t number)
{
    uint32_t n = graph->n_nodes, pair = number / c->n_edge_labels;
    uint32_t from = pair / (n - 1), to = pair % (n - 1);
    uint16_t label = c->edge_label[number % c->n_edge_labels];
    struct sepx_edge *edge;

    to += to >= from;
    edge = sepx_graph_find_edge(graph, from, to);
    if (!edge)
        return sepx_graph_add_edge(graph, from, to, label);
    if (edge->label == label)
        sepx_graph_remove_edge(graph, from, to);
    else
        edge->label = label;
    return SEPX_OK;
}

/* A label of another group, or a pinned one, makes the graph invalid. */
static void
set_label(const struct custom *c, struct sepx_graph *graph, uint32_t number)
{
    uint32_t labels = c->ops.n_labels, node = number / (labels - 1);
    uint32_t was = graph->label[node], now = 1 + number % (labels - 1);

    now += now >= was;
    graph->label[node] =
        !c->label[was - 1].pinned && !c->label[now - 1].pinned &&
                c->label[was - 1].group == c->label[now - 1].group
            ? (uint16_t)now
            : 0;
}

/* The first source and the first target are joined. */
static enum sepx_err
delete_node(struct sepx_graph *graph, uint32_t node)
{
    uint32_t from = graph->n_nodes, to = from;
    uint16_t label = 0;
    enum sepx_err err = SEPX_OK;

    for (uint32_t i = graph->n_edges; i-- > 0;) {
        if (graph->edge[i].to == node) {
            from = graph->edge[i].from;
            label = graph->edge[i].label;
        }
        if (graph->edge[i].from == node)
            to = graph->edge[i].to;
    }
    if (from < graph->n_nodes && to < graph->n_nodes && from != to &&
        !sepx_graph_find_edge(graph, from, to))
        err = sepx_graph_add_edge(graph, from, to, label);
    if (!err)
        sepx_graph_remove_node(graph, node);
    return err;
}

static enum sepx_err
insert_node(const struct custom *c, struct sepx_graph *graph, uint32_t number)
{
    struct sepx_edge edge = graph->edge[number / c->ops.n_labels];
    uint32_t node = graph->n_nodes;
    enum sepx_err err;

    err = sepx_graph_add_node(graph, (uint16_t)(1 + number % c->ops.n_labels));
    if (err)
        return err;
    sepx_graph_remove_edge(graph, edge.from, edge.to);
    err = sepx_graph_add_edge(graph, edge.from, node, edge.label);
    return err ? err : sepx_graph_add_edge(graph, node, edge.to, edge.label);
}

enum sepx_err
sepx__custom_move(const struct sepx_space *space, struct sepx_graph *graph,
                  uint32_t move)
{
    const struct custom *c = custom_of(space);
    struct sorts sorts = count_sorts(c, graph);

    if (move < sorts.edges)
        return set_edge(c, graph, move);
    move -= sorts.edges;
    if (move < sorts.labels) {
        set_label(c, graph, move);
        return SEPX_OK;
    }
    move -= sorts.labels;
    if (move < sorts.deletions)
        return delete_node(graph, move);
    return insert_node(c, graph, move - sorts.deletions);
}
