/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/tfrecord.h"

#include <stdlib.h>
#include <unistd.h>

#include "nas/nb101/table.h"
#include "unit/faults.h"

static struct sepx_text file; /* a good table of three cells */

static int
make_file(void **state)
{
    static const struct sepx_nb101_cell cell[] = {
        {.nodes = 2, .edges = 1},
        {.nodes = 3, .edges = 5, .op = {0, 2}},
        {.nodes = 3, .edges = 7, .op = {0, 1}}};
    struct sepx_text source = {0};
    struct sepx_table_builder *builder;

    (void)state;
    for (unsigned i = 0; i < 9; i++) {
        struct training t = {.cell = &cell[i % 3],
                             .epochs = 108,
                             .parameters = 7,
                             .seconds = 1000 + i,
                             .validation = 0.9 + i / 200.0,
                             .test = 0.8 + i / 200.0};

        add_training(&source, &t);
    }
    assert_int_equal(sepx_table_builder_new(&builder, NULL), SEPX_OK);
    assert_int_equal(
        sepx_table_builder_tfrecord_bytes(builder, source.at, source.len, NULL),
        SEPX_OK);
    assert_int_equal(sepx_table_builder_write(builder, &file, NULL), SEPX_OK);
    sepx_table_builder_free(builder);
    sepx_text_release(&source);
    return 0;
}

static int
drop_file(void **state)
{
    (void)state;
    sepx_text_release(&file);
    return 0;
}

static void
put32(char *at, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        at[i] = (char)(value >> 8 * i);
}

/* Make both checksums those of a changed file. */
static void
seal(struct sepx_text *bytes)
{
    size_t head = sepx__get32((unsigned char *)bytes->at + HEAD_BYTES);
    struct sepx__crc32c crc;

    sepx__crc32c_init(&crc);
    put32(bytes->at + HEAD_BODY,
          sepx__crc32c_add(&crc, 0, bytes->at + head, bytes->len - head));
    put32(bytes->at + head - 4, sepx__crc32c_add(&crc, 0, bytes->at, head - 4));
}

static void
check_refused(const struct sepx_text *bytes, const char *message)
{
    struct sepx_table *table;
    struct sepx_msg msg = {0};

    assert_int_equal(sepx_table_open_bytes(&table, bytes->at, bytes->len, &msg),
                     SEPX_EDATA);
    assert_null(table);
    assert_string_equal(msg.text, message);
}

static struct sepx_text
copy(void)
{
    struct sepx_text bytes = {0};

    add_bytes(&bytes, file.at, file.len);
    return bytes;
}

static void
means_are_those_of_the_trials(void **state)
{
    struct sepx_nb101_cell cell = {.nodes = 2, .edges = 1};
    struct sepx_table *table;
    struct sepx_table_info info;
    uint32_t entry;

    (void)state;
    assert_int_equal(sepx_table_open_bytes(&table, file.at, file.len, NULL),
                     SEPX_OK);
    assert_true(sepx_table_find(table, &entry, &cell));
    CHECK_NEAR(sepx_table_test_mean(table, entry), 0.815, 1e-7);
    cell = (struct sepx_nb101_cell){.nodes = 3, .edges = 5};
    assert_false(sepx_table_find(table, &entry, &cell));
    sepx_table_info(table, &info);
    CHECK_NEAR(info.best_test, 0.825, 1e-7);
    CHECK_NEAR(info.best_validation[3], 0.94, 1e-7);
    assert_true(isnan(info.best_validation[0]));
    sepx_table_close(table);
}

static void
a_file_cut_anywhere_is_refused(void **state)
{
    (void)state;
    for (size_t len = 0; len < file.len; len++) {
        struct sepx_table *table;

        CHECK(sepx_table_open_bytes(&table, file.at, len, NULL) == SEPX_EDATA,
              "%zu bytes", len);
    }
}

/* In the head when it is opened, in the body when it is verified. */
static void
a_flipped_bit_anywhere_is_found(void **state)
{
    struct sepx_text bytes = copy();

    (void)state;
    for (size_t i = 0; i < 8 * bytes.len; i++) {
        struct sepx_table *table;
        enum sepx_err err;

        bytes.at[i / 8] = (char)(bytes.at[i / 8] ^ 1 << i % 8);
        err = sepx_table_open_bytes(&table, bytes.at, bytes.len, NULL);
        if (!err)
            err = sepx_table_verify(table, NULL);
        sepx_table_close(table);
        CHECK(err == SEPX_EDATA, "bit %zu", i);
        bytes.at[i / 8] = (char)(bytes.at[i / 8] ^ 1 << i % 8);
    }
    sepx_text_release(&bytes);
}

static void
what_is_no_table_says_so(void **state)
{
    struct sepx_text bytes = copy();

    (void)state;
    put32(bytes.at + HEAD_VERSION, 2);
    seal(&bytes);
    check_refused(&bytes,
                  "version 2 of the table format, not 1; make the table again");
    put32(bytes.at + HEAD_VERSION, 1);
    put32(bytes.at + HEAD_CELLS, 0);
    seal(&bytes);
    check_refused(&bytes, "no cells; make the table from a file that has some");
    put32(bytes.at + HEAD_CELLS, SEPX_NB101_CELLS + 1);
    seal(&bytes);
    check_refused(&bytes, "more cells than there are; the file is damaged, "
                          "make it again with 'sepx data import' or 'sepx "
                          "data build'");
    bytes.at[0] = 'x';
    check_refused(&bytes, "not a table; 'sepx data import' and 'sepx data "
                          "build' make tables");
    sepx_text_release(&bytes);
}

/* Correct checksums do not make a hostile file safe; its numbers do. */
static void
columns_outside_of_the_file_are_refused(void **state)
{
    static const struct {
        unsigned at;
        uint32_t value;
    } change[] = {{COLUMN_AT, 4},          {COLUMN_AT, 0},
                  {COLUMN_AT, 0xfffffff8}, {COLUMN_AT + 4, 0xffffffff},
                  {COLUMN_KIND, 99},       {COLUMN_TYPE, 9},
                  {COLUMN_KIND, 4 << 16},  {COLUMN_KIND, 3u << 24},
                  {COLUMN_KIND, 1}};

    (void)state;
    for (size_t i = 0; i < sizeof(change) / sizeof(*change); i++) {
        struct sepx_text bytes = copy();

        put32(bytes.at + HEAD_END + change[i].at, change[i].value);
        seal(&bytes);
        if (i + 1 < sizeof(change) / sizeof(*change))
            check_refused(&bytes, "column 0 is not one of this format; the "
                                  "file is damaged, make it again");
        else
            check_refused(&bytes, "column 1 is not one of this format; the "
                                  "file is damaged, make it again");
        sepx_text_release(&bytes);
    }
}

static void
counts_that_do_not_fit_are_refused(void **state)
{
    static const unsigned at[] = {HEAD_CELLS, HEAD_COLUMNS, HEAD_TEXT,
                                  HEAD_FILE, HEAD_BYTES};

    (void)state;
    for (size_t i = 0; i < sizeof(at) / sizeof(*at); i++) {
        struct sepx_text bytes = copy();
        struct sepx_table *table;

        put32(bytes.at + at[i], 400000);
        if (at[i] != HEAD_BYTES)
            seal(&bytes);
        CHECK(sepx_table_open_bytes(&table, bytes.at, bytes.len, NULL) ==
                  SEPX_EDATA,
              "field %u", at[i]);
        sepx_text_release(&bytes);
    }
}

static void
wrong_cells_are_found_by_verify(void **state)
{
    struct sepx_text bytes = copy();
    size_t head = sepx__get32((unsigned char *)bytes.at + HEAD_BYTES);
    struct sepx_table *table;
    struct sepx_msg msg = {0};

    (void)state;
    put32(bytes.at + head, 0);
    seal(&bytes);
    assert_int_equal(sepx_table_open_bytes(&table, bytes.at, bytes.len, NULL),
                     SEPX_OK);
    assert_int_equal(sepx_table_verify(table, &msg), SEPX_EDATA);
    assert_string_equal(msg.text, "entry 0 is no cell, or out of order");
    sepx_table_close(table);
    sepx_text_release(&bytes);
}

static void
files_are_opened_by_name(void **state)
{
    char path[] = "/tmp/sepx-table-XXXXXX";
    int fd = mkstemp(path);
    struct sepx_table *table;
    struct sepx_msg msg = {0};

    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(sepx_table_open(&table, path, &msg), SEPX_EDATA);
    assert_non_null(strstr(msg.text, ": empty; "));
    assert_int_equal(write(fd, file.at, file.len), (ssize_t)file.len);
    assert_int_equal(close(fd), 0);
    assert_int_equal(sepx_table_open(&table, path, &msg), SEPX_OK);
    assert_int_equal(sepx_table_verify(table, &msg), SEPX_OK);
    sepx_table_close(table);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(sepx_table_open(&table, path, &msg), SEPX_ENOINPUT);
    assert_null(table);
    assert_int_equal(sepx_table_open(&table, "/", &msg), SEPX_EDATA);
    assert_non_null(strstr(msg.text, "not a file"));
}

static void
no_allocation_is_lost_when_one_fails(void **state)
{
    (void)state;
    EACH_FAULT (fault) {
        struct sepx_table *table;

        fault.err = sepx_table_open_bytes(&table, file.at, file.len, NULL);
        if (!fault.err)
            fault.err = sepx_table_verify(table, NULL);
        sepx_table_close(table);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_are_those_of_the_trials),
        cmocka_unit_test(a_file_cut_anywhere_is_refused),
        cmocka_unit_test(a_flipped_bit_anywhere_is_found),
        cmocka_unit_test(what_is_no_table_says_so),
        cmocka_unit_test(columns_outside_of_the_file_are_refused),
        cmocka_unit_test(counts_that_do_not_fit_are_refused),
        cmocka_unit_test(wrong_cells_are_found_by_verify),
        cmocka_unit_test(files_are_opened_by_name),
        cmocka_unit_test(no_allocation_is_lost_when_one_fails),
    };

    return cmocka_run_group_tests(tests, make_file, drop_file);
}
