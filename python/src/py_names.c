/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of label names. New graphs share one table, so that most pairs of
 * graphs that meet do; a table that has grown large makes place for a new
 * one, and graphs of two tables are translated where they meet. So a process
 * may see any number of labels, though a table holds 65,535.
 */
#include "core.h"

#include <string.h>

#define NAMES_FULL 32768 /* labels after which a new table is begun */

static struct core_names *now;

struct core_names *
core_names_own(void)
{
    struct core_names *made = core_alloc(1, sizeof *made);

    if (!made)
        return NULL;
    made->table = sepx_names_new();
    made->uses = 1;
    if (!made->table) {
        PyMem_Free(made);
        (void)PyErr_NoMemory();
        return NULL;
    }
    return made;
}

struct core_names *
core_names_use(struct core_names *names)
{
    names->uses++;
    return names;
}

struct core_names *
core_names_now(void)
{
    if (now && sepx_names_count(now->table) > NAMES_FULL) {
        core_names_drop(now);
        now = NULL;
    }
    if (!now)
        now = core_names_own();
    return now ? core_names_use(now) : NULL;
}

void
core_names_drop(struct core_names *names)
{
    if (!names || --names->uses)
        return;
    sepx_names_free(names->table);
    PyMem_Free(names);
}

/* A text that the table may refuse. */
static int
add_text(struct sepx_names *names, PyObject *text, uint16_t *label)
{
    Py_ssize_t len;
    const char *bytes = PyUnicode_AsUTF8AndSize(text, &len);
    struct sepx_msg msg = {0};
    enum sepx_err err;

    if (!bytes)
        return -1;
    if (strlen(bytes) != (size_t)len) {
        PyErr_SetString(PyExc_ValueError, "a label contains a NUL character");
        return -1;
    }
    err = sepx_names_add(names, label, bytes);
    if (!err)
        return 0;
    if (err == SEPX_ELIMIT)
        (void)sepx_fail(&msg, err,
                        len > 255 ? "a label of %zd bytes is longer than 255; "
                                    "shorten it"
                                  : "more than 65,535 labels in one "
                                    "comparison, the last of %zd bytes; use "
                                    "coarser labels",
                        len);
    (void)core_raise(err, &msg);
    return -1;
}

int
core_label(struct sepx_names *names, PyObject *value, uint16_t *label)
{
    PyObject *text;
    int failed;

    *label = 0;
    if (value == Py_None)
        return 0;
    if (PyUnicode_Check(value))
        return add_text(names, value, label);
    text = PyObject_Str(value);
    if (!text)
        return -1;
    failed = add_text(names, text, label);
    Py_DECREF(text);
    return failed;
}

PyObject *
core_label_text(const struct sepx_names *names, uint16_t label)
{
    if (!label)
        return Py_NewRef(Py_None);
    return PyUnicode_FromString(sepx_names_text(names, label));
}

/* ---- between tables ---- */

static enum sepx_err
translate(struct sepx_graph *to, struct sepx_names *names,
          const struct sepx_graph *from)
{
    enum sepx_err err = SEPX_OK;

    sepx_graph_release(to);
    *to = (struct sepx_graph){.names = names, .undirected = from->undirected};
    for (uint32_t i = 0; i < from->n_nodes && !err; i++) {
        uint16_t label;

        err = sepx_names_add(names, &label,
                             sepx_names_text(from->names, from->label[i]));
        if (!err)
            err = sepx_graph_add_node(to, label);
    }
    for (uint32_t i = 0; i < from->n_edges && !err; i++) {
        const struct sepx_edge *edge = &from->edge[i];
        uint16_t label;

        err = sepx_names_add(names, &label,
                             sepx_names_text(from->names, edge->label));
        if (!err)
            err = sepx_graph_add_parallel(to, edge->from, edge->to, label);
    }
    return err;
}

int
core_translate(struct sepx_graph *to, struct sepx_names *names,
               const struct sepx_graph *from)
{
    enum sepx_err err = from->names == names ? sepx_graph_copy(to, from)
                                             : translate(to, names, from);

    if (!err)
        return 0;
    (void)core_raise(err, NULL);
    return -1;
}
