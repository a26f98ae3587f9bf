/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluators, beyond the public header: what reports say of them. */
#ifndef SEPX_EVAL_PRIVATE_H
#define SEPX_EVAL_PRIVATE_H

#include "sepx/eval.h"
#include "space/private.h"

/* The best `test` there can be, or NaN if that is not known. */
double sepx_eval_optimum_test(const struct sepx_eval *eval);
/*
 * Where the scores come from if they are not exact, in a few words for
 * captions: "surrogate", "table, validation modelled". NULL: exact.
 */
const char *sepx_eval_source(const struct sepx_eval *eval);
/* Whether a graph is known to have one score, however often it is asked for. */
bool sepx_eval_exact(const struct sepx_eval *eval);
/* Whether graphs that differ in dead nodes alone may differ in score. */
bool sepx_eval_sees_dead(const struct sepx_eval *eval);
/* The same of a text to open; NULL, a function of the caller's: they may. */
bool sepx_eval_text_sees_dead(const char *text);
/*
 * The graph that distances are measured to, as sepx_space_plain() makes it.
 * It stays the evaluator's. NULL if there is none.
 */
const struct sepx_graph *sepx_eval_target(const struct sepx_eval *eval);
/*
 * The gist of `errors` for a person, into `size` bytes (at least 8) at
 * `line`: the reason, and the last line that the program wrote to its
 * standard error. Control characters and malformed UTF-8 become "?".
 */
void sepx_eval_error_line(char *line, size_t size, const char *errors);

#endif
