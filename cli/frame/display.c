/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The display. Lines are cut one column short of the terminal's width, so
 * that no line wraps and the cursor never waits behind the last column, and
 * to its height, since the cursor cannot go above the first row. Between two
 * drawings a terminal that became narrower has wrapped the old lines: their
 * rows are counted at the new width. The cursor rests at the start of the
 * last line.
 *
 * A thread draws the same lines again after a change of the width, and once
 * a second while a long step counts its seconds.
 */
#define _XOPEN_SOURCE 700 /* wcwidth */
#include "frame/display.h"

#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#define DELAY 0.25 /* seconds; shorter work needs no display */
#define REDRAW 0.1
#define TICK 1.0
enum { LINES_MAX = 64, COLUMNS = 80, ROWS = 24 };

struct size {
    size_t columns, rows;
};

static struct {
    pthread_mutex_t lock;
    double began, shown;
    struct sepx_text text;   /* what stands there, uncut */
    double step;             /* when the step under way began; 0: none */
    size_t columns;          /* of the terminal when it was drawn */
    size_t width[LINES_MAX]; /* columns of each line that stands there */
    size_t lines;
    bool ticking; /* there is a thread */
} display = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* How to take it away, for the signal handler; "" if nothing is there. */
static char erase[32];
static atomic_int abandoned;

/* ---- the terminal ---- */

bool
display_there(void)
{
    const char *term = getenv("TERM");

    return isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

static size_t
variable(const char *name, size_t otherwise)
{
    const char *text = getenv(name);
    long value = text ? strtol(text, NULL, 10) : 0;

    return value > 0 && value < 10000 ? (size_t)value : otherwise;
}

/* Asked for at each drawing, so a new size needs no signal. */
static struct size
size_of_terminal(void)
{
    struct winsize w = {0};

    (void)ioctl(STDERR_FILENO, TIOCGWINSZ, &w);
    return (struct size){.columns =
                             w.ws_col ? w.ws_col : variable("COLUMNS", COLUMNS),
                         .rows = w.ws_row ? w.ws_row : variable("LINES", ROWS)};
}

size_t
display_width(void)
{
    size_t columns = size_of_terminal().columns;

    return columns > 1 ? columns - 1 : 1;
}

/* ---- lines ---- */

/*
 * Columns of the character at `at` and its *len bytes. The locale is one of
 * UTF-8, or there is none on this machine: then any byte may be wide.
 */
static size_t
columns_of(const char *at, size_t left, size_t *len)
{
    mbstate_t state = {0};
    wchar_t wide;
    size_t n = mbrtowc(&wide, at, left, &state);
    int columns;

    if (n == 0 || n > left) {
        *len = 1;
        return 2;
    }
    *len = n;
    columns = wcwidth(wide);
    return columns < 0 ? 1 : (size_t)columns;
}

/* Bytes of the colour or weight that begins at `at`; 0: none does. */
static size_t
style_len(const char *at, size_t left)
{
    size_t n = 0;

    if (*at != '\033')
        return 0;
    while (n < left && at[n] != 'm')
        n++;
    return n < left ? n + 1 : left;
}

/* Append one line, cut to `most` columns; returns its columns. */
static size_t
add_line(struct sepx_text *to, const char *line, size_t len, size_t most,
         enum sepx_err *err)
{
    size_t at = 0, width = 0;
    bool full = false;

    while (at < len) {
        size_t n = style_len(line + at, len - at);

        if (!n && !full) {
            size_t columns = columns_of(line + at, len - at, &n);

            full = width + columns > most;
            width += full ? 0 : columns;
        } else if (!n) {
            n = 1;
        }
        /* Styles behind the cut are kept: they may end one before it. */
        if (!*err && (!full || line[at] == '\033'))
            *err = sepx_text_add(to, line + at, n);
        at += n;
    }
    return width;
}

/* ---- drawing ---- */

/* Rows above the cursor that the lines take at the width of now. */
static size_t
rows_above(size_t columns)
{
    size_t rows = 0;

    for (size_t i = 0; i + 1 < display.lines; i++) {
        size_t width = display.width[i];

        rows += width ? (width + columns - 1) / columns : 1;
    }
    return rows;
}

static enum sepx_err
add_start(struct sepx_text *to)
{
    size_t rows = rows_above(size_of_terminal().columns);

    return rows ? sepx_text_print(to, "\r\033[%zuA", rows)
                : sepx_text_add(to, "\r", 1);
}

static enum sepx_err
add_lines(struct sepx_text *to, const char *text)
{
    const size_t rows = size_of_terminal().rows;
    const size_t most = rows > 1 ? rows - 1 : 1;
    enum sepx_err err = SEPX_OK;

    display.lines = 0;
    while (*text && !err && display.lines < most && display.lines < LINES_MAX) {
        size_t len = strcspn(text, "\n");

        if (display.lines)
            err = sepx_text_add(to, "\r\n", 2);
        display.width[display.lines++] =
            add_line(to, text, len, display_width(), &err);
        if (!err)
            err = sepx_text_add(to, "\033[K", 3);
        text += len + (text[len] == '\n');
    }
    return err ? err : sepx_text_add(to, "\033[J\r", 4);
}

static void
write_out(const char *bytes, size_t len)
{
    while (len) {
        ssize_t n = write(STDERR_FILENO, bytes, len);

        if (n <= 0)
            return;
        bytes += n;
        len -= (size_t)n;
    }
}

static void
set_erase(void)
{
    size_t rows = display.lines ? display.lines - 1 : 0;

    erase[0] = '\0';
    if (rows)
        snprintf(erase, sizeof erase, "\r\033[%zuA\033[J", rows);
    else if (display.lines)
        snprintf(erase, sizeof erase, "\r\033[J");
}

static enum sepx_err
add_seconds(struct sepx_text *text)
{
    double seconds = sepx_clock() - display.step;

    if (!(display.step > 0) || seconds < TICK)
        return SEPX_OK;
    return sepx_text_print(text, ", %.0f s", floor(seconds));
}

/* Widths are counted in a locale of this thread, not of the process. */
static void
draw(void)
{
    locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    locale_t old = utf8 ? uselocale(utf8) : (locale_t)0;
    const size_t plain = display.text.len;
    struct sepx_text to = {0};
    enum sepx_err err = add_seconds(&display.text);

    display.shown = sepx_clock();
    if (!err)
        err = add_start(&to);
    display.columns = size_of_terminal().columns;
    if (!err)
        err = add_lines(&to, display.text.at);
    display.text.len = plain;
    display.text.at[plain] = '\0';
    if (utf8) {
        uselocale(old);
        freelocale(utf8);
    }
    if (!err && !abandoned)
        write_out(to.at, to.len);
    set_erase();
    sepx_text_release(&to);
}

/* Nothing ends it but the program. */
static void *
tick(void *context)
{
    const struct timespec nap = {.tv_nsec = (long)(REDRAW * 1e9)};

    (void)context;
    for (;;) {
        (void)nanosleep(&nap, NULL);
        pthread_mutex_lock(&display.lock);
        if (display.lines &&
            (display.columns != size_of_terminal().columns ||
             (display.step > 0 && sepx_clock() - display.shown >= TICK)))
            draw();
        pthread_mutex_unlock(&display.lock);
    }
    return NULL;
}

/* Signals stay those of the other threads. */
static void
start_ticking(void)
{
    pthread_t thread;
    sigset_t all, old;

    if (display.ticking)
        return;
    display.ticking = true;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    if (!pthread_create(&thread, NULL, tick, NULL))
        (void)pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

bool
display_due(void)
{
    bool due = false;

    if (!display_there())
        return false;
    pthread_mutex_lock(&display.lock);
    if (!(display.began > 0))
        display.began = sepx_clock();
    due = sepx_clock() - display.began >= DELAY &&
          sepx_clock() - display.shown >= REDRAW;
    pthread_mutex_unlock(&display.lock);
    return due;
}

/* Takes the text of `out`. */
static void
set_text(struct out *out, double step)
{
    if (out->err || !out->text.at || !display_there()) {
        out_release(out);
        return;
    }
    pthread_mutex_lock(&display.lock);
    sepx_text_release(&display.text);
    display.text = out->text;
    display.step = step;
    start_ticking();
    draw();
    pthread_mutex_unlock(&display.lock);
    *out = (struct out){0};
}

void
display_draw(struct out *out)
{
    set_text(out, 0);
}

void
display_end(void)
{
    pthread_mutex_lock(&display.lock);
    if (display.lines) {
        struct sepx_text to = {0};

        if (!add_start(&to) && !sepx_text_add(&to, "\033[J", 3))
            write_out(to.at, to.len);
        sepx_text_release(&to);
        display.lines = 0;
        set_erase();
    }
    pthread_mutex_unlock(&display.lock);
}

void
display_abandon(void)
{
    abandoned = 1;
    if (erase[0])
        write_out(erase, strlen(erase));
    else if (isatty(STDERR_FILENO))
        write_out("\n", 1); /* behind the ^C that the terminal shows */
}

/* ---- one line ---- */

static void
print_share(struct out *out, const char *title, size_t done, size_t total)
{
    double share = total && done < total ? (double)done / (double)total : 1;

    out_print(out, "%s %zu/%zu (%.0f %%)", title, done, total,
              100 * (total ? share : 1));
}

void
progress_show(const char *title, size_t done, size_t total)
{
    struct out out = {0};

    if (!display_due())
        return;
    print_share(&out, title, done, total);
    display_draw(&out);
}

void
progress_step(const char *title, size_t done, size_t total, const char *what)
{
    struct out out = {0};

    if (!display_there())
        return;
    print_share(&out, title, done, total);
    out_print(&out, ": %s", what);
    set_text(&out, sepx_clock());
}
