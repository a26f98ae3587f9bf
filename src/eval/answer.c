/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 60 }; /* bytes of an answer that a message quotes */

static bool
is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* The last line that is not blank, without blanks around it. */
static const char *
last_line(const char *text, size_t *len)
{
    size_t end = *len, start;

    while (end && is_blank(text[end - 1]))
        end--;
    start = end;
    while (start && text[start - 1] != '\n')
        start--;
    while (start < end && is_blank(text[start]))
        start++;
    *len = end - start;
    return text + start;
}

/* A parsed answer, and what of it is left out. */
struct answer {
    struct sepx_json *root;
    struct sepx_text left;
    const char *const *name; /* members that have to be there */
};

static bool
is_required(const struct answer *answer, const char *key)
{
    const char *const *name = answer->name;

    if (!*name)
        return !strcmp(key, "score");
    while (*name && strcmp(*name, key))
        name++;
    return *name;
}

/* A finite number if it is there; another value is left out unless required. */
static enum sepx_err
read_member(double *value, struct answer *answer, const char *key,
            struct sepx_msg *msg)
{
    const struct sepx_json *member = sepx_json_get(answer->root, key);
    const char *type = sepx_json_type_name(member);
    double number = sepx_json_number(member, NAN);

    if (!member)
        return SEPX_OK;
    if (sepx_json_type(member) == SEPX_JSON_NULL && answer->left.len)
        type = "null, NaN or infinite";
    if (isfinite(number))
        *value = number;
    else if (is_required(answer, key))
        return sepx_fail(msg, SEPX_EDATA,
                         "\"%s\" of the answer is %s; a number is wanted", key,
                         type);
    else if (sepx_json_type(member) != SEPX_JSON_NULL)
        return sepx__answer_leave(&answer->left, key, strlen(key), type,
                                  strlen(type));
    return SEPX_OK;
}

/* "test" and "cost" are those of every answer, and may be missing. */
static enum sepx_err
read_numbers(struct sepx_score *score, struct answer *answer,
             struct sepx_msg *msg)
{
    const char *const *name = answer->name;
    enum sepx_err err = SEPX_OK;

    for (int i = 0; name[i] && !err; i++) {
        double *number = &score->number[i];

        if (!strcmp(name[i], "test") || !strcmp(name[i], "cost"))
            continue;
        *number = NAN;
        err = read_member(number, answer, name[i], msg);
        if (!err && isnan(*number))
            err = sepx_fail(msg, SEPX_EDATA,
                            "the answer has no \"%.60s\", which is an "
                            "objective or a constraint",
                            name[i]);
    }
    return err;
}

static enum sepx_err
read_members(struct sepx_score *score, struct answer *answer,
             struct sepx_msg *msg)
{
    enum sepx_err err = read_member(&score->value, answer, "score", msg);

    if (!err && isnan(score->value) && !*answer->name)
        err = sepx_fail(msg, SEPX_EDATA, "the answer has no \"score\"");
    if (!err)
        err = read_numbers(score, answer, msg);
    score->test = score->value;
    if (!err)
        err = read_member(&score->test, answer, "test", msg);
    if (!err)
        err = read_member(&score->cost, answer, "cost", msg);
    return err;
}

/* The numbers that JSON lacks are in `left` if they are in the answer. */
static enum sepx_err
read_object(struct sepx_score *score, struct sepx_text *line,
            const char *const *name, const char *text, size_t len,
            struct sepx_msg *msg)
{
    struct answer answer = {.name = name};
    enum sepx_err err =
        sepx__answer_parse(&answer.root, &answer.left, text, len, msg);

    if (err)
        sepx_msg_prefix(msg, "the answer is no JSON");
    else
        err = read_members(score, &answer, msg);
    if (!err)
        err = sepx_json_dump(line, answer.root);
    if (!err && answer.left.len)
        (void)sepx_fail(msg, SEPX_OK, "left out: %s", answer.left.at);
    sepx_text_release(&answer.left);
    sepx_json_free(answer.root);
    return err;
}

/* A number alone is the score. */
static enum sepx_err
read_number(struct sepx_score *score, struct sepx_text *line, const char *text,
            size_t len, struct sepx_msg *msg)
{
    struct sepx_json_writer w;
    char number[SHOWN + 1] = "";
    char *end;

    memcpy(number, text, len < SHOWN ? len : SHOWN);
    score->value = score->test = strtod(number, &end);
    if (!len || len > SHOWN || end != number + len)
        return sepx_fail(msg, SEPX_EDATA,
                         "the answer '%s' is no number and no JSON object",
                         number);
    if (!isfinite(score->value))
        return sepx_fail(msg, SEPX_EDATA,
                         "the score is %s; it has to be finite", number);
    sepx_json_begin(&w, line);
    sepx_json_open(&w, '{');
    sepx_json_add_number(&w, "score", score->value);
    sepx_json_close(&w, '}');
    return sepx_json_done(&w);
}

/* Whether a score alone has all that is wanted. */
static bool
is_plain(const char *const *name)
{
    while (*name && (!strcmp(*name, "score") || !strcmp(*name, "test") ||
                     !strcmp(*name, "cost")))
        name++;
    return !*name;
}

enum sepx_err
sepx__answer_read(struct sepx_score *score, struct sepx_text *line,
                  const char *const *name, const char *output, size_t len,
                  bool whole, struct sepx_msg *msg)
{
    const char *text = last_line(output, &len);

    score->value = NAN;
    if (!whole && text == output)
        return sepx_fail(msg, SEPX_EDATA,
                         "the last line printed is too long for an answer");
    if (!len)
        return sepx_fail(msg, SEPX_EDATA,
                         "no answer; print a number or {\"score\": ...}");
    if (*text == '{')
        return read_object(score, line, name, text, len, msg);
    if (!is_plain(name))
        return sepx_fail(msg, SEPX_EDATA,
                         "the answer is no JSON object; print {\"%.60s\": "
                         "...} with all objectives and constraints",
                         *name);
    return read_number(score, line, text, len, msg);
}
