/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The workers of a study. Each is a thread with a row of desks, on which it
 * finds graphs and leaves scores, one after the other. As a rule it has one;
 * quick evaluations are worth more (study_share.c).
 */
#ifndef SEPX_RUN_CREW_H
#define SEPX_RUN_CREW_H

#include <pthread.h>
#include <stdatomic.h>

#include "run/study_internal.h"

enum sepx__desk_state {
    SEPX__DESK_FREE,
    SEPX__DESK_LAID,  /* not handed over yet */
    SEPX__DESK_GIVEN, /* its turn has not come */
    SEPX__DESK_BUSY,
    SEPX__DESK_DONE
};

struct sepx__hand {
    struct sepx__crew *crew;
    pthread_t thread;
    bool started;
    pthread_cond_t call;
    struct sepx_eval_worker *worker;
    struct sepx__desk *desk; /* `depth` of them */
};

struct sepx__desk {
    struct sepx__crew *crew;
    struct sepx__hand *hand;     /* whose it is */
    const char *slot;            /* NULL: none */
    enum sepx__desk_state state; /* under the lock */
    struct sepx_graph graph;
    double fidelity;
    uint32_t trial, attempt;
    atomic_bool drop; /* nobody wants its result any more */
    const char *op;
    struct sepx_score score;
    struct sepx_eval_output output;
    struct sepx_eval_steps limit, steps; /* what it must not exceed; what is */
    double began, seconds;
    struct sepx_msg msg;
    enum sepx_err err;
};

struct sepx__crew {
    pthread_mutex_t lock;
    pthread_cond_t done;
    bool closing; /* under the lock */
    atomic_bool stop;
    struct sepx__hand *hand;
    unsigned hands, depth;
    struct sepx__desk *desk; /* of all hands, in their order */
    unsigned count;
    unsigned low; /* under the lock; see sepx__crew_set_low() */
    uint64_t seed;
    const struct sepx_goals *goals; /* the study's */
};

/* So many desks for each worker of the plan; ended after a failure, too. */
SEPX_CHECKED enum sepx_err
sepx__crew_start(struct sepx__crew *crew, const struct sepx_study_plan *plan,
                 unsigned depth, const struct sepx_eval *eval,
                 struct sepx_msg *msg);
/* Evaluations under way are given up. */
void sepx__crew_end(struct sepx__crew *crew);
/* Whether someone works, or is done and waits to be heard. */
bool sepx__crew_busy(struct sepx__crew *crew);
/* How many do. */
unsigned sepx__crew_busy_hands(struct sepx__crew *crew);
/* Who is done with one desk and has so many to go need not be heard yet. */
void sepx__crew_set_low(struct sepx__crew *crew, unsigned low);
/* Until someone is done and is to be heard, or it is time to look at the outside. */
void sepx__crew_wait(struct sepx__crew *crew);
/* The same, for at most so long. */
void sepx__crew_wait_for(struct sepx__crew *crew, double seconds);
/* One of whoever has the least to do; NULL: all have that much. */
struct sepx__desk *sepx__crew_free_desk(struct sepx__crew *crew, unsigned most);
/*
 * A desk that waits behind an evaluation of so many seconds, which is free
 * then; NULL: none.
 */
struct sepx__desk *sepx__crew_take_back(struct sepx__crew *crew,
                                        double seconds);
void sepx__desk_set(struct sepx__desk *desk, enum sepx__desk_state state);
/*
 * Whether an evaluation that is done was ended from outside, which says
 * nothing about its graph. Who ends a process may end all that it started
 * with the same signal, as batch systems do.
 */
bool sepx__desk_ended(const struct sepx__desk *desk,
                      const struct sepx_stop *stop);
/* What was laid on desks is for their workers now. */
void sepx__crew_hand_over(struct sepx__crew *crew);

#endif
