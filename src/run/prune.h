/* SPDX-License-Identifier: Apache-2.0 */
/* The median rule: which intermediate values are bad enough to stop a trial. */
#ifndef SEPX_RUN_PRUNE_H
#define SEPX_RUN_PRUNE_H

#include "base/internal.h"
#include "sepx/eval.h"

/* Trials with a score that must have reported a step before it has a limit. */
#define SEPX__PRUNE_LEAST 5

/*
 * The median at each step of `count` trials' steps, where at least
 * SEPX__PRUNE_LEAST of them reported it; `limit` is empty before.
 */
SEPX_CHECKED enum sepx_err
sepx__prune_limits(struct sepx_eval_steps *limit,
                   const struct sepx_eval_steps *const *steps, size_t count);
/* How many steps it takes until the limits end it; 0: they do not. */
size_t sepx__prune_at(const struct sepx_eval_steps *limit,
                      const struct sepx_eval_steps *steps);
/* As text of the log, and back; nothing if there are none. */
SEPX_CHECKED enum sepx_err
sepx__steps_write(struct sepx_text *text, const struct sepx_eval_steps *steps);
/* SEPX_EDATA unless steps ascend and values are finite. */
SEPX_CHECKED enum sepx_err sepx__steps_read(struct sepx_eval_steps *steps,
                                            const char *text);

#endif
