/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of `sepx bench ged`: ged.c fills them, ged_report.c prints. */
#ifndef SEPX_BENCH_GED_TABLES_H
#define SEPX_BENCH_GED_TABLES_H

#include "bench.h"

enum { ROWS_MAX = 16 };

/* What AStar+-BMao needed: another machine, 2 cores, x86-64 with AVX2. */
struct reported {
    unsigned distance;
    double us;
};

/* A row of a table by distance. Times are for one pair, in seconds. */
struct distance_row {
    unsigned distance;
    double batch, run, plain; /* medians */
    double networkx;          /* median, NaN: not measured */
    bool timed_out;           /* the median is only a lower bound */
    double reported;          /* NaN: no figure */
};

struct distance_table {
    const char *key, *title;
    const struct bench_kind *kind;
    unsigned nodes, most;
    const struct reported *reported; /* ended by 0 */
    struct distance_row row[ROWS_MAX];
    /* Seconds a pair, many unrelated pairs in one stream: */
    double mixed;  /* in one batch */
    double free;   /* the same, nothing pinned */
    double single; /* graphs that are not prepared, a call for each pair */
};

struct size_row {
    unsigned nodes, pairs, solved;
    double seconds; /* median */
    double slowest;
    double lower, upper; /* medians of the bounds */
};

struct size_table {
    const char *key, *title;
    unsigned edits; /* 0: unrelated */
    const unsigned *sizes;
    struct size_row row[ROWS_MAX];
};

/* A set of real graphs; times in seconds, quoted ones in ms, NaN: none. */
struct real_row {
    const char *name;
    unsigned pairs, solved, wrong;
    double limit, median, slowest;
    double bbb, bbb_solved, astar, astar_solved;
};

struct bench {
    const struct bench_settings *settings;
    struct distance_table distance[2];
    struct size_table size[2];
    struct bench_networkx networkx;
    struct real_row real[ROWS_MAX];
    size_t n_real;
    unsigned disagree; /* pairs on which networkx has another distance */
    struct out out;
};

/* ged_real.c */
SEPX_CHECKED enum sepx_err ged_real_measure(struct bench *bench);
void ged_real_print(const struct bench *bench, struct out *out);
void ged_real_json(const struct bench *bench, struct sepx_json_writer *w);

void ged_report_text(struct bench *bench);
void ged_report_json(struct bench *bench);

#endif
