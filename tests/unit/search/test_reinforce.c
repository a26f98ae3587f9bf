/* SPDX-License-Identifier: Apache-2.0 */
/* REINFORCE against a plain second implementation of its equations. */
#include "unit/check.h"

#include <string.h>

#include "search/internal.h"

enum { VARIABLES = 26, CHOICES = 3 };

/* The agent with nothing clever: logits, a sum and a weight. */
struct plain {
    double logit[VARIABLES][CHOICES];
    double sum, weight;
};

static unsigned
choices_of(const struct sepx_space *space, unsigned variable)
{
    return sepx_space_choices(space, variable);
}

static double
share_of(const struct plain *agent, const struct sepx_space *space,
         unsigned variable, unsigned choice)
{
    double total = 0;

    for (unsigned i = 0; i < choices_of(space, variable); i++)
        total += exp(agent->logit[variable][i]);
    return exp(agent->logit[variable][choice]) / total;
}

static void
plain_draw(const struct plain *agent, const struct sepx_space *space,
           struct sepx_graph *graph, uint16_t *value, uint64_t seed,
           uint32_t trial)
{
    struct sepx_rng rng;
    bool valid = false;

    sepx_rng_init(&rng, seed, 0, trial, SEPX__STREAM_POLICY);
    while (!valid) {
        for (unsigned v = 0; v < VARIABLES; v++) {
            double u = sepx_rng_unit(&rng), below = 0;

            value[v] = 0;
            for (unsigned i = 0; i + 1 < choices_of(space, v); i++) {
                below += share_of(agent, space, v, i);
                value[v] = (uint16_t)(value[v] + (u >= below));
            }
        }
        assert_int_equal(sepx_space_decode(space, graph, &valid, value, NULL),
                         SEPX_OK);
    }
}

/* The baseline has the reward in it before the advantage is taken. */
static void
plain_learn(struct plain *agent, const struct sepx_space *space,
            const uint16_t *value, double reward)
{
    struct plain old = *agent;
    double advantage;

    agent->sum = 0.9 * agent->sum + 0.1 * reward;
    agent->weight = 0.9 * agent->weight + 0.1;
    advantage = reward - agent->sum / agent->weight;
    for (unsigned v = 0; v < VARIABLES; v++) {
        for (unsigned i = 0; i < choices_of(space, v); i++)
            agent->logit[v][i] +=
                0.1 * advantage *
                ((value[v] == i ? 1 : 0) - share_of(&old, space, v, i));
    }
}

/* The reward of the second one is shifted, which must not matter. */
static void
test_two_implementations_agree(void **state)
{
    struct sepx_space *space;
    struct sepx_method *method;
    struct sepx_search *search;
    struct sepx_ask ask = {0};
    struct sepx_graph graph = {0};
    struct plain agent = {0};
    const uint64_t seed = 11;

    (void)state;
    assert_int_equal(sepx_space_open(&space, "nb101", NULL), SEPX_OK);
    assert_int_equal(
        sepx_method_new(&method, space, "reinforce", "plain", NULL, NULL),
        SEPX_OK);
    assert_int_equal(sepx_search_new(&search, method, seed, 0, NULL), SEPX_OK);
    assert_int_equal(sepx_space_variables(space), VARIABLES);
    for (uint32_t trial = 0; trial < 400; trial++) {
        uint16_t value[VARIABLES];
        double score;

        assert_int_equal(sepx_search_ask(search, &ask), SEPX_OK);
        plain_draw(&agent, space, &graph, value, seed, trial);
        CHECK(sepx_graph_equal(&graph, &ask.graph), "trial %u", trial);
        score = ask.graph.n_edges;
        assert_int_equal(sepx_search_tell(search, &ask, score), SEPX_OK);
        plain_learn(&agent, space, value, 30 - score);
    }
    sepx_graph_release(&graph);
    sepx_ask_release(&ask);
    sepx_search_free(search);
    sepx_method_free(method);
    sepx_space_close(space);
}

static void
test_it_learns_what_is_rewarded(void **state)
{
    struct sepx_space *space;
    struct sepx_method *method;
    struct sepx_search *search;
    struct sepx_ask ask = {0};
    unsigned early = 0, late = 0;

    (void)state;
    assert_int_equal(sepx_space_open(&space, "nb101", NULL), SEPX_OK);
    assert_int_equal(
        sepx_method_new(&method, space, "reinforce", "plain", NULL, NULL),
        SEPX_OK);
    assert_int_equal(sepx_search_new(&search, method, 12, 0, NULL), SEPX_OK);
    for (uint32_t trial = 0; trial < 600; trial++) {
        assert_int_equal(sepx_search_ask(search, &ask), SEPX_OK);
        early += trial < 100 ? ask.graph.n_edges : 0;
        late += trial >= 500 ? ask.graph.n_edges : 0;
        assert_int_equal(sepx_search_tell(search, &ask, ask.graph.n_edges),
                         SEPX_OK);
    }
    CHECK(late < early / 2, "edges of 100 graphs: %u, then %u", early, late);
    sepx_ask_release(&ask);
    sepx_search_free(search);
    sepx_method_free(method);
    sepx_space_close(space);
}

/* A policy that has settled begins anew instead of proposing what is known. */
static void
test_a_settled_policy_begins_anew(void **state)
{
    struct sepx_space *space;
    struct sepx_method *method;
    struct sepx_search *search;
    struct sepx_ask ask = {0};
    struct sepx_key key[800];
    unsigned known = 0;

    (void)state;
    assert_int_equal(sepx_space_open(&space, "nb101", NULL), SEPX_OK);
    assert_int_equal(
        sepx_method_new(&method, space, "reinforce", NULL, NULL, NULL),
        SEPX_OK);
    assert_int_equal(sepx_search_new(&search, method, 13, 0, NULL), SEPX_OK);
    for (uint32_t trial = 0; trial < 800; trial++) {
        bool seen = false;

        assert_int_equal(sepx_search_ask(search, &ask), SEPX_OK);
        assert_int_equal(sepx_graph_canon(&ask.graph, NULL, &key[trial]),
                         SEPX_OK);
        for (uint32_t i = 0; i < trial && !seen; i++)
            seen = !memcmp(&key[i], &key[trial], sizeof *key);
        known += seen;
        assert_int_equal(sepx_search_tell(search, &ask, ask.graph.n_edges),
                         SEPX_OK);
    }
    CHECK(known < 8, "%u of 800 graphs were known", known);
    sepx_ask_release(&ask);
    sepx_search_free(search);
    sepx_method_free(method);
    sepx_space_close(space);
}

static void
test_an_ask_is_told_once(void **state)
{
    struct sepx_space *space;
    struct sepx_method *method;
    struct sepx_search *search;
    struct sepx_ask ask = {0};

    (void)state;
    assert_int_equal(sepx_space_open(&space, "darts", NULL), SEPX_OK);
    assert_int_equal(
        sepx_method_new(&method, space, "reinforce", NULL, NULL, NULL),
        SEPX_OK);
    assert_int_equal(sepx_search_new(&search, method, 1, 0, NULL), SEPX_OK);
    assert_int_equal(sepx_search_ask(search, &ask), SEPX_OK);
    assert_int_equal(sepx_search_tell(search, &ask, 1), SEPX_OK);
    assert_int_equal(sepx_search_tell(search, &ask, 1), SEPX_EINVAL);
    sepx_ask_release(&ask);
    sepx_search_free(search);
    sepx_method_free(method);
    sepx_space_close(space);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_implementations_agree),
        cmocka_unit_test(test_it_learns_what_is_rewarded),
        cmocka_unit_test(test_a_settled_policy_begins_anew),
        cmocka_unit_test(test_an_ask_is_told_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
