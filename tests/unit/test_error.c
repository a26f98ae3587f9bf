/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include <string.h>

#include "sepx/base.h"

static void
test_every_error_has_its_sentence(void **state)
{
    (void)state;
#define X(name, value, text) \
    assert_int_equal(name, value); \
    assert_string_equal(sepx_strerror(name), text);
    SEPX_ERRORS(X)
#undef X
    assert_string_equal(sepx_strerror((enum sepx_err)99), "unknown error");
}

static void
test_fail_writes_and_returns(void **state)
{
    struct sepx_msg msg = {0};

    (void)state;
    assert_int_equal(sepx_fail(&msg, SEPX_EDATA, "%s:%d: bad", "a.json", 3),
                     SEPX_EDATA);
    assert_string_equal(msg.text, "a.json:3: bad");
    assert_int_equal(sepx_fail(NULL, SEPX_EIO, "unseen"), SEPX_EIO);
}

static void
test_prefix_says_where(void **state)
{
    struct sepx_msg msg = {"line 3: bad"};

    (void)state;
    sepx_msg_prefix(&msg, "%s", "a.json");
    assert_string_equal(msg.text, "a.json: line 3: bad");
    sepx_msg_prefix(NULL, "unseen");
}

static void
test_message_may_quote_itself(void **state)
{
    struct sepx_msg msg = {"bad"};

    (void)state;
    assert_int_equal(sepx_fail(&msg, SEPX_EDATA, "<%s>", msg.text), SEPX_EDATA);
    assert_string_equal(msg.text, "<bad>");
    sepx_msg_prefix(&msg, "in %s", msg.text);
    assert_string_equal(msg.text, "in <bad>: <bad>");
}

static void
test_long_messages_end_in_a_zero(void **state)
{
    char word[1000];
    struct sepx_msg msg = {0};

    (void)state;
    memset(word, 'w', sizeof(word));
    word[sizeof(word) - 1] = '\0';
    (void)sepx_fail(&msg, SEPX_EDATA, "%s", word);
    assert_int_equal(strlen(msg.text), sizeof(msg.text) - 1);
    sepx_msg_prefix(&msg, "file");
    assert_int_equal(strlen(msg.text), sizeof(msg.text) - 1);
    assert_memory_equal(msg.text, "file: www", 9);
    sepx_msg_prefix(&msg, "%s", word);
    assert_int_equal(strlen(msg.text), sizeof(msg.text) - 1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_error_has_its_sentence),
        cmocka_unit_test(test_fail_writes_and_returns),
        cmocka_unit_test(test_prefix_says_where),
        cmocka_unit_test(test_message_may_quote_itself),
        cmocka_unit_test(test_long_messages_end_in_a_zero),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
