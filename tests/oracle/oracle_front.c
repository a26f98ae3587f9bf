/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/oracle_front.h"

#include <math.h>

/* The definition, word for word. */
static bool
is_better(const struct sepx_merit *a, const struct sepx_merit *b)
{
    bool somewhere = false;

    if (a->violation != b->violation)
        return a->violation < b->violation;
    for (uint32_t i = 0; i < a->count; i++) {
        if (a->objective[i] > b->objective[i])
            return false;
        somewhere = somewhere || a->objective[i] < b->objective[i];
    }
    return somewhere;
}

uint32_t
oracle_front_rank(const struct sepx_merit *merit, size_t count, size_t at)
{
    uint32_t rank = 0;

    for (size_t i = 0; i < count; i++) {
        uint32_t above;

        if (!is_better(&merit[i], &merit[at]))
            continue;
        above = oracle_front_rank(merit, count, i) + 1;
        rank = above > rank ? above : rank;
    }
    return rank;
}

/* What all boxes of a subset have in common. */
static double
common(const double *point, size_t count, uint32_t n, const double *reference,
       uint32_t subset)
{
    double volume = 1;

    for (uint32_t k = 0; k < n; k++) {
        double from = -INFINITY;

        for (size_t i = 0; i < count; i++) {
            if (subset >> i & 1)
                from = fmax(from, point[i * n + k]);
        }
        volume *= fmax(0, reference[k] - from);
    }
    return volume;
}

double
oracle_front_volume(const double *point, size_t count, uint32_t n,
                    const double *reference)
{
    double volume = 0;

    for (uint32_t subset = 1; subset < 1u << count; subset++) {
        int members = 0;

        for (size_t i = 0; i < count; i++)
            members += (int)(subset >> i & 1);
        volume +=
            (members % 2 ? 1 : -1) * common(point, count, n, reference, subset);
    }
    return volume;
}
