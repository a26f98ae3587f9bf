/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of results, and the rows they are made of. The first byte says
 * which, and whether a table's checksums are made right first.
 */
#include "fuzz.h"

#include <string.h>

#include "crc32c.h"

enum { HEAD_BODY = 56, HEAD_LEAST = 88 };

static const char space_text[] =
    "{\"format\":\"sepx-space\",\"version\":1,\"nodes\":{"
    "\"in\":{\"role\":\"input\",\"count\":1},"
    "\"out\":{\"role\":\"output\",\"count\":1},\"a\":{},\"b\":{}},"
    "\"limits\":{\"nodes\":[2,5],\"edges\":[1,8]},\"connected\":\"pruned\"}";

static void
seal(uint8_t *bytes, size_t len)
{
    seal_table(bytes, len, "SEPXRES\n\1\0\0\0", HEAD_BODY, HEAD_LEAST);
}

static void
use(const uint8_t *bytes, size_t len)
{
    struct sepx_names *names = sepx_names_new();
    struct sepx_results_range range;
    struct sepx_results_info info;
    struct sepx_results *results;
    struct sepx_graph graph = {0};
    struct sepx_msg msg = {0};
    enum sepx_err err = sepx_results_open_bytes(&results, bytes, len, &msg);

    REQUIRE(names);
    if (err) {
        require_refusal(err, &msg);
        sepx_names_free(names);
        return;
    }
    sepx_results_info(results, &info);
    REQUIRE(info.graphs && info.metrics);
    for (uint32_t i = 0; i < info.metrics; i++) {
        REQUIRE(strlen(sepx_results_metric(results, i)));
        sepx_results_range(results, i, &range);
        REQUIRE(range.known <= info.graphs);
    }
    err = sepx_results_graph(results, &graph, names, info.graphs - 1, &msg);
    if (err)
        require_refusal(err, &msg);
    err = sepx_results_verify(results, &msg);
    if (err)
        require_refusal(err, &msg);
    sepx_graph_release(&graph);
    sepx_results_close(results);
    sepx_names_free(names);
}

static void
make(const char *rows, size_t len)
{
    struct sepx_results_builder *builder;
    struct sepx_text bytes = {0};
    struct sepx_space *space;
    struct sepx_msg msg = {0};
    enum sepx_err err;

    REQUIRE(!sepx_space_open_text(&space, space_text, strlen(space_text),
                                  "fuzz", NULL));
    REQUIRE(!sepx_results_builder_new(&builder, space, NULL));
    err = sepx_results_builder_read(builder, rows, len, "rows", &msg);
    if (!err)
        err = sepx_results_builder_write(builder, &bytes, &msg);
    if (err)
        require_refusal(err, &msg);
    else
        use((const uint8_t *)bytes.at, bytes.len);
    sepx_text_release(&bytes);
    sepx_results_builder_free(builder);
    sepx_space_close(space);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sepx_text copy = {0};

    if (!size)
        return 0;
    if (data[0] % 3 == 0) {
        make((const char *)data + 1, size - 1);
    } else if (size <= HEAD_LEAST || data[0] % 3 == 1) {
        use(data + 1, size - 1);
    } else {
        REQUIRE(!sepx_text_add(&copy, (const char *)data + 1, size - 1));
        seal((uint8_t *)copy.at, copy.len);
        use((const uint8_t *)copy.at, copy.len);
        sepx_text_release(&copy);
    }
    return 0;
}
