/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel densities: by hand, and against the sum written out. */
#include "unit/check.h"

#include <string.h>

#include "oracle/oracle_kde.h"
#include "search/models/kde.h"

enum { N = 60, D = 32 };

static struct sepx_space *
open_space(const char *name)
{
    struct sepx_space *space;

    assert_int_equal(sepx_space_open(&space, name, NULL), SEPX_OK);
    return space;
}

static void
test_bandwidths_by_hand(void **state)
{
    static const uint32_t even[] = {2, 2}, one[] = {4, 0};
    static const uint32_t thirds[] = {9, 9, 9};
    static const uint32_t ends[] = {2, 0, 0, 0, 0, 0, 2};
    /* 1.06 * 0.5 * 4^(-1/30), and 1.06 * sqrt(2/3) * 27^(-1/30). */
    const double half = 0.53 * 0.95484160391041657;
    const double third = 1.06 * 0.81649658092772603 * 0.8959584598407622;

    (void)state;
    CHECK_NEAR(sepx__kde_bandwidth(even, 2, 4, 26, 0.3), half, 1e-12);
    CHECK_NEAR(sepx__kde_bandwidth(one, 2, 4, 26, 0.3), 0.3, 1e-12);
    CHECK_NEAR(sepx__kde_bandwidth(thirds, 3, 27, 26, 0.3), third, 1e-12);
    /* Values 0 and 6: the rule gives 3.04, so the kernel is uniform. */
    CHECK_NEAR(sepx__kde_bandwidth(ends, 7, 4, 26, 0.3), 6.0 / 7, 1e-12);
}

/* Two vectors that differ in the first variable, which has 3 choices. */
static void
test_a_density_by_hand(void **state)
{
    struct sepx_space *space = open_space("nb101");
    uint16_t value[2][26] = {{0}, {1}}, word[4];
    const uint32_t index[] = {0, 1};
    const double h = 1.06 * 0.5 * 0.97715996843424602; /* 2^(-1/30) */
    struct sepx__code code;
    struct sepx__kde kde = {0};

    (void)state;
    assert_int_equal(sepx__code_init(&code, space), SEPX_OK);
    assert_int_equal(code.words, 3);
    assert_int_equal(sepx__kde_fit(&kde, &code, value[0], index, 2, 0.3),
                     SEPX_OK);
    CHECK_NEAR(kde.bandwidth[0], h, 1e-12);
    CHECK_NEAR(kde.bandwidth[25], 0.3, 1e-12);
    sepx__code_pack(&code, word, value[0]);
    CHECK_NEAR(sepx__kde_density(&kde, word, INFINITY),
               pow(0.7, 25) * ((1 - h) + h / 2) / 2, 1e-12);
    value[0][0] = 2;
    value[0][25] = 1;
    sepx__code_pack(&code, word, value[0]);
    CHECK_NEAR(sepx__kde_density(&kde, word, INFINITY),
               pow(0.7, 24) * 0.3 * (h / 2), 1e-12);
    sepx__kde_release(&kde);
    sepx__code_release(&code);
    sepx_space_close(space);
}

static void
draw(uint16_t *value, const struct sepx__code *code, struct sepx_rng *rng)
{
    for (uint32_t v = 0; v < code->variables; v++)
        value[v] = (uint16_t)(sepx_rng_below(rng, code->choices[v]) *
                              sepx_rng_below(rng, 2));
}

static void
compare(const struct sepx__code *code, struct sepx_rng *rng)
{
    uint16_t value[N * D], chosen[N * D], at[D], word[D];
    uint32_t index[N], n = 1 + sepx_rng_below(rng, N - 1), d = code->variables;
    struct sepx__kde kde = {0};
    double want, got;

    for (uint32_t i = 0; i < N; i++)
        draw(value + i * d, code, rng);
    sepx_rng_sample(rng, index, n, N);
    for (uint32_t i = 0; i < n; i++)
        memcpy(chosen + i * d, value + index[i] * d, d * sizeof *value);
    assert_int_equal(sepx__kde_fit(&kde, code, value, index, n, 0.3), SEPX_OK);
    for (uint32_t v = 0; v < d; v++)
        CHECK_NEAR(kde.bandwidth[v],
                   oracle_bandwidth(chosen, n, d, v, 0.3, code->choices[v]),
                   1e-9);
    draw(at, code, rng);
    sepx__code_pack(code, word, at);
    want = oracle_density(chosen, n, d, code->choices, kde.bandwidth, at);
    CHECK_NEAR(sepx__kde_density(&kde, word, INFINITY), want, 1e-9);
    /* Stopped early, it is still on the right side. */
    got = sepx__kde_density(&kde, word, want / 2);
    CHECK(got >= want / 2 && got <= want * (1 + 1e-9), "%g of %g", got, want);
    got = sepx__kde_density(&kde, word, want * 2);
    CHECK_NEAR(got, want, 1e-9);
    sepx__kde_release(&kde);
}

static void
test_densities_are_the_sum_written_out(void **state)
{
    static const char *const names[] = {"nb101", "darts"};
    struct sepx_rng rng;

    (void)state;
    sepx_rng_init(&rng, 5, 0, 0, 0);
    for (size_t i = 0; i < 2; i++) {
        struct sepx_space *space = open_space(names[i]);
        struct sepx__code code;

        assert_int_equal(sepx__code_init(&code, space), SEPX_OK);
        assert_true(code.variables <= D);
        for (unsigned k = 0; k < 200; k++)
            compare(&code, &rng);
        sepx__code_release(&code);
        sepx_space_close(space);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bandwidths_by_hand),
        cmocka_unit_test(test_a_density_by_hand),
        cmocka_unit_test(test_densities_are_the_sum_written_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
