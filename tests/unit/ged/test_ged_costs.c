/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Costs of all forms against every map there is: by label, by fields of
 * labels, by node and edge; on graphs of all kinds.
 */
#include "unit/check.h"
#include "unit/rounds.h"

#include <inttypes.h>
#include <stdlib.h>

#include "unit/faults.h"
#include "oracle/oracle_draw.h"
#include "oracle/oracle_ged.h"

#define SEED 20261118
#define PAIRS 20000
#define NODES 5
#define EDGES 128

struct fixture {
    struct sepx_names *names;
    struct sepx_graph a, b, c;
    struct sepx_rng rng;
    struct sepx_ged_options options;
    struct sepx_costs costs;
    struct sepx_relabel_cost node_table[2], edge_table[2];
    struct sepx_label_cost label[4][2];
    struct sepx_field_weight field[3];
    uint16_t pinned;
    struct sepx_pair_costs pair;
    double matrix[2][EDGES * EDGES], remove[2][EDGES], insert[2][EDGES];
};

static uint32_t
below(struct fixture *f, uint32_t n)
{
    return sepx_rng_below(&f->rng, n);
}

/* ---- what is drawn ---- */

enum tone { UNIT, EVEN, FRACTION, THIRDS, FAR_APART, ANY, HUGE_TOO, TONES };

static double
draw_cost(struct fixture *f, enum tone tone, bool substitute)
{
    static const double fraction[] = {0, 0.25, 0.5, 1, 1.1, 2, 3.75};
    static const double apart[] = {0, 0x1p-10, 1, 1000000};

    switch (tone) {
    case UNIT:
        return substitute ? below(f, 2) : 1;
    case EVEN:
        return 0.3 * (substitute ? below(f, 2) : 1);
    case FRACTION:
        return fraction[below(f, sizeof fraction / sizeof *fraction)];
    case FAR_APART:
        return apart[below(f, sizeof apart / sizeof *apart)];
    case THIRDS:
        return below(f, 8) / 3.0;
    case HUGE_TOO:
        return substitute && !below(f, 4) ? (below(f, 2) ? INFINITY : 1e15)
                                          : below(f, 4);
    default:
        return 2 * sepx_rng_unit(&f->rng);
    }
}

static uint16_t
name(struct fixture *f, const char *text)
{
    uint16_t id;

    assert_int_equal(sepx_names_add(f->names, &id, text), SEPX_OK);
    return id;
}

static void
draw_label_costs(struct fixture *f)
{
    static const char *const labels[2][2] = {{"n0", "n1"}, {"e0", "e1"}};
    const enum tone tone = below(f, 2) ? FRACTION : (enum tone)below(f, 6);
    struct sepx_costs *c = &f->costs;

    *c = (struct sepx_costs){.node_insert = draw_cost(f, tone, false),
                             .node_delete = draw_cost(f, tone, false),
                             .node_relabel = draw_cost(f, tone, false),
                             .edge_insert = draw_cost(f, tone, false),
                             .edge_delete = draw_cost(f, tone, false),
                             .edge_relabel = draw_cost(f, tone, false),
                             .node_table = f->node_table,
                             .edge_table = f->edge_table,
                             .n_node_table = below(f, 3),
                             .n_edge_table = below(f, 3),
                             .node_insert_table = f->label[0],
                             .node_delete_table = f->label[1],
                             .edge_insert_table = f->label[2],
                             .edge_delete_table = f->label[3],
                             .n_node_insert_table = below(f, 3),
                             .n_node_delete_table = below(f, 3),
                             .n_edge_insert_table = below(f, 3),
                             .n_edge_delete_table = below(f, 3),
                             .node_fields = f->field,
                             .edge_fields = f->field,
                             .n_node_fields = below(f, 2) ? 3 : 0,
                             .n_edge_fields = below(f, 2) ? 2 : 0,
                             .names = f->names};
    for (unsigned k = 0; k < 2; k++) {
        f->node_table[k] = (struct sepx_relabel_cost){
            name(f, labels[0][k]), name(f, labels[0][1 - k]),
            draw_cost(f, tone, false)};
        f->edge_table[k] = (struct sepx_relabel_cost){
            name(f, labels[1][k]), name(f, labels[1][1 - k]),
            draw_cost(f, tone, false)};
        for (unsigned t = 0; t < 4; t++)
            f->label[t][k] = (struct sepx_label_cost){
                name(f, labels[t / 2][k]), draw_cost(f, tone, false)};
    }
    f->field[0] = (struct sepx_field_weight){"", 1};
    f->field[1] = (struct sepx_field_weight){"k", 1 + below(f, 3)};
    f->field[2] = (struct sepx_field_weight){"s", 0.5};
    f->options.costs = c;
}

/* Every other label gets fields. */
static void
give_fields(struct fixture *f, struct sepx_graph *g)
{
    static const char *const text[] = {"n0 k=1 s=2", "n0 k=2 s=2", "k=1 n0",
                                       "n1 s=2 k=1", "n1 x=9",     ""};

    for (uint32_t i = 0; i < g->n_nodes; i++)
        if (below(f, 2))
            g->label[i] = name(f, text[below(f, 6)]);
}

static void
draw_matter(struct fixture *f, unsigned which, uint32_t n, uint32_t m)
{
    const enum tone tone = (enum tone)below(f, TONES);
    const uint32_t kinds = 1 + below(f, 4); /* equal rows and columns */

    for (uint32_t i = 0; i < n; i++)
        f->remove[which][i] = draw_cost(f, tone, false);
    for (uint32_t k = 0; k < m; k++)
        f->insert[which][k] = draw_cost(f, tone, false);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < m; k++)
            f->matrix[which][i * m + k] =
                i >= kinds   ? f->matrix[which][i % kinds * m + k]
                : k >= kinds ? f->matrix[which][i * m + k % kinds]
                             : draw_cost(f, tone, true);
}

static void
draw_pair_costs(struct fixture *f)
{
    struct sepx_pair_costs *c = &f->pair;

    draw_matter(f, 0, f->a.n_nodes, f->b.n_nodes);
    draw_matter(f, 1, f->a.n_edges, f->b.n_edges);
    c->node_substitute = below(f, 5) ? f->matrix[0] : NULL;
    c->node_delete = below(f, 5) ? f->remove[0] : NULL;
    c->node_insert = below(f, 5) ? f->insert[0] : NULL;
    c->edge_substitute = below(f, 5) ? f->matrix[1] : NULL;
    c->edge_delete = below(f, 5) ? f->remove[1] : NULL;
    c->edge_insert = below(f, 5) ? f->insert[1] : NULL;
}

static void
draw_side(struct fixture *f, struct sepx_graph *g, uint32_t most,
          const struct draw_kind *kind)
{
    const struct draw_options options = {.n_nodes = below(f, most + 1),
                                         .node_labels = 1 + below(f, 3),
                                         .edge_labels = below(f, 4),
                                         .density = sepx_rng_unit(&f->rng)};

    draw_any_graph(g, f->names, &options, kind, &f->rng);
}

static void
open_fixture(struct fixture *f, uint32_t trial)
{
    const uint32_t most = trial % 100 ? 2 + trial % 3 : NODES;
    struct draw_kind kind = {.undirected = trial % 2};

    f->names = sepx_names_new();
    assert_non_null(f->names);
    sepx_rng_init(&f->rng, SEED, 1, trial, 0);
    f->a = f->b = f->c = (struct sepx_graph){0};
    f->options = (struct sepx_ged_options){.ignore_labels = !below(f, 6),
                                           .plain = below(f, 2)};
    f->pair = (struct sepx_pair_costs){0};
    kind.loops = below(f, 2) ? 0.3 : 0;
    kind.parallel = below(f, 3) ? 0 : 0.3;
    draw_side(f, &f->a, most, &kind);
    draw_side(f, &f->b, most, &kind);
    f->pinned = name(f, "n0");
    f->options.pinned = &f->pinned;
    f->options.n_pinned = !below(f, 4);
    if (trial % 4) {
        draw_label_costs(f);
        give_fields(f, &f->a);
        give_fields(f, &f->b);
    }
}

static void
close_fixture(struct fixture *f)
{
    sepx_graph_release(&f->a);
    sepx_graph_release(&f->b);
    sepx_graph_release(&f->c);
    sepx_names_free(f->names);
}

/* ---- what must hold ---- */

static void
check_path(struct fixture *f, const int16_t *map, uint32_t trial)
{
    const bool ignore = f->options.ignore_labels;
    struct sepx_path path = {0};
    bool same;

    assert_int_equal(sepx_path_from_map(&path, &f->a, &f->b, map, ignore),
                     SEPX_OK);
    assert_int_equal(sepx_path_apply(&path, &f->c, &f->a, NULL, NULL, NULL),
                     SEPX_OK);
    for (unsigned i = 0; ignore && i < f->c.n_nodes; i++)
        f->c.label[i] = 0;
    for (unsigned i = 0; ignore && i < f->b.n_nodes; i++)
        f->b.label[i] = 0;
    assert_int_equal(sepx_graph_isomorphic(&f->c, &f->b, &same, NULL), SEPX_OK);
    CHECK(same, "seed %d trial %" PRIu32, SEED, trial);
    sepx_path_release(&path);
}

static SEPX_CHECKED enum sepx_err
make(struct fixture *f, bool pair, struct sepx_ged **ged,
     struct sepx_ged_graph **a, struct sepx_ged_graph **b)
{
    enum sepx_err err;

    *a = *b = NULL;
    if (pair)
        return sepx_ged_new_pair(ged, a, b, &f->options, &f->a, &f->b,
                                 &f->pair);
    err = sepx_ged_new(ged, &f->options);
    if (!err)
        err = sepx_ged_prepare(*ged, a, &f->a);
    if (!err)
        err = sepx_ged_prepare(*ged, b, &f->b);
    return err;
}

static void
check_pair(struct fixture *f, uint32_t trial, bool pair)
{
    const struct sepx_ged_limits few = {.nodes = 1 + trial % 7};
    struct sepx_ged_graph *a, *b;
    struct sepx_ged_result result;
    struct sepx_ged *ged;
    uint64_t maps, found;
    double want, cost;

    want = oracle_ged_pair(&f->a, &f->b, &f->options, &f->pair, &maps);
    assert_int_equal(make(f, pair, &ged, &a, &b), SEPX_OK);
    assert_int_equal(sepx_ged_run(ged, &result, a, b, &few), SEPX_OK);
    CHECK(result.lower <= want + 1e-9 && result.upper >= want - 1e-9,
          "seed %d trial %" PRIu32 ": %.12g in %.12g..%.12g", SEED, trial, want,
          result.lower, result.upper);
    assert_int_equal(sepx_ged_map_cost(ged, &cost, a, b, result.map), SEPX_OK);
    CHECK(fabs(cost - result.upper) < 1e-9, "seed %d trial %" PRIu32, SEED,
          trial);
    assert_int_equal(sepx_ged_run(ged, &result, a, b, NULL), SEPX_OK);
    CHECK(result.exact && fabs(result.upper - want) < 1e-9,
          "seed %d trial %" PRIu32 ": %.12g..%.12g, not %.12g", SEED, trial,
          result.lower, result.upper, want);
    assert_int_equal(sepx_ged_map_cost(ged, &cost, a, b, result.map), SEPX_OK);
    CHECK(fabs(cost - want) < 1e-9, "seed %d trial %" PRIu32, SEED, trial);
    check_path(f, result.map, trial);
    if (trial % 8 < 2) {
        assert_int_equal(sepx_ged_optima(ged, &found, a, b, NULL, NULL, NULL),
                         SEPX_OK);
        CHECK(found == maps,
              "seed %d trial %" PRIu32 ": %" PRIu64 " maps, not %" PRIu64, SEED,
              trial, found, maps);
    }
    sepx_ged_graph_free(a);
    sepx_ged_graph_free(b);
    sepx_ged_free(ged);
}

static void
test_all_costs_equal_those_of_every_map(void **state)
{
    static struct fixture f;

    (void)state;
    for (uint32_t trial = 0; trial < rounds(PAIRS); trial++) {
        open_fixture(&f, trial);
        if (trial % 3 == 0)
            draw_pair_costs(&f);
        check_pair(&f, trial, trial % 3 == 0);
        close_fixture(&f);
    }
}

static void
test_bad_costs_are_refused(void **state)
{
    static const double bad[] = {-1, NAN, INFINITY};
    static struct fixture f;
    struct sepx_ged_graph *a, *b;
    struct sepx_ged *ged;

    (void)state;
    open_fixture(&f, 100);
    while (!f.a.n_nodes)
        assert_int_equal(sepx_graph_add_node(&f.a, 0), SEPX_OK);
    for (unsigned k = 0; k < 3; k++) {
        f.remove[0][0] = bad[k];
        f.pair = (struct sepx_pair_costs){.node_delete = f.remove[0]};
        assert_int_equal(make(&f, true, &ged, &a, &b), SEPX_EINVAL);
        assert_null(ged);
    }
    f.b.undirected = !f.a.undirected;
    assert_int_equal(make(&f, true, &ged, &a, &b), SEPX_EINVAL);
    f.costs = (struct sepx_costs){.node_fields = f.field, .n_node_fields = 1};
    f.field[0] = (struct sepx_field_weight){"k", 1};
    f.options.costs = &f.costs;
    assert_int_equal(sepx_ged_new(&ged, &f.options), SEPX_EINVAL);
    f.costs.names = f.names;
    f.field[0].weight = 0;
    assert_int_equal(sepx_ged_new(&ged, &f.options), SEPX_EINVAL);
    close_fixture(&f);
}

static void
test_failed_allocations_are_survived(void **state)
{
    static struct fixture f;

    (void)state;
    for (uint32_t trial = 0; trial < 12; trial++) {
        open_fixture(&f, trial * 7);
        if (trial % 2)
            draw_pair_costs(&f);
        EACH_FAULT (fault) {
            struct sepx_ged_graph *a = NULL, *b = NULL;
            struct sepx_ged_result result;
            struct sepx_ged *ged = NULL;

            fault.err = make(&f, trial % 2, &ged, &a, &b);
            if (!fault.err)
                fault.err = sepx_ged_run(ged, &result, a, b, NULL);
            sepx_ged_graph_free(a);
            sepx_ged_graph_free(b);
            sepx_ged_free(ged);
        }
        close_fixture(&f);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_costs_equal_those_of_every_map),
        cmocka_unit_test(test_bad_costs_are_refused),
        cmocka_unit_test(test_failed_allocations_are_survived),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
