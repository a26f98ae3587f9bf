/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GML (M. Himsolt 1996), as networkx and igraph write it: keys with numbers,
 * strings and lists, one "graph [...]" with its "node [...]"s and
 * "edge [...]"s. A node's label is "op" or "operation" if it has one (in
 * networkx's files "label" is the node's name), else "label", else its id.
 * Other keys are dropped. Letters outside of ASCII, quotes and control
 * characters are entities.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/formats/dot_format.h"

enum { RANKS = 3 };

enum kind { END, KEY, NUMBER, STRING, OPEN, CLOSE };

struct gml {
    const char *at, *end;
    unsigned line, lines;
    struct sepx_msg *msg;
    enum kind kind;
    struct sepx_text word; /* of a key, a number or a string */
    struct sepx__builder builder;
    struct sepx_names *ids; /* number i + 1 is node i */
};

/* What a node or an edge has so far. */
struct part {
    char id[32], source[32], target[32]; /* digits; empty: none */
    struct sepx_text label;
    int rank; /* RANKS: no label */
};

static enum sepx_err
no_memory(const struct gml *g)
{
    return sepx_fail(g->msg, SEPX_ENOMEM, "%s", sepx_strerror(SEPX_ENOMEM));
}

static SEPX_PRINTF(2, 3) enum sepx_err
    fail(const struct gml *g, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    (void)sepx__vfail(g->msg, SEPX_EDATA, format, args);
    va_end(args);
    sepx_msg_line(g->msg, g->line, 0);
    return SEPX_EDATA;
}

static struct sepx__excerpt
shown(const struct gml *g)
{
    static const char *const words[] = {
        [END] = "the end", [OPEN] = "[", [CLOSE] = "]"};

    if (g->kind == END || g->kind >= OPEN)
        return sepx__excerpt(words[g->kind], strlen(words[g->kind]));
    return sepx__excerpt(g->word.at ? g->word.at : "", g->word.len);
}

/* ---- tokens ---- */

static size_t
put_utf8(char *room, unsigned long code)
{
    if (code < 0x80) {
        room[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        room[0] = (char)(0xc0 | code >> 6);
        room[1] = (char)(0x80 | (code & 0x3f));
        return 2;
    }
    if (code < 0x10000) {
        room[0] = (char)(0xe0 | code >> 12);
        room[1] = (char)(0x80 | (code >> 6 & 0x3f));
        room[2] = (char)(0x80 | (code & 0x3f));
        return 3;
    }
    room[0] = (char)(0xf0 | code >> 18);
    room[1] = (char)(0x80 | (code >> 12 & 0x3f));
    room[2] = (char)(0x80 | (code >> 6 & 0x3f));
    room[3] = (char)(0x80 | (code & 0x3f));
    return 4;
}

/* The letter of "quot" or "#228", into `room`; 0: not known. */
static size_t
decode(char *room, const char *name, size_t len)
{
    static const struct {
        const char *name;
        char letter;
    } named[] = {
        {"quot", '"'}, {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"apos", '\''}};
    char digits[12];
    char *end;
    unsigned long code;

    for (size_t i = 0; i < sizeof(named) / sizeof(*named); i++)
        if (strlen(named[i].name) == len && !memcmp(named[i].name, name, len)) {
            room[0] = named[i].letter;
            return 1;
        }
    if (len < 2 || len > sizeof(digits) || *name != '#')
        return 0;
    memcpy(digits, name + 1, len - 1);
    digits[len - 1] = '\0';
    if (!isalnum((unsigned char)digits[0]))
        return 0;
    code = *digits == 'x' ? strtoul(digits + 1, &end, 16)
                          : strtoul(digits, &end, 10);
    if (*end || !code || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return 0;
    return put_utf8(room, code);
}

static enum sepx_err
read_string(struct gml *g)
{
    g->kind = STRING;
    for (g->at++; g->at < g->end && *g->at != '"'; g->at++) {
        const char *stop = memchr(g->at, ';', (size_t)(g->end - g->at));
        char room[4] = {*g->at};
        size_t len = 1;

        if (!*g->at)
            return fail(g, "a string has a zero byte; remove it");
        g->lines += *g->at == '\n';
        if (*g->at == '&' && stop && stop - g->at < 12) {
            len = decode(room, g->at + 1, (size_t)(stop - g->at - 1));
            if (len)
                g->at = stop;
            else
                len = 1; /* an "&" by itself */
        }
        if (sepx_text_add(&g->word, room, len))
            return no_memory(g);
    }
    if (g->at == g->end)
        return fail(g, "a string does not end; end it with a quote");
    g->at++;
    return SEPX_OK;
}

static enum sepx_err
next(struct gml *g)
{
    const char *from;

    for (; g->at < g->end; g->at++) {
        if (*g->at == '#') {
            while (g->at + 1 < g->end && g->at[1] != '\n')
                g->at++;
        } else if (!*g->at || !strchr(" \t\r\n", *g->at)) {
            break;
        }
        g->lines += *g->at == '\n';
    }
    g->line = g->lines;
    g->word.len = 0;
    from = g->at;
    if (g->at == g->end) {
        g->kind = END;
        return SEPX_OK;
    }
    if (*g->at == '"')
        return read_string(g);
    if (*g->at == '[' || *g->at == ']') {
        g->kind = *g->at++ == '[' ? OPEN : CLOSE;
        return SEPX_OK;
    }
    g->kind = isalpha((unsigned char)*g->at) || *g->at == '_' ? KEY : NUMBER;
    while (g->at < g->end && (isalnum((unsigned char)*g->at) ||
                              (*g->at && strchr("_+-.", *g->at))))
        g->at++;
    if (g->at == from)
        return fail(g, "\"%s\" is no part of the language; remove it",
                    sepx__excerpt(from, 1).text);
    return sepx_text_add(&g->word, from, (size_t)(g->at - from)) ? no_memory(g)
                                                                 : SEPX_OK;
}

static bool
is_key(const struct gml *g, const char *key)
{
    return g->kind == KEY && !strcmp(g->word.at, key);
}

/* The value behind a key that says nothing here; lists whole. */
static enum sepx_err
skip_value(struct gml *g)
{
    unsigned depth = 0;
    enum sepx_err err = SEPX_OK;

    do {
        if (g->kind == END)
            return fail(g, "a value or \"]\" is missing; add it");
        if (g->kind == CLOSE && !depth)
            return fail(g, "\"]\" where a value should be");
        depth += g->kind == OPEN;
        depth -= g->kind == CLOSE;
        err = next(g);
    } while (!err && depth);
    return err;
}

/* ---- nodes and edges ---- */

static enum sepx_err
take_number(struct gml *g, const char *key, char *room, size_t size)
{
    size_t len = g->word.len;
    size_t digits = g->kind == NUMBER ? strspn(g->word.at, "0123456789") : 0;

    if (g->kind == NUMBER && *g->word.at == '-')
        digits = 1 + strspn(g->word.at + 1, "0123456789");
    if (g->kind != NUMBER || digits != len || len >= size)
        return fail(g, "%s is \"%s\"; write an integer", key, shown(g).text);
    memcpy(room, g->word.at, len + 1);
    return next(g);
}

/* A smaller rank is a better label. */
static int
rank_of(const char *key, bool node)
{
    static const char *const order[RANKS] = {"op", "operation", "label"};

    for (int i = 0; i < RANKS; i++)
        if (!strcmp(key, order[i]))
            return node ? i : RANKS - 1 - i;
    return RANKS;
}

static enum sepx_err
take_label(struct gml *g, struct part *part, int rank)
{
    if (g->kind != STRING && g->kind != NUMBER)
        return fail(g, "a label is \"%s\"; write a string", shown(g).text);
    if (rank <= part->rank) {
        part->rank = rank;
        part->label.len = 0;
        if (sepx_text_add(&part->label, g->word.at ? g->word.at : "",
                          g->word.len))
            return no_memory(g);
    }
    return next(g);
}

/* "[ key value ... ]" of a node or an edge. */
static enum sepx_err
take_part(struct gml *g, struct part *part, bool node)
{
    enum sepx_err err;

    if (g->kind != OPEN)
        return fail(g, "\"%s\" where \"[\" should be", shown(g).text);
    err = next(g);
    while (!err && g->kind == KEY) {
        int rank = rank_of(g->word.at, node);
        char *number = NULL;
        const char *key = "id";

        if (node && is_key(g, "id"))
            number = part->id;
        else if (!node && is_key(g, "source"))
            number = part->source, key = "source";
        else if (!node && is_key(g, "target"))
            number = part->target, key = "target";
        err = next(g);
        if (err)
            break;
        if (number)
            err = take_number(g, key, number, sizeof(part->id));
        else
            err = rank < RANKS ? take_label(g, part, rank) : skip_value(g);
    }
    if (!err && g->kind != CLOSE)
        err = fail(g, "\"%s\" where a key or \"]\" should be", shown(g).text);
    return err ? err : next(g);
}

static enum sepx_err
add_node(struct gml *g, const struct part *part, unsigned line)
{
    uint16_t number = 0;
    const char *label = part->rank < RANKS ? part->label.at : part->id;

    if (!*part->id)
        return fail(g, "a node has no id; add \"id N\"");
    if (g->builder.graph.n_nodes < SEPX_NODES_MAX) {
        if (sepx_names_add(g->ids, &number, part->id))
            return no_memory(g);
        if (number != g->builder.graph.n_nodes + 1)
            return fail(g,
                        "a node has the id %s of an earlier node; change "
                        "one",
                        part->id);
    }
    label = label && (part->rank == RANKS || part->label.len) ? label : "";
    return sepx__at_line(
        sepx__builder_node(&g->builder, label, strlen(label), "a node", g->msg),
        g->msg, line);
}

static enum sepx_err
edge_end(struct gml *g, const char *key, const char *id, uint16_t *node)
{
    int number = *id ? sepx_names_find(g->ids, id) : 0;

    if (!*id)
        return fail(g, "an edge has no %s; add \"%s N\"", key, key);
    if (number < 1)
        return fail(g,
                    "an edge has the %s %s, which no node before it has as "
                    "its id; add the node, or move it up",
                    key, id);
    *node = (uint16_t)(number - 1);
    return SEPX_OK;
}

static enum sepx_err
add_edge(struct gml *g, const struct part *part, unsigned line)
{
    struct sepx_edge edge = {0};
    enum sepx_err err = edge_end(g, "source", part->source, &edge.from);

    if (!err)
        err = edge_end(g, "target", part->target, &edge.to);
    if (!err && part->rank < RANKS && part->label.len)
        err = sepx__at_line(sepx__builder_label(&g->builder, &edge.label,
                                                part->label.at, part->label.len,
                                                "an edge", g->msg),
                            g->msg, line);
    return err ? err : sepx__builder_edge(&g->builder, edge, g->msg);
}

static enum sepx_err
take_element(struct gml *g, bool node)
{
    struct part part = {.rank = RANKS};
    unsigned line = g->line;
    enum sepx_err err = next(g);

    if (!err)
        err = take_part(g, &part, node);
    if (!err)
        err = node ? add_node(g, &part, line) : add_edge(g, &part, line);
    sepx_text_release(&part.label);
    return err;
}

/* ---- the document ---- */

static enum sepx_err
take_graph(struct gml *g)
{
    char flag[32] = "0";
    struct sepx__excerpt other = {""};
    enum sepx_err err = g->kind == OPEN
                            ? next(g)
                            : fail(g,
                                   "\"%s\" where \"[\" should be, behind "
                                   "\"graph\"",
                                   shown(g).text);

    g->builder.graph.undirected = true;
    while (!err && g->kind == KEY) {
        if (is_key(g, "node") || is_key(g, "edge")) {
            err = take_element(g, is_key(g, "node"));
        } else if (is_key(g, "directed")) {
            err = next(g);
            if (!err)
                err = take_number(g, "directed", flag, sizeof(flag));
            g->builder.graph.undirected = !strcmp(flag, "0");
        } else {
            struct sepx__excerpt key = shown(g);

            err = next(g);
            if (!err && g->kind == OPEN)
                other = key;
            if (!err)
                err = skip_value(g);
        }
    }
    if (!err && g->kind != CLOSE)
        err = fail(g, "\"%s\" where a key or \"]\" should be", shown(g).text);
    if (!err && !g->builder.graph.n_nodes && *other.text)
        err =
            fail(g,
                 "the graph has no \"node [...]\", but \"%s [...]\", which is "
                 "not read; list its nodes as \"node [ id N ]\"",
                 other.text);
    return err ? err : next(g);
}

static enum sepx_err
take_all(struct gml *g)
{
    unsigned graphs = 0;
    enum sepx_err err = next(g);

    while (!err && g->kind == KEY) {
        bool graph = is_key(g, "graph");

        if (graph && graphs++)
            return fail(g, "a second graph; write one file for each graph");
        err = next(g);
        if (!err)
            err = graph ? take_graph(g) : skip_value(g);
    }
    if (!err && g->kind != END)
        err =
            fail(g, "\"%s\" where a key should be; is it GML?", shown(g).text);
    if (!err && !graphs)
        err = fail(g, "there is no \"graph [...]\"; put the nodes and edges "
                      "into one");
    return err;
}

static enum sepx_err
read_gml(struct sepx_graph *graph, struct sepx_names *names, const char *bytes,
         size_t len, struct sepx_msg *msg)
{
    struct gml g = {.at = bytes,
                    .end = bytes + len,
                    .line = 1,
                    .lines = 1,
                    .msg = msg,
                    .ids = sepx_names_new(),
                    .builder.graph.names = names};
    enum sepx_err err = g.ids ? take_all(&g) : no_memory(&g);

    sepx__edges_order(&g.builder.graph);
    if (!err)
        sepx__builder_finish(&g.builder, graph);
    sepx__builder_release(&g.builder);
    sepx_names_free(g.ids);
    sepx_text_release(&g.word);
    return err;
}

/* ---- writing ---- */

static enum sepx_err
put_label(struct sepx_text *text, const char *label)
{
    size_t len = strlen(label);
    enum sepx_err err = sepx_text_print(text, " label \"");

    while (len && !err) {
        uint32_t code = 0;
        size_t step = sepx__utf8_next(label, len, &code);

        if (code >= 0x20 && code < 0x7f && code != '"' && code != '&')
            err = sepx_text_add(text, label, 1);
        else
            err = sepx_text_print(text, "&#%u;", (unsigned)code);
        label += step;
        len -= step;
    }
    return err ? err : sepx_text_print(text, "\"");
}

static enum sepx_err
write_gml(struct sepx_text *text, const struct sepx_graph *graph,
          struct sepx_msg *msg)
{
    static const struct sepx__lacks lacks = {.name = "GML"};
    static const struct sepx__lacks single = {.parallel = true};
    struct sepx_graph plain = *graph;
    enum sepx_err err = sepx__format_check(graph, &lacks, msg);
    bool many;

    plain.extra = NULL;
    if (err)
        return err;
    many = sepx__format_check(&plain, &single, NULL) == SEPX_EDATA;
    err = sepx_text_print(text, "graph [\n  directed %d\n%s",
                          !graph->undirected, many ? "  multigraph 1\n" : "");
    for (uint32_t i = 0; i < graph->n_nodes && !err; i++) {
        err = sepx_text_print(text, "  node [ id %u", i);
        if (!err)
            err =
                put_label(text, sepx_names_text(graph->names, graph->label[i]));
        if (!err)
            err = sepx_text_print(text, " ]\n");
    }
    for (uint32_t i = 0; i < graph->n_edges && !err; i++) {
        const struct sepx_edge *edge = &graph->edge[i];

        err = sepx_text_print(text, "  edge [ source %u target %u", edge->from,
                              edge->to);
        if (!err && edge->label)
            err = put_label(text, sepx_names_text(graph->names, edge->label));
        if (!err)
            err = sepx_text_print(text, " ]\n");
    }
    return err ? err : sepx_text_print(text, "]\n");
}

const struct sepx__format sepx__format_gml = {
    .info = {"gml", "gml", "GML, as networkx and igraph write it", true, true,
             false},
    .sniff = sepx__is_gml,
    .read = read_gml,
    .write = write_gml,
};
