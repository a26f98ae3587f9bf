/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8 as RFC 3629 has it: shortest forms, no surrogates, up to U+10FFFF. */
#include "base/internal.h"

size_t
sepx__utf8_next(const char *bytes, size_t len, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *s = (const unsigned char *)bytes;
    const size_t size = s[0] < 0x80             ? 1
                        : (s[0] & 0xe0) == 0xc0 ? 2
                        : (s[0] & 0xf0) == 0xe0 ? 3
                        : (s[0] & 0xf8) == 0xf0 ? 4
                                                : 0;

    *code = s[0];
    if (size < 2 || size > len)
        return size == 1;
    *code &= 0xffu >> (size + 1);
    for (size_t i = 1; i < size; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        *code = *code << 6 | (s[i] & 0x3f);
    }
    if (*code < least[size] || *code > 0x10ffff ||
        (*code >= 0xd800 && *code <= 0xdfff))
        return 0;
    return size;
}

/* C0, DEL and C1; embeddings, overrides and isolates of direction. */
bool
sepx__utf8_commands(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) ||
           (code >= 0x202a && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069);
}

enum sepx_err
sepx_text_add_visible(struct sepx_text *text, const char *bytes, size_t len)
{
    const size_t before = text->len;
    enum sepx_err err = SEPX_OK;
    size_t at = 0;

    while (at < len && !err) {
        size_t from = at, size = 0;
        uint32_t code = 0;

        for (; at < len; at += size) {
            size = sepx__utf8_next(bytes + at, len - at, &code);
            if (!size ||
                (sepx__utf8_commands(code) && code != '\n' && code != '\t'))
                break;
        }
        err = sepx_text_add(text, bytes + from, at - from);
        if (at == len || err)
            break;
        if (!size)
            code = (unsigned char)bytes[at];
        err = sepx_text_print(text, "\\u%04x", (unsigned)code);
        at += size ? size : 1;
    }
    if (err && text->at) {
        text->len = before;
        text->at[before] = '\0';
    }
    return err;
}
