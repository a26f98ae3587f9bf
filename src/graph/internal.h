/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of this module share, and other modules may use. */
#ifndef SEPX_GRAPH_INTERNAL_H
#define SEPX_GRAPH_INTERNAL_H

#include "base/internal.h"
#include "graph/private.h"

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

/*
 * The next word of a label that belongs to the field, "" for words without
 * a name: "=3" of "conv k=3" for "k". len 0: there is none.
 */
struct sepx__word {
    const char *at;
    size_t len;
};
struct sepx__word sepx__label_word(const char **text, const char *name);

/* The length of the longest well-formed start; `len` if all is UTF-8. */
size_t sepx__utf8_span(const char *bytes, size_t len);

/* ---- graphs ---- */

/* In the order of struct sepx_graph; the ends of edges stay as they are. */
void sepx__edges_sort(struct sepx_edge *edge, size_t count,
                      const struct sepx_names *names);
/* The same for a whole graph, undirected edges turned so that from <= to. */
void sepx__edges_order(struct sepx_graph *graph);
/* Between the same two nodes, the same way. */
bool sepx__edges_parallel(const struct sepx_edge *a, const struct sepx_edge *b);
/* Texts are compared if the graphs have two name tables. */
bool sepx__label_same(const struct sepx_graph *a, uint16_t x,
                      const struct sepx_graph *b, uint16_t y);

/* ---- readers ---- */

/* A value as messages show it: short, without control characters. */
struct sepx__excerpt {
    char text[64];
};
struct sepx__excerpt sepx__excerpt(const char *bytes, size_t len);

/* A place in a JSON graph: "edges[3]". */
struct sepx__item {
    const char *array; /* NULL: none */
    size_t index;
};

/*
 * A graph while it is read: edges in any order, ends either way. {0}
 * plus `graph.names` is empty; sepx__builder_release() ends it.
 */
struct sepx__builder {
    struct sepx_graph graph;
    struct sepx__item item; /* that is being read */
};

void sepx__builder_release(struct sepx__builder *builder);
/*
 * `where` names the place in messages, as "nodes[3]". `text` may be NULL if
 * `len` is 0. All fail with a message of their own.
 */
SEPX_CHECKED enum sepx_err sepx__builder_label(struct sepx__builder *builder,
                                               uint16_t *id, const char *text,
                                               size_t len, const char *where,
                                               struct sepx_msg *msg);
SEPX_CHECKED enum sepx_err
sepx__builder_node(struct sepx__builder *builder, const char *text, size_t len,
                   const char *where, struct sepx_msg *msg);
/* The nodes exist. */
SEPX_CHECKED enum sepx_err sepx__builder_edge(struct sepx__builder *builder,
                                              struct sepx_edge edge,
                                              struct sepx_msg *msg);
/* Hand the graph over; the old value of `graph` goes. */
void sepx__builder_finish(struct sepx__builder *builder,
                          struct sepx_graph *graph);

/* Attributes that hold a label, the preferred one first; ended by NULL. */
extern const char *const sepx__label_keys[];

enum sepx__json_form {
    SEPX__JSON_PLAIN,
    SEPX__JSON_NODE_LINK,
    SEPX__JSON_SIMILARITY
};

/* A graph in this form; `item` gets the place of a fault. */
SEPX_CHECKED enum sepx_err
sepx__graph_from_form(struct sepx_graph *graph, struct sepx_names *names,
                      const struct sepx_json *value, enum sepx__json_form form,
                      struct sepx__item *item, struct sepx_msg *msg);
/* The same; the form follows from `format`, or from the keys. */
SEPX_CHECKED enum sepx_err
sepx__graph_from_json(struct sepx_graph *graph, struct sepx_names *names,
                      const struct sepx_json *value,
                      enum sepx_graph_format format, struct sepx__item *item,
                      struct sepx_msg *msg);
SEPX_CHECKED enum sepx_err
sepx__graph_read_graphml(struct sepx_graph *graph, struct sepx_names *names,
                         const char *bytes, size_t len, struct sepx_msg *msg);

#endif
