/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The split bound and the search built on it. docs/algorithms.md has the
 * proof; dual.c the bound, tree.c the search, tabu.c the maps.
 *
 * The reward of matching edge e with edge f is split between the two pairs of
 * nodes at its ends: T[d][f] + T[d'][f'] = W[e][f] for the darts d, d' of e
 * and f, f' of f. A star is a pair of nodes (i, k) with the darts at both:
 * its value is the best assignment of the ones to the others by max(0, T).
 * The leader is the assignment of rows to columns by the values of stars plus
 * the nodes' own rewards: at least the reward of any map, for any split.
 */
#ifndef SEPX_GED_SPLIT_H
#define SEPX_GED_SPLIT_H

#include "ged/problem.h"

#define SPLIT_BLOCK 16  /* cells: darts of one class, up to 4 by 4 */
#define SPLIT_MOST 8191 /* of a cell: four of them fit 16 bits */
#define SPLIT_NONE UINT32_MAX
#define SPLIT_BYTES (UINT64_C(1) << 30) /* of the tree's states */
#define CHECK_EACH (1 << 14) /* pairs, where millions are gone over */

/* What is left of a pair of nodes. Dead: the two are never mapped. */
enum { PAIR_DEAD, PAIR_LIVE, PAIR_FIXED };

/* The pairs that are still worth cells; the same for all nodes of a tree. */
struct split_layout {
    uint32_t n_pairs, n_cells;
    uint16_t *row, *column; /* of each pair */
    uint32_t *place;        /* of each pair: its reward in a state */
    int32_t *own;           /* of each pair: its reward without edges */
    uint32_t *first;        /* n_pairs + 1: its cells */
    uint8_t *simple;        /* of each pair: all its blocks are 4 by 4 */
    uint32_t *pair;         /* n rows of m: the pair's number, or SPLIT_NONE */
    uint32_t *partner;      /* of each cell, or SPLIT_NONE */
    uint32_t *owner;        /* pair of each SPLIT_BLOCK cells */
    void *memory;
};

/* One node of the tree; a single block, copied as a whole. */
struct split_state {
    int16_t *t;      /* cells */
    int32_t *reward; /* n + 1 rows of width: the last is of all stand-ins */
    int32_t *u, *v;  /* duals: u + v >= reward */
    int32_t *column_of, *row_of; /* m rows, of which m - n stand-ins */
    uint16_t *choices;           /* of each row: columns not gone */
    uint16_t *reals;             /* of each row: pairs not dead */
    uint8_t *pair;               /* PAIR_DEAD, ... */
    int64_t total;               /* of the leader, in points */
    void *memory;
    size_t size;
};

/* A cell that moves, with its partner the other way. */
struct split_drift {
    uint32_t cell, partner;
    uint32_t pair, other; /* whose they are */
    float amount;
};

struct split_vectors;

/* A node of the tree, and the pair it branches on. */
struct split_level {
    struct split_state state;
    uint32_t i, k;
    uint32_t deep; /* levels above it, if one thread had walked here */
    uint64_t path; /* how the walk came here, mixed */
    bool branched; /* the pair was fixed below, and is to be killed here */
    struct shared_job *job; /* of a thread that does that; see shared_tree.c */
};

struct ged_split {
    struct ged_task *task;
    bool over; /* the task is */
    struct ged_problem p;
    const struct split_vectors *vectors;
    struct split_layout layout;
    /* stars to be valued again */
    uint32_t *stale, n_stale;
    uint8_t *is_stale; /* by pair */
    uint8_t *touched;  /* rows whose rewards changed; n: the stand-ins */
    /* the subgradient, with momentum */
    struct split_drift *drift;
    uint32_t n_drift;
    float drift_squares; /* sum over the drift */
    uint32_t *drift_at;  /* position of a cell's entry + 1, else 0 */
    uint32_t *chosen;    /* cells of the stars that the leader took */
    /* room for the assignments */
    int32_t *distance, *blocked, *depths;
    int32_t *way, *reached;
    int32_t *star_u, *star_v, *star_d, *star_way, *star_row;
    uint8_t *star_used;
    /* what is known */
    int64_t need;   /* points below which a node holds nothing of use */
    int64_t beyond; /* steps: the least cost that is not looked for */
    int64_t target; /* steps: only maps up to this cost are looked for */
    int32_t *map;   /* the last one looked at */
    int32_t *best;  /* of cost task->upper */
    bool has_best;
    bool aligned; /* `best` began as one of align.c or grow.c */
    uint64_t iterations, tabu_steps;
    uint64_t sifted; /* pairs that are laid out without being sifted */
    /* the search */
    struct split_state root, probe;
    struct split_level *level; /* of the tree */
    size_t level_room;
    uint32_t n_level; /* that have a state */
    uint32_t depth;   /* levels in use; 0: the tree is done */
    struct tabu *tabu;
    unsigned stage;
    enum sepx_err err;
    void *memory, *pair_memory;
    /* several threads */
    bool is_clone;              /* has neither problem nor layout of its own */
    bool alone;                 /* no other search takes turns any more */
    struct shared_tree *shared; /* NULL: one thread */
    struct shared_job *job;     /* that this clone works on */
    struct ged_split *host;     /* the original, if on its thread */
    unsigned nested;            /* jobs begun by the thread */
};

/* Loops that are compiled twice: for any processor, and for AVX2. */
struct split_vectors {
    /* Value of the star (i, k) with its cells at t. */
    int32_t (*star)(struct ged_split *s, const int16_t *t, uint32_t i,
                    uint32_t k);
    /* Value stale stars. */
    void (*value)(struct ged_split *s, struct split_state *st);
    /* List the cells of the stars that the leader took; their number. */
    uint32_t (*choose)(struct ged_split *s, const struct split_state *st);
    /* Solve the leader anew; false: it has no solution. */
    bool (*lead)(struct ged_split *s, struct split_state *st);
    /* Columns k with reward[k] not gone and u + v[k] - reward[k] > most. */
    uint32_t (*beyond)(const int32_t *reward, const int32_t *v, int32_t u,
                       int32_t most, uint32_t width, int32_t *list);
    /* From column *at on, the next with x[k] + y[k] - z[k] >= least. */
    bool (*next_at_least)(const int32_t *x, const int32_t *y, const int32_t *z,
                          int32_t least, uint32_t width, uint32_t *at);
};

extern const struct split_vectors sepx__split_base, sepx__split_avx2;

/* layout.c */
/*
 * Number the pairs that may still be mapped at the root. Unfinished if the
 * task is over by then.
 */
SEPX_CHECKED enum sepx_err sepx__layout_init(struct split_layout *l,
                                             struct ged_split *s);
void sepx__layout_release(struct split_layout *l);
SEPX_CHECKED enum sepx_err sepx__state_init(struct split_state *st,
                                            const struct ged_problem *p,
                                            const struct split_layout *l);
void sepx__state_release(struct split_state *st);
/*
 * The root anew, for the layout `l`, with what it had; without a layout
 * before, each edge's reward goes half to either end.
 */
SEPX_CHECKED enum sepx_err sepx__root_move(struct ged_split *s,
                                           const struct split_layout *l);
void sepx__state_copy(struct split_state *to, const struct split_state *from);
/* Half the reward of every edge at (i, k), into its cells. */
void sepx__halve_star(const struct ged_problem *p, uint32_t i, uint32_t k,
                      int16_t *t);
static inline uint32_t
split_block_cells(uint32_t rows, uint32_t columns)
{
    if (!rows || !columns)
        return 0;
    return rows <= 4 && columns <= 4
               ? SPLIT_BLOCK
               : (rows * columns + SPLIT_BLOCK - 1) / SPLIT_BLOCK * SPLIT_BLOCK;
}
static inline uint32_t
split_stride(uint32_t rows, uint32_t columns)
{
    return rows <= 4 && columns <= 4 ? 4 : columns;
}

/*
 * Whether a row that has the column is mapped to it: not if both are better
 * left over. Before there is a layout every pair is live.
 */
static inline bool
split_is_mapped(const struct ged_split *s, const struct split_state *st,
                uint32_t i, uint32_t k, uint32_t pair)
{
    const size_t at = (size_t)i * s->p.width + k;
    const uint8_t now = s->layout.memory ? st->pair[pair] : PAIR_LIVE;

    return now == PAIR_FIXED ||
           (now == PAIR_LIVE && (s->p.base[at] >= 0 || st->reward[at] > 0));
}

/* dual.c */
struct dual_plan {
    bool root;
    uint32_t most; /* iterations */
    float lambda;
};
/* Set s->over if a limit says so. */
void sepx__split_check(struct ged_split *s);
void sepx__split_set_need(struct ged_split *s);
/* Price and keep a map; whether it is a better one. */
bool sepx__split_offer(struct ged_split *s, const int32_t *map);
/* The map of the leader's assignment, into s->map. */
void sepx__split_read_map(struct ged_split *s, const struct split_state *st);
/* Where the leader stands in steps: no map of the state costs less. */
int64_t sepx__split_lower(const struct ged_split *s,
                          const struct split_state *st);
/* Raise the task's bound, but not beyond what is looked for. */
void sepx__split_raise(struct ged_split *s, int64_t lower);
/* Points of a difference in cost that counts: a unit, unless that is tiny. */
double sepx__split_grade(const struct ged_split *s);
/* Take the pair out: never mapped (the nodes may still be left over). */
void sepx__split_kill(struct ged_split *s, struct split_state *st, uint32_t i,
                      uint32_t k);
/* Whether both may be left over, with nothing lost. */
bool sepx__split_may_leave(const struct ged_split *s, uint32_t i, uint32_t k);
void sepx__split_fix(struct ged_split *s, struct split_state *st, uint32_t i,
                     uint32_t k);
/* Value stale stars and solve; false if nothing of use is left. */
bool sepx__split_settle(struct ged_split *s, struct split_state *st);
/* Settled before: take out pairs that no map of use has. */
void sepx__split_thin(struct ged_split *s, struct split_state *st);
bool sepx__split_bound(struct ged_split *s, struct split_state *st,
                       struct dual_plan plan);
/* Forget stale marks after a state was given up. */
void sepx__split_forget(struct ged_split *s);

/* tabu.c */
struct tabu_plan {
    uint32_t steps, patience;
    bool shaken; /* start from the best map, disturbed */
    bool best;   /* or as it is; else from the leader's */
};
SEPX_CHECKED enum sepx_err sepx__tabu_new(struct ged_split *s);
void sepx__tabu_free(struct tabu *t);
void sepx__tabu_run(struct ged_split *s, const struct split_state *st,
                    struct tabu_plan plan);
/* From now on, random numbers are a function of `seed`. */
void sepx__tabu_seed(struct tabu *t, uint64_t seed);
/* Runs in a row that ended at the best cost known. */
unsigned sepx__tabu_hits(const struct tabu *t);

/* tree.c */
/* Search below the root from the start; sepx__tree_run() does the work. */
SEPX_CHECKED enum sepx_err sepx__tree_start(struct ged_split *s);
/* Until the tree is done (s->depth is 0), the task over or the work done. */
SEPX_CHECKED enum sepx_err sepx__tree_run(struct ged_split *s, uint64_t work);
void sepx__tree_release(struct ged_split *s);
SEPX_CHECKED enum sepx_err sepx__tree_want_level(struct ged_split *s,
                                                 uint32_t depth);
/* Move to the second branch of a level. */
void sepx__tree_open(struct ged_split *s, struct split_level *level);

/* shared_tree.c */
void sepx__shared_start(struct ged_split *s, unsigned threads);
void sepx__shared_end(struct ged_split *s);
/* Around changes of levels that others may look at; else nothing. */
void sepx__shared_lock(struct ged_split *s);
void sepx__shared_unlock(struct ged_split *s);
/* A better map is known (locked): jobs that went by the old one are void. */
void sepx__shared_improved(struct ged_split *s);
/* The levels are given up. */
void sepx__shared_abandon(struct ged_split *s);
/*
 * The top level comes to its second branch. True: another thread has been
 * through it, and its answer is taken over.
 */
bool sepx__shared_collect(struct ged_split *s);
bool sepx__shared_is_over(struct ged_split *s);

/* split.c */
SEPX_CHECKED enum sepx_err sepx__split_new(struct ged_split **split,
                                           struct sepx_ged *ged,
                                           struct ged_task *task);
/* For another thread: shares the problem and the layout of `of`. */
SEPX_CHECKED enum sepx_err sepx__split_clone(struct ged_split **split,
                                             const struct ged_split *of,
                                             struct ged_task *task);
void sepx__split_free(struct ged_split *s);
/*
 * Work on, about as long as `work` says; counted, not timed. Ends early when
 * the task's bounds meet or pass its cap, or the task is over.
 */
SEPX_CHECKED enum sepx_err sepx__split_run(struct ged_split *s, uint64_t work);
/* Work done so far, and the tabu search's part of it. */
uint64_t sepx__split_work(const struct ged_split *s);
uint64_t sepx__tabu_work(const struct ged_split *s);

#endif
