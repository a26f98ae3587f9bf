/* SPDX-License-Identifier: Apache-2.0 */
/* How often a loop over random cases runs. */
#ifndef SEPX_TESTS_ROUNDS_H
#define SEPX_TESTS_ROUNDS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Whether ./check runs this under a sanitizer. */
static inline bool
is_sanitized(void)
{
    const char *wanted = getenv("SEPX_OUTCOMES");

    return wanted && !strcmp(wanted, "no");
}

/*
 * `count`, or a third of it under a sanitizer: sanitizers look at code, which
 * fewer cases reach as well, and take several times as long.
 */
static inline uint32_t
rounds(uint32_t count)
{
    return is_sanitized() ? (count + 2) / 3 : count;
}

#endif
