/* SPDX-License-Identifier: Apache-2.0 */
/* Graph: an immutable labelled graph. */
#include "core.h"

#include <string.h>

PyTypeObject *core_graph_type;

/* ---- life ---- */

struct core_graph *
core_graph_empty(struct core_names *names)
{
    struct core_graph *made;

    if (!names)
        return NULL;
    made = PyObject_New(struct core_graph, core_graph_type);
    if (!made) {
        core_names_drop(names);
        return NULL;
    }
    made->at = (struct sepx_graph){.names = names->table};
    made->names = names;
    made->ids = NULL;
    made->ready = NULL;
    made->hash = -1;
    return made;
}

PyObject *
core_graph_wrap(struct sepx_graph *from, struct core_names *names)
{
    struct core_graph *made = core_graph_empty(names);

    if (made)
        made->at = *from;
    else
        sepx_graph_release(from);
    *from = (struct sepx_graph){0};
    return (PyObject *)made;
}

void
core_ready_drop(struct core_ready *ready)
{
    if (!ready || --ready->uses)
        return;
    sepx_ged_graph_free(ready->at);
    PyMem_Free(ready);
}

static void
graph_dealloc(PyObject *object)
{
    struct core_graph *self = (struct core_graph *)object;
    PyTypeObject *type = Py_TYPE(object);

    while (self->ready) {
        struct core_ready *next = self->ready->next;

        core_ready_drop(self->ready);
        self->ready = next;
    }
    sepx_graph_release(&self->at);
    core_names_drop(self->names);
    Py_XDECREF(self->ids);
    PyObject_Free(object);
    Py_DECREF(type);
}

struct core_graph *
core_graph_of(PyObject *value)
{
    PyObject *convert, *made;

    if (Py_TYPE(value) == core_graph_type) {
        Py_INCREF(value);
        return (struct core_graph *)value;
    }
    convert = core_import("sepx.graph", "convert");
    if (!convert)
        return NULL;
    made = PyObject_CallFunctionObjArgs(convert, value, NULL);
    Py_DECREF(convert);
    if (made && Py_TYPE(made) != core_graph_type) {
        PyErr_SetString(PyExc_TypeError, "expected a sepx.Graph");
        Py_CLEAR(made);
    }
    return (struct core_graph *)made;
}

/* ---- identity ---- */

static PyObject *
graph_compare(PyObject *left, PyObject *right, int operation)
{
    bool equal;

    if ((operation != Py_EQ && operation != Py_NE) ||
        Py_TYPE(left) != core_graph_type || Py_TYPE(right) != core_graph_type)
        Py_RETURN_NOTIMPLEMENTED;
    equal = sepx_graph_equal(&((struct core_graph *)left)->at,
                             &((struct core_graph *)right)->at);
    return PyBool_FromLong(equal == (operation == Py_EQ));
}

static int
find_key(struct core_graph *self, struct sepx_key *key)
{
    enum sepx_err err = sepx_graph_canon(&self->at, NULL, key);

    if (!err)
        return 0;
    (void)core_raise(err, NULL);
    return -1;
}

static Py_hash_t
graph_hash(PyObject *object)
{
    struct core_graph *self = (struct core_graph *)object;
    struct sepx_key key;

    if (self->hash == -1) {
        if (find_key(self, &key) < 0)
            return -1;
        self->hash = (Py_hash_t)key.low == -1 ? -2 : (Py_hash_t)key.low;
    }
    return self->hash;
}

static PyObject *
graph_key(PyObject *object, PyObject *none)
{
    struct sepx_key key;
    char text[33];

    (void)none;
    if (find_key((struct core_graph *)object, &key) < 0)
        return NULL;
    (void)PyOS_snprintf(text, sizeof text, "%016llx%016llx",
                        (unsigned long long)key.high,
                        (unsigned long long)key.low);
    return PyUnicode_FromString(text);
}

/* The map as a list of the other graph's nodes. */
static PyObject *
map_list(const uint32_t *map, uint32_t n)
{
    PyObject *list = PyList_New((Py_ssize_t)n);

    for (uint32_t i = 0; list && i < n; i++) {
        PyObject *node = PyLong_FromUnsignedLong(map[i]);

        if (!node || PyList_SetItem(list, (Py_ssize_t)i, node) < 0) {
            Py_DECREF(list);
            return NULL;
        }
    }
    return list;
}

/* The map of an isomorphism as a list, or None; `wanted`: only whether. */
static PyObject *
find_isomorphism(PyObject *object, PyObject *value, bool wanted)
{
    const struct core_graph *self = (struct core_graph *)object;
    struct core_graph *other = core_graph_of(value);
    PyObject *answer = NULL;
    uint32_t *map = NULL;
    bool same = false;
    enum sepx_err err;

    if (!other)
        return NULL;
    map = core_alloc(self->at.n_nodes, sizeof *map);
    if (!map)
        goto done;
    err = sepx_graph_isomorphic(&self->at, &other->at, &same, map);
    if (err)
        (void)core_raise(err, NULL);
    else if (!wanted)
        answer = PyBool_FromLong(same);
    else if (same)
        answer = map_list(map, self->at.n_nodes);
    else
        answer = Py_NewRef(Py_None);
done:
    PyMem_Free(map);
    core_drop(other);
    return answer;
}

static PyObject *
graph_isomorphic(PyObject *object, PyObject *value)
{
    return find_isomorphism(object, value, false);
}

static PyObject *
graph_isomorphism(PyObject *object, PyObject *value)
{
    return find_isomorphism(object, value, true);
}

static PyObject *
graph_canonical(PyObject *object, PyObject *none)
{
    struct core_graph *self = (struct core_graph *)object;
    struct core_graph *made = core_graph_empty(core_names_use(self->names));
    uint32_t *order = made ? core_alloc(self->at.n_nodes, sizeof *order) : NULL;
    enum sepx_err err = SEPX_OK;

    (void)none;
    if (order) {
        err = sepx_graph_canon(&self->at, order, NULL);
        if (!err)
            err = sepx_graph_permute(&made->at, &self->at, order);
        if (err)
            (void)core_raise(err, NULL);
    }
    PyMem_Free(order);
    if (order && !err)
        return (PyObject *)made;
    core_drop(made);
    return NULL;
}

/* ---- content ---- */

static PyObject *
graph_nodes(PyObject *object, void *closure)
{
    const struct core_graph *self = (struct core_graph *)object;
    PyObject *made = PyTuple_New((Py_ssize_t)self->at.n_nodes);

    (void)closure;
    for (uint32_t i = 0; made && i < self->at.n_nodes; i++) {
        PyObject *label = core_label_text(self->at.names, self->at.label[i]);

        if (!label || PyTuple_SetItem(made, (Py_ssize_t)i, label) < 0) {
            Py_DECREF(made);
            return NULL;
        }
    }
    return made;
}

static PyObject *
edge_tuple(const struct sepx_graph *graph, const struct sepx_edge *edge)
{
    if (!edge->label)
        return Py_BuildValue("(HH)", edge->from, edge->to);
    return Py_BuildValue("(HHs)", edge->from, edge->to,
                         sepx_names_text(graph->names, edge->label));
}

static PyObject *
graph_edges(PyObject *object, void *closure)
{
    const struct core_graph *self = (struct core_graph *)object;
    PyObject *made = PyTuple_New((Py_ssize_t)self->at.n_edges);

    (void)closure;
    for (uint32_t i = 0; made && i < self->at.n_edges; i++) {
        PyObject *edge = edge_tuple(&self->at, &self->at.edge[i]);

        if (!edge || PyTuple_SetItem(made, (Py_ssize_t)i, edge) < 0) {
            Py_DECREF(made);
            return NULL;
        }
    }
    return made;
}

static PyObject *
graph_directed(PyObject *object, void *closure)
{
    (void)closure;
    return PyBool_FromLong(!((struct core_graph *)object)->at.undirected);
}

static PyObject *
graph_simple(PyObject *object, void *closure)
{
    (void)closure;
    return PyBool_FromLong(
        sepx_graph_is_simple(&((struct core_graph *)object)->at));
}

static PyObject *
graph_ids(PyObject *object, void *closure)
{
    const struct core_graph *self = (struct core_graph *)object;
    PyObject *range, *made;

    (void)closure;
    if (self->ids)
        return Py_NewRef(self->ids);
    range =
        PyObject_CallFunction((PyObject *)&PyRange_Type, "I", self->at.n_nodes);
    made = range ? PySequence_Tuple(range) : NULL;
    Py_XDECREF(range);
    return made;
}

static Py_ssize_t
graph_len(PyObject *object)
{
    return (Py_ssize_t)((struct core_graph *)object)->at.n_nodes;
}

/* Every graph is true, also one without nodes. */
static int
graph_bool(PyObject *object)
{
    (void)object;
    return 1;
}

static PyObject *
graph_repr(PyObject *object)
{
    const struct core_graph *self = (struct core_graph *)object;
    bool undirected = self->at.undirected;
    PyObject *nodes, *edges, *text = NULL;

    if (self->at.n_nodes > 12 || self->at.n_edges > 24)
        return PyUnicode_FromFormat("<sepx.Graph of %u nodes and %u %s edges>",
                                    self->at.n_nodes, self->at.n_edges,
                                    undirected ? "undirected" : "directed");
    nodes = graph_nodes(object, NULL);
    edges = graph_edges(object, NULL);
    if (nodes && edges)
        text = PyUnicode_FromFormat("sepx.Graph(%R, %R%s)", nodes, edges,
                                    undirected ? ", directed=False" : "");
    Py_XDECREF(nodes);
    Py_XDECREF(edges);
    return text;
}

/* An edge as the constructor reads it: by names where nodes have them. */
static PyObject *
named_edge(const struct core_graph *self, const struct sepx_edge *edge)
{
    PyObject *from = PyTuple_GetItem(self->ids, (Py_ssize_t)edge->from);
    PyObject *to = PyTuple_GetItem(self->ids, (Py_ssize_t)edge->to);
    PyObject *label;

    if (!from || !to)
        return NULL;
    label = core_label_text(self->at.names, edge->label);
    return label ? Py_BuildValue("(OON)", from, to, label) : NULL;
}

static PyObject *
named_edges(const struct core_graph *self)
{
    PyObject *made = PyTuple_New((Py_ssize_t)self->at.n_edges);

    for (uint32_t i = 0; made && i < self->at.n_edges; i++) {
        PyObject *edge = named_edge(self, &self->at.edge[i]);

        if (!edge || PyTuple_SetItem(made, (Py_ssize_t)i, edge) < 0) {
            Py_DECREF(made);
            return NULL;
        }
    }
    return made;
}

static PyObject *
graph_reduce(PyObject *object, PyObject *none)
{
    const struct core_graph *self = (struct core_graph *)object;
    PyObject *nodes = graph_nodes(object, NULL);
    PyObject *edges = self->ids ? named_edges(self) : graph_edges(object, NULL);
    PyObject *made = NULL;

    (void)none;
    if (nodes && edges)
        made = Py_BuildValue("O(OOOOz)", (PyObject *)core_graph_type, nodes,
                             edges, self->at.undirected ? Py_False : Py_True,
                             self->ids ? self->ids : Py_None, self->at.extra);
    Py_XDECREF(nodes);
    Py_XDECREF(edges);
    return made;
}

/* ---- the type ---- */

static PyMethodDef methods[32] = {
    {"key", graph_key, METH_NOARGS,
     "key($self, /)\n--\n\n"
     "32 hexadecimal digits that isomorphic graphs share; sepx canon prints\n"
     "the same.\n\n"
     ">>> import sepx\n"
     ">>> a = sepx.Graph(['x', 'y'], [(0, 1)])\n"
     ">>> a.key() == sepx.Graph(['y', 'x'], [(1, 0)]).key()\n"
     "True"},
    {"isomorphic", graph_isomorphic, METH_O,
     "isomorphic($self, other, /)\n--\n\n"
     "Whether the graphs are the same but for the order of their nodes.\n"
     "Exact; labels and directions count."},
    {"isomorphism", graph_isomorphism, METH_O,
     "isomorphism($self, other, /)\n--\n\n"
     "The node of `other` for each node, or None if there is no such map."},
    {"canonical", graph_canonical, METH_NOARGS,
     "canonical($self, /)\n--\n\n"
     "The graph with its nodes in an order that isomorphic graphs share."},
    {"__reduce__", graph_reduce, METH_NOARGS, NULL},
};

static PyGetSetDef members[] = {
    {"nodes", graph_nodes, NULL,
     "The label of each node, None for one without.", NULL},
    {"edges", graph_edges, NULL,
     "(from, to) or (from, to, label) of each edge; nodes are numbers.", NULL},
    {"directed", graph_directed, NULL, "Whether edges have a direction.", NULL},
    {"simple", graph_simple, NULL,
     "Whether there are neither self-loops nor parallel edges.", NULL},
    {"ids", graph_ids, NULL,
     "What each node is called: as given, else 0, 1, ...", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static const char doc[] =
    "Graph(nodes, edges=(), directed=True, ids=None, extra=None)\n--\n\n"
    "A labelled graph; never changes.\n\n"
    "nodes: a label for each node, a dict from names of nodes to labels, or\n"
    "how many nodes there are. A label is a str, None, or becomes str(label).\n"
    "edges: (from, to) or (from, to, label); nodes by number, or by name if\n"
    "`nodes` is a dict or `ids` names them. Self-loops and parallel edges are\n"
    "allowed.\n\n"
    ">>> import sepx\n"
    ">>> graph = sepx.Graph(['input', 'conv', 'output'], [(0, 1), (1, 2)])\n"
    ">>> len(graph), graph.edges\n"
    "(3, ((0, 1), (1, 2)))\n"
    ">>> sepx.Graph({'a': 'C', 'b': 'O'}, [('a', 'b', 'double')], False)\n"
    "sepx.Graph(('C', 'O'), ((0, 1, 'double'),), directed=False)";

static PyType_Slot slots[] = {{Py_tp_doc, (char *)doc},
                              {Py_tp_new, (void *)core_graph_make},
                              {Py_tp_dealloc, (void *)graph_dealloc},
                              {Py_tp_repr, (void *)graph_repr},
                              {Py_tp_hash, (void *)graph_hash},
                              {Py_tp_richcompare, (void *)graph_compare},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, members},
                              {Py_mp_length, (void *)graph_len},
                              {Py_nb_bool, (void *)graph_bool},
                              {0, NULL}};

static PyType_Spec spec = {
    .name = "sepx.Graph",
    .basicsize = sizeof(struct core_graph),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = slots,
};

int
core_graph_init(PyObject *module)
{
    size_t used = 0, more = 0;

    while (methods[used].ml_name)
        used++;
    while (core_graph_text_methods[more].ml_name)
        more++;
    memcpy(&methods[used], core_graph_text_methods, more * sizeof *methods);
    return core_add_type(module, &spec, &core_graph_type);
}
