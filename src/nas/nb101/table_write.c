/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A builder as a table file. A column is written if one cell has a number in
 * it; accuracies that all are counts of the benchmark's images take two
 * bytes each and read back the same.
 */
#include "nas/nb101/table_builder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct plan {
    unsigned kind, budget, trial;
    enum sepx__column_type type;
    uint32_t scale;
    bool modelled;
    uint64_t at;
};

struct layout {
    struct plan plan[SEPX__COLUMNS_MAX];
    unsigned columns;
    uint64_t head, total;
};

/* ---- which columns ---- */

static bool
is_count(float x)
{
    double count = round((double)x * SEPX__TABLE_QUANTUM);

    return isnan(x) ||
           (x >= 0 && x <= 1 && (float)(count / SEPX__TABLE_QUANTUM) == x);
}

static void
plan_values(struct layout *layout, const struct sepx_table_builder *builder,
            unsigned value, unsigned budget, unsigned trial)
{
    bool any = false, counts = value != SEPX_TABLE_SECONDS &&
                               value != SEPX_TABLE_HALF_SECONDS;

    for (size_t i = 0; i < builder->count; i++) {
        float x = builder->cell[i].value[value][budget][trial];

        any |= !isnan(x);
        counts = counts && is_count(x);
    }
    if (any)
        layout->plan[layout->columns++] =
            (struct plan){.kind = KIND_VALUE + value,
                          .budget = budget,
                          .trial = trial,
                          .type = counts ? TYPE_RATIO32 : TYPE_F32,
                          .scale = counts ? SEPX__TABLE_QUANTUM : 0,
                          .modelled = builder->modelled};
}

static void
plan_columns(struct layout *layout, const struct sepx_table_builder *builder)
{
    bool parameters = false, sums = false;

    for (size_t i = 0; i < builder->count; i++) {
        parameters |= builder->cell[i].parameters != 0;
        sums |= builder->cell[i].test_sum != UINT16_MAX;
    }
    layout->plan[layout->columns++] = (struct plan){.kind = KIND_CODE};
    layout->plan[layout->columns++] = (struct plan){.kind = KIND_ROW};
    if (parameters)
        layout->plan[layout->columns++] =
            (struct plan){.kind = KIND_PARAMETERS};
    if (sums)
        layout->plan[layout->columns++] =
            (struct plan){.kind = KIND_TEST_MEAN,
                          .type = TYPE_RATIO,
                          .scale = SEPX_TABLE_TRIALS * SEPX__TABLE_QUANTUM};
    for (unsigned b = 0; b < SEPX_TABLE_BUDGETS; b++)
        for (unsigned v = 0; v < SEPX_TABLE_VALUES; v++)
            for (unsigned t = 0; t < SEPX_TABLE_TRIALS; t++)
                plan_values(layout, builder, v, b, t);
}

static void
place_columns(struct layout *layout, const struct sepx_table_builder *builder)
{
    uint64_t at = HEAD_END + layout->columns * (uint64_t)COLUMN_BYTES +
                  builder->description.len + 4;

    layout->head = at = (at + 7) / 8 * 8;
    for (unsigned i = 0; i < layout->columns; i++) {
        layout->plan[i].at = at;
        at += builder->count * (uint64_t)sepx__type_size(layout->plan[i].type);
        at = (at + 7) / 8 * 8;
    }
    layout->total = at;
}

/* ---- bytes ---- */

static void
put(unsigned char *to, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        to[i] = (unsigned char)(value >> 8 * i);
}

static void
put_double(unsigned char *to, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof(bits));
    put(to, bits, 8);
}

static void
put_value(unsigned char *to, const struct plan *plan, float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof(bits));
    if (plan->type == TYPE_F32)
        put(to, bits, 4);
    else
        put(to,
            isnan(x) ? UINT16_MAX : (uint64_t)lround(x * (double)plan->scale),
            2);
}

static void
put_entry(unsigned char *to, const struct plan *plan,
          const struct sepx__builder_cell *cell)
{
    switch (plan->kind) {
    case KIND_CODE:
        put(to, cell->code, 4);
        break;
    case KIND_ROW:
        put(to, cell->row, 4);
        break;
    case KIND_PARAMETERS:
        put(to, cell->parameters, 4);
        break;
    case KIND_TEST_MEAN:
        put(to, cell->test_sum, 2);
        break;
    default:
        put_value(
            to, plan,
            cell->value[plan->kind - KIND_VALUE][plan->budget][plan->trial]);
    }
}

static void
put_column(unsigned char *bytes, const struct plan *plan,
           const struct sepx_table_builder *builder, const uint64_t *order)
{
    unsigned size = sepx__type_size(plan->type);
    unsigned char *to = bytes + plan->at;

    for (size_t i = 0; i < builder->count; i++, to += size)
        put_entry(to, plan, &builder->cell[(uint32_t)order[i]]);
}

static void
put_plan(unsigned char *row, const struct plan *plan)
{
    put(row + COLUMN_KIND, plan->kind, 2);
    put(row + COLUMN_BUDGET, plan->budget, 1);
    put(row + COLUMN_TRIAL, plan->trial, 1);
    put(row + COLUMN_TYPE, plan->type, 2);
    put(row + COLUMN_FLAGS, plan->modelled ? COLUMN_MODELLED : 0, 2);
    put(row + COLUMN_SCALE, plan->scale, 4);
    put(row + COLUMN_AT, plan->at, 8);
}

/* All but what depends on the body. */
static void
put_head(unsigned char *bytes, const struct layout *layout,
         const struct sepx_table_builder *builder)
{
    unsigned char *row = bytes + HEAD_END;

    memcpy(bytes, SEPX__TABLE_MAGIC, 8);
    put(bytes + HEAD_VERSION, SEPX__TABLE_VERSION, 4);
    put(bytes + HEAD_BYTES, layout->head, 4);
    put(bytes + HEAD_FILE, layout->total, 8);
    put(bytes + HEAD_CELLS, builder->count, 4);
    put(bytes + HEAD_COLUMNS, layout->columns, 4);
    put(bytes + HEAD_TEXT, builder->description.len, 4);
    put(bytes + HEAD_SOURCE, builder->source_bytes, 8);
    put(bytes + HEAD_SUM, builder->source_crc32c, 4);
    for (unsigned i = 0; i < layout->columns; i++, row += COLUMN_BYTES)
        put_plan(row, &layout->plan[i]);
    if (builder->description.len)
        memcpy(row, builder->description.at, builder->description.len);
}

static void
seal(unsigned char *bytes, const struct layout *layout)
{
    struct sepx__crc32c crc;

    sepx__crc32c_init(&crc);
    put(bytes + HEAD_BODY,
        sepx__crc32c_add(&crc, 0, bytes + layout->head,
                         layout->total - layout->head),
        4);
    put(bytes + layout->head - 4,
        sepx__crc32c_add(&crc, 0, bytes, layout->head - 4), 4);
}

/* The best values are read back, so that they are those of the file. */
static enum sepx_err
put_best(unsigned char *bytes, const struct layout *layout)
{
    struct sepx_table *table;
    double best[SEPX_TABLE_BUDGETS + 1];
    enum sepx_err err;

    seal(bytes, layout);
    err = sepx_table_open_bytes(&table, bytes, layout->total, NULL);
    if (err)
        return err;
    for (unsigned b = 0; b < SEPX_TABLE_BUDGETS; b++)
        best[b] = sepx__table_best(table, b);
    best[SEPX_TABLE_BUDGETS] = sepx__table_best_test(table);
    sepx_table_close(table);
    for (unsigned b = 0; b <= SEPX_TABLE_BUDGETS; b++)
        put_double(bytes + HEAD_BEST + 8 * b, best[b]);
    seal(bytes, layout);
    return SEPX_OK;
}

/* ---- the file ---- */

static int
compare_codes(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static enum sepx_err
fill(unsigned char *bytes, const struct layout *layout,
     const struct sepx_table_builder *builder)
{
    uint64_t *order = sepx__calloc(builder->count, sizeof(*order));

    if (!order)
        return SEPX_ENOMEM;
    for (size_t i = 0; i < builder->count; i++)
        order[i] = (uint64_t)builder->cell[i].code << 32 | i;
    qsort(order, builder->count, sizeof(*order), compare_codes);
    put_head(bytes, layout, builder);
    for (unsigned i = 0; i < layout->columns; i++)
        put_column(bytes, &layout->plan[i], builder, order);
    sepx__free(order);
    return put_best(bytes, layout);
}

enum sepx_err
sepx_table_builder_write(const struct sepx_table_builder *builder,
                         struct sepx_text *out, struct sepx_msg *msg)
{
    struct layout layout = {.columns = 0};
    unsigned char *bytes;
    enum sepx_err err;

    if (!builder->count)
        return sepx_fail(msg, SEPX_EDATA, "no cells, so there is no table");
    plan_columns(&layout, builder);
    place_columns(&layout, builder);
    bytes = sepx__calloc(1, layout.total + 1);
    err = bytes ? fill(bytes, &layout, builder) : SEPX_ENOMEM;
    if (err) {
        sepx__free(bytes);
        return err;
    }
    sepx_text_release(out);
    *out = (struct sepx_text){
        .at = (char *)bytes, .len = layout.total, .room = layout.total + 1};
    return SEPX_OK;
}
