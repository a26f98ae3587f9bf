/* SPDX-License-Identifier: Apache-2.0 */
/* Which vectors promise most: expected improvement, and where it is high. */
#ifndef SEPX_SEARCH_ACQUIRE_H
#define SEPX_SEARCH_ACQUIRE_H

#include "search/models/forest.h"

/* Of a normal score below `best`; a variance counts as 1e-10 at least. */
double sepx__expected_improvement(double mean, double variance, double best);

struct sepx__acquire_rules {
    uint32_t searches; /* local ones, from the most promising known vectors */
    uint32_t plateau;  /* steps of each to an equally good neighbour */
    uint32_t random;   /* vectors drawn besides */
    struct sepx_stop stop;
};

struct sepx__candidate {
    double promise;
    uint32_t at; /* its vector, in `value` */
};

/* {0} is empty; sepx__acquire_release() ends it. */
struct sepx__acquire {
    struct sepx__candidate *candidate; /* the most promising first */
    uint16_t *value;                   /* count x variables */
    size_t count, candidate_room, value_room;
    uint16_t *near; /* for searching */
    uint32_t *move; /* likewise: variable and step, 16 bits each */
    uint32_t *first;
    struct sepx__candidate *start;
    size_t near_room, move_room, first_room, start_room;
};

/*
 * List candidates under `forest`. known[n x variables] are vectors to start
 * from; `best` is what is to be improved.
 */
SEPX_CHECKED enum sepx_err
sepx__acquire_list(struct sepx__acquire *list,
                   const struct sepx__forest *forest, const uint16_t *choices,
                   const uint16_t *known, uint32_t n, double best,
                   const struct sepx__acquire_rules *rules,
                   struct sepx_rng *rng);
void sepx__acquire_release(struct sepx__acquire *list);

#endif
