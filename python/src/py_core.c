/* SPDX-License-Identifier: Apache-2.0 */
#include "core.h"

#include <string.h>

PyObject *
core_import(const char *module, const char *name)
{
    PyObject *from = PyImport_ImportModule(module);
    PyObject *found = from ? PyObject_GetAttrString(from, name) : NULL;

    Py_XDECREF(from);
    return found;
}

PyObject *
core_raise(enum sepx_err err, const struct sepx_msg *msg)
{
    const char *text = msg && msg->text[0] ? msg->text : sepx_strerror(err);
    PyObject *make, *raised = NULL;

    if (PyErr_Occurred())
        return NULL;
    if (err == SEPX_ENOMEM)
        return PyErr_NoMemory();
    make = core_import("sepx._errors", "make");
    if (make)
        raised = PyObject_CallFunction(
            make, "issIs", (int)err, text, msg ? msg->file : "",
            msg ? msg->line : 0, msg ? msg->remedy : "");
    if (raised)
        PyErr_SetObject((PyObject *)Py_TYPE(raised), raised);
    Py_XDECREF(make);
    Py_XDECREF(raised);
    return NULL;
}

void *
core_alloc(size_t count, size_t size)
{
    void *block = PyMem_Calloc(count + 1, size);

    if (!block)
        (void)PyErr_NoMemory();
    return block;
}

PyObject *
core_text(struct sepx_text *text, enum sepx_err err)
{
    PyObject *made = NULL;

    if (err)
        (void)core_raise(err, NULL);
    else
        made = PyUnicode_DecodeUTF8(text->at ? text->at : "",
                                    (Py_ssize_t)text->len, "replace");
    sepx_text_release(text);
    return made;
}

int
core_add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **type)
{
    *type = (PyTypeObject *)PyType_FromSpec(spec);
    return *type ? PyModule_AddType(module, *type) : -1;
}

/* ---- signals ---- */

#define LOOK_SECONDS 0.05

bool
core_watch_look(struct core_watch *watch)
{
    double now;

    if (watch->raised)
        return false;
    now = sepx_clock();
    if (now < watch->next)
        return true;
    watch->next = now + LOOK_SECONDS;
    if (watch->saved)
        PyEval_RestoreThread(watch->saved);
    watch->raised = PyErr_CheckSignals() != 0;
    if (watch->saved)
        watch->saved = PyEval_SaveThread();
    return !watch->raised;
}

bool
core_watch_bounds(void *context, double lower, double upper)
{
    (void)lower;
    (void)upper;
    return core_watch_look(context);
}

bool
core_watch_stop(void *context)
{
    return !core_watch_look(context);
}

const char **
core_words(PyObject *sequence)
{
    Py_ssize_t count = PyTuple_Size(sequence);
    const char **words;

    if (count < 0)
        return NULL;
    words = core_alloc((size_t)count, sizeof *words);
    for (Py_ssize_t i = 0; words && i < count; i++) {
        words[i] = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(sequence, i), NULL);
        if (!words[i]) {
            PyMem_Free((void *)words);
            return NULL;
        }
    }
    return words;
}

/* ---- the module ---- */

static PyObject *
processors(PyObject *self, PyObject *none)
{
    (void)self;
    (void)none;
    return PyLong_FromUnsignedLong(sepx_processors());
}

static PyMethodDef functions[] = {{"processors", processors, METH_NOARGS,
                                   "Processors that this process may use."},
                                  {NULL, NULL, 0, NULL}};

static int
execute(PyObject *module)
{
    if (PyModule_AddStringConstant(module, "version", sepx_version()) < 0 ||
        core_buffer_init(module) < 0 || core_graph_init(module) < 0 ||
        core_ged_init(module) < 0 || core_many_init(module) < 0 ||
        core_space_init(module) < 0 || core_search_init(module) < 0 ||
        core_study_init(module) < 0)
        return -1;
    if (PyModule_AddFunctions(module, functions) < 0 ||
        PyModule_AddFunctions(module, core_text_functions) < 0 ||
        PyModule_AddFunctions(module, core_path_functions) < 0 ||
        PyModule_AddFunctions(module, core_pair_functions) < 0 ||
        PyModule_AddFunctions(module, core_cross_functions) < 0)
        return -1;
    return 0;
}

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "sepx._core",
    .m_doc = "The library's handles; use the package sepx.",
    .m_size = -1,
};

PyMODINIT_FUNC PyInit__core(void);

PyMODINIT_FUNC
PyInit__core(void)
{
    PyObject *module = PyModule_Create(&definition);

    if (module && execute(module) < 0) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}
