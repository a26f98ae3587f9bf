/* SPDX-License-Identifier: Apache-2.0 */
/* Text of readers: all of it UTF-8, or cut short for a message. */
#include "graph/internal.h"

#include <string.h>

size_t
sepx__utf8_span(const char *bytes, size_t len)
{
    size_t at = 0;

    while (at < len) {
        uint32_t code;
        size_t size = sepx__utf8_next(bytes + at, len - at, &code);

        if (!size)
            break;
        at += size;
    }
    return at;
}

struct sepx__excerpt
sepx__excerpt(const char *bytes, size_t len)
{
    struct sepx__excerpt out = {""};
    size_t most = sizeof(out.text) - 4; /* room for "..." and the zero */
    size_t at = 0, end = 0;

    while (at < len) {
        uint32_t code;
        size_t size = sepx__utf8_next(bytes + at, len - at, &code);

        if (end + (size ? size : 1) > most)
            break;
        if (!size || sepx__utf8_commands(code)) {
            out.text[end++] = '?';
            at += size ? size : 1;
            continue;
        }
        memcpy(out.text + end, bytes + at, size);
        end += size;
        at += size;
    }
    if (at < len)
        memcpy(out.text + end, "...", 3);
    return out;
}
