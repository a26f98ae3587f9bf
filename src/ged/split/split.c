/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The search by the split bound, in stages: a first assignment and a map by
 * tabu search, pairs taken out, the bound at the root with more tabu between,
 * then trees. Work is counted, never timed, so that the same pair takes the
 * same course everywhere.
 */
#include <string.h>

#include "ged/align/align.h"

#define FIRST_STEPS 12   /* of the bound, before a longer tabu search */
#define ROOT_STEPS 133   /* of the bound, three times */
#define AGREED 2         /* runs of tabu search that make a map trusted */
#define TABU_LARGE 128   /* columns */
#define TABU_FIRST 512   /* columns: tabu search costs less than alignment */
#define GROW_LEAST 64    /* columns: below, tabu search is enough */
#define NEAR 4           /* grades */
#define SIFTED (1 << 14) /* pairs: so many need little memory */
#define SHARED_FROM UINT64_C(20000000) /* work, about nanoseconds */
#define GAP_NEAR 2                     /* grades: closed by one tree */

enum stage {
    START,
    ROOT_0,
    ROOT_1,
    ROOT_2,
    ROOT_3,
    POLISH,
    DIRECT,
    DEEPEN,
    DONE
};

/* ---- set-up ---- */

static size_t
lay_out(struct ged_split *s, uint8_t *base)
{
    const struct ged_problem *p = &s->p;
    const size_t wide = p->width + 8, n = p->n;
    size_t most = 1, darts = 1, used = 0;

    for (unsigned g = 0; g < p->classes; g++) {
        if (p->a.most[g] > most)
            most = p->a.most[g];
        if (p->b.most[g] > most)
            most = p->b.most[g];
        darts += p->a.by[g].first[n];
    }
    s->touched = sepx__ged_take(base, &used, n + 1);
    s->chosen = sepx__ged_take(base, &used, darts * sizeof *s->chosen);
    s->distance = sepx__ged_take(base, &used, wide * sizeof *s->distance);
    s->blocked = sepx__ged_take(base, &used, wide * sizeof *s->blocked);
    s->depths = sepx__ged_take(base, &used, wide * sizeof *s->depths);
    s->reached = sepx__ged_take(base, &used, wide * sizeof *s->reached);
    s->way = sepx__ged_take(base, &used, 2 * wide * sizeof *s->way);
    s->star_u = sepx__ged_take(base, &used, most * sizeof *s->star_u);
    s->star_v = sepx__ged_take(base, &used, most * sizeof *s->star_v);
    s->star_d = sepx__ged_take(base, &used, most * sizeof *s->star_d);
    s->star_way = sepx__ged_take(base, &used, most * sizeof *s->star_way);
    s->star_row = sepx__ged_take(base, &used, most * sizeof *s->star_row);
    s->star_used = sepx__ged_take(base, &used, most);
    s->map = sepx__ged_take(base, &used, (n + 1) * sizeof *s->map);
    s->best = sepx__ged_take(base, &used, (n + 1) * sizeof *s->best);
    return used;
}

static size_t
lay_out_pairs(struct ged_split *s, uint8_t *base)
{
    const struct split_layout *l = &s->layout;
    size_t used = 0;

    s->stale = sepx__ged_take(base, &used, l->n_pairs * sizeof *s->stale);
    s->is_stale = sepx__ged_take(base, &used, l->n_pairs);
    s->drift =
        sepx__ged_take(base, &used, (l->n_cells / 2 + 1) * sizeof *s->drift);
    s->drift_at = sepx__ged_take(base, &used, l->n_cells * sizeof *s->drift_at);
    return used;
}

/* Room for the largest star, to value those that have no cells yet. */
static size_t
largest_star(const struct ged_problem *p)
{
    size_t sum = 0;

    for (unsigned g = 0; g < p->classes; g++)
        sum += split_block_cells(p->a.most[g], p->b.most[g]) + SPLIT_BLOCK;
    return sum;
}

enum sepx_err
sepx__split_new(struct ged_split **split, struct sepx_ged *ged,
                struct ged_task *task)
{
    struct ged_split *s = sepx__calloc(1, sizeof *s);
    enum sepx_err err = s ? SEPX_OK : SEPX_ENOMEM;

    if (err)
        return err;
    s->task = task;
    s->target = GED_UNKNOWN;
    s->sifted = SIFTED;
    s->vectors = &sepx__split_base;
#if defined(__x86_64__)
    if (ged->simd)
        s->vectors = &sepx__split_avx2;
#endif
    err = sepx__problem_init(&s->p, task, true);
    if (!err) {
        s->memory = sepx__aligned(lay_out(s, NULL), GED_ALIGN);
        err = s->memory ? SEPX_OK : SEPX_ENOMEM;
    }
    if (!err) {
        lay_out(s, s->memory);
        memset(s->touched, 1, s->p.n + 1);
        err = sepx__state_init(&s->root, &s->p, &s->layout);
    }
    s->over = s->p.over;
    if (!err && !s->over)
        err = sepx__tabu_new(s);
    if (!err && task->upper != GED_UNKNOWN && !task->visit) {
        sepx__problem_import(&s->p, task->map, s->best);
        s->has_best = true;
    }
    if (err)
        sepx__split_free(s);
    else
        *split = s;
    return err;
}

enum sepx_err
sepx__split_clone(struct ged_split **split, const struct ged_split *of,
                  struct ged_task *task)
{
    struct ged_split *s = sepx__calloc(1, sizeof *s);
    enum sepx_err err = s ? SEPX_OK : SEPX_ENOMEM;

    if (err)
        return err;
    s->task = task;
    s->vectors = of->vectors;
    s->p = of->p;
    s->layout = of->layout;
    s->root.size = of->root.size;
    s->is_clone = true;
    s->memory = sepx__aligned(lay_out(s, NULL), GED_ALIGN);
    s->pair_memory = sepx__aligned(lay_out_pairs(s, NULL), GED_ALIGN);
    err = s->memory && s->pair_memory ? SEPX_OK : SEPX_ENOMEM;
    if (!err) {
        lay_out(s, s->memory);
        lay_out_pairs(s, s->pair_memory);
        memset(s->touched, 0, s->p.n + 1);
        memset(s->is_stale, 0, s->layout.n_pairs);
        memset(s->drift_at, 0, s->layout.n_cells * sizeof *s->drift_at);
        err = sepx__tabu_new(s);
    }
    if (!err)
        err = sepx__state_init(&s->probe, &s->p, &s->layout);
    if (err)
        sepx__split_free(s);
    else
        *split = s;
    return err;
}

void
sepx__split_free(struct ged_split *s)
{
    if (!s)
        return;
    sepx__shared_end(s);
    sepx__tree_release(s);
    sepx__tabu_free(s->tabu);
    sepx__aligned_free(s->pair_memory);
    sepx__aligned_free(s->memory);
    if (!s->is_clone) {
        sepx__state_release(&s->root);
        sepx__layout_release(&s->layout);
        sepx__problem_release(&s->p);
    }
    sepx__free(s);
}

/* ---- work ---- */

/* About nanoseconds: a step of the bound, a step of tabu search. */
uint64_t
sepx__tabu_work(const struct ged_split *s)
{
    return s->tabu_steps * (200 + s->p.m * (20 + s->p.m / 4));
}

uint64_t
sepx__split_work(const struct ged_split *s)
{
    return s->iterations * (500 + 150 * s->p.m) + sepx__tabu_work(s);
}

static bool
is_done(const struct ged_split *s)
{
    const struct ged_task *task = s->task;

    return !task->visit && task->upper != GED_UNKNOWN &&
           (task->lower >= task->upper || task->lower > task->cap);
}

/* ---- the first assignment ---- */

/* Whether the row may still be mapped to the column. */
static bool
may_map(const struct ged_split *s, uint32_t i, uint32_t k)
{
    const size_t at = (size_t)i * s->p.width + k;

    return !GED_IS_GONE(s->p.base[at]) && !GED_IS_GONE(s->root.reward[at]);
}

/* How far two nodes are from the leader; GED_EDGE_POINTS: too far. */
static int32_t
slack_of(const struct ged_split *s, uint32_t i, uint32_t k)
{
    const struct split_state *st = &s->root;
    int32_t slack;

    if (!may_map(s, i, k))
        return GED_EDGE_POINTS;
    slack = st->u[i] + st->v[k] - st->reward[(size_t)i * s->p.width + k];
    return slack < GED_EDGE_POINTS ? slack : GED_EDGE_POINTS;
}

/* Whether row i has an edge to row j. */
static bool
leads_to(const struct ged_problem *p, uint32_t i, uint32_t j)
{
    const struct ged_darts *a = &p->a.by[0];

    for (uint32_t d = a->first[i]; d < a->first[i + 1]; d++)
        if (a->dart[d].node == j)
            return true;
    return false;
}

/*
 * Edges save nothing where the nodes at their other ends are never mapped,
 * and `ahead`, less by as much as those are from the leader; only once where
 * edges go both ways.
 */
static void
clear_lost(const struct ged_split *s, uint32_t i, uint32_t k, bool ahead,
           int16_t *t)
{
    const struct ged_problem *p = &s->p;

    for (unsigned g = 0; g < p->classes; g++) {
        const struct ged_dart *a = p->a.by[g].dart + p->a.by[g].first[i];
        const struct ged_dart *b = p->b.by[g].dart + p->b.by[g].first[k];
        const uint32_t rows = ged_degree(&p->a, g, i);
        const uint32_t columns = ged_degree(&p->b, g, k);

        for (uint32_t x = 0; x < rows; x++) {
            const bool less = ahead && !(g && leads_to(p, i, a[x].node));
            int16_t *cell = t + x * split_stride(rows, columns);

            for (uint32_t y = 0; y < columns; y++, cell++)
                if (less)
                    *cell =
                        (int16_t)(*cell - slack_of(s, a[x].node, b[y].node));
                else if (!may_map(s, a[x].node, b[y].node))
                    *cell = 0;
        }
        t += split_block_cells(rows, columns);
    }
}

/*
 * The reward of each pair with every edge's reward halved; `again`: of those
 * that are left, without edges that lead to a pair that is not. *pairs is
 * their number.
 */
static SEPX_CHECKED enum sepx_err
set_rewards(struct ged_split *s, bool again, uint64_t *pairs)
{
    const struct ged_problem *p = &s->p;
    struct split_state *st = &s->root;
    int16_t *t = sepx__aligned(largest_star(p) * sizeof *t, GED_ALIGN);

    *pairs = 0;
    if (!t)
        return SEPX_ENOMEM;
    for (uint32_t i = 0; i < p->n && !s->over; i++) {
        int32_t *row = st->reward + (size_t)i * p->width;

        for (uint32_t k = 0; k < p->m; k++) {
            if (!may_map(s, i, k))
                continue;
            sepx__halve_star(p, i, k, t);
            if (again)
                clear_lost(s, i, k, false, t);
            row[k] = p->base[(size_t)i * p->width + k] +
                     s->vectors->star(s, t, i, k);
            if (row[k] < 0)
                row[k] = 0;
            ++*pairs;
        }
        if (p->m > 256)
            sepx__split_check(s);
    }
    memset(s->touched, 1, p->n + 1);
    sepx__aligned_free(t);
    return SEPX_OK;
}

static void
set_unmatched(struct ged_split *s)
{
    struct split_state *st = &s->root;

    for (uint32_t i = 0; i <= s->p.n; i++)
        for (uint32_t k = 0; k < s->p.width; k++)
            st->reward[(size_t)i * s->p.width + k] = k < s->p.m ? 0 : GED_GONE;
    for (uint32_t i = 0; i < s->p.n; i++)
        st->choices[i] = (uint16_t)s->p.m;
    memset(st->v, 0, s->p.width * sizeof *st->v);
    for (uint32_t k = 0; k < s->p.width; k++)
        st->row_of[k] = k < s->p.m ? -1 : 0;
    for (uint32_t k = 0; k < s->p.m; k++)
        st->column_of[k] = -1;
}

/* A layout of the pairs that are left, and all stars stale. */
static SEPX_CHECKED enum sepx_err
compact(struct ged_split *s)
{
    struct split_layout new;
    enum sepx_err err = sepx__layout_init(&new, s);
    bool moved = false;
    size_t size;

    if (!err && !s->over) {
        err = sepx__root_move(s, &new);
        moved = !err;
    }
    if (!moved) {
        sepx__layout_release(&new);
        return err;
    }
    sepx__layout_release(&s->layout);
    sepx__aligned_free(s->pair_memory);
    s->layout = new;
    s->n_drift = 0;
    size = lay_out_pairs(s, NULL);
    s->pair_memory = sepx__aligned(size, GED_ALIGN);
    if (!s->pair_memory)
        return SEPX_ENOMEM;
    lay_out_pairs(s, s->pair_memory);
    memset(s->is_stale, 1, new.n_pairs);
    s->n_stale = 0;
    while (s->n_stale < new.n_pairs && !s->over) {
        const uint32_t y = s->n_stale;

        memset(s->drift_at + new.first[y], 0,
               (new.first[y + 1] - new.first[y]) * sizeof *s->drift_at);
        s->stale[s->n_stale++] = y;
        if (y % CHECK_EACH == CHECK_EACH - 1)
            sepx__split_check(s);
    }
    return SEPX_OK;
}

/*
 * Tabu search. A step takes time by the square of the size; where a good map
 * of a large pair is known from the start, the bound needs that time more.
 */
static void
look_for_map(struct ged_split *s, struct tabu_plan plan)
{
    const uint32_t times = s->p.m / TABU_LARGE;

    if (s->aligned && times > 1) {
        plan.steps = plan.steps / (times * times) + 1;
        plan.patience = plan.patience / (times * times) + 1;
    }
    sepx__tabu_run(s, &s->root, plan);
}

/* There is a good map already, as for two versions of one graph. */
static bool
is_near(const struct ged_split *s)
{
    const int64_t lower = s->task->lower;

    return s->task->upper - lower <= lower / 64 + NEAR * s->p.grade;
}

/* The leader of halves; false if nothing of use is left. */
static bool
lead_first(struct ged_split *s)
{
    if (!s->vectors->lead(s, &s->root) || s->root.total < s->need) {
        sepx__split_raise(s, s->beyond);
        return false;
    }
    sepx__split_raise(s, sepx__split_lower(s, &s->root));
    sepx__split_read_map(s, &s->root);
    (void)sepx__split_offer(s, s->map);
    return true;
}

/*
 * Take out pairs that look too good: with (i, k), nodes at the other ends of
 * matched edges are as far from the leader as they are, and all of that is
 * lost (docs/algorithms.md).
 */
static SEPX_CHECKED enum sepx_err
look_ahead(struct ged_split *s)
{
    const struct ged_problem *p = &s->p;
    struct split_state *st = &s->root;
    int16_t *t = sepx__aligned(largest_star(p) * sizeof *t, GED_ALIGN);

    if (!t)
        return SEPX_ENOMEM;
    for (uint32_t i = 0; i < p->n && !s->over; i++) {
        for (uint32_t k = 0; k < p->m; k++) {
            int64_t most = st->total - st->u[i] - st->v[k];

            if (!may_map(s, i, k) || sepx__split_may_leave(s, i, k))
                continue;
            sepx__halve_star(p, i, k, t);
            clear_lost(s, i, k, true, t);
            most += p->base[(size_t)i * p->width + k] +
                    s->vectors->star(s, t, i, k);
            if (most < s->need)
                sepx__split_kill(s, st, i, k);
        }
        if (p->m > 256)
            sepx__split_check(s);
    }
    sepx__aligned_free(t);
    return SEPX_OK;
}

/*
 * Each pair that is out takes reward from others, and some of them follow.
 * Millions of pairs are sifted like this before there are cells for them,
 * which take far more memory.
 */
static SEPX_CHECKED enum sepx_err
sift(struct ged_split *s, uint64_t pairs)
{
    enum sepx_err err = SEPX_OK;

    for (uint64_t left = 0; pairs > s->sifted && !err && !s->over;
         pairs = left) {
        err = look_ahead(s);
        if (!err && !s->over)
            err = set_rewards(s, true, &left);
        if (err || s->over || !lead_first(s))
            break;
        sepx__split_thin(s, &s->root);
        if (left + left / 8 >= pairs)
            break;
    }
    return err;
}

/*
 * What the numbers say that the nodes were given. Only what is better than
 * all before has any effect, so that shuffled graphs mostly go the same way.
 */
static SEPX_CHECKED enum sepx_err
offer_given(struct ged_split *s, bool align)
{
    const struct ged_numbers *numbers = s->task->numbers;
    const unsigned rows = s->p.swapped;
    const uint32_t n = s->p.m;
    const int64_t upper = s->task->upper;
    enum sepx_err err = SEPX_OK;

    for (uint32_t i = 0; i < s->p.n; i++) {
        const uint32_t k = numbers->place[1 - rows][numbers->at[rows][i]];

        s->map[i] = may_map(s, i, k) ? (int32_t)k : -1;
    }
    (void)sepx__split_offer(s, s->map);
    if (align)
        err = sepx__align_offer(s, ALIGN_GIVEN);
    if (!err && !s->over && s->task->upper < upper)
        look_for_map(s, (struct tabu_plan){40 + 4 * n, 10 + n, false, true});
    return err;
}

/* The assignment of halves, a map, and the pairs they leave. */
static SEPX_CHECKED enum sepx_err
start(struct ged_split *s)
{
    const uint32_t n = s->p.m;
    uint64_t pairs;
    bool all;
    enum sepx_err err;

    set_unmatched(s);
    sepx__problem_identity(&s->p, s->map);
    (void)sepx__split_offer(s, s->map);
    err = s->over ? SEPX_OK : set_rewards(s, false, &pairs);
    if (err || s->over)
        return err;
    s->task->nodes++;
    if (!lead_first(s))
        return SEPX_OK;
    err = sepx__align_offer(s, ALIGN_ONE);
    if (!err && !s->over && n > TABU_FIRST)
        err = sepx__grow_offer(s);
    if (err || s->over)
        return err;
    if (n <= TABU_FIRST)
        sepx__tabu_run(s, &s->root,
                       (struct tabu_plan){40 + 4 * n, 10 + n, false, false});
    if (n <= TABU_FIRST && n >= GROW_LEAST && !is_near(s))
        err = sepx__grow_offer(s);
    if (err)
        return err;
    if (n > TABU_FIRST && s->aligned)
        look_for_map(s, (struct tabu_plan){40 + 4 * n, 10 + n, false, true});
    if (is_done(s) || s->over)
        return SEPX_OK;
    /*
     * If the first order was of no use, the others rarely are. Above
     * TABU_FIRST they cost less than the steps of the bound that they save.
     */
    all = (!is_near(s) || n > TABU_FIRST) && (s->aligned || !s->task->brief);
    if (all)
        err = sepx__align_offer(s, ALIGN_ALL);
    if (err || s->over)
        return err;
    if (s->aligned)
        look_for_map(s, (struct tabu_plan){40 + 4 * n, 10 + n, false, true});
    if (n > TABU_FIRST && !is_done(s))
        look_for_map(s, (struct tabu_plan){40 + 4 * n, 10 + n, false, false});
    if (s->task->numbers && !is_done(s) && !s->over)
        err = offer_given(s, all);
    if (err)
        return err;
    if (is_done(s) || s->over || s->task->brief)
        return SEPX_OK;
    sepx__split_thin(s, &s->root);
    err = sift(s, pairs);
    if (err || is_done(s) || s->over)
        return err;
    return compact(s);
}

/* The map that deletes all: always there, and all there is without nodes. */
static void
offer_nothing(struct ged_split *s)
{
    for (uint32_t i = 0; i < s->p.n; i++)
        s->map[i] = -1;
    (void)sepx__split_offer(s, s->map);
    if (!s->p.n)
        sepx__split_raise(s, s->p.all);
}

/* Row i on column i, if there is still time to match its bundles. */
static void
offer_position(struct ged_split *s)
{
    const struct ged_bundles *bundles = s->p.costs->bundles;

    sepx__problem_identity(&s->p, s->map);
    (void)sepx__problem_price(&s->p, s->map);
    if (!bundles || !bundles->bags->cut)
        (void)sepx__split_offer(s, s->map);
}

/* ---- stages ---- */

/* A part of the bound at the root, and tabu search from where it ends. */
static void
bound_root(struct ged_split *s, unsigned part)
{
    const uint32_t n = s->p.m, more = part ? 2 : 1;
    const struct dual_plan plan = {true, part ? ROOT_STEPS : FIRST_STEPS,
                                   part < 2 ? 1.0f : 0.7f};

    s->task->nodes++;
    if (!sepx__split_bound(s, &s->root, plan)) {
        sepx__split_raise(s, s->beyond);
        return;
    }
    if (!s->over && sepx__tabu_hits(s->tabu) < AGREED)
        look_for_map(s, (struct tabu_plan){more * (50 + 10 * n),
                                           more * (25 + 5 * n), false,
                                           s->aligned && part % 2 == 0});
    if (s->root.total < s->need)
        sepx__split_raise(s, s->beyond);
}

static int64_t
grades_open(const struct ged_split *s)
{
    return (s->task->upper - s->task->lower) / s->p.grade;
}

/* Tabu search from other starts until two runs agree. */
static void
polish(struct ged_split *s)
{
    const uint32_t n = s->p.m;

    for (unsigned x = 0; x < 4 && sepx__tabu_hits(s->tabu) < AGREED && !s->over;
         x++)
        look_for_map(s, (struct tabu_plan){200 + 40 * n, 100 + 20 * n,
                                           x % 2 == 0, false});
}

static SEPX_CHECKED enum sepx_err
start_tree(struct ged_split *s, int64_t target)
{
    s->target = target;
    sepx__split_set_need(s);
    return sepx__tree_start(s);
}

/* Threads are not worth it for a tree that is done within milliseconds. */
static uint64_t
before_sharing(const struct ged_split *s, uint64_t work)
{
    return s->task->threads > 1 && sepx__split_work(s) < SHARED_FROM
               ? SHARED_FROM
               : work;
}

/* One tree for all costs below the best map's, or one for each cost. */
static SEPX_CHECKED enum sepx_err
search(struct ged_split *s, uint64_t work)
{
    enum sepx_err err = SEPX_OK;

    if (!s->depth)
        err = start_tree(s, s->stage == DIRECT || grades_open(s) <= GAP_NEAR
                                ? GED_UNKNOWN
                                : s->task->lower + s->p.grade - s->p.unit);
    if (!err && s->alone && !s->shared && s->task->threads > 1 &&
        sepx__split_work(s) >= SHARED_FROM)
        sepx__shared_start(s, s->task->threads);
    if (!err)
        err = sepx__tree_run(s, s->shared || work < SHARED_FROM || !s->alone
                                    ? work
                                    : before_sharing(s, work));
    if (err || s->over || s->depth)
        return err;
    sepx__split_raise(s, s->beyond);
    return SEPX_OK;
}

static SEPX_CHECKED enum sepx_err
one_stage(struct ged_split *s, uint64_t work)
{
    enum sepx_err err = SEPX_OK;

    switch (s->stage) {
    case START:
        err = start(s);
        s->stage = ROOT_0;
        break;
    case ROOT_0:
    case ROOT_1:
    case ROOT_2:
    case ROOT_3:
        bound_root(s, s->stage - ROOT_0);
        s->stage++;
        break;
    case POLISH:
        if (grades_open(s) > GAP_NEAR)
            polish(s);
        err = compact(s);
        if (!err && !s->over && !sepx__split_settle(s, &s->root))
            sepx__split_raise(s, s->beyond);
        s->stage = sepx__tabu_hits(s->tabu) >= AGREED || s->task->visit ||
                           grades_open(s) <= GAP_NEAR
                       ? DIRECT
                       : DEEPEN;
        break;
    default:
        err = search(s, work);
        if (!s->depth && s->task->visit)
            s->stage = DONE;
    }
    return err;
}

enum sepx_err
sepx__split_run(struct ged_split *s, uint64_t work)
{
    enum sepx_err err = SEPX_OK;

    work += sepx__split_work(s);
    sepx__split_set_need(s);
    if (!s->p.n)
        offer_nothing(s);
    while (!err && !s->over && !is_done(s) && s->stage != DONE &&
           sepx__split_work(s) < work)
        err = one_stage(s, work);
    if (s->task->upper == GED_UNKNOWN)
        offer_nothing(s);
    if (s->over && s->stage == START)
        offer_position(s);
    s->task->stopped |= s->over;
    return err;
}
