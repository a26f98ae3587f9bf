/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one value: an attributed graph, directed or undirected. Nodes and edges
 * carry labels. Self-loops and parallel edges are allowed, though most graphs
 * have none and spaces refuse them.
 *
 * Thread safety: a graph may be read by many threads, changed by one. A name
 * table may be read by many threads while none adds to it.
 */
#ifndef SEPX_GRAPH_H
#define SEPX_GRAPH_H

#include "sepx/base.h"

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

/*
 * Labels such as "conv k=3 s=2" have fields: words of the form name=value,
 * and one without a name for all other words. A field's share of the cost of
 * relabelling is its weight, a part of the sum of all weights in a list.
 */
struct sepx_field_weight {
    const char *field; /* "": the words without a name */
    double weight;     /* 0 to 1,000,000 */
};

/* ---- the graph ---- */

struct sepx_edge {
    uint16_t from, to, label;
};

/* The caller's: {0} plus `names` is empty, sepx_graph_release() ends it. */
struct sepx_graph {
    struct sepx_names *names; /* shared, not owned */
    uint32_t n_nodes, n_edges;
    uint16_t *label; /* of each node; may be assigned directly */
    /*
     * Ascending by `from`, then `to`; parallel edges by the text of their
     * labels. An undirected edge is there once, with from <= to.
     */
    struct sepx_edge *edge;
    uint32_t node_room, edge_room;
    bool undirected; /* may be set while there are no edges */
    char *extra;     /* unknown keys as one JSON object, or NULL */
};

SEPX_API void sepx_graph_release(struct sepx_graph *graph);
/*
 * Make `to` (any graph, also {0}) equal to `from`, `extra` included; reuses
 * its memory. `to` keeps its old value if the call fails.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_graph_copy(struct sepx_graph *to, const struct sepx_graph *from);
/* Back to no nodes, directed, no `extra`; keeps the memory and the names. */
SEPX_API void sepx_graph_clear(struct sepx_graph *graph);
/* SEPX_ELIMIT past SEPX_NODES_MAX. The new node is the last. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_graph_add_node(struct sepx_graph *graph, uint16_t label);
/* SEPX_EINVAL if an endpoint is missing, both are one, or the edge exists. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_graph_add_edge(struct sepx_graph *graph, unsigned from, unsigned to,
                    uint16_t label);
/* The same, but a self-loop or one more edge beside others will do. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_graph_add_parallel(struct sepx_graph *graph, unsigned from, unsigned to,
                        uint16_t label);
/*
 * The edge, or NULL. O(log edges). Of parallel edges, the first; the others
 * follow it. Its label may be assigned if it is the only one. The ends of an
 * undirected edge may be given in either order.
 */
SEPX_API struct sepx_edge *sepx_graph_find_edge(const struct sepx_graph *graph,
                                                unsigned from, unsigned to);
/* Removes the first of parallel edges; nothing if there is no such edge. */
SEPX_API void sepx_graph_remove_edge(struct sepx_graph *graph, unsigned from,
                                     unsigned to);
/* The same for an edge with this label; false if there is none. */
SEPX_API bool sepx_graph_remove_parallel(struct sepx_graph *graph,
                                         unsigned from, unsigned to,
                                         uint16_t label);
/* Neither self-loops nor parallel edges. O(edges). */
SEPX_API bool sepx_graph_is_simple(const struct sepx_graph *graph);
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
 * Same labels and edges in the same order; `extra` aside. Label texts are
 * compared if the graphs have two name tables.
 */
SEPX_API bool sepx_graph_equal(const struct sepx_graph *a,
                               const struct sepx_graph *b);

/* ---- orders ---- */

/*
 * A topological order into order[n_nodes], the smallest ready node always
 * first; *acyclic is false if there is none, as for undirected edges, and
 * `order` then unspecified.
 * Fails only for want of memory. O(nodes * nodes / 64 + edges) time.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_graph_topological(const struct sepx_graph *graph, uint32_t *order,
                       bool *acyclic);

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
 * a, set if isomorphic. A directed graph is never isomorphic to an undirected
 * one.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_graph_isomorphic(const struct sepx_graph *a, const struct sepx_graph *b,
                      bool *isomorphic, uint32_t *map);

/* ---- reading and writing ---- */

enum sepx_graph_format {
    SEPX_FORMAT_AUTO, /* by the first byte and the keys */
    /* {"nodes": ["input", ...], "edges": [[0, 1], ...], "directed": false} */
    SEPX_FORMAT_JSON,
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
/* From a file ("-": standard input); messages begin with its name. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_graph_read_file(struct sepx_graph *graph, struct sepx_names *names,
                     const char *path, struct sepx_msg *msg);

/*
 * A format of graphs, its line in lists and help. sepx_graph_read() with
 * SEPX_FORMAT_AUTO knows all of them by their beginnings.
 */
struct sepx_format_info {
    const char *name;       /* "dot" */
    const char *extensions; /* of file names, separated by blanks */
    const char *summary;
    bool reads, writes;
    bool many; /* a text may hold several graphs */
};

/* All formats, ended by NULL. */
SEPX_API const struct sepx_format_info *const *sepx_format_list(void);
/* By its name. SEPX_ENOTFOUND; the message lists the valid ones. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_format_find(const struct sepx_format_info **format, const char *name,
                 struct sepx_msg *msg);
/* By the extension of a file's name; NULL if it tells nothing. */
SEPX_API const struct sepx_format_info *sepx_format_of_file(const char *path);
/*
 * Append a graph in a format. What the format cannot hold is SEPX_EDATA, and
 * the message says what; SEPX_EUNSUPPORTED for one that is only read. `text`
 * is as before if the call fails.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_graph_write(struct sepx_text *text, const struct sepx_graph *graph,
                 const struct sepx_format_info *format, struct sepx_msg *msg);

/* Many graphs: a text of any format, JSON Lines too. {0} is empty. */
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
/* The same in a given format; NULL: found by the beginning. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_graphs_read_as(struct sepx_graphs *graphs, struct sepx_names *names,
                    const char *bytes, size_t len,
                    const struct sepx_format_info *format, const char *name,
                    struct sepx_msg *msg);
SEPX_API SEPX_CHECKED enum sepx_err
sepx_graphs_read_file(struct sepx_graphs *graphs, struct sepx_names *names,
                      const char *path, struct sepx_msg *msg);

/* One JSON object on one line, `extra` keys included, no newline. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_graph_write_json(struct sepx_text *text, const struct sepx_graph *graph);

/* ---- drawings: Graphviz ---- */

/* How a drawing marks nodes and edges, and what its legend says of it. */
struct sepx_dot_mark {
    const char *name;   /* in the legend */
    const char *colour; /* "#rrggbb", of lines */
    const char *line;   /* "solid", "dashed" or "dotted" */
    double width;       /* of lines, in points */
    bool missing;       /* an edge that is not there: named, no arrow head */
};

/*
 * All may be NULL. Boxes are filled with a colour that follows from the text
 * of the label alone, so that an operation looks the same in every drawing.
 * Texts show as they are; control characters show as their pictures, and
 * bytes that are not UTF-8 as U+FFFD.
 */
struct sepx_dot_style {
    const char *title;
    const struct sepx_dot_mark *const *legend; /* marks, ended by NULL */
    const struct sepx_dot_mark *const *node;   /* of each, or NULL */
    const struct sepx_dot_mark *const *edge;   /* by position in `edge` */
    /* Labels before a change, shown before the present ones; or -1. */
    const int32_t *node_was, *edge_was;
    const uint32_t *number; /* shown small in each node; NULL: its own */
    /*
     * Labels that are drawn as terminals where no edge leads to or from the
     * node; none: "input" and "output".
     */
    const uint16_t *pinned;
    size_t n_pinned;
    const char *prefix; /* of node names, letters; NULL: "n" */
    /* How many unchanged nodes each one stands for; NULL or 0: itself. */
    const uint32_t *hidden;
    bool sideways; /* edges lead to the right, not down */
};

/* A drawing of one graph. `style` may be NULL. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_graph_write_dot(struct sepx_text *text, const struct sepx_graph *graph,
                     const struct sepx_dot_style *style);

#ifdef __cplusplus
}
#endif
#endif
