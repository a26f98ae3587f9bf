/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MD5 (R. Rivest, RFC 1321) of eight messages of one length side by side: a
 * step of one message waits for the step before, so lanes come nearly free.
 * For names that others chose, never for security.
 */
#include "base/internal.h"

#include <string.h>

#define LANES SEPX__MD5_LANES
#define BLOCK 64

/* Fixed loops over fixed arrays, and most of the time of a test run. */
#define TRUSTED __attribute__((no_sanitize("address", "undefined", "thread")))

typedef uint32_t lanes __attribute__((vector_size(LANES * 4)));

struct state {
    lanes a, b, c, d;
};

/* 2^32 |sin(i + 1)|. */
static const uint32_t sine[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a,
    0xa8304613, 0xfd469501, 0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be,
    0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821, 0xf61e2562, 0xc040b340,
    0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8,
    0x676f02d9, 0x8d2a4c8a, 0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c,
    0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70, 0x289b7ec6, 0xeaa127fa,
    0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92,
    0xffeff47d, 0x85845dd1, 0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1,
    0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};

static const uint8_t turn[4][4] = {
    {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

TRUSTED static inline uint32_t
load(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
           (uint32_t)at[3] << 24;
}

TRUSTED static inline void
load_block(lanes *word, const unsigned char *const *at)
{
    for (unsigned i = 0; i < 16; i++)
        for (unsigned k = 0; k < LANES; k++)
            word[i][k] = load(at[k] + 4 * i);
}

/* b + (sum turned left by `by`). */
#define TURN(b, sum, by) ((b) + ((sum) << (by) | (sum) >> (32 - (by))))
#define STEP(f, at) \
    do { \
        lanes sum = s.a + (f) + word[at] + sine[i]; \
        unsigned by = turn[i / 16][i % 4]; \
        s.a = s.d; \
        s.d = s.c; \
        s.c = s.b; \
        s.b = TURN(s.b, sum, by); \
    } while (0)

TRUSTED static void
take_block(struct state *state, const unsigned char *const *at)
{
    struct state s = *state;
    lanes word[16];
    unsigned i = 0;

    load_block(word, at);
    for (; i < 16; i++)
        STEP(s.d ^ (s.b & (s.c ^ s.d)), i);
    for (; i < 32; i++)
        STEP(s.c ^ (s.d & (s.b ^ s.c)), (5 * i + 1) % 16);
    for (; i < 48; i++)
        STEP(s.b ^ s.c ^ s.d, (3 * i + 5) % 16);
    for (; i < 64; i++)
        STEP(s.c ^ (s.b | ~s.d), 7 * i % 16);
    state->a += s.a;
    state->b += s.b;
    state->c += s.c;
    state->d += s.d;
}

/* The last bytes, a 1 bit, zeros, and the length in bits. */
static void
take_end(struct state *state, const unsigned char *const *at, size_t len)
{
    unsigned char tail[LANES][2 * BLOCK] = {{0}};
    const unsigned char *from[LANES];
    size_t left = len % BLOCK, end = left < BLOCK - 8 ? BLOCK : 2 * BLOCK;

    for (unsigned k = 0; k < LANES; k++) {
        memcpy(tail[k], at[k], left);
        tail[k][left] = 0x80;
        for (unsigned i = 0; i < 8; i++)
            tail[k][end - 8 + i] = (unsigned char)((uint64_t)len * 8 >> 8 * i);
        from[k] = tail[k];
    }
    take_block(state, from);
    if (end == BLOCK)
        return;
    for (unsigned k = 0; k < LANES; k++)
        from[k] += BLOCK;
    take_block(state, from);
}

static void
save(unsigned char *to, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        to[i] = (unsigned char)(word >> 8 * i);
}

void
sepx__md5_lanes(unsigned char (*digest)[16],
                const unsigned char *const *message, size_t len)
{
    struct state s = {.a = (lanes){0} + 0x67452301,
                      .b = (lanes){0} + 0xefcdab89,
                      .c = (lanes){0} + 0x98badcfe,
                      .d = (lanes){0} + 0x10325476};
    const unsigned char *at[LANES];

    memcpy(at, message, sizeof(at));
    for (size_t left = len; left >= BLOCK; left -= BLOCK) {
        take_block(&s, at);
        for (unsigned k = 0; k < LANES; k++)
            at[k] += BLOCK;
    }
    take_end(&s, at, len);
    for (unsigned k = 0; k < LANES; k++) {
        save(digest[k], s.a[k]);
        save(digest[k] + 4, s.b[k]);
        save(digest[k] + 8, s.c[k]);
        save(digest[k] + 12, s.d[k]);
    }
}
