/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/ged.h"

#include <math.h>

struct oracle {
    const struct sepx_graph *a, *b;
    const struct sepx_ged_options *options;
    struct sepx_costs costs;
    int map[ORACLE_NODES];
    bool used[ORACLE_NODES];
    double best;
    uint64_t maps;
};

static bool
is_pinned(const struct oracle *o, uint16_t label)
{
    for (size_t k = 0; k < o->options->n_pinned; k++)
        if (o->options->pinned[k] == label)
            return true;
    return false;
}

static double
table_cost(const struct sepx_relabel_cost *table, size_t count, uint16_t from,
           uint16_t to, double otherwise)
{
    for (size_t k = 0; k < count; k++)
        if (table[k].from == from && table[k].to == to)
            return table[k].cost;
    return otherwise;
}

/* Infinite where a pinned label would change. */
static double
node_cost(const struct oracle *o, unsigned i, unsigned j)
{
    const uint16_t x = o->a->label[i], y = o->b->label[j];

    if (o->options->ignore_labels || x == y)
        return 0;
    if (is_pinned(o, x) || is_pinned(o, y))
        return INFINITY;
    return table_cost(o->costs.node_table, o->costs.n_node_table, x, y,
                      o->costs.node_relabel);
}

static double
edge_cost(const struct oracle *o, const struct sepx_edge *x,
          const struct sepx_edge *y)
{
    if (!x && !y)
        return 0;
    if (!x)
        return o->costs.edge_insert;
    if (!y)
        return o->costs.edge_delete;
    if (x->label == y->label)
        return 0;
    return fmin(table_cost(o->costs.edge_table, o->costs.n_edge_table, x->label,
                           y->label, o->costs.edge_relabel),
                o->costs.edge_delete + o->costs.edge_insert);
}

static double
edges_of_a(const struct oracle *o)
{
    double sum = 0;

    for (unsigned i = 0; i < o->a->n_nodes; i++)
        for (unsigned k = 0; k < o->a->n_nodes; k++) {
            const struct sepx_edge *x = sepx_graph_find_edge(o->a, i, k);
            const struct sepx_edge *y = NULL;

            if (o->map[i] >= 0 && o->map[k] >= 0)
                y = sepx_graph_find_edge(o->b, (unsigned)o->map[i],
                                         (unsigned)o->map[k]);
            sum += edge_cost(o, x, y);
        }
    return sum;
}

/* Edges of b with an inserted end. */
static double
edges_of_inserted(const struct oracle *o)
{
    double sum = 0;

    for (unsigned e = 0; e < o->b->n_edges; e++)
        if (!o->used[o->b->edge[e].from] || !o->used[o->b->edge[e].to])
            sum += o->costs.edge_insert;
    return sum;
}

static double
map_cost(const struct oracle *o)
{
    double sum = edges_of_a(o) + edges_of_inserted(o);

    for (unsigned i = 0; i < o->a->n_nodes; i++)
        sum += o->map[i] < 0 ? o->costs.node_delete
                             : node_cost(o, i, (unsigned)o->map[i]);
    for (unsigned j = 0; j < o->b->n_nodes; j++)
        sum += o->used[j] ? 0 : o->costs.node_insert;
    return sum;
}

static void
try_all(struct oracle *o, unsigned i)
{
    if (i == o->a->n_nodes) {
        double cost = map_cost(o);

        if (fabs(cost - o->best) < 1e-9) {
            o->maps++;
        } else if (cost < o->best) {
            o->best = cost;
            o->maps = 1;
        }
        return;
    }
    o->map[i] = -1;
    try_all(o, i + 1);
    for (unsigned j = 0; j < o->b->n_nodes; j++) {
        if (o->used[j])
            continue;
        o->map[i] = (int)j;
        o->used[j] = true;
        try_all(o, i + 1);
        o->used[j] = false;
    }
}

double
oracle_ged(const struct sepx_graph *a, const struct sepx_graph *b,
           const struct sepx_ged_options *options, uint64_t *maps)
{
    struct oracle o = {.a = a,
                       .b = b,
                       .options = options,
                       .costs = {.node_insert = 1,
                                 .node_delete = 1,
                                 .node_relabel = 1,
                                 .edge_insert = 1,
                                 .edge_delete = 1,
                                 .edge_relabel = 1},
                       .best = INFINITY};

    if (options->costs)
        o.costs = *options->costs;
    try_all(&o, 0);
    if (maps)
        *maps = o.maps;
    return o.best;
}
