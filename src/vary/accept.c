/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One draw of a crossover: apply the edits, accept the child or not.
 *
 * A child of a shortest path needs no test for isomorphism. If E of the
 * path's d edits took effect, it is at most E from the one parent and at
 * most d - E from the other; as these are d apart, both distances are met,
 * and it equals a parent exactly if E is 0 or d.
 */
#include <string.h>

#include "vary/internal.h"

enum sepx_err
sepx__cross_apply(struct sepx_cross *cross, struct sepx_graph *raw,
                  const struct sepx__parents *p)
{
    enum sepx_err err = sepx_path_apply(&cross->path, raw, p->a, cross->take,
                                        &cross->dropped, cross->place);

    if (!err)
        sepx__forget_extra(raw);
    return err;
}

enum sepx_err
sepx__cross_check(struct sepx_cross *cross, bool *good,
                  const struct sepx__parents *p)
{
    struct sepx_graph raw = {.names = p->a->names};
    enum sepx_err err = sepx__cross_apply(cross, &raw, p);

    if (!err)
        err = sepx_space_check(cross->space, good, &raw, NULL);
    sepx_graph_release(&raw);
    return err;
}

/* Edits that took effect: a deleted node takes its edges along. */
static size_t
count_effective(const struct sepx_cross *cross)
{
    const struct sepx_path *path = &cross->path;
    size_t count = 0;

    for (size_t i = 0; i < path->len; i++) {
        const struct sepx_edit *edit = &path->edit[i];

        count += cross->take[i] || (edit->kind == SEPX_EDGE_DELETE &&
                                    (cross->place[edit->from] == SEPX_NONE ||
                                     cross->place[edit->to] == SEPX_NONE));
    }
    return count - cross->dropped;
}

static SEPX_CHECKED enum sepx_err
is_isomorph(const struct sepx_graph *raw, const struct sepx__parents *p,
            bool *found)
{
    enum sepx_err err = sepx_graph_isomorphic(raw, p->a, found, NULL);

    if (!err && !*found)
        err = sepx_graph_isomorphic(raw, p->b, found, NULL);
    return err;
}

static SEPX_CHECKED enum sepx_err
is_duplicate(const struct sepx_cross *cross, const struct sepx_graph *raw,
             const struct sepx__parents *p, bool *found)
{
    size_t effective;

    *found = false;
    if (cross->rules.duplicates == SEPX_DUPLICATES_ALLOW)
        return SEPX_OK;
    if (cross->rules.duplicates == SEPX_DUPLICATES_IDENTICAL) {
        *found = sepx_graph_equal(raw, p->a) || sepx_graph_equal(raw, p->b);
        return SEPX_OK;
    }
    effective = count_effective(cross);
    *found = !effective || effective == cross->path.len;
    return *found || cross->optimal ? SEPX_OK : is_isomorph(raw, p, found);
}

/*
 * A node's mark comes with it. A state that comes with an inserted node is
 * one too many for the authors' test, whatever its name was.
 */
static SEPX_CHECKED enum sepx_err
join_marks(const struct sepx_cross *cross, struct sepx_graph *raw,
           const struct sepx__parents *p)
{
    uint16_t mark[SEPX__SPACE_NODES] = {0};
    uint64_t met = 0;
    uint32_t next = p->a->n_nodes;

    if (raw->n_nodes > SEPX__SPACE_NODES)
        return SEPX_ELIMIT;
    for (uint32_t i = 0; i < p->a->n_nodes; i++) {
        if (cross->place[i] != SEPX_NONE)
            mark[cross->place[i]] = p->mark_a[i];
        if (cross->map[i] != SEPX_NONE)
            met |= sepx__bit((uint32_t)cross->map[i]);
    }
    for (uint32_t j = 0; j < p->b->n_nodes; j++) {
        if (met >> j & 1)
            continue;
        if (cross->place[next] != SEPX_NONE && p->mark_b[j])
            mark[cross->place[next]] = sepx__marks_spare(cross->space);
        next++;
    }
    return sepx__marks_join(cross->space, raw, mark);
}

/* Edges that the path inserted, by their source in the raw child. */
static const uint64_t *
find_fresh(const struct sepx_cross *cross, uint64_t *fresh)
{
    const struct sepx_path *path = &cross->path;

    if (cross->rules.order != SEPX_ORDER_LIFO &&
        cross->rules.order != SEPX_ORDER_FIFO)
        return NULL;
    if (cross->path.n_first + cross->path.n_insert > SEPX__SPACE_NODES)
        return NULL; /* large graphs know no such order */
    memset(fresh, 0, SEPX__SPACE_NODES * sizeof(*fresh));
    for (size_t i = 0; i < path->len; i++) {
        const struct sepx_edit *edit = &path->edit[i];
        int16_t from, to;

        if (edit->kind != SEPX_EDGE_INSERT || !cross->take[i])
            continue;
        from = cross->place[edit->from];
        to = cross->place[edit->to];
        if (from != SEPX_NONE && to != SEPX_NONE)
            fresh[from] |= sepx__bit((uint32_t)to);
    }
    return fresh;
}

enum sepx_err
sepx__cross_accept(struct sepx_cross *cross, struct sepx_graph *child,
                   enum sepx_verdict *verdict, int16_t *place,
                   const struct sepx__parents *p,
                   const struct sepx_rules *rules, struct sepx_rng *rng,
                   struct sepx_msg *msg)
{
    uint64_t fresh[SEPX__SPACE_NODES];
    uint32_t n_raw = child->n_nodes;
    bool same, valid;
    enum sepx_err err = is_duplicate(cross, child, p, &same);

    *verdict = SEPX_DUPLICATE;
    if (err || same)
        return err;
    /* What hunks promise is not for the space to mend. */
    if (cross->by_hunks) {
        *verdict = SEPX_INVALID;
        err = sepx_space_check(cross->space, &valid, child, msg);
        if (err || !valid)
            return err;
    }
    if (cross->split)
        err = join_marks(cross, child, p);
    if (!err)
        err = sepx__finish(cross->space, child, verdict, place, rules,
                           find_fresh(cross, fresh), rng, msg);
    /* Pruned or mended, it may be a parent after all. */
    if (!err && *verdict == SEPX_ACCEPTED &&
        (child->n_nodes != n_raw || cross->space->ops->mend) &&
        rules->judge == SEPX_ACCEPT_SPACE &&
        rules->duplicates == SEPX_DUPLICATES_REJECT)
        err = is_isomorph(child, p, &same);
    if (same)
        *verdict = SEPX_DUPLICATE;
    return err;
}
