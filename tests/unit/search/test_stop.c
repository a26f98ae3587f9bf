/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A request to stop reaches every long loop, and start graphs every method,
 * on spaces of files with small and with large graphs.
 */
#include "unit/check.h"

#include <stdio.h>
#include <string.h>

#include "sepx/search.h"
#include "unit/custom_files.h"
#include "unit/faults.h"

static const char *const methods[] = {
    "random",
    "local",
    "evolve:population=4,tournament=2",
    "sep:population=4,tournament=2",
    "matched:population=4,tournament=2",
    "reinforce",
    "bohb",
    "smac:candidates=200,searches=2",
    "model:start=3,candidates=3",
};
#define N_METHODS (sizeof methods / sizeof *methods)

/* Asked for at the call after `left` more. */
struct countdown {
    long left;
};

static bool
count_down(void *context)
{
    struct countdown *c = context;

    return c->left-- <= 0;
}

static struct sepx_space *
open_random(unsigned nodes)
{
    char text[512];
    struct sepx_space *space;
    struct sepx_msg msg = {0};
    enum sepx_err err;

    snprintf(text, sizeof text,
             SPACE_HEAD "\"nodes\": {" SPACE_ENDS ", \"a\": {}, \"b\": {}, "
                        "\"c\": {}}, \"limits\": {\"nodes\": %u}, "
                        "\"sample\": {\"edge_probability\": 0.15}}",
             nodes);
    err = sepx_space_open_text(&space, text, strlen(text), "f.json", &msg);
    CHECK(!err, "%s", msg.text);
    return space;
}

/* Ask and tell until it is stopped; the number of asks before. */
static unsigned
search_until_stopped(const struct sepx_method *method, unsigned most)
{
    struct sepx_search *search;
    struct sepx_ask ask = {0};
    unsigned done = 0;
    enum sepx_err err = sepx_search_new(&search, method, 3, 0, NULL);

    assert_int_equal(err, SEPX_OK);
    for (; done < most; done++) {
        err = sepx_search_ask(search, &ask);
        if (err)
            break;
        assert_int_equal(
            sepx_search_tell(search, &ask, (double)ask.graph.n_edges), SEPX_OK);
    }
    assert_int_equal(err, done < most ? SEPX_ESTOPPED : SEPX_OK);
    sepx_ask_release(&ask);
    sepx_search_free(search);
    return done;
}

static void
test_every_method_stops_wherever_it_is(void **state)
{
    struct sepx_space *space = open_random(16);

    (void)state;
    for (size_t i = 0; i < N_METHODS; i++) {
        struct sepx_method *method;

        assert_int_equal(
            sepx_method_new(&method, space, methods[i], NULL, NULL, NULL),
            SEPX_OK);
        for (long after = 0; after < 40; after++) {
            struct countdown c = {after};
            struct sepx_stop stop = {count_down, &c};
            unsigned done;

            sepx_space_set_stop(space, &stop);
            fault_count();
            done = search_until_stopped(method, 60);
            CHECK(done <= (unsigned)after, "%s: %u asks after %ld calls",
                  methods[i], done, after);
            CHECK(fault_live() == 0, "%s: after %ld", methods[i], after);
            fault_stop();
        }
        sepx_space_set_stop(space, NULL);
        assert_int_equal(search_until_stopped(method, 20), 20);
        sepx_method_free(method);
    }
    sepx_space_close(space);
}

/* ---- one crossover of large graphs ---- */

struct pair {
    struct sepx_space *space;
    struct sepx_cross *cross;
    struct sepx_graph a, b, child;
    struct sepx_rules rules;
    struct sepx_rng rng;
};

static void
open_pair(struct pair *p, unsigned nodes, const char *align)
{
    *p = (struct pair){.space = open_random(nodes)};
    sepx_rng_init(&p->rng, 5, 0, 0, 0);
    assert_int_equal(sepx_rules_preset(&p->rules, "default", "f", "sep", NULL),
                     SEPX_OK);
    if (align)
        assert_int_equal(sepx_rules_set(&p->rules, "align", align, NULL),
                         SEPX_OK);
    assert_int_equal(
        sepx_cross_new(&p->cross, p->space, "sep", &p->rules, NULL), SEPX_OK);
    assert_int_equal(sepx_space_sample(p->space, &p->a, &p->rng), SEPX_OK);
    assert_int_equal(sepx_space_sample(p->space, &p->b, &p->rng), SEPX_OK);
}

static void
close_pair(struct pair *p)
{
    sepx_cross_free(p->cross);
    sepx_graph_release(&p->a);
    sepx_graph_release(&p->b);
    sepx_graph_release(&p->child);
    sepx_space_close(p->space);
}

static void
test_an_alignment_without_limit_stops(void **state)
{
    static const unsigned sizes[] = {36, 64};

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct countdown c = {2};
        struct sepx_stop stop = {count_down, &c};
        struct pair p;
        bool accepted;

        open_pair(&p, sizes[i], "0");
        sepx_space_set_stop(p.space, &stop);
        assert_int_equal(sepx_cross_run(p.cross, &p.child, &accepted, &p.a,
                                        &p.b, &p.rng, NULL, NULL),
                         SEPX_ESTOPPED);
        close_pair(&p);
    }
}

static void
test_the_gap_of_an_alignment_is_told(void **state)
{
    static const unsigned sizes[] = {36, 64};

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct sepx_cross_counts counts = {0};
        struct sepx_explain explain = {0};
        struct pair p;
        bool accepted;

        open_pair(&p, sizes[i], NULL);
        assert_int_equal(sepx_cross_run(p.cross, &p.child, &accepted, &p.a,
                                        &p.b, &p.rng, &counts, &explain),
                         SEPX_OK);
        CHECK(explain.lower > 0 && explain.lower < explain.distance,
              "%u nodes: %g..%g", sizes[i], explain.lower, explain.distance);
        assert_int_equal(explain.distance, explain.path.len);
        assert_int_equal(counts.unproven, 1);
        assert_int_equal(counts.gap,
                         (uint64_t)(explain.distance - explain.lower));
        sepx_explain_release(&explain);
        close_pair(&p);
    }
}

/* More nodes never make the bounds worse; enough of them close the gap. */
static void
test_a_larger_budget_aligns_better(void **state)
{
    static const char *const align[] = {"1", "100", "10000", "0"};
    double lower = 0, upper = 1e9;

    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        struct sepx_explain explain = {0};
        struct pair p;
        bool accepted;

        open_pair(&p, 14, align[i]);
        assert_int_equal(sepx_cross_run(p.cross, &p.child, &accepted, &p.a,
                                        &p.b, &p.rng, NULL, &explain),
                         SEPX_OK);
        CHECK(explain.lower >= lower && explain.distance <= upper,
              "align=%s: %g..%g after %g..%g", align[i], explain.lower,
              explain.distance, lower, upper);
        lower = explain.lower;
        upper = explain.distance;
        sepx_explain_release(&explain);
        close_pair(&p);
    }
    assert_true(lower == upper);
}

/* ---- start graphs ---- */

#define SPACE_START \
    SPACE_HEAD \
    "\"nodes\": {" SPACE_ENDS ", \"a\": {}, \"b\": {}}, \"limits\": " \
    "{\"nodes\": 7}, \"start\": [" \
    "{\"nodes\": [\"i\", \"a\", \"a\", \"a\", \"a\", \"a\", \"o\"]," \
    "\"edges\": [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6]]}," \
    "{\"nodes\": [\"i\", \"b\", \"b\", \"b\", \"b\", \"b\", \"o\"]," \
    "\"edges\": [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6]]}]}"

static void
test_every_method_begins_with_the_start_graphs(void **state)
{
    struct sepx_space *space;
    const struct sepx_graph *start;
    size_t count;

    (void)state;
    assert_int_equal(sepx_space_open_text(&space, SPACE_START,
                                          strlen(SPACE_START), "f.json", NULL),
                     SEPX_OK);
    start = sepx_space_starts(space, &count);
    assert_int_equal(count, 2);
    for (size_t i = 0; i < N_METHODS; i++) {
        struct sepx_method *method;
        struct sepx_search *search;
        struct sepx_ask ask[2] = {0};

        assert_int_equal(
            sepx_method_new(&method, space, methods[i], NULL, NULL, NULL),
            SEPX_OK);
        assert_int_equal(sepx_search_new(&search, method, 1, 0, NULL), SEPX_OK);
        for (int k = 0; k < 2; k++) {
            bool same;

            assert_int_equal(sepx_search_ask(search, &ask[k]), SEPX_OK);
            assert_int_equal(
                sepx_graph_isomorphic(&ask[k].graph, &start[k], &same, NULL),
                SEPX_OK);
            CHECK(same, "%s: ask %d", methods[i], k);
        }
        for (int k = 0; k < 2; k++) {
            assert_int_equal(sepx_search_tell(search, &ask[k], 1 + k), SEPX_OK);
            sepx_ask_release(&ask[k]);
        }
        sepx_search_free(search);
        sepx_method_free(method);
    }
    sepx_space_close(space);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_method_stops_wherever_it_is),
        cmocka_unit_test(test_an_alignment_without_limit_stops),
        cmocka_unit_test(test_the_gap_of_an_alignment_is_told),
        cmocka_unit_test(test_a_larger_budget_aligns_better),
        cmocka_unit_test(test_every_method_begins_with_the_start_graphs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
