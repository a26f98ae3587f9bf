/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rewards, in steps and in points. Let `all` be the cost of
 * deleting every node and edge of one graph and inserting those of the other.
 * A map saves, for each pair (i, k) in it, delete(i) + insert(k) -
 * relabel(i, k), and for each pair of edges it matches, as much in the same
 * way; its cost is `all` less what it saves. An edge saves at least nothing,
 * because it may be deleted and inserted instead. A pair of nodes may save
 * less than nothing and be worth it for its edges.
 *
 * Points are integers small enough for vectors of 16 bits. Where costs have
 * no small common divisor they are rounded up, so that sums of points are
 * upper bounds of what is saved; exact costs are always counted in steps.
 */
#include "ged/problem.h"

#include <string.h>

#define POINTS_MOST (1 << 20)    /* of a node pair */
#define ALL_MOST (INT64_MAX / 4) /* points of `all` */
#define GRADES 64                /* in the largest reward */

static int64_t
common_divisor(int64_t x, int64_t y)
{
    while (y) {
        int64_t rest = x % y;

        x = y;
        y = rest;
    }
    return x;
}

/* ---- rewards ---- */

int64_t
sepx__problem_edge(const struct ged_problem *p, uint16_t x, uint16_t y)
{
    // A graph without edges has a code none the less, which `all` is not for.
    if (!p->a.graph->m || !p->b.graph->m)
        return 0;
    return p->swapped ? sepx__ged_saved(p->costs, y, x)
                      : sepx__ged_saved(p->costs, x, y);
}

int64_t
sepx__problem_node(const struct ged_problem *p, uint32_t i, uint32_t k)
{
    const struct sepx_ged_graph *a = p->a.graph, *b = p->b.graph;
    const struct ged_kind *costs = &p->costs->node;
    const uint16_t x = p->swapped ? b->label[k] : a->label[i];
    const uint16_t y = p->swapped ? a->label[i] : b->label[k];
    int64_t saved = sepx__ged_become(costs, x, y);

    if (a->class[i] != b->class[k] || saved == GED_NEVER)
        return GED_FORBIDDEN_REWARD;
    saved = sepx__ged_price(costs, x, false) + sepx__ged_price(costs, y, true) -
            saved;
    if (p->a.loop[i] && p->b.loop[k])
        saved += sepx__problem_edge(p, (uint16_t)(p->a.loop[i] - 1),
                                    (uint16_t)(p->b.loop[k] - 1));
    return saved;
}

/* A scale above 1 comes with a grain that divides all steps. */
int64_t
sepx__problem_points(const struct ged_problem *p, int64_t steps)
{
    if (p->scale > 1)
        return steps / p->grain * p->scale;
    return steps >= 0 ? (steps + p->grain - 1) / p->grain
                      : -(-steps / p->grain);
}

/* ---- maps ---- */

int64_t
sepx__problem_link(const struct ged_problem *p, unsigned class,
                   const struct ged_dart *d, uint32_t k, uint32_t l)
{
    const struct ged_darts *b = &p->b.by[class];

    for (uint32_t f = b->first[k]; f < b->first[k + 1]; f++)
        if (b->dart[f].node == l)
            return sepx__problem_edge(p, p->a.graph->code[d->code],
                                      p->b.graph->code[b->dart[f].code]);
    return 0;
}

/* What the edge with dart `d` saves in points, where these are exact. */
static int32_t
link_points(const struct ged_problem *p, const struct ged_dart *d, uint32_t k,
            uint32_t l)
{
    const struct ged_darts *b = &p->b.by[0];

    for (uint32_t f = b->first[k]; f < b->first[k + 1]; f++)
        if (b->dart[f].node == l)
            return ged_edge_points(p, d, &b->dart[f]);
    return 0;
}

static int64_t
price_points(const struct ged_problem *p, const int32_t *map)
{
    const struct ged_darts *a = &p->a.by[0];
    int64_t saved = 0;

    for (uint32_t i = 0; i < p->n; i++) {
        if (map[i] < 0)
            continue;
        saved += p->base[(size_t)i * p->width + (uint32_t)map[i]];
        for (uint32_t x = a->first[i]; x < a->first[i + 1]; x++) {
            const struct ged_dart *d = &a->dart[x];

            if (map[d->node] >= 0 && (p->classes == 2 || d->node > i))
                saved +=
                    link_points(p, d, (uint32_t)map[i], (uint32_t)map[d->node]);
        }
    }
    return p->all - saved / p->scale * p->unit;
}

int64_t
sepx__problem_price(const struct ged_problem *p, const int32_t *map)
{
    const struct ged_darts *a = &p->a.by[0];
    int64_t cost = p->all;

    if (p->base && p->grain == p->unit)
        return price_points(p, map);
    for (uint32_t i = 0; i < p->n; i++) {
        if (map[i] < 0)
            continue;
        cost -= sepx__problem_node(p, i, (uint32_t)map[i]);
        for (uint32_t x = a->first[i]; x < a->first[i + 1]; x++) {
            const struct ged_dart *d = &a->dart[x];

            if (map[d->node] >= 0 && (p->classes == 2 || d->node > i))
                cost -= sepx__problem_link(p, 0, d, (uint32_t)map[i],
                                           (uint32_t)map[d->node]);
        }
    }
    return cost;
}

void
sepx__problem_identity(const struct ged_problem *p, int32_t *map)
{
    for (uint32_t i = 0; i < p->n; i++)
        map[i] = sepx__problem_node(p, i, i) == GED_FORBIDDEN_REWARD
                     ? -1
                     : (int32_t)i;
}

void
sepx__problem_export(const struct ged_problem *p, const int32_t *map,
                     int16_t *out)
{
    if (p->swapped)
        for (uint32_t k = 0; k < p->m; k++)
            out[k] = SEPX_NONE;
    for (uint32_t i = 0; i < p->n; i++) {
        const int16_t column = map[i] < 0 ? SEPX_NONE : (int16_t)map[i];

        if (!p->swapped)
            out[i] = column;
        else if (column != SEPX_NONE)
            out[column] = (int16_t)i;
    }
}

void
sepx__problem_import(const struct ged_problem *p, const int16_t *map,
                     int32_t *in)
{
    const uint32_t count = p->swapped ? p->m : p->n;

    for (uint32_t i = 0; i < p->n; i++)
        in[i] = -1;
    for (uint32_t x = 0; x < count; x++) {
        if (map[x] < 0)
            continue;
        if (p->swapped)
            in[map[x]] = (int32_t)x;
        else
            in[x] = map[x];
    }
}

/* ---- set-up ---- */

static void
lay_out_sketch(struct ged_sketch *s, unsigned classes, uint8_t *base,
               size_t *used)
{
    const size_t n = s->graph->n, m = s->graph->m;

    s->loop = sepx__ged_take(base, used, n * sizeof *s->loop);
    for (unsigned g = 0; g < classes; g++) {
        struct ged_darts *d = &s->by[g];

        d->first = sepx__ged_take(base, used, (n + 1) * sizeof *d->first);
        d->filled = sepx__ged_take(base, used, n * sizeof *d->filled);
        d->dart = sepx__ged_take(base, used,
                                 (classes == 2 ? m : 2 * m) * sizeof *d->dart);
    }
}

static size_t
lay_out(struct ged_problem *p, uint8_t *base, bool matrix)
{
    size_t used = 0;

    lay_out_sketch(&p->a, p->classes, base, &used);
    lay_out_sketch(&p->b, p->classes, base, &used);
    if (!matrix)
        return used;
    p->edge = sepx__ged_take(base, &used,
                             (size_t)p->a.graph->n_codes * p->b.graph->n_codes *
                                 sizeof *p->edge);
    p->base =
        sepx__ged_take(base, &used, (size_t)p->n * p->width * sizeof *p->base);
    return used;
}

/* The place of an edge label that the graph has. */
static unsigned
place_of(const struct sepx_ged_graph *g, uint16_t label)
{
    unsigned low = 0, high = g->n_codes;

    while (low < high) {
        unsigned mid = (low + high) / 2;

        if (g->code[mid] < label)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static void
count_darts(struct ged_sketch *s, unsigned classes)
{
    const struct sepx_ged_graph *graph = s->graph;

    for (unsigned g = 0; g < classes; g++)
        memset(s->by[g].first, 0, (graph->n + 1) * sizeof *s->by[g].first);
    for (uint32_t e = 0; e < graph->m; e++) {
        const struct sepx_edge *edge = &graph->edge[e];

        if (edge->from == edge->to)
            continue;
        s->by[0].first[edge->from + 1]++;
        s->by[classes - 1].first[edge->to + 1]++;
    }
    for (unsigned g = 0; g < classes; g++)
        for (uint32_t i = 1; i <= graph->n; i++) {
            uint32_t *first = s->by[g].first;

            if (first[i] > s->most[g])
                s->most[g] = first[i];
            first[i] += first[i - 1];
        }
}

/* The next free dart of a node. */
static struct ged_dart *
next_dart(struct ged_darts *darts, uint32_t node, uint16_t *slot)
{
    *slot = darts->filled[node]++;
    return &darts->dart[darts->first[node] + *slot];
}

static void
fill_sketch(struct ged_sketch *s, unsigned classes)
{
    const struct sepx_ged_graph *graph = s->graph;

    count_darts(s, classes);
    memset(s->loop, 0, graph->n * sizeof *s->loop);
    for (unsigned g = 0; g < classes; g++)
        memset(s->by[g].filled, 0, graph->n * sizeof *s->by[g].filled);
    for (uint32_t e = 0; e < graph->m; e++) {
        const struct sepx_edge *edge = &graph->edge[e];
        struct ged_dart *x, *y;
        uint16_t x_slot, y_slot, code;

        if (edge->from == edge->to) {
            s->loop[edge->from] = edge->label + 1u;
            continue;
        }
        x = next_dart(&s->by[0], edge->from, &x_slot);
        y = next_dart(&s->by[classes - 1], edge->to, &y_slot);
        code = (uint16_t)place_of(graph, edge->label);
        *x = (struct ged_dart){edge->to, y_slot, code};
        *y = (struct ged_dart){edge->from, x_slot, code};
    }
}

/* The largest reward of an edge; `unit` is made a divisor of them all. */
static int64_t
survey_edges(struct ged_problem *p, const struct ged_task *task)
{
    const struct sepx_ged_graph *a = p->a.graph, *b = p->b.graph;
    int64_t most = 0;
    uint64_t work = 0;

    for (uint32_t x = 0; x < a->n_codes && !p->over; x++) {
        p->over = sepx__ged_is_over_by(task, &work, b->n_codes);
        for (uint32_t y = 0; y < b->n_codes; y++) {
            int64_t saved = sepx__problem_edge(p, a->code[x], b->code[y]);

            p->unit = common_divisor(p->unit, saved);
            if (saved > most)
                most = saved;
        }
    }
    return most;
}

static int64_t
survey_nodes(struct ged_problem *p, const struct ged_task *task)
{
    int64_t most = 0, last = 0;
    uint64_t work = 0;

    for (uint32_t i = 0; i < p->n && !p->over; i++) {
        p->over = sepx__ged_is_over_by(task, &work, p->m);
        for (uint32_t k = 0; k < p->m; k++) {
            int64_t saved = sepx__problem_node(p, i, k);

            if (saved == last || saved == GED_FORBIDDEN_REWARD)
                continue;
            last = saved < 0 ? -saved : saved;
            p->unit = common_divisor(p->unit, last);
            if (last > most)
                most = last;
            last = saved;
        }
    }
    return most;
}

/* As many points for a unit as the three ranges allow. */
static void
set_scale(struct ged_problem *p, int64_t edge, int64_t node)
{
    const int64_t unit = p->unit;
    int64_t scale = GED_EDGE_POINTS;

    if (edge && GED_EDGE_POINTS / (edge / unit) < scale)
        scale = GED_EDGE_POINTS / (edge / unit);
    if (node && POINTS_MOST / (node / unit) < scale)
        scale = POINTS_MOST / (node / unit);
    if (ALL_MOST / (p->all / unit + 1) < scale)
        scale = ALL_MOST / (p->all / unit + 1);
    p->scale = scale ? scale : 1;
    p->grain = unit;
    if (!scale) {
        p->grain = edge / GED_EDGE_POINTS + 1;
        if (node / POINTS_MOST + 1 > p->grain)
            p->grain = node / POINTS_MOST + 1;
    }
}

static void
set_points(struct ged_problem *p, const struct ged_task *task)
{
    const struct sepx_ged_graph *a = p->a.graph, *b = p->b.graph;
    uint64_t work = 0;

    for (uint32_t x = 0; x < a->n_codes && !p->over; x++) {
        int16_t *row = p->edge + (size_t)x * b->n_codes;

        p->over = sepx__ged_is_over_by(task, &work, b->n_codes);
        for (uint32_t y = 0; y < b->n_codes; y++)
            row[y] = (int16_t)sepx__problem_points(
                p, sepx__problem_edge(p, a->code[x], b->code[y]));
    }
    for (uint32_t i = 0; i < p->n && !p->over; i++) {
        int32_t *row = p->base + (size_t)i * p->width;

        p->over = sepx__ged_is_over_by(task, &work, p->width);
        for (uint32_t k = 0; k < p->width; k++) {
            int64_t saved =
                k < p->m ? sepx__problem_node(p, i, k) : GED_FORBIDDEN_REWARD;

            row[k] = saved == GED_FORBIDDEN_REWARD
                         ? GED_GONE
                         : (int32_t)sepx__problem_points(p, saved);
        }
    }
}

/* What one graph costs to delete, or to insert. */
static int64_t
price_of(const struct ged_costs *costs, const struct sepx_ged_graph *graph,
         bool insert)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < graph->n; i++)
        sum += sepx__ged_price(&costs->node, graph->label[i], insert);
    for (uint32_t e = 0; e < graph->m; e++)
        sum += sepx__ged_edge_price(costs, graph->edge[e].label, insert);
    return sum;
}

/* If the task is over before the points are known, there are none. */
static void
survey(struct ged_problem *p, const struct ged_task *task)
{
    int64_t edge, node, most;

    p->over = !sepx__ged_match_bundles(task);
    edge = survey_edges(p, task);
    node = survey_nodes(p, task);
    if (!p->unit)
        p->unit = 1;
    most = edge > node ? edge : node;
    p->grade =
        most / p->unit > GRADES ? most / GRADES / p->unit * p->unit : p->unit;
    set_scale(p, edge, node);
    set_points(p, task);
    if (p->over)
        p->base = NULL;
}

enum sepx_err
sepx__problem_init(struct ged_problem *p, const struct ged_task *task,
                   bool matrix)
{
    const struct sepx_ged_graph *a = task->a, *b = task->b;
    const struct ged_costs *costs = task->costs;

    *p = (struct ged_problem){.costs = costs, .swapped = a->n > b->n};
    p->classes = a->undirected ? 1 : 2;
    p->a.graph = p->swapped ? b : a;
    p->b.graph = p->swapped ? a : b;
    p->n = p->a.graph->n;
    p->m = p->b.graph->n;
    p->width = (p->m + 7) / 8 * 8;
    p->memory = sepx__aligned(lay_out(p, NULL, matrix), GED_ALIGN);
    if (!p->memory)
        return SEPX_ENOMEM;
    lay_out(p, p->memory, matrix);
    fill_sketch(&p->a, p->classes);
    fill_sketch(&p->b, p->classes);
    p->all = price_of(costs, a, false) + price_of(costs, b, true);
    if (matrix)
        survey(p, task);
    return SEPX_OK;
}

void
sepx__problem_release(struct ged_problem *p)
{
    sepx__aligned_free(p->memory);
    *p = (struct ged_problem){0};
}
