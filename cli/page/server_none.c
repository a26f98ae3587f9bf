/* SPDX-License-Identifier: Apache-2.0 */
/* The web server of a build without libmicrohttpd: there is none. */
#include "page/server.h"

enum sepx_err
server_start(struct server **server, struct page *page, const char *listen,
             struct sepx_msg *msg)
{
    (void)page, (void)listen;
    *server = NULL;
    return sepx_fail(
        msg, SEPX_EUNSUPPORTED,
        "this build has no web server; install "
        "libmicrohttpd-dev and run ./quickstart, or write the page to "
        "a file with 'sepx study report'");
}

const char *
server_url(const struct server *server)
{
    (void)server;
    return "";
}

bool
server_is_open(const struct server *server)
{
    (void)server;
    return false;
}

bool
server_is_wildcard(const struct server *server)
{
    (void)server;
    return false;
}

void
server_stop(struct server *server)
{
    (void)server;
}
