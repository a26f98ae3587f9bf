/* SPDX-License-Identifier: Apache-2.0 */
/* sepx study best: the best trials of a study. */
#include "study/study_command.h"

#include <math.h>
#include <stdlib.h>

struct settings {
    int64_t count;
    bool graph, json;
};

#define AT(member) offsetof(struct settings, member)

/* clang-format off */
static const struct option options[] = {
    {"count", 'n', OPTION_COUNT, AT(count), "N", "1", 1, 1e9,
     .help = "number of trials, the best first; isomorphs count once"},
    {"graph", 'g', OPTION_FLAG, AT(graph),
     .help = "print only the graphs, one per line"},
    {"json", 'j', OPTION_FLAG, AT(json),
     .help = "print JSON Lines, as 'sepx study export' does"},
    {0},
};

static const struct example examples[] = {
    {"study best digits.study", "the best trial and its graph"},
    {"study best -g digits.study | sepx draw - -o best.svg", "what it looks like"},
    {"study best -n 10 --json digits.study", "the ten best"},
    {0},
};
/* clang-format on */

static void
print_trial(struct out *out, const struct study *s,
            const struct sepx_entry *entry)
{
    const struct sepx_asked *asked = &entry->asked;
    const struct sepx_told *told = &entry->told;

    out_print(out, "trial %u: ", asked->trial);
    if (study_has_goals(s))
        study_print_numbers(out, s, told, "%s %.12g", ", ");
    else
        out_print(out, "%.12g", study_value(s, told->value));
    if (!isnan(told->test) && told->test != told->value)
        out_print(out, ", test %.12g", study_value(s, told->test));
    out_print(out, ", %s", asked->op);
    for (int i = 0; i < 2 && asked->parent[i] >= 0; i++)
        out_print(out, "%s%lld", i ? " and " : " of ",
                  (long long)asked->parent[i]);
    out_print(out, "\n%s\n", asked->graph);
}

static enum sepx_err
write_trial(struct out *out, const struct study *s,
            const struct sepx_entry *entry, const struct settings *settings)
{
    struct sepx_json_writer w;
    enum sepx_err err = SEPX_OK;

    if (settings->json) {
        sepx_json_begin(&w, &out->text);
        study_put_trial(&w, s, entry, false);
        err = sepx_json_done(&w);
        out_print(out, "\n");
    } else if (settings->graph) {
        out_print(out, "%s\n", entry->asked.graph);
    } else {
        print_trial(out, s, entry);
    }
    return err;
}

static enum sepx_err
write_best(struct out *out, const struct study *s,
           const struct settings *settings, struct sepx_msg *msg)
{
    struct sepx_cursor *cursor;
    struct sepx_entry entry;
    int64_t left = settings->count;
    bool more = true;
    enum sepx_err err =
        sepx_store_read(s->store, &cursor, SEPX_STORE_BEST, 0, msg);

    while (!err && left > 0) {
        err = sepx_cursor_next(cursor, &entry, &more, msg);
        if (err || !more)
            break;
        if (entry.told.cached >= 0)
            continue;
        err = write_trial(out, s, &entry, settings);
        left--;
    }
    sepx_cursor_free(cursor);
    if (!err && left == settings->count)
        err =
            sepx_fail(msg, SEPX_ENOTFOUND,
                      "%s: no trial has a score yet; 'sepx study status' shows "
                      "how the evaluations ended",
                      s->path);
    return err;
}

/* One trial by its number. */
static enum sepx_err
write_one(struct out *out, const struct study *s, uint32_t trial,
          const struct settings *settings, struct sepx_msg *msg)
{
    struct sepx_cursor *cursor;
    struct sepx_entry entry;
    bool more = false;
    enum sepx_err err =
        sepx_store_read(s->store, &cursor, SEPX_STORE_TRIALS, trial, msg);

    if (!err)
        err = sepx_cursor_next(cursor, &entry, &more, msg);
    if (!err && more)
        err = write_trial(out, s, &entry, settings);
    sepx_cursor_free(cursor);
    return err;
}

/* With several objectives: all of them, by the first. */
static enum sepx_err
write_front(struct out *out, const struct study *s,
            const struct settings *settings, struct sepx_msg *msg)
{
    struct sepx_study_summary summary = {0};
    size_t *at = NULL, count = 0;
    enum sepx_err err = sepx_study_summarize(&summary, s->study, msg);

    if (!err)
        err = study_front(&summary, &at, &count);
    for (size_t i = 0; i < count && !err; i++)
        err = write_one(out, s, summary.point[at[i]].trial, settings, msg);
    if (!err && !count)
        err = sepx_fail(msg, SEPX_ENOTFOUND,
                        "%s: no trial has a score and meets all constraints "
                        "yet; 'sepx study status' shows how the evaluations "
                        "ended, 'sepx study export' their numbers",
                        s->path);
    free(at);
    sepx_study_summary_release(&summary);
    return err;
}

static int
run(const struct call *call)
{
    struct sepx_msg msg = {0};
    struct out out = {0};
    struct study s;
    int status = study_open(&s, "study best", call->operand[0], false);

    if (!status) {
        enum sepx_err err = (study_has_goals(&s) ? write_front : write_best)(
            &out, &s, call->settings, &msg);

        status = err ? cli_fail("study best", err, &msg) : out_flush(&out);
    }
    out_release(&out);
    study_close(&s);
    return status;
}

static const char *const synopsis[] = {"[OPTION...] STUDY", NULL};

const struct command command_study_best = {
    .name = "study best",
    .group = GROUP_STUDIES,
    .summary = "show the best trials of a study",
    COMMAND_PARTS,
    .about = "The trials with the best scores, the earlier first among equals. "
             "With several objectives the whole front: the trials that meet "
             "all constraints and that no other is better than, by the first "
             "objective. The study may be running.",
    .least_operands = 1,
    .most_operands = 1,
    .settings_size = sizeof(struct settings),
};
