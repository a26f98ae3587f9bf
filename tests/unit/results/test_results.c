/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of results: what is written is found, and nothing else. */
#include "unit/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "library.h"
#include "unit/faults.h"

/* Dead nodes are no part of a graph's identity here. */
static const char space_text[] =
    "{\"format\":\"sepx-space\",\"version\":1,\"nodes\":{"
    "\"in\":{\"role\":\"input\",\"count\":1},"
    "\"out\":{\"role\":\"output\",\"count\":1},\"a\":{},\"b\":{}},"
    "\"limits\":{\"nodes\":[2,5],\"edges\":[1,8]},\"connected\":\"pruned\"}";

/* The chain through a; the same with a dead b; the chain through b. */
#define CHAIN_A "\"nodes\":[\"in\",\"a\",\"out\"],\"edges\":[[0,1],[1,2]]"
#define DEAD_A \
    "\"nodes\":[\"out\",\"b\",\"a\",\"in\"],\"edges\":[[3,2],[2,0],[3,1]]"
#define CHAIN_B "\"nodes\":[\"in\",\"b\",\"out\"],\"edges\":[[0,1],[1,2]]"

struct fixture {
    struct sepx_space *space;
    struct sepx_text bytes;
    struct sepx_results *results;
    struct sepx_msg msg;
};

static enum sepx_err
make(struct fixture *f, const char *rows,
     const struct sepx_results_options *options)
{
    struct sepx_results_builder *builder = NULL;
    enum sepx_err err = sepx_space_open_text(
        &f->space, space_text, strlen(space_text), "test", &f->msg);

    if (!err)
        err = sepx_results_builder_new(&builder, f->space, options);
    if (!err)
        err = sepx_results_builder_read(builder, rows, strlen(rows), "rows",
                                        &f->msg);
    if (!err)
        err = sepx_results_builder_write(builder, &f->bytes, &f->msg);
    if (!err)
        err = sepx_results_open_bytes(&f->results, f->bytes.at, f->bytes.len,
                                      &f->msg);
    sepx_results_builder_free(builder);
    return err;
}

static void
finish(struct fixture *f)
{
    sepx_results_close(f->results);
    sepx_text_release(&f->bytes);
    sepx_space_close(f->space);
}

/* The metric of a graph, or NaN; `known` may be NULL. */
static double
ask(struct fixture *f, const char *graph, const char *metric, bool *known)
{
    struct sepx_graph g = {0};
    uint32_t entry;
    bool is;
    int m = sepx_results_find_metric(f->results, metric);

    assert_true(m >= 0);
    assert_int_equal(sepx_graph_read(&g, sepx_space_names(f->space), graph,
                                     strlen(graph), SEPX_FORMAT_JSON, &f->msg),
                     SEPX_OK);
    assert_int_equal(sepx_results_find(f->results, &entry, &is, f->space, &g),
                     SEPX_OK);
    sepx_graph_release(&g);
    if (known)
        *known = is;
    return is ? sepx_results_get(f->results, entry, (uint32_t)m) : NAN;
}

static void
test_a_graph_is_found_in_any_order_and_without_dead_nodes(void **state)
{
    struct fixture f = {0};
    bool known;

    (void)state;
    assert_int_equal(make(&f,
                          "{" CHAIN_A ",\"acc\":90.5,\"name\":\"x\"}\n\n"
                          "{\"graph\":{" CHAIN_B "},\"acc\":null,\"ms\":3}\n",
                          NULL),
                     SEPX_OK);
    assert_true(ask(&f, "{" DEAD_A "}", "acc", NULL) == 90.5);
    assert_true(isnan(ask(&f, "{" CHAIN_A "}", "ms", NULL)));
    assert_true(isnan(ask(&f, "{" CHAIN_B "}", "acc", &known)));
    assert_true(known);
    assert_true(ask(&f, "{" CHAIN_B "}", "ms", NULL) == 3);
    (void)ask(&f, "{\"nodes\":[\"in\",\"out\"],\"edges\":[[0,1]]}", "ms",
              &known);
    assert_false(known);
    assert_int_equal(sepx_results_find_metric(f.results, "name"), -1);
    assert_int_equal(sepx_results_verify(f.results, &f.msg), SEPX_OK);
    finish(&f);
}

static void
test_rows_of_one_graph_are_averaged(void **state)
{
    static const char rows[] = "{" CHAIN_A ",\"acc\":0.1,\"ms\":7}\n"
                               "{" DEAD_A ",\"acc\":0.2}\n"
                               "{" CHAIN_A ",\"acc\":0.6}\n"
                               "{" CHAIN_B ",\"acc\":0.1}\n"
                               "{" CHAIN_B ",\"acc\":0.1}\n"
                               "{" CHAIN_B ",\"acc\":0.1}\n";
    struct sepx_results_options once = {.once = true};
    struct sepx_results_info info;
    struct sepx_results_range range;
    struct fixture f = {0};

    (void)state;
    assert_int_equal(make(&f, rows, NULL), SEPX_OK);
    sepx_results_info(f.results, &info);
    assert_int_equal(info.rows, 6);
    assert_int_equal(info.graphs, 2);
    assert_int_equal(info.repeated, 2);
    assert_int_equal(info.differing, 1);
    CHECK_NEAR(ask(&f, "{" CHAIN_A "}", "acc", NULL), 0.3, 1e-12);
    assert_true(ask(&f, "{" CHAIN_A "}", "ms", NULL) == 7);
    assert_true(ask(&f, "{" CHAIN_B "}", "acc", NULL) == 0.1);
    sepx_results_range(f.results, 0, &range);
    assert_int_equal(range.known, 2);
    assert_true(range.least == 0.1 && range.at_least == 1);
    finish(&f);

    f = (struct fixture){0};
    assert_int_equal(make(&f, rows, &once), SEPX_EDATA);
    assert_string_equal(f.msg.text,
                        "the graph of line 1 is also that of line 2, with "
                        "other values; remove one, or leave out --once to "
                        "take the mean");
    finish(&f);
}

static void
test_csv(void **state)
{
    static const char rows[] =
        "\xef\xbb\xbfrun,graph,\"the \"\"acc\"\"\",ms\r\n"
        "one,\"{\"\"nodes\"\":[\"\"in\"\",\"\"a\"\",\"\"out\"\"],\r\n"
        "\"\"edges\"\":[[0,1],[1,2]]}\",9.5e1,\r\n"
        "\n"
        "2,\"{\"\"nodes\"\":[\"\"in\"\",\"\"b\"\",\"\"out\"\"],"
        "\"\"edges\"\":[[0,1],[1,2]]}\", -3 ,4";
    struct fixture f = {0};

    (void)state;
    assert_int_equal(make(&f, rows, NULL), SEPX_OK);
    assert_int_equal(sepx_results_find_metric(f.results, "run"), -1);
    assert_true(ask(&f, "{" CHAIN_A "}", "the \"acc\"", NULL) == 95);
    assert_true(isnan(ask(&f, "{" CHAIN_A "}", "ms", NULL)));
    assert_true(ask(&f, "{" CHAIN_B "}", "the \"acc\"", NULL) == -3);
    finish(&f);
}

static void
test_refused_rows(void **state)
{
    static const struct {
        const char *rows, *message;
    } refused[] = {
        {"", "rows: there are no rows"},
        {"{" CHAIN_A "}",
         "rows: no row has a number beside its graph; add metrics"},
        {"\n{\"acc\":1}",
         "rows:2: the row has no graph; give it \"nodes\" and \"edges\", or "
         "\"graph\", or name its key with --graph"},
        {"{\"nodes\":[\"in\",\"c\"],\"edges\":[],\"acc\":1}",
         "rows:1: not a graph of the space: node 1: test has no label 'c'"},
        {"graph,acc\nx", "rows:2: 1 fields; the line of names has 2"},
        {"graph,acc\n\"x,2", "rows:2: a quoted field does not end"},
        {"graph,acc\n\"x\"y,2", "rows:2: there is text behind a closing quote"},
        {"cell,acc\n1,2", "rows:1: no column is called 'graph'; name the "
                          "column of graphs with --graph"},
        {"graph,acc,acc\n1,2,3", "rows:1: two columns are called 'acc'"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct fixture f = {0};

        assert_int_equal(make(&f, refused[i].rows, NULL), SEPX_EDATA);
        assert_string_equal(f.msg.text, refused[i].message);
        finish(&f);
    }
}

static void
test_skipped_rows_and_chosen_metrics(void **state)
{
    static const char rows[] =
        "{" CHAIN_A ",\"acc\":1,\"ms\":2}\n"
        "{\"nodes\":[\"in\",\"c\"],\"edges\":[],\"acc\":1}\n";
    struct sepx_results_options options = {.skip = true, .metrics = "acc"};
    struct sepx_results_info info;
    struct fixture f = {0};

    (void)state;
    assert_int_equal(make(&f, rows, &options), SEPX_OK);
    sepx_results_info(f.results, &info);
    assert_int_equal(info.skipped, 1);
    assert_int_equal(info.metrics, 1);
    finish(&f);

    f = (struct fixture){0};
    options.metrics = "acc,loss";
    assert_int_equal(make(&f, rows, &options), SEPX_EDATA);
    assert_string_equal(f.msg.text, "rows: no row has the metric 'loss'");
    finish(&f);
}

/* Whichever byte is changed, opening or verifying tells. */
static void
test_every_changed_byte_is_noticed(void **state)
{
    struct fixture f = {0};
    struct sepx_results *results;

    (void)state;
    assert_int_equal(
        make(&f, "{" CHAIN_A ",\"acc\":1}\n{" CHAIN_B ",\"acc\":2}\n", NULL),
        SEPX_OK);
    for (size_t i = 0; i < f.bytes.len; i++) {
        enum sepx_err err;

        f.bytes.at[i] ^= 4;
        err = sepx_results_open_bytes(&results, f.bytes.at, f.bytes.len, NULL);
        if (!err)
            err = sepx_results_verify(results, NULL);
        CHECK(err == SEPX_EDATA, "byte %zu: %d", i, (int)err);
        sepx_results_close(results);
        f.bytes.at[i] ^= 4;
    }
    for (size_t len = 0; len < f.bytes.len; len++)
        assert_int_equal(
            sepx_results_open_bytes(&results, f.bytes.at, len, NULL),
            SEPX_EDATA);
    finish(&f);
}

static void
check_faults(const char *rows)
{
    EACH_FAULT (fault) {
        struct fixture f = {0};

        fault.err = make(&f, rows, NULL);
        if (!fault.err)
            fault.err = sepx_results_verify(f.results, NULL);
        finish(&f);
    }
}

static void
test_faults(void **state)
{
    (void)state;
    check_faults("{" CHAIN_A ",\"acc\":1}\n{" DEAD_A ",\"b\":2}\n");
    check_faults("graph,acc\n\"{\"\"nodes\"\":[\"\"in\"\",\"\"out\"\"],"
                 "\"\"edges\"\":[[0,1]]}\",1\n");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            test_a_graph_is_found_in_any_order_and_without_dead_nodes),
        cmocka_unit_test(test_rows_of_one_graph_are_averaged),
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_refused_rows),
        cmocka_unit_test(test_skipped_rows_and_chosen_metrics),
        cmocka_unit_test(test_every_changed_byte_is_noticed),
        cmocka_unit_test(test_faults),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
