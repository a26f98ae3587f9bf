/* SPDX-License-Identifier: Apache-2.0 */
/* Objectives as text, ranks, crowding, fronts and volumes. */
#include "unit/check.h"

#include <string.h>

#include "oracle/oracle_front.h"
#include "sepx/base.h"
#include "unit/faults.h"

enum { MOST = 12, SEED = 14 };

/* ---- goals ---- */

static void
test_goals_are_read(void **state)
{
    static const char *const objectives[] = {
        "error", "latency:0.5", "-speed:2", "accuracy:max", "-cost:max", NULL};
    static const char *const where[] = {"params<=5e6", "accuracy>=-0.25",
                                        "error<=0", NULL};
    static const char *const said[] = {"score:min", "test:0.5", "params", NULL};
    const double number[] = {0.5, 0.25, 3, -0.5, 7, 6e6};
    struct sepx_goals goals;
    struct sepx_merit merit;

    (void)state;
    assert_int_equal(sepx_goals_read(&goals, objectives, where, NULL), SEPX_OK);
    assert_int_equal(goals.names, 6);
    assert_int_equal(goals.objectives, 5);
    assert_int_equal(goals.constraints, 3);
    assert_string_equal(goals.name[5], "params");
    CHECK(goals.objective[1].reference == 0.5, "no reference");
    CHECK(isnan(goals.objective[0].reference), "a reference");
    CHECK(goals.objective[2].maximize && goals.objective[3].maximize &&
              !goals.objective[0].maximize && !goals.objective[4].maximize,
          "directions");
    sepx_goals_merit(&goals, &merit, number);
    CHECK(merit.objective[0] == 0.5 && merit.objective[2] == -3 &&
              merit.objective[3] == 0.5 && merit.objective[4] == 7,
          "objectives");
    /* A fifth of 5e6, one of 0.25, and a half of nothing. */
    CHECK(fabs(merit.violation - (0.2 + 1 + 0.5)) < 1e-12, "%g",
          merit.violation);
    CHECK(sepx_goals_turn(&goals, 2, -3) == 3, "turned");
    sepx_goals_release(&goals);
    assert_int_equal(sepx_goals_read(&goals, NULL, NULL, NULL), SEPX_OK);
    assert_int_equal(goals.names, 0);
    assert_int_equal(sepx_goals_read(&goals, NULL, where, NULL), SEPX_OK);
    assert_string_equal(goals.name[0], "score");
    sepx_goals_maximize(&goals);
    CHECK(goals.objective[0].maximize, "left to the evaluator");
    sepx_goals_release(&goals);
    assert_int_equal(sepx_goals_read(&goals, said, NULL, NULL), SEPX_OK);
    sepx_goals_maximize(&goals);
    CHECK(!goals.objective[0].maximize && goals.objective[1].maximize &&
              !goals.objective[2].maximize,
          "said, left open, and no score");
    sepx_goals_release(&goals);
}

static void
refused(const char *objective, const char *where, const char *why)
{
    const char *const objectives[] = {objective, NULL};
    const char *const wheres[] = {where, NULL};
    struct sepx_goals goals;
    struct sepx_msg msg = {0};

    assert_int_equal(
        sepx_goals_read(&goals, objectives, where ? wheres : NULL, &msg),
        SEPX_EINVAL);
    CHECK(strstr(msg.text, why), "%s", msg.text);
    assert_int_equal(goals.names, 0);
}

static void
test_bad_goals_are_refused(void **state)
{
    static const char *const twice[] = {"a", "a:max", NULL};
    static const char *const many[] = {"a", "b", "c", "d", "e",
                                       "f", "g", "h", "i", NULL};
    struct sepx_goals goals;
    struct sepx_msg msg = {0};

    (void)state;
    refused("", NULL, "the objective ''");
    refused("-", NULL, "the objective '-'");
    refused("--a", NULL, "the objective '--a'");
    refused("a:", NULL, "the objective 'a:'");
    refused("a:least", NULL, "the objective 'a:least'");
    refused("a:maximum", NULL, "the objective 'a:maximum'");
    refused("a:max:nan", NULL, "the objective");
    refused("a:1:2", NULL, "the objective");
    refused("a<3", NULL, "the objective");
    refused("a", "b", "the constraint 'b'");
    refused("a", "b<3", "the constraint");
    refused("a", "b==3", "the constraint");
    refused("a", "<=3", "the constraint");
    refused("a", "b<=", "the constraint");
    refused("a", "b>=inf", "the constraint");
    assert_int_equal(sepx_goals_read(&goals, twice, NULL, &msg), SEPX_EINVAL);
    CHECK(strstr(msg.text, "twice"), "%s", msg.text);
    assert_int_equal(sepx_goals_read(&goals, many, NULL, &msg), SEPX_ELIMIT);
}

/* ---- fronts ---- */

/* Few values, so that equals and ties are common. */
static void
draw(struct sepx_rng *rng, struct sepx_merit *merit, size_t count, uint32_t n)
{
    for (size_t i = 0; i < count; i++) {
        merit[i] = (struct sepx_merit){.count = n};
        for (uint32_t k = 0; k < n; k++)
            merit[i].objective[k] = sepx_rng_below(rng, 6);
        if (!sepx_rng_below(rng, 4))
            merit[i].violation = sepx_rng_below(rng, 3);
    }
}

/* Allowed, of rank 0, and the first of its equals. */
static bool
belongs(const struct sepx_merit *merit, const uint32_t *rank, size_t at)
{
    for (size_t j = 0; j < at; j++) {
        if (memcmp(&merit[j], &merit[at], sizeof *merit) == 0)
            return false;
    }
    return merit[at].violation == 0 && rank[at] == 0;
}

static void
check_front(const struct sepx_merit *merit, size_t count, const uint32_t *rank)
{
    size_t at[MOST], found = sepx_front_find(at, merit, count);
    size_t wanted = 0;

    for (size_t i = 0; i < count; i++)
        wanted += belongs(merit, rank, i);
    assert_int_equal(found, wanted);
    for (size_t j = 0; j < found; j++) {
        CHECK(belongs(merit, rank, at[j]), "%zu", at[j]);
        CHECK(!j || merit[at[j - 1]].objective[0] <= merit[at[j]].objective[0],
              "not sorted");
    }
}

static void
test_ranks_are_chains(void **state)
{
    struct sepx_merit merit[MOST];
    uint32_t rank[MOST];
    double crowding[MOST];
    struct sepx_rng rng;

    (void)state;
    sepx_rng_init(&rng, SEED, 0, 0, 0);
    for (int turn = 0; turn < 3000; turn++) {
        size_t count = 1 + sepx_rng_below(&rng, MOST);
        uint32_t n = 1 + sepx_rng_below(&rng, 4);

        draw(&rng, merit, count, n);
        assert_int_equal(sepx_front_sort(rank, crowding, merit, count),
                         SEPX_OK);
        for (size_t i = 0; i < count; i++) {
            uint32_t wanted = oracle_front_rank(merit, count, i);

            CHECK(rank[i] == wanted, "seed %d turn %d: %zu has %u, not %u",
                  SEED, turn, i, rank[i], wanted);
        }
        check_front(merit, count, rank);
    }
}

static void
test_crowding_by_hand(void **state)
{
    const double x[] = {0, 1, 4, 10, 3}, y[] = {8, 6, 2, 0, 9};
    struct sepx_merit merit[5];
    uint32_t rank[5];
    double crowding[5];

    (void)state;
    for (int i = 0; i < 5; i++)
        merit[i] = (struct sepx_merit){.count = 2, .objective = {x[i], y[i]}};
    assert_int_equal(sepx_front_sort(rank, crowding, merit, 5), SEPX_OK);
    assert_int_equal(rank[4], 1);
    CHECK(isinf(crowding[0]) && isinf(crowding[3]) && isinf(crowding[4]),
          "ends");
    CHECK(fabs(crowding[1] - (0.4 + 0.75)) < 1e-12, "%g", crowding[1]);
    CHECK(fabs(crowding[2] - (0.9 + 0.75)) < 1e-12, "%g", crowding[2]);
}

static void
test_volumes_are_unions_of_boxes(void **state)
{
    double point[MOST * SEPX_GOALS_MAX], reference[SEPX_GOALS_MAX];
    struct sepx_rng rng;

    (void)state;
    sepx_rng_init(&rng, SEED, 1, 0, 0);
    for (int turn = 0; turn < 600; turn++) {
        size_t count = sepx_rng_below(&rng, 10);
        uint32_t n = 1 + sepx_rng_below(&rng, 5);
        bool fine = sepx_rng_below(&rng, 2);
        double volume, wanted;

        for (uint32_t k = 0; k < n; k++)
            reference[k] = 5;
        for (size_t i = 0; i < count * n; i++)
            point[i] = fine ? 6 * sepx_rng_unit(&rng)
                            : (double)sepx_rng_below(&rng, 7);
        assert_int_equal(sepx_hypervolume(&volume, point, count, n, reference),
                         SEPX_OK);
        wanted = oracle_front_volume(point, count, n, reference);
        CHECK(fabs(volume - wanted) <= 1e-7 * (1 + wanted),
              "seed %d turn %d: %.12g, not %.12g (%zu of %u)", SEED, turn,
              volume, wanted, count, n);
    }
    assert_int_equal(sepx_hypervolume(point, point, 1, 0, reference),
                     SEPX_EINVAL);
}

static void
test_every_allocation_may_fail(void **state)
{
    static const char *const objectives[] = {"a", "b", NULL};
    struct sepx_merit merit[3] = {{.count = 2}, {.count = 2}, {.count = 2}};

    (void)state;
    EACH_FAULT (fault) {
        struct sepx_goals goals;
        uint32_t rank[3];
        double crowding[3], volume = 0;
        enum sepx_err err;

        err = sepx_goals_read(&goals, objectives, NULL, NULL);
        if (!err)
            err = sepx_front_sort(rank, crowding, merit, 3);
        if (!err)
            err = sepx_hypervolume(&volume, (double[]){0, 0}, 1, 2,
                                   (double[]){2, 3});
        sepx_goals_release(&goals);
        CHECK(err || volume == 6, "%g", volume);
        fault.err = err;
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_goals_are_read),
        cmocka_unit_test(test_bad_goals_are_refused),
        cmocka_unit_test(test_ranks_are_chains),
        cmocka_unit_test(test_crowding_by_hand),
        cmocka_unit_test(test_volumes_are_unions_of_boxes),
        cmocka_unit_test(test_every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
