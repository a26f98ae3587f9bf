/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exact distance at unit costs by depth-first branch and bound over node
 * maps. Each class is padded with stand-ins until both sides are equally
 * large, so a map is a permutation, and mapping a node to a stand-in deletes
 * it. At unit costs that loses nothing: replacing a node never costs more
 * than deleting one and inserting another.
 *
 * The bound of a partial map: for each open pair (i, j), twice the cost of
 * mapping i to j as far as it is certain (label, edges to fixed nodes), plus
 * the difference of their degrees to open nodes (an edge has two ends, hence
 * "twice"). A linear assignment over this matrix bounds twice the cost of
 * any completion (Zheng et al. 2015, branch bound; Chang et al. 2020). What
 * the assignment leaves of each entry, its reduced cost, says which pairs
 * can still be part of a good map.
 *
 * A matrix row is a row of bytes. Sums saturate at 255, which keeps them
 * lower bounds, and no limit ever reaches 255, so a saturated entry (a pair
 * of different classes, a column in use) is never chosen.
 *
 * The source is compiled twice, for SSE2 and AVX2. Every function takes the
 * row width `w` and is inlined into one loop for each common width, where it
 * is a constant: the loops over LANES vanish for narrow graphs.
 */
#include "ged/internal.h"

#include "ged/rows/lanes.h"

#define QUIET 256 /* nodes before which no map is reported */

#ifndef GED_SEARCH
#define GED_SEARCH sepx__ged_search_base
#endif

#define GED_NEAR 3 /* bounds this close are closed in one search */
#define FOR_LANES(x, w) for (unsigned x = 0; x < (w); x += LANES)

/* One partial map, with the rows that are still open, packed. */
struct level {
    unsigned cost;        /* of the fixed part */
    unsigned open, real;  /* open rows; the first `real` are no stand-ins */
    unsigned bound;       /* doubled, of the open part */
    unsigned pick;        /* the row that branches, a position */
    unsigned count, next; /* its candidates, and the one to try next */
    uint64_t columns[GED_WORDS(GED_ROWS_MAX)];
    uint16_t *row;     /* row number at each position */
    uint8_t *sure;     /* rows: twice the certain cost */
    uint8_t *shut;     /* 255 in columns that are in use */
    uint8_t *degree_b; /* rows: open degrees of the columns */
    uint8_t *degree_a; /* the same of the rows, by node */
    uint8_t *column;   /* candidates, cheapest first */
    uint8_t *price;    /* their reduced costs */
};

struct search {
    struct ged_task *task;
    const struct sepx_ged_graph *a, *b;
    unsigned n;     /* padded nodes */
    unsigned codes; /* edge labels */
    unsigned slots; /* degree rows in both directions */
    int cap;        /* solutions above are of no use */
    int step;       /* 2 if all costs have the parity of `parity` */
    int parity;
    uint64_t pause; /* nodes at which limits are looked at */
    const uint8_t *a_out, *a_in, *b_out, *b_in; /* widened to w */
    const uint8_t *zero;                        /* a row of 0 */
    struct level *level_0, *level; /* the first, and the first in use */
    uint8_t *wide[4];              /* room for widened rows */
    uint16_t *image;             /* column of each row: fixed, then assigned */
    uint16_t *class_a, *class_b; /* of rows and columns, stand-ins too */
    /* the assignment problem */
    uint8_t *reduced; /* rows */
    uint64_t *zeros;  /* words of each row: where it is 0 */
    int16_t *column_of, *row_of, *from;
    uint16_t *tree;
    uint8_t *mark; /* row of 255 in the columns of the tree */
};

/* ---- fixing one pair ---- */

INLINE const uint8_t *
row_of_node(const struct search *s, const uint8_t *rows, unsigned node,
            unsigned n, const unsigned w)
{
    return node < n ? rows + node * w : s->zero;
}

/* Degrees to open nodes after `v` is fixed; x are the edges to v. */
INLINE void
lower_degrees(uint8_t *to, const uint8_t *old, const uint8_t *x, unsigned codes,
              const unsigned w)
{
    for (unsigned c = 0; c < codes; c++)
        FOR_LANES(k, w)
    lanes_store(to + c * w + k,
                lanes_sub(lanes_load(old + c * w + k),
                          lanes_and(lanes_all(1),
                                    lanes_equal(lanes_load(x + k),
                                                lanes_all((uint8_t)(c + 1))))));
    if (codes > 1)
        FOR_LANES(k, w)
    lanes_store(
        to + codes * w + k,
        lanes_sub(lanes_load(old + codes * w + k),
                  lanes_not_and(lanes_equal(lanes_load(x + k), lanes_all(0)),
                                lanes_all(1))));
}

/* 2 in the columns whose edge is not labelled `code`. */
INLINE void
mismatch(uint8_t *to, const uint8_t *x, unsigned code, const unsigned w)
{
    FOR_LANES(k, w)
    lanes_store(to + k, lanes_not_and(lanes_equal(lanes_load(x + k),
                                                  lanes_all((uint8_t)code)),
                                      lanes_all(2)));
}

/* The level below `p`, where the row at position r has column v. */
INLINE void
fix(const struct search *s, const struct level *p, struct level *c, unsigned r,
    unsigned v, const unsigned w)
{
    const unsigned codes = s->codes, half = s->slots / 2;
    const unsigned u = p->row[r];
    const uint8_t *to_u = row_of_node(s, s->a_in, u, s->a->n, w);
    const uint8_t *from_u = row_of_node(s, s->a_out, u, s->a->n, w);
    const uint8_t *to_v = row_of_node(s, s->b_in, v, s->b->n, w);
    const uint8_t *from_v = row_of_node(s, s->b_out, v, s->b->n, w);
    _Alignas(GED_ALIGN) uint8_t differ[2][(GED_CODES_MAX + 1) * GED_ROWS_MAX];
    unsigned k = 0;

    c->cost = p->cost + p->sure[r * w + v] / 2;
    c->open = p->open - 1;
    c->real = p->real - (r < p->real);
    for (unsigned i = 0; i < GED_WORDS(w); i++)
        c->columns[i] = p->columns[i];
    c->columns[v / 64] &= ~(UINT64_C(1) << (v % 64));
    FOR_LANES(x, w)
    lanes_store(c->shut + x, lanes_load(p->shut + x));
    c->shut[v] = 255;
    lower_degrees(c->degree_a, p->degree_a, to_u, codes, w);
    lower_degrees(c->degree_a + half * w, p->degree_a + half * w, from_u, codes,
                  w);
    lower_degrees(c->degree_b, p->degree_b, to_v, codes, w);
    lower_degrees(c->degree_b + half * w, p->degree_b + half * w, from_v, codes,
                  w);
    for (unsigned code = 0; code <= codes; code++) {
        mismatch(differ[0] + code * w, to_v, code, w);
        mismatch(differ[1] + code * w, from_v, code, w);
    }
    for (unsigned i = 0; i < p->open; i++) {
        const unsigned node = p->row[i];
        const unsigned x = to_u[node], y = from_u[node];

        if (i == r)
            continue;
        c->row[k] = (uint16_t)node;
        FOR_LANES(l, w)
        lanes_store(c->sure + k * w + l,
                    lanes_add(lanes_load(p->sure + i * w + l),
                              lanes_add(lanes_load(differ[0] + x * w + l),
                                        lanes_load(differ[1] + y * w + l))));
        k++;
    }
}

/* ---- the bound ---- */

/* |degree difference|; several labels: half the edits between two bags. */
INLINE lanes
degree_gap(const struct search *s, const struct level *c, unsigned u,
           unsigned x, unsigned side, const unsigned w)
{
    const unsigned half = s->slots / 2, first = side * half;
    lanes sum = lanes_all(0);

    for (unsigned d = first; d < first + half; d++)
        sum = lanes_add(sum, lanes_gap(lanes_all(c->degree_a[d * w + u]),
                                       lanes_load(c->degree_b + d * w + x)));
    return s->codes == 1 ? sum : lanes_half(sum);
}

/* Fill s->reduced, subtract column minima; returns their sum. */
INLINE unsigned
reduce_columns(struct search *s, const struct level *c, const unsigned w)
{
    unsigned sum = 0;

    FOR_LANES(x, w)
    {
        const lanes shut = lanes_load(c->shut + x);
        lanes least = lanes_all(255);

        for (unsigned k = 0; k < c->open; k++) {
            const unsigned u = c->row[k];
            lanes cell = lanes_add(lanes_load(c->sure + k * w + x),
                                   lanes_add(degree_gap(s, c, u, x, 0, w),
                                             degree_gap(s, c, u, x, 1, w)));

            cell = lanes_or(cell, shut);
            lanes_store(s->reduced + k * w + x, cell);
            least = lanes_min(least, cell);
        }
        least = lanes_not_and(shut, least);
        sum += lanes_sum(least);
        for (unsigned k = 0; k < c->open; k++)
            lanes_store(s->reduced + k * w + x,
                        lanes_sub(lanes_load(s->reduced + k * w + x), least));
    }
    return sum;
}

INLINE void
subtract(uint8_t *row, unsigned amount, const unsigned w)
{
    FOR_LANES(x, w)
    lanes_store(row + x,
                lanes_sub(lanes_load(row + x), lanes_all((uint8_t)amount)));
}

INLINE unsigned
least_of(const uint8_t *row, const unsigned w)
{
    lanes least = lanes_load(row);

    for (unsigned x = LANES; x < w; x += LANES)
        least = lanes_min(least, lanes_load(row + x));
    return lanes_least(least);
}

/* Bit j of `to`: row[j] <= most. */
INLINE uint64_t
at_most(uint64_t *to, const uint8_t *row, unsigned most, const unsigned w)
{
    uint64_t any = 0;

    for (unsigned i = 0; i < GED_WORDS(w); i++)
        to[i] = 0;
    FOR_LANES(x, w)
    {
        uint64_t bits = lanes_mask(lanes_equal(
            lanes_sub(lanes_load(row + x), lanes_all((uint8_t)most)),
            lanes_all(0)));

        to[x / 64] |= bits << (x % 64);
        any |= bits;
    }
    return any;
}

/* Give each row without a zero one; returns the sum of what it took. */
INLINE unsigned
reduce_rows(struct search *s, unsigned open, const unsigned w)
{
    unsigned sum = 0;

    for (unsigned k = 0; k < open; k++) {
        uint8_t *row = s->reduced + k * w;
        uint64_t *zeros = s->zeros + k * GED_WORDS(w);

        if (!at_most(zeros, row, 0, w)) {
            unsigned least = least_of(row, w);

            subtract(row, least, w);
            sum += least;
            at_most(zeros, row, 0, w);
        }
    }
    return sum;
}

/* Match rows to their first free zero; returns the number of rows left. */
INLINE unsigned
match_greedily(struct search *s, const struct level *c, uint64_t *free,
               uint16_t *left, const unsigned w)
{
    unsigned n_left = 0;

    for (unsigned k = 0; k < c->open; k++) {
        s->column_of[k] = -1;
        for (unsigned i = 0; i < GED_WORDS(w); i++) {
            uint64_t bits = s->zeros[k * GED_WORDS(w) + i] & free[i];

            if (bits) {
                unsigned v = i * 64 + (unsigned)__builtin_ctzll(bits);

                free[i] &= ~(bits & -bits);
                s->column_of[k] = (int16_t)v;
                s->row_of[v] = (int16_t)k;
                break;
            }
        }
        if (s->column_of[k] < 0)
            left[n_left++] = (uint16_t)k;
    }
    return n_left;
}

/* Zeros of row k that the tree has not reached yet join it. */
INLINE void
tree_reach(struct search *s, uint64_t *reached, unsigned k, const unsigned w)
{
    for (unsigned i = 0; i < GED_WORDS(w); i++) {
        uint64_t bits = s->zeros[k * GED_WORDS(w) + i] & ~reached[i];

        reached[i] |= bits;
        for (; bits; bits &= bits - 1)
            s->from[i * 64 + (unsigned)__builtin_ctzll(bits)] = (int16_t)k;
    }
}

/* Flip the alternating path that ends in the free column v. */
INLINE void
augment(struct search *s, unsigned v)
{
    for (int next;; v = (unsigned)next) {
        int k = s->from[v];

        next = s->column_of[k];
        s->column_of[k] = (int16_t)v;
        s->row_of[v] = (int16_t)k;
        if (next < 0)
            return;
    }
}

/*
 * Raise the duals of the tree's rows by the least amount that gives a new
 * zero, lower those of its columns; returns the amount.
 */
INLINE unsigned
raise_duals(struct search *s, unsigned open, const uint64_t *inside,
            unsigned n_tree, const unsigned w)
{
    unsigned amount = 255;

    FOR_LANES(x, w)
    {
        lanes least = lanes_all(255);

        for (unsigned t = 0; t < n_tree; t++)
            least =
                lanes_min(least, lanes_load(s->reduced + s->tree[t] * w + x));
        least = lanes_or(least, lanes_load(s->mark + x));
        unsigned here = lanes_least(least);
        if (here < amount)
            amount = here;
    }
    FOR_LANES(x, w)
    {
        const lanes mark = lanes_load(s->mark + x);
        const lanes all = lanes_all((uint8_t)amount);
        const lanes up = lanes_and(mark, all);

        for (unsigned k = 0; k < open; k++)
            lanes_store(s->reduced + k * w + x,
                        lanes_add(lanes_load(s->reduced + k * w + x), up));
        for (unsigned t = 0; t < n_tree; t++)
            lanes_store(
                s->reduced + s->tree[t] * w + x,
                lanes_sub(lanes_load(s->reduced + s->tree[t] * w + x), all));
    }
    for (unsigned k = 0; k < open; k++)
        for (unsigned i = 0; i < GED_WORDS(w); i++)
            s->zeros[k * GED_WORDS(w) + i] &= ~inside[i];
    for (unsigned t = 0; t < n_tree; t++)
        at_most(s->zeros + s->tree[t] * GED_WORDS(w),
                s->reduced + s->tree[t] * w, 0, w);
    return amount;
}

/*
 * Match row k by growing an alternating tree of zeros (Hungarian method).
 * *bound grows on the way; false once it passes `limit`.
 */
INLINE bool
match_row(struct search *s, const struct level *c, unsigned k, uint64_t *free,
          unsigned *bound, unsigned limit, const unsigned w)
{
    uint64_t reached[GED_WORDS(GED_ROWS_MAX)] = {0};
    uint64_t inside[GED_WORDS(GED_ROWS_MAX)] = {0};
    unsigned n_tree = 1;

    s->tree[0] = (uint16_t)k;
    FOR_LANES(x, w)
    lanes_store(s->mark + x, lanes_all(0));
    tree_reach(s, reached, k, w);
    for (;;) {
        bool grown = false;

        for (unsigned i = 0; i < GED_WORDS(w); i++) {
            uint64_t bits = reached[i] & free[i];

            if (bits) {
                unsigned v = i * 64 + (unsigned)__builtin_ctzll(bits);

                free[i] &= ~(UINT64_C(1) << (v % 64));
                augment(s, v);
                return true;
            }
        }
        for (unsigned i = 0; i < GED_WORDS(w); i++) {
            uint64_t bits = reached[i] & ~inside[i] & ~free[i];

            inside[i] |= bits;
            grown |= bits != 0;
            for (; bits; bits &= bits - 1) {
                unsigned v = i * 64 + (unsigned)__builtin_ctzll(bits);

                s->mark[v] = 255;
                s->tree[n_tree++] = (uint16_t)s->row_of[v];
                tree_reach(s, reached, (unsigned)s->row_of[v], w);
            }
        }
        if (grown)
            continue;
        *bound += raise_duals(s, c->open, inside, n_tree, w);
        if (*bound > limit)
            return false;
        for (unsigned t = 0; t < n_tree; t++)
            tree_reach(s, reached, s->tree[t], w);
    }
}

/* The assignment of the open rows; false if its cost passes `limit`. */
INLINE bool
assign(struct search *s, struct level *c, unsigned limit, const unsigned w)
{
    uint64_t free[GED_WORDS(GED_ROWS_MAX)];
    uint16_t left[GED_ROWS_MAX];
    unsigned n_left;

    c->bound = reduce_columns(s, c, w);
    if (c->bound > limit)
        return false;
    c->bound += reduce_rows(s, c->open, w);
    if (c->bound > limit)
        return false;
    for (unsigned i = 0; i < GED_WORDS(w); i++)
        free[i] = c->columns[i];
    n_left = match_greedily(s, c, free, left, w);
    for (unsigned i = 0; i < n_left; i++)
        if (!match_row(s, c, left[i], free, &c->bound, limit, w))
            return false;
    return true;
}

/* ---- solutions ---- */

/* The cost of the complete map in s->image. */
INLINE int64_t
image_cost(const struct search *s, const unsigned w)
{
    const struct sepx_ged_graph *a = s->a, *b = s->b;
    unsigned kept = 0, relabelled = 0, common = 0, recoded = 0;

    for (unsigned i = 0; i < a->n; i++) {
        unsigned j = s->image[i];

        if (j < b->n) {
            kept++;
            relabelled += a->label[i] != b->label[j];
        }
    }
    for (unsigned e = 0; e < a->m; e++) {
        unsigned j = s->image[a->edge[e].from];
        unsigned code =
            row_of_node(s, s->b_out, j, b->n, w)[s->image[a->edge[e].to]];

        common += code != 0;
        recoded += code != 0 && code != a->edge_code[e];
    }
    return (int64_t)(a->n + b->n - 2 * kept + relabelled) +
           (int64_t)(a->m + b->m - 2 * common + recoded);
}

/* Complete the map by the assignment of the open rows. */
INLINE void
complete(struct search *s, const struct level *c)
{
    for (unsigned k = 0; k < c->open; k++)
        s->image[c->row[k]] = (uint16_t)s->column_of[k];
}

static void
keep_map(const struct search *s, int16_t *map)
{
    for (unsigned i = 0; i < s->a->n; i++)
        map[i] = s->image[i] < s->b->n ? (int16_t)s->image[i] : SEPX_NONE;
}

static void
keep_better(struct search *s, int64_t cost)
{
    struct ged_task *task = s->task;

    task->upper = cost;
    keep_map(s, task->map);
    if (cost - s->step < s->cap)
        s->cap = (int)cost - s->step;
}

static void
report(struct ged_task *task)
{
    if (sepx__ged_is_over(task))
        task->stopped = true;
}

INLINE void
offer(struct search *s, int64_t cost)
{
    if (cost >= s->task->upper)
        return;
    keep_better(s, cost);
    if (s->task->nodes >= QUIET)
        report(s->task);
}

/* ---- branching ---- */

/*
 * Of several open columns that can be swapped, only the first is tried. When
 * all optimal maps are asked for, that goes for stand-ins alone.
 */
INLINE bool
is_second_twin(const struct search *s, const struct level *c, unsigned v,
               const unsigned w)
{
    if (v < s->b->n) {
        const uint64_t *twins = s->b->twins + v * GED_WORDS(s->b->width);

        if (s->task->visit)
            return false;
        for (unsigned i = 0; i < GED_WORDS(w); i++)
            if (i < GED_WORDS(s->b->width) && (twins[i] & c->columns[i]))
                return true;
        return false;
    }
    for (unsigned j = s->b->n; j < v; j++)
        if (s->class_b[j] == s->class_b[v] &&
            (c->columns[j / 64] >> (j % 64) & 1))
            return true;
    return false;
}

/* List the columns of the picked row, cheapest first. */
INLINE void
list_candidates(const struct search *s, struct level *c, const uint64_t *bits,
                const unsigned w)
{
    const uint8_t *row = s->reduced + c->pick * w;

    c->count = c->next = 0;
    for (unsigned i = 0; i < GED_WORDS(w); i++)
        for (uint64_t rest = bits[i]; rest; rest &= rest - 1) {
            unsigned v = i * 64 + (unsigned)__builtin_ctzll(rest);
            unsigned at = c->count;

            if (is_second_twin(s, c, v, w))
                continue;
            for (; at && c->price[at - 1] > row[v]; at--) {
                c->price[at] = c->price[at - 1];
                c->column[at] = c->column[at - 1];
            }
            c->price[at] = row[v];
            c->column[at] = (uint8_t)v;
            c->count++;
        }
}

/* How much room the row leaves: slack + 1 less the price of each candidate. */
INLINE unsigned
room_in(const uint8_t *row, unsigned slack, const unsigned w)
{
    unsigned sum = 0;

    FOR_LANES(x, w)
    sum += lanes_sum(
        lanes_sub(lanes_all((uint8_t)(slack + 1)), lanes_load(row + x)));
    return sum;
}

/*
 * Pick the row that leaves least room for each of its open edges: it has few
 * candidates, or dear ones, and fixing it makes many edges certain. False if
 * a row has no candidate.
 */
INLINE bool
branch(struct search *s, struct level *c, unsigned slack, const unsigned w)
{
    uint64_t bits[GED_WORDS(GED_ROWS_MAX)];
    unsigned least_room = 255 * GED_ROWS_MAX + 1, most_edges = 1;

    for (unsigned k = 0; k < c->real; k++) {
        const unsigned room = room_in(s->reduced + k * w, slack, w);
        unsigned edges = 1;

        if (!room)
            return false;
        for (unsigned d = 0; d < s->slots; d++)
            edges += c->degree_a[d * w + c->row[k]];
        if (room * most_edges >= least_room * edges)
            continue;
        least_room = room;
        most_edges = edges;
        c->pick = k;
    }
    at_most(bits, s->reduced + c->pick * w, slack, w);
    list_candidates(s, c, bits, w);
    return c->count != 0;
}

/* A wide row makes a slow node: the wider, the more often is asked. */
INLINE void
set_pause(struct search *s, const unsigned w)
{
    const struct ged_task *task = s->task;

    s->pause = task->nodes + 4 * GED_ROWS_MAX / w;
    if (task->node_limit && s->pause > task->node_limit)
        s->pause = task->node_limit;
}

INLINE bool
out_of_budget(struct search *s, const unsigned w)
{
    struct ged_task *task = s->task;

    if (task->nodes >= s->pause) {
        if (task->node_limit && task->nodes >= task->node_limit)
            task->stopped = true;
        else
            report(task);
        set_pause(s, w);
    }
    return task->stopped;
}

/* Every map of the wanted cost is reported once all real rows are fixed. */
INLINE void
visit_leaf(struct search *s, const struct level *c, const unsigned w)
{
    struct ged_task *task = s->task;
    unsigned k = 0;

    for (unsigned v = 0; v < s->n; v++)
        if (c->columns[v / 64] >> (v % 64) & 1)
            s->image[c->row[k++]] = (uint16_t)v;
    if (image_cost(s, w) != s->cap)
        return;
    keep_map(s, task->map);
    if (!task->visit(task->context, task->map))
        task->stopped = true;
}

/* Bound a level and list its branches; false if nothing is below it. */
INLINE bool
enter(struct search *s, struct level *c, const unsigned w)
{
    int limit = 2 * (s->cap - (int)c->cost);

    s->task->nodes++;
    if (limit < 0 || !assign(s, c, (unsigned)limit, w))
        return false;
    if (s->task->visit) {
        if (!c->real) {
            visit_leaf(s, c, w);
            return false;
        }
    } else {
        complete(s, c);
        offer(s, image_cost(s, w));
        limit = 2 * (s->cap - (int)c->cost);
        if (!c->real || limit < (int)c->bound)
            return false;
    }
    return branch(s, c, (unsigned)limit - c->bound, w);
}

/*
 * Search for maps of cost <= s->cap, or bound the first level only. False if
 * nothing is below that. Here alone is a level entered: whatever is inlined
 * into this loop is compiled once for each width.
 */
INLINE bool
explore(struct search *s, bool root_only, const unsigned w)
{
    struct level *top = s->level, *c = top;

    for (;;) {
        if (!enter(s, c, w)) {
            if (c == top)
                return false;
            c--;
        }
        if (root_only)
            return true;
        while (c->next == c->count ||
               2 * (int)c->cost + (int)c->bound + c->price[c->next] >
                   2 * s->cap) {
            if (c == top)
                return true;
            c--;
        }
        if (out_of_budget(s, w))
            return true;
        unsigned v = c->column[c->next++];
        s->image[c->row[c->pick]] = (uint16_t)v;
        fix(s, c, c + 1, c->pick, v, w);
        c++;
    }
}

/* ---- setting up a pair ---- */

INLINE void
set_stand_ins(struct search *s, uint32_t n_classes)
{
    unsigned i = s->a->n, j = s->b->n;

    for (unsigned k = 0; k < s->a->n; k++)
        s->class_a[k] = s->a->class[k];
    for (unsigned k = 0; k < s->b->n; k++)
        s->class_b[k] = s->b->class[k];
    for (uint32_t k = 0; k < n_classes; k++) {
        for (unsigned x = s->a->size[k]; x < s->b->size[k]; x++)
            s->class_a[i++] = (uint16_t)k;
        for (unsigned x = s->b->size[k]; x < s->a->size[k]; x++)
            s->class_b[j++] = (uint16_t)k;
    }
}

/* Row i of the first level: labels and classes. */
INLINE void
first_row(struct search *s, struct level *c, unsigned i, const uint8_t *low,
          const uint8_t *high, const uint8_t *never, const unsigned w)
{
    const unsigned label = i < s->a->n ? s->a->label[i] : GED_NO_LABEL;
    uint8_t *row = c->sure + i * w;

    FOR_LANES(x, w)
    {
        lanes same = lanes_and(
            lanes_equal(lanes_load(low + x), lanes_all((uint8_t)label)),
            lanes_equal(lanes_load(high + x),
                        lanes_all((uint8_t)(label >> 8))));
        lanes_store(row + x, lanes_or(lanes_load(never + x),
                                      lanes_not_and(same, lanes_all(2))));
    }
}

/* 255 in the columns of other classes than row i's. */
INLINE void
set_never(const struct search *s, uint8_t *never, unsigned i)
{
    for (unsigned j = 0; j < s->n; j++)
        never[j] = s->class_a[i] == s->class_b[j] ? 0 : 255;
}

INLINE void
widen(uint8_t *to, const uint8_t *rows, unsigned count, unsigned old,
      const unsigned w)
{
    memset(to, 0, (size_t)count * w);
    for (unsigned i = 0; i < count; i++)
        memcpy(to + i * w, rows + i * old, old);
}

/* Classes of one node each need no search: fix them now. */
INLINE void
fix_singles(struct search *s, const struct sepx_ged *ged, const unsigned w)
{
    struct level *c = s->level;

    for (unsigned k = 0; k <= ged->n_pinned; k++) {
        unsigned r = 0, v = 0;

        if (s->a->size[k] > 1 || s->b->size[k] > 1 ||
            !(s->a->size[k] | s->b->size[k]))
            continue;
        while (s->class_a[c->row[r]] != k)
            r++;
        while (s->class_b[v] != k)
            v++;
        s->image[c->row[r]] = (uint16_t)v;
        fix(s, c, c + 1, r, v, w);
        c++;
    }
    s->level = c;
}

INLINE void
start(struct search *s, const struct sepx_ged *ged, const unsigned w)
{
    struct level *c = s->level;
    _Alignas(GED_ALIGN) uint8_t low[GED_ROWS_MAX], high[GED_ROWS_MAX];
    _Alignas(GED_ALIGN) uint8_t never[GED_ROWS_MAX];

    set_stand_ins(s, ged->n_pinned + 1);
    memset(low, GED_NO_LABEL & 0xff, w);
    memset(high, GED_NO_LABEL >> 8, w);
    memcpy(low, s->b->label_low, s->b->n);
    memcpy(high, s->b->label_high, s->b->n);
    c->cost = 0;
    c->open = s->n;
    c->real = s->a->n;
    for (unsigned i = 0; i < GED_WORDS(w); i++)
        c->columns[i] = s->n >= 64 * (i + 1) ? UINT64_MAX
                        : s->n > 64 * i ? (UINT64_C(1) << (s->n - 64 * i)) - 1
                                        : 0;
    memset(c->shut, 255, w);
    memset(c->shut, 0, s->n);
    memset(never, 0, w);
    widen(c->degree_a, s->a->degree, s->slots, s->a->width, w);
    widen(c->degree_b, s->b->degree, s->slots, s->b->width, w);
    for (unsigned i = 0; i < s->n; i++) {
        c->row[i] = (uint16_t)i;
        if (ged->n_pinned && (!i || s->class_a[i] != s->class_a[i - 1]))
            set_never(s, never, i);
        first_row(s, c, i, low, high, never, w);
    }
    fix_singles(s, ged, w);
}

/* ---- memory ---- */

/* The shape of the working memory; equal shapes share one layout. */
struct shape {
    size_t rows, width, slots;
};

struct memory {
    struct shape shape;
    struct search search;
};

/* Place the arrays behind `base`; NULL only counts. Returns the size. */
static size_t
lay_out(struct search *s, uint8_t *base, struct shape shape)
{
    const size_t n = shape.rows, w = shape.width;
    size_t used = sizeof(struct memory);
    struct level none;

    sepx__ged_take(base, &used, 0);
    s->level_0 = sepx__ged_take(base, &used, (n + 1) * sizeof *s->level);
    s->image = sepx__ged_take(base, &used, n * sizeof *s->image);
    s->class_a = sepx__ged_take(base, &used, n * sizeof *s->class_a);
    s->class_b = sepx__ged_take(base, &used, n * sizeof *s->class_b);
    s->reduced = sepx__ged_take(base, &used, n * w);
    s->zeros = sepx__ged_take(base, &used, n * GED_WORDS(w) * sizeof *s->zeros);
    s->column_of = sepx__ged_take(base, &used, w * sizeof *s->column_of);
    s->row_of = sepx__ged_take(base, &used, w * sizeof *s->row_of);
    s->from = sepx__ged_take(base, &used, w * sizeof *s->from);
    s->tree = sepx__ged_take(base, &used, w * sizeof *s->tree);
    s->mark = sepx__ged_take(base, &used, w);
    s->zero = sepx__ged_take(base, &used, w);
    for (unsigned i = 0; i < 4; i++)
        s->wide[i] = sepx__ged_take(base, &used, n * w);
    for (size_t i = 0; i <= n; i++) {
        struct level *c = base ? &s->level_0[i] : &none;

        c->row = sepx__ged_take(base, &used, n * sizeof *c->row);
        c->sure = sepx__ged_take(base, &used, (n - i) * w);
        c->shut = sepx__ged_take(base, &used, w);
        c->degree_a = sepx__ged_take(base, &used, shape.slots * w);
        c->degree_b = sepx__ged_take(base, &used, shape.slots * w);
        c->column = sepx__ged_take(base, &used, w);
        c->price = sepx__ged_take(base, &used, w);
    }
    return used;
}

/* The search, laid out for `shape`; NULL for want of memory. */
static struct search *
get_search(struct sepx_ged *ged, struct shape shape)
{
    struct search none;
    struct memory *memory = ged->memory;
    const size_t size = lay_out(&none, NULL, shape);

    if (ged->room < size) {
        memory = sepx__aligned(size, GED_ALIGN);
        if (!memory)
            return NULL;
        sepx__aligned_free(ged->memory);
        ged->memory = memory;
        ged->room = size;
    }
    memset(memory, 0, sizeof *memory);
    memory->shape = shape;
    lay_out(&memory->search, (uint8_t *)memory, shape);
    memset((void *)(uintptr_t)memory->search.zero, 0, shape.width);
    return &memory->search;
}

static bool
same_shape(struct shape x, struct shape y)
{
    return x.rows == y.rows && x.width == y.width && x.slots == y.slots;
}

/* ---- the ways through the tree ---- */

/*
 * If only edges can differ, matching one edge more saves two edits: all
 * maps have costs of one parity, and a cap of the other can be lowered.
 */
static void
set_parity(struct search *s, const struct sepx_ged *ged)
{
    s->step = ged->ignore_labels && s->codes == 1 ? 2 : 1;
    s->parity = (int)((s->a->n + s->b->n + s->a->m + s->b->m) & 1);
}

static void
set_cap(struct search *s, int64_t cap)
{
    s->cap = (int)cap;
    if (s->step == 2 && ((s->cap ^ s->parity) & 1))
        s->cap--;
}

static int64_t
least(int64_t x, int64_t y)
{
    return x < y ? x : y;
}

static void
raise_lower(struct ged_task *task, int64_t lower)
{
    if (task->lower < lower)
        task->lower = lower;
}

/* Of all maps, once the first level has been entered. */
static int64_t
root_bound(const struct search *s)
{
    return s->level->cost + (s->level->bound + 1) / 2;
}

/*
 * Small graphs have one pass, with the best map so far as the limit: it proves
 * that nothing up to the first cap is better. Larger ones have a cap that grows
 * from the root bound. Each finished cap is a proof, so that a limit leaves a
 * certified lower bound behind. The last caps below a known map are taken in
 * one: each costs more than all before.
 */
struct passes {
    bool deepen;
    bool root_only; /* this pass finds the bound to begin with */
    int64_t cap;
};

static struct passes
first_pass(struct search *s)
{
    const struct ged_task *task = s->task;
    struct passes p = {.deepen = !task->visit && s->n > 16};

    p.root_only = p.deepen;
    if (task->visit) {
        s->cap = (int)task->cap;
    } else if (p.deepen) {
        s->cap = GED_CAP_MAX;
    } else {
        p.cap = least(least(task->cap, task->upper - 1), GED_CAP_MAX);
        set_cap(s, p.cap);
    }
    return p;
}

/* The cap above what is proven; false if there is none. */
static bool
deepen(struct search *s, struct passes *p)
{
    const struct ged_task *task = s->task;
    const int64_t last = least(task->cap, GED_CAP_MAX);

    p->root_only = false;
    if (task->stopped || task->lower >= task->upper || task->lower > last)
        return false;
    p->cap = task->lower;
    if (task->upper - p->cap <= GED_NEAR)
        p->cap = least(task->upper - 1, last);
    set_cap(s, p->cap);
    return true;
}

/* Note what a pass has proven; false if it was the last. */
static bool
next_pass(struct search *s, struct passes *p, bool entered)
{
    struct ged_task *task = s->task;

    if (task->visit)
        return false;
    if (!p->deepen) {
        raise_lower(task, task->stopped ? root_bound(s)
                                        : least(p->cap + 1, task->upper));
        return false;
    }
    if (!p->root_only) {
        if (task->stopped)
            return false;
        task->lower = least(p->cap + 1, task->upper);
        task->stopped = task->lower < task->upper && sepx__ged_is_over(task);
    } else if (!entered && task->upper > GED_CAP_MAX) {
        task->lower = GED_CAP_MAX + 1;
        return false;
    } else {
        raise_lower(task, root_bound(s));
    }
    return deepen(s, p);
}

INLINE void
solve(struct search *s, const struct sepx_ged *ged, const unsigned w)
{
    struct passes passes;
    bool entered;

    set_parity(s, ged);
    set_pause(s, w);
    start(s, ged, w);
    passes = first_pass(s);
    do
        entered = explore(s, passes.root_only, w);
    while (next_pass(s, &passes, entered));
}

static const uint8_t *
wide_rows(struct search *s, unsigned which, const struct sepx_ged_graph *g,
          const uint8_t *rows, unsigned w)
{
    if (g->width == w)
        return rows;
    widen(s->wide[which], rows, g->n, g->width, w);
    return s->wide[which];
}

enum sepx_err
GED_SEARCH(struct sepx_ged *ged, struct ged_task *task)
{
    const struct sepx_ged_graph *a = task->a, *b = task->b;
    const unsigned n = task->padded;
    const unsigned w = sepx__ged_width(n);
    const unsigned codes = a->n_codes;
    struct shape shape = {w <= 32 ? w : n, w, 2 * GED_DEGREES(codes)};
    struct memory *memory = ged->memory;
    struct search *s;

    if (memory && same_shape(memory->shape, shape))
        s = &memory->search;
    else
        s = get_search(ged, shape);
    if (!s)
        return SEPX_ENOMEM;
    s->task = task;
    s->a = a;
    s->b = b;
    s->n = n;
    s->codes = codes;
    s->slots = (unsigned)shape.slots;
    s->level = s->level_0;
    s->a_out = wide_rows(s, 0, a, a->out, w);
    s->a_in = wide_rows(s, 1, a, a->in, w);
    s->b_out = wide_rows(s, 2, b, b->out, w);
    s->b_in = wide_rows(s, 3, b, b->in, w);
    switch (w) {
#if defined(SEPX_SMALL_CODE)
#elif LANES == 32
    case 32:
        solve(s, ged, 32);
        break;
    case 64:
        solve(s, ged, 64);
        break;
    case 128:
        solve(s, ged, 128);
        break;
#else
    case 16:
        solve(s, ged, 16);
        break;
#endif
    default:
        solve(s, ged, w);
        break;
    }
    return SEPX_OK;
}
