/* SPDX-License-Identifier: Apache-2.0 */
/* Parents and child of a crossover below each other, for Graphviz. */
#include "graph/cross_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What becomes of a part of the drawing; no two differ by colour alone. */
static const struct sepx_dot_mark kept = {"kept", "#0072b2", "solid", 1.8,
                                          false};
static const struct sepx_dot_mark lost = {"lost", "#cc3311", "dashed", 1.8,
                                          false};
static const struct sepx_dot_mark taken = {"taken", "#00734f", "solid", 2.6,
                                           false};
static const struct sepx_dot_mark left_out = {"left out", "#666666", "dotted",
                                              1.4, false};
static const struct sepx_dot_mark dropped = {"dropped", "#9a6a00", "dotted",
                                             2.6, false};

static const struct sepx_dot_mark *const legend[] = {
    &kept, &lost, &taken, &left_out, &dropped, NULL};

/* One of the three graphs, its nodes as the path numbers them. */
struct panel {
    const struct sepx_graph *graph;
    const char *title, *prefix;
    bool second; /* it is the parent that edits lead to */
    bool child, accepted;
    const uint16_t *pinned; /* drawn as terminals */
    size_t n_pinned;
    uint32_t *path_node; /* of each node */
    const struct sepx_dot_mark **node, **edge;
};

/* ---- the fate of nodes and edges ---- */

static const struct sepx_dot_mark *
fate_of(const struct panel *panel, const struct sepx_explain *explain,
        size_t edit)
{
    bool applied = explain->taken[edit];

    if (applied && explain->dropped[edit])
        return panel->second ? &dropped : &kept;
    if (panel->second)
        return applied ? &taken : &left_out;
    if (panel->child)
        return applied ? &taken : &kept;
    return applied ? &lost : &kept;
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

/* NULL: in both parents. */
static const struct sepx_dot_mark *
mark_for(const struct panel *panel, const struct sepx_explain *explain,
         uint32_t from, uint32_t to)
{
    long edit = edit_of(&explain->path, from, to);

    if (panel->accepted && !panel->child &&
        (edit < 0 || !explain->dropped[edit]) &&
        (explain->place[from] == SEPX_NONE || explain->place[to] == SEPX_NONE))
        return panel->second ? &left_out : &lost;
    return edit < 0 ? NULL : fate_of(panel, explain, (size_t)edit);
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

static enum sepx_err
draw_panel(struct sepx_text *dot, const struct panel *panel,
           const struct sepx_explain *explain)
{
    struct sepx_dot_style style = {.title = panel->title,
                                   .prefix = panel->prefix,
                                   .number = panel->path_node,
                                   .pinned = panel->pinned,
                                   .n_pinned = panel->n_pinned};

    for (uint32_t i = 0; i < panel->graph->n_nodes; i++)
        panel->node[i] =
            mark_for(panel, explain, panel->path_node[i], panel->path_node[i]);
    for (uint32_t i = 0; i < panel->graph->n_edges; i++)
        panel->edge[i] = mark_for(panel, explain,
                                  panel->path_node[panel->graph->edge[i].from],
                                  panel->path_node[panel->graph->edge[i].to]);
    style.node = (const struct sepx_dot_mark *const *)panel->node;
    style.edge = (const struct sepx_dot_mark *const *)panel->edge;
    return sepx_dot_add(dot, panel->graph, &style);
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

size_t
cross_taken(const struct sepx_explain *explain)
{
    size_t count = 0;

    for (size_t i = 0; i < explain->path.len; i++)
        count += explain->taken[i] && !explain->dropped[i];
    return count;
}

enum sepx_err
cross_draw(struct sepx_text *dot, const struct crossing *crossing,
           const struct sepx_space *space, const char *crossover)
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
    char title[160];
    enum sepx_err err;

    snprintf(title, sizeof title, "%s crossover: %zu of %zu edits taken",
             strcmp(crossover, "sep") ? crossover : "SEP", cross_taken(explain),
             explain->path.len);
    err = sepx_dot_begin(dot, title, legend);
    for (int i = 0; i < 3 && !err; i++) {
        if (panel[i].child && !crossing->accepted)
            continue;
        panel[i].accepted = crossing->accepted;
        panel[i].pinned = sepx_space_pinned(space, &panel[i].n_pinned);
        err = make_panel(dot, &panel[i], explain);
    }
    for (int i = 0; i < 3 && crossing->accepted && !err; i += 2)
        err = sepx_dot_stack(dot, panel[i].graph, panel[i].prefix,
                             panel[1].graph, panel[1].prefix);
    return err ? err : sepx_dot_end(dot);
}
