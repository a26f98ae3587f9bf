/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The saving of turning one bag of edge labels into another: a transport
 * problem between the different labels of the bags, solved by successive
 * longest paths (Ahuja, Magnanti and Orlin, Network Flows, 1993, section 9.7).
 */
#include <string.h>

#include "ged/internal.h"

#define NO_PATH (INT64_MIN / 4)

int64_t
sepx__ged_label_saved(const struct ged_costs *costs, uint16_t x, uint16_t y)
{
    const int64_t saved = sepx__ged_price(&costs->edge, x, false) +
                          sepx__ged_price(&costs->edge, y, true);
    const int64_t cost = sepx__ged_become(&costs->edge, x, y);

    return cost < saved ? saved - cost : 0;
}

/* Edges of one label, none of them matched yet. */
struct ged_heap {
    uint16_t label;
    uint32_t left;
    int64_t gain;  /* of the best path that ends here; NO_PATH: none */
    uint32_t from; /* the heap before it on that path */
};

/* ---- room ---- */

static bool
are_alike(const struct ged_kind *costs)
{
    return !costs->inserts.count && !costs->removes.count &&
           !costs->relabels.count && !costs->dense.remove;
}

enum sepx_err
sepx__ged_bags_new(struct ged_bags **bags, const struct ged_costs *costs,
                   uint32_t x, uint32_t y)
{
    struct ged_bags *m = *bags = sepx__calloc(1, sizeof *m);
    size_t cells;

    if (!m)
        return SEPX_ENOMEM;
    m->alike = are_alike(&costs->edge);
    cells = m->alike ? 1 : (size_t)x * y;
    m->x = sepx__calloc(x, sizeof *m->x);
    m->y = sepx__calloc(y, sizeof *m->y);
    m->weight = sepx__calloc(cells, sizeof *m->weight);
    m->flow = sepx__calloc(cells, sizeof *m->flow);
    return m->x && m->y && m->weight && m->flow ? SEPX_OK : SEPX_ENOMEM;
}

void
sepx__ged_bags_free(struct ged_bags *m)
{
    if (!m)
        return;
    sepx__free(m->x);
    sepx__free(m->y);
    sepx__free(m->weight);
    sepx__free(m->flow);
    sepx__free(m);
}

/* ---- paths ---- */

static uint32_t
heap_up(struct ged_heap *heap, const struct ged_bundle *bundle)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < bundle->size; i++) {
        if (!n || heap[n - 1].label != bundle->edge[i].label)
            heap[n++] = (struct ged_heap){.label = bundle->edge[i].label};
        heap[n - 1].left++;
    }
    return n;
}

static bool
is_over(const struct ged_bags *m, uint64_t *work, uint64_t more)
{
    return m->task && sepx__ged_is_over_by(m->task, work, more);
}

static bool
reach(struct ged_heap *heap, int64_t gain, uint32_t from)
{
    if (gain <= heap->gain)
        return false;
    heap->gain = gain;
    heap->from = from;
    return true;
}

/*
 * The gain of the best path to each heap, over edges matched so far; false
 * if the task is over first.
 */
static bool
find_paths(struct ged_bags *m, uint64_t *work)
{
    bool better = true;

    for (uint32_t i = 0; i < m->n_x; i++) {
        m->x[i].gain = m->x[i].left ? 0 : NO_PATH;
        m->x[i].from = UINT32_MAX;
    }
    for (uint32_t j = 0; j < m->n_y; j++)
        m->y[j].gain = NO_PATH;
    while (better) {
        if (is_over(m, work, (uint64_t)m->n_x * m->n_y))
            return false;
        better = false;
        for (uint32_t i = 0; i < m->n_x; i++)
            for (uint32_t j = 0; j < m->n_y; j++) {
                const size_t at = (size_t)i * m->n_y + j;

                if (m->x[i].gain != NO_PATH)
                    better |= reach(&m->y[j], m->x[i].gain + m->weight[at], i);
                if (m->flow[at] && m->y[j].gain != NO_PATH)
                    better |= reach(&m->x[i], m->y[j].gain - m->weight[at], j);
            }
    }
    return true;
}

/* Match as many more edges as the path to heap `end` of y allows. */
static int64_t
augment(struct ged_bags *m, uint32_t end)
{
    uint32_t amount = m->y[end].left, i, j = end;

    for (;;) {
        i = m->y[j].from;
        j = m->x[i].from;
        if (j == UINT32_MAX)
            break;
        if (m->flow[(size_t)i * m->n_y + j] < amount)
            amount = m->flow[(size_t)i * m->n_y + j];
    }
    if (m->x[i].left < amount)
        amount = m->x[i].left;
    m->x[i].left -= amount;
    m->y[end].left -= amount;
    for (j = end; j != UINT32_MAX; j = m->x[i].from) {
        i = m->y[j].from;
        m->flow[(size_t)i * m->n_y + j] += amount;
        if (m->x[i].from != UINT32_MAX)
            m->flow[(size_t)i * m->n_y + m->x[i].from] -= amount;
    }
    return amount * m->y[end].gain;
}

/* ---- matchings ---- */

/* False if the task is over first. */
static bool
set_weights(struct ged_bags *m, const struct ged_costs *costs, uint64_t *work)
{
    for (uint32_t i = 0; i < m->n_x; i++) {
        int64_t *row = m->weight + (size_t)i * m->n_y;

        if (is_over(m, work, m->n_y))
            return false;
        memset(m->flow + (size_t)i * m->n_y, 0, m->n_y * sizeof *m->flow);
        for (uint32_t j = 0; j < m->n_y; j++)
            row[j] = sepx__ged_label_saved(costs, m->x[i].label, m->y[j].label);
    }
    return true;
}

static int64_t
match(struct ged_bags *m, const struct ged_costs *costs)
{
    int64_t saved = 0;
    uint64_t work = 0;

    m->cut |= !set_weights(m, costs, &work);
    for (;;) {
        uint32_t best = UINT32_MAX;

        m->cut |= m->cut || !find_paths(m, &work);
        if (m->cut)
            return saved;
        for (uint32_t j = 0; j < m->n_y; j++)
            if (m->y[j].left && m->y[j].gain > 0 &&
                (best == UINT32_MAX || m->y[j].gain > m->y[best].gain))
                best = j;
        if (best == UINT32_MAX)
            return saved;
        saved += augment(m, best);
    }
}

/*
 * Edges of all labels cost the same. A pair of equal labels saves the most,
 * so as many as possible keep theirs.
 */
static int64_t
match_alike(struct ged_bags *m, const struct ged_kind *costs, uint32_t pairs)
{
    const int64_t keep = costs->remove + costs->insert;
    const int64_t turn = costs->relabel < keep ? keep - costs->relabel : 0;
    uint64_t work = 0;
    uint32_t kept = 0;

    for (uint32_t i = 0; i < m->n_x && !m->cut; i++) {
        m->cut = is_over(m, &work, m->n_y);
        for (uint32_t j = 0; j < m->n_y; j++)
            if (m->x[i].label == m->y[j].label)
                kept +=
                    m->x[i].left < m->y[j].left ? m->x[i].left : m->y[j].left;
    }
    return kept * keep + (pairs - kept) * turn;
}

int64_t
sepx__ged_bags_match(struct ged_bags *m, const struct ged_costs *costs,
                     const struct ged_bundle *x, const struct ged_bundle *y)
{
    m->n_x = heap_up(m->x, x);
    m->n_y = heap_up(m->y, y);
    if (m->alike)
        return match_alike(m, &costs->edge,
                           x->size < y->size ? x->size : y->size);
    return match(m, costs);
}
