/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs as a tree and as points, by their distances. */
#ifndef SEPX_CLI_GED_FAMILIES_H
#define SEPX_CLI_GED_FAMILIES_H

#include "frame/cli.h"

#define FAMILIES_MOST 2000

/*
 * An SVG picture of `count` named graphs, 1 to FAMILIES_MOST; distances are
 * symmetric, count * count of them. Takes time by the cube of the count.
 */
SEPX_CHECKED enum sepx_err families_draw(struct out *out, const char *title,
                                         char **name, const double *distance,
                                         size_t count);

#endif
