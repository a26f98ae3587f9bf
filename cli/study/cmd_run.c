/* SPDX-License-Identifier: Apache-2.0 */
/* sepx study run: begin a study, or resume the one that is there. */
#include "study/study_command.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "search/experiment.h"

struct settings {
    struct experiment_settings common; /* first, for the rows of others */
    const char *method, *crossover, *config;
    struct word_list option;
    int64_t window;
    bool async, repeats;
    bool maximize;
    double time_limit, memory_limit;
    int64_t retries, mean_of;
    const char *checkpoints, *prune;
    bool retry_failed;
    const char *eval_hash;
    bool new_files;
    int64_t crew;
    struct study_going going;
};

#define AT(member) offsetof(struct settings, member)
#define GOING(member) offsetof(struct settings, going.member)

enum { EVALS_DEFAULT = 2000 };

static const char *const prune_rules[] = {"median", NULL};

/* clang-format off */
static const struct option options[] = {
    {"config", 0, OPTION_FILE, AT(config), "FILE", .group = "Settings",
     .help = "read options from a JSON object whose members have their long "
             "names; options of the command line win"},
    SPACE_OPTION,
    EVAL_OPTION,
    GOAL_OPTIONS,
    METHOD_OPTIONS(AT),
    RULE_OPTIONS,
    SEED_OPTION,
    {"window", 0, OPTION_COUNT, AT(window), "N", NULL, 1, SEPX_WINDOW_MAX,
     .help = "make a proposal from the results up to N trials before it, "
             "whichever ended first; 8, or 1.5 times --crew, unless given"},
    {"crew", 0, OPTION_COUNT, AT(crew), "N", NULL, 1, 1e6,
     .help = "number of simultaneous evaluations expected on all machines "
             "together; sets the window"},
    {"async", 0, OPTION_FLAG, AT(async),
     .help = "use results in the order in which they arrive; the log keeps "
             "that order"},
    {"repeats", 0, OPTION_FLAG, AT(repeats),
     .help = "evaluate isomorphic graphs again, for evaluators with noise"},
    {"maximize", 0, OPTION_FLAG, AT(maximize), .group = "Evaluation by a program",
     .help = "larger scores are better; unless given, smaller ones are"},
    {"time-limit", 0, OPTION_NUMBER, AT(time_limit), "SECONDS", "0", 0, 1e9,
     .help = "time limit of each evaluation; 0: none"},
    {"memory-limit", 0, OPTION_NUMBER, AT(memory_limit), "MB", "0", 0, 1e9,
     .help = "memory limit of a program and all its children, in megabytes; "
             "0: none"},
    {"retries", 0, OPTION_COUNT, AT(retries), "N", "2", 0, 1000,
     .help = "how often a program that fails is tried again"},
    {"mean-of", 0, OPTION_COUNT, AT(mean_of), "N", "1", 1, 1e6,
     .help = "number of runs of a program whose mean is the score"},
    {"checkpoints", 0, OPTION_FILE, AT(checkpoints), "FOLDER",
     .help = "folder where programs keep what should survive a crash"},
    {"prune", 0, OPTION_CHOICE, AT(prune), "RULE", .choices = prune_rules,
     .help = "end an evaluation early by its intermediate values, lines "
             "{\"step\": 3, \"score\": 0.2} of the program: median, if its best "
             "is worse than the median of earlier trials at that step"},
    {"evals", 'n', OPTION_COUNT, GOING(evals), "N", NULL, 1, 1e8,
     .group = "Session (may differ each time)",
     .help = "trials in all, those of earlier sessions included; 2000 for a "
             "new study, as before for one that is resumed"},
    {"retry-failed", 0, OPTION_FLAG, AT(retry_failed),
     .help = "first evaluate again all trials that failed, timed out, were "
             "postponed or took too much memory; unfit ones stay"},
    STUDY_GOING_OPTIONS(GOING),
    STUDY_SERVER_OPTIONS(GOING),
    {"no-work", 0, OPTION_FLAG, GOING(idle),
     .help = "begin the study, or change its session, and leave the work to "
             "'sepx study work'"},
    {"json", 'j', OPTION_FLAG, GOING(json),
     .help = "print one JSON object, as 'sepx study status' does"},
    {0},
};

static const struct example examples[] = {
    {"study run digits.study --space space.json --eval 'command:python3 "
     "train.py' --evals 500 --maximize",
     "begin a study; type the same line again to resume it after a crash, an "
     "interrupt or a power cut"},
    {"study run digits.study --evals 1000 --slots gpu:0,gpu:1",
     "resume it, with more trials, on two GPUs"},
    {"study run digits.study --retry-failed", "after the evaluator was "
                                              "repaired"},
    {"study run cells.study --config cells.json --workers 4",
     "settings from a file; 'sepx study export --config' writes one"},
    {0},
};

#define KEY(member, name) {member, name, NULL, 0}

/* Options that are settings of a study. */
static const struct {
    const char *option;
    struct sepx_study_key key;
} identity[] = {
    {"space", KEY("space", "space")},
    {"eval", KEY("eval", "eval")},
    {"method", KEY("method", "method")},
    {"crossover", KEY("method", "method")},
    {"option", KEY("method", "method")},
    {"rules", {"rules", "rules", "\"default\"", 0}},
    {"rule", KEY("rule", "rule")},
    {"seed", KEY("seed", "seed")},
    {"window", KEY("window", "window")},
    {"crew", KEY("window", "window")},
    {"async", KEY("async", "async")},
    {"repeats", KEY("repeats", "repeats")},
    {"objective", KEY("objectives", "objectives")},
    {"where", KEY("where", "where")},
    {"maximize", KEY("program.maximize", "maximize")},
    {"time-limit", KEY("program.time_limit", "time-limit")},
    {"memory-limit", {"program.memory_limit", "memory-limit", NULL, 1e6}},
    {"retries", KEY("program.retries", "retries")},
    {"mean-of", KEY("program.repeats", "mean-of")},
    {"checkpoints", KEY("program.checkpoints", "checkpoints")},
    {"prune", KEY("prune", "prune")},
};
/* clang-format on */
enum { N_IDENTITY = sizeof identity / sizeof identity[0] };

/* Whether a setting may change together with the evaluator. */
static bool
is_of_evaluation(const struct sepx_study_key *key)
{
    return !strcmp(key->member, "eval") || !strcmp(key->member, "prune") ||
           !strncmp(key->member, "program.", 8);
}

/* A study as the command line describes it. */
struct wanted {
    struct experiment x;
    struct out method;
    char folder[PATH_MAX];
    struct sepx_study_settings settings;
};

static void
wanted_release(struct wanted *wanted)
{
    experiment_close(&wanted->x);
    out_release(&wanted->method);
}

/*
 * Workers wait for the slowest of a window, so it is larger than they are.
 * In a file 8 has always been enough, and stays what it is.
 */
static uint32_t
window_of(const struct settings *given, const char *path)
{
    int64_t crew = given->crew;
    int64_t window;

    if (given->window > 0)
        return (uint32_t)given->window;
    if (crew < 1 && study_is_url(path))
        crew = given->going.workers > 0 ? given->going.workers
                                        : (int64_t)given->going.slots.count;
    window = crew > 0 ? (3 * crew + 1) / 2 : 0;
    if (window < SEPX_WINDOW_DEFAULT)
        window = SEPX_WINDOW_DEFAULT;
    return (uint32_t)(window < SEPX_WINDOW_MAX ? window : SEPX_WINDOW_MAX);
}

/* The settings whose options are given; all of them for a new study. */
static void
settings_fill(struct wanted *wanted, const struct call *call, bool all)
{
    const struct settings *given = call->settings;
    struct sepx_study_settings *set = &wanted->settings;
    struct sepx_eval_settings *program = &set->program;

#define FILL(option, member, value) \
    do { \
        if (all || cli_given(call, option)) \
            (member) = (value); \
    } while (0)
    FILL("space", set->space, given->common.space);
    FILL("rules", set->rules, given->common.rules);
    FILL("rule", set->rule, wanted->x.rule);
    FILL("objective", set->objective, wanted->x.objective);
    FILL("where", set->where, wanted->x.where);
    FILL("seed", set->seed, given->common.seed);
    FILL("async", set->async, given->async);
    FILL("repeats", set->repeats, given->repeats);
    FILL("maximize", program->maximize, given->maximize);
    FILL("mean-of", program->repeats, (uint32_t)given->mean_of);
    FILL("retries", program->retries, (uint32_t)given->retries);
    FILL("time-limit", program->time_limit, given->time_limit);
    FILL("memory-limit", program->memory_limit,
         (uint64_t)(given->memory_limit * 1e6));
    FILL("checkpoints", program->checkpoints, given->checkpoints);
    FILL("prune", set->prune, given->prune);
#undef FILL
    if (all || cli_given(call, "window") || cli_given(call, "crew"))
        set->window = window_of(given, call->operand[0]);
}

/* `method`: what --crossover and --option are added to. */
static int
method_fill(struct wanted *wanted, const struct settings *given,
            const char *method)
{
    int status = experiment_method_text(&wanted->method, method,
                                        given->crossover, &given->option);

    wanted->settings.method = wanted->method.text.at;
    return status;
}

/* Begun by this program, in this folder. */
static void
wanted_here(struct wanted *wanted)
{
    wanted->settings.folder = getcwd(wanted->folder, sizeof wanted->folder);
    wanted->settings.made_by = "sepx " SEPX_VERSION;
}

/* As a new study would have them. */
static int
wanted_init(struct wanted *wanted, const struct call *call)
{
    const struct settings *given = call->settings;
    struct sepx_study_settings *set = &wanted->settings;
    struct experiment *x = &wanted->x;
    int status;

    sepx_study_settings_init(set);
    /* Only the default evaluator needs the space, which the study opens. */
    if (given->common.eval) {
        status = experiment_begin(x, "study run", &given->common);
    } else {
        status = experiment_open_space(x, "study run", &given->common);
        if (!status)
            status = experiment_eval_text(x);
    }
    if (!status)
        status = experiment_goals(x);
    if (!status)
        status = method_fill(wanted, given, given->method);
    if (status)
        return status;
    settings_fill(wanted, call, true);
    set->eval = given->common.eval ? given->common.eval : x->eval_text;
    wanted_here(wanted);
    return CLI_DONE;
}

/* Those of the study `s`, with what is given in their place. */
static int
wanted_from(struct wanted *wanted, const struct study *s,
            const struct call *call)
{
    const struct settings *given = call->settings;
    struct sepx_study_settings *set = &wanted->settings;
    int status = experiment_begin(&wanted->x, s->command, &given->common);

    *set = *sepx_study_settings(s->study);
    if (!status)
        status = experiment_goals(&wanted->x);
    if (!status)
        status = method_fill(wanted, given,
                             cli_given(call, "method") ? given->method
                                                       : set->method);
    if (status)
        return status;
    settings_fill(wanted, call, false);
    if (given->common.eval)
        set->eval = given->common.eval;
    return CLI_DONE;
}

/* ---- a new study ---- */

static int
create(struct study *s, const struct wanted *wanted,
       const struct study_going *going)
{
    struct sepx_text text = {0};
    struct sepx_msg msg = {0};
    enum sepx_err err =
        study_options_write(&text, going, wanted->settings.window);

    if (!err)
        err = sepx_study_create(&s->study, s->path, &wanted->settings, text.at,
                                &msg);
    sepx_text_release(&text);
    if (err)
        return experiment_fail(s->command, err, &msg);
    study_opened(s);
    s->begun = true;
    return study_confirm_files(s, true, true);
}

static int
begin(struct study *s, const struct call *call, struct study_going *going)
{
    const struct settings *given = call->settings;
    struct wanted wanted = {0};
    int status;

    if (going->evals < 0)
        going->evals = EVALS_DEFAULT;
    if (going->workers > window_of(given, s->path))
        return cli_usage(s->command,
                         "%lld workers need a window of at least %lld; add "
                         "--window %lld",
                         (long long)going->workers, (long long)going->workers,
                         (long long)going->workers);
    status = wanted_init(&wanted, call);
    if (!status)
        status = create(s, &wanted, going);
    wanted_release(&wanted);
    return status;
}

/* ---- a study that is there ---- */

/*
 * Evaluators begin where the study began, so that relative names mean what
 * they meant. A folder that is gone was moved, with the study perhaps: then
 * they begin here. The study is open, so its own name does not matter.
 */
static void
enter_folder(const struct study *s)
{
    const char *folder = sepx_study_settings(s->study)->folder;

    if (folder && chdir(folder) != 0)
        cli_say(s->command, "%s: %s; relative names begin in this folder",
                folder, strerror(errno));
}

/*
 * Settings that were given must be those of the study; with `anew`, those of
 * its evaluation may differ.
 */
static int
compare(const struct study *s, const struct call *call, bool anew)
{
    struct sepx_study_key key[N_IDENTITY + 1];
    size_t count = 0;
    struct wanted wanted = {0};
    struct sepx_msg msg = {0};
    enum sepx_err err;
    int status;

    for (size_t i = 0; i < N_IDENTITY; i++)
        if (cli_given(call, identity[i].option) &&
            !(anew && is_of_evaluation(&identity[i].key)))
            key[count++] = identity[i].key;
    key[count] = (struct sepx_study_key){0};
    if (!count)
        return CLI_DONE;
    status = wanted_from(&wanted, s, call);
    if (!status) {
        err = sepx_study_compare(s->study, &wanted.settings, key, &msg);
        status = err ? experiment_fail(s->command, err, &msg) : CLI_DONE;
    }
    wanted_release(&wanted);
    return status;
}

/* Whether another evaluator was given, and there is no score to lose. */
static int
may_renew(const struct study *s, const struct call *call, bool *anew)
{
    const struct settings *given = call->settings;
    const char *eval = sepx_study_settings(s->study)->eval;
    struct sepx_msg msg = {0};
    enum sepx_err err = SEPX_OK;

    *anew = false;
    if (given->common.eval && (!eval || strcmp(eval, given->common.eval) != 0))
        err = sepx_study_is_blank(s->study, anew, &msg);
    return err ? cli_fail(s->command, err, &msg) : CLI_DONE;
}

static int
renew(struct study *s, const struct call *call)
{
    struct wanted wanted = {0};
    struct sepx_msg msg = {0};
    int status = wanted_from(&wanted, s, call);
    enum sepx_err err;

    if (!status) {
        wanted_here(&wanted);
        err = sepx_study_renew(&s->study, &wanted.settings, &msg);
        if (err)
            status = experiment_fail(s->command, err, &msg);
    }
    if (!status) {
        study_opened(s);
        cli_say(s->command,
                "no trial of %s has a score: it begins anew with %s, and its "
                "trials are discarded",
                s->path, wanted.settings.eval);
    }
    wanted_release(&wanted);
    return status;
}

static int
retry(const struct study *s)
{
    struct sepx_msg msg = {0};
    uint32_t count;
    enum sepx_err err = sepx_study_retry(s->study, &count, &msg);

    if (err)
        return cli_fail(s->command, err, &msg);
    cli_say(s->command,
            count ? "%u failed trials are evaluated again"
                  : "no trial has failed",
            count);
    return CLI_DONE;
}

static int
resume(struct study *s, const struct call *call)
{
    const struct settings *given = call->settings;
    bool anew = false;
    int status = study_open(s, s->command, s->path, true);

    if (!status)
        status = may_renew(s, call, &anew);
    if (!status)
        status = compare(s, call, anew);
    if (!status && anew)
        status = renew(s, call);
    if (!status && sepx_store_shared(s->store))
        status =
            study_confirm_eval(s, cli_given(call, "eval"), given->eval_hash);
    if (!status)
        enter_folder(s);
    if (!status)
        status = study_confirm_files(s, true, given->new_files);
    if (!status && given->retry_failed)
        status = retry(s);
    return status;
}

/* A mistyped name must not begin a study of the defaults. */
static int
check_named(const struct call *call, const char *path)
{
    static const char *const begins[] = {"space", "eval", "config"};
    struct sepx_msg msg = {0};
    enum sepx_err err;

    for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++) {
        if (cli_given(call, begins[i]))
            return CLI_DONE;
    }
    err =
        sepx_store_missing(&msg, path, "give --space and --eval to begin one");
    return cli_fail("study run", err, &msg);
}

/* Other failures than its absence are reported when it is opened. */
static bool
is_on_server(const char *path)
{
    struct sepx_study *study;
    enum sepx_err err = sepx_study_open(&study, path, false, NULL);

    sepx_study_close(study);
    return err != SEPX_ENOINPUT;
}

static int
run(const struct call *call)
{
    const struct settings *given = call->settings;
    struct study_going going = given->going;
    struct study s = {.command = "study run", .path = call->operand[0]};
    struct sepx_msg msg = {0};
    int status = CLI_DONE;
    bool there;

    if (sepx_store_check_name(s.path, &msg))
        return cli_fail("study run", msg.code, &msg);
    there =
        study_is_url(s.path) ? is_on_server(s.path) : access(s.path, F_OK) == 0;
    if (there)
        status = resume(&s, call);
    else
        status = check_named(call, s.path);
    if (!status && !there)
        status = begin(&s, call, &going);

    /* Another process may have begun it meanwhile. */
    if (status && status != CLI_NOINPUT && !there && !s.study &&
        study_is_url(s.path) && is_on_server(s.path))
        status = resume(&s, call);

    if (!status)
        status = study_go(&s, &going);
    study_close(&s);
    return status;
}

static const char *const synopsis[] = {"[OPTION...] STUDY", NULL};

const struct command command_study_run = {
    .name = "study run",
    .group = GROUP_STUDIES,
    .summary = "begin a study, or resume it",
    COMMAND_PARTS,
    .about =
        "Begins a study in the file STUDY, or on a server "
        "(postgresql://HOST/DATABASE?study=NAME), if there is none and "
        "--space, --eval or --config is given, and resumes it "
        "otherwise, so that the same line can be typed again, after a crash or "
        "in a job script. The settings of a study never change: options that "
        "contradict them are an error that names the difference. Only a study "
        "in which no trial has a score begins anew if another --eval is given, "
        "perhaps with other options of 'Evaluation by a program'. Options of "
        "the session may differ each time; those that are left out are as "
        "before.\n\n"
        "Smaller scores are better, unless --maximize is given.\n\n"
        "To resume, the log is replayed and evaluations that were under way "
        "are made again. Evaluators start in the folder where the study "
        "began. With the default --window, the study is the same for any "
        "number of workers up to the window, whichever evaluation ends first. "
        "A proposal that is isomorphic to an earlier one gets its result. A "
        "study that another process runs is refused with exit code 75.\n\n"
        "An interrupt (Ctrl-C) ends the evaluations under way and leaves a "
        "study that can be resumed, with exit code 130; a second one, half a "
        "second later, ends at once, which is safe, too. The answer is that of "
        "'sepx study status'.",
    .least_operands = 1,
    .most_operands = 1,
    .settings_size = sizeof(struct settings),
};
