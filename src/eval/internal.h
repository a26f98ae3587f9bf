/* SPDX-License-Identifier: Apache-2.0 */
/* What an evaluator is to the driver. */
#ifndef SEPX_EVAL_INTERNAL_H
#define SEPX_EVAL_INTERNAL_H

#include "base/internal.h"
#include "base/parts.h"
#include "eval/private.h"

/* States are handed over zeroed, and released after a failed init too. */
struct sepx__eval_ops {
    struct sepx_eval_info info;
    /* Of an optional part that this build lacks: what to say. Else NULL. */
    const char *missing;
    size_t state_size; /* what all threads share */
    /* Of several rows of one name, whether it is this; NULL: yes. */
    bool (*accepts)(const char *argument);
    enum sepx_err (*open)(void *state, const struct sepx_space *space,
                          const char *argument, struct sepx_msg *msg);
    void (*close)(void *state);
    /* Before `open`; NULL: the evaluator has no settings. */
    enum sepx_err (*configure)(void *state, const void *settings,
                               struct sepx_msg *msg);
    enum sepx_measure measure;
    /* NULL: `measure`; else what it is in this space. */
    enum sepx_measure (*measure_here)(const void *state);
    bool (*maximized)(const void *state);      /* NULL: never */
    double (*optimum)(const void *state);      /* NULL: not known */
    double (*optimum_test)(const void *state); /* NULL: as `optimum` */
    const char *(*source)(const void *state);  /* NULL: exact */
    bool (*exact)(const void *state); /* one score a graph; NULL: not known */
    bool sees_dead;                   /* dead nodes may change a score */
    const struct sepx_graph *(*target)(const void *state); /* NULL: none */
    /*
     * After `open`: the score is to bring these numbers, in this order, ended
     * by NULL; "score", "test" and "cost" are filled in by the driver. NULL:
     * knows no others. The names live as long as the state.
     */
    enum sepx_err (*want)(void *state, const char *const *name,
                          struct sepx_msg *msg);
    size_t worker_size; /* what each thread has */
    enum sepx_err (*start)(void *worker, const void *state,
                           struct sepx_msg *msg);
    void (*stop)(void *worker);
    enum sepx_err (*score)(void *worker, struct sepx_score *score,
                           const struct sepx_eval_job *job);
};

/* `settings` go to `configure` unless NULL. *eval is NULL on failure. */
SEPX_CHECKED enum sepx_err
sepx__eval_new(struct sepx_eval **eval, const struct sepx__eval_ops *ops,
               const struct sepx_space *space, const char *text,
               const void *settings, struct sepx_msg *msg);

/*
 * For `want` of evaluators with a fixed list of names: which of `known` (ended
 * by NULL) each number is, or -1 for those that the driver fills in. Fails
 * with SEPX_EINVAL and lists what is known.
 */
SEPX_CHECKED enum sepx_err
sepx__eval_match(int place[SEPX_NUMBERS_MAX], const char *const *name,
                 const char *const *known, struct sepx_msg *msg);

/* The numbers that are the score's own; `sign` turns it back. */
void sepx__eval_fill(struct sepx_score *score, const char *const *name,
                     double sign);
/* For `exact` of those that always are. */
bool sepx__eval_always(const void *state);
/* A list of texts, ended by NULL. */
SEPX_CHECKED enum sepx_err sepx__eval_names_copy(char ***copy,
                                                 const char *const *name,
                                                 struct sepx_msg *msg);
void sepx__eval_names_free(char **name); /* NULL: nothing */

extern const struct sepx__eval_ops sepx__eval_command;
extern const struct sepx__eval_ops sepx__eval_results;
extern const struct sepx__eval_ops sepx__eval_shell;
extern const struct sepx__eval_ops sepx__eval_target;
extern const struct sepx__eval_ops sepx__eval_target_pruned;
#define X(name) extern const struct sepx__eval_ops sepx__eval_##name;
SEPX__NAS_EVALUATORS(X)
#undef X

#endif
