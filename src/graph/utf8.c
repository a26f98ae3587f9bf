/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8 as RFC 3629 has it: shortest forms, no surrogates, up to U+10FFFF. */
#include "graph/internal.h"

#include <string.h>

/* Bytes of the character at `s`, or 0 if it is malformed or cut off. */
static size_t
character(const unsigned char *s, size_t len)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t size = s[0] < 0x80             ? 1
                  : (s[0] & 0xe0) == 0xc0 ? 2
                  : (s[0] & 0xf0) == 0xe0 ? 3
                  : (s[0] & 0xf8) == 0xf0 ? 4
                                          : 0;
    uint32_t code;

    if (size < 2 || size > len)
        return size == 1;
    code = s[0] & (0xffu >> (size + 1));
    for (size_t i = 1; i < size; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (s[i] & 0x3f);
    }
    if (code < least[size] || code > 0x10ffff ||
        (code >= 0xd800 && code <= 0xdfff))
        return 0;
    return size;
}

size_t
sepx__utf8_span(const char *bytes, size_t len)
{
    size_t at = 0;

    while (at < len) {
        size_t size = character((const unsigned char *)bytes + at, len - at);

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
        const unsigned char *s = (const unsigned char *)bytes + at;
        size_t size = character(s, len - at);

        if (end + (size ? size : 1) > most)
            break;
        if (!size || *s < 0x20 || *s == 0x7f) {
            out.text[end++] = '?';
            at++;
            continue;
        }
        memcpy(out.text + end, s, size);
        end += size;
        at += size;
    }
    if (at < len)
        memcpy(out.text + end, "...", 3);
    return out;
}
