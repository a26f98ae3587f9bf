/* SPDX-License-Identifier: Apache-2.0 */
/* Studies that the caller evaluates: the same log as that of workers. */
#include "unit/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "unit/faults.h"
#include "sepx/study.h"
#include "unit/study_fixture.h"
#include "unit/study_log.h"

static const struct sepx_study_settings usual = {
    .space = "nb101",
    .method = "sep:population=20,tournament=5",
    .eval = "target:optimum",
    .seed = 5,
    .window = 8,
    .program = {.repeats = 1, .retries = 2, .retry_delay = 1, .grace = 5},
};

/* Evaluates as the workers of a study with these settings would. */
struct judge {
    struct sepx_space *space;
    struct sepx_eval *eval;
    struct sepx_eval_worker *worker;
};

static void
judge_new(struct judge *judge, struct fixture *f)
{
    assert_int_equal(sepx_space_open(&judge->space, "nb101", &f->msg), SEPX_OK);
    assert_int_equal(
        sepx_eval_open(&judge->eval, judge->space, "target:optimum", &f->msg),
        SEPX_OK);
    assert_int_equal(sepx_eval_worker_new(&judge->worker, judge->eval, &f->msg),
                     SEPX_OK);
}

static void
judge_free(struct judge *judge)
{
    sepx_eval_worker_free(judge->worker);
    sepx_eval_close(judge->eval);
    sepx_space_close(judge->space);
}

/* Labels of two name tables: by way of text. */
static void
judge_score(const struct judge *judge, const struct sepx_ask *ask, char *answer,
            size_t size)
{
    struct sepx_eval_job job = {.fidelity = 1};
    struct sepx_graph graph = {0};
    struct sepx_score score;
    struct sepx_text text = {0};

    assert_int_equal(sepx_graph_write_json(&text, &ask->graph), SEPX_OK);
    assert_int_equal(sepx_graph_read(&graph, sepx_space_names(judge->space),
                                     text.at, text.len, SEPX_FORMAT_JSON, NULL),
                     SEPX_OK);
    job.graph = &graph;
    assert_int_equal(sepx_eval_score(judge->worker, &score, &job), SEPX_OK);
    snprintf(answer, size, "%g", score.value);
    sepx_text_release(&text);
    sepx_graph_release(&graph);
}

/*
 * One session that evaluates at most `most` graphs, `width` at once, told in
 * the order of asking or the reverse. Returns why it ended.
 */
static enum sepx_study_end
serve(struct fixture *f, const struct judge *judge, uint32_t evals,
      uint32_t most, uint32_t width, bool reverse)
{
    struct sepx_study_plan plan = {.evals = evals};
    enum sepx_study_end end = SEPX_STUDY_OPEN;
    struct sepx_session *session;
    struct sepx_study *study;
    uint32_t made = 0;

    assert_int_equal(sepx_study_open(&study, f->path, true, &f->msg), SEPX_OK);
    CHECK(!sepx_session_begin(&session, study, &plan, &f->msg), "%s",
          f->msg.text);
    while (!end && made < most) {
        uint32_t trial[8], count = 0;
        char answer[8][32];

        while (count < width && made < most) {
            const struct sepx_ask *ask;

            CHECK(!sepx_session_ask(session, &ask, &end, &f->msg), "%s",
                  f->msg.text);
            if (!ask)
                break;
            trial[count] = ask->trial;
            judge_score(judge, ask, answer[count++], sizeof answer[0]);
            made++;
        }
        assert_true(count || end || made == most);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t k = reverse ? count - 1 - i : i;
            struct sepx_session_result result = {.answer = answer[k]};

            CHECK(!sepx_session_tell(session, trial[k], &result, &f->msg), "%s",
                  f->msg.text);
        }
    }
    assert_int_equal(sepx_session_end(session, &f->msg), SEPX_OK);
    sepx_study_close(study);
    return end;
}

static enum sepx_err
work(struct fixture *f, uint32_t evals, unsigned workers)
{
    struct sepx_study_plan plan = {.evals = evals, .workers = workers};
    struct sepx_study *study;
    enum sepx_err err = sepx_study_open(&study, f->path, true, &f->msg);

    if (!err)
        err = sepx_study_run(study, &plan, &f->msg);
    sepx_study_close(study);
    return err;
}

static void
test_callers_and_workers_make_the_same_study(void **state)
{
    struct fixture *f = *state;
    struct sepx_text whole, other;
    struct judge judge;

    judge_new(&judge, f);
    begin(f, &usual);
    assert_int_equal(work(f, 150, 4), SEPX_OK);
    whole = export(f);
    for (uint32_t width = 1; width <= 8; width += 3) {
        begin(f, &usual);
        assert_int_equal(serve(f, &judge, 150, UINT32_MAX, width, width % 2),
                         SEPX_STUDY_COMPLETE);
        verify(f, 150);
        other = export(f);
        assert_string_equal(other.at, whole.at);
        sepx_text_release(&other);
    }
    sepx_text_release(&whole);
    judge_free(&judge);
}

static void
test_they_may_take_turns(void **state)
{
    struct fixture *f = *state;
    struct sepx_text whole, other;
    struct judge judge;

    judge_new(&judge, f);
    begin(f, &usual);
    assert_int_equal(work(f, 160, 2), SEPX_OK);
    whole = export(f);
    begin(f, &usual);
    for (uint32_t k = 1; k <= 4; k++) {
        (void)serve(f, &judge, 160, 11 * k, 1 + k, k % 2);
        assert_int_equal(work(f, 40 * k, k), SEPX_OK);
    }
    other = export(f);
    assert_string_equal(other.at, whole.at);
    verify(f, 160);
    sepx_text_release(&whole);
    sepx_text_release(&other);
    judge_free(&judge);
}

/* A window of 2: the third proposal needs the first result. */
static void
test_what_is_not_asked_cannot_be_told(void **state)
{
    struct fixture *f = *state;
    struct sepx_study_settings settings = usual;
    struct sepx_study_plan plan = {.evals = 10};
    struct sepx_session_result result = {.answer = "3"};
    struct sepx_session_result unread = {.answer = "three"};
    struct sepx_session_result unfit = {.outcome = SEPX_UNFIT, .errors = "no"};
    struct sepx_session_result nothing = {.outcome = SEPX_CANCELLED};
    const struct sepx_ask *ask[3];
    struct sepx_study_summary summary = {0};
    struct sepx_session *session;
    struct sepx_study *study;
    enum sepx_study_end end;

    settings.window = 2;
    begin(f, &settings);
    assert_int_equal(sepx_study_open(&study, f->path, true, &f->msg), SEPX_OK);
    assert_int_equal(sepx_session_begin(&session, study, &plan, &f->msg),
                     SEPX_OK);
    for (int i = 0; i < 3; i++)
        assert_int_equal(sepx_session_ask(session, &ask[i], &end, &f->msg),
                         SEPX_OK);
    assert_true(ask[0] && ask[1] && !ask[2] && end == SEPX_STUDY_OPEN);
    assert_int_equal(sepx_session_tell(session, 7, &result, &f->msg),
                     SEPX_EINVAL);
    assert_non_null(strstr(f->msg.text, "trial 7 is not under way"));
    assert_int_equal(sepx_session_tell(session, 0, &nothing, &f->msg), SEPX_OK);
    assert_int_equal(sepx_session_ask(session, &ask[0], &end, &f->msg),
                     SEPX_OK);
    assert_int_equal(ask[0]->trial, 0);
    assert_int_equal(sepx_session_tell(session, 0, &unread, &f->msg), SEPX_OK);
    assert_int_equal(sepx_session_tell(session, 0, &result, &f->msg),
                     SEPX_EINVAL);
    assert_int_equal(sepx_session_tell(session, 1, &unfit, &f->msg), SEPX_OK);
    assert_int_equal(sepx_session_ask(session, &ask[2], &end, &f->msg),
                     SEPX_OK);
    assert_int_equal(
        sepx_session_tell(session, ask[2]->trial, &result, &f->msg), SEPX_OK);
    assert_int_equal(sepx_study_summarize(&summary, study, &f->msg), SEPX_OK);
    assert_int_equal(summary.outcome[SEPX_FAILED], 1);
    assert_int_equal(summary.outcome[SEPX_UNFIT], 1);
    assert_true(summary.best == 3);
    sepx_study_summary_release(&summary);
    assert_int_equal(sepx_session_end(session, &f->msg), SEPX_OK);
    assert_int_equal(sepx_session_end(NULL, NULL), SEPX_OK);
    sepx_study_close(study);
}

static void
test_larger_answers_may_be_better(void **state)
{
    struct fixture *f = *state;
    struct sepx_study_settings settings = usual;
    struct sepx_study_plan plan = {.evals = 4};
    static const char *const answer[] = {"1", "{\"score\": 4, \"n\": 2}", "2",
                                         "3"};
    struct sepx_study_summary summary = {0};
    struct sepx_session *session;
    struct sepx_study *study;

    settings.eval = NULL;
    settings.program.maximize = true;
    begin(f, &settings);
    assert_int_equal(sepx_study_open(&study, f->path, true, &f->msg), SEPX_OK);
    assert_int_equal(sepx_session_begin(&session, study, &plan, &f->msg),
                     SEPX_OK);
    for (int i = 0; i < 4; i++) {
        struct sepx_session_result result = {.answer = answer[i]};
        const struct sepx_ask *ask;

        assert_int_equal(sepx_session_ask(session, &ask, NULL, &f->msg),
                         SEPX_OK);
        assert_int_equal(
            sepx_session_tell(session, ask->trial, &result, &f->msg), SEPX_OK);
    }
    assert_int_equal(sepx_study_summarize(&summary, study, &f->msg), SEPX_OK);
    assert_true(summary.best == -4 && summary.best_trial == 1);
    sepx_study_summary_release(&summary);
    assert_int_equal(sepx_session_end(session, &f->msg), SEPX_OK);
    sepx_study_close(study);
}

static void
test_every_allocation_may_fail(void **state)
{
    struct fixture *f = *state;
    struct sepx_study_settings settings = usual;
    struct sepx_session_result result = {.answer = "{\"score\": 3}"};
    struct sepx_study_plan plan = {.evals = 40};

    settings.method = "random";
    begin(f, &settings);
    for (long n = 0;; n++) {
        struct sepx_session *session = NULL;
        const struct sepx_ask *ask = NULL;
        struct sepx_study *study;
        enum sepx_err err;

        fault_after(n);
        err = sepx_study_open(&study, f->path, true, &f->msg);
        if (!err)
            err = sepx_session_begin(&session, study, &plan, &f->msg);
        if (!err)
            err = sepx_session_ask(session, &ask, NULL, &f->msg);
        if (!err && ask)
            err = sepx_session_tell(session, ask->trial, &result, &f->msg);
        if (session && sepx_session_end(session, &f->msg) && !err)
            err = SEPX_ENOMEM;
        sepx_study_close(study);
        if (!fault_hit())
            break;
        CHECK(err, "after %ld allocations", n);
        assert_int_equal(fault_live(), 0);
    }
    fault_stop();
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_callers_and_workers_make_the_same_study),
        TEST(test_they_may_take_turns),
        TEST(test_what_is_not_asked_cannot_be_told),
        TEST(test_larger_answers_may_be_better),
        TEST(test_every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
