/* SPDX-License-Identifier: Apache-2.0 */
/* A crossover and how it came about. */
#ifndef SEPX_CLI_CROSS_H
#define SEPX_CLI_CROSS_H

#include "experiment.h"

struct crossing {
    struct sepx_graph parent[2];
    struct sepx_graph child;
    bool accepted;
    struct sepx_explain explain;
    double distance[2]; /* from the child to each parent */
};

/* "accepted", "duplicate", "cyclic", "invalid" */
const char *verdict_name(enum sepx_verdict verdict);

/* cross_explain.c */
void cross_print(struct out *out, const struct crossing *crossing);
void cross_put_json(struct sepx_json_writer *w, const struct crossing *crossing,
                    bool explain);

/* cross_draw.c: both parents and the child, side by side. */
SEPX_CHECKED enum sepx_err cross_draw(struct sepx_text *dot,
                                      const struct crossing *crossing);

#endif
