/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "research/report/internal.h"

enum sepx_err
sepx_html_text(struct sepx_text *html, const char *text)
{
    enum sepx_err err = SEPX_OK;

    while (*text && !err) {
        size_t plain = strcspn(text, "<>&\"'");

        err = sepx_text_add_visible(html, text, plain);
        text += plain;
        if (!err && *text) {
            const char *name = sepx__entity(*text++);

            err = sepx_text_add(html, name, strlen(name));
        }
    }
    return err;
}
