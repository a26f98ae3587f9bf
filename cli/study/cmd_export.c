/* SPDX-License-Identifier: Apache-2.0 */
/* sepx study export: the trials of a study for other programs. */
#include "study/study_export.h"

#include <math.h>
#include <string.h>

static const char *const formats[] = {"csv",    "jsonl",       "dot", "graphml",
                                      "optuna", "tensorboard", NULL};

struct settings {
    const char *format;
    bool times, config;
};

#define AT(member) offsetof(struct settings, member)

/* clang-format off */
static const struct option options[] = {
    {"format", 'f', OPTION_CHOICE, AT(format), "FORMAT", "csv",
     .choices = formats,
     .help = "csv, with members of answers as columns; jsonl, which has the "
             "whole answers; dot or graphml, the family tree; optuna, a "
             "journal for its dashboard; tensorboard, an event file"},
    {"times", 0, OPTION_FLAG, AT(times),
     .help = "add slot, duration and end time of each trial, which differ "
             "from run to run"},
    {"config", 0, OPTION_FLAG, AT(config),
     .help = "write the settings instead of the trials, as a file for 'sepx "
             "study run --config'"},
    {0},
};

static const struct example examples[] = {
    {"study export digits.study > trials.csv", "for a spreadsheet or pandas"},
    {"study export --format jsonl --times digits.study", "everything there is"},
    {"study export --format dot digits.study | dot -Tsvg > family.svg",
     "who descends from whom"},
    {"study export --format optuna --times digits.study > digits.log",
     "for optuna-dashboard digits.log"},
    {"study export --format tensorboard digits.study > "
     "runs/events.out.tfevents.0", "for tensorboard --logdir runs"},
    {0},
};
/* clang-format on */

enum { FLUSH_BYTES = 1 << 16 };

/* ---- JSON Lines ---- */

static void
put_trial(struct sepx_json_writer *w, const char *key, int64_t trial)
{
    sepx_json_key(w, key);
    if (trial < 0)
        sepx_json_put_null(w);
    else
        sepx_json_put_integer(w, trial);
}

/* Text of the file that should be JSON, if it is. */
static void
put_json(struct sepx_json_writer *w, const char *key, const char *text)
{
    struct sepx_json *json = NULL;

    sepx_json_key(w, key);
    if (!text)
        sepx_json_put_null(w);
    else if (sepx_json_parse(&json, text, strlen(text), NULL))
        sepx_json_put_string(w, text);
    else
        sepx_json_put_raw(w, text);
    sepx_json_free(json);
}

/* Intermediate values as they were printed. */
static void
put_steps(struct sepx_json_writer *w, const struct study *s, const char *text)
{
    struct sepx_json *root = NULL;

    if (sepx_json_parse(&root, text, strlen(text), NULL))
        return;
    sepx_json_key(w, "steps");
    sepx_json_open(w, '[');
    for (size_t i = 0; i < sepx_json_size(root); i++) {
        const struct sepx_json *row = sepx_json_at(root, i);
        double value = sepx_json_number(sepx_json_at(row, 1), NAN);

        sepx_json_open(w, '[');
        sepx_json_put_integer(w, sepx_json_integer(sepx_json_at(row, 0), -1));
        sepx_json_put_number(w, study_value(s, value));
        sepx_json_close(w, ']');
    }
    sepx_json_close(w, ']');
    sepx_json_free(root);
}

static void
put_times(struct sepx_json_writer *w, const struct sepx_told *told)
{
    sepx_json_add_string(w, "slot", told->slot);
    sepx_json_add_number(w, "seconds", told->seconds);
    sepx_json_add_number(w, "finished", told->finished);
    sepx_json_add_number(w, "elapsed", told->elapsed);
}

void
study_put_members(struct sepx_json_writer *w, const struct study *s,
                  const struct sepx_entry *entry, bool times)
{
    const struct sepx_asked *asked = &entry->asked;
    const struct sepx_told *told = &entry->told;

    sepx_json_add_integer(w, "trial", asked->trial);
    sepx_json_add_string(w, "operator", asked->op);
    put_trial(w, "parent1", asked->parent[0]);
    put_trial(w, "parent2", asked->parent[1]);
    sepx_json_add_number(w, "fidelity", asked->fidelity);
    sepx_json_add_string(w, "outcome", entry->is_told ? told->outcome : NULL);
    if (entry->is_told) {
        sepx_json_add_number(w, "value", study_value(s, told->value));
        sepx_json_add_number(w, "test", study_value(s, told->test));
        study_put_numbers(w, s, told);
        sepx_json_add_number(w, "cost", told->cost);
        put_trial(w, "cached", told->cached);
        put_json(w, "answer", told->answer);
        sepx_json_add_string(w, "errors", told->errors);
        if (told->steps)
            put_steps(w, s, told->steps);
        if (times)
            put_times(w, told);
    }
    put_json(w, "graph", asked->graph);
}

void
study_put_trial(struct sepx_json_writer *w, const struct study *s,
                const struct sepx_entry *entry, bool times)
{
    sepx_json_open(w, '{');
    study_put_members(w, s, entry, times);
    sepx_json_close(w, '}');
}

static enum sepx_err
write_jsonl(struct out *out, struct export *x, const struct sepx_entry *entry)
{
    struct sepx_json_writer w;
    enum sepx_err err;

    sepx_json_begin(&w, &out->text);
    study_put_trial(&w, x->s, entry, x->times);
    err = sepx_json_done(&w);
    out_print(out, "\n");
    return err;
}

/* ---- CSV ---- */

void
study_csv_number(struct out *out, double value)
{
    struct sepx_json_writer w;

    out_print(out, ",");
    if (isnan(value) || out->err)
        return;
    sepx_json_begin(&w, &out->text); /* the shortest text that is exact */
    sepx_json_put_number(&w, value);
    out->err = sepx_json_done(&w);
}

static void
print_trial(struct out *out, int64_t trial)
{
    if (trial < 0)
        out_print(out, ",");
    else
        out_print(out, ",%lld", (long long)trial);
}

static enum sepx_err
write_csv(struct out *out, struct export *x, const struct sepx_entry *entry)
{
    static const struct sepx_told none = {.value = NAN,
                                          .test = NAN,
                                          .cost = NAN,
                                          .cached = -1,
                                          .outcome = "",
                                          .seconds = NAN,
                                          .finished = NAN,
                                          .elapsed = NAN};
    const struct study *s = x->s;
    const struct sepx_asked *asked = &entry->asked;
    const struct sepx_told *told = entry->is_told ? &entry->told : &none;
    enum sepx_err err;

    out_print(out, "%u", asked->trial);
    out_print(out, ",");
    out_print_field(out, asked->op);
    print_trial(out, asked->parent[0]);
    print_trial(out, asked->parent[1]);
    study_csv_number(out, asked->fidelity);
    out_print(out, ",");
    out_print_field(out, told->outcome);
    study_csv_number(out, study_value(s, told->value));
    study_csv_number(out, study_value(s, told->test));
    study_csv_number(out, told->cost);
    print_trial(out, told->cached);
    study_csv_numbers(out, s, told);
    err = export_key_values(out, x, told->answer);
    if (x->times) {
        out_print(out, ",");
        out_print_quoted(out, told->slot ? told->slot : "");
        study_csv_number(out, told->seconds);
        study_csv_number(out, told->finished);
        study_csv_number(out, told->elapsed);
    }
    out_print(out, ",");
    out_print_quoted(out, asked->graph);
    out_print(out, "\n");
    return err;
}

/* ---- DOT ---- */

/* Three lines: trial, operator, and value or outcome. */
static void
print_label(struct out *out, const struct study *s,
            const struct sepx_entry *entry)
{
    struct out label = {0};

    out_print(&label, "%u\n%s\n", entry->asked.trial, entry->asked.op);
    if (entry->is_told && !isnan(entry->told.value))
        out_print(&label, "%.6g", study_value(s, entry->told.value));
    else if (entry->is_told)
        out_print(&label, "%s", entry->told.outcome);
    if (!label.err && !out->err)
        label.err = sepx_dot_quote(&out->text, label.text.at);
    if (!out->err)
        out->err = label.err;
    out_release(&label);
}

static enum sepx_err
write_dot(struct out *out, struct export *x, const struct sepx_entry *entry)
{
    const struct sepx_asked *asked = &entry->asked;

    out_print(out, "  t%u [label=", asked->trial);
    print_label(out, x->s, entry);
    out_print(out, "%s];\n",
              entry->is_told && entry->told.cached >= 0
                  ? ", style=\"rounded,filled,dashed\""
                  : "");
    for (int i = 0; i < 2; i++) {
        if (asked->parent[i] >= 0)
            out_print(out, "  t%lld -> t%u;\n", (long long)asked->parent[i],
                      asked->trial);
    }
    return SEPX_OK;
}

/* ---- the command ---- */

/* Fonts and boxes as in drawings of graphs. */
#define DOT_HEAD \
    "digraph study {\n  node [fontname=\"Helvetica,Arial,sans-serif\", " \
    "fontsize=11, fontcolor=\"#1c1f24\", color=\"#5b626d\", shape=box, " \
    "style=\"rounded,filled\", fillcolor=\"#eceef1\"];\n" \
    "  edge [color=\"#5b626d\", arrowsize=0.7];\n"

#define GRAPHML_HEAD \
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" \
    "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n" \
    "  <key id=\"label\" for=\"node\" attr.name=\"label\" " \
    "attr.type=\"string\"/>\n" \
    "  <key id=\"outcome\" for=\"node\" attr.name=\"outcome\" " \
    "attr.type=\"string\"/>\n" \
    "  <key id=\"value\" for=\"node\" attr.name=\"value\" " \
    "attr.type=\"double\"/>\n" \
    "  <key id=\"graph\" for=\"node\" attr.name=\"graph\" " \
    "attr.type=\"string\"/>\n" \
    "  <graph edgedefault=\"directed\">\n"

static enum sepx_err
csv_head(struct out *out, struct export *x, struct sepx_msg *msg)
{
    enum sepx_err err = export_find_keys(x, msg);

    study_csv_names(out, x->s);
    export_key_names(out, x);
    out_print(out,
              x->times ? ",slot,seconds,finished,elapsed,graph\n" : ",graph\n");
    return err;
}

/* Edges behind all nodes, as readers of GraphML want them. */
static enum sepx_err
graphml_edges(struct out *out, struct export *x, const struct sepx_entry *entry)
{
    (void)x;
    for (int i = 0; i < 2; i++)
        if (entry->asked.parent[i] >= 0)
            out_print(out, "    <edge source=\"t%lld\" target=\"t%u\"/>\n",
                      (long long)entry->asked.parent[i], entry->asked.trial);
    return SEPX_OK;
}

typedef enum sepx_err write_row(struct out *out, struct export *x,
                                const struct sepx_entry *entry);

static const struct writer {
    const char *head, *foot;
    enum sepx_err (*begin)(struct out *out, struct export *x,
                           struct sepx_msg *msg); /* NULL: nothing more */
    write_row *row, *again; /* `again`: on a second walk; NULL: none */
} writers[] = {
    {"trial,operator,parent1,parent2,fidelity,outcome,value,test,cost,cached",
     "", csv_head, write_csv, NULL},
    {"", "", NULL, write_jsonl, NULL},
    {DOT_HEAD, "}\n", NULL, write_dot, NULL},
    {GRAPHML_HEAD, "  </graph>\n</graphml>\n", NULL, export_graphml,
     graphml_edges},
    {"", "", export_optuna_head, export_optuna, NULL},
    {"", "", export_events_head, export_events, NULL},
};

/* Every trial by `row`. */
static int
walk(struct out *out, struct export *x, write_row *row)
{
    struct sepx_cursor *cursor = NULL;
    struct sepx_entry entry;
    struct sepx_msg msg = {0};
    bool more = true;
    int status = CLI_DONE;
    enum sepx_err err =
        sepx_store_read(x->s->store, &cursor, SEPX_STORE_TRIALS, 0, &msg);

    while (!err && !status) {
        err = sepx_cursor_next(cursor, &entry, &more, &msg);
        if (err || !more)
            break;
        err = row(out, x, &entry);
        if (out->text.len > FLUSH_BYTES)
            status = out_flush(out);
    }
    sepx_cursor_free(cursor);
    return err ? cli_fail("study export", err, &msg) : status;
}

static int
write_rows(struct study *s, const struct settings *settings)
{
    struct export x = {.s = s, .times = settings->times, .best = NAN};
    const struct writer *writer = writers;
    struct sepx_msg msg = {0};
    struct out out = {0};
    enum sepx_err err = SEPX_OK;
    int status;

    for (int i = 0; strcmp(formats[i], settings->format) != 0; i++)
        writer++;
    out_print(&out, "%s", writer->head);
    if (writer->begin)
        err = writer->begin(&out, &x, &msg);
    status =
        err ? cli_fail("study export", err, &msg) : walk(&out, &x, writer->row);
    if (!status && writer->again)
        status = walk(&out, &x, writer->again);
    out_print(&out, "%s", writer->foot);
    if (!status)
        status = out_flush(&out);
    out_release(&out);
    export_release(&x);
    return status;
}

static int
write_config(const struct study *s)
{
    struct out out = {0};
    enum sepx_err err = study_config_write(&out, s);
    int status = err ? cli_fail("study export", err, NULL) : out_flush(&out);

    out_release(&out);
    return status;
}

static int
run(const struct call *call)
{
    const struct settings *settings = call->settings;
    struct study s;
    int status = study_open(&s, "study export", call->operand[0], false);

    if (!status)
        status = settings->config ? write_config(&s) : write_rows(&s, settings);
    study_close(&s);
    return status;
}

static const char *const synopsis[] = {"[OPTION...] STUDY", NULL};

const struct command command_study_export = {
    .name = "study export",
    .group = GROUP_STUDIES,
    .summary = "write the trials of a study for other programs",
    COMMAND_PARTS,
    .about =
        "One row for each trial, in the order of trials: trial, operator, "
        "parent1, parent2, fidelity, outcome, value, test, cost, cached (the "
        "isomorphic trial whose result it got) and graph. With several "
        "objectives, value is the first of them; before graph come all "
        "numbers by their names, and the violation of constraints. Without "
        "--times the "
        "bytes are the same for any number of workers and through any number "
        "of interruptions, if the evaluator's answers are.",
    .least_operands = 1,
    .most_operands = 1,
    .settings_size = sizeof(struct settings),
};
