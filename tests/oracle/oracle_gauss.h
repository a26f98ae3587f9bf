/* SPDX-License-Identifier: Apache-2.0 */
/* Gaussian process regression by the formulas, with an inverted matrix. */
#ifndef SEPX_TESTS_ORACLE_GAUSS_H
#define SEPX_TESTS_ORACLE_GAUSS_H

/* The inverse and the logarithm of the determinant of m, n x n, n <= 64. */
void oracle_invert(const double *m, double *inverse, double *log_det,
                   unsigned n);

struct oracle_gauss {
    double mean, scale, likelihood; /* of the data */
    double at, variance;            /* of the process at one more point */
};

/*
 * `k` is the covariance of the data, noise included, n x n; `cross` that of
 * the point with them, and `own` that of the point with itself; all without
 * the scale.
 */
struct oracle_gauss oracle_gauss(const double *k, const double *y,
                                 const double *cross, double own, unsigned n);

#endif
