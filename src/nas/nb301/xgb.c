/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NAS-Bench-301 by its XGBoost ensemble, converted by tools/convert-nb301:
 * the score is the error by the members' mean plus normal noise with their
 * standard deviation, as the benchmark draws it; reported is the mean.
 *
 * Boosters are shared by all threads: the prediction "in place" that is used
 * here is safe for that, as XGBoost's documentation says.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <xgboost/c_api.h>

#include "eval/noise.h"
#include "nas/nb301/xgb_inputs.h"

#define MODEL_BYTES ((size_t)1 << 30)

struct xgb {
    const struct sepx_space *space;
    struct sepx__xgb_inputs inputs;
    BoosterHandle booster[SEPX__XGB_MEMBERS];
    bool noise;
};

/* XGBoost's own words, the first line of them. */
static enum sepx_err
fail_xgboost(struct sepx_msg *msg, const char *path)
{
    const char *why = XGBGetLastError();

    return sepx_fail(msg, SEPX_EDATA, "%s: XGBoost: %.*s", path,
                     (int)strcspn(why, "\n"), why);
}

static enum sepx_err
load_bytes(struct xgb *xgb, BoosterHandle booster, const char *path,
           const struct sepx_text *text, struct sepx_msg *msg)
{
    bst_ulong features = 0;

    /* It would take anything else for its old binary format. */
    if (!text->len || text->at[0] != '{')
        return sepx_fail(msg, SEPX_EDATA,
                         "%s: not a model in JSON; convert the models again",
                         path);
    if (XGBoosterLoadModelFromBuffer(booster, text->at, text->len) ||
        XGBoosterSetParam(booster, "nthread", "1") ||
        XGBoosterGetNumFeature(booster, &features))
        return fail_xgboost(msg, path);
    if (features == xgb->inputs.count)
        return SEPX_OK;
    return sepx_fail(msg, SEPX_EDATA,
                     "%s: a model of %llu inputs, but inputs.json has %u; "
                     "convert the models again",
                     path, (unsigned long long)features, xgb->inputs.count);
}

static enum sepx_err
load_member(struct xgb *xgb, unsigned i, const char *folder,
            struct sepx_msg *msg)
{
    struct sepx_text path = {0}, text = {0};
    enum sepx_err err =
        sepx_text_print(&path, "%s/%s", folder, xgb->inputs.member[i]);

    if (!err)
        err = sepx_file_read(&text, path.at, MODEL_BYTES, msg);
    if (!err && XGBoosterCreate(NULL, 0, &xgb->booster[i]))
        err = fail_xgboost(msg, path.at);
    if (!err)
        err = load_bytes(xgb, xgb->booster[i], path.at, &text, msg);
    sepx_text_release(&text);
    sepx_text_release(&path);
    return err;
}

static enum sepx_err
load_folder(struct xgb *xgb, const char *folder, struct sepx_msg *msg)
{
    struct sepx_text path = {0};
    enum sepx_err err;

    if (!*folder)
        return sepx_fail(msg, SEPX_EINVAL,
                         "a folder is missing; write xgb:FOLDER, made by "
                         "tools/convert-nb301");
    err = sepx_text_print(&path, "%s/inputs.json", folder);
    if (!err)
        err = sepx__xgb_inputs_read(&xgb->inputs, path.at, msg);
    for (unsigned i = 0; i < xgb->inputs.members && !err; i++)
        err = load_member(xgb, i, folder, msg);
    sepx_text_release(&path);
    return err;
}

static enum sepx_err
xgb_open(void *state, const struct sepx_space *space, const char *argument,
         struct sepx_msg *msg)
{
    struct xgb *xgb = state;
    struct sepx__noise_argument parsed = {0};
    enum sepx_err err = sepx__eval_needs_space(space, "xgb", "darts", msg);

    if (!err)
        err = sepx__noise_argument_parse(&parsed, argument, msg);
    if (!err && !isnan(parsed.spread))
        err = sepx_fail(msg, SEPX_EINVAL,
                        "spread= is of mlp:; an ensemble has its own");
    if (!err)
        err = load_folder(xgb, parsed.place, msg);
    xgb->space = space;
    xgb->noise = parsed.noise;
    sepx__noise_argument_release(&parsed);
    return err;
}

static void
xgb_close(void *state)
{
    struct xgb *xgb = state;

    for (unsigned i = 0; i < SEPX__XGB_MEMBERS; i++) {
        if (xgb->booster[i])
            (void)XGBoosterFree(xgb->booster[i]);
    }
}

/* In percent. */
static enum sepx_err
predict(const struct xgb *xgb, double *mean, double *sd, const float *value)
{
    static const char config[] =
        "{\"type\": 0, \"training\": false, \"iteration_begin\": 0, "
        "\"iteration_end\": 0, \"strict_shape\": false, \"cache_id\": 0, "
        "\"missing\": NaN}";
    double sum = 0, square = 0, n = xgb->inputs.members;
    char array[128];

    snprintf(array, sizeof array,
             "{\"data\": [%llu, true], \"shape\": [1, %u], "
             "\"typestr\": \"<f4\", \"version\": 3}",
             (unsigned long long)(uintptr_t)value, xgb->inputs.count);
    for (unsigned i = 0; i < xgb->inputs.members; i++) {
        const bst_ulong *shape;
        const float *result;
        bst_ulong dim;

        if (XGBoosterPredictFromDense(xgb->booster[i], array, config, NULL,
                                      &shape, &dim, &result) ||
            !dim || !shape[0])
            return SEPX_EDATA;
        sum += (double)result[0];
        square += (double)result[0] * (double)result[0];
    }
    *mean = sum / n;
    *sd = sqrt(fmax(0, square / n - *mean * *mean));
    return SEPX_OK;
}

static bool
xgb_exact(const void *state)
{
    const struct xgb *xgb = state;

    return !xgb->noise;
}

static enum sepx_err
xgb_score(void *state, struct sepx_score *score,
          const struct sepx_eval_job *job)
{
    const struct xgb *xgb = sepx__plain_shared(state);
    float value[SEPX__XGB_INPUTS];
    struct sepx__darts_code code;
    struct sepx_rng rng;
    double mean, sd;
    enum sepx_err err = sepx__darts_code(&code, xgb->space, job->graph);

    if (err == SEPX_EINVAL) {
        score->outcome = SEPX_UNFIT;
        return SEPX_OK;
    }
    if (err)
        return err;
    sepx__xgb_inputs_fill(&xgb->inputs, value, &code);
    err = predict(xgb, &mean, &sd, value);
    if (err)
        return err;
    sepx__noise_stream(&rng, job);
    score->test = 1 - mean / 100;
    score->value = score->test;
    if (xgb->noise)
        score->value -= sd / 100 * sepx_rng_normal(&rng);
    return SEPX_OK;
}

const struct sepx__eval_ops sepx__eval_xgb = {
    .info = {"xgb", "NAS-Bench-301, its XGBoost ensemble (darts)",
             "FOLDER[,noise=no]"},
    .state_size = sizeof(struct xgb),
    .open = xgb_open,
    .close = xgb_close,
    .measure = SEPX_MEASURE_ERROR,
    .source = sepx__surrogate_source,
    .exact = xgb_exact,
    .worker_size = sizeof(struct sepx__plain_worker),
    .start = sepx__plain_start,
    .stop = sepx__plain_stop,
    .score = xgb_score,
};
