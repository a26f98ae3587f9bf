/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz.h"

static void
read_as(const char *bytes, size_t len, enum sepx_graph_format format)
{
    struct sepx_names *names = sepx_names_new();
    struct sepx_graph graph = {0};
    struct sepx_msg msg = {0};
    enum sepx_err err;

    REQUIRE(names);
    err = sepx_graph_read(&graph, names, bytes, len, format, &msg);
    if (err)
        require_refusal(err, &msg);
    else
        require_round_trip(&graph);
    sepx_graph_release(&graph);
    sepx_names_free(names);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_as((const char *)data, size, SEPX_FORMAT_AUTO);
    read_as((const char *)data, size, SEPX_FORMAT_JSON);
    read_as((const char *)data, size, SEPX_FORMAT_NODE_LINK);
    return 0;
}
