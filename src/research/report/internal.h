/* SPDX-License-Identifier: Apache-2.0 */
/* What the drawings share: how gnuplot is told what to write and where. */
#ifndef SEPX_REPORT_INTERNAL_H
#define SEPX_REPORT_INTERNAL_H

#include "base/internal.h"
#include "research/report/report.h"

/* Letters of this many points, as all terminals measure them here. */
double sepx__plot_font(enum sepx_picture kind);
/* SEPX_EINVAL on a control character. `text` may be NULL. */
SEPX_CHECKED enum sepx_err sepx__plot_check(const char *text,
                                            struct sepx_msg *msg);
/*
 * A gnuplot string: in single quotes nothing but the quote is special, in
 * particular no backquote, which would run a command. NULL is empty.
 */
SEPX_CHECKED enum sepx_err sepx__plot_quoted(struct sepx_text *text,
                                             const char *from);
/* `command 'value'` on a line of its own. */
SEPX_CHECKED enum sepx_err
sepx__plot_set(struct sepx_text *text, const char *command, const char *value);
/* The terminal and the encoding; sizes in pixels of the SVG. */
SEPX_CHECKED enum sepx_err sepx__plot_begin(struct sepx_text *text,
                                            unsigned width, unsigned height,
                                            enum sepx_picture kind);
/* A line of text centred at (x, down) pixels, `size` times the usual font. */
SEPX_CHECKED enum sepx_err
sepx__plot_title(struct sepx_text *text, const char *value, double x,
                 double down, unsigned width, unsigned height, double size);

#endif
