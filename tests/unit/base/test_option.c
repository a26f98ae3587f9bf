/* SPDX-License-Identifier: Apache-2.0 */
/* Option rows: defaults, texts to values and back, and messages. */
#include "unit/check.h"

#include <string.h>

#include "base/option.h"

struct settings {
    uint32_t count, choice;
    double number;
    bool flag;
    char text[SEPX_OPTION_TEXT_SIZE];
};

#define AT(member) offsetof(struct settings, member)

static const char *const colours[] = {"red", "green", "blue", NULL};

/* clang-format off */
static const struct sepx_option rows[] = {
    {"count", SEPX_OPTION_COUNT, AT(count), 7, 1, 100, .help = "a count"},
    {"number", SEPX_OPTION_NUMBER, AT(number), 0.5, 0, 1, .help = "a number"},
    {"flag", SEPX_OPTION_FLAG, AT(flag), 1, .help = "a flag"},
    {"colour", SEPX_OPTION_CHOICE, AT(choice), 1, .choices = colours,
     .help = "a choice"},
    {"text", SEPX_OPTION_TEXT, AT(text), .text = "none", .help = "a text"},
    {0},
};
/* clang-format on */

static enum sepx_err
put(struct settings *settings, const char *name, const char *value,
    struct sepx_msg *msg)
{
    return sepx_option_set(rows, settings, "it", name, value, msg);
}

static void
test_defaults_come_from_the_rows(void **state)
{
    struct settings set;

    (void)state;
    memset(&set, 0xff, sizeof set);
    sepx_options_default(rows, &set);
    assert_int_equal(set.count, 7);
    assert_int_equal(set.choice, 1);
    CHECK_NEAR(set.number, 0.5, 0);
    assert_true(set.flag);
    assert_string_equal(set.text, "none");
}

static void
test_texts_set_values(void **state)
{
    struct settings set;

    (void)state;
    sepx_options_default(rows, &set);
    assert_int_equal(put(&set, "count", "100", NULL), SEPX_OK);
    assert_int_equal(put(&set, "number", "0.25", NULL), SEPX_OK);
    assert_int_equal(put(&set, "flag", "no", NULL), SEPX_OK);
    assert_int_equal(put(&set, "colour", "blue", NULL), SEPX_OK);
    assert_int_equal(put(&set, "text", "some", NULL), SEPX_OK);
    assert_int_equal(set.count, 100);
    assert_int_equal(set.choice, 2);
    CHECK_NEAR(set.number, 0.25, 0);
    assert_false(set.flag);
    assert_string_equal(set.text, "some");
}

static void
test_messages_say_what_is_valid(void **state)
{
    static const struct {
        const char *name, *value, *says;
        enum sepx_err err;
    } cases[] = {
        {"cuont", "1",
         "unknown option of it 'cuont'; did you mean 'count'? (valid: count, "
         "number, flag, colour, text)",
         SEPX_ENOTFOUND},
        {"colour", "gren",
         "unknown value of it's colour 'gren'; did you mean 'green'? (valid: "
         "red, green, blue)",
         SEPX_ENOTFOUND},
        {"flag", "maybe", "unknown value of it's flag 'maybe' (valid: no, yes)",
         SEPX_ENOTFOUND},
        {"count", "0", "it's count: '0' is not a whole number from 1 to 100",
         SEPX_EINVAL},
        {"count", "1.5",
         "it's count: '1.5' is not a whole number from 1 to 100", SEPX_EINVAL},
        {"number", "nan", "it's number: 'nan' is not a number from 0 to 1",
         SEPX_EINVAL},
        {"number", "", "it's number: '' is not a number from 0 to 1",
         SEPX_EINVAL},
        {"count", "3x", "it's count: '3x' is not a whole number from 1 to 100",
         SEPX_EINVAL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct settings set;
        struct sepx_msg msg = {0};

        sepx_options_default(rows, &set);
        assert_int_equal(put(&set, cases[i].name, cases[i].value, &msg),
                         cases[i].err);
        assert_string_equal(msg.text, cases[i].says);
    }
}

static void
test_a_given_value_stays_within_that_of_another_row(void **state)
{
    static const struct sepx_option pair[] = {
        {"all", SEPX_OPTION_COUNT, AT(count), 7, 1, 100, .help = "a count"},
        {"some", SEPX_OPTION_NUMBER, AT(number), 9, 0, 100, .within = "all",
         .help = "a number"},
        {0},
    };
    struct settings set;
    struct sepx_msg msg = {0};

    (void)state;
    sepx_options_default(pair, &set);
    assert_int_equal(sepx_option_check(pair, &set, "it", "all", NULL), SEPX_OK);
    assert_int_equal(sepx_option_check(pair, &set, "it", "some", &msg),
                     SEPX_EINVAL);
    assert_string_equal(msg.text, "it's some 9 is larger than all 7; give "
                                  "some=7 or less, or all=9 or more");
    set.number = 7;
    assert_int_equal(sepx_option_check(pair, &set, "it", "some", NULL),
                     SEPX_OK);
}

static void
test_too_long_texts_are_refused(void **state)
{
    struct settings set;
    char text[SEPX_OPTION_TEXT_SIZE + 1] = "";

    (void)state;
    sepx_options_default(rows, &set);
    memset(text, 'x', SEPX_OPTION_TEXT_SIZE);
    assert_int_equal(put(&set, "text", text, NULL), SEPX_EINVAL);
    assert_string_equal(set.text, "none");
}

static void
test_values_are_written_as_they_are_read(void **state)
{
    struct settings set, again;
    struct sepx_text text = {0};

    (void)state;
    sepx_options_default(rows, &set);
    assert_int_equal(put(&set, "number", "0.125", NULL), SEPX_OK);
    assert_int_equal(put(&set, "colour", "red", NULL), SEPX_OK);
    sepx_options_default(rows, &again);
    for (const struct sepx_option *row = rows; row->name; row++) {
        text.len = 0;
        assert_int_equal(sepx_option_print(&text, row, &set), SEPX_OK);
        assert_int_equal(put(&again, row->name, text.at, NULL), SEPX_OK);
    }
    assert_int_equal(set.choice, again.choice);
    CHECK_NEAR(again.number, set.number, 0);
    text.len = 0;
    assert_int_equal(sepx_option_print(&text, &rows[3], NULL), SEPX_OK);
    assert_string_equal(text.at, "green");
    sepx_text_release(&text);
}

static void
test_json_has_every_row(void **state)
{
    struct settings set;
    struct sepx_text text = {0};
    struct sepx_json_writer w;

    (void)state;
    sepx_options_default(rows, &set);
    sepx_json_begin(&w, &text);
    sepx_json_open(&w, '{');
    sepx_options_put_json(&w, rows, &set);
    sepx_json_close(&w, '}');
    assert_int_equal(sepx_json_done(&w), SEPX_OK);
    assert_string_equal(text.at, "{\"count\":7,\"number\":0.5,\"flag\":true,"
                                 "\"colour\":\"green\",\"text\":\"none\"}");
    sepx_text_release(&text);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults_come_from_the_rows),
        cmocka_unit_test(test_texts_set_values),
        cmocka_unit_test(test_messages_say_what_is_valid),
        cmocka_unit_test(test_a_given_value_stays_within_that_of_another_row),
        cmocka_unit_test(test_too_long_texts_are_refused),
        cmocka_unit_test(test_values_are_written_as_they_are_read),
        cmocka_unit_test(test_json_has_every_row),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
