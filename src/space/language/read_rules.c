/* SPDX-License-Identifier: Apache-2.0 */
/* The file of a space, key by key; docs/spaces.md explains them. */
#include <math.h>
#include <string.h>

#include "graph/graph_json.h"
#include "graph/read.h"
#include "space/language/reader.h"

#define EDGES_MAX (SEPX__WIDE_NODES * (SEPX__WIDE_NODES - 1))
#define TEXT_MAX 255

static const struct range any = {0, UNLIMITED};

/* ---- names ---- */

const char *
sepx__custom_keep(struct custom *c, const char *text)
{
    enum sepx_err err = sepx__grow((void **)&c->text, &c->text_room,
                                   c->n_texts + 1, sizeof(*c->text));
    char *copy = err ? NULL : sepx__strdup(text);

    if (copy)
        c->text[c->n_texts++] = copy;
    return copy;
}

static enum sepx_err
keep(struct reader *r, const char **to, const char *text)
{
    if (strlen(text) > TEXT_MAX)
        return sepx__refuse(r, "has %zu bytes; shorten it to %d at most",
                            strlen(text), TEXT_MAX);
    *to = sepx__custom_keep(r->c, text);
    return *to ? SEPX_OK : sepx__reader_fail(r, SEPX_ENOMEM);
}

/* ---- format, version, description ---- */

static enum sepx_err
read_format(struct reader *r, const struct sepx_json *root)
{
    const struct sepx_json *format = sepx_json_get(root, "format");
    const struct sepx_json *version = sepx_json_get(root, "version");
    const char *word = sepx_json_string(format);

    if (!format)
        return sepx__refuse(r, "there is no \"format\"; add \"format\": "
                               "\"sepx-space\", \"version\": 1");
    sepx__reader_enter(r, "format");
    if (!word || strcmp(word, "sepx-space"))
        return sepx__refuse_value(r, format, "\"sepx-space\"");
    sepx__reader_leave(r);
    if (!version)
        return sepx__refuse(r, "there is no \"version\"; add \"version\": 1");
    sepx__reader_enter(r, "version");
    if (sepx_json_integer(version, 0) != 1)
        return sepx__refuse_value(r, version,
                                  "1, the one version that is known here");
    sepx__reader_leave(r);
    return SEPX_OK;
}

static enum sepx_err
read_description(struct reader *r, const struct sepx_json *value)
{
    const char *text = sepx_json_string(value);

    if (!text)
        return sepx__refuse_value(r, value, "a sentence, as a string");
    return keep(r, &r->c->description, text);
}

/* ---- groups and links ---- */

static enum sepx_err
read_group(struct reader *r, const char *name, const struct sepx_json *value)
{
    static const char *const keys[] = {"nodes", "edges", NULL};
    struct group_rule *group = &r->c->group[r->c->n_groups];
    enum sepx_err err;

    if (r->c->n_groups == GROUPS_MAX)
        return sepx__refuse(r, "is one group more than the %d allowed",
                            GROUPS_MAX);
    *group = (struct group_rule){NULL, any, any};
    err = sepx__read_keys(r, value, keys);
    if (!err)
        err = keep(r, &group->name, name);
    if (!err)
        err = sepx__read_range(r, value, "nodes", &group->nodes, 0,
                               SEPX__WIDE_NODES);
    if (!err)
        err = sepx__read_range(r, value, "edges", &group->edges, 0, EDGES_MAX);
    if (!err)
        r->c->n_groups++;
    return err;
}

/* Call `read` for each member of an object. */
static enum sepx_err
read_members(struct reader *r, const struct sepx_json *value,
             enum sepx_err (*read)(struct reader *r, const char *name,
                                   const struct sepx_json *value))
{
    const struct sepx_json *member;
    const char *key;
    void *position = NULL;
    enum sepx_err err = SEPX_OK;

    if (sepx_json_type(value) != SEPX_JSON_OBJECT || !sepx_json_size(value))
        return sepx__refuse_value(r, value, "an object of names, {...}");
    while (!err && sepx_json_next(value, &position, &key, &member)) {
        sepx__reader_enter(r, key);
        err = read(r, key, member);
        if (!err)
            sepx__reader_leave(r);
    }
    return err;
}

static enum sepx_err
read_groups(struct reader *r, const struct sepx_json *value)
{
    r->c->n_groups = 0;
    return read_members(r, value, read_group);
}

static enum sepx_err
find_group(struct reader *r, uint8_t *group, const struct sepx_json *value)
{
    const char *names[GROUPS_MAX + 1] = {NULL};
    const char *word = sepx_json_string(value);
    struct sepx_msg why = {0};

    if (!word)
        return sepx__refuse_value(r, value, "the name of a group");
    for (uint8_t g = 0; g < r->c->n_groups; g++) {
        names[g] = r->c->group[g].name;
        *group = g;
        if (names[g] && !strcmp(names[g], word))
            return SEPX_OK;
    }
    if (!names[0])
        return sepx__refuse(r, "names a group, but the file has no \"groups\"; "
                               "add them");
    (void)sepx__unknown(&why, "group", word, names);
    return sepx__refuse(r, "%s", why.text);
}

static enum sepx_err
read_links(struct reader *r, const struct sepx_json *value)
{
    enum sepx_err err = SEPX_OK;

    if (sepx_json_type(value) != SEPX_JSON_ARRAY)
        return sepx__refuse_value(r, value, "pairs of groups, [[from, to]]");
    for (size_t i = 0; i < sepx_json_size(value) && !err; i++) {
        const struct sepx_json *pair = sepx_json_at(value, i);
        uint8_t from = 0, to = 0;

        sepx__reader_item(r, i);
        if (sepx_json_size(pair) != 2 ||
            sepx_json_type(pair) != SEPX_JSON_ARRAY)
            return sepx__refuse_value(r, pair, "two groups, [from, to]");
        err = find_group(r, &from, sepx_json_at(pair, 0));
        if (!err)
            err = find_group(r, &to, sepx_json_at(pair, 1));
        if (!err && from > to && !r->c->ops.cyclic)
            err = sepx__refuse(r, "leads to an earlier group; without cycles, "
                                  "list groups in the order of their edges");
        if (err)
            return err;
        r->c->link[from][to] = true;
        sepx__reader_leave(r);
    }
    return SEPX_OK;
}

/* ---- labels ---- */

static const char *const roles[] = {"inner", "input", "output", NULL};

/* No edge leads to an input or leaves an output. */
static enum sepx_err
read_degrees(struct reader *r, const struct sepx_json *value, unsigned role,
             struct label_rule *rule)
{
    const char *none = role == SEPX__INPUT    ? "in"
                       : role == SEPX__OUTPUT ? "out"
                                              : NULL;
    enum sepx_err err;

    if (none && sepx_json_get(value, none)) {
        sepx__reader_enter(r, none);
        return sepx__refuse(r, "an %s has no edges %s; remove the key",
                            roles[role], none);
    }
    err = sepx__read_range(r, value, "in", &rule->in, 0, SEPX__WIDE_NODES);
    if (!err)
        err =
            sepx__read_range(r, value, "out", &rule->out, 0, SEPX__WIDE_NODES);
    return err;
}

static enum sepx_err
read_label_rule(struct reader *r, const struct sepx_json *value,
                struct sepx__label *label, struct label_rule *rule)
{
    static const char *const keys[] = {"role",   "count", "in",
                                       "out",    "group", "pinned",
                                       "fields", "shape", NULL};
    const struct sepx_json *group = sepx_json_get(value, "group");
    unsigned role = SEPX__INNER, join = JOIN_ADD;
    enum sepx_err err = sepx__read_keys(r, value, keys);

    if (!err)
        err = sepx__read_choice(r, value, "role", &role, roles);
    if (!err)
        err = sepx__read_range(r, value, "count", &rule->count, 0,
                               SEPX__WIDE_NODES);
    if (!err)
        err = read_degrees(r, value, role, rule);
    if (!err)
        err = sepx__read_bool(r, value, "pinned", &label->pinned);
    if (!err)
        err = sepx__read_choice(r, value, "shape", &join, sepx__join_keys);
    if (!err && !group && r->c->group[0].name)
        err = sepx__refuse(r, "belongs to no group; add \"group\"");
    if (!err && group) {
        sepx__reader_enter(r, "group");
        err = find_group(r, &rule->group, group);
        if (!err)
            sepx__reader_leave(r);
    }
    rule->join = (enum join)join;
    label->role = (enum sepx__role)role;
    label->pinned |= role != SEPX__INNER;
    return err;
}

static enum sepx_err
read_label(struct reader *r, const char *name, const struct sepx_json *value)
{
    static const uint8_t place[] = {
        [SEPX__INPUT] = 0, [SEPX__INNER] = 1, [SEPX__OUTPUT] = 2};
    uint16_t i = r->c->ops.n_labels;
    enum sepx_err err;

    if (i == SEPX__LABELS_MAX)
        return sepx__refuse(r, "is one label more than the %d allowed",
                            SEPX__LABELS_MAX);
    if (!name[0])
        return sepx__refuse(r, "a label is empty; name it");
    for (uint16_t k = 0; k < i; k++)
        if (!strcmp(r->c->label[k].text, name))
            return sepx__refuse(r, "makes the label '%s' again; remove one",
                                name);
    r->c->rule[i] =
        (struct label_rule){.count = any, .in = any, .out = any, .stride = 1};
    r->c->label[i] = (struct sepx__label){"", SEPX__INNER, 0, false};
    err = keep(r, &r->c->label[i].text, name);
    if (!err)
        err = read_label_rule(r, value, &r->c->label[i], &r->c->rule[i]);
    r->c->label[i].group =
        (uint8_t)(3 * r->c->rule[i].group + place[r->c->label[i].role]);
    if (!err)
        r->c->ops.n_labels++;
    return err;
}

static enum sepx_err
read_labels(struct reader *r, const char *name, const struct sepx_json *value)
{
    return sepx__read_family(r, name, value, read_label);
}

static enum sepx_err
read_nodes(struct reader *r, const struct sepx_json *value)
{
    return read_members(r, value, read_labels);
}

static enum sepx_err
read_edge_labels(struct reader *r, const struct sepx_json *value)
{
    enum sepx_err err = SEPX_OK;
    size_t count = sepx_json_size(value);

    if (sepx_json_type(value) != SEPX_JSON_ARRAY || !count ||
        count > EDGE_LABELS_MAX)
        return sepx__refuse(r,
                            "write an array of 1 to %d labels; \"\" stands "
                            "for none",
                            EDGE_LABELS_MAX);
    for (size_t i = 0; i < count && !err; i++) {
        const struct sepx_json *item = sepx_json_at(value, i);
        const char *text = sepx_json_string(item);

        sepx__reader_item(r, i);
        if (!text)
            return sepx__refuse_value(r, item, "a label, as a string");
        for (size_t k = 0; k < i; k++)
            if (!strcmp(text, r->c->edge_text[k]))
                return sepx__refuse(r, "is \"%s\" again; remove one", text);
        err = keep(r, &r->c->edge_text[i], text);
        if (!err)
            sepx__reader_leave(r);
    }
    r->c->n_edge_labels = (uint8_t)count;
    return err;
}

/* ---- limits, drawing, mutation ---- */

static enum sepx_err
read_limits(struct reader *r, const struct sepx_json *value)
{
    static const char *const keys[] = {"nodes", "edges", NULL};
    enum sepx_err err = sepx__read_keys(r, value, keys);

    if (!err)
        err = sepx__read_range(r, value, "nodes", &r->c->nodes, 1,
                               SEPX__WIDE_NODES);
    if (!err)
        err = sepx__read_range(r, value, "edges", &r->c->edges, 0, EDGES_MAX);
    return err;
}

static enum sepx_err
read_sample(struct reader *r, const struct sepx_json *value)
{
    static const char *const keys[] = {"nodes", "edge_probability", NULL};
    struct custom *c = r->c;
    enum sepx_err err = sepx__read_keys(r, value, keys);

    if (!err)
        err = sepx__read_range(r, value, "nodes", &c->sample.nodes, 1, NODES);
    if (!err)
        err = sepx__read_number(r, value, "edge_probability", &c->sample.edge,
                                0, 1);
    return err;
}

static enum sepx_err
read_numbers(struct reader *r, const struct sepx_json *object, const char *key,
             double *value, const char *const *keys, double most)
{
    const struct sepx_json *member = sepx_json_get(object, key);
    enum sepx_err err;

    if (!member)
        return SEPX_OK;
    sepx__reader_enter(r, key);
    err = sepx__read_keys(r, member, keys);
    for (unsigned i = 0; i < N_CHANGES && !err; i++)
        err = sepx__read_number(r, member, sepx__change_keys[i], &value[i], 0,
                                most);
    if (!err)
        sepx__reader_leave(r);
    return err;
}

static enum sepx_err
read_mutation(struct reader *r, const struct sepx_json *value)
{
    static const char *const keys[] = {"each", "weights", "changes", "fill_to",
                                       NULL};
    static const char *const places[] = {"flip_edge", "relabel_node",
                                         "relabel_edge", NULL};
    struct custom *c = r->c;
    struct range fill = {0, 0};
    enum sepx_err err = sepx__read_keys(r, value, keys);

    if (!err)
        err = read_numbers(r, value, "each", c->mutation.each, places, 1);
    if (!err)
        err = read_numbers(r, value, "weights", c->mutation.weight,
                           sepx__change_keys, 1e6);
    if (!err)
        err = sepx__read_range(r, value, "changes", &c->mutation.changes, 1,
                               NODES);
    if (!err && c->mutation.changes.max == UNLIMITED)
        c->mutation.changes.max = NODES;
    if (!err)
        err = sepx__read_range(r, value, "fill_to", &fill, 1, NODES);
    c->mutation.fill = fill.min;
    c->mutation.given =
        sepx_json_get(value, "each") || sepx_json_get(value, "weights");
    return err;
}

/* ---- the whole ---- */

/* In the order in which they depend on each other. */
static const struct {
    const char *key;
    enum sepx_err (*read)(struct reader *r, const struct sepx_json *value);
} sections[] = {
    {"description", read_description},
    {"groups", read_groups},
    {"links", read_links},
    {"nodes", read_nodes},
    {"edge_labels", read_edge_labels},
    {"limits", read_limits},
    {"sample", read_sample},
    {"mutation", read_mutation},
    {"shapes", sepx__read_shapes},
    {"required_edges", sepx__read_required},
    {"relabel", sepx__read_relabel},
};

static enum sepx_err
read_flags(struct reader *r, const struct sepx_json *root)
{
    static const char *const names[] = {"required", "pruned", "ignored",
                                        "to_output", NULL};
    unsigned connected = CONNECTED_REQUIRED;
    bool acyclic = true;
    enum sepx_err err = sepx__read_bool(r, root, "acyclic", &acyclic);

    if (!err)
        err = sepx__read_choice(r, root, "connected", &connected, names);
    if (!err)
        err = sepx__read_bool(r, root, "prune", &r->c->ops.prune);
    if (!err)
        err = sepx__read_bool(r, root, "repair", &r->c->repair);
    r->c->set_repair = sepx_json_get(root, "repair");
    r->c->has_starts = sepx_json_size(sepx_json_get(root, "start"));
    r->c->ops.cyclic = !acyclic;
    r->c->connected = (enum connected)connected;
    r->c->ops.unconnected = connected == CONNECTED_IGNORED;
    r->c->ops.sources = connected == CONNECTED_TO_OUTPUT;
    return err;
}

static enum sepx_err
read_sections(struct reader *r, const struct sepx_json *root)
{
    enum sepx_err err = SEPX_OK;

    for (size_t i = 0; i < sizeof(sections) / sizeof(*sections) && !err; i++) {
        const struct sepx_json *value = sepx_json_get(root, sections[i].key);

        if (!value)
            continue;
        sepx__reader_enter(r, sections[i].key);
        err = sections[i].read(r, value);
        if (!err)
            sepx__reader_leave(r);
    }
    if (!err && !r->c->ops.n_labels)
        err = sepx__refuse(r, "there are no \"nodes\"; add \"nodes\": "
                              "{\"label\": {}}");
    return err;
}

/* Numbers of the labels, which graphs need. */
static enum sepx_err
number_labels(struct reader *r)
{
    struct custom *c = r->c;
    enum sepx_err err = sepx__space_add_names(r->space);

    for (uint8_t i = 0; i < c->n_edge_labels && !err; i++)
        err =
            sepx_names_add(r->space->names, &c->edge_label[i], c->edge_text[i]);
    return err ? sepx__reader_fail(r, err) : SEPX_OK;
}

static enum sepx_err
read_graphs(struct reader *r, const struct sepx_json *root)
{
    const struct sepx_json *start = sepx_json_get(root, "start");
    const struct sepx_json *targets = sepx_json_get(root, "targets");
    enum sepx_err err = start ? sepx__read_starts(r, start) : SEPX_OK;

    return err || !targets ? err : sepx__read_targets(r, targets);
}

static void
set_defaults(struct custom *c)
{
    c->group[0] = (struct group_rule){NULL, any, any};
    c->n_groups = 1;
    c->n_edge_labels = 1;
    c->edge_text[0] = "";
    c->nodes = (struct range){1, NODES};
    c->edges = any;
    c->sample.nodes = any;
    c->sample.edge = NAN;
    c->mutation.changes = (struct range){1, 1};
    for (unsigned g = 0; g < GROUPS_MAX; g++)
        c->link[g][g] = true;
}

static enum sepx_err
read_root(struct reader *r, const struct sepx_json *root)
{
    static const char *const keys[] = {
        "format", "version",  "description", "nodes",          "edge_labels",
        "limits", "acyclic",  "connected",   "prune",          "repair",
        "groups", "links",    "shapes",      "required_edges", "relabel",
        "sample", "mutation", "start",       "targets",        NULL};
    enum sepx_err err = SEPX_OK;

    set_defaults(r->c);
    if (sepx_json_type(root) == SEPX_JSON_OBJECT)
        err = read_format(r, root);
    if (!err)
        err = sepx__read_keys(r, root, keys);
    if (!err)
        err = read_flags(r, root);
    if (!err)
        err = read_sections(r, root);
    if (!err)
        err = sepx__read_label_shapes(r);
    if (!err)
        err = sepx__check_limits(r);
    if (!err)
        err = number_labels(r);
    return err ? err : read_graphs(r, root);
}

enum sepx_err
sepx__custom_read(struct sepx_space *space, struct custom *c, const char *bytes,
                  size_t len, const char *name, struct sepx_msg *msg)
{
    const char *start = sepx__skip_mark(bytes, len);
    struct reader r = {.space = space,
                       .c = c,
                       .bytes = start,
                       .end = bytes + len,
                       .name = name,
                       .msg = msg};
    struct sepx_json *root;
    enum sepx_err err;

    err = sepx_json_parse(&root, start, (size_t)(r.end - start), msg);
    if (err) {
        sepx_msg_place(msg, name, 0);
        return err;
    }
    err = read_root(&r, root);
    if (!err)
        err = sepx__check_graphs(&r);
    sepx_json_free(root);
    return err;
}
