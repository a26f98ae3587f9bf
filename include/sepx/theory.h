/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Expected improvement of one step of search, in theory: lower bounds of how
 * much nearer the optimum an operator brings a graph, counted in edges
 * (Qiu & Miikkulainen, ICML 2023, Theorems 1 to 4 and the Corollary).
 *
 * In the paper's symbols, with N = n(n-1) the entries off the diagonal of an
 * adjacency matrix, B(k, p) a binomial, x+ = max(x, 0):
 *
 *   n_se = max(N - d_opt - d_12, 0)
 *   SEPX = E (d_opt d_12 / (N - n_se) - B(d_12, 1/2))+
 *   STDX = E (d_opt - B((n1 (N-n2) + (N-n1) n2) / N, 1/2)
 *             - ((d_opt + n1 - n0) n2 + (d_opt - n1 + n0) (N-n2)) / 2N)+
 *          with n0, n1, n2 edges in the optimum and in the parents
 *   MUTA = E (d_opt - B(N - d_opt, p_m) - B(d_opt, 1 - p_m))+
 *   RLU  = E (b - w / (1 + (1/p - 1) exp(-2 ae (b - w)(1 - p)))
 *               - (M - w) / (1 + (1/p - 1) exp(2 ae (b - w) p)))
 *          with M = N, p = b/M, w = B(M, p), ae = alpha eta
 *   RLO  = the same with M = floor(b) + 1
 *
 * A bound is had in two ways: exact, a sum over the distribution; and
 * sampled, the Monte Carlo estimate of the paper. Grids of either bound, or
 * of the difference of two, are what the paper's heat maps show.
 *
 * Beside what is derived stands what is measured: the same improvement with
 * the real operators on real graphs, by exact distances.
 *
 * Thread safety: functions touch only their arguments.
 */
#ifndef SEPX_THEORY_H
#define SEPX_THEORY_H

#include "sepx/vary.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the bounds and the setting they are taken at ---- */

/* clang-format off */
#define SEPX_BOUNDS(X) /* enum, name, what it bounds the improvement of */ \
    X(SEPX_BOUND_SEPX, "sepx", "shortest edit path crossover") \
    X(SEPX_BOUND_STDX, "stdx", "standard crossover") \
    X(SEPX_BOUND_MUTA, "muta", "mutation") \
    X(SEPX_BOUND_RLU, "rlu", "reinforcement learning, unbiased agent") \
    X(SEPX_BOUND_RLO, "rlo", "reinforcement learning, oracle agent")

#define SEPX_STDX_TRIALS(X) /* enum, name, what a fraction k is read as */ \
    X(SEPX_STDX_ROUND, "round", "the nearest integer, halves to even") \
    X(SEPX_STDX_MIX, "mix", "floor or ceiling by chance, k on average") \
    X(SEPX_STDX_FLOOR, "floor", "the integer below") \
    X(SEPX_STDX_CEIL, "ceil", "the integer above")
/* clang-format on */

#define SEPX_ROW(id, name, text) id,
enum sepx_bound { SEPX_BOUND_NONE, SEPX_BOUNDS(SEPX_ROW) SEPX_BOUND_END };
enum sepx_stdx_trials { SEPX_STDX_TRIALS(SEPX_ROW) SEPX_STDX_END };
#undef SEPX_ROW

/* "sepx", ...; NULL for SEPX_BOUND_NONE and past the end. */
SEPX_API const char *sepx_bound_name(enum sepx_bound which);
/* "shortest edit path crossover", ...; NULL likewise. */
SEPX_API const char *sepx_bound_text(enum sepx_bound which);
/* SEPX_BOUND_NONE for an unknown name. */
SEPX_API enum sepx_bound sepx_bound_find(const char *name);
SEPX_API const char *sepx_stdx_trials_name(enum sepx_stdx_trials reading);
/* SEPX_STDX_END for an unknown name. */
SEPX_API enum sepx_stdx_trials sepx_stdx_trials_find(const char *name);

/*
 * Where a bound is taken. {0} plus `n` is a legal setting: every bound is 0.
 *
 * Each distance is at most N = n(n-1), each edge count too. Combinations that
 * no three graphs have, such as a distance below the difference of the edge
 * counts, are computed all the same: the paper's grids contain them.
 */
struct sepx_theory {
    uint32_t n;        /* nodes: 1 to SEPX_NODES_MAX */
    uint32_t edges[3]; /* of the optimum, parent 1, parent 2; for STDX */
    uint32_t d_opt;    /* from the optimum to parent 1, in edges */
    uint32_t d_12;     /* between the parents, in edges; for SEPX */
    /*
     * Expected distance of what the agent draws, 0 to N; for RLU and RLO.
     * 0: d_opt, as in the paper (a true 0 leaves nothing to gain).
     */
    double b;
    double alpha_eta; /* reward scale times learning rate, 0 or more */
    /*
     * Relative excess of a distance d_12 that is not exact, 0 or more; SEPX
     * is then that of the Corollary.
     */
    double epsilon;
    /*
     * Chance that mutation flips an entry, 0 to 1. 0: 1/N, one flip on
     * average (a true 0 changes nothing).
     */
    double p_m;
    enum sepx_stdx_trials trials;
    bool clip_rl; /* RLU and RLO with (.)+ like the rest, unlike the paper */
};

/*
 * SEPX_OK if every bound can be taken there; else SEPX_EINVAL (a NaN, a
 * distance above N, a negative epsilon, ...) or SEPX_ELIMIT (more than
 * SEPX_NODES_MAX nodes, or a d_12 (1 + epsilon) beyond 2^26), and `msg` (may
 * be NULL) names the field, its value and its range. All functions below
 * that take a setting check it like this first.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_theory_check(const struct sepx_theory *at, struct sepx_msg *msg);

/* 1/N unless given; 0 for n = 1, where nothing can be flipped. */
SEPX_API double sepx_theory_mutation_rate(const struct sepx_theory *at);

/* ---- exact ---- */

/*
 * The bound, with a relative error of about 1e-13 while it does not
 * underflow. Where a formula reads 0/0 it is continued: with no distance to
 * the optimum, or n = 1, there is nothing to gain and the bound is 0; SEPX is
 * 0 for equal parents. At b = N the formula of RLO has one entry more than
 * there are; it is computed as it stands.
 * O(sqrt(N)) time and memory. May fail with SEPX_ENOMEM.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_theory_exact(double *value, const struct sepx_theory *at,
                  enum sepx_bound which, struct sepx_msg *msg);

/* ---- sampled ---- */

struct sepx_estimate {
    double mean;
    double se; /* standard error of the mean, from the sample alone: 0 if all
                  trials agreed, as they may on a very rare event */
    uint64_t trials;
};

/*
 * Draw the bound's random variable `trials` times, at least 2. Takes four
 * 64-bit words of `rng` to seed a faster generator; the same `rng` and
 * setting give the same estimate, bit for bit.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_theory_sample(struct sepx_estimate *out, const struct sepx_theory *at,
                   enum sepx_bound which, uint64_t trials, struct sepx_rng *rng,
                   struct sepx_msg *msg);

/* ---- measured ---- */

/*
 * The distance in edges that the bounds speak of: labels of nodes ignored,
 * nodes that one graph has more than the other not counted. `ged` has been
 * made with ignore_labels and unit costs.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_theory_distance(struct sepx_ged *ged, uint32_t *distance,
                     const struct sepx_graph *a, const struct sepx_graph *b);

/* clang-format off */
#define SEPX_PARENTS(X) /* enum, name, where parent 2 differs from parent 1 */ \
    X(SEPX_PARENTS_RELATED, "related", \
      "in d_12 of d_opt + d_12 entries: the d_opt where parent 1 and the " \
      "optimum differ, and d_12 others; the assumption of the theory") \
    X(SEPX_PARENTS_INDEPENDENT, "independent", \
      "anywhere, whatever the optimum is")
/* clang-format on */

#define SEPX_ROW(id, name, text) id,
enum sepx_parents { SEPX_PARENTS(SEPX_ROW) SEPX_PARENTS_END };
#undef SEPX_ROW

/* SEPX_PARENTS_END for an unknown name. */
SEPX_API enum sepx_parents sepx_parents_find(const char *name);

/*
 * Three graphs for each sample: the optimum, drawn from the space until it
 * has at.n nodes and at.edges[0] edges; parent 1 by random changes of its
 * edges until their distance is at.d_opt; parent 2 so from parent 1, at.d_12
 * away, its nodes then stored in a random topological order. Parent 1, and
 * parent 2 if independent, have at.edges or as near as the distances allow:
 * two graphs with equally many edges are never an odd distance apart. Where
 * the rules avoid or reject nodes on no path from input to output, no graph
 * has any.
 */
struct sepx_measure_plan {
    const struct sepx_space *space;
    struct sepx_theory at; /* n, edges, d_opt, d_12 are read */
    enum sepx_parents parents;
    const char *rules; /* a preset; NULL: "default" */
    bool labels;       /* as drawn; else all nodes that are not pinned have
                          the same one, and all edits are edges */
    uint64_t samples;  /* 2 to 10,000,000 */
    uint64_t seed;
    unsigned threads; /* 0: one for each processor; changes no result */
};

struct sepx_measured {
    /* By enum sepx_bound: sepx, stdx and muta; the others stay 0. */
    struct sepx_estimate alone[SEPX_BOUND_END];   /* the operator's raw child */
    struct sepx_estimate applied[SEPX_BOUND_END]; /* children let through by
                                                     the rules; `trials` says
                                                     how many there were */
    double edges[3]; /* means of the optimum and of the parents */
};

/*
 * The improvement (d_opt - d_e(optimum, child))+ of one step, measured.
 * SEPX_ENOTFOUND if the space seems to have no such three graphs; SEPX_EINVAL
 * and SEPX_ELIMIT for a bad plan. A mutant is always valid, so that `alone`
 * and `applied` are then the same.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_theory_measure(struct sepx_measured *out,
                    const struct sepx_measure_plan *plan, struct sepx_msg *msg);

/* ---- pairs of parents, and what the bounds say about them ---- */

/* Pairs of one kind: where they fall on the map. */
struct sepx_event {
    uint32_t n; /* nodes of the largest of the three graphs */
    uint32_t edges[3];
    uint32_t d_opt, d_12;
    uint64_t count;
};

/* The caller's: {0} is empty, sepx_events_release() ends it. */
struct sepx_events {
    struct sepx_event *at; /* all different, ascending by d_opt, d_12, ... */
    size_t count;
    size_t room; /* events that fit into `at` */
};

SEPX_API void sepx_events_release(struct sepx_events *events);
/*
 * The event of one pair, counted once. `ged` is as sepx_theory_distance()
 * wants it.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_event_of_pair(struct sepx_event *event, struct sepx_ged *ged,
                   const struct sepx_graph *optimum,
                   const struct sepx_graph *first,
                   const struct sepx_graph *second);
/*
 * Add an event's count to those of its kind. The order of additions does not
 * matter. `events` is as before if this fails.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_events_add(struct sepx_events *events, const struct sepx_event *event);
/*
 * All ordered pairs (i, j), i != j, of a population into `events`, which is
 * empty: i as parent 1, j as parent 2. SEPX_EINVAL for fewer than two graphs,
 * SEPX_ELIMIT for more than 2,048. `threads`: 0 for one a processor.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_events_of_population(struct sepx_events *events,
                          const struct sepx_graph *graphs, size_t count,
                          const struct sepx_graph *optimum, unsigned threads,
                          struct sepx_msg *msg);

struct sepx_assessment {
    uint64_t pairs;
    uint64_t solved; /* d_opt is 0: nothing to gain */
    uint64_t equal;  /* d_12 is 0 and d_opt is not: crossover does nothing */
    uint64_t ahead;  /* the bound of sepx is above that of muta */
    /* By enum sepx_bound; sepx, stdx and muta only. */
    uint64_t largest[SEPX_BOUND_END]; /* no tie, and above 0 */
    double mean[SEPX_BOUND_END];      /* of the bound over all pairs */
};

/* epsilon, p_m and trials are read of `at`; the events say the rest. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_events_assess(struct sepx_assessment *out,
                   const struct sepx_events *events,
                   const struct sepx_theory *at, struct sepx_msg *msg);

/* ---- grids ---- */

/* clang-format off */
#define SEPX_THEORY_AXES(X) /* enum, name of the field, text on a drawing */ \
    X(SEPX_AXIS_D_OPT, "d_opt", "distance to the optimum, d_e(opt, 1)") \
    X(SEPX_AXIS_D_12, "d_12", "distance of the parents, d_e(1, 2)") \
    X(SEPX_AXIS_ALPHA_ETA, "alpha_eta", "reward scale × learning rate, αη") \
    X(SEPX_AXIS_EPSILON, "epsilon", "relative error of the distance, ε") \
    X(SEPX_AXIS_P_M, "p_m", "mutation rate, p_m")
/* clang-format on */

#define SEPX_ROW(id, name, text) id,
enum sepx_theory_field { SEPX_THEORY_AXES(SEPX_ROW) SEPX_AXIS_END };
#undef SEPX_ROW

SEPX_API const char *sepx_theory_field_name(enum sepx_theory_field field);
SEPX_API const char *sepx_theory_field_text(enum sepx_theory_field field);
/* SEPX_AXIS_END for an unknown name. */
SEPX_API enum sepx_theory_field sepx_theory_field_find(const char *name);

/* A field of the setting and the values it goes through. */
struct sepx_theory_axis {
    enum sepx_theory_field field;
    const double *at; /* whole numbers for d_opt and d_12 */
    size_t count;     /* at least 1 */
};

/* A bound, or (b given) a minus b, over two different axes. */
struct sepx_theory_plan {
    struct sepx_theory at; /* the two fields on the axes aside */
    enum sepx_bound a, b;  /* b == SEPX_BOUND_NONE: a alone */
    struct sepx_theory_axis x, y;
};

/* The caller's: {0} is empty, sepx_theory_grid_release() ends it. */
struct sepx_theory_grid {
    struct sepx_theory_plan plan; /* its axis values stay the caller's, who
                                     keeps them while the grid lives */
    double *a;          /* y.count rows of x.count values of bound a */
    double *b;          /* NULL if the plan has no b */
    double *difference; /* a minus b, or a */
};

/*
 * Fill an empty grid, exactly. It is empty again if the call fails; `msg`
 * then names the cell. SEPX_ELIMIT above 2^20 cells.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_theory_grid_fill(struct sepx_theory_grid *grid,
                      const struct sepx_theory_plan *plan,
                      struct sepx_msg *msg);
SEPX_API void sepx_theory_grid_release(struct sepx_theory_grid *grid);
/* Cells whose difference is above 0. */
SEPX_API size_t sepx_theory_grid_ahead(const struct sepx_theory_grid *grid);
/* Header `d_opt,d_12,sepx,muta,sepx-muta`, one line a cell, x fastest. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_theory_grid_write_csv(struct sepx_text *text,
                           const struct sepx_theory_grid *grid);

/* ---- the paper's figures ---- */

struct sepx_theory_figure {
    const char *name; /* "sepx-muta-nb101"; fit for a file name */
    const char *about;
    struct sepx_theory_plan plan;
};

/* Every heat map of the paper; never NULL, lives for ever. */
SEPX_API const struct sepx_theory_figure *sepx_theory_figures(size_t *count);
/* NULL for an unknown name. */
SEPX_API const struct sepx_theory_figure *
sepx_theory_figure_find(const char *name);

#ifdef __cplusplus
}
#endif
#endif
