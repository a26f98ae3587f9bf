/* SPDX-License-Identifier: Apache-2.0 */
/* Rows, curves and tables of a comparison. */
#include "comparison/comparison.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
    [SERIES_SCORE] = "score",
    [SERIES_TEST] = "test",
    [SERIES_REACHED] = "reached",
    [SERIES_VISITED] = "visited",
};

const char *
series_name(enum series series)
{
    return names[series];
}

/* ---- rows ---- */

static void
print_runs(struct out *out, const struct match *match)
{
    for (size_t k = 0; k < match->count; k++) {
        const struct trace *t = &match->trace[k];

        for (int s = 0; s < SERIES_END; s++)
            for (size_t r = 0; r < t->runs && match->shown[s]; r++)
                out_print(out, "%s,%s,%s,%llu,%.9g,%.9g\n", match->panel->key,
                          names[s], t->who->label,
                          (unsigned long long)t->seed[r], t->mean[s][r],
                          t->last[s][r]);
    }
}

static void
print_curves(struct out *out, const struct comparison_run *run,
             const struct match *match)
{
    for (size_t k = 0; k < match->count; k++) {
        const struct trace *t = &match->trace[k];

        for (int s = 0; s < SERIES_END; s++)
            for (size_t i = 0; i < run->points && match->shown[s]; i++) {
                struct band b = band_at(t, (enum series)s, run->points, i);

                out_print(out,
                          "%s,%s,%s,%.9g,%zu,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,"
                          "%.9g\n",
                          match->panel->key, names[s], t->who->label,
                          run->at[i], t->runs, b.mean, b.sd, b.low, b.high,
                          b.median, b.median_low, b.median_high);
            }
    }
}

static int
write_out(struct work *work, const char *name, struct out *out)
{
    int status = out->err ? cli_fail("reproduce", out->err, NULL)
                          : work_write(work, name, &out->text, true);

    out_release(out);
    return status;
}

int
comparison_write(struct work *work, const struct comparison_run *run)
{
    struct out runs = {0}, curves = {0};
    int status;

    out_print(&runs, "panel,series,method,seed,mean,last\n");
    out_print(&curves, "panel,series,method,at,runs,mean,sd,low,high,"
                       "median,median_low,median_high\n");
    for (size_t i = 0; i < run->count; i++) {
        print_runs(&runs, &run->match[i]);
        print_curves(&curves, run, &run->match[i]);
    }
    status = write_out(work, "runs.csv", &runs);
    if (status || work->only)
        out_release(&curves);
    else
        status = write_out(work, "curves.csv", &curves);
    return status;
}

/* ---- curves ---- */

static enum sepx_err
draw(struct sepx_text *script, const void *plot, enum sepx_picture kind,
     struct sepx_msg *msg)
{
    return sepx_plot_write(script, plot, kind, msg);
}

/* Room for the mean, low and high of every contender. */
static double *
fill_lines(struct sepx_plot_line *line, const struct comparison_run *run,
           const struct match *match, enum series series)
{
    size_t points = run->points;
    double *room = calloc(match->count * points * 3, sizeof *room);

    for (size_t k = 0; k < match->count && room; k++) {
        double *mean = room + 3 * k * points;

        for (size_t i = 0; i < points; i++) {
            struct band b =
                drawn_at(match, &match->trace[k], series, points, i);

            mean[i] = b.mean;
            mean[points + i] = b.low;
            mean[2 * points + i] = b.high;
        }
        line[k] = (struct sepx_plot_line){
            .name = match->trace[k].who->label,
            .mean = mean,
            .low = mean + points,
            .high = mean + 2 * points,
            .style = match->trace[k].who->style,
        };
    }
    return room;
}

/*
 * One frame for all panels of a view. Accuracies differ in their last digits
 * once the first evaluations are over, so their frame is that of the medians
 * from a twentieth of the axis on, and some more.
 */
static void
find_frame(const struct comparison_run *run, enum series series, double *low,
           double *high)
{
    bool median = by_median(&run->match[0], series);
    size_t first = median ? run->points / 20 : 0;

    *low = INFINITY;
    *high = -INFINITY;
    for (size_t m = 0; m < run->count; m++)
        for (size_t k = 0; k < run->match[m].count; k++)
            for (size_t i = first; i < run->points; i++) {
                const struct match *match = &run->match[m];
                struct band b =
                    drawn_at(match, &match->trace[k], series, run->points, i);

                *low = fmin(*low, b.mean);
                *high = fmax(*high, median ? b.mean : b.high);
            }
    *low = median ? *low - 0.15 * (*high - *low) : 0;
    *high = is_share(series) ? 100
            : median         ? *high + (*high - *low) / 8
                             : *high;
}

/* ---- captions, made of the numbers ---- */

struct place {
    const char *label;
    double end, whole; /* what is drawn at the end; mean of the curve */
};

static int
better_end(const void *a, const void *b)
{
    return ascending(&((const struct place *)a)->end,
                     &((const struct place *)b)->end);
}

/* "After N evaluations, best first: ... Over the whole curve, X is best." */
static void
say_order(struct out *out, const struct comparison_run *run,
          const struct match *match, enum series series)
{
    double sign = match->smaller && series == SERIES_SCORE ? 1 : -1;
    int digits = is_share(series) ? 0 : match->smaller ? 2 : 3;
    struct place place[CONTENDERS_MAX], *best = place;

    for (size_t k = 0; k < match->count; k++) {
        const struct trace *t = &match->trace[k];
        double whole = 0;

        for (size_t r = 0; r < t->runs; r++)
            whole += t->mean[series][r] / (double)t->runs;
        place[k] = (struct place){t->who->label, 0, sign * whole};
        place[k].end =
            sign *
            drawn_at(match, t, series, run->points, run->points - 1).mean;
    }
    qsort(place, match->count, sizeof *place, better_end);
    out_print(out, " At the end, best first:");
    for (size_t k = 0; k < match->count; k++) {
        best = place[k].whole < best->whole ? &place[k] : best;
        out_print(out, "%s %s %.*f%s", k ? "," : "", place[k].label, digits,
                  sign * place[k].end + 0.0, is_share(series) ? " %" : "");
    }
    out_print(out, ".");
    for (size_t k = 0; k < match->count; k++)
        if (&place[k] != best && place[k].whole == best->whole)
            return;
    out_print(out, " Over the whole curve the mean of %s is best.",
              best->label);
}

/* The command that gives these numbers as a table. */
static void
say_command(struct out *out, const struct work *work, const struct match *match)
{
    const struct panel *panel = match->panel;

    out_print(out, "sepx compare");
    for (size_t k = 0; k < match->count; k++) {
        const struct contender *who = match->trace[k].who;

        out_print(out, " %s%s%s", who->method, who->eval ? "@" : "",
                  who->eval ? who->eval : "");
    }
    out_print(out, " --space %s --eval %s --rules %s", panel->space,
              match->eval, panel->rules);
    out_print(out, " --runs %u --evals %u --seed %lld", work->runs, work->evals,
              (long long)work->paper->settings->seed);
}

static bool
bar_leaves(const struct sepx_plot *plot)
{
    for (size_t k = 0; k < plot->count && plot->ends; k++)
        if (plot->line[k].low[plot->points - 1] < plot->low ||
            plot->line[k].high[plot->points - 1] > plot->high)
            return true;
    return false;
}

static int
draw_view(struct work *work, const struct comparison_run *run,
          const struct match *match, const struct view *view)
{
    struct sepx_plot_line line[CONTENDERS_MAX];
    double *room = fill_lines(line, run, match, view->series);
    bool median = by_median(match, view->series);
    char name[128], title[256], caption[400], subtitle[160];
    struct sepx_plot plot = {
        .title = title,
        .subtitle = subtitle,
        .x_text = run->comparison->axis == SEPX_AXIS_SPENT
                      ? "training cost (1 = a full training)"
                      : "evaluations",
        .y_text = view->title,
        .x = run->at,
        .points = run->points,
        .line = line,
        .count = match->count,
        .ends = is_share(view->series) || median,
    };
    struct out made = {0}, see = {0};
    struct figure figure = {
        .name = name, .title = caption, .differs = run->comparison->differs};
    int status;

    snprintf(name, sizeof name, "%s-%s", view->key, match->panel->key);
    snprintf(title, sizeof title, "%s%s%s%s", match->panel->title,
             match->source ? " (" : "", match->source ? match->source : "",
             match->source ? ")" : "");
    snprintf(caption, sizeof caption, "%s: %s", title, view->title);
    snprintf(subtitle, sizeof subtitle, "%s of %u runs, %s: %s%s",
             is_share(view->series) ? "share"
             : median               ? "median"
                                    : "mean",
             work->runs, plot.ends ? "bars" : "band",
             median && work->runs < MEDIAN_RUNS ? "range" : "95 % intervals",
             plot.ends ? " at the end" : "");
    find_frame(run, view->series, &plot.low, &plot.high);
    out_print(&see, "%s", view->see);
    say_order(&see, run, match, view->series);
    if (bar_leaves(&plot))
        out_print(&see, " Bars that reach the frame extend beyond it.");
    say_command(&made, work, match);
    figure.made = made.text.at;
    figure.see = see.text.at;
    status = !room || made.err || see.err
                 ? cli_fail("reproduce", SEPX_ENOMEM, NULL)
                 : work_plot(work, &figure, draw, &plot);
    out_release(&made);
    out_release(&see);
    free(room);
    return status;
}

int
comparison_draw(struct work *work, const struct comparison_run *run)
{
    int status = CLI_DONE;

    for (const struct view *v = run->comparison->view; v->key && !status; v++)
        for (size_t i = 0; i < run->count && !status; i++)
            if (run->match[i].shown[v->series])
                status = draw_view(work, run, &run->match[i], v);
    return status;
}

/* ---- tables ---- */

static void
put_mean(struct work *work, const struct comparison_run *run,
         const struct match *match, const struct trace *t, enum series series,
         size_t i)
{
    struct band b = band_at(t, series, run->points, i);

    if (is_share(series))
        work_cell(work, "%.0f %%", b.mean);
    else
        work_cell(work, "%.*f (%.*f)", match->smaller ? 2 : 3, b.mean,
                  match->smaller ? 2 : 3, b.sd / sqrt((double)t->runs));
}

/* Columns of a table: places on the axis that were reached. */
struct columns {
    size_t count;
    size_t index[TABLE_COLUMNS];
    char text[TABLE_COLUMNS][32];
};

static void
find_columns(struct columns *columns, const struct comparison_run *run,
             const struct panel *panel)
{
    columns->count = 0;
    for (int c = 0; c < TABLE_COLUMNS; c++) {
        size_t i = 0;

        while (i < run->points && run->at[i] < panel->at[c])
            i++;
        if (i == run->points && columns->count)
            continue;
        i -= i == run->points;
        columns->index[columns->count] = i;
        snprintf(columns->text[columns->count++], sizeof columns->text[0],
                 "%.0f", run->at[i]);
    }
}

static void
put_authors(struct work *work, const struct panel *panel,
            const struct columns *columns, const char *label)
{
    for (const struct reference *r = panel->reference; r && r->label; r++) {
        if (strcmp(r->label, label))
            continue;
        work_row(work);
        work_cell(work, "%s, authors' code", label);
        for (size_t i = 0; i < columns->count; i++)
            if (strtod(columns->text[i], NULL) == panel->at[i])
                work_cell(work, "%.2f", r->mean[i]);
            else
                work_cell(work, "–");
    }
}

static void
put_table(struct work *work, const struct comparison_run *run,
          const struct match *match, const struct view *view)
{
    const char *head[TABLE_COLUMNS + 1] = {"method"};
    struct columns columns;
    char title[512];

    find_columns(&columns, run, match->panel);
    for (size_t i = 0; i < columns.count; i++)
        head[i + 1] = columns.text[i];
    snprintf(title, sizeof title, "%s: %s%s at %s%s", match->panel->title,
             view->title,
             is_share(view->series) ? "" : ", mean (standard error)",
             run->comparison->axis == SEPX_AXIS_SPENT ? "cost" : "evaluations",
             match->panel->reference
                 ? "; beside them the means of the authors' scripts"
                 : "");
    work_table(work, title, head, columns.count + 1);
    for (size_t k = 0; k < match->count; k++) {
        const struct trace *t = &match->trace[k];

        if (k)
            work_row(work);
        work_cell(work, "%s", t->who->label);
        for (size_t i = 0; i < columns.count; i++)
            put_mean(work, run, match, t, view->series, columns.index[i]);
        put_authors(work, match->panel, &columns, t->who->label);
    }
    work_table_end(work);
}

void
comparison_tables(struct work *work, const struct comparison_run *run)
{
    for (const struct view *v = run->comparison->view; v->key; v++)
        for (size_t i = 0; i < run->count; i++)
            if (run->match[i].shown[v->series])
                put_table(work, run, &run->match[i], v);
}
