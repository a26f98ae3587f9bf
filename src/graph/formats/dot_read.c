/* SPDX-License-Identifier: Apache-2.0 */
/*
 * DOT, the language of Graphviz: one graph with its nodes, edges, attributes
 * and subgraphs, which are flattened. Attributes follow Graphviz's rules: a
 * default holds for the nodes and edges that its subgraph makes later, a
 * subgraph that is opened again by its name keeps its nodes and defaults,
 * edges are made at the end of their statement, and an edge that a strict
 * graph has, or whose "key" it has, only takes the new attributes. Labels in
 * HTML are refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/formats/dot_format.h"
#include "graph/formats/dot_graph.h"
#include "graph/order.h"

enum { DEPTH_MAX = 100, EDGES_MAX = 8 << 20 };
enum { NOT_LABEL = -1, EDGE_KEY = -2 }; /* attributes that are no labels */

/* A subgraph while it is read. */
struct context {
    struct sepx__dot_scope scope; /* with its ancestors' */
    uint32_t id;                  /* tells it from all others; 0: the graph */
    uint32_t named;               /* number + 1; 0: it has no name */
};

static enum sepx_err
no_memory(const struct sepx__dot *d)
{
    return sepx__dot_no_memory(&d->t);
}

/* "TOKEN" where something else should be. */
static enum sepx_err
fail_here(const struct sepx__dot *d, const char *wanted)
{
    return sepx__dot_fail(&d->t, "\"%s\" where %s should be",
                          sepx__dot_shown(&d->t).text, wanted);
}

static bool
is_sign(const struct sepx__dot *d, char sign)
{
    return sepx__dot_is_sign(&d->t, sign);
}

static bool
is_keyword(const struct sepx__dot *d, const char *word)
{
    return sepx__dot_is_keyword(&d->t, word);
}

static bool
is_any_keyword(const struct sepx__dot *d)
{
    static const char *const words[] = {"node",    "edge",   "graph",
                                        "digraph", "strict", "subgraph"};

    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        if (is_keyword(d, words[i]))
            return true;
    return false;
}

static bool
is_join(const struct sepx__dot *d)
{
    return d->t.kind == SEPX__DOT_ARROW || d->t.kind == SEPX__DOT_LINE;
}

static enum sepx_err
next(struct sepx__dot *d)
{
    return sepx__dot_next(&d->t);
}

static enum sepx_err
expect(struct sepx__dot *d, char sign, const char *why)
{
    if (!is_sign(d, sign))
        return sepx__dot_fail(&d->t, "\"%s\" where \"%c\" should be%s",
                              sepx__dot_shown(&d->t).text, sign, why);
    return next(d);
}

/* Put the present word into the pool. */
static enum sepx_err
keep_word(struct sepx__dot *d, uint32_t *at)
{
    size_t from = d->pool.len;

    if (from + d->t.word.len + 1 >= UINT32_MAX)
        return sepx_fail(d->t.msg, SEPX_ELIMIT, "the labels exceed 4 GiB");
    if (sepx_text_add(&d->pool, sepx__dot_word(&d->t), d->t.word.len) ||
        sepx_text_add(&d->pool, "", 1))
        return no_memory(d);
    *at = (uint32_t)from + 1;
    return SEPX_OK;
}

/*
 * The number of the subgraph in subgraph `parent`, or of the key ('k'), that
 * the present word names; the first number is 1. By a hash of 128 bits, since
 * these names may be of any length and bytes.
 */
static enum sepx_err
number_of(struct sepx__dot *d, char kind, uint32_t parent, uint32_t *number)
{
    struct sepx__hash hash = sepx__hash(sepx__dot_word(&d->t), d->t.word.len);
    char text[64];
    uint16_t id = 0;
    enum sepx_err err;

    (void)snprintf(text, sizeof(text), "%c%lu:%016llx%016llx", kind,
                   (unsigned long)parent, (unsigned long long)hash.high,
                   (unsigned long long)hash.low);
    err = sepx_names_add(d->groups, &id, text);
    if (err == SEPX_ELIMIT)
        return sepx__dot_fail(&d->t,
                              "more than %d names of subgraphs and keys; "
                              "remove some",
                              SEPX_LABELS_MAX);
    *number = id;
    return err ? no_memory(d) : SEPX_OK;
}

/* ---- attributes ---- */

static int
rank_of(const char *key)
{
    for (int i = 0; i < SEPX__DOT_LABELS; i++)
        if (!strcmp(key, sepx__label_keys[i]))
            return i;
    return strcmp(key, "key") ? NOT_LABEL : EDGE_KEY;
}

/* The present token is the value of an attribute. */
static enum sepx_err
take_value(struct sepx__dot *d, int rank, struct sepx__dot_values *values,
           uint32_t *key)
{
    bool html = d->t.kind == SEPX__DOT_HTML;

    if (!html && d->t.kind != SEPX__DOT_WORD)
        return fail_here(d, "a value");
    if (rank == EDGE_KEY && key && !html)
        return number_of(d, 'k', 0, key);
    if (rank < 0 || !values)
        return SEPX_OK;
    if (html)
        return sepx__dot_fail(&d->t,
                              "the label is HTML, which only Graphviz can "
                              "read; write it in quotes");
    return keep_word(d, &values->at[rank]);
}

/*
 * "[a = b, c = d] [e]": the labels among them go to `values`, and "key" to
 * `key`; NULL: they mean nothing here.
 */
static enum sepx_err
take_attributes(struct sepx__dot *d, struct sepx__dot_values *values,
                uint32_t *key)
{
    enum sepx_err err = SEPX_OK;

    while (!err && is_sign(d, '[')) {
        err = next(d);
        while (!err && d->t.kind == SEPX__DOT_WORD) {
            int rank = rank_of(sepx__dot_word(&d->t));

            err = next(d);
            if (err || !is_sign(d, '=')) /* "[a]" is "[a = true]" */
                continue;
            err = next(d);
            if (!err)
                err = take_value(d, rank, values, key);
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
mention(struct sepx__dot *d, uint16_t node)
{
    if (sepx__grow((void **)&d->mention, &d->mention_room, d->n_mentions + 1,
                   sizeof(*d->mention)))
        return no_memory(d);
    d->mention[d->n_mentions++] = node;
    return SEPX_OK;
}

/* The node whose name is in `word`; made if it is new. */
static enum sepx_err
take_node(struct sepx__dot *d, const struct context *in)
{
    char id[SEPX__LABEL_BYTES + 1] = "n";
    uint16_t number = 0, node;
    enum sepx_err err;

    if (d->t.kind != SEPX__DOT_WORD)
        return fail_here(d, "a node");
    if (is_any_keyword(d))
        return sepx__dot_fail(&d->t,
                              "\"%s\" where a node should be is a keyword; "
                              "write it in quotes",
                              sepx__dot_shown(&d->t).text);
    if (d->t.word.len >= sizeof(id) - 1)
        return sepx__dot_fail(&d->t,
                              "a node has a name of %zu bytes, \"%s\"; "
                              "shorten it to %zu at most",
                              d->t.word.len, sepx__dot_shown(&d->t).text,
                              sizeof(id) - 2);
    memcpy(id + 1, sepx__dot_word(&d->t), d->t.word.len);
    id[1 + d->t.word.len] = '\0';
    err = sepx_names_add(d->ids, &number, id);
    if (err == SEPX_EINVAL)
        return sepx__dot_fail(&d->t,
                              "the name \"%s\" is not UTF-8 text; convert it",
                              sepx__dot_shown(&d->t).text);
    if (err)
        return no_memory(d);
    node = (uint16_t)(number - 1);
    if (node == d->builder.graph.n_nodes) {
        err = sepx__at_line(
            sepx__builder_node(&d->builder, "", 0, "a node", d->t.msg),
            d->t.msg, d->t.line);
        if (!err && sepx__grow((void **)&d->node, &d->node_room, number,
                               sizeof(*d->node)))
            err = no_memory(d);
        if (!err)
            d->node[node] = in->scope.node;
    }
    return err ? err : mention(d, node);
}

/* Behind the name: ":port" and ":port:compass" say nothing of the graph. */
static enum sepx_err
skip_ports(struct sepx__dot *d)
{
    enum sepx_err err = SEPX_OK;

    for (int i = 0; i < 2 && !err && is_sign(d, ':'); i++) {
        err = next(d);
        if (!err && d->t.kind != SEPX__DOT_WORD)
            err = fail_here(d, "a port");
        if (!err)
            err = next(d);
    }
    return err;
}

static int
compare_nodes(const void *x, const void *y)
{
    const uint16_t *a = x, *b = y;

    return (*a > *b) - (*a < *b);
}

/* Keep each of the mentions from `first` on once, in the order of nodes. */
static void
unique(struct sepx__dot *d, size_t first)
{
    size_t kept = first;

    d->round++;
    for (size_t i = first; i < d->n_mentions; i++) {
        uint16_t node = d->mention[i];

        if (d->seen[node] != d->round)
            d->mention[kept++] = node;
        d->seen[node] = d->round;
    }
    d->n_mentions = kept;
    if (kept > first)
        qsort(d->mention + first, kept - first, sizeof(*d->mention),
              compare_nodes);
}

/* ---- subgraphs ---- */

static enum sepx_err take_list(struct sepx__dot *d, struct context *in);

/* The subgraph whose name is in `word`, with what it had. */
static enum sepx_err
open_named(struct sepx__dot *d, struct context *in, uint32_t parent)
{
    unsigned before = sepx_names_count(d->groups);
    struct sepx__dot_named *named;
    uint32_t number = 0;
    enum sepx_err err = number_of(d, 's', parent, &number);

    if (err)
        return err;
    if (sepx__grow((void **)&d->named, &d->named_room, (size_t)number + 1,
                   sizeof(*d->named)))
        return no_memory(d);
    named = &d->named[number];
    if (number >= before)
        *named = (struct sepx__dot_named){0};
    in->named = number + 1;
    in->id = 2 * number + 1;
    sepx__dot_override(&in->scope.node, &named->scope.node);
    sepx__dot_override(&in->scope.edge, &named->scope.edge);
    return SEPX_OK;
}

/* "subgraph NAME { ... }", of which only the list must be there. */
static enum sepx_err
take_subgraph(struct sepx__dot *d, const struct context *parent,
              struct sepx__dot_end *end)
{
    struct context in = {.scope = parent->scope, .id = 2 * ++d->n_anonymous};
    enum sepx_err err = SEPX_OK;

    if (is_keyword(d, "subgraph")) {
        err = next(d);
        if (!err && d->t.kind == SEPX__DOT_WORD) {
            err = open_named(d, &in, parent->id);
            if (!err)
                err = next(d);
        }
        if (!err && !is_sign(d, '{'))
            err = sepx__dot_fail(&d->t, "a subgraph is named without \"{\"; "
                                        "write its nodes out");
    }
    if (!err)
        err = take_list(d, &in);
    if (err)
        return err;
    unique(d, end->first);
    end->named = in.named;
    for (size_t i = end->first; in.named && i < d->n_mentions; i++)
        d->named[in.named - 1].member[d->mention[i] / 64] |=
            (uint64_t)1 << d->mention[i] % 64;
    return SEPX_OK;
}

static bool
is_subgraph(const struct sepx__dot *d)
{
    return is_keyword(d, "subgraph") || is_sign(d, '{');
}

/* A subgraph, or nodes: "a, b:port". */
static enum sepx_err
take_end(struct sepx__dot *d, const struct context *in,
         struct sepx__dot_end *end)
{
    enum sepx_err err = SEPX_OK;

    *end = (struct sepx__dot_end){.first = d->n_mentions};
    if (is_subgraph(d)) {
        err = take_subgraph(d, in, end);
    } else {
        for (bool more = true; more && !err;) {
            err = take_node(d, in);
            if (!err)
                err = next(d);
            if (!err)
                err = skip_ports(d);
            more = !err && is_sign(d, ',');
            if (more)
                err = next(d);
        }
    }
    end->last = d->n_mentions;
    return err;
}

/* ---- edges ---- */

/* Nodes of a named subgraph become mentions like the others. */
static enum sepx_err
list_members(struct sepx__dot *d, struct sepx__dot_end *end)
{
    enum sepx_err err = SEPX_OK;

    if (!end->named)
        return SEPX_OK;
    end->first = d->n_mentions;
    for (size_t i = 0; i < SEPX_NODES_MAX / 64; i++)
        for (uint64_t set = d->named[end->named - 1].member[i]; set && !err;
             set &= set - 1)
            err = mention(d, (uint16_t)(64 * i + sepx__lowest_bit(set)));
    end->last = d->n_mentions;
    return err;
}

static enum sepx_err
add_edge(struct sepx__dot *d, uint16_t from, uint16_t to, uint32_t attributes)
{
    uint32_t edge = d->builder.graph.n_edges;

    if (edge == EDGES_MAX)
        return sepx__at_line(
            sepx_fail(d->t.msg, SEPX_ELIMIT, "more than %d edges", EDGES_MAX),
            d->t.msg, d->t.line);
    if (sepx__grow((void **)&d->edge, &d->edge_room, (size_t)edge + 1,
                   sizeof(*d->edge)))
        return no_memory(d);
    d->edge[edge] = attributes;
    return sepx__builder_edge(&d->builder, (struct sepx_edge){from, to, 0},
                              d->t.msg);
}

static enum sepx_err
join(struct sepx__dot *d, struct sepx__dot_end from, struct sepx__dot_end to,
     uint32_t attributes)
{
    size_t mentions = d->n_mentions;
    enum sepx_err err = list_members(d, &from);

    if (!err)
        err = list_members(d, &to);
    for (size_t i = from.first; i < from.last && !err; i++)
        for (size_t k = to.first; k < to.last && !err; k++)
            err = add_edge(d, d->mention[i], d->mention[k], attributes);
    d->n_mentions = mentions;
    return err;
}

static enum sepx_err
push_end(struct sepx__dot *d, struct sepx__dot_end end)
{
    if (sepx__grow((void **)&d->end, &d->end_room, d->n_ends + 1,
                   sizeof(*d->end)))
        return no_memory(d);
    d->end[d->n_ends++] = end;
    return SEPX_OK;
}

/* "a -> b -> {c d} [label = x]", its first end being read. */
static enum sepx_err
take_edges(struct sepx__dot *d, const struct context *in,
           struct sepx__dot_end first)
{
    enum sepx__dot_kind wanted =
        d->builder.graph.undirected ? SEPX__DOT_LINE : SEPX__DOT_ARROW;
    struct sepx__dot_attributes attributes = {.all = in->scope.edge};
    size_t base = d->n_ends;
    uint32_t number = 0;
    enum sepx_err err = push_end(d, first);

    while (!err && is_join(d)) {
        struct sepx__dot_end end;

        if (d->t.kind != wanted)
            return sepx__dot_fail(&d->t, "\"%s\" in a %s; write \"%s\"",
                                  sepx__dot_shown(&d->t).text,
                                  wanted == SEPX__DOT_ARROW ? "digraph"
                                                            : "graph",
                                  wanted == SEPX__DOT_ARROW ? "->" : "--");
        err = next(d);
        if (!err)
            err = take_end(d, in, &end);
        if (!err)
            err = push_end(d, end);
    }
    if (!err)
        err = take_attributes(d, &attributes.own, &attributes.key);
    d->keyed |= attributes.key != 0;
    sepx__dot_override(&attributes.all, &attributes.own);
    if (!err)
        err = sepx__dot_push(d, attributes, &number);
    for (size_t i = base; i + 1 < d->n_ends && !err; i++)
        err = join(d, d->end[i], d->end[i + 1], number);
    d->n_ends = base;
    return err;
}

/* ---- statements ---- */

/* "a = b": an attribute of the graph. */
static enum sepx_err
take_assignment(struct sepx__dot *d)
{
    enum sepx_err err = next(d);

    if (!err)
        err = next(d);
    if (!err)
        err = take_value(d, NOT_LABEL, NULL, NULL);
    return err ? err : next(d);
}

/* "node [...]", "edge [...]" or "graph [...]". */
static enum sepx_err
take_defaults(struct sepx__dot *d, struct context *in)
{
    bool node = is_keyword(d, "node"), edge = is_keyword(d, "edge");
    struct sepx__dot_values values = {0};
    enum sepx_err err = next(d);

    if (!err && !is_sign(d, '['))
        err = sepx__dot_fail(&d->t,
                             "\"%s\" where \"[\" should be, behind a keyword",
                             sepx__dot_shown(&d->t).text);
    if (!err)
        err = take_attributes(d, node || edge ? &values : NULL, NULL);
    if (err)
        return err;
    if (node)
        sepx__dot_override(&in->scope.node, &values);
    if (edge)
        sepx__dot_override(&in->scope.edge, &values);
    if (in->named && node)
        sepx__dot_override(&d->named[in->named - 1].scope.node, &values);
    if (in->named && edge)
        sepx__dot_override(&d->named[in->named - 1].scope.edge, &values);
    return SEPX_OK;
}

/* Attributes behind a subgraph mean nothing to Graphviz. */
static enum sepx_err
take_statement(struct sepx__dot *d, struct context *in)
{
    bool subgraph = is_subgraph(d);
    struct sepx__dot_values values = {0};
    struct sepx__dot_end end;
    enum sepx_err err;

    if (is_keyword(d, "node") || is_keyword(d, "edge") ||
        is_keyword(d, "graph"))
        return take_defaults(d, in);
    if (d->t.kind == SEPX__DOT_WORD && sepx__dot_is_assigned(&d->t))
        return take_assignment(d);
    err = take_end(d, in, &end);
    if (!err && is_join(d))
        return take_edges(d, in, end);
    if (!err)
        err = take_attributes(d, subgraph ? NULL : &values, NULL);
    for (size_t i = end.first; !err && !subgraph && i < end.last; i++)
        sepx__dot_override(&d->node[d->mention[i]], &values);
    return err;
}

/* "{ ... }"; what is said of nodes and edges inside ends with it. */
static enum sepx_err
take_list(struct sepx__dot *d, struct context *in)
{
    enum sepx_err err = expect(d, '{', "");

    if (!err && ++d->depth > DEPTH_MAX)
        return sepx__dot_fail(&d->t, "subgraphs are nested deeper than %d",
                              DEPTH_MAX);
    while (!err && !is_sign(d, '}')) {
        if (d->t.kind == SEPX__DOT_END)
            return sepx__dot_fail(&d->t, "the graph does not end; add \"}\"");
        err = is_sign(d, ';') ? next(d) : take_statement(d, in);
        if (d->depth == 1)
            d->n_mentions = 0; /* no subgraph is open that has them */
    }
    d->depth--;
    return err ? err : next(d);
}

/* ---- the whole ---- */

static enum sepx_err
take_graph(struct sepx__dot *d)
{
    struct context in = {0};
    enum sepx_err err = next(d);

    d->strict = !err && is_keyword(d, "strict");
    if (d->strict)
        err = next(d);
    if (!err && !is_keyword(d, "graph") && !is_keyword(d, "digraph"))
        err = sepx__dot_fail(&d->t,
                             "\"%s\" where \"graph\" or \"digraph\" should "
                             "be; is it DOT?",
                             sepx__dot_shown(&d->t).text);
    d->builder.graph.undirected = !err && is_keyword(d, "graph");
    if (!err)
        err = next(d);
    if (!err && d->t.kind == SEPX__DOT_WORD) {
        err = keep_word(d, &d->graph_name);
        if (!err)
            err = next(d);
    }
    if (!err)
        err = take_list(d, &in);
    if (!err && d->t.kind != SEPX__DOT_END)
        err = sepx__dot_fail(&d->t,
                             "\"%s\" behind the graph; write one file for "
                             "each graph",
                             sepx__dot_shown(&d->t).text);
    return err ? err : sepx__dot_finish(d);
}

static void
release(struct sepx__dot *d)
{
    sepx__builder_release(&d->builder);
    sepx_names_free(d->ids);
    sepx_names_free(d->groups);
    sepx_text_release(&d->t.word);
    sepx_text_release(&d->pool);
    sepx__free(d->node);
    sepx__free(d->named);
    sepx__free(d->attributes);
    sepx__free(d->edge);
    sepx__free(d->mention);
    sepx__free(d->end);
}

enum sepx_err
sepx__dot_read(struct sepx_graph *graph, struct sepx_names *names,
               const char *bytes, size_t len, struct sepx_msg *msg)
{
    struct sepx__dot d = {
        .t = {.at = bytes, .end = bytes + len, .lines = 1, .line = 1},
        .ids = sepx_names_new(),
        .groups = sepx_names_new(),
        .builder.graph.names = names,
    };
    enum sepx_err err;

    d.t.msg = msg;
    err = d.ids && d.groups ? take_graph(&d) : no_memory(&d);
    if (!err)
        sepx__builder_finish(&d.builder, graph);
    release(&d);
    return err;
}
