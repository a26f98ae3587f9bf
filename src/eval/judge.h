/* SPDX-License-Identifier: Apache-2.0 */
/* From a program's end to an outcome. */
#ifndef SEPX_EVAL_JUDGE_H
#define SEPX_EVAL_JUDGE_H

#include "eval/internal.h"
#include "eval/program.h"

/* What messages speak of. */
struct sepx__judge {
    const char *path; /* of the program */
    const struct sepx_eval_settings *settings;
};

/*
 * `score` gets the outcome and the answer as it is; `words`, unless NULL,
 * what was said, in the place of what they hold; `again` whether another try
 * could come out better. Fails with SEPX_ENOMEM.
 */
SEPX_CHECKED enum sepx_err
sepx__judge(const struct sepx__judge *judge, struct sepx_score *score,
            struct sepx_eval_words *words, bool *again,
            const struct sepx__program *program);

#endif
