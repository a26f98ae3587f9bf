/* SPDX-License-Identifier: Apache-2.0 */
/* Runs with several objectives, for the code that makes them. */
#ifndef SEPX_RUN_VOLUME_H
#define SEPX_RUN_VOLUME_H

#include "base/internal.h"
#include "sepx/run.h"

void sepx__points_release(struct sepx_run *run);
/* *entered: the merit is allowed, and nothing before it is as good. */
SEPX_CHECKED enum sepx_err
sepx__points_note(struct sepx_run *run, const struct sepx_ask *ask,
                  const struct sepx_merit *merit, bool *entered);

#endif
