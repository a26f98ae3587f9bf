/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/check.h"

#include <stdio.h>
#include <string.h>

#include "nas/nb301/xgb_inputs.h"

static const char head[] =
    "{\"format\": \"sepx nb301 xgboost\", \"version\": 1, "
    "\"members\": [\"member_0.json\"], \"inputs\": [";

/* Settings of both cells, operations last to first; `skip` is left out. */
static void
write_inputs(struct sepx_text *text, const char *skip)
{
    static const char ops[] =
        "\"dil_conv_5x5\",\"dil_conv_3x3\",\"sep_conv_5x5\",\"sep_conv_3x3\","
        "\"skip_connect\",\"avg_pool_3x3\",\"max_pool_3x3\"";
    static const char *const pairs[] = {
        "\"0_1\",\"0_2\",\"1_2\"",
        "\"0_1\",\"0_2\",\"0_3\",\"1_2\",\"1_3\",\"2_3\"",
        ("\"0_1\",\"0_2\",\"0_3\",\"0_4\",\"1_2\",\"1_3\",\"1_4\",\"2_3\","
         "\"2_4\",\"3_4\"")};
    static const char *const cells[] = {"normal", "reduce"};

    assert_int_equal(sepx_text_print(text, "%s{\"setting\": null}", head), 0);
    for (unsigned c = 0; c < 2; c++) {
        for (unsigned i = 0; i < 17; i++) {
            char name[32];

            snprintf(name, sizeof name,
                     i < 14 ? "edge_%s_%u" : "inputs_node_%s_%u", cells[c],
                     i < 14 ? i : i - 11);
            if (skip && !strcmp(skip, name))
                continue;
            assert_int_equal(
                sepx_text_print(text,
                                ",{\"setting\": \"%s\", \"choices\": [%s]}",
                                name, i < 14 ? ops : pairs[i - 14]),
                0);
        }
    }
    assert_int_equal(sepx_text_print(text, "]}"), 0);
}

static enum sepx_err
parse(struct sepx__xgb_inputs *inputs, const char *text, struct sepx_msg *msg)
{
    return sepx__xgb_inputs_parse(inputs, text, strlen(text), msg);
}

static void
test_codes_follow_the_file(void **state)
{
    struct sepx__xgb_inputs inputs;
    struct sepx__darts_code code;
    struct sepx_text text = {0};
    float value[SEPX__XGB_INPUTS];

    (void)state;
    write_inputs(&text, NULL);
    assert_int_equal(parse(&inputs, text.at, NULL), SEPX_OK);
    assert_int_equal(inputs.count, 35);
    assert_int_equal(inputs.members, 1);
    assert_string_equal(inputs.member[0], "member_0.json");
    memset(&code, 0, sizeof code);
    code.edge[0][3] = 5;
    code.edge[1][13] = SEPX__DARTS_NONE;
    code.inputs[1][2] = 9;
    sepx__xgb_inputs_fill(&inputs, value, &code);
    assert_true(value[0] == -1);           /* of no cell */
    assert_true(value[1] == 6);            /* max_pool_3x3 is the last */
    assert_true(value[1 + 3] == 1);        /* dil_conv_3x3 */
    assert_true(value[1 + 17 + 13] == -1); /* not active */
    assert_true(value[34] == 9);           /* 3_4 */
    sepx_text_release(&text);
}

static void
test_lacking_settings_are_told(void **state)
{
    static const char *const names[] = {"edge_normal_0", "edge_reduce_13",
                                        "inputs_node_reduce_4"};

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct sepx__xgb_inputs inputs;
        struct sepx_text text = {0};
        struct sepx_msg msg;

        write_inputs(&text, names[i]);
        assert_int_equal(parse(&inputs, text.at, &msg), SEPX_EDATA);
        assert_string_equal(msg.text,
                            "the settings of a DARTS cell are not there once "
                            "each; convert the models again");
        sepx_text_release(&text);
    }
}

static void
test_bad_files_are_refused(void **state)
{
    static const struct {
        const char *rest, *message;
    } rows[] = {
        {"3]}", "inputs[0]: setting is '(none)', not one of DARTS cells; "
                "convert the models again"},
        {"{\"setting\": \"edge_normal_14\"}]}",
         "inputs[0]: setting is 'edge_normal_14', not one of DARTS cells; "
         "convert the models again"},
        {"{\"setting\": \"inputs_node_normal_2\"}]}",
         "inputs[0]: setting is 'inputs_node_normal_2', not one of DARTS "
         "cells; convert the models again"},
        {"{\"setting\": \"edge_normal_1\", \"choices\": 3}]}",
         "inputs[0]: choices lack 'max_pool_3x3'; convert the models again"},
    };
    struct sepx__xgb_inputs inputs;
    struct sepx_msg msg;

    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sepx_text text = {0};

        assert_int_equal(sepx_text_print(&text, "%s%s", head, rows[i].rest),
                         SEPX_OK);
        assert_int_equal(parse(&inputs, text.at, &msg), SEPX_EDATA);
        assert_string_equal(msg.text, rows[i].message);
        sepx_text_release(&text);
    }
    assert_int_equal(parse(&inputs, "", &msg), SEPX_EDATA);
    assert_int_equal(parse(&inputs, "{}", &msg), SEPX_EDATA);
    assert_int_equal(parse(&inputs,
                           "{\"format\": \"sepx nb301 xgboost\", "
                           "\"version\": 1, \"members\": [\"../x\"]}",
                           &msg),
                     SEPX_EDATA);
    assert_string_equal(msg.text, "members[0] is no name of a file");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_codes_follow_the_file),
        cmocka_unit_test(test_lacking_settings_are_told),
        cmocka_unit_test(test_bad_files_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
