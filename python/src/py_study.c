/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Study: a search kept in a file. Python's function evaluates by asking and
 * telling (struct sepx_session), or the library's own workers do (_run).
 */
#include "core.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static PyTypeObject *study_type;

int
core_study_usable(struct core_study *study)
{
    const char *why = NULL;

    if (!study->at)
        why = "the study is closed";
    else if (study->pid != getpid())
        why = "the study was opened before a fork, by another process";
    else if (study->busy)
        why = "the study is at work in another thread";
    if (why)
        PyErr_SetString(PyExc_RuntimeError, why);
    return why ? -1 : 0;
}

/* ---- settings ---- */

/* What a dict of settings has; borrowed, None and absent are NULL. */
static PyObject *
member(PyObject *dict, const char *key)
{
    PyObject *value = PyDict_GetItemString(dict, key);

    return value == Py_None ? NULL : value;
}

static int
take_text(PyObject *dict, const char *key, const char **text)
{
    PyObject *value = member(dict, key);

    *text = value ? PyUnicode_AsUTF8AndSize(value, NULL) : NULL;
    return value && !*text ? -1 : 0;
}

static bool
take_flag(PyObject *dict, const char *key)
{
    PyObject *value = member(dict, key);

    return value && PyObject_IsTrue(value) > 0;
}

static double
take_number(PyObject *dict, const char *key, double otherwise)
{
    PyObject *value = member(dict, key);

    return value ? PyFloat_AsDouble(value) : otherwise;
}

static uint64_t
take_count(PyObject *dict, const char *key, uint64_t otherwise)
{
    PyObject *value = member(dict, key);

    return value ? PyLong_AsUnsignedLongLong(value) : otherwise;
}

/* Lists of texts that settings point to. */
enum { RULES, OBJECTIVES, WHERE, LISTS };

static void
free_lists(const char **list[LISTS])
{
    for (int i = 0; i < LISTS; i++)
        PyMem_Free((void *)list[i]);
}

/* A tuple of texts, or NULL if there is none. */
static int
take_list(PyObject *dict, const char *key, const char ***list)
{
    PyObject *value = member(dict, key);

    if (!value || PyTuple_Size(value) == 0)
        return 0;
    *list = core_words(value);
    return *list ? 0 : -1;
}

/* Texts belong to the dict, lists to the caller; -1 and an exception. */
static int
read_settings(struct sepx_study_settings *set, PyObject *dict,
              const char **list[LISTS])
{
    uint64_t window;

    sepx_study_settings_init(set);
    if (take_text(dict, "space", &set->space) < 0 ||
        take_text(dict, "method", &set->method) < 0 ||
        take_text(dict, "eval", &set->eval) < 0 ||
        take_text(dict, "rules", &set->rules) < 0 ||
        take_text(dict, "folder", &set->folder) < 0 ||
        take_text(dict, "made_by", &set->made_by) < 0)
        return -1;
    set->seed = take_count(dict, "seed", 0);
    window = take_count(dict, "window", SEPX_WINDOW_DEFAULT);
    set->window = window > UINT32_MAX ? UINT32_MAX : (uint32_t)window;
    set->async = take_flag(dict, "asynchronous");
    set->repeats = take_flag(dict, "repeats");
    set->program.maximize = take_flag(dict, "maximize");
    set->program.time_limit = take_number(dict, "time_limit", 0);
    if (PyErr_Occurred())
        return -1;
    if (take_list(dict, "rule", &list[RULES]) < 0 ||
        take_list(dict, "objectives", &list[OBJECTIVES]) < 0 ||
        take_list(dict, "where", &list[WHERE]) < 0)
        return -1;
    set->rule = list[RULES];
    set->objective = list[OBJECTIVES];
    set->where = list[WHERE];
    return PyErr_Occurred() ? -1 : 0;
}

/* ---- life ---- */

static PyObject *
study_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    struct sepx_study_settings settings;
    struct sepx_msg msg = {0};
    struct core_study *made;
    PyObject *path, *dict;
    const char *options, **list[LISTS] = {NULL};
    int write;
    enum sepx_err err;

    (void)kwargs;
    if (!PyArg_ParseTuple(args, "O&Ozp:Study", PyUnicode_FSConverter, &path,
                          &dict, &options, &write))
        return NULL;
    made = (struct core_study *)PyType_GenericAlloc(type, 0);
    if (!made || (dict != Py_None && read_settings(&settings, dict, list))) {
        free_lists(list);
        Py_DECREF(path);
        core_drop(made);
        return NULL;
    }
    err = dict == Py_None
              ? sepx_study_open(&made->at, PyBytes_AsString(path), write, &msg)
              : sepx_study_create(&made->at, PyBytes_AsString(path), &settings,
                                  options, &msg);
    free_lists(list);
    Py_DECREF(path);
    made->pid = getpid();
    if (!err)
        return (PyObject *)made;
    core_drop(made);
    return core_raise(err, &msg);
}

/* ---- another evaluator ---- */

static PyObject *
study_is_blank(PyObject *object, PyObject *none)
{
    struct core_study *self = (struct core_study *)object;
    struct sepx_msg msg = {0};
    bool blank;
    enum sepx_err err;

    (void)none;
    if (core_study_usable(self) < 0)
        return NULL;
    err = sepx_study_is_blank(self->at, &blank, &msg);
    return err ? core_raise(err, &msg) : PyBool_FromLong(blank);
}

/*
 * _renew(settings): those of the evaluator that are given. Trials that were
 * asked for are discarded with the others.
 */
static PyObject *
study_renew(PyObject *object, PyObject *dict)
{
    struct core_study *self = (struct core_study *)object;
    struct sepx_study_settings set;
    struct sepx_msg msg = {0};
    enum sepx_err err;

    if (core_study_usable(self) < 0)
        return NULL;
    set = *sepx_study_settings(self->at);
    if (take_text(dict, "evaluator", &set.eval) < 0 ||
        take_text(dict, "folder", &set.folder) < 0 ||
        take_text(dict, "made_by", &set.made_by) < 0)
        return NULL;
    if (member(dict, "maximize"))
        set.program.maximize = take_flag(dict, "maximize");
    set.program.time_limit =
        take_number(dict, "time_limit", set.program.time_limit);
    if (PyErr_Occurred())
        return NULL;
    err = sepx_session_end(self->session, &msg);
    self->session = NULL;
    if (!err)
        err = sepx_study_renew(&self->at, &set, &msg);
    if (err)
        return core_raise(err, &msg);
    return Py_NewRef(Py_None);
}

/* ---- the end ---- */

/*
 * The time that was spent may not be noted on a full disk: too bad. After a
 * fork, the log and its connection are the parent's.
 */
static enum sepx_err
close_study(struct core_study *study, struct sepx_msg *msg)
{
    enum sepx_err err = SEPX_OK;

    if (study->at && study->pid == getpid()) {
        err = sepx_session_end(study->session, msg);
        sepx_study_close(study->at);
    }
    study->session = NULL;
    study->at = NULL;
    return err;
}

static void
study_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    struct sepx_msg msg;

    (void)close_study((struct core_study *)object, &msg);
    release(object);
    Py_DECREF(type);
}

static PyObject *
study_close(PyObject *object, PyObject *none)
{
    struct core_study *self = (struct core_study *)object;
    struct sepx_msg msg = {0};
    enum sepx_err err;

    (void)none;
    if (self->at && self->pid == getpid() && core_study_usable(self) < 0)
        return NULL;
    err = close_study(self, &msg);
    if (err)
        return core_raise(err, &msg);
    return Py_NewRef(Py_None);
}

static PyObject *
study_is_open(PyObject *object, PyObject *none)
{
    const struct core_study *self = (struct core_study *)object;

    (void)none;
    return PyBool_FromLong(self->at && self->pid == getpid());
}

/* ---- plans ---- */

/* `until` is room for the plan's value, which is one of the log. */
static int
read_plan(struct sepx_study_plan *plan, double *until,
          const struct sepx_study *study, PyObject *dict)
{
    uint64_t evals = take_count(dict, "evals", UINT32_MAX);

    *plan = (struct sepx_study_plan){
        .evals = evals > UINT32_MAX ? UINT32_MAX : (uint32_t)evals,
        .count_evaluations = take_flag(dict, "count_evaluations"),
        .patience = (uint32_t)take_count(dict, "patience", 0),
        .max_failures = (uint32_t)take_count(dict, "max_failures", 10),
        .seconds = take_number(dict, "seconds", 0),
        .workers = (unsigned)take_count(dict, "workers", 1),
    };
    *until = sepx_study_value(study, take_number(dict, "until", NAN));
    plan->until = isnan(*until) ? NULL : until;
    return PyErr_Occurred() ? -1 : 0;
}

static const char *
end_name(enum sepx_study_end end)
{
    static const char *const names[] = {"open",    "complete",  "reached",
                                        "stalled", "exhausted", "time",
                                        "failing", "unstarted"};

    return names[end];
}

/* Note that this process is alive, for those who look at the study. */
static int
note_session(struct core_study *study, const char *options)
{
    struct sepx_msg msg = {0};
    enum sepx_err err = SEPX_OK;

    if (options)
        err = sepx_store_session(sepx_study_store(study->at), options, &msg);
    if (err)
        (void)core_raise(err, &msg);
    return err ? -1 : 0;
}

/*
 * End the last session and make ready for a new one: its plan and options, as
 * `format` parses them. `until` is room for a value of the plan.
 */
static int
new_session(struct core_study *self, PyObject *args, const char *format,
            struct sepx_study_plan *plan, double *until)
{
    struct sepx_msg msg = {0};
    PyObject *dict;
    const char *options;
    enum sepx_err err;

    if (!PyArg_ParseTuple(args, format, &PyDict_Type, &dict, &options) ||
        core_study_usable(self) < 0 ||
        read_plan(plan, until, self->at, dict) < 0)
        return -1;
    err = sepx_session_end(self->session, &msg);
    self->session = NULL;
    self->watch = (struct core_watch){0};
    if (err) {
        (void)core_raise(err, &msg);
        return -1;
    }
    return note_session(self, options);
}

/* ---- evaluated here ---- */

static PyObject *
study_begin(PyObject *object, PyObject *args)
{
    struct core_study *self = (struct core_study *)object;
    struct sepx_study_plan plan;
    struct sepx_msg msg = {0};
    double until;
    enum sepx_err err;

    if (new_session(self, args, "O!z:_begin", &plan, &until) < 0)
        return NULL;
    plan.stop = (struct sepx_stop){core_watch_stop, &self->watch};
    err = sepx_session_begin(&self->session, self->at, &plan, &msg);
    if (err)
        return core_raise(err, &msg);
    return Py_NewRef(Py_None);
}

static PyObject *
study_end(PyObject *object, PyObject *none)
{
    struct core_study *self = (struct core_study *)object;
    struct sepx_msg msg = {0};
    enum sepx_err err;

    (void)none;
    if (core_study_usable(self) < 0)
        return NULL;
    err = sepx_session_end(self->session, &msg);
    self->session = NULL;
    if (err)
        return core_raise(err, &msg);
    return Py_NewRef(Py_None);
}

static int
in_session(struct core_study *study)
{
    if (core_study_usable(study) < 0)
        return -1;
    if (study->session)
        return 0;
    PyErr_SetString(PyExc_RuntimeError, "nothing was begun");
    return -1;
}

static PyObject *
study_ask(PyObject *object, PyObject *none)
{
    struct core_study *self = (struct core_study *)object;
    struct sepx_msg msg = {0};
    const struct sepx_ask *ask;
    enum sepx_study_end end;
    PyObject *graph;
    enum sepx_err err;

    (void)none;
    if (in_session(self) < 0)
        return NULL;
    err = sepx_session_ask(self->session, &ask, &end, &msg);
    if (err)
        return core_raise(err, &msg);
    if (!ask)
        return PyUnicode_FromString(end_name(end));
    graph = core_space_graph(&ask->graph);
    if (!graph)
        return NULL;
    return Py_BuildValue("(IN(LL)d)", ask->trial, graph,
                         (long long)ask->parent[0], (long long)ask->parent[1],
                         ask->fidelity);
}

/* _tell(trial, outcome, answer, errors, seconds) */
static PyObject *
study_tell(PyObject *object, PyObject *args)
{
    struct core_study *self = (struct core_study *)object;
    struct sepx_session_result result = {0};
    struct sepx_msg msg = {0};
    unsigned trial, outcome;
    enum sepx_err err;

    if (!PyArg_ParseTuple(args, "IIzzd:_tell", &trial, &outcome, &result.answer,
                          &result.errors, &result.seconds) ||
        in_session(self) < 0)
        return NULL;
    result.outcome = (enum sepx_outcome)outcome;
    err = sepx_session_tell(self->session, trial, &result, &msg);
    if (err)
        return core_raise(err, &msg);
    return Py_NewRef(Py_None);
}

/* ---- evaluated by the library ---- */

/* Checks for Ctrl-C, and keeps the first note of members left out. */
struct observer {
    struct core_watch *watch;
    char left_out[200]; /* of the first such answer; "": there is none */
};

static bool
goes_on(void *context, const struct sepx_study_view *view)
{
    const struct observer *observer = context;

    (void)view;
    return core_watch_look(observer->watch);
}

static void
note_left_out(void *context, const struct sepx_entry *entry)
{
    struct observer *observer = context;
    const struct sepx_told *told = &entry->told;

    if (!observer->left_out[0] && told->errors &&
        !strcmp(told->outcome, sepx_outcome_name(SEPX_SCORED)))
        sepx_eval_error_line(observer->left_out, sizeof observer->left_out,
                             told->errors);
}

static PyObject *
study_run(PyObject *object, PyObject *args)
{
    struct core_study *self = (struct core_study *)object;
    enum sepx_study_end end = SEPX_STUDY_OPEN;
    struct observer observer;
    struct sepx_study_plan plan;
    struct sepx_msg msg = {0};
    double until;
    enum sepx_err err;

    if (new_session(self, args, "O!z:_run", &plan, &until) < 0)
        return NULL;
    observer = (struct observer){.watch = &self->watch};
    plan.watch = goes_on;
    plan.told = note_left_out;
    plan.context = &observer;
    plan.end = &end;
    self->busy = true;
    self->watch.saved = PyEval_SaveThread();
    err = sepx_study_run(self->at, &plan, &msg);
    PyEval_RestoreThread(self->watch.saved);
    self->watch.saved = NULL;
    self->busy = false;
    if (err || PyErr_Occurred())
        return core_raise(err, &msg);
    return Py_BuildValue("(ss)", end_name(end), observer.left_out);
}

static PyObject *
study_retry(PyObject *object, PyObject *none)
{
    struct core_study *self = (struct core_study *)object;
    struct sepx_msg msg = {0};
    uint32_t count = 0;
    enum sepx_err err;

    (void)none;
    if (core_study_usable(self) < 0)
        return NULL;
    err = sepx_session_end(self->session, &msg);
    self->session = NULL;
    if (!err)
        err = sepx_study_retry(self->at, &count, &msg);
    if (err)
        return core_raise(err, &msg);
    return PyLong_FromUnsignedLong(count);
}

/* ---- the type ---- */

static PyMethodDef methods[32] = {
    {"close", study_close, METH_NOARGS,
     "close($self, /)\n--\n\nEnd what is under way and close the file."},
    {"_is_blank", study_is_blank, METH_NOARGS, NULL},
    {"_renew", study_renew, METH_O, NULL},
    {"_is_open", study_is_open, METH_NOARGS, NULL},
    {"_begin", study_begin, METH_VARARGS, NULL},
    {"_end", study_end, METH_NOARGS, NULL},
    {"_ask", study_ask, METH_NOARGS, NULL},
    {"_tell", study_tell, METH_VARARGS, NULL},
    {"_run", study_run, METH_VARARGS, NULL},
    {"retry", study_retry, METH_NOARGS,
     "retry($self, /)\n--\n\n"
     "Have every trial that failed evaluated again by what comes next; how\n"
     "many there are."},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, (void *)"A search kept in a file; see sepx.Study."},
    {Py_tp_new, (void *)study_new},
    {Py_tp_dealloc, (void *)study_dealloc},
    {Py_tp_methods, methods},
    {0, NULL}};

static PyType_Spec spec = {
    .name = "sepx._core.Study",
    .basicsize = sizeof(struct core_study),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = slots,
};

int
core_study_init(PyObject *module)
{
    size_t used = 0, more = 0;

    while (methods[used].ml_name)
        used++;
    while (core_study_read_methods[more].ml_name)
        more++;
    memcpy(&methods[used], core_study_read_methods, more * sizeof *methods);
    return core_add_type(module, &spec, &study_type);
}
