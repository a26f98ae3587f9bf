/* SPDX-License-Identifier: Apache-2.0 */
/* The log in an SQLite file: new files, empty or copied. */
#include "store/sqlite.h"

#include <unistd.h>

static enum sepx_err
fill(struct sepx__sqlite *store, const char *settings, const char *options,
     struct sepx_msg *msg)
{
    sqlite3_stmt *statement = NULL;
    enum sepx_err err = sepx__sqlite_migrate(store, msg);

    if (!err)
        err = sepx__sqlite_prepare(store, &statement,
                                   "INSERT INTO study VALUES (1, ?1)", msg);
    if (!err) {
        (void)sqlite3_bind_text(statement, 1, settings, -1, SQLITE_STATIC);
        err = sepx__sqlite_check(store->base.path, store->db,
                                 sqlite3_step(statement), msg);
    }
    sqlite3_finalize(statement);
    if (!err && options)
        err = sepx__sqlite_session(&store->base, options, msg);
    return err;
}

/* ---- drafts: written under another name, and then given its own ---- */

/*
 * The store of a new file. It needs no journal, because nobody looks at a
 * draft that was not finished.
 */
static enum sepx_err
begin_draft(struct sepx__sqlite *draft, struct sepx_text *name,
            const char *path, struct sepx_msg *msg)
{
    enum sepx_err err = sepx__place_check(path, msg);

    *draft = (struct sepx__sqlite){
        .base = {.ops = &sepx__store_sqlite, .path = (char *)(uintptr_t)path},
        .lock = -1,
    };
    if (!err && access(path, F_OK) != 0)
        err = sepx__place_free(path, msg);
    if (!err)
        err = sepx__place_draft(name, path, msg);
    if (!err)
        err = sepx__sqlite_open(draft, name->at, SQLITE_OPEN_READWRITE, false,
                                msg);
    if (!err)
        err = sepx__sqlite_execute(draft, "PRAGMA journal_mode = MEMORY", msg);
    return err;
}

static enum sepx_err
end_draft(struct sepx__sqlite *draft, struct sepx_text *name, enum sepx_err err,
          struct sepx_msg *msg)
{
    sepx__sqlite_shut(draft);
    if (!err)
        err = sepx__place_publish(name->at, draft->base.path, msg);
    if (name->len)
        (void)unlink(name->at);
    sepx_text_release(name);
    return err;
}

enum sepx_err
sepx__sqlite_create(const char *path, const char *settings, const char *options,
                    struct sepx_msg *msg)
{
    struct sepx__sqlite draft;
    struct sepx_text name = {0};
    enum sepx_err err = begin_draft(&draft, &name, path, msg);

    draft.base.settings = (char *)(uintptr_t)settings;
    if (!err)
        err = fill(&draft, settings, options, msg);
    sepx__free(draft.base.options);
    return end_draft(&draft, &name, err, msg);
}

/* All at once: one state of the study, however busy it is. */
static enum sepx_err
copy_pages(struct sepx__sqlite *draft, struct sepx__sqlite *store,
           struct sepx_msg *msg)
{
    sqlite3_backup *backup =
        sqlite3_backup_init(draft->db, "main", store->db, "main");

    if (backup) {
        (void)sqlite3_backup_step(backup, -1);
        (void)sqlite3_backup_finish(backup);
    }
    return sepx__sqlite_check(draft->base.path, draft->db,
                              sqlite3_errcode(draft->db), msg);
}

/* From another back end: the log is written anew, with the same sums. */
static enum sepx_err
copy_events(struct sepx__sqlite *draft, struct sepx_store *from,
            struct sepx_msg *msg)
{
    enum sepx_err err = fill(draft, from->settings, from->options, msg);

    if (!err)
        err = sepx__sqlite_execute(draft, "BEGIN IMMEDIATE", msg);
    if (!err)
        err = sepx__store_append_log(&draft->base, from, msg);
    if (!err)
        err = sepx__sqlite_execute(draft, "COMMIT", msg);
    if (!err && from->options && from->elapsed > 0)
        err = sepx__sqlite_spend(&draft->base, from->elapsed, msg);
    return err;
}

enum sepx_err
sepx__sqlite_copy(const char *path, struct sepx_store *from,
                  struct sepx_msg *msg)
{
    struct sepx__sqlite draft;
    struct sepx_text name = {0};
    enum sepx_err err = begin_draft(&draft, &name, path, msg);

    draft.base.settings = from->settings;
    if (!err)
        err = from->ops == &sepx__store_sqlite
                  ? copy_pages(&draft, sepx__sqlite_of(from), msg)
                  : copy_events(&draft, from, msg);
    sepx__free(draft.base.options);
    return end_draft(&draft, &name, err, msg);
}
