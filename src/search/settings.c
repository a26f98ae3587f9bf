/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "name=value,..." behind a method's name: options of the method, rules of
 * its operators, and the preset that both start from.
 */
#include <stdio.h>
#include <string.h>

#include "search/method.h"

#define NAMES_MAX 64

/* One word of a list, taken apart. */
struct word {
    char name[64], value[64];
};

enum kind { IS_PRESET, IS_OPTION, IS_RULE };

/* *text moves behind the word. */
static enum sepx_err
word_next(struct word *word, const char **text, struct sepx_msg *msg)
{
    size_t len = strcspn(*text, ",");
    size_t name = strcspn(*text, "=,");

    if (name == len)
        return sepx_fail(msg, SEPX_EINVAL,
                         "'%.*s' has no value; write NAME=VALUE",
                         (int)(len < 64 ? len : 64), *text);
    if (name >= sizeof word->name || len - name > sizeof word->value)
        return sepx_fail(msg, SEPX_EINVAL, "'%.64s...' is too long", *text);
    snprintf(word->name, sizeof word->name, "%.*s", (int)name, *text);
    snprintf(word->value, sizeof word->value, "%.*s", (int)(len - name - 1),
             *text + name + 1);
    *text += len + ((*text)[len] == ',');
    return SEPX_OK;
}

static bool
is_rule(const char *name)
{
    const struct sepx_rule_info *row = sepx_rules_info();

    while (row->name && strcmp(row->name, name) != 0)
        row++;
    return row->name;
}

/* The name is none of the method's: say which there are. */
static enum sepx_err
unknown(const struct sepx_method *method, const char *name,
        struct sepx_msg *msg)
{
    const struct sepx_option *option = method->ops->info.options;
    const struct sepx_rule_info *rule = sepx_rules_info();
    const char *names[NAMES_MAX + 1] = {NULL};
    size_t count = 0;
    char what[64];

    for (; option->name && count < NAMES_MAX; option++)
        names[count++] = option->name;
    for (; rule->name && count < NAMES_MAX - 1; rule++)
        names[count++] = rule->name;
    names[count] = "rules";
    snprintf(what, sizeof what, "option of %s", method->ops->info.name);
    return sepx__unknown(msg, what, name, names);
}

static enum sepx_err
kind_of(const struct sepx_method *method, enum kind *kind, const char *name,
        struct sepx_msg *msg)
{
    const struct sepx_option *row = method->ops->info.options;

    while (row->name && strcmp(row->name, name) != 0)
        row++;
    *kind = row->name                ? IS_OPTION
            : !strcmp(name, "rules") ? IS_PRESET
                                     : IS_RULE;
    return *kind != IS_RULE || is_rule(name) ? SEPX_OK
                                             : unknown(method, name, msg);
}

static enum sepx_err
set_rule(struct sepx_method *method, const struct word *word,
         struct sepx_msg *msg)
{
    enum sepx_err err =
        sepx_rules_set(&method->mutation, word->name, word->value, msg);

    if (!err)
        err = sepx_rules_set(&method->crossing, word->name, word->value, msg);
    return err;
}

static enum sepx_err
set_preset(struct sepx_method *method, const struct word *word,
           struct sepx_msg *msg)
{
    char *preset = sepx__strdup(word->value);

    (void)msg;
    if (!preset)
        return SEPX_ENOMEM;
    sepx__free(method->preset);
    method->preset = preset;
    return SEPX_OK;
}

static enum sepx_err
set_option(struct sepx_method *method, const struct word *word,
           struct sepx_msg *msg)
{
    return sepx_option_set(method->ops->info.options, method->settings,
                           method->ops->info.name, word->name, word->value,
                           msg);
}

static enum sepx_err
check_option(struct sepx_method *method, const struct word *word,
             struct sepx_msg *msg)
{
    return sepx_option_check(method->ops->info.options, method->settings,
                             method->ops->info.name, word->name, msg);
}

typedef enum sepx_err word_fn(struct sepx_method *method,
                              const struct word *word, struct sepx_msg *msg);

/* The words of one kind, the alias's before the caller's. */
static enum sepx_err
each_given(struct sepx_method *method, enum kind wanted, word_fn *visit,
           struct sepx_msg *msg)
{
    enum sepx_err err = SEPX_OK;

    for (int i = 0; i < 2; i++) {
        const char *at = method->given[i];

        while (*at && !err) {
            struct word word;
            enum kind kind = IS_PRESET;

            err = word_next(&word, &at, msg);
            if (!err)
                err = kind_of(method, &kind, word.name, msg);
            if (!err && kind == wanted)
                err = visit(method, &word, msg);
        }
    }
    return err;
}

/* ---- settings, then rules ---- */

enum sepx_err
sepx__method_set_options(struct sepx_method *method, struct sepx_msg *msg)
{
    enum sepx_err err = each_given(method, IS_PRESET, set_preset, msg);

    if (err)
        return err;
    method->settings = sepx__calloc(1, method->ops->settings_size + 1);
    if (!method->settings)
        return SEPX_ENOMEM;
    sepx_options_default(method->ops->info.options, method->settings);
    if (method->ops->preset)
        method->ops->preset(method->settings, method->preset);
    err = each_given(method, IS_OPTION, set_option, msg);
    return err ? err : each_given(method, IS_OPTION, check_option, msg);
}

enum sepx_err
sepx__method_set_rules(struct sepx_method *method, const char *const *rule,
                       struct sepx_msg *msg)
{
    const char *space = sepx_space_info(method->space)->name;
    enum sepx_err err;

    if (method->ops->crossover)
        method->crossover = method->ops->crossover(method->settings);
    err = sepx_rules_preset(&method->mutation, method->preset, space,
                            "mutation", msg);
    if (!err)
        err =
            sepx_rules_preset(&method->crossing, method->preset, space,
                              method->crossover ? method->crossover : "", msg);
    for (; rule && *rule && !err; rule++) {
        const char *at = *rule;
        struct word word;

        err = word_next(&word, &at, msg);
        if (!err)
            err = set_rule(method, &word, msg);
    }
    return err ? err : each_given(method, IS_RULE, set_rule, msg);
}
