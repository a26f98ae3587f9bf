/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Idle connections of a server: those without an authorized request. They are
 * few, so that they cannot keep other clients out: a further one ends the
 * oldest. All functions may be called from any thread.
 */
#ifndef SEPX_CLI_PAGE_IDLE_H
#define SEPX_CLI_PAGE_IDLE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct connection;

struct idle {
    pthread_mutex_t lock;
    struct connection *first, *last; /* the oldest first */
    size_t count, most;
};

void idle_begin(struct idle *idle, size_t most);
/* All connections have ended. */
void idle_end(struct idle *idle);

/* A new connection, idle at first; NULL: no memory, it is not counted. */
struct connection *idle_open(struct idle *idle, int socket);
/* Before its socket is closed. NULL: no effect, here and below. */
void idle_close(struct idle *idle, struct connection *connection);
/* It has an authorized request: it is not ended for another. */
void idle_leave(struct idle *idle, struct connection *connection);
/* That request was answered. */
void idle_enter(struct idle *idle, struct connection *connection);

#endif
