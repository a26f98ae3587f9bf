/* SPDX-License-Identifier: Apache-2.0 */
/* Regression trees by hand and by brute force; neighbours; forests. */
#include "unit/check.h"

#include <string.h>

#include "oracle/oracle_forest.h"
#include "search/models/forest.h"

static const struct sepx__forest_rules usual = {10, 2000,    3,  3,
                                                20, 5.0 / 6, {0}};

/*
 * Variable 0 has three values with means 5, 1 and 4: the best cut is {1}
 * from {0, 2}, and among those {2} from {0}.
 */
static void
test_a_tree_by_hand(void **state)
{
    static const uint16_t choices[] = {3, 2};
    static const uint16_t value[][2] = {{0, 0}, {0, 1}, {1, 0},
                                        {1, 1}, {2, 0}, {2, 1}};
    static const uint32_t which[] = {0, 1, 2, 3, 4, 5};
    static const double y[] = {5.5, 4.5, 1.25, 0.75, 4.25, 3.75};
    const struct sepx__rows rows = {value[0], which, y, 6, 2, choices};
    struct sepx__forest_rules rules = {1, 100, 3, 2, 20, 1, {0}};
    struct sepx__forest forest = {0};
    double mean, variance;

    (void)state;
    assert_int_equal(sepx__forest_grow_plain(&forest, &rows, &rules), SEPX_OK);
    assert_int_equal(forest.n_nodes, 5);
    assert_int_equal(forest.node[0].variable, 0);
    assert_int_equal(forest.node[0].goes_left, 1 << 1);
    CHECK_NEAR(forest.mean[0], 20.0 / 6, 1e-12);
    for (unsigned i = 0; i < 6; i++) {
        static const double want[] = {5, 5, 1, 1, 4, 4};

        sepx__forest_predict(&forest, &mean, &variance, value[i]);
        CHECK_NEAR(mean, want[i], 1e-12);
        CHECK_NEAR(variance, 0, 0);
    }
    /* Three rows in a leaf: no second cut, and {1, 2} against {0} fails too. */
    rules.least_leaf = 3;
    assert_int_equal(sepx__forest_grow_plain(&forest, &rows, &rules), SEPX_OK);
    assert_int_equal(forest.node[0].variable, 1);
    sepx__forest_predict(&forest, &mean, &variance, value[0]);
    CHECK_NEAR(mean, 11.0 / 3, 1e-12);
    rules.depth = 0;
    assert_int_equal(sepx__forest_grow_plain(&forest, &rows, &rules), SEPX_OK);
    assert_int_equal(forest.n_nodes, 1);
    sepx__forest_release(&forest);
}

enum { N = 40, D = 5 };
static const uint16_t many[D] = {2, 3, 4, 2, 5};

struct data {
    uint16_t value[N * D];
    uint32_t which[N];
    double y[N];
    struct sepx__rows rows;
};

static void
draw(struct data *data, uint32_t n, struct sepx_rng *rng)
{
    for (uint32_t i = 0; i < n * D; i++)
        data->value[i] = (uint16_t)sepx_rng_below(rng, many[i % D]);
    for (uint32_t i = 0; i < n; i++) {
        data->which[i] = i;
        data->y[i] = sepx_rng_normal(rng) + data->value[i * D + 2];
    }
    data->rows =
        (struct sepx__rows){data->value, data->which, data->y, n, D, many};
}

/* Of one row in a leaf: with more, a cut out of order may be better. */
static void
test_trees_are_those_of_all_splits(void **state)
{
    struct sepx__forest forest = {0};
    struct sepx_rng rng;

    (void)state;
    sepx_rng_init(&rng, 11, 0, 0, 0);
    for (unsigned round = 0; round < 100; round++) {
        struct data data;
        uint32_t split = 2 + sepx_rng_below(&rng, 4);
        uint32_t depth = sepx_rng_below(&rng, 8);
        struct sepx__forest_rules rules = {1, 100, split, 1, depth, 1, {0}};

        draw(&data, 2 + sepx_rng_below(&rng, N - 2), &rng);
        assert_int_equal(sepx__forest_grow_plain(&forest, &data.rows, &rules),
                         SEPX_OK);
        for (uint32_t i = 0; i < data.rows.count; i++) {
            const uint16_t *at = data.value + i * D;
            double mean, variance;

            sepx__forest_predict(&forest, &mean, &variance, at);
            CHECK_NEAR(mean,
                       oracle_tree(data.value, data.y, data.rows.count, D, many,
                                   rules.least_split, rules.least_leaf,
                                   rules.depth, at),
                       1e-9);
        }
    }
    sepx__forest_release(&forest);
}

/* What a neighbour shares with the traced vector need not be looked up. */
static void
test_neighbours_are_predicted_the_same(void **state)
{
    struct sepx__forest forest = {0};
    uint32_t first[D * 10];
    struct sepx__trace trace = {.first = first};
    struct sepx_rng rng;
    struct data data;

    (void)state;
    sepx_rng_init(&rng, 12, 0, 0, 0);
    draw(&data, N, &rng);
    assert_int_equal(sepx__forest_grow(&forest, &data.rows, &usual, &rng),
                     SEPX_OK);
    for (unsigned round = 0; round < 2000; round++) {
        uint16_t value[D];
        double here[2], want[2], got[2];
        uint32_t v = sepx_rng_below(&rng, D);

        for (unsigned k = 0; k < D; k++)
            value[k] = (uint16_t)sepx_rng_below(&rng, many[k]);
        sepx__forest_trace(&forest, &trace, value);
        sepx__forest_predict(&forest, &here[0], &here[1], value);
        value[v] = (uint16_t)sepx_rng_below(&rng, many[v]);
        sepx__forest_predict(&forest, &want[0], &want[1], value);
        if (!sepx__forest_predict_near(&forest, &got[0], &got[1], value, &trace,
                                       v))
            memcpy(got, here, sizeof got);
        assert_memory_equal(got, want, sizeof got);
    }
    sepx__forest_release(&forest);
}

/* Trees differ where there are few rows, and agree on what is plain. */
static void
test_a_forest_learns_and_doubts(void **state)
{
    static const uint16_t choices[] = {2, 2, 3};
    uint16_t value[60 * 3];
    uint32_t which[60];
    double y[60], mean, variance;
    struct sepx__rows rows = {value, which, y, 60, 3, choices};
    struct sepx__forest forest = {0};
    struct sepx_rng rng;

    (void)state;
    sepx_rng_init(&rng, 3, 0, 0, 0);
    for (uint32_t i = 0; i < 60; i++) {
        value[i * 3] = (uint16_t)(i % 2);
        value[i * 3 + 1] = (uint16_t)(i / 2 % 2);
        value[i * 3 + 2] = (uint16_t)(i % 3);
        which[i] = i;
        y[i] = 10 * value[i * 3] + sepx_rng_normal(&rng);
    }
    assert_int_equal(sepx__forest_grow(&forest, &rows, &usual, &rng), SEPX_OK);
    sepx__forest_predict(&forest, &mean, &variance, value);
    CHECK(fabs(mean) < 2 && variance > 0 && variance < 2, "%g %g", mean,
          variance);
    sepx__forest_predict(&forest, &mean, &variance, value + 3);
    CHECK(fabs(mean - 10) < 2, "%g", mean);
    sepx__forest_release(&forest);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_tree_by_hand),
        cmocka_unit_test(test_trees_are_those_of_all_splits),
        cmocka_unit_test(test_neighbours_are_predicted_the_same),
        cmocka_unit_test(test_a_forest_learns_and_doubts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
