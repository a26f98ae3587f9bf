/* SPDX-License-Identifier: Apache-2.0 */
/* What the spaces share, and operators may use. */
#ifndef SEPX_SPACE_INTERNAL_H
#define SEPX_SPACE_INTERNAL_H

#include "base/internal.h"
#include "base/parts.h"
#include "graph/internal.h"
#include "space/private.h"

#define SEPX__SPACE_NODES 64  /* of a graph as bit rows */
#define SEPX__WIDE_NODES 1024 /* of one as lists, in spaces of files */
#define SEPX__LABELS_MAX 512  /* of one space */

/* ---- graphs as bit sets ---- */

/* Neighbours of each node. */
struct sepx__rows {
    uint32_t n;
    uint64_t out[SEPX__SPACE_NODES], in[SEPX__SPACE_NODES];
};

/* The graph has at most SEPX__SPACE_NODES nodes. */
void sepx__rows_init(struct sepx__rows *rows, const struct sepx_graph *graph);
bool sepx__rows_acyclic(const struct sepx__rows *rows);
/* Nodes that can be reached from `from`, or that reach it; with `from`. */
uint64_t sepx__rows_after(const struct sepx__rows *rows, uint64_t from);
uint64_t sepx__rows_before(const struct sepx__rows *rows, uint64_t from);

static inline uint64_t
sepx__bit(uint32_t i)
{
    return (uint64_t)1 << i;
}

/* The smallest member, taken out; `set` is not empty. */
static inline uint32_t
sepx__take_lowest(uint64_t *set)
{
    uint32_t i = (uint32_t)__builtin_ctzll(*set);

    *set &= *set - 1;
    return i;
}

static inline uint32_t
sepx__count(uint64_t set)
{
    return (uint32_t)__builtin_popcountll(set);
}

/* ---- a space ---- */

enum sepx__role {
    SEPX__INNER,
    SEPX__INPUT,
    SEPX__OUTPUT,
    SEPX__MARK /* an output that distances of experiments do not see */
};

/*
 * A node label. Stored graphs have their nodes ascending by group; no valid
 * graph has an edge to a lower one.
 */
struct sepx__label {
    const char *text;
    enum sepx__role role;
    uint8_t group;
    bool pinned;
};

/* A target or example, ended by a node without label and an edge 0-0. */
struct sepx__sketch {
    const char *name;
    const uint16_t *node;
    const uint8_t (*edge)[2];
};

struct sepx__space_ops {
    struct sepx_space_info info;
    const struct sepx__label *label; /* label i has the number i + 1 */
    uint16_t n_labels;
    const char *const *edge_label;      /* numbers follow; NULL-ended or NULL */
    uint16_t nodes_max;                 /* of a valid graph */
    const struct sepx__sketch *targets; /* ended by a NULL name; or NULL */
    bool drop_inputs;                   /* stored only if they are used */
    bool plain_edges;  /* edge labels are not measured either */
    bool accept_order; /* accept() looks at the order of the nodes */
    bool free_mutants; /* published mutants need not be valid */
    bool cyclic;       /* edges may lead back */
    bool unconnected;  /* paths from inputs to outputs play no part */
    bool sources;      /* paths to outputs may begin at any node */
    bool prune;        /* children lose their dead nodes before the check */
    /* Labels are known and no forbidden cycle is there: the rest. */
    bool (*check)(const struct sepx_space *space,
                  const struct sepx_graph *graph, const struct sepx__rows *rows,
                  struct sepx_msg *msg);
    /*
     * The same for acyclic graphs above SEPX__SPACE_NODES nodes, with the
     * nodes that are live; NULL: the space has none.
     */
    bool (*check_wide)(const struct sepx_space *space,
                       const struct sepx_graph *graph, const bool *live,
                       struct sepx_msg *msg);
    /* One draw of such a graph's mutant, valid or not. */
    enum sepx_err (*mutate_wide)(const struct sepx_space *space,
                                 struct sepx_graph *child,
                                 struct sepx_rng *rng);
    /* The authors' test of a child, in its order; NULL: check(). */
    bool (*accept)(const struct sepx_space *space,
                   const struct sepx_graph *graph,
                   const struct sepx__rows *rows, struct sepx_msg *msg);
    /* One draw, valid or not; sepx_space_sample() repeats it until it is. */
    enum sepx_err (*sample)(const struct sepx_space *space,
                            struct sepx_graph *graph, struct sepx_rng *rng);
    /* One draw; `child` is a copy of the parent in the order to use. */
    enum sepx_err (*mutate)(const struct sepx_space *space,
                            struct sepx_graph *child,
                            const struct sepx_rules *rules,
                            struct sepx_rng *rng);
    /*
     * The authors' crossover on a code of their own, if they have one. Not
     * *good: no child at all.
     */
    enum sepx_err (*mix)(const struct sepx_space *space,
                         struct sepx_graph *child, bool *good,
                         const struct sepx_graph *a, const struct sepx_graph *b,
                         struct sepx_rng *rng);
    uint32_t (*moves)(const struct sepx_space *space,
                      const struct sepx_graph *graph);
    /* Change edges of an invalid child, in stored order; NULL: not here. */
    enum sepx_err (*mend)(const struct sepx_space *space,
                          struct sepx_graph *child);
    /* `graph` is changed; only its validity is left to the caller. */
    enum sepx_err (*move)(const struct sepx_space *space,
                          struct sepx_graph *graph, uint32_t move);
    /* Of a vector; all NULL if there is no encoding. */
    uint32_t n_variables;
    uint32_t (*choices)(const struct sepx_space *space, uint32_t variable);
    void (*variable)(const struct sepx_space *space, uint32_t variable,
                     char *room, size_t size);
    enum sepx_err (*decode)(const struct sepx_space *space,
                            struct sepx_graph *graph, bool *valid,
                            const uint16_t *value, struct sepx_msg *msg);
    /* `graph` is valid and in its stored order. */
    enum sepx_err (*encode)(const struct sepx_space *space, uint16_t *value,
                            const struct sepx_graph *graph);
    /* A target by its place in info.targets; NULL: `targets` has them. */
    enum sepx_err (*target)(const struct sepx_space *space,
                            struct sepx_graph *graph, size_t which);
    const char *file; /* the same as a file, or NULL */
    const char
        *text; /* all of it, as a file; the rest is empty then; or NULL */
    void (*release)(struct sepx_space *space); /* NULL: owns nothing */
};

struct sepx_space {
    const struct sepx__space_ops *ops;
    struct sepx_names *names;
    void *state; /* of a space that a file describes */
    struct sepx_stop stop;
    uint16_t pinned[SEPX__LABELS_MAX];
    size_t n_pinned;
};

#define X(name) extern const struct sepx__space_ops sepx__space_##name;
SEPX__NAS_SPACES(X)
#undef X

/* Make an empty space that of a file's text; close it if this fails. */
SEPX_CHECKED enum sepx_err
sepx__custom_open(struct sepx_space *space, const char *bytes, size_t len,
                  const char *name, struct sepx_msg *msg);
/* Labels and their texts into the space's table. */
SEPX_CHECKED enum sepx_err sepx__space_add_names(struct sepx_space *space);

/* The row of a label; unknown ones are inner. */
static inline const struct sepx__label *
sepx__label_row(const struct sepx_space *space, uint16_t label)
{
    static const struct sepx__label unknown = {"", SEPX__INNER, 0, false};

    return label && label <= space->ops->n_labels
               ? &space->ops->label[label - 1]
               : &unknown;
}

/*
 * Whether number of nodes, labels and cycles are as in graphs of the space;
 * `msg` says what is not. What the space asks besides is not looked at.
 */
bool sepx__space_near(const struct sepx_space *space,
                      const struct sepx_graph *graph, struct sepx_msg *msg);

/* Nodes whose role is among the bits of `roles`. */
uint64_t sepx__nodes_of(const struct sepx_space *space,
                        const struct sepx_graph *graph, unsigned roles);
/* Nodes on a path from an input to an output. */
uint64_t sepx__live(const struct sepx_space *space,
                    const struct sepx_graph *graph,
                    const struct sepx__rows *rows);
/* Inner nodes that are not live. */
uint64_t sepx__dangling(const struct sepx_space *space,
                        const struct sepx_graph *graph);

/*
 * An order by `rule`, topological unless it is SEPX_ORDER_KEEP; `grouped`:
 * then groups are made ascending. The graph is acyclic and, if grouped or
 * random, has no edge to a lower group. `fresh` (may be NULL): targets of
 * each node that the LIFO and FIFO rules meet after the others.
 */
SEPX_CHECKED enum sepx_err
sepx__arrange(const struct sepx_space *space, uint32_t *order,
              const struct sepx_graph *graph, const struct sepx__rows *rows,
              const uint64_t *fresh, enum sepx_order rule, bool grouped,
              struct sepx_rng *rng);
/* sepx_space_finish(); `fresh`: edges that the crossover inserted. */
SEPX_CHECKED enum sepx_err
sepx__finish(const struct sepx_space *space, struct sepx_graph *child,
             enum sepx_verdict *verdict, int16_t *place,
             const struct sepx_rules *rules, const uint64_t *fresh,
             struct sepx_rng *rng, struct sepx_msg *msg);
/* Rules for one child: where they leave it to a coin, it falls here. */
static inline struct sepx_rules
sepx__rules_toss(const struct sepx_rules *rules, struct sepx_rng *rng)
{
    struct sepx_rules now = *rules;

    if (now.dangling == SEPX_DANGLING_MIXED)
        now.dangling =
            sepx_rng_u32(rng) & 1 ? SEPX_DANGLING_AVOID : SEPX_DANGLING_KEEP;
    return now;
}

/* ---- wide.c: graphs above SEPX__SPACE_NODES nodes ---- */

/* The first edge that leaves `from`, or where it would be. O(log edges). */
const struct sepx_edge *sepx__first_edge(const struct sepx_graph *graph,
                                         uint32_t from);
SEPX_CHECKED enum sepx_err
sepx__wide_check(const struct sepx_space *space, bool *valid,
                 const struct sepx_graph *graph, struct sepx_msg *msg);
SEPX_CHECKED enum sepx_err
sepx__wide_finish(const struct sepx_space *space, struct sepx_graph *child,
                  enum sepx_verdict *verdict, int16_t *place,
                  const struct sepx_rules *rules, struct sepx_msg *msg);
SEPX_CHECKED enum sepx_err sepx__wide_prune(const struct sepx_space *space,
                                            struct sepx_graph *out,
                                            const struct sepx_graph *graph);
/* SEPX_EINVAL if the graph has a cycle. */
SEPX_CHECKED enum sepx_err
sepx__wide_live(const struct sepx_space *space, bool *live,
                const struct sepx_graph *graph, struct sepx_msg *msg);
/*
 * *good: the rules accept `child`, a mutant of `parent`, which is then in
 * stored order. `child` or `parent` is above SEPX__SPACE_NODES nodes.
 */
SEPX_CHECKED enum sepx_err
sepx__wide_accept(const struct sepx_space *space, struct sepx_graph *child,
                  bool *good, const struct sepx_graph *parent,
                  const struct sepx_rules *rules);
SEPX_CHECKED enum sepx_err
sepx__wide_mutate(const struct sepx_space *space, struct sepx_graph *child,
                  const struct sepx_graph *parent,
                  const struct sepx_rules *rules, struct sepx_rng *rng);

/* sepx_graph_permute() in place. */
void sepx__reorder(struct sepx_graph *graph, const uint32_t *order);
/* The order is topological and groups are ascending. */
bool sepx__is_stored(const struct sepx_space *space,
                     const struct sepx_graph *graph);

/* ---- marks ---- */

bool sepx__has_marks(const struct sepx_space *space);
/* The plain graph, and the mark (a label, or 0) of each of its nodes. */
SEPX_CHECKED enum sepx_err
sepx__marks_split(const struct sepx_space *space, struct sepx_graph *plain,
                  uint16_t *mark, const struct sepx_graph *graph);
/* Add the marks of each node to a plain graph. */
SEPX_CHECKED enum sepx_err sepx__marks_join(const struct sepx_space *space,
                                            struct sepx_graph *graph,
                                            const uint16_t *mark);
/* The last mark's label, which no rule of validity asks for. */
uint16_t sepx__marks_spare(const struct sepx_space *space);

/* A new graph is not what a file said of its parent. */
static inline void
sepx__forget_extra(struct sepx_graph *graph)
{
    sepx__free(graph->extra);
    graph->extra = NULL;
}

/* Make `graph` the `n` labels and, for each node, the set of its targets. */
SEPX_CHECKED enum sepx_err
sepx__graph_fill(struct sepx_graph *graph, const struct sepx_space *space,
                 const uint16_t *label, uint32_t n, const uint64_t *out);

#endif
