/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A better map for a search that ran out of nodes: iterated local search on
 * the padded problem of row_search.c, at unit costs. Images of two nodes of one
 * class are exchanged while that is cheaper; then a few are exchanged at
 * random, and what does not come out cheaper is undone (Lourenço, Martin and
 * Stützle 2003). The random stream is always the same one, and the work is
 * counted, so the map is a function of the pair and the limit.
 *
 * Row i of `image` has the edge codes of b at the images of i and of every
 * other node, so that exchanging two images is exchanging two rows and two
 * columns, and the price of an exchange is a few comparisons of rows.
 */
#include <string.h>

#include "ged/internal.h"

#include "ged/rows/lanes.h"

#define KICKS 3 /* random exchanges, at least; at most twice as many */

/* Labels, classes and both ways of the edges of one side, padded. */
struct side {
    uint16_t *label;
    uint8_t *out, *in; /* n rows of w bytes; as in sepx_ged_graph */
};

struct polish {
    struct ged_task *task;
    unsigned n, w;
    uint64_t tries; /* exchanges that may still be looked at */
    struct side a, image, best;
    uint16_t *class;
    uint16_t *at, *best_at; /* the column of each row */
    bool *look;             /* rows whose exchanges are worth a look */
    int64_t cost, best_cost;
    struct sepx_rng rng;
};

/* ---- the price of an exchange ---- */

static unsigned
count_different(const uint8_t *x, const uint8_t *y, unsigned w)
{
    unsigned sum = 0;

    for (unsigned k = 0; k < w; k += LANES)
        sum += lanes_sum(lanes_not_and(
            lanes_equal(lanes_load(x + k), lanes_load(y + k)), lanes_all(1)));
    return sum;
}

/* In one direction, leaving out the edges between i and j themselves. */
static int
rows_gain(const struct polish *p, const uint8_t *a, const uint8_t *b,
          unsigned i, unsigned j)
{
    const unsigned w = p->w;
    const uint8_t *ai = a + i * w, *aj = a + j * w;
    const uint8_t *bi = b + i * w, *bj = b + j * w;
    int gain = (int)(count_different(ai, bi, w) + count_different(aj, bj, w)) -
               (int)(count_different(ai, bj, w) + count_different(aj, bi, w));

    gain -= (ai[i] != bi[i]) + (aj[i] != bj[i]) + (ai[j] != bi[j]) +
            (aj[j] != bj[j]);
    gain += (ai[i] != bj[i]) + (aj[i] != bi[i]) + (ai[j] != bj[j]) +
            (aj[j] != bi[j]);
    return gain;
}

static int
labels_gain(const struct polish *p, unsigned i, unsigned j)
{
    const uint16_t *a = p->a.label, *b = p->image.label;

    return (a[i] != b[i]) + (a[j] != b[j]) - (a[i] != b[j]) - (a[j] != b[i]);
}

static int
exchange_gain(const struct polish *p, unsigned i, unsigned j)
{
    const uint8_t *a = p->a.out, *b = p->image.out;
    const unsigned ij = i * p->w + j, ji = j * p->w + i;

    return labels_gain(p, i, j) + rows_gain(p, a, b, i, j) +
           rows_gain(p, p->a.in, p->image.in, i, j) + (a[ij] != b[ij]) +
           (a[ji] != b[ji]) - (a[ij] != b[ji]) - (a[ji] != b[ij]);
}

static void
exchange_rows(uint8_t *rows, unsigned n, unsigned w, unsigned i, unsigned j)
{
    for (unsigned k = 0; k < w; k++) {
        uint8_t was = rows[i * w + k];

        rows[i * w + k] = rows[j * w + k];
        rows[j * w + k] = was;
    }
    for (unsigned k = 0; k < n; k++) {
        uint8_t was = rows[k * w + i];

        rows[k * w + i] = rows[k * w + j];
        rows[k * w + j] = was;
    }
}

static void
exchange(struct polish *p, unsigned i, unsigned j, int gain)
{
    const uint16_t label = p->image.label[i], at = p->at[i];

    exchange_rows(p->image.out, p->n, p->w, i, j);
    exchange_rows(p->image.in, p->n, p->w, i, j);
    p->image.label[i] = p->image.label[j];
    p->image.label[j] = label;
    p->at[i] = p->at[j];
    p->at[j] = at;
    p->look[i] = p->look[j] = true;
    p->cost -= gain;
}

/* ---- the search ---- */

/* Every exchange of row i that is cheaper, one after the other. */
static void
descend_from(struct polish *p, unsigned i)
{
    p->look[i] = false;
    for (unsigned j = 0; j < p->n && p->tries; j++) {
        int gain;

        if (j == i || p->class[i] != p->class[j])
            continue;
        p->tries--;
        gain = exchange_gain(p, i, j);
        if (gain > 0)
            exchange(p, i, j, gain);
    }
}

static void
descend(struct polish *p)
{
    bool moved = true;

    while (moved && p->tries) {
        moved = false;
        for (unsigned i = 0; i < p->n && p->tries; i++) {
            if (!p->look[i])
                continue;
            moved = true;
            descend_from(p, i);
        }
    }
}

static void
kick(struct polish *p)
{
    unsigned count = KICKS + sepx_rng_below(&p->rng, KICKS + 1);

    while (count--) {
        unsigned i = sepx_rng_below(&p->rng, p->n);
        unsigned j = sepx_rng_below(&p->rng, p->n);

        if (i != j && p->class[i] == p->class[j])
            exchange(p, i, j, exchange_gain(p, i, j));
    }
}

static void
copy_side(const struct polish *p, struct side *to, const struct side *from)
{
    memcpy(to->label, from->label, p->n * sizeof *to->label);
    memcpy(to->out, from->out, (size_t)p->n * p->w);
    memcpy(to->in, from->in, (size_t)p->n * p->w);
}

static void
keep_or_undo(struct polish *p)
{
    if (p->cost <= p->best_cost) {
        copy_side(p, &p->best, &p->image);
        memcpy(p->best_at, p->at, p->n * sizeof *p->at);
        p->best_cost = p->cost;
        return;
    }
    copy_side(p, &p->image, &p->best);
    memcpy(p->at, p->best_at, p->n * sizeof *p->at);
    p->cost = p->best_cost;
}

/* Until no exchange at all is cheaper: each gains 1 at least. */
static void
descend_fully(struct polish *p)
{
    int64_t before;

    do {
        before = p->cost;
        for (unsigned i = 0; i < p->n; i++)
            p->look[i] = true;
        descend(p);
    } while (p->cost < before);
    keep_or_undo(p);
}

static void
search(struct polish *p)
{
    if (sepx__ged_is_over(p->task))
        return;
    descend_fully(p);
    while (p->tries && !sepx__ged_is_over(p->task)) {
        p->tries--;
        memset(p->look, 0, p->n * sizeof *p->look);
        kick(p);
        descend(p);
        keep_or_undo(p);
    }
    p->tries = UINT64_MAX;
    descend_fully(p);
}

/* ---- the padded pair ---- */

static void
lay_out_side(struct side *side, uint8_t *base, size_t *used, size_t n, size_t w)
{
    side->label = sepx__ged_take(base, used, n * sizeof *side->label);
    side->out = sepx__ged_take(base, used, n * w);
    side->in = sepx__ged_take(base, used, n * w);
}

static size_t
lay_out(struct polish *p, uint8_t *base)
{
    size_t used = 0;

    lay_out_side(&p->a, base, &used, p->n, p->w);
    lay_out_side(&p->image, base, &used, p->n, p->w);
    lay_out_side(&p->best, base, &used, p->n, p->w);
    p->class = sepx__ged_take(base, &used, p->n * sizeof *p->class);
    p->at = sepx__ged_take(base, &used, p->n * sizeof *p->at);
    p->best_at = sepx__ged_take(base, &used, p->n * sizeof *p->best_at);
    p->look = sepx__ged_take(base, &used, p->n * sizeof *p->look);
    return used;
}

/* The next column of class `k` that nobody has, from `from` on; or b->n. */
static unsigned
next_column(const struct polish *p, const bool *used, uint32_t k, unsigned from)
{
    const struct sepx_ged_graph *b = p->task->b;

    while (from < b->n && (used[from] || b->class[from] != k))
        from++;
    return from;
}

/*
 * Deleted nodes take inserted ones of their class, which costs no more; what
 * is left over on either side gets stand-ins.
 */
static void
set_columns(struct polish *p, uint32_t n_classes)
{
    const struct sepx_ged_graph *a = p->task->a, *b = p->task->b;
    const int16_t *map = p->task->map;
    bool used[GED_ROWS_MAX] = {false};
    unsigned row = a->n, stand_in = b->n;

    for (unsigned i = 0; i < a->n; i++)
        if (map[i] != SEPX_NONE)
            used[map[i]] = true;
    for (uint32_t k = 0; k < n_classes; k++) {
        unsigned j = next_column(p, used, k, 0);

        for (unsigned i = 0; i < a->n; i++) {
            if (a->class[i] != k)
                continue;
            p->class[i] = (uint16_t)k;
            if (map[i] != SEPX_NONE) {
                p->at[i] = (uint16_t)map[i];
            } else if (j < b->n) {
                p->at[i] = (uint16_t)j;
                j = next_column(p, used, k, j + 1);
            } else {
                p->at[i] = (uint16_t)stand_in++;
            }
        }
        for (; j < b->n; j = next_column(p, used, k, j + 1)) {
            p->class[row] = (uint16_t)k;
            p->at[row++] = (uint16_t)j;
        }
    }
}

/* Row i of `side` has node at[i] of the graph, or of itself if NULL. */
static void
fill_side(const struct polish *p, struct side *side,
          const struct sepx_ged_graph *g, const uint16_t *at)
{
    uint16_t row_of[GED_ROWS_MAX];

    memset(side->out, 0, (size_t)p->n * p->w);
    memset(side->in, 0, (size_t)p->n * p->w);
    for (unsigned i = 0; i < p->n; i++) {
        const unsigned node = at ? at[i] : i;

        row_of[node] = (uint16_t)i;
        side->label[i] = node < g->n ? g->label[node] : GED_NO_LABEL;
    }
    for (uint32_t e = 0; e < g->m; e++) {
        const unsigned from = row_of[g->edge[e].from];
        const unsigned to = row_of[g->edge[e].to];

        side->out[from * p->w + to] = g->edge_code[e];
        (g->undirected ? side->out : side->in)[to * p->w + from] =
            g->edge_code[e];
    }
}

static int64_t
whole_cost(const struct polish *p)
{
    int64_t labels = 0, edges = 0;

    for (unsigned i = 0; i < p->n; i++) {
        labels += p->a.label[i] != p->image.label[i];
        edges +=
            count_different(p->a.out + i * p->w, p->image.out + i * p->w, p->w);
    }
    return labels + (p->task->a->undirected ? edges / 2 : edges);
}

static void
keep_map(struct polish *p)
{
    struct ged_task *task = p->task;

    if (p->best_cost * GED_UNIT >= task->upper)
        return;
    task->upper = p->best_cost * GED_UNIT;
    for (unsigned i = 0; i < task->a->n; i++)
        task->map[i] =
            p->best_at[i] < task->b->n ? (int16_t)p->best_at[i] : SEPX_NONE;
}

enum sepx_err
sepx__ged_polish(const struct sepx_ged *ged, struct ged_task *task)
{
    struct polish p = {.task = task, .n = task->padded};
    uint8_t *memory;

    p.w = sepx__ged_width(p.n);
    p.tries = task->node_limit * p.n;
    for (unsigned i = 0; i < task->a->n && task->upper == GED_UNKNOWN; i++)
        task->map[i] = SEPX_NONE;
    memory = sepx__aligned(lay_out(&p, NULL), GED_ALIGN);
    if (!memory)
        return SEPX_ENOMEM;
    lay_out(&p, memory);
    set_columns(&p, ged->n_pinned + 1);
    fill_side(&p, &p.a, task->a, NULL);
    fill_side(&p, &p.image, task->b, p.at);
    p.cost = p.best_cost = whole_cost(&p);
    memcpy(p.best_at, p.at, p.n * sizeof *p.at);
    sepx_rng_init(&p.rng, 0, 0, 0, 0);
    search(&p);
    keep_map(&p);
    sepx__aligned_free(memory);
    return SEPX_OK;
}
