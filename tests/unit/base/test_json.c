/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/check.h"

#include <string.h>

#include "unit/faults.h"
#include "base/json.h"

static struct sepx_json *
parse(const char *text)
{
    struct sepx_json *root;
    struct sepx_msg msg = {0};

    CHECK(sepx_json_parse(&root, text, strlen(text), &msg) == SEPX_OK, "%s: %s",
          text, msg.text);
    return root;
}

static void
test_types_and_values(void **state)
{
    struct sepx_json *root =
        parse("{\"n\": null, \"b\": true, \"i\": -7, \"r\": 2.5,"
              " \"s\": \"text\", \"a\": [1, 2], \"o\": {\"x\": 1}}");
    static const struct {
        const char *key, *name;
        enum sepx_json_type type;
        size_t size;
    } row[] = {{"n", "null", SEPX_JSON_NULL, 0},
               {"b", "a boolean", SEPX_JSON_BOOL, 0},
               {"i", "an integer", SEPX_JSON_INTEGER, 0},
               {"r", "a number", SEPX_JSON_REAL, 0},
               {"s", "a string", SEPX_JSON_STRING, 0},
               {"a", "an array", SEPX_JSON_ARRAY, 2},
               {"o", "an object", SEPX_JSON_OBJECT, 1}};

    (void)state;
    assert_int_equal(sepx_json_size(root), 7);
    for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
        const struct sepx_json *value = sepx_json_get(root, row[i].key);

        assert_int_equal(sepx_json_type(value), row[i].type);
        assert_string_equal(sepx_json_type_name(value), row[i].name);
        assert_int_equal(sepx_json_size(value), row[i].size);
    }
    assert_true(sepx_json_bool(sepx_json_get(root, "b"), false));
    assert_int_equal(sepx_json_integer(sepx_json_get(root, "i"), 0), -7);
    assert_true(sepx_json_number(sepx_json_get(root, "i"), 0) == -7);
    assert_true(sepx_json_number(sepx_json_get(root, "r"), 0) == 2.5);
    assert_string_equal(sepx_json_string(sepx_json_get(root, "s")), "text");
    sepx_json_free(root);
}

static void
test_wrong_types_give_the_default(void **state)
{
    struct sepx_json *root = parse("[2.5, \"x\"]");
    const struct sepx_json *real = sepx_json_at(root, 0);

    (void)state;
    assert_int_equal(sepx_json_integer(real, 9), 9);
    assert_true(sepx_json_bool(real, true));
    assert_null(sepx_json_string(real));
    assert_null(sepx_json_get(real, "x"));
    assert_null(sepx_json_get(root, "x"));
    assert_null(sepx_json_at(real, 0));
    assert_null(sepx_json_at(root, 2));
    assert_true(sepx_json_number(sepx_json_at(root, 1), 0.5) == 0.5);
    sepx_json_free(root);
}

static void
test_absent_is_allowed_everywhere(void **state)
{
    const struct sepx_json *value;
    const char *key;
    void *at = NULL;

    (void)state;
    assert_null(sepx_json_get(NULL, "x"));
    assert_null(sepx_json_at(NULL, 0));
    assert_null(sepx_json_string(NULL));
    assert_int_equal(sepx_json_size(NULL), 0);
    assert_int_equal(sepx_json_integer(NULL, 3), 3);
    assert_int_equal(sepx_json_type(NULL), SEPX_JSON_NULL);
    assert_string_equal(sepx_json_type_name(NULL), "nothing");
    assert_false(sepx_json_next(NULL, &at, &key, &value));
    sepx_json_free(NULL);
}

static void
test_members_come_in_file_order(void **state)
{
    struct sepx_json *root =
        parse("{\"z\":0,\"a\":1,\"m\":2,\"b\":3,\"y\":4,\"c\":5,\"x\":6}");
    const struct sepx_json *value;
    const char *key;
    void *at = NULL;
    int64_t n = 0;

    (void)state;
    while (sepx_json_next(root, &at, &key, &value)) {
        assert_int_equal(key[0], "zambycx"[n]);
        assert_int_equal(sepx_json_integer(value, -1), n);
        n++;
    }
    assert_int_equal(n, 7);
    sepx_json_free(root);
}

/* Every message that a malformed file can show, with its place. */
static void
test_errors_say_where(void **state)
{
    static const struct {
        const char *text, *want;
    } row[] = {
        {"", "line 1 column 1: no value"},
        {" \n", "line 2 column 1: unexpected token near end of file"
                "; the text is cut off, complete it"},
        {"[1,]", "line 1 column 4: unexpected token near ']'"
                 "; correct it, JSON has no NaN, comments or trailing commas"},
        {"[1] x", "line 1 column 5: end of file expected near 'x'"
                  "; remove what follows the value"},
        {"[1] [2]", "line 1 column 5: end of file expected near '['"
                    "; remove what follows the value"},
        {"{\"a\":1,\n \"a\":2}",
         "line 2 column 4: duplicate object key near '\"a\"'"
         "; remove one"},
        {"{\"a\" 1}",
         "line 1 column 6: ':' expected near '1'"
         "; correct it, JSON has no NaN, comments or trailing commas"},
        {"{1:1}", "line 1 column 2: string or '}' expected near '1'"
                  "; correct it, JSON has no NaN, comments or trailing commas"},
        {"[\n\n  tru]",
         "line 3 column 5: invalid token near 'tru'"
         "; correct it, JSON has no NaN, comments or trailing commas"},
        {"[1", "line 1 column 2: ']' expected near end of file"
               "; the text is cut off, complete it"},
        {"\"a\\u0000\"",
         "line 1 column 9: NUL in a string; remove the \\u0000"},
        {"\"\xff\"", "line 1 column 1: unable to decode byte 0xff near '\"'"
                     "; save the text as UTF-8"},
        {"\"a\nb\"",
         "line 1 column 2: unexpected newline near '\"a'"
         "; correct it, JSON has no NaN, comments or trailing commas"},
        {"\"\\ud800\"",
         "line 1 column 8: invalid Unicode '\\uD800' near '\"\\ud800\"'"
         "; correct it, JSON has no NaN, comments or trailing commas"},
        {"9223372036854775808",
         "line 1 column 19: too big integer near '9223372036854775808'"
         "; write a smaller number"},
        {"1e999", "line 1 column 5: real number overflow near '1e999'"
                  "; write a smaller number"},
        {"01", "line 1 column 1: invalid token near '0'"
               "; correct it, JSON has no NaN, comments or trailing commas"},
        {"NaN", "line 1 column 3: invalid token near 'NaN'"
                "; correct it, JSON has no NaN, comments or trailing commas"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
        struct sepx_json *root = (void *)&row;
        struct sepx_msg msg = {0};

        assert_int_equal(
            sepx_json_parse(&root, row[i].text, strlen(row[i].text), &msg),
            SEPX_EDATA);
        assert_string_equal(msg.text, row[i].want);
        assert_null(root);
    }
}

static void
test_a_zero_byte_is_malformed(void **state)
{
    struct sepx_json *root;

    (void)state;
    assert_int_equal(sepx_json_parse(&root, "\"a\0b\"", 5, NULL), SEPX_EDATA);
    assert_int_equal(sepx_json_parse(&root, "[1]\0", 4, NULL), SEPX_EDATA);
    assert_int_equal(sepx_json_parse(&root, NULL, 0, NULL), SEPX_EDATA);
}

static void
test_depth_is_limited(void **state)
{
    char text[3000];
    struct sepx_json *root;
    struct sepx_msg msg = {0};

    (void)state;
    memset(text, '[', 1000);
    memset(text + 1000, ']', 1000);
    assert_int_equal(sepx_json_parse(&root, text, 2000, &msg), SEPX_OK);
    sepx_json_free(root);
    text[0] = '\n';
    memset(text + 1, '[', 1001);
    assert_int_equal(sepx_json_parse(&root, text, 2000, &msg), SEPX_EDATA);
    assert_string_equal(msg.text, "line 2 column 1001: nested deeper than 1000"
                                  "; flatten it");
    /* Brackets within strings, and siblings, are not deep. */
    memset(text, '[', 3000);
    memcpy(text, "\"\\\"", 3);
    text[2999] = '"';
    assert_int_equal(sepx_json_parse(&root, text, 3000, &msg), SEPX_OK);
    sepx_json_free(root);
    text[0] = '[';
    for (size_t i = 1; i < 2998; i += 3)
        memcpy(text + i, "[],", 3);
    memcpy(text + 2995, "[]]  ", 5);
    assert_int_equal(sepx_json_parse(&root, text, 3000, &msg), SEPX_OK);
    assert_int_equal(sepx_json_size(root), 999);
    sepx_json_free(root);
}

static void
assert_written(struct sepx_json_writer *w, const char *want)
{
    assert_int_equal(sepx_json_done(w), SEPX_OK);
    assert_string_equal(w->out->at, want);
    sepx_text_release(w->out);
}

static void
test_writer_puts_commas(void **state)
{
    struct sepx_text out = {0};
    struct sepx_json_writer w;

    (void)state;
    sepx_json_begin(&w, &out);
    sepx_json_open(&w, '{');
    sepx_json_key(&w, "a");
    sepx_json_open(&w, '[');
    sepx_json_put_integer(&w, INT64_MIN);
    sepx_json_put_number(&w, 0.5);
    sepx_json_open(&w, '[');
    sepx_json_close(&w, ']');
    sepx_json_put_null(&w);
    sepx_json_close(&w, ']');
    sepx_json_key(&w, "b");
    sepx_json_put_bool(&w, true);
    sepx_json_key(&w, "c");
    sepx_json_put_raw(&w, "{\"x\":1}");
    sepx_json_key(&w, "d");
    sepx_json_put_string(&w, NULL);
    sepx_json_close(&w, '}');
    assert_written(&w, "{\"a\":[-9223372036854775808,0.5,[],null],"
                       "\"b\":true,\"c\":{\"x\":1},\"d\":null}");
}

static void
assert_string_written(const char *text, const char *want)
{
    struct sepx_text out = {0};
    struct sepx_json_writer w;

    sepx_json_begin(&w, &out);
    sepx_json_put_string(&w, text);
    assert_written(&w, want);
}

static void
test_strings_are_escaped(void **state)
{
    (void)state;
    assert_string_written("", "\"\"");
    assert_string_written("a\"b\\c/d", "\"a\\\"b\\\\c/d\"");
    assert_string_written("\n\t\r\b\f", "\"\\n\\t\\r\\b\\f\"");
    assert_string_written("\x01z\x1f\x7f", "\"\\u0001z\\u001f\\u007f\"");
    assert_string_written("\xc2\x9b\xe2\x80\xae\xc2\xa0",
                          "\"\\u009b\\u202e\xc2\xa0\"");
    assert_string_written("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80",
                          "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"");
}

#define BAD "\xef\xbf\xbd"

static void
test_invalid_utf8_is_replaced(void **state)
{
    (void)state;
    assert_string_written("a\xff"
                          "b",
                          "\"a" BAD "b\"");
    assert_string_written("\x80", "\"" BAD "\"");
    assert_string_written("\xc0\xaf", "\"" BAD BAD "\"");
    assert_string_written("\xc3", "\"" BAD "\"");
    assert_string_written("\xe2\x82", "\"" BAD BAD "\"");
    assert_string_written("\xe2\x82"
                          "a",
                          "\"" BAD BAD "a\"");
    assert_string_written("\xe0\x9f\xbf", "\"" BAD BAD BAD "\"");
    assert_string_written("\xed\xa0\x80", "\"" BAD BAD BAD "\"");
    assert_string_written("\xf0\x8f\xbf\xbf", "\"" BAD BAD BAD BAD "\"");
    assert_string_written("\xf4\x90\x80\x80", "\"" BAD BAD BAD BAD "\"");
    assert_string_written("\xff\n\xff", "\"" BAD "\\n" BAD "\"");
}

/* Any bytes come back from the parser as one and the same text. */
static void
test_random_bytes_stay_readable(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 2000; seed++) {
        struct sepx_text once = {0}, twice = {0};
        struct sepx_json_writer w;
        struct sepx_json *root;
        struct sepx_rng rng;
        char text[40];
        size_t len;

        sepx_rng_init(&rng, 1, 0, seed, 0);
        len = sepx_rng_below(&rng, 39);
        for (size_t i = 0; i < len; i++)
            text[i] = (char)(1 + sepx_rng_below(&rng, 255));
        text[len] = '\0';
        sepx_json_begin(&w, &once);
        sepx_json_put_string(&w, text);
        assert_int_equal(sepx_json_done(&w), SEPX_OK);
        CHECK(!sepx_json_parse(&root, once.at, once.len, NULL), "seed %u",
              seed);
        assert_int_equal(sepx_json_dump(&twice, root), SEPX_OK);
        assert_string_equal(once.at, twice.at);
        sepx_json_free(root);
        sepx_text_release(&once);
        sepx_text_release(&twice);
    }
}

static void
assert_number_written(double value, const char *want)
{
    struct sepx_text out = {0};
    struct sepx_json_writer w;

    sepx_json_begin(&w, &out);
    sepx_json_put_number(&w, value);
    assert_written(&w, want);
}

static void
test_numbers_are_shortest(void **state)
{
    (void)state;
    assert_number_written(0, "0");
    assert_number_written(-0.0, "-0.0");
    assert_number_written(3, "3");
    assert_number_written(-1e6, "-1000000");
    assert_number_written(0.1, "0.1");
    assert_number_written(0.1 + 0.2, "0.30000000000000004");
    assert_number_written(1.0 / 3, "0.3333333333333333");
    assert_number_written(1e300, "1e+300");
    assert_number_written(9007199254740993.0, "9007199254740992");
    assert_number_written(5e-324, "5e-324");
    assert_number_written(1.7976931348623157e308, "1.7976931348623157e+308");
    assert_number_written(NAN, "null");
    assert_number_written(INFINITY, "null");
    assert_number_written(-INFINITY, "null");
}

static void
test_every_double_reads_back(void **state)
{
    struct sepx_rng rng;

    (void)state;
    sepx_rng_init(&rng, 2, 0, 0, 0);
    for (int i = 0; i < 20000; i++) {
        struct sepx_text out = {0};
        struct sepx_json_writer w;
        struct sepx_json *root;
        uint64_t word = sepx_rng_u64(&rng);
        double value, back;

        memcpy(&value, &word, sizeof(value));
        if (!isfinite(value))
            continue;
        sepx_json_begin(&w, &out);
        sepx_json_put_number(&w, value);
        assert_int_equal(sepx_json_done(&w), SEPX_OK);
        root = parse(out.at);
        back = sepx_json_number(root, 0);
        assert_memory_equal(&value, &back, sizeof(value));
        sepx_json_free(root);
        sepx_text_release(&out);
    }
}

static void
test_dump_repeats_the_text(void **state)
{
    static const char text[] =
        "{\"z\":[1,2.5,1.0,-0.0,-0.5,1e+300,null,true,false],"
        "\"a\":{\"\":\"q\\\"\\u0001\xc3\xa9\"},\"e\":[],\"o\":{}}";
    struct sepx_json *root = parse(text);
    struct sepx_text out = {0};

    (void)state;
    assert_int_equal(sepx_json_dump(&out, root), SEPX_OK);
    assert_string_equal(out.at, text);
    sepx_text_release(&out);
    sepx_json_free(root);
}

static void
test_misuse_of_the_writer_is_told(void **state)
{
    struct sepx_text out = {0};
    struct sepx_json_writer w;

    (void)state;
    sepx_json_begin(&w, &out);
    assert_int_equal(sepx_json_done(&w), SEPX_EINVAL); /* nothing written */
    sepx_json_begin(&w, &out);
    sepx_json_open(&w, '[');
    assert_int_equal(sepx_json_done(&w), SEPX_EINVAL); /* left open */
    sepx_json_begin(&w, &out);
    sepx_json_close(&w, ']');
    assert_int_equal(sepx_json_done(&w), SEPX_EINVAL);
    sepx_json_begin(&w, &out);
    sepx_json_put_integer(&w, 1);
    sepx_json_put_integer(&w, 2);
    assert_int_equal(sepx_json_done(&w), SEPX_EINVAL); /* two roots */
    sepx_text_release(&out);
}

static enum sepx_err
copy_text(struct sepx_text *out, const char *text, struct sepx_msg *msg)
{
    struct sepx_json *root = NULL;
    enum sepx_err err = sepx_json_parse(&root, text, strlen(text), msg);

    if (!err)
        err = sepx_json_dump(out, root);
    sepx_json_free(root);
    return err;
}

static void
test_every_allocation_may_fail(void **state)
{
    static const char text[] =
        "{\"nodes\":[\"input\",\"conv3x3-bn-relu\",\"output\"],"
        "\"edges\":[[0,1],[1,2]],\"score\":0.9433760046958923,"
        "\"extra\":{\"a rather long key, longer than a buffer\":true}}";
    long n = 0;

    (void)state;
    for (;; n++) {
        struct sepx_text out = {0};
        struct sepx_msg msg = {0};
        enum sepx_err err;

        fault_after(n);
        err = copy_text(&out, text, &msg);
        CHECK(err == (fault_hit() ? SEPX_ENOMEM : SEPX_OK), "n %ld: %d, %s", n,
              err, msg.text);
        if (!err)
            assert_string_equal(out.at, text);
        sepx_text_release(&out);
        assert_int_equal(fault_live(), 0);
        if (!err)
            break;
    }
    fault_stop();
    assert_true(n > 20);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types_and_values),
        cmocka_unit_test(test_wrong_types_give_the_default),
        cmocka_unit_test(test_absent_is_allowed_everywhere),
        cmocka_unit_test(test_members_come_in_file_order),
        cmocka_unit_test(test_errors_say_where),
        cmocka_unit_test(test_a_zero_byte_is_malformed),
        cmocka_unit_test(test_depth_is_limited),
        cmocka_unit_test(test_writer_puts_commas),
        cmocka_unit_test(test_strings_are_escaped),
        cmocka_unit_test(test_invalid_utf8_is_replaced),
        cmocka_unit_test(test_random_bytes_stay_readable),
        cmocka_unit_test(test_numbers_are_shortest),
        cmocka_unit_test(test_every_double_reads_back),
        cmocka_unit_test(test_dump_repeats_the_text),
        cmocka_unit_test(test_misuse_of_the_writer_is_told),
        cmocka_unit_test(test_every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
