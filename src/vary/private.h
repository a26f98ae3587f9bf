/* SPDX-License-Identifier: Apache-2.0 */
/* Crossover, beyond the public header. */
#ifndef SEPX_VARY_PRIVATE_H
#define SEPX_VARY_PRIVATE_H

#include "sepx/vary.h"
#include "space/private.h"

void sepx_cross_counts_add(struct sepx_cross_counts *sum,
                           const struct sepx_cross_counts *more);
/*
 * Another context of the same operator, space and rules, for another thread.
 * What is only read they share (the table of `path`, which takes a second to
 * make), so `cross` must outlive the copy.
 */
SEPX_CHECKED enum sepx_err sepx_cross_copy(struct sepx_cross **copy,
                                           const struct sepx_cross *cross);
/*
 * One raw draw, before the pipeline: what the operator itself does. As
 * above otherwise. For tests and theory. SEPX_EUNSUPPORTED if the operator
 * knows no edits.
 */
SEPX_CHECKED enum sepx_err
sepx_cross_draw(struct sepx_cross *cross, struct sepx_graph *raw,
                const struct sepx_graph *first, const struct sepx_graph *second,
                struct sepx_rng *rng, struct sepx_explain *explain);

#endif
