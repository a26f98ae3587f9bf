/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs that a space's file holds, or names: start graphs and targets. */
#include <string.h>

#include "space/language/reader.h"

static enum sepx_err
add(struct reader *r, struct sepx_graphs *graphs, struct sepx_graph *graph)
{
    enum sepx_err err = sepx__grow((void **)&graphs->at, &graphs->room,
                                   graphs->count + 1, sizeof(*graphs->at));

    if (err)
        return sepx__reader_fail(r, err);
    graphs->at[graphs->count++] = *graph;
    *graph = (struct sepx_graph){0};
    return SEPX_OK;
}

/* `path` as seen from the folder of the space's file. */
static enum sepx_err
find_path(struct reader *r, struct sepx_text *out, const char *path)
{
    const char *slash = strrchr(r->name, '/');
    enum sepx_err err = SEPX_OK;

    if (slash && path[0] != '/')
        err = sepx_text_add(out, r->name, (size_t)(slash - r->name) + 1);
    if (!err)
        err = sepx_text_add(out, path, strlen(path));
    return err ? sepx__reader_fail(r, err) : SEPX_OK;
}

/* A message of another reader, behind the place in this file. */
static enum sepx_err
refuse_graph(const struct reader *r, enum sepx_err err,
             const struct sepx_msg *why)
{
    if (err == SEPX_ENOMEM)
        return sepx__reader_fail(r, err);
    return sepx__refuse(r, "%.400s", why->text);
}

static enum sepx_err
read_files(struct reader *r, struct sepx_graphs *graphs, const char *name)
{
    struct sepx_text path = {0};
    struct sepx_msg why = {0};
    enum sepx_err err;

    if (!strcmp(name, "-"))
        return sepx__refuse(r, "is \"-\"; write the name of a file");
    err = find_path(r, &path, name);
    if (!err) {
        err = sepx_graphs_read_file(graphs, r->space->names, path.at, &why);
        if (err)
            err = refuse_graph(r, err, &why);
    }
    sepx_text_release(&path);
    return err;
}

static enum sepx_err
read_inline(struct reader *r, struct sepx_graphs *graphs,
            const struct sepx_json *value)
{
    struct sepx_graph graph = {0};
    struct sepx_msg why = {0};
    enum sepx_err err =
        sepx_graph_from_json(&graph, r->space->names, value, &why);

    err = err ? refuse_graph(r, err, &why) : add(r, graphs, &graph);
    sepx_graph_release(&graph);
    return err;
}

static enum sepx_err
read_item(struct reader *r, struct sepx_graphs *graphs,
          const struct sepx_json *value)
{
    const char *name = sepx_json_string(value);

    return name ? read_files(r, graphs, name) : read_inline(r, graphs, value);
}

enum sepx_err
sepx__read_starts(struct reader *r, const struct sepx_json *value)
{
    enum sepx_err err = SEPX_OK;

    sepx__reader_enter(r, "start");
    if (sepx_json_type(value) != SEPX_JSON_ARRAY)
        return sepx__refuse_value(r, value,
                                  "an array of graphs and names of files");
    for (size_t i = 0; i < sepx_json_size(value) && !err; i++) {
        sepx__reader_item(r, i);
        err = read_item(r, &r->c->start, sepx_json_at(value, i));
        if (!err)
            sepx__reader_leave(r);
    }
    if (!err)
        sepx__reader_leave(r);
    return err;
}

static enum sepx_err
read_target(struct reader *r, const char *name, const struct sepx_json *value)
{
    struct custom *c = r->c;
    size_t before = c->target.count;
    enum sepx_err err;

    if (before == TARGETS_MAX)
        return sepx__refuse(r, "is one target more than the %d allowed",
                            TARGETS_MAX);
    err = read_item(r, &c->target, value);
    if (!err && c->target.count != before + 1)
        err = sepx__refuse(r, "has %zu graphs; a target is one",
                           c->target.count - before);
    if (err)
        return err;
    c->target_name[before] = sepx__custom_keep(c, name);
    return c->target_name[before] ? SEPX_OK : sepx__reader_fail(r, SEPX_ENOMEM);
}

enum sepx_err
sepx__read_targets(struct reader *r, const struct sepx_json *value)
{
    const struct sepx_json *member;
    const char *key;
    void *position = NULL;
    enum sepx_err err = SEPX_OK;

    sepx__reader_enter(r, "targets");
    if (sepx_json_type(value) != SEPX_JSON_OBJECT)
        return sepx__refuse_value(r, value, "{\"name\": graph, ...}");
    while (!err && sepx_json_next(value, &position, &key, &member)) {
        sepx__reader_enter(r, key);
        err = read_target(r, key, member);
        if (!err)
            sepx__reader_leave(r);
    }
    if (!err)
        sepx__reader_leave(r);
    return err;
}

static enum sepx_err
check_all(struct reader *r, const struct sepx_graphs *graphs, const char *key,
          const char *const *names)
{
    struct sepx_msg why = {0};
    enum sepx_err err = SEPX_OK;

    for (size_t i = 0; i < graphs->count && !err; i++) {
        bool valid;

        err = sepx_space_check(r->space, &valid, &graphs->at[i], &why);
        if (err || valid)
            continue;
        sepx__reader_enter(r, key);
        if (names)
            sepx__reader_enter(r, names[i]);
        return sepx__refuse(r, "graph %zu is not one of this space: %.300s",
                            i + 1, why.text);
    }
    return err;
}

enum sepx_err
sepx__check_graphs(struct reader *r)
{
    enum sepx_err err = check_all(r, &r->c->start, "start", NULL);

    return err ? err
               : check_all(r, &r->c->target, "targets", r->c->target_name);
}
