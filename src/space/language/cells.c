/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs as tables of edges, in which nodes come and go at any place. */
#include <assert.h>
#include <string.h>

#include "space/language/language.h"

static uint8_t
edge_number(const struct custom *c, uint16_t label)
{
    uint8_t k = 0;

    while (k < c->n_edge_labels && c->edge_label[k] != label)
        k++;
    return (uint8_t)(k + 1);
}

/* An edge label that the space does not have becomes its first. */
void
sepx__cells_read(const struct custom *c, struct cells *cells,
                 const struct sepx_graph *graph)
{
    assert(graph->n_nodes <= NODES);
    cells->n = graph->n_nodes;
    memcpy(cells->label, graph->label, cells->n * sizeof(*cells->label));
    for (uint32_t i = 0; i < cells->n; i++)
        memset(cells->at[i], 0, cells->n);
    for (uint32_t i = 0; i < graph->n_edges; i++) {
        const struct sepx_edge *edge = &graph->edge[i];
        uint8_t number = edge_number(c, edge->label);

        cells->at[edge->from][edge->to] =
            number > c->n_edge_labels ? 1 : number;
    }
}

enum sepx_err
sepx__cells_write(const struct sepx_space *space, struct sepx_graph *graph,
                  const struct cells *cells)
{
    const struct custom *c = custom_of(space);
    enum sepx_err err = SEPX_OK;

    graph->names = space->names;
    sepx_graph_clear(graph);
    for (uint32_t i = 0; i < cells->n && !err; i++)
        err = sepx_graph_add_node(graph, cells->label[i]);
    for (uint32_t i = 0; i < cells->n; i++)
        for (uint32_t j = 0; j < cells->n && !err; j++)
            if (cells->at[i][j])
                err = sepx_graph_add_edge(graph, i, j,
                                          c->edge_label[cells->at[i][j] - 1]);
    return err;
}

void
sepx__cells_rows(const struct cells *cells, struct sepx__rows *rows)
{
    rows->n = cells->n;
    memset(rows->out, 0, rows->n * sizeof(*rows->out));
    memset(rows->in, 0, rows->n * sizeof(*rows->in));
    for (uint32_t i = 0; i < cells->n; i++)
        for (uint32_t j = 0; j < cells->n; j++)
            if (cells->at[i][j]) {
                rows->out[i] |= sepx__bit(j);
                rows->in[j] |= sepx__bit(i);
            }
}

void
sepx__cells_insert(struct cells *cells, uint32_t at, uint16_t label)
{
    uint32_t n = cells->n++;

    assert(n < NODES);
    memmove(&cells->label[at + 1], &cells->label[at],
            (n - at) * sizeof(*cells->label));
    cells->label[at] = label;
    for (uint32_t i = 0; i < n; i++) {
        memmove(&cells->at[i][at + 1], &cells->at[i][at], n - at);
        cells->at[i][at] = 0;
    }
    for (uint32_t i = n; i > at; i--)
        memcpy(cells->at[i], cells->at[i - 1], n + 1);
    memset(cells->at[at], 0, n + 1);
}

void
sepx__cells_remove(struct cells *cells, uint32_t at)
{
    uint32_t n = --cells->n;

    memmove(&cells->label[at], &cells->label[at + 1],
            (n - at) * sizeof(*cells->label));
    for (uint32_t i = at; i < n; i++)
        memcpy(cells->at[i], cells->at[i + 1], n + 1);
    for (uint32_t i = 0; i < n; i++)
        memmove(&cells->at[i][at], &cells->at[i][at + 1], n - at);
}

void
sepx__cells_prune(const struct custom *c, struct cells *cells)
{
    struct sepx__rows rows;
    uint64_t live;

    sepx__cells_rows(cells, &rows);
    live = sepx__custom_live(c, cells->label, &rows);
    for (uint32_t i = cells->n; i-- > 0;)
        if (!(live >> i & 1))
            sepx__cells_remove(cells, i);
}

bool
sepx__may_join(const struct custom *c, uint16_t from, uint16_t to)
{
    if (c->label[to - 1].role == SEPX__INPUT ||
        c->label[from - 1].role == SEPX__OUTPUT)
        return false;
    return c->link[c->rule[from - 1].group][c->rule[to - 1].group];
}

bool
sepx__may_edge(const struct custom *c, const struct cells *cells, uint32_t from,
               uint32_t to)
{
    return from != to && (from < to || c->ops.cyclic) &&
           sepx__may_join(c, cells->label[from], cells->label[to]);
}

uint8_t
sepx__random_edge(const struct custom *c, struct sepx_rng *rng)
{
    if (c->n_edge_labels == 1)
        return 1;
    return (uint8_t)(1 + sepx_rng_below(rng, c->n_edge_labels));
}
