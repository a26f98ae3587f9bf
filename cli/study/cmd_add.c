/* SPDX-License-Identifier: Apache-2.0 */
/* sepx study add: graphs of the user's to be evaluated next. */
#include "study/study_command.h"

/* clang-format off */
static const struct option options[] =
    JSON_OPTIONS("print one JSON object: added, first, known");

static const struct example examples[] = {
    {"study add digits.study mine.jsonl", "the next 'sepx study run' evaluates them first"},
    {"sample --space nb101 -n 5 --seed 7 | sepx study add cells.study -", "from standard input"},
    {0},
};
/* clang-format on */

static int
run(const struct call *call)
{
    const struct json_settings *settings = call->settings;

    return study_bring("study add", call->operand, false, settings->json);
}

static const char *const synopsis[] = {"[OPTION...] STUDY GRAPHS.jsonl", NULL};

const struct command command_study_add = {
    .name = "study add",
    .group = GROUP_STUDIES,
    .summary = "evaluate graphs of your own next",
    COMMAND_PARTS,
    .about =
        "Each line is a graph, or an object whose member 'graph' is one. They "
        "become the next trials of the study, of operator 'added'; the next "
        "'sepx study run' evaluates them before it makes a proposal, also if "
        "--evals is reached, and the search learns from their scores. Graphs "
        "that are isomorphic to one of the study are left out, unless it "
        "began with --repeats. A file with a graph that the space does not "
        "allow changes nothing.\n\n"
        "A study that another process runs is refused with exit code 75: stop "
        "it (Ctrl-C is safe), add, and resume it.",
    .least_operands = 2,
    .most_operands = 2,
    .settings_size = sizeof(struct json_settings),
};
