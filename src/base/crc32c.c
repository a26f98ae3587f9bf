/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CRC-32C (Castagnoli polynomial, reflected), eight bytes a step: "slicing
 * by 8" of M. Kounavis and F. Berry, 2005.
 */
#include "base/internal.h"

#define POLYNOMIAL 0x82f63b78

void
sepx__crc32c_init(struct sepx__crc32c *crc)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t value = i;

        for (unsigned bit = 0; bit < 8; bit++)
            value = value >> 1 ^ (value & 1 ? POLYNOMIAL : 0);
        crc->table[0][i] = value;
    }
    for (unsigned k = 1; k < 8; k++)
        for (uint32_t i = 0; i < 256; i++) {
            uint32_t before = crc->table[k - 1][i];

            crc->table[k][i] = before >> 8 ^ crc->table[0][before & 0xff];
        }
}

uint32_t
sepx__crc32c_add(const struct sepx__crc32c *crc, uint32_t sum,
                 const void *bytes, size_t len)
{
    const unsigned char *at = bytes;
    uint32_t value = ~sum;

    for (; len >= 8; len -= 8, at += 8) {
        value ^= (uint32_t)at[0] | (uint32_t)at[1] << 8 |
                 (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
        value = crc->table[7][value & 0xff] ^ crc->table[6][value >> 8 & 0xff] ^
                crc->table[5][value >> 16 & 0xff] ^ crc->table[4][value >> 24] ^
                crc->table[3][at[4]] ^ crc->table[2][at[5]] ^
                crc->table[1][at[6]] ^ crc->table[0][at[7]];
    }
    for (; len; len--, at++)
        value = value >> 8 ^ crc->table[0][(value ^ *at) & 0xff];
    return ~value;
}
