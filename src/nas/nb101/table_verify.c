/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a table whole, and believes nothing of it. */
#include "nas/nb101/table.h"

#include <math.h>
#include <string.h>

/* Codes ascend, each is that of a cell in canonical order; rows differ. */
static enum sepx_err
check_cells(const struct sepx_table *table, unsigned char *seen,
            struct sepx_msg *msg)
{
    uint32_t before = 0;

    for (uint32_t i = 0; i < table->cells; i++) {
        struct sepx_nb101_cell cell = {0}, canon;
        uint32_t code = 0;
        int32_t row = sepx_table_row(table, i);

        if (sepx_table_cell(table, &cell, i) && sepx_nb101_cell_valid(&cell)) {
            canon = cell;
            sepx_nb101_cell_canon(&canon);
            code = sepx_nb101_cell_code(&canon);
        }
        if (code <= before || code != sepx_nb101_cell_code(&cell))
            return sepx_fail(msg, SEPX_EDATA,
                             "entry %u is no cell, or out of order", i);
        if (row >= 0 && (seen[row / 8] >> row % 8 & 1))
            return sepx_fail(msg, SEPX_EDATA, "row %d appears twice", row);
        if (row >= 0)
            seen[row / 8] |= (unsigned char)(1u << row % 8);
        before = code;
    }
    return SEPX_OK;
}

static bool
is_seconds(unsigned value)
{
    return value == SEPX_TABLE_SECONDS || value == SEPX_TABLE_HALF_SECONDS;
}

static enum sepx_err
check_values(const struct sepx_table *table, unsigned value, unsigned budget,
             unsigned trial, struct sepx_msg *msg)
{
    double most = is_seconds(value) ? INFINITY : 1;

    if (!sepx_table_origin(table, value, budget, trial))
        return SEPX_OK;
    for (uint32_t i = 0; i < table->cells; i++) {
        double x = sepx_table_get(table, i, value, budget, trial);

        if (x < 0 || x > most || isinf(x))
            return sepx_fail(msg, SEPX_EDATA,
                             "%s of entry %u at %u epochs, trial %u, is %g",
                             sepx_table_value_name(value), i,
                             sepx_table_epochs(budget), trial + 1, x);
    }
    return SEPX_OK;
}

double
sepx__table_best(const struct sepx_table *table, unsigned budget)
{
    double best = NAN;

    for (uint32_t i = 0; i < table->cells; i++)
        for (unsigned k = 0; k < SEPX_TABLE_TRIALS; k++)
            best = fmax(best, sepx_table_get(table, i, SEPX_TABLE_VALIDATION,
                                             budget, k));
    return best;
}

double
sepx__table_best_test(const struct sepx_table *table)
{
    double best = NAN;

    for (uint32_t i = 0; i < table->cells; i++)
        best = fmax(best, sepx_table_test_mean(table, i));
    return best;
}

static bool
same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static enum sepx_err
check_best(const struct sepx_table *table, struct sepx_msg *msg)
{
    struct sepx_table_info info;
    double test = sepx__table_best_test(table);

    sepx_table_info(table, &info);
    for (unsigned i = 0; i < SEPX_TABLE_BUDGETS; i++)
        if (!same(info.best_validation[i], sepx__table_best(table, i)))
            return sepx_fail(msg, SEPX_EDATA,
                             "the best validation accuracy at %u epochs is "
                             "not the one in the head",
                             sepx_table_epochs(i));
    if (!same(info.best_test, test) || test > 1)
        return sepx_fail(msg, SEPX_EDATA,
                         "the best test accuracy is not the one in the head");
    return SEPX_OK;
}

static enum sepx_err
check_body(const struct sepx_table *table, struct sepx_msg *msg)
{
    size_t head = sepx__get32(table->bytes + HEAD_BYTES);
    uint32_t stored = sepx__get32(table->bytes + HEAD_BODY), sum;
    struct sepx__crc32c crc;

    sepx__crc32c_init(&crc);
    sum = sepx__crc32c_add(&crc, 0, table->bytes + head, table->len - head);
    if (sum == stored)
        return SEPX_OK;
    return sepx_fail(msg, SEPX_EDATA,
                     "the checksum is %08x, not %08x; the file is damaged, "
                     "make it again",
                     sum, stored);
}

enum sepx_err
sepx_table_verify(const struct sepx_table *table, struct sepx_msg *msg)
{
    unsigned char *seen;
    enum sepx_err err = check_body(table, msg);

    if (err)
        return err;
    seen = sepx__calloc(1, SEPX_NB101_CELLS / 8 + 1);
    err = seen ? check_cells(table, seen, msg) : SEPX_ENOMEM;
    sepx__free(seen);
    for (unsigned v = 0; v < SEPX_TABLE_VALUES; v++)
        for (unsigned b = 0; b < SEPX_TABLE_BUDGETS; b++)
            for (unsigned t = 0; t < SEPX_TABLE_TRIALS && !err; t++)
                err = check_values(table, v, b, t, msg);
    return err ? err : check_best(table, msg);
}
