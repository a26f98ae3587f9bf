/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/check.h"

#include <string.h>

#include "unit/faults.h"
#include "research/report/report.h"

static const double x[] = {1, 2, 4};
static const double mean[] = {5, 3, 2}, low[] = {4, 2, NAN}, high[] = {6, 4, 3};

static const struct sepx_plot_line line[] = {
    {"sep", mean, low, high, 0},
    {"it's `cheap`", mean, low, high, 9},
};

static struct sepx_plot
small(void)
{
    return (struct sepx_plot){.title = "a title",
                              .subtitle = "mean of 3 runs",
                              .x_text = "evaluations",
                              .y_text = "distance",
                              .x = x,
                              .points = 3,
                              .line = line,
                              .count = 2,
                              .low = 0,
                              .high = NAN};
}

static void
test_curves_carry_their_numbers_and_names(void **state)
{
    struct sepx_plot plot = small();
    struct sepx_text script = {0};

    (void)state;
    assert_int_equal(sepx_plot_write(&script, &plot, SEPX_PICTURE_SVG, NULL),
                     SEPX_OK);
    assert_non_null(strstr(script.at, "$curve0 << EOD\n1 5 4 6\n2 3 2 4\n"
                                      "4 2 NaN 3\nEOD\n"));
    assert_non_null(strstr(script.at, "title 'sep'"));
    assert_non_null(strstr(script.at, "set yrange [0:*]"));
    assert_non_null(strstr(script.at, "set terminal svg"));
    sepx_text_release(&script);
}

/* Bands of shares would cover each other: bars behind the end do not. */
static void
test_intervals_may_stand_at_the_end(void **state)
{
    struct sepx_plot plot = small();
    struct sepx_text script = {0};

    (void)state;
    plot.ends = true;
    assert_int_equal(sepx_plot_write(&script, &plot, SEPX_PICTURE_SVG, NULL),
                     SEPX_OK);
    assert_null(strstr(script.at, "filledcurves"));
    assert_non_null(strstr(script.at, "$curve0 every ::2 using (4.1):2:3:4"));
    assert_non_null(strstr(script.at, "$curve1 every ::2 using (4.2):2:3:4"));
    assert_non_null(strstr(script.at, "set xrange [0:4.3]"));
    sepx_text_release(&script);
}

/* In single quotes gnuplot runs nothing; a quote inside is doubled. */
static void
test_names_cannot_leave_their_quotes(void **state)
{
    struct sepx_plot plot = small();
    struct sepx_text script = {0};

    (void)state;
    assert_int_equal(sepx_plot_write(&script, &plot, SEPX_PICTURE_PDF, NULL),
                     SEPX_OK);
    assert_non_null(strstr(script.at, "title 'it''s `cheap`'"));
    assert_non_null(strstr(script.at, "set terminal pdfcairo"));
    sepx_text_release(&script);
}

static void
test_bad_plots_are_refused(void **state)
{
    struct sepx_plot plot = small();
    struct sepx_text script = {0};
    struct sepx_msg msg = {0};

    (void)state;
    plot.count = 0;
    assert_int_equal(sepx_plot_write(&script, &plot, SEPX_PICTURE_SVG, &msg),
                     SEPX_EINVAL);
    plot.count = SEPX_PLOT_LINES_MAX + 1;
    assert_int_equal(sepx_plot_write(&script, &plot, SEPX_PICTURE_SVG, &msg),
                     SEPX_ELIMIT);
    assert_string_equal(msg.text, "17 curves; draw at most 16");
    plot = small();
    plot.title = "two\nlines";
    assert_int_equal(sepx_plot_write(&script, &plot, SEPX_PICTURE_SVG, &msg),
                     SEPX_EINVAL);
    sepx_text_release(&script);
}

static void
test_without_memory(void **state)
{
    struct sepx_plot plot = small();

    (void)state;
    EACH_FAULT (fault) {
        struct sepx_text script = {0};

        fault.err = sepx_plot_write(&script, &plot, SEPX_PICTURE_PNG, NULL);
        sepx_text_release(&script);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_curves_carry_their_numbers_and_names),
        cmocka_unit_test(test_intervals_may_stand_at_the_end),
        cmocka_unit_test(test_names_cannot_leave_their_quotes),
        cmocka_unit_test(test_bad_plots_are_refused),
        cmocka_unit_test(test_without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
