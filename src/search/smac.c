/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SMAC (F. Hutter, H. Hoos, K. Leyton-Brown, LION 2011): a forest predicts
 * scores, challengers promise to improve on the incumbent or come by chance,
 * and each is run again and again beside it until it is worse.
 *
 * A challenger's n-th run is compared with the incumbent's n-th: they stand
 * for the common random seeds of the original, which an evaluator of ours
 * does not take. A vector that is no graph of the space has the worst cost,
 * 1 or more; the forest hears of it, nobody is asked.
 *
 * What makes it affordable: the forest is grown again only when the results
 * have grown by a fixed share, each tree draws at most `rows` of them, and
 * until then challengers come from one list. Several asks may be under way:
 * while all races wait for results, further challengers begin.
 */
#include "search/smac.h"

#include <math.h>
#include <string.h>

#include "search/models/acquire.h"
#include "search/history.h"
#include "search/models/kde.h"

#define DRAWS_MAX 10000 /* challengers in a row that need no run */
#define FEATURES (5.0 / 6)
#define LEAST 3  /* rows of a split, and of a leaf */
#define DEPTH 20 /* of a tree */
#define NOBODY UINT32_MAX

struct smac_settings {
    uint32_t trees, rows, repeats, searches, plateau, candidates;
    double random, refit;
};

#define AT(member) offsetof(struct smac_settings, member)

/* clang-format off */
static const struct sepx_option smac_options[] = {
    {"trees", SEPX_OPTION_COUNT, AT(trees), 10, 1, SEPX__FOREST_TREES,
     .help = "of the forest"},
    {"rows", SEPX_OPTION_COUNT, AT(rows), 2000, 10, 1e9,
     .help = "results drawn for each tree, with replacement, at most"},
    {"refit", SEPX_OPTION_NUMBER, AT(refit), 0.03, 0, 10,
     .help = "new results before the forest is grown again, as a share of "
             "those it knew; 0: after each"},
    {"repeats", SEPX_OPTION_COUNT, AT(repeats), 4, 1, SEPX__REPEATS_MAX,
     .help = "evaluations of one graph, at most"},
    {"random", SEPX_OPTION_NUMBER, AT(random), 0.33, 0, 1,
     .help = "share of challengers drawn by chance alone"},
    {"searches", SEPX_OPTION_COUNT, AT(searches), 10, 1, 1e6,
     .help = "local searches for challengers; as many more as there are "
             "challengers between two forests"},
    {"plateau", SEPX_OPTION_COUNT, AT(plateau), 10, 0, 1e6,
     .help = "steps of a local search to equally good neighbours"},
    {"candidates", SEPX_OPTION_COUNT, AT(candidates), 5000, 1, 1e6,
     .help = "challengers in a list, random ones included"},
    {0},
};
/* clang-format on */

enum { BY_SAMPLE, BY_MODEL, BY_REPEAT };

struct race {
    uint32_t entry;
    uint32_t batch;           /* runs that it asks for at once; doubles */
    uint32_t to_ask, waiting; /* of this batch */
};

struct pending {
    uint32_t trial, entry;
    bool racing;
};

struct smac {
    const struct sepx__search_env *env;
    const struct smac_settings *set;
    struct sepx__code code;
    struct sepx__vectors vectors;
    struct sepx__forest forest;
    struct sepx__acquire list;
    uint32_t starts; /* of the space, that were tried */
    uint32_t lists;  /* made so far */
    uint32_t known;  /* results that the forest has heard of */
    size_t next;     /* of the list */
    uint32_t incumbent;
    bool repeated; /* the incumbent had its run before the next challenger */
    struct race *race;
    size_t n_races, race_room;
    struct pending *pending;
    size_t n_pending, pending_room;
    uint16_t *value; /* for drawing */
};

/* ---- challengers ---- */

static void
draw_vector(struct smac *smac, struct sepx_rng *rng)
{
    for (uint32_t v = 0; v < smac->code.variables; v++)
        smac->value[v] = (uint16_t)sepx_rng_below(rng, smac->code.choices[v]);
}

static bool
forest_is_old(const struct smac *smac)
{
    return smac->vectors.results - smac->known > smac->set->refit * smac->known;
}

static bool
space_asks(void *context)
{
    return sepx_space_stopped(context);
}

static enum sepx_err
make_list(struct smac *smac, struct sepx_rng *rng)
{
    const struct smac_settings *set = smac->set;
    struct sepx__vectors *vectors = &smac->vectors;
    const struct sepx_stop stop = {space_asks,
                                   (void *)(uintptr_t)smac->env->space};
    const struct sepx__forest_rules rules = {.trees = set->trees,
                                             .rows = set->rows,
                                             .least_split = LEAST,
                                             .least_leaf = LEAST,
                                             .depth = DEPTH,
                                             .features = FEATURES,
                                             .stop = stop};
    const struct sepx__rows rows = {vectors->value,     vectors->which,
                                    vectors->y,         vectors->results,
                                    vectors->variables, smac->code.choices};
    struct sepx__acquire_rules seek = {
        .searches = set->searches, .plateau = set->plateau, .stop = stop};
    uint32_t ahead = (uint32_t)(set->refit * vectors->results);
    double best = sepx__vectors_mean(vectors, smac->incumbent,
                                     vectors->entry[smac->incumbent].told);
    enum sepx_err err;

    seek.searches = ahead > seek.searches ? ahead : seek.searches;
    seek.random =
        set->candidates > seek.searches ? set->candidates - seek.searches : 0;
    sepx__vectors_fill(vectors);
    err = sepx__forest_grow(&smac->forest, &rows, &rules, rng);
    if (!err)
        err = sepx__acquire_list(&smac->list, &smac->forest, smac->code.choices,
                                 vectors->value, vectors->count,
                                 fmin(best, vectors->worst), &seek, rng);
    smac->known = vectors->results;
    smac->next = 0;
    smac->lists++;
    return err;
}

/*
 * Into smac->value: the space's start graphs first, then by the model if
 * there is one and chance allows it.
 */
static enum sepx_err
choose(struct smac *smac, uint32_t *op, struct sepx_rng *rng)
{
    bool found;
    enum sepx_err err =
        sepx__search_start(smac->env, &smac->starts, smac->value, &found);

    *op = BY_SAMPLE;
    if (err || found)
        return err;
    if (smac->incumbent != NOBODY && !sepx_rng_chance(rng, smac->set->random)) {
        if (forest_is_old(smac) || smac->next >= smac->list.count)
            err = make_list(smac, rng);
        *op = BY_MODEL;
    }
    if (err || *op == BY_SAMPLE) {
        draw_vector(smac, rng);
        return err;
    }
    memcpy(smac->value,
           smac->list.value + (size_t)smac->list.candidate[smac->next++].at *
                                  smac->code.variables,
           smac->code.variables * sizeof *smac->value);
    return SEPX_OK;
}

/* ---- races ---- */

static struct race *
race_find(const struct smac *smac, uint32_t entry)
{
    size_t i = 0;

    while (smac->race[i].entry != entry)
        i++;
    return &smac->race[i];
}

static void
race_end(struct smac *smac, struct race *race)
{
    size_t at = (size_t)(race - smac->race);

    smac->vectors.entry[race->entry].racing = false;
    smac->n_races--;
    memmove(race, race + 1, (smac->n_races - at) * sizeof *race);
}

/* How many runs a challenger needs to have as many as the incumbent. */
static uint32_t
runs_missing(const struct smac *smac, uint32_t entry)
{
    const struct sepx__entry *all = smac->vectors.entry;
    uint32_t wanted = smac->incumbent == NOBODY ? 1 : all[smac->incumbent].told;

    return wanted > all[entry].told ? wanted - all[entry].told : 0;
}

static uint32_t
smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* The batch is over: the challenger is out, takes over, or runs on. */
static void
race_decide(struct smac *smac, struct race *race)
{
    const struct sepx__vectors *vectors = &smac->vectors;
    uint32_t missing = runs_missing(smac, race->entry), common;
    bool worse = false;

    if (smac->incumbent != NOBODY) {
        common = smaller(vectors->entry[race->entry].told,
                         vectors->entry[smac->incumbent].told);
        worse = sepx__vectors_mean(vectors, race->entry, common) >
                sepx__vectors_mean(vectors, smac->incumbent, common);
    }
    if (worse || !missing) {
        if (!worse)
            smac->incumbent = race->entry;
        race_end(smac, race);
        return;
    }
    race->batch *= 2;
    race->to_ask = smaller(race->batch, missing);
}

static enum sepx_err
race_begin(struct smac *smac, uint32_t entry)
{
    void *races = smac->race;
    struct race made = {entry, 1, smaller(1, runs_missing(smac, entry)), 0};
    enum sepx_err err = sepx__grow(&races, &smac->race_room, smac->n_races + 1,
                                   sizeof *smac->race);

    if (err)
        return err;
    smac->race = races;
    smac->vectors.entry[entry].racing = true;
    smac->race[smac->n_races++] = made;
    if (!made.to_ask)
        race_decide(smac, &smac->race[smac->n_races - 1]);
    return SEPX_OK;
}

/* ---- ask ---- */

static enum sepx_err
pending_add(struct smac *smac, uint32_t trial, uint32_t entry, bool racing)
{
    void *pending = smac->pending;
    enum sepx_err err = sepx__grow(&pending, &smac->pending_room,
                                   smac->n_pending + 1, sizeof *smac->pending);

    if (err)
        return err;
    smac->pending = pending;
    smac->pending[smac->n_pending++] = (struct pending){trial, entry, racing};
    return SEPX_OK;
}

static enum sepx_err
ask_about(struct smac *smac, struct sepx_ask *next, uint32_t number,
          uint32_t op, bool racing)
{
    struct sepx__entry *entry = &smac->vectors.entry[number];
    bool valid;
    enum sepx_err err = pending_add(smac, next->trial, number, racing);

    if (err)
        return err;
    next->op = op;
    next->parent[0] = entry->trial;
    if (op == BY_REPEAT)
        sepx__search_count(smac->env, op);
    if (entry->trial < 0)
        entry->trial = next->trial;
    entry->asked++;
    return sepx_space_decode(
        smac->env->space, &next->graph, &valid,
        smac->vectors.value + (size_t)number * smac->code.variables, NULL);
}

/* A run that a race or the incumbent is waiting for; *found tells. */
static enum sepx_err
ask_again(struct smac *smac, struct sepx_ask *next, bool *found)
{
    const struct sepx__entry *all = smac->vectors.entry;

    *found = true;
    for (size_t i = 0; i < smac->n_races; i++) {
        struct race *race = &smac->race[i];

        if (!race->to_ask)
            continue;
        race->to_ask--;
        race->waiting++;
        return ask_about(smac, next, race->entry, BY_REPEAT, true);
    }
    if (!smac->repeated && smac->incumbent != NOBODY &&
        all[smac->incumbent].asked < smac->set->repeats) {
        smac->repeated = true;
        return ask_about(smac, next, smac->incumbent, BY_REPEAT, false);
    }
    *found = false;
    return SEPX_OK;
}

/* An isomorph of a graph that has scores: their mean is its cost. */
static enum sepx_err
recall(struct smac *smac, const struct sepx_graph *graph, uint32_t vector,
       bool *known)
{
    struct sepx__history *history = sepx__search_memory(smac->env);
    uint32_t number;
    enum sepx_err err;

    *known = false;
    if (!smac->env->mutation->fresh)
        return SEPX_OK;
    err = sepx__history_find(history, &number, graph);
    *known = !err && number != SEPX__UNKNOWN && history->graph[number].count;
    if (*known)
        err = sepx__vectors_tell(&smac->vectors, vector,
                                 sepx__history_mean(history, number));
    return err;
}

/*
 * A new vector: is it a graph that needs a run? If not, its cost is known.
 */
static enum sepx_err
meet(struct smac *smac, struct sepx_ask *next, uint32_t number, uint32_t op,
     bool *valid)
{
    struct sepx_cross_counts *counts = &smac->env->op[op].counts;
    bool known = false;
    enum sepx_err err = sepx_space_decode(smac->env->space, &next->graph, valid,
                                          smac->value, NULL);

    if (!err && !*valid)
        err = sepx__vectors_tell(&smac->vectors, number, INFINITY);
    counts->trials++;
    counts->invalid += !*valid;
    if (!err && *valid)
        err = recall(smac, &next->graph, number, &known);
    counts->duplicates += known;
    *valid = *valid && !known;
    counts->attempts += *valid;
    counts->accepted += *valid;
    return err;
}

/* *found: it is a graph that needs a run. */
static enum sepx_err
challenge(struct smac *smac, struct sepx_ask *next, bool *found,
          struct sepx_rng *rng)
{
    struct sepx__entry *entry;
    uint32_t number, op;
    bool fresh, valid = true;
    enum sepx_err err = choose(smac, &op, rng);

    *found = false;
    smac->repeated = false;
    if (!err)
        err = sepx__vectors_find(&smac->vectors, &number, &fresh, smac->value);
    if (err)
        return err;
    if (fresh)
        err = meet(smac, next, number, op, &valid);
    entry = &smac->vectors.entry[number];
    if (err || !valid || (entry->trial < 0 && !fresh) || entry->racing ||
        number == smac->incumbent ||
        (op == BY_MODEL && entry->list == smac->lists))
        return err;
    entry->list = smac->lists;
    err = race_begin(smac, number);
    if (err || !smac->vectors.entry[number].racing)
        return err;
    *found = true;
    smac->race[smac->n_races - 1].to_ask--;
    smac->race[smac->n_races - 1].waiting++;
    return ask_about(smac, next, number, fresh ? op : BY_REPEAT, true);
}

/* Nothing that needs a run was found: some graph, outside of all races. */
static enum sepx_err
ask_anything(struct smac *smac, struct sepx_ask *next)
{
    enum sepx_err err = pending_add(smac, next->trial, NOBODY, false);

    return err ? err : sepx__search_sample(smac->env, next, BY_SAMPLE);
}

static enum sepx_err
smac_ask(void *state, struct sepx_ask *next)
{
    struct smac *smac = state;
    struct sepx_rng rng;
    bool found = false;
    enum sepx_err err = SEPX_OK;

    sepx__search_rng(smac->env, &rng, next->trial, SEPX__STREAM_VECTOR);
    for (unsigned draw = 0; draw < DRAWS_MAX && !found && !err; draw++) {
        err = ask_again(smac, next, &found);
        if (!err && !found)
            err = challenge(smac, next, &found, &rng);
        if (!err && !found && sepx_space_stopped(smac->env->space))
            err = SEPX_ESTOPPED;
    }
    return err || found ? err : ask_anything(smac, next);
}

/* ---- tell ---- */

static enum sepx_err
smac_tell(void *state, const struct sepx_ask *asked, double score)
{
    struct smac *smac = state;
    struct pending found = {0};
    struct race *race;
    size_t i = 0;
    enum sepx_err err;

    while (i < smac->n_pending && smac->pending[i].trial != asked->trial)
        i++;
    if (i == smac->n_pending)
        return SEPX_EINVAL;
    found = smac->pending[i];
    smac->pending[i] = smac->pending[--smac->n_pending];
    if (found.entry == NOBODY)
        return SEPX_OK;
    err = sepx__vectors_tell(&smac->vectors, found.entry, score);
    if (err || !found.racing)
        return err;
    race = race_find(smac, found.entry);
    if (!--race->waiting && !race->to_ask)
        race_decide(smac, race);
    return SEPX_OK;
}

/* ---- life ---- */

static void
smac_release(void *state)
{
    struct smac *smac = state;

    sepx__code_release(&smac->code);
    sepx__vectors_release(&smac->vectors);
    sepx__forest_release(&smac->forest);
    sepx__acquire_release(&smac->list);
    sepx__free(smac->race);
    sepx__free(smac->pending);
    sepx__free(smac->value);
}

static enum sepx_err
smac_init(void *state, const struct sepx__search_env *env, struct sepx_msg *msg)
{
    struct smac *smac = state;
    uint32_t count = sepx_space_variables(env->space);
    enum sepx_err err;

    smac->env = env;
    smac->set = env->settings;
    smac->incumbent = NOBODY;
    smac->vectors.variables = count;
    env->op[BY_SAMPLE].name = "random";
    env->op[BY_MODEL].name = "model";
    env->op[BY_REPEAT].name = "repeat";
    if (!count)
        return sepx_fail(msg, SEPX_EUNSUPPORTED,
                         "smac needs a vector encoding, which space %s does "
                         "not have",
                         sepx_space_info(env->space)->name);
    err = sepx__code_init(&smac->code, env->space);
    if (err)
        return err;
    smac->value = sepx__calloc(count, sizeof *smac->value);
    return smac->value ? SEPX_OK : SEPX_ENOMEM;
}

const struct sepx__search_ops sepx__search_smac = {
    .info = {"smac", "a random forest and expected improvement", smac_options},
    .settings_size = sizeof(struct smac_settings),
    .recalls = true,
    .state_size = sizeof(struct smac),
    .init = smac_init,
    .ask = smac_ask,
    .tell = smac_tell,
    .release = smac_release,
};
