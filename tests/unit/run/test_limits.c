/* SPDX-License-Identifier: Apache-2.0 */
/* How studies end, and what becomes of trials that failed. */
#include "unit/check.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "unit/faults.h"
#include "sepx/study.h"
#include "unit/study_fixture.h"
#include "unit/study_log.h"

static const struct sepx_study_settings usual = {
    .space = "nb101",
    .method = "sep:population=20,tournament=5",
    .seed = 5,
    .window = 8,
    .program = {.repeats = 1, .retries = 2, .retry_delay = 1, .grace = 5},
};

/* An evaluator that does as it is told. */
struct clerk {
    atomic_uint calls;
    bool (*fails)(uint32_t trial);
    enum sepx_outcome how; /* it fails */
    double naps;           /* seconds, unless it is to stop */
};

static enum sepx_err
work(void *context, struct sepx_score *score, const struct sepx_eval_job *job)
{
    struct clerk *clerk = context;
    double end = sepx_clock() + clerk->naps;
    unsigned call = atomic_fetch_add(&clerk->calls, 1);
    struct timespec nap = {0, (long)(call * 2654435761u % 400) * 1000};
    struct sepx_key key;
    enum sepx_err err = sepx_graph_canon(job->graph, NULL, &key);

    do {
        nanosleep(&nap, NULL);
        if (job->stop && job->stop(job->context)) {
            score->outcome = SEPX_CANCELLED;
            return SEPX_OK;
        }
        nap.tv_nsec = 5000000;
    } while (sepx_clock() < end);
    score->value = (double)(key.low % 1000);
    if (clerk->fails && clerk->fails(job->trial))
        *score = (struct sepx_score){
            .value = NAN, .test = NAN, .cost = 1, .outcome = clerk->how};
    return err;
}

/* One session; the summary afterwards, which has nothing to release. */
static struct sepx_study_summary
run(struct fixture *f, struct sepx_study_plan plan, struct clerk *clerk,
    bool retry, enum sepx_study_end *end)
{
    struct sepx_study_summary summary = {0}, numbers;
    struct sepx_study *study;
    struct sepx_eval *eval;
    uint32_t count;

    plan.end = end;
    assert_int_equal(sepx_eval_from_function(&eval, "clerk", work, clerk),
                     SEPX_OK);
    plan.eval = eval;
    assert_int_equal(sepx_study_open(&study, f->path, true, &f->msg), SEPX_OK);
    if (retry)
        assert_int_equal(sepx_study_retry(study, &count, &f->msg), SEPX_OK);
    CHECK(!sepx_study_run(study, &plan, &f->msg), "%s", f->msg.text);
    assert_int_equal(sepx_study_summarize(&summary, study, &f->msg), SEPX_OK);
    assert_int_equal(sepx_study_ended(&summary, &plan),
                     *end <= SEPX_STUDY_STALLED ? *end : SEPX_STUDY_OPEN);
    sepx_study_close(study);
    sepx_eval_close(eval);
    numbers = summary;
    numbers.curve = NULL;
    numbers.point = NULL;
    sepx_study_summary_release(&summary);
    return numbers;
}

/* ---- rules ---- */

/* Each rule gives the same trials for any number of workers. */
static void
test_rules_end_alike_for_any_workers(void **state)
{
    static const unsigned workers[] = {1, 3, 8};
    static const double until = 40;
    static const struct {
        struct sepx_study_plan plan;
        enum sepx_study_end end;
    } rows[] = {
        {{.evals = 3000, .until = &until}, SEPX_STUDY_REACHED},
        {{.evals = 3000, .patience = 25}, SEPX_STUDY_STALLED},
        {{.evals = 90, .count_evaluations = true}, SEPX_STUDY_COMPLETE},
    };
    struct fixture *f = *state;

    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        struct sepx_text text[3];

        for (int i = 0; i < 3; i++) {
            struct sepx_study_plan plan = rows[row].plan;
            struct clerk clerk = {0};
            struct sepx_study_summary sum;
            enum sepx_study_end end;

            plan.workers = workers[i];
            begin(f, &usual);
            sum = run(f, plan, &clerk, false, &end);
            assert_int_equal(end, rows[row].end);
            verify(f, sum.told);
            assert_int_equal(clerk.calls, sum.told - sum.cached);
            assert_true(sum.told < 3000 && sum.told > 25);
            if (plan.until)
                assert_true(sum.best <= until);
            if (plan.patience)
                assert_true(sum.since >= 25 && sum.since < 25 + 8);
            if (plan.count_evaluations)
                assert_int_equal(clerk.calls, 90);
            text[i] = export(f);
            assert_string_equal(text[i].at, text[0].at);
        }
        for (int i = 0; i < 3; i++)
            sepx_text_release(&text[i]);
    }
}

/* In pieces it ends where it ends as a whole, and goes no further. */
static void
test_an_ended_study_stays_ended(void **state)
{
    struct fixture *f = *state;
    struct sepx_study_plan plan = {.evals = 3000, .workers = 4, .patience = 25};
    struct clerk clerk = {0};
    enum sepx_study_end end;
    struct sepx_text whole, parts;

    begin(f, &usual);
    run(f, plan, &clerk, false, &end);
    whole = export(f);
    begin(f, &usual);
    for (uint32_t evals = 10; evals < 200; evals += 10) {
        plan.evals = evals;
        run(f, plan, &clerk, false, &end);
    }
    assert_int_equal(end, SEPX_STUDY_STALLED);
    parts = export(f);
    assert_string_equal(whole.at, parts.at);
    sepx_text_release(&whole);
    sepx_text_release(&parts);
}

static void
test_a_space_without_new_graphs_ends(void **state)
{
    struct fixture *f = *state;
    struct sepx_study_settings settings = usual;
    struct sepx_study_plan plan = {
        .evals = 1000, .workers = 2, .count_evaluations = true};
    struct clerk clerk = {0};
    enum sepx_study_end end;
    char path[128];
    FILE *file;

    snprintf(path, sizeof path, "%s/two.json", f->folder);
    file = fopen(path, "w");
    fputs("{\"format\": \"sepx-space\", \"version\": 1,"
          " \"nodes\": {\"a\": {}, \"b\": {}},"
          " \"limits\": {\"nodes\": [2, 2], \"edges\": [0, 1]},"
          " \"acyclic\": true, \"connected\": \"ignored\"}\n",
          file);
    fclose(file);
    settings.space = path;
    settings.method = "random";
    begin(f, &settings);
    run(f, plan, &clerk, false, &end);
    assert_int_equal(end, SEPX_STUDY_EXHAUSTED);
    assert_true(clerk.calls > 1 && clerk.calls < 20);
}

/* ---- time ---- */

static void
test_what_is_under_way_may_end(void **state)
{
    struct fixture *f = *state;
    struct sepx_study_plan plan = {.evals = 50, .workers = 3, .seconds = 0.5};
    struct clerk clerk = {.naps = 0.9};
    struct sepx_study_summary sum;
    enum sepx_study_end end;

    begin(f, &usual);
    sum = run(f, plan, &clerk, false, &end);
    assert_int_equal(end, SEPX_STUDY_TIME);
    /* One a worker; a busy machine may not get to all of them in time. */
    assert_true(sum.asked >= 1 && sum.asked <= 3);
    assert_int_equal(sum.told, sum.asked);
    assert_true(sum.elapsed >= 0.9);
    begin(f, &usual);
    plan.kill_at_limit = true;
    sum = run(f, plan, &clerk, false, &end);
    assert_int_equal(end, SEPX_STUDY_TIME);
    assert_int_equal(sum.told, 0);
    assert_true(sum.asked >= 1 && sum.asked <= 3);
    /* No result, but its time is spent: nothing is begun any more. */
    assert_true(sum.elapsed >= 0.5);
    clerk.calls = 0;
    plan.kill_at_limit = false;
    sum = run(f, plan, &clerk, false, &end);
    assert_int_equal(end, SEPX_STUDY_TIME);
    assert_int_equal(clerk.calls, 0);
    assert_int_equal(sum.told, 0);
}

/* ---- failures ---- */

static bool
always(uint32_t trial)
{
    (void)trial;
    return true;
}

static bool
but_each_tenth(uint32_t trial)
{
    return trial % 10 != 9;
}

static bool
thirds(uint32_t trial)
{
    return trial % 3 != 1;
}

static void
test_failures_in_a_row_end_a_session(void **state)
{
    static const unsigned workers[] = {1, 3, 8};
    struct fixture *f = *state;
    struct sepx_study_settings settings = usual;

    settings.method = "random";
    for (int i = 0; i < 3; i++) {
        struct sepx_study_plan plan = {
            .evals = 60, .workers = workers[i], .max_failures = 10};
        struct clerk clerk = {.fails = always, .how = SEPX_FAILED};
        enum sepx_study_end end;
        struct sepx_study_summary sum;

        begin(f, &settings);
        sum = run(f, plan, &clerk, false, &end);
        assert_int_equal(end, SEPX_STUDY_FAILING);
        assert_true(isnan(sum.best));
        /* Counted in the order of trials, so others may be a window ahead. */
        assert_true(sum.told >= 10 && sum.told < 10 + settings.window);
        if (workers[i] == 1)
            assert_int_equal(sum.told, 10);
        assert_int_equal(sum.n_failures, sum.told);
        /* The next session counts anew. */
        clerk.how = SEPX_TIMED_OUT;
        sum = run(f, plan, &clerk, false, &end);
        assert_int_equal(end, SEPX_STUDY_FAILING);
        assert_true(sum.told >= 20);
        /* Unfit graphs are answers. */
        clerk.how = SEPX_UNFIT;
        sum = run(f, plan, &clerk, false, &end);
        assert_int_equal(end, SEPX_STUDY_COMPLETE);
        begin(f, &settings);
        clerk = (struct clerk){.fails = but_each_tenth, .how = SEPX_FAILED};
        sum = run(f, plan, &clerk, false, &end);
        assert_int_equal(end, SEPX_STUDY_COMPLETE);
        assert_int_equal(sum.outcome[SEPX_FAILED], 54);
    }
}

static void
copy(struct fixture *f, const char *from, const char *to)
{
    char command[256];

    snprintf(command, sizeof command, "cp %s/%s %s/%s", f->folder, from,
             f->folder, to);
    assert_int_equal(system(command), 0);
}

/* What was retried takes part as if it had taken long, for any workers. */
static void
test_failed_trials_are_evaluated_again(void **state)
{
    static const char *const methods[] = {"random", "local", "bohb", "smac",
                                          "sep:population=8"};
    static const unsigned workers[] = {1, 3, 8};
    struct fixture *f = *state;

    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
        struct sepx_study_settings settings = usual;
        struct sepx_study_plan plan = {.evals = 30, .workers = 1};
        struct clerk clerk = {.fails = thirds, .how = SEPX_FAILED};
        struct sepx_study_summary sum;
        enum sepx_study_end end;
        struct sepx_text text[3];

        settings.method = methods[m];
        begin(f, &settings);
        sum = run(f, plan, &clerk, false, &end);
        assert_true(sum.outcome[SEPX_FAILED] > 10);
        copy(f, "a.study", "failed.study");
        for (int i = 0; i < 3; i++) {
            copy(f, "failed.study", "a.study");
            /* It fails once more, then no longer. */
            plan.workers = workers[i];
            plan.evals = 35;
            run(f, plan, &clerk, true, &end);
            clerk.fails = NULL;
            plan.evals = 60;
            clerk.calls = 0;
            sum = run(f, plan, &clerk, true, &end);
            clerk.fails = thirds;
            assert_int_equal(sum.outcome[SEPX_SCORED], 60);
            assert_true(clerk.calls > 30 && sum.n_failures == 0);
            verify(f, 60);
            text[i] = export(f);
            CHECK(!strcmp(text[i].at, text[0].at), "%s", methods[m]);
        }
        for (int i = 0; i < 3; i++)
            sepx_text_release(&text[i]);
    }
}

static bool
stops(void *context, const struct sepx_study_view *view)
{
    (void)context;
    return view->told < 30;
}

/* A stop among retries, async or not. */
static void
test_retries_survive_a_stop(void **state)
{
    struct fixture *f = *state;

    for (int async = 0; async < 2; async++) {
        struct sepx_study_settings settings = usual;
        struct sepx_study_plan plan = {.evals = 60, .workers = 3};
        struct clerk clerk = {.fails = always, .how = SEPX_TOO_LARGE};
        struct sepx_study *study;
        struct sepx_eval *eval;
        enum sepx_study_end end;
        enum sepx_err err;
        uint32_t count, told, asked;

        settings.async = async;
        begin(f, &settings);
        run(f, plan, &clerk, false, &end);
        clerk.fails = NULL;
        assert_int_equal(sepx_eval_from_function(&eval, "clerk", work, &clerk),
                         SEPX_OK);
        assert_int_equal(sepx_study_open(&study, f->path, true, &f->msg),
                         SEPX_OK);
        assert_int_equal(sepx_study_retry(study, &count, &f->msg), SEPX_OK);
        assert_int_equal(count, 60);
        plan.eval = eval;
        plan.watch = stops;
        err = sepx_study_run(study, &plan, &f->msg);
        sepx_study_close(study);
        sepx_eval_close(eval);
        assert_int_equal(err, SEPX_ESTOPPED);
        assert_int_equal(sepx_study_open(&study, f->path, false, &f->msg),
                         SEPX_OK);
        CHECK(!sepx_study_verify(study, &asked, &told, &f->msg), "%s",
              f->msg.text);
        sepx_study_close(study);
        assert_true(asked == 60 && told >= 30 && told < 60);
        plan.watch = NULL;
        plan.evals = 100;
        run(f, plan, &clerk, false, &end);
        verify(f, 100);
    }
}

static void
test_every_allocation_of_a_retry_may_fail(void **state)
{
    struct fixture *f = *state;
    struct sepx_study_settings settings = usual;
    struct sepx_study_plan plan = {.evals = 14, .workers = 2};
    struct clerk clerk = {.fails = thirds, .how = SEPX_FAILED};
    enum sepx_study_end end;

    settings.method = "sep:population=4";
    begin(f, &settings);
    run(f, plan, &clerk, false, &end);
    copy(f, "a.study", "failed.study");
    clerk.fails = NULL;
    for (long n = 0;; n++) {
        struct sepx_study *study = NULL;
        struct sepx_eval *eval = NULL;
        uint32_t count;
        enum sepx_err err;

        copy(f, "failed.study", "a.study");
        fault_after(n);
        err = sepx_eval_from_function(&eval, "clerk", work, &clerk);
        plan.eval = eval;
        if (!err)
            err = sepx_study_open(&study, f->path, true, &f->msg);
        if (!err)
            err = sepx_study_retry(study, &count, &f->msg);
        if (!err)
            err = sepx_study_run(study, &plan, &f->msg);
        sepx_study_close(study);
        sepx_eval_close(eval);
        if (!fault_hit()) {
            CHECK(!err, "%s", f->msg.text);
            break;
        }
        CHECK(err == SEPX_ENOMEM, "%d after %ld", err, n);
        CHECK(fault_live() == 0, "%ld blocks left after %ld", fault_live(), n);
    }
    fault_stop();
}

/* ---- words ---- */

static void
test_the_gist_of_what_was_said(void **state)
{
    static const struct {
        const char *errors, *line;
        size_t size;
    } rows[] = {
        {"exit status 1", "exit status 1", 200},
        {"exit status 1\nTraceback:\n  File\nValueError: x\n\n",
         "exit status 1: ValueError: x", 200},
        {"exit status 1\n  \t indented  \n", "exit status 1: indented", 200},
        {"", "", 200},
        {"a\n\033[31mred\033[0m \xc2\x9b"
         "2J \xff\xc3\xa9",
         "a: ?[31mred?[0m ??2J ?\xc3\xa9", 200},
        {"abcdefghij", "abcdef...", 10},
        {"abcde\xc3\xa9ghij", "abcde...", 10},
        {"abcdefghi", "abcdef...", 10},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char line[200];

        sepx_eval_error_line(line, rows[i].size, rows[i].errors);
        assert_string_equal(line, rows[i].line);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_rules_end_alike_for_any_workers),
        TEST(test_an_ended_study_stays_ended),
        TEST(test_a_space_without_new_graphs_ends),
        TEST(test_what_is_under_way_may_end),
        TEST(test_failures_in_a_row_end_a_session),
        TEST(test_failed_trials_are_evaluated_again),
        TEST(test_retries_survive_a_stop),
        TEST(test_every_allocation_of_a_retry_may_fail),
        TEST(test_the_gist_of_what_was_said),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
