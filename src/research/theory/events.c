/* SPDX-License-Identifier: Apache-2.0 */
/* Where pairs of parents fall on the map of the bounds. */
#include <stdlib.h>
#include <string.h>

#include "base/internal.h"
#include "research/theory/internal.h"

#define POPULATION_MAX 2048

static const enum sepx_bound compared[] = {SEPX_BOUND_SEPX, SEPX_BOUND_STDX,
                                           SEPX_BOUND_MUTA};
enum { COMPARED = sizeof compared / sizeof *compared };

void
sepx_events_release(struct sepx_events *events)
{
    sepx__free(events->at);
    *events = (struct sepx_events){0};
}

/* ---- counting ---- */

static int
compare_numbers(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int
compare(const void *x, const void *y)
{
    const struct sepx_event *a = x, *b = y;
    int order = compare_numbers(a->d_opt, b->d_opt);

    if (!order)
        order = compare_numbers(a->d_12, b->d_12);
    if (!order)
        order = compare_numbers(a->n, b->n);
    for (int i = 0; i < 3 && !order; i++)
        order = compare_numbers(a->edges[i], b->edges[i]);
    return order;
}

/* Sorted, equal ones added up. */
static void
merge(struct sepx_events *events)
{
    size_t kept = 0;

    qsort(events->at, events->count, sizeof *events->at, compare);
    for (size_t i = 0; i < events->count; i++) {
        if (kept && !compare(&events->at[kept - 1], &events->at[i]))
            events->at[kept - 1].count += events->at[i].count;
        else
            events->at[kept++] = events->at[i];
    }
    events->count = kept;
}

/* The first event that is not below `event`. */
static size_t
place(const struct sepx_events *events, const struct sepx_event *event)
{
    size_t low = 0, high = events->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (compare(&events->at[middle], event) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

enum sepx_err
sepx_events_add(struct sepx_events *events, const struct sepx_event *event)
{
    size_t at = place(events, event);
    enum sepx_err err;

    if (at < events->count && !compare(&events->at[at], event)) {
        events->at[at].count += event->count;
        return SEPX_OK;
    }
    err = sepx__grow((void **)&events->at, &events->room, events->count + 1,
                     sizeof *events->at);
    if (err)
        return err;
    memmove(&events->at[at + 1], &events->at[at],
            (events->count - at) * sizeof *events->at);
    events->at[at] = *event;
    events->count++;
    return SEPX_OK;
}

/* ---- a pair ---- */

static uint32_t
largest(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t most = a > b ? a : b;

    return most > c ? most : c;
}

static struct sepx_event
event_of(const struct sepx_graph *optimum, const struct sepx_graph *a,
         const struct sepx_graph *b, uint32_t d_opt, uint32_t d_12)
{
    return (struct sepx_event){
        .n = largest(optimum->n_nodes, a->n_nodes, b->n_nodes),
        .edges = {optimum->n_edges, a->n_edges, b->n_edges},
        .d_opt = d_opt,
        .d_12 = d_12,
        .count = 1};
}

enum sepx_err
sepx_event_of_pair(struct sepx_event *event, struct sepx_ged *ged,
                   const struct sepx_graph *optimum,
                   const struct sepx_graph *first,
                   const struct sepx_graph *second)
{
    uint32_t d_opt = 0, d_12 = 0;
    enum sepx_err err = sepx_theory_distance(ged, &d_opt, optimum, first);

    if (!err)
        err = sepx_theory_distance(ged, &d_12, first, second);
    *event = event_of(optimum, first, second, d_opt, d_12);
    return err;
}

/* ---- a population ---- */

/* Nodes that one graph has more are no edges; see sepx_theory_distance(). */
static uint32_t
edges_of(const struct sepx_ged_bounds *bounds, const struct sepx_graph *a,
         const struct sepx_graph *b)
{
    uint32_t more = a->n_nodes > b->n_nodes ? a->n_nodes - b->n_nodes
                                            : b->n_nodes - a->n_nodes;

    return (uint32_t)bounds->upper - more;
}

/* Row i is merged at once, so that memory stays that of the answer. */
static enum sepx_err
add_row(struct sepx_events *events, const struct sepx_graph *graphs,
        size_t count, size_t i, const struct sepx_graph *optimum,
        uint32_t d_opt, const struct sepx_ged_bounds *row)
{
    enum sepx_err err = sepx__grow((void **)&events->at, &events->room,
                                   events->count + count, sizeof *events->at);

    if (err)
        return err;
    for (size_t j = 0; j < count; j++) {
        if (i != j)
            events->at[events->count++] =
                event_of(optimum, &graphs[i], &graphs[j], d_opt,
                         edges_of(&row[j], &graphs[i], &graphs[j]));
    }
    merge(events);
    return SEPX_OK;
}

static enum sepx_err
count_pairs(struct sepx_events *events, const struct sepx_graph *graphs,
            size_t count, const struct sepx_graph *optimum, unsigned threads)
{
    struct sepx_ged_options options = {.ignore_labels = true};
    struct sepx_ged_bounds *to = sepx__calloc(count, sizeof *to);
    struct sepx_ged_bounds *between =
        sepx__calloc(count * count, sizeof *between);
    enum sepx_err err = to && between ? SEPX_OK : SEPX_ENOMEM;

    if (!err)
        err = sepx_ged_one_to_many(&options, to, optimum, graphs, count, NULL,
                                   threads);
    if (!err)
        err = sepx_ged_matrix(&options, between, graphs, count, NULL, threads,
                              NULL, NULL);
    for (size_t i = 0; i < count && !err; i++)
        err =
            add_row(events, graphs, count, i, optimum,
                    edges_of(&to[i], optimum, &graphs[i]), &between[i * count]);
    sepx__free(between);
    sepx__free(to);
    if (err)
        sepx_events_release(events);
    return err;
}

enum sepx_err
sepx_events_of_population(struct sepx_events *events,
                          const struct sepx_graph *graphs, size_t count,
                          const struct sepx_graph *optimum, unsigned threads,
                          struct sepx_msg *msg)
{
    if (count < 2)
        return sepx_fail(msg, SEPX_EINVAL,
                         "a population needs two graphs or more; got %zu",
                         count);
    if (count > POPULATION_MAX)
        return sepx_fail(msg, SEPX_ELIMIT, "%zu graphs; take at most %d", count,
                         POPULATION_MAX);
    return count_pairs(events, graphs, count, optimum, threads);
}

/* ---- the verdict ---- */

static void
note(struct sepx_assessment *out, const struct sepx_event *event,
     const double *bound)
{
    enum sepx_bound best = SEPX_BOUND_NONE;
    unsigned ties = 0;

    for (int i = 0; i < COMPARED; i++) {
        out->mean[compared[i]] += (double)event->count * bound[compared[i]];
        if (bound[compared[i]] > bound[best])
            best = compared[i];
    }
    for (int i = 0; i < COMPARED; i++)
        ties += bound[compared[i]] == bound[best];
    if (best && ties == 1)
        out->largest[best] += event->count;
    out->pairs += event->count;
    out->solved += event->d_opt ? 0 : event->count;
    out->equal += event->d_opt && !event->d_12 ? event->count : 0;
    if (bound[SEPX_BOUND_SEPX] > bound[SEPX_BOUND_MUTA])
        out->ahead += event->count;
}

enum sepx_err
sepx_events_assess(struct sepx_assessment *out,
                   const struct sepx_events *events,
                   const struct sepx_theory *at, struct sepx_msg *msg)
{
    *out = (struct sepx_assessment){0};
    for (size_t i = 0; i < events->count; i++) {
        const struct sepx_event *event = &events->at[i];
        struct sepx_theory here = *at;
        double bound[SEPX_BOUND_END] = {0};

        here.n = event->n;
        here.d_opt = event->d_opt;
        here.d_12 = event->d_12;
        here.b = 0;
        memcpy(here.edges, event->edges, sizeof here.edges);
        for (int k = 0; k < COMPARED; k++) {
            enum sepx_err err =
                sepx_theory_exact(&bound[compared[k]], &here, compared[k], msg);
            if (err)
                return err;
        }
        note(out, event, bound);
    }
    for (int k = 0; k < COMPARED && out->pairs; k++)
        out->mean[compared[k]] /= (double)out->pairs;
    return SEPX_OK;
}
