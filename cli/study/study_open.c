/* SPDX-License-Identifier: Apache-2.0 */
/* Opening a study, or resuming it. */
#include "study/study_command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "search/experiment.h"

int
study_open(struct study *s, const char *command, const char *path, bool write)
{
    struct sepx_msg msg = {0};
    enum sepx_err err;

    *s = (struct study){.command = command, .path = path};
    err = sepx_study_open(&s->study, path, write, &msg);
    if (err)
        return cli_fail(command, err, &msg);
    study_opened(s);
    return CLI_DONE;
}

void
study_opened(struct study *s)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_./,:+@%-";

    if (!s->path[strspn(s->path, plain)])
        s->quote = "";
    else /* within "...", a shell expands $ and `, and takes out a backslash */
        s->quote = strpbrk(s->path, "$`\"\\") ? "'" : "\"";
    s->store = sepx_study_store(s->study);
    s->goals = sepx_study_goals(s->study);
    s->maximize = sepx_study_maximized(s->study);
}

void
study_close(struct study *s)
{
    sepx_study_close(s->study);
    *s = (struct study){0};
}

/* Two digits behind a '%' are a byte. */
static void
unescape(char *room, size_t size, const char *from, size_t len)
{
    size_t to = 0;
    unsigned byte;

    for (size_t i = 0; i < len && to + 1 < size; i++) {
        room[to] = from[i];
        if (from[i] == '%' && len - i > 2 &&
            sscanf(from + i + 1, "%2x", &byte) == 1) {
            room[to] = (char)byte;
            i += 2;
        }
        to++;
    }
    room[to] = '\0';
}

void
study_name(const struct study *s, char *room, size_t size)
{
    const char *at = s->path, *slash = strrchr(at, '/');

    if (!study_is_url(at)) {
        (void)snprintf(room, size, "%s", slash ? slash + 1 : at);
        return;
    }
    at = strchr(at, '?');
    while (at && strncmp(at + 1, "study=", 6) != 0)
        at = strchr(at + 1, '&');
    at = at ? at + 7 : "";
    unescape(room, size, at, strcspn(at, "&"));
}

double
study_value(const struct study *s, double value)
{
    return sepx_study_value(s->study, value);
}

const char *
study_direction(bool maximize)
{
    return maximize ? "larger is better" : "smaller is better";
}

/* ---- options of a session ---- */

const char *const study_counts[] = {"trials", "evaluations", NULL};

enum { FAILURES_MOST = 10 };

/* What was said now, or else the last time, or else the default. */
struct options {
    uint32_t evals, patience, max_failures;
    bool evaluations; /* are what `evals` counts */
    unsigned workers;
    double seconds, until;
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

static uint32_t
take_count(int64_t given, const struct sepx_json *before, const char *key,
           int64_t otherwise)
{
    if (given < 0)
        given = sepx_json_integer(sepx_json_get(before, key), otherwise);
    return (uint32_t)(given < 0 ? otherwise : given);
}

static double
take_number(double given, const struct sepx_json *before, const char *key,
            double otherwise)
{
    return isnan(given)
               ? sepx_json_number(sepx_json_get(before, key), otherwise)
               : given;
}

/* When it ends. */
static void
take_limits(struct options *options, const struct study_going *going,
            const struct sepx_json *before)
{
    const char *count = going->count;

    if (!count)
        count = sepx_json_string(sepx_json_get(before, "count"));
    options->evaluations = count && !strcmp(count, study_counts[1]);
    options->evals = take_count(going->evals, before, "evals", 1);
    options->patience = take_count(going->patience, before, "patience", 0);
    options->max_failures =
        take_count(going->max_failures, before, "max_failures", FAILURES_MOST);
    options->seconds = take_number(going->time, before, "seconds", 0);
    options->until = take_number(going->until, before, "until", NAN);
}

static enum sepx_err
take_options(struct options *options, const struct study_going *going,
             const struct sepx_json *before, uint32_t window)
{
    int64_t workers = sepx_json_integer(sepx_json_get(before, "workers"), 0);

    take_limits(options, going, before);
    if (going->work) { /* slots and workers are those of a machine */
        before = NULL;
        workers = 1;
    }
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
    sepx_json_add_integer(&w, "evals", options->evals);
    sepx_json_add_string(&w, "count", study_counts[options->evaluations]);
    sepx_json_add_number(&w, "until", options->until);
    sepx_json_add_integer(&w, "patience", options->patience);
    sepx_json_add_integer(&w, "max_failures", options->max_failures);
    sepx_json_add_number(&w, "seconds", options->seconds);
    sepx_json_add_integer(&w, "workers", options->workers);
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

/* `until` is room for the plan's value. */
static void
set_limits(struct sepx_study_plan *plan, double *until, const struct study *s,
           const struct options *options)
{
    *until = study_value(s, options->until);
    plan->until = isnan(*until) ? NULL : until;
    plan->evals = options->evals;
    plan->count_evaluations = options->evaluations;
    plan->patience = options->patience;
    plan->max_failures = options->max_failures;
    plan->seconds = options->seconds;
}

/* The last failures with their messages; unfit graphs if nothing failed. */
static void
print_last_failure(struct out *out, const struct sepx_study_summary *sum)
{
    for (uint32_t i = 0; i < sum->n_failures && i < SEPX_STUDY_FAILURES_MAX;
         i++) {
        const struct sepx_study_failure *last = study_last_failure(sum, i);

        if (sum->n_failed && last->outcome == SEPX_UNFIT)
            continue;
        out_print(out, "; the last, trial %u: %s%s%s", last->trial,
                  sepx_outcome_name(last->outcome), *last->line ? ": " : "",
                  last->line);
        return;
    }
}

/* The command has a line of its own, to be pasted. */
static void
print_remedy(struct out *out, const struct study *s,
             const struct sepx_study_summary *sum, enum sepx_study_end end)
{
    bool counted = end == SEPX_STUDY_FAILING;
    bool blank = !sum->outcome[SEPX_SCORED] && sepx_store_renewable(s->store);

    if (!sum->n_failed)
        return;
    out_print(out,
              "\n  mend the evaluator, then evaluate the failed trials again:\n"
              "  sepx study run %s%s%s --retry-failed",
              s->quote, s->path, s->quote);
    if (blank || counted)
        out_print(out, "\n  (%s%s%s)", blank ? "--eval NEW begins anew" : "",
                  blank && counted ? "; " : "",
                  counted ? "--max-failures 0 never ends so" : "");
}

static void
print_end(struct out *out, const struct study *s,
          const struct sepx_study_plan *plan, enum sepx_study_end end)
{
    switch (end) {
    case SEPX_STUDY_REACHED:
        out_print(
            out,
            "the value of --until is reached; 'sepx study run %s%s%s --until "
            "VALUE' continues to a better one",
            s->quote, s->path, s->quote);
        break;
    case SEPX_STUDY_STALLED:
        out_print(
            out,
            "no new best in %u evaluations; 'sepx study run %s%s%s --patience "
            "N' continues, 0 being no limit",
            plan->patience, s->quote, s->path, s->quote);
        break;
    case SEPX_STUDY_EXHAUSTED:
        out_print(out, "1000 proposals in a row were isomorphic to earlier "
                       "ones; the space may have no other graphs");
        break;
    case SEPX_STUDY_TIME:
        out_print(
            out,
            "time is up; 'sepx study run %s%s%s --time SECONDS' continues, 0 "
            "being no limit",
            s->quote, s->path, s->quote);
        break;
    case SEPX_STUDY_FAILING:
        out_print(out, "%u evaluations in a row failed", plan->max_failures);
        break;
    case SEPX_STUDY_UNSTARTED:
        out_print(out, "the evaluator's program cannot be started");
        break;
    default:
        break;
    }
}

/* Without any score, failures are those of one row: unfit graphs break none. */
static void
print_unscored(struct out *out, const struct sepx_study_summary *sum)
{
    if (out->text.len)
        out_print(out, "; ");
    if (sum->n_failed)
        out_print(out, "%u %s failed", sum->n_failed,
                  sum->n_failed == 1 ? "evaluation" : "evaluations in a row");
    else
        out_print(out, "no trial has a score");
}

static void
say_stopped(const struct study *s, const struct sepx_study_summary *sum)
{
    struct out out = {0};

    out_print(&out, "stopped; resume it with 'sepx %s %s%s%s'", s->command,
              s->quote, s->path, s->quote);
    if (sum->n_failed && !sum->outcome[SEPX_SCORED]) {
        print_unscored(&out, sum);
        print_last_failure(&out, sum);
        print_remedy(&out, s, sum, SEPX_STUDY_OPEN);
    }
    if (!out.err)
        cli_say(s->command, "%s", out.text.at);
    out_release(&out);
}

/* Why it ended, unless all is well. Returns an exit code. */
static int
say_end(const struct study *s, const struct sepx_study_plan *plan,
        const struct sepx_study_summary *sum, enum sepx_study_end end)
{
    bool failing = end == SEPX_STUDY_FAILING || end == SEPX_STUDY_UNSTARTED;
    bool unscored = !sum->outcome[SEPX_SCORED] || failing;
    struct out out = {0};

    print_end(&out, s, plan, end);
    if (!unscored && isnan(sum->best))
        out_print(&out, "%sno trial meets all constraints",
                  out.text.len ? "; " : "");
    if (unscored && !failing)
        print_unscored(&out, sum);
    if (unscored) {
        print_last_failure(&out, sum);
        print_remedy(&out, s, sum, end);
    }
    if (!out.err && out.text.len)
        cli_say(s->command, "%s", out.text.at);
    out_release(&out);
    return unscored ? CLI_UNSCORED : CLI_DONE;
}

/* Another session on a server changed when the study ends. */
static void
renew_limits(void *context, const char *text, struct sepx_study_plan *plan)
{
    static double until; /* of the one study that this process runs */
    const struct study_going nothing = {.evals = -1,
                                        .patience = -1,
                                        .max_failures = -1,
                                        .time = NAN,
                                        .until = NAN};
    struct options options = {0};
    struct sepx_json *json;

    if (sepx_json_parse(&json, text, strlen(text), NULL))
        return;
    take_limits(&options, &nothing, json);
    set_limits(plan, &until, live_study(context), &options);
    sepx_json_free(json);
}

/* Run, print how the study stands, and say why it ended. */
static int
run_study(struct study *s, const struct options *options,
          const struct study_going *going)
{
    struct live *live = live_new(s, going->quiet);
    enum sepx_study_end end = SEPX_STUDY_OPEN;
    double until;
    struct sepx_study_plan plan = {
        .workers = options->workers,
        .slot = options->slot,
        .kill_at_limit = going->kill_at_limit,
        .stop = interrupt_stop,
        .watch = live_watch,
        .told = live_told,
        .context = live,
        .end = &end,
        .lease = isnan(going->lease) ? 0 : going->lease,
        .idle_exit = isnan(going->idle_exit) ? 0 : going->idle_exit,
        .most = going->one,
        .host = going->name,
        .heard = live_heard,
        .renew = renew_limits,
    };
    struct sepx_text text = {0};
    struct sepx_msg msg = {0};
    enum sepx_err err = live ? options_write(&text, options) : SEPX_ENOMEM;
    int status, told = CLI_DONE;
    bool aside;

    set_limits(&plan, &until, s, options);
    if (!err && !s->begun && !going->work)
        err = sepx_store_session(s->store, text.at, &msg);
    interrupt_catch();
    if (!err && !going->idle)
        err = sepx_study_run(s->study, &plan, &msg);
    aside = err == SEPX_EUNSUPPORTED && going->work;
    /* On a terminal, the reason and its remedy come last. */
    if (!err || err == SEPX_ESTOPPED || aside)
        told = study_print_status(s, going->json);
    if (err == SEPX_ESTOPPED) {
        say_stopped(s, live_summary(live));
        status = CLI_STOPPED;
    } else if (!err && (going->idle || (going->work && !end))) {
        status = CLI_DONE;
    } else {
        status = err ? experiment_fail(s->command, err, &msg)
                     : say_end(s, &plan, live_summary(live), end);
    }
    if (aside)
        status = CLI_UNSCORED;
    live_free(live);
    sepx_text_release(&text);
    return status ? status : told;
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
    if (!err && sepx_json_type(*json) != SEPX_JSON_OBJECT) {
        sepx_json_free(*json);
        *json = NULL;
        err = SEPX_EDATA;
    }
    if (err == SEPX_EDATA)
        err = sepx_fail(msg, err,
                        "%s: the options of its last session are no JSON "
                        "object; restore a copy, or keep the rest with 'sepx "
                        "study copy --repair'",
                        s->path);
    return err;
}

enum sepx_err
study_last_plan(const struct study *s, struct sepx_study_plan *plan,
                double *until, struct sepx_msg *msg)
{
    const struct study_going nothing = {.evals = -1,
                                        .patience = -1,
                                        .max_failures = -1,
                                        .time = NAN,
                                        .until = NAN};
    struct options options = {0};
    struct sepx_json *before;
    enum sepx_err err = last_options(s, &before, msg);

    *plan = (struct sepx_study_plan){0};
    if (err)
        return err;
    take_limits(&options, &nothing, before);
    set_limits(plan, until, s, &options);
    sepx_json_free(before);
    return SEPX_OK;
}

int
study_go(struct study *s, const struct study_going *going)
{
    struct options options = {0};
    struct sepx_json *before;
    struct sepx_msg msg = {0};
    enum sepx_err err = last_options(s, &before, &msg);
    int status;

    if (!err)
        err = take_options(&options, going, before,
                           sepx_study_settings(s->study)->window);
    status = err ? cli_fail(s->command, err, &msg) : check_options(s, &options);
    if (!status)
        status = run_study(s, &options, going);
    free(options.slot);
    sepx_json_free(before);
    return status;
}
