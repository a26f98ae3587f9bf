/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of sepx theory share. */
#ifndef SEPX_CLI_THEORY_H
#define SEPX_CLI_THEORY_H

#include "frame/cli.h"

struct theory_settings {
    int64_t n;
    struct word_list edges;
    struct word_list field[SEPX_AXIS_END]; /* by enum sepx_theory_field */
    double b;
    const char *stdx_trials;
    bool clip_rl;
    int64_t trials;
    uint64_t seed;
    const char *map, *figure, *output, *format, *all_figures;
    bool json, measured, labels;
    int64_t samples, threads;
    const char *space, *parents, *rules, *population, *target;
};

/* ---- theory_values.c: what the user wrote, as numbers ---- */

/* Values of each field, in the order given. {0} is empty. */
struct theory_values {
    double *at[SEPX_AXIS_END];
    size_t count[SEPX_AXIS_END];
};

/*
 * Words are numbers or ranges FROM..TO in steps of 1. A field without words
 * gets its default. Says what is wrong and returns CLI_USAGE.
 */
int theory_values_init(struct theory_values *values,
                       const struct theory_settings *settings);
void theory_values_release(struct theory_values *values);

/* The setting, with the first value of each field. */
int theory_setting(struct sepx_theory *at,
                   const struct theory_settings *settings,
                   const struct theory_values *values);

/* ---- theory_map.c ---- */

int theory_run_map(const struct theory_settings *settings,
                   const struct sepx_theory *at,
                   const struct theory_values *values);
int theory_run_figure(const struct theory_settings *settings);
int theory_run_all_figures(const struct theory_settings *settings);

/* ---- theory_measured.c ---- */

int theory_run_measured(const struct theory_settings *settings,
                        const struct sepx_theory *at);

/* ---- theory_population.c ---- */

int theory_run_population(const struct theory_settings *settings,
                          const struct sepx_theory *at);

#endif
