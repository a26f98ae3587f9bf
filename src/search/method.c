/* SPDX-License-Identifier: Apache-2.0 */
/* The registry of methods, and a method made from text. */
#include "search/method.h"

#include <stdio.h>
#include <string.h>

/* clang-format off */
#define METHODS(X) /* a new method: its file and a row */ \
    X(random) \
    X(evolve) \
    X(reinforce) \
    X(local) \
    X(bohb) \
    X(smac) \
    X(model)

static const struct sepx_method_alias aliases[] = {
    {"mutation", "evolve", "crossover=none"},
    {"standard", "evolve", "crossover=standard"},
    {"matched", "evolve", "crossover=matched"},
    {"sep", "evolve", "crossover=sep"},
    {"path", "evolve", "crossover=path"},
    {0},
};
/* clang-format on */

#define X(name) &sepx__search_##name,
static const struct sepx__search_ops *const registry[] = {METHODS(X) NULL};
#undef X

#define X(name) &sepx__search_##name.info,
static const struct sepx_method_info *const infos[] = {METHODS(X) NULL};
#undef X

enum { METHOD_COUNT = sizeof registry / sizeof registry[0] - 1 };
enum { ALIAS_COUNT = sizeof aliases / sizeof aliases[0] - 1 };

const struct sepx_method_alias *
sepx_method_aliases(void)
{
    return aliases;
}

const struct sepx_method_info *const *
sepx_method_list(void)
{
    return infos;
}

/* ---- from text ---- */

static const struct sepx_method_alias *
alias_find(const char *name)
{
    for (unsigned i = 0; i < ALIAS_COUNT; i++) {
        if (!strcmp(aliases[i].name, name))
            return &aliases[i];
    }
    return NULL;
}

static const struct sepx__search_ops *
ops_find(const char *name, struct sepx_msg *msg)
{
    const char *names[METHOD_COUNT + ALIAS_COUNT + 1] = {NULL};

    for (unsigned i = 0; i < METHOD_COUNT; i++) {
        names[i] = registry[i]->info.name;
        if (!strcmp(names[i], name))
            return registry[i];
    }
    for (unsigned i = 0; i < ALIAS_COUNT; i++)
        names[METHOD_COUNT + i] = aliases[i].name;
    (void)sepx__unknown(msg, "method", name, names);
    return NULL;
}

/* "NAME[:OPTIONS]" */
static enum sepx_err
find_method(struct sepx_method *method, const char *text, struct sepx_msg *msg)
{
    const struct sepx_method_alias *alias;
    size_t len = strcspn(text, ":");
    char name[64];

    snprintf(name, sizeof name, "%.*s", (int)(len < 63 ? len : 63), text);
    alias = alias_find(name);
    method->ops = ops_find(alias ? alias->method : name, msg);
    if (!method->ops)
        return SEPX_ENOTFOUND;
    method->given[0] = alias ? alias->options : "";
    method->given[1] = text[len] ? method->text + len + 1 : "";
    return SEPX_OK;
}

/* An unknown one is left to the method, who knows what else is valid. */
static enum sepx_err
open_crossover(struct sepx_method *method, struct sepx_msg *msg)
{
    enum sepx_err err = SEPX_OK;

    if (method->crossover)
        err = sepx_cross_new(&method->cross, method->space, method->crossover,
                             &method->crossing, msg);
    return err == SEPX_ENOTFOUND ? SEPX_OK : err;
}

/* Start one search, so that a bad setting is known before the first run. */
static enum sepx_err
try(const struct sepx_method *method, struct sepx_msg *msg)
{
    struct sepx_search *search;
    enum sepx_err err = sepx__search_new(&search, method, 0, 0, NULL, msg);

    sepx_search_free(search);
    return err;
}

/* Its options alone. *made is to be freed after a failure, too. */
static enum sepx_err
read_text(struct sepx_method **made, const char *text, const char *preset,
          struct sepx_msg *msg)
{
    struct sepx_method *method = sepx__calloc(1, sizeof *method);
    enum sepx_err err = SEPX_ENOMEM;

    *made = method;
    if (!method)
        return err;
    method->text = sepx__strdup(text);
    method->preset = sepx__strdup(preset ? preset : "default");
    if (method->text && method->preset)
        err = find_method(method, text, msg);
    return err ? err : sepx__method_set_options(method, msg);
}

enum sepx_err
sepx_method_start(struct sepx_method_start *start, const char *text,
                  const char *preset, struct sepx_msg *msg)
{
    struct sepx_method *made;
    enum sepx_err err = read_text(&made, text, preset, msg);

    *start = (struct sepx_method_start){0};
    if (!err && made->ops->start)
        *start = made->ops->start(made->settings);
    sepx_method_free(made);
    return err;
}

enum sepx_err
sepx_method_new(struct sepx_method **method, const struct sepx_space *space,
                const char *text, const char *preset, const char *const *rule,
                struct sepx_msg *msg)
{
    struct sepx_method *made;
    enum sepx_err err = read_text(&made, text, preset, msg);

    *method = NULL;
    if (made)
        made->space = space;
    if (!err)
        err = sepx__method_set_rules(made, rule, msg);
    if (!err)
        err = open_crossover(made, msg);
    if (!err)
        err = try(made, msg);
    if (err)
        sepx_method_free(made);
    else
        *method = made;
    return err;
}

void
sepx_method_free(struct sepx_method *method)
{
    if (!method)
        return;
    sepx_cross_free(method->cross);
    sepx__free(method->settings);
    sepx__free(method->preset);
    sepx__free(method->text);
    sepx__free(method);
}

/* A method that learns nothing can work towards anything. */
enum sepx_err
sepx_method_check_goals(const struct sepx_method *method,
                        const struct sepx_goals *goals, struct sepx_msg *msg)
{
    if (!goals || !goals->objectives || method->ops->tell_merit ||
        !method->ops->tell)
        return SEPX_OK;
    return sepx_fail(msg, SEPX_EUNSUPPORTED,
                     "method %s knows one score, no objectives or "
                     "constraints; choose evolve with any crossover (sep), "
                     "model or random",
                     method->ops->info.name);
}

const struct sepx_space *
sepx_method_space(const struct sepx_method *method)
{
    return method->space;
}

const char *
sepx_method_text(const struct sepx_method *method)
{
    return method->text;
}

static void
put_rules(struct sepx_json_writer *w, const char *key,
          const struct sepx_rules *rules)
{
    char room[16];

    sepx_json_key(w, key);
    sepx_json_open(w, '{');
    for (const struct sepx_rule_info *row = sepx_rules_info(); row->name;
         row++) {
        sepx_json_add_string(w, row->name,
                             sepx_rules_get(rules, row->name, room));
    }
    sepx_json_close(w, '}');
}

void
sepx_method_put_json(struct sepx_json_writer *w,
                     const struct sepx_method *method)
{
    sepx_json_open(w, '{');
    sepx_json_add_string(w, "name", method->ops->info.name);
    sepx_json_key(w, "options");
    sepx_json_open(w, '{');
    sepx_options_put_json(w, method->ops->info.options, method->settings);
    sepx_json_close(w, '}');
    sepx_json_add_string(w, "rules", method->preset);
    put_rules(w, "mutation", &method->mutation);
    if (method->crossover)
        put_rules(w, "crossover", &method->crossing);
    sepx_json_close(w, '}');
}
