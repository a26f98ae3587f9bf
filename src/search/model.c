/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bayesian optimisation with a Gaussian process on exact edit distances.
 *
 * After a few random graphs, each evaluation goes to the child that the model
 * (surface.h) expects most of, among many that are bred from the graphs it
 * thinks best: half of them mutants, half of them crossovers. Good graphs are
 * scored again where scores are noisy (again.h). Graphs under way count with
 * what the model expects of them, so that no two workers go for one place.
 *
 * Kandasamy et al. (NeurIPS 2018) and White et al. (AAAI 2021) search by
 * models of architectures in the same way; their distances are approximate,
 * or between encodings.
 */
#include <math.h>
#include <string.h>

#include "search/again.h"
#include "search/aim.h"
#include "search/history.h"
#include "search/models/surface.h"

struct model_settings {
    uint32_t start, population, tournament, candidates, graphs;
    double share, explore;
    char crossover[SEPX_OPTION_TEXT_SIZE];
};

#define AT(member) offsetof(struct model_settings, member)

/* clang-format off */
static const struct sepx_option model_options[] = {
    {"start", SEPX_OPTION_COUNT, AT(start), 20, 2, 1e6,
     .help = "random graphs before the model is asked"},
    {"population", SEPX_OPTION_COUNT, AT(population), 20, 1, 1e4,
     .help = "graphs that the model thinks best, of which parents are drawn"},
    {"tournament", SEPX_OPTION_COUNT, AT(tournament), 2, 1, 1e4,
     .within = "population",
     .help = "draws from them to pick a parent, the best of which it is; at "
             "most the population"},
    {"crossover", SEPX_OPTION_TEXT, AT(crossover), .text = "sep",
     .help = "the crossover that candidates are made by, or none"},
    {"share", SEPX_OPTION_NUMBER, AT(share), 0.5, 0, 1,
     .help = "of candidates that are made by crossover"},
    {"candidates", SEPX_OPTION_COUNT, AT(candidates), 16, 1, 1e6,
     .help = "graphs that the model chooses the next one from"},
    {"explore", SEPX_OPTION_NUMBER, AT(explore), 0, 0, 1e3,
     .help = "standard deviations that a candidate is given as credit"},
    {"graphs", SEPX_OPTION_COUNT, AT(graphs), 200, 4, 1e4,
     .help = "evaluated graphs that the model knows at most: the better half "
             "of them, and the most recent"},
    {0},
};
/* clang-format on */

enum { BY_SAMPLE, BY_MUTATION, BY_CROSSOVER };

struct model {
    const struct sepx__search_env *env;
    const struct model_settings *set;
    struct sepx_cross *cross; /* NULL: mutation only */
    struct sepx__surface surface;
    struct sepx__again again;
    struct sepx__aim aim;    /* with several objectives */
    uint32_t by_repeat;      /* the operator's number */
    uint32_t told;           /* scores so far */
    struct sepx_graph child; /* a candidate */
};

/* ---- candidates ---- */

struct candidate {
    uint32_t op;
    int64_t parent[2];
};

struct draws {
    struct sepx_rng select, mutate, cross;
};

/* The best of some of the graphs that the model thinks best. */
static const struct sepx__surface_row *
pick_parent(const struct model *model, struct sepx_rng *rng)
{
    const struct sepx__surface *surface = &model->surface;
    uint32_t pool = surface->count < model->set->population
                        ? surface->count
                        : model->set->population;
    uint32_t best = sepx_rng_below(rng, pool);

    for (uint32_t i = 1; i < model->set->tournament; i++) {
        uint32_t other = sepx_rng_below(rng, pool);

        best = other < best ? other : best;
    }
    return &surface->row[surface->best[best]];
}

static enum sepx_err
mutate(struct model *model, struct candidate *made, struct draws *draws)
{
    const struct sepx__surface_row *parent = pick_parent(model, &draws->select);

    *made = (struct candidate){BY_MUTATION, {parent->trial, -1}};
    sepx__search_count(model->env, BY_MUTATION);
    return sepx_space_mutate(model->env->space, &model->child, &parent->graph,
                             model->env->mutation, &draws->mutate);
}

/* *found is false if there is no child, or are no two parents. */
static enum sepx_err
cross(struct model *model, struct candidate *made, struct draws *draws,
      bool *found)
{
    const struct sepx__search_env *env = model->env;
    const struct sepx__surface_row *a = pick_parent(model, &draws->select);
    const struct sepx__surface_row *b = pick_parent(model, &draws->select);
    enum sepx_err err;

    *found = false;
    *made = (struct candidate){BY_CROSSOVER, {a->trial, b->trial}};
    if (a == b)
        return SEPX_OK;
    err =
        sepx_cross_run(model->cross, &model->child, found, &a->graph, &b->graph,
                       &draws->cross, &env->op[BY_CROSSOVER].counts, NULL);
    if (!err && env->watch.crossed)
        env->watch.crossed(env->watch.context, &a->graph, &b->graph, *found);
    return err;
}

/* One child that may be proposed, into model->child. */
static enum sepx_err
breed(struct model *model, struct candidate *made, struct draws *draws)
{
    bool passes = false, found;
    enum sepx_err err = SEPX_OK;

    for (unsigned draw = 1; !passes && !err; draw++) {
        found =
            model->cross && sepx_rng_chance(&draws->select, model->set->share);
        if (found)
            err = cross(model, made, draws, &found);
        if (!err && !found)
            err = mutate(model, made, draws);
        if (!err)
            err = sepx__search_passes(model->env, &passes, &model->child, draw);
        if (!err && !passes)
            sepx__search_known(model->env, made->op);
    }
    return err;
}

/* A draw that another candidate was preferred to. */
static void
count_loser(const struct model *model, uint32_t op)
{
    struct sepx_cross_counts *counts = &model->env->op[op].counts;

    counts->accepted--;
    counts->skipped++;
    counts->trials--;
}

static enum sepx_err
rate(struct model *model, double *promise)
{
    double mean, deviation = 0;
    enum sepx_err err = sepx__surface_ask(
        &model->surface, &mean, model->set->explore > 0 ? &deviation : NULL,
        &model->child);

    *promise = -mean + model->set->explore * deviation;
    return err;
}

static enum sepx_err
choose(struct model *model, struct sepx_ask *next)
{
    struct candidate best = {0}, made;
    struct draws draws;
    double most = -INFINITY, promise;
    enum sepx_err err = sepx__surface_fit(&model->surface);

    sepx__search_rng(model->env, &draws.select, next->trial,
                     SEPX__STREAM_SELECT);
    sepx__search_rng(model->env, &draws.mutate, next->trial,
                     SEPX__STREAM_MUTATE);
    sepx__search_rng(model->env, &draws.cross, next->trial, SEPX__STREAM_CROSS);
    for (uint32_t i = 0; i < model->set->candidates && !err; i++) {
        err = breed(model, &made, &draws);
        if (!err)
            err = rate(model, &promise);
        if (err)
            break;
        if (i)
            count_loser(model, promise > most ? best.op : made.op);
        if (i && !(promise > most))
            continue;
        most = promise;
        best = made;
        err = sepx_graph_copy(&next->graph, &model->child);
    }
    next->op = best.op;
    next->parent[0] = best.parent[0];
    next->parent[1] = best.parent[1];
    return err;
}

/* ---- ask and tell ---- */

static enum sepx_err
propose(struct model *model, struct sepx_ask *next)
{
    bool again;
    struct sepx_rng rng;
    enum sepx_err err;

    if (model->aim.count) {
        sepx__search_rng(model->env, &rng, next->trial, SEPX__STREAM_AIM);
        sepx__aim_take(&model->aim, &model->surface, &rng);
    }
    if (model->told < model->set->start ||
        !sepx__surface_ready(&model->surface))
        return sepx__search_sample(model->env, next, BY_SAMPLE);
    err = sepx__again_ask(&model->again, model->env, next, model->by_repeat,
                          &again);
    return err || again ? err : choose(model, next);
}

static enum sepx_err
model_ask(void *state, struct sepx_ask *next)
{
    struct model *model = state;
    uint32_t number = SEPX__UNKNOWN;
    enum sepx_err err = propose(model, next);

    if (!err)
        err = sepx__history_find(model->env->history, &number, &next->graph);
    if (err || number != SEPX__UNKNOWN)
        return err;
    return sepx__surface_tell(&model->surface, model->env->history->count,
                              &next->graph, next->trial, NAN, 0);
}

static enum sepx_err
model_tell(void *state, const struct sepx_ask *asked, double score)
{
    struct model *model = state;
    const struct sepx__history *history = model->env->history;
    uint32_t number = history->of[asked->trial];
    enum sepx_err err;

    if (isnan(score)) {
        sepx__surface_drop(&model->surface, number);
        return SEPX_OK;
    }
    model->told++;
    err = sepx__again_tell(&model->again, model->env, asked, model->by_repeat,
                           score);
    return err ? err
               : sepx__surface_tell(&model->surface, number, &asked->graph,
                                    asked->trial,
                                    sepx__history_mean(history, number),
                                    history->graph[number].count);
}

/* Each proposal weighs the objectives anew; see aim.h. */
static enum sepx_err
model_tell_merit(void *state, const struct sepx_ask *asked,
                 const struct sepx_merit *merit)
{
    struct model *model = state;
    uint32_t number = model->env->history->of[asked->trial];
    enum sepx_err err = sepx__aim_tell(&model->aim, number, merit);

    model->told++;
    return err ? err
               : sepx__surface_tell(&model->surface, number, &asked->graph,
                                    asked->trial, merit->violation, 1);
}

/* ---- life ---- */

static const char *
model_crossover(const void *settings)
{
    const struct model_settings *set = settings;

    return strcmp(set->crossover, "none") ? set->crossover : NULL;
}

static struct sepx_method_start
model_start(const void *settings)
{
    const struct model_settings *set = settings;

    return (struct sepx_method_start){.scores = set->start};
}

static void
model_release(void *state)
{
    struct model *model = state;

    sepx__surface_release(&model->surface);
    sepx__aim_release(&model->aim);
    sepx__again_release(&model->again);
    sepx_graph_release(&model->child);
    sepx_cross_free(model->cross);
}

static enum sepx_err
model_init(void *state, const struct sepx__search_env *env,
           struct sepx_msg *msg)
{
    struct model *model = state;
    const struct model_settings *set = env->settings;
    const char *name = model_crossover(set);
    enum sepx_err err = SEPX_OK;

    model->env = env;
    model->set = set;
    model->child.names = sepx_space_names(env->space);
    env->op[BY_SAMPLE].name = "random";
    env->op[BY_MUTATION].name = "mutation";
    model->by_repeat = name ? BY_CROSSOVER + 1 : BY_CROSSOVER;
    if (env->mutation->repeat)
        env->op[model->by_repeat].name = "repeat";
    if (name) {
        env->op[BY_CROSSOVER].name = name;
        err = sepx__crossover_check(name, msg);
        if (!err)
            err = sepx_cross_copy(&model->cross, env->cross);
    }
    return err ? err
               : sepx__surface_init(&model->surface, env->space, set->graphs,
                                    env->mutation->align);
}

const struct sepx__search_ops sepx__search_model = {
    .info = {"model", "a Gaussian process on edit distances chooses children",
             model_options},
    .settings_size = sizeof(struct model_settings),
    .start = model_start,
    .crossover = model_crossover,
    .state_size = sizeof(struct model),
    .init = model_init,
    .ask = model_ask,
    .tell = model_tell,
    .tell_late = model_tell,
    .tell_given = model_tell,
    .tell_merit = model_tell_merit,
    .release = model_release,
};
