/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Spaces: which graphs are legal, how to draw one, change one, and bring a
 * crossover child into the form that the space stores.
 *
 * Validity never depends on the order of the nodes: a graph and any isomorph
 * of it are both valid or both invalid. (Rules that reproduce published
 * experiments may be stricter with crossover children; see below.)
 *
 * Thread safety: a space is never changed once open and may be shared by all
 * threads. Its name table may be shared as long as no thread adds to it, so
 * read the user's graphs before the threads start.
 */
#ifndef SEPX_SPACE_H
#define SEPX_SPACE_H

#include "sepx/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- rules ---- */

/*
 * What a study may decide about its operators. A rule is data: presets and
 * settings choose values, no operator exists twice.
 */

/* The order in which a crossover child's nodes are stored. */
enum sepx_order {
    SEPX_ORDER_RANDOM,   /* uniform among the topological orders */
    SEPX_ORDER_LIFO,     /* networkx 2.5: the last node made ready is next */
    SEPX_ORDER_FIFO,     /* networkx >= 2.6: generation by generation */
    SEPX_ORDER_SMALLEST, /* the smallest ready node number is next */
    SEPX_ORDER_KEEP      /* none; a child with an edge back is invalid */
};

/* Nodes of a new graph that lie on no path from inputs to outputs. */
enum sepx_dangling {
    SEPX_DANGLING_KEEP,
    SEPX_DANGLING_DROP,   /* taken out of a child before it is checked */
    SEPX_DANGLING_AVOID,  /* drawn again; let through after `trials` draws */
    SEPX_DANGLING_REJECT, /* such a child or mutant is invalid */
    SEPX_DANGLING_MIXED   /* a coin for each child: avoid or keep */
};

/* Which crossover children are no news. */
enum sepx_duplicates {
    SEPX_DUPLICATES_REJECT,    /* isomorphic to a parent */
    SEPX_DUPLICATES_IDENTICAL, /* equal to a parent, node by node */
    SEPX_DUPLICATES_ALLOW      /* none */
};

/* Which of the optimal maps aligns the parents. */
enum sepx_alignment {
    SEPX_ALIGNMENT_UNIFORM, /* drawn from all; the child's law is then */
                            /* invariant to the parents' node order */
    SEPX_ALIGNMENT_FIRST    /* that of sepx_ged_run() */
};

/* The parent that edits are applied to. */
enum sepx_start {
    SEPX_START_FIRST,
    SEPX_START_LARGER, /* with more nodes; the first if equal */
    SEPX_START_RANDOM
};

/* The test that decides whether a crossover child is accepted. */
enum sepx_acceptance {
    SEPX_ACCEPT_SPACE,    /* sepx_space_check() */
    SEPX_ACCEPT_PUBLISHED /* the authors' test: nb101 wants input first and */
                          /* output last in the child's order; nbnlp wants */
                          /* at most two inputs at each node, and crosses */
                          /* graphs without the marks of hidden states */
};

/* What a crossover takes of the edits between its parents. */
enum sepx_by {
    SEPX_BY_EDITS, /* single ones */
    SEPX_BY_HUNKS, /* those that touch at a port of a node together */
    SEPX_BY_AUTO   /* hunks on long paths in spaces of files, if halves of */
                   /* single edits are seldom valid as they are */
};

/* Which of the graphs that share the lowest score is reported. */
enum sepx_ties {
    SEPX_TIES_FIRST,
    SEPX_TIES_MEAN /* that of the lowest mean of all its scores */
};

/* clang-format off */
#define SEPX_RULES(X) /* member, its type, "values|...", help */ \
    X(trials, unsigned, "0..1000000", \
      "draws of a child before a crossover is skipped; 0: no limit") \
    X(order, enum sepx_order, "random|lifo|fifo|smallest|keep", \
      "order of a crossover child's nodes") \
    X(dangling, enum sepx_dangling, "keep|drop|avoid|reject|mixed", \
      "children and mutants with nodes on no path from input to output") \
    X(duplicates, enum sepx_duplicates, "reject|identical|allow", \
      "children that equal a parent") \
    X(alignment, enum sepx_alignment, "uniform|first", \
      "which optimal alignment of the parents") \
    X(align, unsigned, "0..1000000", \
      "search-tree nodes spent on aligning parents of 64 nodes, (64/n)^2 " \
      "times as many with n nodes; then the best alignment so far is used; " \
      "0: no limit") \
    X(by, enum sepx_by, "edits|hunks|auto", \
      "take single edits, or whole hunks: edits that touch at a node's " \
      "incoming or outgoing edges; auto: hunks on long paths in spaces of " \
      "files, if halves of single edits are seldom valid") \
    X(start, enum sepx_start, "first|larger|random", \
      "the parent that the edits are applied to") \
    X(judge, enum sepx_acceptance, "space|published", \
      "the test that a child must pass") \
    X(reorder, bool, "no|yes", \
      "mutate in a random topological order, not the stored one") \
    X(differ, bool, "no|yes", \
      "redraw a mutant that is isomorphic to its parent") \
    X(grow, bool, "no|yes", \
      "mutation may add and remove nodes and input edges (nbnlp)") \
    X(accumulate, bool, "no|yes", \
      "a trial starts from the failed one before (published matched)") \
    X(forward, bool, "no|yes", \
      "drop inserted edges against the node order (published matched)") \
    X(coded, bool, "no|yes", \
      "cross the authors' code, not graphs (published standard of nbnlp)") \
    X(fresh, unsigned, "0..1000000", \
      "draws for a graph that was not proposed before, dead nodes aside; " \
      "then a known one is let through; 0: known graphs are proposed again") \
    X(repeat, unsigned, "0..100", \
      "per cent of evaluations that score the graph of the best mean again, " \
      "as long as scores of one graph differ (evolve and model)") \
    X(scores, unsigned, "0..1000000", \
      "scores that one graph gets by that at most") \
    X(ties, enum sepx_ties, "first|mean", \
      "of the graphs with the lowest score, the first or that of the best " \
      "mean is reported")
/* clang-format on */

struct sepx_rules {
#define SEPX_ROW(member, type, values, help) type member;
    SEPX_RULES(SEPX_ROW)
#undef SEPX_ROW
};

/* One row of SEPX_RULES, for help texts and documentation. */
struct sepx_rule_info {
    const char *name, *values, *help;
};

/*
 * The rules of a preset for one space and one operator ("mutation" or a name
 * of sepx_cross_list()). "default" is the same for all, but for the order of
 * nodes in darts; "plain" is what it was before version 0.2, without a memory
 * of what was proposed. "published" is what
 * the authors' scripts do; "paper" is "published" with the 50 trials that
 * the paper names. SEPX_ENOTFOUND, with the valid names and the nearest, for
 * an unknown preset; space and operator need not be known.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_rules_preset(struct sepx_rules *rules, const char *preset,
                  const char *space, const char *operator_name,
                  struct sepx_msg *msg);
/*
 * Set one rule by its name and value, as texts. SEPX_ENOTFOUND for an unknown
 * name, SEPX_EINVAL for a bad value; the message lists the valid ones.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_rules_set(struct sepx_rules *rules, const char *name, const char *value,
               struct sepx_msg *msg);

/* ---- spaces ---- */

struct sepx_space;

/* A space's line in lists and help. */
struct sepx_space_info {
    const char *name, *summary;
    const char *const *targets; /* names of sepx_space_target(), NULL-ended */
};

/* All spaces, ended by NULL. */
SEPX_API const struct sepx_space_info *const *sepx_space_list(void);

/*
 * Open a space by its name. A name with a '/' or the suffix ".json" is a
 * file that describes a space; docs/spaces.md explains its keys. SEPX_ENOTFOUND
 * for an unknown name; the message lists the valid ones and the nearest.
 * SEPX_ENOINPUT for a missing file, SEPX_EDATA for a bad one: "file:line: key:
 * what, value; remedy". *space is NULL after a failure.
 */
SEPX_API SEPX_CHECKED enum sepx_err sepx_space_open(struct sepx_space **space,
                                                    const char *name,
                                                    struct sepx_msg *msg);
/*
 * The same from the text of such a file. `name` stands for the file in
 * messages, and graphs that the text names are looked for in its folder.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_space_open_text(struct sepx_space **space, const char *bytes, size_t len,
                     const char *name, struct sepx_msg *msg);
SEPX_API void sepx_space_close(struct sepx_space *space); /* NULL: nothing */

SEPX_API const struct sepx_space_info *
sepx_space_info(const struct sepx_space *space);
/* The table that all graphs of this space use; owned by the space. */
SEPX_API struct sepx_names *sepx_space_names(const struct sepx_space *space);
/* Labels whose nodes are never relabelled, for sepx_ged_options. */
SEPX_API const uint16_t *sepx_space_pinned(const struct sepx_space *space,
                                           size_t *count);

/*
 * Let `stop` (copied; NULL: nobody) end what takes long: drawing graphs, and
 * all that crossovers, searches and runs do on this space. They then fail
 * with SEPX_ESTOPPED. Set it before other threads use the space.
 */
SEPX_API void sepx_space_set_stop(struct sepx_space *space,
                                  const struct sepx_stop *stop);

/*
 * Append the space as the text of a file, graphs included, so that
 * sepx_space_open_text() gives the same space from it alone.
 * SEPX_EUNSUPPORTED if no file can express it (nbnlp, darts).
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_space_write(struct sepx_text *text, const struct sepx_space *space);

/*
 * How many graphs a space has. A form is a graph with its nodes in a stored
 * order: inputs, inner nodes, outputs, and topological if acyclic. Each
 * isomorphism class has at least one form.
 */
struct sepx_space_size {
    bool exact;            /* all forms were looked at */
    double classes;        /* that are not isomorphic; NaN unless exact */
    double log10_forms;    /* valid ones, counted or estimated; or a bound; */
                           /* NaN: there are too many shapes to tell */
    double log10_least;    /* lower bound of log10(classes), if estimated */
    double relative_error; /* standard error of the estimate; 0 if exact, */
                           /* NaN: log10_forms is only an upper bound */
};

/* `effort`: forms that may be looked at, such as 1e6. For spaces of files. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_space_count(const struct sepx_space *space, struct sepx_space_size *size,
                 uint64_t effort);

/*
 * *valid tells whether the graph is one of the space, in whatever order its
 * nodes are. If not, `msg` (may be NULL, which is faster) says why.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_space_check(const struct sepx_space *space, bool *valid,
                 const struct sepx_graph *graph, struct sepx_msg *msg);

/* Draw a valid graph into `graph` ({0}, or one in use). */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_space_sample(const struct sepx_space *space, struct sepx_graph *graph,
                  struct sepx_rng *rng);

/*
 * A random small change of `parent`, which is valid and not `child`. Rules
 * read: reorder, differ, dangling (avoid, reject) with trials, grow, judge.
 * The mutant is valid, except in nbnlp with judge=published, which does
 * not test mutants. If 10,000 draws give none, `child` is a copy of
 * `parent`.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_space_mutate(const struct sepx_space *space, struct sepx_graph *child,
                  const struct sepx_graph *parent,
                  const struct sepx_rules *rules, struct sepx_rng *rng);

/*
 * The moves of local search: single changes of `graph` (an edge toggled, a
 * node or edge relabelled, a source moved), numbered from 0; their number,
 * and the result of one. *valid: whether `out` is a graph of the space.
 */
SEPX_API uint32_t sepx_space_moves(const struct sepx_space *space,
                                   const struct sepx_graph *graph);
SEPX_API SEPX_CHECKED enum sepx_err
sepx_space_move(const struct sepx_space *space, struct sepx_graph *out,
                bool *valid, const struct sepx_graph *graph, uint32_t move);

/* ---- what is measured ---- */

/*
 * A named target: "optimum" (nb101), "gru", "lstm" (nbnlp). SEPX_ENOTFOUND
 * for an unknown name; the message lists the valid ones.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_space_target(const struct sepx_space *space, struct sepx_graph *graph,
                  const char *name, struct sepx_msg *msg);

/* ---- crossover children ---- */

enum sepx_verdict {
    SEPX_ACCEPTED,
    SEPX_DUPLICATE, /* given by operators, not by the space */
    SEPX_CYCLIC,
    SEPX_INVALID,
    SEPX_DANGLES /* valid, but has nodes that the rules avoid */
};

#ifdef __cplusplus
}
#endif
#endif
