/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Buffer: a vector or matrix of float64. numpy.asarray() takes it without a
 * copy, by the buffer protocol; without numpy it can be indexed and turned
 * into lists.
 */
#include "core.h"

static PyTypeObject *buffer_type;

struct core_buffer *
core_buffer_new(Py_ssize_t rows, Py_ssize_t columns)
{
    struct core_buffer *made = PyObject_New(struct core_buffer, buffer_type);
    size_t width = columns < 0 ? 1 : (size_t)columns;

    if (!made)
        return NULL;
    made->dimensions = columns < 0 ? 1 : 2;
    made->shape[0] = rows;
    made->shape[1] = (Py_ssize_t)width;
    made->strides[0] = (Py_ssize_t)(width * sizeof(double));
    made->strides[1] = sizeof(double);
    made->at = NULL;
    if (!width || (size_t)rows <= PY_SSIZE_T_MAX / sizeof(double) / width)
        made->at = PyMem_Calloc((size_t)rows * width + 1, sizeof(double));
    if (!made->at) {
        core_drop(made);
        (void)PyErr_NoMemory();
        return NULL;
    }
    return made;
}

static void
buffer_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);

    PyMem_Free(((struct core_buffer *)object)->at);
    PyObject_Free(object);
    Py_DECREF(type);
}

static int
buffer_get(PyObject *object, Py_buffer *view, int flags)
{
    struct core_buffer *self = (struct core_buffer *)object;

    *view = (Py_buffer){
        .buf = self->at,
        .obj = object,
        .len = self->shape[0] * self->strides[0],
        .itemsize = sizeof(double),
        .ndim = self->dimensions,
        .format = flags & PyBUF_FORMAT ? (char *)"d" : NULL,
        .shape = flags & PyBUF_ND ? self->shape : NULL,
        .strides =
            (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? self->strides : NULL,
    };
    Py_INCREF(object);
    return 0;
}

static Py_ssize_t
buffer_len(PyObject *object)
{
    return ((struct core_buffer *)object)->shape[0];
}

/* An index of an axis, negative ones from its end; -1: an exception. */
static Py_ssize_t
index_of(PyObject *value, Py_ssize_t size)
{
    Py_ssize_t at = PyNumber_AsSsize_t(value, PyExc_IndexError);

    if (at == -1 && PyErr_Occurred())
        return -1;
    if (at < 0)
        at += size;
    if (at >= 0 && at < size)
        return at;
    PyErr_Format(PyExc_IndexError, "index out of range for %zd", size);
    return -1;
}

static PyObject *
row_list(const struct core_buffer *self, Py_ssize_t row)
{
    PyObject *list = PyList_New(self->shape[1]);

    for (Py_ssize_t j = 0; list && j < self->shape[1]; j++) {
        PyObject *value =
            PyFloat_FromDouble(self->at[row * self->shape[1] + j]);

        if (!value || PyList_SetItem(list, j, value) < 0) {
            Py_DECREF(list);
            return NULL;
        }
    }
    return list;
}

static PyObject *
item_at(const struct core_buffer *self, Py_ssize_t row)
{
    return self->dimensions == 1 ? PyFloat_FromDouble(self->at[row])
                                 : row_list(self, row);
}

static PyObject *
buffer_item(PyObject *object, PyObject *key)
{
    const struct core_buffer *self = (struct core_buffer *)object;
    Py_ssize_t row, column;

    if (!PyTuple_Check(key)) {
        row = index_of(key, self->shape[0]);
        return row < 0 ? NULL : item_at(self, row);
    }
    if (PyTuple_Size(key) != 2 || self->dimensions != 2) {
        PyErr_SetString(PyExc_IndexError,
                        "wrong number of indices; use numpy.asarray(buffer) "
                        "for slices");
        return NULL;
    }
    row = index_of(PyTuple_GetItem(key, 0), self->shape[0]);
    if (row < 0)
        return NULL;
    column = index_of(PyTuple_GetItem(key, 1), self->shape[1]);
    return column < 0
               ? NULL
               : PyFloat_FromDouble(self->at[row * self->shape[1] + column]);
}

static PyObject *
buffer_sequence_item(PyObject *object, Py_ssize_t at)
{
    const struct core_buffer *self = (struct core_buffer *)object;

    if (at >= 0 && at < self->shape[0])
        return item_at(self, at);
    PyErr_SetString(PyExc_IndexError, "index out of range");
    return NULL;
}

static PyObject *
buffer_tolist(PyObject *object, PyObject *none)
{
    const struct core_buffer *self = (struct core_buffer *)object;
    PyObject *list = PyList_New(self->shape[0]);

    (void)none;
    for (Py_ssize_t i = 0; list && i < self->shape[0]; i++) {
        PyObject *value = item_at(self, i);

        if (!value || PyList_SetItem(list, i, value) < 0) {
            Py_DECREF(list);
            return NULL;
        }
    }
    return list;
}

static PyObject *
buffer_shape(PyObject *object, void *closure)
{
    const struct core_buffer *self = (struct core_buffer *)object;

    (void)closure;
    return self->dimensions == 1
               ? Py_BuildValue("(n)", self->shape[0])
               : Py_BuildValue("(nn)", self->shape[0], self->shape[1]);
}

static PyObject *
buffer_repr(PyObject *object)
{
    const struct core_buffer *self = (struct core_buffer *)object;

    return self->dimensions == 1
               ? PyUnicode_FromFormat("<sepx.Buffer of %zd float64>",
                                      self->shape[0])
               : PyUnicode_FromFormat("<sepx.Buffer of %zd x %zd float64>",
                                      self->shape[0], self->shape[1]);
}

static PyMethodDef methods[] = {
    {"tolist", buffer_tolist, METH_NOARGS,
     "tolist($self, /)\n--\n\nA list of floats, or of lists of them."},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef members[] = {
    {"shape", buffer_shape, NULL, "Length of each axis.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {
    {Py_tp_doc, (void *)"A vector or matrix of float64. "
                        "numpy.asarray() takes it without a copy."},
    {Py_tp_dealloc, (void *)buffer_dealloc},
    {Py_tp_repr, (void *)buffer_repr},
    {Py_tp_methods, methods},
    {Py_tp_getset, members},
    {Py_bf_getbuffer, (void *)buffer_get},
    {Py_sq_length, (void *)buffer_len},
    {Py_sq_item, (void *)buffer_sequence_item},
    {Py_mp_length, (void *)buffer_len},
    {Py_mp_subscript, (void *)buffer_item},
    {0, NULL}};

static PyType_Spec spec = {
    .name = "sepx.Buffer",
    .basicsize = sizeof(struct core_buffer),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = slots,
};

int
core_buffer_init(PyObject *module)
{
    return core_add_type(module, &spec, &buffer_type);
}
