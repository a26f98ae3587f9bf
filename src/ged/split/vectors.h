/* SPDX-License-Identifier: Apache-2.0 */
/* stars.c and leader.c are compiled twice; this gives each its names. */
#ifndef SEPX_GED_VECTORS_H
#define SEPX_GED_VECTORS_H

#include "ged/split/split.h"

#if defined(__AVX2__)
#include <immintrin.h>
#define WIDE(name) name##_avx2
#else
#define WIDE(name) name##_base
#endif

int32_t WIDE(sepx__stars_one)(struct ged_split *s, const int16_t *t, uint32_t i,
                              uint32_t k);
void WIDE(sepx__stars_value)(struct ged_split *s, struct split_state *st);
uint32_t WIDE(sepx__stars_choose)(struct ged_split *s,
                                  const struct split_state *st);

#endif
