/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NAS-Bench-301 by a feed-forward surrogate: the score is the error that it
 * predicts plus normal noise, reported is the prediction. One network has no
 * spread of members, so the noise has one fixed spread, which is chosen
 * (docs/models.md).
 */
#include <math.h>

#include "nas/nb301/darts_code.h"
#include "nas/nb301/mlp_net.h"
#include "eval/noise.h"

#define EPOCHS 98.0 /* of a full training */
#define SPREAD 0.002

struct mlp {
    const struct sepx_space *space;
    struct sepx__mlp *net;
    double spread; /* 0: no noise */
};

static enum sepx_err
mlp_open(void *state, const struct sepx_space *space, const char *argument,
         struct sepx_msg *msg)
{
    struct mlp *mlp = state;
    struct sepx__noise_argument parsed = {0};
    enum sepx_err err = sepx__eval_needs_space(space, "mlp", "darts", msg);

    if (!err)
        err = sepx__noise_argument_parse(&parsed, argument, msg);
    if (!err && !*parsed.place)
        err = sepx_fail(msg, SEPX_EINVAL,
                        "a file is missing; write mlp:FILE.f32");
    if (!err)
        err = sepx__mlp_read(&mlp->net, parsed.place, msg);
    mlp->space = space;
    mlp->spread = isnan(parsed.spread) ? SPREAD : parsed.spread;
    if (!parsed.noise)
        mlp->spread = 0;
    sepx__noise_argument_release(&parsed);
    return err;
}

static void
mlp_close(void *state)
{
    struct mlp *mlp = state;

    sepx__mlp_free(mlp->net);
}

/* The network has the operations in alphabetical order; 0 is none. */
static void
translate(uint8_t code[SEPX__MLP_CODES], const struct sepx__darts_code *darts)
{
    static const uint8_t op[] = {4, 1, 7, 5, 6, 2, 3};
    unsigned n = 0;

    for (unsigned cell = 0; cell < 2; cell++) {
        for (unsigned i = 0; i < SEPX__DARTS_EDGES; i++) {
            int edge = darts->edge[cell][i];

            code[n++] = edge == SEPX__DARTS_NONE ? 0 : op[edge];
        }
    }
    for (unsigned cell = 0; cell < 2; cell++) {
        for (unsigned i = 0; i < SEPX__DARTS_NODES; i++)
            code[n++] = (uint8_t)(darts->inputs[cell][i] + 1);
    }
}

static bool
mlp_exact(const void *state)
{
    const struct mlp *mlp = state;

    return !(mlp->spread > 0);
}

static enum sepx_err
mlp_score(void *state, struct sepx_score *score,
          const struct sepx_eval_job *job)
{
    const struct mlp *mlp = sepx__plain_shared(state);
    struct sepx__darts_code darts;
    uint8_t code[SEPX__MLP_CODES];
    double accuracy, epochs = fmax(1, round(job->fidelity * EPOCHS));
    enum sepx_err err = sepx__darts_code(&darts, mlp->space, job->graph);
    struct sepx_rng rng;

    if (err == SEPX_EINVAL) {
        score->outcome = SEPX_UNFIT;
        return SEPX_OK;
    }
    if (err)
        return err;
    translate(code, &darts);
    sepx__mlp_run(mlp->net, &accuracy, &score->cost, code, epochs);
    sepx__noise_stream(&rng, job);
    score->test = 1 - accuracy / 100;
    score->value = score->test;
    if (mlp->spread > 0)
        score->value += mlp->spread * sepx_rng_normal(&rng);
    return SEPX_OK;
}

const struct sepx__eval_ops sepx__eval_mlp = {
    .info = {"mlp", "NAS-Bench-301, feed-forward surrogate (darts)",
             "FILE.f32[,noise=no][,spread=X]"},
    .state_size = sizeof(struct mlp),
    .open = mlp_open,
    .close = mlp_close,
    .measure = SEPX_MEASURE_ERROR,
    .source = sepx__surrogate_source,
    .exact = mlp_exact,
    .worker_size = sizeof(struct sepx__plain_worker),
    .start = sepx__plain_start,
    .stop = sepx__plain_stop,
    .score = mlp_score,
};
