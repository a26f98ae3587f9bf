/* SPDX-License-Identifier: Apache-2.0 */
/* Regularized evolution: turns, tournaments, age, collapsed populations. */
#include "unit/check.h"

#include <string.h>

#include "search/private.h"

struct fixture {
    struct sepx_space *space;
    struct sepx_method *method;
    struct sepx_search *search;
    struct sepx_ask ask;
    unsigned crossed, accepted; /* seen by the watch */
};

static void
crossed(void *context, const struct sepx_graph *first,
        const struct sepx_graph *second, bool accepted)
{
    struct fixture *f = context;
    bool same;

    assert_int_equal(sepx_graph_isomorphic(first, second, &same, NULL),
                     SEPX_OK);
    assert_false(same);
    f->crossed++;
    f->accepted += accepted;
}

static void
open_with(struct fixture *f, const char *text, const char *preset,
          uint64_t seed)
{
    struct sepx_search_watch watch = {crossed, f};
    struct sepx_msg msg = {0};

    *f = (struct fixture){0};
    assert_int_equal(sepx_space_open(&f->space, "nb101", &msg), SEPX_OK);
    CHECK(sepx_method_new(&f->method, f->space, text, preset, NULL, &msg) ==
              SEPX_OK,
          "%s", msg.text);
    assert_int_equal(sepx_search_new(&f->search, f->method, seed, 0, &watch),
                     SEPX_OK);
}

/* The queue and its tournaments alone. */
static void
open_all(struct fixture *f, const char *text, uint64_t seed)
{
    open_with(f, text, "plain", seed);
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
ask(struct fixture *f)
{
    assert_int_equal(sepx_search_ask(f->search, &f->ask), SEPX_OK);
}

static void
tell(struct fixture *f, double score)
{
    assert_int_equal(sepx_search_tell(f->search, &f->ask, score), SEPX_OK);
}

enum { BY_SAMPLE, BY_MUTATION, BY_CROSSOVER };

static void
test_first_the_population_is_drawn(void **state)
{
    struct fixture f;

    (void)state;
    open_all(&f, "sep:population=10", 1);
    for (unsigned i = 0; i < 10; i++) {
        ask(&f);
        assert_int_equal(f.ask.op, BY_SAMPLE);
        assert_int_equal(f.ask.parent[0], -1);
        tell(&f, i);
    }
    ask(&f);
    assert_int_equal(f.ask.op, BY_MUTATION);
    assert_int_equal(f.ask.parent[1], -1);
    close_all(&f);
}

/* Among equals the youngest wins, and the oldest leaves in any case. */
static void
test_ties_go_to_the_youngest(void **state)
{
    struct fixture f;

    (void)state;
    open_all(&f, "mutation:population=6,tournament=6", 2);
    for (unsigned i = 0; i < 50; i++) {
        ask(&f);
        if (i >= 6)
            assert_int_equal(f.ask.parent[0], i - 1);
        tell(&f, 1);
    }
    close_all(&f);
}

static void
test_the_best_leaves_when_its_time_is_over(void **state)
{
    struct fixture f;

    (void)state;
    open_all(&f, "mutation:population=5,tournament=5", 3);
    for (unsigned i = 0; i < 12; i++) {
        ask(&f);
        /* Trial 2 is the best until trials 3 to 7 are there. */
        if (i >= 5)
            assert_int_equal(f.ask.parent[0], i <= 7 ? 2 : (int)i - 1);
        tell(&f, i == 2 ? 0 : 1);
    }
    close_all(&f);
}

static void
test_tournaments_draw_distinct_members(void **state)
{
    struct fixture f;
    unsigned won[4] = {0};

    (void)state;
    /* Three of four distinct members: the worst never wins. */
    open_all(&f, "mutation:population=4,tournament=2", 4);
    for (unsigned i = 0; i < 4; i++) {
        ask(&f);
        tell(&f, i);
    }
    for (unsigned i = 0; i < 3000; i++) {
        ask(&f);
        assert_in_range(f.ask.parent[0], 0, 3);
        won[f.ask.parent[0]]++;
    }
    assert_int_equal(won[3], 0);
    /* Pairs out of four: 3/6, 2/6 and 1/6 of the wins; 6 sd = 165. */
    CHECK(won[0] > 1335 && won[0] < 1665, "%u", won[0]);
    CHECK(won[1] > 845 && won[1] < 1155, "%u", won[1]);
    CHECK(won[2] > 378 && won[2] < 622, "%u", won[2]);
    close_all(&f);
}

/* A crossover turn ends in a child, or in a mutation in its place. */
static void
test_crossovers_take_every_second_turn(void **state)
{
    struct fixture f;
    unsigned before = 0;
    uint32_t last = BY_CROSSOVER, count;
    const struct sepx_operator *op;

    (void)state;
    open_all(&f, "sep:population=30", 5);
    for (unsigned i = 0; i < 1000; i++) {
        ask(&f);
        if (i >= 30) {
            /* A mutation after a mutation: a crossover failed between. */
            if (f.ask.op == BY_MUTATION && last == BY_MUTATION)
                assert_int_equal(f.crossed, before + 1);
            if (last == BY_CROSSOVER)
                assert_int_equal(f.ask.op, BY_MUTATION);
            last = f.ask.op;
        }
        before = f.crossed;
        tell(&f, f.ask.graph.n_edges);
    }
    op = sepx_search_operators(f.search, &count);
    assert_int_equal(op[BY_CROSSOVER].counts.accepted, f.accepted);
    assert_int_equal(
        op[BY_MUTATION].counts.attempts,
        op[BY_CROSSOVER].counts.attempts +
            (last == BY_MUTATION && op[BY_CROSSOVER].counts.attempts <
                                        op[BY_MUTATION].counts.attempts));
    close_all(&f);
}

static void
test_the_share_of_crossover_is_kept(void **state)
{
    static const struct {
        const char *text;
        double low, high;
    } cases[] = {
        {"standard:share=0", 0, 0},
        {"standard:share=0.25", 0.24, 0.26},
        {"standard:share=0.5", 0.49, 0.51},
        /* A crossover that fails hands its turn on to mutation. */
        {"standard:share=0.8", 0.65, 0.82},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fixture f;
        const struct sepx_operator *op;
        double share;
        uint32_t count;

        open_all(&f, cases[i].text, 6);
        for (unsigned k = 0; k < 2000; k++) {
            ask(&f);
            tell(&f, k % 17);
        }
        op = sepx_search_operators(f.search, &count);
        share = (double)op[BY_CROSSOVER].counts.attempts /
                (double)(op[BY_CROSSOVER].counts.attempts +
                         op[BY_MUTATION].counts.attempts);
        CHECK(share >= cases[i].low && share <= cases[i].high, "%s: %g",
              cases[i].text, share);
        close_all(&f);
    }
}

/* One graph under many trials: no two parents, so mutation goes on alone. */
static void
test_a_collapsed_population_does_not_hang(void **state)
{
    struct fixture f;
    struct sepx_graph only = {0};
    const struct sepx_operator *op;
    uint32_t count;

    (void)state;
    open_all(&f, "sep:population=20,share=1", 7);
    for (unsigned i = 0; i < 200; i++) {
        struct sepx_ask told;

        ask(&f);
        if (!i)
            assert_int_equal(sepx_graph_copy(&only, &f.ask.graph), SEPX_OK);
        told = f.ask;
        told.graph = only;
        assert_int_equal(sepx_search_tell(f.search, &told, 1), SEPX_OK);
    }
    op = sepx_search_operators(f.search, &count);
    assert_int_equal(op[BY_MUTATION].counts.accepted, 180);
    assert_int_equal(op[BY_CROSSOVER].counts.skipped, 180);
    assert_int_equal(f.crossed, 0);
    sepx_graph_release(&only);
    close_all(&f);
}

static void
test_a_population_of_one_works(void **state)
{
    struct fixture f;

    (void)state;
    open_all(&f, "sep:population=1,tournament=1", 8);
    for (unsigned i = 0; i < 50; i++) {
        ask(&f);
        if (i)
            assert_int_equal(f.ask.parent[0], i - 1);
        tell(&f, i);
    }
    close_all(&f);
}

/* Without any score there is nothing to select from. */
static void
test_failed_evaluations_leave_no_trace(void **state)
{
    struct fixture f;

    (void)state;
    open_all(&f, "sep:population=5", 9);
    for (unsigned i = 0; i < 20; i++) {
        ask(&f);
        assert_int_equal(f.ask.op, BY_SAMPLE);
        tell(&f, NAN);
    }
    close_all(&f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_the_population_is_drawn),
        cmocka_unit_test(test_ties_go_to_the_youngest),
        cmocka_unit_test(test_the_best_leaves_when_its_time_is_over),
        cmocka_unit_test(test_tournaments_draw_distinct_members),
        cmocka_unit_test(test_crossovers_take_every_second_turn),
        cmocka_unit_test(test_the_share_of_crossover_is_kept),
        cmocka_unit_test(test_a_collapsed_population_does_not_hang),
        cmocka_unit_test(test_a_population_of_one_works),
        cmocka_unit_test(test_failed_evaluations_leave_no_trace),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
