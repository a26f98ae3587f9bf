/* SPDX-License-Identifier: Apache-2.0 */
/* What a program printed, as a score. */
#ifndef SEPX_EVAL_ANSWER_H
#define SEPX_EVAL_ANSWER_H

#include "base/json.h"
#include "eval/internal.h"

/*
 * The last line that is not empty: a number, or a JSON object with "score"
 * and perhaps "test" and "cost". `score` gets them as they are; `test` is the
 * score and `cost` stays as it was if they are not there. `line` gets the
 * whole answer as an object on one line. `whole`: nothing is missing before
 * `output`. `name`, ended by NULL: members that have to be there, too, for
 * score->number; then "score" may be missing unless it is one of them. Other
 * members do not make it fail: `msg` then has "left out: NAME (WHY), ...", and
 * is empty if nothing is left out. Fails with SEPX_EDATA and the reason, or
 * with SEPX_ENOMEM.
 */
SEPX_CHECKED enum sepx_err
sepx__answer_read(struct sepx_score *score, struct sepx_text *line,
                  const char *const *name, const char *output, size_t len,
                  bool whole, struct sepx_msg *msg);

/*
 * Parse one value, in which NaN and infinities become null. `left` gets the
 * members of an object that have some, as "loss (NaN), history (inf)".
 */
SEPX_CHECKED enum sepx_err
sepx__answer_parse(struct sepx_json **root, struct sepx_text *left,
                   const char *text, size_t len, struct sepx_msg *msg);
/* Add a member to such a list. */
SEPX_CHECKED enum sepx_err sepx__answer_leave(struct sepx_text *left,
                                              const char *key, size_t key_len,
                                              const char *why, size_t why_len);

#endif
