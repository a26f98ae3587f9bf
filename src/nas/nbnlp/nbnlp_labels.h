/* SPDX-License-Identifier: Apache-2.0 */
/* Labels and limits that the files about NAS-Bench-NLP share. */
#ifndef SEPX_SPACE_NBNLP_H
#define SEPX_SPACE_NBNLP_H

#include "space/internal.h"

#define NLP_HIDDEN 3 /* states that a cell may carry along */
#define NLP_INPUTS 3 /* of one node, at most */

/* Node labels, then edge labels. Operations in the authors' order. */
enum {
    NLP_X = 1,
    NLP_PREV,                        /* and the next two */
    NLP_NEW = NLP_PREV + NLP_HIDDEN, /* and the next two */
    NLP_SIGM = NLP_NEW + NLP_HIDDEN,
    NLP_TANH,
    NLP_LEAKY,
    NLP_SUM,
    NLP_PROD,
    NLP_LINEAR,
    NLP_BLEND,
    NLP_BLANK, /* a hole in the published code; in no valid cell */
    NLP_TWICE, /* of an edge: a node is its target's input twice */
    NLP_THRICE
};

static inline bool
nlp_is_mark(uint16_t label)
{
    return label >= NLP_NEW && label < NLP_SIGM;
}

static inline bool
nlp_is_op(uint16_t label)
{
    return label >= NLP_SIGM && label <= NLP_BLANK;
}

SEPX_CHECKED enum sepx_err nlp_sample(const struct sepx_space *space,
                                      struct sepx_graph *graph,
                                      struct sepx_rng *rng);

SEPX_CHECKED enum sepx_err
nlp_mutate(const struct sepx_space *space, struct sepx_graph *child,
           const struct sepx_rules *rules, struct sepx_rng *rng);
SEPX_CHECKED enum sepx_err
nlp_mix(const struct sepx_space *space, struct sepx_graph *child, bool *good,
        const struct sepx_graph *a, const struct sepx_graph *b,
        struct sepx_rng *rng);

#endif
