/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cells of NAS-Bench-101: every graph of the space "nb101" is, without
 * its dead nodes and up to the order of the rest, one of 423,624.
 *
 * Thread safety: the list of all cells never changes once it is made and may
 * be shared by all threads.
 */
#ifndef SEPX_NB101_H
#define SEPX_NB101_H

#include "sepx/space.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SEPX_NB101_CELLS 423624
#define SEPX_NB101_NODES 7 /* of a cell, at most */
#define SEPX_NB101_EDGES 9

/* ---- one cell ---- */

/* Operations by the benchmark's numbers. */
enum sepx_nb101_op { SEPX_NB101_CONV3, SEPX_NB101_CONV1, SEPX_NB101_POOL };

/*
 * A pruned cell in a topological order: node 0 is the input, the last the
 * output. In canonical order, isomorphic cells are equal.
 */
struct sepx_nb101_cell {
    uint32_t edges; /* bit sepx_nb101_bit(i, j) for an edge i to j, i < j */
    uint8_t nodes;  /* 2 to 7 */
    uint8_t op[SEPX_NB101_NODES]; /* of inner nodes; of others 0 */
};

static inline unsigned
sepx_nb101_bit(unsigned from, unsigned to)
{
    return to * (to - 1) / 2 + from;
}

/*
 * The cell of a graph of the space "nb101", which may have dead nodes and any
 * order: pruned, in canonical order. SEPX_EINVAL if the graph is no valid
 * one; `msg` (may be NULL) says why. Well below a microsecond.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_nb101_cell_of(struct sepx_nb101_cell *cell, const struct sepx_space *space,
                   const struct sepx_graph *graph, struct sepx_msg *msg);
/* All nodes are live, and the edges not too many. */
SEPX_API bool sepx_nb101_cell_valid(const struct sepx_nb101_cell *cell);
/* Bring a valid cell into canonical order. */
SEPX_API void sepx_nb101_cell_canon(struct sepx_nb101_cell *cell);
/* The graph of a cell, node by node; `space` is an open "nb101". */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_nb101_cell_graph(const struct sepx_nb101_cell *cell,
                      struct sepx_graph *graph, const struct sepx_space *space);
/*
 * A cell as one number, and back; equal numbers mean equal cells. Never 0,
 * and the same for ever. Cells of more nodes have greater numbers.
 */
SEPX_API uint32_t sepx_nb101_cell_code(const struct sepx_nb101_cell *cell);
/* False, and `cell` unspecified, if the number is not that of a cell. */
SEPX_API bool sepx_nb101_cell_decode(struct sepx_nb101_cell *cell,
                                     uint32_t code);
/*
 * The benchmark's name of a cell, in any order: the MD5 digest that its files
 * print as 32 hexadecimal digits. Some 10 microseconds.
 */
SEPX_API void sepx_nb101_cell_hash(const struct sepx_nb101_cell *cell,
                                   unsigned char hash[16]);

/* The trainable parameters of the benchmark's network of a cell. */
SEPX_API uint32_t
sepx_nb101_cell_parameters(const struct sepx_nb101_cell *cell);

/* ---- all cells ---- */

struct sepx_nb101_cells;

/*
 * List all cells, in ascending order of their hashes: a cell's row is its
 * place there. Takes a second or so of one processor, and `threads` of them
 * (0: all). `progress` may be NULL; it is called from any thread, one call at
 * a time, and stops the work with SEPX_ESTOPPED if it returns false. Fails
 * with SEPX_ENOMEM.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_nb101_cells_new(struct sepx_nb101_cells **cells, unsigned threads,
                     bool (*progress)(void *context, size_t done, size_t total),
                     void *context);
SEPX_API void sepx_nb101_cells_free(struct sepx_nb101_cells *cells);

/* How many have so many nodes; 0: all. */
SEPX_API uint32_t sepx_nb101_cells_count(const struct sepx_nb101_cells *cells,
                                         unsigned nodes);
/* The cell of a row below sepx_nb101_cells_count(cells, 0), canonical. */
SEPX_API void sepx_nb101_cells_get(const struct sepx_nb101_cells *cells,
                                   struct sepx_nb101_cell *cell, uint32_t row);
SEPX_API const unsigned char *
sepx_nb101_cells_hash(const struct sepx_nb101_cells *cells, uint32_t row);
/* The row of a cell in canonical order, or -1 if it is not one of them. */
SEPX_API int32_t sepx_nb101_cells_find(const struct sepx_nb101_cells *cells,
                                       const struct sepx_nb101_cell *cell);
SEPX_API int32_t sepx_nb101_cells_find_hash(
    const struct sepx_nb101_cells *cells, const unsigned char hash[16]);
/* The row of a graph, under the conditions of sepx_nb101_cell_of(). */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_nb101_cells_row(const struct sepx_nb101_cells *cells, uint32_t *row,
                     const struct sepx_space *space,
                     const struct sepx_graph *graph, struct sepx_msg *msg);

#ifdef __cplusplus
}
#endif
#endif
