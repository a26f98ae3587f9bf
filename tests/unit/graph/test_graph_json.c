/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/reading.h"

#include <inttypes.h>
#include <stdlib.h>

#include "oracle/oracle_draw.h"

static void
malformed_texts_are_refused_with_a_remedy(void **state)
{
    static const struct refused rows[] = {
        {"", SEPX_EDATA,
         "there is no graph, the text is empty; write {\"nodes\": [...], "
         "\"edges\": [...]}"},
        {"x", SEPX_EDATA,
         "line 1 column 1: invalid token near 'x'"
         "; correct it, JSON has no NaN, comments or trailing commas"},
        {"{", SEPX_EDATA,
         "line 1 column 1: string or '}' expected near end of file"
         "; the text is cut off, complete it"},
        {"[]", SEPX_EDATA,
         "the graph is [], an array; write {\"nodes\": [...], \"edges\": "
         "[...]}"},
        {"3", SEPX_EDATA,
         "the graph is 3, an integer; write {\"nodes\": [...], \"edges\": "
         "[...]}"},
        {"null", SEPX_EDATA,
         "the graph is null; write {\"nodes\": [...], \"edges\": [...]}"},
        {"{\"nodes\": [\"a\"]", SEPX_EDATA,
         "line 1 column 15: '}' expected near end of file"
         "; the text is cut off, complete it"},
        {"{\"nodes\": []}", SEPX_EDATA,
         "the graph has no \"edges\" among its keys \"nodes\"; write "
         "{\"nodes\": [LABEL, ...], "
         "\"edges\": [[FROM, TO], ...]}"},
        {"{\"edges\": []}", SEPX_EDATA,
         "the graph has no \"nodes\" among its keys \"edges\"; write "
         "{\"nodes\": [LABEL, ...], "
         "\"edges\": [[FROM, TO], ...]}"},
        {"{\"nodes\": [], \"edges\": [], \"name\": \"x\", \"n\": 3, "
         "\"labels\": [\"a\"]}",
         SEPX_EDATA,
         "the graph has no nodes, but keys that are not read: \"n\", "
         "\"labels\"; list its nodes in \"nodes\""},
        {"{\"directed\": true, \"nodes\": [], \"links\": [], \"graph\": [1]}",
         SEPX_EDATA,
         "the graph has no nodes, but keys that are not read: \"graph\"; list "
         "its nodes in \"nodes\""},
        {"{\"nodes\": [\"a\", \"b\"], \"edges\": [], \"graph\": [[0, 1]]}",
         SEPX_EDATA,
         "the graph has no edges, but an array \"graph\", which is not read "
         "beside \"nodes\"; write its edges into the empty array"},
        {"{\"graph\": [[0, 1]]}", SEPX_EDATA,
         "the graph has no \"labels\" among its keys \"graph\"; write {\"n\": "
         "NODES, \"labels\": [LABEL, ...], \"graph\": [[FROM, TO], ...]}"},
        {"{\"n\": 3, \"labels\": [\"a\", 1], \"graph\": []}", SEPX_EDATA,
         "\"n\" is 3, an integer, but there are 2 \"labels\"; correct one"},
        {"{\"n\": 2, \"m\": 2, \"graph\": [[0, 1]]}", SEPX_EDATA,
         "\"m\" is 2, an integer, but there are 1 edges in \"graph\"; correct "
         "one"},
        {"{\"n\": 2, \"graph\": [[0, 2]]}", SEPX_EDATA,
         "graph[0] is [0,2], but there is no node 2 among the 2 nodes; count "
         "from 0"},
        {"{\"n\": -1, \"graph\": []}", SEPX_EDATA,
         "\"n\" is -1, an integer; write the number of nodes"},
        {"{\"labels\": [null], \"graph\": []}", SEPX_EDATA,
         "labels[0] is null; write a string or an integer"},
        {"{\"n\": 4097, \"graph\": []}", SEPX_ELIMIT,
         "\"n\" is one node more than the 4096 allowed; split the graph"},
        {"{\"nodes\": 3, \"edges\": []}", SEPX_EDATA,
         "\"nodes\" is 3, an integer; write an array"},
        {"{\"nodes\": [], \"edges\": {}}", SEPX_EDATA,
         "\"edges\" is {}, an object; write an array"},
        {"{\"nodes\": [\"a\", 1], \"edges\": []}", SEPX_EDATA,
         "nodes[1] is 1, an integer; write the label as a string"},
        {"{\"nodes\": [\"a\", null], \"edges\": []}", SEPX_EDATA,
         "nodes[1] is null; write the label as a string"},
        {"{\"nodes\": [\"a\\u0000b\"], \"edges\": []}", SEPX_EDATA,
         "line 1 column 21: NUL in a string; remove the \\u0000"},
        {"{\"nodes\": [\"a\", {\"id\": 1}], \"edges\": []}", SEPX_EDATA,
         "nodes[1] is {\"id\":1}, an object; write the label as a string"},
        {"{\"nodes\": [\"a\", \"b\"], \"edges\": [[0, 1], 5]}", SEPX_EDATA,
         "edges[1] is 5; write [from, to] or [from, to, label]"},
        {"{\"nodes\": [\"a\", \"b\"], \"edges\": [[0]]}", SEPX_EDATA,
         "edges[0] is [0]; write [from, to] or [from, to, label]"},
        {"{\"nodes\": [\"a\", \"b\"], \"edges\": [[0, 1, \"x\", 2]]}",
         SEPX_EDATA,
         "edges[0] is [0,1,\"x\",2]; write [from, to] or [from, to, label]"},
        {"{\"nodes\": [\"a\", \"b\"], \"edges\": [[0, 2]]}", SEPX_EDATA,
         "edges[0] is [0,2], but there is no node 2 among the 2 nodes; count "
         "from 0"},
        {"{\"nodes\": [\"a\", \"b\"], \"edges\": [[-1, 1]]}", SEPX_EDATA,
         "edges[0] is [-1,1], but there is no node -1 among the 2 nodes; count "
         "from 0"},
        {"{\"nodes\": [\"a\", \"b\"], \"edges\": [[0, 1.0]]}", SEPX_EDATA,
         "edges[0] is [0,1.0], whose end is a number; write the node's number, "
         "counted from 0"},
        {"{\"nodes\": [\"a\", \"b\"], \"edges\": [[\"a\", 1]]}", SEPX_EDATA,
         "edges[0] is [\"a\",1], whose start is a string; write the node's "
         "number, counted from 0"},
        {"{\"nodes\": [\"a\", \"b\"], \"edges\": [[0, 1], [1, 0], [0, 1]], "
         "\"multigraph\": false}",
         SEPX_EDATA,
         "two edges join nodes[0] and nodes[1], but \"multigraph\" is false; "
         "remove one, or write \"multigraph\": true"},
        {"{\"nodes\": [\"a\", \"b\"], \"edges\": [[0, 1], [1, 0]], "
         "\"multigraph\": false, \"directed\": false}",
         SEPX_EDATA,
         "two edges join nodes[0] and nodes[1], but \"multigraph\" is false; "
         "remove one, or write \"multigraph\": true"},
        {"{\"nodes\": [\"a\"], \"edges\": [], \"multigraph\": \"no\"}",
         SEPX_EDATA, "\"multigraph\" is \"no\", a string; write true or false"},
        {"{\"nodes\": [\"a\", \"b\"], \"edges\": [[0, 1, 7]]}", SEPX_EDATA,
         "edges[0] is [0,1,7], whose label is an integer; write it as a "
         "string"},
        {"{\"nodes\": [\"a\", \"b\"], \"edges\": [[0, 99999999999999999999]]}",
         SEPX_EDATA,
         "line 1 column 56: too big integer near '99999999999999999999'"
         "; write a smaller number"},
        {"{\"nodes\": [\"a\", \"b\"], \"edges\": [[0, NaN]]}", SEPX_EDATA,
         "line 1 column 39: invalid token near 'NaN'"
         "; correct it, JSON has no NaN, comments or trailing commas"},
        {"{\"nodes\": [\"a\", \"a\"], \"nodes\": [], \"edges\": []}",
         SEPX_EDATA,
         "line 1 column 29: duplicate object key near '\"nodes\"'"
         "; remove one"},
        {"{\"nodes\": [\"a\"], \"edges\": [], \"directed\": 1}", SEPX_EDATA,
         "\"directed\" is 1, an integer; write true or false"},
        {"{\"nodes\": [\"a\"], \"edges\": []} x", SEPX_EDATA,
         "line 1 column 31: end of file expected near 'x'"
         "; remove what follows the value"},
        {"{\"nodes\": [{\"id\": 0}], \"links\": []}", SEPX_EDATA,
         "the node-link graph has no \"directed\"; add \"directed\": true if "
         "its edges go from source to target, else \"directed\": false"},
        {"{\"directed\": true, \"nodes\": [{\"id\": 0}]}", SEPX_EDATA,
         "the graph has no \"links\" among its keys \"directed\", \"nodes\"; "
         "write {\"directed\": true, \"nodes\": [{\"id\": ID}, ...], "
         "\"links\": [{\"source\": ID, \"target\": ID}, ...]}"},
        {"{\"directed\": true, \"nodes\": [{\"id\": 0}], \"links\": [], "
         "\"edges\": []}",
         SEPX_EDATA,
         "the node-link graph has both \"links\" and \"edges\"; remove one"},
        {"{\"directed\": true, \"nodes\": [{\"id\": 0}, 5], \"links\": []}",
         SEPX_EDATA, "nodes[1] is 5, an integer; write {\"id\": ...}"},
        {"{\"directed\": true, \"nodes\": [{\"id\": 0}, {\"op\": \"x\"}], "
         "\"links\": []}",
         SEPX_EDATA, "nodes[1] is {\"op\":\"x\"}, without \"id\"; add it"},
        {"{\"directed\": true, \"nodes\": [{\"id\": 0}, {\"id\": 1.5}], "
         "\"links\": []}",
         SEPX_EDATA,
         "nodes[1] has the \"id\" 1.5, a real number; write a string or an "
         "integer"},
        {"{\"directed\": true, \"nodes\": [{\"id\": 0}, {\"id\": 0}], "
         "\"links\": []}",
         SEPX_EDATA, "nodes[1] has the \"id\" 0, as nodes[0] has; rename one"},
        {"{\"directed\": true, \"nodes\": [{\"id\": 0, \"label\": 5.5}], "
         "\"links\": []}",
         SEPX_EDATA,
         "nodes[0] has the \"label\" 5.5, a real number; write a string or an "
         "integer"},
        {"{\"directed\": true, \"nodes\": [{\"id\": 0}, {\"id\": \"0\"}], "
         "\"links\": [{\"source\": 0, \"target\": 7}]}",
         SEPX_EDATA,
         "links[0] has the \"target\" 7, which no node has as its \"id\"; add "
         "the node or remove the edge"},
        {"{\"directed\": true, \"nodes\": [{\"id\": 0}, {\"id\": \"0\"}], "
         "\"links\": [{\"source\": 0}]}",
         SEPX_EDATA, "links[0] is {\"source\":0}, without \"target\"; add it"},
        {"{\"directed\": true, \"nodes\": [{\"id\": 0}, {\"id\": \"0\"}], "
         "\"links\": [[0, 1]]}",
         SEPX_EDATA,
         "links[0] is [0,1], an array; write {\"source\": ..., \"target\": "
         "...}"},
        {"{\"directed\": true, \"nodes\": [{\"id\": 0}, {\"id\": 1}], "
         "\"links\": [{\"source\": 0, \"target\": 1, \"label\": null}]}",
         SEPX_EDATA,
         "links[0] has the \"label\" null; write a string or an integer"},
        {"{\"nodes\": [\"\377\"], \"edges\": []}", SEPX_EDATA,
         "line 1 column 12: unable to decode byte 0xff near '\"'"
         "; save the text as UTF-8"},
        {"{\"nodes\": [\"\\ud800\"], \"edges\": []}", SEPX_EDATA,
         "line 1 column 19: invalid Unicode '\\uD800' near '\"\\ud800\"'"
         "; correct it, JSON has no NaN, comments or trailing commas"},
        {"{\"nodes\": [\"a\", \"b\"],\n \"edges\": [[0, 1],\n  [1, 0],,]}",
         SEPX_EDATA,
         "line 3 column 10: unexpected token near ','"
         "; correct it, JSON has no NaN, comments or trailing commas"},
        {"{\"nodes\": [], \"edges\": [], \"links\": [], \"directed\": \"yes\"}",
         SEPX_EDATA, "\"directed\" is \"yes\", a string; write true or false"},
        {"{\"nodes\": [{\"id\": 0}], \"edges\": [], \"directed\": null}",
         SEPX_EDATA, "\"directed\" is null; write true or false"},

    };

    (void)state;
    check_refused(rows, sizeof(rows) / sizeof(*rows), SEPX_FORMAT_AUTO);
}

static void
a_given_form_is_not_guessed(void **state)
{
    static const struct refused plain[] = {
        {"{\"directed\": true, \"nodes\": [{\"id\": 0}], \"edges\": []}",
         SEPX_EDATA,
         "nodes[0] is {\"id\":0}, an object; write the label as a string"}};
    static const struct refused link[] = {
        {"{\"directed\": true, \"nodes\": [\"a\"], \"edges\": []}", SEPX_EDATA,
         "nodes[0] is \"a\", a string; write {\"id\": ...}"}};

    (void)state;
    check_refused(plain, 1, SEPX_FORMAT_JSON);
    check_refused(link, 1, SEPX_FORMAT_NODE_LINK);
}

static void
plain_graphs_are_read(void **state)
{
    (void)state;
    check_read("{\"nodes\": [], \"edges\": []}", SEPX_FORMAT_AUTO,
               "{\"nodes\":[],\"edges\":[]}");
    check_read(
        "\xef\xbb\xbf {\"edges\": [[2, 0, \"x\"], [0, 1, \"\"], [0, 2]],\n"
        "\"nodes\": [\"a\", \"\", \"\\n\\u00fc\"]}\n",
        SEPX_FORMAT_AUTO,
        "{\"nodes\":[\"a\",\"\",\"\\n\xc3\xbc\"],"
        "\"edges\":[[0,1],[0,2],[2,0,\"x\"]]}");
}

static void
edges_of_all_kinds_are_read(void **state)
{
    (void)state;
    check_read("{\"nodes\":[\"a\",\"b\"],\"edges\":[[1,0],[0,0],[0,1,\"z\"],"
               "[1,0,\"y\"]],\"directed\":false,\"multigraph\":true}",
               SEPX_FORMAT_AUTO,
               "{\"directed\":false,\"nodes\":[\"a\",\"b\"],\"edges\":"
               "[[0,0],[0,1],[0,1,\"y\"],[0,1,\"z\"]]}");
    check_read("{\"nodes\":[\"a\",\"b\"],\"edges\":[[1,1],[1,0],[0,1],[1,0]]}",
               SEPX_FORMAT_AUTO,
               "{\"nodes\":[\"a\",\"b\"],\"edges\":[[0,1],[1,0],"
               "[1,0],[1,1]]}");
    check_read("{\"directed\":false,\"multigraph\":true,\"graph\":{},"
               "\"nodes\":[{\"id\":0,\"label\":\"a\"},{\"id\":1,\"label\":"
               "\"b\"}],\"links\":[{\"source\":1,\"target\":0,\"key\":0},"
               "{\"source\":0,\"target\":1,\"key\":1}]}",
               SEPX_FORMAT_AUTO,
               "{\"directed\":false,\"nodes\":[\"a\",\"b\"],\"edges\":"
               "[[0,1],[0,1]]}");
}

static void
unknown_keys_are_kept_in_order(void **state)
{
    static const char text[] =
        "{\"nodes\":[\"a\"],\"edges\":[],\"score\":0.1,\"id\":12,"
        "\"deep\":{\"x\":[1,2.0,null,true,\"\\u0001\"]},\"links\":[]}";

    (void)state;
    check_read(text, SEPX_FORMAT_AUTO, text);
    check_read("{\"id\": 3, \"nodes\": [], \"links\": [], \"edges\": []}",
               SEPX_FORMAT_AUTO,
               "{\"nodes\":[],\"edges\":[],\"id\":3,\"links\":[]}");
}

static void
node_link_graphs_are_read(void **state)
{
    (void)state;
    check_read(
        "{\"directed\": true, \"multigraph\": false, \"graph\": {}, \"nodes\": "
        "[{\"label\": \"in\", \"op\": \"no\", \"id\": \"a\"}, {\"id\": 7}, "
        "{\"operation\": \"conv\", \"id\": \"7\"}, {\"id\": \"id\"}], "
        "\"links\": ["
        "{\"source\": 7, \"target\": \"a\", \"label\": \"skip\", \"weight\": "
        "2}, "
        "{\"source\": \"a\", \"target\": 7, \"key\": 0}, "
        "{\"source\": 7, \"target\": \"7\", \"op\": \"e\"}]}",
        SEPX_FORMAT_AUTO,
        "{\"nodes\":[\"in\",\"7\",\"conv\",\"id\"],"
        "\"edges\":[[0,1],[1,0,\"skip\"],[1,2,\"e\"]]}");
    check_read("{\"directed\": true, \"nodes\": [{\"id\": 0, \"op\": 3}, "
               "{\"id\": 1, \"label\": -12}], \"links\": [{\"source\": 0, "
               "\"target\": 1, \"label\": 4}]}",
               SEPX_FORMAT_AUTO,
               "{\"nodes\":[\"3\",\"-12\"],\"edges\":[[0,1,\"4\"]]}");
    check_read("{\"directed\": true, \"multigraph\": true, \"graph\": "
               "{\"name\": \"g\"}, \"nodes\": [{\"id\": 1}], \"edges\": []}",
               SEPX_FORMAT_AUTO,
               "{\"nodes\":[\"1\"],\"edges\":[],\"graph\":{\"name\":\"g\"}}");
    check_read("{\"directed\": true, \"nodes\": [], \"links\": []}",
               SEPX_FORMAT_AUTO, "{\"nodes\":[],\"edges\":[]}");
}

/* `text` grows by `count` items "item" with commas between. */
static void
add_items(struct sepx_text *text, const char *item, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(sepx_text_print(text, "%s%s", i ? "," : "", item),
                         SEPX_OK);
}

static void
check_message(const struct sepx_text *text, enum sepx_err want,
              const char *message)
{
    struct sepx_names *names = sepx_names_new();
    struct sepx_graph graph = {0};
    struct sepx_msg msg = {0};

    assert_int_equal(sepx_graph_read(&graph, names, text->at, text->len,
                                     SEPX_FORMAT_AUTO, &msg),
                     want);
    assert_string_equal(msg.text, message);
    sepx_graph_release(&graph);
    sepx_names_free(names);
}

static void
limits_are_kept(void **state)
{
    struct sepx_text text = {0};
    char name[301];

    (void)state;
    assert_int_equal(sepx_text_print(&text, "{\"nodes\":["), SEPX_OK);
    add_items(&text, "\"a\"", 1000000);
    assert_int_equal(sepx_text_print(&text, "],\"edges\":[]}"), SEPX_OK);
    check_message(&text, SEPX_ELIMIT,
                  "nodes[4096] is one node more than the 4096 allowed; split "
                  "the graph");
    text.len = 0;
    memset(name, 'x', 300);
    name[300] = 0;
    assert_int_equal(
        sepx_text_print(&text, "{\"nodes\":[\"%s\"],\"edges\":[]}", name),
        SEPX_OK);
    check_message(&text, SEPX_ELIMIT,
                  "nodes[0] has a label of 300 bytes, \"xxxxxxxxxxxxxxxxxxxx"
                  "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...\"; shorten it "
                  "to 255 at most");
    text.len = 0;
    assert_int_equal(sepx_text_print(&text,
                                     "{\"directed\":true,\"nodes\":[{\"id\":"
                                     "\"%s\"}],\"links\":[]}",
                                     name),
                     SEPX_OK);
    check_message(&text, SEPX_ELIMIT,
                  "nodes[0] has the \"id\" \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
                  "xxxxxxxxxxxxxxxxxxxxxxxxxxx... of 302 bytes; shorten it to "
                  "255 at most");
    sepx_text_release(&text);
}

static void
deep_nesting_is_refused(void **state)
{
    struct sepx_text text = {0};

    (void)state;
    assert_int_equal(
        sepx_text_print(&text, "{\"nodes\":[],\"edges\":[],\"x\":"), SEPX_OK);
    for (int i = 0; i < 100000; i++)
        assert_int_equal(sepx_text_print(&text, "["), SEPX_OK);
    check_message(&text, SEPX_EDATA,
                  "line 1 column 1027: nested deeper than 1000"
                  "; flatten it");
    sepx_text_release(&text);
}

static void
a_text_has_at_most_64_mebibytes(void **state)
{
    struct sepx_text text = {0};
    size_t size = ((size_t)64 << 20) + 1;

    (void)state;
    text.at = malloc(size);
    assert_non_null(text.at);
    memset(text.at, ' ', size);
    text.len = size;
    check_message(&text, SEPX_ELIMIT,
                  "the text has 67108865 bytes, more than the 67108864 "
                  "allowed; split the graph");
    free(text.at);
}

/* The 65,536th different label, spread over many graphs of one table. */
static void
labels_run_out(void **state)
{
    struct sepx_names *names = sepx_names_new();
    struct sepx_graph graph = {0};
    struct sepx_msg msg = {0};
    struct sepx_text text = {0};
    enum sepx_err err = SEPX_OK;

    (void)state;
    for (unsigned i = 0; !err; i++) {
        text.len = 0;
        assert_int_equal(sepx_text_print(&text, "{\"nodes\":[\"\""), SEPX_OK);
        for (unsigned j = 1; j < 4096; j++)
            assert_int_equal(sepx_text_print(&text, ",\"%u\"", i * 4095 + j),
                             SEPX_OK);
        assert_int_equal(sepx_text_print(&text, "],\"edges\":[]}"), SEPX_OK);
        err = sepx_graph_read(&graph, names, text.at, text.len,
                              SEPX_FORMAT_AUTO, &msg);
    }
    assert_int_equal(err, SEPX_ELIMIT);
    assert_string_equal(msg.text,
                        "nodes[15] has the label \"65535\", one more than the "
                        "65535 different labels allowed; use fewer");
    sepx_text_release(&text);
    sepx_graph_release(&graph);
    sepx_names_free(names);
}

static void
what_is_written_is_read_back(void **state)
{
    struct sepx_names *names = sepx_names_new();
    struct sepx_graph a = {0}, b = {0};
    struct sepx_text text = {0};

    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct draw_options options = {(uint32_t)seed % 40, 9,
                                       (uint32_t)seed % 3, 0.3, false};
        struct sepx_rng rng;

        sepx_rng_init(&rng, seed, 0, 0, 0);
        draw_graph(&a, names, &options, &rng);
        text.len = 0;
        assert_int_equal(sepx_graph_write_json(&text, &a), SEPX_OK);
        assert_int_equal(sepx_graph_read(&b, names, text.at, text.len,
                                         SEPX_FORMAT_AUTO, NULL),
                         SEPX_OK);
        CHECK(sepx_graph_equal(&a, &b), "seed %" PRIu64, seed);
    }
    sepx_text_release(&text);
    sepx_graph_release(&a);
    sepx_graph_release(&b);
    sepx_names_free(names);
}

static void
every_allocation_may_fail(void **state)
{
    (void)state;
    check_faults("{\"nodes\":[\"a\",\"b\"],\"edges\":[[0,1,\"x\"],[1,0]],"
                 "\"score\":1.5,\"more\":[]}");
    check_faults(
        "{\"directed\":true,\"nodes\":[{\"id\":0},{\"id\":1,\"op\":"
        "\"x\"}],\"links\":[{\"source\":0,\"target\":1,\"op\":\"y\"}]}");
    check_faults(
        "{\"directed\":true,\"nodes\":[{\"id\":0,\"op\":1},{\"id\":1}],"
        "\"links\":[{\"source\":0,\"target\":1,\"op\":2}]}");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(malformed_texts_are_refused_with_a_remedy),
        cmocka_unit_test(a_given_form_is_not_guessed),
        cmocka_unit_test(plain_graphs_are_read),
        cmocka_unit_test(edges_of_all_kinds_are_read),
        cmocka_unit_test(unknown_keys_are_kept_in_order),
        cmocka_unit_test(node_link_graphs_are_read),
        cmocka_unit_test(limits_are_kept),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(a_text_has_at_most_64_mebibytes),
        cmocka_unit_test(labels_run_out),
        cmocka_unit_test(what_is_written_is_read_back),
        cmocka_unit_test(every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
