/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the split of each edge's reward is kept. Only pairs of nodes that may
 * still be mapped have cells, a block for each class of darts. The layout is
 * built after the first assignment has ruled out most pairs, and once more
 * before the tree is searched.
 */
#include <string.h>

#include "ged/split/split.h"

/* ---- layouts ---- */

static uint32_t
star_cells(const struct ged_problem *p, uint32_t i, uint32_t k)
{
    uint32_t sum = 0;

    for (unsigned g = 0; g < p->classes; g++)
        sum +=
            split_block_cells(ged_degree(&p->a, g, i), ged_degree(&p->b, g, k));
    return sum;
}

static bool
is_simple(const struct ged_problem *p, uint32_t i, uint32_t k)
{
    for (unsigned g = 0; g < p->classes; g++)
        if (split_block_cells(ged_degree(&p->a, g, i),
                              ged_degree(&p->b, g, k)) > SPLIT_BLOCK ||
            ged_degree(&p->a, g, i) > 4 || ged_degree(&p->b, g, k) > 4)
            return false;
    return true;
}

static bool
is_wanted(const struct ged_problem *p, const struct split_layout *old,
          const struct split_state *st, uint32_t i, uint32_t k)
{
    const size_t at = (size_t)i * p->width + k;
    uint32_t y;

    if (GED_IS_GONE(p->base[at]) || GED_IS_GONE(st->reward[at]))
        return false;
    if (!old->memory)
        return true;
    y = old->pair[(size_t)i * p->m + k];
    return y != SPLIT_NONE && st->pair[y] != PAIR_DEAD;
}

static size_t
lay_out(struct split_layout *l, const struct ged_problem *p, uint8_t *base)
{
    const size_t pairs = l->n_pairs;
    size_t used = 0;

    l->row = sepx__ged_take(base, &used, pairs * sizeof *l->row);
    l->column = sepx__ged_take(base, &used, pairs * sizeof *l->column);
    l->place = sepx__ged_take(base, &used, pairs * sizeof *l->place);
    l->own = sepx__ged_take(base, &used, pairs * sizeof *l->own);
    l->first = sepx__ged_take(base, &used, (pairs + 1) * sizeof *l->first);
    l->simple = sepx__ged_take(base, &used, pairs);
    l->pair =
        sepx__ged_take(base, &used, (size_t)p->n * p->m * sizeof *l->pair);
    l->partner = sepx__ged_take(base, &used, l->n_cells * sizeof *l->partner);
    l->owner = sepx__ged_take(base, &used,
                              l->n_cells / SPLIT_BLOCK * sizeof *l->owner);
    return used;
}

static void
number_pairs(struct split_layout *l, const struct ged_problem *p,
             const struct split_layout *old, const struct split_state *st)
{
    uint32_t y = 0, cells = 0;

    for (uint32_t i = 0; i < p->n; i++)
        for (uint32_t k = 0; k < p->m; k++) {
            uint32_t count = star_cells(p, i, k);

            l->pair[(size_t)i * p->m + k] = SPLIT_NONE;
            if (!is_wanted(p, old, st, i, k))
                continue;
            l->pair[(size_t)i * p->m + k] = y;
            l->row[y] = (uint16_t)i;
            l->column[y] = (uint16_t)k;
            l->place[y] = i * p->width + k;
            l->own[y] = p->base[l->place[y]];
            l->first[y] = cells;
            l->simple[y] = is_simple(p, i, k);
            for (uint32_t x = 0; x < count; x += SPLIT_BLOCK)
                l->owner[(cells + x) / SPLIT_BLOCK] = y;
            cells += count;
            y++;
        }
    l->first[y] = cells;
}

/* The cell at the other ends of two edges. */
static uint32_t
partner_of(const struct split_layout *l, const struct ged_problem *p,
           unsigned class, const struct ged_dart *d, const struct ged_dart *f)
{
    const unsigned other = p->classes == 2 ? 1 - class : 0;
    const uint32_t y = l->pair[(size_t)d->node * p->m + f->node];
    uint32_t at;

    if (y == SPLIT_NONE)
        return SPLIT_NONE;
    at = l->first[y];
    if (other == 1)
        at += split_block_cells(ged_degree(&p->a, 0, d->node),
                                ged_degree(&p->b, 0, f->node));
    return at + f->slot +
           d->slot * split_stride(ged_degree(&p->a, other, d->node),
                                  ged_degree(&p->b, other, f->node));
}

static void
link_star(struct split_layout *l, const struct ged_problem *p, uint32_t y)
{
    const uint32_t i = l->row[y], k = l->column[y];
    uint32_t at = l->first[y];

    memset(l->partner + at, 0xff, (l->first[y + 1] - at) * sizeof *l->partner);
    for (unsigned g = 0; g < p->classes; g++) {
        const struct ged_dart *a = p->a.by[g].dart + p->a.by[g].first[i];
        const struct ged_dart *b = p->b.by[g].dart + p->b.by[g].first[k];
        const uint32_t rows = ged_degree(&p->a, g, i);
        const uint32_t columns = ged_degree(&p->b, g, k);
        const uint32_t stride = split_stride(rows, columns);

        for (uint32_t x = 0; x < rows; x++)
            for (uint32_t z = 0; z < columns; z++)
                l->partner[at + x * stride + z] =
                    partner_of(l, p, g, &a[x], &b[z]);
        at += split_block_cells(rows, columns);
    }
}

/* Once in a while, for what takes seconds where hardly a pair is out. */
static bool
is_over(struct ged_split *s, uint32_t y)
{
    if (y % CHECK_EACH == CHECK_EACH - 1)
        sepx__split_check(s);
    return s->over;
}

enum sepx_err
sepx__layout_init(struct split_layout *l, struct ged_split *s)
{
    const struct ged_problem *p = &s->p;
    const struct split_layout *old = &s->layout;
    const struct split_state *st = &s->root;
    uint64_t cells = 0;

    *l = (struct split_layout){0};
    for (uint32_t i = 0; i < p->n; i++)
        for (uint32_t k = 0; k < p->m; k++)
            if (is_wanted(p, old, st, i, k)) {
                l->n_pairs++;
                cells += star_cells(p, i, k);
            }
    if (cells >= UINT32_MAX / 2)
        return SEPX_ENOMEM;
    l->n_cells = (uint32_t)cells;
    l->memory = sepx__aligned(lay_out(l, p, NULL), GED_ALIGN);
    if (!l->memory)
        return SEPX_ENOMEM;
    lay_out(l, p, l->memory);
    number_pairs(l, p, old, st);
    for (uint32_t y = 0; y < l->n_pairs && !is_over(s, y); y++)
        link_star(l, p, y);
    return SEPX_OK;
}

void
sepx__layout_release(struct split_layout *l)
{
    sepx__aligned_free(l->memory);
    *l = (struct split_layout){0};
}

/* ---- states ---- */

static size_t
lay_out_state(struct split_state *st, const struct ged_problem *p,
              const struct split_layout *l, uint8_t *base)
{
    const size_t m = p->m, width = p->width;
    size_t used = 0;

    st->t = sepx__ged_take(base, &used, l->n_cells * sizeof *st->t);
    st->reward =
        sepx__ged_take(base, &used, (p->n + 1) * width * sizeof *st->reward);
    st->u = sepx__ged_take(base, &used, m * sizeof *st->u);
    st->v = sepx__ged_take(base, &used, width * sizeof *st->v);
    st->column_of = sepx__ged_take(base, &used, m * sizeof *st->column_of);
    st->row_of = sepx__ged_take(base, &used, width * sizeof *st->row_of);
    st->choices = sepx__ged_take(base, &used, p->n * sizeof *st->choices);
    st->reals = sepx__ged_take(base, &used, p->n * sizeof *st->reals);
    st->pair = sepx__ged_take(base, &used, l->n_pairs);
    return used;
}

enum sepx_err
sepx__state_init(struct split_state *st, const struct ged_problem *p,
                 const struct split_layout *l)
{
    *st = (struct split_state){0};
    st->size = lay_out_state(st, p, l, NULL);
    st->memory = sepx__aligned(st->size, GED_ALIGN);
    if (!st->memory)
        return SEPX_ENOMEM;
    lay_out_state(st, p, l, st->memory);
    return SEPX_OK;
}

void
sepx__state_release(struct split_state *st)
{
    sepx__aligned_free(st->memory);
    *st = (struct split_state){0};
}

void
sepx__state_copy(struct split_state *to, const struct split_state *from)
{
    memcpy(to->memory, from->memory, from->size);
    to->total = from->total;
}

void
sepx__halve_star(const struct ged_problem *p, uint32_t i, uint32_t k,
                 int16_t *t)
{
    for (unsigned g = 0; g < p->classes; g++) {
        const struct ged_dart *a = p->a.by[g].dart + p->a.by[g].first[i];
        const struct ged_dart *b = p->b.by[g].dart + p->b.by[g].first[k];
        const uint32_t rows = ged_degree(&p->a, g, i);
        const uint32_t columns = ged_degree(&p->b, g, k);
        const uint32_t stride = split_stride(rows, columns);
        const uint32_t cells = split_block_cells(rows, columns);

        memset(t, 0, cells * sizeof *t);
        for (uint32_t x = 0; x < rows; x++)
            for (uint32_t y = 0; y < columns; y++)
                t[x * stride + y] =
                    (int16_t)((ged_edge_points(p, &a[x], &b[y]) + 1) / 2);
        t += cells;
    }
}

/* Two halves of an odd reward are a point too much, which does no harm. */
static void
halve(struct ged_split *s, const struct split_layout *l)
{
    int16_t *t = s->root.t;

    for (uint32_t y = 0; y < l->n_pairs && !is_over(s, y); y++) {
        sepx__halve_star(&s->p, l->row[y], l->column[y], t + l->first[y]);
        for (uint32_t x = l->first[y]; x < l->first[y + 1]; x++)
            if (l->partner[x] == SPLIT_NONE)
                t[x] = 0;
    }
}

enum sepx_err
sepx__root_move(struct ged_split *s, const struct split_layout *l)
{
    const struct ged_problem *p = &s->p;
    const struct split_layout *old = &s->layout;
    struct split_state *st = &s->root, from = *st;
    enum sepx_err err = sepx__state_init(st, p, l);

    if (err) {
        *st = from;
        return err;
    }
    st->total = from.total;
    memcpy(st->reward, from.reward,
           (p->n + 1) * (size_t)p->width * sizeof *st->reward);
    memcpy(st->u, from.u, p->m * sizeof *st->u);
    memcpy(st->v, from.v, p->width * sizeof *st->v);
    memcpy(st->column_of, from.column_of, p->m * sizeof *st->column_of);
    memcpy(st->row_of, from.row_of, p->width * sizeof *st->row_of);
    memcpy(st->choices, from.choices, p->n * sizeof *st->choices);
    memset(st->reals, 0, p->n * sizeof *st->reals);
    for (uint32_t y = 0; y < l->n_pairs; y++)
        st->reals[l->row[y]]++;
    memset(st->pair, PAIR_LIVE, l->n_pairs);
    for (uint32_t y = 0; old->memory && y < l->n_pairs; y++) {
        uint32_t x = old->pair[(size_t)l->row[y] * p->m + l->column[y]];

        st->pair[y] = from.pair[x];
        memcpy(st->t + l->first[y], from.t + old->first[x],
               (l->first[y + 1] - l->first[y]) * sizeof *st->t);
    }
    if (!old->memory)
        halve(s, l);
    sepx__state_release(&from);
    return SEPX_OK;
}
