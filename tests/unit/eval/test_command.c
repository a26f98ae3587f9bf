/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs as evaluators, good and bad: what they are given, and the outcome
 * that docs/evaluators.md promises to each. test_supervisor.c has those that
 * will not end.
 */
#include "unit/command_fixture.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "unit/faults.h"

/* ---- answers ---- */

static void
test_answers(void **state)
{
    static const struct {
        const char *line;
        double value, test, cost;
        const char *answer;
    } cases[] = {
        {"echo 0.25", .25, .25, .5, "{\"score\":0.25}"},
        {"echo epoch 1; echo; echo ' -3e2 '; echo", -300, -300, .5, NULL},
        {"printf 7", 7, 7, .5, "{\"score\":7}"},
        {"echo '{\"score\": 1, \"test\": 2, \"cost\": 3, \"note\": \"a\"}'", 1,
         2, 3, "{\"score\":1,\"test\":2,\"cost\":3,\"note\":\"a\"}"},
        {"echo 9; echo '{\"score\": 1}'", 1, 1, .5, "{\"score\":1}"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fixture f;

        init(&f);
        f.job.fidelity = 0.5;
        expect(&f, cases[i].line, SEPX_SCORED, cases[i].answer);
        CHECK_NEAR(f.score.value, cases[i].value, 0);
        CHECK_NEAR(f.score.test, cases[i].test, 0);
        CHECK_NEAR(f.score.cost, cases[i].cost, 0);
        assert_int_equal(sepx_eval_measure(f.eval), SEPX_MEASURE_SCORE);
        finish(&f);
    }
}

/* The score counts whatever is beside it. */
static void
test_numbers_that_json_lacks_are_left_out(void **state)
{
    static const struct {
        const char *said, *answer, *errors;
    } cases[] = {
        {"{\"score\": 2, \"loss\": NaN}", "{\"score\":2,\"loss\":null}",
         "left out: loss (NaN)"},
        {"{\"a\": -Infinity, \"score\": 2, \"b\": [1, -nan, nan], \"c\": inf}",
         "{\"a\":null,\"score\":2,\"b\":[1,null,null],\"c\":null}",
         "left out: a (-Infinity), b (-nan), c (inf)"},
        {"{\"score\": 2, \"b\": {\"deep\": [NaN]}, \"NaN\": \"NaN: {NaN\"}",
         "{\"score\":2,\"b\":{\"deep\":[null]},\"NaN\":\"NaN: {NaN\"}",
         "left out: b (NaN)"},
        {"{\"score\": 2, \"test\": NaN, \"cost\": Infinity}",
         "{\"score\":2,\"test\":null,\"cost\":null}",
         "left out: test (NaN), cost (Infinity)"},
        {"{\"score\": 2, \"test\": \"none\", \"cost\": null}",
         "{\"score\":2,\"test\":\"none\",\"cost\":null}",
         "left out: test (a string)"},
        {"{\"score\": 2e0, \"a\": [1e999, -1e999], \"b\": 1e-999, \"c\": "
         "123456789012345678901234567890, \"d\": -9223372036854775809}",
         "{\"score\":2.0,\"a\":[null,null],\"b\":0.0,"
         "\"c\":1.2345678901234568e+29,\"d\":-9.223372036854776e+18}",
         "left out: a (too large)"},
        {"{\"score\": 2, \"a\": \"x\\u0000\", \"b\": [\"\\uD83d.\", "
         "\"\\ud83d\\ude00\"], \"c\": {\"d\": \"\\udc80\"}}",
         "{\"score\":2,\"a\":null,\"b\":[null,\"\U0001f600\"],"
         "\"c\":{\"d\":null}}",
         "left out: a (NUL or surrogate), b (NUL or surrogate), c (NUL or "
         "surrogate)"},
        {"{\"score\": 2, \"x\": {\"y\": [1, null, true]}}",
         "{\"score\":2,\"x\":{\"y\":[1,null,true]}}", NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fixture f;
        char line[200];

        init(&f);
        snprintf(line, sizeof line, "shell:echo '%s'", cases[i].said);
        run(&f, line);
        assert_int_equal(f.score.outcome, SEPX_SCORED);
        assert_string_equal(f.output.answer, cases[i].answer);
        if (cases[i].errors)
            assert_string_equal(f.output.errors, cases[i].errors);
        else
            assert_null(f.output.errors);
        CHECK(f.score.value == 2 && f.score.test == 2 && f.score.cost == 1,
              "%g %g %g", f.score.value, f.score.test, f.score.cost);
        finish(&f);
    }
}

static void
test_steps_count_beside_numbers_that_json_lacks(void **state)
{
    struct sepx_eval_steps steps = {0};
    struct fixture f;

    (void)state;
    init(&f);
    f.job.steps = &steps;
    expect(&f,
           "echo '{\"step\": 1, \"score\": 5, \"rate\": NaN}'; "
           "echo '{\"step\": 2, \"score\": NaN}'; echo 3",
           SEPX_SCORED, NULL);
    assert_int_equal(steps.count, 1);
    CHECK(steps.at[0].step == 1 && steps.at[0].value == 5, "%g",
          steps.at[0].value);
    sepx_eval_steps_release(&steps);
    finish(&f);
}

static void
test_nonsense_is_a_failure(void **state)
{
    (void)state;
    expect_default("true", SEPX_FAILED, "no answer; print a number");
    expect_default("echo hello", SEPX_FAILED, "'hello' is no number");
    expect_default("echo 1 2", SEPX_FAILED, "'1 2' is no number");
    expect_default("echo nan", SEPX_FAILED, "the score is nan");
    expect_default("echo -inf", SEPX_FAILED, "the score is -inf");
    expect_default("echo 1e999", SEPX_FAILED, "the score is 1e999");
    expect_default("printf '1\\0002'", SEPX_FAILED, "no number");
    expect_default("echo '{\"score\": NaN}'", SEPX_FAILED,
                   "\"score\" of the answer is null, NaN or infinite");
    expect_default("echo '{\"score\": -1e999}'", SEPX_FAILED,
                   "\"score\" of the answer is null, NaN or infinite");
    expect_default("echo '{\"score\": 1, \"loss\": 1e999'", SEPX_FAILED,
                   "no JSON");
    expect_default("echo '{\"score\": null}'", SEPX_FAILED,
                   "\"score\" of the answer is null; a number");
    expect_default("echo '{\"score\": 1, \"loss\": NaN, \"x\": nonsense}'",
                   SEPX_FAILED, "no JSON");
    expect_default("echo '{\"score\": 1'", SEPX_FAILED, "no JSON");
    expect_default("echo '{\"score\": \"1\"}'", SEPX_FAILED,
                   "\"score\" of the answer is a string");
    expect_default("echo '{\"test\": 1}'", SEPX_FAILED, "no \"score\"");
    expect_default("echo '[1]'", SEPX_FAILED, "no number");
    expect_default("head -c 3000 /dev/urandom", SEPX_FAILED, NULL);
    /* The start of the line is no longer there to be read. */
    expect_default("head -c 3000000 /dev/zero | tr '\\0' 1", SEPX_FAILED,
                   "too long");
}

static void
test_larger_is_better_if_asked_for(void **state)
{
    struct fixture f;

    (void)state;
    init(&f);
    f.settings.maximize = true;
    expect(&f, "echo '{\"score\": 0.75, \"test\": 0.5}'", SEPX_SCORED,
           "{\"score\":0.75,\"test\":0.5}");
    CHECK_NEAR(f.score.value, -0.75, 0);
    CHECK_NEAR(f.score.test, -0.5, 0);
    assert_true(sepx_eval_maximized(f.eval));
    finish(&f);
}

static void
test_repeats_give_the_mean(void **state)
{
    struct fixture f;

    (void)state;
    init(&f);
    f.settings.repeats = 4;
    expect(&f, "echo $SEPX_REPEAT", SEPX_SCORED, NULL);
    CHECK_NEAR(f.score.value, 1.5, 1e-12);
    CHECK_NEAR(f.score.cost, 4, 0);
    finish(&f);
    init(&f);
    f.settings.repeats = 4;
    expect(&f, "test $SEPX_REPEAT != 2 || exit 65; echo 1", SEPX_UNFIT, NULL);
    finish(&f);
}

/* ---- what a program is given ---- */

static void
test_the_environment(void **state)
{
    struct fixture f;

    (void)state;
    setenv("SEPX_TRIAL", "stale", 1);
    setenv("CUDA_VISIBLE_DEVICES", "7", 1);
    init(&f);
    f.job.run = f.job.place = 2;
    f.job.trial = 41;
    f.job.fidelity = 0.1;
    f.job.slot = "gpu:0+1";
    expect(&f,
           "test $SEPX_RUN = 2 && test $SEPX_TRIAL = 41 && "
           "test $SEPX_FIDELITY = 0.1 && test $SEPX_SLOT = gpu:0+1 && "
           "test $CUDA_VISIBLE_DEVICES = 0,1 && test $SEPX_SEED -ge 0 && "
           "test $SEPX_SEED -lt 2147483648 && test -d $SEPX_CHECKPOINT && "
           "cmp - $SEPX_GRAPH && grep -q '\"nodes\"' $SEPX_GRAPH && "
           "touch $SEPX_CHECKPOINT/x && echo 1",
           SEPX_SCORED, NULL);
    finish(&f);
    init(&f);
    expect(&f, "test $CUDA_VISIBLE_DEVICES = 7 && test -z $SEPX_SLOT && echo 1",
           SEPX_SCORED, NULL);
    finish(&f);
    unsetenv("SEPX_TRIAL");
    unsetenv("CUDA_VISIBLE_DEVICES");
}

static void
test_seeds_belong_to_trials(void **state)
{
    struct fixture f;
    double seed[3];

    (void)state;
    init(&f);
    assert_int_equal(try_open(&f, "shell:echo $SEPX_SEED"), SEPX_OK);
    for (int i = 0; i < 3; i++) {
        f.job.trial = (uint32_t)i / 2;
        sepx_eval_output_release(&f.output);
        assert_int_equal(sepx_eval_score(f.worker, &f.score, &f.job), SEPX_OK);
        seed[i] = f.score.value;
    }
    CHECK(seed[0] == seed[1] && seed[1] != seed[2], "%g %g %g", seed[0],
          seed[1], seed[2]);
    finish(&f);
}

static void
test_checkpoints_last(void **state)
{
    char folder[] = "/tmp/sepx-test-XXXXXX", base[64], file[160];
    struct fixture f;

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(base, sizeof base, "%s/a/b", folder);
    for (int round = 0; round < 2; round++) {
        init(&f);
        f.settings.checkpoints = base;
        f.job.trial = 3;
        expect(&f, "cd $SEPX_CHECKPOINT; echo >> x; grep -c '' x", SEPX_SCORED,
               NULL);
        CHECK_NEAR(f.score.value, round + 1, 0);
        finish(&f);
    }
    init(&f);
    f.settings.checkpoints = base;
    f.job.trial = 4;
    expect(&f, "echo 1", SEPX_SCORED, NULL);
    finish(&f);
    snprintf(file, sizeof file, "%s/trial-000004", base);
    CHECK(access(file, F_OK) != 0, "%s is empty, but there", file);
    snprintf(file, sizeof file, "%s/trial-000003/x", base);
    assert_int_equal(remove(file), 0);
    snprintf(file, sizeof file, "rm -r %s", folder);
    assert_int_equal(system(file), 0);
}

/* No descriptor but the three, whatever we and other workers have open. */
static void
test_descriptors_do_not_leak(void **state)
{
    struct fixture f, other;
    int mine = open("/dev/null", O_RDONLY);

    (void)state;
    init(&other);
    CHECK(try_open(&other, "shell:echo 1") == SEPX_OK, "%s", other.msg.text);
    init(&f);
    CHECK(try_open(&f, "shell:ls -l /proc/self/fd >&2; exit 1") == SEPX_OK,
          "%s", f.msg.text);
    assert_int_equal(sepx_eval_score(f.worker, &f.score, &f.job), SEPX_OK);
    for (int fd = 4; fd < 20; fd++) {
        char line[16];

        snprintf(line, sizeof line, " %d ->", fd);
        CHECK(!strstr(f.output.errors, line), "%s", f.output.errors);
    }
    close_all(&other);
    finish(&f);
    close(mine);
}

static void
test_words_of_a_command(void **state)
{
    struct fixture f;

    (void)state;
    init(&f);
    run(&f, "command:  sh -c 'test \"$1\" = \"a b\" && "
            "test \"$2\" = \"$(printf \"\\044x\")\" && test $# = 3 && echo 5' "
            "sh \"a b\" \\$x ''");
    CHECK(f.score.value == 5, "%s", f.output.errors);
    finish(&f);
}

static void
test_messages(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"command:", "a program is missing; write command:PROGRAM ARG..."},
        {"command: ", "a program is missing; write command:PROGRAM ARG..."},
        {"shell: ", "a command line is missing; write shell:LINE"},
        {"command:a 'b", "a ' is not closed"},
        {"command:/no/such/program", "/no/such/program: no such program; check "
                                     "the path"},
        {"command:no-such-program",
         "no-such-program: no such program in $PATH; write ./no-such-program "
         "for one in this folder"},
        {"command:/etc/passwd", "/etc/passwd: this file cannot be run; chmod "
                                "+x it"},
        {"command:/tmp", "/tmp: this file cannot be run; chmod +x it"},
        {"command:python3 /no/such/file -x",
         "/no/such/file: no such file for python3 to run; check the path"},
        {"shell: /usr/bin/python3 -uB  /no/such/file",
         "/no/such/file: no such file for /usr/bin/python3 to run; check the "
         "path"},
        {"command:sh -e no-such-script",
         "no-such-script: no such file for sh to run; check the path"},
    };
    static const char *const fine[] = {
        "command:python3 /etc/passwd",
        "command:python3",
        "command:python3 -",
        "command:python3 -u",
        "command:python3 -m /no/such",
        "command:python3 -c /no/such",
        "command:python3 -W i /no/x",
        "shell:python3 /no/such || echo 1",
        "shell:cd / && python3 no/such",
        "shell:X=1 python3 /no/such",
        "shell:python3 /no/such.*",
        "command:sh true",
        "command:sh -c /no/such/file",
        "command:bash /no/such/file",
    };
    struct fixture f;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        init(&f);
        assert_int_equal(try_open(&f, cases[i].text),
                         strstr(cases[i].message, "no such ") ? SEPX_ENOINPUT
                                                              : SEPX_EINVAL);
        assert_string_equal(f.msg.text, cases[i].message);
        close_all(&f);
    }
    for (size_t i = 0; i < sizeof fine / sizeof fine[0]; i++) {
        init(&f);
        CHECK(try_open(&f, fine[i]) == SEPX_OK, "%s: %s", fine[i], f.msg.text);
        close_all(&f);
    }
    init(&f);
    f.settings.time_limit = 1;
    assert_int_equal(try_open(&f, "target:optimum"), SEPX_EINVAL);
    assert_non_null(strstr(f.msg.text, "starts no program"));
    close_all(&f);
    init(&f);
    f.settings.grace = -1;
    assert_int_equal(try_open(&f, "command:true"), SEPX_EINVAL);
    close_all(&f);
    init(&f);
    f.settings.checkpoints = "/proc/no/such";
    assert_int_equal(try_open(&f, "command:true"), SEPX_EIO);
    close_all(&f);
}

/* ---- endings ---- */

static void
test_exit_codes(void **state)
{
    (void)state;
    for (int code = 1; code < 256; code += code < 130 ? 1 : 25) {
        char line[64], said[32];

        if (code == 65 || code == 75)
            continue;
        snprintf(line, sizeof line, "echo 1; echo broken >&2; exit %d", code);
        snprintf(said, sizeof said, "exit status %d\nbroken", code);
        expect_default(line, SEPX_FAILED, said);
    }
    expect_default("echo 1; exit 65", SEPX_UNFIT, "unfit");
    expect_default("echo 1; exit 75", SEPX_POSTPONED, "not now");
}

static void
test_crashes(void **state)
{
    (void)state;
    expect_default("echo 1; kill -SEGV $$", SEPX_FAILED,
                   "signal 11 (segmentation fault)");
    expect_default("echo 1; kill -KILL $$", SEPX_FAILED, "signal 9 (kill");
    expect_default("kill -TERM $$", SEPX_FAILED, "signal 15");
}

/* The times that a program was started, counted in the checkpoints. */
static void
expect_tries(const char *line, enum sepx_outcome outcome, int tries)
{
    char text[256], folder[] = "/tmp/sepx-test-XXXXXX";
    struct fixture f;

    assert_non_null(mkdtemp(folder));
    init(&f);
    f.settings.retries = 2;
    f.settings.retry_delay = 0.01;
    snprintf(text, sizeof text,
             "echo $SEPX_ATTEMPT >> %s/x; n=$(grep -c '' %s/x); %s", folder,
             folder, line);
    expect(&f, text, outcome, NULL);
    finish(&f);
    snprintf(text, sizeof text,
             "n=$(cat %s/x | tr -d '\\n'); rm -r %s; "
             "test $n = %.*s",
             folder, folder, tries, "012");
    CHECK(system(text) == 0, "%s: not %d tries", line, tries);
}

static void
test_retries(void **state)
{
    (void)state;
    expect_tries("exit 75", SEPX_POSTPONED, 3);
    expect_tries("test $n = 2 && echo 1 && exit; exit 75", SEPX_SCORED, 2);
    expect_tries("test $n = 3 && echo 1 && exit; kill -9 $$", SEPX_SCORED, 3);
    expect_tries("exit 1", SEPX_FAILED, 3);
    expect_tries("exit 126", SEPX_FAILED, 1);
    expect_tries("exit 127", SEPX_FAILED, 1);
    expect_tries("test $n = 2 && exit 127; exit 1", SEPX_FAILED, 2);
    expect_tries("exit 65", SEPX_UNFIT, 1);
    expect_tries("echo nonsense", SEPX_FAILED, 1);
    expect_tries("echo 1", SEPX_SCORED, 1);
}

static void
test_a_program_that_cannot_be_started_is_marked(void **state)
{
    static const struct {
        const char *line;
        enum sepx_outcome outcome;
        bool unstarted;
    } cases[] = {
        {"no-such-program", SEPX_FAILED, true},
        {"/etc/passwd", SEPX_FAILED, true},
        {"cd / && python3 -W ignore absent.py", SEPX_FAILED, true},
        {"python3 absent.py; echo more >&2; exit 2", SEPX_FAILED, false},
        {"python3 absent.py; exit 1", SEPX_FAILED, false},
        {"python3 -c 'exit(2)'", SEPX_FAILED, false},
        {"exit 125", SEPX_FAILED, false},
        {"exit 128", SEPX_FAILED, false},
        {"kill -9 $$", SEPX_FAILED, false},
        {"no-such-program; exit 65", SEPX_UNFIT, false},
        {"no-such-program; echo 1", SEPX_SCORED, false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fixture f;

        init(&f);
        expect(&f, cases[i].line, cases[i].outcome, NULL);
        CHECK(f.output.unstarted == cases[i].unstarted, "%s", cases[i].line);
        finish(&f);
    }
}

static void
test_floods(void **state)
{
    (void)state;
    expect_default("head -c 100000000 /dev/zero; echo; echo 1", SEPX_FAILED,
                   "printed more than 16 MiB");
    expect_default("yes", SEPX_FAILED, "printed more than 16 MiB");
    expect_default("head -c 100000000 /dev/zero >&2; echo 1", SEPX_SCORED,
                   NULL);
    expect_default("yes warning | head -c 20000000 >&2; echo last >&2; exit 3",
                   SEPX_FAILED, "warning\nlast\n");
    expect_default("yes 1 | head -c 8000000", SEPX_SCORED, NULL);
}

static void
test_errors_are_cut(void **state)
{
    struct fixture f;

    (void)state;
    init(&f);
    expect(&f, "seq 100 >&2; exit 1", SEPX_FAILED, "\n99\n100\n");
    assert_null(strstr(f.output.errors, "\n80\n"));
    assert_non_null(strstr(f.output.errors, "\n81\n"));
    finish(&f);
    init(&f);
    expect(&f, "head -c 1000000 /dev/zero | tr '\\0' x >&2; exit 1",
           SEPX_FAILED, "xxx");
    CHECK(strlen(f.output.errors) < 9000, "%zu", strlen(f.output.errors));
    finish(&f);
}

static void
test_closed_streams(void **state)
{
    (void)state;
    expect_default("exec <&-; echo 1", SEPX_SCORED, NULL);
    expect_default("exec >&-; echo 1", SEPX_FAILED, NULL);
    expect_default("exec 2>&-; echo 1", SEPX_SCORED, NULL);
}

/* A program that goes, or is none, after the evaluator was opened. */
static void
test_programs_that_change(void **state)
{
    static const char *const contents[] = {"#!/bin/sh\necho 1\n", "echo 1\n",
                                           "#!/no/such/shell\n", NULL};
    static const char *const said[] = {NULL, "a script begins with #!",
                                       "cannot be started", "No such file"};
    char path[] = "/tmp/sepx-test-XXXXXX", text[64];
    struct fixture f;
    int fd = mkstemp(path);

    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(fchmod(fd, 0755), 0);
    close(fd);
    init(&f);
    f.settings.retries = 5;
    f.settings.retry_delay = 1000;
    snprintf(text, sizeof text, "command:%s", path);
    CHECK(try_open(&f, text) == SEPX_OK, "%s", f.msg.text);
    for (int i = 0; i < 4; i++) {
        if (contents[i])
            assert_int_equal(
                sepx_file_write(path, contents[i], strlen(contents[i]), NULL),
                SEPX_OK);
        else
            assert_int_equal(unlink(path), 0);
        assert_int_equal(sepx_eval_score(f.worker, &f.score, &f.job), SEPX_OK);
        assert_int_equal(f.score.outcome, i ? SEPX_FAILED : SEPX_SCORED);
        assert_int_equal(f.output.unstarted, i > 0);
        CHECK(!i || strstr(f.output.errors, said[i]), "%s", f.output.errors);
        sepx_eval_output_release(&f.output);
    }
    finish(&f);
}

/* A program that harms the folder that it is given harms itself only. */
static void
test_a_spoilt_folder_is_mended(void **state)
{
    static const char *const lines[] = {
        "rm -rf $(dirname $SEPX_GRAPH)",
        "rm -rf $SEPX_CHECKPOINT; touch $SEPX_CHECKPOINT; rm $SEPX_CHECKPOINT",
        "rm $SEPX_GRAPH; mkdir $SEPX_GRAPH; touch $SEPX_GRAPH/x",
        "chmod 0 $SEPX_GRAPH; chmod 0 $(dirname $SEPX_GRAPH)",
    };

    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct fixture f;

        init(&f);
        expect(&f, lines[i], SEPX_FAILED, "no answer");
        assert_int_equal(sepx_eval_score(f.worker, &f.score, &f.job), SEPX_OK);
        assert_int_equal(f.score.outcome, SEPX_FAILED);
        assert_non_null(strstr(f.output.errors, "no answer"));
        finish(&f);
    }
}

/* ---- memory ---- */

static void
test_every_allocation_may_fail(void **state)
{
    (void)state;
    EACH_FAULT (fault) {
        struct fixture f;

        init(&f);
        f.settings.checkpoints = "/tmp";
        fault.err = try_open(&f, "command:sh -c 'echo "
                                 "{\\\"score\\\":1,\\\"loss\\\":NaN}; "
                                 "echo 2 >&2; test $SEPX_TRIAL = 0'");
        if (!fault.err)
            fault.err = sepx_eval_score(f.worker, &f.score, &f.job);
        f.job.trial = 1;
        if (!fault.err)
            fault.err = sepx_eval_score(f.worker, &f.score, &f.job);
        close_all(&f);
    }
    assert_int_equal(processes(), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers),
        cmocka_unit_test(test_numbers_that_json_lacks_are_left_out),
        cmocka_unit_test(test_steps_count_beside_numbers_that_json_lacks),
        cmocka_unit_test(test_nonsense_is_a_failure),
        cmocka_unit_test(test_larger_is_better_if_asked_for),
        cmocka_unit_test(test_repeats_give_the_mean),
        cmocka_unit_test(test_the_environment),
        cmocka_unit_test(test_seeds_belong_to_trials),
        cmocka_unit_test(test_checkpoints_last),
        cmocka_unit_test(test_descriptors_do_not_leak),
        cmocka_unit_test(test_words_of_a_command),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_exit_codes),
        cmocka_unit_test(test_crashes),
        cmocka_unit_test(test_retries),
        cmocka_unit_test(test_a_program_that_cannot_be_started_is_marked),
        cmocka_unit_test(test_floods),
        cmocka_unit_test(test_errors_are_cut),
        cmocka_unit_test(test_closed_streams),
        cmocka_unit_test(test_programs_that_change),
        cmocka_unit_test(test_a_spoilt_folder_is_mended),
        cmocka_unit_test(test_every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
