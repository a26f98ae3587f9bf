/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Graphs that grow past 64 nodes and shrink again. Up to 64 nodes graphs are
 * bit rows, above they are lists. Each operation must choose by the size of
 * the graph at hand, not by that of its parent.
 */
#include "unit/check.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "library.h"
#include "space/internal.h"
#include "unit/rounds.h"

#define FOLDER SEPX_SOURCE_ROOT "/examples/spaces/"
enum { LOW = 56, HIGH = 72, SEED = 64, SPACES_MAX = 64 };

struct plan {
    uint32_t operations, seed;
};

/* Two graphs of one space that grow and shrink between LOW and HIGH. */
struct walk {
    const char *path; /* of the file */
    uint32_t seed;
    struct sepx_space *space;
    struct sepx_cross *cross[2]; /* of thin graphs, of dense ones */
    struct sepx_rules rules;
    struct sepx_graph at[2], out;
    bool shrinks[2];
    struct sepx_rng rng;
    uint32_t step;
    uint32_t passed[2]; /* changes from 64 nodes up, and down to them */
    uint32_t accepted, repaired, moved;
};

/* ---- the spaces of the examples, with room for large graphs ---- */

/* After `key`, a range in numbers: its upper end becomes `most`. */
static const char *
widen_range(struct sepx_text *text, const char *at, const char *key,
            const char *most)
{
    const size_t len = strlen(key);
    const char *comma;

    if (strncmp(at, key, len) != 0)
        return at;
    comma = at + len + strspn(at + len, "0123456789");
    if (comma == at + len || *comma != ',')
        return at;
    assert_int_equal(
        sepx_text_print(text, "%.*s, %s", (int)(comma - at), at, most),
        SEPX_OK);
    return comma + strspn(comma, ", 0123456789");
}

static void
open_widened(struct walk *w)
{
    struct sepx_text text = {0}, wide = {0};
    struct sepx_msg msg = {0};

    assert_int_equal(sepx_file_read(&text, w->path, 1 << 20, &msg), SEPX_OK);
    for (const char *at = text.at; *at; at++) {
        at = widen_range(&wide, at, "\"nodes\": [", "1024");
        at = widen_range(&wide, at, "\"edges\": [", "100000");
        assert_int_equal(sepx_text_print(&wide, "%c", *at), SEPX_OK);
    }
    CHECK(sepx_space_open_text(&w->space, wide.at, wide.len, w->path, &msg) ==
              SEPX_OK,
          "%s: %s", w->path, msg.text);
    sepx_text_release(&text);
    sepx_text_release(&wide);
}

static int
compare_paths(const void *a, const void *b)
{
    const struct sepx_text *left = a, *right = b;

    return strcmp(left->at, right->at);
}

/* The files of the folder, in order. */
static size_t
list_spaces(struct sepx_text *path)
{
    DIR *folder = opendir(FOLDER);
    const struct dirent *entry;
    size_t count = 0;

    assert_non_null(folder);
    while ((entry = readdir(folder))) {
        const size_t len = strlen(entry->d_name);

        if (len < 5 || strcmp(entry->d_name + len - 5, ".json") != 0)
            continue;
        assert_true(count < SPACES_MAX);
        assert_int_equal(
            sepx_text_print(&path[count++], FOLDER "%s", entry->d_name),
            SEPX_OK);
    }
    closedir(folder);
    qsort(path, count, sizeof(*path), compare_paths);
    assert_true(count > 0);
    return count;
}

/* ---- what holds for every graph ---- */

static bool
is_valid(const struct walk *w, const struct sepx_graph *graph,
         struct sepx_msg *msg)
{
    bool valid, by_lists;

    assert_int_equal(sepx_space_check(w->space, &valid, graph, msg), SEPX_OK);
    if (graph->n_nodes > SEPX__SPACE_NODES)
        return valid;
    /* Both forms judge alike. */
    assert_int_equal(sepx__wide_check(w->space, &by_lists, graph, NULL),
                     SEPX_OK);
    CHECK(valid == by_lists, "%s, seed %u, step %u: %d, but %d by lists",
          w->path, w->seed, w->step, valid, by_lists);
    return valid;
}

static void
check_valid(const struct walk *w, const struct sepx_graph *graph,
            const char *what)
{
    struct sepx_msg msg = {0};

    CHECK(is_valid(w, graph, &msg), "%s, seed %u, step %u, %s: %s", w->path,
          w->seed, w->step, what, msg.text);
}

/* A single change adds one node at most, and takes one out or what is dead. */
static void
check_size(const struct walk *w, uint32_t was, uint32_t now, const char *what)
{
    CHECK(now <= was + 1 && (now + 1 >= was || w->space->ops->prune),
          "%s, seed %u, step %u, %s: %u nodes became %u", w->path, w->seed,
          w->step, what, was, now);
}

static uint32_t
count_placed(const int16_t *place, uint32_t n)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < n; i++)
        count += place[i] != SEPX_NONE;
    return count;
}

/* ---- growing by hand, in spaces whose mutation adds no nodes ---- */

/* A node with a random label in a random edge. */
static void
split_edge(struct walk *w, const struct sepx_graph *graph)
{
    const struct sepx_edge edge =
        graph->edge[sepx_rng_below(&w->rng, graph->n_edges)];
    const uint32_t label = 1 + sepx_rng_below(&w->rng, w->space->ops->n_labels);

    assert_int_equal(sepx_graph_copy(&w->out, graph), SEPX_OK);
    sepx_graph_remove_edge(&w->out, edge.from, edge.to);
    assert_int_equal(sepx_graph_add_node(&w->out, (uint16_t)label), SEPX_OK);
    assert_int_equal(
        sepx_graph_add_edge(&w->out, edge.from, graph->n_nodes, edge.label),
        SEPX_OK);
    assert_int_equal(
        sepx_graph_add_edge(&w->out, graph->n_nodes, edge.to, edge.label),
        SEPX_OK);
}

/* A random node goes, and its first source leads to its first target. */
static void
bypass_node(struct walk *w, const struct sepx_graph *graph)
{
    const uint32_t node = sepx_rng_below(&w->rng, graph->n_nodes);
    const struct sepx_edge *in = NULL, *out = NULL;

    assert_int_equal(sepx_graph_copy(&w->out, graph), SEPX_OK);
    for (uint32_t i = 0; i < graph->n_edges; i++) {
        in = !in && graph->edge[i].to == node ? &graph->edge[i] : in;
        out = !out && graph->edge[i].from == node ? &graph->edge[i] : out;
    }
    if (in && out && !sepx_graph_find_edge(graph, in->from, out->to))
        assert_int_equal(
            sepx_graph_add_edge(&w->out, in->from, out->to, in->label),
            SEPX_OK);
    sepx_graph_remove_node(&w->out, node);
}

/* The child replaces its parent unless it goes the wrong way. */
static void
take(struct walk *w, unsigned which)
{
    struct sepx_graph *graph = &w->at[which];
    const uint32_t was = graph->n_nodes, now = w->out.n_nodes;
    const bool passes = (was > SEPX__SPACE_NODES) != (now > SEPX__SPACE_NODES);

    w->passed[now < was] += passes;
    if (w->shrinks[which] ? now <= was : now >= was)
        assert_int_equal(sepx_graph_copy(graph, &w->out), SEPX_OK);
    if (graph->n_nodes <= LOW || graph->n_nodes >= HIGH)
        w->shrinks[which] = graph->n_nodes >= HIGH;
}

/* One node more or less, if one of some tries is valid. */
static void
resize(struct walk *w, unsigned which)
{
    struct sepx_graph *graph = &w->at[which];

    for (unsigned i = 0; i < 100; i++) {
        if (w->shrinks[which])
            bypass_node(w, graph);
        else
            split_edge(w, graph);
        if (is_valid(w, &w->out, NULL)) {
            take(w, which);
            return;
        }
    }
}

/* ---- the operations ---- */

static void
mutate(struct walk *w, unsigned which)
{
    const struct sepx_graph *parent = &w->at[which];

    assert_int_equal(
        sepx_space_mutate(w->space, &w->out, parent, &w->rules, &w->rng),
        SEPX_OK);
    check_valid(w, &w->out, "mutant");
    check_size(w, parent->n_nodes, w->out.n_nodes, "mutant");
    take(w, which);
}

static void
cross(struct walk *w, unsigned which)
{
    struct sepx_explain explain = {0};
    const bool dense = w->at[0].n_edges + w->at[1].n_edges > 6 * HIGH;
    bool good;

    assert_int_equal(sepx_cross_run(w->cross[dense], &w->out, &good,
                                    &w->at[which], &w->at[!which], &w->rng,
                                    NULL, &explain),
                     SEPX_OK);
    if (good) {
        const uint32_t n =
            (uint32_t)explain.path.n_first + explain.path.n_insert;

        check_valid(w, &w->out, "child");
        CHECK(count_placed(explain.place, n) == w->out.n_nodes &&
                  count_placed(explain.raw_place, explain.raw.n_nodes) ==
                      w->out.n_nodes,
              "%s, seed %u, step %u: %u of %u nodes, but %u", w->path, w->seed,
              w->step, count_placed(explain.place, n), n, w->out.n_nodes);
        w->accepted++;
    }
    sepx_explain_release(&explain);
}

/* Local search is for graphs of bit rows. */
static void
move(struct walk *w, unsigned which)
{
    const struct sepx_graph *graph = &w->at[which];
    const uint32_t moves = sepx_space_moves(w->space, graph);
    bool valid;

    assert_int_equal(moves == 0, graph->n_nodes > SEPX__SPACE_NODES);
    if (!moves) {
        mutate(w, which);
        return;
    }
    assert_int_equal(sepx_space_move(w->space, &w->out, &valid, graph,
                                     sepx_rng_below(&w->rng, moves)),
                     SEPX_OK);
    check_size(w, graph->n_nodes, w->out.n_nodes, "move");
    w->moved += valid;
    if (valid)
        take(w, which);
}

/* Some edges change, a node without any comes, then the space makes a graph of it or refuses. */
static void
repair(struct walk *w, unsigned which)
{
    int16_t place[HIGH + 3];
    enum sepx_verdict verdict;
    uint32_t n;

    assert_int_equal(sepx_graph_copy(&w->out, &w->at[which]), SEPX_OK);
    for (uint32_t i = sepx_rng_below(&w->rng, 3); i; i--) {
        uint32_t from = sepx_rng_below(&w->rng, w->out.n_nodes);
        uint32_t to = sepx_rng_below(&w->rng, w->out.n_nodes);

        if (sepx_graph_find_edge(&w->out, from, to))
            sepx_graph_remove_edge(&w->out, from, to);
        else if (from != to)
            assert_int_equal(sepx_graph_add_edge(&w->out, from, to, 0),
                             SEPX_OK);
    }
    if (sepx_rng_below(&w->rng, 2)) {
        const uint32_t label =
            1 + sepx_rng_below(&w->rng, w->space->ops->n_labels);

        assert_int_equal(sepx_graph_add_node(&w->out, (uint16_t)label),
                         SEPX_OK);
    }
    (void)is_valid(w, &w->out, NULL);
    n = w->out.n_nodes;
    assert_true(n <= HIGH + 2);
    assert_int_equal(sepx_space_finish(w->space, &w->out, &verdict, place,
                                       &w->rules, &w->rng, NULL),
                     SEPX_OK);
    if (verdict != SEPX_ACCEPTED)
        return;
    check_valid(w, &w->out, "repaired");
    CHECK(count_placed(place, n) == w->out.n_nodes,
          "%s, seed %u, step %u: %u of %u nodes, but %u", w->path, w->seed,
          w->step, count_placed(place, n), n, w->out.n_nodes);
    w->repaired++;
}

static void
start(struct walk *w)
{
    struct sepx_msg msg = {0};

    open_widened(w);
    sepx_rng_init(&w->rng, w->seed, 0, 0, 0);
    assert_int_equal(sepx_rules_preset(&w->rules, "default", "", "sep", NULL),
                     SEPX_OK);
    w->rules.align = 1; /* any alignment is as good here */
    w->rules.trials = 5;
    for (unsigned i = 0; i < 2; i++) {
        const char *name = i ? "matched" : "sep"; /* dense: no distance */

        CHECK(sepx_cross_new(&w->cross[i], w->space, name, &w->rules, &msg) ==
                  SEPX_OK,
              "%s: %s", w->path, msg.text);
        w->rules.by = SEPX_BY_EDITS;
    }
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(sepx_space_sample(w->space, &w->at[i], &w->rng),
                         SEPX_OK);
        for (unsigned k = 0; k < 1000 && w->at[i].n_nodes < LOW + 8 * i; k++)
            resize(w, i);
        while (w->at[i].n_nodes > HIGH)
            resize(w, i);
        CHECK(w->at[i].n_nodes >= LOW, "%s: %u nodes", w->path,
              w->at[i].n_nodes);
    }
}

static void
end(struct walk *w)
{
    sepx_graph_release(&w->at[0]);
    sepx_graph_release(&w->at[1]);
    sepx_graph_release(&w->out);
    sepx_cross_free(w->cross[0]);
    sepx_cross_free(w->cross[1]);
    sepx_space_close(w->space);
}

static void
graphs_pass_64_nodes(void **state)
{
    const struct plan *plan = *state;
    static void (*const operation[])(struct walk *, unsigned) = {mutate, cross,
                                                                 move, repair};
    struct sepx_text path[SPACES_MAX] = {{0}};
    const size_t count = list_spaces(path);
    const uint32_t steps =
        (plan->operations + (uint32_t)count - 1) / (uint32_t)count;

    for (size_t k = 0; k < count; k++) {
        struct walk w = {.path = path[k].at, .seed = plan->seed};

        start(&w);
        for (w.step = 0; w.step < steps; w.step++) {
            const unsigned which = w.step / 4 % 2;

            operation[w.step % 4](&w, which);
            resize(&w, which);
        }
        print_message("%s: passed 64 nodes %u times up, %u down; %u children, "
                      "%u moves, %u repairs\n",
                      w.path + strlen(FOLDER), w.passed[0], w.passed[1],
                      w.accepted, w.moved, w.repaired);
        end(&w);
        sepx_text_release(&path[k]);
    }
}

/*
 * Arguments: the number of operations, the seed. Writes past an array are what
 * this test is about, so it is longer where a sanitizer sees them.
 */
int
main(int argc, char **argv)
{
    const uint32_t operations = is_sanitized() ? 10000 : 2000;
    struct plan plan = {
        .operations =
            argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : operations,
        .seed = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : SEED,
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(graphs_pass_64_nodes, &plan),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
