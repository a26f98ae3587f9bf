/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of blocks, exactly as they are drawn. */
#include "unit/check.h"

#include <string.h>

#include "base/private.h"
#include "unit/faults.h"

enum { MOST = 240 };

static void
check(const char *want, const double *value, size_t count, size_t width,
      bool rising)
{
    struct sepx_text text = {0};

    assert_int_equal(
        sepx_text_add_sparkline(&text, value, count, width, rising), SEPX_OK);
    CHECK(!strcmp(text.at ? text.at : "", want), "'%s', not '%s'",
          text.at ? text.at : "", want);
    sepx_text_release(&text);
}

#define CHECK_LINE(want, width, ...) \
    check(want, (const double[]){__VA_ARGS__}, \
          sizeof((const double[]){__VA_ARGS__}) / sizeof(double), width, \
          false)

static void
test_few_trials_are_a_block_each(void **state)
{
    (void)state;
    check("", NULL, 0, 60, false);
    CHECK_LINE("▁", 60, 5);
    CHECK_LINE("█▁", 60, 5, 3);
    CHECK_LINE("▁▁", 60, 5, 5);
    CHECK_LINE("▁▁▁▁▁", 60, 5, 5, 5, 5, 5);
    CHECK_LINE("█▅▁", 60, 3, 2, 1);
    CHECK_LINE("█▇▆▅▄▃▂▁", 60, 7, 6, 5, 4, 3, 2, 1, 0);
}

static void
test_trials_before_the_first_score_keep_their_columns(void **state)
{
    (void)state;
    CHECK_LINE("", 60, NAN, NAN);
    CHECK_LINE("  ▁", 60, NAN, NAN, 4);
    CHECK_LINE(" █▁▁", 60, NAN, 4, 3, 3);
    CHECK_LINE(" █▁", 3, NAN, NAN, 4, 4, 3);
}

static void
test_the_ends_are_the_first_and_the_last_trial(void **state)
{
    (void)state;
    CHECK_LINE("█▁▁▁", 4, 9, 1, 1, 1, 1, 1, 1, 1);
    CHECK_LINE("███▁", 4, 9, 9, 9, 9, 9, 9, 9, 1);
    CHECK_LINE("█▁", 2, 9, 8, 7, 6, 5, 4, 3, 2);
    CHECK_LINE("▁", 1, 9, 8, 7);
    CHECK_LINE("", 0, 9, 8, 7);
}

/* Of ten columns one may be above the scale, of eleven not two. */
static void
test_a_bad_start_does_not_flatten_the_rest(void **state)
{
    (void)state;
    CHECK_LINE("███▇▆▅▄▃▂▁", 60, 1e6, 9, 8, 7, 6, 5, 4, 3, 2, 1);
    CHECK_LINE("██▂▂▂▂▂▂▂▂▁", 60, 1e6, 1e6, 9, 8, 7, 6, 5, 4, 3, 2, 1);
}

static void
test_three_courses_are_three_pictures(void **state)
{
    double steady[MOST], plateau[MOST], late[MOST];

    (void)state;
    for (int i = 0; i < MOST; i++) {
        steady[i] = MOST - i;
        plateau[i] = i < 8 ? 100 - 10 * i : 20;
        late[i] = i < 3 ? 5000 : i < 200 ? 90 : 10;
    }
    check("███▇▇▆▆▅▅▄▄▃▃▂▂▁", steady, MOST, 16, false);
    check("█▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁", plateau, MOST, 16, false);
    check("█████████████▁▁▁", late, MOST, 16, false);
}

static void
test_maximized_scores_rise(void **state)
{
    static const double value[] = {NAN, -1, -2, -3, -3};

    (void)state;
    check(" ▁▄██", value, 5, 60, true);
    check("█", value + 1, 1, 60, true);
}

static void
test_infinite_numbers_have_a_block(void **state)
{
    (void)state;
    CHECK_LINE("█▁", 60, INFINITY, 3);
    CHECK_LINE("▁▁", 60, INFINITY, INFINITY);
    CHECK_LINE("█▂▁", 60, INFINITY, 3, 2);
    CHECK_LINE("█▁", 60, 3, -INFINITY);
    CHECK_LINE("██▁", 60, INFINITY, 3, -INFINITY);
}

static void
test_every_allocation_may_fail(void **state)
{
    static const double value[] = {2, 1};

    (void)state;
    EACH_FAULT (fault) {
        struct sepx_text text = {0};

        fault.err = sepx_text_add_sparkline(&text, value, 2, 60, false);
        sepx_text_release(&text);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few_trials_are_a_block_each),
        cmocka_unit_test(test_trials_before_the_first_score_keep_their_columns),
        cmocka_unit_test(test_the_ends_are_the_first_and_the_last_trial),
        cmocka_unit_test(test_a_bad_start_does_not_flatten_the_rest),
        cmocka_unit_test(test_three_courses_are_three_pictures),
        cmocka_unit_test(test_maximized_scores_rise),
        cmocka_unit_test(test_infinite_numbers_have_a_block),
        cmocka_unit_test(test_every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
