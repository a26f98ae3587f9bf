/* SPDX-License-Identifier: Apache-2.0 */
/* The evaluator xgb of a build without XGBoost. */
#include "eval/internal.h"

const struct sepx__eval_ops sepx__eval_xgb = {
    .info = {"xgb", "NAS-Bench-301, its XGBoost ensemble (darts)",
             "FOLDER[,noise=no]"},
    .missing = "xgb needs XGBoost, which this build does not have; install "
               "libxgboost-dev and run ./quickstart",
    .measure = SEPX_MEASURE_ERROR,
};
