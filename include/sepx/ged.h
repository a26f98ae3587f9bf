/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Graph edit distance: the least total cost of edits (insert, delete, relabel
 * a node; insert, delete, relabel an edge) that turn one graph into an
 * isomorph of the other; the node map that proves it; and the edits in order.
 *
 * Deleting a node does not delete its edges for free: each is an edit of its
 * own. Reversing an edge costs a deletion and an insertion.
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

/*
 * Each cost is 0 to 1,000,000 and is rounded to a multiple of 1/1,000,000,
 * so that sums are exact and do not depend on their order. Keeping a label is
 * free. An edge whose relabelling is dearer than deleting and inserting it
 * costs those two.
 */
struct sepx_costs {
    double node_insert, node_delete, node_relabel;
    double edge_insert, edge_delete, edge_relabel;
    const struct sepx_relabel_cost *node_table, *edge_table;
    size_t n_node_table, n_edge_table;
};

/* {0}: unit costs, nothing pinned, labels respected. */
struct sepx_ged_options {
    const uint16_t *pinned; /* labels whose nodes are never relabelled */
    size_t n_pinned;
    bool ignore_labels;             /* of nodes; then nothing is pinned */
    const struct sepx_costs *costs; /* NULL: every edit costs 1 */
    bool plain; /* leave out special processor instructions, to compare */
};

/* When to stop early. {0}: never. */
struct sepx_ged_limits {
    double seconds; /* 0: no limit */
    uint64_t nodes; /* of the search tree; 0: no limit */
    bool threshold; /* only decide whether the distance is <= at_most */
    double at_most;
};

/* ---- the solver ---- */

struct sepx_ged;       /* options and working memory of one thread */
struct sepx_ged_graph; /* a graph made ready for many distances */

/* The options are copied. SEPX_EINVAL for a negative or NaN cost. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_ged_new(struct sepx_ged **ged, const struct sepx_ged_options *options);
SEPX_API void sepx_ged_free(struct sepx_ged *ged);

/* `graph` is copied as far as needed and may change or go afterwards. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_ged_prepare(struct sepx_ged *ged, struct sepx_ged_graph **ready,
                 const struct sepx_graph *graph);
SEPX_API void sepx_ged_graph_free(struct sepx_ged_graph *ready);

struct sepx_ged_result {
    double lower, upper; /* proven; equal if and only if `exact` */
    bool exact;          /* `upper` is the distance and `map` proves it */
    /*
     * Node of b for each node of a, SEPX_NONE for a deleted one; nodes of b
     * that do not appear are inserted. Its cost is `upper`. The solver's:
     * valid until its next call.
     */
    const int16_t *map;
    uint64_t nodes; /* of the search tree */
};

/*
 * The distance, exact unless a limit stopped the search or the graphs are
 * too large for one (256 nodes at unit costs, 128 at others; many larger
 * pairs are exact all the same); then the bounds and the best map found. With limits->threshold, the search ends as soon as
 * lower > at_most or upper <= at_most is proven. Same input, same answer
 * (a limit in seconds aside). Exponential in the worst case.
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

/* ---- many distances ---- */

struct sepx_ged_bounds {
    double lower, upper;
};

/* Distances from a[i] to b[i], on one thread: the fastest way through. */
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
 * `limits` ran out first.
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
 * many; the map is then uniform among the first `most`.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_ged_random(struct sepx_ged *ged, struct sepx_ged_result *result,
                const struct sepx_ged_graph *a, const struct sepx_ged_graph *b,
                uint64_t most, struct sepx_rng *rng);

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
