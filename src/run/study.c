/* SPDX-License-Identifier: Apache-2.0 */
/* A study's settings, as JSON in its file, and what is opened from them. */
#include "run/study.h"

#include <math.h>
#include <string.h>

/* ---- settings as JSON ---- */

static void
put_text(struct sepx_json_writer *w, const char *key, const char *text)
{
    if (!text)
        return;
    sepx_json_key(w, key);
    sepx_json_put_string(w, text);
}

static enum sepx_err
settings_write(struct sepx_text *text, const struct sepx_study_settings *set)
{
    struct sepx_json_writer w;

    sepx_json_begin(&w, text);
    sepx_json_open(&w, '{');
    put_text(&w, "made_by", set->made_by);
    put_text(&w, "space", set->space);
    put_text(&w, "method", set->method);
    put_text(&w, "rules", set->rules);
    sepx_json_key(&w, "rule");
    sepx_json_open(&w, '[');
    for (size_t i = 0; set->rule && set->rule[i]; i++)
        sepx_json_put_string(&w, set->rule[i]);
    sepx_json_close(&w, ']');
    put_text(&w, "eval", set->eval);
    put_text(&w, "folder", set->folder);
    sepx_json_key(&w, "seed");
    sepx_json_put_integer(&w, (int64_t)set->seed);
    sepx_json_key(&w, "window");
    sepx_json_put_integer(&w, set->window);
    sepx_json_key(&w, "async");
    sepx_json_put_bool(&w, set->async);
    sepx_json_key(&w, "repeats");
    sepx_json_put_bool(&w, set->repeats);
    sepx_json_close(&w, '}');
    return sepx_json_done(&w);
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
    int64_t window;

    if (err) {
        sepx_msg_prefix(msg, "%s: settings", path);
        return err;
    }
    json = study->json;
    set->made_by = sepx_json_string(sepx_json_get(json, "made_by"));
    set->space = sepx_json_string(sepx_json_get(json, "space"));
    set->method = sepx_json_string(sepx_json_get(json, "method"));
    set->rules = sepx_json_string(sepx_json_get(json, "rules"));
    set->eval = sepx_json_string(sepx_json_get(json, "eval"));
    set->folder = sepx_json_string(sepx_json_get(json, "folder"));
    set->seed = (uint64_t)sepx_json_integer(sepx_json_get(json, "seed"), 0);
    window = sepx_json_integer(sepx_json_get(json, "window"), 0);
    set->window = (uint32_t)window;
    set->async = sepx_json_bool(sepx_json_get(json, "async"), false);
    set->repeats = sepx_json_bool(sepx_json_get(json, "repeats"), false);
    err = rules_read(study, sepx_json_get(json, "rule"));
    if (err == SEPX_ENOMEM)
        return err;
    if (err || !set->space || !set->method || !set->eval || window < 1 ||
        window > SEPX_WINDOW_MAX)
        return sepx_fail(msg, SEPX_EDATA,
                         "%s: its settings lack a space, method, evaluator or "
                         "window; the file is damaged, restore a copy",
                         path);
    return SEPX_OK;
}

/* ---- opening ---- */

static enum sepx_err
load(struct sepx_study *study, struct sepx_msg *msg)
{
    const struct sepx_study_settings *set = &study->settings;
    enum sepx_err err = SEPX_OK;

    if (!study->space)
        err = sepx_space_open(&study->space, set->space, msg);
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
sepx_study_create(const char *path, const struct sepx_study_settings *settings,
                  struct sepx_msg *msg)
{
    struct sepx_study trial = {.settings = *settings};
    struct sepx_eval *eval = NULL;
    struct sepx_text text = {0};
    enum sepx_err err;

    if (settings->window < 1 || settings->window > SEPX_WINDOW_MAX)
        return sepx_fail(msg, SEPX_EINVAL, "a window of %u is not from 1 to %d",
                         settings->window, SEPX_WINDOW_MAX);
    err = load(&trial, msg);
    if (!err)
        err = sepx_eval_open(&eval, trial.space, settings->eval, msg);
    if (!err)
        err = settings_write(&text, settings);
    if (!err)
        err = sepx_store_create(path, text.at, msg);
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
