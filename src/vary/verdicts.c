/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether the edits of a path are taken by hunks. A path is looked at if it is
 * long and the space is that of a file: then hunks are better if fewer than
 * half of some halves of single edits are valid as they are, without pruning
 * or repair.
 *
 * The halves are drawn from a stream of the parents and their alignment, not
 * from that of the crossover. So the verdict is a function of these, and
 * remembering it changes nothing: neither how often the same parents came
 * before nor the thread that they came to.
 */
#include <string.h>

#include "vary/internal.h"

enum { SHORT = 8, PROBES = 16, PURPOSE = 0x68756e6b };

static void
fold(struct sepx__hash *key, uint64_t x)
{
    key->low = sepx__mix(key->low ^ x);
    key->high = sepx__mix(key->high + x) ^ key->low;
}

/* By text: what numbers labels have depends on what was read before. */
static void
fold_label(struct sepx__hash *key, const struct sepx_graph *graph,
           uint16_t label)
{
    const char *text = sepx_names_text(graph->names, label);

    fold(key, sepx__hash(text, strlen(text)).low);
}

static void
fold_graph(struct sepx__hash *key, const struct sepx_graph *graph)
{
    fold(key, (uint64_t)graph->n_nodes << 32 | graph->n_edges);
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        fold_label(key, graph, graph->label[i]);
    for (uint32_t i = 0; i < graph->n_edges; i++) {
        const struct sepx_edge *edge = &graph->edge[i];

        fold(key, (uint64_t)edge->from << 16 | edge->to);
        if (edge->label)
            fold_label(key, graph, edge->label);
    }
}

static struct sepx__hash
key_of(const struct sepx_cross *cross, const struct sepx__parents *p)
{
    struct sepx__hash key = {0};

    fold_graph(&key, p->a);
    fold_graph(&key, p->b);
    for (uint32_t i = 0; i < p->a->n_nodes; i++)
        fold(&key, (uint16_t)cross->map[i]);
    return key;
}

static SEPX_CHECKED enum sepx_err
probe(struct sepx_cross *cross, bool *wanted, const struct sepx__parents *p,
      const struct sepx__hash *key)
{
    struct sepx_rng rng;
    uint32_t valid = 0;
    enum sepx_err err = SEPX_OK;

    sepx_rng_init(&rng, key->low, (uint32_t)key->high,
                  (uint32_t)(key->high >> 32), PURPOSE);
    for (int i = 0; i < PROBES && !err; i++) {
        bool good = false;

        cross->ops->take(cross, &rng);
        err = sepx__cross_check(cross, &good, p);
        valid += good ? 1 : 0;
    }
    *wanted = 2 * valid < PROBES;
    return err;
}

enum sepx_err
sepx__hunks_wanted(struct sepx_cross *cross, bool *wanted,
                   const struct sepx__parents *p)
{
    struct sepx__hash key;
    struct sepx__verdict *known;
    enum sepx_err err;

    *wanted = cross->rules.by == SEPX_BY_HUNKS;
    if (cross->rules.by != SEPX_BY_AUTO || !cross->space->state ||
        cross->path.len < SHORT)
        return SEPX_OK;
    key = key_of(cross, p);
    known = &cross->verdict[key.low % SEPX__VERDICTS];
    if (known->set && known->key.low == key.low &&
        known->key.high == key.high) {
        *wanted = known->wanted;
        cross->verdicts_known++;
        return SEPX_OK;
    }
    err = probe(cross, wanted, p, &key);
    if (!err)
        *known = (struct sepx__verdict){key, true, *wanted};
    return err;
}
