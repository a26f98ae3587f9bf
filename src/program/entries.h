/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The entries of a folder, without opendir(), which allocates: a supervisor was
 * forked while other threads ran, and any of them may have held a lock of the
 * allocator.
 */
#ifndef SEPX_PROGRAM_ENTRIES_H
#define SEPX_PROGRAM_ENTRIES_H

#include "base/internal.h"

#include <stdint.h>
#include <sys/types.h>

/* {.folder = FD}; the caller's file, which stays open. */
struct sepx__entries {
    int folder;
    ssize_t len, at;
    union {
        char byte[2048];
        uint64_t aligned;
    } room;
};

/* The next name but "." and "..", good until the next call; NULL: no more. */
const char *sepx__entries_next(struct sepx__entries *entries);

#endif
