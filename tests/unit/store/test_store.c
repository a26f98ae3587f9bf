/* SPDX-License-Identifier: Apache-2.0 */
/* The log: what is committed stays, what is no study is refused. */
#include "unit/check.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sqlite3.h>

#include "unit/faults.h"
#include "store/internal.h"
#include "unit/study_fixture.h"

static struct sepx_store *
open_study(struct fixture *f, bool write)
{
    struct sepx_store *store;
    enum sepx_err err = sepx_store_open(&store, f->path, write, &f->msg);

    CHECK(!err, "%s", f->msg.text);
    return store;
}

static void
create(struct fixture *f)
{
    enum sepx_err err = sepx_store_create(f->path, "{\"a\":1}", NULL, &f->msg);

    CHECK(!err, "%s", f->msg.text);
}

static enum sepx_err
ask(struct sepx_store *store, uint32_t trial, struct sepx_msg *msg)
{
    struct sepx_asked asked = {trial, "mutation", {trial ? 0 : -1, -1},
                               0.5,   -1,         "{\"nodes\":[]}"};

    return sepx_store_ask(store, &asked, msg);
}

static enum sepx_err
tell_attempt(struct sepx_store *store, uint32_t trial, uint32_t attempt,
             double value, struct sepx_msg *msg)
{
    struct sepx_told told = {.trial = trial,
                             .attempt = attempt,
                             .outcome = isnan(value) ? "failed" : "scored",
                             .value = value,
                             .test = NAN,
                             .cost = 1,
                             .cached = -1,
                             .errors = isnan(value) ? "no" : NULL,
                             .numbers = trial % 4 == 1 ? "[1,2.5]" : NULL,
                             .steps = trial % 4 > 1 ? "[[1,0.5]]" : NULL,
                             .seconds = 0.25};

    return sepx_store_tell(store, &told, msg);
}

static enum sepx_err
tell(struct sepx_store *store, uint32_t trial, double value,
     struct sepx_msg *msg)
{
    return tell_attempt(store, trial, 0, value, msg);
}

static void
append(struct fixture *f, struct sepx_store *store, uint32_t from, uint32_t to)
{
    assert_int_equal(sepx_store_begin(store, &f->msg), SEPX_OK);
    for (uint32_t i = from; i < to; i++)
        assert_int_equal(ask(store, i, &f->msg), SEPX_OK);
    for (uint32_t i = to; i-- > from;)
        assert_int_equal(
            tell(store, i, i % 3 ? (double)i : (double)NAN, &f->msg), SEPX_OK);
    assert_int_equal(sepx_store_commit(store, &f->msg), SEPX_OK);
}

/* All entries of an order: how many, their trials to out[], and a hash. */
static struct sepx__hash
walk(struct fixture *f, struct sepx_store *store, enum sepx_store_order order,
     uint32_t first, uint32_t *count, uint32_t *out)
{
    struct sepx__hash sum = {0};
    struct sepx_cursor *cursor;
    struct sepx_entry entry;
    bool more = true;

    *count = 0;
    assert_int_equal(sepx_store_read(store, &cursor, order, first, &f->msg),
                     SEPX_OK);
    for (;;) {
        enum sepx_err err = sepx_cursor_next(cursor, &entry, &more, &f->msg);

        CHECK(!err, "%s", f->msg.text);
        if (!more)
            break;
        sepx__sum_add(&sum, 0, &entry);
        out[(*count)++] = entry.is_asked  ? entry.asked.trial
                          : entry.is_told ? entry.told.trial
                                          : entry.retried;
    }
    sepx_cursor_free(cursor);
    return sum;
}

static uint32_t
trials(struct fixture *f, struct sepx_store *store, enum sepx_store_order order,
       uint32_t first, uint32_t *out)
{
    uint32_t count;

    (void)walk(f, store, order, first, &count, out);
    return count;
}

static void
test_what_is_committed_is_read_again(void **state)
{
    struct fixture *f = *state;
    struct sepx_store *store;
    struct sepx_cursor *cursor;
    struct sepx_entry entry;
    uint32_t seen[64];
    bool more;

    create(f);
    store = open_study(f, true);
    assert_string_equal(sepx_store_settings(store), "{\"a\":1}");
    assert_null(sepx_store_options(store));
    assert_int_equal(sepx_store_session(store, "{\"b\":2}", &f->msg), SEPX_OK);
    append(f, store, 0, 5);
    assert_int_equal(sepx_store_begin(store, &f->msg), SEPX_OK);
    assert_int_equal(ask(store, 5, &f->msg), SEPX_OK);
    sepx_store_close(store); /* not committed */

    store = open_study(f, false);
    assert_string_equal(sepx_store_options(store), "{\"b\":2}");
    assert_int_equal(sepx_store_writer(store), -1);
    assert_int_equal(trials(f, store, SEPX_STORE_LOG, 0, seen), 10);
    assert_int_equal(seen[4], 4);
    assert_int_equal(seen[5], 4);
    assert_int_equal(seen[9], 0);
    assert_int_equal(trials(f, store, SEPX_STORE_TRIALS, 3, seen), 2);
    assert_int_equal(trials(f, store, SEPX_STORE_BEST, 0, seen), 3);
    assert_int_equal(seen[0], 1);
    assert_int_equal(seen[2], 4);
    assert_int_equal(
        sepx_store_read(store, &cursor, SEPX_STORE_TRIALS, 3, &f->msg),
        SEPX_OK);
    assert_int_equal(sepx_cursor_next(cursor, &entry, &more, &f->msg), SEPX_OK);
    assert_true(entry.is_asked && entry.is_told);
    assert_string_equal(entry.asked.op, "mutation");
    assert_int_equal(entry.asked.parent[0], 0);
    assert_int_equal(entry.asked.parent[1], -1);
    assert_int_equal(entry.asked.same, -1);
    assert_true(isnan(entry.told.value));
    assert_string_equal(entry.told.outcome, "failed");
    assert_string_equal(entry.told.errors, "no");
    assert_null(entry.told.answer);
    assert_true(entry.told.seconds == 0.25);
    sepx_cursor_free(cursor);
    assert_int_equal(sepx_store_check(store, &f->msg), SEPX_OK);
    sepx_store_close(store);
}

static void
test_a_name_that_is_taken_is_refused(void **state)
{
    struct fixture *f = *state;

    create(f);
    assert_int_equal(sepx_store_create(f->path, "{}", "{}", &f->msg),
                     SEPX_EINVAL);
    CHECK(strstr(f->msg.text, "sepx study run"), "%s", f->msg.text);
    snprintf(f->path, sizeof f->path, "%s/none/a", f->folder);
    assert_int_equal(sepx_store_create(f->path, "{}", "{}", &f->msg), SEPX_EIO);
    snprintf(f->path, sizeof f->path, "%s/none", f->folder);
    struct sepx_store *store;
    assert_int_equal(sepx_store_open(&store, f->path, false, &f->msg),
                     SEPX_ENOINPUT);
    CHECK(strstr(f->msg.text, "no such study"), "%s", f->msg.text);
}

/* The study may be there, so a beginning of another is no remedy. */
static void
test_a_path_that_cannot_be_followed_is_named(void **state)
{
    struct fixture *f = *state;
    struct sepx_store *store;

    snprintf(f->path, sizeof f->path, "%s/a.study", f->folder);
    assert_int_equal(symlink(f->path, f->path), 0);
    assert_int_equal(sepx_store_open(&store, f->path, false, &f->msg),
                     SEPX_ENOINPUT);
    CHECK(strstr(f->msg.text, "a.study: cannot open: "), "%s", f->msg.text);
    assert_int_equal(unlink(f->path), 0);
    assert_int_equal(symlink("nowhere", f->path), 0);
    assert_int_equal(sepx_store_open(&store, f->path, false, &f->msg),
                     SEPX_ENOINPUT);
    CHECK(strstr(f->msg.text, "no such study"), "%s", f->msg.text);
    CHECK(!strstr(f->msg.text, "did you mean"), "%s", f->msg.text);
    assert_int_equal(unlink(f->path), 0);
}

/* A writer without a session, and one behind a session that is over. */
static void
test_no_wrong_process_is_named(void **state)
{
    struct fixture *f = *state;
    struct sepx_store *first, *second;
    int status;
    pid_t pid;

    create(f);
    for (int i = 0; i < 2; i++) {
        first = open_study(f, true);
        assert_int_equal(sepx_store_open(&second, f->path, true, &f->msg),
                         SEPX_EBUSY);
        CHECK(strstr(f->msg.text, "another process runs this study"), "%s",
              f->msg.text);
        sepx_store_close(first);
        pid = fork();
        if (!pid) {
            first = open_study(f, true);
            status = sepx_store_session(first, "{}", &f->msg);
            sepx_store_close(first);
            _exit(status);
        }
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_int_equal(status, 0);
    }
}

static void
test_a_fork_does_not_keep_the_lock(void **state)
{
    struct fixture *f = *state;
    struct sepx_store *store;
    int status, end[2];
    char byte;
    pid_t pid;

    create(f);
    assert_int_equal(pipe(end), 0);
    store = open_study(f, true);
    pid = fork();
    if (!pid) {
        (void)close(end[1]);
        _exit((int)read(end[0], &byte, 1)); /* until the parent closes it */
    }
    sepx_store_close(store);
    store = open_study(f, true);
    sepx_store_close(store);
    (void)close(end[1]);
    (void)close(end[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

static void
test_one_writes_others_read(void **state)
{
    struct fixture *f = *state;
    struct sepx_store *first, *second, *reader;
    uint32_t seen[64];

    create(f);
    first = open_study(f, true);
    assert_int_equal(sepx_store_session(first, "{}", &f->msg), SEPX_OK);
    assert_int_equal(sepx_store_open(&second, f->path, true, &f->msg),
                     SEPX_EBUSY);
    assert_null(second);
    CHECK(strstr(f->msg.text, "runs this study"), "%s", f->msg.text);
    reader = open_study(f, false);
    assert_int_equal(sepx_store_writer(reader), getpid());
    append(f, first, 0, 5);
    assert_int_equal(trials(f, reader, SEPX_STORE_TRIALS, 0, seen), 5);
    sepx_store_close(first);
    second = open_study(f, true);
    append(f, second, 5, 7);
    assert_int_equal(trials(f, reader, SEPX_STORE_LOG, 0, seen), 14);
    sepx_store_close(second);
    sepx_store_close(reader);
}

static void
test_a_trial_is_told_once(void **state)
{
    struct fixture *f = *state;
    struct sepx_store *store;
    uint32_t seen[64];

    create(f);
    store = open_study(f, true);
    append(f, store, 0, 3);
    assert_int_equal(sepx_store_begin(store, &f->msg), SEPX_OK);
    assert_int_equal(ask(store, 3, &f->msg), SEPX_OK);
    assert_int_equal(tell(store, 1, 7, &f->msg), SEPX_EDATA);
    assert_int_equal(trials(f, store, SEPX_STORE_TRIALS, 0, seen), 3);
    assert_int_equal(sepx_store_begin(store, &f->msg), SEPX_OK);
    assert_int_equal(tell(store, 9, 7, &f->msg), SEPX_EDATA); /* not asked */
    sepx_store_close(store);
}

static void
run_sql(struct fixture *f, const char *sql, int expected)
{
    sqlite3 *db;
    int code;

    assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
    code = sqlite3_exec(db, sql, NULL, NULL, NULL);
    CHECK(code == expected, "%s: %d %s", sql, code, sqlite3_errmsg(db));
    sqlite3_close(db);
}

static void
refused(struct fixture *f, const char *why)
{
    struct sepx_store *store;

    for (int write = 0; write < 2; write++) {
        f->msg.text[0] = '\0';
        assert_int_equal(sepx_store_open(&store, f->path, write, &f->msg),
                         SEPX_EDATA);
        CHECK(strstr(f->msg.text, why), "%s", f->msg.text);
        CHECK(strstr(f->msg.text, f->path), "%s", f->msg.text);
    }
}

static void
test_the_log_is_append_only(void **state)
{
    struct fixture *f = *state;
    struct sepx_store *store;

    create(f);
    store = open_study(f, true);
    append(f, store, 0, 3);
    sepx_store_close(store);
    run_sql(f, "UPDATE told SET value = 0", SQLITE_CONSTRAINT);
    run_sql(f, "DELETE FROM asked", SQLITE_CONSTRAINT);
}

static void
test_what_is_no_study_is_refused(void **state)
{
    struct fixture *f = *state;
    FILE *file;

    run_sql(f, "CREATE TABLE t(x)", SQLITE_OK);
    refused(f, "no study");
    run_sql(f, "PRAGMA application_id = 1936027768; PRAGMA user_version = 99",
            SQLITE_OK);
    refused(f, "newer sepx (version 99");
    run_sql(f, "PRAGMA user_version = 1", SQLITE_OK);
    refused(f, "table 't' is not that of a study");
    file = fopen(f->path, "w");
    refused(f, "no study"); /* empty */
    fputs("nodes,edges\n1,2\n this is a text and no database\n", file);
    for (int i = 0; i < 1000; i++)
        fputs("more of it ", file);
    fclose(file);
    refused(f, "no study");
}

/* ---- versions ---- */

static size_t
slurp(const char *path, char **bytes)
{
    FILE *file = fopen(path, "r");
    struct stat at;

    assert_non_null(file);
    stat(path, &at);
    *bytes = malloc((size_t)at.st_size);
    assert_int_equal(fread(*bytes, 1, (size_t)at.st_size, file), at.st_size);
    fclose(file);
    return (size_t)at.st_size;
}

static void
spill(const char *path, const char *bytes, size_t len)
{
    FILE *file = fopen(path, "w");

    assert_int_equal(fwrite(bytes, 1, len, file), len);
    fclose(file);
}

static struct sepx__hash
digest(struct fixture *f, struct sepx_store *store, enum sepx_store_order order)
{
    uint32_t count, seen[128];

    return walk(f, store, order, 0, &count, seen);
}

/*
 * schema1.study was made by sepx at 7c27be4: 32 trials, 30 of them told, 6
 * failed. Readers leave it as it is; the first to write brings it up to date.
 */
static void
test_version_1_is_read_and_brought_up_to_date(void **state)
{
    struct fixture *f = *state;
    struct sepx_store *store;
    struct sepx__hash old[3], now;
    char *bytes, *after;
    uint32_t seen[128];
    size_t len;

    len = slurp(SEPX_SOURCE_ROOT "/tests/study/schema1.study", &bytes);
    spill(f->path, bytes, len);
    store = open_study(f, false);
    for (int order = 0; order < 3; order++)
        old[order] = digest(f, store, (enum sepx_store_order)order);
    assert_int_equal(trials(f, store, SEPX_STORE_LOG, 0, seen), 62);
    assert_int_equal(trials(f, store, SEPX_STORE_TRIALS, 0, seen), 32);
    assert_int_equal(trials(f, store, SEPX_STORE_BEST, 0, seen), 24);
    assert_int_equal(seen[0], 2);
    sepx_store_close(store);
    assert_int_equal(slurp(f->path, &after), len);
    assert_memory_equal(bytes, after, len);

    for (int again = 0; again < 2; again++) {
        store = open_study(f, true);
        for (int order = 0; order < 3; order++) {
            now = digest(f, store, (enum sepx_store_order)order);
            assert_memory_equal(&now, &old[order], sizeof now);
        }
        assert_int_equal(sepx_store_check(store, &f->msg), SEPX_OK);
        sepx_store_close(store);
    }
    run_sql(f, "SELECT attempt, sum FROM told", SQLITE_OK);
    store = open_study(f, true);
    append(f, store, 32, 35);
    assert_int_equal(trials(f, store, SEPX_STORE_LOG, 0, seen), 68);
    sepx_store_close(store);
    free(bytes);
    free(after);
}

/*
 * schema2.study was made by sepx at 4560c61: 30 trials, 3 of which failed and
 * were retried. Its sums stay as they are.
 */
static void
test_version_2_is_read_and_brought_up_to_date(void **state)
{
    struct fixture *f = *state;
    struct sepx_store *store;
    struct sepx__hash old[3], now;
    char *bytes, *after;
    uint32_t seen[128];
    size_t len = slurp(SEPX_SOURCE_ROOT "/tests/study/schema2.study", &bytes);

    spill(f->path, bytes, len);
    store = open_study(f, false);
    for (int order = 0; order < 3; order++)
        old[order] = digest(f, store, (enum sepx_store_order)order);
    assert_int_equal(trials(f, store, SEPX_STORE_LOG, 0, seen), 66);
    assert_int_equal(trials(f, store, SEPX_STORE_TRIALS, 0, seen), 30);
    sepx_store_close(store);
    assert_int_equal(slurp(f->path, &after), len);
    assert_memory_equal(bytes, after, len);
    for (int again = 0; again < 2; again++) {
        store = open_study(f, true);
        for (int order = 0; order < 3; order++) {
            now = digest(f, store, (enum sepx_store_order)order);
            assert_memory_equal(&now, &old[order], sizeof now);
        }
        assert_int_equal(sepx_store_check(store, &f->msg), SEPX_OK);
        sepx_store_close(store);
    }
    run_sql(f, "SELECT numbers, steps FROM told", SQLITE_OK);
    store = open_study(f, true);
    append(f, store, 30, 33);
    assert_int_equal(trials(f, store, SEPX_STORE_LOG, 0, seen), 72);
    sepx_store_close(store);
    free(bytes);
    free(after);
}

static void
migration_fails(struct fixture *f, const char *path, unsigned events)
{
    struct sepx_store *store;
    uint32_t seen[128];
    char *bytes;
    size_t len = slurp(path, &bytes);

    for (long n = 0;; n++) {
        enum sepx_err err;

        spill(f->path, bytes, len);
        fault_after(n);
        err = sepx_store_open(&store, f->path, true, &f->msg);
        sepx_store_close(store);
        if (!fault_hit()) {
            assert_int_equal(err, SEPX_OK);
            break;
        }
        CHECK(err == SEPX_ENOMEM, "%d after %ld", err, n);
        CHECK(fault_live() == 0, "%ld blocks left after %ld", fault_live(), n);
        fault_stop();
        store = open_study(f, false);
        assert_int_equal(trials(f, store, SEPX_STORE_LOG, 0, seen), events);
        sepx_store_close(store);
    }
    fault_stop();
    free(bytes);
}

static void
test_a_failed_migration_leaves_the_old_file(void **state)
{
    migration_fails(*state, SEPX_SOURCE_ROOT "/tests/study/schema1.study", 62);
    migration_fails(*state, SEPX_SOURCE_ROOT "/tests/study/schema2.study", 66);
}

/* ---- retries ---- */

static struct sepx_entry
entry_of(struct fixture *f, struct sepx_store *store, uint32_t trial)
{
    struct sepx_cursor *cursor;
    struct sepx_entry entry;
    bool more;

    assert_int_equal(
        sepx_store_read(store, &cursor, SEPX_STORE_TRIALS, trial, &f->msg),
        SEPX_OK);
    assert_int_equal(sepx_cursor_next(cursor, &entry, &more, &f->msg), SEPX_OK);
    assert_true(more);
    sepx_cursor_free(cursor);
    return entry;
}

/* Trials 0 and 3 of the log fail; 3 is retried twice. */
static void
test_trials_show_their_last_attempt(void **state)
{
    struct fixture *f = *state;
    struct sepx_store *store;
    struct sepx_entry entry;
    uint32_t seen[64];

    create(f);
    store = open_study(f, true);
    append(f, store, 0, 5);
    assert_int_equal(sepx_store_begin(store, &f->msg), SEPX_OK);
    assert_int_equal(sepx_store_retry(store, 3, &f->msg), SEPX_OK);
    assert_int_equal(sepx_store_commit(store, &f->msg), SEPX_OK);
    entry = entry_of(f, store, 3);
    assert_true(entry.is_asked && !entry.is_told && !entry.is_retried);
    assert_int_equal(sepx_store_begin(store, &f->msg), SEPX_OK);
    assert_int_equal(tell_attempt(store, 3, 1, 0.5, &f->msg), SEPX_OK);
    assert_int_equal(sepx_store_commit(store, &f->msg), SEPX_OK);
    entry = entry_of(f, store, 3);
    assert_true(entry.is_told && entry.told.attempt == 1);
    assert_true(entry.told.value == 0.5);
    assert_int_equal(trials(f, store, SEPX_STORE_BEST, 0, seen), 4);
    assert_int_equal(seen[0], 3);
    assert_int_equal(sepx_store_begin(store, &f->msg), SEPX_OK);
    assert_int_equal(sepx_store_retry(store, 3, &f->msg), SEPX_OK);
    assert_int_equal(tell_attempt(store, 3, 2, 9, &f->msg), SEPX_OK);
    assert_int_equal(sepx_store_commit(store, &f->msg), SEPX_OK);
    assert_int_equal(trials(f, store, SEPX_STORE_BEST, 0, seen), 4);
    assert_int_equal(seen[3], 3);
    assert_int_equal(trials(f, store, SEPX_STORE_TRIALS, 0, seen), 5);
    assert_int_equal(trials(f, store, SEPX_STORE_LOG, 0, seen), 14);
    assert_int_equal(seen[10], 3);
    assert_int_equal(seen[12], 3);
    assert_int_equal(sepx_store_begin(store, &f->msg), SEPX_OK);
    assert_int_equal(sepx_store_retry(store, 9, &f->msg), SEPX_EDATA);
    sepx_store_close(store);
    run_sql(f, "UPDATE retried SET trial = 1", SQLITE_CONSTRAINT);
    run_sql(f, "DELETE FROM retried", SQLITE_CONSTRAINT);
}

/* ---- sums ---- */

/* As an editor would do it who knows about the triggers. */
static void
edit(struct fixture *f, const char *table, const char *set)
{
    char sql[600];

    snprintf(sql, sizeof sql,
             "DROP TRIGGER %s_stays; UPDATE %s SET %s;"
             "CREATE TRIGGER %s_stays BEFORE UPDATE ON %s"
             "  BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;",
             table, table, set, table, table);
    run_sql(f, sql, SQLITE_OK);
}

static enum sepx_err
read_log(struct fixture *f)
{
    struct sepx_store *store = open_study(f, false);
    struct sepx_cursor *cursor;
    struct sepx_entry entry;
    bool more = true;
    enum sepx_err err =
        sepx_store_read(store, &cursor, SEPX_STORE_LOG, 0, &f->msg);

    while (!err && more)
        err = sepx_cursor_next(cursor, &entry, &more, &f->msg);
    sepx_cursor_free(cursor);
    sepx_store_close(store);
    return err;
}

static void
test_a_change_of_any_column_is_found(void **state)
{
    static const char *const edits[][2] = {
        {"told", "value = 1.0000000000000002 WHERE trial = 1"},
        {"told", "test = 1 WHERE trial = 1"},
        {"told", "cost = 2 WHERE trial = 1"},
        {"told", "cached = 0 WHERE trial = 1"},
        {"told", "answer = '' WHERE trial = 1"},
        {"told", "errors = 'nO' WHERE trial = 0"},
        {"told", "errors = NULL WHERE trial = 0"},
        {"told", "errors = 'no' || char(0) || 'x' WHERE trial = 0"},
        {"told", "slot = 'gpu' WHERE trial = 1"},
        {"told", "outcome = 'unfit' WHERE trial = 0"},
        {"told", "attempt = 1 WHERE trial = 1"},
        {"told", "seconds = 0.5 WHERE trial = 1"},
        {"told", "finished = 1 WHERE trial = 1"},
        {"told", "elapsed = 1 WHERE trial = 1"},
        {"told", "event = 100 WHERE trial = 0"},
        {"told", "sum = zeroblob(16) WHERE trial = 1"},
        {"told", "sum = zeroblob(1) WHERE trial = 1"},
        {"asked", "operator = 'x' WHERE trial = 1"},
        {"asked", "parent1 = NULL WHERE trial = 1"},
        {"asked", "parent2 = 0 WHERE trial = 1"},
        {"asked", "fidelity = 1 WHERE trial = 1"},
        {"asked", "same = 0 WHERE trial = 1"},
        {"asked", "graph = '{}' WHERE trial = 1"},
        {"study", "settings = '{\"a\":2}'"},
    };
    struct fixture *f = *state;
    struct sepx_store *store;
    char *bytes;
    size_t len;

    create(f);
    store = open_study(f, true);
    append(f, store, 0, 5);
    sepx_store_close(store);
    len = slurp(f->path, &bytes);
    assert_int_equal(read_log(f), SEPX_OK);
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
        spill(f->path, bytes, len);
        if (!strcmp(edits[i][0], "study"))
            run_sql(f, "UPDATE study SET settings = '{\"a\":2}'", SQLITE_OK);
        else
            edit(f, edits[i][0], edits[i][1]);
        f->msg.text[0] = '\0';
        CHECK(read_log(f) == SEPX_EDATA, "%s", edits[i][1]);
        CHECK(strstr(f->msg.text, f->path), "%s", f->msg.text);
    }
    free(bytes);
}

/* What is added behind a gap must not look whole. */
static void
test_a_removed_row_is_found(void **state)
{
    struct fixture *f = *state;
    struct sepx_store *store;

    create(f);
    store = open_study(f, true);
    append(f, store, 0, 5);
    sepx_store_close(store);
    run_sql(f,
            "DROP TRIGGER told_is_kept; DELETE FROM told WHERE trial = 3;"
            "CREATE TRIGGER told_is_kept BEFORE DELETE ON told"
            "  BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;",
            SQLITE_OK);
    assert_int_equal(read_log(f), SEPX_EDATA);
    CHECK(strstr(f->msg.text, "checksum"), "%s", f->msg.text);
}

/* ---- damaged files ---- */

/* Anything but a crash or an endless loop; a failure has its message. */
static void
read_damaged(struct fixture *f, bool write)
{
    struct sepx_store *store;
    struct sepx_cursor *cursor = NULL;
    struct sepx_entry entry;
    bool more = true;
    enum sepx_err err;

    f->msg.text[0] = '\0';
    err = sepx_store_open(&store, f->path, write, &f->msg);
    for (int order = 0; order < 3 && !err; order++) {
        err = sepx_store_read(store, &cursor, (enum sepx_store_order)order, 0,
                              &f->msg);
        for (more = true; more && !err;)
            err = sepx_cursor_next(cursor, &entry, &more, &f->msg);
        sepx_cursor_free(cursor);
    }
    if (!err)
        err = sepx_store_check(store, &f->msg);
    if (err)
        CHECK(f->msg.text[0], "no message for %d", err);
    sepx_store_close(store);
}

static void
test_damaged_files_are_survived(void **state)
{
    struct fixture *f = *state;
    struct sepx_store *store;
    struct sepx_rng rng;
    char *bytes, *bad;
    size_t len;

    create(f);
    store = open_study(f, true);
    append(f, store, 0, 60);
    sepx_store_close(store);
    len = slurp(f->path, &bytes);
    bad = malloc(len);
    sepx_rng_init(&rng, 11, 0, 0, 0);
    for (int i = 0; i < 600; i++) {
        size_t cut = i % 4 ? len : sepx_rng_below(&rng, (uint32_t)len);
        unsigned flips = 1 + sepx_rng_below(&rng, 4);

        memcpy(bad, bytes, len);
        while (flips--)
            bad[sepx_rng_below(&rng, (uint32_t)len)] ^=
                (char)(1 << sepx_rng_below(&rng, 8));
        spill(f->path, bad, cut);
        read_damaged(f, i % 2);
    }
    free(bytes);
    free(bad);
}

/* ---- no room, no place ---- */

/* A file that may not grow stands for a full disk. */
static void
test_a_full_disk_loses_nothing_committed(void **state)
{
    struct fixture *f = *state;
    struct sepx_store *store;
    struct rlimit old, tight = {0};
    enum sepx_err err = SEPX_OK;
    uint32_t *seen = calloc(100000, sizeof *seen);
    uint32_t trial = 0, kept;

    create(f);
    store = open_study(f, true);
    append(f, store, 0, 5);
    kept = trial = 5;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    tight = (struct rlimit){200000, old.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
    while (!err && trial < 20000) {
        err = sepx_store_begin(store, &f->msg);
        for (int i = 0; i < 10 && !err; i++)
            err = ask(store, trial++, &f->msg);
        if (!err)
            err = sepx_store_commit(store, &f->msg);
        if (!err)
            kept = trial;
    }
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_int_equal(err, SEPX_EIO);
    CHECK(f->msg.text[0], "no message");
    sepx_store_close(store);
    store = open_study(f, true);
    assert_int_equal(trials(f, store, SEPX_STORE_TRIALS, 0, seen), kept);
    assert_int_equal(sepx_store_check(store, &f->msg), SEPX_OK);
    append(f, store, kept, kept + 3);
    sepx_store_close(store);
    free(seen);
}

static void
test_network_file_systems_are_known(void **state)
{
    (void)state;
    assert_string_equal(sepx__place_network(0x6969), "NFS");
    assert_string_equal(sepx__place_network(0xff534d42), "CIFS");
    assert_null(sepx__place_network(0xef53));     /* ext4 */
    assert_null(sepx__place_network(0x01021994)); /* tmpfs */
    assert_null(sepx__place_network(0x794c7630)); /* overlayfs */
}

/* `far` is one of the mounts. */
static void
mounted(const char *path, const char *network, const char *far)
{
    char mounts[4096];
    const char *found;

    (void)snprintf(mounts, sizeof mounts,
                   "/dev/sda1 / ext4 rw,relatime 0 0\n"
                   "host: %s fuse.gcsfuse rw 0 0\n"
                   "host: /home/plain fuse.sshfs rw 0 0\n"
                   "host: /home/my\\040data fuse.sshfs rw 0 0\n"
                   "tmpfs /home/my\\040data/local tmpfs rw 0 0\n"
                   "a\\040b /home/t\\011n\\012b\\134\\043 fuse.rclone rw 0 0\n"
                   "host: /home/not\\04 fuse.sshfs rw 0 0\n"
                   " /home/nameless fuse.juicefs rw 0 0\n"
                   "/dev/sdb1 /home/ntfs fuseblk rw 0 0\n"
                   "short\n",
                   far);
    found = sepx__place_mounted(mounts, path);
    if (!network)
        CHECK(!found, "%s: %s", path, found);
    else
        CHECK(found && !strcmp(found, network), "%s: %s, not %s", path,
              found ? found : "local", network);
}

static void
test_mounts_are_decoded(void **state)
{
    char far[2000] = "/";

    (void)state;
    memset(far + 1, 'x', sizeof far - 2);
    mounted(far, "gcsfuse", far);
    mounted("/home", NULL, far);
    mounted("/home/plain", "sshfs", far);
    mounted("/home/plain/study", "sshfs", far);
    mounted("/home/plainer", NULL, far);
    mounted("/home/my data/runs", "sshfs", far);
    mounted("/home/my data/local/runs", NULL, far);
    mounted("/home/my\\040data", NULL, far);
    mounted("/home/t\tn\nb\\#", "rclone", far);
    mounted("/home/not\\04", "sshfs", far);
    mounted("/home/nameless", "juicefs", far);
    mounted("/home/ntfs", NULL, far);
}

static void
test_every_allocation_may_fail(void **state)
{
    struct fixture *f = *state;
    struct sepx_store *store;

    create(f);
    EACH_FAULT (fault) {
        fault.err = sepx_store_open(&store, f->path, true, &f->msg);
        if (!fault.err)
            fault.err = sepx_store_session(store, "{}", &f->msg);
        sepx_store_close(store);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_what_is_committed_is_read_again),
        TEST(test_a_name_that_is_taken_is_refused),
        TEST(test_a_path_that_cannot_be_followed_is_named),
        TEST(test_no_wrong_process_is_named),
        TEST(test_a_fork_does_not_keep_the_lock),
        TEST(test_one_writes_others_read),
        TEST(test_a_trial_is_told_once),
        TEST(test_the_log_is_append_only),
        TEST(test_what_is_no_study_is_refused),
        TEST(test_version_1_is_read_and_brought_up_to_date),
        TEST(test_version_2_is_read_and_brought_up_to_date),
        TEST(test_a_failed_migration_leaves_the_old_file),
        TEST(test_trials_show_their_last_attempt),
        TEST(test_a_change_of_any_column_is_found),
        TEST(test_a_removed_row_is_found),
        TEST(test_damaged_files_are_survived),
        TEST(test_a_full_disk_loses_nothing_committed),
        TEST(test_network_file_systems_are_known),
        TEST(test_mounts_are_decoded),
        TEST(test_every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
