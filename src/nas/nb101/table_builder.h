/* SPDX-License-Identifier: Apache-2.0 */
/* A table while it is made. */
#ifndef SEPX_NB101_TABLE_BUILDER_H
#define SEPX_NB101_TABLE_BUILDER_H

#include "nas/nb101/table.h"

struct sepx__builder_cell {
    uint32_t code;
    uint32_t row;        /* UINT32_MAX: not known */
    uint32_t parameters; /* 0: not known */
    uint16_t test_sum;   /* UINT16_MAX: not known */
    uint8_t trials[SEPX_TABLE_BUDGETS];
    float value[SEPX_TABLE_VALUES][SEPX_TABLE_BUDGETS][SEPX_TABLE_TRIALS];
};

struct sepx_table_builder {
    const struct sepx_nb101_cells *cells; /* not owned; may be NULL */
    struct sepx__builder_cell *cell;
    size_t count, room;
    uint32_t *place; /* by hash of the code: number of the cell + 1, or 0 */
    size_t places;   /* a power of two, at least twice the count; or 0 */
    bool modelled;   /* the trials are */
    uint64_t source_bytes;
    uint32_t source_crc32c;
    struct sepx_text description;
};

/* The cell's entry, added if it is new. Valid until the next is added. */
SEPX_CHECKED enum sepx_err
sepx__builder_entry(struct sepx_table_builder *builder,
                    struct sepx__builder_cell **entry,
                    const struct sepx_nb101_cell *cell);

/* ---- records ---- */

/* One training, as the benchmark's files record it. */
struct sepx__record {
    unsigned char hash[16];
    unsigned budget;
    struct sepx_nb101_cell cell; /* canonical */
    uint32_t parameters;
    /* At the start, half-way and at the end. */
    struct {
        double seconds, validation, test;
    } at[3];
};

/* A record's payload. Messages say what is wrong with it. */
SEPX_CHECKED enum sepx_err sepx__record_read(struct sepx__record *record,
                                             const char *bytes, size_t len,
                                             struct sepx_msg *msg);

/* Its last field, after base64. */
SEPX_CHECKED enum sepx_err
sepx__record_metrics(struct sepx__record *record, const unsigned char *bytes,
                     size_t len, struct sepx_msg *msg);

#endif
