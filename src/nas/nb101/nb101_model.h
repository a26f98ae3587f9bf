/* SPDX-License-Identifier: Apache-2.0 */
/* The embedded model of NAS-Bench-101; docs/models.md says how good it is. */
#ifndef SEPX_DATA_NB101_MODEL_H
#define SEPX_DATA_NB101_MODEL_H

#include "sepx/nb101.h"
#include "space/private.h"

/*
 * The modelled mean test accuracy, 0 to 1, a multiple of 1e-7; the same with
 * every compiler. All nodes must be live. A few microseconds.
 */
double sepx__nb101_model(const struct sepx_nb101_cell *cell);
/* The largest over all cells. */
double sepx__nb101_model_best(void);

#endif
