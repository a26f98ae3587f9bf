/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of this module share. */
#ifndef SEPX_GED_INTERNAL_H
#define SEPX_GED_INTERNAL_H

#include "base/internal.h"
#include "sepx/ged.h"

#define GED_ROWS_MAX 256     /* nodes, with stand-ins, of the fast search */
#define GED_CODES_MAX 15     /* edge labels of the fast search */
#define GED_CAP_MAX 127      /* distance: doubled, it must fit a byte */
#define GED_TINY 5           /* free nodes of the SIMD tier */
#define GED_TINY_PINS 4      /* pinned labels of the SIMD tier */
#define GED_UNIT 1000000     /* fixed-point steps in a cost of 1 */
#define GED_COST_MAX 1000000 /* of one edit */
#define GED_UNKNOWN INT64_MAX
#define GED_NO_LABEL 0xffff
#define GED_ALIGN 64                   /* bytes: a cache line, and any vector */
#define GED_WORDS(w) (((w) + 63) / 64) /* of a mask of w bits */

/* A graph as the SIMD tier wants it: free nodes in topological order. */
struct ged_tiny {
    uint8_t fits; /* may be used at all */
    uint8_t n_free;
    uint8_t pins;        /* bit p: pinned label p is present */
    uint8_t n_edges;     /* among free nodes */
    uint16_t edge_label; /* of all its edges */
    uint16_t pin_edges;  /* bit 4p+q: edge from pin p to pin q */
    uint16_t edges;      /* bit of each pair (i, k), i < k */
    uint8_t pair[16];    /* 2 where `edges` has its bit */
    uint8_t label_low[8], label_high[8];
    uint8_t pin_mask[8]; /* per free node: edges to and from pins */
    uint8_t node[8];     /* their numbers in the graph */
    uint8_t pin_node[GED_TINY_PINS];
};

/*
 * Nodes whose label is pinned form a class of their own, 1 + its position in
 * the options; all others are class 0. A node is only mapped inside its
 * class.
 */
struct sepx_ged_graph {
    struct ged_tiny tiny;
    uint32_t n, m;
    uint32_t width;   /* bytes of a row; 0: too large for rows */
    uint32_t n_codes; /* distinct edge labels, at least 1 */
    uint16_t *label;  /* of each node; all 0 if labels are ignored */
    uint16_t *class;  /* of each node */
    uint16_t *size;   /* nodes in each class */
    uint16_t *code;   /* edge labels, ascending; position + 1 is the code */
    struct sepx_edge *edge;
    uint8_t *edge_code; /* of each edge; NULL if width is 0 */
    /* rows of `width` bytes, 0 where there is no node */
    uint8_t *out, *in; /* code of the edge i->j, j->i; row n is zero */
    uint8_t *degree;   /* GED_DEGREES(n_codes) rows: out, then in */
    uint8_t *label_low, *label_high;
    uint64_t *twins; /* earlier nodes that a node can be swapped with */
};

/*
 * Degree rows in each direction: one for each edge label, and one for all
 * edges if there are several labels.
 */
#define GED_DEGREES(codes) ((codes) == 1 ? 1 : (codes) + 1)

/* Costs in steps of 1 / GED_UNIT. */
struct ged_relabel {
    uint16_t from, to;
    int64_t cost;
};

struct ged_table { /* ascending by labels, owned */
    struct ged_relabel *row;
    size_t count;
};

struct ged_costs {
    bool unit;
    int64_t node_insert, node_delete, node_relabel;
    int64_t edge_insert, edge_delete, edge_relabel;
    struct ged_table node, edge;
};

struct sepx_ged {
    uint16_t *pinned;
    uint32_t n_pinned;
    bool ignore_labels;
    bool plain;
    bool simd; /* this processor has what tiny.c needs */
    struct ged_costs costs;
    struct ged_tables *tables; /* of tiny.c, NULL without SIMD */
    void *memory;              /* of the search, grown on demand */
    size_t room;
    int16_t *map; /* the last result */
    size_t map_room;
    int16_t *draw; /* a map drawn from several */
    size_t draw_room;
};

/*
 * How far a search may go, and what it found. Costs are in whole edits for
 * search.c, in steps of 1 / GED_UNIT everywhere else.
 */
struct ged_task {
    const struct sepx_ged_graph *a, *b;
    double deadline;     /* on sepx_clock(); 0: none */
    uint64_t node_limit; /* 0: none */
    int64_t cap;         /* only solutions up to this cost are wanted */
    /* what is known, before and after */
    int64_t lower, upper; /* upper may be GED_UNKNOWN */
    int16_t *map;         /* of cost `upper` */
    uint64_t nodes;
    bool stopped; /* by a limit */
    /* enumeration: every map of cost `cap`, or NULL */
    bool (*visit)(void *context, const int16_t *map);
    void *context;
};

/* prepare.c */
/*
 * Place `size` bytes behind `base` at *used, which moves on to the next
 * multiple of GED_ALIGN. With a NULL base it only counts.
 */
void *sepx__ged_take(uint8_t *base, size_t *used, size_t size);
SEPX_CHECKED enum sepx_err
sepx__ged_prepare(const struct sepx_ged *ged, struct sepx_ged_graph **ready,
                  uint32_t n, const uint16_t *label, uint32_t m,
                  const struct sepx_edge *edge, const uint16_t *codes,
                  uint32_t n_codes);
/* Nodes of the padded problem: each class as large as its larger side. */
uint32_t sepx__ged_padded(const struct sepx_ged *ged,
                          const struct sepx_ged_graph *a,
                          const struct sepx_ged_graph *b);

/* Bytes of a row for n nodes; 0 if n is above GED_ROWS_MAX. */
uint32_t sepx__ged_width(uint32_t n);

/* tiny.c: false if the pair does not fit */
SEPX_CHECKED enum sepx_err sepx__ged_tiny_new(struct sepx_ged *ged);
void sepx__ged_tiny_ready(const struct sepx_ged *ged,
                          struct sepx_ged_graph *ready);
unsigned sepx__ged_tiny_distance(const struct sepx_ged *ged,
                                 const struct sepx_ged_graph *a,
                                 const struct sepx_ged_graph *b, int16_t *map,
                                 struct sepx_rng *rng);

/* search.c: unit costs, at most GED_ROWS_MAX padded nodes. */
SEPX_CHECKED enum sepx_err sepx__ged_search_base(struct sepx_ged *ged,
                                                 struct ged_task *task);
SEPX_CHECKED enum sepx_err sepx__ged_search_avx2(struct sepx_ged *ged,
                                                 struct ged_task *task);

/* ged.c: visit all maps of the distance in `result`. */
SEPX_CHECKED enum sepx_err
sepx__ged_visit(struct sepx_ged *ged, const struct sepx_ged_result *result,
                const struct sepx_ged_graph *a, const struct sepx_ged_graph *b,
                const struct sepx_ged_limits *limits,
                bool (*visit)(void *context, const int16_t *map),
                void *context);
/* A random optimal map by tiny.c; false if the pair does not fit there. */
bool sepx__ged_draw_tiny(struct sepx_ged *ged, struct sepx_ged_result *result,
                         const struct sepx_ged_graph *a,
                         const struct sepx_ged_graph *b, struct sepx_rng *rng,
                         enum sepx_err *err);

/* general.c: any costs, any size; always leaves a map behind. */
SEPX_CHECKED enum sepx_err sepx__ged_general(struct sepx_ged *ged,
                                             struct ged_task *task);

#endif
