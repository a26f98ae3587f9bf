/* SPDX-License-Identifier: Apache-2.0 */
/* Studies without a score that begin anew with another evaluator. */
#include "unit/check.h"

#include <math.h>
#include <string.h>

#include "run/private.h"
#include "unit/faults.h"
#include "unit/study_log.h"

static struct sepx_study_settings
settings_of(const char *eval)
{
    struct sepx_study_settings set;

    sepx_study_settings_init(&set);
    set.space = "nb101";
    set.method = "sep:population=6,tournament=3";
    set.eval = eval;
    set.seed = 3;
    set.window = 4;
    return set;
}

static struct sepx_study *
open_study(struct fixture *f)
{
    struct sepx_study *study;

    CHECK(!sepx_study_open(&study, f->path, true, &f->msg), "%s", f->msg.text);
    return study;
}

/* Trials that end so, told as a caller would; the next one stays asked. */
static void
tell(struct fixture *f, uint32_t trials, enum sepx_outcome outcome)
{
    const struct sepx_session_result result = {.outcome = outcome,
                                               .answer = "1"};
    const struct sepx_study_plan plan = {.evals = UINT32_MAX};
    struct sepx_study *study = open_study(f);
    struct sepx_session *session;
    const struct sepx_ask *ask;

    assert_int_equal(sepx_session_begin(&session, study, &plan, &f->msg),
                     SEPX_OK);
    for (uint32_t i = 0; i <= trials; i++) {
        assert_int_equal(sepx_session_ask(session, &ask, NULL, &f->msg),
                         SEPX_OK);
        if (i < trials)
            assert_int_equal(
                sepx_session_tell(session, ask->trial, &result, &f->msg),
                SEPX_OK);
    }
    assert_int_equal(sepx_session_end(session, &f->msg), SEPX_OK);
    sepx_study_close(study);
}

static bool
is_blank(struct fixture *f)
{
    struct sepx_study *study = open_study(f);
    bool blank;

    assert_int_equal(sepx_study_is_blank(study, &blank, &f->msg), SEPX_OK);
    sepx_study_close(study);
    return blank;
}

static enum sepx_err
renew(struct fixture *f, const char *eval)
{
    struct sepx_study *study = open_study(f);
    struct sepx_study_settings set = *sepx_study_settings(study);
    enum sepx_err err;

    set.eval = eval;
    err = sepx_study_renew(&study, &set, &f->msg);
    if (!err)
        assert_string_equal(sepx_study_settings(study)->eval, eval);
    sepx_study_close(study);
    return err;
}

static void
go(struct fixture *f, uint32_t evals)
{
    struct sepx_study_plan plan = {.evals = evals, .workers = 2};
    struct sepx_study *study = open_study(f);

    CHECK(!sepx_study_run(study, &plan, &f->msg), "%s", f->msg.text);
    sepx_study_close(study);
}

/* ---- tests ---- */

static void
test_it_is_the_study_of_the_new_evaluator(void **state)
{
    const struct sepx_study_settings before = settings_of("shell:exit 1"),
                                     after = settings_of("target:optimum");
    struct fixture *f = *state;
    struct sepx_text fresh, renewed;

    begin(f, &after);
    go(f, 30);
    fresh = export(f);
    begin(f, &before);
    tell(f, 9, SEPX_FAILED);
    assert_int_equal(renew(f, "target:optimum"), SEPX_OK);
    verify(f, 0);
    go(f, 30);
    verify(f, 30);
    renewed = export(f);
    assert_string_equal(renewed.at, fresh.at);
    sepx_text_release(&renewed);
    sepx_text_release(&fresh);
}

static void
test_a_score_or_an_added_graph_stays(void **state)
{
    const struct sepx_study_settings set = settings_of("shell:exit 1");
    struct sepx_study_brought brought;
    struct sepx_study_result result = {.score = {.value = 1, .test = NAN}};
    struct sepx_graph graph = {0};
    struct fixture *f = *state;
    struct sepx_space *space;

    begin(f, &set);
    assert_true(is_blank(f));
    tell(f, 5, SEPX_UNFIT);
    assert_true(is_blank(f));
    tell(f, 1, SEPX_SCORED);
    assert_false(is_blank(f));

    assert_int_equal(sepx_space_open(&space, "nb101", NULL), SEPX_OK);
    graph.names = sepx_space_names(space);
    assert_int_equal(sepx_space_target(space, &graph, "optimum", NULL),
                     SEPX_OK);
    result.graph = &graph;
    result.score.cost = 1;
    for (int import = 0; import < 2; import++) {
        struct sepx_study *study;

        begin(f, &set);
        study = open_study(f);
        assert_int_equal(
            sepx_study_bring(study, &result, 1, import, &brought, &f->msg),
            SEPX_OK);
        sepx_study_close(study);
        assert_false(is_blank(f));
    }
    sepx_graph_release(&graph);
    sepx_space_close(space);
}

static void
test_an_evaluator_that_cannot_be_opened_changes_nothing(void **state)
{
    const struct sepx_study_settings set = settings_of("shell:exit 1");
    struct sepx_study_summary summary = {0};
    struct fixture *f = *state;
    struct sepx_study *study;

    begin(f, &set);
    tell(f, 5, SEPX_FAILED);
    assert_int_equal(renew(f, "command:./no-such-program"), SEPX_ENOINPUT);
    assert_int_equal(renew(f, "nothing"), SEPX_ENOTFOUND);
    study = open_study(f);
    assert_string_equal(sepx_study_settings(study)->eval, set.eval);
    assert_int_equal(sepx_study_summarize(&summary, study, &f->msg), SEPX_OK);
    assert_int_equal(summary.asked, 6);
    assert_int_equal(summary.outcome[SEPX_FAILED], 5);
    sepx_study_summary_release(&summary);
    sepx_study_close(study);
}

static void
test_every_allocation_may_fail(void **state)
{
    const struct sepx_study_settings set = settings_of("shell:exit 1");
    struct fixture *f = *state;
    enum sepx_err err = SEPX_ENOMEM;

    for (long n = 0; err; n++) {
        struct sepx_study *study;
        struct sepx_study_settings other;

        begin(f, &set);
        tell(f, 2, SEPX_FAILED);
        study = open_study(f);
        other = *sepx_study_settings(study);
        other.eval = "target:optimum";
        fault_after(n);
        err = sepx_study_renew(&study, &other, &f->msg);
        CHECK(err == (fault_hit() ? SEPX_ENOMEM : SEPX_OK), "%d after %ld", err,
              n);
        fault_stop();
        sepx_study_close(study);
        assert_true(is_blank(f)); /* a study, the old one or the new */
    }
    verify(f, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_it_is_the_study_of_the_new_evaluator),
        TEST(test_a_score_or_an_added_graph_stays),
        TEST(test_an_evaluator_that_cannot_be_opened_changes_nothing),
        TEST(test_every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
