/* SPDX-License-Identifier: Apache-2.0 */
/* What reading one graph and reading many share. */
#ifndef SEPX_GRAPH_READ_H
#define SEPX_GRAPH_READ_H

#include "graph/internal.h"

const char *sepx__skip_space(const char *at, const char *end);
/* Past the byte order mark that some editors put first. */
const char *sepx__skip_mark(const char *bytes, size_t len);

/*
 * As sepx_graph_read(); messages name the file and the line. `first` is the
 * number of the text's first line in it, 0 if the text is the whole file.
 */
SEPX_CHECKED enum sepx_err
sepx__graph_read_at(struct sepx_graph *graph, struct sepx_names *names,
                    const char *bytes, size_t len, const char *name,
                    size_t first, struct sepx_msg *msg);

/* Give a message the line that an item has in the JSON text. */
void sepx__msg_locate(struct sepx_msg *msg, const char *bytes, size_t len,
                      const struct sepx__item *item);

/* As messages call it. */
const char *sepx__file_name(const char *path);

#endif
