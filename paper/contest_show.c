/* SPDX-License-Identifier: Apache-2.0 */
/* Rows, curves and tables of a contest. */
#include "contest.h"

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

static bool
is_share(enum series series)
{
    return series == SERIES_REACHED || series == SERIES_VISITED;
}

/* ---- means and bands ---- */

struct band {
    double mean, sd, low, high;
};

/* 97.5 % quantile of Student's t: Cornish-Fisher, good to 0.01 from 3 on. */
static double
student(size_t freedom)
{
    double f = (double)freedom;

    if (freedom < 2)
        return 12.706;
    return 1.959964 + (2.37227 + (2.8225 + (2.5558 + 1.5895 / f) / f) / f) / f;
}

/* Wilson's interval of a share in %. */
static void
wilson(struct band *band, double n)
{
    double z = 1.959964, p = band->mean / 100;
    double centre = (p + z * z / (2 * n)) / (1 + z * z / n);
    double half =
        z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n));

    band->low = 100 * fmax(centre - half, 0);
    band->high = 100 * fmin(centre + half, 1);
}

static struct band
band_at(const struct trace *trace, enum series series, size_t points, size_t i)
{
    const double *value = trace->value[series];
    double n = (double)trace->runs, half;
    struct band band = {0};

    for (size_t r = 0; r < trace->runs; r++)
        band.mean += value[r * points + i] / n;
    for (size_t r = 0; r < trace->runs; r++)
        band.sd += pow(value[r * points + i] - band.mean, 2);
    band.sd = trace->runs > 1 ? sqrt(band.sd / (n - 1)) : 0;
    half = trace->runs > 1 ? student(trace->runs - 1) * band.sd / sqrt(n) : 0;
    band.low = band.mean - half;
    band.high = band.mean + half;
    if (is_share(series))
        wilson(&band, n);
    return band;
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
print_curves(struct out *out, const struct contest_run *run,
             const struct match *match)
{
    for (size_t k = 0; k < match->count; k++) {
        const struct trace *t = &match->trace[k];

        for (int s = 0; s < SERIES_END; s++)
            for (size_t i = 0; i < run->points && match->shown[s]; i++) {
                struct band b = band_at(t, (enum series)s, run->points, i);

                out_print(out, "%s,%s,%s,%.9g,%zu,%.9g,%.9g,%.9g,%.9g\n",
                          match->panel->key, names[s], t->who->label,
                          run->at[i], t->runs, b.mean, b.sd, b.low, b.high);
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
contest_write(struct work *work, const struct contest_run *run)
{
    struct out runs = {0}, curves = {0};
    int status;

    out_print(&runs, "panel,series,method,seed,mean,last\n");
    out_print(&curves, "panel,series,method,at,runs,mean,sd,low,high\n");
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
fill_lines(struct sepx_plot_line *line, const struct contest_run *run,
           const struct match *match, enum series series)
{
    size_t points = run->points;
    double *room = calloc(match->count * points * 3, sizeof *room);

    for (size_t k = 0; k < match->count && room; k++) {
        double *mean = room + 3 * k * points;

        for (size_t i = 0; i < points; i++) {
            struct band b = band_at(&match->trace[k], series, points, i);

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

/* The lower quartile of the runs at one point; NaN for want of memory. */
static double
quartile(const struct trace *t, enum series series, size_t points, size_t at)
{
    double *value = calloc(t->runs, sizeof *value);
    struct sepx_summary s = {.q25 = NAN};

    for (size_t r = 0; r < t->runs && value; r++)
        value[r] = t->value[series][r * points + at];
    if (value && sepx_summarize(&s, value, t->runs))
        s.q25 = NAN;
    free(value);
    return s.q25;
}

/*
 * Accuracies differ in their last digits once the first evaluations are
 * over, so the axis begins at the worst quartile a twentieth of the way. Not
 * at a mean: one failed training of a chosen cell costs it a third.
 */
static double
lowest(const struct contest_run *run, const struct match *match,
       enum series series)
{
    double low = INFINITY;

    if (is_share(series) || match->smaller)
        return 0;
    for (size_t k = 0; k < match->count; k++)
        low = fmin(low, quartile(&match->trace[k], series, run->points,
                                 run->points / 20));
    return low;
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

static int
draw_view(struct work *work, const struct contest_run *run,
          const struct match *match, const struct view *view)
{
    struct sepx_plot_line line[CONTENDERS_MAX];
    double *room = fill_lines(line, run, match, view->series);
    char name[128], title[256], caption[400], subtitle[160];
    struct sepx_plot plot = {
        .title = title,
        .subtitle = subtitle,
        .x_text = run->contest->axis == SEPX_AXIS_SPENT
                      ? "training cost (1 = a full training)"
                      : "evaluations",
        .y_text = view->title,
        .x = run->at,
        .points = run->points,
        .line = line,
        .count = match->count,
        .low = lowest(run, match, view->series),
        .high = is_share(view->series) ? 100 : NAN,
    };
    struct out made = {0};
    struct figure figure = {.name = name,
                            .title = caption,
                            .see = view->see,
                            .differs = run->contest->differs};
    int status;

    snprintf(name, sizeof name, "%s-%s", view->key, match->panel->key);
    snprintf(title, sizeof title, "%s%s%s%s", match->panel->title,
             match->source ? " (" : "", match->source ? match->source : "",
             match->source ? ")" : "");
    snprintf(caption, sizeof caption, "%s: %s", title, view->title);
    snprintf(subtitle, sizeof subtitle,
             "mean of %u runs, band: 95 %% confidence interval", work->runs);
    say_command(&made, work, match);
    figure.made = made.text.at;
    status = !room || made.err ? cli_fail("reproduce", SEPX_ENOMEM, NULL)
                               : work_plot(work, &figure, draw, &plot);
    out_release(&made);
    free(room);
    return status;
}

int
contest_draw(struct work *work, const struct contest_run *run)
{
    int status = CLI_DONE;

    for (const struct view *v = run->contest->view; v->key && !status; v++)
        for (size_t i = 0; i < run->count && !status; i++)
            if (run->match[i].shown[v->series])
                status = draw_view(work, run, &run->match[i], v);
    return status;
}

/* ---- tables ---- */

static void
put_mean(struct work *work, const struct contest_run *run,
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

static void
put_table(struct work *work, const struct contest_run *run,
          const struct match *match, const struct view *view)
{
    static const double shares[] = {0.1, 0.25, 0.5, 1};
    const char *head[5] = {"method"};
    char text[4][32], title[400];
    size_t at[4];

    for (int i = 0; i < 4; i++) {
        at[i] = (size_t)ceil(shares[i] * (double)run->points) - 1;
        snprintf(text[i], sizeof text[i], "%.0f", run->at[at[i]]);
        head[i + 1] = text[i];
    }
    snprintf(title, sizeof title, "%s: %s%s at %s", match->panel->title,
             view->title,
             is_share(view->series) ? "" : ", mean (standard error)",
             run->contest->axis == SEPX_AXIS_SPENT ? "cost" : "evaluations");
    work_table(work, title, head, 5);
    for (size_t k = 0; k < match->count; k++) {
        if (k)
            work_row(work);
        work_cell(work, "%s", match->trace[k].who->label);
        for (int i = 0; i < 4; i++)
            put_mean(work, run, match, &match->trace[k], view->series, at[i]);
    }
    work_table_end(work);
}

void
contest_tables(struct work *work, const struct contest_run *run)
{
    for (const struct view *v = run->contest->view; v->key; v++)
        for (size_t i = 0; i < run->count; i++)
            if (run->match[i].shown[v->series])
                put_table(work, run, &run->match[i], v);
}
