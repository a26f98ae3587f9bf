/* SPDX-License-Identifier: Apache-2.0 */
/* Methods from text, and what holds for every method on every space. */
#include "unit/check.h"
#include "unit/rounds.h"

#include <stdio.h>
#include <string.h>

#include "unit/faults.h"
#include "sepx/search.h"

static struct sepx_space *
open_space(const char *name)
{
    struct sepx_space *space;
    struct sepx_msg msg = {0};

    CHECK(sepx_space_open(&space, name, &msg) == SEPX_OK, "%s", msg.text);
    return space;
}

static struct sepx_method *
open_method(const struct sepx_space *space, const char *text)
{
    struct sepx_method *method;
    struct sepx_msg msg = {0};
    enum sepx_err err = sepx_method_new(&method, space, text, NULL, NULL, &msg);

    if (err == SEPX_EUNSUPPORTED)
        return NULL;
    CHECK(err == SEPX_OK, "%s: %s", text, msg.text);
    return method;
}

/* A score that any method can lower: far from 8 edges, many labels. */
static double
toy_score(const struct sepx_graph *graph)
{
    double sum = graph->n_edges > 8 ? graph->n_edges - 8 : 8 - graph->n_edges;

    for (uint32_t i = 0; i < graph->n_nodes; i++)
        sum += 0.1 * graph->label[i];
    return sum;
}

/* ---- methods ---- */

static void
test_texts_name_methods_aliases_and_options(void **state)
{
    struct sepx_space *space = open_space("nb101");
    struct sepx_method *method;
    struct sepx_text text = {0};
    struct sepx_json_writer w;

    (void)state;
    method = open_method(space, "sep:population=50,share=0.25");
    assert_string_equal(sepx_method_text(method),
                        "sep:population=50,share=0.25");
    sepx_json_begin(&w, &text);
    sepx_method_put_json(&w, method);
    assert_int_equal(sepx_json_done(&w), SEPX_OK);
    assert_non_null(strstr(text.at, "{\"name\":\"evolve\",\"options\":{"
                                    "\"population\":50,\"tournament\":10,"
                                    "\"crossover\":\"sep\",\"share\":0.25,"));
    assert_non_null(strstr(text.at, "\"rules\":\"default\",\"mutation\":{"));
    assert_non_null(strstr(text.at, "\"crossover\":{\"trials\":\"50\""));
    sepx_text_release(&text);
    sepx_method_free(method);
    sepx_space_close(space);
}

/* Text wins over the rows of rules, which win over the preset. */
static void
test_rules_may_stand_among_the_options(void **state)
{
    static const char *const rows[] = {"trials=7", "order=fifo", NULL};
    struct sepx_space *space = open_space("nb101");
    struct sepx_method *method;
    struct sepx_text text = {0};
    struct sepx_json_writer w;

    (void)state;
    assert_int_equal(sepx_method_new(&method, space,
                                     "sep:order=smallest,rules=published,"
                                     "share=0.25",
                                     "paper", rows, NULL),
                     SEPX_OK);
    sepx_json_begin(&w, &text);
    sepx_method_put_json(&w, method);
    assert_int_equal(sepx_json_done(&w), SEPX_OK);
    assert_non_null(strstr(text.at, "\"share\":0.25,\"pairs\":\"unequal\""));
    assert_non_null(strstr(text.at, "\"rules\":\"published\""));
    assert_non_null(strstr(text.at, "\"crossover\":{\"trials\":\"7\","
                                    "\"order\":\"smallest\""));
    sepx_text_release(&text);
    sepx_method_free(method);
    sepx_space_close(space);
}

static void
test_messages_list_what_is_valid(void **state)
{
    static const char *const no_rule[] = {"oder=random", NULL};
    static const char *const no_value[] = {"order", NULL};
    static const struct {
        const char *text, *preset;
        const char *const *rule;
        const char *says;
        enum sepx_err err;
    } cases[] = {
        {"evlove", NULL, NULL,
         "unknown method 'evlove'; did you mean 'evolve'? (valid: random, "
         "evolve, reinforce, local, bohb, smac, model, mutation, standard, "
         "matched, "
         "sep, path)",
         SEPX_ENOTFOUND},
        {"sep:populaton=3", NULL, NULL,
         "unknown option of evolve 'populaton'; did you mean 'population'?",
         SEPX_ENOTFOUND},
        {"sep:rules=publised", NULL, NULL, "did you mean 'published'?",
         SEPX_ENOTFOUND},
        {"sep:order=lfo", NULL, NULL, "rule order cannot be 'lfo'",
         SEPX_EINVAL},
        {"sep:population", NULL, NULL, "'population' has no value",
         SEPX_EINVAL},
        {"evolve:crossover=spe", NULL, NULL,
         "unknown crossover 'spe'; did you mean 'sep'? (valid: none, "
         "standard, matched, sep, path)",
         SEPX_ENOTFOUND},
        {"evolve:population=0", NULL, NULL, "'0' is not a whole number",
         SEPX_EINVAL},
        {"sep:population=5,tournament=9", NULL, NULL,
         "evolve's tournament 9 is larger than population 5; give "
         "tournament=5 or less, or population=9 or more",
         SEPX_EINVAL},
        {"mutation:tournament=9,population=5", NULL, NULL,
         "tournament 9 is larger than population 5", SEPX_EINVAL},
        {"evolve:tournament=101", NULL, NULL,
         "tournament 101 is larger than population 100", SEPX_EINVAL},
        {"model:population=5,tournament=9", NULL, NULL,
         "model's tournament 9 is larger than population 5", SEPX_EINVAL},
        {"random:crossover=sep", NULL, NULL,
         "unknown option of random 'crossover'", SEPX_ENOTFOUND},
        {"sep", "publised", NULL, "did you mean 'published'?", SEPX_ENOTFOUND},
        {"sep", NULL, no_rule, "did you mean 'order'?", SEPX_ENOTFOUND},
        {"sep", NULL, no_value, "'order' has no value", SEPX_EINVAL},
    };
    struct sepx_space *space = open_space("nb101");

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sepx_method *method;
        struct sepx_msg msg = {0};

        assert_int_equal(sepx_method_new(&method, space, cases[i].text,
                                         cases[i].preset, cases[i].rule, &msg),
                         cases[i].err);
        assert_null(method);
        CHECK(strstr(msg.text, cases[i].says), "'%s' lacks '%s'", msg.text,
              cases[i].says);
    }
    sepx_space_close(space);
}

static void
test_some_methods_need_an_encoding(void **state)
{
    static const char *const methods[] = {"reinforce", "bohb", "smac"};
    struct sepx_space *space = open_space("nbnlp");

    (void)state;
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        struct sepx_method *method;
        struct sepx_msg msg = {0};
        char want[128];

        assert_int_equal(
            sepx_method_new(&method, space, methods[i], NULL, NULL, &msg),
            SEPX_EUNSUPPORTED);
        snprintf(want, sizeof want,
                 "%s needs a vector encoding, which space nbnlp does not have",
                 methods[i]);
        assert_string_equal(msg.text, want);
    }
    sepx_space_close(space);
}

/* ---- the random start ---- */

/* Draws before the first proposal of another operator; each gets a score. */
static uint32_t
draws_of(const struct sepx_space *space, const char *text)
{
    struct sepx_method *method = open_method(space, text);
    struct sepx_search *search;
    struct sepx_ask ask = {0};
    uint32_t count = 0;

    assert_int_equal(sepx_search_new(&search, method, 1, 0, NULL), SEPX_OK);
    for (;; count++) {
        assert_int_equal(sepx_search_ask(search, &ask), SEPX_OK);
        if (strcmp(sepx_search_operator_name(search, ask.op), "random") != 0)
            break;
        assert_int_equal(sepx_search_tell(search, &ask, toy_score(&ask.graph)),
                         SEPX_OK);
    }
    sepx_ask_release(&ask);
    sepx_search_free(search);
    sepx_method_free(method);
    return count;
}

static void
test_a_start_has_as_many_draws_as_the_method_says(void **state)
{
    static const struct {
        const char *text;
        struct sepx_method_start start;
    } cases[] = {
        {"sep", {.trials = 100}},
        {"mutation:population=7", {.trials = 7}},
        {"model", {.scores = 20}},
        {"model:start=9", {.scores = 9}},
    };
    struct sepx_space *space = open_space("nb101");
    struct sepx_method_start start;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(sepx_method_start(&start, cases[i].text, NULL, NULL),
                         SEPX_OK);
        assert_int_equal(start.trials, cases[i].start.trials);
        assert_int_equal(start.scores, cases[i].start.scores);
        assert_int_equal(draws_of(space, cases[i].text),
                         start.trials + start.scores);
    }
    sepx_space_close(space);
}

static void
test_other_methods_have_no_random_start(void **state)
{
    static const char *const methods[] = {"random", "reinforce", "local",
                                          "bohb", "smac"};
    struct sepx_method_start start;

    (void)state;
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        assert_int_equal(sepx_method_start(&start, methods[i], NULL, NULL),
                         SEPX_OK);
        assert_true(!start.trials && !start.scores);
    }
    assert_int_equal(sepx_method_start(&start, "evlove", NULL, NULL),
                     SEPX_ENOTFOUND);
    EACH_FAULT (fault) {
        fault.err = sepx_method_start(&start, "sep", NULL, NULL);
    }
}

/* ---- every method on every space ---- */

/* Asks are told `lag` asks later. Hashes all that was proposed. */
struct trace {
    struct sepx_ask ask[8];
    struct sepx_key sum;
    unsigned valid;
};

static void
trace_add(struct trace *trace, const struct sepx_space *space,
          const struct sepx_ask *ask)
{
    struct sepx_key key;
    bool valid;

    assert_int_equal(sepx_graph_canon(&ask->graph, NULL, &key), SEPX_OK);
    assert_int_equal(sepx_space_check(space, &valid, &ask->graph, NULL),
                     SEPX_OK);
    trace->valid += valid;
    trace->sum.low = trace->sum.low * 31 + key.low + ask->op +
                     (uint64_t)(ask->parent[0] * 7 + ask->parent[1]);
    trace->sum.high = trace->sum.high * 31 + key.high;
    CHECK(ask->fidelity > 0 && ask->fidelity <= 1, "fidelity %g",
          ask->fidelity);
    CHECK(ask->parent[0] < ask->trial && ask->parent[1] < ask->trial,
          "parents %lld %lld of %u", (long long)ask->parent[0],
          (long long)ask->parent[1], ask->trial);
}

static struct trace
play(const struct sepx_space *space, const struct sepx_method *method,
     uint64_t seed, unsigned asks, unsigned lag)
{
    struct sepx_search *search;
    struct trace trace = {0};

    assert_int_equal(sepx_search_new(&search, method, seed, 0, NULL), SEPX_OK);
    for (unsigned i = 0; i < asks; i++) {
        struct sepx_ask *slot = &trace.ask[i % (lag + 1)];

        assert_int_equal(sepx_search_ask(search, slot), SEPX_OK);
        assert_int_equal(slot->trial, i);
        trace_add(&trace, space, slot);
        if (i < lag)
            continue;
        slot = &trace.ask[(i - lag) % (lag + 1)];
        /* Every ninth evaluation fails. */
        assert_int_equal(sepx_search_tell(search, slot,
                                          slot->trial % 9 == 8
                                              ? NAN
                                              : toy_score(&slot->graph)),
                         SEPX_OK);
    }
    sepx_search_free(search);
    for (size_t i = 0; i < 8; i++)
        sepx_ask_release(&trace.ask[i]);
    return trace;
}

static void
play_twice(const struct sepx_space *space, const struct sepx_method *method)
{
    const unsigned asks = rounds(200); /* populations are of 20 */
    struct trace other = play(space, method, 6, asks, 0);

    for (unsigned lag = 0; lag <= 7; lag += 7) {
        struct trace one = play(space, method, 5, asks, lag);
        struct trace two = play(space, method, 5, asks, lag);

        assert_memory_equal(&one.sum, &two.sum, sizeof one.sum);
        assert_memory_not_equal(&one.sum, &other.sum, sizeof one.sum);
        assert_int_equal(one.valid, asks);
    }
}

static void
test_every_method_repeats_itself_on_every_space(void **state)
{
    static const char *const methods[] = {
        "random",
        "mutation:population=20",
        "standard:population=20",
        "matched:population=20",
        "sep:population=20,share=1",
        "sep:population=5",
        "reinforce",
        "local",
        "local:step=first",
        "bohb",
        "smac:refit=1,candidates=200",
        "model:start=5,candidates=4",
    };
    const struct sepx_space_info *const *info = sepx_space_list();

    (void)state;
    for (; *info; info++) {
        struct sepx_space *space = open_space((*info)->name);

        for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
            struct sepx_method *method = open_method(space, methods[i]);

            if (!method)
                continue;
            play_twice(space, method);
            sepx_method_free(method);
        }
        sepx_space_close(space);
    }
}

static void
test_counts_add_up(void **state)
{
    struct sepx_space *space = open_space("nb101");
    struct sepx_method *method = open_method(space, "sep:population=30");
    struct sepx_search *search;
    struct sepx_ask ask = {0};
    const struct sepx_operator *op;
    uint32_t count;

    (void)state;
    assert_int_equal(sepx_search_new(&search, method, 3, 0, NULL), SEPX_OK);
    for (unsigned i = 0; i < 500; i++) {
        assert_int_equal(sepx_search_ask(search, &ask), SEPX_OK);
        assert_int_equal(sepx_search_tell(search, &ask, toy_score(&ask.graph)),
                         SEPX_OK);
    }
    op = sepx_search_operators(search, &count);
    assert_int_equal(count, 4);
    assert_string_equal(op[0].name, "random");
    assert_string_equal(op[1].name, "mutation");
    assert_string_equal(op[2].name, "sep");
    assert_int_equal(op[0].counts.accepted, 30);
    assert_string_equal(op[3].name, "repeat");
    assert_int_equal(op[0].counts.accepted + op[1].counts.accepted +
                         op[2].counts.accepted + op[3].counts.accepted,
                     500);
    assert_int_equal(op[3].counts.accepted, 5); /* the toy has no noise */
    assert_int_equal(op[2].counts.attempts,
                     op[2].counts.accepted + op[2].counts.skipped);
    sepx_ask_release(&ask);
    sepx_search_free(search);
    sepx_method_free(method);
    sepx_space_close(space);
}

/* ---- memory ---- */

static enum sepx_err
short_life(const char *text)
{
    struct sepx_space *space = NULL;
    struct sepx_method *method = NULL;
    struct sepx_search *search = NULL;
    struct sepx_ask ask = {0};
    enum sepx_err err = sepx_space_open(&space, "nb101", NULL);

    if (!err)
        err = sepx_method_new(&method, space, text, NULL, NULL, NULL);
    if (!err)
        err = sepx_search_new(&search, method, 1, 0, NULL);
    for (unsigned i = 0; i < 12 && !err; i++) {
        err = sepx_search_ask(search, &ask);
        if (!err)
            err = sepx_search_tell(search, &ask, toy_score(&ask.graph));
    }
    sepx_ask_release(&ask);
    sepx_search_free(search);
    sepx_method_free(method);
    sepx_space_close(space);
    return err;
}

static void
test_every_allocation_may_fail(void **state)
{
    static const char *const methods[] = {
        "random",    "sep:population=3,tournament=2",
        "reinforce", "local:step=first",
        "bohb",      "model:start=2,candidates=2,graphs=4"};

    (void)state;
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        EACH_FAULT (fault) {
            fault.err = short_life(methods[i]);
        }
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts_name_methods_aliases_and_options),
        cmocka_unit_test(test_rules_may_stand_among_the_options),
        cmocka_unit_test(test_messages_list_what_is_valid),
        cmocka_unit_test(test_some_methods_need_an_encoding),
        cmocka_unit_test(test_a_start_has_as_many_draws_as_the_method_says),
        cmocka_unit_test(test_other_methods_have_no_random_start),
        cmocka_unit_test(test_every_method_repeats_itself_on_every_space),
        cmocka_unit_test(test_counts_add_up),
        cmocka_unit_test(test_every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
