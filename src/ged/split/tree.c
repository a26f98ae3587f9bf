/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tree: each node branches on one pair, which is mapped in the one branch
 * and never mapped in the other. Pairs of the rows with least room are tried
 * both ways first; one that leaves nothing of use decides the other way at
 * once, and else the pair that lowers both sides most is taken.
 */
#include <math.h>

#include "ged/split/split.h"

#define TRIED 10      /* pairs */
#define TABU_SHARE 16 /* one part of the work in so many */
#define NODE_STEPS 30 /* of the bound */
#define NODE_WORK 12  /* of them, on average, with all that is tried */
#define TABU_COIN UINT64_C(0x7ab0)

struct candidate {
    double room;
    uint32_t i, k;
};

enum verdict { NOTHING_OPEN, CHOSEN, DECIDED, PRUNED };

/* ---- which pair ---- */

/* The best real column of the row, its leader's if that is one. */
static uint32_t
column_for(const struct ged_split *s, const struct split_state *st, uint32_t i)
{
    const int32_t *reward = st->reward + (size_t)i * s->p.width;
    const uint32_t *pair = s->layout.pair + (size_t)i * s->p.m;
    const uint32_t now = (uint32_t)st->column_of[i];
    uint32_t best = SPLIT_NONE;

    if (pair[now] != SPLIT_NONE && st->pair[pair[now]] != PAIR_DEAD)
        return now;
    for (uint32_t k = 0; k < s->p.m; k++)
        if (pair[k] != SPLIT_NONE && st->pair[pair[k]] != PAIR_DEAD &&
            (best == SPLIT_NONE ||
             reward[k] - st->v[k] > reward[best] - st->v[best]))
            best = k;
    return best;
}

static bool
is_open(const struct ged_split *s, const struct split_state *st, uint32_t i)
{
    uint32_t k;

    if (!st->reals[i])
        return false;
    if (st->choices[i] > 1)
        return true;
    k = (uint32_t)st->column_of[i];
    return st->pair[s->layout.pair[(size_t)i * s->p.m + k]] == PAIR_LIVE &&
           sepx__split_may_leave(s, i, k);
}

/* Candidates of the row, each less the further it is from the leader. */
static double
room_of(const struct ged_split *s, const struct split_state *st, uint32_t i)
{
    const int32_t *reward = st->reward + (size_t)i * s->p.width;
    const double scale = -2 / sepx__split_grade(s);
    double room = 0;

    for (uint32_t k = 0; k < s->p.m; k++)
        if (!GED_IS_GONE(reward[k]))
            room += exp2(scale * (st->u[i] + st->v[k] - reward[k]));
    return room;
}

static uint32_t
list_candidates(const struct ged_split *s, const struct split_state *st,
                struct candidate *list)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < s->p.n; i++) {
        struct candidate c = {.i = i};
        uint32_t at;

        if (!is_open(s, st, i))
            continue;
        c.room = room_of(s, st, i);
        if (count == TRIED && list[TRIED - 1].room <= c.room)
            continue;
        at = count < TRIED ? count++ : TRIED - 1;
        for (; at && list[at - 1].room > c.room; at--)
            list[at] = list[at - 1];
        c.k = column_for(s, st, i);
        list[at] = c;
    }
    return count;
}

/* Points that the leader falls if the pair is mapped, or not; -1: pruned. */
static int64_t
fall(struct ged_split *s, const struct split_state *st,
     const struct candidate *c, bool mapped)
{
    struct split_state *probe = &s->probe;

    sepx__state_copy(probe, st);
    if (mapped)
        sepx__split_fix(s, probe, c->i, c->k);
    else
        sepx__split_kill(s, probe, c->i, c->k);
    if (!sepx__split_settle(s, probe)) {
        sepx__split_forget(s);
        return -1;
    }
    return st->total - probe->total;
}

/* Try a pair both ways; CHOSEN: both are possible, and *score is set. */
static enum verdict
try_pair(struct ged_split *s, struct split_state *st, const struct candidate *c,
         double *score)
{
    const double unit = sepx__split_grade(s);
    int64_t with, without = 0;

    with = fall(s, st, c, true);
    if (with >= 0)
        without = fall(s, st, c, false);
    if (with >= 0 && without >= 0) {
        *score = ((double)with / unit + 0.1) * ((double)without / unit + 0.02);
        return CHOSEN;
    }
    if (with < 0)
        sepx__split_kill(s, st, c->i, c->k);
    else
        sepx__split_fix(s, st, c->i, c->k);
    return sepx__split_settle(s, st) ? DECIDED : PRUNED;
}

static enum verdict
choose(struct ged_split *s, struct split_state *st, struct split_level *level)
{
    struct candidate list[TRIED];
    const uint32_t count = list_candidates(s, st, list);
    enum verdict verdict = count ? CHOSEN : NOTHING_OPEN;
    double best = -1;

    for (uint32_t x = 0; x < count && !s->over; x++) {
        const struct candidate *c = &list[x];
        const uint32_t y = s->layout.pair[(size_t)c->i * s->p.m + c->k];
        enum verdict one;
        double score;

        if (st->pair[y] == PAIR_DEAD || !is_open(s, st, c->i))
            continue;
        one = try_pair(s, st, c, &score);
        if (one == PRUNED)
            return PRUNED;
        if (one == DECIDED) {
            verdict = DECIDED;
        } else if (score > best) {
            best = score;
            level->i = c->i;
            level->k = c->k;
        }
    }
    return verdict;
}

/* ---- the walk ---- */

enum sepx_err
sepx__tree_want_level(struct ged_split *s, uint32_t depth)
{
    enum sepx_err err = sepx__grow((void **)&s->level, &s->level_room,
                                   depth + 1, sizeof *s->level);

    while (!err && s->n_level <= depth) {
        err = sepx__state_init(&s->level[s->n_level].state, &s->p, &s->layout);
        if (!err)
            s->n_level++;
    }
    return err;
}

void
sepx__tree_release(struct ged_split *s)
{
    while (s->n_level)
        sepx__state_release(&s->level[--s->n_level].state);
    sepx__state_release(&s->probe);
    sepx__free(s->level);
    s->level = NULL;
    s->level_room = 0;
}

enum sepx_err
sepx__tree_start(struct ged_split *s)
{
    enum sepx_err err = sepx__tree_want_level(s, 0);

    if (!err && !s->probe.memory)
        err = sepx__state_init(&s->probe, &s->p, &s->layout);
    if (err)
        return err;
    sepx__state_copy(&s->level[0].state, &s->root);
    s->level[0].branched = false;
    s->level[0].job = NULL;
    s->level[0].deep = 0;
    s->level[0].path = 1;
    sepx__shared_lock(s);
    s->depth = 1;
    sepx__shared_unlock(s);
    return SEPX_OK;
}

/* Everything is decided: the leader's map is all there is. */
static void
visit(struct ged_split *s, const struct split_state *st)
{
    struct ged_task *task = s->task;

    if (!task->visit)
        return;
    sepx__split_read_map(s, st);
    if (sepx__problem_price(&s->p, s->map) > task->cap)
        return;
    sepx__problem_export(&s->p, s->map, task->map);
    if (!task->visit(task->context, task->map))
        s->over = true;
}

/*
 * Whether a node has a tabu search, by a coin that its path has thrown: what
 * happens below a node must not depend on what happened elsewhere.
 */
static bool
is_tabu_due(struct ged_split *s, uint64_t path)
{
    const uint64_t m = s->p.m, coin = sepx__mix(path ^ TABU_COIN);
    const uint64_t node = NODE_WORK * (500 + 150 * m);
    const uint64_t run = 15 * m * (200 + m * (20 + m / 4));

    if (coin % (TABU_SHARE * run + 1) >= node)
        return false;
    sepx__tabu_seed(s->tabu, coin);
    return true;
}

/* Bound a node and choose its pair; false: nothing is below it. */
static bool
enter(struct ged_split *s, struct split_level *level)
{
    struct split_state *st = &level->state;
    const uint32_t n = s->p.m;

    for (uint64_t round = 0;; round++) {
        s->task->nodes++;
        if (!sepx__split_bound(
                s, st, (struct dual_plan){.most = NODE_STEPS, .lambda = 1}))
            return false;
        if (s->over)
            return true;
        if (is_tabu_due(s, level->path + round))
            sepx__tabu_run(
                s, st, (struct tabu_plan){.steps = 20 * n, .patience = 10 * n});
        switch (choose(s, st, level)) {
        case NOTHING_OPEN:
            visit(s, st);
            return false;
        case PRUNED:
            return false;
        case CHOSEN:
            return true;
        case DECIDED:
            break;
        }
    }
}

/* The child of the level on top, where its pair is mapped. */
static SEPX_CHECKED enum sepx_err
descend(struct ged_split *s)
{
    struct split_level *top = NULL, *next = NULL;
    enum sepx_err err;

    if ((s->level[s->depth - 1].deep + 2) * (uint64_t)s->root.size >
        SPLIT_BYTES) {
        s->over = s->task->too_large = true;
        return SEPX_OK;
    }
    sepx__shared_lock(s);
    err = sepx__tree_want_level(s, s->depth);
    if (!err) {
        top = &s->level[s->depth - 1];
        top->branched = true;
        next = &s->level[s->depth++];
        next->branched = false;
        next->job = NULL;
        next->deep = top->deep + 1;
        next->path = sepx__mix(2 * top->path + 1);
        sepx__state_copy(&next->state, &top->state);
    }
    sepx__shared_unlock(s);
    if (!err)
        sepx__split_fix(s, &next->state, top->i, top->k);
    return err;
}

void
sepx__tree_open(struct ged_split *s, struct split_level *level)
{
    level->path = sepx__mix(2 * level->path);
    sepx__split_kill(s, &level->state, level->i, level->k);
}

static void
ascend(struct ged_split *s)
{
    sepx__shared_lock(s);
    s->depth--;
    sepx__shared_unlock(s);
}

enum sepx_err
sepx__tree_run(struct ged_split *s, uint64_t work)
{
    enum sepx_err err = SEPX_OK;

    while (s->depth && !s->over && !err && sepx__split_work(s) < work) {
        struct split_level *top = &s->level[s->depth - 1];

        if (top->branched) {
            if (sepx__shared_collect(s)) {
                ascend(s);
                continue;
            }
            if (s->over)
                break;
            sepx__tree_open(s, top);
        }
        if (!enter(s, top)) {
            sepx__split_forget(s);
            ascend(s);
        } else if (!s->over) {
            err = descend(s);
        }
    }
    if (err || s->over)
        sepx__shared_abandon(s);
    return err;
}
