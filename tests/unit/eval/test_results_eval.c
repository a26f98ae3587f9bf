/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics of a table as value, test and cost. */
#include "unit/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "library.h"

static const char space_text[] =
    "{\"format\":\"sepx-space\",\"version\":1,\"nodes\":{"
    "\"in\":{\"role\":\"input\",\"count\":1},"
    "\"out\":{\"role\":\"output\",\"count\":1},\"a\":{},\"b\":{}},"
    "\"limits\":{\"nodes\":[2,4],\"edges\":[1,6]}}";
static const char rows[] =
    "{\"nodes\":[\"in\",\"a\",\"out\"],\"edges\":[[0,1],[1,2]],"
    "\"acc\":90,\"top\":80,\"s\":12,\"-odd\":5}\n"
    "{\"nodes\":[\"in\",\"b\",\"out\"],\"edges\":[[0,1],[1,2]],"
    "\"acc\":70,\"top\":85,\"-odd\":6}\n"
    "{\"nodes\":[\"in\",\"out\"],\"edges\":[[0,1]],\"s\":1,\"-odd\":7}\n";

static char path[] = "/tmp/sepx-results-eval-XXXXXX";

struct fixture {
    struct sepx_space *space;
    struct sepx_eval *eval;
    struct sepx_eval_worker *worker;
    struct sepx_msg msg;
};

static int
write_table(void **state)
{
    struct sepx_results_builder *builder;
    struct sepx_space *space;
    struct sepx_text bytes = {0};
    int fd = mkstemp(path);

    (void)state;
    assert_int_equal(sepx_space_open_text(&space, space_text,
                                          strlen(space_text), "test", NULL),
                     SEPX_OK);
    assert_int_equal(sepx_results_builder_new(&builder, space, NULL), SEPX_OK);
    assert_int_equal(
        sepx_results_builder_read(builder, rows, strlen(rows), "rows", NULL),
        SEPX_OK);
    assert_int_equal(sepx_results_builder_write(builder, &bytes, NULL),
                     SEPX_OK);
    assert_int_equal(write(fd, bytes.at, bytes.len), (ssize_t)bytes.len);
    assert_int_equal(close(fd), 0);
    sepx_results_builder_free(builder);
    sepx_space_close(space);
    sepx_text_release(&bytes);
    return 0;
}

static int
remove_table(void **state)
{
    (void)state;
    return unlink(path);
}

static enum sepx_err
try_open(struct fixture *f, const char *ending)
{
    char text[256];
    enum sepx_err err;

    *f = (struct fixture){0};
    snprintf(text, sizeof text, "table:%s%s", path, ending);
    err = sepx_space_open_text(&f->space, space_text, strlen(space_text),
                               "test", &f->msg);
    if (!err)
        err = sepx_eval_open(&f->eval, f->space, text, &f->msg);
    if (!err)
        err = sepx_eval_worker_new(&f->worker, f->eval, &f->msg);
    return err;
}

static void
finish(struct fixture *f)
{
    sepx_eval_worker_free(f->worker);
    sepx_eval_close(f->eval);
    sepx_space_close(f->space);
}

static struct sepx_score
score(struct fixture *f, const char *label, struct sepx_eval_output *output)
{
    struct sepx_graph graph = {0};
    struct sepx_score got;
    struct sepx_eval_job job = {
        .graph = &graph, .fidelity = 1, .output = output};
    char text[100];

    snprintf(text, sizeof text,
             *label ? "{\"nodes\":[\"out\",\"%s\",\"in\"],"
                      "\"edges\":[[2,1],[1,0]]}"
                    : "{\"nodes\":[\"in\",\"out\"],\"edges\":[[0,1]]}",
             label);
    assert_int_equal(sepx_graph_read(&graph, sepx_space_names(f->space), text,
                                     strlen(text), SEPX_FORMAT_JSON, NULL),
                     SEPX_OK);
    assert_int_equal(sepx_eval_score(f->worker, &got, &job), SEPX_OK);
    sepx_graph_release(&graph);
    return got;
}

static void
test_larger_is_better_with_a_minus_or_max(void **state)
{
    static const char *const endings[] = {",score=-acc,test=top,cost=s",
                                          ",cost=s,test=top,score=acc:max"};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct sepx_eval_output output = {0};
        struct fixture f;
        struct sepx_score got;

        assert_int_equal(try_open(&f, endings[i]), SEPX_OK);
        assert_true(sepx_eval_maximized(f.eval));
        assert_true(sepx_eval_optimum(f.eval) == -90);
        assert_true(sepx_eval_optimum_test(f.eval) == -85);
        got = score(&f, "a", &output);
        assert_true(got.value == -90 && got.test == -80 && got.cost == 12);
        assert_string_equal(output.answer,
                            "{\"acc\":90,\"top\":80,\"s\":12,\"-odd\":5}");
        sepx_eval_output_release(&output);
        got = score(&f, "b", NULL);
        assert_true(got.value == -70 && got.test == -85 && got.cost == 1);
        finish(&f);
    }
}

static void
test_smaller_is_better_otherwise(void **state)
{
    struct fixture f;

    (void)state;
    assert_int_equal(try_open(&f, ",score=acc"), SEPX_OK);
    assert_false(sepx_eval_maximized(f.eval));
    assert_true(sepx_eval_optimum(f.eval) == 70);
    assert_true(score(&f, "a", NULL).test == 90);
    finish(&f);
    /* A metric may begin with a minus. */
    assert_int_equal(try_open(&f, ",score=-odd"), SEPX_OK);
    assert_true(sepx_eval_optimum(f.eval) == 5);
    finish(&f);
}

/* Neither a graph without a row nor one without that metric has a score. */
static void
test_what_is_not_known_is_unfit(void **state)
{
    struct fixture f;
    struct sepx_score got;

    (void)state;
    assert_int_equal(try_open(&f, ",score=acc"), SEPX_OK);
    got = score(&f, "", NULL);
    assert_true(isnan(got.value));
    assert_int_equal(got.outcome, SEPX_UNFIT);
    finish(&f);
}

/* Objectives and constraints may be any metrics. */
static void
test_numbers(void **state)
{
    static const char *const names[] = {"s", "acc", "test", NULL};
    static const char *const unknown[] = {"ms", NULL};
    struct fixture f;
    struct sepx_score got;

    (void)state;
    assert_int_equal(try_open(&f, ",test=top"), SEPX_EINVAL);
    sepx_eval_worker_free(f.worker);
    assert_int_equal(sepx_eval_want(f.eval, unknown, &f.msg), SEPX_EINVAL);
    assert_string_equal(
        f.msg.text,
        "table: there is no metric 'ms' (metrics: acc, top, s, -odd)");
    assert_int_equal(sepx_eval_want(f.eval, names, &f.msg), SEPX_OK);
    assert_int_equal(sepx_eval_worker_new(&f.worker, f.eval, &f.msg), SEPX_OK);
    got = score(&f, "a", NULL);
    assert_int_equal(got.outcome, SEPX_SCORED);
    assert_true(got.number[0] == 12 && got.number[1] == 90);
    assert_true(got.number[2] == 80);
    assert_int_equal(score(&f, "b", NULL).outcome, SEPX_UNFIT);
    finish(&f);
}

static void
test_mistakes(void **state)
{
    static const struct {
        const char *ending, *message;
    } wrong[] = {
        {"", "table: which metric is the score? write table:FILE,score=NAME, "
             "or score=-NAME if larger is better (metrics: acc, top, s, "
             "-odd)"},
        {",score=loss",
         "table: there is no metric 'loss' (metrics: acc, top, s, -odd)"},
        {",score=acc,test=loss",
         "table: there is no metric 'loss' (metrics: acc, top, s, -odd)"},
        {",score=acc,score=s", "table: score= is there twice"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct fixture f;

        assert_int_equal(try_open(&f, wrong[i].ending), SEPX_EINVAL);
        assert_string_equal(f.msg.text, wrong[i].message);
        finish(&f);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_larger_is_better_with_a_minus_or_max),
        cmocka_unit_test(test_smaller_is_better_otherwise),
        cmocka_unit_test(test_what_is_not_known_is_unfit),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_mistakes),
    };

    return cmocka_run_group_tests(tests, write_table, remove_table);
}
