/* SPDX-License-Identifier: Apache-2.0 */
/* The registry of evaluators and their driver. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "eval/internal.h"
#include "program/command_line.h"

/* clang-format off */
#define EVALUATORS(X) /* a new evaluator: its file and a row */ \
    X(target) \
    X(target_pruned) \
    X(results) \
    SEPX__NAS_EVALUATORS(X) \
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
    char **wanted; /* names of numbers; NULL: none */
};

struct sepx_eval_worker {
    const struct sepx__eval_ops *ops;
    void *state;
    const struct sepx_eval *eval;
};

const struct sepx_eval_info *const *
sepx_eval_list(void)
{
    return infos;
}

/* ---- a program without a name in front ---- */

static bool
ends_with(const char *word, const char *end)
{
    size_t len = strlen(word), n = strlen(end);

    return len > n && !strcmp(word + len - n, end);
}

/* The prefix that a command line lacks; NULL: the text is no command line. */
static const char *
prefix_of(const char *text, const char *word)
{
    bool path = strchr(word, '/');
    char *found = NULL;
    enum sepx_err err;

    if (strpbrk(text, "|&;<>$`"))
        return "shell:";
    if (access(word, F_OK) == 0 && (!path || access(word, X_OK) != 0)) {
        if (ends_with(word, ".py"))
            return "command:python3 ";
        if (!path && access(word, X_OK) == 0)
            return "command:./";
    }
    err = sepx__program_find(&found, word, NULL);
    sepx__free(found);
    return !err || path || text[strcspn(text, " \t")] ? "command:" : NULL;
}

/* Names of evaluators are single words. */
static bool
is_command_line(const char *text, const char *const *names,
                struct sepx_msg *msg)
{
    const char *prefix;
    char word[256];

    snprintf(word, sizeof word, "%.*s", (int)strcspn(text, " \t"), text);
    if (!*word || strchr(word, ':') ||
        (!text[strlen(word)] && sepx_nearest(word, names)))
        return false;
    prefix = prefix_of(text, word);
    if (prefix)
        (void)sepx_fail(msg, SEPX_ENOTFOUND,
                        "unknown evaluator '%.160s'; did you mean '%s%.160s'?",
                        text, prefix, text);
    return prefix;
}

/*
 * Rows of one name stand together: the first that accepts the argument, or
 * the last, which then says what is wrong with it.
 */
static const struct sepx__eval_ops *
ops_find(const char *text, struct sepx_msg *msg)
{
    const char *names[COUNT + 1] = {NULL}, *colon = strchr(text, ':');
    const struct sepx__eval_ops *found = NULL;
    unsigned n = 0;
    char name[64];

    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":"), text);
    for (unsigned i = 0; i < COUNT; i++) {
        const struct sepx__eval_ops *ops = registry[i];

        if (!n || strcmp(names[n - 1], ops->info.name) != 0)
            names[n++] = ops->info.name;
        if (strcmp(ops->info.name, name) != 0)
            continue;
        found = ops;
        if (!ops->accepts || ops->accepts(colon ? colon + 1 : ""))
            return ops;
    }
    if (found)
        return found;
    if (!is_command_line(text, names, msg))
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
    if (ops->missing)
        return sepx_fail(msg, SEPX_EUNSUPPORTED, "%s", ops->missing);
    sepx_eval_settings_init(&usual);
    if (settings && !ops->configure && settings->maximize)
        return sepx_fail(msg, SEPX_EINVAL,
                         "scores of the evaluator '%s' are minimised; only "
                         "those of command: and shell: can be maximised",
                         ops->info.name);
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
    sepx__eval_names_free(eval->wanted);
    sepx__free(eval);
}

enum sepx_err
sepx_eval_want(struct sepx_eval *eval, const char *const *name,
               struct sepx_msg *msg)
{
    int place[SEPX_NUMBERS_MAX];
    char **copy;
    enum sepx_err err = sepx__eval_names_copy(&copy, name, msg);

    if (err)
        return err;
    sepx__eval_names_free(eval->wanted);
    eval->wanted = copy;
    name = sepx_eval_wanted(eval);
    return eval->ops->want ? eval->ops->want(eval->state, name, msg)
                           : sepx__eval_match(place, name, NULL, msg);
}

const char *const *
sepx_eval_wanted(const struct sepx_eval *eval)
{
    static const char *const none[] = {NULL};

    return eval->wanted ? (const char *const *)eval->wanted : none;
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

bool
sepx__eval_always(const void *state)
{
    (void)state;
    return true;
}

bool
sepx_eval_exact(const struct sepx_eval *eval)
{
    return eval->ops->exact && eval->ops->exact(eval->state);
}

bool
sepx_eval_sees_dead(const struct sepx_eval *eval)
{
    return eval->ops->sees_dead;
}

bool
sepx_eval_text_sees_dead(const char *text)
{
    const struct sepx__eval_ops *ops = text ? ops_find(text, NULL) : NULL;

    return !ops || ops->sees_dead;
}

const struct sepx_graph *
sepx_eval_target(const struct sepx_eval *eval)
{
    return eval->ops->target ? eval->ops->target(eval->state) : NULL;
}

enum sepx_err
sepx_eval_worker_new(struct sepx_eval_worker **worker,
                     const struct sepx_eval *eval, struct sepx_msg *msg)
{
    struct sepx_eval_worker *made = sepx__calloc(1, sizeof *made);
    enum sepx_err err = SEPX_ENOMEM;

    *worker = NULL;
    if (!made)
        return err;
    made->ops = eval->ops;
    made->eval = eval;
    made->state = sepx__calloc(1, eval->ops->worker_size);
    if (made->state)
        err = made->ops->start(made->state, eval->state, msg);
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
    const struct sepx_eval *eval = worker->eval;
    enum sepx_err err;

    *score = (struct sepx_score){.value = NAN, .test = NAN, .cost = 1};
    if (!eval->wanted)
        return worker->ops->score(worker->state, score, job);
    for (int i = 0; i < SEPX_NUMBERS_MAX; i++)
        score->number[i] = NAN;
    err = worker->ops->score(worker->state, score, job);
    if (!err)
        sepx__eval_fill(score, sepx_eval_wanted(eval),
                        sepx_eval_maximized(eval) ? -1 : 1);
    return err;
}

const char *
sepx_outcome_name(enum sepx_outcome outcome)
{
    static const char *const names[] = {
        "scored",    "unfit",  "postponed", "failed",    "timed out",
        "too large", "pruned", "lost",      "cancelled",
    };

    return (size_t)outcome < sizeof(names) / sizeof(*names) ? names[outcome]
                                                            : "unknown";
}
