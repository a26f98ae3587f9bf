/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The hypervolume of a set of points by slicing: sort by the last objective;
 * between two neighbours, the points so far cover the same area of the
 * others. With two objectives the area is a staircase.
 */
#include "sepx/front.h"

#include <math.h>
#include <string.h>

#include "base/internal.h"

/* Points are rows of `n` numbers in `step`; `row` has room for their order. */
struct slice {
    const double *point, *reference;
    uint32_t step;
};

static const double *
at(const struct slice *slice, const uint32_t *row, size_t i)
{
    return slice->point + (size_t)row[i] * slice->step;
}

/* By coordinate `by`; equal ones stay as they are. */
static void
sort_rows(const struct slice *slice, uint32_t *row, size_t count, uint32_t by)
{
    for (size_t i = 1; i < count; i++) {
        uint32_t moved = row[i];
        double value = slice->point[(size_t)moved * slice->step + by];
        size_t to = i;

        for (; to && at(slice, row, to - 1)[by] > value; to--)
            row[to] = row[to - 1];
        row[to] = moved;
    }
}

/* Of the first two objectives, for rows sorted by the first. */
static double
staircase(const struct slice *slice, const uint32_t *row, size_t count)
{
    double area = 0, lowest = slice->reference[1];

    for (size_t i = 0; i < count; i++) {
        const double *point = at(slice, row, i);

        if (point[1] < lowest) {
            area += (slice->reference[0] - point[0]) * (lowest - point[1]);
            lowest = point[1];
        }
    }
    return area;
}

/* Of the first `n` objectives; `row` has room for `count` rows each level. */
static double
volume_of(const struct slice *slice, uint32_t *row, size_t count, uint32_t n)
{
    uint32_t *below = row + count;
    double volume = 0;
    size_t held = 0;

    if (n == 2) {
        sort_rows(slice, row, count, 0);
        return staircase(slice, row, count);
    }
    sort_rows(slice, row, count, n - 1);
    for (size_t i = 0; i < count; i++) {
        double from = at(slice, row, i)[n - 1];
        double to = i + 1 < count ? at(slice, row, i + 1)[n - 1]
                                  : slice->reference[n - 1];
        size_t place = held++;

        /* For the last level, rows come sorted by the first objective. */
        if (n == 3) {
            for (;
                 place && at(slice, below, place - 1)[0] > at(slice, row, i)[0];
                 place--)
                below[place] = below[place - 1];
            below[place] = row[i];
            if (to > from)
                volume += (to - from) * staircase(slice, below, held);
        } else {
            memcpy(below, row, held * sizeof *row);
            if (to > from)
                volume += (to - from) * volume_of(slice, below, held, n - 1);
        }
    }
    return volume;
}

static bool
counts(const double *point, uint32_t n, const double *reference)
{
    for (uint32_t i = 0; i < n; i++) {
        if (!(point[i] < reference[i]))
            return false;
    }
    return true;
}

enum sepx_err
sepx_hypervolume(double *volume, const double *point, size_t count, uint32_t n,
                 const double *reference)
{
    struct slice slice = {point, reference, n};
    uint32_t *row;
    uint32_t held = 0;

    *volume = 0;
    if (!n || n > SEPX_GOALS_MAX || count > UINT32_MAX)
        return SEPX_EINVAL;
    if (!count)
        return SEPX_OK;
    row = sepx__alloc((size_t)n * count * sizeof *row);
    if (!row)
        return SEPX_ENOMEM;
    for (uint32_t i = 0; i < count; i++) {
        if (counts(point + (size_t)i * n, n, reference))
            row[held++] = i;
    }
    if (n > 1) {
        *volume = volume_of(&slice, row, held, n);
    } else {
        for (uint32_t i = 0; i < held; i++)
            *volume = fmax(*volume, reference[0] - at(&slice, row, i)[0]);
    }
    sepx__free(row);
    return SEPX_OK;
}
