/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Slow, independent bounds for small settings: crossover by Pascal's triangle
 * in whole numbers, mutation and agents by going through every pattern of
 * flipped or wrong entries. The formulas are the theorems' own, letter by
 * letter, in long double.
 */
#ifndef SEPX_TESTS_ORACLE_BOUNDS_H
#define SEPX_TESTS_ORACLE_BOUNDS_H

/* C(k, i) / 2^k for k <= 62. */
long double oracle_half(unsigned k, unsigned i);

/* Corollary; eps is percent / 100. d_12 (1 + eps) + 1 <= 62. */
long double oracle_sepx(unsigned n, unsigned d_opt, unsigned d_12,
                        unsigned percent);

/* Theorem 2 with k trials. k <= 62. */
long double oracle_stdx(unsigned n, const unsigned edges[3], unsigned d_opt,
                        unsigned k);

/* Theorem 3 with p_m = above / below. n <= 4. */
long double oracle_muta(unsigned n, unsigned d_opt, unsigned above,
                        unsigned below);

/* Theorem 4 with `entries` free ones, at most 14, and 0 < b < entries. */
long double oracle_agent(unsigned entries, long double b, long double alpha_eta,
                         int clip);

#endif
