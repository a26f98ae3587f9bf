/* SPDX-License-Identifier: Apache-2.0 */
#include "search/aim.h"

#include <math.h>

#include "base/internal.h"

#define SUM_SHARE 0.05 /* of the sum, so that no objective is forgotten */

void
sepx__aim_release(struct sepx__aim *aim)
{
    sepx__free(aim->merit);
    *aim = (struct sepx__aim){0};
}

enum sepx_err
sepx__aim_tell(struct sepx__aim *aim, uint32_t number,
               const struct sepx_merit *merit)
{
    enum sepx_err err = sepx__grow((void **)&aim->merit, &aim->room,
                                   (size_t)number + 1, sizeof *aim->merit);

    if (err)
        return err;
    for (; aim->count <= number; aim->count++)
        aim->merit[aim->count] = (struct sepx_merit){0};
    aim->merit[number] = *merit;
    return SEPX_OK;
}

/* Uniform on the simplex: the gaps between sorted uniform numbers. */
static void
draw_weights(double *weight, uint32_t count, struct sepx_rng *rng)
{
    double before = 0;

    for (uint32_t i = 0; i + 1 < count; i++) {
        double cut = sepx_rng_unit(rng);
        uint32_t to = i;

        for (; to && weight[to - 1] > cut; to--)
            weight[to] = weight[to - 1];
        weight[to] = cut;
    }
    weight[count - 1] = 1;
    for (uint32_t i = 0; i < count; i++) {
        double cut = weight[i];

        weight[i] = cut - before;
        before = cut;
    }
}

static const struct sepx_merit *
merit_of(const struct sepx__aim *aim, const struct sepx__surface_row *row)
{
    const struct sepx_merit *merit = row->count && row->number < aim->count
                                         ? &aim->merit[row->number]
                                         : NULL;

    return merit && merit->count ? merit : NULL;
}

/* The share of rows that are better in objective k. */
static double
rank_of(const struct sepx__aim *aim, const struct sepx__surface *surface,
        double value, uint32_t k)
{
    uint32_t better = 0;

    for (uint32_t i = 0; i < surface->count; i++) {
        const struct sepx_merit *merit = merit_of(aim, &surface->row[i]);

        better += merit && merit->objective[k] < value;
    }
    return (double)better / surface->count;
}

static double
score_of(const struct sepx__aim *aim, const struct sepx__surface *surface,
         const struct sepx_merit *merit, const double *weight)
{
    double most = 0, sum = 0;

    if (merit->violation > 0)
        return 2 + merit->violation;
    for (uint32_t k = 0; k < merit->count; k++) {
        double part = weight[k] * rank_of(aim, surface, merit->objective[k], k);

        most = part > most ? part : most;
        sum += part;
    }
    return most + SUM_SHARE * sum;
}

void
sepx__aim_take(const struct sepx__aim *aim, struct sepx__surface *surface,
               struct sepx_rng *rng)
{
    double weight[SEPX_GOALS_MAX];
    bool drawn = false;

    for (uint32_t i = 0; i < surface->count; i++) {
        const struct sepx_merit *merit = merit_of(aim, &surface->row[i]);

        if (!merit)
            continue;
        if (!drawn)
            draw_weights(weight, merit->count, rng);
        drawn = true;
        surface->row[i].score = score_of(aim, surface, merit, weight);
    }
    surface->stale = surface->stale || drawn;
}
