/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The node-link form of networkx: {"directed": true, "nodes": [{"id": ...},
 * ...], "links": [{"source": ..., "target": ...}, ...]}; networkx 3.4 and
 * later call the last key "edges". The "key" of a multigraph's edges and
 * attributes other than the label are dropped.
 */
#include "graph/graph_json.h"

#include <stdio.h>
#include <string.h>

const char *const sepx__label_keys[] = {"label", "op", "operation", NULL};

/* The text that stands for a node: "a" stays apart from a, 1 from "1". */
static enum sepx_err
id_text(struct sepx_text *text, const struct sepx_json *item, const char *key,
        const char *where, struct sepx_msg *msg)
{
    const struct sepx_json *id = sepx_json_get(item, key);
    enum sepx_json_type type = sepx_json_type(id);
    enum sepx_err err;

    if (!id)
        return sepx_fail(msg, SEPX_EDATA, "%s is %s, without \"%s\"; add it",
                         where, sepx__json_show(item).text, key);
    if (type != SEPX_JSON_STRING && type != SEPX_JSON_INTEGER)
        return sepx_fail(msg, SEPX_EDATA,
                         "%s has the \"%s\" %s%s; write a string or an "
                         "integer",
                         where, key, sepx__json_show(id).text,
                         sepx__json_kind(id));
    text->len = 0;
    err = sepx_json_dump(text, id);
    if (err)
        return sepx_fail(msg, err, "%s", sepx_strerror(err));
    if (text->len > SEPX__LABEL_BYTES)
        return sepx_fail(msg, SEPX_ELIMIT,
                         "%s has the \"%s\" %s of %zu bytes; shorten it to "
                         "%d at most",
                         where, key, sepx__json_show(id).text, text->len,
                         SEPX__LABEL_BYTES);
    return SEPX_OK;
}

/*
 * The label attribute, by any of its usual names; NULL if there is none. An
 * integer is its digits, as in GraphML, and `room` holds them.
 */
static enum sepx_err
label_attribute(const struct sepx_json *item, const char **label,
                struct sepx_text *room, const char *where, struct sepx_msg *msg)
{
    const struct sepx_json *value = NULL;
    const char *const *key = sepx__label_keys;

    for (; *key && !value; key++)
        value = sepx_json_get(item, *key);
    *label = sepx_json_string(value);
    if (!value || *label)
        return SEPX_OK;
    if (sepx_json_type(value) == SEPX_JSON_INTEGER) {
        enum sepx_err err = sepx_json_dump(room, value);

        *label = room->at;
        return err ? sepx_fail(msg, err, "%s", sepx_strerror(err)) : err;
    }
    return sepx_fail(
        msg, SEPX_EDATA, "%s has the \"%s\" %s%s; write a string or an integer",
        where, key[-1], sepx__json_show(value).text, sepx__json_kind(value));
}

/* Number i + 1 of `ids` belongs to node i, as 0 is the empty text. */
static enum sepx_err
read_link_node(struct sepx__builder *builder, struct sepx_names *ids,
               const struct sepx_json *node, const char *where,
               struct sepx_msg *msg)
{
    const char *label = NULL;
    struct sepx_text text = {0}, room = {0};
    uint16_t number;
    enum sepx_err err = id_text(&text, node, "id", where, msg);

    if (!err)
        err = label_attribute(node, &label, &room, where, msg);
    if (err)
        goto done;
    if (!label)
        label = sepx_json_string(sepx_json_get(node, "id"));
    if (!label)
        label = text.at;
    err = sepx__builder_node(builder, label, strlen(label), where, msg);
    if (!err && sepx__names_add(ids, &number, text.at, text.len))
        err = sepx_fail(msg, SEPX_ENOMEM, "%s", sepx_strerror(SEPX_ENOMEM));
    if (!err && number != builder->graph.n_nodes)
        err = sepx_fail(msg, SEPX_EDATA,
                        "%s has the \"id\" %s, as nodes[%u] has; rename one",
                        where, sepx__excerpt(text.at, text.len).text,
                        number - 1u);
done:
    sepx_text_release(&room);
    sepx_text_release(&text);
    return err;
}

static enum sepx_err
link_end(struct sepx_names *ids, const struct sepx_json *link, const char *key,
         uint16_t *node, struct sepx_text *text, const char *where,
         struct sepx_msg *msg)
{
    enum sepx_err err = id_text(text, link, key, where, msg);
    int found;

    if (err)
        return err;
    found = sepx__names_find(ids, text->at, text->len);
    if (found < 1)
        return sepx_fail(msg, SEPX_EDATA,
                         "%s has the \"%s\" %s, which no node has as its "
                         "\"id\"; add the node or remove the edge",
                         where, key, sepx__excerpt(text->at, text->len).text);
    *node = (uint16_t)(found - 1);
    return SEPX_OK;
}

static enum sepx_err
read_link(struct sepx__builder *builder, struct sepx_names *ids,
          const struct sepx_json *link, const char *where, struct sepx_msg *msg)
{
    struct sepx_text from = {0}, to = {0}, room = {0};
    struct sepx_edge edge = {0};
    const char *label = NULL;
    enum sepx_err err;

    err = link_end(ids, link, "source", &edge.from, &from, where, msg);
    if (!err)
        err = link_end(ids, link, "target", &edge.to, &to, where, msg);
    if (!err)
        err = label_attribute(link, &label, &room, where, msg);
    if (!err && label)
        err = sepx__builder_label(builder, &edge.label, label, strlen(label),
                                  where, msg);
    if (!err)
        err = sepx__builder_edge(builder, edge, msg);
    sepx_text_release(&room);
    sepx_text_release(&from);
    sepx_text_release(&to);
    return err;
}

static enum sepx_err
check_object(const struct sepx_json *item, const char *where, const char *form,
             struct sepx_msg *msg)
{
    if (sepx_json_type(item) == SEPX_JSON_OBJECT)
        return SEPX_OK;
    return sepx_fail(msg, SEPX_EDATA, "%s is %s%s; write %s", where,
                     sepx__json_show(item).text, sepx__json_kind(item), form);
}

static enum sepx_err
read_link_arrays(struct sepx__builder *builder, const struct sepx_json *nodes,
                 const struct sepx_json *links, const char *links_key,
                 struct sepx_names *ids, struct sepx_msg *msg)
{
    char where[WHERE_BYTES];
    enum sepx_err err = SEPX_OK;

    for (size_t i = 0; !err && i < sepx_json_size(nodes); i++) {
        const struct sepx_json *node = sepx_json_at(nodes, i);

        builder->item = (struct sepx__item){"nodes", i};
        (void)snprintf(where, sizeof(where), "nodes[%zu]", i);
        err = check_object(node, where, "{\"id\": ...}", msg);
        if (!err)
            err = read_link_node(builder, ids, node, where, msg);
    }
    for (size_t i = 0; !err && i < sepx_json_size(links); i++) {
        const struct sepx_json *link = sepx_json_at(links, i);

        builder->item = (struct sepx__item){links_key, i};
        (void)snprintf(where, sizeof(where), "%s[%zu]", links_key, i);
        err = check_object(link, where, "{\"source\": ..., \"target\": ...}",
                           msg);
        if (!err)
            err = read_link(builder, ids, link, where, msg);
    }
    return err;
}

enum sepx_err
sepx__read_node_link(struct sepx__builder *builder,
                     const struct sepx_json *value, struct sepx_msg *msg)
{
    static const char form[] =
        "{\"directed\": true, \"nodes\": [{\"id\": ID}, ...], \"links\": "
        "[{\"source\": ID, \"target\": ID}, ...]}";
    const char *key = sepx_json_get(value, "edges") ? "edges" : "links";
    const struct sepx_json *nodes, *links;
    struct sepx_names *ids;
    enum sepx_err err;

    if (sepx_json_get(value, "links") && sepx_json_get(value, "edges"))
        return sepx_fail(msg, SEPX_EDATA,
                         "the node-link graph has both \"links\" and "
                         "\"edges\"; remove one");
    if (!sepx_json_get(value, "directed"))
        return sepx_fail(msg, SEPX_EDATA,
                         "the node-link graph has no \"directed\"; add "
                         "\"directed\": true if its edges go from source to "
                         "target, else \"directed\": false");
    err = sepx__json_array(value, "nodes", form, &nodes, msg);
    if (!err)
        err = sepx__json_array(value, key, form, &links, msg);
    if (err)
        return err;
    ids = sepx_names_new();
    if (!ids)
        return sepx_fail(msg, SEPX_ENOMEM, "%s", sepx_strerror(SEPX_ENOMEM));
    err = read_link_arrays(builder, nodes, links, key, ids, msg);
    sepx_names_free(ids);
    return err;
}
