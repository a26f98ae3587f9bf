/* SPDX-License-Identifier: Apache-2.0 */
/* A study's settings, as JSON in its file, and what is opened from them. */
#include "run/study_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/internal.h"

enum { HASH_SIZE = 33 };

/* What the preset "default" means; studies without a version have 1. */
#define RULES_VERSION 2

static const char *
hash_text(char *room, const char *text)
{
    struct sepx__hash hash = sepx__hash(text, strlen(text));

    (void)snprintf(room, HASH_SIZE, "%016llx%016llx",
                   (unsigned long long)hash.high, (unsigned long long)hash.low);
    return room;
}

/* ---- settings as JSON ---- */

static void
put_text(struct sepx_json_writer *w, const char *key, const char *text)
{
    if (!text)
        return;
    sepx_json_add_string(w, key, text);
}

static void
put_program(struct sepx_json_writer *w, const struct sepx_eval_settings *set)
{
    sepx_json_key(w, "program");
    sepx_json_open(w, '{');
    sepx_json_add_bool(w, "maximize", set->maximize);
    sepx_json_add_count(w, "repeats", set->repeats);
    sepx_json_add_count(w, "retries", set->retries);
    sepx_json_add_number(w, "retry_delay", set->retry_delay);
    sepx_json_add_number(w, "time_limit", set->time_limit);
    sepx_json_add_number(w, "grace", set->grace);
    sepx_json_add_count(w, "memory_limit", set->memory_limit);
    put_text(w, "checkpoints", set->checkpoints);
    sepx_json_close(w, '}');
}

static void
put_rules(struct sepx_json_writer *w, const char *const *rule)
{
    sepx_json_key(w, "rule");
    sepx_json_open(w, '[');
    for (size_t i = 0; rule && rule[i]; i++)
        sepx_json_put_string(w, rule[i]);
    sepx_json_close(w, ']');
}

/* Left out if there is nothing in it, as in studies of old. */
static void
put_list(struct sepx_json_writer *w, const char *key, const char *const *list)
{
    if (!list || !*list)
        return;
    sepx_json_key(w, key);
    sepx_json_open(w, '[');
    for (; *list; list++)
        sepx_json_put_string(w, *list);
    sepx_json_close(w, ']');
}

/* As they were written, and which way where the evaluator says it. */
static void
put_objectives(struct sepx_json_writer *w, const char *const *list,
               const struct sepx_goals *goals)
{
    static const char *const score[] = {"score", NULL};
    bool turned = false;
    char text[512];

    for (uint32_t i = 0; i < goals->objectives; i++)
        turned = turned ||
                 (goals->objective[i].open && goals->objective[i].maximize);
    if (!turned) {
        put_list(w, "objectives", list);
        return;
    }
    list = list && *list ? list : score;
    sepx_json_key(w, "objectives");
    sepx_json_open(w, '[');
    for (uint32_t i = 0; i < goals->objectives; i++) {
        int name = (int)strcspn(list[i], ":");
        bool open = goals->objective[i].open && goals->objective[i].maximize;

        snprintf(text, sizeof text, "%.*s:max%s", name, list[i],
                 list[i] + name);
        sepx_json_put_string(w, open ? text : list[i]);
    }
    sepx_json_close(w, ']');
}

/*
 * `space` is the text of the space's file, or empty. `maximized`: the
 * evaluator maximises its score by itself.
 */
static enum sepx_err
settings_write(struct sepx_text *text, const struct sepx_study_settings *set,
               const struct sepx_goals *goals, bool maximized,
               const struct sepx_text *space)
{
    struct sepx_json_writer w;
    char hash[HASH_SIZE];

    sepx_json_begin(&w, text);
    sepx_json_open(&w, '{');
    put_text(&w, "made_by", set->made_by);
    put_text(&w, "space", set->space);
    put_text(&w, "space_text", space->at);
    if (space->at)
        put_text(&w, "space_hash", hash_text(hash, space->at));
    put_text(&w, "method", set->method);
    put_text(&w, "rules", set->rules);
    sepx_json_add_count(&w, "rules_version", RULES_VERSION);
    put_rules(&w, set->rule);
    put_objectives(&w, set->objective, goals);
    put_list(&w, "where", set->where);
    sepx_json_add_bool(&w, "bounded", true);
    put_text(&w, "eval", set->eval);
    put_program(&w, &set->program);
    if (maximized)
        sepx_json_add_bool(&w, "maximized", true);
    put_text(&w, "prune", set->prune);
    put_text(&w, "folder", set->folder);
    sepx_json_add_count(&w, "seed", set->seed);
    sepx_json_add_count(&w, "window", set->window);
    sepx_json_add_bool(&w, "async", set->async);
    sepx_json_add_bool(&w, "repeats", set->repeats);
    sepx_json_close(&w, '}');
    return sepx_json_done(&w);
}

static const char *
text_of(const struct sepx_json *json, const char *key)
{
    return sepx_json_string(sepx_json_get(json, key));
}

/* A whole number that fits; what is missing or wrong becomes `otherwise`. */
static uint64_t
count_of(const struct sepx_json *json, const char *key, uint64_t most,
         uint64_t otherwise)
{
    const char *text = text_of(json, key);
    int64_t whole = sepx_json_integer(sepx_json_get(json, key), -1);
    uint64_t value = text ? strtoull(text, NULL, 10) : (uint64_t)whole;

    return (text || whole >= 0) && value <= most ? value : otherwise;
}

static void
program_read(struct sepx_eval_settings *set, const struct sepx_json *json)
{
    sepx_eval_settings_init(set);
    set->maximize = sepx_json_bool(sepx_json_get(json, "maximize"), false);
    set->repeats =
        (uint32_t)count_of(json, "repeats", UINT32_MAX, set->repeats);
    set->retries =
        (uint32_t)count_of(json, "retries", UINT32_MAX, set->retries);
    set->retry_delay =
        sepx_json_number(sepx_json_get(json, "retry_delay"), set->retry_delay);
    set->time_limit = sepx_json_number(sepx_json_get(json, "time_limit"), 0);
    set->grace = sepx_json_number(sepx_json_get(json, "grace"), set->grace);
    set->memory_limit = count_of(json, "memory_limit", UINT64_MAX, 0);
    set->checkpoints = text_of(json, "checkpoints");
}

/* Studies from before the rule `align` do not say that it is in force. */
static enum sepx_err
rules_read(struct sepx_study *study, const struct sepx_json *rows, bool bounded)
{
    size_t count = sepx_json_size(rows), first = bounded ? 0 : 1;

    study->rule = sepx__calloc(first + count + 1, sizeof *study->rule);
    if (!study->rule)
        return SEPX_ENOMEM;
    study->rule[0] = "align=0";
    for (size_t i = 0; i < count; i++) {
        study->rule[first + i] = sepx_json_string(sepx_json_at(rows, i));
        if (!study->rule[first + i])
            return SEPX_EDATA;
    }
    study->rule[first + count] = NULL;
    study->settings.rule = study->rule;
    return SEPX_OK;
}

/*
 * What "default" was when the study began has another name now, as the preset
 * and behind the method's name.
 */
static enum sepx_err
rename_default(struct sepx_study *study)
{
    static const char was[] = "rules=default", is[] = "rules=plain";
    struct sepx_study_settings *set = &study->settings;
    char *at;

    if (!set->rules || !strcmp(set->rules, "default"))
        set->rules = "plain";
    study->method_text = set->method ? sepx__strdup(set->method) : NULL;
    if (set->method && !study->method_text)
        return SEPX_ENOMEM;
    set->method = study->method_text;
    at = set->method ? strchr(study->method_text, ':') : NULL;
    while (at) {
        at++;
        if (!strncmp(at, was, strlen(was)) &&
            (at[strlen(was)] == ',' || !at[strlen(was)])) {
            memcpy(at, is, strlen(is));
            memmove(at + strlen(is), at + strlen(was),
                    strlen(at + strlen(was)) + 1);
        }
        at = strchr(at, ',');
    }
    return SEPX_OK;
}

/* *list is ended by NULL, or NULL if there is none. */
static enum sepx_err
list_read(const char ***list, const struct sepx_json *rows)
{
    size_t count = sepx_json_size(rows);

    *list = NULL;
    if (!count)
        return SEPX_OK;
    *list = sepx__calloc(count + 1, sizeof **list);
    if (!*list)
        return SEPX_ENOMEM;
    for (size_t i = 0; i < count; i++) {
        (*list)[i] = sepx_json_string(sepx_json_at(rows, i));
        if (!(*list)[i])
            return SEPX_EDATA;
    }
    return SEPX_OK;
}

static enum sepx_err
goals_read(struct sepx_study *study, struct sepx_msg *msg)
{
    const struct sepx_json *json = study->json;
    enum sepx_err err =
        list_read(&study->objective, sepx_json_get(json, "objectives"));

    if (!err)
        err = list_read(&study->where, sepx_json_get(json, "where"));
    study->settings.objective = study->objective;
    study->settings.where = study->where;
    if (!err)
        err =
            sepx_goals_read(&study->goals, study->objective, study->where, msg);
    return err && err != SEPX_ENOMEM ? SEPX_EDATA : err;
}

static enum sepx_err
settings_read(struct sepx_study *study, struct sepx_msg *msg)
{
    struct sepx_study_settings *set = &study->settings;
    const char *text = sepx_store_settings(study->store);
    const char *path = sepx_store_path(study->store);
    const struct sepx_json *json;
    enum sepx_err err = sepx_json_parse(&study->json, text, strlen(text), msg);

    if (err) {
        sepx_msg_prefix(msg, "%s: settings", path);
        return err;
    }
    json = study->json;
    set->made_by = text_of(json, "made_by");
    set->space = text_of(json, "space");
    set->method = text_of(json, "method");
    set->rules = text_of(json, "rules");
    set->eval = text_of(json, "eval");
    set->folder = text_of(json, "folder");
    set->prune = text_of(json, "prune");
    set->seed = count_of(json, "seed", UINT64_MAX, 0);
    set->window = (uint32_t)count_of(json, "window", SEPX_WINDOW_MAX, 0);
    set->async = sepx_json_bool(sepx_json_get(json, "async"), false);
    set->repeats = sepx_json_bool(sepx_json_get(json, "repeats"), false);
    program_read(&set->program, sepx_json_get(json, "program"));
    err = rules_read(study, sepx_json_get(json, "rule"),
                     sepx_json_bool(sepx_json_get(json, "bounded"), false));
    if (!err && count_of(json, "rules_version", UINT32_MAX, 1) < RULES_VERSION)
        err = rename_default(study);
    if (!err)
        err = goals_read(study, msg);
    study->maximized =
        study->goals.names
            ? study->goals.objective[0].maximize
            : set->program.maximize ||
                  sepx_json_bool(sepx_json_get(json, "maximized"), false);
    if (err == SEPX_ENOMEM)
        return err;
    if (err || !set->space || !set->method || !set->window)
        return sepx_fail(msg, SEPX_EDATA,
                         "%s: its settings lack a space, a method or a "
                         "window; the file is damaged, restore a copy",
                         path);
    return SEPX_OK;
}

/* ---- opening ---- */

/* From its name or, if it came from a file, from what the file said. */
static enum sepx_err
open_space(struct sepx_study *study, struct sepx_msg *msg)
{
    const char *text = text_of(study->json, "space_text");
    const char *hash = text_of(study->json, "space_hash");
    char now[HASH_SIZE];

    if (!text)
        return sepx_space_open(&study->space, study->settings.space, msg);
    if (!hash || strcmp(hash, hash_text(now, text)) != 0)
        return sepx_fail(msg, SEPX_EDATA,
                         "the space is not the one that the study began with");
    return sepx_space_open_text(&study->space, text, strlen(text),
                                study->settings.space, msg);
}

static enum sepx_err
load(struct sepx_study *study, struct sepx_msg *msg)
{
    const struct sepx_study_settings *set = &study->settings;
    enum sepx_err err = SEPX_OK;

    if (!study->space)
        err = open_space(study, msg);
    if (!err && !study->method)
        err = sepx_method_new(&study->method, study->space, set->method,
                              set->rules, set->rule, msg);
    if (!err)
        err = sepx_method_check_goals(study->method, &study->goals, msg);
    return err;
}

/* Settings were checked when the study began: a fault is damaged data. */
enum sepx_err
sepx__study_load(struct sepx_study *study, struct sepx_msg *msg)
{
    enum sepx_err err = load(study, msg);

    if (!err || err == SEPX_ENOMEM)
        return err;
    sepx_msg_prefix(msg, "%s: settings", sepx_store_path(study->store));
    return SEPX_EDATA;
}

static void
unload(struct sepx_study *study)
{
    sepx_eval_close(study->eval);
    sepx_method_free(study->method);
    sepx_space_close(study->space);
}

enum sepx_err
sepx__study_eval(struct sepx_study *study, struct sepx_msg *msg)
{
    const struct sepx_study_settings *set = &study->settings;
    struct sepx_eval *eval;
    enum sepx_err err;

    if (study->eval)
        return SEPX_OK;
    if (!set->eval)
        return sepx_fail(msg, SEPX_EINVAL,
                         "the evaluator of this study is a function of the "
                         "program that began it; resume it with that program");
    err =
        sepx_eval_open_with(&eval, study->space, set->eval, &set->program, msg);
    if (!err && study->goals.names)
        err = sepx_eval_want(eval, (const char *const *)study->goals.name, msg);
    if (err)
        sepx_eval_close(eval);
    else
        study->eval = eval;
    return err;
}

enum sepx_err
sepx__study_check_eval(const struct sepx_study *study,
                       const struct sepx_eval *eval, struct sepx_msg *msg)
{
    const char *const *wanted = sepx_eval_wanted(eval);

    for (uint32_t i = 0; i < study->goals.names; i++) {
        if (!wanted[i] || strcmp(wanted[i], study->goals.name[i]) != 0)
            return sepx_fail(msg, SEPX_EINVAL,
                             "the evaluator has not been asked for '%s', an "
                             "objective or constraint of the study; call "
                             "sepx_eval_want() with all of them",
                             study->goals.name[i]);
    }
    return SEPX_OK;
}

/* Only spaces of files are kept whole; others have a name. */
static enum sepx_err
write_space(struct sepx_text *text, const struct sepx_study *study)
{
    const char *name = study->settings.space;
    size_t len = strlen(name);
    bool file =
        strchr(name, '/') || (len > 5 && strcmp(name + len - 5, ".json") == 0);

    return file ? sepx_space_write(text, study->space) : SEPX_OK;
}

void
sepx_study_settings_init(struct sepx_study_settings *settings)
{
    *settings = (struct sepx_study_settings){.window = SEPX_WINDOW_DEFAULT};
    sepx_eval_settings_init(&settings->program);
}

/* The text of settings whose space, method and evaluator can be opened. */
static enum sepx_err
settings_check(struct sepx_study *wanted, struct sepx_text *text,
               struct sepx_msg *msg)
{
    const struct sepx_study_settings *settings = &wanted->settings;
    struct sepx_text space = {0};
    bool maximized = false;
    enum sepx_err err;

    if (settings->window < 1 || settings->window > SEPX_WINDOW_MAX)
        return sepx_fail(msg, SEPX_EINVAL, "a window of %u is not from 1 to %d",
                         settings->window, SEPX_WINDOW_MAX);
    err = sepx_goals_read(&wanted->goals, settings->objective, settings->where,
                          msg);
    if (!err && wanted->goals.names && settings->program.maximize)
        err = sepx_fail(msg, SEPX_EINVAL,
                        "with objectives, each says itself whether it is "
                        "maximised; write NAME:max and leave --maximize out");
    if (!err && settings->prune &&
        (strcmp(settings->prune, "median") || settings->program.repeats > 1))
        err = sepx_fail(msg, SEPX_EINVAL,
                        "pruning is 'median', of single runs of a program; "
                        "leave it out, or --mean-of");
    if (!err)
        err = load(wanted, msg);
    if (!err && settings->eval)
        err = sepx__study_eval(wanted, msg);
    if (!err && wanted->eval)
        maximized = sepx_eval_maximized(wanted->eval);
    if (maximized)
        sepx_goals_maximize(&wanted->goals);
    maximized =
        maximized && !wanted->goals.names && !settings->program.maximize;
    if (!err)
        err = write_space(&space, wanted);
    if (!err)
        err = settings_write(text, settings, &wanted->goals, maximized, &space);
    sepx_text_release(&space);
    return err;
}

/* Move the objects that the check opened to `study`; NULL: release them. */
static void
adopt(struct sepx_study *study, struct sepx_study *wanted)
{
    sepx_goals_release(&wanted->goals);
    if (!study) {
        unload(wanted);
        return;
    }
    study->space = wanted->space;
    study->method = wanted->method;
    study->eval = wanted->eval;
}

/* Takes over the store, after a failure too. */
static enum sepx_err
study_of(struct sepx_study **study, struct sepx_store *store,
         struct sepx_msg *msg)
{
    struct sepx_study *made = sepx__calloc(1, sizeof *made);
    enum sepx_err err = SEPX_ENOMEM;

    *study = NULL;
    if (!made) {
        sepx_store_close(store);
        return err;
    }
    made->store = store;
    err = settings_read(made, msg);
    if (err)
        sepx_study_close(made);
    else
        *study = made;
    return err;
}

enum sepx_err
sepx_study_create(struct sepx_study **study, const char *path,
                  const struct sepx_study_settings *settings,
                  const char *options, struct sepx_msg *msg)
{
    struct sepx_study wanted = {.settings = *settings};
    struct sepx_text text = {0};
    enum sepx_err err = settings_check(&wanted, &text, msg);

    *study = NULL;
    if (!err)
        err = sepx_store_create(path, text.at, options, msg);
    if (!err) {
        err = sepx_study_open(study, path, true, msg);
        /* No room for its log, for example: it is still empty. A URL is no
         * file, and what is busy has been opened by another process. */
        if (err && err != SEPX_EBUSY)
            sepx__place_discard(path);
    }
    adopt(*study, &wanted);
    sepx_text_release(&text);
    return err;
}

/* ---- beginning anew ---- */

enum sepx_err
sepx_study_is_blank(struct sepx_study *study, bool *blank, struct sepx_msg *msg)
{
    struct sepx_study_summary sum = {0};
    enum sepx_err err = sepx_study_summarize(&sum, study, msg);

    *blank =
        !err && sepx_store_renewable(study->store) && !sum.outcome[SEPX_SCORED];
    for (uint32_t i = 0; i < sum.n_ops; i++)
        *blank = *blank && strcmp(sum.op[i].name, "added") != 0;
    sepx_study_summary_release(&sum);
    return err;
}

enum sepx_err
sepx_study_renew(struct sepx_study **study,
                 const struct sepx_study_settings *settings,
                 struct sepx_msg *msg)
{
    struct sepx_study *old = *study, *made = NULL;
    struct sepx_study wanted = {.settings = *settings};
    struct sepx_text text = {0};
    enum sepx_err err = sepx__study_load(old, msg);

    /* The space as it was: its file may be gone. */
    wanted.space = old->space;
    old->space = NULL;
    unload(old);
    old->method = NULL;
    old->eval = NULL;
    if (!err)
        err = settings_check(&wanted, &text, msg);
    if (!err)
        err = sepx_store_renew(old->store, text.at, msg);
    if (!err) {
        err = study_of(&made, old->store, msg);
        old->store = NULL;
    }
    adopt(made, &wanted);
    sepx_text_release(&text);
    if (err)
        return err;
    sepx_study_close(old);
    *study = made;
    return SEPX_OK;
}

/* ---- comparing settings ---- */

/* The member of a key such as "seed" or "program.retries". */
static const struct sepx_json *
member(const struct sepx_json *json, const char *key)
{
    const char *dot = strchr(key, '.');

    return dot ? sepx_json_get(sepx_json_get(json, "program"), dot + 1)
               : sepx_json_get(json, key);
}

/* As a user would write it; *text is empty if there is none. */
static enum sepx_err
value_write(struct sepx_text *text, const struct sepx_json *value,
            const struct sepx_study_key *key)
{
    if (!value)
        return sepx_text_print(text, "%s",
                               key->otherwise ? key->otherwise : "");
    if (key->unit > 0)
        return sepx_text_print(text, "%.12g",
                               sepx_json_number(value, NAN) / key->unit);
    return sepx_json_dump(text, value);
}

static enum sepx_err
differs(const struct sepx_study *study, const struct sepx_study_key *key,
        const char *there, const char *here, struct sepx_msg *msg)
{
    return sepx_fail(msg, SEPX_EINVAL,
                     "%s: the study has %s %.160s, not %.160s; settings never "
                     "change, so leave it out or begin another study",
                     sepx_store_path(study->store), key->name,
                     *there ? there : "none", *here ? here : "none");
}

/* The method in full: every option and rule. */
static enum sepx_err
method_write(struct sepx_text *text, const struct sepx_study *study,
             const char *method, struct sepx_msg *msg)
{
    const struct sepx_study_settings *set = &study->settings;
    struct sepx_method *made;
    struct sepx_json_writer w;
    enum sepx_err err = sepx_method_new(&made, study->space, method, set->rules,
                                        set->rule, msg);

    if (err)
        return err;
    sepx_json_begin(&w, text);
    sepx_method_put_json(&w, made);
    sepx_method_free(made);
    return sepx_json_done(&w);
}

/* Two texts may be of one method: "sep" and "evolve". */
static enum sepx_err
same_method(struct sepx_study *study, const char *method, bool *same,
            struct sepx_msg *msg)
{
    struct sepx_text here = {0}, there = {0};
    enum sepx_err err = sepx__study_load(study, msg);

    if (!err)
        err = method_write(&here, study, method, msg);
    if (!err)
        err = method_write(&there, study, study->settings.method, msg);
    *same = !err && !strcmp(here.at, there.at);
    sepx_text_release(&here);
    sepx_text_release(&there);
    return err;
}

/* A space from a file is compared by what the file says. */
static enum sepx_err
same_space(const struct sepx_study *study, const char *name, bool *same,
           struct sepx_msg *msg)
{
    const char *there = text_of(study->json, "space_text");
    struct sepx_study wanted = {.settings.space = name};
    struct sepx_text here = {0};
    enum sepx_err err = sepx_space_open(&wanted.space, name, msg);

    if (!err)
        err = write_space(&here, &wanted);
    *same = !err &&
            (there && here.at
                 ? !strcmp(there, here.at)
                 : !there && !here.at && !strcmp(study->settings.space, name));
    sepx_text_release(&here);
    sepx_space_close(wanted.space);
    return err;
}

static bool
same_list(const char *const *x, const char *const *y)
{
    while (x && y && *x && *y && !strcmp(*x, *y)) {
        x++;
        y++;
    }
    return !(x && *x) && !(y && *y);
}

/*
 * The direction that an objective leaves open is the evaluator's. The study's
 * own objectives need no evaluator, whose files may be in another folder.
 */
static enum sepx_err
goals_of(struct sepx_study *study, struct sepx_goals *goals,
         const struct sepx_study_settings *settings, struct sepx_msg *msg)
{
    bool open = false;
    enum sepx_err err =
        sepx_goals_read(goals, settings->objective, settings->where, msg);

    for (uint32_t i = 0; !err && i < goals->objectives; i++)
        open = open || goals->objective[i].open;
    if (!open || !study->settings.eval ||
        same_list(settings->objective, study->settings.objective))
        return err;
    err = sepx__study_load(study, msg);
    if (!err)
        err = sepx__study_eval(study, msg);
    if (!err && sepx_eval_maximized(study->eval))
        sepx_goals_maximize(goals);
    return err;
}

/* `wanted` is the settings as they would be kept. */
static enum sepx_err
compare_member(struct sepx_study *study, const struct sepx_json *wanted,
               const struct sepx_study_key *key, struct sepx_msg *msg)
{
    struct sepx_text here = {0}, there = {0};
    bool same = false;
    enum sepx_err err = value_write(&here, member(wanted, key->member), key);

    if (!err)
        err = value_write(&there, member(study->json, key->member), key);
    if (!err && !strcmp(key->member, "space"))
        err = same_space(study, text_of(wanted, "space"), &same, msg);
    else if (!err)
        same = !strcmp(here.at, there.at);
    if (!err && !same && !strcmp(key->member, "method"))
        err = same_method(study, text_of(wanted, "method"), &same, msg);
    if (!err && !same && !strcmp(here.at, there.at))
        err = sepx_fail(msg, SEPX_EINVAL,
                        "%s: the file of the %s %s has changed since the study "
                        "began; settings never change, so leave it out or "
                        "begin another study",
                        sepx_store_path(study->store), key->name, here.at);
    else if (!err && !same)
        err = differs(study, key, there.at, here.at, msg);
    sepx_text_release(&here);
    sepx_text_release(&there);
    return err;
}

enum sepx_err
sepx_study_compare(struct sepx_study *study,
                   const struct sepx_study_settings *settings,
                   const struct sepx_study_key *key, struct sepx_msg *msg)
{
    const struct sepx_text no_space = {0};
    struct sepx_json *json = NULL;
    struct sepx_text text = {0};
    struct sepx_goals goals = {0};
    enum sepx_err err = goals_of(study, &goals, settings, msg);

    if (!err)
        err = settings_write(&text, settings, &goals, study->maximized,
                             &no_space);
    if (!err)
        err = sepx_json_parse(&json, text.at, text.len, msg);
    for (; key->member && !err; key++)
        err = compare_member(study, json, key, msg);
    sepx_json_free(json);
    sepx_text_release(&text);
    sepx_goals_release(&goals);
    return err;
}

/* ---- open and close ---- */

enum sepx_err
sepx_study_open(struct sepx_study **study, const char *path, bool write,
                struct sepx_msg *msg)
{
    struct sepx_store *store;
    enum sepx_err err = sepx_store_open(&store, path, write, msg);

    *study = NULL;
    return err ? err : study_of(study, store, msg);
}

void
sepx_study_close(struct sepx_study *study)
{
    if (!study)
        return;
    unload(study);
    sepx_goals_release(&study->goals);
    sepx__free(study->objective);
    sepx__free(study->where);
    sepx__free(study->rule);
    sepx__free(study->method_text);
    sepx_json_free(study->json);
    sepx_store_close(study->store);
    sepx__free(study);
}

const struct sepx_study_settings *
sepx_study_settings(const struct sepx_study *study)
{
    return &study->settings;
}

const struct sepx_goals *
sepx_study_goals(const struct sepx_study *study)
{
    return &study->goals;
}

struct sepx_store *
sepx_study_store(const struct sepx_study *study)
{
    return study->store;
}

bool
sepx_study_maximized(const struct sepx_study *study)
{
    return study->maximized;
}

double
sepx_study_value(const struct sepx_study *study, double value)
{
    return study->maximized ? 0 - value : value;
}

void
sepx__study_turn(const struct sepx_study *study, struct sepx_score *score)
{
    if (study->goals.names)
        return;
    score->value = sepx_study_value(study, score->value);
    score->test = sepx_study_value(study, score->test);
}

enum sepx_err
sepx_study_space(struct sepx_study *study, const struct sepx_space **space,
                 struct sepx_msg *msg)
{
    enum sepx_err err = sepx__study_load(study, msg);

    *space = study->space;
    return err;
}

/* ---- replaying ---- */

static enum sepx_err
replay_log(struct sepx_study *study, struct sepx__ledger *ledger,
           double *elapsed, struct sepx_msg *msg)
{
    struct sepx_cursor *cursor;
    struct sepx_entry entry;
    bool more = true;
    enum sepx_err err =
        sepx_store_read(study->store, &cursor, SEPX_STORE_LOG, 0, msg);

    while (!err) {
        err = sepx_cursor_next(cursor, &entry, &more, msg);
        if (err || !more)
            break;
        err = sepx__ledger_replay(ledger, &entry, msg);
        if (err == SEPX_EDATA) {
            sepx_msg_prefix(msg, "event %lld", (long long)cursor->key);
            sepx_msg_file(msg, sepx_store_path(study->store));
        }
        if (!err && entry.is_told && entry.told.elapsed > *elapsed)
            *elapsed = entry.told.elapsed;
    }
    if (!err) {
        study->event = cursor->key > 0 ? cursor->key : 0;
        study->sum = cursor->sum;
    }
    sepx_cursor_free(cursor);
    return err;
}

enum sepx_err
sepx__study_ledger(struct sepx_study *study, struct sepx__ledger *ledger,
                   struct sepx_msg *msg)
{
    const struct sepx_study_settings *set = &study->settings;
    enum sepx_err err = sepx__study_load(study, msg);

    *ledger = (struct sepx__ledger){0};
    if (!err)
        err = sepx__ledger_init(ledger, study->method, set->seed, set->window,
                                set->async, set->repeats);
    ledger->goals = &study->goals;
    ledger->prune = set->prune;
    return err;
}

enum sepx_err
sepx__study_replay(struct sepx_study *study, struct sepx__ledger *ledger,
                   double *elapsed, struct sepx_msg *msg)
{
    enum sepx_err err = sepx__study_ledger(study, ledger, msg);

    *elapsed = sepx_store_elapsed(study->store);
    return err ? err : replay_log(study, ledger, elapsed, msg);
}

static enum sepx_err
retry_all(struct sepx_study *study, const struct sepx__ledger *ledger,
          uint32_t *count, struct sepx_msg *msg)
{
    enum sepx_err err = sepx__study_lock(study, msg);

    for (uint32_t i = 0; i < ledger->asked && !err; i++) {
        if (!sepx__ledger_failed(ledger, i))
            continue;
        err = sepx_store_retry(study->store, i, msg);
        (*count)++;
    }
    return err ? err : sepx_store_commit(study->store, msg);
}

enum sepx_err
sepx_study_retry(struct sepx_study *study, uint32_t *count,
                 struct sepx_msg *msg)
{
    struct sepx__ledger ledger = {0};
    double elapsed;
    enum sepx_err err = sepx__study_replay(study, &ledger, &elapsed, msg);

    *count = 0;
    if (!err)
        err = retry_all(study, &ledger, count, msg);
    sepx__ledger_release(&ledger);
    return err;
}
