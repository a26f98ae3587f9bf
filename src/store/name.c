/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of studies must not hold a password: all processes see it in the list
 * of processes, and messages and logs repeat names. libpq takes passwords from
 * a file. A name that may hold one is refused without being repeated, so what
 * is malformed as a URL is refused too: a '/' in a password makes
 * "USER:PASS/WORD@HOST" a URL of the host USER.
 */
#include "store/internal.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* ---- characters, of which any may be written as %XX ---- */

int
sepx__hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static int
take(const char **at)
{
    const char *text = *at;
    int high = *text == '%' ? sepx__hex_digit(text[1]) : -1;
    int low = high < 0 ? -1 : sepx__hex_digit(text[2]);

    *at += low < 0 ? 1 : 3;
    return low < 0 ? (unsigned char)*text : 16 * high + low;
}

/* Whether `c` stands in the text, as itself or as %XX. */
static bool
has(const char *text, size_t len, int c)
{
    const char *at = text;

    while (at < text + len) {
        if (take(&at) == c)
            return true;
    }
    return false;
}

/* ---- "password=", "sslpassword = ": of a URL, or of libpq's other form ---- */

static bool
is_password_key(const char *at)
{
    static const char word[] = "password";
    size_t i = 0;
    int c;

    while (word[i] && *at && tolower(take(&at)) == word[i])
        i++;
    if (word[i])
        return false;
    do
        c = *at ? take(&at) : 0;
    while (isspace(c));
    return c == '=';
}

static bool
has_password_key(const char *name)
{
    for (const char *at = name; *at; (void)take(&at)) {
        if (is_password_key(at))
            return true;
    }
    return false;
}

/* ---- URLs ---- */

/* "USER:PASSWORD@" behind "://" of any kind of URL. */
static bool
has_credentials(const char *rest)
{
    const char *colon = NULL, *at = rest;

    while (*at) {
        const char *here = at;
        int c = take(&at);

        if (c == ':' && !colon)
            colon = here;
        if (c == '@' && colon)
            return true;
    }
    return false;
}

/* Another URL with credentials, as in "?dbname=postgresql://USER:PASSWORD@". */
static bool
has_other_url(const char *rest)
{
    static const char word[] = "://";

    for (; *rest; (void)take(&rest)) {
        const char *at = rest;
        size_t i = 0;

        while (word[i] && *at && take(&at) == word[i])
            i++;
        if (!word[i] && has_credentials(at))
            return true;
    }
    return false;
}

/* One of "HOST:PORT,[ADDRESS]:PORT,..."; both may be empty. */
static bool
is_host(const char *host, size_t len)
{
    size_t name = 0;

    if (len && *host == '[') {
        const char *end = memchr(host, ']', len);

        if (!end)
            return false;
        name = (size_t)(end - host) + 1;
    }
    while (name < len && host[name] != ':')
        name++;
    while (++name < len) {
        if (!isdigit((unsigned char)host[name]))
            return false;
    }
    return true;
}

static bool
are_hosts(const char *hosts, size_t len)
{
    const char *end = hosts + len;

    for (;;) {
        const char *comma = memchr(hosts, ',', (size_t)(end - hosts));

        if (!is_host(hosts, (size_t)((comma ? comma : end) - hosts)))
            return false;
        if (!comma)
            return true;
        hosts = comma + 1;
    }
}

/* "KEY=VALUE&KEY=VALUE", each maybe empty. */
static bool
are_parameters(const char *text)
{
    while (*text) {
        size_t len = strcspn(text, "&");
        size_t key = strspn(text, "abcdefghijklmnopqrstuvwxyz_");

        if (len && (!key || text[key] != '='))
            return false;
        /* Another URL: this one began inside of a password. */
        if (memchr(text, '@', len) && memchr(text, '?', len))
            return false;
        text += len + (text[len] == '&');
    }
    return true;
}

/* `rest` is behind "postgresql://": [USER@]HOSTS[/DATABASE][?PARAMETERS]. */
static bool
is_clear(const char *rest)
{
    size_t len = strcspn(rest, "@/");

    /* libpq looks for the user up to the first '/', beyond any '?'. */
    if (rest[len] == '@') {
        if (has(rest, len, ':') || strcspn(rest, "?#&=") < len)
            return false;
        rest += len + 1;
    }
    len = strcspn(rest, "/?");
    if (memchr(rest, '@', len) || memchr(rest, '#', len) ||
        !are_hosts(rest, len))
        return false;
    rest += len;
    len = strcspn(rest, "?");
    return !memchr(rest, '@', len) &&
           (!rest[len] || are_parameters(rest + len + 1));
}

bool
sepx__name_is_url(const char *name)
{
    return !strncmp(name, "postgresql://", 13) ||
           !strncmp(name, "postgres://", 11);
}

static bool
has_secret(const char *name)
{
    const char *rest = strstr(name, "://");

    if (has_password_key(name))
        return true;
    if (sepx__name_is_url(name))
        return !is_clear(rest + 3) || has_other_url(rest + 3);
    /* "postgresql:/...", "postgresql//..." */
    if (!rest && !strncasecmp(name, "postgres", 8))
        rest = name + strcspn(name, ":/");
    return rest && has_credentials(rest + (*rest != '\0'));
}

enum sepx_err
sepx_store_check_name(const char *name, struct sepx_msg *msg)
{
    if (!has_secret(name))
        return SEPX_OK;
    return sepx_fail(msg, SEPX_EINVAL,
                     "the name of a study is a path or "
                     "postgresql://USER@HOST:PORT/DATABASE?study=NAME, with "
                     "other characters as %%XX; this one is malformed or has a "
                     "password, which others can read; put it into ~/.pgpass, "
                     "or name a file of that form with passfile=FILE in the "
                     "URL");
}
