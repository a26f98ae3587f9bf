/* SPDX-License-Identifier: Apache-2.0 */
/* The file of a space: what is refused, with which words. */
#include "unit/check.h"

#include <string.h>

#include "library.h"
#include "unit/custom_files.h"

#define NODES "\"nodes\": {" SPACE_ENDS ", \"a\": {}}"

struct refused {
    const char *text, *message;
};

/* clang-format off */
static const struct refused rows[] = {
    {"", "f.json:1: column 1: no value"},
    {"[]", "f.json:1: is [], an array; write an object, {...}"},
    {"{}", "f.json:1: there is no \"format\"; add \"format\": \"sepx-space\", "
           "\"version\": 1"},
    {"{\"format\": \"sepx\"}",
     "f.json:1: format: is \"sepx\", a string; write \"sepx-space\""},
    {"{\"format\": \"sepx-space\"}",
     "f.json:1: there is no \"version\"; add \"version\": 1"},
    {"{\"format\": \"sepx-space\",\n \"version\": 2}",
     "f.json:2: version: is 2, an integer; write 1, the one version that is "
     "known here"},
    {SPACE_HEAD NODES ",\n\"acyclc\": true}",
     "f.json:2: acyclc: unknown key 'acyclc'; did you mean 'acyclic'? (valid: "
     "format, version, description, nodes, edge_labels, limits, acyclic, "
     "connected, prune, repair, groups, links, shapes, required_edges, "
     "relabel, sample, mutation, start, targets)"},
    {SPACE_HEAD "\"nodes\": {}}",
     "f.json:1: nodes: is {}, an object; write an object of names, {...}"},
    {SPACE_HEAD "\"acyclic\": true}",
     "f.json:1: there are no \"nodes\"; add \"nodes\": {\"label\": {}}"},
    {SPACE_HEAD "\"nodes\": {\"a\": {\n\"cuont\": 1}}}",
     "f.json:2: nodes.a.cuont: unknown key 'cuont'; did you mean 'count'? "
     "(valid: role, count, in, out, group, pinned, fields, shape)"},
    {SPACE_HEAD "\"nodes\": {\"a\": {\n\n\"count\": [3, 1]}}}",
     "f.json:3: nodes.a.count: is [3,1], whose least is above its most; swap "
     "them"},
    {SPACE_HEAD "\"nodes\": {\"a\": {\"count\": [0, 100000000000]}}}",
     "f.json:1: nodes.a.count: is 100000000000, an integer; write a whole "
     "number from 0 to 1024"},
    {SPACE_HEAD "\"nodes\": {\"a\": {\"in\": 1.5}}}",
     "f.json:1: nodes.a.in: is 1.5, a real number; write a whole number from "
     "0 to 1024"},
    {SPACE_HEAD "\"nodes\": {\"a\": {\"role\": \"inptu\"}}}",
     "f.json:1: nodes.a.role: unknown word 'inptu'; did you mean 'input'? "
     "(valid: inner, input, output)"},
    {SPACE_HEAD "\"nodes\": {\"a\": {\"role\": \"input\", \"in\": 1}}}",
     "f.json:1: nodes.a.in: an input has no edges in; remove the key"},
    {SPACE_HEAD "\"nodes\": {\"a\": {}}}",
     "f.json:1: connected: paths need a label with \"role\": \"input\" and one "
     "with \"output\"; add them, or write \"connected\": \"ignored\""},
    {SPACE_HEAD "\"nodes\": {\"a\": {\"group\": \"g\"}}}",
     "f.json:1: nodes.a.group: names a group, but the file has no \"groups\"; "
     "add them"},
    {SPACE_HEAD "\"groups\": {\"g\": {}}, \"nodes\": {\"a\": {}}}",
     "f.json:1: nodes.a: belongs to no group; add \"group\""},
    {SPACE_HEAD "\"groups\": {\"g\": {}, \"h\": {}}, \"links\": [[\"h\", "
                "\"g\"]], \"nodes\": {\"a\": {\"group\": \"g\"}}}",
     "f.json:1: links[0]: leads to an earlier group; without cycles, list "
     "groups in the order of their edges"},
    /* An output that nothing reaches, by groups and by degrees. */
    {SPACE_HEAD "\"groups\": {\"g\": {}, \"h\": {}}, \"nodes\": {\"i\": "
                "{\"role\": \"input\", \"group\": \"g\"},\n\"o\": {\"role\": "
                "\"output\", \"group\": \"h\", \"count\": 1}}}",
     "f.json:2: nodes.o: can never be reached from an input; change \"in\", "
     "\"out\" or the links"},
    {SPACE_HEAD "\"nodes\": {\"i\": {\"role\": \"input\", \"count\": 1, "
                "\"out\": 0}, \"o\": {\"role\": \"output\"}}}",
     "f.json:1: nodes.i: can never reach an output; change \"in\", \"out\" or "
     "the links"},
    {SPACE_HEAD NODES ", \"limits\": {\"nodes\": [2000, 3000]}}",
     "f.json:1: limits.nodes: is 2000, an integer; write a whole number from 1 "
     "to 1024"},
    {SPACE_HEAD NODES ", \"limits\": {\"nodes\": 1}}",
     "f.json:1: limits.nodes: allows 1 to 1 nodes, but labels and groups make "
     "2 to 1026; change one of them"},
    {SPACE_HEAD NODES ", \"limits\": {\"nodes\": 4, \"edges\": [7, 9]}}",
     "f.json:1: limits.edges: needs 7 edges or more, but 4 nodes have at most "
     "6; lower it"},
    {SPACE_HEAD NODES ", \"sample\": {\"edge_probability\": \"1\"}}",
     "f.json:1: sample.edge_probability: is \"1\", a string; write a number "
     "from 0 to 1"},
    {SPACE_HEAD NODES ", \"mutation\": {\"weights\": {\"flip\": 1}}}",
     "f.json:1: mutation.weights.flip: unknown key 'flip' (valid: flip_edge, "
     "move_edge, relabel_node, swap_labels, relabel_edge, insert_node, "
     "delete_node)"},
    {SPACE_HEAD NODES ", \"connected\": \"ignored\", \"prune\": true}",
     "f.json:1: prune: takes out what is on no path, but \"connected\" is "
     "\"ignored\"; change one of them"},
    {SPACE_HEAD NODES ", \"edge_labels\": [\"x\",\n\"x\"]}",
     "f.json:2: edge_labels[1]: is \"x\" again; remove one"},
    {SPACE_HEAD NODES ", \"start\": [\n{\"nodes\": [\"i\"], \"edges\": 1}]}",
     "f.json:2: start[0]: \"edges\" is 1, an integer; write an array"},
    {SPACE_HEAD NODES ", \"start\": [{\"nodes\": [\"i\", \"o\"], \"edges\": "
                      "[]}]}",
     "f.json:1: start: graph 1 is not one of this space: node 0 ('i') is on no "
     "path from an input to an output"},
    {SPACE_HEAD NODES ", \"targets\": {\"t\": {\"nodes\": [\"i\", \"x\"], "
                      "\"edges\": [[0, 1]]}}}",
     "f.json:1: targets.t: graph 1 is not one of this space: node 1: f.json "
     "has no label 'x'"},
    /* No graph, though each rule by itself is fine. */
    {SPACE_HEAD "\"nodes\": {\"i\": {\"role\": \"input\", \"count\": 1, "
                "\"out\": 1}, \"o\": {\"role\": \"output\", \"count\": 1, "
                "\"in\": 1}, \"a\": {\"in\": 2, \"out\": 1, \"count\": [1, 3]}"
                "}}",
     "f.json: no valid graph was found in 300 draws; the last one: "},
};
/* clang-format on */

static void
bad_files_say_where_and_what(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const char *text = rows[i].text, *want = rows[i].message;
        struct sepx_space *space;
        struct sepx_msg msg = {0};

        CHECK(sepx_space_open_text(&space, text, strlen(text), "f.json",
                                   &msg) == SEPX_EDATA,
              "%s: %s", text, msg.text);
        assert_null(space);
        CHECK(!strncmp(msg.text, want, strlen(want)), "got %s", msg.text);
        CHECK(sepx_space_open_text(&space, text, strlen(text), "f.json",
                                   NULL) == SEPX_EDATA,
              "%s without a message", text);
    }
}

/* Every start of a file is refused, and no byte of it is trusted. */
static void
damaged_files_are_refused_or_good(void **state)
{
    static const char *const files[] = {SPACE_FILES};
    struct sepx_rng rng;

    (void)state;
    sepx_rng_init(&rng, 5, 0, 0, 0);
    for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
        size_t len = strlen(files[i]);

        for (size_t k = 0; k < len + 200; k++) {
            char text[2048];
            struct sepx_space *space;
            struct sepx_msg msg = {0};
            size_t size = k < len ? k : len;
            enum sepx_err err;

            memcpy(text, files[i], len);
            if (k >= len)
                text[sepx_rng_below(&rng, (uint32_t)len)] ^=
                    (char)(1 << sepx_rng_below(&rng, 7));
            err = sepx_space_open_text(&space, text, size, "f.json", &msg);
            CHECK(k >= len ? !err || err == SEPX_EDATA : err == SEPX_EDATA,
                  "%zu: %d", k, err);
            assert_true(!err || !strncmp(msg.text, "f.json:", 7));
            sepx_space_close(space);
        }
    }
}

/* Forms are counted one by one, or estimated; both agree. */
static void
graphs_are_counted(void **state)
{
    /* 1 + 6 + 84 + 2441 cells of 2 to 5 nodes in NAS-Bench-101. */
    static const char cells[] =
        SPACE_HEAD "\"nodes\": {" SPACE_ENDS ", \"a\": {}, \"b\": {}, \"c\": "
                   "{}}, \"limits\": {\"nodes\": [2, 5], \"edges\": [0, 9]}}";
    /* Digraphs of 1 to 4 nodes: 1 + 3 + 16 + 218. */
    static const char digraphs[] =
        SPACE_HEAD "\"nodes\": {\"a\": {}}, \"limits\": {\"nodes\": [1, 4]}, "
                   "\"acyclic\": false, \"connected\": \"ignored\"}";
    const struct {
        const char *text;
        double classes;
    } known[] = {{cells, 2532}, {digraphs, 238}};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct sepx_space_size exact, about;
        struct sepx_space *space;

        assert_int_equal(sepx_space_open_text(&space, known[i].text,
                                              strlen(known[i].text), "f.json",
                                              NULL),
                         SEPX_OK);
        assert_int_equal(sepx_space_count(space, &exact, 1000000), SEPX_OK);
        assert_int_equal(sepx_space_count(space, &about, 1), SEPX_OK);
        assert_true(exact.exact && !about.exact);
        CHECK(exact.classes == known[i].classes, "%g", exact.classes);
        CHECK(fabs(pow(10, about.log10_forms - exact.log10_forms) - 1) <
                  5 * about.relative_error,
              "%g, not %g", about.log10_forms, exact.log10_forms);
        assert_true(about.log10_least <= log10(exact.classes));
        sepx_space_close(space);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_files_say_where_and_what),
        cmocka_unit_test(damaged_files_are_refused_or_good),
        cmocka_unit_test(graphs_are_counted),
    };

    return cmocka_run_group_tests_name("custom_read", tests, NULL, NULL);
}
