/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of a study that is a function of its settings and its log: when
 * the search is asked and told, and which trial gets the result of another.
 * A running study and a replayed log go through the same calls.
 */
#ifndef SEPX_RUN_LEDGER_H
#define SEPX_RUN_LEDGER_H

#include "base/internal.h"
#include "sepx/eval.h"
#include "sepx/search.h"
#include "sepx/store.h"

/* ---- cache.c: the first trial of each class of isomorphic graphs ---- */

struct sepx__cache {
    struct sepx__cache_row *row; /* open addressing, `room` a power of two */
    size_t count, room;
};

void sepx__cache_release(struct sepx__cache *cache);
/* *first: the trial noted for this graph at this fidelity, now or before. */
SEPX_CHECKED enum sepx_err sepx__cache_note(struct sepx__cache *cache,
                                            uint32_t *first,
                                            const struct sepx_graph *graph,
                                            double fidelity, uint32_t trial);

/* ---- ledger.c ---- */

/* A trial that was asked and is not told to the search yet. */
struct sepx__pending {
    struct sepx_ask ask;
    bool used;
    bool told;    /* its result is in the log */
    bool given;   /* someone evaluates it */
    int64_t same; /* the earlier trial whose result it gets; -1: none */
};

/* What is kept of every trial. */
struct sepx__known {
    double value, test;
    enum sepx_outcome outcome;
    bool told;
};

struct sepx__ledger {
    struct sepx_search *search;
    const struct sepx_operator *op;
    uint32_t n_ops;
    uint32_t window;
    bool async, repeats;
    struct sepx__cache cache;
    struct sepx__pending *pending; /* `window` of them */
    struct sepx__known *known;     /* by trial */
    size_t known_room;
    uint32_t asked; /* trials so far */
    uint32_t told;  /* of them in the log */
    uint32_t heard; /* told to the search; in window mode, all below it */
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
 * for the log; its texts live until the next call.
 */
SEPX_CHECKED enum sepx_err sepx__ledger_ask(struct sepx__ledger *ledger,
                                            struct sepx__pending **pending,
                                            struct sepx_asked *asked);
/* The trial if it is not told to the search yet, else NULL. */
struct sepx__pending *sepx__ledger_find(struct sepx__ledger *ledger,
                                        uint32_t trial);
/* Take the result of a trial, once. */
SEPX_CHECKED enum sepx_err sepx__ledger_tell(struct sepx__ledger *ledger,
                                             struct sepx__pending *pending,
                                             const struct sepx_score *score);
/*
 * One event of a log. SEPX_EDATA, and the message says which, if it does not
 * follow from settings, seed and the events before it.
 */
SEPX_CHECKED enum sepx_err sepx__ledger_replay(struct sepx__ledger *ledger,
                                               const struct sepx_entry *entry,
                                               struct sepx_msg *msg);

#endif
