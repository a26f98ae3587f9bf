/* SPDX-License-Identifier: Apache-2.0 */
/* Formats of two benchmarks that are JSON: matrices of NAS-Bench-101 and
 * recipes of NAS-Bench-NLP. */
#include <string.h>

#include "nas/cell_formats.h"
#include "nas/nbnlp/private.h"
#include "sepx/nas.h"

enum sepx_err
sepx__cell_of(struct sepx_space **space, struct sepx_graph *out,
              const char *name, const struct sepx_graph *graph,
              struct sepx_msg *msg)
{
    const struct sepx__lacks lacks = {.name = name,
                                      .undirected = true,
                                      .loops = true,
                                      .parallel = true,
                                      .cycles = true};
    bool valid = false;
    enum sepx_err err = sepx__format_check(graph, &lacks, msg);

    *space = NULL;
    if (!err)
        err = sepx_space_open(space, name, msg);
    if (!err)
        err = sepx__graph_adopt(out, sepx_space_names(*space), graph);
    if (!err)
        err = sepx_space_check(*space, &valid, out, msg);
    if (!err && !valid) {
        sepx_msg_prefix(msg, "not a graph of %s", name);
        err = SEPX_EDATA;
    }
    return err;
}

/* ---- NAS-Bench-101: {"matrix": [[0, 1], [0, 0]], "ops": [...]} ---- */

static const struct sepx_json *
either(const struct sepx_json *root, const char *a, const char *b)
{
    const struct sepx_json *value = sepx_json_get(root, a);

    return value ? value : sepx_json_get(root, b);
}

static const struct sepx_json *
matrix_of(const struct sepx_json *root)
{
    const struct sepx_json *value = either(root, "matrix", "module_adjacency");

    return value ? value : sepx_json_get(root, "adjacency");
}

static const struct sepx_json *
ops_of(const struct sepx_json *root)
{
    return either(root, "ops", "module_operations");
}

static bool
is_matrix(const struct sepx_json *root)
{
    return matrix_of(root) && ops_of(root);
}

static enum sepx_err
add_row(struct sepx__builder *builder, const struct sepx_json *row,
        uint32_t from, struct sepx_msg *msg)
{
    enum sepx_err err = SEPX_OK;

    if (sepx_json_size(row) != builder->graph.n_nodes ||
        sepx_json_type(row) != SEPX_JSON_ARRAY)
        return sepx_fail(msg, SEPX_EDATA,
                         "row %u of the matrix is not as long as \"ops\"",
                         from);
    for (uint32_t to = 0; to < builder->graph.n_nodes && !err; to++) {
        int64_t value = sepx_json_integer(sepx_json_at(row, to), -1);

        if (value != 0 && value != 1)
            return sepx_fail(msg, SEPX_EDATA,
                             "row %u of the matrix has more than 0 and 1",
                             from);
        if (value)
            err = sepx__builder_edge(
                builder, (struct sepx_edge){(uint16_t)from, (uint16_t)to, 0},
                msg);
    }
    return err;
}

static enum sepx_err
read_matrix(struct sepx_graph *graph, struct sepx_names *names,
            const struct sepx_json *root, struct sepx_msg *msg)
{
    const struct sepx_json *matrix = matrix_of(root), *ops = ops_of(root);
    struct sepx__builder builder = {.graph.names = names};
    enum sepx_err err = SEPX_OK;

    if (!matrix || !ops || sepx_json_size(matrix) != sepx_json_size(ops))
        err = sepx_fail(msg, SEPX_EDATA,
                        "\"matrix\" and \"ops\" are not arrays of one length");
    for (size_t i = 0; i < sepx_json_size(ops) && !err; i++) {
        const char *op = sepx_json_string(sepx_json_at(ops, i));

        if (!op)
            err = sepx_fail(msg, SEPX_EDATA, "ops[%zu] is no string", i);
        else
            err = sepx__builder_node(&builder, op, strlen(op), "an operation",
                                     msg);
    }
    for (uint32_t i = 0; i < builder.graph.n_nodes && !err; i++)
        err = add_row(&builder, sepx_json_at(matrix, i), i, msg);
    sepx__edges_order(&builder.graph);
    if (!err)
        sepx__builder_finish(&builder, graph);
    sepx__builder_release(&builder);
    return err;
}

static bool
is_forward(const struct sepx_graph *graph)
{
    for (uint32_t i = 0; i < graph->n_edges; i++)
        if (graph->edge[i].from >= graph->edge[i].to)
            return false;
    return true;
}

/* Rows and columns in the stored order, or in a topological one. */
static enum sepx_err
put_matrix(struct sepx_text *text, const struct sepx_graph *graph)
{
    struct sepx_json_writer w;

    sepx_json_begin(&w, text);
    sepx_json_open(&w, '{');
    sepx_json_key(&w, "matrix");
    sepx_json_open(&w, '[');
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        sepx_json_open(&w, '[');
        for (uint32_t j = 0; j < graph->n_nodes; j++)
            sepx_json_put_integer(&w,
                                  sepx_graph_find_edge(graph, i, j) != NULL);
        sepx_json_close(&w, ']');
    }
    sepx_json_close(&w, ']');
    sepx_json_key(&w, "ops");
    sepx_json_open(&w, '[');
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        sepx_json_put_string(&w,
                             sepx_names_text(graph->names, graph->label[i]));
    sepx_json_close(&w, ']');
    sepx_json_close(&w, '}');
    return sepx_json_done(&w);
}

static enum sepx_err
write_matrix(struct sepx_text *text, const struct sepx_graph *graph,
             struct sepx_msg *msg)
{
    static const struct sepx__lacks lacks = {.name = "a matrix with operations",
                                             .undirected = true,
                                             .loops = true,
                                             .parallel = true,
                                             .edge_labels = true,
                                             .cycles = true};
    struct sepx_graph sorted = {0};
    uint32_t *order;
    bool acyclic = true;
    enum sepx_err err = sepx__format_check(graph, &lacks, msg);

    if (err)
        return err;
    order = sepx__calloc(graph->n_nodes + 1u, sizeof(*order));
    if (!order)
        err = SEPX_ENOMEM;
    for (uint32_t i = 0; i < graph->n_nodes && !err; i++)
        order[i] = i;
    if (!err && !is_forward(graph))
        err = sepx_graph_topological(graph, order, &acyclic);
    if (!err)
        err = sepx_graph_permute(&sorted, graph, order);
    if (!err)
        err = put_matrix(text, &sorted);
    if (!err)
        err = sepx_text_add(text, "\n", 1);
    sepx_graph_release(&sorted);
    sepx__free(order);
    return err;
}

const struct sepx__format sepx__format_nb101 = {
    .info = {"nb101", "", "NAS-Bench-101 matrix and operations, JSON", true,
             true, true},
    .is_json = is_matrix,
    .from_json = read_matrix,
    .write = write_matrix,
};

/* ---- NAS-Bench-NLP: recipes ---- */

static bool
is_recipe(const struct sepx_json *root)
{
    const struct sepx_json *value;
    const char *key;
    void *position = NULL;

    if (!sepx_json_size(root))
        return false;
    while (sepx_json_next(root, &position, &key, &value))
        if (!sepx_json_get(value, "op") ||
            !(sepx_json_get(value, "input") || sepx_json_get(value, "inputs")))
            return false;
    return true;
}

static enum sepx_err
read_recipe(struct sepx_graph *graph, struct sepx_names *names,
            const struct sepx_json *root, struct sepx_msg *msg)
{
    struct sepx_graph cell = {0}, copy = {.names = names};
    struct sepx_space *space;
    enum sepx_err err = sepx_space_open(&space, "nbnlp", msg);

    if (!err)
        err = sepx_recipe_read(&cell, space, root, msg);
    if (!err)
        err = sepx__graph_adopt(&copy, names, &cell);
    if (err == SEPX_ENOMEM)
        sepx_fail(msg, err, "%s", sepx_strerror(err));
    if (!err) {
        sepx_graph_release(graph);
        *graph = copy;
        copy = (struct sepx_graph){0};
    }
    sepx_graph_release(&copy);
    sepx_graph_release(&cell);
    sepx_space_close(space);
    return err;
}

static enum sepx_err
write_recipe(struct sepx_text *text, const struct sepx_graph *graph,
             struct sepx_msg *msg)
{
    struct sepx_graph cell = {0};
    struct sepx_json_writer w;
    struct sepx_space *space;
    enum sepx_err err = sepx__cell_of(&space, &cell, "nbnlp", graph, msg);

    for (uint32_t i = 0; i < cell.n_edges && !err; i++)
        if (cell.edge[i].label)
            err = sepx_fail(msg, SEPX_EDATA,
                            "the graph has edge labels, which recipes cannot "
                            "hold; choose another format");
    if (!err) {
        sepx_json_begin(&w, text);
        sepx_recipe_put_json(&w, &cell);
        err = sepx_json_done(&w);
    }
    if (!err)
        err = sepx_text_add(text, "\n", 1);
    sepx_graph_release(&cell);
    sepx_space_close(space);
    return err;
}

const struct sepx__format sepx__format_nbnlp = {
    .info = {"nbnlp", "", "NAS-Bench-NLP recipes, JSON", true, true, true},
    .is_json = is_recipe,
    .from_json = read_recipe,
    .write = write_recipe,
};
