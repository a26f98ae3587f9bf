/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The paper's heat maps. Its maps begin at distance 0 but leave the row
 * d_12 = 0 unset; here it is computed, as equal parents are common in real
 * searches and crossover gains nothing from them.
 */
#include <string.h>

#include "research/theory/internal.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static const double to_20[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10,
                               11, 12, 13, 14, 15, 16, 17, 18, 19, 20};
static const double rates[] = {0.05, 0.1, 0.2, 0.5, 1};

#define D_OPT(from, most) SEPX_AXIS_D_OPT, to_20 + (from), (most) - (from) + 1
#define D_12(most) SEPX_AXIS_D_12, to_20, (most) + 1
#define ALPHA_ETA SEPX_AXIS_ALPHA_ETA, rates, LENGTH(rates)

#define NB101(eps) \
    .n = 7, .edges = {9, 9, 9}, .alpha_eta = 0.1, .epsilon = (eps)
#define NBNLP .n = 12, .edges = {14, 11, 11}, .alpha_eta = 0.1
#define SEPX SEPX_BOUND_SEPX
#define STDX SEPX_BOUND_STDX
#define MUTA SEPX_BOUND_MUTA
#define RLU SEPX_BOUND_RLU
#define RLO SEPX_BOUND_RLO
#define NONE SEPX_BOUND_NONE

/* clang-format off */
#define SMALL(name, about, a, b, eps) \
    {name, about, {{NB101(eps)}, a, b, {D_OPT(0, 10)}, {D_12(10)}}},
#define LARGE(name, about, a, b) \
    {name, about, {{NBNLP}, a, b, {D_OPT(0, 20)}, {D_12(20)}}},
#define RATES(name, about, a, b) \
    {name, about, {{NB101(0)}, a, b, {D_OPT(1, 10)}, {ALPHA_ETA}}},

static const struct sepx_theory_figure figures[] = {
    SMALL("sepx-muta-nb101", "SEP crossover against mutation", SEPX, MUTA, 0)
    SMALL("sepx-rlu-nb101", "SEP crossover against the unbiased agent",
          SEPX, RLU, 0)
    SMALL("sepx-rlo-nb101", "SEP crossover against the oracle agent",
          SEPX, RLO, 0)
    LARGE("sepx-muta-nbnlp", "SEP crossover against mutation", SEPX, MUTA)
    LARGE("stdx-muta-nbnlp", "standard crossover against mutation",
          STDX, MUTA)
    SMALL("stdx-muta-nb101", "standard crossover against mutation",
          STDX, MUTA, 0)
    RATES("rlu-nb101", "the unbiased agent by learning rate", RLU, NONE)
    RATES("rlo-nb101", "the oracle agent by learning rate", RLO, NONE)
    RATES("rlo-rlu-nb101", "the oracle against the unbiased agent", RLO, RLU)
    RATES("rlu-muta-nb101", "the unbiased agent against mutation", RLU, MUTA)
    RATES("rlo-muta-nb101", "the oracle agent against mutation", RLO, MUTA)
    SMALL("stdx-rlu-nb101", "standard crossover against the unbiased agent",
          STDX, RLU, 0)
    SMALL("stdx-rlo-nb101", "standard crossover against the oracle agent",
          STDX, RLO, 0)
    SMALL("sepx-muta-eps0.1", "distances 10 % off, against mutation",
          SEPX, MUTA, 0.1)
    SMALL("sepx-rlu-eps0.1", "distances 10 % off, against the unbiased agent",
          SEPX, RLU, 0.1)
    SMALL("sepx-rlo-eps0.1", "distances 10 % off, against the oracle agent",
          SEPX, RLO, 0.1)
    SMALL("sepx-muta-eps0.2", "distances 20 % off, against mutation",
          SEPX, MUTA, 0.2)
    SMALL("sepx-rlu-eps0.2", "distances 20 % off, against the unbiased agent",
          SEPX, RLU, 0.2)
    SMALL("sepx-rlo-eps0.2", "distances 20 % off, against the oracle agent",
          SEPX, RLO, 0.2)
    SMALL("sepx-muta-eps0.3", "distances 30 % off, against mutation",
          SEPX, MUTA, 0.3)
    SMALL("sepx-rlu-eps0.3", "distances 30 % off, against the unbiased agent",
          SEPX, RLU, 0.3)
    SMALL("sepx-rlo-eps0.3", "distances 30 % off, against the oracle agent",
          SEPX, RLO, 0.3)
};
/* clang-format on */

const struct sepx_theory_figure *
sepx_theory_figures(size_t *count)
{
    *count = LENGTH(figures);
    return figures;
}

const struct sepx_theory_figure *
sepx_theory_figure_find(const char *name)
{
    for (size_t i = 0; i < LENGTH(figures); i++)
        if (strcmp(figures[i].name, name) == 0)
            return &figures[i];
    return NULL;
}
