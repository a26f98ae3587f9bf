/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One pipeline for all crossovers: align the parents, list the edits, then
 * draw children until one passes.
 */
#include <math.h>
#include <string.h>

#include "vary/internal.h"

#define TRIALS_MAX 1000000 /* where the rules set no limit */

/* clang-format off */
#define OPERATORS(X) \
    X(standard) \
    X(matched) \
    X(sep) \
    SEPX__NAS_CROSSOVERS(X)
/* clang-format on */

#define X(name) &sepx__cross_##name,
static const struct sepx__cross_ops *const operators[] = {OPERATORS(X)};
#undef X

#define N_OPERATORS (sizeof(operators) / sizeof(*operators))

const struct sepx_cross_info *const *
sepx_cross_list(void)
{
#define X(name) &sepx__cross_##name.info,
    static const struct sepx_cross_info *const list[] = {OPERATORS(X) NULL};
#undef X

    return list;
}

void
sepx_cross_counts_add(struct sepx_cross_counts *sum,
                      const struct sepx_cross_counts *more)
{
    sum->attempts += more->attempts;
    sum->accepted += more->accepted;
    sum->skipped += more->skipped;
    sum->trials += more->trials;
    sum->duplicates += more->duplicates;
    sum->cyclic += more->cyclic;
    sum->invalid += more->invalid;
    sum->unproven += more->unproven;
    sum->gap += more->gap;
}

/* ---- the context ---- */

static enum sepx_err
find_operator(const struct sepx__cross_ops **ops, const char *name,
              struct sepx_msg *msg)
{
    const char *names[N_OPERATORS + 1] = {NULL};

    for (size_t i = 0; i < N_OPERATORS; i++) {
        names[i] = operators[i]->info.name;
        if (!strcmp(names[i], name)) {
            *ops = operators[i];
            return SEPX_OK;
        }
    }
    return sepx__unknown(msg, "crossover", name, names);
}

/* All but what contexts share. */
static enum sepx_err
make(struct sepx_cross **cross, const struct sepx_space *space,
     const struct sepx__cross_ops *ops, const struct sepx_rules *rules)
{
    struct sepx_costs costs = {SEPX_UNIT_COSTS};
    struct sepx_ged_options options = {0};
    enum sepx_err err;

    *cross = sepx__calloc(1, sizeof(**cross));
    if (!*cross)
        return SEPX_ENOMEM;
    (*cross)->space = space;
    (*cross)->ops = ops;
    (*cross)->rules = *rules;
    (*cross)->coded = rules->coded && space->ops->mix;
    (*cross)->split = rules->judge == SEPX_ACCEPT_PUBLISHED &&
                      !(*cross)->coded && sepx__has_marks(space);
    options.pinned = sepx_space_pinned(space, &options.n_pinned);
    costs.node_fields = sepx_space_fields(space, &costs.n_node_fields);
    costs.names = sepx_space_names(space);
    (*cross)->weighed = costs.n_node_fields;
    options.costs = costs.n_node_fields ? &costs : NULL;
    err = sepx_ged_new(&(*cross)->ged, &options);
    if (err) {
        sepx_cross_free(*cross);
        *cross = NULL;
    }
    return err;
}

enum sepx_err
sepx_cross_new(struct sepx_cross **cross, const struct sepx_space *space,
               const char *operator_name, const struct sepx_rules *rules,
               struct sepx_msg *msg)
{
    const struct sepx__cross_ops *ops = NULL;
    enum sepx_err err;

    *cross = NULL;
    err = find_operator(&ops, operator_name, msg);
    if (!err)
        err = make(cross, space, ops, rules);
    if (!err && ops->prepare)
        err = ops->prepare(*cross, msg);
    if (err) {
        sepx_cross_free(*cross);
        *cross = NULL;
    }
    return err;
}

enum sepx_err
sepx_cross_copy(struct sepx_cross **copy, const struct sepx_cross *cross)
{
    enum sepx_err err = make(copy, cross->space, cross->ops, &cross->rules);

    if (err)
        return err;
    (*copy)->shared = cross->shared;
    (*copy)->is_copy = true;
    return SEPX_OK;
}

void
sepx_cross_free(struct sepx_cross *cross)
{
    if (!cross)
        return;
    if (cross->ops->release && !cross->is_copy)
        cross->ops->release(cross->shared);
    sepx_ged_free(cross->ged);
    sepx_path_release(&cross->path);
    sepx_graph_release(&cross->plain[0]);
    sepx_graph_release(&cross->plain[1]);
    sepx__free(cross->map);
    sepx__free(cross->place);
    sepx__free(cross->take);
    sepx__free(cross->held);
    sepx__free(cross->spare);
    sepx__free(cross->pick);
    sepx__hunks_release(&cross->hunks);
    sepx__free(cross);
}

/* ---- the parents ---- */

static bool
starts_from_second(const struct sepx_cross *cross,
                   const struct sepx__parents *p, struct sepx_rng *rng)
{
    if (cross->rules.start == SEPX_START_LARGER)
        return p->a->n_nodes < p->b->n_nodes;
    return cross->rules.start == SEPX_START_RANDOM && sepx_rng_u32(rng) & 1;
}

static SEPX_CHECKED enum sepx_err
set_parents(struct sepx_cross *cross, struct sepx__parents *p,
            const struct sepx_graph *first, const struct sepx_graph *second,
            struct sepx_rng *rng)
{
    enum sepx_err err;

    *p = (struct sepx__parents){.a = first, .b = second};
    if (cross->split) {
        err = sepx__marks_split(cross->space, &cross->plain[0], cross->mark[0],
                                first);
        if (!err)
            err = sepx__marks_split(cross->space, &cross->plain[1],
                                    cross->mark[1], second);
        if (err)
            return err;
        *p = (struct sepx__parents){&cross->plain[0], &cross->plain[1],
                                    cross->mark[0], cross->mark[1], false};
    }
    if (starts_from_second(cross, p, rng))
        *p = (struct sepx__parents){p->b, p->a, p->mark_b, p->mark_a, true};
    return SEPX_OK;
}

enum sepx_err
sepx__cross_room(struct sepx_cross *cross, size_t edits)
{
    enum sepx_err err = sepx__grow((void **)&cross->take, &cross->take_room,
                                   edits, sizeof(*cross->take));

    if (!err)
        err = sepx__grow((void **)&cross->held, &cross->held_room, edits,
                         sizeof(*cross->held));
    if (!err)
        err = sepx__grow((void **)&cross->spare, &cross->spare_room, edits,
                         sizeof(*cross->spare));
    if (!err)
        err = sepx__grow((void **)&cross->pick, &cross->pick_room, edits,
                         sizeof(*cross->pick));
    return err;
}

static SEPX_CHECKED enum sepx_err
make_room(struct sepx_cross *cross, const struct sepx__parents *p)
{
    size_t n = (size_t)p->a->n_nodes + p->b->n_nodes + 1;
    enum sepx_err err = sepx__grow((void **)&cross->map, &cross->map_room, n,
                                   sizeof(*cross->map));

    if (!err)
        err = sepx__grow((void **)&cross->place, &cross->place_room, n,
                         sizeof(*cross->place));
    if (!err)
        err = sepx__cross_room(cross, n + p->a->n_edges + p->b->n_edges);
    return err;
}

/* Align the parents and list the edits between them. */
static SEPX_CHECKED enum sepx_err
find_path(struct sepx_cross *cross, const struct sepx__parents *p,
          struct sepx_rng *rng)
{
    enum sepx_err err = make_room(cross, p);

    cross->lower = cross->length = NAN;
    if (cross->ops->draw) {
        sepx_path_release(&cross->path);
        return err;
    }
    if (!err)
        err = cross->ops->align(cross, p->a, p->b, rng);
    if (!err)
        err = sepx_path_from_map(&cross->path, p->a, p->b, cross->map, false);
    if (isnan(cross->length))
        cross->length = (double)cross->path.len;
    cross->by_hunks = false;
    cross->past = 0;
    if (!err && cross->rules.by != SEPX_BY_EDITS)
        err = sepx__hunks_wanted(cross, &cross->by_hunks, p);
    if (!err && cross->by_hunks)
        err = sepx__hunks_find(cross, p);
    if (!err && cross->by_hunks)
        err = sepx__hunks_plan(cross, p, rng);
    if (!err)
        memset(cross->held, 0, cross->path.len * sizeof(*cross->held));
    memset(&cross->seen, 0, sizeof(cross->seen));
    cross->has_spare = false;
    return err;
}

/* ---- one draw ---- */

/* Edits that the rules never allow are not taken. */
static void
draw_edits(struct sepx_cross *cross, struct sepx_rng *rng)
{
    const struct sepx_path *path = &cross->path;

    if (cross->by_hunks) {
        cross->ops->take_hunks(cross, rng);
        return;
    }
    cross->ops->take(cross, rng);
    for (size_t i = 0; i < path->len && cross->rules.accumulate; i++)
        cross->take[i] = cross->held[i] = cross->take[i] || cross->held[i];
    for (size_t i = 0; i < path->len && cross->rules.forward; i++)
        if (path->edit[i].kind == SEPX_EDGE_INSERT &&
            path->edit[i].from > path->edit[i].to)
            cross->take[i] = false;
}

/* ---- draws that failed ---- */

/* The place of this choice of at most 64 edits, or a free one. */
static uint32_t
find_seen(const struct sepx_cross *cross, uint64_t *taken)
{
    uint32_t at;

    *taken = 0;
    for (size_t i = 0; i < cross->path.len; i++)
        *taken |= (uint64_t)cross->take[i] << i;
    at = (uint32_t)sepx__mix(*taken) & (SEPX__SEEN - 1);
    while (cross->seen.verdict[at] && cross->seen.taken[at] != *taken)
        at = (at + 1) & (SEPX__SEEN - 1);
    return at;
}

static bool
recall(const struct sepx_cross *cross, enum sepx_verdict *verdict)
{
    uint64_t taken;
    uint32_t at;

    if (cross->path.len > 64)
        return false;
    at = find_seen(cross, &taken);
    if (!cross->seen.verdict[at])
        return false;
    *verdict = (enum sepx_verdict)(cross->seen.verdict[at] - 1);
    return true;
}

static void
remember(struct sepx_cross *cross, enum sepx_verdict verdict)
{
    uint64_t taken;
    uint32_t at;

    if (cross->path.len > 64 || cross->seen.count >= SEPX__SEEN / 2)
        return;
    at = find_seen(cross, &taken);
    cross->seen.taken[at] = taken;
    cross->seen.verdict[at] = (uint8_t)(verdict + 1);
    cross->seen.count++;
}

static void
count_verdict(struct sepx_cross_counts *counts, enum sepx_verdict verdict)
{
    counts->trials++;
    counts->accepted += verdict == SEPX_ACCEPTED;
    counts->duplicates += verdict == SEPX_DUPLICATE;
    counts->cyclic += verdict == SEPX_CYCLIC;
    counts->invalid += verdict == SEPX_INVALID || verdict == SEPX_DANGLES;
}

/* ---- the crossover ---- */

/* The authors' own crossover on their own code, in the same pipeline. */
static SEPX_CHECKED enum sepx_err
try_coded(struct sepx_cross *cross, struct sepx_graph *child,
          enum sepx_verdict *verdict, const struct sepx__parents *p,
          struct sepx_rng *rng)
{
    bool good;
    enum sepx_err err =
        cross->space->ops->mix(cross->space, child, &good, p->a, p->b, rng);

    *verdict = SEPX_INVALID;
    if (err || !good)
        return err;
    return sepx__cross_accept(cross, child, verdict, NULL, p, &cross->now, rng,
                              NULL);
}

/* A child that is not made of edits. */
static SEPX_CHECKED enum sepx_err
try_draw(struct sepx_cross *cross, struct sepx_graph *child,
         enum sepx_verdict *verdict, const struct sepx__parents *p,
         struct sepx_rng *rng, struct sepx_explain *explain)
{
    enum sepx_err err =
        cross->ops->draw(cross, child, verdict, p->a, p->b, rng);

    if (!err && explain && *verdict != SEPX_INVALID)
        err = sepx__explain_draw(explain, cross, child);
    else if (explain)
        explain->trials++;
    if (!err && *verdict == SEPX_ACCEPTED)
        err = sepx__finish(cross->space, child, verdict, NULL, &cross->now,
                           NULL, rng, NULL);
    if (explain)
        explain->verdict = *verdict;
    return err;
}

/* Applies cross->take and passes the child through the pipeline. */
static SEPX_CHECKED enum sepx_err
try_edits(struct sepx_cross *cross, struct sepx_graph *child,
          enum sepx_verdict *verdict, const struct sepx__parents *p,
          const struct sepx_rules *rules, struct sepx_rng *rng,
          struct sepx_explain *explain)
{
    enum sepx_err err = sepx__cross_apply(cross, child, p);

    if (!err && explain)
        err = sepx__explain_draw(explain, cross, child);
    if (!err)
        err = sepx__cross_accept(cross, child, verdict,
                                 explain ? explain->raw_place : NULL, p, rules,
                                 rng, explain ? &explain->why : NULL);
    if (!err && explain)
        sepx__explain_verdict(explain, *verdict);
    return err;
}

/* The first child that dangles is kept in reserve. */
static void
keep_spare(struct sepx_cross *cross)
{
    if (!cross->has_spare)
        memcpy(cross->spare, cross->take,
               cross->path.len * sizeof(*cross->spare));
    cross->has_spare = true;
}

static SEPX_CHECKED enum sepx_err
try_once(struct sepx_cross *cross, struct sepx_graph *child,
         enum sepx_verdict *verdict, const struct sepx__parents *p,
         struct sepx_rng *rng, struct sepx_explain *explain)
{
    enum sepx_err err;

    if (cross->ops->draw)
        return try_draw(cross, child, verdict, p, rng, explain);
    if (cross->coded)
        return try_coded(cross, child, verdict, p, rng);
    draw_edits(cross, rng);
    if (!explain && recall(cross, verdict))
        return SEPX_OK;
    err = try_edits(cross, child, verdict, p, &cross->now, rng, explain);
    if (err || *verdict == SEPX_ACCEPTED)
        return err;
    if (*verdict == SEPX_DANGLES)
        keep_spare(cross);
    remember(cross, *verdict);
    return SEPX_OK;
}

/* No draw was better than the one in reserve. */
static SEPX_CHECKED enum sepx_err
use_spare(struct sepx_cross *cross, struct sepx_graph *child,
          struct sepx_cross_counts *c, const struct sepx__parents *p,
          struct sepx_rng *rng, struct sepx_explain *explain)
{
    struct sepx_rules rules = cross->rules;
    enum sepx_verdict verdict;
    enum sepx_err err;

    rules.dangling = SEPX_DANGLING_KEEP;
    if (explain)
        explain->trials--; /* it has been counted */
    memcpy(cross->take, cross->spare, cross->path.len * sizeof(*cross->take));
    err = try_edits(cross, child, &verdict, p, &rules, rng, explain);
    if (err || verdict != SEPX_ACCEPTED)
        return err;
    c->invalid--;
    c->accepted++;
    return SEPX_OK;
}

/* A path of one edit or none leads to no graph but the parents. */
static bool
hopeless(const struct sepx_cross *cross)
{
    return !cross->ops->draw && cross->path.len < 2 &&
           cross->rules.duplicates == SEPX_DUPLICATES_REJECT;
}

/* Draw until a child is accepted, `trials` times at most. */
static SEPX_CHECKED enum sepx_err
try_often(struct sepx_cross *cross, struct sepx_graph *child,
          struct sepx_cross_counts *c, const struct sepx__parents *p,
          struct sepx_rng *rng, struct sepx_explain *explain)
{
    unsigned trials = cross->rules.trials ? cross->rules.trials : TRIALS_MAX;
    enum sepx_verdict verdict = SEPX_DUPLICATE;
    enum sepx_err err = SEPX_OK;

    if (hopeless(cross))
        trials = 1;
    while (!err && trials-- && !c->accepted) {
        err = try_once(cross, child, &verdict, p, rng, explain);
        if (!err)
            count_verdict(c, verdict);
        if (!err && !c->accepted && sepx_space_stopped(cross->space))
            err = SEPX_ESTOPPED;
    }
    if (err || c->accepted || !cross->has_spare)
        return err;
    return use_spare(cross, child, c, p, rng, explain);
}

static void
count_gap(struct sepx_cross_counts *c, const struct sepx_cross *cross)
{
    const double gap = cross->length - cross->lower;

    if (!(gap > 0))
        return;
    c->unproven++;
    c->gap += (uint64_t)ceil(gap - 1e-9);
}

enum sepx_err
sepx_cross_run(struct sepx_cross *cross, struct sepx_graph *child,
               bool *accepted, const struct sepx_graph *first,
               const struct sepx_graph *second, struct sepx_rng *rng,
               struct sepx_cross_counts *counts, struct sepx_explain *explain)
{
    struct sepx__parents p;
    struct sepx_cross_counts c = {.attempts = 1};
    enum sepx_err err = set_parents(cross, &p, first, second, rng);

    *accepted = false;
    cross->now = sepx__rules_toss(&cross->rules, rng);
    if (!err)
        err = find_path(cross, &p, rng);
    if (!err && explain)
        err = sepx__explain_path(explain, cross, p.swapped);
    if (!err)
        err = try_often(cross, child, &c, &p, rng, explain);
    if (err)
        return err;
    *accepted = c.accepted;
    c.skipped = !c.accepted;
    count_gap(&c, cross);
    if (counts)
        sepx_cross_counts_add(counts, &c);
    return SEPX_OK;
}

enum sepx_err
sepx_cross_draw(struct sepx_cross *cross, struct sepx_graph *raw,
                const struct sepx_graph *first, const struct sepx_graph *second,
                struct sepx_rng *rng, struct sepx_explain *explain)
{
    struct sepx__parents p;
    enum sepx_err err = set_parents(cross, &p, first, second, rng);

    if (cross->ops->draw)
        return SEPX_EUNSUPPORTED;
    if (!err)
        err = find_path(cross, &p, rng);
    if (!err && explain)
        err = sepx__explain_path(explain, cross, p.swapped);
    if (err)
        return err;
    draw_edits(cross, rng);
    err = sepx__cross_apply(cross, raw, &p);
    return err || !explain ? err : sepx__explain_draw(explain, cross, raw);
}
