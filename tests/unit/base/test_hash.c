/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/check.h"

#include <stdlib.h>
#include <string.h>

#include "base/internal.h"

/* splitmix64 from state 0 starts with these. */
static void
test_mix_is_splitmix(void **state)
{
    const uint64_t step = UINT64_C(0x9e3779b97f4a7c15);

    (void)state;
    assert_true(sepx__mix(step) == UINT64_C(0xe220a8397b1dcdaf));
    assert_true(sepx__mix(2 * step) == UINT64_C(0x6e789e6aa1b965f4));
}

/* Stored keys depend on these values: a change here breaks old stores. */
static void
test_values_are_pinned(void **state)
{
    struct sepx__hash empty = sepx__hash(NULL, 0);
    struct sepx__hash abc = sepx__hash("abc", 3);
    struct sepx__hash text = sepx__hash("shortest edit path", 18);

    (void)state;
    CHECK(empty.high == UINT64_C(0x24f406430b9b43b8) &&
              empty.low == UINT64_C(0xd7fe9ea14da27052),
          "%016llx %016llx", (unsigned long long)empty.high,
          (unsigned long long)empty.low);
    CHECK(abc.high == UINT64_C(0xa86b789f8849f813) &&
              abc.low == UINT64_C(0xef5f5c370aecfdfd),
          "%016llx %016llx", (unsigned long long)abc.high,
          (unsigned long long)abc.low);
    CHECK(text.high == UINT64_C(0xb9ad5d108e64605a) &&
              text.low == UINT64_C(0xee9db3a8e5877f1c),
          "%016llx %016llx", (unsigned long long)text.high,
          (unsigned long long)text.low);
}

static void
test_length_and_padding_count(void **state)
{
    static const char zeros[32];

    (void)state;
    for (size_t a = 0; a <= 32; a++) {
        struct sepx__hash x = sepx__hash(zeros, a);

        for (size_t b = 0; b < a; b++) {
            struct sepx__hash y = sepx__hash(zeros, b);

            assert_true(x.high != y.high && x.low != y.low);
        }
    }
}

static void
test_alignment_does_not_count(void **state)
{
    char buffer[64] = {0};
    struct sepx__hash want = sepx__hash("0123456789abcdefghi", 19);

    (void)state;
    for (size_t at = 0; at < 8; at++) {
        struct sepx__hash got;

        memcpy(buffer + at, "0123456789abcdefghi", 19);
        got = sepx__hash(buffer + at, 19);
        assert_true(got.high == want.high && got.low == want.low);
    }
}

static unsigned
bits(uint64_t x)
{
    unsigned n = 0;

    for (; x; x &= x - 1)
        n++;
    return n;
}

/* One bit of the key turns each half of the value over, half of it. */
static void
test_each_bit_counts(void **state)
{
    unsigned char key[20] = "twenty bytes of key";
    struct sepx__hash base = sepx__hash(key, 20);
    double high = 0, low = 0;

    (void)state;
    for (size_t bit = 0; bit < 160; bit++) {
        struct sepx__hash other;

        key[bit / 8] ^= (unsigned char)(1u << bit % 8);
        other = sepx__hash(key, 20);
        key[bit / 8] ^= (unsigned char)(1u << bit % 8);
        assert_true(bits(base.high ^ other.high) > 10);
        assert_true(bits(base.low ^ other.low) > 10);
        high += bits(base.high ^ other.high);
        low += bits(base.low ^ other.low);
    }
    assert_true(fabs(high / 160 - 32) < 2 && fabs(low / 160 - 32) < 2);
}

static int
compare_words(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* 64 bits of 200,000 keys collide once in 10^9; both halves must hold. */
static void
test_halves_do_not_collide(void **state)
{
    enum { KEYS = 200000 };
    static uint64_t half[2][KEYS];

    (void)state;
    for (uint64_t i = 0; i < KEYS; i++) {
        uint64_t key[3] = {i % 7, i / 7, i << 40};
        struct sepx__hash hash = sepx__hash(key, sizeof(key));

        half[0][i] = hash.high;
        half[1][i] = hash.low;
    }
    for (int h = 0; h < 2; h++) {
        qsort(half[h], KEYS, sizeof(half[h][0]), compare_words);
        for (size_t i = 1; i < KEYS; i++)
            assert_true(half[h][i] != half[h][i - 1]);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mix_is_splitmix),
        cmocka_unit_test(test_values_are_pinned),
        cmocka_unit_test(test_length_and_padding_count),
        cmocka_unit_test(test_alignment_does_not_count),
        cmocka_unit_test(test_each_bit_counts),
        cmocka_unit_test(test_halves_do_not_collide),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
