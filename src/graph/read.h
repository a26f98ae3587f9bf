/* SPDX-License-Identifier: Apache-2.0 */
/* What reading one graph and reading many share. */
#ifndef SEPX_GRAPH_READ_H
#define SEPX_GRAPH_READ_H

#include "graph/internal.h"

const char *sepx__skip_space(const char *at, const char *end);
/* Past the byte order mark that some editors put first. */
const char *sepx__skip_mark(const char *bytes, size_t len);

/*
 * Turn "line 3: ..." into "name:3: ...", and what names no line into
 * "name: ...". `first` is the number of the text's first line in its file,
 * or 0 if the text is the whole file; then it stands in for a missing line.
 */
void sepx__msg_place(struct sepx_msg *msg, const char *name, size_t first);

/*
 * Put "line 3: " before a message that begins with a place such as "edges[1]"
 * in the JSON text.
 */
void sepx__msg_locate(struct sepx_msg *msg, const char *bytes, size_t len);

/* As messages call it. */
const char *sepx__file_name(const char *path);

#endif
