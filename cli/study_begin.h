/* SPDX-License-Identifier: Apache-2.0 */
/* The words of sepx search that are about studies. */
#ifndef SEPX_CLI_STUDY_BEGIN_H
#define SEPX_CLI_STUDY_BEGIN_H

#include "experiment.h"
#include "study.h"

struct study_words {
    const char *path; /* NULL: no study */
    int64_t window;
    bool async, repeats;
    bool maximize;
    double time_limit, memory_limit;
    int64_t retries, mean_of;
    const char *checkpoints;
    struct study_going going;
};

/* clang-format off */
#define STUDY_OPTIONS(at) \
    {"study", 0, OPTION_FILE, at(path), "FILE", \
     .help = "one run that is kept in this new file, evaluated by many " \
             "workers, and can go on after any interruption; see 'sepx " \
             "resume'"}, \
    {"window", 0, OPTION_COUNT, at(window), "N", "8", 1, SEPX_WINDOW_MAX, \
     .help = "of a study: a proposal is made from the results up to so many " \
             "trials before it, whichever ended first"}, \
    {"async", 0, OPTION_FLAG, at(async), \
     .help = "of a study: use results as they come; the log has their order"}, \
    {"repeats", 0, OPTION_FLAG, at(repeats), \
     .help = "of a study: evaluate isomorphic graphs again, for evaluators " \
             "with noise"}, \
    {"maximize", 0, OPTION_FLAG, at(maximize), \
     .help = "of a study with a program: larger scores are better"}, \
    {"time-limit", 0, OPTION_NUMBER, at(time_limit), "SECONDS", "0", 0, 1e9, \
     .help = "of each evaluation by a program; 0: none"}, \
    {"memory-limit", 0, OPTION_NUMBER, at(memory_limit), "MB", "0", 0, 1e9, \
     .help = "of a program and all its children, in megabytes; 0: none"}, \
    {"retries", 0, OPTION_COUNT, at(retries), "N", "2", 0, 1000, \
     .help = "more tries of a program that fails"}, \
    {"mean-of", 0, OPTION_COUNT, at(mean_of), "N", "1", 1, 1e6, \
     .help = "runs of a program whose mean is the score"}, \
    {"checkpoints", 0, OPTION_FILE, at(checkpoints), "FOLDER", \
     .help = "where programs keep what should survive a crash"}
/* clang-format on */

/* CLI_USAGE, and which, if a word needs a study and there is none. */
int study_words_check(const struct study_words *words);
/* Begin a study and run it; returns an exit code. */
int study_begin(const struct experiment_settings *common,
                const struct study_words *words, const char *method);

#endif
