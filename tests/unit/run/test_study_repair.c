/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of damaged studies: what they keep, and that they can go on. */
#include "unit/check.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "run/private.h"
#include "unit/faults.h"
#include "unit/rounds.h"
#include "unit/study_log.h"

enum { TRIALS = 60 };

static const struct sepx_study_settings usual = {
    .space = "nb101",
    .method = "sep:population=10,tournament=3",
    .eval = "target:optimum",
    .seed = 3,
    .window = 8,
    .program = {.repeats = 1, .retries = 2, .retry_delay = 1, .grace = 5},
};

static void
run(struct fixture *f, const char *path, uint32_t evals)
{
    struct sepx_study_plan plan = {.evals = evals, .workers = 1};
    struct sepx_study *study;
    enum sepx_err err = sepx_study_open(&study, path, true, &f->msg);

    if (!err)
        err = sepx_study_run(study, &plan, &f->msg);
    CHECK(!err, "%s", f->msg.text);
    sepx_study_close(study);
}

/* The events that were left out and named. */
struct named {
    unsigned count;
    struct {
        int64_t event;
        char why[200];
    } at[8];
};

static void
note(void *context, const struct sepx_store_row *row, const char *why,
     bool sentence)
{
    struct named *named = context;

    (void)sentence;
    if (named->count < 8) {
        named->at[named->count].event = row->event;
        snprintf(named->at[named->count].why, sizeof named->at->why, "%s", why);
    }
    named->count++;
}

static enum sepx_err
copy_until(struct fixture *f, const char *path, struct named *named,
           const struct sepx_stop *stop, struct sepx_study_repair *repair)
{
    struct sepx_study *study;
    enum sepx_err err = sepx_study_open(&study, f->path, false, &f->msg);

    *named = (struct named){0};
    *repair = (struct sepx_study_repair){0};
    if (!err)
        err = sepx_study_copy_repaired(study, path, note, named, stop, repair,
                                       &f->msg);
    sepx_study_close(study);
    return err;
}

static enum sepx_err
copy_repaired(struct fixture *f, const char *path, struct named *named,
              struct sepx_study_repair *repair)
{
    const struct sepx_stop never = {0};

    return copy_until(f, path, named, &never, repair);
}

/* The fixture of a copy. */
static struct fixture
copy_of(const struct fixture *f)
{
    struct fixture copy = *f;

    snprintf(copy.path, sizeof copy.path, "%.70s/copy.study", f->folder);
    unlink(copy.path);
    return copy;
}

static void
verify_some(struct fixture *f, uint32_t *asked, uint32_t *told)
{
    struct sepx_study *study;
    enum sepx_err err = sepx_study_open(&study, f->path, false, &f->msg);

    if (!err)
        err = sepx_study_verify(study, asked, told, &f->msg);
    CHECK(!err, "%s", f->msg.text);
    sepx_study_close(study);
}

/* ---- damage ---- */

static void
run_in(sqlite3 *db, const char *sql)
{
    char *why = NULL;

    CHECK(sqlite3_exec(db, sql, NULL, NULL, &why) == SQLITE_OK, "%s: %s", sql,
          why ? why : "");
}

#define KEPT(table, name, what) \
    "CREATE TRIGGER " table "_" name " BEFORE " what " ON " table \
    "  BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;"

static void
damage(struct fixture *f, const char *sql)
{
    sqlite3 *db;

    assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
    run_in(db, "BEGIN; DROP TRIGGER asked_stays; DROP TRIGGER asked_is_kept;"
               "DROP TRIGGER told_stays; DROP TRIGGER told_is_kept;");
    run_in(db, sql);
    run_in(db,
           KEPT("asked", "stays", "UPDATE") KEPT("asked", "is_kept", "DELETE")
               KEPT("told", "stays", "UPDATE")
                   KEPT("told", "is_kept", "DELETE") "COMMIT;");
    sqlite3_close(db);
}

#define SUM "00112233445566778899aabbccddeeff"

/* %u is a trial. */
static const char *const faults[] = {
    "UPDATE told SET value = value + 1 WHERE trial = %u",
    "UPDATE told SET outcome = char(27) || 'x' WHERE trial = %u",
    "UPDATE told SET numbers = 'x' WHERE trial = %u",
    "UPDATE told SET sum = x'00' WHERE trial = %u",
    "UPDATE told SET sum = x'" SUM "' WHERE trial = %u",
    "UPDATE told SET event = -5 - trial WHERE trial = %u",
    "UPDATE told SET attempt = -1 WHERE trial = %u",
    "UPDATE asked SET graph = substr(graph, 1, 20) WHERE trial = %u",
    "UPDATE asked SET operator = 'a' || char(0) WHERE trial = %u",
    "UPDATE asked SET parent1 = 900 WHERE trial = %u",
    "DELETE FROM told WHERE trial = %u",
    "DELETE FROM asked WHERE trial = %u",
    "INSERT INTO told(trial, attempt, event, outcome, value, seconds,"
    "  finished, elapsed, sum) SELECT %u, 1, max(event) + 1, 'scored', 1, 1,"
    "  1, 1, x'" SUM "' FROM told",
    "INSERT INTO told(trial, attempt, event, outcome, value, seconds,"
    "  finished, elapsed, sum) SELECT 1000 + %u, 0, max(event) + 9, 'scored',"
    "  1, 1, 1, 1, x'' FROM told",
    "INSERT INTO told(trial, attempt, event, outcome, value, seconds,"
    "  finished, elapsed, sum) SELECT trial, 7, event, 'scored', 1, 1, 1, 1,"
    "  x'01' FROM asked WHERE trial = %u",
};

/*
 * Checksums reveal the damaged events, so only true ones are kept, and the
 * copy, resumed, becomes the study that was damaged.
 */
static void
test_a_repaired_copy_becomes_the_study_again(void **state)
{
    const unsigned count = sizeof faults / sizeof *faults;
    struct fixture *f = *state;

    begin(f, &usual);
    run(f, f->path, TRIALS);
    for (unsigned seed = 0; seed < rounds(4 * count); seed++) {
        struct sepx_text before = export(f), after;
        struct fixture copy = copy_of(f), damaged = *f;
        struct sepx_study_repair repair;
        struct named named;
        struct sepx_rng rng;
        uint32_t asked, told;
        char sql[400];

        snprintf(damaged.path, sizeof damaged.path, "%.70s/b.study", f->folder);
        unlink(damaged.path);
        snprintf(sql, sizeof sql, "cp %s %s", f->path, damaged.path);
        assert_int_equal(system(sql), 0);
        sepx_rng_init(&rng, 91, seed, 0, 0);
        for (unsigned i = 0; i <= seed / count; i++) {
            unsigned row = i ? sepx_rng_below(&rng, count) : seed % count;

            snprintf(sql, sizeof sql, faults[row],
                     (unsigned)sepx_rng_below(&rng, TRIALS));
            if (i && row >= 12) /* one event number each */
                continue;
            damage(&damaged, sql);
        }
        CHECK(!copy_repaired(&damaged, copy.path, &named, &repair),
              "seed %u, %s: %s", seed, sql, damaged.msg.text);
        verify_some(&copy, &asked, &told);
        assert_int_equal(asked, repair.trials);
        assert_int_equal(asked + told, repair.kept);
        CHECK(named.count + repair.later == repair.left_out,
              "seed %u: %u and %" PRId64 " of %" PRId64, seed, named.count,
              repair.later, repair.left_out);
        run(&copy, copy.path, TRIALS);
        verify(&copy, TRIALS);
        after = export(&copy);
        CHECK(!strcmp(before.at, after.at), "seed %u, %s", seed, sql);
        sepx_study_repair_release(&repair);
        sepx_text_release(&before);
        sepx_text_release(&after);
    }
}

/* Written by a program that knows how: the checksums are right. */
static void
test_events_that_do_not_follow_are_left_out(void **state)
{
    const struct sepx_asked asked = {TRIALS, "random", {-1, -1}, 1, -1, "{"};
    const struct sepx_told again = {
        .trial = 7, .attempt = 1, .outcome = "scored", .value = 1};
    const struct sepx_told told = {
        .trial = TRIALS, .outcome = "scored", .value = 1, .cached = -1};
    struct fixture *f = *state;
    struct fixture copy = copy_of(f);
    struct sepx_study_repair repair;
    struct sepx_store *store;
    struct named named;

    begin(f, &usual);
    run(f, f->path, TRIALS);
    assert_int_equal(sepx_store_open(&store, f->path, true, &f->msg), SEPX_OK);
    assert_int_equal(sepx_store_begin(store, &f->msg), SEPX_OK);
    assert_int_equal(sepx_store_tell(store, &again, &f->msg), SEPX_OK);
    assert_int_equal(sepx_store_retry(store, 9, &f->msg), SEPX_OK);
    assert_int_equal(sepx_store_ask(store, &asked, &f->msg), SEPX_OK);
    assert_int_equal(sepx_store_tell(store, &told, &f->msg), SEPX_OK);
    assert_int_equal(sepx_store_commit(store, &f->msg), SEPX_OK);
    sepx_store_close(store);
    CHECK(!copy_repaired(f, copy.path, &named, &repair), "%s", f->msg.text);
    assert_int_equal(named.count, 3);
    assert_int_equal(named.at[0].event, 2 * TRIALS + 1);
    CHECK(strstr(named.at[0].why, "not under way"), "%s", named.at[0].why);
    CHECK(strstr(named.at[1].why, "has not failed"), "%s", named.at[1].why);
    CHECK(strstr(named.at[2].why, "does not follow"), "%s", named.at[2].why);
    assert_int_equal(repair.left_out, 4);
    assert_int_equal(repair.later, 1);
    assert_int_equal(repair.trials, TRIALS);
    assert_int_equal(repair.n_lost, 0);
    sepx_study_repair_release(&repair);
    verify(&copy, TRIALS);
}

/* The last result of all is damaged: one trial is evaluated again. */
static void
test_a_trial_without_its_result_is_named(void **state)
{
    struct fixture *f = *state;
    struct fixture copy = copy_of(f);
    struct sepx_study_repair repair;
    struct sepx_store *store;
    struct named named;
    uint32_t asked, told;

    begin(f, &usual);
    run(f, f->path, TRIALS);
    damage(f, "UPDATE told SET value = 0 WHERE trial = 59");
    assert_int_equal(sepx_store_open(&store, f->path, false, &f->msg), SEPX_OK);
    assert_int_equal(sepx_store_copy(store, copy.path, &f->msg), SEPX_EDATA);
    CHECK(strstr(f->msg.text, "event 120, the result of trial 59, differs") &&
              strstr(f->msg.text, "--repair"),
          "%s", f->msg.text);
    sepx_store_close(store);
    CHECK(!copy_repaired(f, copy.path, &named, &repair), "%s", f->msg.text);
    assert_int_equal(repair.left_out, 1);
    assert_int_equal(repair.n_lost, 1);
    assert_int_equal(repair.lost[0], 59);
    sepx_study_repair_release(&repair);
    verify_some(&copy, &asked, &told);
    assert_int_equal(asked, TRIALS);
    assert_int_equal(told, TRIALS - 1);
}

static void
test_a_whole_study_is_copied(void **state)
{
    struct fixture *f = *state;
    struct fixture copy = copy_of(f);
    struct sepx_study_repair repair;
    struct named named;

    begin(f, &usual);
    run(f, f->path, TRIALS);
    CHECK(!copy_repaired(f, copy.path, &named, &repair), "%s", f->msg.text);
    assert_int_equal(repair.kept, 2 * TRIALS);
    assert_int_equal(repair.left_out, 0);
    verify(&copy, TRIALS);
}

static bool
count_down(void *left)
{
    return --*(int *)left < 0;
}

/* At any moment, and no file is left behind. */
static void
test_a_stop_leaves_no_copy(void **state)
{
    struct fixture *f = *state;
    struct fixture copy = copy_of(f);
    char command[160];

    begin(f, &usual);
    run(f, f->path, TRIALS);
    snprintf(command, sizeof command, "test $(ls %s | wc -l) = 1", f->folder);
    for (int polls = 0; polls < 120; polls += 10) {
        int left = polls;
        const struct sepx_stop stop = {count_down, &left};
        struct sepx_study_repair repair;
        struct named named;

        assert_int_equal(copy_until(f, copy.path, &named, &stop, &repair),
                         SEPX_ESTOPPED);
        sepx_study_repair_release(&repair);
        CHECK(system(command) == 0, "files left after %d polls", polls);
    }
}

static void
test_any_allocation_may_fail(void **state)
{
    struct fixture *f = *state;
    struct fixture copy = copy_of(f);

    begin(f, &usual);
    run(f, f->path, 12);
    damage(f, "UPDATE told SET value = 0 WHERE trial = 11");
    EACH_FAULT (fault) {
        struct sepx_study_repair repair;
        struct named named;

        unlink(copy.path);
        fault.err = copy_repaired(f, copy.path, &named, &repair);
        sepx_study_repair_release(&repair);
    }
    assert_int_equal(access(copy.path, F_OK), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_a_repaired_copy_becomes_the_study_again),
        TEST(test_events_that_do_not_follow_are_left_out),
        TEST(test_a_trial_without_its_result_is_named),
        TEST(test_a_whole_study_is_copied),
        TEST(test_a_stop_leaves_no_copy),
        TEST(test_any_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
