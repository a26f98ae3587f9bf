/* SPDX-License-Identifier: Apache-2.0 */
/* The Gaussian process against its formulas, and the search that asks it. */
#include "unit/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/oracle_gauss.h"
#include "search/models/gauss.h"
#include "search/private.h"
#include "search/models/surface.h"

#define POINTS 40

static const double lengths[SEPX__GAUSS_LENGTHS] = {1, 2,  3,  4,  6,
                                                    8, 12, 16, 32, 64};

static void
test_functions_are_those_of_libm(void **state)
{
    static const double quantiles[][2] = {{0.5, 0},
                                          {0.975, 1.959963985},
                                          {0.025, -1.959963985},
                                          {0.9, 1.281551566},
                                          {1e-6, -4.753424309},
                                          {1e-20, -9.262340090},
                                          {0.07, -1.47579103},
                                          {0.995, 2.575829304},
                                          {0.925, 1.439531471}};

    (void)state;
    for (double x = 1e-12; x < 1e12; x *= 1.7)
        CHECK(fabs(sepx__plain_log(x) - log(x)) < 4e-15 * (1 + fabs(log(x))),
              "ln %g is %.17g", x, sepx__plain_log(x));
    for (size_t i = 0; i < sizeof quantiles / sizeof *quantiles; i++)
        CHECK(fabs(sepx__normal_quantile(quantiles[i][0]) - quantiles[i][1]) <
                  1e-6,
              "of %g: %.10g", quantiles[i][0],
              sepx__normal_quantile(quantiles[i][0]));
    for (uint32_t l = 0; l < SEPX__GAUSS_LENGTHS; l++) {
        const struct sepx__gauss_kernel kernel = {l, 0};

        for (uint32_t d = 0; d < 40; d++)
            CHECK_NEAR(sepx__gauss_kernel(&kernel, d), exp(-d / lengths[l]),
                       1e-13);
    }
}

/* ---- against the formulas ---- */

struct problem {
    int place[POINTS + 1][3]; /* distances are those of a grid */
    uint16_t distance[(POINTS + 1) * (POINTS + 1)];
    double y[POINTS], scores[POINTS], blur[POINTS];
};

static void
problem_make(struct problem *p, struct sepx_rng *rng)
{
    for (unsigned i = 0; i <= POINTS; i++)
        for (unsigned k = 0; k < 3; k++)
            p->place[i][k] = (int)sepx_rng_below(rng, 7);
    for (unsigned i = 0; i <= POINTS; i++) {
        for (unsigned j = 0; j <= POINTS; j++) {
            unsigned sum = 0;

            for (unsigned k = 0; k < 3; k++)
                sum += (unsigned)abs(p->place[i][k] - p->place[j][k]);
            p->distance[i * (POINTS + 1) + j] = (uint16_t)sum;
        }
    }
    for (unsigned i = 0; i < POINTS; i++) {
        p->y[i] = sepx_rng_normal(rng) + p->place[i][0];
        p->scores[i] = 1 + sepx_rng_below(rng, 4);
        p->blur[i] = sepx_rng_below(rng, 3) ? 0 : 0.1;
    }
}

static struct oracle_gauss
ask_oracle(const struct problem *p, const struct sepx__gauss_kernel *kernel,
           double jitter, unsigned n)
{
    static double k[POINTS * POINTS];
    double cross[POINTS], noise = sepx__gauss_noise(kernel);
    double length = lengths[kernel->length];

    for (unsigned i = 0; i < n; i++) {
        const uint16_t *row = p->distance + i * (POINTS + 1);

        for (unsigned j = 0; j < n; j++)
            k[i * n + j] = (1 - noise) * exp(-row[j] / length);
        k[i * n + i] +=
            noise / p->scores[i] + (1 - noise) * p->blur[i] + jitter;
        cross[i] = (1 - noise) * exp(-row[POINTS] / length);
    }
    return oracle_gauss(k, p->y, cross, 1 - noise, n);
}

static void
test_the_formulas_agree(void **state)
{
    struct sepx__gauss gauss = {0};
    struct problem p;
    struct sepx_rng rng;
    unsigned plain = 0;

    (void)state;
    sepx_rng_init(&rng, 6101, 0, 0, 0);
    for (unsigned round = 0; round < 60; round++) {
        unsigned n = 2 + sepx_rng_below(&rng, POINTS - 1);
        struct sepx__gauss_kernel kernel = {round % SEPX__GAUSS_LENGTHS,
                                            round % SEPX__GAUSS_NOISES};
        struct sepx__gauss_data data = {p.distance, POINTS + 1, p.y,
                                        p.scores,   p.blur,     n};
        struct oracle_gauss want;
        double mean, variance, alone;

        problem_make(&p, &rng);
        assert_int_equal(sepx__gauss_fit(&gauss, &data, &kernel), SEPX_OK);
        plain += !(gauss.jitter > 0);
        want = ask_oracle(&p, &kernel, gauss.jitter, n);
        sepx__gauss_predict(&gauss, &mean, &variance,
                            p.distance + POINTS * (POINTS + 1));
        sepx__gauss_predict(&gauss, &alone, NULL,
                            p.distance + POINTS * (POINTS + 1));
        CHECK_NEAR(gauss.mean, want.mean, 1e-8);
        CHECK_NEAR(gauss.scale, want.scale, 1e-8);
        CHECK(fabs(gauss.likelihood - want.likelihood) < 1e-7, "%g and %g",
              gauss.likelihood, want.likelihood);
        CHECK(fabs(mean - want.at) < 1e-7, "%.12g and %.12g", mean, want.at);
        CHECK(mean == alone, "%g", alone);
        CHECK(fabs(variance - want.variance) < 1e-7, "%.12g and %.12g",
              variance, want.variance);
    }
    CHECK(plain > 50, "%u", plain);
    sepx__gauss_release(&gauss);
}

/* The chosen kernel is the best of all by the formulas. */
static void
test_the_likeliest_kernel_is_chosen(void **state)
{
    struct sepx__gauss gauss = {0};
    struct problem p;
    struct sepx_rng rng;

    (void)state;
    sepx_rng_init(&rng, 6102, 0, 0, 0);
    for (unsigned round = 0; round < 5; round++) {
        struct sepx__gauss_data data = {p.distance, POINTS + 1, p.y,
                                        p.scores,   p.blur,     POINTS};
        double best = -INFINITY, chosen;

        problem_make(&p, &rng);
        assert_int_equal(sepx__gauss_choose(&gauss, &data), SEPX_OK);
        chosen = ask_oracle(&p, &gauss.kernel, 0, POINTS).likelihood;
        for (uint32_t l = 0; l < SEPX__GAUSS_LENGTHS; l++) {
            for (uint32_t t = 0; t < SEPX__GAUSS_NOISES; t++) {
                const struct sepx__gauss_kernel kernel = {l, t};

                best =
                    fmax(best, ask_oracle(&p, &kernel, 0, POINTS).likelihood);
            }
        }
        CHECK(fabs(chosen - best) < 1e-6, "round %u: %g and %g", round, chosen,
              best);
    }
    sepx__gauss_release(&gauss);
}

/* Distances that no kernel of the kind has: noise on top mends it. */
static void
test_a_bad_kernel_is_mended(void **state)
{
    /* 0 is in the middle of 1, 2 and 3, which are all but equal to it. */
    static const uint16_t distance[] = {0, 1,   1, 1,   1, 0,   900, 900,
                                        1, 900, 0, 900, 1, 900, 900, 0};
    const double y[] = {0, 1, -1, 2}, scores[] = {1, 1, 1, 1};
    const double blur[] = {0, 0, 0, 0};
    const struct sepx__gauss_data data = {distance, 4, y, scores, blur, 4};
    const struct sepx__gauss_kernel kernel = {SEPX__GAUSS_LENGTHS - 1, 0};
    struct sepx__gauss gauss = {0};
    double mean, variance;

    (void)state;
    assert_int_equal(sepx__gauss_fit(&gauss, &data, &kernel), SEPX_OK);
    assert_true(gauss.jitter > 0);
    sepx__gauss_predict(&gauss, &mean, &variance, distance);
    CHECK(isfinite(mean) && isfinite(variance) && variance >= 0, "%g, %g", mean,
          variance);
    sepx__gauss_release(&gauss);
}

/* ---- the surface ---- */

/* More graphs than it keeps: the best stay, and answers stay finite. */
static void
test_the_best_graphs_are_kept(void **state)
{
    struct sepx_space *space;
    struct sepx__surface surface;
    struct sepx_graph graph = {0};
    struct sepx_rng rng;
    double least = INFINITY, mean, deviation, before = -INFINITY;

    (void)state;
    assert_int_equal(sepx_space_open(&space, "nb101", NULL), SEPX_OK);
    assert_int_equal(sepx__surface_init(&surface, space, 20, 500), SEPX_OK);
    sepx_rng_init(&rng, 6103, 0, 0, 0);
    for (unsigned i = 0; i < 72; i++) {
        double score = sepx_rng_unit(&rng);

        assert_int_equal(sepx_space_sample(space, &graph, &rng), SEPX_OK);
        if (i % 3 == 0)
            assert_int_equal(sepx__surface_tell(&surface, i, &graph, i, NAN, 0),
                             SEPX_OK);
        if (i % 10 == 9) {
            sepx__surface_drop(&surface, i);
            continue;
        }
        assert_int_equal(sepx__surface_tell(&surface, i, &graph, i, score, 1),
                         SEPX_OK);
        least = fmin(least, score);
    }
    assert_int_equal(surface.count, 20);
    assert_int_equal(sepx__surface_fit(&surface), SEPX_OK);
    assert_true(surface.row[surface.order[0]].score == least);
    for (uint32_t i = 0; i < surface.count; i++) {
        const struct sepx__surface_row *row = &surface.row[surface.best[i]];

        CHECK(row->smooth >= before, "%g after %g", row->smooth, before);
        before = row->smooth;
        assert_int_equal(
            sepx__surface_ask(&surface, &mean, &deviation, &row->graph),
            SEPX_OK);
        CHECK(fabs(mean - row->smooth) < 1e-9, "%g and %g", mean, row->smooth);
        CHECK(deviation >= 0 && deviation < 3, "%g", deviation);
    }
    for (double z = -4; z < 4; z += 0.1)
        CHECK(sepx__surface_score(&surface, z) <=
                  sepx__surface_score(&surface, z + 0.1),
              "at %g", z);
    for (uint32_t i = 0; i < surface.scored; i++)
        CHECK_NEAR(sepx__surface_score(&surface, surface.y[surface.order[i]]),
                   surface.row[surface.order[i]].score, 1e-9);
    sepx__surface_release(&surface);
    sepx_graph_release(&graph);
    sepx_space_close(space);
}

/* ---- the method ---- */

/* Scores that fall with the edges, so that a model of distances helps. */
static double
run_model(const char *text, unsigned evals)
{
    struct sepx_space *space;
    struct sepx_method *method;
    struct sepx_search *search;
    struct sepx_ask ask = {0};
    double best = INFINITY;

    assert_int_equal(sepx_space_open(&space, "nb101", NULL), SEPX_OK);
    assert_int_equal(sepx_method_new(&method, space, text, NULL, NULL, NULL),
                     SEPX_OK);
    assert_int_equal(sepx_search_new(&search, method, 6104, 0, NULL), SEPX_OK);
    for (unsigned i = 0; i < evals; i++) {
        double score;

        assert_int_equal(sepx_search_ask(search, &ask), SEPX_OK);
        score = 10 * ask.graph.n_nodes - ask.graph.n_edges;
        for (uint32_t k = 0; k < ask.graph.n_nodes; k++)
            score += ask.graph.label[k];
        best = fmin(best, score);
        assert_int_equal(
            sepx_search_tell(search, &ask, i % 13 == 5 ? NAN : score), SEPX_OK);
    }
    sepx_ask_release(&ask);
    sepx_search_free(search);
    sepx_method_free(method);
    sepx_space_close(space);
    return best;
}

static void
test_the_model_helps(void **state)
{
    double model = run_model("model", 60), random = run_model("random", 60);

    (void)state;
    CHECK(model < random, "%g and %g", model, random);
    (void)run_model("model:crossover=none,graphs=8,start=2,explore=1", 40);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions_are_those_of_libm),
        cmocka_unit_test(test_the_formulas_agree),
        cmocka_unit_test(test_the_likeliest_kernel_is_chosen),
        cmocka_unit_test(test_a_bad_kernel_is_mended),
        cmocka_unit_test(test_the_best_graphs_are_kept),
        cmocka_unit_test(test_the_model_helps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
