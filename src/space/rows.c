/* SPDX-License-Identifier: Apache-2.0 */
/* Small graphs as bit sets: one word for each node's neighbours. */
#include <assert.h>
#include <string.h>

#include "space/internal.h"

void
sepx__rows_init(struct sepx__rows *rows, const struct sepx_graph *graph)
{
    assert(graph->n_nodes <= SEPX__SPACE_NODES);
    rows->n = graph->n_nodes;
    memset(rows->out, 0, rows->n * sizeof(*rows->out));
    memset(rows->in, 0, rows->n * sizeof(*rows->in));
    for (uint32_t i = 0; i < graph->n_edges; i++) {
        const struct sepx_edge *edge = &graph->edge[i];

        rows->out[edge->from] |= sepx__bit(edge->to);
        rows->in[edge->to] |= sepx__bit(edge->from);
    }
}

/* Take out nodes without predecessors as long as there are any. */
bool
sepx__rows_acyclic(const struct sepx__rows *rows)
{
    uint64_t left = rows->n ? UINT64_MAX >> (64 - rows->n) : 0, old;

    do {
        old = left;
        for (uint64_t set = left; set;) {
            uint32_t v = sepx__take_lowest(&set);

            if (!(rows->in[v] & left))
                left &= ~sepx__bit(v);
        }
    } while (left != old);
    return !left;
}

static uint64_t
spread(const uint64_t *next, uint64_t from)
{
    uint64_t found = from;

    while (from) {
        uint64_t new = next[sepx__take_lowest(&from)] & ~found;

        found |= new;
        from |= new;
    }
    return found;
}

uint64_t
sepx__rows_after(const struct sepx__rows *rows, uint64_t from)
{
    return spread(rows->out, from);
}

uint64_t
sepx__rows_before(const struct sepx__rows *rows, uint64_t from)
{
    return spread(rows->in, from);
}

uint64_t
sepx__nodes_of(const struct sepx_space *space, const struct sepx_graph *graph,
               unsigned roles)
{
    uint64_t set = 0;

    assert(graph->n_nodes <= SEPX__SPACE_NODES);
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        enum sepx__role role = sepx__label_row(space, graph->label[i])->role;

        set |= (uint64_t)(roles >> role & 1) << i;
    }
    return set;
}

uint64_t
sepx__live(const struct sepx_space *space, const struct sepx_graph *graph,
           const struct sepx__rows *rows)
{
    uint64_t in = sepx__nodes_of(space, graph, 1u << SEPX__INPUT);
    uint64_t out =
        sepx__nodes_of(space, graph, 1u << SEPX__OUTPUT | 1u << SEPX__MARK);

    if (space->ops->unconnected)
        return rows->n ? UINT64_MAX >> (64 - rows->n) : 0;
    if (space->ops->sources)
        return sepx__rows_before(rows, out);
    return sepx__rows_after(rows, in) & sepx__rows_before(rows, out);
}

uint64_t
sepx__dangling(const struct sepx_space *space, const struct sepx_graph *graph)
{
    uint64_t inner = sepx__nodes_of(space, graph, 1u << SEPX__INNER);
    struct sepx__rows rows;

    sepx__rows_init(&rows, graph);
    return inner & ~sepx__live(space, graph, &rows);
}

enum sepx_err
sepx__graph_fill(struct sepx_graph *graph, const struct sepx_space *space,
                 const uint16_t *label, uint32_t n, const uint64_t *out)
{
    enum sepx_err err = SEPX_OK;

    assert(n <= SEPX__SPACE_NODES);
    graph->names = space->names;
    sepx_graph_clear(graph);
    for (uint32_t i = 0; i < n && !err; i++)
        err = sepx_graph_add_node(graph, label[i]);
    for (uint32_t i = 0; i < n; i++)
        for (uint64_t set = out[i]; set && !err;)
            err = sepx_graph_add_edge(graph, i, sepx__take_lowest(&set), 0);
    return err;
}
