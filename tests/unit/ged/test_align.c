/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Maps that keep an order: the alignment of sequences against every one there
 * is, orders against their definition, and what a whole search makes of them.
 */
#include "unit/check.h"

#include <inttypes.h>
#include <string.h>

#include "ged/align/align.h"
#include "oracle/oracle_draw.h"
#include "unit/faults.h"
#include "unit/rounds.h"

#define SEED 20261118
#define N_MAX 6
#define CODES 2

/* ---- two sequences ---- */

struct drawn {
    uint32_t n, m;
    int32_t score[N_MAX * N_MAX];
    uint16_t chain[2][N_MAX];
    int32_t across[2][N_MAX];
    int16_t link[CODES * CODES];
    uint32_t first[2][N_MAX + 1];
    int32_t sums[4 * (N_MAX + 1)];
    uint8_t from[N_MAX * N_MAX];
    struct align_sequences q;
};

static void
draw(struct drawn *d, uint32_t trial)
{
    struct sepx_rng rng;

    memset(d, 0, sizeof *d);
    sepx_rng_init(&rng, SEED, 0, trial, 0);
    d->n = sepx_rng_below(&rng, N_MAX) + 1;
    d->m = sepx_rng_below(&rng, N_MAX) + 1;
    for (uint32_t x = 0; x < d->n * d->m; x++)
        d->score[x] = sepx_rng_chance(&rng, 0.1)
                          ? ALIGN_NEVER
                          : (int32_t)sepx_rng_below(&rng, 12) - 2;
    for (unsigned side = 0; side < 2; side++)
        for (uint32_t x = 0; x < N_MAX; x++) {
            d->chain[side][x] = (uint16_t)sepx_rng_below(&rng, CODES + 1);
            d->across[side][x] = (int32_t)sepx_rng_below(&rng, 4);
        }
    for (unsigned x = 0; x < CODES * CODES; x++)
        d->link[x] = (int16_t)sepx_rng_below(&rng, 10);
    d->q = (struct align_sequences){
        .n = d->n,
        .m = d->m,
        .score = d->score,
        .chain = {d->chain[0], d->chain[1]},
        .gap = trial % 2 ? (int32_t)sepx_rng_below(&rng, 4) : 0,
        .across = {d->across[0], d->across[1]},
        .link = d->link,
        .codes = CODES,
        .first = {d->first[0], d->first[1]},
        .sums = d->sums,
        .from = d->from,
    };
}

/* The sum of an alignment, as the header says it. */
static int64_t
sum_of(const struct drawn *d, const int32_t *map)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < d->n; i++) {
        const int32_t k = map[i];
        const int32_t *across_a = d->across[0], *across_b = d->across[1];

        if (k < 0)
            continue;
        sum += d->score[i * d->m + (uint32_t)k];
        if (i && k && map[i - 1] == k - 1) {
            if (d->chain[0][i] && d->chain[1][k])
                sum +=
                    d->link[(d->chain[0][i] - 1) * CODES + d->chain[1][k] - 1];
        } else {
            sum -= d->q.gap *
                   (across_a[i] < across_b[k] ? across_a[i] : across_b[k]);
        }
    }
    return sum;
}

static int64_t
best_of_all(const struct drawn *d, int32_t *map, uint32_t i, uint32_t from)
{
    int64_t best;

    if (i >= N_MAX || i == d->n)
        return sum_of(d, map);
    map[i] = -1;
    best = best_of_all(d, map, i + 1, from);
    for (uint32_t k = from; k < d->m; k++) {
        int64_t sum;

        if (d->score[i * d->m + k] == ALIGN_NEVER)
            continue;
        map[i] = (int32_t)k;
        sum = best_of_all(d, map, i + 1, k + 1);
        best = sum > best ? sum : best;
    }
    map[i] = -1;
    return best;
}

static void
test_alignment_is_the_best_of_all(void **state)
{
    (void)state;
    for (uint32_t trial = 0; trial < 5000; trial++) {
        struct drawn d;
        int32_t map[N_MAX], room[N_MAX];
        int64_t sum, best;

        draw(&d, trial);
        sum = sepx__align_sequences(&d.q, map);
        best = best_of_all(&d, room, 0, 0);
        CHECK(sum == best && sum_of(&d, map) == best,
              "seed %d trial %" PRIu32 ": %" PRId64 ", map %" PRId64
              ", not %" PRId64,
              SEED, trial, sum, sum_of(&d, map), best);
        for (uint32_t i = 1, last = 0; i < d.n; i++) {
            if (map[i - 1] >= 0)
                last = (uint32_t)map[i - 1] + 1;
            CHECK(map[i] < 0 || (uint32_t)map[i] >= last,
                  "trial %" PRIu32 ": not in order", trial);
        }
    }
}

/* ---- graphs ---- */

/* One pair, by the split bound's first steps. {0} is empty. */
struct pair {
    struct sepx_ged *ged;
    struct sepx_ged_graph *a, *b;
    struct ged_watch watch;
    struct ged_task task;
    struct ged_split *split;
    int16_t map[SEPX_NODES_MAX];
};

static SEPX_CHECKED enum sepx_err
pair_open(struct pair *pair, const struct sepx_graph *a,
          const struct sepx_graph *b)
{
    enum sepx_err err;

    *pair = (struct pair){0};
    err = sepx_ged_new(&pair->ged, NULL);
    if (!err)
        err = sepx_ged_prepare(pair->ged, &pair->a, a);
    if (!err)
        err = sepx_ged_prepare(pair->ged, &pair->b, b);
    if (err)
        return err;
    sepx__ged_watch_init(&pair->watch, NULL);
    pair->task = (struct ged_task){.a = pair->a,
                                   .b = pair->b,
                                   .costs = &pair->ged->costs,
                                   .watch = &pair->watch,
                                   .step = 1.0 / GED_UNIT,
                                   .cap = GED_UNKNOWN - 1,
                                   .upper = GED_UNKNOWN,
                                   .map = pair->map};
    return sepx__split_new(&pair->split, pair->ged, &pair->task);
}

static void
pair_close(struct pair *pair)
{
    sepx__split_free(pair->split);
    sepx_ged_graph_free(pair->a);
    sepx_ged_graph_free(pair->b);
    sepx_ged_free(pair->ged);
}

static int64_t
align_cost(const struct sepx_graph *a, const struct sepx_graph *b)
{
    struct pair pair;
    int64_t cost;

    assert_int_equal(pair_open(&pair, a, b), SEPX_OK);
    assert_int_equal(sepx__align_offer(pair.split, ALIGN_ALL), SEPX_OK);
    cost = pair.task.upper / GED_UNIT;
    pair_close(&pair);
    return cost;
}

/* A chain with some edges across it, as a network has. */
static void
draw_network(struct sepx_graph *graph, struct sepx_names *names, uint32_t n,
             struct sepx_rng *rng)
{
    const struct draw_options options = {
        .n_nodes = n, .node_labels = 5, .density = 0.02, .acyclic = true};

    draw_graph(graph, names, &options, rng);
    for (uint32_t i = 1; i < n; i++)
        if (!sepx_graph_find_edge(graph, i - 1, i) &&
            !sepx_graph_find_edge(graph, i, i - 1))
            assert_int_equal(sepx_graph_add_edge(graph, i - 1, i, 0), SEPX_OK);
}

static void
shuffle(struct sepx_graph *to, const struct sepx_graph *from,
        struct sepx_rng *rng)
{
    uint32_t order[256];

    draw_order(order, from->n_nodes, rng);
    assert_int_equal(sepx_graph_permute(to, from, order), SEPX_OK);
}

static void
test_orders_are_topological(void **state)
{
    struct sepx_names *names = sepx_names_new();
    struct sepx_graph a = {.names = names}, b = {.names = names};
    struct sepx_graph mixed = {.names = names};

    (void)state;
    for (uint32_t trial = 0; trial < 200; trial++) {
        uint32_t at[2][64], place[2][64];
        struct dag_order order = {{at[0], at[1]}, {place[0], place[1]}};
        struct sepx_rng rng;
        struct pair pair;
        struct dag dag;

        sepx_rng_init(&rng, SEED, 1, trial, 0);
        draw_network(&a, names, 1 + sepx_rng_below(&rng, 40), &rng);
        draw_network(&b, names, 1 + sepx_rng_below(&rng, 40), &rng);
        shuffle(&mixed, &b, &rng);
        assert_int_equal(pair_open(&pair, &a, &mixed), SEPX_OK);
        assert_int_equal(sepx__dag_init(&dag, &pair.split->p), SEPX_OK);
        assert_true(dag.acyclic);
        for (unsigned kind = 0; kind < DAG_ORDER_GIVEN; kind++) {
            sepx__dag_order(&dag, &order, kind);
            for (unsigned side = 0; side < 2; side++) {
                const struct sepx_ged_graph *g =
                    side ? pair.split->p.b.graph : pair.split->p.a.graph;

                for (uint32_t e = 0; e < g->m; e++)
                    CHECK(place[side][g->edge[e].from] <
                              place[side][g->edge[e].to],
                          "trial %" PRIu32 " kind %u", trial, kind);
                for (uint32_t i = 0; i < g->n; i++)
                    assert_int_equal(at[side][place[side][i]], i);
            }
        }
        sepx__dag_release(&dag);
        pair_close(&pair);
    }
    sepx_graph_release(&a);
    sepx_graph_release(&b);
    sepx_graph_release(&mixed);
    sepx_names_free(names);
}

/* Isomorphic graphs get orders that agree, and so does what lies between. */
static void
test_shuffled_networks_align_as_well(void **state)
{
    struct sepx_names *names = sepx_names_new();
    struct sepx_graph a = {.names = names}, b = {.names = names};
    struct sepx_graph mixed = {.names = names};

    (void)state;
    for (uint32_t trial = 0; trial < 100; trial++) {
        struct sepx_rng rng;
        int64_t cost;

        sepx_rng_init(&rng, SEED, 2, trial, 0);
        draw_network(&a, names, 30 + sepx_rng_below(&rng, 40), &rng);
        shuffle(&mixed, &a, &rng);
        cost = align_cost(&a, &mixed);
        CHECK(cost == 0, "trial %" PRIu32 ": %" PRId64, trial, cost);
        /* cut a stretch out: each node and edge in it, and a bridge */
        assert_int_equal(sepx_graph_copy(&b, &a), SEPX_OK);
        for (unsigned x = 0; x < 5; x++)
            sepx_graph_remove_node(&b, 12);
        if (!sepx_graph_find_edge(&b, 11, 12))
            assert_int_equal(sepx_graph_add_edge(&b, 11, 12, 0), SEPX_OK);
        cost = align_cost(&a, &b);
        CHECK(cost <= 5 + (int64_t)(a.n_edges - b.n_edges) + 2,
              "trial %" PRIu32 ": %" PRId64, trial, cost);
    }
    sepx_graph_release(&a);
    sepx_graph_release(&b);
    sepx_graph_release(&mixed);
    sepx_names_free(names);
}

/* A chain with edges across it: one topological order, its own. */
static void
draw_chain(struct sepx_graph *graph, uint32_t n, struct sepx_rng *rng)
{
    sepx_graph_clear(graph);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t back = 2 + sepx_rng_below(rng, 6);

        assert_int_equal(
            sepx_graph_add_node(graph, (uint16_t)(1 + sepx_rng_below(rng, 4))),
            SEPX_OK);
        if (i)
            assert_int_equal(sepx_graph_add_edge(graph, i - 1, i, 0), SEPX_OK);
        if (i >= back && sepx_rng_chance(rng, 0.3))
            assert_int_equal(sepx_graph_add_edge(graph, i - back, i, 0),
                             SEPX_OK);
    }
}

/* Bounds after some work; the map costs what it is said to. */
static void
bound(const struct sepx_graph *a, const struct sepx_graph *b, double bounds[2])
{
    const struct sepx_ged_limits limits = {.nodes = 300};
    struct sepx_ged_result result;
    struct pair pair;
    double price;

    assert_int_equal(pair_open(&pair, a, b), SEPX_OK);
    assert_int_equal(sepx_ged_run(pair.ged, &result, pair.a, pair.b, &limits),
                     SEPX_OK);
    bounds[0] = result.lower;
    bounds[1] = result.upper;
    assert_int_equal(
        sepx_ged_map_cost(pair.ged, &price, pair.a, pair.b, result.map),
        SEPX_OK);
    CHECK(price == result.upper, "%g, not %g", price, result.upper);
    pair_close(&pair);
}

/* Both graphs of a pair as the search sees them. */
static bool
same_numbers(const struct sepx_graph *a, const struct sepx_graph *b,
             const struct sepx_graph *x, const struct sepx_graph *y)
{
    struct pair given, mixed;
    struct ged_numbers left, right;
    bool same = true;

    assert_int_equal(pair_open(&given, a, b), SEPX_OK);
    assert_int_equal(pair_open(&mixed, x, y), SEPX_OK);
    assert_int_equal(sepx__ged_renumber(&left, &given.task), SEPX_OK);
    assert_int_equal(sepx__ged_renumber(&right, &mixed.task), SEPX_OK);
    for (unsigned side = 0; side < 2; side++) {
        const struct sepx_ged_graph *g = left.graph[side];
        const struct sepx_ged_graph *h = right.graph[side];

        assert_non_null(g);
        assert_non_null(h);
        same &= !memcmp(g->label, h->label, g->n * sizeof *g->label) &&
                !memcmp(g->edge, h->edge, g->m * sizeof *g->edge);
        for (uint32_t e = 0; e < g->m; e++)
            assert_true(g->edge[e].from < g->edge[e].to);
        for (uint32_t i = 0; i < g->n; i++) {
            assert_int_equal(left.at[side][left.place[side][i]], i);
            assert_int_equal(g->label[i],
                             (side ? b : a)->label[left.at[side][i]]);
        }
    }
    sepx__ged_numbers_release(&left);
    sepx__ged_numbers_release(&right);
    pair_close(&given);
    pair_close(&mixed);
    return same;
}

/* The course of a search, and so its answer, is the same for other numbers. */
static void
test_numbers_do_not_matter(void **state)
{
    struct sepx_names *names = sepx_names_new();
    struct sepx_graph a = {.names = names}, b = {.names = names};
    struct sepx_graph x = {.names = names}, y = {.names = names};
    const uint32_t pairs = rounds(40);
    uint32_t open = 0;

    (void)state;
    for (uint32_t trial = 0; trial < pairs; trial++) {
        double given[2], mixed[2];
        struct sepx_rng rng;

        sepx_rng_init(&rng, SEED, 5, trial, 0);
        if (trial % 2) {
            draw_chain(&a, 33 + sepx_rng_below(&rng, 30), &rng);
            draw_chain(&b, 33 + sepx_rng_below(&rng, 30), &rng);
        } else {
            draw_network(&a, names, 33 + sepx_rng_below(&rng, 30), &rng);
            draw_network(&b, names, 33 + sepx_rng_below(&rng, 30), &rng);
        }
        shuffle(&x, &a, &rng);
        shuffle(&y, &b, &rng);
        CHECK(same_numbers(&a, &b, &x, &y), "trial %" PRIu32, trial);
        bound(&x, &y, mixed);
        bound(&a, &b, given);
        open += given[0] < given[1];
        CHECK(given[0] == mixed[0] && given[1] <= mixed[1],
              "trial %" PRIu32 ": %g..%g, shuffled %g..%g", trial, given[0],
              given[1], mixed[0], mixed[1]);
        /* the order of a chain is its own: there is nothing to gain by it */
        CHECK(trial % 2 == 0 || given[1] == mixed[1],
              "trial %" PRIu32 ": %g, shuffled %g", trial, given[1], mixed[1]);
    }
    CHECK(4 * open > pairs, "%u of %u are open", open, pairs);
    sepx_graph_release(&a);
    sepx_graph_release(&b);
    sepx_graph_release(&x);
    sepx_graph_release(&y);
    sepx_names_free(names);
}

static void
test_bounds_and_maps_hold(void **state)
{
    struct sepx_names *names = sepx_names_new();
    struct sepx_graph a = {.names = names}, b = {.names = names};

    (void)state;
    for (uint32_t trial = 0; trial < rounds(30); trial++) {
        const struct sepx_ged_limits limits = {.nodes = 20000};
        struct sepx_ged_result result;
        struct sepx_rng rng;
        struct pair pair;
        double price;
        int64_t cost;

        sepx_rng_init(&rng, SEED, 3, trial, 0);
        draw_network(&a, names, 20 + sepx_rng_below(&rng, 12), &rng);
        draw_network(&b, names, 24 + sepx_rng_below(&rng, 8), &rng);
        assert_int_equal(pair_open(&pair, &a, &b), SEPX_OK);
        assert_int_equal(sepx__align_offer(pair.split, ALIGN_ALL), SEPX_OK);
        cost = pair.task.upper / GED_UNIT;
        assert_int_equal(
            sepx_ged_map_cost(pair.ged, &price, pair.a, pair.b, pair.map),
            SEPX_OK);
        CHECK(price == (double)cost, "trial %" PRIu32 ": %g", trial, price);
        assert_int_equal(
            sepx_ged_run(pair.ged, &result, pair.a, pair.b, &limits), SEPX_OK);
        CHECK(result.lower <= (double)cost, "trial %" PRIu32 ": %g above %g",
              trial, result.lower, price);
        pair_close(&pair);
    }
    sepx_graph_release(&a);
    sepx_graph_release(&b);
    sepx_names_free(names);
}

static void
test_cycles_are_left_alone(void **state)
{
    struct sepx_names *names = sepx_names_new();
    struct sepx_graph ring = {.names = names};
    struct pair pair;

    (void)state;
    for (uint32_t i = 0; i < 30; i++)
        assert_int_equal(sepx_graph_add_node(&ring, 0), SEPX_OK);
    for (uint32_t i = 0; i < 30; i++)
        assert_int_equal(sepx_graph_add_edge(&ring, i, (i + 1) % 30, 0),
                         SEPX_OK);
    assert_int_equal(pair_open(&pair, &ring, &ring), SEPX_OK);
    assert_int_equal(sepx__align_offer(pair.split, ALIGN_ALL), SEPX_OK);
    assert_true(pair.task.upper == GED_UNKNOWN && !pair.split->aligned);
    pair_close(&pair);
    sepx_graph_release(&ring);
    sepx_names_free(names);
}

/* The cost of what grows, which must be that of its map. */
static int64_t
grow_cost(const struct sepx_graph *a, const struct sepx_graph *b)
{
    struct pair pair;
    double price;
    int64_t cost;

    assert_int_equal(pair_open(&pair, a, b), SEPX_OK);
    assert_int_equal(sepx__grow_offer(pair.split), SEPX_OK);
    cost = pair.task.upper / GED_UNIT;
    assert_int_equal(
        sepx_ged_map_cost(pair.ged, &price, pair.a, pair.b, pair.map), SEPX_OK);
    CHECK(price == (double)cost, "%g, not %" PRId64, price, cost);
    pair_close(&pair);
    return cost;
}

static void
test_maps_grow_from_nodes_alike(void **state)
{
    struct sepx_names *names = sepx_names_new();
    struct sepx_graph a = {.names = names}, b = {.names = names};
    struct sepx_graph mixed = {.names = names};
    unsigned same = 0, near = 0;

    (void)state;
    for (uint32_t trial = 0; trial < 100; trial++) {
        const struct draw_options draw = {.n_nodes = 60 + trial % 50,
                                          .node_labels = 4,
                                          .edge_labels = trial % 3,
                                          .density = 0.06};
        const struct draw_kind kind = {.undirected = trial % 2, .loops = 0.1};
        struct sepx_rng rng;

        sepx_rng_init(&rng, SEED, 5, trial, 0);
        draw_any_graph(&a, names, &draw, &kind, &rng);
        shuffle(&mixed, &a, &rng);
        same += grow_cost(&a, &mixed) == 0;
        assert_int_equal(sepx_graph_copy(&b, &a), SEPX_OK);
        for (unsigned x = 0; x < 3; x++)
            b.label[sepx_rng_below(&rng, b.n_nodes)] = a.label[x];
        shuffle(&mixed, &b, &rng);
        near += grow_cost(&a, &mixed) <= 3;
        draw_any_graph(&b, names, &draw, &kind, &rng);
        (void)grow_cost(&a, &b);
    }
    CHECK(same >= 98 && near >= 95, "%u same, %u near", same, near);
    sepx_graph_release(&a);
    sepx_graph_release(&b);
    sepx_graph_release(&mixed);
    sepx_names_free(names);
}

static void
test_every_failed_allocation_is_survived(void **state)
{
    struct sepx_names *names = sepx_names_new();
    struct sepx_graph a = {.names = names}, b = {.names = names};
    struct sepx_rng rng;

    (void)state;
    sepx_rng_init(&rng, SEED, 4, 0, 0);
    draw_network(&a, names, 30, &rng);
    draw_network(&b, names, 33, &rng);
    EACH_FAULT (fault) {
        struct pair pair;

        fault.err = pair_open(&pair, &a, &b);
        if (!fault.err)
            fault.err = sepx__align_offer(pair.split, ALIGN_ALL);
        if (!fault.err)
            fault.err = sepx__grow_offer(pair.split);
        pair_close(&pair);
    }
    EACH_FAULT (fault) {
        const struct sepx_ged_limits limits = {.nodes = 20};
        struct sepx_ged_result result;
        struct pair pair;

        fault.err = pair_open(&pair, &a, &b);
        if (!fault.err)
            fault.err =
                sepx_ged_run(pair.ged, &result, pair.a, pair.b, &limits);
        pair_close(&pair);
    }
    sepx_graph_release(&a);
    sepx_graph_release(&b);
    sepx_names_free(names);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alignment_is_the_best_of_all),
        cmocka_unit_test(test_orders_are_topological),
        cmocka_unit_test(test_shuffled_networks_align_as_well),
        cmocka_unit_test(test_numbers_do_not_matter),
        cmocka_unit_test(test_bounds_and_maps_hold),
        cmocka_unit_test(test_cycles_are_left_alone),
        cmocka_unit_test(test_maps_grow_from_nodes_alike),
        cmocka_unit_test(test_every_failed_allocation_is_survived),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
