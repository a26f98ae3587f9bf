/* SPDX-License-Identifier: Apache-2.0 */
/* The driver: one search at work, whatever its method. */
#include "search/method.h"

#include <math.h>
#include <string.h>

#include "search/history.h"

struct sepx_search {
    const struct sepx__search_ops *ops;
    struct sepx__search_env env;
    struct sepx_operator op[SEPX__OPERATORS_MAX];
    struct sepx__history history, whole;
    void *state;
    uint32_t asked;
};

void
sepx_ask_release(struct sepx_ask *ask)
{
    sepx_graph_release(&ask->graph);
}

void
sepx__search_rng(const struct sepx__search_env *env, struct sepx_rng *rng,
                 uint32_t trial, enum sepx__stream purpose)
{
    sepx_rng_init(rng, env->seed, env->run, trial, purpose);
}

void
sepx__search_count(const struct sepx__search_env *env, uint32_t op)
{
    struct sepx_cross_counts *counts = &env->op[op].counts;

    counts->attempts++;
    counts->trials++;
    counts->accepted++;
}

enum sepx_err
sepx__crossover_check(const char *name, struct sepx_msg *msg)
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

enum sepx_err
sepx__search_passes(const struct sepx__search_env *env, bool *passes,
                    const struct sepx_graph *graph, unsigned draws)
{
    uint32_t number;
    enum sepx_err err;

    *passes = true;
    if (draws > env->mutation->fresh)
        return SEPX_OK;
    err = sepx__history_find(env->history, &number, graph);
    *passes = number == SEPX__UNKNOWN;
    if (!err && !*passes && sepx_space_stopped(env->space))
        err = SEPX_ESTOPPED;
    return err;
}

struct sepx__history *
sepx__search_memory(const struct sepx__search_env *env)
{
    return env->pruned ? env->history : env->whole;
}

void
sepx__search_known(const struct sepx__search_env *env, uint32_t op)
{
    struct sepx_cross_counts *counts = &env->op[op].counts;

    counts->attempts--;
    counts->accepted--;
    counts->duplicates++;
}

enum sepx_err
sepx__search_sample(const struct sepx__search_env *env, struct sepx_ask *next,
                    uint32_t op)
{
    struct sepx_rng rng;
    size_t count;
    const struct sepx_graph *start = sepx_space_starts(env->space, &count);
    bool passes = false;
    enum sepx_err err = SEPX_OK;

    sepx__search_rng(env, &rng, next->trial, SEPX__STREAM_SAMPLE);
    next->op = op;
    if (next->trial < count) {
        sepx__search_count(env, op);
        return sepx_graph_copy(&next->graph, &start[next->trial]);
    }
    for (unsigned draws = 1; !passes && !err; draws++) {
        sepx__search_count(env, op);
        err = sepx_space_sample(env->space, &next->graph, &rng);
        if (!err)
            err = sepx__search_passes(env, &passes, &next->graph, draws);
        if (!err && !passes)
            sepx__search_known(env, op);
    }
    return err;
}

enum sepx_err
sepx__search_start(const struct sepx__search_env *env, uint32_t *next,
                   uint16_t *value, bool *found)
{
    size_t count;
    const struct sepx_graph *start = sepx_space_starts(env->space, &count);
    enum sepx_err err = SEPX_OK;

    *found = false;
    while (*next < count && !*found && !err) {
        err = sepx_space_encode(env->space, value, &start[(*next)++]);
        *found = !err;
        if (err == SEPX_EINVAL)
            err = SEPX_OK;
    }
    return err;
}

static enum sepx_err
remember(struct sepx_search *search, const struct sepx_ask *ask)
{
    enum sepx_err err =
        sepx__history_ask(&search->history, ask->trial, &ask->graph);

    if (!err && (search->ops->recalls || search->env.dead))
        err = sepx__history_ask(&search->whole, ask->trial, &ask->graph);
    return err;
}

static void
hear(struct sepx_search *search, const struct sepx_ask *ask, double score)
{
    sepx__history_tell(&search->history, ask->trial, ask->fidelity, score);
    sepx__history_tell(&search->whole, ask->trial, ask->fidelity, score);
}

/* With a message, for sepx_method_new() to try the settings. */
enum sepx_err
sepx__search_new(struct sepx_search **search, const struct sepx_method *method,
                 uint64_t seed, uint32_t run,
                 const struct sepx_search_watch *watch, struct sepx_msg *msg)
{
    struct sepx_search *made = sepx__calloc(1, sizeof *made);
    enum sepx_err err = SEPX_ENOMEM;

    *search = NULL;
    if (!made)
        return err;
    made->ops = method->ops;
    made->env = (struct sepx__search_env){
        .space = method->space,
        .settings = method->settings,
        .mutation = &method->mutation,
        .crossing = &method->crossing,
        .cross = method->cross,
        .seed = seed,
        .run = run,
        .op = made->op,
        .history = &made->history,
        .whole = &made->whole,
    };
    made->history = (struct sepx__history){.space = method->space};
    made->whole = (struct sepx__history){.space = method->space, .whole = true};
    if (watch)
        made->env.watch = *watch;
    made->state = sepx__calloc(1, made->ops->state_size);
    if (made->state)
        err = made->ops->init(made->state, &made->env, msg);
    if (err)
        sepx_search_free(made);
    else
        *search = made;
    return err;
}

enum sepx_err
sepx_search_new(struct sepx_search **search, const struct sepx_method *method,
                uint64_t seed, uint32_t run,
                const struct sepx_search_watch *watch)
{
    return sepx__search_new(search, method, seed, run, watch, NULL);
}

void
sepx_search_free(struct sepx_search *search)
{
    if (!search)
        return;
    if (search->state && search->ops->release)
        search->ops->release(search->state);
    sepx__free(search->state);
    sepx__history_release(&search->history);
    sepx__history_release(&search->whole);
    sepx__free(search);
}

void
sepx_search_expect_cache(struct sepx_search *search)
{
    search->env.cached = true;
}

void
sepx_search_expect_pruned(struct sepx_search *search)
{
    search->env.pruned = true;
}

void
sepx_search_expect_exact(struct sepx_search *search, bool dead)
{
    search->env.cached = search->env.exact = true;
    search->env.dead = dead;
}

enum sepx_err
sepx_search_ask(struct sepx_search *search, struct sepx_ask *ask)
{
    enum sepx_err err;

    if (search->asked == UINT32_MAX)
        return SEPX_ELIMIT;
    if (sepx_space_stopped(search->env.space))
        return SEPX_ESTOPPED;
    ask->trial = search->asked++;
    ask->op = 0;
    ask->parent[0] = ask->parent[1] = -1;
    ask->fidelity = 1;
    err = search->ops->ask(search->state, ask);
    return err ? err : remember(search, ask);
}

enum sepx_err
sepx_search_give(struct sepx_search *search, struct sepx_ask *ask, uint32_t op)
{
    if (search->asked == UINT32_MAX)
        return SEPX_ELIMIT;
    ask->trial = search->asked++;
    ask->op = op;
    ask->parent[0] = ask->parent[1] = -1;
    ask->fidelity = 1;
    return remember(search, ask);
}

const char *
sepx_search_operator_name(const struct sepx_search *search, uint32_t op)
{
    if (op >= SEPX_OPERATOR_ADDED)
        return op == SEPX_OPERATOR_ADDED ? "added" : "imported";
    return op < SEPX__OPERATORS_MAX ? search->op[op].name : NULL;
}

static enum sepx_err
tell_given(struct sepx_search *search, const struct sepx_ask *given,
           double score)
{
    if (!search->ops->tell_given || isnan(score))
        return SEPX_OK;
    return search->ops->tell_given(search->state, given, score);
}

enum sepx_err
sepx_search_tell(struct sepx_search *search, const struct sepx_ask *ask,
                 double score)
{
    if (ask->trial >= search->history.trials)
        return SEPX_EINVAL;
    hear(search, ask, score);
    if (ask->op >= SEPX_OPERATOR_ADDED)
        return tell_given(search, ask, score);
    if (!search->ops->tell)
        return SEPX_OK;
    return search->ops->tell(search->state, ask, score);
}

enum sepx_err
sepx_search_tell_late(struct sepx_search *search, const struct sepx_ask *ask,
                      double score)
{
    hear(search, ask, score);
    if (ask->op >= SEPX_OPERATOR_ADDED)
        return tell_given(search, ask, score);
    if (!search->ops->tell_late)
        return SEPX_OK;
    return search->ops->tell_late(search->state, ask, score);
}

enum sepx_err
sepx_search_tell_merit(struct sepx_search *search, const struct sepx_ask *ask,
                       const struct sepx_merit *merit)
{
    if (!merit)
        return sepx_search_tell(search, ask, NAN);
    if (!search->ops->tell_merit)
        return search->ops->tell ? SEPX_EUNSUPPORTED : SEPX_OK;
    return search->ops->tell_merit(search->state, ask, merit);
}

const struct sepx_operator *
sepx_search_operators(const struct sepx_search *search, uint32_t *count)
{
    *count = 0;
    while (*count < SEPX__OPERATORS_MAX && search->op[*count].name)
        (*count)++;
    return search->op;
}

uint32_t
sepx_search_distinct(const struct sepx_search *search)
{
    return search->env.dead ? search->whole.count : search->history.count;
}

double
sepx_search_mean(const struct sepx_search *search, uint32_t trial,
                 uint32_t *scores)
{
    const struct sepx__history *history = &search->history;

    *scores = 0;
    if (trial >= history->trials)
        return NAN;
    *scores = history->graph[history->of[trial]].count;
    return sepx__history_mean(history, history->of[trial]);
}

bool
sepx_search_same(const struct sepx_search *search, uint32_t a, uint32_t b)
{
    const struct sepx__history *history = &search->history;

    return a < history->trials && b < history->trials &&
           history->of[a] == history->of[b];
}

bool
sepx_search_prefers(const struct sepx_search *search, uint32_t a, uint32_t b)
{
    uint32_t scores;

    return search->env.mutation->ties == SEPX_TIES_MEAN &&
           sepx_search_mean(search, a, &scores) <
               sepx_search_mean(search, b, &scores);
}
