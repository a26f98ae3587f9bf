/* SPDX-License-Identifier: Apache-2.0 */
/* All optimal maps: the same search once more, with the distance as cap. */
#include <string.h>

#include "ged/internal.h"

/* ---- visiting ---- */

struct counter {
    uint64_t count;
    bool ended; /* by the visitor */
    bool (*visit)(void *context, const int16_t *map);
    void *context;
};

static bool
count_map(void *context, const int16_t *map)
{
    struct counter *c = context;

    c->count++;
    c->ended = c->visit && !c->visit(c->context, map);
    return !c->ended;
}

enum sepx_err
sepx_ged_optima(struct sepx_ged *ged, uint64_t *count,
                const struct sepx_ged_graph *a, const struct sepx_ged_graph *b,
                const struct sepx_ged_limits *limits,
                bool (*visit)(void *context, const int16_t *map), void *context)
{
    struct counter counter = {.visit = visit, .context = context};
    struct sepx_ged_result result;
    enum sepx_err err = sepx_ged_run(ged, &result, a, b, limits);

    *count = 0;
    if (!err && !result.exact)
        err = result.stopped ? SEPX_ESTOPPED : SEPX_ELIMIT;
    if (!err)
        err = sepx__ged_visit(ged, a, b, limits, count_map, &counter);
    *count = counter.count;
    return err == SEPX_ELIMIT && counter.ended ? SEPX_OK : err;
}

/* ---- drawing one ---- */

struct drawer {
    struct sepx_rng *rng;
    uint64_t seen, most;
    uint32_t n;
    int16_t *map; /* each of the maps seen so far with equal chance */
};

static bool
draw_map(void *context, const int16_t *map)
{
    struct drawer *d = context;
    const uint64_t seen = ++d->seen;

    if (seen <= UINT32_MAX && !sepx_rng_below(d->rng, (uint32_t)seen))
        memcpy(d->map, map, d->n * sizeof *map);
    return seen != d->most;
}

enum sepx_err
sepx_ged_random(struct sepx_ged *ged, struct sepx_ged_result *result,
                const struct sepx_ged_graph *a, const struct sepx_ged_graph *b,
                const struct sepx_ged_limits *limits, uint64_t most,
                struct sepx_rng *rng)
{
    struct drawer drawer = {.rng = rng, .most = most, .n = a->n};
    enum sepx_err err;

    if (sepx__ged_draw_tiny(ged, result, a, b, rng, &err))
        return err;
    err = sepx__grow((void **)&ged->draw, &ged->draw_room, a->n + 1,
                     sizeof *ged->draw);
    if (!err)
        err = sepx_ged_run(ged, result, a, b, limits);
    if (!err && result->stopped)
        err = SEPX_ESTOPPED;
    if (err || !result->exact)
        return err;
    drawer.map = ged->draw;
    memcpy(ged->draw, result->map, a->n * sizeof *ged->draw);
    err = sepx__ged_visit(ged, a, b, limits, draw_map, &drawer);
    if (err == SEPX_ELIMIT)
        err = SEPX_OK;
    result->map = ged->draw;
    return err;
}
