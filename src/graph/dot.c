/* SPDX-License-Identifier: Apache-2.0 */
/* Graphviz: one line for each node and each edge. */
#include <string.h>

#include "graph/internal.h"

/*
 * A quoted string that shows as `text`: quotes and backslashes would end or
 * change it, line ends break the line, and "&" begins an HTML entity.
 */
static enum sepx_err
add_quoted(struct sepx_text *out, const char *text)
{
    enum sepx_err err = sepx_text_add(out, "\"", 1);

    for (; !err && *text; text++) {
        if (*text == '"' || *text == '\\')
            err = sepx_text_print(out, "\\%c", *text);
        else if (*text == '\n')
            err = sepx_text_add(out, "\\n", 2);
        else if (*text == '&')
            err = sepx_text_add(out, "&amp;", 5);
        else
            err = sepx_text_add(out, text, 1);
    }
    return err ? err : sepx_text_add(out, "\"", 1);
}

/* [label="...",attributes] */
static enum sepx_err
add_attributes(struct sepx_text *out, const char *label, const char *attrs)
{
    enum sepx_err err = SEPX_OK;

    if (label) {
        err = sepx_text_print(out, " [label=");
        if (!err)
            err = add_quoted(out, label);
    }
    if (!err && attrs)
        err = sepx_text_print(out, "%s%s", label ? "," : " [", attrs);
    if (!err && (label || attrs))
        err = sepx_text_add(out, "]", 1);
    return err ? err : sepx_text_add(out, ";\n", 2);
}

static enum sepx_err
add_edge(struct sepx_text *out, const struct sepx_graph *graph, uint32_t i,
         const struct sepx_dot_style *style)
{
    const struct sepx_edge *edge = &graph->edge[i];
    const char *label =
        edge->label ? sepx_names_text(graph->names, edge->label) : NULL;
    enum sepx_err err = sepx_text_print(out, "    %s%u -> %s%u", style->prefix,
                                        edge->from, style->prefix, edge->to);

    if (err)
        return err;
    return add_attributes(out, label,
                          style->edge_attrs ? style->edge_attrs[i] : NULL);
}

static enum sepx_err
add_title(struct sepx_text *out, const char *title)
{
    enum sepx_err err = sepx_text_print(out, "    label=");

    if (!err)
        err = add_quoted(out, title);
    return err ? err : sepx_text_add(out, ";\n", 2);
}

enum sepx_err
sepx_graph_write_dot(struct sepx_text *text, const struct sepx_graph *graph,
                     const struct sepx_dot_style *style)
{
    struct sepx_dot_style s = style ? *style : (struct sepx_dot_style){0};
    enum sepx_err err = sepx_text_print(text, "digraph {\n");

    s.prefix = s.prefix ? s.prefix : "n";
    if (!err && s.title)
        err = add_title(text, s.title);
    for (uint32_t i = 0; !err && i < graph->n_nodes; i++) {
        err = sepx_text_print(text, "    %s%u", s.prefix, i);
        if (!err)
            err = add_attributes(text,
                                 sepx_names_text(graph->names, graph->label[i]),
                                 s.node_attrs ? s.node_attrs[i] : NULL);
    }
    for (uint32_t i = 0; !err && i < graph->n_edges; i++)
        err = add_edge(text, graph, i, &s);
    return err ? err : sepx_text_add(text, "}\n", 2);
}
