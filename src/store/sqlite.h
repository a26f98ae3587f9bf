/* SPDX-License-Identifier: Apache-2.0 */
/* The SQLite back end: what its files share. */
#ifndef SEPX_STORE_SQLITE_H
#define SEPX_STORE_SQLITE_H

#include "store/internal.h"

#include <sqlite3.h>

struct sepx__sqlite {
    struct sepx_store base;
    sqlite3 *db;
    sqlite3_stmt *add_asked, *add_told, *add_retried;
    char *place; /* the path from the root, for one who writes */
    int lock;    /* descriptor, -1: reading only */
    int log;     /* likewise, of the file with the ending -wal */
    bool slow;   /* the transaction has a result worth a wait for the disk */
    bool gone;   /* its path leads elsewhere, or it was overwritten */
    bool lost;   /* the latter */
    struct sepx__place_state state;
    uint32_t checkpoint[4]; /* words of the log's index, see has_checkpoint() */
    struct sepx_msg saved;  /* and what became of its results */
};

static inline struct sepx__sqlite *
sepx__sqlite_of(struct sepx_store *store)
{
    return (struct sepx__sqlite *)store;
}

/* ---- the rows of sepx__store_sqlite that are in other files ---- */

enum sepx_err sepx__sqlite_create(const char *path, const char *settings,
                                  const char *options, struct sepx_msg *msg);
enum sepx_err sepx__sqlite_copy(const char *path, struct sepx_store *from,
                                const struct sepx_store_sieve *sieve,
                                struct sepx_msg *msg);
enum sepx_err sepx__sqlite_renew(struct sepx_store *base, const char *settings,
                                 struct sepx_msg *msg);
enum sepx_err sepx__sqlite_session(struct sepx_store *base, const char *options,
                                   struct sepx_msg *msg);
enum sepx_err sepx__sqlite_spend(struct sepx_store *base, double elapsed,
                                 struct sepx_msg *msg);
enum sepx_err sepx__sqlite_begin(struct sepx_store *base, struct sepx_msg *msg);
enum sepx_err sepx__sqlite_commit(struct sepx_store *base,
                                  struct sepx_msg *msg);
enum sepx_err sepx__sqlite_append(struct sepx_store *base,
                                  const struct sepx_entry *entry,
                                  struct sepx_msg *msg);
enum sepx_err sepx__sqlite_read(struct sepx_store *base,
                                struct sepx_cursor **cursor,
                                enum sepx_store_order order, uint32_t first,
                                struct sepx_msg *msg);
enum sepx_err sepx__sqlite_next(struct sepx_cursor *cursor,
                                struct sepx_entry *entry, struct sepx__row *at,
                                bool *more, struct sepx_msg *msg);
void sepx__sqlite_cursor_free(struct sepx_cursor *cursor);

/* ---- sqlite.c: calls ---- */

/* From the code that an SQLite call returned; `db` may be NULL. */
SEPX_CHECKED enum sepx_err sepx__sqlite_check(const char *path, sqlite3 *db,
                                              int code, struct sepx_msg *msg);
SEPX_CHECKED enum sepx_err sepx__sqlite_execute(struct sepx__sqlite *store,
                                                const char *sql,
                                                struct sepx_msg *msg);
SEPX_CHECKED enum sepx_err
sepx__sqlite_prepare(struct sepx__sqlite *store, sqlite3_stmt **statement,
                     const char *sql, struct sepx_msg *msg);
/* Roll a transaction back, if one is open. */
void sepx__sqlite_undo(struct sepx__sqlite *store);
/* One integer; 0 if the query has no row. */
SEPX_CHECKED enum sepx_err sepx__sqlite_integer(struct sepx__sqlite *store,
                                                int64_t *value, const char *sql,
                                                struct sepx_msg *msg);
/* One text, a copy; NULL if the query has no row. */
SEPX_CHECKED enum sepx_err sepx__sqlite_text(struct sepx__sqlite *store,
                                             char **value, const char *sql,
                                             struct sepx_msg *msg);
/*
 * Open the file at `path`, with the flags of sqlite3_open_v2(). `immutable`:
 * nobody changes the file. Shut a store after a failure too.
 */
SEPX_CHECKED enum sepx_err
sepx__sqlite_open(struct sepx__sqlite *store, const char *path, int flags,
                  bool immutable, struct sepx_msg *msg);
void sepx__sqlite_shut(struct sepx__sqlite *store);

/* ---- sqlite_write.c ---- */

/* Watch the file of a store whose log is locked. */
void sepx__sqlite_watch(struct sepx__sqlite *store);
/* Before closing: what was committed since the file was moved or replaced. */
void sepx__sqlite_leave(struct sepx__sqlite *store);

/* ---- sqlite_schema.c: tables by version ---- */

/* Sets store->version; SEPX_EDATA unless the file is a study's. */
SEPX_CHECKED enum sepx_err sepx__sqlite_identify(struct sepx__sqlite *store,
                                                 struct sepx_msg *msg);
/* The tables of the log anew, without a row; in the caller's transaction. */
SEPX_CHECKED enum sepx_err sepx__sqlite_empty(struct sepx__sqlite *store,
                                              struct sepx_msg *msg);
/* From store->version, 0 being an empty file, to SEPX_STORE_VERSION. */
SEPX_CHECKED enum sepx_err sepx__sqlite_migrate(struct sepx__sqlite *store,
                                                struct sepx_msg *msg);

/* ---- sqlite_read.c: the end of the log ---- */

/* The tables of version 1, under these names, as if they were of today. */
#define SEPX__SQLITE_OLD(asked, told) \
    "WITH asked AS (SELECT *, NULL AS sum FROM main." asked ")," \
    "  told AS (SELECT *, 0 AS attempt, NULL AS sum, NULL AS numbers," \
    "    NULL AS steps FROM main." told ")," \
    "  retried AS (SELECT 0 AS event, 0 AS trial, NULL AS sum WHERE false) "

/* Those of version 2, which has no numbers and steps. */
#define SEPX__SQLITE_NARROW \
    "WITH told AS (SELECT *, NULL AS numbers, NULL AS steps FROM main.told) "

/*
 * sepx_store_read(), the tables being those that `with` defines. `sums`:
 * whether events have one.
 */
SEPX_CHECKED enum sepx_err
sepx__sqlite_read_as(struct sepx__sqlite *store, struct sepx_cursor **cursor,
                     enum sepx_store_order order, uint32_t first,
                     const char *with, bool sums, struct sepx_msg *msg);
/* Sets event and sum of the store. */
SEPX_CHECKED enum sepx_err sepx__sqlite_read_end(struct sepx__sqlite *store,
                                                 struct sepx_msg *msg);

#endif
