/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A study at work, on standard error: a display that is drawn anew on a
 * terminal, and a line for each trial elsewhere.
 */
#include "study/study_command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frame/display.h"

enum { RUNNING_SHOWN = 8, CURVE = 60, BEST = 34 };

struct live {
    struct study *s;
    bool quiet;
    struct sepx_study_summary summary;
    double began;
    uint32_t told;      /* since it began */
    bool troubled;      /* the server is away, and we said so */
    char left_out[200]; /* of the first answer that lacks members; or "" */
};

struct live *
live_new(struct study *s, bool quiet)
{
    struct live *live = calloc(1, sizeof *live);

    if (!live)
        return NULL;
    live->s = s;
    live->quiet = quiet;
    live->began = sepx_clock();
    /* What is wrong with the log is said when it is replayed. */
    if (sepx_study_summarize(&live->summary, s->study, NULL) == SEPX_ENOMEM) {
        live_free(live);
        return NULL;
    }
    return live;
}

/* ---- lines ---- */

static void
print_line(const struct live *live, const struct sepx_entry *entry)
{
    const struct sepx_told *told = &entry->told;
    struct out out = {0};

    out_print(&out, "trial %u  %s", told->trial, entry->asked.op);
    for (int i = 0; i < 2 && entry->asked.parent[i] >= 0; i++)
        out_print(&out, "%s%lld", i ? "+" : " of ",
                  (long long)entry->asked.parent[i]);
    if (isnan(told->value))
        study_print_failure(&out, told);
    else if (study_has_goals(live->s)) {
        out_print(&out, "  ");
        study_print_numbers(&out, live->s, told, "%s %.6g", ", ");
    } else
        out_print(&out, "  %.6g", study_value(live->s, told->value));
    if (told->cached >= 0)
        out_print(&out, "  as trial %lld", (long long)told->cached);
    else
        out_print(&out, "  %.3g s", told->seconds);
    if (!isnan(live->summary.best) && !study_has_goals(live->s))
        out_print(&out, "  best %.6g",
                  study_value(live->s, live->summary.best));
    if (!out.err)
        fprintf(stderr, "%s\n", out.text.at);
    out_release(&out);
}

static void
say_left_out(const struct live *live)
{
    cli_say(live->s->command, "%s; the score counts", live->left_out);
}

/* Once; a display has a row for it, and says it when it is gone. */
static void
note_left_out(struct live *live, const struct sepx_told *told)
{
    char line[160];

    if (isnan(told->value) || !told->errors || live->left_out[0])
        return;
    sepx_eval_error_line(line, sizeof line, told->errors);
    snprintf(live->left_out, sizeof live->left_out, "trial %u %s", told->trial,
             line);
    if (!display_there())
        say_left_out(live);
}

void
live_told(void *context, const struct sepx_entry *entry)
{
    struct live *live = context;

    live->told++;
    /* For want of memory a display may be wrong; the study continues. */
    if (sepx_study_summary_add(&live->summary, entry))
        return;
    if (!live->quiet && !display_there())
        print_line(live, entry);
    note_left_out(live, &entry->told);
}

void
live_heard(void *context, const struct sepx_entry *entry)
{
    struct live *live = context;

    live->told++;
    (void)!sepx_study_summary_add(&live->summary, entry);
}

const struct study *
live_study(const struct live *live)
{
    return live->s;
}

/* ---- the display ---- */

static void
print_bold(struct out *out, const char *text)
{
    out_style(out, STDERR_FILENO, STYLE_BOLD);
    out_print(out, "%s", text);
    out_style(out, STDERR_FILENO, STYLE_PLAIN);
}

/* What is left of the line for it. */
static size_t
width_of_curve(void)
{
    size_t width = display_width();

    width = width > BEST ? width - BEST : 1;
    return width < CURVE ? width : CURVE;
}

static void
draw_head(const struct live *live, struct out *out,
          const struct sepx_study_view *view)
{
    const struct sepx_study_summary *sum = &live->summary;
    double spent = sepx_clock() - live->began;
    char best[32];

    print_bold(out, live->s->path);
    out_print(out, "  %u of %u", view->done, view->evals);
    if (sum->cached)
        out_print(out, ", %u cached", sum->cached);
    if (sum->told > sum->outcome[SEPX_SCORED])
        out_print(out, ", %u without score",
                  sum->told - sum->outcome[SEPX_SCORED]);
    out_print(out, "  ");
    study_print_time(out, view->elapsed);
    if (live->told && view->done < view->evals && !view->end) {
        out_print(out, ", ");
        study_print_time(out, spent / live->told * (view->evals - view->done));
        out_print(out, " left");
    }
    out_print(out, "\n");
    if (isnan(sum->best))
        return;
    snprintf(best, sizeof best, "%.6g", study_value(live->s, sum->best));
    out_print(out, "best ");
    print_bold(out, best);
    out_print(out, ", trial %u  ", sum->best_trial);
    study_print_curve(out, live->s, sum, width_of_curve());
    out_print(out, "\n");
}

static void
draw_operators(const struct live *live, struct out *out)
{
    for (uint32_t i = 0; i < live->summary.n_ops; i++) {
        const struct sepx_study_operator *op = &live->summary.op[i];

        out_print(out, "%s%s %u/%u", i ? ", " : "new bests: ", op->name,
                  op->improved, op->told);
    }
    out_print(out, "\n");
}

static void
draw_running(struct out *out, const struct sepx_study_view *view)
{
    for (uint32_t i = 0; i < view->n_running && i < RUNNING_SHOWN; i++) {
        const struct sepx_study_running *at = &view->running[i];

        out_print(out, "  trial %-6u %-10s ", at->trial, at->op);
        study_print_time(out, at->seconds);
        if (at->slot)
            out_print(out, "  %s", at->slot);
        out_print(out, "\n");
    }
    if (view->n_running > RUNNING_SHOWN)
        out_print(out, "  and %u more\n", view->n_running - RUNNING_SHOWN);
}

/* A reason that does not fit behind the trial has a row of its own. */
static void
draw_failure(const struct live *live, struct out *out)
{
    const struct sepx_study_failure *last =
        study_last_failure(&live->summary, 0);
    const char *outcome = sepx_outcome_name(last->outcome);
    const size_t len = strlen("last failure: trial 123456  : ") +
                       strlen(outcome) + strlen(last->line);
    const char *between = len <= display_width() ? ": " : "\n  ";

    out_print(out, "last failure: trial %u  %s%s%s\n", last->trial, outcome,
              *last->line ? between : "", last->line);
}

static void
draw(const struct live *live, const struct sepx_study_view *view)
{
    struct out out = {0};

    draw_head(live, &out, view);
    study_print_start(&out, &live->summary, "", "\n");
    if (live->summary.n_ops)
        draw_operators(live, &out);
    if (live->summary.n_failures)
        draw_failure(live, &out);
    if (live->left_out[0])
        out_print(&out, "%s\n", live->left_out);
    draw_running(&out, view);
    if (view->trouble)
        out_print(&out, "waiting for the server: %s\n", view->trouble);
    if (view->end && view->n_running)
        out_print(&out, "no more are begun; Ctrl-C gives up those under way\n");
    if (interrupt_seen()) {
        out_print(&out, "stopping; Ctrl-C again ends it at once\n");
        interrupt_announce();
    }
    display_draw(&out);
}

const struct sepx_study_summary *
live_summary(const struct live *live)
{
    return &live->summary;
}

bool
live_watch(void *context, const struct sepx_study_view *view)
{
    struct live *live = context;

    if (!live->quiet && display_due())
        draw(live, view);
    if (view->trouble && !live->troubled && !display_there())
        cli_say(live->s->command, "%s; continuing when it is back",
                view->trouble);
    live->troubled = view->trouble;
    return !interrupt_seen();
}

void
live_free(struct live *live)
{
    if (!live)
        return;
    display_end();
    if (live->left_out[0] && display_there())
        say_left_out(live);
    sepx_study_summary_release(&live->summary);
    free(live);
}
