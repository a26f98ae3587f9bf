/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Topological orders of two graphs that fit each other. Nodes get ranks that
 * both graphs share: first by label, then, among equal ones, by the ranks of
 * their neighbours, once for each edge of the radius. Depth-first walks that
 * take low ranks first then list the branches of both graphs alike.
 *
 * Label numbers depend on what was read first, so labels are ranked by how
 * often and where they occur.
 */
#include "ged/align/align.h"

#include <stdlib.h>
#include <string.h>

#define RADIUS 12

/* ---- lengths ---- */

static const struct ged_sketch *
sketch_of(const struct dag *dag, unsigned side)
{
    return side ? &dag->p->b : &dag->p->a;
}

/*
 * The longest path that ends at each node, along darts of class g; false if
 * there is a cycle.
 */
static bool
set_lengths(struct dag *dag, unsigned side, unsigned g)
{
    const struct ged_sketch *s = sketch_of(dag, side);
    const struct ged_darts *darts = &s->by[g];
    const uint32_t n = s->graph->n;
    uint32_t *length = dag->length[side][g];
    uint32_t *left = dag->cursor, *ready = dag->stack, count = 0;

    for (uint32_t i = 0; i < n; i++) {
        length[i] = 0;
        left[i] = ged_degree(s, 1 - g, i);
        if (s->loop[i])
            return false;
        if (!left[i])
            ready[count++] = i;
    }
    for (uint32_t done = 0; done < count; done++) {
        const uint32_t i = ready[done];

        for (uint32_t x = darts->first[i]; x < darts->first[i + 1]; x++) {
            const uint32_t j = darts->dart[x].node;

            if (length[j] <= length[i])
                length[j] = length[i] + 1;
            if (!--left[j])
                ready[count++] = j;
        }
    }
    return count == n;
}

bool
sepx__dag_ascends(const struct sepx_ged_graph *g, const uint32_t *number)
{
    for (uint32_t e = 0; e < g->m; e++) {
        const uint32_t i = g->edge[e].from, j = g->edge[e].to;

        if (number ? number[j] < number[i] : j < i)
            return false;
    }
    return true;
}

/* ---- ranks ---- */

struct dag_key {
    uint64_t first, second, third;
    uint32_t item;
};

static int
by_key(const void *x, const void *y)
{
    const struct dag_key *a = x, *b = y;

    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    if (a->second != b->second)
        return a->second < b->second ? -1 : 1;
    if (a->third != b->third)
        return a->third < b->third ? -1 : 1;
    return (a->item > b->item) - (a->item < b->item);
}

static const struct ged_sketch *
side_of(const struct dag *dag, uint32_t *item)
{
    if (*item < dag->p->n)
        return &dag->p->a;
    *item -= dag->p->n;
    return &dag->p->b;
}

static uint32_t *
rank_of(struct dag *dag, uint32_t item)
{
    return item < dag->p->n ? &dag->rank[0][item]
                            : &dag->rank[1][item - dag->p->n];
}

/* Equal keys get equal ranks; the number of different ones. */
static uint32_t
set_ranks(struct dag *dag, struct dag_key *list, uint32_t count)
{
    uint32_t rank = 0;

    qsort(list, count, sizeof *list, by_key);
    for (uint32_t x = 0; x < count; x++) {
        if (x && (list[x].first != list[x - 1].first ||
                  list[x].second != list[x - 1].second))
            rank++;
        *rank_of(dag, list[x].item) = rank;
    }
    return rank + 1;
}

/* How far the node is from the sources and from the sinks. */
static uint64_t
depths_of(const struct dag *dag, unsigned side, uint32_t i)
{
    return (uint64_t)dag->length[side][0][i] << 32 | dag->length[side][1][i];
}

/* Rare labels first, then by the depths at which they are. */
static uint32_t
rank_labels(struct dag *dag, struct dag_key *list, uint32_t count)
{
    for (uint32_t x = 0; x < count; x++) {
        uint32_t i = x;
        const struct ged_sketch *s = side_of(dag, &i);

        list[x] = (struct dag_key){s->graph->label[i], 0, 0, x};
    }
    qsort(list, count, sizeof *list, by_key);
    for (uint32_t x = 0, end; x < count; x = end) {
        const uint64_t label = list[x].first;
        const uint32_t item = list[x].item;
        uint64_t where = 0;

        for (end = x; end < count && list[end].first == label; end++) {
            uint32_t i = list[end].item;
            const unsigned side = side_of(dag, &i) == &dag->p->b;

            where += sepx__mix(depths_of(dag, side, i) + UINT64_C(1));
        }
        for (uint32_t y = x; y < end; y++) {
            list[y].first = (uint64_t)(end - x) << 48 | where >> 16;
            list[y].second = item;
        }
    }
    return set_ranks(dag, list, count);
}

static uint64_t
look_around(const struct ged_sketch *s, const uint32_t *rank, uint32_t i)
{
    uint64_t sum = 0;

    for (unsigned g = 0; g < 2; g++)
        for (uint32_t x = s->by[g].first[i]; x < s->by[g].first[i + 1]; x++)
            sum += sepx__mix((uint64_t)rank[s->by[g].dart[x].node] * 2 + g + 1);
    return sum;
}

static void
refine(struct dag *dag, struct dag_key *list, uint32_t count)
{
    uint32_t known = rank_labels(dag, list, count);

    for (unsigned round = 0; round < RADIUS && known < count; round++) {
        uint32_t now;

        for (uint32_t x = 0; x < count; x++) {
            uint32_t i = x;
            const struct ged_sketch *s = side_of(dag, &i);
            const uint32_t *rank = dag->rank[s == &dag->p->b];

            list[x] = (struct dag_key){rank[i], look_around(s, rank, i), 0, x};
        }
        now = set_ranks(dag, list, count);
        if (now == known)
            return;
        known = now;
    }
}

/* ---- set-up ---- */

static size_t
lay_out(struct dag *dag, uint8_t *base)
{
    const struct ged_problem *p = dag->p;
    size_t edges = 0, used = 0;

    for (unsigned side = 0; side < 2; side++) {
        const size_t n = sketch_of(dag, side)->graph->n;
        const size_t m = sketch_of(dag, side)->graph->m;

        dag->rank[side] = sepx__ged_take(base, &used, n * sizeof(uint32_t));
        for (unsigned g = 0; g < 2; g++)
            dag->length[side][g] =
                sepx__ged_take(base, &used, n * sizeof(uint32_t));
        if (m > edges)
            edges = m;
    }
    dag->next = sepx__ged_take(base, &used, edges * sizeof *dag->next);
    dag->stack = sepx__ged_take(base, &used, p->m * sizeof *dag->stack);
    dag->cursor = sepx__ged_take(base, &used, p->m * sizeof *dag->cursor);
    dag->key =
        sepx__ged_take(base, &used, ((size_t)p->n + p->m) * sizeof *dag->key);
    return used;
}

enum sepx_err
sepx__dag_init(struct dag *dag, const struct ged_problem *p)
{
    *dag = (struct dag){.p = p};
    if (p->classes != 2 || !p->n)
        return SEPX_OK;
    dag->memory = sepx__aligned(lay_out(dag, NULL), GED_ALIGN);
    if (!dag->memory)
        return SEPX_ENOMEM;
    lay_out(dag, dag->memory);
    for (unsigned side = 0; side < 2; side++)
        for (unsigned g = 0; g < 2; g++)
            if (!set_lengths(dag, side, g))
                return SEPX_OK;
    dag->acyclic = true;
    dag->is_own = sepx__dag_ascends(p->a.graph, NULL) &&
                  sepx__dag_ascends(p->b.graph, NULL);
    refine(dag, dag->key, p->n + p->m);
    return SEPX_OK;
}

void
sepx__dag_release(struct dag *dag)
{
    sepx__aligned_free(dag->memory);
    *dag = (struct dag){0};
}

/* ---- walks ---- */

/* How a walk goes; low ranks come first, or last if `reverse`. */
struct way {
    unsigned side, class;
    bool by_length, reverse;
};

static struct dag_key
key_of(const struct dag *dag, struct way way, uint32_t i)
{
    return (struct dag_key){
        way.by_length ? dag->length[way.side][1 - way.class][i] : 0,
        dag->rank[way.side][i], depths_of(dag, way.side, i), i};
}

/* Where each node's darts lead, in the order in which they are taken. */
static void
sort_darts(struct dag *dag, struct way way)
{
    const struct ged_sketch *s = sketch_of(dag, way.side);
    const struct ged_darts *darts = &s->by[way.class];

    for (uint32_t i = 0; i < s->graph->n; i++) {
        const uint32_t first = darts->first[i];
        const uint32_t count = darts->first[i + 1] - first;

        for (uint32_t x = 0; x < count; x++)
            dag->key[x] = key_of(dag, way, darts->dart[first + x].node);
        if (count > 1)
            qsort(dag->key, count, sizeof *dag->key, by_key);
        for (uint32_t x = 0; x < count; x++)
            dag->next[first + (way.reverse ? count - 1 - x : x)] =
                dag->key[x].item;
    }
}

/* Nodes that no dart of the walk leads to, in their order; their number. */
static uint32_t
sort_ends(struct dag *dag, struct way way)
{
    const struct ged_sketch *s = sketch_of(dag, way.side);
    uint32_t count = 0;

    for (uint32_t i = 0; i < s->graph->n; i++)
        if (!ged_degree(s, 1 - way.class, i))
            dag->key[count++] = key_of(dag, way, i);
    qsort(dag->key, count, sizeof *dag->key, by_key);
    return count;
}

/* Nodes in the order in which a depth-first walk leaves them. */
static void
walk(struct dag *dag, struct way way, uint32_t *left)
{
    const struct ged_sketch *s = sketch_of(dag, way.side);
    uint32_t *cursor = dag->cursor, *stack = dag->stack, ends;

    sort_darts(dag, way);
    ends = sort_ends(dag, way);
    memset(cursor, 0xff, s->graph->n * sizeof *cursor);
    for (uint32_t x = 0; x < ends; x++) {
        uint32_t depth = 1;

        stack[0] = dag->key[way.reverse ? ends - 1 - x : x].item;
        cursor[stack[0]] = 0;
        while (depth) {
            const uint32_t i = stack[depth - 1];
            uint32_t j;

            if (cursor[i] == ged_degree(s, way.class, i)) {
                *left++ = i;
                depth--;
                continue;
            }
            j = dag->next[s->by[way.class].first[i] + cursor[i]++];
            if (cursor[j] == UINT32_MAX) {
                cursor[j] = 0;
                stack[depth++] = j;
            }
        }
    }
}

static void
reverse_list(uint32_t *list, uint32_t n)
{
    for (uint32_t x = 0; x < n / 2; x++) {
        const uint32_t was = list[x];

        list[x] = list[n - 1 - x];
        list[n - 1 - x] = was;
    }
}

void
sepx__dag_order(struct dag *dag, struct dag_order *order,
                enum dag_order_kind kind)
{
    const bool walks = kind != DAG_ORDER_OWN || !dag->is_own;
    const bool forward =
        kind == DAG_ORDER_FORWARD || kind == DAG_ORDER_FORWARD_LONG ||
        kind == DAG_ORDER_FORWARD_TURNED || kind == DAG_ORDER_FORWARD_DEEP;
    const bool turned = kind >= DAG_ORDER_FORWARD_TURNED;
    struct way way = {.class = !forward,
                      .by_length = kind == DAG_ORDER_FORWARD_LONG ||
                                   kind == DAG_ORDER_BACKWARD_LONG ||
                                   kind >= DAG_ORDER_FORWARD_DEEP,
                      .reverse = forward != turned};

    for (; way.side < 2; way.side++) {
        const uint32_t n = sketch_of(dag, way.side)->graph->n;
        uint32_t *at = order->at[way.side];

        for (uint32_t i = 0; i < n; i++)
            at[i] = i;
        if (walks)
            walk(dag, way, at);
        if (walks && forward)
            reverse_list(at, n);
        for (uint32_t i = 0; i < n; i++)
            order->place[way.side][at[i]] = i;
    }
}

bool
sepx__dag_order_given(struct dag *dag, struct dag_order *order,
                      const struct ged_numbers *numbers)
{
    for (unsigned side = 0; side < 2; side++) {
        const unsigned from = dag->p->swapped ? 1 - side : side;
        const struct ged_sketch *s = sketch_of(dag, side);
        const size_t size = s->graph->n * sizeof(uint32_t);

        if (!sepx__dag_ascends(s->graph, numbers->at[from]))
            return false;
        memcpy(order->at[side], numbers->place[from], size);
        memcpy(order->place[side], numbers->at[from], size);
    }
    return true;
}
