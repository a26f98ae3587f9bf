/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/check.h"

#include <string.h>

#include "unit/faults.h"
#include "research/report/report.h"

static const char *const tick[] = {"a", "b's", "c"};

static struct sepx_heatmap
small_map(const double *value)
{
    return (struct sepx_heatmap){.title = "it's `date`",
                                 .subtitle = "n = 7",
                                 .x_text = "across",
                                 .y_text = "up",
                                 .x_tick = tick,
                                 .y_tick = tick,
                                 .columns = 3,
                                 .rows = 2,
                                 .value = value};
}

static void
check_has(const struct sepx_text *script, const char *part)
{
    CHECK(strstr(script->at, part), "no '%s' in\n%s", part, script->at);
}

static void
test_cells_carry_place_value_and_text(void **state)
{
    static const double value[] = {0, -0.25, 0.5, NAN, 0.0001, -0.5};
    struct sepx_heatmap map = small_map(value);
    struct sepx_text script = {0};

    (void)state;
    assert_int_equal(sepx_heatmap_write(&script, &map, SEPX_PICTURE_SVG, NULL),
                     SEPX_OK);
    check_has(&script, "set terminal svg ");
    check_has(&script, "set cbrange [-0.5:0.5]\n");
    check_has(&script, "$map << EOD\n"
                       "0 0 0 0 0x202020\n"
                       "1 0 -0.25 -0.25 0x202020\n"
                       "2 0 0.5 0.50 0xffffff\n"
                       "1 1 0.0001 0.00 0x202020\n"
                       "2 1 -0.5 -0.50 0xffffff\n"
                       "EOD\n");
    sepx_text_release(&script);
}

/* Maps side by side share the end of their scale. */
static void
test_a_scale_may_be_given(void **state)
{
    static const double value[] = {0, -0.25, 0.5, NAN, 0.0001, -0.5};
    struct sepx_heatmap map = small_map(value);
    struct sepx_text script = {0};

    (void)state;
    map.most = 2;
    assert_int_equal(sepx_heatmap_write(&script, &map, SEPX_PICTURE_SVG, NULL),
                     SEPX_OK);
    check_has(&script, "set cbrange [-2:2]\n");
    check_has(&script, "2 0 0.5 0.50 0x202020\n");
    sepx_text_release(&script);
}

/* Shares: colours by their roots, texts and ticks by themselves. */
static void
test_shares_stand_on_a_root_scale(void **state)
{
    static const double value[] = {0, 0.0025, 0.25, 4, 25, 100};
    struct sepx_heatmap map = small_map(value);
    struct sepx_text script = {0};

    (void)state;
    map.root = true;
    assert_int_equal(sepx_heatmap_write(&script, &map, SEPX_PICTURE_SVG, NULL),
                     SEPX_OK);
    check_has(&script, "set cbrange [0:10]\n");
    check_has(&script, "set cbtics (\"0\" 0, \"1\" 1, \"4\" 2, \"9\" 3, ");
    check_has(&script, "$map << EOD\n"
                       "0 0 0 0 0x202020\n"
                       "1 0 0.05 <.01 0x202020\n"
                       "2 0 0.5 0.25 0x202020\n"
                       "0 1 2 4 0x202020\n"
                       "1 1 5 25 0x202020\n"
                       "2 1 10 100 0xffffff\n"
                       "EOD\n");
    sepx_text_release(&script);
}

static void
test_texts_cannot_leave_their_quotes(void **state)
{
    static const double value[6] = {0};
    struct sepx_heatmap map = small_map(value);
    struct sepx_text script = {0};

    (void)state;
    assert_int_equal(sepx_heatmap_write(&script, &map, SEPX_PICTURE_PNG, NULL),
                     SEPX_OK);
    check_has(&script, "set terminal pngcairo ");
    check_has(&script, "set label 'it''s `date`' at");
    check_has(&script, "set xtics ('a' 0, 'b''s' 1, 'c' 2)\n");
    check_has(&script, "set ylabel 'up'\n");
    check_has(&script, "set cbrange [-1:1]\n");
    sepx_text_release(&script);
}

static void
test_digits_follow_the_scale(void **state)
{
    static const double most[] = {0.0004, 0.04, 0.4, 4, 40, 40000};
    static const char *const shown[] = {" 0.00040 ", " 0.040 ", " 0.40 ",
                                        " 4.00 ",    " 40.0 ",  " 40000 "};

    (void)state;
    for (int i = 0; i < 6; i++) {
        struct sepx_heatmap map = small_map(&most[i]);
        struct sepx_text script = {0};

        map.columns = map.rows = 1;
        assert_int_equal(
            sepx_heatmap_write(&script, &map, SEPX_PICTURE_SVG, NULL), SEPX_OK);
        check_has(&script, shown[i]);
        sepx_text_release(&script);
    }
}

static void
test_refusals(void **state)
{
    static const double value[6] = {0};
    struct sepx_heatmap map = small_map(value);
    struct sepx_text script = {0};
    struct sepx_msg msg = {0};

    (void)state;
    map.subtitle = "two\nlines";
    assert_int_equal(sepx_heatmap_write(&script, &map, SEPX_PICTURE_SVG, &msg),
                     SEPX_EINVAL);
    assert_string_equal(msg.text, "control character 10 at byte 3 of a text "
                                  "for a drawing");
    map = small_map(value);
    map.rows = 0;
    assert_int_equal(sepx_heatmap_write(&script, &map, SEPX_PICTURE_SVG, &msg),
                     SEPX_EINVAL);
    assert_string_equal(msg.text, "a heat map without cells");
    map.rows = 101;
    assert_int_equal(sepx_heatmap_write(&script, &map, SEPX_PICTURE_SVG, &msg),
                     SEPX_ELIMIT);
    assert_string_equal(msg.text,
                        "a heat map of 3 x 101 cells; draw at most 100 x 100");
    assert_null(script.at);
}

static void
draw_figure(struct sepx_text *script, const char *name)
{
    const struct sepx_theory_figure *figure = sepx_theory_figure_find(name);
    struct sepx_theory_grid grid = {0};

    assert_non_null(figure);
    assert_int_equal(sepx_theory_grid_fill(&grid, &figure->plan, NULL), 0);
    assert_int_equal(
        sepx_theory_grid_draw(script, &grid, 0, SEPX_PICTURE_SVG, NULL), 0);
    sepx_theory_grid_release(&grid);
}

static void
test_titles_say_what_and_where(void **state)
{
    struct sepx_text script = {0};

    (void)state;
    draw_figure(&script, "sepx-muta-eps0.2");
    check_has(&script, "'Bound of expected improvement: SEP − mutation'");
    check_has(&script, "'n = 7; edges: optimum 9, parents 9 and 9; ε = 0.2; "
                       "p_m = 1/42'");
    check_has(&script, "xlabel 'distance to the optimum, d_e(opt, 1)'");
    check_has(&script, "ylabel 'distance of the parents, d_e(1, 2)'");
    /* x = 1, y = 0: equal parents leave crossover behind mutation. */
    check_has(&script, "\n1 0 -0.00886477932 -0.01 ");
    sepx_text_release(&script);
    draw_figure(&script, "rlo-nb101");
    check_has(&script, "improvement: RL (oracle)'");
    check_has(&script, "'n = 7; edges: optimum 9, parents 9 and 9'");
    check_has(&script, "set ytics ('0.05' 0, '0.1' 1, '0.2' 2, '0.5' 3, "
                       "'1' 4)");
    sepx_text_release(&script);
    draw_figure(&script, "stdx-rlu-nb101");
    check_has(&script, "; αη = 0.1'");
    sepx_text_release(&script);
}

static void
test_without_memory(void **state)
{
    const double at[] = {1, 2};
    struct sepx_theory_plan plan = {.at = {.n = 3},
                                    .a = SEPX_BOUND_SEPX,
                                    .x = {SEPX_AXIS_D_OPT, at, 2},
                                    .y = {SEPX_AXIS_D_12, at, 2}};
    struct sepx_theory_grid grid = {0};

    (void)state;
    assert_int_equal(sepx_theory_grid_fill(&grid, &plan, NULL), SEPX_OK);
    EACH_FAULT (fault) {
        struct sepx_text script = {0};

        fault.err =
            sepx_theory_grid_draw(&script, &grid, 1, SEPX_PICTURE_PNG, NULL);
        sepx_text_release(&script);
    }
    sepx_theory_grid_release(&grid);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells_carry_place_value_and_text),
        cmocka_unit_test(test_a_scale_may_be_given),
        cmocka_unit_test(test_shares_stand_on_a_root_scale),
        cmocka_unit_test(test_texts_cannot_leave_their_quotes),
        cmocka_unit_test(test_digits_follow_the_scale),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_titles_say_what_and_where),
        cmocka_unit_test(test_without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
