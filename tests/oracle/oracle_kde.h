/* SPDX-License-Identifier: Apache-2.0 */
/* Densities of categorical vectors, variable by variable, point by point. */
#ifndef SEPX_TESTS_ORACLE_KDE_H
#define SEPX_TESTS_ORACLE_KDE_H

#include <stdint.h>

/* 1.06 sd n^(-1/(4+d)) of one variable; the uniform kernel's above 1. */
double oracle_bandwidth(const uint16_t *value, unsigned n, unsigned d,
                        unsigned variable, double least, unsigned choices);
/* value is n x d; the mean over points of the product of kernels. */
double oracle_density(const uint16_t *value, unsigned n, unsigned d,
                      const uint16_t *choices, const double *bandwidth,
                      const uint16_t *at);

#endif
