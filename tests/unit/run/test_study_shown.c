/* SPDX-License-Identifier: Apache-2.0 */
/* A result that the plan's callback gets is in the log already. */
#include "unit/check.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sepx/study.h"
#include "unit/study_fixture.h"

enum { KILLS = 24, EVALS = 100000 };

static const struct sepx_study_settings usual = {
    .space = "nb101",
    .method = "sep:population=10,tournament=3",
    .eval = "target:optimum",
    .seed = 3,
    .window = 8,
    .program = {.repeats = 1, .retries = 2, .retry_delay = 1, .grace = 5},
};

static void
begin(struct fixture *f, const struct sepx_study_settings *settings)
{
    struct sepx_study *study;
    enum sepx_err err =
        sepx_study_create(&study, f->path, settings, NULL, &f->msg);

    CHECK(!err, "%s", f->msg.text);
    sepx_study_close(study);
}

/* A result as the callback has it. */
struct seen {
    uint32_t trial;
    double value;
    char answer[64], slot[16];
};

/* The process is killed within call number `left`, counted from 0. */
struct killer {
    unsigned left;
    int out; /* gets a struct seen for each result */
};

static void
see(struct seen *seen, const struct sepx_told *told)
{
    *seen = (struct seen){.trial = told->trial, .value = told->value};
    snprintf(seen->answer, sizeof seen->answer, "%s",
             told->answer ? told->answer : "");
    snprintf(seen->slot, sizeof seen->slot, "%s", told->slot ? told->slot : "");
}

static void
show_and_die(void *context, const struct sepx_entry *entry)
{
    struct killer *killer = context;
    struct seen seen;

    see(&seen, &entry->told);
    if (entry->asked.trial != seen.trial || !entry->asked.op ||
        write(killer->out, &seen, sizeof seen) != sizeof seen)
        _exit(3);
    if (killer->left-- == 0)
        (void)raise(SIGKILL);
}

static void
run_until_killed(struct fixture *f, struct killer *killer, unsigned workers)
{
    static const char *const slots[] = {"one", "two", "three", "four", NULL};
    struct sepx_study_plan plan = {.evals = EVALS,
                                   .workers = workers,
                                   .slot = slots,
                                   .told = show_and_die,
                                   .context = killer};
    struct sepx_study *study;

    if (sepx_study_open(&study, f->path, true, &f->msg) ||
        sepx_study_run(study, &plan, &f->msg))
        _exit(4);
    _exit(5); /* still alive */
}

/* Ask two at a time, tell the later one first. */
static void
tell_until_killed(struct fixture *f, struct killer *killer)
{
    struct sepx_study_plan plan = {
        .evals = EVALS, .told = show_and_die, .context = killer};
    struct sepx_session *session;
    struct sepx_study *study;

    if (sepx_study_open(&study, f->path, true, &f->msg) ||
        sepx_session_begin(&session, study, &plan, &f->msg))
        _exit(4);
    for (;;) {
        const struct sepx_ask *ask[2];
        char answer[64];

        for (int i = 0; i < 2; i++) {
            if (sepx_session_ask(session, &ask[i], NULL, &f->msg) || !ask[i])
                _exit(5);
        }
        for (int i = 1; i >= 0; i--) {
            struct sepx_session_result result = {
                .outcome = SEPX_SCORED, .answer = answer, .slot = "here"};

            snprintf(answer, sizeof answer, "{\"score\":%u,\"more\":true}",
                     (unsigned)ask[i]->graph.n_edges);
            if (sepx_session_tell(session, ask[i]->trial, &result, &f->msg))
                _exit(6);
        }
    }
}

static void
check_in_log(struct fixture *f, const struct seen *seen, unsigned kill)
{
    struct sepx_study *study;
    struct sepx_cursor *cursor;
    struct sepx_entry entry;
    struct seen there;
    bool more;

    assert_int_equal(sepx_study_open(&study, f->path, false, &f->msg), SEPX_OK);
    assert_int_equal(sepx_store_read(sepx_study_store(study), &cursor,
                                     SEPX_STORE_TRIALS, seen->trial, &f->msg),
                     SEPX_OK);
    assert_int_equal(sepx_cursor_next(cursor, &entry, &more, &f->msg), SEPX_OK);
    CHECK(more && entry.asked.trial == seen->trial && entry.is_told,
          "kill %u: trial %u was shown and is not in the log", kill,
          seen->trial);
    see(&there, &entry.told);
    assert_true(there.value == seen->value);
    assert_string_equal(there.answer, seen->answer);
    assert_string_equal(there.slot, seen->slot);
    sepx_cursor_free(cursor);
    sepx_study_close(study);
}

/* How many results were shown; the last call ended the process. */
static unsigned
kill_once(struct fixture *f, unsigned kill, bool asks)
{
    struct seen seen;
    unsigned count = 0;
    int ends[2], status;
    pid_t child;

    assert_int_equal(pipe(ends), 0);
    child = fork();
    assert_true(child >= 0);
    if (!child) {
        struct killer killer = {kill, ends[1]};

        if (asks)
            tell_until_killed(f, &killer);
        else
            run_until_killed(f, &killer, 1 + kill % 4);
    }
    close(ends[1]);
    for (; read(ends[0], &seen, sizeof seen) == sizeof seen; count++)
        check_in_log(f, &seen, kill);
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL,
          "kill %u: status %d", kill, status);
    return count;
}

static void
test_a_result_is_committed_before_it_is_shown(void **state)
{
    struct fixture *f = *state;

    begin(f, &usual);
    for (unsigned kill = 0; kill < KILLS; kill++)
        assert_int_equal(kill_once(f, kill, false), kill + 1);
}

static void
test_a_told_result_is_committed_before_it_is_shown(void **state)
{
    struct sepx_study_settings settings = usual;
    struct fixture *f = *state;

    settings.eval = NULL;
    begin(f, &settings);
    for (unsigned kill = 0; kill < KILLS; kill++)
        assert_int_equal(kill_once(f, kill, true), kill + 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_a_result_is_committed_before_it_is_shown),
        TEST(test_a_told_result_is_committed_before_it_is_shown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
