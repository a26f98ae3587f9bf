/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A study as a journal of Optuna 3.1 (JournalFileStorage), a JSON object a
 * line: 0 creates the study, 4 a trial with its result. Parameters are the
 * variables of the space, if it has a vector encoding; the graph and all
 * else about a trial are user attributes.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "study/study_export.h"

enum { CREATE_STUDY = 0, CREATE_TRIAL = 4 };
enum { MINIMIZE = 1, MAXIMIZE = 2 };
enum { RUNNING = 0, COMPLETE = 1, PRUNED = 2, FAIL = 3 };

static void
put_integer(struct sepx_json_writer *w, const char *key, int64_t value)
{
    sepx_json_key(w, key);
    sepx_json_put_integer(w, value);
}

static void
put_string(struct sepx_json_writer *w, const char *key, const char *value)
{
    sepx_json_key(w, key);
    sepx_json_put_string(w, value);
}

static void
begin(struct sepx_json_writer *w, struct out *out, int code)
{
    sepx_json_begin(w, &out->text);
    sepx_json_open(w, '{');
    put_integer(w, "op_code", code);
    put_string(w, "worker_id", "sepx");
}

static enum sepx_err
end(struct sepx_json_writer *w, struct out *out)
{
    enum sepx_err err;

    sepx_json_close(w, '}');
    err = sepx_json_done(w);
    out_print(out, "\n");
    return err;
}

enum sepx_err
export_optuna_head(struct out *out, struct export *x, struct sepx_msg *msg)
{
    const struct sepx_goals *goals = x->s->goals;
    struct sepx_json_writer w;
    char name[256], *suffix;
    enum sepx_err err = sepx_study_space(x->s->study, &x->space, msg);

    if (err == SEPX_ENOMEM)
        return err;
    if (err || !sepx_space_variables(x->space))
        x->space = NULL; /* a graph, and no parameters */
    if (x->space) {
        x->graph.names = sepx_space_names(x->space);
        x->value = calloc(sepx_space_variables(x->space), sizeof *x->value);
        if (!x->value)
            return SEPX_ENOMEM;
    }
    study_name(x->s, name, sizeof name);
    suffix = study_is_url(x->s->path) ? NULL : strrchr(name, '.');
    if (suffix && suffix > name)
        *suffix = '\0';
    begin(&w, out, CREATE_STUDY);
    put_string(&w, "study_name", name);
    sepx_json_key(&w, "directions");
    sepx_json_open(&w, '[');
    for (uint32_t i = 0; i < goals->objectives; i++)
        sepx_json_put_integer(&w, goals->objective[i].maximize ? MAXIMIZE
                                                               : MINIMIZE);
    if (!goals->objectives)
        sepx_json_put_integer(&w, x->s->maximize ? MAXIMIZE : MINIMIZE);
    sepx_json_close(&w, ']');
    return end(&w, out);
}

/* ---- one trial ---- */

static int
state_of(const struct sepx_entry *entry)
{
    if (!entry->is_told)
        return RUNNING;
    if (!strcmp(entry->told.outcome, "scored"))
        return COMPLETE;
    return !strcmp(entry->told.outcome, "pruned") ? PRUNED : FAIL;
}

/* All or none: Optuna takes no trial without one of its values. */
static bool
take_values(const struct export *x, const struct sepx_told *told,
            double value[SEPX_GOALS_MAX], uint32_t *count)
{
    const struct sepx_goals *goals = x->s->goals;
    double number[SEPX_GOALS_MAX];
    struct sepx_merit merit;

    *count = goals->objectives ? goals->objectives : 1;
    value[0] = study_value(x->s, told->value);
    if (!goals->objectives)
        return !isnan(value[0]);
    if (sepx_study_numbers(goals, number, told->numbers))
        return false;
    sepx_goals_merit(goals, &merit, number);
    for (uint32_t i = 0; i < *count; i++)
        value[i] = sepx_goals_turn(goals, i, merit.objective[i]);
    return true;
}

static void
put_values(struct sepx_json_writer *w, const double *value, uint32_t count)
{
    sepx_json_key(w, "values");
    sepx_json_open(w, '[');
    for (uint32_t i = 0; i < count; i++)
        sepx_json_put_number(w, value[i]);
    sepx_json_close(w, ']');
}

/* Optuna has local times without a zone; these are of UTC. */
static void
put_time(struct sepx_json_writer *w, const char *key, double seconds)
{
    char text[64];
    time_t whole = (time_t)floor(seconds);
    struct tm parts;
    size_t len;

    if (!isfinite(seconds) || !gmtime_r(&whole, &parts))
        return;
    len = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
    (void)snprintf(text + len, sizeof text - len, ".%06d",
                   (int)(1e6 * (seconds - floor(seconds))));
    put_string(w, key, text);
}

static void
put_times(struct sepx_json_writer *w, const struct export *x,
          const struct sepx_entry *entry)
{
    const struct sepx_told *told = &entry->told;

    if (!x->times || !entry->is_told || !isfinite(told->finished)) {
        sepx_json_key(w, "datetime_start");
        sepx_json_put_null(w);
        return;
    }
    put_time(w, "datetime_start",
             told->finished - (isfinite(told->seconds) ? told->seconds : 0));
    put_time(w, "datetime_complete", told->finished);
}

static void
put_json(struct sepx_json_writer *w, const char *key, const char *text)
{
    struct sepx_json *root = NULL;

    sepx_json_key(w, key);
    if (sepx_json_parse(&root, text, strlen(text), NULL))
        sepx_json_put_string(w, text);
    else
        sepx_json_put_raw(w, text);
    sepx_json_free(root);
}

static void
put_attributes(struct sepx_json_writer *w, const struct export *x,
               const struct sepx_entry *entry)
{
    const struct sepx_asked *asked = &entry->asked;
    const struct sepx_told *told = &entry->told;

    sepx_json_key(w, "user_attrs");
    sepx_json_open(w, '{');
    put_string(w, "operator", asked->op);
    for (int i = 0; i < 2; i++)
        if (asked->parent[i] >= 0)
            put_integer(w, i ? "parent2" : "parent1", asked->parent[i]);
    sepx_json_key(w, "fidelity");
    sepx_json_put_number(w, asked->fidelity);
    if (entry->is_told) {
        put_string(w, "outcome", told->outcome);
        sepx_json_key(w, "test");
        sepx_json_put_number(w, study_value(x->s, told->test));
        sepx_json_key(w, "cost");
        sepx_json_put_number(w, told->cost);
        if (told->cached >= 0)
            put_integer(w, "cached", told->cached);
        if (told->answer)
            put_json(w, "answer", told->answer);
    }
    put_json(w, "graph", asked->graph);
    sepx_json_close(w, '}');
}

/* "[[1, 0.5], [2, 0.4]]" as {"1": 0.5, "2": 0.4}. */
static void
put_steps(struct sepx_json_writer *w, const struct study *s, const char *steps)
{
    struct sepx_json *root = NULL;

    sepx_json_key(w, "intermediate_values");
    sepx_json_open(w, '{');
    if (steps && !sepx_json_parse(&root, steps, strlen(steps), NULL))
        for (size_t i = 0; i < sepx_json_size(root); i++) {
            const struct sepx_json *pair = sepx_json_at(root, i);
            char key[32];

            (void)snprintf(
                key, sizeof key, "%lld",
                (long long)sepx_json_integer(sepx_json_at(pair, 0), 0));
            sepx_json_key(w, key);
            sepx_json_put_number(
                w,
                study_value(s, sepx_json_number(sepx_json_at(pair, 1), NAN)));
        }
    sepx_json_close(w, '}');
    sepx_json_free(root);
}

static void
put_choices(struct sepx_json_writer *w, uint32_t choices)
{
    struct out text = {0};

    out_print(&text, "{\"name\": \"CategoricalDistribution\", \"attributes\": "
                     "{\"choices\": [");
    for (uint32_t i = 0; i < choices; i++)
        out_print(&text, "%s%u", i ? ", " : "", (unsigned)i);
    out_print(&text, "]}}");
    sepx_json_put_string(w, text.text.at ? text.text.at : "");
    if (!w->err)
        w->err = text.err;
    out_release(&text);
}

/* Of a graph that the space can encode; others have no parameters. */
static enum sepx_err
put_parameters(struct sepx_json_writer *w, struct export *x, const char *graph)
{
    uint32_t count = x->space ? sepx_space_variables(x->space) : 0;
    char room[16];
    enum sepx_err err = SEPX_EUNSUPPORTED;

    if (count)
        err = sepx_graph_read(&x->graph, sepx_space_names(x->space), graph,
                              strlen(graph), SEPX_FORMAT_JSON, NULL);
    if (!err)
        err = sepx_space_encode(x->space, x->value, &x->graph);
    if (err == SEPX_ENOMEM)
        return err;
    if (err)
        count = 0;
    sepx_json_key(w, "distributions");
    sepx_json_open(w, '{');
    for (uint32_t i = 0; i < count; i++) {
        sepx_json_key(w, sepx_space_variable(x->space, i, room));
        put_choices(w, sepx_space_choices(x->space, i));
    }
    sepx_json_close(w, '}');
    sepx_json_key(w, "params");
    sepx_json_open(w, '{');
    for (uint32_t i = 0; i < count; i++)
        put_integer(w, sepx_space_variable(x->space, i, room), x->value[i]);
    sepx_json_close(w, '}');
    return SEPX_OK;
}

enum sepx_err
export_optuna(struct out *out, struct export *x, const struct sepx_entry *entry)
{
    double value[SEPX_GOALS_MAX];
    struct sepx_json_writer w;
    int state = state_of(entry);
    uint32_t count = 0;
    bool has = entry->is_told && take_values(x, &entry->told, value, &count);
    enum sepx_err err, last;

    if (state == COMPLETE && !has)
        state = FAIL;
    begin(&w, out, CREATE_TRIAL);
    put_integer(&w, "study_id", 0);
    put_times(&w, x, entry);
    put_integer(&w, "state", state);
    if (state == COMPLETE)
        put_values(&w, value, count);
    err = put_parameters(&w, x, entry->asked.graph);
    put_attributes(&w, x, entry);
    sepx_json_key(&w, "system_attrs");
    sepx_json_open(&w, '{');
    sepx_json_close(&w, '}');
    put_steps(&w, x->s, entry->is_told ? entry->told.steps : NULL);
    last = end(&w, out);
    return err ? err : last;
}
