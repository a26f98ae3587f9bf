/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Graph edit distance: the least total cost of edits (insert, delete, relabel
 * a node; insert, delete, relabel an edge) that turn one graph into an
 * isomorph of the other; the node map that proves it; and the edits in order.
 *
 * Deleting a node does not delete its edges for free: each is an edit of its
 * own. Reversing an edge costs a deletion and an insertion. An undirected edge
 * counts once, and so does each self-loop and each of parallel edges.
 *
 * Thread safety: a solver belongs to one thread at a time. Prepared graphs
 * are never changed and may be shared by all solvers with equal options.
 */
#ifndef SEPX_GED_H
#define SEPX_GED_H

#include "sepx/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what is measured ---- */

/* The cost of turning label `from` into `to`, instead of the general one. */
struct sepx_relabel_cost {
    uint16_t from, to;
    double cost;
};

/* The cost of inserting or deleting a label, instead of the general one. */
struct sepx_label_cost {
    uint16_t label;
    double cost;
};

/*
 * Each cost is 0 to 1,000,000. Keeping a label is free. An edge whose
 * relabelling is dearer than deleting and inserting it costs those two; two
 * nodes of that kind may still be mapped, for the sake of their edges.
 *
 * Sums are exact and do not depend on their order: costs become integers,
 * multiples of their common divisor. Where they have none (some cost is no
 * fraction with a denominator up to 1,000,000, or their product is above
 * 10^9), each is rounded to a multiple of the largest / 2^39 instead. So is
 * then what "exact" means.
 */
struct sepx_costs {
    double node_insert, node_delete, node_relabel;
    double edge_insert, edge_delete, edge_relabel;
    const struct sepx_relabel_cost *node_table, *edge_table;
    size_t n_node_table, n_edge_table;
    /* by label */
    const struct sepx_label_cost *node_insert_table, *node_delete_table;
    const struct sepx_label_cost *edge_insert_table, *edge_delete_table;
    size_t n_node_insert_table, n_node_delete_table;
    size_t n_edge_insert_table, n_edge_delete_table;
    /*
     * With weights, relabelling costs node_relabel (edge_relabel) times the
     * weighted share of the fields that differ, unless the table has a row
     * for it. A field that only one label has differs. `names` is the table
     * of all graphs and outlives the solver.
     */
    const struct sepx_field_weight *node_fields, *edge_fields;
    size_t n_node_fields, n_edge_fields;
    const struct sepx_names *names;
};

/* Every edit costs 1: struct sepx_costs costs = {SEPX_UNIT_COSTS}; */
#define SEPX_UNIT_COSTS \
    .node_insert = 1, .node_delete = 1, .node_relabel = 1, .edge_insert = 1, \
    .edge_delete = 1, .edge_relabel = 1

/* {0}: unit costs, nothing pinned, labels respected. */
struct sepx_ged_options {
    const uint16_t *pinned; /* labels whose nodes are never relabelled */
    size_t n_pinned;
    bool ignore_labels;             /* of nodes; then nothing is pinned */
    const struct sepx_costs *costs; /* NULL: every edit costs 1 */
    bool plain; /* leave out special processor instructions, to compare */
    /*
     * With a limit of nodes: spend no more than that on large graphs either.
     * Maps are worse and gaps are wider, but a distance of 64 nodes takes less
     * than a millisecond and not tens of them.
     */
    bool rough;
};

/* When to stop early. {0}: never. */
struct sepx_ged_limits {
    double seconds; /* 0: no limit */
    /*
     * Of the search tree; 0: no limit. A limit of work that is the same on
     * every machine: dear nodes (edge labels above 15, costs other than 1)
     * count as 64, and what ran out of nodes has as much work again spent
     * on a better map.
     */
    uint64_t nodes;
    /*
     * Threads for one pair that takes long, this one included; 0: one. The
     * answer is the same, map and count of nodes included. Without effect
     * where `nodes` is set.
     */
    unsigned threads;
    bool threshold; /* only decide whether the distance is <= at_most */
    double at_most;
    /*
     * Told the proven bounds at least ten times a second and whenever one of
     * them improved; `upper` is infinite until a map is known. Ends the
     * search by returning false, also within milliseconds of graphs too
     * large for an exact search. Very small pairs never call it. Functions
     * with `threads` call it from several threads at once. NULL: nobody.
     */
    bool (*watch)(void *context, double lower, double upper);
    void *context;
};

/* ---- the solver ---- */

struct sepx_ged;       /* options and working memory of one thread */
struct sepx_ged_graph; /* a graph made ready for many distances */

/*
 * The options are copied. SEPX_EINVAL for a negative or NaN cost. *ged is
 * NULL after a failure.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_ged_new(struct sepx_ged **ged, const struct sepx_ged_options *options);
SEPX_API void sepx_ged_free(struct sepx_ged *ged);

/*
 * `graph` is copied as far as needed and may change or go afterwards. *ready
 * is NULL after a failure. All functions below give SEPX_EINVAL for a directed
 * and an undirected graph, and SEPX_ELIMIT for two with more than 4,096
 * different bags of parallel edges.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_ged_prepare(struct sepx_ged *ged, struct sepx_ged_graph **ready,
                 const struct sepx_graph *graph);
SEPX_API void sepx_ged_graph_free(struct sepx_ged_graph *ready);

/*
 * Costs of one pair of graphs by node and edge, what functions that compare
 * two nodes or two edges come to. Matrices have a row for each node (edge) of
 * the first graph, edges in the order of sepx_graph.edge. Any number from 0
 * on; a substitution may be INFINITY: never. NULL: as the options say.
 */
struct sepx_pair_costs {
    const double *node_substitute, *node_delete, *node_insert;
    const double *edge_substitute, *edge_delete, *edge_insert;
};

/*
 * A solver for this pair alone and the two prepared graphs, for all functions
 * below that take one; each has its own *_free(). Substitution needs no
 * equality: two nodes of cost 0 need not have the same label. Pinned labels
 * of the options stay pinned. Costs become integers as in struct sepx_costs,
 * or else multiples of 2^-60 of the cost of deleting and inserting all.
 * SEPX_EINVAL for a negative or NaN cost, an infinite insertion or deletion,
 * or a directed and an undirected graph; SEPX_ELIMIT for more than 65,535
 * kinds of nodes or edges. All three are NULL after a failure.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_ged_new_pair(struct sepx_ged **ged, struct sepx_ged_graph **ready_a,
                  struct sepx_ged_graph **ready_b,
                  const struct sepx_ged_options *options,
                  const struct sepx_graph *a, const struct sepx_graph *b,
                  const struct sepx_pair_costs *costs);

/* Why a search ended. */
enum sepx_ged_end {
    SEPX_GED_PROVEN,    /* the distance is exact */
    SEPX_GED_THRESHOLD, /* limits->at_most is decided */
    SEPX_GED_SECONDS,   /* limits->seconds ran out */
    SEPX_GED_NODES,     /* limits->nodes ran out */
    SEPX_GED_SIZE,      /* the graphs are too large for a proof */
    SEPX_GED_STOPPED    /* limits->watch returned false */
};

struct sepx_ged_result {
    double lower, upper;   /* proven; equal if and only if `exact` */
    bool exact;            /* `upper` is the distance and `map` proves it */
    bool stopped;          /* `end` is SEPX_GED_STOPPED */
    enum sepx_ged_end end; /* why the bounds may differ */
    /*
     * Node of b for each node of a, SEPX_NONE for a deleted one; nodes of b
     * that do not appear are inserted. Its cost is `upper`. The solver's:
     * valid until its next call.
     */
    const int16_t *map;
    uint64_t nodes; /* of the search tree */
};

/*
 * The distance, exact unless a limit stopped the search; then the bounds and
 * the best map found. So does a search of hundreds of nodes that would need
 * more than 1 GiB for its tree (SEPX_GED_SIZE). With limits->threshold, the
 * search ends as soon as lower > at_most is proven or the distance is known.
 * Same input, same answer (a limit in seconds aside). Exponential in the
 * worst case.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_ged_run(struct sepx_ged *ged, struct sepx_ged_result *result,
             const struct sepx_ged_graph *a, const struct sepx_ged_graph *b,
             const struct sepx_ged_limits *limits);
/* Prepares both graphs first. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_ged_between(struct sepx_ged *ged, struct sepx_ged_result *result,
                 const struct sepx_graph *a, const struct sepx_graph *b,
                 const struct sepx_ged_limits *limits);

/* The cost of one given map, optimal or not. SEPX_EINVAL if it is no map. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_ged_map_cost(struct sepx_ged *ged, double *cost,
                  const struct sepx_ged_graph *a,
                  const struct sepx_ged_graph *b, const int16_t *map);

/* Node `a` of the first graph becomes node `b` of the second. */
struct sepx_ged_root {
    uint16_t a, b;
};

/*
 * A solver for this pair of graphs alone, and both made ready: answers, limits
 * and maps of all functions with it are of maps that have all of `root`.
 * SEPX_EINVAL if a node is not there or in two of them, a label of one is
 * pinned and the other has another label, or one graph is directed and one is
 * not. All three are NULL after a failure; each has its own *_free().
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_ged_new_rooted(struct sepx_ged **ged, struct sepx_ged_graph **ready_a,
                    struct sepx_ged_graph **ready_b,
                    const struct sepx_ged_options *options,
                    const struct sepx_graph *a, const struct sepx_graph *b,
                    const struct sepx_ged_root *root, size_t n_roots);
/*
 * Begin all searches of sepx_ged_run() with a map, of which a copy is made;
 * NULL: no longer. The answer is never worse than the map. A run gives
 * SEPX_EINVAL if it is no map of its two graphs.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_ged_start(struct sepx_ged *ged, const int16_t *map, uint32_t n_nodes);

/* The cost of deleting all of a and inserting all of b. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_ged_whole(struct sepx_ged *ged, double *cost,
               const struct sepx_ged_graph *a, const struct sepx_ged_graph *b);
/*
 * A distance between 0 and 1: 2 d / (whole + d), with the cost of
 * sepx_ged_whole(). A metric wherever the distance is one (Li and Zhang 2011).
 */
SEPX_API double sepx_ged_normalized(double distance, double whole);

/* ---- many distances ---- */

struct sepx_ged_bounds {
    double lower, upper;
};

/*
 * Distances from a[i] to b[i], on one thread: the fastest way through.
 * SEPX_ESTOPPED, here and below, if limits->watch returned false; what is
 * unfinished then is undefined.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_ged_batch(struct sepx_ged *ged, struct sepx_ged_bounds *out,
               const struct sepx_ged_graph *const *a,
               const struct sepx_ged_graph *const *b, size_t count,
               const struct sepx_ged_limits *limits);

/*
 * Distances from `one` to each of `many`, or (sepx_ged_matrix) of all pairs
 * i < j, out[i * count + j] and out[j * count + i], on `threads` threads
 * (0: all processors). `progress` may be NULL; it is called from any thread,
 * one call at a time, with the number of pairs done, and stops the work with
 * SEPX_ESTOPPED if it returns false.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_ged_one_to_many(const struct sepx_ged_options *options,
                     struct sepx_ged_bounds *out, const struct sepx_graph *one,
                     const struct sepx_graph *many, size_t count,
                     const struct sepx_ged_limits *limits, unsigned threads);
SEPX_API SEPX_CHECKED enum sepx_err
sepx_ged_matrix(const struct sepx_ged_options *options,
                struct sepx_ged_bounds *out, const struct sepx_graph *graphs,
                size_t count, const struct sepx_ged_limits *limits,
                unsigned threads,
                bool (*progress)(void *context, size_t done, size_t total),
                void *context);

/* ---- all optimal maps ---- */

/*
 * Visit every optimal map once, in a fixed order, until `visit` returns
 * false. *count gets the number visited. Maps that differ only in which of
 * several equivalent nodes is taken are different maps. SEPX_ELIMIT if
 * `limits` ran out first, SEPX_ESTOPPED if limits->watch ended it.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_ged_optima(struct sepx_ged *ged, uint64_t *count,
                const struct sepx_ged_graph *a, const struct sepx_ged_graph *b,
                const struct sepx_ged_limits *limits,
                bool (*visit)(void *context, const int16_t *map),
                void *context);
/*
 * As sepx_ged_run, but the map is drawn uniformly from all optimal ones.
 * Stops drawing after `most` of them (0: all), for pairs that have very
 * many; the map is then uniform among the first `most`. If `limits` ran out
 * before the distance was proven, the map is the best one found; if after,
 * it is uniform among those seen so far. SEPX_ESTOPPED if limits->watch
 * returned false.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_ged_random(struct sepx_ged *ged, struct sepx_ged_result *result,
                const struct sepx_ged_graph *a, const struct sepx_ged_graph *b,
                const struct sepx_ged_limits *limits, uint64_t most,
                struct sepx_rng *rng);

/* ---- the edit path ---- */

enum sepx_edit_kind {
    SEPX_EDGE_DELETE,
    SEPX_NODE_DELETE, /* its edges are deleted before it */
    SEPX_NODE_RELABEL,
    SEPX_NODE_INSERT,
    SEPX_EDGE_RELABEL,
    SEPX_EDGE_INSERT
};

/*
 * Nodes are numbered through the whole path: those of a keep their numbers,
 * inserted ones follow as a.n_nodes, a.n_nodes + 1, ...
 */
struct sepx_edit {
    enum sepx_edit_kind kind;
    uint16_t node; /* of a node edit */
    uint16_t from; /* of an edge edit */
    uint16_t to;
    uint16_t old_label, new_label; /* where the kind has them, else 0 */
};

/* The caller's: {0} is empty, sepx_path_release() ends it. */
struct sepx_path {
    struct sepx_edit *edit;
    size_t len;
    uint16_t n_first;  /* nodes of a */
    uint16_t n_insert; /* nodes the path inserts */
};

SEPX_API void sepx_path_release(struct sepx_path *path);
/*
 * The edits that a map implies, in an order in which each can be applied:
 * by kind as above, ascending within a kind. With `ignore_labels`, node
 * labels are left as they are. `path` may hold an older path. O(n + m).
 * Parallel edges keep equal labels and change as few others as they can,
 * which is cheapest unless relabellings have costs of their own. SEPX_EINVAL
 * if `map` is no map, or one graph is directed and one undirected.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_path_from_map(struct sepx_path *path, const struct sepx_graph *a,
                   const struct sepx_graph *b, const int16_t *map,
                   bool ignore_labels);
/*
 * Apply the edits i with take[i] true (take == NULL: all) to `a`, in order.
 * An edge edit whose endpoint is missing is dropped; deleting a node takes
 * its remaining edges along. Nodes of the child: those of a that stay, then
 * inserted ones. *dropped (may be NULL) counts dropped edits. `node_of` (may
 * be NULL, else n_first + n_insert long) gets each path node's number in the
 * child, or SEPX_NONE.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_path_apply(const struct sepx_path *path, struct sepx_graph *child,
                const struct sepx_graph *a, const bool *take, size_t *dropped,
                int16_t *node_of);

#ifdef __cplusplus
}
#endif
#endif
