/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Three graphs of a space at given distances, by drawing and rejecting.
 *
 * Changing k entries of the adjacency matrix moves a graph by k, k - 2, ...
 * edges, seldom less than k while k is small. So k starts at the distance
 * wanted and grows only after many failures.
 */
#include "base/internal.h"
#include "research/theory/internal.h"

#define PAIRS_MAX (SEPX__TRIPLE_NODES * (SEPX__TRIPLE_NODES - 1) / 2)
#define OPTIMA_MAX 64    /* optima that are tried */
#define DRAWS_MAX 20000  /* of one optimum */
#define CHANGES_MAX 1000 /* of one graph, in search of the next */
#define CHANGES_EACH 50  /* before k grows */

void
sepx__triple_release(struct sepx__triple *triple)
{
    for (int i = 0; i < 3; i++)
        sepx_graph_release(&triple->graph[i]);
    sepx_graph_release(&triple->spare);
}

enum sepx_err
sepx_theory_distance(struct sepx_ged *ged, uint32_t *distance,
                     const struct sepx_graph *a, const struct sepx_graph *b)
{
    struct sepx_ged_result result;
    enum sepx_err err = sepx_ged_between(ged, &result, a, b, NULL);
    uint32_t more = a->n_nodes > b->n_nodes ? a->n_nodes - b->n_nodes
                                            : b->n_nodes - a->n_nodes;

    /* Replacing is never dearer than deleting and inserting, so exactly the
     * surplus nodes are deleted or inserted, at a cost of 1 each. */
    if (!err)
        *distance = (uint32_t)result.upper - more;
    return err;
}

/* Where a triple is being drawn. */
struct draw {
    const struct sepx_measure_plan *plan;
    bool live;
    struct sepx_ged *ged;
    struct sepx_rng *rng;
    struct sepx__triple *triple;
};

static enum sepx_err
check(bool *good, const struct draw *draw, const struct sepx_graph *graph)
{
    const struct sepx_space *space = draw->plan->space;
    struct sepx_graph *pruned = &draw->triple->spare;
    enum sepx_err err = sepx_space_check(space, good, graph, NULL);

    if (err || !*good || !draw->live)
        return err;
    err = sepx_space_prune(space, pruned, graph);
    *good = !err && pruned->n_nodes == graph->n_nodes;
    return err;
}

/* ---- the optimum ---- */

static bool
is_pinned(const struct sepx_space *space, uint16_t label)
{
    size_t count;
    const uint16_t *pinned = sepx_space_pinned(space, &count);

    for (size_t i = 0; i < count; i++)
        if (pinned[i] == label)
            return true;
    return false;
}

/* The label of the first free node for all of them. */
static void
unify_labels(struct sepx_graph *graph, const struct sepx_space *space)
{
    int label = -1;

    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        if (is_pinned(space, graph->label[i]))
            continue;
        if (label < 0)
            label = graph->label[i];
        graph->label[i] = (uint16_t)label;
    }
}

static enum sepx_err
draw_optimum(const struct draw *draw)
{
    const struct sepx_measure_plan *plan = draw->plan;
    struct sepx_graph *graph = &draw->triple->graph[0];

    for (unsigned i = 0; i < DRAWS_MAX; i++) {
        bool good = false;
        enum sepx_err err = sepx_space_sample(plan->space, graph, draw->rng);

        if (err)
            return err;
        if (graph->n_nodes != plan->at.n || graph->n_edges != plan->at.edges[0])
            continue;
        if (!plan->labels)
            unify_labels(graph, plan->space);
        err = check(&good, draw, graph);
        if (err || good)
            return err;
    }
    return SEPX_ENOTFOUND;
}

/* ---- the parents ---- */

/* Pairs i < j of nodes. */
struct pairs {
    uint16_t from[PAIRS_MAX], to[PAIRS_MAX];
    uint32_t count;
};

/* Each pair goes where it belongs; without b, as if b had no edges. */
static void
split_pairs(struct pairs *same, struct pairs *other, const struct sepx_graph *a,
            const struct sepx_graph *b)
{
    same->count = other->count = 0;
    for (uint32_t i = 0; i < a->n_nodes; i++) {
        for (uint32_t j = i + 1; j < a->n_nodes; j++) {
            bool there = sepx_graph_find_edge(a, i, j);
            bool differ = there != (b && sepx_graph_find_edge(b, i, j));
            struct pairs *list = differ ? other : same;

            list->from[list->count] = (uint16_t)i;
            list->to[list->count++] = (uint16_t)j;
        }
    }
}

static enum sepx_err
toggle(struct sepx_graph *graph, uint16_t from, uint16_t to)
{
    if (!sepx_graph_find_edge(graph, from, to))
        return sepx_graph_add_edge(graph, from, to, 0);
    sepx_graph_remove_edge(graph, from, to);
    return SEPX_OK;
}

/* Toggle `count` of the pairs, or none if there are not so many. */
static enum sepx_err
toggle_some(struct sepx_graph *graph, const struct pairs *pairs, uint32_t count,
            struct sepx_rng *rng)
{
    uint32_t pick[PAIRS_MAX];
    enum sepx_err err = SEPX_OK;

    if (count > pairs->count)
        return SEPX_OK;
    sepx_rng_sample(rng, pick, count, pairs->count);
    for (uint32_t i = 0; i < count && !err; i++)
        err = toggle(graph, pairs->from[pick[i]], pairs->to[pick[i]]);
    return err;
}

/*
 * How many more edges the next graph has: the number wanted, moved to one
 * that a distance of d allows.
 */
static int32_t
choose_gain(int32_t gain, int32_t d, struct sepx_rng *rng)
{
    if ((gain - d) % 2)
        gain += sepx_rng_below(rng, 2) ? 1 : -1;
    if (gain > d)
        return d;
    return gain < -d ? -d : gain;
}

/* Change graph `number` - 1 anywhere into a graph of so many edges. */
static enum sepx_err
change_anywhere(const struct draw *draw, int number, uint32_t d, uint32_t more)
{
    struct sepx_graph *to = &draw->triple->graph[number];
    struct pairs without, with; /* an edge */
    int32_t wanted = (int32_t)draw->plan->at.edges[number];
    int32_t gain =
        choose_gain(wanted - (int32_t)to->n_edges, (int32_t)d, draw->rng);
    uint32_t less = (uint32_t)((int32_t)(d + more) - gain) / 2;
    enum sepx_err err;

    split_pairs(&without, &with, to, NULL);
    err = toggle_some(to, &with, less, draw->rng);
    return err ? err : toggle_some(to, &without, d + more - less, draw->rng);
}

/* The uniform distribution of differences that the paper assumes. */
static enum sepx_err
change_related(const struct draw *draw, uint32_t d)
{
    struct sepx_graph *graph = draw->triple->graph;
    struct pairs same, pool;
    uint32_t pick[PAIRS_MAX];
    struct sepx_rng *rng = draw->rng;

    split_pairs(&same, &pool, &graph[1], &graph[0]);
    if (d > same.count)
        return SEPX_OK;
    sepx_rng_sample(rng, pick, d, same.count);
    for (uint32_t i = 0; i < d; i++) {
        pool.from[pool.count] = same.from[pick[i]];
        pool.to[pool.count++] = same.to[pick[i]];
    }
    return toggle_some(&graph[2], &pool, d, rng);
}

/* Graph `number` becomes one of the space, `d` from the graph before it. */
static enum sepx_err
draw_parent(const struct draw *draw, int number, uint32_t d)
{
    bool related = draw->plan->parents == SEPX_PARENTS_RELATED;
    struct sepx_graph *to = &draw->triple->graph[number];

    for (uint32_t i = 0; i < CHANGES_MAX; i++) {
        /* Related parents need the optimal map to be the stored order. */
        uint32_t more = related ? 0 : 2 * (i / CHANGES_EACH), distance = 0;
        bool good = false;
        enum sepx_err err = sepx_graph_copy(to, to - 1);

        if (!err)
            err = related && number == 2
                      ? change_related(draw, d)
                      : change_anywhere(draw, number, d, more);
        if (!err)
            err = check(&good, draw, to);
        if (!err && good)
            err = sepx_theory_distance(draw->ged, &distance, to - 1, to);
        if (err || (good && distance == d))
            return err;
    }
    return SEPX_ENOTFOUND;
}

/* Nobody knows which order the second parent came in. */
static enum sepx_err
shuffle(const struct draw *draw)
{
    struct sepx_graph *graph = &draw->triple->graph[2];
    struct sepx_graph *copy = &draw->triple->spare;
    uint32_t order[SEPX__TRIPLE_NODES];
    bool acyclic, exact;
    enum sepx_err err = sepx_graph_topological_random(graph, order, &acyclic,
                                                      &exact, draw->rng);

    if (err || !acyclic)
        return err;
    err = sepx_graph_copy(copy, graph);
    return err ? err : sepx_graph_permute(graph, copy, order);
}

enum sepx_err
sepx__triple_draw(struct sepx__triple *triple, struct sepx_ged *ged,
                  const struct sepx_measure_plan *plan, bool live,
                  struct sepx_rng *rng)
{
    struct draw draw = {plan, live, ged, rng, triple};
    enum sepx_err err = SEPX_ENOTFOUND;

    for (unsigned i = 0; i < OPTIMA_MAX && err == SEPX_ENOTFOUND; i++) {
        err = draw_optimum(&draw);
        if (err)
            return err;
        err = draw_parent(&draw, 1, plan->at.d_opt);
        if (!err)
            err = draw_parent(&draw, 2, plan->at.d_12);
    }
    return err ? err : shuffle(&draw);
}
