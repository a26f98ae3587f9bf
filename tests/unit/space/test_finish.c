/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/check.h"

#include <string.h>

#include "oracle/oracle_draw.h"
#include "library.h"

#define SEED 50

struct fixture {
    struct sepx_space *space;
    struct sepx_graph child;
    struct sepx_rng rng;
    struct sepx_msg msg;
    int16_t place[64];
};

static int
open_all(void **state)
{
    static struct fixture f;

    f = (struct fixture){0};
    sepx_rng_init(&f.rng, SEED, 0, 0, 0);
    *state = &f;
    return sepx_space_open(&f.space, "nb101", &f.msg);
}

static int
close_all(void **state)
{
    struct fixture *f = *state;

    sepx_graph_release(&f->child);
    sepx_space_close(f->space);
    return 0;
}

/* Nodes: i(nput), o(utput), 3, 1 and p(ool); edges as pairs of digits. */
static void
load(struct fixture *f, const char *nodes, const char *edges)
{
    struct sepx_names *names = sepx_space_names(f->space);

    f->child.names = names;
    sepx_graph_clear(&f->child);
    for (; *nodes; nodes++) {
        const char *text = *nodes == 'i'   ? "input"
                           : *nodes == 'o' ? "output"
                           : *nodes == '3' ? "conv3x3-bn-relu"
                           : *nodes == '1' ? "conv1x1-bn-relu"
                                           : "maxpool3x3";

        assert_int_equal(sepx_graph_add_node(
                             &f->child, (uint16_t)sepx_names_find(names, text)),
                         SEPX_OK);
    }
    for (; *edges; edges += edges[2] ? 3 : 2)
        assert_int_equal(sepx_graph_add_edge(&f->child,
                                             (unsigned)(edges[0] - '0'),
                                             (unsigned)(edges[1] - '0'), 0),
                         SEPX_OK);
}

static enum sepx_verdict
finish(struct fixture *f, const struct sepx_rules *rules)
{
    enum sepx_verdict verdict;

    assert_int_equal(sepx_space_finish(f->space, &f->child, &verdict, f->place,
                                       rules, &f->rng, &f->msg),
                     SEPX_OK);
    return verdict;
}

/* The raw child's nodes in their new order, as digits. */
static const char *
order_of(const struct fixture *f, uint32_t n_raw)
{
    static char text[65];

    memset(text, 0, sizeof(text));
    for (uint32_t i = 0; i < n_raw; i++)
        if (f->place[i] != SEPX_NONE)
            text[f->place[i]] = (char)('0' + i);
    return text;
}

/* Two branches: 0-1-4-5 and 0-2-3-5. */
#define NODES "i31p3o"
#define EDGES "01 02 14 23 35 45"

static void
rules_give_their_orders(void **state)
{
    static const struct {
        enum sepx_order order;
        const char *want;
    } cases[] = {
        {SEPX_ORDER_LIFO, "023145"},
        {SEPX_ORDER_FIFO, "012435"},
        {SEPX_ORDER_SMALLEST, "012345"},
        {SEPX_ORDER_KEEP, "012345"},
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const struct sepx_rules rules = {.order = cases[i].order};

        load(f, NODES, EDGES);
        assert_int_equal(finish(f, &rules), SEPX_ACCEPTED);
        assert_string_equal(order_of(f, 6), cases[i].want);
    }
}

/* Inner orders are the 6 interleavings of two chains of two. */
static void
random_orders_are_uniform(void **state)
{
    const struct sepx_rules rules = {.order = SEPX_ORDER_RANDOM};
    struct fixture *f = *state;
    const char *want[] = {"1423", "1243", "1234", "2143", "2134", "2314"};
    unsigned count[6] = {0}, draws = 6000, all = 0;
    double chi = 0;

    for (unsigned i = 0; i < draws; i++) {
        load(f, NODES, EDGES);
        assert_int_equal(finish(f, &rules), SEPX_ACCEPTED);
        for (unsigned k = 0; k < 6; k++)
            count[k] += !strncmp(order_of(f, 6) + 1, want[k], 4);
    }
    for (unsigned k = 0; k < 6; k++) {
        double off = count[k] - draws / 6.0;

        chi += off * off / (draws / 6.0);
        all += count[k];
    }
    assert_int_equal(all, draws);
    CHECK(chi < 20.5, "chi-square %g with 5 degrees", chi); /* p = 0.001 */
}

static void
cycles_and_bad_cells_are_told(void **state)
{
    const struct sepx_rules rules = {.order = SEPX_ORDER_SMALLEST};
    struct fixture *f = *state;

    load(f, "i33o", "01 12 21 23");
    assert_int_equal(finish(f, &rules), SEPX_CYCLIC);
    assert_string_equal(f->msg.text, "the child has a cycle");
    load(f, "i33o", "01 23");
    assert_int_equal(finish(f, &rules), SEPX_INVALID);
    assert_string_equal(f->msg.text, "no path from the input to the output");
}

/* Node 2 is a dead end, node 3 comes from nowhere. */
static void
dangling_nodes_are_treated(void **state)
{
    struct fixture *f = *state;
    struct sepx_rules rules = {.order = SEPX_ORDER_SMALLEST};

    load(f, "i313o", "01 02 14 34");
    assert_int_equal(finish(f, &rules), SEPX_ACCEPTED);
    assert_int_equal(f->child.n_nodes, 5);
    rules.dangling = SEPX_DANGLING_DROP;
    load(f, "i313o", "01 02 14 34");
    assert_int_equal(finish(f, &rules), SEPX_ACCEPTED);
    assert_int_equal(f->child.n_nodes, 3);
    assert_int_equal(f->place[2], SEPX_NONE);
    assert_int_equal(f->place[4], 2);
    rules.dangling = SEPX_DANGLING_REJECT;
    load(f, "i313o", "01 02 14 34");
    assert_int_equal(finish(f, &rules), SEPX_INVALID);
    assert_string_equal(f->msg.text, "node 2 is on no path to an output");
}

/* Sorting puts node 1, which has no predecessor, before the input. */
static void
the_published_judge_sees_the_order(void **state)
{
    const struct sepx_rules published = {.order = SEPX_ORDER_LIFO,
                                         .judge = SEPX_ACCEPT_PUBLISHED};
    const struct sepx_rules ours = {.order = SEPX_ORDER_LIFO};
    struct fixture *f = *state;

    load(f, "i3o", "02 12");
    assert_int_equal(finish(f, &published), SEPX_INVALID);
    assert_string_equal(f->msg.text, "in this order, the input is not first");
    load(f, "i3o", "02 12");
    assert_int_equal(finish(f, &ours), SEPX_ACCEPTED);
    assert_string_equal(order_of(f, 3), "012");
}

static void
a_kept_order_must_be_topological(void **state)
{
    const struct sepx_rules rules = {.order = SEPX_ORDER_KEEP};
    struct fixture *f = *state;

    load(f, "i33o", "02 21 13");
    assert_int_equal(finish(f, &rules), SEPX_INVALID);
    assert_string_equal(f->msg.text, "an edge leads back in the kept order");
}

/* Whatever the order of the raw child's nodes, the verdict is the same. */
static void
verdicts_do_not_depend_on_the_order(void **state)
{
    struct fixture *f = *state;
    struct sepx_graph raw = {0};
    struct sepx_rules rules;
    unsigned count[SEPX_DANGLES + 1] = {0};

    assert_int_equal(sepx_rules_preset(&rules, "plain", "nb101", "sep", NULL),
                     SEPX_OK);
    for (unsigned i = 0; i < 3000; i++) {
        enum sepx_verdict first;
        uint32_t order[8], n;

        assert_int_equal(sepx_space_sample(f->space, &raw, &f->rng), SEPX_OK);
        n = raw.n_nodes;
        for (unsigned k = sepx_rng_below(&f->rng, 3); k; k--) {
            uint32_t from = sepx_rng_below(&f->rng, n);
            uint32_t to = sepx_rng_below(&f->rng, n);

            if (from != to && !sepx_graph_find_edge(&raw, from, to))
                assert_int_equal(sepx_graph_add_edge(&raw, from, to, 0),
                                 SEPX_OK);
        }
        assert_int_equal(sepx_graph_copy(&f->child, &raw), SEPX_OK);
        first = finish(f, &rules);
        count[first]++;
        draw_order(order, n, &f->rng);
        assert_int_equal(sepx_graph_permute(&f->child, &raw, order), SEPX_OK);
        assert_int_equal(finish(f, &rules), first);
    }
    CHECK(count[SEPX_DANGLES] > 500 && count[SEPX_CYCLIC] > 100 &&
              count[SEPX_INVALID] > 100,
          "%u, %u and %u", count[SEPX_DANGLES], count[SEPX_CYCLIC],
          count[SEPX_INVALID]);
    sepx_graph_release(&raw);
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, open_all, close_all)
    const struct CMUnitTest tests[] = {
        T(rules_give_their_orders),
        T(random_orders_are_uniform),
        T(cycles_and_bad_cells_are_told),
        T(dangling_nodes_are_treated),
        T(the_published_judge_sees_the_order),
        T(a_kept_order_must_be_topological),
        T(verdicts_do_not_depend_on_the_order),
    };

    print_message("seed %d\n", SEED);
    return cmocka_run_group_tests_name("finish", tests, NULL, NULL);
}
