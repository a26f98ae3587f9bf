/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A trace of torch.fx as JSON (docs/formats.md): its nodes in their order,
 * with names, operations, targets and arguments. A graph has those that
 * compute tensors and lead to the output, and every input; not sizes, what
 * is made of sizes alone, and what does nothing in a trained network. Only
 * read: there is no going back.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "graph/formats/formats.h"

enum { NODES_MOST = 1 << 20 };

enum kind {
    PLACEHOLDER,
    GET_ATTR,
    CALL_FUNCTION,
    CALL_METHOD,
    CALL_MODULE,
    OUTPUT,
    KINDS
};

static const char *const kinds[] = {
    "placeholder", "get_attr", "call_function", "call_method", "call_module",
    "output",      NULL};

/* A node of the trace. */
struct step {
    const char *name, *target, *label;
    enum kind kind;
    bool size;         /* no tensor */
    bool live;         /* leads to the output, or is an input */
    uint32_t stands;   /* itself, or the one that it is the same as */
    uint32_t number;   /* in the graph, if it is live */
    size_t first, end; /* of fx.source */
};

struct named {
    const char *name;
    uint32_t step;
};

struct fx {
    struct sepx_msg *msg;
    struct sepx__builder builder;
    const struct sepx_json *modules;
    struct step *step;
    struct named *named; /* by name, all of them */
    uint32_t *source;    /* steps that are read, in their order */
    size_t n_sources, source_room;
    uint32_t count;
};

static bool
is_one_of(const char *word, const char *const *list)
{
    for (; word && *list; list++)
        if (!strcmp(word, *list))
            return true;
    return false;
}

static int
by_name(const void *a, const void *b)
{
    return strcmp(((const struct named *)a)->name,
                  ((const struct named *)b)->name);
}

/* ---- one node ---- */

static enum sepx_err
read_kind(struct fx *fx, uint32_t i, const struct sepx_json *value)
{
    const char *op = sepx_json_string(sepx_json_get(value, "op"));

    if (!op)
        return sepx_fail(fx->msg, SEPX_EDATA,
                         "fx[%u]: there is no text \"op\", as torch.fx has it",
                         (unsigned)i);
    for (unsigned kind = 0; kind < KINDS; kind++)
        if (!strcmp(op, kinds[kind])) {
            fx->step[i].kind = kind;
            return SEPX_OK;
        }
    return sepx_fail(fx->msg, SEPX_EDATA,
                     "fx[%u]: unknown op \"%s\" (valid: placeholder, get_attr, "
                     "call_function, call_method, call_module, output)",
                     (unsigned)i, sepx__excerpt(op, strlen(op)).text);
}

static enum sepx_err
read_step(struct fx *fx, uint32_t i, const struct sepx_json *value)
{
    struct step *step = &fx->step[i];
    enum sepx_err err;

    if (sepx_json_type(value) != SEPX_JSON_OBJECT)
        return sepx_fail(fx->msg, SEPX_EDATA,
                         "fx[%u]: expected an object, not %s", (unsigned)i,
                         sepx_json_type_name(value));
    err = read_kind(fx, i, value);
    if (err)
        return err;
    step->name = sepx_json_string(sepx_json_get(value, "name"));
    step->target = sepx_json_string(sepx_json_get(value, "target"));
    step->label = sepx_json_string(sepx_json_get(value, "label"));
    step->stands = i;
    fx->named[i] = (struct named){step->name, i};
    if (!step->name)
        return sepx_fail(fx->msg, SEPX_EDATA,
                         "fx[%u]: there is no text \"name\"", (unsigned)i);
    if (!step->target && step->kind >= CALL_FUNCTION && step->kind < OUTPUT)
        return sepx_fail(fx->msg, SEPX_EDATA,
                         "fx[%u] (\"%s\"): there is no text \"target\", the "
                         "name of what is called",
                         (unsigned)i,
                         sepx__excerpt(step->name, strlen(step->name)).text);
    return SEPX_OK;
}

static enum sepx_err
read_steps(struct fx *fx, const struct sepx_json *list)
{
    enum sepx_err err = SEPX_OK;

    for (uint32_t i = 0; i < fx->count && !err; i++)
        err = read_step(fx, i, sepx_json_at(list, i));
    if (err)
        return err;
    qsort(fx->named, fx->count, sizeof *fx->named, by_name);
    for (uint32_t i = 1; i < fx->count; i++)
        if (!by_name(&fx->named[i - 1], &fx->named[i]))
            return sepx_fail(
                fx->msg, SEPX_EDATA,
                "two nodes have the name \"%s\"; names are those "
                "of torch.fx, which are different",
                sepx__excerpt(fx->named[i].name, strlen(fx->named[i].name))
                    .text);
    return SEPX_OK;
}

/* ---- what it reads ---- */

static enum sepx_err
add_source(struct fx *fx, uint32_t i, const char *name)
{
    const struct named key = {.name = name};
    const struct named *found =
        bsearch(&key, fx->named, fx->count, sizeof *fx->named, by_name);
    enum sepx_err err;

    if (!found || found->step >= i)
        return sepx_fail(
            fx->msg, SEPX_EDATA, "fx[%u] reads the node \"%s\", which %s",
            (unsigned)i, sepx__excerpt(name, strlen(name)).text,
            found ? "comes later; nodes are in the order of the trace"
                  : "there is not");
    err = sepx__grow((void **)&fx->source, &fx->source_room, fx->n_sources + 1,
                     sizeof *fx->source);
    if (err)
        return sepx_fail(fx->msg, err, "%s", sepx_strerror(err));
    fx->source[fx->n_sources++] = found->step;
    return SEPX_OK;
}

/* All {"node": NAME} in a value, which is no deeper than JSON may be. */
static enum sepx_err
add_sources(struct fx *fx, uint32_t i, const struct sepx_json *value)
{
    const char *name = sepx_json_string(sepx_json_get(value, "node")), *key;
    const struct sepx_json *part;
    void *position = NULL;
    enum sepx_err err = SEPX_OK;

    if (!value)
        return SEPX_OK;
    if (name && sepx_json_size(value) == 1)
        return add_source(fx, i, name);
    if (sepx_json_type(value) == SEPX_JSON_OBJECT)
        while (!err && sepx_json_next(value, &position, &key, &part))
            err = add_sources(fx, i, part);
    if (sepx_json_type(value) == SEPX_JSON_ARRAY)
        for (size_t k = 0; k < sepx_json_size(value) && !err; k++)
            err = add_sources(fx, i, sepx_json_at(value, k));
    return err;
}

/* A size, or made of nothing but sizes and constants. */
static bool
is_size(const struct fx *fx, const struct step *step)
{
    static const char *const methods[] = {"size", "dim", NULL};
    static const char *const functions[] = {"getattr", "_assert", NULL};

    if (step->kind == CALL_METHOD)
        return is_one_of(step->target, methods);
    if (step->kind != CALL_FUNCTION)
        return false;
    if (is_one_of(step->target, functions))
        return true;
    for (size_t k = step->first; k < step->end; k++)
        if (!fx->step[fx->source[k]].size)
            return false;
    return true;
}

/* What a module is called, with its sizes if it says them. */
static const char *
module_label(const struct fx *fx, const struct step *step)
{
    const char *label =
        sepx_json_string(sepx_json_get(fx->modules, step->target));

    return step->label ? step->label : label;
}

static bool
does_nothing(const struct fx *fx, const struct step *step)
{
    static const char *const modules[] = {"Identity", "StochasticDepth", NULL};
    static const char *const calls[] = {"stochastic_depth", "contiguous", NULL};
    const char *label = module_label(fx, step);
    size_t len = label ? strcspn(label, " ") : 0;

    if (step->kind == CALL_FUNCTION || step->kind == CALL_METHOD)
        return is_one_of(step->target, calls);
    for (size_t k = 0; step->kind == CALL_MODULE && label && modules[k]; k++)
        if (strlen(modules[k]) == len && !memcmp(modules[k], label, len))
            return true;
    return false;
}

/* Sources that are tensors move to the front; sizes are of no interest. */
static void
keep_tensors(struct fx *fx, struct step *step)
{
    size_t kept = step->first;

    for (size_t k = step->first; k < step->end; k++) {
        const struct step *source = &fx->step[fx->source[k]];

        if (!source->size)
            fx->source[kept++] = source->stands;
    }
    step->end = kept;
}

static enum sepx_err
read_sources(struct fx *fx, const struct sepx_json *list)
{
    for (uint32_t i = 0; i < fx->count; i++) {
        const struct sepx_json *value = sepx_json_at(list, i);
        struct step *step = &fx->step[i];
        enum sepx_err err;

        step->first = fx->n_sources;
        err = add_sources(fx, i, sepx_json_get(value, "args"));
        if (!err)
            err = add_sources(fx, i, sepx_json_get(value, "kwargs"));
        if (err)
            return err;
        step->end = fx->n_sources;
        step->size = is_size(fx, step);
        keep_tensors(fx, step);
        if (step->first < step->end && does_nothing(fx, step))
            step->stands = fx->source[step->first];
    }
    return SEPX_OK;
}

/* ---- the graph ---- */

static void
find_live(struct fx *fx)
{
    for (uint32_t i = fx->count; i-- > 0;) {
        struct step *step = &fx->step[i];

        step->live |= step->kind == OUTPUT || step->kind == PLACEHOLDER;
        if (step->size || step->stands != i)
            step->live = false;
        for (size_t k = step->first; step->live && k < step->end; k++)
            fx->step[fx->source[k]].live = true;
    }
}

static enum sepx_err
add_node(struct fx *fx, uint32_t i)
{
    static const char *const fixed[] = {[PLACEHOLDER] = "input",
                                        [GET_ATTR] = "parameter",
                                        [OUTPUT] = "output",
                                        [CALL_MODULE] = NULL};
    struct step *step = &fx->step[i];
    const char *label = step->label ? step->label : step->target;
    char where[32];

    if (step->kind == CALL_MODULE)
        label = module_label(fx, step);
    else if (fixed[step->kind])
        label = fixed[step->kind];
    if (!label)
        return sepx_fail(
            fx->msg, SEPX_EDATA,
            "fx[%u] calls the module \"%s\", whose label is not in "
            "\"modules\"; write the file with "
            "sepx.torch.save_fx()",
            (unsigned)i,
            sepx__excerpt(step->target, strlen(step->target)).text);
    (void)snprintf(where, sizeof where, "fx[%u]", (unsigned)i);
    step->number = fx->builder.graph.n_nodes;
    return sepx__builder_node(&fx->builder, label, strlen(label), where,
                              fx->msg);
}

static enum sepx_err
build(struct fx *fx)
{
    enum sepx_err err = SEPX_OK;

    find_live(fx);
    for (uint32_t i = 0; i < fx->count && !err; i++)
        if (fx->step[i].live)
            err = add_node(fx, i);
    for (uint32_t i = 0; i < fx->count && !err; i++)
        for (size_t k = fx->step[i].first;
             fx->step[i].live && k < fx->step[i].end && !err; k++) {
            const struct sepx_edge edge = {
                .from = (uint16_t)fx->step[fx->source[k]].number,
                .to = (uint16_t)fx->step[i].number};

            err = sepx__builder_edge(&fx->builder, edge, fx->msg);
        }
    sepx__edges_order(&fx->builder.graph);
    return err;
}

static enum sepx_err
check_root(struct fx *fx, const struct sepx_json *root)
{
    const struct sepx_json *list = sepx_json_get(root, "fx");

    if (sepx_json_type(root) != SEPX_JSON_OBJECT || !list ||
        sepx_json_type(list) != SEPX_JSON_ARRAY)
        return sepx_fail(fx->msg, SEPX_EDATA,
                         "there is no list \"fx\" of the nodes of a trace; "
                         "sepx.torch.save_fx() writes one");
    if (sepx_json_size(list) > NODES_MOST)
        return sepx_fail(fx->msg, SEPX_ELIMIT,
                         "the trace has %zu nodes, more than the %d allowed",
                         sepx_json_size(list), NODES_MOST);
    fx->count = (uint32_t)sepx_json_size(list);
    fx->modules = sepx_json_get(root, "modules");
    if (fx->modules && sepx_json_type(fx->modules) != SEPX_JSON_OBJECT)
        return sepx_fail(fx->msg, SEPX_EDATA,
                         "\"modules\": expected an object with the labels of "
                         "modules, not %s",
                         sepx_json_type_name(fx->modules));
    return SEPX_OK;
}

static enum sepx_err
from_fx(struct sepx_graph *graph, struct sepx_names *names,
        const struct sepx_json *root, struct sepx_msg *msg)
{
    const struct sepx_json *list = sepx_json_get(root, "fx");
    struct fx fx = {.msg = msg, .builder.graph.names = names};
    enum sepx_err err = check_root(&fx, root);

    if (!err) {
        fx.step = sepx__calloc(fx.count + 1u, sizeof *fx.step);
        fx.named = sepx__calloc(fx.count + 1u, sizeof *fx.named);
        if (!fx.step || !fx.named)
            err = sepx_fail(msg, SEPX_ENOMEM, "%s", sepx_strerror(SEPX_ENOMEM));
    }
    if (!err)
        err = read_steps(&fx, list);
    if (!err)
        err = read_sources(&fx, list);
    if (!err)
        err = build(&fx);
    if (!err)
        sepx__builder_finish(&fx.builder, graph);
    sepx__builder_release(&fx.builder);
    sepx__free(fx.step);
    sepx__free(fx.named);
    sepx__free(fx.source);
    return err;
}

static bool
is_fx(const struct sepx_json *root)
{
    return sepx_json_get(root, "fx");
}

const struct sepx__format sepx__format_fx = {
    .info = {"fx", "", "trace of torch.fx as JSON", true, false, false},
    .is_json = is_fx,
    .from_json = from_fx,
};
