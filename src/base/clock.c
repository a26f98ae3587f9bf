/* SPDX-License-Identifier: Apache-2.0 */
#include "base/private.h"

#include <time.h>

double
sepx_clock(void)
{
    struct timespec now = {0};

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
