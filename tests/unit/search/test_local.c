/* SPDX-License-Identifier: Apache-2.0 */
/* Local search: where it moves, and when it starts again. */
#include "unit/check.h"

#include <math.h>

#include "sepx/eval.h"
#include "sepx/search.h"
#include "search/private.h"

enum { BY_SAMPLE, BY_MOVE };

struct fixture {
    struct sepx_space *space;
    struct sepx_method *method;
    struct sepx_search *search;
    struct sepx_ask ask;
};

static void
open_all(struct fixture *f, const char *text)
{
    *f = (struct fixture){0};
    assert_int_equal(sepx_space_open(&f->space, "nb101", NULL), SEPX_OK);
    assert_int_equal(
        sepx_method_new(&f->method, f->space, text, NULL, NULL, NULL), SEPX_OK);
    assert_int_equal(sepx_search_new(&f->search, f->method, 1, 0, NULL),
                     SEPX_OK);
}

static void
close_all(struct fixture *f)
{
    sepx_ask_release(&f->ask);
    sepx_search_free(f->search);
    sepx_method_free(f->method);
    sepx_space_close(f->space);
}

static void
step(struct fixture *f, double score)
{
    assert_int_equal(sepx_search_tell(f->search, &f->ask, score), SEPX_OK);
    assert_int_equal(sepx_search_ask(f->search, &f->ask), SEPX_OK);
}

/* The number of valid neighbours of the graph just asked. */
static unsigned
neighbours(const struct fixture *f)
{
    struct sepx_graph out = {0};
    unsigned count = 0;

    for (uint32_t i = 0; i < sepx_space_moves(f->space, &f->ask.graph); i++) {
        bool valid;

        assert_int_equal(
            sepx_space_move(f->space, &out, &valid, &f->ask.graph, i), SEPX_OK);
        count += valid;
    }
    sepx_graph_release(&out);
    return count;
}

static void
test_all_neighbours_are_tried_then_the_best_is_taken(void **state)
{
    struct fixture f;
    unsigned count;

    (void)state;
    open_all(&f, "local");
    assert_int_equal(sepx_search_ask(f.search, &f.ask), SEPX_OK);
    assert_int_equal(f.ask.op, BY_SAMPLE);
    count = neighbours(&f);
    CHECK(count > 10, "%u", count);
    step(&f, 100);
    for (unsigned i = 1; i <= count; i++) {
        assert_int_equal(f.ask.op, BY_MOVE);
        assert_int_equal(f.ask.parent[0], 0);
        /* Trials 3 and 7 are better, 7 most. */
        step(&f, i == 3 ? 90 : i == 7 ? 80 : 110);
    }
    assert_int_equal(f.ask.op, BY_MOVE);
    assert_int_equal(f.ask.parent[0], 7);
    close_all(&f);
}

static void
test_the_first_better_one_is_enough(void **state)
{
    struct fixture f;

    (void)state;
    open_all(&f, "local:step=first");
    assert_int_equal(sepx_search_ask(f.search, &f.ask), SEPX_OK);
    step(&f, 100);
    assert_int_equal(f.ask.parent[0], 0);
    step(&f, 100);
    assert_int_equal(f.ask.parent[0], 0);
    step(&f, 99);
    assert_int_equal(f.ask.parent[0], 2);
    close_all(&f);
}

static void
test_a_local_optimum_starts_it_again(void **state)
{
    struct fixture f;
    unsigned count;

    (void)state;
    open_all(&f, "local");
    assert_int_equal(sepx_search_ask(f.search, &f.ask), SEPX_OK);
    count = neighbours(&f);
    step(&f, 5);
    for (unsigned i = 0; i < count; i++) {
        assert_int_equal(f.ask.op, BY_MOVE);
        step(&f, 5); /* as good is not better */
    }
    assert_int_equal(f.ask.op, BY_SAMPLE);
    assert_int_equal(f.ask.parent[0], -1);
    step(&f, 50); /* worse than before, but a new start */
    assert_int_equal(f.ask.op, BY_MOVE);
    assert_int_equal(f.ask.parent[0], count + 1);
    close_all(&f);
}

/* As before version 0.2: one walk, and random graphs that it may move to. */
static void
test_random_graphs_fill_in(void **state)
{
    struct fixture f;
    struct sepx_ask fill = {0};
    unsigned count;

    (void)state;
    open_all(&f, "local:wait=random");
    assert_int_equal(sepx_search_ask(f.search, &f.ask), SEPX_OK);
    count = neighbours(&f);
    assert_int_equal(sepx_search_ask(f.search, &fill), SEPX_OK);
    assert_int_equal(fill.op, BY_SAMPLE);
    step(&f, 100);
    assert_int_equal(f.ask.parent[0], 0);
    assert_int_equal(sepx_search_tell(f.search, &fill, 90), SEPX_OK);
    for (unsigned i = 1; i < count; i++) {
        step(&f, 95);
        assert_int_equal(f.ask.parent[0], 0);
    }
    step(&f, 95);
    assert_int_equal(f.ask.op, BY_MOVE);
    assert_int_equal(f.ask.parent[0], fill.trial);
    sepx_ask_release(&fill);
    close_all(&f);
}

/* Where dead nodes change nothing, no two proposals are one without them. */
static void
test_dead_nodes_make_no_neighbour_new(void **state)
{
    struct fixture f;

    (void)state;
    open_all(&f, "local");
    sepx_search_expect_pruned(f.search);
    assert_int_equal(sepx_search_ask(f.search, &f.ask), SEPX_OK);
    for (unsigned i = 1; i < 300; i++)
        step(&f, (double)((i * 7919) % 1000));
    assert_int_equal(sepx_search_distinct(f.search), 300);
    close_all(&f);
}

/*
 * As a study asks and tells: proposal k has heard of the trials up to k -
 * window. Returns the best distance to the optimum; *drawn counts the random
 * graphs.
 */
static double
search_in_window(struct fixture *f, unsigned window, unsigned evals,
                 unsigned *drawn)
{
    struct sepx_ask ask[64] = {0};
    double score[64], best = INFINITY;
    struct sepx_eval *eval;
    struct sepx_eval_worker *worker;

    assert_int_equal(sepx_eval_open(&eval, f->space, "target:optimum", NULL),
                     SEPX_OK);
    assert_int_equal(sepx_eval_worker_new(&worker, eval, NULL), SEPX_OK);
    *drawn = 0;
    for (unsigned k = 0; k < evals; k++) {
        struct sepx_ask *next = &ask[k % window];
        struct sepx_score got;

        if (k >= window)
            assert_int_equal(
                sepx_search_tell(f->search, next, score[k % window]), SEPX_OK);
        assert_int_equal(sepx_search_ask(f->search, next), SEPX_OK);
        assert_int_equal(
            sepx_eval_score(
                worker, &got,
                &(struct sepx_eval_job){.graph = &next->graph, .fidelity = 1}),
            SEPX_OK);
        score[k % window] = got.value;
        best = fmin(best, got.value);
        *drawn += next->op == BY_SAMPLE;
    }
    for (unsigned i = 0; i < window; i++)
        sepx_ask_release(&ask[i]);
    sepx_eval_worker_free(worker);
    sepx_eval_close(eval);
    return best;
}

static void
test_it_walks_with_many_asks_under_way(void **state)
{
    static const unsigned windows[] = {1, 2, 8, 32};

    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        struct fixture f;
        unsigned drawn;
        double best;

        open_all(&f, "local");
        best = search_in_window(&f, windows[i], 2000, &drawn);
        CHECK(best == 0, "window %u: %g", windows[i], best);
        CHECK(drawn < 200, "window %u: %u random graphs", windows[i], drawn);
        close_all(&f);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_neighbours_are_tried_then_the_best_is_taken),
        cmocka_unit_test(test_the_first_better_one_is_enough),
        cmocka_unit_test(test_a_local_optimum_starts_it_again),
        cmocka_unit_test(test_random_graphs_fill_in),
        cmocka_unit_test(test_dead_nodes_make_no_neighbour_new),
        cmocka_unit_test(test_it_walks_with_many_asks_under_way),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
