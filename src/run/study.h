/* SPDX-License-Identifier: Apache-2.0 */
/* A study that is open, for the files that run and read it. */
#ifndef SEPX_RUN_STUDY_H
#define SEPX_RUN_STUDY_H

#include "run/ledger.h"
#include "sepx/study.h"

struct sepx_study {
    struct sepx_store *store;
    struct sepx_json *json; /* has the texts of the settings */
    struct sepx_study_settings settings;
    const char **rule;
    struct sepx_space *space;
    struct sepx_method *method;
};

/* Space and method, if they are not open yet. */
SEPX_CHECKED enum sepx_err sepx__study_load(struct sepx_study *study,
                                            struct sepx_msg *msg);
/* The evaluator of the settings; the space is open. */
SEPX_CHECKED enum sepx_err sepx__study_eval(const struct sepx_study *study,
                                            struct sepx_eval **eval,
                                            struct sepx_msg *msg);
/*
 * A ledger brought to the end of the log; *elapsed: the study's seconds so
 * far. The ledger must be released after a failure too.
 */
SEPX_CHECKED enum sepx_err
sepx__study_replay(struct sepx_study *study, struct sepx__ledger *ledger,
                   double *elapsed, struct sepx_msg *msg);

#endif
