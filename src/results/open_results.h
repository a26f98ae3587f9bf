/* SPDX-License-Identifier: Apache-2.0 */
/* An open table of results, for the files that read and verify one. */
#ifndef SEPX_RESULTS_RESULTS_H
#define SEPX_RESULTS_RESULTS_H

#include "results/internal.h"

struct sepx_results {
    const unsigned char *bytes;
    size_t len;
    struct sepx__map map; /* {0}: the bytes are the caller's */
    uint32_t graphs, metrics;
    char *space, *names;
    const char **name; /* of each metric, in `names` */
    const unsigned char *keys, *columns, *places, *texts;
    size_t texts_len;
};

enum sepx_err sepx__results_damaged(struct sepx_msg *msg, const char *what);
struct sepx_key sepx__results_key_at(const struct sepx_results *r,
                                     uint32_t entry);

#endif
