/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of a study do not depend on which trial ended first. */
#include "unit/check.h"

#include <string.h>

#include "unit/faults.h"
#include "oracle/oracle_draw.h"
#include "sepx/study.h"

#define SEED 20230723
enum { TRIALS = 60 };

static const char *const ops[] = {"random", "mutation", "sep"};

/* Trial i; a third of them have no score. */
static struct sepx_entry
entry_of(const double *value, uint32_t i)
{
    return (struct sepx_entry){
        .is_asked = true,
        .is_told = true,
        .asked = {.trial = i, .op = ops[i % 3]},
        .told = {.trial = i,
                 .value = value[i],
                 .outcome = isnan(value[i]) ? "failed" : "scored",
                 .seconds = 1,
                 .elapsed = i,
                 .cached = i % 7 ? -1 : 0}};
}

static void
draw_values(double *value, struct sepx_rng *rng)
{
    for (uint32_t i = 0; i < TRIALS; i++)
        value[i] =
            sepx_rng_below(rng, 3) ? (double)sepx_rng_below(rng, 40) : NAN;
}

static enum sepx_err
add_all(struct sepx_study_summary *summary, const double *value,
        const uint32_t *order)
{
    enum sepx_err err = SEPX_OK;

    for (uint32_t i = 0; i < TRIALS && !err; i++) {
        struct sepx_entry entry = entry_of(value, order ? order[i] : i);

        err = sepx_study_summary_add(summary, &entry);
    }
    return err;
}

static const struct sepx_study_operator *
find(const struct sepx_study_summary *summary, const char *name)
{
    uint32_t i = 0;

    while (strcmp(summary->op[i].name, name))
        i++;
    return &summary->op[i];
}

static void
assert_same(const struct sepx_study_summary *x,
            const struct sepx_study_summary *y)
{
    assert_int_equal(x->told, y->told);
    assert_int_equal(x->cached, y->cached);
    assert_int_equal(x->n_curve, y->n_curve);
    assert_memory_equal(x->outcome, y->outcome, sizeof x->outcome);
    CHECK_NEAR(x->best, y->best, 0);
    assert_int_equal(x->best_trial, y->best_trial);
    assert_int_equal(x->since, y->since);
    for (size_t i = 0; i < x->n_curve; i++)
        CHECK_NEAR(x->curve[i], y->curve[i], 0);
    for (int i = 0; i < 3; i++) {
        const struct sepx_study_operator *a = find(x, ops[i]);
        const struct sepx_study_operator *b = find(y, ops[i]);

        assert_int_equal(a->told, b->told);
        assert_int_equal(a->improved, b->improved);
    }
}

static void
test_any_order_gives_the_same_numbers(void **state)
{
    (void)state;
    for (uint32_t trial = 0; trial < 200; trial++) {
        struct sepx_study_summary ordered = {0}, mixed = {0};
        struct sepx_rng rng;
        uint32_t order[TRIALS];
        double value[TRIALS];

        sepx_rng_init(&rng, SEED, 0, trial, 0);
        draw_values(value, &rng);
        draw_order(order, TRIALS, &rng);
        assert_int_equal(add_all(&ordered, value, NULL), SEPX_OK);
        assert_int_equal(add_all(&mixed, value, order), SEPX_OK);
        assert_same(&ordered, &mixed);
        sepx_study_summary_release(&ordered);
        sepx_study_summary_release(&mixed);
    }
}

static void
test_new_bests_are_those_in_the_order_of_trials(void **state)
{
    static const double value[] = {5, 3, 4, 1, 2};
    static const uint32_t order[] = {3, 4, 0, 2, 1};
    struct sepx_study_summary s = {0};

    (void)state;
    for (int i = 0; i < 5; i++) {
        struct sepx_entry entry = entry_of(value, order[i]);

        assert_int_equal(sepx_study_summary_add(&s, &entry), SEPX_OK);
        assert_true(s.best == 1 && s.best_trial == 3);
    }
    assert_true(s.curve[0] == 5 && s.curve[1] == 3 && s.curve[2] == 3);
    assert_int_equal(find(&s, "random")->improved, 2);   /* 0 and 3 */
    assert_int_equal(find(&s, "mutation")->improved, 1); /* 1, not 4 */
    assert_int_equal(find(&s, "sep")->improved, 0);
    sepx_study_summary_release(&s);
}

/* One more trial; NaN: it failed. */
static void
add_one(struct sepx_study_summary *s, const char *op, double value)
{
    struct sepx_entry entry = entry_of(&value, 0);

    entry.asked.trial = entry.told.trial = s->told;
    entry.asked.op = op;
    assert_int_equal(sepx_study_summary_add(s, &entry), SEPX_OK);
}

static void
test_a_random_start_lasts_until_another_operator(void **state)
{
    struct sepx_study_summary s = {.start = {.trials = 4}};
    uint32_t done, total;

    (void)state;
    assert_false(sepx_study_starts(&s, &done, &total));
    add_one(&s, "imported", 3);
    assert_false(sepx_study_starts(&s, &done, &total));
    for (uint32_t i = 0; i < 5; i++) {
        add_one(&s, i == 2 ? "added" : "random", i ? 2 : NAN);
        assert_true(sepx_study_starts(&s, &done, &total));
        assert_int_equal(done, i + 2 < 4 ? i + 2 : 4);
        assert_int_equal(total, 4);
    }
    add_one(&s, "mutation", 1);
    assert_false(sepx_study_starts(&s, &done, &total));
    sepx_study_summary_release(&s);
}

static void
test_a_random_start_may_count_scores(void **state)
{
    struct sepx_study_summary s = {.start = {.scores = 4}};
    uint32_t done, total;

    (void)state;
    add_one(&s, "random", NAN);
    assert_true(sepx_study_starts(&s, &done, &total));
    assert_int_equal(done, 0);
    add_one(&s, "random", 3);
    assert_true(sepx_study_starts(&s, &done, &total));
    assert_int_equal(done, 1);
    assert_int_equal(total, 4);
    s.start = (struct sepx_method_start){0};
    assert_false(sepx_study_starts(&s, &done, &total));
    sepx_study_summary_release(&s);
}

static void
test_every_allocation_may_fail(void **state)
{
    double value[TRIALS];
    struct sepx_rng rng;

    (void)state;
    sepx_rng_init(&rng, SEED, 1, 0, 0);
    draw_values(value, &rng);
    EACH_FAULT (fault) {
        struct sepx_study_summary s = {0};

        fault.err = add_all(&s, value, NULL);
        sepx_study_summary_release(&s);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_order_gives_the_same_numbers),
        cmocka_unit_test(test_new_bests_are_those_in_the_order_of_trials),
        cmocka_unit_test(test_a_random_start_lasts_until_another_operator),
        cmocka_unit_test(test_a_random_start_may_count_scores),
        cmocka_unit_test(test_every_allocation_may_fail),
    };

    print_message("seed %d\n", SEED);
    return cmocka_run_group_tests_name("summary", tests, NULL, NULL);
}
