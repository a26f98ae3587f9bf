/* SPDX-License-Identifier: Apache-2.0 */
/* sepx study copy: a study as it is now, in a file of its own. */
#include "study/study_command.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

struct settings {
    bool repair;
};

/* clang-format off */
static const struct option options[] = {
    {"repair", 0, OPTION_FLAG, offsetof(struct settings, repair),
     .help = "leave out events that are damaged, and list them"},
    {0},
};

static const struct example examples[] = {
    {"study copy digits.study backup.study", "any time, also while it runs"},
    {"study copy --repair broken.study whole.study", "all that can be kept of it"},
    {0},
};
/* clang-format on */

/* A reason may quote what the log has. */
static void
print_event(void *context, const struct sepx_store_row *row, const char *why,
            bool sentence)
{
    struct out *out = context;
    struct sepx_text text = {0};
    enum sepx_err err = sepx_text_add_visible(&text, why, strlen(why));

    if (err)
        out->err = err;
    else if (sentence)
        out_print(out, "  event %" PRId64 ": %s\n", row->event, text.at);
    else
        out_print(out, "  event %" PRId64 ", the %s of trial %u, %s\n",
                  row->event, row->what, row->trial, text.at);
    sepx_text_release(&text);
}

static void
print_repair(struct out *out, const struct sepx_study_repair *repair,
             const char *path)
{
    if (repair->elapsed)
        out_print(out, "  the time that its sessions noted makes no sense\n");
    if (repair->options)
        out_print(out, "  the options of its last session are no JSON object; "
                       "give them to 'sepx study run' again\n");
    if (repair->later)
        out_print(out,
                  "  %" PRId64 " event%s of trials from %u on, which depend on "
                  "those\n",
                  repair->later, repair->later == 1 ? "" : "s", repair->trials);
    out_print(out, "%s: %u trials, %" PRId64 " events; %" PRId64 " left out\n",
              path, repair->trials, repair->kept, repair->left_out);
    if (!repair->n_lost)
        return;
    out_print(out, "trials without the result that was left out:");
    for (size_t i = 0; i < repair->n_lost; i++)
        out_print(out, " %u", repair->lost[i]);
    out_print(out, "\n'sepx study run' evaluates them again\n");
}

/* The report is printed once the copy is there. */
static int
copy_repaired(struct study *s, const char *path)
{
    struct sepx_study_repair repair = {0};
    struct sepx_msg msg = {0};
    struct out out = {0};
    enum sepx_err err;
    int status;

    interrupt_catch();
    err = sepx_study_copy_repaired(s->study, path, print_event, &out,
                                   &interrupt_stop, &repair, &msg);
    if (err) {
        status = cli_fail("study copy", err, &msg);
    } else {
        print_repair(&out, &repair, path);
        status = out_flush(&out);
    }
    sepx_study_repair_release(&repair);
    out_release(&out);
    return status;
}

static int
run(const struct call *call)
{
    const struct settings *settings = call->settings;
    struct sepx_msg msg = {0};
    struct study s;
    int status = study_open(&s, "study copy", call->operand[0], false);

    if (!status && settings->repair) {
        status = copy_repaired(&s, call->operand[1]);
    } else if (!status) {
        enum sepx_err err = sepx_store_copy(s.store, call->operand[1], &msg);

        status = err ? cli_fail("study copy", err, &msg) : CLI_DONE;
    }
    study_close(&s);
    return status;
}

static const char *const synopsis[] = {"[--repair] STUDY NEW", NULL};

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
        "the other mixes states; this command does neither.\n\n"
        "An event that cannot be read, or differs from its checksum, is an "
        "error (exit code 65). With --repair it is left out, and so is each "
        "event that does not follow from settings, seed and the events before "
        "it; all of them are listed with the reason. The copy is a study that "
        "'sepx study verify' accepts. A trial that lost its result is "
        "evaluated again when the copy is resumed, and proposals that depend "
        "on it are made anew.",
    .least_operands = 2,
    .most_operands = 2,
    .settings_size = sizeof(struct settings),
};
