/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scoring good graphs again, so that luck does not win: the rules `repeat`
 * and `scores`.
 */
#ifndef SEPX_SEARCH_AGAIN_H
#define SEPX_SEARCH_AGAIN_H

#include "search/internal.h"

#define SEPX__AGAIN_ROWS 64

struct sepx__again_row {
    uint32_t number; /* in the history */
    uint32_t trial;  /* the first that scored this very graph */
    double score;    /* its score */
    struct sepx_graph graph;
};

/* {0} is empty; sepx__again_release() ends it. */
struct sepx__again {
    struct sepx__again_row row[SEPX__AGAIN_ROWS]; /* of the best means */
    uint32_t count;
    uint64_t turn;
    uint32_t equal; /* repeats that changed nothing */
    bool noisy;     /* one did */
};

void sepx__again_release(struct sepx__again *again);

/*
 * Fill `next` with a graph to score again, as operator `op`, if it is time
 * for it; *found tells.
 */
SEPX_CHECKED enum sepx_err
sepx__again_ask(struct sepx__again *again, const struct sepx__search_env *env,
                struct sepx_ask *next, uint32_t op, bool *found);
/* Any score, of operator `op` or another; the history knows it already. */
SEPX_CHECKED enum sepx_err
sepx__again_tell(struct sepx__again *again, const struct sepx__search_env *env,
                 const struct sepx_ask *asked, uint32_t op, double score);
/* Whether repeats showed that scores have no noise. */
bool sepx__again_exact(const struct sepx__again *again);

#endif
