/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The log on a PostgreSQL server: opening and appending.
 *
 * Who appends holds the row lock of the study's head, which has the number
 * and the sum of the last event: numbers are in the order of commits, have
 * no gaps, and the chain of sums has one end.
 */
#include "store/postgres/postgres.h"
#include "store/claims.h"

#include <string.h>
#include <unistd.h>

#define SLOW_SECONDS 0.1
#define EVENT_MAX (INT64_MAX / 2) /* there is room for more behind any */

enum sepx_err
sepx__pg_new(struct sepx__pg **pg, const char *path, struct sepx_msg *msg)
{
    struct sepx__pg *made = sepx__calloc(1, sizeof *made);
    enum sepx_err err = SEPX_ENOMEM;

    *pg = NULL;
    if (!made)
        return err;
    made->base = (struct sepx_store){
        .ops = &sepx__store_postgres,
        .path = sepx__strdup(path),
        .writer = -1,
        .version = SEPX__PG_SCHEMA,
    };
    if (made->base.path)
        err = sepx__pg_url_read(&made->url, path, msg);
    if (err)
        sepx__pg_free(made);
    else
        *pg = made;
    return err;
}

/* The answers of the last commit. */
static void
forget(struct sepx__pg *pg)
{
    for (size_t i = 0; i < SEPX__PG_ANSWERS && pg->answer[i]; i++) {
        PQclear(pg->answer[i]);
        pg->answer[i] = NULL;
    }
    pg->takes = 0;
}

void
sepx__pg_free(struct sepx__pg *pg)
{
    if (!pg)
        return;
    forget(pg);
    sepx__pg_disconnect(pg);
    sepx__pg_url_release(&pg->url);
    sepx__free(pg->base.path);
    sepx__free(pg->base.settings);
    sepx__free(pg->base.options);
    sepx__free(pg);
}

static void
close_store(struct sepx_store *base)
{
    sepx__pg_free(sepx__pg_of(base));
}

/* A store for a URL that names a study. */
static enum sepx_err
new_named(struct sepx__pg **pg, const char *path, struct sepx_msg *msg)
{
    enum sepx_err err = sepx__pg_new(pg, path, msg);

    if (!err && !(*pg)->url.study) {
        err = sepx_fail(msg, SEPX_EINVAL,
                        "%s: which study? Add ?study=NAME; 'sepx study list' "
                        "shows those that are there",
                        path);
        sepx__pg_free(*pg);
        *pg = NULL;
    }
    return err;
}

/* ---- opening ---- */

static enum sepx_err
copy_text(char **to, const PGresult *rows, int column)
{
    bool sane = true;
    const char *text =
        PQntuples(rows) > 0 ? sepx__pg_text(rows, 0, column, &sane) : NULL;

    sepx__free(*to);
    *to = text ? sepx__strdup(text) : NULL;
    return text && !*to ? SEPX_ENOMEM : SEPX_OK;
}

static enum sepx_err
take_head(struct sepx__pg *pg, PGresult *const rows[3])
{
    struct sepx_store *base = &pg->base;
    double elapsed = 0;
    bool sane = true;
    enum sepx_err err = copy_text(&base->options, rows[0], 0);

    if (PQntuples(rows[1]) > 0)
        elapsed = sepx__pg_number(rows[1], 0, 0, &sane);
    sepx__store_take_elapsed(base, elapsed, sane);
    base->writer = -1;
    if (PQntuples(rows[2]) > 0)
        base->writer = sepx__pg_integer(rows[2], 0, 0, -1, &sane);
    return err;
}

/* Options, time and writer of a study whose number is known. */
static enum sepx_err
read_head(struct sepx__pg *pg, struct sepx_msg *msg)
{
    PGresult *rows[3];
    enum sepx_err err = sepx__pg_queue(pg, SEPX__PG_OPTIONS, msg, pg->study);

    if (!err)
        err = sepx__pg_queue(pg, SEPX__PG_ELAPSED, msg, pg->study);
    if (!err)
        err = sepx__pg_queue(pg, SEPX__PG_WRITER, msg, pg->study);
    if (!err)
        err = sepx__pg_finish(pg, rows, 3, msg);
    if (err)
        return err;
    err = take_head(pg, rows);
    for (int i = 0; i < 3; i++)
        PQclear(rows[i]);
    return err;
}

static enum sepx_err
find_study(struct sepx__pg *pg, struct sepx_msg *msg)
{
    PGresult *rows;
    bool sane = true;
    enum sepx_err err = sepx__pg_queue(pg, SEPX__PG_STUDY, msg, pg->url.study);

    if (!err)
        err = sepx__pg_finish(pg, &rows, 1, msg);
    if (err)
        return err;
    if (PQntuples(rows) == 0) {
        err = sepx_fail(msg, SEPX_ENOINPUT,
                        "%s: no such study; begin it with 'sepx study run', "
                        "or see 'sepx study list'",
                        pg->base.path);
    } else {
        pg->study = sepx__pg_integer(rows, 0, 0, -1, &sane);
        err = copy_text(&pg->base.settings, rows, 1);
        if (!err && (!pg->base.settings || !sane))
            err = sepx_fail(msg, SEPX_EDATA, "%s: its settings make no sense",
                            pg->base.path);
    }
    PQclear(rows);
    return err;
}

static enum sepx_err
open_url(struct sepx_store **store, const char *path, bool write,
         struct sepx_msg *msg)
{
    struct sepx__pg *pg;
    enum sepx_err err = new_named(&pg, path, msg);

    if (!err)
        err = sepx__pg_identify(pg, msg);
    if (!err)
        err = find_study(pg, msg);
    if (!err)
        err = read_head(pg, msg);
    if (!err && write) /* several may, at the same time */
        pg->base.writer = -1;
    if (err)
        sepx__pg_free(pg);
    else
        *store = &pg->base;
    return err;
}

/* ---- new studies ---- */

static enum sepx_err
add_session(struct sepx__pg *pg, const char *options, struct sepx_msg *msg)
{
    char host[256] = "";

    (void)gethostname(host, sizeof host - 1);
    return sepx__pg_queue(pg, SEPX__PG_ADD_SESSION, msg, pg->study,
                          (int64_t)getpid(), host, options);
}

/* Takes the number of the new study. */
static enum sepx_err
add_study(struct sepx__pg *pg, const char *settings, struct sepx_msg *msg)
{
    PGresult *rows;
    bool sane = true;
    enum sepx_err err = sepx__pg_queue(pg, SEPX__PG_BEGIN, msg);

    if (!err)
        err = sepx__pg_queue(pg, SEPX__PG_DURABLE, msg);
    if (!err)
        err = sepx__pg_queue(pg, SEPX__PG_ADD_STUDY, msg, pg->url.study,
                             settings);
    if (!err)
        err = sepx__pg_finish(pg, &rows, 1, msg);
    if (err)
        return err;
    if (PQntuples(rows) == 1)
        pg->study = sepx__pg_integer(rows, 0, 0, -1, &sane);
    else
        err = sepx_fail(msg, SEPX_EINVAL,
                        "%s exists; choose another name, or resume it "
                        "('sepx study run')",
                        pg->base.path);
    PQclear(rows);
    return err;
}

/* Begin a study in a transaction that is left open. */
static enum sepx_err
begin_study(struct sepx__pg **made, const char *path, const char *settings,
            const char *options, struct sepx_msg *msg)
{
    unsigned char sum[SEPX__SUM_BYTES];
    struct sepx__hash begin = sepx__sum_begin(settings);
    struct sepx__pg *pg;
    enum sepx_err err = new_named(&pg, path, msg);

    *made = pg;
    if (!err)
        err = sepx__pg_connect(pg, msg);
    if (!err)
        err = sepx__pg_migrate(pg, msg);
    if (!err)
        err = add_study(pg, settings, msg);
    sepx__sum_write(sum, &begin);
    if (!err)
        err = sepx__pg_queue(pg, SEPX__PG_ADD_HEAD, msg, pg->study, sum);
    if (!err && options)
        err = add_session(pg, options, msg);
    if (!err) {
        pg->writing = pg->slow = true;
        pg->base.event = 0;
        pg->base.sum = begin;
    }
    return err;
}

static enum sepx_err
commit(struct sepx_store *base, struct sepx_msg *msg)
{
    struct sepx__pg *pg = sepx__pg_of(base);
    unsigned char sum[SEPX__SUM_BYTES];
    enum sepx_err err = SEPX_OK;

    if (!pg->writing)
        return sepx_fail(msg, SEPX_EIO, "%s: the connection was lost",
                         base->path);
    sepx__sum_write(sum, &base->sum);
    if (pg->slow)
        err = sepx__pg_queue(pg, SEPX__PG_DURABLE, msg);
    if (!err && base->event != pg->head)
        err = sepx__pg_queue(pg, SEPX__PG_SET_HEAD, msg, pg->study, base->event,
                             sum);
    if (!err)
        err = sepx__pg_queue(pg, SEPX__PG_COMMIT, msg);
    forget(pg);
    if (!err)
        err = sepx__pg_finish(pg, pg->answer, SEPX__PG_ANSWERS, msg);
    pg->writing = pg->slow = false;
    return err;
}

static enum sepx_err
create(const char *path, const char *settings, const char *options,
       struct sepx_msg *msg)
{
    struct sepx__pg *pg;
    enum sepx_err err = begin_study(&pg, path, settings, options, msg);

    if (!err)
        err = commit(&pg->base, msg);
    sepx__pg_free(pg);
    return err;
}

/* Whole or not at all: one transaction. */
static enum sepx_err
copy(const char *path, struct sepx_store *from,
     const struct sepx_store_sieve *sieve, struct sepx_msg *msg)
{
    struct sepx__pg *pg;
    enum sepx_err err =
        begin_study(&pg, path, from->settings, from->options, msg);

    if (!err)
        err = sepx__store_append_log(&pg->base, from, sieve, msg);
    if (!err && from->elapsed > 0)
        err = sepx__pg_queue(pg, SEPX__PG_SPEND, msg, pg->study, from->elapsed);
    if (!err)
        err = commit(&pg->base, msg);
    sepx__pg_free(pg);
    return err;
}

/* ---- writing ---- */

static enum sepx_err
session(struct sepx_store *base, const char *options, struct sepx_msg *msg)
{
    struct sepx__pg *pg = sepx__pg_of(base);
    char *kept = sepx__strdup(options);
    enum sepx_err err = kept ? SEPX_OK : SEPX_ENOMEM;

    if (!err)
        err = sepx__pg_queue(pg, SEPX__PG_BEGIN, msg);
    if (!err)
        err = sepx__pg_queue(pg, SEPX__PG_DURABLE, msg);
    if (!err)
        err = add_session(pg, options, msg);
    if (!err)
        err = sepx__pg_queue(pg, SEPX__PG_COMMIT, msg);
    if (!err)
        err = sepx__pg_finish(pg, NULL, 0, msg);
    if (err) {
        sepx__free(kept);
        return err;
    }
    sepx__free(base->options);
    base->options = kept;
    return SEPX_OK;
}

static enum sepx_err
spend(struct sepx_store *base, double elapsed, struct sepx_msg *msg)
{
    struct sepx__pg *pg = sepx__pg_of(base);
    enum sepx_err err =
        sepx__pg_queue(pg, SEPX__PG_SPEND, msg, pg->study, elapsed);

    if (!err)
        err = sepx__pg_finish(pg, NULL, 0, msg);
    if (!err)
        base->elapsed = elapsed;
    return err;
}

enum sepx_err
sepx__pg_begun(struct sepx__pg *pg, const PGresult *rows, struct sepx_msg *msg)
{
    struct sepx_store *base = &pg->base;
    bool sane = true;

    if (PQntuples(rows) == 1)
        base->event = pg->head = sepx__pg_integer(rows, 0, 0, -1, &sane);
    if (PQntuples(rows) != 1 || !sane || pg->head < 0 || pg->head > EVENT_MAX ||
        PQgetlength(rows, 0, 1) != SEPX__SUM_BYTES) {
        sepx__pg_disconnect(pg);
        return sepx_fail(msg, SEPX_EDATA,
                         "%s: the end of its log is missing; " SEPX__LOG_REMEDY,
                         base->path);
    }
    base->sum = sepx__sum_read((const unsigned char *)PQgetvalue(rows, 0, 1));
    pg->writing = true;
    return SEPX_OK;
}

/* The lock, and what the end of the log is while we hold it. */
static enum sepx_err
begin(struct sepx_store *base, struct sepx_msg *msg)
{
    struct sepx__pg *pg = sepx__pg_of(base);
    PGresult *rows;
    enum sepx_err err = sepx__pg_queue(pg, SEPX__PG_BEGIN, msg);

    if (!err)
        err = sepx__pg_queue(pg, SEPX__PG_LOCK, msg, pg->study);
    if (!err)
        err = sepx__pg_finish(pg, &rows, 1, msg);
    if (err)
        return err;
    err = sepx__pg_begun(pg, rows, msg);
    PQclear(rows);
    return err;
}

static enum sepx_err
append_asked(struct sepx__pg *pg, const struct sepx_asked *asked,
             const unsigned char *sum, struct sepx_msg *msg)
{
    return sepx__pg_queue(pg, SEPX__PG_ADD_ASKED, msg, pg->study,
                          pg->base.event, sum, (int64_t)asked->trial, asked->op,
                          asked->parent[0], asked->parent[1], asked->fidelity,
                          asked->same, asked->graph);
}

static enum sepx_err
append_told(struct sepx__pg *pg, const struct sepx_told *told,
            const unsigned char *sum, struct sepx_msg *msg)
{
    pg->slow = pg->slow || told->seconds > SLOW_SECONDS;
    return sepx__pg_queue(pg, SEPX__PG_ADD_TOLD, msg, pg->study, pg->base.event,
                          sum, (int64_t)told->trial, (int64_t)told->attempt,
                          told->outcome, told->value, told->test, told->cost,
                          told->cached, told->answer, told->errors, told->slot,
                          told->seconds, told->finished, told->elapsed,
                          told->numbers, told->steps);
}

static enum sepx_err
append(struct sepx_store *base, const struct sepx_entry *entry,
       struct sepx_msg *msg)
{
    struct sepx__pg *pg = sepx__pg_of(base);
    unsigned char sum[SEPX__SUM_BYTES];
    enum sepx_err err;

    if (!pg->writing)
        return sepx_fail(msg, SEPX_EIO, "%s: the connection was lost",
                         base->path);
    sepx__store_count(base, entry, sum);
    if (entry->is_asked)
        err = append_asked(pg, &entry->asked, sum, msg);
    else if (entry->is_told)
        err = append_told(pg, &entry->told, sum, msg);
    else
        err = sepx__pg_queue(pg, SEPX__PG_ADD_RETRIED, msg, pg->study,
                             base->event, sum, (int64_t)entry->retried);
    /* Takes are answered at the commit, so their answers must wait for it. */
    return err || pg->takes ? err : sepx__pg_relieve(pg, msg);
}

/* Read all events up to the head, whose sum must be that of the last. */
static enum sepx_err
check(struct sepx_store *base, struct sepx_msg *msg)
{
    struct sepx__mark begin = {0, sepx__sum_begin(base->settings)};
    unsigned char head[SEPX__SUM_BYTES], sum[SEPX__SUM_BYTES] = {0};
    struct sepx_cursor *cursor = NULL;
    struct sepx_entry entry;
    int64_t event;
    bool more = true;
    enum sepx_err err = sepx__pg_end(sepx__pg_of(base), &event, head, msg);

    if (!err)
        err = sepx__pg_follow(base, &cursor, &begin, event, msg);
    while (!err && more)
        err = sepx_cursor_next(cursor, &entry, &more, msg);
    if (!err)
        sepx__sum_write(sum, &cursor->sum);
    sepx_cursor_free(cursor);
    if (!err && memcmp(sum, head, sizeof sum) != 0)
        err = sepx_fail(msg, SEPX_EDATA,
                        "%s: the sum of its log is not that of its events; the "
                        "log was changed or is damaged, " SEPX__LOG_REMEDY,
                        base->path);
    return err;
}

/* ---- all studies ---- */

/* The URL of one of them. */
static enum sepx_err
name_study(struct sepx_text *path, const struct sepx__pg *pg, const char *name)
{
    enum sepx_err err =
        sepx_text_print(path, "%s%cstudy=", pg->url.server,
                        strchr(pg->url.server, '?') ? '&' : '?');

    for (; *name && !err; name++) {
        unsigned char c = (unsigned char)*name;
        bool plain = c > 0x20 && c != 0x7f && !strchr("%?#&=+/", c);

        err = sepx_text_print(path, plain ? "%c" : "%%%02X", c);
    }
    return err;
}

/* Up to 1,000 names behind `after`, which becomes the last. */
static enum sepx_err
list_some(struct sepx__pg *pg, struct sepx_text *after, int *count,
          enum sepx_err (*each)(void *context, const char *path), void *context,
          struct sepx_msg *msg)
{
    PGresult *rows;
    struct sepx_text path = {0};
    enum sepx_err err =
        sepx__pg_queue(pg, SEPX__PG_LIST, msg, after->at ? after->at : "");

    if (!err)
        err = sepx__pg_finish(pg, &rows, 1, msg);
    if (err)
        return err;
    *count = PQntuples(rows);
    for (int i = 0; i < *count && !err; i++) {
        bool sane = true;
        const char *name = sepx__pg_text(rows, i, 0, &sane);

        path.len = after->len = 0;
        err = name ? name_study(&path, pg, name) : SEPX_EDATA;
        if (!err)
            err = sepx_text_print(after, "%s", name);
        if (!err)
            err = each(context, path.at);
    }
    PQclear(rows);
    sepx_text_release(&path);
    return err;
}

static enum sepx_err
list(const char *url, enum sepx_err (*each)(void *context, const char *path),
     void *context, struct sepx_msg *msg)
{
    struct sepx_text after = {0};
    struct sepx__pg *pg;
    int count = 1;
    enum sepx_err err = sepx__pg_new(&pg, url, msg);

    if (!err)
        err = sepx__pg_identify(pg, msg);
    while (!err && count)
        err = list_some(pg, &after, &count, each, context, msg);
    sepx_text_release(&after);
    sepx__pg_free(pg);
    return err;
}

const struct sepx__store_ops sepx__store_postgres = {
    .name = "postgresql",
    .share = &sepx__pg_share,
    .create = create,
    .open = open_url,
    .close = close_store,
    .copy = copy,
    .session = session,
    .spend = spend,
    .begin = begin,
    .commit = commit,
    .append = append,
    .read = sepx__pg_read,
    .rows = sepx__pg_rows,
    .next = sepx__pg_next,
    .cursor_free = sepx__pg_cursor_free,
    .check = check,
    .list = list,
};
