/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Curves with bands as gnuplot scripts. The legend stands below the plot: it
 * hides no curve, and the picture stays narrow enough for a small screen.
 */
#include <math.h>

#include "research/report/internal.h"

#define WIDTH 520
#define HEIGHT 430
#define LEFT 76
#define RIGHT 22
#define TOP 62
#define BOTTOM 116
#define KEY_COLUMNS 3
#define BAR 0.025 /* of the axis, between intervals at the end */

/*
 * After Okabe & Ito: without yellow (faint) and black (the text), and with a
 * darker orange and sky blue, which are thin lines here on either ground.
 */
static const struct {
    const char *colour, *dashes;
    double width;
} styles[] = {
    {"#0072b2", "solid", 2.6},     {"#d55e00", "(12,4)", 1.9},
    {"#009e73", "(6,3)", 1.9},     {"#cc79a7", "(12,3,2,3)", 1.9},
    {"#808080", "(2,3)", 1.9},     {"#c08000", "solid", 1.9},
    {"#3a9fd8", "(3,2)", 1.9},     {"#9467bd", "(16,6)", 1.9},
    {"#5d4a1f", "(9,2,2,2)", 1.9},
};

enum { STYLES = sizeof styles / sizeof styles[0] };

static enum sepx_err
check(const struct sepx_plot *c, struct sepx_msg *msg)
{
    enum sepx_err err = sepx__plot_check(c->title, msg);

    if (c->count < 1 || c->points < 1)
        return sepx_fail(msg, SEPX_EINVAL, "a plot without curves or points");
    if (c->count > SEPX_PLOT_LINES_MAX)
        return sepx_fail(msg, SEPX_ELIMIT, "%zu curves; draw at most %d",
                         c->count, SEPX_PLOT_LINES_MAX);
    if (!err)
        err = sepx__plot_check(c->subtitle, msg);
    if (!err)
        err = sepx__plot_check(c->x_text, msg);
    if (!err)
        err = sepx__plot_check(c->y_text, msg);
    for (size_t i = 0; i < c->count && !err; i++)
        err = sepx__plot_check(c->line[i].name, msg);
    return err;
}

static enum sepx_err
write_number(struct sepx_text *text, double value)
{
    return isfinite(value) ? sepx_text_print(text, " %.6g", value)
                           : sepx_text_print(text, " NaN");
}

static enum sepx_err
write_data(struct sepx_text *text, const struct sepx_plot *c, size_t index)
{
    const struct sepx_plot_line *line = &c->line[index];
    enum sepx_err err = sepx_text_print(text, "$curve%zu << EOD\n", index);

    for (size_t i = 0; i < c->points && !err; i++) {
        err = sepx_text_print(text, "%.9g", c->x[i]);
        if (!err)
            err = write_number(text, line->mean[i]);
        if (!err)
            err = write_number(text, line->low[i]);
        if (!err)
            err = write_number(text, line->high[i]);
        if (!err)
            err = sepx_text_print(text, "\n");
    }
    return err ? err : sepx_text_print(text, "EOD\n");
}

/* gnuplot chooses an end of the range that is '*'. */
static enum sepx_err
write_range(struct sepx_text *text, double low, double high)
{
    enum sepx_err err = isfinite(low)
                            ? sepx_text_print(text, "set yrange [%.9g:", low)
                            : sepx_text_print(text, "set yrange [*:");

    if (err)
        return err;
    return isfinite(high) ? sepx_text_print(text, "%.9g]\n", high)
                          : sepx_text_print(text, "*]\n");
}

static enum sepx_err
write_frame(struct sepx_text *text, const struct sepx_plot *c)
{
    double end = c->x[c->points - 1];
    double room = c->ends ? 1 + BAR * (double)(c->count + 1) : 1;
    enum sepx_err err = sepx_text_print(
        text,
        "set lmargin at screen %.6f\n"
        "set rmargin at screen %.6f\n"
        "set bmargin at screen %.6f\n"
        "set tmargin at screen %.6f\n"
        "set key at screen 0.5, screen %.6f center bottom horizontal Left "
        "reverse maxcols %d samplen 3 spacing 1.2\n"
        "set xrange [0:%.9g]\n"
        "set xtics 0, %.9g, %.9g\n"
        "set tics out nomirror scale 0.5\n"
        "set border 3 linewidth 0.8\n"
        "set grid ytics linecolor rgb '#808080' linewidth 0.3 dashtype (2,3)\n",
        (double)LEFT / WIDTH, 1 - (double)RIGHT / WIDTH,
        (double)BOTTOM / HEIGHT, 1 - (double)TOP / HEIGHT, 12.0 / HEIGHT,
        KEY_COLUMNS, end * room, end / 5, end);

    return err ? err : write_range(text, c->low, c->high);
}

/* A band along the curve, or a bar behind its end, clear of the others. */
static enum sepx_err
write_interval(struct sepx_text *text, const struct sepx_plot *c, size_t i)
{
    const char *colour = styles[c->line[i].style % STYLES].colour;
    double end = c->x[c->points - 1];

    if (c->ends)
        return sepx_text_print(
            text,
            "$curve%zu every ::%zu using (%.9g):2:3:4 with yerrorbars "
            "pointtype 7 pointsize 0.4 linewidth 1.4 linecolor rgb '%s' "
            "notitle, \\\n     ",
            i, c->points - 1, end * (1 + BAR * (double)(i + 1)), colour);
    return sepx_text_print(
        text,
        "$curve%zu using 1:3:4 with filledcurves fillstyle transparent "
        "solid 0.15 noborder fillcolor rgb '%s' notitle, \\\n     ",
        i, colour);
}

/* All intervals first: no band hides a line. */
static enum sepx_err
write_plot(struct sepx_text *text, const struct sepx_plot *c)
{
    enum sepx_err err = sepx_text_print(text, "plot ");

    for (size_t i = 0; i < c->count && !err; i++)
        err = write_interval(text, c, i);
    for (size_t i = 0; i < c->count && !err; i++) {
        unsigned style = c->line[i].style % STYLES;

        err = sepx_text_print(text,
                              "$curve%zu using 1:2 with lines linecolor rgb "
                              "'%s' linewidth %g dashtype %s title ",
                              i, styles[style].colour, styles[style].width,
                              styles[style].dashes);
        if (!err)
            err = sepx__plot_quoted(text, c->line[i].name);
        if (!err)
            err =
                sepx_text_print(text, i + 1 < c->count ? ", \\\n     " : "\n");
    }
    return err;
}

enum sepx_err
sepx_plot_write(struct sepx_text *script, const struct sepx_plot *plot,
                enum sepx_picture kind, struct sepx_msg *msg)
{
    double font = sepx__plot_font(kind);
    double centre = (LEFT + WIDTH - RIGHT) / 2.0;
    enum sepx_err err = check(plot, msg);

    if (!err)
        err = sepx__plot_begin(script, WIDTH, HEIGHT, kind);
    if (!err)
        err = write_frame(script, plot);
    if (!err)
        err = sepx__plot_title(script, plot->title, centre, 24, WIDTH, HEIGHT,
                               1.15 * font);
    if (!err)
        err = sepx__plot_title(script, plot->subtitle, centre, 46, WIDTH,
                               HEIGHT, 0.95 * font);
    if (!err)
        err = sepx__plot_set(script, "set xlabel", plot->x_text);
    if (!err)
        err = sepx__plot_set(script, "set ylabel", plot->y_text);
    for (size_t i = 0; i < plot->count && !err; i++)
        err = write_data(script, plot, i);
    return err ? err : write_plot(script, plot);
}
