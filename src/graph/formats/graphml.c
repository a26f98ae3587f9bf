/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of GraphML that networkx writes: <key>s, then one directed
 * <graph> with its <node>s, then its <edge>s, each with <data>. A label is
 * the data whose key is called "label", "op" or "operation"; a node without
 * one is labelled by its id. Other data is checked and dropped. Elements
 * nest to a fixed depth, so no input makes this recurse.
 */
#include <stdio.h>
#include <string.h>

#include "graph/formats/xml.h"

#define WHERE_BYTES 40
#define NOT_LABEL UINT8_MAX

/* What a key's data means: a place in sepx__label_keys, or NOT_LABEL. */
struct key {
    uint8_t for_node, for_edge;
};

/* A label that an element's data gave, or the keys' defaults. */
struct found {
    struct sepx_text text;
    uint8_t rank; /* NOT_LABEL: none */
};

struct reader {
    struct sepx__xml xml;
    struct sepx__builder builder;
    struct sepx_names *ids;  /* number i + 1 is node i */
    struct sepx_names *keys; /* number i + 1 is key[i] */
    struct key *key;
    size_t n_keys, key_room;
    struct found node_default, edge_default;
};

static enum sepx_err
no_memory(const struct reader *r)
{
    return sepx_fail(r->xml.msg, SEPX_ENOMEM, "%s", sepx_strerror(SEPX_ENOMEM));
}

static struct sepx__excerpt
shown(const char *text)
{
    return sepx__excerpt(text, strlen(text));
}

static size_t
blanks(const struct sepx_text *text)
{
    size_t count = 0;

    while (count < text->len && strchr(" \t\r\n", text->at[count]))
        count++;
    return count;
}

static bool
is_blank(const struct sepx_text *text)
{
    return blanks(text) == text->len;
}

/* ---- elements ---- */

static enum sepx_err
stray_text(struct reader *r, const char *parent)
{
    const struct sepx_text *text = &r->xml.text;
    size_t skip = blanks(text);

    for (size_t i = 0; i < skip; i++)
        r->xml.line += text->at[i] == '\n';
    return sepx__xml_fail(
        &r->xml, "the text \"%s\" in <%s> is in no element; remove it",
        sepx__excerpt(text->at + skip, text->len - skip).text, parent);
}

/*
 * The next child of element `parent` in r->xml; *more is false when the
 * parent closes. Text between elements must be blank.
 */
static enum sepx_err
next_child(struct reader *r, const char *parent, bool *more)
{
    struct sepx__xml *xml = &r->xml;
    enum sepx_err err;

    do
        err = sepx__xml_next(xml);
    while (!err && xml->kind == SEPX__XML_TEXT && is_blank(&xml->text));
    if (err)
        return err;
    *more = xml->kind == SEPX__XML_OPEN;
    return xml->kind == SEPX__XML_TEXT ? stray_text(r, parent) : SEPX_OK;
}

static enum sepx_err
unknown_child(const struct reader *r, const char *parent)
{
    return sepx__xml_fail(&r->xml,
                          "<%s> in <%s> is not part of what is read; remove "
                          "it",
                          shown(r->xml.name).text, parent);
}

/* The characters up to </name>; `text` may be NULL. */
static enum sepx_err
take_content(struct reader *r, const char *name, struct sepx_text *text)
{
    struct sepx__xml *xml = &r->xml;
    enum sepx_err err = sepx__xml_next(xml);

    for (; !err && xml->kind == SEPX__XML_TEXT; err = sepx__xml_next(xml))
        if (text && sepx_text_add(text, xml->text.at, xml->text.len))
            return no_memory(r);
    return !err && xml->kind == SEPX__XML_OPEN ? unknown_child(r, name) : err;
}

/* ---- keys ---- */

static uint8_t
label_rank(const char *name)
{
    for (uint8_t i = 0; sepx__label_keys[i]; i++)
        if (!strcmp(name, sepx__label_keys[i]))
            return i;
    return NOT_LABEL;
}

/* The better label stays: a smaller rank, or the same told later. */
static enum sepx_err
offer(struct reader *r, struct found *found, uint8_t rank, const char *text,
      size_t len)
{
    if (rank > found->rank || rank == NOT_LABEL)
        return SEPX_OK;
    found->rank = rank;
    found->text.len = 0;
    return sepx_text_add(&found->text, text ? text : "", len) ? no_memory(r)
                                                              : SEPX_OK;
}

static enum sepx_err
add_key(struct reader *r, const char *id, struct key key)
{
    uint16_t number;
    enum sepx_err err = sepx_names_add(r->keys, &number, id);

    if (err == SEPX_ENOMEM)
        return no_memory(r);
    if (err || !number)
        return sepx__xml_fail(&r->xml,
                              "<key> has the id \"%s\"; use 1 to %d bytes, "
                              "and fewer than %d keys",
                              shown(id).text, SEPX__LABEL_BYTES,
                              SEPX_LABELS_MAX);
    if (number != r->n_keys + 1)
        return sepx__xml_fail(&r->xml,
                              "<key> has the id \"%s\" of an earlier key; "
                              "rename one",
                              shown(id).text);
    if (sepx__grow((void **)&r->key, &r->key_room, r->n_keys + 1,
                   sizeof(*r->key)))
        return no_memory(r);
    r->key[r->n_keys++] = key;
    return SEPX_OK;
}

static enum sepx_err
take_default(struct reader *r, struct key key)
{
    struct sepx_text text = {0};
    enum sepx_err err = take_content(r, "default", &text);

    if (!err)
        err = offer(r, &r->node_default, key.for_node, text.at, text.len);
    if (!err)
        err = offer(r, &r->edge_default, key.for_edge, text.at, text.len);
    sepx_text_release(&text);
    return err;
}

static enum sepx_err
take_key(struct reader *r)
{
    const char *id = sepx__xml_attr(&r->xml, "id");
    const char *name = sepx__xml_attr(&r->xml, "attr.name");
    const char *scope = sepx__xml_attr(&r->xml, "for");
    struct key key = {NOT_LABEL, NOT_LABEL};
    bool all = !scope || !strcmp(scope, "all"), more = true;
    enum sepx_err err;

    if (!id)
        return sepx__xml_fail(&r->xml, "<key> has no id; add id=\"...\"");
    if (name && (all || !strcmp(scope, "node")))
        key.for_node = label_rank(name);
    if (name && (all || !strcmp(scope, "edge")))
        key.for_edge = label_rank(name);
    err = add_key(r, id, key);
    while (!err) {
        err = next_child(r, "key", &more);
        if (err || !more)
            break;
        if (sepx__xml_is(&r->xml, "default"))
            err = take_default(r, key);
        else if (sepx__xml_is(&r->xml, "desc"))
            err = take_content(r, "desc", NULL);
        else
            err = unknown_child(r, "key");
    }
    return err;
}

/* ---- nodes and edges ---- */

/* <data> of a node or an edge; `found` is NULL for all other data. */
static enum sepx_err
take_data(struct reader *r, struct found *found, bool node)
{
    const char *id = sepx__xml_attr(&r->xml, "key");
    struct sepx_text text = {0};
    struct key key;
    int number;
    enum sepx_err err;

    if (!id)
        return sepx__xml_fail(&r->xml, "<data> has no key; add key=\"...\"");
    number = sepx_names_find(r->keys, id);
    if (number < 1)
        return sepx__xml_fail(&r->xml,
                              "<data> has the key \"%s\", which no <key> "
                              "declares; declare it",
                              shown(id).text);
    key = r->key[number - 1];
    err = take_content(r, "data", &text);
    if (!err && found)
        err = offer(r, found, node ? key.for_node : key.for_edge, text.at,
                    text.len);
    sepx_text_release(&text);
    return err;
}

/* The children of a node or an edge, up to its end. */
static enum sepx_err
take_children(struct reader *r, const char *parent, struct found *found)
{
    bool node = !strcmp(parent, "node"), more = true;
    const struct found *preset = node ? &r->node_default : &r->edge_default;
    enum sepx_err err =
        offer(r, found, preset->rank, preset->text.at, preset->text.len);

    while (!err) {
        err = next_child(r, parent, &more);
        if (err || !more)
            break;
        if (sepx__xml_is(&r->xml, "data"))
            err = take_data(r, found, node);
        else if (sepx__xml_is(&r->xml, "desc"))
            err = take_content(r, "desc", NULL);
        else
            err = unknown_child(r, parent);
    }
    return err;
}

static enum sepx_err
add_id(struct reader *r, const char *id)
{
    uint16_t number;
    enum sepx_err err = sepx_names_add(r->ids, &number, id);

    if (err == SEPX_ENOMEM)
        return no_memory(r);
    if (err) {
        (void)sepx__xml_fail(&r->xml,
                             "<node> has the id \"%s\" of %zu bytes; "
                             "shorten it to %d at most",
                             shown(id).text, strlen(id), SEPX__LABEL_BYTES);
        return SEPX_ELIMIT;
    }
    if (!number)
        return sepx__xml_fail(&r->xml, "<node> has an empty id; name it");
    if (number != r->builder.graph.n_nodes + 1)
        return sepx__xml_fail(&r->xml,
                              "<node> has the id \"%s\" of an earlier node; "
                              "rename one",
                              shown(id).text);
    return SEPX_OK;
}

static enum sepx_err
take_node(struct reader *r)
{
    struct found label = {.rank = NOT_LABEL};
    const char *id = sepx__xml_attr(&r->xml, "id"), *text;
    const unsigned line = r->xml.line;
    enum sepx_err err;

    if (!id)
        return sepx__xml_fail(&r->xml, "<node> has no id; add id=\"...\"");
    if (r->builder.graph.n_edges)
        return sepx__xml_fail(&r->xml,
                              "<node> \"%s\" comes after an edge; put all "
                              "nodes first",
                              shown(id).text);
    if (r->builder.graph.n_nodes < SEPX_NODES_MAX) {
        err = add_id(r, id); /* before the children replace `id` */
        if (err)
            return err;
    }
    err = take_children(r, "node", &label);
    if (err)
        goto done;
    text =
        label.rank == NOT_LABEL
            ? sepx_names_text(r->ids, (uint16_t)(sepx_names_count(r->ids) - 1))
            : label.text.at;
    err = sepx__builder_node(&r->builder, text, strlen(text), "<node>",
                             r->xml.msg);
    if (err && err != SEPX_ENOMEM)
        sepx_msg_line(r->xml.msg, line, 0);
done:
    sepx_text_release(&label.text);
    return err;
}

static enum sepx_err
edge_end(const struct reader *r, const char *key, uint16_t *node)
{
    const char *id = sepx__xml_attr(&r->xml, key);
    int number = id ? sepx_names_find(r->ids, id) : 0;

    if (!id)
        return sepx__xml_fail(&r->xml, "<edge> has no %s; add %s=\"...\"", key,
                              key);
    if (number < 1)
        return sepx__xml_fail(&r->xml,
                              "<edge> has the %s \"%s\", which no <node> has "
                              "as its id; add the node or remove the edge",
                              key, shown(id).text);
    *node = (uint16_t)(number - 1);
    return SEPX_OK;
}

static enum sepx_err
take_edge(struct reader *r)
{
    const char *directed = sepx__xml_attr(&r->xml, "directed");
    struct found label = {.rank = NOT_LABEL};
    struct sepx_edge edge = {0};
    const char *other = r->builder.graph.undirected ? "false" : "true";
    const unsigned line = r->xml.line;
    enum sepx_err err;

    if (directed && strcmp(directed, other))
        return sepx__xml_fail(&r->xml,
                              "<edge> has directed=\"%s\", unlike the "
                              "graph's edgedefault; edges must be all "
                              "directed or all undirected",
                              shown(directed).text);
    err = edge_end(r, "source", &edge.from);
    if (!err)
        err = edge_end(r, "target", &edge.to);
    if (!err)
        err = take_children(r, "edge", &label);
    if (!err && label.rank != NOT_LABEL) {
        err = sepx__builder_label(&r->builder, &edge.label, label.text.at,
                                  label.text.len, "<edge>", r->xml.msg);
        if (err && err != SEPX_ENOMEM)
            sepx_msg_line(r->xml.msg, line, 0);
    }
    if (!err)
        err = sepx__builder_edge(&r->builder, edge, r->xml.msg);
    sepx_text_release(&label.text);
    return err;
}

/* ---- the document ---- */

static enum sepx_err
take_graph(struct reader *r)
{
    const char *kind = sepx__xml_attr(&r->xml, "edgedefault");
    bool more = true;
    enum sepx_err err = SEPX_OK;

    if (!kind)
        return sepx__xml_fail(&r->xml, "<graph> has no edgedefault; add "
                                       "edgedefault=\"directed\" or "
                                       "\"undirected\"");
    r->builder.graph.undirected = !strcmp(kind, "undirected");
    if (!r->builder.graph.undirected && strcmp(kind, "directed"))
        return sepx__xml_fail(&r->xml,
                              "<graph> has the edgedefault \"%s\"; write "
                              "\"directed\" or \"undirected\"",
                              shown(kind).text);
    while (!err) {
        err = next_child(r, "graph", &more);
        if (err || !more)
            break;
        if (sepx__xml_is(&r->xml, "node"))
            err = take_node(r);
        else if (sepx__xml_is(&r->xml, "edge"))
            err = take_edge(r);
        else if (sepx__xml_is(&r->xml, "data"))
            err = take_data(r, NULL, false);
        else if (sepx__xml_is(&r->xml, "desc"))
            err = take_content(r, "desc", NULL);
        else
            err = unknown_child(r, "graph");
    }
    return err;
}

static enum sepx_err
take_document(struct reader *r)
{
    unsigned n_graphs = 0;
    bool more = true;
    enum sepx_err err = SEPX_OK;

    while (!err) {
        err = next_child(r, "graphml", &more);
        if (err || !more)
            break;
        if (sepx__xml_is(&r->xml, "key"))
            err = take_key(r);
        else if (sepx__xml_is(&r->xml, "desc"))
            err = take_content(r, "desc", NULL);
        else if (sepx__xml_is(&r->xml, "data"))
            err = take_data(r, NULL, false);
        else if (!sepx__xml_is(&r->xml, "graph"))
            err = unknown_child(r, "graphml");
        else if (n_graphs++)
            err = sepx__xml_fail(&r->xml,
                                 "<graph> is the second one; write one file "
                                 "for each graph");
        else
            err = take_graph(r);
    }
    if (!err && !n_graphs)
        err = sepx__xml_fail(&r->xml, "<graphml> holds no <graph>; add one");
    return err;
}

/* <graphml> and the end after it; the parser allows nothing besides. */
static enum sepx_err
take_all(struct reader *r)
{
    bool xml = r->xml.len && *r->xml.bytes == '<';
    enum sepx_err err = xml ? sepx__xml_next(&r->xml) : SEPX_OK;

    if (!xml || (!err && !sepx__xml_is(&r->xml, "graphml")))
        return sepx__xml_fail(&r->xml,
                              "the text does not begin with <graphml>; is it "
                              "GraphML?");
    if (!err)
        err = take_document(r);
    return err ? err : sepx__xml_next(&r->xml);
}

static void
reader_release(struct reader *r)
{
    sepx__xml_release(&r->xml);
    sepx__builder_release(&r->builder);
    sepx_names_free(r->ids);
    sepx_names_free(r->keys);
    sepx__free(r->key);
    sepx_text_release(&r->node_default.text);
    sepx_text_release(&r->edge_default.text);
}

enum sepx_err
sepx__graph_read_graphml(struct sepx_graph *graph, struct sepx_names *names,
                         const char *bytes, size_t len, struct sepx_msg *msg)
{
    struct reader r = {.builder.graph.names = names,
                       .node_default.rank = NOT_LABEL,
                       .edge_default.rank = NOT_LABEL};
    enum sepx_err err = sepx__xml_begin(&r.xml, bytes, len, msg);

    if (!err) {
        r.ids = sepx_names_new();
        r.keys = sepx_names_new();
        err = r.ids && r.keys ? SEPX_OK : no_memory(&r);
    }
    if (!err)
        err = take_all(&r);
    sepx__edges_order(&r.builder.graph);
    if (!err)
        sepx__builder_finish(&r.builder, graph);
    reader_release(&r);
    return err;
}
