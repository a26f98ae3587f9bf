/* SPDX-License-Identifier: Apache-2.0 */
/* Texts and files of any format, holding one graph or many. */
#include <stdio.h>
#include <string.h>

#include "graph/internal.h"

static const char *
skip_space(const char *at, const char *end)
{
    while (at < end && strchr(" \t\r\n", *at) && *at)
        at++;
    return at;
}

/* The byte order mark that some editors put first. */
static const char *
skip_mark(const char *bytes, size_t len)
{
    return len >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3) ? bytes + 3 : bytes;
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
    const char *start = skip_mark(bytes, len), *end = bytes + len;
    const char *first = skip_space(start, end);

    if (len > SEPX__TEXT_BYTES)
        return sepx_fail(msg, SEPX_ELIMIT,
                         "the text has %zu bytes; one graph may have %u", len,
                         SEPX__TEXT_BYTES);
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
