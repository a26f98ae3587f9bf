/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/check.h"

#include <string.h>

#include "oracle/draw.h"
#include "sepx.h"
#include "unit/faults.h"

static struct sepx_names *names;
static struct sepx_graph graph;

static int
set_up(void **state)
{
    static const char *const label[] = {"input", "a \"b\" \\N\n&lt;", ""};
    static const unsigned edge[][2] = {{0, 1}, {0, 2}};
    uint16_t skip;

    (void)state;
    names = sepx_names_new();
    graph = (struct sepx_graph){0};
    build_graph(&graph, names, label, 3, edge, 2);
    if (sepx_names_add(names, &skip, "skip"))
        return 1;
    graph.edge[1].label = skip;
    return 0;
}

static int
tear_down(void **state)
{
    (void)state;
    sepx_graph_release(&graph);
    sepx_names_free(names);
    return 0;
}

static void
labels_are_escaped(void **state)
{
    struct sepx_text text = {0};

    (void)state;
    assert_int_equal(sepx_graph_write_dot(&text, &graph, NULL), SEPX_OK);
    assert_string_equal(text.at,
                        "digraph {\n"
                        "    n0 [label=\"input\"];\n"
                        "    n1 [label=\"a \\\"b\\\" \\\\N\\n&amp;lt;\"];\n"
                        "    n2 [label=\"\"];\n"
                        "    n0 -> n1;\n"
                        "    n0 -> n2 [label=\"skip\"];\n"
                        "}\n");
    sepx_text_release(&text);
}

static void
styles_are_added(void **state)
{
    static const char *const node_attrs[] = {"color=red", NULL, "shape=box"};
    static const char *const edge_attrs[] = {"style=dashed", "color=blue"};
    struct sepx_dot_style style = {.title = "two \"words\"",
                                   .node_attrs = node_attrs,
                                   .edge_attrs = edge_attrs,
                                   .prefix = "left"};
    struct sepx_text text = {0};

    (void)state;
    assert_int_equal(sepx_graph_write_dot(&text, &graph, &style), SEPX_OK);
    assert_string_equal(text.at,
                        "digraph {\n"
                        "    label=\"two \\\"words\\\"\";\n"
                        "    left0 [label=\"input\",color=red];\n"
                        "    left1 [label=\"a \\\"b\\\" \\\\N\\n&amp;lt;\"];\n"
                        "    left2 [label=\"\",shape=box];\n"
                        "    left0 -> left1 [style=dashed];\n"
                        "    left0 -> left2 [label=\"skip\",color=blue];\n"
                        "}\n");
    sepx_text_release(&text);
}

static void
the_empty_graph_is_drawn(void **state)
{
    struct sepx_graph empty = {.names = names};
    struct sepx_text text = {0};

    (void)state;
    assert_int_equal(sepx_graph_write_dot(&text, &empty, NULL), SEPX_OK);
    assert_string_equal(text.at, "digraph {\n}\n");
    sepx_text_release(&text);
}

static void
every_allocation_may_fail(void **state)
{
    (void)state;
    for (long n = 0;; n++) {
        struct sepx_text text = {0};
        enum sepx_err err;

        fault_after(n);
        err = sepx_graph_write_dot(&text, &graph, NULL);
        sepx_text_release(&text);
        assert_int_equal(fault_live(), 0);
        if (!fault_hit())
            break;
        assert_int_equal(err, SEPX_ENOMEM);
    }
    fault_stop();
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_are_escaped),
        cmocka_unit_test(styles_are_added),
        cmocka_unit_test(the_empty_graph_is_drawn),
        cmocka_unit_test(every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
