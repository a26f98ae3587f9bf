/* SPDX-License-Identifier: Apache-2.0 */
/* The answer of sepx compare as a table, JSON or CSV. */
#include "search/compare_command.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- tables ---- */

static int
label_width(const struct compare *compare)
{
    size_t width = 8;

    for (size_t i = 0; i < compare->count; i++) {
        size_t len = strlen(compare->row[i].label);

        width = len > width ? len : width;
    }
    return (int)width;
}

static int
cell_width(const struct compare *compare)
{
    return experiment_measure(&compare->x)->width;
}

typedef void cell_writer(char *room, size_t size,
                         const struct experiment_summary *at);

/* The widest cell with two blanks before it, or the usual width. */
static int
table_width(const struct compare *compare, cell_writer *cell)
{
    size_t width = (size_t)cell_width(compare);

    for (size_t i = 0; i < compare->count; i++) {
        for (size_t m = 0; m < compare->x.n_marks; m++) {
            char room[64];
            size_t len;

            if (!compare->row[i].runs.count)
                continue;
            cell(room, sizeof room, &compare->row[i].at[m]);
            len = strlen(room) + 2;
            width = len > width ? len : width;
        }
    }
    return (int)width;
}

static void
print_head(struct out *out, const struct compare *compare, const char *title,
           int width)
{
    out_print(out, "\n%s\n%*s", title, label_width(compare), "");
    for (size_t m = 0; m < compare->x.n_marks; m++)
        out_print(out, "%*.10g", width, compare->x.mark[m]);
    out_print(out, "\n");
}

/* One table: a line for each method, a cell for each mark. */
static void
print_table(struct out *out, const struct compare *compare, const char *title,
            cell_writer *cell)
{
    int width = table_width(compare, cell);

    print_head(out, compare, title, width);
    for (size_t i = 0; i < compare->count; i++) {
        const struct contender *row = &compare->row[i];

        if (!row->runs.count)
            continue;
        out_print(out, "%-*s", label_width(compare), row->label);
        for (size_t m = 0; m < compare->x.n_marks; m++) {
            char room[64];

            cell(room, sizeof room, &row->at[m]);
            out_print(out, "%*s", width, room);
        }
        out_print(out, "\n");
    }
}

static void
cell_mean(char *room, size_t size, const struct experiment_summary *at)
{
    experiment_mean(room, size, at->measure, &at->score);
}

static void
cell_test_mean(char *room, size_t size, const struct experiment_summary *at)
{
    experiment_mean(room, size, at->measure, &at->test);
}

static void
cell_quartiles(char *room, size_t size, const struct experiment_summary *at)
{
    experiment_quartiles(room, size, at->measure, &at->score);
}

static void
cell_test_quartiles(char *room, size_t size,
                    const struct experiment_summary *at)
{
    experiment_quartiles(room, size, at->measure, &at->test);
}

static void
cell_optimum(char *room, size_t size, const struct experiment_summary *at)
{
    snprintf(room, size, "%.1f %%", 100 * at->at_optimum);
}

static void
cell_visited(char *room, size_t size, const struct experiment_summary *at)
{
    snprintf(room, size, "%.1f %%", 100 * at->visited);
}

static enum sepx_err
print_tests(struct out *out, const struct compare *compare,
            enum sepx_curve curve, const char *what)
{
    const char *name = compare->row[compare->reference].label;
    char title[256];

    snprintf(title, sizeof title,
             "%s%s%.64s against each: Mann-Whitney p (chance that %.64s is "
             "better)",
             what, *what ? ": " : "", name, name);
    print_head(out, compare, title, cell_width(compare));
    for (size_t i = 0; i < compare->count; i++) {
        if (i == compare->reference || !compare->row[i].runs.count)
            continue;
        out_print(out, "%-*s", label_width(compare), compare->row[i].label);
        for (size_t m = 0; m < compare->x.n_marks; m++) {
            struct sepx_mann_whitney test;
            enum sepx_err err =
                compare_test(compare, &test, curve, compare->reference, i, m);
            char room[64];

            if (err)
                return err;
            snprintf(room, sizeof room, "%.1g (%.2f)", test.p, test.effect);
            out_print(out, "%*s", cell_width(compare), room);
        }
        out_print(out, "\n");
    }
    return SEPX_OK;
}

static void
print_operators(struct out *out, const struct compare *compare)
{
    for (size_t i = 0; i < compare->count; i++) {
        if (!compare->row[i].runs.count)
            continue;
        out_print(out, "\n%s\n", compare->row[i].label);
        experiment_print_operators(out, &compare->row[i].runs);
    }
}

static void
print_times(struct out *out, const struct compare *compare)
{
    out_print(out, "\nseconds, and evaluations a second\n");
    for (size_t i = 0; i < compare->count; i++) {
        const struct contender *row = &compare->row[i];
        double evals =
            (double)row->runs.count * (double)compare->settings->common.evals;

        out_print(out, "%-*s %10.2f %12.0f\n", label_width(compare), row->label,
                  row->seconds, row->seconds > 0 ? evals / row->seconds : 0);
    }
}

/* Exact scores: the best so far is all there is to say. */
static enum sepx_err
print_exact(struct out *out, const struct compare *compare)
{
    print_table(out, compare,
                compare->x.goals.objectives
                    ? "mean hypervolume (standard error)"
                    : "mean best score (standard error)",
                cell_mean);
    print_table(out, compare, "quartiles", cell_quartiles);
    if (!isnan(compare->row[0].at[0].at_optimum))
        print_table(out, compare, "runs at the optimum", cell_optimum);
    if (compare->count < 2)
        return SEPX_OK;
    return print_tests(out, compare, SEPX_CURVE_SCORE, "");
}

/* Scores that were drawn, and what is reported of the graph they chose. */
static enum sepx_err
print_noisy(struct out *out, const struct compare *compare,
            const struct measure *measure)
{
    char title[128];
    enum sepx_err err;

    snprintf(title, sizeof title, "mean %s (standard error)", measure->score);
    print_table(out, compare, title, cell_mean);
    snprintf(title, sizeof title, "mean %s (standard error)", measure->test);
    print_table(out, compare, title, cell_test_mean);
    snprintf(title, sizeof title, "quartiles of %s", measure->score);
    print_table(out, compare, title, cell_quartiles);
    snprintf(title, sizeof title, "quartiles of %s", measure->test);
    print_table(out, compare, title, cell_test_quartiles);
    if (!isnan(compare->row[0].at[0].at_optimum))
        print_table(out, compare,
                    "runs that reached the optimum, as the authors count",
                    cell_optimum);
    if (!isnan(compare->row[0].at[0].visited))
        print_table(out, compare, "runs that visited the best cell",
                    cell_visited);
    if (compare->count < 2)
        return SEPX_OK;
    err = print_tests(out, compare, SEPX_CURVE_SCORE, measure->score);
    if (!err)
        err = print_tests(out, compare, SEPX_CURVE_TEST, measure->test);
    return err;
}

enum sepx_err
compare_write_text(struct out *out, const struct compare *compare)
{
    const struct experiment_settings *common = &compare->settings->common;
    const struct measure *measure = experiment_measure(&compare->x);
    enum sepx_err err;

    out_print(out,
              "%s, %s, %s rules: %lld runs of %lld evaluations for each "
              "method, seeds from %llu\n",
              sepx_space_info(compare->x.space)->name,
              sepx_eval_text(compare->x.eval), common->rules,
              (long long)common->runs, (long long)common->evals,
              (unsigned long long)common->seed);
    experiment_print_notes(out, &compare->x);
    err = measure->test ? print_noisy(out, compare, measure)
                        : print_exact(out, compare);
    print_operators(out, compare);
    if (compare->settings->times)
        print_times(out, compare);
    return err;
}

/* ---- JSON ---- */

/* Whether what is reported of a graph may differ from its score. */
static bool
has_test(const struct compare *compare)
{
    return !compare->x.goals.objectives &&
           sepx_eval_measure(compare->x.eval) != SEPX_MEASURE_DISTANCE;
}

/* Sums over the runs; what is not distinct are repeats. */
static void
put_spent(struct sepx_json_writer *w, const struct sepx_runs *runs)
{
    int64_t made = 0, distinct = 0;

    for (size_t i = 0; i < runs->count; i++) {
        made += runs->at[i].evaluations;
        distinct += runs->at[i].distinct;
    }
    sepx_json_add_integer(w, "evaluations", made);
    sepx_json_add_integer(w, "distinct", distinct);
}

static void
put_contender(struct sepx_json_writer *w, const struct compare *compare,
              const struct contender *row)
{
    struct sepx_run_operator sum[SEPX_RUN_OPERATORS_MAX];
    uint32_t count = sepx_runs_operators(&row->runs, sum);

    sepx_json_open(w, '{');
    sepx_json_add_string(w, "label", row->label);
    sepx_json_key(w, "eval");
    sepx_json_put_string(
        w, sepx_eval_text(row->eval ? row->eval : compare->x.eval));
    sepx_json_key(w, "method");
    sepx_method_put_json(w, row->method);
    sepx_json_add_count(w, "runs", row->runs.count);
    sepx_json_key(w, "at");
    sepx_json_open(w, '[');
    for (size_t m = 0; m < compare->x.n_marks && row->runs.count; m++) {
        sepx_json_open(w, '{');
        experiment_mark_put_json(w, &compare->x, m);
        experiment_summary_put_json(w, &row->at[m]);
        sepx_json_close(w, '}');
    }
    sepx_json_close(w, ']');
    sepx_json_key(w, "operators");
    sepx_run_operators_put_json(w, sum, count);
    put_spent(w, &row->runs);
    if (compare->settings->times) {
        sepx_json_add_number(w, "seconds", row->seconds);
    }
    sepx_json_close(w, '}');
}

/* "u", "p" and "effect", or "test_u", ... */
static enum sepx_err
put_figures(struct sepx_json_writer *w, const struct compare *compare,
            enum sepx_curve curve, size_t a, size_t b, size_t mark)
{
    static const char *const keys[][3] = {
        [SEPX_CURVE_SCORE] = {"u", "p", "effect"},
        [SEPX_CURVE_TEST] = {"test_u", "test_p", "test_effect"},
    };
    struct sepx_mann_whitney test;
    enum sepx_err err = compare_test(compare, &test, curve, a, b, mark);

    if (err)
        return err;
    sepx_json_add_number(w, keys[curve][0], test.u);
    sepx_json_add_number(w, keys[curve][1], test.p);
    sepx_json_add_number(w, keys[curve][2], test.effect);
    return SEPX_OK;
}

static enum sepx_err
put_test(struct sepx_json_writer *w, const struct compare *compare, size_t a,
         size_t b, size_t mark)
{
    enum sepx_err err;

    sepx_json_open(w, '{');
    sepx_json_add_string(w, "a", compare->row[a].label);
    sepx_json_add_string(w, "b", compare->row[b].label);
    experiment_mark_put_json(w, &compare->x, mark);
    err = put_figures(w, compare, SEPX_CURVE_SCORE, a, b, mark);
    if (!err && has_test(compare))
        err = put_figures(w, compare, SEPX_CURVE_TEST, a, b, mark);
    sepx_json_close(w, '}');
    return err;
}

/* Every pair at every mark. */
static enum sepx_err
put_tests(struct sepx_json_writer *w, const struct compare *compare)
{
    enum sepx_err err = SEPX_OK;

    sepx_json_key(w, "tests");
    sepx_json_open(w, '[');
    for (size_t a = 0; a < compare->count; a++) {
        for (size_t b = a + 1; b < compare->count; b++) {
            for (size_t m = 0; m < compare->x.n_marks && !err; m++)
                err = put_test(w, compare, a, b, m);
        }
    }
    sepx_json_close(w, ']');
    return err;
}

enum sepx_err
compare_write_json(struct out *out, const struct compare *compare)
{
    struct sepx_json_writer w;
    enum sepx_err err;

    sepx_json_begin(&w, &out->text);
    sepx_json_open(&w, '{');
    sepx_json_key(&w, "settings");
    sepx_json_open(&w, '{');
    experiment_put_json(&w, &compare->x);
    sepx_json_close(&w, '}');
    sepx_json_key(&w, "methods");
    sepx_json_open(&w, '[');
    for (size_t i = 0; i < compare->count; i++)
        put_contender(&w, compare, &compare->row[i]);
    sepx_json_close(&w, ']');
    err = put_tests(&w, compare);
    sepx_json_close(&w, '}');
    if (!err)
        err = sepx_json_done(&w);
    out_print(out, "\n");
    return err;
}

/* ---- CSV ---- */

static void
print_number(struct out *out, double value)
{
    if (isnan(value))
        out_print(out, ",");
    else
        out_print(out, ",%.10g", value);
}

static void
csv_summary(struct out *out, const struct measure *measure,
            const struct sepx_summary *summary, double share)
{
    const struct sepx_summary s = experiment_reported(measure, summary);
    const double values[] = {s.mean,   s.se,  s.sd,  s.min, s.q25,
                             s.median, s.q75, s.max, share};

    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++)
        print_number(out, values[k]);
}

/* Against the reference, which is not compared with itself. */
static enum sepx_err
csv_test(struct out *out, const struct compare *compare, enum sepx_curve curve,
         size_t i, size_t m)
{
    struct sepx_mann_whitney test = {0};
    enum sepx_err err =
        compare_test(compare, &test, curve, compare->reference, i, m);

    if (err)
        return err;
    print_number(out, i == compare->reference ? NAN : test.p);
    print_number(out, i == compare->reference ? NAN : test.effect);
    return SEPX_OK;
}

static enum sepx_err
csv_line(struct out *out, const struct compare *compare, size_t i, size_t m)
{
    const struct contender *row = &compare->row[i];
    const struct experiment_summary *at = &row->at[m];
    const char *source =
        sepx_eval_source(row->eval ? row->eval : compare->x.eval);
    enum sepx_err err;

    out_print_field(out, row->label);
    out_print(out, ",%zu,%.10g", row->runs.count, compare->x.mark[m]);
    csv_summary(out, at->measure, &at->score, at->at_optimum);
    out_print(out, ",");
    out_print_field(out, compare->row[compare->reference].label);
    err = csv_test(out, compare, SEPX_CURVE_SCORE, i, m);
    if (!err && has_test(compare)) {
        csv_summary(out, at->measure, &at->test, at->visited);
        err = csv_test(out, compare, SEPX_CURVE_TEST, i, m);
        out_print(out, ",");
        out_print_field(out, source ? source : "");
    }
    out_print(out, "\n");
    return err;
}

enum sepx_err
compare_write_csv(struct out *out, const struct compare *compare)
{
    enum sepx_err err = SEPX_OK;

    out_print(out,
              "method,runs,%s,mean,se,sd,min,q25,median,q75,max,at_optimum,"
              "against,p,effect%s\n",
              compare->x.axis == SEPX_AXIS_SPENT ? "spent" : "evaluations",
              has_test(compare)
                  ? ",test_mean,test_se,test_sd,test_min,test_q25,test_median,"
                    "test_q75,test_max,visited,test_p,test_effect,source"
                  : "");
    for (size_t i = 0; i < compare->count; i++) {
        for (size_t m = 0; m < compare->x.n_marks && !err; m++)
            err = csv_line(out, compare, i, m);
    }
    return err;
}
