/* SPDX-License-Identifier: Apache-2.0 */
/* BOHB: its brackets, who is promoted, when there is a model. */
#include "unit/check.h"

#include <string.h>

#include "search/bohb.h"

static const struct sepx__bohb_settings usual = {3, 4, 64, 15, 0.33, 0.3};

struct bench {
    struct sepx_space *space;
    struct sepx_method *method;
    struct sepx_search *search;
};

static void
bench_open(struct bench *b, const char *text)
{
    struct sepx_msg msg = {0};

    assert_int_equal(sepx_space_open(&b->space, "nb101", NULL), SEPX_OK);
    CHECK(sepx_method_new(&b->method, b->space, text, NULL, NULL, &msg) ==
              SEPX_OK,
          "%s", msg.text);
    assert_int_equal(sepx_search_new(&b->search, b->method, 9, 0, NULL),
                     SEPX_OK);
}

static void
bench_close(struct bench *b)
{
    sepx_search_free(b->search);
    sepx_method_free(b->method);
    sepx_space_close(b->space);
}

/* An error that depends on the graph and a little on the trial. */
static double
loss_of(const struct sepx_ask *ask)
{
    double sum = fabs(ask->graph.n_edges - 8.0);

    for (uint32_t i = 0; i < ask->graph.n_nodes; i++)
        sum += ask->graph.label[i];
    return (sum + 1e-3 * (ask->trial % 7)) / 100;
}

static void
test_the_four_brackets(void **state)
{
    static const uint32_t want[4][4] = {{27, 9, 3, 1}, {9, 3, 1}, {6, 2}, {4}};

    (void)state;
    for (uint32_t number = 0; number < 12; number++) {
        uint32_t size[SEPX__RUNGS_MAX] = {0};
        uint32_t rungs = sepx__bracket_rungs(&usual, number, size);

        assert_int_equal(rungs, 4 - number % 4);
        for (uint32_t i = 0; i < rungs; i++)
            assert_int_equal(size[i], want[number % 4][i]);
    }
    for (uint32_t i = 0; i < 4; i++)
        CHECK_NEAR(sepx__bracket_fidelity(&usual, i), pow(3, i) / 27, 1e-15);
}

struct told {
    uint32_t rung;
    int64_t parent;
    double loss;
    struct sepx_key key;
};

/* Ask and tell one at a time until the first bracket is over. */
static uint32_t
first_bracket(struct told *told, struct sepx_search *search)
{
    struct sepx_ask ask = {0};
    uint32_t count = 0;

    for (;; count++) {
        struct told *at = &told[count];

        assert_true(count < 41);
        assert_int_equal(sepx_search_ask(search, &ask), SEPX_OK);
        at->parent = ask.parent[0];
        if (count && at->parent < 0 && told[count - 1].rung)
            break;
        at->rung = (uint32_t)lround(log(ask.fidelity * 27) / log(3));
        CHECK_NEAR(ask.fidelity, pow(3, at->rung) / 27, 1e-12);
        at->loss = loss_of(&ask);
        assert_int_equal(sepx_graph_canon(&ask.graph, NULL, &at->key), SEPX_OK);
        assert_int_equal(sepx_search_tell(search, &ask, at->loss), SEPX_OK);
    }
    sepx_ask_release(&ask);
    return count;
}

/*
 * Vectors that are no graphs take places too, so each rung has at most its
 * size of asks; those that go on are the best of the rung before.
 */
static void
test_the_best_are_promoted(void **state)
{
    static const uint32_t size[] = {27, 9, 3, 1};
    struct told told[42];
    uint32_t count, many[4] = {0};
    struct bench b;

    (void)state;
    bench_open(&b, "bohb");
    count = first_bracket(told, b.search);
    for (uint32_t i = 0; i < count; i++) {
        const struct told *parent;
        uint32_t better = 0;

        assert_true(++many[told[i].rung] <= size[told[i].rung]);
        if (told[i].parent < 0)
            continue;
        parent = &told[told[i].parent];
        assert_int_equal(parent->rung + 1, told[i].rung);
        assert_memory_equal(&parent->key, &told[i].key, sizeof told[i].key);
        for (uint32_t k = 0; k < i; k++)
            better +=
                told[k].rung == parent->rung && told[k].loss < parent->loss;
        CHECK(better < size[told[i].rung], "%u better than %u", better, i);
    }
    /* This seed has enough graphs among its first 27 vectors. */
    assert_true(many[0] >= 3);
    assert_int_equal(many[2], 3);
    assert_int_equal(many[3], 1);
    bench_close(&b);
}

/* Nobody is told: each bracket gives its first rung, then the next begins. */
static void
test_brackets_begin_while_others_wait(void **state)
{
    struct sepx_ask ask[60];
    double before = 0;
    uint32_t many[4] = {0};
    struct bench b;

    (void)state;
    memset(ask, 0, sizeof ask);
    bench_open(&b, "bohb");
    for (unsigned i = 0; i < 60; i++) {
        unsigned level = 0;

        assert_int_equal(sepx_search_ask(b.search, &ask[i]), SEPX_OK);
        while (pow(3, level) / 27 < ask[i].fidelity * 0.99)
            level++;
        many[level]++;
        if (many[3])
            break;
        CHECK(ask[i].fidelity >= before, "%u: %g", i, ask[i].fidelity);
        before = ask[i].fidelity;
        assert_int_equal(ask[i].parent[0], -1);
    }
    CHECK(many[0] > 0 && many[0] <= 27 && many[1] <= 9 && many[2] <= 6,
          "%u %u %u", many[0], many[1], many[2]);
    /* In any order. */
    for (unsigned i = many[0] + many[1] + many[2] + many[3]; i-- > 0;)
        assert_int_equal(sepx_search_tell(b.search, &ask[i], loss_of(&ask[i])),
                         SEPX_OK);
    assert_int_equal(sepx_search_tell(b.search, &ask[0], 0), SEPX_EINVAL);
    assert_int_equal(sepx_search_ask(b.search, &ask[0]), SEPX_OK);
    for (unsigned i = 0; i < 60; i++)
        sepx_ask_release(&ask[i]);
    bench_close(&b);
}

/* 27 good and 27 bad vectors at least; smaller budgets then do not count. */
static void
test_a_model_from_the_54th_result(void **state)
{
    struct sepx_space *space;
    struct sepx__model model = {0};
    struct sepx_rng rng;
    uint16_t value[26];

    (void)state;
    sepx_rng_init(&rng, 1, 0, 0, 0);
    assert_int_equal(sepx_space_open(&space, "nb101", NULL), SEPX_OK);
    assert_int_equal(sepx__model_init(&model, space, &usual), SEPX_OK);
    for (unsigned i = 0; i < 400; i++) {
        uint32_t level = i < 54 ? 0 : i < 354 ? 2 : 1;

        for (unsigned v = 0; v < 26; v++)
            value[v] = (uint16_t)sepx_rng_below(&rng, 2);
        assert_int_equal(
            sepx__model_tell(&model, level, value, value[3] ? i : 1000 + i),
            SEPX_OK);
        CHECK(model.level == (i < 53    ? -1
                              : i < 107 ? 0
                                        : 2),
              "%d after %u", model.level, i);
    }
    assert_int_equal(model.pile[1].count, 0);
    assert_int_equal(model.pile[2].count, 300);
    assert_int_equal(model.n_good, 45);
    assert_int_equal(model.n_bad, 255);
    /* The good ones have variable 3 set, and so have most proposals. */
    for (unsigned i = 0, set = 0; i < 100; i++) {
        assert_int_equal(sepx__model_propose(&model, value, &rng), SEPX_OK);
        set += value[3];
        CHECK(i < 99 || set > 90, "%u of 100", set);
    }
    sepx__model_release(&model);
    sepx_space_close(space);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_four_brackets),
        cmocka_unit_test(test_the_best_are_promoted),
        cmocka_unit_test(test_brackets_begin_while_others_wait),
        cmocka_unit_test(test_a_model_from_the_54th_result),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
