/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Maps of acyclic graphs that keep an order: what a local search starts from
 * where whole networks are compared. docs/algorithms.md says why.
 */
#ifndef SEPX_GED_ALIGN_H
#define SEPX_GED_ALIGN_H

#include "ged/split/split.h"

#define ALIGN_LEAST GED_NUMBERED /* columns; smaller pairs do without */

/*
 * Topological orders of both graphs of a problem that fit each other. The
 * first kind is the numbering of rows and columns, the last one that of the
 * task's graphs before they were renumbered. The others depend on labels and
 * edges; on the numbering only where two nodes look alike for far around.
 */
enum dag_order_kind {
    DAG_ORDER_OWN,      /* or as BACKWARD, if that is not topological */
    DAG_ORDER_FORWARD,  /* branches together, each node as soon as it can be */
    DAG_ORDER_BACKWARD, /* branches together, each as late as it is needed */
    DAG_ORDER_FORWARD_LONG, /* the same, and short branches first */
    DAG_ORDER_BACKWARD_LONG,
    DAG_ORDER_FORWARD_TURNED, /* branches the other way round */
    DAG_ORDER_BACKWARD_TURNED,
    DAG_ORDER_FORWARD_DEEP, /* and long branches first */
    DAG_ORDER_BACKWARD_DEEP,
    DAG_ORDER_GIVEN,
    DAG_ORDER_KINDS
};

/* That of tasks that are renumbered, by the nodes of the larger graph. */
static inline enum dag_order_kind
sepx__dag_numbered(uint32_t n)
{
    return n <= GED_SMALL ? DAG_ORDER_BACKWARD : DAG_ORDER_BACKWARD_DEEP;
}

struct dag_order {
    uint32_t *at[2];    /* node at each position: of the rows, the columns */
    uint32_t *place[2]; /* position of each node */
};

/* {0} is empty; sepx__dag_release() ends it. */
struct dag {
    const struct ged_problem *p;
    bool acyclic; /* both graphs; else nothing below is set */
    bool is_own;  /* the numberings of rows and columns are topological */
    uint32_t *rank[2];
    uint32_t *length[2][2]; /* longest path to each node, and from it */
    uint32_t *next;         /* ends of the darts of a walk, in its order */
    uint32_t *stack, *cursor;
    struct dag_key *key;
    void *memory;
};

SEPX_CHECKED enum sepx_err sepx__dag_init(struct dag *dag,
                                          const struct ged_problem *p);
void sepx__dag_release(struct dag *dag);
/* `order` has room for all nodes; any kind but DAG_ORDER_GIVEN. */
void sepx__dag_order(struct dag *dag, struct dag_order *order,
                     enum dag_order_kind kind);
/* Whether edges lead to higher numbers; NULL: the nodes' own. */
bool sepx__dag_ascends(const struct sepx_ged_graph *g, const uint32_t *number);
/* That one; false if the numbers are not in a topological order. */
bool sepx__dag_order_given(struct dag *dag, struct dag_order *order,
                           const struct ged_numbers *numbers);

/* An earlier item that an edge leads from, and the edge's code. */
struct align_near {
    uint32_t place;
    uint16_t code;
};

/*
 * Two sequences of `n` and `m` items. Items i and k that are matched add
 * score[i * m + k], unless that is below ALIGN_NEVER / 2: then they never
 * are. If i - 1 and k - 1 are matched as well, link(chain_a[i], chain_b[k])
 * is added where both chains are set.
 */
#define ALIGN_NEVER (-(1 << 29))
struct align_sequences {
    uint32_t n, m;
    const int32_t *score;
    const uint16_t *chain[2]; /* of each item: 1 + edge code, 0: no chain */
    /*
     * A match that is not preceded by one costs `gap` for each of the edges
     * that lead across the place before it in both sequences.
     */
    int32_t gap;
    const int32_t *across[2];
    const int16_t *link; /* by codes, `codes` in a row */
    uint32_t codes;
    /*
     * Also add the links of other edges from items matched before, as the
     * best alignment of what comes before has them, so many steps back. The
     * sum is no longer the largest, but the map often a better one.
     */
    uint32_t looks_back;      /* 0: do not */
    const uint32_t *first[2]; /* of each item, its part of `near` */
    const struct align_near *near[2];
    int32_t *sums; /* room for 4 * (m + 1) */
    uint8_t *from; /* room for n * m */
};

/*
 * The alignment with the largest sum, which is returned; map[i] gets an item
 * of the second sequence or -1. O(n * m).
 */
int64_t sepx__align_sequences(const struct align_sequences *q, int32_t *map);

/*
 * Offer maps that keep an order, if the graphs have one: of all orders, a
 * first try of one, or of the order in which a renumbered task was given. Sets
 * s->aligned, after a try only if that was better than what was known.
 */
enum align_orders { ALIGN_ONE, ALIGN_ALL, ALIGN_GIVEN };
SEPX_CHECKED enum sepx_err sepx__align_offer(struct ged_split *s,
                                             enum align_orders orders);

/*
 * grow.c: offer the best map so far, improved along its edges, and one that
 * grew from nodes alike. Any graphs. Sets s->aligned if one was better.
 */
SEPX_CHECKED enum sepx_err sepx__grow_offer(struct ged_split *s);

#endif
