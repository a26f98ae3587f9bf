/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pair of graphs as a maximisation: each edit that a map saves, compared
 * with deleting all of the one graph and inserting all of the other, is a
 * reward. Directed or undirected, any costs.
 */
#ifndef SEPX_GED_PROBLEM_H
#define SEPX_GED_PROBLEM_H

#include "ged/internal.h"

#define GED_GONE (-(1 << 29)) /* reward of a pair that is out */
#define GED_IS_GONE(reward) ((reward) < GED_GONE / 2)
#define GED_FORBIDDEN_REWARD (INT64_MIN / 4)
#define GED_EDGE_POINTS 4096 /* the largest reward of an edge, in points */

/*
 * An edge has a dart at each of its ends. Darts come in classes: out and in,
 * or a single one if the graph is undirected.
 */
struct ged_dart {
    uint16_t node; /* at the other end */
    uint16_t slot; /* of the partner, among the darts of its class there */
    uint16_t code; /* place of the edge's label in graph->code */
};

struct ged_darts {
    uint32_t *first; /* n + 1 */
    struct ged_dart *dart;
    uint16_t *filled; /* number of them at each node */
};

struct ged_sketch {
    const struct sepx_ged_graph *graph;
    struct ged_darts by[2]; /* by class */
    uint32_t *loop;         /* label of each node's loop + 1; 0: none */
    uint32_t most[2];       /* darts at one node */
};

/* {0} is empty; sepx__problem_release() ends it. */
struct ged_problem {
    const struct ged_costs *costs;
    bool swapped;           /* the rows are the second graph's nodes */
    unsigned classes;       /* 2 if directed, else 1 */
    uint32_t n, m, width;   /* rows <= columns; columns padded to 8 */
    struct ged_sketch a, b; /* rows, columns */
    int64_t all;            /* cost of deleting and inserting everything */
    int64_t unit;           /* all costs of maps are equal modulo this */
    int64_t grade;          /* units that make a difference worth a name */
    /* points = steps * scale / grain, rounded up */
    int64_t scale, grain;
    int16_t *edge; /* a row for each label of a: points for those of b */
    int32_t *base; /* n rows of `width`: points of a pair without its edges */
    bool over;     /* the task was first: without points */
    void *memory;
};

/*
 * Of the graphs and costs of a task, which need not outlive it otherwise.
 * Without `matrix`, there are no points; only steps.
 */
SEPX_CHECKED enum sepx_err sepx__problem_init(struct ged_problem *p,
                                              const struct ged_task *task,
                                              bool matrix);
void sepx__problem_release(struct ged_problem *p);

/* Steps saved by mapping a row to a column; GED_FORBIDDEN_REWARD: never. */
int64_t sepx__problem_node(const struct ged_problem *p, uint32_t i, uint32_t k);
/* Steps saved by keeping an edge of the rows as one of the columns. */
int64_t sepx__problem_edge(const struct ged_problem *p, uint16_t x, uint16_t y);
/* The same for an edge with dart `d`, if its ends are mapped to k and l. */
int64_t sepx__problem_link(const struct ged_problem *p, unsigned class,
                           const struct ged_dart *d, uint32_t k, uint32_t l);
/* Steps in points, never too few. */
int64_t sepx__problem_points(const struct ged_problem *p, int64_t steps);
/* Cost of a map: a column for each row, or -1. */
int64_t sepx__problem_price(const struct ged_problem *p, const int32_t *map);
/*
 * Row i on column i: of two versions of one graph, often nearly the best map,
 * and local search seldom finds back to it.
 */
void sepx__problem_identity(const struct ged_problem *p, int32_t *map);
/* The same map as a public one, of the first graph's nodes. */
void sepx__problem_export(const struct ged_problem *p, const int32_t *map,
                          int16_t *out);
void sepx__problem_import(const struct ged_problem *p, const int16_t *map,
                          int32_t *in);

static inline int32_t
ged_edge_points(const struct ged_problem *p, const struct ged_dart *d,
                const struct ged_dart *f)
{
    return p->edge[(size_t)d->code * p->b.graph->n_codes + f->code];
}

static inline uint32_t
ged_degree(const struct ged_sketch *s, unsigned class, uint32_t node)
{
    return s->by[class].filled[node];
}

#endif
