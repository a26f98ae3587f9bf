/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules by name, and the presets. The authors' scripts differ from operator
 * to operator; what they do is written down here, and nowhere else.
 */
#include "space/private.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "space/internal.h"

#define NUMBER_MAX 1000000

static const struct sepx_rule_info info[] = {
#define X(member, type, values, help) {#member, values, help},
    SEPX_RULES(X)
#undef X
        {NULL, NULL, NULL},
};

const struct sepx_rule_info *
sepx_rules_info(void)
{
    return info;
}

/* ---- presets ---- */

/* Milliseconds; those of the spaces of the paper take hundreds at most. */
#define ALIGN 500

static const struct sepx_rules plain = {
    .trials = 50,
    .order = SEPX_ORDER_RANDOM,
    .dangling = SEPX_DANGLING_AVOID,
    .duplicates = SEPX_DUPLICATES_REJECT,
    .alignment = SEPX_ALIGNMENT_UNIFORM,
    .align = ALIGN,
    .start = SEPX_START_FIRST,
    .judge = SEPX_ACCEPT_SPACE,
    .reorder = true,
    .differ = true,
    .grow = true,
};

/*
 * What won under noise and without: no graph twice unless to average its
 * scores, dead nodes allowed to every second child. NAS-Bench-301's models
 * read the stored order of the nodes, so that darts keeps it.
 */
static struct sepx_rules
defaults(const char *space)
{
    struct sepx_rules rules = plain;

    rules.dangling = SEPX_DANGLING_MIXED;
    rules.fresh = 20;
    rules.repeat = 15;
    rules.scores = 4;
    rules.ties = SEPX_TIES_MEAN;
    rules.by = SEPX_BY_AUTO;
    if (!strcmp(space, "darts")) {
        rules.order = SEPX_ORDER_KEEP;
        rules.reorder = false;
    }
    return rules;
}

struct published {
    const char *space, *operator_name;
    struct sepx_rules rules;
};

/* Mutation elsewhere: all zero, that is, in stored order and by space. */
static const struct published published[] = {
    {"nb101",
     "standard",
     {.trials = 0,
      .order = SEPX_ORDER_KEEP,
      .duplicates = SEPX_DUPLICATES_ALLOW,
      .judge = SEPX_ACCEPT_PUBLISHED}},
    {"nb101",
     "matched",
     {.trials = 50,
      .order = SEPX_ORDER_KEEP,
      .judge = SEPX_ACCEPT_PUBLISHED,
      .accumulate = true,
      .forward = true}},
    {"nb101",
     "sep",
     {.trials = 1, .order = SEPX_ORDER_LIFO, .judge = SEPX_ACCEPT_PUBLISHED}},
    {"nbnlp", "mutation", {.judge = SEPX_ACCEPT_PUBLISHED}},
    {"nbnlp",
     "standard",
     {.trials = 50,
      .order = SEPX_ORDER_KEEP,
      .duplicates = SEPX_DUPLICATES_IDENTICAL,
      .judge = SEPX_ACCEPT_PUBLISHED,
      .coded = true}},
    {"nbnlp",
     "sep",
     {.trials = 50,
      .order = SEPX_ORDER_LIFO,
      .start = SEPX_START_LARGER,
      .judge = SEPX_ACCEPT_PUBLISHED}},
    {"darts",
     "standard",
     {.trials = 50,
      .order = SEPX_ORDER_KEEP,
      .duplicates = SEPX_DUPLICATES_ALLOW,
      .judge = SEPX_ACCEPT_PUBLISHED}},
    {"darts",
     "sep",
     {.trials = 50, .order = SEPX_ORDER_KEEP, .judge = SEPX_ACCEPT_PUBLISHED}},
};

static struct sepx_rules
find_published(const char *space, const char *operator_name)
{
    for (size_t i = 0; i < sizeof(published) / sizeof(*published); i++)
        if (!strcmp(published[i].space, space) &&
            !strcmp(published[i].operator_name, operator_name))
            return published[i].rules;
    return (struct sepx_rules){.trials = 50};
}

const char *const *
sepx_rules_presets(void)
{
    static const char *const names[] = {"default", "plain", "published",
                                        "paper", NULL};

    return names;
}

enum sepx_err
sepx_rules_preset(struct sepx_rules *rules, const char *preset,
                  const char *space, const char *operator_name,
                  struct sepx_msg *msg)
{
    if (!strcmp(preset, "default")) {
        *rules = defaults(space);
        return SEPX_OK;
    }
    if (!strcmp(preset, "plain")) {
        *rules = plain;
        return SEPX_OK;
    }
    if (strcmp(preset, "published") && strcmp(preset, "paper"))
        return sepx__unknown(msg, "preset", preset, sepx_rules_presets());
    *rules = find_published(space, operator_name);
    rules->align = ALIGN;
    if (!strcmp(preset, "paper") && !strcmp(operator_name, "sep"))
        rules->trials = 50;
    return SEPX_OK;
}

/* ---- by name ---- */

static void *
member_of(const struct sepx_rules *rules, size_t row)
{
    const void *const at[] = {
#define X(member, type, values, help) &rules->member,
        SEPX_RULES(X)
#undef X
    };

    return (void *)(uintptr_t)at[row];
}

static size_t
size_of(size_t row)
{
    static const size_t size[] = {
#define X(member, type, values, help) sizeof(type),
        SEPX_RULES(X)
#undef X
    };

    return size[row];
}

static int
find_row(const char *name)
{
    for (int i = 0; info[i].name; i++)
        if (!strcmp(info[i].name, name))
            return i;
    return -1;
}

/* The number of `word` in "a|b|c", or -1. */
static int
find_word(const char *list, const char *word)
{
    size_t len = strlen(word);

    for (int i = 0; list; i++) {
        if (!strncmp(list, word, len) && (list[len] == '|' || !list[len]))
            return i;
        list = strchr(list, '|');
        list = list ? list + 1 : NULL;
    }
    return -1;
}

/* Numbers have values "low..high". */
static int
parse_value(size_t row, const char *value)
{
    char *end;
    long number;

    if (!isdigit((unsigned char)*info[row].values))
        return find_word(info[row].values, value);
    if (!isdigit((unsigned char)*value))
        return -1;
    number = strtol(value, &end, 10);
    return *end || number > NUMBER_MAX ? -1 : (int)number;
}

static enum sepx_err
unknown_rule(struct sepx_msg *msg, const char *name)
{
    const char *names[sizeof(info) / sizeof(*info)];

    for (size_t i = 0; i < sizeof(info) / sizeof(*info); i++)
        names[i] = info[i].name;
    return sepx__unknown(msg, "rule", name, names);
}

enum sepx_err
sepx_rules_set(struct sepx_rules *rules, const char *name, const char *value,
               struct sepx_msg *msg)
{
    int row = find_row(name), number;

    if (row < 0)
        return unknown_rule(msg, name);
    number = parse_value((size_t)row, value);
    if (number < 0)
        return sepx_fail(msg, SEPX_EINVAL, "rule %s cannot be '%s'; use %s",
                         name, value, info[row].values);
    if (size_of((size_t)row) == sizeof(bool))
        *(bool *)member_of(rules, (size_t)row) = number;
    else
        memcpy(member_of(rules, (size_t)row), &number, sizeof(number));
    return SEPX_OK;
}

const char *
sepx_rules_get(const struct sepx_rules *rules, const char *name, char *room)
{
    int row = find_row(name), number = 0;
    const char *word;

    if (row < 0)
        return NULL;
    if (size_of((size_t)row) == sizeof(bool))
        number = *(bool *)member_of(rules, (size_t)row);
    else
        memcpy(&number, member_of(rules, (size_t)row), sizeof(number));
    word = info[row].values;
    if (isdigit((unsigned char)*word)) {
        snprintf(room, 16, "%d", number);
        return room;
    }
    while (number--)
        word = strchr(word, '|') + 1;
    snprintf(room, 16, "%.*s", (int)strcspn(word, "|"), word);
    return room;
}
