/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/space_fixture.h"

#include <string.h>

#define SEED 2022
#define DRAWS 3000

static int
open_all(void **state)
{
    return open_space(state, "nbnlp", SEED);
}

static void
load(struct fixture *f, const char *target)
{
    assert_int_equal(sepx_space_target(f->space, &f->graph, target, &f->msg),
                     SEPX_OK);
}

static uint32_t
find(const struct fixture *f, const char *label)
{
    uint32_t i = 0;

    while (strcmp(sepx_names_text(f->graph.names, f->graph.label[i]), label))
        i++;
    return i;
}

static void
targets_are_the_published_ones_without_marks(void **state)
{
    struct fixture *f = *state;

    load(f, "gru");
    assert_int_equal(f->graph.n_nodes, 11);
    assert_int_equal(sepx_space_plain(f->space, &f->other, &f->graph), SEPX_OK);
    assert_int_equal(f->other.n_nodes, 10);
    assert_int_equal(f->other.n_edges, 14);
    load(f, "lstm");
    assert_int_equal(sepx_space_plain(f->space, &f->other, &f->graph), SEPX_OK);
    assert_int_equal(f->other.n_nodes, 16);
    assert_int_equal(f->other.n_edges, 21);
}

/* Published: 6 to 12 nodes, mean about 9; 9.8 edges (1,500 samples). */
static void
samples_are_as_large_as_published(void **state)
{
    struct fixture *f = *state;
    double nodes = 0, edges = 0;

    for (unsigned i = 0; i < DRAWS; i++) {
        assert_int_equal(sepx_space_sample(f->space, &f->graph, &f->rng),
                         SEPX_OK);
        assert_int_equal(sepx_space_plain(f->space, &f->other, &f->graph),
                         SEPX_OK);
        assert_in_range(f->other.n_nodes, 5, 12);
        nodes += f->other.n_nodes;
        edges += f->other.n_edges;
    }
    CHECK(fabs(nodes / DRAWS - 9) < 0.4, "%g nodes", nodes / DRAWS);
    CHECK(fabs(edges / DRAWS - 9.8) < 0.3, "%g edges", edges / DRAWS);
}

/* Published: 22 % of the mutants of random cells are isomorphic to them. */
static void
a_fifth_of_published_mutants_is_no_news(void **state)
{
    struct fixture *f = *state;
    struct sepx_graph plain = {0};
    struct sepx_rules rules;
    unsigned same = 0;

    assert_int_equal(
        sepx_rules_preset(&rules, "published", "nbnlp", "mutation", NULL),
        SEPX_OK);
    for (unsigned i = 0; i < DRAWS; i++) {
        bool isomorphic;

        assert_int_equal(sepx_space_sample(f->space, &f->graph, &f->rng),
                         SEPX_OK);
        assert_int_equal(
            sepx_space_mutate(f->space, &f->other, &f->graph, &rules, &f->rng),
            SEPX_OK);
        assert_int_equal(sepx_space_plain(f->space, &plain, &f->other),
                         SEPX_OK);
        assert_int_equal(sepx_space_plain(f->space, &f->other, &f->graph),
                         SEPX_OK);
        assert_int_equal(
            sepx_graph_isomorphic(&plain, &f->other, &isomorphic, NULL),
            SEPX_OK);
        same += isomorphic;
    }
    CHECK(fabs((double)same / DRAWS - 0.22) < 0.03, "%u of %d", same, DRAWS);
    sepx_graph_release(&plain);
}

/* An input that is named twice is one edge to the published distance. */
static void
published_mutants_keep_double_inputs(void **state)
{
    struct fixture *f = *state;
    struct sepx_rules rules;
    unsigned doubles = 0;

    assert_int_equal(
        sepx_rules_preset(&rules, "published", "nbnlp", "mutation", NULL),
        SEPX_OK);
    for (unsigned i = 0; i < DRAWS; i++) {
        assert_int_equal(sepx_space_sample(f->space, &f->graph, &f->rng),
                         SEPX_OK);
        assert_int_equal(
            sepx_space_mutate(f->space, &f->other, &f->graph, &rules, &f->rng),
            SEPX_OK);
        if (f->other.n_edges < f->graph.n_edges) {
            assert_int_equal(sepx_space_plain(f->space, &f->graph, &f->other),
                             SEPX_OK);
            for (uint32_t k = 0; k < f->graph.n_edges; k++)
                assert_int_equal(f->graph.edge[k].label, 0);
            doubles++;
        }
    }
    CHECK(doubles > DRAWS / 50, "%u", doubles);
}

/* Ours reaches other sizes, more and fewer states. */
static void
our_mutation_reaches_all_sizes(void **state)
{
    struct fixture *f = *state;
    struct sepx_rules rules;
    unsigned smaller = 0, larger = 0, one_state = 0;

    assert_int_equal(
        sepx_rules_preset(&rules, "default", "nbnlp", "mutation", NULL),
        SEPX_OK);
    for (unsigned i = 0; i < DRAWS; i++) {
        if (i % 20 == 0)
            load(f, "lstm");
        assert_int_equal(
            sepx_space_mutate(f->space, &f->other, &f->graph, &rules, &f->rng),
            SEPX_OK);
        assert_int_equal(sepx_graph_copy(&f->graph, &f->other), SEPX_OK);
        smaller += f->graph.n_nodes < 17;
        larger += f->graph.n_nodes > 18;
        one_state +=
            f->graph.label[2] > sepx_names_find(f->graph.names, "h_prev_1");
    }
    CHECK(smaller > DRAWS / 50 && larger > DRAWS / 50 && one_state > DRAWS / 50,
          "%u, %u and %u of %d", smaller, larger, one_state, DRAWS);
}

static void
invalid_cells_say_why(void **state)
{
    struct fixture *f = *state;
    uint32_t node;

    load(f, "gru");
    sepx_graph_remove_node(&f->graph, find(f, "h_new_0"));
    assert_false(is_valid(f));
    assert_string_equal(f->msg.text, "state 0 is read but never written");
    load(f, "lstm");
    sepx_graph_remove_node(&f->graph, find(f, "h_prev_1"));
    assert_false(is_valid(f));
    assert_string_equal(f->msg.text, "state 1 is written but never read");
    load(f, "gru");
    sepx_graph_remove_node(&f->graph, find(f, "x"));
    assert_false(is_valid(f));
    assert_string_equal(f->msg.text, "0 nodes 'x'");
    load(f, "gru");
    node = find(f, "activation_tanh");
    assert_int_equal(sepx_graph_add_edge(&f->graph, 0, node, 0), SEPX_OK);
    assert_false(is_valid(f));
    assert_string_equal(f->msg.text,
                        "node 8, activation_tanh, has too many inputs");
    load(f, "gru");
    assert_int_equal(sepx_graph_add_edge(&f->graph, node, 10, 0), SEPX_OK);
    assert_false(is_valid(f));
    assert_string_equal(f->msg.text, "node 10, h_new_0, marks no operation");
    load(f, "lstm");
    sepx_graph_remove_edge(&f->graph, 15, 16);
    assert_int_equal(sepx_graph_add_edge(&f->graph, 13, 16, 0), SEPX_OK);
    assert_false(is_valid(f));
    assert_string_equal(f->msg.text, "two new states are one node");
    load(f, "gru");
    f->graph.edge[0].label = f->graph.label[0];
    assert_false(is_valid(f));
    assert_string_equal(f->msg.text, "edge 0-2 has a label");
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, open_all, close_all)
    const struct CMUnitTest tests[] = {
        T(targets_are_the_published_ones_without_marks),
        T(samples_are_as_large_as_published),
        T(a_fifth_of_published_mutants_is_no_news),
        T(published_mutants_keep_double_inputs),
        T(our_mutation_reaches_all_sizes),
        T(invalid_cells_say_why),
    };

    print_message("seed %d\n", SEED);
    return cmocka_run_group_tests_name("nbnlp", tests, NULL, NULL);
}
