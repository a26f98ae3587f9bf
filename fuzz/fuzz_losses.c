/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Training logs of NAS-Bench-NLP, and tables of losses. The first byte says
 * which of them the rest is; logs that are accepted make a table that opens.
 */
#include "fuzz.h"

static void
open_table(const struct sepx_space *space, const char *bytes, size_t len,
           bool must)
{
    struct sepx_losses *losses;
    struct sepx_msg msg = {0};
    enum sepx_err err =
        sepx_losses_open_bytes(&losses, space, bytes, len, &msg);

    REQUIRE(!must || !err);
    if (err)
        require_refusal(err, &msg);
    else
        REQUIRE(sepx_losses_count(losses) > 0);
    sepx_losses_close(losses);
}

static void
import(const struct sepx_space *space, const char *bytes, size_t len)
{
    struct sepx_text table = {0};
    struct sepx_msg msg = {0};
    enum sepx_err err = sepx_losses_import(&table, space, bytes, len, &msg);

    if (err)
        require_refusal(err, &msg);
    else
        open_table(space, table.at, table.len, true);
    sepx_text_release(&table);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sepx_space *space;

    if (!size)
        return 0;
    REQUIRE(!sepx_space_open(&space, "nbnlp", NULL));
    if (data[0] % 2)
        open_table(space, (const char *)data + 1, size - 1, false);
    else
        import(space, (const char *)data + 1, size - 1);
    sepx_space_close(space);
    return 0;
}
