/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table file, version 1. All numbers are little-endian.
 *
 *   head      8 bytes magic, then the fields of HEAD_* below
 *   columns   COLUMN_BYTES each: what it is, how it is stored, and where
 *   text      the description, UTF-8
 *   checksum  CRC-32C of all bytes before it; the head ends here
 *   body      the columns' numbers, each at a multiple of 8
 *
 * Entries are in ascending order of their cells' codes.
 */
#ifndef SEPX_DATA_TABLE_H
#define SEPX_DATA_TABLE_H

#include "base/bytes.h"
#include "sepx/nb101_table.h"
#include "space/private.h"

#define SEPX__TABLE_MAGIC "SEPXTAB\n"
#define SEPX__TABLE_VERSION 1
#define SEPX__TABLE_QUANTUM 9984 /* images that an accuracy is counted on */

enum {
    HEAD_VERSION = 8,
    HEAD_BYTES = 12, /* of the head, with its checksum */
    HEAD_FILE = 16,  /* bytes of the whole, 64 bits */
    HEAD_CELLS = 24,
    HEAD_COLUMNS = 28,
    HEAD_TEXT = 32,   /* bytes of the description */
    HEAD_BODY = 36,   /* CRC-32C of all bytes behind the head */
    HEAD_SOURCE = 40, /* bytes of the source, 64 bits */
    HEAD_SUM = 48,    /* CRC-32C of the source */
    HEAD_SPARE = 52,
    HEAD_BEST = 56,                                   /* doubles */
    HEAD_END = HEAD_BEST + 8 * SEPX_TABLE_BUDGETS + 8 /* best test last */
};

/* Offsets in a column's row. */
enum {
    COLUMN_KIND = 0,
    COLUMN_BUDGET = 2, /* bytes; 0 where it means nothing */
    COLUMN_TRIAL = 3,
    COLUMN_TYPE = 4,
    COLUMN_FLAGS = 6,
    COLUMN_SCALE = 8, /* u32; of ratios */
    COLUMN_SPARE = 12,
    COLUMN_AT = 16, /* u64 */
    COLUMN_BYTES = 24
};

enum { COLUMN_MODELLED = 1 };

enum sepx__column_kind {
    KIND_CODE,
    KIND_ROW,        /* UINT32_MAX: not known */
    KIND_PARAMETERS, /* 0: not known */
    KIND_TEST_MEAN,
    KIND_VALUE, /* and the values of enum sepx_table_value */
    KINDS = KIND_VALUE + SEPX_TABLE_VALUES
};

enum sepx__column_type {
    TYPE_U32,
    TYPE_F32,    /* NaN: not known */
    TYPE_RATIO,  /* u16 over `scale`; UINT16_MAX: not known */
    TYPE_RATIO32 /* the same, rounded to 32-bit floating point */
};

/* Columns of one kind: the budgets, and the trials of each. */
#define SEPX__COLUMNS_MAX \
    (KIND_VALUE + SEPX_TABLE_VALUES * SEPX_TABLE_BUDGETS * SEPX_TABLE_TRIALS)

struct sepx__column {
    const unsigned char *at; /* NULL: the table has none */
    enum sepx__column_type type;
    bool modelled;
    double scale;
};

struct sepx_table {
    const unsigned char *bytes;
    size_t len;
    bool mapped;
    uint32_t cells;
    char *description;
    struct sepx__column column[SEPX__COLUMNS_MAX];
};

/* The place of a column in `column`. */
static inline unsigned
sepx__column_index(unsigned kind, unsigned budget, unsigned trial)
{
    if (kind < KIND_VALUE)
        return kind;
    return KIND_VALUE +
           ((kind - KIND_VALUE) * SEPX_TABLE_BUDGETS + budget) *
               SEPX_TABLE_TRIALS +
           trial;
}

/* Bytes of one number. */
static inline unsigned
sepx__type_size(enum sepx__column_type type)
{
    return type >= TYPE_RATIO ? 2 : 4;
}

/* A number of a column that is there; NaN: not known. Not of TYPE_U32. */
double sepx__column_get(const struct sepx__column *column, uint32_t entry);
/* The best single validation accuracy of a budget, or NaN; all are read. */
double sepx__table_best(const struct sepx_table *table, unsigned budget);
double sepx__table_best_test(const struct sepx_table *table);

#endif
