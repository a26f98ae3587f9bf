/* SPDX-License-Identifier: Apache-2.0 */
#include "sepx/base.h"

#include <stdio.h>
#include <string.h>

const char *
sepx_strerror(enum sepx_err err)
{
#define X(name, value, text) \
    case name: \
        return text;
    switch (err) {
        SEPX_ERRORS(X)
    }
#undef X
    return "unknown error";
}

/* Through a copy, since an argument may be the text that `msg` holds. */
enum sepx_err
sepx_fail(struct sepx_msg *msg, enum sepx_err err, const char *format, ...)
{
    struct sepx_msg copy = {0};
    va_list args;

    if (!msg)
        return err;
    va_start(args, format);
    (void)vsnprintf(copy.text, sizeof(copy.text), format, args);
    va_end(args);
    *msg = copy;
    return err;
}

void
sepx_msg_prefix(struct sepx_msg *msg, const char *format, ...)
{
    struct sepx_msg copy = {0};
    const size_t room = sizeof(copy.text);
    va_list args;
    size_t len;

    if (!msg)
        return;
    va_start(args, format);
    (void)vsnprintf(copy.text, room, format, args);
    va_end(args);
    len = strlen(copy.text);
    if (snprintf(copy.text + len, room - len, ": %s", msg->text) > 0)
        *msg = copy;
}
