/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Results of NAS-Bench-101: one table file, read in place.
 *
 * Thread safety: an open table never changes and may be shared by all
 * threads. A builder belongs to one thread.
 */
#ifndef SEPX_NB101_TABLE_H
#define SEPX_NB101_TABLE_H

#include "sepx/nb101.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SEPX_TABLE_BUDGETS 4 /* of training: 4, 12, 36 and 108 epochs */
#define SEPX_TABLE_TRIALS 3

/* Epochs of a budget, 0 to SEPX_TABLE_BUDGETS - 1. */
SEPX_API unsigned sepx_table_epochs(unsigned budget);

/* What a table may know of one training of a cell. */
enum sepx_table_value {
    SEPX_TABLE_VALIDATION, /* accuracy at the end, 0 to 1 */
    SEPX_TABLE_TEST,
    SEPX_TABLE_SECONDS,         /* of training */
    SEPX_TABLE_HALF_VALIDATION, /* the same after half of the epochs */
    SEPX_TABLE_HALF_TEST,
    SEPX_TABLE_HALF_SECONDS,
    SEPX_TABLE_VALUES /* how many there are */
};

/* "validation", "test", "seconds", "half_validation", ... */
SEPX_API const char *sepx_table_value_name(enum sepx_table_value value);

/* ---- an open table of NAS-Bench-101 ---- */

struct sepx_table;

/*
 * Map a file into memory. Looks at the head of the file only, so it takes
 * well below a millisecond; whatever the rest holds, no later call reads
 * outside of it. Fails with SEPX_EDATA if the file is damaged, of another
 * version or no table; *table is NULL after a failure.
 */
SEPX_API SEPX_CHECKED enum sepx_err sepx_table_open(struct sepx_table **table,
                                                    const char *path,
                                                    struct sepx_msg *msg);
/* The same for a file in memory, which must outlive the table. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_table_open_bytes(struct sepx_table **table, const void *bytes, size_t len,
                      struct sepx_msg *msg);
SEPX_API void sepx_table_close(struct sepx_table *table); /* NULL: nothing */
/*
 * Read the whole file: its checksum, and whether every cell and value is what
 * it should be. SEPX_EDATA, and the message says what is not.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_table_verify(const struct sepx_table *table, struct sepx_msg *msg);

struct sepx_table_info {
    uint32_t cells;          /* in the table, of SEPX_NB101_CELLS */
    uint64_t file_bytes;     /* of the table */
    uint64_t source_bytes;   /* of what it was made from */
    uint32_t source_crc32c;  /* and its checksum */
    const char *description; /* what it was made from, in words */
    bool modelled;           /* some values are drawn from a model */
    bool has_test_mean;      /* known apart from the trials */
    bool has_parameters;
    double best_validation[SEPX_TABLE_BUDGETS]; /* of one trial; or NaN */
    double best_test;                           /* mean; or NaN */
};

SEPX_API void sepx_table_info(const struct sepx_table *table,
                              struct sepx_table_info *info);

enum sepx_table_origin {
    SEPX_TABLE_UNKNOWN,
    SEPX_TABLE_MEASURED,
    SEPX_TABLE_MODELLED
};

/* What the numbers of one kind are, for all cells. */
SEPX_API enum sepx_table_origin
sepx_table_origin(const struct sepx_table *table, enum sepx_table_value value,
                  unsigned budget, unsigned trial);

/*
 * Entries are 0 to cells - 1, in no order that matters. *entry is set if the
 * table has the cell, which is in canonical order.
 */
SEPX_API bool sepx_table_find(const struct sepx_table *table, uint32_t *entry,
                              const struct sepx_nb101_cell *cell);
/* False if the entry is damaged. */
SEPX_API bool sepx_table_cell(const struct sepx_table *table,
                              struct sepx_nb101_cell *cell, uint32_t entry);
/* Its row among all cells, as sepx_nb101_cells_find(); or -1: not known. */
SEPX_API int32_t sepx_table_row(const struct sepx_table *table, uint32_t entry);
/* Weights of the network that the benchmark trained; 0: not known. */
SEPX_API uint32_t sepx_table_parameters(const struct sepx_table *table,
                                        uint32_t entry);
/* NaN: not known. */
SEPX_API double sepx_table_get(const struct sepx_table *table, uint32_t entry,
                               enum sepx_table_value value, unsigned budget,
                               unsigned trial);
/*
 * Mean test accuracy after 108 epochs, as the table has it or of the trials
 * that it has; NaN: not known.
 */
SEPX_API double sepx_table_test_mean(const struct sepx_table *table,
                                     uint32_t entry);

/* ---- making a table ---- */

struct sepx_table_builder;

/*
 * An empty builder. `cells` (may be NULL) must outlive it; without it, rows are
 * not known and hashes are computed one by one.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_table_builder_new(struct sepx_table_builder **builder,
                       const struct sepx_nb101_cells *cells);
SEPX_API void sepx_table_builder_free(struct sepx_table_builder *builder);
/*
 * Add the records of a TFRecord file of the benchmark ("-": standard input).
 * Checksums are verified. `tell` (may be NULL) hears the records so far now
 * and then. Fails with SEPX_EDATA, and the message names the record and its
 * first byte; the builder is then of no further use.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_table_builder_tfrecord(struct sepx_table_builder *builder,
                            const char *path,
                            void (*tell)(void *context, uint64_t records),
                            void *context, struct sepx_msg *msg);
SEPX_API SEPX_CHECKED enum sepx_err
sepx_table_builder_tfrecord_bytes(struct sepx_table_builder *builder,
                                  const void *bytes, size_t len,
                                  struct sepx_msg *msg);
/*
 * Add every cell with its mean test accuracy: SEPX_NB101_CELLS little-endian
 * 16-bit numbers in order of rows, each the mean times 3 * 9,984. The trials
 * are drawn from a model, keyed by `seed`. The builder must have cells.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_table_builder_test_sums(struct sepx_table_builder *builder,
                             const char *path, uint64_t seed,
                             struct sepx_msg *msg);
/* The file of a table. SEPX_EDATA if it has no cells. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_table_builder_write(const struct sepx_table_builder *builder,
                         struct sepx_text *out, struct sepx_msg *msg);

#ifdef __cplusplus
}
#endif
#endif
