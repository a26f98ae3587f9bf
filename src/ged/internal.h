/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of this module share. */
#ifndef SEPX_GED_INTERNAL_H
#define SEPX_GED_INTERNAL_H

#include "base/internal.h"
#include "graph/internal.h"
#include "sepx/ged.h"

#define GED_ROWS_MAX 256     /* nodes, with stand-ins, of the fast search */
#define GED_CODES_MAX 15     /* edge labels of the fast search */
#define GED_CAP_MAX 127      /* distance: doubled, it must fit a byte */
#define GED_TINY 5           /* free nodes of the SIMD tier */
#define GED_TINY_PINS 4      /* pinned labels of the SIMD tier */
#define GED_NUMBERED 24      /* nodes; smaller graphs keep their order */
#define GED_SMALL 32         /* nodes; up to this the byte rows are first */
#define GED_UNIT 1000000     /* steps of an edit, at unit costs */
#define GED_COST_MAX 1000000 /* of one edit */
#define GED_UNKNOWN INT64_MAX
#define GED_NEVER (INT64_MAX / 4) /* steps of a forbidden substitution */
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
    uint32_t n_edges; /* m, or more if some of the m are bundles */
    bool undirected;  /* each edge listed once, its ends in any order */
    bool parallel;    /* some of the m edges are: see bundle.c */
    /* bytes of a row; 0: too large for rows, has self-loops or `parallel` */
    uint32_t width;
    uint32_t n_classes;
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
    /* undirected: `out` is symmetric, its degrees come second, `in` is 0 */
    uint8_t *label_low, *label_high;
    uint64_t *twins; /* earlier nodes that a node can be swapped with */
};

/*
 * Degree rows in each direction: one for each edge label, and one for all
 * edges if there are several labels.
 */
#define GED_DEGREES(codes) ((codes) == 1 ? 1 : (codes) + 1)

/* Costs in steps. A row of insertions or deletions has its label in `from`. */
struct ged_relabel {
    uint16_t from, to;
    int64_t cost;
};

struct ged_table { /* ascending by labels, owned */
    struct ged_relabel *row;
    size_t count;
};

/*
 * Costs of a pair of graphs: labels of the first are 0 .. rows - 1, those of
 * the second follow. No rows: not in use. Owned.
 */
struct ged_dense {
    uint32_t rows, columns;
    int64_t *remove, *insert;
    int64_t *become; /* `rows` by `columns` */
};

struct ged_field {
    char *name;
    int64_t cost; /* of relabelling what differs in this field */
};

struct ged_fields { /* owned */
    struct ged_field *field;
    size_t count;
};

/* What edits of nodes cost, or those of edges. */
struct ged_kind {
    int64_t insert, remove, relabel;
    struct ged_table inserts, removes, relabels;
    struct ged_dense dense;
    struct ged_fields fields;
};

/*
 * The edges between two nodes: one, or several that are parallel; and where
 * they are among the bundles of the first and of the second graph of a pair.
 */
struct ged_bundle {
    const struct sepx_edge *edge;
    uint32_t size;
    uint16_t place[2];
};

/* Room to match two bags of edges, the largest that it was made for. */
struct ged_bags {
    const struct ged_task *task; /* polled by long matchings; NULL: no limit */
    bool cut;                    /* one of them was ended by that */
    bool alike;                  /* edges of all labels cost the same */
    struct ged_heap *x, *y;      /* by label */
    uint32_t n_x, n_y;
    int64_t *weight; /* n_x rows: what a pair of edges saves */
    uint32_t *flow;  /* pairs of edges matched */
};

/* All different bundles of two graphs, large ones first. {0} is empty. */
struct ged_bundles {
    struct ged_bundle *bundle;
    uint32_t count, n_multi; /* n_multi have several edges */
    uint32_t columns;        /* of those, in the second graph */
    int64_t *saved;          /* by places, plus 1; 0: not known yet */
    struct ged_bags *bags;
};

struct ged_costs {
    bool unit;                         /* each edit is GED_UNIT steps */
    bool rounded;                      /* costs are steps only roughly */
    double num, den;                   /* a cost is its steps * num / den */
    double one;                        /* cost of an edit, if `unit` */
    const struct ged_bundles *bundles; /* of a pair; else NULL */
    const struct sepx_names *names;    /* for fields */
    struct ged_kind node, edge;
};

struct sepx_ged {
    uint16_t *pinned;
    uint32_t n_pinned;
    bool ignore_labels;
    bool plain;
    bool rough;
    bool simd; /* this processor has what tiny.c needs */
    struct ged_costs costs;
    struct ged_tables *tables; /* of tiny.c, NULL without SIMD */
    void *memory;              /* of the search, grown on demand */
    size_t room;
    int16_t *map;  /* the last result */
    int64_t steps; /* its cost */
    size_t map_room;
    /* rooted.c: classes from `first_root` on are mapped, at so much more */
    uint32_t first_root; /* 0: there are none */
    double extra;
    int16_t *start; /* a map to begin with, or NULL */
    uint32_t n_start;
    int16_t *draw; /* a map drawn from several */
    size_t draw_room;
};

/* What ends a search from outside: a time, or the one who watches. */
struct ged_watch {
    double deadline; /* on sepx_clock(); 0: none */
    bool (*call)(void *context, double lower, double upper); /* or NULL */
    void *context;
    double due;          /* when it is called next */
    double lower, upper; /* as it was told last */
    bool ended;          /* it returned false */
    double extra;        /* added to what it is told */
};

/*
 * Both graphs of a task with their nodes in another order, of the first and
 * of the second. {0} is empty; sepx__ged_numbers_release() ends it.
 */
struct ged_numbers {
    struct sepx_ged_graph *graph[2]; /* NULL: the order is as it was */
    uint32_t *at[2];                 /* the old number of each node */
    uint32_t *place[2];              /* the new one of each old number */
    void *memory;
};

/*
 * How far a search may go, and what it found. Costs are in whole edits for
 * row_search.c, in steps everywhere else.
 */
struct ged_task {
    const struct sepx_ged_graph *a, *b;
    const struct ged_costs *costs;
    const struct ged_numbers *numbers; /* NULL: the graphs are as given */
    uint32_t padded;                   /* sepx__ged_padded() of both */
    struct ged_watch *watch;
    double step;         /* cost of a step */
    uint64_t node_limit; /* 0: none */
    unsigned threads;    /* 0: one */
    int64_t cap;         /* only solutions up to this cost are wanted */
    bool brief;          /* a good map soon, no proof */
    bool begun;          /* the byte rows had their first turn */
    /* what is known, before and after */
    int64_t lower, upper; /* upper may be GED_UNKNOWN */
    int16_t *map;         /* of cost `upper` */
    uint64_t nodes;
    bool stopped;   /* by a limit */
    bool too_large; /* for a proof: no tree was searched */
    /* enumeration: every map of cost `cap`, or NULL */
    bool (*visit)(void *context, const int16_t *map);
    void *context;
};

/* watch.c */
void sepx__ged_watch_init(struct ged_watch *watch,
                          const struct sepx_ged_limits *limits);
/*
 * Whether the deadline has passed or the watcher ends the task; it is told
 * the task's bounds if they are new to it, and every so often.
 */
bool sepx__ged_is_over(const struct ged_task *task);
/* The same inside loops: polls once `work` has grown enough. */
bool sepx__ged_is_over_by(const struct ged_task *task, uint64_t *work,
                          uint64_t more);

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
                  uint32_t n_codes, bool undirected);
/* The same graph with node at[i] as node i; place[at[i]] is i. */
SEPX_CHECKED enum sepx_err
sepx__ged_reorder(struct sepx_ged_graph **to, const struct sepx_ged_graph *from,
                  const uint32_t *at, const uint32_t *place);
/* Nodes of the padded problem: each class as large as its larger side. */
uint32_t sepx__ged_padded(const struct sepx_ged *ged,
                          const struct sepx_ged_graph *a,
                          const struct sepx_ged_graph *b);

/* Bytes of a row for n nodes; 0 if n is above GED_ROWS_MAX. */
uint32_t sepx__ged_width(uint32_t n);

/* bundle.c */
/*
 * Copies of two graphs without parallel edges, whose edge labels are numbers
 * of bundles: what they cost is said by `costs` with `bundles` in it. The
 * old graphs must outlive these.
 */
SEPX_CHECKED enum sepx_err
sepx__ged_bundle(const struct sepx_ged *ged, const struct ged_costs *costs,
                 struct ged_bundles *bundles, struct sepx_ged_graph **a,
                 struct sepx_ged_graph **b, const struct sepx_ged_graph *old_a,
                 const struct sepx_ged_graph *old_b);
void sepx__ged_bundles_release(struct ged_bundles *bundles);
/*
 * Match all bundles of both graphs, if there are bundles; false if the task
 * is over first. From then on several threads may ask what they save.
 */
bool sepx__ged_match_bundles(const struct ged_task *task);
/*
 * What turning edge label (or bundle) x into y saves, compared with deleting
 * x and inserting y; at least 0.
 */
int64_t sepx__ged_saved(const struct ged_costs *costs, uint16_t x, uint16_t y);
/* What the edges of a label (or bundle) cost to delete, or to insert. */
int64_t sepx__ged_edge_price(const struct ged_costs *costs, uint16_t label,
                             bool insert);

/* bags.c */
/* For bags of up to x and y different labels. To be freed after a failure. */
SEPX_CHECKED enum sepx_err sepx__ged_bags_new(struct ged_bags **bags,
                                              const struct ged_costs *costs,
                                              uint32_t x, uint32_t y);
void sepx__ged_bags_free(struct ged_bags *bags);
/* The saving of turning bag x into y; too small once bags->cut is set. */
int64_t
sepx__ged_bags_match(struct ged_bags *bags, const struct ged_costs *costs,
                     const struct ged_bundle *x, const struct ged_bundle *y);
int64_t sepx__ged_label_saved(const struct ged_costs *costs, uint16_t x,
                              uint16_t y);

/* costs.c */
/* From the public form; SEPX_EINVAL for what is no cost. */
SEPX_CHECKED enum sepx_err sepx__ged_costs_init(struct ged_costs *to,
                                                const struct sepx_costs *from);
void sepx__ged_costs_release(struct ged_costs *costs);
void sepx__ged_dense_release(struct ged_dense *dense);
/*
 * How many steps a cost of 1 has, so that all costs seen are whole numbers
 * of them, or rounded by no more than `most_steps` allow.
 */
struct ged_scale {
    double steps, most;
    bool whole;
};
void sepx__ged_scale_see(struct ged_scale *scale, double cost);
void sepx__ged_scale_end(struct ged_scale *scale, double most,
                         double most_steps);
/* The row of a table, or `otherwise`. */
int64_t sepx__ged_table_cost(const struct ged_table *table, uint16_t from,
                             uint16_t to, int64_t otherwise);
int64_t sepx__ged_price(const struct ged_kind *kind, uint16_t label,
                        bool insert);
/* Of turning x into y; GED_NEVER if that is forbidden. */
int64_t sepx__ged_become(const struct ged_kind *kind, uint16_t x, uint16_t y);

/* fields.c */
SEPX_CHECKED enum sepx_err
sepx__ged_fields_init(struct ged_fields *to,
                      const struct sepx_field_weight *weight, size_t count,
                      double relabel, double steps);
void sepx__ged_fields_release(struct ged_fields *fields);
/*
 * Tables of what fields say about the labels of two graphs, nothing if there
 * are no fields. The caller's.
 */
SEPX_CHECKED enum sepx_err
sepx__ged_compile(const struct ged_costs *costs, const struct sepx_ged_graph *a,
                  const struct sepx_ged_graph *b, struct ged_table *node,
                  struct ged_table *edge);

/* tiny.c: false if the pair does not fit */
SEPX_CHECKED enum sepx_err sepx__ged_tiny_new(struct sepx_ged *ged);
void sepx__ged_tiny_ready(const struct sepx_ged *ged,
                          struct sepx_ged_graph *ready);
unsigned sepx__ged_tiny_distance(const struct sepx_ged *ged,
                                 const struct sepx_ged_graph *a,
                                 const struct sepx_ged_graph *b, int16_t *map,
                                 struct sepx_rng *rng);

/* row_search.c: unit costs, at most GED_ROWS_MAX padded nodes. */
SEPX_CHECKED enum sepx_err sepx__ged_search_base(struct sepx_ged *ged,
                                                 struct ged_task *task);
SEPX_CHECKED enum sepx_err sepx__ged_search_avx2(struct sepx_ged *ged,
                                                 struct ged_task *task);

/* ged.c: visit all maps of the distance that was found last, for a and b. */
SEPX_CHECKED enum sepx_err
sepx__ged_visit(struct sepx_ged *ged, const struct sepx_ged_graph *a,
                const struct sepx_ged_graph *b,
                const struct sepx_ged_limits *limits,
                bool (*visit)(void *context, const int16_t *map),
                void *context);
/* Steps of one given map, fit or not for the roots. SEPX_EINVAL: no map. */
SEPX_CHECKED enum sepx_err
sepx__ged_map_steps(struct sepx_ged *ged, int64_t *steps,
                    const struct sepx_ged_graph *a,
                    const struct sepx_ged_graph *b, const int16_t *map);
/* A random optimal map by tiny.c; false if the pair does not fit there. */
bool sepx__ged_draw_tiny(struct sepx_ged *ged, struct sepx_ged_result *result,
                         const struct sepx_ged_graph *a,
                         const struct sepx_ged_graph *b, struct sepx_rng *rng,
                         enum sepx_err *err);

/*
 * align/renumber.c: an order of the nodes of both graphs that depends on what
 * they are, not on how they are numbered, if they are acyclic and not small.
 */
SEPX_CHECKED enum sepx_err sepx__ged_renumber(struct ged_numbers *numbers,
                                              const struct ged_task *task);
void sepx__ged_numbers_release(struct ged_numbers *numbers);
/* A map in new numbers from one in old ones, or back. */
void sepx__ged_numbers_map(const struct ged_numbers *numbers, int16_t *to,
                           const int16_t *from, bool back);

/* portfolio.c: any costs, any size; always leaves a map behind. */
SEPX_CHECKED enum sepx_err sepx__ged_solve(struct sepx_ged *ged,
                                           struct ged_task *task);

/*
 * polish.c: unit costs, at most GED_ROWS_MAX padded nodes. A better map for a
 * search that ran out of nodes, about as long again. Costs are in steps.
 */
SEPX_CHECKED enum sepx_err sepx__ged_polish(const struct sepx_ged *ged,
                                            struct ged_task *task);

#endif
