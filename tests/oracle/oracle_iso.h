/* SPDX-License-Identifier: Apache-2.0 */
/* Isomorphism by trying every permutation: for a few nodes only. */
#ifndef SEPX_TESTS_ISO_H
#define SEPX_TESTS_ISO_H

#include "sepx/graph.h"

bool oracle_isomorphic(const struct sepx_graph *a, const struct sepx_graph *b);
/* Whether `map` (node of b for each of a) carries a onto b. Up to 512
 * nodes. */
bool oracle_is_isomorphism(const struct sepx_graph *a,
                           const struct sepx_graph *b, const uint32_t *map);

#endif
