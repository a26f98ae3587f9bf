/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The binomial distribution by its own recurrence, outwards from the mode,
 * then divided by the sum. Only products and quotients of positive numbers:
 * no cancellation, no lgamma() of large arguments (which costs nine digits at
 * a million trials), and common errors of all weights leave with the sum.
 */
#include <float.h>

#include "base/internal.h"
#include "research/theory/internal.h"

void
sepx__binomial_release(struct sepx__binomial *x)
{
    sepx__free(x->p);
    *x = (struct sepx__binomial){0};
}

/* P(i + 1) / P(i) */
static double
ratio_up(uint64_t trials, uint64_t i, double odds)
{
    return (double)(trials - i) / (double)(i + 1) * odds;
}

/* P(i - 1) / P(i) */
static double
ratio_down(uint64_t trials, uint64_t i, double odds)
{
    return (double)i / (double)(trials - i + 1) / odds;
}

/* The first and the last outcome that stay normal numbers if P(mode) is 1. */
static void
find_ends(uint64_t trials, uint64_t mode, double odds, uint64_t *first,
          uint64_t *last)
{
    double w = 1;

    *first = *last = mode;
    while (*first > 0 && (w *= ratio_down(trials, *first, odds)) >= DBL_MIN)
        --*first;
    w = 1;
    while (*last < trials && (w *= ratio_up(trials, *last, odds)) >= DBL_MIN)
        ++*last;
}

/* Small terms first. */
static double
sum_from_ends(const double *w, size_t count, size_t mode)
{
    double low = 0, high = 0;

    for (size_t i = 0; i < mode; i++)
        low += w[i];
    for (size_t i = count; i-- > mode;)
        high += w[i];
    return low + high;
}

enum sepx_err
sepx__binomial_init(struct sepx__binomial *x, uint64_t trials, double p,
                    double q)
{
    double odds = p / q, sum;
    uint64_t mode = 0, first = 0, last = 0;
    double *w;

    if (q <= 0) {
        mode = first = last = trials;
    } else if (p > 0) {
        mode = (uint64_t)((double)(trials + 1) * p);
        if (mode > trials)
            mode = trials;
        find_ends(trials, mode, odds, &first, &last);
    }
    x->first = (size_t)first;
    x->count = (size_t)(last - first) + 1;
    x->p = sepx__calloc(x->count, sizeof(*x->p));
    if (!x->p)
        return SEPX_ENOMEM;
    w = x->p + (mode - first);
    *w = 1;
    for (uint64_t i = mode; i > first; i--, w--)
        w[-1] = *w * ratio_down(trials, i, odds);
    w = x->p + (mode - first);
    for (uint64_t i = mode; i < last; i++, w++)
        w[1] = *w * ratio_up(trials, i, odds);
    sum = sum_from_ends(x->p, x->count, (size_t)(mode - first));
    for (size_t i = 0; i < x->count; i++)
        x->p[i] /= sum;
    return SEPX_OK;
}
