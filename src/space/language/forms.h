/* SPDX-License-Identifier: Apache-2.0 */
/* Forms of a space of a file: labels in stored order, and possible edges. */
#ifndef SEPX_SPACE_FORMS_H
#define SEPX_SPACE_FORMS_H

#include "space/language/language.h"

#define PARTS_MAX (3 * GROUPS_MAX)
#define SHAPES_MAX 4096

/* How many nodes each part (inputs, inner nodes, outputs) of a group has. */
struct shape {
    uint8_t nodes[PARTS_MAX];
    double log_forms; /* natural logarithm, as all here */
    double log_orders;
};

struct forms {
    const struct custom *c;
    uint32_t n_parts;
    double choose[NODES + 1][NODES + 1];
    /* Sequences of n labels: of a part; of its labels behind label i. */
    double words[PARTS_MAX][NODES + 1], rest[SEPX__LABELS_MAX][NODES + 1];
    struct shape *shape;
    size_t count, room;
    bool complete;    /* not more than SHAPES_MAX */
    double log_total; /* forms in all, valid or not */
};

SEPX_CHECKED enum sepx_err sepx__forms_init(struct forms *forms,
                                            const struct custom *c);
void sepx__forms_release(struct forms *forms);
/* A random form; returns the logarithm of one over its chance. */
double sepx__forms_draw(const struct forms *forms, struct cells *cells,
                        size_t *shape, struct sepx_rng *rng);
/* Places of edges in a graph with these labels; from[], to[] may be NULL. */
uint32_t sepx__forms_places(const struct custom *c, const struct cells *cells,
                            uint8_t *from, uint8_t *to);

#endif
