/* SPDX-License-Identifier: Apache-2.0 */
/* Fronts from their definitions, for a few points. */
#ifndef SEPX_TESTS_ORACLE_FRONT_H
#define SEPX_TESTS_ORACLE_FRONT_H

#include "sepx/front.h"

/* The longest chain of ever better ones that begins at `at`. */
uint32_t oracle_front_rank(const struct sepx_merit *merit, size_t count,
                           size_t at);
/*
 * The volume of a union of boxes by inclusion and exclusion: 2^count terms,
 * at most 20 points.
 */
double oracle_front_volume(const double *point, size_t count, uint32_t n,
                           const double *reference);

#endif
