/* SPDX-License-Identifier: Apache-2.0 */
/* One regression tree, by trying every way to part the values. */
#ifndef SEPX_TESTS_ORACLE_FOREST_H
#define SEPX_TESTS_ORACLE_FOREST_H

#include <stdint.h>

/*
 * What the tree of all n rows (value is n x d) answers at `at`: splits need
 * `split` rows and leave `leaf` on each side, `depth` of them on a path.
 */
double oracle_tree(const uint16_t *value, const double *y, unsigned n,
                   unsigned d, const uint16_t *choices, unsigned split,
                   unsigned leaf, unsigned depth, const uint16_t *at);

#endif
