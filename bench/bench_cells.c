/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Graphs like those of the neural architecture search benchmarks, drawn and
 * changed at random. They are made up: no benchmark's data is needed.
 */
#include "bench.h"

#include <stdlib.h>

enum { CELL_EDGES_MAX = 9, TRIES_MAX = 100000, EDITS_MAX = 200 };

/* ---- small helpers: the first failure sticks ---- */

static void
add_node(struct sepx_graph *graph, const char *text, enum sepx_err *err)
{
    uint16_t label = 0;

    if (!*err)
        *err = sepx_names_add(graph->names, &label, text);
    if (!*err)
        *err = sepx_graph_add_node(graph, label);
}

static void
add_edge(struct sepx_graph *graph, unsigned from, unsigned to,
         enum sepx_err *err)
{
    if (!*err && from != to && !sepx_graph_find_edge(graph, from, to))
        *err = sepx_graph_add_edge(graph, from, to, 0);
}

static unsigned
count_of(const char *const *words)
{
    unsigned count = 0;

    while (words[count])
        count++;
    return count;
}

static const char *
pick(const char *const *words, struct sepx_rng *rng)
{
    return words[sepx_rng_below(rng, count_of(words))];
}

/* Any pair from < to. */
static void
forward_ends(const struct sepx_graph *graph, unsigned *from, unsigned *to,
             struct sepx_rng *rng)
{
    uint32_t two[2];

    sepx_rng_sample(rng, two, 2, graph->n_nodes);
    *from = two[0] < two[1] ? two[0] : two[1];
    *to = two[0] < two[1] ? two[1] : two[0];
}

/* Any node but the first and the last. */
static unsigned
inner_node(const struct sepx_graph *graph, struct sepx_rng *rng)
{
    return 1 + sepx_rng_below(rng, graph->n_nodes - 2);
}

/* ---- convolutional cells, as in NAS-Bench-101 ---- */

static const char *const ends_pinned[] = {"input", "output", NULL};
static const char *const cell_labels[] = {"conv1x1", "conv3x3", "maxpool3x3",
                                          NULL};

static void
draw_cell(struct sepx_graph *graph, unsigned nodes, struct sepx_rng *rng,
          enum sepx_err *err)
{
    add_node(graph, "input", err);
    for (unsigned i = 2; i < nodes; i++)
        add_node(graph, pick(cell_labels, rng), err);
    add_node(graph, "output", err);
    /* A path through all nodes, then shortcuts and less of the path. */
    for (unsigned i = 1; i < nodes; i++)
        add_edge(graph, i - 1, i, err);
    while (!*err && graph->n_edges < CELL_EDGES_MAX) {
        unsigned from, to;

        forward_ends(graph, &from, &to, rng);
        add_edge(graph, from, to, err);
    }
    for (unsigned i = 2; i < nodes; i++) {
        if (!*err && sepx_rng_chance(rng, 0.2))
            sepx_graph_remove_edge(graph, i - 1, i);
    }
}

const struct bench_kind bench_kind_cell = {
    ends_pinned, draw_cell, forward_ends, inner_node, cell_labels,
};

/* ---- recurrent cells, as in NAS-Bench-NLP ---- */

static const char *const inputs[] = {"x", "h_prev_0", "h_prev_1", NULL};
enum { N_INPUTS = 3 };
/* Repeated by about how often cells of that benchmark have them. */
static const char *const recurrent_labels[] = {
    "linear",
    "linear",
    "linear",
    "linear",
    "linear",
    "activation_leaky_relu",
    "activation_leaky_relu",
    "activation_sigm",
    "activation_sigm",
    "activation_tanh",
    "activation_tanh",
    "elementwise_prod",
    "elementwise_sum",
    "blend",
    NULL,
};

static void
draw_recurrent(struct sepx_graph *graph, unsigned nodes, struct sepx_rng *rng,
               enum sepx_err *err)
{
    for (unsigned i = 0; i < N_INPUTS; i++)
        add_node(graph, inputs[i], err);
    for (unsigned i = N_INPUTS; i < nodes; i++) {
        unsigned taken = 1 + sepx_rng_below(rng, 3);

        add_node(graph, pick(recurrent_labels, rng), err);
        for (unsigned j = 0; j < taken; j++)
            add_edge(graph, sepx_rng_below(rng, i), i, err);
    }
}

static void
recurrent_ends(const struct sepx_graph *graph, unsigned *from, unsigned *to,
               struct sepx_rng *rng)
{
    do
        forward_ends(graph, from, to, rng);
    while (*to < N_INPUTS);
}

static unsigned
operation(const struct sepx_graph *graph, struct sepx_rng *rng)
{
    return N_INPUTS + sepx_rng_below(rng, graph->n_nodes - N_INPUTS);
}

const struct bench_kind bench_kind_recurrent = {
    inputs, draw_recurrent, recurrent_ends, operation, recurrent_labels,
};

/* ---- directed acyclic graphs of any size ---- */

static const char *const dag_labels[] = {"conv1", "conv3", "sep",
                                         "pool",  "skip",  NULL};

static void
draw_dag(struct sepx_graph *graph, unsigned nodes, struct sepx_rng *rng,
         enum sepx_err *err)
{
    add_node(graph, "input", err);
    for (unsigned i = 1; i < nodes; i++) {
        add_node(graph, i + 1 < nodes ? pick(dag_labels, rng) : "output", err);
        add_edge(graph, sepx_rng_below(rng, i), i, err);
        if (sepx_rng_chance(rng, 0.5))
            add_edge(graph, sepx_rng_below(rng, i), i, err);
    }
}

const struct bench_kind bench_kind_dag = {
    ends_pinned, draw_dag, forward_ends, inner_node, dag_labels,
};

/* ---- changes ---- */

/* One edit in four is a new label, the others add or remove an edge. */
static enum sepx_err
edit(struct sepx_graph *graph, const struct bench_kind *kind,
     struct sepx_rng *rng)
{
    unsigned from, to;

    if (sepx_rng_chance(rng, 0.25))
        return sepx_names_add(graph->names,
                              &graph->label[kind->node(graph, rng)],
                              pick(kind->labels, rng));
    kind->ends(graph, &from, &to, rng);
    if (!sepx_graph_find_edge(graph, from, to))
        return sepx_graph_add_edge(graph, from, to, 0);
    sepx_graph_remove_edge(graph, from, to);
    return SEPX_OK;
}

static enum sepx_err
shuffle(struct sepx_graph *graph, struct sepx_rng *rng)
{
    struct sepx_graph mixed = {.names = graph->names};
    uint32_t *order = calloc(graph->n_nodes + 1, sizeof *order);
    enum sepx_err err = SEPX_ENOMEM;

    if (order) {
        sepx_rng_sample(rng, order, graph->n_nodes, graph->n_nodes);
        err = sepx_graph_permute(&mixed, graph, order);
    }
    if (!err)
        err = sepx_graph_copy(graph, &mixed);
    sepx_graph_release(&mixed);
    free(order);
    return err;
}

/* ---- pairs ---- */

static enum sepx_err
pairs_init(struct bench_pairs *pairs, const struct bench_kind *kind,
           size_t count)
{
    *pairs = (struct bench_pairs){.kind = kind, .names = sepx_names_new()};
    pairs->a = calloc(count + 1, sizeof *pairs->a);
    pairs->b = calloc(count + 1, sizeof *pairs->b);
    if (!pairs->names || !pairs->a || !pairs->b)
        return SEPX_ENOMEM;
    pairs->count = count;
    for (size_t i = 0; i < count; i++)
        pairs->a[i].names = pairs->b[i].names = pairs->names;
    for (size_t i = 0; kind->pinned[i]; i++) {
        enum sepx_err err =
            sepx_names_add(pairs->names, &pairs->pinned[i], kind->pinned[i]);

        if (err)
            return err;
        pairs->n_pinned++;
    }
    return SEPX_OK;
}

void
bench_pairs_release(struct bench_pairs *pairs)
{
    for (size_t i = 0; i < pairs->count; i++) {
        sepx_graph_release(&pairs->a[i]);
        sepx_graph_release(&pairs->b[i]);
    }
    free(pairs->a);
    free(pairs->b);
    sepx_names_free(pairs->names);
    *pairs = (struct bench_pairs){0};
}

/*
 * An edit moves the distance by at most one, so a walk away from `a` meets
 * the wanted distance before any larger one. It starts anew if it strays.
 */
static enum sepx_err
walk(struct sepx_graph *a, struct sepx_graph *b, const struct bench_kind *kind,
     unsigned nodes, double distance, struct sepx_ged *ged,
     struct sepx_rng *rng)
{
    struct sepx_ged_result result = {0};
    enum sepx_err err = SEPX_OK;

    for (unsigned step = 0; step < TRIES_MAX && !err; step++) {
        if (step % EDITS_MAX == 0) {
            sepx_graph_clear(a);
            kind->draw(a, nodes, rng, &err);
            if (!err)
                err = sepx_graph_copy(b, a);
        }
        if (!err)
            err = edit(b, kind, rng);
        if (!err)
            err = sepx_ged_between(ged, &result, a, b, NULL);
        if (!err && result.upper == distance)
            return SEPX_OK;
    }
    return err ? err : SEPX_ENOTFOUND;
}

enum sepx_err
bench_pairs_by_distance(struct bench_pairs *pairs,
                        const struct bench_kind *kind, unsigned nodes,
                        size_t count, unsigned distance, uint64_t seed)
{
    struct sepx_ged_options options = {0};
    struct sepx_ged *ged = NULL;
    enum sepx_err err = pairs_init(pairs, kind, count);

    options.pinned = pairs->pinned;
    options.n_pinned = pairs->n_pinned;
    if (!err)
        err = sepx_ged_new(&ged, &options);
    for (size_t i = 0; i < count && !err; i++) {
        struct sepx_rng rng;

        sepx_rng_init(&rng, seed, nodes, (uint32_t)i, distance);
        err =
            walk(&pairs->a[i], &pairs->b[i], kind, nodes, distance, ged, &rng);
        if (!err)
            err = shuffle(&pairs->b[i], &rng);
    }
    sepx_ged_free(ged);
    return err;
}

enum sepx_err
bench_pairs_related(struct bench_pairs *pairs, const struct bench_kind *kind,
                    unsigned nodes, size_t count, unsigned edits, uint64_t seed)
{
    enum sepx_err err = pairs_init(pairs, kind, count);

    for (size_t i = 0; i < count && !err; i++) {
        struct sepx_rng rng;

        sepx_rng_init(&rng, seed, nodes, (uint32_t)i, 1000 + edits);
        kind->draw(&pairs->a[i], nodes, &rng, &err);
        if (!err)
            err = sepx_graph_copy(&pairs->b[i], &pairs->a[i]);
        for (unsigned j = 0; j < edits && !err; j++)
            err = edit(&pairs->b[i], kind, &rng);
        if (!err)
            err = shuffle(&pairs->b[i], &rng);
    }
    return err;
}

enum sepx_err
bench_pairs_unrelated(struct bench_pairs *pairs, const struct bench_kind *kind,
                      unsigned nodes, size_t count, uint64_t seed)
{
    enum sepx_err err = pairs_init(pairs, kind, count);

    for (size_t i = 0; i < count && !err; i++) {
        struct sepx_rng rng;

        sepx_rng_init(&rng, seed, nodes, (uint32_t)i, 2000);
        kind->draw(&pairs->a[i], nodes, &rng, &err);
        kind->draw(&pairs->b[i], nodes, &rng, &err);
        if (!err)
            err = shuffle(&pairs->b[i], &rng);
    }
    return err;
}
