/* SPDX-License-Identifier: Apache-2.0 */
/* A DOT graph between the reading of its statements and its labels. */
#ifndef SEPX_GRAPH_DOT_GRAPH_H
#define SEPX_GRAPH_DOT_GRAPH_H

#include "graph/formats/dot_tokens.h"

enum { SEPX__DOT_LABELS = 3 }; /* how many sepx__label_keys there are */

/* Where the pool has each of sepx__label_keys, plus 1; 0: not given. */
struct sepx__dot_values {
    uint32_t at[SEPX__DOT_LABELS];
};

/* The defaults of a subgraph: "node [...]" and "edge [...]". */
struct sepx__dot_scope {
    struct sepx__dot_values node, edge;
};

/* A subgraph with a name, for when it is opened again. */
struct sepx__dot_named {
    struct sepx__dot_scope scope; /* its own, without its ancestors' */
    uint64_t member[SEPX_NODES_MAX / 64];
};

/* An end of edges: mentions first..last-1, or all nodes of a subgraph. */
struct sepx__dot_end {
    size_t first, last;
    uint32_t named; /* number + 1; 0: the mentions */
};

/* The attributes of the edges of a statement. */
struct sepx__dot_attributes {
    struct sepx__dot_values all, own; /* with the defaults, and without */
    uint32_t key;                     /* 0: none */
    uint16_t label;                   /* if `known` */
    bool known; /* all edges have the same label: this one */
};

struct sepx__dot {
    struct sepx__dot_tokens t;
    struct sepx_text pool; /* values, ended by zeros */
    struct sepx__builder builder;
    uint32_t graph_name; /* in the pool, plus 1; 0: none */
    bool strict, keyed;
    struct sepx_names *ids; /* number i + 1 is node i, an "n" before it */
    struct sepx__dot_values *node; /* of each node */
    size_t node_room;
    struct sepx_names *groups;     /* subgraphs and keys, see number_of() */
    struct sepx__dot_named *named; /* by their number in `groups` */
    size_t named_room;
    uint32_t n_anonymous;
    struct sepx__dot_attributes
        *attributes; /* one for each edge statement, or less */
    size_t n_attributes, attributes_room;
    uint32_t *edge; /* the attributes of each edge of the builder */
    size_t edge_room;
    uint16_t *mention; /* nodes, as statements name them */
    size_t n_mentions, mention_room;
    struct sepx__dot_end *end; /* of the edge statements that are being read */
    size_t n_ends, end_room;
    uint32_t round, seen[SEPX_NODES_MAX]; /* nodes of this round are seen */
    unsigned depth;
};

/* The values that `by` has take the place of the others. */
void sepx__dot_override(struct sepx__dot_values *values,
                        const struct sepx__dot_values *by);
/* *number: theirs. The last ones serve again if they are equal. */
SEPX_CHECKED enum sepx_err sepx__dot_push(struct sepx__dot *d,
                                          struct sepx__dot_attributes added,
                                          uint32_t *number);
/* When all statements are read: merge edges that are one, set all labels. */
SEPX_CHECKED enum sepx_err sepx__dot_finish(struct sepx__dot *d);

#endif
