/* SPDX-License-Identifier: Apache-2.0 */
/* A function of the caller's as an evaluator. */
#include <math.h>
#include <string.h>

#include "eval/internal.h"

/* Settings, state and worker are all the same few pointers. */
struct function {
    sepx_eval_function *score;
    void *context;
    const char *const *name; /* of numbers that are wanted; NULL: none */
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
function_start(void *worker, const void *state, struct sepx_msg *msg)
{
    (void)msg;
    memcpy(worker, state, sizeof(struct function));
    return SEPX_OK;
}

/* Any name will do: the function knows what it is asked for. */
static enum sepx_err
function_want(void *state, const char *const *name, struct sepx_msg *msg)
{
    struct function *function = state;

    (void)msg;
    function->name = name;
    return SEPX_OK;
}

static bool
lacks_number(const struct function *function, const struct sepx_score *score)
{
    const char *const *name = function->name;

    if (!name)
        return isnan(score->value);
    for (int i = 0; name[i]; i++) {
        bool own = !strcmp(name[i], "score");

        if (isnan(own ? score->value : score->number[i]) &&
            strcmp(name[i], "test") && strcmp(name[i], "cost"))
            return true;
    }
    return false;
}

static enum sepx_err
function_score(void *worker, struct sepx_score *score,
               const struct sepx_eval_job *job)
{
    const struct function *function = worker;
    enum sepx_err err;

    score->cost = job->fidelity;
    err = function->score(function->context, score, job);
    if (score->outcome == SEPX_SCORED && lacks_number(function, score))
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
    .sees_dead = true,
    .want = function_want,
    .worker_size = sizeof(struct function),
    .start = function_start,
    .stop = function_close,
    .score = function_score,
};

enum sepx_err
sepx_eval_from_function(struct sepx_eval **eval, const char *name,
                        sepx_eval_function *score, void *context)
{
    struct function function = {score, context, NULL};
    struct sepx_text text = {0};
    enum sepx_err err = sepx_text_print(&text, "function:%s", name);

    *eval = NULL;
    if (!err)
        err = sepx__eval_new(eval, &ops, NULL, text.at, &function, NULL);
    sepx_text_release(&text);
    return err;
}
