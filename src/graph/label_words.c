/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Labels with fields, such as "conv k=3 s=2": words apart by spaces, of which
 * name=value is a field; all other words are the field without a name.
 */
#include <string.h>

#include "graph/internal.h"

struct sepx__word
sepx__label_word(const char **text, const char *name)
{
    const size_t name_len = strlen(name);

    for (const char *at = *text; *at;) {
        const size_t len = strcspn(at, " ");
        const char *equals = memchr(at, '=', len);
        const size_t own = equals ? (size_t)(equals - at) : 0;

        *text = at + len + (at[len] == ' ');
        if (len && own == name_len && !memcmp(at, name, name_len))
            return equals ? (struct sepx__word){equals, len - own}
                          : (struct sepx__word){at, len};
        at = *text;
    }
    return (struct sepx__word){NULL, 0};
}
