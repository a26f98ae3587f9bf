/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/check.h"

#include "unit/faults.h"
#include "sepx/base.h"

static void
test_summary_by_hand(void **state)
{
    static const double value[] = {3.5, -1, 2, 8, 8, 0.25, 7};
    struct sepx_summary s;

    (void)state;
    assert_int_equal(sepx_summarize(&s, value, 7), SEPX_OK);
    assert_int_equal(s.count, 7);
    CHECK_NEAR(s.mean, 27.75 / 7, 1e-15);
    CHECK_NEAR(s.sd, 3.748412362333583, 1e-15);
    CHECK_NEAR(s.se, 3.748412362333583 / sqrt(7), 1e-15);
    CHECK_NEAR(s.min, -1, 0);
    CHECK_NEAR(s.q25, 1.125, 0);
    CHECK_NEAR(s.median, 3.5, 0);
    CHECK_NEAR(s.q75, 7.5, 0);
    CHECK_NEAR(s.max, 8, 0);
    CHECK_NEAR(value[0], 3.5, 0);
}

static void
test_summary_of_one_and_none(void **state)
{
    const double one = 4, nan = NAN;
    struct sepx_summary s;

    (void)state;
    assert_int_equal(sepx_summarize(&s, &one, 1), SEPX_OK);
    assert_true(s.mean == 4 && s.sd == 0 && s.se == 0 && s.q25 == 4);
    assert_int_equal(sepx_summarize(&s, NULL, 0), SEPX_OK);
    assert_true(s.count == 0 && isnan(s.mean) && isnan(s.sd) && isnan(s.max));
    assert_int_equal(sepx_summarize(&s, &nan, 1), SEPX_OK);
    assert_true(s.count == 1 && isnan(s.mean) && isnan(s.median));
}

static void
test_large_mean_does_not_hide_spread(void **state)
{
    static const double value[] = {1e15 + 1, 1e15 + 2, 1e15 + 3};
    struct sepx_summary s;

    (void)state;
    assert_int_equal(sepx_summarize(&s, value, 3), SEPX_OK);
    CHECK_NEAR(s.mean, 1e15 + 2, 0);
    CHECK_NEAR(s.sd, 1, 1e-15);
}

static void
test_quantile_is_type_seven(void **state)
{
    static const double v[] = {-1, 0.25, 2, 3.5, 7, 8, 8};
    const double ends[] = {-INFINITY, INFINITY, INFINITY};

    (void)state;
    CHECK_NEAR(sepx_quantile(v, 7, 0.1), -0.25, 1e-15);
    CHECK_NEAR(sepx_quantile(v, 7, 0), -1, 0);
    CHECK_NEAR(sepx_quantile(v, 7, 1), 8, 0);
    CHECK_NEAR(sepx_quantile(v, 7, -3), -1, 0);
    CHECK_NEAR(sepx_quantile(v, 7, 3), 8, 0);
    CHECK_NEAR(sepx_quantile(v, 1, 0.7), -1, 0);
    CHECK_NEAR(sepx_quantile(ends, 3, 0.75), INFINITY, 0);
    assert_true(isnan(sepx_quantile(v, 0, 0.5)));
    assert_true(isnan(sepx_quantile(v, 7, NAN)));
}

/* Figures of scipy 1.10, mannwhitneyu(method='exact'). */
static void
test_exact_without_ties(void **state)
{
    static const double x[] = {1.1, 2.2, 3.3, 4.4, 9.9};
    static const double y[] = {0.5, 5.5, 6.6, 7.7, 8.8, 10.1};
    struct sepx_mann_whitney t;
    double p[20], q[20];

    (void)state;
    assert_int_equal(sepx_mann_whitney(&t, x, 5, y, 6), SEPX_OK);
    assert_true(t.exact && t.u == 9);
    CHECK_NEAR(t.p, 0.32900432900432897, 1e-14);
    CHECK_NEAR(t.effect, 0.7, 1e-15);
    for (int i = 1; i <= 20; i++) {
        p[i - 1] = i * 3 % 61;
        q[i - 1] = i * 5 % 61 + 0.5;
    }
    assert_int_equal(sepx_mann_whitney(&t, p, 20, q, 20), SEPX_OK);
    assert_true(t.exact && t.u == 219);
    CHECK_NEAR(t.p, 0.6204650618056817, 1e-13);
}

static double
u_by_pairs(const double *x, size_t nx, const double *y, size_t ny)
{
    double u = 0;

    for (size_t i = 0; i < nx; i++) {
        for (size_t j = 0; j < ny; j++)
            u += x[i] > y[j] ? 1 : x[i] == y[j] ? 0.5 : 0;
    }
    return u;
}

static size_t
bits(unsigned set)
{
    size_t n = 0;

    for (; set; set &= set - 1)
        n++;
    return n;
}

/* The definition: u of every relabelling of the pooled values, by pairs. */
static double
oracle_p(const double *pool, size_t nx, size_t count, double u)
{
    const double middle = (double)(nx * (count - nx)) / 2;
    unsigned extreme = 0, all = 0;

    for (unsigned set = 0; set < 1u << count; set++) {
        double side[2][12];
        size_t n[2] = {0, 0};

        if (bits(set) != nx)
            continue;
        for (size_t i = 0; i < count; i++) {
            size_t which = !(set >> i & 1);

            side[which][n[which]++] = pool[i];
        }
        all++;
        extreme += fabs(u_by_pairs(side[0], n[0], side[1], n[1]) - middle) >=
                   fabs(u - middle);
    }
    return (double)extreme / all;
}

static void
test_exact_agrees_with_all_relabellings(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 300; seed++) {
        struct sepx_mann_whitney t;
        struct sepx_rng rng;
        double pool[12], u;
        size_t nx, ny;

        sepx_rng_init(&rng, 1, 0, seed, 0);
        nx = 1 + sepx_rng_below(&rng, 6);
        ny = 1 + sepx_rng_below(&rng, 6);
        for (size_t i = 0; i < nx + ny; i++)
            pool[i] = sepx_rng_below(&rng, 2 + seed % 9);
        u = u_by_pairs(pool, nx, pool + nx, ny);
        assert_int_equal(sepx_mann_whitney(&t, pool, nx, pool + nx, ny), 0);
        CHECK(t.exact && t.u == u, "seed %u: u %g", seed, t.u);
        CHECK(fabs(t.p - oracle_p(pool, nx, nx + ny, u)) < 1e-12,
              "seed %u: p %g", seed, t.p);
        CHECK_NEAR(t.effect, 1 - u / (double)(nx * ny), 1e-15);
    }
}

/* Figures of scipy 1.10, mannwhitneyu(method='asymptotic'). */
static void
test_normal_agrees_with_scipy(void **state)
{
    double x[30], y[30];
    struct sepx_mann_whitney t;

    (void)state;
    for (int i = 0; i < 30; i++) {
        x[i] = i * 7 % 23;
        y[i] = i * 11 % 29 + 3;
    }
    assert_int_equal(sepx_mann_whitney(&t, x, 25, y, 30), SEPX_OK);
    assert_true(!t.exact && t.u == 225);
    CHECK_NEAR(t.p, 0.011463504161594095, 1e-12);
    CHECK_NEAR(t.effect, 1 - 225.0 / 750, 1e-15);
    for (int i = 0; i < 21; i++)
        x[i] = i * 0.5;
    y[0] = 4.3;
    for (int i = 0; i < 9; i++)
        y[i + 1] = i * 0.75 + 0.1;
    assert_int_equal(sepx_mann_whitney(&t, x, 21, y, 10), SEPX_OK);
    assert_true(!t.exact && t.u == 140);
    CHECK_NEAR(t.p, 0.14487056510290905, 1e-12);
    for (int i = 0; i < 30; i++) {
        x[i] = i;
        y[i] = i + 40;
    }
    assert_int_equal(sepx_mann_whitney(&t, x, 30, y, 25), SEPX_OK);
    assert_true(t.u == 0 && t.effect == 1);
    CHECK_NEAR(t.p, 2.448351076788868e-10, 1e-12);
}

static void
test_swapping_samples_keeps_p(void **state)
{
    static const double x[] = {1, 1, 2, 5}, y[] = {1, 3, 3, 5, 8, 9, 9};
    struct sepx_mann_whitney a, b;

    (void)state;
    assert_int_equal(sepx_mann_whitney(&a, x, 4, y, 7), SEPX_OK);
    assert_int_equal(sepx_mann_whitney(&b, y, 7, x, 4), SEPX_OK);
    CHECK_NEAR(a.p, b.p, 1e-15);
    CHECK_NEAR(a.u + b.u, 28, 0);
    CHECK_NEAR(a.effect + b.effect, 1, 1e-15);
}

static void
test_all_equal_is_no_difference(void **state)
{
    double same[25];
    struct sepx_mann_whitney t;

    (void)state;
    for (int i = 0; i < 25; i++)
        same[i] = 2;
    assert_int_equal(sepx_mann_whitney(&t, same, 4, same, 5), SEPX_OK);
    assert_true(t.exact && t.p == 1 && t.effect == 0.5);
    assert_int_equal(sepx_mann_whitney(&t, same, 25, same, 25), SEPX_OK);
    assert_true(!t.exact && t.p == 1 && t.effect == 0.5);
}

static void
test_bad_samples_are_refused(void **state)
{
    static const double x[] = {1, 2};
    const double nan[] = {1, NAN};
    struct sepx_mann_whitney t;

    (void)state;
    assert_int_equal(sepx_mann_whitney(&t, x, 0, x, 2), SEPX_EINVAL);
    assert_int_equal(sepx_mann_whitney(&t, x, 2, x, 0), SEPX_EINVAL);
    assert_int_equal(sepx_mann_whitney(&t, nan, 2, x, 2), SEPX_EINVAL);
    assert_int_equal(sepx_mann_whitney(&t, x, 2, nan, 2), SEPX_EINVAL);
}

static void
test_every_allocation_may_fail(void **state)
{
    static const double x[] = {1, 2, 3}, y[] = {2, 4};
    struct sepx_mann_whitney t;
    struct sepx_summary s;

    (void)state;
    for (long n = 0; n < 2; n++) {
        fault_after(n);
        assert_int_equal(sepx_mann_whitney(&t, x, 3, y, 2), SEPX_ENOMEM);
        assert_int_equal(fault_live(), 0);
    }
    fault_after(2);
    assert_int_equal(sepx_mann_whitney(&t, x, 3, y, 2), SEPX_OK);
    assert_int_equal(fault_live(), 0);
    fault_after(0);
    assert_int_equal(sepx_summarize(&s, x, 3), SEPX_ENOMEM);
    fault_stop();
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_summary_by_hand),
        cmocka_unit_test(test_summary_of_one_and_none),
        cmocka_unit_test(test_large_mean_does_not_hide_spread),
        cmocka_unit_test(test_quantile_is_type_seven),
        cmocka_unit_test(test_exact_without_ties),
        cmocka_unit_test(test_exact_agrees_with_all_relabellings),
        cmocka_unit_test(test_normal_agrees_with_scipy),
        cmocka_unit_test(test_swapping_samples_keeps_p),
        cmocka_unit_test(test_all_equal_is_no_difference),
        cmocka_unit_test(test_bad_samples_are_refused),
        cmocka_unit_test(test_every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
