/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Marks are nodes that say something about the node which leads to them, as
 * h_new_0 does. Published operators do not see them, so a graph is taken
 * apart, worked on and put together again.
 */
#include <string.h>

#include "space/internal.h"

bool
sepx__has_marks(const struct sepx_space *space)
{
    for (uint16_t i = 0; i < space->ops->n_labels; i++)
        if (space->ops->label[i].role == SEPX__MARK)
            return true;
    return false;
}

enum sepx_err
sepx__marks_split(const struct sepx_space *space, struct sepx_graph *plain,
                  uint16_t *mark, const struct sepx_graph *graph)
{
    uint64_t marks, seen;
    enum sepx_err err = sepx_space_plain(space, plain, graph);

    if (err)
        return err;
    marks = sepx__nodes_of(space, graph, 1u << SEPX__MARK);
    seen = ~marks;
    memset(mark, 0, SEPX__SPACE_NODES * sizeof(*mark));
    for (uint32_t i = 0; i < graph->n_edges; i++) {
        const struct sepx_edge *edge = &graph->edge[i];
        uint64_t before = seen & (sepx__bit(edge->from) - 1);

        if (marks >> edge->to & 1)
            mark[sepx__count(before)] = graph->label[edge->to];
    }
    return SEPX_OK;
}

enum sepx_err
sepx__marks_join(const struct sepx_space *space, struct sepx_graph *graph,
                 const uint16_t *mark)
{
    uint32_t n = graph->n_nodes;
    enum sepx_err err = SEPX_OK;

    for (uint16_t label = 1; label <= space->ops->n_labels; label++)
        for (uint32_t i = 0; i < n && !err; i++) {
            if (mark[i] != label)
                continue;
            err = sepx_graph_add_node(graph, label);
            if (!err)
                err = sepx_graph_add_edge(graph, i, graph->n_nodes - 1, 0);
        }
    return err;
}

uint16_t
sepx__marks_spare(const struct sepx_space *space)
{
    uint16_t last = 0;

    for (uint16_t i = 0; i < space->ops->n_labels; i++)
        if (space->ops->label[i].role == SEPX__MARK)
            last = (uint16_t)(i + 1);
    return last;
}
