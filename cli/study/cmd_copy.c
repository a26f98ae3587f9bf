/* SPDX-License-Identifier: Apache-2.0 */
/* sepx study copy: a study as it is now, in a file of its own. */
#include "study/study_command.h"

static const struct option options[] = {{0}};

/* clang-format off */
static const struct example examples[] = {
    {"study copy digits.study backup.study", "any time, also while it runs"},
    {0},
};
/* clang-format on */

static int
run(const struct call *call)
{
    struct sepx_msg msg = {0};
    struct study s;
    int status = study_open(&s, "study copy", call->operand[0], false);

    if (!status) {
        enum sepx_err err = sepx_store_copy(s.store, call->operand[1], &msg);

        status = err ? cli_fail("study copy", err, &msg) : CLI_DONE;
    }
    study_close(&s);
    return status;
}

static const char *const synopsis[] = {"STUDY NEW", NULL};

const struct command command_study_copy = {
    .name = "study copy",
    .group = GROUP_STUDIES,
    .summary = "copy a study, also while it runs",
    COMMAND_PARTS,
    .about =
        "Writes the study as it is at this moment to a new file, which can be "
        "resumed on its own. While a study runs, and after it was killed, it "
        "is three files: NAME, NAME-wal with its last results, and NAME-shm. "
        "Copying the first alone loses results, and copying them one after "
        "the other mixes states; this command does neither.",
    .least_operands = 2,
    .most_operands = 2,
    .settings_size = 1,
};
