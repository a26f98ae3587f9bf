/* SPDX-License-Identifier: Apache-2.0 */
#include "base/private.h"

#include <stdio.h>
#include <string.h>

const char *
sepx_version(void)
{
    return SEPX_VERSION;
}

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

/* ---- messages ---- */

static void
copy_text(char *to, size_t size, const char *from)
{
    size_t len = strlen(from);

    if (len >= size)
        len = size - 1;
    memcpy(to, from, len);
    to[len] = '\0';
}

/*
 * Where the remedy begins in what `format` prints. The format is cut at its
 * separator, so that a "; " within an argument does not count.
 */
static size_t
remedy_offset(const char *format, va_list args)
{
    const char *cut = strstr(format, "; ");
    char head[sizeof(((struct sepx_msg *)0)->text)];
    int len;

    if (!cut || (size_t)(cut - format) >= sizeof(head))
        return 0;
    memcpy(head, format, (size_t)(cut - format));
    head[cut - format] = '\0';
    len = vsnprintf(NULL, 0, head, args);
    return len < 0 ? 0 : (size_t)len + 2;
}

/* Through a copy, since an argument may be the text that `msg` holds. */
enum sepx_err
sepx__vfail(struct sepx_msg *msg, enum sepx_err err, const char *format,
            va_list args)
{
    struct sepx_msg copy = {.code = err};
    va_list again;
    size_t remedy;

    if (!msg)
        return err;
    va_copy(again, args);
    remedy = remedy_offset(format, again);
    va_end(again);
    if (!strncmp(format, "%s: ", 4)) {
        va_copy(again, args);
        copy_text(copy.file, sizeof(copy.file), va_arg(again, const char *));
        va_end(again);
    }
    (void)vsnprintf(copy.text, sizeof(copy.text), format, args);
    if (remedy && remedy < sizeof(copy.text))
        copy_text(copy.remedy, sizeof(copy.remedy), copy.text + remedy);
    *msg = copy;
    return err;
}

enum sepx_err
sepx_fail(struct sepx_msg *msg, enum sepx_err err, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    (void)sepx__vfail(msg, err, format, args);
    va_end(args);
    return err;
}

void
sepx_msg_prefix(struct sepx_msg *msg, const char *format, ...)
{
    char text[sizeof(msg->text)];
    va_list args;
    size_t len;

    if (!msg)
        return;
    va_start(args, format);
    (void)vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    len = strlen(text);
    if (snprintf(text + len, sizeof(text) - len, ": %s", msg->text) > 0)
        memcpy(msg->text, text, sizeof(text));
    msg->place = 0;
}

void
sepx_msg_line(struct sepx_msg *msg, size_t line, size_t column)
{
    char where[64];

    if (!msg)
        return;
    if (column)
        (void)snprintf(where, sizeof(where), "line %zu column %zu", line,
                       column);
    else
        (void)snprintf(where, sizeof(where), "line %zu", line);
    sepx_msg_prefix(msg, "%s", where);
    msg->line = (uint32_t)line;
    msg->column = (uint32_t)column;
    msg->place = (uint32_t)strlen(where) + 2;
}

void
sepx_msg_file(struct sepx_msg *msg, const char *file)
{
    if (!msg)
        return;
    sepx_msg_prefix(msg, "%s", file);
    copy_text(msg->file, sizeof(msg->file), file);
}

/* What is behind the place stays, and the column with it. */
void
sepx_msg_place(struct sepx_msg *msg, const char *file, size_t first)
{
    size_t line = first;

    if (!msg)
        return;
    if (msg->place) {
        line = msg->line + (first ? first - 1 : 0);
        memmove(msg->text, msg->text + msg->place,
                strlen(msg->text + msg->place) + 1);
        if (msg->column)
            sepx_msg_prefix(msg, "column %u", msg->column);
    }
    if (line)
        sepx_msg_prefix(msg, "%s:%zu", file, line);
    else
        sepx_msg_prefix(msg, "%s", file);
    copy_text(msg->file, sizeof(msg->file), file);
    msg->line = (uint32_t)line;
}
