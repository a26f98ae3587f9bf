/* SPDX-License-Identifier: Apache-2.0 */
/* What runs in the keeper's process. */
#ifndef SEPX_EVAL_GUARD_H
#define SEPX_EVAL_GUARD_H

#include <signal.h>

#include "eval/keeper.h"

enum { SEPX__PROCESSES_MOST = 4096 }; /* of a program, as far as we count */

struct sepx__guard {
    const struct sepx__keeper_plan *plan;
    char **env; /* `n_env`, then room for an order's and NULL */
    size_t n_env;
    int failure[2];   /* errno of an exec that failed */
    sigset_t waiting; /* all but SIGCHLD */
    bool orphaned;    /* our process is gone */
    char scratch[SEPX__SCRATCH_SIZE];
    struct sepx__order order;
    pid_t program;
    volatile pid_t *shown; /* the same, for our process */
    pid_t below[SEPX__PROCESSES_MOST];
};

/* Never returns. `g` has its plan and env; the rest is zero. */
_Noreturn void sepx__guard(struct sepx__guard *g, int control);

#endif
