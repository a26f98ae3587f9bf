/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two small graphs from the bytes; what must hold of their distance: it is
 * symmetric, its map has its cost, its path replays to the other graph, it is
 * 0 for isomorphic graphs alone, and every way to it agrees.
 */
#include "fuzz.h"

#include <string.h>

enum { NODES_MAX = 7, LABELS = 4 };

struct bytes {
    const uint8_t *at;
    size_t left;
};

static unsigned
take(struct bytes *bytes)
{
    if (!bytes->left)
        return 0;
    bytes->left--;
    return *bytes->at++;
}

enum { UNDIRECTED = 1, MULTI = 2 };

/*
 * Two bits for each ordered pair of nodes: no edge, or one of 3 labels. MULTI
 * has self-loops, and the third label is two edges.
 */
static void
draw(struct sepx_graph *graph, struct sepx_names *names, struct bytes *bytes,
     const uint16_t *label, unsigned kind)
{
    unsigned n = take(bytes) % (NODES_MAX + 1), bits = 0, left = 0;

    graph->names = names;
    graph->undirected = kind & UNDIRECTED;
    for (unsigned i = 0; i < n; i++)
        REQUIRE(!sepx_graph_add_node(graph, label[take(bytes) % LABELS]));
    for (unsigned i = 0; i < n * n; i++) {
        if (!left) {
            bits = take(bytes);
            left = 4;
        }
        if (bits % 4 && (i / n != i % n || kind & MULTI) &&
            (i / n <= i % n || !graph->undirected))
            REQUIRE(!sepx_graph_add_parallel(
                graph, i / n, i % n, bits % 4 == 1 ? 0 : label[bits % 4]));
        if (bits % 4 == 3 && kind & MULTI)
            REQUIRE(!sepx_graph_add_parallel(graph, i / n, i % n, 0));
        bits /= 4;
        left--;
    }
}

static double
distance(const struct sepx_graph *a, const struct sepx_graph *b,
         const struct sepx_ged_options *options, int16_t *map)
{
    struct sepx_ged_graph *ready_a = NULL, *ready_b = NULL;
    struct sepx_ged_result result;
    struct sepx_ged_bounds bounds;
    struct sepx_ged *ged = NULL;
    double cost = -1;

    REQUIRE(!sepx_ged_new(&ged, options));
    REQUIRE(!sepx_ged_prepare(ged, &ready_a, a));
    REQUIRE(!sepx_ged_prepare(ged, &ready_b, b));
    REQUIRE(!sepx_ged_run(ged, &result, ready_a, ready_b, NULL));
    REQUIRE(result.exact && result.lower == result.upper);
    memcpy(map, result.map, a->n_nodes * sizeof *map);
    REQUIRE(!sepx_ged_map_cost(ged, &cost, ready_a, ready_b, map));
    REQUIRE(cost == result.upper);
    REQUIRE(!sepx_ged_batch(
        ged, &bounds, (const struct sepx_ged_graph *const *)&ready_a,
        (const struct sepx_ged_graph *const *)&ready_b, 1, NULL));
    REQUIRE(bounds.lower == cost && bounds.upper == cost);
    sepx_ged_graph_free(ready_a);
    sepx_ged_graph_free(ready_b);
    sepx_ged_free(ged);
    return cost;
}

static void
require_replay(const struct sepx_graph *a, const struct sepx_graph *b,
               const int16_t *map, double edits)
{
    struct sepx_graph child = {.names = a->names};
    struct sepx_path path = {0};
    size_t dropped = 1;
    bool same = false;

    REQUIRE(!sepx_path_from_map(&path, a, b, map, false));
    REQUIRE((double)path.len == edits);
    REQUIRE(!sepx_path_apply(&path, &child, a, NULL, &dropped, NULL));
    REQUIRE(!dropped);
    REQUIRE(!sepx_graph_isomorphic(&child, b, &same, NULL) && same);
    sepx_path_release(&path);
    sepx_graph_release(&child);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const text[LABELS] = {"p", "q", "r", "s"};
    struct bytes bytes = {data, size};
    struct sepx_names *names = sepx_names_new();
    struct sepx_graph a = {0}, b = {0};
    struct sepx_ged_options options = {0};
    unsigned first = take(&bytes), kind = first / 64;
    uint16_t label[LABELS];
    int16_t map[NODES_MAX + 1], back[NODES_MAX + 1];
    bool same = false;
    double d;

    REQUIRE(names);
    for (int i = 0; i < LABELS; i++)
        REQUIRE(!sepx_names_add(names, &label[i], text[i]));
    options.pinned = label;
    options.n_pinned = first % 64 % 3;
    draw(&a, names, &bytes, label, kind);
    draw(&b, names, &bytes, label, kind);

    d = distance(&a, &b, &options, map);
    require_replay(&a, &b, map, d);
    REQUIRE(distance(&b, &a, &options, back) == d);
    require_replay(&b, &a, back, d);
    REQUIRE(!sepx_graph_isomorphic(&a, &b, &same, NULL));
    REQUIRE(same == (d == 0));
    options.plain = true;
    REQUIRE(distance(&a, &b, &options, map) == d);
    options.ignore_labels = true;
    REQUIRE(distance(&a, &b, &options, map) <= d);

    sepx_graph_release(&a);
    sepx_graph_release(&b);
    sepx_names_free(names);
    return 0;
}
