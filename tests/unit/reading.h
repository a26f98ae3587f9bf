/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of texts that a reader refuses, and of what it says. */
#ifndef SEPX_TESTS_READING_H
#define SEPX_TESTS_READING_H

#include <string.h>

#include "library.h"
#include "unit/check.h"
#include "unit/faults.h"

struct refused {
    const char *text;
    enum sepx_err err;
    const char *message;
};

/* A refused text leaves the graph as it was. */
static inline void
check_refused(const struct refused *row, size_t count,
              enum sepx_graph_format format)
{
    struct sepx_names *names = sepx_names_new();
    struct sepx_graph graph = {.names = names};

    assert_int_equal(sepx_graph_add_node(&graph, 0), SEPX_OK);
    for (size_t i = 0; i < count; i++) {
        struct sepx_msg msg = {0};

        CHECK(sepx_graph_read(&graph, names, row[i].text, strlen(row[i].text),
                              format, &msg) == row[i].err,
              "%s", row[i].text);
        assert_string_equal(msg.text, row[i].message);
        assert_int_equal(graph.n_nodes, 1);
        CHECK(sepx_graph_read(&graph, names, row[i].text, strlen(row[i].text),
                              format, NULL) == row[i].err,
              "%s", row[i].text);
    }
    sepx_graph_release(&graph);
    sepx_names_free(names);
}

/* The text is read as the graph whose JSON is `want`. */
static inline void
check_read(const char *text, enum sepx_graph_format format, const char *want)
{
    struct sepx_names *names = sepx_names_new();
    struct sepx_graph graph = {0};
    struct sepx_text out = {0};
    struct sepx_msg msg = {0};

    CHECK(sepx_graph_read(&graph, names, text, strlen(text), format, &msg) ==
              SEPX_OK,
          "%s", msg.text);
    assert_int_equal(sepx_graph_write_json(&out, &graph), SEPX_OK);
    assert_string_equal(out.at, want);
    sepx_text_release(&out);
    sepx_graph_release(&graph);
    sepx_names_free(names);
}

/* Reading and writing when each allocation fails in turn. */
static inline void
check_faults(const char *text)
{
    EACH_FAULT (fault) {
        struct sepx_graph graph = {0};
        struct sepx_text out = {0};
        struct sepx_msg msg = {0};
        struct sepx_names *names = sepx_names_new();
        enum sepx_err err = SEPX_ENOMEM;

        if (names)
            err = sepx_graph_read(&graph, names, text, strlen(text),
                                  SEPX_FORMAT_AUTO, &msg);
        if (names && err)
            assert_string_equal(msg.text, "out of memory");
        if (!err)
            err = sepx_graph_write_json(&out, &graph);
        fault.err = err;
        sepx_text_release(&out);
        sepx_graph_release(&graph);
        sepx_names_free(names);
    }
}

#endif
