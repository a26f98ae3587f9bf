/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/check.h"

#include "unit/faults.h"
#include "oracle/oracle_bounds.h"
#include "research/theory/internal.h"

static double
at(const struct sepx__binomial *x, size_t outcome)
{
    if (outcome < x->first || outcome - x->first >= x->count)
        return 0;
    return x->p[outcome - x->first];
}

static void
test_halves_are_pascals_triangle(void **state)
{
    (void)state;
    for (unsigned k = 0; k <= 62; k++) {
        struct sepx__binomial x = {0};

        assert_int_equal(sepx__binomial_init(&x, k, 0.5, 0.5), SEPX_OK);
        assert_int_equal(x.count, k + 1);
        for (unsigned i = 0; i <= k; i++)
            CHECK_NEAR(at(&x, i), (double)oracle_half(k, i), 1e-14);
        sepx__binomial_release(&x);
    }
}

static void
test_certain_outcomes(void **state)
{
    struct sepx__binomial x = {0};

    (void)state;
    assert_int_equal(sepx__binomial_init(&x, 9, 0, 1), SEPX_OK);
    assert_true(x.count == 1 && x.first == 0 && x.p[0] == 1);
    sepx__binomial_release(&x);
    assert_int_equal(sepx__binomial_init(&x, 9, 1, 0), SEPX_OK);
    assert_true(x.count == 1 && x.first == 9 && x.p[0] == 1);
    sepx__binomial_release(&x);
    assert_int_equal(sepx__binomial_init(&x, 0, 0.3, 0.7), SEPX_OK);
    assert_true(x.count == 1 && x.first == 0 && x.p[0] == 1);
    sepx__binomial_release(&x);
    assert_true(x.p == NULL && x.count == 0);
}

/* Far beyond where factorials, or logarithms of them, keep their digits. */
static void
test_moments_of_many_trials(void **state)
{
    static const double chance[] = {1e-9, 1e-6, 0.001, 0.3, 0.5, 0.999};
    const uint64_t trials = 16773120;

    (void)state;
    for (size_t k = 0; k < sizeof(chance) / sizeof(chance[0]); k++) {
        double p = chance[k], q = 1 - p, mean = (double)trials * p;
        double first = 0, second = 0, all = 0;
        struct sepx__binomial x = {0};

        assert_int_equal(sepx__binomial_init(&x, trials, p, q), SEPX_OK);
        for (size_t i = 0; i < x.count; i++) {
            double off = (double)(x.first + i) - mean;

            all += x.p[i];
            first += x.p[i] * off;
            second += x.p[i] * off * off;
        }
        CHECK_NEAR(all, 1, 1e-13);
        CHECK(fabs(first) < 1e-10 * sqrt(mean * q), "p %g: %g", p, first);
        CHECK_NEAR(second, mean * q, 1e-11);
        sepx__binomial_release(&x);
    }
}

static void
test_without_memory(void **state)
{
    struct sepx__binomial x = {0};

    (void)state;
    fault_after(0);
    assert_int_equal(sepx__binomial_init(&x, 5, 0.5, 0.5), SEPX_ENOMEM);
    assert_int_equal(fault_live(), 0);
    fault_stop();
    sepx__binomial_release(&x);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_halves_are_pascals_triangle),
        cmocka_unit_test(test_certain_outcomes),
        cmocka_unit_test(test_moments_of_many_trials),
        cmocka_unit_test(test_without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
