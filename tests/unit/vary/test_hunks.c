/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Crossover of whole networks by hunks. Networks here are chains of
 * convolutions with shortcuts around some of them, as residual networks are:
 * "conv" and "wide" have one edge in, "add" two; in the space of networks that
 * end, "end" is an addition as well, and is there once.
 */
#include "unit/check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "library.h"
#include "space/internal.h"
#include "unit/faults.h"
#include "vary/internal.h"

#define SEED 11

/* The space, with `more` labels. */
#define SPACE(more) \
    "{\"format\": \"sepx-space\", \"version\": 1," \
    " \"nodes\": {\"input\": {\"role\": \"input\", \"count\": 1}," \
    " \"output\": {\"role\": \"output\", \"count\": 1, \"in\": 1}," \
    " \"conv\": {\"in\": 1}, \"wide\": {\"in\": 1}," \
    " \"add\": {\"in\": 2}" more "}," \
    " \"limits\": {\"nodes\": [3, 400]}, \"acyclic\": true," \
    " \"connected\": \"required\"}"

static const char space_text[] = SPACE("");
static const char ending_text[] = SPACE(", \"end\": {\"in\": 2, \"count\": 1}");

struct fixture {
    struct sepx_space *space;
    struct sepx_cross *cross;
    struct sepx_graph a, b, child;
    struct sepx_explain explain;
    struct sepx_rng rng;
};

static void
open_space(struct fixture *f, const char *text, const char *by,
           const char *trials)
{
    struct sepx_rules rules;

    *f = (struct fixture){0};
    sepx_rng_init(&f->rng, SEED, 0, 0, 0);
    assert_int_equal(
        sepx_space_open_text(&f->space, text, strlen(text), "nets", NULL),
        SEPX_OK);
    assert_int_equal(sepx_rules_preset(&rules, "plain", "nets", "sep", NULL),
                     SEPX_OK);
    assert_int_equal(sepx_rules_set(&rules, "by", by, NULL), SEPX_OK);
    assert_int_equal(sepx_rules_set(&rules, "trials", trials, NULL), SEPX_OK);
    assert_int_equal(sepx_cross_new(&f->cross, f->space, "sep", &rules, NULL),
                     SEPX_OK);
}

static void
open_all(struct fixture *f, const char *by, const char *trials)
{
    open_space(f, space_text, by, trials);
}

static void
close_all(struct fixture *f)
{
    sepx_explain_release(&f->explain);
    sepx_graph_release(&f->a);
    sepx_graph_release(&f->b);
    sepx_graph_release(&f->child);
    sepx_cross_free(f->cross);
    sepx_space_close(f->space);
}

/* ---- networks ---- */

static uint32_t
add_node(struct fixture *f, struct sepx_graph *graph, const char *label)
{
    int number = sepx_names_find(sepx_space_names(f->space), label);

    assert_true(number > 0);
    assert_int_equal(sepx_graph_add_node(graph, (uint16_t)number), SEPX_OK);
    return graph->n_nodes - 1;
}

static void
add_edge(struct sepx_graph *graph, uint32_t from, uint32_t to)
{
    assert_int_equal(sepx_graph_add_edge(graph, from, to, 0), SEPX_OK);
}

/*
 * One letter a unit: c and w a layer, C, W and E with a shortcut around two; E
 * is the last.
 */
static void
build(struct fixture *f, struct sepx_graph *graph, const char *units)
{
    uint32_t last;

    sepx_graph_release(graph);
    *graph = (struct sepx_graph){.names = sepx_space_names(f->space)};
    last = add_node(f, graph, "input");
    for (; *units; units++) {
        const char *label = *units == 'w' || *units == 'W' ? "wide" : "conv";
        uint32_t first = add_node(f, graph, label);

        add_edge(graph, last, first);
        if (*units < 'a') {
            uint32_t second = add_node(f, graph, "conv");
            uint32_t sum = add_node(f, graph, *units == 'E' ? "end" : "add");

            add_edge(graph, first, second);
            add_edge(graph, second, sum);
            add_edge(graph, last, sum);
            first = sum;
        }
        last = first;
    }
    add_edge(graph, last, add_node(f, graph, "output"));
}

/* Two relatives: some units differ, some are missing. */
static void
draw_parents(struct fixture *f, uint32_t units)
{
    static const char kinds[] = "cwCW";
    char *one = calloc(units + 1, 1), *two = calloc(2 * units + 1, 1);
    size_t n = 0;

    for (uint32_t i = 0; i < units; i++) {
        uint32_t fate = sepx_rng_below(&f->rng, 8);

        one[i] = kinds[sepx_rng_below(&f->rng, 4)];
        if (fate == 0)
            continue;
        two[n++] = fate == 1 ? kinds[sepx_rng_below(&f->rng, 4)] : one[i];
        if (fate == 2)
            two[n++] = kinds[sepx_rng_below(&f->rng, 4)];
    }
    build(f, &f->a, one);
    build(f, &f->b, two);
    free(one);
    free(two);
}

/* ---- what must hold ---- */

/* An edge between two nodes of the path, with all edits or without. */
static bool
edge_in(const struct sepx_explain *explain, const struct sepx_graph *a,
        uint32_t from, uint32_t to, bool edited)
{
    const struct sepx_path *path = &explain->path;
    bool there = from < path->n_first && to < path->n_first &&
                 sepx_graph_find_edge(a, from, to);

    for (size_t i = 0; i < path->len && edited; i++) {
        const struct sepx_edit *edit = &path->edit[i];

        if (edit->from != from || edit->to != to)
            continue;
        if (edit->kind == SEPX_EDGE_DELETE)
            there = false;
        if (edit->kind == SEPX_EDGE_INSERT)
            there = true;
    }
    return there;
}

/* All edges into each node are those of one parent: the point of hunks. */
static void
check_ports(const struct fixture *f)
{
    const struct sepx_path *path = &f->explain.path;
    const struct sepx_graph *first = f->explain.swapped ? &f->b : &f->a;
    const uint32_t nodes = (uint32_t)path->n_first + path->n_insert;

    for (uint32_t to = 0; to < nodes; to++) {
        bool as_first = true, as_second = true;

        if (f->explain.place[to] == SEPX_NONE)
            continue;
        for (uint32_t from = 0; from < nodes; from++) {
            bool has = f->explain.place[from] != SEPX_NONE &&
                       sepx_graph_find_edge(&f->child,
                                            (unsigned)f->explain.place[from],
                                            (unsigned)f->explain.place[to]);

            as_first &= has == edge_in(&f->explain, first, from, to, false);
            as_second &= has == edge_in(&f->explain, first, from, to, true);
        }
        CHECK(as_first || as_second, "edges of both parents lead to node %u",
              to);
    }
}

static void
cross(struct fixture *f, bool *accepted)
{
    assert_int_equal(sepx_cross_run(f->cross, &f->child, accepted, &f->a, &f->b,
                                    &f->rng, NULL, &f->explain),
                     SEPX_OK);
}

static void
check_networks(uint32_t units, unsigned pairs, unsigned least)
{
    struct fixture f;
    unsigned accepted = 0, tried = 0;

    open_all(&f, "hunks", "20");
    for (unsigned i = 0; i < pairs; i++) {
        bool good, valid;

        draw_parents(&f, units);
        cross(&f, &good);
        if (f.explain.path.len < 4)
            continue;
        tried++;
        accepted += good;
        if (!good)
            continue;
        assert_int_equal(sepx_space_check(f.space, &valid, &f.child, NULL),
                         SEPX_OK);
        CHECK(valid, "seed %d, pair %u: child is not valid", SEED, i);
        if (!f.explain.n_past)
            check_ports(&f);
    }
    CHECK(100 * accepted >= least * tried,
          "seed %d: %u of %u crossovers gave networks", SEED, accepted, tried);
    close_all(&f);
}

static void
test_children_of_networks_are_networks(void **state)
{
    (void)state;
    /* Some short paths have nothing between the parents. */
    check_networks(12, 60, 85);
    check_networks(24, 30, 95);
}

static void
test_so_are_those_of_large_ones(void **state)
{
    (void)state;
    check_networks(60, 6, 80);
}

static double
distance(struct fixture *f, const struct sepx_graph *a,
         const struct sepx_graph *b)
{
    size_t count;
    const uint16_t *pinned = sepx_space_pinned(f->space, &count);
    struct sepx_ged_options options = {.pinned = pinned, .n_pinned = count};
    struct sepx_ged_result result;
    struct sepx_ged *ged;

    assert_int_equal(sepx_ged_new(&ged, &options), SEPX_OK);
    assert_int_equal(sepx_ged_between(ged, &result, a, b, NULL), SEPX_OK);
    assert_true(result.exact);
    sepx_ged_free(ged);
    return result.upper;
}

/*
 * Units that one parent has more of in one row are one hunk, and no network
 * is on a shortest path: a part of the row is, but for the edges past it.
 */
static void
check_row(struct fixture *f, const char *one, const char *two)
{
    uint64_t sizes = 0;

    build(f, &f->a, one);
    build(f, &f->b, two);
    for (unsigned i = 0; i < 20; i++) {
        const double d = distance(f, &f->a, &f->b);
        bool good, valid;
        double to_a, to_b;

        cross(f, &good);
        CHECK(good, "no child of %s and %s", one, two);
        assert_int_equal(sepx_space_check(f->space, &valid, &f->child, NULL),
                         SEPX_OK);
        assert_true(valid);
        assert_true(f->explain.n_past);
        to_a = distance(f, &f->a, &f->child);
        to_b = distance(f, &f->b, &f->child);
        CHECK(to_a + to_b > d &&
                  to_a + to_b <= d + 2 * (double)f->explain.n_past,
              "%g + %g, %g apart", to_a, to_b, d);
        CHECK(4 * to_a >= d - 4 && 4 * to_b >= d - 4, "%g, %g of %g", to_a,
              to_b, d);
        assert_true(f->child.n_nodes < 64);
        sizes |= UINT64_C(1) << f->child.n_nodes;
    }
    /* more than one length */
    CHECK(sizes & (sizes - 1), "one child of %s and %s", one, two);
}

static void
test_rows_are_cut_short(void **state)
{
    struct fixture f;

    (void)state;
    open_all(&f, "hunks", "1");
    check_row(&f, "wccw", "wccccccccccw");
    check_row(&f, "wccccccccccw", "wccw");
    check_row(&f, "cCw", "cCCCCCCCw");
    check_row(&f, "cCCCCCCCw", "cCw");
    close_all(&f);
}

/* The last unit moves, so that the row keeps its end and begins later. */
static void
test_rows_keep_an_end_that_is_there_once(void **state)
{
    struct fixture f;

    (void)state;
    open_space(&f, ending_text, "hunks", "1");
    check_row(&f, "cCE", "cCCCCCCCE");
    check_row(&f, "cCCCCCCCE", "cCE");
    close_all(&f);
}

/* ---- no network is between such parents on a shortest path ---- */

/* All choices of edits of all shortest paths, and how many are networks. */
struct between {
    struct fixture *f;
    uint64_t paths, networks, choices;
};

/* Edits without effect leave a parent. */
static bool
is_parent(const struct fixture *f, const struct sepx_graph *child)
{
    bool same_a, same_b;

    assert_int_equal(sepx_graph_isomorphic(child, &f->a, &same_a, NULL),
                     SEPX_OK);
    assert_int_equal(sepx_graph_isomorphic(child, &f->b, &same_b, NULL),
                     SEPX_OK);
    return same_a || same_b;
}

/* Every choice at all, judged by the space. */
static bool
try_all(void *context, const int16_t *map)
{
    struct between *x = context;
    struct sepx_path path = {0};
    struct sepx_graph child = {.names = sepx_space_names(x->f->space)};
    bool take[16];

    assert_int_equal(sepx_path_from_map(&path, &x->f->a, &x->f->b, map, false),
                     SEPX_OK);
    assert_true(path.len < 16);
    for (uint32_t set = 1; set + 1 < UINT32_C(1) << path.len; set++) {
        bool valid = false;

        for (size_t i = 0; i < path.len; i++)
            take[i] = set >> i & 1;
        assert_int_equal(
            sepx_path_apply(&path, &child, &x->f->a, take, NULL, NULL),
            SEPX_OK);
        assert_int_equal(sepx_space_check(x->f->space, &valid, &child, NULL),
                         SEPX_OK);
        x->networks += valid && !is_parent(x->f, &child);
        x->choices++;
    }
    x->paths++;
    sepx_graph_release(&child);
    sepx_path_release(&path);
    return true;
}

/*
 * A chain whose nodes all have one edge in: its children are chains, so that
 * of each node all edits of its in-port are taken or none. `set` has a bit
 * for each such node; whether the walk back from the output meets all nodes.
 */
static bool
is_chain(const struct sepx_graph *a, const struct sepx_path *path,
         const uint32_t *bit, uint32_t output, uint32_t set)
{
    uint32_t source[128], nodes = path->n_first, met = 1;

    for (uint32_t i = 0; i < a->n_edges; i++)
        source[a->edge[i].to] = a->edge[i].from;
    for (size_t i = 0; i < path->len; i++) {
        const struct sepx_edit *edit = &path->edit[i];

        if (edit->kind == SEPX_NODE_INSERT && set >> bit[edit->node] & 1)
            nodes++;
        if (edit->kind == SEPX_EDGE_INSERT && set >> bit[edit->to] & 1)
            source[edit->to] = edit->from;
    }
    /* node 0 is the input; a node that is not there has no source */
    for (uint32_t at = output; at; at = source[at], met++)
        if (at >= path->n_first && !(set >> bit[at] & 1))
            return false;
    return met == nodes;
}

static bool
try_ports(void *context, const int16_t *map)
{
    struct between *x = context;
    struct sepx_path path = {0};
    uint32_t bit[128], ports = 0;

    assert_int_equal(sepx_path_from_map(&path, &x->f->a, &x->f->b, map, false),
                     SEPX_OK);
    assert_true(path.n_first + path.n_insert <= 128u);
    memset(bit, 0xff, sizeof bit);
    for (size_t i = 0; i < path.len; i++) {
        const struct sepx_edit *edit = &path.edit[i];
        const bool is_edge =
            edit->kind == SEPX_EDGE_INSERT || edit->kind == SEPX_EDGE_DELETE;
        const uint32_t node = is_edge ? edit->to : edit->node;

        assert_true(is_edge || edit->kind == SEPX_NODE_INSERT);
        if (bit[node] == UINT32_MAX)
            bit[node] = ports++;
    }
    assert_true(ports < 25);
    for (uint32_t set = 1; set + 1 < UINT32_C(1) << ports; set++) {
        x->networks += is_chain(&x->f->a, &path, bit, x->f->a.n_nodes - 1, set);
        x->choices++;
    }
    assert_true(is_chain(&x->f->a, &path, bit, x->f->a.n_nodes - 1, 0));
    assert_true(is_chain(&x->f->a, &path, bit, x->f->a.n_nodes - 1,
                         (UINT32_C(1) << ports) - 1));
    x->paths++;
    sepx_path_release(&path);
    return true;
}

static void
count_between(struct fixture *f, const char *one, const char *two,
              bool (*try)(void *context, const int16_t *map), bool some)
{
    size_t count;
    const uint16_t *pinned = sepx_space_pinned(f->space, &count);
    const struct sepx_ged_options options = {.pinned = pinned,
                                             .n_pinned = count};
    struct between x = {.f = f};
    struct sepx_ged_graph *a, *b;
    struct sepx_ged *ged;
    uint64_t maps;

    build(f, &f->a, one);
    build(f, &f->b, two);
    assert_int_equal(sepx_ged_new(&ged, &options), SEPX_OK);
    assert_int_equal(sepx_ged_prepare(ged, &a, &f->a), SEPX_OK);
    assert_int_equal(sepx_ged_prepare(ged, &b, &f->b), SEPX_OK);
    assert_int_equal(sepx_ged_optima(ged, &maps, a, b, NULL, try, &x), SEPX_OK);
    assert_true(maps && x.paths == maps && x.choices);
    CHECK(some == (x.networks > 0),
          "%" PRIu64 " networks between %s and %s, of %" PRIu64 " choices",
          x.networks, one, two, x.choices);
    sepx_ged_graph_free(a);
    sepx_ged_graph_free(b);
    sepx_ged_free(ged);
}

/*
 * Whatever part of a shortest path is taken, so that distances to the
 * parents would add up to d. The last two have the rows of ResNet-50 and 101,
 * and of ViT-B and L.
 */
static void
test_nothing_is_between_rows(void **state)
{
    struct fixture f;

    (void)state;
    open_all(&f, "hunks", "1");
    count_between(&f, "wccw", "wccccccw", try_all, false);
    count_between(&f, "cw", "ccccw", try_all, false);
    count_between(&f, "wCw", "wCCw", try_all, false);
    /* two rows are two hunks, with networks between */
    count_between(&f, "cwc", "ccwccc", try_all, true);
    count_between(&f, "wwccwcccwcccccwcc", "wwccwcccwccccccccccccccccccccccwcc",
                  try_ports, false);
    count_between(&f, "wwccccccccccccw", "wwccccccccccccccccccccccccw",
                  try_ports, false);
    close_all(&f);
}

static void
test_single_edits_seldom_give_networks(void **state)
{
    struct fixture f;
    unsigned accepted = 0;

    (void)state;
    open_all(&f, "edits", "1");
    for (unsigned i = 0; i < 40; i++) {
        bool good;

        draw_parents(&f, 20);
        cross(&f, &good);
        accepted += good;
    }
    CHECK(accepted < 20, "%u of 40", accepted);
    close_all(&f);
}

/* Long paths of single edits are seldom valid, so hunks are taken. */
static void
test_auto_takes_hunks_of_networks(void **state)
{
    struct fixture f;
    unsigned accepted = 0;

    (void)state;
    open_all(&f, "auto", "20");
    for (unsigned i = 0; i < 20; i++) {
        bool good;

        draw_parents(&f, 24);
        cross(&f, &good);
        if (good && f.explain.path.len >= 12)
            check_ports(&f);
        accepted += good;
    }
    CHECK(accepted >= 15, "%u of 20", accepted);
    close_all(&f);
}

/* A verdict that is remembered changes no child, nor what comes after. */
static void
test_known_verdicts_change_nothing(void **state)
{
    struct fixture f, fresh;
    uint64_t known = 0;

    (void)state;
    open_all(&f, "auto", "20");
    for (unsigned i = 0; i < 12; i++) {
        draw_parents(&f, 16);
        for (unsigned k = 0; k < 4; k++) {
            struct sepx_rng rng = f.rng;
            bool good, again;

            cross(&f, &good);
            open_all(&fresh, "auto", "20");
            fresh.rng = rng;
            assert_int_equal(sepx_graph_copy(&fresh.a, &f.a), SEPX_OK);
            assert_int_equal(sepx_graph_copy(&fresh.b, &f.b), SEPX_OK);
            cross(&fresh, &again);
            assert_int_equal(good, again);
            assert_int_equal(fresh.cross->verdicts_known, 0);
            assert_true(!good || sepx_graph_equal(&f.child, &fresh.child));
            assert_memory_equal(&f.rng, &fresh.rng, sizeof f.rng);
            close_all(&fresh);
        }
    }
    known = f.cross->verdicts_known;
    CHECK(known >= 12, "%" PRIu64 " of 48 were known", known);
    close_all(&f);
}

/* ---- graphs above 64 nodes: the lists judge as the bit rows do ---- */

static void
test_wide_graphs_are_judged_alike(void **state)
{
    struct fixture f;
    unsigned valid = 0;

    (void)state;
    open_all(&f, "edits", "1");
    for (unsigned i = 0; i < 2000; i++) {
        bool by_rows, by_lists;

        draw_parents(&f, 4);
        for (uint32_t k = sepx_rng_below(&f.rng, 3); k > 0; k--) {
            uint32_t from = sepx_rng_below(&f.rng, f.a.n_nodes);
            uint32_t to = sepx_rng_below(&f.rng, f.a.n_nodes);

            if (from != to && sepx_graph_find_edge(&f.a, from, to))
                sepx_graph_remove_edge(&f.a, from, to);
            else if (from != to)
                add_edge(&f.a, from, to);
        }
        assert_int_equal(sepx_space_check(f.space, &by_rows, &f.a, NULL),
                         SEPX_OK);
        assert_int_equal(sepx__wide_check(f.space, &by_lists, &f.a, NULL),
                         SEPX_OK);
        CHECK(by_rows == by_lists, "seed %d, graph %u: %d and %d", SEED, i,
              by_rows, by_lists);
        valid += by_rows;
    }
    CHECK(valid > 200 && valid < 1900, "%u of 2000 are valid", valid);
    close_all(&f);
}

static void
test_mutants_of_large_networks_are_networks(void **state)
{
    struct sepx_rules rules;
    struct fixture f;

    (void)state;
    open_all(&f, "edits", "1");
    assert_int_equal(
        sepx_rules_preset(&rules, "plain", "nets", "mutation", NULL), SEPX_OK);
    draw_parents(&f, 80);
    assert_true(f.a.n_nodes > 64);
    for (unsigned i = 0; i < 50; i++) {
        bool valid, same;

        assert_int_equal(
            sepx_space_mutate(f.space, &f.child, &f.a, &rules, &f.rng),
            SEPX_OK);
        assert_int_equal(sepx_space_check(f.space, &valid, &f.child, NULL),
                         SEPX_OK);
        assert_int_equal(sepx_graph_isomorphic(&f.child, &f.a, &same, NULL),
                         SEPX_OK);
        CHECK(valid && !same, "seed %d, mutant %u", SEED, i);
        assert_int_equal(sepx_graph_copy(&f.a, &f.child), SEPX_OK);
    }
    close_all(&f);
}

static void
fail_allocations(struct fixture *f)
{
    EACH_FAULT (fault) {
        struct sepx_graph child = {.names = f->a.names};
        struct sepx_cross *copy = NULL;
        struct sepx_rng rng;
        bool good;

        sepx_rng_init(&rng, SEED, 0, 0, 0);
        fault.err = sepx_cross_copy(&copy, f->cross);
        if (!fault.err)
            fault.err = sepx_cross_run(copy, &child, &good, &f->a, &f->b, &rng,
                                       NULL, NULL);
        sepx_graph_release(&child);
        sepx_cross_free(copy);
    }
}

static void
test_survives_failed_allocations(void **state)
{
    struct fixture f;

    (void)state;
    open_all(&f, "hunks", "2");
    draw_parents(&f, 30);
    fail_allocations(&f);
    build(&f, &f.a, "wcw");
    build(&f, &f.b, "wcccccw");
    fail_allocations(&f);
    close_all(&f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_children_of_networks_are_networks),
        cmocka_unit_test(test_so_are_those_of_large_ones),
        cmocka_unit_test(test_rows_are_cut_short),
        cmocka_unit_test(test_rows_keep_an_end_that_is_there_once),
        cmocka_unit_test(test_nothing_is_between_rows),
        cmocka_unit_test(test_single_edits_seldom_give_networks),
        cmocka_unit_test(test_auto_takes_hunks_of_networks),
        cmocka_unit_test(test_known_verdicts_change_nothing),
        cmocka_unit_test(test_wide_graphs_are_judged_alike),
        cmocka_unit_test(test_mutants_of_large_networks_are_networks),
        cmocka_unit_test(test_survives_failed_allocations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
