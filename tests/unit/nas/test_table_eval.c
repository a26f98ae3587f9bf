/* SPDX-License-Identifier: Apache-2.0 */
/* The score is the error of one trial; what is reported is the mean. */
#include "unit/tfrecord.h"

#include <stdlib.h>
#include <unistd.h>

#include "library.h"
#include "unit/faults.h"

static char path[] = "/tmp/sepx-table-eval-XXXXXX";

struct fixture {
    struct sepx_space *space;
    struct sepx_eval *eval;
    struct sepx_eval_worker *worker;
    struct sepx_graph graph;
};

static double
count(unsigned images)
{
    return (double)(float)(images / 9984.0);
}

/* One cell through a pool; three trials at 12 and 108 epochs. */
static int
write_table(void **state)
{
    static const struct sepx_nb101_cell cell = {
        .nodes = 3, .edges = 5, .op = {0, 2}};
    struct sepx_text source = {0}, bytes = {0};
    struct sepx_table_builder *builder;
    int fd = mkstemp(path);

    (void)state;
    for (unsigned t = 0; t < 3; t++)
        for (unsigned late = 0; late < 2; late++) {
            struct training one = {.cell = &cell,
                                   .epochs = late ? 108 : 12,
                                   .seconds = late ? 1000 + t : 100 + t,
                                   .validation = count(9000 + 100 * late + t),
                                   .test = count(8000 + 100 * late + 3 * t)};

            add_training(&source, &one);
        }
    assert_int_equal(sepx_table_builder_new(&builder, NULL), SEPX_OK);
    assert_int_equal(
        sepx_table_builder_tfrecord_bytes(builder, source.at, source.len, NULL),
        SEPX_OK);
    assert_int_equal(sepx_table_builder_write(builder, &bytes, NULL), SEPX_OK);
    assert_int_equal(write(fd, bytes.at, bytes.len), (ssize_t)bytes.len);
    assert_int_equal(close(fd), 0);
    sepx_table_builder_free(builder);
    sepx_text_release(&bytes);
    sepx_text_release(&source);
    return 0;
}

static int
remove_table(void **state)
{
    (void)state;
    return unlink(path);
}

static enum sepx_err
try_open(struct fixture *f, const char *ending, struct sepx_msg *msg)
{
    struct sepx_nb101_cell cell = {.nodes = 3, .edges = 5, .op = {0, 2}};
    char text[128];
    enum sepx_err err;

    *f = (struct fixture){0};
    snprintf(text, sizeof(text), "table:%s%s", path, ending);
    err = sepx_space_open(&f->space, "nb101", msg);
    if (!err)
        err = sepx_eval_open(&f->eval, f->space, text, msg);
    if (!err)
        err = sepx_eval_worker_new(&f->worker, f->eval, NULL);
    if (!err)
        err = sepx_nb101_cell_graph(&cell, &f->graph, f->space);
    return err;
}

static void
close_all(struct fixture *f)
{
    sepx_graph_release(&f->graph);
    sepx_eval_worker_free(f->worker);
    sepx_eval_close(f->eval);
    sepx_space_close(f->space);
}

static struct sepx_score
score_of(struct fixture *f, double fidelity, uint32_t trial)
{
    struct sepx_eval_job job = {.graph = &f->graph,
                                .fidelity = fidelity,
                                .seed = 5,
                                .run = 2,
                                .trial = trial};
    struct sepx_score score;

    assert_int_equal(sepx_eval_score(f->worker, &score, &job), SEPX_OK);
    return score;
}

/* Each trial is drawn sometimes, with its own time; the mean stays. */
static void
values_are_those_of_one_trial(void **state)
{
    unsigned seen[3] = {0};
    struct fixture f;

    (void)state;
    assert_int_equal(try_open(&f, "", NULL), SEPX_OK);
    for (uint32_t i = 0; i < 300; i++) {
        struct sepx_score score = score_of(&f, 1, i);
        unsigned t = (unsigned)(score.cost - 1000);

        assert_true(t < 3);
        assert_true(score.value == 1 - count(9100 + t));
        CHECK_NEAR(score.test, 1 - 8103 / 9984.0, 1e-6);
        seen[t]++;
    }
    for (unsigned t = 0; t < 3; t++)
        CHECK(seen[t] > 60, "trial %u drawn %u times", t, seen[t]);
    assert_true(sepx_eval_optimum(f.eval) == 1 - count(9102));
    CHECK_NEAR(sepx_eval_optimum_test(f.eval), 1 - 8103 / 9984.0, 1e-6);
    assert_null(sepx_eval_source(f.eval));
    assert_int_equal(sepx_eval_measure(f.eval), SEPX_MEASURE_ERROR);
    close_all(&f);
}

static void
the_same_evaluation_draws_the_same_trial(void **state)
{
    struct fixture f;

    (void)state;
    assert_int_equal(try_open(&f, "", NULL), SEPX_OK);
    for (uint32_t i = 0; i < 20; i++)
        assert_true(score_of(&f, 1, i).value == score_of(&f, 1, i).value);
    close_all(&f);
}

/* 4 and 36 epochs are not known: the next budget that is. */
static void
fidelity_is_the_next_budget_from_above(void **state)
{
    static const struct {
        double fidelity, least_cost;
    } cases[] = {{1 / 27.0, 100}, {1 / 9.0, 100}, {1 / 3.0, 1000},
                 {1, 1000},       {0.001, 100},   {0.2, 1000}};
    struct fixture f;

    (void)state;
    assert_int_equal(try_open(&f, "", NULL), SEPX_OK);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        double cost = score_of(&f, cases[i].fidelity, 0).cost;

        CHECK(cost >= cases[i].least_cost && cost < cases[i].least_cost + 3,
              "fidelity %g costs %g", cases[i].fidelity, cost);
    }
    close_all(&f);
}

static void
without_noise_the_value_is_the_mean(void **state)
{
    struct fixture f;
    struct sepx_score score;

    (void)state;
    assert_int_equal(try_open(&f, ",noise=no", NULL), SEPX_OK);
    score = score_of(&f, 1, 0);
    assert_true(score.value == score.test);
    CHECK_NEAR(score.value, 1 - 8103 / 9984.0, 1e-6);
    assert_true(sepx_eval_optimum(f.eval) == score.value);
    close_all(&f);
}

static void
unknown_and_invalid_cells_are_unfit(void **state)
{
    struct fixture f;
    struct sepx_score score;

    (void)state;
    assert_int_equal(try_open(&f, "", NULL), SEPX_OK);
    f.graph.label[1]--;
    score = score_of(&f, 1, 0);
    assert_true(isnan(score.value));
    assert_int_equal(score.outcome, SEPX_UNFIT);
    sepx_graph_clear(&f.graph);
    score = score_of(&f, 1, 0);
    assert_true(isnan(score.value));
    assert_int_equal(score.outcome, SEPX_UNFIT);
    close_all(&f);
}

static void
no_allocation_is_lost_when_one_fails(void **state)
{
    (void)state;
    EACH_FAULT (fault) {
        struct fixture f;

        fault.err = try_open(&f, ",noise=no", NULL);
        close_all(&f);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_one_trial),
        cmocka_unit_test(the_same_evaluation_draws_the_same_trial),
        cmocka_unit_test(fidelity_is_the_next_budget_from_above),
        cmocka_unit_test(without_noise_the_value_is_the_mean),
        cmocka_unit_test(unknown_and_invalid_cells_are_unfit),
        cmocka_unit_test(no_allocation_is_lost_when_one_fails),
    };

    return cmocka_run_group_tests(tests, write_table, remove_table);
}
