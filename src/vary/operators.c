/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The operators. In the paper's terms (Qiu & Miikkulainen 2023, section 3),
 * a crossover takes each entry of the attributed adjacency matrix from one
 * parent or the other, after a permutation of the second parent. Entries
 * that agree come out the same either way; those that do not are the edits
 * which the permutation implies.
 */
#include <math.h>
#include <string.h>

#include "vary/internal.h"

#define MAPS_MAX 10000 /* optimal maps among which one is drawn */

/* ---- alignment ---- */

static bool
is_pinned(const struct sepx_space *space, uint16_t label)
{
    size_t count;
    const uint16_t *pinned = sepx_space_pinned(space, &count);

    for (size_t i = 0; i < count; i++)
        if (pinned[i] == label)
            return true;
    return false;
}

/* The next node of `b` from *from on that a node labelled `label` may meet. */
static int16_t
next_partner(const struct sepx_space *space, const struct sepx_graph *b,
             uint16_t label, uint32_t *from)
{
    bool pinned = is_pinned(space, label);

    while (*from < b->n_nodes) {
        uint16_t other = b->label[*from];

        ++*from;
        if (pinned ? other == label : !is_pinned(space, other))
            return (int16_t)(*from - 1);
    }
    return SEPX_NONE;
}

/*
 * The first free node with the second's first, and so on; pinned nodes with
 * those of their label. What is left over meets a null vertex.
 */
static enum sepx_err
align_by_position(struct sepx_cross *cross, const struct sepx_graph *a,
                  const struct sepx_graph *b, struct sepx_rng *rng)
{
    uint32_t free = 0;

    (void)rng;
    for (uint32_t i = 0; i < a->n_nodes; i++) {
        uint32_t from = 0, before = 0;

        if (!is_pinned(cross->space, a->label[i])) {
            cross->map[i] = next_partner(cross->space, b, a->label[i], &free);
            continue;
        }
        for (uint32_t k = 0; k < i; k++)
            before += a->label[k] == a->label[i];
        do
            cross->map[i] = next_partner(cross->space, b, a->label[i], &from);
        while (before--);
    }
    cross->optimal = false;
    cross->lower = NAN;
    return SEPX_OK;
}

/*
 * A tree node of n graph nodes costs about n * n; if they have many edges,
 * by the square of these more.
 */
static uint64_t
node_limit(const struct sepx_rules *rules, const struct sepx_graph *a,
           const struct sepx_graph *b)
{
    const uint64_t most = SEPX__SPACE_NODES, thin = 4;
    const struct sepx_graph *large = a->n_nodes > b->n_nodes ? a : b;
    const uint64_t n = large->n_nodes + !large->n_nodes;
    const uint64_t times = 1 + large->n_edges / (thin * n);
    const uint64_t limit =
        (n < most ? rules->align * most * most / (n * n) : rules->align) /
        (times * times);

    return rules->align && !limit ? 1 : limit;
}

static bool
keep_going(void *context, double lower, double upper)
{
    (void)lower;
    (void)upper;
    return !sepx_space_stopped(context);
}

static enum sepx_err
align_optimally(struct sepx_cross *cross, const struct sepx_graph *a,
                const struct sepx_graph *b, struct sepx_rng *rng)
{
    const struct sepx_ged_limits limits = {
        .nodes = node_limit(&cross->rules, a, b),
        .watch = keep_going,
        .context = (void *)(uintptr_t)cross->space,
    };
    struct sepx_ged_graph *x = NULL, *y = NULL;
    struct sepx_ged_result result;
    enum sepx_err err = sepx_ged_prepare(cross->ged, &x, a);

    if (!err)
        err = sepx_ged_prepare(cross->ged, &y, b);
    if (!err)
        err = cross->rules.alignment == SEPX_ALIGNMENT_FIRST
                  ? sepx_ged_run(cross->ged, &result, x, y, &limits)
                  : sepx_ged_random(cross->ged, &result, x, y, &limits,
                                    MAPS_MAX, rng);
    if (!err && result.stopped)
        err = SEPX_ESTOPPED;
    if (!err) {
        memcpy(cross->map, result.map, a->n_nodes * sizeof(*cross->map));
        cross->optimal = result.exact && !cross->weighed;
        cross->length = result.upper;
        cross->lower = result.lower;
    }
    sepx_ged_graph_free(y);
    sepx_ged_graph_free(x);
    return err;
}

/* ---- choice ---- */

static void
take_by_coin(struct sepx_cross *cross, struct sepx_rng *rng)
{
    uint32_t bits = 0;

    for (size_t i = 0; i < cross->path.len; i++, bits >>= 1) {
        if (i % 32 == 0)
            bits = sepx_rng_u32(rng);
        cross->take[i] = bits & 1;
    }
}

static void
take_half(struct sepx_cross *cross, struct sepx_rng *rng)
{
    uint32_t len = (uint32_t)cross->path.len, half = (len + 1) / 2;

    memset(cross->take, 0, len * sizeof(*cross->take));
    sepx_rng_sample(rng, cross->pick, half, len);
    for (uint32_t i = 0; i < half; i++)
        cross->take[cross->pick[i]] = true;
}

const struct sepx__cross_ops sepx__cross_standard = {
    .info = {"standard", "entry by entry, nodes matched by position"},
    .align = align_by_position,
    .take = take_by_coin,
    .take_hunks = sepx__hunks_take_by_coin,
};

const struct sepx__cross_ops sepx__cross_matched = {
    .info = {"matched", "entry by entry, nodes matched by an optimal map"},
    .align = align_optimally,
    .take = take_by_coin,
    .take_hunks = sepx__hunks_take_by_coin,
};

const struct sepx__cross_ops sepx__cross_sep = {
    .info = {"sep", "half of the shortest edit path between the parents"},
    .align = align_optimally,
    .take = take_half,
    .take_hunks = sepx__hunks_take,
};
