/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/check.h"

#include <stdatomic.h>
#include <string.h>

#include "unit/faults.h"
#include "sepx/base.h"

#define COUNT 5000
#define THREADS 4

struct tally {
    atomic_uint calls[COUNT];
    atomic_bool busy[THREADS];
    atomic_bool broken; /* a worker number was shared or too large */
    size_t fail_from;   /* every index from here on fails */
};

static enum sepx_err
note(void *context, unsigned worker, size_t index)
{
    struct tally *tally = context;

    if (worker >= THREADS || atomic_exchange(&tally->busy[worker], true)) {
        atomic_store(&tally->broken, true);
        return SEPX_EBUSY;
    }
    atomic_fetch_add(&tally->calls[index], 1);
    atomic_store(&tally->busy[worker], false);
    if (index < tally->fail_from)
        return SEPX_OK;
    return index % 2 ? SEPX_EDATA : SEPX_EIO;
}

static struct tally tally;

static void
reset(size_t fail_from)
{
    memset(&tally, 0, sizeof(tally));
    tally.fail_from = fail_from;
}

static void
test_each_index_is_called_once(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= THREADS; threads++) {
        reset(COUNT);
        assert_int_equal(sepx_parallel(threads, COUNT, note, &tally), SEPX_OK);
        assert_false(tally.broken);
        for (size_t i = 0; i < COUNT; i++)
            assert_int_equal(tally.calls[i], 1);
    }
}

/* Index 1001 and all behind fail, odd ones with EDATA, even ones with EIO. */
static void
test_smallest_failure_wins(void **state)
{
    (void)state;
    for (int round = 0; round < 50; round++) {
        size_t from = (size_t)(1001 + round % 2);

        for (unsigned threads = 1; threads <= THREADS; threads++) {
            reset(from);
            assert_int_equal(sepx_parallel(threads, COUNT, note, &tally),
                             from % 2 ? SEPX_EDATA : SEPX_EIO);
            assert_false(tally.broken);
            for (size_t i = 0; i <= from; i++)
                assert_int_equal(tally.calls[i], 1);
            for (size_t i = from + threads; i < COUNT; i++)
                assert_int_equal(tally.calls[i], 0);
        }
    }
}

static void
test_few_or_no_jobs(void **state)
{
    (void)state;
    reset(COUNT);
    assert_int_equal(sepx_parallel(THREADS, 0, note, &tally), SEPX_OK);
    assert_int_equal(tally.calls[0], 0);
    assert_int_equal(sepx_parallel(1000, 3, note, &tally), SEPX_OK);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(tally.calls[i], 1);
    assert_false(tally.broken);
}

static enum sepx_err
count_call(void *context, unsigned worker, size_t index)
{
    (void)worker;
    (void)index;
    atomic_fetch_add((atomic_uint *)context, 1);
    return SEPX_OK;
}

static void
test_zero_threads_is_all_processors(void **state)
{
    atomic_uint calls = 0;

    (void)state;
    assert_true(sepx_processors() >= 1);
    assert_int_equal(sepx_parallel(0, 100, count_call, &calls), SEPX_OK);
    assert_int_equal(calls, 100);
}

static void
test_memory_is_needed_for_threads_only(void **state)
{
    atomic_uint calls = 0;

    (void)state;
    fault_after(0);
    assert_int_equal(sepx_parallel(1, 9, count_call, &calls), SEPX_OK);
    assert_int_equal(sepx_parallel(2, 9, count_call, &calls), SEPX_ENOMEM);
    assert_int_equal(calls, 9);
    assert_int_equal(sepx_parallel(2, 9, count_call, &calls), SEPX_OK);
    assert_int_equal(fault_live(), 0);
    fault_stop();
    assert_int_equal(calls, 18);
}

static void
test_clock_never_goes_back(void **state)
{
    double last = sepx_clock();

    (void)state;
    for (int i = 0; i < 10000; i++) {
        double now = sepx_clock();

        assert_true(now >= last);
        last = now;
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_index_is_called_once),
        cmocka_unit_test(test_smallest_failure_wins),
        cmocka_unit_test(test_few_or_no_jobs),
        cmocka_unit_test(test_zero_threads_is_all_processors),
        cmocka_unit_test(test_memory_is_needed_for_threads_only),
        cmocka_unit_test(test_clock_never_goes_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
