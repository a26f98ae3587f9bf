/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of a study as a file for 'sepx study run --config'. */
#include "study/study_command.h"

static void
put_text(struct sepx_json_writer *w, const char *key, const char *text)
{
    if (!text)
        return;
    sepx_json_add_string(w, key, text);
}

static void
put_flag(struct sepx_json_writer *w, const char *key, bool value)
{
    if (!value)
        return;
    sepx_json_add_bool(w, key, true);
}

static void
put_number(struct sepx_json_writer *w, const char *key, double value)
{
    if (!(value > 0))
        return;
    sepx_json_add_number(w, key, value);
}

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

enum sepx_err
study_config_write(struct out *out, const struct study *s)
{
    const struct sepx_study_settings *set = sepx_study_settings(s->study);
    struct sepx_json_writer w;

    sepx_json_begin(&w, &out->text);
    sepx_json_open(&w, '{');
    put_text(&w, "space", set->space);
    put_text(&w, "eval", set->eval);
    put_text(&w, "method", set->method);
    put_text(&w, "rules", set->rules);
    put_list(&w, "rule", set->rule);
    put_list(&w, "objective", set->objective);
    put_list(&w, "where", set->where);
    sepx_json_add_count(&w, "seed", set->seed);
    sepx_json_add_count(&w, "window", set->window);
    put_flag(&w, "async", set->async);
    put_flag(&w, "repeats", set->repeats);
    put_flag(&w, "maximize", set->program.maximize);
    put_number(&w, "time-limit", set->program.time_limit);
    put_number(&w, "memory-limit", (double)set->program.memory_limit / 1e6);
    sepx_json_add_count(&w, "retries", set->program.retries);
    sepx_json_add_count(&w, "mean-of", set->program.repeats);
    put_text(&w, "checkpoints", set->program.checkpoints);
    put_text(&w, "prune", set->prune);
    sepx_json_close(&w, '}');
    out_print(out, "\n");
    return sepx_json_done(&w);
}
