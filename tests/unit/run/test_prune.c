/* SPDX-License-Identifier: Apache-2.0 */
/* The median rule, against its definition. */
#include "unit/check.h"

#include <stdlib.h>
#include <string.h>

#include "run/prune.h"
#include "unit/faults.h"

enum { MOST = 12, STEPS = 6, SEED = 6 };

/* The median of a step by counting: as many below as above. */
static double
median_of(struct sepx_eval_steps *const *steps, size_t count, uint32_t step)
{
    double value[MOST], low = NAN, high = NAN;
    size_t n = 0;

    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < steps[i]->count; j++) {
            if (steps[i]->at[j].step == step)
                value[n++] = steps[i]->at[j].value;
        }
    }
    for (size_t i = 0; i < n; i++) {
        size_t less = 0, same = 0;

        for (size_t j = 0; j < n; j++) {
            less += value[j] < value[i];
            same += value[j] == value[i];
        }
        if (less <= (n - 1) / 2 && less + same > (n - 1) / 2)
            low = value[i];
        if (less <= n / 2 && less + same > n / 2)
            high = value[i];
    }
    return n < SEPX__PRUNE_LEAST ? (double)NAN : (low + high) / 2;
}

static void
test_limits_are_medians(void **state)
{
    struct sepx_rng rng;

    (void)state;
    sepx_rng_init(&rng, SEED, 0, 0, 0);
    for (int turn = 0; turn < 500; turn++) {
        struct sepx_eval_steps room[MOST] = {{0}}, limit = {0};
        struct sepx_eval_steps *steps[MOST];
        size_t count = sepx_rng_below(&rng, MOST + 1), seen = 0;

        for (size_t i = 0; i < count; i++) {
            steps[i] = &room[i];
            for (uint32_t k = 0; k < STEPS; k++) {
                if (sepx_rng_below(&rng, 4))
                    assert_int_equal(
                        sepx_eval_steps_add(steps[i], 3 * k,
                                            sepx_rng_below(&rng, 5)),
                        SEPX_OK);
            }
        }
        assert_int_equal(
            sepx__prune_limits(
                &limit, (const struct sepx_eval_steps *const *)steps, count),
            SEPX_OK);
        for (uint32_t k = 0; k < STEPS; k++) {
            double wanted = median_of(steps, count, 3 * k);

            if (isnan(wanted))
                continue;
            CHECK(seen < limit.count && limit.at[seen].step == 3 * k &&
                      limit.at[seen].value == wanted,
                  "seed %d turn %d step %u: not %g", SEED, turn, 3 * k, wanted);
            seen++;
        }
        assert_int_equal(limit.count, seen);
        for (size_t i = 0; i < count; i++)
            sepx_eval_steps_release(steps[i]);
        sepx_eval_steps_release(&limit);
    }
}

static void
test_the_best_so_far_counts(void **state)
{
    struct sepx_step at[] = {{1, 5}, {2, 3}, {4, 2}, {5, 9}};
    struct sepx_step allowed[] = {{1, 5}, {3, 1}, {4, 2}, {5, 1.5}};
    struct sepx_eval_steps steps = {.at = at, .count = 4};
    struct sepx_eval_steps limit = {.at = allowed, .count = 4};

    (void)state;
    assert_int_equal(sepx__prune_at(&limit, &steps), 4);
    limit.count = 3;
    assert_int_equal(sepx__prune_at(&limit, &steps), 0);
    allowed[0].value = 4.9;
    assert_int_equal(sepx__prune_at(&limit, &steps), 1);
    limit.count = 0;
    assert_int_equal(sepx__prune_at(&limit, &steps), 0);
}

static enum sepx_err
read_and_write(const char *text, const char *wanted)
{
    struct sepx_eval_steps steps = {0};
    struct sepx_text again = {0};
    enum sepx_err err = sepx__steps_read(&steps, text);

    if (!err)
        err = sepx__steps_write(&again, &steps);
    if (!err && wanted)
        assert_string_equal(again.at ? again.at : "", wanted);
    sepx_eval_steps_release(&steps);
    sepx_text_release(&again);
    return err;
}

static void
test_steps_are_text_in_the_log(void **state)
{
    static const char good[] = "[[0,0.1],[3,-2],[4294967294,1e+300]]";

    (void)state;
    assert_int_equal(read_and_write(good, good), SEPX_OK);
    assert_int_equal(read_and_write(NULL, ""), SEPX_OK);
    assert_int_equal(read_and_write("[]", ""), SEPX_OK);
    assert_int_equal(read_and_write("[[3,1],[3,2]]", NULL), SEPX_EDATA);
    assert_int_equal(read_and_write("[[-1,1]]", NULL), SEPX_EDATA);
    assert_int_equal(read_and_write("[[1]]", NULL), SEPX_EDATA);
    assert_int_equal(read_and_write("[[1,\"x\"]]", NULL), SEPX_EDATA);
    assert_int_equal(read_and_write("[[4294967295,1]]", NULL), SEPX_EDATA);
    assert_int_equal(read_and_write("[", NULL), SEPX_EDATA);
    for (long n = 0;; n++) {
        enum sepx_err err;

        fault_after(n);
        err = read_and_write(good, NULL);
        if (!fault_hit())
            break;
        CHECK(err == SEPX_ENOMEM, "%d after %ld", err, n);
    }
    fault_stop();
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limits_are_medians),
        cmocka_unit_test(test_the_best_so_far_counts),
        cmocka_unit_test(test_steps_are_text_in_the_log),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
