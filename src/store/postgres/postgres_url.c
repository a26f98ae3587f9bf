/* SPDX-License-Identifier: Apache-2.0 */
/*
 * postgresql://HOST/DATABASE?study=NAME: libpq's URL with one parameter more.
 * A password in it would be seen by everyone who lists processes, and would
 * be kept in logs; libpq takes it from a file instead.
 */
#include "store/postgres/postgres.h"

#include <string.h>

enum { NAME_MOST = 200 };

void
sepx__pg_url_release(struct sepx__pg_url *url)
{
    sepx__free(url->server);
    sepx__free(url->study);
    *url = (struct sepx__pg_url){0};
}

static int
hex(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Numbers of characters become those; false: one is malformed or a control. */
static bool
decode(char *text)
{
    char *to = text;

    for (const char *at = text; *at; at++) {
        unsigned char c = (unsigned char)*at;

        if (c == '%') {
            int high = hex(at[1]), low = high < 0 ? -1 : hex(at[2]);

            if (low < 0)
                return false;
            c = (unsigned char)(16 * high + low);
            at += 2;
        }
        if (c < 0x20 || c == 0x7f)
            return false;
        *to++ = (char)c;
    }
    *to = '\0';
    return true;
}

static bool
has_password(const char *text)
{
    const char *user = strstr(text, "://") + 3;
    size_t len = strcspn(user, "/?#");
    const char *at = memchr(user, '@', len);

    if (at && memchr(user, ':', (size_t)(at - user)))
        return true;
    /* libpq decodes names, too: one with %XX may be any. */
    for (at = strchr(text, '?'); at; at = strchr(at, '&')) {
        len = strcspn(++at, "=&");
        if (memchr(at, '%', len) || (len == 8 && !strncmp(at, "password", 8)))
            return true;
    }
    return false;
}

/* Takes study=NAME out of the parameters behind `server`. */
static enum sepx_err
take_study(struct sepx__pg_url *url, const char *text, struct sepx_msg *msg)
{
    const char *query = strchr(text, '?');
    struct sepx_text rest = {0};
    enum sepx_err err;
    char sign = '?';

    err = query ? sepx_text_print(&rest, "%.*s", (int)(query - text), text)
                : sepx_text_print(&rest, "%s", text);
    while (!err && query && *query) {
        size_t len = strcspn(++query, "&");

        if (len > 6 && !strncmp(query, "study=", 6)) {
            sepx__free(url->study);
            url->study = sepx__calloc(len, 1);
            if (url->study)
                memcpy(url->study, query + 6, len - 6);
            else
                err = SEPX_ENOMEM;
        } else if (len) {
            err = sepx_text_print(&rest, "%c%.*s", sign, (int)len, query);
            sign = '&';
        }
        query += len;
    }
    url->server = rest.at;
    if (!err && url->study &&
        (!decode(url->study) || strlen(url->study) > NAME_MOST))
        err = sepx_fail(msg, SEPX_EINVAL,
                        "%.300s: the name of a study has 1 to %d bytes and no "
                        "control characters; write others as %%XX",
                        text, NAME_MOST);
    return err;
}

enum sepx_err
sepx__pg_url_read(struct sepx__pg_url *url, const char *text,
                  struct sepx_msg *msg)
{
    enum sepx_err err;

    *url = (struct sepx__pg_url){0};
    if (has_password(text)) /* which the message must not repeat */
        return sepx_fail(msg, SEPX_EINVAL,
                         "a password in a URL can be read by others; put it "
                         "into ~/.pgpass, or name a file of that form with "
                         "passfile=FILE in the URL");
    err = take_study(url, text, msg);
    if (err)
        sepx__pg_url_release(url);
    return err;
}
