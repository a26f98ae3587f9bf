/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/tfrecord.h"

#include <stdlib.h>

#include "unit/faults.h"
#include "unit/shared.h"

/* Input to output; through one node; two nodes in a row and a detour. */
static const struct sepx_nb101_cell small[] = {
    {.nodes = 2, .edges = 1},
    {.nodes = 3, .edges = 5, .op = {0, 2}},
    {.nodes = 4, .edges = 1 | 1 << 2 | 1 << 3 | 1 << 5, .op = {0, 1, 0}},
};

static enum sepx_err
import(struct sepx_table_builder **builder, const struct sepx_text *file,
       struct sepx_msg *msg)
{
    assert_int_equal(sepx_table_builder_new(builder, NULL), SEPX_OK);
    return sepx_table_builder_tfrecord_bytes(*builder, file->at, file->len,
                                             msg);
}

static void
check_refused(const struct sepx_text *file, const char *message)
{
    struct sepx_table_builder *builder;
    struct sepx_msg msg = {0};

    assert_int_equal(import(&builder, file, &msg), SEPX_EDATA);
    assert_string_equal(msg.text, message);
    sepx_table_builder_free(builder);
}

static void
check_training_refused(const struct training *t, const char *message)
{
    struct sepx_text file = {0};

    add_training(&file, t);
    check_refused(&file, message);
    sepx_text_release(&file);
}

static double
count(unsigned images)
{
    return (double)(float)(images / 9984.0);
}

static struct training
plain(unsigned cell, unsigned budget, unsigned trial)
{
    unsigned images = 9000 + 100 * cell + 10 * budget + trial;

    return (struct training){.cell = &small[cell],
                             .epochs = (int)sepx_table_epochs(budget),
                             .parameters = 1000 + (int)cell,
                             .seconds = 100.5 * sepx_table_epochs(budget),
                             .validation = count(2 * (images / 2)),
                             .test = count(2 * (images / 2) - 1000),
                             .odd = trial == 1};
}

/* All trials of all budgets, in the benchmark's order of nothing at all. */
static void
write_full(struct sepx_text *file)
{
    for (unsigned trial = 0; trial < SEPX_TABLE_TRIALS; trial++)
        for (unsigned budget = 0; budget < SEPX_TABLE_BUDGETS; budget++)
            for (unsigned cell = 0; cell < 3; cell++) {
                struct training t = plain(cell, budget, trial);

                add_training(file, &t);
            }
}

static void
check_entry(const struct sepx_table *table, unsigned cell)
{
    struct sepx_nb101_cell canon = small[cell];
    uint32_t entry;

    sepx_nb101_cell_canon(&canon);
    assert_true(sepx_table_find(table, &entry, &canon));
    assert_int_equal(sepx_table_row(table, entry), -1);
    assert_int_equal(sepx_table_parameters(table, entry), 1000 + cell);
    for (unsigned b = 0; b < SEPX_TABLE_BUDGETS; b++)
        for (unsigned k = 0; k < SEPX_TABLE_TRIALS; k++) {
            struct training t = plain(cell, b, k);
            double expected[] = {t.validation,     t.test,     t.seconds,
                                 t.validation / 2, t.test / 2, t.seconds / 2};

            for (unsigned v = 0; v < SEPX_TABLE_VALUES; v++)
                CHECK(sepx_table_get(table, entry, v, b, k) ==
                          (double)(float)expected[v],
                      "cell %u, %s, budget %u, trial %u", cell,
                      sepx_table_value_name(v), b, k);
        }
}

static void
all_trials_of_all_budgets_come_back(void **state)
{
    struct sepx_text file = {0}, bytes = {0};
    struct sepx_table_builder *builder;
    struct sepx_table *table;
    struct sepx_table_info info;
    struct sepx_msg msg = {0};

    (void)state;
    write_full(&file);
    assert_int_equal(import(&builder, &file, &msg), SEPX_OK);
    assert_int_equal(sepx_table_builder_write(builder, &bytes, &msg), SEPX_OK);
    assert_int_equal(sepx_table_open_bytes(&table, bytes.at, bytes.len, &msg),
                     SEPX_OK);
    assert_int_equal(sepx_table_verify(table, &msg), SEPX_OK);
    for (unsigned cell = 0; cell < 3; cell++)
        check_entry(table, cell);
    sepx_table_info(table, &info);
    assert_int_equal(info.cells, 3);
    assert_false(info.modelled);
    assert_true(info.source_bytes == file.len);
    assert_string_equal(info.description,
                        "NAS-Bench-101, 36 records of a TFRecord file");
    assert_true(info.best_validation[3] == count(9232));
    sepx_table_close(table);
    sepx_table_builder_free(builder);
    sepx_text_release(&bytes);
    sepx_text_release(&file);
}

/* Where a record ends, what is left is a file of fewer records. */
static void
a_file_cut_anywhere_is_refused(void **state)
{
    struct sepx_text file = {0};
    struct training t = plain(1, 3, 0), u = plain(2, 3, 1);
    size_t first;

    (void)state;
    add_training(&file, &t);
    first = file.len;
    add_training(&file, &u);
    for (size_t len = 0; len < file.len; len++) {
        struct sepx_text cut = {.at = file.at, .len = len};
        struct sepx_table_builder *builder;
        struct sepx_msg msg = {0};
        enum sepx_err err = import(&builder, &cut, &msg);

        CHECK(err == (len == first ? SEPX_OK : SEPX_EDATA), "%zu bytes", len);
        CHECK(len < first || len == first ||
                  strstr(msg.text, "record 2 at byte") == msg.text,
              "%zu bytes: %s", len, msg.text);
        sepx_table_builder_free(builder);
    }
    sepx_text_release(&file);
}

static void
a_flipped_bit_anywhere_is_found(void **state)
{
    struct sepx_text file = {0};
    struct training t = plain(1, 3, 0);

    (void)state;
    add_training(&file, &t);
    for (size_t i = 0; i < 8 * file.len; i++) {
        struct sepx_table_builder *builder;
        struct sepx_msg msg = {0};

        file.at[i / 8] = (char)(file.at[i / 8] ^ 1 << i % 8);
        CHECK(import(&builder, &file, &msg) == SEPX_EDATA, "bit %zu", i);
        file.at[i / 8] = (char)(file.at[i / 8] ^ 1 << i % 8);
        sepx_table_builder_free(builder);
    }
    sepx_text_release(&file);
}

static void
records_that_make_no_sense_say_why(void **state)
{
    struct training t = plain(1, 3, 0);

    (void)state;
    t.epochs = 107;
    check_training_refused(&t, "record 1 at byte 0: 107 epochs, not 4, 12, 36 "
                               "or 108");
    t = plain(1, 3, 0);
    t.hash = "00000000000000000000000000000000";
    check_training_refused(
        &t, "record 1 at byte 0: the hash is not that of the record's cell");
    t.hash = "xyz";
    check_training_refused(&t, "record 1 at byte 0: hash 'xyz' is not 32 "
                               "hexadecimal digits");
    t = plain(1, 3, 0);
    t.evaluations = 2;
    check_training_refused(&t, "record 1 at byte 0: 2 evaluations, not 3 "
                               "(start, half-way, end)");
    t = plain(1, 3, 0);
    t.validation = 1.5;
    check_training_refused(&t, "record 1 at byte 0: evaluation 3 has a "
                               "validation accuracy of 1.5");
    t = plain(1, 3, 0);
    t.seconds = NAN;
    check_training_refused(
        &t, "record 1 at byte 0: evaluation 1 has no training time");
}

static void
frame(struct sepx_text *file, const char *payload)
{
    file->len = 0;
    add_framed(file, payload, strlen(payload));
}

static void
payloads_that_make_no_sense_say_why(void **state)
{
    struct sepx_text file = {0};

    (void)state;
    check_refused(&file, "no records; the file is empty");
    frame(&file, "{}");
    check_refused(&file, "record 1 at byte 0: not [hash, epochs, matrix, "
                         "operations, measurements]");
    frame(&file, "[1");
    check_refused(&file, "record 1 at byte 0: line 1 column 2: ']' expected "
                         "near end of file; the text is cut off, complete it");
    frame(&file, "[\"00000000000000000000000000000000\", 4, \"0100\", "
                 "\"input,output,output\", \"\"]");
    check_refused(&file,
                  "record 1 at byte 0: operations 'input,output,output' are "
                  "not input, up to 5 of the benchmark's, output");
    frame(&file, "[\"00000000000000000000000000000000\", 4, \"0110\", "
                 "\"input,output\", \"\"]");
    check_refused(&file, "record 1 at byte 0: matrix '0110' is not 2 by 2, 0 "
                         "and 1, upper triangular");
    frame(&file, "[\"00000000000000000000000000000000\", 4, \"001000000\", "
                 "\"input,maxpool3x3,output\", \"\"]");
    check_refused(&file, "record 1 at byte 0: matrix '001000000' has dead "
                         "nodes or more than 9 edges");
    frame(&file, "[\"00000000000000000000000000000000\", 4, \"0100\", "
                 "\"input,output\", \"*\"]");
    check_refused(&file, "record 1 at byte 0: the measurements are not base64");
    frame(&file, "[\"00000000000000000000000000000000\", 4, \"0100\", "
                 "\"input,output\", \"CgUB\"]");
    check_refused(&file, "record 1 at byte 0: the measurements cannot be read "
                         "from byte 2 on");
    sepx_text_release(&file);
}

static void
a_fourth_trial_is_refused(void **state)
{
    struct sepx_text file = {0};
    struct training t = plain(0, 3, 0);
    struct sepx_table_builder *builder;
    struct sepx_msg msg = {0};

    (void)state;
    for (unsigned i = 0; i < 4; i++)
        add_training(&file, &t);
    assert_int_equal(import(&builder, &file, &msg), SEPX_EDATA);
    assert_non_null(
        strstr(msg.text, "a cell's trial 4 at 108 epochs; there are 3"));
    sepx_table_builder_free(builder);
    sepx_text_release(&file);
}

/* EC-NAS: all cells of up to 5 vertices, one training of 4 epochs each. */
static void
a_real_file_is_read(void **state)
{
    FILE *file = shared_open("data/nb101/ecnas_5v_4epochs.tfrecord");
    struct sepx_text text = {0}, bytes = {0};
    struct sepx_table_builder *builder;
    struct sepx_table *table;
    struct sepx_msg msg = {0};
    char chunk[4096];
    size_t n;

    (void)state;
    if (!file)
        skip();
    while ((n = fread(chunk, 1, sizeof(chunk), file)) > 0)
        add_bytes(&text, chunk, n);
    fclose(file);
    assert_int_equal(import(&builder, &text, &msg), SEPX_OK);
    assert_int_equal(sepx_table_builder_write(builder, &bytes, &msg), SEPX_OK);
    assert_int_equal(sepx_table_open_bytes(&table, bytes.at, bytes.len, &msg),
                     SEPX_OK);
    assert_int_equal(sepx_table_verify(table, &msg), SEPX_OK);
    for (unsigned t = 0; t < 3; t++)
        assert_int_equal(sepx_table_origin(table, SEPX_TABLE_TEST, 0, t),
                         t ? SEPX_TABLE_UNKNOWN : SEPX_TABLE_MEASURED);
    assert_int_equal(sepx_table_origin(table, SEPX_TABLE_TEST, 3, 0),
                     SEPX_TABLE_UNKNOWN);
    assert_true(isnan(sepx_table_test_mean(table, 0)));
    sepx_table_close(table);
    sepx_table_builder_free(builder);
    sepx_text_release(&bytes);
    sepx_text_release(&text);
}

static enum sepx_err
import_and_write(const struct sepx_text *file, struct sepx_text *bytes)
{
    struct sepx_table_builder *builder = NULL;
    enum sepx_err err = sepx_table_builder_new(&builder, NULL);

    if (!err)
        err = sepx_table_builder_tfrecord_bytes(builder, file->at, file->len,
                                                NULL);
    if (!err)
        err = sepx_table_builder_write(builder, bytes, NULL);
    sepx_table_builder_free(builder);
    return err;
}

static void
no_allocation_is_lost_when_one_fails(void **state)
{
    struct sepx_text file = {0}, bytes = {0};
    struct training t = plain(0, 3, 0);

    (void)state;
    add_training(&file, &t);
    EACH_FAULT (fault) {
        fault.err = import_and_write(&file, &bytes);
        sepx_text_release(&bytes);
    }
    sepx_text_release(&bytes);
    sepx_text_release(&file);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_trials_of_all_budgets_come_back),
        cmocka_unit_test(a_file_cut_anywhere_is_refused),
        cmocka_unit_test(a_flipped_bit_anywhere_is_found),
        cmocka_unit_test(records_that_make_no_sense_say_why),
        cmocka_unit_test(payloads_that_make_no_sense_say_why),
        cmocka_unit_test(a_fourth_trial_is_refused),
        cmocka_unit_test(a_real_file_is_read),
        cmocka_unit_test(no_allocation_is_lost_when_one_fails),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
