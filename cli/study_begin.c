/* SPDX-License-Identifier: Apache-2.0 */
/* sepx search --study: a study from the words of the command line. */
#include "study_begin.h"

#include <limits.h>
#include <math.h>
#include <unistd.h>

int
study_words_check(const struct study_words *words)
{
    const struct study_going *going = &words->going;
    const struct {
        const char *name;
        bool given;
    } rows[] = {
        {"--async", words->async},
        {"--repeats", words->repeats},
        {"--maximize", words->maximize},
        {"--time-limit", words->time_limit > 0},
        {"--memory-limit", words->memory_limit > 0},
        {"--retries", words->retries != 2},
        {"--mean-of", words->mean_of != 1},
        {"--checkpoints", words->checkpoints != NULL},
        {"--workers", going->workers >= 0},
        {"--slots", going->slots.count > 0},
        {"--time", !isnan(going->time)},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].given)
            return cli_usage("search",
                             "%s is about studies; add --study FILE, the file "
                             "to keep it in",
                             rows[i].name);
    }
    return CLI_DONE;
}

/* What makes no sense in one run that is kept. */
static int
check_words(const struct experiment_settings *common,
            const struct study_words *words)
{
    const char *wrong = NULL;

    if (common->runs != 50 && common->runs != 1)
        wrong = "--runs";
    if (common->at.count)
        wrong = "--at";
    if (common->threads)
        wrong = "--threads";
    if (wrong)
        return cli_usage("search",
                         "%s has no place in a study, which is one run; "
                         "--workers says how many evaluations are made at once",
                         wrong);
    if (words->going.workers > words->window)
        return cli_usage("search",
                         "%lld workers need a window of at least %lld; add "
                         "--window %lld",
                         (long long)words->going.workers,
                         (long long)words->going.workers,
                         (long long)words->going.workers);
    return CLI_DONE;
}

static void
set_program(struct sepx_eval_settings *program, const struct study_words *words)
{
    program->maximize = words->maximize;
    program->repeats = (uint32_t)words->mean_of;
    program->retries = (uint32_t)words->retries;
    program->time_limit = words->time_limit;
    program->memory_limit = (uint64_t)(words->memory_limit * 1e6);
    program->checkpoints = words->checkpoints;
}

static int
create(const struct experiment *x, const struct study_words *words,
       const struct study_going *going, const char *method)
{
    char folder[PATH_MAX];
    struct sepx_text options = {0};
    struct sepx_study_settings settings;
    struct sepx_msg msg = {0};
    enum sepx_err err;

    sepx_study_settings_init(&settings);
    settings.space = x->settings->space;
    settings.method = method;
    settings.eval = x->settings->eval ? x->settings->eval : x->eval_text;
    settings.rules = x->settings->rules;
    settings.rule = x->rule;
    settings.folder = getcwd(folder, sizeof folder);
    settings.made_by = "sepx " SEPX_VERSION;
    settings.seed = (uint64_t)x->settings->seed;
    settings.window = (uint32_t)words->window;
    settings.async = words->async;
    settings.repeats = words->repeats;
    set_program(&settings.program, words);
    err = study_options_write(&options, going, settings.window);
    if (!err)
        err = sepx_study_create(words->path, &settings, options.at, &msg);
    sepx_text_release(&options);
    return err ? experiment_fail("search", err, &msg) : CLI_DONE;
}

int
study_begin(const struct experiment_settings *common,
            const struct study_words *words, const char *method)
{
    struct study_going going = words->going;
    struct experiment x = {0};
    struct study s = {0};
    int status = check_words(common, words);

    going.evals = common->evals;
    going.json = common->json;
    if (!status)
        status = experiment_open_space(&x, "search", common);
    if (!status)
        status = experiment_eval_text(&x);
    if (!status)
        status = create(&x, words, &going, method);
    experiment_close(&x);
    if (!status)
        status = study_open(&s, "search", words->path, true);
    if (!status)
        status = study_go(&s, &going);
    study_close(&s);
    return status;
}
