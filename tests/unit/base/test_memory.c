/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/check.h"

#include <string.h>

#include "base/internal.h"
#include "unit/faults.h"

static void
test_size_zero_is_a_block(void **state)
{
    void *a = sepx__alloc(0), *b = sepx__calloc(0, 8), *c = sepx__calloc(8, 0);

    (void)state;
    assert_true(a && b && c);
    sepx__free(a);
    sepx__free(b);
    sepx__free(c);
    sepx__free(NULL);
}

static void
test_calloc_is_zeroed_and_guarded(void **state)
{
    unsigned char *block = sepx__calloc(100, 7);

    (void)state;
    assert_non_null(block);
    for (int i = 0; i < 700; i++)
        assert_int_equal(block[i], 0);
    sepx__free(block);
    assert_null(sepx__calloc(SIZE_MAX / 4, 8));
}

static void
test_strdup_copies(void **state)
{
    char *copy = sepx__strdup("graph");

    (void)state;
    assert_string_equal(copy, "graph");
    sepx__free(copy);
}

static void
test_grow_keeps_content(void **state)
{
    size_t room = 0;
    void *block = NULL;

    (void)state;
    for (size_t n = 1; n < 1000; n++) {
        assert_int_equal(sepx__grow(&block, &room, n, sizeof(size_t)), 0);
        assert_true(room >= n);
        ((size_t *)block)[n - 1] = n;
        assert_int_equal(((size_t *)block)[n / 2], n / 2 + 1);
    }
    assert_true(room < 2000);
    sepx__free(block);
}

static void
test_grow_in_vain_changes_nothing(void **state)
{
    size_t room = 0;
    void *block = NULL, *old;

    (void)state;
    fault_after(1);
    assert_int_equal(sepx__grow(&block, &room, 10, 1), SEPX_OK);
    memset(block, 'x', 10);
    old = block;
    assert_int_equal(sepx__grow(&block, &room, 100, 1), SEPX_ENOMEM);
    assert_true(fault_hit() && block == old && room == 10);
    assert_memory_equal(block, "xxxxxxxxxx", 10);
    assert_int_equal(sepx__grow(&block, &room, SIZE_MAX, 2), SEPX_ENOMEM);
    assert_int_equal(fault_live(), 1);
    sepx__free(block);
    assert_int_equal(fault_live(), 0);
    fault_stop();
}

static void
test_aligned_blocks_are_aligned(void **state)
{
    (void)state;
    fault_count();
    for (size_t align = 1; align <= 4096; align *= 2) {
        for (size_t size = 0; size < 100; size += 33) {
            char *block = sepx__aligned(size, align);

            assert_non_null(block);
            assert_int_equal((uintptr_t)block % align, 0);
            memset(block, 'x', size);
            sepx__aligned_free(block);
        }
    }
    assert_null(sepx__aligned(SIZE_MAX - 8, 64));
    sepx__aligned_free(NULL);
    assert_int_equal(fault_live(), 0);
    fault_after(0);
    assert_null(sepx__aligned(8, 64));
    fault_stop();
}

static void
test_each_request_can_fail(void **state)
{
    (void)state;
    fault_after(0);
    assert_null(sepx__alloc(1));
    fault_after(0);
    assert_null(sepx__calloc(1, 1));
    fault_after(0);
    assert_null(sepx__strdup("x"));
    assert_int_equal(fault_live(), 0);
    fault_count();
    sepx__free(sepx__alloc(1));
    assert_false(fault_hit());
    fault_stop();
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_size_zero_is_a_block),
        cmocka_unit_test(test_calloc_is_zeroed_and_guarded),
        cmocka_unit_test(test_strdup_copies),
        cmocka_unit_test(test_grow_keeps_content),
        cmocka_unit_test(test_grow_in_vain_changes_nothing),
        cmocka_unit_test(test_aligned_blocks_are_aligned),
        cmocka_unit_test(test_each_request_can_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
