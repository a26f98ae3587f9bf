/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/reading.h"

static void
malformed_texts_are_refused_with_a_remedy(void **state)
{
    static const struct refused rows[] = {
        {"<", SEPX_EDATA,
         "line 1: unclosed token at \"<\"; is the file complete?"},
        {"<graphml", SEPX_EDATA,
         "line 1: unclosed token at \"<graphml\"; is the file complete?"},
        {"<a/>", SEPX_EDATA,
         "line 1: the text does not begin with <graphml>; is it GraphML?"},
        {"<!-- x", SEPX_EDATA,
         "line 1: unclosed token at \"<!-- x\"; is the file complete?"},
        {"<?xml version=\"1.0\"", SEPX_EDATA,
         "line 1: unclosed token at \"<?xml version=\"1.0\"\"; is the file "
         "complete?"},
        {"<?xml version=\"1.0\" encoding=\"latin1\"?>\n<graphml/>", SEPX_EDATA,
         "line 1: unknown encoding at \"latin1\"?>?<graphml/>\"; convert the "
         "text to UTF-8"},
        {"<!DOCTYPE graphml [\n<!ENTITY a \"b\">]>\n<graphml/>", SEPX_EDATA,
         "line 1: <!DOCTYPE> is not allowed; remove it"},
        {"<graphml/>", SEPX_EDATA,
         "line 1: <graphml> holds no <graph>; add one"},
        {"<graphml>\n", SEPX_EDATA,
         "line 2: the text ends too early (no element found); is the file "
         "complete?"},
        {"<graphml></graph>", SEPX_EDATA,
         "line 1: mismatched tag at \"graph>\"; close the element that was "
         "opened last"},
        {"<graphml>\n\nhello</graphml>", SEPX_EDATA,
         "line 3: the text \"hello\" in <graphml> is in no element; remove it"},
        {"<graphml><foo/></graphml>", SEPX_EDATA,
         "line 1: <foo> in <graphml> is not part of what is read; remove it"},
        {"<graphml><graph/></graphml>", SEPX_EDATA,
         "line 1: <graph> has no edgedefault; add edgedefault=\"directed\" "
         "or \"undirected\""},
        {"<graphml><graph edgedefault=\"both\"></graph></graphml>", SEPX_EDATA,
         "line 1: <graph> has the edgedefault \"both\"; write \"directed\" or "
         "\"undirected\""},
        {"<graphml><graph edgedefault=\"directed\"></graph><graph "
         "edgedefault=\"directed\"/></graphml>",
         SEPX_EDATA,
         "line 1: <graph> is the second one; write one file for each graph"},
        {"<graphml><graph edgedefault=\"directed\"></graph></graphml><x/>",
         SEPX_EDATA,
         "line 1: junk after document element at \"<x/>\"; remove it"},
        {"<graphml><graph edgedefault=\"directed\"><node/></graph></graphml>",
         SEPX_EDATA, "line 1: <node> has no id; add id=\"...\""},
        {"<graphml><graph edgedefault=\"directed\"><node "
         "id=\"\"/></graph></graphml>",
         SEPX_EDATA, "line 1: <node> has an empty id; name it"},
        {"<graphml><graph edgedefault=\"directed\"><node id=\"a\"/>\n<node "
         "id=\"a\"/></graph></graphml>",
         SEPX_EDATA,
         "line 2: <node> has the id \"a\" of an earlier node; rename one"},
        {"<graphml><graph edgedefault=\"directed\"><node id=\"a\"><graph "
         "edgedefault=\"directed\"/></node></graph></graphml>",
         SEPX_EDATA,
         "line 1: <graph> in <node> is not part of what is read; remove it"},
        {"<graphml><graph edgedefault=\"directed\"><node id=\"a\"><port "
         "name=\"p\"/></node></graph></graphml>",
         SEPX_EDATA,
         "line 1: <port> in <node> is not part of what is read; remove it"},
        {"<graphml><graph edgedefault=\"directed\"><node id=\"a\"/><node "
         "id=\"b\"/><edge source=\"a\" target=\"b\"/>\n<node "
         "id=\"c\"/></graph></graphml>",
         SEPX_EDATA,
         "line 2: <node> \"c\" comes after an edge; put all nodes first"},
        {"<graphml><graph edgedefault=\"directed\"><node id=\"a\"/><edge "
         "source=\"a\"/></graph></graphml>",
         SEPX_EDATA, "line 1: <edge> has no target; add target=\"...\""},
        {"<graphml><graph edgedefault=\"directed\"><node id=\"a\"/><edge "
         "target=\"a\"/></graph></graphml>",
         SEPX_EDATA, "line 1: <edge> has no source; add source=\"...\""},
        {"<graphml><graph edgedefault=\"directed\"><node id=\"a\"/><edge "
         "source=\"a\" target=\"b\"/></graph></graphml>",
         SEPX_EDATA,
         "line 1: <edge> has the target \"b\", which no <node> has as its id; "
         "add the node or remove the edge"},
        {"<graphml><graph edgedefault=\"directed\"><node id=\"a\"/><node "
         "id=\"b\"/><edge source=\"a\" target=\"b\" "
         "directed=\"false\"/></graph></graphml>",
         SEPX_EDATA,
         "line 1: <edge> has directed=\"false\", unlike the graph's "
         "edgedefault; edges must be all directed or all undirected"},
        {"<graphml><graph edgedefault=\"undirected\"><node id=\"a\"/><node "
         "id=\"b\"/>\n<edge source=\"a\" target=\"b\" "
         "directed=\"true\"/></graph></graphml>",
         SEPX_EDATA,
         "line 2: <edge> has directed=\"true\", unlike the graph's "
         "edgedefault; edges must be all directed or all undirected"},
        {"<graphml><graph "
         "edgedefault=\"directed\"><hyperedge/></graph></graphml>",
         SEPX_EDATA,
         "line 1: <hyperedge> in <graph> is not part of what is read; remove "
         "it"},
        {"<graphml><graph edgedefault=\"directed\"><node "
         "id=\"a\"><data>x</data></node></graph></graphml>",
         SEPX_EDATA, "line 1: <data> has no key; add key=\"...\""},
        {"<graphml><graph edgedefault=\"directed\"><node id=\"a\"><data "
         "key=\"d7\">x</data></node></graph></graphml>",
         SEPX_EDATA,
         "line 1: <data> has the key \"d7\", which no <key> declares; declare "
         "it"},
        {"<graphml><key id=\"d0\" for=\"node\" attr.name=\"label\"/><graph "
         "edgedefault=\"directed\"><node id=\"a\"><data "
         "key=\"d0\"><y:Shape/></data></node></graph></graphml>",
         SEPX_EDATA,
         "line 1: <y:Shape> in <data> is not part of what is read; remove it"},
        {"<graphml><key id=\"d0\" for=\"node\" attr.name=\"label\"/><graph "
         "edgedefault=\"directed\"><node id=\"a\"><data "
         "key=\"d0\">x</node></graph></graphml>",
         SEPX_EDATA,
         "line 1: mismatched tag at \"node></graph></graphml>\"; close the "
         "element that was opened last"},
        {"<graphml><key id=\"d0\" for=\"node\" attr.name=\"label\"/>\n<key "
         "id=\"d0\" for=\"node\" attr.name=\"label\"/><graph "
         "edgedefault=\"directed\"></graph></graphml>",
         SEPX_EDATA,
         "line 2: <key> has the id \"d0\" of an earlier key; rename one"},
        {"<graphml><key for=\"node\"/><graph "
         "edgedefault=\"directed\"></graph></graphml>",
         SEPX_EDATA, "line 1: <key> has no id; add id=\"...\""},
        {"<graphml><key id=\"\"/><graph "
         "edgedefault=\"directed\"></graph></graphml>",
         SEPX_EDATA,
         "line 1: <key> has the id \"\"; use 1 to 255 bytes, and fewer than "
         "65535 keys"},
        {"<graphml><key id=\"k\"><x/></key><graph "
         "edgedefault=\"directed\"></graph></graphml>",
         SEPX_EDATA,
         "line 1: <x> in <key> is not part of what is read; remove it"},
        {"<graphml><graph edgedefault=\"directed\"><node id=\"a\" "
         "id=\"b\"/></graph></graphml>",
         SEPX_EDATA,
         "line 1: duplicate attribute at \"id=\"b\"/></graph></graphm\"; "
         "remove it"},
        {"<graphml><graph edgedefault=\"directed\"><node "
         "id=a/></graph></graphml>",
         SEPX_EDATA,
         "line 1: not well-formed (invalid token) at "
         "\"a/></graph></graphml>\"; correct it"},
        {"<graphml><graph edgedefault=\"directed\"><node "
         "id=\"a/></graph></graphml>",
         SEPX_EDATA,
         "line 1: not well-formed (invalid token) at \"</graph></graphml>\"; "
         "correct it"},
        {"<graphml><graph edgedefault=\"directed\"><node "
         "id=\"a<b\"/></graph></graphml>",
         SEPX_EDATA,
         "line 1: not well-formed (invalid token) at "
         "\"<b\"/></graph></graphml>\"; correct it"},
        {"<graphml><graph edgedefault=\"directed\"><node id=\"a\"foo=\"b\" "
         "bar/></graph></graphml>",
         SEPX_EDATA,
         "line 1: not well-formed (invalid token) at \"foo=\"b\" "
         "bar/></graph></g\"; correct it"},
        {"<graphml><graph edgedefault=\"directed\"><node id=\"a\" / "
         "></graph></graphml>",
         SEPX_EDATA,
         "line 1: not well-formed (invalid token) at \" ></graph></graphml>\"; "
         "correct it"},
        {"<graphml><graph edgedefault=\"directed\"><node "
         "id=\"&foo;\"/></graph></graphml>",
         SEPX_EDATA,
         "line 1: undefined entity at \"<node id=\"&foo;\"/></grap\"; write "
         "&amp; for an ampersand"},
        {"<graphml><graph edgedefault=\"directed\"><node "
         "id=\"&#0;\"/></graph></graphml>",
         SEPX_EDATA,
         "line 1: reference to invalid character number at "
         "\"&#0;\"/></graph></graphml\"; write &amp; for an ampersand"},
        {"<graphml><graph edgedefault=\"directed\"><node "
         "id=\"&#xd800;\"/></graph></graphml>",
         SEPX_EDATA,
         "line 1: reference to invalid character number at "
         "\"&#xd800;\"/></graph></gra\"; write &amp; for an ampersand"},
        {"<graphml><graph edgedefault=\"directed\"><node "
         "id=\"&#x110000;\"/></graph></graphml>",
         SEPX_EDATA,
         "line 1: reference to invalid character number at "
         "\"&#x110000;\"/></graph></g\"; write &amp; for an ampersand"},
        {"<graphml><graph edgedefault=\"directed\"><node id=\"a & "
         "b\"/></graph></graphml>",
         SEPX_EDATA,
         "line 1: not well-formed (invalid token) at \" "
         "b\"/></graph></graphml>\"; write &amp; for an ampersand"},
        {"<graphml><graph edgedefault=\"directed\"><node "
         "id=\"&verylongentityname;\"/></graph></graphml>",
         SEPX_EDATA,
         "line 1: undefined entity at \"<node id=\"&verylongentit\"; write "
         "&amp; for an ampersand"},
        {"<graphml><key id=\"d0\" for=\"node\" attr.name=\"label\"/><graph "
         "edgedefault=\"directed\"><node id=\"a\">\n<data "
         "key=\"d0\"><![CDATA[x</data></node></graph></graphml>",
         SEPX_EDATA,
         "line 2: the text ends too early (unclosed CDATA section); is the "
         "file complete?"},
        {"<graphml><graph edgedefault=\"directed\"><! foo></graph></graphml>",
         SEPX_EDATA,
         "line 1: not well-formed (invalid token) at \" "
         "foo></graph></graphml>\"; correct it"},
        {"<graphml><graph edgedefault=\"directed\">< node/></graph></graphml>",
         SEPX_EDATA,
         "line 1: not well-formed (invalid token) at \" "
         "node/></graph></graphml\"; write &lt; for \"<\""},
        {"<graphml><graph edgedefault=\"directed\"><node id=\"a\"></ "
         "node></graph></graphml>",
         SEPX_EDATA,
         "line 1: not well-formed (invalid token) at \" "
         "node></graph></graphml>\"; correct it"},
        {"<graphml><graph edgedefault=\"directed\"><node id=\"a\"></node "
         "</graph></graphml>",
         SEPX_EDATA,
         "line 1: not well-formed (invalid token) at \"</graph></graphml>\"; "
         "correct it"},
        {"<graphml>\n\001</graphml>", SEPX_EDATA,
         "line 2: the byte 0x01 is no text in UTF-8; convert or remove it"},
        {"<graphml>\n\n\377</graphml>", SEPX_EDATA,
         "line 3: the byte 0xff is no text in UTF-8; convert or remove it"},
        {"<graphml><graph edgedefault=\"directed\"><node a0=\"x\" a1=\"x\" "
         "a2=\"x\" a3=\"x\" a4=\"x\" a5=\"x\" a6=\"x\" a7=\"x\" a8=\"x\" "
         "a9=\"x\" a10=\"x\" a11=\"x\" a12=\"x\" a13=\"x\" a14=\"x\" a15=\"x\" "
         "a16=\"x\"/></graph></graphml>",
         SEPX_EDATA, "line 1: <node> has no id; add id=\"...\""},
    };

    (void)state;
    check_refused(rows, sizeof(rows) / sizeof(*rows), SEPX_FORMAT_AUTO);
}

static void
a_given_form_is_not_guessed(void **state)
{
    static const struct refused rows[] = {
        {"{\"nodes\": []}", SEPX_EDATA,
         "line 1: the text does not begin with <graphml>; is it GraphML?"}};

    (void)state;
    check_refused(rows, 1, SEPX_FORMAT_GRAPHML);
}

/* As networkx 3 writes it, but for the order of the keys. */
static void
what_networkx_writes_is_read(void **state)
{
    static const char text[] =
        "<?xml version='1.0' encoding='utf-8'?>\n"
        "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" "
        "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
        "xsi:schemaLocation=\"http://graphml.graphdrawing.org/xmlns "
        "http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd\">\n"
        "  <key id=\"d3\" for=\"edge\" attr.name=\"weight\" "
        "attr.type=\"long\" />\n"
        "  <key id=\"d2\" for=\"edge\" attr.name=\"label\" "
        "attr.type=\"string\" />\n"
        "  <key id=\"d1\" for=\"node\" attr.name=\"label\" "
        "attr.type=\"string\" />\n"
        "  <key id=\"d0\" for=\"graph\" attr.name=\"name\" "
        "attr.type=\"string\" />\n"
        "  <graph edgedefault=\"directed\">\n"
        "    <node id=\"in\">\n"
        "      <data key=\"d1\">conv &lt;3x3&gt; &amp; \"q\"</data>\n"
        "    </node>\n"
        "    <node id=\"out\" />\n"
        "    <edge source=\"out\" target=\"in\" />\n"
        "    <edge source=\"in\" target=\"out\">\n"
        "      <data key=\"d2\">skip</data>\n"
        "      <data key=\"d3\">2</data>\n"
        "    </edge>\n"
        "    <data key=\"d0\">cell</data>\n"
        "  </graph>\n"
        "</graphml>\n";

    (void)state;
    check_read(text, SEPX_FORMAT_AUTO,
               "{\"nodes\":[\"conv <3x3> & \\\"q\\\"\",\"out\"],"
               "\"edges\":[[0,1,\"skip\"],[1,0]]}");
}

static void
undirected_graphs_are_read(void **state)
{
    (void)state;
    check_read("<graphml><graph edgedefault=\"undirected\"><node id=\"a\"/>"
               "<node id=\"b\"/><edge source=\"b\" target=\"a\"/><edge "
               "source=\"a\" target=\"b\" directed=\"false\"/><edge "
               "source=\"b\" target=\"b\"/></graph></graphml>",
               SEPX_FORMAT_AUTO,
               "{\"directed\":false,\"nodes\":[\"a\",\"b\"],\"edges\":"
               "[[0,1],[0,1],[1,1]]}");
}

static void
characters_are_decoded(void **state)
{
    static const char text[] =
        "\xef\xbb\xbf<!-- a - comment --><graphml><key id='k' for='all' "
        "attr.name='op'/><graph edgedefault='directed'>"
        "<node id='a'><data key='k'>&#65;&#x42;&#x6c;&#x20AC;&#x1F600;&apos;"
        "</data></node>"
        "<node id='b'><data key='k'>x<![CDATA[<&amp;>]]>y<!-- no -->z</data>"
        "</node>"
        "<node id='c'><data key='k'>1\r\n2\r3</data></node>"
        "<node id='d&quot;\n\te'/>"
        "<node id='f'><data key='k'/></node>"
        "</graph></graphml><?php?> <!---->";

    (void)state;
    check_read(text, SEPX_FORMAT_AUTO,
               "{\"nodes\":[\"ABl\xe2\x82\xac\xf0\x9f\x98\x80'\","
               "\"x<&amp;>yz\",\"1\\n2\\n3\",\"d\\\"  e\",\"\"],"
               "\"edges\":[]}");
}

static void
other_encodings_become_utf8(void **state)
{
    static const char text[] =
        "\n<?xml version='1.0' encoding='ISO-8859-1'?>\n"
        "<graphml><graph edgedefault='directed'><node id='caf\xe9'/></graph>"
        "</graphml>";

    (void)state;
    check_read(text, SEPX_FORMAT_AUTO,
               "{\"nodes\":[\"caf\xc3\xa9\"],\"edges\":[]}");
}

/* "label" is better than "op", and given better than a default. */
static void
the_best_label_wins(void **state)
{
    static const char text[] =
        "<graphml><desc>d</desc>"
        "<key id='o' attr.name='op'><desc/><default>id</default></key>"
        "<key id='l' for='node' attr.name='label'/>"
        "<key id='w' for='node' attr.name='weight'><default>9</default></key>"
        "<graph edgedefault='directed'><desc/>"
        "<node id='a'><data key='o'>x</data></node>"
        "<node id='b'><data key='l'>y</data><data key='o'>x</data></node>"
        "<node id='c'><desc>no</desc><data key='w'>7</data></node>"
        "<edge source='a' target='b' directed='true'/>"
        "<edge source='b' target='a'><data key='o'>e</data></edge>"
        "</graph><data key='w'>1</data></graphml>";

    (void)state;
    check_read(text, SEPX_FORMAT_AUTO,
               "{\"nodes\":[\"x\",\"y\",\"id\"],"
               "\"edges\":[[0,1,\"id\"],[1,0,\"e\"]]}");
}

static void
check_limit(const struct sepx_text *text, const char *message)
{
    struct sepx_names *names = sepx_names_new();
    struct sepx_graph graph = {0};
    struct sepx_msg msg = {0};

    assert_int_equal(sepx_graph_read(&graph, names, text->at, text->len,
                                     SEPX_FORMAT_AUTO, &msg),
                     SEPX_ELIMIT);
    assert_string_equal(msg.text, message);
    sepx_names_free(names);
}

static void
limits_are_kept(void **state)
{
    static const char begin[] =
        "<graphml><key id='k' attr.name='op'/><graph edgedefault='directed'>\n";
    struct sepx_text text = {0};
    char name[257];

    (void)state;
    assert_int_equal(sepx_text_print(&text, "%s", begin), SEPX_OK);
    for (int i = 0; i < 10000; i++)
        assert_int_equal(sepx_text_print(&text, "<node id='%d'/>\n", i),
                         SEPX_OK);
    check_limit(&text, "line 4098: <node> is one node more than the 4096 "
                       "allowed; split the graph");
    memset(name, 'x', 256);
    name[256] = 0;
    text.len = 0;
    assert_int_equal(sepx_text_print(&text, "%s<node id='%s'/>", begin, name),
                     SEPX_OK);
    check_limit(&text, "line 2: <node> has the id \"xxxxxxxxxxxxxxxxxxxxxxxxxx"
                       "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...\" of 256 bytes; "
                       "shorten it to 255 at most");
    text.len = 0;
    assert_int_equal(sepx_text_print(&text,
                                     "%s<node id='a'><data key='k'>%s</data>"
                                     "</node>",
                                     begin, name),
                     SEPX_OK);
    check_limit(&text, "line 2: <node> has a label of 256 bytes, \"xxxxxxxxxxx"
                       "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...\""
                       "; shorten it to 255 at most");
    sepx_text_release(&text);
}

/* No prefix of a good text is good, none crashes. */
static void
cut_texts_are_refused(void **state)
{
    static const char text[] =
        "<?xml version='1.0'?><graphml><key id='k' attr.name='op'><default>x"
        "</default></key><graph edgedefault='directed'><node id='a&amp;'>"
        "<data key='k'><![CDATA[y]]></data></node><node id='b'/><edge source="
        "'b' target='a&amp;'/><!-- c --></graph></graphml>";
    struct sepx_names *names = sepx_names_new();
    struct sepx_graph graph = {0};

    (void)state;
    for (size_t len = 0; len < strlen(text); len++) {
        char *copy = test_malloc(len + 1); /* exact, for the sanitizer */
        struct sepx_msg msg = {0};

        memcpy(copy, text, len);
        assert_int_equal(sepx_graph_read(&graph, names, copy, len,
                                         SEPX_FORMAT_GRAPHML, &msg),
                         SEPX_EDATA);
        assert_true(msg.text[0]);
        test_free(copy);
    }
    assert_int_equal(sepx_graph_read(&graph, names, text, strlen(text),
                                     SEPX_FORMAT_GRAPHML, NULL),
                     SEPX_OK);
    sepx_graph_release(&graph);
    sepx_names_free(names);
}

static void
every_allocation_may_fail(void **state)
{
    (void)state;
    check_faults("<graphml><key id='k' attr.name='op'><default>q</default>"
                 "</key><graph edgedefault='directed'><node id='a'><data "
                 "key='k'>x&lt;y</data></node><node id='b'/><edge source='a' "
                 "target='b'><data key='k'>z</data></edge></graph></graphml>");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(malformed_texts_are_refused_with_a_remedy),
        cmocka_unit_test(a_given_form_is_not_guessed),
        cmocka_unit_test(what_networkx_writes_is_read),
        cmocka_unit_test(undirected_graphs_are_read),
        cmocka_unit_test(characters_are_decoded),
        cmocka_unit_test(other_encodings_become_utf8),
        cmocka_unit_test(the_best_label_wins),
        cmocka_unit_test(limits_are_kept),
        cmocka_unit_test(cut_texts_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
