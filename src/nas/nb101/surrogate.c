/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NAS-Bench-101 without its data: the embedded model gives a cell's mean test
 * accuracy, the noise model three trials, which are the cell's for good. An
 * evaluation draws one of them, as the authors' experiments do with the real
 * ones, and reports the mean test accuracy.
 */
#include <math.h>

#include "nas/nb101/nb101_model.h"
#include "nas/nb101/nb101_noise.h"
#include "eval/noise.h"

#define CELLS 0x63656c6cu /* seed of the cells' own streams */
/* The largest validation accuracy of all trials of all cells, in images out
 * of 9984; test_surrogate counts again. */
#define BEST_IMAGES 9503

struct surrogate {
    const struct sepx_space *space;
    bool noise;
};

static enum sepx_err
surrogate_open(void *state, const struct sepx_space *space,
               const char *argument, struct sepx_msg *msg)
{
    struct surrogate *surrogate = state;
    struct sepx__noise_argument parsed = {0};
    enum sepx_err err =
        sepx__eval_needs_space(space, "surrogate", "nb101", msg);

    if (!err)
        err = sepx__noise_argument_parse(&parsed, argument, msg);
    if (!err && (*parsed.place || !isnan(parsed.spread)))
        err = sepx_fail(msg, SEPX_EINVAL,
                        "surrogate:%s: write surrogate: or "
                        "surrogate:noise=no",
                        argument);
    surrogate->space = space;
    surrogate->noise = parsed.noise;
    sepx__noise_argument_release(&parsed);
    return err;
}

static void
surrogate_close(void *state)
{
    (void)state;
}

static double
surrogate_optimum_test(const void *state)
{
    (void)state;
    return 1 - sepx__nb101_model_best();
}

static double
surrogate_optimum(const void *state)
{
    const struct surrogate *surrogate = state;

    return surrogate->noise ? 1 - BEST_IMAGES / 9984.0
                            : surrogate_optimum_test(state);
}

static bool
surrogate_exact(const void *state)
{
    const struct surrogate *surrogate = state;

    return !surrogate->noise;
}

static enum sepx_err
surrogate_score(void *state, struct sepx_score *score,
                const struct sepx_eval_job *job)
{
    const struct surrogate *surrogate = sepx__plain_shared(state);
    unsigned budget = sepx__nb101_budget(job->fidelity);
    struct sepx__nb101_trials trials;
    struct sepx_nb101_cell cell;
    struct sepx_rng rng;
    enum sepx_err err =
        sepx_nb101_cell_of(&cell, surrogate->space, job->graph, NULL);
    double test;
    unsigned trial;

    if (err == SEPX_EINVAL) {
        score->outcome = SEPX_UNFIT;
        return SEPX_OK;
    }
    if (err)
        return err;
    test = sepx__nb101_model(&cell);
    sepx_rng_init(&rng, CELLS, 0, sepx_nb101_cell_code(&cell), 0);
    sepx__nb101_noise_draw(&trials, test, &rng);
    sepx__noise_stream(&rng, job);
    trial = sepx_rng_below(&rng, SEPX__NB101_TRIALS);
    score->value =
        1 - (surrogate->noise ? trials.validation[budget][trial]
                              : sepx__nb101_noise_free(test, budget));
    score->test = 1 - test;
    score->cost = trials.seconds[budget][trial];
    return SEPX_OK;
}

const struct sepx__eval_ops sepx__eval_surrogate = {
    .info = {"surrogate", "NAS-Bench-101 modelled, no data needed (nb101)",
             "nothing, or noise=no"},
    .state_size = sizeof(struct surrogate),
    .open = surrogate_open,
    .close = surrogate_close,
    .measure = SEPX_MEASURE_ERROR,
    .optimum = surrogate_optimum,
    .optimum_test = surrogate_optimum_test,
    .source = sepx__surrogate_source,
    .exact = surrogate_exact,
    .worker_size = sizeof(struct sepx__plain_worker),
    .start = sepx__plain_start,
    .stop = sepx__plain_stop,
    .score = surrogate_score,
};
