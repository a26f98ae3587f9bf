/* SPDX-License-Identifier: Apache-2.0 */
/* sepx study verify: does every proposal follow from seed and log? */
#include "study/study_command.h"

/* clang-format off */
static const struct option options[] =
    JSON_OPTIONS("print one JSON object");

static const struct example examples[] = {
    {"study verify digits.study", "exit code 0: the log is what the search made"},
    {0},
};
/* clang-format on */

static int
answer(const struct study *s, uint32_t asked, uint32_t told, bool json)
{
    struct out out = {0};
    int status;

    if (json)
        out_print(&out, "{\"valid\":true,\"asked\":%u,\"told\":%u}\n", asked,
                  told);
    else
        out_print(&out,
                  "%s: %u trials, %u told; each follows from settings, seed "
                  "and log\n",
                  s->path, asked, told);
    status = out_flush(&out);
    out_release(&out);
    return status;
}

static int
run(const struct call *call)
{
    const struct json_settings *settings = call->settings;
    struct sepx_msg msg = {0};
    struct study s;
    uint32_t asked, told;
    int status = study_open(&s, "study verify", call->operand[0], false);

    if (!status) {
        enum sepx_err err = sepx_study_verify(s.study, &asked, &told, &msg);

        status = err ? cli_fail("study verify", err, &msg)
                     : answer(&s, asked, told, settings->json);
    }
    study_close(&s);
    return status;
}

static const char *const synopsis[] = {"[OPTION...] STUDY", NULL};

const struct command command_study_verify = {
    .name = "study verify",
    .group = GROUP_STUDIES,
    .summary = "prove that a study follows from its seed and log",
    COMMAND_PARTS,
    .about =
        "Checks every page of the file and the checksum of every event, then "
        "repeats the search from its seed with the results of the log, and "
        "compares each proposal (operator, parents, graph, isomorphic trial) "
        "with the logged one. Values of programs are compared with the "
        "answers in the log that they were made from, unless they are means "
        "(--mean-of). The first difference is named, with exit code 65. "
        "Nothing is evaluated and nothing is written.",
    .least_operands = 1,
    .most_operands = 1,
    .settings_size = sizeof(struct json_settings),
};
