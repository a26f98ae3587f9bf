/* SPDX-License-Identifier: Apache-2.0 */
/* A file line by line, however long it is; a line is bounded. */
#ifndef SEPX_CLI_LINES_H
#define SEPX_CLI_LINES_H

#include "library.h"

#define LINE_BYTES_MAX ((size_t)64 << 20)

/* {0} is closed; lines_close() ends it. */
struct lines {
    const char *path;
    int fd;                /* plus one, so that 0 is none */
    struct sepx_text line; /* the current one, without its newline */
    size_t number;         /* of the current line, from 1 */
    char *buffer;
    size_t at, end;
    bool finished;
};

/* "-" is standard input. The path must outlive the reader. */
SEPX_CHECKED enum sepx_err lines_open(struct lines *lines, const char *path,
                                      struct sepx_msg *msg);
/* The next line; *more is false behind the last one. */
SEPX_CHECKED enum sepx_err lines_next(struct lines *lines, bool *more,
                                      struct sepx_msg *msg);
void lines_close(struct lines *lines);

#endif
