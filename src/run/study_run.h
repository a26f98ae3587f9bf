/* SPDX-License-Identifier: Apache-2.0 */
/* A study at work, alone (study_run.c) or with others (study_share.c). */
#ifndef SEPX_RUN_STUDY_RUN_H
#define SEPX_RUN_STUDY_RUN_H

#include "run/crew.h"
#include "store/claims.h"

struct sepx__run {
    struct sepx__session session;
    const struct sepx_study_plan *plan;
    struct sepx__limits limits;
    struct sepx__crew crew;
    struct sepx_study_running *running; /* for the view */
    bool stopped;                       /* on request, not by the plan */
    bool proven;                        /* an evaluation here did not fail */
    bool unstarted;          /* before that, the program could not be started */
    enum sepx_study_end end; /* not OPEN: nothing more is begun */
    const char *trouble;     /* for the view */
    const struct sepx_study_plan *caller; /* the plan as it was given */
    struct sepx_msg *caller_msg;
};

/* ---- study_run.c ---- */

/* A result that came with this output and these steps, to log and ledger. */
SEPX_CHECKED enum sepx_err
sepx__run_tell(struct sepx__run *run, struct sepx__pending *pending,
               struct sepx_told *told, const struct sepx_score *score,
               const struct sepx_eval_output *output,
               const struct sepx_eval_steps *steps);
SEPX_CHECKED enum sepx_err sepx__run_lay(struct sepx__run *run,
                                         struct sepx__desk *desk,
                                         struct sepx__pending *pending);
/* False: the outside asks to stop. */
bool sepx__run_look(struct sepx__run *run);
/* The ends that may come at any moment. */
void sepx__run_limits(struct sepx__run *run);
/* Whether nothing is begun, not even trials that others gave back. */
bool sepx__run_given_up(const struct sepx__run *run);

/* ---- study_share.c ---- */

enum { SEPX__SHARE_DEPTH = 32 }; /* desks of each of its workers */

/* Until the plan has an end, with others; the ledger is that of the log. */
SEPX_CHECKED enum sepx_err sepx__share_turns(struct sepx__run *run);

#endif
