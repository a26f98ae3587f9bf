/* SPDX-License-Identifier: Apache-2.0 */
/*
 * REINFORCE (Williams 1992) as in Ying et al. (ICML 2019): one independent
 * categorical for each variable of the space's encoding, plain gradient
 * ascent, and the reward's running mean as the baseline.
 *
 * The reward is minus the score. A constant added to all rewards cancels,
 * since the baseline is a weighted mean of rewards, the current one included.
 */
#include <math.h>
#include <string.h>

#include "search/internal.h"

/* Draws before a policy that has settled on invalid vectors is given up on. */
#define DRAWS_MAX 10000

struct reinforce_settings {
    double rate, momentum;
};

#define AT(member) offsetof(struct reinforce_settings, member)

/* clang-format off */
static const struct sepx_option reinforce_options[] = {
    {"rate", SEPX_OPTION_NUMBER, AT(rate), 0.1, 0, 1e6,
     .help = "learning rate"},
    {"momentum", SEPX_OPTION_NUMBER, AT(momentum), 0.9, 0, 0.999999,
     .help = "of the baseline, an exponential mean of rewards"},
    {0},
};
/* clang-format on */

enum { BY_POLICY, BY_SAMPLE };

/* A vector that was proposed and has no score yet. */
struct pending {
    uint32_t trial;
    bool used;
    uint16_t *value;
};

struct reinforce {
    const struct sepx__search_env *env;
    const struct reinforce_settings *set;
    uint32_t variables;
    uint32_t *first; /* of each variable's logits; variables + 1 long */
    double *logit, *share;
    struct pending *pending;
    size_t n_pending, room;
    double sum, weight; /* of the baseline */
};

/* share[] gets the softmax of one variable's logits. */
static void
softmax(struct reinforce *agent, uint32_t variable)
{
    const double *logit = &agent->logit[agent->first[variable]];
    double *share = &agent->share[agent->first[variable]];
    uint32_t count = agent->first[variable + 1] - agent->first[variable];
    double top = logit[0], total = 0;

    for (uint32_t i = 1; i < count; i++)
        top = fmax(top, logit[i]);
    for (uint32_t i = 0; i < count; i++)
        total += share[i] = exp(logit[i] - top);
    for (uint32_t i = 0; i < count; i++)
        share[i] /= total;
}

static uint16_t
draw_one(const struct reinforce *agent, uint32_t variable, struct sepx_rng *rng)
{
    const double *share = &agent->share[agent->first[variable]];
    uint32_t count = agent->first[variable + 1] - agent->first[variable];
    double u = sepx_rng_unit(rng);
    uint32_t i = 0;

    while (i + 1 < count && u >= share[i])
        u -= share[i++];
    return (uint16_t)i;
}

/* ---- what is under way ---- */

static enum sepx_err
pending_take(struct reinforce *agent, struct pending **slot)
{
    void *at = agent->pending;
    enum sepx_err err;

    for (size_t i = 0; i < agent->n_pending; i++) {
        *slot = &agent->pending[i];
        if (!(*slot)->used)
            return SEPX_OK;
    }
    err = sepx__grow(&at, &agent->room, agent->n_pending + 1,
                     sizeof *agent->pending);
    if (err)
        return err;
    agent->pending = at;
    *slot = &agent->pending[agent->n_pending];
    **slot = (struct pending){
        .value = sepx__calloc(agent->variables, sizeof(uint16_t))};
    if (!(*slot)->value)
        return SEPX_ENOMEM;
    agent->n_pending++;
    return SEPX_OK;
}

static struct pending *
pending_find(const struct reinforce *agent, uint32_t trial)
{
    for (size_t i = 0; i < agent->n_pending; i++) {
        if (agent->pending[i].used && agent->pending[i].trial == trial)
            return &agent->pending[i];
    }
    return NULL;
}

/* ---- ask ---- */

static enum sepx_err
draw_valid(struct reinforce *agent, struct sepx_ask *next, uint16_t *value,
           bool *valid)
{
    struct sepx_rng rng;
    enum sepx_err err = SEPX_OK;

    *valid = false;
    sepx__search_rng(agent->env, &rng, next->trial, SEPX__STREAM_POLICY);
    for (unsigned draw = 0; draw < DRAWS_MAX && !*valid && !err; draw++) {
        for (uint32_t i = 0; i < agent->variables; i++)
            value[i] = draw_one(agent, i, &rng);
        err = sepx_space_decode(agent->env->space, &next->graph, valid, value,
                                NULL);
        agent->env->op[BY_POLICY].counts.trials++;
        agent->env->op[BY_POLICY].counts.invalid += !*valid;
    }
    return err;
}

/* An invalid vector is redrawn: no score, no update. */
static enum sepx_err
reinforce_ask(void *state, struct sepx_ask *next)
{
    struct reinforce *agent = state;
    struct sepx_cross_counts *counts = &agent->env->op[BY_POLICY].counts;
    struct pending *slot;
    bool valid;
    enum sepx_err err;

    err = pending_take(agent, &slot);
    if (!err)
        err = draw_valid(agent, next, slot->value, &valid);
    if (err)
        return err;
    counts->attempts++;
    counts->accepted += valid;
    counts->skipped += !valid;
    next->op = BY_POLICY;
    if (!valid) {
        err = sepx__search_sample(agent->env, next, BY_SAMPLE);
        if (!err)
            err =
                sepx_space_encode(agent->env->space, slot->value, &next->graph);
    }
    slot->trial = next->trial;
    slot->used = !err;
    return err;
}

/* ---- tell ---- */

static double
advantage(struct reinforce *agent, double reward)
{
    double momentum = agent->set->momentum;

    agent->sum = momentum * agent->sum + (1 - momentum) * reward;
    agent->weight = momentum * agent->weight + (1 - momentum);
    return reward - agent->sum / agent->weight;
}

static enum sepx_err
reinforce_tell(void *state, const struct sepx_ask *asked, double score)
{
    struct reinforce *agent = state;
    struct pending *slot = pending_find(agent, asked->trial);
    double step;

    if (!slot)
        return SEPX_EINVAL;
    slot->used = false;
    if (isnan(score))
        return SEPX_OK;
    step = agent->set->rate * advantage(agent, -score);
    for (uint32_t v = 0; v < agent->variables; v++) {
        for (uint32_t i = agent->first[v]; i < agent->first[v + 1]; i++) {
            bool chosen = i - agent->first[v] == slot->value[v];

            agent->logit[i] += step * (chosen - agent->share[i]);
        }
        softmax(agent, v);
    }
    return SEPX_OK;
}

/* ---- life ---- */

static void
reinforce_release(void *state)
{
    struct reinforce *agent = state;

    for (size_t i = 0; i < agent->n_pending; i++)
        sepx__free(agent->pending[i].value);
    sepx__free(agent->pending);
    sepx__free(agent->first);
    sepx__free(agent->logit);
    sepx__free(agent->share);
}

static enum sepx_err
reinforce_init(void *state, const struct sepx__search_env *env,
               struct sepx_msg *msg)
{
    struct reinforce *agent = state;
    uint32_t count = sepx_space_variables(env->space), total = 0;

    agent->env = env;
    agent->set = env->settings;
    agent->variables = count;
    env->op[BY_POLICY].name = "policy";
    env->op[BY_SAMPLE].name = "random";
    if (!count)
        return sepx_fail(msg, SEPX_EUNSUPPORTED,
                         "reinforce needs a vector encoding, which space %s "
                         "does not have",
                         sepx_space_info(env->space)->name);
    agent->first = sepx__calloc(count + 1, sizeof *agent->first);
    if (!agent->first)
        return SEPX_ENOMEM;
    for (uint32_t i = 0; i < count; i++) {
        total += sepx_space_choices(env->space, i);
        agent->first[i + 1] = total;
    }
    agent->logit = sepx__calloc(total, sizeof *agent->logit);
    agent->share = sepx__calloc(total, sizeof *agent->share);
    if (!agent->logit || !agent->share)
        return SEPX_ENOMEM;
    for (uint32_t i = 0; i < count; i++)
        softmax(agent, i);
    return SEPX_OK;
}

const struct sepx__search_ops sepx__search_reinforce = {
    .info = {"reinforce", "policy gradient over the space's variables",
             reinforce_options},
    .settings_size = sizeof(struct reinforce_settings),
    .state_size = sizeof(struct reinforce),
    .init = reinforce_init,
    .ask = reinforce_ask,
    .tell = reinforce_tell,
    .release = reinforce_release,
};
