/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A population with several objectives: who enters, who leaves, who is the
 * better parent (NSGA-II, one child at a time).
 */
#ifndef SEPX_SEARCH_CROWD_H
#define SEPX_SEARCH_CROWD_H

#include "search/front/ranking.h"
#include "search/internal.h"

/* {0} is empty. Members have places from 0 on; their graphs are elsewhere. */
struct sepx__crowd {
    struct sepx_merit *merit;
    uint32_t *rank;
    double *crowding;
    uint32_t *age; /* the number of its entry; greater: younger */
    size_t merit_room, rank_room, crowding_room, age_room;
    struct sepx__front front;
    uint32_t count, entered;
};

void sepx__crowd_release(struct sepx__crowd *crowd);
/*
 * A new one of at most `most`. *place is where it goes, whoever was there
 * before; UINT32_MAX: it is the one to leave.
 */
SEPX_CHECKED enum sepx_err
sepx__crowd_enter(struct sepx__crowd *crowd, uint32_t *place,
                  const struct sepx_merit *merit, uint32_t most);
/* Whether the one at `a` is the better parent. */
bool sepx__crowd_beats(const struct sepx__crowd *crowd, uint32_t a, uint32_t b);

#endif
