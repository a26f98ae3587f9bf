/* SPDX-License-Identifier: Apache-2.0 */
/* Spaces of whole networks: labels with fields, strides, shapes, paths. */
#include "unit/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "library.h"
#include "unit/custom_files.h"
#include "unit/rounds.h"

#define NETWORK(rest) \
    SPACE_HEAD "\"nodes\": {" SPACE_ENDS ", \"conv\": {\"in\": 1, " \
               "\"fields\": {\"k\": [1, 3], \"s\": [null, 2], \"c\": [8, " \
               "16]}}, \"add\": {\"in\": 2}, \"cat\": {\"in\": 2, \"shape\": " \
               "\"concat\"}, \"gap\": {\"in\": 1, \"shape\": \"flat\"}, " \
               "\"mul\": {\"in\": 2}, \"one\": {\"in\": 0}}, " rest \
               ", \"start\": [{\"nodes\": [\"i\", \"conv k=3 s=2 c=8\", " \
               "\"gap\", \"o\"], \"edges\": [[0, 1], [1, 2], [2, 3]]}]}"
#define FITTING \
    NETWORK("\"shapes\": {\"total_stride\": [2, 4]}, \"connected\": " \
            "\"to_output\", \"required_edges\": [[\"gap\", \"o\"]]")
#define START "{\"nodes\": [\"i\", "

struct verdict {
    const char *graph, *why; /* NULL: valid */
};

/* clang-format off */
static const struct verdict verdicts[] = {
    {START "\"conv k=3 s=2 c=8\", \"gap\", \"o\"], "
           "\"edges\": [[0, 1], [1, 2], [2, 3]]}", NULL},
    /* A shortcut that halves as its block does. */
    {START "\"conv k=3 s=2 c=8\", \"conv k=1 s=2 c=8\", \"add\", \"gap\", "
           "\"o\"], \"edges\": [[0, 1], [0, 2], [1, 3], [2, 3], [3, 4], "
           "[4, 5]]}", NULL},
    {START "\"conv k=3 s=2 c=8\", \"conv k=1 c=8\", \"add\", \"gap\", "
           "\"o\"], \"edges\": [[0, 1], [0, 2], [1, 3], [2, 3], [3, 4], "
           "[4, 5]]}",
     "node 3 ('add'): its inputs have strides 2 and 1, which do not fit"},
    {START "\"conv k=3 s=2 c=8\", \"conv k=1 s=2 c=16\", \"add\", \"gap\", "
           "\"o\"], \"edges\": [[0, 1], [0, 2], [1, 3], [2, 3], [3, 4], "
           "[4, 5]]}",
     "node 3 ('add'): its inputs have 8 and 16 channels, which do not fit"},
    /* Channels of a concatenation add up: 8 + 8 and 16. */
    {START "\"conv k=3 s=2 c=8\", \"cat\", \"conv k=1 c=8\", \"conv k=3 "
           "c=16\", \"add\", \"gap\", \"o\"], \"edges\": [[0, 1], [1, 2], "
           "[1, 3], [3, 2], [2, 5], [1, 4], [4, 5], [5, 6], [6, 7]]}", NULL},
    /* What is flat fits every stride: squeeze and excite. */
    {START "\"conv k=3 s=2 c=8\", \"gap\", \"conv k=1 c=8\", \"mul\", "
           "\"o\"], \"edges\": [[0, 1], [1, 2], [2, 3], [3, 4], [1, 4], "
           "[4, 5], [2, 5]]}", NULL},
    {START "\"conv k=3 c=8\", \"gap\", \"o\"], "
           "\"edges\": [[0, 1], [1, 2], [2, 3]]}",
     "the total stride to node 3 ('o') is 1; at least 2"},
    {START "\"conv k=3 s=2 c=8\", \"gap\", \"gap\", \"o\"], "
           "\"edges\": [[0, 1], [1, 2], [0, 3], [2, 4], [3, 4]]}",
     "paths to node 4 ('o') have total strides from 1 to 2; at least 2"},
    {START "\"gap\", \"conv k=3 s=2 c=8\", \"o\"], "
           "\"edges\": [[0, 1], [1, 2], [2, 3]]}",
     "node 1 ('gap') has no edge to a node 'o'"},
    /* A constant begins a path, and a leaf that leads nowhere is none. */
    {START "\"conv k=3 s=2 c=8\", \"one\", \"add\", \"o\"], "
           "\"edges\": [[0, 1], [1, 3], [2, 3], [3, 4]]}", NULL},
    {START "\"conv k=3 s=2 c=8\", \"one\", \"o\"], "
           "\"edges\": [[0, 1], [1, 3]]}",
     "node 2 ('one') is on no path to an output"},
};

static const struct verdict refused[] = {
    {NETWORK("\"shapes\": {\"totl\": 1}"),
     "f.json:1: shapes.totl: unknown key 'totl' (valid: check, stride, "
     "channels, total_stride)"},
    {NETWORK("\"shapes\": {}, \"acyclic\": false"),
     "f.json:1: shapes: needs graphs without cycles"},
    {NETWORK("\"shapes\": {\"channels\": \"c d\"}"),
     "f.json:1: shapes.channels: is \"c d\", a string; write the name of a "
     "field"},
    {NETWORK("\"required_edges\": [[\"gap\", \"out\"]]"),
     "f.json:1: required_edges[0]: unknown label 'out'"},
    {NETWORK("\"required_edges\": []"),
     "f.json:1: required_edges: write an array of 1 to 32 pairs"},
    {NETWORK("\"shapes\": {\"stride\": \"z\"}"),
     "f.json:1: shapes.stride: no label has the field 'z'; change it"},
    {NETWORK("\"required_edges\": [[\"o\", \"conv\"]]"),
     "f.json:1: required_edges[0]: no node 'o' can have an edge to one 'conv'"},
    {NETWORK("\"required_edges\": [[\"gap\", \"o\"], [\"add\", \"i\"]]"),
     "f.json:1: required_edges[1]: no node 'add' can have an edge to one 'i'"},
    {NETWORK("\"required_edges\": [[\"conv\", \"conv\"]]"),
     "f.json:1: required_edges[0]: the last node 'conv' has no edge to "
     "another 'conv' where there are no cycles; remove it"},
    {NETWORK("\"relabel\": {\"k\": 1, \"z\": 1}"),
     "f.json:1: relabel.z: no label has the field 'z'; remove it"},
    {NETWORK("\"limits\": {\"nodes\": [3, 65]}, \"acyclic\": false"),
     "f.json:1: limits.nodes: allows 65 nodes, and graphs of more than 64 have "
     "no cycles; lower it or write \"acyclic\": true"},
    {SPACE_HEAD "\"nodes\": {" SPACE_ENDS ", \"a\": {}}, \"limits\": "
                "{\"nodes\": [100, 200]}, \"start\": []}",
     "f.json:1: limits.nodes: graphs have 100 nodes or more, and random ones "
     "64 at most; give \"start\" graphs"},
    {NETWORK("\"relabel\": {\"k\": 0}"),
     "f.json:1: relabel.k: is 0, an integer; write a weight above 0"},
    {NETWORK("\"relabel\": 1"),
     "f.json:1: relabel: is 1, an integer; write \"fields\", or the weights"},
    {SPACE_HEAD "\"nodes\": {" SPACE_ENDS ", \"a s=x\": {}}, \"shapes\": {}}",
     "f.json:1: nodes: label 'a s=x': 's=x' is no number"},
    {SPACE_HEAD "\"nodes\": {" SPACE_ENDS ", \"a\": {\"fields\": {\"k\": "
                "[]}}}}",
     "f.json:1: nodes.a.fields.k: is [], an array; write at least one value"},
    {SPACE_HEAD "\"nodes\": {" SPACE_ENDS ", \"a\": {\"fields\": {\"k\": "
                "[1, 1]}}}}",
     "f.json:1: nodes.a: makes the label 'a k=1' again; remove one"},
};
/* clang-format on */

static struct sepx_space *
open_space(const char *text)
{
    struct sepx_space *space;
    struct sepx_msg msg = {0};

    CHECK(!sepx_space_open_text(&space, text, strlen(text), "f.json", &msg),
          "%s", msg.text);
    return space;
}

static void
networks_are_valid_or_a_reason_is_given(void **state)
{
    struct sepx_space *space = open_space(FITTING);

    (void)state;
    for (size_t i = 0; i < sizeof(verdicts) / sizeof(*verdicts); i++) {
        struct sepx_graph graph = {.names = sepx_space_names(space)};
        struct sepx_msg msg = {0};
        const char *text = verdicts[i].graph, *why = verdicts[i].why;
        bool valid;

        assert_int_equal(sepx_graph_read(&graph, graph.names, text,
                                         strlen(text), SEPX_FORMAT_JSON, &msg),
                         SEPX_OK);
        assert_int_equal(sepx_space_check(space, &valid, &graph, &msg),
                         SEPX_OK);
        CHECK(valid == !why, "%s: %s", text, msg.text);
        CHECK(!why || !strcmp(msg.text, why), "%s, not %s", msg.text, why);
        sepx_graph_release(&graph);
    }
    sepx_space_close(space);
}

static void
bad_keys_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
        const char *text = refused[i].graph, *want = refused[i].why;
        struct sepx_space *space;
        struct sepx_msg msg = {0};

        assert_int_equal(
            sepx_space_open_text(&space, text, strlen(text), "f.json", &msg),
            SEPX_EDATA);
        CHECK(!strncmp(msg.text, want, strlen(want)), "got %s", msg.text);
    }
}

/* "relabel": "fields": the share of words, k, s and c that differ. */
static void
relabelling_costs_a_share(void **state)
{
    struct sepx_space *space =
        open_space(NETWORK("\"relabel\": \"fields\", \"shapes\": {}"));
    static const char *const ends[] = {"conv k=3 s=2 c=8", "conv k=1 s=2 c=16"};
    struct sepx_graph graph[2] = {{0}};
    struct sepx_rules rules;
    struct sepx_cross *cross;
    struct sepx_explain explain = {0};
    struct sepx_graph child = {0};
    struct sepx_rng rng;

    (void)state;
    for (int i = 0; i < 2; i++) {
        uint16_t label =
            (uint16_t)sepx_names_find(sepx_space_names(space), ends[i]);
        uint16_t in = (uint16_t)sepx_names_find(sepx_space_names(space), "i");
        uint16_t out = (uint16_t)sepx_names_find(sepx_space_names(space), "o");

        graph[i].names = sepx_space_names(space);
        assert_int_equal(sepx_graph_add_node(&graph[i], in), SEPX_OK);
        assert_int_equal(sepx_graph_add_node(&graph[i], label), SEPX_OK);
        assert_int_equal(sepx_graph_add_node(&graph[i], out), SEPX_OK);
        assert_int_equal(sepx_graph_add_edge(&graph[i], 0, 1, 0), SEPX_OK);
        assert_int_equal(sepx_graph_add_edge(&graph[i], 1, 2, 0), SEPX_OK);
    }
    child.names = sepx_space_names(space);
    sepx_rng_init(&rng, 1, 0, 0, 0);
    assert_int_equal(sepx_rules_preset(&rules, "plain", "f.json", "sep", NULL),
                     SEPX_OK);
    assert_int_equal(sepx_cross_new(&cross, space, "sep", &rules, NULL),
                     SEPX_OK);
    assert_int_equal(
        sepx_cross_draw(cross, &child, &graph[0], &graph[1], &rng, &explain),
        SEPX_OK);
    assert_int_equal(explain.path.len, 1);
    CHECK(explain.distance == 0.5, "%g", explain.distance);
    sepx_explain_release(&explain);
    sepx_cross_free(cross);
    sepx_graph_release(&child);
    sepx_graph_release(&graph[0]);
    sepx_graph_release(&graph[1]);
    sepx_space_close(space);
}

/* A chain of `n` nodes labelled "a" between the ends. */
static void
write_chain(struct sepx_text *text, unsigned n)
{
    assert_int_equal(sepx_text_print(text, "{\"nodes\": [\"i\""), SEPX_OK);
    for (unsigned i = 0; i < n; i++)
        assert_int_equal(sepx_text_print(text, ", \"a\""), SEPX_OK);
    assert_int_equal(sepx_text_print(text, ", \"o\"], \"edges\": [[0, 1]"),
                     SEPX_OK);
    for (unsigned i = 1; i <= n; i++)
        assert_int_equal(sepx_text_print(text, ", [%u, %u]", i, i + 1),
                         SEPX_OK);
    assert_int_equal(sepx_text_print(text, "]}"), SEPX_OK);
}

/* Above 64 nodes nothing can be drawn: samples are start graphs, changed. */
static void
large_spaces_live_by_their_start_graphs(void **state)
{
    struct sepx_space *space;
    struct sepx_graph graph = {0};
    struct sepx_text text = {0};
    struct sepx_rng rng;

    (void)state;
    assert_int_equal(sepx_text_print(&text, "%s",
                                     SPACE_HEAD "\"nodes\": {" SPACE_ENDS
                                                ", \"a\": {\"in\": 1}, \"b\": "
                                                "{\"in\": 1}}, \"limits\": "
                                                "{\"nodes\": [90, 1024]}, "
                                                "\"start\": ["),
                     SEPX_OK);
    write_chain(&text, 98);
    assert_int_equal(sepx_text_print(&text, "]}"), SEPX_OK);
    space = open_space(text.at);
    graph.names = sepx_space_names(space);
    sepx_rng_init(&rng, 3, 0, 0, 0);
    for (unsigned i = 0; i < 20; i++) {
        bool valid;

        assert_int_equal(sepx_space_sample(space, &graph, &rng), SEPX_OK);
        assert_int_equal(sepx_space_check(space, &valid, &graph, NULL),
                         SEPX_OK);
        assert_true(valid && graph.n_nodes > 90);
    }
    sepx_graph_release(&graph);
    sepx_space_close(space);
    sepx_text_release(&text);
}

/* Two concatenations of the same two values, 29 times: 8 * 2^29 channels. */
static void
channels_do_not_wrap(void **state)
{
    struct sepx_space *space = open_space(NETWORK("\"shapes\": {}"));
    struct sepx_graph graph = {.names = sepx_space_names(space)};
    const char *labels[] = {"i", "conv k=3 c=8", "conv k=1 c=8"};
    struct sepx_msg msg = {0};
    unsigned last[2] = {1, 2};
    uint16_t label;
    bool valid;

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(sepx_names_add(graph.names, &label, labels[i]),
                         SEPX_OK);
        assert_int_equal(sepx_graph_add_node(&graph, label), SEPX_OK);
        if (i)
            assert_int_equal(sepx_graph_add_edge(&graph, 0, i, 0), SEPX_OK);
    }
    assert_int_equal(sepx_names_add(graph.names, &label, "cat"), SEPX_OK);
    for (unsigned i = 0; i < 29; i++)
        for (unsigned k = 0; k < 2; k++) {
            assert_int_equal(sepx_graph_add_node(&graph, label), SEPX_OK);
            for (unsigned y = 0; y < 2; y++)
                assert_int_equal(sepx_graph_add_edge(&graph, 1 + 2 * i + y,
                                                     3 + 2 * i + k, 0),
                                 SEPX_OK);
            last[k] = 3 + 2 * i + k;
        }
    assert_int_equal(sepx_names_add(graph.names, &label, "add"), SEPX_OK);
    assert_int_equal(sepx_graph_add_node(&graph, label), SEPX_OK);
    assert_int_equal(sepx_graph_add_edge(&graph, last[0], last[1] + 1, 0),
                     SEPX_OK);
    assert_int_equal(sepx_graph_add_edge(&graph, 1, last[1] + 1, 0), SEPX_OK);
    assert_int_equal(sepx_names_add(graph.names, &label, "add"), SEPX_OK);
    assert_int_equal(sepx_graph_add_node(&graph, label), SEPX_OK);
    assert_int_equal(sepx_graph_add_edge(&graph, last[1] + 1, last[1] + 2, 0),
                     SEPX_OK);
    assert_int_equal(sepx_graph_add_edge(&graph, last[1], last[1] + 2, 0),
                     SEPX_OK);
    assert_int_equal(sepx_names_add(graph.names, &label, "o"), SEPX_OK);
    assert_int_equal(sepx_graph_add_node(&graph, label), SEPX_OK);
    assert_int_equal(sepx_graph_add_edge(&graph, last[1] + 2, last[1] + 3, 0),
                     SEPX_OK);
    assert_int_equal(graph.n_nodes, 64);
    assert_int_equal(sepx_space_check(space, &valid, &graph, &msg), SEPX_OK);
    assert_false(valid);
    CHECK(strstr(msg.text, "4294967296"), "%s", msg.text);
    sepx_graph_release(&graph);
    sepx_space_close(space);
}

/* What is written is the same space when it is read. */
static void
files_hold_all_rules(void **state)
{
    struct sepx_space *first = open_space(FITTING), *second;
    struct sepx_text a = {0}, b = {0};

    (void)state;
    assert_int_equal(sepx_space_write(&a, first), SEPX_OK);
    assert_non_null(strstr(a.at, "\"total_stride\":[2,4]"));
    assert_non_null(strstr(a.at, "\"required_edges\":[[\"gap\",\"o\"]]"));
    assert_non_null(strstr(a.at, "\"connected\":\"to_output\""));
    second = open_space(a.at);
    assert_int_equal(sepx_space_write(&b, second), SEPX_OK);
    assert_string_equal(a.at, b.at);
    sepx_text_release(&a);
    sepx_text_release(&b);
    sepx_space_close(first);
    sepx_space_close(second);
}

/* Only a count that can be trusted is given as one. */
static void
counts_are_right_or_not_known(void **state)
{
    static const char *const files[] = {"mobile", "inception", "residual"};

    (void)state;
    for (size_t i = 0; i < rounds(3); i++) {
        struct sepx_space_size size;
        struct sepx_space *space;
        char path[256];

        snprintf(path, sizeof path, "%s/examples/spaces/network-%s.json",
                 SEPX_SOURCE_ROOT, files[i]);
        assert_int_equal(sepx_space_open(&space, path, NULL), SEPX_OK);
        assert_int_equal(sepx_space_count(space, &size, 1000), SEPX_OK);
        assert_false(size.exact);
        CHECK(isnan(size.relative_error), "%s: %g, error %g", files[i],
              size.log10_forms, size.relative_error);
        sepx_space_close(space);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(networks_are_valid_or_a_reason_is_given),
        cmocka_unit_test(bad_keys_are_refused),
        cmocka_unit_test(relabelling_costs_a_share),
        cmocka_unit_test(files_hold_all_rules),
        cmocka_unit_test(large_spaces_live_by_their_start_graphs),
        cmocka_unit_test(channels_do_not_wrap),
        cmocka_unit_test(counts_are_right_or_not_known),
    };

    return cmocka_run_group_tests_name("shapes", tests, NULL, NULL);
}
