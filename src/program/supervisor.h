/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A supervisor: a process that starts an evaluator's programs for one worker,
 * holds them to their limits, and lets none of them outlive us.
 */
#ifndef SEPX_PROGRAM_SUPERVISOR_H
#define SEPX_PROGRAM_SUPERVISOR_H

#include <stdint.h>
#include <sys/types.h>

#include "base/internal.h"
#include "program/scratch.h"

/* What all programs of one supervisor have in common. Copied by the start. */
struct sepx__supervisor_plan {
    const char *path;  /* of the program */
    char *const *argv; /* ended by NULL */
};

/* {0} is none. */
struct sepx__supervisor {
    pid_t pid;
    int control;             /* a packet socket, if pid */
    volatile pid_t *program; /* that runs now, or 0; shared memory */
    char scratch
        [SEPX__SCRATCH_SIZE]; /* a folder that ends with the supervisor */
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
    SEPX__LOST     /* the supervisor is gone */
};

struct sepx__report {
    enum sepx__ending ending;
    int status; /* as of waitpid() */
    int error;  /* errno */
};

/* What we can say while a program runs. */
enum sepx__word { SEPX__WORD_STOP = 's', SEPX__WORD_KILL = 'k' };

/* SEPX_ENOMEM; SEPX_EIO, and the message says what cannot be had. */
SEPX_CHECKED enum sepx_err
sepx__supervisor_start(struct sepx__supervisor *supervisor,
                       const struct sepx__supervisor_plan *plan,
                       struct sepx_msg *msg);
/* Ends whatever runs, waits for that, and empties `supervisor`. */
void sepx__supervisor_stop(struct sepx__supervisor *supervisor);
/*
 * Run a program with these as its standard input, output and error; one
 * report follows. Fails with SEPX_EIO if the supervisor is gone.
 */
SEPX_CHECKED enum sepx_err
sepx__supervisor_order(const struct sepx__supervisor *supervisor,
                       const struct sepx__order *order, const int files[3]);
/* Ask for an early end; the report comes all the same. */
void sepx__supervisor_say(const struct sepx__supervisor *supervisor,
                          enum sepx__word word);
/* Continue it if a signal stopped it; nothing happens if none did. */
void sepx__supervisor_wake(const struct sepx__supervisor *supervisor);
/* End it and all below it the hard way; its report is SEPX__LOST. */
void sepx__supervisor_kill(const struct sepx__supervisor *supervisor);
/* The report, if `control` can be read. */
void sepx__supervisor_hear(const struct sepx__supervisor *supervisor,
                           struct sepx__report *report);

#endif
