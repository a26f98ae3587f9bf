/* SPDX-License-Identifier: Apache-2.0 */
/* What a study holds: settings, trials, and whether it follows from itself. */
#include "core.h"

#include <math.h>
#include <string.h>

/* A trial or None. */
static PyObject *
trial_number(int64_t trial)
{
    return trial < 0 ? Py_NewRef(Py_None) : PyLong_FromLongLong(trial);
}

/* A number or None. */
static PyObject *
number(double value)
{
    return isnan(value) ? Py_NewRef(Py_None) : PyFloat_FromDouble(value);
}

static PyObject *
asked_dict(const struct sepx_asked *asked)
{
    return Py_BuildValue(
        "{s:I,s:s,s:N,s:N,s:d,s:N,s:s}", "trial", asked->trial, "operator",
        asked->op, "parent1", trial_number(asked->parent[0]), "parent2",
        trial_number(asked->parent[1]), "fidelity", asked->fidelity, "same",
        trial_number(asked->same), "graph", asked->graph);
}

/* Scores have the sign that the evaluator uses. */
static int
add_told(PyObject *dict, const struct sepx_study *study,
         const struct sepx_told *told)
{
    PyObject *more = Py_BuildValue(
        "{s:s,s:N,s:N,s:N,s:N,s:z,s:z,s:z,s:d,s:d,s:d,s:z}", "outcome",
        told->outcome, "value", number(sepx_study_value(study, told->value)),
        "test", number(sepx_study_value(study, told->test)), "cost",
        number(told->cost), "cached", trial_number(told->cached), "answer",
        told->answer, "errors", told->errors, "slot", told->slot, "seconds",
        told->seconds, "finished", told->finished, "elapsed", told->elapsed,
        "numbers", told->numbers);
    int failed = more ? PyDict_Update(dict, more) : -1;

    Py_XDECREF(more);
    return failed;
}

static PyObject *
entry_dict(const struct sepx_study *study, const struct sepx_entry *entry)
{
    PyObject *dict = asked_dict(&entry->asked);

    if (dict && entry->is_told && add_told(dict, study, &entry->told) < 0)
        Py_CLEAR(dict);
    return dict;
}

/* Entries to a list, at most so many. */
static enum sepx_err
read_all(const struct sepx_study *study, struct sepx_cursor *cursor,
         PyObject *list, Py_ssize_t most, struct sepx_msg *msg)
{
    struct sepx_entry entry;
    bool more = true;
    enum sepx_err err = SEPX_OK;

    while (!err && PyList_Size(list) < most) {
        PyObject *dict;

        err = sepx_cursor_next(cursor, &entry, &more, msg);
        if (err || !more)
            break;
        dict = entry_dict(study, &entry);
        if (!dict || PyList_Append(list, dict) < 0)
            err = SEPX_ENOMEM;
        Py_XDECREF(dict);
    }
    return err;
}

/* _trials(best, first, most) */
static PyObject *
study_trials(PyObject *object, PyObject *args)
{
    struct core_study *self = (struct core_study *)object;
    struct sepx_msg msg = {0};
    struct sepx_cursor *cursor;
    unsigned first;
    Py_ssize_t most;
    int best;
    PyObject *list;
    enum sepx_err err;

    if (!PyArg_ParseTuple(args, "pIn:_trials", &best, &first, &most) ||
        core_study_usable(self) < 0)
        return NULL;
    list = PyList_New(0);
    if (!list)
        return NULL;
    err = sepx_store_read(sepx_study_store(self->at), &cursor,
                          best ? SEPX_STORE_BEST : SEPX_STORE_TRIALS, first,
                          &msg);
    if (!err)
        err = read_all(self->at, cursor, list, most, &msg);
    sepx_cursor_free(cursor);
    if (!err)
        return list;
    Py_DECREF(list);
    return core_raise(err, &msg);
}

/* ---- several objectives ---- */

/* Merits of trials, and which trials those are. */
struct field {
    struct sepx_merit *merit;
    uint32_t *trial;
    size_t *front;
    size_t count;
};

static void
field_release(struct field *field)
{
    PyMem_Free(field->merit);
    PyMem_Free(field->trial);
    PyMem_Free(field->front);
}

/* What a trial's numbers amount to; false if it has none. */
static bool
judge(const struct sepx_goals *goals, const struct sepx_told *told,
      struct sepx_merit *merit)
{
    double value[SEPX_GOALS_MAX] = {0};
    struct sepx_json *json = NULL;
    bool whole =
        told->numbers &&
        !sepx_json_parse(&json, told->numbers, strlen(told->numbers), NULL) &&
        sepx_json_size(json) >= goals->names;

    for (uint32_t i = 0; i < goals->names && whole; i++) {
        value[i] = sepx_json_number(sepx_json_at(json, i), NAN);
        whole = !isnan(value[i]);
    }
    sepx_json_free(json);
    if (whole)
        sepx_goals_merit(goals, merit, value);
    return whole;
}

/* Room for `asked` trials; the last told ones are read. */
static enum sepx_err
field_read(struct field *field, struct core_study *study, size_t room,
           struct sepx_msg *msg)
{
    const struct sepx_goals *goals = sepx_study_goals(study->at);
    struct sepx_cursor *cursor;
    struct sepx_entry entry;
    bool more = true;
    enum sepx_err err = sepx_store_read(sepx_study_store(study->at), &cursor,
                                        SEPX_STORE_TRIALS, 0, msg);

    while (!err && field->count < room) {
        err = sepx_cursor_next(cursor, &entry, &more, msg);
        if (err || !more)
            break;
        if (!entry.is_told || entry.told.cached >= 0 ||
            !judge(goals, &entry.told, &field->merit[field->count]))
            continue;
        field->trial[field->count++] = entry.asked.trial;
    }
    sepx_cursor_free(cursor);
    return err;
}

/* _front(room): trials of the front, by the first objective */
static PyObject *
study_front(PyObject *object, PyObject *args)
{
    struct core_study *self = (struct core_study *)object;
    struct field field = {0};
    struct sepx_msg msg = {0};
    PyObject *list = NULL;
    Py_ssize_t room;
    size_t count;
    enum sepx_err err;

    if (!PyArg_ParseTuple(args, "n:_front", &room) ||
        core_study_usable(self) < 0)
        return NULL;
    field.merit = core_alloc((size_t)room, sizeof *field.merit);
    field.trial = core_alloc((size_t)room, sizeof *field.trial);
    field.front = core_alloc((size_t)room, sizeof *field.front);
    if (field.merit && field.trial && field.front) {
        err = field_read(&field, self, (size_t)room, &msg);
        count =
            err ? 0 : sepx_front_find(field.front, field.merit, field.count);
        list = err ? core_raise(err, &msg) : PyList_New((Py_ssize_t)count);
        for (size_t i = 0; list && i < count; i++) {
            PyObject *trial =
                PyLong_FromUnsignedLong(field.trial[field.front[i]]);

            if (!trial || PyList_SetItem(list, (Py_ssize_t)i, trial) < 0)
                Py_CLEAR(list);
        }
    }
    field_release(&field);
    return list;
}

/* The names of numbers that answers must have. */
static PyObject *
study_goals(PyObject *object, PyObject *none)
{
    struct core_study *self = (struct core_study *)object;
    const struct sepx_goals *goals;
    PyObject *made;

    (void)none;
    if (core_study_usable(self) < 0)
        return NULL;
    goals = sepx_study_goals(self->at);
    made = PyTuple_New((Py_ssize_t)goals->names);
    for (uint32_t i = 0; made && i < goals->names; i++) {
        PyObject *name = PyUnicode_FromString(goals->name[i]);

        if (!name || PyTuple_SetItem(made, (Py_ssize_t)i, name) < 0)
            Py_CLEAR(made);
    }
    return made;
}

static PyObject *
study_maximized(PyObject *object, PyObject *none)
{
    struct core_study *self = (struct core_study *)object;

    (void)none;
    if (core_study_usable(self) < 0)
        return NULL;
    return PyBool_FromLong(sepx_study_maximized(self->at));
}

static PyObject *
study_settings(PyObject *object, PyObject *none)
{
    struct core_study *self = (struct core_study *)object;

    (void)none;
    if (core_study_usable(self) < 0)
        return NULL;
    return PyUnicode_FromString(
        sepx_store_settings(sepx_study_store(self->at)));
}

static PyObject *
study_options(PyObject *object, PyObject *none)
{
    struct core_study *self = (struct core_study *)object;
    const char *text;

    (void)none;
    if (core_study_usable(self) < 0)
        return NULL;
    text = sepx_store_options(sepx_study_store(self->at));
    return Py_BuildValue("z", text);
}

static PyObject *
study_path(PyObject *object, PyObject *none)
{
    struct core_study *self = (struct core_study *)object;

    (void)none;
    if (core_study_usable(self) < 0)
        return NULL;
    return PyUnicode_DecodeFSDefault(
        sepx_store_path(sepx_study_store(self->at)));
}

static PyObject *
study_verify(PyObject *object, PyObject *none)
{
    struct core_study *self = (struct core_study *)object;
    struct sepx_msg msg = {0};
    uint32_t asked = 0, told = 0;
    enum sepx_err err;

    (void)none;
    if (core_study_usable(self) < 0)
        return NULL;
    err = sepx_study_verify(self->at, &asked, &told, &msg);
    return err ? core_raise(err, &msg) : Py_BuildValue("(II)", asked, told);
}

/* The space as the text of a file, or None if none can express it. */
static PyObject *
study_space(PyObject *object, PyObject *none)
{
    struct core_study *self = (struct core_study *)object;
    const struct sepx_space *space;
    struct sepx_text text = {0};
    struct sepx_msg msg = {0};
    enum sepx_err err;

    (void)none;
    if (core_study_usable(self) < 0)
        return NULL;
    err = sepx_study_space(self->at, &space, &msg);
    if (err)
        return core_raise(err, &msg);
    err = sepx_space_write(&text, space);
    if (err != SEPX_EUNSUPPORTED)
        return core_text(&text, err);
    sepx_text_release(&text);
    return Py_NewRef(Py_None);
}

/* ---- what to expect ---- */

/* Graphs of a tuple with the names of the study's space. */
static int
translate_all(struct sepx_graph *graph, PyObject *all, struct sepx_names *names)
{
    for (Py_ssize_t i = 0; i < PyTuple_Size(all); i++) {
        struct core_graph *from = core_graph_of(PyTuple_GetItem(all, i));
        int failed = from ? core_translate(&graph[i], names, &from->at) : -1;

        core_drop(from);
        if (failed)
            return -1;
    }
    return 0;
}

static PyObject *
predictions_list(const struct sepx_prediction *row, size_t count)
{
    PyObject *list = PyList_New((Py_ssize_t)count);

    for (size_t i = 0; list && i < count; i++) {
        PyObject *one = Py_BuildValue(
            "(dddINN)", row[i].score, row[i].low, row[i].high, row[i].known,
            trial_number(row[i].trial), PyBool_FromLong(row[i].live));

        if (!one || PyList_SetItem(list, (Py_ssize_t)i, one) < 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *
study_predict(PyObject *object, PyObject *all)
{
    struct core_study *self = (struct core_study *)object;
    Py_ssize_t count = PyTuple_Size(all);
    const struct sepx_space *space;
    struct sepx_prediction *out;
    struct sepx_graph *graph;
    struct sepx_msg msg = {0};
    PyObject *list = NULL;
    size_t failed = 0;
    enum sepx_err err;

    if (count < 0 || core_study_usable(self) < 0)
        return NULL;
    err = sepx_study_space(self->at, &space, &msg);
    if (err)
        return core_raise(err, &msg);
    graph = core_alloc((size_t)count, sizeof *graph);
    out = core_alloc((size_t)count, sizeof *out);
    if (graph && out &&
        translate_all(graph, all, sepx_space_names(space)) == 0) {
        err = sepx_study_predict(self->at, out, graph, (size_t)count, &failed,
                                 &msg);
        list =
            err ? core_raise(err, &msg) : predictions_list(out, (size_t)count);
    }
    for (Py_ssize_t i = 0; graph && i < count; i++)
        sepx_graph_release(&graph[i]);
    PyMem_Free(graph);
    PyMem_Free(out);
    return list;
}

PyMethodDef core_study_read_methods[] = {
    {"_predict", study_predict, METH_O, NULL},
    {"_trials", study_trials, METH_VARARGS, NULL},
    {"_front", study_front, METH_VARARGS, NULL},
    {"_goals", study_goals, METH_NOARGS, NULL},
    {"_maximized", study_maximized, METH_NOARGS, NULL},
    {"_settings", study_settings, METH_NOARGS, NULL},
    {"_options", study_options, METH_NOARGS, NULL},
    {"_path", study_path, METH_NOARGS, NULL},
    {"_space", study_space, METH_NOARGS, NULL},
    {"verify", study_verify, METH_NOARGS,
     "verify($self, /)\n--\n\n"
     "Prove that the log follows from settings and seed, unchanged; how many\n"
     "trials were asked and told. sepx.DataError names what does not."},
    {NULL, NULL, 0, NULL}};
