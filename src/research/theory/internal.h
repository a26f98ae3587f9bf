/* SPDX-License-Identifier: Apache-2.0 */
/* What the exact and the sampled bounds share. */
#ifndef SEPX_THEORY_INTERNAL_H
#define SEPX_THEORY_INTERNAL_H

#include "base/private.h"
#include "research/theory/private.h"
#include "space/private.h"
#include "vary/private.h"

/*
 * The probabilities of B(trials, p) that do not underflow: outcome first + i
 * has p[i]. {0} is empty; sepx__binomial_release() ends it.
 */
struct sepx__binomial {
    double *p;
    size_t first, count;
};

/*
 * `q` is 1 - p, which the caller often knows better than 1.0 - p does.
 * O(sqrt(trials p q)) time and memory.
 */
SEPX_CHECKED enum sepx_err sepx__binomial_init(struct sepx__binomial *x,
                                               uint64_t trials, double p,
                                               double q);
void sepx__binomial_release(struct sepx__binomial *x);

/*
 * The random variable whose mean a bound is: outcome i has probability p[i]
 * and is worth value[i].
 */
struct sepx__law {
    double *p, *value;
    size_t count;
};

/* `at` has passed sepx_theory_check(). */
SEPX_CHECKED enum sepx_err sepx__law_init(struct sepx__law *law,
                                          const struct sepx_theory *at,
                                          enum sepx_bound which);
void sepx__law_release(struct sepx__law *law);

/* Checks the setting and that `which` is a bound. */
SEPX_CHECKED enum sepx_err sepx__theory_check(const struct sepx_theory *at,
                                              enum sepx_bound which,
                                              struct sepx_msg *msg);

#define SEPX__TRIPLE_NODES 64

/* The optimum and both parents. {0} is empty. */
struct sepx__triple {
    struct sepx_graph graph[3];
    struct sepx_graph spare;
};

void sepx__triple_release(struct sepx__triple *triple);
/*
 * As sepx_measure_plan says; `live` if no node may lie off all paths.
 * SEPX_ENOTFOUND if none was found.
 */
SEPX_CHECKED enum sepx_err
sepx__triple_draw(struct sepx__triple *triple, struct sepx_ged *ged,
                  const struct sepx_measure_plan *plan, bool live,
                  struct sepx_rng *rng);

#endif
