/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mutation of recurrent cells. The published one (NASLib's) moves the source
 * of an edge between operations or exchanges an operation for one with as
 * many inputs; it never adds or removes a node, nor touches an edge from an
 * input, so most cells cannot be reached. Ours makes one change of any kind.
 *
 * A function below may find nothing to change, or break a rule: the caller
 * draws again.
 */
#include <string.h>

#include "nas/nbnlp/nbnlp_labels.h"

#define NODES SEPX__SPACE_NODES
#define STATES 2 /* that our mutation gives a cell at most */

/* ---- as published ---- */

/* How often the source is an input of the target. */
static uint32_t
times(const struct sepx_edge *edge)
{
    return edge->label ? 2u + edge->label - NLP_TWICE : 1;
}

static SEPX_CHECKED enum sepx_err
add_input(struct sepx_graph *graph, uint32_t from, uint32_t to)
{
    struct sepx_edge *edge = sepx_graph_find_edge(graph, from, to);

    if (!edge)
        return sepx_graph_add_edge(graph, from, to, 0);
    edge->label = edge->label ? NLP_THRICE : NLP_TWICE;
    return SEPX_OK;
}

static void
remove_input(struct sepx_graph *graph, uint32_t from, uint32_t to)
{
    struct sepx_edge *edge = sepx_graph_find_edge(graph, from, to);

    if (!edge->label)
        sepx_graph_remove_edge(graph, from, to);
    else
        edge->label = edge->label == NLP_THRICE ? NLP_TWICE : 0;
}

/* Operation to operation. */
static bool
is_free(const struct sepx_graph *graph, const struct sepx_edge *edge)
{
    return nlp_is_op(graph->label[edge->from]) &&
           nlp_is_op(graph->label[edge->to]);
}

/* One input of a node comes from another operation before it. */
static SEPX_CHECKED enum sepx_err
published_edge(struct sepx_graph *graph, struct sepx_rng *rng)
{
    uint32_t count = 0, pick, i = 0, first = 0;
    struct sepx_edge edge;

    for (uint32_t k = 0; k < graph->n_edges; k++)
        if (is_free(graph, &graph->edge[k]))
            count += times(&graph->edge[k]);
    if (!count)
        return SEPX_OK;
    pick = sepx_rng_below(rng, count);
    for (;; i++) {
        if (!is_free(graph, &graph->edge[i]))
            continue;
        if (pick < times(&graph->edge[i]))
            break;
        pick -= times(&graph->edge[i]);
    }
    edge = graph->edge[i];
    while (!nlp_is_op(graph->label[first]))
        first++;
    remove_input(graph, edge.from, edge.to);
    return add_input(graph, first + sepx_rng_below(rng, edge.to - first),
                     edge.to);
}

static uint32_t
count_inputs(const struct sepx_graph *graph, uint32_t node)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < graph->n_edges; i++)
        if (graph->edge[i].to == node)
            count += times(&graph->edge[i]);
    return count;
}

/* One of `n` labels from `first` on, but not `old`. */
static uint16_t
other_of(uint16_t first, uint32_t n, uint16_t old, struct sepx_rng *rng)
{
    uint16_t pick;

    if (old < first || old >= first + n)
        return (uint16_t)(first + sepx_rng_below(rng, n));
    pick = (uint16_t)(first + sepx_rng_below(rng, n - 1));
    return (uint16_t)(pick + (pick >= old));
}

/* Another operation for a node, of those that take as many inputs. */
static void
published_op(struct sepx_graph *graph, struct sepx_rng *rng)
{
    uint32_t node[NODES], count = 0, pick, n_in;

    for (uint32_t i = 0; i < graph->n_nodes; i++)
        if (graph->label[i] >= NLP_SIGM && graph->label[i] < NLP_LINEAR)
            node[count++] = i;
    if (!count)
        return;
    pick = node[sepx_rng_below(rng, count)];
    n_in = count_inputs(graph, pick);
    if (n_in == 0)
        graph->label[pick] = NLP_BLANK;
    else if (n_in == 1)
        graph->label[pick] = other_of(NLP_SIGM, 3, graph->label[pick], rng);
    else
        graph->label[pick] = other_of(NLP_SUM, 2, graph->label[pick], rng);
}

/*
 * The marks' labels are in the order of the nodes that they mark. Published
 * crossovers may leave more of them than there are labels.
 */
static void
renumber_marks(struct sepx_graph *graph)
{
    uint16_t next = NLP_NEW, last = NLP_NEW + NLP_HIDDEN - 1;

    for (uint32_t i = 0; i < graph->n_edges; i++) {
        uint16_t *label = &graph->label[graph->edge[i].to];

        if (!nlp_is_mark(*label))
            continue;
        *label = next;
        next = (uint16_t)(next + (next < last));
    }
}

static SEPX_CHECKED enum sepx_err
mutate_as_published(struct sepx_graph *graph, const struct sepx_rules *rules,
                    struct sepx_rng *rng)
{
    enum sepx_err err = SEPX_OK;

    if (sepx_rng_u32(rng) & 1)
        err = published_edge(graph, rng);
    else
        published_op(graph, rng);
    if (rules->judge == SEPX_ACCEPT_PUBLISHED)
        renumber_marks(graph);
    return err;
}

/* ---- our own: one change of any kind ---- */

/* A valid cell has operations, and edges to them. */
static uint32_t
draw_op(const struct sepx_graph *graph, struct sepx_rng *rng)
{
    uint32_t node;

    do
        node = sepx_rng_below(rng, graph->n_nodes);
    while (!nlp_is_op(graph->label[node]));
    return node;
}

static struct sepx_edge
draw_input(const struct sepx_graph *graph, struct sepx_rng *rng)
{
    struct sepx_edge edge;

    do
        edge = graph->edge[sepx_rng_below(rng, graph->n_edges)];
    while (!nlp_is_op(graph->label[edge.to]));
    return edge;
}

static SEPX_CHECKED enum sepx_err
change_op(struct sepx_graph *graph, struct sepx_rng *rng)
{
    uint32_t node = draw_op(graph, rng);

    graph->label[node] = other_of(NLP_SIGM, 7, graph->label[node], rng);
    return SEPX_OK;
}

static SEPX_CHECKED enum sepx_err
add_edge(struct sepx_graph *graph, struct sepx_rng *rng)
{
    uint32_t to = draw_op(graph, rng), from = sepx_rng_below(rng, to);

    if (sepx_graph_find_edge(graph, from, to))
        return SEPX_OK;
    return sepx_graph_add_edge(graph, from, to, 0);
}

static SEPX_CHECKED enum sepx_err
remove_edge(struct sepx_graph *graph, struct sepx_rng *rng)
{
    struct sepx_edge edge = draw_input(graph, rng);

    sepx_graph_remove_edge(graph, edge.from, edge.to);
    return SEPX_OK;
}

static SEPX_CHECKED enum sepx_err
move_source(struct sepx_graph *graph, struct sepx_rng *rng)
{
    struct sepx_edge edge = draw_input(graph, rng);
    uint32_t from = sepx_rng_below(rng, edge.to);

    if (sepx_graph_find_edge(graph, from, edge.to))
        return SEPX_OK;
    sepx_graph_remove_edge(graph, edge.from, edge.to);
    return sepx_graph_add_edge(graph, from, edge.to, 0);
}

/* A new operation in the middle of an edge. */
static SEPX_CHECKED enum sepx_err
insert_node(struct sepx_graph *graph, struct sepx_rng *rng)
{
    struct sepx_edge edge = draw_input(graph, rng);
    uint16_t op = (uint16_t)(NLP_SIGM + sepx_rng_below(rng, 7));
    uint32_t node = graph->n_nodes;
    enum sepx_err err = sepx_graph_add_node(graph, op);

    sepx_graph_remove_edge(graph, edge.from, edge.to);
    if (!err)
        err = sepx_graph_add_edge(graph, edge.from, node, 0);
    return err ? err : sepx_graph_add_edge(graph, node, edge.to, 0);
}

/* One of its inputs takes an operation's place. */
static SEPX_CHECKED enum sepx_err
delete_node(struct sepx_graph *graph, struct sepx_rng *rng)
{
    uint32_t node = draw_op(graph, rng), from;
    enum sepx_err err = SEPX_OK;

    do
        from = draw_input(graph, rng).from;
    while (!sepx_graph_find_edge(graph, from, node));
    for (uint32_t to = 0; to < graph->n_nodes && !err; to++)
        if (sepx_graph_find_edge(graph, node, to) &&
            !sepx_graph_find_edge(graph, from, to))
            err = sepx_graph_add_edge(graph, from, to, 0);
    sepx_graph_remove_node(graph, node);
    return err;
}

static uint32_t
find_label(const struct sepx_graph *graph, uint32_t label)
{
    uint32_t node = 0;

    while (node < graph->n_nodes && graph->label[node] != label)
        node++;
    return node;
}

/* Another operation becomes the new state. */
static SEPX_CHECKED enum sepx_err
move_state(struct sepx_graph *graph, struct sepx_rng *rng)
{
    uint32_t mark = find_label(graph, NLP_NEW + sepx_rng_below(rng, STATES));
    uint32_t node = draw_op(graph, rng);

    if (mark == graph->n_nodes || sepx_graph_find_edge(graph, node, mark))
        return SEPX_OK;
    for (uint32_t from = 0; from < graph->n_nodes; from++)
        sepx_graph_remove_edge(graph, from, mark);
    return sepx_graph_add_edge(graph, node, mark, 0);
}

/* A state goes, or a new one is written here and read there. */
static SEPX_CHECKED enum sepx_err
toggle_state(struct sepx_graph *graph, struct sepx_rng *rng)
{
    uint32_t state = sepx_rng_below(rng, STATES);
    uint32_t prev = find_label(graph, NLP_PREV + state);
    uint32_t reader = draw_op(graph, rng), writer = draw_op(graph, rng);
    uint32_t n = graph->n_nodes;
    enum sepx_err err;

    if (prev < n) {
        sepx_graph_remove_node(graph, find_label(graph, NLP_NEW + state));
        sepx_graph_remove_node(graph, prev);
        return SEPX_OK;
    }
    err = sepx_graph_add_node(graph, (uint16_t)(NLP_PREV + state));
    if (!err)
        err = sepx_graph_add_node(graph, (uint16_t)(NLP_NEW + state));
    if (!err)
        err = sepx_graph_add_edge(graph, n, reader, 0);
    return err ? err : sepx_graph_add_edge(graph, writer, n + 1, 0);
}

enum sepx_err
nlp_mutate(const struct sepx_space *space, struct sepx_graph *child,
           const struct sepx_rules *rules, struct sepx_rng *rng)
{
    static enum sepx_err (*const kind[])(struct sepx_graph *,
                                         struct sepx_rng *) = {
        change_op,   add_edge,    remove_edge, move_source,
        insert_node, delete_node, move_state,  toggle_state,
    };
    const uint32_t n_kinds = sizeof(kind) / sizeof(*kind);

    (void)space;
    if (!rules->grow)
        return mutate_as_published(child, rules, rng);
    return kind[sepx_rng_below(rng, n_kinds)](child, rng);
}
