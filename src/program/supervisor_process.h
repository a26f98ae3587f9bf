/* SPDX-License-Identifier: Apache-2.0 */
/* What runs in the supervisor's process. */
#ifndef SEPX_PROGRAM_SUPERVISOR_PROCESS_H
#define SEPX_PROGRAM_SUPERVISOR_PROCESS_H

#include <signal.h>

#include "program/supervisor.h"

enum { SEPX__PROCESSES_MOST = 4096 }; /* of a program, as far as we count */

/* A supervisor's first message. */
struct sepx__hello {
    int error;                        /* errno; 0: it is ready */
    char scratch[SEPX__SCRATCH_SIZE]; /* its folder, or empty */
};

struct sepx__supervisor_process {
    const struct sepx__supervisor_plan *plan;
    char **env; /* `n_env`, then room for an order's and NULL */
    size_t n_env;
    int failure[2];   /* errno of an exec that failed */
    sigset_t waiting; /* all but SIGCHLD */
    bool orphaned;    /* our process is gone */
    struct sepx__hello hello;
    struct sepx__order order;
    pid_t program;
    volatile pid_t *shown; /* the same, for our process */
    pid_t below[SEPX__PROCESSES_MOST];
};

/* Never returns. `g` has its plan and env; the rest is zero. */
_Noreturn void sepx__supervisor_main(struct sepx__supervisor_process *g,
                                     int control);

#endif
