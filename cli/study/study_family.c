/* SPDX-License-Identifier: Apache-2.0 */
#include "study/study_family.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "graph/ged_command.h"

/* Of the search tree of one distance: a part of a second at any size. */
static uint64_t
budget(const struct sepx_graph *a, const struct sepx_graph *b)
{
    const uint64_t n = a->n_nodes > b->n_nodes ? a->n_nodes : b->n_nodes;

    return n <= 16 ? 100000 : 100000 * 16 * 16 / (n * n) + 1;
}

int
family_trial(uint32_t *trial, const char *command, const char *word)
{
    char *end;
    unsigned long number;

    errno = 0;
    number = strtoul(word, &end, 10);
    *trial = (uint32_t)number;
    if (errno || end == word || *end || *word == '-' || number >= UINT32_MAX)
        return cli_usage(command, "'%s' is not the number of a trial", word);
    return CLI_DONE;
}

static enum sepx_err
add_person(struct family *family, const struct sepx_entry *entry,
           struct sepx_msg *msg)
{
    const struct sepx_asked *asked = &entry->asked;
    struct person *person;
    enum sepx_err err;

    if (family->count == family->room) {
        size_t room = family->room ? 2 * family->room : 16;
        void *more = realloc(family->person, room * sizeof *person);

        if (!more)
            return SEPX_ENOMEM;
        family->person = more;
        family->room = room;
    }
    person = &family->person[family->count];
    *person = (struct person){
        .trial = asked->trial,
        .op = strdup(asked->op),
        .parent = {asked->parent[0], asked->parent[1]},
        .value = study_value(family->s, entry->told.value),
        .told = entry->is_told,
    };
    family->count++;
    if (!person->op)
        return SEPX_ENOMEM;
    err = sepx_graph_read(&person->graph, sepx_space_names(family->space),
                          asked->graph, strlen(asked->graph), SEPX_FORMAT_JSON,
                          msg);
    if (err)
        sepx_msg_prefix(msg, "%s: graph of trial %u", family->s->path,
                        asked->trial);
    return err;
}

enum sepx_err
family_fetch(struct family *family, uint32_t trial, struct sepx_msg *msg)
{
    struct sepx_cursor *cursor;
    struct sepx_entry entry = {0};
    bool more = false;
    enum sepx_err err = sepx_store_read(family->s->store, &cursor,
                                        SEPX_STORE_TRIALS, trial, msg);

    if (!err)
        err = sepx_cursor_next(cursor, &entry, &more, msg);
    if (!err && (!more || entry.asked.trial != trial))
        err = sepx_fail(msg, SEPX_ENOTFOUND,
                        "%s: no trial %u; 'sepx study status' "
                        "says how many there are",
                        family->s->path, trial);
    if (!err)
        err = add_person(family, &entry, msg);
    sepx_cursor_free(cursor);
    return err;
}

const struct person *
family_find(const struct family *family, int64_t trial)
{
    for (size_t i = 0; i < family->count; i++) {
        if (family->person[i].trial == trial)
            return &family->person[i];
    }
    return NULL;
}

/* ---- edits ---- */

enum sepx_err
family_edits(struct family *family, struct sepx_path *path, double *lower,
             const struct person *parent, const struct person *child,
             struct sepx_msg *msg)
{
    const struct sepx_ged_limits limits = {
        .nodes = budget(&parent->graph, &child->graph),
        .watch = family->watch,
        .context = family->context,
    };
    struct sepx_graph made = {.names = parent->graph.names};
    struct sepx_ged_result result;
    bool same = false;
    enum sepx_err err = sepx_ged_between(family->ged, &result, &parent->graph,
                                         &child->graph, &limits);

    if (!err && result.stopped)
        err = SEPX_ESTOPPED;
    if (!err)
        err = sepx_path_from_map(path, &parent->graph, &child->graph,
                                 result.map, false);
    if (!err)
        err = sepx_path_apply(path, &made, &parent->graph, NULL, NULL, NULL);
    if (!err)
        err = sepx_graph_isomorphic(&made, &child->graph, &same, NULL);
    if (!err && !same)
        err = sepx_fail(msg, SEPX_EDATA,
                        "the edits from trial %u to trial %u do not replay",
                        parent->trial, child->trial);
    *lower = err ? 0 : result.lower;
    sepx_graph_release(&made);
    return err;
}

static enum sepx_err
print_edits(struct family *family, const struct person *parent,
            const struct person *child, struct sepx_msg *msg)
{
    struct out *out = &family->out;
    struct sepx_path path = {0};
    double lower;
    enum sepx_err err = family_edits(family, &path, &lower, parent, child, msg);

    if (!err)
        out_print(out, "  from %u, %zu edit%s", parent->trial, path.len,
                  path.len == 1 ? "" : "s");
    if (!err && lower < (double)path.len)
        out_print(out, " (%.12g at least)", lower);
    out_print(out, "\n");
    for (size_t i = 0; i < path.len && !err; i++) {
        out_print(out, "    ");
        edit_print(out, &path.edit[i], &parent->graph);
    }
    sepx_path_release(&path);
    return err;
}

static enum sepx_err
put_edits(struct family *family, struct sepx_json_writer *w,
          const struct person *parent, const struct person *child,
          struct sepx_msg *msg)
{
    struct sepx_path path = {0};
    double lower;
    enum sepx_err err = family_edits(family, &path, &lower, parent, child, msg);

    sepx_json_open(w, '{');
    sepx_json_add_integer(w, "trial", parent->trial);
    sepx_json_add_bool(w, "exact", lower >= (double)path.len);
    sepx_json_add_number(w, "lower", lower);
    sepx_json_key(w, "edits");
    sepx_json_open(w, '[');
    for (size_t i = 0; i < path.len && !err; i++) {
        sepx_json_open(w, '{');
        edit_put_json(w, &path.edit[i], parent->graph.names);
        sepx_json_close(w, '}');
    }
    sepx_json_close(w, ']');
    sepx_json_close(w, '}');
    sepx_path_release(&path);
    return err;
}

enum sepx_err
family_show_edits(struct family *family, struct sepx_json_writer *w,
                  const struct person *child, struct sepx_msg *msg)
{
    enum sepx_err err = SEPX_OK;

    for (int i = 0; i < 2 && !err; i++) {
        const struct person *parent = family_find(family, child->parent[i]);

        if (parent && w)
            err = put_edits(family, w, parent, child, msg);
        else if (parent)
            err = print_edits(family, parent, child, msg);
    }
    return err;
}

/* ---- opening ---- */

enum sepx_err
family_open(struct family *family, struct sepx_msg *msg)
{
    struct sepx_ged_options ged = {0};
    enum sepx_err err = sepx_study_space(family->s->study, &family->space, msg);

    if (err)
        return err;
    ged.pinned = sepx_space_pinned(family->space, &ged.n_pinned);
    return sepx_ged_new(&family->ged, &ged);
}

void
family_clear(struct family *family)
{
    for (size_t i = 0; i < family->count; i++) {
        free(family->person[i].op);
        sepx_graph_release(&family->person[i].graph);
    }
    family->count = 0;
}

void
family_close(struct family *family)
{
    family_clear(family);
    free(family->person);
    free(family->depth);
    sepx_ged_free(family->ged);
    out_release(&family->out);
}
