/* SPDX-License-Identifier: Apache-2.0 */
/*
 * DOT, the language of Graphviz: one graph with its nodes, edges, attributes
 * and subgraphs, which are flattened. A label is the attribute "label", "op"
 * or "operation", the first of them that is there; a node without one is
 * labelled by its name. In labels "\n", "\l" and "\r" end a line, "\N" is
 * the node's name, and any other letter behind a backslash is itself.
 * Further attributes and ports are dropped. Labels in HTML are refused.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "graph/formats/dot_format.h"

enum { DEPTH_MAX = 100, EDGES_MAX = 8 << 20, NO_LABEL = -1 };

enum kind {
    END,
    WORD,  /* in `word`; `quoted`: it is no keyword */
    HTML,  /* <...> */
    ARROW, /* "->" */
    LINE,  /* "--" */
    SIGN   /* any of {}[];,=: in `sign` */
};

/* A label while it is read: its text in `pool`, and which key gave it. */
struct label {
    long at; /* NO_LABEL, or where it begins; it ends with a zero */
    int rank;
};

/* What "node [...]" and "edge [...]" say, in a subgraph. */
struct scope {
    struct label node, edge;
};

struct dot {
    const char *at, *end;
    unsigned line; /* of the token */
    unsigned lines;
    struct sepx_msg *msg;
    enum kind kind;
    char sign;
    bool quoted, strict;
    struct sepx_text word;
    struct sepx_text pool;
    struct sepx__builder builder;
    struct sepx_names *ids; /* number i + 1 is node i, an "n" before it */
    struct label *label;    /* of each node */
    size_t label_room;
    uint16_t *mention; /* nodes, as statements name them */
    size_t n_mentions, mention_room;
    unsigned depth;
};

static enum sepx_err
no_memory(const struct dot *d)
{
    return sepx_fail(d->msg, SEPX_ENOMEM, "%s", sepx_strerror(SEPX_ENOMEM));
}

static SEPX_PRINTF(2, 3) enum sepx_err
    fail(const struct dot *d, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    (void)sepx__vfail(d->msg, SEPX_EDATA, format, args);
    va_end(args);
    sepx_msg_line(d->msg, d->line, 0);
    return SEPX_EDATA;
}

/* The token as messages show it. */
static struct sepx__excerpt
shown(const struct dot *d)
{
    if (d->kind == WORD)
        return sepx__excerpt(d->word.at, d->word.len);
    if (d->kind == SIGN)
        return sepx__excerpt(&d->sign, 1);
    return sepx__excerpt(d->kind == ARROW  ? "->"
                         : d->kind == LINE ? "--"
                         : d->kind == HTML ? "<"
                                           : "the end",
                         d->kind == END    ? 7
                         : d->kind == HTML ? 1
                                           : 2);
}

/* ---- tokens ---- */

/* To what is neither blank nor comment. */
static enum sepx_err
skip(struct dot *d)
{
    bool start = d->lines == 1;

    for (; d->at < d->end; d->at++) {
        if (*d->at == '\n') {
            d->lines++;
            start = true;
        } else if ((*d->at == '#' && start) ||
                   sepx__begins(d->at, d->end, "//")) {
            while (d->at + 1 < d->end && d->at[1] != '\n')
                d->at++;
        } else if (sepx__begins(d->at, d->end, "/*")) {
            d->line = d->lines;
            for (d->at += 2; !sepx__begins(d->at, d->end, "*/"); d->at++) {
                if (d->at == d->end)
                    return fail(d, "a comment does not end; add \"*/\"");
                d->lines += *d->at == '\n';
            }
            d->at++;
        } else if (!strchr(" \t\r", *d->at) || !*d->at) {
            break;
        }
    }
    d->line = d->lines;
    return SEPX_OK;
}

static bool
is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static enum sepx_err
add(const struct dot *d, struct sepx_text *text, const char *bytes, size_t len)
{
    return sepx_text_add(text, bytes, len) ? no_memory(d) : SEPX_OK;
}

/* Behind the quote: only \" and a continued line are special here. */
static enum sepx_err
read_quoted(struct dot *d)
{
    enum sepx_err err = SEPX_OK;

    while (!err) {
        const char *from = d->at;

        while (d->at < d->end && !strchr("\"\\\n", *d->at))
            d->at++;
        err = add(d, &d->word, from, (size_t)(d->at - from));
        if (err)
            break;
        if (d->at == d->end || !*d->at)
            return fail(d, "a string does not end, or has a zero byte; end it "
                           "with a quote");
        if (*d->at == '"') {
            d->at++;
            break;
        }
        d->lines += *d->at == '\n';
        if (*d->at == '\n') {
            err = add(d, &d->word, d->at++, 1);
        } else if (sepx__begins(d->at, d->end, "\\\"")) {
            err = add(d, &d->word, "\"", 1);
            d->at += 2;
        } else if (sepx__begins(d->at, d->end, "\\\n")) {
            d->lines++;
            d->at += 2;
        } else {
            size_t len = d->at + 1 < d->end && d->at[1] ? 2 : 1;

            err = add(d, &d->word, d->at, len);
            d->at += len;
        }
    }
    return err;
}

/* "a" + "b" is one word. */
static enum sepx_err
read_string(struct dot *d)
{
    unsigned line = d->line;
    enum sepx_err err;

    d->kind = WORD;
    d->quoted = true;
    d->at++;
    err = read_quoted(d);
    for (;;) {
        const char *back = d->at;
        unsigned lines = d->lines;

        if (!err)
            err = skip(d);
        if (err || d->at == d->end || *d->at != '+') {
            if (!err)
                d->at = back, d->lines = lines;
            break;
        }
        d->at++;
        err = skip(d);
        if (!err && (d->at == d->end || *d->at != '"'))
            err = fail(d, "\"+\" joins no string; write one behind it");
        d->at += !err;
        if (!err)
            err = read_quoted(d);
    }
    d->line = line;
    return err;
}

static enum sepx_err
read_html(struct dot *d)
{
    unsigned depth = 0;

    d->kind = HTML;
    for (; d->at < d->end; d->at++) {
        d->lines += *d->at == '\n';
        depth += *d->at == '<';
        if (*d->at == '>' && !--depth)
            break;
    }
    if (d->at == d->end)
        return fail(d, "an HTML string does not end; add \">\"");
    d->at++;
    return SEPX_OK;
}

static enum sepx_err
read_bare(struct dot *d)
{
    const char *from = d->at;

    d->kind = WORD;
    if (*d->at == '-')
        d->at++;
    while (d->at < d->end && (is_word(*d->at) || *d->at == '.'))
        d->at++;
    return add(d, &d->word, from, (size_t)(d->at - from));
}

static enum sepx_err
next(struct dot *d)
{
    enum sepx_err err = skip(d);

    d->word.len = 0;
    d->quoted = false;
    if (err)
        return err;
    if (d->at == d->end) {
        d->kind = END;
        return SEPX_OK;
    }
    if (*d->at == '"')
        return read_string(d);
    if (*d->at == '<')
        return read_html(d);
    if (sepx__begins(d->at, d->end, "->") ||
        sepx__begins(d->at, d->end, "--")) {
        d->kind = d->at[1] == '>' ? ARROW : LINE;
        d->at += 2;
        return SEPX_OK;
    }
    if (is_word(*d->at) || *d->at == '.' || *d->at == '-')
        return read_bare(d);
    d->kind = SIGN;
    d->sign = *d->at++;
    if (d->sign && strchr("{}[];,=:", d->sign))
        return SEPX_OK;
    return fail(d, "\"%s\" is no part of the language; remove it",
                sepx__excerpt(&d->sign, 1).text);
}

static bool
is_sign(const struct dot *d, char sign)
{
    return d->kind == SIGN && d->sign == sign;
}

/* Keywords are so in any case of letters. */
static bool
is_keyword(const struct dot *d, const char *word)
{
    size_t i = 0;

    if (d->kind != WORD || d->quoted)
        return false;
    while (i < d->word.len && word[i] &&
           tolower((unsigned char)d->word.at[i]) == word[i])
        i++;
    return i == d->word.len && !word[i];
}

static enum sepx_err
expect(struct dot *d, char sign, const char *why)
{
    if (!is_sign(d, sign))
        return fail(d, "\"%s\" where \"%c\" should be%s", shown(d).text, sign,
                    why);
    return next(d);
}

/* ---- attributes ---- */

static int
rank_of(const char *key)
{
    for (int i = 0; sepx__label_keys[i]; i++)
        if (!strcmp(key, sepx__label_keys[i]))
            return i;
    return -1;
}

/* The present token is the value of the key in `word`'s old content. */
static enum sepx_err
take_value(struct dot *d, int rank, struct label *label)
{
    long at = (long)d->pool.len;

    if (d->kind == HTML && rank >= 0)
        return fail(d, "the label is HTML, which only Graphviz can read; "
                       "write it in quotes");
    if (d->kind != WORD && d->kind != HTML)
        return fail(d, "\"%s\" where a value should be", shown(d).text);
    if (rank < 0 || (label->at != NO_LABEL && rank > label->rank))
        return SEPX_OK;
    if (add(d, &d->pool, d->word.at ? d->word.at : "", d->word.len) ||
        add(d, &d->pool, "", 1))
        return SEPX_ENOMEM;
    *label = (struct label){at, rank};
    return SEPX_OK;
}

/* "[a = b, c = d] [e]": the label among them goes to `label`. */
static enum sepx_err
take_attributes(struct dot *d, struct label *label)
{
    enum sepx_err err = SEPX_OK;

    while (!err && is_sign(d, '[')) {
        err = next(d);
        while (!err && d->kind == WORD) {
            int rank = rank_of(d->word.at ? d->word.at : "");

            err = next(d);
            if (err || !is_sign(d, '=')) /* "[a]" is "[a = true]" */
                continue;
            err = next(d);
            if (!err)
                err = take_value(d, rank, label);
            if (!err)
                err = next(d);
            if (!err && (is_sign(d, ',') || is_sign(d, ';')))
                err = next(d);
        }
        while (!err && (is_sign(d, ',') || is_sign(d, ';')))
            err = next(d);
        if (!err)
            err = expect(d, ']', ", behind the attributes");
    }
    return err;
}

/* ---- nodes ---- */

static enum sepx_err
mention(struct dot *d, uint16_t node)
{
    if (sepx__grow((void **)&d->mention, &d->mention_room, d->n_mentions + 1,
                   sizeof(*d->mention)))
        return no_memory(d);
    d->mention[d->n_mentions++] = node;
    return SEPX_OK;
}

/* The node whose name is in `word`; made if it is new. */
static enum sepx_err
take_node(struct dot *d, const struct scope *scope, uint16_t *node)
{
    char id[SEPX__LABEL_BYTES + 1] = "n";
    uint16_t number = 0;
    enum sepx_err err;

    if (d->word.len >= sizeof(id) - 1)
        return fail(d,
                    "a node has a name of %zu bytes, \"%s\"; shorten it to "
                    "%zu at most",
                    d->word.len, shown(d).text, sizeof(id) - 2);
    memcpy(id + 1, d->word.at ? d->word.at : "", d->word.len);
    id[1 + d->word.len] = '\0';
    err = sepx_names_add(d->ids, &number, id);
    if (err == SEPX_EINVAL)
        return fail(d, "the name \"%s\" is not UTF-8 text; convert it",
                    shown(d).text);
    if (err)
        return no_memory(d);
    *node = (uint16_t)(number - 1);
    if (*node == d->builder.graph.n_nodes) {
        err = sepx__at_line(
            sepx__builder_node(&d->builder, "", 0, "a node", d->msg), d->msg,
            d->line);
        if (!err && sepx__grow((void **)&d->label, &d->label_room, number,
                               sizeof(*d->label)))
            err = no_memory(d);
        if (!err)
            d->label[*node] = scope->node;
    }
    return err ? err : mention(d, *node);
}

/* Behind the name: ":port" and ":port:compass" say nothing of the graph. */
static enum sepx_err
skip_ports(struct dot *d)
{
    enum sepx_err err = SEPX_OK;

    for (int i = 0; i < 2 && !err && is_sign(d, ':'); i++) {
        err = next(d);
        if (!err && d->kind != WORD)
            err = fail(d, "\"%s\" where a port should be", shown(d).text);
        if (!err)
            err = next(d);
    }
    return err;
}

/* ---- statements ---- */

static enum sepx_err take_list(struct dot *d, struct scope scope);

/* A node or a subgraph; its nodes are the mentions from *first on. */
static enum sepx_err
take_end(struct dot *d, const struct scope *scope, size_t *first)
{
    uint16_t node;
    enum sepx_err err = SEPX_OK;

    *first = d->n_mentions;
    if (is_keyword(d, "subgraph")) {
        err = next(d);
        if (!err && d->kind == WORD)
            err = next(d);
        if (!err && !is_sign(d, '{'))
            err = fail(d, "a subgraph is named without \"{\"; write its nodes "
                          "out");
    }
    if (err)
        return err;
    if (is_sign(d, '{'))
        return take_list(d, *scope);
    if (d->kind != WORD)
        return fail(d, "\"%s\" where a node should be", shown(d).text);
    err = take_node(d, scope, &node);
    if (!err)
        err = next(d);
    return err ? err : skip_ports(d);
}

/* Of mentions first..last-1, whether this one was there before. */
static bool
is_repeated(const struct dot *d, size_t first, size_t at)
{
    for (size_t i = first; i < at; i++)
        if (d->mention[i] == d->mention[at])
            return true;
    return false;
}

/* Keep each of the mentions from `first` on once. */
static void
unique(struct dot *d, size_t first)
{
    bool seen[SEPX_NODES_MAX] = {false};
    size_t kept = first;

    if (d->n_mentions - first < 8) {
        for (size_t i = first; i < d->n_mentions; i++)
            if (!is_repeated(d, first, i))
                d->mention[kept++] = d->mention[i];
        d->n_mentions = kept;
        return;
    }
    for (size_t i = first; i < d->n_mentions; i++) {
        if (!seen[d->mention[i]])
            d->mention[kept++] = d->mention[i];
        seen[d->mention[i]] = true;
    }
    d->n_mentions = kept;
}

static enum sepx_err
join(struct dot *d, size_t from, size_t to)
{
    enum sepx_err err = SEPX_OK;

    for (size_t i = from; i < to; i++)
        for (size_t k = to; k < d->n_mentions && !err; k++) {
            if (d->builder.graph.n_edges == EDGES_MAX)
                return sepx__at_line(sepx_fail(d->msg, SEPX_ELIMIT,
                                               "more than %d edges", EDGES_MAX),
                                     d->msg, d->line);
            err = sepx__builder_edge(
                &d->builder,
                (struct sepx_edge){d->mention[i], d->mention[k], 0}, d->msg);
        }
    return err;
}

/* The escapes of a label, resolved behind what `text` holds. */
static enum sepx_err
unescape(struct dot *d, struct sepx_text *text, const char *raw,
         const char *name)
{
    enum sepx_err err = SEPX_OK;

    text->len = 0;
    for (; *raw && !err; raw++) {
        size_t plain = strcspn(raw, "\\");

        if (plain) {
            err = add(d, text, raw, plain);
            raw += plain - 1;
        } else if (!raw[1]) {
            err = add(d, text, raw, 1);
        } else {
            raw++;
            if (*raw == 'N' && name)
                err = add(d, text, name, strlen(name));
            else
                err = add(d, text, strchr("nlr", *raw) ? "\n" : raw, 1);
        }
    }
    return err;
}

static enum sepx_err
set_labels(struct dot *d, uint32_t first, struct label label)
{
    struct sepx_text text = {0};
    uint16_t id = 0;
    enum sepx_err err;

    if (label.at == NO_LABEL || first == d->builder.graph.n_edges)
        return SEPX_OK;
    err = unescape(d, &text, d->pool.at + label.at, NULL);
    if (!err)
        err = sepx__at_line(sepx__builder_label(&d->builder, &id,
                                                text.at ? text.at : "",
                                                text.len, "an edge", d->msg),
                            d->msg, d->line);
    for (uint32_t i = first; i < d->builder.graph.n_edges && !err; i++)
        d->builder.graph.edge[i].label = id;
    sepx_text_release(&text);
    return err;
}

/* "a -> b -> {c d} [label = x]", its first end being read. */
static enum sepx_err
take_edges(struct dot *d, const struct scope *scope, size_t first)
{
    uint32_t edges = d->builder.graph.n_edges;
    enum kind wanted = d->builder.graph.undirected ? LINE : ARROW;
    struct label label = scope->edge;
    enum sepx_err err = SEPX_OK;

    unique(d, first);
    while (!err && (d->kind == ARROW || d->kind == LINE)) {
        size_t second;

        if (d->kind != wanted)
            return fail(d, "\"%s\" in a %s; write \"%s\"", shown(d).text,
                        wanted == ARROW ? "digraph" : "graph",
                        wanted == ARROW ? "->" : "--");
        err = next(d);
        if (!err)
            err = take_end(d, scope, &second);
        if (err)
            break;
        unique(d, second);
        err = join(d, first, second);
        first = second;
    }
    if (!err)
        err = take_attributes(d, &label);
    return err ? err : set_labels(d, edges, label);
}

/* "a = b": an attribute of the graph. */
static enum sepx_err
take_assignment(struct dot *d)
{
    enum sepx_err err = next(d);

    if (!err && d->kind != WORD && d->kind != HTML)
        err = fail(d, "\"%s\" where a value should be", shown(d).text);
    return err ? err : next(d);
}

/* A word followed by "=" is no node. */
static bool
is_assigned(struct dot *d)
{
    const char *at = d->at;

    while (at < d->end && *at && strchr(" \t\r\n", *at))
        at++;
    return d->kind == WORD && at < d->end && *at == '=';
}

static enum sepx_err
take_node_attributes(struct dot *d, uint16_t node)
{
    struct label new = {NO_LABEL, 0};
    enum sepx_err err = take_attributes(d, &new);

    if (!err && new.at != NO_LABEL)
        d->label[node] = new;
    return err;
}

static enum sepx_err
take_statement(struct dot *d, struct scope *scope)
{
    struct label none = {NO_LABEL, 0}, *preset = NULL;
    bool subgraph, defaults;
    size_t first;
    enum sepx_err err;

    if (is_keyword(d, "node"))
        preset = &scope->node;
    else if (is_keyword(d, "edge"))
        preset = &scope->edge;
    else if (is_keyword(d, "graph"))
        preset = &none;
    defaults = preset != NULL;
    if (is_assigned(d)) {
        err = next(d);
        return err ? err : take_assignment(d);
    }
    if (defaults) {
        err = next(d);
        if (!err && !is_sign(d, '['))
            err = fail(d, "\"%s\" where \"[\" should be, behind a keyword",
                       shown(d).text);
        none = (struct label){NO_LABEL, 0};
        if (!err)
            err = take_attributes(d, &none);
        if (!err && none.at != NO_LABEL && preset != &none)
            *preset = none;
        return err;
    }
    subgraph = is_keyword(d, "subgraph") || is_sign(d, '{');
    err = take_end(d, scope, &first);
    if (err)
        return err;
    if (d->kind == ARROW || d->kind == LINE)
        return take_edges(d, scope, first);
    if (subgraph || !is_sign(d, '['))
        return SEPX_OK;
    return take_node_attributes(d, d->mention[first]);
}

/* "{ ... }"; what is said of nodes and edges inside ends with it. */
static enum sepx_err
take_list(struct dot *d, struct scope scope)
{
    enum sepx_err err = expect(d, '{', "");

    if (!err && ++d->depth > DEPTH_MAX)
        return fail(d, "subgraphs are nested deeper than %d", DEPTH_MAX);
    while (!err && !is_sign(d, '}')) {
        if (d->kind == END)
            return fail(d, "the graph does not end; add \"}\"");
        if (is_sign(d, ';') || is_sign(d, ','))
            err = next(d);
        else
            err = take_statement(d, &scope);
        if (d->depth == 1)
            d->n_mentions = 0; /* nobody asks for them any more */
    }
    d->depth--;
    return err ? err : next(d);
}

/* ---- the whole ---- */

static enum sepx_err
name_nodes(struct dot *d)
{
    struct sepx_text text = {0};
    enum sepx_err err = SEPX_OK;

    for (uint32_t i = 0; i < d->builder.graph.n_nodes && !err; i++) {
        const char *name = sepx_names_text(d->ids, (uint16_t)(i + 1)) + 1;
        const char *shows = name;
        char where[300];

        if (d->label[i].at != NO_LABEL) {
            err = unescape(d, &text, d->pool.at + d->label[i].at, name);
            shows = text.at && text.len ? text.at : "";
        }
        (void)snprintf(where, sizeof(where), "node \"%.60s\"", name);
        if (!err)
            err = sepx__builder_label(&d->builder, &d->builder.graph.label[i],
                                      shows, strlen(shows), where, d->msg);
    }
    sepx_text_release(&text);
    return err;
}

/* In a strict graph, parallel edges are one. */
static enum sepx_err
merge(struct dot *d)
{
    struct sepx_graph *graph = &d->builder.graph;
    uint32_t kept = 0;

    for (uint32_t i = 0; i < graph->n_edges; i++) {
        struct sepx_edge *last = &graph->edge[kept ? kept - 1 : 0];

        if (kept && sepx__edges_parallel(last, &graph->edge[i])) {
            if (last->label && last->label != graph->edge[i].label)
                return sepx_fail(d->msg, SEPX_EDATA,
                                 "a strict graph has one edge with two labels; "
                                 "remove one, or the word \"strict\"");
            last->label = graph->edge[i].label;
            continue;
        }
        graph->edge[kept++] = graph->edge[i];
    }
    graph->n_edges = kept;
    return SEPX_OK;
}

static enum sepx_err
take_graph(struct dot *d)
{
    static const struct scope scope = {{NO_LABEL, 0}, {NO_LABEL, 0}};
    enum sepx_err err = next(d);

    d->strict = !err && is_keyword(d, "strict");
    if (d->strict)
        err = next(d);
    if (!err && !is_keyword(d, "graph") && !is_keyword(d, "digraph"))
        err = fail(d,
                   "\"%s\" where \"graph\" or \"digraph\" should be; is it "
                   "DOT?",
                   shown(d).text);
    d->builder.graph.undirected = !err && is_keyword(d, "graph");
    if (!err)
        err = next(d);
    if (!err && d->kind == WORD)
        err = next(d);
    if (!err)
        err = take_list(d, scope);
    if (!err && d->kind != END)
        err = fail(d, "\"%s\" behind the graph; write one file for each graph",
                   shown(d).text);
    if (!err)
        err = name_nodes(d);
    sepx__edges_order(&d->builder.graph);
    return !err && d->strict ? merge(d) : err;
}

enum sepx_err
sepx__dot_read(struct sepx_graph *graph, struct sepx_names *names,
               const char *bytes, size_t len, struct sepx_msg *msg)
{
    struct dot d = {.at = bytes,
                    .end = bytes + len,
                    .lines = 1,
                    .line = 1,
                    .msg = msg,
                    .ids = sepx_names_new(),
                    .builder.graph.names = names};
    enum sepx_err err = d.ids ? take_graph(&d) : no_memory(&d);

    if (!err)
        sepx__builder_finish(&d.builder, graph);
    sepx__builder_release(&d.builder);
    sepx_names_free(d.ids);
    sepx_text_release(&d.word);
    sepx_text_release(&d.pool);
    sepx__free(d.label);
    sepx__free(d.mention);
    return err;
}
