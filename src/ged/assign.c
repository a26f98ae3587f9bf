/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Linear assignment where a row may stay alone: shortest augmenting paths
 * with dual variables (Jonker & Volgenant 1987), O(rows^2 * columns).
 *
 * A column left alone pays column_alone. Subtracting that from the column's
 * entries and adding it to the total once turns it into a problem where
 * columns left alone are free, so only rows need to be placed.
 */
#include "ged/pair.h"

struct solver {
    const struct ged_assignment *p;
    int64_t *row_dual, *column_dual, *distance;
    int32_t *row_of; /* of each column, -1 free */
    int32_t *before; /* row from which a column was reached */
    uint8_t *done;
};

static int64_t
entry(const struct ged_assignment *p, size_t i, size_t j)
{
    int64_t cost = p->cost[i * p->columns + j];

    return cost >= GED_FORBIDDEN ? GED_FORBIDDEN : cost - p->column_alone[j];
}

static int64_t
reduced(const struct solver *s, size_t i, size_t j)
{
    int64_t cost = entry(s->p, i, j);

    return cost >= GED_FORBIDDEN ? GED_FORBIDDEN
                                 : cost - s->row_dual[i] - s->column_dual[j];
}

/* Turn the path that ends in column j (or alone in row i) around. */
static void
flip(struct solver *s, size_t start, int32_t i, int32_t j)
{
    for (;;) {
        int32_t next = s->p->column_of[i];

        s->p->column_of[i] = j;
        if (j >= 0)
            s->row_of[j] = i;
        if ((size_t)i == start)
            return;
        j = next;
        i = s->before[j];
    }
}

/*
 * Dijkstra from row `start` over reduced costs to the nearest free column or
 * the nearest row that can be left alone.
 */
static void
place(struct solver *s, size_t start)
{
    const struct ged_assignment *p = s->p;
    int64_t length = 0, alone = INT64_MAX;
    int32_t row = (int32_t)start, alone_row = -1, column = -1;

    for (size_t j = 0; j < p->columns; j++) {
        s->distance[j] = GED_FORBIDDEN;
        s->done[j] = 0;
    }
    for (;;) {
        int64_t nearest = GED_FORBIDDEN;
        int64_t here = length + p->row_alone[row] - s->row_dual[row];
        int32_t next = -1;

        if (here < alone) {
            alone = here;
            alone_row = row;
        }
        for (size_t j = 0; j < p->columns; j++) {
            int64_t step;

            if (s->done[j])
                continue;
            step = reduced(s, (size_t)row, j);
            if (step < GED_FORBIDDEN && length + step < s->distance[j]) {
                s->distance[j] = length + step;
                s->before[j] = row;
            }
            if (s->distance[j] < nearest) {
                nearest = s->distance[j];
                next = (int32_t)j;
            }
        }
        if (next < 0 || alone <= nearest) {
            length = alone;
            row = alone_row;
            break;
        }
        length = nearest;
        if (s->row_of[next] < 0) {
            column = next;
            row = s->before[next];
            break;
        }
        s->done[next] = 1;
        row = s->row_of[next];
    }
    for (size_t j = 0; j < p->columns; j++)
        if (s->done[j]) {
            s->row_dual[s->row_of[j]] += length - s->distance[j];
            s->column_dual[j] -= length - s->distance[j];
        }
    s->row_dual[start] += length;
    flip(s, start, row, column);
}

static void
sum_up(struct ged_assignment *p, const struct solver *s)
{
    p->total = 0;
    for (size_t i = 0; i < p->rows; i++)
        p->total += p->column_of[i] < 0
                        ? p->row_alone[i]
                        : p->cost[i * p->columns + (size_t)p->column_of[i]];
    for (size_t j = 0; j < p->columns; j++)
        if (s->row_of[j] < 0)
            p->total += p->column_alone[j];
}

enum sepx_err
sepx__assign(struct ged_assignment *p)
{
    struct solver s = {.p = p};
    enum sepx_err err = SEPX_OK;
    const size_t n = p->rows + 1, m = p->columns + 1;
    int64_t *memory = sepx__calloc(n + 4 * m, sizeof *memory);

    if (!memory)
        return SEPX_ENOMEM;
    s.row_dual = memory;
    s.column_dual = s.row_dual + n;
    s.distance = s.column_dual + m;
    s.row_of = (int32_t *)(void *)(s.distance + m);
    s.before = s.row_of + m;
    s.done = (uint8_t *)(s.before + m);
    for (size_t j = 0; j < p->columns; j++)
        s.row_of[j] = -1;
    for (size_t i = 0; i < p->rows; i++)
        p->column_of[i] = -1;
    for (size_t i = 0; i < p->rows && !err; i++) {
        if (p->deadline > 0 && sepx_clock() > p->deadline)
            err = SEPX_ELIMIT;
        else
            place(&s, i);
    }
    sum_up(p, &s);
    sepx__free(memory);
    return err;
}
