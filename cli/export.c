/* SPDX-License-Identifier: Apache-2.0 */
/* sepx export: the trials of a study for other programs. */
#include "study.h"

#include <math.h>
#include <string.h>

static const char *const formats[] = {"csv", "jsonl", "dot", NULL};

struct settings {
    const char *format;
    bool times;
};

#define AT(member) offsetof(struct settings, member)

/* clang-format off */
static const struct option options[] = {
    {"format", 'f', OPTION_CHOICE, AT(format), "FORMAT", "csv",
     .choices = formats,
     .help = "csv; jsonl, which has the evaluator's whole answers, too; or "
             "dot, the family tree"},
    {"times", 't', OPTION_FLAG, AT(times),
     .help = "also slot, seconds and when it ended, which differ from run to "
             "run"},
    {0},
};

static const struct example examples[] = {
    {"export digits.study > trials.csv", "for a spreadsheet or pandas"},
    {"export --format jsonl --times digits.study", "everything there is"},
    {"export --format dot digits.study | dot -Tsvg > family.svg",
     "who descends from whom"},
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

static void
put_number(struct sepx_json_writer *w, const char *key, double value)
{
    sepx_json_key(w, key);
    sepx_json_put_number(w, value);
}

static void
put_text(struct sepx_json_writer *w, const char *key, const char *text)
{
    sepx_json_key(w, key);
    if (text)
        sepx_json_put_string(w, text);
    else
        sepx_json_put_null(w);
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

static void
put_times(struct sepx_json_writer *w, const struct sepx_told *told)
{
    put_text(w, "slot", told->slot);
    put_number(w, "seconds", told->seconds);
    put_number(w, "finished", told->finished);
    put_number(w, "elapsed", told->elapsed);
}

void
study_put_trial(struct sepx_json_writer *w, const struct study *s,
                const struct sepx_entry *entry, bool times)
{
    const struct sepx_asked *asked = &entry->asked;
    const struct sepx_told *told = &entry->told;

    sepx_json_open(w, '{');
    sepx_json_key(w, "trial");
    sepx_json_put_integer(w, asked->trial);
    put_text(w, "operator", asked->op);
    put_trial(w, "parent1", asked->parent[0]);
    put_trial(w, "parent2", asked->parent[1]);
    put_number(w, "fidelity", asked->fidelity);
    put_text(w, "outcome", entry->is_told ? told->outcome : NULL);
    if (entry->is_told) {
        put_number(w, "value", study_value(s, told->value));
        put_number(w, "test", study_value(s, told->test));
        put_number(w, "cost", told->cost);
        put_trial(w, "cached", told->cached);
        put_json(w, "answer", told->answer);
        put_text(w, "errors", told->errors);
        if (times)
            put_times(w, told);
    }
    put_json(w, "graph", asked->graph);
    sepx_json_close(w, '}');
}

static enum sepx_err
write_jsonl(struct out *out, const struct study *s,
            const struct sepx_entry *entry, bool times)
{
    struct sepx_json_writer w;
    enum sepx_err err;

    sepx_json_begin(&w, &out->text);
    study_put_trial(&w, s, entry, times);
    err = sepx_json_done(&w);
    out_print(out, "\n");
    return err;
}

/* ---- CSV ---- */

static void
print_number(struct out *out, double value)
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

/* RFC 4180. */
static void
print_quoted(struct out *out, const char *text)
{
    out_print(out, ",\"");
    for (const char *c = text ? text : ""; *c; c++)
        out_print(out, *c == '"' ? "\"\"" : "%c", *c);
    out_print(out, "\"");
}

static enum sepx_err
write_csv(struct out *out, const struct study *s,
          const struct sepx_entry *entry, bool times)
{
    static const struct sepx_told none = {.value = NAN,
                                          .test = NAN,
                                          .cost = NAN,
                                          .cached = -1,
                                          .outcome = "",
                                          .seconds = NAN,
                                          .finished = NAN,
                                          .elapsed = NAN};
    const struct sepx_asked *asked = &entry->asked;
    const struct sepx_told *told = entry->is_told ? &entry->told : &none;

    out_print(out, "%u,%s", asked->trial, asked->op);
    print_trial(out, asked->parent[0]);
    print_trial(out, asked->parent[1]);
    print_number(out, asked->fidelity);
    out_print(out, ",%s", told->outcome);
    print_number(out, study_value(s, told->value));
    print_number(out, study_value(s, told->test));
    print_number(out, told->cost);
    print_trial(out, told->cached);
    if (times) {
        print_quoted(out, told->slot);
        print_number(out, told->seconds);
        print_number(out, told->finished);
        print_number(out, told->elapsed);
    }
    print_quoted(out, asked->graph);
    out_print(out, "\n");
    return SEPX_OK;
}

/* ---- DOT ---- */

static enum sepx_err
write_dot(struct out *out, const struct study *s,
          const struct sepx_entry *entry, bool times)
{
    const struct sepx_asked *asked = &entry->asked;

    (void)times;
    out_print(out, "  t%u [label=\"%u\\n%s", asked->trial, asked->trial,
              asked->op);
    if (entry->is_told && !isnan(entry->told.value))
        out_print(out, "\\n%.6g", study_value(s, entry->told.value));
    else
        out_print(out, "\\n%s", entry->is_told ? entry->told.outcome : "");
    out_print(out, "\"%s];\n",
              entry->is_told && entry->told.cached >= 0 ? ", style=dashed"
                                                        : "");
    for (int i = 0; i < 2; i++) {
        if (asked->parent[i] >= 0)
            out_print(out, "  t%lld -> t%u;\n", (long long)asked->parent[i],
                      asked->trial);
    }
    return SEPX_OK;
}

/* ---- the command ---- */

static const struct {
    const char *head, *head_times, *foot;
    enum sepx_err (*row)(struct out *out, const struct study *s,
                         const struct sepx_entry *entry, bool times);
} writers[] = {
    {"trial,operator,parent1,parent2,fidelity,outcome,value,test,cost,cached,"
     "graph\n",
     "trial,operator,parent1,parent2,fidelity,outcome,value,test,cost,cached,"
     "slot,seconds,finished,elapsed,graph\n",
     "", write_csv},
    {"", "", "", write_jsonl},
    {"digraph study {\n  node [shape=box];\n",
     "digraph study {\n  node [shape=box];\n", "}\n", write_dot},
};

static int
write_rows(const struct study *s, struct sepx_cursor *cursor,
           const struct settings *settings)
{
    struct out out = {0};
    struct sepx_entry entry;
    struct sepx_msg msg = {0};
    enum sepx_err err;
    bool more = true;
    int status = CLI_DONE, format = 0;

    while (strcmp(formats[format], settings->format) != 0)
        format++;
    out_print(&out, "%s",
              settings->times ? writers[format].head_times
                              : writers[format].head);
    while (!status) {
        err = sepx_cursor_next(cursor, &entry, &more, &msg);
        if (!err && !more)
            break;
        if (!err)
            err = writers[format].row(&out, s, &entry, settings->times);
        if (err)
            status = cli_fail("export", err, &msg);
        else if (out.text.len > FLUSH_BYTES)
            status = out_flush(&out);
    }
    out_print(&out, "%s", writers[format].foot);
    if (!status)
        status = out_flush(&out);
    out_release(&out);
    return status;
}

static int
run(const struct call *call)
{
    struct sepx_cursor *cursor = NULL;
    struct sepx_msg msg = {0};
    struct study s;
    int status = study_open(&s, "export", call->operand[0], false);

    if (!status) {
        enum sepx_err err =
            sepx_store_read(s.store, &cursor, SEPX_STORE_TRIALS, 0, &msg);

        status = err ? cli_fail("export", err, &msg)
                     : write_rows(&s, cursor, call->settings);
    }
    sepx_cursor_free(cursor);
    study_close(&s);
    return status;
}

static const char *const synopsis[] = {"[OPTION...] STUDY", NULL};

const struct command command_export = {
    .name = "export",
    .summary = "write the trials of a study as CSV, JSON Lines or DOT",
    .synopsis = synopsis,
    .about =
        "One row for each trial, in the order of trials: trial, operator, "
        "parent1, parent2, fidelity, outcome, value, test, cost, cached (the "
        "isomorphic trial whose result it got) and graph. Without --times the "
        "bytes are the same for any number of workers and through any number "
        "of interruptions, if the evaluator's answers are.",
    .options = options,
    .examples = examples,
    .least_operands = 1,
    .most_operands = 1,
    .settings_size = sizeof(struct settings),
    .run = run,
};
