/* SPDX-License-Identifier: Apache-2.0 */
/* What the commands about studies share. */
#ifndef SEPX_CLI_STUDY_H
#define SEPX_CLI_STUDY_H

#include "cli.h"

/* {0} is closed; study_close() ends it. */
struct study {
    const char *command, *path;
    struct sepx_study *study;
    struct sepx_store *store; /* the study's */
    bool maximize;            /* answers have their signs turned in the log */
};

/* Says what is wrong and returns an exit code. */
int study_open(struct study *s, const char *command, const char *path,
               bool write);
void study_close(struct study *s);
/* A value of the log as the evaluator gave it. */
double study_value(const struct study *s, double value);

/* ---- going on with a study: study.c ---- */

/* How to go on; remembered for the next time. */
struct study_going {
    int64_t evals, workers; /* -1: as before, or the default */
    double time;            /* NaN: likewise */
    struct word_list slots;
    bool quiet, json;
};

/* clang-format off */
#define STUDY_GOING_OPTIONS(at) \
    {"workers", 0, OPTION_COUNT, at(workers), "N", NULL, 1, \
     SEPX_WINDOW_MAX, .help = "evaluations at once, at most the window; one " \
             "for each slot or processor unless given"}, \
    {"slots", 0, OPTION_LIST, at(slots), "NAMES", \
     .help = "one for each worker, such as gpu:0,gpu:1; its evaluations " \
             "find it in SEPX_SLOT"}, \
    {"time", 0, OPTION_NUMBER, at(time), "SECONDS", NULL, 0, 1e12, \
     .help = "end when the study has run so long, all sessions together; " \
             "0: no limit"}, \
    {"quiet", 'q', OPTION_FLAG, at(quiet), \
     .help = "neither a display nor a line for each trial"}
/* clang-format on */

/*
 * These options as the JSON text that a new study begins with. Fails only
 * for want of memory.
 */
SEPX_CHECKED enum sepx_err study_options_write(struct sepx_text *text,
                                               const struct study_going *going,
                                               uint32_t window);
/*
 * Run the study and print how it stands. An interrupt gives CLI_STOPPED and
 * leaves a study that can go on.
 */
int study_go(struct study *s, const struct study_going *going);

/* ---- how it stands: status.c ---- */

/* On standard output; says what is wrong. */
int study_print_status(struct study *s, bool json);
/* The best score so far as a line of at most `width` blocks. */
void study_print_curve(struct out *out, const struct study *s,
                       const struct sepx_study_summary *summary, size_t width);
/* "1h 02m", "3m 07s", "4.2 s" */
void study_print_time(struct out *out, double seconds);

/* ---- rows: export.c ---- */

/* One trial as an object; `times`: what differs from run to run, too. */
void study_put_trial(struct sepx_json_writer *w, const struct study *s,
                     const struct sepx_entry *entry, bool times);

/* ---- the display: live.c ---- */

struct live;

/* On a terminal a display, else a line for each trial; NULL: no memory. */
struct live *live_new(struct study *s, bool quiet);
void live_free(struct live *live); /* NULL: nothing */
/* Trials told so far, those of earlier sessions too. */
uint32_t live_count(const struct live *live);
/* For struct sepx_study_plan; `live` is the context. */
bool live_watch(void *live, const struct sepx_study_view *view);
void live_told(void *live, const struct sepx_entry *entry);

#endif
