/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/check.h"

#include "unit/faults.h"
#include "sepx/theory.h"
#include "research/theory/internal.h"

#define SEED 20230723

static struct sepx_estimate
sample(const struct sepx_theory *at, enum sepx_bound which, uint64_t trials,
       uint32_t run)
{
    struct sepx_estimate out = {0};
    struct sepx_msg msg = {0};
    struct sepx_rng rng;
    enum sepx_err err;

    sepx_rng_init(&rng, SEED, run, 0, 0);
    err = sepx_theory_sample(&out, at, which, trials, &rng, &msg);
    CHECK(err == SEPX_OK, "%s", msg.text);
    assert_true(out.trials == trials);
    return out;
}

static void
test_million_trials_within_four_errors(void **state)
{
    static const uint32_t d[][2] = {{1, 1}, {3, 4}, {10, 1}, {6, 6}, {10, 10}};

    (void)state;
    for (unsigned i = 0; i < 5; i++) {
        struct sepx_theory at = {.n = 7,
                                 .edges = {9, 9, 9},
                                 .d_opt = d[i][0],
                                 .d_12 = d[i][1],
                                 .alpha_eta = 0.1,
                                 .epsilon = 0.3 * (i % 2),
                                 .trials = i % 2};

        for (unsigned which = 1; which < SEPX_BOUND_END; which++) {
            struct sepx_estimate got = sample(&at, which, 1000000, i);
            double want;

            assert_int_equal(sepx_theory_exact(&want, &at, which, NULL), 0);
            CHECK(got.se > 0 && fabs(got.mean - want) <= 4 * got.se,
                  "seed %d, %s at %u, %u: %g, not %g, se %g", SEED,
                  sepx_bound_name(which), at.d_opt, at.d_12, got.mean, want,
                  got.se);
        }
    }
}

/*
 * If means and errors are right, z = (mean - exact) / se is standard normal:
 * of 400, the mean is 0 within 4/20 and the mean square 1 within 4 sqrt(2)/20.
 * Few trials a run, so that a bias of the tables' edges would not drown.
 */
static void
test_errors_have_the_size_they_claim(void **state)
{
    struct sepx_theory at = {.n = 7,
                             .edges = {9, 9, 9},
                             .d_opt = 9,
                             .d_12 = 7,
                             .alpha_eta = 0.1,
                             .epsilon = 0.2,
                             .trials = SEPX_STDX_MIX};

    (void)state;
    for (unsigned which = 1; which < SEPX_BOUND_END; which++) {
        double want, sum = 0, squares = 0;

        assert_int_equal(sepx_theory_exact(&want, &at, which, NULL), 0);
        for (uint32_t run = 0; run < 400; run++) {
            struct sepx_estimate got = sample(&at, which, 20003, run);
            double z = (got.mean - want) / got.se;

            sum += z / 400;
            squares += z * z / 400;
        }
        CHECK(fabs(sum) < 0.2 && fabs(squares - 1) < 0.283,
              "seed %d, %s: mean %g, mean square %g of z", SEED,
              sepx_bound_name(which), sum, squares);
    }
}

/* The double sum that the exact bound of mutation avoids. */
static void
test_law_of_mutation_has_the_exact_mean(void **state)
{
    (void)state;
    for (uint32_t d = 0; d <= 132; d += 3) {
        struct sepx_theory at = {.n = 12, .d_opt = d, .p_m = d % 2 ? 0.2 : 0};
        struct sepx__law law = {0};
        double want, mean = 0, all = 0;

        assert_int_equal(sepx_theory_exact(&want, &at, SEPX_BOUND_MUTA, NULL),
                         0);
        assert_int_equal(sepx__law_init(&law, &at, SEPX_BOUND_MUTA), 0);
        for (size_t i = 0; i < law.count; i++) {
            mean += law.p[i] * law.value[i];
            all += law.p[i];
        }
        CHECK_NEAR(all, 1, 1e-13);
        CHECK(fabs(mean - want) <= 1e-13, "d %u: %g, not %g", d, mean, want);
        sepx__law_release(&law);
    }
}

static void
test_same_stream_same_bits(void **state)
{
    struct sepx_theory at = {.n = 7, .d_opt = 5, .d_12 = 7};
    struct sepx_estimate one = sample(&at, SEPX_BOUND_SEPX, 12345, 1);
    struct sepx_estimate two = sample(&at, SEPX_BOUND_SEPX, 12345, 1);
    struct sepx_estimate other = sample(&at, SEPX_BOUND_SEPX, 12345, 2);

    (void)state;
    assert_true(one.mean == two.mean && one.se == two.se);
    assert_true(one.mean != other.mean);
}

/* More than one batch, and a rest that no word divides. */
static void
test_counts_every_trial(void **state)
{
    struct sepx_theory at = {.n = 2, .d_opt = 2, .p_m = 1};

    (void)state;
    for (uint64_t trials = 2; trials < 5000000; trials = trials * 3 + 1) {
        struct sepx_estimate got = sample(&at, SEPX_BOUND_MUTA, trials, 0);

        CHECK(got.mean == 2 && got.se == 0, "%g of %lu trials", got.mean,
              (unsigned long)trials);
    }
}

/* More outcomes than buckets: nearly every draw goes the long way. */
static void
test_wide_distributions(void **state)
{
    struct sepx_theory at = {.n = 1500, .d_opt = 2000000, .d_12 = 1100000};
    struct sepx_estimate got = sample(&at, SEPX_BOUND_SEPX, 100000, 0);
    double want;

    (void)state;
    assert_int_equal(sepx_theory_exact(&want, &at, SEPX_BOUND_SEPX, NULL), 0);
    CHECK(fabs(got.mean - want) <= 4 * got.se, "%g, not %g, se %g", got.mean,
          want, got.se);
    CHECK_NEAR(got.se, sqrt(1100000) / 2 / sqrt(100000), 0.02);
}

static void
test_refusals(void **state)
{
    struct sepx_theory at = {.n = 7, .epsilon = NAN};
    struct sepx_estimate out;
    struct sepx_msg msg = {0};
    struct sepx_rng rng;

    (void)state;
    sepx_rng_init(&rng, SEED, 0, 0, 0);
    assert_int_equal(
        sepx_theory_sample(&out, &at, SEPX_BOUND_SEPX, 10, &rng, &msg),
        SEPX_EINVAL);
    at.epsilon = 0;
    assert_int_equal(
        sepx_theory_sample(&out, &at, SEPX_BOUND_SEPX, 1, &rng, &msg),
        SEPX_EINVAL);
    assert_string_equal(msg.text,
                        "1 trials give no standard error; take 2 or more");
    assert_int_equal(
        sepx_theory_sample(&out, &at, SEPX_BOUND_NONE, 10, &rng, &msg),
        SEPX_EINVAL);
}

static void
test_without_memory(void **state)
{
    struct sepx_theory at = {.n = 7, .edges = {9, 9, 9}, .d_opt = 3};
    struct sepx_estimate out;
    struct sepx_rng rng;

    (void)state;
    sepx_rng_init(&rng, SEED, 0, 0, 0);
    for (unsigned which = 1; which < SEPX_BOUND_END; which++) {
        EACH_FAULT (fault) {
            fault.err = sepx_theory_sample(&out, &at, which, 2, &rng, NULL);
        }
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_million_trials_within_four_errors),
        cmocka_unit_test(test_errors_have_the_size_they_claim),
        cmocka_unit_test(test_law_of_mutation_has_the_exact_mean),
        cmocka_unit_test(test_same_stream_same_bits),
        cmocka_unit_test(test_counts_every_trial),
        cmocka_unit_test(test_wide_distributions),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
