/* SPDX-License-Identifier: Apache-2.0 */
/* Folders that last no longer than an evaluation or a worker. */
#ifndef SEPX_EVAL_SCRATCH_H
#define SEPX_EVAL_SCRATCH_H

#include "sepx/base.h"

#define SEPX__SCRATCH_SIZE 4096

/* A new folder below $TMPDIR or /tmp; SEPX_EIO if that cannot be. */
SEPX_CHECKED enum sepx_err sepx__scratch_make(char path[SEPX__SCRATCH_SIZE]);
/* The folder and all in it, as far as it can be removed. */
void sepx__scratch_remove(const char *path);
/* A folder and those above it, unless they are there. */
SEPX_CHECKED enum sepx_err sepx__folder_make(const char *path);

#endif
