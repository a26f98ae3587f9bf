/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ged: options of a distance, with solvers for as many threads as use it at
 * once, and one distance at a time. The GIL is held for pairs so small that
 * letting go of it would take longer than the search.
 */
#include "core.h"

#include <math.h>
#include <string.h>

#define SMALL_NODES 10 /* up to so many on each side the GIL is held */

PyTypeObject *core_ged_type;

/* ---- solvers ---- */

struct sepx_ged *
core_ged_take(struct core_ged *ged)
{
    struct sepx_ged *solver;
    enum sepx_err err;

    if (ged->n_spare)
        return ged->spare[--ged->n_spare];
    err = sepx_ged_new(&solver, &ged->options);
    if (err)
        (void)core_raise(err, NULL);
    return solver;
}

void
core_ged_give(struct core_ged *ged, struct sepx_ged *solver)
{
    if (solver && ged->n_spare == ged->spare_room) {
        size_t room = 2 * ged->spare_room + 2;
        struct sepx_ged **more =
            PyMem_Realloc(ged->spare, room * sizeof(struct sepx_ged *));

        if (!more) {
            sepx_ged_free(solver);
            return;
        }
        ged->spare = more;
        ged->spare_room = room;
    }
    if (solver)
        ged->spare[ged->n_spare++] = solver;
}

/* ---- prepared graphs ---- */

/* Keeps the graph's latest few; what is in use elsewhere lives on. */
static void
keep_ready(struct core_graph *graph, struct core_ready *ready)
{
    struct core_ready **last = &graph->ready;

    ready->next = graph->ready;
    graph->ready = ready;
    for (int i = 0; i < CORE_READY_MAX && *last; i++)
        last = &(*last)->next;
    if (*last) {
        struct core_ready *old = *last;

        *last = NULL;
        core_ready_drop(old);
    }
}

static struct core_ready *
prepare(struct core_ged *ged, struct core_graph *graph)
{
    struct core_ready *made = core_alloc(1, sizeof *made);
    struct sepx_ged *solver = made ? core_ged_take(ged) : NULL;
    struct sepx_graph other = {0};
    enum sepx_err err = SEPX_OK;
    bool ok = solver != NULL;

    if (ok && graph->names != ged->names)
        ok = core_translate(&other, ged->names->table, &graph->at) == 0;
    if (ok)
        err =
            sepx_ged_prepare(solver, &made->at,
                             graph->names == ged->names ? &graph->at : &other);
    sepx_graph_release(&other);
    core_ged_give(ged, solver);
    if (err)
        (void)core_raise(err, NULL);
    if (!ok || err) {
        PyMem_Free(made);
        return NULL;
    }
    made->owner = ged->number;
    made->uses = 1;
    keep_ready(graph, made);
    return made;
}

static struct core_ready *
find_ready(struct core_ged *ged, struct core_graph *graph)
{
    struct core_ready *at = graph->ready;

    while (at && at->owner != ged->number)
        at = at->next;
    if (!at)
        at = prepare(ged, graph);
    if (at)
        at->uses++;
    return at;
}

struct core_ready *
core_ged_ready(struct core_ged *ged, PyObject *value)
{
    struct core_graph *graph;
    struct core_ready *ready;

    if (Py_TYPE(value) == core_graph_type)
        return find_ready(ged, (struct core_graph *)value);
    graph = core_graph_of(value);
    ready = graph ? find_ready(ged, graph) : NULL;
    core_drop(graph);
    return ready;
}

/* ---- one distance ---- */

/* What one pair needs. */
struct pair {
    struct core_graph *first, *second;
    struct core_ready *a, *b;
    struct sepx_ged *solver;
    struct core_watch watch;
    struct sepx_ged_limits limits;
};

static void
pair_release(struct core_ged *ged, struct pair *pair)
{
    core_ged_give(ged, pair->solver);
    core_ready_drop(pair->a);
    core_ready_drop(pair->b);
    core_drop(pair->first);
    core_drop(pair->second);
}

static int
pair_init(struct core_ged *ged, struct pair *pair, PyObject *first,
          PyObject *second)
{
    *pair = (struct pair){.first = core_graph_of(first)};
    if (pair->first)
        pair->second = core_graph_of(second);
    if (pair->second)
        pair->a = find_ready(ged, pair->first);
    if (pair->a)
        pair->b = find_ready(ged, pair->second);
    if (pair->b)
        pair->solver = core_ged_take(ged);
    pair->limits.watch = core_watch_bounds;
    return pair->solver ? 0 : -1;
}

/* A directed and an undirected graph have no distance. */
static void
raise_pair(const struct pair *pair, enum sepx_err err)
{
    struct sepx_msg msg = {0};

    if (err == SEPX_EINVAL &&
        pair->first->at.undirected != pair->second->at.undirected)
        (void)sepx_fail(&msg, err,
                        "one graph is directed and the other is not; they "
                        "have no distance");
    (void)core_raise(err, &msg);
}

static PyObject *
raise_unproven(const struct sepx_ged_bounds *bounds)
{
    PyObject *make = core_import("sepx._errors", "unproven");
    PyObject *raised = NULL;

    if (make)
        raised =
            PyObject_CallFunction(make, "dd", bounds->lower, bounds->upper);
    if (raised)
        PyErr_SetObject((PyObject *)Py_TYPE(raised), raised);
    Py_XDECREF(make);
    Py_XDECREF(raised);
    return NULL;
}

static PyObject *
distance(struct core_ged *ged, PyObject *first, PyObject *second)
{
    struct sepx_ged_bounds bounds = {0, 0};
    struct pair pair;
    enum sepx_err err;

    if (pair_init(ged, &pair, first, second) < 0) {
        pair_release(ged, &pair);
        return NULL;
    }
    const struct sepx_ged_graph *a = pair.a->at, *b = pair.b->at;

    pair.limits.context = &pair.watch;
    if (pair.first->at.n_nodes > SMALL_NODES ||
        pair.second->at.n_nodes > SMALL_NODES)
        pair.watch.saved = PyEval_SaveThread();
    err = sepx_ged_batch(pair.solver, &bounds, &a, &b, 1, &pair.limits);
    if (pair.watch.saved)
        PyEval_RestoreThread(pair.watch.saved);
    if (err)
        raise_pair(&pair, err);
    pair_release(ged, &pair);
    if (err)
        return NULL;
    return bounds.lower == bounds.upper ? PyFloat_FromDouble(bounds.upper)
                                        : raise_unproven(&bounds);
}

static PyObject *
ged_call(PyObject *object, PyObject *args, PyObject *kwargs)
{
    if (PyTuple_Size(args) != 2 || (kwargs && PyDict_Size(kwargs))) {
        PyErr_SetString(PyExc_TypeError,
                        "a distance takes two graphs; limits are for "
                        "result()");
        return NULL;
    }
    return distance((struct core_ged *)object, PyTuple_GetItem(args, 0),
                    PyTuple_GetItem(args, 1));
}

static PyObject *
ged_distance(PyObject *object, PyObject *const *args, Py_ssize_t count)
{
    if (count != 2) {
        PyErr_SetString(PyExc_TypeError, "a distance takes two graphs");
        return NULL;
    }
    return distance((struct core_ged *)object, args[0], args[1]);
}

/* ---- a result with its map ---- */

int
core_seconds(PyObject *value, double *seconds)
{
    *seconds = 0;
    if (value == Py_None)
        return 0;
    *seconds = PyFloat_AsDouble(value);
    if (*seconds == -1 && PyErr_Occurred())
        return -1;
    if (!(*seconds > 0)) {
        PyErr_SetString(PyExc_ValueError,
                        "a limit in seconds must be above 0, or None");
        return -1;
    }
    return 0;
}

static PyObject *
map_list(const int16_t *map, uint32_t n)
{
    PyObject *list = PyList_New((Py_ssize_t)n);

    for (uint32_t i = 0; list && i < n; i++) {
        PyObject *node =
            map[i] == SEPX_NONE ? Py_NewRef(Py_None) : PyLong_FromLong(map[i]);

        if (!node || PyList_SetItem(list, (Py_ssize_t)i, node) < 0) {
            Py_DECREF(list);
            return NULL;
        }
    }
    return list;
}

static const char *
end_name(enum sepx_ged_end end)
{
    static const char *const names[] = {"proven",     "at_most", "time_limit",
                                        "node_limit", "size",    "stopped"};

    return names[end];
}

static PyObject *
solve(struct pair *pair)
{
    struct sepx_ged_result result = {0};
    enum sepx_err err;

    pair->limits.context = &pair->watch;
    pair->watch.saved = PyEval_SaveThread();
    err = sepx_ged_run(pair->solver, &result, pair->a->at, pair->b->at,
                       &pair->limits);
    PyEval_RestoreThread(pair->watch.saved);
    if (err) {
        raise_pair(pair, err);
        return NULL;
    }
    if (PyErr_Occurred())
        return NULL;
    PyObject *map = map_list(result.map, pair->first->at.n_nodes);

    if (!map)
        return NULL;
    return Py_BuildValue(
        "(OOddOsNK)", (PyObject *)pair->first, (PyObject *)pair->second,
        result.lower, result.upper, result.exact ? Py_True : Py_False,
        end_name(result.end), map, (unsigned long long)result.nodes);
}

static PyObject *
ged_solve(PyObject *object, PyObject *args)
{
    struct core_ged *self = (struct core_ged *)object;
    PyObject *first, *second, *seconds = Py_None, *at_most = Py_None;
    PyObject *made = NULL;
    unsigned long long nodes = 0;
    struct pair pair;
    double value = 0;

    if (!PyArg_ParseTuple(args, "OO|OOK:solve", &first, &second, &seconds,
                          &at_most, &nodes) ||
        core_seconds(seconds, &value) < 0)
        return NULL;
    if (pair_init(self, &pair, first, second) == 0) {
        pair.limits.seconds = value;
        pair.limits.nodes = nodes;
        pair.limits.threshold = at_most != Py_None;
        if (pair.limits.threshold)
            pair.limits.at_most = PyFloat_AsDouble(at_most);
        if (!PyErr_Occurred())
            made = solve(&pair);
    }
    pair_release(self, &pair);
    return made;
}

/* A node of the second graph; raises if it is none. */
static int16_t
map_entry(PyObject *value, uint32_t n_nodes)
{
    Py_ssize_t node = PyNumber_AsSsize_t(value, NULL);

    if (!PyErr_Occurred() && (node < 0 || node >= (Py_ssize_t)n_nodes))
        PyErr_Format(PyExc_ValueError,
                     "a map has the node %R; the second graph has %u nodes, "
                     "numbered from 0, and None is a deleted one",
                     value, n_nodes);
    return PyErr_Occurred() ? 0 : (int16_t)node;
}

static PyObject *
ged_map_cost(PyObject *object, PyObject *args)
{
    struct core_ged *self = (struct core_ged *)object;
    PyObject *first, *second, *list, *made = NULL;
    int16_t *map = NULL;
    struct pair pair;
    double cost = 0;
    enum sepx_err err;

    if (!PyArg_ParseTuple(args, "OOO:map_cost", &first, &second, &list))
        return NULL;
    if (pair_init(self, &pair, first, second) == 0)
        map = core_alloc(pair.first->at.n_nodes, sizeof *map);
    if (map && PySequence_Size(list) != pair.first->at.n_nodes) {
        PyErr_SetString(PyExc_ValueError, "a map has an entry for each node");
        goto done;
    }
    for (uint32_t i = 0; map && i < pair.first->at.n_nodes; i++) {
        PyObject *node = PySequence_GetItem(list, (Py_ssize_t)i);

        map[i] = SEPX_NONE;
        if (node && node != Py_None)
            map[i] = map_entry(node, pair.second->at.n_nodes);
        Py_XDECREF(node);
        if (PyErr_Occurred())
            goto done;
    }
    if (map) {
        err =
            sepx_ged_map_cost(pair.solver, &cost, pair.a->at, pair.b->at, map);
        if (err)
            raise_pair(&pair, err);
        else
            made = PyFloat_FromDouble(cost);
    }
done:
    PyMem_Free(map);
    pair_release(self, &pair);
    return made;
}

/* ---- the type ---- */

static PyMethodDef methods[16] = {
    {"distance", (PyCFunction)(void (*)(void))ged_distance, METH_FASTCALL,
     "distance($self, first, second, /)\n--\n\n"
     "The distance, as calling the Ged does, a little faster."},
    {"_solve", ged_solve, METH_VARARGS, NULL},
    {"map_cost", ged_map_cost, METH_VARARGS,
     "map_cost($self, first, second, map, /)\n--\n\n"
     "The cost of the edits that a map implies: a node of `second` or None\n"
     "for each node of `first`."},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, (void *)"Options and solvers of a distance; see sepx.Ged."},
    {Py_tp_new, (void *)core_ged_make},
    {Py_tp_dealloc, (void *)core_ged_dealloc},
    {Py_tp_call, (void *)ged_call},
    {Py_tp_methods, methods},
    {0, NULL}};

static PyType_Spec spec = {
    .name = "sepx._core.Ged",
    .basicsize = sizeof(struct core_ged),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = slots,
};

int
core_ged_init(PyObject *module)
{
    size_t used = 0, more = 0;

    while (methods[used].ml_name)
        used++;
    while (core_ged_many_methods[more].ml_name)
        more++;
    memcpy(&methods[used], core_ged_many_methods, more * sizeof *methods);
    return core_add_type(module, &spec, &core_ged_type);
}
