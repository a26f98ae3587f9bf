/* SPDX-License-Identifier: Apache-2.0 */
/* Local search: where it moves, and when it starts again. */
#include "check.h"

#include "sepx/search.h"

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

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_neighbours_are_tried_then_the_best_is_taken),
        cmocka_unit_test(test_the_first_better_one_is_enough),
        cmocka_unit_test(test_a_local_optimum_starts_it_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
