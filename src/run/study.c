/* SPDX-License-Identifier: Apache-2.0 */
/* A study's settings, as JSON in its file, and what is opened from them. */
#include "run/study.h"

#include <stdio.h>
#include <string.h>

enum { HASH_SIZE = 33 };

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
    sepx_json_key(w, key);
    sepx_json_put_string(w, text);
}

static void
put_number(struct sepx_json_writer *w, const char *key, double value)
{
    sepx_json_key(w, key);
    sepx_json_put_number(w, value);
}

static void
put_integer(struct sepx_json_writer *w, const char *key, uint64_t value)
{
    sepx_json_key(w, key);
    sepx_json_put_integer(w, (int64_t)value);
}

static void
put_bool(struct sepx_json_writer *w, const char *key, bool value)
{
    sepx_json_key(w, key);
    sepx_json_put_bool(w, value);
}

static void
put_program(struct sepx_json_writer *w, const struct sepx_eval_settings *set)
{
    sepx_json_key(w, "program");
    sepx_json_open(w, '{');
    put_bool(w, "maximize", set->maximize);
    put_integer(w, "repeats", set->repeats);
    put_integer(w, "retries", set->retries);
    put_number(w, "retry_delay", set->retry_delay);
    put_number(w, "time_limit", set->time_limit);
    put_number(w, "grace", set->grace);
    put_integer(w, "memory_limit", set->memory_limit);
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

/* `space` is the text of the space's file, or empty. */
static enum sepx_err
settings_write(struct sepx_text *text, const struct sepx_study_settings *set,
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
    put_rules(&w, set->rule);
    put_text(&w, "eval", set->eval);
    put_program(&w, &set->program);
    put_text(&w, "folder", set->folder);
    put_integer(&w, "seed", set->seed);
    put_integer(&w, "window", set->window);
    put_bool(&w, "async", set->async);
    put_bool(&w, "repeats", set->repeats);
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
    int64_t value = sepx_json_integer(sepx_json_get(json, key), -1);

    return value >= 0 && (uint64_t)value <= most ? (uint64_t)value : otherwise;
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

static enum sepx_err
rules_read(struct sepx_study *study, const struct sepx_json *rows)
{
    size_t count = sepx_json_size(rows);

    study->rule = sepx__calloc(count + 1, sizeof *study->rule);
    if (!study->rule)
        return SEPX_ENOMEM;
    for (size_t i = 0; i < count; i++) {
        study->rule[i] = sepx_json_string(sepx_json_at(rows, i));
        if (!study->rule[i])
            return SEPX_EDATA;
    }
    study->settings.rule = study->rule;
    return SEPX_OK;
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
    set->seed = count_of(json, "seed", UINT64_MAX, 0);
    set->window = (uint32_t)count_of(json, "window", SEPX_WINDOW_MAX, 0);
    set->async = sepx_json_bool(sepx_json_get(json, "async"), false);
    set->repeats = sepx_json_bool(sepx_json_get(json, "repeats"), false);
    program_read(&set->program, sepx_json_get(json, "program"));
    err = rules_read(study, sepx_json_get(json, "rule"));
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
    return err;
}

/* Words that were right when the study began are data now. */
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
    sepx_method_free(study->method);
    sepx_space_close(study->space);
}

enum sepx_err
sepx__study_eval(const struct sepx_study *study, struct sepx_eval **eval,
                 struct sepx_msg *msg)
{
    const struct sepx_study_settings *set = &study->settings;

    *eval = NULL;
    if (!set->eval)
        return sepx_fail(msg, SEPX_EINVAL,
                         "the evaluator of this study is a function of the "
                         "program that began it; go on with that program");
    return sepx_eval_open_with(eval, study->space, set->eval, &set->program,
                               msg);
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

enum sepx_err
sepx_study_create(const char *path, const struct sepx_study_settings *settings,
                  const char *options, struct sepx_msg *msg)
{
    struct sepx_study trial = {.settings = *settings};
    struct sepx_eval *eval = NULL;
    struct sepx_text text = {0}, space = {0};
    enum sepx_err err;

    if (settings->window < 1 || settings->window > SEPX_WINDOW_MAX)
        return sepx_fail(msg, SEPX_EINVAL, "a window of %u is not from 1 to %d",
                         settings->window, SEPX_WINDOW_MAX);
    err = load(&trial, msg);
    if (!err && settings->eval)
        err = sepx__study_eval(&trial, &eval, msg);
    if (!err)
        err = write_space(&space, &trial);
    if (!err)
        err = settings_write(&text, settings, &space);
    if (!err)
        err = sepx_store_create(path, text.at, options, msg);
    sepx_text_release(&space);
    sepx_text_release(&text);
    sepx_eval_close(eval);
    unload(&trial);
    return err;
}

enum sepx_err
sepx_study_open(struct sepx_study **study, const char *path, bool write,
                struct sepx_msg *msg)
{
    struct sepx_study *made = sepx__calloc(1, sizeof *made);
    enum sepx_err err = SEPX_ENOMEM;

    *study = NULL;
    if (made)
        err = sepx_store_open(&made->store, path, write, msg);
    if (!err)
        err = settings_read(made, msg);
    if (err)
        sepx_study_close(made);
    else
        *study = made;
    return err;
}

void
sepx_study_close(struct sepx_study *study)
{
    if (!study)
        return;
    unload(study);
    sepx__free(study->rule);
    sepx_json_free(study->json);
    sepx_store_close(study->store);
    sepx__free(study);
}

const struct sepx_study_settings *
sepx_study_settings(const struct sepx_study *study)
{
    return &study->settings;
}

struct sepx_store *
sepx_study_store(const struct sepx_study *study)
{
    return study->store;
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
        if (err == SEPX_EDATA)
            sepx_msg_prefix(msg, "%s", sepx_store_path(study->store));
        if (!err && entry.is_told && entry.told.elapsed > *elapsed)
            *elapsed = entry.told.elapsed;
    }
    sepx_cursor_free(cursor);
    return err;
}

enum sepx_err
sepx__study_replay(struct sepx_study *study, struct sepx__ledger *ledger,
                   double *elapsed, struct sepx_msg *msg)
{
    const struct sepx_study_settings *set = &study->settings;
    enum sepx_err err = sepx__study_load(study, msg);

    *ledger = (struct sepx__ledger){0};
    *elapsed = 0;
    if (!err)
        err = sepx__ledger_init(ledger, study->method, set->seed, set->window,
                                set->async, set->repeats);
    if (!err)
        err = replay_log(study, ledger, elapsed, msg);
    return err;
}

enum sepx_err
sepx_study_verify(struct sepx_study *study, uint32_t *asked, uint32_t *told,
                  struct sepx_msg *msg)
{
    struct sepx__ledger ledger = {0};
    double elapsed;
    enum sepx_err err = sepx_store_check(study->store, msg);

    if (!err)
        err = sepx__study_replay(study, &ledger, &elapsed, msg);
    *asked = ledger.asked;
    *told = ledger.told;
    sepx__ledger_release(&ledger);
    return err;
}
