/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/check.h"

#include <stdio.h>
#include <string.h>

#include "unit/faults.h"
#include "sepx/theory.h"

static const double one_to_ten[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

static struct sepx_theory_plan
paper_plan(enum sepx_bound b)
{
    return (struct sepx_theory_plan){
        .at = {.n = 7, .edges = {9, 9, 9}, .alpha_eta = 0.1},
        .a = SEPX_BOUND_SEPX,
        .b = b,
        .x = {SEPX_AXIS_D_OPT, one_to_ten, 10},
        .y = {SEPX_AXIS_D_12, one_to_ten, 10}};
}

static size_t
count_ahead(struct sepx_theory_plan plan)
{
    struct sepx_theory_grid grid = {0};
    struct sepx_msg msg = {0};
    enum sepx_err err = sepx_theory_grid_fill(&grid, &plan, &msg);
    size_t ahead;

    CHECK(err == SEPX_OK, "%s", msg.text);
    ahead = sepx_theory_grid_ahead(&grid);
    sepx_theory_grid_release(&grid);
    return ahead;
}

static void
test_sepx_is_ahead_where_the_paper_says(void **state)
{
    struct sepx_theory_plan mixed = paper_plan(SEPX_BOUND_STDX);

    (void)state;
    assert_int_equal(count_ahead(paper_plan(SEPX_BOUND_MUTA)), 94);
    assert_int_equal(count_ahead(paper_plan(SEPX_BOUND_RLU)), 96);
    assert_int_equal(count_ahead(paper_plan(SEPX_BOUND_RLO)), 91);
    assert_int_equal(count_ahead(paper_plan(SEPX_BOUND_STDX)), 100);
    mixed.at.trials = SEPX_STDX_MIX;
    assert_int_equal(count_ahead(mixed), 100);
}

static void
test_cells_lie_at_their_coordinates(void **state)
{
    static const double rate[] = {0.05, 1};
    struct sepx_theory_plan plan = {.at = {.n = 7},
                                    .a = SEPX_BOUND_RLO,
                                    .x = {SEPX_AXIS_D_OPT, one_to_ten, 10},
                                    .y = {SEPX_AXIS_ALPHA_ETA, rate, 2}};
    struct sepx_theory_grid grid = {0};

    (void)state;
    assert_int_equal(sepx_theory_grid_fill(&grid, &plan, NULL), SEPX_OK);
    assert_null(grid.b);
    for (size_t i = 0; i < 20; i++) {
        struct sepx_theory at = {
            .n = 7, .d_opt = (uint32_t)(i % 10) + 1, .alpha_eta = rate[i / 10]};
        double want;

        assert_int_equal(sepx_theory_exact(&want, &at, SEPX_BOUND_RLO, NULL),
                         SEPX_OK);
        assert_true(grid.a[i] == want && grid.difference[i] == want);
    }
    sepx_theory_grid_release(&grid);
    assert_null(grid.a);
}

static void
test_every_field_can_be_an_axis(void **state)
{
    static const double value[] = {0, 1};

    (void)state;
    for (unsigned x = 0; x < SEPX_AXIS_END; x++) {
        for (unsigned y = 0; y < SEPX_AXIS_END; y++) {
            struct sepx_theory_plan plan = paper_plan(SEPX_BOUND_MUTA);
            struct sepx_theory_grid grid = {0};
            enum sepx_err want = x == y ? SEPX_EINVAL : SEPX_OK;

            plan.x = (struct sepx_theory_axis){x, value, 2};
            plan.y = (struct sepx_theory_axis){y, value, 2};
            assert_int_equal(sepx_theory_grid_fill(&grid, &plan, NULL), want);
            sepx_theory_grid_release(&grid);
        }
    }
}

static void
test_writes_csv_and_json(void **state)
{
    struct sepx_theory_plan plan = paper_plan(SEPX_BOUND_MUTA);
    struct sepx_theory_grid grid = {0};
    struct sepx_text text = {0}, json = {0};
    struct sepx_json *root = NULL;
    const struct sepx_json *cell;
    struct sepx_json_writer w;

    (void)state;
    plan.at = (struct sepx_theory){.n = 3, .p_m = 0.5};
    plan.x.count = 2;
    plan.y.count = 1;
    assert_int_equal(sepx_theory_grid_fill(&grid, &plan, NULL), SEPX_OK);
    assert_int_equal(sepx_theory_grid_write_csv(&text, &grid), SEPX_OK);
    assert_string_equal(text.at, "d_opt,d_12,sepx,muta,sepx-muta\n"
                                 "1,1,0.25,0.015625,0.234375\n"
                                 "2,1,0.333333333333333,0.125,"
                                 "0.208333333333333\n");
    sepx_json_begin(&w, &json);
    sepx_theory_grid_put_json(&w, &grid);
    assert_int_equal(sepx_json_done(&w), SEPX_OK);
    assert_int_equal(sepx_json_parse(&root, json.at, json.len, NULL), SEPX_OK);
    assert_string_equal(sepx_json_string(sepx_json_get(root, "b")), "muta");
    assert_string_equal(sepx_json_string(sepx_json_get(root, "y")), "d_12");
    assert_int_equal(sepx_json_size(sepx_json_get(root, "rows")), 2);
    cell = sepx_json_at(sepx_json_get(root, "rows"), 1);
    assert_int_equal(sepx_json_size(cell), 5);
    assert_true(sepx_json_number(sepx_json_get(cell, "d_opt"), 0) == 2);
    assert_true(sepx_json_number(sepx_json_get(cell, "difference"), 0) ==
                grid.difference[1]);
    sepx_json_free(root);
    sepx_text_release(&json);
    sepx_text_release(&text);
    sepx_theory_grid_release(&grid);
}

static void
check_refused(const struct sepx_theory_plan *plan, enum sepx_err want,
              const char *text)
{
    struct sepx_theory_grid grid = {0};
    struct sepx_msg msg = {0};

    assert_int_equal(sepx_theory_grid_fill(&grid, plan, &msg), want);
    assert_string_equal(msg.text, text);
    assert_true(!grid.a && !grid.b && !grid.difference);
}

static void
test_refusals_name_the_cell(void **state)
{
    static const double bad[] = {1, 2.5, 43, NAN};
    struct sepx_theory_plan plan = paper_plan(SEPX_BOUND_MUTA);
    char text[80];

    (void)state;
    plan.x = (struct sepx_theory_axis){SEPX_AXIS_D_OPT, bad, 2};
    check_refused(&plan, SEPX_EINVAL,
                  "cell d_opt 2.5, d_12 1: d_opt is 2.5; it must be a whole "
                  "number, at least 0");
    plan.x = (struct sepx_theory_axis){SEPX_AXIS_D_OPT, bad + 2, 1};
    check_refused(&plan, SEPX_EINVAL,
                  "cell d_opt 43, d_12 1: d_opt is 43; n = 7 nodes have "
                  "n(n-1) = 42 places for an edge, so it must be in 0 to 42");
    plan.x = (struct sepx_theory_axis){SEPX_AXIS_EPSILON, bad + 3, 1};
    check_refused(&plan, SEPX_EINVAL,
                  "cell epsilon nan, d_12 1: epsilon is nan; it must be a "
                  "finite number, at least 0");
    plan.x = plan.y;
    check_refused(&plan, SEPX_EINVAL, "both axes are d_12; take two fields");
    plan.x = (struct sepx_theory_axis){SEPX_AXIS_D_OPT, bad, 0};
    check_refused(&plan, SEPX_EINVAL, "an axis without values");
    plan.x.count = SIZE_MAX / 2;
    (void)snprintf(text, sizeof(text),
                   "a grid of %zu x 10 cells; the most is 1048576",
                   plan.x.count);
    check_refused(&plan, SEPX_ELIMIT, text);
    plan.x.field = SEPX_AXIS_END;
    check_refused(&plan, SEPX_EINVAL, "an axis of no known field");
    plan.b = SEPX_BOUND_END;
    check_refused(&plan, SEPX_EINVAL, "unknown bound 6");
    plan.a = SEPX_BOUND_NONE;
    check_refused(&plan, SEPX_EINVAL, "unknown bound 0");
}

static void
test_every_figure_can_be_filled(void **state)
{
    size_t count;
    const struct sepx_theory_figure *figure = sepx_theory_figures(&count);

    (void)state;
    assert_int_equal(count, 22);
    for (size_t i = 0; i < count; i++) {
        struct sepx_theory_grid grid = {0};
        struct sepx_msg msg = {0};
        enum sepx_err err;

        err = sepx_theory_grid_fill(&grid, &figure[i].plan, &msg);
        CHECK(err == SEPX_OK, "%s: %s", figure[i].name, msg.text);
        assert_ptr_equal(sepx_theory_figure_find(figure[i].name), &figure[i]);
        sepx_theory_grid_release(&grid);
    }
    assert_null(sepx_theory_figure_find("sepx"));
}

static void
test_without_memory(void **state)
{
    struct sepx_theory_plan plan = paper_plan(SEPX_BOUND_RLU);
    struct sepx_theory_grid grid = {0};

    (void)state;
    plan.x.count = plan.y.count = 1;
    EACH_FAULT (fault) {
        struct sepx_text text = {0};

        fault.err = sepx_theory_grid_fill(&grid, &plan, NULL);
        if (!fault.err)
            fault.err = sepx_theory_grid_write_csv(&text, &grid);
        sepx_text_release(&text);
        sepx_theory_grid_release(&grid);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sepx_is_ahead_where_the_paper_says),
        cmocka_unit_test(test_cells_lie_at_their_coordinates),
        cmocka_unit_test(test_every_field_can_be_an_axis),
        cmocka_unit_test(test_writes_csv_and_json),
        cmocka_unit_test(test_refusals_name_the_cell),
        cmocka_unit_test(test_every_figure_can_be_filled),
        cmocka_unit_test(test_without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
