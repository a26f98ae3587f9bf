/* SPDX-License-Identifier: Apache-2.0 */
/* How well one list of numbers has the order of another. */
#ifndef SEPX_TESTS_RANKS_H
#define SEPX_TESTS_RANKS_H

#include <stdlib.h>

struct ranked {
    double got, want;
};

static int
by_want(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    return (x->want > y->want) - (x->want < y->want);
}

static int
by_got(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    return (x->got > y->got) - (x->got < y->got);
}

/* Ties are few, and keep the order that they have: a slight error. */
static double
spearman(struct ranked *at, size_t n)
{
    double sum = 0, size = (double)n;

    qsort(at, n, sizeof *at, by_want);
    for (size_t i = 0; i < n; i++)
        at[i].want = (double)i;
    qsort(at, n, sizeof *at, by_got);
    for (size_t i = 0; i < n; i++)
        sum += ((double)i - at[i].want) * ((double)i - at[i].want);
    return 1 - 6 * sum / (size * (size * size - 1));
}

#endif
