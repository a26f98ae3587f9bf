/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What docs/results.md says of the default rules, with fewer runs: how often
 * SEP is at the optimum, and what it is ahead of.
 */
#include "unit/check.h"

#include <stdlib.h>

#include "sepx/run.h"

struct problem {
    struct sepx_space *space;
    struct sepx_eval *eval;
    uint32_t runs, evals;
};

static void
open_problem(struct problem *p, const char *space, const char *eval,
             uint32_t runs, uint32_t evals)
{
    *p = (struct problem){.runs = runs, .evals = evals};
    assert_int_equal(sepx_space_open(&p->space, space, NULL), SEPX_OK);
    assert_int_equal(sepx_eval_open(&p->eval, p->space, eval, NULL), SEPX_OK);
}

static void
close_problem(struct problem *p)
{
    sepx_eval_close(p->eval);
    sepx_space_close(p->space);
}

static void
make_runs(const struct problem *p, struct sepx_runs *runs, const char *text)
{
    struct sepx_method *method;
    struct sepx_run_plan plan = {
        .eval = p->eval, .seed = 1, .runs = p->runs, .evals = p->evals};

    assert_int_equal(sepx_method_new(&method, p->space, text, NULL, NULL, NULL),
                     SEPX_OK);
    plan.method = method;
    assert_int_equal(sepx_runs_make(runs, &plan), SEPX_OK);
    sepx_method_free(method);
}

static double
share_at_optimum(const struct sepx_runs *runs, uint32_t evals)
{
    size_t count = 0;

    for (size_t i = 0; i < runs->count; i++)
        count += runs->at[i].curve[evals - 1] == 0;
    return (double)count / (double)runs->count;
}

/* `ahead` has the smaller scores after so many evaluations, p < 0.001. */
static void
check_ahead(const struct sepx_runs *ahead, const struct sepx_runs *behind,
            uint32_t evals, const char *name)
{
    double *x = calloc(ahead->count + behind->count, sizeof *x);
    struct sepx_mann_whitney test;

    assert_non_null(x);
    sepx_runs_at(ahead, evals, x);
    sepx_runs_at(behind, evals, x + ahead->count);
    assert_int_equal(sepx_mann_whitney(&test, x, ahead->count, x + ahead->count,
                                       behind->count),
                     SEPX_OK);
    CHECK(test.p < 0.001 && test.effect > 0.5, "%s at %u: p %g, effect %g",
          name, evals, test.p, test.effect);
    free(x);
}

static void
test_sep_finds_the_best_cell(void **state)
{
    struct problem p;
    struct sepx_runs sep, standard;

    (void)state;
    open_problem(&p, "nb101", "target:optimum", 100, 1000);
    make_runs(&p, &sep, "sep");
    make_runs(&p, &standard, "standard");
    CHECK(share_at_optimum(&sep, 300) >= 0.8, "%g",
          share_at_optimum(&sep, 300));
    CHECK(share_at_optimum(&sep, 500) >= 0.98, "%g",
          share_at_optimum(&sep, 500));
    CHECK(share_at_optimum(&sep, 1000) == 1, "%g",
          share_at_optimum(&sep, 1000));
    check_ahead(&sep, &standard, 300, "standard");
    sepx_runs_release(&sep);
    sepx_runs_release(&standard);
    close_problem(&p);
}

static void
check_recurrent(const char *target)
{
    static const char *const others[] = {"random", "mutation", "standard",
                                         "local"};
    struct problem p;
    struct sepx_runs sep, other;

    open_problem(&p, "nbnlp", target, 16, 1000);
    make_runs(&p, &sep, "sep");
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        make_runs(&p, &other, others[i]);
        check_ahead(&sep, &other, 1000, others[i]);
        sepx_runs_release(&other);
    }
    sepx_runs_release(&sep);
    close_problem(&p);
}

static void
test_sep_is_ahead_on_gru(void **state)
{
    (void)state;
    check_recurrent("target:gru");
}

static void
test_sep_is_ahead_on_lstm(void **state)
{
    (void)state;
    check_recurrent("target:lstm");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sep_finds_the_best_cell),
        cmocka_unit_test(test_sep_is_ahead_on_gru),
        cmocka_unit_test(test_sep_is_ahead_on_lstm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
