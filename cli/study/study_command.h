/* SPDX-License-Identifier: Apache-2.0 */
/* What the commands about studies share. */
#ifndef SEPX_CLI_STUDY_H
#define SEPX_CLI_STUDY_H

#include "frame/cli.h"

/* {0} is closed; study_close() ends it. */
struct study {
    const char *command, *path;
    const char *quote; /* around the path where it is typed: a URL has &,
                          a file may have blanks */
    struct sepx_study *study;
    struct sepx_store *store;       /* the study's */
    const struct sepx_goals *goals; /* likewise */
    bool maximize; /* larger scores are better: the log has -score */
    bool begun;    /* just now, with its first session */
};

/* Says what is wrong and returns an exit code. */
int study_open(struct study *s, const char *command, const char *path,
               bool write);
/* The rest of an open `s->study`. */
void study_opened(struct study *s);
void study_close(struct study *s);
/* The file without its folder, or the study of a URL. */
void study_name(const struct study *s, char *room, size_t size);
/* A value of the log as the evaluator gave it. */
double study_value(const struct study *s, double value);

/* "smaller is better", or "larger" */
const char *study_direction(bool maximize);

/* ---- workers on a server: study_workers.c ---- */

/* Who works on it, how fast, and where it failed; nothing for a file. */
SEPX_CHECKED enum sepx_err
study_print_workers(struct out *out, const struct study *s,
                    const struct sepx_study_summary *sum, struct sepx_msg *msg);
/* The same as members of an open object. */
SEPX_CHECKED enum sepx_err
study_put_workers(struct sepx_json_writer *w, const struct study *s,
                  const struct sepx_study_summary *sum, struct sepx_msg *msg);

/* ---- resuming a study: study_open.c ---- */

/* How to resume; remembered for the next time. */
struct study_going {
    int64_t evals, workers; /* -1: as before, or the default */
    int64_t patience, max_failures;
    double time, until; /* NaN: likewise */
    const char *count;  /* NULL: likewise */
    struct word_list slots;
    bool kill_at_limit, quiet, json; /* of this session */
    /* On a server; all of this session. */
    bool work; /* join others: their options are ours, and no session begins */
    bool idle; /* begin or change the study; others work on it */
    bool one;
    double lease, idle_exit; /* NaN: the default */
    const char *name;
};

/* clang-format off */
#define STUDY_SERVER_OPTIONS(at) \
    {"name", 0, OPTION_TEXT, at(name), "NAME", .group = "On a server", \
     .help = "name of this worker in 'sepx study status'; the machine's " \
             "name unless given"}, \
    {"lease", 0, OPTION_NUMBER, at(lease), "SECONDS", NULL, 1, 1e6, \
     .help = "time without a heartbeat after which other workers take over " \
             "its trials; 60 unless given"}, \
    {"eval-hash", 0, OPTION_TEXT, AT(eval_hash), "HEX", \
     .help = "run the evaluator of the study, whose text has this SHA-256 " \
             "(at least 16 digits of it); 'sepx study status' shows it"}, \
    {"new-files", 0, OPTION_FLAG, AT(new_files), \
     .help = "accept the evaluator's files on this machine as the right " \
             "ones from now on"}
/* clang-format on */

/* ---- what a study on a server may run here: trust.c ---- */

/* Whether the name of a study is that of one on a server. */
bool study_is_url(const char *path);
/* Whether an evaluator starts a program. */
bool study_starts_program(const char *eval);
/*
 * Whoever writes the database must not run programs here: an evaluator that
 * starts one was given on the command line (`given`: and compared), or its
 * hash was.
 */
int study_confirm_eval(const struct study *s, bool given, const char *hash);
/*
 * Compare the files that the evaluator names with those that the study began
 * with. `owner`: note those that are not noted yet; `renew`: all.
 */
int study_confirm_files(const struct study *s, bool owner, bool renew);

/* What --evals counts; ended by NULL. */
extern const char *const study_counts[];

/* clang-format off */
#define STUDY_GOING_OPTIONS(at) \
    {"workers", 0, OPTION_COUNT, at(workers), "N", NULL, 1, \
     SEPX_WINDOW_MAX, .help = "number of simultaneous evaluations, at most " \
                              "the window; one for each slot or processor " \
                              "unless given"}, \
    {"slots", 0, OPTION_LIST, at(slots), "NAMES", \
     .help = "slots, one for each worker, such as gpu:0,gpu:1; an " \
             "evaluation finds its slot in SEPX_SLOT"}, \
    {"time", 0, OPTION_NUMBER, at(time), "SECONDS", NULL, 0, 1e12, \
     .help = "start no evaluation once the study has run this long, all " \
             "sessions together; those under way may finish; 0: no limit"}, \
    {"count", 0, OPTION_CHOICE, at(count), "WHAT", \
     .choices = study_counts, \
     .help = "what --evals counts: trials, which include proposals that get " \
             "the result of an isomorphic one, or evaluations; trials unless " \
             "given"}, \
    {"until", 0, OPTION_NUMBER, at(until), "VALUE", NULL, -1e300, 1e300, \
     .help = "end when a trial has a score as good as this"}, \
    {"patience", 0, OPTION_COUNT, at(patience), "N", NULL, 0, 1e9, \
     .help = "end after N evaluations without a new best; 0: no limit"}, \
    {"max-failures", 0, OPTION_COUNT, at(max_failures), "N", NULL, 0, 1e9, \
     .help = "end after N failed evaluations in a row, unfit graphs left " \
             "out; 10 unless given, 0: never"}, \
    {"kill-at-limit", 0, OPTION_FLAG, at(kill_at_limit), \
     .help = "at --time, --until, --patience and --max-failures, end the " \
             "evaluations under way instead of waiting for them"}, \
    {"quiet", 'q', OPTION_FLAG, at(quiet), \
     .help = "print neither a live display nor a line for each trial"}
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
 * leaves a study that can be resumed.
 */
int study_go(struct study *s, const struct study_going *going);

/* The rules by which the last session was to end. */
SEPX_CHECKED enum sepx_err study_last_plan(const struct study *s,
                                           struct sepx_study_plan *plan,
                                           double *until, struct sepx_msg *msg);

/* The settings as a line of JSON whose members are options. */
SEPX_CHECKED enum sepx_err study_config_write(struct out *out,
                                              const struct study *s);

/* ---- study_goals.c ---- */

bool study_has_goals(const struct study *s);
/* Each by `form`, which takes a name and a number; nothing if it has none. */
void study_print_numbers(struct out *out, const struct study *s,
                         const struct sepx_told *told, const char *form,
                         const char *between);
/* Members and columns of the numbers; none without goals. `told` or NULL. */
void study_put_numbers(struct sepx_json_writer *w, const struct study *s,
                       const struct sepx_told *told);
void study_csv_numbers(struct out *out, const struct study *s,
                       const struct sepx_told *told);
void study_csv_names(struct out *out, const struct study *s);
/* Points of the front, by the first objective, for free(). */
SEPX_CHECKED enum sepx_err study_front(const struct sepx_study_summary *summary,
                                       size_t **at, size_t *count);
/* Lines "front" and "best"; the member "front", trials. */
void study_print_front(struct out *out, const struct study *s,
                       const struct sepx_study_summary *sum);
void study_put_front(struct sepx_json_writer *w,
                     const struct sepx_study_summary *sum, enum sepx_err *err);

/* ---- study_bring.c ---- */

/*
 * The graphs of a file of JSON Lines, and the line of each. The caller
 * releases each graph and frees both, after a failure too.
 */
SEPX_CHECKED enum sepx_err
study_read_graphs(const struct study *s, const char *path,
                  struct sepx_graph **graphs, size_t **line, size_t *count,
                  struct sepx_msg *msg);
/* The study and the file, "-" being standard input. Says what is wrong. */
int study_bring(const char *command, char *const *operand, bool import,
                bool json);

/* ---- how it stands: status.c ---- */

/* On standard output; says what is wrong. */
int study_print_status(struct study *s, bool json);
/* The best score so far, as sepx_text_add_sparkline() draws it. */
void study_print_curve(struct out *out, const struct study *s,
                       const struct sepx_study_summary *summary, size_t width);
/* "random start 60 of 100" between `before` and `after`, while it lasts. */
void study_print_start(struct out *out,
                       const struct sepx_study_summary *summary,
                       const char *before, const char *after);
/* The last evaluation without a score, or the one `back` before it. */
const struct sepx_study_failure *
study_last_failure(const struct sepx_study_summary *summary, uint32_t back);
/* "  failed: exit status 1: the last line of its standard error" */
void study_print_failure(struct out *out, const struct sepx_told *told);
/* "1h 02m", "3m 07s", "4.2 s" */
void study_print_time(struct out *out, double seconds);

/* ---- rows: export.c ---- */

/* One trial as an object; `times`: what differs from run to run, too. */
void study_put_trial(struct sepx_json_writer *w, const struct study *s,
                     const struct sepx_entry *entry, bool times);

/* The members alone, into an open object. */
void study_put_members(struct sepx_json_writer *w, const struct study *s,
                       const struct sepx_entry *entry, bool times);

/* A comma and the number; NaN: nothing behind the comma. */
void study_csv_number(struct out *out, double value);

/* ---- the display: live.c ---- */

struct live;

/* On a terminal a display, else a line for each trial; NULL: no memory. */
struct live *live_new(struct study *s, bool quiet);
void live_free(struct live *live); /* NULL: nothing */
/* All trials told so far, those of earlier sessions too. */
const struct sepx_study_summary *live_summary(const struct live *live);
/* For struct sepx_study_plan; `live` is the context. */
bool live_watch(void *live, const struct sepx_study_view *view);
void live_told(void *live, const struct sepx_entry *entry);
/* A result of another process: counted, without a line. */
void live_heard(void *live, const struct sepx_entry *entry);
const struct study *live_study(const struct live *live);

#endif
