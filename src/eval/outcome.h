/* SPDX-License-Identifier: Apache-2.0 */
/* From a program's end to an outcome. */
#ifndef SEPX_EVAL_OUTCOME_H
#define SEPX_EVAL_OUTCOME_H

#include "eval/internal.h"
#include "program/program.h"

/* What messages speak of. */
struct sepx__outcome_terms {
    const char *path; /* of the program */
    const struct sepx_eval_settings *settings;
    const char *const *name; /* of numbers that are wanted, ended by NULL */
    const char *pruned;      /* why it was ended early; NULL: it was not */
};

/*
 * `score` gets the outcome and the answer as it is; `output`, unless NULL,
 * what was said, in the place of what they hold; `again` whether another try
 * could come out better. Fails with SEPX_ENOMEM.
 */
SEPX_CHECKED enum sepx_err
sepx__outcome_decide(const struct sepx__outcome_terms *terms,
                     struct sepx_score *score, struct sepx_eval_output *output,
                     bool *again, const struct sepx__program *program);

#endif
