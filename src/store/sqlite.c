/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The log in an SQLite file: calls and opening.
 *
 * Write-ahead logging, so that readers never wait; every write begins with
 * BEGIN IMMEDIATE, because a deferred one that comes to write may find the
 * database busy with no way to wait. With synchronous = NORMAL a commit
 * survives the end of the process; a loss of power may take the last commits
 * with it, never the file, nor a result that took long (sqlite_write.c).
 */
#include "store/sqlite.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define BUSY_MS 10000

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
    case SQLITE_IOERR:
        return "; check the disk and its free space, then resume the study";
    default:
        return "";
    }
}

enum sepx_err
sepx__sqlite_check(const char *path, sqlite3 *db, int code,
                   struct sepx_msg *msg)
{
    const char *what = db ? sqlite3_errmsg(db) : sqlite3_errstr(code);

    if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW)
        return SEPX_OK;
    if (db && (code & 0xff) == SQLITE_IOERR && sqlite3_system_errno(db))
        what = strerror(sqlite3_system_errno(db));
    return sepx_fail(msg, err_of(code), "%s: %s%s", path, what,
                     remedy_of(code));
}

enum sepx_err
sepx__sqlite_execute(struct sepx__sqlite *store, const char *sql,
                     struct sepx_msg *msg)
{
    return sepx__sqlite_check(store->base.path, store->db,
                              sqlite3_exec(store->db, sql, NULL, NULL, NULL),
                              msg);
}

void
sepx__sqlite_undo(struct sepx__sqlite *store)
{
    if (!sqlite3_get_autocommit(store->db))
        (void)sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
}

enum sepx_err
sepx__sqlite_prepare(struct sepx__sqlite *store, sqlite3_stmt **statement,
                     const char *sql, struct sepx_msg *msg)
{
    return sepx__sqlite_check(
        store->base.path, store->db,
        sqlite3_prepare_v2(store->db, sql, -1, statement, NULL), msg);
}

enum sepx_err
sepx__sqlite_integer(struct sepx__sqlite *store, int64_t *value,
                     const char *sql, struct sepx_msg *msg)
{
    sqlite3_stmt *statement = NULL;
    enum sepx_err err = sepx__sqlite_prepare(store, &statement, sql, msg);

    *value = 0;
    if (!err) {
        int code = sqlite3_step(statement);

        err = sepx__sqlite_check(store->base.path, store->db, code, msg);
        if (code == SQLITE_ROW)
            *value = sqlite3_column_int64(statement, 0);
    }
    sqlite3_finalize(statement);
    return err;
}

enum sepx_err
sepx__sqlite_text(struct sepx__sqlite *store, char **value, const char *sql,
                  struct sepx_msg *msg)
{
    sqlite3_stmt *statement = NULL;
    enum sepx_err err = sepx__sqlite_prepare(store, &statement, sql, msg);

    *value = NULL;
    if (!err) {
        int code = sqlite3_step(statement);
        const char *text = NULL;

        err = sepx__sqlite_check(store->base.path, store->db, code, msg);
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
harden(struct sepx__sqlite *store, struct sepx_msg *msg)
{
    (void)sqlite3_busy_timeout(store->db, BUSY_MS);
    (void)sqlite3_extended_result_codes(store->db, 1);
    (void)sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    return sepx__sqlite_execute(
        store,
        "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;"
        "PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL;",
        msg);
}

/*
 * SQLite takes ":memory:" and "file:..." for more than names; behind a folder
 * they are names. In a URI, some characters are written as numbers.
 */
static enum sepx_err
name_for(struct sepx_text *name, const char *path, bool uri)
{
    enum sepx_err err = SEPX_OK;

    if (uri)
        err = sepx_text_print(name, *path == '/' ? "file://" : "file:");
    if (!err && *path != '/')
        err = sepx_text_print(name, "./");
    for (const char *c = path; *c && !err; c++)
        err = sepx_text_print(name, uri && strchr("%?#", *c) ? "%%%02x" : "%c",
                              (unsigned char)*c);
    if (!err && uri)
        err = sepx_text_print(name, "?immutable=1");
    return err;
}

/*
 * Nothing has been read yet, so SQLite has the file but not its log; what is
 * moved from now on keeps both.
 */
static enum sepx_err
check_log(struct sepx__sqlite *store, const char *path, struct sepx_msg *msg)
{
    int moved = 0;
    enum sepx_err err = sepx__place_check_log(path, store->lock >= 0, msg);

    if (!err)
        (void)sqlite3_file_control(store->db, "main", SQLITE_FCNTL_HAS_MOVED,
                                   &moved);
    if (!err && moved)
        err = sepx_fail(msg, SEPX_EBUSY,
                        "%s was replaced at this moment; try again", path);
    return err;
}

enum sepx_err
sepx__sqlite_open(struct sepx__sqlite *store, const char *path, int flags,
                  bool immutable, struct sepx_msg *msg)
{
    struct sepx_text name = {0};
    enum sepx_err err = name_for(&name, path, immutable);

    flags |= SQLITE_OPEN_NOMUTEX | (immutable ? SQLITE_OPEN_URI : 0);
    if (!err) {
        int code = sqlite3_open_v2(name.at, &store->db, flags, NULL);

        err = sepx__sqlite_check(store->base.path, store->db, code, msg);
    }
    if (!err && !immutable)
        err = check_log(store, path, msg);
    sepx_text_release(&name);
    return err ? err : harden(store, msg);
}

void
sepx__sqlite_shut(struct sepx__sqlite *store)
{
    sqlite3_finalize(store->add_asked);
    sqlite3_finalize(store->add_told);
    sqlite3_finalize(store->add_retried);
    store->add_asked = store->add_told = store->add_retried = NULL;
    sqlite3_close(store->db);
    store->db = NULL;
}

/*
 * A log in a folder that cannot be written has no place for the shared
 * memory of its readers. If no writer left anything behind, the file alone
 * is the whole study.
 */
static enum sepx_err
open_immutable(struct sepx__sqlite *store, struct sepx_msg *msg)
{
    struct sepx_text name = {0};
    struct stat log;
    enum sepx_err err = sepx_text_print(&name, "%s-wal", store->base.path);

    if (!err && stat(name.at, &log) == 0 && log.st_size > 0)
        err = sepx_fail(msg, SEPX_EIO,
                        "%s: the folder cannot be written, and %s has events "
                        "that are not in the file yet; copy both elsewhere",
                        store->base.path, name.at);
    sepx__sqlite_shut(store);
    if (!err)
        err = sepx__sqlite_open(store, store->base.path, SQLITE_OPEN_READONLY,
                                true, msg);
    sepx_text_release(&name);
    return err;
}

/* Whether the last call failed because nothing can be written there. */
static bool
is_sealed(const struct sepx__sqlite *store)
{
    int code = store->db ? sqlite3_errcode(store->db) & 0xff : SQLITE_OK;

    return code == SQLITE_CANTOPEN || code == SQLITE_READONLY;
}

/*
 * Readers open the file for writing, too, if they may: the last one to close
 * it then takes away the files that SQLite puts beside it.
 */
static enum sepx_err
open_for(struct sepx__sqlite *store, bool write, struct sepx_msg *msg)
{
    bool may = write || access(store->base.path, W_OK) == 0;
    int64_t ignored;
    enum sepx_err err = sepx__sqlite_open(
        store, store->base.path,
        may ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY, false, msg);

    if (!err && !write)
        err = sepx__sqlite_execute(store, "PRAGMA query_only = ON", msg);
    if (!err)
        err =
            sepx__sqlite_integer(store, &ignored, "PRAGMA schema_version", msg);
    if (err && !write && is_sealed(store))
        err = open_immutable(store, msg);
    return err;
}

/* Results have their times; this is for sessions that had none. */
static enum sepx_err
read_elapsed(struct sepx__sqlite *store, struct sepx_msg *msg)
{
    sqlite3_stmt *statement = NULL;
    enum sepx_err err = SEPX_OK;

    if (store->base.version < 2)
        return err;
    err = sepx__sqlite_prepare(
        store, &statement, "SELECT ifnull(max(elapsed), 0) FROM spent", msg);
    if (!err) {
        int code = sqlite3_step(statement);
        double elapsed = 0;

        err = sepx__sqlite_check(store->base.path, store->db, code, msg);
        if (code == SQLITE_ROW)
            elapsed = sqlite3_column_double(statement, 0);
        sepx__store_take_elapsed(&store->base, elapsed, true);
    }
    sqlite3_finalize(statement);
    return err;
}

static enum sepx_err
read_head(struct sepx__sqlite *store, struct sepx_msg *msg)
{
    enum sepx_err err = sepx__sqlite_text(store, &store->base.settings,
                                          "SELECT settings FROM study", msg);

    if (!err && !store->base.settings)
        err = sepx_fail(msg, SEPX_EDATA,
                        "%s: no settings in it; the file is "
                        "damaged, restore a copy",
                        store->base.path);
    if (!err)
        err = sepx__sqlite_text(
            store, &store->base.options,
            "SELECT options FROM session ORDER BY id DESC LIMIT 1", msg);
    return err ? err : read_elapsed(store, msg);
}

/* The last session is named if its process is there; it may be an older one. */
static enum sepx_err
busy(struct sepx__sqlite *store, struct sepx_msg *msg)
{
    struct sepx_store *other;
    int64_t pid = -1;

    if (!sepx_store_open(&other, store->base.path, false, NULL))
        pid = sepx_store_writer(other);
    sepx_store_close(other);
    if (pid <= 0 || (kill((pid_t)pid, 0) != 0 && errno == ESRCH))
        return sepx_fail(msg, SEPX_EBUSY,
                         "%s: another process runs this study; try again later",
                         store->base.path);
    return sepx_fail(msg, SEPX_EBUSY,
                     "%s: process %lld runs this study; stop it or wait",
                     store->base.path, (long long)pid);
}

static enum sepx_err
lock_log(struct sepx__sqlite *store, struct sepx_msg *msg)
{
    struct sepx_text name = {0};
    enum sepx_err err = sepx__place_log(&name, store->place);

    if (!err)
        err = sepx__place_lock(&store->log, name.at, msg);
    sepx_text_release(&name);
    return err == SEPX_EBUSY ? busy(store, msg) : err;
}

static enum sepx_err
open_store(struct sepx__sqlite *store, bool write, struct sepx_msg *msg)
{
    bool locked = false;
    enum sepx_err err;

    err = sepx__place_files(store->base.path, msg);
    if (!err)
        err = sepx__place_check(store->base.path, msg);
    if (!err && write) {
        err = sepx__place_lock(&store->lock, store->base.path, msg);
        if (err == SEPX_EBUSY)
            return busy(store, msg);
        if (!err)
            err = sepx__place_find(&store->place, store->base.path, msg);
    } else if (!err) {
        locked = sepx__place_locked(store->base.path);
    }
    if (!err)
        err = open_for(store, write, msg);
    if (!err)
        err = sepx__sqlite_identify(store, msg);
    if (!err)
        err = read_head(store, msg);
    if (!err && write)
        err = sepx__sqlite_execute(store, "PRAGMA journal_mode = WAL", msg);
    if (!err && write)
        err = sepx__sqlite_migrate(store, msg);
    if (!err && write)
        err = sepx__sqlite_read_end(store, msg);
    if (!err && write)
        err = lock_log(store, msg);
    if (!err && write)
        sepx__sqlite_watch(store);
    if (!err && locked)
        err = sepx__sqlite_integer(
            store, &store->base.writer,
            "SELECT pid FROM session ORDER BY id DESC LIMIT 1", msg);
    return err;
}

static void
close_store(struct sepx_store *base)
{
    struct sepx__sqlite *store = sepx__sqlite_of(base);

    sepx__sqlite_leave(store);
    sepx__sqlite_shut(store);
    sepx__place_unlock(&store->log);
    sepx__place_unlock(&store->lock);
    sepx__free(store->place);
    sepx__free(base->path);
    sepx__free(base->settings);
    sepx__free(base->options);
    sepx__free(store);
}

static enum sepx_err
open_path(struct sepx_store **store, const char *path, bool write,
          struct sepx_msg *msg)
{
    struct sepx__sqlite *made = sepx__calloc(1, sizeof *made);
    enum sepx_err err = SEPX_ENOMEM;

    if (!made)
        return err;
    made->base.ops = &sepx__store_sqlite;
    made->base.writer = -1;
    made->lock = made->log = -1;
    made->base.path = sepx__strdup(path);
    if (made->base.path)
        err = open_store(made, write, msg);
    if (err)
        close_store(&made->base);
    else
        *store = &made->base;
    return err;
}

/* ---- checking ---- */

static enum sepx_err
check_pages(struct sepx_store *base, struct sepx_msg *msg)
{
    struct sepx__sqlite *store = sepx__sqlite_of(base);
    char *said;
    enum sepx_err err =
        sepx__sqlite_text(store, &said, "PRAGMA integrity_check(1)", msg);

    if (!err && said && strcmp(said, "ok") != 0)
        err = sepx_fail(msg, SEPX_EDATA,
                        "%s: %.300s; the file is damaged, restore a copy",
                        store->base.path, said);
    sepx__free(said);
    return err;
}

const struct sepx__store_ops sepx__store_sqlite = {
    .name = "sqlite",
    .create = sepx__sqlite_create,
    .open = open_path,
    .close = close_store,
    .copy = sepx__sqlite_copy,
    .session = sepx__sqlite_session,
    .spend = sepx__sqlite_spend,
    .begin = sepx__sqlite_begin,
    .commit = sepx__sqlite_commit,
    .append = sepx__sqlite_append,
    .renew = sepx__sqlite_renew,
    .read = sepx__sqlite_read,
    .next = sepx__sqlite_next,
    .cursor_free = sepx__sqlite_cursor_free,
    .check = check_pages,
};
