/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Expected improvement, measured: real operators on real graphs.
 *
 * A sample is a function of (plan, its number), and all sums are of whole
 * numbers, so neither threads nor their order reach the result.
 */
#include <math.h>
#include <string.h>

#include "base/internal.h"
#include "research/theory/internal.h"

#define SAMPLES_MAX 10000000

enum { ALONE, APPLIED, WAYS };
enum { OPERATORS = 3 };

static const struct {
    enum sepx_bound bound;
    const char *name; /* of sepx_rules_preset() */
    bool crosses;
} operators[OPERATORS] = {
    {SEPX_BOUND_SEPX, "sep", true},
    {SEPX_BOUND_STDX, "standard", true},
    {SEPX_BOUND_MUTA, "mutation", false},
};

/* Sums over samples. */
struct sums {
    uint64_t count[OPERATORS][WAYS];
    uint64_t gain[OPERATORS][WAYS], squares[OPERATORS][WAYS];
    uint64_t edges[3];
};

/* What one thread works with. */
struct worker {
    bool ready;
    struct sepx_ged *ged;
    struct sepx_cross *cross[OPERATORS];
    struct sepx__triple triple;
    struct sepx_graph child;
    struct sums sums;
};

struct crew {
    const struct sepx_measure_plan *plan;
    struct sepx_rules rules[OPERATORS];
    bool live; /* the rules keep graphs free of dangling nodes */
    struct worker *worker;
};

/* ---- workers ---- */

static void
worker_release(struct worker *worker)
{
    sepx_ged_free(worker->ged);
    for (int i = 0; i < OPERATORS; i++)
        sepx_cross_free(worker->cross[i]);
    sepx__triple_release(&worker->triple);
    sepx_graph_release(&worker->child);
}

static enum sepx_err
worker_init(struct worker *worker, const struct crew *crew)
{
    struct sepx_ged_options options = {.ignore_labels = true};
    enum sepx_err err = SEPX_OK;

    if (worker->ready)
        return SEPX_OK;
    if (!worker->ged)
        err = sepx_ged_new(&worker->ged, &options);
    for (int i = 0; i < OPERATORS && !err; i++)
        if (operators[i].crosses)
            err = sepx_cross_new(&worker->cross[i], crew->plan->space,
                                 operators[i].name, &crew->rules[i], NULL);
    worker->ready = !err;
    return err;
}

/* ---- one sample ---- */

static enum sepx_err
note(struct worker *worker, int operator_number, int way, uint32_t before)
{
    struct sums *sums = &worker->sums;
    uint32_t after = 0;
    enum sepx_err err = sepx_theory_distance(
        worker->ged, &after, &worker->triple.graph[0], &worker->child);
    uint64_t gain = after < before ? before - after : 0;

    sums->count[operator_number][way]++;
    sums->gain[operator_number][way] += gain;
    sums->squares[operator_number][way] += gain * gain;
    return err;
}

static enum sepx_err
try_mutation(struct worker *worker, const struct crew *crew, int number,
             struct sepx_rng *rng)
{
    uint32_t before = crew->plan->at.d_opt;
    enum sepx_err err =
        sepx_space_mutate(crew->plan->space, &worker->child,
                          &worker->triple.graph[1], &crew->rules[number], rng);

    for (int way = 0; way < WAYS && !err; way++)
        err = note(worker, number, way, before);
    return err;
}

static enum sepx_err
try_crossover(struct worker *worker, const struct crew *crew, int number,
              struct sepx_rng *rng)
{
    const struct sepx_graph *parent = &worker->triple.graph[1];
    struct sepx_cross *cross = worker->cross[number];
    uint32_t before = crew->plan->at.d_opt;
    bool accepted = false;
    enum sepx_err err = sepx_cross_draw(cross, &worker->child, &parent[0],
                                        &parent[1], rng, NULL);

    if (!err)
        err = note(worker, number, ALONE, before);
    if (!err)
        err = sepx_cross_run(cross, &worker->child, &accepted, &parent[0],
                             &parent[1], rng, NULL, NULL);
    if (!err && accepted)
        err = note(worker, number, APPLIED, before);
    return err;
}

static enum sepx_err
job(void *context, unsigned thread, size_t index)
{
    struct crew *crew = context;
    const struct sepx_measure_plan *plan = crew->plan;
    struct worker *worker = &crew->worker[thread];
    struct sepx_rng rng;
    enum sepx_err err = worker_init(worker, crew);

    sepx_rng_init(&rng, plan->seed, 0, (uint32_t)index, OPERATORS);
    if (!err)
        err = sepx__triple_draw(&worker->triple, worker->ged, plan, crew->live,
                                &rng);
    for (int i = 0; i < 3 && !err; i++)
        worker->sums.edges[i] += worker->triple.graph[i].n_edges;
    for (int i = 0; i < OPERATORS && !err; i++) {
        sepx_rng_init(&rng, plan->seed, 0, (uint32_t)index, (uint32_t)i);
        err = operators[i].crosses ? try_crossover(worker, crew, i, &rng)
                                   : try_mutation(worker, crew, i, &rng);
    }
    return err;
}

/* ---- all of them ---- */

static void
sums_add(struct sums *sum, const struct sums *more)
{
    for (int i = 0; i < OPERATORS; i++) {
        for (int way = 0; way < WAYS; way++) {
            sum->count[i][way] += more->count[i][way];
            sum->gain[i][way] += more->gain[i][way];
            sum->squares[i][way] += more->squares[i][way];
        }
    }
    for (int i = 0; i < 3; i++)
        sum->edges[i] += more->edges[i];
}

static void
estimate(struct sepx_estimate *out, uint64_t count, uint64_t gain,
         uint64_t squares)
{
    double n = (double)count;

    *out = (struct sepx_estimate){.trials = count};
    if (count)
        out->mean = (double)gain / n;
    if (count > 1)
        out->se = sqrt(fmax((double)squares - out->mean * (double)gain, 0) /
                       (n - 1) / n);
}

static void
conclude(struct sepx_measured *out, const struct sums *sums, uint64_t samples)
{
    *out = (struct sepx_measured){0};
    for (int i = 0; i < OPERATORS; i++) {
        estimate(&out->alone[operators[i].bound], sums->count[i][ALONE],
                 sums->gain[i][ALONE], sums->squares[i][ALONE]);
        estimate(&out->applied[operators[i].bound], sums->count[i][APPLIED],
                 sums->gain[i][APPLIED], sums->squares[i][APPLIED]);
    }
    for (int i = 0; i < 3; i++)
        out->edges[i] = (double)sums->edges[i] / (double)samples;
}

static enum sepx_err
measure(struct sepx_measured *out, struct crew *crew)
{
    const struct sepx_measure_plan *plan = crew->plan;
    unsigned threads = plan->threads ? plan->threads : sepx_processors();
    struct sums sums = {0};
    enum sepx_err err;

    if (threads > plan->samples)
        threads = (unsigned)plan->samples;
    crew->worker = sepx__calloc(threads, sizeof *crew->worker);
    if (!crew->worker)
        return SEPX_ENOMEM;
    err = sepx_parallel(threads, plan->samples, job, crew);
    for (unsigned i = 0; i < threads; i++) {
        sums_add(&sums, &crew->worker[i].sums);
        worker_release(&crew->worker[i]);
    }
    sepx__free(crew->worker);
    if (!err)
        conclude(out, &sums, plan->samples);
    return err;
}

static enum sepx_err
check(const struct sepx_measure_plan *plan, struct sepx_msg *msg)
{
    enum sepx_err err = sepx_theory_check(&plan->at, msg);

    if (err)
        return err;
    if (plan->at.n > SEPX__TRIPLE_NODES)
        return sepx_fail(msg, SEPX_ELIMIT,
                         "%u nodes; graphs to measure have at most %d",
                         plan->at.n, SEPX__TRIPLE_NODES);
    if (plan->samples < 2 || plan->samples > SAMPLES_MAX)
        return sepx_fail(msg, SEPX_EINVAL, "%llu samples; take 2 to %d",
                         (unsigned long long)plan->samples, SAMPLES_MAX);
    if ((unsigned)plan->parents >= SEPX_PARENTS_END)
        return sepx_fail(msg, SEPX_EINVAL, "no such parents: %d",
                         (int)plan->parents);
    return SEPX_OK;
}

enum sepx_parents
sepx_parents_find(const char *name)
{
#define X(id, text, about) text,
    static const char *const names[] = {SEPX_PARENTS(X)};
#undef X
    unsigned i = 0;

    while (i < SEPX_PARENTS_END && strcmp(name, names[i]) != 0)
        i++;
    return i;
}

enum sepx_err
sepx_theory_measure(struct sepx_measured *out,
                    const struct sepx_measure_plan *plan, struct sepx_msg *msg)
{
    const char *space = sepx_space_info(plan->space)->name;
    const char *preset = plan->rules ? plan->rules : "default";
    const struct sepx_theory *at = &plan->at;
    struct crew crew = {.plan = plan};
    enum sepx_err err = check(plan, msg);

    for (int i = 0; i < OPERATORS && !err; i++)
        err = sepx_rules_preset(&crew.rules[i], preset, space,
                                operators[i].name, msg);
    if (err)
        return err;
    crew.live = crew.rules[0].dangling == SEPX_DANGLING_REJECT ||
                crew.rules[0].dangling == SEPX_DANGLING_AVOID;
    err = measure(out, &crew);
    if (err == SEPX_ENOTFOUND)
        sepx_fail(msg, err,
                  "found no graphs of %s with %u nodes, about %u, %u and %u "
                  "edges, and distances %u and %u; try others",
                  space, at->n, at->edges[0], at->edges[1], at->edges[2],
                  at->d_opt, at->d_12);
    return err;
}
