/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A graph's score. Smaller is better.
 *
 * Thread safety: an evaluator is never changed once open and may be shared
 * by all threads; each thread scores through a worker of its own.
 */
#ifndef SEPX_EVAL_H
#define SEPX_EVAL_H

#include "sepx/space.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An evaluator's line in lists and help. */
struct sepx_eval_info {
    const char *name, *summary;
    const char *argument; /* what follows "NAME:", for help */
};

/* All evaluators, ended by NULL. */
SEPX_API const struct sepx_eval_info *const *sepx_eval_list(void);

struct sepx_eval;

/*
 * Open "NAME:ARGUMENT" for graphs of `space`, which must outlive it. Reads
 * files, and may add label names, so do it before threads start. Fails with
 * SEPX_ENOTFOUND for an unknown name, SEPX_EINVAL for a bad argument, or as
 * the reading of a file fails; the message lists what is valid. *eval is NULL
 * after a failure.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_eval_open(struct sepx_eval **eval, const struct sepx_space *space,
               const char *text, struct sepx_msg *msg);
SEPX_API void sepx_eval_close(struct sepx_eval *eval); /* NULL: nothing */

/*
 * How evaluators that start programs do so. sepx_eval_settings_init() gives
 * the defaults, in brackets here.
 */
struct sepx_eval_settings {
    bool maximize;           /* larger answers are better [false] */
    uint32_t repeats;        /* runs of the program whose mean counts [1] */
    uint32_t retries;        /* more tries if it fails or wants it [2] */
    double retry_delay;      /* seconds before the first, then doubled [1] */
    double time_limit;       /* seconds of each try; 0: none [0] */
    double grace;            /* seconds from TERM to KILL [5] */
    uint64_t memory_limit;   /* bytes, of all its processes; 0: none [0] */
    const char *checkpoints; /* a folder for those of all trials [NULL] */
};

SEPX_API void sepx_eval_settings_init(struct sepx_eval_settings *settings);
/*
 * As sepx_eval_open(). `settings` are copied; NULL means the defaults. Fails
 * with SEPX_EINVAL too if one is out of range, or if the evaluator starts no
 * program and they are not the defaults.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_eval_open_with(struct sepx_eval **eval, const struct sepx_space *space,
                    const char *text, const struct sepx_eval_settings *settings,
                    struct sepx_msg *msg);

/* The text that it was opened with. */
SEPX_API const char *sepx_eval_text(const struct sepx_eval *eval);
/* The best score there can be, or NaN if that is not known. */
SEPX_API double sepx_eval_optimum(const struct sepx_eval *eval);

/* What a score is, for those who show it. */
enum sepx_measure {
    SEPX_MEASURE_DISTANCE, /* edits */
    SEPX_MEASURE_ERROR,    /* 1 - accuracy; shown as an accuracy */
    SEPX_MEASURE_LOSS,
    SEPX_MEASURE_SCORE /* whatever a user's program answers */
};

SEPX_API enum sepx_measure sepx_eval_measure(const struct sepx_eval *eval);
/*
 * Whether larger answers are better: `value` and `test` of a score are then
 * the answers with their signs turned, to be turned back by those who show
 * them.
 */
SEPX_API bool sepx_eval_maximized(const struct sepx_eval *eval);

/* What an evaluator says beside numbers. {0} is empty. */
struct sepx_eval_output {
    char *answer; /* all that it answered, as one line of JSON; or NULL */
    /* Why it failed: the last lines it wrote; of a score, what of the answer
     * is left out. Or NULL. */
    char *errors;
    bool unstarted; /* its program cannot be started, whatever the graph */
};

SEPX_API void sepx_eval_output_release(struct sepx_eval_output *output);

/* An intermediate value: smaller is better, whatever was printed. */
struct sepx_step {
    uint32_t step;
    double value;
};

/* {0} is empty. Steps ascend. */
struct sepx_eval_steps {
    struct sepx_step *at;
    size_t count, room;
};

SEPX_API void sepx_eval_steps_release(struct sepx_eval_steps *steps);
SEPX_API SEPX_CHECKED enum sepx_err
sepx_eval_steps_add(struct sepx_eval_steps *steps, uint32_t step, double value);

/* One evaluation. The streams of noisy evaluators are keyed by it. */
struct sepx_eval_job {
    const struct sepx_graph *graph;
    double fidelity; /* the share of a full evaluation to spend, 0 to 1 */
    uint64_t seed;
    uint32_t run, trial;
    uint32_t place; /* of the run among several; programs are told */
    /* For evaluators that start programs; {0} is none of them. */
    const char *slot;                /* such as "gpu:1" */
    struct sepx_eval_output *output; /* wanted; empty when handed over */
    struct sepx_msg *msg;            /* what is wrong if the call fails */
    bool (*stop)(void *context);     /* true: give up; any thread may call it */
    struct sepx_eval_steps *steps;   /* wanted; of the last try of a program */
    bool steps_maximized; /* larger steps are better: of the first objective */
    /*
     * Values at steps: an evaluation whose best value so far is above that of
     * the step that it reports is pruned. `steps` is not NULL then.
     */
    const struct sepx_step *limit;
    size_t n_limits;
    void *context;
};

/* How an evaluation ended. */
enum sepx_outcome {
    SEPX_SCORED,
    SEPX_UNFIT,     /* the graph can have no score; asking again is no use */
    SEPX_POSTPONED, /* asked to be tried again later, too often */
    SEPX_FAILED,    /* the program failed, or its answer cannot be read */
    SEPX_TIMED_OUT,
    SEPX_TOO_LARGE, /* more memory than allowed */
    SEPX_PRUNED,    /* ended early: others were better at this step */
    SEPX_LOST,      /* three workers that had it went away */
    SEPX_CANCELLED  /* on request of `stop`; as if never begun */
};

#define SEPX_NUMBERS_MAX 8

/* Numbers are as they were answered: nobody has turned a sign. */
struct sepx_score {
    double value; /* smaller is better; NaN: the graph has none */
    double test;  /* what is reported of it; `value` if there is no other */
    double cost;  /* training seconds if known, else 1 for a full one */
    enum sepx_outcome outcome;
    /* Those that sepx_eval_want() named, in its order. */
    double number[SEPX_NUMBERS_MAX];
};

/*
 * A function of the caller's as an evaluator. It fills `score`, which comes
 * without a value, with cost = fidelity; a `test` that it leaves out becomes
 * the value, and without a value the graph is unfit. If numbers are wanted
 * (sepx_eval_want()), it fills those, in their order, and the value may be
 * left out. Several threads may call it at once. An error that it returns
 * ends the search.
 */
typedef enum sepx_err sepx_eval_function(void *context,
                                         struct sepx_score *score,
                                         const struct sepx_eval_job *job);

/* `name` stands for it in sepx_eval_text(), "function:NAME". */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_eval_from_function(struct sepx_eval **eval, const char *name,
                        sepx_eval_function *score, void *context);

/* "scored", "unfit", ...; "unknown" for a value that is no outcome. */
SEPX_API const char *sepx_outcome_name(enum sepx_outcome outcome);

/* ---- named numbers ---- */

/*
 * Ask for numbers beside the score, for several objectives and constraints:
 * `name` is ended by NULL, at most SEPX_NUMBERS_MAX. Before any worker is
 * made. Every evaluator knows "score", "test" and "cost"; programs and
 * functions may answer any name. SEPX_EINVAL if the evaluator does not know
 * one, and the message lists those that it knows; SEPX_ELIMIT.
 */
SEPX_API SEPX_CHECKED enum sepx_err sepx_eval_want(struct sepx_eval *eval,
                                                   const char *const *name,
                                                   struct sepx_msg *msg);
/* The names that were asked for, ended by NULL; none unless asked. */
SEPX_API const char *const *sepx_eval_wanted(const struct sepx_eval *eval);

struct sepx_eval_worker;

/*
 * `eval` must outlive the worker. SEPX_ENOMEM; SEPX_EIO if what it needs to
 * start programs cannot be had, and the message says why.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_eval_worker_new(struct sepx_eval_worker **worker,
                     const struct sepx_eval *eval, struct sepx_msg *msg);
SEPX_API void sepx_eval_worker_free(struct sepx_eval_worker *worker);
SEPX_API SEPX_CHECKED enum sepx_err
sepx_eval_score(struct sepx_eval_worker *worker, struct sepx_score *score,
                const struct sepx_eval_job *job);

#ifdef __cplusplus
}
#endif
#endif
