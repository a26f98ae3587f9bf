/* SPDX-License-Identifier: Apache-2.0 */
/* The formats that are JSON, and GraphML: rows for readers that exist, and
 * what writes them. */
#include <stdio.h>
#include <string.h>

#include "graph/formats/formats.h"
#include "graph/private.h"

/* ---- JSON ---- */

static enum sepx_err
from_json(struct sepx_graph *graph, struct sepx_names *names,
          const struct sepx_json *root, struct sepx_msg *msg)
{
    struct sepx__item item = {0};

    return sepx__graph_from_json(graph, names, root, SEPX_FORMAT_JSON, &item,
                                 msg);
}

static enum sepx_err
write_json(struct sepx_text *text, const struct sepx_graph *graph,
           struct sepx_msg *msg)
{
    enum sepx_err err = sepx_graph_write_json(text, graph);

    (void)msg;
    return err ? err : sepx_text_add(text, "\n", 1);
}

const struct sepx__format sepx__format_json = {
    .info = {"json", "json", "one graph as JSON", true, true, false},
    .from_json = from_json,
    .write = write_json,
};

const struct sepx__format sepx__format_jsonl = {
    .info = {"jsonl", "jsonl ndjson", "JSON Lines, a graph each", true, true,
             true},
    .from_json = from_json,
    .write = write_json,
};

/* ---- node-link JSON ---- */

static enum sepx_err
from_node_link(struct sepx_graph *graph, struct sepx_names *names,
               const struct sepx_json *root, struct sepx_msg *msg)
{
    struct sepx__item item = {0};

    return sepx__graph_from_json(graph, names, root, SEPX_FORMAT_NODE_LINK,
                                 &item, msg);
}

static bool
has_parallel(const struct sepx_graph *graph)
{
    for (uint32_t i = 1; i < graph->n_edges; i++)
        if (sepx__edges_parallel(&graph->edge[i - 1], &graph->edge[i]))
            return true;
    return false;
}

static void
put_number(struct sepx_json_writer *w, const char *key, uint32_t value)
{
    sepx_json_key(w, key);
    sepx_json_put_integer(w, value);
}

static void
put_link(struct sepx_json_writer *w, const struct sepx_graph *graph,
         const struct sepx_edge *edge, const uint32_t *key)
{
    sepx_json_open(w, '{');
    put_number(w, "source", edge->from);
    put_number(w, "target", edge->to);
    if (key)
        put_number(w, "key", *key);
    if (edge->label) {
        sepx_json_key(w, "label");
        sepx_json_put_string(w, sepx_names_text(graph->names, edge->label));
    }
    sepx_json_close(w, '}');
}

/* Keys beside nodes and edges, as they are. */
static enum sepx_err
put_extra(struct sepx_json_writer *w, const char *extra)
{
    const struct sepx_json *value;
    struct sepx_text text = {0};
    struct sepx_json *root;
    const char *key;
    void *position = NULL;
    enum sepx_err err = sepx_json_parse(&root, extra, strlen(extra), NULL);

    while (!err && sepx_json_next(root, &position, &key, &value)) {
        text.len = 0;
        err = sepx_json_dump(&text, value);
        if (!err) {
            sepx_json_key(w, key);
            sepx_json_put_raw(w, text.at);
        }
    }
    sepx_text_release(&text);
    sepx_json_free(root);
    return err;
}

static enum sepx_err
write_node_link(struct sepx_text *text, const struct sepx_graph *graph,
                struct sepx_msg *msg)
{
    bool parallel = has_parallel(graph);
    struct sepx_json_writer w;
    uint32_t key = 0;
    enum sepx_err err = SEPX_OK, end;

    (void)msg;
    sepx_json_begin(&w, text);
    sepx_json_open(&w, '{');
    sepx_json_key(&w, "directed");
    sepx_json_put_bool(&w, !graph->undirected);
    sepx_json_key(&w, "multigraph");
    sepx_json_put_bool(&w, parallel);
    sepx_json_key(&w, "nodes");
    sepx_json_open(&w, '[');
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        sepx_json_open(&w, '{');
        put_number(&w, "id", i);
        sepx_json_key(&w, "label");
        sepx_json_put_string(&w,
                             sepx_names_text(graph->names, graph->label[i]));
        sepx_json_close(&w, '}');
    }
    sepx_json_close(&w, ']');
    sepx_json_key(&w, "links");
    sepx_json_open(&w, '[');
    for (uint32_t i = 0; i < graph->n_edges; i++) {
        const struct sepx_edge *edge = &graph->edge[i];

        key = i && sepx__edges_parallel(edge - 1, edge) ? key + 1 : 0;
        put_link(&w, graph, edge, parallel ? &key : NULL);
    }
    sepx_json_close(&w, ']');
    if (graph->extra)
        err = put_extra(&w, graph->extra);
    sepx_json_close(&w, '}');
    end = sepx_json_done(&w);
    err = err ? err : end;
    return err ? err : sepx_text_add(text, "\n", 1);
}

const struct sepx__format sepx__format_node_link = {
    .info = {"node-link", "", "node-link JSON of networkx", true, true, true},
    .from_json = from_node_link,
    .write = write_node_link,
};

/* ---- the form of similarity data sets ---- */

static enum sepx_err
from_similarity(struct sepx_graph *graph, struct sepx_names *names,
                const struct sepx_json *root, struct sepx_msg *msg)
{
    struct sepx__item item = {0};

    return sepx__graph_from_form(graph, names, root, SEPX__JSON_SIMILARITY,
                                 &item, msg);
}

const struct sepx__format sepx__format_similarity = {
    .info = {"similarity", "", "JSON of graph similarity data sets", true,
             false, true},
    .from_json = from_similarity,
};

/* ---- GraphML ---- */

static bool
is_graphml(const char *at, const char *end)
{
    (void)end;
    return *at == '<';
}

/* XML has no way to write most control characters; others are entities. */
static enum sepx_err
put_data(struct sepx_text *text, const char *key, const char *label,
         struct sepx_msg *msg)
{
    size_t len = strlen(label);
    enum sepx_err err = sepx_text_print(text, "<data key=\"%s\">", key);

    while (len && !err) {
        uint32_t code = 0;
        size_t step = sepx__utf8_next(label, len, &code);
        const char *entity = code < 0x80 ? sepx__entity(*label) : NULL;

        if ((code < 0x20 && code != '\n' && code != '\t' && code != '\r') ||
            code == 0xfffe || code == 0xffff)
            return sepx_fail(msg, SEPX_EDATA,
                             "the label \"%s\" has the character U+%04X, which "
                             "GraphML cannot hold; choose another format",
                             sepx__excerpt(label, len).text, (unsigned)code);
        if (entity)
            err = sepx_text_print(text, "%s", entity);
        else if (code != '\n' && code != '\t' && sepx__utf8_commands(code))
            err = sepx_text_print(text, "&#%u;", (unsigned)code);
        else
            err = sepx_text_add(text, label, step);
        label += step;
        len -= step;
    }
    return err ? err : sepx_text_print(text, "</data>");
}

static enum sepx_err
put_edge(struct sepx_text *text, const struct sepx_graph *graph,
         const struct sepx_edge *edge, struct sepx_msg *msg)
{
    enum sepx_err err = sepx_text_print(
        text, "    <edge source=\"n%u\" target=\"n%u\">", edge->from, edge->to);

    if (!err && edge->label)
        err = put_data(text, "e", sepx_names_text(graph->names, edge->label),
                       msg);
    return err ? err : sepx_text_print(text, "</edge>\n");
}

static enum sepx_err
write_graphml(struct sepx_text *text, const struct sepx_graph *graph,
              struct sepx_msg *msg)
{
    static const struct sepx__lacks lacks = {.name = "GraphML"};
    enum sepx_err err = sepx__format_check(graph, &lacks, msg);

    if (!err)
        err = sepx_text_print(
            text,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
            "  <key id=\"n\" for=\"node\" attr.name=\"label\" "
            "attr.type=\"string\"/>\n"
            "  <key id=\"e\" for=\"edge\" attr.name=\"label\" "
            "attr.type=\"string\"/>\n"
            "  <graph edgedefault=\"%s\">\n",
            graph->undirected ? "undirected" : "directed");
    for (uint32_t i = 0; i < graph->n_nodes && !err; i++) {
        err = sepx_text_print(text, "    <node id=\"n%u\">", i);
        if (!err)
            err = put_data(text, "n",
                           sepx_names_text(graph->names, graph->label[i]), msg);
        if (!err)
            err = sepx_text_print(text, "</node>\n");
    }
    for (uint32_t i = 0; i < graph->n_edges && !err; i++)
        err = put_edge(text, graph, &graph->edge[i], msg);
    return err ? err : sepx_text_print(text, "  </graph>\n</graphml>\n");
}

const struct sepx__format sepx__format_graphml = {
    .info = {"graphml", "graphml xml", "GraphML, as networkx writes it", true,
             true, false},
    .sniff = is_graphml,
    .read = sepx__graph_read_graphml,
    .write = write_graphml,
};
