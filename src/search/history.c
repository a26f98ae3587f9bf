/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors that a search met, each once, and every result of them. */
#include <math.h>
#include <string.h>

#include "search/smac.h"

/* ---- finding ---- */

static uint32_t
slot_of(const struct sepx__history *history, const uint16_t *value)
{
    size_t size = history->variables * sizeof *value;
    uint32_t at = (uint32_t)sepx__hash(value, size).low & (history->slots - 1);

    while (history->slot[at] &&
           memcmp(history->value +
                      (size_t)(history->slot[at] - 1) * history->variables,
                  value, size) != 0)
        at = (at + 1) & (history->slots - 1);
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
        slot[slot_of(history,
                     history->value + (size_t)i * history->variables)] = i + 1;
    return SEPX_OK;
}

enum sepx_err
sepx__history_find(struct sepx__history *history, uint32_t *entry, bool *fresh,
                   const uint16_t *value)
{
    void *values = history->value, *entries = history->entry;
    size_t need = (size_t)history->count + 1;
    uint32_t at;
    enum sepx_err err = widen(history);

    if (!err)
        err = sepx__grow(&values, &history->value_room,
                         need * history->variables, sizeof *history->value);
    history->value = values;
    if (!err)
        err = sepx__grow(&entries, &history->entry_room, need,
                         sizeof *history->entry);
    history->entry = entries;
    if (err)
        return err;
    at = slot_of(history, value);
    *fresh = !history->slot[at];
    if (*fresh) {
        memcpy(history->value + (size_t)history->count * history->variables,
               value, history->variables * sizeof *value);
        history->entry[history->count] = (struct sepx__entry){.trial = -1};
        history->slot[at] = ++history->count;
    }
    *entry = history->slot[at] - 1;
    return SEPX_OK;
}

/* ---- results ---- */

enum sepx_err
sepx__history_tell(struct sepx__history *history, uint32_t entry, double cost)
{
    struct sepx__entry *told = &history->entry[entry];
    void *which = history->which, *y = history->y, *costs = history->cost;
    size_t need = (size_t)history->results + 1;
    enum sepx_err err =
        sepx__grow(&which, &history->which_room, need, sizeof *history->which);

    history->which = which;
    if (!err)
        err = sepx__grow(&y, &history->y_room, need, sizeof *history->y);
    history->y = y;
    if (!err)
        err = sepx__grow(&costs, &history->cost_room, need,
                         sizeof *history->cost);
    history->cost = costs;
    if (err)
        return err;
    cost = isnan(cost) ? INFINITY : cost;
    if (told->told < SEPX__REPEATS_MAX)
        told->cost[told->told++] = cost;
    history->which[history->results] = entry;
    history->cost[history->results++] = cost;
    history->worst = fmax(history->worst, 1);
    if (cost < INFINITY)
        history->worst = fmax(history->worst, cost);
    return SEPX_OK;
}

void
sepx__history_fill(struct sepx__history *history)
{
    for (uint32_t i = 0; i < history->results; i++)
        history->y[i] = fmin(history->cost[i], history->worst);
}

double
sepx__history_mean(const struct sepx__history *history, uint32_t entry,
                   uint32_t runs)
{
    double sum = 0;

    for (uint32_t i = 0; i < runs; i++)
        sum += history->entry[entry].cost[i];
    return sum / runs;
}

void
sepx__history_release(struct sepx__history *history)
{
    sepx__free(history->value);
    sepx__free(history->entry);
    sepx__free(history->slot);
    sepx__free(history->which);
    sepx__free(history->y);
    sepx__free(history->cost);
    *history = (struct sepx__history){0};
}
