/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz.h"

#include <string.h>

void
require_refusal(enum sepx_err err, const struct sepx_msg *msg)
{
    REQUIRE(err == SEPX_EDATA || err == SEPX_ELIMIT);
    REQUIRE(msg->text[0]);
}

void
require_valid(const struct sepx_graph *graph)
{
    unsigned n_names = sepx_names_count(graph->names);

    REQUIRE(graph->n_nodes <= SEPX_NODES_MAX);
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        REQUIRE(graph->label[i] < n_names);
    for (uint32_t i = 0; i < graph->n_edges; i++) {
        struct sepx_edge edge = graph->edge[i];

        REQUIRE(edge.from < graph->n_nodes && edge.to < graph->n_nodes);
        REQUIRE(edge.label < n_names);
        REQUIRE(!graph->undirected || edge.from <= edge.to);
        if (i) {
            struct sepx_edge last = graph->edge[i - 1];

            REQUIRE(last.from < edge.from ||
                    (last.from == edge.from && last.to <= edge.to));
        }
    }
}

static bool
same_text(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

void
require_round_trip(const struct sepx_graph *graph)
{
    struct sepx_names *names = sepx_names_new();
    struct sepx_graph copy = {0};
    struct sepx_text text = {0};

    require_valid(graph);
    REQUIRE(names);
    REQUIRE(!sepx_graph_write_json(&text, graph));
    REQUIRE(!sepx_graph_read(&copy, names, text.at, text.len, SEPX_FORMAT_AUTO,
                             NULL));
    REQUIRE(sepx_graph_equal(graph, &copy));
    REQUIRE(same_text(graph->extra, copy.extra));
    if (graph->n_nodes <= 30) {
        bool isomorphic = false;

        REQUIRE(!sepx_graph_isomorphic(graph, &copy, &isomorphic, NULL));
        REQUIRE(isomorphic);
    }
    sepx_text_release(&text);
    sepx_graph_release(&copy);
    sepx_names_free(names);
}

void
use_sealed(const uint8_t *data, size_t size, size_t least,
           void (*seal)(uint8_t *bytes, size_t len),
           void (*use)(const uint8_t *bytes, size_t len))
{
    struct sepx_text copy = {0};

    if (size <= least || data[0] % 2 == 0) {
        use(data + (size > 0), size - (size > 0));
        return;
    }
    REQUIRE(!sepx_text_add(&copy, (const char *)data + 1, size - 1));
    seal((uint8_t *)copy.at, copy.len);
    use((const uint8_t *)copy.at, copy.len);
    sepx_text_release(&copy);
}
