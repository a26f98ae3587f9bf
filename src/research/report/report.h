/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Drawings and tables of results that others have computed.
 *
 * Drawings are gnuplot (5.2 or later) scripts that carry their data and write
 * the picture to standard output: `gnuplot map.gp >map.svg`. The library runs
 * nothing.
 *
 * Thread safety: functions touch only their arguments.
 */
#ifndef SEPX_REPORT_H
#define SEPX_REPORT_H

#include "base/private.h"
#include "research/theory/private.h"

enum sepx_picture { SEPX_PICTURE_SVG, SEPX_PICTURE_PNG, SEPX_PICTURE_PDF };

/*
 * A table of values as coloured cells with the value in each. Orange is below
 * 0, white is 0, blue is above, up to the largest magnitude on both sides: a
 * scale that colour-blind readers can tell apart, and in a difference to SEP
 * crossover the blue is that of its curves. NaN and infinities leave a hole.
 *
 * Texts are UTF-8 without control characters, and show as they are.
 */
struct sepx_heatmap {
    const char *title;
    const char *subtitle; /* the setting; NULL: none */
    const char *x_text, *y_text;
    const char *const *x_tick, *const *y_tick; /* of each column, each row */
    size_t columns, rows;                      /* at most 100 each */
    const double *value; /* rows x columns, the lowest row first */
    bool root;   /* shares: none is below 0, colours follow the square root */
    double most; /* the end of the scale, for maps side by side; 0: own */
};

/*
 * Append the script. Fails with SEPX_EINVAL on an empty map or a control
 * character, SEPX_ELIMIT on more than 100 columns or rows.
 */
SEPX_CHECKED enum sepx_err
sepx_heatmap_write(struct sepx_text *script, const struct sepx_heatmap *map,
                   enum sepx_picture kind, struct sepx_msg *msg);

/* The method of a bound, as curves and texts name it; "" of none. */
const char *sepx_bound_method(enum sepx_bound which);
/*
 * The heat map of a filled grid; the title says what it shows and where.
 * `most` is the end of its scale, or 0: its own largest magnitude.
 */
SEPX_CHECKED enum sepx_err
sepx_theory_grid_draw(struct sepx_text *script,
                      const struct sepx_theory_grid *grid, double most,
                      enum sepx_picture kind, struct sepx_msg *msg);

/* ---- curves ---- */

#define SEPX_PLOT_LINES_MAX 16

/* A mean and its band over a common abscissa. */
struct sepx_plot_line {
    const char *name;                /* in the legend */
    const double *mean, *low, *high; /* `points` each; NaN: not there */
    unsigned style; /* colour and dashes; equal numbers look the same */
};

/*
 * Curves with a legend below. Colours are after Okabe & Ito (2008), which
 * colour-blind readers can tell apart, and no two styles of 0 to 8 differ by
 * colour alone; above that they repeat.
 */
struct sepx_plot {
    const char *title, *subtitle;
    const char *x_text, *y_text;
    const double *x;
    size_t points;
    const struct sepx_plot_line *line;
    size_t count;     /* 1 to SEPX_PLOT_LINES_MAX */
    double low, high; /* of the ordinate; NaN: as the curves need */
    bool ends; /* intervals as bars at the right end, in place of bands */
};

/* Append the script. Fails with SEPX_EINVAL or SEPX_ELIMIT, as above. */
SEPX_CHECKED enum sepx_err
sepx_plot_write(struct sepx_text *script, const struct sepx_plot *plot,
                enum sepx_picture kind, struct sepx_msg *msg);

/* ---- pages ---- */

/* Append text with <, >, & and quotes as HTML wants them. */
SEPX_CHECKED enum sepx_err sepx_html_text(struct sepx_text *html,
                                          const char *text);
/*
 * Append an SVG picture of gnuplot or Graphviz as a part of a page. Each id
 * gets `prefix` before it, so that pictures on one page do not share any; the
 * size, the white ground and namespaces go. Colours stay: a dark page turns
 * them all over at once, and figure and ground with them. `name` (plain text)
 * is read to those who do not see it. SEPX_EDATA if there is no <svg> in it.
 */
SEPX_CHECKED enum sepx_err
sepx_svg_inline(struct sepx_text *html, const char *svg, size_t len,
                const char *prefix, const char *name);

#endif
