/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs as text: JSON, GraphML, and drawings for Graphviz. */
#include "core.h"

#include <string.h>

/* ---- reading ---- */

/* The names are dropped by the graph; on failure by us. */
static PyObject *
finish_read(struct sepx_graph *graph, struct core_names *names,
            enum sepx_err err, const struct sepx_msg *msg)
{
    if (!err)
        return core_graph_wrap(graph, names);
    sepx_graph_release(graph);
    core_names_drop(names);
    return core_raise(err, msg);
}

static PyObject *
read_text(PyObject *self, PyObject *args)
{
    struct sepx_graph graph = {0};
    struct sepx_msg msg = {0};
    struct core_names *names;
    const char *bytes;
    Py_ssize_t len;
    int format = SEPX_FORMAT_AUTO;
    enum sepx_err err;

    (void)self;
    if (!PyArg_ParseTuple(args, "s#|i:read_text", &bytes, &len, &format))
        return NULL;
    names = core_names_now();
    if (!names)
        return NULL;
    err = sepx_graph_read(&graph, names->table, bytes, (size_t)len,
                          (enum sepx_graph_format)format, &msg);
    return finish_read(&graph, names, err, &msg);
}

/* The graphs of a file as a list; `graphs` is empty afterwards. */
static PyObject *
graphs_list(struct sepx_graphs *graphs, struct core_names *names)
{
    PyObject *list = PyList_New((Py_ssize_t)graphs->count);

    for (size_t i = 0; list && i < graphs->count; i++) {
        PyObject *one = core_graph_wrap(&graphs->at[i], core_names_use(names));

        if (!one || PyList_SetItem(list, (Py_ssize_t)i, one) < 0)
            Py_CLEAR(list);
    }
    sepx_graphs_release(graphs);
    return list;
}

static PyObject *
read_graphs(PyObject *self, PyObject *args)
{
    struct sepx_graphs graphs = {0};
    struct sepx_msg msg = {0};
    struct core_names *names;
    PyObject *path, *list;
    enum sepx_err err;

    (void)self;
    if (!PyArg_ParseTuple(args, "O&:read", PyUnicode_FSConverter, &path))
        return NULL;
    names = core_names_now();
    if (!names) {
        Py_DECREF(path);
        return NULL;
    }
    err = sepx_graphs_read_file(&graphs, names->table, PyBytes_AsString(path),
                                &msg);
    Py_DECREF(path);
    list = err ? core_raise(err, &msg) : graphs_list(&graphs, names);
    core_names_drop(names);
    return list;
}

PyMethodDef core_text_functions[] = {
    {"read_text", read_text, METH_VARARGS,
     "read_text(text, format=0, /)\n--\n\n"
     "A Graph from text: 0 by its look, 1 JSON, 2 node-link, 3 GraphML."},
    {"read_graphs", read_graphs, METH_VARARGS,
     "read_graphs(path, /)\n--\n\nThe graphs of a file."},
    {NULL, NULL, 0, NULL}};

/* ---- writing ---- */

static PyObject *
graph_to_json(PyObject *object, PyObject *none)
{
    struct sepx_text text = {0};
    enum sepx_err err =
        sepx_graph_write_json(&text, &((struct core_graph *)object)->at);

    (void)none;
    return core_text(&text, err);
}

/* As sepx draw marks them. */
static const struct sepx_dot_mark deleted = {"deleted", "#cc3311", "dashed",
                                             1.8, true};
static const struct sepx_dot_mark inserted = {"inserted", "#00734f", "solid",
                                              2.6, false};
static const struct sepx_dot_mark relabelled = {"relabelled", "#9a6a00",
                                                "solid", 2.6, false};
static const struct sepx_dot_mark *const marks[] = {NULL, &deleted, &inserted,
                                                    &relabelled};
static const struct sepx_dot_mark *const legend[] = {&deleted, &inserted,
                                                     &relabelled, NULL};

/* Marks of all nodes or all edges, and labels that they had. */
struct marking {
    const struct sepx_dot_mark **mark;
    int32_t *was;
};

static void
marking_release(struct marking *marking)
{
    PyMem_Free((void *)marking->mark);
    PyMem_Free(marking->was);
}

/* One row: (mark, label that it had or None), or None. */
static int
read_mark(struct marking *marking, Py_ssize_t at, PyObject *row,
          struct sepx_names *names)
{
    PyObject *was;
    unsigned number;
    uint16_t label = 0;

    marking->was[at] = -1;
    if (row == Py_None)
        return 0;
    if (!PyArg_ParseTuple(row, "IO:mark", &number, &was))
        return -1;
    if (number >= sizeof marks / sizeof marks[0]) {
        PyErr_SetString(PyExc_ValueError, "no such mark");
        return -1;
    }
    marking->mark[at] = marks[number];
    if (number != 3)
        return 0;
    if (core_label(names, was, &label) < 0)
        return -1;
    marking->was[at] = label;
    return 0;
}

static int
read_marks(struct marking *marking, PyObject *rows, uint32_t count,
           struct sepx_names *names)
{
    marking->mark = core_alloc(count, sizeof *marking->mark);
    marking->was = core_alloc(count, sizeof *marking->was);
    if (!marking->mark || !marking->was)
        return -1;
    if (PyList_Size(rows) != (Py_ssize_t)count) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "a mark for each part");
        return -1;
    }
    for (Py_ssize_t i = 0; i < (Py_ssize_t)count; i++) {
        if (read_mark(marking, i, PyList_GetItem(rows, i), names) < 0)
            return -1;
    }
    return 0;
}

static PyObject *
marked_dot(struct core_graph *self, const char *title, PyObject *nodes,
           PyObject *edges)
{
    struct marking node = {0}, edge = {0};
    struct sepx_text text = {0};
    PyObject *made = NULL;

    if (!read_marks(&node, nodes, self->at.n_nodes, self->at.names) &&
        !read_marks(&edge, edges, self->at.n_edges, self->at.names)) {
        struct sepx_dot_style style = {
            .title = title,
            .legend = legend,
            .node = (const struct sepx_dot_mark *const *)node.mark,
            .edge = (const struct sepx_dot_mark *const *)edge.mark,
            .node_was = node.was,
            .edge_was = edge.was,
        };

        made = core_text(&text, sepx_graph_write_dot(&text, &self->at, &style));
    }
    marking_release(&node);
    marking_release(&edge);
    return made;
}

static PyObject *
graph_to_dot(PyObject *object, PyObject *args)
{
    struct core_graph *self = (struct core_graph *)object;
    struct sepx_dot_style style = {0};
    struct sepx_text text = {0};
    const char *title = NULL;
    PyObject *nodes = NULL, *edges = NULL;

    if (!PyArg_ParseTuple(args, "|zOO:to_dot", &title, &nodes, &edges))
        return NULL;
    if (nodes && edges)
        return marked_dot(self, title, nodes, edges);
    style.title = title;
    return core_text(&text, sepx_graph_write_dot(&text, &self->at, &style));
}

PyMethodDef core_graph_text_methods[] = {
    {"to_json", graph_to_json, METH_NOARGS,
     "to_json($self, /)\n--\n\n"
     "One line of JSON, as the program sepx reads and writes graphs."},
    {"to_dot", graph_to_dot, METH_VARARGS,
     "to_dot($self, title=None, /)\n--\n\n"
     "A drawing of the graph in the language of Graphviz."},
    {NULL, NULL, 0, NULL}};
