/* SPDX-License-Identifier: Apache-2.0 */
/* Who is better with several objectives: ranks, crowding, the front. */
#include "search/front/ranking.h"

#include <math.h>
#include <stdlib.h>

int
sepx_merit_compare(const struct sepx_merit *a, const struct sepx_merit *b)
{
    bool less = false, more = false;

    if (a->violation != b->violation)
        return a->violation < b->violation ? -1 : 1;
    for (uint32_t i = 0; i < a->count; i++) {
        less = less || a->objective[i] < b->objective[i];
        more = more || a->objective[i] > b->objective[i];
    }
    return (int)more - (int)less;
}

void
sepx__front_release(struct sepx__front *front)
{
    sepx__free(front->worse);
    sepx__free(front->place);
    *front = (struct sepx__front){0};
}

/* ---- ranks ---- */

#define UNRANKED UINT32_MAX

static void
count_betters(uint32_t *worse, const struct sepx_merit *merit, size_t count)
{
    for (size_t i = 0; i < count; i++)
        worse[i] = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 1; j < count; j++) {
            int order = sepx_merit_compare(&merit[i], &merit[j]);

            worse[i] += order > 0;
            worse[j] += order < 0;
        }
    }
}

/* Those that nothing unranked is better than, and what they leave behind. */
static size_t
peel(uint32_t *worse, uint32_t *rank, uint32_t level,
     const struct sepx_merit *merit, size_t count)
{
    size_t found = 0;

    for (size_t i = 0; i < count; i++) {
        if (rank[i] == UNRANKED && !worse[i]) {
            rank[i] = level;
            found++;
        }
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; rank[i] == level && j < count; j++)
            worse[j] -= rank[j] == UNRANKED &&
                        sepx_merit_compare(&merit[i], &merit[j]) < 0;
    }
    return found;
}

/* ---- crowding ---- */

static int
by_value(const void *a, const void *b)
{
    const struct sepx__place *x = a, *y = b;

    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static void
crowd(struct sepx__place *place, size_t count, double *crowding)
{
    double range;

    qsort(place, count, sizeof *place, by_value);
    range = place[count - 1].value - place[0].value;
    crowding[place[0].at] = crowding[place[count - 1].at] = INFINITY;
    if (!(range > 0))
        return;
    for (size_t i = 1; i + 1 < count; i++)
        crowding[place[i].at] +=
            (place[i + 1].value - place[i - 1].value) / range;
}

static void
crowd_rank(struct sepx__place *place, const uint32_t *rank, uint32_t level,
           double *crowding, const struct sepx_merit *merit, size_t count)
{
    for (uint32_t k = 0; k < merit[0].count; k++) {
        size_t members = 0;

        for (size_t i = 0; i < count; i++) {
            if (rank[i] == level)
                place[members++] =
                    (struct sepx__place){merit[i].objective[k], i};
        }
        crowd(place, members, crowding);
    }
}

enum sepx_err
sepx__front_sort(struct sepx__front *front, uint32_t *rank, double *crowding,
                 const struct sepx_merit *merit, size_t count)
{
    size_t done = 0;
    enum sepx_err err = sepx__grow((void **)&front->worse, &front->worse_room,
                                   count, sizeof *front->worse);

    if (!err)
        err = sepx__grow((void **)&front->place, &front->place_room, count,
                         sizeof *front->place);
    if (err)
        return err;
    count_betters(front->worse, merit, count);
    for (size_t i = 0; i < count; i++) {
        rank[i] = UNRANKED;
        crowding[i] = 0;
    }
    for (uint32_t level = 0; done < count; level++) {
        done += peel(front->worse, rank, level, merit, count);
        crowd_rank(front->place, rank, level, crowding, merit, count);
    }
    return SEPX_OK;
}

enum sepx_err
sepx_front_sort(uint32_t *rank, double *crowding,
                const struct sepx_merit *merit, size_t count)
{
    struct sepx__front front = {0};
    enum sepx_err err = sepx__front_sort(&front, rank, crowding, merit, count);

    sepx__front_release(&front);
    return err;
}

/* ---- the front ---- */

static bool
equal(const struct sepx_merit *a, const struct sepx_merit *b)
{
    for (uint32_t i = 0; i < a->count; i++) {
        if (a->objective[i] != b->objective[i])
            return false;
    }
    return true;
}

/* By objectives, one after the other, then by place. */
static bool
comes_before(const struct sepx_merit *merit, size_t a, size_t b)
{
    for (uint32_t i = 0; i < merit[a].count; i++) {
        double x = merit[a].objective[i], y = merit[b].objective[i];

        if (x != y)
            return x < y;
    }
    return a < b;
}

/* Keep at[] sorted; what the new one beats goes. */
size_t
sepx_front_find(size_t *at, const struct sepx_merit *merit, size_t count)
{
    size_t found = 0;

    for (size_t i = 0; i < count; i++) {
        size_t kept = 0, to;
        bool good = merit[i].violation <= 0;

        for (size_t j = 0; j < found && good; j++)
            good = sepx_merit_compare(&merit[at[j]], &merit[i]) >= 0 &&
                   !equal(&merit[at[j]], &merit[i]);
        if (!good)
            continue;
        for (size_t j = 0; j < found; j++) {
            if (sepx_merit_compare(&merit[i], &merit[at[j]]) >= 0)
                at[kept++] = at[j];
        }
        for (to = kept; to && comes_before(merit, i, at[to - 1]); to--)
            at[to] = at[to - 1];
        at[to] = i;
        found = kept + 1;
    }
    return found;
}
