/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Studies: one search, evaluated by many workers, kept in a file (store.h)
 * and continued after any interruption. The state of a study is a function
 * of its settings and its log; going on is replaying the log.
 *
 * Thread safety: a study belongs to one thread at a time. The functions of a
 * plan are called from the thread that runs it.
 */
#ifndef SEPX_STUDY_H
#define SEPX_STUDY_H

#include "sepx/eval.h"
#include "sepx/search.h"
#include "sepx/store.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SEPX_WINDOW_MAX 1024
#define SEPX_WINDOW_DEFAULT 8

/*
 * What a study is; never changes once it has begun. The text of a space's
 * file is kept in the study, so that the file may change or go.
 * sepx_study_settings_init() gives the defaults.
 */
struct sepx_study_settings {
    const char *space, *method; /* texts, as their modules take them */
    const char *eval; /* the same; NULL: each plan brings an evaluator */
    struct sepx_eval_settings program; /* if the evaluator starts programs */
    const char *rules;                 /* preset; NULL: "default" */
    const char *const *rule;           /* ended by NULL; may be NULL */
    const char *folder;  /* where relative names begin; NULL: not said */
    const char *made_by; /* program and version; NULL: not said */
    uint64_t seed;
    /*
     * Proposal k is made from exactly the results of the trials up to
     * k - window, so the study is the same for any number of workers up to
     * the window. 1 to SEPX_WINDOW_MAX.
     */
    uint32_t window;
    bool async;   /* results count as they come; the log has their order */
    bool repeats; /* evaluate isomorphic graphs again */
};

SEPX_API void sepx_study_settings_init(struct sepx_study_settings *settings);

/*
 * Create the file of a study that can be run: its space, method and
 * evaluator are opened once, to see. `options` as in sepx_store_create().
 * Fails as they do.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_study_create(const char *path, const struct sepx_study_settings *settings,
                  const char *options, struct sepx_msg *msg);

struct sepx_study;

/* Fails as sepx_store_open(). *study is NULL after a failure. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_study_open(struct sepx_study **study, const char *path, bool write,
                struct sepx_msg *msg);
SEPX_API void sepx_study_close(struct sepx_study *study); /* NULL: nothing */

SEPX_API const struct sepx_study_settings *
sepx_study_settings(const struct sepx_study *study);
SEPX_API struct sepx_store *sepx_study_store(const struct sepx_study *study);
/* The study's space, opened at the first call; it stays the study's. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_study_space(struct sepx_study *study, const struct sepx_space **space,
                 struct sepx_msg *msg);

/* ---- running ---- */

/* A trial that is being evaluated. */
struct sepx_study_running {
    uint32_t trial;
    const char *op, *slot; /* slot: NULL if there is none */
    double seconds;        /* so far */
};

/* How a run stands. */
struct sepx_study_view {
    uint32_t asked, told, evals;
    double elapsed; /* seconds in all sessions */
    const struct sepx_study_running *running;
    uint32_t n_running;
};

struct sepx_study_plan {
    uint32_t evals;          /* trials in all, those of earlier sessions too */
    double seconds;          /* in all sessions; 0: no limit */
    unsigned workers;        /* evaluations at once; 1 to the window */
    const char *const *slot; /* of each worker; NULL: none */
    const struct sepx_eval *eval; /* NULL: that of the settings */
    /* Ten times a second or more often; false: stop. May be NULL. */
    bool (*watch)(void *context, const struct sepx_study_view *view);
    /* Each trial when it is told; `graph` is NULL. May be NULL. */
    void (*told)(void *context, const struct sepx_entry *entry);
    void *context;
};

/*
 * Go on with a study that is open for writing: replay its log, evaluate what
 * was asked and not told, and go on until the plan's trials or seconds are
 * used up. SEPX_ESTOPPED if `watch` asked to stop. Evaluations under way at
 * a stop are given up; they are evaluated again when the study goes on.
 * SEPX_EDATA if the log does not follow from the settings; SEPX_EIO if it
 * cannot be written, which loses only what was under way.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_study_run(struct sepx_study *study, const struct sepx_study_plan *plan,
               struct sepx_msg *msg);

/*
 * Replay the log and check every page of the file. SEPX_EDATA names the
 * first event that does not follow from settings, seed and the events before
 * it. *asked and *told count trials.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_study_verify(struct sepx_study *study, uint32_t *asked, uint32_t *told,
                  struct sepx_msg *msg);

/* ---- what was found ---- */

#define SEPX_STUDY_OPERATORS_MAX 16

struct sepx_study_operator {
    char name[32];
    uint32_t asked, told, improved; /* improved: made a new best */
};

/* {0} is empty, sepx_study_summary_release() ends it. */
struct sepx_study_summary {
    uint32_t asked, told, cached;
    uint32_t outcome[SEPX_CANCELLED + 1];
    double best;                /* NaN: none yet */
    uint32_t best_trial;        /* the first that has it */
    double elapsed, evaluating; /* seconds: of the study, of evaluations */
    double last;                /* when the last result came; 0: none */
    double *curve; /* best so far after each result, NaN: none yet */
    size_t n_curve, curve_room;
    struct sepx_study_operator op[SEPX_STUDY_OPERATORS_MAX];
    uint32_t n_ops;
};

SEPX_API void sepx_study_summary_release(struct sepx_study_summary *summary);
/* Take one trial in; it counts as told if the entry is. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_study_summary_add(struct sepx_study_summary *summary,
                       const struct sepx_entry *entry);
/* All trials of the log, in the order of trials. `summary` is empty. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_study_summarize(struct sepx_study_summary *summary,
                     struct sepx_study *study, struct sepx_msg *msg);

#ifdef __cplusplus
}
#endif
#endif
