/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The trainable parameters of the network that NAS-Bench-101 builds of a cell
 * (Ying et al. 2019): a 3x3 convolution to 128 channels, three stacks of
 * three cells, the channels doubling from stack to stack, and a dense layer.
 * Convolutions have no bias and are normalised: two parameters a channel.
 *
 * Within a cell the output concatenates what leads to it, so its channels
 * are split among those nodes, the first ones getting one more if that leaves
 * a rest; any other node has as many as the widest node that it leads to.
 * The order of nodes decides who is first: it is that of the benchmark, which
 * keeps the first of isomorphic cells as it counts up edges, then operations.
 * What comes from the input passes a 1x1 convolution to the node's width, and
 * an edge from input to output one that is added to the concatenation.
 */
#include "sepx/nb101.h"

enum { STEM = 128, STACKS = 3, CELLS = 3, CLASSES = 10, PIXEL = 3 };

static bool
has_edge(const struct sepx_nb101_cell *cell, unsigned from, unsigned to)
{
    return cell->edges >> sepx_nb101_bit(from, to) & 1;
}

/* Channels of inner nodes. */
static void
split(const struct sepx_nb101_cell *cell, uint32_t channels, uint32_t *width)
{
    unsigned last = cell->nodes - 1u;
    uint32_t parts = 0, rest;

    for (unsigned i = 1; i < last; i++)
        parts += has_edge(cell, i, last);
    rest = parts ? channels % parts : 0;
    for (unsigned i = 1; i < last; i++) {
        width[i] = 0;
        if (has_edge(cell, i, last)) {
            width[i] = channels / parts + (rest > 0);
            rest -= rest > 0;
        }
    }
    for (unsigned i = last; i-- > 1;) {
        for (unsigned j = i + 1; j < last && !has_edge(cell, i, last); j++) {
            if (has_edge(cell, i, j) && width[j] > width[i])
                width[i] = width[j];
        }
    }
}

/* ---- the benchmark's order ---- */

struct ordering {
    const struct sepx_nb101_cell *from;
    struct sepx_nb101_cell best;
    bool found;
};

/* Node i of the new cell is node old[i]; false if an edge runs backwards. */
static bool
arrange(struct sepx_nb101_cell *to, const struct sepx_nb101_cell *from,
        const unsigned *old)
{
    unsigned edges = 0, kept = 0;

    *to = (struct sepx_nb101_cell){.nodes = from->nodes};
    for (unsigned j = 1; j < from->nodes; j++) {
        to->op[j] = from->op[old[j]];
        for (unsigned i = 0; i < j; i++) {
            edges += has_edge(from, i, j);
            if (old[i] < old[j] && has_edge(from, old[i], old[j])) {
                to->edges |= UINT32_C(1) << sepx_nb101_bit(i, j);
                kept++;
            }
        }
    }
    return edges == kept;
}

static bool
comes_before(const struct sepx_nb101_cell *a, const struct sepx_nb101_cell *b)
{
    if (a->edges != b->edges)
        return a->edges < b->edges;
    for (unsigned i = 1; i + 1u < a->nodes; i++) {
        if (a->op[i] != b->op[i])
            return a->op[i] < b->op[i];
    }
    return false;
}

/* All orders of the inner nodes from `at` on. */
static void
try_orders(struct ordering *o, unsigned *old, unsigned at)
{
    unsigned last = o->from->nodes - 1u;
    struct sepx_nb101_cell cell;

    if (at == last) {
        if (arrange(&cell, o->from, old) &&
            (!o->found || comes_before(&cell, &o->best))) {
            o->best = cell;
            o->found = true;
        }
        return;
    }
    for (unsigned i = at; i < last; i++) {
        unsigned moved = old[i];

        old[i] = old[at];
        old[at] = moved;
        try_orders(o, old, at + 1);
        old[at] = old[i];
        old[i] = moved;
    }
}

/* Only a rest makes a difference: channels are powers of two. */
static struct sepx_nb101_cell
in_order(const struct sepx_nb101_cell *cell)
{
    struct ordering o = {.from = cell, .best = *cell};
    unsigned old[SEPX_NB101_NODES], last = cell->nodes - 1u, parts = 0;

    for (unsigned i = 0; i <= last; i++) {
        old[i] = i;
        parts += i && i < last && has_edge(cell, i, last);
    }
    if (parts & (parts - 1))
        try_orders(&o, old, 1);
    return o.best;
}

/* ---- counting ---- */

static uint32_t
convolution(uint32_t from, uint32_t to, uint32_t side)
{
    return side * side * from * to + 2 * to;
}

static uint32_t
cell_size(const struct sepx_nb101_cell *cell, uint32_t from, uint32_t to)
{
    static const uint32_t side[] = {
        [SEPX_NB101_CONV3] = 3, [SEPX_NB101_CONV1] = 1, [SEPX_NB101_POOL] = 0};
    unsigned last = cell->nodes - 1u;
    uint32_t width[SEPX_NB101_NODES], size = 0;

    split(cell, to, width);
    for (unsigned i = 1; i < last; i++) {
        if (has_edge(cell, 0, i))
            size += convolution(from, width[i], 1);
        if (side[cell->op[i]])
            size += convolution(width[i], width[i], side[cell->op[i]]);
    }
    return size + (has_edge(cell, 0, last) ? convolution(from, to, 1) : 0);
}

uint32_t
sepx_nb101_cell_parameters(const struct sepx_nb101_cell *cell)
{
    const struct sepx_nb101_cell ordered = in_order(cell);
    uint32_t channels = STEM, size = convolution(PIXEL, STEM, 3);

    for (int stack = 0; stack < STACKS; stack++) {
        uint32_t from = channels;

        channels *= stack ? 2 : 1;
        for (int i = 0; i < CELLS; i++) {
            size += cell_size(&ordered, from, channels);
            from = channels;
        }
    }
    return size + channels * CLASSES + CLASSES;
}
