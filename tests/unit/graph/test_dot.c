/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/check.h"

#include <string.h>

#include "oracle/oracle_draw.h"
#include "library.h"
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
check_has(const struct sepx_text *text, const char *part)
{
    CHECK(strstr(text->at, part), "no '%s' in\n%s", part, text->at);
}

#define SMALL(n) "<font point-size=\"9\" color=\"#474e59\">" n "</font>>"

/* Nothing in a label ends it, and XML forbids what it forbids. */
static void
labels_are_escaped(void **state)
{
    struct sepx_text text = {0};

    (void)state;
    assert_int_equal(sepx_graph_write_dot(&text, &graph, NULL), SEPX_OK);
    check_has(&text, "    n0 [label=<input &#160;" SMALL("0") " fillcolor=");
    check_has(&text, "    n1 [label=<a &quot;b&quot; \\N<br/>&amp;lt; ");
    check_has(&text, "    n2 [label=<" SMALL("2") " fillcolor=\"#ffffff\"");
    check_has(&text, "    n0 -> n1 [];\n");
    check_has(&text, ">skip</td></tr></table>>];\n}\n");
    sepx_text_release(&text);
}

static void
control_characters_become_pictures(void **state)
{
    static const struct {
        const char *title, *want;
    } cases[] = {
        {"\033[31m\a\t\x7f", "<b>\u241b[31m\u2407\u2409\u2421</b>"},
        {"\xc2\x9b"
         "2J\xc2\xa0",
         "<b>\ufffd2J\u00a0</b>"},
        {"\xff\xe2\x82", "<b>\ufffd\ufffd\ufffd</b>"},
        {"a\xe2\x80\xae"
         "b",
         "<b>a\ufffdb</b>"},
        {"\xef\xbf\xbf\xef\xbf\xbd", "<b>\ufffd\ufffd</b>"},
        {"<b>&'\"</b>", "<b>&lt;b&gt;&amp;&#39;&quot;&lt;/b&gt;</b>"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sepx_text text = {0};

        assert_int_equal(sepx_dot_begin(&text, cases[i].title, NULL), SEPX_OK);
        check_has(&text, cases[i].want);
        sepx_text_release(&text);
    }
}

static void
any_text_is_a_label(void **state)
{
    struct sepx_text text = {0};

    (void)state;
    assert_int_equal(sepx_dot_quote(&text, ""), SEPX_OK);
    assert_int_equal(sepx_dot_quote(&text, "1\n\"];x>"), SEPX_OK);
    assert_string_equal(text.at, "\"\"<1<br/>&quot;];x&gt;>");
    sepx_text_release(&text);
}

static void
marks_numbers_and_changes_show(void **state)
{
    static const struct sepx_dot_mark gone = {"gone", "#123456", "dashed", 1.5,
                                              false};
    static const struct sepx_dot_mark lost = {"lost", "#654321", "dotted", 1,
                                              true};
    static const struct sepx_dot_mark *const legend[] = {&gone, &lost, NULL};
    static const struct sepx_dot_mark *const node[] = {&gone, NULL, NULL};
    static const struct sepx_dot_mark *const edge[] = {&lost, &gone};
    static const int32_t node_was[] = {-1, -1, 1}, edge_was[] = {-1, 0};
    static const uint32_t number[] = {7, 8, 9};
    struct sepx_dot_style style = {.title = "two \"words\"",
                                   .legend = legend,
                                   .node = node,
                                   .edge = edge,
                                   .node_was = node_was,
                                   .edge_was = edge_was,
                                   .number = number,
                                   .prefix = "left"};
    struct sepx_text text = {0};

    (void)state;
    assert_int_equal(sepx_graph_write_dot(&text, &graph, &style), SEPX_OK);
    check_has(&text, "<b>two &quot;words&quot;</b>");
    check_has(&text, "<font color=\"#123456\">&#8211; &#8211; gone</font>");
    check_has(&text,
              "left0 [label=<input &#160;" SMALL(
                  "7") " fillcolor=\"#eceef1\" shape=ellipse color=\"#123456\" "
                       "style=\"filled,dashed\" penwidth=1.5];");
    check_has(&text, "left2 [label=<input &#8594; (none)" SMALL(
                         "9") " fillcolor=\"#ffffff\"];");
    check_has(&text, "left0 -> left1 [ color=\"#654321\" style=\"dotted\" "
                     "penwidth=1 arrowhead=none label=<<font "
                     "color=\"#654321\">&#10007; lost</font>>];");
    check_has(&text, "(none) &#8594; skip</td></tr></table>>];");
    sepx_text_release(&text);
}

/* By its text, whatever the table of names and the order of its use. */
static void
an_operation_has_one_colour(void **state)
{
    static const char *const operations[][8] = {
        {"conv3x3-bn-relu", "conv1x1-bn-relu", "maxpool3x3"},
        {"activation_sigm", "activation_tanh", "activation_leaky_relu",
         "elementwise_sum", "elementwise_prod", "linear", "blend"},
        {"max_pool_3x3", "avg_pool_3x3", "skip_connect", "sep_conv_3x3",
         "sep_conv_5x5", "dil_conv_3x3", "dil_conv_5x5"},
    };

    (void)state;
    for (int s = 0; s < 3; s++) {
        char seen[8][8] = {{0}};

        for (int i = 0; i < 7 && operations[s][i]; i++) {
            struct sepx_graph one = {0};
            struct sepx_text text = {0};
            const char *colour;

            build_graph(&one, names, &operations[s][i], 1, NULL, 0);
            assert_int_equal(sepx_graph_write_dot(&text, &one, NULL), SEPX_OK);
            colour = strstr(strstr(text.at, "n0 ["), "fillcolor=\"");
            memcpy(seen[i], colour + 11, 7);
            for (int k = 0; k < i; k++)
                CHECK(memcmp(seen[k], seen[i], 7), "%s looks like %s",
                      operations[s][i], operations[s][k]);
            sepx_text_release(&text);
            sepx_graph_release(&one);
        }
    }
}

static void
several_graphs_make_one_drawing(void **state)
{
    struct sepx_dot_style style = {.title = "one", .prefix = "a"};
    struct sepx_text text = {0};

    (void)state;
    assert_int_equal(sepx_dot_begin(&text, "both", NULL), SEPX_OK);
    assert_int_equal(sepx_dot_add(&text, &graph, &style), SEPX_OK);
    style.prefix = "b";
    assert_int_equal(sepx_dot_add(&text, &graph, &style), SEPX_OK);
    assert_int_equal(sepx_dot_stack(&text, &graph, "a", &graph, "b"), SEPX_OK);
    assert_int_equal(sepx_dot_end(&text), SEPX_OK);
    check_has(&text, "subgraph cluster_a {\n    label=<one>;");
    check_has(&text, "subgraph cluster_b {");
    check_has(&text, "    a1 -> b0 [style=invis];\n"
                     "    a2 -> b0 [style=invis];\n}\n");
    assert_null(strstr(strstr(text.at, "digraph") + 1, "digraph"));
    sepx_text_release(&text);
}

static void
every_allocation_may_fail(void **state)
{
    (void)state;
    EACH_FAULT (fault) {
        struct sepx_text text = {0};

        fault.err = sepx_graph_write_dot(&text, &graph, NULL);
        sepx_text_release(&text);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_are_escaped),
        cmocka_unit_test(control_characters_become_pictures),
        cmocka_unit_test(any_text_is_a_label),
        cmocka_unit_test(marks_numbers_and_changes_show),
        cmocka_unit_test(an_operation_has_one_colour),
        cmocka_unit_test(several_graphs_make_one_drawing),
        cmocka_unit_test(every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
