/* SPDX-License-Identifier: Apache-2.0 */
/* SMAC: expected improvement, candidates, and who is run how often. */
#include "unit/check.h"

#include <string.h>

#include "search/models/acquire.h"
#include "search/smac.h"

/* With z = (best - mean) / sd: sd (z Phi(z) + phi(z)). */
static void
test_expected_improvement_by_hand(void **state)
{
    (void)state;
    CHECK_NEAR(sepx__expected_improvement(0, 1, 0), 0.3989422804014327, 1e-12);
    /* z = 1: Phi = 0.8413447460685429, phi = 0.24197072451914337. */
    CHECK_NEAR(sepx__expected_improvement(3, 4, 5),
               2 * (0.8413447460685429 + 0.24197072451914337), 1e-12);
    CHECK_NEAR(sepx__expected_improvement(5, 4, 3),
               2 * (-0.15865525393145707 + 0.24197072451914337), 1e-12);
    CHECK_NEAR(sepx__expected_improvement(1, 0, 2), 1, 1e-9);
    CHECK(sepx__expected_improvement(2, 0, 1) < 1e-300, "not 0");
}

/* Scores are the number of zeros; the search walks to the vector of ones. */
static void
test_local_search_climbs(void **state)
{
    enum { D = 8, N = 256 };
    static uint16_t value[N * D];
    uint16_t choices[D];
    uint32_t which[N];
    double y[N], before = INFINITY;
    struct sepx__rows rows = {value, which, y, N, D, choices};
    const struct sepx__forest_rules rules = {10, 5000, 3, 1, 20, 1, {0}};
    const struct sepx__acquire_rules seek = {5, 10, 50, {0}};
    struct sepx__forest forest = {0};
    struct sepx__acquire list = {0};
    struct sepx_rng rng;

    (void)state;
    sepx_rng_init(&rng, 2, 0, 0, 0);
    for (uint32_t i = 0; i < N; i++) {
        which[i] = i;
        y[i] = D;
        for (uint32_t v = 0; v < D; v++) {
            choices[v] = 2;
            value[i * D + v] = i >> v & 1;
            y[i] -= value[i * D + v];
        }
    }
    assert_int_equal(sepx__forest_grow(&forest, &rows, &rules, &rng), SEPX_OK);
    /* Begin at vectors with at most four ones. */
    assert_int_equal(sepx__acquire_list(&list, &forest, choices, value, 16, 0.5,
                                        &seek, &rng),
                     SEPX_OK);
    assert_int_equal(list.count, 55);
    for (size_t i = 0; i < list.count; i++) {
        CHECK(list.candidate[i].promise <= before, "%zu", i);
        before = list.candidate[i].promise;
    }
    for (unsigned v = 0, ones = 0; v < D; v++) {
        ones += list.value[list.candidate[0].at * D + v];
        CHECK(v < D - 1 || ones >= D - 1, "%u ones", ones);
    }
    sepx__acquire_release(&list);
    sepx__forest_release(&forest);
}

static void
test_failures_count_as_the_worst(void **state)
{
    struct sepx__vectors vectors = {.variables = 2};
    const uint16_t a[] = {0, 1}, b[] = {1, 0};
    uint32_t first, second, again;
    bool fresh;

    (void)state;
    assert_int_equal(sepx__vectors_find(&vectors, &first, &fresh, a), SEPX_OK);
    assert_true(fresh);
    assert_int_equal(sepx__vectors_tell(&vectors, first, NAN), SEPX_OK);
    sepx__vectors_fill(&vectors);
    CHECK(vectors.y[0] == 1, "%g", vectors.y[0]);
    assert_int_equal(sepx__vectors_find(&vectors, &second, &fresh, b), SEPX_OK);
    assert_true(fresh && second != first);
    assert_int_equal(sepx__vectors_tell(&vectors, second, 7), SEPX_OK);
    assert_int_equal(sepx__vectors_tell(&vectors, second, 3), SEPX_OK);
    sepx__vectors_fill(&vectors);
    CHECK(vectors.y[0] == 7 && vectors.y[2] == 3, "%g", vectors.y[0]);
    CHECK(sepx__vectors_mean(&vectors, second, 2) == 5, "not 5");
    assert_int_equal(sepx__vectors_find(&vectors, &again, &fresh, a), SEPX_OK);
    assert_true(!fresh && again == first);
    sepx__vectors_release(&vectors);
}

/* ---- the order of runs ---- */

struct bench {
    struct sepx_space *space;
    struct sepx_method *method;
    struct sepx_search *search;
};

static void
bench_open(struct bench *b, const char *text)
{
    assert_int_equal(sepx_space_open(&b->space, "nb101", NULL), SEPX_OK);
    assert_int_equal(
        sepx_method_new(&b->method, b->space, text, NULL, NULL, NULL), SEPX_OK);
    assert_int_equal(sepx_search_new(&b->search, b->method, 4, 0, NULL),
                     SEPX_OK);
}

static void
bench_close(struct bench *b)
{
    sepx_search_free(b->search);
    sepx_method_free(b->method);
    sepx_space_close(b->space);
}

/*
 * The incumbent gains a run before each challenger until it has four; a
 * challenger gets 1, 2, then 4 more while it is not worse, and as many as
 * the incumbent in all.
 */
static void
test_intensification_run_by_run(void **state)
{
    static const struct {
        double score;
        int64_t repeats; /* the first trial of the same graph; -1: new */
    } want[] = {
        {1.0, -1}, {1.0, 0},  {2.0, -1},           /* rejected */
        {1.0, 0},  {0.5, -1}, {0.5, 4},  {0.5, 4}, /* takes over with 3 */
        {0.5, 4},  {0.9, -1}, {0.8, -1},           /* 4 are enough */
        {0.4, -1}, {0.7, 10}, {0.8, 10},           /* a lucky first run */
        {0.1, -1}, {0.1, 13}, {0.1, 13}, {0.1, 13}, {0.3, -1},
    };
    struct bench b;

    (void)state;
    bench_open(&b, "smac:random=1");
    for (uint32_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        struct sepx_ask ask = {0};

        assert_int_equal(sepx_search_ask(b.search, &ask), SEPX_OK);
        CHECK(ask.parent[0] == want[i].repeats, "%u: %lld", i,
              (long long)ask.parent[0]);
        assert_int_equal(ask.op, want[i].repeats < 0 ? 0 : 2);
        assert_int_equal(sepx_search_tell(b.search, &ask, want[i].score),
                         SEPX_OK);
        sepx_ask_release(&ask);
    }
    bench_close(&b);
}

/* Nobody is told: every ask is another challenger. */
static void
test_challengers_go_on_while_races_wait(void **state)
{
    struct sepx_ask ask[20];
    struct bench b;

    (void)state;
    memset(ask, 0, sizeof ask);
    bench_open(&b, "smac");
    for (unsigned i = 0; i < 20; i++) {
        assert_int_equal(sepx_search_ask(b.search, &ask[i]), SEPX_OK);
        assert_int_equal(ask[i].parent[0], -1);
    }
    for (unsigned i = 20; i-- > 0;)
        assert_int_equal(sepx_search_tell(b.search, &ask[i], 1 + i), SEPX_OK);
    assert_int_equal(sepx_search_tell(b.search, &ask[3], 1), SEPX_EINVAL);
    /* The best of them is the incumbent now. */
    assert_int_equal(sepx_search_ask(b.search, &ask[1]), SEPX_OK);
    assert_int_equal(ask[1].parent[0], 0);
    for (unsigned i = 0; i < 20; i++)
        sepx_ask_release(&ask[i]);
    bench_close(&b);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expected_improvement_by_hand),
        cmocka_unit_test(test_local_search_climbs),
        cmocka_unit_test(test_failures_count_as_the_worst),
        cmocka_unit_test(test_intensification_run_by_run),
        cmocka_unit_test(test_challengers_go_on_while_races_wait),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
