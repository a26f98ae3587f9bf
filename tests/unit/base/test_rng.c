/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/check.h"

#include <string.h>

#include "sepx/base.h"

static void
assert_block(struct sepx_rng rng, const uint32_t want[4])
{
    for (int i = 0; i < 4; i++)
        assert_int_equal(sepx_rng_u32(&rng), want[i]);
}

/* The published vectors of Random123 1.x, philox4x32 with 10 rounds. */
static void
test_known_answers(void **state)
{
    static const uint32_t zero[4] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c,
                                     0x9b00dbd8};
    static const uint32_t ones[4] = {0x408f276d, 0x41c83b0e, 0xa20bc7c6,
                                     0x6d5451fd};
    static const uint32_t pi[4] = {0xd16cfe09, 0x94fdcceb, 0x5001e420,
                                   0x24126ea1};
    const uint32_t all = UINT32_MAX;

    (void)state;
    assert_block((struct sepx_rng){0}, zero);
    assert_block(
        (struct sepx_rng){.key = {all, all}, .counter = {all, all, all, all}},
        ones);
    assert_block((struct sepx_rng){.key = {0xa4093822, 0x299f31d0},
                                   .counter = {0x243f6a88, 0x85a308d3,
                                               0x13198a2e, 0x03707344}},
                 pi);
}

static void
test_empty_value_is_seed_zero(void **state)
{
    struct sepx_rng a = {0}, b;

    (void)state;
    sepx_rng_init(&b, 0, 0, 0, 0);
    for (int i = 0; i < 20; i++)
        assert_int_equal(sepx_rng_u32(&a), sepx_rng_u32(&b));
}

static void
test_order_of_drawing_does_not_matter(void **state)
{
    struct sepx_rng a, b;
    uint32_t first[50], second[50];

    (void)state;
    sepx_rng_init(&a, 42, 1, 2, 3);
    sepx_rng_init(&b, 42, 1, 3, 3);
    for (int i = 0; i < 50; i++)
        first[i] = sepx_rng_u32(&a);
    for (int i = 0; i < 50; i++)
        second[i] = sepx_rng_u32(&b);
    sepx_rng_init(&a, 42, 1, 2, 3);
    sepx_rng_init(&b, 42, 1, 3, 3);
    for (int i = 0; i < 50; i++) {
        assert_int_equal(sepx_rng_u32(&b), second[i]);
        assert_int_equal(sepx_rng_u32(&a), first[i]);
    }
}

static void
test_each_coordinate_makes_another_stream(void **state)
{
    static const struct {
        uint64_t seed;
        uint32_t run, trial, purpose;
    } at[] = {
        {7, 1, 1, 1}, {8, 1, 1, 1}, {UINT64_C(7) | UINT64_C(1) << 32, 1, 1, 1},
        {7, 2, 1, 1}, {7, 1, 2, 1}, {7, 1, 1, 2}};
    const size_t count = sizeof(at) / sizeof(at[0]);
    uint64_t word[sizeof(at) / sizeof(at[0])];

    (void)state;
    for (size_t i = 0; i < count; i++) {
        struct sepx_rng rng;

        sepx_rng_init(&rng, at[i].seed, at[i].run, at[i].trial, at[i].purpose);
        word[i] = sepx_rng_u64(&rng);
        for (size_t j = 0; j < i; j++)
            CHECK(word[i] != word[j], "streams %zu and %zu", i, j);
    }
}

static void
test_u64_is_two_words_low_first(void **state)
{
    struct sepx_rng rng = {0};

    (void)state;
    assert_true(sepx_rng_u64(&rng) == UINT64_C(0xe169c58d6627e8d5));
}

static void
test_below_keeps_its_bound(void **state)
{
    static const uint32_t bounds[] = {1,          2,          3,          1000,
                                      0x80000000, 0x80000001, UINT32_MAX, 6};
    struct sepx_rng rng;

    (void)state;
    sepx_rng_init(&rng, 1, 0, 0, 0);
    for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++) {
        for (int n = 0; n < 2000; n++)
            assert_true(sepx_rng_below(&rng, bounds[i]) < bounds[i]);
    }
}

/* Sum of (seen - expected)^2 / expected. */
static double
chi_square(const unsigned *seen, size_t cells, double expected)
{
    double sum = 0;

    for (size_t i = 0; i < cells; i++) {
        double off = (double)seen[i] - expected;

        sum += off * off / expected;
    }
    return sum;
}

/*
 * The seed is fixed, so the statistic is too; the limits are the 99.99 %
 * points of the chi-square distribution with cells - 1 degrees.
 */
static void
test_below_is_uniform(void **state)
{
    enum { CELLS = 10, DRAWS = 100000 };
    unsigned seen[CELLS] = {0};
    struct sepx_rng rng;

    (void)state;
    sepx_rng_init(&rng, 2, 0, 0, 0);
    for (int i = 0; i < DRAWS; i++)
        seen[sepx_rng_below(&rng, CELLS)]++;
    assert_true(chi_square(seen, CELLS, DRAWS / CELLS) < 33.72);
}

/* With a bound of 3/4 of 2^32, a plain product would favour each third. */
static void
test_below_is_unbiased_at_a_large_bound(void **state)
{
    enum { DRAWS = 90000 };
    unsigned seen[3] = {0};
    struct sepx_rng rng;

    (void)state;
    sepx_rng_init(&rng, 3, 0, 0, 0);
    for (int i = 0; i < DRAWS; i++)
        seen[sepx_rng_below(&rng, UINT32_C(0xC0000000)) % 3]++;
    assert_true(chi_square(seen, 3, DRAWS / 3) < 18.42);
}

static void
test_unit_is_in_range_and_centred(void **state)
{
    struct sepx_rng rng;
    double sum = 0;

    (void)state;
    sepx_rng_init(&rng, 4, 0, 0, 0);
    for (int i = 0; i < 100000; i++) {
        double x = sepx_rng_unit(&rng);

        assert_true(x >= 0 && x < 1);
        sum += x;
    }
    assert_true(fabs(sum / 100000 - 0.5) < 0.004);
}

static void
test_chance_is_certain_at_the_ends(void **state)
{
    struct sepx_rng rng;
    unsigned hits = 0;

    (void)state;
    sepx_rng_init(&rng, 5, 0, 0, 0);
    for (int i = 0; i < 10000; i++) {
        assert_false(sepx_rng_chance(&rng, 0));
        assert_true(sepx_rng_chance(&rng, 1));
        hits += sepx_rng_chance(&rng, 0.3);
    }
    assert_true(hits > 2800 && hits < 3200);
}

static void
test_normal_has_its_moments(void **state)
{
    const int draws = 100000;
    double sum = 0, squares = 0, fourth = 0;
    struct sepx_rng rng;

    (void)state;
    sepx_rng_init(&rng, 6, 0, 0, 0);
    for (int i = 0; i < draws; i++) {
        double x = sepx_rng_normal(&rng);

        assert_true(isfinite(x));
        sum += x;
        squares += x * x;
        fourth += x * x * x * x;
    }
    assert_true(fabs(sum / draws) < 0.016);
    assert_true(fabs(squares / draws - 1) < 0.022);
    assert_true(fabs(fourth / draws - 3) < 0.16);
}

static void
test_sample_is_distinct(void **state)
{
    static uint32_t out[2000];
    static const uint32_t bounds[] = {1, 2, 7, 50, 2000};
    struct sepx_rng rng;

    (void)state;
    sepx_rng_init(&rng, 7, 0, 0, 0);
    for (size_t b = 0; b < sizeof(bounds) / sizeof(bounds[0]); b++) {
        for (uint32_t n = 0; n <= bounds[b]; n += 1 + bounds[b] / 40) {
            static bool seen[2000];

            memset(seen, 0, sizeof(seen));
            sepx_rng_sample(&rng, out, n, bounds[b]);
            for (uint32_t i = 0; i < n; i++) {
                assert_true(out[i] < bounds[b]);
                assert_false(seen[out[i]]);
                seen[out[i]] = true;
            }
        }
    }
    sepx_rng_sample(&rng, out, 0, 0);
    sepx_rng_sample(&rng, out, 3, UINT32_MAX);
    assert_true(out[0] != out[1] && out[1] != out[2] && out[0] != out[2]);
}

/* Every ordered choice of `count` of `bound` comes equally often. */
static void
check_sample_uniform(uint32_t count, uint32_t bound, double limit)
{
    static unsigned seen[20 * 20];
    const unsigned draws = 200000;
    uint32_t out[3], cells = 0;
    double ordered = 1, sum = 0;
    struct sepx_rng rng;

    memset(seen, 0, sizeof(seen));
    sepx_rng_init(&rng, 8, 0, 0, 0);
    for (unsigned i = 0; i < draws; i++) {
        uint32_t code = 0;

        sepx_rng_sample(&rng, out, count, bound);
        for (uint32_t k = 0; k < count; k++)
            code = code * bound + out[k];
        seen[code]++;
    }
    for (uint32_t k = 0; k < count; k++)
        ordered *= bound - k;
    for (size_t i = 0; i < sizeof(seen) / sizeof(seen[0]); i++) {
        double off = seen[i] - draws / ordered;

        cells += seen[i] > 0;
        if (seen[i])
            sum += off * off / (draws / ordered);
    }
    assert_int_equal(cells, (uint32_t)ordered);
    CHECK(sum < limit, "%u of %u: chi-square %g", count, bound, sum);
}

static void
test_sample_is_uniform(void **state)
{
    (void)state;
    check_sample_uniform(2, 6, 66.15);   /* 29 degrees, few to choose from */
    check_sample_uniform(3, 5, 108.16);  /* 59 degrees */
    check_sample_uniform(2, 20, 490.04); /* 379 degrees, many */
    check_sample_uniform(3, 3, 25.74);   /* 5 degrees, a permutation */
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_answers),
        cmocka_unit_test(test_empty_value_is_seed_zero),
        cmocka_unit_test(test_order_of_drawing_does_not_matter),
        cmocka_unit_test(test_each_coordinate_makes_another_stream),
        cmocka_unit_test(test_u64_is_two_words_low_first),
        cmocka_unit_test(test_below_keeps_its_bound),
        cmocka_unit_test(test_below_is_uniform),
        cmocka_unit_test(test_below_is_unbiased_at_a_large_bound),
        cmocka_unit_test(test_unit_is_in_range_and_centred),
        cmocka_unit_test(test_chance_is_certain_at_the_ends),
        cmocka_unit_test(test_normal_has_its_moments),
        cmocka_unit_test(test_sample_is_distinct),
        cmocka_unit_test(test_sample_is_uniform),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
