/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of this module share, and other modules may use. */
#ifndef SEPX_GRAPH_INTERNAL_H
#define SEPX_GRAPH_INTERNAL_H

#include "base/internal.h"
#include "sepx/graph.h"

#define SEPX__LABEL_BYTES 255
#define SEPX__TEXT_BYTES (64u << 20) /* of one graph */
#define SEPX__FILE_BYTES (1u << 30)  /* of many */

/* ---- names ---- */

/* As sepx_names_add() and sepx_names_find(); `text` needs no zero. */
SEPX_CHECKED enum sepx_err sepx__names_add(struct sepx_names *names,
                                           uint16_t *id, const char *text,
                                           size_t len);
int sepx__names_find(const struct sepx_names *names, const char *text,
                     size_t len);
/* Ascends with the text, in byte order. May change when a text is added. */
uint64_t sepx__names_key(const struct sepx_names *names, uint16_t id);
/* Depends on the text alone. */
struct sepx__hash sepx__names_hash(const struct sepx_names *names, uint16_t id);

/* The length of the longest well-formed start; `len` if all is UTF-8. */
size_t sepx__utf8_span(const char *bytes, size_t len);

/* ---- graphs ---- */

/* Ascending by `from`, then `to`. No two edges are alike. */
void sepx__edges_sort(struct sepx_edge *edge, size_t count);
/* Texts are compared if the graphs have two name tables. */
bool sepx__label_same(const struct sepx_graph *a, uint16_t x,
                      const struct sepx_graph *b, uint16_t y);

/* ---- readers ---- */

/* A value as messages show it: short, without control characters. */
struct sepx__excerpt {
    char text[64];
};
struct sepx__excerpt sepx__excerpt(const char *bytes, size_t len);

/*
 * A graph while it is read: edges in any order, checked one by one. {0}
 * plus `graph.names` is empty; sepx__draft_release() ends it.
 */
struct sepx__draft {
    struct sepx_graph graph;
    uint64_t *seen; /* one bit for each pair of nodes, after ..._nodes_end() */
};

void sepx__draft_release(struct sepx__draft *draft);
/*
 * `where` names the place in messages, as "nodes[3]". All fail with a
 * message of their own.
 */
SEPX_CHECKED enum sepx_err
sepx__draft_label(struct sepx__draft *draft, uint16_t *id, const char *text,
                  size_t len, const char *where, struct sepx_msg *msg);
SEPX_CHECKED enum sepx_err
sepx__draft_node(struct sepx__draft *draft, const char *text, size_t len,
                 const char *where, struct sepx_msg *msg);
/* No node may follow. */
SEPX_CHECKED enum sepx_err sepx__draft_nodes_end(struct sepx__draft *draft,
                                                 struct sepx_msg *msg);
/* `shown` is the edge as the text has it. The nodes exist. */
SEPX_CHECKED enum sepx_err
sepx__draft_edge(struct sepx__draft *draft, struct sepx_edge edge,
                 const char *where, const char *shown, struct sepx_msg *msg);
/* Sort the edges and hand the graph over; the old value of `graph` goes. */
void sepx__draft_finish(struct sepx__draft *draft, struct sepx_graph *graph);

/* Attributes that hold a label, the preferred one first; ended by NULL. */
extern const char *const sepx__label_keys[];

/* As sepx_graph_from_json(), the form being given. */
SEPX_CHECKED enum sepx_err
sepx__graph_from_json(struct sepx_graph *graph, struct sepx_names *names,
                      const struct sepx_json *value, bool node_link,
                      struct sepx_msg *msg);
SEPX_CHECKED enum sepx_err
sepx__graph_read_graphml(struct sepx_graph *graph, struct sepx_names *names,
                         const char *bytes, size_t len, struct sepx_msg *msg);

#endif
