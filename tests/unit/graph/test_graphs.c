/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/reading.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define GRAPH "{\"nodes\": [\"a\", \"b\"], \"edges\": [[0, 1]]}"

static void
malformed_texts_are_refused_with_their_line(void **state)
{
    static const struct refused rows[] = {
        {"", SEPX_EDATA,
         "f.jsonl: there is no graph, the text is empty; write {\"nodes\": "
         "[...], \"edges\": [...]}"},
        {"\n\n", SEPX_EDATA,
         "f.jsonl: there is no graph, the text is empty; write {\"nodes\": "
         "[...], \"edges\": [...]}"},
        {"{\n", SEPX_EDATA,
         "f.jsonl:2: column 1: string or '}' expected near end of file"
         "; the text is cut off, complete it"},
        {"1\n", SEPX_EDATA,
         "f.jsonl:1: the graph is 1, an integer; write {\"nodes\": [...], "
         "\"edges\": [...]}"},
        {"{\"nodes\": [\"a\", \"b\"], \"edges\": [[0, 1]]}\n[]\n", SEPX_EDATA,
         "f.jsonl:2: the graph is [], an array; write {\"nodes\": [...], "
         "\"edges\": [...]}"},
        {"{\"nodes\": [\"a\", \"b\"], \"edges\": [[0, 1]]}\n\n{\"nodes\": "
         "[\"a\", \"b\"], \"edges\": [[1]]}\n",
         SEPX_EDATA,
         "f.jsonl:3: edges[0] is [1]; write [from, to] or [from, to, label]"},
        {"{\"nodes\": [\"a\", \"b\"], \"edges\": [[0, 1]]}\n{\"nodes\": "
         "[\"a\", \"b\"], \"edges\": [[0, 1]]\n",
         SEPX_EDATA,
         "f.jsonl:2: column 39: '}' expected near end of file"
         "; the text is cut off, complete it"},
        {"{\"nodes\": [\"a\", \"b\"], \"edges\": [[0, 1}\n{\"nodes\": [\"a\", "
         "\"b\"], \"edges\": [[0, 1]]}\n",
         SEPX_EDATA,
         "f.jsonl:1: column 38: ']' expected near '}'"
         "; correct it, JSON has no NaN, comments or trailing commas"},
        {"{\"nodes\": [],\n\"edges\": [1]}\n", SEPX_EDATA,
         "f.jsonl:2: edges[0] is 1; write [from, to] or [from, to, label]"},
        {"{\"nodes\": [],\n\"edges\": [1,]}\n", SEPX_EDATA,
         "f.jsonl:2: column 13: unexpected token near ']'"
         "; correct it, JSON has no NaN, comments or trailing commas"},
        {"{\"nodes\": [\"a\", \"b\"], \"edges\": [[0, 1]]}\n<graphml/>\n",
         SEPX_EDATA, "f.jsonl:2: <graphml> holds no <graph>; add one"},
        {"<graphml>\n</graphml>\n", SEPX_EDATA,
         "f.jsonl:2: <graphml> holds no <graph>; add one"},
        {"\n\n{\"nodes\": [\"a\"],\n\n\"edges\": [3,}\n", SEPX_EDATA,
         "f.jsonl:5: column 13: unexpected token near '}'"
         "; correct it, JSON has no NaN, comments or trailing commas"},
        {"{\"nodes\": [\"a\", \"b\"], \"edges\": [[0, 1]]} {\"nodes\": [\"a\", "
         "\"b\"], \"edges\": [[0, 1]]}\n",
         SEPX_EDATA,
         "f.jsonl:1: column 42: end of file expected near '{'"
         "; remove what follows the value"},
        {"[{\"nodes\": [\"a\", \"b\"], \"edges\": [[0, 1]]}]\n", SEPX_EDATA,
         "f.jsonl:1: the graph is "
         "[{\"nodes\":[\"a\",\"b\"],\"edges\":[[0,1]]}], an array; write "
         "{\"nodes\": [...], \"edges\": [...]}"},
        {"\357\273\277{\"nodes\": [\"a\", \"b\"], \"edges\": [[0, 1]]}\n{}\n",
         SEPX_EDATA,
         "f.jsonl:2: the graph has no \"nodes\"; write {\"nodes\": [LABEL, "
         "...], "
         "\"edges\": [[FROM, TO], ...]}"},
    };
    struct sepx_names *names = sepx_names_new();
    struct sepx_graphs graphs = {0};

    (void)state;
    assert_int_equal(
        sepx_graphs_read(&graphs, names, GRAPH, strlen(GRAPH), "first", NULL),
        SEPX_OK);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct sepx_msg msg = {0};

        CHECK(sepx_graphs_read(&graphs, names, rows[i].text,
                               strlen(rows[i].text), "f.jsonl",
                               &msg) == rows[i].err,
              "%s", rows[i].text);
        assert_string_equal(msg.text, rows[i].message);
        assert_int_equal(graphs.count, 1);
    }
    sepx_graphs_release(&graphs);
    sepx_names_free(names);
}

static void
check_count(const char *text, size_t count)
{
    struct sepx_names *names = sepx_names_new();
    struct sepx_graphs graphs = {0};
    struct sepx_msg msg = {0};

    CHECK(sepx_graphs_read(&graphs, names, text, strlen(text), "text", &msg) ==
              SEPX_OK,
          "%s", msg.text);
    assert_int_equal(graphs.count, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(graphs.at[i].n_nodes, 2);
    sepx_graphs_release(&graphs);
    sepx_names_free(names);
}

static void
lines_or_one_graph_are_read(void **state)
{
    (void)state;
    check_count(GRAPH, 1);
    check_count(GRAPH "\n", 1);
    check_count("\n " GRAPH "\r\n\r\n\t\n" GRAPH " \n\n" GRAPH, 3);
    check_count("{\n\"nodes\": [\"a\",\n\"b\"], \"edges\":\n[]\n}\n", 1);
    check_count(GRAPH "\n{\"directed\": true, \"nodes\": [{\"id\": 1}, "
                      "{\"id\": 2}], \"links\": []}\n",
                2);
    check_count("\n<graphml>\n<graph edgedefault='directed'>\n<node id='a'/>"
                "\n<node id='b'/></graph></graphml>\n",
                1);
}

static char path[] = "/tmp/sepx-graphs-XXXXXX";

static void
write_file(const char *text)
{
    struct sepx_msg msg = {0};

    CHECK(!sepx_file_write(path, text, strlen(text), &msg), "%s", msg.text);
}

static int
make_file(void **state)
{
    int fd = mkstemp(path);

    (void)state;
    return fd < 0 || close(fd);
}

static int
remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

/* The message less the name of the file, which is random. */
static void
check_file_message(enum sepx_err err, const struct sepx_msg *msg,
                   const char *want)
{
    assert_int_equal(err, SEPX_EDATA);
    assert_memory_equal(msg->text, path, strlen(path));
    assert_string_equal(msg->text + strlen(path), want);
}

static void
files_are_read_and_named(void **state)
{
    struct sepx_names *names = sepx_names_new();
    struct sepx_graphs graphs = {0};
    struct sepx_graph graph = {0};
    struct sepx_msg msg = {0};

    (void)state;
    write_file(GRAPH "\n" GRAPH "\n");
    assert_int_equal(sepx_graphs_read_file(&graphs, names, path, &msg),
                     SEPX_OK);
    assert_int_equal(graphs.count, 2);
    check_file_message(sepx_graph_read_file(&graph, names, path, &msg), &msg,
                       ":2: column 1: end of file expected near '{'"
                       "; remove what follows the value");
    write_file(GRAPH "\n{\"nodes\": [\"x\"], \"edges\": [[0, 4]]}\n");
    check_file_message(sepx_graphs_read_file(&graphs, names, path, &msg), &msg,
                       ":2: edges[0] is [0,4], but there is no node 4 among "
                       "the 1 nodes; count from 0");
    write_file("{\"nodes\": [3],\n\"edges\": []}");
    check_file_message(sepx_graph_read_file(&graph, names, path, &msg), &msg,
                       ":1: nodes[0] is 3, an integer; write the label as a "
                       "string");
    write_file("<graphml>\n<graph/></graphml>");
    check_file_message(sepx_graph_read_file(&graph, names, path, &msg), &msg,
                       ":2: <graph> has no edgedefault; add "
                       "edgedefault=\"directed\" or \"undirected\"");
    write_file(GRAPH);
    assert_int_equal(sepx_graph_read_file(&graph, names, path, &msg), SEPX_OK);
    assert_true(sepx_graph_equal(&graph, &graphs.at[0]));
    assert_int_equal(
        sepx_graph_read_file(&graph, names, "/nonexistent/file", &msg),
        SEPX_ENOINPUT);
    sepx_graph_release(&graph);
    sepx_graphs_release(&graphs);
    sepx_names_free(names);
}

static void
every_allocation_may_fail(void **state)
{
    static const char text[] = GRAPH "\n" GRAPH "\n\n" GRAPH "\n";

    (void)state;
    EACH_FAULT (fault) {
        struct sepx_graphs graphs = {0};
        struct sepx_names *names;
        struct sepx_msg msg = {0};

        fault.err = SEPX_ENOMEM;
        names = sepx_names_new();
        if (names)
            fault.err =
                sepx_graphs_read(&graphs, names, text, strlen(text), "f", &msg);
        assert_int_equal(graphs.count, fault.err ? 0 : 3);
        sepx_graphs_release(&graphs);
        sepx_names_free(names);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(malformed_texts_are_refused_with_their_line),
        cmocka_unit_test(lines_or_one_graph_are_read),
        cmocka_unit_test_setup_teardown(files_are_read_and_named, make_file,
                                        remove_file),
        cmocka_unit_test(every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
