/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/space_fixture.h"

#include <string.h>

#define SEED 301

static int
open_all(void **state)
{
    int failed = open_space(state, "darts", SEED);
    struct fixture *f = *state;

    return failed || sepx_space_sample(f->space, &f->graph, &f->rng);
}

static void
two_cells_are_one_graph(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(f->graph.n_nodes, 14);
    assert_int_equal(f->graph.n_edges, 24);
    for (uint32_t i = 0; i < 24; i++)
        assert_int_equal(f->graph.edge[i].from / 7, f->graph.edge[i].to / 7);
}

static void
invalid_graphs_say_why(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(sepx_graph_copy(&f->other, &f->graph), SEPX_OK);
    sepx_graph_remove_edge(&f->graph, 2, 6);
    assert_false(is_valid(f));
    assert_string_equal(f->msg.text, "node 6 has 3 inputs, not 4");
    assert_int_equal(sepx_graph_add_edge(&f->graph, 2, 13, 0), SEPX_OK);
    assert_false(is_valid(f));
    assert_string_equal(f->msg.text, "edge 2-13 joins the two cells");
    assert_int_equal(sepx_graph_copy(&f->graph, &f->other), SEPX_OK);
    sepx_graph_find_edge(&f->graph, 0, 2)->label = 0;
    assert_false(is_valid(f));
    assert_string_equal(f->msg.text, "edge 0-2 has no operation");
    assert_int_equal(sepx_graph_copy(&f->graph, &f->other), SEPX_OK);
    f->graph.label[3] = f->graph.label[10];
    assert_false(is_valid(f));
    assert_string_equal(f->msg.text, "3 nodes 'normal', not 4");
}

/* One input of each cell: two or four edits in all. */
static void
mutation_changes_both_cells(void **state)
{
    struct fixture *f = *state;
    struct sepx_ged_options options = {0};
    struct sepx_rules rules = {0};
    struct sepx_ged *ged;

    options.pinned = sepx_space_pinned(f->space, &options.n_pinned);
    assert_int_equal(options.n_pinned, 8);
    assert_int_equal(sepx_ged_new(&ged, &options), SEPX_OK);
    for (unsigned i = 0; i < 300; i++) {
        struct sepx_ged_result result;

        assert_int_equal(
            sepx_space_mutate(f->space, &f->other, &f->graph, &rules, &f->rng),
            SEPX_OK);
        assert_int_equal(
            sepx_ged_between(ged, &result, &f->graph, &f->other, NULL),
            SEPX_OK);
        assert_in_range((int)result.upper, 0, 4);
        assert_false(sepx_graph_equal(&f->graph, &f->other));
    }
    sepx_ged_free(ged);
}

static void
a_vector_names_no_source_twice(void **state)
{
    struct fixture *f = *state;
    uint16_t value[32];
    char room[16];
    bool valid;

    assert_int_equal(sepx_space_variables(f->space), 32);
    assert_int_equal(sepx_space_choices(f->space, 0), 7);
    assert_int_equal(sepx_space_choices(f->space, 1), 2);
    assert_int_equal(sepx_space_choices(f->space, 15), 5);
    assert_int_equal(sepx_space_choices(f->space, 17), 2);
    assert_string_equal(sepx_space_variable(f->space, 0, room), "n2a-op");
    assert_string_equal(sepx_space_variable(f->space, 31, room), "r5b-from");
    assert_int_equal(sepx_space_encode(f->space, value, &f->graph), SEPX_OK);
    assert_int_equal(
        sepx_space_decode(f->space, &f->other, &valid, value, NULL), SEPX_OK);
    assert_true(valid && sepx_graph_equal(&f->graph, &f->other));
    value[17] = value[19];
    assert_int_equal(
        sepx_space_decode(f->space, &f->other, &valid, value, &f->msg),
        SEPX_OK);
    assert_false(valid);
    assert_string_equal(f->msg.text,
                        "node 2 of the reduction cell has one input twice");
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, open_all, close_all)
    const struct CMUnitTest tests[] = {
        T(two_cells_are_one_graph),
        T(invalid_graphs_say_why),
        T(mutation_changes_both_cells),
        T(a_vector_names_no_source_twice),
    };

    print_message("seed %d\n", SEED);
    return cmocka_run_group_tests_name("darts", tests, NULL, NULL);
}
