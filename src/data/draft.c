/* SPDX-License-Identifier: Apache-2.0 */
/* The cells of a table in the making, found by their codes. */
#include "data/draft.h"

#include <math.h>
#include <string.h>

enum sepx_err
sepx_table_draft_new(struct sepx_table_draft **draft,
                     const struct sepx_nb101_cells *cells)
{
    *draft = sepx__calloc(1, sizeof(**draft));
    if (!*draft)
        return SEPX_ENOMEM;
    (*draft)->cells = cells;
    return SEPX_OK;
}

void
sepx_table_draft_free(struct sepx_table_draft *draft)
{
    if (!draft)
        return;
    sepx__free(draft->cell);
    sepx__free(draft->place);
    sepx_text_release(&draft->description);
    sepx__free(draft);
}

/* The place of a code, or the empty one where it would go. */
static uint32_t *
find_place(const struct sepx_table_draft *draft, uint32_t code)
{
    size_t mask = draft->places - 1, i = (size_t)sepx__mix(code) & mask;

    while (draft->place[i] && draft->cell[draft->place[i] - 1].code != code)
        i = (i + 1) & mask;
    return &draft->place[i];
}

static enum sepx_err
widen(struct sepx_table_draft *draft)
{
    size_t places = draft->places ? 2 * draft->places : 64;
    uint32_t *place;

    if (draft->places >= 2 * (draft->count + 1))
        return SEPX_OK;
    place = sepx__calloc(places, sizeof(*place));
    if (!place)
        return SEPX_ENOMEM;
    sepx__free(draft->place);
    draft->place = place;
    draft->places = places;
    for (size_t i = 0; i < draft->count; i++)
        *find_place(draft, draft->cell[i].code) = (uint32_t)i + 1;
    return SEPX_OK;
}

static void
start_entry(struct sepx__draft_cell *entry, uint32_t code, int32_t row)
{
    float *value = &entry->value[0][0][0];

    *entry =
        (struct sepx__draft_cell){.code = code,
                                  .row = row < 0 ? UINT32_MAX : (uint32_t)row,
                                  .test_sum = UINT16_MAX};
    for (size_t i = 0; i < sizeof(entry->value) / sizeof(*value); i++)
        value[i] = NAN;
}

enum sepx_err
sepx__draft_entry(struct sepx_table_draft *draft,
                  struct sepx__draft_cell **entry,
                  const struct sepx_nb101_cell *cell)
{
    uint32_t code = sepx_nb101_cell_code(cell), *place;
    enum sepx_err err = widen(draft);

    if (!err)
        err = sepx__grow((void **)&draft->cell, &draft->room, draft->count + 1,
                         sizeof(*draft->cell));
    if (err)
        return err;
    place = find_place(draft, code);
    if (!*place) {
        start_entry(&draft->cell[draft->count], code,
                    draft->cells ? sepx_nb101_cells_find(draft->cells, cell)
                                 : -1);
        *place = (uint32_t)++draft->count;
    }
    *entry = &draft->cell[*place - 1];
    return SEPX_OK;
}
