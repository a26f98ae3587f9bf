/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/oracle_kde.h"

#include <math.h>

double
oracle_bandwidth(const uint16_t *value, unsigned n, unsigned d,
                 unsigned variable, double least, unsigned choices)
{
    double mean = 0, variance = 0, h;

    for (unsigned i = 0; i < n; i++)
        mean += value[i * d + variable] / (double)n;
    for (unsigned i = 0; i < n; i++)
        variance += pow(value[i * d + variable] - mean, 2) / n;
    h = 1.06 * sqrt(variance) * pow(n, -1.0 / (4 + d));
    return h > 1 ? 1 - 1.0 / choices : h < least ? least : h;
}

double
oracle_density(const uint16_t *value, unsigned n, unsigned d,
               const uint16_t *choices, const double *bandwidth,
               const uint16_t *at)
{
    double sum = 0;

    for (unsigned i = 0; i < n; i++) {
        double product = 1;

        for (unsigned v = 0; v < d; v++)
            product *= value[i * d + v] == at[v]
                           ? 1 - bandwidth[v]
                           : bandwidth[v] / (choices[v] - 1);
        sum += product;
    }
    return sum / n;
}
