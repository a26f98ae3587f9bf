/* SPDX-License-Identifier: Apache-2.0 */
/* Functions as evaluators: what they fill in, and what they leave out. */
#include "check.h"

#include "faults.h"
#include "sepx/eval.h"

static enum sepx_err
fill(void *context, struct sepx_score *score, const struct sepx_eval_job *job)
{
    (void)job;
    if (context)
        *score = *(const struct sepx_score *)context;
    return SEPX_OK;
}

static enum sepx_err
score_with(struct sepx_score *score, struct sepx_score *given)
{
    struct sepx_eval_job job = {.fidelity = 0.5};
    struct sepx_eval_worker *worker = NULL;
    struct sepx_eval *eval;
    enum sepx_err err = sepx_eval_from_function(&eval, "x", fill, given);

    if (!err) {
        assert_string_equal(sepx_eval_text(eval), "function:x");
        assert_int_equal(sepx_eval_measure(eval), SEPX_MEASURE_SCORE);
        err = sepx_eval_worker_new(&worker, eval);
    }
    if (!err)
        err = sepx_eval_score(worker, score, &job);
    sepx_eval_worker_free(worker);
    sepx_eval_close(eval);
    return err;
}

static void
test_scores_are_completed(void **state)
{
    struct sepx_score full = {1, 2, 3, SEPX_SCORED};
    struct sepx_score bare = {1, NAN, 0.5, SEPX_SCORED};
    struct sepx_score score;

    (void)state;
    assert_int_equal(score_with(&score, &full), SEPX_OK);
    CHECK(score.value == 1 && score.test == 2 && score.cost == 3, "changed");
    assert_int_equal(score_with(&score, &bare), SEPX_OK);
    CHECK(score.test == 1, "%g", score.test);
    assert_int_equal(score_with(&score, NULL), SEPX_OK);
    assert_int_equal(score.outcome, SEPX_UNFIT);
    CHECK(score.cost == 0.5, "%g", score.cost);
}

static void
test_every_allocation_may_fail(void **state)
{
    (void)state;
    for (long n = 0;; n++) {
        struct sepx_score score;
        enum sepx_err err;

        fault_after(n);
        err = score_with(&score, NULL);
        if (!fault_hit()) {
            assert_int_equal(err, SEPX_OK);
            break;
        }
        CHECK(err == SEPX_ENOMEM, "%d after %ld", err, n);
        CHECK(fault_live() == 0, "%ld blocks left after %ld", fault_live(), n);
    }
    fault_stop();
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scores_are_completed),
        cmocka_unit_test(test_every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
