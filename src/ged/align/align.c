/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Maps that keep a topological order. Networks are long and thin: most of
 * their edges join neighbours of the order, and what was inserted or deleted
 * lies between stretches that stayed. An alignment of the two sequences
 * (Needleman and Wunsch 1970) is then nearly the best map, which exchanges of
 * single images seldom find.
 *
 * Edges between neighbours of the order count exactly. What other edges are
 * worth depends on the map, so the alignment is done several times: a pair is
 * worth more by the edges that it had with the maps before, recent ones more.
 */
#include "ged/align/align.h"

#include <string.h>

#define PASSES 12 /* of one order, at most */
#define TRY_PASSES 2
#define IDLE 4                         /* passes without gain that end them */
#define DENSE_MOST (UINT64_C(1) << 22) /* pairs of edges at a pair of nodes */
#define LOOKS_MOST (UINT64_C(1) << 26) /* steps back in one pass */

/* What the passes of all orders share. */
struct align {
    struct ged_split *s;
    struct dag dag;
    struct dag_order order;
    struct align_sequences q;
    uint16_t *chain[2]; /* what `q` has, to be written */
    int32_t *across[2];
    uint32_t *first[2];
    struct align_near *near[2];
    int32_t *score, *bonus; /* n rows of m, by position */
    int32_t *along;         /* the alignment: a position for each position */
    int32_t *map;           /* the same in nodes, filled up */
    bool *taken;            /* columns */
    int32_t *worth;         /* columns, for one row */
    uint32_t looks;         /* steps back for one pair, at most */
    void *memory;
};

static size_t
lay_out(struct align *x, uint8_t *base)
{
    const size_t n = x->s->p.n, m = x->s->p.m;
    size_t used = 0;

    for (unsigned side = 0; side < 2; side++) {
        const struct sepx_ged_graph *g =
            side ? x->s->p.b.graph : x->s->p.a.graph;

        x->order.at[side] =
            sepx__ged_take(base, &used, g->n * sizeof(uint32_t));
        x->order.place[side] =
            sepx__ged_take(base, &used, g->n * sizeof(uint32_t));
        x->chain[side] = sepx__ged_take(base, &used, g->n * sizeof(uint16_t));
        x->first[side] =
            sepx__ged_take(base, &used, (g->n + 1) * sizeof(uint32_t));
        x->across[side] =
            sepx__ged_take(base, &used, (g->n + 1) * sizeof(int32_t));
        x->near[side] =
            sepx__ged_take(base, &used, g->m * sizeof(struct align_near));
    }
    x->score = sepx__ged_take(base, &used, n * m * sizeof *x->score);
    x->bonus = sepx__ged_take(base, &used, n * m * sizeof *x->bonus);
    x->along = sepx__ged_take(base, &used, n * sizeof *x->along);
    x->map = sepx__ged_take(base, &used, n * sizeof *x->map);
    x->taken = sepx__ged_take(base, &used, m * sizeof *x->taken);
    x->worth = sepx__ged_take(base, &used, m * sizeof *x->worth);
    x->q.sums = sepx__ged_take(base, &used, 4 * (m + 1) * sizeof(int32_t));
    x->q.from = sepx__ged_take(base, &used, n * m);
    return used;
}

/* Sort an edge from position `from` in, the nearest first. */
static void
add_near(struct align_near *first, struct align_near *end, uint32_t from,
         uint16_t code)
{
    for (; end > first && end[-1].place < from; end--)
        *end = end[-1];
    *end = (struct align_near){from, code};
}

/* The edges that lead to position y. */
static void
set_edges_to(struct align *x, unsigned side, uint32_t y)
{
    const struct ged_darts *into = x->s->p.a.by + 1;
    const uint32_t *place = x->order.place[side];
    const uint32_t i = x->order.at[side][y];
    struct align_near *near = x->near[side] + x->first[side][y], *end = near;

    if (side)
        into = x->s->p.b.by + 1;
    x->chain[side][y] = 0;
    for (uint32_t d = into->first[i]; d < into->first[i + 1]; d++) {
        const uint32_t from = place[into->dart[d].node];

        if (from + 1 == y) {
            x->chain[side][y] = (uint16_t)(into->dart[d].code + 1);
            continue;
        }
        add_near(near, end++, from, into->dart[d].code);
        x->across[side][from + 1]++;
        x->across[side][y + 1]--;
    }
    x->first[side][y + 1] = (uint32_t)(end - x->near[side]);
}

static void
set_edges(struct align *x, unsigned side)
{
    const uint32_t n = side ? x->s->p.m : x->s->p.n;

    memset(x->across[side], 0, (n + 1) * sizeof *x->across[side]);
    x->first[side][0] = 0;
    for (uint32_t y = 0; y < n; y++)
        set_edges_to(x, side, y);
    for (uint32_t y = 1; y < n; y++)
        x->across[side][y] += x->across[side][y - 1];
}

/* Half of what the edges of a pair could be worth. */
static int32_t
hope(const struct align *x, uint32_t i, uint32_t k)
{
    const struct ged_problem *p = &x->s->p;
    int32_t sum = 0;

    for (unsigned g = 0; g < 2; g++) {
        const uint32_t a = ged_degree(&p->a, g, i);
        const uint32_t b = ged_degree(&p->b, g, k);

        sum += (int32_t)(a < b ? a : b);
    }
    return sum * (p->edge[0] / 2);
}

/* False: there is no such order. */
static bool
begin(struct align *x, enum dag_order_kind kind)
{
    const struct ged_problem *p = &x->s->p;

    if (kind != DAG_ORDER_GIVEN)
        sepx__dag_order(&x->dag, &x->order, kind);
    else if (!sepx__dag_order_given(&x->dag, &x->order, x->s->task->numbers))
        return false;
    set_edges(x, 0);
    set_edges(x, 1);
    for (uint32_t i = 0; i < p->n; i++) {
        const uint32_t node = x->order.at[0][i];
        const int32_t *base = p->base + (size_t)node * p->width;
        int32_t *bonus = x->bonus + (size_t)i * p->m;

        for (uint32_t k = 0; k < p->m; k++)
            bonus[k] = GED_IS_GONE(base[x->order.at[1][k]])
                           ? 0
                           : hope(x, node, x->order.at[1][k]);
    }
    return true;
}

static void
set_scores(struct align *x)
{
    const struct ged_problem *p = &x->s->p;

    for (uint32_t i = 0; i < p->n; i++) {
        const int32_t *base = p->base + (size_t)x->order.at[0][i] * p->width;
        const int32_t *bonus = x->bonus + (size_t)i * p->m;
        int32_t *score = x->score + (size_t)i * p->m;

        for (uint32_t k = 0; k < p->m; k++) {
            const int32_t own = base[x->order.at[1][k]];

            score[k] = GED_IS_GONE(own) ? ALIGN_NEVER : own + bonus[k];
        }
    }
}

/* What edges a row would keep on each column with the map so far. */
static void
set_worth(struct align *x, uint32_t i)
{
    const struct ged_problem *p = &x->s->p;

    memset(x->worth, 0, p->m * sizeof *x->worth);
    for (unsigned g = 0; g < 2; g++) {
        const struct ged_darts *a = &p->a.by[g], *b = &p->b.by[1 - g];

        for (uint32_t d = a->first[i]; d < a->first[i + 1]; d++) {
            const int32_t l = x->map[a->dart[d].node];

            for (uint32_t f = l < 0 ? 0 : b->first[l];
                 l >= 0 && f < b->first[l + 1]; f++)
                x->worth[b->dart[f].node] +=
                    ged_edge_points(p, &a->dart[d], &b->dart[f]);
        }
    }
}

/* Rows that the order left over take what columns it left, by gain. */
static void
fill_up(struct align *x)
{
    const struct ged_problem *p = &x->s->p;

    for (uint32_t y = 0; y < p->n; y++) {
        const uint32_t i = x->order.at[0][y];
        const int32_t *base = p->base + (size_t)i * p->width;
        int32_t most = -1;
        uint32_t best = p->m;

        if (x->map[i] >= 0)
            continue;
        set_worth(x, i);
        for (uint32_t z = 0; z < p->m; z++) {
            const uint32_t k = x->order.at[1][z];

            if (x->taken[k] || GED_IS_GONE(base[k]) ||
                base[k] + x->worth[k] <= most)
                continue;
            most = base[k] + x->worth[k];
            best = k;
        }
        if (best < p->m) {
            x->map[i] = (int32_t)best;
            x->taken[best] = true;
        }
    }
}

/* The alignment as a map; its cost. */
static int64_t
offer(struct align *x)
{
    const struct ged_problem *p = &x->s->p;

    memset(x->taken, 0, p->m * sizeof *x->taken);
    for (uint32_t i = 0; i < p->n; i++)
        x->map[i] = -1;
    for (uint32_t i = 0; i < p->n; i++) {
        uint32_t k;

        if (x->along[i] < 0)
            continue;
        k = x->order.at[1][x->along[i]];
        x->map[x->order.at[0][i]] = (int32_t)k;
        x->taken[k] = true;
    }
    fill_up(x);
    (void)sepx__split_offer(x->s, x->map);
    return sepx__problem_price(p, x->map);
}

/* Edges that the map keeps make the pairs at their ends worth more. */
static void
weigh(struct align *x)
{
    const struct ged_problem *p = &x->s->p;
    const uint32_t *place_a = x->order.place[0], *place_b = x->order.place[1];

    for (size_t y = 0; y < (size_t)p->n * p->m; y++)
        x->bonus[y] /= 2;
    for (uint32_t i = 0; i < p->n; i++) {
        const int32_t k = x->map[i];

        for (unsigned g = 0; k >= 0 && g < 2; g++) {
            const struct ged_darts *a = &p->a.by[g], *b = &p->b.by[g];

            for (uint32_t d = a->first[i]; d < a->first[i + 1]; d++)
                for (uint32_t f = b->first[k]; f < b->first[k + 1]; f++) {
                    const uint32_t j = a->dart[d].node, l = b->dart[f].node;
                    const bool chained =
                        place_a[j] - place_a[i] == place_b[l] - place_b[k] &&
                        (place_a[j] - place_a[i] == 1 ||
                         place_a[i] - place_a[j] == 1);

                    if (!chained)
                        x->bonus[(size_t)place_a[j] * p->m + place_b[l]] +=
                            ged_edge_points(p, &a->dart[d], &b->dart[f]) / 2;
                }
        }
    }
}

/* The position map, then alignments. */
static void
run(struct align *x, enum dag_order_kind kind, unsigned passes)
{
    int64_t best;
    unsigned idle = 0;

    if (!begin(x, kind))
        return;
    x->q.gap = kind < DAG_ORDER_FORWARD_LONG || kind == DAG_ORDER_GIVEN
                   ? 0
                   : x->s->p.edge[0] / 4;
    for (uint32_t i = 0; i < x->q.n; i++)
        x->along[i] = (int32_t)i;
    best = offer(x);
    for (unsigned pass = 0; pass < passes && idle < IDLE && !x->s->over;
         pass++) {
        int64_t cost;

        set_scores(x);
        x->q.looks_back = (pass + kind % DAG_ORDER_GIVEN) % 2 ? 0 : x->looks;
        (void)sepx__align_sequences(&x->q, x->along);
        cost = offer(x);
        idle = cost < best ? 0 : idle + 1;
        best = cost < best ? cost : best;
        weigh(x);
        sepx__split_check(x->s);
    }
}

static SEPX_CHECKED enum sepx_err
set_up(struct align *x)
{
    const struct ged_problem *p = &x->s->p;

    x->memory = sepx__aligned(lay_out(x, NULL), GED_ALIGN);
    if (!x->memory)
        return SEPX_ENOMEM;
    lay_out(x, x->memory);
    x->looks = (uint32_t)(LOOKS_MOST / ((uint64_t)p->n * p->m));
    x->q.n = p->n;
    x->q.m = p->m;
    x->q.score = x->score;
    x->q.link = p->edge;
    x->q.codes = p->b.graph->n_codes;
    for (unsigned side = 0; side < 2; side++) {
        x->q.chain[side] = x->chain[side];
        x->q.across[side] = x->across[side];
        x->q.first[side] = x->first[side];
        x->q.near[side] = x->near[side];
    }
    return SEPX_OK;
}

/* Whether the pair is worth it: neither small nor dense. */
static bool
is_thin(const struct ged_split *s)
{
    const struct ged_problem *p = &s->p;

    return p->classes == 2 && p->n && p->m >= ALIGN_LEAST &&
           (uint64_t)p->a.graph->m * p->b.graph->m / p->m < DENSE_MOST;
}

/* Whether an order is worth it, and not that of the numbers already. */
static bool
is_new(const struct ged_split *s, enum dag_order_kind kind)
{
    if (s->p.m <= GED_SMALL && kind >= DAG_ORDER_FORWARD_DEEP)
        return false;
    return !s->task->numbers || kind != sepx__dag_numbered(s->p.m);
}

/*
 * Whether a try was better than what was known. To those in a hurry it must be
 * by much, as it is of networks; random graphs have orders, too, and many.
 */
static bool
is_use(const struct ged_split *s, int64_t known)
{
    return s->task->upper < known - (s->task->brief ? known / 8 : 0);
}

enum sepx_err
sepx__align_offer(struct ged_split *s, enum align_orders orders)
{
    const int64_t upper = s->task->upper;
    struct align x = {.s = s};
    enum sepx_err err;

    if (!is_thin(s) || s->task->visit)
        return SEPX_OK;
    err = sepx__dag_init(&x.dag, &s->p);
    if (!err && x.dag.acyclic)
        err = set_up(&x);
    if (x.memory && orders == ALIGN_ONE)
        run(&x, DAG_ORDER_OWN, TRY_PASSES);
    if (x.memory && orders == ALIGN_GIVEN)
        run(&x, DAG_ORDER_GIVEN, PASSES);
    for (unsigned kind = 0;
         kind < DAG_ORDER_GIVEN && x.memory && orders == ALIGN_ALL && !s->over;
         kind++)
        if (is_new(s, kind))
            run(&x, kind, PASSES);
    if (orders != ALIGN_GIVEN)
        s->aligned = x.memory && (orders == ALIGN_ALL || is_use(s, upper));
    sepx__aligned_free(x.memory);
    sepx__dag_release(&x.dag);
    return err;
}
