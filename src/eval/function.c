/* SPDX-License-Identifier: Apache-2.0 */
/* A function of the caller's as an evaluator. */
#include <math.h>
#include <string.h>

#include "eval/internal.h"

/* Settings, state and worker are all the same few pointers. */
struct function {
    sepx_eval_function *score;
    void *context;
};

static enum sepx_err
function_configure(void *state, const void *settings, struct sepx_msg *msg)
{
    (void)msg;
    memcpy(state, settings, sizeof(struct function));
    return SEPX_OK;
}

static enum sepx_err
function_open(void *state, const struct sepx_space *space, const char *argument,
              struct sepx_msg *msg)
{
    (void)state;
    (void)space;
    (void)argument;
    (void)msg;
    return SEPX_OK;
}

static void
function_close(void *state)
{
    (void)state;
}

static enum sepx_err
function_start(void *worker, const void *state)
{
    memcpy(worker, state, sizeof(struct function));
    return SEPX_OK;
}

static enum sepx_err
function_score(void *worker, struct sepx_score *score,
               const struct sepx_eval_job *job)
{
    const struct function *function = worker;
    enum sepx_err err;

    score->cost = job->fidelity;
    err = function->score(function->context, score, job);
    if (isnan(score->value) && score->outcome == SEPX_SCORED)
        score->outcome = SEPX_UNFIT;
    if (isnan(score->test))
        score->test = score->value;
    return err;
}

/* Not in the registry: text cannot name a function. */
static const struct sepx__eval_ops ops = {
    .info = {"function", "a function of the caller's", "NAME"},
    .state_size = sizeof(struct function),
    .configure = function_configure,
    .open = function_open,
    .close = function_close,
    .measure = SEPX_MEASURE_SCORE,
    .worker_size = sizeof(struct function),
    .start = function_start,
    .stop = function_close,
    .score = function_score,
};

enum sepx_err
sepx_eval_from_function(struct sepx_eval **eval, const char *name,
                        sepx_eval_function *score, void *context)
{
    struct function function = {score, context};
    struct sepx_text text = {0};
    enum sepx_err err = sepx_text_print(&text, "function:%s", name);

    *eval = NULL;
    if (!err)
        err = sepx__eval_new(eval, &ops, NULL, text.at, &function, NULL);
    sepx_text_release(&text);
    return err;
}
