/* SPDX-License-Identifier: Apache-2.0 */
/*
 * REINFORCE (Williams 1992) as in Ying et al. (ICML 2019): one independent
 * categorical for each variable of the space's encoding, plain gradient
 * ascent, and the reward's running mean as the baseline.
 *
 * The reward is minus the score. A constant added to all rewards cancels,
 * since the baseline is a weighted mean of rewards, the current one included.
 *
 * A vector whose graph has scores already is learned from by their mean, and
 * another one is drawn (rule `fresh`): what is known costs no evaluation. A
 * policy that draws nothing else has settled, and begins anew from uniform.
 */
#include <math.h>
#include <string.h>

#include "search/history.h"
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
    uint32_t starts;    /* of the space, that were tried */
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

/* ---- learning ---- */

static double
advantage(struct reinforce *agent, double reward)
{
    double momentum = agent->set->momentum;

    agent->sum = momentum * agent->sum + (1 - momentum) * reward;
    agent->weight = momentum * agent->weight + (1 - momentum);
    return reward - agent->sum / agent->weight;
}

static void
learn(struct reinforce *agent, const uint16_t *value, double score)
{
    double step = agent->set->rate * advantage(agent, -score);

    for (uint32_t v = 0; v < agent->variables; v++) {
        for (uint32_t i = agent->first[v]; i < agent->first[v + 1]; i++) {
            bool chosen = i - agent->first[v] == value[v];

            agent->logit[i] += step * (chosen - agent->share[i]);
        }
        softmax(agent, v);
    }
}

/* Forget everything: all vectors are equally likely. */
static void
begin(struct reinforce *agent)
{
    agent->sum = agent->weight = 0;
    for (uint32_t i = 0; i < agent->first[agent->variables]; i++)
        agent->logit[i] = 0;
    for (uint32_t v = 0; v < agent->variables; v++)
        softmax(agent, v);
}

/* ---- ask ---- */

static enum sepx_err
draw_valid(struct reinforce *agent, struct sepx_ask *next, uint16_t *value,
           bool *valid, struct sepx_rng *rng)
{
    enum sepx_err err = SEPX_OK;

    *valid = false;
    for (unsigned draw = 0; draw < DRAWS_MAX && !*valid && !err; draw++) {
        for (uint32_t i = 0; i < agent->variables; i++)
            value[i] = draw_one(agent, i, rng);
        err = sepx_space_decode(agent->env->space, &next->graph, valid, value,
                                NULL);
        agent->env->op[BY_POLICY].counts.trials++;
        agent->env->op[BY_POLICY].counts.invalid += !*valid;
        if (!err && !*valid && sepx_space_stopped(agent->env->space))
            err = SEPX_ESTOPPED;
    }
    return err;
}

/* Learn from a graph that has scores. *known: there is no need to ask. */
static enum sepx_err
recall(struct reinforce *agent, const struct sepx_graph *graph,
       const uint16_t *value, bool *known)
{
    struct sepx__history *history = sepx__search_memory(agent->env);
    uint32_t number;
    enum sepx_err err = sepx__history_find(history, &number, graph);

    *known = !err && number != SEPX__UNKNOWN;
    if (*known && history->graph[number].count)
        learn(agent, value, sepx__history_mean(history, number));
    agent->env->op[BY_POLICY].counts.duplicates += *known;
    return err;
}

/* An invalid vector is redrawn: no score, no update. */
static enum sepx_err
draw_policy(struct reinforce *agent, struct sepx_ask *next, uint16_t *value,
            bool *valid)
{
    const unsigned fresh = agent->env->mutation->fresh;
    struct sepx_rng rng;
    bool known = true;
    enum sepx_err err = SEPX_OK;

    sepx__search_rng(agent->env, &rng, next->trial, SEPX__STREAM_POLICY);
    for (unsigned draw = 1; known && !err; draw++) {
        known = false;
        err = draw_valid(agent, next, value, valid, &rng);
        if (!err && *valid && draw <= 2 * fresh)
            err = recall(agent, &next->graph, value, &known);
        if (known && draw == fresh)
            begin(agent);
    }
    return err;
}

static enum sepx_err
ask_policy(struct reinforce *agent, struct sepx_ask *next, uint16_t *value)
{
    struct sepx_cross_counts *counts = &agent->env->op[BY_POLICY].counts;
    bool valid;
    enum sepx_err err = draw_policy(agent, next, value, &valid);

    if (err)
        return err;
    counts->attempts++;
    counts->accepted += valid;
    counts->skipped += !valid;
    next->op = BY_POLICY;
    if (valid)
        return SEPX_OK;
    err = sepx__search_sample(agent->env, next, BY_SAMPLE);
    return err ? err
               : sepx_space_encode(agent->env->space, value, &next->graph);
}

static enum sepx_err
ask_start(struct reinforce *agent, struct sepx_ask *next, const uint16_t *value)
{
    bool valid;

    sepx__search_count(agent->env, BY_SAMPLE);
    next->op = BY_SAMPLE;
    return sepx_space_decode(agent->env->space, &next->graph, &valid, value,
                             NULL);
}

static enum sepx_err
reinforce_ask(void *state, struct sepx_ask *next)
{
    struct reinforce *agent = state;
    struct pending *slot;
    bool start = false;
    enum sepx_err err = pending_take(agent, &slot);

    if (!err)
        err =
            sepx__search_start(agent->env, &agent->starts, slot->value, &start);
    if (!err)
        err = start ? ask_start(agent, next, slot->value)
                    : ask_policy(agent, next, slot->value);
    if (err)
        return err;
    slot->trial = next->trial;
    slot->used = true;
    return SEPX_OK;
}

/* ---- tell ---- */

static enum sepx_err
reinforce_tell(void *state, const struct sepx_ask *asked, double score)
{
    struct reinforce *agent = state;
    struct pending *slot = pending_find(agent, asked->trial);

    if (!slot)
        return SEPX_EINVAL;
    slot->used = false;
    if (isnan(score))
        return SEPX_OK;
    learn(agent, slot->value, score);
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
    begin(agent);
    return SEPX_OK;
}

const struct sepx__search_ops sepx__search_reinforce = {
    .info = {"reinforce", "policy gradient over the space's variables",
             reinforce_options},
    .settings_size = sizeof(struct reinforce_settings),
    .recalls = true,
    .state_size = sizeof(struct reinforce),
    .init = reinforce_init,
    .ask = reinforce_ask,
    .tell = reinforce_tell,
    .release = reinforce_release,
};
