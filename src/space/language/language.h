/* SPDX-License-Identifier: Apache-2.0 */
/* A space that a file describes: what its parts share. */
#ifndef SEPX_SPACE_CUSTOM_H
#define SEPX_SPACE_CUSTOM_H

#include "space/internal.h"

#define NODES SEPX__SPACE_NODES
#define GROUPS_MAX 16
#define EDGE_LABELS_MAX 100
#define TARGETS_MAX 64
#define REQUIRED_MAX 32
#define UNLIMITED UINT32_MAX
#define SEPX__REPAIRS 40 /* steps for a mutant or child */

struct range {
    uint32_t min, max;
};

/* Where "connected" matters. */
enum connected {
    CONNECTED_REQUIRED,
    CONNECTED_PRUNED,
    CONNECTED_IGNORED,
    CONNECTED_TO_OUTPUT
};

/* clang-format off */
#define CHANGES(X) /* enum, name, what a person reads */ \
    X(FLIP_EDGE, "flip_edge", "an edge more or less") \
    X(MOVE_EDGE, "move_edge", "an edge with another source or target") \
    X(RELABEL_NODE, "relabel_node", "another label at a node") \
    X(SWAP_LABELS, "swap_labels", "two nodes exchange their labels") \
    X(RELABEL_EDGE, "relabel_edge", "another label at an edge") \
    X(INSERT_NODE, "insert_node", "a node put into an edge") \
    X(DELETE_NODE, "delete_node", "a node bypassed and taken out")
/* clang-format on */

#define X(name, key, text) name,
enum change { CHANGES(X) N_CHANGES };
#undef X

/* What all graphs of the space say of an edge between two places. */
enum edge_is { EDGE_NEVER, EDGE_FREE, EDGE_ALWAYS };

/* How a node's inputs become what it gives, in shapes.c. */
enum join { JOIN_ADD, JOIN_CONCAT, JOIN_FLAT, JOIN_ANY };

/* What the file says of a node label. */
struct label_rule {
    struct range count, in, out;
    uint8_t group;
    enum join join;
    double stride;     /* its field, or 1 */
    uint32_t channels; /* its field; 0: as many as come in */
};

/* Nodes of some labels lead to a node of some others. */
struct edge_rule {
    const char *from, *to;
    bool is_from[SEPX__LABELS_MAX], is_to[SEPX__LABELS_MAX];
};

struct group_rule {
    const char *name;
    struct range nodes, edges;
};

struct custom {
    struct sepx__space_ops ops; /* the space's own row */
    const char *description;
    struct sepx__label label[SEPX__LABELS_MAX];
    struct label_rule rule[SEPX__LABELS_MAX];
    const char *edge_text[EDGE_LABELS_MAX + 1]; /* NULL-ended, "" left out */
    uint16_t edge_label[EDGE_LABELS_MAX];       /* numbers; 0: no label */
    uint8_t n_edge_labels;                      /* at least 1 */
    struct group_rule group[GROUPS_MAX];
    uint8_t n_groups; /* at least 1; named[0] is NULL if none is named */
    bool link[GROUPS_MAX][GROUPS_MAX];
    struct range nodes, edges;
    enum connected connected;
    struct edge_rule required[REQUIRED_MAX];
    uint8_t n_required;
    struct {
        bool given, check;
        const char *stride, *channels; /* names of the fields */
        struct range total;            /* stride from inputs to outputs */
    } shapes;
    struct sepx_field_weight *field; /* of labels, where relabelling costs */
    size_t n_fields;                 /* a share; 0: it costs 1 */
    struct {
        struct range nodes;
        double edge;
    } sample;
    bool repair;      /* plain draws are seldom valid */
    bool set_repair;  /* the file says which */
    bool has_starts;  /* the file has the key */
    bool only_starts; /* graphs have more nodes than can be drawn */
    bool from_starts; /* no draw was valid: samples are changed start graphs */
    struct {
        double each[N_CHANGES]; /* probability at each place */
        double weight[N_CHANGES];
        struct range changes;
        uint32_t fill; /* nodes before anything else is done; or 0 */
        bool given;
    } mutation;
    struct sepx_graphs start, target;
    const char *target_name[TARGETS_MAX + 1];
    uint8_t slots[NODES]; /* role and group of each place of a vector */
    uint8_t edge_is[NODES][NODES]; /* of two such places: enum edge_is */
    char **text;                   /* what the pointers above point to */
    size_t n_texts, text_room;
};

static inline const struct custom *
custom_of(const struct sepx_space *space)
{
    return space->state;
}

/* Whether every node must be on a path. */
static inline bool
needs_path(const struct custom *c)
{
    return c->connected == CONNECTED_REQUIRED ||
           c->connected == CONNECTED_TO_OUTPUT;
}

/* Of which kind: "from an input to an output". */
static inline const char *
path_text(const struct custom *c)
{
    return c->connected == CONNECTED_TO_OUTPUT ? "to an output"
                                               : "from an input to an output";
}

static inline bool
in_range(struct range range, uint32_t value)
{
    return value >= range.min && value <= range.max;
}

/* ---- graphs as tables ---- */

/* A graph while it is made: label k of the space's edges is k + 1. */
struct cells {
    uint32_t n;
    uint16_t label[NODES];
    uint8_t at[NODES][NODES];
};

void sepx__cells_read(const struct custom *c, struct cells *cells,
                      const struct sepx_graph *graph);
SEPX_CHECKED enum sepx_err sepx__cells_write(const struct sepx_space *space,
                                             struct sepx_graph *graph,
                                             const struct cells *cells);
void sepx__cells_rows(const struct cells *cells, struct sepx__rows *rows);
/* A bare node at place `at`; later ones move up. */
void sepx__cells_insert(struct cells *cells, uint32_t at, uint16_t label);
void sepx__cells_remove(struct cells *cells, uint32_t at);
/* Without the nodes that are on no path. */
void sepx__cells_prune(const struct custom *c, struct cells *cells);
/* Whether labels allow an edge, whatever the degrees. */
bool sepx__may_join(const struct custom *c, uint16_t from, uint16_t to);
/* The same for places: in acyclic spaces edges lead to later ones. */
bool sepx__may_edge(const struct custom *c, const struct cells *cells,
                    uint32_t from, uint32_t to);
/* A cell's value with a random edge label. */
uint8_t sepx__random_edge(const struct custom *c, struct sepx_rng *rng);

/* ---- validity ---- */

bool sepx__custom_check(const struct sepx_space *space,
                        const struct sepx_graph *graph,
                        const struct sepx__rows *rows, struct sepx_msg *msg);
bool sepx__custom_check_wide(const struct sepx_space *space,
                             const struct sepx_graph *graph, const bool *live,
                             struct sepx_msg *msg);
enum sepx_err sepx__custom_mutate_wide(const struct sepx_space *space,
                                       struct sepx_graph *child,
                                       struct sepx_rng *rng);
/* Nodes that limits look at. */
uint64_t sepx__custom_live(const struct custom *c, const uint16_t *label,
                           const struct sepx__rows *rows);
/*
 * Rules about the whole of an acyclic graph: required edges, strides, shapes.
 * `counts`: nodes that rules look at. Takes O(edges log edges).
 */
bool sepx__custom_check_whole(const struct custom *c,
                              const struct sepx_graph *graph,
                              const bool *counts, struct sepx_msg *msg);
/* Whether there are such rules. */
bool sepx__custom_has_whole(const struct custom *c);
/* How far edges, degrees and paths are from valid; 0: they are. */
uint32_t sepx__custom_faults(const struct custom *c, const uint16_t *label,
                             const struct sepx__rows *rows);

/* ---- drawing ---- */

/* Labels of a new graph in stored order; none of the limits is broken. */
void sepx__draw_labels(const struct custom *c, struct cells *cells,
                       struct sepx_rng *rng);
enum sepx_err sepx__custom_sample(const struct sepx_space *space,
                                  struct sepx_graph *graph,
                                  struct sepx_rng *rng);
enum sepx_err
sepx__custom_mutate(const struct sepx_space *space, struct sepx_graph *child,
                    const struct sepx_rules *rules, struct sepx_rng *rng);
/* Change edges until none is at fault, `steps` times at most. */
bool sepx__custom_repair(const struct custom *c, struct cells *cells,
                         uint32_t steps, struct sepx_rng *rng);
enum sepx_err sepx__custom_mend(const struct sepx_space *space,
                                struct sepx_graph *child);
/* Settings that the file leaves open; fails if no graph is found. */
SEPX_CHECKED enum sepx_err sepx__custom_settle(struct sepx_space *space,
                                               struct custom *c,
                                               struct sepx_msg *msg);

/* ---- local search and vectors ---- */

uint32_t sepx__custom_moves(const struct sepx_space *space,
                            const struct sepx_graph *graph);
enum sepx_err sepx__custom_move(const struct sepx_space *space,
                                struct sepx_graph *graph, uint32_t move);
/* Fills in the row's members if every graph has a vector. */
void sepx__custom_vectors(struct custom *c);

/* ---- the file ---- */

/* `c` is {0}; the caller releases it in any case. */
SEPX_CHECKED enum sepx_err
sepx__custom_read(struct sepx_space *space, struct custom *c, const char *bytes,
                  size_t len, const char *name, struct sepx_msg *msg);
SEPX_CHECKED enum sepx_err sepx__custom_write(struct sepx_text *text,
                                              const struct sepx_space *space);
/* In words. */
SEPX_CHECKED enum sepx_err sepx__custom_explain(struct sepx_text *text,
                                                const struct sepx_space *space);
/* Texts of the ways to join inputs, ended by NULL. */
extern const char *const sepx__join_keys[];
/* A copy that lives as long as the space; NULL: no memory. */
const char *sepx__custom_keep(struct custom *c, const char *text);
extern const char *const sepx__change_keys[N_CHANGES + 1];

#endif
