/* SPDX-License-Identifier: Apache-2.0 */
/* The checksum of the data files, so that the fuzzer gets past it. */
#ifndef SEPX_FUZZ_CRC32C_H
#define SEPX_FUZZ_CRC32C_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t
crc32c(const uint8_t *bytes, size_t len)
{
    uint32_t sum = UINT32_MAX;

    for (size_t i = 0; i < len; i++) {
        sum ^= bytes[i];
        for (unsigned bit = 0; bit < 8; bit++)
            sum = sum >> 1 ^ (sum & 1 ? 0x82f63b78 : 0);
    }
    return ~sum;
}

static inline void
put32(uint8_t *to, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

/*
 * Tables: the magic of 12 bytes, the size of the head behind it, the size of
 * the file at 16, the checksum of the body at `body`, that of the head at its
 * end.
 */
static inline void
seal_table(uint8_t *bytes, size_t len, const char *magic, size_t body,
           size_t least)
{
    size_t head = (size_t)bytes[12] | (size_t)bytes[13] << 8;

    if (head < least || head > len)
        return;
    memcpy(bytes, magic, 12);
    memset(bytes + 14, 0, 2);
    put32(bytes + 16, (uint32_t)len);
    memset(bytes + 20, 0, 4);
    put32(bytes + body, crc32c(bytes + head, len - head));
    put32(bytes + head - 4, crc32c(bytes, head - 4));
}

#endif
