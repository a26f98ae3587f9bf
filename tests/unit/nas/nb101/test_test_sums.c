/* SPDX-License-Identifier: Apache-2.0 */
/* Tables from mean test accuracies: means are measured, trials modelled. */
#include "unit/space_fixture.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unit/shared.h"

#define SUM_MAX 29952

static struct sepx_nb101_cells *cells;
static char path[] = "/tmp/sepx-test-sums-XXXXXX";

static int
open_all(void **state)
{
    int fd = mkstemp(path);

    (void)state;
    return fd < 0 || close(fd) || sepx_nb101_cells_new(&cells, 0, NULL, NULL)
               ? -1
               : 0;
}

static int
close_both(void **state)
{
    (void)state;
    sepx_nb101_cells_free(cells);
    return unlink(path);
}

static void
write_bytes(const void *bytes, size_t len)
{
    assert_int_equal(sepx_file_write(path, bytes, len, NULL), SEPX_OK);
}

static enum sepx_err
build(struct sepx_text *table, uint64_t seed, struct sepx_msg *msg)
{
    struct sepx_table_builder *builder;
    enum sepx_err err;

    assert_int_equal(sepx_table_builder_new(&builder, cells), SEPX_OK);
    err = sepx_table_builder_test_sums(builder, path, seed, msg);
    if (!err)
        err = sepx_table_builder_write(builder, table, msg);
    sepx_table_builder_free(builder);
    return err;
}

static void
files_that_do_not_fit_are_refused(void **state)
{
    unsigned char *bytes = calloc(SEPX_NB101_CELLS + 1, 2);
    struct sepx_text table = {0};
    struct sepx_msg msg = {0};

    (void)state;
    assert_non_null(bytes);
    write_bytes("", 0);
    assert_int_equal(build(&table, 1, &msg), SEPX_EDATA);
    assert_non_null(strstr(msg.text, ": 0 bytes, not 847248: two for each of "
                                     "423624 cells; the file is truncated or "
                                     "another one"));
    write_bytes(bytes, 2 * SEPX_NB101_CELLS + 1);
    assert_int_equal(build(&table, 1, &msg), SEPX_EDATA);
    assert_non_null(strstr(msg.text, ": more than 847248 bytes"));
    bytes[6] = bytes[7] = 0xff;
    write_bytes(bytes, 2 * SEPX_NB101_CELLS);
    assert_int_equal(build(&table, 1, &msg), SEPX_EDATA);
    assert_non_null(strstr(msg.text, ": byte 6: 65535 is more than 3 times "
                                     "9984 images"));
    assert_int_equal(table.len, 0);
    free(bytes);
}

static uint32_t
entry_of(const struct sepx_table *table, uint32_t row)
{
    struct sepx_nb101_cell cell;
    uint32_t entry;

    sepx_nb101_cells_get(cells, &cell, row);
    assert_true(sepx_table_find(table, &entry, &cell));
    assert_int_equal(sepx_table_row(table, entry), row);
    return entry;
}

static void
check_sample(const struct sepx_table *table, FILE *sample)
{
    char line[512];
    unsigned lines = 0;

    assert_non_null(fgets(line, sizeof(line), sample));
    for (; fgets(line, sizeof(line), sample); lines++) {
        unsigned row = (unsigned)strtoul(line, NULL, 10), sum;
        const char *last = strrchr(line, ',');

        while (last[-1] != ',')
            last--;
        sum = (unsigned)strtoul(last, NULL, 10);
        CHECK(sepx_table_test_mean(table, entry_of(table, row)) ==
                  sum / (double)SUM_MAX,
              "%s", line);
    }
    assert_int_equal(lines, 2020);
}

static void
read_sums(FILE *file)
{
    unsigned char *bytes = calloc(SEPX_NB101_CELLS, 2);

    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 2, SEPX_NB101_CELLS, file), SEPX_NB101_CELLS);
    write_bytes(bytes, 2 * SEPX_NB101_CELLS);
    free(bytes);
}

/* Means are exact, the best is the best; what is drawn says so. */
static void
real_means_come_back(void **state)
{
    FILE *sums = shared_open("data/nb101/test_sum.u16");
    FILE *sample = shared_open("data/nb101/cells_sample.csv");
    struct sepx_text bytes = {0};
    struct sepx_table *table;
    struct sepx_table_info info;
    struct sepx_msg msg = {0};

    (void)state;
    if (!sums || !sample)
        skip();
    read_sums(sums);
    CHECK(build(&bytes, 1, &msg) == SEPX_OK, "%s", msg.text);
    assert_int_equal(sepx_table_open_bytes(&table, bytes.at, bytes.len, &msg),
                     SEPX_OK);
    CHECK(sepx_table_verify(table, &msg) == SEPX_OK, "%s", msg.text);
    sepx_table_info(table, &info);
    assert_int_equal(info.cells, SEPX_NB101_CELLS);
    assert_true(info.modelled && info.has_test_mean);
    assert_true(info.best_test == 28250 / (double)SUM_MAX);
    assert_true(info.file_bytes <= 120000000);
    for (unsigned b = 0; b < SEPX_TABLE_BUDGETS; b++)
        for (unsigned t = 0; t < SEPX_TABLE_TRIALS; t++)
            assert_int_equal(
                sepx_table_origin(table, SEPX_TABLE_VALIDATION, b, t),
                SEPX_TABLE_MODELLED);
    check_sample(table, sample);
    sepx_table_close(table);
    sepx_text_release(&bytes);
    fclose(sums);
    fclose(sample);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_that_do_not_fit_are_refused),
        cmocka_unit_test(real_means_come_back),
    };

    return cmocka_run_group_tests(tests, open_all, close_both);
}
