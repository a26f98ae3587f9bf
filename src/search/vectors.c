/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors that a search met, each once, and every result of them. */
#include <math.h>
#include <string.h>

#include "search/smac.h"

/* ---- finding ---- */

static uint32_t
slot_of(const struct sepx__vectors *vectors, const uint16_t *value)
{
    size_t size = vectors->variables * sizeof *value;
    uint32_t at = (uint32_t)sepx__hash(value, size).low & (vectors->slots - 1);

    while (vectors->slot[at] &&
           memcmp(vectors->value +
                      (size_t)(vectors->slot[at] - 1) * vectors->variables,
                  value, size) != 0)
        at = (at + 1) & (vectors->slots - 1);
    return at;
}

/* At most half of the slots are taken. */
static enum sepx_err
widen(struct sepx__vectors *vectors)
{
    uint32_t slots = vectors->slots ? 2 * vectors->slots : 64;
    uint32_t *slot;

    if (2 * (vectors->count + 1) <= vectors->slots)
        return SEPX_OK;
    slot = sepx__calloc(slots, sizeof *slot);
    if (!slot)
        return SEPX_ENOMEM;
    sepx__free(vectors->slot);
    vectors->slot = slot;
    vectors->slots = slots;
    for (uint32_t i = 0; i < vectors->count; i++)
        slot[slot_of(vectors,
                     vectors->value + (size_t)i * vectors->variables)] = i + 1;
    return SEPX_OK;
}

enum sepx_err
sepx__vectors_find(struct sepx__vectors *vectors, uint32_t *entry, bool *fresh,
                   const uint16_t *value)
{
    void *values = vectors->value, *entries = vectors->entry;
    size_t need = (size_t)vectors->count + 1;
    uint32_t at;
    enum sepx_err err = widen(vectors);

    if (!err)
        err = sepx__grow(&values, &vectors->value_room,
                         need * vectors->variables, sizeof *vectors->value);
    vectors->value = values;
    if (!err)
        err = sepx__grow(&entries, &vectors->entry_room, need,
                         sizeof *vectors->entry);
    vectors->entry = entries;
    if (err)
        return err;
    at = slot_of(vectors, value);
    *fresh = !vectors->slot[at];
    if (*fresh) {
        memcpy(vectors->value + (size_t)vectors->count * vectors->variables,
               value, vectors->variables * sizeof *value);
        vectors->entry[vectors->count] = (struct sepx__entry){.trial = -1};
        vectors->slot[at] = ++vectors->count;
    }
    *entry = vectors->slot[at] - 1;
    return SEPX_OK;
}

/* ---- results ---- */

enum sepx_err
sepx__vectors_tell(struct sepx__vectors *vectors, uint32_t entry, double cost)
{
    struct sepx__entry *told = &vectors->entry[entry];
    void *which = vectors->which, *y = vectors->y, *costs = vectors->cost;
    size_t need = (size_t)vectors->results + 1;
    enum sepx_err err =
        sepx__grow(&which, &vectors->which_room, need, sizeof *vectors->which);

    vectors->which = which;
    if (!err)
        err = sepx__grow(&y, &vectors->y_room, need, sizeof *vectors->y);
    vectors->y = y;
    if (!err)
        err = sepx__grow(&costs, &vectors->cost_room, need,
                         sizeof *vectors->cost);
    vectors->cost = costs;
    if (err)
        return err;
    cost = isnan(cost) ? INFINITY : cost;
    if (told->told < SEPX__REPEATS_MAX)
        told->cost[told->told++] = cost;
    vectors->which[vectors->results] = entry;
    vectors->cost[vectors->results++] = cost;
    vectors->worst = fmax(vectors->worst, 1);
    if (cost < INFINITY)
        vectors->worst = fmax(vectors->worst, cost);
    return SEPX_OK;
}

void
sepx__vectors_fill(struct sepx__vectors *vectors)
{
    for (uint32_t i = 0; i < vectors->results; i++)
        vectors->y[i] = fmin(vectors->cost[i], vectors->worst);
}

double
sepx__vectors_mean(const struct sepx__vectors *vectors, uint32_t entry,
                   uint32_t runs)
{
    double sum = 0;

    for (uint32_t i = 0; i < runs; i++)
        sum += vectors->entry[entry].cost[i];
    return sum / runs;
}

void
sepx__vectors_release(struct sepx__vectors *vectors)
{
    sepx__free(vectors->value);
    sepx__free(vectors->entry);
    sepx__free(vectors->slot);
    sepx__free(vectors->which);
    sepx__free(vectors->y);
    sepx__free(vectors->cost);
    *vectors = (struct sepx__vectors){0};
}
