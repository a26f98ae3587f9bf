/* SPDX-License-Identifier: Apache-2.0 */
/* Maps of searches that ran out of nodes. */
#include "check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "faults.h"
#include "oracle/oracle_draw.h"
#include "sepx/ged.h"

#define SEED 20250711
#define NODES 40

struct fixture {
    struct sepx_names *names;
    struct sepx_graph a, b;
    struct sepx_ged *ged;
    struct sepx_ged_graph *x, *y;
    uint16_t pinned[2];
    struct sepx_rng rng;
};

/* Two graphs that have nothing to do with each other. */
static void
open_pair(struct fixture *f, uint32_t trial, double density)
{
    struct draw_options draw = {
        .node_labels = 3, .edge_labels = trial % 3, .density = density};
    struct sepx_ged_options options = {.pinned = f->pinned,
                                       .n_pinned = trial % 3};

    *f = (struct fixture){.names = sepx_names_new()};
    sepx_rng_init(&f->rng, SEED, 0, trial, 0);
    assert_int_equal(sepx_names_add(f->names, &f->pinned[0], "n0"), SEPX_OK);
    assert_int_equal(sepx_names_add(f->names, &f->pinned[1], "n1"), SEPX_OK);
    draw.n_nodes = 25 + trial % 5;
    draw_graph(&f->a, f->names, &draw, &f->rng);
    draw.n_nodes = 24 + trial % 7;
    draw_graph(&f->b, f->names, &draw, &f->rng);
    assert_int_equal(sepx_ged_new(&f->ged, &options), SEPX_OK);
    assert_int_equal(sepx_ged_prepare(f->ged, &f->x, &f->a), SEPX_OK);
    assert_int_equal(sepx_ged_prepare(f->ged, &f->y, &f->b), SEPX_OK);
}

static void
close_pair(struct fixture *f)
{
    sepx_ged_graph_free(f->x);
    sepx_ged_graph_free(f->y);
    sepx_ged_free(f->ged);
    sepx_graph_release(&f->a);
    sepx_graph_release(&f->b);
    sepx_names_free(f->names);
}

static struct sepx_ged_result
run(struct fixture *f, uint64_t nodes)
{
    const struct sepx_ged_limits limits = {.nodes = nodes};
    struct sepx_ged_result result;

    assert_int_equal(sepx_ged_run(f->ged, &result, f->x, f->y, &limits),
                     SEPX_OK);
    return result;
}

/* The cost of a map, or infinite if pinned labels forbid it. */
static double
cost_of(struct fixture *f, const int16_t *map)
{
    double cost = 1e9;

    (void)!sepx_ged_map_cost(f->ged, &cost, f->x, f->y, map);
    return cost;
}

static void
test_no_exchange_of_two_images_is_cheaper(void **state)
{
    (void)state;
    for (uint32_t trial = 0; trial < 12; trial++) {
        struct fixture f;
        struct sepx_ged_result result;
        int16_t map[NODES];

        open_pair(&f, trial, trial % 2 ? 0.1 : 0.5);
        result = run(&f, 500);
        assert_false(result.exact);
        memcpy(map, result.map, f.a.n_nodes * sizeof *map);
        CHECK(cost_of(&f, map) == result.upper, "seed %u, trial %" PRIu32, SEED,
              trial);
        for (uint32_t i = 0; i < f.a.n_nodes; i++)
            for (uint32_t j = 0; j < i; j++) {
                const int16_t was = map[i];

                map[i] = map[j];
                map[j] = was;
                CHECK(cost_of(&f, map) >= result.upper,
                      "seed %u, trial %" PRIu32 ": nodes %u and %u", SEED,
                      trial, i, j);
                map[j] = map[i];
                map[i] = was;
            }
        close_pair(&f);
    }
}

static void
test_the_bounds_are_proven_and_repeat(void **state)
{
    (void)state;
    for (uint32_t trial = 0; trial < 12; trial++) {
        struct fixture f;
        struct sepx_ged_result first, second, more;
        int16_t map[NODES];

        open_pair(&f, trial, 0.1);
        first = run(&f, 100);
        memcpy(map, first.map, f.a.n_nodes * sizeof *map);
        second = run(&f, 100);
        assert_memory_equal(map, second.map, f.a.n_nodes * sizeof *map);
        assert_true(first.lower == second.lower && first.upper == second.upper);
        more = run(&f, 5000);
        CHECK(more.lower >= first.lower && more.lower <= first.upper &&
                  more.upper >= first.lower,
              "trial %" PRIu32 ": %g..%g, then %g..%g", trial, first.lower,
              first.upper, more.lower, more.upper);
        close_pair(&f);
    }
}

/* Far beyond the 127 edits that the fast search can count. */
static void
test_dense_pairs_have_a_map_as_well(void **state)
{
    struct fixture f;
    struct sepx_ged_result result;

    (void)state;
    open_pair(&f, 1, 0.7);
    result = run(&f, 100);
    CHECK(cost_of(&f, result.map) == result.upper, "%g", result.upper);
    assert_int_equal(result.end, SEPX_GED_NODES);
    close_pair(&f);
}

static void
test_each_allocation_may_fail(void **state)
{
    const struct sepx_ged_limits limits = {.nodes = 20};
    struct fixture f;

    (void)state;
    open_pair(&f, 1, 0.3);
    EACH_FAULT (fault) {
        struct sepx_ged_result result;
        struct sepx_ged *ged;

        fault.err = sepx_ged_new(&ged, &(struct sepx_ged_options){0});
        if (!fault.err)
            fault.err = sepx_ged_between(ged, &result, &f.a, &f.b, &limits);
        sepx_ged_free(ged);
    }
    close_pair(&f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_exchange_of_two_images_is_cheaper),
        cmocka_unit_test(test_the_bounds_are_proven_and_repeat),
        cmocka_unit_test(test_dense_pairs_have_a_map_as_well),
        cmocka_unit_test(test_each_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
