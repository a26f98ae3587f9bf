/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one value: an attributed directed graph. Nodes and edges carry labels;
 * there are no self-loops and no parallel edges.
 *
 * Thread safety: a graph may be read by many threads, changed by one. A name
 * table may be read by many threads while none adds to it.
 */
#ifndef SEPX_GRAPH_H
#define SEPX_GRAPH_H

#include "sepx/base.h"
#include "sepx/json.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SEPX_NODES_MAX 4096
#define SEPX_LABELS_MAX 65535
#define SEPX_NONE (-1) /* no node, in maps */

/* ---- label names ---- */

/*
 * Label texts and their small numbers. Graphs that meet (in a distance, a
 * crossover, an isomorphism) share one table. Number 0 is the empty text,
 * "no label". Nothing depends on the order in which texts were added.
 */
struct sepx_names;

SEPX_API struct sepx_names *sepx_names_new(void); /* NULL: out of memory */
SEPX_API void sepx_names_free(struct sepx_names *names);
/*
 * The number of a text, added if it is new. SEPX_ELIMIT if it is longer than
 * 255 bytes or the table is full, SEPX_EINVAL if it is not UTF-8.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_names_add(struct sepx_names *names, uint16_t *id, const char *text);
/* The number of a text, or -1 if the table lacks it. */
SEPX_API int sepx_names_find(const struct sepx_names *names, const char *text);
/* The text of a number that the table gave out. */
SEPX_API const char *sepx_names_text(const struct sepx_names *names,
                                     uint16_t id);
SEPX_API unsigned sepx_names_count(const struct sepx_names *names);

/* ---- the graph ---- */

struct sepx_edge {
    uint16_t from, to, label;
};

/* The caller's: {0} plus `names` is empty, sepx_graph_release() ends it. */
struct sepx_graph {
    struct sepx_names *names; /* shared, not owned */
    uint32_t n_nodes, n_edges;
    uint16_t *label;        /* of each node; may be assigned directly */
    struct sepx_edge *edge; /* ascending by `from`, then `to` */
    uint32_t node_room, edge_room;
    char *extra; /* unknown keys as one JSON object, or NULL */
};

SEPX_API void sepx_graph_release(struct sepx_graph *graph);
/*
 * Make `to` (any graph, also {0}) equal to `from`, `extra` included; reuses
 * its memory. `to` keeps its old value if the call fails.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_graph_copy(struct sepx_graph *to, const struct sepx_graph *from);
/* Back to no nodes and no `extra`; keeps the memory and the names. */
SEPX_API void sepx_graph_clear(struct sepx_graph *graph);
/* SEPX_ELIMIT past SEPX_NODES_MAX. The new node is the last. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_graph_add_node(struct sepx_graph *graph, uint16_t label);
/* SEPX_EINVAL if an endpoint is missing, both are one, or the edge exists. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_graph_add_edge(struct sepx_graph *graph, unsigned from, unsigned to,
                    uint16_t label);
/* The edge, whose label may be assigned, or NULL. O(log edges). */
SEPX_API struct sepx_edge *sepx_graph_find_edge(const struct sepx_graph *graph,
                                                unsigned from, unsigned to);
/* Does nothing if there is no such edge. */
SEPX_API void sepx_graph_remove_edge(struct sepx_graph *graph, unsigned from,
                                     unsigned to);
/* With its edges; later nodes move down by one. */
SEPX_API void sepx_graph_remove_node(struct sepx_graph *graph, unsigned node);
/*
 * Node order[i] of `from` becomes node i of `to`, another graph; `extra` is
 * copied. `order` holds each of 0..n_nodes-1 once.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_graph_permute(struct sepx_graph *to, const struct sepx_graph *from,
                   const uint32_t *order);
/*
 * Keep the nodes with keep[i] true, in order, and the edges among them.
 */
SEPX_API void sepx_graph_keep(struct sepx_graph *graph, const bool *keep);
/*
 * Same labels and edges in the same order; `extra` aside. Label texts are
 * compared if the graphs have two name tables.
 */
SEPX_API bool sepx_graph_equal(const struct sepx_graph *a,
                               const struct sepx_graph *b);

/* ---- orders ---- */

/*
 * A topological order into order[n_nodes], the smallest ready node always
 * first; *acyclic is false if there is none, and `order` then unspecified.
 * Fails only for want of memory. O(nodes * nodes / 64 + edges) time.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_graph_topological(const struct sepx_graph *graph, uint32_t *order,
                       bool *acyclic);
/*
 * A topological order drawn uniformly from all of them: by counting linear
 * extensions while the graph has at most 64 nodes and 2^20 down-sets, else
 * by a Markov chain (Bubley & Dyer 1999) of at most 4 million steps, which
 * is only roughly uniform above about 120 nodes. *exact (may be NULL) says
 * which. Counts are integers up to 16 nodes, above that doubles, whose
 * rounding changes no probability by more than 1 part in 10^13.
 * Microseconds for cells of some 10 nodes, up to a second otherwise.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_graph_topological_random(const struct sepx_graph *graph, uint32_t *order,
                              bool *acyclic, bool *exact, struct sepx_rng *rng);

/* ---- isomorphism (nauty; node and edge labels respected) ---- */

/*
 * Equal for isomorphic graphs; depends on label texts, not on numbers. The
 * same on every machine, but another version of nauty may give other keys to
 * graphs with symmetries.
 */
struct sepx_key {
    uint64_t high, low;
};

/*
 * order[n_nodes] (may be NULL) gets a canonical order: permuting by it gives
 * equal graphs for isomorphic ones. `key` (may be NULL) gets a 128-bit hash
 * of that form. About a microsecond for cells of some 10 nodes; graphs of
 * 1,000 nodes take milliseconds, or seconds if they are full of symmetry.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_graph_canon(const struct sepx_graph *graph, uint32_t *order,
                 struct sepx_key *key);
/*
 * Exact, whatever the hashes say. `map` (may be NULL): node of b for each of
 * a, set if isomorphic.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_graph_isomorphic(const struct sepx_graph *a, const struct sepx_graph *b,
                      bool *isomorphic, uint32_t *map);

/* ---- reading and writing ---- */

enum sepx_graph_format {
    SEPX_FORMAT_AUTO, /* by the first byte and the keys */
    SEPX_FORMAT_JSON, /* {"nodes": ["input", ...], "edges": [[0, 1], ...]} */
    SEPX_FORMAT_NODE_LINK, /* networkx node_link_data() */
    SEPX_FORMAT_GRAPHML
};

/*
 * Read one graph of at most 64 MiB of text. `graph` ({0} or in use) keeps its
 * old value if the call fails; `names` may have got new texts. Messages name
 * the line or the place ("edges[3]"), the value and the remedy.
 * JSON and node-link keys other than nodes, edges (links), directed and
 * multigraph go to `extra`; further attributes of single nodes and edges are
 * dropped. In the networkx formats a label is the attribute "label", "op" or
 * "operation"; a node without one is labelled by its id.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_graph_read(struct sepx_graph *graph, struct sepx_names *names,
                const char *bytes, size_t len, enum sepx_graph_format format,
                struct sepx_msg *msg);
/* The same from a parsed value: SEPX_FORMAT_JSON or _NODE_LINK, by keys. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_graph_from_json(struct sepx_graph *graph, struct sepx_names *names,
                     const struct sepx_json *value, struct sepx_msg *msg);
/* From a file ("-": standard input); messages begin with its name. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_graph_read_file(struct sepx_graph *graph, struct sepx_names *names,
                     const char *path, struct sepx_msg *msg);

/* Many graphs: JSON Lines, or one graph of any format. {0} is empty. */
struct sepx_graphs {
    struct sepx_graph *at;
    size_t count, room;
};

SEPX_API void sepx_graphs_release(struct sepx_graphs *graphs);
/*
 * Add the graphs of a text behind those there; none if the call fails.
 * Messages begin with `name` and the line.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_graphs_read(struct sepx_graphs *graphs, struct sepx_names *names,
                 const char *bytes, size_t len, const char *name,
                 struct sepx_msg *msg);
SEPX_API SEPX_CHECKED enum sepx_err
sepx_graphs_read_file(struct sepx_graphs *graphs, struct sepx_names *names,
                      const char *path, struct sepx_msg *msg);

/* One JSON object on one line, `extra` keys included, no newline. */
SEPX_API void sepx_graph_put_json(struct sepx_json_writer *w,
                                  const struct sepx_graph *graph);
SEPX_API SEPX_CHECKED enum sepx_err
sepx_graph_write_json(struct sepx_text *text, const struct sepx_graph *graph);

/* How a drawing marks a node or an edge. */
struct sepx_dot_style {
    const char *title;             /* NULL: none */
    const char *const *node_attrs; /* each NULL or "color=red,..." */
    const char *const *edge_attrs; /* by position in `edge` */
    const char *prefix;            /* of node names; NULL: "n" */
};

/* Graphviz. `style` may be NULL, and so may each of its members. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_graph_write_dot(struct sepx_text *text, const struct sepx_graph *graph,
                     const struct sepx_dot_style *style);

#ifdef __cplusplus
}
#endif
#endif
