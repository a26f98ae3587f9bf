/* SPDX-License-Identifier: Apache-2.0 */
/* sepx status: how a study stands. */
#include "study.h"

#include <math.h>
#include <string.h>

struct settings {
    bool json;
};

/* clang-format off */
static const struct option options[] = {
    {"json", 'j', OPTION_FLAG, offsetof(struct settings, json),
     .help = "one JSON object"},
    {0},
};

static const struct example examples[] = {
    {"status digits.study", "how far it is, the best score, its curve"},
    {"status --json digits.study", "the same for a script"},
    {0},
};
/* clang-format on */

/* ---- parts ---- */

void
study_print_time(struct out *out, double seconds)
{
    unsigned whole = (unsigned)fmin(seconds, 4e9);

    if (seconds < 60)
        out_print(out, "%.1f s", seconds);
    else if (whole < 3600)
        out_print(out, "%um %02us", whole / 60, whole % 60);
    else
        out_print(out, "%uh %02um", whole / 3600, whole / 60 % 60);
}

void
study_print_curve(struct out *out, const struct study *s,
                  const struct sepx_study_summary *summary, size_t width)
{
    static const char *const blocks[] = {"▁", "▂", "▃", "▄",
                                         "▅", "▆", "▇", "█"};
    size_t count = summary->n_curve;
    const double *curve = summary->curve;
    size_t first = 0;
    double range;

    while (first < count && isnan(curve[first]))
        first++;
    if (first == count)
        return;
    range = curve[first] - curve[count - 1];
    if (width > count - first)
        width = count - first;
    for (size_t i = 0; i < width; i++) {
        double at = curve[first + i * (count - 1 - first) / width];
        double share = range > 0 ? (at - curve[count - 1]) / range : 0;

        if (i + 1 == width)
            share = 0;
        if (s->maximize)
            share = 1 - share;
        out_print(out, "%s", blocks[(int)(share * 7.999)]);
    }
}

static int64_t
option_of(const struct study *s, const char *key)
{
    const char *text = sepx_store_options(s->store);
    struct sepx_json *json = NULL;
    int64_t value = 0;

    if (text && !sepx_json_parse(&json, text, strlen(text), NULL))
        value = sepx_json_integer(sepx_json_get(json, key), 0);
    sepx_json_free(json);
    return value;
}

/* ---- for a person ---- */

static void
print_trials(struct out *out, const struct sepx_study_summary *sum,
             int64_t evals)
{
    const char *comma = ": ";

    out_print(out, "trials    %u of %lld", sum->told, (long long)evals);
    for (int i = 0; i <= SEPX_CANCELLED; i++) {
        if (!sum->outcome[i])
            continue;
        out_print(out, "%s%u %s", comma, sum->outcome[i],
                  sepx_outcome_name((enum sepx_outcome)i));
        comma = ", ";
    }
    if (sum->cached)
        out_print(out, "; %u cached", sum->cached);
    if (sum->asked > sum->told)
        out_print(out, "; %u under way", sum->asked - sum->told);
    out_print(out, "\n");
}

static void
print_operators(struct out *out, const struct sepx_study_summary *sum)
{
    if (!sum->n_ops)
        return;
    out_print(out, "\n%-12s %8s %8s %10s\n", "operator", "asked", "told",
              "new bests");
    for (uint32_t i = 0; i < sum->n_ops; i++)
        out_print(out, "%-12s %8u %8u %10u\n", sum->op[i].name,
                  sum->op[i].asked, sum->op[i].told, sum->op[i].improved);
}

static const char *
state_of(const struct study *s, const struct sepx_study_summary *sum,
         int64_t evals)
{
    if (sepx_store_writer(s->store) >= 0)
        return "running";
    return sum->told >= evals ? "finished" : "stopped";
}

static void
print_text(struct out *out, const struct study *s,
           const struct sepx_study_summary *sum)
{
    const struct sepx_study_settings *set = sepx_study_settings(s->study);
    int64_t evals = option_of(s, "evals");
    uint32_t evaluated = sum->told - sum->cached;

    out_print(out, "study     %s: %s\n", s->path, state_of(s, sum, evals));
    out_print(out, "search    %s on %s, seed %llu, window %u%s\n", set->method,
              set->space, (unsigned long long)set->seed, set->window,
              set->async ? ", async" : "");
    out_print(out, "evaluator %s%s\n",
              set->eval ? set->eval : "a function of another program",
              set->program.maximize ? ", maximized" : "");
    print_trials(out, sum, evals);
    out_print(out, "time      ");
    study_print_time(out, sum->elapsed);
    if (evaluated) {
        out_print(out, ", ");
        study_print_time(out, sum->evaluating / evaluated);
        out_print(out, " an evaluation");
    }
    out_print(out, "\n");
    if (!isnan(sum->best)) {
        out_print(out, "best      %.12g, trial %u\ncurve     ",
                  study_value(s, sum->best), sum->best_trial);
        study_print_curve(out, s, sum, 60);
        out_print(out, "\n");
    }
    print_operators(out, sum);
}

/* ---- JSON ---- */

static void
put_count(struct sepx_json_writer *w, const char *key, int64_t value)
{
    sepx_json_key(w, key);
    sepx_json_put_integer(w, value);
}

static void
put_operators(struct sepx_json_writer *w, const struct sepx_study_summary *sum)
{
    sepx_json_key(w, "operators");
    sepx_json_open(w, '[');
    for (uint32_t i = 0; i < sum->n_ops; i++) {
        sepx_json_open(w, '{');
        sepx_json_key(w, "name");
        sepx_json_put_string(w, sum->op[i].name);
        put_count(w, "asked", sum->op[i].asked);
        put_count(w, "told", sum->op[i].told);
        put_count(w, "improved", sum->op[i].improved);
        sepx_json_close(w, '}');
    }
    sepx_json_close(w, ']');
}

static void
put_counts(struct sepx_json_writer *w, const struct study *s,
           const struct sepx_study_summary *sum)
{
    int64_t evals = option_of(s, "evals");

    sepx_json_key(w, "state");
    sepx_json_put_string(w, state_of(s, sum, evals));
    put_count(w, "evals", evals);
    put_count(w, "asked", sum->asked);
    put_count(w, "told", sum->told);
    put_count(w, "cached", sum->cached);
    sepx_json_key(w, "outcomes");
    sepx_json_open(w, '{');
    for (int i = 0; i < SEPX_CANCELLED; i++)
        put_count(w, sepx_outcome_name((enum sepx_outcome)i), sum->outcome[i]);
    sepx_json_close(w, '}');
}

static enum sepx_err
put_status(struct out *out, const struct study *s,
           const struct sepx_study_summary *sum)
{
    struct sepx_json_writer w;
    bool found = !isnan(sum->best);

    sepx_json_begin(&w, &out->text);
    sepx_json_open(&w, '{');
    sepx_json_key(&w, "study");
    sepx_json_put_string(&w, s->path);
    put_counts(&w, s, sum);
    sepx_json_key(&w, "best");
    sepx_json_put_number(&w, study_value(s, sum->best));
    sepx_json_key(&w, "best_trial");
    if (found)
        sepx_json_put_integer(&w, sum->best_trial);
    else
        sepx_json_put_null(&w);
    sepx_json_key(&w, "elapsed");
    sepx_json_put_number(&w, sum->elapsed);
    sepx_json_key(&w, "evaluating");
    sepx_json_put_number(&w, sum->evaluating);
    put_operators(&w, sum);
    sepx_json_key(&w, "settings");
    sepx_json_put_raw(&w, sepx_store_settings(s->store));
    sepx_json_key(&w, "options");
    sepx_json_put_raw(&w, sepx_store_options(s->store)
                              ? sepx_store_options(s->store)
                              : "null");
    sepx_json_close(&w, '}');
    out_print(out, "\n");
    return sepx_json_done(&w);
}

/* ---- the command ---- */

int
study_print_status(struct study *s, bool json)
{
    struct sepx_study_summary summary = {0};
    struct sepx_msg msg = {0};
    struct out out = {0};
    enum sepx_err err = sepx_study_summarize(&summary, s->study, &msg);
    int status;

    if (!err && json)
        err = put_status(&out, s, &summary);
    else if (!err)
        print_text(&out, s, &summary);
    status = err ? cli_fail(s->command, err, &msg) : out_flush(&out);
    sepx_study_summary_release(&summary);
    out_release(&out);
    return status;
}

static int
run(const struct call *call)
{
    const struct settings *settings = call->settings;
    struct study s;
    int status = study_open(&s, "status", call->operand[0], false);

    if (!status)
        status = study_print_status(&s, settings->json);
    study_close(&s);
    return status;
}

static const char *const synopsis[] = {"[OPTION...] STUDY", NULL};

const struct command command_status = {
    .name = "status",
    .summary = "show how a study stands",
    .synopsis = synopsis,
    .about =
        "Reads the file of a study, which may be running meanwhile: trials by "
        "outcome, time, the best score, how it came down, and what each "
        "operator did. Trials are counted in their order, so the answer is "
        "the same whichever ended first.\n\n"
        "With --json: study, state (running, stopped, finished), evals, asked, "
        "told, cached, outcomes, best, best_trial, elapsed, evaluating, "
        "operators, settings, options.",
    .options = options,
    .examples = examples,
    .least_operands = 1,
    .most_operands = 1,
    .settings_size = sizeof(struct settings),
    .run = run,
};
