/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many graphs: JSON Lines, one graph on each line, blank lines aside. A file
 * whose first line is not a JSON text by itself is taken as one graph that
 * spans lines.
 */
#include <string.h>

#include "graph/formats/formats.h"
#include "graph/read.h"

static void
cut_graphs(struct sepx_graphs *graphs, size_t count)
{
    while (graphs->count > count)
        sepx_graph_release(&graphs->at[--graphs->count]);
}

void
sepx_graphs_release(struct sepx_graphs *graphs)
{
    cut_graphs(graphs, 0);
    sepx__free(graphs->at);
    *graphs = (struct sepx_graphs){0};
}

/* One that is JSON by the row's own reader. */
static enum sepx_err
read_row(struct sepx_graph *graph, struct sepx_names *names, const char *bytes,
         size_t len, const struct sepx__format *row, struct sepx_msg *msg)
{
    struct sepx_json *root;
    enum sepx_err err = sepx_json_parse(&root, bytes, len, msg);

    if (!err)
        err = row->from_json(graph, names, root, msg);
    sepx_json_free(root);
    return err;
}

/* `row` reads it, or NULL: it is found what it is. */
static enum sepx_err
add_graph(struct sepx_graphs *graphs, struct sepx_names *names,
          const char *bytes, size_t len, const struct sepx__format *row,
          const char *name, size_t first, struct sepx_msg *msg)
{
    struct sepx_graph graph = {.names = names};
    enum sepx_err err;

    err = sepx__grow((void **)&graphs->at, &graphs->room, graphs->count + 1,
                     sizeof(*graphs->at));
    if (err)
        return sepx_fail(msg, err, "%s", sepx_strerror(err));
    if (row) {
        err = read_row(&graph, names, bytes, len, row, msg);
        if (err)
            sepx_msg_place(msg, name, first);
    } else {
        err = sepx__graph_read_at(&graph, names, bytes, len, name, first, msg);
    }
    if (!err)
        graphs->at[graphs->count++] = graph;
    return err;
}

static const char *
line_end(const char *at, const char *end)
{
    const char *stop = memchr(at, '\n', (size_t)(end - at));

    return stop ? stop : end;
}

static enum sepx_err
add_lines(struct sepx_graphs *graphs, struct sepx_names *names, const char *at,
          const char *end, const struct sepx__format *row, const char *name,
          struct sepx_msg *msg)
{
    enum sepx_err err = SEPX_OK;

    for (size_t line = 1; !err && at < end; line++) {
        const char *stop = line_end(at, end);

        if (sepx__skip_space(at, stop) < stop)
            err = add_graph(graphs, names, at, (size_t)(stop - at), row, name,
                            line, msg);
        at = stop < end ? stop + 1 : end;
    }
    return err;
}

static enum sepx_err
is_json(const char *at, const char *end, bool *is)
{
    struct sepx_json *root;
    enum sepx_err err = sepx_json_parse(&root, at, (size_t)(end - at), NULL);

    *is = !err;
    if (!err)
        sepx_json_free(root);
    return err == SEPX_EDATA ? SEPX_OK : err;
}

/* Whether the text is to be read line by line. */
static enum sepx_err
has_lines(const char *at, const char *end, bool *lines)
{
    const char *first = sepx__skip_space(at, end);
    const char *stop = line_end(first, end);
    bool whole = false;
    enum sepx_err err;

    *lines = false;
    if (first == end || *first == '<')
        return SEPX_OK;
    err = is_json(first, stop, lines);
    if (err || *lines)
        return err;
    /* Malformed both ways: then it is what the first line looks like. */
    err = is_json(first, end, &whole);
    while (stop > first && (stop[-1] == '\r' || stop[-1] == ' '))
        stop--;
    *lines = !whole && stop > first && stop[-1] == '}';
    return err;
}

enum sepx_err
sepx_graphs_read(struct sepx_graphs *graphs, struct sepx_names *names,
                 const char *bytes, size_t len, const char *name,
                 struct sepx_msg *msg)
{
    return sepx_graphs_read_as(graphs, names, bytes, len, NULL, name, msg);
}

enum sepx_err
sepx__graphs_read_json(struct sepx_graphs *graphs, struct sepx_names *names,
                       const char *bytes, size_t len,
                       const struct sepx__format *row, const char *name,
                       struct sepx_msg *msg)
{
    const char *start = sepx__skip_mark(bytes, len), *end = bytes + len;
    size_t before = graphs->count;
    bool lines;
    enum sepx_err err = has_lines(start, end, &lines);

    if (err) {
        err = sepx_fail(msg, err, "%s: %s", name, sepx_strerror(err));
    } else if (lines) {
        err = add_lines(graphs, names, start, end, row, name, msg);
    } else {
        err = add_graph(graphs, names, start, (size_t)(end - start), row, name,
                        0, msg);
    }
    if (err)
        cut_graphs(graphs, before);
    return err;
}

enum sepx_err
sepx_graphs_read_file(struct sepx_graphs *graphs, struct sepx_names *names,
                      const char *path, struct sepx_msg *msg)
{
    struct sepx_text text = {0};
    enum sepx_err err = sepx_file_read(&text, path, SEPX__FILE_BYTES, msg);

    if (!err)
        err = sepx_graphs_read(graphs, names, text.at, text.len,
                               sepx__file_name(path), msg);
    sepx_text_release(&text);
    return err;
}
