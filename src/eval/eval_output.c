/* SPDX-License-Identifier: Apache-2.0 */
/* What a program said, as far as one line goes. */
#include <string.h>

#include "eval/internal.h"
#include "graph/internal.h"

void
sepx_eval_output_release(struct sepx_eval_output *output)
{
    sepx__free(output->answer);
    sepx__free(output->errors);
    *output = (struct sepx_eval_output){0};
}

/* Bytes of the character at `text`; 0: not to be shown. */
static size_t
shown(const char *text, size_t len)
{
    const unsigned char *s = (const unsigned char *)text;
    size_t size = 1;

    if (*s < 0x20 || *s == 0x7f)
        return 0;
    while (size < 4 && size < len && !sepx__utf8_span(text, size))
        size++;
    /* U+0080 to U+009F are controls, too. */
    if (size == 2 && s[0] == 0xc2 && s[1] < 0xa0)
        return 0;
    return sepx__utf8_span(text, size);
}

struct line {
    char *at;
    size_t len, size;
    bool cut;
};

static void
add(struct line *line, const char *text, size_t len)
{
    for (size_t i = 0; i < len && !line->cut;) {
        size_t bytes = shown(text + i, len - i);
        size_t room = bytes ? bytes : 1;

        line->cut = line->len + room + sizeof "..." > line->size;
        if (line->cut) {
            memcpy(line->at + line->len, "...", 3);
            line->len += 3;
            break;
        }
        memcpy(line->at + line->len, bytes ? text + i : "?", room);
        line->len += room;
        i += room;
    }
}

void
sepx_eval_error_line(char *line, size_t size, const char *errors)
{
    static const char blank[] = " \t\r\n";
    struct line made = {.at = line, .size = size};
    size_t first = strcspn(errors, "\n"), end = strlen(errors), from;

    while (end > first && strchr(blank, errors[end - 1]))
        end--;
    from = end;
    while (from > first && errors[from - 1] != '\n')
        from--;
    add(&made, errors, first);
    if (end > first) {
        from += strspn(errors + from, blank);
        add(&made, ": ", 2);
        add(&made, errors + from, end - from);
    }
    line[made.len] = '\0';
}
