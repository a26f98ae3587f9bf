/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A table from the mean test accuracies alone. They are measured and exact;
 * all that belongs to single trials is drawn from the noise model, once, when
 * the table is made.
 */
#include "nas/nb101/table_builder.h"

#include <math.h>
#include <string.h>

#include "nas/nb101/nb101_noise.h"

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
draw_trials(struct sepx__builder_cell *entry, uint64_t seed, uint32_t row)
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
add_row(struct sepx_table_builder *builder, uint32_t row, unsigned sum,
        uint64_t seed)
{
    struct sepx_nb101_cell cell;
    struct sepx__builder_cell *entry;
    enum sepx_err err;

    sepx_nb101_cells_get(builder->cells, &cell, row);
    err = sepx__builder_entry(builder, &entry, &cell);
    if (err)
        return err;
    entry->test_sum = (uint16_t)sum;
    draw_trials(entry, seed, row);
    return SEPX_OK;
}

static enum sepx_err
add_rows(struct sepx_table_builder *builder, const struct sepx_text *text,
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
        err = add_row(builder, row, sum, seed);
    }
    return err;
}

enum sepx_err
sepx_table_builder_test_sums(struct sepx_table_builder *builder,
                             const char *path, uint64_t seed,
                             struct sepx_msg *msg)
{
    struct sepx_text text = {0};
    struct sepx__crc32c crc;
    enum sepx_err err;

    if (!builder->cells || builder->count)
        return SEPX_EINVAL;
    err = sepx_file_read(&text, path, FILE_BYTES, msg);
    if (err == SEPX_ELIMIT)
        err = sepx_fail(msg, SEPX_EDATA,
                        "%s: more than %d bytes: two for each of %d cells",
                        path, FILE_BYTES, SEPX_NB101_CELLS);
    if (err)
        goto done;
    err = add_rows(builder, &text, seed, msg);
    if (err == SEPX_EDATA)
        sepx_msg_file(msg, path);
    if (err)
        goto done;
    sepx__crc32c_init(&crc);
    builder->modelled = true;
    builder->source_bytes = text.len;
    builder->source_crc32c = sepx__crc32c_add(&crc, 0, text.at, text.len);
    err = sepx_text_print(&builder->description,
                          "NAS-Bench-101, mean test accuracies measured; "
                          "validation accuracies and times of the trials "
                          "modelled, seed %llu",
                          (unsigned long long)seed);
done:
    sepx_text_release(&text);
    return err;
}
