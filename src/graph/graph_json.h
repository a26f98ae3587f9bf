/* SPDX-License-Identifier: Apache-2.0 */
/* Code that the JSON forms of a graph share. */
#ifndef SEPX_GRAPH_JSON_H
#define SEPX_GRAPH_JSON_H

#include "graph/internal.h"

#define WHERE_BYTES 32 /* of a place such as "edges[3]" */

/* What messages say a value is: the value itself, or as much as fits. */
struct sepx__excerpt sepx__json_show(const struct sepx_json *value);
/* ", an integer" and so on, to follow it; nothing for null. */
const char *sepx__json_kind(const struct sepx_json *value);

/* `form`: how to write the graph, for the message. */
SEPX_CHECKED enum sepx_err sepx__json_array(const struct sepx_json *value,
                                            const char *key, const char *form,
                                            const struct sepx_json **array,
                                            struct sepx_msg *msg);

/* Nodes and edges of an object that sepx__graph_from_json() checked. */
SEPX_CHECKED enum sepx_err sepx__read_node_link(struct sepx__builder *builder,
                                                const struct sepx_json *value,
                                                struct sepx_msg *msg);

#endif
