/* SPDX-License-Identifier: Apache-2.0 */
/* A crossover and how it came about. */
#ifndef SEPX_CLI_CROSS_H
#define SEPX_CLI_CROSS_H

#include "search/experiment.h"

struct crossing {
    struct sepx_graph parent[2];
    struct sepx_graph child;
    bool accepted;
    struct sepx_explain explain;
    struct sepx_ged_bounds distance[2]; /* from the child to each parent */
};

/* Edits that were drawn and had an effect. */
size_t cross_taken(const struct sepx_explain *explain);

/* "accepted", "duplicate", "cyclic", "invalid" */
const char *verdict_name(enum sepx_verdict verdict);

/* cross_explain.c */
void cross_print(struct out *out, const struct crossing *crossing);
void cross_put_json(struct sepx_json_writer *w, const struct crossing *crossing,
                    bool explain);

/*
 * cross_draw.c: both parents and the child below them, with the numbers that
 * the edits have.
 */
SEPX_CHECKED enum sepx_err
cross_draw(struct sepx_text *dot, const struct crossing *crossing,
           const struct sepx_space *space, const char *crossover);

#endif
