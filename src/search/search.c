/* SPDX-License-Identifier: Apache-2.0 */
/* The driver: one search at work, whatever its method. */
#include "search/method.h"

#include <string.h>

struct sepx_search {
    const struct sepx__search_ops *ops;
    struct sepx__search_env env;
    struct sepx_operator op[SEPX__OPERATORS_MAX];
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
sepx__search_sample(const struct sepx__search_env *env, struct sepx_ask *next,
                    uint32_t op)
{
    struct sepx_rng rng;
    size_t count;
    const struct sepx_graph *start = sepx_space_starts(env->space, &count);

    sepx__search_rng(env, &rng, next->trial, SEPX__STREAM_SAMPLE);
    sepx__search_count(env, op);
    next->op = op;
    if (next->trial < count)
        return sepx_graph_copy(&next->graph, &start[next->trial]);
    return sepx_space_sample(env->space, &next->graph, &rng);
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
    };
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
    sepx__free(search);
}

enum sepx_err
sepx_search_ask(struct sepx_search *search, struct sepx_ask *ask)
{
    if (search->asked == UINT32_MAX)
        return SEPX_ELIMIT;
    ask->trial = search->asked++;
    ask->op = 0;
    ask->parent[0] = ask->parent[1] = -1;
    ask->fidelity = 1;
    return search->ops->ask(search->state, ask);
}

enum sepx_err
sepx_search_tell(struct sepx_search *search, const struct sepx_ask *ask,
                 double score)
{
    if (!search->ops->tell)
        return SEPX_OK;
    return search->ops->tell(search->state, ask, score);
}

const struct sepx_operator *
sepx_search_operators(const struct sepx_search *search, uint32_t *count)
{
    *count = 0;
    while (*count < SEPX__OPERATORS_MAX && search->op[*count].name)
        (*count)++;
    return search->op;
}
