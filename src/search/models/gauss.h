/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A Gaussian process over points of which only distances are known, whole
 * numbers. Plain double arithmetic without libm: the same bits on every
 * machine.
 */
#ifndef SEPX_SEARCH_GAUSS_H
#define SEPX_SEARCH_GAUSS_H

#include "base/internal.h"

/* Lengths of the kernel that are tried, and shares of noise. */
#define SEPX__GAUSS_LENGTHS 10
#define SEPX__GAUSS_NOISES 6

/*
 * Values are mean + sqrt(scale) * a process of covariance
 *     (1 - noise) exp(-distance / length)
 * and each has own noise of variance scale * (noise / scores + (1 - noise)
 * blur): `scores` measurements went into it, and its distances are right up to
 * a loss of correlation of `blur`.
 */
struct sepx__gauss_kernel {
    uint32_t length, noise; /* rows of the two tables */
};

double sepx__gauss_noise(const struct sepx__gauss_kernel *kernel);
/* exp(-distance / length) by multiplication. */
double sepx__gauss_kernel(const struct sepx__gauss_kernel *kernel,
                          uint32_t distance);

/* What the process is conditioned on; the caller's. */
struct sepx__gauss_data {
    const uint16_t *distance; /* row by row, `stride` apart, symmetric */
    size_t stride;
    const double *y;
    const double *scores, *blur; /* by point */
    uint32_t count;
};

/* {0} is empty; sepx__gauss_release() ends it. */
struct sepx__gauss {
    struct sepx__gauss_kernel kernel;
    uint32_t count;
    double *factor; /* lower triangle of Cholesky, column by column */
    double *weight; /* K^-1 (y - mean) */
    double *ones;   /* K^-1 1 */
    double *own;    /* the diagonal of K */
    double *work;   /* 2 x count */
    double jitter;  /* noise on top, where the kernel needs it; most often 0 */
    double mean, scale, ones_sum, likelihood;
    size_t factor_room, weight_room, ones_room, own_room, work_room;
    double power[1 << 10]; /* of the kernel, by distance; beyond: 0 */
};

void sepx__gauss_release(struct sepx__gauss *gauss);
/* Condition on at least two points with this kernel. */
SEPX_CHECKED enum sepx_err
sepx__gauss_fit(struct sepx__gauss *gauss, const struct sepx__gauss_data *data,
                const struct sepx__gauss_kernel *kernel);
/* The kernel of the highest marginal likelihood, the first among equals. */
SEPX_CHECKED enum sepx_err
sepx__gauss_choose(struct sepx__gauss *gauss,
                   const struct sepx__gauss_data *data);
/*
 * Mean and variance of the process itself, without noise, at a point with
 * these distances to the data. `variance` may be NULL, which is faster. It is
 * at least a hundredth of what it would be if the nearest of the data were all
 * that is known: a kernel that is not positive definite would claim certainty.
 */
void sepx__gauss_predict(struct sepx__gauss *gauss, double *mean,
                         double *variance, const uint16_t *distance);

/* ln x, x > 0, and the standard normal quantile of 0 < p < 1. */
double sepx__plain_log(double x);
double sepx__normal_quantile(double p);

#endif
