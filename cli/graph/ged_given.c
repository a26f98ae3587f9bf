/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a distance is given beside the graphs: nodes that are mapped onto each
 * other, and a map to start from or to price.
 */
#include "graph/ged_command.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define FILE_BYTES_MAX ((size_t)1 << 20)

/* ---- --root ---- */

/* A node's number; false if the text is none. */
static bool
read_node(uint16_t *node, const char *text, const char **end)
{
    char *stop;
    unsigned long value;

    if (!isdigit((unsigned char)*text))
        return false;
    value = strtoul(text, &stop, 10);
    *node = (uint16_t)value;
    *end = stop;
    return value < SEPX_NODES_MAX;
}

static enum sepx_err
read_root(struct sepx_ged_root *root, const char *word, struct sepx_msg *msg)
{
    const char *end;

    if (read_node(&root->a, word, &end) && *end == ':' &&
        read_node(&root->b, end + 1, &end) && !*end)
        return SEPX_OK;
    return sepx_fail(msg, SEPX_EINVAL,
                     "--root: '%s' is not I:J, a node of A and the node of B "
                     "that it becomes, both from 0 on",
                     word);
}

enum sepx_err
ged_given_roots(struct ged_given *given, const struct ged_settings *settings,
                struct sepx_msg *msg)
{
    enum sepx_err err = SEPX_OK;

    given->root = calloc(settings->root.count + 1, sizeof *given->root);
    if (!given->root)
        return SEPX_ENOMEM;
    for (size_t i = 0; i < settings->root.count && !err; i++) {
        err = read_root(&given->root[i], settings->root.at[i], msg);
        given->n_roots = i + 1;
    }
    return err;
}

enum sepx_err
ged_given_roots_json(struct ged_given *given, const struct sepx_json *value,
                     struct sepx_msg *msg)
{
    const size_t count = sepx_json_size(value);

    if (sepx_json_type(value) != SEPX_JSON_ARRAY)
        return sepx_fail(msg, SEPX_EDATA,
                         "'roots' is %s; it must be an array of [I, J]",
                         sepx_json_type_name(value));
    free(given->root);
    given->n_roots = 0;
    given->root = calloc(count + 1, sizeof *given->root);
    if (!given->root)
        return SEPX_ENOMEM;
    for (size_t i = 0; i < count; i++) {
        const struct sepx_json *pair = sepx_json_at(value, i);
        const int64_t a = sepx_json_integer(sepx_json_at(pair, 0), -1);
        const int64_t b = sepx_json_integer(sepx_json_at(pair, 1), -1);

        if (sepx_json_size(pair) != 2 || a < 0 || b < 0 ||
            a >= SEPX_NODES_MAX || b >= SEPX_NODES_MAX)
            return sepx_fail(msg, SEPX_EDATA,
                             "roots[%zu] is not [I, J], a node of 'a' and the "
                             "node of 'b' that it becomes",
                             i);
        given->root[i] = (struct sepx_ged_root){(uint16_t)a, (uint16_t)b};
    }
    given->n_roots = count;
    return SEPX_OK;
}

static bool
is_pinned(const struct sepx_ged_options *options, uint16_t label)
{
    for (size_t i = 0; i < options->n_pinned && !options->ignore_labels; i++)
        if (options->pinned[i] == label)
            return true;
    return false;
}

/* Whether --pinned keeps node i of A from becoming node k of B. */
static bool
is_forbidden(const struct sepx_graph *a, uint32_t i, const struct sepx_graph *b,
             uint32_t k, const struct sepx_ged_options *options)
{
    return a->label[i] != b->label[k] &&
           (is_pinned(options, a->label[i]) || is_pinned(options, b->label[k]));
}

/* Why the library would refuse a root, in the words of the command. */
static enum sepx_err
check_root(const struct ged_given *given, size_t i, const struct sepx_graph *a,
           const struct sepx_graph *b, const struct sepx_ged_options *options,
           struct sepx_msg *msg)
{
    const struct sepx_ged_root *root = &given->root[i];

    if (root->a >= a->n_nodes || root->b >= b->n_nodes)
        return sepx_fail(msg, SEPX_EDATA,
                         "root %u:%u: A has %u nodes and B %u, counted from 0",
                         root->a, root->b, a->n_nodes, b->n_nodes);
    for (size_t k = 0; k < i; k++)
        if (given->root[k].a == root->a || given->root[k].b == root->b)
            return sepx_fail(
                msg, SEPX_EDATA, "root %u:%u and root %u:%u share a node",
                given->root[k].a, given->root[k].b, root->a, root->b);
    if (is_forbidden(a, root->a, b, root->b, options))
        return sepx_fail(msg, SEPX_EDATA,
                         "root %u:%u: '%s' would become '%s', but one of them "
                         "is pinned; leave out the root or the pin",
                         root->a, root->b,
                         sepx_names_text(a->names, a->label[root->a]),
                         sepx_names_text(b->names, b->label[root->b]));
    if (given->map && given->map[root->a] != (int16_t)root->b)
        return sepx_fail(msg, SEPX_EDATA,
                         "root %u:%u: the map of --map has another image "
                         "for node %u",
                         root->a, root->b, root->a);
    return SEPX_OK;
}

static enum sepx_err
check_map(const struct ged_given *given, const struct sepx_graph *a,
          const struct sepx_graph *b, const struct sepx_ged_options *options,
          struct sepx_msg *msg)
{
    if (given->n_map != a->n_nodes)
        return sepx_fail(msg, SEPX_EDATA,
                         "--map: the map has %u nodes, A has %u", given->n_map,
                         a->n_nodes);
    for (uint32_t i = 0; i < given->n_map; i++) {
        const int16_t k = given->map[i];

        if (k == SEPX_NONE)
            continue;
        if (k >= (int)b->n_nodes)
            return sepx_fail(msg, SEPX_EDATA,
                             "--map: map[%u] is %d, but B has %u nodes", i, k,
                             b->n_nodes);
        if (is_forbidden(a, i, b, (uint32_t)k, options))
            return sepx_fail(msg, SEPX_EDATA,
                             "--map: map[%u] makes '%s' '%s', but one of them "
                             "is pinned",
                             i, sepx_names_text(a->names, a->label[i]),
                             sepx_names_text(b->names, b->label[k]));
    }
    return SEPX_OK;
}

enum sepx_err
ged_given_check(const struct ged_given *given, const struct sepx_graph *a,
                const struct sepx_graph *b,
                const struct sepx_ged_options *options, struct sepx_msg *msg)
{
    enum sepx_err err = SEPX_OK;

    if (given->map)
        err = check_map(given, a, b, options, msg);
    for (size_t i = 0; i < given->n_roots && !err; i++)
        err = check_root(given, i, a, b, options, msg);
    return err;
}

/* ---- --map ---- */

static enum sepx_err
read_entry(struct ged_given *given, size_t i, const struct sepx_json *value,
           struct sepx_msg *msg)
{
    const int64_t node = sepx_json_integer(value, SEPX_NONE);

    if (sepx_json_type(value) != SEPX_JSON_NULL &&
        (node < 0 || node >= SEPX_NODES_MAX))
        return sepx_fail(msg, SEPX_EDATA,
                         "map[%zu] is not a node of B, from 0 on, or null", i);
    given->map[i] = (int16_t)node;
    for (size_t k = 0; k < i; k++)
        if (node != SEPX_NONE && given->map[k] == node)
            return sepx_fail(msg, SEPX_EDATA,
                             "map[%zu] and map[%zu] are both %d; a map is "
                             "one-to-one",
                             k, i, (int)node);
    return SEPX_OK;
}

/* [1, null, 0], or an answer with such a 'map'. */
static enum sepx_err
read_map(struct ged_given *given, const struct sepx_json *root,
         struct sepx_msg *msg)
{
    const struct sepx_json *map = root;
    size_t count;
    enum sepx_err err = SEPX_OK;

    if (sepx_json_type(root) == SEPX_JSON_OBJECT)
        map = sepx_json_get(root, "map");
    if (!map || sepx_json_type(map) != SEPX_JSON_ARRAY)
        return sepx_fail(msg, SEPX_EDATA,
                         "no map; write an array with the node of B for each "
                         "node of A (null: deleted), or an answer of "
                         "'sepx ged --json'");
    count = sepx_json_size(map);
    if (count > SEPX_NODES_MAX)
        return sepx_fail(msg, SEPX_EDATA, "a map has at most %d nodes",
                         SEPX_NODES_MAX);
    given->map = calloc(count + 1, sizeof *given->map);
    if (!given->map)
        return SEPX_ENOMEM;
    given->n_map = (uint32_t)count;
    for (size_t i = 0; i < count && !err; i++)
        err = read_entry(given, i, sepx_json_at(map, i), msg);
    return err;
}

enum sepx_err
ged_given_map(struct ged_given *given, const char *path, struct sepx_msg *msg)
{
    struct sepx_text text = {0};
    struct sepx_json *root = NULL;
    enum sepx_err err = sepx_file_read(&text, path, FILE_BYTES_MAX, msg);

    if (err) {
        sepx_text_release(&text);
        return err;
    }
    err = sepx_json_parse(&root, text.at ? text.at : "", text.len, msg);
    if (!err)
        err = read_map(given, root, msg);
    if (err)
        sepx_msg_prefix(msg, "%s", path);
    sepx_json_free(root);
    sepx_text_release(&text);
    return err;
}

void
ged_given_release(struct ged_given *given)
{
    free(given->root);
    free(given->map);
    *given = (struct ged_given){0};
}

/* ---- a hint ---- */

static bool
has_label(const struct sepx_graph *graph, uint16_t label)
{
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        if (graph->label[i] == label)
            return true;
    return false;
}

void
ged_hint_ends(const struct ged_answer *answer,
              const struct sepx_ged_options *options)
{
    static const char *const ends[] = {"input", "output"};
    const struct sepx_graph *a = answer->a, *b = answer->b;
    const int16_t *map = answer->result.map;

    if (options->ignore_labels || (answer->given && answer->given->n_roots))
        return;
    for (uint32_t i = 0; i < a->n_nodes; i++) {
        const uint16_t label = a->label[i];
        const char *text = sepx_names_text(a->names, label);

        if ((strcmp(text, ends[0]) && strcmp(text, ends[1])) ||
            is_pinned(options, label) || !has_label(b, label) ||
            (map[i] != SEPX_NONE && b->label[map[i]] == label))
            continue;
        cli_say("ged",
                "hint: the map %s node %u, '%s', although B has one; "
                "--pinned input,output keeps the ends of networks",
                map[i] == SEPX_NONE ? "deletes" : "relabels", i, text);
        return;
    }
}
