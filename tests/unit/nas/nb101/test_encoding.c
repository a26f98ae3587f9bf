/* SPDX-License-Identifier: Apache-2.0 */
/* Path encoding: by hand, against all subsets of nodes, and back. */
#include "unit/check.h"

#include <string.h>

#include "vary/internal.h"
#include "nas/nb101/encoding.h"

struct fixture {
    struct sepx_space *space;
    struct sepx_cross *cross;
    const struct sepx__path_table *table; /* of `cross` */
};

static int
open_all(void **state)
{
    static struct fixture f;
    struct sepx_rules rules;
    int err = sepx_space_open(&f.space, "nb101", NULL);

    *state = &f;
    if (!err)
        err = sepx_rules_preset(&rules, "default", "nb101", "path", NULL);
    if (!err)
        err = sepx_cross_new(&f.cross, f.space, "path", &rules, NULL);
    f.table = err ? NULL : f.cross->shared;
    return err;
}

static int
close_all(void **state)
{
    struct fixture *f = *state;

    sepx_cross_free(f->cross);
    sepx_space_close(f->space);
    return 0;
}

static bool
has(const struct sepx__path_set *set, unsigned path)
{
    return set->bits[path / 64] >> path % 64 & 1;
}

/*
 * input-output, conv3x3, conv1x1-conv3x3 and conv3x3-pool-conv3x3-conv3x3:
 * 0, 1, 2 + 3*1 and 1 + 3*3 + 9*1 + 27*1.
 */
static void
test_the_paths_of_the_optimum(void **state)
{
    const struct fixture *f = *state;
    struct sepx_graph graph = {0};
    struct sepx_nb101_cell cell, found;
    struct sepx__path_set set, again;
    uint32_t count, first, itself = 0;
    unsigned paths = 0;

    assert_int_equal(sepx_space_target(f->space, &graph, "optimum", NULL),
                     SEPX_OK);
    assert_int_equal(sepx_nb101_cell_of(&cell, f->space, &graph, NULL),
                     SEPX_OK);
    sepx__path_set_of(&set, &cell);
    for (unsigned i = 0; i < SEPX__PATHS; i++)
        paths += has(&set, i);
    assert_int_equal(paths, 4);
    assert_true(has(&set, 0) && has(&set, 1) && has(&set, 5) && has(&set, 46));
    /* And back: every cell of these paths, the optimum among them. */
    count = sepx__path_table_count(f->table, &set, &first);
    assert_true(count >= 1);
    for (uint32_t i = 0; i < count; i++) {
        sepx__path_table_get(f->table, &found, first + i);
        sepx__path_set_of(&again, &found);
        assert_memory_equal(&again, &set, sizeof set);
        itself += sepx_nb101_cell_code(&found) == sepx_nb101_cell_code(&cell);
    }
    assert_int_equal(itself, 1);
    sepx_graph_release(&graph);
}

/* A path is a set of inner nodes, in order, with an edge at every step. */
static void
slow_paths(struct sepx__path_set *set, const struct sepx_nb101_cell *cell)
{
    unsigned last = cell->nodes - 1u;

    memset(set, 0, sizeof *set);
    for (unsigned nodes = 0; nodes < 1u << (last - 1); nodes++) {
        unsigned at = 0, index = 0, place = 1;
        bool linked = true;

        for (unsigned to = 1; to <= last; to++) {
            if (to < last && !(nodes >> (to - 1) & 1))
                continue;
            linked = linked && cell->edges >> sepx_nb101_bit(at, to) & 1;
            index += to < last ? place * (cell->op[to] + 1u) : 0;
            place *= 3;
            at = to;
        }
        if (linked)
            set->bits[index / 64] |= UINT64_C(1) << index % 64;
    }
}

static void
test_paths_are_found_by_every_subset(void **state)
{
    const struct fixture *f = *state;
    struct sepx_graph graph = {0};
    struct sepx_rng rng;

    sepx_rng_init(&rng, 8, 0, 0, 0);
    for (unsigned i = 0; i < 3000; i++) {
        struct sepx_nb101_cell cell;
        struct sepx__path_set fast, slow;
        uint32_t first;

        assert_int_equal(sepx_space_sample(f->space, &graph, &rng), SEPX_OK);
        assert_int_equal(sepx_nb101_cell_of(&cell, f->space, &graph, NULL),
                         SEPX_OK);
        sepx__path_set_of(&fast, &cell);
        slow_paths(&slow, &cell);
        assert_memory_equal(&fast, &slow, sizeof fast);
        assert_true(sepx__path_table_count(f->table, &fast, &first) >= 1);
    }
    sepx_graph_release(&graph);
}

/* Nothing, and every path at once, is no cell. */
static void
test_some_sets_are_no_cells(void **state)
{
    const struct fixture *f = *state;
    struct sepx__path_set set;
    uint32_t first;

    memset(&set, 0, sizeof set);
    assert_int_equal(sepx__path_table_count(f->table, &set, &first), 0);
    memset(&set, 0xff, sizeof set);
    assert_int_equal(sepx__path_table_count(f->table, &set, &first), 0);
}

/* ---- the crossover ---- */

static void
set_of(const struct fixture *f, struct sepx__path_set *set,
       struct sepx_nb101_cell *cell, const struct sepx_graph *graph)
{
    assert_int_equal(sepx_nb101_cell_of(cell, f->space, graph, NULL), SEPX_OK);
    sepx__path_set_of(set, cell);
}

/* Shared paths stay, others come from a parent, and the child is new. */
static void
test_children_mix_the_paths(void **state)
{
    const struct fixture *f = *state;
    struct sepx_cross *copy;
    struct sepx_graph graph[4] = {0};
    struct sepx_rng rng, same;
    unsigned children = 0, taken = 0, open = 0;

    assert_int_equal(sepx_cross_copy(&copy, f->cross), SEPX_OK);
    sepx_rng_init(&rng, 21, 0, 0, 0);
    for (unsigned i = 0; i < 500; i++) {
        struct sepx_nb101_cell cell[3];
        struct sepx__path_set set[3];
        bool accepted, again;

        assert_int_equal(sepx_space_sample(f->space, &graph[0], &rng), SEPX_OK);
        assert_int_equal(sepx_space_sample(f->space, &graph[1], &rng), SEPX_OK);
        same = rng;
        assert_int_equal(sepx_cross_run(f->cross, &graph[2], &accepted,
                                        &graph[0], &graph[1], &rng, NULL, NULL),
                         SEPX_OK);
        assert_int_equal(sepx_cross_run(copy, &graph[3], &again, &graph[0],
                                        &graph[1], &same, NULL, NULL),
                         SEPX_OK);
        assert_int_equal(accepted, again);
        if (!accepted)
            continue;
        assert_true(sepx_graph_equal(&graph[2], &graph[3]));
        for (unsigned k = 0; k < 3; k++)
            set_of(f, &set[k], &cell[k], &graph[k]);
        for (unsigned p = 0; p < SEPX__PATHS; p++) {
            bool a = has(&set[0], p), b = has(&set[1], p), c = has(&set[2], p);

            CHECK(a == b ? c == a : true, "path %u of pair %u", p, i);
            open += a != b;
            taken += a != b && c;
        }
        assert_true(sepx_nb101_cell_code(&cell[2]) !=
                    sepx_nb101_cell_code(&cell[0]));
        assert_true(sepx_nb101_cell_code(&cell[2]) !=
                    sepx_nb101_cell_code(&cell[1]));
        children++;
    }
    CHECK(children > 200, "%u children", children);
    CHECK(taken > open / 4 && taken < open * 3 / 4, "%u of %u", taken, open);
    for (unsigned k = 0; k < 4; k++)
        sepx_graph_release(&graph[k]);
    sepx_cross_free(copy);
}

static void
test_other_spaces_have_no_paths(void **state)
{
    struct sepx_rules rules = {.trials = 50};
    struct sepx_space *space;
    struct sepx_cross *cross;
    struct sepx_msg msg = {0};

    (void)state;
    assert_int_equal(sepx_space_open(&space, "nbnlp", NULL), SEPX_OK);
    assert_int_equal(sepx_cross_new(&cross, space, "path", &rules, &msg),
                     SEPX_EUNSUPPORTED);
    assert_null(cross);
    assert_string_equal(msg.text, "path crossover knows the cells of space "
                                  "nb101, not the graphs of nbnlp");
    sepx_space_close(space);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_paths_of_the_optimum),
        cmocka_unit_test(test_paths_are_found_by_every_subset),
        cmocka_unit_test(test_some_sets_are_no_cells),
        cmocka_unit_test(test_children_mix_the_paths),
        cmocka_unit_test(test_other_spaces_have_no_paths),
    };

    return cmocka_run_group_tests(tests, open_all, close_all);
}
