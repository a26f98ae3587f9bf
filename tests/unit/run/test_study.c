/* SPDX-License-Identifier: Apache-2.0 */
/* Studies: one log for any number of workers and through interruptions. */
#include "unit/check.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "unit/faults.h"
#include "sepx/study.h"
#include "store/sqlite.h"
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

/* The end of a session that was told to stop after so many results. */
struct stopper {
    uint32_t told, most;
};

static void
count_told(void *context, const struct sepx_entry *entry)
{
    struct stopper *stopper = context;

    assert_true(entry->is_asked && entry->is_told);
    stopper->told++;
}

static bool
may_go_on(void *context, const struct sepx_study_view *view)
{
    struct stopper *stopper = context;

    assert_true(view->told <= view->asked && view->asked <= view->evals);
    assert_true(view->n_running <= 8);
    return stopper->told < stopper->most;
}

static enum sepx_err
go_on(struct fixture *f, unsigned workers, uint32_t evals, uint32_t most)
{
    struct stopper stopper = {0, most};
    struct sepx_study_plan plan = {.evals = evals,
                                   .workers = workers,
                                   .watch = may_go_on,
                                   .told = count_told,
                                   .context = &stopper};
    struct sepx_study *study;
    enum sepx_err err = sepx_study_open(&study, f->path, true, &f->msg);

    CHECK(!err, "%s", f->msg.text);
    err = sepx_study_run(study, &plan, &f->msg);
    sepx_study_close(study);
    return err;
}

static void
test_workers_do_not_matter(void **state)
{
    static const char *const methods[] = {"random",
                                          "local",
                                          "reinforce",
                                          "bohb",
                                          "smac",
                                          "sep:population=20",
                                          "model:start=5,candidates=4"};
    struct fixture *f = *state;

    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        struct sepx_study_settings settings = usual;
        struct sepx_text text[4];

        settings.method = methods[i];
        for (unsigned j = 0; j < 4; j++) {
            begin(f, &settings);
            assert_int_equal(go_on(f, 1U << j, 150, UINT32_MAX), SEPX_OK);
            verify(f, 150);
            text[j] = export(f);
            assert_string_equal(text[j].at, text[0].at);
        }
        for (unsigned j = 0; j < 4; j++)
            sepx_text_release(&text[j]);
    }
}

/* With a window of 1, a study is a run. */
static void
test_a_window_of_one_is_a_run(void **state)
{
    struct fixture *f = *state;
    struct sepx_study_settings settings = usual;
    struct sepx_study_summary summary = {0};
    struct sepx_study *study;

    settings.window = 1;
    settings.rules = "plain";
    begin(f, &settings);
    assert_int_equal(go_on(f, 1, 300, UINT32_MAX), SEPX_OK);
    assert_int_equal(sepx_study_open(&study, f->path, false, &f->msg), SEPX_OK);
    assert_int_equal(sepx_study_summarize(&summary, study, &f->msg), SEPX_OK);
    assert_int_equal(summary.told, 300);
    assert_int_equal(summary.n_curve, 300);
    assert_int_equal(summary.n_ops, 3);
    assert_true(summary.cached > 0);
    assert_int_equal(summary.outcome[SEPX_SCORED], 300);
    assert_true(summary.best < 6 && summary.curve[299] == summary.best);
    assert_string_equal(summary.op[0].name, "random");
    assert_int_equal(
        summary.op[0].told + summary.op[1].told + summary.op[2].told, 300);
    sepx_study_summary_release(&summary);
    sepx_study_close(study);
}

static void
test_a_stopped_study_goes_on(void **state)
{
    struct fixture *f = *state;

    for (int async = 0; async < 2; async++) {
        struct sepx_study_settings settings = usual;
        struct sepx_text whole, parts;
        enum sepx_err err = SEPX_ESTOPPED;
        unsigned sessions = 0;

        settings.async = async;
        begin(f, &settings);
        assert_int_equal(go_on(f, 3, 200, UINT32_MAX), SEPX_OK);
        whole = export(f);
        begin(f, &settings);
        while (err == SEPX_ESTOPPED) {
            err = go_on(f, 1 + sessions % 4, 200, sessions % 7);
            sessions++;
            assert_true(sessions < 400);
        }
        CHECK(!err, "%s", f->msg.text);
        assert_true(sessions > 5);
        verify(f, 200);
        parts = export(f);
        if (!async)
            assert_string_equal(whole.at, parts.at);
        sepx_text_release(&whole);
        sepx_text_release(&parts);
    }
}

/* The budget is no part of what a study is. */
static void
test_a_study_can_be_extended(void **state)
{
    struct fixture *f = *state;
    struct sepx_text whole, parts;

    begin(f, &usual);
    assert_int_equal(go_on(f, 2, 120, UINT32_MAX), SEPX_OK);
    whole = export(f);
    begin(f, &usual);
    assert_int_equal(go_on(f, 2, 50, UINT32_MAX), SEPX_OK);
    assert_int_equal(go_on(f, 2, 50, UINT32_MAX), SEPX_OK);
    verify(f, 50);
    assert_int_equal(go_on(f, 4, 120, UINT32_MAX), SEPX_OK);
    verify(f, 120);
    parts = export(f);
    assert_string_equal(whole.at, parts.at);
    sepx_text_release(&whole);
    sepx_text_release(&parts);
}

/* Isomorphic graphs are evaluated once, unless repeats are wanted. */
static void
test_isomorphs_share_a_result(void **state)
{
    struct fixture *f = *state;

    for (int repeats = 0; repeats < 2; repeats++) {
        struct sepx_study_settings settings = usual;
        struct sepx_study_summary summary = {0};
        struct sepx_study *study;

        settings.repeats = repeats;
        settings.rules = "plain";
        settings.method = "mutation:population=3,tournament=3";
        begin(f, &settings);
        assert_int_equal(go_on(f, 4, 200, UINT32_MAX), SEPX_OK);
        verify(f, 200);
        assert_int_equal(sepx_study_open(&study, f->path, false, &f->msg),
                         SEPX_OK);
        assert_int_equal(sepx_study_summarize(&summary, study, &f->msg),
                         SEPX_OK);
        CHECK(repeats ? summary.cached == 0 : summary.cached > 0, "%u cached",
              summary.cached);
        sepx_study_summary_release(&summary);
        sepx_study_close(study);
    }
}

static void
run_in(sqlite3 *db, const char *sql)
{
    int code = sqlite3_exec(db, sql, NULL, NULL, NULL);

    CHECK(code == SQLITE_OK, "%s: %s", sql, sqlite3_errmsg(db));
}

static void
put_sum(sqlite3 *db, const char *table, int64_t event,
        const struct sepx__hash *sum)
{
    unsigned char bytes[SEPX__SUM_BYTES];
    char hex[2 * SEPX__SUM_BYTES + 1], sql[256];

    sepx__sum_write(bytes, sum);
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(hex + 2 * i, 3, "%02x", bytes[i]);
    snprintf(sql, sizeof sql, "UPDATE %s SET sum = x'%s' WHERE event = %lld",
             table, hex, (long long)event);
    run_in(db, sql);
}

/*
 * New sums, so that replaying alone can find a change. Stops at a row that
 * makes no sense.
 */
static void
reseal(struct fixture *f, sqlite3 *db)
{
    struct sepx__sqlite store = {.db = db, .base.path = f->path};
    struct sepx_cursor *cursor;
    struct sepx_entry entry;
    struct sepx__hash sum;
    sqlite3_stmt *event;
    bool more = true;

    assert_int_equal(sepx__sqlite_text(&store, &store.base.settings,
                                       "SELECT settings FROM study", &f->msg),
                     SEPX_OK);
    sum = sepx__sum_begin(store.base.settings);
    assert_int_equal(
        sepx__sqlite_prepare(&store, &event,
                             "SELECT event FROM asked UNION ALL "
                             "SELECT event FROM told ORDER BY event",
                             &f->msg),
        SEPX_OK);
    assert_int_equal(sepx__sqlite_read_as(&store, &cursor, SEPX_STORE_LOG, 0,
                                          "", false, &f->msg),
                     SEPX_OK);
    while (!sepx_cursor_next(cursor, &entry, &more, NULL) && more) {
        assert_int_equal(sqlite3_step(event), SQLITE_ROW);
        sepx__sum_add(&sum, sqlite3_column_int64(event, 0), &entry);
        put_sum(db, entry.is_asked ? "asked" : "told",
                sqlite3_column_int64(event, 0), &sum);
    }
    sepx_cursor_free(cursor);
    sqlite3_finalize(event);
    sepx__free(store.base.settings);
}

/* As one would do it who knows how the file is guarded. */
static void
run_sql(struct fixture *f, const char *sql)
{
    sqlite3 *db;

    assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
    run_in(db, "BEGIN; DROP TRIGGER asked_stays; DROP TRIGGER asked_is_kept;"
               "DROP TRIGGER told_stays; DROP TRIGGER told_is_kept;");
    run_in(db, sql);
    reseal(f, db);
#define KEPT(table, name, what) \
    "CREATE TRIGGER " table "_" name " BEFORE " what " ON " table \
    "  BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;"
    run_in(db,
           KEPT("asked", "stays", "UPDATE") KEPT("asked", "is_kept", "DELETE")
               KEPT("told", "stays", "UPDATE")
                   KEPT("told", "is_kept", "DELETE") "COMMIT;");
    sqlite3_close(db);
}

static void
verify_fails(struct fixture *f, const char *why)
{
    struct sepx_study *study;
    uint32_t asked, told;
    enum sepx_err err = sepx_study_open(&study, f->path, false, &f->msg);

    if (!err)
        err = sepx_study_verify(study, &asked, &told, &f->msg);
    CHECK(err == SEPX_EDATA, "%s: %d", why, err);
    CHECK(strstr(f->msg.text, why), "%s: %s", why, f->msg.text);
    CHECK(strstr(f->msg.text, f->path), "%s", f->msg.text);
    sepx_study_close(study);
}

/* Whatever is changed in a log, verifying it finds out. */
static void
test_a_changed_log_is_found_out(void **state)
{
    static const struct {
        const char *sql, *why;
    } rows[] = {
        {"UPDATE asked SET operator = 'random' WHERE trial = 40", "operator"},
        {"UPDATE asked SET parent1 = 2 WHERE trial = 40", "parents"},
        {"UPDATE asked SET fidelity = 0.5 WHERE trial = 40", "fidelity"},
        {"UPDATE asked SET graph = '{}' WHERE trial = 40", "graph"},
        {"UPDATE asked SET same = 7 WHERE trial = 3", "makes no sense"},
        {"UPDATE asked SET same = 1 WHERE trial = 3", "isomorphic"},
        {"UPDATE told SET value = 0 WHERE trial = 20", "does not follow"},
        {"UPDATE told SET value = NULL WHERE trial = 20", "does not fit"},
        {"UPDATE told SET outcome = 'fine' WHERE trial = 20", "does not fit"},
        {"UPDATE told SET cached = 1 WHERE trial = 20", "not that of"},
        {"DELETE FROM told WHERE trial = 20", "before the results"},
        {"UPDATE told SET event = 1000 WHERE trial = 20", "before the results"},
        {"UPDATE told SET event = -5 WHERE trial = 20", "makes no sense"},
        {"UPDATE told SET event = 0 WHERE trial = 20", "not under way"},
        {"UPDATE asked SET event = 0 WHERE trial = 20", "where trial 0"},
        {"UPDATE study SET settings = "
         "replace(settings, '\"seed\":5', '\"seed\":6')",
         "trial 0 does not follow"},
        {"UPDATE study SET settings = "
         "replace(settings, 'nb101', 'nb102')",
         "did you mean 'nb101'"},
        {"UPDATE study SET settings = '{}'", "lack"},
        {"UPDATE study SET settings = 'x'", "settings"},
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        begin(f, &usual);
        assert_int_equal(go_on(f, 2, 60, UINT32_MAX), SEPX_OK);
        run_sql(f, rows[i].sql);
        verify_fails(f, rows[i].why);
    }
}

/* New sums, and results that the search does not mind: still found. */
static void
test_a_result_that_was_not_answered_is_found_out(void **state)
{
    static const char *const rows[][2] = {
        {"value = -3", NULL},
        {"value = 3 WHERE trial = 4", "the value of trial 4"},
        {"test = -9 WHERE trial = 2", "the test value of trial 2"},
        {"cost = 6 WHERE trial = 1", "the cost of trial 1"},
        {"answer = '{\"score\":3.5}' WHERE trial = 0", "the value of trial 0"},
        {"answer = NULL WHERE trial = 0", "the value of trial 0"},
        {"answer = 'none' WHERE trial = 5", "the value of trial 5"},
    };
    struct sepx_study_settings settings = usual;
    struct fixture *f = *state;

    settings.method = "random";
    settings.eval = "shell:echo '{\"score\": 3, \"test\": 4, \"cost\": 5}'";
    settings.program.maximize = true;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char sql[128];

        begin(f, &settings);
        assert_int_equal(go_on(f, 2, 6, UINT32_MAX), SEPX_OK);
        verify(f, 6);
        snprintf(sql, sizeof sql, "UPDATE told SET %s", rows[i][0]);
        run_sql(f, sql);
        if (rows[i][1])
            verify_fails(f, rows[i][1]);
        else
            verify(f, 6);
    }
}

/* All 64 bits of a seed are kept, and what was drawn follows from them. */
static void
test_large_seeds_survive(void **state)
{
    static const uint64_t seeds[] = {INT64_MAX, (uint64_t)INT64_MAX + 1,
                                     UINT64_MAX - 1, UINT64_MAX};
    struct sepx_study_settings settings = usual;
    struct fixture *f = *state;
    struct sepx_text rows[4] = {{0}};

    for (int i = 0; i < 4; i++) {
        struct sepx_study *study;

        settings.seed = seeds[i];
        begin(f, &settings);
        assert_int_equal(go_on(f, 2, 30, UINT32_MAX), SEPX_OK);
        verify(f, 30);
        assert_int_equal(sepx_study_open(&study, f->path, false, &f->msg),
                         SEPX_OK);
        assert_true(sepx_study_settings(study)->seed == seeds[i]);
        sepx_study_close(study);
        rows[i] = export(f);
        for (int k = 0; k < i; k++)
            assert_string_not_equal(rows[i].at, rows[k].at);
    }
    for (int i = 0; i < 4; i++)
        sepx_text_release(&rows[i]);
}

static void
test_what_cannot_run_is_refused(void **state)
{
    struct fixture *f = *state;
    struct sepx_study_settings settings = usual;
    struct sepx_study *study;

    settings.window = 0;
    assert_int_equal(
        sepx_study_create(&study, f->path, &settings, NULL, &f->msg),
        SEPX_EINVAL);
    settings = usual;
    settings.eval = "target:nowhere";
    assert_true(sepx_study_create(&study, f->path, &settings, NULL, &f->msg) !=
                SEPX_OK);
    settings = usual;
    settings.method = "sepp";
    assert_int_equal(
        sepx_study_create(&study, f->path, &settings, NULL, &f->msg),
        SEPX_ENOTFOUND);
    assert_int_not_equal(access(f->path, F_OK), 0);
    begin(f, &usual);
    assert_int_equal(go_on(f, 9, 20, UINT32_MAX), SEPX_EINVAL);
    CHECK(strstr(f->msg.text, "window of 8"), "%s", f->msg.text);
    assert_int_equal(go_on(f, 0, 20, UINT32_MAX), SEPX_EINVAL);
}

static void
test_time_is_a_budget(void **state)
{
    struct fixture *f = *state;
    struct sepx_study_plan plan = {
        .evals = 2000000, .workers = 2, .seconds = 0.2};
    struct sepx_study_summary summary = {0};
    struct sepx_study *study;

    begin(f, &usual);
    assert_int_equal(sepx_study_open(&study, f->path, true, &f->msg), SEPX_OK);
    assert_int_equal(sepx_study_run(study, &plan, &f->msg), SEPX_OK);
    assert_int_equal(sepx_study_summarize(&summary, study, &f->msg), SEPX_OK);
    assert_true(summary.told < 2000000);
    sepx_study_summary_release(&summary);
    sepx_study_close(study);
    /* All of it is used up. */
    assert_int_equal(sepx_study_open(&study, f->path, true, &f->msg), SEPX_OK);
    plan.seconds = 1e-6;
    assert_int_equal(sepx_study_run(study, &plan, &f->msg), SEPX_OK);
    sepx_study_close(study);
}

static void
test_every_allocation_may_fail(void **state)
{
    struct fixture *f = *state;
    struct sepx_study_plan plan = {.evals = 24, .workers = 2};
    struct sepx_study_settings settings = usual;

    settings.method = "sep:population=4";
    for (long n = 0;; n++) {
        struct sepx_study *study = NULL;
        enum sepx_err err;

        unlink(f->path);
        fault_after(n);
        err = sepx_study_create(&study, f->path, &settings, NULL, &f->msg);
        if (!err)
            err = sepx_study_run(study, &plan, &f->msg);
        sepx_study_close(study);
        if (!fault_hit()) {
            CHECK(!err, "%s", f->msg.text);
            break;
        }
        CHECK(err == SEPX_ENOMEM, "%d after %ld", err, n);
        CHECK(fault_live() == 0, "%ld blocks left after %ld", fault_live(), n);
    }
    fault_stop();
}

/* ---- functions as evaluators ---- */

struct clerk {
    atomic_uint calls, at_once, most_at_once;
    unsigned naps; /* milliseconds, at most */
};

/* Takes its time; every fifth graph fails and every seventh has no score. */
static enum sepx_err
slow_score(void *context, struct sepx_score *score,
           const struct sepx_eval_job *job)
{
    struct clerk *clerk = context;
    unsigned now = atomic_fetch_add(&clerk->at_once, 1) + 1;
    unsigned call = atomic_fetch_add(&clerk->calls, 1);
    struct timespec nap = {0, (long)(call * 2654435761u % 1000) * 1000 *
                                  (long)clerk->naps};
    struct sepx_key key;
    enum sepx_err err = sepx_graph_canon(job->graph, NULL, &key);

    while (now > atomic_load(&clerk->most_at_once))
        atomic_store(&clerk->most_at_once, now);
    nanosleep(&nap, NULL);
    score->value = (double)(key.low % 1000);
    if (key.low % 5 == 0)
        *score = (struct sepx_score){
            .value = NAN, .test = NAN, .cost = 1, .outcome = SEPX_FAILED};
    else if (key.low % 7 == 0)
        score->value = NAN;
    atomic_fetch_sub(&clerk->at_once, 1);
    return err;
}

static enum sepx_err
run_function(struct fixture *f, struct clerk *clerk, unsigned workers,
             uint32_t evals)
{
    struct sepx_study_plan plan = {.evals = evals, .workers = workers};
    struct sepx_study *study;
    struct sepx_eval *eval;
    enum sepx_err err;

    assert_int_equal(sepx_eval_from_function(&eval, "slow", slow_score, clerk),
                     SEPX_OK);
    plan.eval = eval;
    assert_int_equal(sepx_study_open(&study, f->path, true, &f->msg), SEPX_OK);
    err = sepx_study_run(study, &plan, &f->msg);
    sepx_study_close(study);
    sepx_eval_close(eval);
    return err;
}

static void
test_a_function_scores_with_many_workers(void **state)
{
    static const unsigned workers[] = {1, 3, 8};
    struct fixture *f = *state;
    struct sepx_study_settings settings = usual;
    struct sepx_text text[3];

    settings.eval = NULL;
    for (int i = 0; i < 3; i++) {
        struct clerk clerk = {.naps = 2};
        struct sepx_study_summary summary = {0};
        struct sepx_study *study;

        begin(f, &settings);
        CHECK(!run_function(f, &clerk, workers[i], 150), "%s", f->msg.text);
        verify(f, 150);
        text[i] = export(f);
        assert_string_equal(text[i].at, text[0].at);
        assert_int_equal(sepx_study_open(&study, f->path, false, &f->msg),
                         SEPX_OK);
        assert_int_equal(sepx_study_summarize(&summary, study, &f->msg),
                         SEPX_OK);
        assert_true(summary.outcome[SEPX_FAILED] > 5);
        assert_true(summary.outcome[SEPX_UNFIT] > 5);
        assert_int_equal(clerk.calls + summary.cached, 150);
        assert_true(clerk.most_at_once <= workers[i]);
        sepx_study_summary_release(&summary);
        sepx_study_close(study);
    }
    for (int i = 0; i < 3; i++)
        sepx_text_release(&text[i]);
}

static enum sepx_err
no_score(void *context, struct sepx_score *score,
         const struct sepx_eval_job *job)
{
    (void)context;
    (void)score;
    return job->trial == 20 ? SEPX_EIO : SEPX_OK;
}

/* An error ends the session, not the study. */
static void
test_an_evaluator_that_breaks_ends_the_session(void **state)
{
    struct fixture *f = *state;
    struct sepx_study_settings settings = usual;
    struct sepx_study_plan plan = {.evals = 40, .workers = 4};
    struct clerk clerk = {0};
    struct sepx_study *study;
    struct sepx_eval *eval;

    settings.eval = NULL;
    begin(f, &settings);
    assert_int_equal(go_on(f, 1, 40, UINT32_MAX), SEPX_EINVAL);
    CHECK(strstr(f->msg.text, "function"), "%s", f->msg.text);
    assert_int_equal(sepx_eval_from_function(&eval, "bad", no_score, NULL),
                     SEPX_OK);
    plan.eval = eval;
    assert_int_equal(sepx_study_open(&study, f->path, true, &f->msg), SEPX_OK);
    assert_int_equal(sepx_study_run(study, &plan, &f->msg), SEPX_EIO);
    CHECK(strstr(f->msg.text, "trial 20"), "%s", f->msg.text);
    sepx_study_close(study);
    sepx_eval_close(eval);
    assert_int_equal(run_function(f, &clerk, 4, 40), SEPX_OK);
    verify(f, 40);
}

/* ---- spaces from files ---- */

static void
test_the_space_file_is_kept_in_the_study(void **state)
{
    struct fixture *f = *state;
    struct sepx_study_settings settings = usual;
    char path[128], command[512];

    snprintf(path, sizeof path, "%s/space.json", f->folder);
    snprintf(command, sizeof command, "cp %s/examples/spaces/nb101.json %s",
             SEPX_SOURCE_ROOT, path);
    assert_int_equal(system(command), 0);
    settings.space = path;
    settings.eval = NULL;
    begin(f, &settings);
    unlink(path);
    for (uint32_t evals = 30; evals <= 60; evals += 30) {
        struct clerk clerk = {0};

        CHECK(!run_function(f, &clerk, 2, evals), "%s", f->msg.text);
        verify(f, evals);
    }
    run_sql(f, "UPDATE study SET settings = "
               "replace(settings, 'conv1x1', 'conv9x9')");
    struct sepx_study *study;
    uint32_t asked, told;
    assert_int_equal(sepx_study_open(&study, f->path, false, &f->msg), SEPX_OK);
    assert_int_equal(sepx_study_verify(study, &asked, &told, &f->msg),
                     SEPX_EDATA);
    CHECK(strstr(f->msg.text, "not the one"), "%s", f->msg.text);
    sepx_study_close(study);
}

/*
 * A study of version 1 does not say which default rules it means: those of
 * its time. This one's trials are of evolution with a population of 4.
 */
static void
test_old_studies_keep_their_rules(void **state)
{
    struct fixture *f = *state;
    struct sepx_study *study;
    uint32_t asked, told;
    char command[512];

    snprintf(command, sizeof command, "cp %s %s",
             SEPX_SOURCE_ROOT "/tests/study/schema1.study", f->path);
    assert_int_equal(system(command), 0);
    assert_int_equal(sepx_study_open(&study, f->path, false, &f->msg), SEPX_OK);
    assert_string_equal(sepx_study_settings(study)->rules, "plain");
    CHECK(!sepx_study_verify(study, &asked, &told, &f->msg), "%s", f->msg.text);
    assert_int_equal(asked, 32);
    sepx_study_close(study);
}

/* ---- damaged files ---- */

static size_t
slurp(const char *path, char **bytes)
{
    struct sepx_text text = {0};

    assert_int_equal(sepx_file_read(&text, path, 1 << 24, NULL), SEPX_OK);
    *bytes = text.at;
    return text.len;
}

/* Flipped bits and lost ends: an answer or a message, never a crash. */
static void
test_damaged_studies_are_survived(void **state)
{
    struct fixture *f = *state;
    struct sepx_rng rng;
    struct sepx_text text = {0};
    char *bytes;
    size_t len;

    begin(f, &usual);
    assert_int_equal(go_on(f, 2, 40, UINT32_MAX), SEPX_OK);
    len = slurp(f->path, &bytes);
    sepx_rng_init(&rng, 3, 0, 0, 0);
    for (int i = 0; i < 200; i++) {
        struct sepx_study_plan plan = {.evals = 45, .workers = 2};
        struct sepx_study *study;
        size_t cut = i % 5 ? len : sepx_rng_below(&rng, (uint32_t)len);
        uint32_t asked, told;
        FILE *file = fopen(f->path, "w");
        enum sepx_err err;

        text.len = 0;
        assert_int_equal(sepx_text_add(&text, bytes, len), SEPX_OK);
        for (uint32_t n = 1 + sepx_rng_below(&rng, 3); n--;)
            text.at[sepx_rng_below(&rng, (uint32_t)len)] ^=
                (char)(1 << sepx_rng_below(&rng, 8));
        assert_int_equal(fwrite(text.at, 1, cut, file), cut);
        fclose(file);
        f->msg.text[0] = '\0';
        err = sepx_study_open(&study, f->path, i % 2, &f->msg);
        if (!err)
            err = i % 2 ? sepx_study_run(study, &plan, &f->msg)
                        : sepx_study_verify(study, &asked, &told, &f->msg);
        if (err)
            CHECK(f->msg.text[0], "no message for %d", err);
        sepx_study_close(study);
    }
    sepx_text_release(&text);
    free(bytes);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_workers_do_not_matter),
        TEST(test_a_window_of_one_is_a_run),
        TEST(test_a_stopped_study_goes_on),
        TEST(test_a_study_can_be_extended),
        TEST(test_isomorphs_share_a_result),
        TEST(test_old_studies_keep_their_rules),
        TEST(test_a_changed_log_is_found_out),
        TEST(test_a_result_that_was_not_answered_is_found_out),
        TEST(test_large_seeds_survive),
        TEST(test_what_cannot_run_is_refused),
        TEST(test_time_is_a_budget),
        TEST(test_every_allocation_may_fail),
        TEST(test_a_function_scores_with_many_workers),
        TEST(test_an_evaluator_that_breaks_ends_the_session),
        TEST(test_the_space_file_is_kept_in_the_study),
        TEST(test_damaged_studies_are_survived),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
