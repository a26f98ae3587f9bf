/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors of spaces of files: what is a variable, and what the limits fix. */
#include "unit/check.h"

#include <string.h>

#include "sepx/space.h"
#include "unit/custom_files.h"

#define SEED 11

/* All six edges are there; only their labels vary. As NAS-Bench-201. */
#define SPACE_LABELS \
    SPACE_HEAD \
    "\"nodes\": {" SPACE_ENDS ", \"sum\": {\"count\": 2}}, " \
    "\"edge_labels\": [\"none\", \"skip\", \"c1\", \"c3\", \"pool\"]," \
    "\"limits\": {\"nodes\": 4, \"edges\": 6}, \"connected\": \"ignored\"," \
    "\"sample\": {\"edge_probability\": 1}}"
/* A first node with one place to come from, a last one that takes all. */
#define SPACE_ENDS_FIXED \
    SPACE_HEAD \
    "\"nodes\": {" SPACE_ENDS ", \"a\": {}, \"b\": {}}, " \
    "\"limits\": {\"nodes\": 6}}"
/* No edge can be where a label takes none in; one label fills its place. */
#define SPACE_SOURCES \
    SPACE_HEAD \
    "\"nodes\": {" SPACE_ENDS ", \"a\": {\"count\": 3, \"in\": 1, " \
    "\"out\": 1}, \"b\": {\"count\": [0, 3]}}, \"limits\": {\"nodes\": 5}}"

static struct sepx_space *
open_text(const char *text)
{
    struct sepx_space *space;
    struct sepx_msg msg = {0};
    enum sepx_err err =
        sepx_space_open_text(&space, text, strlen(text), "f.json", &msg);

    CHECK(!err, "%s", msg.text);
    return space;
}

static void
test_an_edge_that_is_always_there_is_its_label(void **state)
{
    struct sepx_space *space = open_text(SPACE_LABELS);
    struct sepx_graph graph = {.names = sepx_space_names(space)};
    struct sepx_rng rng;
    uint16_t value[6];
    bool valid;

    (void)state;
    sepx_rng_init(&rng, SEED, 0, 0, 0);
    assert_int_equal(sepx_space_variables(space), 6);
    for (uint32_t v = 0; v < 6; v++)
        assert_int_equal(sepx_space_choices(space, v), 5);
    for (unsigned i = 0; i < 500; i++) {
        for (uint32_t v = 0; v < 6; v++)
            value[v] = (uint16_t)sepx_rng_below(&rng, 5);
        assert_int_equal(sepx_space_decode(space, &graph, &valid, value, NULL),
                         SEPX_OK);
        assert_true(valid);
    }
    sepx_graph_release(&graph);
    sepx_space_close(space);
}

static bool
has_variable(const struct sepx_space *space, const char *name)
{
    char room[16];

    for (uint32_t v = 0; v < sepx_space_variables(space); v++)
        if (!strcmp(sepx_space_variable(space, v, room), name))
            return true;
    return false;
}

static void
test_a_path_fixes_the_edges_that_it_needs(void **state)
{
    struct sepx_space *space = open_text(SPACE_ENDS_FIXED);

    (void)state;
    assert_false(has_variable(space, "edge0-1"));
    assert_false(has_variable(space, "edge4-5"));
    assert_true(has_variable(space, "edge0-2"));
    assert_true(has_variable(space, "op1"));
    sepx_space_close(space);
}

static void
test_a_label_without_rival_is_no_variable(void **state)
{
    struct sepx_space *space = open_text(SPACE_SOURCES);

    (void)state;
    assert_false(has_variable(space, "op1"));
    assert_false(has_variable(space, "edge0-1"));
    sepx_space_close(space);
}

/* A limit that settles too much would lose a graph here. */
static void
test_every_graph_has_its_vector(void **state)
{
    static const char *const files[] = {
        SPACE_LABELS, SPACE_ENDS_FIXED, SPACE_SOURCES, SPACE_CHAIN,
        SPACE_TIGHT,  SPACE_CYCLIC,     SPACE_LINKED,  SPACE_DEAD};

    (void)state;
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        struct sepx_space *space = open_text(files[f]);
        struct sepx_graph graph = {0}, back = {0};
        struct sepx_rng rng;
        uint16_t value[256];
        bool valid, same;

        sepx_rng_init(&rng, SEED, (uint32_t)f, 0, 0);
        for (unsigned i = 0; i < 300 && sepx_space_variables(space); i++) {
            assert_int_equal(sepx_space_sample(space, &graph, &rng), SEPX_OK);
            assert_int_equal(sepx_space_encode(space, value, &graph), SEPX_OK);
            assert_int_equal(
                sepx_space_decode(space, &back, &valid, value, NULL), SEPX_OK);
            CHECK(valid, "file %zu, graph %u, seed %d", f, i, SEED);
            assert_int_equal(sepx_graph_isomorphic(&graph, &back, &same, NULL),
                             SEPX_OK);
            CHECK(same || back.n_nodes > graph.n_nodes,
                  "file %zu, graph %u, seed %d", f, i, SEED);
        }
        sepx_graph_release(&graph);
        sepx_graph_release(&back);
        sepx_space_close(space);
    }
}

static void
test_a_graph_larger_than_any_vector_has_none(void **state)
{
    struct sepx_space *space =
        open_text(SPACE_HEAD "\"nodes\": {" SPACE_ENDS ", \"a\": {}}, "
                             "\"connected\": \"pruned\", \"limits\": "
                             "{\"nodes\": [2, 8]}, \"sample\": {\"nodes\": "
                             "[2, 4]}}");
    struct sepx_graph graph = {.names = sepx_space_names(space)};
    uint16_t value[256];
    bool valid;

    (void)state;
    assert_true(sepx_space_variables(space) > 0);
    assert_int_equal(sepx_graph_add_node(&graph, 1), SEPX_OK);
    for (unsigned i = 1; i < 7; i++) {
        assert_int_equal(sepx_graph_add_node(&graph, i < 6 ? 3 : 2), SEPX_OK);
        assert_int_equal(sepx_graph_add_edge(&graph, i - 1, i, 0), SEPX_OK);
    }
    assert_int_equal(sepx_space_check(space, &valid, &graph, NULL), SEPX_OK);
    assert_true(valid);
    assert_int_equal(sepx_space_encode(space, value, &graph), SEPX_EINVAL);
    sepx_graph_release(&graph);
    sepx_space_close(space);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_edge_that_is_always_there_is_its_label),
        cmocka_unit_test(test_a_path_fixes_the_edges_that_it_needs),
        cmocka_unit_test(test_a_label_without_rival_is_no_variable),
        cmocka_unit_test(test_every_graph_has_its_vector),
        cmocka_unit_test(test_a_graph_larger_than_any_vector_has_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
