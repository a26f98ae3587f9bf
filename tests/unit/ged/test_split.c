/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The search by the split bound, on graphs that the public form has or will
 * have: directed and undirected, loops, edge labels, classes, any costs.
 * Judged by the cost of every map, counted from adjacency matrices.
 */
#include "unit/check.h"

#include <inttypes.h>
#include <string.h>
#include <sys/types.h>

#include "ged/split/split.h"
#include "base/json.h"
#include "unit/faults.h"
#include "unit/shared.h"

#define SEED 20261117
#define N_MAX 6
#define LABELS 3

/* ---- small graphs ---- */

struct drawn {
    bool undirected;
    uint32_t n[2], m[2];
    uint16_t label[2][N_MAX];
    struct sepx_edge edge[2][N_MAX * N_MAX];
    unsigned code[2][N_MAX][N_MAX]; /* label + 1 of the edge; 0: none */
    struct sepx_costs costs;
    struct sepx_relabel_cost table[2];
    struct sepx_ged_options options;
    uint16_t pin;
};

static void
draw_side(struct drawn *d, unsigned side, bool loops, struct sepx_rng *rng)
{
    const uint32_t n = sepx_rng_below(rng, N_MAX);
    const double density = 0.2 + 0.15 * sepx_rng_below(rng, 4);

    d->n[side] = n;
    for (uint32_t i = 0; i < n; i++)
        d->label[side][i] = (uint16_t)(1 + sepx_rng_below(rng, LABELS));
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = d->undirected ? i : 0; k < n; k++) {
            uint16_t label = (uint16_t)sepx_rng_below(rng, 2);

            if ((i == k && !loops) || !sepx_rng_chance(rng, density))
                continue;
            d->edge[side][d->m[side]++] =
                (struct sepx_edge){(uint16_t)i, (uint16_t)k, label};
            d->code[side][i][k] = label + 1u;
            if (d->undirected)
                d->code[side][k][i] = label + 1u;
        }
}

static double
draw_cost(struct sepx_rng *rng)
{
    static const double costs[] = {0, 0.5, 1, 1.25, 2, 3.7};

    return costs[sepx_rng_below(rng, sizeof costs / sizeof *costs)];
}

static void
draw(struct drawn *d, uint32_t trial)
{
    struct sepx_rng rng;

    memset(d, 0, sizeof *d);
    sepx_rng_init(&rng, SEED, 1, trial, 0);
    d->undirected = trial % 2;
    draw_side(d, 0, trial % 3 == 0, &rng);
    draw_side(d, 1, trial % 3 == 0, &rng);
    d->costs = (struct sepx_costs){.node_insert = 1,
                                   .node_delete = 1,
                                   .node_relabel = 1,
                                   .edge_insert = 1,
                                   .edge_delete = 1,
                                   .edge_relabel = 1};
    if (trial % 4 > 1) {
        d->costs.node_insert = draw_cost(&rng);
        d->costs.node_delete = draw_cost(&rng);
        d->costs.node_relabel = draw_cost(&rng);
        d->costs.edge_insert = draw_cost(&rng);
        d->costs.edge_delete = draw_cost(&rng);
        d->costs.edge_relabel = draw_cost(&rng);
        d->table[0] = (struct sepx_relabel_cost){1, 2, draw_cost(&rng)};
        d->table[1] = (struct sepx_relabel_cost){1, 0, draw_cost(&rng)};
        d->costs.node_table = &d->table[0];
        d->costs.edge_table = &d->table[1];
        d->costs.n_node_table = d->costs.n_edge_table = trial % 8 > 3;
    }
    d->pin = 3;
    d->options = (struct sepx_ged_options){
        .costs = &d->costs, .pinned = &d->pin, .n_pinned = trial % 5 == 0};
}

/* ---- every map ---- */

struct judge {
    const struct drawn *d;
    int map[N_MAX];
    bool used[N_MAX];
    double best;
    uint64_t maps;
};

static double
table_cost(const struct sepx_relabel_cost *table, size_t count, unsigned from,
           unsigned to, double otherwise)
{
    if (from == to)
        return 0;
    return count && table->from == from && table->to == to ? table->cost
                                                           : otherwise;
}

static double
node_cost(const struct drawn *d, unsigned i, unsigned k)
{
    const uint16_t x = d->label[0][i], y = d->label[1][k];

    if (x != y && d->options.n_pinned && (x == d->pin || y == d->pin))
        return INFINITY;
    return table_cost(d->costs.node_table, d->costs.n_node_table, x, y,
                      d->costs.node_relabel);
}

static double
edge_cost(const struct drawn *d, unsigned x, unsigned y)
{
    const double anew = d->costs.edge_delete + d->costs.edge_insert;

    if (!x)
        return y ? d->costs.edge_insert : 0;
    if (!y)
        return d->costs.edge_delete;
    return fmin(anew, table_cost(d->costs.edge_table, d->costs.n_edge_table,
                                 x - 1, y - 1, d->costs.edge_relabel));
}

static double
map_cost(const struct judge *j)
{
    const struct drawn *d = j->d;
    double sum = 0;

    for (unsigned i = 0; i < d->n[0]; i++) {
        sum += j->map[i] < 0 ? d->costs.node_delete
                             : node_cost(d, i, (unsigned)j->map[i]);
        for (unsigned k = d->undirected ? i : 0; k < d->n[0]; k++)
            sum += edge_cost(d, d->code[0][i][k],
                             j->map[i] < 0 || j->map[k] < 0
                                 ? 0
                                 : d->code[1][j->map[i]][j->map[k]]);
    }
    for (unsigned i = 0; i < d->n[1]; i++) {
        sum += j->used[i] ? 0 : d->costs.node_insert;
        for (unsigned k = d->undirected ? i : 0; k < d->n[1]; k++)
            if (!j->used[i] || !j->used[k])
                sum += edge_cost(d, 0, d->code[1][i][k]);
    }
    return sum;
}

static void
try_all(struct judge *j, unsigned i)
{
    if (i >= N_MAX || i == j->d->n[0]) {
        double cost = map_cost(j);

        if (fabs(cost - j->best) < 1e-9) {
            j->maps++;
        } else if (cost < j->best) {
            j->best = cost;
            j->maps = 1;
        }
        return;
    }
    j->map[i] = -1;
    try_all(j, i + 1);
    for (unsigned k = 0; k < j->d->n[1]; k++) {
        if (j->used[k])
            continue;
        j->map[i] = (int)k;
        j->used[k] = true;
        try_all(j, i + 1);
        j->used[k] = false;
    }
}

/* ---- the search ---- */

static SEPX_CHECKED enum sepx_err
prepare(struct sepx_ged *ged, struct sepx_ged_graph **ready,
        const struct drawn *d, unsigned side)
{
    static const uint16_t codes[] = {0, 1};

    return sepx__ged_prepare(ged, ready, d->n[side], d->label[side], d->m[side],
                             d->edge[side], codes, 2, d->undirected);
}

static bool
count_map(void *context, const int16_t *map)
{
    (void)map;
    ++*(uint64_t *)context;
    return true;
}

/* By the split bound alone: the distance, then the number of its maps. */
static SEPX_CHECKED enum sepx_err
split_alone(struct sepx_ged *ged, const struct sepx_ged_graph *a,
            const struct sepx_ged_graph *b, double *distance, uint64_t *maps)
{
    int16_t map[N_MAX + 1];
    struct ged_watch watch;
    struct ged_task task = {.a = a,
                            .costs = &ged->costs,
                            .b = b,
                            .watch = &watch,
                            .step = ged->costs.num / ged->costs.den,
                            .cap = GED_UNKNOWN - 1,
                            .upper = GED_UNKNOWN,
                            .map = map};
    struct ged_split *split = NULL;
    enum sepx_err err = SEPX_OK;

    sepx__ged_watch_init(&watch, NULL);
    for (unsigned pass = 0; pass < 2 && !err; pass++) {
        err = sepx__split_new(&split, ged, &task);
        if (!err && a->m % 2)
            split->sifted = 0; /* as in large graphs */
        if (!err)
            err = sepx__split_run(split, UINT64_MAX / 2);
        sepx__split_free(split);
        split = NULL;
        *distance = (double)task.upper * ged->costs.num / ged->costs.den;
        task.cap = task.upper;
        task.visit = count_map;
        task.context = maps;
    }
    return err;
}

static SEPX_CHECKED enum sepx_err
run_all(const struct drawn *d, double *distance, uint64_t *maps,
        struct sepx_ged_result *result, double *map_price)
{
    struct sepx_ged_graph *a = NULL, *b = NULL;
    struct sepx_ged *ged = NULL;
    enum sepx_err err = sepx_ged_new(&ged, &d->options);

    *maps = 0;
    if (!err)
        err = prepare(ged, &a, d, 0);
    if (!err)
        err = prepare(ged, &b, d, 1);
    if (!err)
        err = split_alone(ged, a, b, distance, maps);
    if (!err)
        err = sepx_ged_run(ged, result, a, b, NULL);
    if (!err)
        err = sepx_ged_map_cost(ged, map_price, a, b, result->map);
    sepx_ged_graph_free(a);
    sepx_ged_graph_free(b);
    sepx_ged_free(ged);
    return err;
}

static void
test_distance_and_maps_are_those_of_all_maps(void **state)
{
    (void)state;
    for (uint32_t trial = 0; trial < 4000; trial++) {
        struct sepx_ged_result result;
        struct drawn d;
        struct judge judge = {.d = &d, .best = INFINITY};
        double distance, price;
        uint64_t maps;

        draw(&d, trial);
        d.options.plain = trial % 7 == 0;
        try_all(&judge, 0);
        assert_int_equal(run_all(&d, &distance, &maps, &result, &price),
                         SEPX_OK);
        CHECK(fabs(distance - judge.best) < 1e-9, "trial %" PRIu32 ": %g, %g",
              trial, distance, judge.best);
        CHECK(result.exact && fabs(result.upper - judge.best) < 1e-9 &&
                  fabs(price - judge.best) < 1e-9,
              "trial %" PRIu32 ": %g, map %g, not %g", trial, result.upper,
              price, judge.best);
        CHECK(maps == judge.maps, "trial %" PRIu32 ": %" PRIu64 " %" PRIu64,
              trial, maps, judge.maps);
    }
}

static void
test_every_failed_allocation_is_survived(void **state)
{
    (void)state;
    for (uint32_t trial = 0; trial < 12; trial++) {
        struct sepx_ged_result result;
        struct drawn d;
        double distance, price;
        uint64_t maps;

        draw(&d, trial);
        EACH_FAULT (fault) {
            fault.err = run_all(&d, &distance, &maps, &result, &price);
        }
    }
}

/* ---- graphs that others made ---- */

static void
read_graph(struct sepx_graph *graph, struct sepx_names *names,
           const struct sepx_json *json)
{
    const struct sepx_json *nodes = sepx_json_get(json, "nodes");
    const struct sepx_json *edges = sepx_json_get(json, "edges");

    *graph = (struct sepx_graph){.names = names};
    for (size_t i = 0; i < sepx_json_size(nodes); i++) {
        uint16_t id;

        assert_int_equal(
            sepx_names_add(names, &id,
                           sepx_json_string(sepx_json_at(nodes, i))),
            SEPX_OK);
        assert_int_equal(sepx_graph_add_node(graph, id), SEPX_OK);
    }
    for (size_t e = 0; e < sepx_json_size(edges); e++) {
        const struct sepx_json *edge = sepx_json_at(edges, e);
        uint16_t id = 0;

        if (sepx_json_size(edge) > 2)
            assert_int_equal(
                sepx_names_add(names, &id,
                               sepx_json_string(sepx_json_at(edge, 2))),
                SEPX_OK);
        assert_int_equal(
            sepx_graph_add_edge(
                graph, (uint32_t)sepx_json_integer(sepx_json_at(edge, 0), 0),
                (uint32_t)sepx_json_integer(sepx_json_at(edge, 1), 0), id),
            SEPX_OK);
    }
}

static void
check_line(const char *name, const char *text, size_t len, unsigned line)
{
    const struct sepx_costs chem = {.node_insert = 2.75,
                                    .node_delete = 2.75,
                                    .node_relabel = 5.5,
                                    .edge_insert = 0.825,
                                    .edge_delete = 0.825,
                                    .edge_relabel = 0.825};
    const struct sepx_ged_options options = {
        .costs = strstr(name, "fori") ? &chem : NULL};
    const struct sepx_ged_limits limits = {.nodes = 20000};
    struct sepx_names *names = sepx_names_new();
    struct sepx_ged_graph *a = NULL, *b = NULL;
    struct sepx_ged_result result;
    struct sepx_json *json;
    struct sepx_graph x, y;
    struct sepx_ged *ged;
    double known, price;

    assert_non_null(names);
    assert_int_equal(sepx_json_parse(&json, text, len, NULL), SEPX_OK);
    read_graph(&x, names, sepx_json_get(json, "a"));
    read_graph(&y, names, sepx_json_get(json, "b"));
    assert_int_equal(sepx_ged_new(&ged, &options), SEPX_OK);
    x.undirected = y.undirected = true;
    assert_int_equal(sepx_ged_prepare(ged, &a, &x), SEPX_OK);
    assert_int_equal(sepx_ged_prepare(ged, &b, &y), SEPX_OK);
    assert_int_equal(sepx_ged_run(ged, &result, a, b, &limits), SEPX_OK);
    assert_int_equal(sepx_ged_map_cost(ged, &price, a, b, result.map), SEPX_OK);
    CHECK(fabs(price - result.upper) < 1e-6, "%s %u: map %g, told %g", name,
          line, price, result.upper);
    known = sepx_json_number(sepx_json_get(json, "ged"), -1);
    CHECK(known < 0 ||
              (result.lower <= known + 1e-6 && result.upper >= known - 1e-6),
          "%s %u: %g..%g, not %g", name, line, result.lower, result.upper,
          known);
    sepx_ged_graph_free(a);
    sepx_ged_graph_free(b);
    sepx_ged_free(ged);
    sepx_graph_release(&x);
    sepx_graph_release(&y);
    sepx_json_free(json);
    sepx_names_free(names);
}

static void
test_published_distances_are_met(void **state)
{
    static const char *const sets[] = {
        "aids700",    "aids_11_15",    "aids_16_20",      "aids_21_25",
        "aids_26_30", "pubchem_26_30", "fori_aids_21_30", "fori_muta_21_30",
        "imdb",       "linux",         "pubchem_31_40"};

    (void)state;
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        char name[64];
        char *text = NULL;
        size_t room = 0;
        unsigned line = 0;
        FILE *file;

        (void)snprintf(name, sizeof name, "data/ged/real/%s.jsonl", sets[k]);
        file = shared_open(name);
        if (!file)
            continue;
        for (ssize_t len; line < 12 && (len = getline(&text, &room, file)) > 0;)
            check_line(sets[k], text, (size_t)len, line++);
        free(text);
        fclose(file);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distance_and_maps_are_those_of_all_maps),
        cmocka_unit_test(test_every_failed_allocation_is_survived),
        cmocka_unit_test(test_published_distances_are_met),
    };

    print_message("seed %d\n", SEED);
    return cmocka_run_group_tests_name("split", tests, NULL, NULL);
}
