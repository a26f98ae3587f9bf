/* SPDX-License-Identifier: Apache-2.0 */
#include "frame/line_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER_BYTES = 1 << 16 };

enum sepx_err
lines_open(struct lines *lines, const char *path, struct sepx_msg *msg)
{
    int fd = strcmp(path, "-") ? open(path, O_RDONLY) : STDIN_FILENO;

    *lines = (struct lines){.path = path};
    if (fd < 0)
        return sepx_fail(msg, SEPX_ENOINPUT,
                         "%s: cannot open: %s; check the path", path,
                         strerror(errno));
    lines->fd = fd + 1;
    lines->buffer = malloc(BUFFER_BYTES);
    return lines->buffer ? SEPX_OK : SEPX_ENOMEM;
}

static enum sepx_err
fill(struct lines *lines, struct sepx_msg *msg)
{
    ssize_t n;

    do
        n = read(lines->fd - 1, lines->buffer, BUFFER_BYTES);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return sepx_fail(msg, SEPX_ENOINPUT, "%s: cannot read: %s", lines->path,
                         strerror(errno));
    lines->at = 0;
    lines->end = (size_t)n;
    lines->finished = n == 0;
    return SEPX_OK;
}

/* Move bytes up to a newline or the buffer's end; *whole: newline seen. */
static enum sepx_err
take(struct lines *lines, bool *whole, struct sepx_msg *msg)
{
    const char *from = lines->buffer + lines->at;
    size_t len = lines->end - lines->at;
    const char *newline = memchr(from, '\n', len);

    *whole = newline;
    if (newline)
        len = (size_t)(newline - from);
    lines->at += len + (newline ? 1 : 0);
    if (lines->line.len + len > LINE_BYTES_MAX) {
        (void)sepx_fail(msg, SEPX_ELIMIT,
                        "the line is longer than %zu bytes; split it",
                        LINE_BYTES_MAX);
        sepx_msg_place(msg, lines->path, lines->number);
        return SEPX_ELIMIT;
    }
    return sepx_text_add(&lines->line, from, len);
}

enum sepx_err
lines_next(struct lines *lines, bool *more, struct sepx_msg *msg)
{
    bool whole = false;
    enum sepx_err err = SEPX_OK;

    lines->line.len = 0;
    lines->number++;
    while (!whole && !err) {
        if (lines->at == lines->end) {
            err = fill(lines, msg);
            if (err || lines->finished)
                break;
        }
        err = take(lines, &whole, msg);
    }
    *more = whole || lines->line.len;
    return err;
}

void
lines_close(struct lines *lines)
{
    if (lines->fd > 1)
        close(lines->fd - 1);
    free(lines->buffer);
    sepx_text_release(&lines->line);
    *lines = (struct lines){0};
}
