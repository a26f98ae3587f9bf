/* SPDX-License-Identifier: Apache-2.0 */
#include "nas/nb301/darts_code.h"

#define PAIRS 8 /* inputs in a cell: two of each of four nodes */
#define VARIABLES (2 * 2 * PAIRS)

/* The place of the first input of a node. */
static unsigned
first_edge(unsigned node)
{
    return node * (node - 1) / 2 - 1;
}

/* Of low < high < count, in the order 0-1, 0-2, ..., 1-2, ... */
static int
pair_rank(unsigned low, unsigned high, unsigned count)
{
    return (int)(low * (2 * count - low - 1) / 2 + high - low - 1);
}

static void
code_node(struct sepx__darts_code *code, unsigned cell, unsigned node,
          const uint16_t *value)
{
    unsigned a = value[1], b = value[3];

    code->edge[cell][first_edge(node) + a] = value[0];
    code->edge[cell][first_edge(node) + b] = value[2];
    if (node > 2)
        code->inputs[cell][node - 3] =
            pair_rank(a < b ? a : b, a < b ? b : a, node);
}

enum sepx_err
sepx__darts_code(struct sepx__darts_code *code, const struct sepx_space *space,
                 const struct sepx_graph *graph)
{
    uint16_t value[VARIABLES];
    enum sepx_err err = sepx_space_encode(space, value, graph);

    if (err)
        return err;
    for (unsigned cell = 0; cell < 2; cell++) {
        for (unsigned i = 0; i < SEPX__DARTS_EDGES; i++)
            code->edge[cell][i] = SEPX__DARTS_NONE;
        for (unsigned node = 2; node < 6; node++)
            code_node(code, cell, node,
                      value + 2 * PAIRS * cell + 4 * (node - 2));
    }
    return SEPX_OK;
}
