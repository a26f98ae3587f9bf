/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A model of scores over the graphs of a space: a Gaussian process on edit
 * distances. It knows a bounded number of graphs, so that a question costs as
 * many distances at most.
 */
#ifndef SEPX_SEARCH_SURFACE_H
#define SEPX_SEARCH_SURFACE_H

#include "search/models/gauss.h"
#include "sepx/ged.h"
#include "space/private.h"

struct sepx__surface_row {
    uint64_t number; /* the caller's name of the graph */
    uint64_t since;  /* when it came to be known; the later, the larger */
    double score;    /* mean; NaN: it is under way */
    double guess;    /* normal score that stands for it until then */
    double smooth;   /* normal score by the model, after a fit */
    uint32_t count;  /* scores in the mean */
    uint32_t trial;  /* the caller's, of the graph as it is here */
    struct sepx_graph graph;
    struct sepx_ged_graph *ready; /* without dead nodes */
};

/* {0} is empty; sepx__surface_release() ends it, whatever init said. */
struct sepx__surface {
    const struct sepx_space *space;
    struct sepx_ged *ged;
    uint32_t keep; /* rows at most */
    uint64_t align;
    struct sepx__surface_row *row;
    uint32_t count, scored;
    uint64_t clock;
    uint16_t *distance, *gap;  /* keep x keep */
    uint16_t *near, *near_gap; /* of the graph in question */
    uint32_t *order; /* rows with a score, ascending; then for sorting */
    uint32_t *best;  /* rows by `smooth`, ascending, after a fit */
    double *y, *scores, *blur;
    struct sepx__gauss gauss;
    uint32_t chosen; /* scored rows when the kernel was chosen */
    bool stale;      /* the last fit is not of these rows */
    struct sepx_graph pruned;
};

/*
 * `keep`: graphs that are known at most, 4 or more; `align` is the rule of
 * that name: what may be spent on a distance.
 */
SEPX_CHECKED enum sepx_err sepx__surface_init(struct sepx__surface *surface,
                                              const struct sepx_space *space,
                                              uint32_t keep, uint64_t align);
void sepx__surface_release(struct sepx__surface *surface);

/*
 * A graph, by any number that names it, has this mean of `count` scores; NaN
 * and 0: it is under way, and what the model expects of it stands for a
 * score. If there are too many graphs, one that is neither of the better half
 * nor recent is forgotten.
 */
SEPX_CHECKED enum sepx_err
sepx__surface_tell(struct sepx__surface *surface, uint64_t number,
                   const struct sepx_graph *graph, uint32_t trial, double score,
                   uint32_t count);
/* A graph under way came to nothing. */
void sepx__surface_drop(struct sepx__surface *surface, uint64_t number);
/* Whether there are enough scores for a fit, which are two different ones. */
bool sepx__surface_ready(const struct sepx__surface *surface);
/* Bring the model up to date. */
SEPX_CHECKED enum sepx_err sepx__surface_fit(struct sepx__surface *surface);
/*
 * What is to be expected of a graph, as a normal score: the lower, the
 * better. After a fit. `deviation` may be NULL, which is faster.
 */
SEPX_CHECKED enum sepx_err sepx__surface_ask(struct sepx__surface *surface,
                                             double *mean, double *deviation,
                                             const struct sepx_graph *graph);
/* The score that has this normal score, by the rows' own scores. */
double sepx__surface_score(const struct sepx__surface *surface, double normal);

#endif
