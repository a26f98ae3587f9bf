/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks and crowding for methods that sort a population again and again. */
#ifndef SEPX_SEARCH_FRONT_H
#define SEPX_SEARCH_FRONT_H

#include "base/internal.h"
#include "sepx/front.h"

/* A coordinate and whose it is. */
struct sepx__place {
    double value;
    size_t at;
};

/* Room for sorting; {0} is empty. */
struct sepx__front {
    uint32_t *worse; /* for each, how many unranked ones are better */
    struct sepx__place *place;
    size_t worse_room, place_room;
};

void sepx__front_release(struct sepx__front *front);
/* sepx_front_sort() with the caller's working memory. */
SEPX_CHECKED enum sepx_err
sepx__front_sort(struct sepx__front *front, uint32_t *rank, double *crowding,
                 const struct sepx_merit *merit, size_t count);

#endif
