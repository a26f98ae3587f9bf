/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several objectives: what is wanted of named numbers, which of two graphs is
 * better, and how good a set of them is.
 *
 * Thread safety: functions touch only their arguments.
 */
#ifndef SEPX_FRONT_H
#define SEPX_FRONT_H

#include "sepx/base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SEPX_GOALS_MAX 8 /* names, of objectives and constraints together */

/* ---- goals ---- */

struct sepx_objective {
    uint32_t number; /* which name */
    bool maximize;
    bool open;        /* nobody said which way; minimised */
    double reference; /* the worst that still counts; NaN: not said */
};

struct sepx_constraint {
    uint32_t number;
    bool least;   /* at least `limit`; else at most */
    double limit; /* itself allowed */
};

/*
 * {0} is none: one score, as ever. sepx_goals_release() ends it. Names are in
 * the order in which they were first mentioned, objectives first.
 */
struct sepx_goals {
    char *name[SEPX_GOALS_MAX + 1]; /* ended by NULL */
    uint32_t names, objectives, constraints;
    struct sepx_objective objective[SEPX_GOALS_MAX];
    struct sepx_constraint constraint[SEPX_GOALS_MAX];
};

/*
 * Read objectives, "NAME", "NAME:max", "-NAME" or either with ":REFERENCE"
 * behind it, and constraints, "NAME<=LIMIT" or "NAME>=LIMIT". Both lists are
 * ended by NULL or are NULL. Constraints alone are of the objective "score".
 * SEPX_EINVAL names what is wrong, SEPX_ELIMIT.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_goals_read(struct sepx_goals *goals, const char *const *objective,
                const char *const *where, struct sepx_msg *msg);
SEPX_API void sepx_goals_release(struct sepx_goals *goals);
/*
 * For an evaluator that maximises its score (sepx_eval_maximized()): so are
 * the objectives "score" and "test", unless they say themselves which way.
 */
SEPX_API void sepx_goals_maximize(struct sepx_goals *goals);

/* What numbers amount to. */
struct sepx_merit {
    uint32_t count;                   /* of objectives */
    double objective[SEPX_GOALS_MAX]; /* smaller is better */
    double violation; /* of constraints, as shares of their limits; 0: none */
};

/* `number` has goals->names numbers as they were answered. */
SEPX_API void sepx_goals_merit(const struct sepx_goals *goals,
                               struct sepx_merit *merit, const double *number);
/* An objective of a merit as it was answered, and back. */
SEPX_API double sepx_goals_turn(const struct sepx_goals *goals, uint32_t at,
                                double value);

/* ---- fronts ---- */

/*
 * Below 0: `a` is better, above: `b` is, 0: neither. The smaller violation
 * wins; if they are equal, who is nowhere worse and somewhere better. Counts
 * are equal.
 */
SEPX_API int sepx_merit_compare(const struct sepx_merit *a,
                                const struct sepx_merit *b);
/*
 * The rank of each (0: nothing is better; 1: nothing but rank 0 is; ...) and
 * its crowding distance within its rank: the sum over objectives of the gap
 * between its neighbours as a share of the range, infinite at both ends (Deb,
 * Pratap, Agarwal, Meyarivan 2002).
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_front_sort(uint32_t *rank, double *crowding,
                const struct sepx_merit *merit, size_t count);
/*
 * Which merits have no constraint violated and nothing better, to at[], by
 * the first objective; of equal ones the first. Returns how many there are.
 */
SEPX_API size_t sepx_front_find(size_t *at, const struct sepx_merit *merit,
                                size_t count);
/*
 * The volume between `reference` and `count` points of `n` (1 to
 * SEPX_GOALS_MAX) objectives each, exactly. Points that are not better than
 * the reference in all objectives add nothing. With up to 3 objectives it
 * takes about count^2 steps, and more by a factor of `count` for each other.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_hypervolume(double *volume, const double *point, size_t count, uint32_t n,
                 const double *reference);

#ifdef __cplusplus
}
#endif
#endif
