/* SPDX-License-Identifier: Apache-2.0 */
/* What the paper says, in our words, and where; and controls of our own. */
#include "paper.h"

const char *const verdict_names[VERDICTS] = {
    [HOLDS] = "holds",
    [NOT_SHOWN] = "not shown",
    [REVERSED] = "reversed",
    [MISSED] = "threshold missed",
};

enum verdict
verdict_of_test(double p, double effect)
{
    if (p >= 0.05)
        return NOT_SHOWN;
    return effect > 0.5 ? HOLDS : REVERSED;
}

/* clang-format off */
const struct paper_claim paper_claims[] = {
    {"perm-standard", "permutation", "App. A.3, figure",
     "Standard crossover loses a part that both parents share"},
    {"perm-sep", "permutation", "App. A.3, figure",
     "SEP crossover keeps it"},

    {"ei-muta", "improvement", "Fig. 1, left",
     "SEP crossover has a larger expected improvement than mutation in "
     "almost all cases"},
    {"ei-rlu", "improvement", "Fig. 1, middle",
     "... than the unbiased RL agent in almost all cases"},
    {"ei-rlo", "improvement", "Fig. 1, right",
     "... than the oracle RL agent in almost all cases"},
    {"ei-nlp", "improvement", "App. A.5",
     "... than mutation in most cases of NAS-Bench-NLP"},
    {"ei-nlp-stdx", "improvement", "App. A.5",
     "Standard crossover is below mutation in most cases of NAS-Bench-NLP"},
    {"ei-stdx-muta", "improvement", "App. A.5",
     "Standard crossover is below mutation in most cases of NAS-Bench-101"},
    {"ei-stdx-rl", "improvement", "App. A.5",
     "Standard crossover is below both RL agents in most cases"},
    {"ei-rate", "improvement", "App. A.5",
     "A rate (αη) of 0.1 is the best trade-off between the two RL agents"},
    {"ei-rlu-muta", "improvement", "App. A.5",
     "The unbiased RL agent is generally worse than mutation"},
    {"ei-rlo-muta", "improvement", "App. A.5",
     "The oracle RL agent is better than mutation in some cases and worse in "
     "others"},

    {"eps-0.1", "ged-error", "App. A.6",
     "With distances 10 % off, SEP crossover is still ahead of mutation and "
     "RL in almost all cases"},
    {"eps-0.2", "ged-error", "App. A.6", "... with distances 20 % off"},
    {"eps-0.3", "ged-error", "App. A.6", "... with distances 30 % off"},

    {"freq-nb101", "frequencies-nb101", "App. A.7",
     "All parents met on NAS-Bench-101 lie where the bound of SEP crossover "
     "is above that of mutation, converged pairs (d_opt = 0 or d_12 = 0) set "
     "aside"},
    {"freq-nb101-edges", "frequencies-nb101", "App. A.7",
     "Most parents on NAS-Bench-101 have 9 and 9 edges"},
    {"freq-nb101-range", "frequencies-nb101", "App. A.11",
     "More than 99.9 % of the parents on NAS-Bench-101 are at most 7 edits "
     "of edges apart"},
    {"freq-nbnlp", "frequencies-nbnlp", "App. A.7",
     "All parents met on NAS-Bench-NLP lie there too, converged pairs set "
     "aside"},
    {"freq-nbnlp-edges", "frequencies-nbnlp", "App. A.7",
     "Most parents on NAS-Bench-NLP have around 11 and 11 edges"},
    {"freq-nbnlp-range", "frequencies-nbnlp", "App. A.11",
     "More than 99.9 % of the parents on NAS-Bench-NLP are at most 13 edits "
     "of edges apart"},

    {"free-nb101", "noise-free-nb101", "Fig. 2a",
     "SEP crossover beats random search, mutation, standard crossover and RL"},
    {"free-nb101-standard", "noise-free-nb101", "Sec. 5.2",
     "Standard crossover beats mutation when there is no noise"},
    {"free-nb101-fair", "noise-free-nb101", "control",
     "SEP crossover also beats them, and matched crossover, when all methods "
     "have the same rules"},
    {"free-gru", "noise-free-gru", "Fig. 2b",
     "SEP crossover beats the other methods (target GRU)"},
    {"free-gru-fair", "noise-free-gru", "control",
     "... and matched crossover, when all methods have the same rules"},
    {"free-lstm", "noise-free-lstm", "App. A.8, figure b",
     "SEP crossover beats the other methods (target LSTM)"},
    {"free-lstm-fair", "noise-free-lstm", "control",
     "... and matched crossover, when all methods have the same rules"},

    {"noisy-test", "noisy-nb101", "Fig. 2c",
     "With noise, SEP crossover beats random search, mutation, standard "
     "crossover and RL in test accuracy"},
    {"noisy-reached", "noisy-nb101", "Fig. 2d",
     "... reaches the best validation accuracy in more runs, or sooner"},
    {"noisy-validation", "noisy-nb101", "App. A.8, figure a",
     "... beats them in validation accuracy"},
    {"noisy-standard-test", "noisy-nb101", "Sec. 5.3",
     "With noise, standard crossover is worse than mutation in test accuracy"},
    {"noisy-standard-validation", "noisy-nb101", "Sec. 5.3",
     "... and in validation accuracy"},
    {"noisy-visited", "noisy-nb101", "control",
     "SEP crossover visits the cell of the best mean test accuracy in more "
     "runs, or sooner"},
    {"noisy-fair", "noisy-nb101", "control",
     "SEP crossover beats them, and matched crossover, in test accuracy when "
     "all methods have the same rules"},
    {"nb301", "nb301", "App. A.8, figure c",
     "SEP crossover beats random search, mutation and standard crossover on "
     "NAS-Bench-301"},
    {"nb301-fair", "nb301", "control",
     "... and matched crossover, when all methods have the same rules"},
    {"bayes", "bayes", "App. A.9",
     "SEP crossover beats BOHB and SMAC in test accuracy"},
    {"path", "path", "App. A.10",
     "SEP crossover beats the crossover of path encodings"},

    {"time-nb101", "ged-time", "App. A.11",
     "The time of GED is negligible on NAS-Bench-101"},
    {"time-nbnlp", "ged-time", "App. A.11",
     "The time of GED is acceptable on NAS-Bench-NLP"},

    {0},
};
/* clang-format on */
