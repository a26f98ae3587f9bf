/* SPDX-License-Identifier: Apache-2.0 */
/*
 * postgresql://HOST/DATABASE?study=NAME: libpq's URL with one parameter more.
 * It has no password (store/name.c).
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

/* Numbers of characters become those; false: one is malformed or a control. */
static bool
decode(char *text)
{
    char *to = text;

    for (const char *at = text; *at; at++) {
        unsigned char c = (unsigned char)*at;

        if (c == '%') {
            int high = sepx__hex_digit(at[1]);
            int low = high < 0 ? -1 : sepx__hex_digit(at[2]);

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

/* Whether libpq knows a parameter that is none of its secrets. */
static bool
is_known(const PQconninfoOption *options, const char *key, size_t len)
{
    if (len == 3 && !strncmp(key, "ssl", len)) /* of URLs, as in JDBC */
        return true;
    for (; options->keyword; options++) {
        if (strlen(options->keyword) == len &&
            !strncmp(key, options->keyword, len))
            return options->dispchar[0] != '*';
    }
    return false;
}

/* An unknown parameter may be a part of anything: it is not repeated. */
static enum sepx_err
check_parameters(const char *server, struct sepx_msg *msg)
{
    PQconninfoOption *options = PQconndefaults();
    const char *at = strchr(server, '?');
    bool known = true;

    if (!options)
        return SEPX_ENOMEM;
    while (at && known) {
        known = is_known(options, at + 1, strcspn(at + 1, "="));
        at = strchr(at + 1, '&');
    }
    PQconninfoFree(options);
    return known ? SEPX_OK
                 : sepx_fail(msg, SEPX_EINVAL,
                             "the URL of the study has a parameter that is "
                             "neither 'study' nor one of libpq's, or that is "
                             "a secret; secrets belong into files, such as "
                             "~/.pgpass, as others can read URLs");
}

/* Takes study=NAME out of the parameters behind `server`. */
static enum sepx_err
take_study(struct sepx__pg_url *url, const char *text)
{
    const char *query = strchr(text, '?');
    struct sepx_text rest = {0};
    enum sepx_err err;
    char sign = '?';

    err = query ? sepx_text_print(&rest, "%.*s", (int)(query - text), text)
                : sepx_text_print(&rest, "%s", text);
    while (!err && query && *query) {
        size_t len = strcspn(++query, "&");

        if (len == 6 && !strncmp(query, "study=", 6)) {
            /* None is named. */
        } else if (len > 6 && !strncmp(query, "study=", 6)) {
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
    return err;
}

enum sepx_err
sepx__pg_url_read(struct sepx__pg_url *url, const char *text,
                  struct sepx_msg *msg)
{
    enum sepx_err err;

    *url = (struct sepx__pg_url){0};
    err = take_study(url, text);
    if (!err)
        err = check_parameters(url->server, msg);
    if (!err && url->study &&
        (!decode(url->study) || strlen(url->study) > NAME_MOST))
        err = sepx_fail(msg, SEPX_EINVAL,
                        "%.300s: the name of a study has 1 to %d bytes and no "
                        "control characters; write others as %%XX",
                        text, NAME_MOST);
    if (err)
        sepx__pg_url_release(url);
    return err;
}
