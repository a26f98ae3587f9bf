/* SPDX-License-Identifier: Apache-2.0 */
/* sepx study lineage: a trial's ancestors, and the edits between them. */
#include "frame/display.h"
#include "graph/ged_command.h"
#include "graph/picture.h"
#include "study/study_family.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct settings {
    int64_t depth;
    bool json;
    const char *output, *format;
};

#define AT(member) offsetof(struct settings, member)

/* clang-format off */
static const struct option options[] = {
    {"depth", 'd', OPTION_COUNT, AT(depth), "N", NULL, 0, 1e9,
     .help = "number of generations to go back; all unless given"},
    {"json", 'j', OPTION_FLAG, AT(json),
     .help = "print JSON Lines: one trial per line, with the edits from each "
             "parent"},
    {"output", 'o', OPTION_FILE, AT(output), "FILE",
     .help = "draw the family tree here, .dot, .svg or .png"},
    {"format", 'f', OPTION_CHOICE, AT(format), "FORMAT",
     .choices = picture_formats,
     .help = "format of the drawing: dot, svg or png; without --output, the "
             "drawing is printed instead of the text"},
    {0},
};

static const struct example examples[] = {
    {"study lineage digits.study 41", "how trial 41 came to be"},
    {"study lineage digits.study 41 -o tree.svg", "the same as a drawing"},
    {"study lineage --depth 1 --json digits.study 41", "its parents alone"},
    {0},
};
/* clang-format on */

/* ---- gathering ---- */

/* Of the person that was fetched last. */
static enum sepx_err
mark_parents(struct family *family, int64_t trial, uint32_t depth,
             struct sepx_msg *msg)
{
    const struct person *person = &family->person[family->count - 1];

    for (int i = 0; i < 2; i++) {
        int64_t parent = person->parent[i];

        if (parent >= trial)
            return sepx_fail(msg, SEPX_EDATA,
                             "%s: trial %lld has a parent that is younger",
                             family->s->path, (long long)trial);
        if (parent >= 0 &&
            (!family->depth[parent] || family->depth[parent] > depth))
            family->depth[parent] = depth;
    }
    return SEPX_OK;
}

/* Parents are older than their children, so one way back finds them all. */
static enum sepx_err
gather(struct family *family, uint32_t trial, int64_t depth,
       struct sepx_msg *msg)
{
    enum sepx_err err;

    err = family_fetch(family, trial, msg);
    if (err)
        return err;
    family->depth = calloc((size_t)trial + 1, sizeof *family->depth);
    if (!family->depth)
        return SEPX_ENOMEM;
    family->depth[trial] = 1;
    for (int64_t at = trial; at >= 0 && !err; at--) {
        uint32_t here = family->depth[at];

        if (here && at < trial)
            err = family_fetch(family, (uint32_t)at, msg);
        if (here && !err && (depth < 0 || here <= depth))
            err = mark_parents(family, at, here + 1, msg);
    }
    return err;
}

/* ---- the answer ---- */

static void
print_person(struct out *out, const struct person *person)
{
    out_print(out, "trial %u: %s", person->trial, person->op);
    for (int i = 0; i < 2 && person->parent[i] >= 0; i++)
        out_print(out, "%s%lld", i ? " and " : " of ",
                  (long long)person->parent[i]);
    if (person->told && !isnan(person->value))
        out_print(out, ", %.12g", person->value);
    else
        out_print(out, ", %s", person->told ? "no score" : "under way");
    out_print(out, "\n");
}

static enum sepx_err
put_person(struct family *family, const struct person *person,
           struct sepx_msg *msg)
{
    struct sepx_json_writer w;
    enum sepx_err err;

    sepx_json_begin(&w, &family->out.text);
    sepx_json_open(&w, '{');
    sepx_json_add_integer(&w, "trial", person->trial);
    sepx_json_add_string(&w, "operator", person->op);
    sepx_json_add_number(&w, "value", person->told ? person->value : NAN);
    sepx_json_key(&w, "parents");
    sepx_json_open(&w, '[');
    err = family_show_edits(family, &w, person, msg);
    sepx_json_close(&w, ']');
    sepx_json_key(&w, "graph");
    sepx_graph_put_json(&w, &person->graph);
    sepx_json_close(&w, '}');
    out_print(&family->out, "\n");
    return err ? err : sepx_json_done(&w);
}

/* Ancestors whose edits are known, while those of the next are sought. */
struct share {
    size_t done, total;
};

static bool
show(void *context, double lower, double upper)
{
    const struct share *share = context;

    (void)lower, (void)upper;
    progress_show("ancestors", share->done, share->total);
    return true;
}

/* The edits of person `i` are next; the oldest comes first. */
static void
note_share(const struct family *family, size_t i)
{
    struct share *share = family->context;

    *share = (struct share){family->count - 1 - i, family->count};
    (void)show(share, 0, 0);
}

/* The oldest first. */
static enum sepx_err
answer(struct family *family, bool json, struct sepx_msg *msg)
{
    enum sepx_err err = SEPX_OK;

    for (size_t i = family->count; i-- > 0 && !err;) {
        const struct person *person = &family->person[i];

        note_share(family, i);
        if (json) {
            err = put_person(family, person, msg);
            continue;
        }
        print_person(&family->out, person);
        err = family_show_edits(family, NULL, person, msg);
    }
    return err;
}

/* ---- a drawing ---- */

#define GAP "\xc2\xa0" /* U+00A0, between an arrow and its text */

enum { EDITS_SHOWN = 2 }; /* on an arrow; of more, their number */

static enum sepx_err
draw_person(struct sepx_text *dot, const struct person *person, bool asked)
{
    struct out text = {0};
    enum sepx_err err;

    out_print(&text, "trial %u\n%s\n", person->trial, person->op);
    if (person->told && !isnan(person->value))
        out_print(&text, "%.6g", person->value);
    else
        out_print(&text, "%s", person->told ? "no score" : "under way");
    err = text.err;
    if (!err)
        err = sepx_text_print(dot, "    t%u [label=", person->trial);
    if (!err)
        err = sepx_dot_quote(dot, text.text.at);
    if (!err)
        err = sepx_text_print(dot, " fillcolor=\"#f5f6f8\"%s];\n",
                              asked ? " color=\"#00558a\" penwidth=2.5" : "");
    out_release(&text);
    return err;
}

static enum sepx_err
draw_edits(struct family *family, struct sepx_text *dot,
           const struct person *parent, const struct person *child,
           struct sepx_msg *msg)
{
    struct sepx_path path = {0};
    struct out text = {0};
    double lower;
    enum sepx_err err = family_edits(family, &path, &lower, parent, child, msg);

    if (!err && path.len && path.len <= EDITS_SHOWN) {
        for (size_t i = 0; i < path.len; i++) {
            out_print(&text, GAP);
            edit_print(&text, &path.edit[i], &parent->graph);
        }
        if (text.text.len) /* the end of the last line */
            text.text.at[--text.text.len] = '\0';
    } else {
        out_print(&text, GAP "%zu edits", path.len);
    }
    if (!err)
        err = text.err;
    if (!err)
        err = sepx_text_print(dot, "    t%u -> t%u [label=", parent->trial,
                              child->trial);
    if (!err)
        err = sepx_dot_quote(dot, text.text.at);
    if (!err)
        err = sepx_text_print(dot, "];\n");
    out_release(&text);
    sepx_path_release(&path);
    return err;
}

static enum sepx_err
draw_family(struct family *family, struct sepx_text *dot, struct sepx_msg *msg)
{
    static const struct sepx_dot_mark *const no_legend[] = {NULL};
    const uint32_t trial = family->person[0].trial;
    char title[64];
    enum sepx_err err;

    snprintf(title, sizeof title, "How trial %u came to be", trial);
    err = sepx_dot_begin(dot, title, no_legend);
    for (size_t i = family->count; i-- > 0 && !err;)
        err = draw_person(dot, &family->person[i], i == 0);
    for (size_t i = family->count; i-- > 0 && !err;) {
        const struct person *child = &family->person[i];

        note_share(family, i);
        for (int k = 0; k < 2 && !err; k++) {
            const struct person *parent = family_find(family, child->parent[k]);

            if (parent && (!k || child->parent[0] != child->parent[1]))
                err = draw_edits(family, dot, parent, child, msg);
        }
    }
    return err ? err : sepx_dot_end(dot);
}

static int
draw(struct family *family, const struct settings *settings,
     struct sepx_msg *msg)
{
    struct sepx_text dot = {0};
    const char *format;
    int status = picture_format("study lineage", &format, settings->format,
                                settings->output);
    enum sepx_err err = SEPX_OK;

    if (!status)
        err = draw_family(family, &dot, msg);
    if (err)
        status = cli_fail("study lineage", err, msg);
    else if (!status)
        status = picture_write("study lineage", &dot, format, settings->output);
    sepx_text_release(&dot);
    return status;
}

/* ---- the command ---- */

static int
tell(struct study *s, uint32_t trial, const struct settings *settings)
{
    struct share share = {0};
    struct family family = {.s = s, .watch = show, .context = &share};
    struct sepx_msg msg = {0};
    enum sepx_err err = family_open(&family, &msg);
    int status;

    if (!err)
        err = gather(&family, trial, settings->depth, &msg);
    if (!err && (settings->output || settings->format)) {
        status = draw(&family, settings, &msg);
    } else {
        if (!err)
            err = answer(&family, settings->json, &msg);
        status =
            err ? cli_fail("study lineage", err, &msg) : out_flush(&family.out);
    }
    family_close(&family);
    return status;
}

static int
run(const struct call *call)
{
    const struct settings *settings = call->settings;
    uint32_t trial;
    struct study s;
    int status = family_trial(&trial, "study lineage", call->operand[1]);

    if (status)
        return status;
    if (settings->json && (settings->output || settings->format))
        return cli_usage("study lineage", "--json is text, and --output and "
                                          "--format are for drawings");
    status = study_open(&s, "study lineage", call->operand[0], false);
    if (!status)
        status = tell(&s, trial, settings);
    study_close(&s);
    return status;
}

static const char *const synopsis[] = {"[OPTION...] STUDY TRIAL", NULL};

const struct command command_study_lineage = {
    .name = "study lineage",
    .group = GROUP_STUDIES,
    .summary = "show a trial's ancestors and the edits between them",
    COMMAND_PARTS,
    .about =
        "Every ancestor of a trial, the oldest first, and for each child the "
        "shortest edits that turn each parent into it. The edits are replayed "
        "before they are shown, and give the child (an isomorph of it). Nodes "
        "are numbered as in 'sepx ged --path': those of the parent keep their "
        "numbers, inserted ones follow.\n\n"
        "With --json, a line for each trial: trial, operator, value, parents "
        "(each with trial, exact, a proven lower bound of the edits, and "
        "edits) and graph.\n\n"
        "With -o, a drawing: a box for each trial, one or two edits on an "
        "arrow, of more their number. SVG and PNG are made by Graphviz's "
        "'dot'.",
    .least_operands = 2,
    .most_operands = 2,
    .settings_size = sizeof(struct settings),
};
