/* SPDX-License-Identifier: Apache-2.0 */
/* sepx study work: evaluate trials of a study that is on a server. */
#include "study/study_command.h"

#include <math.h>
#include <string.h>

struct settings {
    const char *eval, *eval_hash;
    bool new_files;
    struct study_going going;
};

#define AT(member) offsetof(struct settings, member)
#define GOING(member) offsetof(struct settings, going.member)

/* clang-format off */
static const struct option options[] = {
    {"eval", 0, OPTION_TEXT, AT(eval), "EVALUATOR",
     .help = "the evaluator, which must be that of the study; needed, or its "
             "hash, if it starts a program"},
    {"workers", 0, OPTION_COUNT, GOING(workers), "N", NULL, 1,
     SEPX_WINDOW_MAX, .help = "number of simultaneous evaluations; one for "
                              "each slot, or 1, unless given"},
    {"slots", 0, OPTION_LIST, GOING(slots), "NAMES",
     .help = "slots for simultaneous evaluations, one each, such as "
             "gpu:0,gpu:1; an evaluation finds its slot in SEPX_SLOT"},
    {"one", 0, OPTION_FLAG, GOING(one), .help = "exit after one evaluation"},
    {"idle-exit", 0, OPTION_NUMBER, GOING(idle_exit), "SECONDS", NULL, 0, 1e9,
     .help = "exit after this time without a trial; unless given, only when "
             "the study has ended"},
    {"quiet", 'q', OPTION_FLAG, GOING(quiet),
     .help = "print neither a live display nor a line for each trial"},
    {"json", 'j', OPTION_FLAG, GOING(json),
     .help = "print one JSON object, as 'sepx study status' does"},
    STUDY_SERVER_OPTIONS(GOING),
    {0},
};

static const struct example examples[] = {
    {"study work \"$URL\" --slots gpu:0,gpu:1 --eval 'command:python3 "
     "train.py'", "two evaluations at a time, until the study has ended"},
    {"study work \"$URL\" --eval-hash 00930d2e66ba2ad6 --idle-exit 600",
     "in a job script; the hash is that of 'sepx study status'"},
    {0},
};
/* clang-format on */

static int
compare_eval(const struct study *s, const struct settings *given)
{
    const char *eval = sepx_study_settings(s->study)->eval;

    if (!given->eval || (eval && !strcmp(eval, given->eval)))
        return study_confirm_eval(s, given->eval, given->eval_hash);
    cli_say(s->command, "%s: the study has the evaluator %s, not %s", s->path,
            eval ? eval : "of another program", given->eval);
    return CLI_DATA;
}

static int
run(const struct call *call)
{
    const struct settings *given = call->settings;
    struct study_going going = given->going;
    struct study s = {0};
    struct sepx_msg msg = {0};
    int status;

    if (sepx_store_check_name(call->operand[0], &msg))
        return cli_fail("study work", msg.code, &msg);
    if (!study_is_url(call->operand[0]))
        return cli_usage("study work",
                         "%s is no study on a server; one in a file has its "
                         "workers in 'sepx study run'",
                         call->operand[0]);
    going.work = true;
    going.evals = going.patience = going.max_failures = -1;
    going.time = going.until = NAN;
    status = study_open(&s, "study work", call->operand[0], true);
    if (!status)
        status = compare_eval(&s, given);
    if (!status)
        status = study_confirm_files(&s, false, given->new_files);
    if (!status)
        status = study_go(&s, &going);
    study_close(&s);
    return status;
}

static const char *const synopsis[] = {"[OPTION...] STUDY", NULL};

const struct command command_study_work = {
    .name = "study work",
    .group = GROUP_STUDIES,
    .summary = "evaluate trials of a study that is on a server",
    COMMAND_PARTS,
    .about =
        "Joins a study that 'sepx study run' has begun on a server "
        "(postgresql://HOST/DATABASE?study=NAME), on any machine and at any "
        "time: claims trials, evaluates them, and tells their results, until "
        "the study has ended. Any number of workers gives the same study, "
        "unless it was begun with --async.\n\n"
        "Relative names of an evaluator begin in the folder where the worker "
        "starts. An evaluator that starts a program has to be given or "
        "confirmed, and its files are compared with those that the study was "
        "begun with, because others can write to the database.\n\n"
        "SIGTERM, SIGHUP and Ctrl-C end the evaluations under way and hand "
        "their trials back at once, with exit code 130. A worker that is "
        "killed, or not heard of for --lease seconds, loses its trials to "
        "others; a trial that three workers lost is 'lost', which is not "
        "'failed'. When the server is away, a worker continues with what it "
        "has and reports it when the server is back. A worker whose first "
        "three evaluations fail, while others work elsewhere, is set aside "
        "with exit code 69, and its trials go to others.",
    .least_operands = 1,
    .most_operands = 1,
    .settings_size = sizeof(struct settings),
};
