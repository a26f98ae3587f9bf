/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/oracle_draw.h"
#include "oracle/oracle_iso.h"
#include "library.h"
#include "unit/faults.h"
#include "unit/rounds.h"

static bool
same_key(struct sepx_key a, struct sepx_key b)
{
    return a.high == b.high && a.low == b.low;
}

static struct sepx_key
key_of(const struct sepx_graph *graph)
{
    struct sepx_key key;

    assert_int_equal(sepx_graph_canon(graph, NULL, &key), SEPX_OK);
    return key;
}

/* Two graphs agree with the oracle in key, isomorphism and map. */
static bool
check_pair(const struct sepx_graph *a, const struct sepx_graph *b,
           uint64_t seed)
{
    bool truth = oracle_isomorphic(a, b), isomorphic = !truth;
    uint32_t map[16];

    assert_int_equal(sepx_graph_isomorphic(a, b, &isomorphic, map), SEPX_OK);
    CHECK(isomorphic == truth, "seed %" PRIu64, seed);
    CHECK(same_key(key_of(a), key_of(b)) == truth, "seed %" PRIu64, seed);
    if (truth)
        CHECK(oracle_is_isomorphism(a, b, map), "seed %" PRIu64, seed);
    return truth;
}

/* Kind k of eight: undirected, with self-loops, with parallel edges. */
static struct draw_kind
kind_of(uint64_t k)
{
    return (struct draw_kind){.undirected = k & 1,
                              .loops = k & 2 ? 0.3 : 0,
                              .parallel = k & 4 ? 0.3 : 0};
}

/* Few labels and few nodes, so that both answers are frequent. */
static void
small_graphs_agree_with_the_oracle(void **state)
{
    struct sepx_names *names = sepx_names_new();
    struct sepx_graph a = {.names = names}, b = {.names = names};
    unsigned n_true = 0, n_false = 0;

    (void)state;
    for (uint64_t seed = 0; seed < 12000; seed++) {
        struct sepx_rng rng;
        struct draw_options options = {.density = 0.3};
        const struct draw_kind kind = kind_of(seed < 6000 ? 0 : seed % 8);

        sepx_rng_init(&rng, seed, 0, 0, 0);
        options.n_nodes = sepx_rng_below(&rng, 6) + 1;
        options.node_labels = 1 + sepx_rng_below(&rng, 2);
        options.edge_labels = sepx_rng_below(&rng, 4);
        options.acyclic = sepx_rng_chance(&rng, 0.5);
        options.n_nodes -= options.n_nodes > 3 && sepx_rng_chance(&rng, 0.7);
        draw_any_graph(&a, names, &options, &kind, &rng);
        draw_any_graph(&b, names, &options, &kind, &rng);
        if (check_pair(&a, &b, seed))
            n_true++;
        else
            n_false++;
    }
    CHECK(n_true > 300 && n_false > 300, "%u and %u", n_true, n_false);
    sepx_graph_release(&a);
    sepx_graph_release(&b);
    sepx_names_free(names);
}

/* A permuted copy with one edge moved or one label changed: near misses. */
static void
near_misses_agree_with_the_oracle(void **state)
{
    struct sepx_names *names = sepx_names_new();
    struct sepx_graph a = {.names = names}, b = {.names = names};
    struct draw_options options = {6, 2, 2, 0.4, false};

    (void)state;
    for (uint64_t seed = 0; seed < 1500; seed++) {
        struct sepx_rng rng;
        uint32_t order[6];

        sepx_rng_init(&rng, seed, 1, 0, 0);
        const struct draw_kind kind = {.undirected = seed % 2};

        options.edge_labels = sepx_rng_below(&rng, 3);
        draw_any_graph(&a, names, &options, &kind, &rng);
        draw_order(order, 6, &rng);
        assert_int_equal(sepx_graph_permute(&b, &a, order), SEPX_OK);
        if (b.n_edges && sepx_rng_chance(&rng, 0.7)) {
            struct sepx_edge *edge = &b.edge[sepx_rng_below(&rng, b.n_edges)];

            if (options.edge_labels)
                edge->label = b.edge[0].label;
            else
                sepx_graph_remove_edge(&b, edge->from, edge->to);
            if (sepx_graph_add_edge(&b, sepx_rng_below(&rng, 6),
                                    sepx_rng_below(&rng, 6), 0))
                continue;
        }
        check_pair(&a, &b, seed);
    }
    sepx_graph_release(&a);
    sepx_graph_release(&b);
    sepx_names_free(names);
}

/* Permuted copies: equal forms by the order, equal keys, a true map. */
static void
check_copies(const struct draw_options *options, const struct draw_kind *kind,
             uint64_t seed, int copies)
{
    uint32_t n = options->n_nodes;
    struct sepx_names *names = sepx_names_new();
    struct sepx_graph a = {.names = names}, b = {0}, form_a = {0}, form_b = {0};
    uint32_t *order = malloc((n + 1) * sizeof(*order));
    struct sepx_rng rng;
    bool isomorphic = false;

    sepx_rng_init(&rng, seed, 2, 0, 0);
    draw_any_graph(&a, names, options, kind, &rng);
    assert_int_equal(sepx_graph_canon(&a, order, NULL), SEPX_OK);
    assert_int_equal(sepx_graph_permute(&form_a, &a, order), SEPX_OK);
    for (int i = 0; i < copies; i++) {
        draw_order(order, n, &rng);
        assert_int_equal(sepx_graph_permute(&b, &a, order), SEPX_OK);
        CHECK(same_key(key_of(&a), key_of(&b)), "seed %" PRIu64, seed);
        assert_int_equal(sepx_graph_canon(&b, order, NULL), SEPX_OK);
        assert_int_equal(sepx_graph_permute(&form_b, &b, order), SEPX_OK);
        CHECK(sepx_graph_equal(&form_a, &form_b), "seed %" PRIu64, seed);
        assert_int_equal(sepx_graph_isomorphic(&a, &b, &isomorphic, order),
                         SEPX_OK);
        CHECK(isomorphic, "seed %" PRIu64, seed);
        CHECK(oracle_is_isomorphism(&a, &b, order), "seed %" PRIu64, seed);
    }
    sepx_graph_release(&a);
    sepx_graph_release(&b);
    sepx_graph_release(&form_a);
    sepx_graph_release(&form_b);
    sepx_names_free(names);
    free(order);
}

static void
permuted_copies_are_isomorphic(void **state)
{
    static const struct draw_options cases[] = {
        {0, 1, 0, 0, false},      {1, 1, 0, 0, false},
        {12, 3, 0, 0.3, true},    {12, 1, 3, 0.05, true},
        {40, 1, 0, 0.02, false},  {63, 2, 2, 0.02, false},
        {64, 1, 0, 0.02, true},   {64, 1, 0, 0, false},
        {64, 2, 5, 0.01, false},  {65, 1, 0, 0.01, true},
        {300, 1, 0, 0.003, true}, {300, 2, 7, 0.002, false},
        {300, 3, 0, 0.5, false},  {300, 1, 0, 0, false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        for (uint64_t seed = 0; seed < rounds(10); seed++) {
            const struct draw_kind kind = kind_of(seed < 3 ? 0 : seed - 2);

            check_copies(&cases[i], &kind, seed, 2);
        }
}

/* Many isolated nodes, leaves and equal layers: twins, told apart by rank. */
static void
twins_do_not_change_the_form(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 150; seed++) {
        struct draw_options options = {66 + (uint32_t)seed % 40, 1,
                                       (uint32_t)seed % 3, 0.012, seed % 2};

        const struct draw_kind kind = kind_of(seed % 5 ? 0 : seed / 5 % 8);

        check_copies(&options, &kind, 100 + seed, 1);
    }
}

/* Two hubs and 100 leaves; the hubs miss the same leaf or different ones. */
static void
wide_layers_are_compared_fast(void **state)
{
    struct sepx_names *names = sepx_names_new();
    struct sepx_graph a = {.names = names}, b = {0};
    uint32_t map[102];
    bool isomorphic;

    (void)state;
    for (unsigned i = 0; i < 102; i++)
        assert_int_equal(sepx_graph_add_node(&a, 0), SEPX_OK);
    for (unsigned i = 2; i < 102; i++) {
        assert_int_equal(sepx_graph_add_edge(&a, 0, i, 0), SEPX_OK);
        assert_int_equal(sepx_graph_add_edge(&a, 1, i, 0), SEPX_OK);
    }
    assert_int_equal(sepx_graph_copy(&b, &a), SEPX_OK);
    sepx_graph_remove_edge(&a, 0, 7);
    sepx_graph_remove_edge(&a, 1, 7);
    sepx_graph_remove_edge(&b, 0, 9);
    sepx_graph_remove_edge(&b, 1, 8);
    assert_int_equal(sepx_graph_isomorphic(&a, &b, &isomorphic, map), SEPX_OK);
    assert_false(isomorphic);
    assert_int_equal(sepx_graph_add_edge(&b, 1, 8, 0), SEPX_OK);
    sepx_graph_remove_edge(&b, 1, 9);
    assert_int_equal(sepx_graph_isomorphic(&a, &b, &isomorphic, map), SEPX_OK);
    assert_true(isomorphic);
    assert_true(oracle_is_isomorphism(&a, &b, map));
    sepx_graph_release(&a);
    sepx_graph_release(&b);
    sepx_names_free(names);
}

/* Colours alone cannot tell these: two cycles of 3 against one of 6. */
static void
regular_graphs_are_told_apart(void **state)
{
    static const char *const label[] = {"", "", "", "", "", ""};
    static const unsigned one[][2] = {{0, 1}, {1, 2}, {2, 3},
                                      {3, 4}, {4, 5}, {5, 0}};
    static const unsigned two[][2] = {{0, 1}, {1, 2}, {2, 0},
                                      {3, 4}, {4, 5}, {5, 3}};
    struct sepx_names *names = sepx_names_new();
    struct sepx_graph a = {0}, b = {0};

    (void)state;
    build_graph(&a, names, label, 6, one, 6);
    build_graph(&b, names, label, 6, two, 6);
    assert_false(check_pair(&a, &b, 0));
    assert_true(check_pair(&b, &b, 0));
    sepx_graph_release(&a);
    sepx_graph_release(&b);
    sepx_names_free(names);
}

/* The same graph through tables filled in another order. */
static void
keys_do_not_depend_on_label_numbers(void **state)
{
    static const char *const texts[] = {"n0", "n1", "e0", "zz", "e1",
                                        "aa", "n2", "e2", "b"};
    struct draw_options options = {9, 3, 3, 0.2, false};

    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct sepx_names *first = sepx_names_new();
        struct sepx_names *second = sepx_names_new();
        struct sepx_graph a = {0}, b = {0};
        struct sepx_rng rng;
        uint32_t order[9];
        uint16_t id;
        bool isomorphic;

        sepx_rng_init(&rng, seed, 3, 0, 0);
        draw_order(order, 9, &rng);
        for (int i = 0; i < 9; i++)
            assert_int_equal(sepx_names_add(second, &id, texts[order[i]]),
                             SEPX_OK);
        options.density = seed % 2 ? 0.2 : 0.03;
        sepx_rng_init(&rng, seed, 4, 0, 0);
        draw_graph(&a, first, &options, &rng);
        sepx_rng_init(&rng, seed, 4, 0, 0);
        draw_graph(&b, second, &options, &rng);
        CHECK(sepx_graph_equal(&a, &b), "seed %" PRIu64, seed);
        CHECK(same_key(key_of(&a), key_of(&b)), "seed %" PRIu64, seed);
        assert_int_equal(sepx_graph_isomorphic(&a, &b, &isomorphic, order),
                         SEPX_OK);
        CHECK(isomorphic, "seed %" PRIu64, seed);
        CHECK(oracle_is_isomorphism(&a, &b, order), "seed %" PRIu64, seed);
        sepx_graph_release(&a);
        sepx_graph_release(&b);
        sepx_names_free(first);
        sepx_names_free(second);
    }
}

/* All edges "x" against all edges "y" against none. */
static void
the_one_edge_label_counts(void **state)
{
    struct sepx_names *names = sepx_names_new();
    struct sepx_graph a = {0}, b = {0};
    static const char *const label[] = {"a", "a", "a"};
    static const unsigned edge[][2] = {{0, 1}, {0, 2}};
    uint16_t x, y;

    (void)state;
    assert_int_equal(sepx_names_add(names, &x, "x"), SEPX_OK);
    assert_int_equal(sepx_names_add(names, &y, "y"), SEPX_OK);
    build_graph(&a, names, label, 3, edge, 2);
    build_graph(&b, names, label, 3, edge, 2);
    a.edge[0].label = a.edge[1].label = x;
    assert_false(check_pair(&a, &b, 0));
    b.edge[0].label = b.edge[1].label = y;
    assert_false(check_pair(&a, &b, 0));
    b.edge[0].label = x;
    assert_false(check_pair(&a, &b, 0));
    b.edge[1].label = x;
    assert_true(check_pair(&a, &b, 0));
    sepx_graph_release(&a);
    sepx_graph_release(&b);
    sepx_names_free(names);
}

/* Stored keys must keep their meaning; the graph needs no nauty. */
static void
a_key_is_pinned(void **state)
{
    static const char *const label[] = {"input", "conv3x3", "output"};
    static const unsigned edge[][2] = {{0, 1}, {0, 2}, {1, 2}};
    struct sepx_names *names = sepx_names_new();
    struct sepx_graph graph = {0};
    char text[40];
    struct sepx_key key;

    (void)state;
    build_graph(&graph, names, label, 3, edge, 3);
    key = key_of(&graph);
    (void)snprintf(text, sizeof(text), "%016" PRIx64 "%016" PRIx64, key.high,
                   key.low);
    assert_string_equal(text, "f9a5f71fc30a5e461016f0942db96d50");
    sepx_graph_release(&graph);
    sepx_names_free(names);
}

/* A directed graph, its undirected twin, a loop and a double edge. */
static void
kinds_of_edges_are_told_apart(void **state)
{
    struct sepx_names *names = sepx_names_new();
    struct sepx_graph graph[5] = {{0}};
    bool same;

    (void)state;
    for (unsigned i = 0; i < 5; i++) {
        static const unsigned edges[5][2][2] = {{{0, 1}, {1, 0}},
                                                {{0, 1}, {1, 0}},
                                                {{0, 1}, {0, 1}},
                                                {{0, 0}, {0, 1}},
                                                {{0, 0}, {0, 0}}};

        graph[i].names = names;
        for (unsigned k = 0; k < 2; k++)
            assert_int_equal(sepx_graph_add_node(&graph[i], 0), SEPX_OK);
        graph[i].undirected = i == 1;
        for (unsigned k = 0; k < 2; k++)
            assert_int_equal(sepx_graph_add_parallel(&graph[i], edges[i][k][0],
                                                     edges[i][k][1], 0),
                             SEPX_OK);
    }
    for (unsigned i = 0; i < 5; i++)
        for (unsigned k = 0; k < 5; k++) {
            assert_int_equal(
                sepx_graph_isomorphic(&graph[i], &graph[k], &same, NULL),
                SEPX_OK);
            assert_int_equal(same, i == k);
            assert_int_equal(same_key(key_of(&graph[i]), key_of(&graph[k])),
                             i == k);
        }
    for (unsigned i = 0; i < 5; i++)
        sepx_graph_release(&graph[i]);
    sepx_names_free(names);
}

static void
every_allocation_may_fail(void **state)
{
    static const struct draw_options cases[] = {
        {12, 1, 3, 0.05, false}, {70, 1, 0, 0.01, true}, {70, 2, 3, 0.1, true}};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct sepx_names *names = sepx_names_new();
        struct sepx_graph graph = {0};
        struct sepx_rng rng;
        struct sepx_key key;
        bool isomorphic;

        sepx_rng_init(&rng, i, 5, 0, 0);
        draw_graph(&graph, names, &cases[i], &rng);
        EACH_FAULT (fault) {
            fault.err = sepx_graph_canon(&graph, NULL, &key);
            if (!fault.err)
                fault.err =
                    sepx_graph_isomorphic(&graph, &graph, &isomorphic, NULL);
        }
        sepx_graph_release(&graph);
        sepx_names_free(names);
    }
}

struct shared {
    struct sepx_graph *graph;
    struct sepx_key *key;
};

static enum sepx_err
hash_one(void *context, unsigned worker, size_t index)
{
    const struct shared *shared = context;
    struct sepx_key key;
    enum sepx_err err = sepx_graph_canon(&shared->graph[index], NULL, &key);

    (void)worker;
    if (!err && !same_key(key, shared->key[index]))
        err = SEPX_EDATA;
    return err;
}

static void
threads_do_not_disturb_each_other(void **state)
{
    enum { COUNT = 3000 };
    struct sepx_names *names = sepx_names_new();
    struct shared shared = {calloc(COUNT, sizeof(*shared.graph)),
                            calloc(COUNT, sizeof(*shared.key))};
    struct sepx_rng rng;

    (void)state;
    sepx_rng_init(&rng, 1, 6, 0, 0);
    for (uint32_t i = 0; i < COUNT; i++) {
        struct draw_options options = {i % 90, 1, i % 3, 0.03, false};

        draw_graph(&shared.graph[i], names, &options, &rng);
        shared.key[i] = key_of(&shared.graph[i]);
    }
    assert_int_equal(sepx_parallel(4, COUNT, hash_one, &shared), SEPX_OK);
    for (uint32_t i = 0; i < COUNT; i++)
        sepx_graph_release(&shared.graph[i]);
    free(shared.graph);
    free(shared.key);
    sepx_names_free(names);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_graphs_agree_with_the_oracle),
        cmocka_unit_test(near_misses_agree_with_the_oracle),
        cmocka_unit_test(permuted_copies_are_isomorphic),
        cmocka_unit_test(twins_do_not_change_the_form),
        cmocka_unit_test(wide_layers_are_compared_fast),
        cmocka_unit_test(regular_graphs_are_told_apart),
        cmocka_unit_test(keys_do_not_depend_on_label_numbers),
        cmocka_unit_test(the_one_edge_label_counts),
        cmocka_unit_test(a_key_is_pinned),
        cmocka_unit_test(kinds_of_edges_are_told_apart),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(threads_do_not_disturb_each_other),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
