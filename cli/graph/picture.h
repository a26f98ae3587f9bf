/* SPDX-License-Identifier: Apache-2.0 */
/* Graphviz text to a file or standard output, drawn if wanted. */
#ifndef SEPX_CLI_PICTURE_H
#define SEPX_CLI_PICTURE_H

#include "frame/cli.h"

/* "dot", "svg", "png", NULL */
extern const char *const picture_formats[];

/*
 * *format: the one wanted, else that of the output file's suffix, else dot.
 * `wanted` and `output` may be NULL. Says what is wrong.
 */
int picture_format(const char *command, const char **format, const char *wanted,
                   const char *output);
/* Write `dot` in that format; to standard output if `output` is NULL. */
int picture_write(const char *command, const struct sepx_text *dot,
                  const char *format, const char *output);

#endif
