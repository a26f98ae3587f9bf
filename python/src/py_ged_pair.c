/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One pair of graphs with costs of its own for each node and edge: what
 * functions of Python that compare them come to.
 */
#include "core.h"

#include "base/internal.h"

#include <string.h>

#define MATRICES 6

struct pair {
    struct core_graph *first, *second;
    struct sepx_graph other; /* the second, with names of the first */
    Py_buffer buffer[MATRICES];
    struct sepx_pair_costs costs;
    struct sepx_ged *ged;
    struct sepx_ged_graph *a, *b;
    struct core_watch watch;
    struct sepx_ged_limits limits;
    int16_t *maps; /* `count` of them, each as long as the first graph */
    size_t count, room;
    bool no_memory;
};

static void
pair_release(struct pair *pair)
{
    for (int i = 0; i < MATRICES; i++) {
        if (pair->buffer[i].obj)
            PyBuffer_Release(&pair->buffer[i]);
    }
    sepx_ged_graph_free(pair->a);
    sepx_ged_graph_free(pair->b);
    sepx_ged_free(pair->ged);
    sepx_graph_release(&pair->other);
    sepx__free(pair->maps);
}

/* float64 of this many entries, or NULL for None; -1 and an exception. */
static int
read_matrix(Py_buffer *buffer, const double **matrix, PyObject *value,
            size_t entries)
{
    if (value == Py_None)
        return 0;
    if (PyObject_GetBuffer(value, buffer, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) <
        0)
        return -1;
    if (!buffer->format || strcmp(buffer->format, "d") ||
        buffer->len != (Py_ssize_t)(entries * sizeof(double))) {
        PyErr_Format(PyExc_ValueError, "expected %zu numbers of float64",
                     entries);
        return -1;
    }
    *matrix = buffer->buf;
    return 0;
}

static int
read_costs(struct pair *pair, PyObject *matrices)
{
    struct sepx_pair_costs *costs = &pair->costs;
    const struct sepx_graph *a = &pair->first->at, *b = &pair->second->at;
    const double **place[MATRICES] = {
        &costs->node_substitute, &costs->node_delete, &costs->node_insert,
        &costs->edge_substitute, &costs->edge_delete, &costs->edge_insert};
    size_t entries[MATRICES] = {
        (size_t)a->n_nodes * b->n_nodes, a->n_nodes, b->n_nodes,
        (size_t)a->n_edges * b->n_edges, a->n_edges, b->n_edges};

    if (PyTuple_Size(matrices) != MATRICES) {
        PyErr_SetString(PyExc_ValueError, "expected six matrices");
        return -1;
    }
    for (int i = 0; i < MATRICES; i++) {
        if (read_matrix(&pair->buffer[i], place[i],
                        PyTuple_GetItem(matrices, i), entries[i]) < 0)
            return -1;
    }
    return 0;
}

/* Without the GIL. */
static bool
keep_map(void *context, const int16_t *map)
{
    struct pair *pair = context;
    uint32_t n = pair->first->at.n_nodes;

    if (pair->count == pair->room) {
        size_t room = 2 * pair->room + 16;
        int16_t *more =
            sepx__resize(pair->maps, (room * n + 1) * sizeof *pair->maps);

        if (!more) {
            pair->no_memory = true;
            return false;
        }
        pair->maps = more;
        pair->room = room;
    }
    if (n)
        memcpy(pair->maps + pair->count * n, map, n * sizeof *map);
    pair->count++;
    return true;
}

static PyObject *
map_list(const int16_t *map, uint32_t n)
{
    PyObject *list = PyList_New((Py_ssize_t)n);

    for (uint32_t i = 0; list && i < n; i++) {
        PyObject *node =
            map[i] == SEPX_NONE ? Py_NewRef(Py_None) : PyLong_FromLong(map[i]);

        if (!node || PyList_SetItem(list, (Py_ssize_t)i, node) < 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *
maps_list(const struct pair *pair)
{
    uint32_t n = pair->first->at.n_nodes;
    PyObject *list = PyList_New((Py_ssize_t)pair->count);

    for (size_t i = 0; list && i < pair->count; i++) {
        PyObject *map = map_list(pair->maps + i * n, n);

        if (!map || PyList_SetItem(list, (Py_ssize_t)i, map) < 0)
            Py_CLEAR(list);
    }
    return list;
}

/* The best map, or all optimal ones unless a limit came before a proof. */
static enum sepx_err
search(struct pair *pair, struct sepx_ged_result *result, bool all)
{
    enum sepx_err err =
        sepx_ged_run(pair->ged, result, pair->a, pair->b, &pair->limits);
    uint64_t count;

    if (err)
        return err;
    if (!all || !result->exact) {
        (void)keep_map(pair, result->map);
        return SEPX_OK;
    }
    err = sepx_ged_optima(pair->ged, &count, pair->a, pair->b, &pair->limits,
                          keep_map, pair);
    return err == SEPX_ELIMIT ? SEPX_OK : err;
}

static PyObject *
solve(struct pair *pair, bool all)
{
    struct sepx_ged_options options = {0};
    struct sepx_ged_result result = {0};
    enum sepx_err err;

    pair->limits.watch = core_watch_bounds;
    pair->limits.context = &pair->watch;
    err = sepx_ged_new_pair(&pair->ged, &pair->a, &pair->b, &options,
                            &pair->first->at, &pair->other, &pair->costs);
    if (!err) {
        pair->watch.saved = PyEval_SaveThread();
        err = search(pair, &result, all);
        PyEval_RestoreThread(pair->watch.saved);
    }
    if (pair->no_memory)
        err = SEPX_ENOMEM;
    if (err || PyErr_Occurred())
        return core_raise(err, NULL);
    return Py_BuildValue("(ddON)", result.lower, result.upper,
                         result.exact ? Py_True : Py_False, maps_list(pair));
}

/* pair(first, second, matrices, seconds, at_most, all) */
static PyObject *
pair_solve(PyObject *self, PyObject *args)
{
    struct pair pair = {0};
    PyObject *matrices, *seconds, *at_most, *made = NULL;
    int all;

    (void)self;
    if (!PyArg_ParseTuple(args, "O!O!O!OOp:pair", core_graph_type, &pair.first,
                          core_graph_type, &pair.second, &PyTuple_Type,
                          &matrices, &seconds, &at_most, &all) ||
        core_seconds(seconds, &pair.limits.seconds) < 0)
        return NULL;
    pair.limits.threshold = at_most != Py_None;
    if (pair.limits.threshold)
        pair.limits.at_most = PyFloat_AsDouble(at_most);
    if (!PyErr_Occurred() && read_costs(&pair, matrices) == 0 &&
        core_translate(&pair.other, pair.first->at.names, &pair.second->at) ==
            0)
        made = solve(&pair, all);
    pair_release(&pair);
    return made;
}

PyMethodDef core_pair_functions[] = {
    {"pair", pair_solve, METH_VARARGS,
     "pair(first, second, matrices, seconds, at_most, all, /)\n--\n\n"
     "(lower, upper, exact, maps) by costs of each node and edge."},
    {NULL, NULL, 0, NULL}};
