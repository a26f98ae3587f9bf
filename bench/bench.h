/* SPDX-License-Identifier: Apache-2.0 */
/* What the benchmarks share. All randomness comes from fixed seeds. */
#ifndef SEPX_BENCH_H
#define SEPX_BENCH_H

#include "frame/display.h"

struct bench_settings {
    bool quick, json, no_networkx, no_numpy;
    int64_t seed, pairs;
    double timeout;
    const char *python;
};

/* data.c */
int bench_data_run(const struct bench_settings *settings);
/* eval.c */
int bench_eval_run(const struct bench_settings *settings);
/* ged.c */
int bench_ged_run(const struct bench_settings *settings);
/* networks.c */
int bench_networks_run(const struct bench_settings *settings);
/* search.c */
int bench_search_run(const struct bench_settings *settings);
/* study.c */
int bench_study_run(const struct bench_settings *settings);
/* theory.c */
int bench_theory_run(const struct bench_settings *settings);

/* ged.c: `value` may be in any order and stays so. */
SEPX_CHECKED enum sepx_err bench_median(double *out, const double *value,
                                        size_t count);

/* ---- cells.c: graphs to measure ---- */

/* How graphs of one kind are drawn and changed. */
struct bench_kind {
    const char *const *pinned; /* ended by NULL */
    void (*draw)(struct sepx_graph *graph, unsigned nodes, struct sepx_rng *rng,
                 enum sepx_err *err);
    /* Ends of a random edge that may be there; node to relabel, its label. */
    void (*ends)(const struct sepx_graph *graph, unsigned *from, unsigned *to,
                 struct sepx_rng *rng);
    unsigned (*node)(const struct sepx_graph *graph, struct sepx_rng *rng);
    const char *const *labels; /* of nodes that may be relabelled */
};

extern const struct bench_kind bench_kind_cell;      /* 7 nodes */
extern const struct bench_kind bench_kind_recurrent; /* 12 nodes */
extern const struct bench_kind bench_kind_dag;       /* any number */

/* The caller's: {0} is empty, bench_pairs_release() ends it. */
struct bench_pairs {
    struct sepx_names *names;
    const struct bench_kind *kind;
    struct sepx_graph *a, *b; /* `count` each */
    size_t count;
    uint16_t pinned[8];
    size_t n_pinned;
};

void bench_pairs_release(struct bench_pairs *pairs);
/* `pairs` must be empty: `count` graphs a; each b a changed a. */
SEPX_CHECKED enum sepx_err
bench_pairs_by_distance(struct bench_pairs *pairs,
                        const struct bench_kind *kind, unsigned nodes,
                        size_t count, unsigned distance, uint64_t seed);
/* b is a after `edits` random edits, its nodes shuffled. */
SEPX_CHECKED enum sepx_err bench_pairs_related(struct bench_pairs *pairs,
                                               const struct bench_kind *kind,
                                               unsigned nodes, size_t count,
                                               unsigned edits, uint64_t seed);
/* a and b are drawn independently. */
SEPX_CHECKED enum sepx_err
bench_pairs_unrelated(struct bench_pairs *pairs, const struct bench_kind *kind,
                      unsigned nodes, size_t count, uint64_t seed);

/* ---- networkx.c: the same pairs, measured by networkx ---- */

/* What networkx needed for one pair. */
struct bench_peer {
    double seconds;
    double ged; /* NaN: timed out */
};

/* Pairs for networkx and its answers. {0} is empty. */
struct bench_networkx {
    struct sepx_text input;
    size_t count;
    struct bench_peer *answer; /* NULL: networkx is not there */
    char version[64];
    /* Told the pairs done; false: stop. NULL: shown on a terminal. */
    bool (*watch)(void *context, size_t done, size_t total);
    void *context;
};

SEPX_CHECKED enum sepx_err bench_networkx_add(struct bench_networkx *networkx,
                                              const struct bench_pairs *pairs,
                                              size_t index, double timeout);
/*
 * Without networkx, `answer` stays NULL, the user of `command` is told, and
 * the call succeeds.
 */
SEPX_CHECKED enum sepx_err bench_networkx_run(struct bench_networkx *networkx,
                                              const char *command,
                                              const char *python);
void bench_networkx_release(struct bench_networkx *networkx);

#endif
