/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/check.h"

#include <string.h>
#include <wchar.h>

#include "unit/faults.h"
#include "sepx/base.h"

static void
test_add_and_print_append(void **state)
{
    struct sepx_text text = {0};

    (void)state;
    assert_int_equal(sepx_text_add(&text, "ab\0c", 4), SEPX_OK);
    assert_int_equal(sepx_text_print(&text, "%d-%s", 42, "x"), SEPX_OK);
    assert_int_equal(text.len, 8);
    assert_memory_equal(text.at, "ab\0c42-x", 9);
    sepx_text_release(&text);
    assert_true(!text.at && !text.len && !text.room);
    sepx_text_release(&text);
}

static void
test_nothing_added_is_a_string(void **state)
{
    struct sepx_text text = {0};

    (void)state;
    assert_int_equal(sepx_text_add(&text, NULL, 0), SEPX_OK);
    assert_string_equal(text.at, "");
    assert_int_equal(sepx_text_print(&text, "%s", ""), SEPX_OK);
    assert_int_equal(text.len, 0);
    sepx_text_release(&text);
}

static void
test_print_of_every_length(void **state)
{
    struct sepx_text text = {0};
    char word[301];
    size_t want = 0;

    (void)state;
    memset(word, 'w', 300);
    word[300] = '\0';
    for (int len = 0; len <= 300; len++) {
        assert_int_equal(sepx_text_print(&text, "%.*s|", len, word), SEPX_OK);
        want += (size_t)len + 1;
        assert_int_equal(text.len, want);
        assert_int_equal(strlen(text.at), want);
        assert_int_equal(text.at[want - 1], '|');
    }
    sepx_text_release(&text);
}

static void
test_failure_keeps_the_text(void **state)
{
    char word[200];

    (void)state;
    memset(word, 'w', sizeof(word));
    word[sizeof(word) - 1] = '\0';
    for (long n = 0; n < 2; n++) {
        struct sepx_text text = {0};

        fault_after(n);
        if (n)
            assert_int_equal(sepx_text_add(&text, "old", 3), SEPX_OK);
        assert_int_equal(sepx_text_print(&text, "%s", word), SEPX_ENOMEM);
        assert_true(fault_hit());
        assert_int_equal(text.len, n ? 3 : 0);
        if (n)
            assert_string_equal(text.at, "old");
        sepx_text_release(&text);
        assert_int_equal(fault_live(), 0);
    }
    fault_stop();
}

static void
test_unprintable_is_refused(void **state)
{
    struct sepx_text text = {0};
    const wchar_t wide[] = {0x263a, 0};

    (void)state;
    assert_int_equal(sepx_text_add(&text, "old", 3), SEPX_OK);
    /* The C locale has no such character. */
    assert_int_equal(sepx_text_print(&text, "%ls", wide), SEPX_EINVAL);
    assert_string_equal(text.at, "old");
    assert_int_equal(sepx_text_add(&text, "x", SIZE_MAX), SEPX_ENOMEM);
    assert_string_equal(text.at, "old");
    sepx_text_release(&text);
}

static void
assert_visible(const char *bytes, const char *want)
{
    EACH_FAULT (fault) {
        struct sepx_text text = {0};

        fault.err = sepx_text_add_visible(&text, bytes, strlen(bytes));
        assert_string_equal(text.at && text.len ? text.at : "",
                            fault.err ? "" : want);
        sepx_text_release(&text);
    }
}

static void
test_strange_text_becomes_visible(void **state)
{
    (void)state;
    assert_visible("", "");
    assert_visible("plain\ttext\n\xc3\xa9\xf0\x9f\x98\x80",
                   "plain\ttext\n\xc3\xa9\xf0\x9f\x98\x80");
    assert_visible("\033[2Jx\r\a\x7f", "\\u001b[2Jx\\u000d\\u0007\\u007f");
    assert_visible("\xc2\x9b\x31m", "\\u009b1m");
    assert_visible("a\xe2\x80\xae\x62\xe2\x81\xa9", "a\\u202eb\\u2069");
    assert_visible("\x9b\xff\xc3", "\\u009b\\u00ff\\u00c3");
}

static void
test_nearest_finds_the_typo(void **state)
{
    static const char *const names[] = {"random", "evolve", "reinforce",
                                        "bohb",   "sep",    NULL};

    (void)state;
    assert_string_equal(sepx_nearest("randon", names), "random");
    assert_string_equal(sepx_nearest("evovle", names), "evolve");
    assert_string_equal(sepx_nearest("reinforc", names), "reinforce");
    assert_string_equal(sepx_nearest("bob", names), "bohb");
    assert_string_equal(sepx_nearest("esp", names), "sep");
    assert_string_equal(sepx_nearest("sep", names), "sep");
}

static void
test_nearest_is_silent_if_nothing_is_near(void **state)
{
    char word[100];
    const char *const names[] = {"random", "evolve", "a", word, NULL};
    static const char *const none[] = {NULL};

    (void)state;
    memset(word, 'a', sizeof(word));
    word[99] = '\0';
    assert_null(sepx_nearest("tabu", names));
    assert_null(sepx_nearest("b", names));
    assert_null(sepx_nearest("", names));
    assert_null(sepx_nearest(word, names));
    assert_null(sepx_nearest("random", none));
}

static void
test_nearest_takes_the_first_of_equals(void **state)
{
    static const char *const names[] = {"seta", "setb", "set", NULL};

    (void)state;
    assert_string_equal(sepx_nearest("setc", names), "seta");
    assert_string_equal(sepx_nearest("set", names), "set");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_add_and_print_append),
        cmocka_unit_test(test_nothing_added_is_a_string),
        cmocka_unit_test(test_print_of_every_length),
        cmocka_unit_test(test_failure_keeps_the_text),
        cmocka_unit_test(test_unprintable_is_refused),
        cmocka_unit_test(test_strange_text_becomes_visible),
        cmocka_unit_test(test_nearest_finds_the_typo),
        cmocka_unit_test(test_nearest_is_silent_if_nothing_is_near),
        cmocka_unit_test(test_nearest_takes_the_first_of_equals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
