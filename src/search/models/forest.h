/* SPDX-License-Identifier: Apache-2.0 */
/* Regression forest over vectors of categorical variables. */
#ifndef SEPX_SEARCH_FOREST_H
#define SEPX_SEARCH_FOREST_H

#include "base/internal.h"

#define SEPX__FOREST_CHOICES 16 /* of a variable, at most */

struct sepx__forest_rules {
    uint32_t trees;
    uint32_t rows; /* drawn with replacement for each tree, at most */
    uint32_t least_split, least_leaf, depth;
    double features; /* share of the variables looked at for a split */
    struct sepx_stop stop;
};

#define SEPX__FOREST_TREES 64

struct sepx__forest_node {
    uint32_t left;      /* its child; the right one is next. 0: a leaf */
    uint16_t variable;  /* that decides */
    uint16_t goes_left; /* bit k: the value k does */
};

/* Results: row i is the vector value[which[i] * variables], scored y[i]. */
struct sepx__rows {
    const uint16_t *value;
    const uint32_t *which;
    const double *y;
    uint32_t count, variables;
    const uint16_t *choices;
};

/* {0} is empty; sepx__forest_release() ends it. */
struct sepx__forest {
    struct sepx__forest_rules rules;
    uint32_t variables;
    uint32_t *root; /* by tree */
    struct sepx__forest_node *node;
    double *mean; /* by node: of the rows that came there */
    size_t n_nodes, node_room, mean_room, root_room;
    uint32_t *row; /* of the tree that grows */
    uint32_t *pick;
    size_t row_room, pick_room;
};

/* Grow all trees anew. SEPX_ELIMIT if a variable has too many choices. */
SEPX_CHECKED enum sepx_err
sepx__forest_grow(struct sepx__forest *forest, const struct sepx__rows *rows,
                  const struct sepx__forest_rules *rules, struct sepx_rng *rng);
/*
 * Grow one tree on the rows as they are, all variables looked at in order:
 * no chance in it. For tests.
 */
SEPX_CHECKED enum sepx_err
sepx__forest_grow_plain(struct sepx__forest *forest,
                        const struct sepx__rows *rows,
                        const struct sepx__forest_rules *rules);
void sepx__forest_release(struct sepx__forest *forest);

/* Mean and variance, over the trees, of their leaves' means. */
void sepx__forest_predict(const struct sepx__forest *forest, double *mean,
                          double *variance, const uint16_t *value);

/* Where a vector went: what its neighbours have in common with it. */
struct sepx__trace {
    double mean[SEPX__FOREST_TREES]; /* of its leaf, by tree */
    /*
     * variables x trees: the first node of the tree that the variable
     * decided; SEPX__NEVER: none. The caller's room.
     */
    uint32_t *first;
};

#define SEPX__NEVER UINT32_MAX

void sepx__forest_trace(const struct sepx__forest *forest,
                        struct sepx__trace *trace, const uint16_t *value);
/*
 * As sepx__forest_predict() if `value` differs from the traced one in
 * `variable` alone, to the last bit. False: it predicts the same for both.
 */
bool sepx__forest_predict_near(const struct sepx__forest *forest, double *mean,
                               double *variance, const uint16_t *value,
                               const struct sepx__trace *trace,
                               uint32_t variable);

#endif
