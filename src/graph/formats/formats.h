/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The formats of graphs: one row each. A format of its own text has `read`,
 * one that is JSON has `from_json`; one that is only read has no `write`.
 */
#ifndef SEPX_GRAPH_FORMATS_H
#define SEPX_GRAPH_FORMATS_H

#include "base/parts.h"
#include "graph/internal.h"
#include "graph/read.h"

struct sepx__format {
    struct sepx_format_info info;
    /* Whether a text that begins at its first letter is of this format. */
    bool (*sniff)(const char *at, const char *end);
    bool (*is_json)(const struct sepx_json *root);
    /* The end of the first graph of several; NULL: a text holds one. */
    const char *(*split)(const char *at, const char *end);
    /* Messages begin with "line N: " where there are lines. */
    enum sepx_err (*read)(struct sepx_graph *graph, struct sepx_names *names,
                          const char *bytes, size_t len, struct sepx_msg *msg);
    enum sepx_err (*from_json)(struct sepx_graph *graph,
                               struct sepx_names *names,
                               const struct sepx_json *root,
                               struct sepx_msg *msg);
    /* Whole lines. What the format cannot hold is SEPX_EDATA. */
    enum sepx_err (*write)(struct sepx_text *text,
                           const struct sepx_graph *graph,
                           struct sepx_msg *msg);
};

/* clang-format off */
#define SEPX__CORE_FORMATS(X) /* a new format: its file and a row */ \
    X(json) X(jsonl) X(node_link) X(similarity) X(graphml) X(dot) X(gml) \
    X(tve) X(sdf) X(mol) X(onnx) X(fx)
#define SEPX__FORMATS(X) SEPX__CORE_FORMATS(X) SEPX__NAS_FORMATS(X)
/* clang-format on */

#define X(name) extern const struct sepx__format sepx__format_##name;
SEPX__FORMATS(X)
#undef X

/* The format of a text by its beginning; NULL: JSON, or nothing known. */
const struct sepx__format *sepx__format_sniff(const char *at, const char *end);
/* The format of a JSON value by its keys; NULL: one of the two usual ones. */
const struct sepx__format *sepx__format_of_json(const struct sepx_json *root);

/*
 * Graphs of a text that is JSON, over any number of lines or one on each;
 * `row` reads them, or NULL: by their keys.
 */
SEPX_CHECKED enum sepx_err
sepx__graphs_read_json(struct sepx_graphs *graphs, struct sepx_names *names,
                       const char *bytes, size_t len,
                       const struct sepx__format *row, const char *name,
                       struct sepx_msg *msg);

/* ---- for writers ---- */

/* What a format has no place for. */
struct sepx__lacks {
    const char *name; /* of the format, in messages */
    bool directed, undirected, loops, parallel, edge_labels, empty_labels;
    bool cycles;
    bool commands; /* characters in labels that a terminal would obey */
};

/* SEPX_EDATA and a reason if the graph has something of it, or `extra`. */
SEPX_CHECKED enum sepx_err sepx__format_check(const struct sepx_graph *graph,
                                              const struct sepx__lacks *lacks,
                                              struct sepx_msg *msg);
/*
 * The same graph with another table of names. `to` may be {0}; it gets no
 * `extra`.
 */
SEPX_CHECKED enum sepx_err sepx__graph_adopt(struct sepx_graph *to,
                                             struct sepx_names *names,
                                             const struct sepx_graph *from);
/* The same error, its message with the line that it belongs to. */
static inline enum sepx_err
sepx__at_line(enum sepx_err err, struct sepx_msg *msg, unsigned line)
{
    if (err && err != SEPX_ENOMEM)
        sepx_msg_line(msg, line, 0);
    return err;
}

/* One line at a time: `split` of formats that are lines. */
const char *sepx__split_line(const char *at, const char *end);
bool sepx__begins(const char *at, const char *end, const char *word);

#endif
