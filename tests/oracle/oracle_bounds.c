/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/oracle_bounds.h"

#include <math.h>
#include <stdint.h>

static uint64_t
choose(unsigned k, unsigned i)
{
    uint64_t row[63] = {1};

    for (unsigned r = 1; r <= k; r++)
        for (unsigned j = r; j > 0; j--)
            row[j] += row[j - 1];
    return row[i];
}

static unsigned
ones(unsigned set)
{
    unsigned count = 0;

    for (; set; set >>= 1)
        count += set & 1;
    return count;
}

long double
oracle_half(unsigned k, unsigned i)
{
    return (long double)choose(k, i) / (long double)(UINT64_C(1) << k);
}

/* E max(above / below - B(k, 1/2), 0) */
static long double
shortfall(int64_t above, int64_t below, unsigned k)
{
    long double sum = 0;

    for (unsigned i = 0; i <= k; i++) {
        int64_t left = above - (int64_t)i * below;

        if (left > 0)
            sum += oracle_half(k, i) * (long double)left;
    }
    return below ? sum / (long double)below : 0;
}

static long double
sepx_of(unsigned n, unsigned d_opt, unsigned d_12)
{
    int places = (int)(n * (n - 1));
    int n_se = places - (int)d_opt - (int)d_12;

    if (n_se < 0)
        n_se = 0;
    return shortfall((int64_t)d_opt * d_12, places - n_se, d_12);
}

long double
oracle_sepx(unsigned n, unsigned d_opt, unsigned d_12, unsigned percent)
{
    unsigned hundredfold = d_12 * (100 + percent);
    unsigned below = hundredfold / 100, rest = hundredfold % 100;

    return ((100 - rest) * sepx_of(n, d_opt, below) +
            rest * sepx_of(n, d_opt, below + 1)) /
           100;
}

long double
oracle_stdx(unsigned n, const unsigned edges[3], unsigned d_opt, unsigned k)
{
    int64_t places = (int64_t)n * (n - 1), d = d_opt;
    int64_t opt_1 = edges[0], opt_0 = places - opt_1;
    int64_t one_1 = edges[1], one_0 = places - one_1;
    int64_t two_1 = edges[2], two_0 = places - two_1;

    return shortfall(2 * places * d - (d + one_1 - opt_1) * two_1 -
                         (d + one_0 - opt_0) * two_0,
                     2 * places, k);
}

long double
oracle_muta(unsigned n, unsigned d_opt, unsigned above, unsigned below)
{
    unsigned places = n * (n - 1), wrong = (1u << d_opt) - 1;
    long double sum = 0, all = 1;

    for (unsigned i = 0; i < places; i++)
        all *= below;
    for (unsigned flips = 0; flips < 1u << places; flips++) {
        unsigned left = ones(wrong ^ flips), flipped = ones(flips);
        long double weight = 1;

        for (unsigned i = 0; i < places; i++)
            weight *= i < flipped ? above : below - above;
        if (left < d_opt)
            sum += weight * (d_opt - left);
    }
    return sum / all;
}

long double
oracle_agent(unsigned entries, long double b, long double alpha_eta, int clip)
{
    long double p = b / entries, sum = 0;

    for (unsigned set = 0; set < 1u << entries; set++) {
        unsigned w = ones(set);
        long double up = expl(-2 * alpha_eta * (b - w) * (1 - p));
        long double down = expl(2 * alpha_eta * (b - w) * p);
        long double gain = b - (w / (1 + (1 / p - 1) * up) +
                                (entries - w) / (1 + (1 / p - 1) * down));

        if (gain > 0 || !clip)
            sum += gain * powl(p, w) * powl(1 - p, entries - w);
    }
    return sum;
}
