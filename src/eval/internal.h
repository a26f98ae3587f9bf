/* SPDX-License-Identifier: Apache-2.0 */
/* What an evaluator is to the driver. */
#ifndef SEPX_EVAL_INTERNAL_H
#define SEPX_EVAL_INTERNAL_H

#include "base/internal.h"
#include "sepx/eval.h"

/* States are handed over zeroed, and released after a failed init too. */
struct sepx__eval_ops {
    struct sepx_eval_info info;
    size_t state_size; /* what all threads share */
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
    const struct sepx_graph *(*target)(const void *state); /* NULL: none */
    size_t worker_size; /* what each thread has */
    enum sepx_err (*start)(void *worker, const void *state);
    void (*stop)(void *worker);
    enum sepx_err (*score)(void *worker, struct sepx_score *score,
                           const struct sepx_eval_job *job);
};

/* `settings` go to `configure` unless NULL. *eval is NULL on failure. */
SEPX_CHECKED enum sepx_err
sepx__eval_new(struct sepx_eval **eval, const struct sepx__eval_ops *ops,
               const struct sepx_space *space, const char *text,
               const void *settings, struct sepx_msg *msg);

extern const struct sepx__eval_ops sepx__eval_command;
extern const struct sepx__eval_ops sepx__eval_shell;
extern const struct sepx__eval_ops sepx__eval_mlp;
extern const struct sepx__eval_ops sepx__eval_surrogate;
extern const struct sepx__eval_ops sepx__eval_target;
extern const struct sepx__eval_ops sepx__eval_target_pruned;
extern const struct sepx__eval_ops sepx__eval_table;
extern const struct sepx__eval_ops sepx__eval_xgb;

#endif
