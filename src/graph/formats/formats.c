/* SPDX-License-Identifier: Apache-2.0 */
/* The list of formats, and what their readers and writers share. */
#include "graph/formats/formats.h"

#include <stdio.h>
#include <string.h>

#define X(name) &sepx__format_##name,
static const struct sepx__format *const rows[] = {SEPX__FORMATS(X) NULL};
#undef X

const struct sepx_format_info *const *
sepx_format_list(void)
{
#define X(name) &sepx__format_##name.info,
    static const struct sepx_format_info *const list[] = {SEPX__FORMATS(X)
                                                              NULL};
#undef X

    return list;
}

static const struct sepx__format *
row_of(const struct sepx_format_info *info)
{
    for (size_t i = 0; rows[i]; i++)
        if (&rows[i]->info == info)
            return rows[i];
    return NULL;
}

enum sepx_err
sepx_format_find(const struct sepx_format_info **format, const char *name,
                 struct sepx_msg *msg)
{
    const char *names[sizeof(rows) / sizeof(*rows)] = {NULL};

    for (size_t i = 0; rows[i]; i++) {
        names[i] = rows[i]->info.name;
        if (!strcmp(names[i], name)) {
            *format = &rows[i]->info;
            return SEPX_OK;
        }
    }
    *format = NULL;
    return sepx__unknown(msg, "format", name, names);
}

/* Whether `word` is one of the words of `list`. */
static bool
lists(const char *list, const char *word)
{
    size_t len = strlen(word);

    while (*list) {
        size_t next = strcspn(list, " ");

        if (next == len && !memcmp(list, word, len))
            return true;
        list += next + (list[next] == ' ');
    }
    return false;
}

const struct sepx_format_info *
sepx_format_of_file(const char *path)
{
    const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');

    if (!dot || (slash && slash > dot))
        return NULL;
    for (size_t i = 0; rows[i]; i++)
        if (lists(rows[i]->info.extensions, dot + 1))
            return &rows[i]->info;
    return NULL;
}

/* ---- finding ---- */

const struct sepx__format *
sepx__format_sniff(const char *at, const char *end)
{
    if (at == end)
        return NULL;
    for (size_t i = 0; rows[i]; i++)
        if (rows[i]->sniff && rows[i]->sniff(at, end))
            return rows[i];
    return NULL;
}

const struct sepx__format *
sepx__format_of_json(const struct sepx_json *root)
{
    if (sepx_json_type(root) != SEPX_JSON_OBJECT ||
        sepx_json_get(root, "nodes"))
        return NULL;
    for (size_t i = 0; rows[i]; i++)
        if (rows[i]->is_json && rows[i]->is_json(root))
            return rows[i];
    return NULL;
}

bool
sepx__begins(const char *at, const char *end, const char *word)
{
    size_t len = strlen(word);

    return (size_t)(end - at) >= len && !memcmp(at, word, len);
}

const char *
sepx__split_line(const char *at, const char *end)
{
    const char *stop = memchr(at, '\n', (size_t)(end - at));

    return stop ? stop + 1 : end;
}

/* ---- reading and writing by a row ---- */

static enum sepx_err
add_one(struct sepx_graphs *graphs, struct sepx_names *names, const char *at,
        size_t len, const struct sepx__format *row, struct sepx_msg *msg)
{
    struct sepx_graph graph = {.names = names};
    enum sepx_err err = sepx__grow((void **)&graphs->at, &graphs->room,
                                   graphs->count + 1, sizeof(*graphs->at));

    if (err)
        return sepx_fail(msg, err, "%s", sepx_strerror(err));
    if (len > SEPX__TEXT_BYTES)
        return sepx_fail(msg, SEPX_ELIMIT,
                         "the text has %zu bytes, more than the %u allowed; "
                         "split the graph",
                         len, SEPX__TEXT_BYTES);
    err = row->read(&graph, names, at, len, msg);
    if (!err)
        graphs->at[graphs->count++] = graph;
    return err;
}

static enum sepx_err
read_all(struct sepx_graphs *graphs, struct sepx_names *names, const char *at,
         const char *end, const struct sepx__format *row, const char *name,
         struct sepx_msg *msg)
{
    size_t line = 1, before = graphs->count;
    enum sepx_err err = SEPX_OK;

    while (!err && at < end) {
        const char *stop = row->split ? row->split(at, end) : end;

        if (sepx__skip_space(at, stop) < stop) {
            err = add_one(graphs, names, at, (size_t)(stop - at), row, msg);
            if (err)
                sepx_msg_place(msg, name, row->split ? line : 0);
        }
        for (; at < stop; at++)
            line += *at == '\n';
    }
    if (!err && graphs->count == before)
        err = sepx_fail(msg, SEPX_EDATA, "%s: there is no graph", name);
    return err;
}

enum sepx_err
sepx_graphs_read_as(struct sepx_graphs *graphs, struct sepx_names *names,
                    const char *bytes, size_t len,
                    const struct sepx_format_info *format, const char *name,
                    struct sepx_msg *msg)
{
    const struct sepx__format *row = format ? row_of(format) : NULL;
    const char *start = sepx__skip_mark(bytes, len), *end = bytes + len;
    size_t before = graphs->count;
    enum sepx_err err;

    if (!row)
        row = sepx__format_sniff(sepx__skip_space(start, end), end);
    if (!row || !row->read)
        return sepx__graphs_read_json(graphs, names, bytes, len, row, name,
                                      msg);
    err = read_all(graphs, names, start, end, row, name, msg);
    while (err && graphs->count > before)
        sepx_graph_release(&graphs->at[--graphs->count]);
    return err;
}

enum sepx_err
sepx_graph_write(struct sepx_text *text, const struct sepx_graph *graph,
                 const struct sepx_format_info *format, struct sepx_msg *msg)
{
    const struct sepx__format *row = row_of(format);
    size_t before = text->len;
    enum sepx_err err;

    if (!row || !row->write)
        return sepx_fail(msg, SEPX_EUNSUPPORTED,
                         "the format %s is only read; choose another",
                         format->name);
    err = row->write(text, graph, msg);
    if (err == SEPX_ENOMEM)
        sepx_fail(msg, err, "%s", sepx_strerror(err));
    if (err && text->at) {
        text->len = before;
        text->at[before] = '\0';
    }
    return err;
}

/* ---- for writers ---- */

static enum sepx_err
refuse(struct sepx_msg *msg, const char *what, const struct sepx__lacks *lacks)
{
    return sepx_fail(msg, SEPX_EDATA,
                     "the graph %s, which %s cannot hold; choose another "
                     "format",
                     what, lacks->name);
}

/* What is wrong with an edge, or NULL. */
static const char *
edge_fault(const struct sepx_graph *graph, uint32_t i,
           const struct sepx__lacks *lacks)
{
    const struct sepx_edge *edge = &graph->edge[i];

    if (lacks->loops && edge->from == edge->to)
        return "has an edge from a node to itself";
    if (lacks->parallel && i && sepx__edges_parallel(edge - 1, edge))
        return "has parallel edges";
    return lacks->edge_labels && edge->label ? "has edge labels" : NULL;
}

static enum sepx_err
check_cycles(const struct sepx_graph *graph, const struct sepx__lacks *lacks,
             struct sepx_msg *msg)
{
    uint32_t *order = sepx__calloc(graph->n_nodes + 1u, sizeof(*order));
    bool acyclic = true;
    enum sepx_err err =
        order ? sepx_graph_topological(graph, order, &acyclic) : SEPX_ENOMEM;

    sepx__free(order);
    return !err && !acyclic ? refuse(msg, "has a cycle", lacks) : err;
}

/* Newlines and tabs are the writer's own affair. */
static enum sepx_err
check_label(const struct sepx_graph *graph, uint16_t label,
            const struct sepx__lacks *lacks, struct sepx_msg *msg)
{
    const char *text = sepx_names_text(graph->names, label);
    size_t len = strlen(text), size;
    uint32_t code = 0;

    for (size_t at = 0; lacks->commands && at < len; at += size ? size : 1) {
        size = sepx__utf8_next(text + at, len - at, &code);
        if (size && sepx__utf8_commands(code) && code != '\n' && code != '\t')
            return sepx_fail(msg, SEPX_EDATA,
                             "the label \"%s\" has the character U+%04X, which "
                             "%s cannot hold; choose another format",
                             sepx__excerpt(text, len).text, (unsigned)code,
                             lacks->name);
    }
    return SEPX_OK;
}

static enum sepx_err
check_labels(const struct sepx_graph *graph, const struct sepx__lacks *lacks,
             struct sepx_msg *msg)
{
    enum sepx_err err = SEPX_OK;

    for (uint32_t i = 0; i < graph->n_nodes && !err; i++)
        err = check_label(graph, graph->label[i], lacks, msg);
    for (uint32_t i = 0; i < graph->n_edges && !err; i++)
        err = check_label(graph, graph->edge[i].label, lacks, msg);
    return err;
}

enum sepx_err
sepx__format_check(const struct sepx_graph *graph,
                   const struct sepx__lacks *lacks, struct sepx_msg *msg)
{
    const char *fault = NULL;
    enum sepx_err err;

    if (graph->extra)
        return sepx_fail(msg, SEPX_EDATA,
                         "the graph has keys beside its nodes and edges, "
                         "which %s cannot hold; leave them out with "
                         "--drop-keys",
                         lacks->name);
    if (graph->undirected ? lacks->undirected : lacks->directed)
        return refuse(msg, graph->undirected ? "is undirected" : "is directed",
                      lacks);
    for (uint32_t i = 0; i < graph->n_nodes && !fault; i++)
        if (lacks->empty_labels && !graph->label[i])
            fault = "has nodes without a label";
    for (uint32_t i = 0; i < graph->n_edges && !fault; i++)
        fault = edge_fault(graph, i, lacks);
    if (fault)
        return refuse(msg, fault, lacks);
    err = check_labels(graph, lacks, msg);
    return !err && lacks->cycles ? check_cycles(graph, lacks, msg) : err;
}

static enum sepx_err
adopt_label(struct sepx_names *names, uint16_t *label,
            const struct sepx_graph *from, uint16_t old)
{
    return sepx_names_add(names, label, sepx_names_text(from->names, old));
}

enum sepx_err
sepx__graph_adopt(struct sepx_graph *to, struct sepx_names *names,
                  const struct sepx_graph *from)
{
    uint16_t label = 0;
    enum sepx_err err = SEPX_OK;

    to->names = names;
    sepx_graph_clear(to);
    to->undirected = from->undirected;
    for (uint32_t i = 0; i < from->n_nodes && !err; i++) {
        err = adopt_label(names, &label, from, from->label[i]);
        if (!err)
            err = sepx_graph_add_node(to, label);
    }
    for (uint32_t i = 0; i < from->n_edges && !err; i++) {
        err = adopt_label(names, &label, from, from->edge[i].label);
        if (!err)
            err = sepx_graph_add_parallel(to, from->edge[i].from,
                                          from->edge[i].to, label);
    }
    return err;
}
