/* SPDX-License-Identifier: Apache-2.0 */
/* A private PostgreSQL server in a folder. */
#ifndef SEPX_CLI_SERVER_FOLDER_H
#define SEPX_CLI_SERVER_FOLDER_H

#include <limits.h>

#include "frame/cli.h"

/* {0} is empty. */
struct server {
    const char *command;
    char folder[PATH_MAX]; /* from the root */
    char bin[PATH_MAX];    /* the programs of PostgreSQL */
    char host[256];        /* as clients reach it */
    unsigned port;         /* 0: not known yet */
    bool there;            /* the folder has a server */
};

/*
 * Find folder and programs; a process of root becomes the owner of the
 * folder, because PostgreSQL refuses to run as root. With `make`, the folder
 * is made. Says what is wrong and returns an exit code.
 */
int server_open(struct server *server, const char *command, const char *folder,
                bool make);
/* Host and port as the last start wrote them. */
int server_read(struct server *server);
/* Run one of PostgreSQL's programs; its words behind `name`, ended by NULL. */
int server_call(const struct server *server, const char *name,
                const char *const *words, const struct sepx_text *input);
/* Whether a server on this machine answers at that port. */
bool server_answers(const struct server *server, long port);
/* A whole new file of the folder or none, readable by its owner only. */
int server_write(const struct server *server, const char *name,
                 const char *text);
/* The URL for a role: "owner", "worker", "reader". */
void server_print_url(struct out *out, const struct server *server,
                      const char *role, const char *host);

/* Owner, worker and reader; ended by NULL. */
extern const char *const server_roles[];

/* ---- server_life.c ---- */

/* Held until this process ends: only one starts or stops a server. */
int server_lock(const struct server *server);
/* Whether it runs; one that is starting is waited for. */
bool server_runs(const struct server *server);
/*
 * Start it, and wait until it answers; says why it does not. One that was
 * killed may have left processes, which are waited for.
 */
int server_begin(const struct server *server);

#endif
