/* SPDX-License-Identifier: Apache-2.0 */
/* An index as its files see it. */
#ifndef SEPX_GED_INDEX_INTERNAL_H
#define SEPX_GED_INDEX_INTERNAL_H

#include "base/bytes.h"
#include "ged/internal.h"
#include "sepx/ged_index.h"

struct sepx_ged_index {
    struct sepx_names *names;
    struct sepx__map map; /* {0}: the bytes are the caller's */
    const unsigned char *bytes, *place;
    size_t len, count;
    bool undirected;
    uint32_t n_labels;
    uint16_t *label; /* the names' number of each label */
};

/* One graph where it lies; see index.c. Lists of 16-bit numbers. */
struct index_graph {
    uint32_t n, m, name_len;
    const unsigned char *label, *edge;
    const unsigned char *labels, *codes, *degrees; /* ascending */
    const unsigned char *name;
};

void sepx__index_graph(const struct sepx_ged_index *index,
                       struct index_graph *graph, size_t number);

#endif
