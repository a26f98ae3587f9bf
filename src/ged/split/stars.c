/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The value of a star: the best assignment of the darts at one node to those
 * at another. A block of up to 4 by 4 darts is one vector: its rows 0 and 1
 * take one of the 6 pairs of columns, rows 2 and 3 the other two columns, and
 * each half has two ways to do so. Larger blocks: shortest augmenting paths.
 */
#include <string.h>

#include "ged/split/vectors.h"

/* The six pairs of columns for rows 0 and 1; rows 2 and 3 get the others. */
static const uint8_t split_pair[6][4] = {{0, 1, 2, 3}, {0, 2, 1, 3},
                                         {0, 3, 1, 2}, {1, 2, 0, 3},
                                         {1, 3, 0, 2}, {2, 3, 0, 1}};

#if defined(__AVX2__)
#define W(x) (char)(2 * (x)), (char)(2 * (x) + 1)
#define SIX(a, b, c, d, e, f) \
    W(a), W(b), W(c), W(d), W(e), W(f), (char)0x80, (char)0x80, (char)0x80, \
        (char)0x80

/* The sums of the six splits, as 0x7fff less the sum. */
static inline __m128i
six_splits(const int16_t *t)
{
    const __m256i upper_first =
        _mm256_setr_epi8(SIX(0, 0, 0, 1, 1, 2), SIX(2, 1, 1, 0, 0, 0));
    const __m256i lower_second =
        _mm256_setr_epi8(SIX(5, 6, 7, 6, 7, 7), SIX(7, 7, 6, 7, 6, 5));
    const __m256i upper_second =
        _mm256_setr_epi8(SIX(1, 2, 3, 2, 3, 3), SIX(3, 3, 2, 3, 2, 1));
    const __m256i lower_first =
        _mm256_setr_epi8(SIX(4, 4, 4, 5, 5, 6), SIX(6, 5, 5, 4, 4, 4));
    __m256i x =
        _mm256_max_epi16(_mm256_load_si256((const __m256i *)(const void *)t),
                         _mm256_setzero_si256());
    __m256i straight = _mm256_add_epi16(_mm256_shuffle_epi8(x, upper_first),
                                        _mm256_shuffle_epi8(x, lower_second));
    __m256i crossed = _mm256_add_epi16(_mm256_shuffle_epi8(x, upper_second),
                                       _mm256_shuffle_epi8(x, lower_first));
    __m256i half = _mm256_max_epi16(straight, crossed);

    return _mm_sub_epi16(_mm_set1_epi16(0x7fff),
                         _mm_add_epi16(_mm256_castsi256_si128(half),
                                       _mm256_extracti128_si256(half, 1)));
}

static inline int32_t
small_value(const int16_t *t)
{
    return 0x7fff -
           (_mm_cvtsi128_si32(_mm_minpos_epu16(six_splits(t))) & 0xffff);
}

static inline unsigned
small_split(const int16_t *t)
{
    return (unsigned)_mm_cvtsi128_si32(_mm_minpos_epu16(six_splits(t))) >> 16 &
           7;
}
#else
static inline int32_t
positive(int32_t x)
{
    return x > 0 ? x : 0;
}

static inline int32_t
larger(int32_t x, int32_t y)
{
    return x > y ? x : y;
}

/* Rows r and r + 1 on columns a and b, either way. */
static inline int32_t
two_rows(const int16_t *t, unsigned a, unsigned b)
{
    return larger(positive(t[a]) + positive(t[4 + b]),
                  positive(t[b]) + positive(t[4 + a]));
}

static inline int32_t
split_value(const int16_t *t, unsigned x)
{
    return two_rows(t, split_pair[x][0], split_pair[x][1]) +
           two_rows(t + 8, split_pair[x][2], split_pair[x][3]);
}

static inline int32_t
small_value(const int16_t *t)
{
    int32_t best = 0;

    for (unsigned x = 0; x < 6; x++)
        best = larger(best, split_value(t, x));
    return best;
}

static inline unsigned
small_split(const int16_t *t)
{
    unsigned best = 0;

    for (unsigned x = 1; x < 6; x++)
        if (split_value(t, x) > split_value(t, best))
            best = x;
    return best;
}
#endif

/* ---- large blocks ---- */

/* A block seen with its shorter side as rows. */
struct block {
    const int16_t *t;
    uint32_t rows, columns;
    uint32_t down, right; /* steps in t */
};

static struct block
block_of(const int16_t *t, uint32_t rows, uint32_t columns)
{
    const uint32_t stride = split_stride(rows, columns);

    return rows <= columns ? (struct block){t, rows, columns, stride, 1}
                           : (struct block){t, columns, rows, 1, stride};
}

static inline int32_t
cell(const struct block *b, uint32_t r, uint32_t c)
{
    const int32_t x = b->t[r * b->down + c * b->right];

    return x > 0 ? x : 0;
}

/* Match row r by a shortest augmenting path over s->star_*. */
static void
place_row(struct ged_split *s, const struct block *b, uint32_t r)
{
    int32_t *d = s->star_d, *way = s->star_way, *row = s->star_row;
    int32_t best = -1, end = -1;

    for (uint32_t c = 0; c < b->columns; c++)
        if (cell(b, r, c) - s->star_v[c] > best || !c)
            best = cell(b, r, c) - s->star_v[c];
    s->star_u[r] = best;
    for (uint32_t c = 0; c < b->columns; c++) {
        d[c] = best - cell(b, r, c) + s->star_v[c];
        way[c] = -1;
        s->star_used[c] = 0;
    }
    for (;;) {
        int32_t least = INT32_MAX;

        for (uint32_t c = 0; c < b->columns; c++)
            if (!s->star_used[c] &&
                (d[c] < least || (d[c] == least && row[c] < 0))) {
                least = d[c];
                end = (int32_t)c;
            }
        if (row[end] < 0)
            break;
        s->star_used[end] = 1;
        for (uint32_t c = 0; c < b->columns; c++) {
            uint32_t other = (uint32_t)row[end];
            int32_t x =
                least + s->star_u[other] + s->star_v[c] - cell(b, other, c);

            if (!s->star_used[c] && x < d[c]) {
                d[c] = x;
                way[c] = end;
            }
        }
    }
    s->star_u[r] -= d[end];
    for (uint32_t c = 0; c < b->columns; c++)
        if (s->star_used[c]) {
            s->star_v[c] += d[end] - d[c];
            s->star_u[row[c]] -= d[end] - d[c];
        }
    for (; way[end] >= 0; end = way[end])
        row[end] = row[way[end]];
    row[end] = (int32_t)r;
}

#if defined(__AVX2__)
/* The same for up to 8 by 8 darts, each row in one register. */
struct eight {
    __m256i reward[8]; /* less than any, beyond the columns */
    __m256i v;
    int32_t u[8];
    unsigned free; /* columns */
};

/* Reads up to 7 cells beyond the block: a state has more behind its cells. */
static void
eight_init(struct eight *e, const struct block *b)
{
    const __m256i last = _mm256_set1_epi32((int32_t)b->columns - 1);
    const __m256i beyond =
        _mm256_cmpgt_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), last);

    for (uint32_t r = 0; r < b->rows; r++) {
        const int16_t *t = b->t + r * b->down;
        int16_t row[8] = {0};
        __m128i cells;

        for (uint32_t c = 0; b->right > 1 && c < b->columns; c++)
            row[c] = t[c * b->right];
        cells = _mm_loadu_si128(
            (const __m128i *)(const void *)(b->right > 1 ? row : t));
        cells = _mm_max_epi16(cells, _mm_setzero_si128());
        e->reward[r] =
            _mm256_blendv_epi8(_mm256_cvtepi16_epi32(cells),
                               _mm256_set1_epi32(-(1 << 28)), beyond);
    }
    e->v = _mm256_setzero_si256();
    e->free = (1u << b->columns) - 1;
}

static inline int32_t
least_of_eight(__m256i x)
{
    __m128i m = _mm_min_epi32(_mm256_castsi256_si128(x),
                              _mm256_extracti128_si256(x, 1));

    m = _mm_min_epi32(m, _mm_shuffle_epi32(m, 0x4e));
    m = _mm_min_epi32(m, _mm_shuffle_epi32(m, 0xb1));
    return _mm_cvtsi128_si32(m);
}

static inline unsigned
where(__m256i x, int32_t value)
{
    return (unsigned)_mm256_movemask_ps(
        _mm256_castsi256_ps(_mm256_cmpeq_epi32(x, _mm256_set1_epi32(value))));
}

static inline int32_t
last_bit(unsigned bits)
{
    return 31 - __builtin_clz(bits);
}

/* The dual and the way once a free column is `length` away. */
static void
eight_end(struct eight *e, __m256i d, unsigned used, int32_t length,
          const int32_t *row)
{
    const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    const __m256i mask = _mm256_cmpeq_epi32(
        _mm256_and_si256(_mm256_set1_epi32((int32_t)used), bit), bit);
    int32_t more[8];

    d = _mm256_and_si256(_mm256_sub_epi32(_mm256_set1_epi32(length), d), mask);
    e->v = _mm256_add_epi32(e->v, d);
    _mm256_storeu_si256((__m256i *)(void *)more, d);
    for (; used; used &= used - 1) {
        const unsigned c = (unsigned)__builtin_ctz(used);

        e->u[row[c]] -= more[c];
    }
}

static void
eight_place(struct eight *e, uint32_t r, int32_t *row)
{
    __m256i d = _mm256_sub_epi32(e->v, e->reward[r]);
    __m256i open, way = _mm256_set1_epi32(-1);
    __m256i shut = _mm256_setzero_si256();
    const __m256i far = _mm256_set1_epi32(INT32_MAX);
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    int32_t least = least_of_eight(d), end, ways[8];
    unsigned used = 0, bits = where(d, least);

    e->u[r] = -least;
    if (bits & e->free) {
        end = last_bit(bits & e->free);
        e->free &= ~(1u << end);
        row[end] = (int32_t)r;
        return;
    }
    open = d = _mm256_sub_epi32(d, _mm256_set1_epi32(least));
    for (least = 0;; least = least_of_eight(open)) {
        __m256i x, less;
        int32_t other;

        bits = where(open, least);
        if (bits & e->free)
            break;
        end = __builtin_ctz(bits);
        used |= 1u << end;
        other = row[end];
        x = _mm256_add_epi32(_mm256_sub_epi32(e->v, e->reward[other]),
                             _mm256_set1_epi32(least + e->u[other]));
        shut = _mm256_or_si256(
            shut, _mm256_cmpeq_epi32(lane, _mm256_set1_epi32(end)));
        less = _mm256_andnot_si256(shut, _mm256_cmpgt_epi32(d, x));
        d = _mm256_blendv_epi8(d, x, less);
        open = _mm256_blendv_epi8(d, far, shut);
        way = _mm256_blendv_epi8(way, _mm256_set1_epi32(end), less);
    }
    end = last_bit(bits & e->free);
    e->free &= ~(1u << end);
    e->u[r] -= least;
    eight_end(e, d, used, least, row);
    _mm256_storeu_si256((__m256i *)(void *)ways, way);
    for (; ways[end] >= 0; end = ways[end])
        row[end] = row[ways[end]];
    row[end] = (int32_t)r;
}

static int32_t
solve_eight(struct ged_split *s, const struct block *b)
{
    struct eight e;
    int32_t v[8], sum = 0;

    eight_init(&e, b);
    for (uint32_t c = 0; c < b->columns; c++)
        s->star_row[c] = -1;
    for (uint32_t r = 0; r < b->rows; r++)
        eight_place(&e, r, s->star_row);
    _mm256_storeu_si256((__m256i *)(void *)v, e.v);
    for (uint32_t r = 0; r < b->rows; r++)
        sum += e.u[r];
    for (uint32_t c = 0; c < b->columns; c++)
        sum += v[c];
    return sum;
}
#endif

/* Solve a block; s->star_row has the row of each column, or -1. */
static int32_t
solve_block(struct ged_split *s, const struct block *b)
{
    int32_t sum = 0;

#if defined(__AVX2__)
    if (b->columns <= 8)
        return solve_eight(s, b);
#endif
    for (uint32_t c = 0; c < b->columns; c++) {
        s->star_v[c] = 0;
        s->star_row[c] = -1;
    }
    for (uint32_t r = 0; r < b->rows; r++)
        place_row(s, b, r);
    for (uint32_t c = 0; c < b->columns; c++)
        if (s->star_row[c] >= 0)
            sum += cell(b, (uint32_t)s->star_row[c], c);
    return sum;
}

static int32_t
large_value(struct ged_split *s, const int16_t *t, uint32_t rows,
            uint32_t columns)
{
    const struct block b = block_of(t, rows, columns);
    int32_t best = 0;

    if (b.rows > 1)
        return solve_block(s, &b);
    for (uint32_t c = 0; c < b.columns; c++)
        if (cell(&b, 0, c) > best)
            best = cell(&b, 0, c);
    return best;
}

/* ---- stars ---- */

int32_t
WIDE(sepx__stars_one)(struct ged_split *s, const int16_t *t, uint32_t i,
                      uint32_t k)
{
    int32_t sum = 0;

    for (unsigned g = 0; g < s->p.classes; g++) {
        uint32_t rows = ged_degree(&s->p.a, g, i);
        uint32_t columns = ged_degree(&s->p.b, g, k);

        if (!rows || !columns)
            continue;
        sum += rows <= 4 && columns <= 4 ? small_value(t)
                                         : large_value(s, t, rows, columns);
        t += split_block_cells(rows, columns);
    }
    return sum;
}

static int32_t
star_value(struct ged_split *s, const int16_t *t, uint32_t y)
{
    const struct split_layout *l = &s->layout;
    int32_t sum = 0;

    if (!l->simple[y])
        return WIDE(sepx__stars_one)(s, t + l->first[y], l->row[y],
                                     l->column[y]);
    for (uint32_t x = l->first[y]; x < l->first[y + 1]; x += SPLIT_BLOCK)
        sum += small_value(t + x);
    return sum;
}

/* A row is touched where its duals no longer cover, or are no longer tight. */
void
WIDE(sepx__stars_value)(struct ged_split *s, struct split_state *st)
{
    const struct split_layout *l = &s->layout;

    for (uint32_t x = 0; x < s->n_stale; x++) {
        const uint32_t y = s->stale[x], i = l->row[y], k = l->column[y];
        int32_t *reward = &st->reward[l->place[y]], value;

        s->is_stale[y] = 0;
        if (st->pair[y] == PAIR_DEAD)
            continue;
        value = l->own[y] + star_value(s, st->t, y);
        if (value < 0 && st->pair[y] == PAIR_LIVE)
            value = 0;
        s->touched[i] |=
            (uint8_t)((value - st->v[k] > st->u[i]) |
                      ((value != *reward) & (st->column_of[i] == (int32_t)k)));
        *reward = value;
        if (x % CHECK_EACH == CHECK_EACH - 1) {
            sepx__split_check(s);
            if (s->over)
                break;
        }
    }
    s->n_stale = 0;
}

static uint32_t
add_cell(struct ged_split *s, uint32_t count, const int16_t *t, uint32_t at)
{
    if (t[at] > 0)
        s->chosen[count++] = at;
    return count;
}

/* Rows r and r + 1 of the block at `x`, on columns a and b. */
static uint32_t
add_half(struct ged_split *s, uint32_t count, const int16_t *t, uint32_t x,
         unsigned a, unsigned b)
{
    int32_t p = t[x + a] > 0 ? t[x + a] : 0;
    int32_t q = t[x + 4 + b] > 0 ? t[x + 4 + b] : 0;
    int32_t r = t[x + b] > 0 ? t[x + b] : 0;
    int32_t w = t[x + 4 + a] > 0 ? t[x + 4 + a] : 0;

    if (r + w > p + q) {
        unsigned swap = a;

        a = b;
        b = swap;
    }
    count = add_cell(s, count, t, x + a);
    return add_cell(s, count, t, x + 4 + b);
}

static uint32_t
add_small(struct ged_split *s, uint32_t count, const int16_t *t, uint32_t x)
{
    const uint8_t *pair = split_pair[small_split(t + x)];

    count = add_half(s, count, t, x, pair[0], pair[1]);
    return add_half(s, count, t, x + 8, pair[2], pair[3]);
}

static uint32_t
add_large(struct ged_split *s, uint32_t count, const int16_t *t, uint32_t x,
          uint32_t rows, uint32_t columns)
{
    const struct block b = block_of(t + x, rows, columns);

    (void)solve_block(s, &b);
    for (uint32_t c = 0; c < b.columns; c++)
        if (s->star_row[c] >= 0)
            count =
                add_cell(s, count, t,
                         x + (uint32_t)s->star_row[c] * b.down + c * b.right);
    return count;
}

static uint32_t
add_star(struct ged_split *s, uint32_t count, const int16_t *t, uint32_t y)
{
    const struct split_layout *l = &s->layout;
    uint32_t x = l->first[y];

    if (l->simple[y]) {
        for (; x < l->first[y + 1]; x += SPLIT_BLOCK)
            count = add_small(s, count, t, x);
        return count;
    }
    for (unsigned g = 0; g < s->p.classes; g++) {
        uint32_t rows = ged_degree(&s->p.a, g, l->row[y]);
        uint32_t columns = ged_degree(&s->p.b, g, l->column[y]);

        if (!rows || !columns)
            continue;
        count = rows <= 4 && columns <= 4
                    ? add_small(s, count, t, x)
                    : add_large(s, count, t, x, rows, columns);
        x += split_block_cells(rows, columns);
    }
    return count;
}

uint32_t
WIDE(sepx__stars_choose)(struct ged_split *s, const struct split_state *st)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < s->p.n; i++) {
        const uint32_t k = (uint32_t)st->column_of[i];
        const uint32_t y = s->layout.pair[(size_t)i * s->p.m + k];

        if (y != SPLIT_NONE && split_is_mapped(s, st, i, k, y))
            count = add_star(s, count, st->t, y);
    }
    return count;
}
