/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stands on a terminal while a command works: some lines on standard
 * error, drawn anew in place. Anywhere else, and on TERM=dumb, there is
 * none and all calls do nothing. There is one display, as there is one
 * standard error; any thread may draw it.
 */
#ifndef SEPX_DISPLAY_H
#define SEPX_DISPLAY_H

#include "frame/cli.h"

/* Whether there can be a display. */
bool display_there(void);
/* Columns that a line of it may have. */
size_t display_width(void);
/* Whether to draw now: ten times a second, not in the first moments. */
bool display_due(void);
/*
 * Draw the lines of `out`, each cut to the width that the terminal has now,
 * in the place of those that stand there. `out` is released.
 */
void display_draw(struct out *out);
/* Take it away; what is printed next takes its place. */
void display_end(void);
/* The same from a signal handler. */
void display_abandon(void);

/* "TITLE 3/12 (25 %)", if it is time. */
void progress_show(const char *title, size_t done, size_t total);
/*
 * "TITLE 3/12 (25 %): WHAT" at once: a step that takes long begins. Its
 * seconds are counted behind it.
 */
void progress_step(const char *title, size_t done, size_t total,
                   const char *what);

#endif
