/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/check.h"

#include "unit/faults.h"
#include "sepx/theory.h"

#define SEED 20230723
#define GRAPHS 12

/* The optimum and GRAPHS cells; the first two are the optimum itself. */
struct world {
    struct sepx_space *space;
    struct sepx_graph optimum, graph[GRAPHS];
};

static int
setup(void **state)
{
    static struct world w;

    w = (struct world){0};
    assert_int_equal(sepx_space_open(&w.space, "nb101", NULL), SEPX_OK);
    assert_int_equal(sepx_space_target(w.space, &w.optimum, "optimum", NULL),
                     SEPX_OK);
    for (uint32_t i = 0; i < GRAPHS; i++) {
        struct sepx_rng rng;

        sepx_rng_init(&rng, SEED, 0, i, 0);
        assert_int_equal(i < 2 ? sepx_graph_copy(&w.graph[i], &w.optimum)
                               : sepx_space_sample(w.space, &w.graph[i], &rng),
                         SEPX_OK);
    }
    *state = &w;
    return 0;
}

static int
teardown(void **state)
{
    struct world *w = *state;

    for (uint32_t i = 0; i < GRAPHS; i++)
        sepx_graph_release(&w->graph[i]);
    sepx_graph_release(&w->optimum);
    sepx_space_close(w->space);
    return 0;
}

static bool
is_pair(const struct sepx_event *e, const struct sepx_graph *a,
        const struct sepx_graph *b, uint32_t d_opt, uint32_t d_12)
{
    return e->n == 7 && e->d_opt == d_opt && e->d_12 == d_12 &&
           e->edges[0] == 9 && e->edges[1] == a->n_edges &&
           e->edges[2] == b->n_edges;
}

/* Each pair by itself, by single distances, takes one from its event. */
static void
test_every_ordered_pair_is_counted_once(void **state)
{
    struct world *w = *state;
    struct sepx_ged_options options = {.ignore_labels = true};
    struct sepx_events events = {0};
    struct sepx_ged *ged;
    uint32_t d_opt, d_12;

    assert_int_equal(sepx_ged_new(&ged, &options), SEPX_OK);
    assert_int_equal(sepx_events_of_population(&events, w->graph, GRAPHS,
                                               &w->optimum, 2, NULL),
                     SEPX_OK);
    for (int i = 0; i < GRAPHS; i++) {
        assert_int_equal(
            sepx_theory_distance(ged, &d_opt, &w->optimum, &w->graph[i]),
            SEPX_OK);
        for (int j = 0; j < GRAPHS; j++) {
            size_t k = 0;

            if (i == j)
                continue;
            assert_int_equal(
                sepx_theory_distance(ged, &d_12, &w->graph[i], &w->graph[j]),
                SEPX_OK);
            while (k < events.count && !is_pair(&events.at[k], &w->graph[i],
                                                &w->graph[j], d_opt, d_12))
                k++;
            assert_true(k < events.count && events.at[k].count > 0);
            events.at[k].count--;
        }
    }
    for (size_t k = 0; k < events.count; k++)
        assert_true(events.at[k].count == 0);
    sepx_events_release(&events);
    sepx_ged_free(ged);
}

/* Pair by pair, in another order, gives what a population gives. */
static void
test_single_pairs_make_the_same_table(void **state)
{
    struct world *w = *state;
    struct sepx_ged_options options = {.ignore_labels = true};
    struct sepx_events all = {0}, single = {0};
    struct sepx_ged *ged;

    assert_int_equal(sepx_ged_new(&ged, &options), SEPX_OK);
    assert_int_equal(
        sepx_events_of_population(&all, w->graph, GRAPHS, &w->optimum, 1, NULL),
        SEPX_OK);
    for (int k = GRAPHS * GRAPHS; k-- > 0;) {
        const struct sepx_graph *a = &w->graph[k % GRAPHS];
        const struct sepx_graph *b = &w->graph[k / GRAPHS];
        struct sepx_event event;

        if (a == b)
            continue;
        assert_int_equal(sepx_event_of_pair(&event, ged, &w->optimum, a, b),
                         SEPX_OK);
        assert_int_equal(sepx_events_add(&single, &event), SEPX_OK);
    }
    assert_int_equal(single.count, all.count);
    for (size_t k = 0; k < all.count; k++)
        assert_memory_equal(&single.at[k], &all.at[k], sizeof *all.at);
    sepx_events_release(&single);
    sepx_events_release(&all);
    sepx_ged_free(ged);
}

static void
test_a_failed_addition_changes_nothing(void **state)
{
    struct sepx_event one = {7, {9, 9, 9}, 4, 4, 1}, other = one;
    struct sepx_events events = {0};
    uint64_t sum = 0;

    (void)state;
    for (uint32_t i = 0; i < 100; i++) {
        size_t before = events.count;

        other.d_opt = 100 - i;
        fault_after(0);
        if (sepx_events_add(&events, &other) == SEPX_ENOMEM) {
            assert_int_equal(events.count, before);
            fault_stop();
            assert_int_equal(sepx_events_add(&events, &other), SEPX_OK);
        }
        fault_stop();
        assert_int_equal(sepx_events_add(&events, &one), SEPX_OK);
    }
    for (size_t k = 0; k < events.count; k++) {
        assert_true(!k || events.at[k - 1].d_opt < events.at[k].d_opt);
        sum += events.at[k].count;
    }
    assert_true(events.count == 100 && sum == 200);
    sepx_events_release(&events);
}

static void
test_verdict_adds_up(void **state)
{
    struct sepx_event at[] = {
        {7, {9, 9, 9}, 0, 4, 5},  /* solved */
        {7, {9, 9, 9}, 4, 0, 7},  /* equal parents: mutation is ahead */
        {7, {9, 9, 9}, 4, 4, 11}, /* 0.375 against 0.039 */
        {7, {9, 9, 9}, 1, 10, 13} /* 0.0009 against 0.0089 */
    };
    struct sepx_events events = {.at = at, .count = 4};
    struct sepx_theory setting = {.n = 1};
    struct sepx_assessment got;

    (void)state;
    assert_int_equal(sepx_events_assess(&got, &events, &setting, NULL),
                     SEPX_OK);
    assert_true(got.pairs == 36 && got.solved == 5 && got.equal == 7);
    assert_true(got.ahead == 11 && got.largest[SEPX_BOUND_SEPX] == 11);
    assert_true(got.largest[SEPX_BOUND_MUTA] == 20);
    assert_true(got.largest[SEPX_BOUND_STDX] == 0);
    assert_true(got.mean[SEPX_BOUND_SEPX] > 11 * 0.375 / 36 &&
                got.mean[SEPX_BOUND_SEPX] < 11 * 0.38 / 36);
}

static void
test_bad_populations_are_refused(void **state)
{
    struct world *w = *state;
    struct sepx_events events = {0};
    struct sepx_msg msg = {0};

    assert_int_equal(
        sepx_events_of_population(&events, w->graph, 1, &w->optimum, 1, &msg),
        SEPX_EINVAL);
    assert_string_equal(msg.text,
                        "a population needs two graphs or more; got 1");
    assert_int_equal(sepx_events_of_population(&events, w->graph, 2049,
                                               &w->optimum, 1, &msg),
                     SEPX_ELIMIT);
}

static void
test_every_allocation_may_fail(void **state)
{
    struct world *w = *state;

    EACH_FAULT (fault) {
        struct sepx_events events = {0};

        fault.err = sepx_events_of_population(&events, w->graph, 4, &w->optimum,
                                              1, NULL);
        sepx_events_release(&events);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_ordered_pair_is_counted_once),
        cmocka_unit_test(test_single_pairs_make_the_same_table),
        cmocka_unit_test(test_a_failed_addition_changes_nothing),
        cmocka_unit_test(test_verdict_adds_up),
        cmocka_unit_test(test_bad_populations_are_refused),
        cmocka_unit_test(test_every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
