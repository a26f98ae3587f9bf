/* SPDX-License-Identifier: Apache-2.0 */
/* The log in an SQLite file: events and trials are read. */
#include "store/sqlite.h"

#include <math.h>
#include <string.h>

/* clang-format off */
#define ASKED "a.trial, a.operator, a.parent1, a.parent2, a.fidelity, " \
              "a.same, a.graph"
#define TOLD "t.trial, t.attempt, t.outcome, t.value, t.test, t.cost, " \
             "t.cached, t.answer, t.errors, t.slot, t.seconds, t.finished, " \
             "t.elapsed, t.numbers, t.steps"
#define NO_ASKED "NULL, NULL, NULL, NULL, NULL, NULL, NULL"
#define NO_TOLD NO_ASKED ", NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL"
/* Where columns begin. */
enum { AT_ASKED = 0, AT_TOLD = 7, AT_RETRIED = 22, AT_KEY, AT_SUM };

/* An attempt was made for each time that the trial was retried. */
#define LAST "t.trial = a.trial AND t.attempt = " \
             "(SELECT count(*) FROM retried r WHERE r.trial = a.trial)"

static const char *const queries[] = {
    [SEPX_STORE_LOG] =
        "SELECT " ASKED ", " NO_TOLD ", NULL, a.event AS event, a.sum"
        "  FROM asked a WHERE ?1 >= 0 "
        "UNION ALL "
        "SELECT " NO_ASKED ", " TOLD ", NULL, t.event, t.sum FROM told t "
        "UNION ALL "
        "SELECT " NO_ASKED ", " NO_TOLD ", r.trial, r.event, r.sum"
        "  FROM retried r ORDER BY event",
    [SEPX_STORE_TRIALS] =
        "SELECT " ASKED ", " TOLD ", NULL, a.trial FROM asked a"
        "  LEFT JOIN told t ON " LAST " WHERE a.trial >= ?1 ORDER BY a.trial",
    [SEPX_STORE_BEST] =
        "SELECT " ASKED ", " TOLD ", NULL, NULL FROM told t"
        "  JOIN asked a ON " LAST " WHERE t.value IS NOT NULL AND ?1 >= 0"
        "  ORDER BY t.value, t.trial",
};
/* clang-format on */

struct cursor {
    struct sepx_cursor base;
    sqlite3_stmt *statement;
};

/* ---- opening ---- */

enum sepx_err
sepx__sqlite_read_as(struct sepx__sqlite *store, struct sepx_cursor **cursor,
                     enum sepx_store_order order, uint32_t first,
                     const char *with, bool sums, struct sepx_msg *msg)
{
    struct cursor *made = sepx__calloc(1, sizeof *made);
    struct sepx_text sql = {0};
    enum sepx_err err;

    *cursor = NULL;
    if (!made)
        return SEPX_ENOMEM;
    made->base = (struct sepx_cursor){
        .ops = &sepx__store_sqlite,
        .path = store->base.path,
        .key = -1,
        .sums = order == SEPX_STORE_LOG && sums,
        .sum = sepx__sum_begin(store->base.settings),
    };
    err = sepx_text_print(&sql, "%s%s", with, queries[order]);
    if (!err)
        err = sepx__sqlite_prepare(store, &made->statement, sql.at, msg);
    sepx_text_release(&sql);
    if (err) {
        sepx__sqlite_cursor_free(&made->base);
        return err;
    }
    (void)sqlite3_bind_int64(made->statement, 1, first);
    *cursor = &made->base;
    return SEPX_OK;
}

enum sepx_err
sepx__sqlite_read(struct sepx_store *base, struct sepx_cursor **cursor,
                  enum sepx_store_order order, uint32_t first,
                  struct sepx_msg *msg)
{
    static const char *const with[] = {
        [1] = SEPX__SQLITE_OLD("asked", "told"),
        [2] = SEPX__SQLITE_NARROW,
        [SEPX_STORE_VERSION] = "",
    };

    return sepx__sqlite_read_as(sepx__sqlite_of(base), cursor, order, first,
                                with[base->version], base->version > 1, msg);
}

void
sepx__sqlite_cursor_free(struct sepx_cursor *base)
{
    struct cursor *cursor = (struct cursor *)base;

    sqlite3_finalize(cursor->statement);
    sepx__free(cursor);
}

/* ---- rows ---- */

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

/* NULL, and *sane is false, if there is a byte 0 in it. */
static const char *
text_at(sqlite3_stmt *row, int column, bool *sane)
{
    const char *text = (const char *)sqlite3_column_text(row, column);

    if (!text || strlen(text) == (size_t)sqlite3_column_bytes(row, column))
        return text;
    *sane = false;
    return NULL;
}

static bool
is_trial(int64_t trial)
{
    return trial >= 0 && trial <= SEPX__TRIAL_MAX;
}

static bool
read_asked(sqlite3_stmt *row, struct sepx_asked *asked)
{
    const int at = AT_ASKED;
    int64_t trial = sqlite3_column_int64(row, at);
    bool sane = true;

    *asked = (struct sepx_asked){
        .trial = (uint32_t)trial,
        .op = text_at(row, at + 1, &sane),
        .parent = {trial_at(row, at + 2), trial_at(row, at + 3)},
        .fidelity = number_at(row, at + 4),
        .same = trial_at(row, at + 5),
        .graph = text_at(row, at + 6, &sane),
    };
    return sane && is_trial(trial);
}

static bool
read_told(sqlite3_stmt *row, struct sepx_told *told)
{
    const int at = AT_TOLD;
    int64_t trial = sqlite3_column_int64(row, at);
    int64_t attempt = sqlite3_column_int64(row, at + 1);
    bool sane = true;

    *told = (struct sepx_told){
        .trial = (uint32_t)trial,
        .attempt = (uint32_t)attempt,
        .outcome = text_at(row, at + 2, &sane),
        .value = number_at(row, at + 3),
        .test = number_at(row, at + 4),
        .cost = number_at(row, at + 5),
        .cached = trial_at(row, at + 6),
        .answer = text_at(row, at + 7, &sane),
        .errors = text_at(row, at + 8, &sane),
        .slot = text_at(row, at + 9, &sane),
        .seconds = number_at(row, at + 10),
        .finished = number_at(row, at + 11),
        .elapsed = number_at(row, at + 12),
        .numbers = text_at(row, at + 13, &sane),
        .steps = text_at(row, at + 14, &sane),
    };
    return sane && is_trial(trial) && attempt >= 0 && attempt <= UINT32_MAX;
}

static bool
read_retried(sqlite3_stmt *row, uint32_t *retried)
{
    int64_t trial = sqlite3_column_int64(row, AT_RETRIED);

    *retried = (uint32_t)trial;
    return is_trial(trial);
}

static bool
has(sqlite3_stmt *row, int column)
{
    return sqlite3_column_type(row, column) != SQLITE_NULL;
}

static bool
read_row(sqlite3_stmt *row, struct sepx_entry *entry)
{
    bool sane = true;

    *entry = (struct sepx_entry){
        .is_asked = has(row, AT_ASKED),
        .is_told = has(row, AT_TOLD),
        .is_retried = has(row, AT_RETRIED),
    };
    if (entry->is_asked)
        sane = read_asked(row, &entry->asked);
    if (entry->is_told)
        sane = read_told(row, &entry->told) && sane;
    if (entry->is_retried)
        sane = read_retried(row, &entry->retried) && sane;
    return sane;
}

enum sepx_err
sepx__sqlite_next(struct sepx_cursor *base, struct sepx_entry *entry,
                  struct sepx__row *at, bool *more, struct sepx_msg *msg)
{
    sqlite3_stmt *row = ((struct cursor *)base)->statement;
    int code = sqlite3_step(row);

    *more = code == SQLITE_ROW;
    if (!*more)
        return sepx__sqlite_check(base->path, sqlite3_db_handle(row), code,
                                  msg);
    at->odd = !read_row(row, entry);
    at->keyed = has(row, AT_KEY);
    at->key = sqlite3_column_int64(row, AT_KEY);
    if (base->sums) {
        at->sum = sqlite3_column_blob(row, AT_SUM);
        at->sum_len = (size_t)sqlite3_column_bytes(row, AT_SUM);
    }
    return SEPX_OK;
}

/* ---- the end ---- */

enum sepx_err
sepx__sqlite_read_end(struct sepx__sqlite *store, struct sepx_msg *msg)
{
    sqlite3_stmt *row = NULL;
    int code = SQLITE_DONE;
    enum sepx_err err = sepx__sqlite_prepare(
        store, &row,
        "SELECT event, sum FROM asked UNION ALL SELECT event, sum FROM told "
        "UNION ALL SELECT event, sum FROM retried ORDER BY event DESC LIMIT 1",
        msg);

    store->base.event = 0;
    store->base.sum = sepx__sum_begin(store->base.settings);
    if (!err) {
        code = sqlite3_step(row);
        err = sepx__sqlite_check(store->base.path, store->db, code, msg);
    }
    if (code == SQLITE_ROW) {
        store->base.event = sqlite3_column_int64(row, 0);
        if (sqlite3_column_bytes(row, 1) == SEPX__SUM_BYTES)
            store->base.sum = sepx__sum_read(sqlite3_column_blob(row, 1));
    }
    sqlite3_finalize(row);
    return err;
}
