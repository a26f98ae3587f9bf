/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NAS-Bench-101 (C. Ying et al., ICML 2019): cells of up to 7 nodes, from
 * one input to one output, operations on the nodes.
 *
 * A cell may have dead nodes and edges, as the published searches keep them;
 * only live edges count against the limit of 9. Sampling, mutation and the
 * 26 variables are those of the published experiments.
 */
#include <stdio.h>
#include <string.h>

#include "space/internal.h"
#include "nas/nb101/nb101_internal.h"

#define NODES SEPX_NB101_NODES
#define INNER (NODES - 2)
#define EDGES_MAX SEPX_NB101_EDGES
#define PAIRS (NODES * (NODES - 1) / 2)

static const struct sepx__label labels[] = {
    {"input", SEPX__INPUT, 0, true},
    {"output", SEPX__OUTPUT, 2, true},
    {"conv3x3-bn-relu", SEPX__INNER, 1, false},
    {"conv1x1-bn-relu", SEPX__INNER, 1, false},
    {"maxpool3x3", SEPX__INNER, 1, false},
};

/* The cell of highest mean test accuracy. */
static const uint16_t optimum_nodes[] = {INPUT, CONV1, CONV3,  POOL,
                                         CONV3, CONV3, OUTPUT, 0};
static const uint8_t optimum_edges[][2] = {{0, 1}, {0, 2}, {0, 5}, {0, 6},
                                           {1, 5}, {2, 3}, {3, 4}, {4, 5},
                                           {5, 6}, {0, 0}};
static const struct sepx__sketch targets[] = {
    {"optimum", optimum_nodes, optimum_edges},
    {NULL, NULL, NULL},
};
static const char *const target_names[] = {"optimum", NULL};

/* ---- validity ---- */

static bool
one_each(uint64_t in, uint64_t out, struct sepx_msg *msg)
{
    if (sepx__count(in) == 1 && sepx__count(out) == 1)
        return true;
    sepx_fail(msg, SEPX_EINVAL, "%u inputs and %u outputs; a cell has one each",
              sepx__count(in), sepx__count(out));
    return false;
}

static bool
check(const struct sepx_space *space, const struct sepx_graph *graph,
      const struct sepx__rows *rows, struct sepx_msg *msg)
{
    uint64_t in = sepx__nodes_of(space, graph, 1u << SEPX__INPUT);
    uint64_t out = sepx__nodes_of(space, graph, 1u << SEPX__OUTPUT);
    uint64_t live = sepx__rows_after(rows, in) & sepx__rows_before(rows, out);
    unsigned edges = 0;
    const char *fault = NULL;

    if (!one_each(in, out, msg))
        return false;
    if (rows->in[__builtin_ctzll(in)])
        fault = "an edge leads to the input";
    else if (rows->out[__builtin_ctzll(out)])
        fault = "an edge leaves the output";
    else if (!live)
        fault = "no path from the input to the output";
    for (uint64_t set = live; set;)
        edges += sepx__count(rows->out[sepx__take_lowest(&set)] & live);
    if (!fault && edges <= EDGES_MAX)
        return true;
    if (fault)
        sepx_fail(msg, SEPX_EINVAL, "%s", fault);
    else
        sepx_fail(msg, SEPX_EINVAL, "%u live edges; a cell has at most %d",
                  edges, EDGES_MAX);
    return false;
}

/* The authors also want the input first and the output last. */
static bool
accept(const struct sepx_space *space, const struct sepx_graph *graph,
       const struct sepx__rows *rows, struct sepx_msg *msg)
{
    if (!check(space, graph, rows, msg))
        return false;
    if (graph->label[0] == INPUT && graph->label[graph->n_nodes - 1] == OUTPUT)
        return true;
    sepx_fail(msg, SEPX_EINVAL, "in this order, the %s",
              graph->label[0] == INPUT ? "output is not last"
                                       : "input is not first");
    return false;
}

/* ---- drawing ---- */

static uint16_t
random_op(struct sepx_rng *rng)
{
    return (uint16_t)(CONV3 + sepx_rng_below(rng, 3));
}

/* One of the two others. */
static uint16_t
other_op(uint16_t op, struct sepx_rng *rng)
{
    return (uint16_t)(CONV3 + (op - CONV3 + 1u + sepx_rng_below(rng, 2)) % 3);
}

static enum sepx_err
sample(const struct sepx_space *space, struct sepx_graph *graph,
       struct sepx_rng *rng)
{
    uint16_t label[NODES] = {[0] = INPUT, [NODES - 1] = OUTPUT};
    uint64_t out[NODES] = {0}, bits = sepx_rng_u32(rng);

    for (uint32_t i = 0; i < NODES; bits >>= NODES - 1 - i, i++)
        out[i] = (bits & (sepx__bit(NODES - 1 - i) - 1)) << (i + 1);
    for (uint32_t i = 1; i <= INNER; i++)
        label[i] = random_op(rng);
    return sepx__graph_fill(graph, space, label, NODES, out);
}

/*
 * Each of the edges flips with probability 1/7, each operation changes with
 * probability 1/5. A cell of fewer nodes first gains bare ones, or it could
 * never grow.
 */
static enum sepx_err
mutate(const struct sepx_space *space, struct sepx_graph *child,
       const struct sepx_rules *rules, struct sepx_rng *rng)
{
    uint16_t label[NODES];
    uint64_t out[NODES] = {0};
    uint32_t n = child->n_nodes;

    (void)rules;
    memcpy(label, child->label, (n - 1) * sizeof(*label));
    for (uint32_t i = n - 1; i <= INNER; i++)
        label[i] = random_op(rng);
    label[NODES - 1] = OUTPUT;
    for (uint32_t i = 0; i < child->n_edges; i++) {
        uint32_t to = child->edge[i].to;

        out[child->edge[i].from] |= sepx__bit(to == n - 1 ? NODES - 1 : to);
    }
    for (uint32_t i = 0; i < NODES; i++)
        for (uint32_t j = i + 1; j < NODES; j++)
            if (!sepx_rng_below(rng, NODES))
                out[i] ^= sepx__bit(j);
    for (uint32_t i = 1; i <= INNER; i++)
        if (!sepx_rng_below(rng, INNER))
            label[i] = other_op(label[i], rng);
    return sepx__graph_fill(child, space, label, NODES, out);
}

/* ---- local search ---- */

/* Each ordered pair's edge, then two other operations for each inner node. */
static uint32_t
moves(const struct sepx_space *space, const struct sepx_graph *graph)
{
    uint32_t n = graph->n_nodes;

    (void)space;
    return n * (n - 1) + 2 * n;
}

static enum sepx_err
toggle(struct sepx_graph *graph, uint32_t from, uint32_t to)
{
    if (!sepx_graph_find_edge(graph, from, to))
        return sepx_graph_add_edge(graph, from, to, 0);
    sepx_graph_remove_edge(graph, from, to);
    return SEPX_OK;
}

/* Input and output have no other label: such a move makes them invalid. */
static enum sepx_err
move(const struct sepx_space *space, struct sepx_graph *graph, uint32_t number)
{
    uint32_t n = graph->n_nodes, pairs = n * (n - 1);
    uint32_t node = (number - pairs) / 2, step = 1 + (number - pairs) % 2;

    if (number < pairs) {
        uint32_t from = number / (n - 1), to = number % (n - 1);

        return toggle(graph, from, to + (to >= from));
    }
    (void)space;
    if (graph->label[node] >= CONV3)
        graph->label[node] =
            (uint16_t)(CONV3 + (graph->label[node] - CONV3 + step) % 3);
    else
        graph->label[node] = 0;
    return SEPX_OK;
}

/* ---- vectors: 5 operations, then the 21 edges, row by row ---- */

static const uint16_t choice_op[] = {CONV1, CONV3, POOL};

static uint32_t
choices(const struct sepx_space *space, uint32_t variable)
{
    (void)space;
    return variable < INNER ? 3 : 2;
}

static void
variable(const struct sepx_space *space, uint32_t number, char *room,
         size_t size)
{
    uint32_t from = 0, k = number - INNER;

    (void)space;
    if (number < INNER) {
        snprintf(room, size, "op%u", number + 1);
        return;
    }
    for (; k >= NODES - 1 - from; from++)
        k -= NODES - 1 - from;
    snprintf(room, size, "edge%u-%u", from, from + 1 + k);
}

static enum sepx_err
decode(const struct sepx_space *space, struct sepx_graph *graph, bool *valid,
       const uint16_t *value, struct sepx_msg *msg)
{
    uint16_t label[NODES] = {[0] = INPUT, [NODES - 1] = OUTPUT};
    uint64_t out[NODES] = {0};
    const uint16_t *bit = value + INNER;
    enum sepx_err err;

    for (uint32_t i = 0; i < INNER; i++)
        label[i + 1] = choice_op[value[i]];
    for (uint32_t i = 0; i < NODES; i++)
        for (uint32_t j = i + 1; j < NODES; j++)
            out[i] |= (uint64_t)*bit++ << j;
    err = sepx__graph_fill(graph, space, label, NODES, out);
    if (err)
        return err;
    *valid = graph->n_edges <= EDGES_MAX;
    if (*valid)
        return sepx_space_check(space, valid, graph, msg);
    sepx_fail(msg, SEPX_EINVAL, "%u edges; a vector has at most %d",
              graph->n_edges, EDGES_MAX);
    return SEPX_OK;
}

static uint16_t
choice_of(uint16_t op)
{
    uint16_t i = 0;

    while (choice_op[i] != op)
        i++;
    return i;
}

/* Missing nodes become bare ones before the output. */
static enum sepx_err
encode(const struct sepx_space *space, uint16_t *value,
       const struct sepx_graph *graph)
{
    uint32_t n = graph->n_nodes;

    (void)space;
    memset(value, 0, (INNER + PAIRS) * sizeof(*value));
    for (uint32_t i = 1; i + 1 < n; i++)
        value[i - 1] = choice_of(graph->label[i]);
    for (uint32_t k = 0; k < graph->n_edges; k++) {
        uint32_t i = graph->edge[k].from, j = graph->edge[k].to;

        j = j == n - 1 ? NODES - 1 : j;
        value[INNER + i * (2 * NODES - 1 - i) / 2 + (j - i - 1)] = 1;
    }
    return SEPX_OK;
}

const struct sepx__space_ops sepx__space_nb101 = {
    .info = {.name = "nb101",
             .summary = "NAS-Bench-101: cells of 7 nodes, 3 operations",
             .targets = target_names},
    .label = labels,
    .n_labels = sizeof(labels) / sizeof(*labels),
    .nodes_max = NODES,
    .targets = targets,
    .accept_order = true,
    .check = check,
    .accept = accept,
    .sample = sample,
    .mutate = mutate,
    .moves = moves,
    .move = move,
    .n_variables = INNER + PAIRS,
    .choices = choices,
    .variable = variable,
    .decode = decode,
    .encode = encode,
    .file = sepx__nb101_file,
};
