/* SPDX-License-Identifier: Apache-2.0 */
/* Spaces, beyond the public header: rows of rules, the pipeline, vectors. */
#ifndef SEPX_SPACE_PRIVATE_H
#define SEPX_SPACE_PRIVATE_H

#include "graph/private.h"
#include "sepx/space.h"

/* The rows, ended by a NULL name. */
const struct sepx_rule_info *sepx_rules_info(void);
/* The presets, ended by NULL: "default", "plain", "published", "paper". */
const char *const *sepx_rules_presets(void);
/* The value of one rule as sepx_rules_set() takes it, or NULL: no such rule.
 * `room` holds numbers and must be at least 16 bytes long. */
const char *sepx_rules_get(const struct sepx_rules *rules, const char *name,
                           char *room);
/* Whether that stop is asked for. */
bool sepx_space_stopped(const struct sepx_space *space);
/* Append what is legal, and how graphs are drawn, in words. */
SEPX_CHECKED enum sepx_err sepx_space_explain(struct sepx_text *text,
                                              const struct sepx_space *space);
/* Graphs that a search begins with; owned by the space. */
const struct sepx_graph *sepx_space_starts(const struct sepx_space *space,
                                           size_t *count);
/* Weights of the fields of labels, by which relabelling costs; 0: all cost 1 */
const struct sepx_field_weight *
sepx_space_fields(const struct sepx_space *space, size_t *count);
/*
 * The graph as the noise-free experiments measure it. In nbnlp, nodes
 * labelled h_new_0 and h_new_1 mark which node is a new hidden state: each
 * has one edge, from that node. The published distance does not see them, so
 * they are taken out here. In other spaces a copy. `out` is not `graph`.
 */
SEPX_CHECKED enum sepx_err sepx_space_plain(const struct sepx_space *space,
                                            struct sepx_graph *out,
                                            const struct sepx_graph *graph);
/* Without the nodes that lie on no path from inputs to outputs. */
SEPX_CHECKED enum sepx_err sepx_space_prune(const struct sepx_space *space,
                                            struct sepx_graph *out,
                                            const struct sepx_graph *graph);
/*
 * Which nodes sepx_space_prune() keeps: live[n_nodes]. SEPX_EINVAL, and `msg`
 * (may be NULL) says why, for a graph of other labels, with parallel edges,
 * with a cycle where the space has none, or with too many nodes; it need not
 * be valid otherwise.
 */
SEPX_CHECKED enum sepx_err
sepx_space_live(const struct sepx_space *space, bool *live,
                const struct sepx_graph *graph, struct sepx_msg *msg);

/* ---- crossover children ---- */

/*
 * Bring a raw crossover child into the form that the space stores: no cycle,
 * dangling nodes treated, nodes ordered, valid. Rules read: order, judge,
 * dangling. A child that is not accepted is unspecified.
 * place[n_nodes of the raw child] (may be NULL) gets each node's new number
 * or SEPX_NONE. The verdict does not depend on `rng`, which serves to order
 * an accepted child. `msg` (may be NULL) says why a child is not accepted.
 */
SEPX_CHECKED enum sepx_err
sepx_space_finish(const struct sepx_space *space, struct sepx_graph *child,
                  enum sepx_verdict *verdict, int16_t *place,
                  const struct sepx_rules *rules, struct sepx_rng *rng,
                  struct sepx_msg *msg);

/* ---- vectors of categorical variables ---- */

/*
 * 0: the space has no such encoding (nbnlp). nb101: 26; darts: 32. A space of
 * a file has one if its graphs have one number of nodes, or if smaller ones
 * can gain bare nodes.
 */
uint32_t sepx_space_variables(const struct sepx_space *space);
/* How many values the variable has: 0..choices-1. */
uint32_t sepx_space_choices(const struct sepx_space *space, uint32_t variable);
/* "op1", "edge0-6", ... written to room[16]; returns `room`. */
const char *sepx_space_variable(const struct sepx_space *space,
                                uint32_t variable, char *room);
/*
 * The graph of a vector. *valid: whether it is a graph of the encoding's
 * space, which may be smaller than the space: in nb101, at most 9 edges in
 * all, dead ones too. If not, `graph` is unspecified and `msg` (may be NULL)
 * says why. SEPX_EUNSUPPORTED if the space has no encoding.
 */
SEPX_CHECKED enum sepx_err
sepx_space_decode(const struct sepx_space *space, struct sepx_graph *graph,
                  bool *valid, const uint16_t *value, struct sepx_msg *msg);
/*
 * A vector of a valid graph; decoding it gives an isomorph (nb101: a graph
 * of fewer than 7 nodes gains bare ones). Takes the stored order if it is
 * topological. SEPX_EINVAL if the graph is not valid.
 */
SEPX_CHECKED enum sepx_err sepx_space_encode(const struct sepx_space *space,
                                             uint16_t *value,
                                             const struct sepx_graph *graph);

#endif
