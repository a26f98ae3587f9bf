/* SPDX-License-Identifier: Apache-2.0 */
#include "base/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EXACT_MAX 20 /* values of a sample for the exact distribution */

static int
compare_values(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static bool
any_nan(const double *value, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (isnan(value[i]))
            return true;
    }
    return false;
}

double
sepx_quantile(const double *sorted, size_t count, double p)
{
    double at, part;
    size_t low;

    if (!count || isnan(p))
        return NAN;
    at = (double)(count - 1) * fmin(fmax(p, 0), 1);
    low = (size_t)at;
    part = at - (double)low;
    /* Not blended if it need not be: inf - inf would be NaN. */
    if (part == 0 || sorted[low] == sorted[low + 1])
        return sorted[low];
    return sorted[low] + part * (sorted[low + 1] - sorted[low]);
}

/* Two passes each, so that a large mean does not hide a small spread. */
static void
set_moments(struct sepx_summary *out, const double *value, size_t count)
{
    const double n = (double)count;
    double sum = 0, rest = 0, squares = 0;

    for (size_t i = 0; i < count; i++)
        sum += value[i];
    out->mean = sum / n;
    for (size_t i = 0; i < count && isfinite(out->mean); i++)
        rest += value[i] - out->mean;
    out->mean += rest / n;
    for (size_t i = 0; i < count; i++)
        squares += (value[i] - out->mean) * (value[i] - out->mean);
    out->sd = count < 2 ? 0 : sqrt(squares / (n - 1));
    out->se = out->sd / sqrt(n);
}

enum sepx_err
sepx_summarize(struct sepx_summary *out, const double *value, size_t count)
{
    double *sorted;

    *out = (struct sepx_summary){count, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    if (!count || any_nan(value, count))
        return SEPX_OK;
    sorted = sepx__calloc(count, sizeof(*sorted));
    if (!sorted)
        return SEPX_ENOMEM;
    memcpy(sorted, value, count * sizeof(*sorted));
    qsort(sorted, count, sizeof(*sorted), compare_values);
    set_moments(out, value, count);
    out->min = sorted[0];
    out->q25 = sepx_quantile(sorted, count, 0.25);
    out->median = sepx_quantile(sorted, count, 0.5);
    out->q75 = sepx_quantile(sorted, count, 0.75);
    out->max = sorted[count - 1];
    sepx__free(sorted);
    return SEPX_OK;
}

/* ---- Mann-Whitney ---- */

/* The pooled sample in ascending order; ranks are doubled, thus whole. */
struct pooled {
    double value;
    size_t rank2; /* twice the midrank, 2..2n */
    bool first;   /* belongs to x */
};

static int
compare_pooled(const void *a, const void *b)
{
    const struct pooled *x = a, *y = b;

    return compare_values(&x->value, &y->value);
}

/* Sets the ranks; returns the sum of t^3 - t over groups of t equals. */
static double
rank_pooled(struct pooled *pool, size_t count)
{
    double ties = 0;

    for (size_t from = 0, end; from < count; from = end) {
        double t;

        end = from + 1;
        while (end < count && pool[end].value == pool[from].value)
            end++;
        for (size_t i = from; i < end; i++)
            pool[i].rank2 = from + 1 + end;
        t = (double)(end - from);
        ties += t * t * t - t;
    }
    return ties;
}

static struct pooled *
make_pooled(const double *x, size_t nx, const double *y, size_t ny)
{
    struct pooled *pool = NULL;

    if (nx <= SIZE_MAX - ny)
        pool = sepx__calloc(nx + ny, sizeof(*pool));
    if (!pool)
        return NULL;
    for (size_t i = 0; i < nx; i++)
        pool[i] = (struct pooled){.value = x[i], .first = true};
    for (size_t i = 0; i < ny; i++)
        pool[nx + i] = (struct pooled){.value = y[i]};
    qsort(pool, nx + ny, sizeof(*pool), compare_pooled);
    return pool;
}

/*
 * ways[k * width + s]: choices of k of the items so far whose doubled ranks
 * sum to s. At most C(40, 20) < 2^53, thus exact in a double.
 */
static void
count_splits(double *ways, size_t width, size_t nx, const struct pooled *pool,
             size_t count)
{
    ways[0] = 1;
    for (size_t i = 0; i < count; i++) {
        size_t rank2 = pool[i].rank2;

        for (size_t k = nx; k > 0; k--) {
            double *to = ways + k * width;
            const double *from = to - width;

            for (size_t s = rank2; s < width; s++)
                to[s] += from[s - rank2];
        }
    }
}

/* Splits at least as far from the expected rank sum as the observed one. */
static enum sepx_err
exact_p(double *p, const struct pooled *pool, size_t nx, size_t count,
        size_t sum2)
{
    const size_t width = count * (count + 1) + 1, mean2 = nx * (count + 1);
    const size_t far = sum2 > mean2 ? sum2 - mean2 : mean2 - sum2;
    double *ways = sepx__calloc((nx + 1) * width, sizeof(*ways));
    double extreme = 0, all = 0;

    if (!ways)
        return SEPX_ENOMEM;
    count_splits(ways, width, nx, pool, count);
    for (size_t s = 0; s < width; s++) {
        double n = ways[nx * width + s];

        all += n;
        if ((s > mean2 ? s - mean2 : mean2 - s) >= far)
            extreme += n;
    }
    *p = extreme / all;
    sepx__free(ways);
    return SEPX_OK;
}

static double
normal_p(double u, double nx, double ny, double ties)
{
    const double n = nx + ny;
    const double variance = nx * ny / 12 * (n + 1 - ties / (n * (n - 1)));
    const double far = fabs(u - nx * ny / 2) - 0.5;

    if (variance <= 0 || far <= 0)
        return 1;
    return erfc(far / sqrt(2 * variance));
}

enum sepx_err
sepx_mann_whitney(struct sepx_mann_whitney *out, const double *x, size_t nx,
                  const double *y, size_t ny)
{
    const double mx = (double)nx, my = (double)ny;
    enum sepx_err err = SEPX_OK;
    struct pooled *pool;
    size_t sum2 = 0;
    double ties;

    *out = (struct sepx_mann_whitney){0};
    if (!nx || !ny || any_nan(x, nx) || any_nan(y, ny))
        return SEPX_EINVAL;
    pool = make_pooled(x, nx, y, ny);
    if (!pool)
        return SEPX_ENOMEM;
    ties = rank_pooled(pool, nx + ny);
    for (size_t i = 0; i < nx + ny; i++)
        sum2 += pool[i].first ? pool[i].rank2 : 0;
    out->u = (double)(sum2 - nx * (nx + 1)) / 2;
    out->effect = 1 - out->u / (mx * my);
    out->exact = nx <= EXACT_MAX && ny <= EXACT_MAX;
    if (out->exact)
        err = exact_p(&out->p, pool, nx, nx + ny, sum2);
    else
        out->p = normal_p(out->u, mx, my, ties);
    sepx__free(pool);
    return err;
}
