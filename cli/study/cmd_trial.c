/* SPDX-License-Identifier: Apache-2.0 */
/* sepx study trial: all that a study knows of one trial. */
#include "study/study_family.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* clang-format off */
static const struct option options[] =
    JSON_OPTIONS("print one JSON object");

static const struct example examples[] = {
    {"study trial digits.study 41", "what became of trial 41, and why"},
    {"study trial --json digits.study 41", "the same for a script"},
    {0},
};
/* clang-format on */

/* ---- for a person ---- */

/* Text of a program, line by line, without what a terminal would obey. */
static void
print_words(struct out *out, const char *title, const char *text)
{
    size_t size = text ? strlen(text) + 8 : 0;
    char *line = malloc(2 * size + 1);
    char *clean = line ? line + size : NULL;

    if (!line)
        out->err = SEPX_ENOMEM;
    if (!line || !text) {
        free(line);
        return;
    }
    out_print(out, "\n%s\n", title);
    while (*text) {
        size_t len = strcspn(text, "\n");

        memcpy(line, text, len);
        line[len] = '\0';
        sepx_eval_error_line(clean, size, line);
        out_print(out, "  %s\n", clean);
        text += len + (text[len] == '\n');
    }
    free(line);
}

static void
print_head(struct out *out, const struct sepx_asked *asked)
{
    out_print(out, "trial     %u: %s", asked->trial, asked->op);
    for (int i = 0; i < 2 && asked->parent[i] >= 0; i++)
        out_print(out, "%s%lld", i ? " and " : " of ",
                  (long long)asked->parent[i]);
    if (asked->fidelity != 1)
        out_print(out, ", fidelity %.6g", asked->fidelity);
    out_print(out, "\n");
}

static void
print_number(struct out *out, const char *name, double value)
{
    if (!isnan(value))
        out_print(out, "%-9s %.12g\n", name, value);
}

static void
print_times(struct out *out, const struct sepx_told *told)
{
    char when[64] = "";
    time_t finished = (time_t)told->finished;
    struct tm parts;

    if (gmtime_r(&finished, &parts))
        strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S UTC", &parts);
    out_print(out, "time      ");
    study_print_time(out, told->seconds);
    out_print(out, ", ended %s, ", when);
    study_print_time(out, told->elapsed);
    out_print(out, " into the study\n");
    if (told->slot)
        out_print(out, "slot      %s\n", told->slot);
}

static void
print_told(struct out *out, const struct study *s, const struct sepx_told *told)
{
    out_print(out, "outcome   %s", told->outcome);
    if (told->cached >= 0)
        out_print(out, ", as the isomorphic trial %lld",
                  (long long)told->cached);
    out_print(out, "\n");
    if (study_has_goals(s)) {
        study_print_numbers(out, s, told, "%-9s %.12g\n", "");
    } else {
        print_number(out, "score", study_value(s, told->value));
    }
    if (told->test != told->value)
        print_number(out, "test", study_value(s, told->test));
    print_number(out, "cost", told->cost);
    print_times(out, told);
}

/* Intermediate values, as the program printed them. */
static void
print_steps(struct out *out, const struct study *s, const char *text)
{
    struct sepx_json *root = NULL;

    if (!text || sepx_json_parse(&root, text, strlen(text), NULL))
        return;
    out_print(out, "\nsteps\n");
    for (size_t i = 0; i < sepx_json_size(root); i++) {
        const struct sepx_json *row = sepx_json_at(root, i);
        double value = sepx_json_number(sepx_json_at(row, 1), NAN);

        out_print(out, "  %lld: %.12g\n",
                  (long long)sepx_json_integer(sepx_json_at(row, 0), -1),
                  study_value(s, value));
    }
    sepx_json_free(root);
}

static enum sepx_err
print_trial(struct family *family, const struct sepx_entry *entry,
            struct sepx_msg *msg)
{
    const struct person *person = &family->person[0];
    struct out *out = &family->out;
    enum sepx_err err;

    print_head(out, &entry->asked);
    if (entry->is_told)
        print_told(out, family->s, &entry->told);
    else
        out_print(out, "outcome   none yet\n");
    if (person->parent[0] >= 0)
        out_print(out, "\nedits\n");
    err = family_show_edits(family, NULL, person, msg);
    out_print(out, "\ngraph\n  %s\n", entry->asked.graph);
    if (entry->is_told) {
        print_steps(out, family->s, entry->told.steps);
        print_words(out, "answer", entry->told.answer);
        print_words(out, "errors", entry->told.errors);
    }
    return err;
}

/* ---- JSON ---- */

static enum sepx_err
put_trial(struct family *family, const struct sepx_entry *entry,
          struct sepx_msg *msg)
{
    const struct person *person = &family->person[0];
    struct sepx_json_writer w;
    enum sepx_err err;

    sepx_json_begin(&w, &family->out.text);
    sepx_json_open(&w, '{');
    study_put_members(&w, family->s, entry, true);
    sepx_json_key(&w, "parents");
    sepx_json_open(&w, '[');
    err = family_show_edits(family, &w, person, msg);
    sepx_json_close(&w, ']');
    sepx_json_close(&w, '}');
    out_print(&family->out, "\n");
    return err ? err : sepx_json_done(&w);
}

/* ---- the command ---- */

/* The trial first, then its parents; a pair of equals is fetched once. */
static enum sepx_err
gather(struct family *family, uint32_t trial, struct sepx_msg *msg)
{
    enum sepx_err err = family_fetch(family, trial, msg);

    for (int i = 0; i < 2 && !err; i++) {
        int64_t parent = family->person[0].parent[i];

        if (parent >= 0 && !family_find(family, parent))
            err = family_fetch(family, (uint32_t)parent, msg);
    }
    return err;
}

static enum sepx_err
answer(struct family *family, uint32_t trial, bool json, struct sepx_msg *msg)
{
    struct sepx_cursor *cursor = NULL;
    struct sepx_entry entry = {0};
    bool more;
    enum sepx_err err = family_open(family, msg);

    if (!err)
        err = gather(family, trial, msg);
    if (!err)
        err = sepx_store_read(family->s->store, &cursor, SEPX_STORE_TRIALS,
                              trial, msg);
    if (!err)
        err = sepx_cursor_next(cursor, &entry, &more, msg);
    if (!err)
        err = (json ? put_trial : print_trial)(family, &entry, msg);
    sepx_cursor_free(cursor);
    return err;
}

static int
run(const struct call *call)
{
    const struct json_settings *settings = call->settings;
    const char *name = call->command->name;
    struct sepx_msg msg = {0};
    struct study s = {0};
    struct family family = {.s = &s};
    uint32_t trial;
    int status = family_trial(&trial, name, call->operand[1]);

    if (!status)
        status = study_open(&s, name, call->operand[0], false);
    if (!status) {
        enum sepx_err err = answer(&family, trial, settings->json, &msg);

        status = err ? cli_fail(name, err, &msg) : out_flush(&family.out);
    }
    family_close(&family);
    study_close(&s);
    return status;
}

static const char *const synopsis[] = {"[OPTION...] STUDY TRIAL", NULL};

const struct command command_study_trial = {
    .name = "study trial",
    .group = GROUP_STUDIES,
    .summary = "show everything a study knows about one trial",
    COMMAND_PARTS,
    .about =
        "How the trial was made, the shortest edits from each parent (see "
        "'sepx study lineage'), how its evaluation ended and when, its graph, "
        "what "
        "the evaluator answered and, if it failed, the reason and the last "
        "lines of its standard error.\n\n"
        "With --json, the members of a line of 'sepx study export --format "
        "jsonl --times' and 'parents', each with trial, exact, lower (a "
        "proven bound of the edits) and edits.",
    .least_operands = 2,
    .most_operands = 2,
    .settings_size = sizeof(struct json_settings),
};
