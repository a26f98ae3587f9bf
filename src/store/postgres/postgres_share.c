/* SPDX-License-Identifier: Apache-2.0 */
/* Many workers on one study: claims, heartbeats, and what `status` shows. */
#include "store/postgres/postgres.h"
#include "store/claims.h"

#include <stdio.h>
#include <string.h>

static bool
passing(const struct sepx_store *base)
{
    return ((const struct sepx__pg *)base)->passing;
}

static void
set_stop(struct sepx_store *base, const struct sepx_stop *stop)
{
    sepx__pg_of(base)->stop = stop ? *stop : (struct sepx_stop){0};
}

static void
hasten(struct sepx_store *base)
{
    sepx__pg_of(base)->hasty = true;
}

static void
cut(struct sepx_store *base)
{
    sepx__pg_disconnect(sepx__pg_of(base));
}

static enum sepx_err
head(struct sepx_store *base, int64_t *event, int64_t *session,
     struct sepx_msg *msg)
{
    struct sepx__pg *pg = sepx__pg_of(base);
    PGresult *rows;
    bool sane = true;
    enum sepx_err err = sepx__pg_queue(pg, SEPX__PG_HEAD, msg, pg->study);

    if (!err)
        err = sepx__pg_finish(pg, &rows, 1, msg);
    if (err)
        return err;
    *event = *session = -1;
    if (PQntuples(rows) == 1) {
        *event = sepx__pg_integer(rows, 0, 0, -1, &sane);
        *session = sepx__pg_integer(rows, 0, 1, -1, &sane);
    }
    PQclear(rows);
    return SEPX_OK;
}

static enum sepx_err
renew(struct sepx_store *base, struct sepx_msg *msg)
{
    struct sepx__pg *pg = sepx__pg_of(base);
    PGresult *rows;
    const char *text = NULL;
    char *options;
    bool sane = true;
    enum sepx_err err = sepx__pg_queue(pg, SEPX__PG_OPTIONS, msg, pg->study);

    if (!err)
        err = sepx__pg_finish(pg, &rows, 1, msg);
    if (err)
        return err;
    if (PQntuples(rows) == 1)
        text = sepx__pg_text(rows, 0, 0, &sane);
    options = text ? sepx__strdup(text) : NULL;
    PQclear(rows);
    if (!options)
        return text ? SEPX_ENOMEM : SEPX_OK;
    sepx__free(base->options);
    base->options = options;
    return SEPX_OK;
}

static enum sepx_err
holds(struct sepx_store *base, const struct sepx__mark *mark, bool *it,
      struct sepx_msg *msg)
{
    struct sepx__pg *pg = sepx__pg_of(base);
    unsigned char sum[SEPX__SUM_BYTES];
    PGresult *rows;
    enum sepx_err err;

    *it = mark->event == 0;
    if (*it)
        return SEPX_OK;
    err = sepx__pg_queue(pg, SEPX__PG_READ_SUM, msg, pg->study, mark->event);
    if (!err)
        err = sepx__pg_finish(pg, &rows, 1, msg);
    if (err)
        return err;
    sepx__sum_write(sum, &mark->sum);
    *it = PQntuples(rows) == 1 && PQgetlength(rows, 0, 0) == SEPX__SUM_BYTES &&
          memcmp(PQgetvalue(rows, 0, 0), sum, SEPX__SUM_BYTES) == 0;
    PQclear(rows);
    return SEPX_OK;
}

/* ---- signs of life ---- */

static enum sepx_err
beat(struct sepx_store *base, const struct sepx__card *card,
     struct sepx_msg *msg)
{
    struct sepx__pg *pg = sepx__pg_of(base);
    enum sepx_err err =
        sepx__pg_queue(pg, SEPX__PG_BEAT, msg, card->id, pg->study, card->host,
                       card->pid, card->slots, card->lease, card->told,
                       card->failed, card->worked, card->waited);

    if (!err)
        err = sepx__pg_finish(pg, NULL, 0, msg);
    pg->worker = card->id;
    return err;
}

static enum sepx_err
leave(struct sepx_store *base, const char *reason, struct sepx_msg *msg)
{
    struct sepx__pg *pg = sepx__pg_of(base);
    PGresult *others = NULL;
    bool sane = true;
    enum sepx_err err = SEPX_OK;

    if (!pg->worker)
        return err;
    err =
        sepx__pg_queue(pg, SEPX__PG_GIVE_ALL_BACK, msg, pg->study, pg->worker);
    if (!err)
        err = sepx__pg_queue(pg, SEPX__PG_LEAVE, msg, pg->worker, reason);
    if (!err)
        err = sepx__pg_queue(pg, SEPX__PG_WRITER, msg, pg->study);
    if (!err)
        err = sepx__pg_finish(pg, &others, 1, msg);
    if (!err && PQntuples(others) == 1)
        base->writer = sepx__pg_integer(others, 0, 0, -1, &sane);
    PQclear(others);
    pg->worker = 0;
    pg->hasty = false;
    return err;
}

/* ---- claims ---- */

/* False: the row makes no sense. */
static bool
read_claim(struct sepx__claim *claim, const PGresult *rows, int row)
{
    bool sane = true;
    int64_t trial = sepx__pg_integer(rows, row, 0, -1, &sane);
    int64_t attempt = sepx__pg_integer(rows, row, 1, -1, &sane);
    const char *failed_on = sepx__pg_text(rows, row, 4, &sane);
    const char *host = sepx__pg_text(rows, row, 7, &sane);
    int64_t state = sepx__pg_integer(rows, row, 6, 0, &sane);
    int64_t lost = sepx__pg_integer(rows, row, 3, 0, &sane);

    *claim = (struct sepx__claim){
        .trial = (uint32_t)trial,
        .attempt = (uint32_t)attempt,
        .worker = sepx__pg_integer(rows, row, 2, -1, &sane),
        .lost = lost >= 0 && lost <= UINT32_MAX ? lost : 0,
        .beat = sepx__pg_integer(rows, row, 5, 0, &sane),
        .open = state == 1,
        .late = state == 2,
    };
    if (failed_on)
        (void)snprintf(claim->failed_on, sizeof claim->failed_on, "%.60s",
                       failed_on);
    (void)snprintf(claim->host, sizeof claim->host, "%.60s", host ? host : "");
    return sane && trial >= 0 && trial <= SEPX__TRIAL_MAX && attempt >= 0 &&
           attempt <= UINT32_MAX;
}

static enum sepx_err
claims(struct sepx_store *base, struct sepx__claims *list, struct sepx_msg *msg)
{
    struct sepx__pg *pg = sepx__pg_of(base);
    PGresult *rows;
    enum sepx_err err = sepx__pg_queue(pg, SEPX__PG_CLAIMS, msg, pg->study);

    list->count = 0;
    if (!err)
        err = sepx__pg_finish(pg, &rows, 1, msg);
    if (err)
        return err;
    for (int i = 0; i < PQntuples(rows) && !err; i++) {
        err = sepx__grow((void **)&list->at, &list->room, list->count + 1,
                         sizeof *list->at);
        /* One that makes no sense claims nothing. */
        if (!err && read_claim(&list->at[list->count], rows, i))
            list->count++;
    }
    PQclear(rows);
    return err;
}

static enum sepx_err
take(struct sepx_store *base, uint32_t trial, uint32_t attempt,
     const char *slot, int64_t lost, int64_t old, struct sepx_msg *msg)
{
    struct sepx__pg *pg = sepx__pg_of(base);

    if (!pg->writing || pg->takes == SEPX__PG_ANSWERS)
        return sepx_fail(msg, SEPX_EIO, "%s: the connection was lost",
                         base->path);
    pg->takes++;
    return sepx__pg_queue(pg, SEPX__PG_TAKE, msg, pg->study, (int64_t)trial,
                          (int64_t)attempt, pg->worker, slot, lost, old);
}

static bool
taken(const struct sepx_store *base, size_t i)
{
    const struct sepx__pg *pg = (const struct sepx__pg *)base;

    return i < SEPX__PG_ANSWERS && pg->answer[i] &&
           PQntuples(pg->answer[i]) == 1;
}

static enum sepx_err
drop(struct sepx_store *base, uint32_t trial, uint32_t attempt,
     struct sepx_msg *msg)
{
    struct sepx__pg *pg = sepx__pg_of(base);

    return sepx__pg_queue(pg, SEPX__PG_DROP, msg, pg->study, (int64_t)trial,
                          (int64_t)attempt);
}

static void
durable(struct sepx_store *base)
{
    sepx__pg_of(base)->slow = true;
}

static enum sepx_err
give_back(struct sepx_store *base, uint32_t trial, uint32_t attempt,
          const char *failed_on, struct sepx_msg *msg)
{
    struct sepx__pg *pg = sepx__pg_of(base);
    enum sepx_err err =
        sepx__pg_queue(pg, SEPX__PG_GIVE_BACK, msg, pg->study, (int64_t)trial,
                       (int64_t)attempt, pg->worker, failed_on);

    return err || pg->writing ? err : sepx__pg_finish(pg, NULL, 0, msg);
}

/* ---- what `status` shows ---- */

static bool
read_worker(struct sepx_store_worker *worker, const PGresult *rows, int row)
{
    bool sane = true;
    int64_t state = sepx__pg_integer(rows, row, 8, 0, &sane);

    *worker = (struct sepx_store_worker){
        .id = sepx__pg_integer(rows, row, 0, -1, &sane),
        .host = sepx__pg_text(rows, row, 1, &sane),
        .pid = sepx__pg_integer(rows, row, 2, -1, &sane),
        .seen = sepx__pg_number(rows, row, 3, &sane),
        .told = sepx__pg_integer(rows, row, 4, 0, &sane),
        .failed = sepx__pg_integer(rows, row, 5, 0, &sane),
        .worked = sepx__pg_number(rows, row, 6, &sane),
        .waited = sepx__pg_number(rows, row, 7, &sane),
        .late = state == 1,
        .left = state == 2,
        .reason = sepx__pg_text(rows, row, 9, &sane),
        .trial = sepx__pg_integer(rows, row, 10, -1, &sane),
        .slot = sepx__pg_text(rows, row, 11, &sane),
        .seconds = sepx__pg_number(rows, row, 12, &sane),
    };
    return sane && worker->host;
}

static enum sepx_err
workers(struct sepx_store *base,
        void (*each)(void *context, const struct sepx_store_worker *worker),
        void *context, struct sepx_msg *msg)
{
    struct sepx__pg *pg = sepx__pg_of(base);
    struct sepx_store_worker worker = {.id = -1, .trial = -1};
    int count = 1;
    enum sepx_err err = SEPX_OK;

    while (!err && count) {
        PGresult *rows;

        err = sepx__pg_queue(pg, SEPX__PG_WORKERS, msg, pg->study, worker.id,
                             worker.trial);
        if (!err)
            err = sepx__pg_finish(pg, &rows, 1, msg);
        if (err)
            break;
        count = PQntuples(rows);
        for (int i = 0; i < count; i++) {
            if (read_worker(&worker, rows, i))
                each(context, &worker);
        }
        PQclear(rows);
    }
    return err;
}

/* ---- files of evaluators ---- */

static enum sepx_err
files(struct sepx_store *base,
      void (*each)(void *context, const char *name, const char *sum),
      void *context, struct sepx_msg *msg)
{
    struct sepx__pg *pg = sepx__pg_of(base);
    PGresult *rows;
    enum sepx_err err = sepx__pg_queue(pg, SEPX__PG_FILES, msg, pg->study);

    if (!err)
        err = sepx__pg_finish(pg, &rows, 1, msg);
    if (err)
        return err;
    for (int i = 0; i < PQntuples(rows); i++) {
        bool sane = true;
        const char *name = sepx__pg_text(rows, i, 0, &sane);
        const char *sum = sepx__pg_text(rows, i, 1, &sane);

        if (name && sum)
            each(context, name, sum);
    }
    PQclear(rows);
    return SEPX_OK;
}

static enum sepx_err
add_file(struct sepx_store *base, const char *name, const char *sum,
         struct sepx_msg *msg)
{
    struct sepx__pg *pg = sepx__pg_of(base);
    enum sepx_err err =
        sepx__pg_queue(pg, SEPX__PG_ADD_FILE, msg, pg->study, name, sum);

    return err ? err : sepx__pg_finish(pg, NULL, 0, msg);
}

const struct sepx__share_ops sepx__pg_share = {
    .passing = passing,
    .set_stop = set_stop,
    .hasten = hasten,
    .cut = cut,
    .enter = sepx__pg_enter,
    .head = head,
    .renew = renew,
    .follow = sepx__pg_follow,
    .holds = holds,
    .beat = beat,
    .leave = leave,
    .claims = claims,
    .take = take,
    .taken = taken,
    .drop = drop,
    .durable = durable,
    .give_back = give_back,
    .workers = workers,
    .files = files,
    .add_file = add_file,
};
