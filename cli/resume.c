/* SPDX-License-Identifier: Apache-2.0 */
/* sepx resume: go on with a study. */
#include "study.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

struct settings {
    struct study_going going;
};

#define GOING(member) offsetof(struct settings, going.member)

/* clang-format off */
static const struct option options[] = {
    {"evals", 'n', OPTION_COUNT, GOING(evals), "N", NULL, 1, 1e8,
     .help = "trials in all; as before unless given"},
    STUDY_GOING_OPTIONS(GOING),
    {"json", 'j', OPTION_FLAG, GOING(json),
     .help = "answer with one JSON object, as 'sepx status' does"},
    {0},
};

static const struct example examples[] = {
    {"resume digits.study", "after a crash, an interrupt or a power cut"},
    {"resume digits.study --evals 1000", "more trials than were planned"},
    {"resume digits.study --workers 4 --slots gpu:0,gpu:1,gpu:2,gpu:3",
     "the same study on a larger machine"},
    {0},
};
/* clang-format on */

/*
 * Evaluators begin where the study began, so that relative names mean what
 * they meant. A folder that is gone was moved, with the study perhaps: then
 * they begin here. The study is open, so its own name does not matter.
 */
static int
enter_folder(const struct study *s)
{
    const char *folder = sepx_study_settings(s->study)->folder;

    if (folder && chdir(folder) != 0)
        cli_say(s->command, "%s: %s; relative names begin in this folder",
                folder, strerror(errno));
    return CLI_DONE;
}

static int
run(const struct call *call)
{
    const struct settings *settings = call->settings;
    struct study s;
    int status = study_open(&s, "resume", call->operand[0], true);

    if (!status)
        status = enter_folder(&s);
    if (!status)
        status = study_go(&s, &settings->going);
    study_close(&s);
    return status;
}

static const char *const synopsis[] = {"[OPTION...] STUDY", NULL};

const struct command command_resume = {
    .name = "resume",
    .summary = "go on with a study",
    .synopsis = synopsis,
    .about =
        "The log of the study is replayed; evaluations that were under way "
        "when it ended are made again, and it goes on as if nothing had "
        "happened. All settings are in the file; evaluators start in the "
        "folder where the study began.\n\n"
        "The number of workers changes nothing in the result (unless the "
        "study is async). A study that another process runs is refused with "
        "exit code 75.\n\n"
        "An interrupt (Ctrl-C) ends the evaluations under way and leaves a "
        "study that can go on, with exit code 130; a second one ends at once, "
        "which is safe, too.",
    .options = options,
    .examples = examples,
    .least_operands = 1,
    .most_operands = 1,
    .settings_size = sizeof(struct settings),
    .run = run,
};
