/* SPDX-License-Identifier: Apache-2.0 */
/* What a search method is to the driver. */
#ifndef SEPX_SEARCH_INTERNAL_H
#define SEPX_SEARCH_INTERNAL_H

#include "base/internal.h"
#include "sepx/search.h"

#define SEPX__OPERATORS_MAX 4

/*
 * Purposes of random streams; one more is a new row at the end. Those below
 * 16 are left to callers and evaluators.
 */
enum sepx__stream {
    SEPX__STREAM_SAMPLE = 16,
    SEPX__STREAM_SELECT,
    SEPX__STREAM_PAIR,
    SEPX__STREAM_MUTATE,
    SEPX__STREAM_CROSS,
    SEPX__STREAM_POLICY,
    SEPX__STREAM_MOVES,
    SEPX__STREAM_VECTOR
};

/* What a method works with. The driver's, alive as long as the state. */
struct sepx__search_env {
    const struct sepx_space *space;
    const void *settings;              /* filled from the option rows */
    const struct sepx_rules *mutation; /* rules in force */
    const struct sepx_rules *crossing;
    const struct sepx_cross *cross; /* to copy; NULL: the method has none */
    uint64_t seed;
    uint32_t run;
    struct sepx_search_watch watch;
    struct sepx_operator *op; /* SEPX__OPERATORS_MAX; the method names them */
};

/*
 * Proposes graphs and hears their scores. `ask` fills graph, op, parents and
 * fidelity, which come as {.., -1, -1, 1}; the driver has set the trial.
 */
struct sepx__search_ops {
    struct sepx_method_info info;
    size_t settings_size;
    /* Where a preset differs in the method's own settings; NULL: nowhere. */
    void (*preset)(void *settings, const char *preset);
    /* The crossover that it uses, or NULL; NULL: none ever. */
    const char *(*crossover)(const void *settings);
    size_t state_size; /* handed over zeroed */
    enum sepx_err (*init)(void *state, const struct sepx__search_env *env,
                          struct sepx_msg *msg);
    enum sepx_err (*ask)(void *state, struct sepx_ask *next);
    enum sepx_err (*tell)(void *state, const struct sepx_ask *asked,
                          double score); /* NULL: learns nothing */
    void (*release)(void *state);        /* NULL: owns nothing */
};

extern const struct sepx__search_ops sepx__search_random;
extern const struct sepx__search_ops sepx__search_evolve;
extern const struct sepx__search_ops sepx__search_reinforce;
extern const struct sepx__search_ops sepx__search_local;
extern const struct sepx__search_ops sepx__search_bohb;
extern const struct sepx__search_ops sepx__search_smac;

/* The stream of one purpose in one trial. */
void sepx__search_rng(const struct sepx__search_env *env, struct sepx_rng *rng,
                      uint32_t trial, enum sepx__stream purpose);
/* Count one that needed no second try. */
void sepx__search_count(const struct sepx__search_env *env, uint32_t op);
/* A random graph of the space, as operator `op`. */
SEPX_CHECKED enum sepx_err
sepx__search_sample(const struct sepx__search_env *env, struct sepx_ask *next,
                    uint32_t op);

#endif
