/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs, beyond the public header: JSON trees, orders, drawings. */
#ifndef SEPX_GRAPH_PRIVATE_H
#define SEPX_GRAPH_PRIVATE_H

#include "base/json.h"
#include "base/private.h"
#include "sepx/graph.h"

/* The same from a parsed value: SEPX_FORMAT_JSON or _NODE_LINK, by keys. */
SEPX_CHECKED enum sepx_err
sepx_graph_from_json(struct sepx_graph *graph, struct sepx_names *names,
                     const struct sepx_json *value, struct sepx_msg *msg);
/* As sepx_graph_write_json(), inside of what is written. */
void sepx_graph_put_json(struct sepx_json_writer *w,
                         const struct sepx_graph *graph);
/* Keep the nodes with keep[i] true, in order, and the edges among them. */
void sepx_graph_keep(struct sepx_graph *graph, const bool *keep);
/*
 * A topological order drawn uniformly from all of them: by counting linear
 * extensions while the graph has at most 64 nodes and 2^20 down-sets, else
 * by a Markov chain (Bubley & Dyer 1999) of at most 4 million steps, which
 * is only roughly uniform above about 120 nodes. *exact (may be NULL) says
 * which. Counts are integers up to 16 nodes, above that doubles, whose
 * rounding changes no probability by more than 1 part in 10^13.
 * Microseconds for cells of some 10 nodes, up to a second otherwise.
 */
SEPX_CHECKED enum sepx_err
sepx_graph_topological_random(const struct sepx_graph *graph, uint32_t *order,
                              bool *acyclic, bool *exact, struct sepx_rng *rng);
/*
 * A drawing of several directed graphs: begin, add each with a title and a
 * prefix of its own (its `legend` is not used), end. `title` and `legend` may
 * be NULL; an empty legend is none, for boxes that are no numbered nodes.
 */
SEPX_CHECKED enum sepx_err
sepx_dot_begin(struct sepx_text *text, const char *title,
               const struct sepx_dot_mark *const *legend);
SEPX_CHECKED enum sepx_err sepx_dot_add(struct sepx_text *text,
                                        const struct sepx_graph *graph,
                                        const struct sepx_dot_style *style);
/*
 * Have `below` stand below `above` and not beside it, both added with these
 * prefixes. Works by their ends: a graph without any stays where it is.
 */
SEPX_CHECKED enum sepx_err
sepx_dot_stack(struct sepx_text *text, const struct sepx_graph *above,
               const char *above_prefix, const struct sepx_graph *below,
               const char *below_prefix);
SEPX_CHECKED enum sepx_err sepx_dot_end(struct sepx_text *text);
/* Append a label of DOT, delimited, that shows as `shown`, whatever it is. */
SEPX_CHECKED enum sepx_err sepx_dot_quote(struct sepx_text *text,
                                          const char *shown);

#endif
