/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of this module share. */
#ifndef SEPX_VARY_INTERNAL_H
#define SEPX_VARY_INTERNAL_H

#include "base/internal.h"
#include "space/internal.h"
#include "sepx/vary.h"

/* Rejected choices of edits, so that none is tried twice. */
#define SEPX__SEEN 128 /* a power of two */
struct sepx__seen {
    uint64_t taken[SEPX__SEEN];
    uint8_t verdict[SEPX__SEEN]; /* plus 1; 0: free */
    uint32_t count;
};

/*
 * An operator: how to align the parents, and which edits to take; or, if
 * that is not how it works, `draw`.
 */
struct sepx__cross_ops {
    struct sepx_cross_info info;
    /* cross->map gets the node of `b` for each of `a`. */
    enum sepx_err (*align)(struct sepx_cross *cross, const struct sepx_graph *a,
                           const struct sepx_graph *b, struct sepx_rng *rng);
    /* cross->take gets the choice among cross->path. */
    void (*take)(struct sepx_cross *cross, struct sepx_rng *rng);
    /* What all contexts share; NULL: nothing. */
    enum sepx_err (*prepare)(struct sepx_cross *cross, struct sepx_msg *msg);
    /* A child that is SEPX_ACCEPTED goes to sepx_space_finish(). */
    enum sepx_err (*draw)(struct sepx_cross *cross, struct sepx_graph *child,
                          enum sepx_verdict *verdict,
                          const struct sepx_graph *a,
                          const struct sepx_graph *b, struct sepx_rng *rng);
};

struct sepx_cross {
    const struct sepx_space *space;
    const struct sepx__cross_ops *ops;
    struct sepx_rules rules;
    bool coded, split; /* rules that this space knows */
    struct sepx_ged *ged;
    int16_t *map, *place; /* by node of a; by path node */
    size_t map_room, place_room;
    struct sepx_path path;
    bool *take, *held; /* by edit: this draw's; any draw's so far */
    uint32_t *pick;    /* for drawing */
    bool *spare;       /* the edits of a child that dangles, if has_spare */
    size_t take_room, held_room, spare_room, pick_room;
    bool has_spare;
    struct sepx_graph plain[2]; /* the parents without marks, if so ruled */
    uint16_t mark[2][SEPX__SPACE_NODES];
    bool optimal; /* the path is a shortest one */
    size_t dropped;
    struct sepx__seen seen;
    struct sepx__path_table *paths; /* of `path`; NULL: none */
    bool shares;                    /* they are another context's */
};

extern const struct sepx__cross_ops sepx__cross_standard;
extern const struct sepx__cross_ops sepx__cross_matched;
extern const struct sepx__cross_ops sepx__cross_sep;
extern const struct sepx__cross_ops sepx__cross_path;

struct sepx__parents {
    const struct sepx_graph *a, *b;  /* edits lead from a to b */
    const uint16_t *mark_a, *mark_b; /* NULL: marks are part of the graphs */
    bool swapped;
};

/* Make `raw` of the first parent and the edits of cross->take. */
SEPX_CHECKED enum sepx_err sepx__cross_apply(struct sepx_cross *cross,
                                             struct sepx_graph *raw,
                                             const struct sepx__parents *p);
/*
 * The pipeline: `child` is that raw child, and finished if the verdict is
 * good. `place` and `msg` (may be NULL) as sepx_space_finish() has them.
 */
SEPX_CHECKED enum sepx_err
sepx__cross_judge(struct sepx_cross *cross, struct sepx_graph *child,
                  enum sepx_verdict *verdict, int16_t *place,
                  const struct sepx__parents *p, const struct sepx_rules *rules,
                  struct sepx_rng *rng, struct sepx_msg *msg);

/* What explain.c keeps of the path, of a draw, and of its verdict. */
SEPX_CHECKED enum sepx_err sepx__explain_path(struct sepx_explain *explain,
                                              const struct sepx_cross *cross,
                                              bool swapped);
SEPX_CHECKED enum sepx_err sepx__explain_draw(struct sepx_explain *explain,
                                              const struct sepx_cross *cross,
                                              const struct sepx_graph *raw);
void sepx__explain_verdict(struct sepx_explain *explain,
                           enum sepx_verdict verdict);

#endif
