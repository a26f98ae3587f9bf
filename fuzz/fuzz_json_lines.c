/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz.h"

#include <string.h>

/* All graphs, one on each line, read again. */
static void
require_lines(const struct sepx_graphs *graphs, struct sepx_names *names)
{
    struct sepx_graphs again = {0};
    struct sepx_text text = {0};

    for (size_t i = 0; i < graphs->count; i++) {
        REQUIRE(!sepx_graph_write_json(&text, &graphs->at[i]));
        REQUIRE(!sepx_text_add(&text, "\n", 1));
    }
    REQUIRE(!sepx_graphs_read(&again, names, text.at, text.len, "again", NULL));
    REQUIRE(again.count == graphs->count);
    for (size_t i = 0; i < graphs->count; i++) {
        require_valid(&graphs->at[i]);
        REQUIRE(sepx_graph_equal(&graphs->at[i], &again.at[i]));
    }
    sepx_text_release(&text);
    sepx_graphs_release(&again);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sepx_names *names = sepx_names_new();
    struct sepx_graphs graphs = {0};
    struct sepx_msg msg = {0};
    enum sepx_err err;

    REQUIRE(names);
    err = sepx_graphs_read(&graphs, names, (const char *)data, size, "lines",
                           &msg);
    if (err) {
        require_refusal(err, &msg);
        REQUIRE(!graphs.count && !strncmp(msg.text, "lines:", 6));
    } else {
        require_lines(&graphs, names);
    }
    sepx_graphs_release(&graphs);
    sepx_names_free(names);
    return 0;
}
