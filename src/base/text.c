/* SPDX-License-Identifier: Apache-2.0 */
#include "base/internal.h"

#include <stdio.h>
#include <string.h>

/* Room for `more` bytes and the terminating zero. */
static enum sepx_err
reserve(struct sepx_text *text, size_t more)
{
    void *at = text->at;
    enum sepx_err err;

    if (more >= SIZE_MAX - text->len)
        return SEPX_ENOMEM;
    err = sepx__grow(&at, &text->room, text->len + more + 1, 1);
    if (!err) {
        text->at = at;
        text->at[text->len] = '\0';
    }
    return err;
}

void
sepx_text_release(struct sepx_text *text)
{
    sepx__free(text->at);
    *text = (struct sepx_text){0};
}

enum sepx_err
sepx_text_add(struct sepx_text *text, const char *bytes, size_t len)
{
    enum sepx_err err = reserve(text, len);

    if (err)
        return err;
    if (len)
        memcpy(text->at + text->len, bytes, len);
    text->len += len;
    text->at[text->len] = '\0';
    return SEPX_OK;
}

/* Print into the room that is left; *len is the length of the whole. */
static enum sepx_err
print_once(struct sepx_text *text, size_t *len, const char *format,
           va_list args)
{
    int n =
        vsnprintf(text->at + text->len, text->room - text->len, format, args);

    if (n < 0) {
        text->at[text->len] = '\0';
        return SEPX_EINVAL;
    }
    *len = (size_t)n;
    return SEPX_OK;
}

enum sepx_err
sepx_text_print(struct sepx_text *text, const char *format, ...)
{
    enum sepx_err err = reserve(text, 0);
    size_t len = 0;
    va_list args;

    for (int pass = 0; !err && pass < 2; pass++) {
        va_start(args, format);
        err = print_once(text, &len, format, args);
        va_end(args);
        if (err)
            break;
        if (len < text->room - text->len) {
            text->len += len;
            break;
        }
        err = reserve(text, len);
    }
    if (err && text->at)
        text->at[text->len] = '\0';
    return err;
}

#define WORD_MAX 64 /* longer words have no near neighbour */

static unsigned
least(unsigned a, unsigned b, unsigned c)
{
    unsigned low = a < b ? a : b;

    return low < c ? low : c;
}

/* Edits with a swap of neighbours counted as one; a, b <= WORD_MAX bytes. */
static unsigned
word_distance(const char *a, const char *b)
{
    unsigned row[3][WORD_MAX + 1];
    size_t n = strlen(a), m = strlen(b);

    for (unsigned j = 0; j <= m; j++)
        row[0][j] = j;
    for (unsigned i = 1; i <= n; i++) {
        unsigned *now = row[i % 3], *last = row[(i + 2) % 3];
        const unsigned *before = row[(i + 1) % 3];

        now[0] = i;
        for (unsigned j = 1; j <= m; j++) {
            now[j] = least(last[j] + 1, now[j - 1] + 1,
                           last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
                a[i - 2] == b[j - 1] && before[j - 2] + 1 < now[j])
                now[j] = before[j - 2] + 1;
        }
    }
    return row[n % 3][m];
}

/* Near: at most one edit in 2 to 4 letters, two in 5 to 7, and so on. */
const char *
sepx_nearest(const char *word, const char *const *names)
{
    const char *best = NULL;
    unsigned least_edits = 0;

    if (strlen(word) > WORD_MAX)
        return NULL;
    for (; *names; names++) {
        size_t longer = strlen(*names);
        unsigned edits;

        if (longer > WORD_MAX)
            continue;
        if (longer < strlen(word))
            longer = strlen(word);
        edits = word_distance(word, *names);
        if (edits <= (longer + 1) / 3 && (!best || edits < least_edits)) {
            best = *names;
            least_edits = edits;
        }
    }
    return best;
}

enum sepx_err
sepx__unknown(struct sepx_msg *msg, const char *what, const char *word,
              const char *const *names)
{
    const char *near = sepx_nearest(word, names);
    char list[320] = "";
    size_t len = 0;

    for (size_t i = 0; names[i] && len < sizeof(list); i++)
        len += (size_t)snprintf(list + len, sizeof(list) - len, "%s%s",
                                i ? ", " : "", names[i]);
    return sepx_fail(msg, SEPX_ENOTFOUND,
                     "unknown %s '%.64s'%s%s%s (valid: %s)", what, word,
                     near ? "; did you mean '" : "", near ? near : "",
                     near ? "'?" : "", list);
}

const char *
sepx__entity(char letter)
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
