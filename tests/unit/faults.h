/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Make each allocation of a call fail in turn, the library's and jansson's:
 *
 *     for (long n = 0;; n++) {
 *         fault_after(n);
 *         err = sepx_thing_make(&thing);
 *         if (!fault_hit())
 *             break;
 *         assert_int_equal(err, SEPX_ENOMEM);
 *         assert_int_equal(fault_live(), 0);
 *     }
 *     fault_stop();
 */
#ifndef SEPX_TESTS_FAULTS_H
#define SEPX_TESTS_FAULTS_H

#include <stdbool.h>

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

#endif
