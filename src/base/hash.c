/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two 64-bit lanes, each a chain of bijective mixes over the same words and
 * started apart. Words are read little-endian, so that stored keys mean the
 * same on every machine: the values must never change.
 */
#include "base/internal.h"

uint64_t
sepx__mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* The first `len` (1..8) bytes, low byte first, padded with zeros. */
static uint64_t
load(const unsigned char *at, size_t len)
{
    uint64_t word = 0;

    for (size_t i = 0; i < len; i++)
        word |= (uint64_t)at[i] << (8 * i);
    return word;
}

static uint64_t
swap_halves(uint64_t x)
{
    return x << 32 | x >> 32;
}

struct sepx__hash
sepx__hash(const void *bytes, size_t len)
{
    const unsigned char *at = bytes;
    uint64_t a = sepx__mix(len + UINT64_C(0x9e3779b97f4a7c15));
    uint64_t b = sepx__mix(len + UINT64_C(0xd1342543de82ef95));

    for (size_t left = len; left;) {
        size_t step = left < 8 ? left : 8;
        uint64_t word = load(at, step);

        a = sepx__mix(a ^ word);
        b = sepx__mix(b + swap_halves(word)) + UINT64_C(0x632be59bd9b4e019);
        at += step;
        left -= step;
    }
    return (struct sepx__hash){.high = sepx__mix(a + swap_halves(b)),
                               .low = sepx__mix(b ^ swap_halves(a))};
}

/* No branch depends on the values, so that nothing is mispredicted. */
bool
sepx__find_u32(const uint32_t *sorted, size_t count, uint32_t key, size_t *at)
{
    const uint32_t *base = sorted;

    if (!count)
        return false;
    while (count > 1) {
        size_t half = count / 2;

        base += base[half - 1] < key ? half : 0;
        count -= half;
    }
    *at = (size_t)(base - sorted);
    return *base == key;
}
