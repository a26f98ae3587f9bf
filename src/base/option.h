/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Settings described by rows: name, default, range and help are written once
 * and serve the parser, the help text, the docs and the record of a run.
 */
#ifndef SEPX_OPTION_H
#define SEPX_OPTION_H

#include "base/json.h"

enum sepx_option_type {
    SEPX_OPTION_COUNT,  /* uint32_t */
    SEPX_OPTION_NUMBER, /* double */
    SEPX_OPTION_FLAG,   /* bool; written yes or no */
    SEPX_OPTION_CHOICE, /* uint32_t, the position in `choices` */
    SEPX_OPTION_TEXT    /* char[SEPX_OPTION_TEXT_SIZE]; the owner checks it */
};

#define SEPX_OPTION_TEXT_SIZE 32

struct sepx_option {
    const char *name;
    enum sepx_option_type type;
    size_t offset;              /* of the value in the owner's settings */
    double otherwise;           /* the default; of a choice, its position */
    double low, high;           /* of a count or a number, both allowed */
    const char *const *choices; /* ended by NULL */
    const char *text;           /* the default of a text */
    const char *within;         /* a row: its value bounds one that is given */
    const char *help;
};

/* Every setting to its default. `rows` end with a NULL name. */
void sepx_options_default(const struct sepx_option *rows, void *settings);
/*
 * One setting from its text. Fails with SEPX_EINVAL, or SEPX_ENOTFOUND for an
 * unknown name; the message names `owner`, the value and what is valid.
 */
SEPX_CHECKED enum sepx_err sepx_option_set(const struct sepx_option *rows,
                                           void *settings, const char *owner,
                                           const char *name, const char *value,
                                           struct sepx_msg *msg);
/*
 * After all settings are made, for an option that was given: SEPX_EINVAL, with
 * a remedy, if it exceeds the option that it is to be `within`.
 */
SEPX_CHECKED enum sepx_err
sepx_option_check(const struct sepx_option *rows, const void *settings,
                  const char *owner, const char *name, struct sepx_msg *msg);
/*
 * The value as a user would write it, behind what `text` holds; the default
 * if `settings` is NULL.
 */
SEPX_CHECKED enum sepx_err sepx_option_print(struct sepx_text *text,
                                             const struct sepx_option *row,
                                             const void *settings);
/* A member for each row, in the object that is open. */
void sepx_options_put_json(struct sepx_json_writer *w,
                           const struct sepx_option *rows,
                           const void *settings);

#endif
