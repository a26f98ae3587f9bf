/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Distance by pricing every node map, and every matching of the edges between
 * two nodes: for a few nodes and a few parallel edges only.
 */
#ifndef SEPX_TESTS_GED_H
#define SEPX_TESTS_GED_H

#include "sepx/ged.h"

#define ORACLE_NODES 7

/* The distance, and (if not NULL) how many maps have it. */
double oracle_ged(const struct sepx_graph *a, const struct sepx_graph *b,
                  const struct sepx_ged_options *options, uint64_t *maps);
/* The same with costs by node and edge instead of by label. */
double oracle_ged_pair(const struct sepx_graph *a, const struct sepx_graph *b,
                       const struct sepx_ged_options *options,
                       const struct sepx_pair_costs *costs, uint64_t *maps);

#endif
