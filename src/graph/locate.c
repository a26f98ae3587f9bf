/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The line of "edges[3]" in a JSON text. The parsed tree has no positions, so
 * the item is looked for in the text, which is well-formed by then.
 */
#include <string.h>

#include "graph/read.h"

/* The byte after a string whose first byte, behind the quote, is `at`. */
static const char *
string_end(const char *at, const char *end)
{
    while (at < end && *at != '"')
        at += *at == '\\' && at + 1 < end ? 2 : 1;
    return at < end ? at + 1 : end;
}

static bool
is_key(const char *from, const char *to, const char *end, const char *key)
{
    const char *next = sepx__skip_space(to, end);

    return next < end && *next == ':' &&
           (size_t)(to - from - 1) == strlen(key) &&
           !memcmp(from, key, strlen(key));
}

/* Item `index` of the array that the root object has under `key`. */
static const char *
find_item(const char *at, const char *end, const char *key, size_t index)
{
    unsigned depth = 0;
    bool inside = false;

    while (at < end) {
        char c = *at++;
        bool next = false;

        if (c == '"') {
            const char *start = at;

            at = string_end(at, end);
            if (depth == 1)
                inside = is_key(start, at, end, key);
        } else if (c == '[' || c == '{') {
            next = ++depth == 2 && inside && !index;
        } else if (c == ']' || c == '}') {
            depth--;
        } else if (c == ',') {
            next = depth == 2 && inside && !--index;
        }
        if (next)
            return sepx__skip_space(at, end);
    }
    return NULL;
}

void
sepx__msg_locate(struct sepx_msg *msg, const char *bytes, size_t len,
                 const struct sepx__item *item)
{
    const char *at = find_item(bytes, bytes + len, item->array, item->index);
    size_t line = 1;

    for (const char *c = bytes; at && c < at; c++)
        line += *c == '\n';
    if (at)
        sepx_msg_line(msg, line, 0);
}
