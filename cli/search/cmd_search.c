/* SPDX-License-Identifier: Apache-2.0 */
/* sepx search: runs of one search method. */
#include "search/experiment.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct settings {
    struct experiment_settings common;
    const char *method, *crossover, *frequencies;
    struct word_list option;
    bool list;
};

#define AT(member) offsetof(struct settings, member)

/* clang-format off */
static const struct option options[] = {
    METHOD_OPTIONS(AT),
    SPACE_OPTION,
    RUN_OPTIONS,
    RULE_OPTIONS,
    SEED_OPTION,
#if SEPX_RESEARCH
    {"frequencies", 0, OPTION_FILE, AT(frequencies), "FILE",
     .help = "write how often crossover met parents at which distances and "
             "with which edge counts, as CSV"},
#endif
    {"list", 0, OPTION_FLAG, AT(list),
     .help = "print spaces, evaluators, methods with their options, "
             "crossovers and rules"},
    {0},
};

static const struct example examples[] = {
    {"search --evals 2000 --runs 50",
     "regularized evolution with SEP crossover on NAS-Bench-101, noise-free"},
    {"search --space nbnlp --eval target:gru -m sep -n 1000 --json",
     "the same on NAS-Bench-NLP; every run's curve, operators and best graph"},
    {"search -m sep -O population=50,tournament=5 --rule trials=1",
     "other settings, and one draw for each crossover"},
    {"search -m standard --rules published", "as the authors' script does it"},
    {"search -m sep --evals 1000 --frequencies met.csv",
     "does SEP crossover meet parents for which its bound is above mutation's?"},
    {0},
};
/* clang-format on */

/* ---- what there is ---- */

static void
list_options(struct out *out, const struct sepx_option *rows)
{
    for (; rows->name; rows++) {
        out_print(out, "      %-11s %s (", rows->name, rows->help);
        out->err = sepx_option_print(&out->text, rows, NULL);
        out_print(out, ")\n");
    }
}

static void
list_spaces(struct out *out)
{
    const struct sepx_space_info *const *row = sepx_space_list();

    out_print(out, "Spaces:\n");
    for (; *row; row++) {
        const char *const *target = (*row)->targets;

        out_print(out, "  %-13s %s", (*row)->name, (*row)->summary);
        for (size_t i = 0; target && target[i]; i++)
            out_print(out, "%s%s", i ? ", " : "; targets: ", target[i]);
        out_print(out, "\n");
    }
}

static void
list_methods(struct out *out)
{
    const struct sepx_method_info *const *row = sepx_method_list();
    const struct sepx_method_alias *alias = sepx_method_aliases();

    out_print(out, "\nMethods and their options (with defaults):\n");
    for (; *row; row++) {
        out_print(out, "  %-13s %s\n", (*row)->name, (*row)->summary);
        list_options(out, (*row)->options);
    }
    for (; alias->name; alias++)
        out_print(out, "  %-13s %s:%s\n", alias->name, alias->method,
                  alias->options);
}

static int
list(void)
{
    struct out out = {0};
    const struct sepx_eval_info *const *eval = sepx_eval_list();
    const struct sepx_cross_info *const *cross = sepx_cross_list();
    int status;

    list_spaces(&out);
    out_print(&out, "\nEvaluators:\n");
    for (; *eval; eval++)
        out_print(&out, "  %s:%s\n      %s\n", (*eval)->name, (*eval)->argument,
                  (*eval)->summary);
    list_methods(&out);
    out_print(&out, "\nCrossovers:\n");
    for (; *cross; cross++)
        out_print(&out, "  %-13s %s\n", (*cross)->name, (*cross)->summary);
    out_print(&out, "\nRules:\n");
    for (const struct sepx_rule_info *row = sepx_rules_info(); row->name; row++)
        out_print(&out, "  %-13s %s\n      %s\n", row->name, row->values,
                  row->help);
    status = out_flush(&out);
    out_release(&out);
    return status;
}

/* ---- the answer ---- */

static enum sepx_err
write_json(struct out *out, const struct experiment *x,
           const struct sepx_method *method, const struct sepx_runs *runs)
{
    struct sepx_json_writer w;

    sepx_json_begin(&w, &out->text);
    sepx_json_open(&w, '{');
    sepx_json_key(&w, "settings");
    sepx_json_open(&w, '{');
    experiment_put_json(&w, x);
    sepx_json_key(&w, "method");
    sepx_method_put_json(&w, method);
    sepx_json_close(&w, '}');
    sepx_json_key(&w, "runs");
    sepx_json_open(&w, '[');
    for (size_t i = 0; i < runs->count; i++)
        sepx_run_put_json(&w, &runs->at[i]);
    sepx_json_close(&w, ']');
    sepx_json_close(&w, '}');
    out_print(out, "\n");
    return sepx_json_done(&w);
}

static void
print_best(struct out *out, const struct measure *measure,
           const struct sepx_runs *runs)
{
    const struct sepx_run *best = &runs->at[0];
    struct sepx_text graph = {0};

    for (size_t i = 1; i < runs->count; i++) {
        if (runs->at[i].best < best->best)
            best = &runs->at[i];
    }
    out->err = sepx_graph_write_json(&graph, &best->graph);
    out_print(out, "\nbest: %.12g, seed %llu, trial %u\n",
              measure->plus + measure->times * best->best,
              (unsigned long long)best->seed, best->best_trial);
    if (measure->test)
        out_print(out, "%s: %.12g\n", measure->test,
                  measure->plus +
                      measure->times * best->test[best->best_trial]);
    out_print(out, "%s\n", graph.at ? graph.at : "");
    sepx_text_release(&graph);
}

/* The front of the run with the most volume. */
static void
print_front(struct out *out, const struct experiment *x,
            const struct sepx_runs *runs)
{
    const struct sepx_run *best = &runs->at[0];

    for (size_t i = 1; i < runs->count; i++) {
        if (runs->at[i].best < best->best)
            best = &runs->at[i];
    }
    out_print(out, "\nfront of seed %llu, by trial:\n",
              (unsigned long long)best->seed);
    for (size_t i = 0; i < best->n_points; i++) {
        const struct sepx_run_point *point = &best->point[i];

        if (!sepx_run_on_front(best, i, best->n_points))
            continue;
        out_print(out, "trial %u:", point->trial);
        for (uint32_t k = 0; k < best->objectives; k++)
            out_print(out, "%s %s %.10g", k ? "," : "",
                      x->goals.name[x->goals.objective[k].number],
                      sepx_goals_turn(&x->goals, k, point->objective[k]));
        out_print(out, "\n");
        if (!out->err)
            out->err = sepx_graph_write_json(&out->text, &point->graph);
        out_print(out, "\n");
    }
}

static void
print_share(struct out *out, double share)
{
    if (isnan(share))
        out_print(out, " %12s", "unknown");
    else
        out_print(out, " %10.0f %%", 100 * share);
}

/* Runs without a score so far make means and quartiles infinite. */
static void
print_cell(struct out *out, int digits, double value)
{
    if (isfinite(value))
        out_print(out, " %9.*f", digits, value);
    else
        out_print(out, " %9s", "none");
}

static void
print_exact(struct out *out, double mark, const struct experiment_summary *at)
{
    const struct sepx_summary *s = &at->score;
    double times = at->measure->times;
    int more = at->measure->digits - 2;

    out_print(out, "%11.10g", mark);
    print_cell(out, 3 + more, times * s->mean);
    print_cell(out, 3 + more, isfinite(s->mean) ? s->se : NAN);
    print_cell(out, 2 + more, times * (times < 0 ? s->q75 : s->q25));
    print_cell(out, 2 + more, times * s->median);
    print_cell(out, 2 + more, times * (times < 0 ? s->q25 : s->q75));
    print_share(out, at->at_optimum);
    out_print(out, "\n");
}

static void
print_noisy(struct out *out, double mark, const struct experiment_summary *at)
{
    char score[64], test[64], quartiles[64];

    experiment_mean(score, sizeof score, at->measure, &at->score);
    experiment_mean(test, sizeof test, at->measure, &at->test);
    experiment_quartiles(quartiles, sizeof quartiles, at->measure, &at->test);
    out_print(out, "%11.10g %17s %17s %20s", mark, score, test, quartiles);
    print_share(out, at->at_optimum);
    print_share(out, at->visited);
    out_print(out, "\n");
}

static void
print_head(struct out *out, const struct experiment *x)
{
    const struct measure *measure = experiment_measure(x);
    const char *axis =
        x->axis == SEPX_AXIS_SPENT ? "time spent" : "evaluations";

    if (!measure->test) {
        out_print(out, "\n%11s %9s %9s %9s %9s %9s %12s\n", axis, "mean",
                  "std.err.", "quarter", "median", "3/4", "at optimum");
        return;
    }
    out_print(out, "best so far, mean (standard error): %s, and its %s\n\n",
              measure->score, measure->test);
    out_print(out, "%11s %17s %17s %20s %12s %12s\n", axis, "chosen by", "test",
              "test, quartiles", "reached", "visited");
}

static enum sepx_err
write_text(struct out *out, const struct experiment *x,
           const struct sepx_method *method, const struct sepx_runs *runs)
{
    const struct measure *measure = experiment_measure(x);

    out_print(out, "%s on %s, %s: %zu runs of %u evaluations\n",
              sepx_method_text(method), sepx_space_info(x->space)->name,
              sepx_eval_text(x->eval), runs->count,
              (unsigned)x->settings->evals);
    experiment_print_notes(out, x);
    print_head(out, x);
    for (size_t i = 0; i < x->n_marks; i++) {
        struct experiment_summary at;
        enum sepx_err err = experiment_summarize(&at, x, runs, x->mark[i]);

        if (err)
            return err;
        (measure->test ? print_noisy : print_exact)(out, x->mark[i], &at);
    }
    out_print(out, "\n");
    experiment_print_operators(out, runs);
    if (x->goals.objectives)
        print_front(out, x, runs);
    else
        print_best(out, measure, runs);
    return SEPX_OK;
}

/* ---- the command ---- */

static int
answer(struct experiment *x, const struct sepx_method *method,
       struct sepx_runs *runs)
{
    struct out out = {0};
    enum sepx_err err;
    int status;

    if (!runs->count)
        return CLI_DONE;
    err = experiment_volumes(x, &runs, 1);
    if (err)
        return cli_fail("search", err, NULL);
    err = x->settings->json ? write_json(&out, x, method, runs)
                            : write_text(&out, x, method, runs);
    status = err ? cli_fail("search", err, NULL) : out_flush(&out);
    out_release(&out);
    return status;
}

static int
search_runs(const struct settings *settings, const char *text)
{
    struct experiment x = {0};
    struct sepx_method *method = NULL;
    struct sepx_runs runs = {0};
    int status, told;

    status = experiment_open(&x, "search", &settings->common);
    if (!status)
        status = experiment_method(&x, &method, text);
#if SEPX_RESEARCH
    if (!status && settings->frequencies)
        status = frequencies_open(&x);
#endif
    if (!status) {
        status = experiment_run(&x, &runs, method);
        if (runs.count)
            experiment_time_marks(&x);
        told = answer(&x, method, &runs);
#if SEPX_RESEARCH
        if (!told && settings->frequencies && runs.count)
            told = frequencies_write(&x, settings->frequencies, &runs);
#endif
        status = status ? status : told;
    }
    sepx_runs_release(&runs);
    sepx_method_free(method);
    experiment_close(&x);
    return status;
}

static int
run(const struct call *call)
{
    const struct settings *settings = call->settings;
    struct out text = {0};
    int status;

    if (settings->list)
        return list();
    status = experiment_method_text(&text, settings->method,
                                    settings->crossover, &settings->option);
    if (!status)
        status = search_runs(settings, text.text.at);
    out_release(&text);
    return status;
}

static const char *const synopsis[] = {"[OPTION...]", "--list", NULL};

const struct command command_search = {
    .name = "search",
    .group = GROUP_SEARCH,
    .summary = "run a search method many times and show what it finds",
    COMMAND_PARTS,
    .about =
        "Independent runs of one search method on one space with one "
        "evaluator. Smaller scores are better. The table has the best score "
        "so far over the runs; the operators' lines say why: attempts, "
        "trials, trials lost as duplicates of a parent, as invalid or as "
        "cyclic, children accepted, new bests found, and how much they "
        "gained.\n\n"
        "With --json, one object with 'settings' and 'runs', each with "
        "'seed', 'best', 'best_trial', 'evaluations', 'curve' (the best score "
        "after each evaluation), 'operators' and 'graph'. Trials are counted "
        "from 0, in text, JSON and studies alike. Settings and seed determine "
        "all of it; the number of threads does not matter.\n\n"
        "Where scores are validation errors, the table has the validation "
        "accuracy by which the best graph so far was chosen, its mean test "
        "accuracy, and the shares of runs that reached the best validation "
        "accuracy that there is and that visited the best cell. Runs in JSON "
        "then also have 'test' and 'spent' (of the best so far and of all "
        "evaluations, after each), 'reached' and 'visited' (trials, or "
        "null).\n\n"
        "With --frequencies, a file with the columns kind, x, y and count, "
        "over "
        "all crossover attempts of the finished runs that had two parents. "
        "Kind 'parent1': x is the distance in edges, labels ignored, from the "
        "target to parent 1, y that between the parents; 'parent2': the same "
        "from parent 2; 'edges': x and y are the edges of parent 1 and 2. "
        "Standard error has the shares of attempts with nothing to gain, with "
        "equal parents, and with a lower bound of SEP crossover above that of "
        "mutation; see 'sepx theory'.\n\n"
        "An interrupt (Ctrl-C) ends the runs under way and answers with those "
        "that are finished. One long search whose evaluations must not be "
        "lost is a study: see 'sepx study run'.",
    .settings_size = sizeof(struct settings),
};
