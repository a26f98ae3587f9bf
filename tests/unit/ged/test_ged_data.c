/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Real pairs whose distances two other solvers agree on: the distance with
 * and without labels, and the path that proves it.
 */
#include "unit/check.h"

#include <inttypes.h>
#include <string.h>
#include <sys/types.h>

#include "sepx/ged.h"
#include "unit/rounds.h"
#include "unit/shared.h"

#define PINS_MAX 8

struct pair {
    struct sepx_names *names;
    struct sepx_json *json;
    struct sepx_graph a, b;
    uint16_t pinned[PINS_MAX];
    size_t n_pinned;
};

static void
open_pair(struct pair *p, const char *line, size_t len)
{
    struct sepx_msg msg = {0};
    const struct sepx_json *pinned;

    *p = (struct pair){.names = sepx_names_new()};
    assert_non_null(p->names);
    CHECK(sepx_json_parse(&p->json, line, len, &msg) == SEPX_OK, "%s",
          msg.text);
    CHECK(sepx_graph_from_json(&p->a, p->names, sepx_json_get(p->json, "a"),
                               &msg) == SEPX_OK,
          "%s", msg.text);
    CHECK(sepx_graph_from_json(&p->b, p->names, sepx_json_get(p->json, "b"),
                               &msg) == SEPX_OK,
          "%s", msg.text);
    pinned = sepx_json_get(p->json, "pinned");
    for (size_t k = 0; k < sepx_json_size(pinned); k++) {
        assert_true(p->n_pinned < PINS_MAX);
        assert_int_equal(
            sepx_names_add(p->names, &p->pinned[p->n_pinned++],
                           sepx_json_string(sepx_json_at(pinned, k))),
            SEPX_OK);
    }
}

static void
close_pair(struct pair *p)
{
    sepx_graph_release(&p->a);
    sepx_graph_release(&p->b);
    sepx_json_free(p->json);
    sepx_names_free(p->names);
}

/* As many edits as the distance says, and they lead to b. */
static void
check_path(const struct pair *p, const struct sepx_ged_result *result,
           bool ignore, unsigned line)
{
    struct sepx_path path = {0};
    struct sepx_graph child = {0}, b = {0};
    bool same;

    assert_int_equal(
        sepx_path_from_map(&path, &p->a, &p->b, result->map, ignore), SEPX_OK);
    CHECK((double)path.len == result->upper, "line %u", line);
    assert_int_equal(sepx_path_apply(&path, &child, &p->a, NULL, NULL, NULL),
                     SEPX_OK);
    assert_int_equal(sepx_graph_copy(&b, &p->b), SEPX_OK);
    for (unsigned i = 0; ignore && i < b.n_nodes; i++)
        b.label[i] = child.label[i] = 0;
    assert_int_equal(sepx_graph_isomorphic(&child, &b, &same, NULL), SEPX_OK);
    CHECK(same, "line %u", line);
    sepx_graph_release(&child);
    sepx_graph_release(&b);
    sepx_path_release(&path);
}

static void
check_distance(const struct pair *p, const char *key, double seconds,
               bool plain, unsigned line)
{
    const bool ignore = !strcmp(key, "ged_e");
    const int64_t want = sepx_json_integer(sepx_json_get(p->json, key), -1);
    /* "lb" is of the labelled distance, which may be the larger one */
    const int64_t low =
        ignore ? want : sepx_json_integer(sepx_json_get(p->json, "lb"), want);
    const int64_t high = sepx_json_integer(sepx_json_get(p->json, "ub"), want);
    const struct sepx_ged_options options = {.pinned = p->pinned,
                                             .n_pinned = p->n_pinned,
                                             .ignore_labels = ignore,
                                             .plain = plain};
    const struct sepx_ged_limits limits = {.seconds = seconds};
    struct sepx_ged_result result;
    struct sepx_ged *ged;

    if (high < 0)
        return;
    assert_int_equal(sepx_ged_new(&ged, &options), SEPX_OK);
    assert_int_equal(sepx_ged_between(ged, &result, &p->a, &p->b, &limits),
                     SEPX_OK);
    CHECK(result.lower <= (double)high && result.upper >= (double)low,
          "line %u: %g..%g contradicts %" PRId64 "..%" PRId64, line,
          result.lower, result.upper, low, high);
    if (seconds == 0)
        CHECK(result.exact, "line %u: %g..%g", line, result.lower,
              result.upper);
    check_path(p, &result, ignore, line);
    sepx_ged_free(ged);
}

/* `seconds`: for pairs that may not be solved in the time of a test. */
static void
check_file(const char *name, double seconds)
{
    FILE *file = shared_open(name);
    char *text = NULL;
    size_t room = 0;
    unsigned line = 0;

    assert_non_null(file);
    for (ssize_t len; (len = getline(&text, &room, file)) > 0;) {
        struct pair p;

        open_pair(&p, text, (size_t)len);
        line++;
        for (unsigned plain = 0; plain < 2; plain++) {
            check_distance(&p, "ged", seconds, plain, line);
            check_distance(&p, "ged_e", seconds, plain, line);
        }
        close_pair(&p);
    }
    CHECK(line > 50, "%s has only %u lines", name, line);
    free(text);
    fclose(file);
}

static void
test_cells(void **state)
{
    (void)state;
    check_file("data/ged/nb101.jsonl", 0);
}

static void
test_recurrent_cells(void **state)
{
    (void)state;
    check_file("data/ged/nlp.jsonl", 0);
    check_file("data/ged/nlp12.jsonl", 0);
}

static void
test_any_digraphs(void **state)
{
    (void)state;
    check_file("data/ged/general.jsonl", 0);
}

static void
test_up_to_100_nodes(void **state)
{
    (void)state;
    check_file("data/ged/scale.jsonl", rounds(500) * 1e-3);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells),
        cmocka_unit_test(test_recurrent_cells),
        cmocka_unit_test(test_any_digraphs),
        cmocka_unit_test(test_up_to_100_nodes),
    };
    FILE *file = shared_open("data/ged/scale.jsonl");

    if (!file)
        return SHARED_SKIP;
    fclose(file);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
