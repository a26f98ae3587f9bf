/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gaussian process regression (Rasmussen & Williams 2006, chapter 2), with a
 * constant mean by generalised least squares and the scale in closed form, so
 * that the likelihood is a function of length and noise alone.
 *
 * Decisions of a search hang on these numbers, and a study is replayed on
 * other machines. So nothing here depends on libm, on the width of vectors
 * or on fused operations: sums run in one order or are of independent
 * elements, the file is compiled without contraction, and the exponentials
 * are powers of constants. sqrt() is exact by IEEE 754, frexp() by nature.
 *
 * An exponential of edit distances need not be positive definite. Kernels
 * that are not on the data at hand are not chosen; a chosen one that comes to
 * be so gets noise on top until it is.
 */
#include "search/models/gauss.h"

#include <math.h>
#include <string.h>

#define PIVOT 1e-9  /* least; the diagonal is about 1 */
#define JITTER 1e-4 /* the first noise on top */

/* exp(-1 / length) for lengths of 1, 2, 3, 4, 6, 8, 12, 16, 32, 64. */
static const double ratios[SEPX__GAUSS_LENGTHS] = {
    0x1.78b56362cef38p-2, 0x1.368b2fc6f960ap-1, 0x1.6edd3122f2ea5p-1,
    0x1.8ebef9eac820bp-1, 0x1.b1660d7a223b1p-1, 0x1.c3d6a24ed8222p-1,
    0x1.d7100fbf669bdp-1, 0x1.e0fabfbc702a4p-1, 0x1.f03f56a88b5d8p-1,
    0x1.f80feabfeefa5p-1};

static const double noises[SEPX__GAUSS_NOISES] = {0.01, 0.03, 0.1,
                                                  0.2,  0.4,  0.7};

double
sepx__gauss_noise(const struct sepx__gauss_kernel *kernel)
{
    return noises[kernel->noise];
}

double
sepx__gauss_kernel(const struct sepx__gauss_kernel *kernel, uint32_t distance)
{
    double power = 1;

    while (distance-- && power > 1e-30)
        power *= ratios[kernel->length];
    return power;
}

/* ---- functions ---- */

/* By the series of atanh((m - 1) / (m + 1)), m within a factor sqrt 2 of 1. */
double
sepx__plain_log(double x)
{
    static const double ln2 = 0x1.62e42fefa39efp-1;
    int exponent;
    double m = frexp(x, &exponent), s, square, sum = 0;

    if (m < 0x1.6a09e667f3bcdp-1) {
        m *= 2;
        exponent--;
    }
    s = (m - 1) / (m + 1);
    square = s * s;
    for (int k = 23; k > 0; k -= 2)
        sum = sum * square + 1.0 / k;
    return exponent * ln2 + 2 * s * sum;
}

static double
polynomial(const double *c, unsigned count, double x)
{
    double sum = c[--count];

    while (count)
        sum = sum * x + c[--count];
    return sum;
}

/* Wichura's algorithm AS 241 (Applied Statistics 37, 1988), 7 digits. */
double
sepx__normal_quantile(double p)
{
    static const double a[] = {3.3871327179, 50.434271938, 159.29113202,
                               59.109374720};
    static const double b[] = {1, 17.895169469, 78.757757664, 67.187563600};
    static const double c[] = {1.4234372777, 2.7568153900, 1.3067284816,
                               0.17023821103};
    static const double d[] = {1, 0.73700164250, 0.12021132975};
    static const double e[] = {6.6579051150, 3.0812263860, 0.42868294337,
                               0.017337203997};
    static const double f[] = {1, 0.24197894225, 0.012258202635};
    double q = p - 0.5, r, value;

    if (fabs(q) <= 0.425) {
        r = 0.180625 - q * q;
        return q * polynomial(a, 4, r) / polynomial(b, 4, r);
    }
    r = sqrt(-sepx__plain_log(q < 0 ? p : 1 - p));
    value = r <= 5 ? polynomial(c, 4, r - 1.6) / polynomial(d, 3, r - 1.6)
                   : polynomial(e, 4, r - 5) / polynomial(f, 3, r - 5);
    return q < 0 ? -value : value;
}

/* ---- linear algebra ---- */

/* Column j begins at its diagonal element. */
static double *
column(const struct sepx__gauss *gauss, uint32_t j)
{
    size_t n = gauss->count;

    return gauss->factor + j * (2 * n - j + 1) / 2;
}

/*
 * L of K = L L', column by column; inner loops are of independent elements.
 * False: K is not positive definite.
 */
static bool
factorise(struct sepx__gauss *gauss)
{
    uint32_t n = gauss->count;

    for (uint32_t j = 0; j < n; j++) {
        double *own = column(gauss, j);
        double pivot = sqrt(own[0] > PIVOT ? own[0] : PIVOT);

        if (!(own[0] > PIVOT))
            return false;
        own[0] = pivot;
        for (uint32_t i = 1; i < n - j; i++)
            own[i] /= pivot;
        for (uint32_t k = j + 1; k < n; k++) {
            double *other = column(gauss, k);
            const double *from = own + (k - j);
            double times = from[0];

            for (uint32_t i = 0; i < n - k; i++)
                other[i] -= times * from[i];
        }
    }
    return true;
}

/* L x = b, in place. */
static void
solve_lower(const struct sepx__gauss *gauss, double *x)
{
    uint32_t n = gauss->count;

    for (uint32_t j = 0; j < n; j++) {
        const double *own = column(gauss, j);

        x[j] /= own[0];
        for (uint32_t i = 1; i < n - j; i++)
            x[j + i] -= x[j] * own[i];
    }
}

/* L' x = b, in place. */
static void
solve_upper(const struct sepx__gauss *gauss, double *x)
{
    for (uint32_t j = gauss->count; j-- > 0;) {
        const double *own = column(gauss, j);
        double sum = x[j];

        for (uint32_t i = 1; i < gauss->count - j; i++)
            sum -= own[i] * x[j + i];
        x[j] = sum / own[0];
    }
}

static double
dot(const double *a, const double *b, uint32_t n)
{
    double sum = 0;

    for (uint32_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* ln det K; mantissas are multiplied, so that one logarithm is taken. */
static double
log_determinant(const struct sepx__gauss *gauss)
{
    static const double ln2 = 0x1.62e42fefa39efp-1;
    double product = 1;
    int64_t exponents = 0;

    for (uint32_t j = 0; j < gauss->count; j++) {
        int exponent;

        product = frexp(product * column(gauss, j)[0], &exponent);
        exponents += exponent;
    }
    return 2 * (sepx__plain_log(product) + (double)exponents * ln2);
}

/* ---- fitting ---- */

void
sepx__gauss_release(struct sepx__gauss *gauss)
{
    sepx__free(gauss->factor);
    sepx__free(gauss->weight);
    sepx__free(gauss->ones);
    sepx__free(gauss->own);
    sepx__free(gauss->work);
    *gauss = (struct sepx__gauss){0};
}

static enum sepx_err
make_room(struct sepx__gauss *gauss, uint32_t n)
{
    enum sepx_err err =
        sepx__grow((void **)&gauss->factor, &gauss->factor_room,
                   (size_t)n * (n + 1) / 2, sizeof *gauss->factor);

    if (!err)
        err = sepx__grow((void **)&gauss->weight, &gauss->weight_room, n,
                         sizeof *gauss->weight);
    if (!err)
        err = sepx__grow((void **)&gauss->ones, &gauss->ones_room, n,
                         sizeof *gauss->ones);
    if (!err)
        err = sepx__grow((void **)&gauss->own, &gauss->own_room, n,
                         sizeof *gauss->own);
    if (!err)
        err = sepx__grow((void **)&gauss->work, &gauss->work_room,
                         2 * (size_t)n, sizeof *gauss->work);
    gauss->count = err ? 0 : n;
    return err;
}

static double
power_of(const struct sepx__gauss *gauss, uint32_t distance)
{
    return distance < sizeof gauss->power / sizeof *gauss->power
               ? gauss->power[distance]
               : 0;
}

static void
fill(struct sepx__gauss *gauss, const struct sepx__gauss_data *data)
{
    double noise = noises[gauss->kernel.noise];

    gauss->power[0] = 1;
    for (size_t d = 1; d < sizeof gauss->power / sizeof *gauss->power; d++)
        gauss->power[d] =
            gauss->power[d - 1] > 1e-30
                ? gauss->power[d - 1] * ratios[gauss->kernel.length]
                : 0;
    for (uint32_t j = 0; j < data->count; j++) {
        const uint16_t *row = data->distance + j * data->stride;
        double *own = column(gauss, j);

        own[0] = (1 - noise) * (1 + data->blur[j]) + noise / data->scores[j] +
                 gauss->jitter;
        gauss->own[j] = own[0];
        for (uint32_t i = j + 1; i < data->count; i++)
            own[i - j] = (1 - noise) * power_of(gauss, row[i]);
    }
}

/* What follows from the factor and the values. */
static void
condition(struct sepx__gauss *gauss, const double *y)
{
    uint32_t n = gauss->count;
    double *left = gauss->work;

    for (uint32_t i = 0; i < n; i++)
        gauss->ones[i] = 1;
    solve_lower(gauss, gauss->ones);
    solve_upper(gauss, gauss->ones);
    gauss->ones_sum = 0;
    for (uint32_t i = 0; i < n; i++)
        gauss->ones_sum += gauss->ones[i];
    gauss->mean = dot(gauss->ones, y, n) / gauss->ones_sum;
    for (uint32_t i = 0; i < n; i++)
        gauss->weight[i] = left[i] = y[i] - gauss->mean;
    solve_lower(gauss, gauss->weight);
    solve_upper(gauss, gauss->weight);
    gauss->scale = dot(left, gauss->weight, n) / n;
    gauss->scale = gauss->scale > 1e-12 ? gauss->scale : 1e-12;
    gauss->likelihood =
        -0.5 * (n * sepx__plain_log(gauss->scale) + log_determinant(gauss));
}

enum sepx_err
sepx__gauss_fit(struct sepx__gauss *gauss, const struct sepx__gauss_data *data,
                const struct sepx__gauss_kernel *kernel)
{
    bool fits = false;
    enum sepx_err err = make_room(gauss, data->count);

    gauss->kernel = *kernel;
    gauss->jitter = 0;
    while (!err && !fits) {
        fill(gauss, data);
        fits = factorise(gauss);
        if (!fits)
            gauss->jitter = gauss->jitter > 0 ? 4 * gauss->jitter : JITTER;
    }
    if (!err)
        condition(gauss, data->y);
    return err;
}

enum sepx_err
sepx__gauss_choose(struct sepx__gauss *gauss,
                   const struct sepx__gauss_data *data)
{
    struct sepx__gauss_kernel best = {0, SEPX__GAUSS_NOISES - 1};
    double most = -INFINITY;
    enum sepx_err err = SEPX_OK;

    for (uint32_t length = 0; length < SEPX__GAUSS_LENGTHS; length++) {
        for (uint32_t noise = 0; noise < SEPX__GAUSS_NOISES && !err; noise++) {
            const struct sepx__gauss_kernel kernel = {length, noise};

            err = sepx__gauss_fit(gauss, data, &kernel);
            if (!err && !(gauss->jitter > 0) && gauss->likelihood > most) {
                most = gauss->likelihood;
                best = kernel;
            }
        }
    }
    gauss->kernel = best;
    return err;
}

/* ---- predicting ---- */

/* The variance at a point if one of the data were all that is known. */
static double
least_alone(const struct sepx__gauss *gauss, const double *k, double share)
{
    double least = share;

    for (uint32_t i = 0; i < gauss->count; i++) {
        double alone = share - k[i] * k[i] / gauss->own[i];

        least = alone < least ? alone : least;
    }
    return least;
}

void
sepx__gauss_predict(struct sepx__gauss *gauss, double *mean, double *variance,
                    const uint16_t *distance)
{
    uint32_t n = gauss->count;
    double share = 1 - noises[gauss->kernel.noise], missing, least;
    double *k = gauss->work;

    for (uint32_t i = 0; i < n; i++)
        k[i] = share * power_of(gauss, distance[i]);
    *mean = gauss->mean + dot(k, gauss->weight, n);
    if (!variance)
        return;
    least = least_alone(gauss, k, share) / 100;
    missing = 1 - dot(k, gauss->ones, n);
    solve_lower(gauss, k);
    *variance = share - dot(k, k, n) + missing * missing / gauss->ones_sum;
    *variance = gauss->scale * (*variance > least ? *variance : least);
}
