/* SPDX-License-Identifier: Apache-2.0 */
#include "search/front/crowd.h"

void
sepx__crowd_release(struct sepx__crowd *crowd)
{
    sepx__free(crowd->merit);
    sepx__free(crowd->rank);
    sepx__free(crowd->crowding);
    sepx__free(crowd->age);
    sepx__front_release(&crowd->front);
    *crowd = (struct sepx__crowd){0};
}

static enum sepx_err
grow(struct sepx__crowd *crowd, size_t need)
{
    enum sepx_err err = sepx__grow((void **)&crowd->merit, &crowd->merit_room,
                                   need, sizeof *crowd->merit);

    if (!err)
        err = sepx__grow((void **)&crowd->rank, &crowd->rank_room, need,
                         sizeof *crowd->rank);
    if (!err)
        err = sepx__grow((void **)&crowd->crowding, &crowd->crowding_room, need,
                         sizeof *crowd->crowding);
    if (!err)
        err = sepx__grow((void **)&crowd->age, &crowd->age_room, need,
                         sizeof *crowd->age);
    return err;
}

/* Rank, then room around it, then youth. */
bool
sepx__crowd_beats(const struct sepx__crowd *crowd, uint32_t a, uint32_t b)
{
    if (crowd->rank[a] != crowd->rank[b])
        return crowd->rank[a] < crowd->rank[b];
    if (crowd->crowding[a] != crowd->crowding[b])
        return crowd->crowding[a] > crowd->crowding[b];
    return crowd->age[a] > crowd->age[b];
}

enum sepx_err
sepx__crowd_enter(struct sepx__crowd *crowd, uint32_t *place,
                  const struct sepx_merit *merit, uint32_t most)
{
    uint32_t last = crowd->count, worst = last;
    enum sepx_err err = grow(crowd, (size_t)last + 1);

    if (err)
        return err;
    crowd->merit[last] = *merit;
    crowd->age[last] = crowd->entered++;
    err = sepx__front_sort(&crowd->front, crowd->rank, crowd->crowding,
                           crowd->merit, (size_t)last + 1);
    if (err)
        return err;
    *place = last;
    if (last < most) {
        crowd->count++;
        return SEPX_OK;
    }
    for (uint32_t i = 0; i < last; i++) {
        if (sepx__crowd_beats(crowd, worst, i))
            worst = i;
    }
    *place = worst == last ? UINT32_MAX : worst;
    crowd->merit[worst] = crowd->merit[last];
    crowd->rank[worst] = crowd->rank[last];
    crowd->crowding[worst] = crowd->crowding[last];
    crowd->age[worst] = crowd->age[last];
    return SEPX_OK;
}
