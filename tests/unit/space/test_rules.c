/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/check.h"

#include <string.h>

#include "library.h"

static struct sepx_rules
preset(const char *name, const char *space, const char *operator_name)
{
    struct sepx_rules rules;

    assert_int_equal(
        sepx_rules_preset(&rules, name, space, operator_name, NULL), SEPX_OK);
    return rules;
}

static void
each_rule_reads_back(void **state)
{
    const struct sepx_rule_info *info = sepx_rules_info();
    struct sepx_rules rules = preset("default", "nb101", "sep"), copy;

    (void)state;
    memset(&copy, 0, sizeof(copy));
    for (; info->name; info++) {
        char room[16], again[16];

        assert_non_null(sepx_rules_get(&rules, info->name, room));
        assert_int_equal(sepx_rules_set(&copy, info->name, room, NULL),
                         SEPX_OK);
        assert_string_equal(sepx_rules_get(&copy, info->name, again), room);
    }
    assert_int_equal(copy.trials, 50);
    assert_int_equal(copy.dangling, SEPX_DANGLING_MIXED);
    assert_true(copy.reorder && copy.differ && copy.grow);
    assert_true(copy.fresh == 20 && copy.repeat == 15 && copy.scores == 4);
    assert_int_equal(copy.ties, SEPX_TIES_MEAN);
}

static void
every_listed_value_is_taken(void **state)
{
    const struct sepx_rule_info *info = sepx_rules_info();
    struct sepx_rules rules = {0};

    (void)state;
    for (; info->name; info++) {
        char values[64], room[16], *value, *rest = values;

        if (strstr(info->values, "..")) /* a number */
            continue;
        assert_true(strlen(info->values) < sizeof(values));
        strcpy(values, info->values);
        while ((value = strtok_r(rest, "|", &rest))) {
            assert_int_equal(sepx_rules_set(&rules, info->name, value, NULL),
                             SEPX_OK);
            assert_string_equal(sepx_rules_get(&rules, info->name, room),
                                value);
        }
    }
    assert_int_equal(rules.order, SEPX_ORDER_KEEP);
    assert_int_equal(rules.judge, SEPX_ACCEPT_PUBLISHED);
}

static void
presets_are_what_the_scripts_do(void **state)
{
    struct sepx_rules r;

    (void)state;
    r = preset("published", "nb101", "mutation");
    assert_false(r.reorder || r.differ || r.grow);
    r = preset("published", "nb101", "standard");
    assert_true(r.trials == 0 && r.duplicates == SEPX_DUPLICATES_ALLOW);
    r = preset("published", "nb101", "sep");
    assert_true(r.trials == 1 && r.order == SEPX_ORDER_LIFO);
    r = preset("paper", "nb101", "sep");
    assert_true(r.trials == 50 && r.order == SEPX_ORDER_LIFO);
    r = preset("paper", "nb101", "standard");
    assert_int_equal(r.trials, 0);
    r = preset("published", "nbnlp", "standard");
    assert_true(r.coded && r.trials == 50);
    r = preset("published", "nbnlp", "sep");
    assert_int_equal(r.start, SEPX_START_LARGER);
    assert_true(!r.fresh && !r.repeat && r.ties == SEPX_TIES_FIRST);
    r = preset("default", "nbnlp", "sep");
    assert_int_equal(r.judge, SEPX_ACCEPT_SPACE);
    r = preset("default", "darts", "sep");
    assert_true(r.order == SEPX_ORDER_KEEP && !r.reorder && r.fresh);
    r = preset("plain", "darts", "sep");
    assert_true(r.order == SEPX_ORDER_RANDOM && r.reorder && !r.fresh);
    assert_int_equal(r.dangling, SEPX_DANGLING_AVOID);
}

static void
mistakes_are_explained(void **state)
{
    struct sepx_rules rules = {0};
    struct sepx_msg msg = {0};
    char room[16];

    (void)state;
    assert_int_equal(
        sepx_rules_preset(&rules, "publishd", "nb101", "sep", &msg),
        SEPX_ENOTFOUND);
    assert_string_equal(msg.text,
                        "unknown preset 'publishd'; did you mean 'published'? "
                        "(valid: default, plain, published, paper)");
    assert_int_equal(sepx_rules_set(&rules, "trial", "5", &msg),
                     SEPX_ENOTFOUND);
    assert_non_null(strstr(msg.text, "did you mean 'trials'?"));
    assert_int_equal(sepx_rules_set(&rules, "order", "last", &msg),
                     SEPX_EINVAL);
    assert_string_equal(msg.text, "rule order cannot be 'last'; use "
                                  "random|lifo|fifo|smallest|keep");
    assert_int_equal(sepx_rules_set(&rules, "order", "li", &msg), SEPX_EINVAL);
    assert_int_equal(sepx_rules_set(&rules, "trials", "-1", &msg), SEPX_EINVAL);
    assert_int_equal(sepx_rules_set(&rules, "trials", "1000001", &msg),
                     SEPX_EINVAL);
    assert_int_equal(sepx_rules_set(&rules, "trials", "12x", &msg),
                     SEPX_EINVAL);
    assert_int_equal(sepx_rules_set(&rules, "trials", "", &msg), SEPX_EINVAL);
    assert_int_equal(rules.trials, 0);
    assert_null(sepx_rules_get(&rules, "trial", room));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_reads_back),
        cmocka_unit_test(every_listed_value_is_taken),
        cmocka_unit_test(presets_are_what_the_scripts_do),
        cmocka_unit_test(mistakes_are_explained),
    };

    return cmocka_run_group_tests_name("rules", tests, NULL, NULL);
}
