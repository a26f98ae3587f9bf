/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Limits hold, and no process outlives its trial or us: programs that hang,
 * grow, fork, hide or kill their supervisor, and our own death.
 */
#include "unit/command_fixture.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>

/* ---- limits ---- */

static void
test_time_limit(void **state)
{
    static const char *const lines[] = {
        "sleep 100",
        "while :; do :; done",
        "trap '' TERM; sleep 100; sleep 100",
        "sleep 100 & sleep 100 & trap '' TERM; wait; wait",
        "trap 'echo 1; exit 0' TERM; sleep 100 & wait",
        "exec <&- >&- 2>&-; sleep 100",
        "kill -STOP $$",
        "kill -STOP $PPID; sleep 100",
        "trap '' TERM; kill -STOP $PPID; sleep 100; sleep 100",
    };

    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct fixture f;

        init(&f);
        f.settings.time_limit = 0.1;
        f.settings.grace = i % 2 ? 0.1 : 0;
        expect(&f, lines[i], SEPX_TIMED_OUT, "not done within 0.1 s");
        finish(&f);
    }
}

/* TERM comes first, and there is time to act on it. */
static void
test_grace(void **state)
{
    char folder[] = "/tmp/sepx-test-XXXXXX", line[128];
    struct fixture f;

    (void)state;
    assert_non_null(mkdtemp(folder));
    init(&f);
    f.settings.time_limit = 0.2;
    f.settings.grace = 60;
    snprintf(line, sizeof line,
             "trap 'echo saved > %s/x; exit 1' TERM; sleep 100 & wait", folder);
    expect(&f, line, SEPX_TIMED_OUT, NULL);
    finish(&f);
    snprintf(line, sizeof line, "grep -q saved %s/x && rm -r %s", folder,
             folder);
    assert_int_equal(system(line), 0);
}

static void
test_memory_limit(void **state)
{
    static const char *const lines[] = {
        "x=x; while :; do x=$x$x; done",
        "awk 'BEGIN { for (;;) x[n++] = n }'",
        "setsid awk 'BEGIN { for (;;) x[n++] = n }' & wait; echo 1",
    };
    struct fixture f;

    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        init(&f);
        f.settings.memory_limit = 64 << 20;
        expect(&f, lines[i], SEPX_TOO_LARGE, "more than 64 MiB of memory");
        finish(&f);
    }
    init(&f);
    f.settings.memory_limit = 64 << 20;
    expect(&f, "sleep 0.1; echo 1", SEPX_SCORED, NULL);
    finish(&f);
}

/* ---- children ---- */

static void
test_children_end_with_it(void **state)
{
    (void)state;
    /* They hold the pipes open, and write. */
    expect_default("sleep 100 & sleep 100 & echo 1", SEPX_SCORED, NULL);
    expect_default("yes >&2 & echo 1", SEPX_SCORED, NULL);
    expect_default("(trap '' TERM HUP; sleep 100; sleep 100) & echo 1",
                   SEPX_SCORED, NULL);
    /* Daemons: another session, another parent, then children of their own. */
    expect_default("setsid sleep 100 & echo 1", SEPX_SCORED, NULL);
    expect_default("setsid sh -c 'sleep 100 & sleep 100 & setsid sleep 100 & "
                   "exit 0' & wait; echo 1",
                   SEPX_SCORED, NULL);
    expect_default("setsid sh -c 'while :; do setsid sleep 1 & sleep 0.01; "
                   "done' & exit 3",
                   SEPX_FAILED, "exit status 3");
    expect_default("for i in 1 2 3 4 5 6 7 8 9; do setsid sleep 100 & done; "
                   "kill -SEGV $$",
                   SEPX_FAILED, "signal 11");
}

/* ---- stopping ---- */

static bool
after_some_looks(void *context)
{
    int *looks = context;

    return ++*looks > 3;
}

static void
test_a_stop_is_heard(void **state)
{
    static const char *const lines[] = {
        "sleep 100",
        "trap '' TERM; sleep 100; sleep 100",
        "yes >&2",
        "exit 75", /* while it waits for another try */
        "kill -STOP $PPID; sleep 100",
    };

    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct fixture f;
        int looks = 0;

        init(&f);
        f.settings.retries = 10;
        f.settings.retry_delay = 100;
        f.job.stop = after_some_looks;
        f.job.context = &looks;
        expect(&f, lines[i], SEPX_CANCELLED, NULL);
        assert_null(f.output.errors);
        finish(&f);
    }
}

/* Nor does a supervisor that is stopped while it has nothing to do hold us. */
static void
test_a_stopped_supervisor_ends(void **state)
{
    pid_t supervisor;
    struct fixture f;

    (void)state;
    init(&f);
    run(&f, "shell:echo 1");
    assert_int_equal(sepx__tree_list(getpid(), &supervisor, 1), 1);
    kill(supervisor, SIGSTOP);
    finish(&f);
}

/* ---- our own end ---- */

/* In a process of its own: evaluations of which the second never ends. */
static void
evaluate_for_ever(int told)
{
    struct fixture f;

    init(&f);
    if (try_open(&f, "shell:echo 1; test $SEPX_TRIAL = 0 && exit; "
                     "trap '' TERM HUP INT; setsid sleep 1000 & sleep 1000 & "
                     "(setsid setsid sleep 1000 &); touch $SEPX_GRAPH.on; "
                     "sleep 1000"))
        _exit(1);
    if (sepx_eval_score(f.worker, &f.score, &f.job))
        _exit(1);
    if (write(told, "x", 1) != 1)
        _exit(1);
    f.job.trial = 1;
    if (sepx_eval_score(f.worker, &f.score, &f.job))
        _exit(1);
    _exit(0);
}

static bool
is_alive(pid_t pid)
{
    char path[64], text[512] = "";
    const char *name;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    file = fopen(path, "r");
    if (!file)
        return false;
    if (!fgets(text, sizeof text, file))
        text[0] = '\0';
    fclose(file);
    name = strrchr(text, ')');
    return name && name[2] != 'Z' && name[2] != 'X';
}

static void
test_kill_9_leaves_nothing(void **state)
{
    pid_t pids[64], child;
    size_t count = 0;
    int told[2], status;
    char byte;

    (void)state;
    assert_int_equal(pipe(told), 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0)
        evaluate_for_ever(told[1]);
    close(told[1]);
    assert_int_equal(read(told[0], &byte, 1), 1);
    /* The supervisor, the shell and four sleeps. */
    for (int i = 0; i < 5000 && count < 6; i++) {
        usleep(1000);
        count = sepx__tree_list(child, pids, 64);
    }
    CHECK(count >= 6, "%zu processes", count);
    /* The orphaned supervisor comes to us. */
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(waitpid(-1, &status, 0), pids[0]);
    assert_int_equal(status, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 0);
    for (size_t i = 0; i < count; i++) {
        for (int wait = 0; wait < 5000 && is_alive(pids[i]); wait++)
            usleep(1000);
        CHECK(!is_alive(pids[i]), "process %ld, number %zu, goes on",
              (long)pids[i], i);
    }
    close(told[0]);
}

/* The program ends with its supervisor, and so does its group. */
static void
test_a_lost_supervisor_is_replaced(void **state)
{
    char text[192], left[96];
    struct fixture f;

    (void)state;
    init(&f);
    snprintf(left, sizeof left,
             "grep -qsa '[s]leep.98%ld' /proc/[0-9]*/cmdline", (long)getpid());
    snprintf(text, sizeof text,
             "shell:test $SEPX_TRIAL = 1 && echo 1 && exit; "
             "sleep 98%ld & kill -9 $PPID; sleep 98%ld",
             (long)getpid(), (long)getpid());
    assert_int_equal(try_open(&f, text), SEPX_OK);
    assert_int_equal(sepx_eval_score(f.worker, &f.score, &f.job), SEPX_OK);
    assert_int_equal(f.score.outcome, SEPX_FAILED);
    assert_non_null(strstr(f.output.errors, "supervisor"));
    for (int i = 0; i < 1000 && system(left) == 0; i++)
        usleep(1000);
    CHECK(system(left), "a sleep is left");
    f.job.trial = 1;
    assert_int_equal(sepx_eval_score(f.worker, &f.score, &f.job), SEPX_OK);
    assert_int_equal(f.score.outcome, SEPX_SCORED);
    finish(&f);
}

/* ---- many at once ---- */

enum { WORKERS = 8, JOBS = 60 };

struct crowd {
    struct fixture f;
    struct sepx_eval_worker *worker[WORKERS];
    double value[JOBS];
};

static enum sepx_err
crowd_job(void *context, unsigned worker, size_t index)
{
    struct crowd *crowd = context;
    struct sepx_eval_output output = {0};
    struct sepx_eval_job job = {.graph = &crowd->f.graph,
                                .fidelity = 1,
                                .trial = (uint32_t)index,
                                .output = &output};
    struct sepx_score score;
    enum sepx_err err = SEPX_OK;

    if (!crowd->worker[worker])
        err = sepx_eval_worker_new(&crowd->worker[worker], crowd->f.eval, NULL);
    if (!err)
        err = sepx_eval_score(crowd->worker[worker], &score, &job);
    crowd->value[index] = err ? NAN : score.value;
    sepx_eval_output_release(&output);
    return err;
}

static void
test_workers_do_not_meet(void **state)
{
    struct crowd crowd = {0};

    (void)state;
    init(&crowd.f);
    assert_int_equal(
        try_open(&crowd.f, "shell:sleep 100 & test $((SEPX_TRIAL % 7)) = 3 && "
                           "kill -9 $$; test -s $SEPX_GRAPH && "
                           "echo $SEPX_TRIAL > $SEPX_CHECKPOINT/x && "
                           "cat $SEPX_CHECKPOINT/x"),
        SEPX_OK);
    assert_int_equal(sepx_parallel(WORKERS, JOBS, crowd_job, &crowd), SEPX_OK);
    for (size_t i = 0; i < JOBS; i++)
        CHECK(i % 7 == 3 ? isnan(crowd.value[i]) : crowd.value[i] == (double)i,
              "trial %zu: %g", i, crowd.value[i]);
    for (int i = 0; i < WORKERS; i++)
        sepx_eval_worker_free(crowd.worker[i]);
    finish(&crowd.f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_time_limit),
        cmocka_unit_test(test_grace),
        cmocka_unit_test(test_memory_limit),
        cmocka_unit_test(test_children_end_with_it),
        cmocka_unit_test(test_a_stop_is_heard),
        cmocka_unit_test(test_a_stopped_supervisor_ends),
        cmocka_unit_test(test_kill_9_leaves_nothing),
        cmocka_unit_test(test_a_lost_supervisor_is_replaced),
        cmocka_unit_test(test_workers_do_not_meet),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
