/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every format that is read and written: what is written reads back the
 * same, and what the format cannot hold is refused, on random graphs of all
 * kinds with labels of all kinds. And what readers say of bad text.
 */
#include <stdio.h>

#include "unit/reading.h"

enum { ROUNDS = 1000, TRIES = 40 * ROUNDS };

/* Labels that other programs' quotes, escapes and entities stumble over. */
static const char *const wild[] = {"a",
                                   "conv3x3-bn-relu",
                                   "two words",
                                   "\"quoted\"",
                                   "it's",
                                   "back\\",
                                   "\\n",
                                   "\\\"",
                                   "a\nb",
                                   "tab\there",
                                   "&amp;",
                                   "a & b; c",
                                   "<b>&#65;",
                                   "\xc3\xa4\xe2\x82\xac",
                                   "]",
                                   "[label=\"x\"]",
                                   "}",
                                   "//",
                                   "/* c */",
                                   "# x",
                                   "\xf0\x9f\x99\x82",
                                   "\r",
                                   "\x01",
                                   " ",
                                   "%s",
                                   "0",
                                   "-1.5",
                                   "digraph",
                                   "\\N",
                                   "$$$$",
                                   "\xef\xbf\xbf"};
static const char *const words[] = {"a", "b", "12", "x\"y", "\xc3\xa4", "#"};
static const char *const atoms[] = {"C",  "N",   "O",    "Cl", "N+",
                                    "O-", "13C", "Fe+2", "*",  "2H"};
static const char *const bonds[] = {"1", "2", "3", "4"};
static const char *const spaces[] = {"nb101", "nb201", "darts", "nbnlp"};

#define PICK(list, rng) \
    (list)[sepx_rng_below(rng, sizeof(list) / sizeof(*(list)))]

static uint16_t
label(struct sepx_names *names, const char *text)
{
    uint16_t id;

    assert_int_equal(sepx_names_add(names, &id, text), SEPX_OK);
    return id;
}

/* One of: anything, words, molecules; sometimes without labels. */
static void
draw(struct sepx_graph *graph, struct sepx_names *names, struct sepx_rng *rng)
{
    unsigned kind = sepx_rng_below(rng, 3), n = sepx_rng_below(rng, 8);
    unsigned edges = n ? sepx_rng_below(rng, 2 * n) : 0;
    bool named = sepx_rng_chance(rng, 0.9), simple = sepx_rng_chance(rng, 0.7);
    bool marked = sepx_rng_chance(rng, 0.6), sorted = sepx_rng_chance(rng, 0.5);

    sepx_graph_clear(graph);
    graph->undirected = sepx_rng_chance(rng, 0.5);
    for (unsigned i = 0; i < n; i++) {
        const char *text = kind == 0   ? PICK(wild, rng)
                           : kind == 1 ? PICK(words, rng)
                                       : PICK(atoms, rng);

        assert_int_equal(
            sepx_graph_add_node(graph, label(names, named ? text : "")),
            SEPX_OK);
    }
    for (unsigned i = 0; i < edges; i++) {
        unsigned a = sepx_rng_below(rng, n), b = sepx_rng_below(rng, n), c = a;
        const char *text = kind == 0   ? PICK(wild, rng)
                           : kind == 1 ? PICK(words, rng)
                                       : PICK(bonds, rng);

        if (sorted && a > b) {
            a = b;
            b = c;
        }
        if (simple && (a == b || sepx_graph_find_edge(graph, a, b)))
            continue;
        assert_int_equal(sepx_graph_add_parallel(
                             graph, a, b, label(names, marked ? text : "")),
                         SEPX_OK);
    }
}

/* True: it was written, and is the same again. */
static bool
round_trip(const struct sepx_format_info *format,
           const struct sepx_graph *graph, bool exact, unsigned seed)
{
    struct sepx_names *names = sepx_names_new();
    struct sepx_graphs back = {0};
    struct sepx_text text = {0};
    struct sepx_msg msg = {0};
    bool same = false;
    enum sepx_err err = sepx_graph_write(&text, graph, format, &msg);

    if (err) {
        CHECK(err == SEPX_EDATA && *msg.text, "%s, seed %u: %d %s",
              format->name, seed, (int)err, msg.text);
        assert_true(!text.len);
    } else {
        err = sepx_graphs_read_as(&back, names, text.at, text.len, format, "x",
                                  &msg);
        CHECK(!err && back.count == 1, "%s, seed %u: %s\n%s", format->name,
              seed, msg.text, text.at);
        same = sepx_graph_equal(graph, &back.at[0]);
        if (!same && !exact) {
            struct sepx_graph twin = {0};
            struct sepx_text json = {0};

            assert_int_equal(sepx_graph_write_json(&json, &back.at[0]),
                             SEPX_OK);
            assert_int_equal(sepx_graph_read(&twin, graph->names, json.at,
                                             json.len, SEPX_FORMAT_JSON, NULL),
                             SEPX_OK);
            assert_int_equal(sepx_graph_isomorphic(graph, &twin, &same, NULL),
                             SEPX_OK);
            sepx_graph_release(&twin);
            sepx_text_release(&json);
        }
        CHECK(same, "%s, seed %u: another graph\n%s", format->name, seed,
              text.at);
    }
    sepx_text_release(&text);
    sepx_graphs_release(&back);
    sepx_names_free(names);
    return same;
}

/* Benchmarks' formats hold benchmarks' graphs, in one order of nodes. */
static const char *
space_of(const struct sepx_format_info *format)
{
    for (size_t i = 0; i < sizeof(spaces) / sizeof(*spaces); i++)
        if (!strcmp(format->name, spaces[i]))
            return spaces[i];
    return NULL;
}

static void
test_round_trips(void **state)
{
    const struct sepx_format_info *const *row = sepx_format_list();
    unsigned formats = 0;

    (void)state;
    for (; *row; row++) {
        const char *name = space_of(*row);
        struct sepx_names *names = sepx_names_new();
        struct sepx_graph graph = {.names = names};
        struct sepx_space *space = NULL;
        struct sepx_rng rng;
        unsigned done = 0, seed = 0;

        if (name)
            assert_int_equal(sepx_space_open(&space, name, NULL), SEPX_OK);
        for (; (*row)->writes && done < ROUNDS && seed < TRIES; seed++) {
            sepx_rng_init(&rng, seed, 0, 0, 0);
            if (space && seed % 2) {
                graph.names = sepx_space_names(space);
                assert_int_equal(sepx_space_sample(space, &graph, &rng),
                                 SEPX_OK);
            } else {
                graph.names = names;
                draw(&graph, names, &rng);
            }
            done += round_trip(*row, &graph, !space, seed);
        }
        CHECK(!(*row)->writes || done == ROUNDS, "%s: only %u of %u",
              (*row)->name, done, seed);
        formats += (*row)->writes;
        sepx_graph_release(&graph);
        sepx_space_close(space);
        sepx_names_free(names);
    }
    assert_true(formats >= 9);
}

/* Keys beside the graph stay in JSON, and are refused by the others. */
static void
test_other_keys_are_not_lost(void **state)
{
    static const char text[] = "{\"nodes\":[\"C\"],\"edges\":[],\"acc\":1}";
    const struct sepx_format_info *const *row = sepx_format_list();
    struct sepx_names *names = sepx_names_new();
    struct sepx_graph graph = {0};

    (void)state;
    assert_int_equal(sepx_graph_read(&graph, names, text, strlen(text),
                                     SEPX_FORMAT_AUTO, NULL),
                     SEPX_OK);
    for (; *row; row++) {
        struct sepx_text out = {0};
        struct sepx_msg msg = {0};
        enum sepx_err err = sepx_graph_write(&out, &graph, *row, &msg);

        if (!(*row)->writes)
            assert_int_equal(err, SEPX_EUNSUPPORTED);
        else if (strstr((*row)->name, "json") ||
                 !strcmp((*row)->name, "node-link"))
            CHECK(!err && strstr(out.at, "\"acc\":1"), "%s", (*row)->name);
        else
            CHECK(err == SEPX_EDATA && strstr(msg.text, "--drop-keys"), "%s",
                  (*row)->name);
        sepx_text_release(&out);
    }
    sepx_graph_release(&graph);
    sepx_names_free(names);
}

static void
test_dot_as_people_write_it(void **state)
{
    (void)state;
    check_read("# made by hand\n/* a\n comment */ strict digraph \"G\" {\n"
               "  rankdir=LR; graph [bgcolor=white]\n"
               "  node [shape=box, label=\"\\N!\"]; // default\n"
               "  a -> b -> c [label=x color=red]\n"
               "  subgraph cluster_0 { node [label=\"in\"] d; e [label=E] }\n"
               "  {a b} -> {d:port:n e}; a [op=\"ignored\" label=\"A\" "
               "+ \"\\\"B\"]\n"
               "  a -> b [label=x]\n}\n",
               SEPX_FORMAT_AUTO,
               "{\"nodes\":[\"A\\\"B\",\"b!\",\"c!\",\"in\",\"E\"],"
               "\"edges\":[[0,1,\"x\"],[0,3],[0,4],[1,2,\"x\"],[1,3],[1,4]]}");
    check_read("GRAPH { 1 -- 1.5 ; \"\" -- -2 [label=\"a\\nb\"] }",
               SEPX_FORMAT_AUTO,
               "{\"directed\":false,\"nodes\":[\"1\",\"1.5\",\"\",\"-2\"],"
               "\"edges\":[[0,1],[2,3,\"a\\nb\"]]}");
}

/* Each rule once; tests/cli/compare_graphviz.py asks Graphviz itself. */
static void
test_dot_as_graphviz_reads_it(void **state)
{
    static const char *const rows[][2] = {
        /* An edge inside of an end has its own label. */
        {"digraph{a->{b->c[label=y]}[label=x]}",
         "{\"nodes\":[\"a\",\"b\",\"c\"],"
         "\"edges\":[[0,1,\"x\"],[0,2,\"x\"],[1,2,\"y\"]]}"},
        {"digraph{a->{edge[label=z] b->c}}",
         "{\"nodes\":[\"a\",\"b\",\"c\"],"
         "\"edges\":[[0,1],[0,2],[1,2,\"z\"]]}"},
        /* A named subgraph keeps its nodes and defaults; its name is local. */
        {"digraph{subgraph S{node[label=x] a} subgraph S{b}->c}",
         "{\"nodes\":[\"x\",\"x\",\"c\"],\"edges\":[[0,2],[1,2]]}"},
        {"digraph{subgraph S{a} {subgraph S{b}->c}}",
         "{\"nodes\":[\"a\",\"b\",\"c\"],\"edges\":[[1,2]]}"},
        {"digraph{subgraph S{a}->subgraph S{b}}",
         "{\"nodes\":[\"a\",\"b\"],"
         "\"edges\":[[0,0],[0,1],[1,0],[1,1]]}"},
        /* Lists of nodes, in which a node counts each time. */
        {"digraph{a,b:n[label=x] a,a->c}",
         "{\"nodes\":[\"x\",\"x\",\"c\"],\"edges\":[[0,2],[0,2]]}"},
        {"digraph{{a a}->b {a}[label=x]}",
         "{\"nodes\":[\"a\",\"b\"],\"edges\":[[0,1]]}"},
        /* In a strict graph the last word counts, but no later default. */
        {"strict digraph{a->b[label=x] edge[label=z] a->b a->b[label=y] a->b}",
         "{\"nodes\":[\"a\",\"b\"],\"edges\":[[0,1,\"y\"]]}"},
        {"strict graph{a--b[label=x] b--a[op=y] a--a a--a}",
         "{\"directed\":false,\"nodes\":[\"a\",\"b\"],"
         "\"edges\":[[0,0],[0,1,\"x\"]]}"},
        {"strict digraph{a->b[label=x] a->b[key=k label=y]}",
         "{\"nodes\":[\"a\",\"b\"],\"edges\":[[0,1,\"x\"]]}"},
        /* A subgraph has its nodes in the order in which they were made. */
        {"strict graph{a b {b a}--{a b}[label=\"\\E\"]}",
         "{\"directed\":false,\"nodes\":[\"a\",\"b\"],"
         "\"edges\":[[0,0,\"a--a\"],[0,1,\"a--b\"],[1,1,\"b--b\"]]}"},
        /* Edges of one key are one. */
        {"graph{a--b[key=k label=x] a--b[label=z] b--a[key=k label=y]}",
         "{\"directed\":false,\"nodes\":[\"a\",\"b\"],"
         "\"edges\":[[0,1,\"y\"],[0,1,\"z\"]]}"},
        /* As `dot -Tdot` writes what has only "op". */
        {"digraph{node[label=\"\\N\"] a[op=x] a->b[label=\"\" op=y]}",
         "{\"nodes\":[\"x\",\"b\"],\"edges\":[[0,1,\"y\"]]}"},
        /* Names have escapes when they serve as labels. */
        {"digraph G{\"a\\nb\"->c[label=\"\\G:\\E:\\T:\\H:\\\\:\\N\"]}",
         "{\"nodes\":[\"a\\nb\",\"c\"],"
         "\"edges\":[[0,1,\"G:a\\nb->c:a\\nb:c:\\\\:N\"]]}"},
        {"digraph{a graph[label=<b>] b/* */=/* */<c> edge[key=k] a->a a->a}",
         "{\"nodes\":[\"a\"],\"edges\":[[0,0],[0,0]]}"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        check_read(rows[i][0], SEPX_FORMAT_AUTO, rows[i][1]);
}

static void
test_data_sets_of_similarity(void **state)
{
    (void)state;
    check_read("{\"n\":3,\"m\":2,\"labels\":[\"a\",\"b\",\"c\"],"
               "\"graph\":[[0,1],[2,1]]}",
               SEPX_FORMAT_AUTO,
               "{\"directed\":false,\"nodes\":[\"a\",\"b\",\"c\"],"
               "\"edges\":[[0,1],[1,2]]}");
    check_read("{\"gid\":7,\"n\":2,\"m\":1,\"graph\":[[0,1]]}",
               SEPX_FORMAT_AUTO,
               "{\"directed\":false,\"nodes\":[\"\",\"\"],"
               "\"edges\":[[0,1]],\"gid\":7}");
    check_read("{\"directed\":true,\"labels\":[6,\"C\"],"
               "\"graph\":[[1,0,\"x\"]]}",
               SEPX_FORMAT_AUTO,
               "{\"nodes\":[\"6\",\"C\"],\"edges\":[[1,0,\"x\"]]}");
    check_read("{\"n\":0,\"m\":0,\"graph\":[]}", SEPX_FORMAT_AUTO,
               "{\"directed\":false,\"nodes\":[],\"edges\":[]}");
}

static void
test_gml_as_networkx_writes_it(void **state)
{
    (void)state;
    check_read("Creator \"x\"\n# comment\ngraph [\n  directed 1\n"
               "  multigraph 1\n  name \"n\"\n  node [\n    id 7\n"
               "    label \"first\"\n    op \"conv &#228;&quot;\"\n"
               "    graphics [ x 1.5 w [ y 2 ] ]\n  ]\n"
               "  node [ id -1 ]\n  edge [ source 7 target -1 key 0 "
               "label 3 ]\n]\n",
               SEPX_FORMAT_AUTO,
               "{\"nodes\":[\"conv \xc3\xa4\\\"\",\"-1\"],"
               "\"edges\":[[0,1,\"3\"]]}");
}

static void
test_other_texts(void **state)
{
    (void)state;
    check_read("t # 12\nv 0 C\nv 1 N\n\n% x\ne 0 1 2\nt # -1\n",
               SEPX_FORMAT_AUTO,
               "{\"directed\":false,\"nodes\":[\"C\",\"N\"],"
               "\"edges\":[[0,1,\"2\"]]}");
    check_read("name\n prog\n\n  2  1  0  0  0  0  0  0  0  0999 V2000\n"
               "    1.0000    2.0000    0.0000 C   0  0  0  0  0  0\n"
               "    1.0000    2.0000    0.0000 O   0  5  0  0  0  0\n"
               "  1  2  1  0\nM  ISO  1   1  13\nM  END\n> <x>\n1\n\n$$$$\n",
               SEPX_FORMAT_AUTO,
               "{\"directed\":false,\"nodes\":[\"13C\",\"O-\"],"
               "\"edges\":[[0,1,\"1\"]]}");
}

/* A field of a protocol buffer that holds bytes, fewer than 128. */
static void
field(struct sepx_text *text, int number, const char *bytes, size_t len)
{
    char head[] = {(char)(number << 3 | 2), (char)len};

    assert_int_equal(sepx_text_add(text, head, 2), SEPX_OK);
    assert_int_equal(sepx_text_add(text, bytes, len), SEPX_OK);
}

static void
name(struct sepx_text *text, int number, const char *word)
{
    field(text, number, word, strlen(word));
}

static void
nested(struct sepx_text *text, int number, int inner, const char *word)
{
    struct sepx_text part = {0};

    name(&part, inner, word);
    field(text, number, part.at, part.len);
    sepx_text_release(&part);
}

static void
add_operator(struct sepx_text *graph, const char *type,
             const char *const *input, const char *output)
{
    struct sepx_text node = {0};

    for (; *input; input++)
        name(&node, 1, *input);
    name(&node, 2, output);
    name(&node, 4, type);
    field(graph, 1, node.at, node.len);
    sepx_text_release(&node);
}

/* Fields of small numbers: AttributeProto.ints or TensorProto.dims. */
static void
numbers(struct sepx_text *text, int number, const char *digits, bool packed)
{
    struct sepx_text part = {0};

    for (; *digits; digits++) {
        char one[] = {(char)(number << 3), (char)(*digits - '0')};

        assert_int_equal(packed ? sepx_text_add(&part, one + 1, 1)
                                : sepx_text_add(text, one, 2),
                         SEPX_OK);
    }
    if (packed)
        field(text, number, part.at, part.len);
    sepx_text_release(&part);
}

static void
attribute(struct sepx_text *node, const char *word, int number,
          const char *digits, bool packed)
{
    struct sepx_text part = {0};

    name(&part, 1, word);
    numbers(&part, number, digits, packed);
    field(node, 5, part.at, part.len);
    sepx_text_release(&part);
}

/* A model of one operator with a weight of this shape. */
static void
check_label(const struct sepx_text *attributes, const char *type,
            const char *shape, const char *expected)
{
    struct sepx_names *names = sepx_names_new();
    struct sepx_text node = {0}, weight = {0}, body = {0}, model = {0};
    struct sepx_graph graph = {0};
    struct sepx_msg msg = {0};

    name(&node, 1, "x");
    name(&node, 1, "w");
    name(&node, 2, "y");
    name(&node, 4, type);
    assert_int_equal(sepx_text_add(&node, attributes->at, attributes->len),
                     SEPX_OK);
    numbers(&weight, 1, shape, strlen(shape) > 2);
    name(&weight, 8, "w");
    field(&body, 1, node.at, node.len);
    field(&body, 5, weight.at, weight.len);
    nested(&body, 11, 1, "x");
    nested(&body, 12, 1, "y");
    assert_true(body.len < 256);
    assert_int_equal(sepx_text_add(&model, "\x08\x08\x3a", 3), SEPX_OK);
    if (body.len > 127) {
        char len[] = {(char)(body.len | 128), (char)(body.len >> 7)};

        assert_int_equal(sepx_text_add(&model, len, 2), SEPX_OK);
    } else {
        char len = (char)body.len;

        assert_int_equal(sepx_text_add(&model, &len, 1), SEPX_OK);
    }
    assert_int_equal(sepx_text_add(&model, body.at, body.len), SEPX_OK);
    CHECK(sepx_graph_read(&graph, names, model.at, model.len, SEPX_FORMAT_AUTO,
                          &msg) == SEPX_OK,
          "%s", msg.text);
    assert_string_equal(sepx_names_text(names, graph.label[1]), expected);
    sepx_graph_release(&graph);
    sepx_text_release(&node);
    sepx_text_release(&weight);
    sepx_text_release(&body);
    sepx_text_release(&model);
    sepx_names_free(names);
}

static void
test_onnx_labels_have_sizes(void **state)
{
    struct sepx_text none = {0}, plain = {0}, each = {0}, odd = {0}, b = {0};

    (void)state;
    attribute(&plain, "kernel_shape", 8, "33", true);
    attribute(&plain, "strides", 8, "22", false);
    attribute(&plain, "pads", 8, "1111", true);
    attribute(&plain, "dilations", 8, "11", true);
    check_label(&plain, "Conv", "9433", "Conv out=9 k=3 s=2 pad=1");
    check_label(&plain, "MaxPool", "", "MaxPool k=3 s=2 pad=1");
    attribute(&each, "group", 3, "6", false);
    attribute(&each, "kernel_shape", 8, "33", false);
    check_label(&each, "Conv", "6133", "Conv k=3 groups=all");
    check_label(&each, "Conv", "6233", "Conv out=6 k=3 groups=6");
    attribute(&odd, "kernel_shape", 8, "17", true);
    attribute(&odd, "pads", 8, "0303", true);
    check_label(&odd, "Conv", "8417", "Conv out=8 k=1x7 pad=0x3");
    attribute(&b, "transB", 3, "1", false);
    check_label(&b, "Gemm", "59", "Gemm out=5");
    check_label(&none, "Gemm", "59", "Gemm out=9");
    check_label(&none, "MatMul", "59", "MatMul out=9");
    check_label(&none, "Add", "59", "Add");
    sepx_text_release(&plain);
    sepx_text_release(&each);
    sepx_text_release(&odd);
    sepx_text_release(&b);
}

/* An operator on an input and a weight, and one that takes it twice. */
static void
test_onnx(void **state)
{
    static const char *const first[] = {"x", "w", NULL};
    static const char *const second[] = {"y", "y", "u", "", NULL};
    static const char *const copied[] = {"v", NULL}, *const none[] = {NULL};
    struct sepx_names *names = sepx_names_new();
    struct sepx_text body = {0}, model = {0}, out = {0};
    struct sepx_graph graph = {0};
    struct sepx_msg msg = {0};

    (void)state;
    /* Weights that operators make are weights as well. */
    add_operator(&body, "Constant", none, "v");
    add_operator(&body, "Identity", copied, "u");
    add_operator(&body, "Conv", first, "y");
    add_operator(&body, "Add", second, "z");
    nested(&body, 5, 8, "w");
    nested(&body, 11, 1, "x");
    nested(&body, 11, 1, "w");
    nested(&body, 12, 1, "z");
    assert_int_equal(sepx_text_add(&model, "\x08\x08", 2), SEPX_OK);
    field(&model, 7, body.at, body.len);
    CHECK(sepx_graph_read(&graph, names, model.at, model.len, SEPX_FORMAT_AUTO,
                          &msg) == SEPX_OK,
          "%s", msg.text);
    assert_int_equal(sepx_graph_write_json(&out, &graph), SEPX_OK);
    assert_string_equal(out.at,
                        "{\"nodes\":[\"input\",\"Conv\",\"Add\",\"output\"],"
                        "\"edges\":[[0,1],[1,2],[1,2],[2,3]]}");
    for (size_t len = 3; len < model.len; len++)
        CHECK(sepx_graph_read(&graph, names, model.at, len, SEPX_FORMAT_AUTO,
                              &msg) == SEPX_EDATA,
              "%zu bytes", len);
    sepx_text_release(&out);
    sepx_text_release(&model);
    sepx_text_release(&body);
    sepx_graph_release(&graph);
    sepx_names_free(names);
}

/* ---- traces of torch.fx ---- */

static enum sepx_err
read_fx(const char *text, struct sepx_text *out, struct sepx_msg *msg)
{
    struct sepx_names *names = sepx_names_new();
    struct sepx_graph graph = {0};
    enum sepx_err err = names
                            ? sepx_graph_read(&graph, names, text, strlen(text),
                                              SEPX_FORMAT_AUTO, msg)
                            : SEPX_ENOMEM;

    sepx_text_release(out);
    if (!err)
        err = sepx_graph_write_json(out, &graph);
    sepx_graph_release(&graph);
    sepx_names_free(names);
    return err;
}

#define FX(name, op, target, args) \
    "{\"name\": \"" name "\", \"op\": \"" op "\", \"target\": \"" target \
    "\", \"args\": [" args "]}"
#define OF(name) "{\"node\": \"" name "\"}"

/* Sizes, what is dead and what does nothing are left out; inputs are not. */
static void
test_fx(void **state)
{
    static const char text[] =
        "{\"fx\": [" FX("x", "placeholder", "x", "") "," FX(
            "y", "placeholder", "y",
            "null") "," FX("w", "get_attr",
                           "scale", "") "," FX("conv", "call_module", "a.0",
                                               OF("x")) "," FX("n",
                                                               "call_method",
                                                               "size",
                                                               OF("conv") ", 0") "," FX("m", "call_function", "mul", OF("n") ", 2") "," FX("k", "call_function", "arange", "3") "," FX("same", "call_module", "a.1", OF("conv")) "," FX("also", "call_method", "contiguous", OF("same")) "," FX("add",
                                                                                                                                                                                                                                                                                                "call_function", "add", OF("also") "," OF("conv")) "," FX("dead", "call_function", "neg", OF("add")) ","
                                                                                                                                                                                                                                                                                                                                                                                                     "{\"name\": \"cat\", \"op\": \"call_function\", \"target\": \"cat\","
                                                                                                                                                                                                                                                                                                                                                                                                     " \"label\": \"cat dim=1\", \"kwargs\": {\"tensors\": [[" OF("add") ", " OF("w") "], {\"dict\": [[\"n\", " OF(
                                                                                                                                                                                                                                                                                                                                                                                                         "m") "]]}]}}," FX("output",
                                                                                                                                                                                                                                                                                                                                                                                                                           "output",
                                                                                                                                                                                                                                                                                                                                                                                                                           "output", OF("cat")) "],"
                                                                                                                                                                                                                                                                                                                                                                                                                                                " \"modules\": {\"a.0\": \"Conv2d out=8 k=3\", \"a.1\": \"Identity\"}}";
    struct sepx_text out = {0};
    struct sepx_msg msg = {0};

    (void)state;
    CHECK(read_fx(text, &out, &msg) == SEPX_OK, "%s", msg.text);
    assert_string_equal(
        out.at,
        "{\"nodes\":[\"input\",\"input\",\"parameter\",\"Conv2d "
        "out=8 k=3\",\"add\",\"cat dim=1\",\"output\"],\"edges\":[[0,3],"
        "[2,5],[3,4],[3,4],[4,5],[5,6]]}");
    sepx_text_release(&out);
    EACH_FAULT (fault) {
        fault.err = read_fx(text, &out, NULL);
        sepx_text_release(&out);
    }
}

static void
test_fx_is_refused_with_a_reason(void **state)
{
    static const struct {
        const char *text, *reason;
    } cases[] = {
        {"{\"fx\": 3}", "no list \"fx\""},
        {"{\"fx\": [3]}", "fx[0]: expected an object, not an integer"},
        {"{\"fx\": [{}]}", "fx[0]: there is no text \"op\""},
        {"{\"fx\": [{\"op\": \"call\"}]}", "fx[0]: unknown op \"call\""},
        {"{\"fx\": [{\"op\": \"output\"}]}", "no text \"name\""},
        {"{\"fx\": [{\"op\": \"call_method\", \"name\": \"a\"}]}",
         "fx[0] (\"a\"): there is no text \"target\""},
        {"{\"fx\": [" FX("a", "placeholder", "a", "") "," FX("a", "placeholder",
                                                             "a", "") "]}",
         "two nodes have the name \"a\""},
        {"{\"fx\": [" FX("a", "output", "a", OF("b")) "]}",
         "fx[0] reads the node \"b\", which there is not"},
        {"{\"fx\": [" FX("a", "output", "a", OF("b")) "," FX("b", "placeholder",
                                                             "b", "") "]}",
         "\"b\", which comes later"},
        {"{\"fx\": [" FX("a", "placeholder", "a", "") "," FX(
             "b", "call_module", "c.0", OF("a")) "," FX("o", "output", "o",
                                                        OF("b")) "]}",
         "fx[1] calls the module \"c.0\", whose label is not in \"modules\""},
        {"{\"fx\": [], \"modules\": []}", "\"modules\": expected an object"},
    };
    struct sepx_text out = {0};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sepx_msg msg = {0};

        CHECK(read_fx(cases[i].text, &out, &msg) == SEPX_EDATA, "%s",
              cases[i].text);
        CHECK(strstr(msg.text, cases[i].reason), "%s: %s", cases[i].text,
              msg.text);
    }
    sepx_text_release(&out);
}

static void
test_refused(void **state)
{
    static const struct refused rows[] = {
        {"digraph { a -- b }", SEPX_EDATA,
         "line 1: \"--\" in a digraph; write \"->\""},
        {"digraph {\n a [label=<b>x</b>] }", SEPX_EDATA,
         "line 2: the label is HTML, which only Graphviz can read; write it in "
         "quotes"},
        {"digraph { a -> ", SEPX_EDATA,
         "line 1: \"the end\" where a node should be"},
        {"digraph { a } graph { b }", SEPX_EDATA,
         "line 1: \"graph\" behind the graph; write one file for each graph"},
        {"digraph { \"a", SEPX_EDATA,
         "line 1: a string does not end, or has a zero byte; end it with a "
         "quote"},
        {"digraph { subgraph x -> y }", SEPX_EDATA,
         "line 1: a subgraph is named without \"{\"; write its nodes out"},
        {"digraph { 1a -> b }", SEPX_EDATA,
         "line 1: \"1a\" is a number that runs into a name; write it in quotes "
         "if it is one name, else put a blank behind the number"},
        {"digraph {\n a -> edge }", SEPX_EDATA,
         "line 2: \"edge\" where a node should be is a keyword; write it in "
         "quotes"},
        {"digraph { a.b }", SEPX_EDATA,
         "line 1: \".\" is no part of the language; remove it"},
        {"graph [ node [ id 1 ] edge [ source 1 target 2 ] ]", SEPX_EDATA,
         "line 1: an edge has the target 2, which no node before it has as its "
         "id; add the node, or move it up"},
        {"graph [\nnode [ label \"x\" ] ]", SEPX_EDATA,
         "line 2: a node has no id; add \"id N\""},
        {"graph [ node [ id 1 ]", SEPX_EDATA,
         "line 1: \"the end\" where a key or \"]\" should be"},
        {"graph [ name \"x\" vertex [ id 1 ] ]", SEPX_EDATA,
         "line 1: the graph has no \"node [...]\", but \"vertex [...]\", which "
         "is not read; list its nodes as \"node [ id N ]\""},
        {"t # 0\nv 0 a\ne 0 1 b\n", SEPX_EDATA,
         "line 3: node 1 is not there; nodes are numbered from 0 and come "
         "before their edges"},
        {"t # 0\nv 1 a\n", SEPX_EDATA,
         "line 2: node 1 should be node 0: they are numbered from 0, in order"},
        {"t # 0\nv 0 a\nd 0 0\ne 0 0\n", SEPX_EDATA,
         "line 4: edges are all directed (\"d\") or all undirected (\"e\", "
         "\"u\"); change one"},
        {"x\ny\nz\n  1  0  0  0  0  0  0  0  0  0999 V2000\nM  END\n",
         SEPX_EDATA,
         "line 5: an atom is missing; its line has a symbol in columns 32 to "
         "34"},
    };

    (void)state;
    check_refused(rows, sizeof(rows) / sizeof(*rows), SEPX_FORMAT_AUTO);
}

static void
test_allocations(void **state)
{
    (void)state;
    check_faults("digraph { node [label=x] a -> {b c} [label=\"y\\n\"] }");
    check_faults(
        "strict digraph G { subgraph S { a } -> b [key=k label=\"\\E\"] "
        "subgraph S { c } -> b [label=x] }");
    check_faults("{\"n\":2,\"labels\":[1,\"b\"],\"graph\":[[0,1]],\"gid\":7}");
    check_faults("graph [ node [ id 1 label \"a\" ] edge [ source 1 target 1 "
                 "label \"b\" ] ]");
    check_faults("t # 0\nv 0 a\nv 1 b\ne 0 1 c\n");
    check_faults("x\ny\nz\n  1  0  0  0  0  0  0  0  0  0999 V2000\n"
                 "    1.0000    2.0000    0.0000 C   0  0  0  0  0  0\n"
                 "M  END\n");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_other_keys_are_not_lost),
        cmocka_unit_test(test_dot_as_people_write_it),
        cmocka_unit_test(test_dot_as_graphviz_reads_it),
        cmocka_unit_test(test_data_sets_of_similarity),
        cmocka_unit_test(test_gml_as_networkx_writes_it),
        cmocka_unit_test(test_other_texts),
        cmocka_unit_test(test_onnx),
        cmocka_unit_test(test_fx),
        cmocka_unit_test(test_fx_is_refused_with_a_reason),
        cmocka_unit_test(test_onnx_labels_have_sizes),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_allocations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
