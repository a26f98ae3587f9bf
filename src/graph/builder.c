/* SPDX-License-Identifier: Apache-2.0 */
/* What all readers check alike, and the words they say it with. */
#include <string.h>

#include "graph/internal.h"

void
sepx__builder_release(struct sepx__builder *builder)
{
    sepx_graph_release(&builder->graph);
}

enum sepx_err
sepx__builder_label(struct sepx__builder *builder, uint16_t *id,
                    const char *text, size_t len, const char *where,
                    struct sepx_msg *msg)
{
    enum sepx_err err =
        sepx__names_add(builder->graph.names, id, len ? text : "", len);

    if (err == SEPX_ELIMIT && len > SEPX__LABEL_BYTES)
        return sepx_fail(msg, err,
                         "%s has a label of %zu bytes, \"%s\"; shorten it to "
                         "%d at most",
                         where, len, sepx__excerpt(text, len).text,
                         SEPX__LABEL_BYTES);
    if (err == SEPX_ELIMIT)
        return sepx_fail(msg, err,
                         "%s has the label \"%s\", one more than the %d "
                         "different labels allowed; use fewer",
                         where, sepx__excerpt(text, len).text, SEPX_LABELS_MAX);
    if (err == SEPX_EINVAL)
        return sepx_fail(msg, SEPX_EDATA,
                         "%s has the label \"%s\", which is not UTF-8 text; "
                         "convert it",
                         where, sepx__excerpt(text, len).text);
    return err ? sepx_fail(msg, err, "%s", sepx_strerror(err)) : err;
}

enum sepx_err
sepx__builder_node(struct sepx__builder *builder, const char *text, size_t len,
                   const char *where, struct sepx_msg *msg)
{
    uint16_t label;
    enum sepx_err err;

    if (builder->graph.n_nodes >= SEPX_NODES_MAX)
        return sepx_fail(msg, SEPX_ELIMIT,
                         "%s is one node more than the %d allowed; split the "
                         "graph",
                         where, SEPX_NODES_MAX);
    err = sepx__builder_label(builder, &label, text, len, where, msg);
    if (err)
        return err;
    err = sepx_graph_add_node(&builder->graph, label);
    return err ? sepx_fail(msg, err, "%s", sepx_strerror(err)) : err;
}

enum sepx_err
sepx__builder_edge(struct sepx__builder *builder, struct sepx_edge edge,
                   struct sepx_msg *msg)
{
    struct sepx_graph *graph = &builder->graph;
    size_t room = graph->edge_room;
    enum sepx_err err;

    err = sepx__grow((void **)&graph->edge, &room, (size_t)graph->n_edges + 1,
                     sizeof(*graph->edge));
    if (err)
        return sepx_fail(msg, err, "%s", sepx_strerror(err));
    graph->edge_room = (uint32_t)room;
    graph->edge[graph->n_edges++] = edge;
    return SEPX_OK;
}

void
sepx__builder_finish(struct sepx__builder *builder, struct sepx_graph *graph)
{
    sepx_graph_release(graph);
    *graph = builder->graph;
    builder->graph = (struct sepx_graph){.names = graph->names};
}
