/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/oracle_draw.h"

#include <stdio.h>

#include "unit/check.h"

static uint16_t
draw_label(struct sepx_names *names, char kind, uint32_t count,
           struct sepx_rng *rng)
{
    char text[16];
    uint16_t id;

    (void)snprintf(text, sizeof(text), "%c%u", kind,
                   sepx_rng_below(rng, count));
    assert_int_equal(sepx_names_add(names, &id, text), SEPX_OK);
    return id;
}

static void
add_edges(struct sepx_graph *graph, uint32_t i, uint32_t j,
          const struct draw_options *options, const struct draw_kind *kind,
          struct sepx_rng *rng)
{
    unsigned count = 0;

    do {
        uint16_t label = 0;

        if (options->edge_labels)
            label = draw_label(graph->names, 'e', options->edge_labels, rng);
        assert_int_equal(sepx_graph_add_parallel(graph, i, j, label), SEPX_OK);
    } while (kind->parallel > 0 && ++count < 4 &&
             sepx_rng_chance(rng, kind->parallel));
}

void
draw_any_graph(struct sepx_graph *graph, struct sepx_names *names,
               const struct draw_options *options, const struct draw_kind *kind,
               struct sepx_rng *rng)
{
    uint32_t n = options->n_nodes;

    sepx_graph_clear(graph);
    graph->names = names;
    for (uint32_t i = 0; i < n; i++)
        assert_int_equal(
            sepx_graph_add_node(
                graph, draw_label(names, 'n', options->node_labels, rng)),
            SEPX_OK);
    graph->undirected = kind->undirected;
    for (uint32_t i = 0; i < n; i++) {
        bool upward = options->acyclic || kind->undirected;

        if (kind->loops > 0 && sepx_rng_chance(rng, kind->loops))
            add_edges(graph, i, i, options, kind, rng);
        for (uint32_t j = upward ? i + 1 : 0; j < n; j++)
            if (i != j && sepx_rng_chance(rng, options->density))
                add_edges(graph, i, j, options, kind, rng);
    }
}

void
draw_graph(struct sepx_graph *graph, struct sepx_names *names,
           const struct draw_options *options, struct sepx_rng *rng)
{
    draw_any_graph(graph, names, options, &(struct draw_kind){0}, rng);
}

void
draw_order(uint32_t *order, uint32_t n, struct sepx_rng *rng)
{
    if (n)
        sepx_rng_sample(rng, order, n, n);
}

void
build_graph(struct sepx_graph *graph, struct sepx_names *names,
            const char *const *label, uint32_t n_nodes,
            const unsigned (*edge)[2], uint32_t n_edges)
{
    sepx_graph_clear(graph);
    graph->names = names;
    for (uint32_t i = 0; i < n_nodes; i++) {
        uint16_t id;

        assert_int_equal(sepx_names_add(names, &id, label[i]), SEPX_OK);
        assert_int_equal(sepx_graph_add_node(graph, id), SEPX_OK);
    }
    for (uint32_t i = 0; i < n_edges; i++)
        assert_int_equal(sepx_graph_add_edge(graph, edge[i][0], edge[i][1], 0),
                         SEPX_OK);
}
