/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cells of NAS-Bench-101 in canonical order.
 *
 * Of all topological orders, the canonical one has the smallest sequence of
 * (operation, places of the sources), node by node. It is found place by
 * place: of the nodes that are ready, those with the smallest pair continue, in
 * every order that reaches so far. Twins, nodes with the same operation,
 * sources and targets, need not be told apart.
 */
#include <string.h>

#include "nas/nb101/nb101_internal.h"

#define NODES SEPX_NB101_NODES
#define INNER (NODES - 2)
#define MASKS 8        /* inner nodes and the output; rounded up */
#define ORDERS_MAX 120 /* of 5 inner nodes */
#define OPS_SHIFT (NODES * (NODES - 1) / 2)
#define NODES_SHIFT 29

/* A live graph: inner nodes 0 to n - 1, then the output. */
struct sketch {
    unsigned n;
    uint8_t op[INNER];
    uint8_t first;      /* nodes that the input leads to */
    uint8_t in[MASKS];  /* inner sources */
    uint8_t out[MASKS]; /* targets */
};

/* The start of an order. */
struct start {
    uint8_t placed;      /* set of nodes */
    uint8_t from[MASKS]; /* places of each node's sources so far */
};

static uint8_t
bit(unsigned i)
{
    return (uint8_t)(1u << i);
}

static bool
is_twin(const struct sketch *s, unsigned v, uint8_t others)
{
    for (unsigned u = 0; u < v; u++)
        if ((others & bit(u)) && s->out[u] == s->out[v])
            return true;
    return false;
}

/* Ready nodes with the smallest pair, which is lowered to it. */
static uint8_t
find_next(const struct sketch *s, const struct start *at, unsigned *least)
{
    uint8_t best = 0;

    for (unsigned v = 0; v < s->n; v++) {
        unsigned pair = (unsigned)s->op[v] << 8 | at->from[v];

        if ((at->placed & bit(v)) || (s->in[v] & ~at->placed) || pair > *least)
            continue;
        if (pair < *least)
            best = 0;
        *least = pair;
        if (!is_twin(s, v, best))
            best |= bit(v);
    }
    return best;
}

static void
put(const struct sketch *s, struct start *to, const struct start *at,
    unsigned v, unsigned place)
{
    *to = *at;
    to->placed |= bit(v);
    for (unsigned w = 0; w < MASKS; w++)
        if (s->out[v] & bit(w))
            to->from[w] |= bit(place);
}

/* Keep all starts that have the smallest pair at `place`. */
static unsigned
extend(const struct sketch *s, struct start *to, const struct start *at,
       unsigned count, unsigned place, unsigned *pair)
{
    unsigned made = 0, least = UINT32_MAX;

    for (unsigned i = 0; i < count; i++) {
        unsigned before = least;
        uint8_t next = find_next(s, &at[i], &least);

        if (least < before)
            made = 0;
        for (unsigned v = 0; v < s->n; v++)
            if (next & bit(v))
                put(s, &to[made++], &at[i], v, place);
    }
    *pair = least;
    return made;
}

static void
arrange(struct sepx_nb101_cell *cell, const struct sketch *s)
{
    struct start room[2][ORDERS_MAX], *at = room[0], *to = room[1];
    unsigned count = 1, pair, least = UINT8_MAX;

    *cell = (struct sepx_nb101_cell){.nodes = (uint8_t)(s->n + 2)};
    at[0] = (struct start){.placed = 0};
    for (unsigned v = 0; v < MASKS; v++)
        at[0].from[v] = (s->first & bit(v)) != 0;
    for (unsigned place = 1; place <= s->n; place++) {
        struct start *swap = at;

        count = extend(s, to, at, count, place, &pair);
        at = to;
        to = swap;
        cell->op[place] = (uint8_t)(pair >> 8);
        cell->edges |= (pair & 0xff) << sepx_nb101_bit(0, place);
    }
    for (unsigned i = 0; i < count; i++)
        if (at[i].from[s->n] < least)
            least = at[i].from[s->n];
    cell->edges |= least << sepx_nb101_bit(0, s->n + 1);
}

static void
sketch_edge(struct sketch *s, unsigned from, unsigned to)
{
    s->out[from] |= bit(to);
    s->in[to] |= bit(from);
}

/* Each node but the input has a source, each but the output a target. */
bool
sepx_nb101_cell_valid(const struct sepx_nb101_cell *cell)
{
    unsigned sources = 0, n = cell->nodes;

    if (__builtin_popcount(cell->edges) > SEPX_NB101_EDGES)
        return false;
    for (unsigned to = 1; to < n; to++) {
        unsigned from = cell->edges >> sepx_nb101_bit(0, to) & ((1u << to) - 1);

        if (!from)
            return false;
        sources |= from;
    }
    return sources == (1u << (n - 1)) - 1;
}

void
sepx_nb101_cell_canon(struct sepx_nb101_cell *cell)
{
    struct sketch s = {.n = cell->nodes - 2u};

    memcpy(s.op, cell->op + 1, sizeof(s.op));
    for (unsigned to = 1; to < NODES; to++)
        for (unsigned from = 0; from < to; from++) {
            if (!(cell->edges >> sepx_nb101_bit(from, to) & 1))
                continue;
            if (from)
                sketch_edge(&s, from - 1, to - 1);
            else
                s.first |= bit(to - 1);
        }
    arrange(cell, &s);
}

/* The graph is valid: one input, one output, at most 5 live nodes more. */
static void
sketch_graph(struct sketch *s, const struct sepx_space *space,
             const struct sepx_graph *graph)
{
    uint8_t place[NODES];
    struct sepx__rows rows;
    uint64_t live;

    sepx__rows_init(&rows, graph);
    live = sepx__live(space, graph, &rows);
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        if ((live & sepx__bit(i)) && graph->label[i] >= CONV3) {
            place[i] = (uint8_t)s->n;
            s->op[s->n++] = (uint8_t)(graph->label[i] - CONV3);
        }
    for (uint32_t i = 0; i < graph->n_edges; i++) {
        uint32_t from = graph->edge[i].from, to = graph->edge[i].to;
        unsigned target;

        if (!(live & sepx__bit(from)) || !(live & sepx__bit(to)))
            continue;
        target = graph->label[to] == OUTPUT ? s->n : place[to];
        if (graph->label[from] == INPUT)
            s->first |= bit(target);
        else
            sketch_edge(s, place[from], target);
    }
}

enum sepx_err
sepx_nb101_cell_of(struct sepx_nb101_cell *cell, const struct sepx_space *space,
                   const struct sepx_graph *graph, struct sepx_msg *msg)
{
    struct sketch s = {0};
    bool valid;
    enum sepx_err err = sepx_space_check(space, &valid, graph, msg);

    if (err || !valid)
        return err ? err : SEPX_EINVAL;
    sketch_graph(&s, space, graph);
    arrange(cell, &s);
    return SEPX_OK;
}

enum sepx_err
sepx_nb101_cell_graph(const struct sepx_nb101_cell *cell,
                      struct sepx_graph *graph, const struct sepx_space *space)
{
    uint16_t label[NODES] = {INPUT};
    uint64_t out[NODES] = {0};

    for (unsigned i = 1; i + 1 < cell->nodes; i++)
        label[i] = (uint16_t)(CONV3 + cell->op[i]);
    label[cell->nodes - 1] = OUTPUT;
    for (unsigned to = 1; to < NODES; to++)
        for (unsigned from = 0; from < to; from++)
            if (cell->edges >> sepx_nb101_bit(from, to) & 1)
                out[from] |= sepx__bit(to);
    return sepx__graph_fill(graph, space, label, cell->nodes, out);
}

uint32_t
sepx_nb101_cell_code(const struct sepx_nb101_cell *cell)
{
    uint32_t ops = 0;

    for (unsigned i = 1; i <= INNER; i++)
        ops = 3 * ops + cell->op[i];
    return (uint32_t)cell->nodes << NODES_SHIFT | ops << OPS_SHIFT |
           cell->edges;
}

bool
sepx_nb101_cell_decode(struct sepx_nb101_cell *cell, uint32_t code)
{
    unsigned n = code >> NODES_SHIFT, ops = code >> OPS_SHIFT & 0xff;

    *cell = (struct sepx_nb101_cell){.edges = code & ((1u << OPS_SHIFT) - 1),
                                     .nodes = (uint8_t)n};
    for (unsigned i = INNER; i; i--, ops /= 3)
        cell->op[i] = (uint8_t)(ops % 3);
    for (unsigned i = n - 1; n >= 2 && i < NODES; i++)
        if (cell->op[i])
            return false;
    return n >= 2 && !ops && !(cell->edges >> sepx_nb101_bit(0, n));
}
