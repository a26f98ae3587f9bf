/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the numbering of acyclic graphs is not a topological order, another
 * one that is. Searches break ties by number; nodes that are near each other
 * should have near numbers then, as in graphs that were written down in the
 * order of their making. So the numbers that nodes happen to have hardly
 * matter to what is found in a limited time.
 */
#include "ged/align/align.h"

#include <stdlib.h>
#include <string.h>

/* As they are met in that order; of those to one node, the nearest first. */
static int
by_ends(const void *x, const void *y)
{
    const struct sepx_edge *a = x, *b = y;

    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    if (a->from != b->from)
        return a->from > b->from ? -1 : 1;
    return (a->label > b->label) - (a->label < b->label);
}

static size_t
lay_out(struct ged_numbers *to, const struct ged_problem *p, uint8_t *base)
{
    size_t used = 0;

    for (unsigned side = 0; side < 2; side++) {
        const struct sepx_ged_graph *g = side ? p->b.graph : p->a.graph;

        to->at[side] = sepx__ged_take(base, &used, g->n * sizeof(uint32_t));
        to->place[side] = sepx__ged_take(base, &used, g->n * sizeof(uint32_t));
        to->graph[side].label =
            sepx__ged_take(base, &used, g->n * sizeof *g->label);
        to->graph[side].class =
            sepx__ged_take(base, &used, g->n * sizeof *g->class);
        to->graph[side].edge =
            sepx__ged_take(base, &used, g->m * sizeof *g->edge);
    }
    return used;
}

/* What the split bound looks at, in the new order. */
static void
fill_graph(struct ged_numbers *to, unsigned side,
           const struct sepx_ged_graph *from)
{
    const struct sepx_ged_graph room = to->graph[side];
    const uint32_t *at = to->at[side], *place = to->place[side];

    to->graph[side] = *from;
    to->graph[side].label = room.label;
    to->graph[side].class = room.class;
    to->graph[side].edge = room.edge;
    for (uint32_t i = 0; i < from->n; i++) {
        room.label[i] = from->label[at[i]];
        room.class[i] = from->class[at[i]];
    }
    for (uint32_t e = 0; e < from->m; e++) {
        room.edge[e] = from->edge[e];
        room.edge[e].from = (uint16_t)place[from->edge[e].from];
        room.edge[e].to = (uint16_t)place[from->edge[e].to];
    }
    if (from->m)
        qsort(room.edge, from->m, sizeof *room.edge, by_ends);
}

enum sepx_err
sepx__problem_renumber(struct ged_problem *p)
{
    struct ged_numbers *to = NULL;
    struct dag dag = {0};
    struct dag_order order;
    enum sepx_err err;
    size_t size;

    if (p->classes != 2 || !p->n || p->m < ALIGN_LEAST)
        return SEPX_OK;
    err = sepx__dag_init(&dag, p);
    if (err || !dag.acyclic || dag.is_given)
        goto done;
    err = SEPX_ENOMEM;
    to = sepx__calloc(1, sizeof *to);
    if (!to)
        goto done;
    size = lay_out(to, p, NULL);
    to->memory = sepx__aligned(size, GED_ALIGN);
    if (!to->memory)
        goto done;
    lay_out(to, p, to->memory);
    memcpy(order.at, to->at, sizeof order.at);
    memcpy(order.place, to->place, sizeof order.place);
    sepx__dag_order(&dag, &order, DAG_ORDER_GIVEN);
    fill_graph(to, 0, p->a.graph);
    fill_graph(to, 1, p->b.graph);
    err = sepx__problem_adopt(p, to);
    to = NULL;
done:
    sepx__dag_release(&dag);
    sepx__numbers_free(to);
    return err;
}
