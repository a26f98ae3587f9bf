/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of several objectives and constraints, in scores and in the log. */
#include "run/private.h"

#include "run/study_numbers.h"

#include <math.h>
#include <string.h>

#include "base/json.h"

void
sepx__numbers_finish(const struct sepx_goals *goals, struct sepx_score *score)
{
    struct sepx_merit merit;

    for (uint32_t i = 0; i < goals->names; i++) {
        if (score->outcome == SEPX_SCORED && !isfinite(score->number[i]))
            score->outcome = SEPX_UNFIT;
    }
    if (!goals->names || score->outcome != SEPX_SCORED)
        return;
    sepx_goals_merit(goals, &merit, score->number);
    score->value = score->test = merit.objective[0];
}

enum sepx_err
sepx__numbers_write(struct sepx_text *text, const struct sepx_goals *goals,
                    const struct sepx_score *score)
{
    struct sepx_json_writer w;

    if (!goals->names || score->outcome != SEPX_SCORED)
        return SEPX_OK;
    sepx_json_begin(&w, text);
    sepx_json_open(&w, '[');
    for (uint32_t i = 0; i < goals->names; i++)
        sepx_json_put_number(&w, score->number[i]);
    sepx_json_close(&w, ']');
    return sepx_json_done(&w);
}

enum sepx_err
sepx_study_numbers(const struct sepx_goals *goals, double *number,
                   const char *text)
{
    struct sepx_json *root = NULL;
    enum sepx_err err = SEPX_EDATA;

    if (text)
        err = sepx_json_parse(&root, text, strlen(text), NULL);
    if (!err && sepx_json_size(root) != goals->names)
        err = SEPX_EDATA;
    for (uint32_t i = 0; i < goals->names; i++) {
        number[i] = err ? NAN : sepx_json_number(sepx_json_at(root, i), NAN);
        if (!err && !isfinite(number[i]))
            err = SEPX_EDATA;
    }
    sepx_json_free(root);
    return err;
}
