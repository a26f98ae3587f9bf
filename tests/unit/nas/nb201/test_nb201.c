/* SPDX-License-Identifier: Apache-2.0 */
/* NAS-Bench-201: how many cells there are, its strings, its vectors. */
#include "unit/space_fixture.h"

#include <string.h>

static int
open_nb201(void **state)
{
    return open_space(state, "nb201", 5);
}

static void
test_all_15625_cells_are_counted(void **state)
{
    struct fixture *f = *state;
    struct sepx_space_size size;

    assert_int_equal(sepx_space_count(f->space, &size, 1000000), SEPX_OK);
    assert_true(size.exact);
    assert_true(size.classes == 15625);
    assert_string_equal(sepx_space_info(f->space)->name, "nb201");
}

/* Every vector is a cell, and the cell's string is read as that cell. */
static void
test_every_cell_has_its_string(void **state)
{
    struct fixture *f = *state;
    const struct sepx_format_info *format;
    struct sepx_text text = {0};
    uint16_t value[6] = {0}, again[6];
    unsigned cells = 0;

    assert_int_equal(sepx_format_find(&format, "nb201", NULL), SEPX_OK);
    assert_int_equal(sepx_space_variables(f->space), 6);
    for (int i = 0; i < 6;) {
        bool valid = false;

        assert_int_equal(
            sepx_space_decode(f->space, &f->graph, &valid, value, NULL),
            SEPX_OK);
        assert_true(valid);
        text.len = 0;
        assert_int_equal(sepx_graph_write(&text, &f->graph, format, &f->msg),
                         SEPX_OK);
        assert_int_equal(sepx_graph_read(&f->other, sepx_space_names(f->space),
                                         text.at, text.len, SEPX_FORMAT_AUTO,
                                         &f->msg),
                         SEPX_OK);
        assert_int_equal(sepx_space_encode(f->space, again, &f->other),
                         SEPX_OK);
        assert_memory_equal(value, again, sizeof value);
        cells++;
        for (i = 0; i < 6 && ++value[i] == 5; i++)
            value[i] = 0;
    }
    assert_int_equal(cells, 15625);
    sepx_text_release(&text);
}

static void
test_the_string_of_the_benchmark(void **state)
{
    static const char arch[] = "|nor_conv_3x3~0|+|nor_conv_3x3~0|"
                               "avg_pool_3x3~1|+|skip_connect~0|none~1|"
                               "nor_conv_1x1~2|\n";
    struct fixture *f = *state;
    struct sepx_text text = {0};

    assert_int_equal(sepx_graph_read(&f->graph, sepx_space_names(f->space),
                                     arch, strlen(arch), SEPX_FORMAT_AUTO,
                                     &f->msg),
                     SEPX_OK);
    assert_true(is_valid(f));
    assert_int_equal(sepx_graph_write_json(&text, &f->graph), SEPX_OK);
    assert_string_equal(text.at,
                        "{\"nodes\":[\"input\",\"sum\",\"sum\",\"output\"],"
                        "\"edges\":[[0,1,\"nor_conv_3x3\"],[0,2,"
                        "\"nor_conv_3x3\"],[0,3,\"skip_connect\"],[1,2,"
                        "\"avg_pool_3x3\"],[1,3,\"none\"],[2,3,"
                        "\"nor_conv_1x1\"]]}");
    sepx_text_release(&text);
    assert_int_equal(sepx_graph_read(&f->graph, sepx_space_names(f->space),
                                     arch, strlen(arch) - 5, SEPX_FORMAT_AUTO,
                                     &f->msg),
                     SEPX_EDATA);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_all_15625_cells_are_counted,
                                        open_nb201, close_all),
        cmocka_unit_test_setup_teardown(test_every_cell_has_its_string,
                                        open_nb201, close_all),
        cmocka_unit_test_setup_teardown(test_the_string_of_the_benchmark,
                                        open_nb201, close_all),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
