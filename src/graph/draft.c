/* SPDX-License-Identifier: Apache-2.0 */
/* What all readers check alike, and the words they say it with. */
#include <string.h>

#include "graph/internal.h"

void
sepx__draft_release(struct sepx__draft *draft)
{
    sepx_graph_release(&draft->graph);
    sepx__free(draft->seen);
    draft->seen = NULL;
}

enum sepx_err
sepx__draft_label(struct sepx__draft *draft, uint16_t *id, const char *text,
                  size_t len, const char *where, struct sepx_msg *msg)
{
    enum sepx_err err = sepx__names_add(draft->graph.names, id, text, len);

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
sepx__draft_node(struct sepx__draft *draft, const char *text, size_t len,
                 const char *where, struct sepx_msg *msg)
{
    uint16_t label;
    enum sepx_err err;

    if (draft->graph.n_nodes >= SEPX_NODES_MAX)
        return sepx_fail(msg, SEPX_ELIMIT,
                         "%s is one node more than the %d allowed; split the "
                         "graph",
                         where, SEPX_NODES_MAX);
    err = sepx__draft_label(draft, &label, text, len, where, msg);
    if (err)
        return err;
    err = sepx_graph_add_node(&draft->graph, label);
    return err ? sepx_fail(msg, err, "%s", sepx_strerror(err)) : err;
}

enum sepx_err
sepx__draft_nodes_end(struct sepx__draft *draft, struct sepx_msg *msg)
{
    size_t n = draft->graph.n_nodes;

    draft->seen = sepx__calloc(n * n / 64 + 1, sizeof(*draft->seen));
    if (draft->seen)
        return SEPX_OK;
    return sepx_fail(msg, SEPX_ENOMEM, "%s", sepx_strerror(SEPX_ENOMEM));
}

static enum sepx_err
append(struct sepx_graph *graph, struct sepx_edge edge)
{
    size_t room = graph->edge_room;
    enum sepx_err err;

    err = sepx__grow((void **)&graph->edge, &room, (size_t)graph->n_edges + 1,
                     sizeof(*graph->edge));
    if (err)
        return err;
    graph->edge_room = (uint32_t)room;
    graph->edge[graph->n_edges++] = edge;
    return SEPX_OK;
}

enum sepx_err
sepx__draft_edge(struct sepx__draft *draft, struct sepx_edge edge,
                 const char *where, const char *shown, struct sepx_msg *msg)
{
    size_t pair = (size_t)edge.from * draft->graph.n_nodes + edge.to;
    uint64_t bit = (uint64_t)1 << pair % 64;
    enum sepx_err err;

    if (edge.from == edge.to)
        return sepx_fail(msg, SEPX_EDATA, "%s is %s, a self-loop; remove it",
                         where, shown);
    if (draft->seen[pair / 64] & bit)
        return sepx_fail(msg, SEPX_EDATA,
                         "%s is %s, which an earlier edge joins already; "
                         "remove one of them",
                         where, shown);
    draft->seen[pair / 64] |= bit;
    err = append(&draft->graph, edge);
    return err ? sepx_fail(msg, err, "%s", sepx_strerror(err)) : err;
}

void
sepx__draft_finish(struct sepx__draft *draft, struct sepx_graph *graph)
{
    sepx__edges_sort(draft->graph.edge, draft->graph.n_edges);
    sepx_graph_release(graph);
    *graph = draft->graph;
    draft->graph = (struct sepx_graph){.names = graph->names};
}
