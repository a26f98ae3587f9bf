/* SPDX-License-Identifier: Apache-2.0 */
/* What evaluators with modelled noise share. */
#ifndef SEPX_EVAL_NOISE_H
#define SEPX_EVAL_NOISE_H

#include "eval/internal.h"

/* An argument "PLACE[,noise=no][,spread=X]". {0} is empty. */
struct sepx__noise_argument {
    char *place; /* a file or folder, or "" */
    bool noise;
    double spread; /* NaN unless given */
};

/* SEPX_EINVAL, with `msg`, for a bad value. */
SEPX_CHECKED enum sepx_err
sepx__noise_argument_parse(struct sepx__noise_argument *out, const char *text,
                           struct sepx_msg *msg);
void sepx__noise_argument_release(struct sepx__noise_argument *argument);

/* SEPX_EINVAL, with `msg`, unless the space has this name. */
SEPX_CHECKED enum sepx_err
sepx__eval_needs_space(const struct sepx_space *space, const char *eval,
                       const char *name, struct sepx_msg *msg);

/* A worker that needs nothing but what all threads share. */
struct sepx__plain_worker {
    const void *shared;
};

SEPX_CHECKED enum sepx_err sepx__plain_start(void *worker, const void *shared,
                                             struct sepx_msg *msg);
void sepx__plain_stop(void *worker);
const void *sepx__plain_shared(const void *worker);
/* What captions say of a surrogate's scores. */
const char *sepx__surrogate_source(const void *state);

/* The stream of one evaluation. */
void sepx__noise_stream(struct sepx_rng *rng, const struct sepx_eval_job *job);

#endif
