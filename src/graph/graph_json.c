/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Graphs as JSON: {"nodes": [label, ...], "edges": [[from, to, label], ...]},
 * the edge label being optional, and "directed": false if edges have no
 * direction. Further keys are kept in `extra`, here and in the node-link form.
 */
#include "graph/graph_json.h"

#include "graph/formats/formats.h"

#include <stdio.h>
#include <string.h>

struct sepx__excerpt
sepx__json_show(const struct sepx_json *value)
{
    struct sepx__excerpt out = {"?"};
    struct sepx_text text = {0};

    if (!sepx_json_dump(&text, value))
        out = sepx__excerpt(text.at, text.len);
    sepx_text_release(&text);
    return out;
}

const char *
sepx__json_kind(const struct sepx_json *value)
{
    switch (sepx_json_type(value)) {
    case SEPX_JSON_NULL:
        return "";
    case SEPX_JSON_BOOL:
        return ", a boolean";
    case SEPX_JSON_INTEGER:
        return ", an integer";
    case SEPX_JSON_REAL:
        return ", a real number";
    case SEPX_JSON_STRING:
        return ", a string";
    case SEPX_JSON_ARRAY:
        return ", an array";
    case SEPX_JSON_OBJECT:
        return ", an object";
    }
    return "";
}

enum sepx_err
sepx__json_array(const struct sepx_json *value, const char *key,
                 const struct sepx_json **array, struct sepx_msg *msg)
{
    *array = sepx_json_get(value, key);
    if (!*array)
        return sepx_fail(msg, SEPX_EDATA,
                         "the graph has no \"%s\"; add \"%s\": []", key, key);
    if (sepx_json_type(*array) != SEPX_JSON_ARRAY)
        return sepx_fail(msg, SEPX_EDATA, "\"%s\" is %s%s; write an array", key,
                         sepx__json_show(*array).text, sepx__json_kind(*array));
    return SEPX_OK;
}

static enum sepx_err
read_nodes(struct sepx__builder *builder, const struct sepx_json *nodes,
           struct sepx_msg *msg)
{
    enum sepx_err err = SEPX_OK;

    for (size_t i = 0; !err && i < sepx_json_size(nodes); i++) {
        const struct sepx_json *node = sepx_json_at(nodes, i);
        const char *label = sepx_json_string(node);
        char where[WHERE_BYTES];

        builder->item = (struct sepx__item){"nodes", i};
        (void)snprintf(where, sizeof(where), "nodes[%zu]", i);
        if (!label)
            return sepx_fail(msg, SEPX_EDATA,
                             "%s is %s%s; write the label as a string", where,
                             sepx__json_show(node).text, sepx__json_kind(node));
        err = sepx__builder_node(builder, label, strlen(label), where, msg);
    }
    return err;
}

static enum sepx_err
read_index(const struct sepx__builder *builder, const struct sepx_json *edge,
           size_t which, uint16_t *index, const char *where,
           struct sepx_msg *msg)
{
    const struct sepx_json *value = sepx_json_at(edge, which);
    int64_t number = sepx_json_integer(value, -1);

    if (sepx_json_type(value) != SEPX_JSON_INTEGER)
        return sepx_fail(msg, SEPX_EDATA,
                         "%s is %s, whose %s is %s; write the node's number, "
                         "counted from 0",
                         where, sepx__json_show(edge).text,
                         which ? "end" : "start", sepx_json_type_name(value));
    if (number < 0 || number >= builder->graph.n_nodes)
        return sepx_fail(msg, SEPX_EDATA,
                         "%s is %s, but there is no node %lld among the %u "
                         "nodes; count from 0",
                         where, sepx__json_show(edge).text, (long long)number,
                         builder->graph.n_nodes);
    *index = (uint16_t)number;
    return SEPX_OK;
}

static enum sepx_err
read_edge_label(struct sepx__builder *builder, const struct sepx_json *edge,
                uint16_t *label, const char *where, struct sepx_msg *msg)
{
    const struct sepx_json *value = sepx_json_at(edge, 2);
    const char *text = sepx_json_string(value);

    if (sepx_json_size(edge) == 2) {
        *label = 0;
        return SEPX_OK;
    }
    if (!text)
        return sepx_fail(msg, SEPX_EDATA,
                         "%s is %s, whose label is %s; write it as a string",
                         where, sepx__json_show(edge).text,
                         sepx_json_type_name(value));
    return sepx__builder_label(builder, label, text, strlen(text), where, msg);
}

static enum sepx_err
read_edge(struct sepx__builder *builder, const struct sepx_json *value,
          const char *where, struct sepx_msg *msg)
{
    size_t size = sepx_json_size(value);
    struct sepx_edge edge = {0};
    enum sepx_err err;

    if (sepx_json_type(value) != SEPX_JSON_ARRAY || size < 2 || size > 3)
        return sepx_fail(msg, SEPX_EDATA,
                         "%s is %s; write [from, to] or [from, to, label]",
                         where, sepx__json_show(value).text);
    err = read_index(builder, value, 0, &edge.from, where, msg);
    if (!err)
        err = read_index(builder, value, 1, &edge.to, where, msg);
    if (!err)
        err = read_edge_label(builder, value, &edge.label, where, msg);
    return err ? err : sepx__builder_edge(builder, edge, msg);
}

static enum sepx_err
read_plain(struct sepx__builder *builder, const struct sepx_json *value,
           struct sepx_msg *msg)
{
    const struct sepx_json *nodes, *edges = NULL;
    enum sepx_err err = sepx__json_array(value, "nodes", &nodes, msg);

    if (!err)
        err = sepx__json_array(value, "edges", &edges, msg);
    if (!err)
        err = read_nodes(builder, nodes, msg);
    for (size_t i = 0; !err && i < sepx_json_size(edges); i++) {
        char where[WHERE_BYTES];

        builder->item = (struct sepx__item){"edges", i};
        (void)snprintf(where, sizeof(where), "edges[%zu]", i);
        err = read_edge(builder, sepx_json_at(edges, i), where, msg);
    }
    return err;
}

/* ---- either form ---- */

/* networkx writes nodes as objects, we as strings. */
static bool
is_node_link(const struct sepx_json *value)
{
    const struct sepx_json *nodes = sepx_json_get(value, "nodes");

    if (sepx_json_size(nodes))
        return sepx_json_type(sepx_json_at(nodes, 0)) == SEPX_JSON_OBJECT;
    return sepx_json_get(value, "links") && !sepx_json_get(value, "edges");
}

static bool
is_known(const char *key, bool node_link)
{
    static const char *const known[] = {"nodes", "edges", "directed",
                                        "multigraph"};

    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
        if (!strcmp(key, known[i]))
            return true;
    return node_link && !strcmp(key, "links");
}

/* networkx writes "graph": {} where a graph has no attributes. */
static bool
is_nothing(const char *key, const struct sepx_json *value, bool node_link)
{
    return node_link && !strcmp(key, "graph") &&
           sepx_json_type(value) == SEPX_JSON_OBJECT && !sepx_json_size(value);
}

static enum sepx_err
write_unknown(struct sepx_text *text, const struct sepx_json *value,
              bool node_link)
{
    struct sepx_text part = {0};
    struct sepx_json_writer w;
    const struct sepx_json *member;
    const char *key;
    void *position = NULL;
    enum sepx_err err = SEPX_OK;

    sepx_json_begin(&w, text);
    sepx_json_open(&w, '{');
    while (!err && sepx_json_next(value, &position, &key, &member)) {
        if (is_known(key, node_link) || is_nothing(key, member, node_link))
            continue;
        part.len = 0;
        err = sepx_json_dump(&part, member);
        if (err)
            break;
        sepx_json_key(&w, key);
        sepx_json_put_raw(&w, part.at);
    }
    sepx_json_close(&w, '}');
    sepx_text_release(&part);
    return err ? err : sepx_json_done(&w);
}

static enum sepx_err
keep_unknown(struct sepx_graph *graph, const struct sepx_json *value,
             bool node_link, struct sepx_msg *msg)
{
    struct sepx_text text = {0};
    enum sepx_err err = write_unknown(&text, value, node_link);

    if (!err && text.len > 2) {
        graph->extra = sepx__strdup(text.at);
        err = graph->extra ? SEPX_OK : SEPX_ENOMEM;
    }
    sepx_text_release(&text);
    return err ? sepx_fail(msg, err, "%s", sepx_strerror(err)) : err;
}

/* A key whose value is true or false; `otherwise` if it is not there. */
static enum sepx_err
read_flag(const struct sepx_json *root, const char *key, bool otherwise,
          bool *flag, struct sepx_msg *msg)
{
    const struct sepx_json *value = sepx_json_get(root, key);

    *flag = sepx_json_bool(value, otherwise);
    if (!value || sepx_json_type(value) == SEPX_JSON_BOOL)
        return SEPX_OK;
    return sepx_fail(msg, SEPX_EDATA, "\"%s\" is %s%s; write true or false",
                     key, sepx__json_show(value).text, sepx__json_kind(value));
}

static enum sepx_err
check_root(const struct sepx_json *value, bool *directed, bool *parallel,
           struct sepx_msg *msg)
{
    enum sepx_err err;

    if (sepx_json_type(value) != SEPX_JSON_OBJECT)
        return sepx_fail(msg, SEPX_EDATA,
                         "the graph is %s%s; write {\"nodes\": [...], "
                         "\"edges\": [...]}",
                         sepx__json_show(value).text, sepx__json_kind(value));
    err = read_flag(value, "directed", true, directed, msg);
    return err ? err : read_flag(value, "multigraph", true, parallel, msg);
}

/* A graph that says it is none has no parallel edges. */
static enum sepx_err
check_single(const struct sepx_graph *graph, struct sepx_msg *msg)
{
    for (uint32_t i = 1; i < graph->n_edges; i++) {
        const struct sepx_edge *edge = &graph->edge[i];

        if (sepx__edges_parallel(edge - 1, edge))
            return sepx_fail(msg, SEPX_EDATA,
                             "two edges join nodes[%u] and nodes[%u], but "
                             "\"multigraph\" is false; remove one, or write "
                             "\"multigraph\": true",
                             edge->from, edge->to);
    }
    return SEPX_OK;
}

enum sepx_err
sepx__graph_from_json(struct sepx_graph *graph, struct sepx_names *names,
                      const struct sepx_json *value,
                      enum sepx_graph_format format, struct sepx__item *item,
                      struct sepx_msg *msg)
{
    const struct sepx__format *row =
        format == SEPX_FORMAT_AUTO ? sepx__format_of_json(value) : NULL;
    const bool node_link = format == SEPX_FORMAT_AUTO
                               ? is_node_link(value)
                               : format == SEPX_FORMAT_NODE_LINK;
    struct sepx__builder builder = {.graph.names = names};
    bool directed = true, parallel = true;
    enum sepx_err err;

    if (row)
        return row->from_json(graph, names, value, msg);
    err = check_root(value, &directed, &parallel, msg);
    builder.graph.undirected = !directed;
    if (!err)
        err = node_link ? sepx__read_node_link(&builder, value, msg)
                        : read_plain(&builder, value, msg);
    if (err)
        *item = builder.item;
    if (!err)
        err = keep_unknown(&builder.graph, value, node_link, msg);
    sepx__edges_order(&builder.graph);
    if (!err && !parallel)
        err = check_single(&builder.graph, msg);
    if (!err)
        sepx__builder_finish(&builder, graph);
    sepx__builder_release(&builder);
    return err;
}

enum sepx_err
sepx_graph_from_json(struct sepx_graph *graph, struct sepx_names *names,
                     const struct sepx_json *value, struct sepx_msg *msg)
{
    struct sepx__item item = {0};

    return sepx__graph_from_json(graph, names, value, SEPX_FORMAT_AUTO, &item,
                                 msg);
}

/* ---- writing ---- */

/* The members of `extra`, which is an object, without its brackets. */
static void
put_extra(struct sepx_json_writer *w, const char *extra)
{
    struct sepx_text members = {0};
    enum sepx_err err = sepx_text_add(&members, extra + 1, strlen(extra) - 2);

    if (!err)
        sepx_json_put_raw(w, members.at);
    else if (!w->err)
        w->err = err;
    sepx_text_release(&members);
}

static void
put_edge(struct sepx_json_writer *w, const struct sepx_graph *graph,
         struct sepx_edge edge)
{
    sepx_json_open(w, '[');
    sepx_json_put_integer(w, edge.from);
    sepx_json_put_integer(w, edge.to);
    if (edge.label)
        sepx_json_put_string(w, sepx_names_text(graph->names, edge.label));
    sepx_json_close(w, ']');
}

void
sepx_graph_put_json(struct sepx_json_writer *w, const struct sepx_graph *graph)
{
    sepx_json_open(w, '{');
    if (graph->undirected) {
        sepx_json_add_bool(w, "directed", false);
    }
    sepx_json_key(w, "nodes");
    sepx_json_open(w, '[');
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        sepx_json_put_string(w, sepx_names_text(graph->names, graph->label[i]));
    sepx_json_close(w, ']');
    sepx_json_key(w, "edges");
    sepx_json_open(w, '[');
    for (uint32_t i = 0; i < graph->n_edges; i++)
        put_edge(w, graph, graph->edge[i]);
    sepx_json_close(w, ']');
    if (graph->extra)
        put_extra(w, graph->extra);
    sepx_json_close(w, '}');
}

enum sepx_err
sepx_graph_write_json(struct sepx_text *text, const struct sepx_graph *graph)
{
    struct sepx_json_writer w;

    sepx_json_begin(&w, text);
    sepx_graph_put_json(&w, graph);
    return sepx_json_done(&w);
}
