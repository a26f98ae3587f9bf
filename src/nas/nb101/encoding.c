/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Crossover of path encodings, for NAS-Bench-101 alone: the child has the
 * paths that both parents have, and each that only one has by a coin. A set
 * of paths that no cell has is an invalid draw; one that several cells have
 * is read as any of them, uniformly.
 *
 * Only live nodes are on paths, so a child is a duplicate if it is the cell
 * of a parent, whatever dead nodes that has besides.
 */
#include "nas/nb101/encoding.h"

#include <string.h>

#include "vary/internal.h"

static enum sepx_err
encoding_prepare(struct sepx_cross *cross, struct sepx_msg *msg)
{
    struct sepx__path_table *table = NULL;
    const char *name = sepx_space_info(cross->space)->name;
    enum sepx_err err;

    if (strcmp(name, "nb101") != 0)
        return sepx_fail(msg, SEPX_EUNSUPPORTED,
                         "path crossover knows the cells of space nb101, not "
                         "the graphs of %s",
                         name);
    err = sepx__path_table_new(&table);
    cross->shared = table;
    return err;
}

static void
encoding_release(void *shared)
{
    sepx__path_table_free(shared);
}

static void
mix(struct sepx__path_set *child, const struct sepx__path_set *a,
    const struct sepx__path_set *b, struct sepx_rng *rng)
{
    size_t words = sizeof child->bits / sizeof child->bits[0];

    for (size_t i = 0; i < words; i++)
        child->bits[i] = (a->bits[i] & b->bits[i]) |
                         ((a->bits[i] ^ b->bits[i]) & sepx_rng_u64(rng));
}

static enum sepx_err
encoding_draw(struct sepx_cross *cross, struct sepx_graph *child,
              enum sepx_verdict *verdict, const struct sepx_graph *a,
              const struct sepx_graph *b, struct sepx_rng *rng)
{
    struct sepx_nb101_cell parent[2], cell;
    struct sepx__path_set set[2], mixed;
    uint32_t count, first, code;
    enum sepx_err err = sepx_nb101_cell_of(&parent[0], cross->space, a, NULL);

    if (!err)
        err = sepx_nb101_cell_of(&parent[1], cross->space, b, NULL);
    if (err)
        return err;
    sepx__path_set_of(&set[0], &parent[0]);
    sepx__path_set_of(&set[1], &parent[1]);
    mix(&mixed, &set[0], &set[1], rng);
    *verdict = SEPX_INVALID;
    count = sepx__path_table_count(cross->shared, &mixed, &first);
    if (!count)
        return SEPX_OK;
    sepx__path_table_get(cross->shared, &cell,
                         first + sepx_rng_below(rng, count));
    code = sepx_nb101_cell_code(&cell);
    *verdict = cross->rules.duplicates != SEPX_DUPLICATES_ALLOW &&
                       (code == sepx_nb101_cell_code(&parent[0]) ||
                        code == sepx_nb101_cell_code(&parent[1]))
                   ? SEPX_DUPLICATE
                   : SEPX_ACCEPTED;
    return sepx_nb101_cell_graph(&cell, child, cross->space);
}

const struct sepx__cross_ops sepx__cross_path = {
    .info = {"path", "path by path from input to output; nb101 alone"},
    .prepare = encoding_prepare,
    .release = encoding_release,
    .draw = encoding_draw,
};
