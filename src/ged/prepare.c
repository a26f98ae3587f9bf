/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A graph made ready: classes, edge codes, byte rows, degrees and twins are
 * worked out once and used by every distance it takes part in.
 */
#include <stdlib.h>
#include <string.h>

#include "ged/internal.h"

uint32_t
sepx__ged_width(uint32_t n)
{
    uint32_t width = 16;

    while (width < n)
        width *= 2;
    return width <= GED_ROWS_MAX ? width : 0;
}

uint32_t
sepx__ged_padded(const struct sepx_ged *ged, const struct sepx_ged_graph *a,
                 const struct sepx_ged_graph *b)
{
    uint32_t sum = 0;

    for (uint32_t k = 0; k <= ged->n_pinned; k++)
        sum += a->size[k] > b->size[k] ? a->size[k] : b->size[k];
    return sum;
}

void *
sepx__ged_take(uint8_t *base, size_t *used, size_t size)
{
    size_t at = *used;

    *used = (at + size + GED_ALIGN - 1) / GED_ALIGN * GED_ALIGN;
    return base ? base + at : NULL;
}

/* Place the arrays behind `base`; NULL only counts. Returns the size. */
static size_t
lay_out(struct sepx_ged_graph *g, uint8_t *base, uint32_t n_classes)
{
    const size_t n = g->n, m = g->m, w = g->width;
    size_t used = 0;

    sepx__ged_take(base, &used, sizeof *g);
    g->label = sepx__ged_take(base, &used, n * sizeof *g->label);
    g->class = sepx__ged_take(base, &used, n * sizeof *g->class);
    g->size = sepx__ged_take(base, &used, n_classes * sizeof *g->size);
    g->code = sepx__ged_take(base, &used, g->n_codes * sizeof *g->code);
    g->edge = sepx__ged_take(base, &used, m * sizeof *g->edge);
    if (!w)
        return used;
    g->edge_code = sepx__ged_take(base, &used, m);
    g->out = sepx__ged_take(base, &used, n * w);
    g->in = sepx__ged_take(base, &used, n * w);
    g->degree = sepx__ged_take(base, &used, 2 * GED_DEGREES(g->n_codes) * w);
    g->label_low = sepx__ged_take(base, &used, w);
    g->label_high = sepx__ged_take(base, &used, w);
    g->twins = sepx__ged_take(base, &used, n * GED_WORDS(w) * sizeof *g->twins);
    return used;
}

static uint16_t
class_of(const struct sepx_ged *ged, uint16_t label)
{
    for (uint32_t k = 0; k < ged->n_pinned; k++)
        if (ged->pinned[k] == label)
            return (uint16_t)(k + 1);
    return 0;
}

static void
set_nodes(const struct sepx_ged *ged, struct sepx_ged_graph *g,
          const uint16_t *label)
{
    memset(g->size, 0, (ged->n_pinned + 1) * sizeof *g->size);
    for (uint32_t i = 0; i < g->n; i++) {
        g->label[i] = ged->ignore_labels ? 0 : label[i];
        g->class[i] = class_of(ged, g->label[i]);
        g->size[g->class[i]]++;
    }
    if (ged->ignore_labels) { /* a pinned "" must not catch them */
        memset(g->class, 0, g->n * sizeof *g->class);
        memset(g->size, 0, (ged->n_pinned + 1) * sizeof *g->size);
        g->size[0] = (uint16_t)g->n;
    }
}

static uint8_t
code_of(const struct sepx_ged_graph *g, uint16_t label)
{
    for (uint32_t k = 0; k < g->n_codes; k++)
        if (g->code[k] == label)
            return (uint8_t)(k + 1);
    return 0;
}

static void
count_degree(struct sepx_ged_graph *g, uint8_t *rows, uint32_t node,
             uint8_t code)
{
    rows[(code - 1u) * g->width + node]++;
    if (g->n_codes > 1)
        rows[g->n_codes * g->width + node]++;
}

static void
set_rows(struct sepx_ged_graph *g)
{
    const size_t w = g->width, half = GED_DEGREES(g->n_codes) * w;

    memset(g->out, 0, g->n * w);
    memset(g->in, 0, g->n * w);
    memset(g->degree, 0, 2 * half);
    memset(g->label_low, 0, w);
    memset(g->label_high, 0, w);
    for (uint32_t i = 0; i < g->n; i++) {
        g->label_low[i] = (uint8_t)g->label[i];
        g->label_high[i] = (uint8_t)(g->label[i] >> 8);
    }
    for (uint32_t e = 0; e < g->m; e++) {
        const struct sepx_edge *edge = &g->edge[e];
        uint8_t code = code_of(g, edge->label);

        g->edge_code[e] = code;
        g->out[edge->from * w + edge->to] = code;
        (g->undirected ? g->out : g->in)[edge->to * w + edge->from] = code;
        count_degree(g, g->undirected ? g->degree + half : g->degree,
                     edge->from, code);
        count_degree(g, g->degree + half, edge->to, code);
    }
}

/* Equal edges to and from all others, and between the two the same way. */
static bool
are_twins(const struct sepx_ged_graph *g, uint32_t i, uint32_t j)
{
    const size_t w = g->width;
    const uint8_t *rows[2] = {g->out, g->in};

    if (g->label[i] != g->label[j] || g->out[i * w + j] != g->out[j * w + i])
        return false;
    for (unsigned side = 0; side < 2; side++)
        for (uint32_t k = 0; k < g->n; k++)
            if (k != i && k != j &&
                rows[side][i * w + k] != rows[side][j * w + k])
                return false;
    return true;
}

/* Being twins is an equivalence, so comparing degrees first loses none. */
static void
set_twins(struct sepx_ged_graph *g)
{
    const size_t words = GED_WORDS(g->width);
    const uint8_t *out = g->degree;
    const uint8_t *in = out + GED_DEGREES(g->n_codes) * g->width;

    memset(g->twins, 0, g->n * words * sizeof *g->twins);
    for (uint32_t j = 0; j < g->n; j++)
        for (uint32_t i = 0; i < j; i++)
            if (out[i] == out[j] && in[i] == in[j] && are_twins(g, i, j))
                g->twins[j * words + i / 64] |= UINT64_C(1) << (i % 64);
}

/* Whether there are self-loops; notes whether edges are parallel. */
static bool
survey(struct sepx_ged_graph *plan, const struct sepx_edge *edge)
{
    bool loops = false;

    for (uint32_t e = 0; e < plan->m; e++) {
        loops |= edge[e].from == edge[e].to;
        plan->parallel |= e && sepx__edges_parallel(&edge[e - 1], &edge[e]);
    }
    return loops;
}

enum sepx_err
sepx__ged_prepare(const struct sepx_ged *ged, struct sepx_ged_graph **ready,
                  uint32_t n, const uint16_t *label, uint32_t m,
                  const struct sepx_edge *edge, const uint16_t *codes,
                  uint32_t n_codes, bool undirected)
{
    struct sepx_ged_graph plan = {.n = n,
                                  .undirected = undirected,
                                  .m = m,
                                  .n_edges = m,
                                  .n_codes = n_codes,
                                  .n_classes = ged->n_pinned + 1};
    struct sepx_ged_graph *g;
    uint8_t *block;
    bool loops = survey(&plan, edge);

    if (n_codes <= GED_CODES_MAX && !loops && !plan.parallel)
        plan.width = sepx__ged_width(n);
    block = sepx__aligned(lay_out(&plan, NULL, ged->n_pinned + 1), GED_ALIGN);
    if (!block)
        return SEPX_ENOMEM;
    g = (struct sepx_ged_graph *)(void *)block;
    *g = plan;
    lay_out(g, block, ged->n_pinned + 1);
    memcpy(g->code, codes, n_codes * sizeof *codes);
    if (m)
        memcpy(g->edge, edge, m * sizeof *edge);
    set_nodes(ged, g, label);
    if (g->width) {
        set_rows(g);
        set_twins(g);
    }
    if (!undirected && g->width)
        sepx__ged_tiny_ready(ged, g);
    *ready = g;
    return SEPX_OK;
}

static int
by_ends(const void *x, const void *y)
{
    const struct sepx_edge *a = x, *b = y;

    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    return (a->label > b->label) - (a->label < b->label);
}

enum sepx_err
sepx__ged_reorder(struct sepx_ged_graph **to, const struct sepx_ged_graph *from,
                  const uint32_t *at, const uint32_t *place)
{
    struct sepx_ged_graph plan = *from, *g;
    uint8_t *block =
        sepx__aligned(lay_out(&plan, NULL, from->n_classes), GED_ALIGN);

    if (!block)
        return SEPX_ENOMEM;
    g = (struct sepx_ged_graph *)(void *)block;
    *g = plan;
    g->tiny = (struct ged_tiny){0};
    lay_out(g, block, from->n_classes);
    memcpy(g->code, from->code, from->n_codes * sizeof *g->code);
    memcpy(g->size, from->size, from->n_classes * sizeof *g->size);
    for (uint32_t i = 0; i < g->n; i++) {
        g->label[i] = from->label[at[i]];
        g->class[i] = from->class[at[i]];
    }
    for (uint32_t e = 0; e < g->m; e++) {
        g->edge[e] = from->edge[e];
        g->edge[e].from = (uint16_t)place[from->edge[e].from];
        g->edge[e].to = (uint16_t)place[from->edge[e].to];
    }
    if (g->m)
        qsort(g->edge, g->m, sizeof *g->edge, by_ends);
    if (g->width) {
        set_rows(g);
        set_twins(g);
    }
    *to = g;
    return SEPX_OK;
}

static int
by_label(const void *x, const void *y)
{
    const uint16_t a = *(const uint16_t *)x, b = *(const uint16_t *)y;

    return (a > b) - (a < b);
}

/* The distinct edge labels, ascending; {0} if there are no edges. */
static SEPX_CHECKED enum sepx_err
list_codes(uint16_t **codes, uint32_t *n_codes, const struct sepx_graph *graph)
{
    uint16_t *list = NULL;
    size_t room = 0;
    uint32_t count = 0;

    for (uint32_t e = 0; e < graph->n_edges; e++) {
        uint16_t label = graph->edge[e].label;
        bool known = count && list[count - 1] == label;

        for (uint32_t k = 0; k < count && !known; k++)
            known = list[k] == label;
        if (known)
            continue;
        if (sepx__grow((void **)&list, &room, count + 1, sizeof *list)) {
            sepx__free(list);
            return SEPX_ENOMEM;
        }
        list[count++] = label;
    }
    if (count)
        qsort(list, count, sizeof *list, by_label);
    *codes = list;
    *n_codes = count;
    return SEPX_OK;
}

enum sepx_err
sepx_ged_prepare(struct sepx_ged *ged, struct sepx_ged_graph **ready,
                 const struct sepx_graph *graph)
{
    static const uint16_t unlabelled[1] = {0};
    uint16_t *codes = NULL;
    uint32_t n_codes = 0;
    enum sepx_err err = SEPX_OK;

    *ready = NULL;
    for (uint32_t e = 0; e < graph->n_edges && !n_codes; e++)
        n_codes = graph->edge[e].label != 0;
    if (n_codes)
        err = list_codes(&codes, &n_codes, graph);
    if (!err)
        err = sepx__ged_prepare(ged, ready, graph->n_nodes, graph->label,
                                graph->n_edges, graph->edge,
                                codes ? codes : unlabelled, codes ? n_codes : 1,
                                graph->undirected);
    sepx__free(codes);
    return err;
}

void
sepx_ged_graph_free(struct sepx_ged_graph *ready)
{
    sepx__aligned_free(ready);
}
