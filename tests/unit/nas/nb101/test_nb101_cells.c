/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/space_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/oracle_draw.h"
#include "unit/faults.h"
#include "unit/shared.h"

#define SEED 423
#define DRAWS 2000

static struct sepx_nb101_cells *cells;

static int
open_all(void **state)
{
    if (sepx_nb101_cells_new(&cells, 0, NULL, NULL))
        return -1;
    return open_space(state, "nb101", SEED);
}

static int
close_both(void **state)
{
    sepx_nb101_cells_free(cells);
    return close_all(state);
}

static void
print_hash(char *hex, const unsigned char *hash)
{
    for (unsigned i = 0; i < 16; i++)
        snprintf(hex + 2 * i, 3, "%02x", hash[i]);
}

static uint32_t
row_of(struct fixture *f, const struct sepx_graph *graph)
{
    uint32_t row = UINT32_MAX;

    assert_int_equal(sepx_nb101_cells_row(cells, &row, f->space, graph, NULL),
                     SEPX_OK);
    return row;
}

/* C. Ying et al. 2019, and counted by others since. */
static void
there_are_423624_cells(void **state)
{
    static const uint32_t expected[] = {423624, 0,    1,     6,
                                        84,     2441, 62010, 359082};

    (void)state;
    for (unsigned n = 0; n < 8; n++)
        assert_int_equal(sepx_nb101_cells_count(cells, n), expected[n]);
    assert_int_equal(sepx_nb101_cells_count(cells, 8), 0);
}

static void
rows_ascend_by_distinct_hashes(void **state)
{
    (void)state;
    for (uint32_t i = 1; i < SEPX_NB101_CELLS; i++)
        CHECK(memcmp(sepx_nb101_cells_hash(cells, i - 1),
                     sepx_nb101_cells_hash(cells, i), 16) < 0,
              "row %u", i);
}

static void
each_row_is_found_by_cell_code_and_hash(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < SEPX_NB101_CELLS; i++) {
        struct sepx_nb101_cell cell, again;
        unsigned char hash[16];

        sepx_nb101_cells_get(cells, &cell, i);
        CHECK(sepx_nb101_cells_find(cells, &cell) == (int32_t)i, "row %u", i);
        CHECK(sepx_nb101_cells_find_hash(
                  cells, sepx_nb101_cells_hash(cells, i)) == (int32_t)i,
              "row %u", i);
        if (i % 97)
            continue;
        assert_true(
            sepx_nb101_cell_decode(&again, sepx_nb101_cell_code(&cell)));
        assert_memory_equal(&again, &cell, sizeof(cell));
        sepx_nb101_cell_hash(&cell, hash);
        assert_memory_equal(hash, sepx_nb101_cells_hash(cells, i), 16);
    }
}

static void
what_is_no_cell_is_not_found(void **state)
{
    struct fixture *f = *state;
    struct sepx_nb101_cell cell = {.nodes = 3, .edges = 7, .op = {0, 2}};
    unsigned char hash[16] = {0};
    uint32_t row;

    assert_true(sepx_nb101_cells_find(cells, &cell) >= 0);
    cell.edges = 4;
    assert_int_equal(sepx_nb101_cells_find(cells, &cell), -1);
    assert_int_equal(sepx_nb101_cells_find_hash(cells, hash), -1);
    assert_false(sepx_nb101_cell_decode(&cell, 0));
    assert_false(sepx_nb101_cell_decode(&cell, 1u << 29));
    assert_false(sepx_nb101_cell_decode(&cell, 2u << 29 | 2));
    assert_false(sepx_nb101_cell_decode(&cell, 2u << 29 | 1u << 21 | 1));
    assert_false(sepx_nb101_cell_decode(&cell, 7u << 29 | 255u << 21));
    sepx_graph_clear(&f->graph);
    assert_int_equal(
        sepx_nb101_cells_row(cells, &row, f->space, &f->graph, &f->msg),
        SEPX_EINVAL);
    assert_string_equal(f->msg.text,
                        "0 inputs and 0 outputs; a cell has one each");
}

/* Any order of the nodes, with dead ones or without, is the same row. */
static void
a_row_does_not_depend_on_order_or_dead_nodes(void **state)
{
    struct fixture *f = *state;

    printf("seed %d\n", SEED);
    for (unsigned i = 0; i < DRAWS; i++) {
        uint32_t order[SEPX_NB101_NODES], row;

        assert_int_equal(sepx_space_sample(f->space, &f->graph, &f->rng),
                         SEPX_OK);
        row = row_of(f, &f->graph);
        draw_order(order, f->graph.n_nodes, &f->rng);
        assert_int_equal(sepx_graph_permute(&f->other, &f->graph, order),
                         SEPX_OK);
        CHECK(row_of(f, &f->other) == row, "draw %u", i);
        assert_int_equal(sepx_space_prune(f->space, &f->other, &f->graph),
                         SEPX_OK);
        CHECK(row_of(f, &f->other) == row, "draw %u", i);
    }
}

/* The general isomorphism test judges. */
static void
the_graph_of_a_row_is_isomorphic_to_what_was_asked(void **state)
{
    struct fixture *f = *state;

    for (unsigned i = 0; i < DRAWS; i++) {
        struct sepx_nb101_cell cell;
        struct sepx_graph pruned = {0};
        bool same;

        assert_int_equal(sepx_space_sample(f->space, &f->graph, &f->rng),
                         SEPX_OK);
        sepx_nb101_cells_get(cells, &cell, row_of(f, &f->graph));
        assert_int_equal(sepx_nb101_cell_graph(&cell, &f->other, f->space),
                         SEPX_OK);
        assert_int_equal(sepx_space_prune(f->space, &pruned, &f->graph),
                         SEPX_OK);
        assert_int_equal(sepx_graph_isomorphic(&f->other, &pruned, &same, NULL),
                         SEPX_OK);
        CHECK(same, "draw %u", i);
        sepx_graph_release(&pruned);
    }
}

/* A cell as the sample prints it: its matrix row by row, and operations. */
static void
read_cell(struct sepx_nb101_cell *cell, unsigned n, const char *matrix,
          const char *ops)
{
    *cell = (struct sepx_nb101_cell){.nodes = (uint8_t)n};
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = i + 1; j < n; j++)
            if (matrix[i * n + j] == '1')
                cell->edges |= 1u << sepx_nb101_bit(i, j);
    for (unsigned i = 1; i + 1 < n; i++)
        cell->op[i] = (uint8_t)(ops[i - 1] - '0');
}

static void
check_sample_line(const char *line)
{
    char hash[40], matrix[64], ops[8] = "", hex[33];
    struct sepx_nb101_cell cell;
    unsigned row, n;

    if (sscanf(line, "%u,%32[^,],%u,%49[^,],%5[^,]", &row, hash, &n, matrix,
               ops) < 4)
        fail();
    read_cell(&cell, n, matrix, ops);
    sepx_nb101_cell_canon(&cell);
    CHECK(sepx_nb101_cells_find(cells, &cell) == (int32_t)row, "%s", line);
    print_hash(hex, sepx_nb101_cells_hash(cells, row));
    assert_string_equal(hex, hash);
}

static void
the_sample_of_the_data_set_agrees(void **state)
{
    FILE *file = shared_open("data/nb101/cells_sample.csv");
    unsigned lines = 0;
    char line[512];

    (void)state;
    if (!file)
        skip();
    assert_non_null(fgets(line, sizeof(line), file));
    for (; fgets(line, sizeof(line), file); lines++)
        check_sample_line(line);
    fclose(file);
    assert_int_equal(lines, 2020);
}

static void
no_allocation_is_lost_when_one_fails(void **state)
{
    (void)state;
    EACH_FAULT (fault) {
        struct sepx_nb101_cells *list;

        fault.err = sepx_nb101_cells_new(&list, 1, NULL, NULL);
        assert_int_equal(!list, fault.err != SEPX_OK);
        sepx_nb101_cells_free(list);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_are_423624_cells),
        cmocka_unit_test(rows_ascend_by_distinct_hashes),
        cmocka_unit_test(each_row_is_found_by_cell_code_and_hash),
        cmocka_unit_test(what_is_no_cell_is_not_found),
        cmocka_unit_test(a_row_does_not_depend_on_order_or_dead_nodes),
        cmocka_unit_test(the_graph_of_a_row_is_isomorphic_to_what_was_asked),
        cmocka_unit_test(the_sample_of_the_data_set_agrees),
        cmocka_unit_test(no_allocation_is_lost_when_one_fails),
    };

    return cmocka_run_group_tests(tests, open_all, close_both);
}
