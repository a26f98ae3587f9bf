/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The split bound, improved step by step: pairs that no good map can have are
 * taken out by their reduced costs, and the split of each edge's reward moves
 * along a subgradient. Where the leader takes the star at one end of an edge
 * and not its partner at the other, reward moves from the first to the second
 * (Polyak's step, with momentum). Any split gives a bound, so it never has to
 * be a good one, only a cheap one.
 */
#include <math.h>
#include <string.h>

#include "ged/split/split.h"

#define FIX_ROUNDS 20
#define NODE_PRICE 64     /* of a node here, in nodes of row_search.c */
#define FIX_ENOUGH 3      /* pairs taken out that make another round pay */
#define DRIFT_LEAST 0.02f /* below, a drift is dropped */
#define STEP_EXTRA 0.7    /* units beyond the limit that a step aims at */
#define GAP_MOST (1 << 26)

/* ---- what is known ---- */

double
sepx__split_grade(const struct ged_split *s)
{
    return (double)s->p.scale * ((double)s->p.grade / (double)s->p.grain);
}

void
sepx__split_set_need(struct ged_split *s)
{
    const struct ged_task *task = s->task;
    const int64_t unit = s->p.unit;
    int64_t limit = task->cap < s->target ? task->cap : s->target;

    if (!task->visit && task->upper - unit < limit)
        limit = task->upper - unit;
    limit = limit < s->p.all ? (s->p.all - limit + unit - 1) / unit * unit : 0;
    s->need = sepx__problem_points(&s->p, limit);
    s->beyond = s->p.all - limit + unit;
}

int64_t
sepx__split_lower(const struct ged_split *s, const struct split_state *st)
{
    const int64_t unit = s->p.unit;

    if (s->p.scale > 1)
        return s->p.all - st->total / s->p.scale * unit;
    return s->p.all - st->total * s->p.grain / unit * unit;
}

void
sepx__split_raise(struct ged_split *s, int64_t lower)
{
    if (lower > s->beyond)
        lower = s->beyond;
    if (lower <= s->task->lower || s->task->visit)
        return;
    sepx__shared_lock(s); /* who claims a branch reads it */
    s->task->lower = lower;
    sepx__shared_unlock(s);
}

bool
sepx__split_offer(struct ged_split *s, const int32_t *map)
{
    struct ged_task *task = s->task;
    int64_t cost;

    if (task->visit)
        return false;
    cost = sepx__problem_price(&s->p, map);
    if (cost >= task->upper)
        return false;
    sepx__shared_lock(s);
    task->upper = cost;
    sepx__shared_improved(s);
    sepx__shared_unlock(s);
    memcpy(s->best, map, s->p.n * sizeof *map);
    s->has_best = true;
    sepx__problem_export(&s->p, map, task->map);
    sepx__split_set_need(s);
    sepx__split_check(s);
    return true;
}

void
sepx__split_read_map(struct ged_split *s, const struct split_state *st)
{
    for (uint32_t i = 0; i < s->p.n; i++) {
        const int32_t k = st->column_of[i];
        uint32_t y = 0;

        s->map[i] = -1;
        if (k < 0 ||
            GED_IS_GONE(s->p.base[(size_t)i * s->p.width + (uint32_t)k]))
            continue;
        if (s->layout.memory)
            y = s->layout.pair[(size_t)i * s->p.m + (uint32_t)k];
        if (y != SPLIT_NONE && split_is_mapped(s, st, i, (uint32_t)k, y))
            s->map[i] = k;
    }
}

void
sepx__split_check(struct ged_split *s)
{
    const struct ged_task *task = s->task;

    s->over |=
        (task->node_limit && task->nodes > task->node_limit / NODE_PRICE) ||
        sepx__shared_is_over(s) || sepx__ged_is_over(task);
}

/* ---- taking pairs out ---- */

static void
mark(struct ged_split *s, uint32_t y)
{
    if (s->is_stale[y])
        return;
    s->is_stale[y] = 1;
    s->stale[s->n_stale++] = y;
}

void
sepx__split_forget(struct ged_split *s)
{
    for (uint32_t x = 0; x < s->n_stale; x++)
        s->is_stale[s->stale[x]] = 0;
    s->n_stale = 0;
    memset(s->touched, 0, s->p.n + 1);
}

/* Edges at a pair that is out save nothing, at either end. */
static void
clear_cells(struct ged_split *s, struct split_state *st, uint32_t y)
{
    const struct split_layout *l = &s->layout;

    for (uint32_t x = l->first[y]; x < l->first[y + 1]; x++) {
        const uint32_t z = l->partner[x];

        if (z == SPLIT_NONE)
            continue;
        st->t[x] = 0;
        if (st->t[z] > 0)
            mark(s, l->owner[z / SPLIT_BLOCK]);
        st->t[z] = 0;
    }
}

static void
kill_pair(struct ged_split *s, struct split_state *st, uint32_t i, uint32_t k)
{
    const uint32_t y =
        s->layout.memory ? s->layout.pair[(size_t)i * s->p.m + k] : SPLIT_NONE;

    if (y == SPLIT_NONE || st->pair[y] == PAIR_DEAD)
        return;
    st->pair[y] = PAIR_DEAD;
    st->reals[i]--;
    clear_cells(s, st, y);
}

/* The row does not get the column, mapped or not. */
static void
part(struct ged_split *s, struct split_state *st, uint32_t i, uint32_t k)
{
    int32_t *reward = &st->reward[(size_t)i * s->p.width + k];

    if (GED_IS_GONE(*reward))
        return;
    kill_pair(s, st, i, k);
    *reward = GED_GONE;
    st->choices[i]--;
    if (st->column_of[i] == (int32_t)k)
        s->touched[i] = 1;
}

/*
 * Two nodes whose pair costs more than to delete one and insert the other
 * may both be left over; any other two are better mapped. When all maps are
 * asked for, equal costs count as well.
 */
bool
sepx__split_may_leave(const struct ged_split *s, uint32_t i, uint32_t k)
{
    const int32_t base = s->p.base[(size_t)i * s->p.width + k];

    if (base)
        return base < 0;
    return sepx__problem_node(&s->p, i, k) < (s->task->visit ? 1 : 0);
}

void
sepx__split_kill(struct ged_split *s, struct split_state *st, uint32_t i,
                 uint32_t k)
{
    if (!sepx__split_may_leave(s, i, k)) {
        part(s, st, i, k);
        return;
    }
    kill_pair(s, st, i, k);
    st->reward[(size_t)i * s->p.width + k] = 0;
    s->touched[i] = 1;
}

void
sepx__split_fix(struct ged_split *s, struct split_state *st, uint32_t i,
                uint32_t k)
{
    const uint32_t y = s->layout.pair[(size_t)i * s->p.m + k];
    int32_t *spare = &st->reward[(size_t)s->p.n * s->p.width + k];

    for (uint32_t l = 0; l < s->p.m; l++)
        if (l != k)
            part(s, st, i, l);
    for (uint32_t j = 0; j < s->p.n; j++)
        if (j != i)
            part(s, st, j, k);
    if (!GED_IS_GONE(*spare)) {
        *spare = GED_GONE;
        s->touched[s->p.n] = 1;
    }
    st->pair[y] = PAIR_FIXED;
    mark(s, y);
}

/* Take out what is further from the leader than the limit allows. */
static uint32_t
take_out(struct ged_split *s, struct split_state *st)
{
    const int64_t gap = st->total - s->need;
    const int32_t most = gap < GAP_MOST ? (int32_t)gap : GAP_MOST;
    int32_t *list = s->reached;
    uint32_t sum = 0;

    for (uint32_t i = 0; i < s->p.n; i++) {
        uint32_t count;

        if (st->choices[i] == 1)
            continue;
        count = s->vectors->beyond(st->reward + (size_t)i * s->p.width, st->v,
                                   st->u[i], most, s->p.width, list);
        for (uint32_t x = 0; x < count; x++)
            part(s, st, i, (uint32_t)list[x]);
        sum += count;
    }
    return sum;
}

void
sepx__split_thin(struct ged_split *s, struct split_state *st)
{
    (void)take_out(s, st);
}

bool
sepx__split_settle(struct ged_split *s, struct split_state *st)
{
    const bool over = s->over;

    s->vectors->value(s, st);
    if (s->over && !over) // some stars are stale: nothing can be said
        return true;
    return s->vectors->lead(s, st) && st->total >= s->need;
}

/* Settle, offer the leader's map, take pairs out; false: nothing is left. */
static bool
settle_and_fix(struct ged_split *s, struct split_state *st)
{
    if (!sepx__split_settle(s, st))
        return false;
    sepx__split_read_map(s, st);
    (void)sepx__split_offer(s, s->map);
    if (st->total < s->need)
        return false;
    for (unsigned round = 0; round < FIX_ROUNDS && !s->over; round++) {
        uint32_t count = take_out(s, st);

        if (!count)
            break;
        if (!sepx__split_settle(s, st))
            return false;
        if (count < FIX_ENOUGH)
            break;
    }
    return true;
}

/* ---- the subgradient ---- */

static void
drop_drift(struct ged_split *s)
{
    for (uint32_t x = 0; x < s->n_drift; x++)
        s->drift_at[s->drift[x].cell] = 0;
    s->n_drift = 0;
    s->drift_squares = 0;
}

/* Add what the leader took. */
static void
gather(struct ged_split *s, const struct split_state *st)
{
    const struct split_layout *l = &s->layout;
    const uint32_t count = s->vectors->choose(s, st);

    for (uint32_t x = 0; x < count; x++) {
        uint32_t cell = s->chosen[x], partner = l->partner[cell];
        float amount = 1;

        if (partner == SPLIT_NONE)
            continue;
        if (cell > partner) {
            uint32_t swap = cell;

            cell = partner;
            partner = swap;
            amount = -1;
        }
        if (!s->drift_at[cell]) {
            s->drift[s->n_drift++] = (struct split_drift){
                cell, partner, l->owner[cell / SPLIT_BLOCK],
                l->owner[partner / SPLIT_BLOCK], amount};
            s->drift_at[cell] = s->n_drift;
            s->drift_squares += 1;
        } else {
            float *old = &s->drift[s->drift_at[cell] - 1].amount;

            s->drift_squares += 1 + 2 * amount * *old;
            *old += amount;
        }
    }
}

static int32_t
bounded(float x)
{
    x = x > 3 * SPLIT_MOST ? 3 * SPLIT_MOST : x;
    return (int32_t)lrintf(x < -3 * SPLIT_MOST ? -3 * SPLIT_MOST : x);
}

/* Both cells stay within SPLIT_MOST. */
static void
shift(struct ged_split *s, int16_t *t, const struct split_drift *d, int32_t sum,
      int32_t by)
{
    int32_t value = t[d->cell] - by;

    value = value > SPLIT_MOST ? SPLIT_MOST : value;
    value = value < sum - SPLIT_MOST ? sum - SPLIT_MOST : value;
    if (value == t[d->cell])
        return;
    t[d->cell] = (int16_t)value;
    t[d->partner] = (int16_t)(sum - value);
    mark(s, d->pair);
    mark(s, d->other);
}

/*
 * Move along the drift, which then fades. Pairs that are out leave it: only
 * their cells are 0 at both ends.
 */
static void
move(struct ged_split *s, struct split_state *st, float step, float beta)
{
    float squares = 0;

    for (uint32_t x = 0; x < s->n_drift;) {
        struct split_drift *d = &s->drift[x];
        const int32_t sum = st->t[d->cell] + st->t[d->partner];
        const float amount = d->amount * beta;

        if (sum)
            shift(s, st->t, d, sum, bounded(step * d->amount));
        if (sum && fabsf(amount) >= DRIFT_LEAST) {
            d->amount = amount;
            squares += amount * amount;
            x++;
            continue;
        }
        s->drift_at[d->cell] = 0;
        if (x != --s->n_drift) {
            *d = s->drift[s->n_drift];
            s->drift_at[d->cell] = x + 1;
        }
    }
    s->drift_squares = squares;
}

/* ---- the bound ---- */

/* How one call proceeds; points are of the leader's total. */
struct course {
    uint32_t step, stall;
    double lambda, stretch, unit;
    int64_t first, best, mark;
};

/* Whether it pays to continue at the root. */
static bool
root_goes_on(struct course *c, int64_t need)
{
    if (c->stall >= 20) {
        c->lambda *= 0.7;
        c->stall = 0;
        if (c->lambda < 0.05)
            return false;
    }
    if (c->step >= 60 && c->step % 30 == 0 &&
        (double)(c->mark - c->best) * 12 < (double)(c->best - need))
        return false;
    if (c->step % 30 == 0)
        c->mark = c->best;
    return true;
}

static bool
node_goes_on(struct course *c, int64_t need)
{
    if (c->stall >= 6) {
        c->lambda *= 0.7;
        c->stall = 0;
    }
    if (c->step < 4)
        return true;
    return (double)(c->first - c->best) / c->step * 60 * c->stretch >=
           (double)(c->best - need);
}

bool
sepx__split_bound(struct ged_split *s, struct split_state *st,
                  struct dual_plan plan)
{
    struct course c = {.lambda = plan.lambda,
                       .stretch = 1,
                       .unit = sepx__split_grade(s),
                       .best = INT64_MAX / 4};

    drop_drift(s);
    for (;; c.step++) {
        s->iterations++;
        if (!settle_and_fix(s, st))
            return false;
        sepx__split_check(s);
        if (c.step == 0) {
            c.first = c.mark = st->total;
            if (!plan.root && (double)(st->total - s->need) <= 3 * c.unit) {
                c.stretch = 4;
                plan.most *= 4;
            }
        }
        if ((double)st->total < (double)c.best - c.unit / 100)
            c.stall = 0;
        else
            c.stall++;
        if (st->total < c.best)
            c.best = st->total;
        if (plan.root)
            sepx__split_raise(s, sepx__split_lower(s, st));
        if (s->over || c.step >= plan.most ||
            !(plan.root ? root_goes_on(&c, s->need)
                        : node_goes_on(&c, s->need)))
            return true;
        gather(s, st);
        if (s->drift_squares < 1e-4f)
            return true;
        move(s, st,
             (float)(c.lambda *
                     ((double)(st->total - s->need) + STEP_EXTRA * c.unit) /
                     (double)s->drift_squares),
             plan.root ? 0.9f : 0.6f);
    }
}
