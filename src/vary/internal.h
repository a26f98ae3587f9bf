/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of this module share. */
#ifndef SEPX_VARY_INTERNAL_H
#define SEPX_VARY_INTERNAL_H

#include "base/internal.h"
#include "base/parts.h"
#include "space/internal.h"
#include "vary/private.h"

/* Rejected choices of edits, so that none is tried twice. */
#define SEPX__SEEN 128 /* a power of two */
struct sepx__seen {
    uint64_t taken[SEPX__SEEN];
    uint8_t verdict[SEPX__SEEN]; /* plus 1; 0: free */
    uint32_t count;
};

/* What sepx__hunks_wanted() said about parents and their alignment. */
#define SEPX__VERDICTS 256
struct sepx__verdict {
    struct sepx__hash key;
    bool set, wanted;
};

/* What half of the edits is made of. */
enum sepx__hunks_how {
    SEPX__HUNKS_WHOLE,
    SEPX__HUNKS_SPLIT, /* in-ports, each with what it needs */
    SEPX__HUNKS_CUT    /* a part of a row; cross->take has it */
};

/* Edits that are taken together; {0} is empty. */
struct sepx__hunks {
    enum sepx__hunks_how how;
    uint32_t edits, count;
    uint32_t *of;                   /* hunk of each edit */
    uint32_t *size;                 /* edits of each hunk */
    const struct sepx_graph *first; /* the parent that edits change */
    uint32_t total; /* edits to take: what hunks can have, nearest to half */
    double *ways;
    uint32_t *set;
    size_t of_room, size_room, ways_room, set_room;
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
    /* The same by hunks. */
    void (*take_hunks)(struct sepx_cross *cross, struct sepx_rng *rng);
    /* Make cross->shared, which all copies use; NULL: there is none. */
    enum sepx_err (*prepare)(struct sepx_cross *cross, struct sepx_msg *msg);
    void (*release)(void *shared); /* accepts NULL */
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
    struct sepx_rules now; /* those of the crossover under way */
    bool coded, split;     /* rules that this space knows */
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
    bool optimal;  /* the path is a shortest one */
    double length; /* of the path: what its edits cost */
    double lower;  /* proven of its length; NaN: nobody looked */
    bool weighed;  /* edits may cost other than 1, or nothing */
    size_t dropped;
    size_t past; /* edits at the end of `path` that no parent asks for */
    struct sepx__seen seen;
    bool by_hunks; /* of this path */
    struct sepx__verdict verdict[SEPX__VERDICTS];
    uint64_t verdicts_known; /* times that one was found there */
    struct sepx__hunks hunks;
    void *shared; /* the operator's, read only; NULL: none */
    bool is_copy; /* `shared` is owned by another context */
};

extern const struct sepx__cross_ops sepx__cross_standard;
extern const struct sepx__cross_ops sepx__cross_matched;
extern const struct sepx__cross_ops sepx__cross_sep;
#define X(name) extern const struct sepx__cross_ops sepx__cross_##name;
SEPX__NAS_CROSSOVERS(X)
#undef X

struct sepx__parents {
    const struct sepx_graph *a, *b;  /* edits lead from a to b */
    const uint16_t *mark_a, *mark_b; /* NULL: marks are part of the graphs */
    bool swapped;
};

/* The hunks of cross->path, into cross->hunks. */
SEPX_CHECKED enum sepx_err sepx__hunks_find(struct sepx_cross *cross,
                                            const struct sepx__parents *p);
void sepx__hunks_release(struct sepx__hunks *hunks);
/* After that: how sepx__hunks_take() takes them. */
SEPX_CHECKED enum sepx_err sepx__hunks_plan(struct sepx_cross *cross,
                                            const struct sepx__parents *p,
                                            struct sepx_rng *rng);
/*
 * rows.c: cut a row of nodes short at a random place, nearest to half. If
 * *found, cross->take is a valid child, and the path has further edits at
 * its end, the edges that lead past what is left out.
 */
SEPX_CHECKED enum sepx_err sepx__row_cut(struct sepx_cross *cross, bool *found,
                                         const struct sepx__parents *p,
                                         struct sepx_rng *rng);
/* cross.c: room for so many edits in what is kept for each of them. */
SEPX_CHECKED enum sepx_err sepx__cross_room(struct sepx_cross *cross,
                                            size_t edits);
/* Hunks of about half of the edits, or each by a coin, into cross->take. */
void sepx__hunks_take(struct sepx_cross *cross, struct sepx_rng *rng);
void sepx__hunks_take_by_coin(struct sepx_cross *cross, struct sepx_rng *rng);
/* verdicts.c: whether the rule `by` asks for hunks on this path. */
SEPX_CHECKED enum sepx_err sepx__hunks_wanted(struct sepx_cross *cross,
                                              bool *wanted,
                                              const struct sepx__parents *p);

/* Make `raw` of the first parent and the edits of cross->take. */
SEPX_CHECKED enum sepx_err sepx__cross_apply(struct sepx_cross *cross,
                                             struct sepx_graph *raw,
                                             const struct sepx__parents *p);
/* Whether that is valid as it is, without pruning or repair. */
SEPX_CHECKED enum sepx_err sepx__cross_check(struct sepx_cross *cross,
                                             bool *good,
                                             const struct sepx__parents *p);
/*
 * The pipeline: `child` is that raw child, and finished if the verdict is
 * good. `place` and `msg` (may be NULL) as sepx_space_finish() has them.
 */
SEPX_CHECKED enum sepx_err
sepx__cross_accept(struct sepx_cross *cross, struct sepx_graph *child,
                   enum sepx_verdict *verdict, int16_t *place,
                   const struct sepx__parents *p,
                   const struct sepx_rules *rules, struct sepx_rng *rng,
                   struct sepx_msg *msg);

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
