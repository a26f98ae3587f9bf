/* SPDX-License-Identifier: Apache-2.0 */
/* The registry of evaluators and their driver. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "eval/internal.h"

/* clang-format off */
#define EVALUATORS(X) /* a new evaluator: its file and a row */ \
    X(target) \
    X(target_pruned) \
    X(table) \
    X(surrogate) \
    X(mlp) \
    X(xgb) \
    X(command) \
    X(shell)
/* clang-format on */

#define X(name) &sepx__eval_##name,
static const struct sepx__eval_ops *const registry[] = {EVALUATORS(X) NULL};
#undef X

#define X(name) &sepx__eval_##name.info,
static const struct sepx_eval_info *const infos[] = {EVALUATORS(X) NULL};
#undef X

enum { COUNT = sizeof registry / sizeof registry[0] - 1 };

struct sepx_eval {
    const struct sepx__eval_ops *ops;
    char *text;
    void *state;
};

struct sepx_eval_worker {
    const struct sepx__eval_ops *ops;
    void *state;
};

const struct sepx_eval_info *const *
sepx_eval_list(void)
{
    return infos;
}

static const struct sepx__eval_ops *
ops_find(const char *text, struct sepx_msg *msg)
{
    const char *names[COUNT + 1] = {NULL};
    char name[64];

    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":"), text);
    for (unsigned i = 0; i < COUNT; i++) {
        names[i] = registry[i]->info.name;
        if (!strcmp(names[i], name))
            return registry[i];
    }
    (void)sepx__unknown(msg, "evaluator", name, names);
    return NULL;
}

static enum sepx_err
open_state(struct sepx_eval *eval, const struct sepx_space *space,
           const void *settings, struct sepx_msg *msg)
{
    const char *argument = strchr(eval->text, ':');
    enum sepx_err err = SEPX_OK;

    eval->state = sepx__calloc(1, eval->ops->state_size);
    if (!eval->state)
        return SEPX_ENOMEM;
    if (settings)
        err = eval->ops->configure(eval->state, settings, msg);
    if (err)
        return err;
    return eval->ops->open(eval->state, space, argument ? argument + 1 : "",
                           msg);
}

void
sepx_eval_settings_init(struct sepx_eval_settings *settings)
{
    *settings = (struct sepx_eval_settings){
        .repeats = 1, .retries = 2, .retry_delay = 1, .grace = 5};
}

static bool
is_default(const struct sepx_eval_settings *settings)
{
    struct sepx_eval_settings none;

    sepx_eval_settings_init(&none);
    return settings->maximize == none.maximize &&
           settings->repeats == none.repeats &&
           settings->retries == none.retries &&
           settings->retry_delay == none.retry_delay &&
           settings->time_limit == none.time_limit &&
           settings->grace == none.grace &&
           settings->memory_limit == none.memory_limit &&
           settings->checkpoints == none.checkpoints;
}

enum sepx_err
sepx_eval_open(struct sepx_eval **eval, const struct sepx_space *space,
               const char *text, struct sepx_msg *msg)
{
    return sepx_eval_open_with(eval, space, text, NULL, msg);
}

enum sepx_err
sepx_eval_open_with(struct sepx_eval **eval, const struct sepx_space *space,
                    const char *text, const struct sepx_eval_settings *settings,
                    struct sepx_msg *msg)
{
    const struct sepx__eval_ops *ops = ops_find(text, msg);
    struct sepx_eval_settings usual;

    *eval = NULL;
    if (!ops)
        return SEPX_ENOTFOUND;
    sepx_eval_settings_init(&usual);
    if (settings && !ops->configure && !is_default(settings))
        return sepx_fail(msg, SEPX_EINVAL,
                         "the evaluator '%s' starts no program, so it takes "
                         "no limits, retries or checkpoints",
                         ops->info.name);
    if (!settings)
        settings = &usual;
    return sepx__eval_new(eval, ops, space, text,
                          ops->configure ? settings : NULL, msg);
}

enum sepx_err
sepx__eval_new(struct sepx_eval **eval, const struct sepx__eval_ops *ops,
               const struct sepx_space *space, const char *text,
               const void *settings, struct sepx_msg *msg)
{
    struct sepx_eval *made = sepx__calloc(1, sizeof *made);
    enum sepx_err err = SEPX_ENOMEM;

    *eval = NULL;
    if (!made)
        return err;
    made->ops = ops;
    made->text = sepx__strdup(text);
    if (made->text)
        err = open_state(made, space, settings, msg);
    if (err)
        sepx_eval_close(made);
    else
        *eval = made;
    return err;
}

void
sepx_eval_close(struct sepx_eval *eval)
{
    if (!eval)
        return;
    if (eval->state)
        eval->ops->close(eval->state);
    sepx__free(eval->state);
    sepx__free(eval->text);
    sepx__free(eval);
}

const char *
sepx_eval_text(const struct sepx_eval *eval)
{
    return eval->text;
}

double
sepx_eval_optimum(const struct sepx_eval *eval)
{
    return eval->ops->optimum ? eval->ops->optimum(eval->state) : NAN;
}

double
sepx_eval_optimum_test(const struct sepx_eval *eval)
{
    return eval->ops->optimum_test ? eval->ops->optimum_test(eval->state)
                                   : sepx_eval_optimum(eval);
}

enum sepx_measure
sepx_eval_measure(const struct sepx_eval *eval)
{
    return eval->ops->measure_here ? eval->ops->measure_here(eval->state)
                                   : eval->ops->measure;
}

bool
sepx_eval_maximized(const struct sepx_eval *eval)
{
    return eval->ops->maximized && eval->ops->maximized(eval->state);
}

const char *
sepx_eval_source(const struct sepx_eval *eval)
{
    return eval->ops->source ? eval->ops->source(eval->state) : NULL;
}

const struct sepx_graph *
sepx_eval_target(const struct sepx_eval *eval)
{
    return eval->ops->target ? eval->ops->target(eval->state) : NULL;
}

enum sepx_err
sepx_eval_worker_new(struct sepx_eval_worker **worker,
                     const struct sepx_eval *eval)
{
    struct sepx_eval_worker *made = sepx__calloc(1, sizeof *made);
    enum sepx_err err = SEPX_ENOMEM;

    *worker = NULL;
    if (!made)
        return err;
    made->ops = eval->ops;
    made->state = sepx__calloc(1, eval->ops->worker_size);
    if (made->state)
        err = made->ops->start(made->state, eval->state);
    if (err)
        sepx_eval_worker_free(made);
    else
        *worker = made;
    return err;
}

void
sepx_eval_worker_free(struct sepx_eval_worker *worker)
{
    if (!worker)
        return;
    if (worker->state)
        worker->ops->stop(worker->state);
    sepx__free(worker->state);
    sepx__free(worker);
}

enum sepx_err
sepx_eval_score(struct sepx_eval_worker *worker, struct sepx_score *score,
                const struct sepx_eval_job *job)
{
    *score = (struct sepx_score){NAN, NAN, 1, SEPX_SCORED};
    return worker->ops->score(worker->state, score, job);
}

void
sepx_eval_words_release(struct sepx_eval_words *words)
{
    sepx__free(words->answer);
    sepx__free(words->errors);
    *words = (struct sepx_eval_words){0};
}

const char *
sepx_outcome_name(enum sepx_outcome outcome)
{
    static const char *const names[] = {
        "scored",    "unfit",     "postponed", "failed",
        "timed out", "too large", "cancelled",
    };

    return names[outcome];
}
