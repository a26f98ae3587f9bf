/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A table from the mean test accuracies alone. They are measured and exact;
 * all that belongs to single trials is drawn from the noise model, once, when
 * the table is made.
 */
#include "data/draft.h"

#include <math.h>
#include <string.h>

#include "data/nb101_noise.h"

#define SUM_MAX (SEPX_TABLE_TRIALS * SEPX__TABLE_QUANTUM)
#define FILE_BYTES (2 * SEPX_NB101_CELLS)

/* Accuracies are counts of images, as measured ones are. */
static float
to_count(double accuracy)
{
    double count = round(accuracy * SEPX__TABLE_QUANTUM);

    return (float)(fmin(fmax(count, 0), SEPX__TABLE_QUANTUM) /
                   SEPX__TABLE_QUANTUM);
}

static void
draw_trials(struct sepx__draft_cell *entry, uint64_t seed, uint32_t row)
{
    double mean = (double)entry->test_sum / SUM_MAX;
    struct sepx__nb101_trials trials;
    struct sepx_rng rng;

    sepx_rng_init(&rng, seed, 0, row, 0);
    sepx__nb101_noise_draw(&trials, mean, &rng);
    for (unsigned b = 0; b < SEPX_TABLE_BUDGETS; b++)
        for (unsigned t = 0; t < SEPX_TABLE_TRIALS; t++) {
            entry->value[SEPX_TABLE_VALIDATION][b][t] =
                to_count(trials.validation[b][t]);
            entry->value[SEPX_TABLE_SECONDS][b][t] =
                (float)trials.seconds[b][t];
            if (!isnan(trials.test[b][t]))
                entry->value[SEPX_TABLE_TEST][b][t] =
                    to_count(trials.test[b][t]);
        }
}

static enum sepx_err
add_row(struct sepx_table_draft *draft, uint32_t row, unsigned sum,
        uint64_t seed)
{
    struct sepx_nb101_cell cell;
    struct sepx__draft_cell *entry;
    enum sepx_err err;

    sepx_nb101_cells_get(draft->cells, &cell, row);
    err = sepx__draft_entry(draft, &entry, &cell);
    if (err)
        return err;
    entry->test_sum = (uint16_t)sum;
    draw_trials(entry, seed, row);
    return SEPX_OK;
}

static enum sepx_err
add_rows(struct sepx_table_draft *draft, const struct sepx_text *text,
         uint64_t seed, struct sepx_msg *msg)
{
    enum sepx_err err = SEPX_OK;

    if (text->len != FILE_BYTES)
        return sepx_fail(msg, SEPX_EDATA,
                         "%zu bytes, not %d: two for each of %d cells; the "
                         "file is truncated or another one",
                         text->len, FILE_BYTES, SEPX_NB101_CELLS);
    for (uint32_t row = 0; row < SEPX_NB101_CELLS && !err; row++) {
        unsigned sum =
            sepx__get16((const unsigned char *)text->at + (size_t)2 * row);

        if (sum > SUM_MAX)
            return sepx_fail(msg, SEPX_EDATA,
                             "byte %u: %u is more than 3 times %d images; the "
                             "file is damaged or another one",
                             2 * row, sum, SEPX__TABLE_QUANTUM);
        err = add_row(draft, row, sum, seed);
    }
    return err;
}

enum sepx_err
sepx_table_draft_test_sums(struct sepx_table_draft *draft, const char *path,
                           uint64_t seed, struct sepx_msg *msg)
{
    struct sepx_text text = {0};
    struct sepx__crc32c crc;
    enum sepx_err err;

    if (!draft->cells || draft->count)
        return SEPX_EINVAL;
    err = sepx_file_read(&text, path, FILE_BYTES, msg);
    if (err == SEPX_ELIMIT)
        err = sepx_fail(msg, SEPX_EDATA,
                        "%s: more than %d bytes: two for each of %d cells",
                        path, FILE_BYTES, SEPX_NB101_CELLS);
    if (err)
        goto done;
    err = add_rows(draft, &text, seed, msg);
    if (err == SEPX_EDATA)
        sepx_msg_prefix(msg, "%s", path);
    if (err)
        goto done;
    sepx__crc32c_init(&crc);
    draft->modelled = true;
    draft->source_bytes = text.len;
    draft->source_crc32c = sepx__crc32c_add(&crc, 0, text.at, text.len);
    err = sepx_text_print(&draft->description,
                          "NAS-Bench-101, mean test accuracies measured; "
                          "validation accuracies and times of the trials "
                          "modelled, seed %llu",
                          (unsigned long long)seed);
done:
    sepx_text_release(&text);
    return err;
}
