/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A keeper: a process that starts an evaluator's programs for one worker,
 * holds them to their limits, and lets none of them outlive us.
 */
#ifndef SEPX_EVAL_KEEPER_H
#define SEPX_EVAL_KEEPER_H

#include <stdint.h>
#include <sys/types.h>

#include "base/internal.h"
#include "eval/scratch.h"

/* What all programs of one keeper have in common. Copied by the start. */
struct sepx__keeper_plan {
    const char *path;  /* of the program */
    char *const *argv; /* ended by NULL */
};

/* {0} is none. */
struct sepx__keeper {
    pid_t pid;
    int control;                      /* a packet socket, if pid */
    volatile pid_t *program;          /* that runs now, or 0; shared memory */
    char scratch[SEPX__SCRATCH_SIZE]; /* a folder that ends with the keeper */
};

enum {
    SEPX__ORDER_NAMES = 16,       /* most variables of an order */
    SEPX__ORDER_SIZE = 16 * 1024, /* their most bytes */
};

/* One program to run. */
struct sepx__order {
    double time_limit;     /* seconds; 0: none */
    double grace;          /* seconds from TERM to KILL */
    uint64_t memory_limit; /* bytes; 0: none */
    uint32_t names;
    uint32_t len;               /* bytes of `set` */
    char set[SEPX__ORDER_SIZE]; /* "NAME=VALUE" with its zero, each */
};

enum sepx__ending {
    SEPX__ENDED,       /* by itself; see `status` */
    SEPX__NOT_STARTED, /* see `error` */
    SEPX__LATE,
    SEPX__LARGE,
    SEPX__STOPPED, /* on our word */
    SEPX__LOST     /* the keeper is gone */
};

struct sepx__report {
    enum sepx__ending ending;
    int status; /* as of waitpid() */
    int error;  /* errno */
};

/* What we can say while a program runs. */
enum sepx__word { SEPX__WORD_STOP = 's', SEPX__WORD_KILL = 'k' };

SEPX_CHECKED enum sepx_err
sepx__keeper_start(struct sepx__keeper *keeper,
                   const struct sepx__keeper_plan *plan);
/* Ends whatever runs, waits for that, and empties `keeper`. */
void sepx__keeper_stop(struct sepx__keeper *keeper);
/*
 * Run a program with these as its standard input, output and error; one
 * report follows. Fails with SEPX_EIO if the keeper is gone.
 */
SEPX_CHECKED enum sepx_err sepx__keeper_order(const struct sepx__keeper *keeper,
                                              const struct sepx__order *order,
                                              const int files[3]);
/* Ask for an early end; the report comes all the same. */
void sepx__keeper_say(const struct sepx__keeper *keeper, enum sepx__word word);
/* The report, if `control` can be read. */
void sepx__keeper_hear(const struct sepx__keeper *keeper,
                       struct sepx__report *report);

#endif
