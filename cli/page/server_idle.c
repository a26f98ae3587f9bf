/* SPDX-License-Identifier: Apache-2.0 */
#include "page/server_idle.h"

#include <stdlib.h>
#include <sys/socket.h>

struct connection {
    struct connection *before, *after;
    int socket;
    bool listed, ended;
};

void
idle_begin(struct idle *idle, size_t most)
{
    *idle = (struct idle){.most = most};
    pthread_mutex_init(&idle->lock, NULL);
}

void
idle_end(struct idle *idle)
{
    pthread_mutex_destroy(&idle->lock);
}

/* ---- the list; the lock is held ---- */

static void
take_out(struct idle *idle, struct connection *connection)
{
    if (!connection->listed)
        return;
    if (connection->before)
        connection->before->after = connection->after;
    else
        idle->first = connection->after;
    if (connection->after)
        connection->after->before = connection->before;
    else
        idle->last = connection->before;
    connection->before = connection->after = NULL;
    connection->listed = false;
    idle->count--;
}

/* The server's own thread closes a socket that was shut down. */
static void
put_last(struct idle *idle, struct connection *connection)
{
    if (connection->listed || connection->ended)
        return;
    connection->before = idle->last;
    if (idle->last)
        idle->last->after = connection;
    else
        idle->first = connection;
    idle->last = connection;
    connection->listed = true;
    idle->count++;
    if (idle->count > idle->most) {
        struct connection *oldest = idle->first;

        take_out(idle, oldest);
        oldest->ended = true;
        (void)shutdown(oldest->socket, SHUT_RDWR);
    }
}

/* ---- connections ---- */

struct connection *
idle_open(struct idle *idle, int socket)
{
    struct connection *made = calloc(1, sizeof *made);

    if (!made)
        return NULL;
    made->socket = socket;
    idle_enter(idle, made);
    return made;
}

void
idle_close(struct idle *idle, struct connection *connection)
{
    idle_leave(idle, connection);
    free(connection);
}

void
idle_leave(struct idle *idle, struct connection *connection)
{
    if (!connection)
        return;
    pthread_mutex_lock(&idle->lock);
    take_out(idle, connection);
    pthread_mutex_unlock(&idle->lock);
}

void
idle_enter(struct idle *idle, struct connection *connection)
{
    if (!connection)
        return;
    pthread_mutex_lock(&idle->lock);
    put_last(idle, connection);
    pthread_mutex_unlock(&idle->lock);
}
