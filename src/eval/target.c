/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The noise-free problems: the score is the exact edit distance to a target
 * graph, of the graph as it is or without its dead nodes. Of whole networks,
 * which have more nodes than any graph of a benchmark, it is what the best
 * path found within a budget costs.
 *
 * For one and the same search the two differ: a dead node of the graph can be
 * matched to a node of the target that the live part lacks. So methods are
 * compared by one of them, never by both.
 */
#include <string.h>

#include "eval/internal.h"
#include "sepx/ged.h"
#include "space/internal.h"

/* Graphs above EXACT_NODES nodes get so many nodes of the search tree. */
enum { EXACT_NODES = 40, TREE_NODES = 2000 };

struct target {
    const struct sepx_space *space;
    struct sepx_ged_options options;
    struct sepx_costs costs; /* where the space has its own */
    struct sepx_graph plain;
    struct sepx_ged *ged; /* has prepared `ready` */
    struct sepx_ged_graph *ready;
};

struct worker {
    const struct target *target;
    struct sepx_ged *ged;
    struct sepx_graph pruned, plain;
};

/*
 * A graph that the space cannot equal is a mistake: its distance is never 0.
 * `known`: labels that the space had before the target was read.
 */
static enum sepx_err
check_target(const struct sepx_space *space, const struct sepx_graph *graph,
             const struct sepx_graph *plain, size_t known, const char *argument,
             struct sepx_msg *msg)
{
    const char *name = sepx_space_info(space)->name;
    struct sepx_msg why = {0};
    bool good = sepx__space_near(space, graph, &why);

    for (uint32_t i = 0; i < plain->n_edges && good; i++) {
        uint16_t label = plain->edge[i].label;

        good = label < known;
        if (!good)
            sepx_fail(&why, SEPX_EDATA, "edge %u: %s has no edge label '%s'", i,
                      name, sepx_names_text(graph->names, label));
    }
    if (good)
        return SEPX_OK;
    return sepx_fail(msg, SEPX_EDATA,
                     "%s: no graph of %s can equal this target: %.200s; "
                     "change the target or the space",
                     argument, name, why.text);
}

/* A name of the space, or else a file. */
static enum sepx_err
read_target(struct sepx_graph *graph, const struct sepx_space *space,
            const char *argument, struct sepx_msg *msg)
{
    bool file = strpbrk(argument, "./") || !strcmp(argument, "-");

    if (!*argument)
        return sepx_fail(msg, SEPX_EINVAL,
                         "a target is missing; write target:NAME or "
                         "target:FILE.json");
    graph->names = sepx_space_names(space);
    if (!file)
        return sepx_space_target(space, graph, argument, msg);
    return sepx_graph_read_file(graph, graph->names, argument, msg);
}

static enum sepx_err
target_open(void *state, const struct sepx_space *space, const char *argument,
            struct sepx_msg *msg)
{
    struct target *target = state;
    struct sepx_graph graph = {0};
    size_t known = sepx_names_count(sepx_space_names(space));
    enum sepx_err err;

    target->space = space;
    target->options.pinned =
        sepx_space_pinned(space, &target->options.n_pinned);
    target->costs = (struct sepx_costs){SEPX_UNIT_COSTS};
    target->costs.node_fields =
        sepx_space_fields(space, &target->costs.n_node_fields);
    target->costs.names = sepx_space_names(space);
    target->options.costs = target->costs.n_node_fields ? &target->costs : NULL;
    err = read_target(&graph, space, argument, msg);
    if (!err)
        err = sepx_space_plain(space, &target->plain, &graph);
    if (!err || err == SEPX_ELIMIT)
        err = check_target(space, &graph, &target->plain, known, argument, msg);
    if (!err)
        err = sepx_ged_new(&target->ged, &target->options);
    if (!err)
        err = sepx_ged_prepare(target->ged, &target->ready, &target->plain);
    sepx_graph_release(&graph);
    return err;
}

static void
target_close(void *state)
{
    struct target *target = state;

    sepx_ged_graph_free(target->ready);
    sepx_ged_free(target->ged);
    sepx_graph_release(&target->plain);
}

static double
target_optimum(const void *state)
{
    (void)state;
    return 0;
}

static const struct sepx_graph *
target_graph(const void *state)
{
    const struct target *target = state;

    return &target->plain;
}

static enum sepx_err
worker_start(void *state, const void *shared, struct sepx_msg *msg)
{
    struct worker *worker = state;

    (void)msg;
    worker->target = shared;
    return sepx_ged_new(&worker->ged, &worker->target->options);
}

static void
worker_stop(void *state)
{
    struct worker *worker = state;

    sepx_graph_release(&worker->plain);
    sepx_graph_release(&worker->pruned);
    sepx_ged_free(worker->ged);
}

static bool
keep_going(void *context, double lower, double upper)
{
    const struct sepx_eval_job *job = context;

    (void)lower;
    (void)upper;
    return !job->stop || !job->stop(job->context);
}

static enum sepx_err
measure(struct worker *worker, struct sepx_score *score,
        const struct sepx_graph *graph, const struct sepx_eval_job *job)
{
    const struct target *target = worker->target;
    struct sepx_ged_limits limits = {.watch = keep_going,
                                     .context = (void *)(uintptr_t)job};
    struct sepx_ged_graph *ready = NULL;
    struct sepx_ged_result result = {0};
    enum sepx_err err;

    err = sepx_space_plain(target->space, &worker->plain, graph);
    if (!err)
        err = sepx_ged_prepare(worker->ged, &ready, &worker->plain);
    if (worker->plain.n_nodes > EXACT_NODES ||
        target->plain.n_nodes > EXACT_NODES)
        limits.nodes = TREE_NODES;
    if (!err)
        err = sepx_ged_run(worker->ged, &result, ready, target->ready, &limits);
    sepx_ged_graph_free(ready);
    score->value = score->test = result.upper;
    score->cost = 1;
    if (result.stopped)
        score->outcome = SEPX_CANCELLED;
    return err;
}

static enum sepx_err
target_score(void *state, struct sepx_score *score,
             const struct sepx_eval_job *job)
{
    return measure(state, score, job->graph, job);
}

static enum sepx_err
pruned_score(void *state, struct sepx_score *score,
             const struct sepx_eval_job *job)
{
    struct worker *worker = state;
    enum sepx_err err =
        sepx_space_prune(worker->target->space, &worker->pruned, job->graph);

    return err ? err : measure(worker, score, &worker->pruned, job);
}

const struct sepx__eval_ops sepx__eval_target = {
    .info = {"target", "exact edit distance to a target graph",
             "NAME or FILE.json"},
    .state_size = sizeof(struct target),
    .open = target_open,
    .close = target_close,
    .optimum = target_optimum,
    .exact = sepx__eval_always,
    .sees_dead = true,
    .target = target_graph,
    .worker_size = sizeof(struct worker),
    .start = worker_start,
    .stop = worker_stop,
    .score = target_score,
};

const struct sepx__eval_ops sepx__eval_target_pruned = {
    .info = {"target-pruned", "the same of the graph without its dead nodes",
             "NAME or FILE.json"},
    .state_size = sizeof(struct target),
    .open = target_open,
    .close = target_close,
    .optimum = target_optimum,
    .exact = sepx__eval_always,
    .target = target_graph,
    .worker_size = sizeof(struct worker),
    .start = worker_start,
    .stop = worker_stop,
    .score = pruned_score,
};
