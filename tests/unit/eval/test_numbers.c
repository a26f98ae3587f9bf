/* SPDX-License-Identifier: Apache-2.0 */
/* Named numbers beside the score: who knows them, and who lacks one. */
#include "unit/command_fixture.h"

#include "unit/faults.h"

static const char *const both[] = {"error", "params", NULL};
static const char *const mixed[] = {"params", "score", "cost", "test", NULL};

static void
answers(const char *line, const char *const *want, enum sepx_outcome outcome,
        const char *why)
{
    struct fixture f;
    char text[200];

    init(&f);
    f.want = want;
    snprintf(text, sizeof text, "shell:printf '%s'", line);
    run(&f, text);
    assert_int_equal(f.score.outcome, outcome);
    if (why)
        CHECK(strstr(f.output.errors, why), "%s", f.output.errors);
    finish(&f);
}

static void
test_programs_answer_names(void **state)
{
    struct fixture f;

    (void)state;
    init(&f);
    f.want = both;
    run(&f, "shell:echo '{\"params\": 7, \"error\": 0.25, \"more\": 1}'");
    assert_int_equal(f.score.outcome, SEPX_SCORED);
    CHECK(f.score.number[0] == 0.25 && f.score.number[1] == 7, "%g %g",
          f.score.number[0], f.score.number[1]);
    CHECK(isnan(f.score.value), "%g", f.score.value);
    finish(&f);
    answers("{\"error\":1}", both, SEPX_FAILED, "no \"params\"");
    answers("{\"error\":1,\"params\":\"x\"}", both, SEPX_FAILED,
            "\"params\" of the answer is a string");
    answers("{\"error\":1,\"params\":NaN}", both, SEPX_FAILED,
            "\"params\" of the answer is null, NaN or infinite");
    answers("{\"error\":1,\"params\":2,\"score\":NaN,\"test\":NaN}", both,
            SEPX_SCORED, "left out: score (NaN), test (NaN)");
    answers("{\"score\":1,\"test\":NaN}", mixed + 1, SEPX_FAILED,
            "\"test\" of the answer");
    answers("12", both, SEPX_FAILED, "no JSON object");
    answers("12", mixed + 1, SEPX_SCORED, NULL);
}

static void
test_common_names_are_filled_in(void **state)
{
    struct fixture f;

    (void)state;
    init(&f);
    f.want = mixed;
    f.settings.maximize = true;
    run(&f, "shell:echo '{\"params\": 7, \"score\": 3, \"cost\": 0.5}'");
    assert_int_equal(f.score.outcome, SEPX_SCORED);
    CHECK(f.score.value == -3, "%g", f.score.value);
    CHECK(f.score.number[0] == 7 && f.score.number[1] == 3 &&
              f.score.number[2] == 0.5 && f.score.number[3] == 3,
          "%g %g %g %g", f.score.number[0], f.score.number[1],
          f.score.number[2], f.score.number[3]);
    finish(&f);
}

static void
test_repeats_are_averaged(void **state)
{
    struct fixture f;

    (void)state;
    init(&f);
    f.want = both;
    f.settings.repeats = 4;
    run(&f, "shell:echo \"{\\\"error\\\":$SEPX_REPEAT,\\\"params\\\":2}\"");
    CHECK(f.score.number[0] == 1.5 && f.score.number[1] == 2, "%g %g",
          f.score.number[0], f.score.number[1]);
    finish(&f);
}

static void
test_names_that_nobody_knows(void **state)
{
    static const char *const many[] = {"a", "b", "c", "d", "e",
                                       "f", "g", "h", "i", NULL};
    struct fixture f;

    (void)state;
    init(&f);
    sepx_eval_settings_init(&f.settings);
    f.want = both;
    assert_int_equal(try_open(&f, "target:optimum"), SEPX_EINVAL);
    CHECK(strstr(f.msg.text, "knows no number 'error'; it knows score test "
                             "cost"),
          "%s", f.msg.text);
    close_all(&f);
    f.want = mixed + 1;
    assert_int_equal(try_open(&f, "target:optimum"), SEPX_OK);
    assert_int_equal(sepx_eval_score(f.worker, &f.score, &f.job), SEPX_OK);
    CHECK(f.score.number[0] == 0 && f.score.number[1] == 1 &&
              f.score.number[2] == 0,
          "%g", f.score.number[0]);
    close_all(&f);
    f.want = many;
    assert_int_equal(try_open(&f, "target:optimum"), SEPX_ELIMIT);
    close_all(&f);
}

static enum sepx_err
count(void *context, struct sepx_score *score, const struct sepx_eval_job *job)
{
    (void)job;
    score->number[0] = 3;
    if (context)
        score->number[1] = 4;
    return SEPX_OK;
}

static enum sepx_err
call(void *context, struct sepx_score *score)
{
    struct sepx_eval_job job = {.fidelity = 1};
    struct sepx_eval_worker *worker = NULL;
    struct sepx_eval *eval;
    enum sepx_err err = sepx_eval_from_function(&eval, "x", count, context);

    if (!err)
        err = sepx_eval_want(eval, both, NULL);
    if (!err)
        err = sepx_eval_worker_new(&worker, eval, NULL);
    if (!err) {
        assert_string_equal(sepx_eval_wanted(eval)[1], "params");
        err = sepx_eval_score(worker, score, &job);
    }
    sepx_eval_worker_free(worker);
    sepx_eval_close(eval);
    return err;
}

static void
test_functions_fill_all_or_the_graph_is_unfit(void **state)
{
    struct sepx_score score;
    int something;

    (void)state;
    assert_int_equal(call(&something, &score), SEPX_OK);
    assert_int_equal(score.outcome, SEPX_SCORED);
    CHECK(score.number[1] == 4, "%g", score.number[1]);
    assert_int_equal(call(NULL, &score), SEPX_OK);
    assert_int_equal(score.outcome, SEPX_UNFIT);
    EACH_FAULT (fault) {
        fault.err = call(&something, &score);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_programs_answer_names),
        cmocka_unit_test(test_common_names_are_filled_in),
        cmocka_unit_test(test_repeats_are_averaged),
        cmocka_unit_test(test_names_that_nobody_knows),
        cmocka_unit_test(test_functions_fill_all_or_the_graph_is_unfit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
