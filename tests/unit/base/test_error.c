/* SPDX-License-Identifier: Apache-2.0 */
/* A program's own macros stay its own, whatever letters they have. */
#define A 1
#define N 14
#define X 24
#include "sepx.h"
#include "sepx/nas.h"
#include "sepx/research.h"
#include "sepx/run.h"
_Static_assert(A == 1 && N == 14 && X == 24, "a header took a letter away");
#undef A
#undef N
#undef X

#include <stdio.h>
#include <string.h>

#include "unit/check.h"

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
test_one_version_everywhere(void **state)
{
    char text[32];

    (void)state;
    snprintf(text, sizeof text, "%d.%d.%d", SEPX_VERSION_MAJOR,
             SEPX_VERSION_MINOR, SEPX_VERSION_PATCH);
    assert_string_equal(text, SEPX_VERSION);
    assert_string_equal(sepx_version(), SEPX_VERSION);
    assert_string_equal(SEPX_PROJECT_VERSION, SEPX_VERSION);
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
    struct sepx_msg msg = {.text = "line 3: bad"};

    (void)state;
    sepx_msg_prefix(&msg, "%s", "a.json");
    assert_string_equal(msg.text, "a.json: line 3: bad");
    sepx_msg_prefix(NULL, "unseen");
}

static void
test_message_may_quote_itself(void **state)
{
    struct sepx_msg msg = {.text = "bad"};

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

static void
test_messages_have_parts(void **state)
{
    struct sepx_msg msg = {0};

    (void)state;
    assert_int_equal(sepx_fail(&msg, SEPX_EDATA, "%s: it is '%s'; mend %s",
                               "a.json", "b; c", "it"),
                     SEPX_EDATA);
    assert_string_equal(msg.text, "a.json: it is 'b; c'; mend it");
    assert_int_equal(msg.code, SEPX_EDATA);
    assert_string_equal(msg.file, "a.json");
    assert_string_equal(msg.remedy, "mend it");
    assert_int_equal(msg.line, 0);
    assert_int_equal(sepx_fail(&msg, SEPX_EIO, "nothing"), SEPX_EIO);
    assert_string_equal(msg.remedy, "");
    assert_string_equal(msg.file, "");
}

static void
test_places_move_to_the_file(void **state)
{
    static const struct {
        size_t line, column, first;
        const char *alone, *placed;
        uint32_t at;
    } rows[] = {
        {3, 4, 0, "line 3 column 4: no", "f:3: column 4: no", 3},
        {3, 0, 0, "line 3: no", "f:3: no", 3},
        {3, 0, 10, "line 3: no", "f:12: no", 12},
        {0, 0, 10, "no", "f:10: no", 10},
        {0, 0, 0, "no", "f: no", 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct sepx_msg msg = {0};

        (void)sepx_fail(&msg, SEPX_EDATA, "no");
        if (rows[i].line)
            sepx_msg_line(&msg, rows[i].line, rows[i].column);
        assert_string_equal(msg.text, rows[i].alone);
        sepx_msg_place(&msg, "f", rows[i].first);
        assert_string_equal(msg.text, rows[i].placed);
        assert_string_equal(msg.file, "f");
        assert_int_equal(msg.line, rows[i].at);
        assert_int_equal(msg.column, rows[i].column);
    }
}

/* Texts that do not fit are cut, and never run over. */
static void
test_long_messages_are_cut(void **state)
{
    struct sepx_msg msg = {0};
    char name[600];

    (void)state;
    memset(name, 'n', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    (void)sepx_fail(&msg, SEPX_EDATA, "%s: wrong; mend it", name);
    assert_int_equal(strlen(msg.text), sizeof(msg.text) - 1);
    assert_int_equal(strlen(msg.file), sizeof(msg.file) - 1);
    assert_string_equal(msg.remedy, "");
    sepx_msg_line(&msg, 1, 2);
    sepx_msg_place(&msg, name, 7);
    assert_int_equal(strlen(msg.text), sizeof(msg.text) - 1);
    assert_int_equal(msg.line, 7);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messages_have_parts),
        cmocka_unit_test(test_places_move_to_the_file),
        cmocka_unit_test(test_long_messages_are_cut),
        cmocka_unit_test(test_every_error_has_its_sentence),
        cmocka_unit_test(test_one_version_everywhere),
        cmocka_unit_test(test_fail_writes_and_returns),
        cmocka_unit_test(test_prefix_says_where),
        cmocka_unit_test(test_message_may_quote_itself),
        cmocka_unit_test(test_long_messages_end_in_a_zero),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
