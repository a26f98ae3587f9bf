/* SPDX-License-Identifier: Apache-2.0 */
/* sepx compare: several search methods on the same seeds. */
#include "search/compare_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AT(member) offsetof(struct compare_settings, member)

/* clang-format off */
static const struct option options[] = {
    SPACE_OPTION,
    RUN_OPTIONS,
    RULE_OPTIONS,
    SEED_OPTION,
    {"csv", 0, OPTION_FLAG, AT(csv),
     .help = "print CSV, one line for each method and evaluation count"},
    {"against", 0, OPTION_TEXT, AT(against), "METHOD",
     .help = "the method that the others are tested against; sep unless "
             "given, or the last"},
    {"times", 0, OPTION_FLAG, AT(times),
     .help = "print the time that each method took too"},
    {0},
};

static const struct example examples[] = {
    {"compare", "the noise-free NAS-Bench-101 comparison of the paper"},
    {"compare --space nbnlp --eval target:lstm --evals 1000 --csv",
     "all methods that work on NAS-Bench-NLP, for a spreadsheet"},
    {"compare sep sep:trials=1 sep:share=0.9 standard local --runs 200",
     "your own choice of methods, rules and options"},
    {"compare --rules published standard reinforce@target-pruned:optimum",
     "as the authors' scripts: their REINFORCE is scored on the pruned cell"},
    {0},
};

static char default_methods[][16] = {
    "random", "mutation", "standard", "matched", "sep", "reinforce",
};
/* clang-format on */

enum { DEFAULT_COUNT = sizeof default_methods / sizeof default_methods[0] };

/* ---- methods ---- */

/* "METHOD[@EVALUATOR]". */
static int
contender_open(struct compare *compare, struct contender *row,
               const char *label)
{
    const char *eval = strchr(label, '@');
    struct sepx_msg msg = {0};
    struct out text = {0};
    enum sepx_err err = SEPX_OK;
    int status;

    row->label = label;
    out_print(&text, "%.*s", eval ? (int)(eval - label) : -1, label);
    if (text.err)
        return cli_fail("compare", text.err, NULL);
    status = experiment_method(&compare->x, &row->method,
                               text.text.at ? text.text.at : "");
    out_release(&text);
    if (!status && eval)
        err = sepx_eval_open(&row->eval, compare->x.space, eval + 1, &msg);
    if (!err && row->eval && compare->x.goals.names)
        err = sepx_eval_want(row->eval,
                             (const char *const *)compare->x.goals.name, &msg);
    return err ? experiment_fail("compare", err, &msg) : status;
}

/* The methods of the paper that work on this space. */
static int
open_default(struct compare *compare)
{
    for (size_t i = 0; i < DEFAULT_COUNT; i++) {
        struct contender *row = &compare->row[compare->count];
        struct sepx_msg msg = {0};
        enum sepx_err err;

        err = sepx_method_new(
            &row->method, compare->x.space, default_methods[i],
            compare->settings->common.rules, compare->x.rule, &msg);
        if (!err)
            err = sepx_method_check_goals(row->method, &compare->x.goals, &msg);
        if (err == SEPX_EUNSUPPORTED) {
            sepx_method_free(row->method);
            row->method = NULL;
            continue;
        }
        if (err)
            return experiment_fail("compare", err, &msg);
        row->label = default_methods[i];
        compare->count++;
    }
    return CLI_DONE;
}

static int
open_methods(struct compare *compare, const struct call *call)
{
    size_t room = call->n_operands ? call->n_operands : DEFAULT_COUNT;

    compare->row = calloc(room, sizeof *compare->row);
    if (!compare->row)
        return cli_fail("compare", SEPX_ENOMEM, NULL);
    if (!call->n_operands)
        return open_default(compare);
    for (; compare->count < call->n_operands; compare->count++) {
        int status = contender_open(compare, &compare->row[compare->count],
                                    call->operand[compare->count]);

        if (status) {
            compare->count++; /* its parts are released too */
            return status;
        }
    }
    return CLI_DONE;
}

static int
find_reference(struct compare *compare)
{
    const char *wanted = compare->settings->against;
    const char **names = calloc(compare->count + 1, sizeof *names);
    int status = CLI_DONE;
    bool found = false;

    if (!names)
        return cli_fail("compare", SEPX_ENOMEM, NULL);
    compare->reference = compare->count - 1;
    for (size_t i = 0; i < compare->count; i++) {
        names[i] = compare->row[i].label;
        if (!strcmp(names[i], wanted ? wanted : "sep")) {
            compare->reference = i;
            found = true;
        }
    }
    if (wanted && !found)
        status =
            cli_unknown("compare", "method of this comparison", wanted, names);
    free(names);
    return status;
}

/* ---- runs ---- */

enum sepx_err
compare_test(const struct compare *compare, struct sepx_mann_whitney *test,
             enum sepx_curve curve, size_t a, size_t b, size_t mark)
{
    double at = compare->x.mark[mark];
    const struct sepx_runs *first = &compare->row[a].runs;
    const struct sepx_runs *second = &compare->row[b].runs;
    double *x = calloc(first->count + second->count, sizeof *x);
    double *y;
    enum sepx_err err;

    if (!x)
        return SEPX_ENOMEM;
    y = x + first->count;
    sepx_runs_read(first, curve, compare->x.axis, at, x);
    sepx_runs_read(second, curve, compare->x.axis, at, y);
    err = sepx_mann_whitney(test, x, first->count, y, second->count);
    free(x);
    return err;
}

static int
run_one(struct compare *compare, struct contender *row)
{
    struct experiment *x = &compare->x;
    struct sepx_eval *common = x->eval;
    double start = sepx_clock();
    int status;

    if (row->eval)
        x->eval = row->eval;
    status = experiment_run(x, &row->runs, row->method);
    row->seconds = sepx_clock() - start;
    x->eval = common;
    return status;
}

static enum sepx_err
all_volumes(struct compare *compare)
{
    struct sepx_runs **runs = calloc(compare->count + 1, sizeof *runs);
    enum sepx_err err = SEPX_ENOMEM;

    for (size_t i = 0; runs && i < compare->count; i++)
        runs[i] = &compare->row[i].runs;
    if (runs)
        err = experiment_volumes(&compare->x, runs, compare->count);
    free(runs);
    return err;
}

static enum sepx_err
summarize(struct compare *compare)
{
    struct experiment *x = &compare->x;
    struct sepx_eval *common = x->eval;
    enum sepx_err err = SEPX_OK;

    experiment_time_marks(x);
    err = all_volumes(compare);
    for (size_t i = 0; i < compare->count; i++) {
        struct contender *row = &compare->row[i];

        x->eval = row->eval ? row->eval : common;
        for (size_t m = 0; m < x->n_marks && !err && row->runs.count; m++)
            err = experiment_summarize(&row->at[m], x, &row->runs, x->mark[m]);
    }
    x->eval = common;
    return err;
}

/* Stopped: the methods that have a finished run are answered for. */
static int
run_all(struct compare *compare)
{
    size_t opened = compare->count, reference = 0;
    struct contender *row = compare->row;
    int status = CLI_DONE;

    compare->x.total *= opened;
    compare->count = 0;
    for (size_t i = 0; i < opened && !status; i++) {
        status = run_one(compare, &row[i]);
        if (row[i].runs.count)
            compare->count = i + 1;
    }
    if (compare->reference >= compare->count)
        compare->reference = compare->count ? compare->count - 1 : reference;
    return status;
}

static int
answer(struct compare *compare)
{
    const struct compare_settings *settings = compare->settings;
    struct out out = {0};
    enum sepx_err err = summarize(compare);
    int status;

    if (err)
        return cli_fail("compare", err, NULL);
    if (settings->csv)
        err = compare_write_csv(&out, compare);
    else if (settings->common.json)
        err = compare_write_json(&out, compare);
    else
        err = compare_write_text(&out, compare);
    status = err ? cli_fail("compare", err, NULL) : out_flush(&out);
    out_release(&out);
    return status;
}

static void
compare_close(struct compare *compare, size_t rows)
{
    for (size_t i = 0; i < rows; i++) {
        sepx_runs_release(&compare->row[i].runs);
        sepx_method_free(compare->row[i].method);
        sepx_eval_close(compare->row[i].eval);
    }
    free(compare->row);
    experiment_close(&compare->x);
}

static int
run(const struct call *call)
{
    struct compare compare = {.settings = call->settings};
    const struct compare_settings *settings = call->settings;
    size_t rows;
    int status, told = CLI_DONE;

    if (settings->csv && settings->common.json)
        return cli_usage("compare", "--csv and --json exclude each other");
    status = experiment_open(&compare.x, "compare", &settings->common);
    if (!status)
        status = open_methods(&compare, call);
    rows = compare.count;
    if (!status)
        status = find_reference(&compare);
    if (!status) {
        status = run_all(&compare);
        if (compare.count)
            told = answer(&compare);
        status = status ? status : told;
    }
    compare_close(&compare, rows);
    return status;
}

static const char *const synopsis[] = {"[OPTION...] [METHOD...]", NULL};

const struct command command_compare = {
    .name = "compare",
    .group = GROUP_SEARCH,
    .summary = "run several search methods on the same seeds and test them",
    COMMAND_PARTS,
    .about =
        "Runs each METHOD (NAME or NAME:OPTION=VALUE,..., options of the "
        "method "
        "or rules, see 'sepx search --list') with the same seeds, evaluator "
        "and budget: random, mutation, "
        "standard, matched, sep and reinforce unless given. Prints mean and "
        "standard error of the best score so far, quartiles, the share of "
        "runs at the optimum, and how one method stands against each other "
        "one: the p-value of a two-sided Mann-Whitney test (not corrected for "
        "the number of tests) and the chance that its run is the better one, "
        "ties counting half.\n\n"
        "Where scores are validation errors, tables show accuracies in per "
        "cent: that by which the best graph so far was chosen, and its mean "
        "test accuracy, with tests of both. A run has reached the optimum, as "
        "the authors count, when it drew the best validation accuracy that "
        "there is; it visited the best cell when it scored the one of the "
        "best mean test accuracy, whatever it drew.\n\n"
        "All methods are measured by the same evaluator. METHOD@EVALUATOR "
        "gives one method another; its line is then not comparable, and says "
        "so by its name.",
    .operands = NULL,
    .most_operands = 64,
    .settings_size = sizeof(struct compare_settings),
};
