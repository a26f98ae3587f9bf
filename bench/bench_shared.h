/* SPDX-License-Identifier: Apache-2.0 */
/* Benchmarks on data that is not part of the project. */
#ifndef SEPX_BENCH_SHARED_H
#define SEPX_BENCH_SHARED_H

#include <stdio.h>

#include "bench.h"

/* NULL if it is not there. */
FILE *bench_shared_open(const char *name);
/* Seconds of processor time of this thread. */
double bench_processor(void);
/* A distance with a limit of processor time; *spent gets what it took. */
SEPX_CHECKED enum sepx_err
bench_limited(struct sepx_ged *ged, struct sepx_ged_result *result,
              const struct sepx_ged_graph *a, const struct sepx_ged_graph *b,
              double seconds, double *spent);
/* align.c: the best of twelve plain alignments, in the order of the nodes. */
SEPX_CHECKED enum sepx_err
bench_align(struct sepx_ged *ged, double *cost, const struct sepx_graph *a,
            const struct sepx_graph *b, const struct sepx_ged_graph *ready_a,
            const struct sepx_ged_graph *ready_b);

/* One line of a file of pairs. {0} is empty. */
struct bench_shared_pair {
    struct sepx_names *names;
    struct sepx_graph a, b;
    double ged; /* as the file says, -1: it does not */
};

/* The next pair; *more is false at the end. */
SEPX_CHECKED enum sepx_err
bench_shared_pair(FILE *file, struct bench_shared_pair *pair, bool *more);
void bench_shared_release(struct bench_shared_pair *pair);

#endif
