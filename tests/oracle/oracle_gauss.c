/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/oracle_gauss.h"

#include <math.h>
#include <string.h>

#define MOST 64

/* Gauss and Jordan, with the largest pivot of the column. */
void
oracle_invert(const double *m, double *inverse, double *log_det, unsigned n)
{
    long double a[MOST][2 * MOST] = {{0}};

    *log_det = 0;
    for (unsigned i = 0; i < n; i++) {
        for (unsigned j = 0; j < n; j++)
            a[i][j] = m[i * n + j];
        a[i][n + i] = 1;
    }
    for (unsigned c = 0; c < n; c++) {
        unsigned best = c;
        long double pivot;

        for (unsigned i = c + 1; i < n; i++)
            best = fabsl(a[i][c]) > fabsl(a[best][c]) ? i : best;
        for (unsigned j = 0; j < 2 * n; j++) {
            long double swap = a[c][j];

            a[c][j] = a[best][j];
            a[best][j] = swap;
        }
        pivot = a[c][c];
        *log_det += (double)logl(fabsl(pivot));
        for (unsigned j = 0; j < 2 * n; j++)
            a[c][j] /= pivot;
        for (unsigned i = 0; i < n; i++) {
            long double times = a[i][c];

            for (unsigned j = 0; j < 2 * n && i != c; j++)
                a[i][j] -= times * a[c][j];
        }
    }
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++)
            inverse[i * n + j] = (double)a[i][n + j];
}

/* a' M b */
static double
form(const double *a, const double *m, const double *b, unsigned n)
{
    double sum = 0;

    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++)
            sum += a[i] * m[i * n + j] * b[j];
    return sum;
}

struct oracle_gauss
oracle_gauss(const double *k, const double *y, const double *cross, double own,
             unsigned n)
{
    static double inverse[MOST * MOST];
    double one[MOST] = {0}, left[MOST] = {0}, log_det, ones, missing;
    struct oracle_gauss out;

    oracle_invert(k, inverse, &log_det, n);
    for (unsigned i = 0; i < n; i++)
        one[i] = 1;
    ones = form(one, inverse, one, n);
    out.mean = form(one, inverse, y, n) / ones;
    for (unsigned i = 0; i < n; i++)
        left[i] = y[i] - out.mean;
    out.scale = form(left, inverse, left, n) / n;
    out.likelihood = -0.5 * (n * log(out.scale) + log_det);
    out.at = out.mean + form(cross, inverse, left, n);
    missing = 1 - form(one, inverse, cross, n);
    out.variance = out.scale * (own - form(cross, inverse, cross, n) +
                                missing * missing / ones);
    return out;
}
