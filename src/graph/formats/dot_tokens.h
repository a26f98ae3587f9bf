/* SPDX-License-Identifier: Apache-2.0 */
/* The words and signs of DOT. */
#ifndef SEPX_GRAPH_DOT_TOKENS_H
#define SEPX_GRAPH_DOT_TOKENS_H

#include "graph/formats/formats.h"

enum sepx__dot_kind {
    SEPX__DOT_END,
    SEPX__DOT_WORD,  /* in `word`; `quoted`: it is no keyword */
    SEPX__DOT_HTML,  /* <...> */
    SEPX__DOT_ARROW, /* "->" */
    SEPX__DOT_LINE,  /* "--" */
    SEPX__DOT_SIGN   /* any of {}[];,=: in `sign` */
};

/* The text and its present token. {0} plus `at`, `end` and `lines` = 1. */
struct sepx__dot_tokens {
    const char *at, *end; /* what follows the token */
    unsigned line;        /* of the token */
    unsigned lines;       /* of `at` */
    struct sepx_msg *msg;
    enum sepx__dot_kind kind;
    char sign;
    bool quoted;
    struct sepx_text word; /* the owner releases it */
};

/* SEPX_EDATA, with a message for the line of the token. */
SEPX_PRINTF(2, 3)
enum sepx_err sepx__dot_fail(const struct sepx__dot_tokens *t,
                             const char *format, ...);
enum sepx_err sepx__dot_no_memory(const struct sepx__dot_tokens *t);
/* The token as messages show it. */
struct sepx__excerpt sepx__dot_shown(const struct sepx__dot_tokens *t);

SEPX_CHECKED enum sepx_err sepx__dot_next(struct sepx__dot_tokens *t);
/* Whether "=" follows the token. */
bool sepx__dot_is_assigned(const struct sepx__dot_tokens *t);
bool sepx__dot_is_sign(const struct sepx__dot_tokens *t, char sign);
/* Keywords are so in any case of letters, but not in quotes. */
bool sepx__dot_is_keyword(const struct sepx__dot_tokens *t, const char *word);
/* The text of a word, not NULL. */
const char *sepx__dot_word(const struct sepx__dot_tokens *t);
/* Append bytes; the failure has its message. */
SEPX_CHECKED enum sepx_err sepx__dot_add(const struct sepx__dot_tokens *t,
                                         struct sepx_text *text,
                                         const char *bytes, size_t len);

#endif
