/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs from Python values: nodes and edges, networkx, adjacency. */
#include "core.h"

#include <string.h>

/* A graph in the making. */
struct making {
    struct core_graph *graph;
    PyObject *place; /* dict from names of nodes to numbers, or NULL */
};

/* ---- nodes ---- */

static int
add_node(struct making *making, PyObject *label)
{
    struct sepx_graph *graph = &making->graph->at;
    struct sepx_msg msg = {0};
    uint16_t number = 0;
    enum sepx_err err;

    if (core_label(graph->names, label, &number) < 0)
        return -1;
    err = sepx_graph_add_node(graph, number);
    if (!err)
        return 0;
    if (err == SEPX_ELIMIT)
        (void)sepx_fail(&msg, err, "a graph has at most %d nodes",
                        SEPX_NODES_MAX);
    (void)core_raise(err, &msg);
    return -1;
}

/* Remember that the name `id` is node number `at`. */
static int
name_node(struct making *making, PyObject *id, Py_ssize_t at)
{
    PyObject *number;
    int failed;

    if (!making->place)
        making->place = PyDict_New();
    if (!making->place)
        return -1;
    number = PyLong_FromSsize_t(at);
    failed = number ? PyDict_SetItem(making->place, id, number) : -1;
    Py_XDECREF(number);
    if (!failed && PyDict_Size(making->place) != at + 1) {
        PyErr_Format(PyExc_ValueError, "two nodes are called %R", id);
        return -1;
    }
    return failed;
}

static int
name_nodes(struct making *making, PyObject *ids)
{
    making->graph->ids = PySequence_Tuple(ids);
    if (!making->graph->ids)
        return -1;
    for (Py_ssize_t i = 0; i < PyTuple_Size(making->graph->ids); i++) {
        if (name_node(making, PyTuple_GetItem(making->graph->ids, i), i) < 0)
            return -1;
    }
    if (PyTuple_Size(making->graph->ids) == making->graph->at.n_nodes)
        return 0;
    PyErr_Format(PyExc_ValueError, "%zd names for %u nodes",
                 PyTuple_Size(making->graph->ids), making->graph->at.n_nodes);
    return -1;
}

static int
add_each(struct making *making, PyObject *nodes)
{
    PyObject *each = PyObject_GetIter(nodes), *label;
    int failed = each ? 0 : -1;

    while (!failed && (label = PyIter_Next(each)) != NULL) {
        failed = add_node(making, label);
        Py_DECREF(label);
    }
    Py_XDECREF(each);
    return failed || PyErr_Occurred() ? -1 : 0;
}

static int
add_count(struct making *making, PyObject *nodes)
{
    Py_ssize_t count = PyNumber_AsSsize_t(nodes, PyExc_OverflowError);

    if (count == -1 && PyErr_Occurred())
        return -1;
    if (count < 0) {
        PyErr_SetString(PyExc_ValueError, "a number of nodes is negative");
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        if (add_node(making, Py_None) < 0)
            return -1;
    }
    return 0;
}

static int
add_nodes(struct making *making, PyObject *nodes, PyObject *ids)
{
    int failed;

    if (PyDict_Check(nodes)) {
        PyObject *labels = PyDict_Values(nodes);

        failed = labels ? add_each(making, labels) : -1;
        Py_XDECREF(labels);
        return failed ? -1 : name_nodes(making, ids == Py_None ? nodes : ids);
    }
    if (PyUnicode_Check(nodes)) {
        PyErr_SetString(PyExc_TypeError,
                        "nodes is one str; give a list of labels");
        return -1;
    }
    failed = PyIndex_Check(nodes) ? add_count(making, nodes)
                                  : add_each(making, nodes);
    return failed || ids == Py_None ? failed : name_nodes(making, ids);
}

/* ---- edges ---- */

static int
node_number(const struct making *making, PyObject *name, unsigned *number)
{
    Py_ssize_t at = -1;

    if (making->place) {
        PyObject *found = PyDict_GetItemWithError(making->place, name);

        if (!found && PyErr_Occurred())
            return -1;
        if (found)
            at = PyLong_AsSsize_t(found);
    } else if (PyIndex_Check(name)) {
        at = PyNumber_AsSsize_t(name, NULL);
        if (at == -1 && PyErr_Occurred())
            return -1;
    }
    if (at >= 0 && at < (Py_ssize_t)making->graph->at.n_nodes) {
        *number = (unsigned)at;
        return 0;
    }
    PyErr_Format(PyExc_ValueError,
                 "an edge names the node %R; there are %u nodes, %s", name,
                 making->graph->at.n_nodes,
                 making->place ? "called as `ids` says" : "numbered from 0");
    return -1;
}

static int
put_edge(struct making *making, unsigned from, unsigned to, PyObject *label)
{
    struct sepx_graph *graph = &making->graph->at;
    uint16_t number = 0;
    enum sepx_err err;

    if (core_label(graph->names, label, &number) < 0)
        return -1;
    err = sepx_graph_add_parallel(graph, from, to, number);
    if (!err)
        return 0;
    (void)core_raise(err, NULL);
    return -1;
}

static int
add_edge(struct making *making, PyObject *edge)
{
    PyObject *row = PyTuple_Check(edge) ? Py_NewRef(edge) : NULL;
    unsigned from = 0, to = 0;
    int failed = -1;
    Py_ssize_t size;

    if (!row && !PyUnicode_Check(edge))
        row = PySequence_Tuple(edge);
    size = row ? PyTuple_Size(row) : 0;
    if (!row && !PyErr_Occurred())
        PyErr_Format(PyExc_TypeError, "%R is no edge", edge);
    else if (row && (size < 2 || size > 3))
        PyErr_Format(PyExc_ValueError,
                     "%R is no edge; write (from, to) or (from, to, label)",
                     edge);
    else if (row)
        failed = node_number(making, PyTuple_GetItem(row, 0), &from) < 0 ||
                 node_number(making, PyTuple_GetItem(row, 1), &to) < 0 ||
                 put_edge(making, from, to,
                          size == 3 ? PyTuple_GetItem(row, 2) : Py_None) < 0;
    Py_XDECREF(row);
    return failed ? -1 : 0;
}

static int
add_edges(struct making *making, PyObject *edges)
{
    PyObject *each = PyObject_GetIter(edges), *edge;
    int failed = each ? 0 : -1;

    while (!failed && (edge = PyIter_Next(each)) != NULL) {
        failed = add_edge(making, edge);
        Py_DECREF(edge);
    }
    Py_XDECREF(each);
    return failed || PyErr_Occurred() ? -1 : 0;
}

/* ---- Graph(...) ---- */

static int
set_extra(struct core_graph *graph, const char *extra)
{
    /*
     * Read back by the reader, so that it is what the writer may write; an
     * empty graph may have fewer keys than others.
     */
    struct sepx_text text = {0};
    struct sepx_graph read = {0};
    struct sepx_msg msg = {0};
    const char *rest = extra + strspn(extra, " \t\r\n{");
    enum sepx_err err = sepx_text_print(
        &text, "{\"nodes\": [%s], \"edges\": []%s%s",
        graph->at.n_nodes ? "\"\"" : "", *rest == '}' ? "" : ", ", rest);

    if (!err)
        err = sepx_graph_read(&read, graph->at.names, text.at, text.len,
                              SEPX_FORMAT_JSON, &msg);
    if (!err) {
        graph->at.extra = read.extra;
        read.extra = NULL;
    }
    sepx_graph_release(&read);
    sepx_text_release(&text);
    if (!err)
        return 0;
    (void)core_raise(err, &msg);
    return -1;
}

PyObject *
core_graph_make(PyObject *type, PyObject *args, PyObject *kwargs)
{
    static char *words[] = {"nodes", "edges", "directed", "ids", "extra", NULL};
    PyObject *nodes, *edges = NULL, *ids = Py_None;
    const char *extra = NULL;
    int directed = 1, failed;
    struct making making = {0};

    (void)type;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|OpOz:Graph", words,
                                     &nodes, &edges, &directed, &ids, &extra))
        return NULL;
    making.graph = core_graph_empty(core_names_now());
    if (!making.graph)
        return NULL;
    making.graph->at.undirected = !directed;
    failed = add_nodes(&making, nodes, ids);
    if (!failed && edges)
        failed = add_edges(&making, edges);
    if (!failed && extra)
        failed = set_extra(making.graph, extra);
    Py_XDECREF(making.place);
    if (!failed)
        return (PyObject *)making.graph;
    core_drop(making.graph);
    return NULL;
}
