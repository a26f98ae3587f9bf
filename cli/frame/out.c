/* SPDX-License-Identifier: Apache-2.0 */
/* Data on standard output, words on standard error. */
#include "frame/display.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Formatted text, in `room` if it fits, else one that is to be freed. */
static char *
format_text(char *room, size_t size, size_t *len, const char *format,
            va_list args)
{
    va_list again;
    char *text = room;
    int n;

    va_copy(again, args);
    n = vsnprintf(room, size, format, args);
    *len = n < 0 ? 0 : (size_t)n;
    if (*len >= size)
        text = malloc(*len + 1);
    if (text && text != room)
        vsnprintf(text, *len + 1, format, again);
    va_end(again);
    return text;
}

static void
print(struct out *out, const char *format, va_list args)
{
    char room[512];
    size_t len;
    char *text;

    if (out->err)
        return;
    text = format_text(room, sizeof room, &len, format, args);
    out->err =
        text ? sepx_text_add_visible(&out->text, text, len) : SEPX_ENOMEM;
    if (text != room)
        free(text);
}

void
out_print(struct out *out, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    print(out, format, args);
    va_end(args);
}

void
out_print_quoted(struct out *out, const char *text)
{
    out_print(out, "\"");
    while (*text) {
        size_t plain = strcspn(text, "\"");

        out_print(out, text[plain] ? "%.*s\"\"" : "%.*s", (int)plain, text);
        text += plain + (text[plain] != '\0');
    }
    out_print(out, "\"");
}

void
out_print_field(struct out *out, const char *text)
{
    if (strpbrk(text, ",\"\r\n"))
        out_print_quoted(out, text);
    else
        out_print(out, "%s", text);
}

const char *
out_print_until(struct out *out, const char *text, const char *stop)
{
    size_t plain = strcspn(text, stop);

    out_print(out, "%.*s", (int)plain, text);
    return text + plain;
}

void
out_style(struct out *out, int descriptor, enum out_style style)
{
    if (!out->err && cli_colour(descriptor))
        out->err = sepx_text_print(&out->text, "\033[%dm", (int)style);
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
    display_end();
    if (!write_all(out->text.at, out->text.len)) {
        if (errno == EPIPE)
            return CLI_PIPE;
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

/* One write, so that lines of several threads do not mix. */
static void
say(const char *name, const char *hint, const char *format, va_list args)
{
    struct out out = {0};

    out_print(&out, name ? "sepx %s: " : "sepx: ", name);
    print(&out, format, args);
    out_print(&out, "\n%s", hint);
    display_end();
    fputs(out.err ? "sepx: out of memory\n" : out.text.at, stderr);
    out_release(&out);
}

void
cli_say(const char *name, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say(name, "", format, args);
    va_end(args);
}

int
cli_usage(const char *name, const char *format, ...)
{
    char hint[64];
    va_list args;

    snprintf(hint, sizeof hint, "Try 'sepx %s%s--help'.\n", name ? name : "",
             name ? " " : "");
    va_start(args, format);
    say(name, hint, format, args);
    va_end(args);
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
    case SEPX_ENOINPUT:
        return CLI_NOINPUT;
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
