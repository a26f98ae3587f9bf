/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several objectives for a model of one score: at each proposal it is aimed
 * at another place of the front (ParEGO; Knowles 2006).
 */
#ifndef SEPX_SEARCH_AIM_H
#define SEPX_SEARCH_AIM_H

#include "search/models/surface.h"
#include "sepx/front.h"

/* The merits of graphs by their numbers; {0} is empty. */
struct sepx__aim {
    struct sepx_merit *merit; /* of count 0: not known */
    size_t count, room;
};

void sepx__aim_release(struct sepx__aim *aim);
SEPX_CHECKED enum sepx_err sepx__aim_tell(struct sepx__aim *aim,
                                          uint32_t number,
                                          const struct sepx_merit *merit);
/*
 * The score of each row that has one becomes the largest of its objectives'
 * weighted ranks among the rows, with a little of their sum; the weights are
 * drawn uniformly. What is not allowed comes behind all that is.
 */
void sepx__aim_take(const struct sepx__aim *aim, struct sepx__surface *surface,
                    struct sepx_rng *rng);

#endif
