/* SPDX-License-Identifier: Apache-2.0 */
/* Cells of NAS-Bench-101 as sets of paths. */
#ifndef SEPX_NB101_ENCODING_H
#define SEPX_NB101_ENCODING_H

#include "base/internal.h"
#include "sepx/nb101.h"
#include "space/private.h"

#define SEPX__PATHS 364 /* 3^0 + ... + 3^5 */

/*
 * Bit k: the cell has path k, the sum over its nodes i = 0, 1, ... from the
 * input of 3^i (operation + 1); 0 is the edge from input to output.
 */
struct sepx__path_set {
    uint64_t bits[(SEPX__PATHS + 63) / 64];
};

void sepx__path_set_of(struct sepx__path_set *set,
                       const struct sepx_nb101_cell *cell);

/* All cells by their path sets. Never changes, so threads may share it. */
struct sepx__path_table;

SEPX_CHECKED enum sepx_err
sepx__path_table_new(struct sepx__path_table **table);
void sepx__path_table_free(struct sepx__path_table *table);

/* How many cells have exactly these paths, and the k-th of them by row. */
uint32_t sepx__path_table_count(const struct sepx__path_table *table,
                                const struct sepx__path_set *set,
                                uint32_t *first);
void sepx__path_table_get(const struct sepx__path_table *table,
                          struct sepx_nb101_cell *cell, uint32_t at);

#endif
