/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/check.h"

#include "unit/faults.h"
#include "oracle/oracle_bounds.h"
#include "sepx/theory.h"

static double
exact(const struct sepx_theory *at, enum sepx_bound which)
{
    struct sepx_msg msg = {0};
    double value = NAN;
    enum sepx_err err = sepx_theory_exact(&value, at, which, &msg);

    CHECK(err == SEPX_OK, "%s", msg.text);
    return value;
}

/* ---- by hand ---- */

static void
test_small_values_by_hand(void **state)
{
    struct sepx_theory at = {.n = 7, .d_opt = 1, .d_12 = 1};

    (void)state;
    /* 1/2 if the one edit is not taken. */
    CHECK_NEAR(exact(&at, SEPX_BOUND_SEPX), 0.25, 1e-15);
    at.d_opt = 3;
    at.d_12 = 4;
    /* 12/7 with 1/16, 5/7 with 4/16. */
    CHECK_NEAR(exact(&at, SEPX_BOUND_SEPX), 2.0 / 7, 1e-15);
    at = (struct sepx_theory){.n = 2, .d_opt = 1, .p_m = 0.25};
    /* The wrong entry flips, the right one does not. */
    CHECK_NEAR(exact(&at, SEPX_BOUND_MUTA), 0.25 * 0.75, 1e-15);
    at = (struct sepx_theory){.n = 4, .edges = {6, 6, 6}, .d_opt = 12};
    /* 6 trials, half of the 12 entries wrong in both: 6 - B(6, 1/2). */
    CHECK_NEAR(exact(&at, SEPX_BOUND_STDX), 3, 1e-15);
}

/* ---- against the oracle ---- */

static void
test_sepx_agrees_with_oracle(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= 7; n++) {
        for (unsigned d_opt = 0; d_opt <= n * (n - 1); d_opt++) {
            for (unsigned d_12 = 0; d_12 <= n * (n - 1); d_12++) {
                struct sepx_theory at = {.n = n, .d_opt = d_opt, .d_12 = d_12};

                CHECK_NEAR(exact(&at, SEPX_BOUND_SEPX),
                           (double)oracle_sepx(n, d_opt, d_12, 0), 1e-13);
            }
        }
    }
}

/* All hundredths: many d (1 + eps) are integers that rounding would miss. */
static void
test_epsilon_agrees_with_oracle(void **state)
{
    (void)state;
    for (unsigned percent = 0; percent <= 100; percent++) {
        for (unsigned d_12 = 0; d_12 <= 30; d_12++) {
            struct sepx_theory at = {.n = 6,
                                     .d_opt = 1 + d_12 % 11,
                                     .d_12 = d_12,
                                     .epsilon = percent / 100.0};

            CHECK_NEAR(exact(&at, SEPX_BOUND_SEPX),
                       (double)oracle_sepx(6, at.d_opt, d_12, percent), 1e-12);
        }
    }
}

static void
test_stdx_agrees_with_oracle(void **state)
{
    (void)state;
    for (unsigned e = 0; e < 13 * 13 * 13; e++) {
        unsigned edges[3] = {e % 13, e / 13 % 13, e / 169};
        unsigned differ =
            edges[1] * (12 - edges[2]) + (12 - edges[1]) * edges[2];
        unsigned below = differ / 12, d = e % 12 + 1, rest = differ % 12;
        unsigned upper = below + (rest > 0);
        struct sepx_theory at = {
            .n = 4, .edges = {edges[0], edges[1], edges[2]}, .d_opt = d};
        double low = (double)oracle_stdx(4, edges, d, below);
        double high = (double)oracle_stdx(4, edges, d, upper);

        at.trials = SEPX_STDX_FLOOR;
        CHECK_NEAR(exact(&at, SEPX_BOUND_STDX), low, 1e-13);
        at.trials = SEPX_STDX_CEIL;
        CHECK_NEAR(exact(&at, SEPX_BOUND_STDX), high, 1e-13);
        at.trials = SEPX_STDX_MIX;
        CHECK_NEAR(exact(&at, SEPX_BOUND_STDX), low + (high - low) * rest / 12,
                   1e-13);
        at.trials = SEPX_STDX_ROUND;
        CHECK_NEAR(exact(&at, SEPX_BOUND_STDX),
                   rest > 6 || (rest == 6 && below % 2) ? high : low, 1e-13);
    }
}

static void
test_muta_agrees_with_oracle(void **state)
{
    (void)state;
    for (unsigned n = 2; n <= 4; n++) {
        unsigned places = n * (n - 1);

        for (unsigned d = 0; d <= places; d++) {
            struct sepx_theory at = {.n = n, .d_opt = d};

            CHECK_NEAR(exact(&at, SEPX_BOUND_MUTA),
                       (double)oracle_muta(n, d, 1, places), 1e-13);
            for (unsigned a = 1; a <= 8; a += 7 - d % 3) {
                at.p_m = a / 8.0;
                CHECK_NEAR(exact(&at, SEPX_BOUND_MUTA),
                           (double)oracle_muta(n, d, a, 8), 1e-13);
            }
        }
    }
}

static void
test_agents_agree_with_oracle(void **state)
{
    static const double rate[] = {0.001, 0.05, 0.1, 0.5, 1, 7};

    (void)state;
    for (unsigned r = 0; r < 6; r++) {
        for (double b = 0.25; b < 12; b += 0.75) {
            struct sepx_theory at = {.n = 4, .b = b, .alpha_eta = rate[r]};

            CHECK_NEAR(exact(&at, SEPX_BOUND_RLU),
                       (double)oracle_agent(12, b, rate[r], 0), 1e-12);
            CHECK_NEAR(exact(&at, SEPX_BOUND_RLO),
                       (double)oracle_agent((unsigned)b + 1, b, rate[r], 0),
                       1e-12);
            at.clip_rl = true;
            CHECK_NEAR(exact(&at, SEPX_BOUND_RLU),
                       (double)oracle_agent(12, b, rate[r], 1), 1e-12);
        }
    }
}

/* ---- larger settings ---- */

/* Figures of the theorems' formulas in decimal arithmetic of 60 digits. */
static void
test_large_settings_keep_their_digits(void **state)
{
    static const struct {
        enum sepx_bound which;
        struct sepx_theory at;
        double want;
    } row[] = {
        {SEPX_BOUND_SEPX,
         {.n = 50, .d_opt = 40, .d_12 = 60},
         9.7862594363250073048e-2},
        {SEPX_BOUND_SEPX,
         {.n = 50, .d_opt = 2000, .d_12 = 1500},
         474.48979591836734694},
        {SEPX_BOUND_SEPX,
         {.n = 40, .d_opt = 1, .d_12 = 700},
         1.8983795954445247881e-211},
        {SEPX_BOUND_SEPX,
         {.n = 60, .d_opt = 300, .d_12 = 1000},
         7.6013431155618902418e-69},
        {SEPX_BOUND_SEPX,
         {.n = 50, .d_opt = 40, .d_12 = 60, .epsilon = 0.1},
         3.3708044823595239355e-2},
        {SEPX_BOUND_SEPX,
         {.n = 50, .d_opt = 40, .d_12 = 63, .epsilon = 0.1},
         1.8267837068203916582e-2},
        {SEPX_BOUND_SEPX,
         {.n = 7, .d_opt = 30, .d_12 = 40, .epsilon = 0.3},
         11.143661614589094354},
        {SEPX_BOUND_MUTA, {.n = 50, .d_opt = 40}, 6.1515167973928375326e-3},
        {SEPX_BOUND_MUTA,
         {.n = 50, .d_opt = 1000, .p_m = 0.3},
         4.0965757703852831436e-9},
        {SEPX_BOUND_MUTA,
         {.n = 50, .d_opt = 1200, .p_m = 0.5},
         2.0215854947139380048},
        {SEPX_BOUND_STDX,
         {.n = 50, .edges = {300, 280, 310}, .d_opt = 200},
         5.5707330756955457769e-53},
        {SEPX_BOUND_STDX,
         {.n = 50,
          .edges = {300, 280, 310},
          .d_opt = 200,
          .trials = SEPX_STDX_MIX},
         5.2575709054646316826e-53},
        {SEPX_BOUND_RLU,
         {.n = 50, .d_opt = 40, .alpha_eta = 0.1},
         -3.8123620161338785246e-1},
        {SEPX_BOUND_RLU,
         {.n = 50, .d_opt = 1000, .alpha_eta = 0.001},
         2.5481705329924589477e-1},
        {SEPX_BOUND_RLU,
         {.n = 50, .d_opt = 1000, .alpha_eta = 0.1},
         -83.928187370038095537},
        {SEPX_BOUND_RLO,
         {.n = 50, .d_opt = 1000, .alpha_eta = 0.1},
         2.4680240794859660470e-4},
        {SEPX_BOUND_RLO,
         {.n = 7, .b = 2.5, .alpha_eta = 0.1},
         1.2248694291428066955e-2},
        {SEPX_BOUND_RLO,
         {.n = 3, .d_opt = 6, .alpha_eta = 0.1},
         2.3110534054982408630e-2},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++)
        CHECK_NEAR(exact(&row[i].at, row[i].which), row[i].want, 1e-12);
}

static void
test_largest_graphs(void **state)
{
    struct sepx_theory at = {.n = 4096,
                             .edges = {8000000, 9000000, 7000000},
                             .d_opt = 8000000,
                             .d_12 = 8386560,
                             .alpha_eta = 1e-6,
                             .p_m = 0.5};

    (void)state;
    for (unsigned which = 1; which < SEPX_BOUND_END; which++)
        assert_true(isfinite(exact(&at, which)));
}

/* ---- limits ---- */

static void
test_nothing_to_gain(void **state)
{
    struct sepx_theory at = {.n = 1, .alpha_eta = 0.1, .epsilon = 0.1};

    (void)state;
    for (unsigned which = 1; which < SEPX_BOUND_END; which++)
        CHECK(exact(&at, which) == 0, "n = 1: %s", sepx_bound_name(which));
    at.n = 7;
    at.d_12 = 5;
    for (unsigned which = 1; which < SEPX_BOUND_END; which++)
        CHECK(exact(&at, which) == 0, "d_opt = 0: %s", sepx_bound_name(which));
    at.d_opt = 5;
    at.d_12 = 0;
    CHECK(exact(&at, SEPX_BOUND_SEPX) == 0, "equal parents");
    at.alpha_eta = 0;
    CHECK(exact(&at, SEPX_BOUND_RLU) == 0, "no learning");
    CHECK(exact(&at, SEPX_BOUND_RLO) == 0, "no learning");
}

static void
test_everything_wrong(void **state)
{
    struct sepx_theory at = {
        .n = 7, .edges = {42, 0, 0}, .d_opt = 42, .d_12 = 42, .alpha_eta = 3};

    (void)state;
    CHECK_NEAR(exact(&at, SEPX_BOUND_SEPX), 21, 1e-14);
    CHECK_NEAR(exact(&at, SEPX_BOUND_MUTA), 1, 1e-14);
    at.p_m = 1;
    CHECK_NEAR(exact(&at, SEPX_BOUND_MUTA), 42, 0);
    /* No entry of the agent is ever right, so no sample teaches it. */
    CHECK_NEAR(exact(&at, SEPX_BOUND_RLU), 0, 0);
}

static void
test_extreme_rates_stay_finite(void **state)
{
    struct sepx_theory at = {.n = 7, .d_opt = 5, .alpha_eta = 1e308};

    (void)state;
    assert_true(isfinite(exact(&at, SEPX_BOUND_RLU)));
    assert_true(isfinite(exact(&at, SEPX_BOUND_RLO)));
    at.alpha_eta = 5e-324;
    assert_true(exact(&at, SEPX_BOUND_RLU) >= 0);
    at.b = 1e-300;
    assert_true(isfinite(exact(&at, SEPX_BOUND_RLO)));
    at.p_m = 1e-300;
    CHECK_NEAR(exact(&at, SEPX_BOUND_MUTA), 5e-300, 1e-12);
}

static void
test_refuses_no_bound_and_no_setting(void **state)
{
    struct sepx_theory at = {.n = 3, .d_opt = 7};
    struct sepx_msg msg = {0};
    double value = 5;

    (void)state;
    assert_int_equal(sepx_theory_exact(&value, &at, SEPX_BOUND_SEPX, &msg),
                     SEPX_EINVAL);
    assert_string_equal(msg.text, "d_opt is 7; n = 3 nodes have n(n-1) = 6 "
                                  "places for an edge, so it must be in 0 "
                                  "to 6");
    at.d_opt = 6;
    assert_int_equal(sepx_theory_exact(&value, &at, SEPX_BOUND_NONE, &msg),
                     SEPX_EINVAL);
    assert_int_equal(sepx_theory_exact(&value, &at, SEPX_BOUND_END, NULL),
                     SEPX_EINVAL);
    assert_true(value == 5);
}

static void
test_without_memory(void **state)
{
    struct sepx_theory at = {.n = 7,
                             .edges = {9, 9, 9},
                             .d_opt = 3,
                             .d_12 = 4,
                             .alpha_eta = 0.1,
                             .epsilon = 0.1,
                             .trials = SEPX_STDX_MIX};
    double value;

    (void)state;
    for (unsigned which = 1; which < SEPX_BOUND_END; which++) {
        EACH_FAULT (fault) {
            fault.err = sepx_theory_exact(&value, &at, which, NULL);
        }
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_values_by_hand),
        cmocka_unit_test(test_sepx_agrees_with_oracle),
        cmocka_unit_test(test_epsilon_agrees_with_oracle),
        cmocka_unit_test(test_stdx_agrees_with_oracle),
        cmocka_unit_test(test_muta_agrees_with_oracle),
        cmocka_unit_test(test_agents_agree_with_oracle),
        cmocka_unit_test(test_large_settings_keep_their_digits),
        cmocka_unit_test(test_largest_graphs),
        cmocka_unit_test(test_nothing_to_gain),
        cmocka_unit_test(test_everything_wrong),
        cmocka_unit_test(test_extreme_rates_stay_finite),
        cmocka_unit_test(test_refuses_no_bound_and_no_setting),
        cmocka_unit_test(test_without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
