/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Philox 4x32-10: J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel random
 * numbers: as easy as 1, 2, 3", SC 2011, section 3.3. A stream has 2^34
 * words before it repeats.
 */
#include "base/private.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define ROUNDS 10

static void
philox(uint32_t out[4], const uint32_t counter[4], const uint32_t key[2])
{
    uint32_t x0 = counter[0], x1 = counter[1];
    uint32_t x2 = counter[2], x3 = counter[3];
    uint32_t k0 = key[0], k1 = key[1];

    for (int i = 0; i < ROUNDS; i++) {
        uint64_t p = (uint64_t)x0 * UINT32_C(0xD2511F53);
        uint64_t q = (uint64_t)x2 * UINT32_C(0xCD9E8D57);

        x0 = (uint32_t)(q >> 32) ^ x1 ^ k0;
        x1 = (uint32_t)q;
        x2 = (uint32_t)(p >> 32) ^ x3 ^ k1;
        x3 = (uint32_t)p;
        k0 += UINT32_C(0x9E3779B9);
        k1 += UINT32_C(0xBB67AE85);
    }
    out[0] = x0;
    out[1] = x1;
    out[2] = x2;
    out[3] = x3;
}

void
sepx_rng_init(struct sepx_rng *rng, uint64_t seed, uint32_t run, uint32_t trial,
              uint32_t purpose)
{
    *rng = (struct sepx_rng){
        .key = {(uint32_t)seed, (uint32_t)(seed >> 32)},
        .counter = {0, purpose, trial, run},
    };
}

/* `used` is 0 before the first block only, so {0} is seed 0's stream. */
uint32_t
sepx_rng_u32(struct sepx_rng *rng)
{
    if (rng->used % 4 == 0) {
        philox(rng->block, rng->counter, rng->key);
        rng->counter[0]++;
        rng->used = 0;
    }
    return rng->block[rng->used++];
}

uint64_t
sepx_rng_u64(struct sepx_rng *rng)
{
    uint64_t low = sepx_rng_u32(rng);

    return low | (uint64_t)sepx_rng_u32(rng) << 32;
}

/* D. Lemire, "Fast random integer generation in an interval", 2019. */
uint32_t
sepx_rng_below(struct sepx_rng *rng, uint32_t bound)
{
    uint64_t product = (uint64_t)sepx_rng_u32(rng) * bound;

    if ((uint32_t)product < bound) {
        const uint32_t reject = -bound % bound;

        while ((uint32_t)product < reject)
            product = (uint64_t)sepx_rng_u32(rng) * bound;
    }
    return (uint32_t)(product >> 32);
}

double
sepx_rng_unit(struct sepx_rng *rng)
{
    return (double)(sepx_rng_u64(rng) >> 11) * 0x1p-53;
}

bool
sepx_rng_chance(struct sepx_rng *rng, double probability)
{
    return sepx_rng_unit(rng) < probability;
}

/* Box and Muller's cosine alone: each draw takes exactly four words. */
double
sepx_rng_normal(struct sepx_rng *rng)
{
    const double turn = 6.283185307179586;
    double radius = sqrt(-2 * log(1 - sepx_rng_unit(rng)));

    return radius * cos(turn * sepx_rng_unit(rng));
}

static bool
contains(const uint32_t *value, uint32_t count, uint32_t x)
{
    for (uint32_t i = 0; i < count; i++) {
        if (value[i] == x)
            return true;
    }
    return false;
}

/* R. Floyd's subset: CACM 30(9), 1987. O(count^2), any `bound`. */
static void
subset_of_many(struct sepx_rng *rng, uint32_t *out, uint32_t count,
               uint32_t bound)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t last = bound - count + i;
        uint32_t x = sepx_rng_below(rng, last + 1);

        out[i] = contains(out, i, x) ? last : x;
    }
}

/* Knuth's algorithm S, TAOCP 2, 3.4.2. O(bound). */
static void
subset_of_few(struct sepx_rng *rng, uint32_t *out, uint32_t count,
              uint32_t bound)
{
    uint32_t found = 0;

    for (uint32_t x = 0; found < count; x++) {
        if (sepx_rng_below(rng, bound - x) < count - found)
            out[found++] = x;
    }
}

void
sepx_rng_shuffle(struct sepx_rng *rng, void *items, uint32_t count, size_t size)
{
    unsigned char *item = items, swap[16];

    assert(size <= sizeof(swap));
    for (uint32_t i = count; i > 1; i--) {
        unsigned char *last = item + (i - 1) * size;
        unsigned char *other = item + sepx_rng_below(rng, i) * size;

        memcpy(swap, last, size);
        memmove(last, other, size);
        memcpy(other, swap, size);
    }
}

void
sepx_rng_sample(struct sepx_rng *rng, uint32_t *out, uint32_t count,
                uint32_t bound)
{
    if ((uint64_t)count * count < bound)
        subset_of_many(rng, out, count, bound);
    else
        subset_of_few(rng, out, count, bound);
    sepx_rng_shuffle(rng, out, count, sizeof(*out));
}
