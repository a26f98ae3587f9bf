/* SPDX-License-Identifier: Apache-2.0 */
/* The paper's experiments as data. */
#include "comparison/comparison.h"

/* A method looks the same in every figure. */
enum { SEP, STANDARD, RL, BOHB, RANDOM, MUTATION, MATCHED, SMAC, PATH };

/* clang-format off */

/* ---- no noise ---- */

static const struct contender nb101_paper[] = {
    {"SEP", "sep", NULL, SEP},
    {"standard", "standard", NULL, STANDARD},
    {"mutation", "mutation", NULL, MUTATION},
    {"RL", "reinforce", "target-pruned:optimum", RL},
    {"random", "random", NULL, RANDOM},
    {0},
};
static const struct contender nb101_default[] = {
    {"SEP", "sep", NULL, SEP},
    {"matched", "matched", NULL, MATCHED},
    {"standard", "standard", NULL, STANDARD},
    {"mutation", "mutation", NULL, MUTATION},
    {"RL", "reinforce", NULL, RL},
    {"random", "random", NULL, RANDOM},
    {0},
};
static const struct contender four_paper[] = {
    {"SEP", "sep", NULL, SEP},
    {"standard", "standard", NULL, STANDARD},
    {"mutation", "mutation", NULL, MUTATION},
    {"random", "random", NULL, RANDOM},
    {0},
};
static const struct contender five_default[] = {
    {"SEP", "sep", NULL, SEP},
    {"matched", "matched", NULL, MATCHED},
    {"standard", "standard", NULL, STANDARD},
    {"mutation", "mutation", NULL, MUTATION},
    {"random", "random", NULL, RANDOM},
    {0},
};

/*
 * The paper has these curves as pictures only. Its authors' scripts, run
 * unchanged with an exact distance in place of networkx's: 200 runs, SEP with
 * the paper's 50 trials; on NAS-Bench-NLP 50 runs in one process.
 */
static const struct reference nb101_authors[] = {
    {"SEP", {1.75, 0.24, 0.03, 0.00, 0.00}},
    {"standard", {3.29, 1.70, 0.87, 0.75, 0.72}},
    {"mutation", {4.21, 3.47, 2.73, 2.02, 1.48}},
    {"RL", {3.86, 3.14, 2.86, 2.70, 2.66}},
    {"random", {5.29, 5.05, 4.76, 4.33, 4.08}},
    {0},
};
static const struct reference gru_authors[] = {
    {"SEP", {11.36, 7.34, 6.34, 6.12, 6.08}},
    {"standard", {11.56, 8.92, 8.52, 8.28, 8.18}},
    {"mutation", {11.48, 9.62, 9.22, 8.86, 8.80}},
    {"random", {11.46, 11.00, 10.72, 10.36, 10.00}},
    {0},
};
static const struct reference lstm_authors[] = {
    {"SEP", {20.42, 17.54, 16.66, 16.06, 15.72}},
    {"standard", {20.46, 19.46, 19.22, 19.12, 19.12}},
    {"mutation", {20.30, 18.80, 18.54, 18.50, 18.48}},
    {"random", {20.38, 19.78, 19.54, 19.08, 18.64}},
    {0},
};

#define AT_2000 {200, 300, 500, 1000, 2000}
#define AT_1000 {100, 200, 300, 500, 1000}
#define AT_10000 {500, 1000, 2000, 5000, 10000}

static const struct panel nb101_free[] = {
    {"paper", "NAS-Bench-101, no noise, rules of the paper", "nb101",
     "target:optimum", "paper", nb101_paper, AT_2000, nb101_authors},
    {"default", "NAS-Bench-101, no noise, same rules for all", "nb101",
     "target:optimum", "default", nb101_default, AT_2000, NULL},
};
static const struct panel gru_free[] = {
    {"paper", "NAS-Bench-NLP, target GRU, rules of the paper", "nbnlp",
     "target:gru", "paper", four_paper, AT_1000, gru_authors},
    {"default", "NAS-Bench-NLP, target GRU, same rules for all", "nbnlp",
     "target:gru", "default", five_default, AT_1000, NULL},
};
static const struct panel lstm_free[] = {
    {"paper", "NAS-Bench-NLP, target LSTM, rules of the paper", "nbnlp",
     "target:lstm", "paper", four_paper, AT_1000, lstm_authors},
    {"default", "NAS-Bench-NLP, target LSTM, same rules for all", "nbnlp",
     "target:lstm", "default", five_default, AT_1000, NULL},
};

static const struct view nb101_views[] = {
    {"distance", SERIES_SCORE, "GED of the best cell to the optimum",
     "Lower is better. With the same rules, all methods have the same checks "
     "and node orders."},
    {0},
};
static const struct view gru_views[] = {
    {"distance", SERIES_SCORE, "GED of the best cell to GRU",
     "Lower is better. The paper's mutation cannot add or remove nodes; that "
     "of the same rules can."},
    {0},
};
static const struct view lstm_views[] = {
    {"distance", SERIES_SCORE, "GED of the best cell to LSTM",
     "Lower is better. The paper's mutation cannot add or remove nodes; that "
     "of the same rules can."},
    {0},
};

static const struct duel nb101_duels[] = {
    {"free-nb101", "paper", SERIES_SCORE, "SEP", NULL},
    {"free-nb101-standard", "paper", SERIES_SCORE, "standard", "mutation"},
    {"free-nb101-fair", "default", SERIES_SCORE, "SEP", NULL},
    {0},
};
static const struct duel gru_duels[] = {
    {"free-gru", "paper", SERIES_SCORE, "SEP", NULL},
    {"free-gru-fair", "default", SERIES_SCORE, "SEP", NULL},
    {0},
};
static const struct duel lstm_duels[] = {
    {"free-lstm", "paper", SERIES_SCORE, "SEP", NULL},
    {"free-lstm-fair", "default", SERIES_SCORE, "SEP", NULL},
    {0},
};

const struct comparison comparison_nb101 = {
    {&nb101_free[0], &nb101_free[1]}, nb101_views, nb101_duels,
    SEPX_AXIS_EVALS,
    "95 % confidence intervals of the mean in place of one standard "
    "deviation; the paper gives its curves as pictures, without numbers. As in the authors' scripts, RL is scored on the pruned cell "
    "under the paper's rules. The second panel is ours.",
};
const struct comparison comparison_gru = {
    {&gru_free[0], &gru_free[1]}, gru_views, gru_duels, SEPX_AXIS_EVALS,
    "One process in place of many that share a population; exact distances "
    "in place of 300 s limits. The second panel is ours.",
};
const struct comparison comparison_lstm = {
    {&lstm_free[0], &lstm_free[1]}, lstm_views, lstm_duels, SEPX_AXIS_EVALS,
    "As for GRU.",
};

/* ---- noise ---- */

static const struct contender noisy_paper[] = {
    {"SEP", "sep", NULL, SEP},
    {"standard", "standard", NULL, STANDARD},
    {"mutation", "mutation", NULL, MUTATION},
    {"RL", "reinforce:rate=0.5", NULL, RL},
    {"random", "random", NULL, RANDOM},
    {0},
};
static const struct contender noisy_default[] = {
    {"SEP", "sep", NULL, SEP},
    {"matched", "matched", NULL, MATCHED},
    {"standard", "standard", NULL, STANDARD},
    {"mutation", "mutation", NULL, MUTATION},
    {"RL", "reinforce:rate=0.5", NULL, RL},
    {"random", "random", NULL, RANDOM},
    {0},
};
static const struct contender bayes[] = {
    {"SEP", "sep", NULL, SEP},
    {"BOHB", "bohb", NULL, BOHB},
    {"SMAC", "smac", NULL, SMAC},
    {"random", "random", NULL, RANDOM},
    {0},
};
static const struct contender path[] = {
    {"SEP", "sep", NULL, SEP},
    {"path", "path", NULL, PATH},
    {"mutation", "mutation", NULL, MUTATION},
    {0},
};
static const struct panel nb101_noisy[] = {
    {"paper", "NAS-Bench-101, rules of the paper", "nb101", "nb101", "paper",
     noisy_paper, AT_10000, NULL},
    {"default", "NAS-Bench-101, same rules for all", "nb101", "nb101",
     "default", noisy_default, AT_10000, NULL},
};
static const struct panel bayes_panel = {
    "paper", "NAS-Bench-101, Bayesian optimisation", "nb101", "nb101", "paper",
    bayes, AT_10000, NULL,
};
static const struct panel path_panel = {
    "paper", "NAS-Bench-101, path encoding", "nb101", "nb101", "paper", path,
    AT_10000, NULL,
};
static const struct panel nb301_panels[] = {
    {"paper", "NAS-Bench-301, rules of the paper", "darts", "nb301", "paper",
     four_paper, AT_2000, NULL},
    {"default", "NAS-Bench-301, same rules for all", "darts", "nb301",
     "default", five_default, AT_2000, NULL},
};

static const struct view noisy_views[] = {
    {"test", SERIES_TEST, "test accuracy in %",
     "Test accuracy of the cell with the best validation accuracy so far: "
     "higher is better. A cell may be chosen for one lucky training of three "
     "while another failed, so curves are medians of runs."},
    {"validation", SERIES_SCORE, "validation accuracy in %",
     "The best validation accuracy so far, which is what the methods see: one "
     "of three trainings, drawn anew at each evaluation."},
    {"reached", SERIES_REACHED, "runs that had the best value, in %",
     "Share of runs that have seen the largest validation accuracy that there "
     "is, as the paper counts it: a run that visits the cell but draws "
     "another of its trainings does not count."},
    {"visited", SERIES_VISITED, "runs that visited the best cell, in %",
     "Share of runs that have evaluated the cell with the best mean test "
     "accuracy, whatever value they drew."},
    {0},
};
static const struct view test_views[] = {
    {"test", SERIES_TEST, "test accuracy in %",
     "Test accuracy of the cell with the best validation accuracy so far: "
     "higher is better. A cell may be chosen for one lucky training of three "
     "while another failed, so curves are medians of runs."},
    {0},
};
static const struct view nb301_views[] = {
    {"test", SERIES_TEST, "accuracy without noise, in %",
     "The surrogate's accuracy, without noise, of the architecture that was "
     "best with noise: higher is better."},
    {0},
};

static const struct duel noisy_duels[] = {
    {"noisy-test", "paper", SERIES_TEST, "SEP", NULL},
    {"noisy-reached", "paper", SERIES_REACHED, "SEP", NULL},
    {"noisy-validation", "paper", SERIES_SCORE, "SEP", NULL},
    {"noisy-standard-test", "paper", SERIES_TEST, "mutation", "standard"},
    {"noisy-standard-validation", "paper", SERIES_SCORE, "mutation",
     "standard"},
    {"noisy-visited", "paper", SERIES_VISITED, "SEP", NULL},
    {"noisy-fair", "default", SERIES_TEST, "SEP", NULL},
    {0},
};
static const struct duel bayes_duels[] = {
    {"bayes", "paper", SERIES_TEST, "SEP", "BOHB,SMAC"},
    {0},
};
static const struct duel path_duels[] = {
    {"path", "paper", SERIES_TEST, "SEP", "path"},
    {0},
};
static const struct duel nb301_duels[] = {
    {"nb301", "paper", SERIES_TEST, "SEP", NULL},
    {"nb301-fair", "default", SERIES_TEST, "SEP", NULL},
    {0},
};

const struct comparison comparison_noisy = {
    {&nb101_noisy[0], &nb101_noisy[1]}, noisy_views, noisy_duels,
    SEPX_AXIS_EVALS,
    "Accuracies are medians in place of means. Without --table, a model of the benchmark "
    "stands in for its data: curves are alike, single values are not. The "
    "second panel is ours.",
};
const struct comparison comparison_bayes = {
    {&bayes_panel, NULL}, test_views, bayes_duels, SEPX_AXIS_EVALS,
    "Medians in place of means. By evaluations, as the paper's axis seems to be; BOHB's may be short "
    "trainings, and each counts as one. Own implementations of BOHB and "
    "SMAC. Without --table, a model of the benchmark stands in.",
};
const struct comparison comparison_path = {
    {&path_panel, NULL}, test_views, path_duels, SEPX_AXIS_EVALS,
    "Medians in place of means. A path set that several cells share is decoded to one of them by our own "
    "rule, since the paper's table is not published. Without --table, a model "
    "of the benchmark stands in.",
};
const struct comparison comparison_nb301 = {
    {&nb301_panels[0], &nb301_panels[1]}, nb301_views, nb301_duels,
    SEPX_AXIS_EVALS,
    "Medians in place of means. Another surrogate: a feed-forward network with normal noise in place of "
    "the XGBoost ensemble. The second panel is ours.",
};
/* clang-format on */
