/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Distances with roots, with a map to start from, and between 0 and 1.
 * Judged by the cost of every map that has the roots.
 */
#include "unit/check.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "oracle/oracle_draw.h"
#include "sepx/ged.h"
#include "unit/faults.h"

#define SEED 20261119
#define N_MAX 5

/* A pair of small graphs, with options and roots. */
struct drawn {
    struct sepx_names *names;
    struct sepx_graph a, b;
    struct sepx_costs costs;
    struct sepx_ged_options options;
    uint16_t pinned;
    struct sepx_ged_root root[N_MAX];
    size_t n_roots;
};

static void
draw(struct drawn *d, uint32_t trial)
{
    static const double cost[] = {0, 0.5, 1, 3};
    struct sepx_rng rng;
    uint32_t order[2][N_MAX];

    sepx_rng_init(&rng, SEED, 0, trial, 0);
    *d = (struct drawn){.names = sepx_names_new()};
    for (unsigned side = 0; side < 2; side++) {
        const struct draw_options options = {
            .n_nodes = 1 + sepx_rng_below(&rng, N_MAX),
            .node_labels = 3,
            .edge_labels = trial % 3,
            .density = 0.4,
        };
        const struct draw_kind kind = {.undirected = trial % 2,
                                       .loops = trial % 5 ? 0 : 0.3};
        struct sepx_graph *graph = side ? &d->b : &d->a;

        graph->names = d->names;
        draw_any_graph(graph, d->names, &options, &kind, &rng);
        draw_order(order[side], graph->n_nodes, &rng);
    }
    d->costs = (struct sepx_costs){.node_insert = 1,
                                   .node_delete = 1,
                                   .node_relabel = cost[trial % 4],
                                   .edge_insert = 1,
                                   .edge_delete = cost[trial / 4 % 4],
                                   .edge_relabel = 1};
    if (trial % 7 > 2)
        d->options.costs = &d->costs;
    d->options.ignore_labels = trial % 11 == 0;
    d->pinned = (uint16_t)sepx_names_find(d->names, "n0");
    d->options.pinned = &d->pinned;
    d->options.n_pinned = trial % 13 == 0;
    d->n_roots = sepx_rng_below(&rng, 3);
    if (d->n_roots > d->a.n_nodes)
        d->n_roots = d->a.n_nodes;
    if (d->n_roots > d->b.n_nodes)
        d->n_roots = d->b.n_nodes;
    for (size_t x = 0; x < d->n_roots; x++) {
        d->root[x].a = (uint16_t)order[0][x];
        d->root[x].b = (uint16_t)order[1][x];
    }
}

static void
end(struct drawn *d)
{
    sepx_graph_release(&d->a);
    sepx_graph_release(&d->b);
    sepx_names_free(d->names);
}

/* ---- every map with the roots ---- */

struct judge {
    const struct drawn *d;
    struct sepx_ged *ged;
    struct sepx_ged_graph *a, *b;
    int16_t map[N_MAX + 1];
    bool used[N_MAX];
    double best;
    uint64_t maps;
};

static bool
has_roots(const struct judge *j)
{
    for (size_t x = 0; x < j->d->n_roots; x++)
        if (j->map[j->d->root[x].a] != (int16_t)j->d->root[x].b)
            return false;
    return true;
}

static void
try_all(struct judge *j, uint32_t i)
{
    double cost;

    if (i < j->d->a.n_nodes) {
        j->map[i] = SEPX_NONE;
        try_all(j, i + 1);
        for (uint32_t k = 0; k < j->d->b.n_nodes; k++) {
            if (j->used[k])
                continue;
            j->map[i] = (int16_t)k;
            j->used[k] = true;
            try_all(j, i + 1);
            j->used[k] = false;
        }
        j->map[i] = SEPX_NONE;
        return;
    }
    if (!has_roots(j) || sepx_ged_map_cost(j->ged, &cost, j->a, j->b, j->map))
        return;
    if (fabs(cost - j->best) < 1e-9) {
        j->maps++;
    } else if (cost < j->best) {
        j->best = cost;
        j->maps = 1;
    }
}

static void
judge_all(struct judge *j, const struct drawn *d)
{
    *j = (struct judge){.d = d, .best = INFINITY};
    assert_int_equal(sepx_ged_new(&j->ged, &d->options), SEPX_OK);
    assert_int_equal(sepx_ged_prepare(j->ged, &j->a, &d->a), SEPX_OK);
    assert_int_equal(sepx_ged_prepare(j->ged, &j->b, &d->b), SEPX_OK);
    try_all(j, 0);
}

static void
judge_end(struct judge *j)
{
    sepx_ged_graph_free(j->a);
    sepx_ged_graph_free(j->b);
    sepx_ged_free(j->ged);
}

/* ---- tests ---- */

static bool
go_on(void *context, const int16_t *map)
{
    (void)context;
    (void)map;
    return true;
}

static void
test_rooted_distance_is_that_of_all_maps(void **state)
{
    unsigned rooted = 0, impossible = 0;

    (void)state;
    for (uint32_t trial = 0; trial < 1500; trial++) {
        struct sepx_ged_graph *a, *b;
        struct sepx_ged_result result;
        struct sepx_ged *ged;
        struct judge judge;
        struct drawn d;
        uint64_t maps = 0;
        double price;
        enum sepx_err err;

        draw(&d, trial);
        judge_all(&judge, &d);
        err = sepx_ged_new_rooted(&ged, &a, &b, &d.options, &d.a, &d.b, d.root,
                                  d.n_roots);
        if (!isfinite(judge.best)) {
            assert_int_equal(err, SEPX_EINVAL);
            impossible++;
        } else {
            struct sepx_ged_limits limits = {.threshold = true,
                                             .at_most = judge.best - 0.25};

            assert_int_equal(err, SEPX_OK);
            rooted += d.n_roots > 0;
            assert_int_equal(sepx_ged_run(ged, &result, a, b, NULL), SEPX_OK);
            CHECK(result.exact && fabs(result.upper - judge.best) < 1e-9,
                  "seed %d trial %" PRIu32 ": %g, not %g", SEED, trial,
                  result.upper, judge.best);
            assert_int_equal(sepx_ged_map_cost(ged, &price, a, b, result.map),
                             SEPX_OK);
            CHECK(fabs(price - judge.best) < 1e-9, "trial %" PRIu32 ": %g",
                  trial, price);
            memcpy(judge.map, result.map, d.a.n_nodes * sizeof *judge.map);
            CHECK(has_roots(&judge), "trial %" PRIu32, trial);
            assert_int_equal(sepx_ged_run(ged, &result, a, b, &limits),
                             SEPX_OK);
            CHECK(result.lower > limits.at_most, "trial %" PRIu32, trial);
            assert_int_equal(
                sepx_ged_optima(ged, &maps, a, b, NULL, go_on, NULL), SEPX_OK);
            /* with edits for nothing, leaving nodes over is another map */
            if (d.options.costs == NULL)
                CHECK(maps == judge.maps,
                      "trial %" PRIu32 ": %" PRIu64 " maps, not %" PRIu64,
                      trial, maps, judge.maps);
            sepx_ged_graph_free(a);
            sepx_ged_graph_free(b);
            sepx_ged_free(ged);
        }
        judge_end(&judge);
        end(&d);
    }
    assert_true(rooted > 500 && impossible > 5);
}

/* No search at all leaves the map that it began with. */
static void
test_a_start_is_never_lost(void **state)
{
    struct sepx_names *names = sepx_names_new();
    struct sepx_graph a = {.names = names}, b = {.names = names};

    (void)state;
    for (uint32_t trial = 0; trial < 40; trial++) {
        const struct draw_options options = {
            .n_nodes = 12, .node_labels = 3, .density = 0.25};
        const struct sepx_ged_limits limits = {.nodes = 1};
        struct sepx_ged_graph *ready_a, *ready_b;
        struct sepx_ged_result result;
        int16_t best[12];
        struct sepx_rng rng;
        struct sepx_ged *ged;
        double distance;

        sepx_rng_init(&rng, SEED, 1, trial, 0);
        draw_graph(&a, names, &options, &rng);
        draw_graph(&b, names, &options, &rng);
        assert_int_equal(sepx_ged_new(&ged, NULL), SEPX_OK);
        assert_int_equal(sepx_ged_prepare(ged, &ready_a, &a), SEPX_OK);
        assert_int_equal(sepx_ged_prepare(ged, &ready_b, &b), SEPX_OK);
        assert_int_equal(sepx_ged_run(ged, &result, ready_a, ready_b, NULL),
                         SEPX_OK);
        distance = result.upper;
        memcpy(best, result.map, sizeof best);
        assert_int_equal(sepx_ged_start(ged, best, 12), SEPX_OK);
        assert_int_equal(sepx_ged_run(ged, &result, ready_a, ready_b, &limits),
                         SEPX_OK);
        CHECK(result.upper == distance, "trial %" PRIu32 ": %g, not %g", trial,
              result.upper, distance);
        assert_int_equal(sepx_ged_run(ged, &result, ready_a, ready_b, NULL),
                         SEPX_OK);
        CHECK(result.exact && result.upper == distance,
              "trial %" PRIu32 ": %g, not %g", trial, result.upper, distance);
        best[0] = best[1];
        assert_int_equal(sepx_ged_start(ged, best, 12), SEPX_OK);
        assert_int_equal(sepx_ged_run(ged, &result, ready_a, ready_b, NULL),
                         best[0] == SEPX_NONE ? SEPX_OK : SEPX_EINVAL);
        assert_int_equal(sepx_ged_start(ged, best, 11), SEPX_OK);
        assert_int_equal(sepx_ged_run(ged, &result, ready_a, ready_b, NULL),
                         SEPX_EINVAL);
        assert_int_equal(sepx_ged_start(ged, NULL, 0), SEPX_OK);
        assert_int_equal(sepx_ged_run(ged, &result, ready_a, ready_b, NULL),
                         SEPX_OK);
        sepx_ged_graph_free(ready_a);
        sepx_ged_graph_free(ready_b);
        sepx_ged_free(ged);
    }
    sepx_graph_release(&a);
    sepx_graph_release(&b);
    sepx_names_free(names);
}

static void
test_bad_roots_are_refused(void **state)
{
    static const struct sepx_ged_root beyond[] = {{9, 0}};
    static const struct sepx_ged_root twice[] = {{0, 0}, {0, 1}};
    struct sepx_names *names = sepx_names_new();
    struct sepx_graph a = {.names = names};
    struct sepx_ged_graph *x, *y;
    struct sepx_ged *ged;

    (void)state;
    assert_int_equal(sepx_graph_add_node(&a, 0), SEPX_OK);
    assert_int_equal(sepx_graph_add_node(&a, 0), SEPX_OK);
    assert_int_equal(sepx_ged_new_rooted(&ged, &x, &y, NULL, &a, &a, beyond, 1),
                     SEPX_EINVAL);
    assert_int_equal(sepx_ged_new_rooted(&ged, &x, &y, NULL, &a, &a, twice, 2),
                     SEPX_EINVAL);
    assert_true(!ged && !x && !y);
    sepx_graph_release(&a);
    sepx_names_free(names);
}

static void
test_normalized_is_between_nothing_and_all(void **state)
{
    struct sepx_names *names = sepx_names_new();
    struct sepx_graph a = {.names = names}, none = {.names = names};
    struct sepx_ged_graph *x, *y;
    struct sepx_ged *ged;
    double whole;

    (void)state;
    assert_int_equal(sepx_graph_add_node(&a, 0), SEPX_OK);
    assert_int_equal(sepx_graph_add_node(&a, 0), SEPX_OK);
    assert_int_equal(sepx_graph_add_edge(&a, 0, 1, 0), SEPX_OK);
    assert_int_equal(sepx_ged_new(&ged, NULL), SEPX_OK);
    assert_int_equal(sepx_ged_prepare(ged, &x, &a), SEPX_OK);
    assert_int_equal(sepx_ged_prepare(ged, &y, &none), SEPX_OK);
    assert_int_equal(sepx_ged_whole(ged, &whole, x, x), SEPX_OK);
    assert_true(whole == 6 && sepx_ged_normalized(0, whole) == 0);
    assert_true(sepx_ged_normalized(2, whole) == 0.5);
    assert_int_equal(sepx_ged_whole(ged, &whole, x, y), SEPX_OK);
    assert_true(whole == 3 && sepx_ged_normalized(3, whole) == 1);
    assert_true(sepx_ged_normalized(0, 0) == 0);
    sepx_ged_graph_free(x);
    sepx_ged_graph_free(y);
    sepx_ged_free(ged);
    sepx_graph_release(&a);
    sepx_names_free(names);
}

static void
test_every_failed_allocation_is_survived(void **state)
{
    struct drawn d;

    (void)state;
    draw(&d, 8);
    for (long n = 0;; n++) {
        struct sepx_ged_graph *a, *b;
        struct sepx_ged *ged;
        enum sepx_err err;

        fault_after(n);
        err = sepx_ged_new_rooted(&ged, &a, &b, &d.options, &d.a, &d.b, d.root,
                                  d.n_roots);
        if (!err) {
            const int16_t map[1] = {0};
            double whole;

            err = sepx_ged_start(ged, map, 1);
            if (!err)
                err = sepx_ged_whole(ged, &whole, a, b);
        }
        sepx_ged_graph_free(a);
        sepx_ged_graph_free(b);
        sepx_ged_free(ged);
        CHECK(fault_live() == 0, "allocation %ld", n);
        if (!fault_hit()) {
            assert_int_equal(err, SEPX_OK);
            break;
        }
        assert_int_equal(err, SEPX_ENOMEM);
    }
    fault_stop();
    end(&d);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rooted_distance_is_that_of_all_maps),
        cmocka_unit_test(test_a_start_is_never_lost),
        cmocka_unit_test(test_bad_roots_are_refused),
        cmocka_unit_test(test_normalized_is_between_nothing_and_all),
        cmocka_unit_test(test_every_failed_allocation_is_survived),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
