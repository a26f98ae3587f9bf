/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small web server for a page: GET and HEAD, on one address or socket.
 * Whoever has the token gets in; a browser keeps it in a cookie.
 */
#ifndef SEPX_CLI_PAGE_SERVER_H
#define SEPX_CLI_PAGE_SERVER_H

#include "page/page.h"

struct server;

/*
 * Start serving `page` at `listen`: "127.0.0.1", "127.0.0.1:8080", "[::1]:80"
 * or "unix:PATH"; port 0 or none is any free one. *server is NULL after a
 * failure. SEPX_EUNSUPPORTED if this build has no web server.
 */
SEPX_CHECKED enum sepx_err server_start(struct server **server,
                                        struct page *page, const char *listen,
                                        struct sepx_msg *msg);
/* Where to find it, with the token. */
const char *server_url(const struct server *server);
/* Whether other machines can reach it. */
bool server_is_open(const struct server *server);
/* Whether it listens at all addresses, so that its URL names none of them. */
bool server_is_wildcard(const struct server *server);
/* Ends within half a second, whoever is connected. NULL: nothing. */
void server_stop(struct server *server);

#endif
