/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An open table: numbers are read where they lie in the file. Opening checks
 * that every column lies inside, so that no entry below `cells` can lead
 * out of it.
 */
#include "nas/nb101/table.h"

#include <math.h>
#include <string.h>

unsigned
sepx_table_epochs(unsigned budget)
{
    static const unsigned epochs[SEPX_TABLE_BUDGETS] = {4, 12, 36, 108};

    return budget < SEPX_TABLE_BUDGETS ? epochs[budget] : 0;
}

const char *
sepx_table_value_name(enum sepx_table_value value)
{
    static const char *const names[SEPX_TABLE_VALUES] = {
        "validation",      "test",      "seconds",
        "half_validation", "half_test", "half_seconds"};

    return names[value];
}

/* ---- opening ---- */

static enum sepx_err
damaged(struct sepx_msg *msg, const char *what)
{
    return sepx_fail(msg, SEPX_EDATA,
                     "%s; the file is damaged, make it again with "
                     "'sepx data import' or 'sepx data build'",
                     what);
}

static enum sepx_err
check_head(const unsigned char *bytes, size_t len, struct sepx_msg *msg)
{
    struct sepx__crc32c crc;
    uint32_t head;

    if (len < HEAD_END + 4 || memcmp(bytes, SEPX__TABLE_MAGIC, 8) != 0)
        return sepx_fail(msg, SEPX_EDATA,
                         "not a table; 'sepx data import' and 'sepx data "
                         "build' make tables");
    if (sepx__get32(bytes + HEAD_VERSION) != SEPX__TABLE_VERSION)
        return sepx_fail(msg, SEPX_EDATA,
                         "version %u of the table format, not %d; make the "
                         "table again",
                         sepx__get32(bytes + HEAD_VERSION),
                         SEPX__TABLE_VERSION);
    head = sepx__get32(bytes + HEAD_BYTES);
    if (head < HEAD_END + 4 || head > len)
        return damaged(msg, "the head is longer than the file");
    sepx__crc32c_init(&crc);
    if (sepx__crc32c_add(&crc, 0, bytes, head - 4) !=
        sepx__get32(bytes + head - 4))
        return damaged(msg, "the checksum of the head is wrong");
    if (sepx__get64(bytes + HEAD_FILE) != len)
        return sepx_fail(msg, SEPX_EDATA,
                         "%zu bytes long, not %llu; the file is truncated or "
                         "damaged, make it again",
                         len,
                         (unsigned long long)sepx__get64(bytes + HEAD_FILE));
    return SEPX_OK;
}

/* How the numbers of a kind may be stored. */
static bool
fits_kind(unsigned kind, unsigned type)
{
    if (kind <= KIND_PARAMETERS)
        return type == TYPE_U32;
    return type == TYPE_F32 || type == TYPE_RATIO || type == TYPE_RATIO32;
}

static bool
read_column(struct sepx_table *table, const unsigned char *row, uint32_t head)
{
    unsigned kind = sepx__get16(row + COLUMN_KIND);
    unsigned type = sepx__get16(row + COLUMN_TYPE);
    unsigned budget = row[COLUMN_BUDGET], trial = row[COLUMN_TRIAL];
    uint32_t scale = sepx__get32(row + COLUMN_SCALE);
    uint64_t at = sepx__get64(row + COLUMN_AT), bytes;
    struct sepx__column *column;

    if (kind >= KINDS || !fits_kind(kind, type) ||
        budget >= SEPX_TABLE_BUDGETS || trial >= SEPX_TABLE_TRIALS ||
        (type >= TYPE_RATIO && !scale))
        return false;
    bytes = (uint64_t)table->cells * sepx__type_size(type);
    if (at % 8 || at < head || at > table->len || bytes > table->len - at)
        return false;
    column = &table->column[sepx__column_index(kind, budget, trial)];
    if (column->at)
        return false;
    *column = (struct sepx__column){
        .at = table->bytes + at,
        .type = type,
        .modelled = sepx__get16(row + COLUMN_FLAGS) & COLUMN_MODELLED,
        .scale = scale};
    return true;
}

static enum sepx_err
read_columns(struct sepx_table *table, struct sepx_msg *msg)
{
    const unsigned char *row = table->bytes + HEAD_END;
    uint32_t head = sepx__get32(table->bytes + HEAD_BYTES);
    uint32_t columns = sepx__get32(table->bytes + HEAD_COLUMNS);
    uint32_t text = sepx__get32(table->bytes + HEAD_TEXT);

    if (columns > SEPX__COLUMNS_MAX ||
        HEAD_END + (uint64_t)columns * COLUMN_BYTES + text + 4 > head)
        return damaged(msg, "the head has no room for its columns");
    for (uint32_t i = 0; i < columns; i++, row += COLUMN_BYTES)
        if (!read_column(table, row, head))
            return sepx_fail(msg, SEPX_EDATA,
                             "column %u is not one of this format; the file "
                             "is damaged, make it again",
                             i);
    if (!table->column[KIND_CODE].at || !table->column[KIND_ROW].at)
        return damaged(msg, "the column of cells or of rows is missing");
    table->description = sepx__calloc(1, text + (size_t)1);
    if (!table->description)
        return SEPX_ENOMEM;
    memcpy(table->description, row, text);
    return SEPX_OK;
}

/* `table` has its bytes; the rest is found. */
static enum sepx_err
attach(struct sepx_table *table, struct sepx_msg *msg)
{
    enum sepx_err err = check_head(table->bytes, table->len, msg);

    if (err)
        return err;
    table->cells = sepx__get32(table->bytes + HEAD_CELLS);
    if (!table->cells)
        return sepx_fail(msg, SEPX_EDATA,
                         "no cells; make the table from a file that has some");
    if (table->cells > SEPX_NB101_CELLS)
        return damaged(msg, "more cells than there are");
    return read_columns(table, msg);
}

enum sepx_err
sepx_table_open_bytes(struct sepx_table **table, const void *bytes, size_t len,
                      struct sepx_msg *msg)
{
    struct sepx_table *made = sepx__calloc(1, sizeof(*made));
    enum sepx_err err = SEPX_ENOMEM;

    *table = NULL;
    if (!made)
        return err;
    made->bytes = bytes;
    made->len = len;
    err = attach(made, msg);
    if (err)
        sepx_table_close(made);
    else
        *table = made;
    return err;
}

enum sepx_err
sepx_table_open(struct sepx_table **table, const char *path,
                struct sepx_msg *msg)
{
    struct sepx__map map;
    enum sepx_err err = sepx__map_open(
        &map, path, "'sepx data import' and 'sepx data build' make tables",
        msg);

    *table = NULL;
    if (err)
        return err;
    err = sepx_table_open_bytes(table, map.bytes, map.len, msg);
    if (err) {
        sepx__map_close(&map);
        sepx_msg_file(msg, path);
    } else {
        (*table)->mapped = true;
    }
    return err;
}

void
sepx_table_close(struct sepx_table *table)
{
    if (!table)
        return;
    if (table->mapped)
        sepx__map_close(&(struct sepx__map){table->bytes, table->len});
    sepx__free(table->description);
    sepx__free(table);
}

/* ---- reading ---- */

static double
get_float(const unsigned char *at)
{
    uint32_t bits = sepx__get32(at);
    float value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

double
sepx__column_get(const struct sepx__column *column, uint32_t entry)
{
    uint16_t part;
    double ratio;

    if (column->type == TYPE_F32)
        return get_float(column->at + (size_t)4 * entry);
    part = sepx__get16(column->at + (size_t)2 * entry);
    if (part == UINT16_MAX)
        return NAN;
    ratio = part / column->scale;
    return column->type == TYPE_RATIO32 ? (double)(float)ratio : ratio;
}

void
sepx_table_info(const struct sepx_table *table, struct sepx_table_info *info)
{
    const unsigned char *best = table->bytes + HEAD_BEST;

    *info = (struct sepx_table_info){
        .cells = table->cells,
        .file_bytes = table->len,
        .source_bytes = sepx__get64(table->bytes + HEAD_SOURCE),
        .source_crc32c = sepx__get32(table->bytes + HEAD_SUM),
        .description = table->description,
        .has_test_mean = table->column[KIND_TEST_MEAN].at,
        .has_parameters = table->column[KIND_PARAMETERS].at,
        .best_test = sepx__get_double(best + 8 * SEPX_TABLE_BUDGETS)};
    for (unsigned i = 0; i < SEPX_TABLE_BUDGETS; i++)
        info->best_validation[i] = sepx__get_double(best + 8 * i);
    for (unsigned i = 0; i < SEPX__COLUMNS_MAX; i++)
        info->modelled |= table->column[i].modelled;
}

static const struct sepx__column *
value_column(const struct sepx_table *table, enum sepx_table_value value,
             unsigned budget, unsigned trial)
{
    const unsigned kind = KIND_VALUE + (unsigned)value;

    return &table->column[sepx__column_index(kind, budget, trial)];
}

enum sepx_table_origin
sepx_table_origin(const struct sepx_table *table, enum sepx_table_value value,
                  unsigned budget, unsigned trial)
{
    const struct sepx__column *column =
        value_column(table, value, budget, trial);

    if (!column->at)
        return SEPX_TABLE_UNKNOWN;
    return column->modelled ? SEPX_TABLE_MODELLED : SEPX_TABLE_MEASURED;
}

/* No branch depends on the codes, so that nothing is mispredicted. */
bool
sepx_table_find(const struct sepx_table *table, uint32_t *entry,
                const struct sepx_nb101_cell *cell)
{
    const unsigned char *code = table->column[KIND_CODE].at;
    uint32_t key = sepx_nb101_cell_code(cell), at = 0;

    for (uint32_t count = table->cells; count > 1;) {
        uint32_t half = count / 2;

        at += sepx__get32(code + (size_t)4 * (at + half - 1)) < key ? half : 0;
        count -= half;
    }
    *entry = at;
    return sepx__get32(code + (size_t)4 * at) == key;
}

bool
sepx_table_cell(const struct sepx_table *table, struct sepx_nb101_cell *cell,
                uint32_t entry)
{
    return sepx_nb101_cell_decode(
        cell, sepx__get32(table->column[KIND_CODE].at + (size_t)4 * entry));
}

int32_t
sepx_table_row(const struct sepx_table *table, uint32_t entry)
{
    uint32_t row = sepx__get32(table->column[KIND_ROW].at + (size_t)4 * entry);

    return row < SEPX_NB101_CELLS ? (int32_t)row : -1;
}

uint32_t
sepx_table_parameters(const struct sepx_table *table, uint32_t entry)
{
    const struct sepx__column *column = &table->column[KIND_PARAMETERS];

    return column->at ? sepx__get32(column->at + (size_t)4 * entry) : 0;
}

double
sepx_table_get(const struct sepx_table *table, uint32_t entry,
               enum sepx_table_value value, unsigned budget, unsigned trial)
{
    const struct sepx__column *column =
        value_column(table, value, budget, trial);

    return column->at ? sepx__column_get(column, entry) : NAN;
}

double
sepx_table_test_mean(const struct sepx_table *table, uint32_t entry)
{
    double sum = 0;
    unsigned known = 0;

    if (table->column[KIND_TEST_MEAN].at)
        return sepx__column_get(&table->column[KIND_TEST_MEAN], entry);
    for (unsigned i = 0; i < SEPX_TABLE_TRIALS; i++) {
        double test = sepx_table_get(table, entry, SEPX_TABLE_TEST,
                                     SEPX_TABLE_BUDGETS - 1, i);

        if (isnan(test))
            continue;
        sum += test;
        known++;
    }
    return known ? sum / known : NAN;
}
