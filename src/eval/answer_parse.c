/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON as programs print it: with NaN and infinities, which it does not have,
 * with numbers that are too large for the parser, and with strings that C and
 * UTF-8 do not have. They become null, and integers of more than 64 bits real
 * numbers, so that one diverged loss does not cost the score.
 */
#include "eval/answer.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { KEY_SHOWN = 60 }; /* bytes of a key that are named */

struct scan {
    const char *text;
    size_t len, done; /* `done`: bytes that are in the copy */
    unsigned depth;
    const char *key; /* of the member of the answer; NULL: none yet */
    size_t key_len;
    bool noted; /* its number is in `left` */
};

enum sepx_err
sepx__answer_leave(struct sepx_text *left, const char *key, size_t key_len,
                   const char *why, size_t why_len)
{
    size_t shown = key_len < KEY_SHOWN ? key_len : KEY_SHOWN;

    while (shown && shown < key_len && (key[shown] & 0xc0) == 0x80)
        shown--; /* whole characters */
    return sepx_text_print(left, "%s%.*s (%.*s)", left->len ? ", " : "",
                           (int)shown, key, (int)why_len, why);
}

/* Bytes of a string, of a word or number, or of one other character. */
static size_t
token(const char *text, size_t len)
{
    size_t size = 1;

    if (*text == '"') {
        while (size < len && text[size] != '"')
            size += text[size] == '\\' ? 2 : 1;
        return size < len ? size + 1 : len;
    }
    if (!isalnum((unsigned char)*text) && *text != '-')
        return size;
    while (size < len &&
           (isalnum((unsigned char)text[size]) || strchr("+-.", text[size])))
        size++;
    return size;
}

/* As Python, C and JavaScript print them. */
static bool
is_not_finite(const char *word, size_t len)
{
    static const char *const spelling[] = {"nan", "inf", "infinity"};

    if (*word == '-') {
        word++;
        len--;
    }
    for (size_t i = 0; i < sizeof spelling / sizeof *spelling; i++) {
        if (len == strlen(spelling[i]) && !strncasecmp(word, spelling[i], len))
            return true;
    }
    return false;
}

enum size { FITS, TOO_LONG, TOO_LARGE };

/* How the parser takes a word: as an integer of more than 64 bits, as a number
 * above all doubles, or as it is. */
static enum size
size_of(const char *word, size_t len)
{
    const bool sign = *word == '-';
    char *end;
    double value;

    if (!isdigit((unsigned char)word[sign]))
        return FITS;
    value = strtod(word, &end);
    if (end != word + len)
        return FITS;
    if (isinf(value))
        return TOO_LARGE;
    errno = 0;
    (void)strtoll(word, &end, 10);
    return end == word + len && errno == ERANGE ? TOO_LONG : FITS;
}

/* Behind a key. */
static bool
is_colon(const struct scan *scan, size_t at)
{
    while (at < scan->len && isspace((unsigned char)scan->text[at]))
        at++;
    return at < scan->len && scan->text[at] == ':';
}

/* Of a member of the answer. */
static bool
is_key(const struct scan *scan, size_t end)
{
    return scan->depth == 1 && is_colon(scan, end);
}

/* The number of an escape such as \u00e9; 1 if there is none. */
static unsigned
escaped(const char *at, const char *end)
{
    char digits[5] = "";

    if (end - at < 6 || at[0] != '\\' || at[1] != 'u')
        return 1;
    memcpy(digits, at + 2, 4);
    if (strspn(digits, "0123456789abcdefABCDEF") != 4)
        return 1;
    return (unsigned)strtoul(digits, NULL, 16);
}

/* Whether a string has escapes of a NUL or of half a character. */
static bool
lacks_characters(const char *at, size_t size)
{
    for (const char *end = at + size; at < end; at++) {
        unsigned code = escaped(at, end);

        if (code == 0 || (code & 0xfc00) == 0xdc00)
            return true;
        if ((code & 0xfc00) == 0xd800) {
            at += 6;
            if ((escaped(at, end) & 0xfc00) != 0xdc00)
                return true;
            at += 5;
        } else if (*at == '\\') {
            at++;
        }
    }
    return false;
}

/* Copy the bytes between `done` and `end`, then `more`. */
static enum sepx_err
copy_to(struct scan *scan, struct sepx_text *copy, size_t end, const char *more)
{
    enum sepx_err err =
        sepx_text_add(copy, scan->text + scan->done, end - scan->done);

    scan->done = end;
    return err ? err : sepx_text_add(copy, more, strlen(more));
}

/* By null; `why` has `len` bytes. */
static enum sepx_err
replace(struct scan *scan, struct sepx_text *copy, struct sepx_text *left,
        size_t at, size_t size, const char *why, size_t len)
{
    enum sepx_err err = copy_to(scan, copy, at, "null");

    scan->done = at + size;
    if (!err && scan->key && !scan->noted)
        err = sepx__answer_leave(left, scan->key, scan->key_len, why, len);
    scan->noted = true;
    return err;
}

/* Leaves `copy` empty if there is nothing to replace. */
static enum sepx_err
replace_all(struct scan *scan, struct sepx_text *copy, struct sepx_text *left)
{
    static const char large[] = "too large", text[] = "NUL or surrogate";
    enum sepx_err err = SEPX_OK;
    size_t size;

    for (size_t at = 0; at < scan->len && !err; at += size) {
        const char *here = scan->text + at;

        size = token(here, scan->len - at);
        if (*here == '"' && is_key(scan, at + size)) {
            scan->key = here + 1;
            scan->key_len = size - 2;
            scan->noted = false;
        } else if (*here == '"') {
            if (lacks_characters(here, size) && !is_colon(scan, at + size))
                err = replace(scan, copy, left, at, size, text, strlen(text));
        } else if (*here == '{' || *here == '[') {
            scan->depth++;
        } else if (*here == '}' || *here == ']') {
            scan->depth--;
        } else if (is_not_finite(here, size)) {
            err = replace(scan, copy, left, at, size, here, size);
        } else if (at + size < scan->len) { /* strtod() ends before it */
            enum size kind = size_of(here, size);

            if (kind == TOO_LARGE)
                err = replace(scan, copy, left, at, size, large, strlen(large));
            else if (kind == TOO_LONG)
                err = copy_to(scan, copy, at + size, ".0");
        }
    }
    if (!err && scan->done)
        err = sepx_text_add(copy, scan->text + scan->done,
                            scan->len - scan->done);
    return err;
}

enum sepx_err
sepx__answer_parse(struct sepx_json **root, struct sepx_text *left,
                   const char *text, size_t len, struct sepx_msg *msg)
{
    struct scan scan = {.text = text, .len = len};
    struct sepx_text copy = {0};
    enum sepx_err err = replace_all(&scan, &copy, left);

    *root = NULL;
    if (!err)
        err = sepx_json_parse(root, copy.len ? copy.at : text,
                              copy.len ? copy.len : len, msg);
    sepx_text_release(&copy);
    return err;
}
