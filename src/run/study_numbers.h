/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of several objectives and constraints, in scores and in the log. */
#ifndef SEPX_RUN_NUMBERS_H
#define SEPX_RUN_NUMBERS_H

#include "base/internal.h"
#include "sepx/study.h"

_Static_assert(SEPX_GOALS_MAX <= SEPX_NUMBERS_MAX, "a number for each name");

/*
 * Of a score with the numbers of the goals, if there are any: value and test
 * are the first objective, smaller being better. Without one of the numbers
 * the graph is unfit.
 */
void sepx__numbers_finish(const struct sepx_goals *goals,
                          struct sepx_score *score);
/* For the log; nothing if there are no goals or no score. */
SEPX_CHECKED enum sepx_err sepx__numbers_write(struct sepx_text *text,
                                               const struct sepx_goals *goals,
                                               const struct sepx_score *score);

#endif
