/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The trials of a NAS-Bench-101 cell, drawn from its mean test accuracy.
 *
 * Cells differ beyond their test accuracy: some learn fast, some are slow to
 * train. A cell has five such effects, correlated normal scores, and its
 * trials share them. At 4, 12 and 36 epochs a trial's score picks a quantile
 * of the validation accuracies of cells with this test accuracy, failed
 * trials among them. At 108 epochs validation follows the test accuracy so
 * closely that a curve and a spread say more. docs/models.md has the fit.
 */
#include <math.h>

#include "nas/nb101/nb101_noise.h"
#include "nas/nb101/nb101_noise.inc"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define EFFECTS 5 /* on validation at four budgets, and on time */
#define TRIALS SEPX__NB101_TRIALS
#define EARLY_BUDGETS 3
#define LATE 3        /* the budget of 108 epochs */
#define TIME_TABLE 3  /* of `early` */
#define IMAGES 9984.0 /* of the validation set, in whole batches */
#define MOST 9503     /* of them right in the best trial of the benchmark */
#define FAILED (949 / IMAGES) /* where nothing was learned */
#define FAILED_TEST 0.1

static const double epochs[SEPX__NB101_BUDGETS] = {4, 12, 36, 108};

/* Between points `low` and `low` + 1, the share `part` of the way. */
struct place {
    unsigned low;
    double part;
};

/* Beyond the ends: at the ends. */
static struct place
place_in(const double *at, size_t count, double x)
{
    struct place place = {0};

    while (place.low + 2 < count && x >= at[place.low + 1])
        place.low++;
    place.part = (x - at[place.low]) / (at[place.low + 1] - at[place.low]);
    place.part = fmin(fmax(place.part, 0), 1);
    return place;
}

static double
between(double low, double high, double part)
{
    return low + part * (high - low);
}

/* As accuracies are; also forgives the last bits of libm. */
static double
share_of_images(double accuracy)
{
    return fmin(round(fmax(accuracy, 0) * IMAGES), MOST) / IMAGES;
}

/* ---- what the trials of a cell have in common ---- */

static void
draw_effects(double effect[EFFECTS], double test_mean, struct sepx_rng *rng)
{
    struct place near = place_in(related_at, COUNT(related_at), test_mean);
    double normal[EFFECTS];

    for (unsigned i = 0; i < EFFECTS; i++)
        normal[i] = sepx_rng_normal(rng);
    for (unsigned i = 0; i < EFFECTS; i++) {
        double square = 0;

        effect[i] = 0;
        for (unsigned j = 0; j <= i; j++) {
            double factor = between(related[near.low][i][j],
                                    related[near.low + 1][i][j], near.part);

            effect[i] += factor * normal[j];
            square += factor * factor;
        }
        effect[i] /= sqrt(square);
    }
}

/* ---- 4, 12 and 36 epochs, and time ---- */

static double
quantile(unsigned table, struct place near, double score)
{
    const double(*row)[COUNT(early[0][0])] = early[table];
    double steps = (score - FIRST_SCORE) / SCORE_STEP;
    double last = (double)COUNT(early[0][0]) - 1;
    unsigned at;

    steps = fmin(fmax(steps, 0), last);
    at = (unsigned)fmin(steps, last - 1);
    steps -= at;
    return between(
        between(row[near.low][at], row[near.low][at + 1], steps),
        between(row[near.low + 1][at], row[near.low + 1][at + 1], steps),
        near.part);
}

static void
draw_early(struct sepx__nb101_trials *out, double test_mean,
           const double effect[EFFECTS], struct sepx_rng *rng)
{
    struct place near = place_in(early_at, COUNT(early_at), test_mean);
    double seconds = exp(quantile(TIME_TABLE, near, effect[EFFECTS - 1]));

    for (unsigned i = 0; i < TRIALS; i++) {
        for (unsigned b = 0; b < EARLY_BUDGETS; b++) {
            double score = sqrt(SHARED) * effect[b] +
                           sqrt(1 - SHARED) * sepx_rng_normal(rng);

            out->validation[b][i] = share_of_images(quantile(b, near, score));
        }
    }
    for (unsigned b = 0; b < SEPX__NB101_BUDGETS; b++) {
        for (unsigned i = 0; i < TRIALS; i++)
            out->seconds[b][i] = seconds * epochs[b] / epochs[LATE];
    }
}

/* ---- 108 epochs ---- */

/*
 * Trials that learned nothing pull the mean down by a third of 0.8 each, to
 * where there are no other cells; so the mean tells how many they are.
 */
static unsigned
count_failed(double test_mean)
{
    if (test_mean < 0.2)
        return 3;
    if (test_mean < 0.38)
        return 2;
    return test_mean >= 0.55 && test_mean < 0.66 ? 1 : 0;
}

/* Mean validation accuracy where the mean test accuracy is `test`. */
static double
late_mean(struct place near, double test)
{
    double slope = (late[1][0] - late[0][0]) / (late_at[1] - late_at[0]);
    double mean = between(late[near.low][0], late[near.low + 1][0], near.part);

    mean += fmin(test - late_at[0], 0) * slope;
    return mean + fmax(test - late_at[COUNT(late_at) - 1], 0) * LAST_SLOPE;
}

/* Deviations of `live` trials from their mean; the model's spread is 1. */
static void
draw_spread(double spread[TRIALS], unsigned live, struct sepx_rng *rng)
{
    double mean = 0;

    for (unsigned i = 0; i < live; i++) {
        spread[i] = sepx_rng_normal(rng);
        mean += spread[i] / live;
    }
    for (unsigned i = 0; i < live; i++)
        spread[i] =
            live < 2 ? 0 : (spread[i] - mean) * sqrt(live / (live - 1.0));
}

static void
draw_late(struct sepx__nb101_trials *out, double test_mean,
          const double effect[EFFECTS], struct sepx_rng *rng)
{
    unsigned failed = count_failed(test_mean), live = TRIALS - failed;
    unsigned first = sepx_rng_below(rng, TRIALS);
    double test =
        live ? (test_mean * TRIALS - FAILED_TEST * failed) / live : test_mean;
    struct place near = place_in(late_at, COUNT(late_at), test);
    double unit = between(late[near.low][1], late[near.low + 1][1], near.part);
    double wide = between(late[near.low][2], late[near.low + 1][2], near.part);
    double mean = late_mean(near, test) + CELL * unit * effect[LATE];
    double spread[TRIALS] = {0};

    unit *= exp(wide * sepx_rng_normal(rng));
    draw_spread(spread, live, rng);
    for (unsigned i = 0; i < TRIALS; i++) {
        unsigned trial = (first + i) % TRIALS;
        double off = unit * spread[i];

        out->validation[LATE][trial] =
            i < live ? share_of_images(mean + off) : FAILED;
        out->test[LATE][trial] = i < live ? test + off
                                 : live   ? FAILED_TEST
                                          : test_mean;
    }
}

double
sepx__nb101_noise_free(double test_mean, unsigned budget)
{
    if (budget >= EARLY_BUDGETS)
        return test_mean;
    return quantile(budget, place_in(early_at, COUNT(early_at), test_mean), 0);
}

unsigned
sepx__nb101_budget(double fidelity)
{
    unsigned budget = 0;

    while (budget < LATE && epochs[budget] < fidelity * epochs[LATE] - 1e-6)
        budget++;
    return budget;
}

void
sepx__nb101_noise_draw(struct sepx__nb101_trials *out, double test_mean,
                       struct sepx_rng *rng)
{
    double effect[EFFECTS];

    for (unsigned b = 0; b < EARLY_BUDGETS; b++) {
        for (unsigned i = 0; i < TRIALS; i++)
            out->test[b][i] = NAN;
    }
    draw_effects(effect, test_mean, rng);
    draw_early(out, test_mean, effect, rng);
    draw_late(out, test_mean, effect, rng);
}
