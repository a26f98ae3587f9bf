/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Topological orders. A random one is drawn uniformly: the number of ways to
 * finish an order after its first nodes depends only on their set, a
 * down-set, so counting over down-sets gives the chance of each next node.
 * Up to 16 nodes the counts are integers in an array indexed by the set, up
 * to 64 nodes doubles in a hash table; see chain.c for all other graphs.
 */
#include <string.h>

#include "graph/order.h"

#define SMALL_MAX 16
#define STACK_MAX 12 /* nodes whose 2^n counts are kept on the stack */
#define SETS_MAX ((size_t)1 << 14) /* more take longer than the chain */

enum sepx_err
sepx__arcs_init(struct sepx__arcs *arcs, const struct sepx_graph *graph)
{
    uint32_t n = graph->n_nodes;

    arcs->start = n < SEPX__ARCS_SMALL
                      ? arcs->small
                      : sepx__alloc((2 * (size_t)n + 1) * sizeof(uint32_t));
    if (!arcs->start)
        return SEPX_ENOMEM;
    arcs->waits = arcs->start + n + 1;
    memset(arcs->start, 0, (2 * (size_t)n + 1) * sizeof(uint32_t));
    for (uint32_t i = 0; i < graph->n_edges; i++) {
        arcs->start[graph->edge[i].from + 1]++;
        arcs->waits[graph->edge[i].to]++;
    }
    for (uint32_t v = 0; v < n; v++)
        arcs->start[v + 1] += arcs->start[v];
    return SEPX_OK;
}

void
sepx__arcs_release(struct sepx__arcs *arcs)
{
    if (arcs->start != arcs->small)
        sepx__free(arcs->start);
}

static uint32_t
lowest(const uint64_t *set)
{
    uint32_t word = 0;

    while (!set[word])
        word++;
    return word * 64 + sepx__lowest_bit(set[word]);
}

/* An undirected edge leads back to where it came from. */
static bool
has_no_direction(const struct sepx_graph *graph)
{
    return graph->undirected && graph->n_edges;
}

enum sepx_err
sepx_graph_topological(const struct sepx_graph *graph, uint32_t *order,
                       bool *acyclic)
{
    uint64_t ready[SEPX_NODES_MAX / 64] = {0};
    struct sepx__arcs arcs;
    uint32_t found = 0, n_ready = 0;
    enum sepx_err err;

    *acyclic = !has_no_direction(graph);
    if (!*acyclic)
        return SEPX_OK;
    err = sepx__arcs_init(&arcs, graph);
    if (err)
        return err;
    for (uint32_t v = 0; v < graph->n_nodes; v++) {
        ready[v / 64] |= (uint64_t)!arcs.waits[v] << v % 64;
        n_ready += !arcs.waits[v];
    }
    for (; n_ready; n_ready--) {
        uint32_t v = lowest(ready);

        ready[v / 64] &= ~((uint64_t)1 << v % 64);
        order[found++] = v;
        for (uint32_t i = arcs.start[v]; i < arcs.start[v + 1]; i++) {
            uint32_t to = graph->edge[i].to;

            if (--arcs.waits[to])
                continue;
            ready[to / 64] |= (uint64_t)1 << to % 64;
            n_ready++;
        }
    }
    *acyclic = found == graph->n_nodes;
    sepx__arcs_release(&arcs);
    return SEPX_OK;
}

/* ---- up to 16 nodes ---- */

struct small {
    uint32_t n, all, before[SMALL_MAX]; /* the set that must precede a node */
    uint64_t *count; /* by set: ways to finish; 0: not counted yet */
};

/* At most 16! ways, which fits. Every down-set has one: no cycles here. */
static uint64_t
small_count(struct small *s, uint32_t set)
{
    uint64_t sum = 0;

    if (s->count[set])
        return s->count[set];
    for (uint32_t left = s->all & ~set; left; left &= left - 1)
        if (!(s->before[sepx__lowest_bit(left)] & ~set))
            sum += small_count(s, set | (left & -left));
    s->count[set] = sum;
    return sum;
}

static uint64_t
below(struct sepx_rng *rng, uint64_t bound)
{
    uint64_t mask, drawn;

    if (bound <= UINT32_MAX)
        return sepx_rng_below(rng, (uint32_t)bound);
    mask = UINT64_MAX >> __builtin_clzll(bound);
    do
        drawn = sepx_rng_u64(rng) & mask;
    while (drawn >= bound);
    return drawn;
}

/* One number, drawn below the count of all orders, picks the order. */
static void
small_draw(struct small *s, uint32_t *order, struct sepx_rng *rng)
{
    uint32_t set = 0;
    uint64_t rank = below(rng, small_count(s, 0));

    for (uint32_t i = 0; i < s->n; i++) {
        for (uint32_t left = s->all & ~set; left; left &= left - 1) {
            uint32_t v = sepx__lowest_bit(left);
            uint64_t count;

            if (s->before[v] & ~set)
                continue;
            count = s->count[set | 1u << v];
            if (rank < count) {
                order[i] = v;
                set |= 1u << v;
                break;
            }
            rank -= count;
        }
    }
}

static bool
small_acyclic(const struct small *s)
{
    uint32_t set = 0, old;

    do {
        old = set;
        for (uint32_t v = 0; v < s->n; v++)
            if (!(s->before[v] & ~set))
                set |= 1u << v;
    } while (set != old);
    return set == s->all;
}

static enum sepx_err
random_small(const struct sepx_graph *graph, uint32_t *order, bool *acyclic,
             struct sepx_rng *rng)
{
    uint64_t stack[1 << STACK_MAX];
    struct small s = {.n = graph->n_nodes, .count = stack};

    s.all = (1u << s.n) - 1;
    for (uint32_t i = 0; i < graph->n_edges; i++)
        s.before[graph->edge[i].to] |= 1u << graph->edge[i].from;
    *acyclic = small_acyclic(&s);
    if (!*acyclic)
        return SEPX_OK;
    if (s.n > STACK_MAX)
        s.count = sepx__calloc((size_t)1 << s.n, sizeof(*s.count));
    else
        memset(stack, 0, sizeof(*stack) << s.n);
    if (!s.count)
        return SEPX_ENOMEM;
    s.count[s.all] = 1;
    small_draw(&s, order, rng);
    if (s.count != stack)
        sepx__free(s.count);
    return SEPX_OK;
}

/* ---- up to 64 nodes ---- */

struct counted {
    uint64_t set;
    double count; /* 0: a free slot */
};

struct sets {
    uint32_t n;
    uint64_t all, before[64];
    struct counted *slot; /* n_slots is a power of two */
    size_t n_slots, used;
    enum sepx_err err; /* sticks; SEPX_ELIMIT: too many sets */
};

static struct counted *
find_set(const struct sets *s, uint64_t set)
{
    size_t mask = s->n_slots - 1;
    size_t i = (size_t)sepx__mix(set) & mask;

    while (s->slot[i].count != 0 && s->slot[i].set != set)
        i = (i + 1) & mask;
    return &s->slot[i];
}

static enum sepx_err
grow_sets(struct sets *s)
{
    struct sets bigger = *s;

    bigger.n_slots = s->n_slots ? 4 * s->n_slots : 1024;
    bigger.slot = sepx__calloc(bigger.n_slots, sizeof(*bigger.slot));
    if (!bigger.slot)
        return SEPX_ENOMEM;
    for (size_t i = 0; i < s->n_slots; i++)
        if (s->slot[i].count != 0)
            *find_set(&bigger, s->slot[i].set) = s->slot[i];
    sepx__free(s->slot);
    *s = bigger;
    return SEPX_OK;
}

static void
store_set(struct sets *s, uint64_t set, double count)
{
    if (!s->err && s->used == SETS_MAX)
        s->err = SEPX_ELIMIT;
    if (!s->err && 2 * s->used >= s->n_slots)
        s->err = grow_sets(s);
    if (s->err)
        return;
    *find_set(s, set) = (struct counted){set, count};
    s->used++;
}

/* At most 64 deep, one level for each node. */
static double
sets_count(struct sets *s, uint64_t set)
{
    double sum = s->n_slots ? find_set(s, set)->count : 0;

    if (sum != 0 || s->err)
        return sum;
    for (uint64_t left = s->all & ~set; left; left &= left - 1) {
        uint32_t v = sepx__lowest_bit(left);

        if (!(s->before[v] & ~set))
            sum += sets_count(s, set | (uint64_t)1 << v);
    }
    sum = set == s->all ? 1 : sum;
    store_set(s, set, sum);
    return sum;
}

static void
sets_draw(struct sets *s, uint32_t *order, struct sepx_rng *rng)
{
    uint64_t set = 0;

    for (uint32_t i = 0; i < s->n; i++) {
        double rank = sepx_rng_unit(rng) * find_set(s, set)->count;

        for (uint64_t left = s->all & ~set; left; left &= left - 1) {
            uint32_t v = sepx__lowest_bit(left);

            if (s->before[v] & ~set)
                continue;
            order[i] = v; /* the last ready one, should rounding pass it */
            rank -= find_set(s, set | (uint64_t)1 << v)->count;
            if (rank < 0)
                break;
        }
        set |= (uint64_t)1 << order[i];
    }
}

/*
 * Nodes of equal depth do not precede each other, so k of them alone make
 * 2^k down-sets: no need to count to the limit. `order` is topological.
 */
static bool
surely_too_many(const struct sets *s, const uint32_t *order)
{
    uint32_t depth[64], width[64] = {0};

    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t v = order[i];

        depth[v] = 0;
        for (uint64_t b = s->before[v]; b; b &= b - 1) {
            uint32_t above = depth[sepx__lowest_bit(b)] + 1;

            depth[v] = above > depth[v] ? above : depth[v];
        }
        if (++width[depth[v]] > 20)
            return true;
    }
    return false;
}

/* SEPX_ELIMIT if there are too many down-sets; `order` is topological. */
static enum sepx_err
random_medium(const struct sepx_graph *graph, uint32_t *order,
              struct sepx_rng *rng)
{
    struct sets s = {.n = graph->n_nodes};

    s.all = UINT64_MAX >> (64 - s.n);
    for (uint32_t i = 0; i < graph->n_edges; i++)
        s.before[graph->edge[i].to] |= (uint64_t)1 << graph->edge[i].from;
    if (surely_too_many(&s, order))
        return SEPX_ELIMIT;
    sets_count(&s, 0);
    if (!s.err)
        sets_draw(&s, order, rng);
    sepx__free(s.slot);
    return s.err;
}

enum sepx_err
sepx_graph_topological_random(const struct sepx_graph *graph, uint32_t *order,
                              bool *acyclic, bool *exact, struct sepx_rng *rng)
{
    enum sepx_err err;

    if (exact)
        *exact = true;
    *acyclic = !has_no_direction(graph);
    if (!*acyclic)
        return SEPX_OK;
    if (graph->n_nodes <= SMALL_MAX)
        return random_small(graph, order, acyclic, rng);
    err = sepx_graph_topological(graph, order, acyclic);
    if (err || !*acyclic)
        return err;
    err = graph->n_nodes <= 64 ? random_medium(graph, order, rng) : SEPX_ELIMIT;
    if (err != SEPX_ELIMIT)
        return err;
    if (exact)
        *exact = false;
    return sepx__order_chain(graph, order, rng);
}
