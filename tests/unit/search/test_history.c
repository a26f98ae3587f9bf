/* SPDX-License-Identifier: Apache-2.0 */
/* What a search remembers, and what the rules make of it. */
#include "unit/check.h"

#include <math.h>
#include <string.h>

#include "search/history.h"
#include "search/private.h"

#define GRAPHS 300

static struct sepx_space *
open_space(const char *name)
{
    struct sepx_space *space;

    assert_int_equal(sepx_space_open(&space, name, NULL), SEPX_OK);
    return space;
}

/* ---- the table against a list ---- */

struct plain_row {
    struct sepx_graph graph;
    uint32_t asked, count;
    double sum, fidelity;
};

static uint32_t
list_find(const struct plain_row *row, uint32_t count,
          const struct sepx_graph *graph)
{
    bool same = false;
    uint32_t i = 0;

    for (; i < count; i++) {
        assert_int_equal(
            sepx_graph_isomorphic(&row[i].graph, graph, &same, NULL), SEPX_OK);
        if (same)
            break;
    }
    return same ? i : SEPX__UNKNOWN;
}

static void
check_against_list(const char *name, bool whole, uint64_t seed)
{
    struct sepx_space *space = open_space(name);
    struct sepx__history history = {.space = space, .whole = whole};
    struct plain_row *row = test_calloc(GRAPHS, sizeof *row);
    struct sepx_graph graph = {0}, pruned = {0};
    struct sepx_rng rng;
    uint32_t count = 0, found, expected;

    sepx_rng_init(&rng, seed, 0, 0, 0);
    for (uint32_t t = 0; t < GRAPHS; t++) {
        double score = sepx_rng_unit(&rng);
        double fidelity = t % 7 ? 1 : 1.0 / 3;

        assert_int_equal(sepx_space_sample(space, &graph, &rng), SEPX_OK);
        assert_int_equal(sepx_space_prune(space, &pruned, &graph), SEPX_OK);
        assert_int_equal(sepx__history_find(&history, &found, &graph), SEPX_OK);
        expected = list_find(row, count, whole ? &graph : &pruned);
        CHECK(found == expected, "%s, seed %u, trial %u: %u, not %u", name,
              (unsigned)seed, t, found, expected);
        if (expected == SEPX__UNKNOWN) {
            expected = count++;
            assert_int_equal(
                sepx_graph_copy(&row[expected].graph, whole ? &graph : &pruned),
                SEPX_OK);
        }
        assert_int_equal(sepx__history_ask(&history, t, &graph), SEPX_OK);
        sepx__history_tell(&history, t, fidelity, t % 11 ? score : NAN);
        row[expected].asked++;
        if (t % 11 && fidelity > row[expected].fidelity) {
            row[expected].fidelity = fidelity;
            row[expected].sum = row[expected].count = 0;
        }
        if (t % 11 && fidelity == row[expected].fidelity) {
            row[expected].sum += score;
            row[expected].count++;
        }
    }
    assert_int_equal(history.count, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(history.graph[i].asked, row[i].asked);
        CHECK_NEAR(sepx__history_mean(&history, i),
                   row[i].count ? row[i].sum / row[i].count : NAN, 1e-12);
        sepx_graph_release(&row[i].graph);
    }
    test_free(row);
    sepx_graph_release(&graph);
    sepx_graph_release(&pruned);
    sepx__history_release(&history);
    sepx_space_close(space);
}

static void
test_it_is_a_list_of_classes(void **state)
{
    (void)state;
    for (int whole = 0; whole < 2; whole++) {
        check_against_list("nb101", whole, 5301);
        check_against_list("nbnlp", whole, 5302);
        check_against_list("darts", whole, 5303);
    }
}

/* ---- searches ---- */

/* A number of the graph alone. */
static double
toy_score(const struct sepx_graph *graph)
{
    double score = 1;

    for (uint32_t i = 0; i < graph->n_nodes; i++)
        score += graph->label[i] * (i + 1) % 7;
    return score + graph->n_edges % 5;
}

struct tally {
    uint32_t repeats, most; /* asks of known graphs; of one graph at most */
    uint32_t by_operator;   /* "repeat" */
};

/* `noise` is the width of what is added to the score. */
static struct tally
run_search(const char *text, double noise, bool cached, uint32_t evals)
{
    struct sepx_space *space = open_space("nb101");
    struct sepx__history history = {.space = space};
    struct sepx_method *method;
    struct sepx_search *search;
    struct sepx_ask ask = {0};
    struct tally tally = {0};
    struct sepx_rng rng;

    sepx_rng_init(&rng, 11, 0, 0, 0);
    assert_int_equal(sepx_method_new(&method, space, text, NULL, NULL, NULL),
                     SEPX_OK);
    assert_int_equal(sepx_search_new(&search, method, 5310, 0, NULL), SEPX_OK);
    if (cached)
        sepx_search_expect_cache(search);
    for (uint32_t i = 0; i < evals; i++) {
        const struct sepx_operator *op;
        uint32_t count, number;
        bool again;

        assert_int_equal(sepx_search_ask(search, &ask), SEPX_OK);
        op = sepx_search_operators(search, &count);
        again = !strcmp(op[ask.op].name, "repeat");
        assert_int_equal(sepx__history_find(&history, &number, &ask.graph),
                         SEPX_OK);
        CHECK(again || number == SEPX__UNKNOWN, "%s: trial %u repeats %u", text,
              i, number);
        tally.repeats += number != SEPX__UNKNOWN;
        tally.by_operator += again;
        assert_int_equal(sepx__history_ask(&history, i, &ask.graph), SEPX_OK);
        number = history.of[i];
        if (history.graph[number].asked > tally.most)
            tally.most = history.graph[number].asked;
        assert_int_equal(sepx_search_tell(search, &ask,
                                          toy_score(&ask.graph) +
                                              noise * sepx_rng_unit(&rng)),
                         SEPX_OK);
    }
    assert_int_equal(sepx_search_distinct(search), history.count);
    sepx_ask_release(&ask);
    sepx_search_free(search);
    sepx_method_free(method);
    sepx__history_release(&history);
    sepx_space_close(space);
    return tally;
}

static void
test_no_graph_is_proposed_twice_by_chance(void **state)
{
    static const char *const methods[] = {
        "random:fresh=1000", "mutation:fresh=1000", "sep:fresh=1000",
        "standard:population=30,fresh=1000"};

    (void)state;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        (void)run_search(methods[i], 0.5, false, 400);
}

static void
test_repeats_end_where_there_is_no_noise(void **state)
{
    struct tally exact, noisy, cached;

    (void)state;
    exact = run_search("sep:population=40,fresh=1000", 0, false, 500);
    assert_int_equal(exact.by_operator, 5);
    noisy = run_search("sep:population=40,fresh=1000", 0.5, false, 500);
    assert_in_range(noisy.by_operator, 65, 69); /* 15 % of 460 */
    assert_int_equal(noisy.most, 4);
    cached = run_search("sep:population=40,fresh=1000", 0.5, true, 500);
    assert_int_equal(cached.by_operator, 0);
}

/*
 * Scores that are known to be exact are asked for once; where they see dead
 * nodes, networks may come again with other ones, but no graph does.
 */
static void
test_exact_scores_are_asked_for_once(void **state)
{
    struct sepx_space *space = open_space("nb101");
    struct sepx_method *method;

    (void)state;
    assert_int_equal(sepx_method_new(&method, space,
                                     "sep:population=40,fresh=1000", NULL, NULL,
                                     NULL),
                     SEPX_OK);
    for (int dead = 0; dead < 2; dead++) {
        struct sepx__history graphs = {.space = space, .whole = true};
        struct sepx__history networks = {.space = space};
        struct sepx_search *search;
        struct sepx_ask ask = {0};

        assert_int_equal(sepx_search_new(&search, method, 5310, 0, NULL),
                         SEPX_OK);
        sepx_search_expect_exact(search, dead);
        for (uint32_t i = 0; i < 500; i++) {
            assert_int_equal(sepx_search_ask(search, &ask), SEPX_OK);
            assert_int_equal(sepx__history_ask(&graphs, i, &ask.graph),
                             SEPX_OK);
            assert_int_equal(sepx__history_ask(&networks, i, &ask.graph),
                             SEPX_OK);
            assert_int_equal(
                sepx_search_tell(search, &ask, toy_score(&ask.graph)), SEPX_OK);
        }
        assert_int_equal(graphs.count, 500);
        assert_int_equal(sepx_search_distinct(search), 500);
        assert_in_range(networks.count, dead ? 250 : 500, dead ? 490 : 500);
        sepx_ask_release(&ask);
        sepx_search_free(search);
        sepx__history_release(&graphs);
        sepx__history_release(&networks);
    }
    sepx_method_free(method);
    sepx_space_close(space);
}

/* Two graphs of one score: the better mean wins if the rules look at it. */
static void
test_ties_go_by_the_mean(void **state)
{
    static const char *const rows[] = {"random:ties=mean", "random:ties=first"};
    struct sepx_space *space = open_space("nb101");

    (void)state;
    for (int first = 0; first < 2; first++) {
        struct sepx_method *method;
        struct sepx_search *search;
        struct sepx_ask ask[2] = {{.trial = 0}, {.trial = 0}};
        uint32_t scores;

        assert_int_equal(
            sepx_method_new(&method, space, rows[first], NULL, NULL, NULL),
            SEPX_OK);
        assert_int_equal(sepx_search_new(&search, method, 1, 0, NULL), SEPX_OK);
        for (int i = 0; i < 2; i++)
            assert_int_equal(sepx_search_ask(search, &ask[i]), SEPX_OK);
        assert_int_equal(sepx_search_tell(search, &ask[0], 1), SEPX_OK);
        assert_int_equal(sepx_search_tell(search, &ask[1], 1), SEPX_OK);
        assert_false(sepx_search_prefers(search, 1, 0));
        assert_int_equal(sepx_search_tell(search, &ask[0], 2), SEPX_OK);
        assert_int_equal(sepx_search_prefers(search, 1, 0), !first);
        assert_true(sepx_search_mean(search, 0, &scores) == 1.5);
        assert_int_equal(scores, 2);
        assert_false(sepx_search_same(search, 0, 1));
        assert_true(sepx_search_same(search, 1, 1));
        assert_int_equal(
            sepx_search_tell(search, &(struct sepx_ask){.trial = 9}, 2),
            SEPX_EINVAL);
        for (int i = 0; i < 2; i++)
            sepx_ask_release(&ask[i]);
        sepx_search_free(search);
        sepx_method_free(method);
    }
    sepx_space_close(space);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_is_a_list_of_classes),
        cmocka_unit_test(test_no_graph_is_proposed_twice_by_chance),
        cmocka_unit_test(test_repeats_end_where_there_is_no_noise),
        cmocka_unit_test(test_exact_scores_are_asked_for_once),
        cmocka_unit_test(test_ties_go_by_the_mean),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
