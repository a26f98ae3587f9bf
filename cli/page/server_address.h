/* SPDX-License-Identifier: Apache-2.0 */
/* Where a server listens: a port of an address, or a socket in a folder. */
#ifndef SEPX_CLI_PAGE_ADDRESS_H
#define SEPX_CLI_PAGE_ADDRESS_H

#include "frame/cli.h"

struct server_address {
    int socket;     /* -1: closed */
    char host[72];  /* as in a URL; empty for a socket with a path */
    char path[108]; /* of such a socket, else empty */
    uint16_t port;
    bool open;     /* other machines can reach it */
    bool wildcard; /* all addresses of the machine */
};

/* `listen_at` as in server.h. */
SEPX_CHECKED enum sepx_err server_address_open(struct server_address *to,
                                               const char *listen_at,
                                               struct sepx_msg *msg);
void server_address_close(struct server_address *address);
/*
 * Whether a Host header names this address, with any port: a tunnel has a port
 * of its own. Another name that leads here is that of a foreign page which
 * wants to read ours (DNS rebinding). A wildcard address has any name.
 */
bool server_address_is(const struct server_address *address, const char *host);

#endif
