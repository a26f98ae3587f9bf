/* SPDX-License-Identifier: Apache-2.0 */
/* A course of numbers as a line of blocks. */
#include <math.h>

#include "base/internal.h"
#include "base/private.h"

enum { LEVELS = 8 };

static const char *const blocks[LEVELS] = {"▁", "▂", "▃", "▄",
                                           "▅", "▆", "▇", "█"};

/* The number of a column: the first and the last number are at the ends. */
static double
shown(const double *value, size_t count, size_t width, size_t column)
{
    return value[width > 1 ? column * (count - 1) / (width - 1) : count - 1];
}

/* The lowest level is for the best alone; infinite numbers have one, too. */
static int
level_of(double value, double best, double top)
{
    double share = (value - best) / (top - best);

    if (!(value > best))
        return 0;
    if (!(value < top && share < 1))
        return LEVELS - 1;
    return (int)fmax(1, ceil(share * (LEVELS - 1) - 1e-9));
}

enum sepx_err
sepx_text_add_sparkline(struct sepx_text *text, const double *value,
                        size_t count, size_t width, bool rising)
{
    size_t first = 0;
    double top;
    enum sepx_err err = SEPX_OK;

    width = width < count ? width : count;
    while (first < width && isnan(shown(value, count, width, first)))
        first++;
    if (first == width)
        return SEPX_OK;
    top = shown(value, count, width, first + (width - first) / 10);
    for (size_t i = 0; i < width && !err; i++) {
        int level =
            level_of(shown(value, count, width, i), value[count - 1], top);

        err = sepx_text_print(text, "%s",
                              i < first ? " "
                              : rising  ? blocks[LEVELS - 1 - level]
                                        : blocks[level]);
    }
    return err;
}
