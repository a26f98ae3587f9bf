/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Space: which graphs are legal. Everything here holds the GIL, which keeps
 * the space's table of names to one thread at a time.
 */
#include "core.h"

#include <string.h>

PyTypeObject *core_space_type;

/* ---- graphs of a space and graphs of Python ---- */

PyObject *
core_space_graph(const struct sepx_graph *graph)
{
    struct core_graph *made = core_graph_empty(core_names_now());

    if (made && core_translate(&made->at, made->at.names, graph) == 0)
        return (PyObject *)made;
    core_drop(made);
    return NULL;
}

int
core_space_take(const struct sepx_space *space, struct sepx_graph *graph,
                PyObject *value)
{
    struct core_graph *from = core_graph_of(value);
    struct sepx_msg msg = {0};
    bool valid = false;
    enum sepx_err err;
    int failed;

    if (!from)
        return -1;
    failed = core_translate(graph, sepx_space_names(space), &from->at);
    core_drop(from);
    if (failed)
        return -1;
    err = sepx_space_check(space, &valid, graph, &msg);
    if (!err && !valid) {
        err = SEPX_EINVAL;
        sepx_msg_prefix(&msg, "not a graph of the space");
    }
    if (err)
        (void)core_raise(err, &msg);
    return err ? -1 : 0;
}

/* ---- life ---- */

/* The GIL is held, so signals can be looked at right away. */
static bool
asked_to_stop(void *context)
{
    (void)context;
    return PyErr_Occurred() || PyErr_CheckSignals() != 0;
}

static PyObject *
space_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *words[] = {"name", "text", NULL};
    static const struct sepx_stop stop = {asked_to_stop, NULL};
    struct sepx_msg msg = {0};
    struct core_space *made;
    const char *name, *text = NULL;
    Py_ssize_t len = 0;
    enum sepx_err err;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s|z#:Space", words, &name,
                                     &text, &len))
        return NULL;
    made = (struct core_space *)PyType_GenericAlloc(type, 0);
    if (!made)
        return NULL;
    err = text ? sepx_space_open_text(&made->at, text, (size_t)len, name, &msg)
               : sepx_space_open(&made->at, name, &msg);
    if (!err) {
        sepx_space_set_stop(made->at, &stop);
        return (PyObject *)made;
    }
    core_drop(made);
    return core_raise(err, &msg);
}

static void
space_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);

    sepx_space_close(((struct core_space *)object)->at);
    release(object);
    Py_DECREF(type);
}

/* ---- drawing graphs ---- */

static PyObject *
space_sample(PyObject *object, PyObject *args)
{
    const struct sepx_space *space = ((struct core_space *)object)->at;
    struct sepx_graph graph = {.names = sepx_space_names(space)};
    unsigned long long seed;
    unsigned count;
    PyObject *list;

    if (!PyArg_ParseTuple(args, "IK:_sample", &count, &seed))
        return NULL;
    list = PyList_New(0);
    for (unsigned i = 0; list && i < count; i++) {
        struct sepx_rng rng;
        enum sepx_err err;
        PyObject *one;

        sepx_rng_init(&rng, seed, 0, i, 0);
        err = sepx_space_sample(space, &graph, &rng);
        one = err ? core_raise(err, NULL) : core_space_graph(&graph);
        if (!one || PyList_Append(list, one) < 0)
            Py_CLEAR(list);
        Py_XDECREF(one);
    }
    sepx_graph_release(&graph);
    return list;
}

enum sepx_err
core_rules(struct sepx_rules *rules, const struct sepx_space *space,
           const char *preset, const char *op, const char *const *row,
           struct sepx_msg *msg)
{
    enum sepx_err err =
        sepx_rules_preset(rules, preset, sepx_space_info(space)->name, op, msg);

    for (; *row && !err; row++) {
        const char *equals = strchr(*row, '=');
        char name[64] = "";

        if (equals && (size_t)(equals - *row) < sizeof name)
            memcpy(name, *row, (size_t)(equals - *row));
        err = sepx_rules_set(rules, name, equals ? equals + 1 : "", msg);
    }
    return err;
}

static PyObject *
mutants(const struct sepx_space *space, const struct sepx_graph *parent,
        const struct sepx_rules *rules, unsigned count, uint64_t seed)
{
    struct sepx_graph child = {.names = sepx_space_names(space)};
    PyObject *list = PyList_New(0);

    for (unsigned i = 0; list && i < count; i++) {
        struct sepx_rng rng;
        enum sepx_err err;
        PyObject *one;

        sepx_rng_init(&rng, seed, 0, i, 0);
        err = sepx_space_mutate(space, &child, parent, rules, &rng);
        one = err ? core_raise(err, NULL) : core_space_graph(&child);
        if (!one || PyList_Append(list, one) < 0)
            Py_CLEAR(list);
        Py_XDECREF(one);
    }
    sepx_graph_release(&child);
    return list;
}

static PyObject *
space_mutate(PyObject *object, PyObject *args)
{
    const struct sepx_space *space = ((struct core_space *)object)->at;
    struct sepx_graph parent = {0};
    struct sepx_rules rules;
    struct sepx_msg msg = {0};
    PyObject *value, *rows, *list = NULL;
    unsigned long long seed;
    const char *preset, **row;
    unsigned count;
    enum sepx_err err;

    if (!PyArg_ParseTuple(args, "OIKsO!:_mutate", &value, &count, &seed,
                          &preset, &PyTuple_Type, &rows))
        return NULL;
    row = core_words(rows);
    if (!row)
        return NULL;
    err = core_rules(&rules, space, preset, "mutation", row, &msg);
    PyMem_Free((void *)row);
    if (err)
        return core_raise(err, &msg);
    if (core_space_take(space, &parent, value) == 0)
        list = mutants(space, &parent, &rules, count, seed);
    sepx_graph_release(&parent);
    return list;
}

/* ---- what a space is ---- */

static PyObject *
space_check(PyObject *object, PyObject *value)
{
    const struct sepx_space *space = ((struct core_space *)object)->at;
    struct core_graph *from = core_graph_of(value);
    struct sepx_graph graph = {0};
    struct sepx_msg msg = {0};
    PyObject *answer = NULL;
    bool valid = false;
    enum sepx_err err;

    if (from &&
        core_translate(&graph, sepx_space_names(space), &from->at) == 0) {
        err = sepx_space_check(space, &valid, &graph, &msg);
        answer = err     ? core_raise(err, &msg)
                 : valid ? Py_NewRef(Py_None)
                         : PyUnicode_FromString(msg.text);
    }
    sepx_graph_release(&graph);
    core_drop(from);
    return answer;
}

/* Numbers of the nodes that are live. */
static PyObject *
live_list(const struct sepx_space *space, const struct sepx_graph *graph)
{
    bool *live = core_alloc(graph->n_nodes, sizeof *live);
    struct sepx_msg msg = {0};
    enum sepx_err err =
        live ? sepx_space_live(space, live, graph, &msg) : SEPX_ENOMEM;
    PyObject *list = err ? core_raise(err, &msg) : PyList_New(0);

    for (uint32_t i = 0; list && i < graph->n_nodes; i++) {
        PyObject *node = live[i] ? PyLong_FromUnsignedLong(i) : NULL;

        if (live[i] && (!node || PyList_Append(list, node) < 0))
            Py_CLEAR(list);
        Py_XDECREF(node);
    }
    PyMem_Free(live);
    return list;
}

static PyObject *
space_live(PyObject *object, PyObject *value)
{
    const struct sepx_space *space = ((struct core_space *)object)->at;
    struct core_graph *from = core_graph_of(value);
    struct sepx_graph graph = {0};
    PyObject *list = NULL;

    if (from && core_translate(&graph, sepx_space_names(space), &from->at) == 0)
        list = live_list(space, &graph);
    sepx_graph_release(&graph);
    core_drop(from);
    return list;
}

static PyObject *
space_target(PyObject *object, PyObject *args)
{
    const struct sepx_space *space = ((struct core_space *)object)->at;
    struct sepx_graph graph = {.names = sepx_space_names(space)};
    struct sepx_msg msg = {0};
    PyObject *made;
    const char *name;
    enum sepx_err err;

    if (!PyArg_ParseTuple(args, "s:target", &name))
        return NULL;
    err = sepx_space_target(space, &graph, name, &msg);
    made = err ? core_raise(err, &msg) : core_space_graph(&graph);
    sepx_graph_release(&graph);
    return made;
}

static PyObject *
space_explain(PyObject *object, PyObject *none)
{
    struct sepx_text text = {0};

    (void)none;
    return core_text(
        &text, sepx_space_explain(&text, ((struct core_space *)object)->at));
}

static PyObject *
space_to_json(PyObject *object, PyObject *none)
{
    struct sepx_text text = {0};

    (void)none;
    return core_text(
        &text, sepx_space_write(&text, ((struct core_space *)object)->at));
}

static PyObject *
space_name(PyObject *object, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(
        sepx_space_info(((struct core_space *)object)->at)->name);
}

static PyObject *
space_pinned(PyObject *object, void *closure)
{
    const struct sepx_space *space = ((struct core_space *)object)->at;
    size_t count;
    const uint16_t *pinned = sepx_space_pinned(space, &count);
    PyObject *made = PyTuple_New((Py_ssize_t)count);

    (void)closure;
    for (size_t i = 0; made && i < count; i++) {
        PyObject *label = core_label_text(sepx_space_names(space), pinned[i]);

        if (!label || PyTuple_SetItem(made, (Py_ssize_t)i, label) < 0)
            Py_CLEAR(made);
    }
    return made;
}

static PyObject *
space_starts(PyObject *object, void *closure)
{
    size_t count;
    const struct sepx_graph *start =
        sepx_space_starts(((struct core_space *)object)->at, &count);
    PyObject *list = PyList_New(0);

    (void)closure;
    for (size_t i = 0; list && i < count; i++) {
        PyObject *one = core_space_graph(&start[i]);

        if (!one || PyList_Append(list, one) < 0)
            Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

static PyMethodDef methods[] = {
    {"_sample", space_sample, METH_VARARGS, NULL},
    {"_mutate", space_mutate, METH_VARARGS, NULL},
    {"_live", space_live, METH_O, NULL},
    {"check", space_check, METH_O,
     "check($self, graph, /)\n--\n\n"
     "Why the graph is none of the space, or None if it is one."},
    {"target", space_target, METH_VARARGS,
     "target($self, name, /)\n--\n\nA graph that the space has a name for."},
    {"explain", space_explain, METH_NOARGS,
     "explain($self, /)\n--\n\nWhat is legal, in words."},
    {"to_json", space_to_json, METH_NOARGS,
     "to_json($self, /)\n--\n\nThe space as the text of a file."},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef members[] = {
    {"name", space_name, NULL, "What it is called.", NULL},
    {"pinned", space_pinned, NULL, "Labels that are never relabelled.", NULL},
    {"starts", space_starts, NULL, "Graphs that a search begins with.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {
    {Py_tp_doc, (void *)"Which graphs are legal; see sepx.Space."},
    {Py_tp_new, (void *)space_new},
    {Py_tp_dealloc, (void *)space_dealloc},
    {Py_tp_methods, methods},
    {Py_tp_getset, members},
    {0, NULL}};

static PyType_Spec spec = {
    .name = "sepx._core.Space",
    .basicsize = sizeof(struct core_space),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = slots,
};

int
core_space_init(PyObject *module)
{
    return core_add_type(module, &spec, &core_space_type);
}
