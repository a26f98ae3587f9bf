/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The log in an SQLite file: the one place that knows SQLite, hence its
 * length.
 *
 * Write-ahead logging, so that readers never wait; every write begins with
 * BEGIN IMMEDIATE, because a deferred one that comes to write may find the
 * database busy with no way to wait. With synchronous = NORMAL a commit
 * survives the end of the process; a loss of power may take the last commits
 * with it, never the file.
 */
#include "store/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <sqlite3.h>

#define APPLICATION_ID 0x73657078 /* "sepx" */
#define BUSY_MS 10000
#define TRIAL_MAX (UINT32_MAX - 1)

/* clang-format off */
/*
 * Step i brings a file of version i to version i + 1. A new version is a new
 * step; steps are never changed.
 */
static const char *const steps[] = {
    "CREATE TABLE study("
    "  id INTEGER PRIMARY KEY CHECK (id = 1),"
    "  settings TEXT NOT NULL) STRICT;"
    "CREATE TABLE session("
    "  id INTEGER PRIMARY KEY, began REAL NOT NULL, pid INTEGER NOT NULL,"
    "  host TEXT NOT NULL, options TEXT NOT NULL) STRICT;"
    "CREATE TABLE asked("
    "  trial INTEGER PRIMARY KEY, event INTEGER NOT NULL UNIQUE,"
    "  operator TEXT NOT NULL, parent1 INTEGER, parent2 INTEGER,"
    "  fidelity REAL NOT NULL, same INTEGER, graph TEXT NOT NULL) STRICT;"
    "CREATE TABLE told("
    "  trial INTEGER PRIMARY KEY REFERENCES asked(trial),"
    "  event INTEGER NOT NULL UNIQUE, outcome TEXT NOT NULL, value REAL,"
    "  test REAL, cost REAL, cached INTEGER, answer TEXT, errors TEXT,"
    "  slot TEXT, seconds REAL NOT NULL, finished REAL NOT NULL,"
    "  elapsed REAL NOT NULL) STRICT;"
    "CREATE INDEX told_value ON told(value, trial) WHERE value IS NOT NULL;"
    "CREATE TRIGGER asked_stays BEFORE UPDATE ON asked"
    "  BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;"
    "CREATE TRIGGER asked_is_kept BEFORE DELETE ON asked"
    "  BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;"
    "CREATE TRIGGER told_stays BEFORE UPDATE ON told"
    "  BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;"
    "CREATE TRIGGER told_is_kept BEFORE DELETE ON told"
    "  BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;",
};
_Static_assert(sizeof steps / sizeof steps[0] == SEPX_STORE_VERSION,
               "a step for each version");

#define ASKED "a.trial, a.operator, a.parent1, a.parent2, a.fidelity, " \
              "a.same, a.graph"
#define TOLD "t.trial, t.outcome, t.value, t.test, t.cost, t.cached, " \
             "t.answer, t.errors, t.slot, t.seconds, t.finished, t.elapsed"
enum { ASKED_COLUMNS = 7 };

static const char *const queries[] = {
    [SEPX_STORE_LOG] =
        "SELECT " ASKED ", NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,"
        "  NULL, NULL, NULL, NULL, a.event AS event FROM asked a WHERE ?1 >= 0 "
        "UNION ALL "
        "SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, " TOLD ","
        "  t.event FROM told t ORDER BY event",
    [SEPX_STORE_TRIALS] =
        "SELECT " ASKED ", " TOLD " FROM asked a LEFT JOIN told t"
        "  ON t.trial = a.trial WHERE a.trial >= ?1 ORDER BY a.trial",
    [SEPX_STORE_BEST] =
        "SELECT " ASKED ", " TOLD " FROM told t JOIN asked a"
        "  ON a.trial = t.trial WHERE t.value IS NOT NULL AND ?1 >= 0"
        "  ORDER BY t.value, t.trial",
};
/* clang-format on */

struct sepx_store {
    sqlite3 *db;
    sqlite3_stmt *add_asked, *add_told;
    char *path, *settings, *options;
    int lock; /* descriptor, -1: reading only */
    int64_t writer, event;
};

struct sepx_cursor {
    sqlite3_stmt *statement;
    const char *path;
};

/* ---- errors ---- */

static enum sepx_err
err_of(int code)
{
    switch (code & 0xff) {
    case SQLITE_OK:
        return SEPX_OK;
    case SQLITE_NOMEM:
        return SEPX_ENOMEM;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return SEPX_EBUSY;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
    case SQLITE_TOOBIG:
    case SQLITE_ERROR: /* a statement that does not fit the tables */
        return SEPX_EDATA;
    default:
        return SEPX_EIO;
    }
}

static const char *
remedy_of(int code)
{
    switch (code & 0xff) {
    case SQLITE_FULL:
        return "; free some space, then resume the study";
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
        return "; check the permissions of the file and its folder";
    case SQLITE_NOTADB:
    case SQLITE_ERROR:
        return "; this is no study of sepx";
    case SQLITE_CORRUPT:
        return "; the file is damaged, restore a copy";
    case SQLITE_BUSY:
        return "; try again later";
    default:
        return "";
    }
}

/* From the code that an SQLite call returned. */
static enum sepx_err
check(const char *path, sqlite3 *db, int code, struct sepx_msg *msg)
{
    const char *what = db ? sqlite3_errmsg(db) : sqlite3_errstr(code);

    if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW)
        return SEPX_OK;
    return sepx_fail(msg, err_of(code), "%s: %s%s", path, what,
                     remedy_of(code));
}

static enum sepx_err
execute(struct sepx_store *store, const char *sql, struct sepx_msg *msg)
{
    return check(store->path, store->db,
                 sqlite3_exec(store->db, sql, NULL, NULL, NULL), msg);
}

static enum sepx_err
prepare(struct sepx_store *store, sqlite3_stmt **statement, const char *sql,
        struct sepx_msg *msg)
{
    return check(store->path, store->db,
                 sqlite3_prepare_v2(store->db, sql, -1, statement, NULL), msg);
}

/* One integer; 0 if the query has no row. */
static enum sepx_err
ask_integer(struct sepx_store *store, int64_t *value, const char *sql,
            struct sepx_msg *msg)
{
    sqlite3_stmt *statement = NULL;
    enum sepx_err err = prepare(store, &statement, sql, msg);

    *value = 0;
    if (!err) {
        int code = sqlite3_step(statement);

        err = check(store->path, store->db, code, msg);
        if (code == SQLITE_ROW)
            *value = sqlite3_column_int64(statement, 0);
    }
    sqlite3_finalize(statement);
    return err;
}

/* One text, a copy; NULL if the query has no row. */
static enum sepx_err
ask_text(struct sepx_store *store, char **value, const char *sql,
         struct sepx_msg *msg)
{
    sqlite3_stmt *statement = NULL;
    enum sepx_err err = prepare(store, &statement, sql, msg);

    *value = NULL;
    if (!err) {
        int code = sqlite3_step(statement);
        const char *text = NULL;

        err = check(store->path, store->db, code, msg);
        if (code == SQLITE_ROW)
            text = (const char *)sqlite3_column_text(statement, 0);
        if (text) {
            *value = sepx__strdup(text);
            err = *value ? SEPX_OK : SEPX_ENOMEM;
        }
    }
    sqlite3_finalize(statement);
    return err;
}

/* ---- opening ---- */

/*
 * Files come from anywhere: no functions or virtual tables from the schema,
 * no writing to internal tables, sizes of cells looked at.
 */
static enum sepx_err
guard(struct sepx_store *store, struct sepx_msg *msg)
{
    (void)sqlite3_busy_timeout(store->db, BUSY_MS);
    (void)sqlite3_extended_result_codes(store->db, 1);
    (void)sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    return execute(store,
                   "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;"
                   "PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL;",
                   msg);
}

static enum sepx_err
open_file(struct sepx_store *store, const char *name, int flags,
          struct sepx_msg *msg)
{
    int code =
        sqlite3_open_v2(name, &store->db, flags | SQLITE_OPEN_NOMUTEX, NULL);
    enum sepx_err err = check(store->path, store->db, code, msg);

    return err ? err : guard(store, msg);
}

static void
shut(struct sepx_store *store)
{
    sqlite3_finalize(store->add_asked);
    sqlite3_finalize(store->add_told);
    store->add_asked = store->add_told = NULL;
    sqlite3_close(store->db);
    store->db = NULL;
}

/*
 * A log in a folder that cannot be written has no place for the shared
 * memory of its readers. If no writer left anything behind, the file alone
 * is the whole study.
 */
static enum sepx_err
open_immutable(struct sepx_store *store, struct sepx_msg *msg)
{
    struct sepx_text name = {0};
    struct stat log;
    enum sepx_err err = sepx_text_print(&name, "%s-wal", store->path);

    if (!err && stat(name.at, &log) == 0 && log.st_size > 0)
        err = sepx_fail(msg, SEPX_EIO,
                        "%s: the folder cannot be written, and %s has events "
                        "that are not in the file yet; copy both elsewhere",
                        store->path, name.at);
    name.len = 0;
    if (!err)
        err = sepx_text_print(&name, "file:");
    for (const char *c = store->path; *c && !err; c++)
        err = sepx_text_print(&name, strchr("%?#", *c) ? "%%%02x" : "%c",
                              (unsigned char)*c);
    if (!err)
        err = sepx_text_print(&name, "?immutable=1");
    shut(store);
    if (!err)
        err = open_file(store, name.at, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
                        msg);
    sepx_text_release(&name);
    return err;
}

/*
 * Readers open the file for writing, too, if they may: the last one to close
 * it then takes away the files that SQLite puts beside it.
 */
static enum sepx_err
open_for(struct sepx_store *store, bool write, struct sepx_msg *msg)
{
    bool may = write || access(store->path, W_OK) == 0;
    int64_t ignored;
    enum sepx_err err =
        open_file(store, store->path,
                  may ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY, msg);

    if (!err && !write)
        err = execute(store, "PRAGMA query_only = ON", msg);
    if (!err)
        err = ask_integer(store, &ignored, "PRAGMA schema_version", msg);
    if (err && !write && store->db &&
        (sqlite3_errcode(store->db) & 0xff) == SQLITE_CANTOPEN)
        err = open_immutable(store, msg);
    return err;
}

static enum sepx_err
migrate(struct sepx_store *store, int64_t from, struct sepx_msg *msg)
{
    char sql[64];
    enum sepx_err err = execute(store, "BEGIN IMMEDIATE", msg);

    for (int64_t i = from; i < SEPX_STORE_VERSION && !err; i++)
        err = execute(store, steps[i], msg);
    (void)snprintf(sql, sizeof sql, "PRAGMA user_version = %d",
                   SEPX_STORE_VERSION);
    if (!err)
        err = execute(store, sql, msg);
    if (!err)
        return execute(store, "COMMIT", msg);
    (void)execute(store, "ROLLBACK", NULL);
    return err;
}

/* Whose file it is, and of which version. */
static enum sepx_err
identify(struct sepx_store *store, bool write, struct sepx_msg *msg)
{
    int64_t owner, version;
    enum sepx_err err =
        ask_integer(store, &owner, "PRAGMA application_id", msg);

    if (!err)
        err = ask_integer(store, &version, "PRAGMA user_version", msg);
    if (err)
        return err;
    if (owner != APPLICATION_ID || version < 1)
        return sepx_fail(msg, SEPX_EDATA,
                         "%s: a database, but no study of sepx; check the path",
                         store->path);
    if (version > SEPX_STORE_VERSION)
        return sepx_fail(msg, SEPX_EDATA,
                         "%s: written by a newer sepx (version %lld of the "
                         "file, this program knows %d); update sepx",
                         store->path, (long long)version, SEPX_STORE_VERSION);
    if (version == SEPX_STORE_VERSION)
        return SEPX_OK;
    if (write)
        return migrate(store, version, msg);
    return sepx_fail(msg, SEPX_EDATA,
                     "%s: version %lld of the file, this program reads %d; "
                     "'sepx resume' brings it up to date",
                     store->path, (long long)version, SEPX_STORE_VERSION);
}

static enum sepx_err
read_head(struct sepx_store *store, struct sepx_msg *msg)
{
    enum sepx_err err =
        ask_text(store, &store->settings, "SELECT settings FROM study", msg);

    if (!err && !store->settings)
        err = sepx_fail(msg, SEPX_EDATA,
                        "%s: no settings in it; the file is "
                        "damaged, restore a copy",
                        store->path);
    if (!err)
        err = ask_text(store, &store->options,
                       "SELECT options FROM session ORDER BY id DESC LIMIT 1",
                       msg);
    if (!err)
        err = ask_integer(store, &store->event,
                          "SELECT max(ifnull((SELECT max(event) FROM asked), 0)"
                          ", ifnull((SELECT max(event) FROM told), 0))",
                          msg);
    return err;
}

static enum sepx_err
prepare_writing(struct sepx_store *store, struct sepx_msg *msg)
{
    enum sepx_err err = execute(store, "PRAGMA journal_mode = WAL", msg);

    if (!err)
        err =
            prepare(store, &store->add_asked,
                    "INSERT INTO asked VALUES (?1,?2,?3,?4,?5,?6,?7,?8)", msg);
    if (!err)
        err = prepare(store, &store->add_told,
                      "INSERT INTO told VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,"
                      "?10,?11,?12,?13)",
                      msg);
    return err;
}

static enum sepx_err
busy(struct sepx_store *store, struct sepx_msg *msg)
{
    struct sepx_store *other;
    int64_t pid = -1;

    if (!sepx_store_open(&other, store->path, false, NULL))
        pid = sepx_store_writer(other);
    sepx_store_close(other);
    if (pid < 0)
        return sepx_fail(msg, SEPX_EBUSY,
                         "%s: another process runs this study; try again later",
                         store->path);
    return sepx_fail(msg, SEPX_EBUSY,
                     "%s: process %lld runs this study; stop it or wait",
                     store->path, (long long)pid);
}

static enum sepx_err
open_store(struct sepx_store *store, bool write, struct sepx_msg *msg)
{
    bool locked = false;
    enum sepx_err err = sepx__place_check(store->path, msg);

    if (!err && access(store->path, F_OK) != 0)
        err = sepx_fail(msg, SEPX_ENOTFOUND,
                        "%s: no such study; begin one with 'sepx search "
                        "--study %s'",
                        store->path, store->path);
    if (!err && write) {
        err = sepx__place_lock(&store->lock, store->path, msg);
        if (err == SEPX_EBUSY)
            return busy(store, msg);
    } else if (!err) {
        locked = sepx__place_locked(store->path);
    }
    if (!err)
        err = open_for(store, write, msg);
    if (!err)
        err = identify(store, write, msg);
    if (!err)
        err = read_head(store, msg);
    if (!err && write)
        err = prepare_writing(store, msg);
    if (!err && locked)
        err = ask_integer(store, &store->writer,
                          "SELECT pid FROM session ORDER BY id DESC LIMIT 1",
                          msg);
    return err;
}

enum sepx_err
sepx_store_open(struct sepx_store **store, const char *path, bool write,
                struct sepx_msg *msg)
{
    struct sepx_store *made = sepx__calloc(1, sizeof *made);
    enum sepx_err err = SEPX_ENOMEM;

    *store = NULL;
    if (!made)
        return err;
    made->lock = -1;
    made->writer = -1;
    made->path = sepx__strdup(path);
    if (made->path)
        err = open_store(made, write, msg);
    if (err)
        sepx_store_close(made);
    else
        *store = made;
    return err;
}

void
sepx_store_close(struct sepx_store *store)
{
    if (!store)
        return;
    shut(store);
    sepx__place_unlock(&store->lock);
    sepx__free(store->path);
    sepx__free(store->settings);
    sepx__free(store->options);
    sepx__free(store);
}

const char *
sepx_store_path(const struct sepx_store *store)
{
    return store->path;
}

const char *
sepx_store_settings(const struct sepx_store *store)
{
    return store->settings;
}

const char *
sepx_store_options(const struct sepx_store *store)
{
    return store->options;
}

int64_t
sepx_store_writer(const struct sepx_store *store)
{
    return store->writer;
}

/* ---- creating ---- */

static enum sepx_err
fill(struct sepx_store *store, const char *settings, const char *options,
     struct sepx_msg *msg)
{
    sqlite3_stmt *statement = NULL;
    char sql[64];
    enum sepx_err err;

    (void)snprintf(sql, sizeof sql, "PRAGMA application_id = %d",
                   APPLICATION_ID);
    err = execute(store, sql, msg);
    if (!err)
        err = migrate(store, 0, msg);
    if (!err)
        err =
            prepare(store, &statement, "INSERT INTO study VALUES (1, ?1)", msg);
    if (!err) {
        (void)sqlite3_bind_text(statement, 1, settings, -1, SQLITE_STATIC);
        err = check(store->path, store->db, sqlite3_step(statement), msg);
    }
    sqlite3_finalize(statement);
    if (!err && options)
        err = sepx_store_session(store, options, msg);
    if (!err)
        err = execute(store, "PRAGMA journal_mode = WAL", msg);
    return err;
}

/* Written under another name, and then given its own. */
enum sepx_err
sepx_store_create(const char *path, const char *settings, const char *options,
                  struct sepx_msg *msg)
{
    struct sepx_store store = {.lock = -1};
    struct sepx_text name = {0};
    enum sepx_err err = sepx__place_check(path, msg);

    if (!err)
        err = sepx_text_print(&name, "%s.%ld.tmp", path, (long)getpid());
    if (err)
        goto done;
    store.path = (char *)(uintptr_t)path; /* for messages */
    (void)unlink(name.at);
    err = open_file(&store, name.at, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                    msg);
    if (!err)
        err = fill(&store, settings, options, msg);
    shut(&store);
    sepx__free(store.options);
    if (!err)
        err = sepx__place_publish(name.at, path, msg);
    (void)unlink(name.at);
done:
    sepx_text_release(&name);
    return err;
}

/* ---- writing ---- */

static double
now(void)
{
    struct timespec time;

    (void)clock_gettime(CLOCK_REALTIME, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

enum sepx_err
sepx_store_session(struct sepx_store *store, const char *options,
                   struct sepx_msg *msg)
{
    sqlite3_stmt *statement = NULL;
    char host[256] = "";
    char *copy = sepx__strdup(options);
    enum sepx_err err = copy ? SEPX_OK : SEPX_ENOMEM;

    (void)gethostname(host, sizeof host - 1);
    if (!err)
        err = prepare(store, &statement,
                      "INSERT INTO session(began, pid, host, options) "
                      "VALUES (?1, ?2, ?3, ?4)",
                      msg);
    if (!err) {
        (void)sqlite3_bind_double(statement, 1, now());
        (void)sqlite3_bind_int64(statement, 2, getpid());
        (void)sqlite3_bind_text(statement, 3, host, -1, SQLITE_STATIC);
        (void)sqlite3_bind_text(statement, 4, options, -1, SQLITE_STATIC);
        err = check(store->path, store->db, sqlite3_step(statement), msg);
    }
    sqlite3_finalize(statement);
    if (err) {
        sepx__free(copy);
        return err;
    }
    sepx__free(store->options);
    store->options = copy;
    return SEPX_OK;
}

enum sepx_err
sepx_store_begin(struct sepx_store *store, struct sepx_msg *msg)
{
    return execute(store, "BEGIN IMMEDIATE", msg);
}

enum sepx_err
sepx_store_commit(struct sepx_store *store, struct sepx_msg *msg)
{
    enum sepx_err err = execute(store, "COMMIT", msg);

    if (err && !sqlite3_get_autocommit(store->db))
        (void)execute(store, "ROLLBACK", NULL);
    return err;
}

static void
bind_trial(sqlite3_stmt *statement, int at, int64_t trial)
{
    if (trial < 0)
        (void)sqlite3_bind_null(statement, at);
    else
        (void)sqlite3_bind_int64(statement, at, trial);
}

static void
bind_text(sqlite3_stmt *statement, int at, const char *text)
{
    (void)sqlite3_bind_text(statement, at, text, -1, SQLITE_STATIC);
}

/* Run a prepared insertion, and undo all since begin if it fails. */
static enum sepx_err
insert(struct sepx_store *store, sqlite3_stmt *statement, struct sepx_msg *msg)
{
    enum sepx_err err =
        check(store->path, store->db, sqlite3_step(statement), msg);

    (void)sqlite3_reset(statement);
    (void)sqlite3_clear_bindings(statement);
    if (err && !sqlite3_get_autocommit(store->db))
        (void)execute(store, "ROLLBACK", NULL);
    return err;
}

enum sepx_err
sepx_store_ask(struct sepx_store *store, const struct sepx_asked *asked,
               struct sepx_msg *msg)
{
    sqlite3_stmt *add = store->add_asked;

    (void)sqlite3_bind_int64(add, 1, asked->trial);
    (void)sqlite3_bind_int64(add, 2, ++store->event);
    bind_text(add, 3, asked->op);
    bind_trial(add, 4, asked->parent[0]);
    bind_trial(add, 5, asked->parent[1]);
    (void)sqlite3_bind_double(add, 6, asked->fidelity);
    bind_trial(add, 7, asked->same);
    bind_text(add, 8, asked->graph);
    return insert(store, add, msg);
}

enum sepx_err
sepx_store_tell(struct sepx_store *store, const struct sepx_told *told,
                struct sepx_msg *msg)
{
    sqlite3_stmt *add = store->add_told;

    (void)sqlite3_bind_int64(add, 1, told->trial);
    (void)sqlite3_bind_int64(add, 2, ++store->event);
    bind_text(add, 3, told->outcome);
    (void)sqlite3_bind_double(add, 4, told->value); /* NaN: NULL */
    (void)sqlite3_bind_double(add, 5, told->test);
    (void)sqlite3_bind_double(add, 6, told->cost);
    bind_trial(add, 7, told->cached);
    bind_text(add, 8, told->answer);
    bind_text(add, 9, told->errors);
    bind_text(add, 10, told->slot);
    (void)sqlite3_bind_double(add, 11, told->seconds);
    (void)sqlite3_bind_double(add, 12, told->finished);
    (void)sqlite3_bind_double(add, 13, told->elapsed);
    return insert(store, add, msg);
}

/* ---- reading ---- */

enum sepx_err
sepx_store_read(struct sepx_store *store, struct sepx_cursor **cursor,
                enum sepx_store_order order, uint32_t first,
                struct sepx_msg *msg)
{
    struct sepx_cursor *made = sepx__calloc(1, sizeof *made);
    enum sepx_err err;

    *cursor = NULL;
    if (!made)
        return SEPX_ENOMEM;
    made->path = store->path;
    err = prepare(store, &made->statement, queries[order], msg);
    if (err) {
        sepx_cursor_free(made);
        return err;
    }
    (void)sqlite3_bind_int64(made->statement, 1, first);
    *cursor = made;
    return SEPX_OK;
}

void
sepx_cursor_free(struct sepx_cursor *cursor)
{
    if (!cursor)
        return;
    sqlite3_finalize(cursor->statement);
    sepx__free(cursor);
}

static double
number_at(sqlite3_stmt *row, int column)
{
    if (sqlite3_column_type(row, column) == SQLITE_NULL)
        return NAN;
    return sqlite3_column_double(row, column);
}

static int64_t
trial_at(sqlite3_stmt *row, int column)
{
    if (sqlite3_column_type(row, column) == SQLITE_NULL)
        return -1;
    return sqlite3_column_int64(row, column);
}

static const char *
text_at(sqlite3_stmt *row, int column)
{
    return (const char *)sqlite3_column_text(row, column);
}

static bool
is_trial(int64_t trial)
{
    return trial >= -1 && trial <= TRIAL_MAX;
}

static bool
read_asked(sqlite3_stmt *row, struct sepx_asked *asked)
{
    int64_t trial = sqlite3_column_int64(row, 0);

    *asked = (struct sepx_asked){
        .trial = (uint32_t)trial,
        .op = text_at(row, 1),
        .parent = {trial_at(row, 2), trial_at(row, 3)},
        .fidelity = number_at(row, 4),
        .same = trial_at(row, 5),
        .graph = text_at(row, 6),
    };
    return trial >= 0 && trial <= TRIAL_MAX && asked->op && asked->graph &&
           is_trial(asked->parent[0]) && is_trial(asked->parent[1]) &&
           asked->same < trial && asked->same >= -1;
}

static bool
read_told(sqlite3_stmt *row, struct sepx_told *told)
{
    const int at = ASKED_COLUMNS;
    int64_t trial = sqlite3_column_int64(row, at);

    *told = (struct sepx_told){
        .trial = (uint32_t)trial,
        .outcome = text_at(row, at + 1),
        .value = number_at(row, at + 2),
        .test = number_at(row, at + 3),
        .cost = number_at(row, at + 4),
        .cached = trial_at(row, at + 5),
        .answer = text_at(row, at + 6),
        .errors = text_at(row, at + 7),
        .slot = text_at(row, at + 8),
        .seconds = number_at(row, at + 9),
        .finished = number_at(row, at + 10),
        .elapsed = number_at(row, at + 11),
    };
    return trial >= 0 && trial <= TRIAL_MAX && told->outcome &&
           told->cached < trial && told->cached >= -1;
}

enum sepx_err
sepx_cursor_next(struct sepx_cursor *cursor, struct sepx_entry *entry,
                 bool *more, struct sepx_msg *msg)
{
    sqlite3_stmt *row = cursor->statement;
    int code = sqlite3_step(row);
    bool sane = true;

    *more = code == SQLITE_ROW;
    if (!*more)
        return check(cursor->path, sqlite3_db_handle(row), code, msg);
    entry->is_asked = sqlite3_column_type(row, 0) != SQLITE_NULL;
    entry->is_told = sqlite3_column_type(row, ASKED_COLUMNS) != SQLITE_NULL;
    if (entry->is_asked)
        sane = read_asked(row, &entry->asked);
    if (entry->is_told)
        sane = read_told(row, &entry->told) && sane;
    if (sane)
        return SEPX_OK;
    return sepx_fail(msg, SEPX_EDATA,
                     "%s: trial %u of the log makes no sense; the file is "
                     "damaged, restore a copy",
                     cursor->path,
                     entry->is_asked ? entry->asked.trial : entry->told.trial);
}

enum sepx_err
sepx_store_check(struct sepx_store *store, struct sepx_msg *msg)
{
    char *said;
    enum sepx_err err =
        ask_text(store, &said, "PRAGMA integrity_check(1)", msg);

    if (!err && said && strcmp(said, "ok") != 0)
        err = sepx_fail(msg, SEPX_EDATA,
                        "%s: %.300s; the file is damaged, restore a copy",
                        store->path, said);
    sepx__free(said);
    return err;
}
