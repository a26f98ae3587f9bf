/* SPDX-License-Identifier: Apache-2.0 */
/* What the embedded model of NAS-Bench-101 sees of a cell. */
#ifndef SEPX_DATA_NB101_FEATURES_H
#define SEPX_DATA_NB101_FEATURES_H

#include "sepx/nb101.h"
#include "space/private.h"

#define SEPX__NB101_PATHS 364 /* sequences of at most 5 of 3 operations */
#define SEPX__NB101_SHAPES 157
#define SEPX__NB101_FEATURES (SEPX__NB101_SHAPES + SEPX__NB101_PATHS)

/*
 * Counts and extremes that are the same for isomorphic cells, all integers,
 * so that every compiler gives the same ones. All nodes must be live.
 */
void sepx__nb101_features(uint8_t feature[SEPX__NB101_FEATURES],
                          const struct sepx_nb101_cell *cell);

#endif
