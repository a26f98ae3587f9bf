/* SPDX-License-Identifier: Apache-2.0 */
/* One graph from a text or a file of any format. */
#include "graph/read.h"

#include <stdio.h>
#include <string.h>

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

void
sepx__msg_place(struct sepx_msg *msg, const char *name, size_t first)
{
    unsigned line = 0;
    int skip = 0;

    if (!msg)
        return;
    if (sscanf(msg->text, "line %u: %n", &line, &skip) != 1 || !skip)
        (void)sscanf(msg->text, "line %u %n", &line, &skip);
    if (skip) {
        memmove(msg->text, msg->text + skip, strlen(msg->text + skip) + 1);
        sepx_msg_prefix(msg, "%s:%zu", name, line + (first ? first - 1 : 0));
    } else if (first) {
        sepx_msg_prefix(msg, "%s:%zu", name, first);
    } else {
        sepx_msg_prefix(msg, "%s", name);
    }
}

const char *
sepx__file_name(const char *path)
{
    return strcmp(path, "-") ? path : "standard input";
}

static enum sepx_err
read_json(struct sepx_graph *graph, struct sepx_names *names, const char *bytes,
          size_t len, enum sepx_graph_format format, struct sepx_msg *msg)
{
    struct sepx_json *root;
    enum sepx_err err = sepx_json_parse(&root, bytes, len, msg);

    if (err)
        return err;
    if (format == SEPX_FORMAT_AUTO)
        err = sepx_graph_from_json(graph, names, root, msg);
    else
        err = sepx__graph_from_json(graph, names, root,
                                    format == SEPX_FORMAT_NODE_LINK, msg);
    sepx_json_free(root);
    return err;
}

enum sepx_err
sepx_graph_read(struct sepx_graph *graph, struct sepx_names *names,
                const char *bytes, size_t len, enum sepx_graph_format format,
                struct sepx_msg *msg)
{
    const char *start = sepx__skip_mark(bytes, len), *end = bytes + len;
    const char *first = sepx__skip_space(start, end);

    if (len > SEPX__TEXT_BYTES)
        return sepx_fail(msg, SEPX_ELIMIT,
                         "the text has %zu bytes, more than the %u allowed; "
                         "split the graph",
                         len, SEPX__TEXT_BYTES);
    if (first == end)
        return sepx_fail(msg, SEPX_EDATA,
                         "there is no graph, the text is empty; write "
                         "{\"nodes\": [...], \"edges\": [...]}");
    if (format == SEPX_FORMAT_AUTO && *first == '<')
        format = SEPX_FORMAT_GRAPHML;
    if (format == SEPX_FORMAT_GRAPHML)
        return sepx__graph_read_graphml(graph, names, start,
                                        (size_t)(end - start), msg);
    return read_json(graph, names, start, (size_t)(end - start), format, msg);
}

enum sepx_err
sepx_graph_read_file(struct sepx_graph *graph, struct sepx_names *names,
                     const char *path, struct sepx_msg *msg)
{
    struct sepx_text text = {0};
    enum sepx_err err = sepx_file_read(&text, path, SEPX__TEXT_BYTES, msg);

    if (!err) {
        err = sepx_graph_read(graph, names, text.at, text.len, SEPX_FORMAT_AUTO,
                              msg);
        if (err) {
            sepx__msg_locate(msg, text.at, text.len);
            sepx__msg_place(msg, sepx__file_name(path), 0);
        }
    }
    sepx_text_release(&text);
    return err;
}
