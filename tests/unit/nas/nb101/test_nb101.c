/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/space_fixture.h"

#include <stdio.h>
#include <string.h>

#include "oracle/oracle_draw.h"

#define SEED 101

static int
open_all(void **state)
{
    return open_space(state, "nb101", SEED);
}

static void
load_optimum(struct fixture *f)
{
    assert_int_equal(sepx_space_target(f->space, &f->graph, "optimum", &f->msg),
                     SEPX_OK);
}

static void
invalid_cells_say_why(void **state)
{
    struct fixture *f = *state;

    load_optimum(f);
    assert_int_equal(sepx_graph_add_edge(&f->graph, 1, 6, 0), SEPX_OK);
    assert_false(is_valid(f));
    assert_string_equal(f->msg.text, "10 live edges; a cell has at most 9");
    load_optimum(f);
    sepx_graph_remove_edge(&f->graph, 0, 6);
    sepx_graph_remove_edge(&f->graph, 5, 6);
    assert_false(is_valid(f));
    assert_string_equal(f->msg.text, "no path from the input to the output");
    load_optimum(f);
    f->graph.label[1] = f->graph.label[0];
    assert_false(is_valid(f));
    assert_string_equal(f->msg.text,
                        "2 inputs and 1 outputs; a cell has one each");
    load_optimum(f);
    f->graph.label[1] = f->graph.label[2] = f->graph.label[3];
    sepx_graph_remove_edge(&f->graph, 0, 1);
    assert_int_equal(sepx_graph_add_edge(&f->graph, 1, 0, 0), SEPX_OK);
    assert_false(is_valid(f));
    assert_string_equal(f->msg.text, "an edge leads to the input");
    load_optimum(f);
    sepx_graph_remove_edge(&f->graph, 4, 5);
    assert_int_equal(sepx_graph_add_edge(&f->graph, 6, 4, 0), SEPX_OK);
    assert_false(is_valid(f));
    assert_string_equal(f->msg.text, "an edge leaves the output");
}

/* Dead edges do not count, and are gone after pruning. */
static void
pruning_leaves_what_is_live(void **state)
{
    struct fixture *f = *state;

    load_optimum(f);
    sepx_graph_remove_edge(&f->graph, 1, 5);
    assert_int_equal(sepx_graph_add_edge(&f->graph, 1, 2, 0), SEPX_OK);
    sepx_graph_remove_edge(&f->graph, 2, 3);
    assert_true(is_valid(f));
    assert_int_equal(sepx_space_prune(f->space, &f->other, &f->graph), SEPX_OK);
    assert_int_equal(f->other.n_nodes, 3);
    assert_int_equal(f->other.n_edges, 3);
    assert_int_equal(sepx_space_plain(f->space, &f->other, &f->graph), SEPX_OK);
    assert_true(sepx_graph_equal(&f->other, &f->graph));
}

/* A fresh cell's edges are fair coins, but for the condition of validity. */
static void
samples_have_seven_nodes(void **state)
{
    struct fixture *f = *state;
    double edges = 0;

    for (unsigned i = 0; i < 2000; i++) {
        assert_int_equal(sepx_space_sample(f->space, &f->graph, &f->rng),
                         SEPX_OK);
        assert_int_equal(f->graph.n_nodes, 7);
        for (uint32_t k = 0; k < f->graph.n_edges; k++)
            assert_true(f->graph.edge[k].from < f->graph.edge[k].to);
        edges += f->graph.n_edges;
    }
    CHECK(edges / 2000 > 8 && edges / 2000 < 10.5, "%g", edges / 2000);
}

/*
 * Published mutation changes nothing with probability (6/7)^21 (4/5)^5 =
 * 0.0129 before the condition of validity, which raises it.
 */
static void
some_published_mutants_are_copies(void **state)
{
    struct fixture *f = *state;
    const struct sepx_rules rules = {0};
    unsigned same = 0, draws = 20000;

    load_optimum(f);
    for (unsigned i = 0; i < draws; i++) {
        assert_int_equal(
            sepx_space_mutate(f->space, &f->other, &f->graph, &rules, &f->rng),
            SEPX_OK);
        same += sepx_graph_equal(&f->graph, &f->other);
    }
    CHECK(same > 0.013 * draws && same < 0.08 * draws, "%u", same);
}

/* With dangling=avoid few mutants dangle; under published rules most do. */
static void
dangling_mutants_are_avoided(void **state)
{
    struct fixture *f = *state;
    struct sepx_rules rules;
    unsigned live[2] = {0};

    assert_int_equal(
        sepx_rules_preset(&rules, "plain", "nb101", "mutation", NULL), SEPX_OK);
    for (unsigned k = 0; k < 2; k++) {
        load_optimum(f);
        for (unsigned i = 0; i < 1000; i++) {
            assert_int_equal(sepx_space_mutate(f->space, &f->other, &f->graph,
                                               &rules, &f->rng),
                             SEPX_OK);
            assert_int_equal(sepx_space_prune(f->space, &f->graph, &f->other),
                             SEPX_OK);
            live[k] += f->graph.n_nodes == f->other.n_nodes;
            load_optimum(f);
        }
        rules = (struct sepx_rules){0};
    }
    CHECK(live[0] > 950 && live[1] < 600, "%u and %u", live[0], live[1]);
}

/* The law of mutants is that of the parent's isomorphism class. */
static void
mutation_does_not_see_the_order(void **state)
{
    struct fixture *f = *state;
    struct sepx_rules rules;
    unsigned edges[2][32] = {{0}};
    double chi = 0;

    assert_int_equal(
        sepx_rules_preset(&rules, "default", "nb101", "mutation", NULL),
        SEPX_OK);
    for (unsigned k = 0; k < 2; k++) {
        const uint32_t order[2][7] = {{0, 1, 2, 3, 4, 5, 6},
                                      {0, 2, 3, 4, 1, 5, 6}};
        struct sepx_graph parent = {0};

        load_optimum(f);
        assert_int_equal(sepx_graph_permute(&parent, &f->graph, order[k]),
                         SEPX_OK);
        for (unsigned i = 0; i < 4000; i++) {
            assert_int_equal(sepx_space_mutate(f->space, &f->other, &parent,
                                               &rules, &f->rng),
                             SEPX_OK);
            edges[k][f->other.n_edges]++;
        }
        sepx_graph_release(&parent);
    }
    for (unsigned i = 0; i < 32; i++) {
        double a = edges[0][i], b = edges[1][i];

        if (a + b > 0)
            chi += (a - b) * (a - b) / (a + b);
    }
    CHECK(chi < 35, "chi-square %g with less than 20 degrees", chi);
}

/* A small cell gains bare nodes when it is mutated or coded. */
static void
small_cells_are_welcome(void **state)
{
    struct fixture *f = *state;
    const struct sepx_rules rules = {.differ = true, .reorder = true};
    uint16_t value[26];
    bool valid;

    load_optimum(f);
    for (uint32_t i = 0; i < 4; i++)
        sepx_graph_remove_node(&f->graph, 1);
    assert_true(is_valid(f));
    assert_int_equal(sepx_space_encode(f->space, value, &f->graph), SEPX_OK);
    assert_int_equal(
        sepx_space_decode(f->space, &f->other, &valid, value, NULL), SEPX_OK);
    assert_true(valid && f->other.n_nodes == 7 && f->other.n_edges == 3);
    for (unsigned i = 0; i < 100; i++)
        assert_int_equal(
            sepx_space_mutate(f->space, &f->other, &f->graph, &rules, &f->rng),
            SEPX_OK);
    assert_int_equal(f->other.n_nodes, 7);
}

static void
vectors_are_those_of_the_benchmark(void **state)
{
    struct fixture *f = *state;
    uint16_t value[26] = {0};
    char room[16];
    bool valid;

    assert_int_equal(sepx_space_variables(f->space), 26);
    assert_int_equal(sepx_space_choices(f->space, 4), 3);
    assert_int_equal(sepx_space_choices(f->space, 5), 2);
    assert_int_equal(sepx_space_choices(f->space, 26), 0);
    assert_string_equal(sepx_space_variable(f->space, 0, room), "op1");
    assert_string_equal(sepx_space_variable(f->space, 5, room), "edge0-1");
    assert_string_equal(sepx_space_variable(f->space, 10, room), "edge0-6");
    assert_string_equal(sepx_space_variable(f->space, 11, room), "edge1-2");
    assert_string_equal(sepx_space_variable(f->space, 25, room), "edge5-6");
    value[0] = 0;
    value[1] = 1;
    value[2] = 2;
    value[10] = 1;
    assert_int_equal(
        sepx_space_decode(f->space, &f->graph, &valid, value, &f->msg),
        SEPX_OK);
    assert_true(valid);
    assert_string_equal(sepx_names_text(f->graph.names, f->graph.label[1]),
                        "conv1x1-bn-relu");
    assert_string_equal(sepx_names_text(f->graph.names, f->graph.label[2]),
                        "conv3x3-bn-relu");
    assert_string_equal(sepx_names_text(f->graph.names, f->graph.label[3]),
                        "maxpool3x3");
    for (unsigned i = 5; i < 15; i++)
        value[i] = 1;
    assert_int_equal(
        sepx_space_decode(f->space, &f->graph, &valid, value, &f->msg),
        SEPX_OK);
    assert_false(valid);
    assert_string_equal(f->msg.text, "10 edges; a vector has at most 9");
    value[3] = 3;
    assert_int_equal(
        sepx_space_decode(f->space, &f->graph, &valid, value, &f->msg),
        SEPX_EINVAL);
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, open_all, close_all)
    const struct CMUnitTest tests[] = {
        T(invalid_cells_say_why),        T(pruning_leaves_what_is_live),
        T(samples_have_seven_nodes),     T(some_published_mutants_are_copies),
        T(dangling_mutants_are_avoided), T(mutation_does_not_see_the_order),
        T(small_cells_are_welcome),      T(vectors_are_those_of_the_benchmark),
    };

    print_message("seed %d\n", SEED);
    return cmocka_run_group_tests_name("nb101", tests, NULL, NULL);
}
