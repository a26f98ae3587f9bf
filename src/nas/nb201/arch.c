/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The strings of NAS-Bench-201, one a line:
 * |none~0|+|skip_connect~0|nor_conv_1x1~1|+|none~0|none~1|none~2|
 * Node k has one "OPERATION~SOURCE" for each node before it.
 */
#include <stdio.h>
#include <string.h>

#include "nas/cell_formats.h"

enum { NODES = 4, EDGES = 6, OPS = 5 };

static const char *const ops[OPS] = {"none", "skip_connect", "nor_conv_1x1",
                                     "nor_conv_3x3", "avg_pool_3x3"};

static enum sepx_err
bad(struct sepx_msg *msg, const char *bytes, size_t len, size_t at)
{
    return sepx_fail(msg, SEPX_EDATA,
                     "\"%s\" is no string of NAS-Bench-201 (wrong from letter "
                     "%zu on); write "
                     "|OP~0|+|OP~0|OP~1|+|OP~0|OP~1|OP~2|",
                     sepx__excerpt(bytes, len).text, at + 1);
}

/* "OP~SOURCE|" at *at. */
static bool
read_op(const char **at, const char *end, uint32_t source, const char **op)
{
    char tail[4];

    (void)snprintf(tail, sizeof(tail), "~%u|", (unsigned)source);
    for (int i = 0; i < OPS; i++) {
        size_t len = strlen(ops[i]);

        if (!sepx__begins(*at, end, ops[i]) ||
            !sepx__begins(*at + len, end, tail))
            continue;
        *op = ops[i];
        *at += len + 3;
        return true;
    }
    return false;
}

static enum sepx_err
add_edges(struct sepx__builder *builder, const char *bytes, size_t len,
          struct sepx_msg *msg)
{
    const char *at = bytes, *end = bytes + len, *op;
    enum sepx_err err = SEPX_OK;

    for (uint16_t to = 1; to < NODES && !err; to++) {
        const char *begin = to == 1 ? "|" : "+|";

        if (!sepx__begins(at, end, begin))
            return bad(msg, bytes, len, (size_t)(at - bytes));
        at += strlen(begin);
        for (uint16_t from = 0; from < to && !err; from++) {
            struct sepx_edge edge = {from, to, 0};

            if (!read_op(&at, end, from, &op))
                return bad(msg, bytes, len, (size_t)(at - bytes));
            err = sepx__builder_label(builder, &edge.label, op, strlen(op),
                                      "edge", msg);
            if (!err)
                err = sepx__builder_edge(builder, edge, msg);
        }
    }
    return !err && at < end ? bad(msg, bytes, len, (size_t)(at - bytes)) : err;
}

static enum sepx_err
read_arch(struct sepx_graph *graph, struct sepx_names *names, const char *bytes,
          size_t len, struct sepx_msg *msg)
{
    static const char *const nodes[NODES] = {"input", "sum", "sum", "output"};
    const char *end = bytes + len, *at = sepx__skip_space(bytes, end);
    struct sepx__builder builder = {.graph.names = names};
    enum sepx_err err = SEPX_OK;

    while (end > at && strchr(" \t\r\n", end[-1]))
        end--;
    for (int i = 0; i < NODES && !err; i++)
        err = sepx__builder_node(&builder, nodes[i], strlen(nodes[i]), "a node",
                                 msg);
    if (!err)
        err = add_edges(&builder, at, (size_t)(end - at), msg);
    sepx__edges_order(&builder.graph);
    if (!err)
        sepx__builder_finish(&builder, graph);
    sepx__builder_release(&builder);
    return err;
}

static bool
is_arch(const char *at, const char *end)
{
    (void)end;
    return *at == '|';
}

/* All pairs are joined, so there is one topological order. */
static enum sepx_err
put_arch(struct sepx_text *text, const struct sepx_graph *cell)
{
    uint32_t order[NODES];
    bool acyclic = true;
    enum sepx_err err = sepx_graph_topological(cell, order, &acyclic);

    for (uint32_t to = 1; to < NODES && !err; to++) {
        err = sepx_text_print(text, "%s|", to > 1 ? "+" : "");
        for (uint32_t from = 0; from < to && !err; from++) {
            const struct sepx_edge *edge =
                sepx_graph_find_edge(cell, order[from], order[to]);

            err = sepx_text_print(text, "%s~%u|",
                                  sepx_names_text(cell->names, edge->label),
                                  (unsigned)from);
        }
    }
    return err ? err : sepx_text_add(text, "\n", 1);
}

static enum sepx_err
write_arch(struct sepx_text *text, const struct sepx_graph *graph,
           struct sepx_msg *msg)
{
    struct sepx_graph cell = {0};
    struct sepx_space *space;
    enum sepx_err err = sepx__cell_of(&space, &cell, "nb201", graph, msg);

    if (!err)
        err = put_arch(text, &cell);
    sepx_graph_release(&cell);
    sepx_space_close(space);
    return err;
}

const struct sepx__format sepx__format_nb201 = {
    .info = {"nb201", "nb201", "NAS-Bench-201 strings, one a line", true, true,
             true},
    .sniff = is_arch,
    .split = sepx__split_line,
    .read = read_arch,
    .write = write_arch,
};
