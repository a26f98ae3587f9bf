/* SPDX-License-Identifier: Apache-2.0 */
/* What the commands that run searches share. */
#ifndef SEPX_CLI_EXPERIMENT_H
#define SEPX_CLI_EXPERIMENT_H

#include <stdatomic.h>

#include "frame/cli.h"

/* First in the settings of each such command. */
struct experiment_settings {
    const char *space, *eval, *rules, *x;
    struct word_list rule, at, objective, where;
    int64_t evals, runs, threads;
    uint64_t seed;
    bool json;
};

#define AT_COMMON(member) offsetof(struct experiment_settings, member)

/* clang-format off */
#define SPACE_OPTION \
    {"space", 's', OPTION_FILE, AT_COMMON(space), "NAME|FILE", "nb101", \
     .words = WORDS_SPACES, \
     .help = "the space: nb101, nb201, nbnlp, darts, or a FILE.json that " \
             "describes one"}

#define RULE_OPTIONS \
    {"rules", 0, OPTION_TEXT, AT_COMMON(rules), "PRESET", "default", \
     .words = WORDS_RULES, \
     .help = "rules of the search: default, plain (as before version 0.2), " \
             "published (as the authors' scripts) or paper"}, \
    {"rule", 0, OPTION_LIST, AT_COMMON(rule), "NAME=VALUE,...", \
     .help = "single rules; 'sepx search --list' names them"}

#define SEED_OPTION \
    {"seed", 0, OPTION_SEED, AT_COMMON(seed), "N", "1", \
     .help = "the first seed; everything drawn follows from it"}

#define EVAL_OPTION \
    {"eval", 'e', OPTION_TEXT, AT_COMMON(eval), "NAME:ARGUMENT", \
     .words = WORDS_EVALUATORS, \
     .help = "the evaluator; smaller scores are better: command:PROGRAM " \
             "ARGUMENT... or shell:LINE for a program of your own, or " \
             "target:optimum, target:FILE.json, target-pruned:optimum and " \
             "others; the first target of the space unless given"}

#define METHOD_OPTIONS(at) \
    {"method", 'm', OPTION_TEXT, at(method), "NAME[:OPTIONS]", "sep", \
     .words = WORDS_METHODS, \
     .help = "the search method: random, evolve, reinforce, local, bohb, " \
             "smac or model; or mutation, standard, matched, sep or path, which are " \
             "evolve with that crossover"}, \
    {"crossover", 'x', OPTION_TEXT, at(crossover), "NAME", \
     .words = WORDS_CROSSOVERS, \
     .help = "the crossover of evolve, instead of sep: none, standard, " \
             "matched, sep or path"}, \
    {"option", 'O', OPTION_LIST, at(option), "NAME=VALUE,...", \
     .help = "options of the method, or rules; 'sepx search --list' names " \
             "them"}

#define GOAL_OPTIONS \
    {"objective", 0, OPTION_LIST, AT_COMMON(objective), "NAME,...", \
     .help = "minimise these numbers of the evaluator's answers instead of " \
             "the score, all at once; NAME:max or -NAME is maximised, and a " \
             "reference value for hypervolumes may follow: error:0.5"}, \
    {"where", 0, OPTION_LIST, AT_COMMON(where), "NAME<=LIMIT,...", \
     .help = "constraints, NAME<=LIMIT or NAME>=LIMIT; graphs that violate " \
             "them lose against those that do so less"}

#define RUN_OPTIONS \
    EVAL_OPTION, \
    GOAL_OPTIONS, \
    {"evals", 'n', OPTION_COUNT, AT_COMMON(evals), "N", "2000", 1, 1e8, \
     .help = "evaluations of each run"}, \
    {"runs", 'r', OPTION_COUNT, AT_COMMON(runs), "N", "50", 1, 1e6, \
     .help = "independent runs; each has a seed of its own, counted up from " \
             "--seed"}, \
    {"at", 0, OPTION_LIST, AT_COMMON(at), "COUNTS", \
     .help = "the evaluation counts of the tables; with --x time, costs"}, \
    {"x", 0, OPTION_CHOICE, AT_COMMON(x), "AXIS", "evals", \
     .choices = experiment_axes, \
     .help = "compare methods after equal numbers of evaluations, or after " \
             "equal training time: in seconds where the evaluator knows " \
             "them, else a full evaluation counts 1"}, \
    {"threads", 0, OPTION_COUNT, AT_COMMON(threads), "N", "0", .high = 1024, \
     .help = "number of threads, 0 for one per processor; the result is " \
             "the same"}, \
    {"json", 'j', OPTION_FLAG, AT_COMMON(json), \
     .help = "print one JSON object"}
/* clang-format on */

/* Names of enum sepx_axis, ended by NULL. */
extern const char *const experiment_axes[];

#define MARKS_MAX 32

/* {0} is closed; experiment_close() ends it. */
struct experiment {
    const char *command;
    const struct experiment_settings *settings;
    struct sepx_space *space;
    struct sepx_eval *eval;
    struct sepx_goals goals; /* {0}: the score */
    struct sepx_box box;     /* of all runs, once they are made */
    char eval_text[512];
    const char **rule, **objective, **where; /* ended by NULL */
    enum sepx_axis axis;
    double mark[MARKS_MAX]; /* places on it: the columns of the tables */
    size_t n_marks;
    double longest;     /* the most time that a run spent */
    const char *title;  /* of the method under way; NULL: none */
    atomic_size_t done; /* evaluations, of earlier methods as well */
    uint64_t before;    /* those of earlier methods */
    uint64_t total;
    struct sepx_stop stop;           /* of the space: an interrupt */
    struct frequencies *frequencies; /* NULL: nobody wants them */
};

/* Without a space. Says what is wrong and returns an exit code, as all here. */
int experiment_begin(struct experiment *x, const char *command,
                     const struct experiment_settings *settings);
/* The same, and opens the space. */
int experiment_open_space(struct experiment *x, const char *command,
                          const struct experiment_settings *settings);
/* "NAME:OPTIONS" of all that was said about the method. */
int experiment_method_text(struct out *text, const char *method,
                           const char *crossover,
                           const struct word_list *option);
/* The evaluator that was given, or else the space's own, to eval_text. */
int experiment_eval_text(struct experiment *x);
/* Objectives and constraints that were given; says what is wrong. */
int experiment_goals(struct experiment *x);
/* The space and all else. */
int experiment_open(struct experiment *x, const char *command,
                    const struct experiment_settings *settings);
void experiment_close(struct experiment *x);

/* The rules of one operator; says what is wrong. */
int experiment_rules(const struct experiment *x, struct sepx_rules *rules,
                     const char *operator_name);
/* SEPX_EDATA, and why, unless the graph is one of the space. */
SEPX_CHECKED enum sepx_err experiment_check(const struct experiment *x,
                                            const struct sepx_graph *graph,
                                            struct sepx_msg *msg);

/* A method by its text; says what is wrong. */
int experiment_method(const struct experiment *x, struct sepx_method **method,
                      const char *text);
/*
 * Make the runs, with progress on a terminal. An interrupt gives
 * CLI_STOPPED, and `runs` has what was finished. CLI_UNSCORED, and no runs,
 * if no evaluation had a score; what the first failure said is said.
 */
int experiment_run(struct experiment *x, struct sepx_runs *runs,
                   const struct sepx_method *method);

/* With goals, after all runs: their curves, in one box for all methods. */
SEPX_CHECKED enum sepx_err experiment_volumes(struct experiment *x,
                                              struct sepx_runs *const *runs,
                                              size_t count);
/* After all runs: if the marks are times and none was named, choose some. */
void experiment_time_marks(struct experiment *x);

/* Keys "space", "eval", ... in the object that is open. */
void experiment_put_json(struct sepx_json_writer *w,
                         const struct experiment *x);

/* ---- summary.c ---- */

/* How scores of one kind are shown: plus + times * score. */
struct measure {
    const char *name;  /* in JSON */
    const char *score; /* what it is called in tables */
    const char *test;  /* the reported value; NULL: not shown beside it */
    double plus, times;
    int digits; /* of a mean, behind the point */
    int width;  /* of a table's cell */
};

const struct measure *experiment_measure(const struct experiment *x);

/* The runs at one mark, as scores; `measure` says how to show them. */
struct experiment_summary {
    const struct measure *measure;
    struct sepx_summary score, test; /* of the incumbents */
    /* Shares of runs; NaN: the optimum is not known. */
    double at_optimum; /* whose score is the best that there is */
    double visited;    /* that scored the graph of the best test value */
};

SEPX_CHECKED enum sepx_err
experiment_summarize(struct experiment_summary *out, const struct experiment *x,
                     const struct sepx_runs *runs, double mark);
/*
 * A summary for JSON and CSV: in the sign that the evaluator uses, so the
 * least score is the greatest number if scores are maximised. Errors stay
 * errors; only tables show them as accuracies.
 */
struct sepx_summary experiment_reported(const struct measure *measure,
                                        const struct sepx_summary *s);
/* Members of an open object: mean, se, ... */
void experiment_summary_put_json(struct sepx_json_writer *w,
                                 const struct experiment_summary *summary);
/* "evaluations" or "spent", and the mark. */
void experiment_mark_put_json(struct sepx_json_writer *w,
                              const struct experiment *x, size_t mark);
/* "mean (standard error)", "lower quartile median upper quartile". */
void experiment_mean(char *room, size_t size, const struct measure *measure,
                     const struct sepx_summary *s);
void experiment_quartiles(char *room, size_t size,
                          const struct measure *measure,
                          const struct sepx_summary *s);
/* Where scores come from, and what the columns are; nothing if usual. */
void experiment_print_notes(struct out *out, const struct experiment *x);
/* A line for each operator. */
void experiment_print_operators(struct out *out, const struct sepx_runs *runs);

/* Say that a bad word was given, or what failed; returns the exit code. */
int experiment_fail(const char *command, enum sepx_err err,
                    const struct sepx_msg *msg);

/* ---- frequencies.c ---- */

/*
 * From now on experiment_run() records the parents of crossovers;
 * experiment_close() ends it. Says what is wrong and returns an exit code.
 */
int frequencies_open(struct experiment *x);
/* One pair of a run, from the run's thread. */
void frequencies_note(struct frequencies *f, uint32_t run,
                      const struct sepx_graph *first,
                      const struct sepx_graph *second);
/*
 * What the finished runs met, added to `all`; parent 0 or 1 is the one that
 * is to improve.
 */
SEPX_CHECKED enum sepx_err
frequencies_sum(struct sepx_events *all, const struct experiment *x, int parent,
                const struct sepx_runs *runs);
/*
 * Joint counts of (d_opt, d_12), or of both parents' edges, added to `cells`
 * as events of those two numbers.
 */
SEPX_CHECKED enum sepx_err frequencies_cells(struct sepx_events *cells,
                                             const struct sepx_events *events,
                                             bool edges);
/* What the finished runs met, as CSV; the shares on standard error. */
int frequencies_write(const struct experiment *x, const char *path,
                      const struct sepx_runs *runs);
void frequencies_free(struct frequencies *f); /* NULL: nothing */

#endif
