/* SPDX-License-Identifier: Apache-2.0 */
/* A space as the text of a file: every setting that holds, graphs included. */
#include "space/language/language.h"

static void
put_range(struct sepx_json_writer *w, const char *key, struct range range)
{
    if (!range.min && range.max == UNLIMITED)
        return;
    sepx_json_key(w, key);
    if (range.min == range.max) {
        sepx_json_put_integer(w, range.min);
        return;
    }
    sepx_json_open(w, '[');
    sepx_json_put_integer(w, range.min);
    if (range.max == UNLIMITED)
        sepx_json_put_null(w);
    else
        sepx_json_put_integer(w, range.max);
    sepx_json_close(w, ']');
}

static void
put_label(struct sepx_json_writer *w, const struct custom *c, uint16_t i)
{
    const struct label_rule *rule = &c->rule[i];
    enum sepx__role role = c->label[i].role;

    sepx_json_key(w, c->label[i].text);
    sepx_json_open(w, '{');
    if (role != SEPX__INNER)
        sepx_json_add_string(w, "role",
                             role == SEPX__INPUT ? "input" : "output");
    if (c->group[0].name)
        sepx_json_add_string(w, "group", c->group[rule->group].name);
    put_range(w, "count", rule->count);
    put_range(w, "in", rule->in);
    put_range(w, "out", rule->out);
    if (role == SEPX__INNER && c->label[i].pinned)
        sepx_json_add_bool(w, "pinned", true);
    if (rule->join != JOIN_ADD)
        sepx_json_add_string(w, "shape", sepx__join_keys[rule->join]);
    sepx_json_close(w, '}');
}

static void
put_groups(struct sepx_json_writer *w, const struct custom *c)
{
    if (!c->group[0].name)
        return;
    sepx_json_key(w, "groups");
    sepx_json_open(w, '{');
    for (uint8_t g = 0; g < c->n_groups; g++) {
        sepx_json_key(w, c->group[g].name);
        sepx_json_open(w, '{');
        put_range(w, "nodes", c->group[g].nodes);
        put_range(w, "edges", c->group[g].edges);
        sepx_json_close(w, '}');
    }
    sepx_json_close(w, '}');
    sepx_json_key(w, "links");
    sepx_json_open(w, '[');
    for (uint8_t a = 0; a < c->n_groups; a++)
        for (uint8_t b = 0; b < c->n_groups; b++) {
            if (a == b || !c->link[a][b])
                continue;
            sepx_json_open(w, '[');
            sepx_json_put_string(w, c->group[a].name);
            sepx_json_put_string(w, c->group[b].name);
            sepx_json_close(w, ']');
        }
    sepx_json_close(w, ']');
}

static void
put_network(struct sepx_json_writer *w, const struct custom *c)
{
    if (c->shapes.given) {
        sepx_json_key(w, "shapes");
        sepx_json_open(w, '{');
        sepx_json_add_bool(w, "check", c->shapes.check);
        sepx_json_add_string(w, "stride", c->shapes.stride);
        sepx_json_add_string(w, "channels", c->shapes.channels);
        put_range(w, "total_stride", c->shapes.total);
        sepx_json_close(w, '}');
    }
    if (c->n_required) {
        sepx_json_key(w, "required_edges");
        sepx_json_open(w, '[');
        for (uint8_t i = 0; i < c->n_required; i++) {
            sepx_json_open(w, '[');
            sepx_json_put_string(w, c->required[i].from);
            sepx_json_put_string(w, c->required[i].to);
            sepx_json_close(w, ']');
        }
        sepx_json_close(w, ']');
    }
    if (c->n_fields) {
        sepx_json_key(w, "relabel");
        sepx_json_open(w, '{');
        for (size_t i = 0; i < c->n_fields; i++)
            sepx_json_add_number(w, c->field[i].field, c->field[i].weight);
        sepx_json_close(w, '}');
    }
}

static void
put_rules(struct sepx_json_writer *w, const struct custom *c)
{
    static const char *const connected[] = {"required", "pruned", "ignored",
                                            "to_output"};

    sepx_json_key(w, "nodes");
    sepx_json_open(w, '{');
    for (uint16_t i = 0; i < c->ops.n_labels; i++)
        put_label(w, c, i);
    sepx_json_close(w, '}');
    if (c->n_edge_labels > 1 || c->edge_text[0][0]) {
        sepx_json_key(w, "edge_labels");
        sepx_json_open(w, '[');
        for (uint8_t i = 0; i < c->n_edge_labels; i++)
            sepx_json_put_string(w, c->edge_text[i]);
        sepx_json_close(w, ']');
    }
    put_groups(w, c);
    sepx_json_key(w, "limits");
    sepx_json_open(w, '{');
    put_range(w, "nodes", c->nodes);
    put_range(w, "edges", c->edges);
    sepx_json_close(w, '}');
    sepx_json_add_bool(w, "acyclic", !c->ops.cyclic);
    sepx_json_add_string(w, "connected", connected[c->connected]);
    sepx_json_add_bool(w, "prune", c->ops.prune);
    sepx_json_add_bool(w, "repair", c->repair);
    put_network(w, c);
}

static void
put_numbers(struct sepx_json_writer *w, const char *key, const double *value)
{
    sepx_json_key(w, key);
    sepx_json_open(w, '{');
    for (unsigned i = 0; i < N_CHANGES; i++) {
        if (!(value[i] > 0))
            continue;
        sepx_json_add_number(w, sepx__change_keys[i], value[i]);
    }
    sepx_json_close(w, '}');
}

static void
put_drawing(struct sepx_json_writer *w, const struct custom *c)
{
    sepx_json_key(w, "sample");
    sepx_json_open(w, '{');
    put_range(w, "nodes", c->sample.nodes);
    sepx_json_add_number(w, "edge_probability", c->sample.edge);
    sepx_json_close(w, '}');
    sepx_json_key(w, "mutation");
    sepx_json_open(w, '{');
    if (c->mutation.given || !sepx__custom_has_whole(c)) {
        put_numbers(w, "each", c->mutation.each);
        put_numbers(w, "weights", c->mutation.weight);
    }
    put_range(w, "changes", c->mutation.changes);
    if (c->mutation.fill)
        put_range(w, "fill_to",
                  (struct range){c->mutation.fill, c->mutation.fill});
    sepx_json_close(w, '}');
}

static void
put_graphs(struct sepx_json_writer *w, const struct custom *c)
{
    if (c->start.count) {
        sepx_json_key(w, "start");
        sepx_json_open(w, '[');
        for (size_t i = 0; i < c->start.count; i++)
            sepx_graph_put_json(w, &c->start.at[i]);
        sepx_json_close(w, ']');
    }
    if (!c->target.count)
        return;
    sepx_json_key(w, "targets");
    sepx_json_open(w, '{');
    for (size_t i = 0; i < c->target.count; i++) {
        sepx_json_key(w, c->target_name[i]);
        sepx_graph_put_json(w, &c->target.at[i]);
    }
    sepx_json_close(w, '}');
}

enum sepx_err
sepx__custom_write(struct sepx_text *text, const struct sepx_space *space)
{
    const struct custom *c = custom_of(space);
    struct sepx_json_writer w;

    sepx_json_begin(&w, text);
    sepx_json_open(&w, '{');
    sepx_json_add_string(&w, "format", "sepx-space");
    sepx_json_add_integer(&w, "version", 1);
    if (c->description)
        sepx_json_add_string(&w, "description", c->description);
    put_rules(&w, c);
    put_drawing(&w, c);
    put_graphs(&w, c);
    sepx_json_close(&w, '}');
    return sepx_json_done(&w);
}

enum sepx_err
sepx_space_write(struct sepx_text *text, const struct sepx_space *space)
{
    const char *file = space->ops->file;

    if (space->state)
        return sepx__custom_write(text, space);
    return file ? sepx_text_print(text, "%s", file) : SEPX_EUNSUPPORTED;
}
