/* SPDX-License-Identifier: Apache-2.0 */
/* Parents and child of a crossover side by side, for Graphviz. */
#include "cross.h"

#include <stdlib.h>
#include <string.h>

/* What becomes of a part of the drawing; no two differ by colour alone. */
enum fate { SHARED, KEPT, LOST, TAKEN, LEFT, DROPPED };

static const char *const style_of[] = {
    [SHARED] = "color=\"#000000\"",
    [KEPT] = "color=\"#0072b2\",fontcolor=\"#0072b2\",penwidth=1.8",
    [LOST] = "color=\"#cc3311\",fontcolor=\"#cc3311\",style=dashed",
    [TAKEN] = "color=\"#009e73\",fontcolor=\"#00734f\",style=bold,penwidth=2.5",
    [LEFT] = "color=\"#888888\",fontcolor=\"#666666\",style=dotted",
    [DROPPED] = "color=\"#e69f00\",fontcolor=\"#9a6a00\",style=dashed",
};

/* Behind the clusters, which would inherit it. */
static const char legend[] =
    "labelloc=\"b\";\n"
    "label=<shared &#160; <font color=\"#0072b2\">kept</font> &#160; "
    "<font color=\"#cc3311\">lost</font> &#160; "
    "<font color=\"#00734f\"><b>taken</b></font> &#160; "
    "<font color=\"#666666\">left out</font> &#160; "
    "<font color=\"#9a6a00\">dropped</font>>;\n";

/* One of the three graphs, its nodes as the path numbers them. */
struct panel {
    const struct sepx_graph *graph;
    const char *title, *prefix;
    bool second; /* it is the parent that edits lead to */
    bool child, accepted;
    uint32_t *path_node; /* of each node */
    const char **node, **edge;
};

/* ---- the fate of nodes and edges ---- */

static enum fate
fate_of(const struct panel *panel, const struct sepx_explain *explain,
        size_t edit)
{
    bool taken = explain->taken[edit];

    if (taken && explain->dropped[edit])
        return panel->second ? DROPPED : KEPT;
    if (panel->second)
        return taken ? TAKEN : LEFT;
    if (panel->child)
        return taken ? TAKEN : KEPT;
    return taken ? LOST : KEPT;
}

/* The edit of a node (from == to) or an edge in path numbers, or -1. */
static long
edit_of(const struct sepx_path *path, uint32_t from, uint32_t to)
{
    for (size_t i = 0; i < path->len; i++) {
        const struct sepx_edit *edit = &path->edit[i];
        bool edge = edit->kind == SEPX_EDGE_DELETE ||
                    edit->kind == SEPX_EDGE_RELABEL ||
                    edit->kind == SEPX_EDGE_INSERT;

        if (from == to && !edge && edit->node == from)
            return (long)i;
        if (from != to && edge && edit->from == from && edit->to == to)
            return (long)i;
    }
    return -1;
}

static const char *
style_for(const struct panel *panel, const struct sepx_explain *explain,
          uint32_t from, uint32_t to)
{
    long edit = edit_of(&explain->path, from, to);

    if (panel->accepted && !panel->child &&
        (edit < 0 || !explain->dropped[edit]) &&
        (explain->place[from] == SEPX_NONE || explain->place[to] == SEPX_NONE))
        return style_of[panel->second ? LEFT : LOST];
    if (edit < 0)
        return style_of[SHARED];
    return style_of[fate_of(panel, explain, (size_t)edit)];
}

/* ---- numbers of the path ---- */

static void
number_start(struct panel *panel)
{
    for (uint32_t i = 0; i < panel->graph->n_nodes; i++)
        panel->path_node[i] = i;
}

/* Nodes that nothing is mapped to are inserted, in their order. */
static void
number_end(struct panel *panel, const struct sepx_explain *explain)
{
    uint32_t next = explain->path.n_first;

    for (uint32_t j = 0; j < panel->graph->n_nodes; j++)
        panel->path_node[j] = UINT32_MAX;
    for (uint32_t i = 0; i < explain->path.n_first; i++) {
        if (explain->map[i] != SEPX_NONE)
            panel->path_node[explain->map[i]] = i;
    }
    for (uint32_t j = 0; j < panel->graph->n_nodes; j++) {
        if (panel->path_node[j] == UINT32_MAX)
            panel->path_node[j] = next++;
    }
}

static void
number_child(struct panel *panel, const struct sepx_explain *explain)
{
    uint32_t nodes = (uint32_t)explain->path.n_first + explain->path.n_insert;

    for (uint32_t k = 0; k < nodes; k++) {
        if (explain->place[k] != SEPX_NONE)
            panel->path_node[explain->place[k]] = k;
    }
}

/* ---- drawing ---- */

/* "digraph {...}" becomes a part of the whole. */
static enum sepx_err
add_cluster(struct sepx_text *dot, const struct sepx_text *one, char number)
{
    const char *body = strchr(one->at, '{');
    enum sepx_err err;

    err = sepx_text_print(dot, "subgraph cluster_%c ", number);
    if (!err)
        err = sepx_text_add(dot, body, one->len - (size_t)(body - one->at));
    return err;
}

static enum sepx_err
draw_panel(struct sepx_text *dot, const struct panel *panel,
           const struct sepx_explain *explain)
{
    struct sepx_dot_style style = {.title = panel->title,
                                   .prefix = panel->prefix};
    struct sepx_text one = {0};
    enum sepx_err err;

    for (uint32_t i = 0; i < panel->graph->n_nodes; i++)
        panel->node[i] =
            style_for(panel, explain, panel->path_node[i], panel->path_node[i]);
    for (uint32_t i = 0; i < panel->graph->n_edges; i++)
        panel->edge[i] = style_for(panel, explain,
                                   panel->path_node[panel->graph->edge[i].from],
                                   panel->path_node[panel->graph->edge[i].to]);
    style.node_attrs = (const char *const *)panel->node;
    style.edge_attrs = (const char *const *)panel->edge;
    err = sepx_graph_write_dot(&one, panel->graph, &style);
    if (!err)
        err = add_cluster(dot, &one, panel->prefix[0]);
    sepx_text_release(&one);
    return err;
}

static enum sepx_err
make_panel(struct sepx_text *dot, struct panel *panel,
           const struct sepx_explain *explain)
{
    enum sepx_err err = SEPX_ENOMEM;

    panel->path_node =
        calloc(panel->graph->n_nodes + 1, sizeof *panel->path_node);
    panel->node = calloc(panel->graph->n_nodes + 1, sizeof *panel->node);
    panel->edge = calloc(panel->graph->n_edges + 1, sizeof *panel->edge);
    if (panel->path_node && panel->node && panel->edge) {
        if (panel->child)
            number_child(panel, explain);
        else if (panel->second)
            number_end(panel, explain);
        else
            number_start(panel);
        err = draw_panel(dot, panel, explain);
    }
    free(panel->path_node);
    free(panel->node);
    free(panel->edge);
    return err;
}

enum sepx_err
cross_draw(struct sepx_text *dot, const struct crossing *crossing)
{
    const struct sepx_explain *explain = &crossing->explain;
    bool swapped = explain->swapped;
    struct panel panel[] = {
        {.graph = &crossing->parent[0],
         .title = "parent A",
         .prefix = "a",
         .second = swapped},
        {.graph = &crossing->child,
         .title = "child",
         .prefix = "c",
         .child = true},
        {.graph = &crossing->parent[1],
         .title = "parent B",
         .prefix = "b",
         .second = !swapped},
    };
    enum sepx_err err = sepx_text_print(dot, "digraph {\n");

    for (int i = 0; i < 3 && !err; i++) {
        if (panel[i].child && !crossing->accepted)
            continue;
        panel[i].accepted = crossing->accepted;
        err = make_panel(dot, &panel[i], explain);
    }
    if (!err)
        err = sepx_text_print(dot, "%s}\n", legend);
    return err;
}
