/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "report/internal.h"

static const char *
entity(char letter)
{
    switch (letter) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

enum sepx_err
sepx_html_text(struct sepx_text *html, const char *text)
{
    enum sepx_err err = SEPX_OK;

    while (*text && !err) {
        size_t plain = strcspn(text, "<>&\"'");

        err = sepx_text_add(html, text, plain);
        text += plain;
        if (!err && *text) {
            const char *name = entity(*text++);

            err = sepx_text_add(html, name, strlen(name));
        }
    }
    return err;
}
