/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/check.h"

#include <string.h>

#include "sepx/theory.h"

static void
test_names_go_both_ways(void **state)
{
    (void)state;
    for (unsigned i = 1; i < SEPX_BOUND_END; i++) {
        assert_int_equal(sepx_bound_find(sepx_bound_name(i)), i);
        assert_non_null(sepx_bound_text(i));
    }
    for (unsigned i = 0; i < SEPX_STDX_END; i++)
        assert_int_equal(sepx_stdx_trials_find(sepx_stdx_trials_name(i)), i);
    for (unsigned i = 0; i < SEPX_AXIS_END; i++) {
        assert_int_equal(sepx_theory_field_find(sepx_theory_field_name(i)), i);
        assert_non_null(sepx_theory_field_text(i));
    }
    assert_null(sepx_bound_name(SEPX_BOUND_NONE));
    assert_null(sepx_bound_name(SEPX_BOUND_END));
    assert_null(sepx_bound_text(SEPX_BOUND_END));
    assert_null(sepx_stdx_trials_name(SEPX_STDX_END));
    assert_null(sepx_theory_field_name(SEPX_AXIS_END));
    assert_null(sepx_theory_field_text(SEPX_AXIS_END));
    assert_int_equal(sepx_bound_find("sep"), SEPX_BOUND_NONE);
    assert_int_equal(sepx_stdx_trials_find(""), SEPX_STDX_END);
    assert_int_equal(sepx_theory_field_find("n"), SEPX_AXIS_END);
}

static void
check_refused(struct sepx_theory at, enum sepx_err want, const char *text)
{
    struct sepx_msg msg = {0};

    assert_int_equal(sepx_theory_check(&at, &msg), want);
    assert_string_equal(msg.text, text);
    assert_int_equal(sepx_theory_check(&at, NULL), want);
}

static void
test_refusals_name_field_value_and_range(void **state)
{
    (void)state;
    check_refused((struct sepx_theory){0}, SEPX_EINVAL,
                  "n is 0; a graph has 1 node or more");
    check_refused((struct sepx_theory){.n = 4097}, SEPX_ELIMIT,
                  "n is 4097; the most is 4096");
    check_refused((struct sepx_theory){.n = 1, .d_12 = 1}, SEPX_EINVAL,
                  "d_12 is 1; n = 1 nodes have n(n-1) = 0 places for an "
                  "edge, so it must be in 0 to 0");
    check_refused((struct sepx_theory){.n = 3, .edges = {0, 0, 7}}, SEPX_EINVAL,
                  "edges of parent 2 is 7; n = 3 nodes have n(n-1) = 6 places "
                  "for an edge, so it must be in 0 to 6");
    check_refused((struct sepx_theory){.n = 7, .b = 42.5}, SEPX_EINVAL,
                  "b is 42.5; it must be in 0 to 42");
    check_refused((struct sepx_theory){.n = 7, .p_m = 1.5}, SEPX_EINVAL,
                  "p_m is 1.5; it must be in 0 to 1");
    check_refused((struct sepx_theory){.n = 7, .alpha_eta = -1}, SEPX_EINVAL,
                  "alpha_eta is -1; it must be a finite number, at least 0");
    check_refused((struct sepx_theory){.n = 7, .epsilon = -0.1}, SEPX_EINVAL,
                  "epsilon is -0.1; it must be a finite number, at least 0");
    check_refused((struct sepx_theory){.n = 7, .d_12 = 9, .epsilon = 1e9},
                  SEPX_ELIMIT,
                  "epsilon is 1e+09; d_12 (1 + epsilon) must stay below "
                  "67108864");
    check_refused((struct sepx_theory){.n = 7, .trials = SEPX_STDX_END},
                  SEPX_EINVAL, "unknown reading 4 of the trials of stdx");
}

static void
test_refuses_nan_and_infinity(void **state)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};

    (void)state;
    for (int i = 0; i < 3; i++) {
        struct sepx_theory at[4] = {{.n = 7, .b = bad[i]},
                                    {.n = 7, .alpha_eta = bad[i]},
                                    {.n = 7, .epsilon = bad[i]},
                                    {.n = 7, .p_m = bad[i]}};

        for (int k = 0; k < 4; k++)
            CHECK(sepx_theory_check(&at[k], NULL) == SEPX_EINVAL,
                  "field %d, value %g", k, bad[i]);
    }
}

static void
test_mutation_rate_defaults_to_one_flip(void **state)
{
    (void)state;
    CHECK_NEAR(sepx_theory_mutation_rate(&(struct sepx_theory){.n = 7}),
               1.0 / 42, 0);
    CHECK_NEAR(sepx_theory_mutation_rate(&(struct sepx_theory){.n = 1}), 0, 0);
    CHECK_NEAR(
        sepx_theory_mutation_rate(&(struct sepx_theory){.n = 7, .p_m = 0.5}),
        0.5, 0);
}

static void
test_setting_as_json(void **state)
{
    struct sepx_theory at = {.n = 2,
                             .edges = {1, 2, 0},
                             .d_opt = 1,
                             .d_12 = 2,
                             .alpha_eta = 0.1,
                             .epsilon = 0.25,
                             .trials = SEPX_STDX_MIX};
    struct sepx_json_writer w;
    struct sepx_text text = {0};

    (void)state;
    sepx_json_begin(&w, &text);
    sepx_theory_put_json(&w, &at);
    assert_int_equal(sepx_json_done(&w), SEPX_OK);
    for (char *c = text.at; *c;) { /* whatever the writer's spacing */
        if (*c == ' ' || *c == '\n')
            memmove(c, c + 1, strlen(c));
        else
            c++;
    }
    assert_string_equal(text.at,
                        "{\"n\":2,\"edges\":[1,2,0],\"d_opt\":1,\"d_12\":2,"
                        "\"b\":1,\"alpha_eta\":0.1,\"epsilon\":0.25,"
                        "\"p_m\":0.5,\"stdx_trials\":\"mix\","
                        "\"clip_rl\":false}");
    sepx_text_release(&text);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_go_both_ways),
        cmocka_unit_test(test_refusals_name_field_value_and_range),
        cmocka_unit_test(test_refuses_nan_and_infinity),
        cmocka_unit_test(test_mutation_rate_defaults_to_one_flip),
        cmocka_unit_test(test_setting_as_json),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
