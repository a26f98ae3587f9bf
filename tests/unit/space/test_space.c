/* SPDX-License-Identifier: Apache-2.0 */
/* What holds for every space. */
#include "unit/check.h"

#include <inttypes.h>
#include <string.h>

#include "oracle/oracle_draw.h"
#include "library.h"
#include "unit/faults.h"
#include "unit/rounds.h"

#define SEED 2023

static struct sepx_space *
open_space(const char *name)
{
    struct sepx_msg msg = {0};
    struct sepx_space *space;
    enum sepx_err err = sepx_space_open(&space, name, &msg);

    CHECK(!err, "%s: %s", name, msg.text);
    return space;
}

static struct sepx_rules
default_rules(void)
{
    struct sepx_rules rules;

    assert_int_equal(sepx_rules_preset(&rules, "default", "", "mutation", NULL),
                     SEPX_OK);
    return rules;
}

static bool
is_valid(const struct sepx_space *space, const struct sepx_graph *graph,
         struct sepx_msg *msg)
{
    bool valid;

    assert_int_equal(sepx_space_check(space, &valid, graph, msg), SEPX_OK);
    return valid;
}

/* Run `body` once for each space. */
static void
for_each_space(void (*body)(const struct sepx_space *space,
                            struct sepx_rng *rng))
{
    const struct sepx_space_info *const *info = sepx_space_list();

    for (; *info; info++) {
        struct sepx_space *space = open_space((*info)->name);
        struct sepx_rng rng;

        sepx_rng_init(&rng, SEED, 0, 0, 0);
        body(space, &rng);
        sepx_space_close(space);
    }
}

static void
draw_many(const struct sepx_space *space, struct sepx_rng *rng)
{
    struct sepx_graph graph = {0}, child = {0};
    struct sepx_rules by_default = default_rules();
    struct sepx_msg msg = {0};

    for (unsigned i = 0; i < 3000; i++) {
        bool same;

        assert_int_equal(sepx_space_sample(space, &graph, rng), SEPX_OK);
        CHECK(is_valid(space, &graph, &msg), "%s, draw %u: %s",
              sepx_space_info(space)->name, i, msg.text);
        assert_int_equal(
            sepx_space_mutate(space, &child, &graph, &by_default, rng),
            SEPX_OK);
        CHECK(is_valid(space, &child, &msg), "%s, mutant %u: %s",
              sepx_space_info(space)->name, i, msg.text);
        assert_int_equal(sepx_graph_isomorphic(&graph, &child, &same, NULL),
                         SEPX_OK);
        assert_false(same);
    }
    sepx_graph_release(&graph);
    sepx_graph_release(&child);
}

static void
samples_and_mutants_are_valid(void **state)
{
    (void)state;
    for_each_space(draw_many);
}

/* A chain of mutants leaves no stone unturned. */
static void
walk(const struct sepx_space *space, struct sepx_rng *rng)
{
    struct sepx_graph graph[2] = {{0}, {0}};
    struct sepx_rules by_default = default_rules();
    struct sepx_msg msg = {0};

    assert_int_equal(sepx_space_sample(space, &graph[0], rng), SEPX_OK);
    for (unsigned i = 0; i < rounds(3000); i++) {
        assert_int_equal(sepx_space_mutate(space, &graph[(i + 1) % 2],
                                           &graph[i % 2], &by_default, rng),
                         SEPX_OK);
        CHECK(is_valid(space, &graph[(i + 1) % 2], &msg), "%s, step %u: %s",
              sepx_space_info(space)->name, i, msg.text);
    }
    sepx_graph_release(&graph[0]);
    sepx_graph_release(&graph[1]);
}

static void
chains_of_mutants_stay_valid(void **state)
{
    (void)state;
    for_each_space(walk);
}

/* Damage that leaves some graphs valid and some not. */
static void
damage(struct sepx_graph *graph, struct sepx_rng *rng)
{
    uint32_t n = graph->n_nodes;
    uint32_t from = sepx_rng_below(rng, n), to = sepx_rng_below(rng, n);

    switch (sepx_rng_below(rng, 4)) {
    case 0:
        if (from != to && !sepx_graph_find_edge(graph, from, to))
            assert_int_equal(sepx_graph_add_edge(graph, from, to, 0), SEPX_OK);
        break;
    case 1:
        sepx_graph_remove_edge(graph, from, to);
        break;
    case 2:
        graph->label[from] = graph->label[to];
        break;
    default:
        sepx_graph_remove_node(graph, from);
    }
}

static void
permute_many(const struct sepx_space *space, struct sepx_rng *rng)
{
    struct sepx_graph graph = {0}, other = {0};
    unsigned count[2] = {0};

    for (unsigned i = 0; i < 4000; i++) {
        uint32_t order[64];
        bool valid;

        assert_int_equal(sepx_space_sample(space, &graph, rng), SEPX_OK);
        for (uint32_t k = sepx_rng_below(rng, 3); k; k--)
            damage(&graph, rng);
        draw_order(order, graph.n_nodes, rng);
        assert_int_equal(sepx_graph_permute(&other, &graph, order), SEPX_OK);
        valid = is_valid(space, &graph, NULL);
        count[valid]++;
        CHECK(valid == is_valid(space, &other, NULL), "%s, draw %u",
              sepx_space_info(space)->name, i);
    }
    CHECK(count[0] > 400 && count[1] > 400, "%u and %u", count[0], count[1]);
    sepx_graph_release(&graph);
    sepx_graph_release(&other);
}

static void
validity_does_not_depend_on_the_order(void **state)
{
    (void)state;
    for_each_space(permute_many);
}

static void
code_many(const struct sepx_space *space, struct sepx_rng *rng)
{
    struct sepx_graph graph = {0}, other = {0};
    uint16_t value[64];
    uint32_t n = sepx_space_variables(space);
    unsigned done = 0;

    for (unsigned i = 0; i < 2000 && n; i++) {
        uint32_t order[64];
        bool valid, same;

        assert_int_equal(sepx_space_sample(space, &graph, rng), SEPX_OK);
        draw_order(order, graph.n_nodes, rng);
        assert_int_equal(sepx_graph_permute(&other, &graph, order), SEPX_OK);
        assert_int_equal(sepx_space_encode(space, value, &other), SEPX_OK);
        assert_int_equal(sepx_space_decode(space, &other, &valid, value, NULL),
                         SEPX_OK);
        assert_int_equal(sepx_graph_isomorphic(&graph, &other, &same, NULL),
                         SEPX_OK);
        assert_true(same || !valid);
        done += valid;
    }
    if (n)
        assert_in_range(done, 500, 2000);
    else
        assert_int_equal(sepx_space_encode(space, value, &graph),
                         SEPX_EUNSUPPORTED);
    sepx_graph_release(&graph);
    sepx_graph_release(&other);
}

static void
decoding_undoes_encoding(void **state)
{
    (void)state;
    for_each_space(code_many);
}

static void
try_moves(const struct sepx_space *space, struct sepx_rng *rng)
{
    struct sepx_graph graph = {0}, other = {0};
    unsigned good = 0;

    for (unsigned i = 0; i < 20; i++) {
        uint32_t n;

        assert_int_equal(sepx_space_sample(space, &graph, rng), SEPX_OK);
        n = sepx_space_moves(space, &graph);
        for (uint32_t k = 0; k < n; k++) {
            bool valid;

            assert_int_equal(sepx_space_move(space, &other, &valid, &graph, k),
                             SEPX_OK);
            good += valid;
            assert_false(valid && sepx_graph_equal(&graph, &other));
        }
    }
    CHECK(good >= 20 * 10, "%u", good);
    sepx_graph_release(&graph);
    sepx_graph_release(&other);
}

static void
every_move_changes_the_graph(void **state)
{
    (void)state;
    for_each_space(try_moves);
}

static void
look_at_targets(const struct sepx_space *space, struct sepx_rng *rng)
{
    const char *const *name = sepx_space_info(space)->targets;
    struct sepx_graph graph = {0};
    struct sepx_msg msg = {0};

    (void)rng;
    for (; *name; name++) {
        assert_int_equal(sepx_space_target(space, &graph, *name, &msg),
                         SEPX_OK);
        CHECK(is_valid(space, &graph, &msg), "%s: %s", *name, msg.text);
    }
    assert_int_equal(sepx_space_target(space, &graph, "best", &msg),
                     SEPX_ENOTFOUND);
    sepx_graph_release(&graph);
}

static void
targets_are_valid(void **state)
{
    (void)state;
    for_each_space(look_at_targets);
}

static void
an_unknown_space_gets_the_names(void **state)
{
    struct sepx_msg msg = {0};
    struct sepx_space *space;

    (void)state;
    assert_int_equal(sepx_space_open(&space, "nb10", &msg), SEPX_ENOTFOUND);
    assert_null(space);
    assert_string_equal(msg.text, "unknown space 'nb10'; did you mean 'nb101'? "
                                  "(valid: nb101, nb201, nbnlp, darts)");
}

static void
other_labels_and_cycles_are_explained(void **state)
{
    struct sepx_space *space = open_space("nb101");
    struct sepx_graph graph = {0};
    struct sepx_msg msg = {0};
    uint16_t id;

    (void)state;
    assert_int_equal(sepx_space_target(space, &graph, "optimum", &msg),
                     SEPX_OK);
    assert_int_equal(sepx_graph_add_edge(&graph, 3, 2, 0), SEPX_OK);
    assert_false(is_valid(space, &graph, &msg));
    assert_string_equal(msg.text, "the graph has a cycle");
    assert_int_equal(sepx_names_add(sepx_space_names(space), &id, "blur"),
                     SEPX_OK);
    graph.label[2] = id;
    assert_false(is_valid(space, &graph, &msg));
    assert_string_equal(msg.text, "node 2: nb101 has no label 'blur'");
    sepx_graph_release(&graph);
    sepx_space_close(space);
}

/* Open, sample, mutate, encode, decode, move, measure and close. */
static enum sepx_err
use_space(const char *name)
{
    struct sepx_space *space;
    struct sepx_graph a = {0}, b = {0};
    struct sepx_rules by_default = default_rules();
    struct sepx_rng rng;
    uint16_t value[64];
    bool valid, live[64];
    enum sepx_err err = sepx_space_open(&space, name, NULL);

    sepx_rng_init(&rng, SEED, 0, 0, 0);
    if (!err)
        err = sepx_space_sample(space, &a, &rng);
    if (!err)
        err = sepx_space_mutate(space, &b, &a, &by_default, &rng);
    if (!err)
        err = sepx_space_move(space, &b, &valid, &a, 0);
    if (!err)
        err = sepx_space_plain(space, &b, &a);
    if (!err)
        err = sepx_space_prune(space, &b, &a);
    if (!err && a.n_nodes <= 64)
        err = sepx_space_live(space, live, &a, NULL);
    if (!err && sepx_space_variables(space))
        err = sepx_space_encode(space, value, &a);
    if (!err && sepx_space_variables(space))
        err = sepx_space_decode(space, &b, &valid, value, NULL);
    sepx_graph_release(&a);
    sepx_graph_release(&b);
    sepx_space_close(space);
    return err;
}

static void
every_allocation_may_fail(void **state)
{
    const struct sepx_space_info *const *info = sepx_space_list();

    (void)state;
    for (; *info; info++)
        EACH_FAULT (fault) {
            fault.err = use_space((*info)->name);
        }
}

/* ---- live nodes ---- */

static uint32_t
count_live(const struct sepx_space *space, const struct sepx_graph *graph)
{
    struct sepx_graph pruned = {0};
    bool live[128];
    uint32_t count = 0;

    assert_int_equal(sepx_space_live(space, live, graph, NULL), SEPX_OK);
    assert_int_equal(sepx_space_prune(space, &pruned, graph), SEPX_OK);
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        if (live[i])
            assert_int_equal(pruned.label[count], graph->label[i]);
        count += live[i];
    }
    assert_int_equal(pruned.n_nodes, count);
    sepx_graph_release(&pruned);
    return count;
}

static void
compare_live(const struct sepx_space *space, struct sepx_rng *rng)
{
    struct sepx_graph graph = {0};

    for (unsigned i = 0; i < 200; i++) {
        assert_int_equal(sepx_space_sample(space, &graph, rng), SEPX_OK);
        assert_true(count_live(space, &graph) <= graph.n_nodes);
    }
    sepx_graph_release(&graph);
}

/* A chain of `n` nodes, and two more: one without an edge to it that leads to
 * the end, and one to which the begin leads. */
static void
make_chain(struct sepx_graph *graph, const struct sepx_space *space, uint32_t n)
{
    graph->names = sepx_space_names(space);
    for (uint32_t i = 0; i < n + 2; i++)
        assert_int_equal(sepx_graph_add_node(graph, i == 0       ? 1
                                                    : i == n - 1 ? 2
                                                                 : 3),
                         SEPX_OK);
    for (uint32_t i = 1; i < n; i++)
        assert_int_equal(sepx_graph_add_edge(graph, i - 1, i, 0), SEPX_OK);
    assert_int_equal(sepx_graph_add_edge(graph, n, n - 1, 0), SEPX_OK);
    assert_int_equal(sepx_graph_add_edge(graph, 0, n + 1, 0), SEPX_OK);
}

static void
live_nodes_are_those_that_pruning_keeps(void **state)
{
    static const struct {
        const char *connected;
        uint32_t live; /* beyond the chain */
    } rows[] = {
        {"required", 0}, {"pruned", 0}, {"to_output", 1}, {"ignored", 2}};

    (void)state;
    for_each_space(compare_live);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sepx_text text = {0};
        struct sepx_space *space;

        assert_int_equal(
            sepx_text_print(
                &text,
                "{\"format\": \"sepx-space\", \"version\": 1, \"nodes\": "
                "{\"in\": {\"role\": \"input\"}, \"out\": {\"role\": "
                "\"output\"}, \"op\": {\"in\": [0, 9]}}, \"connected\": "
                "\"%s\", \"limits\": {\"nodes\": [2, 128]}}",
                rows[i].connected),
            SEPX_OK);
        assert_int_equal(
            sepx_space_open_text(&space, text.at, text.len, "rows", NULL),
            SEPX_OK);
        for (uint32_t n = 4; n <= 100; n += 96) {
            struct sepx_graph chain = {0};
            uint32_t live;

            make_chain(&chain, space, n);
            live = count_live(space, &chain);
            CHECK(live == n + rows[i].live, "%s: %" PRIu32 " of %" PRIu32,
                  rows[i].connected, live, n);
            sepx_graph_release(&chain);
        }
        sepx_space_close(space);
        sepx_text_release(&text);
    }
}

static void
live_nodes_of_other_graphs_are_refused(void **state)
{
    struct sepx_space *space = open_space("nb101");
    struct sepx_graph graph = {.names = sepx_space_names(space)};
    struct sepx_msg msg = {0};
    uint16_t id;
    bool live[8];

    (void)state;
    assert_int_equal(sepx_names_add(graph.names, &id, "blur"), SEPX_OK);
    assert_int_equal(sepx_graph_add_node(&graph, id), SEPX_OK);
    assert_int_equal(sepx_space_live(space, live, &graph, &msg), SEPX_EINVAL);
    assert_non_null(strstr(msg.text, "label"));
    sepx_graph_clear(&graph);
    for (uint32_t i = 0; i < 2; i++)
        assert_int_equal(sepx_graph_add_node(&graph, 3), SEPX_OK);
    assert_int_equal(sepx_graph_add_edge(&graph, 0, 1, 0), SEPX_OK);
    assert_int_equal(sepx_graph_add_edge(&graph, 1, 0, 0), SEPX_OK);
    assert_int_equal(sepx_space_live(space, live, &graph, &msg), SEPX_EINVAL);
    assert_non_null(strstr(msg.text, "cycle"));
    sepx_graph_release(&graph);
    sepx_space_close(space);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_and_mutants_are_valid),
        cmocka_unit_test(chains_of_mutants_stay_valid),
        cmocka_unit_test(validity_does_not_depend_on_the_order),
        cmocka_unit_test(decoding_undoes_encoding),
        cmocka_unit_test(every_move_changes_the_graph),
        cmocka_unit_test(targets_are_valid),
        cmocka_unit_test(an_unknown_space_gets_the_names),
        cmocka_unit_test(other_labels_and_cycles_are_explained),
        cmocka_unit_test(live_nodes_are_those_that_pruning_keeps),
        cmocka_unit_test(live_nodes_of_other_graphs_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };

    print_message("seed %d\n", SEED);
    return cmocka_run_group_tests_name("space", tests, NULL, NULL);
}
