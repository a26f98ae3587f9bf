/* SPDX-License-Identifier: Apache-2.0 */
/*
 * BOHB (S. Falkner, A. Klein, F. Hutter, ICML 2018): HyperBand's brackets of
 * successive halving, the new vectors of which come from a model of good and
 * bad ones, or, for a fraction, from chance.
 *
 * A vector that is no graph of the space has the worst loss (1 in the published
 * script, where losses are errors; only their order counts): the model and the
 * bracket hear of it, nobody is asked. Several asks may be under way: they go
 * to the oldest bracket that has a vector to run, and if all wait for results a
 * new bracket begins, as HpBandSter's workers do it.
 */
#include "search/bohb.h"

#include <math.h>
#include <string.h>

#define DRAWS_MAX 10000 /* vectors in a row that may be invalid */

#define AT(member) offsetof(struct sepx__bohb_settings, member)

/* clang-format off */
static const struct sepx_option bohb_options[] = {
    {"eta", SEPX_OPTION_COUNT, AT(eta), 3, 2, 16,
     .help = "one in N graphs of a rung is promoted to the next, at N times "
             "the budget"},
    {"rungs", SEPX_OPTION_COUNT, AT(rungs), 4, 1, SEPX__RUNGS_MAX,
     .help = "budgets; the largest is a full evaluation"},
    {"random", SEPX_OPTION_NUMBER, AT(random), 0.33, 0, 1,
     .help = "share of vectors drawn by chance alone"},
    {"samples", SEPX_OPTION_COUNT, AT(samples), 64, 1, 1e6,
     .help = "vectors drawn from the model to choose one"},
    {"good", SEPX_OPTION_COUNT, AT(good), 15, 1, 99,
     .help = "per cent of the results that count as good, but at least one "
             "more than there are variables"},
    {"bandwidth", SEPX_OPTION_NUMBER, AT(bandwidth), 0.3, 0.001, 1,
     .help = "the smallest of a kernel"},
    {0},
};
/* clang-format on */

enum { BY_SAMPLE, BY_MODEL, BY_PROMOTION };

enum stage { WAITS, ASKED, TOLD, DROPPED };

struct config {
    enum stage stage; /* in the bracket's rung */
    uint32_t op;
    double loss;
    int64_t trial; /* its last; -1: none */
};

struct bracket {
    uint32_t number, rungs, size[SEPX__RUNGS_MAX];
    uint32_t rung;
    uint32_t made, told; /* vectors drawn; results in this rung */
    struct config *config;
    uint16_t *value; /* size[0] x variables */
};

struct pending {
    uint32_t trial, bracket, config;
};

struct bohb {
    const struct sepx__search_env *env;
    const struct sepx__bohb_settings *set;
    struct sepx__model model;
    uint32_t starts;   /* of the space, that were tried */
    uint32_t brackets; /* begun so far */
    struct bracket *active;
    size_t n_active, active_room;
    struct pending *pending;
    size_t n_pending, pending_room;
};

/* ---- the schedule ---- */

static uint32_t
power(uint32_t base, uint32_t exponent)
{
    uint32_t value = 1;

    while (exponent--)
        value *= base;
    return value;
}

uint32_t
sepx__bracket_rungs(const struct sepx__bohb_settings *set, uint32_t number,
                    uint32_t size[SEPX__RUNGS_MAX])
{
    uint32_t last = set->rungs - 1 - number % set->rungs;
    uint32_t first = set->rungs / (last + 1) * power(set->eta, last);

    for (uint32_t i = 0; i <= last; i++) {
        size[i] = first / power(set->eta, i);
        size[i] = size[i] ? size[i] : 1;
    }
    return last + 1;
}

double
sepx__bracket_fidelity(const struct sepx__bohb_settings *set, uint32_t level)
{
    return 1.0 / power(set->eta, set->rungs - 1 - level);
}

/* The budget's number, counted from the smallest of all. */
static uint32_t
bracket_level(const struct bohb *bohb, const struct bracket *bracket)
{
    return bohb->set->rungs - bracket->rungs + bracket->rung;
}

/* ---- brackets ---- */

static void
bracket_release(struct bracket *bracket)
{
    sepx__free(bracket->config);
    sepx__free(bracket->value);
}

static enum sepx_err
bracket_begin(struct bohb *bohb, struct bracket **begun)
{
    void *active = bohb->active;
    struct bracket made = {.number = bohb->brackets};
    enum sepx_err err = sepx__grow(&active, &bohb->active_room,
                                   bohb->n_active + 1, sizeof made);

    if (err)
        return err;
    bohb->active = active;
    made.rungs = sepx__bracket_rungs(bohb->set, made.number, made.size);
    made.config = sepx__calloc(made.size[0], sizeof *made.config);
    made.value = sepx__calloc((size_t)made.size[0] * bohb->model.code.variables,
                              sizeof *made.value);
    if (!made.config || !made.value) {
        bracket_release(&made);
        return SEPX_ENOMEM;
    }
    bohb->brackets++;
    *begun = &bohb->active[bohb->n_active++];
    **begun = made;
    return SEPX_OK;
}

static void
bracket_end(struct bohb *bohb, struct bracket *bracket)
{
    size_t at = (size_t)(bracket - bohb->active);

    bracket_release(bracket);
    bohb->n_active--;
    memmove(bracket, bracket + 1, (bohb->n_active - at) * sizeof *bracket);
}

static bool
precedes(const struct config *config, uint32_t a, uint32_t b)
{
    return config[a].loss < config[b].loss ||
           (a < b && config[a].loss == config[b].loss);
}

/* All results of the rung are in: the best wait for the next one. */
static void
bracket_advance(struct bohb *bohb, struct bracket *bracket)
{
    struct config *config = bracket->config;
    uint32_t next = bracket->rung + 1;

    if (next == bracket->rungs) {
        bracket_end(bohb, bracket);
        return;
    }
    for (uint32_t i = 0; i < bracket->made; i++) {
        uint32_t better = 0;

        for (uint32_t k = 0; k < bracket->made && config[i].stage == TOLD; k++)
            better += config[k].stage != DROPPED && precedes(config, k, i);
        if (config[i].stage == TOLD)
            config[i].op = better < bracket->size[next] ? BY_PROMOTION : 0;
    }
    for (uint32_t i = 0; i < bracket->made; i++) {
        if (config[i].stage == TOLD)
            config[i].stage = config[i].op == BY_PROMOTION ? WAITS : DROPPED;
    }
    bracket->rung = next;
    bracket->told = 0;
}

/* A result, of an ask or of a vector that nobody was asked about. */
static enum sepx_err
settle(struct bohb *bohb, struct bracket *bracket, uint32_t which, double loss)
{
    struct config *config = &bracket->config[which];
    uint32_t variables = bohb->model.code.variables;
    enum sepx_err err =
        sepx__model_tell(&bohb->model, bracket_level(bohb, bracket),
                         bracket->value + (size_t)which * variables, loss);

    config->loss = isnan(loss) ? INFINITY : loss;
    config->stage = TOLD;
    if (++bracket->told == bracket->size[bracket->rung])
        bracket_advance(bohb, bracket);
    return err;
}

/* ---- ask ---- */

static enum sepx_err
draw_vector(struct bohb *bohb, uint16_t *value, uint32_t *op,
            struct sepx_rng *rng)
{
    const struct sepx__code *code = &bohb->model.code;
    bool found;
    enum sepx_err err =
        sepx__search_start(bohb->env, &bohb->starts, value, &found);

    *op = BY_SAMPLE;
    if (err || found)
        return err;
    *op = BY_MODEL;
    if (bohb->model.level >= 0 && !sepx_rng_chance(rng, bohb->set->random))
        return sepx__model_propose(&bohb->model, value, rng);
    *op = BY_SAMPLE;
    for (uint32_t v = 0; v < code->variables; v++)
        value[v] = (uint16_t)sepx_rng_below(rng, code->choices[v]);
    return SEPX_OK;
}

/* The next vector of a bracket to run, or its size if it has to wait. */
static uint32_t
bracket_next(const struct bracket *bracket)
{
    for (uint32_t i = 0; i < bracket->made; i++) {
        if (bracket->config[i].stage == WAITS)
            return i;
    }
    return bracket->made;
}

/* A vector to run: of the oldest bracket that has one, or of a new one. */
static enum sepx_err
pick(struct bohb *bohb, struct bracket **bracket, uint32_t *which,
     struct sepx_rng *rng)
{
    struct config *config;
    enum sepx_err err = SEPX_OK;

    *bracket = NULL;
    for (size_t i = 0; i < bohb->n_active && !*bracket; i++) {
        *which = bracket_next(&bohb->active[i]);
        if (*which < bohb->active[i].size[0])
            *bracket = &bohb->active[i];
    }
    if (!*bracket) {
        err = bracket_begin(bohb, bracket);
        *which = 0;
    }
    if (err || *which < (*bracket)->made)
        return err;
    config = &(*bracket)->config[*which];
    config->trial = -1;
    err = draw_vector(
        bohb, (*bracket)->value + (size_t)*which * bohb->model.code.variables,
        &config->op, rng);
    (*bracket)->made += !err;
    return err;
}

static enum sepx_err
pending_add(struct bohb *bohb, uint32_t trial, const struct bracket *bracket,
            uint32_t which)
{
    void *pending = bohb->pending;
    enum sepx_err err = sepx__grow(&pending, &bohb->pending_room,
                                   bohb->n_pending + 1, sizeof *bohb->pending);

    if (err)
        return err;
    bohb->pending = pending;
    bohb->pending[bohb->n_pending++] =
        (struct pending){trial, bracket->number, which};
    return SEPX_OK;
}

/* The graph of the vector; of a random one after too many invalid ones. */
static enum sepx_err
make_graph(struct bohb *bohb, struct sepx_ask *next, uint16_t *value,
           bool *valid, bool last)
{
    const struct sepx__search_env *env = bohb->env;
    enum sepx_err err =
        sepx_space_decode(env->space, &next->graph, valid, value, NULL);

    if (err || *valid || !last)
        return err;
    *valid = true;
    err = sepx__search_sample(env, next, BY_SAMPLE);
    return err ? err : sepx_space_encode(env->space, value, &next->graph);
}

static void
count(struct bohb *bohb, uint32_t op, bool valid)
{
    struct sepx_cross_counts *counts = &bohb->env->op[op].counts;

    counts->attempts += valid;
    counts->trials++;
    counts->accepted += valid;
    counts->invalid += !valid;
}

static void
ask_about(struct bohb *bohb, struct sepx_ask *next, struct bracket *bracket,
          uint32_t which)
{
    struct config *config = &bracket->config[which];

    next->op = config->op;
    next->parent[0] = config->trial;
    next->fidelity =
        sepx__bracket_fidelity(bohb->set, bracket_level(bohb, bracket));
    config->stage = ASKED;
    config->trial = next->trial;
}

/*
 * A new vector whose graph was proposed before is drawn again; it stays if
 * none of so many draws is new. *valid and the graph are the last one's.
 */
static enum sepx_err
renew(struct bohb *bohb, struct sepx_ask *next, uint16_t *value, bool *valid,
      struct config *config, struct sepx_rng *rng)
{
    const struct sepx__search_env *env = bohb->env;
    bool passes = config->op == BY_PROMOTION;
    enum sepx_err err = SEPX_OK;

    for (unsigned draw = 1; *valid && !passes && !err; draw++) {
        err = sepx__search_passes(env, &passes, &next->graph, draw);
        if (err || passes)
            break;
        env->op[config->op].counts.trials++;
        env->op[config->op].counts.duplicates++;
        err = draw_vector(bohb, value, &config->op, rng);
        if (!err)
            err =
                sepx_space_decode(env->space, &next->graph, valid, value, NULL);
    }
    return err;
}

static enum sepx_err
bohb_ask(void *state, struct sepx_ask *next)
{
    struct bohb *bohb = state;
    struct sepx_rng rng;
    enum sepx_err err = SEPX_OK;

    sepx__search_rng(bohb->env, &rng, next->trial, SEPX__STREAM_VECTOR);
    for (unsigned draw = 1; !err; draw++) {
        struct bracket *bracket;
        uint16_t *value;
        uint32_t which;
        bool valid = false;

        err = pick(bohb, &bracket, &which, &rng);
        if (err)
            break;
        value = bracket->value + (size_t)which * bohb->model.code.variables;
        err = make_graph(bohb, next, value, &valid, draw == DRAWS_MAX);
        if (!err && draw < DRAWS_MAX)
            err =
                renew(bohb, next, value, &valid, &bracket->config[which], &rng);
        if (err)
            break;
        if (draw < DRAWS_MAX)
            count(bohb, bracket->config[which].op, valid);
        else
            bracket->config[which].op = next->op;
        if (valid) {
            err = pending_add(bohb, next->trial, bracket, which);
            ask_about(bohb, next, bracket, which);
            break;
        }
        err = settle(bohb, bracket, which, INFINITY);
        if (!err && sepx_space_stopped(bohb->env->space))
            err = SEPX_ESTOPPED;
    }
    return err;
}

/* ---- tell ---- */

static struct bracket *
bracket_find(const struct bohb *bohb, uint32_t number)
{
    size_t i = 0;

    while (bohb->active[i].number != number)
        i++;
    return &bohb->active[i];
}

static enum sepx_err
bohb_tell(void *state, const struct sepx_ask *asked, double score)
{
    struct bohb *bohb = state;

    for (size_t i = 0; i < bohb->n_pending; i++) {
        struct pending found = bohb->pending[i];

        if (found.trial != asked->trial)
            continue;
        bohb->pending[i] = bohb->pending[--bohb->n_pending];
        return settle(bohb, bracket_find(bohb, found.bracket), found.config,
                      score);
    }
    return SEPX_EINVAL;
}

/* ---- life ---- */

static void
bohb_release(void *state)
{
    struct bohb *bohb = state;

    for (size_t i = 0; i < bohb->n_active; i++)
        bracket_release(&bohb->active[i]);
    sepx__free(bohb->active);
    sepx__free(bohb->pending);
    sepx__model_release(&bohb->model);
}

static enum sepx_err
bohb_init(void *state, const struct sepx__search_env *env, struct sepx_msg *msg)
{
    struct bohb *bohb = state;

    bohb->env = env;
    bohb->set = env->settings;
    env->op[BY_SAMPLE].name = "random";
    env->op[BY_MODEL].name = "model";
    env->op[BY_PROMOTION].name = "promotion";
    if (!sepx_space_variables(env->space))
        return sepx_fail(msg, SEPX_EUNSUPPORTED,
                         "bohb needs a vector encoding, which space %s does "
                         "not have",
                         sepx_space_info(env->space)->name);
    return sepx__model_init(&bohb->model, env->space, bohb->set);
}

const struct sepx__search_ops sepx__search_bohb = {
    .info = {"bohb", "HyperBand with densities of good and bad vectors",
             bohb_options},
    .settings_size = sizeof(struct sepx__bohb_settings),
    .state_size = sizeof(struct bohb),
    .init = bohb_init,
    .ask = bohb_ask,
    .tell = bohb_tell,
    .release = bohb_release,
};
