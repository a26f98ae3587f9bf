/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/internal.h"
#include "library.h"
#include "unit/faults.h"

static uint16_t
add(struct sepx_names *names, const char *text)
{
    uint16_t id = UINT16_MAX;

    assert_int_equal(sepx_names_add(names, &id, text), SEPX_OK);
    return id;
}

static void
a_new_table_holds_the_empty_text(void **state)
{
    struct sepx_names *names = sepx_names_new();

    (void)state;
    assert_int_equal(sepx_names_count(names), 1);
    assert_int_equal(sepx_names_find(names, ""), 0);
    assert_string_equal(sepx_names_text(names, 0), "");
    assert_int_equal(add(names, ""), 0);
    assert_int_equal(sepx_names_find(names, "conv"), -1);
    sepx_names_free(names);
    sepx_names_free(NULL);
}

static void
a_text_keeps_its_number(void **state)
{
    struct sepx_names *names = sepx_names_new();

    (void)state;
    assert_int_equal(add(names, "conv3x3"), 1);
    assert_int_equal(add(names, "conv"), 2);
    assert_int_equal(add(names, "conv3x3"), 1);
    assert_int_equal(sepx_names_find(names, "conv"), 2);
    assert_int_equal(sepx_names_find(names, "con"), -1);
    assert_int_equal(sepx_names_count(names), 3);
    sepx_names_free(names);
}

static const struct sepx_names *sorting;

static int
compare(const void *left, const void *right)
{
    const uint16_t *a = left, *b = right;
    uint64_t x = sepx__names_key(sorting, *a);
    uint64_t y = sepx__names_key(sorting, *b);

    return (x > y) - (x < y);
}

/* Ascending by key is ascending by text. */
static void
check_keys(const struct sepx_names *names)
{
    uint16_t id[SEPX_LABELS_MAX];
    unsigned count = sepx_names_count(names);

    sorting = names;
    for (unsigned i = 0; i < count; i++)
        id[i] = (uint16_t)i;
    qsort(id, count, sizeof(*id), compare);
    for (unsigned i = 1; i < count; i++)
        CHECK(strcmp(sepx_names_text(names, id[i - 1]),
                     sepx_names_text(names, id[i])) < 0,
              "%u of %u", i, count);
}

/* Orders of arrival that use up the room between keys fast. */
static void
keys_ascend_whatever_the_order(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        struct sepx_names *names = sepx_names_new();
        char text[16];

        for (int i = 0; i < 1000; i++) {
            int number = kind == 0   ? i
                         : kind == 1 ? 1000 - i
                         : kind == 2 ? (i % 2 ? i : 1000 - i)
                                     : i * 619 % 1000;

            (void)snprintf(text, sizeof(text), "%04d", number);
            add(names, text);
            if (i % 10 == 0)
                check_keys(names);
        }
        check_keys(names);
        sepx_names_free(names);
    }
}

/* As many texts as the table takes: all found, keys in byte order. */
static void
a_full_table_works_and_refuses_more(void **state)
{
    struct sepx_names *names = sepx_names_new();
    uint16_t id;
    char text[16];

    (void)state;
    for (unsigned i = 1; i < SEPX_LABELS_MAX; i++) {
        (void)snprintf(text, sizeof(text), "%x", i * 40503u % 65536);
        assert_int_equal(add(names, text), i);
    }
    assert_int_equal(sepx_names_add(names, &id, "one more"), SEPX_ELIMIT);
    assert_int_equal(sepx_names_count(names), SEPX_LABELS_MAX);
    for (unsigned i = 1; i < SEPX_LABELS_MAX; i++) {
        (void)snprintf(text, sizeof(text), "%x", i * 40503u % 65536);
        assert_int_equal(sepx_names_find(names, text), i);
    }
    check_keys(names);
    sepx_names_free(names);
}

static void
texts_have_at_most_255_bytes(void **state)
{
    struct sepx_names *names = sepx_names_new();
    char text[257];
    uint16_t id = 77;

    (void)state;
    memset(text, 'x', 256);
    text[256] = 0;
    assert_int_equal(sepx_names_add(names, &id, text), SEPX_ELIMIT);
    assert_int_equal(id, 77);
    text[255] = 0;
    assert_int_equal(add(names, text), 1);
    assert_string_equal(sepx_names_text(names, 1), text);
    sepx_names_free(names);
}

static void
texts_are_utf8(void **state)
{
    static const char *const good[] = {"\xc3\xbc",     "\xe2\x82\xac",
                                       "\n\x7f",       "\xf0\x9f\x98\x80",
                                       "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf"};
    static const char *const bad[] = {
        "\x80",         "\xc3",         "\xc0\xaf",         "\xe0\x80\x80",
        "\xed\xa0\x80", "a\xff",        "\xf4\x90\x80\x80", "\xf8\x88\x80",
        "\xe2\x82",     "\xe2\x82\x28", "\xf0\x8f\xbf\xbf"};
    struct sepx_names *names = sepx_names_new();
    uint16_t id;

    (void)state;
    for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
        assert_int_equal(add(names, good[i]), i + 1);
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        CHECK(sepx_names_add(names, &id, bad[i]) == SEPX_EINVAL, "bad %zu", i);
    assert_int_equal(sepx__names_add(names, &id, "a\0b", 3), SEPX_EINVAL);
    sepx_names_free(names);
}

static void
excerpts_are_short_and_printable(void **state)
{
    const char long_text[] = "0123456789012345678901234567890123456789"
                             "0123456789012345678\xc3\xbc tail";

    (void)state;
    assert_string_equal(sepx__excerpt("", 0).text, "");
    assert_string_equal(sepx__excerpt("a\nb\x1b\xff", 5).text, "a?b??");
    assert_string_equal(sepx__excerpt("\xc3\xbc", 2).text, "\xc3\xbc");
    assert_string_equal(
        sepx__excerpt(long_text, strlen(long_text)).text,
        "01234567890123456789012345678901234567890123456789012345678...");
}

static void
every_allocation_may_fail(void **state)
{
    (void)state;
    for (long n = 0;; n++) {
        struct sepx_names *names;
        enum sepx_err err = SEPX_OK;
        uint16_t id;
        char text[8];

        fault_after(n);
        names = sepx_names_new();
        for (int i = 0; names && !err && i < 200; i++) {
            (void)snprintf(text, sizeof(text), "%d", i);
            err = sepx_names_add(names, &id, text);
            if (err)
                assert_int_equal(sepx_names_find(names, text), -1);
        }
        if (err) /* the table works as before */
            assert_int_equal(sepx_names_add(names, &id, text), SEPX_OK);
        assert_true(names || fault_hit());
        assert_true(!err || err == SEPX_ENOMEM);
        sepx_names_free(names);
        assert_int_equal(fault_live(), 0);
        if (!fault_hit())
            break;
    }
    fault_stop();
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_table_holds_the_empty_text),
        cmocka_unit_test(a_text_keeps_its_number),
        cmocka_unit_test(keys_ascend_whatever_the_order),
        cmocka_unit_test(a_full_table_works_and_refuses_more),
        cmocka_unit_test(texts_have_at_most_255_bytes),
        cmocka_unit_test(texts_are_utf8),
        cmocka_unit_test(excerpts_are_short_and_printable),
        cmocka_unit_test(every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
