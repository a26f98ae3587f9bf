/* SPDX-License-Identifier: Apache-2.0 */
/* The edits that a map implies. */
#include "core.h"

static PyObject *
edit_tuple(const struct sepx_graph *graph, const struct sepx_edit *edit)
{
    static const char *const kinds[] = {"edge_delete",  "node_delete",
                                        "node_relabel", "node_insert",
                                        "edge_relabel", "edge_insert"};
    bool of_node = edit->kind == SEPX_NODE_DELETE ||
                   edit->kind == SEPX_NODE_RELABEL ||
                   edit->kind == SEPX_NODE_INSERT;
    PyObject *old = core_label_text(graph->names, edit->old_label);
    PyObject *new = core_label_text(graph->names, edit->new_label);

    if (!old || !new) {
        Py_XDECREF(old);
        Py_XDECREF(new);
        return NULL;
    }
    if (of_node)
        return Py_BuildValue("(sHNN)", kinds[edit->kind], edit->node, old, new);
    return Py_BuildValue("(s(HH)NN)", kinds[edit->kind], edit->from, edit->to,
                         old, new);
}

PyObject *
core_path_list(const struct sepx_path *path, const struct sepx_graph *graph)
{
    PyObject *list = PyList_New((Py_ssize_t)path->len);

    for (size_t i = 0; list && i < path->len; i++) {
        PyObject *edit = edit_tuple(graph, &path->edit[i]);

        if (!edit || PyList_SetItem(list, (Py_ssize_t)i, edit) < 0) {
            Py_DECREF(list);
            return NULL;
        }
    }
    return list;
}

/* The map of a sequence with numbers and None; NULL and an exception. */
static int16_t *
read_map(PyObject *list, uint32_t n)
{
    int16_t *map = core_alloc(n, sizeof *map);

    for (uint32_t i = 0; map && i < n; i++) {
        PyObject *node = PySequence_GetItem(list, (Py_ssize_t)i);
        long number = SEPX_NONE;

        if (node && node != Py_None)
            number = PyLong_AsLong(node);
        Py_XDECREF(node);
        if (PyErr_Occurred() || number < SEPX_NONE ||
            number >= SEPX_NODES_MAX) {
            if (!PyErr_Occurred())
                PyErr_SetString(PyExc_ValueError, "a map names no such node");
            PyMem_Free(map);
            return NULL;
        }
        map[i] = (int16_t)number;
    }
    return map;
}

static PyObject *
path(PyObject *self, PyObject *args)
{
    struct core_graph *first, *second;
    struct sepx_graph other = {0};
    struct sepx_path made = {0};
    PyObject *list, *answer = NULL;
    int16_t *map;
    int ignore;
    enum sepx_err err;

    (void)self;
    if (!PyArg_ParseTuple(args, "O!O!Op:path", core_graph_type, &first,
                          core_graph_type, &second, &list, &ignore))
        return NULL;
    map = read_map(list, first->at.n_nodes);
    if (map && core_translate(&other, first->at.names, &second->at) == 0) {
        err = sepx_path_from_map(&made, &first->at, &other, map, ignore);
        answer =
            err ? core_raise(err, NULL) : core_path_list(&made, &first->at);
    }
    PyMem_Free(map);
    sepx_path_release(&made);
    sepx_graph_release(&other);
    return answer;
}

PyMethodDef core_path_functions[] = {
    {"path", path, METH_VARARGS,
     "path(first, second, map, ignore_labels, /)\n--\n\n"
     "The edits that a map implies: (kind, node or edge, old, new)."},
    {NULL, NULL, 0, NULL}};
