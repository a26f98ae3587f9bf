/* SPDX-License-Identifier: Apache-2.0 */
/* How often a loop over random cases runs. */
#ifndef SEPX_TESTS_ROUNDS_H
#define SEPX_TESTS_ROUNDS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * `count`, or a third of it where SEPX_OUTCOMES is "no": sanitizers look at
 * code, which fewer cases reach as well, and take several times as long.
 */
static inline uint32_t
rounds(uint32_t count)
{
    const char *wanted = getenv("SEPX_OUTCOMES");

    return wanted && !strcmp(wanted, "no") ? (count + 2) / 3 : count;
}

#endif
