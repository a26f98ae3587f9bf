/* SPDX-License-Identifier: Apache-2.0 */
/*
 * DARTS cells (H. Liu et al., ICLR 2019), the space of NAS-Bench-301: a
 * normal and a reduction cell, operations on the edges.
 *
 * Both cells are one graph of two parts. In each, two inputs and four nodes
 * with two inputs each, all of which lead to the output by an edge without
 * label. Labels tell the cells and the roles apart and are all pinned; the
 * published distance has no labels, so there an input may meet an output.
 */
#include <stdio.h>
#include <string.h>

#include "space/internal.h"

#define INNER 4
#define OPS 7
#define CELL 7 /* nodes: 2 inputs, 4 inner, 1 output */
#define NODES (2 * CELL)
#define PAIRS (2 * INNER) /* inputs of inner nodes, in one cell */
#define VARIABLES (2 * 2 * PAIRS)

enum { IN_0 = 1, IN_1, NODE, OUT, LABELS = 8, FIRST_OP };

static const struct sepx__label labels[] = {
    {"normal_in_0", SEPX__INPUT, 0, true},
    {"normal_in_1", SEPX__INPUT, 1, true},
    {"normal", SEPX__INNER, 2, true},
    {"normal_out", SEPX__OUTPUT, 3, true},
    {"reduce_in_0", SEPX__INPUT, 4, true},
    {"reduce_in_1", SEPX__INPUT, 5, true},
    {"reduce", SEPX__INNER, 6, true},
    {"reduce_out", SEPX__OUTPUT, 7, true},
};

static const char *const ops[] = {
    "max_pool_3x3", "avg_pool_3x3", "skip_connect", "sep_conv_3x3",
    "sep_conv_5x5", "dil_conv_3x3", "dil_conv_5x5", NULL};

static const char *const target_names[] = {NULL};

/* 0 or 1: the node's cell; and what it is there. */
static unsigned
cell_of(uint16_t label)
{
    return (label - 1u) / 4;
}

static unsigned
part_of(uint16_t label)
{
    return (label - 1u) % 4 + 1;
}

/* ---- validity ---- */

static bool
check_counts(const struct sepx_graph *graph, struct sepx_msg *msg)
{
    unsigned count[LABELS + 1] = {0};

    for (uint32_t i = 0; i < graph->n_nodes; i++)
        count[graph->label[i]]++;
    for (uint16_t label = 1; label <= LABELS; label++) {
        unsigned want = part_of(label) == NODE ? INNER : 1;

        if (count[label] == want)
            continue;
        sepx_fail(msg, SEPX_EINVAL, "%u nodes '%s', not %u", count[label],
                  sepx_names_text(graph->names, label), want);
        return false;
    }
    return true;
}

/* What is wrong with an edge, or NULL. */
static const char *
edge_fault(const struct sepx_graph *graph, const struct sepx_edge *edge)
{
    uint16_t from = graph->label[edge->from], to = graph->label[edge->to];
    bool op = edge->label >= FIRST_OP && edge->label < FIRST_OP + OPS;

    if (cell_of(from) != cell_of(to))
        return "joins the two cells";
    if (part_of(to) < NODE)
        return "leads to an input";
    if (part_of(from) == OUT)
        return "leaves an output";
    if (part_of(to) == OUT && (part_of(from) != NODE || edge->label))
        return "to the output comes from an input or has a label";
    return part_of(to) == OUT || op ? NULL : "has no operation";
}

static bool
check(const struct sepx_space *space, const struct sepx_graph *graph,
      const struct sepx__rows *rows, struct sepx_msg *msg)
{
    (void)space;
    if (!check_counts(graph, msg))
        return false;
    for (uint32_t i = 0; i < graph->n_edges; i++) {
        const char *fault = edge_fault(graph, &graph->edge[i]);

        if (!fault)
            continue;
        sepx_fail(msg, SEPX_EINVAL, "edge %u-%u %s", graph->edge[i].from,
                  graph->edge[i].to, fault);
        return false;
    }
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        unsigned n = sepx__count(rows->in[i]);
        unsigned part = part_of(graph->label[i]);
        unsigned want = part == OUT ? INNER : part == NODE ? 2 : 0;

        if (n == want)
            continue;
        sepx_fail(msg, SEPX_EINVAL, "node %u has %u inputs, not %u", i, n,
                  want);
        return false;
    }
    return true;
}

/* ---- cells in their stored order ---- */

/* Node i of a cell is node CELL * cell + i: inputs, inner nodes, output. */
struct pair {
    uint16_t op; /* 0..OPS-1 */
    uint16_t source;
};

static SEPX_CHECKED enum sepx_err
add_nodes(const struct sepx_space *space, struct sepx_graph *graph)
{
    static const uint16_t part[CELL] = {IN_0, IN_1, NODE, NODE,
                                        NODE, NODE, OUT};
    enum sepx_err err = SEPX_OK;

    graph->names = space->names;
    sepx_graph_clear(graph);
    for (uint32_t i = 0; i < NODES && !err; i++)
        err = sepx_graph_add_node(graph,
                                  (uint16_t)(part[i % CELL] + 4 * (i / CELL)));
    return err;
}

/* Pairs 2k and 2k + 1 of a cell are the inputs of its node 2 + k. */
static SEPX_CHECKED enum sepx_err
add_edges(struct sepx_graph *graph, uint32_t cell, const struct pair *pair)
{
    uint32_t first = CELL * cell;
    enum sepx_err err = SEPX_OK;

    for (uint32_t i = 0; i < PAIRS && !err; i++)
        err = sepx_graph_add_edge(graph, first + pair[i].source,
                                  first + 2 + i / 2,
                                  (uint16_t)(FIRST_OP + pair[i].op));
    for (uint32_t i = 2; i < 2 + INNER && !err; i++)
        err = sepx_graph_add_edge(graph, first + i, first + CELL - 1, 0);
    return err;
}

static SEPX_CHECKED enum sepx_err
build(const struct sepx_space *space, struct sepx_graph *graph,
      const struct pair *pair)
{
    enum sepx_err err = add_nodes(space, graph);

    for (uint32_t cell = 0; cell < 2 && !err; cell++)
        err = add_edges(graph, cell, pair + PAIRS * cell);
    return err;
}

/* `graph` is valid and in its stored order. */
static void
read_pairs(struct pair *pair, const struct sepx_graph *graph)
{
    uint32_t seen[NODES] = {0};

    for (uint32_t i = 0; i < graph->n_edges; i++) {
        const struct sepx_edge *edge = &graph->edge[i];
        uint32_t cell = edge->to / CELL, node = edge->to % CELL;

        if (node == CELL - 1)
            continue;
        pair[PAIRS * cell + 2 * (node - 2) + seen[edge->to]++] = (struct pair){
            (uint16_t)(edge->label - FIRST_OP), (uint16_t)(edge->from % CELL)};
    }
}

/* ---- drawing ---- */

static enum sepx_err
sample(const struct sepx_space *space, struct sepx_graph *graph,
       struct sepx_rng *rng)
{
    struct pair pair[2 * PAIRS];

    for (uint32_t i = 0; i < 2 * PAIRS; i += 2) {
        uint32_t source[2];

        sepx_rng_sample(rng, source, 2, 2 + i % PAIRS / 2);
        for (uint32_t k = 0; k < 2; k++)
            pair[i + k] = (struct pair){(uint16_t)sepx_rng_below(rng, OPS),
                                        (uint16_t)source[k]};
    }
    return build(space, graph, pair);
}

/* In each cell, one input gets another operation or another source. */
static enum sepx_err
mutate(const struct sepx_space *space, struct sepx_graph *child,
       const struct sepx_rules *rules, struct sepx_rng *rng)
{
    struct pair pair[2 * PAIRS], new;

    (void)rules;
    read_pairs(pair, child);
    for (uint32_t cell = 0; cell < 2; cell++) {
        uint32_t i = sepx_rng_below(rng, PAIRS);
        struct pair *old = &pair[PAIRS * cell + i];
        uint16_t partner = pair[(PAIRS * cell + i) ^ 1].source;

        do {
            new.op = (uint16_t)sepx_rng_below(rng, OPS);
            new.source = (uint16_t)sepx_rng_below(rng, 2 + i / 2);
        } while (new.source == partner ||
                 (new.source == old->source &&new.op == old->op));
        *old = new;
    }
    return build(space, child, pair);
}

/* ---- local search ---- */

/* For each edge: 7 operations, then each node of the cell as source. */
static uint32_t
moves(const struct sepx_space *space, const struct sepx_graph *graph)
{
    (void)space;
    return graph->n_edges * (OPS + NODES);
}

/* Impossible moves, and those that change nothing, end invalid. */
static enum sepx_err
move(const struct sepx_space *space, struct sepx_graph *graph, uint32_t number)
{
    struct sepx_edge *edge = &graph->edge[number / (OPS + NODES)], old = *edge;
    uint32_t what = number % (OPS + NODES), source = what - OPS;

    (void)space;
    if (what < OPS && edge->label && edge->label != FIRST_OP + what) {
        edge->label = (uint16_t)(FIRST_OP + what);
        return SEPX_OK;
    }
    sepx_graph_remove_edge(graph, old.from, old.to);
    if (what < OPS || source == old.from || source == old.to ||
        sepx_graph_find_edge(graph, source, old.to))
        return SEPX_OK;
    return sepx_graph_add_edge(graph, source, old.to, old.label);
}

/* ---- vectors: operation and source of each pair ---- */

static uint32_t
choices(const struct sepx_space *space, uint32_t variable)
{
    (void)space;
    return variable % 2 ? 2 + variable % (2 * PAIRS) / 4 : OPS;
}

static void
variable(const struct sepx_space *space, uint32_t number, char *room,
         size_t size)
{
    uint32_t pair = number / 2 % PAIRS;

    (void)space;
    snprintf(room, size, "%s%u%c-%s", number < 2 * PAIRS ? "n" : "r",
             2 + pair / 2, "ab"[pair % 2], number % 2 ? "from" : "op");
}

static enum sepx_err
decode(const struct sepx_space *space, struct sepx_graph *graph, bool *valid,
       const uint16_t *value, struct sepx_msg *msg)
{
    struct pair pair[2 * PAIRS];

    for (uint32_t i = 0; i < 2 * PAIRS; i++)
        pair[i] = (struct pair){value[2 * i], value[2 * i + 1]};
    for (uint32_t i = 0; i < 2 * PAIRS; i += 2) {
        if (pair[i].source != pair[i + 1].source)
            continue;
        sepx_fail(msg, SEPX_EINVAL,
                  "node %u of the %s cell has one input twice",
                  2 + i % PAIRS / 2, i < PAIRS ? "normal" : "reduction");
        return SEPX_OK;
    }
    *valid = true;
    return build(space, graph, pair);
}

static enum sepx_err
encode(const struct sepx_space *space, uint16_t *value,
       const struct sepx_graph *graph)
{
    struct pair pair[2 * PAIRS];

    (void)space;
    read_pairs(pair, graph);
    for (uint32_t i = 0; i < 2 * PAIRS; i++) {
        value[2 * i] = pair[i].op;
        value[2 * i + 1] = pair[i].source;
    }
    return SEPX_OK;
}

const struct sepx__space_ops sepx__space_darts = {
    .info = {.name = "darts",
             .summary = "DARTS, NAS-Bench-301: two cells, 7 operations",
             .targets = target_names},
    .label = labels,
    .n_labels = LABELS,
    .edge_label = ops,
    .nodes_max = NODES,
    .check = check,
    .sample = sample,
    .mutate = mutate,
    .moves = moves,
    .move = move,
    .n_variables = VARIABLES,
    .choices = choices,
    .variable = variable,
    .decode = decode,
    .encode = encode,
};
