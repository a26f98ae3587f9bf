/* SPDX-License-Identifier: Apache-2.0 */
/* Where a study may lie, and who may write to it. */
#ifndef SEPX_STORE_INTERNAL_H
#define SEPX_STORE_INTERNAL_H

#include "base/internal.h"
#include "sepx/store.h"

/* The name of a network file system by its statfs() type, or NULL. */
const char *sepx__place_network(uint64_t type);
/* SEPX_EUNSUPPORTED if the file, or the folder it goes to, is on one. */
SEPX_CHECKED enum sepx_err sepx__place_check(const char *path,
                                             struct sepx_msg *msg);
/*
 * Open the file and lock it for this process; the lock ends with the
 * descriptor or the process. *fd is -1 after a failure: SEPX_ENOTFOUND,
 * SEPX_EIO, or SEPX_EBUSY, which leaves the message empty.
 */
SEPX_CHECKED enum sepx_err sepx__place_lock(int *fd, const char *path,
                                            struct sepx_msg *msg);
/* Whether some process holds that lock. */
bool sepx__place_locked(const char *path);
void sepx__place_unlock(int *fd);
/* Give a finished file its name, unless that is taken: SEPX_EINVAL. */
SEPX_CHECKED enum sepx_err
sepx__place_publish(const char *from, const char *path, struct sepx_msg *msg);
/* "path: cannot DO: reason; remedy" from errno. */
enum sepx_err sepx__place_fail(struct sepx_msg *msg, const char *path,
                               const char *action, int code);

#endif
