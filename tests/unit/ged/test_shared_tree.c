/* SPDX-License-Identifier: Apache-2.0 */
/* One pair on several threads: the answer of one thread, to the last byte. */
#include "unit/check.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include "oracle/oracle_draw.h"
#include "sepx/ged.h"
#include "unit/rounds.h"

#define SEED 20261119
#define NODES 20

/* Costs that leave the pair to the split bound from the start. */
static const struct sepx_costs costs = {.node_insert = 1,
                                        .node_delete = 1,
                                        .node_relabel = 1,
                                        .edge_insert = 1,
                                        .edge_delete = 1,
                                        .edge_relabel = 0.5};

struct pair {
    struct sepx_names *names;
    struct sepx_graph a, b;
    struct sepx_ged *ged;
    struct sepx_ged_graph *ready_a, *ready_b;
};

static void
open_pair(struct pair *p, uint32_t trial)
{
    const struct sepx_ged_options options = {.costs = &costs};
    const struct draw_options draw = {
        .n_nodes = NODES, .node_labels = 3, .density = 0.25, .acyclic = true};
    struct sepx_rng rng;

    *p = (struct pair){.names = sepx_names_new()};
    assert_non_null(p->names);
    sepx_rng_init(&rng, SEED, 1, trial, 0);
    draw_graph(&p->a, p->names, &draw, &rng);
    draw_graph(&p->b, p->names, &draw, &rng);
    assert_int_equal(sepx_ged_new(&p->ged, &options), SEPX_OK);
    assert_int_equal(sepx_ged_prepare(p->ged, &p->ready_a, &p->a), SEPX_OK);
    assert_int_equal(sepx_ged_prepare(p->ged, &p->ready_b, &p->b), SEPX_OK);
}

static void
close_pair(struct pair *p)
{
    sepx_ged_graph_free(p->ready_a);
    sepx_ged_graph_free(p->ready_b);
    sepx_ged_free(p->ged);
    sepx_graph_release(&p->a);
    sepx_graph_release(&p->b);
    sepx_names_free(p->names);
}

static void
test_threads_do_not_change_the_answer(void **state)
{
    (void)state;
    for (uint32_t trial = 0; trial < rounds(2); trial++) {
        struct sepx_ged_result one, many;
        int16_t map[NODES];
        struct pair p;

        open_pair(&p, trial);
        assert_int_equal(sepx_ged_run(p.ged, &one, p.ready_a, p.ready_b, NULL),
                         SEPX_OK);
        memcpy(map, one.map, sizeof map);
        print_message("trial %" PRIu32 ": %g, %" PRIu64 " nodes\n", trial,
                      one.upper, one.nodes);
        for (unsigned threads = 2; threads <= 5; threads += 3) {
            const struct sepx_ged_limits limits = {.threads = threads};

            assert_int_equal(
                sepx_ged_run(p.ged, &many, p.ready_a, p.ready_b, &limits),
                SEPX_OK);
            CHECK(many.exact && many.upper == one.upper &&
                      many.nodes == one.nodes &&
                      !memcmp(many.map, map, sizeof map),
                  "seed %d trial %" PRIu32 ": %u threads, %g with %" PRIu64
                  " nodes, not %g with %" PRIu64,
                  SEED, trial, threads, many.upper, many.nodes, one.upper,
                  one.nodes);
        }
        close_pair(&p);
    }
}

struct patience {
    unsigned calls, most;
};

static bool
lose_patience(void *context, double lower, double upper)
{
    struct patience *p = context;

    assert_true(lower <= upper);
    return ++p->calls < p->most;
}

static void
test_threads_are_stopped(void **state)
{
    struct pair p;

    (void)state;
    open_pair(&p, 0);
    for (unsigned most = 1; most < 12; most += 3) {
        struct patience patience = {.most = most};
        const struct sepx_ged_limits limits = {
            .threads = 3, .watch = lose_patience, .context = &patience};
        struct sepx_ged_result result;
        double cost;

        assert_int_equal(
            sepx_ged_run(p.ged, &result, p.ready_a, p.ready_b, &limits),
            SEPX_OK);
        assert_true(result.exact || result.stopped);
        assert_true(result.lower <= result.upper);
        assert_int_equal(
            sepx_ged_map_cost(p.ged, &cost, p.ready_a, p.ready_b, result.map),
            SEPX_OK);
        assert_true(cost == result.upper);
    }
    for (unsigned k = 1; k <= 3; k++) {
        const struct sepx_ged_limits limits = {.threads = 2,
                                               .seconds = 0.04 * k};
        struct sepx_ged_result result;

        assert_int_equal(
            sepx_ged_run(p.ged, &result, p.ready_a, p.ready_b, &limits),
            SEPX_OK);
        assert_true(result.lower <= result.upper);
    }
    close_pair(&p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads_do_not_change_the_answer),
        cmocka_unit_test(test_threads_are_stopped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
