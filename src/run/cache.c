/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which trial was the first of its class: a hash table by the 128-bit key of
 * the canonical form, and by fidelity.
 */
#include "run/ledger.h"

#include <string.h>

struct sepx__cache_row {
    struct sepx_key key;
    double fidelity;
    uint32_t next; /* trial + 1; 0: empty */
};

void
sepx__cache_release(struct sepx__cache *cache)
{
    sepx__free(cache->row);
    *cache = (struct sepx__cache){0};
}

/* The row of a key, or the empty one where it belongs. */
static struct sepx__cache_row *
seek(const struct sepx__cache *cache, const struct sepx_key *key,
     double fidelity)
{
    size_t mask = cache->room - 1;
    size_t at = (size_t)key->low & mask;

    for (;; at = (at + 1) & mask) {
        struct sepx__cache_row *row = &cache->row[at];

        if (!row->next ||
            (row->key.high == key->high && row->key.low == key->low &&
             row->fidelity == fidelity))
            return row;
    }
}

static enum sepx_err
grow(struct sepx__cache *cache)
{
    struct sepx__cache old = *cache;

    cache->room = old.room ? 2 * old.room : 64;
    cache->row = sepx__calloc(cache->room, sizeof *cache->row);
    if (!cache->row) {
        *cache = old;
        return SEPX_ENOMEM;
    }
    for (size_t i = 0; i < old.room; i++) {
        const struct sepx__cache_row *row = &old.row[i];

        if (row->next)
            *seek(cache, &row->key, row->fidelity) = *row;
    }
    sepx__free(old.row);
    return SEPX_OK;
}

enum sepx_err
sepx__cache_find(const struct sepx__cache *cache, uint32_t *first,
                 const struct sepx_graph *graph, double fidelity, uint32_t none)
{
    struct sepx_key key;
    const struct sepx__cache_row *row;
    enum sepx_err err = SEPX_OK;

    *first = none;
    if (cache->count)
        err = sepx_graph_canon(graph, NULL, &key);
    if (err || !cache->count)
        return err;
    row = seek(cache, &key, fidelity);
    if (row->next)
        *first = row->next - 1;
    return SEPX_OK;
}

enum sepx_err
sepx__cache_note(struct sepx__cache *cache, uint32_t *first,
                 const struct sepx_graph *graph, double fidelity,
                 uint32_t trial)
{
    struct sepx_key key;
    struct sepx__cache_row *row;
    enum sepx_err err = SEPX_OK;

    if (2 * (cache->count + 1) > cache->room)
        err = grow(cache);
    if (!err)
        err = sepx_graph_canon(graph, NULL, &key);
    if (err)
        return err;
    row = seek(cache, &key, fidelity);
    if (!row->next) {
        *row = (struct sepx__cache_row){key, fidelity, trial + 1};
        cache->count++;
    }
    *first = row->next - 1;
    return SEPX_OK;
}
