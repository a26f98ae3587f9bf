/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Regularized evolution (Real et al., AAAI 2019) with crossover (Qiu &
 * Miikkulainen, ICML 2023).
 *
 * The population is a queue: a new graph enters, the oldest leaves, whatever
 * their scores. Mutations and crossovers alternate; parents win tournaments.
 * A crossover that gives no child is skipped: nothing is evaluated, nothing
 * ages, and the next turn is a mutation.
 *
 * A child that was proposed before is drawn again, parents and all, as often
 * as the rule `fresh` says. A member counts with the mean of all scores of
 * its graph, and good graphs are scored again (again.h); one that was enters
 * as the youngest, so that it outlives those that nobody is sure of.
 */
#include <math.h>
#include <string.h>

#include "search/again.h"
#include "search/front/crowd.h"
#include "search/history.h"

#define NETWORK_DRAWS 2 /* of a child, that must be new without dead nodes */

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
     .within = "population",
     .help = "distinct graphs compared to pick a parent, at most the "
             "population; among equals the youngest wins"},
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
    uint32_t number; /* in the history */
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
    struct sepx__again again;
    uint32_t by_repeat;       /* the operator's number */
    struct sepx__crowd crowd; /* with several objectives */
};

/* By age: 0 is the oldest. */
static struct member *
member_at(const struct evolve *evolve, uint32_t age)
{
    return &evolve->member[(evolve->oldest + age) % evolve->set->population];
}

/* ---- parents ---- */

/*
 * The mean if scores are noisy. Where they are not, graphs that are one but
 * for dead nodes may still differ, as distances to a target do.
 */
static double
fitness(const struct evolve *evolve, uint32_t age)
{
    const struct member *member = member_at(evolve, age);

    if (!evolve->env->mutation->repeat || evolve->env->exact ||
        sepx__again_exact(&evolve->again))
        return member->score;
    return sepx__history_mean(evolve->env->history, member->number);
}

static bool
beats(const struct evolve *evolve, uint32_t a, uint32_t b)
{
    double x, y;

    if (evolve->crowd.count)
        return sepx__crowd_beats(&evolve->crowd, a, b);
    x = fitness(evolve, a);
    y = fitness(evolve, b);
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
        if (!err && sepx_space_stopped(evolve->env->space))
            err = SEPX_ESTOPPED;
    }
    return err;
}

/* ---- children ---- */

/* The streams of one ask, drawn from as often as it takes. */
struct draws {
    struct sepx_rng select, mutate, pair, cross;
};

static void
draws_init(struct draws *draws, const struct evolve *evolve, uint32_t trial)
{
    const struct sepx__search_env *env = evolve->env;

    sepx__search_rng(env, &draws->select, trial, SEPX__STREAM_SELECT);
    sepx__search_rng(env, &draws->mutate, trial, SEPX__STREAM_MUTATE);
    sepx__search_rng(env, &draws->pair, trial, SEPX__STREAM_PAIR);
    sepx__search_rng(env, &draws->cross, trial, SEPX__STREAM_CROSS);
}

static enum sepx_err
mutate(struct evolve *evolve, struct sepx_ask *next, struct draws *draws)
{
    const struct sepx__search_env *env = evolve->env;
    const struct member *parent = tournament(evolve, &draws->select);

    next->op = BY_MUTATION;
    next->parent[0] = parent->trial;
    next->parent[1] = -1;
    sepx__search_count(env, BY_MUTATION);
    return sepx_space_mutate(env->space, &next->graph, &parent->graph,
                             env->mutation, &draws->mutate);
}

static enum sepx_err
cross(struct evolve *evolve, struct sepx_ask *next, struct draws *draws,
      bool *accepted)
{
    const struct sepx__search_env *env = evolve->env;
    struct sepx_cross_counts *counts = &env->op[BY_CROSSOVER].counts;
    struct member *pair[2];
    bool found;
    enum sepx_err err = pair_pick(evolve, pair, &found, &draws->pair);

    *accepted = false;
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
                         &pair[1]->graph, &draws->cross, counts, NULL);
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

/* Where dead nodes count, they make a child new, if the first draws fail. */
static enum sepx_err
is_new(const struct evolve *evolve, bool *passes,
       const struct sepx_graph *child, unsigned draw)
{
    const struct sepx__search_env *env = evolve->env;
    uint32_t number;
    enum sepx_err err = sepx__search_passes(env, passes, child, draw);

    if (err || *passes || !env->dead || draw <= NETWORK_DRAWS)
        return err;
    err = sepx__history_find(env->whole, &number, child);
    *passes = number == SEPX__UNKNOWN;
    return err;
}

/* A turn of crossover that gives no child ends in a mutation. */
static enum sepx_err
breed(struct evolve *evolve, struct sepx_ask *next)
{
    bool crosses = turn_crosses(evolve), passes = false;
    struct draws draws;
    enum sepx_err err = SEPX_OK;

    draws_init(&draws, evolve, next->trial);
    for (unsigned draw = 1; !passes && !err; draw++) {
        if (crosses) {
            err = cross(evolve, next, &draws, &crosses);
            if (!err && !crosses)
                evolve->turn++;
        }
        if (!err && !crosses)
            err = mutate(evolve, next, &draws);
        if (!err)
            err = is_new(evolve, &passes, &next->graph, draw);
        if (!err && !passes)
            sepx__search_known(evolve->env, next->op);
    }
    evolve->turn++;
    return err;
}

static enum sepx_err
evolve_ask(void *state, struct sepx_ask *next)
{
    struct evolve *evolve = state;
    bool again;
    enum sepx_err err;

    if (next->trial < evolve->set->population || evolve->count == 0)
        return sepx__search_sample(evolve->env, next, BY_SAMPLE);
    err = sepx__again_ask(&evolve->again, evolve->env, next, evolve->by_repeat,
                          &again);
    return err || again ? err : breed(evolve, next);
}

static enum sepx_err
evolve_tell(void *state, const struct sepx_ask *asked, double score)
{
    struct evolve *evolve = state;
    struct member *member;
    enum sepx_err err;

    if (isnan(score))
        return SEPX_OK;
    err = sepx__again_tell(&evolve->again, evolve->env, asked,
                           evolve->by_repeat, score);
    if (err)
        return err;
    /* A full ring: the slot behind the youngest is that of the oldest. */
    member = member_at(evolve, evolve->count);
    err = sepx_graph_copy(&member->graph, &asked->graph);
    if (err)
        return err;
    member->score = score;
    member->trial = asked->trial;
    member->number = evolve->env->history->of[asked->trial];
    member->keyed = false;
    if (evolve->count < evolve->set->population)
        evolve->count++;
    else
        evolve->oldest = (evolve->oldest + 1) % evolve->set->population;
    return SEPX_OK;
}

/*
 * With several objectives nobody ages: who is least wanted of all and the new
 * one leaves. The ring stands still, so that ages are places in the crowd.
 */
static enum sepx_err
evolve_tell_merit(void *state, const struct sepx_ask *asked,
                  const struct sepx_merit *merit)
{
    struct evolve *evolve = state;
    struct member *member;
    uint32_t place;
    enum sepx_err err = sepx__crowd_enter(&evolve->crowd, &place, merit,
                                          evolve->set->population);

    if (err || place == UINT32_MAX)
        return err;
    evolve->count = evolve->crowd.count;
    member = member_at(evolve, place);
    err = sepx_graph_copy(&member->graph, &asked->graph);
    if (err)
        return err;
    member->trial = asked->trial;
    member->keyed = false;
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

    if (!strcmp(preset, "default") || !strcmp(preset, "plain"))
        return;
    set->pairs = PAIRS_UNEQUAL;
    set->redraws = 100000;
}

static struct sepx_method_start
evolve_start(const void *settings)
{
    const struct evolve_settings *set = settings;

    return (struct sepx_method_start){.trials = set->population};
}

static void
evolve_release(void *state)
{
    struct evolve *evolve = state;

    for (uint32_t i = 0; evolve->member && i < evolve->set->population; i++)
        sepx_graph_release(&evolve->member[i].graph);
    sepx__free(evolve->member);
    sepx__free(evolve->drawn);
    sepx__again_release(&evolve->again);
    sepx__crowd_release(&evolve->crowd);
    sepx_cross_free(evolve->cross);
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
    evolve->by_repeat = name ? BY_CROSSOVER + 1 : BY_CROSSOVER;
    if (env->mutation->repeat)
        env->op[evolve->by_repeat].name = "repeat";
    evolve->member = sepx__calloc(set->population, sizeof *evolve->member);
    evolve->drawn = sepx__calloc(set->population, sizeof *evolve->drawn);
    if (!evolve->member || !evolve->drawn)
        return SEPX_ENOMEM;
    for (uint32_t i = 0; i < set->population; i++)
        evolve->member[i].graph.names = sepx_space_names(env->space);
    if (!name)
        return SEPX_OK;
    env->op[BY_CROSSOVER].name = name;
    err = sepx__crossover_check(name, msg);
    if (!err)
        err = sepx_cross_copy(&evolve->cross, env->cross);
    return err;
}

const struct sepx__search_ops sepx__search_evolve = {
    .info = {"evolve", "regularized evolution: mutation and crossover",
             evolve_options},
    .settings_size = sizeof(struct evolve_settings),
    .preset = evolve_preset,
    .start = evolve_start,
    .crossover = evolve_crossover,
    .state_size = sizeof(struct evolve),
    .init = evolve_init,
    .ask = evolve_ask,
    .tell = evolve_tell,
    .tell_late = evolve_tell,
    .tell_given = evolve_tell,
    .tell_merit = evolve_tell_merit,
    .release = evolve_release,
};
