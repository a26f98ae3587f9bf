/* SPDX-License-Identifier: Apache-2.0 */
/* Exact distances against the oracle of all maps, and what must always hold. */
#include "unit/check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "unit/faults.h"
#include "oracle/oracle_draw.h"
#include "oracle/oracle_ged.h"

#define SEED 20230723

struct fixture {
    struct sepx_names *names;
    struct sepx_graph a, b, c;
    struct sepx_ged *ged;
    struct sepx_ged_graph *ready_a, *ready_b;
    struct sepx_path path;
    struct sepx_costs costs;
    struct sepx_relabel_cost node_table[3], edge_table[3];
    uint16_t pinned[2];
    struct sepx_ged_options options;
    struct sepx_rng rng;
    struct draw_kind kind;
};

static void
open_fixture(struct fixture *f, uint32_t run, uint32_t trial)
{
    *f = (struct fixture){0};
    f->names = sepx_names_new();
    assert_non_null(f->names);
    sepx_rng_init(&f->rng, SEED, run, trial, 0);
}

static void
unready(struct fixture *f)
{
    sepx_ged_graph_free(f->ready_a);
    sepx_ged_graph_free(f->ready_b);
    sepx_ged_free(f->ged);
    f->ready_a = f->ready_b = NULL;
    f->ged = NULL;
}

static void
close_fixture(struct fixture *f)
{
    unready(f);
    sepx_path_release(&f->path);
    sepx_graph_release(&f->a);
    sepx_graph_release(&f->b);
    sepx_graph_release(&f->c);
    sepx_names_free(f->names);
}

static uint16_t
label(struct fixture *f, const char *text)
{
    uint16_t id;

    assert_int_equal(sepx_names_add(f->names, &id, text), SEPX_OK);
    return id;
}

static void
draw(struct fixture *f, struct sepx_graph *g, uint32_t most, uint32_t edges)
{
    const struct draw_options options = {
        .n_nodes = sepx_rng_below(&f->rng, most + 1),
        .node_labels = 1 + sepx_rng_below(&f->rng, 4),
        .edge_labels = edges,
        .density = sepx_rng_unit(&f->rng),
        .acyclic = sepx_rng_below(&f->rng, 2)};

    draw_any_graph(g, f->names, &options, &f->kind, &f->rng);
}

static double
draw_cost(struct fixture *f)
{
    static const double cost[] = {0, 0.25, 0.5, 1, 1.1, 2, 3.75};

    return cost[sepx_rng_below(&f->rng, sizeof cost / sizeof *cost)];
}

/* What is measured: every combination of the options comes up. */
static void
draw_options_of(struct fixture *f)
{
    static const char *const node[3] = {"n0", "n1", "n2"};
    static const char *const edge[3] = {"e0", "e1", "e2"};

    f->pinned[0] = label(f, "n0");
    f->pinned[1] = label(f, "n1");
    f->options.pinned = f->pinned;
    f->options.n_pinned = sepx_rng_below(&f->rng, 3);
    f->options.ignore_labels = !sepx_rng_below(&f->rng, 4);
    f->options.plain = sepx_rng_below(&f->rng, 2);
    if (sepx_rng_below(&f->rng, 2))
        return;
    f->costs = (struct sepx_costs){.node_insert = draw_cost(f),
                                   .node_delete = draw_cost(f),
                                   .node_relabel = draw_cost(f),
                                   .edge_insert = draw_cost(f),
                                   .edge_delete = draw_cost(f),
                                   .edge_relabel = draw_cost(f),
                                   .node_table = f->node_table,
                                   .edge_table = f->edge_table,
                                   .n_node_table = sepx_rng_below(&f->rng, 4),
                                   .n_edge_table = sepx_rng_below(&f->rng, 4)};
    for (unsigned k = 0; k < 3; k++) {
        f->node_table[k] = (struct sepx_relabel_cost){
            label(f, node[k]), label(f, node[(k + 1) % 3]), draw_cost(f)};
        f->edge_table[k] = (struct sepx_relabel_cost){
            label(f, edge[k]), label(f, edge[(k + 1) % 3]), draw_cost(f)};
    }
    f->options.costs = &f->costs;
}

static void
ready(struct fixture *f, const struct sepx_graph *a, const struct sepx_graph *b)
{
    unready(f);
    assert_int_equal(sepx_ged_new(&f->ged, &f->options), SEPX_OK);
    assert_int_equal(sepx_ged_prepare(f->ged, &f->ready_a, a), SEPX_OK);
    assert_int_equal(sepx_ged_prepare(f->ged, &f->ready_b, b), SEPX_OK);
}

static struct sepx_ged_result
distance(struct fixture *f, const struct sepx_graph *a,
         const struct sepx_graph *b)
{
    struct sepx_ged_result result;

    ready(f, a, b);
    assert_int_equal(
        sepx_ged_run(f->ged, &result, f->ready_a, f->ready_b, NULL), SEPX_OK);
    return result;
}

/* The path of the map has that cost at unit costs, and leads to b. */
static void
check_path(struct fixture *f, const int16_t *map, double upper, uint32_t trial)
{
    const bool ignore = f->options.ignore_labels;
    bool same;

    assert_int_equal(sepx_path_from_map(&f->path, &f->a, &f->b, map, ignore),
                     SEPX_OK);
    if (!f->options.costs)
        CHECK((double)f->path.len == upper, "trial %" PRIu32, trial);
    assert_int_equal(sepx_path_apply(&f->path, &f->c, &f->a, NULL, NULL, NULL),
                     SEPX_OK);
    if (ignore) {
        for (unsigned i = 0; i < f->c.n_nodes; i++)
            f->c.label[i] = 0;
        for (unsigned i = 0; i < f->b.n_nodes; i++)
            f->b.label[i] = 0;
    }
    assert_int_equal(sepx_graph_isomorphic(&f->c, &f->b, &same, NULL), SEPX_OK);
    CHECK(same, "trial %" PRIu32, trial);
}

static const struct draw_kind simple = {0};

static void
compare(uint32_t run, uint32_t trials, uint32_t most, bool all_maps,
        const struct draw_kind *kind)
{
    for (uint32_t trial = 0; trial < trials; trial++) {
        struct fixture f;
        struct sepx_ged_result result;
        uint64_t maps, found = 0;
        double want, cost;

        open_fixture(&f, run, trial);
        f.kind = *kind;
        uint32_t edges = sepx_rng_below(&f.rng, 2) ? 0 : 3;
        draw(&f, &f.a, most, edges);
        draw(&f, &f.b, most, edges ? 3 - sepx_rng_below(&f.rng, 2) : 0);
        draw_options_of(&f);
        want = oracle_ged(&f.a, &f.b, &f.options, &maps);
        result = distance(&f, &f.a, &f.b);
        CHECK(result.exact && fabs(result.upper - want) < 1e-6,
              "seed %d run %" PRIu32 " trial %" PRIu32 ": %g..%g, not %g", SEED,
              run, trial, result.lower, result.upper, want);
        assert_int_equal(
            sepx_ged_map_cost(f.ged, &cost, f.ready_a, f.ready_b, result.map),
            SEPX_OK);
        CHECK(fabs(cost - want) < 1e-6, "trial %" PRIu32, trial);
        if (all_maps) {
            assert_int_equal(sepx_ged_optima(f.ged, &found, f.ready_a,
                                             f.ready_b, NULL, NULL, NULL),
                             SEPX_OK);
            CHECK(found == maps,
                  "seed %d run %" PRIu32 " trial %" PRIu32 ": %" PRIu64
                  " maps, not %" PRIu64,
                  SEED, run, trial, found, maps);
        }
        result = distance(&f, &f.a, &f.b);
        check_path(&f, result.map, result.upper, trial);
        close_fixture(&f);
    }
}

static void
test_distance_equals_that_of_all_maps(void **state)
{
    (void)state;
    print_message("seed %d\n", SEED);
    compare(0, 6000, 4, false, &simple);
    compare(1, 3500, 5, false, &simple);
    compare(2, 600, 6, false, &simple);
}

static void
test_optimal_maps_are_all_found_once(void **state)
{
    (void)state;
    print_message("seed %d\n", SEED);
    compare(3, 3000, 4, true, &simple);
    compare(4, 400, 5, true, &simple);
}

/* Undirected, with self-loops, with parallel edges, and all of it. */
static void
test_all_kinds_of_edges_are_priced(void **state)
{
    (void)state;
    print_message("seed %d\n", SEED);
    for (unsigned k = 1; k < 8; k++) {
        const struct draw_kind kind = {.undirected = k & 1,
                                       .loops = k & 2 ? 0.4 : 0,
                                       .parallel = k & 4 ? 0.4 : 0};

        compare(100 + k, 800, 3, true, &kind);
        compare(110 + k, 400, 4, true, &kind);
        compare(120 + k, 60, 5, false, &kind);
    }
    compare(130, 200, 6, false, &(struct draw_kind){.undirected = true});
}

static void
test_directed_and_undirected_do_not_meet(void **state)
{
    struct fixture f;
    struct sepx_ged_result result;
    struct sepx_ged_bounds bounds[4];
    int16_t map[8] = {0, 1, 2};
    uint64_t count;
    double cost;

    (void)state;
    open_fixture(&f, 140, 0);
    draw_graph(
        &f.a, f.names,
        &(struct draw_options){.n_nodes = 3, .node_labels = 1, .density = 0.5},
        &f.rng);
    assert_int_equal(sepx_graph_copy(&f.b, &f.a), SEPX_OK);
    f.b.undirected = true;
    ready(&f, &f.a, &f.b);
    assert_int_equal(sepx_ged_run(f.ged, &result, f.ready_a, f.ready_b, NULL),
                     SEPX_EINVAL);
    assert_int_equal(sepx_ged_map_cost(f.ged, &cost, f.ready_a, f.ready_b, map),
                     SEPX_EINVAL);
    assert_int_equal(
        sepx_ged_optima(f.ged, &count, f.ready_a, f.ready_b, NULL, NULL, NULL),
        SEPX_EINVAL);
    assert_int_equal(sepx_path_from_map(&f.path, &f.a, &f.b, map, false),
                     SEPX_EINVAL);
    assert_int_equal(
        sepx_ged_one_to_many(&f.options, bounds, &f.a, &f.b, 1, NULL, 1),
        SEPX_EINVAL);
    close_fixture(&f);
}

/* An undirected edge is one edit, and large graphs have the same bounds. */
static void
test_undirected_graphs_of_all_sizes_agree(void **state)
{
    static const uint32_t size[] = {8, 16, 17, 33, 64, 140, 300};

    (void)state;
    for (unsigned k = 0; k < sizeof size / sizeof *size; k++) {
        const struct draw_options options = {
            .n_nodes = size[k], .node_labels = 4, .density = 2.0 / size[k]};
        const struct draw_kind kind = {.undirected = true};
        struct fixture f;
        struct sepx_ged_result result;
        double cost;

        open_fixture(&f, 150, k);
        draw_any_graph(&f.a, f.names, &options, &kind, &f.rng);
        assert_int_equal(sepx_graph_copy(&f.b, &f.a), SEPX_OK);
        for (unsigned e = 0; e < 3; e++)
            sepx_graph_remove_edge(&f.b, f.b.edge[e].from, f.b.edge[e].to);
        result = distance(&f, &f.a, &f.b);
        CHECK(result.exact && result.upper == 3, "%" PRIu32 " nodes: %g..%g",
              size[k], result.lower, result.upper);
        assert_int_equal(
            sepx_ged_map_cost(f.ged, &cost, f.ready_a, f.ready_b, result.map),
            SEPX_OK);
        CHECK(cost == 3, "%" PRIu32 " nodes", size[k]);
        check_path(&f, result.map, 3, k);
        close_fixture(&f);
    }
}

/* The map of a stopped search has the cost that it claims. */
static void
test_stopped_undirected_searches_have_true_maps(void **state)
{
    const struct draw_options options = {
        .n_nodes = 24, .node_labels = 2, .edge_labels = 2, .density = 0.2};
    const struct draw_kind kind = {.undirected = true};
    const struct sepx_ged_limits limits = {.nodes = 50};

    (void)state;
    for (uint32_t trial = 0; trial < 20; trial++) {
        struct fixture f;
        struct sepx_ged_result result;
        double cost;

        open_fixture(&f, 170, trial);
        draw_any_graph(&f.a, f.names, &options, &kind, &f.rng);
        draw_any_graph(&f.b, f.names, &options, &kind, &f.rng);
        ready(&f, &f.a, &f.b);
        assert_int_equal(
            sepx_ged_run(f.ged, &result, f.ready_a, f.ready_b, &limits),
            SEPX_OK);
        assert_int_equal(
            sepx_ged_map_cost(f.ged, &cost, f.ready_a, f.ready_b, result.map),
            SEPX_OK);
        CHECK(cost == result.upper && result.lower <= cost,
              "trial %" PRIu32 ": %g, not %g", trial, cost, result.upper);
        close_fixture(&f);
    }
}

/* Many edges between two nodes are a bag of few labels. */
static void
test_thousands_of_parallel_edges_are_matched(void **state)
{
    const struct sepx_relabel_cost table[] = {{1, 2, 0.5}, {2, 3, 0.25}};
    const struct sepx_costs costs = {.node_insert = 1,
                                     .node_delete = 1,
                                     .node_relabel = 1,
                                     .edge_insert = 1,
                                     .edge_delete = 1,
                                     .edge_relabel = 1,
                                     .edge_table = table,
                                     .n_edge_table = 2};
    struct fixture f;

    (void)state;
    open_fixture(&f, 160, 0);
    assert_int_equal(label(&f, "x"), 1);
    assert_int_equal(label(&f, "y"), 2);
    assert_int_equal(label(&f, "z"), 3);
    f.a.names = f.b.names = f.names;
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(sepx_graph_add_node(&f.a, 1), SEPX_OK);
        assert_int_equal(sepx_graph_add_node(&f.b, 1), SEPX_OK);
    }
    for (unsigned i = 0; i < 2000; i++) {
        assert_int_equal(
            sepx_graph_add_parallel(&f.a, 0, 1, (uint16_t)(1 + i % 2)),
            SEPX_OK);
        assert_int_equal(
            sepx_graph_add_parallel(&f.b, 1, 0, (uint16_t)(2 + i % 2)),
            SEPX_OK);
    }
    f.options.costs = &costs;
    /* x to y and y to z, better than keeping y and turning x into z. */
    assert_float_equal(distance(&f, &f.a, &f.b).upper, 750, 0);
    f.options.costs = NULL;
    assert_float_equal(distance(&f, &f.a, &f.b).upper, 1000, 0);
    close_fixture(&f);
}

/* ---- properties, at sizes that the oracle cannot reach ---- */

static void
draw_related(struct fixture *f, struct sepx_graph *g, uint32_t n, uint32_t k)
{
    const struct draw_options options = {.n_nodes = n,
                                         .node_labels = 3,
                                         .edge_labels = k,
                                         .density = 0.25,
                                         .acyclic = true};

    draw_graph(g, f->names, &options, &f->rng);
}

static void
test_distance_is_a_metric(void **state)
{
    (void)state;
    for (uint32_t trial = 0; trial < 300; trial++) {
        struct fixture f;
        double ab, ba, bc, ac;
        bool same;
        uint32_t labels = trial % 3 ? 0 : 2;

        open_fixture(&f, 5, trial);
        draw_related(&f, &f.a, 4 + trial % 6, labels);
        draw_related(&f, &f.b, 4 + trial % 5, labels);
        draw_related(&f, &f.c, 3 + trial % 7, labels);
        f.pinned[0] = label(&f, "n0");
        f.options.pinned = f.pinned;
        f.options.n_pinned = trial % 2;
        ab = distance(&f, &f.a, &f.b).upper;
        ba = distance(&f, &f.b, &f.a).upper;
        bc = distance(&f, &f.b, &f.c).upper;
        ac = distance(&f, &f.a, &f.c).upper;
        CHECK(ab == ba, "seed %d trial %" PRIu32, SEED, trial);
        CHECK(ac <= ab + bc, "seed %d trial %" PRIu32, SEED, trial);
        assert_int_equal(sepx_graph_isomorphic(&f.a, &f.b, &same, NULL),
                         SEPX_OK);
        CHECK(same == (ab == 0), "seed %d trial %" PRIu32, SEED, trial);
        close_fixture(&f);
    }
}

static void
test_node_order_does_not_matter(void **state)
{
    (void)state;
    for (uint32_t trial = 0; trial < 200; trial++) {
        struct fixture f;
        uint32_t order[64], n = 3 + trial % 11;
        double before;

        open_fixture(&f, 6, trial);
        draw_related(&f, &f.a, n, 0);
        draw_related(&f, &f.b, n, 0);
        before = distance(&f, &f.a, &f.b).upper;
        draw_order(order, n, &f.rng);
        assert_int_equal(sepx_graph_permute(&f.c, &f.a, order), SEPX_OK);
        CHECK(distance(&f, &f.c, &f.b).upper == before, "trial %" PRIu32,
              trial);
        CHECK(distance(&f, &f.c, &f.a).upper == 0, "trial %" PRIu32, trial);
        close_fixture(&f);
    }
}

/* Edit a copy of a: the distance is at most the number of edits. */
static void
edit(struct fixture *f, struct sepx_graph *g, unsigned edits)
{
    while (edits) {
        unsigned i = sepx_rng_below(&f->rng, g->n_nodes);
        unsigned k = sepx_rng_below(&f->rng, g->n_nodes);

        if (i == k) {
            g->label[i] = label(f, i % 2 ? "n0" : "n1");
            edits--;
        } else if (sepx_graph_find_edge(g, i, k)) {
            sepx_graph_remove_edge(g, i, k);
            edits--;
        } else if (g->n_edges < 2 * g->n_nodes && i < k) {
            assert_int_equal(sepx_graph_add_edge(g, i, k, 0), SEPX_OK);
            edits--;
        }
    }
}

static void
test_all_widths_and_builds_agree(void **state)
{
    static const uint32_t size[] = {5,  15, 16, 17,  31,  32,
                                    33, 63, 64, 100, 129, 200};

    (void)state;
    for (unsigned k = 0; k < sizeof size / sizeof *size; k++) {
        const struct draw_options options = {.n_nodes = size[k],
                                             .node_labels = 4,
                                             .density = 1.5 / size[k],
                                             .acyclic = true};
        struct fixture f;
        double fast, plain;

        open_fixture(&f, 7, k);
        draw_graph(&f.a, f.names, &options, &f.rng);
        assert_int_equal(sepx_graph_copy(&f.b, &f.a), SEPX_OK);
        edit(&f, &f.b, 6);
        fast = distance(&f, &f.a, &f.b).upper;
        f.options.plain = true;
        plain = distance(&f, &f.a, &f.b).upper;
        CHECK(fast == plain && fast <= 6, "%" PRIu32 " nodes: %g and %g",
              size[k], fast, plain);
        CHECK(distance(&f, &f.b, &f.a).upper == fast, "%" PRIu32 " nodes",
              size[k]);
        close_fixture(&f);
    }
}

/* ---- limits ---- */

static void
test_limits_leave_proven_bounds(void **state)
{
    (void)state;
    for (uint32_t trial = 0; trial < 60; trial++) {
        const struct sepx_ged_limits limits = {.nodes = 1 + trial};
        struct fixture f;
        struct sepx_ged_result stopped;
        double exact;

        open_fixture(&f, 8, trial);
        draw_related(&f, &f.a, 6 + trial % 8, 0);
        draw_related(&f, &f.b, 6 + trial % 7, 0);
        exact = distance(&f, &f.a, &f.b).upper;
        assert_int_equal(
            sepx_ged_run(f.ged, &stopped, f.ready_a, f.ready_b, &limits),
            SEPX_OK);
        CHECK(stopped.lower <= exact && exact <= stopped.upper,
              "trial %" PRIu32 ": %g in %g..%g", trial, exact, stopped.lower,
              stopped.upper);
        check_path(&f, stopped.map, stopped.upper, trial);
        close_fixture(&f);
    }
}

static void
test_threshold_is_decided(void **state)
{
    (void)state;
    for (uint32_t trial = 0; trial < 400; trial++) {
        struct sepx_ged_limits limits = {.threshold = true};
        struct fixture f;
        struct sepx_ged_result answer;
        double exact;

        open_fixture(&f, 9, trial);
        draw_related(&f, &f.a, 3 + trial % 11, 0);
        draw_related(&f, &f.b, 3 + trial % 10, 0);
        f.options.plain = trial % 2;
        exact = distance(&f, &f.a, &f.b).upper;
        limits.at_most = exact - 3 + trial % 7;
        assert_int_equal(
            sepx_ged_run(f.ged, &answer, f.ready_a, f.ready_b, &limits),
            SEPX_OK);
        CHECK(answer.lower <= exact && exact <= answer.upper,
              "trial %" PRIu32 ": %g in %g..%g", trial, exact, answer.lower,
              answer.upper);
        CHECK(exact <= limits.at_most ? answer.upper <= limits.at_most
                                      : answer.lower > limits.at_most,
              "trial %" PRIu32 ": %g at most %g: %g..%g", trial, exact,
              limits.at_most, answer.lower, answer.upper);
        close_fixture(&f);
    }
}

static void
test_large_graphs_get_bounds_and_a_map(void **state)
{
    static const uint32_t size[] = {300, 700};

    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        const struct draw_options options = {.n_nodes = size[k],
                                             .node_labels = 5,
                                             .density = 1.5 / size[k],
                                             .acyclic = true};
        struct fixture f;
        struct sepx_ged_result result;

        open_fixture(&f, 10, k);
        draw_graph(&f.a, f.names, &options, &f.rng);
        assert_int_equal(sepx_graph_copy(&f.b, &f.a), SEPX_OK);
        edit(&f, &f.b, 4);
        result = distance(&f, &f.a, &f.b);
        CHECK(result.lower <= 4 && result.lower <= result.upper,
              "%" PRIu32 " nodes: %g..%g", size[k], result.lower, result.upper);
        check_path(&f, result.map, result.upper, k);
        close_fixture(&f);
    }
}

/* Local search from other starts ends hundreds of edits away. */
static void
test_versions_of_a_large_graph_are_near(void **state)
{
    const struct draw_options options = {.n_nodes = SEPX_NODES_MAX,
                                         .node_labels = 1,
                                         .density = 2.5 / SEPX_NODES_MAX,
                                         .acyclic = true};
    const struct sepx_ged_limits limits = {.seconds = 0.2};
    struct fixture f;
    struct sepx_ged_result result;

    (void)state;
    open_fixture(&f, 15, 0);
    draw_graph(&f.a, f.names, &options, &f.rng);
    assert_int_equal(sepx_graph_copy(&f.b, &f.a), SEPX_OK);
    sepx_graph_remove_edge(&f.b, f.a.edge[7].from, f.a.edge[7].to);
    result = distance(&f, &f.a, &f.b);
    CHECK(result.lower == 1 && result.upper == 1 && result.exact, "%g..%g",
          result.lower, result.upper);
    assert_int_equal(result.end, SEPX_GED_PROVEN);
    assert_int_equal(sepx_graph_add_edge(&f.b, SEPX_NODES_MAX - 1, 0, 0),
                     SEPX_OK);
    assert_int_equal(sepx_ged_between(f.ged, &result, &f.a, &f.b, &limits),
                     SEPX_OK);
    CHECK(result.upper == 2, "%g..%g", result.lower, result.upper);
    check_path(&f, result.map, result.upper, 0);
    close_fixture(&f);
}

static void
test_results_say_why_they_ended(void **state)
{
    static const struct {
        uint32_t nodes;
        struct sepx_ged_limits limits;
        enum sepx_ged_end end;
    } cases[] = {
        {4, {.seconds = 0}, SEPX_GED_PROVEN},
        {40, {.nodes = 3}, SEPX_GED_NODES},
        {60, {.seconds = 0.01}, SEPX_GED_SECONDS},
        {40, {.threshold = true, .at_most = 1}, SEPX_GED_THRESHOLD},
        {300, {.seconds = 0.01}, SEPX_GED_SECONDS},
        {300, {.nodes = 2}, SEPX_GED_NODES},
    };

    (void)state;
    for (unsigned k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const struct draw_options options = {.n_nodes = cases[k].nodes,
                                             .node_labels = 2,
                                             .density = 4.0 / cases[k].nodes};
        struct fixture f;
        struct sepx_ged_result result;

        open_fixture(&f, 16, k);
        draw_graph(&f.a, f.names, &options, &f.rng);
        draw_graph(&f.b, f.names, &options, &f.rng);
        (void)distance(&f, &f.a, &f.a);
        assert_int_equal(
            sepx_ged_between(f.ged, &result, &f.a, &f.b, &cases[k].limits),
            SEPX_OK);
        CHECK(result.end == cases[k].end, "case %u: %d, %g..%g", k, result.end,
              result.lower, result.upper);
        assert_int_equal(result.exact, result.end == SEPX_GED_PROVEN);
        close_fixture(&f);
    }
}

/* ---- many ---- */

static void
test_many_agree_with_single_distances(void **state)
{
    enum { COUNT = 12 };
    struct sepx_graph graph[COUNT] = {{0}};
    struct sepx_ged_bounds matrix[2][COUNT * COUNT], row[COUNT];
    struct fixture f;

    (void)state;
    open_fixture(&f, 11, 0);
    for (unsigned i = 0; i < COUNT; i++)
        draw_related(&f, &graph[i], 4 + i, 0);
    for (unsigned k = 0; k < 2; k++)
        assert_int_equal(sepx_ged_matrix(&f.options, matrix[k], graph, COUNT,
                                         NULL, k + 1, NULL, NULL),
                         SEPX_OK);
    assert_memory_equal(matrix[0], matrix[1], sizeof matrix[0]);
    assert_int_equal(
        sepx_ged_one_to_many(&f.options, row, &graph[3], graph, COUNT, NULL, 2),
        SEPX_OK);
    for (unsigned i = 0; i < COUNT; i++) {
        double want = distance(&f, &graph[3], &graph[i]).upper;

        assert_true(row[i].upper == want && row[i].lower == want);
        assert_true(matrix[0][3 * COUNT + i].upper == want);
        assert_true(matrix[0][i * COUNT + 3].upper == want);
    }
    for (unsigned i = 0; i < COUNT; i++)
        sepx_graph_release(&graph[i]);
    close_fixture(&f);
}

/* ---- drawing ---- */

static bool
collect(void *context, const int16_t *map)
{
    struct {
        unsigned count, n;
        int16_t map[600][8];
    } *all = context;

    memcpy(all->map[all->count++], map, all->n * sizeof *map);
    return all->count < 600;
}

/* Chi-square over all optimal maps, far beyond any chance. */
static void
check_uniform(struct fixture *f, uint32_t trial)
{
    struct {
        unsigned count, n;
        int16_t map[600][8];
    } all = {.n = f->a.n_nodes};
    unsigned seen[600] = {0};
    const unsigned draws = 200;
    uint64_t count;
    double chi = 0;

    ready(f, &f->a, &f->b);
    assert_int_equal(sepx_ged_optima(f->ged, &count, f->ready_a, f->ready_b,
                                     NULL, collect, &all),
                     SEPX_OK);
    if (count < 2 || count > 40)
        return;
    for (unsigned k = 0; k < draws * count; k++) {
        struct sepx_ged_result result;
        unsigned at = 0;

        assert_int_equal(sepx_ged_random(f->ged, &result, f->ready_a,
                                         f->ready_b, NULL, 0, &f->rng),
                         SEPX_OK);
        while (at < count &&
               memcmp(all.map[at], result.map, all.n * sizeof *result.map))
            at++;
        CHECK(at < count, "trial %" PRIu32, trial);
        seen[at]++;
    }
    for (unsigned k = 0; k < count; k++)
        chi += ((double)seen[k] - draws) * ((double)seen[k] - draws) / draws;
    CHECK(chi < (double)count + 6 * sqrt(2.0 * (double)count) + 10,
          "seed %d trial %" PRIu32 ": %g over %" PRIu64 " maps", SEED, trial,
          chi, count);
}

static void
test_random_map_is_uniform(void **state)
{
    (void)state;
    for (uint32_t trial = 0; trial < 120; trial++) {
        struct fixture f;

        open_fixture(&f, 12, trial);
        draw_related(&f, &f.a, 3 + trial % 4, 0);
        draw_related(&f, &f.b, 3 + trial % 3, 0);
        f.pinned[0] = label(&f, "n0");
        f.options.pinned = f.pinned;
        f.options.n_pinned = trial % 2;
        f.options.plain = trial % 3 == 0;
        check_uniform(&f, trial);
        close_fixture(&f);
    }
}

/* ---- failures ---- */

static enum sepx_err
run_everything(struct fixture *f)
{
    struct sepx_ged *ged = NULL;
    struct sepx_ged_graph *a = NULL, *b = NULL;
    struct sepx_ged_result result;
    struct sepx_path path = {0};
    struct sepx_graph child = {0};
    struct sepx_ged_bounds out[1];
    struct sepx_rng rng = f->rng;
    uint64_t count;
    enum sepx_err err = sepx_ged_new(&ged, &f->options);

    if (!err)
        err = sepx_ged_prepare(ged, &a, &f->a);
    if (!err)
        err = sepx_ged_prepare(ged, &b, &f->b);
    if (!err)
        err = sepx_ged_random(ged, &result, a, b, NULL, 0, &rng);
    if (!err)
        err = sepx_ged_optima(ged, &count, a, b, NULL, NULL, NULL);
    if (!err)
        err = sepx_ged_run(ged, &result, a, b, NULL);
    if (!err)
        err = sepx_path_from_map(&path, &f->a, &f->b, result.map,
                                 f->options.ignore_labels);
    if (!err)
        err = sepx_path_apply(&path, &child, &f->a, NULL, NULL, NULL);
    if (!err)
        err = sepx_ged_one_to_many(&f->options, out, &f->a, &f->b, 1, NULL, 1);
    sepx_graph_release(&child);
    sepx_path_release(&path);
    sepx_ged_graph_free(a);
    sepx_ged_graph_free(b);
    sepx_ged_free(ged);
    return err;
}

static void
fail_each_allocation(struct fixture *f, enum sepx_err (*run)(struct fixture *f))
{
    EACH_FAULT (fault) {
        fault.err = run(f);
    }
}

static enum sepx_err
run_one_distance(struct fixture *f)
{
    const struct sepx_ged_limits limits = {.nodes = 100};
    struct sepx_ged_result result;
    struct sepx_ged *ged;
    enum sepx_err err = sepx_ged_new(&ged, NULL);

    if (!err)
        err = sepx_ged_between(ged, &result, &f->a, &f->b, &limits);
    sepx_ged_free(ged);
    return err;
}

static void
test_failed_allocations_of_large_graphs_are_survived(void **state)
{
    const struct draw_options options = {
        .n_nodes = 300, .node_labels = 3, .density = 0.01};
    struct fixture f;

    (void)state;
    open_fixture(&f, 17, 0);
    draw_graph(&f.a, f.names, &options, &f.rng);
    draw_graph(&f.b, f.names, &options, &f.rng);
    fail_each_allocation(&f, run_one_distance);
    close_fixture(&f);
}

static void
test_failed_allocations_with_parallel_edges_are_survived(void **state)
{
    (void)state;
    for (uint32_t trial = 0; trial < 8; trial++) {
        struct fixture f;

        open_fixture(&f, 18, trial);
        f.kind = (struct draw_kind){trial % 2, 0.4, 0.5};
        draw(&f, &f.a, 4, 3);
        draw(&f, &f.b, 4, 3);
        fail_each_allocation(&f, run_everything);
        close_fixture(&f);
    }
}

static void
test_every_failed_allocation_is_survived(void **state)
{
    (void)state;
    for (uint32_t trial = 0; trial < 16; trial++) {
        struct fixture f;

        open_fixture(&f, 13, trial);
        draw_related(&f, &f.a, 2 + trial % 4, trial % 3);
        draw_related(&f, &f.b, 2 + trial % 5, (trial + 1) % 3);
        draw_options_of(&f);
        if (trial > 8)
            f.options.costs = NULL;
        fail_each_allocation(&f, run_everything);
        close_fixture(&f);
    }
}

static void
test_bad_costs_and_maps_are_refused(void **state)
{
    static const double bad[] = {-1, NAN, INFINITY, 1e7};
    const int16_t twice[2] = {0, 0}, beyond[2] = {0, 2};
    struct fixture f;
    double cost;

    (void)state;
    open_fixture(&f, 14, 0);
    for (unsigned k = 0; k < 4; k++) {
        f.costs = (struct sepx_costs){.node_insert = 1,
                                      .node_delete = 1,
                                      .node_relabel = 1,
                                      .edge_insert = 1,
                                      .edge_delete = 1,
                                      .edge_relabel = bad[k]};
        f.options.costs = &f.costs;
        f.ged = (struct sepx_ged *)&f;
        assert_int_equal(sepx_ged_new(&f.ged, &f.options), SEPX_EINVAL);
        assert_null(f.ged);
    }
    f.options.costs = NULL;
    draw_related(&f, &f.a, 2, 0);
    draw_related(&f, &f.b, 2, 0);
    ready(&f, &f.a, &f.b);
    assert_int_equal(
        sepx_ged_map_cost(f.ged, &cost, f.ready_a, f.ready_b, twice),
        SEPX_EINVAL);
    assert_int_equal(
        sepx_ged_map_cost(f.ged, &cost, f.ready_a, f.ready_b, beyond),
        SEPX_EINVAL);
    assert_int_equal(sepx_path_from_map(&f.path, &f.a, &f.b, twice, false),
                     SEPX_EINVAL);
    close_fixture(&f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distance_equals_that_of_all_maps),
        cmocka_unit_test(test_optimal_maps_are_all_found_once),
        cmocka_unit_test(test_all_kinds_of_edges_are_priced),
        cmocka_unit_test(test_directed_and_undirected_do_not_meet),
        cmocka_unit_test(test_undirected_graphs_of_all_sizes_agree),
        cmocka_unit_test(test_stopped_undirected_searches_have_true_maps),
        cmocka_unit_test(test_thousands_of_parallel_edges_are_matched),
        cmocka_unit_test(test_distance_is_a_metric),
        cmocka_unit_test(test_node_order_does_not_matter),
        cmocka_unit_test(test_all_widths_and_builds_agree),
        cmocka_unit_test(test_limits_leave_proven_bounds),
        cmocka_unit_test(test_threshold_is_decided),
        cmocka_unit_test(test_large_graphs_get_bounds_and_a_map),
        cmocka_unit_test(test_versions_of_a_large_graph_are_near),
        cmocka_unit_test(test_failed_allocations_of_large_graphs_are_survived),
        cmocka_unit_test(test_results_say_why_they_ended),
        cmocka_unit_test(test_many_agree_with_single_distances),
        cmocka_unit_test(test_random_map_is_uniform),
        cmocka_unit_test(test_every_failed_allocation_is_survived),
        cmocka_unit_test(
            test_failed_allocations_with_parallel_edges_are_survived),
        cmocka_unit_test(test_bad_costs_and_maps_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
