/* SPDX-License-Identifier: Apache-2.0 */
/* The paper's experiments as data. */
#include "contest.h"

/* A method looks the same in every figure. */
enum { SEP, STANDARD, RL, OTHER, RANDOM, MUTATION, MATCHED, FURTHER };

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
static const struct contender nbnlp_paper[] = {
    {"SEP", "sep", NULL, SEP},
    {"standard", "standard", NULL, STANDARD},
    {"mutation", "mutation", NULL, MUTATION},
    {"random", "random", NULL, RANDOM},
    {0},
};
static const struct contender nbnlp_default[] = {
    {"SEP", "sep", NULL, SEP},
    {"matched", "matched", NULL, MATCHED},
    {"standard", "standard", NULL, STANDARD},
    {"mutation", "mutation", NULL, MUTATION},
    {"random", "random", NULL, RANDOM},
    {0},
};

static const struct panel nb101_free[] = {
    {"paper", "NAS-Bench-101, no noise, rules of the paper", "nb101",
     "target:optimum", "paper", nb101_paper},
    {"default", "NAS-Bench-101, no noise, same rules for all", "nb101",
     "target:optimum", "default", nb101_default},
};
static const struct panel gru_free[] = {
    {"paper", "NAS-Bench-NLP, target GRU, rules of the paper", "nbnlp",
     "target:gru", "paper", nbnlp_paper},
    {"default", "NAS-Bench-NLP, target GRU, same rules for all", "nbnlp",
     "target:gru", "default", nbnlp_default},
};
static const struct panel lstm_free[] = {
    {"paper", "NAS-Bench-NLP, target LSTM, rules of the paper", "nbnlp",
     "target:lstm", "paper", nbnlp_paper},
    {"default", "NAS-Bench-NLP, target LSTM, same rules for all", "nbnlp",
     "target:lstm", "default", nbnlp_default},
};

static const struct view nb101_views[] = {
    {"distance", SERIES_SCORE, "GED of the best cell to the optimum",
     "Lower is better. With the paper's rules SEP crossover reaches the "
     "optimum and the others stall; with the same checks and node orders for "
     "all methods the others arrive too, later."},
    {0},
};
static const struct view gru_views[] = {
    {"distance", SERIES_SCORE, "GED of the best cell to GRU",
     "Lower is better. The paper's mutation cannot add or remove nodes, which "
     "holds all methods back (left); with one that can, aligning the parents "
     "is what makes the difference."},
    {0},
};
static const struct view lstm_views[] = {
    {"distance", SERIES_SCORE, "GED of the best cell to LSTM",
     "Lower is better. As for GRU: the order of the methods is the paper's."},
    {0},
};

static const struct duel nb101_duels[] = {
    {"free-nb101", "paper", SERIES_SCORE, "SEP", NULL},
    {"free-nb101-standard", "paper", SERIES_SCORE, "standard", "mutation"},
    {"free-nb101-fair", "default", SERIES_SCORE, "SEP",
     "standard,mutation,RL,random"},
    {0},
};
static const struct duel gru_duels[] = {
    {"free-gru", "paper", SERIES_SCORE, "SEP", NULL},
    {"free-gru-fair", "default", SERIES_SCORE, "SEP",
     "standard,mutation,random"},
    {0},
};
static const struct duel lstm_duels[] = {
    {"free-lstm", "paper", SERIES_SCORE, "SEP", NULL},
    {"free-lstm-fair", "default", SERIES_SCORE, "SEP",
     "standard,mutation,random"},
    {0},
};

const struct contest contest_nb101 = {
    {&nb101_free[0], &nb101_free[1]}, nb101_views, nb101_duels,
    SEPX_AXIS_EVALS,
    "95 % confidence intervals of the mean in place of one standard "
    "deviation. As in the authors' scripts, RL is scored on the pruned cell "
    "under the paper's rules. The second panel is ours.",
};
const struct contest contest_gru = {
    {&gru_free[0], &gru_free[1]}, gru_views, gru_duels, SEPX_AXIS_EVALS,
    "One process in place of many that share a population; exact distances "
    "in place of 300 s limits. The second panel is ours.",
};
const struct contest contest_lstm = {
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
static const struct contender bayes[] = {
    {"SEP", "sep", NULL, SEP},
    {"BOHB", "bohb", NULL, OTHER},
    {"SMAC", "smac", NULL, FURTHER},
    {"random", "random", NULL, RANDOM},
    {0},
};
static const struct contender path[] = {
    {"SEP", "sep", NULL, SEP},
    {"path", "path", NULL, OTHER},
    {"mutation", "mutation", NULL, MUTATION},
    {0},
};
static const struct contender nb301[] = {
    {"SEP", "sep", NULL, SEP},
    {"standard", "standard", NULL, STANDARD},
    {"mutation", "mutation", NULL, MUTATION},
    {"random", "random", NULL, RANDOM},
    {0},
};

static const struct panel nb101_noisy[] = {
    {"paper", "NAS-Bench-101, rules of the paper", "nb101", "nb101", "paper",
     noisy_paper},
    {"default", "NAS-Bench-101, same rules for all", "nb101", "nb101",
     "default", noisy_paper},
};
static const struct panel bayes_panel = {
    "paper", "NAS-Bench-101, Bayesian optimisation", "nb101", "nb101", "paper",
    bayes,
};
static const struct panel path_panel = {
    "paper", "NAS-Bench-101, path encoding", "nb101", "nb101", "paper", path,
};
static const struct panel nb301_panels[] = {
    {"paper", "NAS-Bench-301, rules of the paper", "darts", "nb301", "paper",
     nb301},
    {"default", "NAS-Bench-301, same rules for all", "darts", "nb301",
     "default", nb301},
};

static const struct view noisy_views[] = {
    {"test", SERIES_TEST, "test accuracy in %",
     "Test accuracy of the cell with the best validation accuracy so far: "
     "higher is better. A cell may be chosen for one lucky training of three "
     "while another failed; such runs pull a mean out of the frame."},
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
     "while another failed; such runs pull a mean out of the frame."},
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

const struct contest contest_noisy = {
    {&nb101_noisy[0], &nb101_noisy[1]}, noisy_views, noisy_duels,
    SEPX_AXIS_EVALS,
    "Without --table, a model of the benchmark stands in for its data: curves "
    "are alike, single values are not. The second panel is ours.",
};
const struct contest contest_bayes = {
    {&bayes_panel, NULL}, test_views, bayes_duels, SEPX_AXIS_EVALS,
    "By evaluations, as the paper's axis seems to be; BOHB's may be short "
    "trainings, and each counts as one. Own implementations of BOHB and "
    "SMAC. Without --table, a model of the benchmark stands in.",
};
const struct contest contest_path = {
    {&path_panel, NULL}, test_views, path_duels, SEPX_AXIS_EVALS,
    "A path set that several cells share is decoded to one of them by our own "
    "rule, since the paper's table is not published. Without --table, a model "
    "of the benchmark stands in.",
};
const struct contest contest_nb301 = {
    {&nb301_panels[0], &nb301_panels[1]}, nb301_views, nb301_duels,
    SEPX_AXIS_EVALS,
    "Another surrogate: a feed-forward network with normal noise in place of "
    "the XGBoost ensemble. The second panel is ours.",
};
/* clang-format on */
