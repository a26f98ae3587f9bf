/* SPDX-License-Identifier: Apache-2.0 */
/* Make each allocation of a call fail in turn, the library's and jansson's. */
#ifndef SEPX_TESTS_FAULTS_H
#define SEPX_TESTS_FAULTS_H

#include <stdbool.h>

#include "unit/check.h"

/* Let `n` allocations succeed and the one after them fail, once. */
void fault_after(long n);
/* Count blocks only; nothing fails. */
void fault_count(void);
/* Whether the failure has happened since fault_after(). */
bool fault_hit(void);
/* Blocks made less blocks freed since fault_after() or fault_count(). */
long fault_live(void);
/* Restore the plain allocators. Blocks alive stay valid. */
void fault_stop(void);

/*
 *     EACH_FAULT(fault) {
 *         fault.err = sepx_thing_make(&thing);
 *         sepx_thing_release(&thing);
 *     }
 *
 * runs the block with one more allocation that succeeds each time, until none
 * fails. The block must say SEPX_ENOMEM whenever one did, SEPX_OK at the end,
 * and leave no memory behind.
 */
#define EACH_FAULT(fault) \
    for (struct fault fault = {0}; fault_begin(&(fault)); fault_end(&(fault)))

struct fault {
    enum sepx_err err; /* set by the block */
    long n;            /* allocations that succeed */
    bool done;
};

static inline bool
fault_begin(struct fault *fault)
{
    if (fault->done) {
        fault_stop();
        return false;
    }
    fault->err = SEPX_OK;
    fault_after(fault->n);
    return true;
}

static inline void
fault_end(struct fault *fault)
{
    bool hit = fault_hit();

    CHECK(fault->err == (hit ? SEPX_ENOMEM : SEPX_OK), "%d after %ld",
          fault->err, fault->n);
    CHECK(fault_live() == 0, "%ld blocks left after %ld", fault_live(),
          fault->n);
    fault->done = !hit;
    fault->n++;
}

#endif
