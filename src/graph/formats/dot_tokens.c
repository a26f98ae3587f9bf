/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "graph/formats/dot_tokens.h"

enum sepx_err
sepx__dot_no_memory(const struct sepx__dot_tokens *t)
{
    return sepx_fail(t->msg, SEPX_ENOMEM, "%s", sepx_strerror(SEPX_ENOMEM));
}

enum sepx_err
sepx__dot_fail(const struct sepx__dot_tokens *t, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    (void)sepx__vfail(t->msg, SEPX_EDATA, format, args);
    va_end(args);
    sepx_msg_line(t->msg, t->line, 0);
    return SEPX_EDATA;
}

struct sepx__excerpt
sepx__dot_shown(const struct sepx__dot_tokens *t)
{
    static const char *const texts[] = {
        [SEPX__DOT_END] = "the end",
        [SEPX__DOT_HTML] = "<",
        [SEPX__DOT_ARROW] = "->",
        [SEPX__DOT_LINE] = "--",
    };

    if (t->kind == SEPX__DOT_WORD)
        return sepx__excerpt(t->word.at, t->word.len);
    if (t->kind == SEPX__DOT_SIGN)
        return sepx__excerpt(&t->sign, 1);
    return sepx__excerpt(texts[t->kind], strlen(texts[t->kind]));
}

enum sepx_err
sepx__dot_add(const struct sepx__dot_tokens *t, struct sepx_text *text,
              const char *bytes, size_t len)
{
    return sepx_text_add(text, bytes, len) ? sepx__dot_no_memory(t) : SEPX_OK;
}

/* To what is neither blank nor comment. */
static enum sepx_err
skip(struct sepx__dot_tokens *t)
{
    bool start = t->lines == 1;

    for (; t->at < t->end; t->at++) {
        if (*t->at == '\n') {
            t->lines++;
            start = true;
        } else if ((*t->at == '#' && start) ||
                   sepx__begins(t->at, t->end, "//")) {
            while (t->at + 1 < t->end && t->at[1] != '\n')
                t->at++;
        } else if (sepx__begins(t->at, t->end, "/*")) {
            t->line = t->lines;
            for (t->at += 2; !sepx__begins(t->at, t->end, "*/"); t->at++) {
                if (t->at == t->end)
                    return sepx__dot_fail(t,
                                          "a comment does not end; add \"*/\"");
                t->lines += *t->at == '\n';
            }
            t->at++;
        } else if (!strchr(" \t\r", *t->at) || !*t->at) {
            break;
        }
    }
    t->line = t->lines;
    return SEPX_OK;
}

/* Behind the quote: only \" and a continued line are special here. */
static enum sepx_err
read_quoted(struct sepx__dot_tokens *t)
{
    enum sepx_err err = SEPX_OK;

    while (!err) {
        const char *from = t->at;

        while (t->at < t->end && !strchr("\"\\\n", *t->at))
            t->at++;
        err = sepx__dot_add(t, &t->word, from, (size_t)(t->at - from));
        if (err)
            break;
        if (t->at == t->end || !*t->at)
            return sepx__dot_fail(
                t, "a string does not end, or has a zero byte; end it "
                   "with a quote");
        if (*t->at == '"') {
            t->at++;
            break;
        }
        t->lines += *t->at == '\n';
        if (*t->at == '\n') {
            err = sepx__dot_add(t, &t->word, t->at++, 1);
        } else if (sepx__begins(t->at, t->end, "\\\"")) {
            err = sepx__dot_add(t, &t->word, "\"", 1);
            t->at += 2;
        } else if (sepx__begins(t->at, t->end, "\\\n")) {
            t->lines++;
            t->at += 2;
        } else {
            size_t len = t->at + 1 < t->end && t->at[1] ? 2 : 1;

            err = sepx__dot_add(t, &t->word, t->at, len);
            t->at += len;
        }
    }
    return err;
}

/* "a" + "b" is one word. */
static enum sepx_err
read_string(struct sepx__dot_tokens *t)
{
    unsigned line = t->line;
    enum sepx_err err;

    t->kind = SEPX__DOT_WORD;
    t->quoted = true;
    t->at++;
    err = read_quoted(t);
    for (;;) {
        const char *back = t->at;
        unsigned lines = t->lines;

        if (!err)
            err = skip(t);
        if (err || t->at == t->end || *t->at != '+') {
            if (!err)
                t->at = back, t->lines = lines;
            break;
        }
        t->at++;
        err = skip(t);
        if (!err && (t->at == t->end || *t->at != '"'))
            err =
                sepx__dot_fail(t, "\"+\" joins no string; write one behind it");
        t->at += !err;
        if (!err)
            err = read_quoted(t);
    }
    t->line = line;
    return err;
}

static enum sepx_err
read_html(struct sepx__dot_tokens *t)
{
    unsigned depth = 0;

    t->kind = SEPX__DOT_HTML;
    for (; t->at < t->end; t->at++) {
        t->lines += *t->at == '\n';
        depth += *t->at == '<';
        if (*t->at == '>' && !--depth)
            break;
    }
    if (t->at == t->end)
        return sepx__dot_fail(t, "an HTML string does not end; add \">\"");
    t->at++;
    return SEPX_OK;
}

static bool
is_letter(char c)
{
    return isalpha((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Whether a number begins here: "-1", "1.5", ".5" or "1.". */
static bool
begins_number(const char *at, const char *end)
{
    at += at < end && *at == '-';
    at += at < end && *at == '.';
    return at < end && is_digit(*at);
}

/* A name of letters and digits. */
static enum sepx_err
read_name(struct sepx__dot_tokens *t)
{
    const char *from = t->at;

    t->kind = SEPX__DOT_WORD;
    while (t->at < t->end && (is_letter(*t->at) || is_digit(*t->at)))
        t->at++;
    return sepx__dot_add(t, &t->word, from, (size_t)(t->at - from));
}

/* Graphviz warns of "1a" and "1.2.3", and reads two names. */
static enum sepx_err
read_number(struct sepx__dot_tokens *t)
{
    const char *from = t->at;
    bool point = false;

    t->kind = SEPX__DOT_WORD;
    t->at += *t->at == '-';
    for (; t->at < t->end && (is_digit(*t->at) || (*t->at == '.' && !point));
         t->at++)
        point |= *t->at == '.';
    if (t->at < t->end && (is_letter(*t->at) || *t->at == '.'))
        return sepx__dot_fail(
            t,
            "\"%s\" is a number that runs into a name; write it in quotes if "
            "it is one name, else put a blank behind the number",
            sepx__excerpt(from, (size_t)(t->at + 1 - from)).text);
    return sepx__dot_add(t, &t->word, from, (size_t)(t->at - from));
}

enum sepx_err
sepx__dot_next(struct sepx__dot_tokens *t)
{
    enum sepx_err err = skip(t);

    t->word.len = 0;
    t->quoted = false;
    if (err)
        return err;
    if (t->at == t->end) {
        t->kind = SEPX__DOT_END;
        return SEPX_OK;
    }
    if (*t->at == '"')
        return read_string(t);
    if (*t->at == '<')
        return read_html(t);
    if (sepx__begins(t->at, t->end, "->") ||
        sepx__begins(t->at, t->end, "--")) {
        t->kind = t->at[1] == '>' ? SEPX__DOT_ARROW : SEPX__DOT_LINE;
        t->at += 2;
        return SEPX_OK;
    }
    if (is_letter(*t->at))
        return read_name(t);
    if (begins_number(t->at, t->end))
        return read_number(t);
    t->kind = SEPX__DOT_SIGN;
    t->sign = *t->at++;
    if (t->sign && strchr("{}[];,=:", t->sign))
        return SEPX_OK;
    return sepx__dot_fail(t, "\"%s\" is no part of the language; remove it",
                          sepx__excerpt(&t->sign, 1).text);
}

bool
sepx__dot_is_sign(const struct sepx__dot_tokens *t, char sign)
{
    return t->kind == SEPX__DOT_SIGN && t->sign == sign;
}

bool
sepx__dot_is_keyword(const struct sepx__dot_tokens *t, const char *word)
{
    size_t i = 0;

    if (t->kind != SEPX__DOT_WORD || t->quoted)
        return false;
    while (i < t->word.len && word[i] &&
           tolower((unsigned char)t->word.at[i]) == word[i])
        i++;
    return i == t->word.len && !word[i];
}

const char *
sepx__dot_word(const struct sepx__dot_tokens *t)
{
    return t->word.at ? t->word.at : "";
}

bool
sepx__dot_is_assigned(const struct sepx__dot_tokens *t)
{
    struct sepx__dot_tokens ahead = *t;

    ahead.msg = NULL;
    return !skip(&ahead) && ahead.at < ahead.end && *ahead.at == '=';
}
