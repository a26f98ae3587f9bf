/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A study at work, on standard error: a display that is drawn anew on a
 * terminal, and a line for each trial elsewhere.
 */
#include "study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "experiment.h"

#define REDRAW 0.1 /* seconds */
enum { RUNNING_SHOWN = 8, WIDTH_LEAST = 40, WIDTH_MOST = 100 };

struct live {
    struct study *s;
    bool quiet, terminal, colour;
    struct sepx_study_summary summary;
    double began, shown;
    uint32_t told;  /* since it began */
    unsigned lines; /* of the display that is there */
};

struct live *
live_new(struct study *s, bool quiet)
{
    struct live *live = calloc(1, sizeof *live);
    const char *term = getenv("TERM");

    if (!live)
        return NULL;
    live->s = s;
    live->quiet = quiet;
    live->terminal =
        !quiet && isatty(STDERR_FILENO) && !(term && !strcmp(term, "dumb"));
    live->colour = live->terminal && cli_colour(STDERR_FILENO);
    live->began = sepx_clock();
    if (sepx_study_summarize(&live->summary, s->study, NULL)) {
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
        out_print(&out, "  %s", told->outcome);
    else
        out_print(&out, "  %.6g", study_value(live->s, told->value));
    if (told->cached >= 0)
        out_print(&out, "  as trial %lld", (long long)told->cached);
    else
        out_print(&out, "  %.3g s", told->seconds);
    if (!isnan(live->summary.best))
        out_print(&out, "  best %.6g",
                  study_value(live->s, live->summary.best));
    if (!out.err)
        fprintf(stderr, "%s\n", out.text.at);
    out_release(&out);
}

void
live_told(void *context, const struct sepx_entry *entry)
{
    struct live *live = context;

    live->told++;
    /* For want of memory a display may be wrong, the study goes on. */
    if (sepx_study_summary_add(&live->summary, entry))
        return;
    if (!live->quiet && !live->terminal)
        print_line(live, entry);
}

/* ---- the display ---- */

static size_t
width_of_terminal(void)
{
    struct winsize size = {0};

    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 ||
        size.ws_col < WIDTH_LEAST)
        return WIDTH_LEAST;
    return size.ws_col < WIDTH_MOST ? size.ws_col : WIDTH_MOST;
}

static void
end_line(struct live *live, struct out *out)
{
    out_print(out, "\033[K\n");
    live->lines++;
}

static void
draw_head(struct live *live, struct out *out,
          const struct sepx_study_view *view)
{
    const struct sepx_study_summary *sum = &live->summary;
    double spent = sepx_clock() - live->began;
    const char *bold = live->colour ? "\033[1m" : "";
    const char *plain = live->colour ? "\033[0m" : "";

    out_print(out, "%s%s%s  %u of %u", bold, live->s->path, plain, view->told,
              view->evals);
    if (sum->cached)
        out_print(out, ", %u cached", sum->cached);
    if (sum->told > sum->outcome[SEPX_SCORED])
        out_print(out, ", %u without score",
                  sum->told - sum->outcome[SEPX_SCORED]);
    out_print(out, "  ");
    study_print_time(out, view->elapsed);
    if (live->told && view->told < view->evals) {
        out_print(out, ", ");
        study_print_time(out, spent / live->told * (view->evals - view->told));
        out_print(out, " left");
    }
    end_line(live, out);
    if (isnan(sum->best))
        return;
    out_print(out, "best %s%.6g%s, trial %u  ", bold,
              study_value(live->s, sum->best), plain, sum->best_trial);
    study_print_curve(out, live->s, sum, width_of_terminal() - 34);
    end_line(live, out);
}

static void
draw_operators(struct live *live, struct out *out)
{
    for (uint32_t i = 0; i < live->summary.n_ops; i++) {
        const struct sepx_study_operator *op = &live->summary.op[i];

        out_print(out, "%s%s %u/%u", i ? ", " : "new bests: ", op->name,
                  op->improved, op->told);
    }
    end_line(live, out);
}

static void
draw_running(struct live *live, struct out *out,
             const struct sepx_study_view *view)
{
    for (uint32_t i = 0; i < view->n_running && i < RUNNING_SHOWN; i++) {
        const struct sepx_study_running *at = &view->running[i];

        out_print(out, "  trial %-6u %-10s ", at->trial, at->op);
        study_print_time(out, at->seconds);
        if (at->slot)
            out_print(out, "  %s", at->slot);
        end_line(live, out);
    }
    if (view->n_running > RUNNING_SHOWN) {
        out_print(out, "  and %u more", view->n_running - RUNNING_SHOWN);
        end_line(live, out);
    }
}

static void
draw(struct live *live, const struct sepx_study_view *view)
{
    struct out out = {0};

    if (live->lines)
        out_print(&out, "\033[%uA", live->lines);
    live->lines = 0;
    draw_head(live, &out, view);
    if (live->summary.n_ops)
        draw_operators(live, &out);
    draw_running(live, &out, view);
    if (interrupt_seen()) {
        out_print(&out, "stopping; once more: at once");
        end_line(live, &out);
    }
    out_print(&out, "\033[J");
    if (!out.err)
        fputs(out.text.at, stderr);
    fflush(stderr);
    out_release(&out);
}

uint32_t
live_count(const struct live *live)
{
    return live->summary.told;
}

bool
live_watch(void *context, const struct sepx_study_view *view)
{
    struct live *live = context;
    double now = sepx_clock();

    if (live->terminal && now - live->shown >= REDRAW) {
        draw(live, view);
        live->shown = now;
    }
    return !interrupt_seen();
}

void
live_free(struct live *live)
{
    if (!live)
        return;
    if (live->lines) /* what is printed next takes its place */
        fprintf(stderr, "\033[%uA\033[J", live->lines);
    sepx_study_summary_release(&live->summary);
    free(live);
}
