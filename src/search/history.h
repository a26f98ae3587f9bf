/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a search has proposed and heard so far, graph by graph. Two graphs
 * count as one if they are isomorphic without their dead nodes: such graphs
 * are one network. A distance to a target sees dead nodes, though, so that
 * who takes a score from here instead of asking for it uses a history of
 * whole graphs.
 */
#ifndef SEPX_SEARCH_HISTORY_H
#define SEPX_SEARCH_HISTORY_H

#include "base/internal.h"
#include "space/private.h"

#define SEPX__UNKNOWN UINT32_MAX

struct sepx__known_graph {
    struct sepx_key key;
    uint32_t trial;       /* the first that proposed it */
    uint32_t asked, told; /* proposals of it; scores of it */
    double fidelity;      /* the highest so far: of the scores that count */
    double mean;          /* of the scores at that fidelity */
    uint32_t count;       /* of them */
};

/* {0} is empty but for the first two; sepx__history_release() ends it. */
struct sepx__history {
    const struct sepx_space *space;
    bool whole; /* dead nodes count: only isomorphs are one graph */
    struct sepx__known_graph *graph;
    uint32_t *slot; /* hash table: graph + 1 */
    uint32_t *of;   /* by trial: its graph */
    uint32_t count, slots, trials;
    size_t graph_room, of_room;
    struct sepx_graph pruned; /* for keys */
    struct sepx_key last;     /* the key that was computed last */
};

void sepx__history_release(struct sepx__history *history);

/* The graph's number here, or SEPX__UNKNOWN if it was never proposed. */
SEPX_CHECKED enum sepx_err sepx__history_find(struct sepx__history *history,
                                              uint32_t *number,
                                              const struct sepx_graph *graph);
/* The proposal of trial `trial`, one behind the other from 0 on. */
SEPX_CHECKED enum sepx_err sepx__history_ask(struct sepx__history *history,
                                             uint32_t trial,
                                             const struct sepx_graph *graph);
/* A score of a trial; NaN is none. */
void sepx__history_tell(struct sepx__history *history, uint32_t trial,
                        double fidelity, double score);
/* The mean of the scores of a graph that count; NaN: it has none. */
double sepx__history_mean(const struct sepx__history *history, uint32_t number);

#endif
