/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random recurrent cells, drawn as NAS-Bench-NLP draws them: nodes are added
 * to a recipe, two of them become the new hidden states, and whatever feeds
 * neither is dropped.
 */
#include <string.h>

#include "nas/nbnlp/nbnlp_labels.h"

#define STATES 2
#define BASE (1 + STATES) /* x and the previous states are nodes 0..2 */
#define OPS 9             /* nodes that a recipe is filled up to, and limit */
#define NODES (BASE + OPS + 1)

struct recipe {
    uint32_t n; /* nodes so far, inputs included */
    uint16_t op[NODES];
    uint64_t in[NODES];
    uint64_t active; /* activation nodes */
};

static void
add_node(struct recipe *r, uint16_t op, uint64_t in)
{
    r->op[r->n] = op;
    r->in[r->n] = in;
    r->n++;
}

/* `count` of the set's members; the set has as many. */
static uint64_t
draw_some(uint64_t set, uint32_t count, struct sepx_rng *rng)
{
    uint32_t pick[NODES] = {0}, member[NODES] = {0}, n = 0;
    uint64_t drawn = 0;

    while (set)
        member[n++] = sepx__take_lowest(&set);
    sepx_rng_sample(rng, pick, count, n);
    for (uint32_t i = 0; i < count; i++)
        drawn |= sepx__bit(member[pick[i]]);
    return drawn;
}

/* A linear node brings its activation along. */
static void
add_linear(struct recipe *r, struct sepx_rng *rng)
{
    uint64_t from = (sepx__bit(BASE) - 1) | r->active;
    uint32_t count = sepx_rng_below(rng, 5) ? 2 : 3;

    add_node(r, NLP_LINEAR, draw_some(from, count, rng));
    add_node(r, (uint16_t)(NLP_SIGM + sepx_rng_below(rng, 3)),
             sepx__bit(r->n - 1));
    r->active |= sepx__bit(r->n - 1);
}

/* Inputs are states and operations, never x. */
static void
add_other(struct recipe *r, uint16_t op, struct sepx_rng *rng)
{
    uint64_t from = (sepx__bit(r->n) - 1) & ~(uint64_t)1;
    uint32_t count = op == NLP_BLEND ? 3 : 2;

    if (sepx__count(from) >= count)
        add_node(r, op, draw_some(from, count, rng));
}

static void
fill(struct recipe *r, struct sepx_rng *rng)
{
    static const uint16_t other[] = {NLP_BLEND, NLP_PROD, NLP_SUM};

    while (r->n < BASE + OPS) {
        uint32_t pick = sepx_rng_below(rng, 6);

        if (pick < 3)
            add_linear(r, rng);
        else
            add_other(r, other[pick - 3], rng);
    }
}

/* The nodes that feed one of `set`, with it. */
static uint64_t
feeding(const struct recipe *r, uint64_t set)
{
    for (uint32_t i = r->n; i--;)
        if (set >> i & 1)
            set |= r->in[i];
    return set;
}

/*
 * The authors list new states last; a node whose inputs are not listed yet
 * goes to the end of the row. `order` gets nodes of the recipe.
 */
static uint32_t
list_nodes(const struct recipe *r, uint64_t live, const uint32_t *state,
           uint32_t *order)
{
    uint32_t row[NODES], n = 0, found = 0;
    uint64_t states = sepx__bit(state[0]) | sepx__bit(state[1]);
    uint64_t done = sepx__bit(BASE) - 1;

    for (uint64_t set = live & ~states & ~done; set;)
        row[n++] = sepx__take_lowest(&set);
    row[n++] = state[0];
    row[n++] = state[1];
    for (uint32_t i = 0; i < BASE; i++)
        order[found++] = i;
    while (found < BASE + n)
        for (uint32_t i = 0; i < n; i++) {
            if (done >> row[i] & 1 || r->in[row[i]] & ~done)
                continue;
            order[found++] = row[i];
            done |= sepx__bit(row[i]);
        }
    return found;
}

static SEPX_CHECKED enum sepx_err
build(const struct sepx_space *space, struct sepx_graph *graph,
      const struct recipe *r, const uint32_t *order, uint32_t n,
      const uint32_t *state)
{
    uint16_t label[NODES + STATES];
    uint64_t out[NODES + STATES] = {0};
    uint32_t place[NODES];

    for (uint32_t i = 0; i < n; i++) {
        place[order[i]] = i;
        label[i] = r->op[order[i]];
        for (uint64_t in = r->in [order[i]]; in;)
            out[place[sepx__take_lowest(&in)]] |= sepx__bit(i);
    }
    for (uint32_t i = 0; i < STATES; i++) {
        label[n + i] = (uint16_t)(NLP_NEW + i);
        out[place[state[i]]] |= sepx__bit(n + i);
    }
    return sepx__graph_fill(graph, space, label, n + STATES, out);
}

/* All inputs are used, no new state reads an old one, not too large. */
static bool
acceptable(const struct recipe *r, uint64_t live, const uint32_t *state)
{
    uint64_t base = sepx__bit(BASE) - 1, old = base & ~(uint64_t)1;

    return (live & base) == base && !(r->in[state[0]] & old) &&
           !(r->in[state[1]] & old) && sepx__count(live) <= BASE + OPS;
}

enum sepx_err
nlp_sample(const struct sepx_space *space, struct sepx_graph *graph,
           struct sepx_rng *rng)
{
    for (;;) {
        struct recipe r = {.n = BASE, .op = {NLP_X, NLP_PREV, NLP_PREV + 1}};
        uint32_t state[STATES], order[NODES], n;
        uint64_t live;

        fill(&r, rng);
        sepx_rng_sample(rng, state, STATES, r.n - BASE);
        state[0] += BASE;
        state[1] += BASE;
        live = feeding(&r, sepx__bit(state[0]) | sepx__bit(state[1]));
        if (!acceptable(&r, live, state))
            continue;
        n = list_nodes(&r, live, state, order);
        return build(space, graph, &r, order, n, state);
    }
}
