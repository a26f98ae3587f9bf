/* SPDX-License-Identifier: Apache-2.0 */
/* The checksum of the data files, so that the fuzzer gets past it. */
#ifndef SEPX_FUZZ_CRC32C_H
#define SEPX_FUZZ_CRC32C_H

#include <stddef.h>
#include <stdint.h>

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

#endif
