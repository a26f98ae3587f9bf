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
/* clang-format on */
