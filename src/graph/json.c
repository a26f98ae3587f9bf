/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Graphs as JSON: {"nodes": [label, ...], "edges": [[from, to, label], ...]},
 * the edge label being optional. Further keys are kept in `extra`, here and
 * in the node-link form.
 */
#include "graph/json.h"

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
read_nodes(struct sepx__draft *draft, const struct sepx_json *nodes,
           struct sepx_msg *msg)
{
    enum sepx_err err = SEPX_OK;

    for (size_t i = 0; !err && i < sepx_json_size(nodes); i++) {
        const struct sepx_json *node = sepx_json_at(nodes, i);
        const char *label = sepx_json_string(node);
        char where[WHERE_BYTES];

        (void)snprintf(where, sizeof(where), "nodes[%zu]", i);
        if (!label)
            return sepx_fail(msg, SEPX_EDATA,
                             "%s is %s%s; write the label as a string", where,
                             sepx__json_show(node).text, sepx__json_kind(node));
        err = sepx__draft_node(draft, label, strlen(label), where, msg);
    }
    return err ? err : sepx__draft_nodes_end(draft, msg);
}

static enum sepx_err
read_index(const struct sepx__draft *draft, const struct sepx_json *edge,
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
    if (number < 0 || number >= draft->graph.n_nodes)
        return sepx_fail(msg, SEPX_EDATA,
                         "%s is %s, but there is no node %lld among the %u "
                         "nodes; count from 0",
                         where, sepx__json_show(edge).text, (long long)number,
                         draft->graph.n_nodes);
    *index = (uint16_t)number;
    return SEPX_OK;
}

static enum sepx_err
read_edge_label(struct sepx__draft *draft, const struct sepx_json *edge,
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
    return sepx__draft_label(draft, label, text, strlen(text), where, msg);
}

static enum sepx_err
read_edge(struct sepx__draft *draft, const struct sepx_json *value,
          const char *where, struct sepx_msg *msg)
{
    size_t size = sepx_json_size(value);
    struct sepx_edge edge = {0};
    char shown[WHERE_BYTES];
    enum sepx_err err;

    if (sepx_json_type(value) != SEPX_JSON_ARRAY || size < 2 || size > 3)
        return sepx_fail(msg, SEPX_EDATA,
                         "%s is %s; write [from, to] or [from, to, label]",
                         where, sepx__json_show(value).text);
    err = read_index(draft, value, 0, &edge.from, where, msg);
    if (!err)
        err = read_index(draft, value, 1, &edge.to, where, msg);
    if (!err)
        err = read_edge_label(draft, value, &edge.label, where, msg);
    if (err)
        return err;
    (void)snprintf(shown, sizeof(shown), "[%u, %u]", edge.from, edge.to);
    return sepx__draft_edge(draft, edge, where, shown, msg);
}

static enum sepx_err
read_plain(struct sepx__draft *draft, const struct sepx_json *value,
           struct sepx_msg *msg)
{
    const struct sepx_json *nodes, *edges = NULL;
    enum sepx_err err = sepx__json_array(value, "nodes", &nodes, msg);

    if (!err)
        err = sepx__json_array(value, "edges", &edges, msg);
    if (!err)
        err = read_nodes(draft, nodes, msg);
    for (size_t i = 0; !err && i < sepx_json_size(edges); i++) {
        char where[WHERE_BYTES];

        (void)snprintf(where, sizeof(where), "edges[%zu]", i);
        err = read_edge(draft, sepx_json_at(edges, i), where, msg);
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

static enum sepx_err
check_root(const struct sepx_json *value, struct sepx_msg *msg)
{
    const struct sepx_json *directed = sepx_json_get(value, "directed");

    if (sepx_json_type(value) != SEPX_JSON_OBJECT)
        return sepx_fail(msg, SEPX_EDATA,
                         "the graph is %s%s; write {\"nodes\": [...], "
                         "\"edges\": [...]}",
                         sepx__json_show(value).text, sepx__json_kind(value));
    if (directed && !sepx_json_bool(directed, false))
        return sepx_fail(msg, SEPX_EDATA,
                         "\"directed\" is %s, but graphs are directed here; "
                         "convert the graph, as with to_directed() in "
                         "networkx",
                         sepx__json_show(directed).text);
    return SEPX_OK;
}

enum sepx_err
sepx__graph_from_json(struct sepx_graph *graph, struct sepx_names *names,
                      const struct sepx_json *value, bool node_link,
                      struct sepx_msg *msg)
{
    struct sepx__draft draft = {.graph.names = names};
    enum sepx_err err = check_root(value, msg);

    if (!err)
        err = node_link ? sepx__read_node_link(&draft, value, msg)
                        : read_plain(&draft, value, msg);
    if (!err)
        err = keep_unknown(&draft.graph, value, node_link, msg);
    if (!err)
        sepx__draft_finish(&draft, graph);
    sepx__draft_release(&draft);
    return err;
}

enum sepx_err
sepx_graph_from_json(struct sepx_graph *graph, struct sepx_names *names,
                     const struct sepx_json *value, struct sepx_msg *msg)
{
    return sepx__graph_from_json(graph, names, value, is_node_link(value), msg);
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
