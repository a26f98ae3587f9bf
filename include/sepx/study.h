/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Studies: one search, evaluated by many workers, kept in a file (store.h)
 * and continued after any interruption. The state of a study is a function
 * of its settings and its log; resuming is replaying the log.
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
    /*
     * Objectives and constraints, as sepx_goals_read() takes them, ended by
     * NULL; NULL: the score. An evaluator of the plan's must have been asked
     * for their names, in the order of sepx_study_goals() (sepx_eval_want()).
     */
    const char *const *objective, *const *where;
    const char *rules;       /* preset; NULL: "default" */
    const char *const *rule; /* ended by NULL; may be NULL */
    const char *folder;      /* where relative names begin; NULL: not said */
    const char *made_by;     /* program and version; NULL: not said */
    uint64_t seed;
    /*
     * Proposal k is made from exactly the results of the trials up to
     * k - window, so the study is the same for any number of workers up to
     * the window. 1 to SEPX_WINDOW_MAX.
     */
    uint32_t window;
    const char *prune; /* "median": trials may end early; NULL: none does */
    bool async;        /* results count as they come; the log has their order */
    bool repeats;      /* evaluate isomorphic graphs again */
};

SEPX_API void sepx_study_settings_init(struct sepx_study_settings *settings);

struct sepx_study;

/*
 * Create the file of a study whose space, method and evaluator can be opened,
 * and open it for writing. `options` as in sepx_store_create(). Fails as they
 * do. *study is NULL after a failure.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_study_create(struct sepx_study **study, const char *path,
                  const struct sepx_study_settings *settings,
                  const char *options, struct sepx_msg *msg);
/* Fails as sepx_store_open(). *study is NULL after a failure. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_study_open(struct sepx_study **study, const char *path, bool write,
                struct sepx_msg *msg);
SEPX_API void sepx_study_close(struct sepx_study *study); /* NULL: nothing */

SEPX_API const struct sepx_study_settings *
sepx_study_settings(const struct sepx_study *study);
/* What it works towards; {0}: the score. The study's. */
SEPX_API const struct sepx_goals *
sepx_study_goals(const struct sepx_study *study);
SEPX_API struct sepx_store *sepx_study_store(const struct sepx_study *study);
/* Whether larger scores are better; with goals, of the first objective. */
SEPX_API bool sepx_study_maximized(const struct sepx_study *study);
/*
 * Convert a score between the log, where smaller is better, and the sign that
 * the evaluator uses. The same call converts either way; NaN stays NaN.
 */
SEPX_API double sepx_study_value(const struct sepx_study *study, double value);
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

/* Why a study ends. */
enum sepx_study_end {
    SEPX_STUDY_OPEN,      /* it does not */
    SEPX_STUDY_COMPLETE,  /* all trials or evaluations are made */
    SEPX_STUDY_REACHED,   /* the value that was wanted */
    SEPX_STUDY_STALLED,   /* no new best for so many evaluations */
    SEPX_STUDY_EXHAUSTED, /* no graph that is new for 1,000 proposals */
    SEPX_STUDY_TIME,      /* is up */
    SEPX_STUDY_FAILING,   /* too many failures in a row */
    SEPX_STUDY_UNSTARTED  /* the evaluator's program cannot be started */
};

/* How a run stands. */
struct sepx_study_view {
    uint32_t asked, told;
    uint32_t done, evals;    /* of what the plan counts: so far, in all */
    enum sepx_study_end end; /* not OPEN: only what is under way continues */
    double elapsed;          /* seconds in all sessions */
    const struct sepx_study_running *running;
    uint32_t n_running;
    const char *trouble; /* why the server cannot be reached; NULL: it can */
};

struct sepx_study_plan {
    uint32_t evals;          /* trials in all, those of earlier sessions too */
    bool count_evaluations;  /* and not those with an isomorph's result */
    const double *until;     /* end at such a value of the log; NULL: none */
    uint32_t patience;       /* evaluations without a new best; 0: any */
    uint32_t max_failures;   /* in a row in this session; 0: any */
    double seconds;          /* in all sessions; 0: no limit */
    bool kill_at_limit;      /* give up what is under way at such an end */
    unsigned workers;        /* evaluations at once; 1 to the window */
    const char *const *slot; /* of each worker; NULL: none */
    const struct sepx_eval *eval; /* NULL: that of the settings */
    /*
     * Ends what takes long between two looks of `watch`: replaying, and one
     * proposal, which is then as if never begun. {0}: nobody.
     */
    struct sepx_stop stop;
    /* Ten times a second or more often; false: stop. May be NULL. */
    bool (*watch)(void *context, const struct sepx_study_view *view);
    /*
     * Each trial when its result is committed to the store; `graph` is NULL.
     * May be NULL.
     */
    void (*told)(void *context, const struct sepx_entry *entry);
    void *context;
    enum sepx_study_end *end; /* gets why it ended; may be NULL */
    /* For a study on a server, where others may work as well; all may be 0. */
    double lease;     /* seconds without a sign of life: gone; 0: 60 */
    double idle_exit; /* end after so many seconds without a trial; 0: never */
    uint32_t most;    /* end after so many evaluations here; 0: any */
    const char *host; /* a name for this process; NULL: the machine's */
    /* A result that another process told, with its trial. May be NULL. */
    void (*heard)(void *context, const struct sepx_entry *entry);
    /*
     * Another session has begun, with these options: change the limits of
     * the plan, evals to kill_at_limit. May be NULL.
     */
    void (*renew)(void *context, const char *options,
                  struct sepx_study_plan *limits);
};

/*
 * Continue a study that is open for writing: replay its log, evaluate what
 * was asked and not told, and continue until the plan has an end. Evaluations
 * under way then may end, too, unless the plan says to kill them. The rules
 * `until` and `patience` decide about a proposal by the results that it is
 * made from, so the study stays the same for any number of workers. Failures
 * are those that may come out better another time; unfit graphs do not count.
 * A program that cannot be started ends the run at its first failure, unless
 * an evaluation of this run came out better before.
 * SEPX_ESTOPPED if `stop` or `watch` asked to stop. Evaluations under way at
 * a stop are given up; they are evaluated again when the study resumes.
 * SEPX_EDATA if the log does not follow from the settings; SEPX_EIO if it
 * cannot be written, which loses only what was under way.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_study_run(struct sepx_study *study, const struct sepx_study_plan *plan,
               struct sepx_msg *msg);

/* ---- evaluated by the caller ---- */

/* A study at work whose graphs the caller evaluates, one or several at once. */
struct sepx_session;

/*
 * Replay the log of a study that is open for writing. The study is the
 * session's until that ends. Of the plan, evals, count_evaluations, until,
 * patience, max_failures, seconds and stop count; it is copied. Fails as
 * sepx_study_run(). *session is NULL after a failure.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_session_begin(struct sepx_session **session, struct sepx_study *study,
                   const struct sepx_study_plan *plan, struct sepx_msg *msg);
/*
 * The next graph to evaluate, already in the log; trials of earlier
 * sessions that were not told come first. *ask is the session's until it is
 * told. It is NULL if the study is at its end, and *end (may be NULL) says
 * why, or if the next proposal needs the results of trials that are under
 * way.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_session_ask(struct sepx_session *session, const struct sepx_ask **ask,
                 enum sepx_study_end *end, struct sepx_msg *msg);

/* How an evaluation ended. */
struct sepx_session_result {
    enum sepx_outcome outcome;
    const char *answer; /* if scored: what a program would print */
    const char *errors; /* if not: why; else what is left out; or NULL */
    const char *slot;   /* where; NULL: not said */
    double seconds;     /* how long it took; above 0.1: synced to the disk */
};

/*
 * The result of a trial that was asked and not told. An answer is read as
 * that of a program (docs/evaluators.md); one that cannot be read is a failed
 * evaluation. SEPX_CANCELLED: as if never begun, to be asked again. SEPX_EINVAL
 * for any other trial.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_session_tell(struct sepx_session *session, uint32_t trial,
                  const struct sepx_session_result *result,
                  struct sepx_msg *msg);
/*
 * What is under way is given up, and asked first when the study resumes.
 * Fails if the time that was spent cannot be noted. NULL: nothing.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_session_end(struct sepx_session *session, struct sepx_msg *msg);

/*
 * Before a run: have every trial that failed (not those that are unfit)
 * evaluated again, those that got the result of a failed isomorph included.
 * *count of them go into the log. The run makes no proposal until all are
 * told, then tells their scores to the search in the order of trials.
 */
SEPX_API SEPX_CHECKED enum sepx_err sepx_study_retry(struct sepx_study *study,
                                                     uint32_t *count,
                                                     struct sepx_msg *msg);

/* A graph, and what is known of it: a score as the evaluator would answer. */
struct sepx_study_result {
    const struct sepx_graph *graph;
    struct sepx_score score; /* `test` may be NaN; of numbers, all */
};

/* What became of them. */
struct sepx_study_brought {
    uint32_t first;  /* the trial of the first */
    uint32_t trials; /* how many there are now */
    uint32_t known;  /* the others: the study has them, up to isomorphism */
    size_t failed;   /* which one the message is about */
};

/*
 * Before a run of a study that is open for writing: graphs of the user's
 * become its next trials. With `import` their scores are told to the search
 * at once and nothing is evaluated; else the next run evaluates them before
 * it makes a proposal, and `score` is not read. Imported trials do not count
 * as evaluations of a plan. Graphs that the study has already are left out,
 * unless it repeats. All or nothing: SEPX_EINVAL if one is no graph of the
 * space or has no finite score.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_study_bring(struct sepx_study *study,
                 const struct sepx_study_result *result, size_t count,
                 bool import, struct sepx_study_brought *brought,
                 struct sepx_msg *msg);

/* What the results of a study say about a graph. */
struct sepx_prediction {
    double score;     /* expected, in the sign that the evaluator uses */
    double low, high; /* one standard deviation to either side */
    uint32_t known;   /* scores that the study has of it; most often 0 */
    int64_t trial;    /* the first that has such a score; -1: none */
    bool live;        /* they are of the same graph without its dead nodes */
};

/*
 * Predict the scores of out[count] graphs, by the model of the method
 * `model` (docs/search.md) on all results of the study, whatever its method;
 * of several objectives, the first. Scores of graphs that differ in dead nodes
 * alone are known only if the study's evaluator does not see those: a program
 * or a function may. SEPX_ENOTFOUND if it has no two different
 * scores, SEPX_EINVAL if graph number *failed is none of its space.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_study_predict(struct sepx_study *study, struct sepx_prediction *out,
                   const struct sepx_graph *graphs, size_t count,
                   size_t *failed, struct sepx_msg *msg);

/*
 * Replay the log and check every page and checksum of the file, and values
 * against the answers of programs. SEPX_EDATA names the first event that does
 * not follow from settings, seed and the events before it, or was changed.
 * *asked and *told count trials.
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

#define SEPX_STUDY_FAILURES_MAX 3

/* An evaluation that ended without a score. */
struct sepx_study_failure {
    uint32_t trial;
    enum sepx_outcome outcome;
    char line[200]; /* as sepx_eval_error_line(); empty: nothing was said */
};

/* A trial that was told. */
struct sepx_study_point {
    double value;
    uint32_t trial, op; /* op: in the summary's list; its end: none there */
    uint32_t best;      /* the best trial up to this one */
    uint32_t since;     /* evaluations since that one */
    bool better;        /* this one was; with goals, it entered the front */
    bool cached;        /* an isomorph had been evaluated, or it came so */
};

/*
 * {0} is empty, sepx_study_summary_release() ends it. All is in the order of
 * trials, in whichever order they are added.
 */
struct sepx_study_summary {
    uint32_t asked, told, cached, imported;
    uint32_t outcome[SEPX_CANCELLED + 1];
    const struct sepx_goals *goals; /* the study's; NULL or {0}: none */
    double best;         /* of the first objective, allowed; NaN: none yet */
    uint32_t best_trial; /* the first that has it */
    double elapsed, evaluating;     /* seconds: of the study, of evaluations */
    double last;                    /* when the last result came; 0: none */
    uint32_t since;                 /* evaluations since the best */
    struct sepx_method_start start; /* of the study's method */
    double *curve; /* best so far after each result, NaN: none yet */
    struct sepx_study_point *point; /* n_curve as well, by trial */
    size_t n_curve, curve_room, point_room;
    struct sepx_study_operator op[SEPX_STUDY_OPERATORS_MAX];
    uint32_t n_ops;
    /* With goals: of each point, and which points entered the front. */
    struct sepx_merit *merit;
    size_t *entered;
    size_t n_entered, merit_room, entered_room;
    uint32_t n_failures; /* evaluations without a score, unfit ones too */
    uint32_t n_failed;   /* of them, those that a retry may change */
    /* The last without a score, i at i % SEPX_STUDY_FAILURES_MAX. */
    struct sepx_study_failure failure[SEPX_STUDY_FAILURES_MAX];
};

SEPX_API void sepx_study_summary_release(struct sepx_study_summary *summary);
/* All trials of the log, in the order of trials. `summary` is empty. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_study_summarize(struct sepx_study_summary *summary,
                     struct sepx_study *study, struct sepx_msg *msg);

#ifdef __cplusplus
}
#endif
#endif
