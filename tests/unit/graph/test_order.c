/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/order.h"
#include "oracle/oracle_draw.h"
#include "library.h"
#include "unit/faults.h"

static struct sepx_names *names;

static int
set_up(void **state)
{
    (void)state;
    names = sepx_names_new();
    return !names;
}

static int
tear_down(void **state)
{
    (void)state;
    sepx_names_free(names);
    return 0;
}

static bool
is_topological(const struct sepx_graph *graph, const uint32_t *order)
{
    uint32_t place[512];

    memset(place, 0xff, sizeof(place));
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        if (order[i] >= graph->n_nodes || place[order[i]] != UINT32_MAX)
            return false;
        place[order[i]] = i;
    }
    for (uint32_t i = 0; i < graph->n_edges; i++)
        if (place[graph->edge[i].from] > place[graph->edge[i].to])
            return false;
    return true;
}

/* Every linear extension, as the digits of a number in base n. */
struct all {
    const struct sepx_graph *graph;
    uint64_t *code;
    size_t count, room;
};

static void
list_all(struct all *all, uint32_t done, uint32_t length, uint64_t code)
{
    uint32_t n = all->graph->n_nodes;

    if (length == n) {
        if (all->count == all->room) {
            all->room = 2 * all->room + 64;
            all->code = realloc(all->code, all->room * sizeof(*all->code));
            assert_non_null(all->code);
        }
        all->code[all->count++] = code;
        return;
    }
    for (uint32_t v = 0; v < n; v++) {
        bool ready = !(done >> v & 1);

        for (uint32_t i = 0; i < all->graph->n_edges; i++)
            if (all->graph->edge[i].to == v &&
                !(done >> all->graph->edge[i].from & 1))
                ready = false;
        if (ready)
            list_all(all, done | 1u << v, length + 1, code * n + v);
    }
}

static size_t
find_code(const struct all *all, const uint32_t *order)
{
    uint64_t code = 0;

    for (uint32_t i = 0; i < all->graph->n_nodes; i++)
        code = code * all->graph->n_nodes + order[i];
    for (size_t i = 0; i < all->count; i++)
        if (all->code[i] == code)
            return i;
    return all->count;
}

typedef enum sepx_err draw_fn(const struct sepx_graph *graph, uint32_t *order,
                              struct sepx_rng *rng);

static enum sepx_err
draw_exact(const struct sepx_graph *graph, uint32_t *order,
           struct sepx_rng *rng)
{
    bool acyclic = false, exact = false;
    enum sepx_err err =
        sepx_graph_topological_random(graph, order, &acyclic, &exact, rng);

    assert_true(acyclic);
    assert_true(exact);
    return err;
}

/*
 * Chi-square against the uniform distribution; the limit is four standard
 * deviations above its mean, k - 1 with variance 2(k - 1).
 */
static void
check_uniform(const struct sepx_graph *graph, draw_fn *draw, uint64_t seed)
{
    struct all all = {.graph = graph};
    unsigned *hits;
    double chi = 0, expected = 40, free_;
    struct sepx_rng rng;

    list_all(&all, 0, 0, 0);
    hits = calloc(all.count, sizeof(*hits));
    assert_non_null(hits);
    sepx_rng_init(&rng, seed, 0, 1, 0);
    for (size_t i = 0; i < all.count * 40; i++) {
        uint32_t order[16];
        size_t found;

        assert_int_equal(draw(graph, order, &rng), SEPX_OK);
        found = find_code(&all, order);
        CHECK(found < all.count, "seed %" PRIu64, seed);
        hits[found]++;
    }
    for (size_t i = 0; i < all.count; i++)
        chi += (hits[i] - expected) * (hits[i] - expected) / expected;
    free_ = (double)all.count - 1;
    CHECK(chi <= free_ + 4 * sqrt(2 * free_) + 8,
          "seed %" PRIu64 ": chi-square %g for %zu orders", seed, chi,
          all.count);
    free(hits);
    free(all.code);
}

static void
small_draws_are_uniform(void **state)
{
    struct sepx_graph graph = {0};

    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct draw_options options = {2 + (uint32_t)seed % 5, 2, 0, 0.35,
                                       true};
        struct sepx_rng rng;

        sepx_rng_init(&rng, seed, 0, 0, 0);
        draw_graph(&graph, names, &options, &rng);
        check_uniform(&graph, draw_exact, seed);
    }
    sepx_graph_release(&graph);
}

/*
 * Nodes in a chain have one order, so a free part of 4 to 6 nodes is tested
 * in a graph of 17, which is counted in the hash table. The chain is cut off
 * before the comparison.
 */
static uint32_t tail;

static enum sepx_err
draw_with_tail(const struct sepx_graph *graph, uint32_t *order,
               struct sepx_rng *rng)
{
    struct sepx_graph longer = {0};
    uint32_t n = graph->n_nodes, whole[64];

    assert_int_equal(sepx_graph_copy(&longer, graph), SEPX_OK);
    for (uint32_t i = 0; i < tail; i++)
        assert_int_equal(sepx_graph_add_node(&longer, 0), SEPX_OK);
    for (uint32_t i = 0; i < n; i++)
        assert_int_equal(sepx_graph_add_edge(&longer, i, n, 0), SEPX_OK);
    for (uint32_t i = n; i + 1 < n + tail; i++)
        assert_int_equal(sepx_graph_add_edge(&longer, i, i + 1, 0), SEPX_OK);
    assert_int_equal(draw_exact(&longer, whole, rng), SEPX_OK);
    assert_true(is_topological(&longer, whole));
    memcpy(order, whole, n * sizeof(*order));
    sepx_graph_release(&longer);
    return SEPX_OK;
}

static void
medium_draws_are_uniform(void **state)
{
    struct sepx_graph graph = {0};

    (void)state;
    for (uint64_t seed = 0; seed < 24; seed++) {
        struct draw_options options = {3 + (uint32_t)seed % 3, 2, 0, 0.3, true};
        struct sepx_rng rng;

        sepx_rng_init(&rng, seed, 0, 2, 0);
        draw_graph(&graph, names, &options, &rng);
        tail = (seed % 3 == 0 ? 64 : 17) - options.n_nodes;
        check_uniform(&graph, draw_with_tail, seed);
    }
    sepx_graph_release(&graph);
}

static void
chain_draws_are_uniform(void **state)
{
    struct sepx_graph graph = {0};

    (void)state;
    for (uint64_t seed = 0; seed < 24; seed++) {
        struct draw_options options = {2 + (uint32_t)seed % 4, 2, 0, 0.3, true};
        struct sepx_rng rng;

        sepx_rng_init(&rng, seed, 0, 3, 0);
        draw_graph(&graph, names, &options, &rng);
        check_uniform(&graph, sepx__order_chain, seed);
    }
    sepx_graph_release(&graph);
}

/* The first place of an antichain too wide to count is uniform as well. */
static void
large_graphs_use_the_chain(void **state)
{
    struct draw_options options = {30, 1, 0, 0, true};
    struct sepx_graph graph = {0};
    struct sepx_rng rng;
    uint32_t order[300];
    bool acyclic, exact;

    (void)state;
    sepx_rng_init(&rng, 1, 0, 4, 0);
    draw_graph(&graph, names, &options, &rng);
    assert_int_equal(
        sepx_graph_topological_random(&graph, order, &acyclic, &exact, &rng),
        SEPX_OK);
    assert_true(acyclic && !exact && is_topological(&graph, order));
    options = (struct draw_options){300, 2, 0, 0.01, true};
    draw_graph(&graph, names, &options, &rng);
    assert_int_equal(
        sepx_graph_topological_random(&graph, order, &acyclic, NULL, &rng),
        SEPX_OK);
    assert_true(acyclic && is_topological(&graph, order));
    sepx_graph_release(&graph);
}

/*
 * Ten chains of six nodes have 7^10 down-sets, far over the limit, though no
 * level is wide: the count itself has to stop.
 */
static void
counting_stops_at_the_limit(void **state)
{
    struct sepx_graph graph = {.names = names};
    struct sepx_rng rng;
    uint32_t order[60];
    bool acyclic, exact;

    (void)state;
    for (unsigned i = 0; i < 60; i++)
        assert_int_equal(sepx_graph_add_node(&graph, 0), SEPX_OK);
    for (unsigned i = 0; i < 60; i++)
        if (i % 6)
            assert_int_equal(sepx_graph_add_edge(&graph, i - 1, i, 0), SEPX_OK);
    sepx_rng_init(&rng, 1, 0, 5, 0);
    assert_int_equal(
        sepx_graph_topological_random(&graph, order, &acyclic, &exact, &rng),
        SEPX_OK);
    assert_true(acyclic && !exact && is_topological(&graph, order));
    sepx_graph_release(&graph);
}

/* Two chains of 30: 961 down-sets, but 10^17 orders. */
static void
huge_counts_are_exact_enough(void **state)
{
    struct sepx_graph graph = {.names = names};
    struct sepx_rng rng;
    unsigned first = 0;
    uint32_t order[60];

    (void)state;
    for (unsigned i = 0; i < 60; i++)
        assert_int_equal(sepx_graph_add_node(&graph, 0), SEPX_OK);
    for (unsigned i = 0; i < 59; i++)
        if (i != 29)
            assert_int_equal(sepx_graph_add_edge(&graph, i, i + 1, 0), SEPX_OK);
    sepx_rng_init(&rng, 1, 0, 6, 0);
    for (int i = 0; i < 2000; i++) {
        assert_int_equal(draw_exact(&graph, order, &rng), SEPX_OK);
        assert_true(is_topological(&graph, order));
        first += order[0] == 0;
    }
    CHECK(first > 880 && first < 1120, "%u of 2000", first);
    sepx_graph_release(&graph);
}

/* A cycle exists if and only if nodes remain when all ready ones are gone. */
static bool
oracle_acyclic(const struct sepx_graph *graph)
{
    bool gone[64] = {false};

    for (uint32_t round = 0; round < graph->n_nodes; round++) {
        for (uint32_t v = 0; v < graph->n_nodes; v++) {
            bool ready = true;

            for (uint32_t i = 0; i < graph->n_edges; i++)
                if (graph->edge[i].to == v && !gone[graph->edge[i].from])
                    ready = false;
            gone[v] = gone[v] || ready;
        }
    }
    for (uint32_t v = 0; v < graph->n_nodes; v++)
        if (!gone[v])
            return false;
    return true;
}

static void
cycles_are_found(void **state)
{
    struct sepx_graph graph = {0};
    unsigned n_cyclic = 0;

    (void)state;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        struct draw_options options = {.node_labels = 1};
        uint32_t order[30];
        bool truth, acyclic;
        struct sepx_rng rng;

        sepx_rng_init(&rng, seed, 0, 7, 0);
        options.n_nodes = sepx_rng_below(&rng, 30);
        options.density = 1.0 / (1 + options.n_nodes);
        draw_graph(&graph, names, &options, &rng);
        truth = oracle_acyclic(&graph);
        n_cyclic += !truth;
        assert_int_equal(sepx_graph_topological(&graph, order, &acyclic),
                         SEPX_OK);
        CHECK(acyclic == truth, "seed %" PRIu64, seed);
        CHECK(!truth || is_topological(&graph, order), "seed %" PRIu64, seed);
        if (options.n_nodes > 20)
            continue; /* the chain takes its time */
        assert_int_equal(
            sepx_graph_topological_random(&graph, order, &acyclic, NULL, &rng),
            SEPX_OK);
        CHECK(acyclic == truth, "seed %" PRIu64, seed);
        CHECK(!truth || is_topological(&graph, order), "seed %" PRIu64, seed);
    }
    CHECK(n_cyclic > 200 && n_cyclic < 1800, "%u", n_cyclic);
    sepx_graph_release(&graph);
}

static void
undirected_edges_and_loops_are_cycles(void **state)
{
    struct sepx_graph graph = {.names = names, .undirected = true};
    uint32_t order[2];
    bool acyclic = false;
    struct sepx_rng rng;

    (void)state;
    sepx_rng_init(&rng, 1, 0, 0, 0);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(sepx_graph_add_node(&graph, 0), SEPX_OK);
    assert_int_equal(sepx_graph_topological(&graph, order, &acyclic), SEPX_OK);
    assert_true(acyclic);
    for (unsigned k = 0; k < 2; k++) {
        graph.undirected = !k;
        assert_int_equal(sepx_graph_add_parallel(&graph, 0, !k, 0), SEPX_OK);
        assert_int_equal(sepx_graph_topological(&graph, order, &acyclic),
                         SEPX_OK);
        assert_false(acyclic);
        assert_int_equal(
            sepx_graph_topological_random(&graph, order, &acyclic, NULL, &rng),
            SEPX_OK);
        assert_false(acyclic);
    }
    sepx_graph_release(&graph);
}

static void
the_smallest_ready_node_comes_first(void **state)
{
    static const char *const label[] = {"", "", "", "", ""};
    static const unsigned edge[][2] = {{3, 0}, {4, 1}};
    static const uint32_t want[] = {2, 3, 0, 4, 1};
    struct sepx_graph graph = {0};
    uint32_t order[5];
    bool acyclic;

    (void)state;
    build_graph(&graph, names, label, 5, edge, 2);
    assert_int_equal(sepx_graph_topological(&graph, order, &acyclic), SEPX_OK);
    assert_memory_equal(order, want, sizeof(want));
    sepx_graph_release(&graph);
}

static void
every_allocation_may_fail(void **state)
{
    static const uint32_t sizes[] = {13, 40, 70};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct draw_options options = {sizes[i], 1, 0, 0.3, true};
        struct sepx_graph graph = {0};
        uint32_t order[70];
        bool acyclic;
        struct sepx_rng rng;

        sepx_rng_init(&rng, i, 0, 8, 0);
        draw_graph(&graph, names, &options, &rng);
        EACH_FAULT (fault) {
            fault.err = sepx_graph_topological_random(&graph, order, &acyclic,
                                                      NULL, &rng);
        }
        sepx_graph_release(&graph);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_draws_are_uniform),
        cmocka_unit_test(medium_draws_are_uniform),
        cmocka_unit_test(chain_draws_are_uniform),
        cmocka_unit_test(large_graphs_use_the_chain),
        cmocka_unit_test(counting_stops_at_the_limit),
        cmocka_unit_test(huge_counts_are_exact_enough),
        cmocka_unit_test(cycles_are_found),
        cmocka_unit_test(undirected_edges_and_loops_are_cycles),
        cmocka_unit_test(the_smallest_ready_node_comes_first),
        cmocka_unit_test(every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
