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

#include "sepx/base.h"
#include "sepx/theory.h"

#ifdef __cplusplus
extern "C" {
#endif

enum sepx_picture { SEPX_PICTURE_SVG, SEPX_PICTURE_PNG };

/*
 * A table of values as coloured cells with the value in each. Blue is below
 * 0, white is 0, orange is above, up to the largest magnitude on both sides:
 * a scale that colour-blind readers can tell apart. NaN and infinities leave
 * a hole.
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
};

/*
 * Append the script. Fails with SEPX_EINVAL on an empty map or a control
 * character, SEPX_ELIMIT on more than 100 columns or rows.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_heatmap_write(struct sepx_text *script, const struct sepx_heatmap *map,
                   enum sepx_picture kind, struct sepx_msg *msg);

/* The heat map of a filled grid; the title says what it shows and where. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_theory_grid_draw(struct sepx_text *script,
                      const struct sepx_theory_grid *grid,
                      enum sepx_picture kind, struct sepx_msg *msg);

#ifdef __cplusplus
}
#endif
#endif
