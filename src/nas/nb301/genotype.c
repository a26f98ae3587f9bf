/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Genotypes of DARTS, one a line, as Python prints them:
 * Genotype(normal=[('skip_connect', 0), ...], normal_concat=range(2, 6),
 * reduce=[...], reduce_concat=range(2, 6)). Pairs 2k and 2k + 1 are the
 * inputs of node k + 2. All four nodes lead to the output, as in
 * NAS-Bench-301. A node's two inputs have no order in a graph: they come
 * back in that of their sources.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "nas/cell_formats.h"

enum { INNER = 4, PAIRS = 2 * INNER, CELL = 7, VARIABLES = 4 * PAIRS };

struct genotype {
    const char *begin, *at, *end;
    struct sepx_msg *msg;
    struct sepx__builder builder;
};

static enum sepx_err
bad(const struct genotype *g, const char *what)
{
    return sepx_fail(g->msg, SEPX_EDATA,
                     "%s at letter %zu of the genotype, before \"%s\"; write "
                     "Genotype(normal=[('OP', SOURCE), ...], "
                     "normal_concat=range(2, 6), reduce=[...], "
                     "reduce_concat=range(2, 6))",
                     what, (size_t)(g->at - g->begin) + 1,
                     sepx__excerpt(g->at, (size_t)(g->end - g->at)).text);
}

/* The word, blanks before it skipped; false if it is not there. */
static bool
take(struct genotype *g, const char *word)
{
    g->at = sepx__skip_space(g->at, g->end);
    if (!sepx__begins(g->at, g->end, word))
        return false;
    g->at += strlen(word);
    return true;
}

/* ('sep_conv_3x3', 1), or with [] or "" */
static enum sepx_err
take_pair(struct genotype *g, uint32_t cell, uint32_t to)
{
    struct sepx_edge edge = {.to = (uint16_t)(CELL * cell + to)};
    const char *word;
    char quote;
    enum sepx_err err;

    if (!take(g, "(") && !take(g, "["))
        return bad(g, "no pair");
    if (!take(g, "'") && !take(g, "\""))
        return bad(g, "no operation");
    quote = g->at[-1];
    word = g->at;
    while (g->at < g->end && *g->at != quote)
        g->at++;
    err = sepx__builder_label(&g->builder, &edge.label, word,
                              (size_t)(g->at - word), "an operation", g->msg);
    if (err)
        return err;
    if (g->at == word || !take(g, quote == '"' ? "\"" : "'") || !take(g, ","))
        return bad(g, "no operation");
    g->at = sepx__skip_space(g->at, g->end);
    if (g->at == g->end || *g->at < '0' || *g->at >= (char)('0' + to))
        return bad(g, "no source");
    edge.from = (uint16_t)(CELL * cell + (uint32_t)(*g->at++ - '0'));
    if (!take(g, ")") && !take(g, "]"))
        return bad(g, "no end of a pair");
    return sepx__builder_edge(&g->builder, edge, g->msg);
}

static bool
take_concat(struct genotype *g)
{
    if (take(g, "range")) /* "range(2, 6)" */
        return take(g, "(") && take(g, "2") && take(g, ",") && take(g, "6") &&
               take(g, ")");
    if (!take(g, "[") && !take(g, "("))
        return false;
    return take(g, "2") && take(g, ",") && take(g, "3") && take(g, ",") &&
           take(g, "4") && take(g, ",") && take(g, "5") &&
           (take(g, "]") || take(g, ")"));
}

static enum sepx_err
take_cell(struct genotype *g, uint32_t cell, const char *name)
{
    char concat[24];
    enum sepx_err err = SEPX_OK;

    if (!take(g, name) || !take(g, "=") || !take(g, "["))
        return bad(g, "no cell");
    for (uint32_t i = 0; i < PAIRS && !err; i++) {
        err = take_pair(g, cell, 2 + i / 2);
        if (!err && i + 1 < PAIRS && !take(g, ","))
            err = bad(g, "too few pairs");
    }
    if (err)
        return err;
    (void)take(g, ",");
    if (!take(g, "]") || !take(g, ","))
        return bad(g, "more than eight pairs");
    (void)snprintf(concat, sizeof(concat), "%s_concat", name);
    if (!take(g, concat) || !take(g, "=") || !take_concat(g))
        return bad(g, "no end of the cell that is 2, 3, 4, 5");
    for (uint32_t i = 2; i < 2 + INNER && !err; i++)
        err = sepx__builder_edge(
            &g->builder,
            (struct sepx_edge){(uint16_t)(CELL * cell + i),
                               (uint16_t)(CELL * cell + CELL - 1), 0},
            g->msg);
    return err;
}

static enum sepx_err
add_nodes(struct genotype *g, const char *cell)
{
    static const char *const suffix[CELL] = {"_in_0", "_in_1", "",    "",
                                             "",      "",      "_out"};
    enum sepx_err err = SEPX_OK;

    for (int i = 0; i < CELL && !err; i++) {
        char label[24];

        (void)snprintf(label, sizeof(label), "%s%s", cell, suffix[i]);
        err = sepx__builder_node(&g->builder, label, strlen(label), "a node",
                                 g->msg);
    }
    return err;
}

static enum sepx_err
take_all(struct genotype *g)
{
    enum sepx_err err = add_nodes(g, "normal");

    if (!err)
        err = add_nodes(g, "reduce");
    if (!err && (!take(g, "Genotype") || !take(g, "(")))
        err = bad(g, "no genotype");
    if (!err)
        err = take_cell(g, 0, "normal");
    if (!err && !take(g, ","))
        err = bad(g, "no comma");
    if (!err)
        err = take_cell(g, 1, "reduce");
    if (err)
        return err;
    (void)take(g, ",");
    if (!take(g, ")") || sepx__skip_space(g->at, g->end) < g->end)
        return bad(g, "no end");
    return SEPX_OK;
}

static enum sepx_err
read_genotype(struct sepx_graph *graph, struct sepx_names *names,
              const char *bytes, size_t len, struct sepx_msg *msg)
{
    struct genotype g = {.begin = bytes,
                         .at = bytes,
                         .end = bytes + len,
                         .msg = msg,
                         .builder.graph.names = names};
    enum sepx_err err = take_all(&g);

    sepx__edges_order(&g.builder.graph);
    if (!err)
        sepx__builder_finish(&g.builder, graph);
    sepx__builder_release(&g.builder);
    return err;
}

static bool
is_genotype(const char *at, const char *end)
{
    return sepx__begins(at, end, "Genotype");
}

/* The variables of the space are operation and source of each pair. */
static enum sepx_err
put_cell(struct sepx_text *text, const uint16_t *value, const char *name)
{
    static const char *const ops[] = {
        "max_pool_3x3", "avg_pool_3x3", "skip_connect", "sep_conv_3x3",
        "sep_conv_5x5", "dil_conv_3x3", "dil_conv_5x5"};
    enum sepx_err err = sepx_text_print(text, "%s=[", name);

    for (uint32_t i = 0; i < PAIRS && !err; i++)
        err = sepx_text_print(text, "%s('%s', %u)", i ? ", " : "",
                              ops[value[2 * i]], (unsigned)value[2 * i + 1]);
    return err ? err : sepx_text_print(text, "], %s_concat=range(2, 6)", name);
}

static enum sepx_err
write_genotype(struct sepx_text *text, const struct sepx_graph *graph,
               struct sepx_msg *msg)
{
    uint16_t value[VARIABLES];
    struct sepx_graph cell = {0};
    struct sepx_space *space;
    enum sepx_err err = sepx__cell_of(&space, &cell, "darts", graph, msg);

    if (!err)
        err = sepx_space_encode(space, value, &cell);
    if (!err)
        err = sepx_text_print(text, "Genotype(");
    if (!err)
        err = put_cell(text, value, "normal");
    if (!err)
        err = sepx_text_print(text, ", ");
    if (!err)
        err = put_cell(text, value + 2 * PAIRS, "reduce");
    if (!err)
        err = sepx_text_print(text, ")\n");
    sepx_graph_release(&cell);
    sepx_space_close(space);
    return err;
}

const struct sepx__format sepx__format_darts = {
    .info = {"darts", "genotype", "DARTS genotypes, one a line", true, true,
             true},
    .sniff = is_genotype,
    .split = sepx__split_line,
    .read = read_genotype,
    .write = write_genotype,
};
