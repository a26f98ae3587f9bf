/* SPDX-License-Identifier: Apache-2.0 */
#include "ged/pair.h"

#include <string.h>

static void
lay_out(struct ged_side *side, uint8_t *base, size_t *used)
{
    const size_t n = side->graph->n, m = side->graph->m;

    side->out.first =
        sepx__ged_take(base, used, (n + 2) * sizeof *side->out.first);
    side->in.first =
        sepx__ged_take(base, used, (n + 2) * sizeof *side->in.first);
    side->out.end = sepx__ged_take(base, used, m * sizeof *side->out.end);
    side->in.end = sepx__ged_take(base, used, m * sizeof *side->in.end);
}

static unsigned
code_of(const struct sepx_ged_graph *g, uint16_t label)
{
    unsigned low = 0, high = g->n_codes;

    while (low < high) {
        unsigned mid = (low + high) / 2;

        if (g->code[mid] < label)
            low = mid + 1;
        else
            high = mid;
    }
    return low + 1;
}

/* Counting sort; edges come ascending by `from`, then `to`. */
static void
fill(struct ged_links *links, const struct sepx_ged_graph *g, bool outward)
{
    memset(links->first, 0, (g->n + 2) * sizeof *links->first);
    for (uint32_t e = 0; e < g->m; e++)
        links->first[(outward ? g->edge[e].from : g->edge[e].to) + 2]++;
    for (uint32_t i = 2; i < g->n + 2; i++)
        links->first[i] += links->first[i - 1];
    for (uint32_t e = 0; e < g->m; e++) {
        const struct sepx_edge *edge = &g->edge[e];
        uint32_t at = links->first[(outward ? edge->from : edge->to) + 1]++;

        links->end[at].node = outward ? edge->to : edge->from;
        links->end[at].code = (uint16_t)code_of(g, edge->label);
    }
}

enum sepx_err
sepx__pair_init(struct ged_pair *pair, const struct ged_costs *costs,
                const struct sepx_ged_graph *a, const struct sepx_ged_graph *b)
{
    struct ged_side *side[2] = {&pair->a, &pair->b};
    size_t used = 0;

    pair->costs = costs;
    pair->a.graph = a;
    pair->b.graph = b;
    for (unsigned k = 0; k < 2; k++)
        lay_out(side[k], NULL, &used);
    pair->memory = sepx__alloc(used);
    if (!pair->memory)
        return SEPX_ENOMEM;
    used = 0;
    for (unsigned k = 0; k < 2; k++) {
        lay_out(side[k], pair->memory, &used);
        fill(&side[k]->out, side[k]->graph, true);
        fill(&side[k]->in, side[k]->graph, false);
    }
    return SEPX_OK;
}

void
sepx__pair_release(struct ged_pair *pair)
{
    sepx__free(pair->memory);
    *pair = (struct ged_pair){0};
}

unsigned
sepx__pair_code(const struct ged_side *side, unsigned i, unsigned k)
{
    uint32_t low = side->out.first[i], high = side->out.first[i + 1];

    while (low < high) {
        uint32_t mid = (low + high) / 2;

        if (side->out.end[mid].node < k)
            low = mid + 1;
        else
            high = mid;
    }
    return low < side->out.first[i + 1] && side->out.end[low].node == k
               ? side->out.end[low].code
               : 0;
}

/* The row of a table, or `otherwise`. */
static int64_t
look_up(const struct ged_table *table, uint16_t from, uint16_t to,
        int64_t otherwise)
{
    size_t low = 0, high = table->count;

    while (low < high) {
        size_t mid = (low + high) / 2;
        const struct ged_relabel *row = &table->row[mid];

        if (row->from < from || (row->from == from && row->to < to))
            low = mid + 1;
        else
            high = mid;
    }
    if (low < table->count && table->row[low].from == from &&
        table->row[low].to == to)
        return table->row[low].cost;
    return otherwise;
}

int64_t
sepx__pair_node(const struct ged_pair *pair, unsigned i, unsigned j)
{
    const struct sepx_ged_graph *a = pair->a.graph, *b = pair->b.graph;

    if (a->class[i] != b->class[j])
        return GED_FORBIDDEN;
    if (a->label[i] == b->label[j])
        return 0;
    return look_up(&pair->costs->node, a->label[i], b->label[j],
                   pair->costs->node_relabel);
}

int64_t
sepx__pair_edge(const struct ged_pair *pair, unsigned x, unsigned y)
{
    const uint16_t *code = pair->a.graph->code;
    const int64_t anew = pair->costs->edge_delete + pair->costs->edge_insert;
    int64_t relabel;

    if (x == y)
        return 0;
    if (!x)
        return pair->costs->edge_insert;
    if (!y)
        return pair->costs->edge_delete;
    relabel = look_up(&pair->costs->edge, code[x - 1], code[y - 1],
                      pair->costs->edge_relabel);
    return relabel < anew ? relabel : anew;
}

int64_t
sepx__pair_map_cost(const struct ged_pair *pair, const int16_t *map)
{
    const struct sepx_ged_graph *a = pair->a.graph, *b = pair->b.graph;
    const struct ged_costs *costs = pair->costs;
    int64_t kept = 0, common = 0, cost = 0;

    for (unsigned i = 0; i < a->n; i++) {
        if (map[i] < 0) {
            cost += costs->node_delete;
        } else {
            kept++;
            cost += sepx__pair_node(pair, i, (unsigned)map[i]);
        }
        for (uint32_t e = pair->a.out.first[i]; e < pair->a.out.first[i + 1];
             e++) {
            const struct ged_link *link = &pair->a.out.end[e];
            unsigned code = 0;

            if (map[i] >= 0 && map[link->node] >= 0)
                code = sepx__pair_code(&pair->b, (unsigned)map[i],
                                       (unsigned)map[link->node]);
            common += code != 0;
            cost += sepx__pair_edge(pair, link->code, code);
        }
    }
    return cost + (b->n - kept) * costs->node_insert +
           (b->m - common) * costs->edge_insert;
}

enum sepx_err
sepx__pair_check_map(const struct ged_pair *pair, const int16_t *map)
{
    const struct sepx_ged_graph *a = pair->a.graph, *b = pair->b.graph;
    bool *used = sepx__calloc(b->n + 1, sizeof *used);
    enum sepx_err err = SEPX_OK;

    if (!used)
        return SEPX_ENOMEM;
    for (unsigned i = 0; i < a->n && !err; i++) {
        if (map[i] == SEPX_NONE)
            continue;
        if (map[i] < 0 || map[i] >= (int)b->n || used[map[i]] ||
            a->class[i] != b->class[map[i]])
            err = SEPX_EINVAL;
        else
            used[map[i]] = true;
    }
    sepx__free(used);
    return err;
}
