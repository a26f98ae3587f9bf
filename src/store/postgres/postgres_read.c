/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The log on a PostgreSQL server: events and trials are read.
 *
 * In pieces, each a query of its own. They fit together because nothing that
 * is in the log changes: a cursor reads what was there at its beginning, by
 * the number of the last event.
 */
#include "store/postgres/postgres.h"
#include "store/claims.h"

#include <math.h>
#include <string.h>

enum { PIECE = 4096, FEW = 64 };
/* Where columns begin, as in postgres_query.c. */
enum { AT_ASKED = 0, AT_TOLD = 7, AT_RETRIED = 22, AT_KEY, AT_SUM };

struct cursor {
    struct sepx_cursor base;
    struct sepx__pg *pg;
    enum sepx_store_order order;
    PGresult *rows;
    int row;
    int64_t first; /* where it began */
    int64_t next;  /* event behind which, or trial at which, to read on */
    int64_t until; /* the last event */
    int64_t piece;
    bool all;     /* rows of the log behind `until` and behind gaps, too */
    double value; /* of the last row, and its trial */
    int64_t trial;
};

/* ---- opening ---- */

/*
 * Every worker may write to the head, so one that is behind the events could
 * hide them, and one that is ahead would stand for events that never were.
 */
enum sepx_err
sepx__pg_end(struct sepx__pg *pg, int64_t *event,
             unsigned char sum[SEPX__SUM_BYTES], struct sepx_msg *msg)
{
    PGresult *rows;
    bool sane = true;
    int64_t last = 0, first = 1;
    enum sepx_err err = sepx__pg_queue(pg, SEPX__PG_END, msg, pg->study);

    if (!err)
        err = sepx__pg_finish(pg, &rows, 1, msg);
    if (err)
        return err;
    *event = -1;
    if (PQntuples(rows) == 1 && PQgetlength(rows, 0, 1) == SEPX__SUM_BYTES) {
        *event = sepx__pg_integer(rows, 0, 0, -1, &sane);
        last = sepx__pg_integer(rows, 0, 2, 0, &sane);
        first = sepx__pg_integer(rows, 0, 3, 1, &sane);
        memcpy(sum, PQgetvalue(rows, 0, 1), SEPX__SUM_BYTES);
    }
    PQclear(rows);
    if (*event < 0 || !sane)
        return sepx_fail(msg, SEPX_EDATA,
                         "%s: the end of its log is missing; " SEPX__LOG_REMEDY,
                         pg->base.path);
    if (first < 1)
        return sepx_fail(msg, SEPX_EDATA,
                         "%s: event %lld has no number of its own; the log was "
                         "changed or is damaged, " SEPX__LOG_REMEDY,
                         pg->base.path, (long long)first);
    if (*event == last)
        return SEPX_OK;
    return sepx_fail(msg, SEPX_EDATA,
                     "%s: its log ends at event %lld, its events at %lld; the "
                     "log was changed or is damaged, " SEPX__LOG_REMEDY,
                     pg->base.path, (long long)*event, (long long)last);
}

static enum sepx_err
open_cursor(struct sepx__pg *pg, struct sepx_cursor **cursor,
            const struct cursor *like, struct sepx_msg *msg)
{
    struct cursor *made = sepx__alloc(sizeof *made);

    if (!made)
        return SEPX_ENOMEM;
    *made = *like;
    made->pg = pg;
    made->base.ops = pg->base.ops;
    made->base.path = pg->base.path;
    made->piece = like->order == SEPX_STORE_BEST ? FEW : PIECE;
    if (made->until < 0) {
        unsigned char sum[SEPX__SUM_BYTES];
        enum sepx_err err = sepx__pg_end(pg, &made->until, sum, msg);

        if (err) {
            sepx__free(made);
            return err;
        }
    }
    *cursor = &made->base;
    return SEPX_OK;
}

enum sepx_err
sepx__pg_read(struct sepx_store *base, struct sepx_cursor **cursor,
              enum sepx_store_order order, uint32_t first, struct sepx_msg *msg)
{
    const struct cursor like = {
        .base = {.key = -1,
                 .sums = order == SEPX_STORE_LOG,
                 .sum = sepx__sum_begin(base->settings)},
        .order = order,
        .next = order == SEPX_STORE_TRIALS ? first : 0,
        .until = -1,
        .value = -INFINITY,
        .trial = -1,
    };

    return open_cursor(sepx__pg_of(base), cursor, &like, msg);
}

/* Events behind the last that the caller knows of, up to those we hold. */
enum sepx_err
sepx__pg_follow(struct sepx_store *base, struct sepx_cursor **cursor,
                const struct sepx__mark *mark, int64_t until,
                struct sepx_msg *msg)
{
    const struct cursor like = {
        .base = {.key = mark->event, .sums = true, .sum = mark->sum},
        .order = SEPX_STORE_LOG,
        .first = mark->event,
        .next = mark->event,
        .until = until,
    };

    return open_cursor(sepx__pg_of(base), cursor, &like, msg);
}

enum sepx_err
sepx__pg_rows(struct sepx_store *base, struct sepx_cursor **cursor,
              struct sepx_msg *msg)
{
    const struct cursor like = {
        .base = {.key = -1,
                 .sums = true,
                 .sum = sepx__sum_begin(base->settings)},
        .order = SEPX_STORE_LOG,
        .next = INT64_MIN,
        .until = INT64_MAX,
        .all = true,
    };

    return open_cursor(sepx__pg_of(base), cursor, &like, msg);
}

void
sepx__pg_cursor_free(struct sepx_cursor *base)
{
    struct cursor *cursor = (struct cursor *)base;

    PQclear(cursor->rows);
    sepx__free(cursor);
}

/* ---- rows ---- */

struct cells {
    const PGresult *rows;
    int row;
    bool sane;
};

static int64_t
trial_at(struct cells *at, int column, int64_t null)
{
    int64_t trial =
        sepx__pg_integer(at->rows, at->row, column, null, &at->sane);

    if (trial < -1 || trial > SEPX__TRIAL_MAX)
        at->sane = false;
    return trial;
}

static double
number_at(struct cells *at, int column)
{
    return sepx__pg_number(at->rows, at->row, column, &at->sane);
}

static const char *
text_at(struct cells *at, int column)
{
    return sepx__pg_text(at->rows, at->row, column, &at->sane);
}

static void
read_asked(struct cells *at, struct sepx_asked *asked)
{
    const int from = AT_ASKED;

    *asked = (struct sepx_asked){
        .trial = (uint32_t)trial_at(at, from, -1),
        .op = text_at(at, from + 1),
        .parent = {trial_at(at, from + 2, -1), trial_at(at, from + 3, -1)},
        .fidelity = number_at(at, from + 4),
        .same = trial_at(at, from + 5, -1),
        .graph = text_at(at, from + 6),
    };
}

static void
read_told(struct cells *at, struct sepx_told *told)
{
    const int from = AT_TOLD;

    *told = (struct sepx_told){
        .trial = (uint32_t)trial_at(at, from, -1),
        .attempt = (uint32_t)trial_at(at, from + 1, -1),
        .outcome = text_at(at, from + 2),
        .value = number_at(at, from + 3),
        .test = number_at(at, from + 4),
        .cost = number_at(at, from + 5),
        .cached = trial_at(at, from + 6, -1),
        .answer = text_at(at, from + 7),
        .errors = text_at(at, from + 8),
        .slot = text_at(at, from + 9),
        .seconds = number_at(at, from + 10),
        .finished = number_at(at, from + 11),
        .elapsed = number_at(at, from + 12),
        .numbers = text_at(at, from + 13),
        .steps = text_at(at, from + 14),
    };
}

/* A row has at least one of the three, and none has a trial below 0. */
static bool
read_entry(struct cells *at, struct sepx_entry *entry)
{
    *entry = (struct sepx_entry){
        .is_asked = !sepx__pg_null(at->rows, at->row, AT_ASKED),
        .is_told = !sepx__pg_null(at->rows, at->row, AT_TOLD),
        .is_retried = !sepx__pg_null(at->rows, at->row, AT_RETRIED),
    };
    if (entry->is_asked)
        read_asked(at, &entry->asked);
    if (entry->is_told)
        read_told(at, &entry->told);
    if (entry->is_retried)
        entry->retried = (uint32_t)trial_at(at, AT_RETRIED, -1);
    return at->sane && entry->asked.trial <= SEPX__TRIAL_MAX &&
           entry->told.trial <= SEPX__TRIAL_MAX &&
           entry->retried <= SEPX__TRIAL_MAX;
}

/* ---- pieces ---- */

static enum sepx_err
queue_piece(struct cursor *cursor, struct sepx_msg *msg)
{
    struct sepx__pg *pg = cursor->pg;
    int64_t to = cursor->next > INT64_MAX - cursor->piece
                     ? INT64_MAX
                     : cursor->next + cursor->piece;

    switch (cursor->order) {
    case SEPX_STORE_LOG:
        to = to < cursor->until ? to : cursor->until;
        return sepx__pg_queue(pg, SEPX__PG_READ_LOG, msg, pg->study,
                              cursor->next, to);
    case SEPX_STORE_TRIALS:
        return sepx__pg_queue(pg, SEPX__PG_READ_TRIALS, msg, pg->study,
                              cursor->next, to, cursor->until);
    default:
        return sepx__pg_queue(pg, SEPX__PG_READ_BEST, msg, pg->study,
                              cursor->value, cursor->trial, cursor->until,
                              cursor->piece);
    }
}

/* To the next event that there is; *more: whether there is one. */
static enum sepx_err
skip_gap(struct cursor *cursor, bool *more, struct sepx_msg *msg)
{
    PGresult *rows;
    bool sane = true;
    enum sepx_err err = sepx__pg_queue(cursor->pg, SEPX__PG_NEXT, msg,
                                       cursor->pg->study, cursor->next);

    if (!err)
        err = sepx__pg_finish(cursor->pg, &rows, 1, msg);
    if (err)
        return err;
    *more = PQntuples(rows) == 1 && !sepx__pg_null(rows, 0, 0);
    if (*more)
        cursor->next = sepx__pg_integer(rows, 0, 0, 0, &sane) - 1;
    PQclear(rows);
    return SEPX_OK;
}

/* *more: whether there is another row. */
static enum sepx_err
next_piece(struct cursor *cursor, bool *more, struct sepx_msg *msg)
{
    enum sepx_err err = SEPX_OK;

    PQclear(cursor->rows);
    cursor->rows = NULL;
    cursor->row = 0;
    *more = false;
    if (cursor->order == SEPX_STORE_LOG && cursor->next >= cursor->until)
        return err;
    if (cursor->all) {
        err = skip_gap(cursor, more, msg);
        if (err || !*more)
            return err;
    }
    /* Numbers have no gaps, so a piece that is not full is the last. */
    if (!cursor->all && cursor->until == INT64_MAX &&
        cursor->next > cursor->base.key && cursor->next > cursor->first)
        return err;
    err = queue_piece(cursor, msg);
    if (!err)
        err = sepx__pg_finish(cursor->pg, &cursor->rows, 1, msg);
    if (err)
        return err;
    *more = PQntuples(cursor->rows) > 0;
    cursor->next = cursor->next > INT64_MAX - cursor->piece
                       ? INT64_MAX
                       : cursor->next + cursor->piece;
    if (cursor->order == SEPX_STORE_BEST && cursor->piece < PIECE)
        cursor->piece *= 2;
    return SEPX_OK;
}

/* Where events end that should be there. */
static enum sepx_err
check_end(const struct cursor *cursor, struct sepx_msg *msg)
{
    int64_t last = cursor->base.key < 0 ? 0 : cursor->base.key;

    if (cursor->order != SEPX_STORE_LOG || last >= cursor->until ||
        cursor->until == INT64_MAX)
        return SEPX_OK;
    return sepx_fail(msg, SEPX_EDATA,
                     "%s: events behind %lld are missing; the log was changed "
                     "or is damaged, " SEPX__LOG_REMEDY,
                     cursor->base.path, (long long)last);
}

enum sepx_err
sepx__pg_next(struct sepx_cursor *base, struct sepx_entry *entry,
              struct sepx__row *row, bool *more, struct sepx_msg *msg)
{
    struct cursor *cursor = (struct cursor *)base;
    struct cells at;
    enum sepx_err err = SEPX_OK;

    *more = cursor->rows && cursor->row < PQntuples(cursor->rows);
    if (!*more)
        err = next_piece(cursor, more, msg);
    if (err || !*more)
        return err ? err : check_end(cursor, msg);
    at = (struct cells){cursor->rows, cursor->row++, true};
    row->odd = !read_entry(&at, entry);
    row->keyed = !sepx__pg_null(at.rows, at.row, AT_KEY);
    row->key = sepx__pg_integer(at.rows, at.row, AT_KEY, -1, &at.sane);
    row->odd = row->odd || !at.sane;
    if (base->sums) {
        row->sum = (const unsigned char *)PQgetvalue(at.rows, at.row, AT_SUM);
        row->sum_len = (size_t)PQgetlength(at.rows, at.row, AT_SUM);
    }
    cursor->value = entry->told.value;
    cursor->trial = entry->told.trial;
    return SEPX_OK;
}

/* ---- reading behind the lock ---- */

/*
 * The rows of the lock, of nothing, and of the log: every statement sees what
 * was committed before it began.
 */
static enum sepx_err
lock_and_read(struct cursor *cursor, bool wait, PGresult *rows[3],
              struct sepx_msg *msg)
{
    struct sepx__pg *pg = cursor->pg;
    enum sepx_err err = sepx__pg_queue(pg, SEPX__PG_BEGIN, msg);

    if (!err)
        err = sepx__pg_queue(pg, wait ? SEPX__PG_LOCK : SEPX__PG_TRY_LOCK, msg,
                             pg->study);
    if (!err)
        err = sepx__pg_queue(pg, SEPX__PG_UNLOCK_LINE, msg);
    if (!err)
        err = queue_piece(cursor, msg);
    return err ? err : sepx__pg_finish(pg, rows, 3, msg);
}

enum sepx_err
sepx__pg_enter(struct sepx_store *base, struct sepx_cursor **cursor,
               const struct sepx__mark *mark, bool wait, bool *locked,
               struct sepx_msg *msg)
{
    struct sepx__pg *pg = sepx__pg_of(base);
    struct cursor *made;
    PGresult *rows[3] = {NULL, NULL, NULL};
    enum sepx_err err = sepx__pg_follow(base, cursor, mark, INT64_MAX, msg);

    if (err)
        return err;
    made = (struct cursor *)*cursor;
    err = lock_and_read(made, wait, rows, msg);
    if (err)
        return err;
    made->rows = rows[2];
    made->next += made->piece;
    *locked = wait || PQntuples(rows[0]) > 0;
    if (*locked) {
        err = sepx__pg_begun(pg, rows[0], msg);
        made->until = pg->head;
    } else {
        err = sepx__pg_queue(pg, SEPX__PG_COMMIT, msg);
        if (!err)
            sepx__pg_push(pg);
    }
    PQclear(rows[0]);
    PQclear(rows[1]);
    return err;
}
