/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The door: the list of spaces, and what they have in common. Each space is
 * one file with one row of functions.
 */
#include "space/private.h"

#include <string.h>

#include "space/internal.h"

#define DRAWS_MAX 10000 /* of a mutant */
#define FILE_BYTES (16u << 20)

#define X(name) &sepx__space_##name,
static const struct sepx__space_ops *const spaces[] = {SEPX__NAS_SPACES(X)
                                                           NULL};
#undef X

enum { N_SPACES = sizeof(spaces) / sizeof(*spaces) - 1 };

const struct sepx_space_info *const *
sepx_space_list(void)
{
#define X(name) &sepx__space_##name.info,
    static const struct sepx_space_info *const list[] = {SEPX__NAS_SPACES(X)
                                                             NULL};
#undef X

    return list;
}

/* ---- open and close ---- */

enum sepx_err
sepx__space_add_names(struct sepx_space *space)
{
    const struct sepx__space_ops *ops = space->ops;
    uint16_t id;
    enum sepx_err err = SEPX_OK;

    for (uint16_t i = 0; i < ops->n_labels && !err; i++) {
        err = sepx_names_add(space->names, &id, ops->label[i].text);
        if (ops->label[i].pinned)
            space->pinned[space->n_pinned++] = (uint16_t)(i + 1);
    }
    for (uint16_t i = 0; ops->edge_label && ops->edge_label[i] && !err; i++)
        err = sepx_names_add(space->names, &id, ops->edge_label[i]);
    return err;
}

static enum sepx_err
find_space(const struct sepx__space_ops **ops, const char *name,
           struct sepx_msg *msg)
{
    const char *names[N_SPACES + 1] = {NULL};

    for (size_t i = 0; spaces[i]; i++) {
        names[i] = spaces[i]->info.name;
        if (!strcmp(names[i], name)) {
            *ops = spaces[i];
            return SEPX_OK;
        }
    }
    return sepx__unknown(msg, "space", name, names);
}

static enum sepx_err
open_row(struct sepx_space *space, const char *name, struct sepx_msg *msg)
{
    const struct sepx__space_ops *ops = NULL;
    enum sepx_err err = find_space(&ops, name, msg);

    if (err)
        return err;
    if (ops->text)
        return sepx__custom_open(space, ops->text, strlen(ops->text), name,
                                 msg);
    space->ops = ops;
    return sepx__space_add_names(space);
}

static enum sepx_err
open_file(struct sepx_space *space, const char *path, struct sepx_msg *msg)
{
    struct sepx_text text = {0};
    enum sepx_err err = sepx_file_read(&text, path, FILE_BYTES, msg);

    if (!err)
        err = sepx__custom_open(space, text.at, text.len, path, msg);
    sepx_text_release(&text);
    return err;
}

static bool
is_path(const char *name)
{
    size_t len = strlen(name);

    return strchr(name, '/') || (len > 5 && !strcmp(name + len - 5, ".json"));
}

static enum sepx_err
new_space(struct sepx_space **space)
{
    *space = sepx__calloc(1, sizeof(**space));
    if (!*space)
        return SEPX_ENOMEM;
    (*space)->names = sepx_names_new();
    return (*space)->names ? SEPX_OK : SEPX_ENOMEM;
}

/* The space is done, or is not there. */
static enum sepx_err
end_open(struct sepx_space **space, enum sepx_err err)
{
    if (err) {
        sepx_space_close(*space);
        *space = NULL;
    }
    return err;
}

enum sepx_err
sepx_space_open(struct sepx_space **space, const char *name,
                struct sepx_msg *msg)
{
    enum sepx_err err = new_space(space);

    if (!err)
        err = is_path(name) ? open_file(*space, name, msg)
                            : open_row(*space, name, msg);
    return end_open(space, err);
}

enum sepx_err
sepx_space_open_text(struct sepx_space **space, const char *bytes, size_t len,
                     const char *name, struct sepx_msg *msg)
{
    enum sepx_err err = new_space(space);

    if (!err)
        err = sepx__custom_open(*space, bytes, len, name, msg);
    return end_open(space, err);
}

void
sepx_space_close(struct sepx_space *space)
{
    if (!space)
        return;
    if (space->ops && space->ops->release)
        space->ops->release(space);
    sepx_names_free(space->names);
    sepx__free(space);
}

const struct sepx_space_info *
sepx_space_info(const struct sepx_space *space)
{
    return &space->ops->info;
}

struct sepx_names *
sepx_space_names(const struct sepx_space *space)
{
    return space->names;
}

void
sepx_space_set_stop(struct sepx_space *space, const struct sepx_stop *stop)
{
    space->stop = stop ? *stop : (struct sepx_stop){0};
}

bool
sepx_space_stopped(const struct sepx_space *space)
{
    return sepx__stop_asked(&space->stop);
}

const uint16_t *
sepx_space_pinned(const struct sepx_space *space, size_t *count)
{
    *count = space->n_pinned;
    return space->pinned;
}

/* ---- validity ---- */

static bool
known_labels(const struct sepx_space *space, const struct sepx_graph *graph,
             struct sepx_msg *msg)
{
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        uint16_t label = graph->label[i];

        if (label && label <= space->ops->n_labels)
            continue;
        sepx_fail(msg, SEPX_EINVAL, "node %u: %s has no label '%s'", i,
                  space->ops->info.name, sepx_names_text(space->names, label));
        return false;
    }
    return true;
}

/* Directed, no self-loops, no parallel edges. */
static bool
check_edges(const struct sepx_graph *graph, struct sepx_msg *msg)
{
    if (graph->undirected) {
        sepx_fail(msg, SEPX_EINVAL,
                  "the graph is undirected; spaces have directed graphs only");
        return false;
    }
    for (uint32_t i = 0; i < graph->n_edges; i++) {
        const struct sepx_edge *edge = &graph->edge[i];

        if (edge->from == edge->to) {
            sepx_fail(msg, SEPX_EINVAL, "node %u has an edge to itself",
                      edge->from);
            return false;
        }
        if (i && edge[-1].from == edge->from && edge[-1].to == edge->to) {
            sepx_fail(msg, SEPX_EINVAL, "several edges lead from node %u to %u",
                      edge->from, edge->to);
            return false;
        }
    }
    return true;
}

/* What every space wants; fills in `rows`. */
static bool
check_common(const struct sepx_space *space, const struct sepx_graph *graph,
             struct sepx__rows *rows, struct sepx_msg *msg)
{
    if (graph->n_nodes > space->ops->nodes_max) {
        sepx_fail(msg, SEPX_EINVAL, "%u nodes; %s allows %u", graph->n_nodes,
                  space->ops->info.name, space->ops->nodes_max);
        return false;
    }
    if (!known_labels(space, graph, msg) || !check_edges(graph, msg))
        return false;
    if (graph->n_nodes > SEPX__SPACE_NODES)
        return true; /* its cycles are looked for elsewhere */
    sepx__rows_init(rows, graph);
    if (space->ops->cyclic || sepx__rows_acyclic(rows))
        return true;
    sepx_fail(msg, SEPX_EINVAL, "the graph has a cycle");
    return false;
}

bool
sepx__space_near(const struct sepx_space *space, const struct sepx_graph *graph,
                 struct sepx_msg *msg)
{
    struct sepx__rows rows;

    return check_common(space, graph, &rows, msg);
}

enum sepx_err
sepx_space_check(const struct sepx_space *space, bool *valid,
                 const struct sepx_graph *graph, struct sepx_msg *msg)
{
    struct sepx__rows rows;

    *valid = check_common(space, graph, &rows, msg);
    if (*valid && graph->n_nodes > SEPX__SPACE_NODES)
        return sepx__wide_check(space, valid, graph, msg);
    *valid = *valid && space->ops->check(space, graph, &rows, msg);
    return SEPX_OK;
}

/* ---- drawing ---- */

enum sepx_err
sepx_space_sample(const struct sepx_space *space, struct sepx_graph *graph,
                  struct sepx_rng *rng)
{
    bool valid = false;
    enum sepx_err err = SEPX_OK;

    while (!valid && !err) {
        err = space->ops->sample(space, graph, rng);
        if (!err)
            err = sepx_space_check(space, &valid, graph, NULL);
        if (!err && !valid && sepx_space_stopped(space))
            err = SEPX_ESTOPPED;
    }
    return err;
}

/* The order in which a parent is mutated. */
static enum sepx_err
draw_order(const struct sepx_space *space, uint32_t *order,
           const struct sepx_graph *parent, const struct sepx_rules *rules,
           struct sepx_rng *rng)
{
    struct sepx__rows rows;

    sepx__rows_init(&rows, parent);
    return sepx__arrange(space, order, parent, &rows, NULL,
                         rules->reorder ? SEPX_ORDER_RANDOM : SEPX_ORDER_KEEP,
                         rules->reorder, rng);
}

/* A mutation may add nodes at the end. */
static enum sepx_err
store(const struct sepx_space *space, struct sepx_graph *graph)
{
    uint32_t order[SEPX__SPACE_NODES];
    struct sepx__rows rows;
    enum sepx_err err;

    if (sepx__is_stored(space, graph))
        return SEPX_OK;
    sepx__rows_init(&rows, graph);
    err = sepx__arrange(space, order, graph, &rows, NULL, SEPX_ORDER_SMALLEST,
                        true, NULL);
    if (!err)
        sepx__reorder(graph, order);
    return err;
}

/* *good: the draw is a mutant that the rules accept. */
static enum sepx_err
draw_mutant(const struct sepx_space *space, struct sepx_graph *child,
            bool *good, const struct sepx_graph *parent, const uint32_t *order,
            const struct sepx_rules *rules, struct sepx_rng *rng)
{
    bool same = false;
    enum sepx_err err = sepx_graph_permute(child, parent, order);

    if (err)
        return err;
    sepx__forget_extra(child);
    err = space->ops->mutate(space, child, rules, rng);
    if (!err && child->n_nodes > SEPX__SPACE_NODES)
        return sepx__wide_accept(space, child, good, parent, rules);
    *good = space->ops->free_mutants && rules->judge == SEPX_ACCEPT_PUBLISHED;
    if (!err && !*good)
        err = sepx_space_check(space, good, child, NULL);
    if (!err && *good && rules->dangling >= SEPX_DANGLING_AVOID)
        *good = !sepx__dangling(space, child);
    if (!err && *good && rules->differ)
        err = sepx_graph_isomorphic(child, parent, &same, NULL);
    *good = !err && *good && !same;
    return err || !*good ? err : store(space, child);
}

enum sepx_err
sepx_space_mutate(const struct sepx_space *space, struct sepx_graph *child,
                  const struct sepx_graph *parent,
                  const struct sepx_rules *rules, struct sepx_rng *rng)
{
    struct sepx_rules now;
    uint32_t order[SEPX__SPACE_NODES];
    bool good = false;
    enum sepx_err err;

    if (parent->n_nodes > SEPX__WIDE_NODES ||
        (parent->n_nodes > SEPX__SPACE_NODES && !space->ops->mutate_wide))
        return SEPX_EINVAL;
    now = sepx__rules_toss(rules, rng);
    if (parent->n_nodes > SEPX__SPACE_NODES)
        return sepx__wide_mutate(space, child, parent, &now, rng);
    err = draw_order(space, order, parent, rules, rng);
    for (unsigned i = 0; i < DRAWS_MAX && !good && !err; i++) {
        if (i == rules->trials && now.dangling == SEPX_DANGLING_AVOID)
            now.dangling = SEPX_DANGLING_KEEP;
        err = draw_mutant(space, child, &good, parent, order, &now, rng);
        if (!err && !good && sepx_space_stopped(space))
            err = SEPX_ESTOPPED;
    }
    return err || good ? err : sepx_graph_copy(child, parent);
}

uint32_t
sepx_space_moves(const struct sepx_space *space, const struct sepx_graph *graph)
{
    /* Local search is for small graphs. */
    if (graph->n_nodes > SEPX__SPACE_NODES)
        return 0;
    return space->ops->moves(space, graph);
}

enum sepx_err
sepx_space_move(const struct sepx_space *space, struct sepx_graph *out,
                bool *valid, const struct sepx_graph *graph, uint32_t move)
{
    enum sepx_err err = sepx_graph_copy(out, graph);

    if (!err)
        err = space->ops->move(space, out, move);
    return err ? err : sepx_space_check(space, valid, out, NULL);
}

/* ---- what is measured ---- */

static enum sepx_err
build_sketch(const struct sepx_space *space, struct sepx_graph *graph,
             const struct sepx__sketch *sketch)
{
    enum sepx_err err = SEPX_OK;

    graph->names = space->names;
    sepx_graph_clear(graph);
    for (size_t i = 0; sketch->node[i] && !err; i++)
        err = sepx_graph_add_node(graph, sketch->node[i]);
    for (size_t i = 0; sketch->edge[i][1] && !err; i++)
        err = sepx_graph_add_edge(graph, sketch->edge[i][0], sketch->edge[i][1],
                                  0);
    return err;
}

enum sepx_err
sepx_space_target(const struct sepx_space *space, struct sepx_graph *graph,
                  const char *name, struct sepx_msg *msg)
{
    const struct sepx__space_ops *ops = space->ops;
    const char *const *names = ops->info.targets;

    for (size_t i = 0; names && names[i]; i++)
        if (!strcmp(names[i], name))
            return ops->target ? ops->target(space, graph, i)
                               : build_sketch(space, graph, &ops->targets[i]);
    if (!names || !names[0])
        return sepx_fail(msg, SEPX_ENOTFOUND, "space %s has no targets",
                         ops->info.name);
    return sepx__unknown(msg, "target", name, names);
}

static enum sepx_err
copy_some(struct sepx_graph *out, const struct sepx_graph *graph, uint64_t set)
{
    bool keep[SEPX__SPACE_NODES];
    enum sepx_err err = sepx_graph_copy(out, graph);

    if (err || sepx__count(set) == graph->n_nodes)
        return err;
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        keep[i] = set >> i & 1;
    sepx_graph_keep(out, keep);
    return SEPX_OK;
}

enum sepx_err
sepx_space_plain(const struct sepx_space *space, struct sepx_graph *out,
                 const struct sepx_graph *graph)
{
    enum sepx_err err;

    if (graph->n_nodes > SEPX__SPACE_NODES) /* spaces of files have no marks */
        return sepx_graph_copy(out, graph);
    err = copy_some(out, graph,
                    sepx__nodes_of(space, graph, ~(1u << SEPX__MARK)));
    for (uint32_t i = 0; !err && space->ops->plain_edges && i < out->n_edges;
         i++)
        out->edge[i].label = 0;
    return err;
}

enum sepx_err
sepx_space_prune(const struct sepx_space *space, struct sepx_graph *out,
                 const struct sepx_graph *graph)
{
    struct sepx__rows rows;

    if (graph->n_nodes > SEPX__SPACE_NODES)
        return sepx__wide_prune(space, out, graph);
    sepx__rows_init(&rows, graph);
    return copy_some(out, graph, sepx__live(space, graph, &rows));
}

enum sepx_err
sepx_space_live(const struct sepx_space *space, bool *live,
                const struct sepx_graph *graph, struct sepx_msg *msg)
{
    struct sepx__rows rows;
    uint64_t set;

    if (!check_common(space, graph, &rows, msg))
        return SEPX_EINVAL;
    if (graph->n_nodes > SEPX__SPACE_NODES)
        return sepx__wide_live(space, live, graph, msg);
    set = sepx__live(space, graph, &rows);
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        live[i] = set >> i & 1;
    return SEPX_OK;
}
