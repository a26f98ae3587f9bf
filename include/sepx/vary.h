/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Crossover: new graphs from two old ones.
 *
 * A crossover aligns the parents by a node map, lists the edits which that
 * map implies from the one to the other, and takes some of them. So each
 * operator is two choices, and all share the rest:
 *
 *     standard  nodes aligned by position,  each edit taken by a coin
 *     matched   by an optimal map,          each edit taken by a coin
 *     sep       by an optimal map,          ceil(d/2) of the d edits
 *
 * The last is the shortest edit path crossover of Qiu & Miikkulainen (ICML
 * 2023). Where orders differ, positions without a partner are the null
 * vertices of the paper: nodes to insert or to delete. One more operator, for
 * NAS-Bench-101 alone, knows no edits:
 *
 *     path      paths of both parents, and those of one by a coin
 *
 * Every raw child then passes one pipeline: not isomorphic to a parent,
 * acyclic, dangling nodes treated, ordered, valid. If it fails, other edits
 * are drawn, up to rules.trials times; then the crossover is skipped.
 *
 * Thread safety: a context belongs to one thread at a time; spaces are
 * shared.
 */
#ifndef SEPX_VARY_H
#define SEPX_VARY_H

#include "sepx/ged.h"
#include "sepx/space.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An operator's line in lists and help. */
struct sepx_cross_info {
    const char *name, *summary;
};

/* All operators, ended by NULL. */
SEPX_API const struct sepx_cross_info *const *sepx_cross_list(void);

/* What became of the crossovers. {0} is empty; sums over contexts add up. */
struct sepx_cross_counts {
    uint64_t attempts; /* crossovers = accepted + skipped */
    uint64_t accepted, skipped;
    uint64_t trials; /* = accepted + duplicates + cyclic + invalid */
    uint64_t duplicates, cyclic, invalid; /* dangling ones are invalid */
    /*
     * Crossovers whose alignment may not be the best (rule `align`), and
     * the edits, in all, that their paths may be too long by.
     */
    uint64_t unproven, gap;
};

/* One operator with its rules, distance solver and memory. */
struct sepx_cross;

/*
 * `space` must outlive the context; the rules are copied. SEPX_ENOTFOUND for
 * an unknown operator; the message lists the valid names and the nearest.
 * SEPX_EUNSUPPORTED if the operator does not work on this space.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_cross_new(struct sepx_cross **cross, const struct sepx_space *space,
               const char *operator_name, const struct sepx_rules *rules,
               struct sepx_msg *msg);
SEPX_API void sepx_cross_free(struct sepx_cross *cross); /* NULL: nothing */

/*
 * How a child came about. The caller's: {0} is empty. Of an operator that
 * knows no edits, path and maps are empty. Path nodes are those
 * of the parent that edits are applied to, then inserted ones: n_first +
 * n_insert of `path`.
 */
struct sepx_explain {
    bool swapped;    /* the edits lead from the second parent to the first */
    double distance; /* cost of the edits, 1 each unless the space says */
                     /* otherwise; of the parents, where optimal */
    double lower;    /* proven of the parents' distance; below `distance` if */
                     /* the rule `align` ended the search for a shorter */
                     /* path; NaN: parents are not aligned by distance */
    int16_t *map;    /* node of the other parent for each of n_first */
    struct sepx_path path; /* the edits that `map` implies, and n_past more */
    size_t n_past;         /* edges past a row that was cut short, in neither */
                           /* parent (rule `by`): the child is off the path */
    bool *taken;           /* which of them were drawn */
    bool *dropped;         /* drawn, but without effect: no endpoint */
    size_t n_dropped;
    int16_t *place;            /* of each path node in the child, if accepted */
    int16_t *raw_place;        /* of each node of `raw` in the child */
    unsigned trials;           /* draws made */
    enum sepx_verdict verdict; /* of the one that counts */
    struct sepx_msg why;       /* if that is not accepted */
    struct sepx_graph raw;     /* that draw, before the pipeline */
};

SEPX_API void sepx_explain_release(struct sepx_explain *explain);

/*
 * Cross `first` with `second`, both valid graphs of the space and neither of
 * them `child`. SEPX_ESTOPPED if the space's stop is asked for. *accepted:
 * there is a child, else the crossover was skipped and `child` is unspecified.
 * `counts` (may be NULL) is added to. `explain` (may be NULL; slower) tells
 * about the last draw.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_cross_run(struct sepx_cross *cross, struct sepx_graph *child,
               bool *accepted, const struct sepx_graph *first,
               const struct sepx_graph *second, struct sepx_rng *rng,
               struct sepx_cross_counts *counts, struct sepx_explain *explain);

#ifdef __cplusplus
}
#endif
#endif
