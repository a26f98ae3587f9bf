/* SPDX-License-Identifier: Apache-2.0 */
/* A model of what is not known of a cell whose mean test accuracy is. */
#ifndef SEPX_DATA_NB101_NOISE_H
#define SEPX_DATA_NB101_NOISE_H

#include "base/private.h"

#define SEPX__NB101_BUDGETS 4 /* 4, 12, 36 and 108 epochs, in this order */
#define SEPX__NB101_TRIALS 3

/* Of each budget, then trial. NaN: the model does not say. */
struct sepx__nb101_trials {
    double validation[SEPX__NB101_BUDGETS][SEPX__NB101_TRIALS]; /* 0 to 1 */
    double test[SEPX__NB101_BUDGETS][SEPX__NB101_TRIALS];       /* 0 to 1 */
    double seconds[SEPX__NB101_BUDGETS][SEPX__NB101_TRIALS]; /* of training */
};

/* Draw the trials of a cell of the given mean test accuracy, 0 to 1. */
void sepx__nb101_noise_draw(struct sepx__nb101_trials *out, double test_mean,
                            struct sepx_rng *rng);
/*
 * Without noise: the test accuracy at the last budget, at others the median
 * validation accuracy of cells with this test accuracy.
 */
double sepx__nb101_noise_free(double test_mean, unsigned budget);
/* The least budget for at least this share of a full evaluation. */
unsigned sepx__nb101_budget(double fidelity);

#endif
