/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The graphs of a run that share its lowest score: which of them is the
 * incumbent may change as they are scored again (rule `ties`).
 */
#ifndef SEPX_RUN_TIES_H
#define SEPX_RUN_TIES_H

#include "run/private.h"

#define SEPX__TIES_MAX 16 /* beyond them the first ones stay */

struct sepx__tie {
    uint32_t trial;
    double test;
    struct sepx_graph graph;
};

/* {0} is empty; sepx__ties_release() ends it. */
struct sepx__ties {
    struct sepx__tie row[SEPX__TIES_MAX];
    uint32_t count;
};

void sepx__ties_release(struct sepx__ties *ties);
/*
 * A scored trial of the run, which `run` has noted and `search` was told.
 * Sets the incumbent of the run, and what is reported of it.
 */
SEPX_CHECKED enum sepx_err
sepx__ties_note(struct sepx__ties *ties, struct sepx_run *run,
                const struct sepx_search *search, const struct sepx_ask *ask,
                const struct sepx_score *score);

#endif
