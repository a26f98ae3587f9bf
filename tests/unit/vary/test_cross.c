/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/oracle_draw.h"
#include "library.h"
#include "unit/faults.h"
#include "unit/rounds.h"

#define SEED 7

struct fixture {
    struct sepx_space *space;
    struct sepx_cross *cross;
    struct sepx_ged *ged;
    struct sepx_graph a, b, child;
    struct sepx_explain explain;
    struct sepx_rng rng;
};

static void
open_all(struct fixture *f, const char *space, const char *operator_name,
         const char *preset)
{
    struct sepx_ged_options options = {0};
    struct sepx_rules rules;

    *f = (struct fixture){0};
    sepx_rng_init(&f->rng, SEED, 0, 0, 0);
    assert_int_equal(sepx_space_open(&f->space, space, NULL), SEPX_OK);
    assert_int_equal(
        sepx_rules_preset(&rules, preset, space, operator_name, NULL), SEPX_OK);
    assert_int_equal(
        sepx_cross_new(&f->cross, f->space, operator_name, &rules, NULL),
        SEPX_OK);
    options.pinned = sepx_space_pinned(f->space, &options.n_pinned);
    assert_int_equal(sepx_ged_new(&f->ged, &options), SEPX_OK);
}

static void
close_all(struct fixture *f)
{
    sepx_explain_release(&f->explain);
    sepx_graph_release(&f->a);
    sepx_graph_release(&f->b);
    sepx_graph_release(&f->child);
    sepx_ged_free(f->ged);
    sepx_cross_free(f->cross);
    sepx_space_close(f->space);
}

static void
sample_parents(struct fixture *f)
{
    assert_int_equal(sepx_space_sample(f->space, &f->a, &f->rng), SEPX_OK);
    assert_int_equal(sepx_space_sample(f->space, &f->b, &f->rng), SEPX_OK);
}

/* A parent and its descendant: what crossovers meet in a search. */
static void
sample_relatives(struct fixture *f)
{
    struct sepx_rules rules;

    assert_int_equal(sepx_rules_preset(&rules, "default", "", "mutation", NULL),
                     SEPX_OK);
    assert_int_equal(sepx_space_sample(f->space, &f->a, &f->rng), SEPX_OK);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(sepx_space_mutate(f->space, &f->child,
                                           i ? &f->b : &f->a, &rules, &f->rng),
                         SEPX_OK);
        assert_int_equal(sepx_graph_copy(&f->b, &f->child), SEPX_OK);
    }
}

static unsigned
distance(struct fixture *f, const struct sepx_graph *x,
         const struct sepx_graph *y)
{
    struct sepx_ged_result result;

    assert_int_equal(sepx_ged_between(f->ged, &result, x, y, NULL), SEPX_OK);
    assert_true(result.exact);
    return (unsigned)result.upper;
}

/* ---- the operators ---- */

/* Edge deletions that were not drawn, but whose node went. */
static unsigned
count_implied(const struct sepx_explain *e)
{
    unsigned count = 0;

    for (size_t i = 0; i < e->path.len; i++) {
        const struct sepx_edit *edit = &e->path.edit[i];

        count += !e->taken[i] && edit->kind == SEPX_EDGE_DELETE &&
                 (e->place[edit->from] == SEPX_NONE ||
                  e->place[edit->to] == SEPX_NONE);
    }
    return count;
}

static unsigned
count_taken(const struct sepx_explain *e)
{
    unsigned count = 0;

    for (size_t i = 0; i < e->path.len; i++)
        count += e->taken[i];
    return count;
}

/*
 * A child of a shortest path is as far from its parents as edits took
 * effect, and did not: half of them, but for dropped insertions and for
 * edges that a deleted node takes along.
 */
static void
check_distances(const char *space, unsigned n_pairs)
{
    struct fixture f;

    open_all(&f, space, "sep", "default");
    for (unsigned i = 0; i < n_pairs; i++) {
        unsigned d, to_a, to_b, implied, taken;

        if (i % 2)
            sample_relatives(&f);
        else
            sample_parents(&f);
        assert_int_equal(
            sepx_cross_draw(f.cross, &f.child, &f.a, &f.b, &f.rng, &f.explain),
            SEPX_OK);
        d = distance(&f, &f.a, &f.b);
        to_a = distance(&f, &f.a, &f.child);
        to_b = distance(&f, &f.child, &f.b);
        implied = count_implied(&f.explain);
        taken = count_taken(&f.explain);
        assert_int_equal(f.explain.path.len, d);
        assert_int_equal(taken, (d + 1) / 2);
        CHECK(to_a == taken - f.explain.n_dropped + implied,
              "%s pair %u: %u is not %u - %zu + %u", space, i, to_a, taken,
              f.explain.n_dropped, implied);
        assert_int_equal(to_a + to_b, d);
        if (!implied)
            assert_true(to_a <= (d + 1) / 2);
        if (!f.explain.n_dropped)
            assert_true(to_b <= d / 2);
    }
    close_all(&f);
}

static void
sep_children_lie_half_way(void **state)
{
    (void)state;
    check_distances("nb101", 1000);
    check_distances("nbnlp", 300);
    check_distances("darts", 100);
}

/* Entries come from one parent or the other, each from either in turn. */
static void
standard_children_mix_positions(void **state)
{
    struct fixture f;
    unsigned from_b = 0, differ = 0;

    (void)state;
    open_all(&f, "nb101", "standard", "default");
    for (unsigned i = 0; i < 500; i++) {
        sample_parents(&f);
        assert_int_equal(
            sepx_cross_draw(f.cross, &f.child, &f.a, &f.b, &f.rng, NULL),
            SEPX_OK);
        assert_int_equal(f.child.n_nodes, 7);
        for (unsigned u = 0; u < 7; u++) {
            assert_true(f.child.label[u] == f.a.label[u] ||
                        f.child.label[u] == f.b.label[u]);
            for (unsigned v = 0; v < 7; v++) {
                bool in_a = sepx_graph_find_edge(&f.a, u, v);
                bool in_b = sepx_graph_find_edge(&f.b, u, v);
                bool in_child = sepx_graph_find_edge(&f.child, u, v);

                assert_true(in_child == in_a || in_child == in_b);
                differ += in_a != in_b;
                from_b += in_a != in_b && in_child == in_b;
            }
        }
    }
    CHECK(from_b > 0.47 * differ && from_b < 0.53 * differ, "%u of %u", from_b,
          differ);
    close_all(&f);
}

/* Where orders differ, null vertices stand in; nothing is lost. */
static void
standard_crossover_keeps_what_is_common(void **state)
{
    struct fixture f;
    unsigned sizes = 0;

    (void)state;
    open_all(&f, "nbnlp", "standard", "default");
    for (unsigned i = 0; i < 500; i++) {
        uint32_t least, most;

        sample_parents(&f);
        least = f.a.n_nodes < f.b.n_nodes ? f.a.n_nodes : f.b.n_nodes;
        most = f.a.n_nodes + f.b.n_nodes - least;
        assert_int_equal(
            sepx_cross_draw(f.cross, &f.child, &f.a, &f.b, &f.rng, NULL),
            SEPX_OK);
        assert_in_range(f.child.n_nodes, least, most);
        sizes += f.child.n_nodes > least && f.child.n_nodes < most;
        assert_int_equal(
            sepx_cross_draw(f.cross, &f.child, &f.a, &f.a, &f.rng, NULL),
            SEPX_OK);
        assert_true(sepx_graph_equal(&f.child, &f.a));
    }
    assert_true(sizes > 50);
    close_all(&f);
}

/* The authors' code never gives a cell back when it meets itself. */
static void
published_nlp_code_loses_the_last_node(void **state)
{
    struct fixture f;
    struct sepx_cross_counts counts = {0};

    (void)state;
    open_all(&f, "nbnlp", "standard", "published");
    for (unsigned i = 0; i < 200; i++) {
        bool accepted;

        assert_int_equal(sepx_space_sample(f.space, &f.a, &f.rng), SEPX_OK);
        assert_int_equal(sepx_cross_run(f.cross, &f.child, &accepted, &f.a,
                                        &f.a, &f.rng, &counts, NULL),
                         SEPX_OK);
        assert_false(accepted);
    }
    assert_int_equal(counts.skipped, 200);
    close_all(&f);
}

/* ---- Lemma 1: the law of children does not depend on node orders ---- */

#define DRAWS 3000

static int
compare_keys(const void *left, const void *right)
{
    return memcmp(left, right, sizeof(struct sepx_key));
}

static void
draw_keys(struct fixture *f, struct sepx_key *key, const struct sepx_graph *a,
          const struct sepx_graph *b)
{
    for (unsigned i = 0; i < DRAWS; i++) {
        assert_int_equal(
            sepx_cross_draw(f->cross, &f->child, a, b, &f->rng, NULL), SEPX_OK);
        assert_int_equal(sepx_graph_canon(&f->child, NULL, &key[i]), SEPX_OK);
    }
    qsort(key, DRAWS, sizeof(*key), compare_keys);
}

/*
 * Two-sample chi-square of the counts of equal keys, rare ones pooled, as a
 * standard normal score (Wilson & Hilferty 1931).
 */
static double
chi_square_score(const struct sepx_key *x, const struct sepx_key *y)
{
    double chi = 0, rare[2] = {0}, cells = 0;
    size_t i = 0, j = 0;

    while (i < DRAWS || j < DRAWS) {
        const struct sepx_key *least =
            j == DRAWS || (i < DRAWS && compare_keys(&x[i], &y[j]) < 0) ? &x[i]
                                                                        : &y[j];
        const struct sepx_key key = *least;
        double n = 0, m = 0;

        for (; i < DRAWS && !compare_keys(&x[i], &key); i++)
            n++;
        for (; j < DRAWS && !compare_keys(&y[j], &key); j++)
            m++;
        if (n + m < 20) {
            rare[0] += n;
            rare[1] += m;
            continue;
        }
        chi += (n - m) * (n - m) / (n + m);
        cells++;
    }
    if (rare[0] + rare[1] > 0) {
        chi += (rare[0] - rare[1]) * (rare[0] - rare[1]) / (rare[0] + rare[1]);
        cells++;
    }
    if (cells < 2)
        return 0;
    return (cbrt(chi / (cells - 1)) - 1 + 2 / (9 * (cells - 1))) /
           sqrt(2 / (9 * (cells - 1)));
}

static void
check_lemma(const char *space, const char *operator_name, unsigned n_pairs)
{
    static struct sepx_key x[DRAWS], y[DRAWS];
    struct sepx_graph a = {0}, b = {0};
    struct fixture f;
    double worst = 0;

    open_all(&f, space, operator_name, "default");
    for (unsigned i = 0; i < n_pairs; i++) {
        uint32_t order[64];
        double score;

        sample_relatives(&f);
        draw_order(order, f.a.n_nodes, &f.rng);
        assert_int_equal(sepx_graph_permute(&a, &f.a, order), SEPX_OK);
        draw_order(order, f.b.n_nodes, &f.rng);
        assert_int_equal(sepx_graph_permute(&b, &f.b, order), SEPX_OK);
        draw_keys(&f, x, &f.a, &f.b);
        draw_keys(&f, y, &a, &b);
        score = chi_square_score(x, y);
        worst = score > worst ? score : worst;
    }
    CHECK(worst < 3.5, "%s %s: score %g", space, operator_name, worst);
    sepx_graph_release(&a);
    sepx_graph_release(&b);
    close_all(&f);
}

static void
node_orders_do_not_change_the_law_of_children(void **state)
{
    (void)state;
    check_lemma("nb101", "sep", rounds(20));
    check_lemma("nb101", "matched", rounds(10));
    check_lemma("nbnlp", "sep", rounds(6));
    check_lemma("darts", "sep", rounds(3));
}

/* The test has power: standard crossover does depend on orders. */
static void
standard_crossover_sees_node_orders(void **state)
{
    static struct sepx_key x[DRAWS], y[DRAWS];
    const uint32_t order[] = {0, 2, 3, 4, 1, 5, 6};
    struct sepx_graph a = {0};
    struct sepx_rules rules = {.differ = true};
    struct fixture f;

    (void)state;
    open_all(&f, "nb101", "standard", "default");
    assert_int_equal(sepx_space_target(f.space, &f.a, "optimum", NULL),
                     SEPX_OK);
    assert_int_equal(sepx_space_mutate(f.space, &f.b, &f.a, &rules, &f.rng),
                     SEPX_OK);
    assert_int_equal(sepx_graph_permute(&a, &f.a, order), SEPX_OK);
    draw_keys(&f, x, &f.a, &f.b);
    draw_keys(&f, y, &a, &f.b);
    assert_true(chi_square_score(x, y) > 10);
    sepx_graph_release(&a);
    close_all(&f);
}

/* ---- the pipeline ---- */

static bool
same_graph(const struct sepx_graph *x, const struct sepx_graph *y)
{
    bool same;

    assert_int_equal(sepx_graph_isomorphic(x, y, &same, NULL), SEPX_OK);
    return same;
}

static void
check_children(const char *space, const char *operator_name)
{
    struct sepx_cross_counts c = {0};
    struct fixture f;

    open_all(&f, space, operator_name, "default");
    for (unsigned i = 0; i < 200; i++) {
        bool accepted, valid;

        if (i % 2)
            sample_relatives(&f);
        else
            sample_parents(&f);
        assert_int_equal(sepx_cross_run(f.cross, &f.child, &accepted, &f.a,
                                        &f.b, &f.rng, &c, NULL),
                         SEPX_OK);
        if (!accepted)
            continue;
        assert_int_equal(sepx_space_check(f.space, &valid, &f.child, NULL),
                         SEPX_OK);
        assert_true(valid);
        assert_false(same_graph(&f.child, &f.a) || same_graph(&f.child, &f.b));
        for (uint32_t k = 0; k < f.child.n_edges; k++)
            assert_true(f.child.edge[k].from < f.child.edge[k].to);
    }
    CHECK(c.attempts == 200 && c.attempts == c.accepted + c.skipped &&
              c.trials == c.accepted + c.duplicates + c.cyclic + c.invalid,
          "%s %s", space, operator_name);
    CHECK(c.accepted >= 40, "%s %s: %" PRIu64, space, operator_name,
          c.accepted);
    close_all(&f);
}

static void
children_are_valid_and_new(void **state)
{
    const struct sepx_space_info *const *space = sepx_space_list();

    (void)state;
    for (; *space; space++) {
        const struct sepx_cross_info *const *op = sepx_cross_list();

        for (; *op; op++) /* test_path.c knows about `path` */
            if (strcmp((*op)->name, "path") != 0)
                check_children((*space)->name, (*op)->name);
    }
}

static void
relatives_of_one_edit_have_no_children(void **state)
{
    struct sepx_cross_counts c = {0};
    struct fixture f;
    bool accepted;

    (void)state;
    open_all(&f, "nb101", "sep", "default");
    sample_parents(&f);
    assert_int_equal(sepx_cross_run(f.cross, &f.child, &accepted, &f.a, &f.a,
                                    &f.rng, &c, NULL),
                     SEPX_OK);
    assert_false(accepted);
    assert_true(c.skipped == 1 && c.trials == 1 && c.duplicates == 1);
    close_all(&f);
}

/* Remembered verdicts are what they would have been. */
static void
explained_runs_take_the_same_course(void **state)
{
    struct fixture f, g;

    (void)state;
    open_all(&f, "nb101", "sep", "default");
    open_all(&g, "nb101", "sep", "default");
    for (unsigned i = 0; i < 300; i++) {
        struct sepx_cross_counts c[2] = {{0}, {0}};
        struct sepx_rng rng = f.rng;
        bool accepted[2];

        sample_relatives(&f);
        rng = f.rng;
        assert_int_equal(sepx_cross_run(f.cross, &f.child, &accepted[0], &f.a,
                                        &f.b, &f.rng, &c[0], NULL),
                         SEPX_OK);
        assert_int_equal(sepx_cross_run(g.cross, &g.child, &accepted[1], &f.a,
                                        &f.b, &rng, &c[1], &g.explain),
                         SEPX_OK);
        assert_int_equal(accepted[0], accepted[1]);
        assert_memory_equal(&c[0], &c[1], sizeof(c[0]));
        assert_int_equal(g.explain.trials, c[1].trials);
        if (accepted[0])
            assert_true(sepx_graph_equal(&f.child, &g.child));
    }
    close_all(&f);
    close_all(&g);
}

/* The path, applied as explained, is the raw child; places lead on. */
static void
explanations_add_up(void **state)
{
    struct sepx_graph raw = {0};
    struct fixture f;

    (void)state;
    open_all(&f, "nbnlp", "sep", "default");
    for (unsigned i = 0; i < 300; i++) {
        struct sepx_explain *e = &f.explain;
        bool accepted;

        sample_relatives(&f);
        assert_int_equal(sepx_cross_run(f.cross, &f.child, &accepted, &f.a,
                                        &f.b, &f.rng, NULL, e),
                         SEPX_OK);
        assert_int_equal(sepx_path_apply(&e->path, &raw,
                                         e->swapped ? &f.b : &f.a, e->taken,
                                         NULL, NULL),
                         SEPX_OK);
        assert_true(sepx_graph_equal(&raw, &e->raw));
        assert_int_equal(accepted, e->verdict == SEPX_ACCEPTED);
        for (uint32_t k = 0; accepted && k < e->raw.n_nodes; k++)
            if (e->raw_place[k] != SEPX_NONE)
                assert_int_equal(f.child.label[e->raw_place[k]],
                                 e->raw.label[k]);
        for (uint32_t k = 0; accepted && k < e->path.n_first; k++)
            if (e->place[k] != SEPX_NONE && e->map[k] != SEPX_NONE) {
                uint16_t label = f.child.label[e->place[k]];

                assert_true(label == f.a.label[k] ||
                            label == f.b.label[e->map[k]]);
            }
    }
    sepx_graph_release(&raw);
    close_all(&f);
}

/* Cells that only published rules make go round without harm. */
static void
published_nlp_populations_stay_sound(void **state)
{
    static const char *const name[] = {"sep", "standard"};
    struct sepx_rules mutation;

    (void)state;
    assert_int_equal(
        sepx_rules_preset(&mutation, "published", "nbnlp", "mutation", NULL),
        SEPX_OK);
    for (unsigned k = 0; k < 2; k++) {
        struct sepx_graph pool[8] = {{0}};
        struct fixture f;

        open_all(&f, "nbnlp", name[k], "published");
        for (unsigned i = 0; i < 8; i++)
            assert_int_equal(sepx_space_sample(f.space, &pool[i], &f.rng),
                             SEPX_OK);
        for (unsigned i = 0; i < 3000; i++) {
            struct sepx_graph *a = &pool[sepx_rng_below(&f.rng, 8)];
            struct sepx_graph *b = &pool[sepx_rng_below(&f.rng, 8)];
            bool accepted = true;

            if (i % 2)
                assert_int_equal(
                    sepx_space_mutate(f.space, &f.child, a, &mutation, &f.rng),
                    SEPX_OK);
            else
                assert_int_equal(sepx_cross_run(f.cross, &f.child, &accepted, a,
                                                b, &f.rng, NULL, NULL),
                                 SEPX_OK);
            if (accepted)
                assert_int_equal(sepx_graph_copy(b, &f.child), SEPX_OK);
            for (uint32_t e = 0; e < b->n_edges; e++)
                assert_true(b->edge[e].from < b->edge[e].to);
        }
        for (unsigned i = 0; i < 8; i++)
            sepx_graph_release(&pool[i]);
        close_all(&f);
    }
}

/* What a file says of a parent is not true of its children. */
static void
children_have_no_keys_of_their_parents(void **state)
{
    static const char text[] =
        "{\"name\": \"resnet\", \"nodes\": [\"input\", \"conv3x3-bn-relu\", "
        "\"output\"], \"edges\": [[0, 1], [1, 2]]}";
    struct sepx_rules rules;
    struct fixture f;
    bool accepted;

    (void)state;
    open_all(&f, "nb101", "sep", "default");
    assert_int_equal(sepx_graph_read(&f.a, sepx_space_names(f.space), text,
                                     sizeof(text) - 1, SEPX_FORMAT_AUTO, NULL),
                     SEPX_OK);
    assert_non_null(f.a.extra);
    assert_int_equal(sepx_space_target(f.space, &f.b, "optimum", NULL),
                     SEPX_OK);
    assert_int_equal(sepx_cross_run(f.cross, &f.child, &accepted, &f.a, &f.b,
                                    &f.rng, NULL, NULL),
                     SEPX_OK);
    assert_true(accepted);
    assert_null(f.child.extra);
    assert_int_equal(sepx_rules_preset(&rules, "default", "", "mutation", NULL),
                     SEPX_OK);
    assert_int_equal(sepx_space_mutate(f.space, &f.child, &f.a, &rules, &f.rng),
                     SEPX_OK);
    assert_null(f.child.extra);
    close_all(&f);
}

static void
an_unknown_operator_gets_the_names(void **state)
{
    struct sepx_space *space;
    struct sepx_cross *cross;
    struct sepx_rules rules = {0};
    struct sepx_msg msg = {0};

    (void)state;
    assert_int_equal(sepx_space_open(&space, "nb101", NULL), SEPX_OK);
    assert_int_equal(sepx_cross_new(&cross, space, "spe", &rules, &msg),
                     SEPX_ENOTFOUND);
    assert_null(cross);
    assert_string_equal(msg.text, "unknown crossover 'spe'; did you mean "
                                  "'sep'? (valid: standard, matched, sep, "
                                  "path)");
    sepx_space_close(space);
}

/* ---- memory ---- */

static enum sepx_err
cross_once(const struct fixture *f, const char *operator_name,
           const char *preset)
{
    struct sepx_cross *cross;
    struct sepx_graph child = {0};
    struct sepx_explain explain = {0};
    struct sepx_rules rules;
    struct sepx_rng rng;
    bool accepted;
    enum sepx_err err;

    sepx_rng_init(&rng, SEED, 0, 0, 1);
    err = sepx_rules_preset(&rules, preset, "nbnlp", operator_name, NULL);
    assert_int_equal(err, SEPX_OK);
    err = sepx_cross_new(&cross, f->space, operator_name, &rules, NULL);
    if (!err)
        err = sepx_cross_run(cross, &child, &accepted, &f->a, &f->b, &rng, NULL,
                             &explain);
    if (!err)
        err = sepx_cross_run(cross, &child, &accepted, &f->b, &f->a, &rng, NULL,
                             NULL);
    sepx_explain_release(&explain);
    sepx_graph_release(&child);
    sepx_cross_free(cross);
    return err;
}

static void
every_allocation_may_fail(void **state)
{
    static const char *const cases[][2] = {{"sep", "default"},
                                           {"standard", "default"},
                                           {"sep", "published"},
                                           {"standard", "published"}};
    struct fixture f;

    (void)state;
    open_all(&f, "nbnlp", "sep", "default");
    sample_parents(&f);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        EACH_FAULT (fault) {
            fault.err = cross_once(&f, cases[i][0], cases[i][1]);
        }
    close_all(&f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sep_children_lie_half_way),
        cmocka_unit_test(standard_children_mix_positions),
        cmocka_unit_test(standard_crossover_keeps_what_is_common),
        cmocka_unit_test(published_nlp_code_loses_the_last_node),
        cmocka_unit_test(node_orders_do_not_change_the_law_of_children),
        cmocka_unit_test(standard_crossover_sees_node_orders),
        cmocka_unit_test(children_are_valid_and_new),
        cmocka_unit_test(relatives_of_one_edit_have_no_children),
        cmocka_unit_test(explained_runs_take_the_same_course),
        cmocka_unit_test(explanations_add_up),
        cmocka_unit_test(published_nlp_populations_stay_sound),
        cmocka_unit_test(children_have_no_keys_of_their_parents),
        cmocka_unit_test(an_unknown_operator_gets_the_names),
        cmocka_unit_test(every_allocation_may_fail),
    };

    print_message("seed %d\n", SEED);
    return cmocka_run_group_tests_name("cross", tests, NULL, NULL);
}
