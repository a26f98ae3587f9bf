/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A map of two large graphs that are mostly the same. Nodes that look like
 * one node of the other graph alone, a few edges around, are its seeds. From
 * there it grows along edges, surest pairs first, and at the end images move
 * and change places as long as that saves something. Each step looks at the
 * edges of a node and no further, so that size does not matter.
 */
#include <stdlib.h>
#include <string.h>

#include "ged/align/align.h"

#define ROUNDS 4   /* edges around a seed */
#define PASSES 200 /* over all rows, at most */
#define CLIMBS 20

struct look {
    uint64_t hash;
    uint32_t node, side;
};

struct grow {
    struct ged_split *s;
    const struct ged_problem *p;
    uint64_t *hash[2], *next;
    struct look *look;
    int32_t *map, *row; /* of rows; of columns */
    int32_t *votes;     /* of columns: points of edges kept */
    uint32_t *voted, n_voted;
    void *memory;
};

static size_t
lay_out(struct grow *x, uint8_t *base)
{
    const size_t n = x->p->n, m = x->p->m;
    size_t used = 0;

    x->hash[0] = sepx__ged_take(base, &used, n * sizeof *x->hash[0]);
    x->hash[1] = sepx__ged_take(base, &used, m * sizeof *x->hash[1]);
    x->next = sepx__ged_take(base, &used, m * sizeof *x->next);
    x->look = sepx__ged_take(base, &used, (n + m) * sizeof *x->look);
    x->map = sepx__ged_take(base, &used, n * sizeof *x->map);
    x->row = sepx__ged_take(base, &used, m * sizeof *x->row);
    x->votes = sepx__ged_take(base, &used, m * sizeof *x->votes);
    x->voted = sepx__ged_take(base, &used, m * sizeof *x->voted);
    return used;
}

static void
join(struct grow *x, uint32_t i, uint32_t k)
{
    x->map[i] = (int32_t)k;
    x->row[k] = (int32_t)i;
}

static bool
may_join(const struct grow *x, uint32_t i, uint32_t k)
{
    return !GED_IS_GONE(x->p->base[(size_t)i * x->p->width + k]);
}

/* ---- seeds ---- */

static void
begin_hashes(struct grow *x, unsigned side)
{
    const struct ged_sketch *g = side ? &x->p->b : &x->p->a;

    for (uint32_t i = 0; i < g->graph->n; i++)
        x->hash[side][i] = sepx__mix(g->graph->label[i] +
                                     ((uint64_t)g->graph->class[i] << 16) +
                                     ((uint64_t)g->loop[i] << 32));
}

/* Look one edge further. */
static void
widen(struct grow *x, unsigned side)
{
    const struct ged_sketch *g = side ? &x->p->b : &x->p->a;
    uint64_t *hash = x->hash[side];

    for (uint32_t i = 0; i < g->graph->n; i++) {
        uint64_t sum = sepx__mix(hash[i]);

        for (unsigned c = 0; c < x->p->classes; c++)
            for (uint32_t d = g->by[c].first[i]; d < g->by[c].first[i + 1];
                 d++) {
                const struct ged_dart *dart = &g->by[c].dart[d];
                const uint64_t edge =
                    2u * (uint64_t)g->graph->code[dart->code] + c + 1;

                sum += sepx__mix(hash[dart->node] + sepx__mix(edge));
            }
        x->next[i] = sum;
    }
    memcpy(hash, x->next, g->graph->n * sizeof *hash);
}

static int
by_hash(const void *left, const void *right)
{
    const struct look *a = left, *b = right;

    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    if (a->side != b->side)
        return a->side < b->side ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

/* Join what looks the same and like nothing else. */
static void
join_unique(struct grow *x)
{
    const uint32_t size[2] = {x->p->n, x->p->m};
    uint32_t count = 0;

    for (uint32_t side = 0; side < 2; side++)
        for (uint32_t i = 0; i < size[side]; i++)
            if ((side ? x->row : x->map)[i] < 0)
                x->look[count++] = (struct look){x->hash[side][i], i, side};
    qsort(x->look, count, sizeof *x->look, by_hash);
    for (uint32_t y = 0, end; y < count; y = end) {
        for (end = y + 1; end < count && x->look[end].hash == x->look[y].hash;)
            end++;
        if (end - y == 2 && !x->look[y].side && x->look[y + 1].side &&
            may_join(x, x->look[y].node, x->look[y + 1].node))
            join(x, x->look[y].node, x->look[y + 1].node);
    }
}

/* Those that are alike furthest around first. */
static void
plant(struct grow *x)
{
    for (unsigned far = ROUNDS; far; far--) {
        begin_hashes(x, 0);
        begin_hashes(x, 1);
        for (unsigned y = 0; y < far; y++) {
            widen(x, 0);
            widen(x, 1);
        }
        join_unique(x);
    }
}

/* ---- along edges ---- */

/* Points of edges of row i that each column would keep. */
static void
vote(struct grow *x, uint32_t i)
{
    const struct ged_problem *p = x->p;

    for (uint32_t y = 0; y < x->n_voted; y++)
        x->votes[x->voted[y]] = 0;
    x->n_voted = 0;
    for (unsigned g = 0; g < p->classes; g++) {
        const struct ged_darts *a = &p->a.by[g];
        const struct ged_darts *back = &p->b.by[p->classes == 2 ? 1 - g : 0];

        for (uint32_t d = a->first[i]; d < a->first[i + 1]; d++) {
            const int32_t k = x->map[a->dart[d].node];

            for (uint32_t f = k < 0 ? 0 : back->first[k];
                 k >= 0 && f < back->first[k + 1]; f++) {
                const uint32_t l = back->dart[f].node;

                if (!x->votes[l])
                    x->voted[x->n_voted++] = l;
                // One more, so that a column that was seen is never 0.
                x->votes[l] +=
                    1 + ged_edge_points(p, &a->dart[d], &back->dart[f]);
            }
        }
    }
}

/* The free column with most points; *sure: no other has as many. */
static uint32_t
elect(struct grow *x, uint32_t i, bool *sure)
{
    const int32_t *base = x->p->base + (size_t)i * x->p->width;
    int32_t most = -1;
    uint32_t best = x->p->m;

    *sure = false;
    vote(x, i);
    for (uint32_t y = 0; y < x->n_voted; y++) {
        const uint32_t k = x->voted[y];
        const int32_t points = base[k] + x->votes[k];

        if (x->row[k] >= 0 || GED_IS_GONE(base[k]) || points < most)
            continue;
        *sure = points > most;
        if (points > most || k < best)
            best = k;
        most = points;
    }
    return best;
}

/* Rows that have a sure image along their edges; if there are none, any. */
static void
spread(struct grow *x)
{
    bool any = false;

    for (unsigned pass = 0; pass < PASSES && !x->s->over; pass++) {
        uint32_t joined = 0;

        for (uint32_t i = 0; i < x->p->n; i++) {
            bool sure;
            uint32_t k;

            if (x->map[i] >= 0)
                continue;
            k = elect(x, i, &sure);
            if (k == x->p->m || !(sure || any))
                continue;
            join(x, i, k);
            joined++;
            any = false;
        }
        if (!joined && any)
            return;
        any = !joined;
        sepx__split_check(x->s);
    }
}

/* The rest, without edges to go by: what saves most. */
static void
join_rest(struct grow *x)
{
    const struct ged_problem *p = x->p;

    for (uint32_t i = 0; i < p->n && !x->s->over; i++) {
        const int32_t *base = p->base + (size_t)i * p->width;
        uint32_t best = p->m;

        if (x->map[i] >= 0)
            continue;
        for (uint32_t k = 0; k < p->m; k++)
            if (x->row[k] < 0 && base[k] >= 0 &&
                (best == p->m || base[k] > base[best]))
                best = k;
        if (best < p->m)
            join(x, i, best);
        if (i % 256 == 0)
            sepx__split_check(x->s);
    }
}

/* ---- moves ---- */

/* Points of row i and its edges, but for those to row `but`. */
static int64_t
points_of(const struct grow *x, uint32_t i, uint32_t but)
{
    const struct ged_problem *p = x->p;
    const int32_t k = x->map[i];
    int64_t sum = 0;

    if (k < 0)
        return 0;
    sum = p->base[(size_t)i * p->width + (uint32_t)k];
    for (unsigned g = 0; g < p->classes; g++) {
        const struct ged_darts *a = &p->a.by[g], *b = &p->b.by[g];

        for (uint32_t d = a->first[i]; d < a->first[i + 1]; d++) {
            const uint32_t j = a->dart[d].node;

            if (j == but || x->map[j] < 0)
                continue;
            for (uint32_t f = b->first[k]; f < b->first[k + 1]; f++)
                if (b->dart[f].node == (uint32_t)x->map[j])
                    sum += ged_edge_points(p, &a->dart[d], &b->dart[f]);
        }
    }
    return sum;
}

/* Row i gets column k, and who had that the old one, if it saves more. */
static bool
move(struct grow *x, uint32_t i, uint32_t k)
{
    const int32_t old = x->map[i], other = x->row[k];
    const uint32_t j = other < 0 ? x->p->n : (uint32_t)other;
    int64_t gain = -points_of(x, i, x->p->n);

    if (other >= 0) {
        if (old >= 0 && !may_join(x, j, (uint32_t)old))
            return false;
        gain -= points_of(x, j, i);
        x->map[j] = old;
    }
    x->map[i] = (int32_t)k;
    gain += points_of(x, i, x->p->n);
    if (other >= 0)
        gain += points_of(x, j, i);
    if (gain > 0) {
        x->row[k] = (int32_t)i;
        if (old >= 0)
            x->row[old] = other;
        return true;
    }
    x->map[i] = old;
    if (other >= 0)
        x->map[j] = (int32_t)k;
    return false;
}

static void
climb(struct grow *x)
{
    bool better = true;

    for (unsigned pass = 0; pass < CLIMBS && better && !x->s->over; pass++) {
        better = false;
        for (uint32_t i = 0; i < x->p->n && !x->s->over; i++) {
            vote(x, i);
            for (uint32_t y = 0; y < x->n_voted; y++) {
                const uint32_t k = x->voted[y];

                if ((int32_t)k != x->map[i] && may_join(x, i, k) &&
                    move(x, i, k))
                    better = true;
            }
            if (i % 256 == 0)
                sepx__split_check(x->s);
        }
    }
}

static void
set_map(struct grow *x, const int32_t *map)
{
    memset(x->row, 0xff, x->p->m * sizeof *x->row);
    memset(x->map, 0xff, x->p->n * sizeof *x->map);
    for (uint32_t i = 0; map && i < x->p->n; i++)
        if (map[i] >= 0)
            join(x, i, (uint32_t)map[i]);
}

enum sepx_err
sepx__grow_offer(struct ged_split *s)
{
    struct grow x = {.s = s, .p = &s->p};

    if (s->task->visit || !s->p.n)
        return SEPX_OK;
    x.memory = sepx__aligned(lay_out(&x, NULL), GED_ALIGN);
    if (!x.memory)
        return SEPX_ENOMEM;
    lay_out(&x, x.memory);
    memset(x.votes, 0, s->p.m * sizeof *x.votes);
    if (s->has_best) {
        set_map(&x, s->best);
        climb(&x);
        s->aligned |= sepx__split_offer(s, x.map);
    }
    set_map(&x, NULL);
    plant(&x);
    spread(&x);
    join_rest(&x);
    climb(&x);
    s->aligned |= sepx__split_offer(s, x.map);
    sepx__aligned_free(x.memory);
    return SEPX_OK;
}
