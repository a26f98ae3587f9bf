/* SPDX-License-Identifier: Apache-2.0 */
/* What SMAC knows: every vector that it met, with its results. */
#ifndef SEPX_SEARCH_SMAC_H
#define SEPX_SEARCH_SMAC_H

#include "search/internal.h"

#define SEPX__REPEATS_MAX 16

struct sepx__entry {
    uint32_t asked, told; /* runs handed out; answered */
    uint32_t list;        /* the last list of candidates that had it */
    bool racing;
    int64_t trial;                  /* its first; -1: none, it is no graph */
    double cost[SEPX__REPEATS_MAX]; /* INFINITY: failed, or no graph */
};

/* {0} is empty but for `variables`; sepx__vectors_release() ends it. */
struct sepx__vectors {
    uint32_t variables;
    uint16_t *value; /* count x variables */
    struct sepx__entry *entry;
    uint32_t *slot; /* hash table: entry + 1 */
    uint32_t count, slots;
    size_t value_room, entry_room;
    uint32_t *which; /* by result: its entry */
    double *y;       /* its cost, failures as the worst so far */
    double *cost;    /* its cost */
    uint32_t results;
    size_t which_room, y_room, cost_room;
    double worst; /* cost so far; at least 1 */
};

/* The entry of a vector, a new one if it has none; *fresh tells. */
SEPX_CHECKED enum sepx_err sepx__vectors_find(struct sepx__vectors *vectors,
                                              uint32_t *entry, bool *fresh,
                                              const uint16_t *value);
/* A result of an entry; NaN or INFINITY: it failed. */
SEPX_CHECKED enum sepx_err sepx__vectors_tell(struct sepx__vectors *vectors,
                                              uint32_t entry, double cost);
/* vectors->y is up to date from here to the next result. */
void sepx__vectors_fill(struct sepx__vectors *vectors);
/* The mean of an entry's first `runs` results. */
double sepx__vectors_mean(const struct sepx__vectors *vectors, uint32_t entry,
                          uint32_t runs);
void sepx__vectors_release(struct sepx__vectors *vectors);

#endif
