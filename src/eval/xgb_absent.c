/* SPDX-License-Identifier: Apache-2.0 */
/* The evaluator xgb of a build without XGBoost: says so. */
#include "eval/internal.h"

static enum sepx_err
xgb_open(void *state, const struct sepx_space *space, const char *argument,
         struct sepx_msg *msg)
{
    (void)state;
    (void)space;
    (void)argument;
    return sepx_fail(msg, SEPX_EUNSUPPORTED,
                     "xgb needs XGBoost, which this build does not have; "
                     "install libxgboost-dev and build with "
                     "-Dxgboost=enabled");
}

static void
xgb_close(void *state)
{
    (void)state;
}

const struct sepx__eval_ops sepx__eval_xgb = {
    .info = {"xgb", "NAS-Bench-301, its XGBoost ensemble (darts)",
             "FOLDER[,noise=no]"},
    .state_size = 1,
    .open = xgb_open,
    .close = xgb_close,
    .measure = SEPX_MEASURE_ERROR,
};
