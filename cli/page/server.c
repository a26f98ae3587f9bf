/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The server, on libmicrohttpd: a thread for each connection, since those
 * that wait for events do nothing but wait. Every answer forbids scripts,
 * styles and requests of other origins.
 */
#include "page/server.h"

#include <microhttpd.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "page/server_address.h"
#include "page/server_idle.h"

enum { CONNECTIONS = 256, IDLE = 64, TOKEN_BYTES = 16, EVENT_ROOM = 64 };

/* Seconds of silence that end a connection: without the token, and with it. */
enum { STRANGER_SILENCE = 10, CLIENT_SILENCE = 60 };

#define WAIT_NS 200000000L /* between two looks of a waiting connection */
#define ALIVE 15.0         /* seconds until a sign of life */

struct server {
    struct page *page;
    struct MHD_Daemon *daemon;
    struct server_address address;
    struct idle idle;
    char token[2 * TOKEN_BYTES + 1], cookie[32], url[256];
};

static const struct {
    const char *name, *value;
} headers[] = {
    {"Content-Security-Policy",
     "default-src 'self'; base-uri 'none'; form-action 'none'; "
     "frame-ancestors 'none'; object-src 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"X-Frame-Options", "DENY"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cache-Control", "no-store"},
};

/* ---- answers ---- */

/* Takes `response`, which may be NULL. */
static enum MHD_Result
answer(struct MHD_Connection *connection, unsigned status, const char *type,
       struct MHD_Response *response)
{
    enum MHD_Result result = MHD_NO;

    if (!response)
        return MHD_NO;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        (void)MHD_add_response_header(response, headers[i].name,
                                      headers[i].value);
    if (MHD_add_response_header(response, "Content-Type", type) == MHD_YES)
        result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result
answer_text(struct MHD_Connection *connection, unsigned status,
            const char *text)
{
    return answer(connection, status, "text/plain; charset=utf-8",
                  MHD_create_response_from_buffer(strlen(text), (void *)text,
                                                  MHD_RESPMEM_MUST_COPY));
}

static enum MHD_Result
answer_file(struct MHD_Connection *connection, const char *name)
{
    const struct page_file *file = page_file_find(name);

    if (!file)
        return answer_text(connection, MHD_HTTP_NOT_FOUND, "no such file\n");
    return answer(connection, MHD_HTTP_OK, file->type,
                  MHD_create_response_from_buffer(
                      file->len, (void *)file->bytes, MHD_RESPMEM_PERSISTENT));
}

/* ---- documents ---- */

/* Keys and values as one text again; only plain characters are let in. */
static enum MHD_Result
gather_query(void *context, enum MHD_ValueKind kind, const char *key,
             const char *value)
{
    struct sepx_text *text = context;

    (void)kind;
    if (strchr(key, '&') || !value || strpbrk(value, "&="))
        return MHD_YES;
    return sepx_text_print(text, "%s%s=%s", text->len ? "&" : "", key, value)
               ? MHD_NO
               : MHD_YES;
}

static enum MHD_Result
answer_failure(struct MHD_Connection *connection, enum sepx_err err,
               const struct sepx_msg *msg)
{
    unsigned status = err == SEPX_ENOTFOUND ? MHD_HTTP_NOT_FOUND
                                            : MHD_HTTP_INTERNAL_SERVER_ERROR;
    struct sepx_text text = {0};
    enum MHD_Result result;

    if (sepx_text_print(&text, "%s\n",
                        msg->text[0] ? msg->text : sepx_strerror(err)))
        return MHD_NO;
    result = answer_text(connection, status, text.at);
    sepx_text_release(&text);
    return result;
}

/* "NAME" of all studies, or "INDEX/NAME". */
static enum MHD_Result
answer_document(struct server *server, struct MHD_Connection *connection,
                const char *name)
{
    struct sepx_text query = {0}, text = {0};
    struct sepx_msg msg = {0};
    struct page_query asked;
    enum MHD_Result result;
    enum sepx_err err;
    char *end;
    unsigned long index = strtoul(name, &end, 10);

    if (end != name && *end == '/')
        name = end + 1;
    else
        index = 0;
    (void)MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND,
                                    gather_query, &query);
    asked.text = query.len ? query.at : NULL;
    err = page_document(server->page, &text, name, index, &asked, &msg);
    if (err)
        result = answer_failure(connection, err, &msg);
    else
        result =
            answer(connection, MHD_HTTP_OK, "application/json; charset=utf-8",
                   MHD_create_response_from_buffer(text.len, text.at,
                                                   MHD_RESPMEM_MUST_COPY));
    sepx_text_release(&query);
    sepx_text_release(&text);
    return result;
}

/* ---- events ---- */

/* A client that waits for changes. */
struct waiting {
    struct page *page;
    uint64_t version; /* that the client knows */
    double last;      /* when something was sent */
};

/* The page's lock is held; true once there is something to say. */
static bool
wait_for_change(struct waiting *waiting)
{
    struct timespec until;

    while (!waiting->page->ending &&
           waiting->page->version == waiting->version &&
           sepx_clock() - waiting->last < ALIVE) {
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += WAIT_NS;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        (void)pthread_cond_timedwait(&waiting->page->changed,
                                     &waiting->page->lock, &until);
    }
    return !waiting->page->ending;
}

static ssize_t
next_event(void *context, uint64_t position, char *room, size_t size)
{
    struct waiting *waiting = context;
    struct page *page = waiting->page;
    uint64_t events = 0;
    int len = 0;

    (void)position;
    if (size < EVENT_ROOM)
        return 0;
    pthread_mutex_lock(&page->lock);
    if (!wait_for_change(waiting)) {
        pthread_mutex_unlock(&page->lock);
        return MHD_CONTENT_READER_END_OF_STREAM;
    }
    for (size_t i = 0; i < page->count; i++)
        events += page->study[i].events;
    if (page->version == waiting->version)
        len = snprintf(room, size, ": alive\n\n");
    else
        len = snprintf(room, size, "id: %llu\ndata: %llu\n\n",
                       (unsigned long long)events, (unsigned long long)events);
    waiting->version = page->version;
    waiting->last = sepx_clock();
    pthread_mutex_unlock(&page->lock);
    return len;
}

static enum MHD_Result
answer_events(struct server *server, struct MHD_Connection *connection)
{
    struct waiting *waiting = malloc(sizeof *waiting);
    struct MHD_Response *response;

    if (!waiting)
        return MHD_NO;
    *waiting = (struct waiting){.page = server->page, .last = sepx_clock()};
    response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 1024,
                                                 next_event, waiting, free);
    if (!response)
        free(waiting);
    return answer(connection, MHD_HTTP_OK, "text/event-stream; charset=utf-8",
                  response);
}

/* ---- who may ask ---- */

/* In a time that does not depend on where they differ. */
static bool
same_token(const char *a, const char *b)
{
    const size_t len = strlen(b);
    unsigned char differ = 0;

    if (!a || strlen(a) != len)
        return false;
    for (size_t i = 0; i < len; i++)
        differ |= (unsigned char)(a[i] ^ b[i]);
    return !differ;
}

/* The URL with the token leads to one without it. */
static enum MHD_Result
let_in(struct server *server, struct MHD_Connection *connection)
{
    struct MHD_Response *response =
        MHD_create_response_from_buffer(0, (void *)"", MHD_RESPMEM_PERSISTENT);
    char cookie[128];

    if (!response)
        return MHD_NO;
    snprintf(cookie, sizeof cookie, "%s=%s; Path=/; HttpOnly; SameSite=Strict",
             server->cookie, server->token);
    (void)MHD_add_response_header(response, "Set-Cookie", cookie);
    (void)MHD_add_response_header(response, "Location", "/");
    return answer(connection, MHD_HTTP_SEE_OTHER, "text/plain", response);
}

/* ---- connections ---- */

static void
note_connection(void *context, struct MHD_Connection *connection, void **own,
                enum MHD_ConnectionNotificationCode code)
{
    struct server *server = context;
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);

    if (code == MHD_CONNECTION_NOTIFY_CLOSED)
        idle_close(&server->idle, *own);
    else
        *own = info ? idle_open(&server->idle, info->connect_fd) : NULL;
}

static struct connection *
own_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

    return info ? info->socket_context : NULL;
}

static void
note_answered(void *context, struct MHD_Connection *connection, void **state,
              enum MHD_RequestTerminationCode code)
{
    struct server *server = context;

    (void)state, (void)code;
    idle_enter(&server->idle, own_of(connection));
}

/* ---- requests ---- */

static enum MHD_Result
route(struct server *server, struct MHD_Connection *connection,
      const char *path)
{
    idle_leave(&server->idle, own_of(connection));
    (void)MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT,
                                    (unsigned)CLIENT_SILENCE);
    if (!strcmp(path, "/"))
        return answer_file(connection, "index.html");
    if (!strcmp(path, "/events"))
        return answer_events(server, connection);
    if (!strncmp(path, "/api/", 5))
        return answer_document(server, connection, path + 5);
    return answer_file(connection, path + 1);
}

static enum MHD_Result
handle(void *context, struct MHD_Connection *connection, const char *path,
       const char *method, const char *version, const char *upload,
       size_t *upload_size, void **state)
{
    struct server *server = context;
    const char *host =
        MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host");

    (void)version, (void)upload, (void)upload_size, (void)state;
    if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
        return answer_text(connection, MHD_HTTP_METHOD_NOT_ALLOWED,
                           "only GET and HEAD\n");
    if (!host || !server_address_is(&server->address, host))
        return answer_text(connection, MHD_HTTP_MISDIRECTED_REQUEST,
                           "this server has another name\n");
    if (same_token(MHD_lookup_connection_value(connection,
                                               MHD_GET_ARGUMENT_KIND, "token"),
                   server->token))
        return let_in(server, connection);
    if (!same_token(MHD_lookup_connection_value(connection, MHD_COOKIE_KIND,
                                                server->cookie),
                    server->token))
        return answer_text(connection, MHD_HTTP_FORBIDDEN,
                           "open the URL that 'sepx study watch' printed: it "
                           "has the token\n");
    return route(server, connection, path);
}

/* ---- start and end ---- */

static enum sepx_err
make_token(struct server *server, struct sepx_msg *msg)
{
    unsigned char bytes[TOKEN_BYTES + 4];

    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return sepx_fail(msg, SEPX_EIO, "the system gives no random numbers");
    for (size_t i = 0; i < TOKEN_BYTES; i++)
        snprintf(server->token + 2 * i, 3, "%02x", bytes[i]);
    /*
     * Cookies know no ports: two servers must not share one, nor two of
     * different machines with the same port, both at 'localhost' by tunnels.
     */
    snprintf(server->cookie, sizeof server->cookie, "sepx-%02x%02x%02x%02x",
             bytes[TOKEN_BYTES], bytes[TOKEN_BYTES + 1], bytes[TOKEN_BYTES + 2],
             bytes[TOKEN_BYTES + 3]);
    return SEPX_OK;
}

static void
write_url(struct server *server)
{
    const struct server_address *at = &server->address;

    if (at->path[0])
        snprintf(server->url, sizeof server->url, "unix:%s token=%s", at->path,
                 server->token);
    else
        snprintf(server->url, sizeof server->url, "http://%s:%u/?token=%s",
                 at->host, at->port, server->token);
}

enum sepx_err
server_start(struct server **server, struct page *page, const char *listen,
             struct sepx_msg *msg)
{
    struct server *s = calloc(1, sizeof *s);
    enum sepx_err err;

    *server = NULL;
    if (!s)
        return SEPX_ENOMEM;
    s->page = page;
    idle_begin(&s->idle, IDLE);
    err = server_address_open(&s->address, listen, msg);
    if (!err)
        err = make_token(s, msg);
    if (!err) {
        write_url(s);
        s->daemon = MHD_start_daemon(
            MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION |
                MHD_USE_POLL | MHD_USE_ITC,
            0, NULL, NULL, handle, s, MHD_OPTION_LISTEN_SOCKET,
            s->address.socket, MHD_OPTION_CONNECTION_LIMIT,
            (unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT,
            (unsigned)STRANGER_SILENCE, MHD_OPTION_NOTIFY_CONNECTION,
            note_connection, s, MHD_OPTION_NOTIFY_COMPLETED, note_answered, s,
            MHD_OPTION_END);
        if (!s->daemon)
            err = sepx_fail(msg, SEPX_EIO, "the web server did not start");
    }
    if (err) {
        server_address_close(&s->address);
        idle_end(&s->idle);
        free(s);
        return err;
    }
    *server = s;
    return SEPX_OK;
}

const char *
server_url(const struct server *server)
{
    return server->url;
}

bool
server_is_open(const struct server *server)
{
    return server->address.open;
}

bool
server_is_wildcard(const struct server *server)
{
    return server->address.wildcard;
}

void
server_stop(struct server *server)
{
    if (!server)
        return;
    pthread_mutex_lock(&server->page->lock);
    server->page->ending = true;
    pthread_cond_broadcast(&server->page->changed);
    pthread_mutex_unlock(&server->page->lock);
    MHD_stop_daemon(server->daemon);
    server->address.socket = -1; /* the daemon closed it */
    server_address_close(&server->address);
    idle_end(&server->idle);
    free(server);
}
