/* SPDX-License-Identifier: Apache-2.0 */
/* Ged(...): pinned labels and costs, from Python values. */
#include "core.h"

#include <stddef.h>
#include <string.h>

/* clang-format off */
#define COSTS(X) \
    X(node_insert) X(node_delete) X(node_relabel) \
    X(edge_insert) X(edge_delete) X(edge_relabel)
#define X(member) {#member, offsetof(struct sepx_costs, member)},
static const struct {
    const char *key;
    size_t offset;
} rows[] = {COSTS(X)};
#undef X
/* clang-format on */

static int
read_pinned(struct core_ged *ged, PyObject *labels)
{
    PyObject *list;

    if (PyUnicode_Check(labels)) {
        PyErr_SetString(PyExc_TypeError,
                        "pinned is one str; give a list of labels");
        return -1;
    }
    list = PySequence_Tuple(labels);
    if (!list)
        return -1;
    ged->options.n_pinned = (size_t)PyTuple_Size(list);
    ged->pinned = core_alloc(ged->options.n_pinned, sizeof *ged->pinned);
    ged->options.pinned = ged->pinned;
    for (size_t i = 0; ged->pinned && i < ged->options.n_pinned; i++) {
        PyObject *label = PyTuple_GetItem(list, (Py_ssize_t)i);

        if (core_label(ged->names->table, label, &ged->pinned[i]) < 0) {
            Py_DECREF(list);
            return -1;
        }
    }
    Py_DECREF(list);
    return ged->pinned ? 0 : -1;
}

/* ---- costs ---- */

/* A number from 0 to 1,000,000; -1 and an exception otherwise. */
static int
read_cost(PyObject *value, const char *what, double *cost)
{
    *cost = PyFloat_AsDouble(value);
    if (*cost == -1 && PyErr_Occurred())
        return -1;
    if (*cost >= 0 && *cost <= 1e6)
        return 0;
    PyErr_Format(PyExc_ValueError,
                 "the cost %s is %R; it must be from 0 to 1,000,000", what,
                 value);
    return -1;
}

static int
read_row(struct core_ged *ged, struct sepx_relabel_cost *row, PyObject *value,
         const char *what)
{
    PyObject *entry = PySequence_Tuple(value);
    int failed = -1;

    if (entry && PyTuple_Size(entry) != 3)
        PyErr_Format(PyExc_ValueError, "%s: expected (from, to, cost), got %R",
                     what, value);
    else if (entry)
        failed = core_label(ged->names->table, PyTuple_GetItem(entry, 0),
                            &row->from) < 0 ||
                 core_label(ged->names->table, PyTuple_GetItem(entry, 1),
                            &row->to) < 0 ||
                 read_cost(PyTuple_GetItem(entry, 2), what, &row->cost) < 0;
    Py_XDECREF(entry);
    return failed ? -1 : 0;
}

static int
read_table(struct core_ged *ged, int which, PyObject *value, const char *what)
{
    PyObject *list = PySequence_Tuple(value);
    struct sepx_relabel_cost *table;
    size_t count;

    if (!list)
        return -1;
    count = (size_t)PyTuple_Size(list);
    table = core_alloc(count, sizeof *table);
    PyMem_Free(ged->table[which]);
    ged->table[which] = table;
    for (size_t i = 0; table && i < count; i++) {
        if (read_row(ged, &table[i], PyTuple_GetItem(list, (Py_ssize_t)i),
                     what) < 0) {
            Py_DECREF(list);
            return -1;
        }
    }
    Py_DECREF(list);
    *(which ? &ged->costs.edge_table : &ged->costs.node_table) = table;
    *(which ? &ged->costs.n_edge_table : &ged->costs.n_node_table) = count;
    return table ? 0 : -1;
}

static int
read_key(struct core_ged *ged, const char *key, PyObject *value)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!strcmp(rows[i].key, key))
            return read_cost(
                value, key,
                (double *)(void *)((char *)&ged->costs + rows[i].offset));
    }
    if (!strcmp(key, "node_table") || !strcmp(key, "edge_table"))
        return read_table(ged, key[0] == 'e', value, key);
    PyErr_Format(PyExc_ValueError,
                 "unknown cost '%s'; valid: node_insert node_delete "
                 "node_relabel edge_insert edge_delete edge_relabel "
                 "node_table edge_table",
                 key);
    return -1;
}

static int
read_costs(struct core_ged *ged, PyObject *costs)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;

    ged->costs = (struct sepx_costs){.node_insert = 1,
                                     .node_delete = 1,
                                     .node_relabel = 1,
                                     .edge_insert = 1,
                                     .edge_delete = 1,
                                     .edge_relabel = 1};
    ged->options.costs = &ged->costs;
    if (!PyDict_Check(costs)) {
        PyErr_SetString(PyExc_TypeError, "costs must be a dict or None");
        return -1;
    }
    while (PyDict_Next(costs, &at, &key, &value)) {
        const char *text = PyUnicode_AsUTF8AndSize(key, NULL);

        if (!text || read_key(ged, text, value) < 0)
            return -1;
    }
    return 0;
}

/* ---- whether the distance is the same both ways ---- */

static bool
has_mirror(const struct sepx_relabel_cost *table, size_t count, size_t row)
{
    for (size_t i = 0; i < count; i++) {
        if (table[i].from == table[row].to && table[i].to == table[row].from)
            return table[i].cost == table[row].cost;
    }
    return false;
}

static bool
is_symmetric(const struct core_ged *ged)
{
    const struct sepx_costs *costs = &ged->costs;
    bool symmetric;

    if (!ged->options.costs)
        return true;
    symmetric = costs->node_insert == costs->node_delete &&
                costs->edge_insert == costs->edge_delete;
    for (size_t i = 0; i < costs->n_node_table && symmetric; i++)
        symmetric = has_mirror(costs->node_table, costs->n_node_table, i);
    for (size_t i = 0; i < costs->n_edge_table && symmetric; i++)
        symmetric = has_mirror(costs->edge_table, costs->n_edge_table, i);
    return symmetric;
}

/* ---- life ---- */

void
core_ged_dealloc(PyObject *object)
{
    struct core_ged *self = (struct core_ged *)object;
    PyTypeObject *type = Py_TYPE(object);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);

    while (self->n_spare)
        sepx_ged_free(self->spare[--self->n_spare]);
    PyMem_Free((void *)self->spare);
    PyMem_Free(self->pinned);
    PyMem_Free(self->table[0]);
    PyMem_Free(self->table[1]);
    core_names_drop(self->names);
    release(object);
    Py_DECREF(type);
}

PyObject *
core_ged_make(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *words[] = {"pinned", "costs", "ignore_labels", NULL};
    static uint64_t number;
    PyObject *pinned = NULL, *costs = Py_None;
    int ignore_labels = 0, failed = 0;
    struct core_ged *made;
    struct sepx_ged *solver;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|$OOp:Ged", words, &pinned,
                                     &costs, &ignore_labels))
        return NULL;
    made = (struct core_ged *)PyType_GenericAlloc(type, 0);
    if (!made)
        return NULL;
    made->number = ++number;
    made->names = core_names_now();
    failed = !made->names;
    made->options.ignore_labels = ignore_labels;
    if (!failed && pinned && pinned != Py_None)
        failed = read_pinned(made, pinned);
    if (!failed && costs != Py_None)
        failed = read_costs(made, costs);
    if (!failed) {
        made->symmetric = is_symmetric(made);
        solver = core_ged_take(made);
        failed = !solver;
        core_ged_give(made, solver);
    }
    if (!failed)
        return (PyObject *)made;
    core_drop(made);
    return NULL;
}
