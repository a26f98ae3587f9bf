/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/check.h"

#include <stdlib.h>
#include <string.h>

#include "nas/nb101/nb101_model.h"
#include "nas/nb101/nb101_noise.h"
#include "sepx/eval.h"
#include "unit/ranks.h"
#include "unit/shared.h"

struct fixture {
    struct sepx_space *space;
    struct sepx_eval *eval;
    struct sepx_eval_worker *worker;
};

static void
open_text(struct fixture *f, const char *text)
{
    struct sepx_msg msg;

    assert_int_equal(sepx_space_open(&f->space, "nb101", &msg), SEPX_OK);
    assert_int_equal(sepx_eval_open(&f->eval, f->space, text, &msg), SEPX_OK);
    assert_int_equal(sepx_eval_worker_new(&f->worker, f->eval, NULL), SEPX_OK);
}

static void
close_all(struct fixture *f)
{
    sepx_eval_worker_free(f->worker);
    sepx_eval_close(f->eval);
    sepx_space_close(f->space);
}

static struct sepx_score
score(const struct fixture *f, const struct sepx_graph *graph, double fidelity,
      uint32_t trial)
{
    struct sepx_eval_job job = {.graph = graph,
                                .fidelity = fidelity,
                                .seed = 5,
                                .run = 1,
                                .trial = trial};
    struct sepx_score out;

    assert_int_equal(sepx_eval_score(f->worker, &out, &job), SEPX_OK);
    return out;
}

static void
sample(const struct fixture *f, struct sepx_graph *graph, uint32_t number)
{
    struct sepx_rng rng;

    sepx_rng_init(&rng, 11, 0, number, 0);
    assert_int_equal(sepx_space_sample(f->space, graph, &rng), SEPX_OK);
}

static void
test_each_cell_has_three_trials(void **state)
{
    struct fixture f;
    struct sepx_graph graph = {0};

    (void)state;
    open_text(&f, "surrogate:");
    for (uint32_t k = 0; k < 30; k++) {
        double value[3] = {0};
        unsigned count = 0;

        sample(&f, &graph, k);
        for (uint32_t trial = 0; trial < 60; trial++) {
            struct sepx_score got = score(&f, &graph, 1, trial);
            unsigned i = 0;

            assert_int_equal(got.outcome, SEPX_SCORED);
            while (i < count && value[i] != got.value)
                i++;
            CHECK(i < 3, "graph %u has a fourth trial", k);
            value[i] = got.value;
            count += i == count;
        }
        CHECK(count > 1, "graph %u", k);
    }
    sepx_graph_release(&graph);
    close_all(&f);
}

static void
test_less_fidelity_is_cheaper_and_worse(void **state)
{
    static const double share[] = {4 / 108.0, 12 / 108.0, 36 / 108.0, 1};
    double value[4] = {0}, cost[4] = {0};
    struct fixture f;
    struct sepx_graph graph = {0};

    (void)state;
    open_text(&f, "surrogate:");
    for (uint32_t k = 0; k < 300; k++) {
        sample(&f, &graph, k);
        for (unsigned b = 0; b < 4; b++) {
            struct sepx_score got = score(&f, &graph, share[b], k);

            value[b] += got.value / 300;
            cost[b] += got.cost / 300;
        }
    }
    for (unsigned b = 1; b < 4; b++) {
        CHECK(value[b] < value[b - 1], "%g", value[b]);
        CHECK_NEAR(cost[b], 3 * cost[b - 1], 1e-9);
    }
    CHECK(cost[3] > 1000 && cost[3] < 4000, "%g", cost[3]);
    sepx_graph_release(&graph);
    close_all(&f);
}

static void
test_budgets_suffice_for_the_share(void **state)
{
    (void)state;
    assert_int_equal(sepx__nb101_budget(0), 0);
    assert_int_equal(sepx__nb101_budget(4 / 108.0), 0);
    assert_int_equal(sepx__nb101_budget(0.1), 1);
    assert_int_equal(sepx__nb101_budget(1 / 9.0), 1);
    assert_int_equal(sepx__nb101_budget(0.5), 3);
    assert_int_equal(sepx__nb101_budget(1), 3);
}

static void
test_without_noise_value_is_test(void **state)
{
    struct fixture f;
    struct sepx_graph graph = {0};

    (void)state;
    open_text(&f, "surrogate:noise=no");
    assert_string_equal(sepx_eval_source(f.eval), "surrogate");
    assert_int_equal(sepx_eval_measure(f.eval), SEPX_MEASURE_ERROR);
    CHECK(sepx_eval_optimum(f.eval) == sepx_eval_optimum_test(f.eval), " ");
    for (uint32_t k = 0; k < 30; k++) {
        struct sepx_score got;

        sample(&f, &graph, k);
        got = score(&f, &graph, 1, k);
        CHECK(got.value == got.test, "graph %u", k);
        CHECK(score(&f, &graph, 0.1, k).value > got.value, "graph %u", k);
    }
    sepx_graph_release(&graph);
    close_all(&f);
}

static void
test_bad_arguments_are_told(void **state)
{
    static const char *const bad[] = {"surrogate:file", "surrogate:noise=on",
                                      "surrogate:spread=0.1",
                                      "surrogate:noise=no,x"};
    struct sepx_space *space;
    struct sepx_eval *eval;
    struct sepx_msg msg;

    (void)state;
    assert_int_equal(sepx_space_open(&space, "nb101", &msg), SEPX_OK);
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(sepx_eval_open(&eval, space, bad[i], &msg),
                         SEPX_EINVAL);
    sepx_space_close(space);
    assert_int_equal(sepx_space_open(&space, "darts", &msg), SEPX_OK);
    assert_int_equal(sepx_eval_open(&eval, space, "surrogate:", &msg),
                     SEPX_EINVAL);
    assert_string_equal(msg.text, "evaluator 'surrogate' scores graphs of "
                                  "space 'nb101', not 'darts'");
    sepx_space_close(space);
}

/* ---- over all cells ---- */

struct all {
    struct sepx_nb101_cells *cells;
    double *test; /* modelled */
};

static enum sepx_err
model_cell(void *context, unsigned worker, size_t row)
{
    struct all *all = context;
    struct sepx_nb101_cell cell;

    (void)worker;
    sepx_nb101_cells_get(all->cells, &cell, (uint32_t)row);
    all->test[row] = sepx__nb101_model(&cell);
    return SEPX_OK;
}

/* As surrogate.c draws them. */
static double
best_trial(const struct all *all, uint32_t row)
{
    struct sepx__nb101_trials trials;
    struct sepx_nb101_cell cell;
    struct sepx_rng rng;
    double *late = trials.validation[3];

    sepx_nb101_cells_get(all->cells, &cell, row);
    sepx_rng_init(&rng, 0x63656c6c, 0, sepx_nb101_cell_code(&cell), 0);
    sepx__nb101_noise_draw(&trials, all->test[row], &rng);
    return fmax(fmax(late[0], late[1]), late[2]);
}

static void
test_optima_are_those_of_all_cells(void **state)
{
    const struct all *all = *state;
    double best = 0, validation = 0;
    struct fixture f;

    for (uint32_t row = 0; row < SEPX_NB101_CELLS; row++) {
        best = fmax(best, all->test[row]);
        validation = fmax(validation, best_trial(all, row));
    }
    open_text(&f, "surrogate:");
    print_message("best test %.7f, best trial %g of 9984\n", best,
                  validation * 9984);
    CHECK(sepx_eval_optimum_test(f.eval) == 1 - best, "%.9g", best);
    CHECK(sepx_eval_optimum(f.eval) == 1 - validation, "%.9g",
          validation * 9984);
    close_all(&f);
}

static void
test_ranks_other_cells(void **state)
{
    const struct all *all = *state;
    struct ranked *at = calloc(SEPX_NB101_CELLS, sizeof *at);
    FILE *file = shared_open("data/nb101/test_sum.u16");
    size_t n = 0, good;
    double overall, top;

    if (!file) {
        free(at);
        skip();
    }
    for (uint32_t row = 0; row < SEPX_NB101_CELLS; row++) {
        int low = getc(file), high = getc(file);

        if (sepx_nb101_cells_hash(all->cells, row)[15] & 1)
            at[n++] = (struct ranked){all->test[row], low + 256 * high};
    }
    fclose(file);
    qsort(at, n, sizeof *at, by_want);
    good = n / 20;
    top = spearman(at + n - good, good);
    for (size_t i = n - good; i < n; i++)
        at[i].want += (double)n; /* ranks among the best: above all others */
    overall = spearman(at, n);
    print_message("Spearman %.4f of %zu cells, %.4f of the best 5 %%\n",
                  overall, n, top);
    free(at);
    CHECK(overall > 0.98, "%g", overall);
    CHECK(top > 0.6, "%g", top);
}

static int
setup_all(void **state)
{
    struct all *all = calloc(1, sizeof *all);

    *state = all;
    all->test = calloc(SEPX_NB101_CELLS, sizeof *all->test);
    assert_int_equal(sepx_nb101_cells_new(&all->cells, 0, NULL, NULL), SEPX_OK);
    return sepx_parallel(0, SEPX_NB101_CELLS, model_cell, all);
}

static int
teardown_all(void **state)
{
    struct all *all = *state;

    sepx_nb101_cells_free(all->cells);
    free(all->test);
    free(all);
    return 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_cell_has_three_trials),
        cmocka_unit_test(test_less_fidelity_is_cheaper_and_worse),
        cmocka_unit_test(test_budgets_suffice_for_the_share),
        cmocka_unit_test(test_without_noise_value_is_test),
        cmocka_unit_test(test_bad_arguments_are_told),
    };
    const struct CMUnitTest all[] = {
        cmocka_unit_test(test_optima_are_those_of_all_cells),
        cmocka_unit_test(test_ranks_other_cells),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed + cmocka_run_group_tests(all, setup_all, teardown_all);
}
