/* SPDX-License-Identifier: Apache-2.0 */
/* Work on a study that others work on as well: what its files share. */
#ifndef SEPX_RUN_SHARE_H
#define SEPX_RUN_SHARE_H

#include "run/study_run.h"

/* A result that the log does not have yet. */
struct sepx__parcel {
    uint32_t trial, attempt;
    struct sepx_graph graph;
    struct sepx_score score;
    struct sepx_eval_output output;
    struct sepx_eval_steps steps;
    const char *slot;
    double seconds;
    double since; /* when it came here */
    bool sent;    /* in the transaction that is open */
};

/* A claim whose worker may be gone, and since when we think so. */
struct sepx__watch {
    uint32_t trial, attempt;
    int64_t worker, beat;
    double since;
};

struct sepx__share {
    struct sepx__run *run;
    const struct sepx__share_ops *ops;
    struct sepx_store *store;
    struct sepx_study_plan plan; /* with the limits of the last session */
    struct sepx__mark mark;      /* how far the ledger is */
    bool stale;                  /* the ledger has what the log may not have */
    struct sepx__card card;
    char host[256];
    struct sepx_text slots;
    struct sepx__parcel *parcel; /* the outbox */
    size_t n_parcels, parcel_room;
    struct sepx__claims claims;
    struct sepx__watch *watch;
    size_t n_watch, watch_room;
    struct sepx__desk **take; /* desks whose claims the commit will answer */
    size_t n_takes;
    int64_t session;
    double beat_at, refresh_at, poll_at; /* when each is due */
    double pause;                        /* between two polls */
    double ticked, idle_since;
    uint32_t foreign;  /* events of others, in the last turn */
    uint32_t begun;    /* evaluations of this process */
    double seconds;    /* of the last of them; NaN: none yet */
    double pace;       /* the longest of late, about; NaN: none yet */
    double try_at;     /* when to try for the lock again; 0: now */
    double tried;      /* when it was first tried for */
    double caught_up;  /* when the ledger was last brought up to date */
    double wait;       /* before the next try */
    unsigned failures; /* before the first success */
    uint64_t draws;    /* random numbers so far, for pauses alone */
    struct sepx_msg why;
};

/* Seconds from half of `mean` to one and a half. */
double sepx__share_jitter(struct sepx__share *share, double mean);

/* ---- share_claims.c ---- */

/*
 * Look who works on what, and which trials under way may be taken: those
 * that nobody has, and those whose worker was not heard of for its lease by
 * the server's clock and for half of ours by our own. Clocks jump; two that
 * are independent do not jump together.
 */
SEPX_CHECKED enum sepx_err sepx__share_refresh(struct sepx__share *share);
/* Whether a worker on another host is at work. */
bool sepx__share_others(const struct sepx__share *share);
/* The host that failed with a trial, or "". */
const char *sepx__share_failed_on(const struct sepx__share *share,
                                  uint32_t trial, uint32_t attempt);

/* ---- share_ahead.c ---- */

/* How many desks each worker here may have to go: 1, more if it is quick. */
unsigned sepx__share_ahead(const struct sepx__share *share);
/* Whether results are worth a turn now. */
bool sepx__share_must_send(struct sepx__share *share);
/* What was taken ahead and is stuck behind another is for others. */
SEPX_CHECKED enum sepx_err sepx__share_give_back(struct sepx__share *share);

/* ---- share_outbox.c ---- */

/* What is done leaves the desks, which are free then. */
SEPX_CHECKED enum sepx_err sepx__outbox_fill(struct sepx__share *share);
/* Tell all, in the transaction that is open. */
SEPX_CHECKED enum sepx_err sepx__outbox_send(struct sepx__share *share);
/* After a commit: SEPX_EUNSUPPORTED if this worker is to be set aside. */
SEPX_CHECKED enum sepx_err sepx__outbox_check(struct sepx__share *share);
/* After a commit, forget what was sent; after a failure, send it again. */
void sepx__outbox_settle(struct sepx__share *share, bool committed);
/* Whether there is a result for this trial. */
bool sepx__outbox_has(const struct sepx__share *share, uint32_t trial);
/* Whether anything could be sent now. */
bool sepx__outbox_waits(const struct sepx__share *share);
void sepx__outbox_release(struct sepx__share *share);

#endif
