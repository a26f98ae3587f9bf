/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of a study that is a function of its settings and its log: when
 * the search is asked and told, and which trial gets the result of another.
 * A running study and a replayed log go through the same calls.
 */
#ifndef SEPX_RUN_LEDGER_H
#define SEPX_RUN_LEDGER_H

#include "base/internal.h"
#include "eval/private.h"
#include "search/private.h"
#include "store/private.h"

/* ---- cache.c: the first trial of each class of isomorphic graphs ---- */

struct sepx__cache {
    struct sepx__cache_row *row; /* open addressing, `room` a power of two */
    size_t count, room;
};

void sepx__cache_release(struct sepx__cache *cache);
/* *first: the trial noted for this graph at this fidelity; `none` if none. */
SEPX_CHECKED enum sepx_err sepx__cache_find(const struct sepx__cache *cache,
                                            uint32_t *first,
                                            const struct sepx_graph *graph,
                                            double fidelity, uint32_t none);
/* *first: the trial noted for this graph at this fidelity, now or before. */
SEPX_CHECKED enum sepx_err sepx__cache_note(struct sepx__cache *cache,
                                            uint32_t *first,
                                            const struct sepx_graph *graph,
                                            double fidelity, uint32_t trial);

/* ---- ledger.c ---- */

/* The outcome of this name; false: no result of a trial has it. */
bool sepx__outcome_find(enum sepx_outcome *outcome, const char *name);
/* Whether an evaluation gave no score for a graph that may have one. */
bool sepx__outcome_failed(enum sepx_outcome outcome);

/*
 * A trial that was asked and is not told to the search yet, or one that it
 * was told to have failed, which may be retried.
 */
struct sepx__pending {
    struct sepx_ask ask;
    bool used;      /* and not just kept */
    bool told;      /* its result is in the log */
    bool given;     /* someone evaluates it */
    int64_t same;   /* the earlier trial whose result it gets; -1: none */
    int64_t holder; /* of a claim that may be taken; -1: nobody */
    int64_t lost;   /* workers that went away with it, that one included */
    struct sepx_eval_steps limit; /* with pruning: what it must not exceed */
};

/* What is kept of every trial. */
struct sepx__known {
    double value, test;
    enum sepx_outcome outcome;
    bool told;
    bool cached;      /* it gets the result of an isomorphic trial */
    bool imported;    /* its result came with it, and was heard at once */
    bool earlier;     /* told before this session; see limits.c */
    uint32_t attempt; /* how often it was retried */
    uint32_t late;    /* 1 + its place there; 0: none */
};

struct sepx__ledger {
    struct sepx_search *search;
    const struct sepx_space *space;
    uint32_t window;
    bool async, repeats;
    bool stopped; /* in the middle of a proposal */
    struct sepx__cache cache;
    struct sepx__pending *pending; /* `slots` of them, the window or more */
    size_t slots;
    struct sepx__known *known; /* by trial */
    size_t known_room;
    const struct sepx_goals *goals; /* the study's */
    double *number;                 /* with goals, by trial and then by name */
    size_t number_room;
    bool prune;
    struct sepx_eval_steps *steps; /* with pruning, by trial */
    size_t steps_room;
    uint32_t n_steps;
    /*
     * Failures that the search knows of. One that is retried comes to be
     * used, and then no proposal is made until all of them are told.
     */
    struct sepx__pending *late;
    size_t n_late, late_room;
    size_t n_again; /* retried, and the search was not told the end of it */
    size_t n_open;  /* of them under way */
    uint32_t asked; /* trials so far */
    uint32_t told;  /* of them in the log */
    uint32_t evaluations; /* of them without an isomorph before them */
    uint32_t repeated;    /* isomorphs asked since the last of those */
    uint32_t cached;      /* isomorphs that are told */
    uint32_t imported;    /* of the trials so far */
    uint32_t heard;       /* told to the search; in window mode, all below it */
    struct sepx_text graph; /* of the last ask, as JSON */
};

SEPX_CHECKED enum sepx_err
sepx__ledger_init(struct sepx__ledger *ledger, const struct sepx_method *method,
                  uint64_t seed, uint32_t window, bool async, bool repeats);
void sepx__ledger_release(struct sepx__ledger *ledger);

/* Whether all that the next proposal depends on is there. */
bool sepx__ledger_ready(const struct sepx__ledger *ledger);
/*
 * Make the next proposal, for which the ledger is ready. `asked` is its row
 * for the log; its texts live until the next call. After SEPX_ESTOPPED the
 * trial was not asked, results are still taken, and the ledger is never ready
 * again.
 */
SEPX_CHECKED enum sepx_err sepx__ledger_ask(struct sepx__ledger *ledger,
                                            struct sepx__pending **pending,
                                            struct sepx_asked *asked);
/*
 * A graph of the user's as the next trial, SEPX_OPERATOR_ADDED or _IMPORTED;
 * the result of an imported one has to follow before anything else. *pending
 * is NULL if the study knows an isomorph of it and does not repeat: then
 * nothing happens. SEPX_EINVAL if it is no graph of the space.
 */
SEPX_CHECKED enum sepx_err
sepx__ledger_bring(struct sepx__ledger *ledger, struct sepx__pending **pending,
                   struct sepx_asked *asked, const struct sepx_graph *graph,
                   uint32_t op, struct sepx_msg *msg);
/* All that may wait for a result; those that are not `used` do not. */
size_t sepx__ledger_count(const struct sepx__ledger *ledger);
struct sepx__pending *sepx__ledger_at(struct sepx__ledger *ledger, size_t at);
/* Whether a trial has a result that another attempt might better. */
bool sepx__ledger_failed(const struct sepx__ledger *ledger, uint32_t trial);
/* Forget the result of a trial that failed: it is under way again. */
void sepx__ledger_retry(struct sepx__ledger *ledger, uint32_t trial);
/* The trial if it is not told to the search yet, else NULL. */
struct sepx__pending *sepx__ledger_find(struct sepx__ledger *ledger,
                                        uint32_t trial);
/* What is known of a trial that was told. */
struct sepx_score sepx__ledger_score(const struct sepx__ledger *ledger,
                                     uint32_t trial);
/* Take the result of a trial, once. */
SEPX_CHECKED enum sepx_err sepx__ledger_tell(struct sepx__ledger *ledger,
                                             struct sepx__pending *pending,
                                             const struct sepx_score *score);
/* With pruning: its intermediate values, before it is told. Copied. */
SEPX_CHECKED enum sepx_err
sepx__ledger_steps(struct sepx__ledger *ledger, uint32_t trial,
                   const struct sepx_eval_steps *steps);
/*
 * One event of a log. SEPX_EDATA, and the message says which, if it does not
 * follow from settings, seed and the events before it.
 */
SEPX_CHECKED enum sepx_err sepx__ledger_replay(struct sepx__ledger *ledger,
                                               const struct sepx_entry *entry,
                                               struct sepx_msg *msg);

#endif
