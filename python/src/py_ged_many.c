/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many distances on many threads, without the GIL. A thread of its own runs
 * the pool; the caller's waits for it, looks at signals and shows progress,
 * so that Ctrl-C works while one pair takes an hour. With one thread, the
 * caller's does all of it: another would find the graphs in no cache.
 */
#include "core.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#define CHUNK_MAX 256     /* pairs that a thread takes at once */
#define LOOK_SECONDS 0.05 /* between two looks of the caller */

enum shape {
    PAIRS, /* i with i */
    TABLE, /* each with each */
    MIRROR /* i with each j > i, and back */
};

struct many {
    struct core_ged *ged;
    enum shape shape;
    struct sepx_ged_limits limits;
    size_t n_a, n_b, pairs, chunk;
    const struct sepx_ged_graph **a, **b;
    double *lower, *upper; /* lower may be NULL */
    unsigned threads;
    struct sepx_ged **solver; /* one a thread */
    atomic_bool stop;
    atomic_size_t done, unproven;
    PyObject *progress;
    PyThreadState *saved; /* of the caller, if it does the work */
    double next;          /* when that looks around, on sepx_clock() */
    pthread_mutex_t lock; /* of the three below */
    pthread_cond_t wake;
    bool ended;
    enum sepx_err err;
};

/* ---- pairs ---- */

/* Row of pair k above the diagonal; (0, 1) is the first. */
static void
locate(const struct many *many, size_t k, size_t *i, size_t *j)
{
    size_t row = 0, left = k;

    if (many->shape == PAIRS) {
        *i = *j = k;
    } else if (many->shape == TABLE) {
        *i = k / many->n_b;
        *j = k % many->n_b;
    } else {
        while (left >= many->n_a - 1 - row)
            left -= many->n_a - 1 - row++;
        *i = row;
        *j = row + 1 + left;
    }
}

static void
step(const struct many *many, size_t *i, size_t *j)
{
    if (many->shape == PAIRS) {
        ++*i;
        ++*j;
    } else if (++*j == many->n_b) {
        ++*i;
        *j = many->shape == TABLE ? 0 : *i + 1;
    }
}

static void
put(struct many *many, size_t at, const struct sepx_ged_bounds *bounds)
{
    many->upper[at] = bounds->upper;
    if (many->lower)
        many->lower[at] = bounds->lower;
    if (bounds->lower != bounds->upper)
        atomic_fetch_add(&many->unproven, 1);
}

static void
put_pair(struct many *many, size_t i, size_t j,
         const struct sepx_ged_bounds *bounds)
{
    if (many->shape == PAIRS)
        put(many, i, bounds);
    else
        put(many, i * many->n_b + j, bounds);
    if (many->shape == MIRROR) {
        many->upper[j * many->n_b + i] = bounds->upper;
        if (many->lower)
            many->lower[j * many->n_b + i] = bounds->lower;
    }
}

/* ---- threads ---- */

/* Signals and progress; the first exception stops the work. */
static void
look(struct many *many)
{
    PyObject *answer;

    if (atomic_load(&many->stop))
        return;
    if (PyErr_CheckSignals() != 0) {
        atomic_store(&many->stop, true);
    } else if (many->progress != Py_None) {
        answer = PyObject_CallFunction(many->progress, "nn",
                                       (Py_ssize_t)atomic_load(&many->done),
                                       (Py_ssize_t)many->pairs);
        if (!answer)
            atomic_store(&many->stop, true);
        Py_XDECREF(answer);
    }
}

/* The caller at work looks up now and then. */
static void
look_up(struct many *many)
{
    double now = many->saved ? sepx_clock() : 0;

    if (!many->saved || now < many->next)
        return;
    many->next = now + LOOK_SECONDS;
    PyEval_RestoreThread(many->saved);
    look(many);
    many->saved = PyEval_SaveThread();
}

static bool
go_on(void *context, double lower, double upper)
{
    struct many *many = context;

    (void)lower;
    (void)upper;
    look_up(many);
    return !atomic_load_explicit(&many->stop, memory_order_relaxed);
}

/* A chunk of pairs, gathered for one call of the batch. */
static enum sepx_err
run_chunk(void *context, unsigned worker, size_t index)
{
    struct many *many = context;
    const struct sepx_ged_graph *a[CHUNK_MAX], *b[CHUNK_MAX];
    struct sepx_ged_bounds bounds[CHUNK_MAX];
    size_t first = index * many->chunk, i, j, count = many->pairs - first;
    enum sepx_err err;

    if (!go_on(many, 0, 0))
        return SEPX_ESTOPPED;
    if (count > many->chunk)
        count = many->chunk;
    locate(many, first, &i, &j);
    for (size_t k = 0; k < count; k++, step(many, &i, &j)) {
        a[k] = many->a[i];
        b[k] = many->b[j];
    }
    err = sepx_ged_batch(many->solver[worker], bounds, a, b, count,
                         &many->limits);
    if (err)
        return err;
    locate(many, first, &i, &j);
    for (size_t k = 0; k < count; k++, step(many, &i, &j))
        put_pair(many, i, j, &bounds[k]);
    atomic_fetch_add(&many->done, count);
    return SEPX_OK;
}

static void *
run_pool(void *context)
{
    struct many *many = context;
    size_t chunks = (many->pairs + many->chunk - 1) / many->chunk;
    enum sepx_err err = sepx_parallel(many->threads, chunks, run_chunk, many);

    pthread_mutex_lock(&many->lock);
    many->ended = true;
    many->err = err;
    pthread_cond_signal(&many->wake);
    pthread_mutex_unlock(&many->lock);
    return NULL;
}

/* Wait a moment; true once the pool has ended. Without the GIL. */
static bool
wait_a_moment(struct many *many)
{
    struct timespec until;
    bool ended;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += (long)(LOOK_SECONDS * 1e9);
    if (until.tv_nsec >= 1000000000L) {
        until.tv_nsec -= 1000000000L;
        until.tv_sec++;
    }
    pthread_mutex_lock(&many->lock);
    while (!many->ended) {
        if (pthread_cond_timedwait(&many->wake, &many->lock, &until) != 0)
            break;
    }
    ended = many->ended;
    pthread_mutex_unlock(&many->lock);
    return ended;
}

/* A pool that the caller waits for. */
static int
run_apart(struct many *many)
{
    pthread_t thread;
    bool ended = false;

    if (pthread_create(&thread, NULL, run_pool, many) != 0) {
        PyErr_SetString(PyExc_RuntimeError, "cannot start a thread");
        return -1;
    }
    while (!ended) {
        PyThreadState *saved = PyEval_SaveThread();

        ended = wait_a_moment(many);
        PyEval_RestoreThread(saved);
        look(many);
    }
    pthread_join(thread, NULL);
    return 0;
}

static void
run_here(struct many *many)
{
    many->saved = PyEval_SaveThread();
    (void)run_pool(many);
    PyEval_RestoreThread(many->saved);
    many->saved = NULL;
    if (!PyErr_Occurred())
        look(many);
}

static int
run(struct many *many)
{
    int failed = 0;

    pthread_mutex_init(&many->lock, NULL);
    pthread_cond_init(&many->wake, NULL);
    if (many->threads == 1)
        run_here(many);
    else
        failed = run_apart(many);
    pthread_cond_destroy(&many->wake);
    pthread_mutex_destroy(&many->lock);
    if (!failed && many->err && !PyErr_Occurred()) {
        struct sepx_msg msg = {0};

        if (many->err == SEPX_EINVAL)
            (void)sepx_fail(&msg, many->err,
                            "some of the graphs are directed and some are "
                            "not; they have no distance");
        (void)core_raise(many->err, &msg);
    }
    return PyErr_Occurred() ? -1 : 0;
}

/* ---- graphs ---- */

/* Prepared graphs of a sequence, for as long as this is there. */
struct prepared {
    PyObject_HEAD uint64_t owner; /* the Ged's number */
    size_t count;
    struct core_ready **ready;
    const struct sepx_ged_graph **at;
};

static PyTypeObject *prepared_type;

static void
prepared_dealloc(PyObject *object)
{
    struct prepared *self = (struct prepared *)object;
    PyTypeObject *type = Py_TYPE(object);

    for (size_t i = 0; self->ready && i < self->count; i++)
        core_ready_drop(self->ready[i]);
    PyMem_Free((void *)self->ready);
    PyMem_Free((void *)self->at);
    PyObject_Free(object);
    Py_DECREF(type);
}

static Py_ssize_t
prepared_len(PyObject *object)
{
    return (Py_ssize_t)((struct prepared *)object)->count;
}

static int
prepare_all(struct core_ged *ged, struct prepared *made, PyObject *all)
{
    made->ready = core_alloc(made->count, sizeof(struct core_ready *));
    made->at = core_alloc(made->count, sizeof(struct sepx_ged_graph *));
    for (size_t i = 0; made->ready && made->at && i < made->count; i++) {
        made->ready[i] =
            core_ged_ready(ged, PyTuple_GetItem(all, (Py_ssize_t)i));
        if (!made->ready[i])
            break;
        made->at[i] = made->ready[i]->at;
    }
    return PyErr_Occurred() ? -1 : 0;
}

/* What was prepared by this Ged, or a new one of a sequence of graphs. */
static struct prepared *
prepared_of(struct core_ged *ged, PyObject *graphs)
{
    struct prepared *made;
    PyObject *all;

    if (Py_TYPE(graphs) == prepared_type) {
        made = (struct prepared *)Py_NewRef(graphs);
        if (made->owner == ged->number)
            return made;
        PyErr_SetString(PyExc_ValueError,
                        "the graphs were prepared by another Ged");
        core_drop(made);
        return NULL;
    }
    all = PySequence_Tuple(graphs);
    made = all ? PyObject_New(struct prepared, prepared_type) : NULL;
    if (made) {
        made->owner = ged->number;
        made->count = (size_t)PyTuple_Size(all);
        made->ready = NULL;
        made->at = NULL;
        if (prepare_all(ged, made, all) < 0) {
            core_drop(made);
            made = NULL;
        }
    }
    Py_XDECREF(all);
    return made;
}

static PyObject *
ged_prepare(PyObject *object, PyObject *graphs)
{
    return (PyObject *)prepared_of((struct core_ged *)object, graphs);
}

/* ---- solvers ---- */

static int
take_solvers(struct many *many)
{
    many->solver = core_alloc(many->threads, sizeof(struct sepx_ged *));
    for (unsigned k = 0; many->solver && k < many->threads; k++) {
        many->solver[k] = core_ged_take(many->ged);
        if (!many->solver[k])
            return -1;
    }
    return many->solver ? 0 : -1;
}

static void
give_solvers(struct many *many)
{
    for (unsigned k = 0; many->solver && k < many->threads; k++)
        core_ged_give(many->ged, many->solver[k]);
    PyMem_Free((void *)many->solver);
}

/* Threads that have something to do, and chunks that keep them all busy. */
static void
divide(struct many *many)
{
    if (!many->threads)
        many->threads = sepx_processors();
    if (many->threads > many->pairs)
        many->threads = many->pairs ? (unsigned)many->pairs : 1;
    many->chunk = many->pairs / (16 * (size_t)many->threads);
    if (many->chunk > CHUNK_MAX)
        many->chunk = CHUNK_MAX;
    if (many->chunk < 1)
        many->chunk = 1;
}

static size_t
count_pairs(const struct many *many)
{
    if (many->shape == PAIRS)
        return many->n_a;
    if (many->shape == TABLE)
        return many->n_a * many->n_b;
    return many->n_a ? many->n_a * (many->n_a - 1) / 2 : 0;
}

/* ---- the method ---- */

static PyObject *
answer(struct many *many, bool bounds)
{
    Py_ssize_t columns = many->shape == PAIRS ? -1 : (Py_ssize_t)many->n_b;
    struct core_buffer *upper = core_buffer_new((Py_ssize_t)many->n_a, columns);
    struct core_buffer *lower =
        upper && bounds ? core_buffer_new((Py_ssize_t)many->n_a, columns)
                        : NULL;
    int failed = !upper || (bounds && !lower);

    if (!failed) {
        many->upper = upper->at;
        many->lower = lower ? lower->at : NULL;
        divide(many);
        failed = take_solvers(many);
        if (!failed && many->pairs)
            failed = run(many);
        give_solvers(many);
    }
    if (failed) {
        core_drop(upper);
        core_drop(lower);
        return NULL;
    }
    if (!lower)
        return Py_BuildValue("(NOn)", upper, Py_None,
                             (Py_ssize_t)atomic_load(&many->unproven));
    return Py_BuildValue("(NNn)", upper, lower,
                         (Py_ssize_t)atomic_load(&many->unproven));
}

/* _many(shape, A, B, threads, seconds, nodes, progress, bounds) */
static PyObject *
ged_many(PyObject *object, PyObject *args)
{
    struct core_ged *self = (struct core_ged *)object;
    struct many many = {.ged = self, .limits = {.watch = go_on}};
    struct prepared *first = NULL, *second = NULL;
    PyObject *a, *b, *seconds, *progress, *made = NULL;
    const char *shape;
    unsigned long long nodes;
    int bounds;

    if (!PyArg_ParseTuple(args, "sOOIOKOp:_many", &shape, &a, &b, &many.threads,
                          &seconds, &nodes, &progress, &bounds) ||
        core_seconds(seconds, &many.limits.seconds) < 0)
        return NULL;
    many.limits.nodes = nodes;
    many.limits.context = &many;
    many.progress = progress;
    many.shape = !strcmp(shape, "pairs")   ? PAIRS
                 : !strcmp(shape, "table") ? TABLE
                                           : MIRROR;
    first = prepared_of(self, a);
    if (first)
        second =
            prepared_of(self, many.shape == MIRROR ? (PyObject *)first : b);
    if (!first || !second)
        goto done;
    many.n_a = first->count;
    many.n_b = second->count;
    many.a = first->at;
    many.b = second->at;
    many.pairs = count_pairs(&many);
    if (many.shape == PAIRS && many.n_a != many.n_b)
        PyErr_Format(PyExc_ValueError,
                     "%zu and %zu graphs; pairs need as many on each side",
                     many.n_a, many.n_b);
    else
        made = answer(&many, bounds);
done:
    core_drop(first);
    core_drop(second);
    return made;
}

static PyObject *
ged_symmetric(PyObject *object, PyObject *none)
{
    (void)none;
    return PyBool_FromLong(((struct core_ged *)object)->symmetric);
}

static PyType_Slot slots[] = {
    {Py_tp_doc,
     (void
          *)"Graphs made ready for the batches of one Ged; see Ged.prepare()."},
    {Py_tp_dealloc, (void *)prepared_dealloc},
    {Py_sq_length, (void *)prepared_len},
    {0, NULL}};

static PyType_Spec spec = {
    .name = "sepx.Prepared",
    .basicsize = sizeof(struct prepared),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = slots,
};

int
core_many_init(PyObject *module)
{
    return core_add_type(module, &spec, &prepared_type);
}

PyMethodDef core_ged_many_methods[] = {
    {"prepare", ged_prepare, METH_O,
     "prepare($self, graphs, /)\n--\n\n"
     "Graphs made ready for pairs(), cdist() and matrix() of this Ged, which\n"
     "take it in place of a list: for graphs that are compared often."},
    {"_many", ged_many, METH_VARARGS, NULL},
    {"_symmetric", ged_symmetric, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}};
