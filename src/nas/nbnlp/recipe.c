/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recipes of NAS-Bench-NLP (N. Klyuchnikov et al. 2022): a cell as a JSON
 * object of named operations and the names of their inputs.
 */
#include <stdio.h>
#include <string.h>

#include "base/internal.h"
#include "nas/nbnlp/private.h"

#define OPS_MAX 48 /* of a recipe that is looked at; a valid one has fewer */
#define STATES 3
#define INPUTS (1 + STATES)
#define NODES_MAX (OPS_MAX + INPUTS + STATES)

static const char *const input_names[INPUTS] = {"x", "h_prev_0", "h_prev_1",
                                                "h_prev_2"};
static const char *const state_names[STATES] = {"h_new_0", "h_new_1",
                                                "h_new_2"};

/* Nodes: the inputs, the operations in file order, the marks of states. */
struct reading {
    const char *name[OPS_MAX];
    const char *op[OPS_MAX];
    const struct sepx_json *inputs[OPS_MAX];
    unsigned n;
    bool edge[NODES_MAX][NODES_MAX];
    bool used[NODES_MAX];
};

static int
find_word(const char *word, const char *const *words, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (!strcmp(word, words[i]))
            return (int)i;
    return -1;
}

static enum sepx_err
read_nodes(struct reading *r, const struct sepx_json *recipe,
           struct sepx_msg *msg)
{
    const struct sepx_json *value;
    const char *name;
    void *position = NULL;

    if (sepx_json_type(recipe) != SEPX_JSON_OBJECT)
        return sepx_fail(msg, SEPX_EDATA,
                         "the recipe is %s; write {name: {\"op\": ..., "
                         "\"input\": [...]}, ...}",
                         sepx_json_type_name(recipe));
    while (sepx_json_next(recipe, &position, &name, &value)) {
        const struct sepx_json *inputs = sepx_json_get(value, "input");

        if (!inputs)
            inputs = sepx_json_get(value, "inputs");
        if (r->n == OPS_MAX)
            return sepx_fail(msg, SEPX_EDATA, "more than %d nodes", OPS_MAX);
        r->name[r->n] = name;
        r->op[r->n] = sepx_json_string(sepx_json_get(value, "op"));
        r->inputs[r->n] = inputs;
        if (!r->op[r->n] || !inputs)
            return sepx_fail(msg, SEPX_EDATA,
                             "node '%.60s' has no \"op\" or no \"input\"",
                             name);
        r->n++;
    }
    return SEPX_OK;
}

static enum sepx_err
add_input(struct reading *r, unsigned node, const char *source,
          struct sepx_msg *msg)
{
    int from = source ? find_word(source, r->name, r->n) : -1;

    if (from >= 0)
        from += INPUTS;
    else if (source)
        from = find_word(source, input_names, INPUTS);
    if (from < 0)
        return sepx_fail(msg, SEPX_EDATA,
                         "an input of node '%.60s' is neither a node nor x, "
                         "h_prev_0, h_prev_1 or h_prev_2",
                         r->name[node]);
    if (r->edge[from][INPUTS + node])
        return sepx_fail(msg, SEPX_EDATA,
                         "node '%.60s' has the input '%.60s' twice; no cell "
                         "of the space has",
                         r->name[node], source);
    r->edge[from][INPUTS + node] = true;
    r->used[from] = r->used[INPUTS + node] = true;
    return SEPX_OK;
}

static enum sepx_err
read_inputs(struct reading *r, struct sepx_msg *msg)
{
    enum sepx_err err = SEPX_OK;

    for (unsigned i = 0; i < r->n && !err; i++) {
        const struct sepx_json *inputs = r->inputs[i];
        size_t count = sepx_json_size(inputs);
        int state = find_word(r->name[i], state_names, STATES);

        r->used[INPUTS + i] = true;
        if (sepx_json_type(inputs) == SEPX_JSON_STRING)
            err = add_input(r, i, sepx_json_string(inputs), msg);
        for (size_t k = 0; k < count && !err; k++)
            err =
                add_input(r, i, sepx_json_string(sepx_json_at(inputs, k)), msg);
        if (state < 0)
            continue;
        r->edge[INPUTS + i][INPUTS + r->n + (unsigned)state] = true;
        r->used[INPUTS + r->n + (unsigned)state] = true;
    }
    return err;
}

static const char *
label_of(const struct reading *r, unsigned node)
{
    if (node < INPUTS)
        return input_names[node];
    if (node < INPUTS + r->n)
        return r->op[node - INPUTS];
    return state_names[node - INPUTS - r->n];
}

static enum sepx_err
add_nodes(const struct reading *r, struct sepx_graph *graph, unsigned *place,
          struct sepx_msg *msg)
{
    unsigned total = INPUTS + r->n + STATES;
    enum sepx_err err = SEPX_OK;

    for (unsigned i = 0; i < total && !err; i++) {
        int label = sepx_names_find(graph->names, label_of(r, i));

        if (!r->used[i])
            continue;
        if (label <= 0)
            return sepx_fail(msg, SEPX_EDATA,
                             "node '%.60s' has the unknown operation '%.60s'",
                             r->name[i - INPUTS], r->op[i - INPUTS]);
        place[i] = graph->n_nodes;
        err = sepx_graph_add_node(graph, (uint16_t)label);
    }
    return err;
}

static enum sepx_err
add_edges(const struct reading *r, struct sepx_graph *graph,
          const unsigned *place)
{
    unsigned total = INPUTS + r->n + STATES;
    enum sepx_err err = SEPX_OK;

    for (unsigned i = 0; i < total; i++)
        for (unsigned j = 0; j < total && !err; j++)
            if (r->edge[i][j])
                err = sepx_graph_add_edge(graph, place[i], place[j], 0);
    return err;
}

/* Inputs first and states last, as the space stores its graphs. */
static enum sepx_err
put_in_order(struct sepx_graph *graph, const struct sepx_graph *raw,
             const struct sepx_space *space, struct sepx_msg *msg)
{
    uint32_t order[NODES_MAX];
    bool good;
    enum sepx_err err = sepx_graph_topological(raw, order, &good);

    if (!err && !good)
        err = sepx_fail(msg, SEPX_EDATA, "the recipe has a cycle");
    if (!err)
        err = sepx_space_check(space, &good, raw, msg);
    if (!err && !good)
        err = SEPX_EDATA;
    return err ? err : sepx_graph_permute(graph, raw, order);
}

enum sepx_err
sepx_recipe_read(struct sepx_graph *graph, const struct sepx_space *space,
                 const struct sepx_json *recipe, struct sepx_msg *msg)
{
    struct reading r = {.n = 0};
    struct sepx_graph raw = {.names = sepx_space_names(space)};
    unsigned place[NODES_MAX] = {0};
    enum sepx_err err = read_nodes(&r, recipe, msg);

    if (!err)
        err = read_inputs(&r, msg);
    if (!err)
        err = add_nodes(&r, &raw, place, msg);
    if (!err)
        err = add_edges(&r, &raw, place);
    if (err == SEPX_EINVAL)
        err = sepx_fail(msg, SEPX_EDATA, "a node is its own input");
    if (!err)
        err = put_in_order(graph, &raw, space, msg);
    sepx_graph_release(&raw);
    return err;
}

/* ---- and back ---- */

static const char *
text_of(const struct sepx_graph *graph, uint32_t node)
{
    return sepx_names_text(graph->names, graph->label[node]);
}

/* The name of an input, a state or any other node. */
static void
name_node(char *room, size_t size, const struct sepx_graph *graph,
          uint32_t node)
{
    const char *text = text_of(graph, node);

    if (find_word(text, input_names, INPUTS) >= 0) {
        snprintf(room, size, "%s", text);
        return;
    }
    for (uint32_t i = 0; i < graph->n_edges; i++) {
        const char *target = text_of(graph, graph->edge[i].to);

        if (graph->edge[i].from == node &&
            find_word(target, state_names, STATES) >= 0) {
            snprintf(room, size, "%s", target);
            return;
        }
    }
    snprintf(room, size, "node_%u", node);
}

static void
put_inputs(struct sepx_json_writer *w, const struct sepx_graph *graph,
           uint32_t node)
{
    char name[32];

    sepx_json_open(w, '[');
    for (uint32_t i = 0; i < graph->n_edges; i++) {
        if (graph->edge[i].to != node)
            continue;
        name_node(name, sizeof(name), graph, graph->edge[i].from);
        sepx_json_put_string(w, name);
    }
    sepx_json_close(w, ']');
}

void
sepx_recipe_put_json(struct sepx_json_writer *w, const struct sepx_graph *graph)
{
    char name[32];

    sepx_json_open(w, '{');
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        const char *text = text_of(graph, i);

        if (find_word(text, input_names, INPUTS) >= 0 ||
            find_word(text, state_names, STATES) >= 0)
            continue;
        name_node(name, sizeof(name), graph, i);
        sepx_json_key(w, name);
        sepx_json_open(w, '{');
        sepx_json_add_string(w, "op", text);
        sepx_json_key(w, "input");
        put_inputs(w, graph, i);
        sepx_json_close(w, '}');
    }
    sepx_json_close(w, '}');
}
