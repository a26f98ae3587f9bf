/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of bytes, LANES at a time: the few vector operations that the search
 * needs. SSE2 is part of every x86-64; a build of the same source with AVX2
 * doubles the width; other machines get plain loops.
 */
#ifndef SEPX_GED_LANES_H
#define SEPX_GED_LANES_H

#include <stdint.h>
#include <string.h>

/* Sanitizers make inlining everything very slow to compile. */
#if defined(SEPX_SMALL_CODE)
#define INLINE static inline
#else
#define INLINE static inline __attribute__((always_inline))
#endif

#if defined(__AVX2__)
#include <immintrin.h>
#define LANES 32
typedef __m256i lanes;
INLINE lanes
lanes_load(const uint8_t *p)
{
    return _mm256_load_si256((const __m256i *)(const void *)p);
}
INLINE void
lanes_store(uint8_t *p, lanes x)
{
    _mm256_store_si256((__m256i *)(void *)p, x);
}
INLINE lanes
lanes_all(uint8_t x)
{
    return _mm256_set1_epi8((char)x);
}
INLINE lanes
lanes_add(lanes x, lanes y)
{
    return _mm256_adds_epu8(x, y);
}
INLINE lanes
lanes_sub(lanes x, lanes y)
{
    return _mm256_subs_epu8(x, y);
}
INLINE lanes
lanes_min(lanes x, lanes y)
{
    return _mm256_min_epu8(x, y);
}
INLINE lanes
lanes_or(lanes x, lanes y)
{
    return _mm256_or_si256(x, y);
}
INLINE lanes
lanes_and(lanes x, lanes y)
{
    return _mm256_and_si256(x, y);
}
/* y where x is zero in every bit: ~x & y */
INLINE lanes
lanes_not_and(lanes x, lanes y)
{
    return _mm256_andnot_si256(x, y);
}
INLINE lanes
lanes_equal(lanes x, lanes y)
{
    return _mm256_cmpeq_epi8(x, y);
}
INLINE uint64_t
lanes_mask(lanes x)
{
    return (uint32_t)_mm256_movemask_epi8(x);
}
INLINE lanes
lanes_half(lanes x)
{
    return _mm256_and_si256(_mm256_srli_epi16(x, 1), _mm256_set1_epi8(0x7f));
}
INLINE unsigned
lanes_sum(lanes x)
{
    __m256i s = _mm256_sad_epu8(x, _mm256_setzero_si256());
    __m128i t = _mm_add_epi64(_mm256_castsi256_si128(s),
                              _mm256_extracti128_si256(s, 1));

    t = _mm_add_epi64(t, _mm_srli_si128(t, 8));
    return (unsigned)_mm_cvtsi128_si32(t);
}
INLINE unsigned
lanes_least(lanes x)
{
    __m128i m =
        _mm_min_epu8(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));

    m = _mm_min_epu8(m, _mm_srli_epi16(m, 8));
    return (unsigned)_mm_cvtsi128_si32(
               _mm_minpos_epu16(_mm_and_si128(m, _mm_set1_epi16(0xff)))) &
           0xff;
}
#elif defined(__SSE2__)
#include <immintrin.h>
#define LANES 16
typedef __m128i lanes;
INLINE lanes
lanes_load(const uint8_t *p)
{
    return _mm_load_si128((const __m128i *)(const void *)p);
}
INLINE void
lanes_store(uint8_t *p, lanes x)
{
    _mm_store_si128((__m128i *)(void *)p, x);
}
INLINE lanes
lanes_all(uint8_t x)
{
    return _mm_set1_epi8((char)x);
}
INLINE lanes
lanes_add(lanes x, lanes y)
{
    return _mm_adds_epu8(x, y);
}
INLINE lanes
lanes_sub(lanes x, lanes y)
{
    return _mm_subs_epu8(x, y);
}
INLINE lanes
lanes_min(lanes x, lanes y)
{
    return _mm_min_epu8(x, y);
}
INLINE lanes
lanes_or(lanes x, lanes y)
{
    return _mm_or_si128(x, y);
}
INLINE lanes
lanes_and(lanes x, lanes y)
{
    return _mm_and_si128(x, y);
}
/* y where x is zero in every bit: ~x & y */
INLINE lanes
lanes_not_and(lanes x, lanes y)
{
    return _mm_andnot_si128(x, y);
}
INLINE lanes
lanes_equal(lanes x, lanes y)
{
    return _mm_cmpeq_epi8(x, y);
}
INLINE uint64_t
lanes_mask(lanes x)
{
    return (uint32_t)_mm_movemask_epi8(x);
}
INLINE lanes
lanes_half(lanes x)
{
    return _mm_and_si128(_mm_srli_epi16(x, 1), _mm_set1_epi8(0x7f));
}
INLINE unsigned
lanes_sum(lanes x)
{
    __m128i s = _mm_sad_epu8(x, _mm_setzero_si128());

    s = _mm_add_epi64(s, _mm_srli_si128(s, 8));
    return (unsigned)_mm_cvtsi128_si32(s);
}
INLINE unsigned
lanes_least(lanes x)
{
    x = _mm_min_epu8(x, _mm_srli_si128(x, 8));
    x = _mm_min_epu8(x, _mm_srli_si128(x, 4));
    x = _mm_min_epu8(x, _mm_srli_si128(x, 2));
    x = _mm_min_epu8(x, _mm_srli_si128(x, 1));
    return (unsigned)_mm_cvtsi128_si32(x) & 0xff;
}
#else
#define LANES 16
typedef struct {
    uint8_t at[LANES];
} lanes;
#define EACH_LANE(expression) \
    lanes r; \
    for (unsigned k = 0; k < LANES; k++) \
        r.at[k] = (uint8_t)(expression); \
    return r
INLINE lanes
lanes_load(const uint8_t *p)
{
    EACH_LANE(p[k]);
}
INLINE void
lanes_store(uint8_t *p, lanes x)
{
    memcpy(p, x.at, LANES);
}
INLINE lanes
lanes_all(uint8_t x)
{
    EACH_LANE(x);
}
INLINE lanes
lanes_add(lanes x, lanes y)
{
    EACH_LANE(x.at[k] + y.at[k] > 255 ? 255 : x.at[k] + y.at[k]);
}
INLINE lanes
lanes_sub(lanes x, lanes y)
{
    EACH_LANE(x.at[k] > y.at[k] ? x.at[k] - y.at[k] : 0);
}
INLINE lanes
lanes_min(lanes x, lanes y)
{
    EACH_LANE(x.at[k] < y.at[k] ? x.at[k] : y.at[k]);
}
INLINE lanes
lanes_or(lanes x, lanes y)
{
    EACH_LANE(x.at[k] | y.at[k]);
}
INLINE lanes
lanes_and(lanes x, lanes y)
{
    EACH_LANE(x.at[k] & y.at[k]);
}
/* y where x is zero in every bit: ~x & y */
INLINE lanes
lanes_not_and(lanes x, lanes y)
{
    EACH_LANE(~x.at[k] & y.at[k]);
}
INLINE lanes
lanes_equal(lanes x, lanes y)
{
    EACH_LANE(x.at[k] == y.at[k] ? 255 : 0);
}
INLINE uint64_t
lanes_mask(lanes x)
{
    uint64_t mask = 0;

    for (unsigned k = 0; k < LANES; k++)
        mask |= (uint64_t)(x.at[k] >> 7) << k;
    return mask;
}
INLINE lanes
lanes_half(lanes x)
{
    EACH_LANE(x.at[k] >> 1);
}
INLINE unsigned
lanes_sum(lanes x)
{
    unsigned sum = 0;

    for (unsigned k = 0; k < LANES; k++)
        sum += x.at[k];
    return sum;
}
INLINE unsigned
lanes_least(lanes x)
{
    unsigned least = 255;

    for (unsigned k = 0; k < LANES; k++)
        if (x.at[k] < least)
            least = x.at[k];
    return least;
}
#endif

/* |x - y| */
INLINE lanes
lanes_gap(lanes x, lanes y)
{
    return lanes_or(lanes_sub(x, y), lanes_sub(y, x));
}

#endif
