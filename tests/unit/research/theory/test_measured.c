/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/check.h"

#include "unit/faults.h"
#include "sepx/theory.h"
#include "research/theory/internal.h"

#define SEED 20230723

static struct sepx_measure_plan
plan_at(const struct sepx_space *space, uint32_t d_opt, uint32_t d_12)
{
    return (struct sepx_measure_plan){
        .space = space,
        .at = {.n = 7, .edges = {9, 9, 9}, .d_opt = d_opt, .d_12 = d_12},
        .samples = 2000,
        .seed = SEED};
}

static struct sepx_space *
open_nb101(void)
{
    struct sepx_space *space;

    assert_int_equal(sepx_space_open(&space, "nb101", NULL), SEPX_OK);
    return space;
}

static void
check_triple(const struct sepx__triple *t, const struct sepx_measure_plan *plan,
             struct sepx_ged *ged)
{
    uint32_t d;
    bool valid;

    for (int i = 0; i < 3; i++) {
        assert_int_equal(
            sepx_space_check(plan->space, &valid, &t->graph[i], NULL), SEPX_OK);
        assert_true(valid);
        assert_int_equal(t->graph[i].n_nodes, 7);
    }
    assert_int_equal(t->graph[0].n_edges, 9);
    assert_int_equal(sepx_theory_distance(ged, &d, &t->graph[0], &t->graph[1]),
                     SEPX_OK);
    assert_int_equal(d, plan->at.d_opt);
    assert_int_equal(sepx_theory_distance(ged, &d, &t->graph[1], &t->graph[2]),
                     SEPX_OK);
    assert_int_equal(d, plan->at.d_12);
}

static void
test_triples_have_the_distances_asked_for(void **state)
{
    struct sepx_ged_options options = {.ignore_labels = true};
    struct sepx_space *space = open_nb101();
    struct sepx__triple triple = {0};
    struct sepx_ged *ged;

    (void)state;
    assert_int_equal(sepx_ged_new(&ged, &options), SEPX_OK);
    for (uint32_t i = 0; i < 200; i++) {
        struct sepx_measure_plan plan = plan_at(space, i % 6, i / 6 % 7);
        struct sepx_rng rng;

        plan.parents = i % 2;
        plan.labels = i % 3 == 0;
        sepx_rng_init(&rng, SEED, 0, i, 0);
        assert_int_equal(
            sepx__triple_draw(&triple, ged, &plan, i % 5 == 0, &rng), SEPX_OK);
        check_triple(&triple, &plan, ged);
    }
    sepx__triple_release(&triple);
    sepx_ged_free(ged);
    sepx_space_close(space);
}

/* Nodes that one graph has more are no edges. */
static void
test_distance_counts_edges_alone(void **state)
{
    struct sepx_ged_options options = {.ignore_labels = true};
    struct sepx_space *space = open_nb101();
    struct sepx_graph a = {0}, b = {0};
    struct sepx_ged *ged;
    uint32_t d;

    (void)state;
    assert_int_equal(sepx_ged_new(&ged, &options), SEPX_OK);
    assert_int_equal(sepx_space_target(space, &a, "optimum", NULL), SEPX_OK);
    assert_int_equal(sepx_graph_copy(&b, &a), SEPX_OK);
    for (int i = 0; i < 3; i++)
        assert_int_equal(sepx_graph_add_node(&b, b.label[1]), SEPX_OK);
    assert_int_equal(sepx_theory_distance(ged, &d, &a, &b), SEPX_OK);
    assert_int_equal(d, 0);
    assert_int_equal(sepx_graph_add_edge(&b, 7, 8, 0), SEPX_OK);
    assert_int_equal(sepx_theory_distance(ged, &d, &b, &a), SEPX_OK);
    assert_int_equal(d, 1);
    sepx_graph_release(&a);
    sepx_graph_release(&b);
    sepx_ged_free(ged);
    sepx_space_close(space);
}

static void
test_bounds_hold_under_their_assumption(void **state)
{
    static const uint32_t d[][2] = {{1, 1}, {3, 4}, {4, 4}, {2, 6}, {6, 2}};
    struct sepx_space *space = open_nb101();

    (void)state;
    for (unsigned i = 0; i < 5; i++) {
        struct sepx_measure_plan plan = plan_at(space, d[i][0], d[i][1]);
        struct sepx_measured got;

        assert_int_equal(sepx_theory_measure(&got, &plan, NULL), SEPX_OK);
        for (unsigned k = SEPX_BOUND_SEPX; k <= SEPX_BOUND_MUTA; k++) {
            const struct sepx_estimate *x = &got.alone[k];
            double bound;

            assert_int_equal(sepx_theory_exact(&bound, &plan.at, k, NULL), 0);
            CHECK(x->trials == 2000 && x->mean + 4 * x->se >= bound,
                  "seed %d, %s at %u, %u: %g below %g, se %g", SEED,
                  sepx_bound_name(k), d[i][0], d[i][1], x->mean, bound, x->se);
        }
        assert_true(got.edges[0] == 9);
        assert_true(got.alone[SEPX_BOUND_RLU].trials == 0);
    }
    sepx_space_close(space);
}

/* Without it SEP crossover gains less: the bound is no bound then. */
static void
test_independent_parents_gain_less(void **state)
{
    struct sepx_space *space = open_nb101();
    struct sepx_measure_plan plan = plan_at(space, 4, 4);
    struct sepx_measured got;
    const struct sepx_estimate *x = &got.alone[SEPX_BOUND_SEPX];
    double bound;

    (void)state;
    plan.parents = SEPX_PARENTS_INDEPENDENT;
    assert_int_equal(sepx_theory_measure(&got, &plan, NULL), SEPX_OK);
    assert_int_equal(sepx_theory_exact(&bound, &plan.at, SEPX_BOUND_SEPX, NULL),
                     SEPX_OK);
    CHECK(x->mean + 4 * x->se < bound, "seed %d: %g, se %g, bound %g", SEED,
          x->mean, x->se, bound);
    sepx_space_close(space);
}

static void
test_threads_change_nothing(void **state)
{
    struct sepx_space *space = open_nb101();
    struct sepx_measure_plan plan = plan_at(space, 3, 4);
    struct sepx_measured one, three;

    (void)state;
    plan.samples = 300;
    plan.threads = 1;
    assert_int_equal(sepx_theory_measure(&one, &plan, NULL), SEPX_OK);
    plan.threads = 3;
    assert_int_equal(sepx_theory_measure(&three, &plan, NULL), SEPX_OK);
    for (unsigned k = SEPX_BOUND_SEPX; k <= SEPX_BOUND_MUTA; k++) {
        assert_true(one.alone[k].mean == three.alone[k].mean);
        assert_true(one.alone[k].se == three.alone[k].se);
        assert_true(one.applied[k].mean == three.applied[k].mean);
        assert_true(one.applied[k].trials == three.applied[k].trials);
    }
    sepx_space_close(space);
}

static void
test_nothing_to_gain_gains_nothing(void **state)
{
    struct sepx_space *space = open_nb101();
    struct sepx_measure_plan at_optimum = plan_at(space, 0, 4);
    struct sepx_measure_plan equal = plan_at(space, 4, 0);
    struct sepx_measured got;

    (void)state;
    at_optimum.samples = equal.samples = 100;
    assert_int_equal(sepx_theory_measure(&got, &at_optimum, NULL), SEPX_OK);
    for (unsigned k = SEPX_BOUND_SEPX; k <= SEPX_BOUND_MUTA; k++)
        assert_true(got.alone[k].mean == 0 && got.applied[k].mean == 0);
    assert_int_equal(sepx_theory_measure(&got, &equal, NULL), SEPX_OK);
    assert_true(got.alone[SEPX_BOUND_SEPX].mean == 0);
    assert_true(got.applied[SEPX_BOUND_SEPX].trials == 0);
    sepx_space_close(space);
}

static void
test_bad_plans_are_refused(void **state)
{
    struct sepx_space *space = open_nb101();
    struct sepx_measure_plan plan = plan_at(space, 30, 4);
    struct sepx_measured got;
    struct sepx_msg msg = {0};

    (void)state;
    assert_int_equal(sepx_theory_measure(&got, &plan, &msg), SEPX_ENOTFOUND);
    assert_string_equal(msg.text,
                        "found no graphs of nb101 with 7 nodes, about 9, 9 and "
                        "9 edges, and distances 30 and 4; try others");
    plan = plan_at(space, 3, 4);
    plan.samples = 1;
    assert_int_equal(sepx_theory_measure(&got, &plan, &msg), SEPX_EINVAL);
    assert_string_equal(msg.text, "1 samples; take 2 to 10000000");
    plan = plan_at(space, 3, 4);
    plan.at.n = 65;
    assert_int_equal(sepx_theory_measure(&got, &plan, &msg), SEPX_ELIMIT);
    plan = plan_at(space, 3, 4);
    plan.rules = "nonsense";
    assert_int_equal(sepx_theory_measure(&got, &plan, &msg), SEPX_ENOTFOUND);
    assert_int_equal(sepx_parents_find("independent"),
                     SEPX_PARENTS_INDEPENDENT);
    assert_int_equal(sepx_parents_find(""), SEPX_PARENTS_END);
    sepx_space_close(space);
}

static void
test_every_allocation_may_fail(void **state)
{
    struct sepx_space *space = open_nb101();
    struct sepx_measure_plan plan = plan_at(space, 1, 2);
    struct sepx_measured got;

    (void)state;
    plan.samples = 2;
    plan.threads = 1;
    plan.rules = "published";
    EACH_FAULT (fault) {
        fault.err = sepx_theory_measure(&got, &plan, NULL);
    }
    sepx_space_close(space);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_triples_have_the_distances_asked_for),
        cmocka_unit_test(test_distance_counts_edges_alone),
        cmocka_unit_test(test_bounds_hold_under_their_assumption),
        cmocka_unit_test(test_independent_parents_gain_less),
        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_nothing_to_gain_gains_nothing),
        cmocka_unit_test(test_bad_plans_are_refused),
        cmocka_unit_test(test_every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
