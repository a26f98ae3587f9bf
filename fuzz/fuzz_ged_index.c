/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Indexes of graphs: whatever the bytes hold, opening and searching stay
 * inside of them. The first byte says whether the head is made right first.
 */
#include "fuzz.h"

#include <string.h>

#include "crc32c.h"

enum { HEAD = 40, LEN_AT = 16, CRC_AT = 24 };

static void
seal(uint8_t *bytes, size_t len)
{
    memcpy(bytes, "SEPXGEX\n\1\0\0\0", 12);
    bytes[12] &= 1;
    memset(bytes + 13, 0, 3);
    put32(bytes + LEN_AT, (uint32_t)len);
    memset(bytes + LEN_AT + 4, 0, 4);
    put32(bytes + CRC_AT, crc32c(bytes + HEAD, len - HEAD));
}

static void
search(const struct sepx_ged_index *index)
{
    const struct sepx_ged_limits limits = {.nodes = 100};
    struct sepx_ged_hits hits = {0};
    struct sepx_graph graph = {0};

    for (size_t i = 0; i < sepx_ged_index_count(index); i++) {
        size_t len;

        REQUIRE(!sepx_ged_index_graph(index, &graph, i));
        (void)sepx_ged_index_name(index, i, &len);
        REQUIRE(len < 256);
    }
    if (sepx_ged_index_count(index) && graph.n_nodes < 10) {
        enum sepx_err err =
            sepx_ged_nearest(index, &hits, 2, &graph, NULL, &limits, 1);

        REQUIRE(!err || err == SEPX_ELIMIT);
        REQUIRE(err || (hits.count && hits.at[0].upper == 0));
    }
    sepx_ged_hits_release(&hits);
    sepx_graph_release(&graph);
}

static void
use(const uint8_t *bytes, size_t len)
{
    struct sepx_names *names = sepx_names_new();
    struct sepx_ged_index *index;
    struct sepx_msg msg = {0};
    enum sepx_err err;

    REQUIRE(names);
    err = sepx_ged_index_open_bytes(&index, names, bytes, len, &msg);
    if (err)
        require_refusal(err, &msg);
    else
        search(index);
    sepx_ged_index_close(index);
    sepx_names_free(names);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    use_sealed(data, size, HEAD, seal, use);
    return 0;
}
