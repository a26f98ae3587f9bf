/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sepx_names *names = sepx_names_new();
    struct sepx_graph graph = {0};
    struct sepx_text dot = {0};
    struct sepx_msg msg = {0};
    enum sepx_err err;

    REQUIRE(names);
    err = sepx_graph_read(&graph, names, (const char *)data, size,
                          SEPX_FORMAT_GRAPHML, &msg);
    if (err) {
        require_refusal(err, &msg);
    } else {
        require_round_trip(&graph);
        REQUIRE(!sepx_graph_write_dot(&dot, &graph, NULL));
    }
    sepx_text_release(&dot);
    sepx_graph_release(&graph);
    sepx_names_free(names);
    return 0;
}
