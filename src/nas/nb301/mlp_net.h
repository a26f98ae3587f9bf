/* SPDX-License-Identifier: Apache-2.0 */
/* The feed-forward surrogate of NAS-Bench-301 (YAHPO Gym). */
#ifndef SEPX_EVAL_MLP_NET_H
#define SEPX_EVAL_MLP_NET_H

#include "base/internal.h"

#define SEPX__MLP_CODES 34

struct sepx__mlp;

/*
 * Read the weights. SEPX_EDATA, with the offset and the value, if the file
 * is not as long as they are or holds a number that is none or absurd.
 */
SEPX_CHECKED enum sepx_err
sepx__mlp_read(struct sepx__mlp **mlp, const char *path, struct sepx_msg *msg);
/* The same from memory; `name` is for messages. */
SEPX_CHECKED enum sepx_err sepx__mlp_parse(struct sepx__mlp **mlp,
                                           const char *name, const void *bytes,
                                           size_t len, struct sepx_msg *msg);
void sepx__mlp_free(struct sepx__mlp *mlp);

/* How many values code `i` has: 0..choices-1. */
unsigned sepx__mlp_choices(unsigned i);
/* Validation accuracy in percent, and training time in seconds. */
void sepx__mlp_run(const struct sepx__mlp *mlp, double *accuracy,
                   double *seconds, const uint8_t code[SEPX__MLP_CODES],
                   double epoch);

#endif
