/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of BOHB: brackets of successive halving, and the model. */
#ifndef SEPX_SEARCH_BOHB_H
#define SEPX_SEARCH_BOHB_H

#include "search/internal.h"
#include "search/models/kde.h"

#define SEPX__RUNGS_MAX 8

struct sepx__bohb_settings {
    uint32_t eta, rungs, samples, good;
    double random, bandwidth;
};

/* ---- the schedule ---- */

/*
 * Bracket `number` (0, 1, ... without end) has `rungs` of successive halving,
 * the last at the full budget; their sizes into size[].
 */
uint32_t sepx__bracket_rungs(const struct sepx__bohb_settings *set,
                             uint32_t number, uint32_t size[SEPX__RUNGS_MAX]);
/* eta^-(rungs - 1 - level): the share of a full evaluation. */
double sepx__bracket_fidelity(const struct sepx__bohb_settings *set,
                              uint32_t level);

/* ---- the model ---- */

/* Results at one budget. */
struct sepx__pile {
    uint16_t *value; /* count x variables */
    double *loss;
    uint32_t *order; /* by loss, the earlier first among equals */
    size_t count, room_value, room_loss, room_order;
};

/* {0} is empty; sepx__model_release() ends it. */
struct sepx__model {
    const struct sepx__bohb_settings *set;
    struct sepx__code code;
    struct sepx__pile pile[SEPX__RUNGS_MAX];
    int level; /* of the largest budget that has a model; -1: none */
    bool stale;
    size_t n_good, n_bad;
    struct sepx__kde good, bad;
    uint16_t *draw, *word; /* for drawing */
};

SEPX_CHECKED enum sepx_err
sepx__model_init(struct sepx__model *model, const struct sepx_space *space,
                 const struct sepx__bohb_settings *set);
void sepx__model_release(struct sepx__model *model);

/* A result; ignored if a larger budget has a model. */
SEPX_CHECKED enum sepx_err sepx__model_tell(struct sepx__model *model,
                                            uint32_t level,
                                            const uint16_t *value, double loss);
/* The best of some vectors drawn near good ones. There must be a model. */
SEPX_CHECKED enum sepx_err sepx__model_propose(struct sepx__model *model,
                                               uint16_t *value,
                                               struct sepx_rng *rng);

#endif
