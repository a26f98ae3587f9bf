/* SPDX-License-Identifier: Apache-2.0 */
/* A hash table of graphs by the key of what is alive in them. */
#include "search/history.h"

#include <math.h>

void
sepx__history_release(struct sepx__history *history)
{
    sepx__free(history->graph);
    sepx__free(history->slot);
    sepx__free(history->of);
    sepx_graph_release(&history->pruned);
    *history = (struct sepx__history){0};
}

/* ---- finding ---- */

static bool
same(const struct sepx_key *a, const struct sepx_key *b)
{
    return a->high == b->high && a->low == b->low;
}

/* Where the key is, or where it belongs. */
static uint32_t
slot_of(const struct sepx__history *history, const struct sepx_key *key)
{
    uint32_t mask = history->slots - 1, at = (uint32_t)key->low & mask;

    while (history->slot[at] &&
           !same(&history->graph[history->slot[at] - 1].key, key))
        at = (at + 1) & mask;
    return at;
}

/* At most half of the slots are taken. */
static enum sepx_err
widen(struct sepx__history *history)
{
    uint32_t slots = history->slots ? 2 * history->slots : 64;
    uint32_t *slot;

    if (2 * (history->count + 1) <= history->slots)
        return SEPX_OK;
    slot = sepx__calloc(slots, sizeof *slot);
    if (!slot)
        return SEPX_ENOMEM;
    sepx__free(history->slot);
    history->slot = slot;
    history->slots = slots;
    for (uint32_t i = 0; i < history->count; i++)
        slot[slot_of(history, &history->graph[i].key)] = i + 1;
    return SEPX_OK;
}

/* A graph that is all dead stands for itself. */
static enum sepx_err
make_key(struct sepx__history *history, const struct sepx_graph *graph)
{
    enum sepx_err err;

    if (history->whole)
        return sepx_graph_canon(graph, NULL, &history->last);
    history->pruned.names = graph->names;
    err = sepx_space_prune(history->space, &history->pruned, graph);
    if (err)
        return err;
    return sepx_graph_canon(history->pruned.n_nodes ? &history->pruned : graph,
                            NULL, &history->last);
}

enum sepx_err
sepx__history_find(struct sepx__history *history, uint32_t *number,
                   const struct sepx_graph *graph)
{
    enum sepx_err err = make_key(history, graph);

    *number = SEPX__UNKNOWN;
    if (!err && history->slots)
        *number = history->slot[slot_of(history, &history->last)] - 1;
    return err;
}

/* ---- proposals and scores ---- */

enum sepx_err
sepx__history_ask(struct sepx__history *history, uint32_t trial,
                  const struct sepx_graph *graph)
{
    uint32_t at;
    enum sepx_err err = make_key(history, graph);

    if (!err)
        err = widen(history);
    if (!err)
        err = sepx__grow((void **)&history->graph, &history->graph_room,
                         (size_t)history->count + 1, sizeof *history->graph);
    if (!err)
        err = sepx__grow((void **)&history->of, &history->of_room,
                         (size_t)trial + 1, sizeof *history->of);
    if (err)
        return err;
    at = slot_of(history, &history->last);
    if (!history->slot[at]) {
        history->graph[history->count] =
            (struct sepx__known_graph){.key = history->last, .trial = trial};
        history->slot[at] = ++history->count;
    }
    history->of[trial] = history->slot[at] - 1;
    history->graph[history->of[trial]].asked++;
    history->trials = trial + 1;
    return SEPX_OK;
}

void
sepx__history_tell(struct sepx__history *history, uint32_t trial,
                   double fidelity, double score)
{
    struct sepx__known_graph *graph;

    if (trial >= history->trials || isnan(score))
        return;
    graph = &history->graph[history->of[trial]];
    graph->told++;
    if (fidelity < graph->fidelity)
        return;
    if (fidelity > graph->fidelity) {
        graph->fidelity = fidelity;
        graph->mean = 0;
        graph->count = 0;
    }
    /* So that equal scores have exactly that mean. */
    graph->count++;
    graph->mean += (score - graph->mean) / graph->count;
}

double
sepx__history_mean(const struct sepx__history *history, uint32_t number)
{
    const struct sepx__known_graph *graph = &history->graph[number];

    return graph->count ? graph->mean : NAN;
}
