/* SPDX-License-Identifier: Apache-2.0 */
/* Data on standard output, words on standard error. */
#include "cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void
out_print(struct out *out, const char *format, ...)
{
    char line[512];
    va_list args;
    int len;

    if (out->err)
        return;
    va_start(args, format);
    len = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (len >= 0 && (size_t)len < sizeof line) {
        out->err = sepx_text_add(&out->text, line, (size_t)len);
        return;
    }
    char *longer = malloc((size_t)len + 1);
    if (!longer) {
        out->err = SEPX_ENOMEM;
        return;
    }
    va_start(args, format);
    vsnprintf(longer, (size_t)len + 1, format, args);
    va_end(args);
    out->err = sepx_text_add(&out->text, longer, (size_t)len);
    free(longer);
}

static bool
write_all(const char *at, size_t len)
{
    while (len) {
        ssize_t n = write(STDOUT_FILENO, at, len);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        at += n;
        len -= (size_t)n;
    }
    return true;
}

int
out_flush(struct out *out)
{
    if (out->err)
        return cli_fail(NULL, out->err, NULL);
    if (!write_all(out->text.at, out->text.len)) {
        cli_say(NULL, "cannot write to standard output: %s", strerror(errno));
        return CLI_FAILED;
    }
    out->text.len = 0;
    return CLI_DONE;
}

void
out_release(struct out *out)
{
    sepx_text_release(&out->text);
}

static void
say(const char *name, const char *format, va_list args)
{
    fprintf(stderr, name ? "sepx %s: " : "sepx: ", name);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

void
cli_say(const char *name, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say(name, format, args);
    va_end(args);
}

int
cli_usage(const char *name, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say(name, format, args);
    va_end(args);
    fprintf(stderr, "Try 'sepx %s%s--help'.\n", name ? name : "",
            name ? " " : "");
    return CLI_USAGE;
}

static int
exit_of(enum sepx_err err)
{
    switch (err) {
    case SEPX_OK:
        return CLI_DONE;
    case SEPX_EDATA:
    case SEPX_ELIMIT:
        return CLI_DATA;
    case SEPX_EBUSY:
        return CLI_BUSY;
    case SEPX_ESTOPPED:
        return CLI_STOPPED;
    default:
        return CLI_FAILED;
    }
}

int
cli_fail(const char *name, enum sepx_err err, const struct sepx_msg *msg)
{
    bool empty = !msg || !msg->text[0];

    cli_say(name, "%s", empty ? sepx_strerror(err) : msg->text);
    return exit_of(err);
}

bool
cli_colour(int descriptor)
{
    const char *no = getenv("NO_COLOR");
    const char *term = getenv("TERM");

    if (no && *no)
        return false;
    return isatty(descriptor) && term && strcmp(term, "dumb") != 0;
}

void
progress_show(struct progress *progress, size_t done, size_t total)
{
    double now = sepx_clock();

    if (!isatty(STDERR_FILENO) || now - progress->shown < 0.1)
        return;
    fprintf(stderr, "\r%s %zu/%zu (%.0f %%)  ", progress->title, done, total,
            total ? 100.0 * (double)done / (double)total : 100.0);
    fflush(stderr);
    progress->shown = now;
    progress->visible = true;
}

void
progress_end(struct progress *progress)
{
    if (progress->visible)
        fprintf(stderr, "\r%*s\r", (int)strlen(progress->title) + 60, "");
    progress->visible = false;
}
