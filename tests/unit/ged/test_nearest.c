/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Searches of an index, judged by all distances; and indexes that are not
 * what they should be.
 */
#include "unit/check.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "ged/index.h"
#include "oracle/oracle_draw.h"
#include "unit/faults.h"

#define SEED 20261120
#define GRAPHS 40
#define HEAD 40
#define CRC_AT 24

/* Graphs, a query and the index of the graphs. */
struct base {
    struct sepx_names *names;
    struct sepx_graph graph[GRAPHS];
    struct sepx_graph query;
    struct sepx_text bytes;
    struct sepx_ged_index *index;
};

static void
draw(struct base *b, uint32_t trial)
{
    const struct draw_kind kind = {.undirected = trial % 2,
                                   .loops = trial % 3 ? 0 : 0.2,
                                   .parallel = trial % 5 ? 0 : 0.2};
    struct sepx_rng rng;
    struct sepx_msg msg;

    *b = (struct base){.names = sepx_names_new()};
    sepx_rng_init(&rng, SEED, 0, trial, 0);
    for (unsigned i = 0; i <= GRAPHS; i++) {
        struct sepx_graph *graph = i < GRAPHS ? &b->graph[i] : &b->query;
        const struct draw_options options = {.n_nodes = sepx_rng_below(&rng, 7),
                                             .node_labels = i < GRAPHS ? 3 : 4,
                                             .edge_labels = trial % 4,
                                             .density = 0.3};

        graph->names = b->names;
        draw_any_graph(graph, b->names, &options, &kind, &rng);
    }
    assert_int_equal(sepx_ged_index_write(&b->bytes, b->graph, GRAPHS),
                     SEPX_OK);
    assert_int_equal(sepx_ged_index_open_bytes(&b->index, b->names, b->bytes.at,
                                               b->bytes.len, &msg),
                     SEPX_OK);
}

static void
end(struct base *b)
{
    for (unsigned i = 0; i < GRAPHS; i++)
        sepx_graph_release(&b->graph[i]);
    sepx_graph_release(&b->query);
    sepx_ged_index_close(b->index);
    sepx_text_release(&b->bytes);
    sepx_names_free(b->names);
}

static void
test_an_index_has_the_graphs(void **state)
{
    (void)state;
    for (uint32_t trial = 0; trial < 20; trial++) {
        struct sepx_graph graph = {0};
        struct base b;

        draw(&b, trial);
        assert_int_equal(sepx_ged_index_count(b.index), GRAPHS);
        for (size_t i = 0; i < GRAPHS; i++) {
            assert_int_equal(sepx_ged_index_graph(b.index, &graph, i), SEPX_OK);
            CHECK(sepx_graph_equal(&graph, &b.graph[i]),
                  "trial %" PRIu32 " graph %zu", trial, i);
        }
        sepx_graph_release(&graph);
        end(&b);
    }
}

/* Graphs by number, the nearest first: all are solved. */
static void
sort_all(const struct base *b, const struct sepx_ged_options *options,
         double *distance, size_t *order)
{
    struct sepx_ged_bounds out[GRAPHS];

    assert_int_equal(sepx_ged_one_to_many(options, out, &b->query, b->graph,
                                          GRAPHS, NULL, 1),
                     SEPX_OK);
    for (size_t i = 0; i < GRAPHS; i++) {
        size_t at = i;

        distance[i] = out[i].upper;
        for (; at && distance[order[at - 1]] > distance[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

static void
check_hits(const struct sepx_ged_hits *hits, const double *distance,
           const size_t *order, size_t count, uint32_t trial)
{
    CHECK(hits->exact && hits->count == count,
          "seed %d trial %" PRIu32 ": %zu hits, not %zu", SEED, trial,
          hits->count, count);
    for (size_t i = 0; i < count; i++)
        CHECK(hits->at[i].number == order[i] &&
                  fabs(hits->at[i].upper - distance[order[i]]) < 1e-9,
              "trial %" PRIu32 ": hit %zu is %zu at %g, not %zu at %g", trial,
              i, hits->at[i].number, hits->at[i].upper, order[i],
              distance[order[i]]);
}

static void
test_hits_are_those_of_all_distances(void **state)
{
    const struct sepx_costs costs = {.node_insert = 2,
                                     .node_delete = 1,
                                     .node_relabel = 0.5,
                                     .edge_insert = 1,
                                     .edge_delete = 1,
                                     .edge_relabel = 0.25};
    const struct sepx_costs equal = {.node_insert = 0.25,
                                     .node_delete = 0.25,
                                     .node_relabel = 0.25,
                                     .edge_insert = 0.25,
                                     .edge_delete = 0.25,
                                     .edge_relabel = 0.25};
    struct sepx_ged_hits hits = {0};
    size_t solved = 0;

    (void)state;
    for (uint32_t trial = 0; trial < 120; trial++) {
        struct sepx_ged_options options = {.ignore_labels = trial % 7 == 0};
        struct sepx_ged_limits limits = {.threshold = true};
        double distance[GRAPHS];
        size_t order[GRAPHS], count = 0;
        struct base b;

        draw(&b, trial);
        if (trial % 4 > 1)
            options.costs = trial % 4 == 2 ? &costs : &equal;
        sort_all(&b, &options, distance, order);
        for (size_t most = 0; most <= GRAPHS; most = most * 3 + 1) {
            assert_int_equal(sepx_ged_nearest(b.index, &hits, most, &b.query,
                                              &options, NULL, 1 + trial % 3),
                             SEPX_OK);
            check_hits(&hits, distance, order, most, trial);
            solved += most == 4 ? hits.solved : 0;
        }
        limits.at_most = distance[order[GRAPHS / 4]];
        while (count < GRAPHS && distance[order[count]] <= limits.at_most)
            count++;
        assert_int_equal(sepx_ged_nearest(b.index, &hits, SIZE_MAX, &b.query,
                                          &options, &limits, 1),
                         SEPX_OK);
        check_hits(&hits, distance, order, count, trial);
        end(&b);
    }
    assert_true(solved < 120 * GRAPHS);
    sepx_ged_hits_release(&hits);
}

static bool
stop(void *context, double lower, double upper)
{
    (void)context;
    (void)lower;
    (void)upper;
    return false;
}

static void
test_kinds_do_not_mix_and_a_watcher_stops(void **state)
{
    const struct draw_options options = {
        .n_nodes = 14, .node_labels = 1, .density = 0.5};
    const struct sepx_ged_limits limits = {.watch = stop};
    struct sepx_ged_hits hits = {0};
    struct sepx_text bytes = {0};
    struct sepx_graph large = {0};
    struct sepx_ged_index *index;
    struct sepx_rng rng;
    struct base b;

    (void)state;
    draw(&b, 1);
    sepx_rng_init(&rng, SEED, 1, 0, 0);
    large.names = b.names;
    draw_graph(&large, b.names, &options, &rng);
    assert_int_equal(sepx_ged_nearest(b.index, &hits, 3, &large, NULL, NULL, 1),
                     SEPX_EINVAL);
    b.graph[0].undirected = false;
    assert_int_equal(sepx_ged_index_write(&bytes, b.graph, GRAPHS),
                     SEPX_EINVAL);
    b.graph[0].undirected = true;
    assert_int_equal(sepx_ged_index_write(&bytes, &large, 1), SEPX_OK);
    assert_int_equal(
        sepx_ged_index_open_bytes(&index, b.names, bytes.at, bytes.len, NULL),
        SEPX_OK);
    draw_graph(&b.query, b.names, &options, &rng);
    assert_int_equal(
        sepx_ged_nearest(index, &hits, 3, &b.query, NULL, &limits, 1),
        SEPX_ESTOPPED);
    sepx_ged_index_close(index);
    sepx_ged_hits_release(&hits);
    sepx_text_release(&bytes);
    sepx_graph_release(&large);
    end(&b);
}

/* Every byte wrong once, with the checksum as it was and made right. */
static void
test_damaged_indexes_are_refused_or_stay_inside(void **state)
{
    struct sepx__crc32c crc;
    unsigned accepted = 0;
    struct base b;

    (void)state;
    draw(&b, 6);
    sepx__crc32c_init(&crc);
    for (size_t at = 0; at < b.bytes.len; at++) {
        unsigned char *bytes = (unsigned char *)b.bytes.at;
        unsigned char sum[4];
        struct sepx_ged_index *index;
        struct sepx_msg msg = {0};
        struct sepx_graph graph = {0};

        bytes[at] ^= 0x55;
        assert_int_equal(sepx_ged_index_open_bytes(&index, b.names, bytes,
                                                   b.bytes.len, &msg),
                         SEPX_EDATA);
        assert_true(strlen(msg.text) > 10);
        memcpy(sum, bytes + CRC_AT, 4);
        sepx__put_bytes(
            bytes + CRC_AT,
            sepx__crc32c_add(&crc, 0, bytes + HEAD, b.bytes.len - HEAD), 4);
        if (!sepx_ged_index_open_bytes(&index, b.names, bytes, b.bytes.len,
                                       &msg)) {
            accepted++;
            for (size_t i = 0; i < sepx_ged_index_count(index); i++)
                assert_int_equal(sepx_ged_index_graph(index, &graph, i),
                                 SEPX_OK);
            sepx_graph_release(&graph);
            sepx_ged_index_close(index);
        }
        memcpy(bytes + CRC_AT, sum, 4);
        bytes[at] ^= 0x55;
    }
    assert_true(accepted > 0);
    for (size_t len = 0; len < b.bytes.len; len += 1 + len / 9) {
        struct sepx_ged_index *index;

        assert_int_equal(
            sepx_ged_index_open_bytes(&index, b.names, b.bytes.at, len, NULL),
            SEPX_EDATA);
    }
    end(&b);
}

static void
test_every_failed_allocation_is_survived(void **state)
{
    struct base b;

    (void)state;
    draw(&b, 3);
    for (long n = 0;; n++) {
        struct sepx_ged_hits hits = {0};
        struct sepx_text bytes = {0};
        struct sepx_ged_index *index = NULL;
        enum sepx_err err;

        fault_after(n);
        err = sepx_ged_index_write(&bytes, b.graph, 5);
        if (!err)
            err = sepx_ged_index_open_bytes(&index, b.names, bytes.at,
                                            bytes.len, NULL);
        if (!err)
            err = sepx_ged_nearest(index, &hits, 2, &b.query, NULL, NULL, 1);
        sepx_ged_index_close(index);
        sepx_ged_hits_release(&hits);
        sepx_text_release(&bytes);
        CHECK(fault_live() == 0, "allocation %ld", n);
        if (!fault_hit()) {
            assert_int_equal(err, SEPX_OK);
            break;
        }
        assert_int_equal(err, SEPX_ENOMEM);
    }
    fault_stop();
    end(&b);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_index_has_the_graphs),
        cmocka_unit_test(test_hits_are_those_of_all_distances),
        cmocka_unit_test(test_kinds_do_not_mix_and_a_watcher_stops),
        cmocka_unit_test(test_damaged_indexes_are_refused_or_stay_inside),
        cmocka_unit_test(test_every_failed_allocation_is_survived),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
