/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of results of any benchmark: graphs with named metrics, in one file
 * that is read where it lies. A graph is found whatever the order of its
 * nodes, and without its dead ones where the space has such.
 *
 * Experimental: may change in any version.
 *
 * Thread safety: an open table never changes and may be shared by all
 * threads; a builder is one thread's.
 */
#ifndef SEPX_RESULTS_H
#define SEPX_RESULTS_H

#include "sepx/space.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SEPX_METRICS_MAX 1000

/* ---- making one ---- */

struct sepx_results_builder;

/* How rows are read; {0} is usual. */
struct sepx_results_options {
    const char *graph;   /* key or column of the graph; NULL: found by name */
    const char *metrics; /* those wanted, by commas; NULL: all numbers */
    bool skip;           /* leave rows out whose graph the space lacks */
    bool once;           /* refuse a graph that has rows of other values */
};

/* `space` must outlive it. *builder is NULL after a failure. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_results_builder_new(struct sepx_results_builder **builder,
                         const struct sepx_space *space,
                         const struct sepx_results_options *options);
SEPX_API void sepx_results_builder_free(struct sepx_results_builder *builder);
/*
 * Add the rows of a text: JSON Lines or CSV with a line of names, told apart
 * by the first letter. A graph is a JSON object, or a string in any format
 * that sepx_graph_read() knows, under `graph`, "graph", "arch" or
 * "genotype"; or an object's own "nodes" and "edges". All other keys whose
 * values are numbers are metrics; null and empty fields are not known.
 * Messages begin with `name` and the line.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_results_builder_read(struct sepx_results_builder *builder,
                          const char *bytes, size_t len, const char *name,
                          struct sepx_msg *msg);
/*
 * The file of all rows, behind what `text` holds. Rows of isomorphic graphs
 * become one: its values are the means of those that are known.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_results_builder_write(const struct sepx_results_builder *builder,
                           struct sepx_text *text, struct sepx_msg *msg);

/* ---- reading one ---- */

struct sepx_results;

struct sepx_results_info {
    uint32_t graphs, metrics;
    uint64_t rows;      /* that it was made of */
    uint64_t skipped;   /* rows whose graph the space lacks */
    uint32_t repeated;  /* graphs with several rows ... */
    uint32_t differing; /* ... that do not all say the same */
    uint64_t file_bytes, source_bytes;
    uint32_t source_crc32c;
    const char *space; /* its name, or the text of its file */
};

/* Whether the bytes begin like such a table. */
SEPX_API bool sepx_results_is(const void *bytes, size_t len);
/* The same of a file; false if it cannot be read. */
SEPX_API bool sepx_results_is_file(const char *path);
/*
 * The head and the sizes are checked, the checksum of the body is left to
 * sepx_results_verify(). SEPX_EDATA if the file is no such table or is
 * damaged. *results is NULL after a failure.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_results_open(struct sepx_results **results, const char *path,
                  struct sepx_msg *msg);
/* `bytes` must outlive it. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_results_open_bytes(struct sepx_results **results, const void *bytes,
                        size_t len, struct sepx_msg *msg);
SEPX_API void sepx_results_close(struct sepx_results *results);
SEPX_API void sepx_results_info(const struct sepx_results *results,
                                struct sepx_results_info *info);
/* The space that it was made with; the caller's to close. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_results_open_space(const struct sepx_results *results,
                        struct sepx_space **space, struct sepx_msg *msg);
/*
 * Whether graphs of `space` can be looked up: some of the table's are among
 * them, and have the keys that this build gives them. Adds label names.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_results_match(const struct sepx_results *results,
                   const struct sepx_space *space, struct sepx_msg *msg);
/* All of it: checksum, order, and that each key is that of its graph. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_results_verify(const struct sepx_results *results, struct sepx_msg *msg);

SEPX_API const char *sepx_results_metric(const struct sepx_results *results,
                                         uint32_t metric);
/* -1: there is none of that name. */
SEPX_API int sepx_results_find_metric(const struct sepx_results *results,
                                      const char *name);
/* *known is false, and *entry unspecified, if the table lacks the graph. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_results_find(const struct sepx_results *results, uint32_t *entry,
                  bool *known, const struct sepx_space *space,
                  const struct sepx_graph *graph);
/* NaN: not known. */
SEPX_API double sepx_results_get(const struct sepx_results *results,
                                 uint32_t entry, uint32_t metric);
/* The graph of an entry, `graph` being {0} or in use. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_results_graph(const struct sepx_results *results, struct sepx_graph *graph,
                   struct sepx_names *names, uint32_t entry,
                   struct sepx_msg *msg);

/* A metric over all graphs that have it. */
struct sepx_results_range {
    uint32_t known;                   /* graphs */
    double least, most;               /* NaN if none is known */
    uint32_t at_least, at_most;       /* graphs that have these values */
    uint32_t first_least, first_most; /* the first entries of them */
};

SEPX_API void sepx_results_range(const struct sepx_results *results,
                                 uint32_t metric,
                                 struct sepx_results_range *range);

#ifdef __cplusplus
}
#endif
#endif
