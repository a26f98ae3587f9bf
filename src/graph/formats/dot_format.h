/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SEPX_GRAPH_DOT_FORMAT_H
#define SEPX_GRAPH_DOT_FORMAT_H

#include "graph/formats/formats.h"

SEPX_CHECKED enum sepx_err
sepx__dot_read(struct sepx_graph *graph, struct sepx_names *names,
               const char *bytes, size_t len, struct sepx_msg *msg);
/* Whether a text is GML: both begin with "graph". */
bool sepx__is_gml(const char *at, const char *end);

#endif
