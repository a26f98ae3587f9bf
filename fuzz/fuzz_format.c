/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One format, FUZZ_FORMAT: whatever the text is, it is refused with a reason
 * or gives graphs; and what the format then writes of them reads back.
 */
#include "fuzz.h"

#include <string.h>

static void
try_format(const struct sepx_format_info *format,
           const struct sepx_graph *graph)
{
    struct sepx_graphs back = {0};
    struct sepx_text text = {0};
    struct sepx_msg msg = {0};
    struct sepx_graph plain = *graph;
    bool same = false;
    enum sepx_err err;

    plain.extra = NULL;
    err = sepx_graph_write(&text, &plain, format, &msg);
    if (err) {
        require_refusal(err, &msg);
    } else {
        REQUIRE(!sepx_graphs_read_as(&back, graph->names, text.at, text.len,
                                     format, "again", &msg));
        REQUIRE(back.count == 1);
        same = sepx_graph_equal(graph, &back.at[0]);
        if (!same && graph->n_nodes <= 30)
            REQUIRE(!sepx_graph_isomorphic(graph, &back.at[0], &same, NULL) &&
                    same);
    }
    sepx_graphs_release(&back);
    sepx_text_release(&text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sepx_names *names = sepx_names_new();
    const struct sepx_format_info *format;
    struct sepx_graphs graphs = {0};
    struct sepx_msg msg = {0};
    enum sepx_err err;

    REQUIRE(names);
    REQUIRE(!sepx_format_find(&format, FUZZ_FORMAT, &msg));
    err = sepx_graphs_read_as(&graphs, names, (const char *)data, size, format,
                              "fuzz", &msg);
    if (err)
        require_refusal(err, &msg);
    for (size_t i = 0; i < graphs.count; i++) {
        require_round_trip(&graphs.at[i]);
        if (format->writes)
            try_format(format, &graphs.at[i]);
    }
    sepx_graphs_release(&graphs);
    sepx_names_free(names);
    return 0;
}
