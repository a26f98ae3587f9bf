/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Experiments: many independent runs of one search method, each with its own
 * seed, on all processors; what they found and how their operators did.
 *
 * A run is a function of (method, evaluator, its seed, its length). It comes
 * out the same whichever thread makes it and whichever runs are beside it.
 *
 * Experimental: these functions may change in any version.
 *
 * Thread safety: sepx_runs_make() starts threads of its own; methods and
 * evaluators are shared by them and may be used elsewhere meanwhile. A result
 * may be read by many threads.
 */
#ifndef SEPX_RUN_H
#define SEPX_RUN_H

#include "sepx/eval.h"
#include "sepx/search.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sepx_run_plan {
    const struct sepx_method *method;
    const struct sepx_eval *eval;
    const struct sepx_goals *goals; /* that the evaluator has been asked for */
                                    /* (sepx_eval_want()); NULL: the score */
    uint64_t seed;                  /* run i has the seed `seed` + i */
    uint32_t runs;                  /* at least 1 */
    uint32_t evals;                 /* of each run; at least 1 */
    unsigned threads;               /* 0: one for each processor */
    /*
     * NULL: nobody looks. Called from any thread, one call at a time, with
     * the evaluations made so far in all runs; false asks to stop.
     */
    bool (*progress)(void *context, uint64_t done, uint64_t total);
    /* NULL: as above. Every pair of parents, from the thread of its run. */
    void (*crossed)(void *context, uint32_t run, const struct sepx_graph *first,
                    const struct sepx_graph *second, bool accepted);
    void *context;
    struct sepx_msg *msg; /* what is wrong if the call fails; may be NULL */
};

/* What an operator did in a run. */
struct sepx_run_operator {
    const char *name; /* the method's */
    struct sepx_cross_counts counts;
    uint64_t evaluated;
    uint64_t improved; /* evaluations that made a new best */
    double gain;       /* how much lower they made it, in all */
};

#define SEPX_RUN_OPERATORS_MAX 4

/* A point that entered the front of a run. */
struct sepx_run_point {
    uint32_t trial;
    double objective[SEPX_GOALS_MAX]; /* smaller is better */
    struct sepx_graph graph;
};

/*
 * The incumbent is the graph of the lowest score so far, at whatever fidelity
 * it had it; among equals the first, or that of the lowest mean of all its
 * scores so far (rule `ties`). An evaluation without a score
 * counts as one and changes nothing else; scores before the first are
 * infinite.
 */
struct sepx_run {
    uint64_t seed;
    uint32_t evaluations;    /* 0: the run was stopped and holds nothing */
    double *curve;           /* `evaluations` long: score of the incumbent */
    double *test;            /* as long: what is reported of it */
    double *spent;           /* as long: cost of all evaluations so far */
    double best;             /* infinite: no evaluation had a score */
    uint32_t best_trial;     /* the incumbent's, the first that reached it */
    struct sepx_graph graph; /* of that trial */
    uint32_t distinct;       /* graphs evaluated, isomorphs and dead nodes */
                             /* aside; the other evaluations were repeats */
    uint32_t unscored;       /* evaluations without a score */
    char *failure;           /* what the first of them said; NULL: nothing */
    enum sepx_measure measure;
    bool maximized;   /* sepx_eval_maximized(): the numbers are negated */
    uint32_t reached; /* first trial whose score is the best that there is */
    uint32_t visited; /* first trial whose `test` is; UINT32_MAX: none */
    uint32_t n_operators;
    struct sepx_run_operator op[SEPX_RUN_OPERATORS_MAX];
    /*
     * With goals, what entered the front, by trial, and the range of all that
     * was allowed. Curves are 0 until sepx_runs_measure().
     */
    const struct sepx_goals *goals; /* the plan's; NULL: none */
    uint32_t objectives; /* 0: nothing was allowed, or there are no goals */
    struct sepx_run_point *point;
    size_t n_points, point_room;
    double low[SEPX_GOALS_MAX], high[SEPX_GOALS_MAX];
};

/* The caller's: {0} is empty, sepx_runs_release() ends it. */
struct sepx_runs {
    struct sepx_run *at; /* by seed, ascending */
    size_t count;
    size_t finished;
};

SEPX_API void sepx_runs_release(struct sepx_runs *runs);
/*
 * Make the runs of a plan into `runs`, which is empty. SEPX_ESTOPPED if the
 * plan's progress or the space's stop asked to stop; `runs` then holds what
 * was finished. Method
 * and evaluator must outlive `runs`.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_runs_make(struct sepx_runs *runs, const struct sepx_run_plan *plan);

/*
 * The best scores of all finished runs after `evals` evaluations (at least
 * 1; a shorter run counts with its last) into out[runs->finished].
 */
SEPX_API void sepx_runs_at(const struct sepx_runs *runs, uint32_t evals,
                           double *out);

/* What volumes are measured in. */
struct sepx_box {
    uint32_t count;
    double reference[SEPX_GOALS_MAX]; /* given, or the worst of all runs */
    double ideal[SEPX_GOALS_MAX];     /* the best of all runs */
};

/* The box of several methods' runs, so that their volumes compare. */
SEPX_API void sepx_runs_box(struct sepx_box *box,
                            const struct sepx_goals *goals,
                            const struct sepx_runs *const *runs, size_t count);
/*
 * Make all curves of runs with goals: the share of the box that lies behind
 * the front so far, with its sign turned, so that smaller is better.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_runs_measure(struct sepx_runs *runs, const struct sepx_box *box);
/* Whether point `at` is on the front of the first `points`. */
SEPX_API bool sepx_run_on_front(const struct sepx_run *run, size_t at,
                                size_t points);

/* What progress is measured by. */
enum sepx_axis {
    SEPX_AXIS_EVALS, /* evaluations made */
    SEPX_AXIS_SPENT  /* their cost: training seconds, or full evaluations */
};

/* What is looked up. */
enum sepx_curve { SEPX_CURVE_SCORE, SEPX_CURVE_TEST };

/*
 * How many evaluations a run had made when it was at `at` on the axis: all
 * that it made if it never got so far, and 1 if not even the first was over.
 */
SEPX_API uint32_t sepx_run_until(const struct sepx_run *run,
                                 enum sepx_axis axis, double at);
/* The curve of every finished run there, into out[runs->finished]. */
SEPX_API void sepx_runs_read(const struct sepx_runs *runs,
                             enum sepx_curve curve, enum sepx_axis axis,
                             double at, double *out);
/* Sums over all finished runs; returns how many operators there are. */
SEPX_API uint32_t
sepx_runs_operators(const struct sepx_runs *runs,
                    struct sepx_run_operator sum[SEPX_RUN_OPERATORS_MAX]);

#ifdef __cplusplus
}
#endif
#endif
