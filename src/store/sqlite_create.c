/* SPDX-License-Identifier: Apache-2.0 */
/* The log in an SQLite file: new files, empty or copied, and begun anew. */
#include "store/sqlite.h"

#include <unistd.h>

static enum sepx_err
put_settings(struct sepx__sqlite *store, const char *settings,
             struct sepx_msg *msg)
{
    sqlite3_stmt *statement = NULL;
    enum sepx_err err = sepx__sqlite_prepare(
        store, &statement, "INSERT OR REPLACE INTO study VALUES (1, ?1)", msg);

    if (!err) {
        (void)sqlite3_bind_text(statement, 1, settings, -1, SQLITE_STATIC);
        err = sepx__sqlite_check(store->base.path, store->db,
                                 sqlite3_step(statement), msg);
    }
    sqlite3_finalize(statement);
    return err;
}

/* In place, under the study's lock: no other process can take the name. */
enum sepx_err
sepx__sqlite_renew(struct sepx_store *base, const char *settings,
                   struct sepx_msg *msg)
{
    struct sepx__sqlite *store = sepx__sqlite_of(base);
    enum sepx_err err = sepx__sqlite_begin(base, msg);

    if (!err)
        err = sepx__sqlite_empty(store, msg);
    if (!err)
        err = put_settings(store, settings, msg);
    if (!err)
        return sepx__sqlite_commit(base, msg);
    sepx__sqlite_undo(store);
    return err;
}

static enum sepx_err
fill(struct sepx__sqlite *store, const char *settings, const char *options,
     struct sepx_msg *msg)
{
    enum sepx_err err = sepx__sqlite_migrate(store, msg);

    if (!err)
        err = put_settings(store, settings, msg);
    if (!err && options)
        err = sepx__sqlite_session(&store->base, options, msg);
    return err;
}

/* ---- new files: written under a temporary name, renamed when done ---- */

/*
 * The store of a new file. It needs no journal, because nobody looks at a
 * file that was not finished.
 */
static enum sepx_err
begin_new(struct sepx__sqlite *fresh, struct sepx_text *name, const char *path,
          struct sepx_msg *msg)
{
    enum sepx_err err = sepx__place_check(path, msg);

    *fresh = (struct sepx__sqlite){
        .base = {.ops = &sepx__store_sqlite, .path = (char *)(uintptr_t)path},
        .lock = -1,
        .log = -1,
    };
    if (!err && access(path, F_OK) != 0)
        err = sepx__place_free(path, msg);
    if (!err)
        err = sepx__place_new(name, path, msg);
    if (!err)
        err = sepx__sqlite_open(fresh, name->at, SQLITE_OPEN_READWRITE, false,
                                msg);
    if (!err)
        err = sepx__sqlite_execute(fresh, "PRAGMA journal_mode = MEMORY", msg);
    return err;
}

static enum sepx_err
end_new(struct sepx__sqlite *fresh, struct sepx_text *name, enum sepx_err err,
        struct sepx_msg *msg)
{
    sepx__sqlite_shut(fresh);
    if (!err)
        err = sepx__place_publish(name->at, fresh->base.path, msg);
    if (name->len)
        (void)unlink(name->at);
    sepx_text_release(name);
    return err;
}

enum sepx_err
sepx__sqlite_create(const char *path, const char *settings, const char *options,
                    struct sepx_msg *msg)
{
    struct sepx__sqlite fresh;
    struct sepx_text name = {0};
    enum sepx_err err = begin_new(&fresh, &name, path, msg);

    fresh.base.settings = (char *)(uintptr_t)settings;
    if (!err)
        err = fill(&fresh, settings, options, msg);
    sepx__free(fresh.base.options);
    return end_new(&fresh, &name, err, msg);
}

/* All at once: one state of the study, however busy it is. */
static enum sepx_err
copy_pages(struct sepx__sqlite *fresh, struct sepx__sqlite *store,
           struct sepx_msg *msg)
{
    sqlite3_backup *backup =
        sqlite3_backup_init(fresh->db, "main", store->db, "main");

    if (backup) {
        (void)sqlite3_backup_step(backup, -1);
        (void)sqlite3_backup_finish(backup);
    }
    return sepx__sqlite_check(fresh->base.path, fresh->db,
                              sqlite3_errcode(fresh->db), msg);
}

/* From another back end, or some of it: the log is written anew. */
static enum sepx_err
copy_events(struct sepx__sqlite *fresh, struct sepx_store *from,
            const struct sepx_store_sieve *sieve, struct sepx_msg *msg)
{
    enum sepx_err err = fill(fresh, from->settings, from->options, msg);

    if (!err)
        err = sepx__sqlite_execute(fresh, "BEGIN IMMEDIATE", msg);
    if (!err)
        err = sepx__store_append_log(&fresh->base, from, sieve, msg);
    if (!err)
        err = sepx__sqlite_execute(fresh, "COMMIT", msg);
    if (!err && from->options && from->elapsed > 0)
        err = sepx__sqlite_spend(&fresh->base, from->elapsed, msg);
    return err;
}

enum sepx_err
sepx__sqlite_copy(const char *path, struct sepx_store *from,
                  const struct sepx_store_sieve *sieve, struct sepx_msg *msg)
{
    struct sepx__sqlite fresh;
    struct sepx_text name = {0};
    enum sepx_err err = begin_new(&fresh, &name, path, msg);

    fresh.base.settings = from->settings;
    if (!err)
        err = from->ops == &sepx__store_sqlite && !sieve
                  ? copy_pages(&fresh, sepx__sqlite_of(from), msg)
                  : copy_events(&fresh, from, sieve, msg);
    sepx__free(fresh.base.options);
    return end_new(&fresh, &name, err, msg);
}
