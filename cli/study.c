/* SPDX-License-Identifier: Apache-2.0 */
/* Opening a study and going on with it. */
#include "study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "experiment.h"

int
study_open(struct study *s, const char *command, const char *path, bool write)
{
    struct sepx_msg msg = {0};
    enum sepx_err err;

    *s = (struct study){.command = command, .path = path};
    err = sepx_study_open(&s->study, path, write, &msg);
    if (err)
        return cli_fail(command, err, &msg);
    s->store = sepx_study_store(s->study);
    s->maximize = sepx_study_settings(s->study)->program.maximize;
    return CLI_DONE;
}

void
study_close(struct study *s)
{
    sepx_study_close(s->study);
    *s = (struct study){0};
}

double
study_value(const struct study *s, double value)
{
    return s->maximize ? 0 - value : value;
}

/* ---- options of a session ---- */

/* What was said now, or else the last time, or else the default. */
struct options {
    uint32_t evals;
    unsigned workers;
    double seconds;
    const char **slot; /* ended by NULL; NULL: none */
    size_t n_slots;
};

static enum sepx_err
take_slots(struct options *options, const struct study_going *going,
           const struct sepx_json *before)
{
    size_t given = going->slots.count;
    size_t count = given ? given : sepx_json_size(before);

    if (!count)
        return SEPX_OK;
    options->slot = calloc(count + 1, sizeof *options->slot);
    if (!options->slot)
        return SEPX_ENOMEM;
    for (size_t i = 0; i < count; i++)
        options->slot[i] = given ? going->slots.at[i]
                                 : sepx_json_string(sepx_json_at(before, i));
    options->n_slots = count;
    return SEPX_OK;
}

static unsigned
default_workers(const struct options *options, uint32_t window)
{
    size_t most = options->n_slots ? options->n_slots : sepx_processors();

    return (unsigned)(most < window ? most : window);
}

static enum sepx_err
take_options(struct options *options, const struct study_going *going,
             const struct sepx_json *before, uint32_t window)
{
    int64_t evals = sepx_json_integer(sepx_json_get(before, "evals"), 1);
    int64_t workers = sepx_json_integer(sepx_json_get(before, "workers"), 0);

    options->evals = (uint32_t)(going->evals > 0 ? going->evals : evals);
    options->seconds =
        isnan(going->time)
            ? sepx_json_number(sepx_json_get(before, "seconds"), 0)
            : going->time;
    if (take_slots(options, going, sepx_json_get(before, "slots")))
        return SEPX_ENOMEM;
    if (going->workers > 0)
        workers = going->workers;
    else if (going->slots.count || workers < 1 || workers > window)
        workers = default_workers(options, window);
    options->workers = (unsigned)workers;
    return SEPX_OK;
}

static enum sepx_err
options_write(struct sepx_text *text, const struct options *options)
{
    struct sepx_json_writer w;

    sepx_json_begin(&w, text);
    sepx_json_open(&w, '{');
    sepx_json_key(&w, "evals");
    sepx_json_put_integer(&w, options->evals);
    sepx_json_key(&w, "seconds");
    sepx_json_put_number(&w, options->seconds);
    sepx_json_key(&w, "workers");
    sepx_json_put_integer(&w, options->workers);
    sepx_json_key(&w, "slots");
    sepx_json_open(&w, '[');
    for (size_t i = 0; i < options->n_slots; i++)
        sepx_json_put_string(&w, options->slot[i]);
    sepx_json_close(&w, ']');
    sepx_json_close(&w, '}');
    return sepx_json_done(&w);
}

enum sepx_err
study_options_write(struct sepx_text *text, const struct study_going *going,
                    uint32_t window)
{
    struct options options = {0};
    enum sepx_err err = take_options(&options, going, NULL, window);

    if (!err)
        err = options_write(text, &options);
    free(options.slot);
    return err;
}

static int
check_options(const struct study *s, const struct options *options)
{
    uint32_t window = sepx_study_settings(s->study)->window;

    if (options->workers > window)
        return cli_usage(s->command,
                         "%u workers need a window of at least %u, this study "
                         "has %u; begin it with --window %u",
                         options->workers, options->workers, window,
                         options->workers);
    if (options->n_slots && options->workers > options->n_slots)
        return cli_usage(s->command,
                         "%u workers need %u slots, there are %zu; name a slot "
                         "twice to share it",
                         options->workers, options->workers, options->n_slots);
    return CLI_DONE;
}

/* ---- running ---- */

static int
end_run(const struct study *s, enum sepx_err err, const struct sepx_msg *msg)
{
    if (err == SEPX_ESTOPPED) {
        cli_say(s->command, "stopped; go on with 'sepx resume %s'", s->path);
        return CLI_STOPPED;
    }
    return err ? experiment_fail(s->command, err, msg) : CLI_DONE;
}

static int
run_study(struct study *s, const struct options *options, bool quiet)
{
    struct live *live = live_new(s, quiet);
    struct sepx_study_plan plan = {
        .evals = options->evals,
        .seconds = options->seconds,
        .workers = options->workers,
        .slot = options->slot,
        .watch = live_watch,
        .told = live_told,
        .context = live,
    };
    struct sepx_text text = {0};
    struct sepx_msg msg = {0};
    enum sepx_err err = live ? options_write(&text, options) : SEPX_ENOMEM;

    if (!err)
        err = sepx_store_session(s->store, text.at, &msg);
    interrupt_catch();
    if (!err)
        err = sepx_study_run(s->study, &plan, &msg);
    if (!err && live_count(live) < plan.evals)
        cli_say(s->command,
                "time is up; 'sepx resume %s --time SECONDS' goes on, 0 being "
                "no limit",
                s->path);
    live_free(live);
    sepx_text_release(&text);
    return end_run(s, err, &msg);
}

static enum sepx_err
last_options(const struct study *s, struct sepx_json **json,
             struct sepx_msg *msg)
{
    const char *text = sepx_store_options(s->store);
    enum sepx_err err;

    *json = NULL;
    if (!text)
        return SEPX_OK;
    err = sepx_json_parse(json, text, strlen(text), msg);
    if (err)
        sepx_msg_prefix(msg, "%s: options of the last session", s->path);
    return err;
}

int
study_go(struct study *s, const struct study_going *going)
{
    struct options options = {0};
    struct sepx_json *before;
    struct sepx_msg msg = {0};
    enum sepx_err err = last_options(s, &before, &msg);
    int status, told;

    if (!err)
        err = take_options(&options, going, before,
                           sepx_study_settings(s->study)->window);
    status = err ? cli_fail(s->command, err, &msg) : check_options(s, &options);
    if (!status) {
        status = run_study(s, &options, going->quiet);
        told = CLI_DONE;
        if (!status || status == CLI_STOPPED)
            told = study_print_status(s, going->json);
        status = status ? status : told;
    }
    free(options.slot);
    sepx_json_free(before);
    return status;
}
