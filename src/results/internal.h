/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file of a table of results, version 1. All numbers are little-endian.
 *
 *   head      8 bytes magic, then the fields of HEAD_* below
 *   names     of the metrics, each ended by a zero
 *   space     its name, or the text of its file
 *   zeros     up to a multiple of 8 less 4
 *   checksum  CRC-32C of all bytes before it; the head ends here
 *   keys      16 bytes a graph, ascending
 *   columns   a double for each graph, metric by metric; NaN: not known
 *   places    where each graph's text begins, and where the last one ends
 *   texts     the graphs as JSON
 */
#ifndef SEPX_RESULTS_INTERNAL_H
#define SEPX_RESULTS_INTERNAL_H

#include "base/bytes.h"
#include "base/json.h"
#include "graph/private.h"
#include "sepx/results.h"
#include "space/private.h"

#define SEPX__RESULTS_MAGIC "SEPXRES\n"
#define SEPX__RESULTS_VERSION 1
#define SEPX__RESULTS_ROWS 50000000u
#define SEPX__METRIC_BYTES 255

enum {
    HEAD_VERSION = 8,
    HEAD_BYTES = 12, /* of the head, with its checksum */
    HEAD_FILE = 16,  /* bytes of the whole, 64 bits */
    HEAD_GRAPHS = 24,
    HEAD_METRICS = 28,
    HEAD_ROWS = 32,    /* 64 bits */
    HEAD_SKIPPED = 40, /* 64 bits */
    HEAD_REPEATED = 48,
    HEAD_DIFFERING = 52,
    HEAD_BODY = 56,   /* CRC-32C of all bytes behind the head */
    HEAD_SUM = 60,    /* CRC-32C of the source */
    HEAD_SOURCE = 64, /* bytes of the source, 64 bits */
    HEAD_NAMES = 72,  /* bytes of the metrics' names */
    HEAD_SPACE = 76,  /* bytes of the space */
    HEAD_END = 80
};

/*
 * The key that a graph has in tables: that of its canonical form, dead nodes
 * taken out where the space tells live from dead ones. `room` is a graph
 * that the caller keeps for it, {0} at first.
 */
SEPX_CHECKED enum sepx_err sepx__results_key(struct sepx_key *key,
                                             struct sepx_graph *room,
                                             const struct sepx_space *space,
                                             const struct sepx_graph *graph);

/* ---- the rows of a builder ---- */

struct sepx__results_column {
    char *name;
    double *value; /* of each row */
    size_t room;
};

struct sepx_results_builder {
    const struct sepx_space *space;
    char *graph; /* options, copied */
    char *metrics;
    bool skip, once;
    struct sepx__results_column *column;
    size_t n_columns, column_room;
    struct sepx_key *key; /* of each row */
    uint64_t *place;      /* where its graph begins in `texts` */
    uint32_t *line;       /* of the text that it was read from */
    size_t n_rows, key_room, place_room, line_room;
    struct sepx_text texts;
    struct sepx_text words; /* keys that had no number, each ended by a zero */
    uint64_t skipped, source_bytes;
    uint32_t source_crc;
    struct sepx_graph row, pruned; /* room for one row */
};

/* Whether the options want a metric of this name. */
bool sepx__results_wants(const struct sepx_results_builder *b,
                         const char *name);
/* The column of a name, made if it is new. */
SEPX_CHECKED enum sepx_err
sepx__results_column(struct sepx_results_builder *b, size_t *column,
                     const char *name, struct sepx_msg *msg);
/*
 * Add a row with the graph of b->row and no values yet, unless it is to be
 * skipped: *added.
 */
SEPX_CHECKED enum sepx_err sepx__results_row(struct sepx_results_builder *b,
                                             bool *added, uint32_t line,
                                             struct sepx_msg *msg);
SEPX_CHECKED enum sepx_err
sepx__results_read_csv(struct sepx_results_builder *b, const char *bytes,
                       size_t len, const char *name, struct sepx_msg *msg);

#endif
