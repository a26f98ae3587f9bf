/* SPDX-License-Identifier: Apache-2.0 */
/* Means, medians and intervals of the runs of a comparison. */
#include "comparison/comparison.h"

#include <math.h>
#include <stdlib.h>

bool
is_share(enum series series)
{
    return series == SERIES_REACHED || series == SERIES_VISITED;
}

/* 97.5 % quantile of Student's t: Cornish-Fisher, good to 0.01 from 3 on. */
static double
student(size_t freedom)
{
    double f = (double)freedom;

    if (freedom < 2)
        return 12.706;
    return 1.959964 + (2.37227 + (2.8225 + (2.5558 + 1.5895 / f) / f) / f) / f;
}

/* Wilson's interval of a share in %. */
static void
wilson(struct band *band, double n)
{
    double z = 1.959964, p = band->mean / 100;
    double centre = (p + z * z / (2 * n)) / (1 + z * z / n);
    double half =
        z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n));

    band->low = 100 * fmax(centre - half, 0);
    band->high = 100 * fmin(centre + half, 1);
}

int
ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/*
 * The median and its 95 % interval: order statistics whose ranks are quantiles
 * of B(n, 1/2), by the normal law. NaN for want of memory.
 */
static void
find_median(struct band *band, const double *value, size_t runs, size_t points)
{
    double *at = calloc(runs, sizeof *at);
    double rank = floor(((double)runs - 1.959964 * sqrt((double)runs)) / 2);
    size_t low = rank > 0 ? (size_t)rank : 0;

    band->median = band->median_low = band->median_high = NAN;
    for (size_t r = 0; r < runs && at; r++)
        at[r] = value[r * points];
    if (at) {
        qsort(at, runs, sizeof *at, ascending);
        band->median = (at[(runs - 1) / 2] + at[runs / 2]) / 2;
        band->median_low = at[low];
        band->median_high = at[runs - 1 - low];
    }
    free(at);
}

struct band
band_at(const struct trace *trace, enum series series, size_t points, size_t i)
{
    const double *value = trace->value[series];
    double n = (double)trace->runs, half;
    struct band band = {0};

    for (size_t r = 0; r < trace->runs; r++)
        band.mean += value[r * points + i] / n;
    for (size_t r = 0; r < trace->runs; r++)
        band.sd += pow(value[r * points + i] - band.mean, 2);
    band.sd = trace->runs > 1 ? sqrt(band.sd / (n - 1)) : 0;
    half = trace->runs > 1 ? student(trace->runs - 1) * band.sd / sqrt(n) : 0;
    band.low = band.mean - half;
    band.high = band.mean + half;
    if (is_share(series))
        wilson(&band, n);
    find_median(&band, value + i, trace->runs, points);
    return band;
}

bool
by_median(const struct match *match, enum series series)
{
    return !match->smaller && !is_share(series);
}

struct band
drawn_at(const struct match *match, const struct trace *trace,
         enum series series, size_t points, size_t i)
{
    struct band band = band_at(trace, series, points, i);

    if (by_median(match, series)) {
        band.mean = band.median;
        band.low = band.median_low;
        band.high = band.median_high;
    }
    return band;
}
