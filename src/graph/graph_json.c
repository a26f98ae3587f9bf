/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Graphs as JSON: {"nodes": [label, ...], "edges": [[from, to, label], ...]},
 * the edge label being optional, and "directed": false if edges have no
 * direction. Further keys are kept in `extra`, in all forms.
 *
 * The data sets of graph similarity (AIDS700nef, LINUX, IMDBMulti) have the
 * form {"n": 2, "m": 1, "labels": [label, ...], "graph": [[from, to], ...]},
 * undirected; "labels" or "n" may be missing, and "m" too.
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

/* Keys of an object, in quotes; `skip` leaves some out. NULL: all. */
static struct sepx__excerpt
list_keys(const struct sepx_json *value,
          bool (*skip)(const char *key, const struct sepx_json *member))
{
    const struct sepx_json *member;
    struct sepx__excerpt out = {""};
    struct sepx_text text = {0};
    const char *key;
    void *position = NULL;
    enum sepx_err err = SEPX_OK;

    while (!err && sepx_json_next(value, &position, &key, &member))
        if (!skip || !skip(key, member))
            err = sepx_text_print(&text, "%s\"%s\"", text.len ? ", " : "", key);
    if (text.at)
        out = sepx__excerpt(text.at, text.len);
    sepx_text_release(&text);
    return out;
}

enum sepx_err
sepx__json_array(const struct sepx_json *value, const char *key,
                 const char *form, const struct sepx_json **array,
                 struct sepx_msg *msg)
{
    struct sepx__excerpt keys;

    *array = sepx_json_get(value, key);
    if (!*array) {
        keys = list_keys(value, NULL);
        return sepx_fail(msg, SEPX_EDATA,
                         "the graph has no \"%s\"%s%s; write %s", key,
                         *keys.text ? " among its keys " : "", keys.text, form);
    }
    if (sepx_json_type(*array) != SEPX_JSON_ARRAY)
        return sepx_fail(msg, SEPX_EDATA, "\"%s\" is %s%s; write an array", key,
                         sepx__json_show(*array).text, sepx__json_kind(*array));
    return SEPX_OK;
}

/* ---- nodes and edges as arrays ---- */

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
read_edges(struct sepx__builder *builder, const struct sepx_json *edges,
           const char *key, struct sepx_msg *msg)
{
    enum sepx_err err = SEPX_OK;

    for (size_t i = 0; !err && i < sepx_json_size(edges); i++) {
        char where[WHERE_BYTES];

        builder->item = (struct sepx__item){key, i};
        (void)snprintf(where, sizeof(where), "%s[%zu]", key, i);
        err = read_edge(builder, sepx_json_at(edges, i), where, msg);
    }
    return err;
}

static enum sepx_err
read_plain(struct sepx__builder *builder, const struct sepx_json *value,
           struct sepx_msg *msg)
{
    static const char form[] =
        "{\"nodes\": [LABEL, ...], \"edges\": [[FROM, TO], ...]}";
    const struct sepx_json *nodes, *edges = NULL;
    enum sepx_err err = sepx__json_array(value, "nodes", form, &nodes, msg);

    if (!err)
        err = sepx__json_array(value, "edges", form, &edges, msg);
    if (!err)
        err = read_nodes(builder, nodes, msg);
    return err ? err : read_edges(builder, edges, "edges", msg);
}

/* ---- the form of similarity data sets ---- */

/* A label is a string, or an integer for its digits. */
static enum sepx_err
read_labels(struct sepx__builder *builder, const struct sepx_json *labels,
            struct sepx_msg *msg)
{
    struct sepx_text digits = {0};
    enum sepx_err err = SEPX_OK;

    for (size_t i = 0; !err && i < sepx_json_size(labels); i++) {
        const struct sepx_json *value = sepx_json_at(labels, i);
        const char *label = sepx_json_string(value);
        char where[WHERE_BYTES];

        builder->item = (struct sepx__item){"labels", i};
        (void)snprintf(where, sizeof(where), "labels[%zu]", i);
        digits.len = 0;
        if (!label && sepx_json_type(value) != SEPX_JSON_INTEGER)
            err = sepx_fail(
                msg, SEPX_EDATA, "%s is %s%s; write a string or an integer",
                where, sepx__json_show(value).text, sepx__json_kind(value));
        else if (!label && sepx_json_dump(&digits, value))
            err = sepx_fail(msg, SEPX_ENOMEM, "%s", sepx_strerror(SEPX_ENOMEM));
        label = label ? label : digits.at;
        if (!err)
            err = sepx__builder_node(builder, label, strlen(label), where, msg);
    }
    sepx_text_release(&digits);
    return err;
}

/* If the key is there, its number must be `count`. */
static enum sepx_err
check_count(const struct sepx_json *root, const char *key, uint32_t count,
            const char *what, struct sepx_msg *msg)
{
    const struct sepx_json *value = sepx_json_get(root, key);

    if (!value || (sepx_json_type(value) == SEPX_JSON_INTEGER &&
                   sepx_json_integer(value, -1) == count))
        return SEPX_OK;
    return sepx_fail(
        msg, SEPX_EDATA, "\"%s\" is %s%s, but there are %u %s; correct one",
        key, sepx__json_show(value).text, sepx__json_kind(value), count, what);
}

static enum sepx_err
read_similarity(struct sepx__builder *builder, const struct sepx_json *root,
                struct sepx_msg *msg)
{
    static const char form[] = "{\"n\": NODES, \"labels\": [LABEL, ...], "
                               "\"graph\": [[FROM, TO], ...]}";
    const struct sepx_json *n = sepx_json_get(root, "n");
    const struct sepx_json *labels = NULL, *edges;
    int64_t nodes = sepx_json_integer(n, -1);
    enum sepx_err err = sepx__json_array(root, "graph", form, &edges, msg);

    if (!err && (!n || sepx_json_get(root, "labels")))
        err = sepx__json_array(root, "labels", form, &labels, msg);
    else if (!err && (sepx_json_type(n) != SEPX_JSON_INTEGER || nodes < 0))
        err = sepx_fail(msg, SEPX_EDATA,
                        "\"n\" is %s%s; write the number of nodes",
                        sepx__json_show(n).text, sepx__json_kind(n));
    if (!err)
        err = read_labels(builder, labels, msg);
    for (int64_t i = 0; !err && !labels && i < nodes; i++)
        err = sepx__builder_node(builder, "", 0, "\"n\"", msg);
    if (!err)
        err = check_count(root, "n", builder->graph.n_nodes, "\"labels\"", msg);
    if (!err)
        err = read_edges(builder, edges, "graph", msg);
    return err ? err
               : check_count(root, "m", builder->graph.n_edges,
                             "edges in \"graph\"", msg);
}

/* ---- any form ---- */

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
is_similarity(const struct sepx_json *value)
{
    return !sepx_json_get(value, "nodes") && !sepx_json_get(value, "edges") &&
           sepx_json_type(sepx_json_get(value, "graph")) == SEPX_JSON_ARRAY;
}

static bool
is_known(const char *key, enum sepx__json_form form)
{
    static const char *const known[][5] = {
        [SEPX__JSON_PLAIN] = {"nodes", "edges"},
        [SEPX__JSON_NODE_LINK] = {"nodes", "edges", "links"},
        [SEPX__JSON_SIMILARITY] = {"n", "m", "labels", "graph"},
    };

    for (size_t i = 0; known[form][i]; i++)
        if (!strcmp(key, known[form][i]))
            return true;
    return !strcmp(key, "directed") || !strcmp(key, "multigraph");
}

/* networkx writes "graph": {} where a graph has no attributes. */
static bool
is_nothing(const char *key, const struct sepx_json *value,
           enum sepx__json_form form)
{
    return form == SEPX__JSON_NODE_LINK && !strcmp(key, "graph") &&
           sepx_json_type(value) == SEPX_JSON_OBJECT && !sepx_json_size(value);
}

static enum sepx_err
write_unknown(struct sepx_text *text, const struct sepx_json *value,
              enum sepx__json_form form)
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
        if (is_known(key, form) || is_nothing(key, member, form))
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
             enum sepx__json_form form, struct sepx_msg *msg)
{
    struct sepx_text text = {0};
    enum sepx_err err = write_unknown(&text, value, form);

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
    err = read_flag(value, "directed", *directed, directed, msg);
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

/* Other keys that an empty graph may have: names, attributes of networkx. */
static bool
suits_empty(const char *key, const struct sepx_json *member)
{
    enum sepx_json_type type = sepx_json_type(member);

    if ((type == SEPX_JSON_ARRAY || type == SEPX_JSON_OBJECT) &&
        !sepx_json_size(member))
        return true;
    return !strcmp(key, "name") || !strcmp(key, "id") ||
           (!strcmp(key, "graph") && type == SEPX_JSON_OBJECT);
}

/*
 * An empty graph with other keys is more likely one in an unknown form, and so
 * are nodes without edges beside the edges of the similarity form.
 */
static enum sepx_err
check_empty(const struct sepx_graph *graph, struct sepx_msg *msg)
{
    struct sepx__excerpt keys;
    struct sepx_json *extra;
    const struct sepx_json *other;
    bool edges;
    enum sepx_err err;

    if ((graph->n_nodes && graph->n_edges) || !graph->extra)
        return SEPX_OK;
    err = sepx_json_parse(&extra, graph->extra, strlen(graph->extra), msg);
    if (err)
        return err;
    other = sepx_json_get(extra, "graph");
    edges = sepx_json_type(other) == SEPX_JSON_ARRAY && sepx_json_size(other);
    keys = list_keys(extra, suits_empty);
    sepx_json_free(extra);
    if (graph->n_nodes && edges)
        return sepx_fail(msg, SEPX_EDATA,
                         "the graph has no edges, but an array \"graph\", "
                         "which is not read beside \"nodes\"; write its edges "
                         "into the empty array");
    if (graph->n_nodes || !*keys.text)
        return SEPX_OK;
    return sepx_fail(msg, SEPX_EDATA,
                     "the graph has no nodes, but keys that are not read: %s; "
                     "list its nodes in \"nodes\"",
                     keys.text);
}

enum sepx_err
sepx__graph_from_form(struct sepx_graph *graph, struct sepx_names *names,
                      const struct sepx_json *value, enum sepx__json_form form,
                      struct sepx__item *item, struct sepx_msg *msg)
{
    static enum sepx_err (*const readers[])(
        struct sepx__builder *, const struct sepx_json *, struct sepx_msg *) = {
        [SEPX__JSON_PLAIN] = read_plain,
        [SEPX__JSON_NODE_LINK] = sepx__read_node_link,
        [SEPX__JSON_SIMILARITY] = read_similarity,
    };
    struct sepx__builder builder = {.graph.names = names};
    bool directed = form != SEPX__JSON_SIMILARITY, parallel = true;
    enum sepx_err err = check_root(value, &directed, &parallel, msg);

    builder.graph.undirected = !directed;
    if (!err)
        err = readers[form](&builder, value, msg);
    if (err)
        *item = builder.item;
    if (!err)
        err = keep_unknown(&builder.graph, value, form, msg);
    sepx__edges_order(&builder.graph);
    if (!err && !parallel)
        err = check_single(&builder.graph, msg);
    if (!err)
        err = check_empty(&builder.graph, msg);
    if (!err)
        sepx__builder_finish(&builder, graph);
    sepx__builder_release(&builder);
    return err;
}

enum sepx_err
sepx__graph_from_json(struct sepx_graph *graph, struct sepx_names *names,
                      const struct sepx_json *value,
                      enum sepx_graph_format format, struct sepx__item *item,
                      struct sepx_msg *msg)
{
    const struct sepx__format *row =
        format == SEPX_FORMAT_AUTO ? sepx__format_of_json(value) : NULL;
    enum sepx__json_form form = SEPX__JSON_PLAIN;

    if (row)
        return row->from_json(graph, names, value, msg);
    if (format == SEPX_FORMAT_AUTO ? is_node_link(value)
                                   : format == SEPX_FORMAT_NODE_LINK)
        form = SEPX__JSON_NODE_LINK;
    else if (format == SEPX_FORMAT_AUTO && is_similarity(value))
        form = SEPX__JSON_SIMILARITY;
    return sepx__graph_from_form(graph, names, value, form, item, msg);
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
