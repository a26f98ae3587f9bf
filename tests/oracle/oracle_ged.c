/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/oracle_ged.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Every cost there is, by node and by edge. */
struct oracle {
    const struct sepx_graph *a, *b;
    const struct sepx_ged_options *options;
    struct sepx_costs costs;
    double node[ORACLE_NODES][ORACLE_NODES];
    double node_delete[ORACLE_NODES], node_insert[ORACLE_NODES];
    double *edge; /* edges of a by edges of b */
    double *edge_delete, *edge_insert;
    int map[ORACLE_NODES];
    bool used[ORACLE_NODES];
    double best;
    uint64_t maps;
};

/* ---- costs by label ---- */

static bool
is_pinned(const struct oracle *o, uint16_t label)
{
    for (size_t k = 0; k < o->options->n_pinned; k++)
        if (o->options->pinned[k] == label)
            return true;
    return false;
}

static double
label_cost(const struct sepx_label_cost *table, size_t count, uint16_t label,
           double otherwise)
{
    for (size_t k = 0; k < count; k++)
        if (table[k].label == label)
            return table[k].cost;
    return otherwise;
}

/* The words of a label that belong to a field, each with a space before it. */
static void
take_field(char *out, const char *label, const char *field)
{
    char copy[256], *save, *word;

    *out = '\0';
    strcpy(copy, label);
    for (word = strtok_r(copy, " ", &save); word;
         word = strtok_r(NULL, " ", &save)) {
        char *equals = strchr(word, '=');
        const char *name = equals ? word : "";

        if (equals)
            *equals++ = '\0';
        if (strcmp(name, field))
            continue;
        strcat(out, equals ? " =" : " ");
        strcat(out, equals ? equals : word);
    }
}

static double
share(const struct oracle *o, const struct sepx_field_weight *field,
      size_t count, uint16_t x, uint16_t y)
{
    double sum = 0, all = 0;

    for (size_t k = 0; k < count; k++) {
        char left[600], right[600];

        take_field(left, sepx_names_text(o->costs.names, x), field[k].field);
        take_field(right, sepx_names_text(o->costs.names, y), field[k].field);
        all += field[k].weight;
        sum += strcmp(left, right) ? field[k].weight : 0;
    }
    return sum / all;
}

static double
relabel_cost(const struct oracle *o, bool edge, uint16_t x, uint16_t y)
{
    const struct sepx_costs *c = &o->costs;
    const struct sepx_relabel_cost *row = edge ? c->edge_table : c->node_table;
    const size_t count = edge ? c->n_edge_table : c->n_node_table;
    const double general = edge ? c->edge_relabel : c->node_relabel;

    if (x == y)
        return 0;
    for (size_t k = 0; k < count; k++)
        if (row[k].from == x && row[k].to == y)
            return row[k].cost;
    if (edge ? c->n_edge_fields : c->n_node_fields)
        return general *
               (edge ? share(o, c->edge_fields, c->n_edge_fields, x, y)
                     : share(o, c->node_fields, c->n_node_fields, x, y));
    return general;
}

static double
label_node_cost(const struct oracle *o, unsigned i, unsigned j)
{
    const uint16_t x = o->a->label[i], y = o->b->label[j];

    return o->options->ignore_labels ? 0 : relabel_cost(o, false, x, y);
}

/* ---- costs by node and edge ---- */

static void
set_nodes(struct oracle *o, const struct sepx_pair_costs *given)
{
    const bool ignore = o->options->ignore_labels;
    const uint32_t m = o->b->n_nodes;

    for (uint32_t i = 0; i < o->a->n_nodes; i++) {
        const uint16_t x = o->a->label[i];

        o->node_delete[i] =
            given->node_delete
                ? given->node_delete[i]
                : label_cost(o->costs.node_delete_table,
                             o->costs.n_node_delete_table, ignore ? 0 : x,
                             o->costs.node_delete);
        for (uint32_t j = 0; j < m; j++) {
            const uint16_t y = o->b->label[j];

            o->node[i][j] = given->node_substitute
                                ? given->node_substitute[i * m + j]
                                : label_node_cost(o, i, j);
            if (!ignore && x != y && (is_pinned(o, x) || is_pinned(o, y)))
                o->node[i][j] = INFINITY;
        }
    }
    for (uint32_t j = 0; j < m; j++)
        o->node_insert[j] =
            given->node_insert
                ? given->node_insert[j]
                : label_cost(o->costs.node_insert_table,
                             o->costs.n_node_insert_table,
                             ignore ? 0 : o->b->label[j], o->costs.node_insert);
}

static void
set_edges(struct oracle *o, const struct sepx_pair_costs *given)
{
    const struct sepx_graph *a = o->a, *b = o->b;

    o->edge = calloc((size_t)a->n_edges * b->n_edges + 1, sizeof *o->edge);
    o->edge_delete = calloc(a->n_edges + 1, sizeof *o->edge_delete);
    o->edge_insert = calloc(b->n_edges + 1, sizeof *o->edge_insert);
    if (!o->edge || !o->edge_delete || !o->edge_insert)
        abort();
    for (uint32_t e = 0; e < a->n_edges; e++) {
        o->edge_delete[e] =
            given->edge_delete
                ? given->edge_delete[e]
                : label_cost(o->costs.edge_delete_table,
                             o->costs.n_edge_delete_table, a->edge[e].label,
                             o->costs.edge_delete);
        for (uint32_t f = 0; f < b->n_edges; f++)
            o->edge[e * b->n_edges + f] =
                given->edge_substitute
                    ? given->edge_substitute[e * b->n_edges + f]
                    : relabel_cost(o, true, a->edge[e].label, b->edge[f].label);
    }
    for (uint32_t f = 0; f < b->n_edges; f++)
        o->edge_insert[f] =
            given->edge_insert
                ? given->edge_insert[f]
                : label_cost(o->costs.edge_insert_table,
                             o->costs.n_edge_insert_table, b->edge[f].label,
                             o->costs.edge_insert);
}

/* ---- every map ---- */

/* The edges between two nodes. */
struct bag {
    unsigned first, count;
};

static struct bag
bag_of(const struct sepx_graph *graph, int from, int to)
{
    const struct sepx_edge *edge;
    struct bag bag = {0};

    if (from < 0 || to < 0)
        return bag;
    edge = sepx_graph_find_edge(graph, (unsigned)from, (unsigned)to);
    if (!edge)
        return bag;
    bag.first = (unsigned)(edge - graph->edge);
    for (unsigned e = bag.first;
         e < graph->n_edges && graph->edge[e].from == edge->from &&
         graph->edge[e].to == edge->to;
         e++)
        bag.count++;
    return bag;
}

/* All ways: edge k of x goes, or becomes one of y that is not `used`. */
static double
bag_cost(const struct oracle *o, struct bag x, struct bag y, unsigned k,
         unsigned used)
{
    double best, cost = 0;

    if (k == x.count) {
        for (unsigned l = 0; l < y.count; l++)
            cost += used >> l & 1 ? 0 : o->edge_insert[y.first + l];
        return cost;
    }
    best = o->edge_delete[x.first + k] + bag_cost(o, x, y, k + 1, used);
    for (unsigned l = 0; l < y.count; l++) {
        if (used >> l & 1)
            continue;
        cost = o->edge[(x.first + k) * o->b->n_edges + y.first + l] +
               bag_cost(o, x, y, k + 1, used | 1u << l);
        best = fmin(best, cost);
    }
    return best;
}

static double
edges_of_a(const struct oracle *o)
{
    double sum = 0;

    for (unsigned e = 0; e < o->a->n_edges; e++) {
        const int i = o->a->edge[e].from, k = o->a->edge[e].to;

        if (e && o->a->edge[e - 1].from == i && o->a->edge[e - 1].to == k)
            continue; /* parallel */
        sum += bag_cost(o, bag_of(o->a, i, k),
                        bag_of(o->b, o->map[i], o->map[k]), 0, 0);
    }
    return sum;
}

/* Edges of b between whose ends a has none, or that have an inserted end. */
static double
edges_of_b(const struct oracle *o)
{
    int back[ORACLE_NODES];
    double sum = 0;

    for (unsigned j = 0; j < ORACLE_NODES; j++)
        back[j] = -1;
    for (unsigned i = 0; i < o->a->n_nodes; i++)
        if (o->map[i] >= 0)
            back[o->map[i]] = (int)i;
    for (unsigned f = 0; f < o->b->n_edges; f++) {
        const int i = back[o->b->edge[f].from], k = back[o->b->edge[f].to];

        if (!bag_of(o->a, i, k).count)
            sum += o->edge_insert[f];
    }
    return sum;
}

static double
map_cost(const struct oracle *o)
{
    double sum = edges_of_a(o) + edges_of_b(o);

    for (unsigned i = 0; i < o->a->n_nodes; i++)
        sum += o->map[i] < 0 ? o->node_delete[i] : o->node[i][o->map[i]];
    for (unsigned j = 0; j < o->b->n_nodes; j++)
        sum += o->used[j] ? 0 : o->node_insert[j];
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
    if (i >= ORACLE_NODES)
        abort();
    o->map[i] = -1;
    try_all(o, i + 1);
    for (unsigned j = 0; j < o->b->n_nodes; j++) {
        if (o->used[j] || isinf(o->node[i][j]))
            continue;
        o->map[i] = (int)j;
        o->used[j] = true;
        try_all(o, i + 1);
        o->used[j] = false;
    }
}

double
oracle_ged_pair(const struct sepx_graph *a, const struct sepx_graph *b,
                const struct sepx_ged_options *options,
                const struct sepx_pair_costs *costs, uint64_t *maps)
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
    set_nodes(&o, costs);
    set_edges(&o, costs);
    try_all(&o, 0);
    free(o.edge);
    free(o.edge_delete);
    free(o.edge_insert);
    if (maps)
        *maps = o.maps;
    return o.best;
}

double
oracle_ged(const struct sepx_graph *a, const struct sepx_graph *b,
           const struct sepx_ged_options *options, uint64_t *maps)
{
    const struct sepx_pair_costs none = {0};

    return oracle_ged_pair(a, b, options, &none, maps);
}
