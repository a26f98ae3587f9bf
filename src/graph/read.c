/* SPDX-License-Identifier: Apache-2.0 */
/* One graph from a text or a file of any format. */
#include "graph/read.h"

#include <string.h>

#include "graph/formats/formats.h"

const char *
sepx__skip_space(const char *at, const char *end)
{
    while (at < end &&
           (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n'))
        at++;
    return at;
}

const char *
sepx__skip_mark(const char *bytes, size_t len)
{
    return len >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3) ? bytes + 3 : bytes;
}

const char *
sepx__file_name(const char *path)
{
    return strcmp(path, "-") ? path : "standard input";
}

static enum sepx_err
read_json(struct sepx_graph *graph, struct sepx_names *names, const char *bytes,
          size_t len, enum sepx_graph_format format, struct sepx__item *item,
          struct sepx_msg *msg)
{
    struct sepx_json *root;
    enum sepx_err err = sepx_json_parse(&root, bytes, len, msg);

    if (err)
        return err;
    err = sepx__graph_from_json(graph, names, root, format, item, msg);
    sepx_json_free(root);
    return err;
}

static enum sepx_err
read_text(struct sepx_graph *graph, struct sepx_names *names, const char *bytes,
          size_t len, enum sepx_graph_format format, struct sepx__item *item,
          struct sepx_msg *msg)
{
    const char *start = sepx__skip_mark(bytes, len), *end = bytes + len;
    const char *first = sepx__skip_space(start, end);
    const struct sepx__format *row;

    if (len > SEPX__TEXT_BYTES)
        return sepx_fail(msg, SEPX_ELIMIT,
                         "the text has %zu bytes, more than the %u allowed; "
                         "split the graph",
                         len, SEPX__TEXT_BYTES);
    if (first == end)
        return sepx_fail(msg, SEPX_EDATA,
                         "there is no graph, the text is empty; write "
                         "{\"nodes\": [...], \"edges\": [...]}");
    row = format == SEPX_FORMAT_AUTO ? sepx__format_sniff(first, end) : NULL;
    if (row && row->read)
        return row->read(graph, names, start, (size_t)(end - start), msg);
    if (format == SEPX_FORMAT_GRAPHML)
        return sepx__graph_read_graphml(graph, names, start,
                                        (size_t)(end - start), msg);
    return read_json(graph, names, start, (size_t)(end - start), format, item,
                     msg);
}

enum sepx_err
sepx_graph_read(struct sepx_graph *graph, struct sepx_names *names,
                const char *bytes, size_t len, enum sepx_graph_format format,
                struct sepx_msg *msg)
{
    struct sepx__item item = {0};

    return read_text(graph, names, bytes, len, format, &item, msg);
}

enum sepx_err
sepx__graph_read_at(struct sepx_graph *graph, struct sepx_names *names,
                    const char *bytes, size_t len, const char *name,
                    size_t first, struct sepx_msg *msg)
{
    struct sepx__item item = {0};
    enum sepx_err err =
        read_text(graph, names, bytes, len, SEPX_FORMAT_AUTO, &item, msg);

    if (err && item.array && !first && err != SEPX_ENOMEM)
        sepx__msg_locate(msg, bytes, len, &item);
    if (err)
        sepx_msg_place(msg, name, first);
    return err;
}

enum sepx_err
sepx_graph_read_file(struct sepx_graph *graph, struct sepx_names *names,
                     const char *path, struct sepx_msg *msg)
{
    struct sepx_text text = {0};
    enum sepx_err err = sepx_file_read(&text, path, SEPX__TEXT_BYTES, msg);

    if (!err)
        err = sepx__graph_read_at(graph, names, text.at, text.len,
                                  sepx__file_name(path), 0, msg);
    sepx_text_release(&text);
    return err;
}
