/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The smallest graphs: up to five free nodes beside single pinned ones, and
 * no cycle. All 120 bijections of the free nodes are priced at once, one to
 * a byte lane.
 *
 * With free nodes in topological order an edge of a only matches if the
 * bijection keeps its direction, so the edges of b form a table of ten
 * entries over ascending pairs, small enough for a byte shuffle; a shuffle
 * index with the top bit set reads 0, which is the other direction. Fewer
 * than five nodes are filled up with stand-ins of a label of their own;
 * mapping two stand-ins to each other is free.
 */
#include <string.h>

#include "ged/internal.h"

#define PAIRS 10 /* of five nodes */
#define MAPS 120
#define ROOM 128 /* lanes 120.. repeat the first map */

struct ged_tables {
    uint8_t image[GED_TINY][ROOM]; /* where node i goes; odd i: plus 8 */
    uint8_t pair[PAIRS][ROOM];     /* pair that pair q goes to, or 0x80 */
    uint8_t node[ROOM][GED_TINY];  /* the maps themselves */
};

static unsigned
pair_of(unsigned i, unsigned k) /* i < k */
{
    return i * (2 * GED_TINY - i - 1) / 2 + k - i - 1;
}

/* The lane-th bijection of five, from its digits in factorial base. */
static void
make_map(uint8_t *node, unsigned lane)
{
    uint8_t rest[GED_TINY] = {0, 1, 2, 3, 4};
    unsigned weight = 24;

    for (unsigned i = 0; i < GED_TINY; i++) {
        unsigned digit = lane / weight;

        lane %= weight;
        node[i] = rest[digit];
        memmove(rest + digit, rest + digit + 1, GED_TINY - digit - 1);
        if (i + 2 < GED_TINY)
            weight /= GED_TINY - 1 - i;
    }
}

static void
fill_tables(struct ged_tables *t)
{
    for (unsigned lane = 0; lane < ROOM; lane++) {
        uint8_t *node = t->node[lane];

        make_map(node, lane < MAPS ? lane : 0);
        for (unsigned i = 0; i < GED_TINY; i++)
            t->image[i][lane] = (uint8_t)(node[i] + i % 2 * 8);
        for (unsigned i = 0; i < GED_TINY; i++)
            for (unsigned k = i + 1; k < GED_TINY; k++)
                t->pair[pair_of(i, k)][lane] =
                    node[i] < node[k] ? (uint8_t)pair_of(node[i], node[k])
                                      : 0x80;
    }
}

/* ---- making a graph ready ---- */

/* Free nodes in topological order; false if that is impossible. */
static bool
sort_free(struct ged_tiny *t, const struct sepx_ged_graph *g)
{
    uint8_t left[GED_TINY];
    unsigned n = 0, done = 0;

    for (uint32_t i = 0; i < g->n; i++)
        if (!g->class[i])
            left[n++] = (uint8_t)i;
    while (done < n) {
        unsigned ready = 0;

        for (; ready < n - done; ready++) {
            unsigned into = 0;

            for (unsigned k = 0; k < n - done; k++)
                into += g->in[left[ready] * g->width + left[k]];
            if (!into)
                break;
        }
        if (ready == n - done)
            return false;
        t->node[done++] = left[ready];
        memmove(left + ready, left + ready + 1, n - done - ready);
    }
    return true;
}

static void
set_pins(struct ged_tiny *t, const struct sepx_ged_graph *g)
{
    const uint32_t w = g->width;

    for (uint32_t i = 0; i < g->n; i++)
        if (g->class[i]) {
            t->pins |= (uint8_t)(1u << (g->class[i] - 1));
            t->pin_node[g->class[i] - 1] = (uint8_t)i;
        }
    for (unsigned p = 0; p < GED_TINY_PINS; p++) {
        if (!(t->pins >> p & 1))
            continue;
        const uint8_t *to = g->out + t->pin_node[p] * w;
        const uint8_t *by = g->in + t->pin_node[p] * w;

        for (unsigned q = 0; q < GED_TINY_PINS; q++)
            if ((t->pins >> q & 1) && to[t->pin_node[q]])
                t->pin_edges |= (uint16_t)(1u << (4 * p + q));
        for (unsigned i = 0; i < t->n_free; i++) {
            if (by[t->node[i]])
                t->pin_mask[i] |= (uint8_t)(1u << p);
            if (to[t->node[i]])
                t->pin_mask[i] |= (uint8_t)(16u << p);
        }
    }
}

static void
set_free(struct ged_tiny *t, const struct sepx_ged_graph *g)
{
    memset(t->label_low, GED_NO_LABEL & 0xff, sizeof t->label_low);
    memset(t->label_high, GED_NO_LABEL >> 8, sizeof t->label_high);
    for (unsigned i = 0; i < t->n_free; i++) {
        t->label_low[i] = g->label_low[t->node[i]];
        t->label_high[i] = g->label_high[t->node[i]];
        for (unsigned k = i + 1; k < t->n_free; k++)
            if (g->out[t->node[i] * g->width + t->node[k]]) {
                t->edges |= (uint16_t)(1u << pair_of(i, k));
                t->pair[pair_of(i, k)] = 2;
                t->n_edges++;
            }
    }
}

void
sepx__ged_tiny_ready(const struct sepx_ged *ged, struct sepx_ged_graph *g)
{
    struct ged_tiny *t = &g->tiny;

    memset(t, 0, sizeof *t);
    if (!ged->tables || g->n_codes != 1 || g->size[0] > GED_TINY)
        return;
    for (uint32_t k = 1; k <= ged->n_pinned; k++)
        if (g->size[k] > 1)
            return;
    t->n_free = (uint8_t)g->size[0];
    if (!sort_free(t, g))
        return;
    set_pins(t, g);
    set_free(t, g);
    t->edge_label = g->code[0];
    t->fits = 1;
}

/* ---- distances ---- */

#if defined(__x86_64__)
#include <immintrin.h>

#define AVX2 __attribute__((target("avx2,popcnt")))

/* For each pair of nodes, one to a byte: label and edges to pinned nodes. */
static inline AVX2 __m256i
price(const struct ged_tiny *a, const struct ged_tiny *b, __m256i rows)
{
    const __m256i bits =
        _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1,
                         1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i low4 = _mm256_set1_epi8(15);
    int64_t word[6];

    memcpy(word, a->label_low, 8);
    memcpy(word + 1, a->label_high, 8);
    memcpy(word + 2, a->pin_mask, 8);
    memcpy(word + 3, b->label_low, 8);
    memcpy(word + 4, b->label_high, 8);
    memcpy(word + 5, b->pin_mask, 8);

#define ROW(x) _mm256_shuffle_epi8(_mm256_set1_epi64x(x), rows)
    __m256i same = _mm256_and_si256(
        _mm256_cmpeq_epi8(ROW(word[0]), _mm256_set1_epi64x(word[3])),
        _mm256_cmpeq_epi8(ROW(word[1]), _mm256_set1_epi64x(word[4])));
    __m256i pins = _mm256_xor_si256(ROW(word[2]), _mm256_set1_epi64x(word[5]));
#undef ROW
    __m256i count = _mm256_add_epi8(
        _mm256_shuffle_epi8(bits, _mm256_and_si256(pins, low4)),
        _mm256_shuffle_epi8(
            bits, _mm256_and_si256(_mm256_srli_epi16(pins, 4), low4)));

    return _mm256_add_epi8(count, _mm256_add_epi8(same, _mm256_set1_epi8(1)));
}

static inline AVX2 unsigned
least_byte(__m256i x)
{
    __m128i m =
        _mm_min_epu8(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));

    m = _mm_min_epu8(m, _mm_srli_epi16(m, 8));
    m = _mm_and_si128(m, _mm_set1_epi16(255));
    return (unsigned)_mm_cvtsi128_si32(_mm_minpos_epu16(m)) & 255;
}

/* Which maps have the least price. */
struct best {
    unsigned price;
    uint32_t lanes[4];
};

static inline AVX2 void
price_all(const struct ged_tables *t, const struct ged_tiny *a,
          const struct ged_tiny *b, struct best *best, bool which)
{
    const __m256i first =
        _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2,
                         2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3);
    const __m256i row01_23 = price(a, b, first);
    const __m256i table[3] = {
        _mm256_permute2x128_si256(row01_23, row01_23, 0x00),
        _mm256_permute2x128_si256(row01_23, row01_23, 0x11),
        price(a, b, _mm256_set1_epi8(4)),
    };
    const __m256i edges = _mm256_broadcastsi128_si256(
        _mm_loadu_si128((const __m128i *)(const void *)b->pair));
    __m256i sum[4], least;

    for (unsigned v = 0; v < 4; v++) {
        sum[v] = _mm256_set1_epi8((char)(a->n_edges + b->n_edges));
        for (unsigned i = 0; i < GED_TINY; i++)
            sum[v] = _mm256_add_epi8(
                sum[v],
                _mm256_shuffle_epi8(
                    table[i / 2],
                    _mm256_load_si256(
                        (const __m256i *)(const void *)t->image[i] + v)));
    }
    for (unsigned rest = a->edges; rest; rest &= rest - 1) {
        const __m256i *pair =
            (const __m256i *)(const void *)t->pair[__builtin_ctz(rest)];

        for (unsigned v = 0; v < 4; v++)
            sum[v] = _mm256_sub_epi8(
                sum[v],
                _mm256_shuffle_epi8(edges, _mm256_load_si256(pair + v)));
    }
    least = _mm256_min_epu8(_mm256_min_epu8(sum[0], sum[1]),
                            _mm256_min_epu8(sum[2], sum[3]));
    best->price = least_byte(least);
    if (!which)
        return;
    for (unsigned v = 0; v < 4; v++)
        best->lanes[v] = (uint32_t)_mm256_movemask_epi8(
            _mm256_cmpeq_epi8(sum[v], _mm256_set1_epi8((char)best->price)));
}

/*
 * The first of the best maps, or one of them at random. Each map of real
 * nodes stands in equally many lanes (the stand-ins' orders), so a uniform
 * lane is a uniform map.
 */
static const uint8_t *
pick(const struct ged_tables *t, struct best *best, struct sepx_rng *rng)
{
    unsigned count = 0, skip = 0;

    best->lanes[3] &= 0xffffff;
    if (rng) {
        for (unsigned v = 0; v < 4; v++)
            count += (unsigned)__builtin_popcount(best->lanes[v]);
        skip = sepx_rng_below(rng, count);
    }
    for (unsigned v = 0;; v++)
        for (uint32_t rest = best->lanes[v]; rest; rest &= rest - 1)
            if (!skip--)
                return t->node[32 * v + (unsigned)__builtin_ctz(rest)];
}

static void
set_map(const struct ged_tiny *a, const struct ged_tiny *b,
        const uint8_t *image, int16_t *map)
{
    for (unsigned i = 0; i < a->n_free; i++)
        map[a->node[i]] =
            image[i] < b->n_free ? (int16_t)b->node[image[i]] : SEPX_NONE;
    for (unsigned p = 0; p < GED_TINY_PINS; p++)
        if (a->pins >> p & 1)
            map[a->pin_node[p]] =
                b->pins >> p & 1 ? (int16_t)b->pin_node[p] : SEPX_NONE;
}

AVX2 unsigned
sepx__ged_tiny_distance(const struct sepx_ged *ged,
                        const struct sepx_ged_graph *ga,
                        const struct sepx_ged_graph *gb, int16_t *map,
                        struct sepx_rng *rng)
{
    const struct ged_tiny *a = &ga->tiny, *b = &gb->tiny;
    struct best best;

    price_all(ged->tables, a, b, &best, map != NULL);
    if (map)
        set_map(a, b, pick(ged->tables, &best, rng), map);
    return best.price +
           (unsigned)__builtin_popcount((unsigned)(a->pins ^ b->pins)) +
           (unsigned)__builtin_popcount(
               (unsigned)(a->pin_edges ^ b->pin_edges));
}

static bool
have_simd(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
}
#else
unsigned
sepx__ged_tiny_distance(const struct sepx_ged *ged,
                        const struct sepx_ged_graph *ga,
                        const struct sepx_ged_graph *gb, int16_t *map,
                        struct sepx_rng *rng)
{
    (void)ged, (void)ga, (void)gb, (void)map, (void)rng;
    return 0; /* never called: no graph is ready for it */
}

static bool
have_simd(void)
{
    return false;
}
#endif

enum sepx_err
sepx__ged_tiny_new(struct sepx_ged *ged)
{
    ged->simd = !ged->plain && have_simd();
    if (!ged->simd || !ged->costs.unit || ged->n_pinned > GED_TINY_PINS)
        return SEPX_OK;
    ged->tables = sepx__aligned(sizeof *ged->tables, 64);
    if (!ged->tables)
        return SEPX_ENOMEM;
    fill_tables(ged->tables);
    return SEPX_OK;
}
