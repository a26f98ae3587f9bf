/* SPDX-License-Identifier: Apache-2.0 */
/* A method with its settings, as the driver sees it. */
#ifndef SEPX_SEARCH_METHOD_H
#define SEPX_SEARCH_METHOD_H

#include "search/internal.h"

struct sepx_method {
    const struct sepx__search_ops *ops;
    const struct sepx_space *space;
    char *text;
    const char *given[2]; /* options as text: the alias's, the caller's */
    char *preset;
    void *settings;
    const char *crossover;    /* NULL: none */
    struct sepx_cross *cross; /* what each search copies; NULL: none */
    struct sepx_rules mutation, crossing;
};

/* Fill the settings from the preset and what is given; no space is needed. */
SEPX_CHECKED enum sepx_err sepx__method_set_options(struct sepx_method *method,
                                                    struct sepx_msg *msg);
/* Then the rules, from the preset, `rule` and what is given. */
SEPX_CHECKED enum sepx_err sepx__method_set_rules(struct sepx_method *method,
                                                  const char *const *rule,
                                                  struct sepx_msg *msg);
SEPX_CHECKED enum sepx_err
sepx__search_new(struct sepx_search **search, const struct sepx_method *method,
                 uint64_t seed, uint32_t run,
                 const struct sepx_search_watch *watch, struct sepx_msg *msg);

#endif
