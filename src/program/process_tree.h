/* SPDX-License-Identifier: Apache-2.0 */
/* The processes below one, as /proc shows them. Linux only. */
#ifndef SEPX_PROGRAM_PROCESS_TREE_H
#define SEPX_PROGRAM_PROCESS_TREE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Children, their children and so on, at most `most`; returns how many. Made
 * while they come and go, so one that is just born may be missing.
 */
size_t sepx__tree_list(pid_t root, pid_t *pids, size_t most);
/*
 * Bytes of memory of these processes, swap included. Pages that they share
 * count once if the plain sum is above `limit`, where it matters.
 */
uint64_t sepx__tree_memory(const pid_t *pids, size_t count, uint64_t limit);

#endif
