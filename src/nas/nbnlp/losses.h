/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of losses are JSON Lines: a head {"format", "version", "space",
 * "description", "cells", "crc32c" of all lines behind it}, then for each
 * cell {"graph", "validation", "test", "runs"}.
 */
#ifndef SEPX_DATA_LOSSES_H
#define SEPX_DATA_LOSSES_H

#include "base/internal.h"
#include "nas/nbnlp/private.h"

#define SEPX__LOSSES_FORMAT "sepx losses"
#define SEPX__LOSSES_VERSION 1

/* The next line of a text, without its end; false behind the last. */
struct sepx__lines {
    const char *at, *end;
    const char *line;
    size_t len, number;
};

static inline bool
sepx__lines_next(struct sepx__lines *lines)
{
    const char *at = lines->at;

    if (at == lines->end)
        return false;
    while (lines->at < lines->end && *lines->at != '\n')
        lines->at++;
    lines->line = at;
    lines->len = (size_t)(lines->at - at);
    lines->at += lines->at < lines->end;
    lines->number++;
    return true;
}

#endif
