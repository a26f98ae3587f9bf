/* SPDX-License-Identifier: Apache-2.0 */
/* sepx best: the best trials of a study. */
#include "study.h"

#include <math.h>

struct settings {
    int64_t count;
    bool graph, json;
};

#define AT(member) offsetof(struct settings, member)

/* clang-format off */
static const struct option options[] = {
    {"count", 'n', OPTION_COUNT, AT(count), "N", "1", 1, 1e9,
     .help = "how many, the best first; isomorphs count once"},
    {"graph", 'g', OPTION_FLAG, AT(graph),
     .help = "only the graphs, one on each line"},
    {"json", 'j', OPTION_FLAG, AT(json),
     .help = "JSON Lines, as those of 'sepx export'"},
    {0},
};

static const struct example examples[] = {
    {"best digits.study", "the best trial and its graph"},
    {"best -g digits.study | sepx draw - -o best.svg", "what it looks like"},
    {"best -n 10 --json digits.study", "the ten best"},
    {0},
};
/* clang-format on */

static void
print_trial(struct out *out, const struct study *s,
            const struct sepx_entry *entry)
{
    const struct sepx_asked *asked = &entry->asked;
    const struct sepx_told *told = &entry->told;

    out_print(out, "trial %u: %.12g", asked->trial,
              study_value(s, told->value));
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
        err = sepx_fail(msg, SEPX_ENOTFOUND, "%s: no trial has a score yet",
                        s->path);
    return err;
}

static int
run(const struct call *call)
{
    struct sepx_msg msg = {0};
    struct out out = {0};
    struct study s;
    int status = study_open(&s, "best", call->operand[0], false);

    if (!status) {
        enum sepx_err err = write_best(&out, &s, call->settings, &msg);

        status = err ? cli_fail("best", err, &msg) : out_flush(&out);
    }
    out_release(&out);
    study_close(&s);
    return status;
}

static const char *const synopsis[] = {"[OPTION...] STUDY", NULL};

const struct command command_best = {
    .name = "best",
    .summary = "show the best trials of a study",
    .synopsis = synopsis,
    .about = "The trials with the best scores, the earlier first among equals. "
             "The study may be running.",
    .options = options,
    .examples = examples,
    .least_operands = 1,
    .most_operands = 1,
    .settings_size = sizeof(struct settings),
    .run = run,
};
