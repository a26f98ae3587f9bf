/* SPDX-License-Identifier: Apache-2.0 */
/* Search: a method at work on a space, asked and told. */
#include "core.h"

struct search {
    PyObject_HEAD PyObject *space;
    struct sepx_method *method;
    struct sepx_search *at;
    struct sepx_ask *asked; /* not told yet */
    size_t count, room;
};

static PyTypeObject *search_type;

static void
search_dealloc(PyObject *object)
{
    struct search *self = (struct search *)object;
    PyTypeObject *type = Py_TYPE(object);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);

    for (size_t i = 0; i < self->count; i++)
        sepx_ask_release(&self->asked[i]);
    PyMem_Free(self->asked);
    sepx_search_free(self->at);
    sepx_method_free(self->method);
    Py_XDECREF(self->space);
    release(object);
    Py_DECREF(type);
}

static PyObject *
search_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    struct sepx_msg msg = {0};
    PyObject *space, *rows;
    unsigned long long seed;
    unsigned run;
    const char *text, *preset, **row;
    struct search *made;
    enum sepx_err err;

    (void)kwargs;
    if (!PyArg_ParseTuple(args, "O!sKIsO!:Search", core_space_type, &space,
                          &text, &seed, &run, &preset, &PyTuple_Type, &rows))
        return NULL;
    row = core_words(rows);
    made = row ? (struct search *)PyType_GenericAlloc(type, 0) : NULL;
    if (!made) {
        PyMem_Free((void *)row);
        return NULL;
    }
    made->space = Py_NewRef(space);
    err = sepx_method_new(&made->method, ((struct core_space *)space)->at, text,
                          preset, row, &msg);
    PyMem_Free((void *)row);
    if (!err)
        err = sepx_search_new(&made->at, made->method, seed, run, NULL);
    if (!err)
        return (PyObject *)made;
    core_drop(made);
    return core_raise(err, &msg);
}

/* Room for one more ask, empty. */
static struct sepx_ask *
grow(struct search *self)
{
    if (self->count == self->room) {
        size_t room = 2 * self->room + 8;
        struct sepx_ask *more = PyMem_Realloc(self->asked, room * sizeof *more);

        if (!more) {
            (void)PyErr_NoMemory();
            return NULL;
        }
        self->asked = more;
        self->room = room;
    }
    self->asked[self->count] =
        (struct sepx_ask){.graph.names = sepx_space_names(
                              ((struct core_space *)self->space)->at)};
    return &self->asked[self->count];
}

static PyObject *
search_ask(PyObject *object, PyObject *none)
{
    struct search *self = (struct search *)object;
    struct sepx_ask *ask = grow(self);
    PyObject *graph;
    enum sepx_err err;

    (void)none;
    if (!ask)
        return NULL;
    err = sepx_search_ask(self->at, ask);
    if (err) {
        sepx_ask_release(ask);
        return core_raise(err, NULL);
    }
    self->count++;
    graph = core_space_graph(&ask->graph);
    if (!graph)
        return NULL;
    return Py_BuildValue("(INs(LL)d)", ask->trial, graph,
                         sepx_search_operator_name(self->at, ask->op),
                         (long long)ask->parent[0], (long long)ask->parent[1],
                         ask->fidelity);
}

static PyObject *
search_tell(PyObject *object, PyObject *args)
{
    struct search *self = (struct search *)object;
    unsigned trial;
    double score;
    size_t at = 0;
    enum sepx_err err;

    if (!PyArg_ParseTuple(args, "Id:_tell", &trial, &score))
        return NULL;
    while (at < self->count && self->asked[at].trial != trial)
        at++;
    if (at == self->count) {
        PyErr_Format(PyExc_ValueError,
                     "trial %u is not under way; tell each trial that was "
                     "asked, once",
                     trial);
        return NULL;
    }
    err = sepx_search_tell(self->at, &self->asked[at], score);
    sepx_ask_release(&self->asked[at]);
    self->asked[at] = self->asked[--self->count];
    if (err)
        return core_raise(err, NULL);
    return Py_NewRef(Py_None);
}

static PyMethodDef methods[] = {{"_ask", search_ask, METH_NOARGS, NULL},
                                {"_tell", search_tell, METH_VARARGS, NULL},
                                {NULL, NULL, 0, NULL}};

static PyType_Slot slots[] = {
    {Py_tp_doc, (void *)"A method at work on a space; see sepx.Search."},
    {Py_tp_new, (void *)search_new},
    {Py_tp_dealloc, (void *)search_dealloc},
    {Py_tp_methods, methods},
    {0, NULL}};

static PyType_Spec spec = {
    .name = "sepx._core.Search",
    .basicsize = sizeof(struct search),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = slots,
};

/* Name and line of each method and alias. */
static PyObject *
method_names(void)
{
    const struct sepx_method_info *const *method = sepx_method_list();
    const struct sepx_method_alias *alias = sepx_method_aliases();
    PyObject *made = PyDict_New();
    int failed = made ? 0 : -1;

    for (; *method && !failed; method++) {
        PyObject *text = PyUnicode_FromString((*method)->summary);

        failed = text ? PyDict_SetItemString(made, (*method)->name, text) : -1;
        Py_XDECREF(text);
    }
    for (; alias->name && !failed; alias++) {
        PyObject *text =
            PyUnicode_FromFormat("%s:%s", alias->method, alias->options);

        failed = text ? PyDict_SetItemString(made, alias->name, text) : -1;
        Py_XDECREF(text);
    }
    if (failed)
        Py_CLEAR(made);
    return made;
}

int
core_search_init(PyObject *module)
{
    PyObject *names = method_names();
    int failed = names ? PyModule_AddObjectRef(module, "methods", names) : -1;

    Py_XDECREF(names);
    return failed ? -1 : core_add_type(module, &spec, &search_type);
}
