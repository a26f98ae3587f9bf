/* SPDX-License-Identifier: Apache-2.0 */
/* Spaces of files: validity, drawing, mutation; and nb101 as such a file. */
#include "unit/check.h"

#include <stdio.h>
#include <string.h>

#include "oracle/oracle_draw.h"
#include "oracle/oracle_space.h"
#include "library.h"
#include "unit/custom_files.h"
#include "unit/faults.h"

#define SEED 707
#define EXAMPLES SEPX_SOURCE_ROOT "/examples/spaces/"

static const char *const files[] = {SPACE_FILES};
static const char *const examples[] = {
    EXAMPLES "nb101.json", EXAMPLES "mlp.json", EXAMPLES "two_cells.json"};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct world {
    struct sepx_space *space;
    struct sepx_json *file;
    struct sepx_rules rules;
    struct sepx_rng rng;
    const char *name;
};

static void
open_text(struct world *w, const char *text, size_t len, const char *name)
{
    struct sepx_msg msg = {0};

    *w = (struct world){.name = name};
    CHECK(sepx_space_open_text(&w->space, text, len, name, &msg) == SEPX_OK,
          "%s", msg.text);
    assert_int_equal(sepx_json_parse(&w->file, text, len, &msg), SEPX_OK);
    assert_int_equal(
        sepx_rules_preset(&w->rules, "default", "", "mutation", NULL), SEPX_OK);
    sepx_rng_init(&w->rng, SEED, 0, 0, 0);
}

static void
open_example(struct world *w, const char *path)
{
    struct sepx_text text = {0};

    assert_int_equal(sepx_file_read(&text, path, 1 << 20, NULL), SEPX_OK);
    open_text(w, text.at, text.len, path);
    sepx_text_release(&text);
}

static void
close_world(struct world *w)
{
    sepx_space_close(w->space);
    sepx_json_free(w->file);
}

static void
for_each_file(void (*body)(struct world *w))
{
    struct world w;

    for (size_t i = 0; i < COUNT(examples); i++) {
        open_example(&w, examples[i]);
        body(&w);
        close_world(&w);
    }
    for (size_t i = 0; i < COUNT(files); i++) {
        open_text(&w, files[i], strlen(files[i]), files[i]);
        body(&w);
        close_world(&w);
    }
}

static bool
is_valid(const struct sepx_space *space, const struct sepx_graph *graph,
         struct sepx_msg *msg)
{
    bool valid;

    assert_int_equal(sepx_space_check(space, &valid, graph, msg), SEPX_OK);
    return valid;
}

/* ---- drawing ---- */

static void
draw_many(struct world *w)
{
    struct sepx_graph graph = {0}, child = {0};
    struct sepx_msg msg = {0};
    unsigned same = 0;

    for (unsigned i = 0; i < 1000; i++) {
        bool equal;

        assert_int_equal(sepx_space_sample(w->space, &graph, &w->rng), SEPX_OK);
        CHECK(oracle_space_valid(w->file, &graph), "%s: draw %u", w->name, i);
        assert_int_equal(
            sepx_space_mutate(w->space, &child, &graph, &w->rules, &w->rng),
            SEPX_OK);
        CHECK(is_valid(w->space, &child, &msg) &&
                  oracle_space_valid(w->file, &child),
              "%s: mutant %u: %s", w->name, i, msg.text);
        assert_int_equal(sepx_graph_isomorphic(&graph, &child, &equal, NULL),
                         SEPX_OK);
        same += equal;
    }
    CHECK(same < 20, "%s: %u mutants of 1000 are copies", w->name, same);
    sepx_graph_release(&graph);
    sepx_graph_release(&child);
}

static void
samples_and_mutants_are_valid(void **state)
{
    (void)state;
    for_each_file(draw_many);
}

/* ---- validity, judged by an oracle ---- */

static void
damage(struct sepx_graph *graph, uint16_t labels, struct sepx_rng *rng)
{
    uint32_t n = graph->n_nodes;
    uint32_t from = sepx_rng_below(rng, n), to = sepx_rng_below(rng, n);

    switch (sepx_rng_below(rng, 6)) {
    case 0:
    case 1:
        if (from != to && !sepx_graph_find_edge(graph, from, to))
            assert_int_equal(
                sepx_graph_add_edge(graph, from, to,
                                    graph->n_edges ? graph->edge[0].label : 0),
                SEPX_OK);
        break;
    case 2:
        sepx_graph_remove_edge(graph, from, to);
        break;
    case 3:
        graph->label[from] = (uint16_t)(1 + sepx_rng_below(rng, labels));
        break;
    case 4:
        if (n < 20)
            assert_int_equal(
                sepx_graph_add_node(
                    graph, (uint16_t)(1 + sepx_rng_below(rng, labels))),
                SEPX_OK);
        break;
    default:
        if (n > 1)
            sepx_graph_remove_node(graph, from);
    }
}

static void
compare_many(struct world *w)
{
    uint16_t labels = (uint16_t)sepx_json_size(sepx_json_get(w->file, "nodes"));
    struct sepx_graph graph = {0};
    unsigned count[2] = {0};

    for (unsigned i = 0; i < 4000; i++) {
        struct sepx_msg msg = {0};
        bool want, got;

        if (i % 4 == 0)
            assert_int_equal(sepx_space_sample(w->space, &graph, &w->rng),
                             SEPX_OK);
        damage(&graph, labels, &w->rng);
        want = oracle_space_valid(w->file, &graph);
        got = is_valid(w->space, &graph, &msg);
        CHECK(want == got, "%s: graph %u: %s", w->name, i, msg.text);
        CHECK(got || msg.text[0], "%s: graph %u has no reason", w->name, i);
        count[got]++;
    }
    CHECK(count[0] > 200 && count[1] > 100, "%s: %u invalid, %u valid", w->name,
          count[0], count[1]);
    sepx_graph_release(&graph);
}

static void
validity_is_that_of_the_rules(void **state)
{
    (void)state;
    for_each_file(compare_many);
}

/* ---- nb101 ---- */

static void
compare_cell(const struct world *w, const struct sepx_space *built,
             const struct sepx_graph *cell, unsigned *count)
{
    bool want = is_valid(built, cell, NULL), got;
    struct sepx_msg msg = {0};

    got = is_valid(w->space, cell, &msg);
    CHECK(want == got, "%s", msg.text);
    count[got]++;
}

/* The two name tables number the labels alike. */
static void
nb101_as_a_file_has_the_same_cells(void **state)
{
    struct sepx_space *built;
    struct sepx_graph cell = {0};
    struct world w;
    unsigned count[2] = {0};

    (void)state;
    open_example(&w, examples[0]);
    assert_int_equal(sepx_space_open(&built, "nb101", NULL), SEPX_OK);
    for (unsigned i = 0; i < 40000; i++) {
        if (i % 4 == 0)
            assert_int_equal(
                sepx_space_sample(i % 8 ? built : w.space, &cell, &w.rng),
                SEPX_OK);
        compare_cell(&w, built, &cell, count);
        damage(&cell, 5, &w.rng);
        compare_cell(&w, built, &cell, count);
    }
    CHECK(count[0] > 10000 && count[1] > 10000, "%u invalid, %u valid",
          count[0], count[1]);
    sepx_graph_release(&cell);
    sepx_space_close(built);
    close_world(&w);
}

/* Counts of edges, live nodes and convolutions, over many draws. */
#define BINS 64
static void
describe(const struct sepx_space *space, const struct sepx_graph *cell,
         unsigned (*bins)[BINS])
{
    struct sepx_graph live = {0};
    unsigned ops = 0;

    assert_int_equal(sepx_space_prune(space, &live, cell), SEPX_OK);
    for (uint32_t i = 0; i < cell->n_nodes; i++)
        ops += cell->label[i] == 3;
    bins[0][cell->n_edges]++;
    bins[1][live.n_nodes + 8 * (live.n_edges / 2)]++;
    bins[2][ops + 8u * (cell->label[1] - 1u)]++;
    sepx_graph_release(&live);
}

static void
check_same_law(unsigned (*a)[BINS], unsigned (*b)[BINS], const char *what)
{
    for (unsigned k = 0; k < 3; k++) {
        double chi = 0, degrees = 0;

        for (unsigned i = 0; i < BINS; i++) {
            double x = a[k][i], y = b[k][i];

            if (x + y < 10)
                continue;
            chi += (x - y) * (x - y) / (x + y);
            degrees++;
        }
        CHECK(chi < degrees + 5 * sqrt(2 * degrees), "%s, %u: %g at %g", what,
              k, chi, degrees);
    }
}

static void
nb101_as_a_file_draws_the_same(void **state)
{
    unsigned sample[2][3][BINS] = {{{0}}}, mutant[2][3][BINS] = {{{0}}};
    const struct sepx_rules plain = {0};
    struct sepx_graph cell = {0}, child = {0}, parent = {0};
    struct sepx_space *both[2];
    struct world w;

    (void)state;
    open_example(&w, examples[0]);
    both[0] = w.space;
    assert_int_equal(sepx_space_open(&both[1], "nb101", NULL), SEPX_OK);
    for (unsigned k = 0; k < 2; k++) {
        assert_int_equal(sepx_space_target(both[k], &parent, "optimum", NULL),
                         SEPX_OK);
        for (unsigned i = 0; i < 10000; i++) {
            assert_int_equal(sepx_space_sample(both[k], &cell, &w.rng),
                             SEPX_OK);
            describe(both[k], &cell, sample[k]);
            assert_int_equal(sepx_space_mutate(both[k], &child, &parent,
                                               i % 2 ? &plain : &w.rules,
                                               &w.rng),
                             SEPX_OK);
            describe(both[k], &child, mutant[k]);
        }
    }
    check_same_law(sample[0], sample[1], "samples");
    check_same_law(mutant[0], mutant[1], "mutants");
    sepx_graph_release(&cell);
    sepx_graph_release(&child);
    sepx_graph_release(&parent);
    sepx_space_close(both[1]);
    close_world(&w);
}

/* How many evaluations until the optimum, on the average of ten runs. */
static double
search_optimum(const char *name)
{
    struct sepx_msg msg = {0};
    struct sepx_space *space;
    struct sepx_eval *eval;
    struct sepx_method *method;
    struct sepx_runs runs;
    double sum = 0;

    assert_int_equal(sepx_space_open(&space, name, &msg), SEPX_OK);
    assert_int_equal(sepx_eval_open(&eval, space, "target:optimum", &msg),
                     SEPX_OK);
    assert_int_equal(sepx_method_new(&method, space, "sep", NULL, NULL, &msg),
                     SEPX_OK);
    assert_int_equal(
        sepx_runs_make(&runs, &(struct sepx_run_plan){.method = method,
                                                      .eval = eval,
                                                      .seed = SEED,
                                                      .runs = 10,
                                                      .evals = 1000,
                                                      .threads = 1}),
        SEPX_OK);
    for (size_t i = 0; i < runs.count; i++) {
        CHECK(runs.at[i].best < 0.5, "%s: run %zu ends at %g", name, i,
              runs.at[i].best);
        sum += runs.at[i].best_trial;
    }
    sepx_runs_release(&runs);
    sepx_method_free(method);
    sepx_eval_close(eval);
    sepx_space_close(space);
    return sum / 10;
}

static void
nb101_as_a_file_is_searched_as_fast(void **state)
{
    double file = search_optimum(examples[0]), built = search_optimum("nb101");

    (void)state;
    print_message("optimum after %.0f and %.0f evaluations\n", file, built);
    CHECK(file < 2 * built && built < 2 * file, "%g and %g", file, built);
}

static void
nb101_is_shown_as_the_example(void **state)
{
    struct sepx_text shown = {0}, example = {0};
    struct sepx_space *space;

    (void)state;
    assert_int_equal(sepx_space_open(&space, "nb101", NULL), SEPX_OK);
    assert_int_equal(sepx_space_write(&shown, space), SEPX_OK);
    assert_int_equal(sepx_file_read(&example, examples[0], 1 << 20, NULL),
                     SEPX_OK);
    assert_string_equal(shown.at, example.at);
    sepx_text_release(&shown);
    sepx_text_release(&example);
    sepx_space_close(space);
    assert_int_equal(sepx_space_open(&space, "darts", NULL), SEPX_OK);
    assert_int_equal(sepx_space_write(&shown, space), SEPX_EUNSUPPORTED);
    sepx_space_close(space);
}

/* ---- local search, vectors, children ---- */

static void
try_moves(struct world *w)
{
    struct sepx_graph graph = {0}, out = {0};
    uint32_t valid_moves = 0;

    for (unsigned i = 0; i < 20; i++) {
        uint32_t moves;

        assert_int_equal(sepx_space_sample(w->space, &graph, &w->rng), SEPX_OK);
        moves = sepx_space_moves(w->space, &graph);
        for (uint32_t k = 0; k < moves; k++) {
            bool valid;

            assert_int_equal(sepx_space_move(w->space, &out, &valid, &graph, k),
                             SEPX_OK);
            assert_int_equal(valid, oracle_space_valid(w->file, &out));
            CHECK(!sepx_graph_equal(&graph, &out), "%s: move %u", w->name, k);
            valid_moves += valid;
        }
    }
    CHECK(valid_moves || strstr(w->name, "\"count\": 6"), "%s", w->name);
    sepx_graph_release(&graph);
    sepx_graph_release(&out);
}

static void
moves_change_one_thing(void **state)
{
    (void)state;
    for_each_file(try_moves);
}

/* Bare nodes aside, which a vector may add. */
static void
check_pruned_same(const struct world *w, const struct sepx_graph *a,
                  const struct sepx_graph *b)
{
    struct sepx_graph live[2] = {{0}, {0}};
    bool same;

    assert_int_equal(sepx_space_prune(w->space, &live[0], a), SEPX_OK);
    assert_int_equal(sepx_space_prune(w->space, &live[1], b), SEPX_OK);
    assert_int_equal(sepx_graph_isomorphic(&live[0], &live[1], &same, NULL),
                     SEPX_OK);
    CHECK(same && a->n_edges == b->n_edges, "%s", w->name);
    sepx_graph_release(&live[0]);
    sepx_graph_release(&live[1]);
}

static void
code_many(struct world *w)
{
    uint32_t n = sepx_space_variables(w->space);
    struct sepx_graph graph = {0}, back = {0};
    uint16_t value[512];

    assert_true(n < 512);
    for (unsigned i = 0; i < 200 && n; i++) {
        bool valid;

        assert_int_equal(sepx_space_sample(w->space, &graph, &w->rng), SEPX_OK);
        assert_int_equal(sepx_space_encode(w->space, value, &graph), SEPX_OK);
        assert_int_equal(
            sepx_space_decode(w->space, &back, &valid, value, NULL), SEPX_OK);
        CHECK(valid, "%s: vector %u", w->name, i);
        check_pruned_same(w, &graph, &back);
        for (uint32_t k = 0; k < n; k++)
            value[k] = (uint16_t)sepx_rng_below(
                &w->rng, sepx_space_choices(w->space, k));
        assert_int_equal(
            sepx_space_decode(w->space, &back, &valid, value, NULL), SEPX_OK);
        assert_int_equal(valid, oracle_space_valid(w->file, &back));
    }
    sepx_graph_release(&graph);
    sepx_graph_release(&back);
}

static void
vectors_come_back(void **state)
{
    struct world w;

    (void)state;
    for_each_file(code_many);
    open_example(&w, examples[0]);
    assert_int_equal(sepx_space_variables(w.space), 26);
    close_world(&w);
    open_example(&w, examples[1]);
    assert_int_equal(sepx_space_variables(w.space), 0);
    close_world(&w);
}

static void
cross_many(struct world *w)
{
    const struct sepx_cross_info *const *info = sepx_cross_list();
    struct sepx_graph a = {0}, b = {0}, child = {0};

    for (; *info; info++) {
        struct sepx_cross_counts counts = {0};
        struct sepx_cross *cross;
        struct sepx_rules rules;
        enum sepx_err err;

        assert_int_equal(
            sepx_rules_preset(&rules, "default", "", (*info)->name, NULL),
            SEPX_OK);
        err = sepx_cross_new(&cross, w->space, (*info)->name, &rules, NULL);
        if (err == SEPX_EUNSUPPORTED)
            continue; /* an operator of built-in spaces */
        assert_int_equal(err, SEPX_OK);
        for (unsigned i = 0; i < 100; i++) {
            bool accepted;

            assert_int_equal(sepx_space_sample(w->space, &a, &w->rng), SEPX_OK);
            assert_int_equal(sepx_space_sample(w->space, &b, &w->rng), SEPX_OK);
            assert_int_equal(sepx_cross_run(cross, &child, &accepted, &a, &b,
                                            &w->rng, &counts, NULL),
                             SEPX_OK);
            CHECK(!accepted || oracle_space_valid(w->file, &child),
                  "%s: %s, child %u", w->name, (*info)->name, i);
        }
        print_message("%3.0f %% accepted: %-8s %.60s\n",
                      100.0 * (double)counts.accepted / 100, (*info)->name,
                      strrchr(w->name, '/') ? strrchr(w->name, '/') : w->name);
        sepx_cross_free(cross);
    }
    sepx_graph_release(&a);
    sepx_graph_release(&b);
    sepx_graph_release(&child);
}

static void
children_are_valid(void **state)
{
    (void)state;
    for_each_file(cross_many);
}

/* ---- the file ---- */

/* Written and read again, it is the same space. */
static void
write_and_read(struct world *w)
{
    struct sepx_text text = {0}, again = {0};
    struct sepx_graph a = {0}, b = {0}, graph = {0};
    struct sepx_space *copy;
    struct sepx_rng one, two;

    assert_int_equal(sepx_space_write(&text, w->space), SEPX_OK);
    assert_int_equal(
        sepx_space_open_text(&copy, text.at, text.len, "copy.json", NULL),
        SEPX_OK);
    assert_int_equal(sepx_space_write(&again, copy), SEPX_OK);
    assert_string_equal(text.at, again.at);
    sepx_rng_init(&one, SEED, 0, 0, 0);
    sepx_rng_init(&two, SEED, 0, 0, 0);
    for (unsigned i = 0; i < 50; i++) {
        assert_int_equal(sepx_space_sample(w->space, &a, &one), SEPX_OK);
        assert_int_equal(sepx_space_sample(copy, &b, &two), SEPX_OK);
        assert_true(sepx_graph_equal(&a, &b));
        assert_int_equal(sepx_space_mutate(w->space, &a, &b, &w->rules, &one),
                         SEPX_OK);
        assert_int_equal(sepx_graph_copy(&graph, &b), SEPX_OK);
        assert_int_equal(sepx_space_mutate(copy, &b, &graph, &w->rules, &two),
                         SEPX_OK);
        assert_true(sepx_graph_equal(&a, &b));
    }
    sepx_graph_release(&graph);
    sepx_text_release(&text);
    sepx_text_release(&again);
    sepx_graph_release(&a);
    sepx_graph_release(&b);
    sepx_space_close(copy);
}

static void
a_space_can_be_written(void **state)
{
    (void)state;
    for_each_file(write_and_read);
}

static void
every_allocation_may_fail(void **state)
{
    struct sepx_text text = {0};

    (void)state;
    assert_int_equal(sepx_file_read(&text, examples[1], 1 << 20, NULL),
                     SEPX_OK);
    EACH_FAULT (fault) {
        struct sepx_space *space;

        fault.err =
            sepx_space_open_text(&space, text.at, text.len, "mlp.json", NULL);
        sepx_space_close(space);
    }
    sepx_text_release(&text);
}

int
main(void)
{
#define T(name) cmocka_unit_test(name)
    const struct CMUnitTest tests[] = {
        T(samples_and_mutants_are_valid),
        T(validity_is_that_of_the_rules),
        T(nb101_as_a_file_has_the_same_cells),
        T(nb101_as_a_file_draws_the_same),
        T(nb101_as_a_file_is_searched_as_fast),
        T(nb101_is_shown_as_the_example),
        T(moves_change_one_thing),
        T(vectors_come_back),
        T(children_are_valid),
        T(a_space_can_be_written),
        T(every_allocation_may_fail),
    };

    print_message("seed %d\n", SEED);
    return cmocka_run_group_tests_name("custom", tests, NULL, NULL);
}
