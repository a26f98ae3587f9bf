/* SPDX-License-Identifier: Apache-2.0 */
/* DOT and GML begin alike; and DOT is written, as data rather than to look
 * at: sepx_graph_write_dot() makes drawings. */
#include <ctype.h>
#include <string.h>

#include "graph/formats/dot_format.h"

/* ---- telling them apart ---- */

static const char *
skip_comments(const char *at, const char *end)
{
    for (;;) {
        at = sepx__skip_space(at, end);
        if (at < end && (*at == '#' || sepx__begins(at, end, "//"))) {
            at = sepx__split_line(at, end);
        } else if (sepx__begins(at, end, "/*")) {
            while (at < end && !sepx__begins(at, end, "*/"))
                at++;
            at = at < end ? at + 2 : end;
        } else {
            return at;
        }
    }
}

/* A keyword, in any case of letters, with no letter behind it. */
static bool
is_word(const char *at, const char *end, const char *word)
{
    size_t len = strlen(word);

    if ((size_t)(end - at) < len)
        return false;
    for (size_t i = 0; i < len; i++)
        if (tolower((unsigned char)at[i]) != word[i])
            return false;
    return at + len == end ||
           !(isalnum((unsigned char)at[len]) || at[len] == '_');
}

bool
sepx__is_gml(const char *at, const char *end)
{
    static const char *const keys[] = {"creator", "version", "comment"};

    if (*at == '{' || *at == '[' || *at == '<')
        return false;
    at = skip_comments(at, end);
    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
        if (is_word(at, end, keys[i]))
            return true;
    if (!is_word(at, end, "graph"))
        return false;
    at = skip_comments(at + 5, end);
    return at < end && *at == '[';
}

static bool
is_dot(const char *at, const char *end)
{
    if (*at == '{' || *at == '[' || *at == '<' || sepx__is_gml(at, end))
        return false;
    at = skip_comments(at, end);
    return is_word(at, end, "digraph") || is_word(at, end, "strict") ||
           is_word(at, end, "graph");
}

/* ---- writing ---- */

static enum sepx_err
put_label(struct sepx_text *text, const char *label)
{
    enum sepx_err err = sepx_text_print(text, " [label=\"");

    for (; *label && !err; label++) {
        size_t plain = strcspn(label, "\"\\\n");

        if (plain) {
            err = sepx_text_add(text, label, plain);
            label += plain - 1;
        } else {
            const char escaped[] = {'\\', *label == '\n' ? 'n' : *label};

            err = sepx_text_add(text, escaped, 2);
        }
    }
    return err ? err : sepx_text_print(text, "\"]");
}

static enum sepx_err
write_dot(struct sepx_text *text, const struct sepx_graph *graph,
          struct sepx_msg *msg)
{
    static const struct sepx__lacks lacks = {.name = "DOT", .commands = true};
    const char *join = graph->undirected ? "--" : "->";
    enum sepx_err err = sepx__format_check(graph, &lacks, msg);

    if (!err)
        err = sepx_text_print(text, "%s {\n",
                              graph->undirected ? "graph" : "digraph");
    for (uint32_t i = 0; i < graph->n_nodes && !err; i++) {
        err = sepx_text_print(text, "  %u", i);
        if (!err)
            err =
                put_label(text, sepx_names_text(graph->names, graph->label[i]));
        if (!err)
            err = sepx_text_print(text, ";\n");
    }
    for (uint32_t i = 0; i < graph->n_edges && !err; i++) {
        const struct sepx_edge *edge = &graph->edge[i];

        err = sepx_text_print(text, "  %u %s %u", edge->from, join, edge->to);
        if (!err && edge->label)
            err = put_label(text, sepx_names_text(graph->names, edge->label));
        if (!err)
            err = sepx_text_print(text, ";\n");
    }
    return err ? err : sepx_text_print(text, "}\n");
}

const struct sepx__format sepx__format_dot = {
    .info = {"dot", "dot gv", "DOT of Graphviz", true, true, false},
    .sniff = is_dot,
    .read = sepx__dot_read,
    .write = write_dot,
};
