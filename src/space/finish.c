/* SPDX-License-Identifier: Apache-2.0 */
/* From a raw crossover child to a graph of the space, or a reason why not. */
#include <assert.h>
#include <string.h>

#include "space/internal.h"

/* A child on its way, and where the raw child's nodes have gone. */
struct finish {
    const struct sepx_space *space;
    struct sepx_graph *child;
    struct sepx__rows rows; /* of the child as it is now */
    const uint64_t *fresh;  /* new edges of each raw node, or NULL */
    uint32_t n_raw;
    int16_t place[SEPX__SPACE_NODES];
};

static void
keep_some(struct finish *f, uint64_t set)
{
    bool keep[SEPX__SPACE_NODES];
    uint32_t n = f->child->n_nodes;

    if (sepx__count(set) == n)
        return;
    for (uint32_t i = 0; i < n; i++)
        keep[i] = set >> i & 1;
    sepx_graph_keep(f->child, keep);
    sepx__rows_init(&f->rows, f->child);
    for (uint32_t i = 0; i < f->n_raw; i++) {
        int16_t at = f->place[i];

        if (at == SEPX_NONE)
            continue;
        f->place[i] = SEPX_NONE;
        if (keep[at])
            f->place[i] =
                (int16_t)sepx__count(set & (sepx__bit((uint32_t)at) - 1));
    }
}

static bool
dangles(const struct finish *f, struct sepx_msg *msg)
{
    uint64_t dead = sepx__dangling(f->space, f->child);

    if (dead)
        sepx_fail(msg, SEPX_EINVAL, "node %d is on no path to an output",
                  __builtin_ctzll(dead));
    return dead;
}

static void
drop_dangling(struct finish *f)
{
    uint64_t dead = sepx__dangling(f->space, f->child);

    keep_some(f, ~dead & (UINT64_MAX >> (64 - f->child->n_nodes)));
}

/* Some spaces store an input only if it is used. */
static void
drop_inputs(struct finish *f)
{
    uint64_t in = sepx__nodes_of(f->space, f->child, 1u << SEPX__INPUT);
    uint64_t keep = UINT64_MAX >> (64 - f->child->n_nodes);

    if (!f->space->ops->drop_inputs)
        return;
    while (in) {
        uint32_t v = sepx__take_lowest(&in);

        if (!f->rows.out[v])
            keep &= ~sepx__bit(v);
    }
    keep_some(f, keep);
}

/* The space wants it so in its files: dead inputs and outputs go too. */
static void
prune(struct finish *f)
{
    if (f->space->ops->prune)
        keep_some(f, sepx__live(f->space, f->child, &f->rows));
}

static bool
is_topological(const struct finish *f)
{
    const struct sepx_graph *graph = f->child;

    if (f->space->ops->cyclic)
        return true;
    for (uint32_t i = 0; i < graph->n_edges; i++)
        if (graph->edge[i].from > graph->edge[i].to)
            return false;
    return true;
}

static SEPX_CHECKED enum sepx_err
put_in_order(struct finish *f, enum sepx_order rule, bool grouped,
             struct sepx_rng *rng)
{
    uint32_t order[SEPX__SPACE_NODES];
    int16_t new[SEPX__SPACE_NODES];
    enum sepx_err err = sepx__arrange(
        f->space, order, f->child, &f->rows,
        f->child->n_nodes == f->n_raw ? f->fresh : NULL, rule, grouped, rng);

    if (err)
        return err;
    for (uint32_t i = 0; i < f->child->n_nodes; i++)
        new[order[i]] = (int16_t)i;
    for (uint32_t i = 0; i < f->n_raw; i++)
        if (f->place[i] != SEPX_NONE)
            f->place[i] = new[f->place[i]];
    sepx__reorder(f->child, order);
    return SEPX_OK;
}

/* Some spaces repair what crossover broke. */
static SEPX_CHECKED enum sepx_err
mend(struct finish *f, bool *valid)
{
    enum sepx_err err;

    if (!f->space->ops->mend)
        return SEPX_OK;
    f->fresh = NULL;
    err = put_in_order(f, SEPX_ORDER_SMALLEST, true, NULL);
    if (!err)
        err = f->space->ops->mend(f->space, f->child);
    if (err)
        return err;
    sepx__rows_init(&f->rows, f->child);
    return sepx_space_check(f->space, valid, f->child, NULL);
}

/* Ask the space, then order: the verdict cannot depend on the order. */
static SEPX_CHECKED enum sepx_err
accept_by_space(struct finish *f, enum sepx_verdict *verdict,
                const struct sepx_rules *rules, struct sepx_rng *rng,
                struct sepx_msg *msg)
{
    bool valid;
    enum sepx_err err;

    drop_inputs(f);
    err = sepx_space_check(f->space, &valid, f->child, msg);
    if (!err && !valid)
        err = mend(f, &valid);
    if (err || !valid)
        return err;
    if (rules->dangling == SEPX_DANGLING_AVOID && dangles(f, msg)) {
        *verdict = SEPX_DANGLES;
        return SEPX_OK;
    }
    err = put_in_order(f, rules->order, true, rng);
    if (err)
        return err;
    if (is_topological(f))
        *verdict = SEPX_ACCEPTED;
    else
        sepx_fail(msg, SEPX_EINVAL, "an edge leads back in the kept order");
    return SEPX_OK;
}

/* Order first, as the authors' scripts do. */
static SEPX_CHECKED enum sepx_err
accept_as_published(struct finish *f, enum sepx_verdict *verdict,
                    const struct sepx_rules *rules, struct sepx_rng *rng,
                    struct sepx_msg *msg)
{
    const struct sepx__space_ops *ops = f->space->ops;
    bool valid;
    enum sepx_err err = put_in_order(f, rules->order, !ops->accept_order, rng);

    if (err)
        return err;
    sepx__rows_init(&f->rows, f->child);
    valid = (ops->accept ? ops->accept : ops->check)(f->space, f->child,
                                                     &f->rows, msg) &&
            is_topological(f);
    if (!valid)
        return SEPX_OK;
    *verdict = rules->dangling == SEPX_DANGLING_AVOID && dangles(f, msg)
                   ? SEPX_DANGLES
                   : SEPX_ACCEPTED;
    drop_inputs(f);
    return SEPX_OK;
}

static SEPX_CHECKED enum sepx_err
finish_child(struct finish *f, enum sepx_verdict *verdict,
             const struct sepx_rules *rules, struct sepx_rng *rng,
             struct sepx_msg *msg)
{
    if (!f->space->ops->cyclic && !sepx__rows_acyclic(&f->rows)) {
        sepx_fail(msg, SEPX_EINVAL, "the child has a cycle");
        *verdict = SEPX_CYCLIC;
        return SEPX_OK;
    }
    *verdict = SEPX_INVALID;
    prune(f);
    if (!f->child->n_nodes) {
        sepx_fail(msg, SEPX_EINVAL, "no path from an input to an output");
        return SEPX_OK;
    }
    if (rules->dangling == SEPX_DANGLING_REJECT && dangles(f, msg))
        return SEPX_OK;
    if (rules->dangling == SEPX_DANGLING_DROP)
        drop_dangling(f);
    if (rules->judge == SEPX_ACCEPT_PUBLISHED)
        return accept_as_published(f, verdict, rules, rng, msg);
    return accept_by_space(f, verdict, rules, rng, msg);
}

enum sepx_err
sepx_space_finish(const struct sepx_space *space, struct sepx_graph *child,
                  enum sepx_verdict *verdict, int16_t *place,
                  const struct sepx_rules *rules, struct sepx_rng *rng,
                  struct sepx_msg *msg)
{
    return sepx__finish(space, child, verdict, place, rules, NULL, rng, msg);
}

enum sepx_err
sepx__finish(const struct sepx_space *space, struct sepx_graph *child,
             enum sepx_verdict *verdict, int16_t *place,
             const struct sepx_rules *rules, const uint64_t *fresh,
             struct sepx_rng *rng, struct sepx_msg *msg)
{
    struct finish f = {.space = space, .child = child, .fresh = fresh};
    enum sepx_err err;

    *verdict = SEPX_INVALID;
    if (child->n_nodes > SEPX__SPACE_NODES &&
        child->n_nodes <= SEPX__WIDE_NODES && space->ops->check_wide)
        return sepx__wide_finish(space, child, verdict, place, rules, msg);
    if (!child->n_nodes || child->n_nodes > SEPX__SPACE_NODES) {
        sepx_fail(msg, SEPX_EINVAL, "the child has %u nodes", child->n_nodes);
        return SEPX_OK;
    }
    f.n_raw = child->n_nodes;
    for (uint32_t i = 0; i < f.n_raw; i++)
        f.place[i] = (int16_t)i;
    sepx__rows_init(&f.rows, child);
    err = finish_child(&f, verdict, rules, rng, msg);
    assert(err || *verdict != SEPX_ACCEPTED || is_topological(&f));
    assert(child->n_nodes <= f.n_raw || space->ops->mend);
    if (!err && place)
        memcpy(place, f.place, f.n_raw * sizeof(*place));
    return err;
}
