/* SPDX-License-Identifier: Apache-2.0 */
/* The score is the exact distance, of the graph or of its live part. */
#include "unit/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit/faults.h"
#include "sepx/eval.h"
#include "sepx/ged.h"

struct fixture {
    struct sepx_space *space;
    struct sepx_eval *eval;
    struct sepx_eval_worker *worker;
};

static enum sepx_err
try_open(struct fixture *f, const char *space, const char *text,
         struct sepx_msg *msg)
{
    enum sepx_err err;

    *f = (struct fixture){0};
    err = sepx_space_open(&f->space, space, msg);
    if (!err)
        err = sepx_eval_open(&f->eval, f->space, text, msg);
    if (!err)
        err = sepx_eval_worker_new(&f->worker, f->eval, NULL);
    return err;
}

static void
close_all(struct fixture *f)
{
    sepx_eval_worker_free(f->worker);
    sepx_eval_close(f->eval);
    sepx_space_close(f->space);
}

static void
open_all(struct fixture *f, const char *space, const char *text)
{
    struct sepx_msg msg = {0};

    CHECK(try_open(f, space, text, &msg) == SEPX_OK, "%s", msg.text);
}

static double
score_of(struct fixture *f, const struct sepx_graph *graph)
{
    struct sepx_eval_job job = {.graph = graph, .fidelity = 1};
    struct sepx_score score;

    assert_int_equal(sepx_eval_score(f->worker, &score, &job), SEPX_OK);
    CHECK(score.value == score.test, "%g %g", score.value, score.test);
    return score.value;
}

static void
test_targets_score_zero_in_any_order(void **state)
{
    static const struct {
        const char *space, *target, *text;
    } cases[] = {
        {"nb101", "optimum", "target:optimum"},
        {"nb101", "optimum", "target-pruned:optimum"},
        {"nbnlp", "gru", "target:gru"},
        {"nbnlp", "lstm", "target:lstm"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fixture f;
        struct sepx_graph graph = {0}, mixed = {0};
        struct sepx_rng rng;
        uint32_t order[64];

        open_all(&f, cases[i].space, cases[i].text);
        assert_string_equal(sepx_eval_text(f.eval), cases[i].text);
        CHECK(sepx_eval_optimum(f.eval) == 0, "%s", cases[i].text);
        assert_int_equal(
            sepx_space_target(f.space, &graph, cases[i].target, NULL), SEPX_OK);
        CHECK(score_of(&f, &graph) == 0, "%s", cases[i].text);
        sepx_rng_init(&rng, 1, 0, 0, 0);
        sepx_rng_sample(&rng, order, graph.n_nodes, graph.n_nodes);
        assert_int_equal(sepx_graph_permute(&mixed, &graph, order), SEPX_OK);
        CHECK(score_of(&f, &mixed) == 0, "%s", cases[i].text);
        sepx_graph_release(&graph);
        sepx_graph_release(&mixed);
        close_all(&f);
    }
}

static double
distance(struct sepx_space *space, const struct sepx_graph *a,
         const struct sepx_graph *b)
{
    struct sepx_ged_options options = {0};
    struct sepx_ged_result result;
    struct sepx_ged *ged;

    options.pinned = sepx_space_pinned(space, &options.n_pinned);
    assert_int_equal(sepx_ged_new(&ged, &options), SEPX_OK);
    assert_int_equal(sepx_ged_between(ged, &result, a, b, NULL), SEPX_OK);
    sepx_ged_free(ged);
    return result.upper;
}

static void
test_scores_are_distances(void **state)
{
    struct fixture f, pruned;
    struct sepx_graph target = {0}, graph = {0}, live = {0};
    unsigned differ = 0;

    (void)state;
    open_all(&f, "nb101", "target:optimum");
    open_all(&pruned, "nb101", "target-pruned:optimum");
    assert_int_equal(sepx_space_target(f.space, &target, "optimum", NULL),
                     SEPX_OK);
    for (uint32_t i = 0; i < 300; i++) {
        struct sepx_rng rng;
        double whole, part;

        sepx_rng_init(&rng, 3, 0, i, 0);
        assert_int_equal(sepx_space_sample(f.space, &graph, &rng), SEPX_OK);
        assert_int_equal(sepx_space_prune(f.space, &live, &graph), SEPX_OK);
        whole = score_of(&f, &graph);
        part = score_of(&pruned, &graph);
        CHECK(whole == distance(f.space, &graph, &target), "draw %u", i);
        CHECK(part == distance(f.space, &live, &target), "draw %u", i);
        differ += whole != part;
    }
    CHECK(differ > 30, "%u", differ);
    sepx_graph_release(&target);
    sepx_graph_release(&graph);
    sepx_graph_release(&live);
    close_all(&f);
    close_all(&pruned);
}

static void
test_a_file_is_a_target(void **state)
{
    static const char text[] = "{\"nodes\": [\"input\", \"output\"], "
                               "\"edges\": [[0, 1]]}";
    char path[] = "/tmp/sepx-target-XXXXXX";
    char name[64];
    struct fixture f;
    struct sepx_graph graph = {0};

    (void)state;
    assert_true(mkstemp(path) >= 0);
    assert_int_equal(sepx_file_write(path, text, strlen(text), NULL), SEPX_OK);
    snprintf(name, sizeof name, "target:%s", path);
    open_all(&f, "nb101", name);
    assert_int_equal(sepx_space_target(f.space, &graph, "optimum", NULL),
                     SEPX_OK);
    /* Five nodes and eight of nine edges too many. */
    CHECK(score_of(&f, &graph) == 13, "%g", score_of(&f, &graph));
    sepx_graph_release(&graph);
    close_all(&f);
    remove(path);
}

static void
test_targets_outside_the_space_are_refused(void **state)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"{\"nodes\": [\"input\", \"output\"], \"edges\": [[0, 1], [1, 0]]}",
         "no graph of nb101 can equal this target: the graph has a cycle; "
         "change the target or the space"},
        {"{\"nodes\": [\"input\", \"conv9x9\"], \"edges\": [[0, 1]]}",
         "node 1: nb101 has no label 'conv9x9'"},
        {"{\"nodes\": [\"input\", \"output\"], \"edges\": [[0, 1, \"x\"]]}",
         "edge 0: nb101 has no edge label 'x'"},
    };
    char path[] = "/tmp/sepx-target-XXXXXX";
    char name[64];

    (void)state;
    assert_true(mkstemp(path) >= 0);
    snprintf(name, sizeof name, "target:%s", path);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fixture f;
        struct sepx_msg msg = {0};

        assert_int_equal(
            sepx_file_write(path, cases[i].text, strlen(cases[i].text), NULL),
            SEPX_OK);
        assert_int_equal(try_open(&f, "nb101", name, &msg), SEPX_EDATA);
        CHECK(strstr(msg.text, cases[i].says), "'%s' lacks '%s'", msg.text,
              cases[i].says);
        close_all(&f);
    }
    remove(path);
}

static void
test_names_of_outcomes_are_never_missing(void **state)
{
    (void)state;
    assert_string_equal(sepx_outcome_name(SEPX_SCORED), "scored");
    assert_string_equal(sepx_outcome_name(SEPX_CANCELLED), "cancelled");
    assert_string_equal(
        sepx_outcome_name((enum sepx_outcome)(SEPX_CANCELLED + 1)), "unknown");
    assert_string_equal(sepx_outcome_name((enum sepx_outcome) - 1), "unknown");
}

static void
test_messages_list_what_is_valid(void **state)
{
    static const struct {
        const char *text, *says;
        enum sepx_err err;
    } cases[] = {
        {"tagret:optimum",
         "unknown evaluator 'tagret'; did you mean 'target'? (valid: target, "
         "target-pruned, ",
         SEPX_ENOTFOUND},
        {"target:optimun", "unknown target 'optimun'; did you mean 'optimum'?",
         SEPX_ENOTFOUND},
        {"target",
         "a target is missing; write target:NAME or "
         "target:FILE.json",
         SEPX_EINVAL},
        {"target:./none.json", "./none.json: cannot open", SEPX_ENOINPUT},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fixture f;
        struct sepx_msg msg = {0};

        assert_int_equal(try_open(&f, "nb101", cases[i].text, &msg),
                         cases[i].err);
        assert_null(f.eval);
        CHECK(strstr(msg.text, cases[i].says), "'%s' lacks '%s'", msg.text,
              cases[i].says);
        close_all(&f);
    }
}

/* Without marks of new hidden states: gru has 10 nodes and 14 edges. */
static void
test_the_target_is_told_as_it_is_measured(void **state)
{
    static const char *const texts[] = {"target:gru", "target-pruned:gru"};

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct fixture f;
        const struct sepx_graph *target;

        assert_int_equal(try_open(&f, "nbnlp", texts[i], NULL), SEPX_OK);
        target = sepx_eval_target(f.eval);
        assert_non_null(target);
        assert_int_equal(target->n_nodes, 10);
        assert_int_equal(target->n_edges, 14);
        close_all(&f);
    }
}

static enum sepx_err
short_life(void)
{
    struct fixture f;
    struct sepx_graph graph = {0};
    struct sepx_score score;
    struct sepx_eval_job job = {.graph = &graph, .fidelity = 1};
    enum sepx_err err = try_open(&f, "nbnlp", "target-pruned:gru", NULL);

    if (!err)
        err = sepx_space_target(f.space, &graph, "lstm", NULL);
    if (!err)
        err = sepx_eval_score(f.worker, &score, &job);
    sepx_graph_release(&graph);
    close_all(&f);
    return err;
}

static void
test_every_allocation_may_fail(void **state)
{
    (void)state;
    EACH_FAULT (fault) {
        fault.err = short_life();
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_targets_score_zero_in_any_order),
        cmocka_unit_test(test_scores_are_distances),
        cmocka_unit_test(test_a_file_is_a_target),
        cmocka_unit_test(test_the_target_is_told_as_it_is_measured),
        cmocka_unit_test(test_targets_outside_the_space_are_refused),
        cmocka_unit_test(test_names_of_outcomes_are_never_missing),
        cmocka_unit_test(test_messages_list_what_is_valid),
        cmocka_unit_test(test_every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
