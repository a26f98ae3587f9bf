/* SPDX-License-Identifier: Apache-2.0 */
/* Recipes of NAS-Bench-NLP, and tables of their losses. */
#include "unit/space_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit/faults.h"
#include "unit/shared.h"

#define SEED 77
#define GRU \
    "{\"r\":{\"op\":\"linear\",\"input\":[\"x\",\"h_prev_0\"]}," \
    "\"ra\":{\"op\":\"activation_sigm\",\"input\":[\"r\"]}," \
    "\"z\":{\"op\":\"linear\",\"input\":[\"x\",\"h_prev_0\"]}," \
    "\"za\":{\"op\":\"activation_sigm\",\"inputs\":\"z\"}," \
    "\"h_new_0\":{\"op\":\"blend\",\"input\":[\"za\",\"h_prev_0\",\"hta\"]}," \
    "\"rh\":{\"op\":\"elementwise_prod\",\"input\":[\"ra\",\"h_prev_0\"]}," \
    "\"ht\":{\"op\":\"linear\",\"input\":[\"x\",\"rh\"]}," \
    "\"hta\":{\"op\":\"activation_tanh\",\"input\":[\"ht\"]}}"
#define LOG \
    "{\"recepie\": " GRU ", \"min_val_loss\": 5, \"test_at_min_val\": 4}\n"
#define SMALL "{\"h_new_0\":{\"op\":\"linear\",\"input\":[\"x\",\"h_prev_0\"]}}"

static int
open_all(void **state)
{
    return open_space(state, "nbnlp", SEED);
}

static enum sepx_err
read_text(struct fixture *f, const char *text)
{
    struct sepx_json *root;
    enum sepx_err err;

    assert_int_equal(sepx_json_parse(&root, text, strlen(text), NULL), SEPX_OK);
    err = sepx_recipe_read(&f->graph, f->space, root, &f->msg);
    sepx_json_free(root);
    return err;
}

static void
check_isomorphic(const struct sepx_graph *a, const struct sepx_graph *b)
{
    bool same;

    assert_int_equal(sepx_graph_isomorphic(a, b, &same, NULL), SEPX_OK);
    assert_true(same);
}

/* Nodes may be named before they are written. */
static void
the_recipe_of_gru_is_the_target(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(read_text(f, GRU), SEPX_OK);
    assert_int_equal(sepx_space_target(f->space, &f->other, "gru", NULL),
                     SEPX_OK);
    check_isomorphic(&f->graph, &f->other);
}

static void
graphs_survive_as_recipes(void **state)
{
    struct fixture *f = *state;

    printf("seed %d\n", SEED);
    for (unsigned i = 0; i < 500; i++) {
        struct sepx_text text = {0};
        struct sepx_json_writer w;

        assert_int_equal(sepx_space_sample(f->space, &f->other, &f->rng),
                         SEPX_OK);
        sepx_json_begin(&w, &text);
        sepx_recipe_put_json(&w, &f->other);
        assert_int_equal(sepx_json_done(&w), SEPX_OK);
        CHECK(read_text(f, text.at) == SEPX_OK, "%s: %s", f->msg.text, text.at);
        check_isomorphic(&f->graph, &f->other);
        sepx_text_release(&text);
    }
}

static void
bad_recipes_say_why(void **state)
{
    static const struct {
        const char *recipe, *message;
    } cases[] = {
        {"[]", "the recipe is an array; write {name: {\"op\": ..., \"input\": "
               "[...]}, ...}"},
        {"{\"a\": {\"op\": \"linear\"}}",
         "node 'a' has no \"op\" or no \"input\""},
        {"{\"a\": {\"op\": \"linear\", \"input\": [\"b\"]}}",
         "an input of node 'a' is neither a node nor x, h_prev_0, h_prev_1 "
         "or h_prev_2"},
        {"{\"a\": {\"op\": \"linear\", \"input\": [\"a\"]}}",
         "a node is its own input"},
        {"{\"a\": {\"op\": \"convolve\", \"input\": [\"x\"]}}",
         "node 'a' has the unknown operation 'convolve'"},
        {"{\"a\": {\"op\": \"linear\", \"input\": [\"b\"]}, "
         "\"b\": {\"op\": \"linear\", \"input\": [\"a\"]}}",
         "the recipe has a cycle"},
        {"{\"a\": {\"op\": \"linear\", \"input\": [\"x\", \"x\"]}}",
         "node 'a' has the input 'x' twice; no cell of the space has"},
        {"{\"h_new_0\": {\"op\": \"linear\", \"input\": [\"x\"]}}",
         "state 0 is written but never read"},
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        assert_int_equal(read_text(f, cases[i].recipe), SEPX_EDATA);
        assert_string_equal(f->msg.text, cases[i].message);
    }
}

static enum sepx_err
import(struct fixture *f, struct sepx_text *table, const char *logs)
{
    return sepx_losses_import(table, f->space, logs, strlen(logs), &f->msg);
}

/* Two runs are averaged; one that diverged is not; texts will do. */
static void
losses_are_means_of_runs(void **state)
{
    static const char logs[] =
        LOG "\n"
            "{\"recipe\": " GRU ", \"val_losses\": [9, 7, NaN, 8], "
            "\"test_losses\": [8, 6, 1, 2]}\n"
            "{\"recipe\": " GRU ", \"min_val_loss\": NaN, "
            "\"test_at_min_val\": -Infinity, \"status\": \"NaN \\\" NaN\"}\n"
            "{\"recepie\": \"{\\\"h_new_0\\\": {\\\"op\\\": \\\"linear\\\", "
            "\\\"input\\\": [\\\"x\\\", \\\"h_prev_0\\\"]}}\", "
            "\"min_val_loss\": 3, \"test_at_min_val\": 9}";
    struct fixture *f = *state;
    struct sepx_text table = {0};
    struct sepx_losses *losses;
    struct sepx_loss loss;

    CHECK(import(f, &table, logs) == SEPX_OK, "%s", f->msg.text);
    assert_int_equal(
        sepx_losses_open_bytes(&losses, f->space, table.at, table.len, &f->msg),
        SEPX_OK);
    assert_int_equal(sepx_losses_count(losses), 2);
    assert_string_equal(sepx_losses_description(losses),
                        "NAS-Bench-NLP, 4 training runs of 2 cells");
    assert_int_equal(sepx_space_target(f->space, &f->graph, "gru", NULL),
                     SEPX_OK);
    assert_int_equal(sepx_losses_find(losses, &loss, &f->graph), SEPX_OK);
    assert_true(loss.validation == 6 && loss.test == 5 && loss.runs == 2);
    assert_true(sepx_losses_best(losses).validation == 3);
    assert_true(sepx_losses_best(losses).test == 5);
    assert_int_equal(sepx_space_target(f->space, &f->graph, "lstm", NULL),
                     SEPX_OK);
    assert_int_equal(sepx_losses_find(losses, &loss, &f->graph), SEPX_OK);
    assert_true(isnan(loss.validation) && loss.runs == 0);
    sepx_losses_close(losses);
    sepx_text_release(&table);
}

static void
bad_logs_name_the_line(void **state)
{
    static const struct {
        const char *logs, *message;
    } cases[] = {
        {"", "no training runs"},
        {LOG "{}\n", "line 2: no \"recepie\" or \"recipe\""},
        {LOG "\n{\"recipe\": " SMALL "}",
         "line 3: no \"min_val_loss\", and no \"val_losses\""},
        {"{\"recipe\": {}, \"min_val_loss\": 1}", "line 1: 0 nodes 'x'"},
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct sepx_text table = {0};

        assert_int_equal(import(f, &table, cases[i].logs), SEPX_EDATA);
        assert_string_equal(f->msg.text, cases[i].message);
        assert_int_equal(table.len, 0);
        sepx_text_release(&table);
    }
}

/* A number of the head that no one reads may change, nothing else. */
static void
damaged_tables_are_refused(void **state)
{
    struct fixture *f = *state;
    struct sepx_text table = {0};
    struct sepx_losses *losses;
    size_t head;

    assert_int_equal(import(f, &table, LOG), SEPX_OK);
    head = strcspn(table.at, "\n") + 1;
    for (size_t len = 0; len < table.len; len++)
        CHECK(sepx_losses_open_bytes(&losses, f->space, table.at, len, NULL) ==
                  SEPX_EDATA,
              "%zu bytes", len);
    for (size_t i = 8 * head; i < 8 * table.len; i++) {
        table.at[i / 8] = (char)(table.at[i / 8] ^ 1 << i % 8);
        CHECK(sepx_losses_open_bytes(&losses, f->space, table.at, table.len,
                                     NULL) == SEPX_EDATA,
              "bit %zu", i);
        table.at[i / 8] = (char)(table.at[i / 8] ^ 1 << i % 8);
    }
    *strstr(table.at, "\"version\":1") = ' ';
    assert_int_equal(
        sepx_losses_open_bytes(&losses, f->space, table.at, table.len, &f->msg),
        SEPX_EDATA);
    sepx_text_release(&table);
}

static void
other_versions_are_refused(void **state)
{
    static const char text[] =
        "{\"format\":\"sepx losses\",\"version\":2,\"crc32c\":0}\n";
    struct fixture *f = *state;
    struct sepx_losses *losses;

    assert_int_equal(
        sepx_losses_open_bytes(&losses, f->space, text, strlen(text), &f->msg),
        SEPX_EDATA);
    assert_string_equal(f->msg.text, "line 1: version 2 of the format, not 1; "
                                     "make the table again");
    assert_int_equal(
        sepx_losses_open_bytes(&losses, f->space, "{}", 2, &f->msg),
        SEPX_EDATA);
    assert_string_equal(f->msg.text, "line 1: not a table of losses; 'sepx "
                                     "data import --nbnlp' makes one");
}

static void
the_real_logs_are_read(void **state)
{
    struct fixture *f = *state;
    FILE *file = shared_open("data/nbnlp/wikitext2.jsonl");
    struct sepx_text logs = {0}, table = {0};
    struct sepx_losses *losses;
    char chunk[4096];
    size_t n;

    if (!file)
        skip();
    while ((n = fread(chunk, 1, sizeof(chunk), file)) > 0)
        assert_int_equal(sepx_text_add(&logs, chunk, n), SEPX_OK);
    fclose(file);
    CHECK(import(f, &table, logs.at) == SEPX_OK, "%s", f->msg.text);
    assert_int_equal(
        sepx_losses_open_bytes(&losses, f->space, table.at, table.len, NULL),
        SEPX_OK);
    assert_int_equal(sepx_losses_count(losses), 265);
    CHECK_NEAR(sepx_losses_best(losses).validation, 4.5675820743336395, 1e-12);
    sepx_losses_close(losses);
    sepx_text_release(&table);
    sepx_text_release(&logs);
}

static enum sepx_err
import_and_open(struct fixture *f)
{
    struct sepx_losses *losses = NULL;
    struct sepx_text table = {0};
    enum sepx_err err = import(f, &table, LOG LOG);

    if (!err)
        err = sepx_losses_open_bytes(&losses, f->space, table.at, table.len,
                                     NULL);
    sepx_losses_close(losses);
    sepx_text_release(&table);
    return err;
}

static void
no_allocation_is_lost_when_one_fails(void **state)
{
    struct fixture *f = *state;

    EACH_FAULT (fault) {
        fault.err = import_and_open(f);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_recipe_of_gru_is_the_target),
        cmocka_unit_test(graphs_survive_as_recipes),
        cmocka_unit_test(bad_recipes_say_why),
        cmocka_unit_test(losses_are_means_of_runs),
        cmocka_unit_test(bad_logs_name_the_line),
        cmocka_unit_test(damaged_tables_are_refused),
        cmocka_unit_test(other_versions_are_refused),
        cmocka_unit_test(the_real_logs_are_read),
        cmocka_unit_test(no_allocation_is_lost_when_one_fails),
    };

    return cmocka_run_group_tests(tests, open_all, close_all);
}
