/* SPDX-License-Identifier: Apache-2.0 */
/* From words of the command line to a space, an evaluator and runs. */
#include "search/experiment.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame/display.h"

int
experiment_fail(const char *command, enum sepx_err err,
                const struct sepx_msg *msg)
{
    bool word =
        err == SEPX_EINVAL || err == SEPX_ENOTFOUND || err == SEPX_EUNSUPPORTED;

    if (word && msg->text[0])
        return cli_usage(command, "%s", msg->text);
    return cli_fail(command, err, msg);
}

/* ---- opening ---- */

/* Long loops ask this often, so it also shows that they go on. */
static bool
stop_asked(void *context)
{
    struct experiment *x = context;

    if (x->title)
        progress_show(x->title, x->done, x->total);
    return interrupt_seen();
}

int
experiment_begin(struct experiment *x, const char *command,
                 const struct experiment_settings *settings)
{
    *x = (struct experiment){.command = command, .settings = settings};
    x->rule = calloc(settings->rule.count + 1, sizeof *x->rule);
    if (!x->rule)
        return cli_fail(command, SEPX_ENOMEM, NULL);
    for (size_t i = 0; i < settings->rule.count; i++)
        x->rule[i] = settings->rule.at[i];
    return CLI_DONE;
}

int
experiment_open_space(struct experiment *x, const char *command,
                      const struct experiment_settings *settings)
{
    struct sepx_msg msg = {0};
    int status = experiment_begin(x, command, settings);
    enum sepx_err err;

    if (status)
        return status;
    err = sepx_space_open(&x->space, settings->space, &msg);
    if (err)
        return experiment_fail(command, err, &msg);
    x->stop = (struct sepx_stop){stop_asked, x};
    sepx_space_set_stop(x->space, &x->stop);
    return CLI_DONE;
}

int
experiment_eval_text(struct experiment *x)
{
    const struct sepx_space_info *info = sepx_space_info(x->space);

    if (x->settings->eval)
        snprintf(x->eval_text, sizeof x->eval_text, "%s", x->settings->eval);
    else if (info->targets && info->targets[0])
        snprintf(x->eval_text, sizeof x->eval_text, "target:%s",
                 info->targets[0]);
    else
        return cli_usage(x->command,
                         "space %s has no target of its own; add --eval, such "
                         "as --eval target:FILE.json",
                         info->name);
    return CLI_DONE;
}

int
experiment_method_text(struct out *text, const char *method,
                       const char *crossover, const struct word_list *option)
{
    bool first = true;

    if (crossover && !strcmp(method, "sep"))
        method = "evolve";
    out_print(text, "%s", method);
    for (const char *c = method; *c; c++)
        first = first && *c != ':';
    if (crossover) {
        out_print(text, "%scrossover=%s", first ? ":" : ",", crossover);
        first = false;
    }
    for (size_t i = 0; i < option->count; i++) {
        out_print(text, "%s%s", first ? ":" : ",", option->at[i]);
        first = false;
    }
    return text->err ? cli_fail("search", text->err, NULL) : CLI_DONE;
}

/* A list as the library wants it, ended by NULL; NULL: no memory. */
static const char **
list_of(const struct word_list *words)
{
    const char **list = calloc(words->count + 1, sizeof *list);

    for (size_t i = 0; list && i < words->count; i++)
        list[i] = words->at[i];
    return list;
}

int
experiment_goals(struct experiment *x)
{
    const char **objective = list_of(&x->settings->objective);
    const char **where = list_of(&x->settings->where);
    struct sepx_msg msg = {0};
    enum sepx_err err = SEPX_ENOMEM;

    if (objective && where)
        err = sepx_goals_read(&x->goals, objective, where, &msg);
    x->objective = objective;
    x->where = where;
    return err ? experiment_fail(x->command, err, &msg) : CLI_DONE;
}

static int
open_eval(struct experiment *x)
{
    struct sepx_msg msg = {0};
    enum sepx_err err;
    int status = experiment_eval_text(x);

    if (!status)
        status = experiment_goals(x);
    if (status)
        return status;
    err = sepx_eval_open(&x->eval, x->space, x->eval_text, &msg);
    if (!err && x->goals.names)
        err = sepx_eval_want(x->eval, (const char *const *)x->goals.name, &msg);
    if (!err && sepx_eval_maximized(x->eval))
        sepx_goals_maximize(&x->goals);
    return err ? experiment_fail(x->command, err, &msg) : CLI_DONE;
}

const char *const experiment_axes[] = {"evals", "time", NULL};

static const uint32_t usual_marks[] = {100,  200,   300,   500,   1000,  2000,
                                       5000, 10000, 20000, 50000, 100000};

static int
read_mark(struct experiment *x, const char *word)
{
    uint32_t evals = (uint32_t)x->settings->evals;
    char *end;
    double value = strtod(word, &end);

    if (x->axis == SEPX_AXIS_SPENT && (*end || !(value > 0 && value < 1e15)))
        return cli_usage(x->command, "--at: '%s' is not a number above 0",
                         word);
    if (x->axis == SEPX_AXIS_EVALS &&
        (*end || !(value >= 1 && value <= evals) || value != floor(value)))
        return cli_usage(x->command,
                         "--at: '%s' is not a whole number from 1 to %u", word,
                         evals);
    x->mark[x->n_marks++] = value;
    return CLI_DONE;
}

static int
read_marks(struct experiment *x)
{
    const struct word_list *words = &x->settings->at;
    uint32_t evals = (uint32_t)x->settings->evals;
    size_t usual = sizeof usual_marks / sizeof usual_marks[0];
    int status = CLI_DONE;

    if (!strcmp(x->settings->x, experiment_axes[SEPX_AXIS_SPENT]))
        x->axis = SEPX_AXIS_SPENT;
    if (words->count > MARKS_MAX)
        return cli_usage(x->command, "--at: more than %d counts", MARKS_MAX);
    for (size_t i = 0; i < words->count && !status; i++)
        status = read_mark(x, words->at[i]);
    if (words->count || x->axis == SEPX_AXIS_SPENT)
        return status;
    for (size_t i = 0; i < usual; i++) {
        if (usual_marks[i] < evals)
            x->mark[x->n_marks++] = usual_marks[i];
    }
    x->mark[x->n_marks++] = evals;
    return CLI_DONE;
}

int
experiment_open(struct experiment *x, const char *command,
                const struct experiment_settings *settings)
{
    int status = experiment_open_space(x, command, settings);

    if (!status)
        status = open_eval(x);
    if (!status)
        status = read_marks(x);
    x->total = (uint64_t)settings->runs * (uint64_t)settings->evals;
    return status;
}

void
experiment_close(struct experiment *x)
{
#if SEPX_RESEARCH
    frequencies_free(x->frequencies);
#endif
    sepx_eval_close(x->eval);
    sepx_space_close(x->space);
    sepx_goals_release(&x->goals);
    free(x->objective);
    free(x->where);
    free(x->rule);
    *x = (struct experiment){0};
}

/* "name=value" */
static enum sepx_err
set_rule(struct sepx_rules *rules, const char *rule, struct sepx_msg *msg)
{
    const char *value = strchr(rule, '=');
    char name[64];

    if (!value || value - rule >= (int)sizeof name)
        return sepx_fail(msg, SEPX_EINVAL,
                         "rule '%.64s' has no value; write NAME=VALUE", rule);
    snprintf(name, sizeof name, "%.*s", (int)(value - rule), rule);
    return sepx_rules_set(rules, name, value + 1, msg);
}

int
experiment_rules(const struct experiment *x, struct sepx_rules *rules,
                 const char *operator_name)
{
    struct sepx_msg msg = {0};
    enum sepx_err err =
        sepx_rules_preset(rules, x->settings->rules,
                          sepx_space_info(x->space)->name, operator_name, &msg);

    for (size_t i = 0; x->rule[i] && !err; i++)
        err = set_rule(rules, x->rule[i], &msg);
    return err ? experiment_fail(x->command, err, &msg) : CLI_DONE;
}

enum sepx_err
experiment_check(const struct experiment *x, const struct sepx_graph *graph,
                 struct sepx_msg *msg)
{
    struct sepx_msg why = {0};
    bool valid;
    enum sepx_err err = sepx_space_check(x->space, &valid, graph, &why);

    if (err || valid)
        return err;
    return sepx_fail(msg, SEPX_EDATA, "not a graph of space %s: %s",
                     sepx_space_info(x->space)->name, why.text);
}

/* ---- running ---- */

int
experiment_method(const struct experiment *x, struct sepx_method **method,
                  const char *text)
{
    struct sepx_msg msg = {0};
    enum sepx_err err = sepx_method_new(method, x->space, text,
                                        x->settings->rules, x->rule, &msg);

    if (!err)
        err = sepx_method_check_goals(*method, &x->goals, &msg);
    return err ? experiment_fail(x->command, err, &msg) : CLI_DONE;
}

static bool
show(void *context, uint64_t done, uint64_t total)
{
    struct experiment *x = context;

    (void)total;
    x->done = x->before + done;
    return !stop_asked(x);
}

#if SEPX_RESEARCH
static void
crossed(void *context, uint32_t run, const struct sepx_graph *first,
        const struct sepx_graph *second, bool accepted)
{
    struct experiment *x = context;

    (void)accepted;
    frequencies_note(x->frequencies, run, first, second);
}
#endif

/* What had no score, and why the first had none. Returns an exit code. */
static int
say_unscored(const struct experiment *x, const struct sepx_method *method,
             const struct sepx_runs *runs)
{
    uint64_t unscored = 0, made = 0;
    const char *said = NULL;
    char line[256];

    for (size_t i = 0; i < runs->count; i++) {
        made += runs->at[i].evaluations;
        unscored += runs->at[i].unscored;
        if (!said)
            said = runs->at[i].failure;
    }
    if (!unscored || (!said && unscored < made))
        return CLI_DONE;
    sepx_eval_error_line(line, sizeof line, said ? said : "");
    cli_say(x->command, "%s: %llu of %llu evaluations had no score%s%s",
            sepx_method_text(method), (unsigned long long)unscored,
            (unsigned long long)made, *line ? "; the first said: " : "", line);
    return unscored < made ? CLI_DONE : CLI_UNSCORED;
}

int
experiment_run(struct experiment *x, struct sepx_runs *runs,
               const struct sepx_method *method)
{
    const struct experiment_settings *settings = x->settings;
    struct sepx_msg msg = {0};
    struct sepx_run_plan plan = {
        .method = method,
        .eval = x->eval,
        .goals = &x->goals,
        .seed = settings->seed,
        .runs = (uint32_t)settings->runs,
        .evals = (uint32_t)settings->evals,
        .threads = (unsigned)settings->threads,
        .progress = show,
#if SEPX_RESEARCH
        .crossed = x->frequencies ? crossed : NULL,
#endif
        .context = x,
        .msg = &msg,
    };
    enum sepx_err err;

    interrupt_catch();
    x->title = sepx_method_text(method);
    err = sepx_runs_make(runs, &plan);
    x->title = NULL;
    for (size_t i = 0; i < runs->count; i++) {
        const struct sepx_run *run = &runs->at[i];

        x->longest = fmax(x->longest, run->spent[run->evaluations - 1]);
    }
    display_end();
    x->before += (uint64_t)settings->runs * (uint64_t)settings->evals;
    if (err == SEPX_ESTOPPED)
        cli_say(x->command, "%s: stopped after %zu of %lld runs",
                sepx_method_text(method), runs->finished,
                (long long)settings->runs);
    else if (err)
        return cli_fail(x->command, err, &msg);
    if (say_unscored(x, method, runs)) {
        sepx_runs_release(runs);
        return CLI_UNSCORED;
    }
    return err ? CLI_STOPPED : CLI_DONE;
}

enum sepx_err
experiment_volumes(struct experiment *x, struct sepx_runs *const *runs,
                   size_t count)
{
    enum sepx_err err = SEPX_OK;

    if (!x->goals.objectives)
        return SEPX_OK;
    sepx_runs_box(&x->box, &x->goals, (const struct sepx_runs *const *)runs,
                  count);
    for (size_t i = 0; i < count && !err; i++)
        err = sepx_runs_measure(runs[i], &x->box);
    return err;
}
