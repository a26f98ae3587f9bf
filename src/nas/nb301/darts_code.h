/* SPDX-License-Identifier: Apache-2.0 */
/* DARTS cells as the surrogates of NAS-Bench-301 code them. */
#ifndef SEPX_EVAL_DARTS_CODE_H
#define SEPX_EVAL_DARTS_CODE_H

#include "eval/internal.h"

#define SEPX__DARTS_EDGES 14 /* places of an input in one cell */
#define SEPX__DARTS_NODES 3  /* inner nodes that have a choice of inputs */
#define SEPX__DARTS_NONE -1

/* Of the normal and the reduction cell. */
struct sepx__darts_code {
    /* Nodes 2 to 5 take 2, 3, 4 and 5 places; the operation by its number
     * in the space, or SEPX__DARTS_NONE. */
    int edge[2][SEPX__DARTS_EDGES];
    /* Of nodes 3, 4 and 5: the rank of the two sources among all pairs, in
     * the order 0-1, 0-2, ..., 1-2, ... */
    int inputs[2][SEPX__DARTS_NODES];
};

/* SEPX_EINVAL if the graph is not one of the space "darts". */
SEPX_CHECKED enum sepx_err sepx__darts_code(struct sepx__darts_code *code,
                                            const struct sepx_space *space,
                                            const struct sepx_graph *graph);

#endif
