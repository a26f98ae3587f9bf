/* SPDX-License-Identifier: Apache-2.0 */
/* sepx study import: graphs whose scores are known. */
#include "study/study_command.h"

/* clang-format off */
static const struct option options[] =
    JSON_OPTIONS("print one JSON object: imported, first, known");

static const struct example examples[] = {
    {"study import digits.study known.jsonl", "lines such as {\"graph\": {...}, \"score\": 0.93}"},
    {"study export -f jsonl old.study | sepx study import new.study -", "what another study found"},
    {0},
};
/* clang-format on */

static int
run(const struct call *call)
{
    const struct json_settings *settings = call->settings;

    return study_bring("study import", call->operand, true, settings->json);
}

static const char *const synopsis[] = {"[OPTION...] STUDY RESULTS.jsonl", NULL};

const struct command command_study_import = {
    .name = "study import",
    .group = GROUP_STUDIES,
    .summary = "import graphs whose scores are known",
    COMMAND_PARTS,
    .about =
        "Each line is an object with 'graph' and 'score' (or 'value'), and "
        "perhaps 'test' and 'cost', as the evaluator would answer; lines of "
        "'sepx study export --format jsonl' will do. They become trials of "
        "operator 'imported'. The search is told at once and nothing is "
        "evaluated: --evals does not count them, and a proposal that is "
        "isomorphic to one of them gets its result. Graphs that are "
        "isomorphic to one of the study are left out, unless it began with "
        "--repeats. A file with a graph that the space does not allow, or "
        "without a score, changes nothing.\n\n"
        "A study that another process runs is refused with exit code 75: stop "
        "it (Ctrl-C is safe), import, and resume it.",
    .least_operands = 2,
    .most_operands = 2,
    .settings_size = sizeof(struct json_settings),
};
