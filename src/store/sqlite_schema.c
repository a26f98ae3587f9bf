/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of a study, version by version. A file must have exactly the
 * tables, indexes and triggers of its version, word for word: files come
 * from anywhere, and a view or a trigger in one of them is a program.
 */
#include "store/sqlite.h"

#include <stdio.h>
#include <string.h>

#define APPLICATION_ID 0x73657078 /* "sepx" */

/* clang-format off */
#define HEAD \
    "CREATE TABLE study(" \
    "  id INTEGER PRIMARY KEY CHECK (id = 1)," \
    "  settings TEXT NOT NULL) STRICT;" \
    "CREATE TABLE session(" \
    "  id INTEGER PRIMARY KEY, began REAL NOT NULL, pid INTEGER NOT NULL," \
    "  host TEXT NOT NULL, options TEXT NOT NULL) STRICT;"

#define KEPT(table) \
    "CREATE TRIGGER " table "_stays BEFORE UPDATE ON " table \
    "  BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;" \
    "CREATE TRIGGER " table "_is_kept BEFORE DELETE ON " table \
    "  BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;"

#define TOLD_REST \
    "CREATE INDEX told_value ON told(value, trial) WHERE value IS NOT NULL;" \
    KEPT("told")

#define REST TOLD_REST KEPT("asked")

#define TABLES_1 \
    "CREATE TABLE asked(" \
    "  trial INTEGER PRIMARY KEY, event INTEGER NOT NULL UNIQUE," \
    "  operator TEXT NOT NULL, parent1 INTEGER, parent2 INTEGER," \
    "  fidelity REAL NOT NULL, same INTEGER, graph TEXT NOT NULL) STRICT;" \
    "CREATE TABLE told(" \
    "  trial INTEGER PRIMARY KEY REFERENCES asked(trial)," \
    "  event INTEGER NOT NULL UNIQUE, outcome TEXT NOT NULL, value REAL," \
    "  test REAL, cost REAL, cached INTEGER, answer TEXT, errors TEXT," \
    "  slot TEXT, seconds REAL NOT NULL, finished REAL NOT NULL," \
    "  elapsed REAL NOT NULL) STRICT;"

#define ASKED_2 \
    "CREATE TABLE asked(" \
    "  trial INTEGER PRIMARY KEY, event INTEGER NOT NULL UNIQUE," \
    "  operator TEXT NOT NULL, parent1 INTEGER, parent2 INTEGER," \
    "  fidelity REAL NOT NULL, same INTEGER, graph TEXT NOT NULL," \
    "  sum BLOB NOT NULL) STRICT;"

#define TOLD_2 \
    "CREATE TABLE told(" \
    "  trial INTEGER NOT NULL REFERENCES asked(trial)," \
    "  attempt INTEGER NOT NULL DEFAULT 0, event INTEGER NOT NULL UNIQUE," \
    "  outcome TEXT NOT NULL, value REAL, test REAL, cost REAL," \
    "  cached INTEGER, answer TEXT, errors TEXT, slot TEXT," \
    "  seconds REAL NOT NULL, finished REAL NOT NULL, elapsed REAL NOT NULL," \
    "  sum BLOB NOT NULL, PRIMARY KEY (trial, attempt)) STRICT;"

#define TOLD_3 \
    "CREATE TABLE told(" \
    "  trial INTEGER NOT NULL REFERENCES asked(trial)," \
    "  attempt INTEGER NOT NULL DEFAULT 0, event INTEGER NOT NULL UNIQUE," \
    "  outcome TEXT NOT NULL, value REAL, test REAL, cost REAL," \
    "  cached INTEGER, answer TEXT, errors TEXT, slot TEXT," \
    "  seconds REAL NOT NULL, finished REAL NOT NULL, elapsed REAL NOT NULL," \
    "  numbers TEXT, steps TEXT, sum BLOB NOT NULL," \
    "  PRIMARY KEY (trial, attempt)) STRICT;"

#define OTHERS_2 \
    "CREATE TABLE retried(" \
    "  event INTEGER NOT NULL UNIQUE," \
    "  trial INTEGER NOT NULL REFERENCES asked(trial)," \
    "  sum BLOB NOT NULL) STRICT;" \
    "CREATE TABLE spent(" \
    "  session INTEGER PRIMARY KEY, elapsed REAL NOT NULL) STRICT;"

#define REST_2 REST \
    "CREATE INDEX retried_trial ON retried(trial);" \
    KEPT("retried")

/* What a file of each version has; never changed once released. */
static const struct {
    const char *sql;
    int64_t count; /* of statements */
} schemas[] = {
    [1] = {HEAD TABLES_1 REST, 9},
    [2] = {HEAD ASKED_2 TOLD_2 OTHERS_2 REST_2, 14},
    [3] = {HEAD ASKED_2 TOLD_3 OTHERS_2 REST_2, 14},
};
/* clang-format on */
_Static_assert(sizeof schemas / sizeof schemas[0] == SEPX_STORE_VERSION + 1,
               "a schema for each version");

/* ---- whose file it is ---- */

/* Whether it is a whole statement of the schema. */
static bool
is_part(const char *schema, const char *sql)
{
    const char *at = strstr(schema, sql);
    size_t len = strlen(sql);

    return at && len && at[len] == ';' && (at == schema || at[-1] == ';');
}

static enum sepx_err
foreign(const struct sepx__sqlite *store, const char *type, const char *name,
        struct sepx_msg *msg)
{
    return sepx_fail(msg, SEPX_EDATA,
                     "%s: %.20s '%.40s' is not that of a study; another "
                     "program made or changed this file, restore a copy",
                     store->base.path, type ? type : "object",
                     name ? name : "");
}

static enum sepx_err
check_schema(struct sepx__sqlite *store, struct sepx_msg *msg)
{
    const char *schema = schemas[store->base.version].sql;
    sqlite3_stmt *row = NULL;
    int64_t count = 0;
    int code = SQLITE_DONE;
    enum sepx_err err = sepx__sqlite_prepare(
        store, &row,
        "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL", msg);

    while (!err && (code = sqlite3_step(row)) == SQLITE_ROW) {
        const char *sql = (const char *)sqlite3_column_text(row, 2);

        count++;
        if (!sql || !is_part(schema, sql))
            err = foreign(store, (const char *)sqlite3_column_text(row, 0),
                          (const char *)sqlite3_column_text(row, 1), msg);
    }
    if (!err)
        err = sepx__sqlite_check(store->base.path, store->db, code, msg);
    if (!err && count != schemas[store->base.version].count)
        err = sepx_fail(msg, SEPX_EDATA,
                        "%s: it lacks tables that a study has; the file is "
                        "damaged, restore a copy",
                        store->base.path);
    sqlite3_finalize(row);
    return err;
}

enum sepx_err
sepx__sqlite_identify(struct sepx__sqlite *store, struct sepx_msg *msg)
{
    int64_t owner, version;
    enum sepx_err err =
        sepx__sqlite_integer(store, &owner, "PRAGMA application_id", msg);

    if (!err)
        err = sepx__sqlite_integer(store, &version, "PRAGMA user_version", msg);
    if (err)
        return err;
    if (owner != APPLICATION_ID || version < 1)
        return sepx_fail(msg, SEPX_EDATA,
                         "%s: a database, but no study of sepx; check the path",
                         store->base.path);
    if (version > SEPX_STORE_VERSION)
        return sepx_fail(msg, SEPX_EDATA,
                         "%s: written by a newer sepx (version %lld of the "
                         "file, this program knows %d); update sepx",
                         store->base.path, (long long)version,
                         SEPX_STORE_VERSION);
    store->base.version = (int)version;
    return check_schema(store, msg);
}

/* ---- steps ---- */

static enum sepx_err
from_nothing(struct sepx__sqlite *store, struct sepx_msg *msg)
{
    char sql[64];
    enum sepx_err err;

    (void)snprintf(sql, sizeof sql, "PRAGMA application_id = %d",
                   APPLICATION_ID);
    err = sepx__sqlite_execute(store, sql, msg);
    return err ? err
               : sepx__sqlite_execute(store, schemas[SEPX_STORE_VERSION].sql,
                                      msg);
}

/* Attempts, retries and sums: the log is written anew, event by event. */
static enum sepx_err
from_version_1(struct sepx__sqlite *store, struct sepx_msg *msg)
{
    struct sepx_cursor *cursor = NULL;
    enum sepx_err err = sepx__sqlite_execute(
        store,
        "ALTER TABLE told RENAME TO told1; ALTER TABLE asked RENAME TO "
        "asked1;" ASKED_2 TOLD_3 OTHERS_2,
        msg);

    store->base.event = 0;
    store->base.sum = sepx__sum_begin(store->base.settings);
    if (!err)
        err = sepx__sqlite_read_as(store, &cursor, SEPX_STORE_LOG, 0,
                                   SEPX__SQLITE_OLD("asked1", "told1"), false,
                                   msg);
    if (!err)
        err = sepx__store_append_all(&store->base, cursor, msg);
    sepx_cursor_free(cursor);
    if (!err)
        err = sepx__sqlite_execute(
            store, "DROP TABLE told1; DROP TABLE asked1;" REST_2, msg);
    return err;
}

/* Two columns of results; sums stay, because those of old events are NULL. */
static enum sepx_err
from_version_2(struct sepx__sqlite *store, struct sepx_msg *msg)
{
    return sepx__sqlite_execute(
        store,
        "ALTER TABLE told RENAME TO told2;" TOLD_3
        "INSERT INTO told(trial, attempt, event, outcome, value, test, cost,"
        "  cached, answer, errors, slot, seconds, finished, elapsed, sum)"
        "  SELECT trial, attempt, event, outcome, value, test, cost,"
        "  cached, answer, errors, slot, seconds, finished, elapsed, sum"
        "  FROM told2;"
        "DROP TABLE told2;" TOLD_REST,
        msg);
}

/* Triggers refuse to delete rows, so the tables go; those that refer first. */
enum sepx_err
sepx__sqlite_empty(struct sepx__sqlite *store, struct sepx_msg *msg)
{
    return sepx__sqlite_execute(
        store,
        "DROP TABLE retried; DROP TABLE told; DROP TABLE asked;"
        "DROP TABLE spent;" ASKED_2 TOLD_3 OTHERS_2 REST_2,
        msg);
}

/* Step i brings a file of version i, 0 being an empty one, up to date. */
static enum sepx_err (*const steps[])(struct sepx__sqlite *store,
                                      struct sepx_msg *msg) = {
    from_nothing,
    from_version_1,
    from_version_2,
};
_Static_assert(sizeof steps / sizeof steps[0] == SEPX_STORE_VERSION,
               "a step for each version");

enum sepx_err
sepx__sqlite_migrate(struct sepx__sqlite *store, struct sepx_msg *msg)
{
    char sql[64];
    enum sepx_err err;

    if (store->base.version == SEPX_STORE_VERSION)
        return SEPX_OK;
    err = sepx__sqlite_execute(store, "BEGIN IMMEDIATE", msg);
    if (!err)
        err = steps[store->base.version](store, msg);
    (void)snprintf(sql, sizeof sql, "PRAGMA user_version = %d",
                   SEPX_STORE_VERSION);
    if (!err)
        err = sepx__sqlite_execute(store, sql, msg);
    if (!err)
        err = sepx__sqlite_execute(store, "COMMIT", msg);
    if (!err)
        store->base.version = SEPX_STORE_VERSION;
    else
        sepx__sqlite_undo(store);
    return err;
}
