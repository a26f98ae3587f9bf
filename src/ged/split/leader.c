/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The leader: a square assignment of largest reward by shortest augmenting
 * paths (Jonker, Volgenant 1987), solved again after few rewards changed.
 * After a solution every row is tight at its column, so only rows whose
 * rewards changed need a new dual, and only those that lost their column, or
 * have a better one, are matched again.
 */
#include <string.h>

#include "ged/split/vectors.h"

#define FAR (-(GED_GONE / 2)) /* no path is this long */
#define MANY 256              /* columns: time to look at the clock */
#define OUT (-GED_GONE)       /* added to columns already reached */

/* ---- rows of 32-bit numbers ---- */

#if defined(__AVX2__)
static inline __m256i
at(const int32_t *x)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)x);
}

static inline void
put(int32_t *x, __m256i y)
{
    _mm256_storeu_si256((__m256i *)(void *)x, y);
}

static inline int32_t
least_lane(__m256i x)
{
    __m128i m = _mm_min_epi32(_mm256_castsi256_si128(x),
                              _mm256_extracti128_si256(x, 1));

    m = _mm_min_epi32(m, _mm_shuffle_epi32(m, 0x4e));
    m = _mm_min_epi32(m, _mm_shuffle_epi32(m, 0xb1));
    return _mm_cvtsi128_si32(m);
}

static inline unsigned
lane_bits(__m256i x)
{
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(x));
}
#endif

/* The largest reward[k] - v[k]. */
static int32_t
best_of(const int32_t *reward, const int32_t *v, uint32_t width)
{
#if defined(__AVX2__)
    __m256i least = _mm256_set1_epi32(INT32_MAX);

    for (uint32_t k = 0; k < width; k += 8)
        least = _mm256_min_epi32(least,
                                 _mm256_sub_epi32(at(v + k), at(reward + k)));
    return -least_lane(least);
#else
    int32_t best = INT32_MIN;

    for (uint32_t k = 0; k < width; k++)
        if (reward[k] - v[k] > best)
            best = reward[k] - v[k];
    return best;
#endif
}

/* A free column where reward[k] - v[k] is `best`, or -1. */
static int32_t
free_tight(const int32_t *reward, const int32_t *v, const int32_t *row_of,
           int32_t best, uint32_t width)
{
#if defined(__AVX2__)
    const __m256i all = _mm256_set1_epi32(best);

    for (uint32_t k = 0; k < width; k += 8) {
        __m256i tight = _mm256_cmpeq_epi32(
            all, _mm256_sub_epi32(at(reward + k), at(v + k)));
        unsigned bits = lane_bits(_mm256_and_si256(tight, at(row_of + k)));

        if (bits)
            return (int32_t)(k + (unsigned)__builtin_ctz(bits));
    }
#else
    for (uint32_t k = 0; k < width; k++)
        if (reward[k] - v[k] == best && row_of[k] < 0)
            return (int32_t)k;
#endif
    return -1;
}

/* The column of the distance `least`, a free one if there are several. */
static int32_t
nearest(const int32_t *d, const int32_t *row_of, uint32_t width, int32_t least)
{
    int32_t found = -1;
#if defined(__AVX2__)
    const __m256i all = _mm256_set1_epi32(least);

    for (uint32_t k = 0; k < width; k += 8) {
        __m256i same = _mm256_cmpeq_epi32(all, at(d + k));
        unsigned bits = lane_bits(same), free;

        if (!bits)
            continue;
        free = lane_bits(_mm256_and_si256(same, at(row_of + k)));
        if (free)
            return (int32_t)(k + (unsigned)__builtin_ctz(free));
        if (found < 0)
            found = (int32_t)(k + (unsigned)__builtin_ctz(bits));
    }
#else
    for (uint32_t k = 0; k < width; k++) {
        if (d[k] != least)
            continue;
        if (row_of[k] < 0)
            return (int32_t)k;
        if (found < 0)
            found = (int32_t)k;
    }
#endif
    return found;
}

/* Reach further columns from row i, which is `from` + u away; the least. */
static int32_t
reach(struct ged_split *s, const int32_t *reward, const int32_t *v,
      int32_t from, int32_t i)
{
    int32_t *d = s->distance, *way = s->way;
    const int32_t *blocked = s->blocked;
    const uint32_t width = s->p.width;
#if defined(__AVX2__)
    const __m256i all = _mm256_set1_epi32(from), me = _mm256_set1_epi32(i);
    __m256i least = _mm256_set1_epi32(INT32_MAX);

    for (uint32_t k = 0; k < width; k += 8) {
        __m256i x =
            _mm256_add_epi32(_mm256_add_epi32(all, at(blocked + k)),
                             _mm256_sub_epi32(at(v + k), at(reward + k)));
        __m256i old = at(d + k);
        __m256i less = _mm256_cmpgt_epi32(old, x);

        old = _mm256_min_epi32(old, x);
        least = _mm256_min_epi32(least, old);
        put(d + k, old);
        put(way + k, _mm256_blendv_epi8(at(way + k), me, less));
    }
    return least_lane(least);
#else
    int32_t least = INT32_MAX;

    for (uint32_t k = 0; k < width; k++) {
        int32_t x = from + blocked[k] + v[k] - reward[k];

        if (x < d[k]) {
            d[k] = x;
            way[k] = i;
        }
        least = d[k] < least ? d[k] : least;
    }
    return least;
#endif
}

static uint32_t
WIDE(beyond)(const int32_t *reward, const int32_t *v, int32_t u, int32_t most,
             uint32_t width, int32_t *list)
{
    uint32_t count = 0;

#if defined(__AVX2__)
    const __m256i row = _mm256_set1_epi32(u), far = _mm256_set1_epi32(most);
    const __m256i gone = _mm256_set1_epi32(GED_GONE / 2);

    for (uint32_t k = 0; k < width; k += 8) {
        __m256i r = at(reward + k);
        __m256i slack = _mm256_sub_epi32(_mm256_add_epi32(row, at(v + k)), r);
        unsigned bits = lane_bits(_mm256_and_si256(
            _mm256_cmpgt_epi32(slack, far), _mm256_cmpgt_epi32(r, gone)));

        for (; bits; bits &= bits - 1)
            list[count++] = (int32_t)(k + (unsigned)__builtin_ctz(bits));
    }
#else
    for (uint32_t k = 0; k < width; k++)
        if (!GED_IS_GONE(reward[k]) && u + v[k] - reward[k] > most)
            list[count++] = (int32_t)k;
#endif
    return count;
}

static bool
WIDE(next_at_least)(const int32_t *x, const int32_t *y, const int32_t *z,
                    int32_t least, uint32_t width, uint32_t *from)
{
    uint32_t k = *from;

#if defined(__AVX2__)
    const __m256i below = _mm256_set1_epi32(least - 1);

    for (uint32_t first = k / 8 * 8; first < width; first += 8) {
        __m256i sum = _mm256_sub_epi32(
            _mm256_add_epi32(at(x + first), at(y + first)), at(z + first));
        unsigned bits = lane_bits(_mm256_cmpgt_epi32(sum, below));

        if (first < k)
            bits &= ~0u << (k - first);
        if (bits) {
            *from = first + (unsigned)__builtin_ctz(bits);
            return true;
        }
    }
#else
    for (; k < width; k++)
        if (x[k] + y[k] - z[k] >= least) {
            *from = k;
            return true;
        }
#endif
    return false;
}

/* ---- the assignment ---- */

static const int32_t *
rewards_of(const struct ged_split *s, const struct split_state *st, uint32_t i)
{
    return st->reward + (size_t)(i < s->p.n ? i : s->p.n) * s->p.width;
}

/*
 * Row r gets a column; false if there is none left for it, or the total falls
 * below what is needed: the duals give a bound at any time, and the row costs
 * at least as much as the way so far.
 */
static bool
augment(struct ged_split *s, struct split_state *st, uint32_t r)
{
    int32_t *d = s->distance;
    int32_t count = 0, end, least;

    for (uint32_t k = 0; k < s->p.width; k++) {
        d[k] = INT32_MAX;
        s->blocked[k] = 0;
    }
    least = reach(s, rewards_of(s, st, r), st->v, st->u[r], (int32_t)r);
    for (;;) {
        uint32_t i;

        if (least > FAR || st->total - least < s->need)
            return false;
        end = nearest(d, st->row_of, s->p.width, least);
        if (st->row_of[end] < 0)
            break;
        s->depths[count] = least;
        s->reached[count++] = end;
        d[end] = s->blocked[end] = OUT;
        i = (uint32_t)st->row_of[end];
        least =
            reach(s, rewards_of(s, st, i), st->v, least + st->u[i], (int32_t)i);
    }
    st->total -= least;
    st->u[r] -= least;
    for (int32_t x = 0; x < count; x++) {
        int32_t k = s->reached[x], more = least - s->depths[x];

        st->v[k] += more;
        st->u[st->row_of[k]] -= more;
    }
    for (int32_t i, k = end;; k = end) {
        i = s->way[k];
        end = st->column_of[i];
        st->row_of[k] = i;
        st->column_of[i] = k;
        if (i == (int32_t)r)
            return true;
    }
}

/*
 * The dual of a row whose rewards changed; whether it keeps its column. A
 * row with no column left has a dual that is gone itself.
 */
static bool
keep_tight(const struct ged_split *s, struct split_state *st, uint32_t i,
           int32_t best)
{
    const int32_t k = st->column_of[i];

    st->u[i] = best;
    if (k >= 0 && rewards_of(s, st, i)[k] - st->v[k] == best)
        return true;
    if (k >= 0)
        st->row_of[k] = -1;
    st->column_of[i] = -1;
    return false;
}

static uint32_t
list_loose(struct ged_split *s, struct split_state *st, int32_t *loose)
{
    const uint32_t n = s->p.n, width = s->p.width;
    uint32_t count = 0;
    int32_t best = 0;

    for (uint32_t i = 0; i < s->p.m; i++) {
        if (!s->touched[i < n ? i : n])
            continue;
        if (i <= n)
            best = best_of(rewards_of(s, st, i), st->v, width);
        if (!keep_tight(s, st, i, best))
            loose[count++] = (int32_t)i;
    }
    memset(s->touched, 0, n + 1);
    return count;
}

/* Keep the column duals near 0: they only ever grow. */
static void
recentre(const struct ged_split *s, struct split_state *st)
{
    int32_t least = INT32_MAX;

    for (uint32_t k = 0; k < s->p.m; k++)
        if (st->v[k] < least)
            least = st->v[k];
    if (least < FAR / 64)
        return;
    for (uint32_t k = 0; k < s->p.m; k++) {
        st->v[k] -= least;
        st->u[k] += least;
    }
}

static bool
WIDE(lead)(struct ged_split *s, struct split_state *st)
{
    int32_t *loose = s->way + s->p.width;
    uint32_t count = list_loose(s, st, loose), left = 0;

    for (uint32_t x = 0; x < count; x++) {
        const uint32_t i = (uint32_t)loose[x];
        int32_t k;

        if (GED_IS_GONE(st->u[i]))
            return false;
        k = free_tight(rewards_of(s, st, i), st->v, st->row_of, st->u[i],
                       s->p.width);
        if (k < 0) {
            loose[left++] = (int32_t)i;
            continue;
        }
        st->row_of[k] = (int32_t)i;
        st->column_of[i] = k;
    }
    st->total = 0;
    for (uint32_t k = 0; k < s->p.m; k++)
        st->total += st->u[k] + st->v[k];
    for (uint32_t x = 0; x < left && !s->over; x++) {
        if (!augment(s, st, (uint32_t)loose[x]))
            return false;
        if (s->p.m > MANY)
            sepx__split_check(s);
    }
    recentre(s, st);
    return true;
}

const struct split_vectors WIDE(sepx__split) = {
    .star = WIDE(sepx__stars_one),
    .value = WIDE(sepx__stars_value),
    .choose = WIDE(sepx__stars_choose),
    .lead = WIDE(lead),
    .beyond = WIDE(beyond),
    .next_at_least = WIDE(next_at_least),
};
