/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Heat maps as gnuplot scripts. All margins are given in pixels here, so that
 * no text is clipped whatever the number of cells; cells are vector boxes,
 * not a bitmap, so that an SVG stays sharp.
 */
#include <math.h>

#include "research/report/internal.h"

#define SIDE_MOST 100
#define LETTER_WIDTH 7.5
#define PADDING 4 /* signs and points are narrow, so this is enough */
#define CELL_HEIGHT 34
#define PLOT_WIDTH_LEAST 440  /* for the title */
#define PLOT_HEIGHT_LEAST 260 /* for the text at the vertical axis */
#define LEFT 70
#define RIGHT 92
#define TOP 76
#define BOTTOM 70
#define DARK 0.6 /* from this share of the scale on, letters are white */

struct frame {
    unsigned width, height, plot_width, plot_height;
    double most; /* the largest magnitude; 1 if all are 0 */
    int decimals;
    double font; /* points */
};

/* ---- texts ---- */

static enum sepx_err
check_map(const struct sepx_heatmap *map, struct sepx_msg *msg)
{
    enum sepx_err err = sepx__plot_check(map->title, msg);

    if (map->columns < 1 || map->rows < 1)
        return sepx_fail(msg, SEPX_EINVAL, "a heat map without cells");
    if (map->columns > SIDE_MOST || map->rows > SIDE_MOST)
        return sepx_fail(msg, SEPX_ELIMIT,
                         "a heat map of %zu x %zu cells; draw at most %d x %d",
                         map->columns, map->rows, SIDE_MOST, SIDE_MOST);
    if (!err)
        err = sepx__plot_check(map->subtitle, msg);
    if (!err)
        err = sepx__plot_check(map->x_text, msg);
    if (!err)
        err = sepx__plot_check(map->y_text, msg);
    for (size_t i = 0; i < map->columns && !err; i++)
        err = sepx__plot_check(map->x_tick[i], msg);
    for (size_t i = 0; i < map->rows && !err; i++)
        err = sepx__plot_check(map->y_tick[i], msg);
    return err;
}

/* ---- the frame ---- */

static double
at_least(double value, double least)
{
    return value < least ? least : value;
}

/* Two digits behind the point, one more or less for small or large maps. */
static int
choose_decimals(double most)
{
    int order = (int)floor(log10(most));

    if (order < 0)
        return order < -6 ? 8 : 1 - order;
    return order > 2 ? 0 : 2 - order;
}

static struct frame
measure(const struct sepx_heatmap *map, enum sepx_picture kind)
{
    struct frame frame = {.font = sepx__plot_font(kind)};
    double letters;

    for (size_t i = 0; i < map->columns * map->rows; i++)
        if (isfinite(map->value[i]))
            frame.most = at_least(fabs(map->value[i]), frame.most);
    frame.most = at_least(map->most, frame.most);
    if (frame.most <= 0)
        frame.most = 1;
    frame.decimals = choose_decimals(frame.most);
    letters = 3 + at_least(floor(log10(frame.most)), 0) + frame.decimals;
    frame.plot_width = (unsigned)at_least(
        (double)map->columns * (letters * LETTER_WIDTH + PADDING),
        PLOT_WIDTH_LEAST);
    frame.plot_height =
        (unsigned)at_least((double)map->rows * CELL_HEIGHT, PLOT_HEIGHT_LEAST);
    frame.width = LEFT + frame.plot_width + RIGHT;
    frame.height = TOP + frame.plot_height + BOTTOM;
    return frame;
}

/* Where a value stands on the scale of colours. */
static double
shade(const struct sepx_heatmap *map, double value)
{
    return map->root ? sqrt(fabs(value)) : value;
}

static enum sepx_err
write_layout(struct sepx_text *text, const struct frame *frame,
             const struct sepx_heatmap *map)
{
    double width = frame->width, height = frame->height;

    return sepx_text_print(
        text,
        "set lmargin at screen %.6f\n"
        "set rmargin at screen %.6f\n"
        "set bmargin at screen %.6f\n"
        "set tmargin at screen %.6f\n"
        "set xrange [-0.5:%zu.5]\n"
        "set yrange [-0.5:%zu.5]\n"
        "set colorbox user origin screen %.6f, screen %.6f "
        "size screen %.6f, screen %.6f\n"
        "set palette defined (%s0 '#ffffff', 0.5 '#6fa3d8', 1 '#08458a')\n"
        "set cbrange [%.9g:%.9g]\n"
        "set cbtics format '%%.3g' scale 0.5\n"
        "set tics out nomirror scale 0.5\n"
        "unset key\n",
        LEFT / width, 1 - RIGHT / width, BOTTOM / height, 1 - TOP / height,
        map->columns - 1, map->rows - 1, 1 - (RIGHT - 18) / width,
        BOTTOM / height, 16 / width, frame->plot_height / height,
        map->root ? "" : "-1 '#a03c00', -0.5 '#f0a35c', ",
        map->root ? 0 : -frame->most, shade(map, frame->most));
}

/* On the root scale ticks stand at roots, and say what they are roots of. */
static enum sepx_err
write_root_ticks(struct sepx_text *text, double most)
{
    static const double share[] = {0.01, 0.04, 0.09, 0.25, 0.49, 0.81};
    enum sepx_err err = sepx_text_print(text, "set cbtics (\"0\" 0");

    for (size_t i = 0; i < sizeof share / sizeof share[0] && !err; i++)
        err = sepx_text_print(text, ", \"%.2g\" %.9g", share[i] * most,
                              sqrt(share[i] * most));
    return err ? err : sepx_text_print(text, ") scale 0.5\n");
}

/* Centred above the cells, `down` pixels from the top. */
static enum sepx_err
write_title(struct sepx_text *text, const struct frame *frame,
            const char *value, double down, double size)
{
    return sepx__plot_title(text, value, LEFT + frame->plot_width / 2.0, down,
                            frame->width, frame->height, size * frame->font);
}

static enum sepx_err
write_ticks(struct sepx_text *text, const char *axis, const char *const *tick,
            size_t count)
{
    enum sepx_err err = sepx_text_print(text, "set %stics (", axis);

    for (size_t i = 0; i < count && !err; i++) {
        err = sepx__plot_quoted(text, tick[i]);
        if (!err)
            err = sepx_text_print(text, " %zu%s", i,
                                  i + 1 < count ? ", " : ")\n");
    }
    return err;
}

/* ---- the cells ---- */

/*
 * A true 0 is "0"; what rounds to it keeps its sign, which may matter, or in
 * shares is said to be less than what is shown.
 */
static enum sepx_err
write_number(struct sepx_text *text, const struct sepx_heatmap *map,
             const struct frame *frame, double value)
{
    if (value == 0)
        return sepx_text_print(text, "0");
    if (map->root && value < 0.005)
        return sepx_text_print(text, "<.01");
    return sepx_text_print(text, "%.*f",
                           map->root && value < 1 ? 2 : frame->decimals, value);
}

static enum sepx_err
write_cell(struct sepx_text *text, const struct sepx_heatmap *map,
           const struct frame *frame, size_t column, size_t row)
{
    double value = map->value[row * map->columns + column];
    bool dark = fabs(shade(map, value)) > DARK * shade(map, frame->most);
    enum sepx_err err;

    if (!isfinite(value))
        return SEPX_OK;
    err =
        sepx_text_print(text, "%zu %zu %.9g ", column, row, shade(map, value));
    if (!err)
        err = write_number(text, map, frame, value);
    return err ? err
               : sepx_text_print(text, dark ? " 0xffffff\n" : " 0x202020\n");
}

static enum sepx_err
write_data(struct sepx_text *text, const struct frame *frame,
           const struct sepx_heatmap *map)
{
    enum sepx_err err = sepx_text_print(text, "$map << EOD\n");

    for (size_t i = 0; i < map->columns * map->rows && !err; i++)
        err = write_cell(text, map, frame, i % map->columns, i / map->columns);
    return err ? err : sepx_text_print(text, "EOD\n");
}

enum sepx_err
sepx_heatmap_write(struct sepx_text *script, const struct sepx_heatmap *map,
                   enum sepx_picture kind, struct sepx_msg *msg)
{
    struct frame frame;
    enum sepx_err err = check_map(map, msg);

    if (err)
        return err;
    frame = measure(map, kind);
    err = sepx__plot_begin(script, frame.width, frame.height, kind);
    if (!err)
        err = write_layout(script, &frame, map);
    if (!err && map->root)
        err = write_root_ticks(script, frame.most);
    if (!err)
        err = write_title(script, &frame, map->title, 26, 1.2);
    if (!err)
        err = write_title(script, &frame, map->subtitle, 50, 0.95);
    if (!err)
        err = sepx__plot_set(script, "set xlabel", map->x_text);
    if (!err)
        err = sepx__plot_set(script, "set ylabel", map->y_text);
    if (!err)
        err = write_ticks(script, "x", map->x_tick, map->columns);
    if (!err)
        err = write_ticks(script, "y", map->y_tick, map->rows);
    if (!err)
        err = write_data(script, &frame, map);
    if (!err)
        err = sepx_text_print(
            script,
            "plot $map using 1:2:(0.5):(0.5):3 with boxxyerror "
            "fillstyle solid border linecolor '#ffffff' fillcolor palette, \\\n"
            "     $map using 1:2:(stringcolumn(4)):(int(column(5))) "
            "with labels textcolor rgb variable\n");
    return err;
}
