/* SPDX-License-Identifier: Apache-2.0 */
/* The PostgreSQL back end: what its files share. */
#ifndef SEPX_STORE_POSTGRES_H
#define SEPX_STORE_POSTGRES_H

#include "store/internal.h"
#include "store/claims.h"

#include <libpq-fe.h>

/* ---- postgres_url.c: names of studies on servers ---- */

struct sepx__pg_url {
    char *server; /* for libpq: the URL without the study */
    char *study;  /* NULL: none is named */
};

/* SEPX_EINVAL if it is malformed or has a password in it. */
SEPX_CHECKED enum sepx_err sepx__pg_url_read(struct sepx__pg_url *url,
                                             const char *text,
                                             struct sepx_msg *msg);
void sepx__pg_url_release(struct sepx__pg_url *url);

/* ---- postgres_query.c: statements ---- */

/*
 * Each is prepared once in a connection. `types` has a letter for each
 * argument: i int64_t (I: negative ones are NULL), d double (NaN is NULL),
 * t text and b bytes from a string (NULL is NULL), s the bytes of a sum.
 */
struct sepx__pg_query {
    const char *sql, *types;
};

enum sepx__pg_id {
    SEPX__PG_BEGIN,
    SEPX__PG_COMMIT,
    SEPX__PG_DURABLE, /* the commit waits for the disk */
    SEPX__PG_FIRST_RUN,
    SEPX__PG_VERSION,
    SEPX__PG_STUDY,
    SEPX__PG_OPTIONS,
    SEPX__PG_ELAPSED,
    SEPX__PG_WRITER,
    SEPX__PG_LIST,
    SEPX__PG_ADD_STUDY,
    SEPX__PG_ADD_HEAD,
    SEPX__PG_ADD_SESSION,
    SEPX__PG_SPEND,
    SEPX__PG_LOCK,
    SEPX__PG_TRY_LOCK,
    SEPX__PG_UNLOCK_LINE,
    SEPX__PG_HEAD,
    SEPX__PG_NEXT, /* the first event behind another */
    SEPX__PG_END,  /* the head, and the last event that there is */
    SEPX__PG_SET_HEAD,
    SEPX__PG_ADD_ASKED,
    SEPX__PG_ADD_TOLD,
    SEPX__PG_ADD_RETRIED,
    SEPX__PG_READ_SUM,
    SEPX__PG_READ_LOG,
    SEPX__PG_READ_TRIALS,
    SEPX__PG_READ_BEST,
    SEPX__PG_BEAT,
    SEPX__PG_LEAVE,
    SEPX__PG_CLAIMS,
    SEPX__PG_TAKE,
    SEPX__PG_DROP,
    SEPX__PG_GIVE_BACK,
    SEPX__PG_GIVE_ALL_BACK,
    SEPX__PG_WORKERS,
    SEPX__PG_FILES,
    SEPX__PG_ADD_FILE,
    SEPX__PG_QUERIES
};

extern const struct sepx__pg_query sepx__pg_queries[SEPX__PG_QUERIES];

/* ---- postgres.c: the connection ---- */

enum { SEPX__PG_ANSWERS = 1024 };

struct sepx__pg {
    struct sepx_store base;
    struct sepx__pg_url url;
    PGconn *conn;  /* NULL: not connected */
    bool known;    /* the server took us before */
    bool starting; /* it is there, and said that it is not ready */
    bool prepared[SEPX__PG_QUERIES];
    unsigned queued;       /* queries sent since the last answer */
    bool writing;          /* between begin and commit */
    bool slow;             /* the transaction has a result worth a wait */
    bool passing;          /* the last failure may be over when tried again */
    int64_t study, worker; /* their numbers; worker 0: none */
    int64_t head;          /* the last event at begin */
    size_t takes;          /* claims asked for since begin */
    PGresult *answer[SEPX__PG_ANSWERS]; /* to them, from the commit */
    struct sepx_stop stop;              /* ends any wait */
    bool hasty; /* about to end: no wait is worth much */
};

static inline struct sepx__pg *
sepx__pg_of(struct sepx_store *store)
{
    return (struct sepx__pg *)store;
}

/*
 * Connect unless that is done. SEPX_ESTOPPED; SEPX_EIO, and `passing` says
 * whether it is worth another try.
 */
SEPX_CHECKED enum sepx_err sepx__pg_connect(struct sepx__pg *pg,
                                            struct sepx_msg *msg);
void sepx__pg_disconnect(struct sepx__pg *pg);
/* SQL text without arguments, alone; several statements are one transaction. */
SEPX_CHECKED enum sepx_err
sepx__pg_execute(struct sepx__pg *pg, const char *sql, struct sepx_msg *msg);
/* Queue a query; arguments by its types. */
SEPX_CHECKED enum sepx_err sepx__pg_queue(struct sepx__pg *pg,
                                          enum sepx__pg_id id,
                                          struct sepx_msg *msg, ...);
/*
 * Send what is queued and wait for all answers. Those of queries that return
 * rows go into `rows`, in their order, at most `most`; the others are NULL.
 * After a failure the connection is closed, and with it the transaction.
 */
SEPX_CHECKED enum sepx_err sepx__pg_finish(struct sepx__pg *pg, PGresult **rows,
                                           size_t most, struct sepx_msg *msg);
/* Send what is queued as far as it goes at once, and wait for nothing. */
void sepx__pg_push(struct sepx__pg *pg);
/* What has been queued is at most so much, whoever waits for whom. */
SEPX_CHECKED enum sepx_err sepx__pg_relieve(struct sepx__pg *pg,
                                            struct sepx_msg *msg);

/* ---- cells of rows in binary; *sane becomes false if one cannot be ---- */

bool sepx__pg_null(const PGresult *rows, int row, int column);
int64_t sepx__pg_integer(const PGresult *rows, int row, int column,
                         int64_t null, bool *sane);
double sepx__pg_number(const PGresult *rows, int row, int column, bool *sane);
/* Lives as long as `rows`; NULL for NULL. */
const char *sepx__pg_text(const PGresult *rows, int row, int column,
                          bool *sane);

/* ---- postgres_schema.c ---- */

#define SEPX__PG_SCHEMA 1

/* Tables of today's version; several processes may do this at once. */
SEPX_CHECKED enum sepx_err sepx__pg_migrate(struct sepx__pg *pg,
                                            struct sepx_msg *msg);
/* SEPX_ENOINPUT if there are none, SEPX_EDATA if they are newer than we. */
SEPX_CHECKED enum sepx_err sepx__pg_identify(struct sepx__pg *pg,
                                             struct sepx_msg *msg);

/* ---- postgres_log.c, postgres_read.c, postgres_share.c ---- */

/* A store that is not connected yet; NULL: no memory or a bad name. */
SEPX_CHECKED enum sepx_err sepx__pg_new(struct sepx__pg **pg, const char *path,
                                        struct sepx_msg *msg);
void sepx__pg_free(struct sepx__pg *pg);
enum sepx_err sepx__pg_read(struct sepx_store *base,
                            struct sepx_cursor **cursor,
                            enum sepx_store_order order, uint32_t first,
                            struct sepx_msg *msg);
enum sepx_err sepx__pg_rows(struct sepx_store *base,
                            struct sepx_cursor **cursor, struct sepx_msg *msg);
enum sepx_err sepx__pg_next(struct sepx_cursor *base, struct sepx_entry *entry,
                            struct sepx__row *row, bool *more,
                            struct sepx_msg *msg);
void sepx__pg_cursor_free(struct sepx_cursor *base);
SEPX_CHECKED enum sepx_err sepx__pg_follow(struct sepx_store *base,
                                           struct sepx_cursor **cursor,
                                           const struct sepx__mark *mark,
                                           int64_t until, struct sepx_msg *msg);

/*
 * Number and sum of the last event, as the head has them. SEPX_EDATA if the
 * events end elsewhere.
 */
SEPX_CHECKED enum sepx_err sepx__pg_end(struct sepx__pg *pg, int64_t *event,
                                        unsigned char sum[SEPX__SUM_BYTES],
                                        struct sepx_msg *msg);

/* Begin to write: what the rows of the lock say of the end of the log. */
SEPX_CHECKED enum sepx_err
sepx__pg_begun(struct sepx__pg *pg, const PGresult *rows, struct sepx_msg *msg);
/* As in store/claims.h. */
enum sepx_err sepx__pg_enter(struct sepx_store *base,
                             struct sepx_cursor **cursor,
                             const struct sepx__mark *mark, bool wait,
                             bool *locked, struct sepx_msg *msg);

extern const struct sepx__share_ops sepx__pg_share;

#endif
