/* SPDX-License-Identifier: Apache-2.0 */
/* sepx study status: how a study stands. */
#include "study/study_command.h"

#include <math.h>
#include <string.h>

/* clang-format off */
static const struct option options[] =
    JSON_OPTIONS("print one JSON object");

static const struct example examples[] = {
    {"study status digits.study", "how far it is, the best score, its curve"},
    {"study status --json digits.study", "the same for a script"},
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
    if (!out->err)
        out->err = sepx_text_add_sparkline(
            &out->text, summary->curve, summary->n_curve, width, s->maximize);
}

void
study_print_start(struct out *out, const struct sepx_study_summary *summary,
                  const char *before, const char *after)
{
    uint32_t done, total;

    if (sepx_study_starts(summary, &done, &total))
        out_print(out, "%srandom start %u of %u%s", before, done, total, after);
}

const struct sepx_study_failure *
study_last_failure(const struct sepx_study_summary *summary, uint32_t back)
{
    return &summary->failure[(summary->n_failures - 1 - back) %
                             SEPX_STUDY_FAILURES_MAX];
}

void
study_print_failure(struct out *out, const struct sepx_told *told)
{
    char line[sizeof(struct sepx_study_failure){0}.line];

    sepx_eval_error_line(line, sizeof line, told->errors ? told->errors : "");
    out_print(out, "  %s%s%s", told->outcome, *line ? ": " : "", line);
}

/* ---- for a person ---- */

static void
print_trials(struct out *out, const struct sepx_study_summary *sum,
             const struct sepx_study_plan *plan, bool running)
{
    const char *comma = ": ";

    if (plan->count_evaluations)
        out_print(out, "trials    %u with %u of %u evaluations", sum->told,
                  sum->told - sum->cached - sum->imported, plan->evals);
    else
        out_print(out, "trials    %u of %u", sum->told - sum->imported,
                  plan->evals);
    for (int i = 0; i <= SEPX_CANCELLED; i++) {
        if (!sum->outcome[i])
            continue;
        out_print(out, "%s%u %s", comma, sum->outcome[i],
                  sepx_outcome_name((enum sepx_outcome)i));
        comma = ", ";
    }
    if (sum->cached)
        out_print(out, "; %u cached", sum->cached);
    if (sum->imported)
        out_print(out, "; %u imported", sum->imported);
    if (sum->asked > sum->told)
        out_print(out, running ? "; %u under way" : "; %u interrupted",
                  sum->asked - sum->told);
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

/* The last of them; all are in the log. */
static void
print_failures(struct out *out, const struct study *s,
               const struct sepx_study_summary *sum)
{
    uint32_t shown = sum->n_failures;

    if (!sum->n_failures)
        return;
    if (shown > SEPX_STUDY_FAILURES_MAX)
        shown = SEPX_STUDY_FAILURES_MAX;
    out_print(out, "\nevaluations without a score: %u%s\n", sum->n_failures,
              shown < sum->n_failures ? ", the last of them" : "");
    for (uint32_t i = shown; i-- > 0;) {
        const struct sepx_study_failure *at = study_last_failure(sum, i);

        out_print(out, "  trial %u  %s%s%s\n", at->trial,
                  sepx_outcome_name(at->outcome), *at->line ? ": " : "",
                  at->line);
    }
    out_print(out, "all that one said: sepx study trial %s%s%s %u\n", s->quote,
              s->path, s->quote, study_last_failure(sum, 0)->trial);
}

static const char *
state_of(const struct study *s, const struct sepx_study_summary *sum,
         const struct sepx_study_plan *plan)
{
    if (sepx_store_writer(s->store) >= 0)
        return "running";
    return sepx_study_ended(sum, plan) ? "finished" : "stopped";
}

static void
print_goals(struct out *out, const struct sepx_study_settings *set)
{
    const char *const *word = set->objective;

    for (; word && *word; word++)
        out_print(out, "%s%s", word == set->objective ? "objective " : ", ",
                  *word);
    for (word = set->where; word && *word; word++)
        out_print(out, "%s%s",
                  word > set->where ? ", "
                  : set->objective  ? "; where "
                                    : "where     ",
                  *word);
    if (set->objective || set->where)
        out_print(out, "\n");
}

static void
print_text(struct out *out, const struct study *s,
           const struct sepx_study_summary *sum,
           const struct sepx_study_plan *plan)
{
    const struct sepx_study_settings *set = sepx_study_settings(s->study);
    uint32_t evaluated = sum->told - sum->cached - sum->imported;

    out_print(out, "study     %s: %s\n", s->path, state_of(s, sum, plan));
    out_print(out, "search    %s on %s, seed %llu, window %u%s\n", set->method,
              set->space, (unsigned long long)set->seed, set->window,
              set->async ? ", async" : "");
    out_print(out, "evaluator %s%s\n",
              set->eval ? set->eval : "a function of another program",
              set->program.maximize ? ", maximized" : "");
    if (sepx_store_shared(s->store) && set->eval &&
        study_starts_program(set->eval)) {
        char hash[SEPX_SHA256_HEX];

        sepx_sha256_hex(hash, set->eval, strlen(set->eval));
        out_print(out, "eval-hash %.16s\n", hash);
    }
    print_goals(out, set);
    print_trials(out, sum, plan, sepx_store_writer(s->store) >= 0);
    out_print(out, "time      ");
    study_print_time(out, sum->elapsed);
    if (evaluated) {
        out_print(out, ", ");
        study_print_time(out, sum->evaluating / evaluated);
        out_print(out, " an evaluation");
    }
    out_print(out, "\n");
    if (study_has_goals(s)) {
        study_print_front(out, s, sum);
    } else if (!isnan(sum->best)) {
        out_print(out, "best      %.12g, trial %u; %s\ncurve     ",
                  study_value(s, sum->best), sum->best_trial,
                  study_direction(s->maximize));
        study_print_curve(out, s, sum, 60);
        out_print(out, "\n");
    }
    study_print_start(out, sum, "phase     ", "\n");
    print_operators(out, sum);
    print_failures(out, s, sum);
}

/* ---- JSON ---- */

static void
put_operators(struct sepx_json_writer *w, const struct sepx_study_summary *sum)
{
    sepx_json_key(w, "operators");
    sepx_json_open(w, '[');
    for (uint32_t i = 0; i < sum->n_ops; i++) {
        sepx_json_open(w, '{');
        sepx_json_add_string(w, "name", sum->op[i].name);
        sepx_json_add_integer(w, "asked", sum->op[i].asked);
        sepx_json_add_integer(w, "told", sum->op[i].told);
        sepx_json_add_integer(w, "improved", sum->op[i].improved);
        sepx_json_close(w, '}');
    }
    sepx_json_close(w, ']');
}

static void
put_failures(struct sepx_json_writer *w, const struct sepx_study_summary *sum)
{
    uint32_t first = sum->n_failures;

    if (first > SEPX_STUDY_FAILURES_MAX)
        first = SEPX_STUDY_FAILURES_MAX;
    sepx_json_add_integer(w, "unscored", sum->n_failures);
    sepx_json_key(w, "failures");
    sepx_json_open(w, '[');
    for (uint32_t i = first; i-- > 0;) {
        const struct sepx_study_failure *at = study_last_failure(sum, i);

        sepx_json_open(w, '{');
        sepx_json_add_integer(w, "trial", at->trial);
        sepx_json_add_string(w, "outcome", sepx_outcome_name(at->outcome));
        sepx_json_add_string(w, "reason", at->line);
        sepx_json_close(w, '}');
    }
    sepx_json_close(w, ']');
}

static void
put_start(struct sepx_json_writer *w, const struct sepx_study_summary *sum)
{
    uint32_t done, total;

    sepx_json_key(w, "random_start");
    if (!sepx_study_starts(sum, &done, &total)) {
        sepx_json_put_null(w);
        return;
    }
    sepx_json_open(w, '{');
    sepx_json_add_integer(w, "done", done);
    sepx_json_add_integer(w, "total", total);
    sepx_json_close(w, '}');
}

static void
put_counts(struct sepx_json_writer *w, const struct study *s,
           const struct sepx_study_summary *sum,
           const struct sepx_study_plan *plan)
{
    sepx_json_add_string(w, "state", state_of(s, sum, plan));
    sepx_json_add_integer(w, "evals", plan->evals);
    sepx_json_add_integer(w, "asked", sum->asked);
    sepx_json_add_integer(w, "told", sum->told);
    sepx_json_add_integer(w, "cached", sum->cached);
    sepx_json_key(w, "outcomes");
    sepx_json_open(w, '{');
    for (int i = 0; i <= SEPX_CANCELLED; i++)
        sepx_json_add_integer(w, sepx_outcome_name((enum sepx_outcome)i),
                              sum->outcome[i]);
    sepx_json_close(w, '}');
    put_start(w, sum);
}

static enum sepx_err
put_status(struct out *out, const struct study *s,
           const struct sepx_study_summary *sum,
           const struct sepx_study_plan *plan, struct sepx_msg *msg)
{
    struct sepx_json_writer w;
    bool found = !isnan(sum->best);
    enum sepx_err err;

    sepx_json_begin(&w, &out->text);
    sepx_json_open(&w, '{');
    sepx_json_add_string(&w, "study", s->path);
    put_counts(&w, s, sum, plan);
    sepx_json_add_number(&w, "best", study_value(s, sum->best));
    sepx_json_key(&w, "best_trial");
    if (found)
        sepx_json_put_integer(&w, sum->best_trial);
    else
        sepx_json_put_null(&w);
    if (study_has_goals(s))
        study_put_front(&w, sum, &out->err);
    sepx_json_add_number(&w, "elapsed", sum->elapsed);
    sepx_json_add_number(&w, "evaluating", sum->evaluating);
    put_operators(&w, sum);
    put_failures(&w, sum);
    err = study_put_workers(&w, s, sum, msg);
    sepx_json_key(&w, "settings");
    sepx_json_put_raw(&w, sepx_store_settings(s->store));
    sepx_json_key(&w, "options");
    sepx_json_put_raw(&w, sepx_store_options(s->store)
                              ? sepx_store_options(s->store)
                              : "null");
    sepx_json_close(&w, '}');
    out_print(out, "\n");
    return err ? err : sepx_json_done(&w);
}

/* ---- the command ---- */

int
study_print_status(struct study *s, bool json)
{
    struct sepx_study_summary summary = {0};
    struct sepx_msg msg = {0};
    struct out out = {0};
    struct sepx_study_plan plan;
    double until;
    enum sepx_err err = sepx_study_summarize(&summary, s->study, &msg);
    int status;

    if (!err)
        err = study_last_plan(s, &plan, &until, &msg);
    if (!err && json)
        err = put_status(&out, s, &summary, &plan, &msg);
    else if (!err)
        print_text(&out, s, &summary, &plan);
    if (!err && !json)
        err = study_print_workers(&out, s, &summary, &msg);
    status = err ? cli_fail(s->command, err, &msg) : out_flush(&out);
    sepx_study_summary_release(&summary);
    out_release(&out);
    return status;
}

static int
run(const struct call *call)
{
    const struct json_settings *settings = call->settings;
    struct study s;
    int status = study_open(&s, "study status", call->operand[0], false);

    if (!status)
        status = study_print_status(&s, settings->json);
    study_close(&s);
    return status;
}

static const char *const synopsis[] = {"[OPTION...] STUDY", NULL};

const struct command command_study_status = {
    .name = "study status",
    .group = GROUP_STUDIES,
    .summary = "show the state of a study",
    COMMAND_PARTS,
    .about =
        "Reads the file of a study, which may be running meanwhile: trials by "
        "outcome, time, the best score and whether smaller or larger is "
        "better, its curve, whether all trials are the random start of the "
        "method, and what each operator did. Trials are counted in "
        "their order, so the answer is "
        "the same whichever ended first.\n\n"
        "With --json: study, state (running, stopped, finished), evals, asked, "
        "told, cached, outcomes, random_start (done and total while all trials "
        "are random draws, else null), best, best_trial, front (with several "
        "objectives: its trials), elapsed, evaluating, "
        "operators, unscored (evaluations without a score), failures (the last "
        "of them: trial, outcome, reason), settings, options; on a server also "
        "workers (host, pid, state, slot, trial, seconds, seen, told, failed) "
        "and waiting, the share of their time.",
    .least_operands = 1,
    .most_operands = 1,
    .settings_size = sizeof(struct json_settings),
};
