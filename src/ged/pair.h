/* SPDX-License-Identifier: Apache-2.0 */
/* Two graphs under any costs: prices of single edits and of whole maps. */
#ifndef SEPX_GED_PAIR_H
#define SEPX_GED_PAIR_H

#include "ged/internal.h"

#define GED_FORBIDDEN (INT64_MAX / 4)

/* The edges at each node, both ways. */
struct ged_links {
    uint32_t *first; /* n + 1 positions in `end` */
    struct ged_link {
        uint16_t node, code;
    } * end; /* ascending by node */
};

struct ged_side {
    const struct sepx_ged_graph *graph;
    struct ged_links out, in;
};

/* {0} is empty; sepx__pair_release() ends it. */
struct ged_pair {
    const struct ged_costs *costs;
    struct ged_side a, b; /* with the same edge codes */
    void *memory;
};

SEPX_CHECKED enum sepx_err
sepx__pair_init(struct ged_pair *pair, const struct ged_costs *costs,
                const struct sepx_ged_graph *a, const struct sepx_ged_graph *b);
void sepx__pair_release(struct ged_pair *pair);

/* Code of the edge from i to k, 0 if there is none. O(log degree). */
unsigned sepx__pair_code(const struct ged_side *side, unsigned i, unsigned k);
/* GED_FORBIDDEN if the classes differ. */
int64_t sepx__pair_node(const struct ged_pair *pair, unsigned i, unsigned j);
/* From code x to code y; 0 is no edge. */
int64_t sepx__pair_edge(const struct ged_pair *pair, unsigned x, unsigned y);
/* SEPX_EINVAL unless `map` is one-to-one and keeps to the classes. */
SEPX_CHECKED enum sepx_err sepx__pair_check_map(const struct ged_pair *pair,
                                                const int16_t *map);
int64_t sepx__pair_map_cost(const struct ged_pair *pair, const int16_t *map);

/* improve.c: better `map`, of cost *cost, by exchanging images. */
SEPX_CHECKED enum sepx_err sepx__pair_improve(const struct ged_pair *pair,
                                              int16_t *map, int64_t *cost,
                                              double deadline);

/* assign.c */
struct ged_assignment {
    size_t rows, columns;
    /*
     * What a row pays for a column, and for its own place outside; a column
     * that no row takes pays as well. `cost` may hold GED_FORBIDDEN.
     */
    const int64_t *cost, *row_alone, *column_alone;
    int32_t *column_of; /* result: column of each row, or -1 */
    int64_t total;
    double deadline; /* 0: none */
};

/* Solves it; SEPX_ELIMIT if the deadline passed. */
SEPX_CHECKED enum sepx_err sepx__assign(struct ged_assignment *problem);

#endif
