/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text of graph databases (gSpan and its kin): "t # 0" begins a graph,
 * "v 0 label" is a node, "e 0 1 label" an undirected edge; "d" instead of
 * "e" is a directed one, "u" is "e". Labels are words, so they hold no
 * blanks; an edge without one has no label. "#" and "%" begin comments.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/formats/formats.h"

enum { WORDS = 5 };

struct tve {
    unsigned line;
    struct sepx_msg *msg;
    struct sepx__builder builder;
    char kind; /* of the edges so far: 'e', 'd', or 0 */
    const char *word[WORDS];
    size_t len[WORDS];
    unsigned n_words;
};

static SEPX_PRINTF(2, 3) enum sepx_err
    fail(const struct tve *t, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    (void)sepx__vfail(t->msg, SEPX_EDATA, format, args);
    va_end(args);
    sepx_msg_line(t->msg, t->line, 0);
    return SEPX_EDATA;
}

static bool
is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* At most WORDS words; more are counted only. */
static void
split_words(struct tve *t, const char *at, const char *end)
{
    t->n_words = 0;
    while (at < end) {
        const char *from;

        while (at < end && is_blank(*at))
            at++;
        from = at;
        while (at < end && !is_blank(*at))
            at++;
        if (at == from)
            continue;
        if (t->n_words < WORDS) {
            t->word[t->n_words] = from;
            t->len[t->n_words] = (size_t)(at - from);
        }
        t->n_words++;
    }
}

/* A node's number; it has to be one that is there. */
static enum sepx_err
read_node(const struct tve *t, unsigned word, uint32_t below, uint32_t *node)
{
    uint32_t value = 0;
    size_t len = t->len[word];

    for (size_t i = 0; i < len; i++) {
        char c = t->word[word][i];

        if (c < '0' || c > '9' || len > 6)
            return fail(t, "\"%s\" is no number of a node",
                        sepx__excerpt(t->word[word], len).text);
        value = 10 * value + (uint32_t)(c - '0');
    }
    *node = value;
    if (value < below)
        return SEPX_OK;
    return fail(t,
                "node %u is not there; nodes are numbered from 0 and come "
                "before their edges",
                value);
}

static enum sepx_err
add_node(struct tve *t)
{
    uint32_t node = 0;
    enum sepx_err err;

    if (t->n_words != 3)
        return fail(t, "write \"v NUMBER LABEL\", the label without blanks");
    err = read_node(t, 1, UINT32_MAX, &node);
    if (!err && node != t->builder.graph.n_nodes)
        err = fail(t,
                   "node %u should be node %u: they are numbered from 0, "
                   "in order",
                   node, t->builder.graph.n_nodes);
    return err ? err
               : sepx__at_line(sepx__builder_node(&t->builder, t->word[2],
                                                  t->len[2], "the node",
                                                  t->msg),
                               t->msg, t->line);
}

static enum sepx_err
add_edge(struct tve *t)
{
    char kind = *t->word[0] == 'd' ? 'd' : 'e';
    struct sepx_edge edge = {0};
    uint32_t from = 0, to = 0;
    enum sepx_err err;

    if (t->n_words != 3 && t->n_words != 4)
        return fail(t, "write \"%c FROM TO LABEL\", the label without blanks",
                    kind);
    if (t->kind && t->kind != kind)
        return fail(t, "edges are all directed (\"d\") or all undirected "
                       "(\"e\", \"u\"); change one");
    t->kind = kind;
    err = read_node(t, 1, t->builder.graph.n_nodes, &from);
    if (!err)
        err = read_node(t, 2, t->builder.graph.n_nodes, &to);
    if (!err && t->n_words == 4)
        err = sepx__at_line(sepx__builder_label(&t->builder, &edge.label,
                                                t->word[3], t->len[3],
                                                "the edge", t->msg),
                            t->msg, t->line);
    if (err)
        return err;
    edge.from = (uint16_t)from;
    edge.to = (uint16_t)to;
    return sepx__builder_edge(&t->builder, edge, t->msg);
}

static enum sepx_err
take_line(struct tve *t, const char *at, const char *end, unsigned *graphs)
{
    split_words(t, at, end);
    if (!t->n_words || strchr("#%", *t->word[0]))
        return SEPX_OK;
    if (t->len[0] == 1 && *t->word[0] == 't') {
        if (t->n_words == 3 && t->len[2] == 2 && !memcmp(t->word[2], "-1", 2))
            return SEPX_OK; /* the end of some files */
        if ((*graphs)++)
            return fail(t, "a second graph; one was asked for");
        /* "t # N directed" is what a graph without edges is written as. */
        if (t->n_words == 4 && t->len[3] == 8 &&
            !memcmp(t->word[3], "directed", 8))
            t->kind = 'd';
        return SEPX_OK;
    }
    if (!*graphs)
        return fail(t, "the graph does not begin with \"t # NUMBER\"");
    if (t->len[0] == 1 && *t->word[0] == 'v')
        return add_node(t);
    if (t->len[0] == 1 && strchr("edu", *t->word[0]))
        return add_edge(t);
    return fail(t,
                "\"%s\" begins no line of this format; lines begin with t, "
                "v, e, u or d",
                sepx__excerpt(t->word[0], t->len[0]).text);
}

static enum sepx_err
read_tve(struct sepx_graph *graph, struct sepx_names *names, const char *bytes,
         size_t len, struct sepx_msg *msg)
{
    struct tve t = {.msg = msg, .builder.graph.names = names};
    const char *at = bytes, *end = bytes + len;
    unsigned graphs = 0;
    enum sepx_err err = SEPX_OK;

    while (at < end && !err) {
        const char *stop = sepx__split_line(at, end);

        t.line++;
        err = take_line(&t, at, stop > at && stop[-1] == '\n' ? stop - 1 : stop,
                        &graphs);
        at = stop;
    }
    if (!err && !graphs)
        err = fail(&t, "there is no graph; begin it with \"t # 0\"");
    t.builder.graph.undirected = t.kind != 'd';
    sepx__edges_order(&t.builder.graph);
    if (!err)
        sepx__builder_finish(&t.builder, graph);
    sepx__builder_release(&t.builder);
    return err;
}

/* Up to the next line that begins with "t"; "t # -1" ends some files. */
static const char *
split_tve(const char *at, const char *end)
{
    const char *line = at;
    bool begun = false;

    while (line < end) {
        if (sepx__begins(line, end, "t ") || sepx__begins(line, end, "t\t")) {
            if (begun && !sepx__begins(line, end, "t # -1"))
                return line;
            begun = true;
        } else if (*line != '\n' && *line != '#' && *line != '%') {
            begun = true;
        }
        line = sepx__split_line(line, end);
    }
    return end;
}

static bool
is_tve(const char *at, const char *end)
{
    return sepx__begins(at, end, "t #") || sepx__begins(at, end, "t\t#");
}

/* ---- writing ---- */

static enum sepx_err
check_word(const char *label, struct sepx_msg *msg)
{
    if (!label[strcspn(label, " \t\r\n\v\f")])
        return SEPX_OK;
    return sepx_fail(msg, SEPX_EDATA,
                     "the label \"%s\" has a blank, which t/v/e text cannot "
                     "hold; choose another format",
                     sepx__excerpt(label, strlen(label)).text);
}

static enum sepx_err
write_tve(struct sepx_text *text, const struct sepx_graph *graph,
          struct sepx_msg *msg)
{
    static const struct sepx__lacks lacks = {
        .name = "t/v/e text", .empty_labels = true, .commands = true};
    enum sepx_err err = sepx__format_check(graph, &lacks, msg);

    if (!err)
        err = sepx_text_print(
            text, "t # 0%s\n",
            graph->undirected || graph->n_edges ? "" : " directed");
    for (uint32_t i = 0; i < graph->n_nodes && !err; i++) {
        const char *label = sepx_names_text(graph->names, graph->label[i]);

        err = check_word(label, msg);
        if (!err)
            err = sepx_text_print(text, "v %u %s\n", i, label);
    }
    for (uint32_t i = 0; i < graph->n_edges && !err; i++) {
        const struct sepx_edge *edge = &graph->edge[i];
        const char *label = sepx_names_text(graph->names, edge->label);

        err = check_word(label, msg);
        if (!err)
            err = sepx_text_print(text, "%c %u %u%s%s\n",
                                  graph->undirected ? 'e' : 'd', edge->from,
                                  edge->to, *label ? " " : "", label);
    }
    return err;
}

const struct sepx__format sepx__format_tve = {
    .info = {"tve", "tve lg gspan", "t/v/e text of graph databases", true, true,
             true},
    .sniff = is_tve,
    .split = split_tve,
    .read = read_tve,
    .write = write_tve,
};
