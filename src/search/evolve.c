/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Regularized evolution (Real et al., AAAI 2019) with crossover (Qiu &
 * Miikkulainen, ICML 2023).
 *
 * The population is a queue: a new graph enters, the oldest leaves, whatever
 * their scores. Mutations and crossovers alternate; parents win tournaments.
 * A crossover that gives no child is skipped: nothing is evaluated, nothing
 * ages, and the next turn is a mutation.
 */
#include <math.h>
#include <string.h>

#include "search/internal.h"

enum pairs { PAIRS_DISTINCT, PAIRS_UNEQUAL };
static const char *const pairs_names[] = {"distinct", "unequal", NULL};

struct evolve_settings {
    uint32_t population, tournament, redraws, pairs;
    double share;
    char crossover[SEPX_OPTION_TEXT_SIZE];
};

#define AT(member) offsetof(struct evolve_settings, member)

/* clang-format off */
static const struct sepx_option evolve_options[] = {
    {"population", SEPX_OPTION_COUNT, AT(population), 100, 1, 1e6,
     .help = "graphs kept alive"},
    {"tournament", SEPX_OPTION_COUNT, AT(tournament), 10, 1, 1e6,
     .help = "distinct graphs compared to pick a parent; among equals the "
             "youngest wins"},
    {"crossover", SEPX_OPTION_TEXT, AT(crossover), .text = "none",
     .help = "the crossover that takes turns with mutation, or none"},
    {"share", SEPX_OPTION_NUMBER, AT(share), 0.5, 0, 1,
     .help = "of turns that are crossovers"},
    {"pairs", SEPX_OPTION_CHOICE, AT(pairs), PAIRS_DISTINCT,
     .choices = pairs_names,
     .help = "parents of a crossover are not isomorphic (distinct), or not "
             "equal node by node (unequal)"},
    {"redraws", SEPX_OPTION_COUNT, AT(redraws), 100, 1, 1e9,
     .help = "pairs drawn to find such parents before the crossover is "
             "skipped"},
    {0},
};
/* clang-format on */

struct member {
    struct sepx_graph graph;
    double score;
    uint32_t trial;
    bool keyed;
    struct sepx_key key;
};

enum { BY_SAMPLE, BY_MUTATION, BY_CROSSOVER };

struct evolve {
    const struct sepx__search_env *env;
    const struct evolve_settings *set;
    struct sepx_cross *cross; /* NULL: mutation only */
    struct member *member;    /* a ring of set->population */
    uint64_t *drawn;          /* the last tournament that met each member */
    uint64_t tournaments;
    uint32_t oldest, count;
    uint64_t turn;
};

/* By age: 0 is the oldest. */
static struct member *
member_at(const struct evolve *evolve, uint32_t age)
{
    return &evolve->member[(evolve->oldest + age) % evolve->set->population];
}

/* ---- parents ---- */

static bool
beats(const struct evolve *evolve, uint32_t a, uint32_t b)
{
    double x = member_at(evolve, a)->score, y = member_at(evolve, b)->score;

    return x < y || (x == y && a > b);
}

static uint32_t
draw_new(struct evolve *evolve, struct sepx_rng *rng)
{
    uint32_t age;

    do
        age = sepx_rng_below(rng, evolve->count);
    while (evolve->drawn[age] == evolve->tournaments);
    evolve->drawn[age] = evolve->tournaments;
    return age;
}

static struct member *
tournament(struct evolve *evolve, struct sepx_rng *rng)
{
    uint32_t size = evolve->set->tournament;
    uint32_t best;

    if (size > evolve->count)
        size = evolve->count;
    evolve->tournaments++;
    best = draw_new(evolve, rng);
    for (uint32_t i = 1; i < size; i++) {
        uint32_t other = draw_new(evolve, rng);

        if (beats(evolve, other, best))
            best = other;
    }
    return member_at(evolve, best);
}

static enum sepx_err
member_key(struct member *member)
{
    enum sepx_err err = SEPX_OK;

    if (!member->keyed)
        err = sepx_graph_canon(&member->graph, NULL, &member->key);
    member->keyed = !err;
    return err;
}

static enum sepx_err
pair_fits(const struct evolve *evolve, bool *fits, struct member *a,
          struct member *b)
{
    enum sepx_err err = SEPX_OK;

    *fits = a != b && !sepx_graph_equal(&a->graph, &b->graph);
    if (!*fits || evolve->set->pairs == PAIRS_UNEQUAL)
        return SEPX_OK;
    err = member_key(a);
    if (!err)
        err = member_key(b);
    if (!err)
        *fits = memcmp(&a->key, &b->key, sizeof a->key) != 0;
    return err;
}

/* *found is false if the population offers no two different winners. */
static enum sepx_err
pair_pick(struct evolve *evolve, struct member *pair[2], bool *found,
          struct sepx_rng *rng)
{
    enum sepx_err err = SEPX_OK;

    *found = false;
    if (evolve->count < 2)
        return SEPX_OK;
    for (uint32_t i = 0; i < evolve->set->redraws && !*found && !err; i++) {
        pair[0] = tournament(evolve, rng);
        pair[1] = tournament(evolve, rng);
        err = pair_fits(evolve, found, pair[0], pair[1]);
    }
    return err;
}

/* ---- children ---- */

static enum sepx_err
mutate(struct evolve *evolve, struct sepx_ask *next)
{
    const struct sepx__search_env *env = evolve->env;
    struct sepx_rng select, rng;
    const struct member *parent;

    sepx__search_rng(env, &select, next->trial, SEPX__STREAM_SELECT);
    sepx__search_rng(env, &rng, next->trial, SEPX__STREAM_MUTATE);
    parent = tournament(evolve, &select);
    next->op = BY_MUTATION;
    next->parent[0] = parent->trial;
    sepx__search_count(env, BY_MUTATION);
    return sepx_space_mutate(env->space, &next->graph, &parent->graph,
                             env->mutation, &rng);
}

static enum sepx_err
cross(struct evolve *evolve, struct sepx_ask *next, bool *accepted)
{
    const struct sepx__search_env *env = evolve->env;
    struct sepx_cross_counts *counts = &env->op[BY_CROSSOVER].counts;
    struct member *pair[2];
    struct sepx_rng select, rng;
    bool found;
    enum sepx_err err;

    *accepted = false;
    sepx__search_rng(env, &select, next->trial, SEPX__STREAM_PAIR);
    sepx__search_rng(env, &rng, next->trial, SEPX__STREAM_CROSS);
    err = pair_pick(evolve, pair, &found, &select);
    if (err)
        return err;
    if (!found) {
        counts->attempts++;
        counts->skipped++;
        return SEPX_OK;
    }
    next->op = BY_CROSSOVER;
    next->parent[0] = pair[0]->trial;
    next->parent[1] = pair[1]->trial;
    err = sepx_cross_run(evolve->cross, &next->graph, accepted, &pair[0]->graph,
                         &pair[1]->graph, &rng, counts, NULL);
    if (!err && env->watch.crossed)
        env->watch.crossed(env->watch.context, &pair[0]->graph, &pair[1]->graph,
                           *accepted);
    return err;
}

/* ---- turns ---- */

/* Spread evenly: with a share of 1/2 every second turn, from the second on. */
static bool
turn_crosses(const struct evolve *evolve)
{
    double before = (double)evolve->turn * evolve->set->share;
    double after = (double)(evolve->turn + 1) * evolve->set->share;

    return evolve->cross && floor(after) > floor(before);
}

static enum sepx_err
evolve_ask(void *state, struct sepx_ask *next)
{
    struct evolve *evolve = state;

    if (next->trial < evolve->set->population || evolve->count == 0)
        return sepx__search_sample(evolve->env, next, BY_SAMPLE);
    if (turn_crosses(evolve)) {
        bool accepted;
        enum sepx_err err = cross(evolve, next, &accepted);

        evolve->turn++;
        if (err || accepted)
            return err;
        next->parent[1] = -1;
    }
    evolve->turn++;
    return mutate(evolve, next);
}

static enum sepx_err
evolve_tell(void *state, const struct sepx_ask *asked, double score)
{
    struct evolve *evolve = state;
    struct member *member;
    enum sepx_err err;

    if (isnan(score))
        return SEPX_OK;
    /* A full ring: the slot behind the youngest is that of the oldest. */
    member = member_at(evolve, evolve->count);
    err = sepx_graph_copy(&member->graph, &asked->graph);
    if (err)
        return err;
    member->score = score;
    member->trial = asked->trial;
    member->keyed = false;
    if (evolve->count < evolve->set->population)
        evolve->count++;
    else
        evolve->oldest = (evolve->oldest + 1) % evolve->set->population;
    return SEPX_OK;
}

/* ---- life ---- */

static const char *
evolve_crossover(const void *settings)
{
    const struct evolve_settings *set = settings;

    return strcmp(set->crossover, "none") ? set->crossover : NULL;
}

/* The published loop compares node by node and redraws for ever. */
static void
evolve_preset(void *settings, const char *preset)
{
    struct evolve_settings *set = settings;

    if (!strcmp(preset, "default"))
        return;
    set->pairs = PAIRS_UNEQUAL;
    set->redraws = 100000;
}

static void
evolve_release(void *state)
{
    struct evolve *evolve = state;

    for (uint32_t i = 0; evolve->member && i < evolve->set->population; i++)
        sepx_graph_release(&evolve->member[i].graph);
    sepx__free(evolve->member);
    sepx__free(evolve->drawn);
    sepx_cross_free(evolve->cross);
}

/* Says which names are valid; "none" is one of them. */
static enum sepx_err
cross_check(const char *name, struct sepx_msg *msg)
{
    const struct sepx_cross_info *const *row = sepx_cross_list();
    const char *names[32] = {"none"};
    unsigned count = 1;

    for (; *row && count < 31; row++) {
        if (!strcmp((*row)->name, name))
            return SEPX_OK;
        names[count++] = (*row)->name;
    }
    return sepx__unknown(msg, "crossover", name, names);
}

static enum sepx_err
evolve_init(void *state, const struct sepx__search_env *env,
            struct sepx_msg *msg)
{
    struct evolve *evolve = state;
    const struct evolve_settings *set = env->settings;
    const char *name = evolve_crossover(set);
    enum sepx_err err;

    evolve->env = env;
    evolve->set = set;
    env->op[BY_SAMPLE].name = "random";
    env->op[BY_MUTATION].name = "mutation";
    evolve->member = sepx__calloc(set->population, sizeof *evolve->member);
    evolve->drawn = sepx__calloc(set->population, sizeof *evolve->drawn);
    if (!evolve->member || !evolve->drawn)
        return SEPX_ENOMEM;
    for (uint32_t i = 0; i < set->population; i++)
        evolve->member[i].graph.names = sepx_space_names(env->space);
    if (!name)
        return SEPX_OK;
    env->op[BY_CROSSOVER].name = name;
    err = cross_check(name, msg);
    if (!err)
        err = sepx_cross_copy(&evolve->cross, env->cross);
    return err;
}

const struct sepx__search_ops sepx__search_evolve = {
    .info = {"evolve", "regularized evolution: mutation and crossover",
             evolve_options},
    .settings_size = sizeof(struct evolve_settings),
    .preset = evolve_preset,
    .crossover = evolve_crossover,
    .state_size = sizeof(struct evolve),
    .init = evolve_init,
    .ask = evolve_ask,
    .tell = evolve_tell,
    .release = evolve_release,
};
