/* SPDX-License-Identifier: Apache-2.0 */
/* Several methods on the same seeds. */
#ifndef SEPX_CLI_COMPARE_H
#define SEPX_CLI_COMPARE_H

#include "search/experiment.h"

struct compare_settings {
    struct experiment_settings common;
    const char *against;
    bool csv, times;
};

/* One method and what it did. */
struct contender {
    const char *label; /* as the user wrote it */
    struct sepx_method *method;
    struct sepx_eval *eval; /* its own, or NULL: the experiment's */
    struct sepx_runs runs;
    struct experiment_summary at[MARKS_MAX];
    double seconds;
};

struct compare {
    const struct compare_settings *settings;
    struct experiment x;
    struct contender *row;
    size_t count;     /* of methods that have runs */
    size_t reference; /* the row that the others are tested against */
};

/* Of row a's curve against row b's at one mark. */
SEPX_CHECKED enum sepx_err
compare_test(const struct compare *compare, struct sepx_mann_whitney *test,
             enum sepx_curve curve, size_t a, size_t b, size_t mark);

/* ---- compare_write.c ---- */

SEPX_CHECKED enum sepx_err compare_write_text(struct out *out,
                                              const struct compare *compare);
SEPX_CHECKED enum sepx_err compare_write_json(struct out *out,
                                              const struct compare *compare);
SEPX_CHECKED enum sepx_err compare_write_csv(struct out *out,
                                             const struct compare *compare);

#endif
