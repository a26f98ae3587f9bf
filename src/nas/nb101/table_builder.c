/* SPDX-License-Identifier: Apache-2.0 */
/* The cells of a table in the making, found by their codes. */
#include "nas/nb101/table_builder.h"

#include <math.h>
#include <string.h>

enum sepx_err
sepx_table_builder_new(struct sepx_table_builder **builder,
                       const struct sepx_nb101_cells *cells)
{
    *builder = sepx__calloc(1, sizeof(**builder));
    if (!*builder)
        return SEPX_ENOMEM;
    (*builder)->cells = cells;
    return SEPX_OK;
}

void
sepx_table_builder_free(struct sepx_table_builder *builder)
{
    if (!builder)
        return;
    sepx__free(builder->cell);
    sepx__free(builder->place);
    sepx_text_release(&builder->description);
    sepx__free(builder);
}

/* The place of a code, or the empty one where it would go. */
static uint32_t *
find_place(const struct sepx_table_builder *builder, uint32_t code)
{
    size_t mask = builder->places - 1, i = (size_t)sepx__mix(code) & mask;

    while (builder->place[i] &&
           builder->cell[builder->place[i] - 1].code != code)
        i = (i + 1) & mask;
    return &builder->place[i];
}

static enum sepx_err
widen(struct sepx_table_builder *builder)
{
    size_t places = builder->places ? 2 * builder->places : 64;
    uint32_t *place;

    if (builder->places >= 2 * (builder->count + 1))
        return SEPX_OK;
    place = sepx__calloc(places, sizeof(*place));
    if (!place)
        return SEPX_ENOMEM;
    sepx__free(builder->place);
    builder->place = place;
    builder->places = places;
    for (size_t i = 0; i < builder->count; i++)
        *find_place(builder, builder->cell[i].code) = (uint32_t)i + 1;
    return SEPX_OK;
}

static void
start_entry(struct sepx__builder_cell *entry, uint32_t code, int32_t row)
{
    float *value = &entry->value[0][0][0];

    *entry =
        (struct sepx__builder_cell){.code = code,
                                    .row = row < 0 ? UINT32_MAX : (uint32_t)row,
                                    .test_sum = UINT16_MAX};
    for (size_t i = 0; i < sizeof(entry->value) / sizeof(*value); i++)
        value[i] = NAN;
}

enum sepx_err
sepx__builder_entry(struct sepx_table_builder *builder,
                    struct sepx__builder_cell **entry,
                    const struct sepx_nb101_cell *cell)
{
    uint32_t code = sepx_nb101_cell_code(cell), *place;
    enum sepx_err err = widen(builder);

    if (!err)
        err = sepx__grow((void **)&builder->cell, &builder->room,
                         builder->count + 1, sizeof(*builder->cell));
    if (err)
        return err;
    place = find_place(builder, code);
    if (!*place) {
        start_entry(&builder->cell[builder->count], code,
                    builder->cells ? sepx_nb101_cells_find(builder->cells, cell)
                                   : -1);
        *place = (uint32_t)++builder->count;
    }
    *entry = &builder->cell[*place - 1];
    return SEPX_OK;
}
