/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NAS-Bench-NLP (N. Klyuchnikov et al., IEEE Access 2022): recurrent cells,
 * operations on the nodes, inputs x and h_prev_i (present if used).
 *
 * The node that becomes hidden state i has an edge to a node labelled
 * h_new_i, so that the graph holds all of the cell. Published distances do
 * not see these marks; sepx_space_plain() takes them out.
 *
 * Valid is what can be computed: each operation has as many inputs as it
 * takes, each state that is read is written and the other way round, and x
 * and every state that is read have a way to a state that is written.
 */
#include <string.h>

#include "nas/nbnlp/nbnlp_labels.h"

#define OPS_MAX 24 /* operations of a cell, as in the benchmark */
#define NODES_MAX (OPS_MAX + 1 + 2 * NLP_HIDDEN)

static const struct sepx__label labels[] = {
    {"x", SEPX__INPUT, 0, true},
    {"h_prev_0", SEPX__INPUT, 1, true},
    {"h_prev_1", SEPX__INPUT, 2, true},
    {"h_prev_2", SEPX__INPUT, 3, true},
    {"h_new_0", SEPX__MARK, 5, true},
    {"h_new_1", SEPX__MARK, 6, true},
    {"h_new_2", SEPX__MARK, 7, true},
    {"activation_sigm", SEPX__INNER, 4, false},
    {"activation_tanh", SEPX__INNER, 4, false},
    {"activation_leaky_relu", SEPX__INNER, 4, false},
    {"elementwise_sum", SEPX__INNER, 4, false},
    {"elementwise_prod", SEPX__INNER, 4, false},
    {"linear", SEPX__INNER, 4, false},
    {"blend", SEPX__INNER, 4, false},
    {"in", SEPX__INNER, 4, false},
};

static const char *const edge_labels[] = {"2", "3", NULL};

/* Inputs that an operation takes; by label from NLP_SIGM on. */
static const struct {
    uint8_t least, most;
} arity[] = {{1, 1}, {1, 1}, {1, 1}, {1, 3}, {1, 3}, {1, 3}, {1, 3}};

/* ---- targets ---- */

static const uint16_t gru_nodes[] = {
    NLP_X,    NLP_PREV,   NLP_LINEAR, NLP_SIGM,  NLP_LINEAR, NLP_SIGM,
    NLP_PROD, NLP_LINEAR, NLP_TANH,   NLP_BLEND, NLP_NEW,    0};
static const uint8_t gru_edges[][2] = {
    {0, 2}, {1, 2}, {2, 3}, {0, 4}, {1, 4}, {4, 5}, {3, 6},  {1, 6},
    {0, 7}, {6, 7}, {7, 8}, {5, 9}, {1, 9}, {8, 9}, {9, 10}, {0, 0}};

/* The output gate has tanh, as in the published target. */
static const uint16_t lstm_nodes[] = {
    NLP_X,      NLP_PREV, NLP_PREV + 1, NLP_LINEAR, NLP_TANH,
    NLP_LINEAR, NLP_SIGM, NLP_LINEAR,   NLP_SIGM,   NLP_LINEAR,
    NLP_TANH,   NLP_PROD, NLP_PROD,     NLP_SUM,    NLP_TANH,
    NLP_PROD,   NLP_NEW,  NLP_NEW + 1,  0};
static const uint8_t lstm_edges[][2] = {
    {0, 3},   {1, 3},   {3, 4},   {0, 5},   {1, 5},   {5, 6},
    {0, 7},   {1, 7},   {7, 8},   {0, 9},   {1, 9},   {9, 10},
    {8, 11},  {2, 11},  {4, 12},  {6, 12},  {11, 13}, {12, 13},
    {13, 14}, {14, 15}, {10, 15}, {15, 16}, {13, 17}, {0, 0}};

static const struct sepx__sketch targets[] = {
    {"gru", gru_nodes, gru_edges},
    {"lstm", lstm_nodes, lstm_edges},
    {NULL, NULL, NULL},
};
static const char *const target_names[] = {"gru", "lstm", NULL};

/* ---- validity ---- */

static const char *
name_of(const struct sepx_graph *graph, uint32_t node)
{
    return sepx_names_text(graph->names, graph->label[node]);
}

/* The nodes with one label. */
static uint64_t
nodes_labelled(const struct sepx_graph *graph, uint16_t label)
{
    uint64_t set = 0;

    for (uint32_t i = 0; i < graph->n_nodes; i++)
        set |= (uint64_t)(graph->label[i] == label) << i;
    return set;
}

/* Inputs and marks are there once at most, x is, states come in pairs. */
static bool
check_ends(const struct sepx_graph *graph, struct sepx_msg *msg)
{
    for (uint16_t label = NLP_X; label < NLP_SIGM; label++) {
        unsigned count = sepx__count(nodes_labelled(graph, label));

        if (count > 1 || (label == NLP_X && !count)) {
            sepx_fail(msg, SEPX_EINVAL, "%u nodes '%s'", count,
                      sepx_names_text(graph->names, label));
            return false;
        }
    }
    for (uint16_t i = 0; i < NLP_HIDDEN; i++) {
        bool prev = nodes_labelled(graph, (uint16_t)(NLP_PREV + i));
        bool new = nodes_labelled(graph, (uint16_t)(NLP_NEW + i));

        if (prev == new)
            continue;
        sepx_fail(msg, SEPX_EINVAL, "state %u is %s", i,
                  prev ? "read but never written" : "written but never read");
        return false;
    }
    return true;
}

/* What is wrong with a node's edges, or NULL. */
static const char *
fault_of(const struct sepx_graph *graph, const struct sepx__rows *rows,
         uint32_t node, uint64_t inner)
{
    uint16_t label = graph->label[node];
    unsigned n_in = sepx__count(rows->in[node]);

    if (label < NLP_NEW)
        return n_in ? "has an input" : rows->out[node] ? NULL : "is not used";
    if (label < NLP_SIGM)
        return rows->out[node]                          ? "has an output"
               : n_in != 1 || !(rows->in[node] & inner) ? "marks no operation"
                                                        : NULL;
    if (label == NLP_BLANK)
        return "is no operation";
    if (n_in < arity[label - NLP_SIGM].least)
        return "has too few inputs";
    return n_in > arity[label - NLP_SIGM].most ? "has too many inputs" : NULL;
}

static bool
check_nodes(const struct sepx_graph *graph, const struct sepx__rows *rows,
            uint64_t inner, struct sepx_msg *msg)
{
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        const char *fault = fault_of(graph, rows, i, inner);

        if (!fault)
            continue;
        sepx_fail(msg, SEPX_EINVAL, "node %u, %s, %s", i, name_of(graph, i),
                  fault);
        return false;
    }
    return true;
}

/* Two states are never one node. */
static bool
check_states(const struct sepx_graph *graph, const struct sepx__rows *rows,
             uint64_t marks, struct sepx_msg *msg)
{
    uint64_t states = 0, set = marks;

    while (set)
        states |= rows->in[sepx__take_lowest(&set)];
    if (sepx__count(states) == sepx__count(marks))
        return true;
    (void)graph;
    sepx_fail(msg, SEPX_EINVAL, "two new states are one node");
    return false;
}

static bool
check(const struct sepx_space *space, const struct sepx_graph *graph,
      const struct sepx__rows *rows, struct sepx_msg *msg)
{
    uint64_t inner = sepx__nodes_of(space, graph, 1u << SEPX__INNER);
    uint64_t in = sepx__nodes_of(space, graph, 1u << SEPX__INPUT);
    uint64_t marks = sepx__nodes_of(space, graph, 1u << SEPX__MARK), idle;

    if (sepx__count(inner) > OPS_MAX) {
        sepx_fail(msg, SEPX_EINVAL, "%u operations; a cell has at most %d",
                  sepx__count(inner), OPS_MAX);
        return false;
    }
    if (!check_ends(graph, msg) || !check_nodes(graph, rows, inner, msg) ||
        !check_states(graph, rows, marks, msg))
        return false;
    for (uint32_t i = 0; i < graph->n_edges; i++)
        if (graph->edge[i].label) {
            sepx_fail(msg, SEPX_EINVAL, "edge %u-%u has a label",
                      graph->edge[i].from, graph->edge[i].to);
            return false;
        }
    idle = in & ~sepx__rows_before(rows, marks);
    if (!idle)
        return true;
    sepx_fail(msg, SEPX_EINVAL, "%s has no way to a new state",
              name_of(graph, (uint32_t)__builtin_ctzll(idle)));
    return false;
}

/* ---- the authors' test of a child ---- */

static bool
accept_states(const struct sepx_graph *graph, const struct sepx__rows *rows)
{
    uint64_t x = nodes_labelled(graph, NLP_X);
    bool found = false;

    for (uint16_t i = 0; i < 2; i++) {
        uint64_t prev = nodes_labelled(graph, (uint16_t)(NLP_PREV + i));
        uint64_t new = nodes_labelled(graph, (uint16_t)(NLP_NEW + i));
        uint64_t before = sepx__rows_before(rows, new);

        if (!prev != !new)
            return false;
        found |= before & prev && before & x;
    }
    return found;
}

static bool
accept(const struct sepx_space *space, const struct sepx_graph *graph,
       const struct sepx__rows *rows, struct sepx_msg *msg)
{
    const char *fault = NULL;

    (void)space;
    if (!nodes_labelled(graph, NLP_X))
        fault = "x is missing";
    else if (!accept_states(graph, rows))
        fault = "no hidden state is passed on";
    for (uint32_t i = 0; i < graph->n_nodes && !fault; i++)
        if (sepx__count(rows->in[i]) > 2)
            fault = "a node has more than two inputs";
    if (fault)
        sepx_fail(msg, SEPX_EINVAL, "%s", fault);
    return !fault;
}

/* ---- local search ---- */

/* Edges toggled, then sources moved, then other operations. */
static uint32_t
moves(const struct sepx_space *space, const struct sepx_graph *graph)
{
    (void)space;
    return graph->n_nodes * (graph->n_nodes + graph->n_edges + 7);
}

static SEPX_CHECKED enum sepx_err
toggle(struct sepx_graph *graph, uint32_t from, uint32_t to)
{
    if (from == to) {
        graph->label[from] = 0;
        return SEPX_OK;
    }
    if (!sepx_graph_find_edge(graph, from, to))
        return sepx_graph_add_edge(graph, from, to, 0);
    sepx_graph_remove_edge(graph, from, to);
    return SEPX_OK;
}

/* A move to where the graph is already, or an impossible one, is invalid. */
static enum sepx_err
move(const struct sepx_space *space, struct sepx_graph *graph, uint32_t number)
{
    uint32_t n = graph->n_nodes, node = number % n, what = number / n;
    uint16_t op;

    (void)space;
    if (what < n)
        return toggle(graph, what, node);
    what -= n;
    if (what < graph->n_edges) {
        uint32_t to = graph->edge[what].to;

        if (node == to || sepx_graph_find_edge(graph, node, to))
            return toggle(graph, to, to);
        sepx_graph_remove_edge(graph, graph->edge[what].from, to);
        return sepx_graph_add_edge(graph, node, to, 0);
    }
    op = (uint16_t)(NLP_SIGM + what - graph->n_edges);
    graph->label[node] =
        nlp_is_op(graph->label[node]) && graph->label[node] != op ? op : 0;
    return SEPX_OK;
}

const struct sepx__space_ops sepx__space_nbnlp = {
    .info = {.name = "nbnlp",
             .summary = "NAS-Bench-NLP: recurrent cells, 7 operations",
             .targets = target_names},
    .label = labels,
    .n_labels = sizeof(labels) / sizeof(*labels),
    .edge_label = edge_labels,
    .nodes_max = NODES_MAX,
    .targets = targets,
    .drop_inputs = true,
    .plain_edges = true,
    .free_mutants = true,
    .check = check,
    .accept = accept,
    .sample = nlp_sample,
    .mutate = nlp_mutate,
    .mix = nlp_mix,
    .moves = moves,
    .move = move,
};
