/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The log on a PostgreSQL server: the connection.
 *
 * Every wait has an end: a network that is cut without a word would hold a
 * blocking call for hours, and a worker that holds the lock of a study would
 * hold all others. So calls do not block here and have a deadline, and the
 * server ends a transaction whose client has gone quiet. After any failure
 * the connection is closed; the next call opens another.
 */
#include "store/postgres/postgres.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define CONNECT_SECONDS 15.0
#define START_SECONDS 30.0 /* of a server, after which we give up */
#define ANSWER_SECONDS 45.0
#define HASTY_SECONDS 1.5
#define LOOK_MS 100 /* between two looks whether to stop */

enum { ARGUMENTS = 24, QUEUE_MOST = 128 };
enum { OID_BYTEA = 17, OID_INT8 = 20, OID_TEXT = 25, OID_FLOAT8 = 701 };

/*
 * Longer than any answer takes, shorter than others would wait for us. Names
 * are looked up in no schema that others can write. A commit waits for the
 * disk if it says so (SEPX__PG_DURABLE). Every statement has its index and
 * one good plan, also when the table was empty as it was made; to plan anew
 * takes longer than to execute.
 */
static const char session_sql[] =
    "SET search_path = pg_catalog; SET client_encoding = 'UTF8';"
    "SET statement_timeout = '40s'; SET lock_timeout = '30s';"
    "SET idle_in_transaction_session_timeout = '15s';"
    "SET tcp_user_timeout = '15s'; SET tcp_keepalives_idle = 10;"
    "SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3;"
    "SET client_min_messages = error; SET synchronous_commit = off;"
    "SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off;"
    "SET jit = off";

/* ---- errors ---- */

/* Classes of SQLSTATE, by how they begin; small letters are ours. */
static const struct {
    const char *state;
    bool passing;
    enum sepx_err err;
    const char *remedy;
} classes[] = {
    {"28c", false, SEPX_EIO, "; see sslmode and sslrootcert of the URL"},
    {"28h", false, SEPX_EIO,
     "; the server lets in other hosts, or this one with TLS (sslmode)"},
    {"28", false, SEPX_EIO,
     "; check user and password (~/.pgpass, or passfile=FILE in the URL)"},
    {"3D", false, SEPX_ENOINPUT,
     "; create the database first, or check the URL"},
    {"42501", false, SEPX_EIO,
     "; owners of the tables begin, change and copy studies; to work on them "
     "takes the role sepx_worker, to look sepx_reader"},
    {"42", false, SEPX_EDATA, "; these are not the tables of studies"},
    {"3F", false, SEPX_EDATA, "; these are not the tables of studies"},
    {"22", false, SEPX_EDATA, ""},
    {"23", false, SEPX_EDATA, ""},
    {"P0001", false, SEPX_EDATA, ""},
    {"53100", true, SEPX_EIO, "; free some space on the server"},
    {"53300", true, SEPX_EIO,
     "; raise max_connections of the server ('sepx server start "
     "--connections'), or start fewer workers"},
    {"08001", true, SEPX_EIO,
     "; start the server, or check host and port of the URL"},
    {"08004", false, SEPX_ENOINPUT, "; check the host of the URL"},
    {"", true, SEPX_EIO, ""},
};

static enum sepx_err
fail_state(struct sepx__pg *pg, const char *state, const char *text,
           struct sepx_msg *msg)
{
    size_t len = strcspn(text, "\n");
    size_t i = 0;

    if (!strncmp(text, "ERROR:  ", 8) || !strncmp(text, "FATAL:  ", 8)) {
        text += 8;
        len -= 8;
    }
    while (strncmp(state, classes[i].state, strlen(classes[i].state)) != 0)
        i++;
    pg->passing = classes[i].passing;
    return sepx_fail(msg, classes[i].err, "%s: %.*s%s", pg->base.path,
                     (int)(len < 300 ? len : 300), text, classes[i].remedy);
}

/*
 * libpq says what failed when connecting in words alone; a server that is
 * starting, full or away may be there later. One that took us before may do
 * so again whatever it says: its name may be unknown for a while, or another
 * server may have its port until it is back.
 */
static enum sepx_err
fail_connecting(struct sepx__pg *pg, struct sepx_msg *msg)
{
    static const char *const states[][2] = {
        {"pg_hba", "28h"},
        {"certificate", "28c"},
        {"password", "28"},
        {"authentication", "28"},
        {"role \"", "28"},
        {"database \"", "3D"},
        {"invalid connection", "22"},
        {"invalid URI", "22"},
        {"could not translate", "08004"},
        {"too many clients", "53300"},
        {"connection slots are reserved", "53300"},
        {"the database system is", "57P03"},
        {"", "08001"},
    };
    const char *text = PQerrorMessage(pg->conn);
    size_t i = 0;
    enum sepx_err err;

    while (!strstr(text, states[i][0]))
        i++;
    pg->starting = !strcmp(states[i][1], "57P03");
    err = fail_state(pg, states[i][1], *text ? text : "cannot connect", msg);
    if (!pg->known)
        return err;
    pg->passing = true;
    return SEPX_EIO;
}

static enum sepx_err
fail_late(struct sepx__pg *pg, struct sepx_msg *msg)
{
    pg->passing = true;
    return sepx_fail(msg, SEPX_EIO, "%s: the server does not answer",
                     pg->base.path);
}

/* ---- waiting ---- */

static bool
must_stop(const struct sepx__pg *pg)
{
    return pg->stop.asked && pg->stop.asked(pg->stop.context);
}

static double
deadline_of(const struct sepx__pg *pg)
{
    return sepx_clock() + (pg->hasty ? HASTY_SECONDS : ANSWER_SECONDS);
}

/* Until the socket is ready; SEPX_EIO behind the deadline. */
static enum sepx_err
wait_socket(struct sepx__pg *pg, short events, double deadline,
            struct sepx_msg *msg)
{
    struct pollfd at = {.fd = PQsocket(pg->conn), .events = events};

    for (;;) {
        int ready = poll(&at, 1, LOOK_MS);

        if (ready > 0)
            return SEPX_OK;
        if (ready < 0 && errno != EINTR)
            return fail_late(pg, msg);
        if (must_stop(pg))
            return SEPX_ESTOPPED;
        if (sepx_clock() > deadline)
            return fail_late(pg, msg);
    }
}

/* ---- connecting ---- */

void
sepx__pg_disconnect(struct sepx__pg *pg)
{
    PQfinish(pg->conn);
    pg->conn = NULL;
    pg->queued = 0;
    pg->writing = pg->slow = false;
    memset(pg->prepared, 0, sizeof pg->prepared);
}

static enum sepx_err
start(struct sepx__pg *pg)
{
    /* The URL is expanded first, so these are for what it leaves open. */
    static const char *const keys[] = {
        "application_name", "connect_timeout",
        "keepalives_idle",  "keepalives_count",
        "tcp_user_timeout", "keepalives_interval",
        "dbname",           NULL};
    const char *const values[] = {"sepx",  "15", "10",           "3",
                                  "15000", "5",  pg->url.server, NULL};

    pg->conn = PQconnectStartParams(keys, values, 1);
    return pg->conn ? SEPX_OK : SEPX_ENOMEM;
}

static enum sepx_err
go_on(struct sepx__pg *pg, struct sepx_msg *msg)
{
    double deadline =
        sepx_clock() + (pg->hasty ? HASTY_SECONDS : CONNECT_SECONDS);
    PostgresPollingStatusType at = PGRES_POLLING_WRITING;
    enum sepx_err err = SEPX_OK;

    if (PQstatus(pg->conn) == CONNECTION_BAD)
        return fail_connecting(pg, msg);
    while (!err && at != PGRES_POLLING_OK) {
        err = wait_socket(pg, at == PGRES_POLLING_READING ? POLLIN : POLLOUT,
                          deadline, msg);
        if (err)
            break;
        at = PQconnectPoll(pg->conn);
        if (at == PGRES_POLLING_FAILED)
            err = fail_connecting(pg, msg);
    }
    return err;
}

static enum sepx_err
connect_once(struct sepx__pg *pg, struct sepx_msg *msg)
{
    enum sepx_err err;

    sepx__pg_disconnect(pg);
    pg->starting = false;
    err = start(pg);
    if (!err)
        err = go_on(pg, msg);
    if (!err && PQsetnonblocking(pg->conn, 1) != 0)
        err = fail_late(pg, msg);
    if (!err && PQserverVersion(pg->conn) < 120000) {
        pg->passing = false;
        err = sepx_fail(msg, SEPX_EUNSUPPORTED,
                        "%s: PostgreSQL %d; studies need 12 or newer",
                        pg->base.path, PQserverVersion(pg->conn) / 10000);
    }
    if (!err)
        err = sepx__pg_execute(pg, session_sql, msg);
    if (err)
        sepx__pg_disconnect(pg);
    else
        pg->known = true;
    return err;
}

/* One that took us before is the caller's to try again, with other work. */
enum sepx_err
sepx__pg_connect(struct sepx__pg *pg, struct sepx_msg *msg)
{
    double deadline = sepx_clock() + START_SECONDS;
    enum sepx_err err;

    if (pg->conn && PQstatus(pg->conn) == CONNECTION_OK)
        return SEPX_OK;
    err = connect_once(pg, msg);
    while (err && pg->starting && !pg->known && sepx_clock() < deadline) {
        if (must_stop(pg))
            return SEPX_ESTOPPED;
        (void)poll(NULL, 0, LOOK_MS);
        err = connect_once(pg, msg);
    }
    return err;
}

/* ---- answers ---- */

/* The next result, or NULL behind the last of a query. */
static enum sepx_err
next_result(struct sepx__pg *pg, PGresult **result, double deadline,
            struct sepx_msg *msg)
{
    *result = NULL;
    for (;;) {
        int left = PQflush(pg->conn);
        enum sepx_err err;

        if (left < 0)
            return fail_state(pg, "08", PQerrorMessage(pg->conn), msg);
        if (!left && !PQisBusy(pg->conn))
            break;
        err = wait_socket(pg, left ? POLLIN | POLLOUT : POLLIN, deadline, msg);
        if (err)
            return err;
        if (!PQconsumeInput(pg->conn))
            return fail_state(pg, "08", PQerrorMessage(pg->conn), msg);
    }
    *result = PQgetResult(pg->conn);
    return SEPX_OK;
}

static enum sepx_err
check_result(struct sepx__pg *pg, const PGresult *result, struct sepx_msg *msg)
{
    const char *state;

    switch (PQresultStatus(result)) {
    case PGRES_COMMAND_OK:
    case PGRES_TUPLES_OK:
    case PGRES_PIPELINE_SYNC:
    case PGRES_PIPELINE_ABORTED: /* an earlier one says why */
        return SEPX_OK;
    default:
        state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
        return fail_state(pg, state ? state : "08",
                          PQresultErrorMessage(result), msg);
    }
}

enum sepx_err
sepx__pg_execute(struct sepx__pg *pg, const char *sql, struct sepx_msg *msg)
{
    double deadline = deadline_of(pg);
    PGresult *result;
    enum sepx_err err = SEPX_OK;

    if (PQpipelineStatus(pg->conn) == PQ_PIPELINE_ON)
        (void)PQexitPipelineMode(pg->conn);
    if (!PQsendQuery(pg->conn, sql))
        err = fail_state(pg, "08", PQerrorMessage(pg->conn), msg);
    do {
        result = NULL;
        if (!err)
            err = next_result(pg, &result, deadline, msg);
        if (!err && result)
            err = check_result(pg, result, msg);
        PQclear(result);
    } while (!err && result);
    if (err)
        sepx__pg_disconnect(pg);
    return err;
}

/* ---- queries ---- */

struct arguments {
    int count;
    Oid type[ARGUMENTS];
    const char *value[ARGUMENTS];
    int len[ARGUMENTS], format[ARGUMENTS];
    unsigned char room[ARGUMENTS][8];
};

static void
put_word(unsigned char *to, uint64_t word)
{
    for (int i = 0; i < 8; i++)
        to[i] = (unsigned char)(word >> (56 - 8 * i));
}

static void
put_argument(struct arguments *args, char letter, va_list *list)
{
    int at = args->count++;
    double number = 0;
    uint64_t word = 0;
    int64_t integer;

    args->format[at] = 1;
    args->len[at] = 8;
    args->value[at] = (const char *)args->room[at];
    switch (letter) {
    case 'i':
    case 'I':
        integer = va_arg(*list, int64_t);
        args->type[at] = OID_INT8;
        put_word(args->room[at], (uint64_t)integer);
        if (letter == 'I' && integer < 0)
            args->value[at] = NULL;
        break;
    case 'd':
        number = va_arg(*list, double);
        args->type[at] = OID_FLOAT8;
        memcpy(&word, &number, sizeof word);
        put_word(args->room[at], word);
        if (isnan(number))
            args->value[at] = NULL;
        break;
    default:
        args->type[at] = letter == 't' ? OID_TEXT : OID_BYTEA;
        args->value[at] = va_arg(*list, const char *);
        args->len[at] = letter == 's'     ? SEPX__SUM_BYTES
                        : args->value[at] ? (int)strlen(args->value[at])
                                          : 0;
    }
}

static enum sepx_err
send(struct sepx__pg *pg, enum sepx__pg_id id, const struct arguments *args)
{
    const struct sepx__pg_query *query = &sepx__pg_queries[id];
    char name[16];

    (void)snprintf(name, sizeof name, "q%d", (int)id);
    if (!pg->prepared[id]) {
        if (!PQsendPrepare(pg->conn, name, query->sql, args->count, args->type))
            return SEPX_EIO;
        pg->queued++;
        pg->prepared[id] = true;
    }
    if (!PQsendQueryPrepared(pg->conn, name, args->count, args->value,
                             args->len, args->format, 1))
        return SEPX_EIO;
    pg->queued++;
    return SEPX_OK;
}

enum sepx_err
sepx__pg_queue(struct sepx__pg *pg, enum sepx__pg_id id, struct sepx_msg *msg,
               ...)
{
    struct arguments args;
    enum sepx_err err = SEPX_OK;
    va_list list;

    if (!pg->conn || PQstatus(pg->conn) != CONNECTION_OK)
        err = sepx__pg_connect(pg, msg);
    if (err)
        return err;
    args.count = 0;
    va_start(list, msg);
    for (const char *at = sepx__pg_queries[id].types; *at; at++)
        put_argument(&args, *at, &list);
    va_end(list);
    if (PQpipelineStatus(pg->conn) != PQ_PIPELINE_ON &&
        !PQenterPipelineMode(pg->conn))
        err = SEPX_EIO;
    if (!err)
        err = send(pg, id, &args);
    if (err) {
        err = fail_state(pg, "08", PQerrorMessage(pg->conn), msg);
        sepx__pg_disconnect(pg);
    }
    return err;
}

/* One query's answer. */
static enum sepx_err
take_answer(struct sepx__pg *pg, PGresult **rows, double deadline,
            struct sepx_msg *msg)
{
    PGresult *result, *behind;
    enum sepx_err err = next_result(pg, &result, deadline, msg);

    *rows = NULL;
    if (err)
        return err;
    if (!result)
        return fail_state(pg, "08", PQerrorMessage(pg->conn), msg);
    err = check_result(pg, result, msg);
    if (!err && PQresultStatus(result) == PGRES_TUPLES_OK)
        *rows = result;
    else
        PQclear(result);
    if (!err)
        err = next_result(pg, &behind, deadline, msg);
    return err;
}

enum sepx_err
sepx__pg_finish(struct sepx__pg *pg, PGresult **rows, size_t most,
                struct sepx_msg *msg)
{
    double deadline = deadline_of(pg);
    size_t count = 0;
    PGresult *result;
    enum sepx_err err = SEPX_OK;

    for (size_t i = 0; i < most; i++)
        rows[i] = NULL;
    if (!PQpipelineSync(pg->conn))
        err = fail_state(pg, "08", PQerrorMessage(pg->conn), msg);
    for (; pg->queued && !err; pg->queued--) {
        err = take_answer(pg, &result, deadline, msg);
        if (!err && result && count < most)
            rows[count++] = result;
        else
            PQclear(result);
    }
    if (!err) {
        err = next_result(pg, &result, deadline, msg);
        PQclear(result);
    }
    if (!err)
        return err;
    for (size_t i = 0; i < count; i++) {
        PQclear(rows[i]);
        rows[i] = NULL;
    }
    sepx__pg_disconnect(pg);
    return err;
}

void
sepx__pg_push(struct sepx__pg *pg)
{
    (void)PQflush(pg->conn); /* a failure shows with the answers */
}

enum sepx_err
sepx__pg_relieve(struct sepx__pg *pg, struct sepx_msg *msg)
{
    return pg->queued < QUEUE_MOST ? SEPX_OK
                                   : sepx__pg_finish(pg, NULL, 0, msg);
}

/* ---- cells ---- */

bool
sepx__pg_null(const PGresult *rows, int row, int column)
{
    return PQgetisnull(rows, row, column);
}

static uint64_t
word_at(const PGresult *rows, int row, int column, int len)
{
    const unsigned char *at =
        (const unsigned char *)PQgetvalue(rows, row, column);
    uint64_t word = 0;

    for (int i = 0; i < len; i++)
        word = word << 8 | at[i];
    return word;
}

int64_t
sepx__pg_integer(const PGresult *rows, int row, int column, int64_t null,
                 bool *sane)
{
    if (PQgetisnull(rows, row, column))
        return null;
    if (PQftype(rows, column) == OID_INT8 &&
        PQgetlength(rows, row, column) == 8)
        return (int64_t)word_at(rows, row, column, 8);
    *sane = false;
    return null;
}

double
sepx__pg_number(const PGresult *rows, int row, int column, bool *sane)
{
    uint64_t word;
    double value;

    if (PQgetisnull(rows, row, column))
        return NAN;
    if (PQftype(rows, column) != OID_FLOAT8 ||
        PQgetlength(rows, row, column) != 8) {
        *sane = false;
        return NAN;
    }
    word = word_at(rows, row, column, 8);
    memcpy(&value, &word, sizeof value);
    return value;
}

const char *
sepx__pg_text(const PGresult *rows, int row, int column, bool *sane)
{
    const char *text = PQgetvalue(rows, row, column);
    Oid type = PQftype(rows, column);

    if (PQgetisnull(rows, row, column))
        return NULL;
    if ((type == OID_TEXT || type == OID_BYTEA) &&
        strlen(text) == (size_t)PQgetlength(rows, row, column))
        return text;
    *sane = false;
    return NULL;
}
