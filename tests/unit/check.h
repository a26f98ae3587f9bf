/* SPDX-License-Identifier: Apache-2.0 */
/* What every unit test includes first: cmocka, and CHECK with a reason. */
#ifndef SEPX_TESTS_CHECK_H
#define SEPX_TESTS_CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "library.h"

/* CHECK(a <= b, "seed %u", seed): print the reason and fail unless true. */
#define CHECK(condition, ...) \
    do { \
        if (!(condition)) { \
            print_error("%s: ", #condition); \
            print_error(__VA_ARGS__); \
            print_error("\n"); \
            fail(); \
        } \
    } while (0)

/* Equal up to `relative` parts of the larger; NaN equals NaN. */
#define CHECK_NEAR(got, want, relative) \
    do { \
        const double got_ = (got), want_ = (want); \
        CHECK((isnan(got_) && isnan(want_)) || got_ == want_ || \
                  fabs(got_ - want_) <= \
                      fmax(fabs(got_), fabs(want_)) * (relative), \
              "%s is %.17g, not %.17g", #got, got_, want_); \
    } while (0)

#endif
