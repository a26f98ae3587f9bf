/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Graphviz: one line for each node and each edge, one look for all drawings.
 * Labels are HTML-like, the only kind that has small grey numbers in it.
 */
#include <string.h>

#include "graph/internal.h"

#define FONT "fontname=\"Helvetica,Arial,sans-serif\""
#define INK "#1c1f24"
#define LINE "#5b626d"
#define HASTY 100 /* nodes above which Graphviz is told not to take minutes */
#define SOFT "#474e59"

/* Inner boxes are white until a label colours them. */
static const char head[] =
    " {\n"
    "    graph [" FONT ",fontsize=13,fontcolor=\"" INK "\",color=\"#b4b9c1\","
    "style=rounded,nodesep=0.3,ranksep=0.35,labelloc=t];\n"
    "    node [" FONT ",fontsize=12,fontcolor=\"" INK "\",color=\"" LINE "\","
    "shape=box,style=\"rounded,filled\",fillcolor=\"#ffffff\",height=0.32,"
    "margin=\"0.1,0.04\"];\n"
    "    edge [" FONT ",fontsize=10,fontcolor=\"" INK "\",color=\"" LINE "\","
    "arrowsize=0.7];\n";

/* ---- texts ---- */

/* What XML wants for a character; NULL: the character itself. */
static const char *
entity(uint32_t code)
{
    static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */

    if (code == '\n')
        return "<br/>";
    if (code == 0x7f)
        return "\xe2\x90\xa1"; /* U+2421 */
    if ((code >= ' ' && sepx__utf8_commands(code)) || code == 0xfffe ||
        code == 0xffff)
        return replacement;
    return code < 0x80 ? sepx__entity((char)code) : NULL;
}

/* Control characters become the pictures U+2400 to U+241F. */
static enum sepx_err
add_text(struct sepx_text *out, const char *text)
{
    size_t len = strlen(text);
    enum sepx_err err = SEPX_OK;

    while (len && !err) {
        uint32_t code;
        size_t size = sepx__utf8_next(text, len, &code);
        const char *instead = entity(size ? code : 0xffff);

        if (instead)
            err = sepx_text_add(out, instead, strlen(instead));
        else if (code < ' ')
            err = sepx_text_print(out, "\xe2\x90%c", 0x80 + (int)code);
        else
            err = sepx_text_add(out, text, size);
        size = size ? size : 1;
        text += size;
        len -= size;
    }
    return err;
}

/* ---- colours ---- */

/*
 * The light colours of Paul Tol (SRON/EPS/TN/09-002), made as grounds for
 * black letters that colour-blind readers can tell apart. The hash is FNV-1a;
 * its start was searched so that no two operations of a built-in space share
 * a colour.
 */
static const char *
colour_of(const char *label)
{
    static const char *const colours[] = {"#77aadd", "#99ddff", "#44bb99",
                                          "#bbcc33", "#aaaa00", "#eedd88",
                                          "#ee8866", "#ffaabb"};
    uint32_t hash = 2386;

    if (!*label)
        return "#ffffff";
    for (; *label; label++)
        hash = (hash ^ (unsigned char)*label) * 16777619u;
    return colours[(hash ^ hash >> 15) % 8];
}

static bool
is_pinned(const struct sepx_graph *graph, uint32_t node,
          const struct sepx_dot_style *style)
{
    const char *label = sepx_names_text(graph->names, graph->label[node]);

    if (!style->n_pinned)
        return !strcmp(label, "input") || !strcmp(label, "output");
    for (size_t i = 0; i < style->n_pinned; i++)
        if (style->pinned[i] == graph->label[node])
            return true;
    return false;
}

/* Whether no edge leads from the node (`sink`), or to it. */
static bool
is_end(const struct sepx_graph *graph, uint32_t node, bool sink)
{
    for (uint32_t i = 0; i < graph->n_edges; i++)
        if ((sink ? graph->edge[i].from : graph->edge[i].to) == node)
            return false;
    return true;
}

static bool
is_terminal(const struct sepx_graph *graph, uint32_t node,
            const struct sepx_dot_style *style)
{
    return is_pinned(graph, node, style) &&
           (graph->undirected || is_end(graph, node, false) ||
            is_end(graph, node, true));
}

/* ---- nodes and edges ---- */

/* "before &rarr; label", or the label alone. */
static enum sepx_err
add_label(struct sepx_text *out, const struct sepx_graph *graph, int32_t was,
          uint16_t label)
{
    const char *text = sepx_names_text(graph->names, label);
    enum sepx_err err = SEPX_OK;

    if (was >= 0) {
        const char *before = sepx_names_text(graph->names, (uint16_t)was);

        err = add_text(out, *before ? before : "(none)");
        if (!err)
            err = sepx_text_print(out, " &#8594; ");
        text = *text ? text : "(none)";
    }
    return err ? err : add_text(out, text);
}

static enum sepx_err
add_mark(struct sepx_text *out, const struct sepx_dot_mark *mark,
         const char *look)
{
    if (!mark)
        return SEPX_OK;
    return sepx_text_print(out, " color=\"%s\" style=\"%s%s\" penwidth=%g%s",
                           mark->colour, look, mark->line, mark->width,
                           mark->missing ? " arrowhead=none" : "");
}

static enum sepx_err
add_node(struct sepx_text *out, const struct sepx_graph *graph, uint32_t i,
         const struct sepx_dot_style *style)
{
    bool terminal = is_terminal(graph, i, style);
    uint32_t hidden = style->hidden ? style->hidden[i] : 0;
    const char *label = sepx_names_text(graph->names, graph->label[i]);
    enum sepx_err err;

    if (hidden && style->legend)
        return sepx_text_print(
            out,
            "    %s%u [label=\"%u nodes unchanged\" shape=box "
            "style=\"rounded,dashed\" fontcolor=\"" SOFT "\"];\n",
            style->prefix, i, hidden);
    err = sepx_text_print(out, "    %s%u [label=<", style->prefix, i);
    if (!err)
        err = add_label(out, graph, style->node_was ? style->node_was[i] : -1,
                        graph->label[i]);
    if (!err && hidden)
        err = sepx_text_print(out, " &#8943; %u nodes", hidden);
    if (!err)
        err = sepx_text_print(
            out,
            "%s<font point-size=\"9\" color=\"" SOFT "\">%u</font>>"
            " fillcolor=\"%s\"%s",
            *label ? " &#160;" : "", style->number ? style->number[i] : i,
            terminal ? "#eceef1" : colour_of(label),
            terminal ? " shape=ellipse" : "");
    if (!err)
        err = add_mark(out, style->node ? style->node[i] : NULL,
                       terminal ? "filled," : "rounded,filled,");
    return err ? err : sepx_text_print(out, "];\n");
}

/* A label of an edge stands on the colour of its operation. */
static enum sepx_err
add_edge_label(struct sepx_text *out, const struct sepx_graph *graph,
               uint16_t label, int32_t was)
{
    enum sepx_err err = sepx_text_print(
        out,
        " label=<<table border=\"0\" cellborder=\"0\" cellpadding=\"1\">"
        "<tr><td bgcolor=\"%s\">",
        colour_of(sepx_names_text(graph->names, label)));

    if (!err)
        err = add_label(out, graph, was, label);
    return err ? err : sepx_text_print(out, "</td></tr></table>>");
}

static enum sepx_err
add_edge(struct sepx_text *out, const struct sepx_graph *graph, uint32_t i,
         const struct sepx_dot_style *style)
{
    const struct sepx_edge *edge = &graph->edge[i];
    const struct sepx_dot_mark *mark = style->edge ? style->edge[i] : NULL;
    int32_t was = style->edge_was ? style->edge_was[i] : -1;
    enum sepx_err err = sepx_text_print(
        out, "    %s%u %s %s%u [", style->prefix, edge->from,
        graph->undirected ? "--" : "->", style->prefix, edge->to);

    if (!err)
        err = add_mark(out, mark, "");
    if (!err && mark && mark->missing)
        err = sepx_text_print(out,
                              " label=<<font color=\"%s\">&#10007; %s</font>>",
                              mark->colour, mark->name);
    else if (!err && (edge->label || was >= 0))
        err = add_edge_label(out, graph, edge->label, was);
    return err ? err : sepx_text_print(out, "];\n");
}

static enum sepx_err
add_graph(struct sepx_text *text, const struct sepx_graph *graph,
          const struct sepx_dot_style *style)
{
    struct sepx_dot_style s = *style;
    enum sepx_err err = SEPX_OK;

    s.prefix = s.prefix ? s.prefix : "n";
    for (uint32_t i = 0; !err && i < graph->n_nodes; i++)
        err = add_node(text, graph, i, &s);
    for (uint32_t i = 0; !err && i < graph->n_edges; i++)
        err = add_edge(text, graph, i, &s);
    return err;
}

/* ---- title and legend ---- */

static const char *
sample_of(const struct sepx_dot_mark *mark)
{
    if (!strcmp(mark->line, "dotted"))
        return "&#183;&#183;&#183;&#183;";
    if (!strcmp(mark->line, "dashed"))
        return "&#8211; &#8211;";
    return mark->width > 2 ? "<b>&#8212;&#8212;</b>" : "&#8212;&#8212;";
}

static enum sepx_err
add_legend(struct sepx_text *text, const struct sepx_dot_mark *const *legend)
{
    enum sepx_err err = sepx_text_print(
        text, "<tr><td><font point-size=\"10\"><font point-size=\"9\" "
              "color=\"" SOFT "\">0</font> &#160;number of a node");

    for (; legend && *legend && !err; legend++) {
        err = sepx_text_print(text, " &#160; <font color=\"%s\">%s ",
                              (*legend)->colour, sample_of(*legend));
        if (!err)
            err = add_text(text, (*legend)->name);
        if (!err)
            err = sepx_text_print(text, "</font>");
    }
    return err ? err : sepx_text_print(text, "</font></td></tr>");
}

static enum sepx_err
begin(struct sepx_text *text, const char *kind, const char *title,
      const struct sepx_dot_mark *const *legend)
{
    enum sepx_err err =
        sepx_text_print(text,
                        "%s%s    label=<<table border=\"0\" cellborder=\"0\" "
                        "cellspacing=\"0\" cellpadding=\"3\">",
                        kind, head);

    if (!err && title && *title) {
        err = sepx_text_print(text, "<tr><td><b>");
        if (!err)
            err = add_text(text, title);
        if (!err)
            err = sepx_text_print(text, "</b></td></tr>");
    }
    if (!err && (!legend || *legend))
        err = add_legend(text, legend);
    return err ? err : sepx_text_print(text, "</table>>;\n");
}

enum sepx_err
sepx_dot_begin(struct sepx_text *text, const char *title,
               const struct sepx_dot_mark *const *legend)
{
    return begin(text, "digraph", title, legend);
}

enum sepx_err
sepx_dot_quote(struct sepx_text *text, const char *shown)
{
    enum sepx_err err;

    if (!*shown) /* Graphviz takes no empty label of the other kind. */
        return sepx_text_add(text, "\"\"", 2);
    err = sepx_text_add(text, "<", 1);
    if (!err)
        err = add_text(text, shown);
    return err ? err : sepx_text_add(text, ">", 1);
}

enum sepx_err
sepx_dot_add(struct sepx_text *text, const struct sepx_graph *graph,
             const struct sepx_dot_style *style)
{
    enum sepx_err err =
        sepx_text_print(text, "    subgraph cluster_%s {\n    label=",
                        style->prefix ? style->prefix : "n");

    if (!err)
        err = sepx_dot_quote(text, style->title ? style->title : "");
    if (!err)
        err = sepx_text_print(text, ";\n");
    if (!err)
        err = add_graph(text, graph, style);
    return err ? err : sepx_text_print(text, "    }\n");
}

enum sepx_err
sepx_dot_stack(struct sepx_text *text, const struct sepx_graph *above,
               const char *above_prefix, const struct sepx_graph *below,
               const char *below_prefix)
{
    enum sepx_err err = SEPX_OK;

    for (uint32_t i = 0; i < above->n_nodes; i++)
        for (uint32_t j = 0; j < below->n_nodes && !err; j++)
            if (is_end(above, i, true) && is_end(below, j, false))
                err = sepx_text_print(text, "    %s%u -> %s%u [style=invis];\n",
                                      above_prefix, i, below_prefix, j);
    return err;
}

enum sepx_err
sepx_dot_end(struct sepx_text *text)
{
    return sepx_text_print(text, "}\n");
}

enum sepx_err
sepx_graph_write_dot(struct sepx_text *text, const struct sepx_graph *graph,
                     const struct sepx_dot_style *style)
{
    static const struct sepx_dot_style none = {0};
    enum sepx_err err;

    style = style ? style : &none;
    err = begin(text, graph->undirected ? "graph" : "digraph", style->title,
                style->legend);
    if (!err && style->sideways)
        err = sepx_text_print(text, "    rankdir=LR;\n    labeljust=l;\n");
    if (!err && graph->n_nodes > HASTY)
        err = sepx_text_print(text, "    nslimit=0.2;\n    nslimit1=0.2;\n    "
                                    "mclimit=0.02;\n");
    if (!err)
        err = add_graph(text, graph, style);
    return err ? err : sepx_dot_end(text);
}
