/* SPDX-License-Identifier: Apache-2.0 */
/* Folders that last no longer than an evaluation or a worker. */
#ifndef SEPX_PROGRAM_SCRATCH_H
#define SEPX_PROGRAM_SCRATCH_H

#include "base/internal.h"

#define SEPX__SCRATCH_SIZE 4096

/* $TMPDIR, or /tmp */
const char *sepx__scratch_base(void);
/* A new folder below it; returns 0 or an errno. */
int sepx__scratch_make(char path[SEPX__SCRATCH_SIZE]);
/* "PATH: cannot ACTION: reason; set TMPDIR ..."; returns SEPX_EIO. */
enum sepx_err sepx__scratch_fail(struct sepx_msg *msg, const char *path,
                                 const char *action, int code);
/* The folder and all in it, as far as it can be removed. */
void sepx__scratch_remove(const char *path);
/* Whether it is a folder that can be used, with nothing in it. */
bool sepx__scratch_is_empty(const char *path);
/* A folder and those above it, unless they are there; SEPX_EIO and errno. */
SEPX_CHECKED enum sepx_err sepx__folder_make(const char *path);

#endif
