/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The extension module sepx._core: the library's handles as Python types,
 * written against the stable ABI of Python 3.11. What is convenient rather
 * than fast is in the Python files of the package.
 *
 * Everything here runs with the GIL held unless it says otherwise; it is
 * what protects tables of names, caches of prepared graphs and spaces.
 */
#ifndef SEPX_PYTHON_CORE_H
#define SEPX_PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "library.h"

/* ---- errors: core.c ---- */

/*
 * Raise what belongs to `err`, with the message if there is one, and return
 * NULL. A pending exception (a signal's) stays. Parts of "file:line: what;
 * remedy" become attributes of the exception.
 */
PyObject *core_raise(enum sepx_err err, const struct sepx_msg *msg);
/* A function of the Python side of the package; a new reference. */
PyObject *core_import(const char *module, const char *name);
/* PyMem_Calloc(), which may not return NULL for nothing, and raises. */
void *core_alloc(size_t count, size_t size);
/* A text, UTF-8; raises for want of memory or a wrong type. */
PyObject *core_text(struct sepx_text *text, enum sepx_err err);
/* Py_XDECREF() of a struct of ours. */
static inline void
core_drop(void *object)
{
    Py_XDECREF((PyObject *)object);
}
int core_add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **type);

/* ---- label names: names.c ---- */

/* A table of names with its users counted. */
struct core_names {
    struct sepx_names *table;
    Py_ssize_t uses;
};

/* The table for new graphs; a new use. NULL and an exception on failure. */
struct core_names *core_names_now(void);
/* A new use of a table that is there. */
struct core_names *core_names_use(struct core_names *names);
/* A table of its own, empty; NULL and an exception on failure. */
struct core_names *core_names_own(void);
void core_names_drop(struct core_names *names); /* NULL: nothing */
/* The label of None (no label), a str, or str() of anything else. */
int core_label(struct sepx_names *names, PyObject *value, uint16_t *label);
/* A str, or None for label 0. A new reference. */
PyObject *core_label_text(const struct sepx_names *names, uint16_t label);
/*
 * Make `to` the graph `from` with labels of another table; the tables may be
 * one. Raises and returns -1 on failure.
 */
int core_translate(struct sepx_graph *to, struct sepx_names *names,
                   const struct sepx_graph *from);

/* ---- graphs: graph.c, graph_make.c, graph_text.c ---- */

/* A graph prepared for the distances of one Ged. */
struct core_ready {
    struct core_ready *next;
    uint64_t owner; /* the Ged's number */
    long uses;
    struct sepx_ged_graph *at;
};

struct core_graph {
    PyObject_HEAD struct sepx_graph at;
    struct core_names *names;
    PyObject *ids;            /* a tuple with the name of each node, or NULL */
    struct core_ready *ready; /* the latest first, at most CORE_READY_MAX */
    Py_hash_t hash;           /* -1: not known yet */
};

#define CORE_READY_MAX 4

extern PyTypeObject *core_graph_type;

int core_graph_init(PyObject *module);
/* An empty Graph with a table of names, whose use it takes over. */
struct core_graph *core_graph_empty(struct core_names *names);
/*
 * A Graph that takes the content of `from`, whose names are `names`; `from`
 * is empty afterwards. `ids` may be NULL. Takes over the use of `names`.
 */
PyObject *core_graph_wrap(struct sepx_graph *from, struct core_names *names);
/* The Graph of a value: itself, or converted by sepx.graph.convert(). */
struct core_graph *core_graph_of(PyObject *value); /* a new reference */
void core_ready_drop(struct core_ready *ready);
PyObject *core_graph_make(PyObject *type, PyObject *args, PyObject *kwargs);
/* The table of methods that reads and writes; ended by a NULL name. */
extern PyMethodDef core_graph_text_methods[];
extern PyMethodDef core_text_functions[];

/* ---- distances: ged.c, ged_many.c, ged_path.c ---- */

struct core_ged {
    PyObject_HEAD uint64_t number; /* of no other Ged of the process */
    struct core_names *names;
    struct sepx_ged_options options;
    struct sepx_costs costs;
    uint16_t *pinned;
    struct sepx_relabel_cost *table[2];
    bool symmetric;          /* the distance is, by these costs */
    struct sepx_ged **spare; /* solvers that nobody uses */
    size_t n_spare, spare_room;
};

extern PyTypeObject *core_ged_type;

int core_ged_init(PyObject *module);
/* A solver, to be given back; NULL and an exception on failure. */
struct sepx_ged *core_ged_take(struct core_ged *ged);
void core_ged_give(struct core_ged *ged, struct sepx_ged *solver);
/* The prepared graph of a value, a use of it; NULL and an exception. */
struct core_ready *core_ged_ready(struct core_ged *ged, PyObject *graph);
/* ged_make.c */
PyObject *core_ged_make(PyTypeObject *type, PyObject *args, PyObject *kwargs);
void core_ged_dealloc(PyObject *object);
/* float or None as a limit in seconds (0: none); -1 and an exception. */
int core_seconds(PyObject *value, double *seconds);
extern PyMethodDef core_ged_many_methods[];
int core_many_init(PyObject *module);
extern PyMethodDef core_path_functions[];
extern PyMethodDef core_pair_functions[]; /* ged_pair.c */

/* Ends a computation on Ctrl-C, from the thread that called it. */
struct core_watch {
    PyThreadState *saved; /* NULL: the GIL is held */
    double next;          /* on sepx_clock() */
    bool raised;          /* an exception is pending */
};

/* Whether to continue; checks signals ten times a second. */
bool core_watch_look(struct core_watch *watch);
/* A sepx_ged_limits.watch with a struct core_watch as its context. */
bool core_watch_bounds(void *context, double lower, double upper);

/* ---- spaces, operators, searches: space.c, cross.c, search.c ---- */

struct core_space {
    PyObject_HEAD struct sepx_space *at;
};

extern PyTypeObject *core_space_type;

int core_space_init(PyObject *module);
int core_search_init(PyObject *module);
/* A Graph of a copy of one that has the space's names. */
PyObject *core_space_graph(const struct sepx_graph *graph);
/*
 * A Graph of Python's as one of the space, into `graph`; raises and returns
 * -1 if it is none.
 */
int core_space_take(const struct sepx_space *space, struct sepx_graph *graph,
                    PyObject *value);
/*
 * Texts of a sequence, ended by NULL, for PyMem_Free(); they live as long as
 * the sequence. NULL and an exception on failure.
 */
const char **core_words(PyObject *sequence);
/* The preset's rules, then those of the rows "name=value". */
SEPX_CHECKED enum sepx_err
core_rules(struct sepx_rules *rules, const struct sepx_space *space,
           const char *preset, const char *op, const char *const *row,
           struct sepx_msg *msg);
/* A struct sepx_stop.asked with a struct core_watch as its context. */
bool core_watch_stop(void *context);
extern PyMethodDef core_cross_functions[];
/* A list of the edits of a path, as core_path_functions' path gives it. */
PyObject *core_path_list(const struct sepx_path *path,
                         const struct sepx_graph *graph);

/* ---- studies: study.c, study_read.c ---- */

struct core_study {
    PyObject_HEAD struct sepx_study *at; /* NULL: closed */
    struct sepx_session *session;
    struct core_watch watch;
    bool busy; /* a thread works with it, without the GIL */
    pid_t pid; /* of the process that opened it; a fork may not use it */
};

int core_study_init(PyObject *module);
/* Raises if the study is closed, busy, or of another process. */
int core_study_usable(struct core_study *study);
extern PyMethodDef core_study_read_methods[];

/* ---- buffers: buffer.c ---- */

/* rows x columns of float64, or (columns < 0) a vector. */
struct core_buffer {
    PyObject_HEAD double *at;
    Py_ssize_t shape[2], strides[2];
    int dimensions;
};

int core_buffer_init(PyObject *module);
struct core_buffer *core_buffer_new(Py_ssize_t rows, Py_ssize_t columns);

#endif
