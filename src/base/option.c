/* SPDX-License-Identifier: Apache-2.0 */
#include "base/option.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/internal.h"

#define ROWS_MAX 32

static const char *const yes_no[] = {"no", "yes", NULL};

static void *
at(const struct sepx_option *row, void *settings)
{
    return (char *)settings + row->offset;
}

static const void *
at_const(const struct sepx_option *row, const void *settings)
{
    return (const char *)settings + row->offset;
}

static void
put(const struct sepx_option *row, void *settings, double value)
{
    void *to = at(row, settings);

    switch (row->type) {
    case SEPX_OPTION_COUNT:
    case SEPX_OPTION_CHOICE:
        *(uint32_t *)to = (uint32_t)value;
        break;
    case SEPX_OPTION_NUMBER:
        *(double *)to = value;
        break;
    case SEPX_OPTION_FLAG:
        *(bool *)to = value != 0;
        break;
    case SEPX_OPTION_TEXT:
        break;
    }
}

static double
get(const struct sepx_option *row, const void *settings)
{
    const void *from = at_const(row, settings);

    switch (row->type) {
    case SEPX_OPTION_NUMBER:
        return *(const double *)from;
    case SEPX_OPTION_FLAG:
        return *(const bool *)from;
    default:
        return *(const uint32_t *)from;
    }
}

void
sepx_options_default(const struct sepx_option *rows, void *settings)
{
    for (; rows->name; rows++) {
        put(rows, settings, rows->otherwise);
        if (rows->type == SEPX_OPTION_TEXT)
            snprintf(at(rows, settings), SEPX_OPTION_TEXT_SIZE, "%s",
                     rows->text);
    }
}

static enum sepx_err
set_choice(const struct sepx_option *row, void *settings, const char *owner,
           const char *value, struct sepx_msg *msg)
{
    const char *const *names = row->choices ? row->choices : yes_no;
    char what[96];

    for (unsigned i = 0; names[i]; i++) {
        if (!strcmp(names[i], value)) {
            put(row, settings, i);
            return SEPX_OK;
        }
    }
    snprintf(what, sizeof what, "value of %s's %s", owner, row->name);
    return sepx__unknown(msg, what, value, names);
}

static enum sepx_err
set_number(const struct sepx_option *row, void *settings, const char *owner,
           const char *text, struct sepx_msg *msg)
{
    bool whole = row->type == SEPX_OPTION_COUNT;
    char *end;
    double value;

    errno = 0;
    value = strtod(text, &end);
    if (end == text || *end || errno || (whole && value != floor(value)) ||
        !(value >= row->low && value <= row->high))
        return sepx_fail(msg, SEPX_EINVAL,
                         "%s's %s: '%.64s' is not a %snumber from %.15g to "
                         "%.15g",
                         owner, row->name, text, whole ? "whole " : "",
                         row->low, row->high);
    put(row, settings, value);
    return SEPX_OK;
}

static enum sepx_err
set_text(const struct sepx_option *row, void *settings, const char *owner,
         const char *value, struct sepx_msg *msg)
{
    if (strlen(value) >= SEPX_OPTION_TEXT_SIZE)
        return sepx_fail(msg, SEPX_EINVAL, "%s's %s: '%.40s...' is too long",
                         owner, row->name, value);
    memcpy(at(row, settings), value, strlen(value) + 1);
    return SEPX_OK;
}

static enum sepx_err
set_value(const struct sepx_option *row, void *settings, const char *owner,
          const char *value, struct sepx_msg *msg)
{
    switch (row->type) {
    case SEPX_OPTION_FLAG:
    case SEPX_OPTION_CHOICE:
        return set_choice(row, settings, owner, value, msg);
    case SEPX_OPTION_TEXT:
        return set_text(row, settings, owner, value, msg);
    default:
        return set_number(row, settings, owner, value, msg);
    }
}

static const struct sepx_option *
row_find(const struct sepx_option *rows, const char *name)
{
    while (rows->name && strcmp(rows->name, name) != 0)
        rows++;
    return rows;
}

enum sepx_err
sepx_option_set(const struct sepx_option *rows, void *settings,
                const char *owner, const char *name, const char *value,
                struct sepx_msg *msg)
{
    const char *names[ROWS_MAX + 1] = {NULL};
    const struct sepx_option *row = row_find(rows, name);
    char what[64];

    if (row->name)
        return set_value(row, settings, owner, value, msg);
    for (unsigned i = 0; i < ROWS_MAX && rows[i].name; i++)
        names[i] = rows[i].name;
    snprintf(what, sizeof what, "option of %s", owner);
    return sepx__unknown(msg, what, name, names);
}

enum sepx_err
sepx_option_check(const struct sepx_option *rows, const void *settings,
                  const char *owner, const char *name, struct sepx_msg *msg)
{
    const struct sepx_option *row = row_find(rows, name);
    double value, most;

    if (!row->within)
        return SEPX_OK;
    value = get(row, settings);
    most = get(row_find(rows, row->within), settings);
    if (value <= most)
        return SEPX_OK;
    return sepx_fail(msg, SEPX_EINVAL,
                     "%s's %s %.15g is larger than %s %.15g; give %s=%.15g or "
                     "less, or %s=%.15g or more",
                     owner, row->name, value, row->within, most, row->name,
                     most, row->within, value);
}

/* NULL for a number. */
static const char *
word_of(const struct sepx_option *row, const void *settings)
{
    if (row->type == SEPX_OPTION_FLAG)
        return yes_no[get(row, settings) != 0];
    if (row->type == SEPX_OPTION_CHOICE)
        return row->choices[(uint32_t)get(row, settings)];
    if (row->type == SEPX_OPTION_TEXT)
        return at_const(row, settings);
    return NULL;
}

enum sepx_err
sepx_option_print(struct sepx_text *text, const struct sepx_option *row,
                  const void *settings)
{
    const char *word;
    union {
        double number;
        char text[SEPX_OPTION_TEXT_SIZE];
    } room;
    struct sepx_option rows[2] = {*row};

    if (!settings) {
        rows[0].offset = 0;
        sepx_options_default(rows, &room);
        return sepx_option_print(text, rows, &room);
    }
    word = word_of(row, settings);
    if (word)
        return sepx_text_print(text, "%s", word);
    return sepx_text_print(text, "%.12g", get(row, settings));
}

void
sepx_options_put_json(struct sepx_json_writer *w,
                      const struct sepx_option *rows, const void *settings)
{
    for (; rows->name; rows++) {
        sepx_json_key(w, rows->name);
        if (rows->type == SEPX_OPTION_FLAG)
            sepx_json_put_bool(w, get(rows, settings) != 0);
        else if (word_of(rows, settings))
            sepx_json_put_string(w, word_of(rows, settings));
        else
            sepx_json_put_number(w, get(rows, settings));
    }
}
