/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many graphs to search among by distance: an index in memory or in a file
 * that is mapped, the graphs nearest to another one, and all graphs within a
 * distance. Cheap bounds come first, so that most pairs are never solved.
 *
 * Experimental: may change in any version.
 *
 * Thread safety: an index is never changed and may be shared.
 */
#ifndef SEPX_GED_INDEX_H
#define SEPX_GED_INDEX_H

#include "sepx/ged.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the index ---- */

struct sepx_ged_index;

/*
 * The bytes of an index of `count` graphs, behind what `bytes` holds. Graphs
 * keep their order; of unknown keys, "name" or else "id" is kept. SEPX_EINVAL
 * if some are directed and some are not.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_ged_index_write(struct sepx_text *bytes, const struct sepx_graph *graphs,
                     size_t count);
/*
 * Open an index; its labels are added to `names`, which graphs to be compared
 * share and which outlives the index. All of it is checked: SEPX_EDATA for
 * bytes that are no index, damaged, or of another version. *index is NULL
 * after a failure. The bytes stay the caller's and unchanged until the index
 * is closed.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_ged_index_open_bytes(struct sepx_ged_index **index,
                          struct sepx_names *names, const void *bytes,
                          size_t len, struct sepx_msg *msg);
/* The same from a file, which is mapped. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_ged_index_open(struct sepx_ged_index **index, struct sepx_names *names,
                    const char *path, struct sepx_msg *msg);
SEPX_API void sepx_ged_index_close(struct sepx_ged_index *index);
/* Whether these bytes, at least 8 of them, begin an index. */
SEPX_API bool sepx_ged_index_begins(const void *bytes, size_t len);

SEPX_API size_t sepx_ged_index_count(const struct sepx_ged_index *index);
SEPX_API bool sepx_ged_index_undirected(const struct sepx_ged_index *index);
/* `graph` is {0} or in use. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_ged_index_graph(const struct sepx_ged_index *index,
                     struct sepx_graph *graph, size_t number);
/* Its name; *len is 0 if it has none. Not ended by NUL; the index's. */
SEPX_API const char *sepx_ged_index_name(const struct sepx_ged_index *index,
                                         size_t number, size_t *len);

/* ---- searches ---- */

struct sepx_ged_hit {
    size_t number;       /* of the graph, from 0 on */
    double lower, upper; /* equal unless limits->seconds stopped the pair */
};

/* {0} is empty; sepx_ged_hits_release() ends it. */
struct sepx_ged_hits {
    struct sepx_ged_hit *at; /* ascending by upper, lower, number */
    size_t count, room;
    size_t solved; /* pairs that a bound alone did not decide */
    bool exact;    /* no other graph belongs here, and none of these is wrong */
};

SEPX_API void sepx_ged_hits_release(struct sepx_ged_hits *hits);
/*
 * The `most` graphs of least distance to `query`; of equally far ones those
 * with lower numbers. `hits` may hold older ones. limits->seconds is for each
 * pair, limits->threshold keeps those up to at_most; limits->watch is called
 * from all threads (0: one a processor) and may end it all with
 * SEPX_ESTOPPED. SEPX_EINVAL if `query` is directed and the index is not, or
 * the other way round. Same answer for any number of threads.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_ged_nearest(const struct sepx_ged_index *index, struct sepx_ged_hits *hits,
                 size_t most, const struct sepx_graph *query,
                 const struct sepx_ged_options *options,
                 const struct sepx_ged_limits *limits, unsigned threads);

#ifdef __cplusplus
}
#endif
#endif
