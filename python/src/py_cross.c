/* SPDX-License-Identifier: Apache-2.0 */
/* Crossovers, and how their children came about. */
#include "core.h"

#include <math.h>

/* All that one crossover needs. */
struct crossing {
    struct sepx_cross *cross;
    struct sepx_graph first, second, child;
    struct sepx_explain explain;
    bool accepted;
};

static void
release(struct crossing *crossing)
{
    sepx_cross_free(crossing->cross);
    sepx_graph_release(&crossing->first);
    sepx_graph_release(&crossing->second);
    sepx_graph_release(&crossing->child);
    sepx_explain_release(&crossing->explain);
}

static PyObject *
flag_list(const bool *flag, size_t count)
{
    PyObject *list = PyList_New((Py_ssize_t)count);

    for (size_t i = 0; list && i < count; i++) {
        if (PyList_SetItem(list, (Py_ssize_t)i, PyBool_FromLong(flag[i])) < 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *
place_list(const int16_t *place, size_t count)
{
    PyObject *list = PyList_New((Py_ssize_t)count);

    for (size_t i = 0; list && i < count; i++) {
        PyObject *node = place[i] == SEPX_NONE ? Py_NewRef(Py_None)
                                               : PyLong_FromLong(place[i]);

        if (!node || PyList_SetItem(list, (Py_ssize_t)i, node) < 0)
            Py_CLEAR(list);
    }
    return list;
}

static const char *
verdict_name(enum sepx_verdict verdict)
{
    static const char *const names[] = {"accepted", "duplicate", "cyclic",
                                        "invalid", "dangling"};

    return names[verdict];
}

/* A dict; the parts of operators that know no edits are empty. */
static PyObject *
explain_dict(const struct crossing *crossing)
{
    const struct sepx_explain *explain = &crossing->explain;
    const struct sepx_graph *start =
        explain->swapped ? &crossing->second : &crossing->first;
    size_t edits = explain->path.len;
    size_t nodes = explain->map ? explain->path.n_first : 0;

    return Py_BuildValue(
        "{s:O,s:d,s:d,s:N,s:N,s:N,s:N,s:I,s:s,s:s}", "swapped",
        explain->swapped ? Py_True : Py_False, "distance", explain->distance,
        "lower", explain->lower, "map", place_list(explain->map, nodes), "path",
        core_path_list(&explain->path, start), "taken",
        flag_list(explain->taken, edits), "dropped",
        flag_list(explain->dropped, edits), "trials", explain->trials,
        "verdict", verdict_name(explain->verdict), "why", explain->why.text);
}

static PyObject *
cross_once(struct crossing *crossing, uint64_t seed, uint32_t index,
           bool explain)
{
    struct sepx_rng rng;
    PyObject *child, *how;
    enum sepx_err err;

    sepx_rng_init(&rng, seed, 0, index, 0);
    err = sepx_cross_run(crossing->cross, &crossing->child, &crossing->accepted,
                         &crossing->first, &crossing->second, &rng, NULL,
                         explain ? &crossing->explain : NULL);
    if (err)
        return core_raise(err, NULL);
    child = crossing->accepted ? core_space_graph(&crossing->child)
                               : Py_NewRef(Py_None);
    if (!child || !explain)
        return child;
    how = explain_dict(crossing);
    if (!how) {
        Py_DECREF(child);
        return NULL;
    }
    return Py_BuildValue("(NN)", child, how);
}

/* _cross(space, first, second, operator, preset, rows, seed, index, explain) */
static PyObject *
cross(PyObject *self, PyObject *args)
{
    struct crossing crossing = {0};
    struct sepx_rules rules;
    struct sepx_msg msg = {0};
    struct core_space *space;
    PyObject *first, *second, *rows, *made = NULL;
    const char *op, *preset, **row;
    unsigned long long seed;
    unsigned index;
    int explain;
    enum sepx_err err;

    (void)self;
    if (!PyArg_ParseTuple(args, "O!OOssO!KIp:_cross", core_space_type, &space,
                          &first, &second, &op, &preset, &PyTuple_Type, &rows,
                          &seed, &index, &explain))
        return NULL;
    row = core_words(rows);
    if (!row)
        return NULL;
    err = core_rules(&rules, space->at, preset, op, row, &msg);
    PyMem_Free((void *)row);
    if (!err)
        err = sepx_cross_new(&crossing.cross, space->at, op, &rules, &msg);
    crossing.child.names = sepx_space_names(space->at);
    if (err)
        (void)core_raise(err, &msg);
    else if (core_space_take(space->at, &crossing.first, first) == 0 &&
             core_space_take(space->at, &crossing.second, second) == 0)
        made = cross_once(&crossing, seed, index, explain);
    release(&crossing);
    return made;
}

PyMethodDef core_cross_functions[] = {{"_cross", cross, METH_VARARGS, NULL},
                                      {NULL, NULL, 0, NULL}};
