/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The authors' code of a recurrent cell and their standard crossover on it:
 * 13 x 13 adjacency bits, 13 operations, 3 hidden states. Slots 0..3 are x
 * and the old states, operations follow, and the last one is in slot 12.
 *
 * Reading a mixed code back loses all edges of the last operation, which is
 * always a new state, and so the operation. Few children survive that; our
 * own rules cross graphs instead.
 */
#include <string.h>

#include "nas/nbnlp/nbnlp_labels.h"

#define SLOTS 13
#define LAST (SLOTS - 1)
#define FIRST 4 /* slot of the first operation */

struct code {
    uint64_t out[SLOTS];
    uint16_t op[SLOTS]; /* 0: none */
    uint32_t hidden[NLP_HIDDEN];
};

/* False: more operations than slots. */
static bool
encode(struct code *code, const struct sepx_graph *graph)
{
    uint32_t slot[SEPX__SPACE_NODES], n = FIRST, k = 0;
    uint32_t index[SEPX__SPACE_NODES];

    *code = (struct code){0};
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        uint16_t label = graph->label[i];

        index[i] = nlp_is_op(label) ? n++ : (uint32_t)(label - NLP_X);
    }
    if (n == FIRST || n > SLOTS)
        return false;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        bool op = nlp_is_op(graph->label[i]);

        slot[i] = op && index[i] == n - 1 ? LAST : index[i];
        if (op && graph->label[i] != NLP_BLANK)
            code->op[slot[i]] = graph->label[i];
    }
    for (uint32_t i = 0; i < graph->n_edges; i++) {
        uint32_t from = graph->edge[i].from, to = graph->edge[i].to;
        uint16_t label = graph->label[to];

        if (nlp_is_op(label))
            code->out[slot[from]] |= sepx__bit(slot[to]);
        else if (k < NLP_HIDDEN)
            code->hidden[k++] = index[from];
    }
    return true;
}

/* Each entry from the one or the other. */
static void
mix(struct code *code, const struct code *other, struct sepx_rng *rng)
{
    uint32_t ops = sepx_rng_u32(rng), hidden = sepx_rng_u32(rng);

    for (uint32_t i = 0; i < SLOTS; i++) {
        uint64_t take = sepx_rng_u32(rng);

        code->out[i] = (code->out[i] & ~take) | (other->out[i] & take);
        if (ops >> i & 1)
            code->op[i] = other->op[i];
    }
    for (uint32_t i = 0; i < NLP_HIDDEN; i++)
        if (hidden >> i & 1)
            code->hidden[i] = other->hidden[i];
}

/* The largest slot whose edges are read. */
static uint32_t
last_read(const struct code *code)
{
    uint32_t slot = LAST - 1;

    while (slot > FIRST && !code->op[slot])
        slot--;
    return slot;
}

static uint32_t
highest(uint64_t set)
{
    return set ? 63 - (uint32_t)__builtin_clzll(set) : 0;
}

/* Inputs that no edge leaves are not there. */
static void
drop_unused(struct sepx_graph *graph, const uint64_t *out)
{
    bool keep[SLOTS + NLP_HIDDEN];

    for (uint32_t i = 0; i < graph->n_nodes; i++)
        keep[i] = i >= FIRST || out[i];
    sepx_graph_keep(graph, keep);
}

/* Hidden states are numbered by their place. */
static SEPX_CHECKED enum sepx_err
decode(const struct sepx_space *space, struct sepx_graph *graph, bool *good,
       const struct code *code)
{
    uint64_t read = sepx__bit(last_read(code) + 1) - 1, all = 0, hidden = 0;
    uint64_t out[SLOTS + NLP_HIDDEN] = {0};
    uint16_t label[SLOTS + NLP_HIDDEN];
    uint16_t mark = NLP_NEW;
    uint32_t n, end;
    enum sepx_err err;

    for (uint32_t i = 0; i <= last_read(code); i++) {
        out[i] = code->out[i] & read;
        all |= out[i];
    }
    end = n = highest(all) + 1;
    *good = all;
    for (uint32_t i = 0; i < NLP_HIDDEN; i++)
        hidden |= sepx__bit(code->hidden[i]);
    for (uint32_t i = 0; i < end; i++) {
        label[i] = i < FIRST     ? (uint16_t)(NLP_X + i)
                   : code->op[i] ? code->op[i]
                                 : NLP_BLANK;
        if (i < FIRST || !(hidden >> i & 1))
            continue;
        out[i] |= sepx__bit(n);
        label[n++] = mark++;
    }
    err = sepx__graph_fill(graph, space, label, n, out);
    if (!err && *good)
        drop_unused(graph, out);
    return err;
}

enum sepx_err
nlp_mix(const struct sepx_space *space, struct sepx_graph *child, bool *good,
        const struct sepx_graph *a, const struct sepx_graph *b,
        struct sepx_rng *rng)
{
    struct code code, other;

    *good = encode(&code, a) && encode(&other, b);
    if (!*good)
        return SEPX_OK;
    mix(&code, &other, rng);
    return decode(space, child, good, &code);
}
