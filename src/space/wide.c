/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Graphs of more than 64 nodes: whole networks, in spaces of files. Cells are
 * bit rows (rows.c), which is what makes them fast; here plain lists do the
 * same in O(nodes + edges). Children are stored in the order of the smallest
 * ready node, whatever the rule `order` says, unless it keeps theirs: a
 * uniform draw of an order would take seconds. Nothing is mended.
 */
#include <string.h>

#include "space/internal.h"

/* ---- paths ---- */

/* From nodes of `role`, along the edges or against them. */
static void
mark_reached(const struct sepx_space *space, const struct sepx_graph *graph,
             enum sepx__role role, bool forward, const uint32_t *order,
             bool *reached)
{
    const uint32_t n = graph->n_nodes;

    for (uint32_t i = 0; i < n; i++)
        reached[i] = sepx__label_row(space, graph->label[i])->role == role;
    if (forward) {
        /* Edges ascend by source; a topological order sees sources first. */
        for (uint32_t k = 0; k < n; k++) {
            const struct sepx_edge *end = graph->edge + graph->n_edges;
            uint32_t v = order[k];

            if (!reached[v])
                continue;
            for (const struct sepx_edge *e = sepx__first_edge(graph, v);
                 e < end && e->from == v; e++)
                reached[e->to] = true;
        }
        return;
    }
    for (uint32_t k = n; k-- > 0;) {
        const struct sepx_edge *end = graph->edge + graph->n_edges;
        uint32_t v = order[k];

        for (const struct sepx_edge *e = sepx__first_edge(graph, v);
             e < end && e->from == v && !reached[v]; e++)
            reached[v] = reached[e->to];
    }
}

const struct sepx_edge *
sepx__first_edge(const struct sepx_graph *graph, uint32_t from)
{
    uint32_t low = 0, high = graph->n_edges;

    while (low < high) {
        uint32_t middle = (low + high) / 2;

        if (graph->edge[middle].from < from)
            low = middle + 1;
        else
            high = middle;
    }
    return graph->edge + low;
}

/* {0} is empty. */
struct wide {
    uint32_t *order;
    bool *live, *other;
    bool acyclic;
};

static void
wide_release(struct wide *wide)
{
    sepx__free(wide->order);
    sepx__free(wide->live);
    sepx__free(wide->other);
    *wide = (struct wide){0};
}

/* An order and the live nodes, if the graph is acyclic. */
static SEPX_CHECKED enum sepx_err
look(const struct sepx_space *space, const struct sepx_graph *graph,
     struct wide *wide)
{
    const uint32_t n = graph->n_nodes;
    enum sepx_err err = SEPX_ENOMEM;

    wide->order = sepx__calloc(n + 1, sizeof(*wide->order));
    wide->live = sepx__calloc(n + 1, sizeof(*wide->live));
    wide->other = sepx__calloc(n + 1, sizeof(*wide->other));
    if (wide->order && wide->live && wide->other)
        err = sepx_graph_topological(graph, wide->order, &wide->acyclic);
    if (err || !wide->acyclic)
        return err;
    mark_reached(space, graph, SEPX__INPUT, true, wide->order, wide->live);
    mark_reached(space, graph, SEPX__OUTPUT, false, wide->order, wide->other);
    for (uint32_t i = 0; i < n; i++)
        wide->live[i] =
            space->ops->unconnected ||
            ((wide->live[i] || space->ops->sources) && wide->other[i]);
    return SEPX_OK;
}

/* ---- validity ---- */

enum sepx_err
sepx__wide_check(const struct sepx_space *space, bool *valid,
                 const struct sepx_graph *graph, struct sepx_msg *msg)
{
    struct wide wide = {0};
    enum sepx_err err = SEPX_OK;

    *valid = false;
    if (space->ops->cyclic || !space->ops->check_wide) {
        sepx_fail(msg, SEPX_EINVAL,
                  "%u nodes; above %d nodes only acyclic spaces of files have "
                  "graphs",
                  graph->n_nodes, SEPX__SPACE_NODES);
        return SEPX_OK;
    }
    err = look(space, graph, &wide);
    if (!err && !wide.acyclic)
        sepx_fail(msg, SEPX_EINVAL, "the graph has a cycle");
    else if (!err)
        *valid = space->ops->check_wide(space, graph, wide.live, msg);
    wide_release(&wide);
    return err;
}

/* ---- from a raw child to a graph of the space ---- */

struct finish {
    const struct sepx_space *space;
    struct sepx_graph *child;
    struct wide wide; /* of the child as it is now */
    int16_t *place;   /* of each raw node */
    uint32_t n_raw;
};

static SEPX_CHECKED enum sepx_err
look_again(struct finish *f)
{
    wide_release(&f->wide);
    return look(f->space, f->child, &f->wide);
}

static SEPX_CHECKED enum sepx_err
keep_live(struct finish *f)
{
    uint32_t n = 0;
    int16_t *to = sepx__calloc(f->child->n_nodes + 1, sizeof(*to));

    if (!to)
        return SEPX_ENOMEM;
    for (uint32_t i = 0; i < f->child->n_nodes; i++)
        to[i] = f->wide.live[i] ? (int16_t)n++ : (int16_t)SEPX_NONE;
    if (n < f->child->n_nodes)
        sepx_graph_keep(f->child, f->wide.live);
    for (uint32_t i = 0; i < f->n_raw; i++) {
        if (f->place[i] != SEPX_NONE)
            f->place[i] = to[f->place[i]];
    }
    sepx__free(to);
    return look_again(f);
}

static bool
dangles(const struct finish *f, struct sepx_msg *msg)
{
    for (uint32_t i = 0; i < f->child->n_nodes; i++) {
        uint16_t label = f->child->label[i];

        if (f->wide.live[i] ||
            sepx__label_row(f->space, label)->role != SEPX__INNER)
            continue;
        sepx_fail(msg, SEPX_EINVAL, "node %u is on no path to an output", i);
        return true;
    }
    return false;
}

/* Groups ascend; within them the topological order stays. */
static void
sort_by_group(const struct sepx_space *space, const struct sepx_graph *graph,
              uint32_t *order, uint32_t *room)
{
    uint32_t n = 0;

    for (unsigned group = 0; n < graph->n_nodes && group < 256; group++) {
        for (uint32_t k = 0; k < graph->n_nodes; k++) {
            uint16_t label = graph->label[order[k]];

            if (sepx__label_row(space, label)->group == group)
                room[n++] = order[k];
        }
    }
    memcpy(order, room, n * sizeof(*order));
}

static SEPX_CHECKED enum sepx_err
put_in_order(struct finish *f)
{
    const uint32_t n = f->child->n_nodes;
    uint32_t *room = sepx__calloc(n + 1, sizeof(*room));
    struct sepx_graph sorted = {.names = f->child->names};
    enum sepx_err err = room ? SEPX_OK : SEPX_ENOMEM;

    if (!err) {
        sort_by_group(f->space, f->child, f->wide.order, room);
        err = sepx_graph_permute(&sorted, f->child, f->wide.order);
    }
    if (!err) {
        for (uint32_t i = 0; i < n; i++)
            room[f->wide.order[i]] = i;
        for (uint32_t i = 0; i < f->n_raw; i++) {
            if (f->place[i] != SEPX_NONE)
                f->place[i] = (int16_t)room[f->place[i]];
        }
        err = sepx_graph_copy(f->child, &sorted);
    }
    sepx_graph_release(&sorted);
    sepx__free(room);
    return err;
}

static SEPX_CHECKED enum sepx_err
finish(struct finish *f, enum sepx_verdict *verdict,
       const struct sepx_rules *rules, struct sepx_msg *msg)
{
    bool valid = false;
    enum sepx_err err = look_again(f);

    if (!err && !f->wide.acyclic) {
        sepx_fail(msg, SEPX_EINVAL, "the child has a cycle");
        *verdict = SEPX_CYCLIC;
        return SEPX_OK;
    }
    if (!err && rules->dangling == SEPX_DANGLING_REJECT && dangles(f, msg))
        return SEPX_OK;
    if (!err && (f->space->ops->prune || rules->dangling == SEPX_DANGLING_DROP))
        err = keep_live(f);
    if (!err)
        err = sepx_space_check(f->space, &valid, f->child, msg);
    if (err || !valid)
        return err;
    if (rules->dangling == SEPX_DANGLING_AVOID && dangles(f, msg)) {
        *verdict = SEPX_DANGLES;
        return SEPX_OK;
    }
    err = rules->order == SEPX_ORDER_KEEP ? SEPX_OK : put_in_order(f);
    if (!err)
        *verdict = SEPX_ACCEPTED;
    return err;
}

enum sepx_err
sepx__wide_finish(const struct sepx_space *space, struct sepx_graph *child,
                  enum sepx_verdict *verdict, int16_t *place,
                  const struct sepx_rules *rules, struct sepx_msg *msg)
{
    struct finish f = {.space = space, .child = child};
    enum sepx_err err;

    f.n_raw = child->n_nodes;
    f.place = sepx__calloc(f.n_raw + 1, sizeof(*f.place));
    if (!f.place)
        return SEPX_ENOMEM;
    for (uint32_t i = 0; i < f.n_raw; i++)
        f.place[i] = (int16_t)i;
    err = finish(&f, verdict, rules, msg);
    if (!err && place)
        memcpy(place, f.place, f.n_raw * sizeof(*place));
    wide_release(&f.wide);
    sepx__free(f.place);
    return err;
}

enum sepx_err
sepx__wide_prune(const struct sepx_space *space, struct sepx_graph *out,
                 const struct sepx_graph *graph)
{
    struct wide wide = {0};
    enum sepx_err err = sepx_graph_copy(out, graph);

    if (!err)
        err = look(space, graph, &wide);
    if (!err && wide.acyclic)
        sepx_graph_keep(out, wide.live);
    wide_release(&wide);
    return err;
}

enum sepx_err
sepx__wide_live(const struct sepx_space *space, bool *live,
                const struct sepx_graph *graph, struct sepx_msg *msg)
{
    struct wide wide = {0};
    enum sepx_err err = look(space, graph, &wide);

    if (!err && !wide.acyclic)
        err = sepx_fail(msg, SEPX_EINVAL, "the graph has a cycle");
    if (!err)
        memcpy(live, wide.live, graph->n_nodes * sizeof *live);
    wide_release(&wide);
    return err;
}

/* ---- mutation ---- */

enum { DRAWS = 1000 };

enum sepx_err
sepx__wide_accept(const struct sepx_space *space, struct sepx_graph *child,
                  bool *good, const struct sepx_graph *parent,
                  const struct sepx_rules *rules)
{
    struct sepx_rules now = *rules;
    enum sepx_verdict verdict = SEPX_INVALID;
    bool same = false;
    enum sepx_err err;

    if (now.order == SEPX_ORDER_KEEP && !sepx__is_stored(space, child))
        now.order = SEPX_ORDER_SMALLEST;
    err = sepx__wide_finish(space, child, &verdict, NULL, &now, NULL);
    *good = !err && verdict == SEPX_ACCEPTED;
    if (*good && rules->differ)
        err = sepx_graph_isomorphic(child, parent, &same, NULL);
    *good = *good && !err && !same;
    return err;
}

/* In stored order; a mutant that is not valid is drawn again. */
enum sepx_err
sepx__wide_mutate(const struct sepx_space *space, struct sepx_graph *child,
                  const struct sepx_graph *parent,
                  const struct sepx_rules *rules, struct sepx_rng *rng)
{
    bool good = false;
    enum sepx_err err = SEPX_OK;

    for (int i = 0; i < DRAWS && !good && !err; i++) {
        err = sepx_graph_copy(child, parent);
        if (err)
            break;
        sepx__forget_extra(child);
        err = space->ops->mutate_wide(space, child, rng);
        if (!err)
            err = sepx__wide_accept(space, child, &good, parent, rules);
        if (!err && !good && sepx_space_stopped(space))
            err = SEPX_ESTOPPED;
    }
    return err || good ? err : sepx_graph_copy(child, parent);
}
