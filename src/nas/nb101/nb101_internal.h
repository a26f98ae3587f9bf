/* SPDX-License-Identifier: Apache-2.0 */
/* What the files about NAS-Bench-101 share. */
#ifndef SEPX_NB101_INTERNAL_H
#define SEPX_NB101_INTERNAL_H

#include "space/internal.h"
#include "sepx/nb101.h"

/* Node labels; operations as in enum sepx_nb101_op, from CONV3 on. */
enum { INPUT = 1, OUTPUT, CONV3, CONV1, POOL };

/*
 * The hashes of `count` (up to SEPX__MD5_LANES) cells that have the same
 * edges.
 */
void sepx__nb101_hashes(unsigned char (*hash)[16],
                        const struct sepx_nb101_cell *cell, unsigned count);

/* The space as a file of the JSON language. */
extern const char sepx__nb101_file[];

#endif
