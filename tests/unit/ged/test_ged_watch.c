/* SPDX-License-Identifier: Apache-2.0 */
/* Distances that are watched while they are searched for, and stopped. */
#include "unit/check.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>

#include "ged/internal.h"
#include "oracle/oracle_draw.h"
#include "unit/faults.h"

#define SEED 20230723
#define MULTI_NODES 20
#define MULTI_LABELS 400 /* so that hardly two bundles are equal */

struct fixture {
    struct sepx_names *names;
    struct sepx_graph a, b;
    struct sepx_ged *ged;
    struct sepx_ged_graph *ready_a, *ready_b;
};

/* One pair for each way to a distance, all too hard to be solved here. */
static const struct pair {
    const char *tier;
    uint32_t n;
    double density;
    bool other_costs;
} pairs[] = {
    {"row_search.c, once", 16, 0.4, false},
    {"row_search.c, deepening", 48, 0.15, false},
    {"row_search.c, widest", 250, 0.008, false},
    {"split.c, other costs", 24, 0.3, true},
    {"split.c, large", 1500, 0.02, false},
    {"split.c, without tabu search", 3000, 0.01, false},
};
#define N_PAIRS (sizeof pairs / sizeof *pairs)

static void
open_fixture(struct fixture *f, const struct pair *pair, uint32_t trial)
{
    const struct sepx_costs costs = {.node_insert = 1.5,
                                     .node_delete = 1,
                                     .node_relabel = 1,
                                     .edge_insert = 1,
                                     .edge_delete = 1.25,
                                     .edge_relabel = 1};
    const struct sepx_ged_options options = {.costs = pair->other_costs ? &costs
                                                                        : NULL};
    const struct draw_options draw = {
        .n_nodes = pair->n, .node_labels = 1, .density = pair->density};
    struct sepx_rng rng;

    *f = (struct fixture){.names = sepx_names_new()};
    assert_non_null(f->names);
    sepx_rng_init(&rng, SEED, 1, trial, 0);
    draw_graph(&f->a, f->names, &draw, &rng);
    draw_graph(&f->b, f->names, &draw, &rng);
    assert_int_equal(sepx_ged_new(&f->ged, &options), SEPX_OK);
    assert_int_equal(sepx_ged_prepare(f->ged, &f->ready_a, &f->a), SEPX_OK);
    assert_int_equal(sepx_ged_prepare(f->ged, &f->ready_b, &f->b), SEPX_OK);
}

static void
close_fixture(struct fixture *f)
{
    sepx_ged_graph_free(f->ready_a);
    sepx_ged_graph_free(f->ready_b);
    sepx_ged_free(f->ged);
    sepx_graph_release(&f->a);
    sepx_graph_release(&f->b);
    sepx_names_free(f->names);
}

struct watcher {
    atomic_uint calls;
    unsigned most; /* calls, after which it ends the search; 0: never */
    double lower, upper, last, longest;
    bool worse; /* a bound that was told was worse than one before */
};

static bool
count_call(void *context, double lower, double upper)
{
    struct watcher *w = context;
    const unsigned calls = ++w->calls;

    (void)lower;
    (void)upper;
    return calls != w->most;
}

static bool
follow(void *context, double lower, double upper)
{
    struct watcher *w = context;
    const double now = sepx_clock();

    w->worse |= lower < w->lower || upper > w->upper || lower > upper;
    w->lower = lower;
    w->upper = upper;
    w->longest = fmax(w->longest, now - w->last);
    w->last = now;
    return count_call(context, lower, upper);
}

static void
test_every_tier_is_watched_and_stops(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < N_PAIRS; k++) {
        struct watcher w = {.most = 8, .upper = INFINITY, .last = sepx_clock()};
        const struct sepx_ged_limits limits = {.watch = follow, .context = &w};
        struct sepx_ged_result result;
        struct fixture f;
        double cost;

        open_fixture(&f, &pairs[k], k);
        w.last = sepx_clock();
        assert_int_equal(
            sepx_ged_run(f.ged, &result, f.ready_a, f.ready_b, &limits),
            SEPX_OK);
        CHECK(w.calls == w.most && !w.worse, "%s: %u calls", pairs[k].tier,
              (unsigned)w.calls);
        CHECK(result.stopped && !result.exact, "%s", pairs[k].tier);
        CHECK(result.lower >= w.lower && result.upper <= w.upper,
              "%s: %g..%g, told %g..%g", pairs[k].tier, result.lower,
              result.upper, w.lower, w.upper);
        assert_int_equal(
            sepx_ged_map_cost(f.ged, &cost, f.ready_a, f.ready_b, result.map),
            SEPX_OK);
        CHECK(cost == result.upper, "%s: %g", pairs[k].tier, cost);
        print_message("%s: %.3f s between calls\n", pairs[k].tier, w.longest);
        /* promised are 0.1 s; a busy machine and sanitizers are slower */
        CHECK(w.longest < 20 && sepx_clock() - w.last < 20, "%s: %g s",
              pairs[k].tier, w.longest);
        close_fixture(&f);
    }
}

static void
test_a_watcher_changes_nothing(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 40; k++) {
        const struct pair pair = {"", 6 + k % 5, 0.3, k % 2};
        struct watcher w = {.upper = INFINITY};
        const struct sepx_ged_limits limits = {.watch = follow, .context = &w};
        struct sepx_ged_result plain, watched;
        struct fixture f;

        open_fixture(&f, &pair, k);
        assert_int_equal(
            sepx_ged_run(f.ged, &plain, f.ready_a, f.ready_b, NULL), SEPX_OK);
        assert_int_equal(
            sepx_ged_run(f.ged, &watched, f.ready_a, f.ready_b, &limits),
            SEPX_OK);
        CHECK(watched.exact && !watched.stopped && !w.worse, "trial %" PRIu32,
              k);
        CHECK(watched.upper == plain.upper && watched.nodes == plain.nodes,
              "trial %" PRIu32, k);
        /* each better map is told, so the last one told is the optimum */
        CHECK(w.upper == plain.upper, "trial %" PRIu32 ": %g, told %g", k,
              plain.upper, w.upper);
        close_fixture(&f);
    }
}

/* 12 nodes without edges have 12! optimal maps. */
static void
test_enumeration_is_stopped(void **state)
{
    (void)state;
    for (unsigned other = 0; other < 2; other++) {
        const struct pair pair = {"", 12, 0, other};
        struct watcher w = {.most = 3};
        const struct sepx_ged_limits limits = {.watch = count_call,
                                               .context = &w};
        struct sepx_ged_result result;
        struct sepx_rng rng;
        struct fixture f;
        uint64_t count;

        open_fixture(&f, &pair, other);
        assert_int_equal(sepx_ged_optima(f.ged, &count, f.ready_a, f.ready_b,
                                         &limits, NULL, NULL),
                         SEPX_ESTOPPED);
        assert_int_equal(w.calls, w.most);
        w.calls = 0;
        sepx_rng_init(&rng, SEED, 2, other, 0);
        assert_int_equal(sepx_ged_random(f.ged, &result, f.ready_a, f.ready_b,
                                         &limits, 0, &rng),
                         SEPX_ESTOPPED);
        assert_int_equal(w.calls, w.most);
        close_fixture(&f);
    }
}

static void
test_a_node_limit_leaves_a_random_map(void **state)
{
    const struct pair pair = {"", 12, 0, false};
    const struct sepx_ged_limits limits = {.nodes = 100};
    struct sepx_ged_result result;
    struct sepx_rng rng;
    struct fixture f;
    double cost;

    (void)state;
    open_fixture(&f, &pair, 0);
    sepx_rng_init(&rng, SEED, 3, 0, 0);
    assert_int_equal(
        sepx_ged_random(f.ged, &result, f.ready_a, f.ready_b, &limits, 0, &rng),
        SEPX_OK);
    assert_true(result.exact && result.upper == 0);
    assert_int_equal(
        sepx_ged_map_cost(f.ged, &cost, f.ready_a, f.ready_b, result.map),
        SEPX_OK);
    assert_true(cost == 0);
    close_fixture(&f);
}

static void
test_a_matrix_is_stopped_inside_a_pair(void **state)
{
    struct watcher w = {.most = 5};
    const struct sepx_ged_limits limits = {.watch = count_call, .context = &w};
    struct sepx_ged_bounds out[4];
    struct sepx_graph both[2];
    struct fixture f;

    (void)state;
    open_fixture(&f, &pairs[1], 0);
    both[0] = f.a;
    both[1] = f.b;
    assert_int_equal(
        sepx_ged_matrix(NULL, out, both, 2, &limits, 2, NULL, NULL),
        SEPX_ESTOPPED);
    assert_int_equal(w.calls, w.most);
    close_fixture(&f);
}

/* ---- parallel edges ---- */

static void
add_labels(struct sepx_names *names)
{
    for (unsigned k = 0; k < MULTI_LABELS; k++) {
        char text[16];
        uint16_t id;

        (void)snprintf(text, sizeof text, "e%u", k);
        assert_int_equal(sepx_names_add(names, &id, text), SEPX_OK);
        assert_int_equal(id, k + 1);
    }
}

/* Two edges from each node to each other. */
static void
open_bundles(struct fixture *f, bool table)
{
    const struct sepx_relabel_cost row = {1, 2, 0.5};
    const struct sepx_costs costs = {SEPX_UNIT_COSTS, .edge_table = &row,
                                     .n_edge_table = 1};
    const struct sepx_ged_options options = {.costs = table ? &costs : NULL};
    struct sepx_graph *const both[] = {&f->a, &f->b};
    struct sepx_rng rng;

    *f = (struct fixture){.names = sepx_names_new()};
    assert_non_null(f->names);
    add_labels(f->names);
    sepx_rng_init(&rng, SEED, 4, table, 0);
    for (unsigned x = 0; x < 2; x++) {
        both[x]->names = f->names;
        for (unsigned i = 0; i < MULTI_NODES; i++)
            assert_int_equal(sepx_graph_add_node(both[x], 1), SEPX_OK);
        for (unsigned e = 0; e < 2 * MULTI_NODES * MULTI_NODES; e++) {
            const unsigned i = e / 2 / MULTI_NODES, k = e / 2 % MULTI_NODES;
            const uint16_t label =
                (uint16_t)(1 + sepx_rng_below(&rng, MULTI_LABELS));

            if (i != k)
                assert_int_equal(sepx_graph_add_parallel(both[x], i, k, label),
                                 SEPX_OK);
        }
    }
    assert_int_equal(sepx_ged_new(&f->ged, &options), SEPX_OK);
    assert_int_equal(sepx_ged_prepare(f->ged, &f->ready_a, &f->a), SEPX_OK);
    assert_int_equal(sepx_ged_prepare(f->ged, &f->ready_b, &f->b), SEPX_OK);
}

/* Some 140,000 pairs of bundles, of which a stopped search needs hundreds. */
static void
test_few_bundles_are_matched_for_a_stopped_search(void **state)
{
    (void)state;
    for (unsigned table = 0; table < 2; table++) {
        struct watcher w = {.most = 1};
        const struct sepx_ged_limits limits = {.watch = count_call,
                                               .context = &w};
        struct sepx_ged_result result;
        struct fixture f;
        double cost;

        open_bundles(&f, table);
        fault_after(1000);
        assert_int_equal(
            sepx_ged_run(f.ged, &result, f.ready_a, f.ready_b, &limits),
            SEPX_OK);
        fault_stop();
        assert_true(result.stopped && !result.exact);
        assert_int_equal(w.calls, 1);
        assert_int_equal(
            sepx_ged_map_cost(f.ged, &cost, f.ready_a, f.ready_b, result.map),
            SEPX_OK);
        CHECK(cost == result.upper, "%g, not %g", cost, result.upper);
        /* each node on the one of its number: all edges are relabelled */
        CHECK(result.upper <= 2 * MULTI_NODES * (MULTI_NODES - 1), "%g",
              result.upper);
        close_fixture(&f);
    }
}

/* The bundles of a fixture, and a task that its first call ends. */
struct bundled {
    struct ged_bundles bundles;
    struct ged_costs costs;
    struct sepx_ged_graph *a, *b;
    struct watcher watcher;
    struct ged_watch watch;
    struct ged_task task;
};

static void
bundle(struct bundled *to, const struct fixture *f)
{
    *to = (struct bundled){.costs = f->ged->costs, .watcher = {.most = 1}};
    assert_int_equal(sepx__ged_bundle(f->ged, &to->costs, &to->bundles, &to->a,
                                      &to->b, f->ready_a, f->ready_b),
                     SEPX_OK);
    to->costs.bundles = &to->bundles;
    to->watch = (struct ged_watch){.call = count_call, .context = &to->watcher};
    to->task = (struct ged_task){.a = to->a,
                                 .b = to->b,
                                 .costs = &to->costs,
                                 .watch = &to->watch,
                                 .upper = GED_UNKNOWN};
}

static void
unbundle(struct bundled *to)
{
    sepx_ged_graph_free(to->a);
    sepx_ged_graph_free(to->b);
    sepx__ged_bundles_release(&to->bundles);
}

/* Pairs of bundles are matched until the watch is polled first. */
static void
test_matching_of_bundles_is_watched(void **state)
{
    (void)state;
    for (unsigned table = 0; table < 2; table++) {
        struct fixture f;
        struct bundled x;
        size_t cells, known = 0;

        open_bundles(&f, table);
        bundle(&x, &f);
        cells = (size_t)x.a->n_codes * x.b->n_codes;
        assert_false(sepx__ged_match_bundles(&x.task));
        assert_int_equal(x.watcher.calls, 1);
        for (size_t k = 0; k < cells; k++)
            known += x.bundles.saved[k] != 0;
        CHECK(known > 0 && known < cells / 10, "%zu of %zu", known, cells);
        /* without limits the rest follows */
        x.watch = (struct ged_watch){0};
        assert_true(sepx__ged_match_bundles(&x.task));
        for (size_t k = 0; k < cells; k++)
            assert_true(x.bundles.saved[k] != 0);
        unbundle(&x);
        close_fixture(&f);
    }
}

/* Two bags of hundreds of labels take long by themselves. */
static void
watch_one_matching(bool table)
{
    const struct sepx_relabel_cost row = {1, 2, 0.5};
    const struct sepx_costs costs = {SEPX_UNIT_COSTS, .edge_table = &row,
                                     .n_edge_table = 1};
    const struct sepx_ged_options options = {.costs = table ? &costs : NULL};
    struct fixture f = {.names = sepx_names_new()};
    struct bundled x;
    int64_t saved;

    f.a.names = f.b.names = f.names;
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(sepx_graph_add_node(&f.a, 0), SEPX_OK);
        assert_int_equal(sepx_graph_add_node(&f.b, 0), SEPX_OK);
    }
    for (unsigned k = 0; k < MULTI_LABELS; k++) {
        char text[8];
        uint16_t id;

        (void)snprintf(text, sizeof text, "e%u", k);
        assert_int_equal(sepx_names_add(f.names, &id, text), SEPX_OK);
        assert_int_equal(sepx_graph_add_parallel(&f.a, 0, 1, id), SEPX_OK);
        assert_int_equal(sepx_graph_add_parallel(&f.b, 0, 1, id), SEPX_OK);
    }
    assert_int_equal(sepx_ged_new(&f.ged, &options), SEPX_OK);
    assert_int_equal(sepx_ged_prepare(f.ged, &f.ready_a, &f.a), SEPX_OK);
    assert_int_equal(sepx_ged_prepare(f.ged, &f.ready_b, &f.b), SEPX_OK);
    bundle(&x, &f);
    x.bundles.bags->task = &x.task;
    saved = sepx__ged_saved(&x.costs, x.a->code[0], x.b->code[0]);
    assert_true(x.bundles.bags->cut);
    assert_int_equal(x.watcher.calls, 1);
    /* without limits it is more */
    x.bundles.bags->task = NULL;
    x.bundles.bags->cut = false;
    CHECK(saved < sepx__ged_saved(&x.costs, x.a->code[0], x.b->code[0]),
          "%" PRId64, saved);
    unbundle(&x);
    close_fixture(&f);
}

static void
test_one_large_matching_is_watched(void **state)
{
    (void)state;
    watch_one_matching(false);
    watch_one_matching(true);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_tier_is_watched_and_stops),
        cmocka_unit_test(test_a_watcher_changes_nothing),
        cmocka_unit_test(test_enumeration_is_stopped),
        cmocka_unit_test(test_a_node_limit_leaves_a_random_map),
        cmocka_unit_test(test_a_matrix_is_stopped_inside_a_pair),
        cmocka_unit_test(test_few_bundles_are_matched_for_a_stopped_search),
        cmocka_unit_test(test_matching_of_bundles_is_watched),
        cmocka_unit_test(test_one_large_matching_is_watched),
    };

    print_message("seed %d\n", SEED);
    return cmocka_run_group_tests_name("ged_watch", tests, NULL, NULL);
}
