/* SPDX-License-Identifier: Apache-2.0 */
/* All items, in the order of the report. A new one is a row and a function. */
#include <string.h>

#include "comparison/comparison.h"
#include "paper.h"

static const bool yes = true;

static const char *
missing_nb301(const struct paper_settings *settings)
{
    return settings->nb301
               ? NULL
               : "give --nb301 FILE.f32, the weights of the feed-forward "
                 "surrogate of YAHPO Gym (see docs/models.md)";
}

/*
 * Run counts are the paper's. Seconds were measured on two processors at
 * 2.1 GHz; they steer the progress line and tell --list.
 */
/* clang-format off */
const struct paper_item paper_items[] = {
    {.name = "permutation", .title = "The permutation problem",
     .place = "App. A.3", .needs = "nothing more", .seconds = 1, .hurry = 1,
     .make = make_permutation},
    {.name = "improvement", .title = "Expected improvement, in theory",
     .place = "Fig. 1, App. A.5", .needs = "nothing more", .seconds = 6, .hurry = 6,
     .make = make_maps},
    {.name = "ged-error", .title = "Expected improvement with wrong distances",
     .place = "App. A.6", .needs = "nothing more", .seconds = 4, .hurry = 4,
     .make = make_maps, .data = &yes},
    {.name = "frequencies-nb101",
     .title = "Where real parents lie: NAS-Bench-101",
     .place = "Sec. 5.1, App. A.7", .needs = "nothing more", .seconds = 1,
     .hurry = 1, .runs = 50, .evals = 1000, .quick_runs = 10,
     .quick_evals = 1000, .make = make_frequencies},
    {.name = "frequencies-nbnlp",
     .title = "Where real parents lie: NAS-Bench-NLP",
     .place = "Sec. 5.1, App. A.7", .needs = "nothing more", .seconds = 3,
     .hurry = 1, .runs = 50, .evals = 1000, .quick_runs = 10,
     .quick_evals = 1000, .make = make_frequencies, .data = &yes},
    {.name = "noise-free-nb101",
     .title = "Search without noise: NAS-Bench-101",
     .place = "Fig. 2a", .needs = "nothing more", .seconds = 8, .hurry = 2,
     .runs = 50, .evals = 2000, .quick_runs = 20, .quick_evals = 1000,
     .make = make_comparison, .data = &comparison_nb101, .sampled = true},
    {.name = "noise-free-gru",
     .title = "Search without noise: NAS-Bench-NLP, target GRU",
     .place = "Fig. 2b", .needs = "nothing more", .seconds = 8, .hurry = 2,
     .runs = 50, .evals = 1000, .quick_runs = 20, .quick_evals = 500,
     .make = make_comparison, .data = &comparison_gru, .sampled = true},
    {.name = "noise-free-lstm",
     .title = "Search without noise: NAS-Bench-NLP, target LSTM",
     .place = "App. A.8", .needs = "nothing more", .seconds = 15, .hurry = 3,
     .runs = 50, .evals = 1000, .quick_runs = 20, .quick_evals = 500,
     .make = make_comparison, .data = &comparison_lstm, .sampled = true},
    {.name = "noisy-nb101",
     .title = "Search with noise: NAS-Bench-101",
     .place = "Fig. 2c, 2d, App. A.8",
     .needs = "nothing more; --table for real data", .seconds = 50, .hurry = 6,
     .runs = 50, .evals = 10000, .quick_runs = 10, .quick_evals = 2000,
     .make = make_comparison, .data = &comparison_noisy, .reads = PAPER_TABLE,
     .sampled = true},
    {.name = "nb301", .title = "Search with noise: NAS-Bench-301",
     .place = "App. A.8", .needs = "--nb301", .seconds = 135, .hurry = 9,
     .runs = 30, .evals = 2000, .quick_runs = 6, .quick_evals = 300,
     .make = make_comparison, .data = &comparison_nb301, .reads = PAPER_NB301,
     .missing = missing_nb301, .sampled = true},
    {.name = "bayes", .title = "Bayesian optimisation",
     .place = "App. A.9", .needs = "nothing more; --table for real data",
     .seconds = 130, .hurry = 6, .runs = 50, .evals = 10000, .quick_runs = 6,
     .quick_evals = 1500, .make = make_comparison, .data = &comparison_bayes,
     .reads = PAPER_TABLE, .sampled = true},
    {.name = "path", .title = "Crossover of path encodings",
     .place = "App. A.10", .needs = "nothing more; --table for real data",
     .seconds = 20, .hurry = 2, .runs = 50, .evals = 10000, .quick_runs = 10,
     .quick_evals = 2000, .make = make_comparison, .data = &comparison_path,
     .reads = PAPER_TABLE, .sampled = true},
    {.name = "ged-time", .title = "Time of the exact distance",
     .place = "App. A.11, table",
     .needs = "python3-networkx for the comparison", .seconds = 120,
     .hurry = 8, .make = make_ged_time},
    {0},
};
/* clang-format on */

const struct paper_item *
paper_item_find(const char *name)
{
    for (const struct paper_item *item = paper_items; item->name; item++)
        if (!strcmp(item->name, name))
            return item;
    return NULL;
}
