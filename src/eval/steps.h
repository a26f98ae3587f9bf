/* SPDX-License-Identifier: Apache-2.0 */
/* Intermediate values that a program reports while it runs. */
#ifndef SEPX_EVAL_STEPS_H
#define SEPX_EVAL_STEPS_H

#include "eval/internal.h"

/* What is done with one line after the other. */
struct sepx__step_reader {
    const struct sepx_eval_job *job;
    const char *const *name; /* of numbers; the first stands for "score" */
    double sign;
    double best; /* so far; NaN: none */
    bool pruned;
    char why[160]; /* if so */
    enum sepx_err err;
};

/*
 * A whole line of the output; true: the program is to be ended, because of
 * the job's limits or for want of memory. Lines that are no step are passed
 * over.
 */
bool sepx__step_line(void *reader, const char *line, size_t len);

#endif
