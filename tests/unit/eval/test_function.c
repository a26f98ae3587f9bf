/* SPDX-License-Identifier: Apache-2.0 */
/* Functions as evaluators: what they fill in, and what they leave out. */
#include "unit/check.h"

#include "unit/faults.h"
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
        err = sepx_eval_worker_new(&worker, eval, NULL);
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
    struct sepx_score full = {.value = 1, .test = 2, .cost = 3};
    struct sepx_score bare = {.value = 1, .test = NAN, .cost = 0.5};
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
    EACH_FAULT (fault) {
        struct sepx_score score;

        fault.err = score_with(&score, NULL);
    }
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
