/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/internal.h"
enum sepx_err
sepx__graph_read_graphml(struct sepx_graph *graph, struct sepx_names *names,
                         const char *bytes, size_t len, struct sepx_msg *msg)
{
    (void)graph;
    (void)names;
    (void)bytes;
    (void)len;
    return sepx_fail(msg, SEPX_EUNSUPPORTED, "GraphML");
}
