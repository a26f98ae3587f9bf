/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/oracle_draw.h"
#include "library.h"
#include "unit/faults.h"

static struct sepx_names *names;

static int
set_up(void **state)
{
    (void)state;
    names = sepx_names_new();
    return !names;
}

static int
tear_down(void **state)
{
    (void)state;
    sepx_names_free(names);
    return 0;
}

static void
check_sorted(const struct sepx_graph *graph)
{
    for (uint32_t i = 1; i < graph->n_edges; i++) {
        struct sepx_edge a = graph->edge[i - 1], b = graph->edge[i];

        CHECK(a.from < b.from || (a.from == b.from && a.to < b.to),
              "edges %u and %u", i - 1, i);
    }
}

static void
the_empty_graph_is_a_value(void **state)
{
    struct sepx_graph a = {.names = names}, b = {0};
    uint32_t order[1];
    bool acyclic = false;

    (void)state;
    assert_int_equal(sepx_graph_copy(&b, &a), SEPX_OK);
    assert_true(sepx_graph_equal(&a, &b));
    assert_null(sepx_graph_find_edge(&a, 0, 0));
    sepx_graph_remove_edge(&a, 0, 1);
    sepx_graph_remove_node(&a, 0);
    sepx_graph_keep(&a, NULL);
    assert_int_equal(sepx_graph_permute(&b, &a, order), SEPX_OK);
    assert_int_equal(sepx_graph_topological(&a, order, &acyclic), SEPX_OK);
    assert_true(acyclic);
    sepx_graph_release(&a);
    sepx_graph_release(&b);
    sepx_graph_release(&b);
}

static void
bad_edges_are_refused(void **state)
{
    static const char *const label[] = {"a", "b", "c"};
    static const unsigned edge[][2] = {{0, 1}};
    struct sepx_graph graph = {0};

    (void)state;
    build_graph(&graph, names, label, 3, edge, 1);
    assert_int_equal(sepx_graph_add_edge(&graph, 0, 1, 0), SEPX_EINVAL);
    assert_int_equal(sepx_graph_add_edge(&graph, 2, 2, 0), SEPX_EINVAL);
    assert_int_equal(sepx_graph_add_edge(&graph, 0, 3, 0), SEPX_EINVAL);
    assert_int_equal(sepx_graph_add_edge(&graph, UINT32_MAX, 1, 0),
                     SEPX_EINVAL);
    assert_int_equal(sepx_graph_add_edge(&graph, 65536, 1, 0), SEPX_EINVAL);
    assert_int_equal(graph.n_edges, 1);
    assert_null(sepx_graph_find_edge(&graph, 65536, 1));
    assert_int_equal(sepx_graph_add_edge(&graph, 1, 0, 0), SEPX_OK);
    sepx_graph_release(&graph);
}

static void
nodes_have_a_limit(void **state)
{
    struct sepx_graph graph = {.names = names};

    (void)state;
    for (int i = 0; i < SEPX_NODES_MAX; i++)
        assert_int_equal(sepx_graph_add_node(&graph, 0), SEPX_OK);
    assert_int_equal(sepx_graph_add_node(&graph, 0), SEPX_ELIMIT);
    assert_int_equal(graph.n_nodes, SEPX_NODES_MAX);
    assert_int_equal(sepx_graph_add_edge(&graph, SEPX_NODES_MAX - 1, 0, 0),
                     SEPX_OK);
    sepx_graph_remove_node(&graph, 0);
    assert_int_equal(graph.n_nodes, SEPX_NODES_MAX - 1);
    assert_int_equal(graph.n_edges, 0);
    sepx_graph_release(&graph);
}

/* A matrix of labels + 1 is the model; 0 means no edge. */
enum { MODEL_MAX = 9 };

struct model {
    uint32_t n;
    unsigned label[MODEL_MAX];
    unsigned edge[MODEL_MAX][MODEL_MAX];
};

static void
check_model(const struct model *model, const struct sepx_graph *graph,
            uint64_t seed)
{
    uint32_t n_edges = 0;

    CHECK(graph->n_nodes == model->n, "seed %" PRIu64, seed);
    for (uint32_t i = 0; i < model->n; i++) {
        CHECK(graph->label[i] == model->label[i], "seed %" PRIu64, seed);
        for (uint32_t j = 0; j < model->n; j++) {
            const struct sepx_edge *edge = sepx_graph_find_edge(graph, i, j);
            unsigned found = edge ? edge->label + 1u : 0;

            CHECK(found == model->edge[i][j], "seed %" PRIu64, seed);
            n_edges += edge != NULL;
        }
    }
    CHECK(graph->n_edges == n_edges, "seed %" PRIu64, seed);
    check_sorted(graph);
}

static void
model_keep(struct model *model, const bool *keep)
{
    struct model old = *model;
    uint32_t from[MODEL_MAX];

    memset(model, 0, sizeof(*model));
    for (uint32_t i = 0; i < old.n; i++)
        if (keep[i])
            from[model->n++] = i;
    for (uint32_t i = 0; i < model->n; i++) {
        model->label[i] = old.label[from[i]];
        for (uint32_t j = 0; j < model->n; j++)
            model->edge[i][j] = old.edge[from[i]][from[j]];
    }
}

static void
change(struct model *model, struct sepx_graph *graph, struct sepx_rng *rng)
{
    uint32_t what = sepx_rng_below(rng, 12);
    uint32_t i = model->n ? sepx_rng_below(rng, model->n) : 0;
    uint32_t j = model->n ? sepx_rng_below(rng, model->n) : 0;
    bool keep[MODEL_MAX];

    for (uint32_t k = 0; k < MODEL_MAX; k++)
        keep[k] = what == 1 ? k != i : sepx_rng_chance(rng, 0.8);
    if (what == 0 || model->n == 0) {
        if (model->n == MODEL_MAX)
            return;
        model->label[model->n++] = what;
        assert_int_equal(sepx_graph_add_node(graph, (uint16_t)what), SEPX_OK);
    } else if (what == 1) {
        sepx_graph_remove_node(graph, i);
        model_keep(model, keep);
    } else if (what == 2) {
        sepx_graph_keep(graph, keep);
        model_keep(model, keep);
    } else if (what < 5) {
        sepx_graph_remove_edge(graph, i, j);
        model->edge[i][j] = 0;
    } else if (i != j && !model->edge[i][j]) {
        assert_int_equal(sepx_graph_add_edge(graph, i, j, (uint16_t)what),
                         SEPX_OK);
        model->edge[i][j] = what + 1;
    }
}

static void
changes_agree_with_a_matrix(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct model model = {0};
        struct sepx_graph graph = {.names = names}, copy = {0};
        struct sepx_rng rng;

        sepx_rng_init(&rng, seed, 0, 0, 0);
        for (int step = 0; step < 200; step++) {
            change(&model, &graph, &rng);
            check_model(&model, &graph, seed);
        }
        assert_int_equal(sepx_graph_copy(&copy, &graph), SEPX_OK);
        assert_true(sepx_graph_equal(&copy, &graph));
        check_model(&model, &copy, seed);
        sepx_graph_release(&graph);
        sepx_graph_release(&copy);
    }
}

static void
permuting_back_gives_the_graph(void **state)
{
    struct draw_options options = {30, 5, 3, 0.2, false};
    struct sepx_graph a = {0}, b = {0}, c = {0};

    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        uint32_t order[30], back[30];
        struct sepx_rng rng;

        sepx_rng_init(&rng, seed, 1, 0, 0);
        draw_graph(&a, names, &options, &rng);
        draw_order(order, 30, &rng);
        for (uint32_t i = 0; i < 30; i++)
            back[order[i]] = i;
        assert_int_equal(sepx_graph_permute(&b, &a, order), SEPX_OK);
        check_sorted(&b);
        for (uint32_t i = 0; i < 30; i++)
            assert_int_equal(b.label[i], a.label[order[i]]);
        assert_int_equal(sepx_graph_permute(&c, &b, back), SEPX_OK);
        CHECK(sepx_graph_equal(&a, &c), "seed %" PRIu64, seed);
    }
    assert_int_equal(sepx_graph_permute(&a, &a, NULL), SEPX_EINVAL);
    sepx_graph_release(&a);
    sepx_graph_release(&b);
    sepx_graph_release(&c);
}

static void
equality_sees_every_part(void **state)
{
    static const char *const label[] = {"a", "b", "c"};
    static const unsigned edge[][2] = {{0, 1}, {1, 2}};
    struct sepx_graph a = {0}, b = {0};

    (void)state;
    build_graph(&a, names, label, 3, edge, 2);
    assert_int_equal(sepx_graph_copy(&b, &a), SEPX_OK);
    b.label[2] = b.label[1];
    assert_false(sepx_graph_equal(&a, &b));
    assert_int_equal(sepx_graph_copy(&b, &a), SEPX_OK);
    b.edge[1].label = 1;
    assert_false(sepx_graph_equal(&a, &b));
    assert_int_equal(sepx_graph_copy(&b, &a), SEPX_OK);
    sepx_graph_remove_edge(&b, 1, 2);
    assert_false(sepx_graph_equal(&a, &b));
    assert_int_equal(sepx_graph_add_edge(&b, 2, 1, 0), SEPX_OK);
    assert_false(sepx_graph_equal(&a, &b));
    sepx_graph_release(&a);
    sepx_graph_release(&b);
}

static uint16_t
number_of(const char *text)
{
    uint16_t id;

    assert_int_equal(sepx_names_add(names, &id, text), SEPX_OK);
    return id;
}

/* Texts decide about the order of parallel edges, numbers do not. */
static void
parallel_edges_are_sorted_by_text(void **state)
{
    const uint16_t z = number_of("z"), y = number_of("y"), x = number_of("x");
    struct sepx_graph graph = {.names = names, .undirected = true}, copy = {0};
    const uint32_t turned[] = {1, 0};

    (void)state;
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(sepx_graph_add_node(&graph, 0), SEPX_OK);
    assert_true(sepx_graph_is_simple(&graph));
    assert_int_equal(sepx_graph_add_parallel(&graph, 1, 0, z), SEPX_OK);
    assert_true(sepx_graph_is_simple(&graph));
    assert_int_equal(sepx_graph_add_edge(&graph, 0, 1, x), SEPX_EINVAL);
    assert_int_equal(sepx_graph_add_edge(&graph, 1, 0, x), SEPX_EINVAL);
    assert_int_equal(sepx_graph_add_parallel(&graph, 0, 1, x), SEPX_OK);
    assert_int_equal(sepx_graph_add_parallel(&graph, 1, 0, y), SEPX_OK);
    assert_int_equal(sepx_graph_add_parallel(&graph, 1, 1, 0), SEPX_OK);
    assert_int_equal(sepx_graph_add_parallel(&graph, 1, 2, 0), SEPX_EINVAL);
    assert_false(sepx_graph_is_simple(&graph));
    assert_int_equal(graph.n_edges, 4);
    assert_int_equal(graph.edge[0].label, x);
    assert_int_equal(graph.edge[1].label, y);
    assert_int_equal(graph.edge[2].label, z);
    assert_ptr_equal(sepx_graph_find_edge(&graph, 1, 0), &graph.edge[0]);
    assert_int_equal(sepx_graph_permute(&copy, &graph, turned), SEPX_OK);
    assert_true(copy.undirected);
    assert_int_equal(copy.edge[0].to, 0);
    assert_int_equal(copy.edge[1].label, x);
    assert_int_equal(copy.edge[3].label, z);
    assert_false(sepx_graph_remove_parallel(&graph, 1, 0, 0));
    assert_true(sepx_graph_remove_parallel(&graph, 1, 0, y));
    assert_false(sepx_graph_remove_parallel(&graph, 0, 1, y));
    assert_int_equal(graph.n_edges, 3);
    copy.undirected = false;
    sepx_graph_clear(&copy);
    assert_int_equal(sepx_graph_copy(&copy, &graph), SEPX_OK);
    assert_true(sepx_graph_equal(&copy, &graph));
    copy.undirected = false;
    assert_false(sepx_graph_equal(&copy, &graph));
    sepx_graph_clear(&graph);
    assert_false(graph.undirected);
    sepx_graph_release(&graph);
    sepx_graph_release(&copy);
}

/* More edges than are sorted by insertion. */
static void
many_edges_are_sorted(void **state)
{
    const struct draw_options options = {40, 1, 5, 0.5, false};
    const struct draw_kind kind = {true, 0.5, 0.5};
    struct sepx_graph a = {0}, b = {0}, c = {0};
    uint32_t order[40], back[40];
    struct sepx_rng rng;

    (void)state;
    sepx_rng_init(&rng, 6, 0, 0, 0);
    draw_any_graph(&a, names, &options, &kind, &rng);
    draw_order(order, 40, &rng);
    for (uint32_t i = 0; i < 40; i++)
        back[order[i]] = i;
    assert_int_equal(sepx_graph_permute(&b, &a, order), SEPX_OK);
    for (uint32_t i = 1; i < b.n_edges; i++)
        assert_true(b.edge[i - 1].from < b.edge[i].from ||
                    (b.edge[i - 1].from == b.edge[i].from &&
                     b.edge[i - 1].to <= b.edge[i].to));
    assert_int_equal(sepx_graph_permute(&c, &b, back), SEPX_OK);
    assert_true(sepx_graph_equal(&a, &c));
    sepx_graph_release(&a);
    sepx_graph_release(&b);
    sepx_graph_release(&c);
}

/* The copy is whole or the target as it was. */
static void
every_allocation_may_fail(void **state)
{
    struct draw_options options = {30, 5, 3, 0.2, false};
    struct sepx_graph a = {0};
    struct sepx_rng rng;

    (void)state;
    sepx_rng_init(&rng, 5, 2, 0, 0);
    draw_graph(&a, names, &options, &rng);
    a.extra = NULL;
    EACH_FAULT (fault) {
        struct sepx_graph b = {.names = names};

        fault.err = sepx_graph_copy(&b, &a);
        if (!fault.err)
            fault.err = sepx_graph_add_node(&b, 0);
        for (unsigned i = 0; !fault.err && i < 30; i++)
            fault.err = sepx_graph_add_edge(&b, 30, i, 0);
        sepx_graph_release(&b);
    }
    sepx_graph_release(&a);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_empty_graph_is_a_value),
        cmocka_unit_test(bad_edges_are_refused),
        cmocka_unit_test(nodes_have_a_limit),
        cmocka_unit_test(changes_agree_with_a_matrix),
        cmocka_unit_test(permuting_back_gives_the_graph),
        cmocka_unit_test(equality_sees_every_part),
        cmocka_unit_test(parallel_edges_are_sorted_by_text),
        cmocka_unit_test(many_edges_are_sorted),
        cmocka_unit_test(every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
