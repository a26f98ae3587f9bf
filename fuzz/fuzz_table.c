/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables: whatever the file holds, opening, asking and verifying stay inside
 * of it. The first byte says whether the checksums are made right first.
 */
#include "fuzz.h"

#include <string.h>

#include "crc32c.h"

enum { HEAD_BODY = 36, HEAD_LEAST = 100 };

static void
seal(uint8_t *bytes, size_t len)
{
    seal_table(bytes, len, "SEPXTAB\n\1\0\0\0", HEAD_BODY, HEAD_LEAST);
}

static void
ask(const struct sepx_table *table, uint32_t entry)
{
    struct sepx_nb101_cell cell;
    uint32_t found;

    if (sepx_table_cell(table, &cell, entry))
        (void)sepx_table_find(table, &found, &cell);
    REQUIRE(sepx_table_row(table, entry) < SEPX_NB101_CELLS);
    (void)sepx_table_parameters(table, entry);
    (void)sepx_table_test_mean(table, entry);
    for (unsigned v = 0; v < SEPX_TABLE_VALUES; v++)
        for (unsigned b = 0; b < SEPX_TABLE_BUDGETS; b++)
            for (unsigned t = 0; t < SEPX_TABLE_TRIALS; t++)
                (void)sepx_table_get(table, entry, v, b, t);
}

static void
use(const uint8_t *bytes, size_t len)
{
    struct sepx_table_info info;
    struct sepx_table *table;
    struct sepx_msg msg = {0};
    enum sepx_err err = sepx_table_open_bytes(&table, bytes, len, &msg);

    if (err) {
        require_refusal(err, &msg);
        return;
    }
    sepx_table_info(table, &info);
    REQUIRE(info.cells && info.cells <= SEPX_NB101_CELLS);
    REQUIRE(strlen(info.description) <= len);
    ask(table, 0);
    ask(table, info.cells - 1);
    err = sepx_table_verify(table, &msg);
    if (err)
        require_refusal(err, &msg);
    sepx_table_close(table);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    use_sealed(data, size, HEAD_LEAST, seal, use);
    return 0;
}
