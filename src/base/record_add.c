/* SPDX-License-Identifier: Apache-2.0 */
#include "base/bytes.h"
#include "base/private.h"

static void
put_sum(unsigned char *at, const void *bytes, size_t len)
{
    struct sepx__crc32c crc;
    uint32_t sum;

    sepx__crc32c_init(&crc);
    sum = sepx__crc32c_add(&crc, 0, bytes, len);
    sum = (sum >> 15 | sum << 17) + 0xa282ead8; /* the mask */
    sepx__put_bytes(at, sum, 4);
}

enum sepx_err
sepx_record_add(struct sepx_text *text, const char *bytes, size_t len)
{
    unsigned char head[12], tail[4];
    enum sepx_err err;

    sepx__put_bytes(head, len, 8);
    put_sum(head + 8, head, 8);
    put_sum(tail, bytes, len);
    err = sepx_text_add(text, (const char *)head, sizeof(head));
    if (!err)
        err = sepx_text_add(text, bytes, len);
    return err ? err : sepx_text_add(text, (const char *)tail, sizeof(tail));
}
