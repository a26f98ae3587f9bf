/* SPDX-License-Identifier: Apache-2.0 */
/* What a search method is to the driver. */
#ifndef SEPX_SEARCH_INTERNAL_H
#define SEPX_SEARCH_INTERNAL_H

#include "base/internal.h"
#include "search/private.h"
#include "space/private.h"
#include "vary/private.h"

#define SEPX__OPERATORS_MAX 4

struct sepx__history;

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
    /*
     * What was proposed and heard. The driver keeps it: a proposal is in it
     * once `ask` is over, a score before `tell` begins.
     */
    struct sepx__history *history;
    struct sepx__history *whole; /* the same, dead nodes included */
    bool cached; /* a graph has one score, however often it is asked for */
    bool exact;  /* since there is no noise; then `cached` holds, too */
    bool dead;   /* and dead nodes change it */
    bool pruned; /* dead nodes change no score, noisy or not */
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
    /* How it begins; NULL: {0}. */
    struct sepx_method_start (*start)(const void *settings);
    /* The crossover that it uses, or NULL; NULL: none ever. */
    const char *(*crossover)(const void *settings);
    bool recalls;      /* takes scores from sepx__search_memory() */
    size_t state_size; /* handed over zeroed */
    enum sepx_err (*init)(void *state, const struct sepx__search_env *env,
                          struct sepx_msg *msg);
    enum sepx_err (*ask)(void *state, struct sepx_ask *next);
    enum sepx_err (*tell)(void *state, const struct sepx_ask *asked,
                          double score); /* NULL: learns nothing */
    enum sepx_err (*tell_late)(void *state, const struct sepx_ask *asked,
                               double score); /* NULL: likewise */
    /* The score of a graph that the caller brought; NULL: learns nothing. */
    enum sepx_err (*tell_given)(void *state, const struct sepx_ask *given,
                                double score);
    /*
     * Several objectives, also late and of graphs that the caller brought;
     * NULL: the method knows one score. `merit` is never NULL.
     */
    enum sepx_err (*tell_merit)(void *state, const struct sepx_ask *asked,
                                const struct sepx_merit *merit);
    void (*release)(void *state); /* NULL: owns nothing */
};

extern const struct sepx__search_ops sepx__search_random;
extern const struct sepx__search_ops sepx__search_evolve;
extern const struct sepx__search_ops sepx__search_reinforce;
extern const struct sepx__search_ops sepx__search_local;
extern const struct sepx__search_ops sepx__search_bohb;
extern const struct sepx__search_ops sepx__search_smac;
extern const struct sepx__search_ops sepx__search_model;

/* The stream of one purpose in one trial. */
void sepx__search_rng(const struct sepx__search_env *env, struct sepx_rng *rng,
                      uint32_t trial, enum sepx__stream purpose);
/* Count one that needed no second try. */
void sepx__search_count(const struct sepx__search_env *env, uint32_t op);
/* Whether there is such a crossover; if not, says which, and "none". */
SEPX_CHECKED enum sepx_err sepx__crossover_check(const char *name,
                                                 struct sepx_msg *msg);
/*
 * For methods that draw vectors: the next of the space's start graphs that
 * has one, from number *next on. Not *found: there are no more.
 */
SEPX_CHECKED enum sepx_err
sepx__search_start(const struct sepx__search_env *env, uint32_t *next,
                   uint16_t *value, bool *found);
/*
 * Whether the graph may be proposed: it is new, or the rules do not ask for
 * that. `draws`: how many were drawn, this one included.
 */
SEPX_CHECKED enum sepx_err
sepx__search_passes(const struct sepx__search_env *env, bool *passes,
                    const struct sepx_graph *graph, unsigned draws);
/*
 * What has one score, up to noise: graphs without their dead nodes, or whole
 * ones where those change scores, or where nobody knows, as in studies.
 */
struct sepx__history *sepx__search_memory(const struct sepx__search_env *env);
/* Take back that a draw of operator `op` was accepted: it was known. */
void sepx__search_known(const struct sepx__search_env *env, uint32_t op);
/* A random graph of the space, as operator `op`, new if the rules want it. */
SEPX_CHECKED enum sepx_err
sepx__search_sample(const struct sepx__search_env *env, struct sepx_ask *next,
                    uint32_t op);

#endif
