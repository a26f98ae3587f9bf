/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of NAS-Bench-101. The first byte says what the rest is: a whole
 * file, the payload of a record, or the measurements of one; frame and
 * checksums are then put around it.
 */
#include "fuzz.h"

#include <string.h>

#include "crc32c.h"

#define START \
    "[\"043721b9c7fe8c5fad811d47d83132ec\", 108, \"0100\", " \
    "\"input,output\", \""

/* What was accepted makes a table that is in order. */
static void
check_table(const struct sepx_table_builder *builder)
{
    struct sepx_table *table;
    struct sepx_text bytes = {0};
    struct sepx_msg msg = {0};

    REQUIRE(!sepx_table_builder_write(builder, &bytes, &msg));
    REQUIRE(!sepx_table_open_bytes(&table, bytes.at, bytes.len, &msg));
    REQUIRE(!sepx_table_verify(table, &msg));
    sepx_table_close(table);
    sepx_text_release(&bytes);
}

static void
import(const void *bytes, size_t len)
{
    struct sepx_table_builder *builder;
    struct sepx_msg msg = {0};
    enum sepx_err err;

    REQUIRE(!sepx_table_builder_new(&builder, NULL));
    err = sepx_table_builder_tfrecord_bytes(builder, bytes, len, &msg);
    if (err)
        require_refusal(err, &msg);
    else
        check_table(builder);
    sepx_table_builder_free(builder);
}

static uint32_t
mask(uint32_t sum)
{
    return (sum >> 15 | sum << 17) + 0xa282ead8;
}

static void
import_payload(const char *payload, size_t len)
{
    struct sepx_text file = {0};
    uint8_t head[12] = {0}, sum[4];

    put32(head, (uint32_t)len);
    put32(head + 8, mask(crc32c(head, 8)));
    put32(sum, mask(crc32c((const uint8_t *)payload, len)));
    REQUIRE(!sepx_text_add(&file, (const char *)head, sizeof head));
    REQUIRE(!sepx_text_add(&file, payload, len));
    REQUIRE(!sepx_text_add(&file, (const char *)sum, sizeof sum));
    import(file.at, file.len);
    sepx_text_release(&file);
}

static void
import_measurements(const uint8_t *data, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrs"
                                 "tuvwxyz0123456789+/";
    struct sepx_text payload = {0};

    REQUIRE(!sepx_text_print(&payload, START));
    for (size_t i = 0; i < size; i += 3) {
        uint32_t bits = (uint32_t)data[i] << 16 |
                        (uint32_t)(i + 1 < size ? data[i + 1] : 0) << 8 |
                        (i + 2 < size ? data[i + 2] : 0);
        size_t used = size - i < 3 ? size - i + 1 : 4;
        char four[4] = {'=', '=', '=', '='};

        for (size_t k = 0; k < used; k++)
            four[k] = digits[bits >> (18 - 6 * k) & 63];
        REQUIRE(!sepx_text_add(&payload, four, 4));
    }
    REQUIRE(!sepx_text_print(&payload, "\"]"));
    import_payload(payload.at, payload.len);
    sepx_text_release(&payload);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    switch (data[0] % 3) {
    case 0:
        import(data + 1, size - 1);
        break;
    case 1:
        import_payload((const char *)data + 1, size - 1);
        break;
    default:
        import_measurements(data + 1, size - 1);
    }
    return 0;
}
