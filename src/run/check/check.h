/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of single events, for the files that verify and repair a log. */
#ifndef SEPX_RUN_CHECK_H
#define SEPX_RUN_CHECK_H

#include "run/study_internal.h"

/*
 * Of a trial that was told, with its proposal: SEPX_EDATA if its value is not
 * that of the program's answer.
 */
SEPX_CHECKED enum sepx_err sepx__check_answer(const struct sepx_study *study,
                                              const struct sepx_entry *entry,
                                              struct sepx_msg *msg);

#endif
