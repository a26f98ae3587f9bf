/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The path encoding of C. White, W. Neiswanger and Y. Savani (BANANAS, AAAI
 * 2021) without a cut-off, and its inverse: a list of all cells, sorted by
 * their path sets. Some sets belong to several cells, most to none.
 */
#include "nas/nb101/encoding.h"

#include <stdlib.h>
#include <string.h>

struct row {
    uint64_t hash; /* of the path set */
    uint32_t cell;
};

struct sepx__path_table {
    struct sepx_nb101_cells *cells;
    struct row *row; /* by hash, then by cell */
    uint32_t count;
};

/* From `node` on, behind `sum`; `place` is 3^(nodes before). */
static void
walk(struct sepx__path_set *set, const struct sepx_nb101_cell *cell,
     unsigned node, unsigned sum, unsigned place)
{
    for (unsigned to = node + 1; to < SEPX_NB101_NODES; to++) {
        if (!(cell->edges >> sepx_nb101_bit(node, to) & 1))
            continue;
        if (to + 1u == cell->nodes)
            set->bits[sum / 64] |= UINT64_C(1) << sum % 64;
        else
            walk(set, cell, to, sum + place * (cell->op[to] + 1u), 3 * place);
    }
}

void
sepx__path_set_of(struct sepx__path_set *set,
                  const struct sepx_nb101_cell *cell)
{
    memset(set, 0, sizeof *set);
    walk(set, cell, 0, 0, 1);
}

static uint64_t
hash_of(const struct sepx__path_set *set)
{
    return sepx__hash(set, sizeof *set).low;
}

static int
by_hash(const void *x, const void *y)
{
    const struct row *a = x, *b = y;

    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    return a->cell < b->cell ? -1 : a->cell > b->cell;
}

static void
fill(struct sepx__path_table *table)
{
    for (uint32_t i = 0; i < table->count; i++) {
        struct sepx_nb101_cell cell;
        struct sepx__path_set set;

        sepx_nb101_cells_get(table->cells, &cell, i);
        sepx__path_set_of(&set, &cell);
        table->row[i] = (struct row){hash_of(&set), i};
    }
    qsort(table->row, table->count, sizeof *table->row, by_hash);
}

enum sepx_err
sepx__path_table_new(struct sepx__path_table **table)
{
    struct sepx__path_table *made = sepx__calloc(1, sizeof *made);
    enum sepx_err err = SEPX_ENOMEM;

    *table = NULL;
    if (!made)
        return err;
    err = sepx_nb101_cells_new(&made->cells, 0, NULL, NULL);
    if (!err) {
        made->count = sepx_nb101_cells_count(made->cells, 0);
        made->row = sepx__calloc(made->count, sizeof *made->row);
        err = made->row ? SEPX_OK : SEPX_ENOMEM;
    }
    if (err) {
        sepx__path_table_free(made);
        return err;
    }
    fill(made);
    *table = made;
    return SEPX_OK;
}

void
sepx__path_table_free(struct sepx__path_table *table)
{
    if (!table)
        return;
    sepx_nb101_cells_free(table->cells);
    sepx__free(table->row);
    sepx__free(table);
}

/* The first row whose hash is not below `hash`. */
static uint32_t
lower_bound(const struct sepx__path_table *table, uint64_t hash)
{
    uint32_t low = 0, high = table->count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (table->row[middle].hash < hash)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Two sets of one hash would be taken for one; the chance is 5e-9 in all. */
uint32_t
sepx__path_table_count(const struct sepx__path_table *table,
                       const struct sepx__path_set *set, uint32_t *first)
{
    uint64_t hash = hash_of(set);
    uint32_t count = 0;

    *first = lower_bound(table, hash);
    while (*first + count < table->count &&
           table->row[*first + count].hash == hash)
        count++;
    return count;
}

void
sepx__path_table_get(const struct sepx__path_table *table,
                     struct sepx_nb101_cell *cell, uint32_t at)
{
    sepx_nb101_cells_get(table->cells, cell, table->row[at].cell);
}
