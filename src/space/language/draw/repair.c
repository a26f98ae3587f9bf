/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Repair: a walk over sets of edges towards one without fault, as WalkSAT
 * does it (Selman, Kautz & Cohen 1994). Each step looks at a few changes,
 * mostly at nodes in trouble, and takes the best; now and then a bad one.
 */
#include "space/language/language.h"

#define CANDIDATES 8
#define NOISE 16 /* one step in so many may make things worse */

struct walk {
    const struct custom *c;
    struct cells *cells;
    struct sepx__rows rows;
    uint32_t faults;
    uint64_t trouble; /* nodes at fault */
    struct sepx_rng *rng;
};

/* Edges that change together; {0, 0} is none. */
struct change_set {
    uint32_t from[2], to[2];
};

static void
flip(struct sepx__rows *rows, const struct change_set *set)
{
    for (unsigned k = 0; k < 2; k++) {
        if (set->from[k] == set->to[k])
            continue;
        rows->out[set->from[k]] ^= sepx__bit(set->to[k]);
        rows->in[set->to[k]] ^= sepx__bit(set->from[k]);
    }
}

static void
find_trouble(struct walk *w)
{
    uint64_t live = sepx__custom_live(w->c, w->cells->label, &w->rows);

    w->trouble = 0;
    for (uint32_t i = 0; i < w->rows.n; i++) {
        const struct label_rule *rule = &w->c->rule[w->cells->label[i] - 1];
        bool dead = !(live >> i & 1);
        bool fits = in_range(rule->in, sepx__count(w->rows.in[i] & live)) &&
                    in_range(rule->out, sepx__count(w->rows.out[i] & live));

        if (dead ? needs_path(w->c) || rule->count.min : !fits)
            w->trouble |= sepx__bit(i);
    }
}

static uint32_t
random_member(uint64_t set, struct sepx_rng *rng)
{
    for (uint32_t k = sepx_rng_below(rng, sepx__count(set)); k; k--)
        set &= set - 1;
    return (uint32_t)__builtin_ctzll(set);
}

/* An edge at `node` that may be there, in either direction. */
static void
pick_at(const struct walk *w, uint32_t node, uint32_t *from, uint32_t *to)
{
    *from = *to = 0;
    for (unsigned i = 0; i < 8; i++) {
        uint32_t other = sepx_rng_below(w->rng, w->rows.n);
        bool ahead = sepx_rng_u32(w->rng) & 1;
        uint32_t a = ahead ? node : other, b = ahead ? other : node;

        if (!sepx__may_edge(w->c, w->cells, a, b))
            continue;
        *from = a;
        *to = b;
        return;
    }
}

/* An edge that is there: from the source or to the target of a new one. */
static void
pick_rival(const struct walk *w, const struct change_set *set, uint32_t *from,
           uint32_t *to)
{
    uint64_t out = w->rows.out[set->from[0]] & ~sepx__bit(set->to[0]);
    uint64_t in = w->rows.in[set->to[0]] & ~sepx__bit(set->from[0]);
    bool source = sepx_rng_u32(w->rng) & 1;

    *from = *to = 0;
    if (source ? !out : !in)
        return;
    *from = source ? set->from[0] : random_member(in, w->rng);
    *to = source ? random_member(out, w->rng) : set->to[0];
}

/* An edge at a node flips; half of the new ones take another's place. */
static void
propose(const struct walk *w, struct change_set *set)
{
    uint32_t node = w->trouble && sepx_rng_below(w->rng, 4)
                        ? random_member(w->trouble, w->rng)
                        : sepx_rng_below(w->rng, w->rows.n);

    *set = (struct change_set){{0}, {0}};
    pick_at(w, node, &set->from[0], &set->to[0]);
    if (!(w->rows.out[set->from[0]] >> set->to[0] & 1) &&
        sepx_rng_u32(w->rng) & 1)
        pick_rival(w, set, &set->from[1], &set->to[1]);
}

static void
step(struct walk *w)
{
    struct change_set best = {{0}, {0}}, set;
    uint32_t least = UINT32_MAX;

    find_trouble(w);
    for (unsigned i = 0; i < CANDIDATES; i++) {
        uint32_t faults;

        propose(w, &set);
        flip(&w->rows, &set);
        faults = sepx__custom_faults(w->c, w->cells->label, &w->rows);
        flip(&w->rows, &set);
        if (faults < least) {
            least = faults;
            best = set;
        }
    }
    if (least > w->faults && sepx_rng_below(w->rng, NOISE))
        return;
    flip(&w->rows, &best);
    w->faults = least;
}

/* New edges get random labels, old ones keep theirs. */
static void
keep_walk(struct walk *w)
{
    for (uint32_t i = 0; i < w->rows.n; i++)
        for (uint32_t j = 0; j < w->rows.n; j++) {
            uint8_t *at = &w->cells->at[i][j];

            if (!(w->rows.out[i] >> j & 1))
                *at = 0;
            else if (!*at)
                *at = sepx__random_edge(w->c, w->rng);
        }
}

/* Edges that no graph of the space has. */
static void
drop_illegal(const struct custom *c, struct cells *cells)
{
    for (uint32_t i = 0; i < cells->n; i++)
        for (uint32_t j = 0; j < cells->n; j++)
            if (cells->at[i][j] && !sepx__may_edge(c, cells, i, j))
                cells->at[i][j] = 0;
}

bool
sepx__custom_repair(const struct custom *c, struct cells *cells, uint32_t steps,
                    struct sepx_rng *rng)
{
    struct walk w = {.c = c, .cells = cells, .rng = rng};

    drop_illegal(c, cells);
    sepx__cells_rows(cells, &w.rows);
    w.faults = sepx__custom_faults(c, cells->label, &w.rows);
    while (w.faults && steps-- && w.rows.n)
        step(&w);
    keep_walk(&w);
    return !w.faults;
}

/* The child alone decides what becomes of it: the walk is always the same. */
enum sepx_err
sepx__custom_mend(const struct sepx_space *space, struct sepx_graph *child)
{
    const struct custom *c = custom_of(space);
    struct sepx_rng rng;
    struct cells cells;
    uint64_t seed = 0;

    for (uint32_t i = 0; i < child->n_nodes; i++)
        seed = sepx__mix(seed + child->label[i]);
    for (uint32_t i = 0; i < child->n_edges; i++)
        seed = sepx__mix(seed + ((uint64_t)child->edge[i].from << 16) +
                         child->edge[i].to);
    sepx_rng_init(&rng, seed, 0, 0, 0);
    sepx__cells_read(c, &cells, child);
    sepx__custom_repair(c, &cells, SEPX__REPAIRS, &rng);
    return sepx__cells_write(space, child, &cells);
}
