/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/oracle_forest.h"

#include <math.h>
#include <string.h>

enum { MOST = 64 };

struct side {
    double sum;
    unsigned count;
};

/* Squared error of the rows on the given side of the subset. */
static double
error_of(const uint16_t *value, const double *y, unsigned n, unsigned d,
         unsigned v, unsigned subset, int inside, struct side *side)
{
    double error = 0;

    *side = (struct side){0, 0};
    for (unsigned i = 0; i < n; i++) {
        if ((int)(subset >> value[i * d + v] & 1) == inside) {
            side->sum += y[i];
            side->count++;
        }
    }
    for (unsigned i = 0; i < n; i++) {
        if ((int)(subset >> value[i * d + v] & 1) == inside)
            error += pow(y[i] - side->sum / side->count, 2);
    }
    return error;
}

double
oracle_tree(const uint16_t *value, const double *y, unsigned n, unsigned d,
            const uint16_t *choices, unsigned split, unsigned leaf,
            unsigned depth, const uint16_t *at)
{
    uint16_t part[MOST * 32];
    double mean = 0, kept[MOST], best = INFINITY;
    unsigned variable = 0, left = 0, count = 0;

    for (unsigned i = 0; i < n; i++)
        mean += y[i] / n;
    for (unsigned v = 0; v < d && n >= split && depth; v++) {
        for (unsigned subset = 1; subset < 1u << choices[v]; subset++) {
            struct side in, out;
            double error = error_of(value, y, n, d, v, subset, 1, &in) +
                           error_of(value, y, n, d, v, subset, 0, &out);

            /* Of a subset and its complement, that of the smaller mean. */
            if (in.count >= leaf && out.count >= leaf &&
                in.sum / in.count < out.sum / out.count &&
                error < best - 1e-12) {
                best = error;
                variable = v;
                left = subset;
            }
        }
    }
    if (!left)
        return mean;
    for (unsigned i = 0; i < n; i++) {
        if ((left >> value[i * d + variable] & 1) != (left >> at[variable] & 1))
            continue;
        memcpy(part + count * d, value + i * d, d * sizeof *part);
        kept[count++] = y[i];
    }
    return oracle_tree(part, kept, count, d, choices, split, leaf, depth - 1,
                       at);
}
