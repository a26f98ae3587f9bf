/* SPDX-License-Identifier: Apache-2.0 */
/* The socket that a server listens on. */
#include "page/server_address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { BACKLOG = 128 };

/* "HOST", "HOST:PORT", "[HOST]:PORT" into its parts. */
static bool
split(const char *listen, char *host, size_t size, uint16_t *port)
{
    const bool bracket = *listen == '[';
    const char *begin = listen + bracket;
    size_t len = strcspn(begin, bracket ? "]" : ":");
    const char *rest = begin + len + bracket;
    char *end;
    unsigned long number;

    /* More than one colon and no bracket: the address alone. */
    if (!bracket && *rest == ':' && strchr(rest + 1, ':')) {
        len = strlen(begin);
        rest = begin + len;
    }
    if (len == 0 || len >= size || (bracket && !begin[len]))
        return false;
    memcpy(host, begin, len);
    host[len] = '\0';
    *port = 0;
    if (!*rest)
        return true;
    number = strtoul(rest + 1, &end, 10);
    if (*rest != ':' || !rest[1] || *end || number > 65535)
        return false;
    *port = (uint16_t)number;
    return true;
}

/* True if `host` is an address of either kind, or "localhost". */
static bool
fill_address(struct server_address *to, struct sockaddr_storage *address,
             socklen_t *len, const char *host, uint16_t port)
{
    struct sockaddr_in *v4 = (struct sockaddr_in *)address;
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)address;

    memset(address, 0, sizeof *address);
    if (!strcmp(host, "localhost"))
        host = "127.0.0.1";
    if (inet_pton(AF_INET, host, &v4->sin_addr) == 1) {
        v4->sin_family = AF_INET;
        v4->sin_port = htons(port);
        *len = sizeof *v4;
        to->open = (ntohl(v4->sin_addr.s_addr) >> 24) != 127;
        to->wildcard = v4->sin_addr.s_addr == htonl(INADDR_ANY);
        snprintf(to->host, sizeof to->host, "%s", host);
        return true;
    }
    if (inet_pton(AF_INET6, host, &v6->sin6_addr) != 1)
        return false;
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(port);
    *len = sizeof *v6;
    to->open = !IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr);
    to->wildcard = IN6_IS_ADDR_UNSPECIFIED(&v6->sin6_addr);
    snprintf(to->host, sizeof to->host, "[%s]", host);
    return true;
}

static enum sepx_err
fail(struct server_address *to, const char *listen, struct sepx_msg *msg)
{
    const int number = errno;

    if (to->socket >= 0)
        (void)close(to->socket);
    to->socket = -1;
    return sepx_fail(msg, SEPX_EIO,
                     "cannot listen at '%s': %s; choose another with --listen "
                     "ADDRESS:PORT (port 0: any free one)",
                     listen, strerror(number));
}

static enum sepx_err
listen_address(struct server_address *to, const char *listen_at,
               struct sepx_msg *msg)
{
    struct sockaddr_storage address;
    socklen_t len;
    char host[64];
    uint16_t port;
    const int yes = 1;

    if (!split(listen_at, host, sizeof host, &port) ||
        !fill_address(to, &address, &len, host, port))
        return sepx_fail(msg, SEPX_EINVAL,
                         "'%s' is no address to listen at; write 127.0.0.1, "
                         "127.0.0.1:8080, [::1]:8080 or unix:PATH",
                         listen_at);
    to->socket = socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (to->socket < 0)
        return fail(to, listen_at, msg);
    (void)setsockopt(to->socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(to->socket, (struct sockaddr *)&address, len) ||
        listen(to->socket, BACKLOG) ||
        getsockname(to->socket, (struct sockaddr *)&address, &len))
        return fail(to, listen_at, msg);
    to->port = ntohs(address.ss_family == AF_INET
                         ? ((struct sockaddr_in *)&address)->sin_port
                         : ((struct sockaddr_in6 *)&address)->sin6_port);
    return SEPX_OK;
}

/* A socket that nobody answers any more may be left by a crash. */
static bool
is_left_over(const char *path, const struct sockaddr_un *address)
{
    struct stat st;
    bool dead;
    int probe;

    if (lstat(path, &st) || !S_ISSOCK(st.st_mode))
        return false;
    probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (probe < 0)
        return false;
    dead = connect(probe, (const struct sockaddr *)address, sizeof *address) &&
           errno == ECONNREFUSED;
    (void)close(probe);
    return dead;
}

static enum sepx_err
listen_path(struct server_address *to, const char *listen_at,
            struct sepx_msg *msg)
{
    const char *path = listen_at + strlen("unix:");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    mode_t mask;
    int failed;

    if (!*path || strlen(path) >= sizeof address.sun_path)
        return sepx_fail(msg, SEPX_EINVAL,
                         "'%s': the path of a socket has 1 to %zu bytes",
                         listen_at, sizeof address.sun_path - 1);
    memcpy(address.sun_path, path, strlen(path) + 1);
    if (is_left_over(path, &address))
        (void)unlink(path);
    to->socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (to->socket < 0)
        return fail(to, listen_at, msg);
    mask = umask(0077); /* the owner's alone */
    failed = bind(to->socket, (struct sockaddr *)&address, sizeof address);
    (void)umask(mask);
    if (failed || listen(to->socket, BACKLOG))
        return fail(to, listen_at, msg);
    snprintf(to->path, sizeof to->path, "%s", path);
    return SEPX_OK;
}

enum sepx_err
server_address_open(struct server_address *to, const char *listen_at,
                    struct sepx_msg *msg)
{
    *to = (struct server_address){.socket = -1};
    if (!strncmp(listen_at, "unix:", 5))
        return listen_path(to, listen_at, msg);
    return listen_address(to, listen_at, msg);
}

void
server_address_close(struct server_address *address)
{
    if (address->socket >= 0)
        (void)close(address->socket);
    if (address->path[0])
        (void)unlink(address->path);
    address->socket = -1;
}

/* The length of the name in "NAME" or "NAME:PORT", or 0 if it is neither. */
static size_t
name_length(const char *host)
{
    const size_t len =
        *host == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":");
    const char *port;

    if (memchr(host, '\0', len))
        return 0;
    port = host + len + (host[len] == ':');
    if (host[len] && (host[len] != ':' || port[strspn(port, "0123456789")]))
        return 0;
    return len;
}

static bool
read_v6(struct in6_addr *to, const char *host, size_t len)
{
    char text[64];

    if (len < 2 || len > sizeof text || *host != '[')
        return false;
    memcpy(text, host + 1, len - 2);
    text[len - 2] = '\0';
    return inet_pton(AF_INET6, text, to) == 1;
}

/* Browsers write an address of version 6 in a form of their own. */
static bool
same_name(const char *a, size_t len, const char *b)
{
    struct in6_addr left, right;

    if (len == strlen(b) && !strncasecmp(a, b, len))
        return true;
    return read_v6(&left, a, len) && read_v6(&right, b, strlen(b)) &&
           memcmp(&left, &right, sizeof left) == 0;
}

bool
server_address_is(const struct server_address *address, const char *host)
{
    /* Names of a browser on this machine, or at the end of a tunnel to it. */
    static const char *const here[] = {"localhost", "127.0.0.1", "[::1]"};
    const size_t len = name_length(host);

    if (address->path[0] || address->wildcard)
        return true; /* file permissions or the token alone decide */
    if (same_name(host, len, address->host))
        return true;
    for (size_t i = 0; i < sizeof here / sizeof *here; i++) {
        if (same_name(host, len, here[i]))
            return true;
    }
    return false;
}
